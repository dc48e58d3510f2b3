//! What is true of Surakarta before anybody plays it.

use super::{NO_RUN, QUIET, REPEATED, TOO_MANY};
use crate::core::{Control, Facts, OptionFact, Phrase, Preset};

pub(super) static FACTS: Facts = Facts {
    id: "surakarta",
    name: Phrase::new("Surakarta", "苏拉卡尔塔棋"),
    aliases: &["苏拉卡尔塔"],
    board: Phrase::same("6×6"),
    summary: Phrase::new(
        "Step to an empty neighbouring point in any of eight directions, or capture: run along the lines of the inner \
         or the outer circuit over empty points, through at least one corner loop, and land on an enemy. Whoever has \
         no pieces or no move loses. After too many plies without a capture, or when a position keeps coming back, \
         more pieces win and equal numbers draw.",
        "每步将己方一子沿八个方向之一移动一格到空点；或者吃子：沿内圈或外圈的线滑行，途经各点须为空，\
         至少经过一段角上弧线，落在敌子上将其吃掉。无子或无法行棋者负。连续未吃子步数达到上限，\
         或同一局面重复达到规定次数时，子多者胜，相等为和。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "from, to; each a column and a row, A to F from the left and from the top: ABAC",
        "起点、落点各两个字母，先列后行，列自左、行自上为 A 到 F：ABAC",
    ),
    prompts: &[Phrase::new("Choose a piece", "请选一枚棋子"), Phrase::new("Where should it go?", "走到哪里？")],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty points), side to move, plies since the last capture, plies played, \
         and from the second time on how often the position has stood: bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 0",
        "自上而下各行（b 黑、w 白、数字为连续空点数）、行棋方、连续未吃子步数、已行步数，\
         重复局面另加出现次数：bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 0",
    ),
    options: &[
        OptionFact {
            key: "quiet_plies",
            name: Phrase::new("Plies without a capture", "未吃子步数上限"),
            control: Control::whole_or(1, 1000, Phrase::new("no limit", "不限")),
            values: "0..1000",
            text: Phrase::new(
                "after this many plies without a capture the pieces are counted; 0: never",
                "连续未吃子达到此步数时按子数判定胜负；0 为不限",
            ),
        },
        OptionFact {
            key: "repetition",
            name: Phrase::new("Repetitions", "局面重复次数上限"),
            control: Control::whole_or(2, 100, Phrase::new("no limit", "不限")),
            values: "0 | 2..100",
            text: Phrase::new(
                "when a position stands this often with the same side to move the pieces are counted; 0: never",
                "同一局面（行棋方相同）出现此次数时按子数判定胜负；0 为不限",
            ),
        },
    ],
    presets: &[
        Preset {
            id: "usual",
            name: Phrase::new(
                "Counted after 80 quiet plies or the third repetition",
                "80 步未吃子或同一局面出现三次时点子",
            ),
            pairs: &[],
        },
        Preset {
            id: "quick",
            name: Phrase::new("Counted after 40 quiet plies", "40 步未吃子时点子"),
            pairs: &["quiet_plies=40"],
        },
    ],
    samples: &[&["quiet_plies=0", "repetition=2"], &["repetition=0"], &["quiet_plies=9", "repetition=2"]],
    example: "bb1bbb/b2bbb/b2b2/w1b1w1/w3w1/wwwwww b 5 14",
    reasons: &[&NO_RUN, &QUIET, &REPEATED, &TOO_MANY],
};

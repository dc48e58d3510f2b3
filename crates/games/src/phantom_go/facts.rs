//! What is true of Phantom Go before anybody plays it.

use super::{CAPTURED, KO, OCCUPIED_POINT, TWO_PASSES};
use crate::core::{Choice, Control, Facts, OptionFact, Phrase, Preset};
use crate::goban::SUICIDE;

pub(super) static FACTS: Facts = Facts {
    id: "phantom-go",
    name: Phrase::new("Phantom Go", "幻影围棋"),
    aliases: &["phantomgo", "幻影"],
    board: Phrase::same("9×9"),
    summary: Phrase::new(
        "Go in which each side sees only its own stones, what it captures and what it loses. A stone on an occupied \
         point, a suicide or a ko repetition is refused, and the same side tries again. Passing is always allowed; \
         two passes in a row end the game and the area is counted.",
        "双方只能看到己方棋子、己方所提之子和被提之子。落在已有棋子的点、自杀或劫的重复均被裁判拒绝，由同一方重新落子；\
         随时可以停一手。双方连续停一手则终局，数子（子与空）计算胜负。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: true,
    notation: Phrase::new(
        "column and row of the stone, letters from the top left, or pass: EE",
        "落点的列与行，均自左上角起以字母表示，或 pass（停一手）：EE",
    ),
    prompts: &[Phrase::new("Place a stone", "请落子")],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty points), side to move, passes in a row, ko point or - (? for a seat), \
         stones captured by Black and by White, plies played; boards further back are not in it: \
         9/9/9/9/4b4/9/9/9/9 w 0 - 0 0 1",
        "自上而下各行（b 黑、w 白、数字为连续空点数）、行棋方、连续停着数、劫点或 -（对局方视角为 ?）、\
         黑方提子数、白方提子数、已行步数；不含更早的局面：9/9/9/9/4b4/9/9/9/9 w 0 - 0 0 1",
    ),
    options: &[
        OptionFact {
            key: "ko",
            name: Phrase::new("Repetition", "劫与重复"),
            control: Control::Choice {
                values: &[
                    Choice { value: "positional", name: Phrase::new("no board twice", "禁止全局同形再现") },
                    Choice {
                        value: "simple", name: Phrase::new("only no taking back at once", "只禁止立即回提")
                    },
                ],
            },
            values: "positional | simple",
            text: Phrase::new(
                "refuse every board that was there before, or only taking back a single stone at once",
                "禁止重现任何先前局面（positional），或只禁止立即回提一子（simple）",
            ),
        },
        OptionFact {
            key: "komi",
            name: Phrase::new("Komi", "贴目"),
            control: Control::Number { least: -100.0, most: 100.0, step: 0.5, zero: None },
            values: "-100..100",
            text: Phrase::new("points added to White's area, halves allowed", "给白方加的点数，可为半目"),
        },
        OptionFact {
            key: "tie",
            name: Phrase::new("When areas are equal", "面积相等时"),
            control: Control::Choice {
                values: &[
                    Choice { value: "white", name: Phrase::new("White wins", "白方胜") },
                    Choice { value: "black", name: Phrase::new("Black wins", "黑方胜") },
                    Choice { value: "draw", name: Phrase::new("a draw", "和棋") },
                ],
            },
            values: "white | black | draw",
            text: Phrase::new("who wins when the areas are equal after komi", "贴目后面积相等时的胜方"),
        },
        OptionFact {
            key: "max_plies",
            name: Phrase::new("Most plies", "步数上限"),
            control: Control::whole(1, 10_000),
            values: "1..10000",
            text: Phrase::new("after this many plies the area is counted", "到此步数时按盘面数子判定胜负"),
        },
    ],
    presets: &[
        Preset {
            id: "usual",
            name: Phrase::new("No komi, White wins ties, as in the championship", "不贴目，相等白胜，锦标赛规则"),
            pairs: &[],
        },
        Preset {
            id: "komi", name: Phrase::new("Komi 7", "贴 7 目，相等为和棋"), pairs: &["komi=7", "tie=draw"]
        },
    ],
    samples: &[&["ko=simple", "komi=-7.5", "max_plies=200"], &["tie=draw", "max_plies=60"]],
    example: "9/2b1w1b2/1bw1wbw2/2bw1bw2/3bwb1w1/2wb1w3/3w1b3/4b4/9 b 0 - 0 0 22",
    reasons: &[&OCCUPIED_POINT, &SUICIDE, &KO, &TWO_PASSES, &CAPTURED],
};

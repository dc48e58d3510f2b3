//! What is true of gomoku before anybody plays it.

use crate::core::{Choice, Control, Facts, OptionFact, Phrase, Preset};

use super::NOT_NOW;
use super::renju::{DOUBLE_FOUR, DOUBLE_THREE, OVERLINE};
use super::variant::{FINISHED_START, OPENING_CLASH, RULE_CLASH};

const SIDE: &str = "0 | 5..22";

/// Every rule there is; its number is the protocol's sum of bits.
const RULES: &[Choice] = &[
    Choice { value: "0", name: Phrase::new("freestyle: five or more", "自由：五连或更长为胜") },
    Choice { value: "1", name: Phrase::new("standard: exactly five", "标准：恰好五连为胜") },
    Choice { value: "4", name: Phrase::new("renju: Black has forbidden points", "连珠：黑方有禁手") },
    Choice {
        value: "9", name: Phrase::new("caro: exactly five, one end open", "Caro：恰好五连且至少一端未堵")
    },
    Choice { value: "8", name: Phrase::new("five or more, one end open", "五连或更长且至少一端未堵") },
    Choice {
        value: "2", name: Phrase::new("fives score until the board is full", "连续：连五得分，下满为止")
    },
    Choice { value: "3", name: Phrase::new("exact fives score", "连续：恰好五连得分") },
    Choice {
        value: "10", name: Phrase::new("fives with an open end score", "连续：至少一端未堵的五连得分")
    },
    Choice {
        value: "11", name: Phrase::new("exact fives with an open end score", "连续：至少一端未堵的恰好五连得分")
    },
];

pub(super) static FACTS: Facts = Facts {
    id: "gomoku",
    name: Phrase::new("Gomoku", "五子棋"),
    aliases: &["连珠", "renju", "五子", "piskvork", "gobang", "five in a row"],
    board: Phrase::new("15×15 or 20×20", "15×15 或 20×20"),
    summary: Phrase::new(
        "Play a stone on an empty point; five in a row win, across, down or on a diagonal. Options ask for exactly five, \
         let lines score until the board is full, or leave out fives closed at both ends. In renju Black may not make \
         an overline, a double four or a double three, and loses at once if he does. A full board is a draw.",
        "双方轮流在空点落子，横、竖、斜任一方向连成五子者胜。可选恰好五连、连续对局（连五得分，下满为止）、\
         两端被堵的五连无效（Caro）等规则。连珠规则下黑方有长连、四四、三三禁手，走出禁手即负。棋盘下满为和棋。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "x,y from the top left, counted from 0: 7,7; in swap2 also several stones, 7,7+8,7+9,9, and swap",
        "x,y，左上角为 0,0，x 向右、y 向下：7,7；swap2 开局中还可一次多子 7,7+8,7+9,9，或 swap（交换黑白）",
    ),
    prompts: &[Phrase::new("Place a stone", "请落子"), Phrase::new("Now the next stone", "再落下一子")],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, B and W in scored lines, numbers for empty points), side (seat) to move, plies played, \
         then if so: swapped (colours exchanged), 2-1 (lines scored), a foul; or the plies from the empty board: 7,7 8,8",
        "自上而下各行（b 黑、w 白，已得分连线上的子为 B、W，数字为连续空点数）、行棋席位、已行步数；\
         必要时再加 swapped（已换色）、2-1（双方五连数）、禁手名；也可写成从空棋盘开始的着法序列：7,7 8,8",
    ),
    options: &[
        OptionFact {
            key: "size",
            name: Phrase::new("Board", "棋盘"),
            control: Control::whole_or(5, 22, Phrase::new("as the rule has it", "随规则")),
            values: SIDE,
            text: Phrase::new("the board's side; 0 is 20, or 15 in renju", "棋盘边长；0 表示 20，连珠为 15"),
        },
        OptionFact {
            key: "width",
            name: Phrase::new("Width", "宽度"),
            control: Control::whole_or(5, 22, Phrase::new("as the board", "与棋盘相同")),
            values: SIDE,
            text: Phrase::new("the board's width; 0 is the size", "棋盘宽度；0 表示与 size 相同"),
        },
        OptionFact {
            key: "height",
            name: Phrase::new("Height", "高度"),
            control: Control::whole_or(5, 22, Phrase::new("as the board", "与棋盘相同")),
            values: SIDE,
            text: Phrase::new("the board's height; 0 is the size", "棋盘高度；0 表示与 size 相同"),
        },
        OptionFact {
            key: "rule",
            name: Phrase::new("Rule", "规则"),
            control: Control::Choice { values: RULES },
            values: "0..3 | 4 | 8..11 | freestyle | exact | continuous | renju | caro, joined with +",
            text: Phrase::new(
                "a sum of 1 exact (exactly five win; also standard), 2 continuous (fives score until the board is full), \
                 8 caro (a five with an enemy stone at both ends is nothing; Gomocup's caro is exact+caro), or 4 renju, \
                 which has line rules of its own and goes with none of the others",
                "以下各项之和：1 exact（恰好五连才胜，亦称 standard）、2 continuous（连五得分，下满为止，多者胜）、\
                 8 caro（两端都被对方棋子堵住的五连无效；Gomocup 的 Caro 为 exact+caro）；4 renju（连珠，黑方禁手）自成一套，不与其他项相加",
            ),
        },
        OptionFact {
            key: "opening",
            name: Phrase::new("Opening", "开局"),
            control: Control::Choice {
                values: &[
                    Choice { value: "none", name: Phrase::new("the first stone", "直接落子") },
                    Choice { value: "swap2", name: Phrase::new("swap2", "swap2（三子交换）") },
                ],
            },
            values: "none | swap2",
            text: Phrase::new(
                "swap2: the first seat places three stones (black, white, black); the second swaps, plays white, or adds \
                 a white and a black stone and lets the first swap or play white",
                "swap2：先手席一次摆三子（黑、白、黑），后手席可换色（swap）、以白棋续下一子，或再摆白、黑各一子，\
                 由先手席换色或以白棋续下",
            ),
        },
        OptionFact {
            key: "openings",
            name: Phrase::new("List of openings", "开局列表"),
            control: Control::Text,
            values: "[\"7,7 8,8 9,9\", …]",
            text: Phrase::new(
                "openings, each the plies from the empty board or a position text; a match plays each from both sides",
                "开局列表，每项为从空棋盘开始的着法序列或局面文本；一场比赛对每个开局各执先后手一局",
            ),
        },
    ],
    presets: &[
        Preset {
            id: "free15",
            name: Phrase::new("15×15 freestyle: five or more win", "15×15 自由规则：五连或更长为胜"),
            pairs: &["size=15", "rule=freestyle"],
        },
        Preset {
            id: "renju",
            name: Phrase::new("15×15 renju: Black has forbidden points", "15×15 连珠：黑方有禁手"),
            pairs: &["size=15", "rule=renju"],
        },
        Preset {
            id: "standard",
            name: Phrase::new("15×15 standard: exactly five win", "15×15 标准规则：恰好五连为胜"),
            pairs: &["size=15", "rule=exact"],
        },
        Preset {
            id: "swap2",
            name: Phrase::new("15×15 standard with swap2", "15×15 标准规则，swap2 开局"),
            pairs: &["size=15", "rule=exact", "opening=swap2"],
        },
        Preset {
            id: "free20",
            name: Phrase::new("20×20 freestyle, as in Gomocup", "20×20 自由规则，与 Gomocup 一致"),
            pairs: &["size=20", "rule=freestyle"],
        },
        Preset {
            id: "caro",
            name: Phrase::new("15×15 caro: a five closed at both ends does not win", "15×15 Caro：两端被堵的五连不胜"),
            pairs: &["size=15", "rule=exact+caro"],
        },
    ],
    samples: &[
        &["size=5"],
        &["width=7", "height=5"],
        &["size=7", "rule=1"],
        &["size=7", "rule=2"],
        &["size=7", "rule=3"],
        &["rule=renju"],
        &["size=9", "rule=renju"],
        &["size=7", "rule=caro"],
        &["size=7", "rule=exact+caro"],
        &["size=7", "rule=continuous+caro"],
        &["size=6", "opening=swap2"],
        &["size=9", "rule=renju", "opening=swap2"],
        &["size=15", r#"openings=["7,7 7,6 9,9", "7,7 8,8"]"#],
    ],
    example: "20/20/20/20/20/20/20/9w10/8bbw9/8wbb9/7w1bw9/10w9/20/20/20/20/20/20/20/20 b 10",
    reasons: &[&OVERLINE, &DOUBLE_FOUR, &DOUBLE_THREE, &NOT_NOW, &RULE_CLASH, &OPENING_CLASH, &FINISHED_START],
};

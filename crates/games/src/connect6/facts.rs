//! What is true of Connect6 before anybody plays it: options, reasons, facts.

use serde::{Deserialize, Serialize};

use crate::core::{Control, Facts, Fault, OptionFact, Phrase, Preset, Reason, Variant, reasons};

/// The largest board: its letters end at `Y`.
pub(super) const MOST_SIZE: usize = 25;
const LEAST_SIZE: usize = 6;

pub(super) static ONE_STONE: Reason = Reason::new(
    "one-stone",
    "the first ply is one stone, written XY@@; {} came",
    "第一手只下一子，写作 XY@@；收到的是 {}",
);
pub(super) static TWO_STONES: Reason = Reason::new(
    "two-stones",
    "{} is one stone; a ply is two stones unless the first one already makes the line",
    "{} 只有一子；除非第一子已经连成，否则每手须下两子",
);

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Connect6Variant {
    /// Points along an edge.
    pub size: u8,
    /// Stones in the first ply.
    pub first: u8,
    /// This many in a row win, or more.
    pub line: u8,
}

impl Default for Connect6Variant {
    fn default() -> Self {
        Self { size: 19, first: 1, line: 6 }
    }
}

impl Variant for Connect6Variant {
    fn check(&self) -> Result<(), Fault> {
        if !(LEAST_SIZE..=MOST_SIZE).contains(&usize::from(self.size)) {
            return Err(Fault::at(&reasons::BAD_OPTION, "size=6..25"));
        }
        if !(1..=2).contains(&self.first) {
            return Err(Fault::at(&reasons::BAD_OPTION, "first=1..2"));
        }
        let longest = self.size.min(9);
        if !(3..=longest).contains(&self.line) {
            return Err(Fault::at(&reasons::BAD_OPTION, &format!("line=3..{longest}")));
        }
        Ok(())
    }
}

pub(super) static FACTS: Facts = Facts {
    id: "connect6",
    name: Phrase::new("Connect6", "六子棋"),
    aliases: &["六子", "c6"],
    board: Phrase::same("19×19"),
    summary: Phrase::new(
        "Black begins with one stone; then each side in turn places two stones on empty points. Six or more stones of \
         one colour in a row, column or diagonal win. A full board without such a line is a draw.",
        "黑方第一手下一子，此后双方轮流每手下两子，均落于空点。先在横、竖或斜线上将己方六子或六子以上连成一线者胜；\
         棋盘下满仍未连成者为和棋。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "two points, each as column and row letter from the top left, in either order: JJKK; one stone (the first ply, \
         or a stone that already makes the line): JJ@@",
        "两个落点，各以列、行字母表示（自左上角起），先后不限：JJKK；只下一子（第一手，或该子已经连成）：JJ@@",
    ),
    prompts: &[Phrase::new("Place a stone", "请落子"), Phrase::new("Now the second stone", "再落第二子")],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty points), side to move, plies played (may be left out); on an empty \
         board the first ply is due: 19/…/9b9/…/19 w 1",
        "自上而下各行（b 黑、w 白、数字为连续空点数）、行棋方、已行手数（可省略）；空棋盘即轮到第一手：19/…/9b9/…/19 w 1",
    ),
    options: &[
        OptionFact {
            key: "size",
            name: Phrase::new("Board", "棋盘"),
            control: Control::whole(6, 25),
            values: "6..25",
            text: Phrase::new("points along an edge of the board", "棋盘每边的点数"),
        },
        OptionFact {
            key: "first",
            name: Phrase::new("Stones in the first ply", "第一手子数"),
            control: Control::whole(1, 2),
            values: "1..2",
            text: Phrase::new("stones in the first ply", "第一手的子数"),
        },
        OptionFact {
            key: "line",
            name: Phrase::new("Stones in a row that win", "几子连珠为胜"),
            control: Control::whole(3, 9),
            values: "3..9",
            text: Phrase::new(
                "this many stones in a row win, or more; not longer than the board",
                "连成此数或更多者胜；不得超过棋盘边长",
            ),
        },
    ],
    presets: &[
        Preset {
            id: "usual", name: Phrase::new("19×19, as in the championship", "19×19，锦标赛规则"), pairs: &[]
        },
        Preset {
            id: "small", name: Phrase::new("13×13, for small screens", "13×13，适合小屏幕"), pairs: &["size=13"]
        },
        Preset {
            id: "connect5",
            name: Phrase::new("15×15, five win", "15×15，五子为胜"),
            pairs: &["size=15", "line=5"],
        },
    ],
    samples: &[&["size=6"], &["size=7", "first=2", "line=4"], &["size=6", "first=2", "line=6"]],
    example: "19/19/19/19/19/19/8w10/7b1b9/8wb9/7wbwb8/6w12/8w10/19/19/19/19/19/19/19 b 6",
    reasons: &[&ONE_STONE, &TWO_STONES],
};

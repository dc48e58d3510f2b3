//! What is true of Dots and Boxes before anybody plays it: options, reasons, facts.

use serde::{Deserialize, Serialize};

use super::lines::MOST_DOTS;
use crate::core::{Control, Facts, Fault, OptionFact, Phrase, Preset, Reason, Variant, reasons};

pub(super) static DRAWN: Reason = Reason::new("line-drawn", "line {} is already drawn", "连线 {} 已经画过");
pub(super) static MUST_GO_ON: Reason = Reason::new(
    "must-go-on",
    "line {} completes a box, so the same player must draw another line in this ply",
    "连线 {} 占得格子，同一方须在本手继续连线",
);
pub(super) static TURN_WAS_OVER: Reason = Reason::new(
    "turn-was-over",
    "line {} comes after a line that completed no box and so ended the turn",
    "连线 {} 之前的一条线没有占得格子，本手已经结束",
);
pub(super) static BOXES: Reason =
    Reason::new("boxes", "all boxes are owned and were counted", "所有格子均已被占，按占格数判定胜负");
pub(super) static NOT_CLOSED: Reason =
    Reason::new("not-closed", "box {} is owned but a side of it is not drawn", "格子 {} 已有归属，但四边尚未连全");
pub(super) static NO_OWNER: Reason =
    Reason::new("no-owner", "box {} has all four sides but no owner", "格子 {} 四边已连全，却没有归属");

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DotsVariant {
    /// Rows of dots; the rows of boxes are one fewer.
    pub rows: u8,
    /// Columns of dots; the columns of boxes are one fewer.
    pub cols: u8,
}

impl Default for DotsVariant {
    fn default() -> Self {
        Self { rows: 6, cols: 6 }
    }
}

impl Variant for DotsVariant {
    fn check(&self) -> Result<(), Fault> {
        for (key, value) in [("rows", self.rows), ("cols", self.cols)] {
            if !(2..=MOST_DOTS).contains(&usize::from(value)) {
                return Err(Fault::at(&reasons::BAD_OPTION, &format!("{key}=2..{MOST_DOTS}")));
            }
        }
        Ok(())
    }
}

pub(super) static FACTS: Facts = Facts {
    id: "dots",
    name: Phrase::new("Dots and Boxes", "点格棋"),
    aliases: &["dots-and-boxes", "dab", "点格"],
    board: Phrase::new("6×6 dots", "6×6 点"),
    summary: Phrase::new(
        "Draw a line between two neighbouring dots. Whoever draws the fourth side of a box owns it and must draw \
         another line in the same ply. When all boxes are owned, more boxes win.",
        "在相邻两点之间连线。连上某个格子第四条边的一方占得该格，并须在同一手内继续连线。所有格子都被占满时，占格多者胜。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "all lines of the turn, three letters each: A (horizontal), row of dots, segment from the left; or B \
         (vertical), column of dots, segment from the top. Each line but the last completes a box: AAABAB",
        "本手全部连线，每条三个字母：横线为 A、点的行号、自左起的段号；竖线为 B、点的列号、自上起的段号。\
         除最后一条外每条都须占得格子：AAABAB",
    ),
    prompts: &[
        Phrase::new("Draw a line", "请画一条线"),
        Phrase::new("The box is yours: draw another line", "占到格子，再画一条"),
    ],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows of horizontal lines, rows of vertical lines (x drawn, numbers for lines not drawn), rows of boxes (b, w, \
         numbers for boxes without an owner), side to move, plies played: \
         5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0",
        "各行横线、各行竖线（x 为已连，数字为连续未连的条数）、各行格子（b 黑、w 白，数字为连续无主的格数）、行棋方、已行手数：\
         5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0",
    ),
    options: &[
        OptionFact {
            key: "rows",
            name: Phrase::new("Rows of dots", "点的行数"),
            control: Control::whole(2, 8),
            values: "2..8",
            text: Phrase::new("rows of dots; one row of boxes fewer", "点的行数；格子的行数少一"),
        },
        OptionFact {
            key: "cols",
            name: Phrase::new("Columns of dots", "点的列数"),
            control: Control::whole(2, 8),
            values: "2..8",
            text: Phrase::new("columns of dots; one column of boxes fewer", "点的列数；格子的列数少一"),
        },
    ],
    presets: &[
        Preset {
            id: "usual",
            name: Phrase::new("5×5 boxes, as in the championship", "5×5 格，锦标赛规则"),
            pairs: &[],
        },
        Preset {
            id: "small", name: Phrase::new("3×3 boxes, short", "3×3 格，快棋"), pairs: &["rows=4", "cols=4"]
        },
        Preset { id: "large", name: Phrase::new("7×7 boxes", "7×7 格"), pairs: &["rows=8", "cols=8"] },
    ],
    samples: &[&["rows=2", "cols=2"], &["rows=3", "cols=3"], &["rows=3", "cols=8"], &["rows=8", "cols=3"]],
    example: "x2xx/xxx1x/1x1x1/2x1x/x1xx1/1x2x xx1x1x/2xx2/x1xx1x/1x1x2/x2x1x b4/5/5/5/5 b 30",
    reasons: &[&DRAWN, &MUST_GO_ON, &TURN_WAS_OVER, &BOXES, &NOT_CLOSED, &NO_OWNER],
};

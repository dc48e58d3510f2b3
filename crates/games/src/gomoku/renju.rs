//! Renju's forbidden points: overlines, double fours and double threes of Black, judged exactly and fast.
//!
//! Words used here: a *four* becomes exactly five by one more stone; it is *straight* when two points do that to the
//! same four stones. A *three* becomes a straight four by one more stone, on a point where Black may play and does not
//! make five at the same time; whether he may play there is asked of the board with the first stone on it, and so on.

use crate::core::Reason;

use super::lines::{Lines, Point};

/// Six or more in a row.
pub(super) static OVERLINE: Reason =
    Reason::new("overline", "Black made a row of six or more (forbidden in renju)", "黑方长连禁手");
/// Two fours at once.
pub(super) static DOUBLE_FOUR: Reason =
    Reason::new("double-four", "Black made two fours at once (forbidden in renju)", "黑方四四禁手");
/// Two threes at once.
pub(super) static DOUBLE_THREE: Reason =
    Reason::new("double-three", "Black made two open threes at once (forbidden in renju)", "黑方三三禁手");

/// Why a point is forbidden to Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours or more, in different directions or in one line.
    DoubleFour,
    /// Threes in two directions or more.
    DoubleThree,
}

impl Foul {
    const ALL: [Self; 3] = [Self::Overline, Self::DoubleFour, Self::DoubleThree];

    /// The reason a verdict gives.
    #[must_use]
    pub const fn reason(self) -> &'static Reason {
        match self {
            Self::Overline => &OVERLINE,
            Self::DoubleFour => &DOUBLE_FOUR,
            Self::DoubleThree => &DOUBLE_THREE,
        }
    }

    /// The foul whose reason has this code.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|foul| foul.reason().code == code)
    }
}

/// Steps along each direction to the points that would make a straight four; 0 is none.
type Threes = [[i8; 2]; 4];

/// What a black stone on an empty point would be, as far as its own lines tell.
enum Stone {
    Five,
    Foul(Foul),
    Plain,
    /// A double three if two of these are real.
    PerhapsThrees(Threes),
}

/// What a black stone would make in one direction.
enum Shape {
    Five,
    Overline,
    /// This many fours (0, 1 or 2), or a three if Black may play on one of the points these steps away.
    Open {
        fours: u8,
        steps: [i8; 2],
    },
}

/// The foul Black would commit on an empty point, if he would.
#[inline]
pub(super) fn foul_at(black: &Lines, empty: &Lines, point: Point) -> Option<Foul> {
    if !worth_judging(black, point) {
        return None;
    }
    match look(black, empty, point) {
        Stone::Five | Stone::Plain => None,
        Stone::Foul(foul) => Some(foul),
        Stone::PerhapsThrees(threes) => {
            let mut board = Scratch { black: black.clone(), empty: empty.clone() };
            board.has_two_threes(point, &threes).then_some(Foul::DoubleThree)
        }
    }
}

/// Whether there are black stones enough around for five or a foul. Nearly always not, and then nothing else is
/// looked at.
///
/// Threes and fours need two stones within four points of the new one, in each of two directions. Five, an overline,
/// or two fours in one line have at least four there.
#[inline]
fn worth_judging(black: &Lines, point: Point) -> bool {
    let mut directions = 0;
    let mut crowded = false;
    for direction in 0..4 {
        let others = black.window(direction, point) & 0b011_1101_1110;
        let without_one = others & others.wrapping_sub(1);
        let without_two = without_one & without_one.wrapping_sub(1);
        let without_three = without_two & without_two.wrapping_sub(1);
        directions += u32::from(without_one != 0);
        crowded |= without_three != 0;
    }
    directions >= 2 || crowded
}

/// Judges a black stone on a point by its four lines.
fn look(black: &Lines, empty: &Lines, point: Point) -> Stone {
    let mut fours = 0;
    let mut overline = false;
    let mut threes: Threes = [[0; 2]; 4];
    for (direction, three) in threes.iter_mut().enumerate() {
        match shape(black.window(direction, point), empty.window(direction, point)) {
            Shape::Five => return Stone::Five,
            Shape::Overline => overline = true,
            Shape::Open { fours: more, steps } => {
                fours += more;
                *three = steps;
            }
        }
    }
    if overline {
        Stone::Foul(Foul::Overline)
    } else if fours >= 2 {
        Stone::Foul(Foul::DoubleFour)
    } else if threes.iter().filter(|steps| **steps != [0; 2]).count() >= 2 {
        Stone::PerhapsThrees(threes)
    } else {
        Stone::Plain
    }
}

/// The black stones and the empty points alone: all it takes to judge fouls, for a search that keeps its own board.
#[derive(Debug, Clone)]
pub struct FoulBoard {
    black: Lines,
    empty: Lines,
}

impl FoulBoard {
    /// A board of this size without a stone.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Self {
        let mut board = Self { black: Lines::NONE, empty: Lines::NONE };
        for index in 0..width * height {
            board.empty.insert(Point::new(index % width, index / width));
        }
        board
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn place(&mut self, is_black: bool, point: Point) {
        self.empty.remove(point);
        if is_black {
            self.black.insert(point);
        }
    }

    /// Takes a stone of either colour off.
    #[inline]
    pub fn lift(&mut self, point: Point) {
        self.empty.insert(point);
        self.black.remove(point);
    }

    /// The foul Black would commit on an empty point, if he would.
    #[inline]
    #[must_use]
    pub fn foul_at(&self, point: Point) -> Option<Foul> {
        foul_at(&self.black, &self.empty, point)
    }
}

/// A board to try stones on.
struct Scratch {
    black: Lines,
    empty: Lines,
}

impl Scratch {
    /// Whether two of these threes are real once a stone is on `point`.
    fn has_two_threes(&mut self, point: Point, threes: &Threes) -> bool {
        self.black.insert(point);
        self.empty.remove(point);
        let is_real = |direction: usize, board: &mut Self| {
            threes[direction].iter().any(|&step| step != 0 && board.is_plain(point.along(direction, step)))
        };
        let mut real = 0;
        for direction in 0..4 {
            real += u32::from(is_real(direction, self));
            if real == 2 {
                break;
            }
        }
        self.black.remove(point);
        self.empty.insert(point);
        real == 2
    }

    /// Whether Black may play here and does not make five.
    fn is_plain(&mut self, point: Point) -> bool {
        if !worth_judging(&self.black, point) {
            return true;
        }
        match look(&self.black, &self.empty, point) {
            Stone::Five | Stone::Foul(_) => false,
            Stone::Plain => true,
            Stone::PerhapsThrees(threes) => !self.has_two_threes(point, &threes),
        }
    }
}

/// The shape in one direction, from the windows of eleven around the point: black stones, and empty points.
///
/// Only the nearest points to the left and to the right that are not black can join the stone to others by one more
/// stone, so these two are all there is to look at.
#[inline]
const fn shape(black: u32, empty: u32) -> Shape {
    // Bits 31 and below: the five points to the left, the nearest first; bits 0 and up: those to the right.
    let left = black << 27;
    let right = black >> 6;
    let before = left.leading_ones();
    let after = right.trailing_ones();
    let length = before + 1 + after;
    if length >= 5 {
        return if length == 5 { Shape::Five } else { Shape::Overline };
    }
    let left_gap = empty >> (4 - before) & 1 == 1;
    let right_gap = empty >> (6 + after) & 1 == 1;
    let before_gap = (left << (before + 1)).leading_ones();
    let after_gap = (right >> (after + 1)).trailing_ones();
    let left_four = left_gap && length + 1 + before_gap == 5;
    let right_four = right_gap && length + 1 + after_gap == 5;
    if left_four || right_four {
        // Both ends of four in a row: one straight four. Otherwise each side has its own four stones.
        let fours = if left_four && right_four && length < 4 { 2 } else { 1 };
        return Shape::Open { fours, steps: [0; 2] };
    }
    // With one more stone on a gap: four in a row, its two ends empty, and no black stone behind them that would make
    // the five an overline.
    let mut steps = [0; 2];
    if left_gap && right_gap {
        let far_left = before + 1 + before_gap;
        if length + 1 + before_gap == 4
            && empty >> (4 - far_left) & 1 == 1
            && black >> (3 - far_left) & 1 == 0
            && after_gap == 0
        {
            steps[0] = -(before as i8) - 1;
        }
        let far_right = after + 1 + after_gap;
        if length + 1 + after_gap == 4
            && empty >> (6 + far_right) & 1 == 1
            && black >> (7 + far_right) & 1 == 0
            && before_gap == 0
        {
            steps[1] = after as i8 + 1;
        }
    }
    Shape::Open { fours: 0, steps }
}

//! What the four shapes of a point are worth together.
//!
//! A point's *code* is its four shapes, four bits each. Everything that a search asks of a code is a table: its kind (what it
//! forces), what it adds to the value of a position, and how early it is tried.

use std::sync::LazyLock;

use super::shapes::{FIVE, FOUR, OPEN_FOUR, OPEN_THREE, OVERLINE, TWO_FOURS, WIDE_THREE};
use crate::kit::weights::integers;

/// What a stone on a point forces, weakest first.
pub(super) mod kind {
    /// Nothing at once.
    pub(in super::super) const PLAIN: u8 = 0;
    /// An open three.
    pub(in super::super) const THREE: u8 = 1;
    /// Two of them.
    pub(in super::super) const TWO_THREES: u8 = 2;
    /// A four.
    pub(in super::super) const FOUR: u8 = 3;
    /// A four and an open three.
    pub(in super::super) const FOUR_THREE: u8 = 4;
    /// A four that cannot be stopped, or two fours.
    pub(in super::super) const OPEN_FOUR: u8 = 5;
    /// The game.
    pub(in super::super) const FIVE: u8 = 6;
    /// Renju's Black only: perhaps a foul; the board must be asked.
    pub(in super::super) const SUSPECT: u8 = 7;
    /// How many kinds there are.
    pub(in super::super) const COUNT: usize = 8;
}

/// What follows from a code.
#[derive(Clone, Copy, Default)]
pub(super) struct Fact {
    /// What an empty point of this code adds to the value of its colour: when that colour is to move, and when it is not.
    pub(super) worth: [i16; 2],
    /// How promising a stone looks for its own colour.
    pub(super) promise: i16,
    /// What a stone forces.
    pub(super) kind: u8,
}

/// The facts of every code.
pub(super) type Facts = [Fact; 1 << 16];

/// The tables: where no foul is possible, and of renju's Black.
pub(super) struct Values {
    facts: [Box<Facts>; 2],
}

impl Values {
    /// The tables, made once.
    pub(super) fn get() -> &'static Self {
        static VALUES: LazyLock<Values> = LazyLock::new(Values::new);
        &VALUES
    }

    /// The facts of a colour to which points may be forbidden, or of one that may play everywhere.
    pub(super) fn facts(&self, fouls: bool) -> &Facts {
        &self.facts[usize::from(fouls)]
    }

    fn new() -> Self {
        let facts = [false, true].map(|fouls| {
            let mut facts = Box::new([Fact::default(); 1 << 16]);
            for (code, fact) in (0..=u16::MAX).zip(facts.iter_mut()) {
                let shapes = shapes(code);
                let (worth, promise) = (find_worth(code), find_promise(shapes));
                *fact = Fact { worth, promise, kind: find_kind(fouls, shapes) };
            }
            facts
        });
        Self { facts }
    }
}

fn shapes(code: u16) -> [u8; 4] {
    [0, 4, 8, 12].map(|shift| (code >> shift & 15) as u8)
}

fn find_kind(fouls: bool, shapes: [u8; 4]) -> u8 {
    let count = |wanted: &[u8]| shapes.iter().filter(|shape| wanted.contains(shape)).count();
    let fours = count(&[FOUR, OPEN_FOUR]);
    let threes = count(&[OPEN_THREE, WIDE_THREE]);
    if count(&[FIVE]) > 0 {
        kind::FIVE
    } else if fouls && (fours > 1 || threes > 1 || count(&[TWO_FOURS, OVERLINE]) > 0) {
        kind::SUSPECT
    } else if fours > 1 || count(&[OPEN_FOUR]) > 0 {
        kind::OPEN_FOUR
    } else if fours > 0 && threes > 0 {
        kind::FOUR_THREE
    } else if fours > 0 {
        kind::FOUR
    } else if threes > 1 {
        kind::TWO_THREES
    } else if threes > 0 {
        kind::THREE
    } else {
        kind::PLAIN
    }
}

/// Shapes that are worth something.
const SHAPES: usize = 12;
/// Pairs of them, the stronger one first.
const PAIRS: usize = SHAPES * (SHAPES + 1) / 2;
/// Values of the best two shapes of a point together, then of each of its others; first of the side to move, then of the other.
pub(super) const WEIGHTS: usize = 2 * (PAIRS + SHAPES);

/// Trained by `cargo run --profile quick -p engines --example train_gomoku`; the recipe is in docs/strength/gomoku.md.
pub(super) static LEARNED: [i32; WEIGHTS] = integers(include_bytes!("weights.txt"));

/// Which weights make the value of a code.
pub(super) fn terms(code: u16, to_move: bool) -> [usize; 3] {
    // Two fours in one line and overlines are fouls, worth nothing.
    let mut sorted = shapes(code).map(|shape| if usize::from(shape) < SHAPES { usize::from(shape) } else { 0 });
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let base = if to_move { 0 } else { PAIRS + SHAPES };
    let pair = sorted[0] * (sorted[0] + 1) / 2 + sorted[1];
    [base + pair, base + PAIRS + sorted[2], base + PAIRS + sorted[3]]
}

fn find_worth(code: u16) -> [i16; 2] {
    [true, false].map(|to_move| terms(code, to_move).map(|at| LEARNED[at]).iter().sum::<i32>() as i16)
}

/// Promise of each shape.
const PROMISE: [i16; 16] = [0, 1, 6, 7, 26, 30, 32, 110, 125, 130, 1600, 8000, 20, 20, 0, 0];

fn find_promise(shapes: [u8; 4]) -> i16 {
    let sum: i16 = shapes.iter().map(|&shape| PROMISE[usize::from(shape)].min(4000)).sum();
    let together = match find_kind(false, shapes) {
        kind::FOUR_THREE => 900,
        kind::TWO_THREES => 350,
        kind::OPEN_FOUR => 1200,
        _ => 0,
    };
    sum + together
}

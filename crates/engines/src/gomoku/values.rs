//! What the four shapes of a point are worth together.
//!
//! A point's *code* is its four shapes, four bits each; its *class* is the same whatever their order. Everything that a search
//! asks of a class is a table, small enough to stay near the processor: its kind (what it forces), what it adds to the value of
//! a position, and how early it is tried.

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

/// What follows from a class.
#[derive(Clone, Copy, Default)]
pub(super) struct Fact {
    /// What an empty point of this class adds to the value of its colour: when that colour is to move, and when it is not.
    pub(super) worth: [i16; 2],
    /// How early the search tries a stone of this colour here, and one of the other.
    pub(super) order: [i16; 2],
    /// How promising a stone looks for its own colour, to the solvers.
    pub(super) promise: i16,
    /// What a stone forces.
    pub(super) kind: u8,
}

/// Room for every class, a power of two.
const ROOM: usize = 1 << 12;

/// The facts of every class.
pub(super) struct Facts([Fact; ROOM]);

impl Facts {
    /// The facts of a class.
    #[inline]
    pub(super) const fn of(&self, class: u16) -> &Fact {
        &self.0[class as usize & (ROOM - 1)]
    }
}

/// The tables: of classes, and of their facts where no foul is possible and of renju's Black.
pub(super) struct Values {
    pub(super) classes: Box<[u16; 1 << 16]>,
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
        let mut classes = Box::new([0; 1 << 16]);
        let mut facts = [(); 2].map(|()| Box::new(Facts([Fact::default(); ROOM])));
        for (code, class) in (0..=u16::MAX).zip(classes.iter_mut()) {
            let shapes = shapes(code);
            // Some numbers of four bits are no shape.
            if shapes.iter().any(|&shape| shape > OVERLINE) {
                continue;
            }
            let number = number(shapes.map(usize::from));
            *class = number as u16;
            for (fouls, facts) in [false, true].into_iter().zip(&mut facts) {
                let worth = [true, false].map(|to_move| LEARNED[term(code, to_move)] as i16);
                let order = [true, false].map(|own| LEARNED[order_term(code, own)] as i16);
                let (promise, kind) = (find_promise(shapes), find_kind(fouls, shapes));
                facts.0[number] = Fact { worth, order, promise, kind };
            }
        }
        Self { classes, facts }
    }
}

/// The number of four shapes, whatever their order: so many others come before them.
fn number(mut shapes: [usize; 4]) -> usize {
    shapes.sort_unstable_by(|a, b| b.cmp(a));
    let [a, b, c, d] = shapes;
    a * (a + 1) * (a + 2) * (a + 3) / 24 + b * (b + 1) * (b + 2) / 6 + c * (c + 1) / 2 + d
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
/// Four of them, whatever their order.
const CLASSES: usize = SHAPES * (SHAPES + 1) * (SHAPES + 2) * (SHAPES + 3) / 24;
/// What either side threatens, each kind there or not.
const THREATS: usize = 1 << (2 * THREAT_KINDS.len());
/// What counts as a threat: points that force, and how many there must be.
pub(super) const THREAT_KINDS: [(u8, u16); 5] =
    [(kind::FOUR_THREE, 1), (kind::FOUR, 1), (kind::TWO_THREES, 1), (kind::THREE, 1), (kind::THREE, 3)];
/// Values of the shapes of a point together, of the side to move and of the other, then of what both threaten.
pub(super) const WEIGHTS: usize = 2 * CLASSES + THREATS;

/// How early points are tried by the shapes of who plays there, and of the other.
pub(super) const ORDERS: usize = 2 * CLASSES;

/// Trained by `cargo run --profile quick -p engines --example train_gomoku`; the recipe is in docs/strength/gomoku.md.
pub(super) static LEARNED: [i32; WEIGHTS + ORDERS] = integers(include_bytes!("weights.txt"));

/// The number of a code's shapes among those that are worth something.
fn learned(code: u16) -> usize {
    // Two fours in one line and overlines are fouls, worth nothing.
    number(shapes(code).map(|shape| if usize::from(shape) < SHAPES { usize::from(shape) } else { 0 }))
}

/// The weight of a code.
pub(super) fn term(code: u16, to_move: bool) -> usize {
    learned(code) + if to_move { 0 } else { CLASSES }
}

/// The weight that tells how early a point is tried, of who plays there or of the other.
pub(super) fn order_term(code: u16, own: bool) -> usize {
    WEIGHTS + learned(code) + if own { 0 } else { CLASSES }
}

/// The weight of what is threatened.
#[inline]
pub(super) const fn threat_term(threats: usize) -> usize {
    2 * CLASSES + threats
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

//! What a position is worth: stones, and how easily they turn.
//!
//! Two stones with a gap between them are lost to an enemy who steps into it (挑); a stone with an enemy on one side and a free
//! square on the other is lost to an enemy who steps there (夹).

use games::Game as _;
use games::tiaojia::Tiaojia;

use crate::kit::weights::integers;

/// Figures of a position.
pub(super) const FIGURES: usize = 18;
/// Weights are given for so many plies left; between them they are mixed, beyond them the last hold.
const PLIES_LEFT: [u32; 3] = [0, 16, 60];
/// How many weights there are.
pub const WEIGHT_COUNT: usize = FIGURES * PLIES_LEFT.len();

/// In thousandths of a logit, a line for each phase; `examples/lab.rs` trains them.
pub static WEIGHTS: [i32; WEIGHT_COUNT] = integers(include_bytes!("weights.txt"));

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The squares to the right, left, below and above.
const fn right(set: u64) -> u64 {
    (set & !LAST_COLUMN) << 1
}
const fn left(set: u64) -> u64 {
    (set & !FIRST_COLUMN) >> 1
}
const fn down(set: u64) -> u64 {
    set << 8
}
const fn up(set: u64) -> u64 {
    set >> 8
}

/// By distance from the edges, the nearer first: the ten kinds of square.
static KINDS: [u64; 10] = {
    let mut kinds = [0; 10];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let (x, y) = (if x < 4 { x } else { 7 - x }, if y < 4 { y } else { 7 - y });
        let (near, far) = if x < y { (x, y) } else { (y, x) };
        // 0: (0,0) … (0,3), (1,1) … (3,3).
        kinds[near * (9 - near) / 2 + far - near] |= 1 << square;
        square += 1;
    }
    kinds
};

/// What one side shows: stones, gaps, gaps the enemy can enter, exposed stones, those the enemy can take, pairs, reach.
#[inline]
fn shown(own: u64, enemy: u64) -> [i32; 7] {
    let empty = !(own | enemy);
    let row = enemy | left(enemy) | right(enemy);
    let near_enemy = row | up(row) | down(row);
    let across = empty & left(own) & right(own);
    let along = empty & up(own) & down(own);
    let exits = [
        right(own & right(enemy)) & empty,
        left(own & left(enemy)) & empty,
        down(own & down(enemy)) & empty,
        up(own & up(enemy)) & empty,
    ];
    let count = |set: u64| set.count_ones() as i32;
    let row = own | left(own) | right(own);
    [
        count(own),
        count(across) + count(along),
        count(across & near_enemy) + count(along & near_enemy),
        exits.into_iter().map(count).sum(),
        exits.into_iter().map(|exits| count(exits & near_enemy)).sum(),
        count(own & left(own)) + count(own & up(own)),
        count((row | up(row) | down(row)) & empty),
    ]
}

/// The figures of a position for the side to move.
#[inline]
pub(super) fn figures(game: &Tiaojia) -> [i32; FIGURES] {
    let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
    let (ours, theirs) = (shown(own, enemy), shown(enemy, own));
    let mut figures = [0; FIGURES];
    figures[0] = 1;
    for at in 0..ours.len() {
        figures[1 + at] = ours[at] - theirs[at];
    }
    // The last kind is what the others are compared with: all together only count stones.
    for (figure, kind) in figures[8..17].iter_mut().zip(KINDS) {
        *figure = (own & kind).count_ones() as i32 - (enemy & kind).count_ones() as i32;
    }
    let more = figures[1];
    figures[17] = more * more.abs();
    figures
}

/// With so many plies left, the lower of the two phases that are mixed, and the share of the upper one in 256ths.
pub(super) fn phase(left: u32) -> (usize, i32) {
    let left = left.min(PLIES_LEFT[2]);
    let low = usize::from(left >= PLIES_LEFT[1]);
    let share = (left - PLIES_LEFT[low]) * 256 / (PLIES_LEFT[low + 1] - PLIES_LEFT[low]);
    (low, share as i32)
}

/// The weights for every number of plies left, mixed once instead of in every position.
#[derive(Clone)]
pub(super) struct Mixed([[i32; FIGURES]; PLIES_LEFT[2] as usize + 1]);

impl Mixed {
    pub(super) fn new(weights: &[i32; WEIGHT_COUNT]) -> Self {
        Self(std::array::from_fn(|left| {
            let (low, share) = phase(left as u32);
            std::array::from_fn(|at| {
                let weight = |phase: usize| weights[phase * FIGURES + at];
                weight(low) + (weight(low + 1) - weight(low)) * share / 256
            })
        }))
    }

    /// The value to the side to move, in hundredths of a logit.
    #[inline]
    pub(super) fn value(&self, game: &Tiaojia) -> i32 {
        let weights = &self.0[game.plies_left().min(PLIES_LEFT[2]) as usize];
        weights.iter().zip(figures(game)).map(|(weight, figure)| weight * figure).sum::<i32>() / 10
    }
}

#[cfg(test)]
mod tests {
    use games::tiaojia::TiaojiaVariant;

    use super::*;

    fn figures(text: &str) -> [i32; FIGURES] {
        super::figures(&Tiaojia::read_position(&TiaojiaVariant::default(), text).unwrap())
    }

    #[test]
    fn what_can_turn_is_seen() {
        // Black's two stones with a gap that the white stone can step into.
        let [_, stones, gaps, entered, exposed, taken, pairs, ..] = figures("8/8/2b1b3/3w4/8/8/8/8 b");
        assert_eq!((stones, gaps, entered, exposed, taken, pairs), (1, 1, 1, 0, 0, 0));
        // A white stone beside a black one; another can step to the other side of it.
        let [_, stones, gaps, entered, exposed, taken, pairs, ..] = figures("8/8/2wb4/5w2/8/8/8/8 b");
        assert_eq!((stones, gaps, entered, pairs), (-1, 0, 0, 0));
        // Both beside each other, each with a free square behind; only White can use it.
        assert_eq!((exposed, taken), (0, 1));
    }

    #[test]
    fn every_square_is_of_one_kind() {
        assert_eq!(KINDS.iter().fold(0, |sum, kind| sum ^ kind), u64::MAX);
        assert_eq!(KINDS.map(u64::count_ones), [4, 8, 8, 8, 4, 8, 8, 4, 8, 4]);
    }
}

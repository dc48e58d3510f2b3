//! What a position is worth: stones, and how easily they turn.
//!
//! Two stones with a gap between them are lost to an enemy who steps into it (挑); a stone with an enemy on one side and a free
//! square on the other is lost to an enemy who steps there (夹).
//!
//! Tension, what both sides show together, is worth something to two: to the side that plays the last ply of the game, whose
//! last capture nobody answers, and to the side that thinks, which believes itself to be the stronger one: where stones do not
//! touch, both stand still until the stones are counted.

use games::tiaojia::Tiaojia;
use games::{Game as _, Side};

use crate::kit::weights::integers;

/// How many figures are compared between the sides.
pub const COMPARED: usize = 21;
/// How many figures are what both sides show together: how much there is to fight about.
pub const TENSIONS: usize = 22;
/// Weights of a phase: of what is compared, of tension for the side that plays the last ply of the game, and of tension for the
/// side that thinks.
pub const WIDTH: usize = COMPARED + 2 * TENSIONS;
/// For how many moments of a game weights are given.
pub const PHASES: usize = 5;
/// The plies left then; between them weights are mixed, beyond them the last hold.
const PLIES_LEFT: [u32; PHASES] = [0, 8, 24, 64, 120];
const MOST_LEFT: usize = PLIES_LEFT[PHASES - 1] as usize;
/// How many weights there are.
pub const WEIGHT_COUNT: usize = WIDTH * PHASES;

/// In thousandths of a logit, a line for each phase; `examples/lab.rs` and `examples/sparring.rs` train them.
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

/// The squares of a set and all around it.
pub(super) const fn around(set: u64) -> u64 {
    let row = set | left(set) | right(set);
    row | up(row) | down(row)
}

const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// How many figures one side shows.
const SHOWN: usize = 10;

/// The stones of a side that may leave, and the squares where one may come to, without giving something away at once.
#[inline]
pub(super) const fn unheld_and_safe(own: u64, enemy: u64, enemy_around: u64) -> (u64, u64) {
    let empty = !(own | enemy);
    let entered = empty & enemy_around;
    // Who leaves opens a gap between two, or uncovers the one beside him.
    let beside = right(own & right(enemy)) | left(own & left(enemy)) | down(own & down(enemy)) | up(own & up(enemy));
    let held = left(own) & right(own) | up(own) & down(own) | beside;
    // Who comes here can be flanked, or leaves a gap.
    let flanked = right(enemy) & left(entered)
        | left(enemy) & right(entered)
        | down(enemy) & up(entered)
        | up(enemy) & down(entered);
    let parted =
        right(entered & right(own)) | left(entered & left(own)) | down(entered & down(own)) | up(entered & up(own));
    (own & !(held & enemy_around), empty & !(flanked | parted))
}

/// The steps of a side that cost nothing at once: who has none left must give something away.
#[inline]
fn quiet_steps(own: u64, enemy: u64, enemy_around: u64) -> i32 {
    let (movable, safe) = unheld_and_safe(own, enemy, enemy_around);
    let (row_left, row_right) = (left(movable), right(movable));
    let to = |set: u64| count(set & safe);
    to(row_left)
        + to(row_right)
        + to(up(movable))
        + to(down(movable))
        + to(up(row_left))
        + to(down(row_left))
        + to(up(row_right))
        + to(down(row_right))
}

/// What one side shows: stones, gaps, gaps the enemy can enter, exposed stones, those the enemy can take, pairs, reach, the part of
/// it the enemy cannot step to, and quiet steps as far as they are few.
#[inline]
fn shown(own: u64, enemy: u64, own_around: u64, enemy_around: u64) -> [i32; SHOWN] {
    let empty = !(own | enemy);
    let quiet = quiet_steps(own, enemy, enemy_around);
    let across = empty & left(own) & right(own);
    let along = empty & up(own) & down(own);
    let exits = [
        right(own & right(enemy)) & empty,
        left(own & left(enemy)) & empty,
        down(own & down(enemy)) & empty,
        up(own & up(enemy)) & empty,
    ];
    [
        count(own),
        count(across) + count(along),
        count(across & enemy_around) + count(along & enemy_around),
        exits.into_iter().map(count).sum(),
        exits.into_iter().map(|exits| count(exits & enemy_around)).sum(),
        count(own & left(own)) + count(own & up(own)),
        count(own_around & empty),
        count(own_around & empty & !enemy_around),
        quiet.min(4),
        quiet.min(16),
    ]
}

/// What a position shows to the side to move.
pub(super) struct Figures {
    compared: [i32; COMPARED],
    tension: [i32; TENSIONS],
}

/// The figures of a position.
#[inline]
pub(super) fn figures(game: &Tiaojia) -> Figures {
    let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
    let (own_around, enemy_around) = (around(own), around(enemy));
    let ours = shown(own, enemy, own_around, enemy_around);
    let theirs = shown(enemy, own, enemy_around, own_around);
    let mut compared = [0; COMPARED];
    compared[0] = 1;
    for at in 0..7 {
        compared[1 + at] = ours[at] - theirs[at];
    }
    // What a side shows last came last into the weights too.
    for at in 7..SHOWN {
        compared[11 + at] = ours[at] - theirs[at];
    }
    let mut tension = [0; TENSIONS];
    // The last kind is what the others are compared with: all together only count stones.
    for at in 0..9 {
        let (ours, theirs) = (count(own & KINDS[at]), count(enemy & KINDS[at]));
        compared[8 + at] = ours - theirs;
        tension[10 + at] = ours + theirs;
    }
    let more = compared[1];
    compared[17] = more * more.abs();
    let touching =
        count(own & left(enemy)) + count(own & right(enemy)) + count(own & up(enemy)) + count(own & down(enemy));
    tension[..10].copy_from_slice(&[
        i32::from(more == 0),
        ours[1] + theirs[1],
        ours[2] + theirs[2],
        ours[3] + theirs[3],
        ours[4] + theirs[4],
        touching,
        count(own_around & enemy_around & !(own | enemy)),
        count(enemy_around & own) + count(own_around & enemy),
        ours[6] + theirs[6],
        ours[5] + theirs[5],
    ]);
    for at in 7..SHOWN {
        tension[12 + at] = ours[at] + theirs[at];
    }
    Figures { compared, tension }
}

/// With so many plies left, the lower of the two phases that are mixed, and the share of the upper one in 256ths.
fn phase(left: u32) -> (usize, i32) {
    let left = left.min(MOST_LEFT as u32);
    let low = PLIES_LEFT[1..PHASES - 1].iter().filter(|&&from| left >= from).count();
    let share = (left - PLIES_LEFT[low]) * 256 / (PLIES_LEFT[low + 1] - PLIES_LEFT[low]);
    (low, share as i32)
}

/// 1 when the side to move plays the last ply of the game too, -1 when the other does.
const fn last_word(left: u32) -> i32 {
    if left.is_multiple_of(2) { -1 } else { 1 }
}

/// Which weights count in a position, and how much, when this side is the one that thinks.
pub(super) fn terms(game: &Tiaojia, thinker: Option<Side>) -> Vec<(usize, f32)> {
    let (Figures { compared, tension }, left) = (figures(game), game.plies_left());
    let (low, share) = phase(left);
    let thinks = thinker.map_or(0, |thinker| if thinker == game.to_move() { 1 } else { -1 });
    let figures = compared
        .into_iter()
        .chain(tension.map(|figure| figure * last_word(left)))
        .chain(tension.map(|figure| figure * thinks));
    let mut terms = Vec::new();
    for (at, figure) in figures.enumerate() {
        for (phase, share) in [(low, 256 - share), (low + 1, share)] {
            terms.push((phase * WIDTH + at, (figure * share) as f32 / 256.0));
        }
    }
    terms
}

/// The weights for every number of plies left, mixed once instead of in every position.
#[derive(Clone)]
pub(super) struct Mixed(Vec<Moment>);

/// The weights at one number of plies left.
#[derive(Clone)]
struct Moment {
    compared: [i32; COMPARED],
    /// To the side to move when it is not the one that thinks, and when it is.
    tension: [[i32; TENSIONS]; 2],
}

impl Mixed {
    pub(super) fn new(weights: &[i32; WEIGHT_COUNT]) -> Self {
        let moment = |left: usize| {
            let (low, share) = phase(left as u32);
            let mixed = |at: usize| {
                let weight = |phase: usize| weights[phase * WIDTH + at];
                weight(low) + (weight(low + 1) - weight(low)) * share / 256
            };
            let tension = |sign: i32| {
                std::array::from_fn(|at| {
                    last_word(left as u32) * mixed(COMPARED + at) + sign * mixed(COMPARED + TENSIONS + at)
                })
            };
            Moment { compared: std::array::from_fn(mixed), tension: [tension(-1), tension(1)] }
        };
        // One more, so that both parities are there beyond the last phase.
        Self((0..=MOST_LEFT + 1).map(moment).collect())
    }

    /// What a draw is worth to the side that thinks.
    pub(super) fn draw(&self) -> i32 {
        self.0[0].tension[1][0] / 10
    }

    /// How much of the value to the side that thinks, at its own turn, is no chance to win but its liking for tension.
    pub(super) fn liking(&self, game: &Tiaojia) -> i32 {
        let [disliked, liked] = &self.moment(game).tension;
        let parts = liked.iter().zip(disliked).zip(figures(game).tension);
        parts.map(|((liked, disliked), figure)| (liked - disliked) / 2 * figure).sum::<i32>() / 10
    }

    /// The weights that hold now.
    #[inline]
    fn moment(&self, game: &Tiaojia) -> &Moment {
        let left = game.plies_left() as usize;
        &self.0[if left > MOST_LEFT { MOST_LEFT + left % 2 } else { left }]
    }

    /// The value to the side to move, in hundredths of a logit.
    #[inline]
    pub(super) fn value(&self, game: &Tiaojia, thinks: bool) -> i32 {
        let Moment { compared, tension } = self.moment(game);
        let figures = figures(game);
        let compared = compared.iter().zip(figures.compared).map(|(weight, figure)| weight * figure);
        let tension = tension[usize::from(thinks)].iter().zip(figures.tension).map(|(weight, figure)| weight * figure);
        (compared.sum::<i32>() + tension.sum::<i32>()) / 10
    }
}

#[cfg(test)]
mod tests {
    use games::tiaojia::TiaojiaVariant;

    use super::*;

    fn figures(text: &str) -> [i32; COMPARED] {
        super::figures(&Tiaojia::read_position(&TiaojiaVariant::default(), text).unwrap()).compared
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
    fn steps_that_cost_nothing_are_counted() {
        let quiet = |text: &str| {
            let game = Tiaojia::read_position(&TiaojiaVariant::default(), text).unwrap();
            let (own, enemy) = (game.stones(Side::Black), game.stones(Side::White));
            quiet_steps(own, enemy, around(enemy))
        };
        // A stone in a corner has three steps, and all are quiet where no enemy is near.
        assert_eq!(quiet("b7/8/8/8/8/8/8/7w b"), 3);
        // Beside a white stone it can be flanked as soon as another is near the square behind.
        assert_eq!(quiet("8/8/3b4/2w5/8/8/8/8 b"), 7);
        assert_eq!(quiet("8/8/3b4/2w5/5w2/8/8/8 b"), 6);
        // Who stands in the middle of three must stay when an enemy could take his place.
        let (held, free) = (quiet("8/8/1bbb4/2w5/8/8/8/8 b"), quiet("8/8/1bbb4/8/8/8/8/2w5 b"));
        assert!(held < free, "{held} {free}");
    }

    #[test]
    fn tension_counts_for_the_thinker_and_for_the_last_word() {
        let mut weights = [0; WEIGHT_COUNT];
        for row in weights.chunks_mut(WIDTH) {
            // Touching stones: 30 to the side of the last ply, 100 to the one that thinks.
            (row[COMPARED + 5], row[COMPARED + TENSIONS + 5]) = (300, 1000);
        }
        let mixed = Mixed::new(&weights);
        let value = |text: &str, thinks| {
            mixed.value(&Tiaojia::read_position(&TiaojiaVariant::default(), text).unwrap(), thinks)
        };
        for plies in [0, 30, 70, 100, 118] {
            let (black, white) =
                (format!("8/8/8/3bw3/8/8/8/8 b {plies}"), format!("8/8/8/3bw3/8/8/8/8 w {}", plies + 1));
            assert_eq!((value(&black, true), value(&black, false)), (70, -130));
            assert_eq!((value(&white, true), value(&white, false)), (130, -70));
            // The thinker's part alone is no chance.
            let game = Tiaojia::read_position(&TiaojiaVariant::default(), &white).unwrap();
            assert_eq!(mixed.liking(&game), 100);
        }
    }

    #[test]
    fn every_square_is_of_one_kind() {
        assert_eq!(KINDS.iter().fold(0, |sum, kind| sum ^ kind), u64::MAX);
        assert_eq!(KINDS.map(u64::count_ones), [4, 8, 8, 8, 4, 8, 8, 4, 8, 4]);
    }
}

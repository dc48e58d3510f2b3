//! What a position is worth: who comes first to which square, counted in queen's and in king's moves (Lieberum's
//! territories), how freely the amazons stand, and all of it weighed by how much of the board is still disputed.

use super::board::{Board, Runs, spread};
use crate::kit::weights::integers;

/// Figures taken of a position, each the side to move's less the other's but for the first three.
pub const FEATURES: usize = 20;
/// The disputed parts of the board at which weights are given; between them they are mixed.
const PHASES: usize = 6;
/// From so much on the board counts as wholly disputed; the first position is a little beyond.
const WIDEST: f32 = 70.0;

/// Queen's distances from one to this are told apart.
const QUEEN_LEVELS: usize = 4;
/// King's distances from one to this are told apart.
const KING_LEVELS: usize = 10;

/// What each figure is worth in each phase, from all decided to all open, in logits.
pub type Weights = [[f32; FEATURES]; PHASES];

/// The weights in use; `examples/lab.rs` trains them and writes them down in thousandths.
pub static WEIGHTS: Weights = {
    let flat = integers::<{ FEATURES * PHASES }>(include_bytes!("weights.txt"));
    let mut table = [[0.0; FEATURES]; PHASES];
    let mut at = 0;
    while at < flat.len() {
        table[at / FEATURES][at % FEATURES] = flat[at] as f32 / 1000.0;
        at += 1;
    }
    table
};

/// What was seen of a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum View {
    /// The amazons of the two sides cannot meet any more: the squares each side has to itself.
    Apart {
        /// Of the side to move.
        own: u32,
        /// Of the other side.
        other: u32,
    },
    /// Some squares are open to both.
    Disputed {
        /// How much of the board is, as a phase from 0 to `PHASES - 1`.
        phase: f32,
        /// The figures.
        figures: [f32; FEATURES],
    },
}

/// The squares within one, two, … moves.
struct Distances {
    queen: [u128; QUEEN_LEVELS + 1],
    king: [u128; KING_LEVELS],
    /// How many of the king's levels differ from the one before.
    steps: usize,
    /// All that can ever be reached.
    all: u128,
}

#[inline]
fn distances(amazons: u128, board: &Board, runs: &Runs) -> Distances {
    let mut king = [0; KING_LEVELS];
    let (mut all, mut steps) = (spread(amazons) & board.empty, 1);
    king[0] = all;
    loop {
        let grown = spread(all) & board.empty;
        if grown == all {
            break;
        }
        all = grown;
        if steps < KING_LEVELS {
            king[steps] = all;
            steps += 1;
        }
    }
    king[steps..].fill(all);
    let mut queen = [all; QUEEN_LEVELS + 1];
    let mut from = amazons;
    for level in queen.iter_mut().take(QUEEN_LEVELS) {
        let reached = runs.reached(from) | from & board.empty;
        *level = reached;
        if reached == all {
            break;
        }
        from = reached;
    }
    Distances { queen, king, steps, all }
}

/// The squares that `own` reaches at least `lead` moves before `other`.
#[inline]
fn earlier(own: &[u128], other: &[u128], lead: usize) -> u128 {
    let mut set = 0;
    for level in 0..own.len() {
        // Whatever is not reached at the last level counts as one move further.
        let theirs = if level + lead - 1 < other.len() { other[level + lead - 1] } else { other[other.len() - 1] };
        set |= own[level] & !theirs;
    }
    set
}

/// Empty squares within two king's steps, as steps of a ladder: how many of the amazons stand as tightly as this.
const TIGHT: [u32; 6] = [0, 1, 2, 4, 7, 11];

#[inline]
fn tightness(amazons: u128, empty: u128) -> [f32; TIGHT.len()] {
    let mut counts = [0.0; TIGHT.len()];
    for at in super::board::bits(amazons) {
        let near = spread(1 << at) & empty;
        let room = (spread(near) & empty).count_ones();
        for (count, most) in counts.iter_mut().zip(TIGHT) {
            *count += f32::from(u8::from(room <= most));
        }
    }
    counts
}

/// Looks at a position of whole plies, or at one whose arrow is still to come as if it were not.
#[inline]
#[must_use]
pub(super) fn view(board: &Board) -> View {
    let runs = Runs::new(board.empty);
    let [own, other] = board.amazons.map(|amazons| distances(amazons, board, &runs));
    let both = own.all & other.all;
    let count = |set: u128| set.count_ones() as f32;
    if both == 0 {
        return View::Apart { own: own.all.count_ones(), other: other.all.count_ones() };
    }
    let lead = |own: &[u128], other: &[u128], lead: usize| (earlier(own, other, lead), earlier(other, own, lead));
    let steps = own.steps.max(other.steps);
    let queen = |by| lead(&own.queen, &other.queen, by);
    let king = |by| lead(&own.king[..steps], &other.king[..steps], by);
    let difference = |(own, other): (u128, u128)| count(own) - count(other);
    let (queens, kings) = ([queen(1), queen(2), queen(3)], [king(1), king(2), king(3), king(5)]);
    // Lieberum's w: squares both sides reach, each less the more clearly it is one side's.
    let disputed = |(a, b): (u128, u128)| count((a | b) & both);
    let w = count(both) - 0.5 * disputed(queens[0]) - 0.25 * disputed(queens[1]) - 0.125 * disputed(queens[2]);
    let ties = |(a, b): (u128, u128)| count(both & !(a | b));
    let level = |at: usize| count(own.queen[at]) - count(other.queen[at]);
    let tight = {
        let [own, other] = board.amazons.map(|amazons| tightness(amazons, board.empty));
        std::array::from_fn::<f32, { TIGHT.len() }, _>(|at| own[at] - other[at])
    };
    let figures = [
        1.0,
        ties(queens[0]),
        ties(kings[0]),
        difference(queens[0]),
        difference(queens[1]),
        difference(queens[2]),
        difference(kings[0]),
        difference(kings[1]),
        difference(kings[2]),
        difference(kings[3]),
        level(0),
        level(1),
        level(2),
        count(own.all & !both) - count(other.all & !both),
        tight[0],
        tight[1],
        tight[2],
        tight[3],
        tight[4],
        tight[5],
    ];
    let phase = (w / WIDEST).clamp(0.0, 1.0) * (PHASES - 1) as f32;
    View::Disputed { phase, figures }
}

/// The logit of the side to move's chance to win.
#[inline]
#[must_use]
pub(super) fn logit(board: &Board, weights: &Weights) -> f32 {
    match view(board) {
        // With the move and no more squares than the other, the side to move runs out first.
        View::Apart { own, other } => ((own as f32 - other as f32) * 1.5 - 0.75).clamp(-8.0, 8.0),
        View::Disputed { phase, figures } => weigh(weights, phase, &figures),
    }
}

/// The weighed sum of the figures.
#[inline]
#[must_use]
fn weigh(weights: &Weights, phase: f32, figures: &[f32; FEATURES]) -> f32 {
    let (low, part) = between(phase);
    let mut sums = [0.0; 2];
    for (sum, weights) in sums.iter_mut().zip(&weights[low..low + 2]) {
        *sum = weights.iter().zip(figures).map(|(weight, figure)| weight * figure).sum();
    }
    sums[0] + (sums[1] - sums[0]) * part
}

/// The lower of the two phases that are mixed, and the share of the upper one.
#[inline]
#[must_use]
pub(super) fn between(phase: f32) -> (usize, f32) {
    let low = (phase as usize).min(PHASES - 2);
    (low, phase - low as f32)
}

//! Amazons: best-first tree search on territories, and exact filling once the sides cannot meet any more.

mod board;
mod evaluation;
mod filling;

use games::amazons::{Amazons, Ply};
use games::{Game as _, Side};

use self::board::{Board, bits, rays, square_of};
use self::evaluation::View;
pub use self::evaluation::{FEATURES, WEIGHTS, Weights};
use crate::Settings;
use crate::kit::alpha_beta::WIN;
use crate::kit::tree::{Ground, Habits, Shoot, Tree};
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(50, 400),
    Strength::of(50, 200),
    Strength::of(150, 80),
    Strength::of(350, 50),
    Strength::of(900, 27),
    Strength::of(2_000, 12),
];

/// How the search shares itself out; docs/strength/amazons.md tells what was tried.
pub const HABITS: Habits = Habits { explore: 0.8, sharpness: 6.0, greed: 0.3 };

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Amazons, AmazonsMind> {
    SeatPlayer::new(name, AmazonsMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct AmazonsMind {
    tree: Tree<Field>,
    fills: bool,
}

impl AmazonsMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let greed = if settings.uses("best-line") { HABITS.greed } else { 0.0 };
        Self::with(settings, Habits { greed, ..HABITS }, &WEIGHTS)
    }

    /// A mind with other habits or weights than the usual ones, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, habits: Habits, weights: &'static Weights) -> Self {
        Self { tree: Tree::new(Field { weights }, habits, settings.memory / 2), fills: settings.uses("filling") }
    }

    /// What the evaluation weighs in a position: indices into the weights, and how much of each.
    #[must_use]
    pub fn terms(game: &Amazons) -> Vec<(usize, f32)> {
        let View::Disputed { phase, figures } = evaluation::view(&Board::new(game)) else { return Vec::new() };
        let (low, part) = evaluation::between(phase);
        let row = |phase: usize, share: f32| {
            figures.into_iter().enumerate().map(move |(at, figure)| (phase * FEATURES + at, figure * share))
        };
        row(low, 1.0 - part).chain(row(low + 1, part)).collect()
    }
}

impl Mind<Amazons> for AmazonsMind {
    fn choose(&mut self, game: &Amazons, budget: &Budget) -> Option<Thought<Ply>> {
        let board = Board::new(game);
        if self.fills && filling::apart(&board) {
            return fill(game, &board, budget);
        }
        let found = self.tree.search(&board, budget)?;
        let line: Vec<Ply> = found
            .line
            .chunks_exact(2)
            .map(|pair| {
                let [from, to] = pair[0].squares;
                let [_, arrow] = pair[1].squares;
                ply([from, to, arrow])
            })
            .collect();
        let depth = line.len() as u32;
        let score = match found.proved {
            0 => (logit_of(found.value) * 100.0) as i32,
            proved => i32::from(proved) * (WIN - depth as i32),
        };
        // Even where there was no time for a whole ply, the line has one: the first visit goes on to the arrow.
        Some(Thought { ply: *line.first()?, score, depth, nodes: found.nodes, line })
    }

    fn plies_left(&self, game: &Amazons) -> u32 {
        // Most games are decided when some sixty arrows have been shot.
        60_u32.saturating_sub(game.arrows().count_ones()).div_ceil(2) + 3
    }
}

fn ply(bits: [u8; 3]) -> Ply {
    let [from, to, arrow] = bits.map(square_of);
    Ply { from, to, arrow }
}

/// Nothing is left but to count: the side that runs out first has lost.
fn fill(game: &Amazons, board: &Board, budget: &Budget) -> Option<Thought<Ply>> {
    let over = || budget.is_over(0);
    let own = filling::best(board, &over)?;
    let first = ply(own.first);
    let reach = |side: Side| {
        let at = usize::from(side != game.to_move());
        board::flood(board.amazons[at], board.empty).count_ones() as i32
    };
    let lead = reach(game.to_move()) - reach(game.to_move().other());
    // Squares are only nearly plies: the score says who is ahead, it claims no proof.
    let score = lead * 150 - 75;
    Some(Thought { ply: first, score, depth: own.plies, nodes: u64::from(own.plies), line: vec![first] })
}

/// A chance to win as a value between -1 and 1.
fn value_of(logit: f32) -> f32 {
    (logit * 0.5).tanh()
}

fn logit_of(value: f32) -> f32 {
    2.0 * value.clamp(-0.9999, 0.9999).atanh()
}

/// An amazon's move, from and to; or an arrow, in the second place.
#[derive(Debug, Clone, Copy, Default)]
struct Half {
    squares: [u8; 2],
}

/// The board as the tree sees it.
struct Field {
    weights: &'static Weights,
}

impl Ground for Field {
    type State = Board;
    type Step = Half;

    fn grow(&mut self, board: &Board, shoots: &mut Vec<Shoot<Half>>) {
        let weights = self.weights;
        let mut add = |squares: [u8; 2], after: &Board| {
            let value = -value_of(evaluation::logit(after, weights));
            // Whoever cannot go after a whole ply has lost.
            let certain = after.shooter.is_none() && board::spread(after.amazons[0]) & after.empty == 0;
            shoots.push(Shoot { step: Half { squares }, value: if certain { 1.0 } else { value }, certain });
        };
        if let Some(shooter) = board.shooter {
            for arrow in bits(rays(shooter, board.empty)) {
                add([shooter, arrow], &board.shot(arrow));
            }
        } else {
            for from in bits(board.amazons[0]) {
                for to in bits(rays(from, board.empty)) {
                    let moved = board.moved(from, to);
                    // As the other side will find it, but for the arrow.
                    let [own, other] = moved.amazons;
                    add([from, to], &Board { amazons: [other, own], ..moved });
                }
            }
        }
    }

    fn go(&self, board: &mut Board, step: Half) {
        let [from, to] = step.squares;
        *board = if board.shooter.is_some() { board.shot(to) } else { board.moved(from, to) };
    }

    fn turns(&self, board: &Board) -> bool {
        board.shooter.is_some()
    }
}

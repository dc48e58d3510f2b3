//! Connect6: alpha-beta over pairs, and a solver of wins by double threats.

mod baseline;
mod board;
mod search;
mod threats;

use games::Game as _;
use games::connect6::{Connect6, Stones};

use crate::Settings;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};
use board::Board;
use search::{Pair, Search};

pub use baseline::LinesMind;

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(3, 180),
    Strength::of(10, 120),
    Strength::of(50, 50),
    Strength::of(300, 20),
    Strength::of(2_000, 0),
    Strength::of(16_000, 0),
];

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Connect6, Connect6Mind> {
    SeatPlayer::new(name, Connect6Mind::new(settings), strength, settings)
}

/// The baseline that counts lines.
#[must_use]
pub fn lines(name: String, settings: &Settings) -> SeatPlayer<Connect6, LinesMind> {
    SeatPlayer::new(name, LinesMind::new(settings.seed), Strength::FULL, settings)
}

/// What the player thinks with.
pub struct Connect6Mind {
    search: Search,
}

impl Connect6Mind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { search: Search::new(settings) }
    }

    /// The first stones of a win by threats that take both of the enemy's stones every time, if one is found by looking at
    /// so many positions.
    pub fn win_by_threats(&mut self, game: &Connect6, effort: u32) -> Option<Stones> {
        let mut board = Board::new(game);
        if game.verdict().is_some() || game.stones_due() == 1 {
            return None;
        }
        self.search.win(&mut board, effort).map(ply)
    }
}

/// The stones of a pair as a ply.
const fn ply((first, second): Pair) -> Stones {
    if first == second { Stones::one(first) } else { Stones::two(first, second) }
}

impl Mind<Connect6> for Connect6Mind {
    fn forget(&mut self) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Connect6, budget: &Budget) -> Option<Thought<Stones>> {
        if game.verdict().is_some() {
            return None;
        }
        let mut board = Board::new(game);
        let middle = (board.size / 2 * 32 + board.size / 2) as u16;
        let only = match *board.empty() {
            [only] => Some(Stones::one(only)),
            _ if game.stones_due() == 1 => Some(Stones::one(middle)),
            _ if board.empty().len() == board.size * board.size => Some(Stones::two(middle, middle - 31)),
            _ => None,
        };
        if let Some(ply) = only {
            return Some(Thought { ply, score: 0, depth: 0, nodes: 1, line: vec![ply] });
        }
        let found = self.search.search(&mut board, budget);
        let line = found.line.into_iter().map(ply).collect();
        let nodes = self.search.nodes();
        Some(Thought { ply: ply(found.pair), score: found.score, depth: found.depth, nodes, line })
    }

    fn plies_left(&self, game: &Connect6) -> u32 {
        (game.empty_count() / 4).clamp(4, 25)
    }
}

//! The baseline `lines`: every possible winning line is tabulated, stones mark the lines they are on, and each stone goes where
//! the lines are worth most, to the enemy if his best point is worth more than one's own.

use games::connect6::{Connect6, Stones};
use games::random::below;
use games::{Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::board::Board;
use crate::kit::{Budget, Mind, Thought};

/// What the baseline thinks with: nothing but chance between equal points.
pub struct LinesMind {
    rng: Xoshiro256PlusPlus,
}

impl LinesMind {
    /// A mind with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The best point for a side, with what it is worth to it and to the enemy.
    fn best(&mut self, board: &Board, side: Side) -> Option<(i32, i32, u16)> {
        let mut empty = board.empty().to_vec();
        empty.sort_unstable();
        empty
            .into_iter()
            .map(|point| {
                let other = board.worth(side.other(), point);
                (board.worth(side, point), other, below(&mut self.rng, 1 << 16), point)
            })
            .max()
            .map(|(worth, other, _, point)| (worth, other, point))
    }

    /// Where the next stone goes: the enemy's best point if it is worth more to him than ours to us.
    fn stone(&mut self, board: &Board) -> Option<u16> {
        let own = self.best(board, board.to_move)?;
        let enemy = self.best(board, board.to_move.other())?;
        Some(if enemy.0 > own.0 { enemy.2 } else { own.2 })
    }
}

impl Mind<Connect6> for LinesMind {
    fn choose(&mut self, game: &Connect6, _budget: &Budget) -> Option<Thought<Stones>> {
        if game.verdict().is_some() {
            return None;
        }
        let mut board = Board::new(game);
        let first = self.stone(&board)?;
        let mut ply = Stones::one(first);
        if game.stones_due() == 2 && board.empty().len() > 1 {
            board.put(board.to_move, first);
            ply = Stones::two(first, self.stone(&board)?);
        }
        Some(Thought { ply, score: board.value(), depth: 1, nodes: 1, line: vec![ply] })
    }

    fn plies_left(&self, game: &Connect6) -> u32 {
        game.empty_count() / 4
    }
}

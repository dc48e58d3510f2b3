//! The end of a game, as proof-number search sees it: who plays the last safe stone?

use games::nogo::{NoGo, Stone};
use games::random::mix;
use games::{End, Game as _, goban};

use crate::kit::proofs::{Missing, Quest};

/// A position, with those it came from.
pub(super) struct Ending {
    before: Vec<NoGo>,
    game: NoGo,
    /// The same stones on another board are another position.
    board: u64,
}

impl Ending {
    pub(super) fn new(game: NoGo) -> Self {
        Self { before: Vec::new(), game, board: mix(&[game.space()]) }
    }
}

impl Quest for Ending {
    type Step = u8;

    fn list(&mut self, steps: &mut Vec<u8>) {
        steps.extend(goban::points(self.game.safe(self.game.to_move())));
    }

    fn go(&mut self, point: u8) {
        self.before.push(self.game.apply(Stone(point), End::Played));
    }

    fn back(&mut self) {
        if let Some(before) = self.before.pop() {
            self.game = before;
        }
    }

    fn key(&self) -> u64 {
        self.game.hash() ^ self.board
    }

    fn missing(&mut self) -> Missing {
        let safe = |side| self.game.safe(side).count_ones();
        let own = safe(self.game.to_move());
        if own == 0 {
            return Missing::LOST;
        }
        // Who has more points is nearer to a win.
        Missing { to_win: safe(self.game.to_move().other()).max(1), to_loss: own }
    }
}

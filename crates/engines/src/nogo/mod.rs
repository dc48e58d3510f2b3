//! NoGo: tree search led by a small net that learned from games against itself.

mod ending;
pub mod net;
mod search;

use std::sync::{Arc, LazyLock};

use games::nogo::{NoGo, Stone};

use self::net::Net;
use self::search::Search;
use crate::Settings;
use crate::kit::alpha_beta::WIN;
use crate::kit::proofs::Proof;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(2, 400),
    Strength::of(4, 270),
    Strength::of(6, 190),
    Strength::of(16, 125),
    Strength::of(45, 80),
    Strength::of(200, 50),
];

/// The net in use; `examples/train_nogo.rs` trains it.
static NET: LazyLock<Arc<Net>> = LazyLock::new(|| Arc::new(Net::read(include_bytes!("net.bin"))));

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<NoGo, NoGoMind> {
    SeatPlayer::new(name, NoGoMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct NoGoMind {
    search: Search,
}

impl NoGoMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self::with(settings, Self::usual_net())
    }

    /// A mind with another net than the usual one, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, net: Arc<Net>) -> Self {
        Self { search: Search::new(settings, net) }
    }

    /// The net in use.
    #[must_use]
    pub fn usual_net() -> Arc<Net> {
        Arc::clone(&NET)
    }

    /// Tries to prove who wins, by looking at everything.
    pub fn prove(&mut self, game: &NoGo, budget: &Budget) -> Proof<Stone> {
        match self.search.prove(game, budget) {
            Proof::Won(point) => Proof::Won(Stone(point)),
            Proof::Lost => Proof::Lost,
            Proof::Open => Proof::Open,
        }
    }

    /// How often the last search visited each point, for learning from it.
    #[must_use]
    pub fn visits(&self) -> Vec<(u8, f32)> {
        self.search.visits()
    }
}

impl Mind<NoGo> for NoGoMind {
    fn forget(&mut self) {
        self.search.forget();
    }

    fn choose(&mut self, game: &NoGo, budget: &Budget) -> Option<Thought<Stone>> {
        let found = self.search.search(game, budget)?;
        let line: Vec<Stone> = found.line.iter().map(|&point| Stone(point)).collect();
        let depth = line.len() as u32;
        let score = match found.proved {
            0 => ((found.chance / (1.0 - found.chance)).clamp(1e-4, 1e4).ln() * 100.0) as i32,
            proved => i32::from(proved) * (WIN - depth as i32),
        };
        Some(Thought { ply: *line.first()?, score, depth, nodes: found.looks, line })
    }

    fn plies_left(&self, game: &NoGo) -> u32 {
        // About a fifth of the board is never filled.
        (game.empty().count_ones() * 4 / 5).div_ceil(2)
    }
}

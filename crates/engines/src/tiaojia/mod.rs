//! Tiaojia: alpha-beta on bitboards.

mod evaluation;

use std::ops::ControlFlow;

use games::tiaojia::{Step, Tiaojia};
use games::{Game as _, Side};

use self::evaluation::Mixed;
pub use self::evaluation::{COMPARED, PHASES, TENSIONS, WEIGHT_COUNT, WEIGHTS, WIDTH};
use crate::Settings;
use crate::kit::alpha_beta::{AlphaBeta, LOUD, Sight, WIN_FLOOR, table_size};
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(100, 200),
    Strength::of(140, 156),
    Strength::of(240, 128),
    Strength::of(600, 90),
    Strength::of(2_500, 56),
    Strength::of(15_000, 24),
];

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Tiaojia, TiaojiaMind> {
    SeatPlayer::new(name, TiaojiaMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct TiaojiaMind {
    weights: Mixed,
    search: AlphaBeta<Tiaojia, TiaojiaSight>,
}

impl TiaojiaMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self::with(settings, &WEIGHTS)
    }

    /// A mind with other weights than the usual ones, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, weights: &[i32; WEIGHT_COUNT]) -> Self {
        let weights = Mixed::new(weights);
        let sight = TiaojiaSight { weights: weights.clone(), side: Side::Black, passes: settings.uses("passing") };
        Self { weights, search: AlphaBeta::new(sight, table_size(settings), settings.threads) }
    }

    /// What the evaluation weighs in a position: indices into the weights, and how much of each; nothing where the side to
    /// move can turn stones, as the search never judges such a position by itself. `thinker` is the side that thinks, if
    /// only one does.
    #[must_use]
    pub fn terms(game: &Tiaojia, thinker: Option<Side>) -> Vec<(usize, f32)> {
        let turns = game.visit_onto(game.turning_squares(), |ply| {
            if game.turned_by(ply) > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if turns.is_break() {
            return Vec::new();
        }
        evaluation::terms(game, thinker)
    }
}

impl Mind<Tiaojia> for TiaojiaMind {
    fn forget(&mut self) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Tiaojia, budget: &Budget) -> Option<Thought<Step>> {
        self.search.tell(|sight| sight.side = game.to_move());
        let mut thought = self.search.search(game, budget)?;
        // What it likes is its own affair: who asks wants to know who stands better.
        if thought.score.abs() <= WIN_FLOOR {
            thought.score -= self.weights.liking(game);
        }
        Some(thought)
    }

    fn plies_left(&self, game: &Tiaojia) -> u32 {
        (game.plies_left() / 2).min(40)
    }
}

/// What the search sees in a position.
#[derive(Clone)]
struct TiaojiaSight {
    weights: Mixed,
    /// The side that thinks.
    side: Side,
    /// Whether a position that is good even after passing is not looked at further.
    passes: bool,
}

/// A step that turns stones is loud.
fn promise(game: &Tiaojia, ply: Step) -> i32 {
    match game.turned_by(ply) {
        0 => 0,
        turned => LOUD + turned as i32,
    }
}

impl Sight<Tiaojia> for TiaojiaSight {
    const SETTLE: u32 = 4;

    fn value(&mut self, game: &Tiaojia) -> i32 {
        self.weights.value(game, game.to_move() == self.side)
    }

    fn draw(&self, game: &Tiaojia) -> i32 {
        if game.to_move() == self.side { self.weights.draw() } else { -self.weights.draw() }
    }

    fn pack(ply: Step) -> u32 {
        (u32::from(ply.from) << 3 | u32::from(ply.direction)) + 1
    }

    fn visit(&mut self, game: &Tiaojia, mut visit: impl FnMut(i32, Step)) {
        let turning = game.turning_squares();
        let _ = game.visit_legal(|ply| {
            visit(if Tiaojia::target(ply) & turning == 0 { 0 } else { promise(game, ply) }, ply);
            ControlFlow::Continue(())
        });
    }

    fn visit_loud(&mut self, game: &Tiaojia, mut visit: impl FnMut(i32, Step)) {
        let _ = game.visit_onto(game.turning_squares(), |ply| {
            // The stone that steps may be the one that would have flanked.
            let promise = promise(game, ply);
            if promise >= LOUD {
                visit(promise, ply);
            }
            ControlFlow::Continue(())
        });
    }

    fn key(&self, game: &Tiaojia) -> u64 {
        // Near the limit the number of plies left decides who is ahead in time. What a position is worth depends on who thinks.
        let left = game.plies_left();
        let key = if left <= 48 { games::random::mix(&[game.hash(), u64::from(left)]) } else { game.hash() };
        if self.side == Side::Black { key } else { !key }
    }

    fn may_pass(&self, game: &Tiaojia) -> bool {
        self.passes && game.plies_left() > 20 && game.stones(game.to_move()).count_ones() > 3
    }

    fn passed(&self, game: &Tiaojia) -> Tiaojia {
        game.with_turn_passed()
    }
}

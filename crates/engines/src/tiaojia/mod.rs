//! Tiaojia: alpha-beta on bitboards.

mod evaluation;

use std::ops::ControlFlow;

use games::tiaojia::{Step, Tiaojia};
use games::{End, Game as _, Side};

pub use self::evaluation::{COMPARED, PHASES, TENSIONS, WEIGHT_COUNT, WEIGHTS, WIDTH};
use self::evaluation::{Mixed, around, unheld_and_safe};
use crate::Settings;
use crate::kit::alpha_beta::{AlphaBeta, Haste, LOUD, Sight, WIN_FLOOR, table_size};
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(100, 200),
    Strength::of(140, 156),
    Strength::of(240, 128),
    Strength::of(800, 82),
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
        let sight = TiaojiaSight {
            weights: weights.clone(),
            side: Side::Black,
            passes: settings.uses("passing"),
            left: Vec::new(),
        };
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
        self.search.tell(|sight| sight.left.clear());
    }

    fn choose(&mut self, game: &Tiaojia, budget: &Budget) -> Option<Thought<Step>> {
        self.search.tell(|sight| {
            sight.side = game.to_move();
            // Plies may have been taken back.
            sight.left.retain(|&(plies, _)| plies <= game.plies());
        });
        let mut thought = self.search.search(game, budget)?;
        let mut after = *game;
        after.apply(thought.ply, End::Played);
        self.search.tell(|sight| sight.left.push((after.plies(), after.hash())));
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
    /// The positions it has left the other in, each with its plies.
    left: Vec<(u32, u64)>,
}

/// The promise of a quiet step that gives something away at once: it is tried last.
const GIVES: i32 = -(1 << 21);
/// What leaving the other in the same position again costs each time, in hundredths of a logit, and how often it does.
const AGAIN: (i32, usize) = (8, 4);

/// A step that turns stones is loud.
fn promise(game: &Tiaojia, ply: Step) -> i32 {
    match game.turned_by(ply) {
        0 => 0,
        turned => LOUD + turned as i32,
    }
}

impl Sight<Tiaojia> for TiaojiaSight {
    const SETTLE: u32 = 4;
    // A stone is worth 100 to 190.
    const HASTE: Haste = Haste { near: 5, margin: 60, few: 6, calm: 1.8 };

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
        let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
        let (turning, (unheld, safe)) = (game.turning_squares(), unheld_and_safe(own, enemy, around(enemy)));
        let _ = game.visit_legal(|ply| {
            let target = Tiaojia::target(ply);
            let promise = if target & turning == 0 { 0 } else { promise(game, ply) };
            let gives = promise == 0 && (target & safe == 0 || unheld >> ply.from & 1 == 0);
            visit(if gives { GIVES } else { promise }, ply);
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

    fn tax(&self, game: &Tiaojia) -> i32 {
        // Against who only waits, the same again brings nothing; something else may make him err.
        let (hash, (each, most)) = (game.hash(), AGAIN);
        each * self.left.iter().filter(|&&(_, left)| left == hash).count().min(most) as i32
    }

    fn passed(&self, game: &Tiaojia) -> Tiaojia {
        game.with_turn_passed()
    }
}

#[cfg(test)]
mod tests {
    use games::tiaojia::TiaojiaVariant;

    use super::*;

    #[test]
    fn the_same_again_costs_more_each_time_until_plies_are_taken_back() {
        let mut mind = TiaojiaMind::new(&Settings { memory: 1 << 20, ..Settings::with_seed(1) });
        let tax = |mind: &mut TiaojiaMind, game: &Tiaojia| {
            let tax = std::cell::Cell::new(0);
            mind.search.tell(|sight| tax.set(sight.tax(game)));
            tax.get()
        };
        let mut game = Tiaojia::new(&TiaojiaVariant::default());
        let first = mind.choose(&game, &Budget::of_nodes(500)).unwrap();
        let mut after = game;
        after.apply(first.ply, End::Played);
        assert_eq!(tax(&mut mind, &after), AGAIN.0);
        assert_eq!(tax(&mut mind, &game), 0);
        // Asked again about the same ply it has left nobody anywhere yet, so it says the same.
        mind.search.clear();
        assert_eq!(mind.choose(&game, &Budget::of_nodes(500)), Some(first));
        assert_eq!(tax(&mut mind, &after), AGAIN.0);
        mind.search.tell(|sight| (2..9).for_each(|plies| sight.left.push((plies, after.hash()))));
        assert_eq!(tax(&mut mind, &after), AGAIN.0 * AGAIN.1 as i32);
        game = after;
        mind.choose(&game, &Budget::of_nodes(500));
        assert_eq!(tax(&mut mind, &after), AGAIN.0);
        mind.forget();
        assert_eq!(tax(&mut mind, &after), 0);
    }

    #[test]
    fn steps_that_give_something_away_are_known_by_their_promise() {
        let game = Tiaojia::read_position(&TiaojiaVariant::default(), "8/8/3b4/2w5/5w2/8/8/7b b").unwrap();
        let mut sight =
            TiaojiaSight { weights: Mixed::new(&WEIGHTS), side: Side::Black, passes: true, left: Vec::new() };
        let mut giving = Vec::new();
        sight.visit(&game, |promise, ply| {
            if promise == GIVES {
                giving.push(ply);
            }
        });
        // Beside the stone on the left, where the other can come to its far side.
        assert_eq!(giving, [Step { from: 19, direction: 1 }]);
    }
}

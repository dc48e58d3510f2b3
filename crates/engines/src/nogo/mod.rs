//! NoGo: best-first tree search on who has how many safe points, and on trained patterns of where there will be more.

mod patterns;
mod position;

use std::sync::Arc;

use games::nogo::{NoGo, Stone};
use games::{Game as _, Side, goban};

use self::patterns::CLASSES;
use self::position::Position;
use crate::Settings;
use crate::kit::alpha_beta::WIN;
use crate::kit::tree::{Ground, Habits, Shoot, Tree};
use crate::kit::weights::integers;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(50, 300),
    Strength::of(70, 190),
    Strength::of(130, 110),
    Strength::of(300, 60),
    Strength::of(700, 38),
    Strength::of(2_000, 20),
];

/// How the search shares itself out; docs/strength/nogo.md tells what was tried.
pub const HABITS: Habits = Habits { explore: 0.6, sharpness: 6.0, greed: 0.3 };

/// Figures of a position beside its patterns.
const FIGURES: usize = 4;
/// How many points are open to both sides, in steps, as far as it matters.
const PHASES: usize = 6;
const OPEN_STEP: f32 = 12.0;

/// In thousandths of a logit: a line of figures for each phase, then the classes of patterns.
pub static WEIGHTS: [i32; PHASES * FIGURES + CLASSES] = integers(include_bytes!("weights.txt"));

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<NoGo, NoGoMind> {
    SeatPlayer::new(name, NoGoMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct NoGoMind {
    tree: Tree<Field>,
}

impl NoGoMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let greed = if settings.uses("best-line") { HABITS.greed } else { 0.0 };
        let mut weights = WEIGHTS;
        if !settings.uses("patterns") {
            weights[PHASES * FIGURES..].fill(0);
        }
        Self::with(settings, Habits { greed, ..HABITS }, &weights)
    }

    /// A mind with other habits or weights than the usual ones, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, habits: Habits, weights: &[i32; PHASES * FIGURES + CLASSES]) -> Self {
        let mut figures = [[0.0; FIGURES]; PHASES];
        figures.iter_mut().flatten().zip(weights).for_each(|(place, &weight)| *place = weight as f32 / 1000.0);
        let worths = if weights == &WEIGHTS {
            Worths::Usual
        } else {
            Worths::Own(patterns::worths(&weights[PHASES * FIGURES..]).into())
        };
        Self { tree: Tree::new(Field { figures, worths }, habits, settings.memory / 2) }
    }

    /// What the evaluation weighs in a position: indices into the weights, and how much of each.
    #[must_use]
    pub fn terms(game: &NoGo) -> Vec<(usize, f32)> {
        let (phase, figures) = look(game);
        let (low, part) = between(phase);
        let mut terms = Vec::new();
        for (phase, share) in [(low, 1.0 - part), (low + 1, part)] {
            terms.extend(figures.iter().enumerate().map(|(at, figure)| (phase * FIGURES + at, figure * share)));
        }
        let sign = if game.to_move() == Side::Black { 1.0 } else { -1.0 };
        for code in Position::new(game, &patterns::WORTH).codes() {
            let (class, black) = patterns::class(code);
            if black != 0 {
                terms.push((PHASES * FIGURES + usize::from(class), sign * f32::from(black)));
            }
        }
        terms
    }
}

impl Mind<NoGo> for NoGoMind {
    fn choose(&mut self, game: &NoGo, budget: &Budget) -> Option<Thought<Stone>> {
        let position = Position::new(game, self.tree.ground.worths.table());
        let found = self.tree.search(&position, budget)?;
        let line: Vec<Stone> = found.line.iter().map(|&point| Stone(point)).collect();
        let depth = line.len() as u32;
        let score = match found.proved {
            0 => (2.0 * found.value.clamp(-0.9999, 0.9999).atanh() * 100.0) as i32,
            proved => i32::from(proved) * (WIN - depth as i32),
        };
        Some(Thought { ply: *line.first()?, score, depth, nodes: found.nodes, line })
    }

    fn plies_left(&self, game: &NoGo) -> u32 {
        // About a fifth of the board is never filled.
        (game.empty().count_ones() * 4 / 5).div_ceil(2)
    }
}

/// The phase, and the figures for the side to move.
#[inline]
fn look(game: &NoGo) -> (f32, [f32; FIGURES]) {
    let (own, other) = (game.safe(game.to_move()), game.safe(game.to_move().other()));
    let both = (own & other).count_ones();
    let (own, other) = (own.count_ones() as f32, other.count_ones() as f32);
    let parity = if both.is_multiple_of(2) { 1.0 } else { -1.0 };
    let phase = (both as f32 / OPEN_STEP).min((PHASES - 1) as f32);
    (phase, [1.0, parity, own - other, (own - other) / (4.0 + own + other)])
}

/// The lower of the two phases that are mixed, and the share of the upper one.
#[inline]
fn between(phase: f32) -> (usize, f32) {
    let low = (phase as usize).min(PHASES - 2);
    (low, phase - low as f32)
}

/// What patterns are worth.
enum Worths {
    Usual,
    Own(Arc<[i32]>),
}

impl Worths {
    fn table(&self) -> &[i32] {
        match self {
            Self::Usual => &patterns::WORTH,
            Self::Own(worths) => worths,
        }
    }
}

/// The board as the tree sees it.
struct Field {
    figures: [[f32; FIGURES]; PHASES],
    worths: Worths,
}

impl Ground for Field {
    type State = Position;
    type Step = u8;

    fn grow(&mut self, position: &Position, shoots: &mut Vec<Shoot<u8>>) {
        let worths = self.worths.table();
        let mover = position.game.to_move();
        for point in goban::points(position.game.safe(mover)) {
            let mut after = position.game;
            after.apply(Stone(point), games::End::Played);
            if after.safe(after.to_move()) == 0 {
                shoots.push(Shoot { step: point, value: 1.0, certain: true });
                continue;
            }
            let (phase, figures) = look(&after);
            let (low, part) = between(phase);
            let sum = |weights: &[f32; FIGURES]| weights.iter().zip(&figures).map(|(a, b)| a * b).sum::<f32>();
            let (first, second) = (sum(&self.figures[low]), sum(&self.figures[low + 1]));
            let worth = position.worth_after(point, worths) as f32 / 1000.0;
            let own = if mover == Side::Black { worth } else { -worth };
            let logit = own - (first + (second - first) * part);
            shoots.push(Shoot { step: point, value: (logit * 0.5).tanh(), certain: false });
        }
    }

    fn go(&self, position: &mut Position, step: u8) {
        position.put(step, self.worths.table());
    }

    fn turns(&self, _position: &Position) -> bool {
        true
    }
}

//! NoGo: tree search by playouts; who has how many safe points and trained patterns say where it looks first.

mod patterns;
mod playouts;
mod position;

use std::sync::Arc;

use games::nogo::{NoGo, Stone};
use games::{End, Game as _, Side, goban};

use self::patterns::CLASSES;
use self::playouts::{Look, Playouts};
use self::position::Position;
use crate::Settings;
use crate::kit::alpha_beta::WIN;
use crate::kit::weights::integers;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(10, 300),
    Strength::of(20, 190),
    Strength::of(50, 110),
    Strength::of(130, 60),
    Strength::of(350, 38),
    Strength::of(900, 30),
];

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
    field: Field,
    playouts: Playouts,
}

impl NoGoMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self::with(settings, &WEIGHTS)
    }

    /// A mind with other weights than the usual ones, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, weights: &[i32; PHASES * FIGURES + CLASSES]) -> Self {
        let mut figures = [[0.0; FIGURES]; PHASES];
        figures.iter_mut().flatten().zip(weights).for_each(|(place, &weight)| *place = weight as f32 / 1000.0);
        let worths = if weights == &WEIGHTS {
            Worths::Usual
        } else {
            Worths::Own(patterns::worths(&weights[PHASES * FIGURES..]).into())
        };
        let field = Field { figures, worths, blind: !settings.uses("patterns") };
        Self { field, playouts: Playouts::new(settings) }
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
        let position = Position::new(game, self.field.worths.table());
        let found = self.playouts.search(&position, &self.field, budget)?;
        let line: Vec<Stone> = found.line.iter().map(|&point| Stone(point)).collect();
        let depth = line.len() as u32;
        let score = match found.proved {
            0 => ((found.chance / (1.0 - found.chance)).clamp(1e-4, 1e4).ln() * 100.0) as i32,
            proved => i32::from(proved) * (WIN - depth as i32),
        };
        Some(Thought { ply: *line.first()?, score, depth, nodes: found.playouts, line })
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

/// What the player knows of a board before anything is played out.
struct Field {
    figures: [[f32; FIGURES]; PHASES],
    worths: Worths,
    /// Every point looks the same to it.
    blind: bool,
}

impl Field {
    /// Every point that does not lose at once, at first sight.
    fn look(&self, position: &Position, looks: &mut Vec<Look>) {
        let worths = self.worths.table();
        let mover = position.game.to_move();
        for point in goban::points(position.game.safe(mover)) {
            let mut after = position.game;
            after.apply(Stone(point), End::Played);
            let certain = after.safe(after.to_move()) == 0;
            if certain || self.blind {
                looks.push(Look { point, chance: if certain { 1.0 } else { 0.5 }, certain });
                continue;
            }
            let (phase, figures) = look(&after);
            let (low, part) = between(phase);
            let sum = |weights: &[f32; FIGURES]| weights.iter().zip(&figures).map(|(a, b)| a * b).sum::<f32>();
            let (first, second) = (sum(&self.figures[low]), sum(&self.figures[low + 1]));
            let worth = position.worth_after(point, worths) as f32 / 1000.0;
            let own = if mover == Side::Black { worth } else { -worth };
            let logit = own - (first + (second - first) * part);
            looks.push(Look { point, chance: 1.0 / (1.0 + (-logit).exp()), certain });
        }
    }
}

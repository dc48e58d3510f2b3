//! Surakarta: alpha-beta on trained worths of lines, corners and blocks.

mod tuples;

use std::ops::ControlFlow;
use std::sync::Arc;

use games::surakarta::{Move, Surakarta};
use games::{Game as _, Side};

use self::tuples::Worths;
use crate::Settings;
use crate::kit::alpha_beta::{AlphaBeta, Haste, LOUD, Sight, WIN_FLOOR, table_size};
use crate::kit::weights::integers;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// Six levels, weakest first; docs/strength.md tells how each scores against the one below.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(100, 100),
    Strength::of(160, 70),
    Strength::of(270, 45),
    Strength::of(500, 25),
    Strength::of(1_500, 10),
    Strength::of(8_000, 0),
];

/// Figures of a position beside its places: the move, pieces more, and pieces more as a part of all.
const FIGURES: usize = 3;
/// Weights of figures are given for few pieces, for half of them and for all; between them they are mixed.
const PHASES: usize = 3;
const PIECES: f32 = 24.0;

/// How many weights there are.
pub const WEIGHT_COUNT: usize = PHASES * FIGURES + 2 * tuples::CLASSES;

/// In thousandths of a logit: a line of figures for each phase, then the classes of places with few pieces,
/// then with all.
pub static WEIGHTS: [i32; WEIGHT_COUNT] = integers(include_bytes!("weights.txt"));

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Surakarta, SurakartaMind> {
    SeatPlayer::new(name, SurakartaMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct SurakartaMind {
    search: AlphaBeta<Surakarta, SurakartaSight>,
}

impl SurakartaMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let mut weights = WEIGHTS;
        if !settings.uses("tuples") {
            weights[PHASES * FIGURES..].fill(0);
        }
        Self::with(settings, &weights)
    }

    /// A mind with other weights than the usual ones, for comparing.
    #[must_use]
    pub fn with(settings: &Settings, weights: &[i32; WEIGHT_COUNT]) -> Self {
        let mut figures = [[0.0; FIGURES]; PHASES];
        figures.iter_mut().flatten().zip(weights).for_each(|(place, &weight)| *place = weight as f32);
        let worths = Arc::new(Worths::new(&weights[PHASES * FIGURES..]));
        let sight = SurakartaSight { figures, worths, quiet_limit: u32::MAX };
        Self { search: AlphaBeta::new(sight, table_size(settings), settings.threads) }
    }

    /// What the evaluation weighs in a position: indices into the weights, and how much of each; nothing where the side to
    /// move can capture, as the search never judges such a position by itself.
    #[must_use]
    pub fn terms(game: &Surakarta) -> Vec<(usize, f32)> {
        let (own, enemy) = sides(game);
        let captures =
            game.visit_legal(
                |ply| {
                    if enemy >> ply.to & 1 == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
        if captures.is_break() {
            return Vec::new();
        }
        let (low, part, figures) = look(own, enemy);
        let row = |phase: usize, share: f32| {
            figures.into_iter().enumerate().map(move |(at, figure)| (phase * FIGURES + at, figure * share))
        };
        let mut terms: Vec<(usize, f32)> = row(low, 1.0 - part).chain(row(low + 1, part)).collect();
        let all = share_of_all(own, enemy);
        tuples::visit(own, enemy, |kind, number| {
            if let Some((at, sign)) = tuples::class(kind, number) {
                let at = PHASES * FIGURES + at;
                terms.push((at, f32::from(sign) * (1.0 - all)));
                terms.push((at + tuples::CLASSES, f32::from(sign) * all));
            }
        });
        terms
    }
}

impl Mind<Surakarta> for SurakartaMind {
    fn forget(&mut self) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Surakarta, budget: &Budget) -> Option<Thought<Move>> {
        self.search.tell(|sight| sight.quiet_limit = game.quiet_limit());
        self.search.search(game, budget)
    }

    fn plies_left(&self, game: &Surakarta) -> u32 {
        // A capture every few plies, and a long shuffle at the end.
        game.pieces(Side::Black).count_ones() + game.pieces(Side::White).count_ones() + 10
    }
}

/// The pieces of the side to move, and of the other.
#[inline]
fn sides(game: &Surakarta) -> (u64, u64) {
    (game.pieces(game.to_move()), game.pieces(game.to_move().other()))
}

/// How many of all pieces there are.
#[inline]
fn share_of_all(own: u64, enemy: u64) -> f32 {
    ((own | enemy).count_ones() as f32 / PIECES).min(1.0)
}

/// The lower of the two phases that are mixed, the share of the upper one, and the figures.
#[inline]
fn look(own: u64, enemy: u64) -> (usize, f32, [f32; FIGURES]) {
    let (own, enemy) = (own.count_ones() as f32, enemy.count_ones() as f32);
    let phase = ((own + enemy) / PIECES).min(1.0) * (PHASES - 1) as f32;
    let low = (phase as usize).min(PHASES - 2);
    (low, phase - low as f32, [1.0, own - enemy, (own - enemy) / (own + enemy).max(1.0)])
}

/// What the search sees in a position.
#[derive(Clone)]
struct SurakartaSight {
    figures: [[f32; FIGURES]; PHASES],
    /// Shared by the threads.
    worths: Arc<Worths>,
    /// Plies without a capture after which the pieces are counted.
    quiet_limit: u32,
}

/// So many plies before the quiet limit the count of quiet plies is part of a position.
const LIMIT_IN_SIGHT: u32 = 24;

impl Sight<Surakarta> for SurakartaSight {
    const SETTLE: u32 = 8;
    // A piece is worth 200 to 300.
    const HASTE: Haste = Haste { near: 5, margin: 50, few: 4, calm: 1.5 };

    fn value(&mut self, game: &Surakarta) -> i32 {
        let (own, enemy) = sides(game);
        let (low, part, figures) = look(own, enemy);
        let sum = |weights: &[f32; FIGURES]| weights.iter().zip(&figures).map(|(a, b)| a * b).sum::<f32>();
        let (first, second) = (sum(&self.figures[low]), sum(&self.figures[low + 1]));
        let figures = first + (second - first) * part;
        let [few, all] = self.worths.of(own, enemy).map(|worth| worth as f32);
        let places = few + (all - few) * share_of_all(own, enemy);
        let value = (figures + places) as i32 / 10;
        value.clamp(1 - WIN_FLOOR, WIN_FLOOR - 1)
    }

    fn pack(ply: Move) -> u32 {
        (u32::from(ply.from) << 6 | u32::from(ply.to)) + 1
    }

    fn visit(&mut self, game: &Surakarta, mut visit: impl FnMut(i32, Move)) {
        let (_, enemy) = sides(game);
        let _ = game.visit_legal(|ply| {
            visit(if enemy >> ply.to & 1 == 1 { LOUD } else { 0 }, ply);
            ControlFlow::Continue(())
        });
    }

    fn key(&self, game: &Surakarta) -> u64 {
        // How soon the pieces are counted, and how often a position stood, decide what shuffling is worth.
        let near = game.quiet() + LIMIT_IN_SIGHT >= self.quiet_limit;
        let quiet = if near { game.quiet() } else { 0 };
        games::random::mix(&[game.hash(), u64::from(quiet), u64::from(game.times())])
    }
}

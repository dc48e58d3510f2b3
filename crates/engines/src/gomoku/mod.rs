//! Gomoku in all its rules: alpha-beta on line patterns, and a solver of wins by fours.

mod board;
mod fours;
mod opening;
mod scoring;
mod search;
mod shapes;
mod threats;
mod values;

use games::gomoku::{Gomoku, Ply, Rule};
use games::{End, Game as _};

use crate::Settings;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};
use board::{Board, STRIDE, point_of};
use scoring::Scoring;
use search::Search;
use values::kind;

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(30, 250),
    Strength::of(60, 140),
    Strength::of(150, 80),
    Strength::of(600, 45),
    Strength::of(3_000, 15),
    Strength::of(40_000, 0),
];

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Gomoku, GomokuMind> {
    SeatPlayer::new(name, GomokuMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct GomokuMind {
    search: Search,
    seed: u64,
}

impl GomokuMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { search: Search::new(settings), seed: settings.seed }
    }

    /// A win by fours alone of the side to move (its stones and the enemy's forced replies), if one is found by looking at so
    /// many positions; none where lines score and play goes on.
    pub fn win_by_fours(&mut self, game: &Gomoku, effort: u32) -> Option<Vec<Ply>> {
        if game.verdict().is_some() || game.rule().has(Rule::CONTINUOUS) {
            return None;
        }
        let line = self.search.win(&mut Board::new(game), effort)?;
        Some(line.into_iter().map(|point| Ply::One(point_of(point))).collect())
    }

    /// A win by fours and open threes of the side to move, as far as its line is known, if one is found by looking at so many
    /// positions; none where lines score and play goes on.
    pub fn win_by_threats(&mut self, game: &Gomoku, effort: u32) -> Option<Vec<Ply>> {
        if game.verdict().is_some() || game.rule().has(Rule::CONTINUOUS) {
            return None;
        }
        let line = self.search.win_by_threats(&mut Board::new(game), effort)?;
        Some(line.into_iter().map(|point| Ply::One(point_of(point))).collect())
    }

    /// The weights of the evaluation, then those of the order in which points are tried.
    #[must_use]
    pub fn weights() -> (&'static [i32], &'static [i32]) {
        values::LEARNED.split_at(values::WEIGHTS)
    }

    /// The points a search chooses from, each with the two weights of its place in their order, for training.
    #[must_use]
    pub fn choices(game: &Gomoku) -> Vec<(Ply, [usize; 2])> {
        let terms = Board::new(game).order_terms();
        let own = |at: usize| at - values::WEIGHTS;
        terms.into_iter().map(|(point, terms)| (Ply::One(point_of(point)), terms.map(own))).collect()
    }

    /// Which weights count in a position, and how much, for training; `None` where something is forced, and the search does not
    /// ask what the position is worth.
    pub fn terms(&mut self, game: &Gomoku) -> Option<Vec<(usize, f32)>> {
        let mut board = Board::new(game);
        let forced = [kind::FIVE, kind::OPEN_FOUR].iter().any(|&kind| board.count(board.to_move.other(), kind) > 0);
        (!forced && self.search.win(&mut board, 100).is_none()).then(|| board.terms())
    }

    fn play(&mut self, game: &Gomoku, budget: &Budget) -> Option<Thought<Ply>> {
        let mut board = Board::new(game);
        if board.free_count == board.width * board.height {
            let ply = Ply::One(point_of(board.height / 2 * STRIDE + board.width / 2));
            return Some(Thought { ply, score: 0, depth: 0, nodes: 1, line: vec![ply] });
        }
        if game.rule().has(Rule::CONTINUOUS) {
            return Scoring::choose(game, &mut board, budget);
        }
        let found = self.search.search(&mut board, budget)?;
        let line = found.line.into_iter().map(|point| Ply::One(point_of(point))).collect();
        let nodes = self.search.nodes();
        Some(Thought { ply: Ply::One(point_of(found.point)), score: found.score, depth: found.depth, nodes, line })
    }
}

impl Mind<Gomoku> for GomokuMind {
    fn prepare(&mut self, game: &Gomoku) {
        // The tables of a rule are made with its first board.
        drop(Board::new(game));
    }

    fn forget(&mut self) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Gomoku, budget: &Budget) -> Option<Thought<Ply>> {
        if game.verdict().is_some() {
            return None;
        }
        if opening::places_three(game) {
            opening::place_three(self, game, budget)
        } else if game.judge(Ply::Swap) == Ok(End::Played) {
            opening::choose_colour(self, game, budget)
        } else {
            self.play(game, budget)
        }
    }

    fn plies_left(&self, game: &Gomoku) -> u32 {
        let free = (game.width() * game.height()) as u32;
        (free.saturating_sub(game.plies()) / 2).clamp(4, 30)
    }
}

//! The rule under which fives score and play goes on: alpha-beta for lines rather than for a win.

use games::gomoku::{Gomoku, Ply};
use games::{End, Game as _};

use super::board::{Board, each, point_of};
use crate::kit::alpha_beta::WIN;
use crate::kit::{Budget, Thought};

/// What a scored line is worth.
const LINE: i32 = 2000;
/// Patterns never outweigh a line.
const MOST_FOR_PATTERNS: i32 = 1500;
/// How many points are tried in a position.
const WIDTH: usize = 12;

/// The search.
pub(super) struct Scoring<'a> {
    budget: &'a Budget,
    nodes: u64,
    stopped: bool,
    best: Option<(usize, i32)>,
}

impl<'a> Scoring<'a> {
    /// The best ply found within the budget.
    pub(super) fn choose(game: &Gomoku, board: &mut Board, budget: &'a Budget) -> Option<Thought<Ply>> {
        let mut search = Self { budget, nodes: 0, stopped: false, best: None };
        let mut game = game.clone();
        let mut found: Option<Thought<Ply>> = None;
        for depth in 1..=board.free_count.min(20) as i32 {
            search.best = None;
            search.look(&mut game, board, depth, true, -WIN, WIN);
            if let Some((point, score)) = search.best
                && (!search.stopped || found.is_none())
            {
                let ply = Ply::One(point_of(point));
                found = Some(Thought { ply, score, depth: depth as u32, nodes: search.nodes, line: vec![ply] });
            }
            if search.stopped || !budget.allows(search.nodes, 3.0) {
                break;
            }
        }
        found.map(|thought| Thought { nodes: search.nodes, ..thought })
    }

    fn look(&mut self, game: &mut Gomoku, board: &mut Board, depth: i32, root: bool, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        self.stopped |= self.nodes >= self.budget.nodes() || self.nodes.is_multiple_of(16) && self.budget.is_over(0);
        if self.stopped && !root {
            return alpha;
        }
        let own = board.to_move;
        let ahead = i32::from(game.score_of(own)) - i32::from(game.score_of(own.other()));
        if board.free_count == 0 {
            return ahead.signum() * (WIN - 1000) + ahead;
        }
        if depth <= 0 {
            return ahead * LINE + (board.value() / 2).clamp(-MOST_FOR_PATTERNS, MOST_FOR_PATTERNS);
        }
        let mut points: Vec<(i32, usize)> = each(board.free())
            .map(|point| (board.fives_at(own, point) * 30_000 + board.promise(point), point))
            .collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        points.truncate(WIDTH);
        let (mut best, mut low) = (-WIN, alpha);
        for (index, &(_, point)) in points.iter().enumerate() {
            let scores = board.fives_at(own, point) > 0;
            let memo = game.apply(Ply::One(point_of(point)), End::Played);
            let value = if scores {
                // The stones of the line count no more: a new board, which is rare enough.
                -self.look(game, &mut Board::new(game), depth - 1, false, -beta, -low)
            } else {
                board.play(point);
                let value = -self.look(game, board, depth - 1, false, -beta, -low);
                board.undo();
                value
            };
            game.undo(memo);
            if root && (index == 0 || value > best && !self.stopped) {
                self.best = Some((point, value));
            }
            if self.stopped {
                return low;
            }
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        best
    }
}

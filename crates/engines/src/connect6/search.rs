//! Alpha-beta over pairs of promising points, with threats answered as they must be and a solver at every position.

use games::Side;

use super::board::Board;
use super::threats::{Covers, Replies, Solver, Win, covers, winning};
use crate::Settings;
use crate::kit::alpha_beta::{WIN, WIN_FLOOR, from_table, to_table};
use crate::kit::{Bound, Budget, Entry, Transpositions};

/// The deepest line.
const DEEPEST: usize = 60;
/// Positions the solver may look at one ply before the end of a line.
const EFFORT_INSIDE: u32 = 40;
/// At the root it begins with so many, ends with so many, and takes at most this part of what there is.
const FIRST_EFFORT: u32 = 200;
const EFFORT_AT_ROOT: u32 = 20_000;
const SHARE_AT_ROOT: f64 = 0.2;

/// Two stones; one alone is named twice.
pub(super) type Pair = (u16, u16);

/// What the search found.
pub(super) struct Found {
    /// The best stones.
    pub(super) pair: Pair,
    /// What they are worth.
    pub(super) score: i32,
    /// How deep they were looked at.
    pub(super) depth: u32,
    /// How the game goes on.
    pub(super) line: Vec<Pair>,
}

/// The search, with what it remembers from ply to ply.
pub(super) struct Search {
    table: Transpositions,
    solver: Solver,
    nodes: u64,
    stopped: bool,
    best: Option<(Pair, i32)>,
    /// Whether wins by threats are looked for.
    solves: bool,
}

const fn pack((first, second): Pair) -> u32 {
    (first as u32) << 10 | second as u32 | 1 << 20
}

const fn unpack(packed: u32) -> Pair {
    ((packed >> 10 & 1023) as u16, (packed & 1023) as u16)
}

impl Search {
    /// A search within these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let bytes = settings.memory / 2;
        Self {
            table: Transpositions::new(bytes / 4 * 3),
            solver: Solver::new(bytes / 8),
            nodes: 0,
            stopped: false,
            best: None,
            solves: settings.uses("threats"),
        }
    }

    /// Forgets everything: another game begins.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// Positions looked at, by the solver too.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes + self.solver.nodes
    }

    /// The first stones of a win by double threats.
    pub(super) fn win(&mut self, board: &mut Board, effort: u32) -> Option<Pair> {
        self.solver.nodes = 0;
        self.solve(board, effort, &Budget::of_nodes(u64::MAX)).map(|(pair, _)| pair)
    }

    /// A win by double threats, looked for with more and more effort, and at last reply by reply.
    fn solve(&mut self, board: &mut Board, most: u32, budget: &Budget) -> Option<Win> {
        let own = board.to_move;
        for replies in [Replies::Together, Replies::Singly] {
            let mut effort = FIRST_EFFORT.min(most);
            while effort > 0 && !budget.is_over(self.nodes()) {
                let win = self.solver.find(board, own, replies, effort, budget);
                if win.is_some() {
                    self.solver.remember();
                    return win;
                }
                effort = if effort < most { (effort * 4).min(most) } else { 0 };
            }
        }
        None
    }

    /// The best pair found within the budget; there must be two empty points.
    pub(super) fn search(&mut self, board: &mut Board, budget: &Budget) -> Found {
        self.table.next_search();
        (self.nodes, self.solver.nodes, self.stopped) = (0, 0, false);
        let own = board.to_move;
        if let Some(pair) = winning(board, own) {
            return Found { pair, score: WIN - 1, depth: 1, line: vec![pair] };
        }
        let fallback = self.pairs(board, 1)[0];
        let mut found = Found { pair: fallback, score: board.value(), depth: 0, line: vec![fallback] };
        if self.solves {
            let part = budget.part(SHARE_AT_ROOT);
            let effort = u32::try_from(part.nodes() / 2).unwrap_or(u32::MAX).min(EFFORT_AT_ROOT);
            if let Some((pair, plies)) = self.solve(board, effort, &part) {
                return Found { pair, score: WIN - plies, depth: plies as u32, line: vec![pair] };
            }
        }
        for depth in 1..40 {
            let around = found.score;
            self.best = None;
            let value = self.widening(board, depth, around, budget);
            if let Some((pair, score)) = self.best {
                let score = if self.stopped { score } else { value };
                let line = self.line(board, pair);
                found = Found { pair, score, depth: depth as u32, line };
            }
            let decided = value.abs() > WIN_FLOOR && WIN - value.abs() <= depth;
            if self.stopped || decided || !budget.allows(self.nodes(), 2.0) {
                break;
            }
        }
        found
    }

    /// Searches in a narrow window around the last value and widens it while the value falls outside.
    fn widening(&mut self, board: &mut Board, depth: i32, around: i32, budget: &Budget) -> i32 {
        let mut width = if depth < 3 || around.abs() > WIN_FLOOR { WIN * 2 } else { 60 };
        loop {
            let (low, high) = ((around - width).max(-WIN), (around + width).min(WIN));
            let value = self.look(board, depth, 0, low, high, budget);
            if self.stopped || (value > low && value < high) || (low == -WIN && high == WIN) {
                return value;
            }
            width = if width > 500 { WIN * 2 } else { width * 4 };
        }
    }

    fn look(&mut self, board: &mut Board, depth: i32, ply: usize, alpha: i32, beta: i32, budget: &Budget) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(16) || self.nodes() >= budget.nodes() {
            self.stopped |= budget.is_over(self.nodes());
        }
        if self.stopped {
            return alpha;
        }
        let own = board.to_move;
        let ahead = ply as i32;
        if board.threat_count(own) > 0 {
            return WIN - ahead - 1;
        }
        if board.empty().len() < 2 {
            return 0;
        }
        let key = board.key();
        let known = self.table.get(key);
        if let Some(entry) = known
            && ply > 0
            && i32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply);
            match entry.bound {
                Bound::Exact => return value,
                Bound::AtLeast if value >= beta => return value,
                Bound::AtMost if value <= alpha => return value,
                _ => {}
            }
        }
        let stops = covers(board, own.other());
        if matches!(stops, Covers::None) && ply > 0 {
            return ahead + 2 - WIN;
        }
        if ply > 0
            && depth > 0
            && self.solves
            && let Some((pair, plies)) = self.solver.find_or_repeat(board, ply, effort_inside(depth, budget), budget)
        {
            let value = WIN - ahead - plies;
            let entry = Entry { value: to_table(value, ply), depth: 60, bound: Bound::AtLeast, ply: pack(pair) };
            self.table.put(key, entry);
            return value;
        }
        if ply >= DEEPEST || depth <= 0 {
            return board.value();
        }
        let mut pairs = self.answers(board, stops, ply, depth);
        if let Some(entry) = known.filter(|entry| entry.ply != 0) {
            let first = unpack(entry.ply);
            if let Some(index) = pairs.iter().position(|&pair| pair == first) {
                pairs[..=index].rotate_right(1);
            }
        }
        let (mut best, mut best_pair, mut low) = (-WIN, 0, alpha);
        for (index, &(first, second)) in pairs.iter().enumerate() {
            put(board, own, (first, second));
            board.to_move = own.other();
            let value = if index == 0 {
                -self.look(board, depth - 1, ply + 1, -beta, -low, budget)
            } else {
                let less = if depth >= 2 && index >= 4 { 1 + i32::from(index >= 20) } else { 0 };
                let mut value = -self.look(board, depth - 1 - less, ply + 1, -low - 1, -low, budget);
                if value > low && less > 0 {
                    value = -self.look(board, depth - 1, ply + 1, -low - 1, -low, budget);
                }
                if value > low && value < beta {
                    value = -self.look(board, depth - 1, ply + 1, -beta, -low, budget);
                }
                value
            };
            board.to_move = own;
            take(board, (first, second));
            if self.stopped {
                return best.max(alpha);
            }
            if value > best {
                best = value;
                if value > low || index == 0 {
                    best_pair = pack((first, second));
                    if ply == 0 {
                        // The root's best is kept at once: the search may be stopped at any moment.
                        self.best = Some(((first, second), value));
                    }
                }
                low = low.max(value);
            }
            if low >= beta {
                break;
            }
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table.put(key, Entry { value: to_table(best, ply), depth: depth as u8, bound, ply: best_pair });
        best
    }

    /// The pairs worth trying: those that stop every threat of the enemy, or any that are promising.
    fn answers(&self, board: &mut Board, stops: Covers, ply: usize, depth: i32) -> Vec<Pair> {
        let width = if ply == 0 { 3 } else { i32::from(depth > 1) + 1 };
        match stops {
            Covers::Two(pairs) => pairs,
            Covers::One(points) => {
                let own = board.to_move;
                let mut pairs: Vec<(i32, Pair)> = Vec::new();
                for first in points {
                    let worth = both(board, own, first);
                    board.put(own, first);
                    for (more, second) in promising(board, own, 5 + 3 * width as usize) {
                        let pair = (first.min(second), first.max(second));
                        if !pairs.iter().any(|(_, known)| *known == pair) {
                            pairs.push((worth + more, pair));
                        }
                    }
                    board.take(first);
                }
                pairs.sort_unstable_by(|a, b| b.cmp(a));
                pairs.truncate(12 + 8 * width as usize);
                pairs.into_iter().map(|(_, pair)| pair).collect()
            }
            // Lost: what is left is to make it look hard.
            Covers::Nothing | Covers::None => self.pairs(board, width),
        }
    }

    /// Promising pairs, the best first.
    fn pairs(&self, board: &mut Board, width: i32) -> Vec<Pair> {
        let own = board.to_move;
        let mut pairs: Vec<(i32, Pair)> = Vec::new();
        let firsts = promising(board, own, 5 + 3 * width as usize);
        for &(worth, first) in &firsts {
            board.put(own, first);
            for (more, second) in promising(board, own, 4 + 3 * width as usize) {
                let pair = (first.min(second), first.max(second));
                match pairs.iter_mut().find(|(_, known)| *known == pair) {
                    Some(known) => known.0 = known.0.max(worth + more),
                    None => pairs.push((worth + more, pair)),
                }
            }
            board.take(first);
        }
        pairs.sort_unstable_by(|a, b| b.cmp(a));
        pairs.truncate(10 + 10 * width as usize);
        pairs.into_iter().map(|(_, pair)| pair).collect()
    }

    /// The line the table knows from these stones on.
    fn line(&self, board: &mut Board, first: Pair) -> Vec<Pair> {
        let start = board.to_move;
        let mut line: Vec<Pair> = Vec::new();
        let mut next = Some(first);
        while let Some(pair) = next {
            put(board, board.to_move, pair);
            board.to_move = board.to_move.other();
            line.push(pair);
            next = self
                .table
                .get(board.key())
                .filter(|entry| entry.ply != 0 && line.len() < 16)
                .map(|entry| unpack(entry.ply))
                .filter(|&(a, b)| board.is_empty(a) && board.is_empty(b));
        }
        for &pair in line.iter().rev() {
            take(board, pair);
        }
        board.to_move = start;
        line
    }
}

fn put(board: &mut Board, side: Side, (first, second): Pair) {
    board.put(side, first);
    if second != first {
        board.put(side, second);
    }
}

fn take(board: &mut Board, (first, second): Pair) {
    if second != first {
        board.take(second);
    }
    board.take(first);
}

/// What the solver may look at with so many plies to go: a win overlooked near the root costs more than one near the end.
fn effort_inside(depth: i32, budget: &Budget) -> u32 {
    // A level's few positions are not for one look of the solver.
    let most = u32::try_from(budget.nodes() / 16).unwrap_or(u32::MAX).max(EFFORT_INSIDE);
    (EFFORT_INSIDE << (2 * (depth - 1).clamp(0, 3))).min(most)
}

/// What a point gives to a side and takes from the other.
fn both(board: &Board, own: Side, point: u16) -> i32 {
    board.worth(own, point) * 5 / 4 + board.worth(own.other(), point)
}

/// The points near stones that promise most; any points where there are not two such.
fn promising(board: &Board, own: Side, most: usize) -> Vec<(i32, u16)> {
    let judged = |&point: &u16| (both(board, own, point), point);
    let near = board.empty().iter().filter(|&&point| board.is_near(point));
    let mut points: Vec<(i32, u16)> = near.map(judged).collect();
    if points.len() < 2 {
        points = board.empty().iter().map(judged).collect();
    }
    if points.len() > most {
        points.select_nth_unstable_by(most, |a, b| b.cmp(a));
        points.truncate(most);
    }
    points.sort_unstable_by(|a, b| b.cmp(a));
    points
}

//! Alpha-beta search over points near stones, with everything forced played as such and every line ended by the solver of fours.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use games::Side;

use super::board::{Board, POINTS, each};
use super::fours::{Fours, stops};
use super::threats::{Threats, parries, unstoppable};
use super::values::kind;
use crate::Settings;
use crate::kit::alpha_beta::{WIN, WIN_FLOOR, from_table, to_table};
use crate::kit::{Bound, Budget, Entry, Transpositions};

/// The deepest line.
const DEEPEST: usize = 120;
/// How often the clock is looked at.
const CLOCK_EVERY: u64 = 128;
/// Positions the solver may look at where the main search ends, and above that.
const EFFORT_AT_END: u32 = 60;
const EFFORT_INSIDE: u32 = 250;

/// The part of the time that is spent on looking for a win by threats before the main search.
const SHARE_OF_THREATS: f64 = 0.15;

/// The part of the time left that is spent on looking for a reply that wins by threats against a point that looks best, and
/// the positions looked at for that at each depth.
const SHARE_OF_REFUTING: f64 = 0.2;
const EFFORT_OF_REFUTING: i32 = 1500;

/// What the search found.
pub(super) struct Found {
    /// The best point.
    pub(super) point: usize,
    /// What it is worth.
    pub(super) score: i32,
    /// How deep it was looked at.
    pub(super) depth: u32,
    /// How the game goes on.
    pub(super) line: Vec<usize>,
}

/// The search, with what it remembers from ply to ply.
pub(super) struct Search {
    table: Transpositions,
    /// One for each thread.
    workers: Vec<Worker>,
}

/// What a thread has for itself.
struct Worker {
    fours: Fours,
    threats: Threats,
    history: [Vec<i32>; 2],
    killers: Vec<[u16; 2]>,
    lists: Vec<Vec<(i32, u16)>>,
    nodes: u64,
    /// The clock is looked at once so many positions have been.
    look_at_clock: u64,
    stopped: bool,
    best: Option<(usize, i32)>,
    /// Whether wins by fours are looked for.
    by_fours: bool,
    /// Whether wins by fours and threes are looked for.
    by_threats: bool,
    /// Whether such wins of the enemy against the best point are looked for.
    refutes: bool,
}

/// One thread at one search.
struct Looking<'a> {
    worker: &'a mut Worker,
    table: &'a Transpositions,
    budget: &'a Budget,
    /// The first thread is done, so the others are.
    done: &'a AtomicBool,
}

impl Worker {
    /// What one of so many threads needs, within so many bytes for all.
    fn new(settings: &Settings, bytes: usize, threads: usize) -> Self {
        Self {
            fours: Fours::new(bytes / 8 / threads),
            threats: Threats::new(bytes / 16 / threads),
            history: [vec![0; POINTS], vec![0; POINTS]],
            killers: vec![[u16::MAX; 2]; DEEPEST + 1],
            lists: (0..=DEEPEST).map(|_| Vec::new()).collect(),
            nodes: 0,
            look_at_clock: 0,
            stopped: false,
            best: None,
            by_fours: settings.uses("fours"),
            by_threats: settings.uses("threats"),
            refutes: settings.uses("refuting"),
        }
    }

    fn clear(&mut self) {
        self.fours.clear();
        self.threats.clear();
        self.history.iter_mut().for_each(|history| history.fill(0));
    }

    /// Positions looked at, by the solvers too.
    const fn nodes(&self) -> u64 {
        self.nodes + self.fours.nodes + self.threats.nodes
    }

    /// Another position is looked at.
    fn begin(&mut self) {
        self.killers.fill([u16::MAX; 2]);
        self.history.iter_mut().for_each(|history| history.iter_mut().for_each(|value| *value /= 8));
        (self.nodes, self.fours.nodes, self.threats.nodes) = (0, 0, 0);
        (self.look_at_clock, self.stopped) = (0, false);
    }
}

impl Search {
    /// A search within these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let (bytes, threads) = (settings.memory / 2, settings.threads.max(1));
        Self {
            table: Transpositions::new(bytes / 4 * 3),
            workers: (0..threads).map(|_| Worker::new(settings, bytes, threads)).collect(),
        }
    }

    /// Forgets everything: another game begins.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(Worker::clear);
    }

    /// Positions looked at, by the solvers too.
    pub(super) fn nodes(&self) -> u64 {
        self.workers.iter().map(Worker::nodes).sum()
    }

    /// A win by fours of the side to move, its stones and the enemy's replies.
    pub(super) fn win(&mut self, board: &mut Board, effort: u32) -> Option<Vec<usize>> {
        let worker = self.workers.first_mut()?;
        worker.fours.nodes = 0;
        let found = worker.fours.find(board, board.to_move, effort, &Budget::of_nodes(u64::MAX));
        found.map(|_| worker.fours.line().collect())
    }

    /// A win by fours and threes of the side to move, as far as its line is known.
    pub(super) fn win_by_threats(&mut self, board: &mut Board, effort: u32) -> Option<Vec<usize>> {
        let Worker { fours, threats, .. } = self.workers.first_mut()?;
        (fours.nodes, threats.nodes) = (0, 0);
        let found = threats.find(board, board.to_move, fours, effort, &Budget::of_nodes(u64::MAX));
        found.map(|_| threats.line().collect())
    }

    /// The best point found within the budget; `None` when there is no legal one.
    pub(super) fn search(&mut self, board: &mut Board, budget: &Budget) -> Option<Found> {
        self.table.next_search();
        self.workers.iter_mut().for_each(Worker::begin);
        let (table, done) = (&self.table, &AtomicBool::new(false));
        // A budget of positions is one thread's: what it buys must not depend on how threads are scheduled.
        let threads = if budget.nodes() == u64::MAX { self.workers.len() } else { 1 };
        let mut all = self.workers.iter_mut().take(threads).map(|worker| Looking { worker, table, budget, done });
        let mut first = all.next()?;
        let found = std::thread::scope(|scope| {
            for (number, mut helper) in all.enumerate() {
                let mut board = board.clone();
                // Every second one is a depth ahead, so that not all do the same. What is proven against the best point is
                // the first one's to say.
                helper.worker.refutes = false;
                // Where the system has no more threads for us, those there are do.
                let _ = std::thread::Builder::new()
                    .spawn_scoped(scope, move || helper.deepen(&mut board, 1 + (number as i32 + 1) % 2));
            }
            let found =
                first.won_by_fours(board).or_else(|| first.won_by_threats(board)).or_else(|| first.deepen(board, 1));
            done.store(true, Relaxed);
            found
        });
        found.or_else(|| at_a_glance(board).map(|point| Found { point, score: 0, depth: 0, line: vec![point] }))
    }
}

impl Looking<'_> {
    /// Searches deeper and deeper until the budget is over.
    fn deepen(&mut self, board: &mut Board, first_depth: i32) -> Option<Found> {
        let mut found: Option<Found> = None;
        for depth in first_depth..64 {
            let around = found.as_ref().map_or(0, |found| found.score);
            self.worker.best = None;
            let value = self.widening(board, depth, around);
            // An unfinished depth counts as far as it got: its first point was the best of the depth before.
            if let Some((point, score)) = self.worker.best {
                let score = if self.worker.stopped { score } else { value };
                let line = self.line(board, point);
                found = Some(Found { point, score, depth: depth as u32, line });
            }
            let decided = value.abs() > WIN_FLOOR && WIN - value.abs() <= depth;
            let alone = self.worker.lists[0].len() == 1;
            if self.worker.stopped || decided || alone || !self.budget.allows(self.worker.nodes(), 2.0) {
                break;
            }
        }
        found
    }

    /// The solver's word on the position itself, with more effort than inside the search.
    fn won_by_fours(&mut self, board: &mut Board) -> Option<Found> {
        if !self.worker.by_fours {
            return None;
        }
        let mut effort = 1000;
        while effort <= 16_000 && !self.budget.is_over(self.worker.nodes() + u64::from(effort)) {
            if let Some(plies) = self.worker.fours.find(board, board.to_move, effort, self.budget) {
                let line: Vec<usize> = self.worker.fours.line().collect();
                return Some(Found { point: *line.first()?, score: WIN - plies, depth: plies as u32, line });
            }
            effort *= 4;
        }
        None
    }

    /// The word of the solver of fours and threes, with a part of the time.
    fn won_by_threats(&mut self, board: &mut Board) -> Option<Found> {
        if !self.worker.by_threats {
            return None;
        }
        let part = self.budget.part(SHARE_OF_THREATS);
        let effort = u32::try_from(part.nodes() / 8).unwrap_or(u32::MAX);
        let (_, plies) = self.worker.threats.find(board, board.to_move, &mut self.worker.fours, effort, &part)?;
        let line: Vec<usize> = self.worker.threats.line().collect();
        Some(Found { point: *line.first()?, score: WIN - plies, depth: plies as u32, line })
    }

    /// Searches in a narrow window around the last value and widens it while the value falls outside.
    fn widening(&mut self, board: &mut Board, depth: i32, around: i32) -> i32 {
        let mut width = if depth < 4 || around.abs() > WIN_FLOOR { WIN * 2 } else { 120 };
        loop {
            let (low, high) = ((around - width).max(-WIN), (around + width).min(WIN));
            let value = self.look(board, depth, 0, low, high);
            if self.worker.stopped || (value > low && value < high) || (low == -WIN && high == WIN) {
                return value;
            }
            width = if width > 1000 { WIN * 2 } else { width * 4 };
        }
    }

    fn look(&mut self, board: &mut Board, depth: i32, ply: usize, mut alpha: i32, mut beta: i32) -> i32 {
        self.worker.nodes += 1;
        if self.worker.nodes() >= self.worker.look_at_clock {
            self.worker.look_at_clock = (self.worker.nodes() + CLOCK_EVERY).min(self.budget.nodes());
            self.worker.stopped |= self.budget.is_over(self.worker.nodes()) || self.done.load(Relaxed);
        }
        if self.worker.stopped {
            return alpha;
        }
        if board.free_count == 0 {
            return 0;
        }
        let (own, enemy) = (board.to_move, board.to_move.other());
        let ahead = ply as i32;
        if board.count(own, kind::FIVE) > 0
            && let Some(point) = each(board.set(own, kind::FIVE)).next()
        {
            self.note(ply, point, WIN - ahead - 1);
            return WIN - ahead - 1;
        }
        // Nothing better than winning with the next stone but one, nothing worse than losing by the enemy's next.
        alpha = alpha.max(ahead + 2 - WIN);
        beta = beta.min(WIN - ahead - 3);
        if alpha >= beta && ply > 0 {
            return alpha;
        }
        if board.count(enemy, kind::FIVE) > 0 {
            return self.parry(board, depth, ply, alpha, beta);
        }
        if let Some(point) = unstoppable(board, own) {
            self.note(ply, point, WIN - ahead - 3);
            return WIN - ahead - 3;
        }
        let key = board.key();
        let known = self.table.get(key);
        if let Some(entry) = known
            && ply > 0
            && i32::from(entry.depth) >= depth.max(0)
        {
            let value = from_table(entry.value, ply);
            match entry.bound {
                Bound::Exact => return value,
                Bound::AtLeast if value >= beta => return value,
                Bound::AtMost if value <= alpha => return value,
                _ => {}
            }
        }
        if ply > 0 && self.worker.by_fours {
            let effort = if depth > 0 { EFFORT_INSIDE } else { EFFORT_AT_END };
            if let Some(plies) = self.worker.fours.find(board, own, effort, self.budget) {
                let value = WIN - ahead - plies;
                let point = self.worker.fours.line().next().map_or(0, |point| point as u32 + 1);
                let entry = Entry { value: to_table(value, ply), depth: 60, bound: Bound::AtLeast, ply: point };
                self.table.put(key, entry);
                return value;
            }
        }
        let threatened = unstoppable(board, enemy).is_some();
        let quiet = board.value();
        if ply + 1 >= DEEPEST || depth <= 0 && !(threatened && depth > -4) {
            return quiet;
        }
        if !threatened && ply > 0 && depth <= 3 && beta.abs() < WIN_FLOOR && quiet - 130 * depth >= beta {
            return quiet;
        }
        let mut list = std::mem::take(&mut self.worker.lists[ply]);
        self.gather(board, ply, depth, threatened, known.map_or(0, |entry| entry.ply), &mut list);
        let value = self.each_point(board, depth, ply, alpha, beta, &mut list, key);
        self.worker.lists[ply] = list;
        value
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one node; a struct would be built at every node")]
    fn each_point(
        &mut self,
        board: &mut Board,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        list: &mut [(i32, u16)],
        key: u64,
    ) -> i32 {
        let (mut best, mut best_point, mut low) = (ply as i32 + 2 - WIN, 0, alpha);
        for index in 0..list.len() {
            pick(list, index);
            let point = usize::from(list[index].1);
            let forcing = board.kind(board.to_move, point) >= kind::THREE;
            board.play(point);
            let value = if index == 0 {
                -self.look(board, depth - 1, ply + 1, -beta, -low)
            } else {
                // Late points are rarely best: a shallower look with no window must say that they might be.
                let late = depth >= 3 && index >= 3 && !forcing;
                let less = if late { 1 + i32::from(index >= 10) + i32::from(index >= 22) + depth / 8 } else { 0 };
                let mut value = -self.look(board, depth - 1 - less, ply + 1, -low - 1, -low);
                if value > low && less > 0 {
                    value = -self.look(board, depth - 1, ply + 1, -low - 1, -low);
                }
                if value > low && value < beta {
                    value = -self.look(board, depth - 1, ply + 1, -beta, -low);
                }
                value
            };
            let value = match value > low && ply == 0 && !self.worker.stopped {
                true => self.refuted(board, depth).unwrap_or(value),
                false => value,
            };
            board.undo();
            if self.worker.stopped {
                return best;
            }
            if value > best || best_point == 0 && ply == 0 {
                best = best.max(value);
                if value > low || index == 0 {
                    best_point = point as u32 + 1;
                    self.note(ply, point, value);
                }
                low = low.max(value);
            }
            if low >= beta {
                self.reward(board.to_move, ply, depth, point);
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
        let entry = Entry { value: to_table(best, ply), depth: depth.max(0) as u8, bound, ply: best_point };
        self.table.put(key, entry);
        best
    }

    /// What the position after a point that looks best is worth to who played there, if the enemy wins by threats that
    /// the main search is too shallow to see.
    fn refuted(&mut self, board: &mut Board, depth: i32) -> Option<i32> {
        if !self.worker.refutes || depth < 3 {
            return None;
        }
        let part = self.budget.part(SHARE_OF_REFUTING);
        let most = u32::try_from(part.nodes() / 8).unwrap_or(u32::MAX);
        let effort = most.min((EFFORT_OF_REFUTING * depth) as u32);
        let (_, plies) = self.worker.threats.find(board, board.to_move, &mut self.worker.fours, effort, &part)?;
        Some(1 + plies - WIN)
    }

    /// The enemy threatens five: only what stops it is played, and it costs no depth.
    fn parry(&mut self, board: &mut Board, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        let lost = ply as i32 + 2 - WIN;
        let replies = stops(board, board.to_move.other());
        if ply + 1 >= DEEPEST {
            return board.value();
        }
        if replies.is_empty() {
            if ply == 0 {
                // Lost, but what can be stopped is stopped: the enemy may not see the rest.
                let points = *board.set(board.to_move.other(), kind::FIVE);
                let point = each(&points).find(|&point| board.is_legal(board.to_move, point));
                if let Some(point) = point {
                    self.note(ply, point, lost);
                }
            }
            return lost;
        }
        if ply == 0 {
            self.worker.lists[0] = replies.iter().map(|&point| (0, point as u16)).collect();
        }
        let (mut best, mut low) = (lost, alpha);
        for (index, reply) in replies.into_iter().enumerate() {
            board.play(reply);
            let value = -self.look(board, depth, ply + 1, -beta, -low);
            board.undo();
            if self.worker.stopped && index > 0 {
                break;
            }
            if index == 0 || value > best {
                best = value;
                self.note(ply, reply, value);
            }
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        best
    }

    /// Remembers the root's best at once: the search may be stopped at any moment.
    fn note(&mut self, ply: usize, point: usize, value: i32) {
        if ply == 0 {
            self.worker.best = Some((point, value));
        }
    }

    /// The points worth trying, with what they promise.
    fn gather(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        threatened: bool,
        known: u32,
        list: &mut Vec<(i32, u16)>,
    ) {
        list.clear();
        let own = board.to_move;
        let killers = self.worker.killers[ply];
        let history = &self.worker.history[own.index()];
        let mut add = |point: usize| {
            if !board.is_legal(own, point) {
                return;
            }
            let mut promise = board.promise(point) * 16 + history[point].min(2000);
            if killers.contains(&(point as u16)) {
                promise += 1200;
            }
            if point as u32 + 1 == known {
                promise = i32::MAX;
            }
            list.push((promise, point as u16));
        };
        if threatened {
            each(&parries(board, own.other())).for_each(&mut add);
        } else {
            each(&board.near()).for_each(&mut add);
        }
        if list.is_empty() {
            each(board.free())
                .filter(|&point| board.is_legal(own, point))
                .for_each(|point| list.push((0, point as u16)));
        }
        let most = if ply == 0 { 60 } else { (14 + 3 * depth.max(0) as usize).min(40) };
        if list.len() > most {
            list.select_nth_unstable_by(most, |a, b| b.cmp(a));
            list.truncate(most);
        }
    }

    /// A quiet point that refuted a line is tried early elsewhere.
    fn reward(&mut self, colour: Side, ply: usize, depth: i32, point: usize) {
        if self.worker.killers[ply][0] != point as u16 {
            self.worker.killers[ply] = [point as u16, self.worker.killers[ply][0]];
        }
        let value = &mut self.worker.history[colour.index()][point];
        *value += depth * depth;
        if *value > 4000 {
            self.worker.history.iter_mut().for_each(|history| history.iter_mut().for_each(|value| *value /= 2));
        }
    }

    /// The line the table knows from this point on.
    fn line(&self, board: &mut Board, first: usize) -> Vec<usize> {
        let mut line = vec![first];
        board.play(first);
        while line.len() < 32 && board.free_count > 0 {
            let known = self.table.get(board.key()).filter(|entry| entry.ply != 0);
            let Some(point) = known.map(|entry| entry.ply as usize - 1) else { break };
            if point >= POINTS || !board.is_free(point) || !board.is_legal(board.to_move, point) {
                break;
            }
            let over = board.kind(board.to_move, point) == kind::FIVE;
            line.push(point);
            board.play(point);
            if over {
                break;
            }
        }
        for _ in 0..line.len() {
            board.undo();
        }
        line
    }
}

/// What to play when there was no time to search at all: five, what stops five, or what looks best.
fn at_a_glance(board: &mut Board) -> Option<usize> {
    let own = board.to_move;
    let five = each(board.set(own, kind::FIVE)).next();
    let stop = || stops(board, own.other()).first().copied();
    let forced = five.or_else(stop);
    forced.or_else(|| {
        each(board.free()).filter(|&point| board.is_legal(own, point)).max_by_key(|&point| board.promise(point))
    })
}

/// Brings the most promising of the remaining points to `index`.
fn pick(list: &mut [(i32, u16)], index: usize) {
    if let Some(best) = (index..list.len()).max_by_key(|&at| list[at]) {
        list.swap(index, best);
    }
}

//! Iterative deepening alpha-beta search of any open game.
//!
//! Principal variation search with a table of positions, killers and history for the order of plies, shallower looks at
//! late plies, and a quiet end of every line. A game brings a [`Sight`]; everything else is here. With several threads all
//! search the same position and share what they find by the table; the first one's word counts.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use games::{End, Game};

use super::budget::Budget;
use super::seat::Thought;
use super::transpositions::{Bound, Entry, Transpositions};
use crate::Settings;

/// A won game, less one for every ply until then.
pub const WIN: i32 = 1_000_000;
/// Values beyond this are wins; an evaluation stays within.
pub const WIN_FLOOR: i32 = 900_000;

/// From this promise on a ply changes so much that a line must not end before it.
pub const LOUD: i32 = 1 << 21;
/// The promise of a killer: above every quiet ply, below loud ones.
const KILLER: i32 = 1 << 20;

/// The deepest line.
const DEEPEST: usize = 128;
/// How often the clock is looked at.
const CLOCK_EVERY: u64 = 1024;
const HISTORY: usize = 1 << 14;
/// From here on plies are all equally late.
const LATE: usize = 64;

/// How boldly lines that look hopeless are cut short.
#[derive(Debug, Clone, Copy)]
pub struct Haste {
    /// So many plies before the end of a line and less.
    pub near: i32,
    /// What a position must be worth less than asked, or more, for each ply to the end, to be looked at no further but for
    /// what is loud, or not at all.
    pub margin: i32,
    /// How many plies are looked at one ply before the end, and half as many more for the square of every ply before that.
    pub few: i32,
    /// How slowly the look at late plies gets shallower.
    pub calm: f32,
}

/// What the search must know of a game beside its rules.
pub trait Sight<G: Game>: Clone + Send {
    /// What the position is worth to the side to move, within ±[`WIN_FLOOR`].
    fn value(&mut self, game: &G) -> i32;
    /// A ply as a number above 0, different for different plies of a position.
    fn pack(ply: G::Ply) -> u32;
    /// The legal plies, each with how promising it looks before anything is known of it.
    fn visit(&mut self, game: &G, visit: impl FnMut(i32, G::Ply));
    /// Those that promise [`LOUD`] or more, which are looked at even where the search ends.
    fn visit_loud(&mut self, game: &G, mut visit: impl FnMut(i32, G::Ply)) {
        self.visit(game, |promise, ply| {
            if promise >= LOUD {
                visit(promise, ply);
            }
        });
    }
    /// How many loud plies in a row are looked at where the search ends; captured pieces that change sides can be fought
    /// over for ever.
    const SETTLE: u32;
    /// How boldly lines are cut short.
    const HASTE: Haste;
    /// The key of a position in the table: its hash, unless a limit of plies is near.
    fn key(&self, game: &G) -> u64 {
        game.hash()
    }
    /// Whether passing could be worse than any ply here: then no null move is tried.
    fn may_pass(&self, _game: &G) -> bool {
        false
    }
    /// The same position with the other side to move, where `may_pass`.
    fn passed(&self, game: &G) -> G {
        game.clone()
    }
    /// What a ply at the root costs beside what the search says of it; `game` is the position it leads to.
    fn tax(&self, _game: &G) -> i32 {
        0
    }
    /// What a draw is worth to the side to move.
    fn draw(&self, _game: &G) -> i32 {
        0
    }
}

/// The search, with what it remembers from ply to ply.
pub struct AlphaBeta<G: Game, S> {
    table: Transpositions,
    /// One for each thread.
    workers: Vec<Worker<G, S>>,
}

/// What a thread has for itself.
struct Worker<G: Game, S> {
    sight: S,
    killers: Vec<[u32; 2]>,
    history: Vec<i32>,
    /// One list of plies for each depth, kept so that nothing is allocated while searching.
    lists: Vec<Vec<(i32, G::Ply)>>,
    /// How much shallower a late ply is looked at, by depth and by how late it comes.
    shallower: Vec<[u8; LATE]>,
    nodes: u64,
    stopped: bool,
}

/// One thread at one search.
struct Search<'a, G: Game, S> {
    worker: &'a mut Worker<G, S>,
    table: &'a Transpositions,
    budget: &'a Budget,
    /// The first thread is done, so the others are.
    done: &'a AtomicBool,
}

/// The bytes of a table within these settings; next to none where it is left out.
#[must_use]
pub fn table_size(settings: &Settings) -> usize {
    if settings.uses("table") { settings.memory / 2 } else { 1 << 10 }
}

impl<G: Game, S: Sight<G>> AlphaBeta<G, S> {
    /// A search of so many threads with a table of at most this many bytes.
    #[must_use]
    pub fn new(sight: S, bytes: usize, threads: usize) -> Self {
        let worker = |sight| Worker {
            sight,
            killers: vec![[0; 2]; DEEPEST + 1],
            history: vec![0; HISTORY],
            lists: (0..=DEEPEST).map(|_| Vec::new()).collect(),
            shallower: shallower(S::HASTE.calm),
            nodes: 0,
            stopped: false,
        };
        let workers = std::iter::repeat_n(sight, threads.max(1)).map(worker).collect();
        Self { table: Transpositions::new(bytes), workers }
    }

    /// Forgets everything: another game begins.
    pub fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.history.fill(0));
    }

    /// Changes what every thread knows of the game.
    pub fn tell(&mut self, change: impl Fn(&mut S)) {
        self.workers.iter_mut().for_each(|worker| change(&mut worker.sight));
    }

    /// The best ply found within the budget; `None` when there is none.
    pub fn search(&mut self, game: &G, budget: &Budget) -> Option<Thought<G::Ply>> {
        self.table.next_search();
        let (table, done) = (&self.table, &AtomicBool::new(false));
        // A budget of positions is one thread's: what it buys must not depend on how threads are scheduled.
        let threads = if budget.nodes() == u64::MAX { self.workers.len() } else { 1 };
        let mut searches = self.workers.iter_mut().take(threads).map(|worker| Search { worker, table, budget, done });
        let mut first = searches.next()?;
        let mut thought = std::thread::scope(|scope| {
            for (number, mut helper) in searches.enumerate() {
                let game = game.clone();
                // Every second one is a depth ahead, so that not all do the same.
                // Where the system has no more threads for us, those there are do.
                let _ = std::thread::Builder::new()
                    .spawn_scoped(scope, move || helper.deepen(&game, 1 + (number as i32 + 1) % 2));
            }
            let thought = first.deepen(game, 1);
            done.store(true, Relaxed);
            thought
        });
        if let Some(thought) = &mut thought {
            thought.nodes = self.workers.iter().take(threads).map(|worker| worker.nodes).sum();
        }
        thought
    }
}

impl<G: Game, S: Sight<G>> Search<'_, G, S> {
    /// Searches deeper and deeper until the budget is over.
    fn deepen(&mut self, game: &G, first_depth: i32) -> Option<Thought<G::Ply>> {
        self.worker.killers.fill([0; 2]);
        self.worker.history.iter_mut().for_each(|value| *value /= 8);
        (self.worker.nodes, self.worker.stopped) = (0, false);
        let mut position = game.clone();
        let mut best: Option<Thought<G::Ply>> = None;
        let only = game.count_legal() == 1;
        for depth in first_depth..DEEPEST as i32 / 2 {
            let around = best.as_ref().map_or(0, |thought| thought.score);
            let value = self.widening(&mut position, depth, around);
            let line = self.line(game);
            // An unfinished depth counts as far as it got: its first ply was the best of the depth before.
            if let Some(&ply) = line.first()
                && (!self.worker.stopped || best.is_some())
            {
                let score = if self.worker.stopped { around } else { value };
                best = Some(Thought { ply, score, depth: depth as u32, nodes: self.worker.nodes, line });
            }
            let decided = value.abs() > WIN_FLOOR && WIN - value.abs() <= depth;
            if self.worker.stopped || decided || only || !self.budget.allows(self.worker.nodes, 2.0) {
                break;
            }
        }
        best.or_else(|| self.any(game))
    }

    /// Any legal ply, when there was no time for the first depth.
    fn any(&self, game: &G) -> Option<Thought<G::Ply>> {
        let mut found = None;
        let _ = game.visit_legal(|ply| {
            found = Some(Thought { ply, score: 0, depth: 0, nodes: self.worker.nodes, line: vec![ply] });
            ControlFlow::Break(())
        });
        found
    }

    /// Searches in a narrow window around the last value and widens it while the value falls outside.
    fn widening(&mut self, game: &mut G, depth: i32, around: i32) -> i32 {
        let mut width = if depth < 4 { WIN * 2 } else { 60 };
        loop {
            let (low, high) = ((around - width).max(-WIN), (around + width).min(WIN));
            let value = self.look(game, depth, 0, low, high, true);
            if self.worker.stopped || (value > low && value < high) || (low == -WIN && high == WIN) {
                return value;
            }
            width = if width > 1000 { WIN * 2 } else { width * 4 };
        }
    }

    fn look(&mut self, game: &mut G, depth: i32, ply: usize, alpha: i32, beta: i32, main: bool) -> i32 {
        self.worker.nodes += 1;
        if self.worker.nodes.is_multiple_of(CLOCK_EVERY) || self.worker.nodes >= self.budget.nodes() {
            self.worker.stopped |= self.budget.is_over(self.worker.nodes) || self.done.load(Relaxed);
        }
        if self.worker.stopped {
            return alpha;
        }
        if let Some(verdict) = game.verdict() {
            return self.ended(game, verdict.winner, ply);
        }
        if depth <= 0 || ply >= DEEPEST {
            return self.settle(game, ply, S::SETTLE, alpha, beta);
        }
        let key = self.worker.sight.key(game);
        // One ply before the end a look costs less than waiting for the table's memory.
        let kept = depth > 1 || ply == 0;
        let known = if kept { self.table.get(key) } else { None };
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
        if !main
            && depth >= 3
            && beta.abs() < WIN_FLOOR
            && self.worker.sight.may_pass(game)
            && self.worker.sight.value(game) >= beta
        {
            let mut passed = self.worker.sight.passed(game);
            let value = -self.look(&mut passed, depth - 3, ply + 1, -beta, 1 - beta, false);
            if value >= beta && !self.worker.stopped {
                return beta;
            }
        }
        let decided = alpha.abs().max(beta.abs()) >= WIN_FLOOR;
        let (mut best, mut best_ply, mut low) = (-WIN, 0, alpha);
        let mut enough = usize::MAX;
        let haste = S::HASTE;
        if !main && depth <= haste.near && !decided {
            let (value, margin) = (self.worker.sight.value(game), haste.margin * depth);
            if value - margin >= beta {
                return value;
            }
            if value + margin <= alpha {
                best = value;
            }
            enough = (haste.few + haste.few * depth * depth / 2) as usize;
        }
        let hopeless = best > -WIN;
        let mut plies = std::mem::take(&mut self.worker.lists[ply]);
        if hopeless {
            plies.clear();
            self.worker.sight.visit_loud(game, |promise, candidate| plies.push((promise, candidate)));
        } else {
            self.list(game, ply, known.map_or(0, |entry| entry.ply), &mut plies);
        }
        for index in 0..plies.len() {
            pick(&mut plies, index);
            let (promise, candidate) = plies[index];
            if index >= enough && promise < KILLER && best > -WIN_FLOOR {
                break;
            }
            let mover = game.to_move();
            let memo = game.apply(candidate, End::Played);
            let turns = game.to_move() != mover;
            let tax = if ply == 0 { self.worker.sight.tax(game) } else { 0 };
            let mut search = |this: &mut Self, depth: i32, low: i32, high: i32, main: bool| {
                let (low, high) = (low + tax, high + tax);
                let value = if turns {
                    -this.look(game, depth, ply + 1, -high, -low, main)
                } else {
                    this.look(game, depth, ply + 1, low, high, main)
                };
                if value.abs() > WIN_FLOOR { value } else { value - tax }
            };
            let value = if index == 0 {
                search(self, depth - 1, low, beta, main)
            } else {
                // Late plies are rarely best: a shallower look with no window must say that they might be.
                let quiet = promise < KILLER;
                let less = if quiet && depth >= 3 && index >= 3 { self.shallower(depth, index) } else { 0 };
                let mut value = search(self, depth - 1 - less, low, low + 1, false);
                if value > low && less > 0 {
                    value = search(self, depth - 1, low, low + 1, false);
                }
                if value > low && value < beta {
                    value = search(self, depth - 1, low, beta, main);
                }
                value
            };
            game.undo(memo);
            if self.worker.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > low {
                    best_ply = S::pack(candidate);
                    low = value;
                    if ply == 0 {
                        // The root's best is kept at once: the search may be stopped at any moment.
                        self.table.put(
                            key,
                            Entry {
                                value: to_table(best, ply),
                                depth: depth as u8,
                                bound: Bound::AtLeast,
                                ply: best_ply,
                            },
                        );
                    }
                }
            }
            if low >= beta {
                self.reward(ply, depth, candidate, promise < LOUD);
                break;
            }
        }
        self.worker.lists[ply] = plies;
        if self.worker.stopped || !kept {
            return best;
        }
        let bound = if best >= beta {
            Bound::AtLeast
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table.put(key, Entry { value: to_table(best, ply), depth: depth as u8, bound, ply: best_ply });
        best
    }

    /// How much shallower a late ply is looked at.
    fn shallower(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.worker.shallower[depth as usize][index.min(LATE - 1)])
    }

    /// Ends a line where nothing loud is left.
    fn settle(&mut self, game: &mut G, ply: usize, room: u32, alpha: i32, beta: i32) -> i32 {
        let quiet = self.worker.sight.value(game);
        if quiet >= beta || room == 0 || ply >= DEEPEST {
            return quiet;
        }
        let (mut best, mut low) = (quiet, alpha.max(quiet));
        let mut plies = std::mem::take(&mut self.worker.lists[ply]);
        plies.clear();
        self.worker.sight.visit_loud(game, |promise, candidate| plies.push((promise, candidate)));
        for index in 0..plies.len() {
            pick(&mut plies, index);
            let mover = game.to_move();
            let memo = game.apply(plies[index].1, End::Played);
            self.worker.nodes += 1;
            let value = match game.verdict() {
                Some(verdict) => -self.ended(game, verdict.winner, ply + 1),
                None if game.to_move() == mover => self.settle(game, ply + 1, room - 1, low, beta),
                None => -self.settle(game, ply + 1, room - 1, -beta, -low),
            };
            game.undo(memo);
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        self.worker.lists[ply] = plies;
        best
    }

    /// The value of a decided game to the side that would move.
    fn ended(&self, game: &G, winner: Option<games::Side>, ply: usize) -> i32 {
        match winner {
            None => self.worker.sight.draw(game),
            Some(winner) if winner == game.to_move() => WIN - ply as i32,
            Some(_) => ply as i32 - WIN,
        }
    }

    /// All plies with what they promise.
    fn list(&mut self, game: &G, ply: usize, known: u32, plies: &mut Vec<(i32, G::Ply)>) {
        plies.clear();
        let Worker { sight, killers, history, .. } = &mut *self.worker;
        sight.visit(game, |promise, candidate| {
            let packed = S::pack(candidate);
            let promise = if packed == known {
                i32::MAX
            } else if promise >= LOUD {
                promise
            } else if killers[ply].contains(&packed) {
                KILLER
            } else {
                promise + history[packed as usize % HISTORY]
            };
            plies.push((promise, candidate));
        });
    }

    /// A quiet ply that refuted a line is tried early elsewhere.
    fn reward(&mut self, ply: usize, depth: i32, candidate: G::Ply, quiet: bool) {
        if !quiet {
            return;
        }
        let packed = S::pack(candidate);
        if self.worker.killers[ply][0] != packed {
            self.worker.killers[ply] = [packed, self.worker.killers[ply][0]];
        }
        let value = &mut self.worker.history[packed as usize % HISTORY];
        *value += depth * depth;
        if *value > KILLER / 2 {
            self.worker.history.iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// The line the table knows.
    fn line(&mut self, game: &G) -> Vec<G::Ply> {
        let (mut position, mut line, mut seen) = (game.clone(), Vec::new(), Vec::new());
        while position.verdict().is_none() && line.len() < 32 {
            let key = self.worker.sight.key(&position);
            let Some(entry) = self.table.get(key).filter(|entry| entry.ply != 0 && !seen.contains(&key)) else { break };
            seen.push(key);
            let mut next = None;
            let _ = position.visit_legal(|ply| {
                if S::pack(ply) == entry.ply {
                    next = Some(ply);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            let Some(ply) = next else { break };
            position.apply(ply, End::Played);
            line.push(ply);
        }
        line
    }
}

/// Grows with the depth and with how late a ply comes, ever more slowly; one ply at least is left.
fn shallower(calm: f32) -> Vec<[u8; LATE]> {
    let less = |depth: usize, index: usize| {
        let less = 0.5 + (depth.max(1) as f32).ln() * (index.max(1) as f32).ln() / calm;
        less.clamp(0.0, depth.saturating_sub(2) as f32) as u8
    };
    (0..=DEEPEST).map(|depth| std::array::from_fn(|index| less(depth, index))).collect()
}

/// Brings the most promising of the remaining plies to `index`: cheaper than sorting, as most lists end early.
fn pick<P>(plies: &mut [(i32, P)], index: usize) {
    let mut best = index;
    for at in index + 1..plies.len() {
        if plies[at].0 > plies[best].0 {
            best = at;
        }
    }
    plies.swap(index, best);
}

/// Wins are stored as seen from their position, not from the root.
pub(crate) const fn to_table(value: i32, ply: usize) -> i32 {
    if value > WIN_FLOOR {
        value + ply as i32
    } else if value < -WIN_FLOOR {
        value - ply as i32
    } else {
        value
    }
}

/// A stored value as seen from the root.
pub(crate) const fn from_table(value: i32, ply: usize) -> i32 {
    if value > WIN_FLOOR {
        value - ply as i32
    } else if value < -WIN_FLOOR {
        value + ply as i32
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_plies_are_looked_at_less_but_never_not_at_all() {
        let table = shallower(1.5);
        for depth in 3..DEEPEST {
            assert!(table[depth].is_sorted(), "depth {depth}");
            assert!(table[depth].iter().all(|&less| usize::from(less) <= depth - 2), "depth {depth}");
            assert!(table[depth][LATE - 1] >= table[depth - 1][LATE - 1], "depth {depth}");
        }
        assert!(table[8][LATE - 1] > table[8][3] && table[8][3] >= 1);
    }
}

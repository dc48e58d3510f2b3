//! Threats: what stops them, and wins by threats that take both of the enemy's stones every time.

use games::Side;
use games::random::mix;

use super::board::Board;
use crate::kit::{Budget, Failures};

/// How the enemy can stop all threats of a side with one ply.
pub(super) enum Covers {
    /// There is nothing to stop.
    Nothing,
    /// Each of these points stops everything alone.
    One(Vec<u16>),
    /// It takes one of these pairs.
    Two(Vec<(u16, u16)>),
    /// Nothing stops everything.
    None,
}

/// How all threats of a side can be stopped.
pub(super) fn covers(board: &Board, side: Side) -> Covers {
    if board.threat_count(side) == 0 {
        return Covers::Nothing;
    }
    let lines: Vec<[u16; 2]> = board.threats(side).map(|line| ends(board, line)).collect();
    let Some(&first) = lines.first() else { return Covers::Nothing };
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for point in distinct(first) {
        let mut rest = lines.iter().filter(|line| !line.contains(&point));
        let Some(&other) = rest.next() else {
            one.push(point);
            continue;
        };
        let rest: Vec<&[u16; 2]> = rest.collect();
        for second in distinct(other).filter(|second| rest.iter().all(|line| line.contains(second))) {
            let pair = (point.min(second), point.max(second));
            if !two.contains(&pair) {
                two.push(pair);
            }
        }
    }
    if !one.is_empty() {
        Covers::One(one)
    } else if two.is_empty() {
        Covers::None
    } else {
        Covers::Two(two)
    }
}

/// The one or two points that a threat lacks; one alone is named twice.
fn ends(board: &Board, line: usize) -> [u16; 2] {
    let mut missing = board.missing(line);
    let first = missing.next().unwrap_or(0);
    [first, missing.next().unwrap_or(first)]
}

fn distinct(ends: [u16; 2]) -> impl Iterator<Item = u16> {
    std::iter::once(ends[0]).chain((ends[1] != ends[0]).then_some(ends[1]))
}

/// The stones that complete a line of the side to move, if it can.
pub(super) fn winning(board: &Board, side: Side) -> Option<(u16, u16)> {
    let line = board.threats(side).next()?;
    let [first, second] = ends(board, line);
    Some((first, second))
}

/// The first two stones of a win, and the plies it takes.
pub(super) type Win = ((u16, u16), i32);

/// The longest win looked for, in plies of the attacker.
const DEEPEST: usize = 16;
/// First stones and second stones tried at every step.
const FIRST: usize = 14;
const SECOND: usize = 12;
/// Pairs of earlier wins that are tried before all others.
const PLANNED: usize = 24;

/// Wins kept at each ply of the search.
const KEPT: usize = 2;

/// How the solver lets the enemy answer threats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replies {
    /// With all stones that stop anything, at once: a win against more stones than he may put is a win against any two of
    /// them. One reply instead of many finds most wins, and far deeper ones.
    Together,
    /// With every pair that stops everything, one after the other, where all at once are too many to win against.
    Singly,
}

/// The solver, with what it remembers.
pub(super) struct Solver {
    failed: Failures,
    replies: Replies,
    /// The attacker's pairs of the win being proven.
    proof: Vec<(u16, u16)>,
    /// The pairs of wins found before, the latest first: what wins against all replies at once goes on winning against the
    /// one that came, but with fewer stones on the board other pairs look better and would hide it.
    plan: Vec<(u16, u16)>,
    /// Tells failures with this plan from those with another.
    plan_key: u64,
    /// The attacker's pairs of wins found at each ply of the search, the latest first.
    lines: Vec<Vec<Vec<(u16, u16)>>>,
    /// Positions looked at since the search began.
    pub(super) nodes: u64,
    stop_at: u64,
    gave_up: bool,
}

impl Solver {
    /// A solver that remembers failures in about so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            failed: Failures::new(bytes),
            replies: Replies::Together,
            proof: Vec::new(),
            plan: Vec::new(),
            plan_key: 0,
            lines: Vec::new(),
            nodes: 0,
            stop_at: 0,
            gave_up: false,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.failed.clear();
        self.plan.clear();
        self.plan_key = 0;
        self.lines.clear();
    }

    /// A win, if this side is to move: one that was found in another position of the same ply and still wins, or a new one.
    pub(super) fn find_or_repeat(
        &mut self,
        board: &mut Board,
        ply: usize,
        effort: u32,
        budget: &Budget,
    ) -> Option<Win> {
        if self.lines.len() <= ply {
            self.lines.resize_with(ply + 1, Vec::new);
        }
        let attacker = board.to_move;
        // What wins against one pair of the enemy's mostly wins against his other pairs too. To play it over takes a few
        // positions where to find it anew would take hundreds.
        let mut known = std::mem::take(&mut self.lines[ply]);
        let won = known.iter().enumerate().find_map(|(index, line)| Some((index, self.replay(board, attacker, line)?)));
        let win = won.map(|(index, plies)| {
            known[..=index].rotate_right(1);
            (known[0][0], plies)
        });
        let win = win.or_else(|| {
            let win = self.find(board, attacker, Replies::Together, effort, budget)?;
            if !self.proof.is_empty() {
                known.truncate(KEPT - 1);
                known.insert(0, self.proof.iter().rev().copied().collect());
            }
            Some(win)
        });
        self.lines[ply] = known;
        win
    }

    /// How many plies a win takes, if these pairs of the attacker's win here against all replies at once.
    fn replay(&mut self, board: &mut Board, attacker: Side, line: &[(u16, u16)]) -> Option<i32> {
        let (&(first, second), rest) = line.split_first()?;
        if !board.is_empty(first) || !board.is_empty(second) {
            return None;
        }
        self.nodes += 1;
        board.try_put(attacker, first);
        board.try_put(attacker, second);
        let won = if board.threat_count(attacker.other()) > 0 { None } else { self.replayed(board, attacker, rest) };
        board.try_take(attacker, second);
        board.try_take(attacker, first);
        won
    }

    /// The same when the threats have been made.
    fn replayed(&mut self, board: &mut Board, attacker: Side, rest: &[(u16, u16)]) -> Option<i32> {
        match covers(board, attacker) {
            Covers::None => Some(3),
            Covers::Nothing | Covers::One(_) => None,
            Covers::Two(pairs) => {
                let points = all_points(&pairs);
                points.iter().for_each(|&point| board.try_put(attacker.other(), point));
                let won = self.replay(board, attacker, rest);
                points.iter().rev().for_each(|&point| board.try_take(attacker.other(), point));
                Some(won? + 2)
            }
        }
    }

    /// Keeps the pairs of the win found last for the plies to come.
    pub(super) fn remember(&mut self) {
        let Self { plan, proof, .. } = self;
        plan.retain(|pair| !proof.contains(pair));
        plan.splice(0..0, proof.drain(..));
        plan.truncate(PLANNED);
        self.plan_key = plan.iter().fold(0, |key, &(a, b)| mix(&[key, u64::from(a) << 16 | u64::from(b)]));
    }

    /// The first stones of a win and the plies it takes, if this side is to move and one is found within the effort.
    pub(super) fn find(
        &mut self,
        board: &mut Board,
        attacker: Side,
        replies: Replies,
        effort: u32,
        budget: &Budget,
    ) -> Option<Win> {
        self.replies = replies;
        self.stop_at = self.nodes + u64::from(effort);
        self.gave_up = false;
        self.proof.clear();
        self.attack(board, attacker, effort, 0, budget)
    }

    fn attack(&mut self, board: &mut Board, attacker: Side, effort: u32, depth: usize, budget: &Budget) -> Option<Win> {
        if let Some(stones) = winning(board, attacker) {
            return Some((stones, 1));
        }
        if depth >= DEEPEST || board.empty().len() < 4 {
            return None;
        }
        self.nodes += 1;
        // A position here costs as much as reading the clock a hundred times.
        if self.nodes >= self.stop_at || budget.is_over(0) {
            self.gave_up = true;
            return None;
        }
        let mut hash =
            board.stones_key() ^ self.plan_key ^ if attacker == Side::Black { 0 } else { 0x5851_f42d_4c95_7f2d };
        if self.replies == Replies::Singly {
            // What fails against all at once may not fail against each.
            hash ^= 0x2545_f491_4f6c_dd1d;
        }
        if self.failed.knows(hash, effort) {
            return None;
        }
        for stones in self.attacks(board, attacker) {
            board.put(attacker, stones.0);
            board.put(attacker, stones.1);
            let won = self.answered(board, attacker, effort, depth, budget);
            board.take(stones.1);
            board.take(stones.0);
            if let Some(plies) = won {
                self.proof.push(stones);
                return Some((stones, plies + 1));
            }
            if self.gave_up {
                break;
            }
        }
        self.failed.note(hash, if self.gave_up { effort } else { Failures::WHOLE });
        None
    }

    /// How many plies the win takes from here, if every reply to the threats just made loses.
    fn answered(
        &mut self,
        board: &mut Board,
        attacker: Side,
        effort: u32,
        depth: usize,
        budget: &Budget,
    ) -> Option<i32> {
        let defender = attacker.other();
        match covers(board, attacker) {
            Covers::None => Some(2),
            Covers::Nothing | Covers::One(_) => None,
            Covers::Two(pairs) if self.replies == Replies::Together => {
                let points = all_points(&pairs);
                points.iter().for_each(|&point| board.put(defender, point));
                let won = self.attack(board, attacker, effort, depth + 1, budget);
                points.iter().rev().for_each(|&point| board.take(point));
                Some(won?.1 + 1)
            }
            Covers::Two(pairs) => {
                let mut longest = 2;
                for (first, second) in pairs {
                    board.put(defender, first);
                    board.put(defender, second);
                    let won = self.attack(board, attacker, effort, depth + 1, budget);
                    board.take(second);
                    board.take(first);
                    longest = longest.max(won?.1 + 1);
                }
                Some(longest)
            }
        }
    }

    /// Pairs that make threats which take two stones to stop and that stop the enemy's, the strongest first.
    fn attacks(&mut self, board: &mut Board, attacker: Side) -> Vec<(u16, u16)> {
        let defender = attacker.other();
        let mut found: Vec<(i32, (u16, u16))> = Vec::new();
        for (age, &(first, second)) in self.plan.iter().enumerate() {
            if !board.is_empty(first) || !board.is_empty(second) {
                continue;
            }
            board.try_put(attacker, first);
            board.try_put(attacker, second);
            match ways_out(board, attacker) {
                Some(0) => found.push((i32::MAX, (first, second))),
                Some(_) => found.push((i32::MAX / 2 - age as i32, (first, second))),
                None => {}
            }
            board.try_take(attacker, second);
            board.try_take(attacker, first);
            if found.last().is_some_and(|(worth, _)| *worth == i32::MAX) {
                return vec![(first, second)];
            }
        }
        for first in attackers(board, attacker, 4, FIRST) {
            board.put(attacker, first);
            for second in attackers(board, attacker, 3, SECOND) {
                let pair = (first.min(second), first.max(second));
                // One threat alone never takes two stones to stop.
                if board.threats_with(attacker, second) < 2 || found.iter().any(|(_, known)| *known == pair) {
                    continue;
                }
                board.try_put(attacker, second);
                match ways_out(board, attacker) {
                    Some(0) => found.push((i32::MAX, pair)),
                    // Few ways out, and much gained: tried early.
                    Some(ways) => {
                        let gain = board.gain(attacker) + board.worth(attacker, second) + board.worth(defender, second);
                        found.push((gain - 8 * ways as i32, pair));
                    }
                    None => {}
                }
                board.try_take(attacker, second);
                if found.last().is_some_and(|(worth, _)| *worth == i32::MAX) {
                    break;
                }
            }
            board.take(first);
            if found.last().is_some_and(|(worth, _)| *worth == i32::MAX) {
                return vec![found.last().map_or((0, 0), |(_, pair)| *pair)];
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.into_iter().map(|(_, pair)| pair).collect()
    }
}

/// The points of these pairs, each once.
fn all_points(pairs: &[(u16, u16)]) -> Vec<u16> {
    let mut points: Vec<u16> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// In how many ways two stones stop the attacker's threats, where one is not enough and the defender threatens nothing.
fn ways_out(board: &Board, attacker: Side) -> Option<usize> {
    if board.threat_count(attacker.other()) > 0 || board.threat_count(attacker) < 2 {
        return None;
    }
    match covers(board, attacker) {
        Covers::None => Some(0),
        Covers::Two(ways) => Some(ways.len()),
        Covers::Nothing | Covers::One(_) => None,
    }
}

/// The most valuable points on lines that lack at most so many stones.
fn attackers(board: &mut Board, side: Side, lacking: usize, most: usize) -> Vec<u16> {
    let points = board.on_lines_lacking(side, lacking);
    let mut points: Vec<(i32, u16)> = points.into_iter().map(|point| (board.worth(side, point), point)).collect();
    points.sort_unstable_by(|a, b| b.cmp(a));
    points.truncate(most);
    points.into_iter().map(|(_, point)| point).collect()
}

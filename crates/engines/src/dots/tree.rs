//! A tree search for positions that cannot be solved yet.
//!
//! Playouts draw random lines that give nothing away until few are left, and the solver says who wins from there: what
//! decides a game is the number of long chains, and only the end of the game tells it.

use games::random::{below, nth_bit_wide};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::net::Net;
use super::solver::{Choice, Solver};
use crate::kit::Budget;

/// How much the search prefers what it has seldom tried.
const CURIOSITY: f32 = 0.9;
/// With so few safe lines left the solver is asked.
const FEW: u32 = 9;
/// How many positions the solver may look at in a playout, while safe lines are left and when none is.
const GLANCE: u64 = 60;
const LOOK: u64 = 800;

/// A position in the tree. Points of view are those of the side that is to move in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) net: Net,
    /// How many boxes it is ahead.
    pub(super) ahead: i32,
    /// Boxes it may take or leave to the other side.
    pub(super) offered: i32,
}

impl State {
    /// The result for the side to move, if these bounds of what is left decide it.
    fn result(&self, (low, high): (i32, i32)) -> Option<f32> {
        let (low, high) = (self.offered + low, self.offered + high);
        let (least, most) = match self.offered {
            0 => (low, high),
            // Taking and leaving are worth the same but for the sign.
            _ if low <= 0 && high >= 0 => (0, high.max(-low)),
            _ => (low.abs().min(high.abs()), low.abs().max(high.abs())),
        };
        match ((self.ahead + least).signum(), (self.ahead + most).signum()) {
            (1, _) => Some(1.0),
            (_, -1) => Some(0.0),
            (0, 0) => Some(0.5),
            _ => None,
        }
    }
}

/// How a node was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A line where nothing could be taken.
    Draw(u8),
    /// The boxes on offer are taken, and the turn goes on.
    Take,
    /// They are left.
    Leave,
}

struct Node {
    state: State,
    step: Step,
    /// Whether the side to move is the one that moved before.
    goes_on: bool,
    prior: f32,
    visits: u32,
    /// The sum of results for the side to move here.
    sum: f32,
    children: (u32, u32),
    /// The result, where the solver has told it.
    solved: Option<f32>,
}

/// What a search found.
pub(super) struct Found {
    /// The steps of its own turn.
    pub(super) steps: Vec<Step>,
    /// The chance to win.
    pub(super) chance: f32,
    /// How far it looked, in steps.
    pub(super) depth: u32,
    /// Positions looked at: those of the tree, of playouts and of the solver.
    pub(super) nodes: u64,
}

/// The search.
pub(super) struct Tree<'a> {
    solver: &'a mut Solver,
    rng: &'a mut Xoshiro256PlusPlus,
    nodes: Vec<Node>,
    most: usize,
    looked_at: u64,
    depth: u32,
}

impl<'a> Tree<'a> {
    /// A tree of at most this many bytes.
    pub(super) fn new(solver: &'a mut Solver, rng: &'a mut Xoshiro256PlusPlus, bytes: usize) -> Self {
        Self {
            solver,
            rng,
            nodes: Vec::new(),
            most: (bytes / size_of::<Node>()).clamp(1000, 1 << 30),
            looked_at: 0,
            depth: 0,
        }
    }

    /// Searches until the budget is over.
    pub(super) fn search(mut self, root: State, budget: &Budget) -> Found {
        self.nodes.push(Node {
            state: root,
            step: Step::Take,
            goes_on: true,
            prior: 1.0,
            visits: 0,
            sum: 0.0,
            children: (0, 0),
            solved: None,
        });
        self.expand(0);
        let mut path = Vec::new();
        while !budget.is_over(self.looked_at) {
            self.once(&mut path);
        }
        let mut steps = Vec::new();
        let mut at = 0;
        let mut chance = None;
        loop {
            let (first, count) = self.nodes[at].children;
            // Of equals the first: it gives least away.
            let Some(best) = (first..first + count).rev().max_by_key(|&child| self.nodes[child as usize].visits) else {
                break;
            };
            let node = &self.nodes[best as usize];
            let result = node.sum / node.visits.max(1) as f32;
            chance.get_or_insert(if node.goes_on { result } else { 1.0 - result });
            steps.push(node.step);
            if !node.goes_on {
                break;
            }
            at = best as usize;
            if self.nodes[at].children.1 == 0 {
                self.expand(at);
            }
        }
        Found { steps, chance: chance.unwrap_or(0.5), depth: self.depth, nodes: self.looked_at }
    }

    /// Gives a node its children.
    fn expand(&mut self, at: usize) {
        let state = self.nodes[at].state;
        let first = self.nodes.len() as u32;
        let mut push = |step, state: State, goes_on, prior| {
            let solved = state.result(self.solver.known_bounds(&state.net));
            self.nodes.push(Node { state, step, goes_on, prior, visits: 0, sum: 0.0, children: (0, 0), solved });
        };
        let State { net, ahead, offered } = state;
        if offered > 0 {
            push(Step::Take, State { net, ahead: ahead + offered, offered: 0 }, true, 0.5);
            push(Step::Leave, State { net, ahead: offered - ahead, offered: 0 }, false, 0.5);
        } else {
            let choices = self.solver.choices(&net);
            let weight = |choice: &Choice, taken: i8| match (choice.gives(), taken) {
                (false, _) => 1.0,
                (true, ..2) => 0.3,
                (true, 2) => 0.2,
                (true, _) => 0.03,
            };
            let all: Vec<_> = choices.iter().map(|choice| (choice, choice.made(&net))).collect();
            let sum: f32 = all.iter().map(|(choice, (_, harvest))| weight(choice, harvest.taken)).sum();
            for (choice, (rest, harvest)) in all {
                let prior = weight(choice, harvest.taken) / sum;
                let state =
                    State { net: rest, ahead: i32::from(harvest.taken) - ahead, offered: i32::from(harvest.offered) };
                push(Step::Draw(choice.line), state, false, prior);
            }
        }
        self.nodes[at].children = (first, self.nodes.len() as u32 - first);
    }

    /// One way down the tree and a playout.
    fn once(&mut self, path: &mut Vec<usize>) {
        path.clear();
        let mut at = 0;
        path.push(at);
        loop {
            self.looked_at += 1;
            let node = &self.nodes[at];
            if node.solved.is_some() || node.visits == 0 && at > 0 {
                break;
            }
            if node.children.1 == 0 {
                if self.nodes.len() + 120 > self.most {
                    break;
                }
                self.expand(at);
            }
            let Some(next) = self.select(at) else { break };
            at = next;
            path.push(at);
        }
        self.depth = self.depth.max(path.len() as u32 - 1);
        let mut result = match self.nodes[at].solved {
            Some(known) => known,
            None => self.playout(at),
        };
        for &at in path.iter().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += result;
            if !node.goes_on {
                result = 1.0 - result;
            }
        }
    }

    fn select(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let (first, count) = node.children;
        let root = (node.visits.max(1) as f32).sqrt();
        let usual = if node.visits > 0 { node.sum / node.visits as f32 - 0.1 } else { 0.5 };
        let mut best: Option<(f32, usize)> = None;
        for child in first as usize..(first + count) as usize {
            let node = &self.nodes[child];
            let result = if node.visits == 0 {
                usual
            } else {
                let mean = node.sum / node.visits as f32;
                if node.goes_on { mean } else { 1.0 - mean }
            };
            let score = result + CURIOSITY * node.prior * root / (1 + node.visits) as f32 * (count as f32).sqrt();
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, child));
            }
        }
        best.map(|(_, child)| child)
    }

    /// Who wins, for the side to move: at random until the solver knows.
    fn playout(&mut self, at: usize) -> f32 {
        let State { mut net, ahead, offered } = self.nodes[at].state;
        let (mut ahead, mut own) = (ahead, true);
        // Boxes on offer are taken or left at random; the tree finds out which is right.
        if offered > 0 {
            if below(self.rng, 2) == 0 {
                ahead += offered;
            } else {
                (ahead, own) = (offered - ahead, false);
            }
        }
        let mut whole = offered == 0;
        loop {
            let safe = net.safe(net.degrees().two);
            let count = safe.count_ones();
            if count <= FEW {
                let result = self.decided(&net, ahead, if count == 0 { LOOK } else { GLANCE });
                if let Some(result) = result {
                    let result = if own { result } else { 1.0 - result };
                    if whole {
                        self.nodes[at].solved = Some(result);
                    }
                    return result;
                }
                if count == 0 {
                    // Too many strands to be sure in so short a time.
                    return 0.5;
                }
            }
            whole = false;
            net.draw(nth_bit_wide(safe, below(self.rng, count)) as u8);
            self.looked_at += 1;
            (ahead, own) = (-ahead, !own);
        }
    }

    /// The result for the side to move, if the solver finds it out within so many positions.
    fn decided(&mut self, net: &Net, ahead: i32, positions: u64) -> Option<f32> {
        let budget = Budget::of_nodes(positions);
        self.solver.restart();
        let wins = self.solver.at_least(net, 1 - ahead, &budget);
        let draws = wins || self.solver.at_least(net, -ahead, &budget);
        self.looked_at += self.solver.nodes;
        (!self.solver.stopped).then_some(match (wins, draws) {
            (true, _) => 1.0,
            (_, true) => 0.5,
            _ => 0.0,
        })
    }
}

//! Best-first tree search on an evaluation: Monte-Carlo tree search whose playouts are replaced by looking.
//!
//! When a position is first reached all its steps are evaluated at once; these values order the steps, share out the
//! search among them and stand for them until they are visited. Values are backed up as means, mixed with the best line's
//! value; what is won or lost for certain is proved and never looked at again. A ply may be made of several steps (an
//! amazon's move and its arrow), each a level of the tree.

use super::budget::Budget;

/// What the search must know of a game.
pub trait Ground {
    /// A position, or a point within a ply.
    type State: Clone;
    /// A ply or a part of one.
    type Step: Copy + Default;

    /// Lists every step with its value to the side that makes it; none where that side has lost.
    fn grow(&mut self, state: &Self::State, shoots: &mut Vec<Shoot<Self::Step>>);
    /// Makes a step.
    fn go(&self, state: &mut Self::State, step: Self::Step);
    /// Whether a step from here ends a ply, so that the other side comes next.
    fn turns(&self, state: &Self::State) -> bool;
}

/// How a search shares itself out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habits {
    /// How much is explored beside the best step.
    pub explore: f32,
    /// How much a step that looks better is preferred before it is visited.
    pub sharpness: f32,
    /// The part of a step's value that is its best line's, not its mean.
    pub greed: f32,
}

/// A step that was just evaluated.
#[derive(Debug, Clone, Copy)]
pub struct Shoot<S> {
    /// The step.
    pub step: S,
    /// Between -1, lost, and 1, won, for the side that makes it.
    pub value: f32,
    /// Whether the value, 1 or -1, is certain.
    pub certain: bool,
}

/// A step in the tree, with the steps that follow it.
#[derive(Debug, Clone, Copy, Default)]
struct Branch<S> {
    step: S,
    /// Mean of what was found beyond it, for the side that makes it.
    mean: f32,
    /// The value of the best line beyond it, for the same side.
    best: f32,
    /// The share of the search it deserves at first sight.
    prior: f32,
    visits: u32,
    /// Where its followers begin; 0 while it has none.
    first: u32,
    count: u16,
    /// 1 when it wins for certain, -1 when it loses.
    proved: i8,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Found<S> {
    /// The steps of the best line.
    pub line: Vec<S>,
    /// Its value to the side to move, between -1 and 1.
    pub value: f32,
    /// Whether the game is won (1) or lost (-1) for certain.
    pub proved: i8,
    /// Evaluations made.
    pub nodes: u64,
}

/// The search.
pub struct Tree<G: Ground> {
    /// What it knows of the game.
    pub ground: G,
    habits: Habits,
    branches: Vec<Branch<G::Step>>,
    most: usize,
    shoots: Vec<Shoot<G::Step>>,
    /// The branches from the root to where the search is, and whether the side changes after each.
    path: Vec<(usize, bool)>,
    nodes: u64,
}

/// The longest list of steps there can be.
const WIDEST: usize = u16::MAX as usize;

impl<G: Ground> Tree<G> {
    /// A search whose tree takes at most this many bytes.
    #[must_use]
    pub fn new(ground: G, habits: Habits, bytes: usize) -> Self {
        let most = (bytes / size_of::<Branch<G::Step>>()).clamp(2, u32::MAX as usize);
        Self { ground, habits, branches: Vec::new(), most, shoots: Vec::new(), path: Vec::new(), nodes: 0 }
    }

    /// Searches within the budget; `None` when the side to move has no step.
    pub fn search(&mut self, state: &G::State, budget: &Budget) -> Option<Found<G::Step>> {
        self.branches.clear();
        // All at once: a vector that doubles would for a moment take half as much again.
        self.branches.reserve_exact(self.most);
        self.branches.push(Branch::default());
        self.nodes = 0;
        loop {
            self.visit(state);
            let root = self.branches[0];
            if root.count == 0 {
                return None;
            }
            let over = budget.is_over(self.nodes) || !budget.allows(self.nodes, 0.0);
            if root.proved != 0 || over || root.visits == u32::MAX {
                break;
            }
        }
        let root = self.branches[0];
        Some(Found { line: self.line(), value: root.mean, proved: root.proved, nodes: self.nodes })
    }

    /// Values and visits of the root's steps.
    pub fn root(&self) -> impl Iterator<Item = (G::Step, f32, u32)> + '_ {
        let root = self.branches.first().copied().unwrap_or_default();
        self.followers(root).map(|at| {
            let branch = self.branches[at];
            (branch.step, branch.mean, branch.visits)
        })
    }

    fn followers(&self, branch: Branch<G::Step>) -> std::ops::Range<usize> {
        let first = branch.first as usize;
        first..first + usize::from(branch.count)
    }

    /// Walks to the edge of the tree, makes it grow there and tells the way back what was found.
    fn visit(&mut self, root: &G::State) {
        let mut state = root.clone();
        self.path.clear();
        // The root is counted as a step of the side to move.
        self.path.push((0, false));
        let mut at = 0;
        let value = loop {
            let branch = self.branches[at];
            let turns = self.ground.turns(&state);
            if branch.proved != 0 {
                // Only the last branch of the path can be: its own side's view, turned to that of whoever comes next.
                self.nodes += 1;
                let turned = self.path.last().is_some_and(|&(_, turned)| turned);
                break f32::from(if turned { -branch.proved } else { branch.proved });
            }
            if branch.count == 0 {
                let best = self.grow(at, &state);
                let branch = self.branches[at];
                // A part of a ply is no position to judge: go on to its end, unless there is no room to.
                if turns || branch.count == 0 || best.abs() >= 1.0 {
                    break best;
                }
            }
            let next = self.select(at);
            self.ground.go(&mut state, self.branches[next].step);
            self.path.push((next, turns));
            at = next;
        };
        self.tell(value);
    }

    /// Evaluates all steps from here and keeps them if there is room; gives the best one's value to the side to move.
    fn grow(&mut self, at: usize, state: &G::State) -> f32 {
        let mut shoots = std::mem::take(&mut self.shoots);
        shoots.clear();
        self.ground.grow(state, &mut shoots);
        shoots.truncate(WIDEST);
        self.nodes += shoots.len().max(1) as u64;
        shoots.sort_by(|a, b| b.value.total_cmp(&a.value));
        let best = shoots.first().map_or(-1.0, |shoot| shoot.value);
        if shoots.is_empty() {
            self.prove(at, -1);
        } else if self.branches.len() + shoots.len() <= self.most {
            let sharpness = self.habits.sharpness;
            let weight = |value: f32| ((value - best) * sharpness).exp();
            let sum: f32 = shoots.iter().map(|shoot| weight(shoot.value)).sum();
            let first = self.branches.len() as u32;
            self.branches.extend(shoots.iter().map(|shoot| Branch {
                step: shoot.step,
                mean: shoot.value,
                best: shoot.value,
                prior: weight(shoot.value) / sum,
                proved: if shoot.certain { shoot.value.signum() as i8 } else { 0 },
                ..Branch::default()
            }));
            self.branches[at].first = first;
            self.branches[at].count = shoots.len() as u16;
        }
        if let Some(shoot) = shoots.first().filter(|shoot| shoot.certain) {
            self.prove(at, shoot.value.signum() as i8);
        }
        self.shoots = shoots;
        best
    }

    /// Notes that the side to move beyond a branch has won or lost.
    fn prove(&mut self, at: usize, winner: i8) {
        let turned = self.path.last().is_some_and(|&(_, turned)| turned);
        self.branches[at].proved = if turned { -winner } else { winner };
    }

    /// The follower to visit next.
    fn select(&self, at: usize) -> usize {
        let branch = self.branches[at];
        let explore = self.habits.explore * ((branch.visits + 1) as f32).sqrt();
        let (mut chosen, mut highest) = (branch.first as usize, f32::NEG_INFINITY);
        for index in self.followers(branch) {
            let follower = &self.branches[index];
            if follower.proved < 0 {
                continue;
            }
            let value = follower.mean + (follower.best - follower.mean) * self.habits.greed;
            let score = value + explore * follower.prior / (1 + follower.visits) as f32;
            if score > highest {
                (chosen, highest) = (index, score);
            }
            // Followers are in the order of their first values: behind one that nobody visited yet there is nothing better.
            if follower.visits == 0 {
                break;
            }
        }
        chosen
    }

    /// Takes what was found at the end of the path back to the root. The value is for the side to move there.
    fn tell(&mut self, value: f32) {
        let mut value = value;
        for place in (0..self.path.len()).rev() {
            let (at, turned) = self.path[place];
            let branch = self.branches[at];
            let (mut best, mut proved) = (value, 0);
            if branch.count > 0 {
                best = -1.0;
                let mut lost = true;
                for index in self.followers(branch) {
                    let follower = &self.branches[index];
                    best = best.max(follower.best);
                    lost &= follower.proved < 0;
                    if follower.proved > 0 {
                        proved = 1;
                        break;
                    }
                    if follower.visits == 0 && follower.proved == 0 {
                        break;
                    }
                }
                if lost {
                    proved = -1;
                }
            }
            // A proof is worth more than a mean of guesses.
            if proved != 0 {
                (value, best) = (f32::from(proved), f32::from(proved));
            }
            let sign = if turned { -1.0 } else { 1.0 };
            value *= sign;
            let branch = &mut self.branches[at];
            branch.visits += 1;
            branch.best = best * sign;
            branch.mean += (value - branch.mean) / (branch.visits + 1) as f32;
            if branch.proved == 0 && proved != 0 {
                branch.proved = if turned { -proved } else { proved };
            }
            if branch.proved != 0 {
                (branch.mean, branch.best) = (f32::from(branch.proved), f32::from(branch.proved));
            }
        }
    }

    /// The line of the steps visited most, won ones first.
    fn line(&self) -> Vec<G::Step> {
        let mut line = Vec::new();
        let mut branch = self.branches[0];
        while branch.count > 0 {
            let worth = |at: &usize| {
                let follower = &self.branches[*at];
                (i64::from(follower.proved) << 40) + i64::from(follower.visits)
            };
            // The first of equals: it looked best.
            let Some(next) = self.followers(branch).rev().max_by_key(worth) else { break };
            branch = self.branches[next];
            line.push(branch.step);
        }
        line
    }
}

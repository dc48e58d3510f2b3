//! Tree search led by the net: one look at a position tells which points deserve to be searched and what the position is worth.
//!
//! What is won or lost for certain is proved and never looked at again. The tree is kept from ply to ply, and when memory is full the
//! parts that were hardly visited are forgotten.

use std::sync::Arc;

use games::nogo::{NoGo, Stone};
use games::{End, Game as _, Side, goban};

use super::ending::Ending;
use super::net::{Net, Sight, Thinking, place};
use crate::Settings;
use crate::kit::Budget;
use crate::kit::proofs::{Proof, Proofs};

/// How much is explored beside what looks best, and how that grows with visits.
const EXPLORE: f32 = 0.6;
const EXPLORE_MORE: f32 = 0.25;
const EXPLORE_FROM: f32 = 5000.0;
/// How much worse than its parent a point is taken to be before anybody looked.
const UNSEEN: f32 = 0.12;
/// At the root every point has its part of this, whatever the net thinks.
const ROOT_SHARE: f32 = 0.06;
/// With so few points safe for either side, counted for both, a proof of who wins costs about as much as some looks of the net.
const FEW_SAFE: u32 = 16;
/// Positions looked at for such a proof.
const EFFORT_OF_PROOF: u64 = 3000;
/// With so few it is worth trying to prove who wins before anything else, for this part of the time.
const FEW_SAFE_AT_ROOT: u32 = 30;
const SHARE_OF_PROOF: f64 = 0.2;
/// The clock is looked at once in so many looks.
const CLOCK_EVERY: u64 = 8;

/// The points of the tree, each kind of number in a row of its own: followers of one point stand side by side, and many of them
/// are compared at once.
#[derive(Default)]
struct Branches {
    visits: Vec<f32>,
    /// The sum of the chances of who plays there.
    worth: Vec<f32>,
    /// How likely the net thinks the point is best.
    prior: Vec<f32>,
    rest: Vec<Branch>,
}

/// What else there is of a point.
#[derive(Debug, Clone, Copy, Default)]
struct Branch {
    /// Where its followers begin, and how many they are; none while nobody looked.
    first: u32,
    count: u8,
    point: u8,
    /// 1 when it wins for certain, -1 when it loses.
    proved: i8,
}

/// What a point takes in memory.
const BYTES: usize = 3 * size_of::<f32>() + size_of::<Branch>();

impl Branches {
    fn clear(&mut self, most: usize) {
        for row in [&mut self.visits, &mut self.worth, &mut self.prior] {
            row.clear();
            // All at once: a vector that doubles would for a moment take half as much again.
            row.reserve_exact(most);
        }
        self.rest.clear();
        self.rest.reserve_exact(most);
    }

    fn push(&mut self, point: u8, prior: f32, proved: i8) {
        self.visits.push(0.0);
        self.worth.push(0.0);
        self.prior.push(prior);
        self.rest.push(Branch { point, proved, ..Branch::default() });
    }

    /// Takes a point over from another tree, without its followers.
    fn adopt(&mut self, other: &Self, at: usize) {
        self.visits.push(other.visits[at]);
        self.worth.push(other.worth[at]);
        self.prior.push(other.prior[at]);
        self.rest.push(Branch { first: 0, count: 0, ..other.rest[at] });
    }

    fn len(&self) -> usize {
        self.rest.len()
    }

    fn followers(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.rest[at].first as usize;
        first..first + usize::from(self.rest[at].count)
    }
}

/// What a search found.
pub(super) struct Found {
    /// The points of the best line.
    pub(super) line: Vec<u8>,
    /// The chance to win.
    pub(super) chance: f32,
    /// Whether the game is won (1) or lost (-1) for certain.
    pub(super) proved: i8,
    /// Positions looked at.
    pub(super) looks: u64,
}

/// The search.
pub(super) struct Search {
    net: Arc<Net>,
    /// Whether the net's word on where to play counts.
    ordered: bool,
    thinking: Thinking,
    proofs: Proofs<u8>,
    /// Whether the end is proved.
    proves: bool,
    branches: Branches,
    /// Room for a tree that is copied.
    spare: Branches,
    most: usize,
    /// The position the tree begins with.
    root: Option<NoGo>,
    path: Vec<usize>,
}

/// Whether so few points are safe, for both sides together.
fn few_safe(game: &NoGo, most: u32) -> bool {
    Side::BOTH.map(|side| game.safe(side).count_ones()).into_iter().sum::<u32>() <= most
}

/// The most points a board has, in whole words of comparing.
const WIDEST: usize = 96;

impl Search {
    /// A search within these settings.
    pub(super) fn new(settings: &Settings, net: Arc<Net>) -> Self {
        Self {
            net,
            ordered: settings.uses("order"),
            thinking: Thinking::default(),
            proofs: Proofs::new(settings.memory / 8),
            proves: settings.uses("proofs"),
            branches: Branches::default(),
            spare: Branches::default(),
            // Two trees, and both together half of the memory. More than this and a copy would take longer than a short ply.
            most: (settings.memory / 4 / BYTES).clamp(1 << 12, 1 << 22),
            root: None,
            path: Vec::new(),
        }
    }

    /// Forgets the tree.
    pub(super) fn forget(&mut self) {
        self.root = None;
    }

    /// Tries to prove who wins.
    pub(super) fn prove(&mut self, game: &NoGo, budget: &Budget) -> Proof<u8> {
        self.proofs.search(&mut Ending::new(*game), budget)
    }

    /// Searches within the budget; `None` when the side to move has no point.
    pub(super) fn search(&mut self, game: &NoGo, budget: &Budget) -> Option<Found> {
        if !self.descend(game) {
            self.branches.clear(self.most);
            self.branches.push(0, 1.0, 0);
        }
        self.root = Some(*game);
        if self.branches.rest[0].count == 0 {
            self.branches.rest[0].proved = 0;
            let chance = self.grow(0, game, budget);
            self.branches.visits[0] = 1.0;
            self.branches.worth[0] = 1.0 - chance;
        }
        if self.branches.rest[0].count == 0 {
            return None;
        }
        if self.proves
            && few_safe(game, FEW_SAFE_AT_ROOT)
            && let Proof::Won(point) = self.prove(game, &budget.part(SHARE_OF_PROOF))
            && let Some(won) = self.branches.followers(0).find(|&at| self.branches.rest[at].point == point)
        {
            self.branches.rest[won].proved = 1;
            self.branches.rest[0].proved = -1;
        }
        self.spread();
        let mut looks = 1;
        while self.branches.rest[0].proved == 0 && !budget.is_over(looks) && budget.allows(looks, 0.0) {
            for _ in 0..CLOCK_EVERY.min(budget.nodes().saturating_sub(looks)).max(1) {
                self.look(game, budget);
                looks += 1;
            }
            if self.branches.len() + CLOCK_EVERY as usize * WIDEST > self.most {
                self.tidy();
            }
        }
        // The root is counted as a stone of the side that is not to move.
        let chance = 1.0 - self.branches.worth[0] / self.branches.visits[0].max(1.0);
        Some(Found { line: self.line(), chance, proved: -self.branches.rest[0].proved, looks })
    }

    /// Goes to the part of the tree that begins with this position, if there is one.
    fn descend(&mut self, game: &NoGo) -> bool {
        let Some(mut position) = self.root.take() else { return false };
        let mut at = 0;
        while position != *game {
            let mover = position.to_move();
            let stone = game.stones(mover) & !position.stones(mover);
            let next =
                self.branches.followers(at).find(|&next| goban::bit(self.branches.rest[next].point) & stone != 0);
            let Some(next) = next else { return false };
            position.apply(Stone(self.branches.rest[next].point), End::Played);
            at = next;
        }
        self.keep(at, 0.0);
        true
    }

    /// Forgets everything but what begins here, and there what follows points visited less.
    fn keep(&mut self, root: usize, least: f32) {
        let (old, new) = (&self.branches, &mut self.spare);
        new.clear(self.most);
        new.adopt(old, root);
        let mut origin = vec![root as u32];
        let mut at = 0;
        while at < new.len() {
            let followers = old.followers(origin[at] as usize);
            if !followers.is_empty() && (at == 0 || new.visits[at] >= least) {
                new.rest[at].first = new.len() as u32;
                new.rest[at].count = followers.len() as u8;
                for follower in followers {
                    new.adopt(old, follower);
                    origin.push(follower as u32);
                }
            }
            at += 1;
        }
        std::mem::swap(&mut self.branches, &mut self.spare);
    }

    /// Makes room: half of the tree goes.
    fn tidy(&mut self) {
        // How many points follow those visited at least 2^n times.
        let mut following = [0; 64];
        for (visits, branch) in self.branches.visits.iter().zip(&self.branches.rest) {
            following[(*visits as u64).max(1).ilog2() as usize] += usize::from(branch.count);
        }
        let mut room = self.most / 2;
        let enough = following.iter().rposition(|&count| {
            let fits = room >= count;
            room = room.saturating_sub(count);
            !fits
        });
        self.keep(0, enough.map_or(0.0, |power| 2.0_f32.powi(power as i32 + 1)));
    }

    /// One look: down the tree to a position that is new, and back.
    fn look(&mut self, root: &NoGo, budget: &Budget) {
        let mut position = *root;
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.branches.rest[at].proved == 0 && self.branches.rest[at].count > 0 {
            at = self.select(at);
            position.apply(Stone(self.branches.rest[at].point), End::Played);
            self.path.push(at);
        }
        let chance = match self.branches.rest[at].proved {
            0 => self.grow(at, &position, budget),
            1 => 0.0,
            _ => 1.0,
        };
        self.tell(chance);
    }

    /// Looks at a position and lists what can follow; gives the mover's chance.
    fn grow(&mut self, at: usize, position: &NoGo, budget: &Budget) -> f32 {
        let safe = position.safe(position.to_move());
        // Of the root more is asked than who wins.
        if self.proves && at != 0 && few_safe(position, FEW_SAFE) {
            let won = match self.prove(position, &budget.with_nodes(EFFORT_OF_PROOF)) {
                Proof::Won(_) => Some(true),
                Proof::Lost => Some(false),
                Proof::Open => None,
            };
            if let Some(won) = won {
                self.branches.rest[at].proved = if won { -1 } else { 1 };
                return f32::from(u8::from(won));
            }
        }
        let mut wins = 0;
        for point in goban::points(safe) {
            let mut after = *position;
            after.apply(Stone(point), End::Played);
            if after.safe(after.to_move()) == 0 {
                wins |= goban::bit(point);
            }
        }
        if safe == 0 || wins != 0 {
            self.branches.rest[at].proved = if wins != 0 { -1 } else { 1 };
            // Of a position that is decided only the root's plies are asked for.
            if safe == 0 || at != 0 {
                return if wins != 0 { 1.0 } else { 0.0 };
            }
        }
        self.net.look(&Sight::of(position), &mut self.thinking);
        let order = &self.thinking.order;
        let highest = goban::points(safe).map(|point| order[place(point)]).fold(f32::NEG_INFINITY, f32::max);
        let mut shares = [0.0_f32; WIDEST];
        let mut sum = 0.0;
        for (share, point) in shares.iter_mut().zip(goban::points(safe)) {
            *share = if self.ordered { (order[place(point)] - highest).exp() } else { 1.0 };
            sum += *share;
        }
        self.branches.rest[at].first = self.branches.len() as u32;
        self.branches.rest[at].count = safe.count_ones() as u8;
        for (share, point) in shares.iter().zip(goban::points(safe)) {
            self.branches.push(point, share / sum, i8::from(wins & goban::bit(point) != 0));
        }
        1.0 / (1.0 + (-self.thinking.logit).exp())
    }

    /// Gives every point of the root its part.
    fn spread(&mut self) {
        let range = self.branches.followers(0);
        let even = ROOT_SHARE / range.len() as f32;
        let priors = &mut self.branches.prior[range];
        let sum: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior = *prior / sum * (1.0 - ROOT_SHARE) + even);
    }

    /// The follower to visit next.
    fn select(&self, at: usize) -> usize {
        let range = self.branches.followers(at);
        let all = self.branches.visits[at];
        let explore = (EXPLORE + EXPLORE_MORE * (1.0 + all / EXPLORE_FROM).ln()) * all.sqrt();
        let unseen = (1.0 - self.branches.worth[at] / all.max(1.0) - UNSEEN).max(0.0);
        let mut scores = [0.0_f32; WIDEST];
        let rows = [&self.branches.visits, &self.branches.worth, &self.branches.prior];
        let [visits, worth, prior] = rows.map(|row| &row[range.clone()]);
        for (score, ((visits, worth), prior)) in scores.iter_mut().zip(visits.iter().zip(worth).zip(prior)) {
            let mean = if *visits > 0.0 { worth / visits } else { unseen };
            *score = mean + explore * prior / (1.0 + visits);
        }
        let (mut chosen, mut highest) = (range.start, f32::NEG_INFINITY);
        for (index, (&score, branch)) in scores.iter().zip(&self.branches.rest[range.clone()]).enumerate() {
            if score > highest && branch.proved >= 0 {
                (chosen, highest) = (range.start + index, score);
            }
        }
        chosen
    }

    /// Takes a chance back to the root; it is that of the side to move at the end of the path.
    fn tell(&mut self, mut chance: f32) {
        let branches = &mut self.branches;
        for &at in self.path.iter().rev() {
            let range = branches.followers(at);
            if !range.is_empty() && branches.rest[at].proved == 0 {
                let (mut lost, mut wins) = (true, false);
                for branch in &branches.rest[range] {
                    lost &= branch.proved < 0;
                    wins |= branch.proved > 0;
                }
                if lost || wins {
                    branches.rest[at].proved = if lost { 1 } else { -1 };
                }
            }
            if branches.rest[at].proved != 0 {
                chance = if branches.rest[at].proved > 0 { 0.0 } else { 1.0 };
            }
            branches.visits[at] += 1.0;
            branches.worth[at] += 1.0 - chance;
            chance = 1.0 - chance;
        }
    }

    /// Visits of the root's followers; a proven win has them all.
    pub(super) fn visits(&self) -> Vec<(u8, f32)> {
        self.branches.followers(0).map(|at| (self.branches.rest[at].point, self.branches.visits[at])).collect()
    }

    /// The line of the points visited most, won ones first and lost ones last; where none was visited the net's word counts.
    fn line(&self) -> Vec<u8> {
        let mut line = Vec::new();
        let mut at = 0;
        while self.branches.rest[at].count > 0 {
            let Branches { visits, prior, rest, .. } = &self.branches;
            let best = self.branches.followers(at).max_by(|&a, &b| {
                let proved = rest[a].proved.cmp(&rest[b].proved);
                proved.then(visits[a].total_cmp(&visits[b])).then(prior[a].total_cmp(&prior[b]))
            });
            let Some(next) = best else { break };
            at = next;
            line.push(self.branches.rest[at].point);
        }
        line
    }
}

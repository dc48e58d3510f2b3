//! Tree search by playouts: what a point was worth whenever it was played, early or late, guides the search long before its
//! own results do (RAVE).
//!
//! Points that both sides may still take decide the game, so playouts take those first. What is won or lost for certain is
//! proved and never played out again.

use games::goban;
use games::nogo::{NoGo, Stone};
use games::random::{below, nth_bit_wide};
use games::{End, Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Field;
use super::position::Position;
use crate::Settings;
use crate::kit::Budget;

/// How much is explored beside what looks best.
const EXPLORE: f32 = 0.25;
/// How many playouts the first look at a point is worth.
const FIRST_LOOK: f32 = 20.0;
/// How often a point is played out before its followers are looked at.
const ENOUGH: f32 = 3.0;
/// The clock is looked at once in so many playouts.
const CLOCK_EVERY: u64 = 16;

/// The points of the tree, each kind of number in a row of its own: followers of one point stand side by side, and many of them
/// are compared at once.
#[derive(Default)]
struct Branches {
    /// Playouts through a point, and those won by who plays there.
    visits: Vec<f32>,
    wins: Vec<f32>,
    /// Playouts in which the same side played there now or later, and those won.
    anytime: Vec<f32>,
    anytime_wins: Vec<f32>,
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
const BYTES: usize = 4 * size_of::<f32>() + size_of::<Branch>();

impl Branches {
    fn clear(&mut self, most: usize) {
        for row in [&mut self.visits, &mut self.wins, &mut self.anytime, &mut self.anytime_wins] {
            row.clear();
            // All at once: a vector that doubles would for a moment take half as much again.
            row.reserve_exact(most);
        }
        self.rest.clear();
        self.rest.reserve_exact(most);
    }

    fn push(&mut self, point: u8, chance: f32, proved: i8) {
        self.visits.push(0.0);
        self.wins.push(0.0);
        self.anytime.push(FIRST_LOOK);
        self.anytime_wins.push(FIRST_LOOK * chance);
        self.rest.push(Branch { point, proved, ..Branch::default() });
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
    /// The share of playouts won.
    pub(super) chance: f32,
    /// Whether the game is won (1) or lost (-1) for certain.
    pub(super) proved: i8,
    /// Playouts made.
    pub(super) playouts: u64,
}

/// The search.
pub(super) struct Playouts {
    branches: Branches,
    most: usize,
    path: Vec<usize>,
    rng: Xoshiro256PlusPlus,
    /// Whether it counts what a point was worth whenever it was played.
    anytime: bool,
}

/// A point at first sight.
pub(super) struct Look {
    pub(super) point: u8,
    /// The chance of who plays there.
    pub(super) chance: f32,
    /// Whether it wins for certain.
    pub(super) certain: bool,
}

/// The most points a board has, in whole words of comparing.
const WIDEST: usize = 96;

impl Playouts {
    /// A search within these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            branches: Branches::default(),
            most: (settings.memory / 2 / BYTES).clamp(1 << 8, u32::MAX as usize),
            path: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            anytime: settings.uses("anytime"),
        }
    }

    /// Searches within the budget; `None` when the side to move has no point.
    pub(super) fn search(&mut self, position: &Position, field: &Field, budget: &Budget) -> Option<Found> {
        self.branches.clear(self.most);
        self.branches.push(0, 0.5, 0);
        let mut looks = Vec::new();
        self.grow(0, position, field, &mut looks);
        if self.branches.rest[0].count == 0 {
            return None;
        }
        let mut playouts = 0;
        while self.branches.rest[0].proved == 0 {
            let some = CLOCK_EVERY.min(budget.nodes().saturating_sub(playouts)).max(1);
            for _ in 0..some {
                self.play(position, field, &mut looks);
            }
            playouts += some;
            if budget.is_over(playouts) || !budget.allows(playouts, 0.0) {
                break;
            }
        }
        // The root is counted as a stone of the side that is not to move.
        let chance = 1.0 - self.branches.wins[0] / self.branches.visits[0].max(1.0);
        Some(Found { line: self.line(), chance, proved: -self.branches.rest[0].proved, playouts })
    }

    /// One playout: down the tree, to the end of the game, and back.
    fn play(&mut self, root: &Position, field: &Field, looks: &mut Vec<Look>) {
        let mut position = root.clone();
        let mut played = [0_u128; 2];
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        loop {
            let branch = self.branches.rest[at];
            // A look at all followers takes as long as some playouts, and the fuller the memory, the more must speak for it.
            let enough = ENOUGH + 8.0 * (self.branches.len() as f32 / self.most as f32);
            if branch.proved == 0 && branch.count == 0 && self.branches.visits[at] >= enough.floor() {
                self.grow(at, &position, field, looks);
            }
            if self.branches.rest[at].proved != 0 || self.branches.rest[at].count == 0 {
                break;
            }
            at = self.select(at);
            let point = self.branches.rest[at].point;
            played[position.game.to_move().index()] |= goban::bit(point);
            position.put(point, field.worths.table());
            self.path.push(at);
        }
        let mover = position.game.to_move();
        let winner = match self.branches.rest[at].proved {
            0 => self.play_out(position.game, &mut played),
            1 => mover.other(),
            _ => mover,
        };
        self.tell(mover, winner, &played);
    }

    /// Lists what can follow, if there is room for it.
    fn grow(&mut self, at: usize, position: &Position, field: &Field, looks: &mut Vec<Look>) {
        looks.clear();
        field.look(position, looks);
        let wins = looks.iter().any(|look| look.certain);
        if looks.is_empty() || wins {
            self.branches.rest[at].proved = if wins { -1 } else { 1 };
        }
        // Of a position that is decided only the root's plies are asked for.
        if looks.is_empty() || wins && at != 0 || self.branches.len() + looks.len() > self.most {
            return;
        }
        self.branches.rest[at].first = self.branches.len() as u32;
        self.branches.rest[at].count = looks.len() as u8;
        for look in looks {
            self.branches.push(look.point, look.chance, i8::from(look.certain));
        }
    }

    /// The follower to visit next.
    fn select(&self, at: usize) -> usize {
        let range = self.branches.followers(at);
        let explore = self.branches.visits[at].max(1.0).ln() * EXPLORE * EXPLORE;
        let mut scores = [0.0_f32; WIDEST];
        let rows = [&self.branches.visits, &self.branches.wins, &self.branches.anytime, &self.branches.anytime_wins];
        let [visits, wins, anytime, anytime_wins] = rows.map(|row| &row[range.clone()]);
        let numbers = visits.iter().zip(wins).zip(anytime.iter().zip(anytime_wins));
        for (score, ((visits, wins), (anytime, anytime_wins))) in scores.iter_mut().zip(numbers) {
            *score = (wins + anytime_wins + (explore * visits).sqrt()) / (visits + anytime);
        }
        let (mut chosen, mut highest) = (range.start, f32::NEG_INFINITY);
        for (index, (&score, branch)) in scores.iter().zip(&self.branches.rest[range.clone()]).enumerate() {
            if score > highest && branch.proved >= 0 {
                (chosen, highest) = (range.start + index, score);
            }
        }
        chosen
    }

    /// Plays to the end: who wins. What both sides could take at first goes first.
    fn play_out(&mut self, mut game: NoGo, played: &mut [u128; 2]) -> Side {
        let mut shared = game.safe(Side::Black) & game.safe(Side::White);
        loop {
            let mover = game.to_move();
            let own = game.safe(mover);
            if own == 0 {
                return mover.other();
            }
            let mut point = None;
            while shared != 0 && point.is_none() {
                let drawn = nth_bit_wide(shared, below(&mut self.rng, shared.count_ones())) as u8;
                shared &= !goban::bit(drawn);
                point = (own & goban::bit(drawn) != 0).then_some(drawn);
            }
            if let Some(point) = point {
                played[mover.index()] |= goban::bit(point);
            }
            let point = point.unwrap_or_else(|| nth_bit_wide(own, below(&mut self.rng, own.count_ones())) as u8);
            game.apply(Stone(point), End::Played);
        }
    }

    /// Takes a result back to the root. `mover` is to move at the end of the path.
    fn tell(&mut self, mut mover: Side, winner: Side, played: &[u128; 2]) {
        let mut hits = [[0.0_f32; 128]; 2];
        for (hits, &set) in hits.iter_mut().zip(played).filter(|_| self.anytime) {
            goban::points(set).for_each(|point| hits[usize::from(point)] = 1.0);
        }
        let branches = &mut self.branches;
        for &at in self.path.iter().rev() {
            let range = branches.followers(at);
            if !range.is_empty() && branches.rest[at].proved == 0 {
                let won = f32::from(u8::from(winner == mover));
                let hits = &hits[mover.index()];
                let (mut lost, mut wins) = (true, false);
                let numbers = branches.anytime[range.clone()].iter_mut().zip(&mut branches.anytime_wins[range.clone()]);
                for (branch, (anytime, anytime_wins)) in branches.rest[range].iter().zip(numbers) {
                    let hit = hits[usize::from(branch.point & 127)];
                    *anytime += hit;
                    *anytime_wins += hit * won;
                    lost &= branch.proved < 0;
                    wins |= branch.proved > 0;
                }
                if lost || wins {
                    branches.rest[at].proved = if lost { 1 } else { -1 };
                }
            }
            branches.visits[at] += 1.0;
            branches.wins[at] += f32::from(u8::from(winner != mover));
            mover = mover.other();
        }
    }

    /// The line of the points visited most, won ones first and lost ones last.
    fn line(&self) -> Vec<u8> {
        let mut line = Vec::new();
        let mut at = 0;
        while self.branches.rest[at].count > 0 {
            let worth = |at: usize| (self.branches.rest[at].proved, self.branches.visits[at]);
            let best = self.branches.followers(at).max_by(|&a, &b| {
                let ((proved, visits), (other_proved, other_visits)) = (worth(a), worth(b));
                proved.cmp(&other_proved).then(visits.total_cmp(&other_visits))
            });
            let Some(next) = best else { break };
            at = next;
            line.push(self.branches.rest[at].point);
        }
        line
    }
}

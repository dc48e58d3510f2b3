//! Worlds that agree with everything a seat has learned.
//!
//! A world is the list of points the enemy has played, in order; played through the rules beside the seat's own plies it gives
//! exactly the refusals, captures and losses of the record. Worlds are kept from turn to turn: each is played on, mended from
//! some ply on where it does not agree any more, and stirred by moving stones, so that the sample does not stand still.

use games::goban::{bit, points};
use games::phantom_go::{PhantomGo, PhantomGoVariant, Turn};
use games::random::{below, nth_bit_wide};
use games::{End, Event, Game as _, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::plan::Plan;
use super::record::{BOARD, Entry, Record, is_eye};
use crate::kit::Budget;

/// How often another point is tried for a stone before a world is given up.
const TRIES: u32 = 8;
/// Of a hundred refusals, so many are taken for stones; the others for suicides or repetitions.
const STONES: u32 = 93;

/// A world.
#[derive(Debug, Clone)]
pub struct World {
    /// The enemy's points, in the order he played them.
    pub hidden: Vec<u8>,
    /// The stones of Black and White, as sets of the [`games::goban`].
    pub stones: [u128; 2],
    /// Where the seat's stone would be accepted now.
    pub legal: u128,
}

/// What a seat knows, and worlds that agree with it.
pub struct Belief {
    pub(super) record: Record,
    worlds: Vec<World>,
    plan: Plan,
    /// The game that worlds are played through in.
    scratch: PhantomGo,
    /// How many entries of the record the worlds have been checked against.
    checked: usize,
}

impl Belief {
    /// A seat's knowledge at the start of a game.
    #[must_use]
    pub fn new(variant: PhantomGoVariant, opening: PhantomGo, seat: Side) -> Self {
        let scratch = opening.clone();
        let record = Record::new(variant, opening, seat);
        Self { record, worlds: Vec::new(), plan: Plan::default(), scratch, checked: usize::MAX }
    }

    /// Takes in an event.
    pub fn learn(&mut self, event: &Event) {
        self.record.learn(event);
    }

    /// Takes the last ply back.
    pub fn forget(&mut self) {
        self.record.forget();
        self.worlds.clear();
        self.checked = usize::MAX;
    }

    /// The worlds found by the last [`refresh`](Self::refresh).
    #[must_use]
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// Whether a world with these enemy points agrees with everything learned so far.
    pub fn agrees(&mut self, hidden: &[u8]) -> bool {
        self.plan = Plan::of(&self.record);
        self.checked = usize::MAX;
        self.plan.admits(hidden)
            && hidden.len() == self.record.enemy_stones() as usize
            && self.played_through(hidden).is_some()
    }

    /// Brings the worlds up to date and looks for more, up to `count`, until the budget is over. Gives how many worlds were
    /// tried.
    pub fn refresh(&mut self, count: usize, budget: &Budget, rng: &mut Xoshiro256PlusPlus) -> u64 {
        let mut tried = 0;
        if self.checked != self.record.entries.len() {
            self.plan = Plan::of(&self.record);
            let refused = self.newly_refused();
            for world in std::mem::take(&mut self.worlds) {
                if refused.is_some_and(|refused| world.legal & refused == 0) {
                    self.worlds.push(world);
                    continue;
                }
                let length = world.hidden.len();
                for attempt in 0..6 {
                    // First with all its stones, then with fewer and fewer.
                    let kept = match attempt {
                        0 => length,
                        1 => length.saturating_sub(1 + below(rng, 4) as usize),
                        _ => below(rng, length as u32 + 1) as usize,
                    };
                    tried += 1;
                    if let Some(mended) = self.attempt(&world.hidden[..kept], rng) {
                        self.worlds.push(mended);
                        break;
                    }
                }
                if budget.is_over(tried) {
                    break;
                }
            }
            self.checked = self.record.entries.len();
        }
        // New worlds, and old ones stirred.
        while self.worlds.len() < count && !budget.is_over(tried) {
            tried += 1;
            let found = if self.worlds.is_empty() || below(rng, 3) == 0 {
                self.attempt(&[], rng)
            } else {
                let hidden = self.worlds[below(rng, self.worlds.len() as u32) as usize].hidden.clone();
                let kept = below(rng, hidden.len() as u32 + 1) as usize;
                self.attempt(&hidden[..kept], rng).or_else(|| self.stirred(hidden, rng))
            };
            self.worlds.extend(found);
        }
        for index in 0..self.worlds.len() {
            if budget.is_over(tried) {
                break;
            }
            tried += 1;
            let hidden = self.worlds[index].hidden.clone();
            if let Some(world) = self.stirred(hidden, rng) {
                self.worlds[index] = world;
            }
        }
        tried
    }

    /// The points refused since the worlds were checked, if nothing else has happened: a world in which none of them would be
    /// accepted agrees as it is. Late in a game dozens are refused in a turn, and playing every world through again after each
    /// takes longer than the search.
    fn newly_refused(&self) -> Option<u128> {
        let refused = |entry: &Entry| match *entry {
            Entry::Refused { point } => Some(bit(point)),
            _ => None,
        };
        self.record.entries.get(self.checked..)?.iter().try_fold(0, |set, entry| Some(set | refused(entry)?))
    }

    /// A world with one stone elsewhere, or two of them in the other order, if it agrees.
    fn stirred(&mut self, mut hidden: Vec<u8>, rng: &mut Xoshiro256PlusPlus) -> Option<World> {
        let count = hidden.len() as u32;
        if count == 0 {
            return None;
        }
        let one = below(rng, count) as usize;
        if below(rng, 3) == 0 {
            hidden.swap(one, below(rng, count) as usize);
        } else {
            let allowed = self.plan.allowed[one];
            if allowed == 0 {
                return None;
            }
            hidden[one] = nth_bit_wide(allowed, below(rng, allowed.count_ones())) as u8;
        }
        self.plan.admits(&hidden).then(|| self.played_through(&hidden)).flatten()
    }

    /// The world of exactly these points.
    fn played_through(&mut self, hidden: &[u8]) -> Option<World> {
        self.play(hidden, |_, _, _| None)
    }

    /// A world that begins with these points and goes on at random, led by what is known.
    fn attempt(&mut self, begun: &[u8], rng: &mut Xoshiro256PlusPlus) -> Option<World> {
        let mut needs: Vec<_> =
            self.plan.needs.iter().copied().filter(|need| need.certain || below(rng, 100) < STONES).collect();
        needs.sort_unstable_by_key(|need| need.last);
        let plan = std::mem::take(&mut self.plan);
        let enemy = self.record.seat.other();
        let world = self.play(begun, |game, hidden, lost| {
            let turn = hidden.len() as u32;
            // Points that must get their stone soon: the more of them before some stone, the likelier one of them.
            let (mut due, mut waiting, mut pressure) = (0_u128, 0, 0.0_f64);
            for need in &needs {
                let span = hidden.get(need.first as usize..).unwrap_or_default();
                if need.last < turn || span.contains(&need.point) {
                    continue;
                }
                waiting += 1;
                pressure = pressure.max(f64::from(waiting) / f64::from(need.last + 1 - turn));
                if need.first <= turn {
                    due |= bit(need.point);
                }
                if pressure >= 1.0 {
                    break;
                }
            }
            let free = BOARD & !game.stones(Side::Black) & !game.stones(Side::White);
            let mut allowed = plan.allowed[turn as usize] & free;
            let mut due = due & allowed;
            for _ in 0..TRIES {
                let chosen =
                    due != 0 && (pressure >= 1.0 || f64::from(below(rng, 1 << 16)) < pressure * f64::from(1 << 16));
                let from = if chosen { due } else { allowed };
                if from == 0 {
                    return None;
                }
                let point = nth_bit_wide(from, below(rng, from.count_ones())) as u8;
                let stone = bit(point);
                if chosen || below(rng, 100) < likelihood(stone, game.stones(enemy)) {
                    let fits = game.judge(Turn::Stone(point)) == Ok(End::Played)
                        && taken_by(stone, game.stones(enemy), game.stones(enemy.other())) == lost;
                    if fits {
                        return Some(point);
                    }
                    allowed &= !stone;
                    due &= !stone;
                }
            }
            None
        });
        self.plan = plan;
        world
    }

    /// Plays the record through, the enemy's points from `begun` and then from `choose`; a world if everything agrees.
    fn play(&mut self, begun: &[u8], mut choose: impl FnMut(&PhantomGo, &[u8], u128) -> Option<u8>) -> Option<World> {
        let Self { record, scratch: game, .. } = self;
        let (seat, enemy) = (record.seat, record.seat.other());
        game.clone_from(&record.opening);
        let mut hidden = Vec::with_capacity(record.enemy_stones() as usize);
        for entry in &record.entries {
            match *entry {
                Entry::Pass => {
                    game.apply(Turn::Pass, End::Played);
                }
                Entry::Refused { point } => {
                    if !matches!(game.judge(Turn::Stone(point)), Ok(End::Refused(_))) {
                        return None;
                    }
                }
                Entry::Own { stone, captured } => {
                    let turn = Turn::Stone(stone.trailing_zeros() as u8);
                    if game.judge(turn) != Ok(End::Played) {
                        return None;
                    }
                    let before = game.stones(enemy);
                    game.apply(turn, End::Played);
                    if before & !game.stones(enemy) != captured {
                        return None;
                    }
                }
                Entry::Enemy { lost } => {
                    let point = match begun.get(hidden.len()) {
                        Some(&point) => point,
                        None => choose(game, &hidden, lost)?,
                    };
                    if game.judge(Turn::Stone(point)) != Ok(End::Played) {
                        return None;
                    }
                    let before = game.stones(seat);
                    game.apply(Turn::Stone(point), End::Played);
                    if before & !game.stones(seat) != lost {
                        return None;
                    }
                    hidden.push(point);
                }
            }
        }
        if game.to_move() != seat && game.verdict().is_none() {
            // Asked out of turn: nothing can be tried.
            return Some(World { hidden, stones: Side::BOTH.map(|side| game.stones(side)), legal: 0 });
        }
        let free = BOARD & !game.stones(Side::Black) & !game.stones(Side::White);
        let legal = points(free)
            .filter(|&point| game.judge(Turn::Stone(point)) == Ok(End::Played))
            .fold(0, |set, point| set | bit(point));
        Some(World { hidden, stones: Side::BOTH.map(|side| game.stones(side)), legal })
    }
}

/// How likely, of a hundred, somebody puts a stone here who cares about where: hardly ever into his own eye, seldom on the
/// edge.
fn likelihood(stone: u128, own: u128) -> u32 {
    const EDGE: u128 = BOARD & !(inner(1));
    const SECOND: u128 = inner(1) & !(inner(2));
    if is_eye(stone, own) {
        2
    } else if stone & EDGE != 0 {
        35
    } else if stone & SECOND != 0 {
        70
    } else {
        100
    }
}

/// The points at least so far from the edge.
const fn inner(distance: usize) -> u128 {
    let mut set = 0;
    let mut y = distance;
    while y < games::goban::MOST - distance {
        let mut x = distance;
        while x < games::goban::MOST - distance {
            set |= bit(games::goban::point(x, y));
            x += 1;
        }
        y += 1;
    }
    set
}

/// The stones of `other` that a stone put beside `own` takes.
#[inline]
pub(super) fn taken_by(stone: u128, own: u128, other: u128) -> u128 {
    use games::goban::{around, first, grow};
    let empty = BOARD & !own & !other & !stone;
    let mut near = around(stone) & other;
    let mut taken = 0;
    while near != 0 {
        let (chain, liberties) = grow(first(near), other, empty, |liberties| liberties != 0);
        if liberties == 0 {
            taken |= chain;
        }
        near &= !chain;
    }
    taken
}

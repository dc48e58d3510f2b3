//! Phantom Go: Monte-Carlo over worlds that agree with everything learned.
//!
//! A try is judged by playouts in sampled worlds that accept it: one that is refused costs nothing and tells something, so
//! what counts is its worth if it stands. All playouts count for all points the seat was first to play on (AMAF), because
//! neither side sees what it answers.

mod belief;
mod plan;
mod playout;
mod record;

use std::time::{Duration, Instant};

pub use belief::{Belief, World};
use games::goban::{self, bit, points};
use games::phantom_go::{PhantomGo, PhantomGoVariant, Tie, Turn};
use games::random::{below, nth_bit_wide};
use games::{Event, Game as _, Side};
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::Settings;
use crate::kit::budget::WITHOUT_LIMIT;
use crate::kit::{Budget, Strength};
use playout::Playout;
use record::{BOARD, Record};

/// Six levels, weakest first; a node is a playout.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(25, 260),
    Strength::of(40, 170),
    Strength::of(65, 90),
    Strength::of(110, 30),
    Strength::of(190, 0),
    Strength::of(330, 0),
];

/// How many worlds are kept.
const WORLDS: usize = 160;
/// How much of the time goes into finding worlds.
const BELIEF_SHARE: f64 = 0.25;
/// How often one result of a try outweighs what other playouts say of its point.
const AMAF_WEIGHT: f32 = 400.0;
/// How much seldom tried points are preferred.
const CURIOSITY: f32 = 0.25;
/// How much playouts before a refusal still count.
const AFTER_REFUSAL: f32 = 0.5;
/// How much the AMAF results of the seat's turn before still count.
const AFTER_PLIES: f32 = 0.5;
/// The chance to win by passing at once from which on the game is ended.
const SURE: f32 = 0.97;
/// With more points to try than this the board is not settled.
const SETTLED: u32 = 24;
/// How much less than stopping a try must be worth before it is not made.
const DOUBT: f32 = 0.25;

/// How much of a turn is kept for tries that are only looked up in its last search, half of it for a machine that stands
/// still: dozens of refusals may follow, and each is a way to the referee and back.
const KEPT: f64 = 0.2;

/// How much of the rest one search takes.
const THINKING: f64 = 0.75;

/// In a turn shorter than this the search takes less than its part: on a busy machine whoever computes waits longer than the
/// whole turn for its next slice of the core, and whoever computes little does not wait.
const SHORT_TURN: Duration = Duration::from_millis(40);

/// With less than this to think, what the turn's last search said of the other points is better than another search.
const TOO_SHORT: Duration = Duration::from_millis(2);

/// A machine that others use stands still for so long every other second.
const STILL: Duration = Duration::from_millis(5);

/// What a try takes at least besides thinking: the way to the referee and back.
const WAY: Duration = Duration::from_micros(300);

/// A refusal that comes later than this was carried by hand between two platforms, which is no reason to hurry.
const BY_HAND: Duration = Duration::from_millis(250);

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> PhantomGoPlayer {
    let variant = PhantomGoVariant::default();
    let opening = PhantomGo::new(&variant);
    PhantomGoPlayer {
        name,
        strength,
        belief: Belief::new(variant, opening, Side::Black),
        rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        refused: 0,
        whole: None,
        spent: Duration::ZERO,
        tried: None,
        way: WAY,
        tallies: [Tally::default(); 128],
        ranking: Vec::new(),
        worlds: if settings.uses("worlds") { WORLDS } else { 0 },
        amaf_weight: if settings.uses("amaf") { AMAF_WEIGHT } else { 0.0 },
    }
}

/// The player.
pub struct PhantomGoPlayer {
    name: String,
    strength: Strength,
    belief: Belief,
    rng: Xoshiro256PlusPlus,
    /// How many tries of this turn were refused.
    refused: i32,
    /// What there was for this turn, and what its tries have taken: not every protocol tells what is left.
    whole: Option<Duration>,
    spent: Duration,
    /// When the last try was made, and the longest that a refusal of this turn took to come back: on a busy machine dozens
    /// of refusals cost more than the thinking.
    tried: Option<Instant>,
    way: Duration,
    /// What the playouts of this turn and, fading, of those before said of each point.
    tallies: [Tally; 128],
    /// What this turn's last search thought of each point, the best first.
    ranking: Vec<(u8, f32)>,
    /// The most worlds it believes in; without any it imagines them anew each time, from its own stones alone.
    worlds: usize,
    amaf_weight: f32,
}

/// What the playouts say of a point.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    tries: f32,
    won: f32,
    amaf_tries: f32,
    amaf_won: f32,
}

impl Tally {
    /// Keeps so much of the results of the point's own tries, and so much of what other playouts said.
    fn fade(&mut self, tries: f32, amaf: f32) {
        self.tries *= tries;
        self.won *= tries;
        self.amaf_tries *= amaf;
        self.amaf_won *= amaf;
    }

    fn worth(&self, amaf_weight: f32) -> f32 {
        // A prior of two even results keeps untried points in the middle.
        let own = (self.won + 1.0) / (self.tries + 2.0);
        let amaf = (self.amaf_won + 1.0) / (self.amaf_tries + 2.0);
        let trust = (amaf_weight / (3.0 * self.tries + amaf_weight).max(1.0)).sqrt();
        let trust = trust * self.amaf_tries / (self.amaf_tries + 20.0);
        trust * amaf + (1.0 - trust) * own
    }
}

impl PhantomGoPlayer {
    /// The turn to try.
    fn choose(&mut self, limits: &ThinkLimits) -> Turn {
        let record = &self.belief.record;
        let plies = record.plies();
        let candidates = BOARD & !record.own & !record.refused & !record.eyes();
        if candidates == 0 {
            return Turn::Pass;
        }
        // All tries of a turn share its time, and how many there will be nobody knows: each takes a part of what is left.
        let untimed = limits.turn.is_none() && limits.left.is_none();
        let turn = limits.turn.or(untimed.then_some(WITHOUT_LIMIT));
        if self.refused == 0 {
            (self.whole, self.spent, self.way) = (turn, Duration::ZERO, WAY);
            self.ranking.clear();
        } else if let Some(way) = self.tried.map(|tried| tried.elapsed()).filter(|&way| way < BY_HAND) {
            self.spent += way.max(WAY);
            self.way = self.way.max(way);
        }
        let left = self.whole.map(|whole| whole.saturating_sub(self.spent));
        let turn = [turn, left].into_iter().flatten().min();
        let kept = self.whole.unwrap_or_default().mul_f64(KEPT);
        let calm = self.whole.map_or(1.0, |whole| whole.div_duration_f64(SHORT_TURN).min(1.0));
        let thinking = turn.map(|turn| turn.saturating_sub(kept).mul_f64(THINKING * calm));
        let share = 0.6 * 0.4_f64.powi(self.refused.min(6));
        let own_plies = f64::from((110_u32.saturating_sub(plies) / 2).max(20)) / share;
        let budget = Budget::new(&ThinkLimits { turn: thinking, ..*limits }, self.strength, own_plies as u32);
        if self.refused > 0 && budget.time() < TOO_SHORT {
            // A turn without a stone is better than no time, and than tries that no world accepts.
            let least = (kept / 2).max(STILL + 3 * self.way);
            let hurried = [turn, limits.left].into_iter().flatten().any(|left| left < least);
            let next = self.ranking.iter().find(|(point, _)| candidates & bit(*point) != 0);
            return next.filter(|_| !hurried).map_or(Turn::Pass, |&(point, _)| Turn::Stone(point));
        }
        if self.strength.slips > 0 && below(&mut self.rng, 1000) < self.strength.slips {
            return Turn::Stone(nth_bit_wide(candidates, below(&mut self.rng, candidates.count_ones())) as u8);
        }
        // A level's playouts are few; its worlds are in proportion.
        let count = self.strength.nodes.map_or(self.worlds, |nodes| self.worlds.min(nodes as usize / 2 + 4));
        self.belief.refresh(count, &budget.part(BELIEF_SHARE), &mut self.rng);
        let left = self.belief.record.variant.max_plies.saturating_sub(plies);
        let mut imagined = Vec::new();
        let worlds = match self.belief.worlds() {
            [] => {
                imagined.extend((0..8).map(|_| imagine(&self.belief.record, &mut self.rng)));
                imagined.as_slice()
            }
            worlds => worlds,
        };
        let judge = Judge::of(&self.belief.record);
        let now = |world: &World| judge.result(&Playout::new(world.stones, 0));
        let passing = worlds.iter().map(now).sum::<f32>() / worlds.len() as f32;
        // A pass of the enemy offers to count. On an open board that is a free stone, however good it looks.
        let offered = self.belief.record.was_passed() && candidates.count_ones() <= SETTLED;
        if offered && passing >= SURE {
            return Turn::Pass;
        }
        let root = Root { judge, worlds, candidates, left, amaf_weight: self.amaf_weight };
        // Another stone or two on the board change little: what earlier playouts said of the points still counts.
        let (tries, amaf) = if self.refused > 0 { (AFTER_REFUSAL, AFTER_REFUSAL) } else { (0.0, AFTER_PLIES) };
        self.tallies.iter_mut().for_each(|tally| tally.fade(tries, amaf));
        self.ranking = root.search(&mut self.tallies, &budget.rest(), &mut self.rng);
        // Nothing useful is left to try when every stone is worth much less than stopping here. Not just less: playouts are
        // too gloomy about the side that plays better than they do.
        let stop = if offered { passing - DOUBT } else { 0.0 };
        let best = self.ranking.first().copied();
        self.ranking.retain(|&(_, worth)| worth >= stop);
        match best {
            Some((point, worth)) if worth >= stop => Turn::Stone(point),
            // No world accepts any try: whatever is not refused may still stand.
            None if stop <= 0.0 => points(candidates).next().map_or(Turn::Pass, Turn::Stone),
            _ => Turn::Pass,
        }
    }
}

/// Own stones, the enemy's that were met, and others at random: for when no world was found in time.
fn imagine(record: &Record, rng: &mut Xoshiro256PlusPlus) -> World {
    let (seat, enemy) = (record.seat.index(), record.seat.other().index());
    let (met, count) = record.met();
    let mut stones = [0; 2];
    (stones[seat], stones[enemy]) = (record.own, met);
    for _ in met.count_ones()..count {
        let free = BOARD & !stones[0] & !stones[1];
        if free.count_ones() < 4 {
            break;
        }
        stones[enemy] |= bit(nth_bit_wide(free, below(rng, free.count_ones())) as u8);
    }
    let free = BOARD & !stones[0] & !stones[1];
    for side in [enemy, seat] {
        stones[side] &= !goban::lifeless(stones[side], free);
    }
    let legal = BOARD & !stones[0] & !stones[1] & !met;
    World { hidden: Vec::new(), stones, legal }
}

/// Who wins a board as it stands.
#[derive(Debug, Clone, Copy)]
struct Judge {
    seat: Side,
    /// White's points in addition, in halves.
    komi: i32,
    tie: Tie,
}

impl Judge {
    fn of(record: &Record) -> Self {
        let PhantomGoVariant { komi, tie, .. } = record.variant;
        Self { seat: record.seat, komi: (komi * 2.0) as i32, tie }
    }

    /// 1 for a win of the seat, 0 for a loss.
    fn result(&self, board: &Playout) -> f32 {
        let black = match (2 * board.difference() - self.komi, self.tie) {
            (1.., _) | (0, Tie::Black) => 1.0,
            (..0, _) | (0, Tie::White) => 0.0,
            (0, Tie::Draw) => 0.5,
        };
        if self.seat == Side::Black { black } else { 1.0 - black }
    }

    /// The same, with a little for the size of a win.
    fn value(&self, board: &Playout) -> f32 {
        let black = board.difference() as f32 - self.komi as f32 / 2.0;
        let own = if self.seat == Side::Black { black } else { -black };
        0.9 * self.result(board) + 0.1 * (0.5 + own / 162.0).clamp(0.0, 1.0)
    }
}

/// A search over the tries of one turn.
struct Root<'a> {
    judge: Judge,
    worlds: &'a [World],
    candidates: u128,
    /// Plies until the board is counted anyway.
    left: u32,
    amaf_weight: f32,
}

impl Root<'_> {
    /// The points to try that some world accepts, with what they are worth, the best first.
    fn search(&self, tallies: &mut [Tally; 128], budget: &Budget, rng: &mut Xoshiro256PlusPlus) -> Vec<(u8, f32)> {
        let mut nodes = 0;
        let seat = self.judge.seat.index();
        let open = self.worlds.iter().fold(0, |open, world| open | world.legal & self.candidates);
        if open == 0 {
            // There is nothing to find out, and the clock is for the tries.
            return Vec::new();
        }
        // In one order after the other, so that every world counts the same.
        while !budget.is_over(nodes) {
            let world = &self.worlds[nodes as usize % self.worlds.len()];
            nodes += 1;
            let mut board = Playout::new(world.stones, seat);
            let Some(point) = self.pick(self.candidates & world.legal, tallies, nodes) else { continue };
            board.put(bit(point));
            board.run(self.left.saturating_sub(1), rng);
            let value = self.judge.value(&board);
            let tally = &mut tallies[usize::from(point)];
            tally.tries += 1.0;
            tally.won += value;
            for point in points(board.first[seat] & self.candidates) {
                let tally = &mut tallies[usize::from(point)];
                tally.amaf_tries += 1.0;
                tally.amaf_won += value;
            }
        }
        let tried = |point: u8| tallies[usize::from(point)].tries > 0.0;
        let worth = |point: u8| (tallies[usize::from(point)].worth(self.amaf_weight) - 0.05) / 0.9;
        let mut ranking: Vec<(u8, f32)> = points(open).map(|point| (point, worth(point))).collect();
        // In a very short search not every point got its turn.
        ranking.sort_by(|&(one, first), &(other, second)| {
            tried(other).cmp(&tried(one)).then_with(|| second.total_cmp(&first))
        });
        ranking
    }

    /// The point to try next.
    fn pick(&self, open: u128, tallies: &[Tally; 128], nodes: u64) -> Option<u8> {
        let logarithm = (nodes as f32).ln();
        let mut best: Option<(f32, u8)> = None;
        for point in points(open) {
            let tally = &tallies[usize::from(point)];
            let score = tally.worth(self.amaf_weight) + CURIOSITY * (logarithm / (tally.tries + 1.0)).sqrt();
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, point));
            }
        }
        best.map(|(_, point)| point)
    }
}

impl Player for PhantomGoPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        let variant = games::read_variant::<PhantomGoVariant>(variant).unwrap_or_default();
        let opening = position.and_then(|text| PhantomGo::read_position(&variant, text).ok());
        let opening = opening.unwrap_or_else(|| PhantomGo::new(&variant));
        self.belief = Belief::new(variant, opening, seat);
        self.tallies = [Tally::default(); 128];
        self.refused = 0;
    }

    fn learn(&mut self, event: &Event) {
        match event {
            Event::Refused { .. } => self.refused += 1,
            Event::Ply { .. } | Event::HiddenPly => self.refused = 0,
            _ => {}
        }
        self.belief.learn(event);
    }

    fn forget(&mut self) {
        self.belief.forget();
        self.tallies = [Tally::default(); 128];
    }

    fn think(&mut self, limits: ThinkLimits) -> String {
        let mut text = String::new();
        let began = Instant::now();
        let turn = self.choose(&limits);
        self.spent += began.elapsed();
        self.belief.record.opening.write_ply(turn, &mut text);
        self.tried = Some(Instant::now());
        text
    }
}

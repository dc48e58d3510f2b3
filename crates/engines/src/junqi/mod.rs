//! Junqi: a belief over the enemy's set-up, and a search by the chances of ranks that set-ups drawn from it tell.

mod belief;
mod chances;
mod likely;
mod search;
mod set_ups;
mod table;
mod value;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub use belief::Belief;
use games::junqi::{Junqi, JunqiVariant, PIECES, Ply, STATIONS};
use games::random::below;
use games::{Event, Game as _, Side};
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::Settings;
use crate::kit::{Budget, Strength};
use chances::{Chances, RANKS};
use search::Search;
pub use set_ups::{Drawing, PROVEN, WEIGHT_COUNT, places};

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(100, 600),
    Strength::of(100, 410),
    Strength::of(200, 290),
    Strength::of(1_000, 160),
    Strength::of(5_000, 70),
    Strength::of(100_000, 0),
];

/// Set-ups drawn to know the chances of each piece.
const DRAWN: u32 = 900;
/// So many at least, however short the time is.
const LEAST_DRAWN: u32 = 30;
/// How deep to look.
const DEPTH: i32 = 10;

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> JunqiPlayer {
    JunqiPlayer {
        name,
        strength,
        belief: Belief::new(JunqiVariant::default(), Side::Black, None),
        rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        search: Box::new(Search::new(settings.memory)),
        learned: Vec::new(),
        clock: Clock::default(),
        depth: if settings.uses("depth") { DEPTH } else { 2 },
        likely: settings.uses("likely"),
    }
}

/// The player.
pub struct JunqiPlayer {
    name: String,
    strength: Strength,
    belief: Belief,
    rng: Xoshiro256PlusPlus,
    search: Box<Search>,
    /// Everything learned, so that a ply can be taken back.
    learned: Vec<Event>,
    clock: Clock,
    /// How deep it looks.
    depth: i32,
    /// Whether natural set-ups of the enemy are believed in more than others.
    likely: bool,
}

/// The time of a whole game. The protocol tells it once, at the start: what is left of it is the player's own count. A referee
/// inside this program tells what is left each time, and adds to it.
#[derive(Debug, Clone, Copy, Default)]
struct Clock {
    given: Option<Duration>,
    spent: Duration,
    /// It is counted by whoever tells it.
    is_told: bool,
}

impl Clock {
    fn limits(&mut self, limits: &ThinkLimits) -> ThinkLimits {
        let left = limits.left.map(|left| {
            let given = *self.given.get_or_insert(left);
            self.is_told |= left != given;
            if self.is_told { left } else { given.saturating_sub(self.spent) }
        });
        ThinkLimits { left, ..*limits }
    }
}

impl JunqiPlayer {
    fn choose(&mut self, limits: &ThinkLimits) -> Option<Ply> {
        if self.belief.sets_up() {
            return Some(Ply::SetUp(Drawing::TO_WIN.set_up(&mut self.rng)));
        }
        let budget = Budget::new(limits, self.strength, 80);
        let world = self.belief.imagine(&mut self.rng);
        let slips = self.strength.slips > 0 && below(&mut self.rng, 1000) < self.strength.slips;
        match world {
            Some(world) if slips => world.random_ply(&mut self.rng),
            Some(world) => self.best(&world, &budget),
            // Something was told that the rules do not know: a move is still due.
            None => self.belief.any_move(&mut self.rng),
        }
    }

    /// The best ply by the chances of the enemy's pieces. Which plies there are is the same in every world that agrees with what was seen.
    fn best(&mut self, world: &Junqi, budget: &Budget) -> Option<Ply> {
        let mut moves = Vec::new();
        let _ = world.visit_legal(|ply| {
            if let Ply::Move { from, to } = ply {
                moves.push((from, to));
            }
            ControlFlow::Continue(())
        });
        // Equal plies come in any order.
        for last in (1..moves.len()).rev() {
            moves.swap(last, below(&mut self.rng, last as u32 + 1) as usize);
        }
        if moves.len() > 1 {
            let (chances, standing) = self.chances(world, budget);
            self.search.order(world, &standing, &chances, &mut moves, (self.depth, budget));
        }
        moves.first().map(|&(from, to)| Ply::Move { from, to })
    }

    /// The chances of each enemy piece, and which of them stands on each station.
    fn chances(&mut self, world: &Junqi, budget: &Budget) -> (Chances, [Option<u8>; STATIONS]) {
        let mut chances = [[0.0; RANKS]; PIECES];
        if self.belief.knows_everything() {
            return known(world);
        }
        let mut drawn = 0;
        for number in 0..DRAWN {
            let enough = number >= LEAST_DRAWN && budget.elapsed() > budget.time() / 8;
            if enough || drawn > 0 && budget.is_over(0) {
                break;
            }
            if self.belief.imagine(&mut self.rng).is_some()
                && let Some(set_up) = self.belief.drawn()
            {
                chances.iter_mut().zip(set_up).for_each(|(chances, rank)| chances[rank as usize] += 1.0);
                drawn += 1;
            }
        }
        chances.iter_mut().flatten().for_each(|chance| *chance /= drawn.max(1) as f32);
        (chances, *self.belief.standing())
    }
}

/// The same where nothing is hidden: a game that began from a position.
fn known(world: &Junqi) -> (Chances, [Option<u8>; STATIONS]) {
    let mut chances = [[0.0; RANKS]; PIECES];
    let mut standing = [None; STATIONS];
    let enemy = world.to_move().other();
    let mut pieces = (0..STATIONS).filter_map(|station| {
        world.piece_at(station).filter(|&(side, _)| side == enemy).map(|(_, rank)| (station, rank))
    });
    for (piece, chances) in chances.iter_mut().enumerate() {
        let Some((station, rank)) = pieces.next() else { break };
        standing[station] = Some(piece as u8);
        chances[rank as usize] = 1.0;
    }
    (chances, standing)
}

impl Player for JunqiPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        let variant = games::read_variant::<JunqiVariant>(variant).unwrap_or_default();
        let opening = position
            .and_then(|text| Junqi::read_position(&variant, text).ok())
            // Before the set-ups there is nothing to know.
            .filter(|opening| opening.plies() >= 2);
        self.belief = Belief::new(variant, seat, opening);
        self.belief.likely = self.likely;
        self.learned.clear();
        self.clock = Clock::default();
    }

    fn learn(&mut self, event: &Event) {
        self.belief.learn(event);
        self.learned.push(event.clone());
    }

    fn forget(&mut self) {
        // The last ply, its contact and what was shown then.
        while let Some(event) = self.learned.pop() {
            if matches!(event, Event::Ply { .. } | Event::HiddenPly) {
                break;
            }
        }
        self.belief = self.belief.anew();
        self.learned.iter().for_each(|event| self.belief.learn(event));
    }

    fn think(&mut self, limits: ThinkLimits) -> String {
        let began = Instant::now();
        let mut text = String::new();
        let limits = self.clock.limits(&limits);
        if let Some(ply) = self.choose(&limits) {
            let game = Junqi::new(&JunqiVariant::default());
            let ply = if self.belief.seat() == Side::White { game.turned(ply) } else { ply };
            game.write_ply(ply, &mut text);
        }
        self.clock.spent += began.elapsed();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_told_once_runs_all_the_same() {
        let limits = |seconds| ThinkLimits { left: Some(Duration::from_secs(seconds)), ..ThinkLimits::default() };
        let mut clock = Clock::default();
        assert_eq!(clock.limits(&limits(100)), limits(100));
        clock.spent += Duration::from_secs(30);
        assert_eq!(clock.limits(&limits(100)), limits(70), "the referee repeats what it said at the start");
        assert_eq!(clock.limits(&limits(60)), limits(60), "the referee counts itself");
        assert_eq!(clock.limits(&ThinkLimits::default()), ThinkLimits::default());
    }
}

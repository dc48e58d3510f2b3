//! Junqi: a belief over the enemy's set-up, and a search in set-ups drawn from it.

mod belief;
mod likely;
mod search;
mod set_ups;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub use belief::Belief;
use games::junqi::{Junqi, JunqiVariant, Ply};
use games::random::below;
use games::{End, Event, Game as _, Side};
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::Settings;
use crate::kit::{Budget, Strength};
use search::{Search, WIN};

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(100, 400),
    Strength::of(200, 360),
    Strength::of(500, 320),
    Strength::of(2_500, 170),
    Strength::of(12_000, 60),
    Strength::of(100_000, 0),
];

/// How deep worlds are searched after a ply, how many worlds so deep, and how many plies go on to the next stage.
static STAGES: [Stage; 4] = [
    Stage { depth: 0, worlds: 6, kept: 64 },
    Stage { depth: 1, worlds: 12, kept: 20 },
    Stage { depth: 2, worlds: 60, kept: 10 },
    Stage { depth: 3, worlds: 10_000, kept: 1 },
];
/// A stage counts once it has looked at so many worlds.
const ENOUGH: u32 = 4;

struct Stage {
    depth: i32,
    worlds: u32,
    kept: usize,
}

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> JunqiPlayer {
    JunqiPlayer {
        name,
        strength,
        belief: Belief::new(JunqiVariant::default(), Side::Black, None),
        rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        search: Search::new(),
        learned: Vec::new(),
        clock: Clock::default(),
        stages: if settings.uses("depth") { &STAGES } else { &STAGES[..2] },
        likely: settings.uses("likely"),
    }
}

/// The player.
pub struct JunqiPlayer {
    name: String,
    strength: Strength,
    belief: Belief,
    rng: Xoshiro256PlusPlus,
    search: Search,
    /// Everything learned, so that a ply can be taken back.
    learned: Vec<Event>,
    clock: Clock,
    stages: &'static [Stage],
    /// Whether natural set-ups of the enemy are believed in more than others.
    likely: bool,
}

/// The time of a whole game. The protocol tells it once, at the start: what is left of it is the player's own count.
#[derive(Debug, Clone, Copy, Default)]
struct Clock {
    given: Option<Duration>,
    spent: Duration,
}

impl Clock {
    fn limits(&mut self, limits: &ThinkLimits) -> ThinkLimits {
        let left = limits.left.map(|left| left.min(self.given.get_or_insert(left).saturating_sub(self.spent)));
        ThinkLimits { left, ..*limits }
    }
}

impl JunqiPlayer {
    fn choose(&mut self, limits: &ThinkLimits) -> Option<Ply> {
        if self.belief.sets_up() {
            return Some(Ply::SetUp(set_ups::draw(&mut self.rng)));
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

    /// The ply that is best on average over imagined worlds. Which plies there are is the same in all of them.
    fn best(&mut self, world: &Junqi, budget: &Budget) -> Option<Ply> {
        let mut plies = Vec::new();
        let _ = world.visit_legal(|ply| {
            plies.push(ply);
            ControlFlow::Continue(())
        });
        // Equal plies come in any order.
        for last in (1..plies.len()).rev() {
            plies.swap(last, below(&mut self.rng, last as u32 + 1) as usize);
        }
        (self.search.nodes, self.search.stopped) = (0, false);
        let mut next = Some(*world);
        let mut values = vec![0.0; plies.len()];
        for stage in self.stages {
            if plies.len() <= 1 {
                break;
            }
            let mut sums = vec![0_i64; plies.len()];
            let mut worlds = 0;
            while worlds < stage.worlds {
                let Some(world) = next.take().or_else(|| self.belief.imagine(&mut self.rng)) else { break };
                let found: Vec<i64> = plies.iter().map(|&ply| self.worth(&world, ply, stage.depth, budget)).collect();
                if self.search.stopped {
                    break;
                }
                sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += value);
                worlds += 1;
                if budget.is_over(self.search.nodes) {
                    self.search.stopped = true;
                    break;
                }
            }
            if worlds >= ENOUGH.min(stage.worlds) || (worlds > 0 && stage.depth == 0) {
                for (value, sum) in values.iter_mut().zip(sums) {
                    *value = sum as f64 / f64::from(worlds);
                }
                let mut order: Vec<usize> = (0..plies.len()).collect();
                order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
                order.truncate(stage.kept);
                plies = order.iter().map(|&index| plies[index]).collect();
                values = order.iter().map(|&index| values[index]).collect();
            }
            if self.search.stopped {
                break;
            }
        }
        plies.first().copied()
    }

    /// What a ply is worth in a world.
    fn worth(&mut self, world: &Junqi, ply: Ply, depth: i32, budget: &Budget) -> i64 {
        let mut child = *world;
        child.apply(ply, End::Played);
        let value = -self.search.look(&child, depth, 1, -WIN, WIN, budget);
        // A game won in some worlds only is not worth everything. A lost one counts in full: the enemy who can take the
        // flag need not be of any rank, and stands where he stands in every world.
        i64::from(value.min(WIN / 2))
    }
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

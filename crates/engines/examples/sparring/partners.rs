//! Whom Tiaojia spars with: programs as students publish them. Each looks a fixed number of plies ahead, or deepens until a
//! number of positions is spent, and cares for one or two things beside stones.

use std::ops::ControlFlow;

use games::random::below;
use games::tiaojia::{Step, Tiaojia};
use games::{End, Game as _};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a partner cares about beside stones.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Taste {
    /// To stand in the middle.
    Middle,
    /// Free squares it can step to.
    Control,
    /// Stones beside each other, and few gaps between them.
    Pairs,
    /// To be near the enemy.
    Nearness,
    /// To stand close together.
    Crowd,
    /// To gather at a point beyond the middle.
    Point,
    /// That few of its stones can be taken at once.
    Fear,
    /// That it can take many at once.
    Greed,
}

/// How far a partner looks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Looks {
    /// So many plies.
    Plies(u32),
    /// Deeper and deeper, until so many positions are spent.
    Positions(u64),
}

/// A partner as it is described.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    tastes: &'static [Taste],
    looks: Looks,
    /// Captures in a row that are looked at behind the last ply.
    settles: u32,
    /// Whether it takes any of the plies that look equal to it, not the first.
    whimsical: bool,
}

impl Habits {
    const fn plies(plies: u32, tastes: &'static [Taste]) -> Self {
        Self { tastes, looks: Looks::Plies(plies), settles: 0, whimsical: true }
    }

    const fn positions(positions: u64, tastes: &'static [Taste]) -> Self {
        Self { looks: Looks::Positions(positions), ..Self::plies(0, tastes) }
    }

    const fn settling(self) -> Self {
        Self { settles: 2, ..self }
    }

    /// Always the first of those that look equal.
    const fn stubborn(self) -> Self {
        Self { whimsical: false, ..self }
    }
}

/// Those it learns from.
pub(crate) const TRAINERS: [Habits; 8] = [
    Habits::plies(4, &[]),
    Habits::plies(4, &[Taste::Fear]),
    Habits::plies(4, &[Taste::Point]),
    Habits::plies(4, &[Taste::Crowd]),
    Habits::plies(4, &[Taste::Pairs]).stubborn(),
    Habits::plies(4, &[Taste::Middle]),
    Habits::positions(20_000, &[Taste::Greed]),
    Habits::positions(10_000, &[Taste::Fear, Taste::Pairs]).settling(),
];

/// Those that only tell what was learned: pairs of cares as published programs have them.
pub(crate) const EXAMINERS: [Habits; 6] = [
    Habits::plies(4, &[Taste::Nearness, Taste::Crowd]),
    Habits::plies(4, &[Taste::Point, Taste::Fear]),
    Habits::plies(4, &[Taste::Middle, Taste::Greed]),
    Habits::plies(4, &[Taste::Control]).stubborn(),
    Habits::plies(4, &[Taste::Crowd, Taste::Fear]).settling(),
    Habits::positions(60_000, &[Taste::Pairs, Taste::Middle]),
];

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
/// The sixteen squares in the middle, and all but the edge.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;

const fn left(set: u64) -> u64 {
    (set & !FIRST_COLUMN) >> 1
}

const fn right(set: u64) -> u64 {
    (set & !LAST_COLUMN) << 1
}

const fn around(set: u64) -> u64 {
    let row = set | left(set) | right(set);
    row | row << 8 | row >> 8
}

const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// How far apart stones stand: the sum of their squared distances from their middle.
fn scattering(mut stones: u64) -> i32 {
    let (number, mut sums, mut squares) = (count(stones).max(1), [0, 0], 0);
    while stones != 0 {
        let square = stones.trailing_zeros() as i32;
        stones &= stones - 1;
        let (x, y) = (square % 8, square / 8);
        sums = [sums[0] + x, sums[1] + y];
        squares += x * x + y * y;
    }
    squares - (sums[0] * sums[0] + sums[1] * sums[1]) / number
}

/// How far stones are from the point they gather at, by steps.
fn distance(mut stones: u64) -> i32 {
    let mut steps = 0;
    while stones != 0 {
        let square = stones.trailing_zeros() as i32;
        stones &= stones - 1;
        steps += (square % 8 - 4).abs().max((square / 8 - 3).abs());
    }
    steps
}

/// The stones an enemy can turn with his next step, or nearly: the one that steps may be the one that flanks.
const fn taken(own: u64, enemy: u64) -> u64 {
    let entered = !(own | enemy) & around(enemy);
    let across = entered & left(own) & right(own);
    let along = entered & own << 8 & own >> 8;
    let flanked = right(enemy) & left(entered)
        | left(enemy) & right(entered)
        | enemy << 8 & entered >> 8
        | enemy >> 8 & entered << 8;
    own & (left(across) | right(across) | along << 8 | along >> 8 | flanked)
}

impl Taste {
    /// What one side has of it, a stone being worth a hundred.
    fn of(self, own: u64, enemy: u64) -> i32 {
        let empty = !(own | enemy);
        match self {
            Self::Middle => 3 * count(own & MIDDLE) + 2 * count(own & INSIDE),
            Self::Control => 2 * count(around(own) & empty & !around(enemy)) + count(around(own) & empty),
            Self::Pairs => {
                let pairs = count(own & (left(own) | right(own))) + count(own & (own << 8 | own >> 8));
                let gaps = count(empty & left(own) & right(own)) + count(empty & own << 8 & own >> 8);
                2 * pairs - 5 * gaps
            }
            Self::Nearness => 4 * count(own & around(enemy)),
            Self::Crowd => -scattering(own),
            Self::Point => -3 * distance(own),
            Self::Fear => -25 * count(taken(own, enemy)),
            Self::Greed => 20 * count(taken(enemy, own)),
        }
    }
}

/// A partner at its work.
pub(crate) struct Partner {
    habits: Habits,
    random: Xoshiro256PlusPlus,
    positions: u64,
    /// Quiet steps that refuted something, by how many plies were left.
    killers: [[u16; 2]; 32],
}

const WIN: i32 = 100_000;

const fn packed(ply: Step) -> u16 {
    ((ply.from as u16) << 3 | ply.direction as u16) + 1
}

/// The steps that turn stones first, then the killers, then the others.
struct Ordered {
    plies: [Step; 128],
    number: usize,
}

impl Ordered {
    fn new(game: &Tiaojia, killers: [u16; 2], quiet: bool) -> Self {
        let mut this = Self { plies: [Step { from: 0, direction: 0 }; 128], number: 0 };
        let turning = game.turning_squares();
        let turns = |ply| Tiaojia::target(ply) & turning != 0 && game.turned_by(ply) > 0;
        let _ = game.visit_onto(turning, |ply| this.keep(ply, turns(ply)));
        let loud = this.number;
        if quiet {
            let _ = game.visit_legal(|ply| this.keep(ply, !turns(ply)));
            for killer in killers {
                if let Some(at) = this.plies[loud..this.number].iter().position(|&ply| packed(ply) == killer) {
                    this.plies[loud..=loud + at].rotate_right(1);
                }
            }
        }
        this
    }

    const fn keep(&mut self, ply: Step, wanted: bool) -> ControlFlow<()> {
        if wanted {
            self.plies[self.number] = ply;
            self.number += 1;
        }
        ControlFlow::Continue(())
    }
}

impl Partner {
    pub(crate) fn new(habits: Habits, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { habits, random, positions: 0, killers: [[0; 2]; 32] }
    }

    /// The ply it plays.
    pub(crate) fn choose(&mut self, game: &Tiaojia) -> Step {
        let Ordered { mut plies, number } = Ordered::new(game, [0; 2], true);
        let plies = &mut plies[..number];
        if self.habits.whimsical {
            // The first of equals is any of them then.
            for at in (1..plies.len()).rev() {
                plies.swap(at, below(&mut self.random, at as u32 + 1) as usize);
            }
        }
        (self.positions, self.killers) = (0, [[0; 2]; 32]);
        let (deepest, most) = match self.habits.looks {
            Looks::Plies(plies) => (plies, u64::MAX),
            Looks::Positions(positions) => (30, positions),
        };
        for depth in 1..=deepest.min(game.plies_left()) {
            let (mut low, mut best) = (-2 * WIN, 0);
            for (at, &ply) in plies.iter().enumerate() {
                let mut child = *game;
                child.apply(ply, End::Played);
                let value = -self.look(&child, depth - 1, -2 * WIN, -low, most);
                if self.positions >= most {
                    break;
                }
                if value > low {
                    (low, best) = (value, at);
                }
            }
            plies[..=best].rotate_right(1);
            if self.positions >= most || low.abs() >= WIN {
                break;
            }
        }
        plies[0]
    }

    fn value(&self, game: &Tiaojia) -> i32 {
        let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
        let tastes = self.habits.tastes.iter().map(|taste| taste.of(own, enemy) - taste.of(enemy, own));
        100 * (count(own) - count(enemy)) + tastes.sum::<i32>()
    }

    fn look(&mut self, game: &Tiaojia, depth: u32, mut low: i32, high: i32, most: u64) -> i32 {
        self.positions += 1;
        if let Some(verdict) = game.verdict() {
            return verdict.winner.map_or(0, |winner| if winner == game.to_move() { WIN } else { -WIN - depth as i32 });
        }
        if depth == 0 {
            return self.settle(game, self.habits.settles, low, high);
        }
        let mut best = -2 * WIN;
        let Ordered { plies, number } = Ordered::new(game, self.killers[depth as usize], true);
        for &ply in &plies[..number] {
            let mut child = *game;
            child.apply(ply, End::Played);
            best = best.max(-self.look(&child, depth - 1, -high, -low, most));
            low = low.max(best);
            if low >= high {
                let killers = &mut self.killers[depth as usize];
                if killers[0] != packed(ply) {
                    *killers = [packed(ply), killers[0]];
                }
                break;
            }
            if self.positions >= most {
                break;
            }
        }
        best
    }

    fn settle(&mut self, game: &Tiaojia, room: u32, mut low: i32, high: i32) -> i32 {
        let mut best = self.value(game);
        if room == 0 || best >= high {
            return best;
        }
        low = low.max(best);
        let Ordered { plies, number } = Ordered::new(game, [0; 2], false);
        for &ply in &plies[..number] {
            let mut child = *game;
            child.apply(ply, End::Played);
            self.positions += 1;
            let value = match child.verdict() {
                Some(verdict) => -verdict.winner.map_or(0, |winner| if winner == child.to_move() { WIN } else { -WIN }),
                None => -self.settle(&child, room - 1, -high, -low),
            };
            best = best.max(value);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }
}

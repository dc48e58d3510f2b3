//! Set-ups of one's own: sound, and never twice the same.

use games::junqi::{PIECES, Rank, SetUp};
use games::random::below;
use rand::Rng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::belief::{allowed, only};
use super::chances::RANKS;
use super::likely::{HEADQUARTERS, MIRRORED, guarded};
use crate::kit::weights::integers;

/// Swaps until a set-up is given out.
const SWAPS: u32 = 4000;

/// Slots on the railway columns where armies meet first.
const COLUMNS: [[usize; 4]; 2] = [[0, 5, 8, 12], [4, 7, 11, 14]];

/// Slots of the set-up by row: five in front, then 3, 4, 3, 5, 5.
const ROWS: [u8; PIECES] = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5];

/// For each rank (司令 to 军旗), how natural it is on each row from the front to the back, as a logarithm times ten.
const TASTE: [[i8; 6]; 12] = [
    [-2, 3, 3, 2, -6, -14],
    [2, 3, 3, 2, -5, -14],
    [5, 3, 3, 1, -4, -12],
    [5, 2, 2, 1, -3, -10],
    [4, 1, 1, 0, -2, -7],
    [3, 1, 1, 0, 0, -4],
    [3, 1, 1, 1, 1, 0],
    [2, 0, 0, 0, 2, 5],
    [-3, -1, 0, 2, 6, 1],
    [0, 0, 0, 0, 0, 6],
    [-40, 3, 3, 3, 1, -3],
    [0, 0, 0, 0, 0, 0],
];

/// What each rank (司令 to 军旗) adds to the chance of winning on each slot of a set-up whose flag is in the first headquarters, as a
/// logarithm of the odds times a thousand: fitted to games of varied set-ups (`cargo xtask train junqi`).
pub static PROVEN: [i32; WEIGHT_COUNT] = integers(include_bytes!("weights.txt"));
/// How many weights are learned.
pub const WEIGHT_COUNT: usize = RANKS * PIECES;

/// How set-ups are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// How much what has won counts beside what looks natural.
    trust: f32,
    /// How warm the drawing stays: the warmer, the more varied. Never cold, for the enemy must not know what to expect.
    warmth: f64,
}

impl Drawing {
    /// To win.
    pub(super) const TO_WIN: Self = Self { trust: 24.0, warmth: 0.8 };
    /// To learn what wins.
    pub const TO_LEARN: Self = Self { trust: 12.0, warmth: 1.6 };

    /// A set-up.
    pub fn set_up(&self, rng: &mut Xoshiro256PlusPlus) -> SetUp {
        let mut set_up = start();
        let mut known = self.weight(&set_up);
        for step in 0..SWAPS {
            let (one, other) = (below(rng, PIECES as u32) as usize, below(rng, PIECES as u32) as usize);
            let (first, second) = (set_up[one], set_up[other]);
            if first == second || allowed(one) & only(second) == 0 || allowed(other) & only(first) == 0 {
                continue;
            }
            set_up.swap(one, other);
            let weight = self.weight(&set_up);
            let warmth = 3.0 + (self.warmth - 3.0) * f64::from(step) / f64::from(SWAPS);
            let chance = (f64::from(weight - known) / warmth).exp();
            if f64::from(rng.next_u32()) / f64::from(u32::MAX) > chance {
                set_up.swap(one, other);
            } else {
                known = weight;
            }
        }
        set_up
    }

    /// How much a set-up is to be drawn.
    fn weight(&self, set_up: &SetUp) -> f32 {
        let odds: i32 = places(set_up).map(|place| PROVEN[place]).sum();
        taste(set_up) + soundness(set_up) + self.trust * odds as f32 / 1000.0
    }
}

/// The learned weights that count in a set-up.
pub fn places(set_up: &SetUp) -> impl Iterator<Item = usize> {
    let mirrored = set_up[HEADQUARTERS[1]] == Rank::Flag;
    let seen = move |slot: usize| if mirrored { MIRRORED[slot] } else { slot };
    set_up.iter().enumerate().map(move |(slot, &rank)| rank as usize * PIECES + seen(slot))
}

/// Any legal set-up.
pub(super) fn start() -> SetUp {
    use Rank::{
        Bomb, Brigadier, Captain, Colonel, Commander, Engineer, Flag, General, Lieutenant, Major, MajorGeneral, Mine,
    };
    [
        MajorGeneral,
        Captain,
        Colonel,
        Captain,
        Brigadier, //
        Commander,
        Bomb,
        General, //
        Brigadier,
        Colonel,
        Major,
        MajorGeneral, //
        Bomb,
        Major,
        Captain, //
        Engineer,
        Mine,
        Engineer,
        Lieutenant,
        Engineer, //
        Mine,
        Flag,
        Mine,
        Lieutenant,
        Lieutenant,
    ]
}

/// How natural a set-up is.
fn taste(set_up: &SetUp) -> f32 {
    let places: f32 = set_up
        .iter()
        .enumerate()
        .map(|(slot, &rank)| {
            let stuck = HEADQUARTERS.contains(&slot) && (rank as u8) < Rank::Captain as u8;
            f32::from(TASTE[rank as usize][usize::from(ROWS[slot])]) / 10.0 - if stuck { 1.5 } else { 0.0 }
        })
        .sum();
    places + guarded(set_up)
}

/// What a set-up is worth beyond taste: a guarded flag, strength in front and on both wings, engineers that live long.
fn soundness(set_up: &SetUp) -> f32 {
    let strength = |rank: Rank| match rank {
        Rank::Commander => 4.0,
        Rank::General => 3.0,
        Rank::MajorGeneral => 2.0,
        Rank::Brigadier | Rank::Bomb => 1.0,
        _ => 0.0,
    };
    let [left, right] = COLUMNS.map(|slots| slots.map(|slot| strength(set_up[slot])).iter().sum::<f32>());
    let mut worth = 0.25 * (left + right) - 0.3 * (left - right).abs();
    let flag = HEADQUARTERS.into_iter().find(|&slot| set_up[slot] == Rank::Flag).unwrap_or(HEADQUARTERS[0]);
    let mine = |slot: usize| if set_up[slot] == Rank::Mine { 1.0 } else { 0.0 };
    // The station in front of the flag is the way in; a mine there matters most.
    worth += 2.5 * mine(flag - 5) + 1.2 * (mine(flag - 1) + mine(flag + 1));
    for (slot, &rank) in set_up.iter().enumerate() {
        worth += match rank {
            Rank::Engineer if slot < 5 => -2.0,
            // Strength in front is where the game is decided, with bombs right behind it.
            Rank::Commander | Rank::General | Rank::MajorGeneral | Rank::Brigadier if slot < 5 => 1.5,
            Rank::Bomb if slot < 8 => 2.0,
            Rank::Commander | Rank::General | Rank::MajorGeneral | Rank::Bomb if slot >= 20 => -3.0,
            _ if HEADQUARTERS.contains(&slot)
                && !matches!(rank, Rank::Flag | Rank::Lieutenant | Rank::Captain | Rank::Mine) =>
            {
                -3.0
            }
            _ => 0.0,
        };
    }
    worth
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::junqi::{Junqi, JunqiVariant, Ply};
    use games::{End, Game as _};
    use rand::SeedableRng as _;

    #[test]
    fn set_ups_are_legal_and_differ() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let game = Junqi::new(&JunqiVariant::default());
        assert_eq!(game.judge(Ply::SetUp(start())), Ok(End::Played));
        let mut seen = std::collections::HashSet::new();
        for _ in 0..200 {
            let set_up = Drawing::TO_WIN.set_up(&mut rng);
            assert_eq!(game.judge(Ply::SetUp(set_up)), Ok(End::Played));
            seen.insert(set_up);
        }
        assert_eq!(seen.len(), 200);
        // Neither headquarters is the flag's more than three times in four.
        let left = seen.iter().filter(|set_up| set_up[HEADQUARTERS[0]] == Rank::Flag).count();
        assert!((50..=150).contains(&left), "{left}");
    }
}

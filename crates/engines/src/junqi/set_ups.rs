//! Set-ups of one's own: sound, and never twice the same.

use games::junqi::{PIECES, Rank, SetUp};
use games::random::below;
use rand::Rng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::belief::{allowed, only};
use super::likely::{HEADQUARTERS, MIRRORED, guarded};

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
/// logarithm of the odds times a hundred: fitted to the games of thousands of set-ups (docs/strength/junqi.md).
#[rustfmt::skip]
const PROVEN: [[i8; PIECES]; 12] = [
    [12, 6, 14, -4, 3, 1, -7, -3, 4, 1, -1, -3, -6, -7, -11, -8, 0, -8, -13, -2, -1, 0, 0, -1, 0],
    [-6, -4, -3, -2, 1, 1, -2, 12, -2, -3, 2, -1, 1, 16, -4, -5, -2, -2, 3, 0, -1, 0, 0, -1, -1],
    [0, 1, -5, -1, -5, -4, 11, 2, 0, 12, 3, 1, -3, 3, 0, -5, 0, 2, -1, -4, -1, 0, -1, -5, 1],
    [-6, 1, -1, -2, -8, -12, -5, -3, 5, 6, 4, -4, 7, -2, 5, -1, -4, 6, 6, 6, -1, 0, 10, -2, 6],
    [-3, -7, -1, 4, 0, -7, -3, -3, 3, -2, 1, -7, 4, 2, 8, 7, -5, 2, 1, -7, -7, 0, 8, -2, 2],
    [-3, -2, 4, 5, 9, -4, -3, 1, -3, -6, -2, -5, -8, 2, -2, 7, -13, 5, 3, -4, -2, 0, 0, 1, 9],
    [0, -1, -4, -10, 4, 10, -3, -7, 0, -2, -3, -1, -1, -2, -6, 7, -14, 4, 3, -3, -8, 0, -2, 12, -3],
    [-1, -2, -2, 2, 1, 2, -9, -6, -9, -8, 4, -1, 0, -2, 0, -10, -5, 0, -7, 7, -11, 0, 4, 11, 5],
    [1, 1, -4, 5, -8, 6, -3, 3, -6, -4, -2, -4, -1, -6, 1, -5, -13, 6, 4, 0, 2, 0, 13, 10, -2],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 10, -19, -4, 1, 8, 0, -9, -16, -17],
    [0, 0, 0, 0, 0, -3, 8, -1, 3, 1, -11, 16, 0, -8, 0, -10, 2, -7, -3, -5, -2, 0, -1, -9, -1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
];
/// How much that counts beside taste and soundness.
const TRUST: f32 = 12.0;

/// A set-up.
pub(super) fn draw(rng: &mut Xoshiro256PlusPlus) -> SetUp {
    let mut set_up = start();
    let mut known = weight(&set_up);
    for step in 0..SWAPS {
        let (one, other) = (below(rng, PIECES as u32) as usize, below(rng, PIECES as u32) as usize);
        let (first, second) = (set_up[one], set_up[other]);
        if first == second || allowed(one) & only(second) == 0 || allowed(other) & only(first) == 0 {
            continue;
        }
        set_up.swap(one, other);
        let weight = weight(&set_up);
        // Warm at first, cooler later, never cold: the enemy must not know what to expect.
        let warmth = 3.0 - 2.2 * f64::from(step) / f64::from(SWAPS);
        let chance = (f64::from(weight - known) / warmth).exp();
        if f64::from(rng.next_u32()) / f64::from(u32::MAX) > chance {
            set_up.swap(one, other);
        } else {
            known = weight;
        }
    }
    set_up
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

/// How much a set-up is to be drawn.
fn weight(set_up: &SetUp) -> f32 {
    taste(set_up) + soundness(set_up) + TRUST * proven(set_up)
}

/// The logarithm of the odds of winning with a set-up, up to a constant.
fn proven(set_up: &SetUp) -> f32 {
    let mirrored = set_up[HEADQUARTERS[1]] == Rank::Flag;
    let odds: i32 = set_up
        .iter()
        .enumerate()
        .map(|(slot, &rank)| i32::from(PROVEN[rank as usize][if mirrored { MIRRORED[slot] } else { slot }]))
        .sum();
    odds as f32 / 100.0
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
            let set_up = draw(&mut rng);
            assert_eq!(game.judge(Ply::SetUp(set_up)), Ok(End::Played));
            seen.insert(set_up);
        }
        assert_eq!(seen.len(), 200);
        // Neither headquarters is the flag's more than three times in four.
        let left = seen.iter().filter(|set_up| set_up[HEADQUARTERS[0]] == Rank::Flag).count();
        assert!((50..=150).contains(&left), "{left}");
    }
}

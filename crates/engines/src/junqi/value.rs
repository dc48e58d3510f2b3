//! What pieces and the places they stand on are worth.

use std::sync::LazyLock;

use games::junqi::{CAMPS, HEADQUARTERS, Junqi, PIECES, Rank, STATIONS, reach};
use games::{Game as _, Side};

use super::chances::{Chances, RANKS};

/// What pieces are worth, 司令 to 军旗.
pub(super) const WORTH: [f32; RANKS] = [420.0, 310.0, 210.0, 150.0, 105.0, 75.0, 50.0, 35.0, 70.0, 60.0, 150.0, 0.0];

/// A mine beside the flag, or in front of it: whoever takes it takes the flag next.
const MINE_AT_FLAG: f32 = 220.0;
/// What each of the first two pieces that stay within two moves of the flag is worth there.
const GUARD: f32 = 40.0;
/// What each piece that is gone after the first twenty makes a camp worth: the fewer there are, the more it matters who can be touched.
const LATE_CAMP: f32 = 6.0;
const LATE: u32 = 30;

/// How many moves a piece needs from one station to another on an empty board.
static DISTANCES: LazyLock<[[u8; STATIONS]; STATIONS]> = LazyLock::new(|| {
    std::array::from_fn(|start| {
        let mut distances = [u8::MAX; STATIONS];
        let (mut front, mut reached) = (1_u64 << start, 0_u64);
        for distance in 0.. {
            reached |= front;
            let mut next = 0;
            for station in stations(front) {
                distances[station] = distance;
                // Nobody leaves headquarters, but the way is counted from there backwards.
                if station == start || HEADQUARTERS >> station & 1 == 0 {
                    next |= reach(station, false, 0);
                }
            }
            front = next & !reached;
            if front == 0 {
                break;
            }
        }
        distances
    })
});

/// The stations of a set.
pub(super) fn stations(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let station = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (station < STATIONS).then_some(station)
    })
}

/// The stations where a side's flag can be.
pub(super) fn homes(side: Side) -> impl Iterator<Item = usize> {
    let lower = HEADQUARTERS >> (STATIONS / 2) << (STATIONS / 2);
    stations(if side == Side::Black { lower } else { HEADQUARTERS & !lower })
}

/// What a move towards the flag is worth to a piece.
const fn eagerness(rank: Rank) -> f32 {
    match rank {
        Rank::Mine | Rank::Flag => 0.0,
        Rank::Bomb => 4.0,
        Rank::Commander | Rank::Engineer | Rank::Lieutenant => 8.0,
        _ => 12.0,
    }
}

/// How near a station is to a flag: 8 is the flag's own.
fn closeness(flag: usize, station: usize) -> f32 {
    DISTANCES.get(flag).map_or(0.0, |distances| 8.0 - f32::from(distances[station].min(8)))
}

/// What it is worth to stand somewhere.
pub(super) struct Places {
    /// Of one's own pieces, by rank, with what the piece itself is worth.
    pub(super) own: [[f32; STATIONS]; RANKS],
    /// Of the enemy's, by slot, without it: what all of them together are worth is known better than what each is.
    pub(super) enemy: [[f32; STATIONS]; PIECES],
    /// The stations from where one's own flag is guarded.
    home: u64,
}

impl Places {
    pub(super) const NONE: Self = Self { own: [[0.0; STATIONS]; RANKS], enemy: [[0.0; STATIONS]; PIECES], home: 0 };

    /// The places in a game of the side to move.
    pub(super) fn new(game: &Junqi, standing: &[Option<u8>; STATIONS], chances: &Chances) -> Self {
        let (mover, mut places) = (game.to_move(), Self::NONE);
        let flag = game.of_rank(mover, Rank::Flag).trailing_zeros() as usize;
        let flag_chance =
            |home: usize| standing[home].map_or(0.0, |piece| chances[usize::from(piece)][Rank::Flag as usize]);
        let beside = if flag < STATIONS { reach(flag, false, u64::MAX) } else { 0 };
        let pieces = (game.pieces(Side::Black) | game.pieces(Side::White)).count_ones();
        let late = LATE_CAMP * LATE.saturating_sub(pieces) as f32;
        for station in 0..STATIONS {
            let camp = if CAMPS >> station & 1 == 1 { late } else { 0.0 };
            // Two moves away is six of eight.
            places.home |= u64::from(closeness(flag, station) >= 6.0) << station;
            let stuck = HEADQUARTERS >> station & 1 == 1;
            let near: f32 = homes(mover.other()).map(|home| flag_chance(home) * closeness(home, station)).sum();
            for rank in Rank::ALL {
                let worth = WORTH[rank as usize];
                places.own[rank as usize][station] = match rank {
                    Rank::Mine if beside >> station & 1 == 1 => MINE_AT_FLAG,
                    Rank::Mine | Rank::Flag => worth,
                    // Never to move again.
                    _ if stuck => worth / 2.0,
                    _ => worth + near * eagerness(rank) + camp,
                };
            }
            for (place, chances) in places.enemy.iter_mut().zip(chances) {
                let eager: f32 = Rank::ALL.iter().map(|&rank| chances[rank as usize] * eagerness(rank)).sum();
                let mobile = 1.0 - chances[Rank::Mine as usize] - chances[Rank::Flag as usize];
                place[station] = if stuck { 0.0 } else { eager * closeness(flag, station) + camp * mobile };
            }
        }
        places
    }

    /// What the guards of one's own flag are worth, given where one's pieces stand that can move.
    pub(super) fn guards(&self, movers: u64) -> f32 {
        GUARD * (movers & self.home).count_ones().min(2) as f32
    }
}

/// The last pieces that can move are worth the game.
pub(super) const fn few(movers: u32) -> f32 {
    match movers {
        0 | 1 => -150.0,
        2 => -60.0,
        _ => 0.0,
    }
}

/// How much the run of plies without contact presses whoever would complete it.
pub(super) fn pressure(quiet: u32, steps: u32) -> f32 {
    if steps == 0 || quiet * 3 <= steps {
        return 0.0;
    }
    let (quiet, steps) = (quiet as f32, steps as f32);
    let part = quiet * 3.0 - steps;
    // From half-way on a contact must be found.
    25.0 * part * part / (steps * steps) + (6.0 * (quiet - steps / 2.0)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::junqi::JunqiVariant;

    #[test]
    fn a_camp_is_worth_something_once_few_pieces_are_left() {
        let worth = |text: &str| {
            let game = Junqi::read_position(&JunqiVariant { steps: 31 }, text).expect("a position");
            let (chances, standing) = super::super::known(&game);
            let places = Places::new(&game, &standing, &chances);
            // A camp and the station beside it, as far from the enemy's flag.
            let [camp, beside] = [36, 37].map(|station| places.own[Rank::Captain as usize][station]);
            camp - beside
        };
        let few = worth("1l3/h4/1a3/5/5/5/5/5/5/5/G4/1L3 b 0 b 100");
        let many = worth("hlhjj/jgiii/a1b1c/c1d1d/e1f1e/fggk1/5/G3G/5/5/G4/1L3 b 0 b 100");
        assert!(few > many + 100.0, "{few} {many}");
    }
}

//! Which set-ups people and programs choose, and what the behaviour of a piece tells of its rank.

use games::junqi::{PIECES, Rank, SetUp};

/// The headquarters among the slots.
pub(super) const HEADQUARTERS: [usize; 2] = [21, 23];

/// The slot on the other side of each.
pub(super) const MIRRORED: [usize; PIECES] =
    [4, 3, 2, 1, 0, 7, 6, 5, 11, 10, 9, 8, 14, 13, 12, 19, 18, 17, 16, 15, 24, 23, 22, 21, 20];

/// For each rank (司令 to 军旗), how often it stands on each slot of a set-up whose flag is in the first headquarters, as a logarithm
/// times ten: counted in set-ups that were published, and mixed with taste (docs/strength/junqi.md).
#[rustfmt::skip]
const HABITUAL: [[i8; PIECES]; 12] = [
    [-29, -48, -29, -48, -25, -33, -33, -33, -43, -43, -43, -24, -22, -44, -20, -35, -17, -52, -52, -35, -59, -92, -59, -73, -59],
    [-28, -44, -20, -44, -25, -33, -24, -43, -43, -28, -33, -33, -28, -22, -22, -35, -35, -51, -51, -35, -59, -92, -59, -73, -59],
    [-15, -29, -41, -35, -14, -30, -43, -30, -24, -43, -37, -37, -37, -37, -37, -40, -50, -31, -50, -35, -57, -99, -57, -71, -57],
    [-29, -26, -24, -27, -35, -37, -44, -30, -28, -28, -37, -26, -37, -33, -33, -35, -39, -24, -31, -27, -36, -99, -55, -69, -55],
    [-32, -32, -28, -30, -36, -33, -38, -26, -25, -38, -28, -23, -23, -38, -31, -31, -48, -34, -39, -27, -40, -99, -52, -66, -40],
    [-43, -37, -43, -33, -30, -38, -26, -33, -22, -26, -26, -23, -34, -25, -31, -27, -38, -46, -34, -46, -39, -99, -49, -63, -31],
    [-35, -28, -24, -33, -38, -36, -23, -36, -36, -40, -33, -36, -28, -27, -25, -40, -45, -30, -40, -28, -45, -103, -31, -44, -25],
    [-33, -28, -31, -31, -39, -46, -36, -46, -36, -46, -40, -46, -40, -36, -40, -29, -44, -36, -44, -36, -28, -103, -25, -13, -21],
    [-49, -26, -49, -21, -49, -47, -27, -47, -46, -24, -21, -40, -39, -26, -33, -40, -34, -30, -21, -28, -44, -103, -44, -43, -33],
    [-103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -103, -22, -18, -26, -24, -37, -16, -103, -17, -38, -36],
    [-99, -99, -99, -99, -99, -14, -37, -16, -30, -22, -37, -28, -24, -43, -43, -45, -45, -45, -38, -34, -48, -99, -48, -47, -39],
    [-92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, -92, 0, -92, -92, -92],
];

/// What a piece did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// It moved without a contact.
    Walked,
    /// It went out of the reach of pieces of which nothing is known, or of those that have met somebody.
    LeftUnknown,
    LeftKnown,
    /// It went where such a piece can attack it.
    CameToUnknown,
    CameToKnown,
    EnteredCamp,
    /// It moved towards its own side.
    WentBack,
    AttackedUnknown,
    AttackedKnown,
    /// It was in reach of such a piece, and another one moved.
    StoodBeforeUnknown,
    StoodBeforeKnown,
}

/// How many kinds of deeds there are.
const DEEDS: usize = 11;
/// More of a kind tell nothing new.
const MOST: [u8; DEEDS] = [4, 2, 2, 2, 2, 1, 2, 2, 2, 3, 3];
/// What each deed tells of a piece's rank (司令 to 军旗), as a logarithm times a hundred: fitted to the games of five programs.
#[rustfmt::skip]
const TOLD: [[i8; 12]; DEEDS] = [
    [-18, -7, -2, -17, 8, 11, 16, 22, -11, 0, -12, 0], // Walked
    [-41, -39, -52, 12, -18, 24, 28, 4, 16, 0, 65, 0], // LeftUnknown
    [-60, -29, 48, 14, 18, 29, 33, -12, 43, 0, -87, 0], // LeftKnown
    [38, 12, 35, 12, 37, -5, 1, -19, -113, 0, 6, 0], // CameToUnknown
    [27, 0, -2, 39, -45, -17, -7, -1, -58, 0, 64, 0], // CameToKnown
    [-27, -26, -11, 10, 11, -12, -22, -30, 56, 0, 39, 0], // EnteredCamp
    [-28, -8, -39, 18, -5, -13, -9, 11, 42, 0, 28, 0], // WentBack
    [45, 62, 11, -34, -35, -12, -16, -21, 0, 0, 0, 0], // AttackedUnknown
    [44, 9, 46, -8, -15, -16, -45, -13, 0, 0, 0, 0], // AttackedKnown
    [-29, -38, -22, -1, -14, -1, -3, 14, -4, 62, 12, 2], // StoodBeforeUnknown
    [14, -35, -18, -18, 5, -10, 12, 10, -8, 56, -18, -10], // StoodBeforeKnown
];
/// What it tells that a piece never moved, the same way, once that is told in full.
const NEVER_MOVED: [i8; 12] = [-40, -70, -50, -20, 0, 0, 0, 10, 0, 0, 0, 0];
/// After so many plies it is.
const PATIENCE: f32 = 80.0;
/// What each mine beside the flag or in front of it makes a set-up more likely, as a logarithm.
const GUARDED: f32 = 1.6;

/// How an enemy piece has behaved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habits {
    pub(super) moved: bool,
    deeds: [u8; DEEDS],
}

impl Habits {
    pub(super) fn add(&mut self, deed: Deed) {
        let count = &mut self.deeds[deed as usize];
        *count = (*count + 1).min(MOST[deed as usize]);
    }

    /// What they tell of the rank, as a logarithm.
    fn told(&self, rank: usize, patience: f32) -> f32 {
        let deeds: f32 =
            self.deeds.iter().zip(TOLD).map(|(&count, told)| f32::from(count) * f32::from(told[rank])).sum();
        let waiting = if self.moved { 0.0 } else { patience * f32::from(NEVER_MOVED[rank]) };
        (deeds + waiting) / 100.0
    }
}

/// How likely set-ups are, given what is known of the pieces beside their ranks.
#[derive(Debug, Clone)]
pub(super) struct Likely {
    /// The logarithm of how likely each rank is on each slot, up to a constant, for either place of the flag.
    tables: [[[f32; 12]; PIECES]; 2],
}

impl Likely {
    pub(super) fn new(habits: &[Habits; PIECES], plies: usize) -> Self {
        let mut tables = [[[0.0; 12]; PIECES]; 2];
        let patience = (plies as f32 / PATIENCE).min(1.0);
        for (slot, habits) in habits.iter().enumerate() {
            for rank in 0..12 {
                let told = habits.told(rank, patience);
                for (table, place) in tables.iter_mut().zip([slot, MIRRORED[slot]]) {
                    table[slot][rank] = f32::from(HABITUAL[rank][place]) / 10.0 + told;
                }
            }
        }
        Self { tables }
    }

    fn table(&self, set_up: &SetUp) -> &[[f32; 12]; PIECES] {
        &self.tables[usize::from(set_up[HEADQUARTERS[1]] == Rank::Flag)]
    }

    /// The logarithm of how likely a set-up is, up to a constant.
    pub(super) fn weight(&self, set_up: &SetUp) -> f32 {
        let places: f32 = set_up.iter().zip(self.table(set_up)).map(|(&rank, row)| row[rank as usize]).sum();
        places + guarded(set_up)
    }

    /// The same after the pieces of two slots were changed in a set-up that weighed `known`.
    pub(super) fn changed(&self, set_up: &SetUp, (one, other): (usize, usize), known: f32) -> f32 {
        let (first, second) = (set_up[one], set_up[other]);
        if [first, second].iter().any(|rank| matches!(rank, Rank::Mine | Rank::Flag)) {
            return self.weight(set_up);
        }
        let (table, first, second) = (self.table(set_up), first as usize, second as usize);
        known + table[one][first] + table[other][second] - table[one][second] - table[other][first]
    }
}

/// What the mines around the flag add to the weight of a set-up: in front of it and on both sides.
pub(super) fn guarded(set_up: &SetUp) -> f32 {
    let flag = HEADQUARTERS.into_iter().find(|&slot| set_up[slot] == Rank::Flag).unwrap_or(HEADQUARTERS[0]);
    let guards = [flag - 1, flag + 1, flag - 5].into_iter().filter(|&slot| set_up[slot] == Rank::Mine).count();
    GUARDED * guards as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_weighs_what_the_set_up_weighs_after_it() {
        let mut set_up = super::super::set_ups::start();
        let mut habits = [Habits::default(); PIECES];
        (0..3).for_each(|_| habits[0].add(Deed::AttackedUnknown));
        let likely = Likely::new(&habits, 40);
        for (one, other) in [(0, 5), (21, 23), (20, 24), (8, 15)] {
            let known = likely.weight(&set_up);
            set_up.swap(one, other);
            let weight = likely.weight(&set_up);
            assert!((likely.changed(&set_up, (one, other), known) - weight).abs() < 1e-3);
        }
    }

    #[test]
    fn left_and_right_weigh_the_same() {
        let set_up = super::super::set_ups::start();
        let mirrored = MIRRORED.map(|slot| set_up[slot]);
        let likely = Likely::new(&[Habits::default(); PIECES], 0);
        assert!((likely.weight(&set_up) - likely.weight(&mirrored)).abs() < 1e-3);
    }
}

//! Which set-ups people and programs choose.

use games::junqi::{PIECES, Rank, SetUp};

/// Slots of the set-up by row: five in front, then 3, 4, 3, 5, 5.
const ROWS: [u8; PIECES] = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5];
/// The headquarters among the slots.
pub(super) const HEADQUARTERS: [usize; 2] = [21, 23];

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

/// How an enemy piece has behaved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habits {
    pub(super) moved: bool,
    /// How often it attacked a piece of which the enemy could know nothing.
    pub(super) attacks: u16,
}

/// What it tells of a piece's rank (司令 to 军旗) that it attacked somebody unknown, as a logarithm.
const ATTACKED: [f32; 12] = [1.5, 1.3, 0.9, 0.3, 0.0, -0.2, -0.7, -1.5, -0.7, 0.0, -1.0, 0.0];
/// More attacks than this tell nothing new.
const ATTACKS: u16 = 2;
/// What it tells that a strong piece never moved, as a logarithm, once that is told in full.
const NEVER_MOVED: f32 = -0.7;
/// After so many plies it is.
const PATIENCE: f32 = 80.0;
/// What each mine beside the flag or in front of it makes a set-up more likely, as a logarithm.
const GUARDED: f32 = 1.6;

/// How likely set-ups are, given what is known of the pieces beside their ranks.
pub(super) struct Likely {
    /// The logarithm of how likely each rank is on each slot, up to a constant.
    table: [[f32; 12]; PIECES],
}

impl Likely {
    pub(super) fn new(habits: &[Habits; PIECES], plies: usize) -> Self {
        let mut table = [[0.0; 12]; PIECES];
        let patience = (plies as f32 / PATIENCE).min(1.0);
        for (slot, (row, habits)) in table.iter_mut().zip(habits).enumerate() {
            for (rank, weight) in row.iter_mut().enumerate() {
                *weight = f32::from(TASTE[rank][usize::from(ROWS[slot])]) / 10.0;
                if HEADQUARTERS.contains(&slot) && rank < Rank::Captain as usize {
                    *weight -= 1.5;
                } else if !habits.moved && rank <= Rank::Brigadier as usize {
                    // Strong pieces do not stay at home for ever.
                    *weight += NEVER_MOVED * patience;
                }
                *weight += ATTACKED[rank] * f32::from(habits.attacks.min(ATTACKS));
            }
        }
        Self { table }
    }

    /// The logarithm of how likely a set-up is, up to a constant.
    pub(super) fn weight(&self, set_up: &SetUp) -> f32 {
        let mut weight = 0.0;
        let (mut flag, mut mines) = (HEADQUARTERS[0], 0_u32);
        for (slot, &rank) in set_up.iter().enumerate() {
            weight += self.table[slot][rank as usize];
            match rank {
                Rank::Flag => flag = slot,
                Rank::Mine => mines |= 1 << slot,
                _ => {}
            }
        }
        // Mines stand around the flag: in front of it and on both sides.
        let guards = 1 << (flag - 1) | 1 << (flag + 1) | 1 << (flag - 5);
        weight + GUARDED * (mines & guards).count_ones() as f32
    }
}

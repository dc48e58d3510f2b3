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

/// How likely set-ups are, given what is known of the pieces beside their ranks.
pub(super) struct Likely {
    moved: u32,
    /// How much it tells that a piece has not moved yet.
    patience: f32,
}

impl Likely {
    pub(super) fn new(moved: u32, plies: usize) -> Self {
        Self { moved, patience: (plies as f32 / 80.0).min(1.0) }
    }

    /// The logarithm of how likely a set-up is, up to a constant.
    pub(super) fn weight(&self, set_up: &SetUp) -> f32 {
        let mut weight = 0.0;
        let (mut flag, mut mines) = (HEADQUARTERS[0], 0_u32);
        for (slot, &rank) in set_up.iter().enumerate() {
            weight += f32::from(TASTE[rank as usize][usize::from(ROWS[slot])]) / 10.0;
            match rank {
                Rank::Flag => flag = slot,
                Rank::Mine => mines |= 1 << slot,
                _ if HEADQUARTERS.contains(&slot) && (rank as u8) < Rank::Captain as u8 => weight -= 1.5,
                // Strong pieces do not stay at home for ever.
                _ if self.moved >> slot & 1 == 0 && (rank as u8) <= Rank::Brigadier as u8 => {
                    weight -= 0.7 * self.patience;
                }
                _ => {}
            }
        }
        // Mines stand around the flag: in front of it and on both sides.
        let guards = 1 << (flag - 1) | 1 << (flag + 1) | 1 << (flag - 5);
        weight + 0.8 * (mines & guards).count_ones() as f32
    }
}

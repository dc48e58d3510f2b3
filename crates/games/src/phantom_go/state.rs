//! The board between two plies, and what a stone does to it.

use super::BOARD;
use crate::core::Side;
use crate::goban::{around, first, flood, grow};

/// What a ply changes, but for the boards of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub(super) stones: [u128; 2],
    /// Where a side has lost a stone since the past began: only there can a new stone bring an old board back.
    pub(super) lost: [u128; 2],
    /// What was refused to the side to move since its turn began. Its opponent may not know that.
    pub(super) refused: u128,
    /// The point where a single stone was just taken and may not be taken back at once, as a set.
    pub(super) ko: u128,
    /// How many stones each side has captured.
    pub(super) captured: [u32; 2],
    pub(super) plies: u32,
    pub(super) to_move: Side,
    pub(super) passes: u8,
}

impl State {
    #[inline]
    pub(super) const fn empty(&self) -> u128 {
        BOARD & !(self.stones[0] | self.stones[1])
    }

    /// The enemy stones that a stone of the side to move takes off.
    #[inline]
    pub(super) fn taken_by(&self, stone: u128) -> u128 {
        let enemy = self.stones[self.to_move.other().index()];
        let empty = self.empty() & !stone;
        let mut near = around(stone) & enemy;
        let mut taken = 0;
        while near != 0 {
            let (chain, liberties) = grow(first(near), enemy, empty, |liberties| liberties != 0);
            if liberties == 0 {
                taken |= chain;
            }
            near &= !chain;
        }
        taken
    }

    /// The point where the stone just put, which took `taken`, may not be answered at once.
    #[inline]
    pub(super) fn ko_after(&self, stone: u128, taken: u128) -> u128 {
        let own = self.stones[self.to_move.index()];
        let alone = around(stone) & own == 0 && around(stone) & (self.empty() | taken) == taken;
        if alone && taken.is_power_of_two() { taken } else { 0 }
    }

    /// The areas of Black and White: stones, and empty points from which only that colour is reached.
    pub(super) fn areas(&self) -> [u32; 2] {
        let empty = self.empty();
        let reach = self.stones.map(|stones| flood(around(stones) & empty, empty));
        [(self.stones[0] | reach[0] & !reach[1]).count_ones(), (self.stones[1] | reach[1] & !reach[0]).count_ones()]
    }

    /// The stone that is alone in its chain and would be taken from `ko`, if taking there is a ko for the side to move.
    pub(super) fn ko_stone(&self, ko: u128) -> Option<u128> {
        let enemy = self.stones[self.to_move.other().index()];
        let around_ko = around(ko) & BOARD;
        let taken = self.taken_by(ko);
        let sound = ko & self.empty() != 0 && around_ko & !enemy == 0 && taken.is_power_of_two();
        sound.then_some(taken)
    }
}

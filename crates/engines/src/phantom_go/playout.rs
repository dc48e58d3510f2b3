//! Random games to the end, fast.

use games::goban::{around, grow};
use games::random::{below, nth_bit_wide};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::belief::taken_by;
use super::record::{BOARD, is_eye};

/// The longest playout.
const LONGEST: u32 = 180;

/// A board that is played to the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Playout {
    pub(super) stones: [u128; 2],
    /// The side to move.
    pub(super) turn: usize,
    ko: u128,
    /// The points each side was the first to play on.
    pub(super) first: [u128; 2],
}

impl Playout {
    pub(super) const fn new(stones: [u128; 2], turn: usize) -> Self {
        Self { stones, turn, ko: 0, first: [0; 2] }
    }

    pub(super) const fn empty(&self) -> u128 {
        BOARD & !self.stones[0] & !self.stones[1]
    }

    /// Puts a stone that is legal.
    #[inline]
    pub(super) fn put(&mut self, stone: u128) {
        let (own, other) = (self.turn, 1 - self.turn);
        let taken = taken_by(stone, self.stones[own], self.stones[other]);
        self.take(stone, taken);
    }

    #[inline]
    fn take(&mut self, stone: u128, taken: u128) {
        let (own, other) = (self.turn, 1 - self.turn);
        let alone = around(stone) & (self.stones[own] | self.empty()) == 0;
        self.ko = if alone && taken.is_power_of_two() { taken } else { 0 };
        self.stones[own] |= stone;
        self.stones[other] &= !taken;
        self.first[own] |= stone & !self.first[other];
        self.turn = other;
    }

    pub(super) fn pass(&mut self) {
        self.ko = 0;
        self.turn = 1 - self.turn;
    }

    /// Plays to the end, both sides at random but never into their own eyes, at most so many plies.
    pub(super) fn run(&mut self, plies_left: u32, rng: &mut Xoshiro256PlusPlus) {
        let mut passes = 0;
        for _ in 0..plies_left.min(LONGEST) {
            if self.random(rng) {
                passes = 0;
            } else {
                passes += 1;
                if passes == 2 {
                    break;
                }
                self.pass();
            }
        }
    }

    /// One random stone; false when there is no sensible place.
    #[inline]
    fn random(&mut self, rng: &mut Xoshiro256PlusPlus) -> bool {
        let (own, other) = (self.stones[self.turn], self.stones[1 - self.turn]);
        let empty = self.empty();
        let mut left = empty & !self.ko;
        while left != 0 {
            let point = nth_bit_wide(left, below(rng, left.count_ones()));
            let stone = 1_u128 << point;
            left &= !stone;
            let near = around(stone);
            if near & other == 0 {
                // Nothing to take: it needs a liberty, and must not be an eye.
                if near & empty == 0 {
                    if is_eye(stone, own) {
                        continue;
                    }
                    let (_, liberties) = grow(stone, own, empty & !stone, |liberties| liberties != 0);
                    if liberties == 0 {
                        continue;
                    }
                }
                self.take(stone, 0);
                return true;
            }
            let taken = taken_by(stone, own, other);
            if taken == 0 && near & empty == 0 {
                let (_, liberties) = grow(stone, own, empty & !stone, |liberties| liberties != 0);
                if liberties == 0 {
                    continue;
                }
            }
            self.take(stone, taken);
            return true;
        }
        false
    }

    /// Black's area less White's.
    pub(super) fn difference(&self) -> i32 {
        let empty = self.empty();
        let reach = self.stones.map(|stones| games::goban::flood(around(stones) & empty, empty));
        let area = |side: usize| (self.stones[side] | reach[side] & !reach[1 - side]).count_ones() as i32;
        area(0) - area(1)
    }
}

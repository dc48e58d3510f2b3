//! Lines, lists of lines and sets of lines, and the boxes they are sides of.

use std::hash::{Hash, Hasher};

/// The most dots along an edge.
pub(super) const MOST_DOTS: usize = 8;
/// Each line of a ply but the last closes a box, and there are at most 49.
const MOST_LINES: usize = (MOST_DOTS - 1) * (MOST_DOTS - 1) + 1;
/// Where the vertical lines start among the bits.
const VERTICAL: u32 = 64;

/// A line between two neighbouring dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line(u8);

impl Line {
    /// The line whose bit this is in the sets that [`Dots`] gives out.
    #[inline]
    #[must_use]
    pub const fn from_bit(bit: u32) -> Self {
        Self((bit % 128) as u8)
    }

    /// Its bit.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// From this dot to the right or, if `vertical`, down; below eight of each.
    pub(super) const fn at(vertical: bool, x: usize, y: usize) -> Self {
        Self::from_bit((y * 8 + x) as u32 + if vertical { VERTICAL } else { 0 })
    }

    #[inline]
    pub(super) const fn mask(self) -> u128 {
        1 << self.0
    }

    pub(super) const fn is_vertical(self) -> bool {
        self.bit() >= VERTICAL
    }

    /// The column and the row of its left or upper dot.
    pub(super) const fn dot(self) -> (usize, usize) {
        (self.0 as usize % 8, self.0 as usize / 8 % 8)
    }

    /// The protocol's three letters: a horizontal line is named by row and segment, a vertical one by column and
    /// segment.
    pub(super) fn letters(self) -> [char; 3] {
        let (x, y) = self.dot();
        let letter = |index: usize| (b'A' + index as u8) as char;
        if self.is_vertical() { ['B', letter(x), letter(y)] } else { ['A', letter(y), letter(x)] }
    }

    pub(super) fn name(self) -> String {
        self.letters().iter().collect()
    }
}

/// One side's turn: lines in the order they are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Their bits; unused places hold 0, so that equal lists are equal.
    list: [u8; MOST_LINES],
    length: u8,
}

impl Lines {
    /// No line yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: [0; MOST_LINES], length: 0 }
    }

    /// Adds a line and says whether there was room; a legal ply always has room.
    #[inline]
    pub fn push(&mut self, line: Line) -> bool {
        let Some(place) = self.list.get_mut(usize::from(self.length)) else { return false };
        *place = line.0;
        self.length += 1;
        true
    }

    /// Takes the last line off.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        self.list[usize::from(self.length)] = 0;
    }

    /// The lines in order.
    #[inline]
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Line> + '_ {
        self.list[..usize::from(self.length)].iter().map(|&bit| Line(bit))
    }
}

impl Hash for Lines {
    /// Most plies are short: hashing the used places alone is several times faster than hashing all fifty.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.list[..usize::from(self.length)].hash(state);
    }
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

/// `height` rows of `width` bits, eight bits a row; both from 1 to 8.
pub(super) const fn block(width: u8, height: u8) -> u64 {
    let row = u64::MAX >> (64 - width as u32);
    (row * 0x0101_0101_0101_0101) & (u64::MAX >> (64 - 8 * height as u32))
}

/// The boxes that have one of these lines as a side. At the board's edges it also names places where no box is.
#[inline]
pub(super) const fn boxes_at(lines: u128) -> u64 {
    let (across, down) = (lines as u64, (lines >> 64) as u64);
    across | across >> 8 | down | down >> 1
}

/// The sides of these boxes.
#[inline]
pub(super) const fn sides_of(boxes: u64) -> u128 {
    ((boxes | boxes << 1) as u128) << 64 | (boxes | boxes << 8) as u128
}

/// The free lines that are the last free side of one of these boxes.
#[inline]
pub(super) const fn last_sides(free: u128, boxes: u64) -> u128 {
    let (across, down) = (free as u64, (free >> 64) as u64);
    let (top, bottom, left, right) = (across, across >> 8, down, down >> 1);
    let two = (top & bottom) | (left & right) | ((top | bottom) & (left | right));
    let one = (top | bottom | left | right) & !two & boxes;
    sides_of(one) & free
}

/// The bits of a set, lowest first.
#[inline]
pub(super) fn each(mut set: u128) -> impl Iterator<Item = Line> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < 128).then_some(Line::from_bit(bit))
    })
}

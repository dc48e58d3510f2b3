//! The board of the two games with go stones: sets of points as words, chains by flooding.
//!
//! Bit `row * 10 + column` of a word is a point, whatever the size of the board. The tenth column is never on the board,
//! so a shift cannot carry a stone round the edge: what it puts there falls away when the result is met with stones or
//! empty points.

use crate::core::text::{Fields, letters, write_letters, write_rows};
use crate::core::view::{Figure, Geometry, Piece, capital};
use crate::core::{Fault, Reason, Side, Symmetry};

/// The widest board that fits.
pub const MOST: usize = 9;

/// Bits from a point to the one below it.
pub const STRIDE: usize = MOST + 1;

/// A stone that leaves its own chain without a liberty: a loss in NoGo, refused in Phantom Go.
pub static SUICIDE: Reason =
    Reason::new("suicide", "the stone leaves its chain without liberties", "落子后己方棋块无气");

/// All points of a board of this size.
#[must_use]
pub const fn board(size: usize) -> u128 {
    let row = (1_u128 << size) - 1;
    let mut points = 0;
    let mut y = 0;
    while y < size {
        points |= row << (y * STRIDE);
        y += 1;
    }
    points
}

/// The word that has just this point; nothing where there is no such bit.
#[inline]
#[must_use]
pub const fn bit(point: u8) -> u128 {
    if point < 128 { 1 << point } else { 0 }
}

/// The neighbours of these points, to be met with points that are on the board.
#[inline]
#[must_use]
pub const fn around(points: u128) -> u128 {
    points << 1 | points >> 1 | points << STRIDE | points >> STRIDE
}

/// Whether the set has two points or more.
#[inline]
#[must_use]
pub const fn several(points: u128) -> bool {
    points & points.wrapping_sub(1) != 0
}

/// The first point of a set, as a set.
#[inline]
#[must_use]
pub const fn first(points: u128) -> u128 {
    points & points.wrapping_neg()
}

/// Everything in `area` that hangs together with `seed`, which lies in it.
#[inline]
#[must_use]
pub const fn flood(seed: u128, area: u128) -> u128 {
    let mut reached = seed;
    loop {
        let grown = reached | around(reached) & area;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// Grows the chain of `seed` until its liberties are enough or it is whole; gives what was grown and its liberties.
#[inline]
#[must_use]
pub fn grow(seed: u128, stones: u128, empty: u128, enough: impl Fn(u128) -> bool) -> (u128, u128) {
    let mut chain = seed;
    loop {
        let near = around(chain);
        let liberties = near & empty;
        let grown = chain | near & stones;
        if grown == chain || enough(liberties) {
            return (chain, liberties);
        }
        chain = grown;
    }
}

/// The stones of one side whose chains have no liberty.
#[must_use]
pub fn lifeless(stones: u128, empty: u128) -> u128 {
    stones & !flood(around(empty) & stones, stones)
}

/// The points of a set, in the order of the board.
pub fn points(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (point < 128).then_some(point)
    })
}

/// Column and row of a point.
#[inline]
#[must_use]
pub const fn place(point: u8) -> (usize, usize) {
    (point as usize % STRIDE, point as usize / STRIDE)
}

/// The point at a column and row.
#[inline]
#[must_use]
pub const fn point(x: usize, y: usize) -> u8 {
    (y * STRIDE + x) as u8
}

/// The `number`-th point of a board of this size, row by row: also its spot in the picture.
#[must_use]
pub const fn point_at(number: usize, size: usize) -> u8 {
    point(number % size, number / size)
}

/// The spot of a point in the picture.
#[must_use]
pub const fn spot(point: u8, size: usize) -> usize {
    let (x, y) = place(point);
    y * size + x
}

/// A point's name.
#[must_use]
pub fn name(point: u8) -> String {
    let (x, y) = place(point);
    letters(x, y)
}

/// Appends a point's name.
pub fn write_point(point: u8, out: &mut String) {
    let (x, y) = place(point);
    write_letters(out, x, y);
}

/// Reads the field with the board: the stones of Black and White.
pub fn read_stones(fields: &mut Fields<'_>, size: usize) -> Result<[u128; 2], Fault> {
    let mut stones = [0; 2];
    fields.required("board")?.rows(size, size, |x, y, letter| {
        Side::from_letter(letter).map(|side| stones[side.index()] |= bit(point(x, y))).is_some()
    })?;
    Ok(stones)
}

/// Appends the board with the stones of Black and White.
pub fn write_stones(stones: [u128; 2], size: usize, out: &mut String) {
    write_rows(out, size, size, |x, y| side_at(stones, point(x, y)).map(Side::letter));
}

fn side_at(stones: [u128; 2], point: u8) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| stones[side.index()] & bit(point) != 0)
}

/// A set seen through a symmetry.
#[must_use]
pub fn map_set(set: u128, symmetry: Symmetry, size: usize) -> u128 {
    points(set).fold(0, |mapped, point| mapped | bit(map_point(point, symmetry, size)))
}

/// A point seen through a symmetry.
#[must_use]
pub const fn map_point(at: u8, symmetry: Symmetry, size: usize) -> u8 {
    let (x, y) = place(at);
    let (x, y) = symmetry.map(x, y, size, size);
    point(x, y)
}

/// The picture of the empty board.
#[must_use]
pub fn geometry(size: usize) -> Geometry {
    let mut geometry = Geometry::points(size, size, letters).labelled(size, size, capital, capital);
    if size == MOST {
        geometry.pips = vec![(2.0, 2.0), (6.0, 2.0), (4.0, 4.0), (2.0, 6.0), (6.0, 6.0)];
    }
    geometry
}

/// The stones as pieces of the picture.
#[must_use]
pub fn pieces(stones: [u128; 2], size: usize) -> Vec<Piece> {
    points(stones[0] | stones[1])
        .map(|point| Piece::plain(spot(point, size), Figure::Stone, side_at(stones, point)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_round_the_edge() {
        for size in 2..=MOST {
            let all = board(size);
            assert_eq!(all.count_ones() as usize, size * size);
            let corner = bit(point(size - 1, 0));
            let beside = bit(point(size - 2, 0)) | bit(point(size - 1, 1));
            assert_eq!(around(corner) & all, beside);
            assert_eq!(around(bit(point(0, 1))) & all & !board(1), bit(point(1, 1)) | bit(point(0, 2)) & all);
            assert_eq!(flood(1, all), all);
        }
    }

    #[test]
    fn a_chain_grows_no_further_than_asked() {
        let row = 0b1_1111;
        let empty = board(9) & !row;
        assert_eq!(grow(1, row, empty, |liberties| liberties != 0), (1, bit(point(0, 1))));
        assert_eq!(grow(1, row, empty, |_| false), (row, row << STRIDE | bit(5)));
        assert_eq!(lifeless(row, bit(5)), 0);
        assert_eq!(lifeless(row | bit(point(4, 4)), bit(5)), bit(point(4, 4)));
    }
}

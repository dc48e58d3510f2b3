//! A board of Surakarta as it stands, without its past, and where its pieces can go.

use super::circuits::Circuits;
use super::{POINTS, SIZE};
use crate::core::{Side, Symmetry};

const BOARD: u64 = (1 << POINTS) - 1;
const FIRST_COLUMN: u64 = 0o0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIZE - 1);

/// All of a position but its past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) pieces: [u64; 2],
    pub(super) circuits: Circuits,
    /// The board as a number in base three, a digit a point: no two boards share one.
    pub(super) key: u64,
    /// The index of the present position in `seen`.
    pub(super) run: u32,
    /// How often the present position stood since the last capture.
    pub(super) times: u32,
    pub(super) quiet: u32,
    pub(super) plies: u32,
    pub(super) to_move: Side,
}

/// The points one step away from each point.
static NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut point = 0;
    while point < POINTS {
        neighbours[point] = spread(1 << point) & !(1 << point);
        point += 1;
    }
    neighbours
};

/// The value of each point's digit in a key.
static DIGITS: [u64; 64] = {
    let mut digits = [0; 64];
    let mut value = 1;
    let mut point = 0;
    while point < POINTS {
        digits[point] = value;
        value *= 3;
        point += 1;
    }
    digits
};

/// These points and all next to them.
const fn spread(points: u64) -> u64 {
    let row = points | (points & !LAST_COLUMN) << 1 | (points & !FIRST_COLUMN) >> 1;
    (row | row << SIZE | row >> SIZE) & BOARD
}

/// The points of a set, in order.
#[inline]
pub(super) fn points(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            point
        })
    })
}

impl Board {
    pub(super) fn new(pieces: [u64; 2], to_move: Side) -> Self {
        let mut board =
            Self { pieces, circuits: Circuits::default(), key: 0, run: 0, times: 1, quiet: 0, plies: 0, to_move };
        for side in Side::BOTH {
            for point in points(pieces[side.index()]) {
                board.circuits.toggle(point);
                board.key += digit(side, point);
            }
        }
        board
    }

    #[inline]
    pub(super) const fn own(&self) -> u64 {
        self.pieces[self.to_move.index()]
    }

    #[inline]
    pub(super) const fn enemy(&self) -> u64 {
        self.pieces[self.to_move.other().index()]
    }

    #[inline]
    const fn empty(&self) -> u64 {
        BOARD & !(self.pieces[0] | self.pieces[1])
    }

    /// The enemies a piece of the side to move captures from this point.
    #[inline]
    fn captures(&self, from: usize) -> u64 {
        self.circuits.met(from) & self.enemy()
    }

    /// Where a piece of the side to move can go from this point.
    #[inline]
    pub(super) fn targets(&self, from: usize) -> u64 {
        NEIGHBOURS[from & 63] & self.empty() | self.captures(from)
    }

    #[inline]
    pub(super) fn can_move(&self) -> bool {
        spread(self.own()) & self.empty() != 0 || points(self.own()).any(|from| self.captures(from) != 0)
    }
}

/// What a piece adds to a board's key.
#[inline]
pub(super) fn digit(side: Side, point: usize) -> u64 {
    DIGITS[point & 63] * (side.index() as u64 + 1)
}

/// A key seen through a symmetry.
pub(super) fn mapped_key(key: u64, symmetry: Symmetry) -> u64 {
    (0..POINTS).map(|point| key / DIGITS[point] % 3 * DIGITS[mapped(point, symmetry)]).sum()
}

pub(super) fn mapped(point: usize, symmetry: Symmetry) -> usize {
    let (x, y) = symmetry.map(point % SIZE, point / SIZE, SIZE, SIZE);
    y * SIZE + x
}

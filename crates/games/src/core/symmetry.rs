//! The eight ways a rectangle can be laid over itself or its neighbour.

/// A symmetry of the board: first perhaps transposed, then perhaps flipped across and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Rows become columns.
    pub transpose: bool,
    /// Left becomes right, after the transposition.
    pub flip_x: bool,
    /// Top becomes bottom, after the transposition.
    pub flip_y: bool,
}

const fn symmetry(transpose: bool, flip_x: bool, flip_y: bool) -> Symmetry {
    Symmetry { transpose, flip_x, flip_y }
}

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Self = symmetry(false, false, false);
    /// Left and right exchanged.
    pub const MIRROR: Self = symmetry(false, true, false);

    /// Those of a rectangle that is not square.
    pub const RECTANGLE: &'static [Self] =
        &[Self::IDENTITY, Self::MIRROR, symmetry(false, false, true), symmetry(false, true, true)];

    /// All eight, for a square.
    pub const SQUARE: &'static [Self] = &[
        Self::IDENTITY,
        Self::MIRROR,
        symmetry(false, false, true),
        symmetry(false, true, true),
        symmetry(true, false, false),
        symmetry(true, true, false),
        symmetry(true, false, true),
        symmetry(true, true, true),
    ];

    /// Those of a board of this size.
    #[must_use]
    pub const fn of_board(width: usize, height: usize) -> &'static [Self] {
        if width == height { Self::SQUARE } else { Self::RECTANGLE }
    }

    /// Where a point of a `width` × `height` board goes.
    #[must_use]
    pub const fn map(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        let (x, y, width, height) = if self.transpose { (y, x, height, width) } else { (x, y, width, height) };
        (if self.flip_x { width - 1 - x } else { x }, if self.flip_y { height - 1 - y } else { y })
    }

    /// Where a step goes.
    #[must_use]
    pub const fn map_step(self, dx: i8, dy: i8) -> (i8, i8) {
        let (dx, dy) = if self.transpose { (dy, dx) } else { (dx, dy) };
        (if self.flip_x { -dx } else { dx }, if self.flip_y { -dy } else { dy })
    }

    /// A 64-bit board of eight by eight, bit `y * 8 + x`, seen through the symmetry.
    #[must_use]
    pub fn map_bits(self, bits: u64) -> u64 {
        let mut mapped = 0;
        let mut rest = bits;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (x, y) = self.map(index % 8, index / 8, 8, 8);
            mapped |= 1 << (y * 8 + x);
        }
        mapped
    }
}

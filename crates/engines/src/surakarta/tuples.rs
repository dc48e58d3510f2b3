//! What lines, corners and blocks of the board are worth by what stands on them.
//!
//! Captures run along lines and round corners, so these are the places to learn about: the six points of each row and column,
//! the eight points next to each corner that lie on a circuit, and the middle four points of two neighbouring lines, a block.
//! A place is a number in base three, a digit a point: empty, own, enemy.
//! Mirrored places are one class; the same place with the sides changed is worth the same to the other side.

use std::sync::LazyLock;

/// Classes of lines; there are three kinds of line, by how far they are from the edge.
pub(super) const LINE_CLASSES: usize = 183;
/// Classes of corners.
pub(super) const CORNER_CLASSES: usize = 1695;
/// Classes of blocks; there are three kinds, by how far they are from the edge.
const BLOCK_CLASSES: usize = 1641;
/// All weights of places.
pub(super) const CLASSES: usize = 3 * LINE_CLASSES + CORNER_CLASSES + 3 * BLOCK_CLASSES;

const SIZE: usize = 6;
const LINES: usize = 729;
const CORNERS: usize = 6561;
const BLOCKS: usize = 6561;

/// Six bits in base three.
static TERNARY: [u16; 64] = {
    let mut table = [0; 64];
    let mut word = 0;
    while word < 64 {
        let (mut at, mut digit) = (0, 1);
        while at < SIZE {
            if word >> at & 1 == 1 {
                table[word] += digit;
            }
            digit *= 3;
            at += 1;
        }
        word += 1;
    }
    table
};

/// By corner: the nine bits around it (three rows of three) in base three, counted from the corner; the corner itself is left out.
static CORNER: [[u16; 512]; 4] = {
    let mut table = [[0; 512]; 4];
    let mut corner = 0;
    while corner < 4 {
        let mut word = 0;
        while word < 512 {
            let (mut at, mut digit) = (1, 1);
            while at < 9 {
                let (mut x, mut y) = (at % 3, at / 3);
                if corner & 1 == 1 {
                    x = 2 - x;
                }
                if corner & 2 == 2 {
                    y = 2 - y;
                }
                if word >> (3 * y + x) & 1 == 1 {
                    table[corner][word] += digit;
                }
                digit *= 3;
                at += 1;
            }
            word += 1;
        }
        corner += 1;
    }
    table
};

/// The bits of a row.
#[inline]
const fn row(pieces: u64, y: usize) -> usize {
    (pieces >> (SIZE * y) & 63) as usize
}

/// The bits of a column, brought together by one multiplication.
#[inline]
const fn column(pieces: u64, x: usize) -> usize {
    const EVERY_ROW: u64 = 0o0101_0101_0101;
    const GATHER: u64 = 1 << 25 | 1 << 20 | 1 << 15 | 1 << 10 | 1 << 5 | 1;
    ((pieces >> x & EVERY_ROW).wrapping_mul(GATHER) >> 25 & 63) as usize
}

/// The nine bits around a corner.
#[inline]
const fn corner(pieces: u64, corner: usize) -> usize {
    let pieces = pieces >> ((corner & 1) * 3 + (corner >> 1) * 3 * SIZE);
    (pieces & 7 | (pieces >> SIZE & 7) << 3 | (pieces >> (2 * SIZE) & 7) << 6) as usize
}

/// The middle four digits of a line's six.
static MIDDLE: [u8; LINES] = {
    let mut table = [0; LINES];
    let mut number = 0;
    while number < LINES {
        table[number] = (number / 3 % 81) as u8;
        number += 1;
    }
    table
};

/// Visits every place of a board as (kind, number): kinds 0 to 2 are lines, 3 is a corner, 4 to 6 are blocks.
#[inline]
pub(super) fn visit(own: u64, enemy: u64, mut visit: impl FnMut(usize, usize)) {
    let line = |own: usize, enemy: usize| usize::from(TERNARY[own & 63] + 2 * TERNARY[enemy & 63]);
    let rows: [usize; SIZE] = std::array::from_fn(|at| line(row(own, at), row(enemy, at)));
    let columns: [usize; SIZE] = std::array::from_fn(|at| line(column(own, at), column(enemy, at)));
    for lines in [rows, columns] {
        let middles = lines.map(|number| usize::from(MIDDLE[number]));
        for at in 0..SIZE / 2 {
            for (near, far) in [(at, at + 1), (SIZE - 1 - at, SIZE - 2 - at)] {
                visit(at, lines[near]);
                visit(4 + at, middles[near] + 81 * middles[far]);
            }
        }
    }
    for (at, table) in CORNER.iter().enumerate() {
        visit(3, usize::from(table[corner(own, at) & 511] + 2 * table[corner(enemy, at) & 511]));
    }
}

/// By number: the class of a place, and its sign; 0 where it is worth as much to both sides.
struct Classes(Vec<(u16, i8)>);

static LINE: LazyLock<Classes> = LazyLock::new(|| Classes::new(LINES, 6, |at| 5 - at));
static CORNERED: LazyLock<Classes> = LazyLock::new(|| {
    // Mirrored at the diagonal through the corner: across becomes down.
    Classes::new(CORNERS, 8, |at| (at + 1) % 3 * 3 + (at + 1) / 3 - 1)
});

static BLOCK: LazyLock<Classes> = LazyLock::new(|| Classes::new(BLOCKS, 8, |at| at / 4 * 4 + 3 - at % 4));

impl Classes {
    fn new(count: usize, digits: usize, mirror: impl Fn(usize) -> usize) -> Self {
        let mapped = |number: usize, place: &dyn Fn(usize) -> usize, swap: bool| {
            (0..digits).fold(0, |sum, at| {
                let digit = number / 3_usize.pow(at as u32) % 3;
                let digit = if swap { (3 - digit) % 3 } else { digit };
                sum + digit * 3_usize.pow(place(at) as u32)
            })
        };
        let mut classes = vec![(0, 0); count];
        let mut next = 1;
        for number in 0..count {
            let mirrored = mapped(number, &mirror, false);
            let swapped = mapped(number, &|at| at, true);
            let both = mapped(mirrored, &|at| at, true);
            if classes[number] != (0, 0) || swapped == number || both == number {
                continue;
            }
            for (image, sign) in [(number, 1), (mirrored, 1), (swapped, -1), (both, -1)] {
                classes[image] = (next, sign);
            }
            next += 1;
        }
        Self(classes)
    }
}

/// The weight of a place as an index into those of all places and a sign; none where it is worth as much to both sides.
pub(super) fn class(kind: usize, number: usize) -> Option<(usize, i8)> {
    let (class, sign) = match kind {
        0..3 => LINE.0[number],
        3 => CORNERED.0[number],
        _ => BLOCK.0[number],
    };
    let first = match kind {
        0..=3 => kind * LINE_CLASSES,
        _ => 3 * LINE_CLASSES + CORNER_CLASSES + (kind - 4) * BLOCK_CLASSES,
    };
    (sign != 0).then(|| (first + usize::from(class), sign))
}

/// What a place is worth when few pieces are left, and when all are there, in thousandths of a logit.
type Worth = [i32; 2];

/// What every place is worth.
pub(super) struct Worths {
    lines: [Vec<Worth>; 3],
    corners: Vec<Worth>,
    blocks: [Vec<Worth>; 3],
}

impl Worths {
    /// From the weights of all classes with few pieces, then those with all.
    pub(super) fn new(classes: &[i32]) -> Self {
        let (few, all) = classes.split_at(CLASSES);
        let table = |kind: usize, count: usize| {
            let worth = |number| {
                class(kind, number).map_or([0; 2], |(at, sign)| [few, all].map(|classes| classes[at] * i32::from(sign)))
            };
            (0..count).map(worth).collect::<Vec<Worth>>()
        };
        Self {
            lines: [table(0, LINES), table(1, LINES), table(2, LINES)],
            corners: table(3, CORNERS),
            blocks: [table(4, BLOCKS), table(5, BLOCKS), table(6, BLOCKS)],
        }
    }

    /// The sums over the board.
    #[inline]
    pub(super) fn of(&self, own: u64, enemy: u64) -> Worth {
        let mut sums = [0; 2];
        visit(own, enemy, |kind, number| {
            let worth = match kind {
                0..3 => self.lines[kind][number],
                3 => self.corners[number],
                _ => self.blocks[kind - 4][number],
            };
            sums[0] += worth[0];
            sums[1] += worth[1];
        });
        sums
    }
}

#[cfg(test)]
mod tests {
    use games::surakarta::Surakarta;
    use games::{Game as _, Symmetry};
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn there_are_as_many_classes_as_weights() {
        let highest = |classes: &Classes| classes.0.iter().map(|&(class, _)| usize::from(class) + 1).max();
        assert_eq!((highest(&LINE), highest(&CORNERED)), (Some(LINE_CLASSES), Some(CORNER_CLASSES)));
        assert_eq!(highest(&BLOCK), Some(BLOCK_CLASSES));
    }

    #[test]
    fn symmetries_keep_the_worth_and_sides_turn_it() {
        let worths = Worths::new(&(0..2 * CLASSES as i32).map(|class| class * class % 1013).collect::<Vec<_>>());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut game = Surakarta::new(&Default::default());
        for _ in 0..60 {
            let Some(ply) = game.random_ply(&mut rng) else { break };
            game.apply(ply, games::End::Played);
            let worth = |game: &Surakarta| worths.of(game.pieces(games::Side::Black), game.pieces(games::Side::White));
            let (black, white) = (game.pieces(games::Side::Black), game.pieces(games::Side::White));
            assert_eq!(worths.of(white, black), worth(&game).map(|worth| -worth));
            for &symmetry in Symmetry::SQUARE {
                assert_eq!(worth(&game.transformed(symmetry)), worth(&game), "{symmetry:?}");
            }
        }
    }
}

//! The board as bits along its four directions, so that everything about a line is a few operations on one word.

/// The longest side a board may have.
pub(super) const MOST: usize = 22;

/// Bits left free below the first point of every line, so that a window of eleven around any point is one shift.
const MARGIN: usize = 5;

/// Rows, columns, and both kinds of diagonals.
const LINES: usize = 2 * MOST + 2 * (2 * MOST - 1);

/// The four directions as (across, down).
pub(super) const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A point of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Across, from the left.
    pub x: u8,
    /// Down, from the top.
    pub y: u8,
}

impl Point {
    /// A point from its coordinates; what is beyond any board stays beyond it.
    #[must_use]
    pub const fn new(x: usize, y: usize) -> Self {
        const fn narrow(value: usize) -> u8 {
            if value > u8::MAX as usize { u8::MAX } else { value as u8 }
        }
        Self { x: narrow(x), y: narrow(y) }
    }

    /// The point `steps` further along a direction; the caller knows that it is on the board.
    #[inline]
    pub(super) const fn along(self, direction: usize, steps: i8) -> Self {
        let (dx, dy) = DIRECTIONS[direction];
        Self { x: (self.x as i8 + dx * steps) as u8, y: (self.y as i8 + dy * steps) as u8 }
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A set of points, each kept in its row, its column and its two diagonals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines([u32; LINES]);

/// Which word holds a point's line in a direction, and which bit of it is the point.
#[inline]
const fn slot(direction: usize, point: Point) -> (usize, u32) {
    let (x, y) = (point.x as usize, point.y as usize);
    match direction {
        0 => (y, (x + MARGIN) as u32),
        1 => (MOST + x, (y + MARGIN) as u32),
        2 => (2 * MOST + x + (MOST - 1) - y, (x + MARGIN) as u32),
        _ => (4 * MOST - 1 + x + y, (x + MARGIN) as u32),
    }
}

impl Lines {
    pub(super) const NONE: Self = Self([0; LINES]);

    #[inline]
    pub(super) fn insert(&mut self, point: Point) {
        for direction in 0..4 {
            let (line, bit) = slot(direction, point);
            self.0[line] |= 1 << bit;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, point: Point) {
        for direction in 0..4 {
            let (line, bit) = slot(direction, point);
            self.0[line] &= !(1 << bit);
        }
    }

    #[inline]
    pub(super) const fn has(&self, point: Point) -> bool {
        let (line, bit) = slot(0, point);
        self.0[line] >> bit & 1 == 1
    }

    /// The points of a row, bit x.
    #[inline]
    pub(super) const fn row(&self, y: usize) -> u32 {
        self.0[y] >> MARGIN
    }

    /// The eleven points around a point in a direction; bit 5 is the point itself.
    #[inline]
    pub(super) const fn window(&self, direction: usize, point: Point) -> u32 {
        let (line, bit) = slot(direction, point);
        self.0[line] >> (bit - MARGIN as u32) & 0x7ff
    }

    /// Whether five or more of the set stand in a row through this point of it.
    #[inline]
    pub(super) const fn five_through(&self, point: Point) -> bool {
        // The nine points around it, in a sixteen-bit lane a direction: five in a row of nine hold the middle one.
        let nine = 0x3fe;
        let lanes = (self.window(0, point) & nine) as u64
            | ((self.window(1, point) & nine) as u64) << 16
            | ((self.window(2, point) & nine) as u64) << 32
            | ((self.window(3, point) & nine) as u64) << 48;
        let pairs = lanes & lanes >> 1;
        pairs & pairs >> 2 & lanes >> 4 != 0
    }

    /// How many of the set follow each other right before and right after a point in a direction.
    #[inline]
    pub(super) const fn run(&self, direction: usize, point: Point) -> Run {
        let (line, bit) = slot(direction, point);
        let before = (self.0[line] << (32 - bit)).leading_ones() as u8;
        let after = (self.0[line] >> (bit + 1)).trailing_ones() as u8;
        Run { before, after }
    }

    /// Whether the points next to both ends of a run are in the set.
    #[inline]
    pub(super) const fn closes(&self, direction: usize, point: Point, run: Run) -> bool {
        let (line, bit) = slot(direction, point);
        let ends = 1 << (bit - run.before as u32 - 1) | 1 << (bit + run.after as u32 + 1);
        self.0[line] & ends == ends
    }
}

/// Neighbours in a row with a point, before it and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) before: u8,
    pub(super) after: u8,
}

impl Run {
    /// How long the row is, the point included.
    #[inline]
    pub(super) const fn length(self) -> u8 {
        self.before + 1 + self.after
    }

    /// The points of the row through `point`.
    pub(super) fn points(self, direction: usize, point: Point) -> impl Iterator<Item = Point> {
        (-(self.before as i8)..=self.after as i8).map(move |steps| point.along(direction, steps))
    }
}

/// Random words, one for each kind of stone on each point: the hash of a board is the sum (without carries) of its
/// stones' words.
static KEYS: [[u64; MOST * MOST]; 4] = keys();

/// The word of a kind of stone on a point.
#[inline]
pub(super) fn key(kind: usize, point: Point) -> u64 {
    KEYS[kind][point.y as usize * MOST + point.x as usize]
}

const fn keys() -> [[u64; MOST * MOST]; 4] {
    let mut keys = [[0; MOST * MOST]; 4];
    let mut seed = 0x676f_6d6f_6b75_u64;
    let mut kind = 0;
    while kind < 4 {
        let mut index = 0;
        while index < MOST * MOST {
            // The finisher of SplitMix64.
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = seed;
            word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            keys[kind][index] = word ^ word >> 31;
            index += 1;
        }
        kind += 1;
    }
    keys
}

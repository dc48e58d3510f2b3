//! The board: sixty stations, roads, railways, and where a piece can go on them.
//!
//! Bit `row * 5 + column` of a word is a station, as the first player sees the board.

/// Columns of the board.
pub(super) const WIDTH: usize = 5;
/// Rows of the board.
pub(super) const HEIGHT: usize = 12;
/// Stations of the board.
pub const STATIONS: usize = WIDTH * HEIGHT;

/// Every station.
pub(super) const BOARD: u64 = (1 << STATIONS) - 1;
const FIRST_COLUMN: u64 = {
    let (mut bits, mut row) = (0, 0);
    while row < HEIGHT {
        bits |= 1 << (row * WIDTH);
        row += 1;
    }
    bits
};
const LAST_COLUMN: u64 = FIRST_COLUMN << (WIDTH - 1);
const ROW: u64 = (1 << WIDTH) - 1;

const fn rows(first: usize, count: usize) -> u64 {
    ((1 << (count * WIDTH)) - 1) << (first * WIDTH)
}

const fn station(row: u8, column: u8) -> u64 {
    1 << ((row - b'A') as usize * WIDTH + (column - b'0') as usize)
}

const fn stations<const N: usize>(names: [&[u8; 2]; N]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < N {
        bits |= station(names[index][0], names[index][1]);
        index += 1;
    }
    bits
}

/// The camps, where nobody can be attacked.
pub const CAMPS: u64 = stations([b"C1", b"C3", b"D2", b"E1", b"E3", b"H1", b"H3", b"I2", b"J1", b"J3"]);
/// The headquarters, which nobody leaves.
pub const HEADQUARTERS: u64 = stations([b"A1", b"A3", b"L1", b"L3"]);

/// The half of the board each side sets up in.
pub(super) const HALVES: [u64; 2] = [rows(6, 6), turned(rows(6, 6))];
/// The last two rows of each side, the only ones for mines.
pub(super) const LAST_ROWS: [u64; 2] = [rows(10, 2), turned(rows(10, 2))];

/// Stations with a road down to the next row: there is none across the frontier at columns 1 and 3.
const ROAD_DOWN: u64 = rows(0, HEIGHT - 1) & !stations([b"F1", b"F3"]);

/// Rows that are railways from end to end.
const RAIL_ROWS: u64 = rows(1, 1) | rows(5, 2) | rows(10, 1);
/// Stations with a railway down to the next row.
const RAIL_DOWN: u64 = ((FIRST_COLUMN | LAST_COLUMN) & rows(1, 9)) | station(b'F', b'2');

/// The board turned by 180°: what the first player's word is to the second.
#[inline]
pub(super) const fn turned(bits: u64) -> u64 {
    bits.reverse_bits() >> (64 - STATIONS)
}

/// The stations one road step away from any of these.
#[inline]
pub(super) const fn road_neighbours(bits: u64) -> u64 {
    let across = (bits & !LAST_COLUMN) << 1 | (bits & !FIRST_COLUMN) >> 1;
    let down = (bits & ROAD_DOWN) << WIDTH;
    let up = bits >> WIDTH & ROAD_DOWN;
    // Camps stand in the three middle columns, so a diagonal step from or to one never wraps around an edge.
    let camps = bits & CAMPS;
    let from_camps = camps << 4 | camps << 6 | camps >> 4 | camps >> 6;
    let to_camps = (bits << 4 | bits << 6 | bits >> 4 | bits >> 6) & CAMPS;
    across | down | up | from_camps | to_camps
}

/// The stations one railway step away from any of these.
#[inline]
const fn rail_neighbours(bits: u64) -> u64 {
    let along = bits & RAIL_ROWS;
    (along & !LAST_COLUMN) << 1
        | (along & !FIRST_COLUMN) >> 1
        | (bits & RAIL_DOWN) << WIDTH
        | (bits >> WIDTH & RAIL_DOWN)
}

/// The straight railways that leave a station, whole.
#[derive(Clone, Copy)]
struct Lines {
    right: u64,
    down: u64,
    left: u64,
    up: u64,
}

const ROADS: [u64; STATIONS] = {
    let mut table = [0; STATIONS];
    let mut from = 0;
    while from < STATIONS {
        table[from] = road_neighbours(1 << from);
        from += 1;
    }
    table
};

const LINES: [Lines; STATIONS] = {
    let mut table = [Lines { right: 0, down: 0, left: 0, up: 0 }; STATIONS];
    let mut from = 0;
    while from < STATIONS {
        let here: u64 = 1 << from;
        let (before, after) = (here - 1, !(here | (here - 1)));
        let row = if here & RAIL_ROWS == 0 { 0 } else { ROW << (from / WIDTH * WIDTH) };
        let lines = &mut table[from];
        (lines.right, lines.left) = (row & after, row & before);
        let mut step = here;
        while step & RAIL_DOWN != 0 {
            step <<= WIDTH;
            lines.down |= step;
        }
        step = here >> WIDTH;
        while step & RAIL_DOWN != 0 {
            lines.up |= step;
            step >>= WIDTH;
        }
        from += 1;
    }
    table
};

/// The stations a piece reaches from `from`, the first occupied one of each way included.
#[inline(always)]
#[must_use]
pub const fn reach(from: usize, engineer: bool, occupied: u64) -> u64 {
    let straight = ROADS[from] | straight_rails(from, occupied);
    if engineer { straight | any_rails(1 << from, occupied) } else { straight }
}

/// Straight railway moves, any distance.
#[inline]
const fn straight_rails(from: usize, occupied: u64) -> u64 {
    let lines = LINES[from];
    forwards(lines.right, occupied)
        | forwards(lines.down, occupied)
        | backwards(lines.left, occupied)
        | backwards(lines.up, occupied)
}

/// A line towards higher bits, up to its first occupied station.
#[inline]
const fn forwards(line: u64, occupied: u64) -> u64 {
    let blockers = line & occupied;
    line & (blockers ^ blockers.wrapping_sub(1))
}

/// A line towards lower bits, up to its first occupied station.
#[inline]
const fn backwards(line: u64, occupied: u64) -> u64 {
    // Bit 0 is on no railway: it stands for "nothing in the way".
    let blockers = line & occupied | 1;
    line & u64::MAX << (63 - blockers.leading_zeros())
}

/// An engineer's railway moves: everything connected over empty stations.
#[inline]
const fn any_rails(here: u64, occupied: u64) -> u64 {
    let mut reached = here;
    let mut front = here;
    loop {
        let found = rail_neighbours(front) & !reached;
        if found == 0 {
            return reached ^ here;
        }
        reached |= found;
        front = found & !occupied;
    }
}

/// The straight railways as (from, to), for pictures.
pub(super) const RAILWAYS: [(usize, usize); 7] = [(5, 9), (25, 29), (30, 34), (50, 54), (5, 50), (9, 54), (27, 32)];

/// Whether two stations are neighbours by road and not by railway.
pub(super) const fn is_plain_road(from: usize, to: usize) -> bool {
    ROADS[from] >> to & 1 == 1 && rail_neighbours(1 << from) >> to & 1 == 0
}

/// A station's name: row letter, column digit.
pub(super) fn name(square: usize) -> String {
    let mut out = String::with_capacity(2);
    write_name(square, &mut out);
    out
}

/// Appends a station's name.
pub(super) fn write_name(square: usize, out: &mut String) {
    out.push((b'A' + (square / WIDTH) as u8) as char);
    out.push((b'0' + (square % WIDTH) as u8) as char);
}

/// The stations of a word, lowest first.
pub(super) fn squares(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_its_own_mirror_and_turns_into_itself() {
        for bits in [CAMPS, HEADQUARTERS, RAIL_ROWS] {
            assert_eq!(turned(bits), bits);
        }
        for from in 0..STATIONS {
            assert_eq!(turned(ROADS[from]), ROADS[STATIONS - 1 - from], "{}", name(from));
            for to in squares(ROADS[from]) {
                assert!(ROADS[to] >> from & 1 == 1, "{} {}", name(from), name(to));
            }
            let lines = LINES[from];
            let back = LINES[STATIONS - 1 - from];
            assert_eq!((turned(lines.right), turned(lines.down)), (back.left, back.up), "{}", name(from));
        }
    }

    #[test]
    fn the_board_has_as_many_roads_and_rails_as_counted_by_hand() {
        // Orthogonal pairs: 12 rows of 4 and 5 columns of 11, less two at the frontier; diagonals: 4 for each of ten
        // camps, but the 4 between camps of one half are shared.
        let roads: u32 = ROADS.iter().map(|bits| bits.count_ones()).sum();
        assert_eq!(roads / 2, 12 * 4 + 5 * 11 - 2 + 10 * 4 - 2 * 4);
        let rails: u32 = (0..STATIONS).map(|from| rail_neighbours(1 << from).count_ones()).sum();
        assert_eq!(rails / 2, 4 * 4 + 2 * 9 + 1);
        let stations = (0..STATIONS).filter(|&from| rail_neighbours(1 << from) != 0).count();
        assert_eq!(stations, 4 * 5 + 2 * 6);
        for (from, to) in RAILWAYS {
            assert!(reach(from, false, 0) >> to & 1 == 1, "{} {}", name(from), name(to));
        }
    }
}

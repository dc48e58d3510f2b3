//! What a stone would make in one direction, tabulated once for every neighbourhood.
//!
//! What is beyond the first enemy stone or the edge does not matter to a line, so each side of a point is one of few codes:
//! a leading one, and below it a bit for each of the points up to there (at most five), set where a friend stands.

use std::sync::LazyLock;

use games::Side;
use games::gomoku::Rule;

/// What a stone makes in one direction, weakest first. *Open* can become an open four, *closed* only a four.
pub(super) const NOTHING: u8 = 0;
pub(super) const CLOSED_ONE: u8 = 1;
pub(super) const OPEN_ONE: u8 = 2;
pub(super) const CLOSED_TWO: u8 = 3;
/// A two that becomes an open three in one way, and in several.
pub(super) const OPEN_TWO: u8 = 4;
pub(super) const WIDE_TWO: u8 = 5;
pub(super) const CLOSED_THREE: u8 = 6;
/// A three that becomes an open four in one way, and in several.
pub(super) const OPEN_THREE: u8 = 7;
pub(super) const WIDE_THREE: u8 = 8;
pub(super) const FOUR: u8 = 9;
/// A four that the enemy cannot stop.
pub(super) const OPEN_FOUR: u8 = 10;
pub(super) const FIVE: u8 = 11;
/// Renju's Black: two fours in one line, and six or more.
pub(super) const TWO_FOURS: u8 = 12;
pub(super) const OVERLINE: u8 = 13;

/// How far a stone is felt along a line.
pub(super) const REACH: usize = 5;
/// Codes of one side of a point: 1..64, and 64 more where an enemy stone (not the edge) ends it and that matters.
const CODES: usize = 128;
const ENEMY_END: usize = 64;

/// The shapes of one line rule, by the codes of both sides.
pub(super) struct Shapes {
    table: Box<[u8; CODES * CODES]>,
    rule: LineRule,
}

/// What counts as five for one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LineRule {
    /// Six or more are nothing.
    exact: bool,
    /// A five with enemies at both ends is nothing.
    caro: bool,
    /// The fouls of renju's Black.
    fouls: bool,
}

impl Shapes {
    /// The table of a colour under a rule.
    pub(super) fn of(rule: Rule, colour: Side) -> &'static Self {
        static FREE: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(false, false, false));
        static EXACT: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(true, false, false));
        static CARO: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(false, true, false));
        static EXACT_CARO: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(true, true, false));
        static FOULS: LazyLock<Shapes> = LazyLock::new(|| Shapes::new(true, false, true));
        match (rule.has(Rule::EXACT), rule.has(Rule::CARO)) {
            _ if rule.has(Rule::RENJU) => {
                if colour == Side::Black {
                    &FOULS
                } else {
                    &FREE
                }
            }
            (false, false) => &FREE,
            (true, false) => &EXACT,
            (false, true) => &CARO,
            (true, true) => &EXACT_CARO,
        }
    }

    /// Whether an enemy stone at the end of a line and the board's edge are different things.
    pub(super) const fn minds_ends(&self) -> bool {
        self.rule.caro
    }

    /// How far away a stone can matter.
    pub(super) const fn reach(&self) -> usize {
        if self.rule.exact || self.rule.caro { REACH } else { REACH - 1 }
    }

    /// The shape a stone makes between these sides.
    #[inline]
    pub(super) fn at(&self, left: usize, right: usize) -> u8 {
        self.table[(left * CODES + right) & (CODES * CODES - 1)]
    }

    fn new(exact: bool, caro: bool, fouls: bool) -> Self {
        let rule = LineRule { exact, caro, fouls };
        let mut table = Box::new([u8::MAX; CODES * CODES]);
        for left in 1..CODES {
            for right in 1..CODES {
                if is_code(left) && is_code(right) {
                    rule.shape(left, right, table.as_mut_slice());
                }
            }
        }
        Self { table, rule }
    }
}

/// Whether this is the code of a side.
const fn is_code(code: usize) -> bool {
    code & 63 != 0 && (code < ENEMY_END || length(code) < REACH)
}

/// How many points a side has before it ends.
const fn length(code: usize) -> usize {
    (code & 63).ilog2() as usize
}

/// Friends in a row from the middle on.
const fn run(code: usize) -> usize {
    let friends = code & 63 & !(1 << length(code));
    friends.trailing_ones() as usize
}

impl LineRule {
    fn is_five(self, left: usize, right: usize) -> bool {
        let closed = |code: usize| code & ENEMY_END != 0 && run(code) == length(code);
        match run(left) + 1 + run(right) {
            0..5 => false,
            5 => !(self.caro && closed(left) && closed(right)),
            _ => !self.exact,
        }
    }

    /// Every way to put one more stone into the sides: of a friend, or of the enemy.
    fn each(self, left: usize, right: usize, friend: bool, mut visit: impl FnMut(usize, usize)) {
        let filled = |code: usize, place: usize| {
            if friend {
                code | 1 << place
            } else {
                (code & ((1 << place) - 1)) | 1 << place | if self.caro { ENEMY_END } else { 0 }
            }
        };
        for place in (0..length(left)).filter(|place| left >> place & 1 == 0) {
            visit(filled(left, place), right);
        }
        for place in (0..length(right)).filter(|place| right >> place & 1 == 0) {
            visit(left, filled(right, place));
        }
    }

    fn fives(self, left: usize, right: usize) -> usize {
        let mut count = 0;
        self.each(left, right, true, |left, right| count += usize::from(self.is_five(left, right)));
        count
    }

    /// Whether a five remains whatever the enemy does here.
    fn cannot_be_stopped(self, left: usize, right: usize) -> bool {
        let mut stands = true;
        self.each(left, right, false, |left, right| stands &= self.fives(left, right) > 0);
        stands
    }

    fn shape(self, left: usize, right: usize, table: &mut [u8]) -> u8 {
        let index = left * CODES + right;
        if table[index] == u8::MAX {
            table[index] = self.find_shape(left, right, table);
        }
        table[index]
    }

    fn find_shape(self, left: usize, right: usize, table: &mut [u8]) -> u8 {
        let in_a_row = run(left) + 1 + run(right);
        if self.is_five(left, right) {
            return FIVE;
        }
        if in_a_row > 5 && self.fouls {
            return OVERLINE;
        }
        if in_a_row >= 5 {
            return NOTHING;
        }
        match self.fives(left, right) {
            0 => {}
            1 => return FOUR,
            _ if self.fouls && in_a_row < 4 => return TWO_FOURS,
            _ if self.cannot_be_stopped(left, right) => return OPEN_FOUR,
            _ => return FOUR,
        }
        // The best that one more stone makes, and in how many ways.
        let mut ways = [0_u8; 14];
        self.each(left, right, true, |left, right| ways[usize::from(self.shape(left, right, table))] += 1);
        let has = |shape: u8| ways[usize::from(shape)] > 0;
        if has(OPEN_FOUR) {
            if ways[usize::from(OPEN_FOUR)] > 1 { WIDE_THREE } else { OPEN_THREE }
        } else if has(FOUR) {
            CLOSED_THREE
        } else if has(OPEN_THREE) || has(WIDE_THREE) {
            let many = ways[usize::from(OPEN_THREE)] + ways[usize::from(WIDE_THREE)] > 2;
            if many { WIDE_TWO } else { OPEN_TWO }
        } else if has(CLOSED_THREE) {
            CLOSED_TWO
        } else if has(OPEN_TWO) || has(WIDE_TWO) {
            OPEN_ONE
        } else if has(CLOSED_TWO) {
            CLOSED_ONE
        } else {
            NOTHING
        }
    }
}

/// The code of the five points above a point: friends in the low five bits, ends in the high five.
pub(super) static ABOVE: [u8; 1024] = codes(false);
/// The same of the five points below it, of which the highest bit is the nearest.
pub(super) static BELOW: [u8; 1024] = codes(true);

const fn codes(reversed: bool) -> [u8; 1024] {
    let mut codes = [0; 1024];
    let mut index = 0;
    while index < 1024 {
        let (mut code, mut place) = (0, 0);
        while place < REACH {
            let bit = if reversed { REACH - 1 - place } else { place };
            if index >> (REACH + bit) & 1 == 1 {
                break;
            }
            code |= (index >> bit & 1) << place;
            place += 1;
        }
        codes[index] = (code | 1 << place) as u8;
        index += 1;
    }
    codes
}

/// The code of a side that ends with an enemy stone, where that matters.
#[inline]
pub(super) const fn with_enemy_end(code: u8, enemies_nearest_first: u32) -> usize {
    let code = code as usize;
    let end = length(code);
    if end < REACH && enemies_nearest_first >> end & 1 == 1 { code | ENEMY_END } else { code }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape a stone on `*` makes in a line of `x` friends, `o` enemies, dots and edges.
    fn shape(rule: Rule, colour: Side, line: &str) -> u8 {
        let middle = line.find('*').expect("a star");
        let bytes = line.as_bytes();
        let side = |points: Vec<u8>| {
            let end = points.iter().position(|&point| point == b'o').unwrap_or(points.len()).min(REACH);
            let code =
                1 << end | (0..end).filter(|&place| points[place] == b'x').map(|place| 1 << place).sum::<usize>();
            let enemy = rule.has(Rule::CARO) && end < REACH && points.get(end) == Some(&b'o');
            if enemy { code | ENEMY_END } else { code }
        };
        let left = bytes[..middle].iter().rev().copied().collect();
        Shapes::of(rule, colour).at(side(left), side(bytes[middle + 1..].to_vec()))
    }

    #[test]
    fn shapes_are_what_players_call_them() {
        let free = |line| shape(Rule::FREESTYLE, Side::Black, line);
        assert_eq!(free("..xxx*x.."), FIVE);
        assert_eq!(free("xxx*xx"), FIVE);
        assert_eq!(free("..xx*x..."), OPEN_FOUR);
        assert_eq!(free(".oxx*x..."), FOUR);
        assert_eq!(free("x.xx*.x"), OPEN_FOUR);
        assert_eq!(free("..xx*..."), WIDE_THREE);
        assert_eq!(free("oxx*..."), CLOSED_THREE);
        assert_eq!(free("o.xx*.o"), CLOSED_THREE);
        assert_eq!(free("..x.*x.."), OPEN_THREE);
        assert_eq!(free("oxx*o"), NOTHING);
        assert_eq!(free("....x*...."), WIDE_TWO);
        let exact = |line| shape(Rule::EXACT, Side::White, line);
        assert_eq!(exact("xxx*xx."), NOTHING);
        assert_eq!(exact(".xxx*.x"), FOUR);
        assert_eq!(exact(".xx*x."), OPEN_FOUR);
    }

    #[test]
    fn caro_closes_fives_by_enemies_and_not_by_edges() {
        let caro = |line| shape(Rule::CARO, Side::Black, line);
        assert_eq!(caro("oxxx*xo"), NOTHING);
        assert_eq!(caro("xxx*xo"), FIVE);
        assert_eq!(caro("oxxx*x."), FIVE);
        // One stone at the far end stops both fives of a four that has an enemy near its other end.
        assert_eq!(caro("o.xxx*."), FOUR);
        assert_eq!(caro("..xxx*.."), OPEN_FOUR);
        assert_eq!(caro("oxxx*xxo"), FIVE);
    }

    #[test]
    fn renju_knows_fouls_of_one_line() {
        let black = |line| shape(Rule::RENJU, Side::Black, line);
        assert_eq!(black("xxx*xx"), OVERLINE);
        assert_eq!(black("x.xx*.x"), TWO_FOURS);
        assert_eq!(black("x.x*x.x"), TWO_FOURS);
        assert_eq!(black(".xx*x."), OPEN_FOUR);
        assert_eq!(black("xx.*xx.."), CLOSED_THREE);
        assert_eq!(shape(Rule::RENJU, Side::White, "xxx*xx"), FIVE);
    }
}

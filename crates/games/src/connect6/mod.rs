//! Connect6 (六子棋): one stone, then two a turn; six in a row win.
//!
//! A point is `row * 32 + column`, so that its parts are a shift and a mask away. Each side's stones are kept as bit
//! lines in all four directions: a stone sets four bits, and a line is found in those four words alone, without
//! walking over the board.

use std::ops::ControlFlow;

use rand::Rng;

use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, letters, read_letters, write_letters, write_rows};
use crate::core::view::{Figure, Geometry, Mark, MarkKind, Piece, Scene, capital};
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Phrase, Side, Symmetry, Verdict, reasons};

mod facts;

pub use facts::Connect6Variant;
use facts::{FACTS, MOST_SIZE, ONE_STONE, TWO_STONES};

const STRIDE: usize = 32;

/// Where the columns and the two kinds of diagonals start among the bit lines; the rows start at 0.
const COLUMNS: usize = MOST_SIZE;
const FALLING: usize = 2 * MOST_SIZE;
const RISING: usize = 4 * MOST_SIZE - 1;
const LINES: usize = 6 * MOST_SIZE - 2;

/// The four directions of a line as (across, down).
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// No second stone.
const NOWHERE: u16 = u16::MAX;

/// One side's turn: two stones in no order, or one where one is a whole ply. A point is `row * 32 + column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stones {
    /// The stone with the lower number, so that a pair has one form.
    first: u16,
    second: u16,
}

impl Stones {
    /// One stone.
    #[inline]
    #[must_use]
    pub const fn one(point: u16) -> Self {
        Self { first: point, second: NOWHERE }
    }

    /// Two stones; which is named first does not matter.
    #[inline]
    #[must_use]
    pub const fn two(one: u16, other: u16) -> Self {
        if one < other { Self { first: one, second: other } } else { Self { first: other, second: one } }
    }

    /// The only stone, or the one that stands first in reading order.
    #[inline]
    #[must_use]
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The other stone, if there is one.
    #[inline]
    #[must_use]
    pub const fn second(self) -> Option<u16> {
        if self.second == NOWHERE { None } else { Some(self.second) }
    }

    fn points(self) -> impl Iterator<Item = u16> {
        std::iter::once(self.first).chain(self.second())
    }
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connect6 {
    /// Each side's rows (bit x), columns (bit y), falling diagonals (bit x) and rising diagonals (bit x).
    lines: [[u32; LINES]; 2],
    plies: u32,
    /// Stones on the board.
    stones: u16,
    to_move: Side,
    /// The side that is not to move has made its line.
    lined: bool,
    size: u8,
    first: u8,
    line: u8,
}

#[inline]
const fn point_at(x: usize, y: usize) -> u16 {
    (y * STRIDE + x) as u16
}

/// The column and the row of a point.
#[inline]
const fn place(point: u16) -> (usize, usize) {
    (point as usize % STRIDE, point as usize / STRIDE)
}

/// The four bit lines through a point of the board, and its bit in each.
#[inline]
const fn lines_through(point: u16) -> [(usize, u32); 4] {
    let (x, y) = place(point);
    [(y, 1 << x), (COLUMNS + x, 1 << y), (FALLING + MOST_SIZE - 1 + x - y, 1 << x), (RISING + x + y, 1 << x)]
}

/// Whether any of these words has a run of `length` bits.
#[inline]
fn has_run<const N: usize>(mut words: [u32; N], length: u8) -> bool {
    // A bit that stays after the shifts so far starts a run of `have`.
    let mut have = 1;
    while have < length {
        let step = have.min(length - have);
        for word in &mut words {
            *word &= *word >> step;
        }
        have += step;
    }
    words.into_iter().fold(0, |all, word| all | word) != 0
}

impl Connect6 {
    /// Points along an edge.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// This many in a row win, or more.
    #[inline]
    #[must_use]
    pub const fn line_length(&self) -> usize {
        self.line as usize
    }

    /// The empty points of a row, bit x.
    #[inline]
    #[must_use]
    pub const fn empty_row(&self, y: usize) -> u32 {
        !(self.lines[0][y] | self.lines[1][y]) & ((1 << self.size) - 1)
    }

    /// How many points are empty.
    #[inline]
    #[must_use]
    pub const fn empty_count(&self) -> u32 {
        self.size as u32 * self.size as u32 - self.stones as u32
    }

    /// How many stones the ply to come has, where there is room and the first makes no line.
    #[inline]
    #[must_use]
    pub const fn stones_due(&self) -> u8 {
        if self.stones == 0 { self.first } else { 2 }
    }

    /// The empty points from this one on, in reading order.
    pub fn empty_points(&self, from: u16) -> impl Iterator<Item = u16> + '_ {
        let (first_x, first_y) = place(from);
        (first_y..self.size()).flat_map(move |y| {
            let mut bits = self.empty_row(y) & if y == first_y { u32::MAX << first_x } else { u32::MAX };
            std::iter::from_fn(move || {
                let x = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (x < STRIDE).then_some(point_at(x, y))
            })
        })
    }

    /// Whether a stone of this side on this empty point of the board would make a line.
    #[inline]
    #[must_use]
    pub fn makes_line(&self, side: Side, point: u16) -> bool {
        has_run(lines_through(point).map(|(line, bit)| self.lines[side.index()][line] | bit), self.line)
    }

    /// Who has a stone on this point of the board.
    #[must_use]
    pub fn side_at(&self, point: u16) -> Option<Side> {
        let (x, y) = place(point);
        Side::BOTH.into_iter().find(|side| self.lines[side.index()][y] >> x & 1 == 1)
    }

    #[inline]
    fn toggle(&mut self, side: Side, point: u16) {
        for (line, bit) in lines_through(point) {
            self.lines[side.index()][line] ^= bit;
        }
    }

    #[inline]
    const fn on_board(&self, point: u16) -> bool {
        let (x, y) = place(point);
        x < self.size() && y < self.size()
    }

    #[inline]
    const fn over(&self) -> bool {
        self.lined || self.empty_count() == 0
    }

    /// Whether this one stone is a whole ply.
    fn is_enough(&self, point: u16) -> bool {
        self.stones_due() == 1 || self.empty_count() == 1 || self.makes_line(self.to_move, point)
    }

    fn count(&self, side: Side) -> u32 {
        self.lines[side.index()][..MOST_SIZE].iter().map(|row| row.count_ones()).sum()
    }

    /// A random empty point other than `taken`; there must be one.
    #[inline]
    fn random_empty<R: Rng + ?Sized>(&self, rng: &mut R, taken: Option<u16>) -> u16 {
        let size = u32::from(self.size);
        // Guessing is fastest until the board is nearly full.
        for _ in 0..6 {
            let bits = rng.next_u32();
            let (x, y) = ((((bits & 0xffff) * size) >> 16) as usize, (((bits >> 16) * size) >> 16) as usize);
            let point = point_at(x, y);
            if self.empty_row(y) >> x & 1 == 1 && taken != Some(point) {
                return point;
            }
        }
        let mut skip = below(rng, self.empty_count() - u32::from(taken.is_some()));
        for y in 0..self.size() {
            let mut row = self.empty_row(y);
            if let Some((x, taken_y)) = taken.map(place)
                && taken_y == y
            {
                row &= !(1 << x);
            }
            let here = row.count_ones();
            if skip < here {
                return point_at(nth_bit(u64::from(row), skip) as usize, y);
            }
            skip -= here;
        }
        NOWHERE
    }

    /// The points of a side that are part of a line.
    fn winning_points(&self, side: Side) -> impl Iterator<Item = u16> + '_ {
        let own = move |x: isize, y: isize| {
            let inside = |coordinate: isize| (0..self.size() as isize).contains(&coordinate);
            inside(x) && inside(y) && self.lines[side.index()][y as usize] >> x & 1 == 1
        };
        let run = move |x: isize, y: isize, dx: isize, dy: isize| {
            (1..).take_while(|&step| own(x + dx * step, y + dy * step)).count()
        };
        (0..self.size() * self.size()).filter_map(move |index| {
            let (x, y) = (index % self.size(), index / self.size());
            let (across, down) = (x as isize, y as isize);
            let long = |&(dx, dy): &(isize, isize)| {
                1 + run(across, down, dx, dy) + run(across, down, -dx, -dy) >= usize::from(self.line)
            };
            (own(across, down) && DIRECTIONS.iter().any(long)).then_some(point_at(x, y))
        })
    }

    /// The point's number in reading order: its spot in the picture.
    const fn spot(&self, point: u16) -> usize {
        let (x, y) = place(point);
        y * self.size() + x
    }

    const fn point_of_spot(&self, spot: usize) -> u16 {
        point_at(spot % self.size(), spot / self.size())
    }

    fn name(&self, point: u16) -> String {
        let (x, y) = place(point);
        if self.on_board(point) { letters(x, y) } else { format!("{x},{y}") }
    }
}

impl Game for Connect6 {
    type Ply = Stones;
    type Memo = Stones;
    type Variant = Connect6Variant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &Connect6Variant) -> Self {
        Self {
            lines: [[0; LINES]; 2],
            plies: 0,
            stones: 0,
            to_move: Side::Black,
            lined: false,
            size: variant.size,
            first: variant.first,
            line: variant.line,
        }
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn plies(&self) -> u32 {
        self.plies
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        if self.lined {
            Some(Verdict::win(self.to_move.other(), &reasons::LINE, self.plies))
        } else if self.empty_count() == 0 {
            Some(Verdict::draw(&reasons::BOARD_FULL, self.plies))
        } else {
            None
        }
    }

    fn hash(&self) -> u64 {
        let mut words = [0; MOST_SIZE + 1];
        for (y, word) in words.iter_mut().take(self.size()).enumerate() {
            *word = u64::from(self.lines[0][y]) << 32 | u64::from(self.lines[1][y]);
        }
        words[self.size()] = self.to_move as u64;
        mix(&words[..=self.size()])
    }

    fn visit_legal<F: FnMut(Stones) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.over() {
            return ControlFlow::Continue(());
        }
        let pairs = self.stones_due() == 2;
        for first in self.empty_points(0) {
            if self.is_enough(first) {
                visit(Stones::one(first))?;
            }
            if pairs {
                for second in self.empty_points(first + 1) {
                    visit(Stones { first, second })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn count_legal(&self) -> u64 {
        if self.over() {
            return 0;
        }
        let empty = u64::from(self.empty_count());
        if self.stones_due() == 1 || empty == 1 {
            return empty;
        }
        // Every pair, and the single stones that win.
        let winning = if self.count(self.to_move) + 1 < u32::from(self.line) {
            0
        } else {
            self.empty_points(0).filter(|&point| self.makes_line(self.to_move, point)).count()
        };
        empty * (empty - 1) / 2 + winning as u64
    }

    #[inline]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Stones> {
        if self.over() {
            return None;
        }
        let first = self.random_empty(rng, None);
        if self.stones_due() == 1 || self.empty_count() == 1 {
            return Some(Stones::one(first));
        }
        // A winning stone alone is a ply as well; to look for it now and then is enough, as the pair wins too.
        if below(rng, 64) == 0 && self.makes_line(self.to_move, first) {
            return Some(Stones::one(first));
        }
        Some(Stones::two(first, self.random_empty(rng, Some(first))))
    }

    fn judge(&self, ply: Stones) -> Result<End, Fault> {
        if self.over() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        for point in ply.points() {
            if !self.on_board(point) {
                return Err(Fault::at(&reasons::OFF_BOARD, &self.name(point)));
            }
            if self.side_at(point).is_some() {
                return Err(Fault::at(&reasons::OCCUPIED, &self.name(point)));
            }
        }
        match ply.second() {
            Some(second) if second == ply.first => Err(Fault::at(&reasons::TWICE, &self.name(second))),
            Some(second) if self.stones_due() == 1 => {
                Err(Fault::at(&ONE_STONE, &(self.name(ply.first) + &self.name(second))))
            }
            None if !self.is_enough(ply.first) => Err(Fault::at(&TWO_STONES, &self.name(ply.first))),
            _ => Ok(End::Played),
        }
    }

    #[inline]
    fn apply(&mut self, ply: Stones, _end: End) -> Stones {
        let side = self.to_move;
        let mut lined = self.makes_line(side, ply.first);
        self.toggle(side, ply.first);
        self.stones += 1;
        if let Some(second) = ply.second() {
            lined |= self.makes_line(side, second);
            self.toggle(side, second);
            self.stones += 1;
        }
        self.lined = lined;
        self.to_move = side.other();
        self.plies += 1;
        ply
    }

    #[inline]
    fn undo(&mut self, memo: Stones) {
        self.to_move = self.to_move.other();
        self.plies -= 1;
        self.lined = false;
        self.toggle(self.to_move, memo.first);
        self.stones -= 1;
        if let Some(second) = memo.second() {
            self.toggle(self.to_move, second);
            self.stones -= 1;
        }
    }

    fn space(&self) -> u64 {
        let points = u64::from(self.size) * u64::from(self.size);
        points + points * (points + 1) / 2
    }

    fn ply_at(&self, number: u64) -> Stones {
        let points = u64::from(self.size) * u64::from(self.size);
        let point = |spot: u64| self.point_of_spot(spot as usize);
        if number < points {
            return Stones::one(point(number));
        }
        // Pairs lie in a triangle: row `high` holds the pairs of that point with itself and every lower one.
        let rank = number - points;
        let high = ((8 * rank + 1).isqrt() - 1) / 2;
        Stones::two(point(rank - high * (high + 1) / 2), point(high))
    }

    fn read_ply(&self, text: &str) -> Result<Stones, Fault> {
        let text = text.trim();
        let malformed = || Fault::at(&reasons::MALFORMED, text);
        let size = self.size();
        let mut points = [(0, 0); 2];
        if let Some(one) = text.strip_suffix("@@") {
            if one.len() != 2 {
                return Err(malformed());
            }
            read_letters(one, size, size, &mut points)?;
            return Ok(Stones::one(point_at(points[0].0, points[0].1)));
        }
        let count = read_letters(text, size, size, &mut points)?;
        let [one, other] = points.map(|(x, y)| point_at(x, y));
        match count {
            2 => Ok(Stones::two(one, other)),
            // Engines leave `@@` away in the first ply; later a lone point is half a message.
            _ if self.stones_due() == 1 => Ok(Stones::one(one)),
            _ => Err(malformed()),
        }
    }

    fn write_ply(&self, ply: Stones, out: &mut String) {
        let (x, y) = place(ply.first);
        write_letters(out, x, y);
        match ply.second().map(place) {
            Some((x, y)) => write_letters(out, x, y),
            None => out.push_str("@@"),
        }
    }

    fn read_position(variant: &Connect6Variant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut position = Self::new(variant);
        let size = position.size();
        fields.required("board")?.rows(size, size, |x, y, letter| {
            Side::from_letter(letter).map(|side| position.toggle(side, point_at(x, y))).is_some()
        })?;
        position.to_move = fields.side()?;
        let [black, white] = Side::BOTH.map(|side| position.count(side));
        position.stones = (black + white) as u16;
        let first = u32::from(variant.first);
        let derived = u32::from(black > 0) + black.saturating_sub(first).div_ceil(2) + white.div_ceil(2);
        position.plies = fields.number(derived)?;
        fields.finish()?;
        if position.stones == 0 && position.to_move == Side::White {
            return Err(Fault::at(&reasons::IMPOSSIBLE, "0 × b, 0 × w, w"));
        }
        // The opponent of a side that has its line does not get to move.
        if let Some(point) = position.winning_points(position.to_move).next() {
            return Err(Fault::at(&reasons::IMPOSSIBLE, &position.name(point)));
        }
        position.lined = has_run(position.lines[position.to_move.other().index()], variant.line);
        Ok(position)
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        write_rows(out, self.size(), self.size(), |x, y| self.side_at(point_at(x, y)).map(Side::letter));
        out.push_str(&format!(" {} {}", self.to_move.letter(), self.plies));
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let due = if self.over() { 0 } else { self.empty_count().min(u32::from(self.stones_due())) };
        vec![
            Note::new("black", Phrase::new("Black's stones", "黑子"), &self.count(Side::Black)),
            Note::new("white", Phrase::new("White's stones", "白子"), &self.count(Side::White)),
            Note::new("stones-due", Phrase::new("Stones to place", "本手子数"), &due),
        ]
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let size = self.size();
        let mut geometry = Geometry::points(size, size, letters).labelled(size, size, capital, capital);
        geometry.pips = star_points(size);
        let pieces = (0..size * size)
            .filter_map(|spot| Some(Piece::plain(spot, Figure::Stone, Some(self.side_at(self.point_of_spot(spot))?))))
            .collect();
        let winning = |point| Mark { spot: self.spot(point) as u16, kind: MarkKind::Winning };
        let marks =
            if self.lined { self.winning_points(self.to_move.other()).map(winning).collect() } else { Vec::new() };
        Scene { geometry, pieces, marks }
    }

    fn path(&self, ply: Stones, out: &mut Vec<u16>) {
        out.extend(ply.points().map(|point| self.spot(point) as u16));
    }

    /// Two stones have no order, so either may be clicked first.
    fn next_clicks(&self, prefix: &[u16]) -> Option<Vec<(u16, Option<Stones>)>> {
        let completed = |point| match *prefix {
            [] => Some(self.is_enough(point).then_some(Stones::one(point))),
            [first] if usize::from(first) < self.size() * self.size() => {
                let ply = Stones::two(self.point_of_spot(usize::from(first)), point);
                (self.judge(ply) == Ok(End::Played)).then_some(Some(ply))
            }
            _ => None,
        };
        let click = |point| Some((self.spot(point) as u16, completed(point)?));
        Some(self.empty_points(0).filter_map(click).collect())
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut mapped = Self { lines: [[0; LINES]; 2], ..self.clone() };
        for point in (0..self.size() * self.size()).map(|spot| self.point_of_spot(spot)) {
            if let Some(side) = self.side_at(point) {
                mapped.toggle(side, self.mapped(point, symmetry));
            }
        }
        mapped
    }

    fn transformed_ply(&self, ply: Stones, symmetry: Symmetry) -> Stones {
        let first = self.mapped(ply.first, symmetry);
        ply.second().map_or(Stones::one(first), |second| Stones::two(first, self.mapped(second, symmetry)))
    }
}

impl Connect6 {
    fn mapped(&self, point: u16, symmetry: Symmetry) -> u16 {
        let (x, y) = place(point);
        let (x, y) = symmetry.map(x, y, self.size(), self.size());
        point_at(x, y)
    }
}

/// The dots that help to find one's way on a board of lines, where boards of this size have them.
fn star_points(size: usize) -> Vec<(f32, f32)> {
    let (edge, middle, odd) = (if size < 13 { 2 } else { 3 }, size / 2, size % 2 == 1);
    let corners = if size < 9 { Vec::new() } else { vec![edge, size - 1 - edge] };
    let mut points: Vec<(usize, usize)> = corners.iter().flat_map(|&x| corners.iter().map(move |&y| (x, y))).collect();
    if odd {
        points.push((middle, middle));
    }
    if odd && size >= 17 {
        points.extend(corners.iter().flat_map(|&edge| [(edge, middle), (middle, edge)]));
    }
    points.into_iter().map(|(x, y)| (x as f32, y as f32)).collect()
}

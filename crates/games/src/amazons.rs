//! Amazons (亚马逊棋): move like a queen, shoot like a queen, and leave the enemy nowhere to go.
//!
//! Square `row * 10 + column`. What is taken is kept four times, as rows, columns and both diagonals, one word a line:
//! how far a queen goes along a line is then one lookup by her place on it and the line's word. Squares beyond the ends
//! of a short diagonal count as taken, so that every line is ten long and one table serves all.

use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, letters, read_letters, write_letters, write_rows};
use crate::core::view::{Figure, Geometry, Piece, Scene, capital};
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Phrase, Reason, Side, Symmetry, Variant, Verdict, reasons};

const SIZE: usize = 10;
const SQUARES: usize = SIZE * SIZE;
/// The game begins with four amazons a side and none ever comes or goes; studies may have fewer.
const MOST_AMAZONS: usize = 4;

static TOO_MANY: Reason =
    Reason::new("too-many-amazons", "{} is one amazon too many: a side has at most 4", "{} 处棋子超出：每方最多 4 子");

/// There are no options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AmazonsVariant {}

impl Variant for AmazonsVariant {
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

/// One turn: an amazon goes, then shoots. Squares are `row * 10 + column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The square the amazon leaves.
    pub from: u8,
    /// The square it goes to.
    pub to: u8,
    /// The square its arrow hits; the square just left is as good as any.
    pub arrow: u8,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amazons {
    lines: Lines,
    amazons: [u128; 2],
    plies: u32,
    to_move: Side,
}

/// Rows, columns, diagonals and antidiagonals, a bit for each square that is taken. There are 58; the rest makes the
/// length a power of two, so that a masked index needs no check.
type Lines = [u16; 64];

/// The kinds of line: row, column, diagonal, antidiagonal.
const KINDS: usize = 4;
/// From a square to the next one on its line of each kind.
const STRIDES: [i16; KINDS] = [1, 10, 11, -9];

/// The four lines that cross in a square, each with the square's place on it.
#[inline]
const fn crossing(x: usize, y: usize) -> [(usize, usize); KINDS] {
    [(y, x), (SIZE + x, y), (29 + x - y, x), (39 + x + y, x)]
}

#[inline]
const fn coordinates(square: u8) -> (usize, usize) {
    (square as usize % SIZE, square as usize / SIZE)
}

/// The lines of an empty board.
const BARE: Lines = {
    let mut lines = [(1 << SIZE) - 1; 64];
    let mut square = 0;
    while square < SQUARES {
        let crossing = crossing(square % SIZE, square / SIZE);
        let mut kind = 0;
        while kind < KINDS {
            let (line, place) = crossing[kind];
            lines[line] &= !(1 << place);
            kind += 1;
        }
        square += 1;
    }
    lines
};

/// By place and line: the places a queen reaches. Six of the rows only save a check, as above.
static REACH: [[u16; 1 << SIZE]; 16] = {
    let mut table = [[0; 1 << SIZE]; 16];
    let mut place = 0;
    while place < SIZE {
        let mut taken = 0;
        while taken < 1 << SIZE {
            // A guard beyond each end stops her at the edge.
            let guarded = (taken << 1 | 1 | 1 << (SIZE + 1)) as u16;
            let before = (guarded << (15 - place)).leading_zeros();
            let after = (guarded >> (place + 2)).trailing_zeros();
            let low = ((1 << before) - 1) << (place as u32 - before);
            let high = ((1 << after) - 1) << (place + 1);
            table[place][taken] = low | high;
            taken += 1;
        }
        place += 1;
    }
    table
};

/// By place and line: how many places a queen reaches.
static COUNT: [[u8; 1 << SIZE]; 16] = {
    let mut table = [[0; 1 << SIZE]; 16];
    let mut place = 0;
    while place < SIZE {
        let mut taken = 0;
        while taken < 1 << SIZE {
            table[place][taken] = REACH[place][taken].count_ones() as u8;
            taken += 1;
        }
        place += 1;
    }
    table
};

#[inline]
fn reach(taken: u16, place: usize) -> u16 {
    REACH[place & 15][usize::from(taken) & ((1 << SIZE) - 1)]
}

/// How many squares a queen at (x, y) reaches along her line of this kind.
#[inline]
fn count(lines: &Lines, x: usize, y: usize, kind: usize) -> u32 {
    let (line, place) = crossing(x, y)[kind];
    u32::from(COUNT[place & 15][usize::from(lines[line & 63]) & ((1 << SIZE) - 1)])
}

/// Where a queen on `square` can go: the places she reaches on her four lines, sixteen bits a line.
#[inline]
fn fan(lines: &Lines, square: u8) -> u64 {
    let (x, y) = coordinates(square);
    let [row, column, diagonal, antidiagonal] =
        crossing(x, y).map(|(line, place)| u64::from(reach(lines[line & 63], place)));
    row | column << 16 | diagonal << 32 | antidiagonal << 48
}

/// The square that a bit of the fan of `square` stands for.
#[inline]
fn fan_square(square: u8, bit: usize) -> u8 {
    let (x, y) = coordinates(square);
    let kind = bit / 16 % KINDS;
    let own_place = if kind == 1 { y } else { x };
    (i16::from(square) + ((bit % 16) as i16 - own_place as i16) * STRIDES[kind]) as u8
}

/// The squares of a fan.
#[inline]
fn fan_squares(lines: &Lines, square: u8) -> impl Iterator<Item = u8> + use<> {
    bits(fan(lines, square)).map(move |bit| fan_square(square, bit))
}

/// The fan of `to` for an amazon that came there from `from` along a line of this kind, the only line they share.
#[inline]
fn fan_behind(lines: &Lines, from: u8, to: u8, kind: usize) -> u64 {
    let place_on = |square| {
        let (x, y) = coordinates(square);
        crossing(x, y)[kind % KINDS]
    };
    let ((line, left), (_, place)) = (place_on(from), place_on(to));
    let along = reach(lines[line & 63] ^ 1 << (left & 15), place);
    fan(lines, to) | u64::from(along) << (kind % KINDS * 16)
}

/// How many plies there are for an amazon that has been lifted off `from`.
#[inline]
fn count_from(lines: &Lines, from: u8) -> u32 {
    let (x, y) = coordinates(from);
    let [row, column, diagonal, antidiagonal] = crossing(x, y).map(|(line, place)| reach(lines[line & 63], place));
    // On a line that lost its amazon every square reaches as many others as the one she left.
    let mut plies: u32 = [row, column, diagonal, antidiagonal].map(|reach| reach.count_ones().pow(2)).iter().sum();
    for x in bits(u64::from(row)) {
        plies += count(lines, x, y, 1) + count(lines, x, y, 2) + count(lines, x, y, 3);
    }
    for y in bits(u64::from(column)) {
        plies += count(lines, x, y, 0) + count(lines, x, y, 2) + count(lines, x, y, 3);
    }
    for to_x in bits(u64::from(diagonal)) {
        let y = y + to_x - x;
        plies += count(lines, to_x, y, 0) + count(lines, to_x, y, 1) + count(lines, to_x, y, 3);
    }
    for to_x in bits(u64::from(antidiagonal)) {
        let y = y + x - to_x;
        plies += count(lines, to_x, y, 0) + count(lines, to_x, y, 1) + count(lines, to_x, y, 2);
    }
    plies
}

/// Whether a queen goes from one square to the other in one move.
fn reaches(lines: &Lines, from: u8, to: u8) -> bool {
    fan_squares(lines, from).any(|square| square == to)
}

/// Takes an empty square, or frees a taken one.
#[inline]
fn toggle(lines: &mut Lines, square: u8) {
    let (x, y) = coordinates(square);
    for (line, place) in crossing(x, y) {
        lines[line & 63] ^= 1 << (place & 15);
    }
}

/// The bits of a word, in order.
#[inline]
fn bits(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            bit
        })
    })
}

/// The squares of a set, in order.
#[inline]
fn squares(set: u128) -> impl Iterator<Item = u8> {
    bits(set as u64).chain(bits((set >> 64) as u64).map(|bit| bit + 64)).map(|bit| bit as u8)
}

impl Amazons {
    /// The squares of a side's amazons, as bits.
    #[must_use]
    pub const fn amazons(&self, side: Side) -> u128 {
        self.amazons[side.index()]
    }

    /// The squares hit by arrows, as bits.
    #[must_use]
    pub fn arrows(&self) -> u128 {
        self.taken() & !(self.amazons[0] | self.amazons[1])
    }

    fn taken(&self) -> u128 {
        (0..SIZE).map(|y| u128::from(self.lines[y]) << (y * SIZE)).sum()
    }

    /// The squares a side's amazons reach in one move, as bits.
    fn reached(&self, side: Side) -> u128 {
        squares(self.amazons(side)).flat_map(|from| fan_squares(&self.lines, from)).fold(0, |set, to| set | 1 << to)
    }

    #[inline]
    fn own(&self) -> impl Iterator<Item = u8> + use<> {
        squares(self.amazons[self.to_move.index()])
    }

    const fn empty(to_move: Side, plies: u32) -> Self {
        Self { lines: BARE, amazons: [0; 2], plies, to_move }
    }

    /// Puts an amazon, or nobody's arrow, on an empty square.
    fn put(&mut self, square: u8, amazon: Option<Side>) {
        toggle(&mut self.lines, square);
        if let Some(side) = amazon {
            self.amazons[side.index()] |= 1 << square;
        }
    }

    /// What stands on a square: an amazon of a side, or an arrow.
    fn piece(&self, square: usize) -> Option<Option<Side>> {
        let side = Side::BOTH.into_iter().find(|&side| self.amazons(side) >> square & 1 == 1);
        (self.taken() >> square & 1 == 1).then_some(side)
    }
}

impl Game for Amazons {
    type Ply = Ply;
    type Memo = Ply;
    type Variant = AmazonsVariant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &AmazonsVariant) -> Self {
        Self::read_position(variant, START).unwrap_or(Self::empty(Side::Black, 0))
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
        // An amazon that can go can shoot: the square it left is free.
        let can_move = self.own().any(|from| fan(&self.lines, from) != 0);
        (!can_move).then(|| Verdict::win(self.to_move.other(), &reasons::NO_PLY, self.plies))
    }

    fn hash(&self) -> u64 {
        let taken = self.taken();
        let halves = |set: u128| [set as u64, (set >> 64) as u64];
        let ([a, b], [c, d], [e, f]) = (halves(self.amazons[0]), halves(self.amazons[1]), halves(taken));
        mix(&[a, b, c, d, e, f, self.to_move as u64])
    }

    #[inline]
    fn visit_legal<F: FnMut(Ply) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        let mut lines = self.lines;
        for from in self.own() {
            toggle(&mut lines, from);
            for to in fan_squares(&lines, from) {
                for arrow in fan_squares(&lines, to) {
                    visit(Ply { from, to, arrow })?;
                }
            }
            toggle(&mut lines, from);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        let mut lines = self.lines;
        let mut plies = 0;
        for from in self.own() {
            toggle(&mut lines, from);
            plies += count_from(&lines, from);
            toggle(&mut lines, from);
        }
        u64::from(plies)
    }

    /// Every amazon's every destination is equally likely, and then every arrow from there: not quite the same chance
    /// for every ply, but many times faster than counting arrows that will not be shot.
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Ply> {
        let mut fans = [0; MOST_AMAZONS];
        let mut moves = 0;
        for (slot, from) in fans.iter_mut().zip(self.own()) {
            *slot = fan(&self.lines, from);
            moves += slot.count_ones();
        }
        if moves == 0 {
            return None;
        }
        let mut skip = below(rng, moves);
        for (fan, from) in fans.into_iter().zip(self.own()) {
            let here = fan.count_ones();
            if skip < here {
                let bit = nth_bit(fan, skip) as usize;
                let to = fan_square(from, bit);
                let fan = fan_behind(&self.lines, from, to, bit / 16);
                let arrow = fan_square(to, nth_bit(fan, below(rng, fan.count_ones())) as usize);
                return Some(Ply { from, to, arrow });
            }
            skip -= here;
        }
        None
    }

    fn judge(&self, ply: Ply) -> Result<End, Fault> {
        let fault = |reason, square: u8| {
            Err(Fault::at(reason, &letters(usize::from(square) % SIZE, usize::from(square) / SIZE)))
        };
        if self.verdict().is_some() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        if let Some(square) = [ply.from, ply.to, ply.arrow].into_iter().find(|&square| usize::from(square) >= SQUARES) {
            return fault(&reasons::OFF_BOARD, square);
        }
        if self.amazons[self.to_move.index()] >> ply.from & 1 == 0 {
            return fault(&reasons::NOT_YOURS, ply.from);
        }
        let mut lines = self.lines;
        toggle(&mut lines, ply.from);
        for (start, end) in [(ply.from, ply.to), (ply.to, ply.arrow)] {
            if start == end {
                return fault(&reasons::TWICE, end);
            }
            if end != ply.from && self.taken() >> end & 1 == 1 {
                return fault(&reasons::OCCUPIED, end);
            }
            if !reaches(&lines, start, end) {
                return fault(&reasons::UNREACHABLE, end);
            }
        }
        Ok(End::Played)
    }

    #[inline]
    fn apply(&mut self, ply: Ply, _end: End) -> Ply {
        for square in [ply.from, ply.to, ply.arrow] {
            toggle(&mut self.lines, square);
        }
        self.amazons[self.to_move.index()] ^= 1 << ply.from | 1 << ply.to;
        self.to_move = self.to_move.other();
        self.plies += 1;
        ply
    }

    #[inline]
    fn undo(&mut self, memo: Ply) {
        for square in [memo.from, memo.to, memo.arrow] {
            toggle(&mut self.lines, square);
        }
        self.to_move = self.to_move.other();
        self.amazons[self.to_move.index()] ^= 1 << memo.from | 1 << memo.to;
        self.plies -= 1;
    }

    fn space(&self) -> u64 {
        (SQUARES * SQUARES * SQUARES) as u64
    }

    fn ply_at(&self, number: u64) -> Ply {
        let squares = SQUARES as u64;
        let digit = |unit: u64| (number / unit % squares) as u8;
        Ply { from: digit(squares * squares), to: digit(squares), arrow: digit(1) }
    }

    fn read_ply(&self, text: &str) -> Result<Ply, Fault> {
        let mut points = [(0, 0); 3];
        if read_letters(text, SIZE, SIZE, &mut points)? < points.len() {
            return Err(Fault::at(&reasons::MALFORMED, text.trim()));
        }
        let [from, to, arrow] = points.map(|(x, y)| (y * SIZE + x) as u8);
        Ok(Ply { from, to, arrow })
    }

    fn write_ply(&self, ply: Ply, out: &mut String) {
        for square in [ply.from, ply.to, ply.arrow].map(usize::from) {
            write_letters(out, square % SIZE, square / SIZE);
        }
    }

    fn read_position(_variant: &AmazonsVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut position = Self::empty(Side::Black, 0);
        let mut surplus = None;
        fields.required("board")?.rows(SIZE, SIZE, |x, y, letter| {
            let amazon = Side::from_letter(letter);
            if amazon.is_some_and(|side| position.amazons(side).count_ones() as usize == MOST_AMAZONS) {
                surplus = surplus.or(Some((x, y)));
            }
            position.put((y * SIZE + x) as u8, amazon);
            amazon.is_some() || letter == 'x'
        })?;
        if let Some((x, y)) = surplus {
            return Err(Fault::at(&TOO_MANY, &letters(x, y)));
        }
        position.to_move = fields.side()?;
        position.plies = fields.number(position.arrows().count_ones())?;
        fields.finish()?;
        Ok(position)
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        write_rows(out, SIZE, SIZE, |x, y| self.piece(y * SIZE + x).map(|side| side.map_or('x', Side::letter)));
        out.push_str(&format!(" {} {}", self.to_move.letter(), self.plies));
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let reached = |side| self.reached(side).count_ones();
        vec![
            Note::new("black-reach", Phrase::new("Squares Black reaches", "黑方一步可达格"), &reached(Side::Black)),
            Note::new("white-reach", Phrase::new("Squares White reaches", "白方一步可达格"), &reached(Side::White)),
            Note::new("empty", Phrase::new("Empty squares", "空格"), &(SQUARES as u32 - self.taken().count_ones())),
        ]
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let geometry =
            Geometry::cells(SIZE, SIZE, letters).labelled(SIZE, SIZE, capital, capital).seen_from(Side::Black);
        let pieces = (0..SQUARES)
            .filter_map(|square| {
                let side = self.piece(square)?;
                Some(Piece::plain(square, if side.is_some() { Figure::Amazon } else { Figure::Arrow }, side))
            })
            .collect();
        Scene { geometry, pieces, marks: Vec::new() }
    }

    fn path(&self, ply: Ply, out: &mut Vec<u16>) {
        out.extend([ply.from, ply.to, ply.arrow].map(u16::from));
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut seen = Self::empty(self.to_move, self.plies);
        for square in 0..SQUARES {
            if let Some(side) = self.piece(square) {
                seen.put(mapped(square as u8, symmetry), side);
            }
        }
        seen
    }

    fn transformed_ply(&self, ply: Ply, symmetry: Symmetry) -> Ply {
        let [from, to, arrow] = [ply.from, ply.to, ply.arrow].map(|square| mapped(square, symmetry));
        Ply { from, to, arrow }
    }
}

fn mapped(square: u8, symmetry: Symmetry) -> u8 {
    let (x, y) = symmetry.map(usize::from(square) % SIZE, usize::from(square) / SIZE, SIZE, SIZE);
    (y * SIZE + x) as u8
}

const START: &str = "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b 0";

static FACTS: Facts = Facts {
    id: "amazons",
    name: Phrase::new("Amazons", "亚马逊棋"),
    aliases: &["亚马逊", "amazon", "Game of the Amazons"],
    board: Phrase::same("10×10"),
    summary: Phrase::new(
        "Move one of your four amazons like a chess queen over empty squares, then shoot an arrow like a queen from \
         where it landed; the square hit is closed for good. Nothing is captured. Whoever cannot move loses.",
        "每步先将己方四枚棋子之一按国际象棋皇后的走法移动（不能越过棋子与障碍），再从落点按同样的走法射出一箭，\
         箭落之处成为障碍，不再消失。没有吃子。轮到行棋而无法行棋者负。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "from, to, arrow; each a column and a row, A to J from the left and from the top: AGAFAE",
        "起点、落点、障碍各两个字母，先列后行，列自左、行自上为 A 到 J：AGAFAE",
    ),
    prompts: &[
        Phrase::new("Choose an amazon", "请选一枚皇后"),
        Phrase::new("Where should it go?", "走到哪里？"),
        Phrase::new("Now shoot", "现在放箭"),
    ],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, x for arrows, numbers for empty squares), side to move, plies played (if left out: \
         the number of arrows): 3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b 0",
        "自上而下各行（b 黑、w 白、x 障碍、数字为连续空格数）、行棋方、已行步数（省略时为障碍数）：\
         3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b 0",
    ),
    options: &[],
    presets: &[],
    samples: &[],
    example: "2xw1xb1x1/1w3x4/1x4w3/2b2x1xx1/1bxx1w2x1/8x1/1x1x6/2b7/10/1x8 w 15",
    reasons: &[&TOO_MANY],
};

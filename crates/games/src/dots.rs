//! Dots and Boxes (点格棋): draw lines between dots; whoever closes a box owns it and goes on.
//!
//! A line is a bit of a 128-bit word: `row * 8 + column` of its upper or left dot, horizontal lines in the lower half,
//! vertical ones in the upper. A box is bit `row * 8 + column` of a 64-bit word, so its sides are shifts away and all
//! boxes are looked at in one go.
//!
//! A ply is a whole turn, a list of lines. Engines that search line by line use [`Dots::draw_line`] and
//! [`Dots::undo_line`], between which the turn may be half done; everything else here works in such positions too.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::core::random::{below, mix, nth_bit_wide};
use crate::core::text::{Fields, write_rows};
use crate::core::view::{Figure, Geometry, Piece, Scene, Spot, SpotKind, capital};
use crate::core::{
    End, Eyes, Facts, Fault, Game, Note, OptionFact, Phrase, Reason, Side, Symmetry, Variant, Verdict, reasons,
};

/// The most dots along an edge.
const MOST_DOTS: usize = 8;
/// Each line of a ply but the last closes a box, and there are at most 49.
const MOST_LINES: usize = (MOST_DOTS - 1) * (MOST_DOTS - 1) + 1;
/// Where the vertical lines start among the bits.
const VERTICAL: u32 = 64;
/// Up to this many lists of lines are numbered one by one.
const MOST_LISTED: u64 = 1 << 20;
/// The longest list that is numbered when there are more.
const LONGEST_NUMBERED: u32 = 8;

static DRAWN: Reason = Reason::new("line-drawn", "line {} is already drawn", "连线 {} 已经画过");
static MUST_GO_ON: Reason = Reason::new(
    "must-go-on",
    "line {} completes a box, so the same player must draw another line in this ply",
    "连线 {} 占得格子，同一方须在本手继续连线",
);
static TURN_WAS_OVER: Reason = Reason::new(
    "turn-was-over",
    "line {} comes after a line that completed no box and so ended the turn",
    "连线 {} 之前的一条线没有占得格子，本手已经结束",
);
static BOXES: Reason =
    Reason::new("boxes", "all boxes are owned and were counted", "所有格子均已被占，按占格数判定胜负");
static NOT_CLOSED: Reason =
    Reason::new("not-closed", "box {} is owned but a side of it is not drawn", "格子 {} 已有归属，但四边尚未连全");
static NO_OWNER: Reason =
    Reason::new("no-owner", "box {} has all four sides but no owner", "格子 {} 四边已连全，却没有归属");

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DotsVariant {
    /// Rows of dots; the rows of boxes are one fewer.
    pub rows: u8,
    /// Columns of dots; the columns of boxes are one fewer.
    pub cols: u8,
}

impl Default for DotsVariant {
    fn default() -> Self {
        Self { rows: 6, cols: 6 }
    }
}

impl Variant for DotsVariant {
    fn check(&self) -> Result<(), Fault> {
        for (key, value) in [("rows", self.rows), ("cols", self.cols)] {
            if !(2..=MOST_DOTS).contains(&usize::from(value)) {
                return Err(Fault::at(&reasons::BAD_OPTION, &format!("{key}=2..{MOST_DOTS}")));
            }
        }
        Ok(())
    }
}

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
    const fn at(vertical: bool, x: usize, y: usize) -> Self {
        Self::from_bit((y * 8 + x) as u32 + if vertical { VERTICAL } else { 0 })
    }

    #[inline]
    const fn mask(self) -> u128 {
        1 << self.0
    }

    const fn is_vertical(self) -> bool {
        self.bit() >= VERTICAL
    }

    /// The column and the row of its left or upper dot.
    const fn dot(self) -> (usize, usize) {
        (self.0 as usize % 8, self.0 as usize / 8 % 8)
    }

    /// The protocol's three letters: a horizontal line is named by row and segment, a vertical one by column and
    /// segment.
    fn letters(self) -> [char; 3] {
        let (x, y) = self.dot();
        let letter = |index: usize| (b'A' + index as u8) as char;
        if self.is_vertical() { ['B', letter(x), letter(y)] } else { ['A', letter(y), letter(x)] }
    }

    fn name(self) -> String {
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
    fn pop(&mut self) {
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

/// A position, perhaps in the middle of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dots {
    /// Lines not drawn yet.
    free: u128,
    owned: [u64; 2],
    /// The boxes nobody owns yet.
    unowned: u64,
    plies: u32,
    to_move: Side,
    rows: u8,
    cols: u8,
}

/// `height` rows of `width` bits, eight bits a row; both from 1 to 8.
const fn block(width: u8, height: u8) -> u64 {
    let row = u64::MAX >> (64 - width as u32);
    (row * 0x0101_0101_0101_0101) & (u64::MAX >> (64 - 8 * height as u32))
}

/// The boxes that have one of these lines as a side. At the board's edges it also names places where no box is.
#[inline]
const fn boxes_at(lines: u128) -> u64 {
    let (across, down) = (lines as u64, (lines >> 64) as u64);
    across | across >> 8 | down | down >> 1
}

/// The sides of these boxes.
#[inline]
const fn sides_of(boxes: u64) -> u128 {
    ((boxes | boxes << 1) as u128) << 64 | (boxes | boxes << 8) as u128
}

/// The free lines that are the last free side of one of these boxes.
#[inline]
const fn last_sides(free: u128, boxes: u64) -> u128 {
    let (across, down) = (free as u64, (free >> 64) as u64);
    let (top, bottom, left, right) = (across, across >> 8, down, down >> 1);
    let two = (top & bottom) | (left & right) | ((top | bottom) & (left | right));
    let one = (top | bottom | left | right) & !two & boxes;
    sides_of(one) & free
}

/// The bits of a set, lowest first.
#[inline]
fn each(mut set: u128) -> impl Iterator<Item = Line> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < 128).then_some(Line::from_bit(bit))
    })
}

impl Dots {
    /// The lines that are not drawn yet, one bit each.
    #[inline]
    #[must_use]
    pub const fn free_lines(&self) -> u128 {
        self.free
    }

    /// The free lines that would complete a box now.
    #[inline]
    #[must_use]
    pub const fn completing_lines(&self) -> u128 {
        last_sides(self.free, self.unowned)
    }

    /// The boxes of a side, bit `row * 8 + column`.
    #[inline]
    #[must_use]
    pub const fn owned(&self, side: Side) -> u64 {
        self.owned[side.index()]
    }

    /// Draws a free line for the side to move and says how many boxes it completed. The turn passes, and the ply is
    /// counted, when that is none or when no line is left.
    #[inline]
    pub fn draw_line(&mut self, line: Line) -> u32 {
        self.free &= !line.mask();
        let closed = self.unowned & !boxes_at(self.free);
        self.unowned ^= closed;
        self.owned[self.to_move.index()] |= closed;
        if closed == 0 || self.free == 0 {
            self.to_move = self.to_move.other();
            self.plies += 1;
        }
        closed.count_ones()
    }

    /// Takes back the line drawn last.
    #[inline]
    pub fn undo_line(&mut self, line: Line) {
        let over = self.free == 0;
        self.free |= line.mask();
        let opened = boxes_at(self.free) & (self.owned[0] | self.owned[1]);
        if opened == 0 || over {
            self.to_move = self.to_move.other();
            self.plies -= 1;
        }
        self.owned[self.to_move.index()] ^= opened;
        self.unowned |= opened;
    }

    /// Every line of the board.
    const fn all_lines(&self) -> u128 {
        (block(self.cols, self.rows - 1) as u128) << 64 | block(self.cols - 1, self.rows) as u128
    }

    const fn box_count(&self) -> u32 {
        (self.rows as u32 - 1) * (self.cols as u32 - 1)
    }

    /// Every way to end the turn from here, after the lines drawn in it so far.
    fn walk<F: FnMut(Lines) -> ControlFlow<()>>(&self, lines: &mut Lines, visit: &mut F) -> ControlFlow<()> {
        let completing = self.completing_lines();
        for line in each(self.free) {
            lines.push(line);
            if completing & line.mask() == 0 || self.free == line.mask() {
                visit(*lines)?;
            } else {
                let mut next = *self;
                next.draw_line(line);
                next.walk(lines, visit)?;
            }
            lines.pop();
        }
        ControlFlow::Continue(())
    }

    /// How many plies there are, or `None` beyond `u128`.
    ///
    /// A ply is a word of completing lines and then one line that completes nothing (or ends the game). In a state
    /// with `f` free lines, a word of `k` letters can be followed by `f - k` lines, and those of them that complete a
    /// box give exactly the words of `k + 1` letters: so it is enough to count words by length. A line that completes
    /// a box does so until it is drawn, so the letters fall into groups that share no box, each group has its own
    /// words, and a word of the whole is a shuffle of one word from each.
    fn count_plies(&self) -> Option<u128> {
        let mut letters = 0;
        loop {
            let completing = last_sides(self.free & !letters, self.unowned);
            if completing == 0 {
                break;
            }
            letters |= completing;
        }
        let mut words = vec![1];
        let mut rest = letters;
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
            loop {
                let grown = sides_of(boxes_at(group) & self.unowned) & letters;
                if grown == group {
                    break;
                }
                group = grown;
            }
            rest &= !group;
            words = shuffled(&words, &self.words_of(group)?)?;
        }
        let free = u128::from(self.free.count_ones());
        let mut count = 0_u128;
        for (length, &ways) in (0..).zip(&words) {
            count = count.checked_add(ways.checked_mul(free - length)?)?;
        }
        // Going on is no ply of its own, except when nothing is left to go on with.
        let goes_on = words[1..].iter().try_fold(0_u128, |sum, &ways| sum.checked_add(ways))?;
        let ends = if letters == self.free { words[words.len() - 1] } else { 0 };
        Some(count - goes_on + ends)
    }

    /// How many words of each length the lines of one group form.
    fn words_of(&self, group: u128) -> Option<Vec<u128>> {
        let mut words = Vec::new();
        let mut layer = HashMap::from([(0_u128, 1_u128)]);
        while !layer.is_empty() {
            words.push(layer.values().try_fold(0_u128, |sum, &ways| sum.checked_add(ways))?);
            let mut next = HashMap::new();
            for (drawn, ways) in layer {
                for line in each(last_sides(self.free & !drawn, self.unowned) & group) {
                    let sum: &mut u128 = next.entry(drawn | line.mask()).or_default();
                    *sum = sum.checked_add(ways)?;
                }
            }
            layer = next;
        }
        Some(words)
    }

    /// The spot of a line in the picture: horizontal ones first, both row by row.
    const fn spot(&self, line: Line) -> usize {
        let (rows, cols) = (self.rows as usize, self.cols as usize);
        let (x, y) = line.dot();
        if line.is_vertical() { rows * (cols - 1) + y * cols + x } else { y * (cols - 1) + x }
    }

    fn mapped(&self, line: Line, symmetry: Symmetry) -> Line {
        let (width, height) = (usize::from(self.cols), usize::from(self.rows));
        let (x, y) = line.dot();
        let (end_x, end_y) = if line.is_vertical() { (x, y + 1) } else { (x + 1, y) };
        let start = symmetry.map(x, y, width, height);
        let end = symmetry.map(end_x, end_y, width, height);
        Line::at(start.0 == end.0, start.0.min(end.0), start.1.min(end.1))
    }
}

/// How many words of each length come from shuffling a word of one kind with a word of another.
fn shuffled(one: &[u128], other: &[u128]) -> Option<Vec<u128>> {
    let mut words = vec![0_u128; one.len() + other.len() - 1];
    for (i, &first) in one.iter().enumerate() {
        // The ways to choose the places of `i` letters among `i + j`.
        let mut choices = 1_u128;
        for (j, &second) in other.iter().enumerate() {
            if j > 0 {
                choices = choices.checked_mul((i + j) as u128)? / j as u128;
            }
            let ways = choices.checked_mul(first)?.checked_mul(second)?;
            words[i + j] = words[i + j].checked_add(ways)?;
        }
    }
    Some(words)
}

impl Game for Dots {
    type Ply = Lines;
    type Memo = Self;
    type Variant = DotsVariant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &DotsVariant) -> Self {
        let (rows, cols) = (variant.rows, variant.cols);
        let empty = Self { free: 0, owned: [0; 2], unowned: 0, plies: 0, to_move: Side::Black, rows, cols };
        Self { free: empty.all_lines(), unowned: block(cols - 1, rows - 1), ..empty }
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
        let [black, white] = self.owned.map(u64::count_ones);
        (self.free == 0).then(|| Verdict::by_count(black, white, &BOXES, self.plies))
    }

    fn hash(&self) -> u64 {
        mix(&[self.free as u64, (self.free >> 64) as u64, self.owned[0], self.to_move as u64])
    }

    fn visit_legal<F: FnMut(Lines) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        self.walk(&mut Lines::new(), &mut visit)
    }

    /// Allocates where a line completes a box; a count beyond `u64` (only large boards have it) stops at its end.
    fn count_legal(&self) -> u64 {
        if self.completing_lines() == 0 {
            return u64::from(self.free.count_ones());
        }
        self.count_plies().and_then(|count| count.try_into().ok()).unwrap_or(u64::MAX)
    }

    /// Each line is drawn evenly from the free ones; so a short ply is likelier than a long one.
    #[inline]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Lines> {
        if self.free == 0 {
            return None;
        }
        let mut lines = Lines::new();
        let mut free = self.free;
        loop {
            let line = Line::from_bit(nth_bit_wide(free, below(rng, free.count_ones())));
            lines.push(line);
            let completing = last_sides(free, self.unowned) & line.mask() != 0;
            free ^= line.mask();
            if !completing || free == 0 {
                return Some(lines);
            }
        }
    }

    fn judge(&self, ply: Lines) -> Result<End, Fault> {
        if self.free == 0 {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        let Some(last) = ply.iter().next_back() else {
            return Err(Fault::bare(&reasons::MALFORMED));
        };
        let mut after = *self;
        let mut goes_on = true;
        for line in ply.iter() {
            if self.all_lines() & line.mask() == 0 {
                return Err(Fault::at(&reasons::OFF_BOARD, &line.name()));
            }
            if after.free & line.mask() == 0 {
                let reason = if self.free & line.mask() == 0 { &DRAWN } else { &reasons::TWICE };
                return Err(Fault::at(reason, &line.name()));
            }
            if !goes_on {
                return Err(Fault::at(&TURN_WAS_OVER, &line.name()));
            }
            goes_on = after.draw_line(line) > 0 && after.free != 0;
        }
        if goes_on { Err(Fault::at(&MUST_GO_ON, &last.name())) } else { Ok(End::Played) }
    }

    #[inline]
    fn apply(&mut self, ply: Lines, _end: End) -> Self {
        let before = *self;
        for line in ply.iter() {
            self.draw_line(line);
        }
        before
    }

    #[inline]
    fn undo(&mut self, memo: Self) {
        *self = memo;
    }

    fn space(&self) -> u64 {
        let lines = u64::from(self.all_lines().count_ones());
        let lists = (1..=self.box_count()).try_fold(0_u64, |sum, length| sum.checked_add(lines.checked_pow(length)?));
        match lists {
            Some(lists) if lists <= MOST_LISTED => lists,
            _ => u64::from(LONGEST_NUMBERED) * lines.pow(LONGEST_NUMBERED),
        }
    }

    /// On small boards every list of lines has one number. On others there are far too many: there a number is a
    /// length and one digit a line, and every other digit chooses among the lines that complete a box, because lines
    /// taken blindly are hardly ever a ply.
    fn ply_at(&self, number: u64) -> Lines {
        let all = self.all_lines();
        let base = u64::from(all.count_ones());
        let mut lines = Lines::new();
        let listed = self.space() <= MOST_LISTED;
        let (mut rest, mut length) = (number, 1);
        if listed {
            while rest >= base.pow(length) {
                rest -= base.pow(length);
                length += 1;
            }
        } else {
            length += (rest % u64::from(LONGEST_NUMBERED)) as u32;
            rest /= u64::from(LONGEST_NUMBERED);
        }
        let mut free = self.free;
        for _ in 0..length {
            let digit = (rest % base) as u32;
            rest /= base;
            let completing = last_sides(free, self.unowned);
            let bit = if listed || digit.is_multiple_of(2) || completing == 0 {
                nth_bit_wide(all, digit)
            } else {
                nth_bit_wide(completing, digit / 2 % completing.count_ones())
            };
            lines.push(Line::from_bit(bit));
            free &= !Line::from_bit(bit).mask();
        }
        lines
    }

    fn read_ply(&self, text: &str) -> Result<Lines, Fault> {
        let text = text.trim();
        let malformed = |offset| Fault::at(&reasons::MALFORMED, text).after(offset);
        let mut lines = Lines::new();
        if text.is_empty() {
            return Err(Fault::at(&reasons::MALFORMED, text));
        }
        let mut letters = text.chars().map(|letter| letter.to_ascii_uppercase());
        for offset in (0..).step_by(3) {
            let Some(kind) = letters.next() else { break };
            let (Some(which @ 'A'..='Z'), Some(segment @ 'A'..='Z')) = (letters.next(), letters.next()) else {
                return Err(malformed(offset));
            };
            let vertical = match kind {
                'A' => false,
                'B' => true,
                _ => return Err(malformed(offset)),
            };
            let index = |letter: char| letter as usize - 'A' as usize;
            let (x, y) = if vertical { (index(which), index(segment)) } else { (index(segment), index(which)) };
            if x >= MOST_DOTS || y >= MOST_DOTS || self.all_lines() & Line::at(vertical, x, y).mask() == 0 {
                let name: String = [kind, which, segment].iter().collect();
                return Err(Fault::at(&reasons::OFF_BOARD, &name).after(offset));
            }
            if !lines.push(Line::at(vertical, x, y)) {
                return Err(malformed(offset));
            }
        }
        Ok(lines)
    }

    fn write_ply(&self, ply: Lines, out: &mut String) {
        out.extend(ply.iter().flat_map(Line::letters));
    }

    fn read_position(variant: &DotsVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut position = Self::new(variant);
        let (rows, cols) = (usize::from(variant.rows), usize::from(variant.cols));
        for (vertical, width, height) in [(false, cols - 1, rows), (true, cols, rows - 1)] {
            let name = if vertical { "vertical lines" } else { "horizontal lines" };
            fields.required(name)?.rows(width, height, |x, y, letter| {
                position.free &= !Line::at(vertical, x, y).mask();
                letter == 'x'
            })?;
        }
        let owners = fields.required("boxes")?;
        owners.rows(cols - 1, rows - 1, |x, y, letter| {
            Side::from_letter(letter).map(|side| position.owned[side.index()] |= 1 << (y * 8 + x)).is_some()
        })?;
        let open = boxes_at(position.free) & position.unowned;
        let unowned = position.unowned & !(position.owned[0] | position.owned[1]);
        for (reason, wrong) in [(&NOT_CLOSED, open & !unowned), (&NO_OWNER, unowned & !open)] {
            if wrong != 0 {
                let index = wrong.trailing_zeros() as usize;
                return Err(Fault::at(reason, &box_name(index % 8, index / 8)).after(owners.offset));
            }
        }
        position.unowned = unowned;
        position.to_move = fields.side()?;
        position.plies = fields.number(0)?;
        fields.finish()?;
        Ok(position)
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        for (vertical, width, height) in [(false, cols - 1, rows), (true, cols, rows - 1)] {
            write_rows(out, width, height, |x, y| (self.free & Line::at(vertical, x, y).mask() == 0).then_some('x'));
            out.push(' ');
        }
        write_rows(out, cols - 1, rows - 1, |x, y| self.owner(x, y).map(Side::letter));
        out.push_str(&format!(" {} {}", self.to_move.letter(), self.plies));
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        vec![
            Note::new("black", Phrase::new("Black's boxes", "黑方格数"), &self.owned[0].count_ones()),
            Note::new("white", Phrase::new("White's boxes", "白方格数"), &self.owned[1].count_ones()),
            Note::new("lines-left", Phrase::new("Lines left", "剩余连线"), &self.free.count_ones()),
        ]
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let mut scene =
            Scene { geometry: Geometry::default().labelled(cols, rows, capital, capital), ..Scene::default() };
        let places = |width: usize, height: usize| (0..width * height).map(move |index| (index % width, index / width));
        scene.geometry.pips = places(cols, rows).map(|(x, y)| (x as f32, y as f32)).collect();
        let mut add = |kind, name, x: f32, y: f32, piece: Option<(Figure, Option<Side>)>| {
            let spot = scene.geometry.spots.len();
            scene.geometry.spots.push(Spot { name, kind, x, y, label: None });
            scene.pieces.extend(piece.map(|(figure, side)| Piece::plain(spot, figure, side)));
        };
        let drawn = |line: Line| (self.free & line.mask() == 0).then_some((Figure::Line, None));
        for (x, y) in places(cols - 1, rows) {
            let line = Line::at(false, x, y);
            add(SpotKind::HorizontalEdge, line.name(), x as f32 + 0.5, y as f32, drawn(line));
        }
        for (x, y) in places(cols, rows - 1) {
            let line = Line::at(true, x, y);
            add(SpotKind::VerticalEdge, line.name(), x as f32, y as f32 + 0.5, drawn(line));
        }
        for (x, y) in places(cols - 1, rows - 1) {
            let owned = self.owner(x, y).map(|side| (Figure::Owned, Some(side)));
            add(SpotKind::Box, box_name(x, y), x as f32 + 0.5, y as f32 + 0.5, owned);
        }
        scene
    }

    fn path(&self, ply: Lines, out: &mut Vec<u16>) {
        out.extend(ply.iter().map(|line| self.spot(line) as u16));
    }

    /// Late in the game there may be millions of plies; the next click needs only the lines drawn so far.
    fn next_clicks(&self, prefix: &[u16]) -> Option<Vec<(u16, Option<Lines>)>> {
        let mut now = *self;
        let mut lines = Lines::new();
        for &spot in prefix {
            let wanted = |line: &Line| self.spot(*line) == usize::from(spot);
            // After a line that ended the turn, or one that cannot be drawn, nothing follows.
            let Some(line) = each(now.completing_lines()).find(wanted) else { return Some(Vec::new()) };
            now.draw_line(line);
            lines.push(line);
        }
        let click = |line: Line| {
            let mut ply = lines;
            ply.push(line);
            (self.spot(line) as u16, (self.judge(ply) == Ok(End::Played)).then_some(ply))
        };
        Some(each(now.free).map(click).collect())
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_board(usize::from(self.cols), usize::from(self.rows))
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let (width, height) = (usize::from(self.cols) - 1, usize::from(self.rows) - 1);
        let boxes = |set: u64| {
            (0..64).filter(|index| set >> index & 1 == 1).fold(0, |mapped, index| {
                let (x, y) = symmetry.map(index % 8, index / 8, width, height);
                mapped | 1_u64 << (y * 8 + x)
            })
        };
        Self {
            free: each(self.free).fold(0, |mapped, line| mapped | self.mapped(line, symmetry).mask()),
            owned: self.owned.map(boxes),
            unowned: boxes(self.unowned),
            ..*self
        }
    }

    fn transformed_ply(&self, ply: Lines, symmetry: Symmetry) -> Lines {
        let mut mapped = Lines::new();
        for line in ply.iter() {
            mapped.push(self.mapped(line, symmetry));
        }
        mapped
    }
}

impl Dots {
    fn owner(&self, x: usize, y: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.owned[side.index()] >> (y * 8 + x) & 1 == 1)
    }
}

/// A box is named by its row and column: two letters, where a line has three.
fn box_name(x: usize, y: usize) -> String {
    capital(y) + &capital(x)
}

static FACTS: Facts = Facts {
    id: "dots",
    name: Phrase::new("Dots and Boxes", "点格棋"),
    aliases: &["dots-and-boxes", "dab", "点格"],
    board: Phrase::new("6×6 dots", "6×6 点"),
    summary: Phrase::new(
        "Draw a line between two neighbouring dots. Whoever draws the fourth side of a box owns it and must draw \
         another line in the same ply. When all boxes are owned, more boxes win.",
        "在相邻两点之间连线。连上某个格子第四条边的一方占得该格，并须在同一手内继续连线。所有格子都被占满时，占格多者胜。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "all lines of the turn, three letters each: A (horizontal), row of dots, segment from the left; or B \
         (vertical), column of dots, segment from the top. Each line but the last completes a box: AAABAB",
        "本手全部连线，每条三个字母：横线为 A、点的行号、自左起的段号；竖线为 B、点的列号、自上起的段号。\
         除最后一条外每条都须占得格子：AAABAB",
    ),
    words_per_ply: 1,
    position: Phrase::new(
        "rows of horizontal lines, rows of vertical lines (x drawn, numbers for lines not drawn), rows of boxes (b, w, \
         numbers for boxes without an owner), side to move, plies played: \
         5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0",
        "各行横线、各行竖线（x 为已连，数字为连续未连的条数）、各行格子（b 黑、w 白，数字为连续无主的格数）、行棋方、已行手数：\
         5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0",
    ),
    options: &[
        OptionFact {
            key: "rows",
            values: "2..8",
            text: Phrase::new("rows of dots; one row of boxes fewer", "点的行数；格子的行数少一"),
        },
        OptionFact {
            key: "cols",
            values: "2..8",
            text: Phrase::new("columns of dots; one column of boxes fewer", "点的列数；格子的列数少一"),
        },
    ],
    samples: &[&["rows=2", "cols=2"], &["rows=3", "cols=3"], &["rows=3", "cols=8"], &["rows=8", "cols=3"]],
    example: "x2xx/xxx1x/1x1x1/2x1x/x1xx1/1x2x xx1x1x/2xx2/x1xx1x/1x1x2/x2x1x b4/5/5/5/5 b 30",
    reasons: &[&DRAWN, &MUST_GO_ON, &TURN_WAS_OVER, &BOXES, &NOT_CLOSED, &NO_OWNER],
};

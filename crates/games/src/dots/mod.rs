//! Dots and Boxes (点格棋): draw lines between dots; whoever closes a box owns it and goes on.
//!
//! A line is a bit of a 128-bit word: `row * 8 + column` of its upper or left dot, horizontal lines in the lower half,
//! vertical ones in the upper. A box is bit `row * 8 + column` of a 64-bit word, so its sides are shifts away and all
//! boxes are looked at in one go.
//!
//! A ply is a whole turn, a list of lines. Engines that search line by line use [`Dots::draw_line`] and
//! [`Dots::undo_line`], between which the turn may be half done; everything else here works in such positions too.

use std::ops::ControlFlow;

use rand::Rng;

use crate::core::random::{below, mix, nth_bit_wide};
use crate::core::text::{Fields, write_rows};
use crate::core::view::{Figure, Geometry, Piece, Scene, Spot, SpotKind, capital};
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Phrase, Side, Symmetry, Verdict, reasons};

mod count;
mod facts;
mod lines;

pub use facts::DotsVariant;
use facts::{BOXES, DRAWN, FACTS, MUST_GO_ON, NO_OWNER, NOT_CLOSED, TURN_WAS_OVER};
pub use lines::{Line, Lines};
use lines::{MOST_DOTS, block, boxes_at, each, last_sides};

/// Up to this many lists of lines are numbered one by one.
const MOST_LISTED: u64 = 1 << 20;
/// The longest list that is numbered when there are more.
const LONGEST_NUMBERED: u32 = 8;

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

    /// The boxes nobody owns yet, bit `row * 8 + column`.
    #[inline]
    #[must_use]
    pub const fn unowned(&self) -> u64 {
        self.unowned
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

    /// Allocates where a line completes a box. `u64::MAX` stands for any count beyond it and, on boards larger than
    /// the usual one, for positions contrived so that counting would take too much memory.
    fn count_legal(&self) -> u64 {
        if self.completing_lines() == 0 {
            return u64::from(self.free.count_ones());
        }
        self.count_plies().unwrap_or(u64::MAX)
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

//! Surakarta (苏拉卡尔塔棋): step like a king, capture by running around a corner of the board.
//!
//! Bit `row * 6 + column` of a word is a point. Where pieces can go is in `board` and `circuits`; here are the turns,
//! the end, and what the end by repetition needs: the keys of the positions since the last capture.

mod board;
mod circuits;
mod facts;

use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use self::board::{Board, digit, mapped, mapped_key, points};
use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, letters, read_letters, write_letters, write_rows};
use crate::core::view::{Figure, Geometry, Ink, Label, Piece, Scene, Shape, Stroke, capital};
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Phrase, Reason, Side, Symmetry, Variant, Verdict, reasons};

const SIZE: usize = 6;
const POINTS: usize = SIZE * SIZE;
/// The game begins with twelve pieces a side.
const MOST_PIECES: usize = 12;
const MOST_QUIET_PLIES: u32 = 1000;
const MOST_REPETITIONS: u32 = 100;

static NO_RUN: Reason = Reason::new(
    "no-run",
    "no open way through a corner loop leads to the piece at {}",
    "没有经过角上弧线且无阻挡的路线通向 {} 处的棋子",
);
static QUIET: Reason = Reason::new(
    "quiet-limit",
    "too many plies without a capture, so the pieces were counted",
    "连续未吃子步数达到上限，按子数判定胜负",
);
static REPEATED: Reason = Reason::new(
    "repetition",
    "the same position came up too often, so the pieces were counted",
    "同一局面重复出现，按子数判定胜负",
);
static TOO_MANY: Reason =
    Reason::new("too-many-pieces", "{} is one piece too many: a side has at most 12", "{} 处棋子超出：每方最多 12 子");

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SurakartaVariant {
    /// After this many plies without a capture the pieces are counted; 0: never.
    pub quiet_plies: u32,
    /// When a position stands this often with the same side to move the pieces are counted; 0: never.
    pub repetition: u32,
}

impl Default for SurakartaVariant {
    fn default() -> Self {
        Self { quiet_plies: 80, repetition: 3 }
    }
}

impl Variant for SurakartaVariant {
    fn check(&self) -> Result<(), Fault> {
        if self.quiet_plies > MOST_QUIET_PLIES {
            return Err(Fault::at(&reasons::BAD_OPTION, "quiet_plies=0..1000"));
        }
        // Every position stands once, so that 1 would end the game before it begins.
        if self.repetition == 1 || self.repetition > MOST_REPETITIONS {
            return Err(Fault::at(&reasons::BAD_OPTION, "repetition=0,2..100"));
        }
        Ok(())
    }
}

/// One move, a step or a capture, however many ways lead there. Points are `row * 6 + column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The point it leaves.
    pub from: u8,
    /// The point it reaches.
    pub to: u8,
}

/// A position, with the positions since the last capture.
#[derive(Debug, PartialEq, Eq)]
pub struct Surakarta {
    now: Board,
    /// Keys of the positions since the last capture, up to the present one at `now.run`; beyond that, what an earlier
    /// and longer run left there and `undo` will need again. Empty when repetition is off.
    seen: Vec<u64>,
    limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    /// `u32::MAX` when off.
    quiet_plies: u32,
    /// `u32::MAX` when off.
    repetition: u32,
}

/// What is needed to take a move back.
#[derive(Debug, Clone, Copy)]
pub struct Memo {
    before: Board,
    /// The key the move overwrote in `seen`; `None` when it made `seen` longer, or when nothing is kept there.
    overwritten: Option<u64>,
}

/// How many keys there is room for from the start when the quiet limit is off: only then can a run be longer, and only
/// a longer run ever allocates.
const ROOM: u32 = MOST_QUIET_PLIES;
/// The key of a position that a position's text does not tell.
const UNKNOWN: u64 = u64::MAX;

impl Surakarta {
    /// The pieces of a side, bit `row * 6 + column`.
    #[must_use]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.now.pieces[side.index()]
    }

    /// How many plies went by since the last capture.
    #[must_use]
    pub const fn quiet(&self) -> u32 {
        self.now.quiet
    }

    /// After how many quiet plies the pieces are counted; `u32::MAX` when never.
    #[must_use]
    pub const fn quiet_limit(&self) -> u32 {
        self.limits.quiet_plies
    }

    /// How often the present position stood since the last capture.
    #[must_use]
    pub const fn times(&self) -> u32 {
        self.now.times
    }

    /// Whether the game has ended although the side to move may have a move left.
    #[inline]
    const fn stopped(&self) -> bool {
        self.now.enemy() == 0 || self.now.quiet >= self.limits.quiet_plies || self.now.times >= self.limits.repetition
    }

    /// A board whose past is only that it stood `times` times.
    fn with_past(variant: &SurakartaVariant, now: Board, times: u32) -> Self {
        let limit = |value| if value == 0 { u32::MAX } else { value };
        let limits = Limits { quiet_plies: limit(variant.quiet_plies), repetition: limit(variant.repetition) };
        let mut seen = Vec::new();
        if variant.repetition > 0 {
            seen.reserve((limits.quiet_plies.min(ROOM) + 4 * times) as usize);
            seen.push(now.key);
            for _ in 1..times {
                // The soonest a position can come back is after two moves of each side.
                seen.extend([UNKNOWN, UNKNOWN, UNKNOWN, now.key]);
            }
        }
        let run = seen.len().saturating_sub(1) as u32;
        Self { now: Board { run, times, ..now }, seen, limits }
    }

    /// Notes the present position at `now.run` and how often it has stood; gives what was there before.
    #[inline]
    fn remember(&mut self) -> Option<u64> {
        if self.limits.repetition == u32::MAX {
            return None;
        }
        let (run, key) = (self.now.run as usize, self.now.key);
        let overwritten = match self.seen.get_mut(run) {
            Some(slot) => Some(std::mem::replace(slot, key)),
            None => {
                self.seen.push(key);
                None
            }
        };
        let same_side_before = self.seen[..(run + 1).saturating_sub(4)].iter().rev().step_by(2);
        self.now.times = 1 + same_side_before.filter(|&&earlier| earlier == key).count() as u32;
        overwritten
    }
}

/// By hand, because a clone must be able to go on without allocating, as its original can.
impl Clone for Surakarta {
    fn clone(&self) -> Self {
        let mut seen = Vec::with_capacity(self.seen.capacity());
        seen.extend_from_slice(&self.seen);
        Self { now: self.now, seen, limits: self.limits }
    }

    fn clone_from(&mut self, source: &Self) {
        self.now = source.now;
        self.limits = source.limits;
        self.seen.clear();
        self.seen.reserve(source.seen.capacity());
        self.seen.extend_from_slice(&source.seen);
    }
}

impl Game for Surakarta {
    type Ply = Move;
    type Memo = Memo;
    type Variant = SurakartaVariant;
    const FACTS: &'static Facts = &facts::FACTS;

    fn new(variant: &SurakartaVariant) -> Self {
        const BLACK: u64 = (1 << (2 * SIZE)) - 1;
        Self::with_past(variant, Board::new([BLACK, BLACK << (4 * SIZE)], Side::Black), 1)
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.now.to_move
    }

    #[inline]
    fn plies(&self) -> u32 {
        self.now.plies
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        let plies = self.now.plies;
        let mover = self.now.to_move;
        let counted = |reason| {
            let [black, white] = self.now.pieces.map(u64::count_ones);
            Some(Verdict::by_count(black, white, reason, plies))
        };
        if self.now.enemy() == 0 {
            Some(Verdict::win(mover, &reasons::NO_PIECES, plies))
        } else if self.now.own() == 0 {
            Some(Verdict::win(mover.other(), &reasons::NO_PIECES, plies))
        } else if !self.now.can_move() {
            Some(Verdict::win(mover.other(), &reasons::NO_PLY, plies))
        } else if self.now.quiet >= self.limits.quiet_plies {
            counted(&QUIET)
        } else if self.now.times >= self.limits.repetition {
            counted(&REPEATED)
        } else {
            None
        }
    }

    fn hash(&self) -> u64 {
        mix(&[self.now.key, self.now.to_move as u64])
    }

    #[inline]
    fn visit_legal<F: FnMut(Move) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.stopped() {
            return ControlFlow::Continue(());
        }
        for from in points(self.now.own()) {
            for to in points(self.now.targets(from)) {
                visit(Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.stopped() {
            return 0;
        }
        points(self.now.own()).map(|from| u64::from(self.now.targets(from).count_ones())).sum()
    }

    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Move> {
        if self.stopped() {
            return None;
        }
        let mut targets = [0; MOST_PIECES];
        let mut count = 0;
        for (slot, from) in targets.iter_mut().zip(points(self.now.own())) {
            *slot = self.now.targets(from);
            count += slot.count_ones();
        }
        if count == 0 {
            return None;
        }
        let mut skip = below(rng, count);
        for (set, from) in targets.into_iter().zip(points(self.now.own())) {
            let here = set.count_ones();
            if skip < here {
                return Some(Move { from: from as u8, to: nth_bit(set, skip) as u8 });
            }
            skip -= here;
        }
        None
    }

    fn judge(&self, ply: Move) -> Result<End, Fault> {
        let fault = |reason, point: u8| {
            Err(Fault::at(reason, &letters(usize::from(point) % SIZE, usize::from(point) / SIZE % 26)))
        };
        if self.verdict().is_some() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        if let Some(point) = [ply.from, ply.to].into_iter().find(|&point| usize::from(point) >= POINTS) {
            return fault(&reasons::OFF_BOARD, point);
        }
        let (from, to) = (1_u64 << ply.from, 1_u64 << ply.to);
        if self.now.own() & from == 0 {
            fault(&reasons::NOT_YOURS, ply.from)
        } else if from == to {
            fault(&reasons::TWICE, ply.to)
        } else if self.now.own() & to != 0 {
            fault(&reasons::OCCUPIED, ply.to)
        } else if self.now.targets(usize::from(ply.from)) & to != 0 {
            Ok(End::Played)
        } else if self.now.enemy() & to != 0 {
            fault(&NO_RUN, ply.to)
        } else {
            fault(&reasons::UNREACHABLE, ply.to)
        }
    }

    #[inline]
    fn apply(&mut self, ply: Move, _end: End) -> Memo {
        let before = self.now;
        let (mover, other) = (before.to_move, before.to_move.other());
        let (from, to) = (usize::from(ply.from), usize::from(ply.to));
        let now = &mut self.now;
        now.pieces[mover.index()] ^= 1 << from | 1 << to;
        now.key = now.key - digit(mover, from) + digit(mover, to);
        now.circuits.toggle(from);
        if before.enemy() >> to & 1 == 1 {
            now.pieces[other.index()] ^= 1 << to;
            now.key -= digit(other, to);
            now.quiet = 0;
            now.run = 0;
        } else {
            now.circuits.toggle(to);
            now.quiet += 1;
            now.run += 1;
        }
        now.to_move = other;
        now.plies += 1;
        Memo { before, overwritten: self.remember() }
    }

    #[inline]
    fn undo(&mut self, memo: Memo) {
        let run = self.now.run as usize;
        match memo.overwritten {
            Some(key) => self.seen[run] = key,
            None => self.seen.truncate(run),
        }
        self.now = memo.before;
    }

    fn space(&self) -> u64 {
        (POINTS * POINTS) as u64
    }

    fn ply_at(&self, number: u64) -> Move {
        let points = POINTS as u64;
        Move { from: (number / points % points) as u8, to: (number % points) as u8 }
    }

    fn read_ply(&self, text: &str) -> Result<Move, Fault> {
        let mut points = [(0, 0); 2];
        if read_letters(text, SIZE, SIZE, &mut points)? < points.len() {
            return Err(Fault::at(&reasons::MALFORMED, text.trim()));
        }
        let [from, to] = points.map(|(x, y)| (y * SIZE + x) as u8);
        Ok(Move { from, to })
    }

    fn write_ply(&self, ply: Move, out: &mut String) {
        for point in [ply.from, ply.to].map(usize::from) {
            write_letters(out, point % SIZE, point / SIZE);
        }
    }

    fn read_position(variant: &SurakartaVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut pieces = [0_u64; 2];
        let mut surplus = None;
        let rows = fields.required("board")?;
        rows.rows(SIZE, SIZE, |x, y, letter| {
            let Some(side) = Side::from_letter(letter) else { return false };
            let own = &mut pieces[side.index()];
            *own |= 1 << (y * SIZE + x);
            if own.count_ones() as usize > MOST_PIECES {
                surplus = surplus.or(Some((x, y)));
            }
            true
        })?;
        if let Some((x, y)) = surplus {
            return Err(Fault::at(&TOO_MANY, &letters(x, y)));
        }
        if pieces == [0; 2] {
            return Err(rows.fault(&reasons::IMPOSSIBLE));
        }
        let mut now = Board::new(pieces, fields.side()?);
        if let Some(field) = fields.optional() {
            now.quiet = field.number()?;
            if variant.quiet_plies > 0 && now.quiet > variant.quiet_plies {
                return Err(field.fault(&reasons::IMPOSSIBLE));
            }
        }
        now.plies = now.quiet;
        if let Some(field) = fields.optional() {
            now.plies = field.number()?;
            if now.plies < now.quiet {
                return Err(field.fault(&reasons::IMPOSSIBLE));
            }
        }
        let mut times = 1;
        if variant.repetition > 0
            && let Some(field) = fields.optional()
        {
            times = field.number()?;
            if times == 0 || times > variant.repetition || times > 1 + now.quiet / 4 {
                return Err(field.fault(&reasons::IMPOSSIBLE));
            }
        }
        fields.finish()?;
        Ok(Self::with_past(variant, now, times))
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        write_rows(out, SIZE, SIZE, |x, y| self.side_at(y * SIZE + x).map(Side::letter));
        let Board { to_move, quiet, plies, times, .. } = self.now;
        out.push_str(&format!(" {} {quiet} {plies}", to_move.letter()));
        if times > 1 {
            out.push_str(&format!(" {times}"));
        }
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let mut notes = vec![
            Note::new("black", Phrase::new("Black's pieces", "黑子"), &self.now.pieces[0].count_ones()),
            Note::new("white", Phrase::new("White's pieces", "白子"), &self.now.pieces[1].count_ones()),
            Note::new("quiet", Phrase::new("Plies without a capture", "连续未吃子步数"), &self.now.quiet),
        ];
        if self.limits.repetition != u32::MAX {
            let label = Phrase::new("Times this position stood", "本局面出现次数");
            notes.push(Note::new("times", label, &self.now.times));
        }
        notes
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let mut geometry = Geometry::points(SIZE, SIZE, letters).seen_from(Side::White);
        geometry.strokes.clear();
        let end = (SIZE - 1) as f32;
        for line in 0..SIZE {
            let ink = match line {
                1 | 4 => Ink::InnerCircuit,
                2 | 3 => Ink::OuterCircuit,
                _ => Ink::Grid,
            };
            let at = line as f32;
            geometry.line(ink, (0.0, at), (end, at));
            geometry.line(ink, (at, 0.0), (at, end));
        }
        for (ink, radius) in [(Ink::InnerCircuit, 1.0), (Ink::OuterCircuit, 2.0)] {
            for (x, y) in [(0.0, 0.0), (end, 0.0), (0.0, end), (end, end)] {
                let outward = |at: f32| if at == 0.0 { -1.0 } else { 1.0 };
                let (outward_x, outward_y) = (outward(x), outward(y));
                geometry.strokes.push(Stroke { ink, shape: Shape::CornerLoop { x, y, radius, outward_x, outward_y } });
            }
        }
        for line in 0..SIZE {
            geometry.labels.push(Label { text: capital(line), x: line as f32, y: BEYOND_LOOPS });
            geometry.labels.push(Label { text: capital(line), x: BEYOND_LOOPS, y: line as f32 });
        }
        let pieces = (0..POINTS)
            .filter_map(|point| Some(Piece::plain(point, Figure::Stone, Some(self.side_at(point)?))))
            .collect();
        Scene { geometry, pieces, marks: Vec::new() }
    }

    fn path(&self, ply: Move, out: &mut Vec<u16>) {
        out.extend([ply.from, ply.to].map(u16::from));
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let pieces = self.now.pieces.map(|set| points(set).fold(0, |all, point| all | 1 << mapped(point, symmetry)));
        let Board { circuits, key, .. } = Board::new(pieces, self.now.to_move);
        let mut seen = self.clone();
        seen.now = Board { pieces, circuits, key, ..self.now };
        for earlier in &mut seen.seen {
            if *earlier != UNKNOWN {
                *earlier = mapped_key(*earlier, symmetry);
            }
        }
        seen
    }

    fn transformed_ply(&self, ply: Move, symmetry: Symmetry) -> Move {
        let [from, to] = [ply.from, ply.to].map(|point| mapped(usize::from(point), symmetry) as u8);
        Move { from, to }
    }
}

impl Surakarta {
    fn side_at(&self, point: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.now.pieces[side.index()] >> point & 1 == 1)
    }
}

/// Where coordinates stand, because the outer loops reach two units beyond the board.
const BEYOND_LOOPS: f32 = -2.6;

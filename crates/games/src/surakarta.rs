//! Surakarta (苏拉卡尔塔棋): step like a king, capture by running around a corner of the board.
//!
//! Bit `row * 6 + column` of a word is a point. Each circuit is a ring of 24 stations, a straight of six after every
//! corner loop; a crossing of a circuit with itself is two stations of its ring. With the ring's pieces in a word, the
//! first piece a run meets is the nearest set bit to either side.

use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, letters, read_letters, write_letters, write_rows};
use crate::core::view::{Figure, Geometry, Ink, Label, Piece, Scene, Shape, Stroke, capital};
use crate::core::{
    End, Eyes, Facts, Fault, Game, Note, OptionFact, Phrase, Reason, Side, Symmetry, Variant, Verdict, reasons,
};

const SIZE: usize = 6;
const POINTS: usize = SIZE * SIZE;
const BOARD: u64 = (1 << POINTS) - 1;
const FIRST_COLUMN: u64 = 0o0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIZE - 1);
const MOST_PIECES: u32 = 12;
const MOST_QUIET_PLIES: u32 = 10_000;
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
            return Err(Fault::at(&reasons::BAD_OPTION, "quiet_plies=0..10000"));
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
    variant: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    /// `u32::MAX` when off.
    quiet_plies: u32,
    /// `u32::MAX` when off.
    repetition: u32,
}

/// All of a position but its past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Board {
    pieces: [u64; 2],
    /// The stations of each ring that are taken.
    rings: [u32; 2],
    /// The board as a number in base three, a digit a point: no two boards share one.
    key: u64,
    /// The index of the present position in `seen`.
    run: u32,
    /// How often the present position stood since the last capture.
    times: u32,
    quiet: u32,
    plies: u32,
    to_move: Side,
}

/// What is needed to take a move back.
#[derive(Debug, Clone, Copy)]
pub struct Memo {
    before: Board,
    /// The key the move overwrote in `seen`; `None` when it made `seen` longer, or when nothing is kept there.
    overwritten: Option<u64>,
}

/// How many keys there is room for from the start, unless the quiet limit needs fewer. Only a run longer than this
/// ever allocates.
const ROOM: u32 = 1024;
/// The key of a position that a position's text does not tell.
const UNKNOWN: u64 = u64::MAX;

const RING: usize = 24;

/// The points of the inner (lines B and E) and the outer (C and D) ring, twice over so that a run need not wrap.
static RINGS: [[u8; RING * 2]; 2] = {
    let mut rings = [[0; RING * 2]; 2];
    let mut circuit = 0;
    while circuit < 2 {
        let (near, far) = (circuit + 1, SIZE - 2 - circuit);
        let mut station = 0;
        while station < RING * 2 {
            let step = station % SIZE;
            let back = SIZE - 1 - step;
            // Right along the upper row, down the right column, left along the lower row, up the left column.
            let (x, y) = match station / SIZE % 4 {
                0 => (step, near),
                1 => (far, step),
                2 => (back, far),
                _ => (near, back),
            };
            rings[circuit][station] = (y * SIZE + x) as u8;
            station += 1;
        }
        circuit += 1;
    }
    rings
};

/// The stations of each point on each ring, as bits.
static STATIONS: [[u32; 2]; 64] = {
    let mut stations = [[0; 2]; 64];
    let mut circuit = 0;
    while circuit < 2 {
        let mut station = 0;
        while station < RING {
            stations[RINGS[circuit][station] as usize][circuit] |= 1 << station;
            station += 1;
        }
        circuit += 1;
    }
    stations
};

/// The points one step away from each point.
static NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut point = 0;
    while point < POINTS {
        neighbours[point] = spread(1 << point) & !(1 << point);
        point += 1;
    }
    neighbours
};

/// The value of each point's digit in a key.
static DIGITS: [u64; 64] = {
    let mut digits = [0; 64];
    let mut value = 1;
    let mut point = 0;
    while point < POINTS {
        digits[point] = value;
        value *= 3;
        point += 1;
    }
    digits
};

/// These points and all next to them.
const fn spread(points: u64) -> u64 {
    let row = points | (points & !LAST_COLUMN) << 1 | (points & !FIRST_COLUMN) >> 1;
    (row | row << SIZE | row >> SIZE) & BOARD
}

/// The points of a set, in order.
#[inline]
fn points(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let point = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            point
        })
    })
}

impl Board {
    fn new(pieces: [u64; 2], to_move: Side) -> Self {
        let mut board = Self { pieces, rings: [0; 2], key: 0, run: 0, times: 1, quiet: 0, plies: 0, to_move };
        for side in Side::BOTH {
            for point in points(pieces[side.index()]) {
                board.toggle_stations(point);
                board.key += digit(side, point);
            }
        }
        board
    }

    #[inline]
    const fn own(&self) -> u64 {
        self.pieces[self.to_move.index()]
    }

    #[inline]
    const fn enemy(&self) -> u64 {
        self.pieces[self.to_move.other().index()]
    }

    #[inline]
    const fn empty(&self) -> u64 {
        BOARD & !(self.pieces[0] | self.pieces[1])
    }

    #[inline]
    fn toggle_stations(&mut self, point: usize) {
        let [inner, outer] = STATIONS[point & 63];
        self.rings[0] ^= inner;
        self.rings[1] ^= outer;
    }

    /// The enemies a piece of the side to move captures from this point.
    #[inline]
    fn captures(&self, from: usize) -> u64 {
        let mut met = 0;
        for (circuit, ring) in RINGS.iter().enumerate() {
            let mut stations = STATIONS[from & 63][circuit];
            // The point left behind is empty, wherever the run comes past it again.
            let others = u64::from(self.rings[circuit] & !stations);
            if others == 0 {
                continue;
            }
            let around = others | others << RING;
            while stations != 0 {
                let station = stations.trailing_zeros();
                stations &= stations - 1;
                let step = station % SIZE as u32;
                let ahead = (around >> (station + 1)).trailing_zeros() + 1;
                // A run that stays on its straight has come through no loop.
                let looped = u64::from(step + ahead >= SIZE as u32);
                met |= looped << ring[(station + ahead) as usize];
                let behind = (around << (64 - RING as u32 - station)).leading_zeros() + 1;
                let looped = u64::from(behind > step);
                met |= looped << ring[(station + RING as u32 - behind) as usize];
            }
        }
        met & self.enemy()
    }

    /// Where a piece of the side to move can go from this point.
    #[inline]
    fn targets(&self, from: usize) -> u64 {
        NEIGHBOURS[from & 63] & self.empty() | self.captures(from)
    }

    #[inline]
    fn can_move(&self) -> bool {
        spread(self.own()) & self.empty() != 0 || points(self.own()).any(|from| self.captures(from) != 0)
    }
}

/// What a piece adds to a board's key.
#[inline]
fn digit(side: Side, point: usize) -> u64 {
    DIGITS[point & 63] * (side.index() as u64 + 1)
}

/// A key seen through a symmetry.
fn mapped_key(key: u64, symmetry: Symmetry) -> u64 {
    if key == UNKNOWN {
        return UNKNOWN;
    }
    (0..POINTS).map(|point| key / DIGITS[point] % 3 * DIGITS[mapped(point, symmetry)]).sum()
}

fn mapped(point: usize, symmetry: Symmetry) -> usize {
    let (x, y) = symmetry.map(point % SIZE, point / SIZE, SIZE, SIZE);
    y * SIZE + x
}

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

    /// Whether the pieces of the side to move may not go on, can they or not.
    #[inline]
    const fn stopped(&self) -> bool {
        self.now.enemy() == 0 || self.now.quiet >= self.variant.quiet_plies || self.now.times >= self.variant.repetition
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
        Self { now: Board { run, times, ..now }, seen, variant: limits }
    }

    /// Notes the present position at `now.run` and how often it has stood; gives what was there before.
    #[inline]
    fn remember(&mut self) -> Option<u64> {
        if self.variant.repetition == u32::MAX {
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
        Self { now: self.now, seen, variant: self.variant }
    }

    fn clone_from(&mut self, source: &Self) {
        self.now = source.now;
        self.variant = source.variant;
        self.seen.clear();
        self.seen.reserve(source.seen.capacity());
        self.seen.extend_from_slice(&source.seen);
    }
}

impl Game for Surakarta {
    type Ply = Move;
    type Memo = Memo;
    type Variant = SurakartaVariant;
    const FACTS: &'static Facts = &FACTS;

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
        } else if self.now.quiet >= self.variant.quiet_plies {
            counted(&QUIET)
        } else if self.now.times >= self.variant.repetition {
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
        let mut targets = [0; MOST_PIECES as usize];
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
        now.toggle_stations(from);
        if before.enemy() >> to & 1 == 1 {
            now.pieces[other.index()] ^= 1 << to;
            now.key -= digit(other, to);
            now.quiet = 0;
            now.run = 0;
        } else {
            now.toggle_stations(to);
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
            if own.count_ones() > MOST_PIECES {
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
        if self.variant.repetition != u32::MAX {
            let label = Phrase::new("Times this position stood", "本局面出现次数");
            notes.push(Note::new("times", label, &self.now.times));
        }
        notes
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let mut geometry = Geometry::points(SIZE, SIZE, letters);
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
        let Board { rings, key, .. } = Board::new(pieces, self.now.to_move);
        let mut seen = self.clone();
        seen.now = Board { pieces, rings, key, ..self.now };
        for earlier in &mut seen.seen {
            *earlier = mapped_key(*earlier, symmetry);
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

static FACTS: Facts = Facts {
    id: "surakarta",
    name: Phrase::new("Surakarta", "苏拉卡尔塔棋"),
    aliases: &["苏拉卡尔塔"],
    board: Phrase::same("6×6"),
    summary: Phrase::new(
        "Step to an empty neighbouring point in any of eight directions, or capture: run along the lines of the inner \
         or the outer circuit over empty points, through at least one corner loop, and land on an enemy. Whoever has \
         no pieces or no move loses. After too many plies without a capture, or when a position keeps coming back, \
         more pieces win and equal numbers draw.",
        "每步将己方一子沿八个方向之一移动一格到空点；或者吃子：沿内圈或外圈的线滑行，途经各点须为空，\
         至少经过一段角上弧线，落在敌子上将其吃掉。无子或无法行棋者负。连续未吃子步数达到上限，\
         或同一局面重复达到规定次数时，子多者胜，相等为和。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "from, to; each a column and a row, A to F from the left and from the top: ABAC",
        "起点、落点各两个字母，先列后行，列自左、行自上为 A 到 F：ABAC",
    ),
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty points), side to move, plies since the last capture, plies played, \
         and from the second time on how often the position has stood: bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 0",
        "自上而下各行（b 黑、w 白、数字为连续空点数）、行棋方、连续未吃子步数、已行步数，\
         重复局面另加出现次数：bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 0",
    ),
    options: &[
        OptionFact {
            key: "quiet_plies",
            values: "0..10000",
            text: Phrase::new(
                "after this many plies without a capture the pieces are counted; 0: never",
                "连续未吃子达到此步数时按子数判定胜负；0 为不限",
            ),
        },
        OptionFact {
            key: "repetition",
            values: "0 | 2..100",
            text: Phrase::new(
                "when a position stands this often with the same side to move the pieces are counted; 0: never",
                "同一局面（行棋方相同）出现此次数时按子数判定胜负；0 为不限",
            ),
        },
    ],
    samples: &[&["quiet_plies=0"], &["repetition=0"], &["quiet_plies=9", "repetition=2"]],
    example: "1bb1b1/b1b1bb/2b1w1/1b1w2/ww2w1/1w1www b 2 14",
    reasons: &[&NO_RUN, &QUIET, &REPEATED, &TOO_MANY],
};

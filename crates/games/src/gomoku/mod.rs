//! Gomoku and renju (五子棋、连珠): five in a row, in every variant the Gomocup protocol knows.
//!
//! Decisions the rules leave to us:
//! - `caro` alone takes nothing from six and more: only a row of exactly five with an enemy stone at each end is
//!   nothing (the board's edge and the stones of scored lines close nothing). Gomocup's caro is `exact+caro`, 9.
//! - `continuous`: every line that a stone completes scores one, and a row of six or more is one line. The stones of a
//!   scored line stay where they are and never count again, for either side. Only lines through the new stone score.
//! - `renju`: Black to move with only forbidden points left has lost.
//! - `swap2` as in the protocol's `SWAP2BOARD`: whoever answers `swap` takes the other colour, and the other seat then
//!   plays white's stone; whoever plays a stone keeps white.
//!
//! A [`Side`] is a seat. Stones have a *colour*, also written as a `Side`, and after a swap the seat called Black owns
//! the white stones: `colour_to_move` is the bridge.

mod facts;
mod lines;
mod renju;
mod variant;

use std::fmt::Write as _;
use std::ops::ControlFlow;

use rand::Rng;

use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, write_rows};
use crate::core::view::{Figure, Geometry, Mark, MarkKind, Piece, Scene};
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Phrase, Reason, Side, Symmetry, Verdict, reasons};

use lines::{Lines, MOST, Run, key};

pub use lines::Point;
pub use renju::Foul;
pub use variant::{GomokuVariant, Opening, Rule};

static NOT_NOW: Reason = Reason::new("not-now", "{} is not a choice at this point of the game", "当前阶段不能下“{}”");

/// One seat's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ply {
    /// A stone.
    One(Point),
    /// Swap2: a white and a black stone, and the other seat chooses.
    Two([Point; 2]),
    /// Swap2: the first three stones, black, white, black.
    Three([Point; 3]),
    /// Swap2: the seats exchange colours.
    Swap,
}

impl Ply {
    fn points(&self) -> &[Point] {
        match self {
            Self::One(point) => std::slice::from_ref(point),
            Self::Two(points) => points,
            Self::Three(points) => points,
            Self::Swap => &[],
        }
    }
}

/// What is to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A stone is played.
    Playing,
    /// Swap2: the first seat places three stones.
    Placing,
    /// Swap2: the second seat swaps, or plays one stone or two.
    Choosing,
    /// Swap2: after two stones more the first seat swaps, or plays one stone.
    ChoosingAgain,
}

/// How the game stands. A full board is not here: it shows by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Open,
    /// The last mover made a winning line.
    Line,
    /// The last mover committed a foul.
    Foul(Foul),
    /// The side to move has forbidden points only.
    Stuck,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gomoku {
    /// The stones of each colour that are not in a scored line.
    stones: [Lines; 2],
    empty: Lines,
    /// The stones of each colour in scored lines, a word a row.
    scored: [[u32; MOST]; 2],
    /// The lines each colour has scored.
    scores: [u16; 2],
    /// The hash of the stones.
    keys: u64,
    plies: u32,
    /// How many points are empty.
    free: u16,
    width: u8,
    height: u8,
    rule: Rule,
    opening: Opening,
    phase: Phase,
    outcome: Outcome,
    to_move: Side,
    /// Whether the seat called White owns the black stones.
    swapped: bool,
}

/// What takes a ply back.
#[derive(Debug, Clone, Copy)]
pub struct Memo {
    ply: Ply,
    phase: Phase,
    swapped: bool,
    /// The line it scored in each direction.
    scored: [Option<Run>; 4],
}

impl Gomoku {
    fn empty_board(variant: &GomokuVariant) -> Self {
        let (width, height) = variant.board();
        let mut board = Self {
            stones: [Lines::NONE, Lines::NONE],
            empty: Lines::NONE,
            scored: [[0; MOST]; 2],
            scores: [0; 2],
            keys: 0,
            plies: 0,
            free: (width * height) as u16,
            width: width as u8,
            height: height as u8,
            rule: variant.rule,
            opening: variant.opening,
            phase: if variant.opening == Opening::Swap2 { Phase::Placing } else { Phase::Playing },
            outcome: Outcome::Open,
            to_move: Side::Black,
            swapped: false,
        };
        for y in 0..height {
            for x in 0..width {
                board.empty.insert(Point::new(x, y));
            }
        }
        board
    }

    /// The board's width.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// The board's height.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// The colour of the stone played next.
    #[inline]
    #[must_use]
    pub const fn colour_to_move(&self) -> Side {
        if self.swapped { self.to_move.other() } else { self.to_move }
    }

    /// The seat that owns the stones of a colour.
    #[must_use]
    pub const fn owner(&self, colour: Side) -> Side {
        if self.swapped { colour.other() } else { colour }
    }

    /// The colour of the stone on a point, in a scored line or not.
    #[must_use]
    pub fn colour_at(&self, point: Point) -> Option<Side> {
        Side::BOTH.into_iter().find(|colour| self.stones[colour.index()].has(point) || self.is_scored(*colour, point))
    }

    /// The foul that a black stone on this point would be; nothing outside renju and on points that are not empty.
    #[must_use]
    pub fn foul_at(&self, point: Point) -> Option<Foul> {
        let open = self.rule.has(Rule::RENJU) && self.on_board(point) && self.empty.has(point);
        open.then(|| self.black_foul(point)).flatten()
    }

    #[inline]
    fn black_foul(&self, point: Point) -> Option<Foul> {
        renju::foul_at(&self.stones[Side::Black.index()], &self.empty, point)
    }

    #[inline]
    const fn on_board(&self, point: Point) -> bool {
        point.x < self.width && point.y < self.height
    }

    fn is_scored(&self, colour: Side, point: Point) -> bool {
        self.scored[colour.index()][usize::from(point.y)] >> point.x & 1 == 1
    }

    /// Whether points may be forbidden to the side to move.
    #[inline]
    fn watches_fouls(&self) -> bool {
        self.rule.has(Rule::RENJU) && self.phase == Phase::Playing && self.colour_to_move() == Side::Black
    }

    #[inline]
    fn over(&self) -> bool {
        self.outcome != Outcome::Open || self.free == 0
    }

    const fn points(&self) -> u64 {
        self.width as u64 * self.height as u64
    }

    fn point_of(&self, index: u64) -> Point {
        let width = u64::from(self.width);
        Point { x: (index % width) as u8, y: (index / width) as u8 }
    }

    fn spot(&self, point: Point) -> u16 {
        u16::from(point.y) * u16::from(self.width) + u16::from(point.x)
    }

    #[inline]
    fn visit_empty<F: FnMut(Point) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        for y in 0..self.height {
            let mut row = self.empty.row(usize::from(y));
            while row != 0 {
                let x = row.trailing_zeros() as u8;
                row &= row - 1;
                visit(Point { x, y })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn place(&mut self, colour: Side, point: Point) {
        self.stones[colour.index()].insert(point);
        self.empty.remove(point);
        self.keys ^= key(colour.index(), point);
        self.free -= 1;
    }

    #[inline]
    fn lift(&mut self, colour: Side, point: Point) {
        self.stones[colour.index()].remove(point);
        self.empty.insert(point);
        self.keys ^= key(colour.index(), point);
        self.free += 1;
    }

    /// Moves a stone into a scored line, or back out of it.
    fn set_scored(&mut self, colour: Side, point: Point, scored: bool) {
        if self.is_scored(colour, point) == scored {
            return;
        }
        let index = colour.index();
        self.scored[index][usize::from(point.y)] ^= 1 << point.x;
        self.keys ^= key(index, point) ^ key(2 + index, point);
        if scored {
            self.stones[index].remove(point);
        } else {
            self.stones[index].insert(point);
        }
    }

    /// Whether the stones in a row through this stone are a winning line.
    fn wins(&self, colour: Side, direction: usize, point: Point) -> Option<Run> {
        let run = self.stones[colour.index()].run(direction, point);
        let exactly = self.rule.has(Rule::EXACT) || self.rule.has(Rule::RENJU) && colour == Side::Black;
        let counts = match run.length() {
            0..5 => false,
            5 => !self.rule.has(Rule::CARO) || !self.stones[colour.other().index()].closes(direction, point, run),
            _ => !exactly,
        };
        counts.then_some(run)
    }

    /// Looks at the lines through a new stone that has four others next to each other around it.
    #[cold]
    fn settle(&mut self, colour: Side, point: Point) -> [Option<Run>; 4] {
        let runs = std::array::from_fn(|direction| self.wins(colour, direction, point));
        if !self.rule.has(Rule::CONTINUOUS) {
            if runs.iter().any(Option::is_some) {
                self.outcome = Outcome::Line;
            }
            return [None; 4];
        }
        self.score(colour, point, &runs, true);
        runs
    }

    /// Scores the lines through a stone, or takes that back.
    fn score(&mut self, colour: Side, point: Point, runs: &[Option<Run>; 4], forward: bool) {
        for (direction, run) in runs.iter().enumerate() {
            let Some(run) = run else { continue };
            for stone in run.points(direction, point) {
                self.set_scored(colour, stone, forward);
            }
            let score = &mut self.scores[colour.index()];
            *score = if forward { *score + 1 } else { *score - 1 };
        }
    }

    /// Whether every empty point is forbidden to the side to move. The first points looked at are nearly always free.
    #[inline]
    fn is_stuck(&self) -> bool {
        self.watches_fouls()
            && !self.over()
            && self
                .visit_empty(|point| {
                    if self.black_foul(point).is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })
                .is_continue()
    }

    /// A random empty point, of which there must be one.
    #[inline]
    fn random_empty<R: Rng + ?Sized>(&self, rng: &mut R) -> Point {
        if u64::from(self.free) * 4 >= self.points() {
            loop {
                let x = below(rng, u32::from(self.width)) as u8;
                let y = below(rng, u32::from(self.height)) as u8;
                let point = Point { x, y };
                if self.empty.has(point) {
                    return point;
                }
            }
        }
        let mut skip = below(rng, u32::from(self.free));
        for y in 0..self.height {
            let row = self.empty.row(usize::from(y));
            let here = row.count_ones();
            if skip < here {
                return Point { x: nth_bit(u64::from(row), skip) as u8, y };
            }
            skip -= here;
        }
        Point { x: 0, y: 0 }
    }

    /// A winning line of a colour, wherever it is: the first stone found that is in one.
    fn line_of(&self, colour: Side) -> Option<Point> {
        self.all_stones(colour).find(|&point| (0..4).any(|direction| self.wins(colour, direction, point).is_some()))
    }

    fn all_stones(&self, colour: Side) -> impl Iterator<Item = Point> {
        (0..self.points()).map(|index| self.point_of(index)).filter(move |&p| self.stones[colour.index()].has(p))
    }

    /// The phase of a position that was read: in swap2 the numbers of plies and stones tell it.
    fn phase_of(&self) -> Result<Phase, Fault> {
        if self.opening == Opening::None {
            return Ok(Phase::Playing);
        }
        let stones = Side::BOTH.map(|colour| self.all_stones(colour).count());
        let at = |to_move, swapped| self.to_move == to_move && self.swapped == swapped;
        match (self.plies, stones) {
            (0, [0, 0]) if at(Side::Black, false) => Ok(Phase::Placing),
            (1, [2, 1]) if at(Side::White, false) => Ok(Phase::Choosing),
            (2, [3, 2]) if at(Side::Black, true) => Ok(Phase::ChoosingAgain),
            (0, [0, 0]) | (1, [2, 1]) | (2, [3, 2]) => Err(Fault::at(&reasons::IMPOSSIBLE, "swap2")),
            _ => Ok(Phase::Playing),
        }
    }

    /// Reads plies from the empty board: the other form of a position text.
    fn read_plies(variant: &GomokuVariant, mut fields: Fields<'_>) -> Result<Self, Fault> {
        let mut position = Self::empty_board(variant);
        while let Some(field) = fields.optional() {
            let read = position.read_ply(field.text).and_then(|ply| position.play(ply));
            read.map_err(|fault| fault.after(field.offset))?;
        }
        Ok(position)
    }
}

impl Game for Gomoku {
    type Ply = Ply;
    type Memo = Memo;
    type Variant = GomokuVariant;
    const FACTS: &'static Facts = &facts::FACTS;

    fn new(variant: &GomokuVariant) -> Self {
        let first = variant.openings.first().and_then(|opening| Self::read_position(variant, opening).ok());
        first.unwrap_or_else(|| Self::empty_board(variant))
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
        let last = self.to_move.other();
        match self.outcome {
            Outcome::Line => Some(Verdict::win(last, &reasons::LINE, self.plies)),
            Outcome::Foul(foul) => Some(Verdict::win(self.to_move, foul.reason(), self.plies)),
            Outcome::Stuck => Some(Verdict::win(last, &reasons::NO_PLY, self.plies)),
            Outcome::Open if self.free > 0 => None,
            Outcome::Open => {
                let [black, white] = Side::BOTH.map(|seat| u32::from(self.scores[self.owner(seat).index()]));
                Some(Verdict::by_count(black, white, &reasons::BOARD_FULL, self.plies))
            }
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        let foul = match self.outcome {
            Outcome::Foul(foul) => 1 + foul as u64,
            _ => 0,
        };
        let turn = self.to_move as u64 | u64::from(self.swapped) << 1 | (self.phase as u64) << 2 | foul << 4;
        let scores = u64::from(self.scores[0]) << 16 | u64::from(self.scores[1]) << 32;
        self.keys ^ mix(&[turn | scores])
    }

    #[inline]
    fn visit_legal<F: FnMut(Ply) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.over() {
            return ControlFlow::Continue(());
        }
        match self.phase {
            Phase::Playing if self.watches_fouls() => self.visit_empty(|point| {
                if self.black_foul(point).is_some() { ControlFlow::Continue(()) } else { visit(Ply::One(point)) }
            }),
            Phase::Playing => self.visit_empty(|point| visit(Ply::One(point))),
            Phase::Placing => self.visit_empty(|a| {
                self.visit_empty(|b| {
                    if a == b {
                        return ControlFlow::Continue(());
                    }
                    self.visit_empty(|c| {
                        if c == a || c == b { ControlFlow::Continue(()) } else { visit(Ply::Three([a, b, c])) }
                    })
                })
            }),
            Phase::Choosing => {
                visit(Ply::Swap)?;
                self.visit_empty(|a| {
                    visit(Ply::One(a))?;
                    self.visit_empty(|b| if a == b { ControlFlow::Continue(()) } else { visit(Ply::Two([a, b])) })
                })
            }
            Phase::ChoosingAgain => {
                visit(Ply::Swap)?;
                self.visit_empty(|point| visit(Ply::One(point)))
            }
        }
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.over() {
            return 0;
        }
        let free = u64::from(self.free);
        match self.phase {
            Phase::Playing if self.watches_fouls() => {
                let mut forbidden = 0;
                let _ = self.visit_empty(|point| {
                    forbidden += u64::from(self.black_foul(point).is_some());
                    ControlFlow::Continue(())
                });
                free - forbidden
            }
            Phase::Playing => free,
            Phase::Placing => free * (free - 1) * (free - 2),
            Phase::Choosing => 1 + free + free * (free - 1),
            Phase::ChoosingAgain => 1 + free,
        }
    }

    fn visit_losing<F: FnMut(Ply) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.over() || !self.watches_fouls() {
            return ControlFlow::Continue(());
        }
        self.visit_empty(|point| {
            if self.black_foul(point).is_some() { visit(Ply::One(point)) } else { ControlFlow::Continue(()) }
        })
    }

    #[inline]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Ply> {
        if self.over() {
            return None;
        }
        let first = self.random_empty(rng);
        let other = |taken: &[Point], rng: &mut R| loop {
            let point = self.random_empty(rng);
            if !taken.contains(&point) {
                break point;
            }
        };
        match self.phase {
            Phase::Playing if self.watches_fouls() && self.black_foul(first).is_some() => {
                let mut skip = below(rng, self.count_legal() as u32);
                let mut chosen = None;
                let _ = self.visit_legal(|ply| {
                    chosen = Some(ply);
                    skip = skip.wrapping_sub(1);
                    if skip == u32::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                chosen
            }
            Phase::Playing => Some(Ply::One(first)),
            Phase::Placing => {
                let second = other(&[first], rng);
                Some(Ply::Three([first, second, other(&[first, second], rng)]))
            }
            // The three kinds alike: by their numbers alone, nearly every game would go on with two stones.
            Phase::Choosing => match below(rng, 3) {
                0 => Some(Ply::Swap),
                1 => Some(Ply::One(first)),
                _ => Some(Ply::Two([first, other(&[first], rng)])),
            },
            Phase::ChoosingAgain => Some(if below(rng, 2) == 0 { Ply::Swap } else { Ply::One(first) }),
        }
    }

    fn judge(&self, ply: Ply) -> Result<End, Fault> {
        if self.over() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        let allowed = match ply {
            Ply::One(_) => self.phase != Phase::Placing,
            Ply::Two(_) => self.phase == Phase::Choosing,
            Ply::Three(_) => self.phase == Phase::Placing,
            Ply::Swap => matches!(self.phase, Phase::Choosing | Phase::ChoosingAgain),
        };
        if !allowed {
            let mut text = String::new();
            self.write_ply(ply, &mut text);
            return Err(Fault::at(&NOT_NOW, &text));
        }
        let points = ply.points();
        for (index, &point) in points.iter().enumerate() {
            if !self.on_board(point) {
                return Err(Fault::at(&reasons::OFF_BOARD, &point.to_string()));
            }
            if !self.empty.has(point) {
                return Err(Fault::at(&reasons::OCCUPIED, &point.to_string()));
            }
            if points[..index].contains(&point) {
                return Err(Fault::at(&reasons::TWICE, &point.to_string()));
            }
        }
        if let Ply::One(point) = ply
            && self.watches_fouls()
            && let Some(foul) = self.black_foul(point)
        {
            return Ok(End::Lost(foul.reason()));
        }
        Ok(End::Played)
    }

    #[inline]
    fn apply(&mut self, ply: Ply, end: End) -> Memo {
        let mut memo = Memo { ply, phase: self.phase, swapped: self.swapped, scored: [None; 4] };
        let colour = self.colour_to_move();
        self.phase = Phase::Playing;
        match ply {
            Ply::One(point) => {
                self.place(colour, point);
                if let End::Lost(reason) = end {
                    self.outcome = Foul::from_code(reason.code).map_or(Outcome::Open, Outcome::Foul);
                } else if self.stones[colour.index()].five_through(point) {
                    memo.scored = self.settle(colour, point);
                }
            }
            Ply::Two([white, black]) => {
                self.place(Side::White, white);
                self.place(Side::Black, black);
                // The first seat is asked as the one to play white; it takes black by swapping.
                self.swapped = true;
                self.phase = Phase::ChoosingAgain;
            }
            Ply::Three([first, second, third]) => {
                self.place(Side::Black, first);
                self.place(Side::White, second);
                self.place(Side::Black, third);
                self.phase = Phase::Choosing;
            }
            Ply::Swap => self.swapped = !self.swapped,
        }
        self.to_move = self.to_move.other();
        self.plies += 1;
        if self.is_stuck() {
            self.outcome = Outcome::Stuck;
        }
        memo
    }

    #[inline]
    fn undo(&mut self, memo: Memo) {
        self.to_move = self.to_move.other();
        self.plies -= 1;
        self.phase = memo.phase;
        self.swapped = memo.swapped;
        self.outcome = Outcome::Open;
        match memo.ply {
            Ply::One(point) => {
                let colour = self.colour_to_move();
                if memo.scored != [None; 4] {
                    self.score(colour, point, &memo.scored, false);
                }
                self.lift(colour, point);
            }
            Ply::Two([white, black]) => {
                self.lift(Side::White, white);
                self.lift(Side::Black, black);
            }
            Ply::Three([first, second, third]) => {
                self.lift(Side::Black, first);
                self.lift(Side::White, second);
                self.lift(Side::Black, third);
            }
            Ply::Swap => {}
        }
    }

    fn space(&self) -> u64 {
        let points = self.points();
        let pairs = if matches!(self.phase, Phase::Placing | Phase::Choosing) { points.pow(2) } else { 0 };
        let triples = if self.phase == Phase::Placing { points.pow(3) } else { 0 };
        points + 1 + pairs + triples
    }

    fn ply_at(&self, number: u64) -> Ply {
        let points = self.points();
        let point = |index: u64| self.point_of(index % points);
        if number < points {
            return Ply::One(point(number));
        }
        if number == points {
            return Ply::Swap;
        }
        let rest = number - points - 1;
        if rest < points * points {
            return Ply::Two([point(rest / points), point(rest)]);
        }
        let rest = rest - points * points;
        Ply::Three([point(rest / points / points), point(rest / points), point(rest)])
    }

    fn read_ply(&self, text: &str) -> Result<Ply, Fault> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("swap") {
            return Ok(Ply::Swap);
        }
        let malformed = || Fault::at(&reasons::MALFORMED, text);
        let mut points = [Point { x: 0, y: 0 }; 3];
        let mut count = 0;
        let mut rest = text;
        while count == 0 || !rest.is_empty() {
            let (x, after) = read_number(rest).ok_or_else(malformed)?;
            let after = after.trim_start().strip_prefix(',').ok_or_else(malformed)?;
            let (y, after) = read_number(after.trim_start()).ok_or_else(malformed)?;
            let point = Point::new(x, y);
            if !self.on_board(point) {
                return Err(Fault::at(&reasons::OFF_BOARD, &format!("{x},{y}")));
            }
            *points.get_mut(count).ok_or_else(malformed)? = point;
            count += 1;
            // Stones of one ply are joined by `+`; the protocol's answers join them by blanks.
            let next = after.trim_start();
            rest = match next.strip_prefix('+') {
                Some(more) if !more.trim_start().is_empty() => more.trim_start(),
                None if next.is_empty() || next.len() < after.len() => next,
                _ => return Err(malformed()),
            };
        }
        let [first, second, third] = points;
        Ok(match count {
            1 => Ply::One(first),
            2 => Ply::Two([first, second]),
            _ => Ply::Three([first, second, third]),
        })
    }

    fn write_ply(&self, ply: Ply, out: &mut String) {
        if ply == Ply::Swap {
            out.push_str("swap");
        }
        for (index, point) in ply.points().iter().enumerate() {
            let _ = write!(out, "{}{point}", if index > 0 { "+" } else { "" });
        }
    }

    fn read_position(variant: &GomokuVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let board = fields.required("board")?;
        if board.text.contains(',') || board.text.eq_ignore_ascii_case("swap") {
            return Self::read_plies(variant, Fields::new(text));
        }
        let mut position = Self::empty_board(variant);
        let continuous = variant.rule.has(Rule::CONTINUOUS);
        board.rows(position.width(), position.height(), |x, y, letter| {
            let Some(colour) = Side::from_letter(letter.to_ascii_lowercase()) else { return false };
            let scored = letter.is_ascii_uppercase();
            let point = Point::new(x, y);
            if scored && !continuous {
                return false;
            }
            position.place(colour, point);
            position.set_scored(colour, point, scored);
            true
        })?;
        position.to_move = fields.side()?;
        position.plies = fields.number(0)?;
        while let Some(field) = fields.optional() {
            let unknown = || field.fault(&reasons::BAD_POSITION);
            if field.text == "swapped" && variant.opening == Opening::Swap2 && !position.swapped {
                position.swapped = true;
            } else if continuous && position.scores == [0; 2] {
                let (black, white) = field.text.split_once('-').ok_or_else(unknown)?;
                let score = |digits: &str| match read_number(digits) {
                    Some((score, "")) => Ok(score.min(MOST * MOST) as u16),
                    _ => Err(unknown()),
                };
                position.scores = [score(black)?, score(white)?];
            } else if variant.rule.has(Rule::RENJU) && position.outcome == Outcome::Open {
                position.outcome = Outcome::Foul(Foul::from_code(field.text).ok_or_else(unknown)?);
            } else {
                return Err(unknown());
            }
        }
        position.phase = position.phase_of()?;
        for colour in Side::BOTH {
            // A line has five stones or more, and lines made by one stone share only that stone.
            let score = u32::from(position.scores[colour.index()]);
            let stones: u32 = position.scored[colour.index()].iter().map(|row| row.count_ones()).sum();
            if stones < 4 * score + score.div_ceil(4) || stones > MOST as u32 * score {
                let [black, white] = position.scores;
                return Err(Fault::at(&reasons::IMPOSSIBLE, &format!("score {black}-{white}")));
            }
        }
        let mover = position.colour_to_move();
        if matches!(position.outcome, Outcome::Foul(_)) && mover == Side::Black {
            return Err(Fault::at(&reasons::IMPOSSIBLE, "foul of White"));
        }
        if !continuous {
            if let Some(point) = position.line_of(mover) {
                return Err(Fault::at(&reasons::IMPOSSIBLE, &format!("line at {point}")));
            }
            if position.outcome == Outcome::Open && position.line_of(mover.other()).is_some() {
                position.outcome = Outcome::Line;
            }
        }
        if position.is_stuck() {
            position.outcome = Outcome::Stuck;
        }
        Ok(position)
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        write_rows(out, self.width(), self.height(), |x, y| {
            let point = Point::new(x, y);
            let colour = self.colour_at(point)?;
            let letter = colour.letter();
            Some(if self.is_scored(colour, point) { letter.to_ascii_uppercase() } else { letter })
        });
        let _ = write!(out, " {} {}", self.to_move.letter(), self.plies);
        if self.swapped {
            out.push_str(" swapped");
        }
        if self.scores != [0; 2] {
            let _ = write!(out, " {}-{}", self.scores[0], self.scores[1]);
        }
        if let Outcome::Foul(foul) = self.outcome {
            let _ = write!(out, " {}", foul.reason().code);
        }
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let mut notes = vec![Note::new("empty", Phrase::new("Empty points", "空点"), &self.free)];
        if self.rule.has(Rule::CONTINUOUS) {
            notes.push(Note::new("black-lines", Phrase::new("Black's lines", "黑棋五连数"), &self.scores[0]));
            notes.push(Note::new("white-lines", Phrase::new("White's lines", "白棋五连数"), &self.scores[1]));
        }
        if self.opening == Opening::Swap2 {
            let seat = 1 + self.owner(Side::Black).index();
            notes.push(Note::new("black-stones", Phrase::new("Black stones: seat", "执黑席位"), &seat));
        }
        if self.watches_fouls() && !self.over() {
            let forbidden = u64::from(self.free) - self.count_legal();
            notes.push(Note::new("forbidden", Phrase::new("Forbidden points", "禁手点"), &forbidden));
        }
        notes
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let (width, height) = (self.width(), self.height());
        let number = |index: usize| index.to_string();
        let mut geometry =
            Geometry::points(width, height, |x, y| format!("{x},{y}")).labelled(width, height, number, number);
        geometry.pips = star_points(width, height);
        if matches!(self.phase, Phase::Choosing | Phase::ChoosingAgain) {
            geometry.button(
                "swap",
                Phrase::new("Swap colours", "交换黑白"),
                (width - 1) as f32 / 2.0,
                height as f32 + 0.2,
            );
        }
        let (mut pieces, mut marks) = (Vec::new(), Vec::new());
        for index in 0..width * height {
            let point = self.point_of(index as u64);
            let mut mark = |kind| marks.push(Mark { spot: index as u16, kind });
            if let Some(colour) = self.colour_at(point) {
                pieces.push(Piece::plain(index, Figure::Stone, Some(colour)));
                let won = self.outcome == Outcome::Line
                    && self.stones[colour.index()].has(point)
                    && (0..4).any(|direction| self.wins(colour, direction, point).is_some());
                if won || self.is_scored(colour, point) {
                    mark(MarkKind::Winning);
                }
            } else if self.watches_fouls() && !self.over() && self.black_foul(point).is_some() {
                mark(MarkKind::Forbidden);
            }
        }
        Scene { geometry, pieces, marks }
    }

    fn path(&self, ply: Ply, out: &mut Vec<u16>) {
        out.extend(ply.points().iter().map(|&point| self.spot(point)));
        if ply == Ply::Swap && matches!(self.phase, Phase::Choosing | Phase::ChoosingAgain) {
            out.push(self.points() as u16);
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::of_board(self.width(), self.height())
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut mirrored = self.clone();
        mirrored.stones = [Lines::NONE, Lines::NONE];
        mirrored.empty = Lines::NONE;
        mirrored.scored = [[0; MOST]; 2];
        mirrored.keys = 0;
        mirrored.free = self.points() as u16;
        for index in 0..self.points() {
            let point = self.point_of(index);
            let target = self.mapped(point, symmetry);
            mirrored.empty.insert(target);
            if let Some(colour) = self.colour_at(point) {
                mirrored.place(colour, target);
                mirrored.set_scored(colour, target, self.is_scored(colour, point));
            }
        }
        mirrored
    }

    fn transformed_ply(&self, ply: Ply, symmetry: Symmetry) -> Ply {
        let map = |point| self.mapped(point, symmetry);
        match ply {
            Ply::One(point) => Ply::One(map(point)),
            Ply::Two(points) => Ply::Two(points.map(map)),
            Ply::Three(points) => Ply::Three(points.map(map)),
            Ply::Swap => Ply::Swap,
        }
    }
}

impl Gomoku {
    fn mapped(&self, point: Point, symmetry: Symmetry) -> Point {
        let (x, y) = symmetry.map(usize::from(point.x), usize::from(point.y), self.width(), self.height());
        Point::new(x, y)
    }
}

/// A number at the start of a text and what follows it. One too large for any board stays too large.
fn read_number(text: &str) -> Option<(usize, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    let value = digits
        .bytes()
        .fold(0, |value: usize, digit| value.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    (length > 0).then_some((value, rest))
}

/// The dots that help the eye: near the corners, the middle, and on large boards the middles of the sides.
fn star_points(width: usize, height: usize) -> Vec<(f32, f32)> {
    let along = |length: usize| {
        let edge = if length < 13 { 2 } else { 3 };
        let mut places = if length < 9 { Vec::new() } else { vec![edge, length - 1 - edge] };
        if length % 2 == 1 {
            places.push(length / 2);
        }
        places
    };
    let (across, down) = (along(width), along(height));
    let in_middle = |x: usize, y: usize| (2 * x + 1 == width, 2 * y + 1 == height);
    let mut pips = Vec::new();
    for &y in &down {
        for &x in &across {
            let shown = match in_middle(x, y) {
                (false, false) | (true, true) => true,
                _ => width.min(height) >= 19,
            };
            if shown {
                pips.push((x as f32, y as f32));
            }
        }
    }
    pips
}

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
mod game;
mod lines;
mod notation;
mod picture;
mod renju;
mod variant;

use std::ops::ControlFlow;

use rand::Rng;

use crate::core::random::{below, nth_bit};
use crate::core::{Reason, Side, Symmetry};

use lines::{Lines, MOST, Run, key};

pub use lines::Point;
pub use renju::{Foul, FoulBoard};
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

    /// What makes a line.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The lines a colour has scored, where play goes on after them.
    #[must_use]
    pub const fn score_of(&self, colour: Side) -> u16 {
        self.scores[colour.index()]
    }

    /// Whether the stone on a point counts for lines still: not in a line that was scored.
    #[must_use]
    pub fn is_live(&self, point: Point) -> bool {
        Side::BOTH.into_iter().any(|colour| self.on_board(point) && self.stones[colour.index()].has(point))
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
        let mut colours = Side::BOTH.into_iter().filter(|_| self.on_board(point));
        colours.find(|colour| self.stones[colour.index()].has(point) || self.is_scored(*colour, point))
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

    /// Whether every empty point is forbidden to the side to move, before the game is over. The first points looked at are nearly always free.
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

    fn mapped(&self, point: Point, symmetry: Symmetry) -> Point {
        let (x, y) = symmetry.map(usize::from(point.x), usize::from(point.y), self.width(), self.height());
        Point::new(x, y)
    }
}

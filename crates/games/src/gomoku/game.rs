//! Gomoku as a [`Game`].

use std::ops::ControlFlow;

use rand::Rng;

use crate::core::random::{below, mix};
use crate::core::view::Scene;
use crate::core::{End, Eyes, Facts, Fault, Game, Note, Side, Symmetry, Verdict, reasons};

use super::lines::{Lines, MOST};
use super::{Foul, Gomoku, GomokuVariant, Memo, NOT_NOW, Outcome, Phase, Ply, Point};
use super::{facts, notation, picture};

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
        notation::read_ply(self, text)
    }

    fn write_ply(&self, ply: Ply, out: &mut String) {
        notation::write_ply(ply, out);
    }

    fn read_position(variant: &GomokuVariant, text: &str) -> Result<Self, Fault> {
        notation::read_position(variant, text)
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        notation::write_position(self, out);
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        picture::notes(self)
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        picture::draw(self)
    }

    fn path(&self, ply: Ply, out: &mut Vec<u16>) {
        out.extend(ply.points().iter().map(|&point| self.spot(point)));
        if ply == Ply::Swap && matches!(self.phase, Phase::Choosing | Phase::ChoosingAgain) {
            out.push(self.points() as u16);
        }
    }

    /// Swap2's first ply has eleven million forms on 15×15: the next click is told without walking through them.
    fn next_clicks(&self, prefix: &[u16]) -> Option<Vec<(u16, Option<Ply>)>> {
        if self.phase != Phase::Placing {
            return None;
        }
        let point = |spot: u16| Point::new(usize::from(spot) % self.width(), usize::from(spot) / self.width());
        let clicks = (0..self.points() as u16).filter(|spot| !prefix.contains(spot));
        Some(match *prefix {
            [] | [_] => clicks.map(|spot| (spot, None)).collect(),
            [first, second] => {
                clicks.map(|spot| (spot, Some(Ply::Three([point(first), point(second), point(spot)])))).collect()
            }
            _ => Vec::new(),
        })
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

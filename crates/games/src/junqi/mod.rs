//! Junqi (军棋): two armies of hidden pieces on roads and railways; take the flag of a board you only half see.
//!
//! Bit `row * 5 + column` of a word is a station, as the first player sees the board; the second player's own view is
//! the same board turned by 180°. Two words say who stands where, four more hold the ranks bit by bit, so a position is
//! a hundred bytes and undoing is copying it back. The first two plies are the set-ups.
//!
//! What ends a game is asked in the order of the rules, after every ply: first whether the flag is gone, then whether
//! the side whose turn it is now has a move (neither side: a draw), then whether the run of plies without contact is
//! complete. So a side that spends its last movable piece loses when its turn comes, not before.
//! "No move" means no legal move on the board as it stands, whatever the reason.

mod board;
mod facts;
mod hidden;
mod picture;
mod pieces;
mod text;

use std::ops::ControlFlow;

use rand::{Rng, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

pub use board::{CAMPS, HEADQUARTERS, STATIONS, reach};
pub use pieces::{PIECES, Rank, SetUp, contact};

use crate::core::random::{mix, nth_bit};
use crate::core::view::Scene;
use crate::core::{
    Contact, End, Event, Eyes, Facts, Fault, Game, Note, Past, Phrase, SetUpForm, Side, Symmetry, Told, Variant,
    Verdict, reasons,
};
use board::{BOARD, WIDTH, road_neighbours, squares};
use pieces::{SET_UPS, check_set_up, mirrored_set_up, random_set_up, set_up_at, slot_square, visit_set_ups};

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JunqiVariant {
    /// The ply that brings the run of plies without contact to this many loses; 0 switches that off.
    pub steps: u32,
}

impl Default for JunqiVariant {
    fn default() -> Self {
        Self { steps: 31 }
    }
}

impl Variant for JunqiVariant {
    fn check(&self) -> Result<(), Fault> {
        if self.steps <= 10_000 { Ok(()) } else { Err(Fault::at(&reasons::BAD_OPTION, "steps=0..10000")) }
    }
}

/// One side's turn: its set-up, later a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ply {
    /// All of a side's pieces, in the player's own view.
    SetUp(SetUp),
    /// One piece moves, in the referee's view.
    Move {
        /// The station it leaves.
        from: u8,
        /// The station it goes to, or attacks.
        to: u8,
    },
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Junqi {
    /// The stations of each side.
    pieces: [u64; 2],
    /// Word `n` holds bit `n` of the rank on each station; nothing where nobody stands.
    ranks: [u64; 4],
    plies: u32,
    /// Plies since the last contact.
    quiet: u32,
    steps: u32,
    verdict: Option<Verdict>,
}

impl Junqi {
    const fn empty(variant: &JunqiVariant) -> Self {
        Self { pieces: [0; 2], ranks: [0; 4], plies: 0, quiet: 0, steps: variant.steps, verdict: None }
    }

    /// The stations a side stands on, bit `row * 5 + column`.
    #[must_use]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// Who stands on a station, and what it is.
    #[must_use]
    pub fn piece_at(&self, square: usize) -> Option<(Side, Rank)> {
        let side = Side::BOTH.into_iter().find(|side| square < STATIONS && self.pieces(*side) >> square & 1 == 1)?;
        Some((side, self.rank_at(square)))
    }

    /// The stations of a side's pieces of one rank.
    #[must_use]
    pub fn of_rank(&self, side: Side, rank: Rank) -> u64 {
        self.ranks
            .iter()
            .enumerate()
            .fold(self.pieces(side), |bits, (bit, &word)| bits & if rank as u8 >> bit & 1 == 1 { word } else { !word })
    }

    /// Where the piece on `from` may go or attack, if it is its side's turn; nothing where no piece can leave.
    #[must_use]
    pub fn targets(&self, from: usize) -> u64 {
        match self.piece_at(from) {
            Some((side, rank)) if self.movable(side) >> from & 1 == 1 => {
                reach(from, rank == Rank::Engineer, self.occupied()) & self.allowed(side)
            }
            _ => 0,
        }
    }

    /// Whether a side had to show its flag: its commander is gone.
    #[must_use]
    pub fn flag_shown(&self, side: Side) -> bool {
        self.plies > 2 && self.of_rank(side, Rank::Commander) == 0
    }

    /// Plies since the last contact.
    #[must_use]
    pub const fn quiet(&self) -> u32 {
        self.quiet
    }

    /// How many plies without contact end the game, 0 if none do.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// The rank on an occupied station.
    #[inline]
    fn rank_at(&self, square: usize) -> Rank {
        let [a, b, c, d] = self.ranks.map(|word| (word >> square & 1) as usize);
        Rank::ALL[a | b << 1 | c << 2 | d << 3]
    }

    #[inline]
    const fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// Stations a side may move to if it can reach them: not its own, and no enemy in a camp.
    #[inline]
    const fn allowed(&self, side: Side) -> u64 {
        BOARD & !self.pieces[side.index()] & !(self.pieces[side.other().index()] & CAMPS)
    }

    /// Pieces of a side that are free to move at all: no mine, no flag, none in headquarters.
    #[inline]
    const fn movable(&self, side: Side) -> u64 {
        // Mine and flag are 1001 and 1011; no other rank is 10?1.
        let fixed = self.ranks[3] & !self.ranks[2] & self.ranks[0];
        self.pieces[side.index()] & !fixed & !HEADQUARTERS
    }

    /// Engineers of either side; commanders and empty stations have no bit 3.
    #[inline]
    const fn engineers(&self) -> u64 {
        self.ranks[3] & !(self.ranks[2] | self.ranks[1] | self.ranks[0])
    }

    #[inline]
    const fn flags(&self) -> u64 {
        self.ranks[3] & self.ranks[1] & self.ranks[0]
    }

    /// Pieces of a side that have a legal move. Every railway step is a road step too, so roads decide.
    #[inline]
    const fn with_moves(&self, side: Side) -> u64 {
        self.movable(side) & road_neighbours(self.allowed(side))
    }

    /// Whether the sides still have to set up.
    const fn setting_up(&self) -> bool {
        self.plies < 2
    }

    fn put(&mut self, side: Side, square: usize, rank: Rank) {
        self.pieces[side.index()] |= 1 << square;
        for (bit, word) in self.ranks.iter_mut().enumerate() {
            *word |= u64::from(rank as u8 >> bit & 1) << square;
        }
    }

    #[inline]
    fn clear(&mut self, bits: u64) {
        self.pieces = self.pieces.map(|word| word & !bits);
        self.ranks = self.ranks.map(|word| word & !bits);
    }

    #[inline(never)]
    fn set_up(&mut self, side: Side, set_up: &SetUp) {
        for (slot, &rank) in set_up.iter().enumerate() {
            self.put(side, slot_square(slot, side), rank);
        }
    }

    /// How a move's contact comes out, before it is made.
    #[inline]
    fn contact_of(&self, from: u8, to: u8) -> Contact {
        if self.occupied() >> to & 1 == 0 {
            return Contact::Nobody;
        }
        contact(self.rank_at(usize::from(from)), self.rank_at(usize::from(to)))
    }

    #[inline(always)]
    fn make_move(&mut self, from: u8, to: u8) {
        let result = self.contact_of(from, to);
        if result == Contact::Nobody {
            self.quiet += 1;
        } else {
            self.quiet = 0;
            let gone = match result {
                Contact::Lost => 1 << from,
                Contact::Both => 1 << from | 1 << to,
                Contact::Won | Contact::Nobody => 1 << to,
            };
            self.clear(gone);
        }
        if matches!(result, Contact::Won | Contact::Nobody) {
            // The plies were counted up already: the mover is not to move any more.
            self.pieces[self.to_move().other().index()] ^= 1 << from | 1 << to;
            for word in &mut self.ranks {
                let bit = *word >> from & 1;
                *word ^= bit << from | bit << to;
            }
        }
    }

    /// What the position after a move amounts to, in the order of the rules.
    #[inline(always)]
    fn judged(&self) -> Option<Verdict> {
        let (mover, next) = (self.to_move().other(), self.to_move());
        if self.pieces(next) & self.flags() == 0 {
            Some(Verdict::win(mover, &facts::FLAG_LOST, self.plies))
        } else if self.with_moves(next) == 0 {
            Some(if self.with_moves(mover) == 0 {
                Verdict::draw(&facts::NOBODY_MOVES, self.plies)
            } else {
                Verdict::win(mover, &facts::NO_MOVE, self.plies)
            })
        } else if self.steps > 0 && self.quiet >= self.steps {
            Some(Verdict::win(next, &facts::NO_CONTACT, self.plies))
        } else {
            None
        }
    }

    fn judge_move(&self, from: u8, to: u8) -> Result<End, Fault> {
        let side = self.to_move();
        let at = |reason, square: u8| Err(Fault::at(reason, &board::name(usize::from(square))));
        if let Some(&square) = [from, to].iter().find(|&&square| usize::from(square) >= STATIONS) {
            return Err(Fault::at(&reasons::OFF_BOARD, &square.to_string()));
        }
        let (here, there) = (1_u64 << from, 1_u64 << to);
        if self.pieces(side) & here == 0 {
            return at(&reasons::NOT_YOURS, from);
        }
        if HEADQUARTERS & here != 0 {
            return at(&facts::IN_HEADQUARTERS, from);
        }
        if self.movable(side) & here == 0 {
            return at(&facts::IMMOBILE, from);
        }
        if self.pieces(side) & there != 0 {
            return at(&reasons::OCCUPIED, to);
        }
        let reached = reach(usize::from(from), self.engineers() & here != 0, self.occupied());
        if reached & there == 0 {
            return at(&reasons::UNREACHABLE, to);
        }
        if self.allowed(side) & there == 0 {
            return at(&facts::IN_CAMP, to);
        }
        Ok(End::Played)
    }

    fn mirrored(mut self) -> Self {
        for word in self.pieces.iter_mut().chain(&mut self.ranks) {
            *word = squares(*word).fold(0, |bits, square| bits | 1 << mirrored_square(square));
        }
        self
    }
}

const fn mirrored_square(square: usize) -> usize {
    square / WIDTH * WIDTH + WIDTH - 1 - square % WIDTH
}

/// The station a player with the board turned calls by this one's name.
const fn turned_square(square: u8) -> u8 {
    (STATIONS as u8 - 1).wrapping_sub(square)
}

impl Game for Junqi {
    type Ply = Ply;
    type Memo = Self;
    type Variant = JunqiVariant;
    const FACTS: &'static Facts = &facts::FACTS;

    fn new(variant: &JunqiVariant) -> Self {
        Self::empty(variant)
    }

    #[inline]
    fn to_move(&self) -> Side {
        if self.plies.is_multiple_of(2) { Side::Black } else { Side::White }
    }

    #[inline]
    fn plies(&self) -> u32 {
        self.plies
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn hash(&self) -> u64 {
        let [black, white] = self.pieces;
        let [a, b, c, d] = self.ranks;
        mix(&[black, white, a, b, c, d, self.to_move() as u64])
    }

    #[inline]
    fn visit_legal<F: FnMut(Ply) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.verdict.is_some() {
            return ControlFlow::Continue(());
        }
        if self.setting_up() {
            return visit_set_ups(|set_up| visit(Ply::SetUp(set_up)));
        }
        let side = self.to_move();
        let (occupied, allowed, engineers) = (self.occupied(), self.allowed(side), self.engineers());
        for from in squares(self.with_moves(side)) {
            for to in squares(reach(from, engineers >> from & 1 == 1, occupied) & allowed) {
                visit(Ply::Move { from: from as u8, to: to as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.verdict.is_some() {
            return 0;
        }
        if self.setting_up() {
            return SET_UPS;
        }
        let side = self.to_move();
        let (occupied, allowed, engineers) = (self.occupied(), self.allowed(side), self.engineers());
        squares(self.with_moves(side))
            .map(|from| u64::from((reach(from, engineers >> from & 1 == 1, occupied) & allowed).count_ones()))
            .sum()
    }

    /// A piece that can move, then one of its targets: pieces are equally likely, moves are not.
    #[inline(always)]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Ply> {
        if self.verdict.is_some() {
            return None;
        }
        if self.setting_up() {
            return Some(Ply::SetUp(random_set_up(rng)));
        }
        let side = self.to_move();
        // One random word serves both choices, 32 bits each.
        let random = rng.next_u64();
        let choose = |bits: u64, random: u64| nth_bit(bits, ((random * u64::from(bits.count_ones())) >> 32) as u32);
        let from = choose(self.with_moves(side), random >> 32);
        let targets = reach(from as usize, self.engineers() >> from & 1 == 1, self.occupied()) & self.allowed(side);
        Some(Ply::Move { from: from as u8, to: choose(targets, random & u64::from(u32::MAX)) as u8 })
    }

    fn judge(&self, ply: Ply) -> Result<End, Fault> {
        if self.verdict.is_some() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        match ply {
            Ply::SetUp(set_up) if self.setting_up() => {
                Ok(check_set_up(&set_up).map_or_else(End::Lost, |()| End::Played))
            }
            Ply::SetUp(_) => Err(Fault::bare(&facts::SET_UP_DONE)),
            Ply::Move { .. } if self.setting_up() => {
                let mut text = String::new();
                self.write_ply(ply, &mut text);
                Err(Fault::at(&facts::SET_UP_FIRST, &text))
            }
            Ply::Move { from, to } => self.judge_move(from, to),
        }
    }

    #[inline(always)]
    fn apply(&mut self, ply: Ply, end: End) -> Self {
        let before = *self;
        let mover = self.to_move();
        self.plies += 1;
        match (ply, end) {
            (Ply::Move { from, to }, _) => {
                self.make_move(from, to);
                self.verdict = self.judged();
            }
            // A bad set-up never comes onto the board.
            (Ply::SetUp(_), End::Lost(reason)) => {
                self.verdict = Some(Verdict::win(mover.other(), reason, self.plies));
            }
            (Ply::SetUp(set_up), _) => self.set_up(mover, &set_up),
        }
        before
    }

    #[inline]
    fn undo(&mut self, memo: Self) {
        *self = memo;
    }

    fn space(&self) -> u64 {
        // There are 12^25 set-up texts, more than numbers: each number seeds one.
        if self.setting_up() { 1 << 60 } else { (STATIONS * STATIONS) as u64 }
    }

    fn ply_at(&self, number: u64) -> Ply {
        if self.setting_up() {
            return Ply::SetUp(set_up_at(&mut Xoshiro256PlusPlus::seed_from_u64(number)));
        }
        let stations = STATIONS as u64;
        Ply::Move { from: (number / stations) as u8, to: (number % stations) as u8 }
    }

    fn read_ply(&self, text: &str) -> Result<Ply, Fault> {
        text::read_ply(text)
    }

    fn write_ply(&self, ply: Ply, out: &mut String) {
        text::write_ply(ply, out);
    }

    fn turned(&self, ply: Ply) -> Ply {
        match ply {
            Ply::SetUp(_) => ply,
            Ply::Move { from, to } => Ply::Move { from: turned_square(from), to: turned_square(to) },
        }
    }

    fn turned_fault(&self, fault: Fault) -> Fault {
        text::turned_fault(fault)
    }

    fn read_position(variant: &JunqiVariant, text: &str) -> Result<Self, Fault> {
        text::read_position(variant, text)
    }

    fn write_position(&self, eyes: Eyes, out: &mut String) {
        text::write_position(self, eyes, out);
    }

    fn shows(&self, ply: Ply, mover: Side, eyes: Eyes) -> bool {
        matches!(ply, Ply::Move { .. }) || eyes.sees(mover)
    }

    fn learned(&self, ply: Ply, end: End, memo: &Self, mover: Side, seat: Side) -> Vec<Event> {
        let mut events: Vec<Event> = self.learned_ply(ply, end, mover, seat).into_iter().collect();
        if let Ply::Move { from, to } = ply {
            events.extend(hidden::learned_from_move(memo, self, from, to, seat));
        }
        events
    }

    fn told(&self, step: &Past<'_, Self>, eyes: Eyes) -> Told {
        match step.ply {
            Ply::Move { from, to } => hidden::told(step.memo, from, to, eyes),
            Ply::SetUp(_) => Told::default(),
        }
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let [red, black] = self.pieces.map(u64::count_ones);
        let run = if self.steps > 0 {
            let label = Phrase::new("Plies left to make contact", "必须碰子的剩余步数");
            Note::new("quiet-left", label, &self.steps.saturating_sub(self.quiet))
        } else {
            Note::new("quiet", Phrase::new("Plies without contact", "连续未碰子步数"), &self.quiet)
        };
        vec![
            Note::new("black", Phrase::new("Red's pieces", "红方棋子"), &red),
            Note::new("white", Phrase::new("Black's pieces", "黑方棋子"), &black),
            run,
        ]
    }

    fn reimagined<R: Rng + ?Sized>(&self, seat: Side, rng: &mut R) -> Option<Self> {
        Some(hidden::reimagined(self, seat, rng))
    }

    fn draw(&self, eyes: Eyes) -> Scene {
        picture::draw(self, eyes)
    }

    fn draw_lost(&self, ply: Ply, eyes: Eyes) -> Option<Scene> {
        let Ply::SetUp(set_up) = ply else { return None };
        // The position after the ply: the mover is not to move any more.
        let mut shown = *self;
        shown.set_up(self.to_move().other(), &set_up);
        Some(picture::draw(&shown, eyes))
    }

    fn path(&self, ply: Ply, out: &mut Vec<u16>) {
        if let Ply::Move { from, to } = ply {
            out.extend([u16::from(from), u16::from(to)]);
        }
    }

    fn set_up_form<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<SetUpForm> {
        (self.setting_up() && self.verdict.is_none()).then(|| pieces::set_up_form(self.to_move(), rng))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY, Symmetry::MIRROR]
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        if symmetry == Symmetry::MIRROR { self.mirrored() } else { *self }
    }

    fn transformed_ply(&self, ply: Ply, symmetry: Symmetry) -> Ply {
        let mirrored = |square: u8| mirrored_square(usize::from(square)) as u8;
        match ply {
            _ if symmetry != Symmetry::MIRROR => ply,
            Ply::SetUp(set_up) => Ply::SetUp(mirrored_set_up(&set_up)),
            Ply::Move { from, to } => Ply::Move { from: mirrored(from), to: mirrored(to) },
        }
    }
}

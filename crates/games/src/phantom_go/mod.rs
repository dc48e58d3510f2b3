//! Phantom Go (幻影围棋): go where each side sees only its own stones and learns of the others by what is refused and
//! what is captured.
//!
//! A position is a small [`State`] that is copied to be undone, and the boards that were there before. Chains are not
//! kept: they are grown from the stones where a stone is put, and mostly show a liberty after a step or two.

mod facts;
mod past;
mod state;
mod variant;

use std::ops::ControlFlow;

use rand::Rng;

use self::facts::FACTS;
use self::past::Past as Boards;
pub use self::state::State;
use self::variant::Settings;
pub use self::variant::{Ko, PhantomGoVariant, Tie};
use crate::core::random::{below, mix, nth_bit_wide};
use crate::core::text::{Fields, read_letters};
use crate::core::view::{Mark, MarkKind, Scene};
use crate::core::{
    End, Event, Eyes, Facts, Fault, Game, Note, Past, Phrase, Reason, Side, Symmetry, Told, Verdict, reasons,
};
use crate::goban::{self, SUICIDE, around, bit, grow};

const SIZE: usize = 9;
const POINTS: usize = SIZE * SIZE;
const BOARD: u128 = goban::board(SIZE);
/// The spot of the button beside the board.
const PASS_SPOT: u16 = POINTS as u16;
/// How often a world that looks the same is guessed before the true one is given.
const GUESSES: u32 = 24;

static OCCUPIED_POINT: Reason = Reason::new("occupied-point", "there is a stone on the point", "落点已有棋子");
static KO: Reason = Reason::new("ko", "the board would be as it was before", "劫：落子后将重现先前的局面");
static TWO_PASSES: Reason =
    Reason::new("two-passes", "both sides passed and the area was counted", "双方连续停一手，数子计算胜负");
static CAPTURED: Reason = Reason::new("captured", "takes stones", "提子");

/// One turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A stone on this point of the [`goban`].
    Stone(u8),
    /// No stone.
    Pass,
}

/// A position.
#[derive(Debug, PartialEq, Eq)]
pub struct PhantomGo {
    now: State,
    settings: Settings,
    past: Boards,
}

impl Clone for PhantomGo {
    fn clone(&self) -> Self {
        Self { now: self.now, settings: self.settings, past: self.past.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        (self.now, self.settings) = (source.now, source.settings);
        self.past.clone_from(&source.past);
    }
}

impl PhantomGo {
    /// The stones of a side, as a set of the [`goban`].
    #[must_use]
    pub const fn stones(&self, side: Side) -> u128 {
        self.now.stones[side.index()]
    }

    /// How many stones a side has captured.
    #[must_use]
    pub const fn captured(&self, side: Side) -> u32 {
        self.now.captured[side.index()]
    }

    /// The areas of Black and White as the board stands, without komi.
    #[must_use]
    pub fn areas(&self) -> [u32; 2] {
        self.now.areas()
    }

    fn from_state(variant: &PhantomGoVariant, now: State) -> Self {
        let mut position = Self { now, settings: Settings::new(variant), past: Boards::with_room(0) };
        position.forget();
        position
    }

    /// Starts the past anew: with this board, and with the one before it where a ko tells of it.
    fn forget(&mut self) {
        if self.settings.ko == Ko::Simple {
            return;
        }
        let now = &mut self.now;
        self.past = Boards::with_room(self.settings.max_plies.saturating_sub(now.plies) as usize + 2);
        now.lost = [0; 2];
        if let Some(taker) = now.ko_stone(now.ko) {
            let (own, enemy) = (now.to_move.index(), now.to_move.other().index());
            let mut before = now.stones;
            before[own] |= now.ko;
            before[enemy] &= !taker;
            now.lost[own] = now.ko;
            self.past.push(before);
        }
        self.past.push(now.stones);
    }

    #[inline]
    const fn over(&self) -> bool {
        self.now.passes >= 2 || self.now.plies >= self.settings.max_plies
    }

    /// Empty points where a stone of the side to move is accepted beyond doubt: there is room, and no old board to
    /// come back to.
    #[inline]
    const fn open(&self) -> u128 {
        let empty = self.now.empty();
        empty & around(empty) & !self.now.lost[self.now.to_move.index()]
    }

    /// Why a stone of the side to move would be refused on this point, which is on the board.
    #[inline]
    fn refusal(&self, stone: u128) -> Option<&'static Reason> {
        let now = &self.now;
        let empty = now.empty();
        if stone & empty == 0 {
            return Some(&OCCUPIED_POINT);
        }
        if stone & self.open() != 0 {
            return None;
        }
        if stone == now.ko {
            return Some(&KO);
        }
        let (own, enemy) = (now.to_move.index(), now.to_move.other().index());
        let taken = now.taken_by(stone);
        if taken == 0 {
            let (_, liberties) = grow(stone, now.stones[own], empty & !stone, |liberties| liberties != 0);
            if liberties == 0 {
                return Some(&SUICIDE);
            }
        }
        if now.lost[own] & stone != 0 {
            let mut after = now.stones;
            after[own] |= stone;
            after[enemy] &= !taken;
            if self.past.holds(after) {
                return Some(&KO);
            }
        }
        None
    }

    /// What these eyes see of the stones.
    fn seen(&self, eyes: Eyes) -> [u128; 2] {
        Side::BOTH.map(|side| if eyes.sees(side) { self.stones(side) } else { 0 })
    }

    /// The refused points these eyes may know.
    fn seen_refused(&self, eyes: Eyes) -> u128 {
        if eyes.sees(self.now.to_move) { self.now.refused } else { 0 }
    }

    /// Moves up to `most` stones that `seat` does not see to other points, at random; every point refused stays as it
    /// is.
    fn shuffled<R: Rng + ?Sized>(&self, seat: Side, most: u32, rng: &mut R) -> Self {
        let mut other = self.clone();
        let known = self.seen_refused(Eyes::Seat(seat));
        let hidden = &mut other.now.stones[seat.other().index()];
        let mut lifted = 0;
        for _ in 0..most {
            let movable = *hidden & !known & !lifted;
            if movable == 0 {
                break;
            }
            lifted |= 1 << nth_bit_wide(movable, below(rng, movable.count_ones()));
        }
        *hidden &= !lifted;
        for _ in 0..lifted.count_ones() {
            let room = BOARD & !known & !*hidden & !self.stones(seat);
            *hidden |= 1 << nth_bit_wide(room, below(rng, room.count_ones()));
        }
        other.now.ko = 0;
        other.forget();
        other
    }
}

impl Game for PhantomGo {
    type Ply = Turn;
    type Memo = State;
    type Variant = PhantomGoVariant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &PhantomGoVariant) -> Self {
        let now = State {
            stones: [0; 2],
            lost: [0; 2],
            refused: 0,
            ko: 0,
            captured: [0; 2],
            plies: 0,
            to_move: Side::Black,
            passes: 0,
        };
        Self::from_state(variant, now)
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
        if !self.over() {
            return None;
        }
        let reason = if self.now.passes >= 2 { &TWO_PASSES } else { &reasons::PLY_LIMIT };
        let [black, white] = self.now.areas().map(|area| area as i32 * 2);
        let winner = match (black - white - self.settings.komi, self.settings.tie) {
            (1.., _) | (0, Tie::Black) => Some(Side::Black),
            (..0, _) | (0, Tie::White) => Some(Side::White),
            (0, Tie::Draw) => None,
        };
        Some(Verdict { winner, reason, ply: self.now.plies })
    }

    fn hash(&self) -> u64 {
        let now = &self.now;
        let [black, white] = now.stones;
        let ko = u64::from(now.ko.trailing_zeros());
        let turn = now.to_move as u64 | u64::from(now.passes) << 8 | ko << 16;
        mix(&[black as u64, (black >> 64) as u64, white as u64, (white >> 64) as u64, turn])
    }

    #[inline]
    fn visit_legal<F: FnMut(Turn) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.over() {
            return ControlFlow::Continue(());
        }
        for point in goban::points(self.now.empty()) {
            if self.refusal(bit(point)).is_none() {
                visit(Turn::Stone(point))?;
            }
        }
        visit(Turn::Pass)
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.over() {
            return 0;
        }
        let open = self.open();
        let doubtful = goban::points(self.now.empty() & !open);
        let accepted = doubtful.filter(|&point| self.refusal(bit(point)).is_none()).count();
        u64::from(open.count_ones()) + accepted as u64 + 1
    }

    fn visit_tries<F: FnMut(Turn) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        if self.over() {
            return ControlFlow::Continue(());
        }
        let untried = BOARD & !self.stones(self.now.to_move) & !self.now.refused;
        goban::points(untried).try_for_each(|point| visit(Turn::Stone(point)))?;
        visit(Turn::Pass)
    }

    /// Each legal ply, the pass among them, has the same chance: illegal draws are put aside and another is drawn.
    #[inline]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Turn> {
        if self.over() {
            return None;
        }
        let mut left = self.now.empty();
        loop {
            let count = left.count_ones();
            let index = below(rng, count + 1);
            if index == count {
                return Some(Turn::Pass);
            }
            let point = nth_bit_wide(left, index) as u8;
            if self.refusal(bit(point)).is_none() {
                return Some(Turn::Stone(point));
            }
            left &= !bit(point);
        }
    }

    fn judge(&self, ply: Turn) -> Result<End, Fault> {
        if self.over() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        match ply {
            Turn::Pass => Ok(End::Played),
            Turn::Stone(point) if bit(point) & BOARD == 0 => Err(Fault::at(&reasons::OFF_BOARD, &goban::name(point))),
            Turn::Stone(point) => Ok(self.refusal(bit(point)).map_or(End::Played, End::Refused)),
        }
    }

    #[inline]
    fn apply(&mut self, ply: Turn, end: End) -> State {
        let before = self.now;
        let now = &mut self.now;
        if let (Turn::Stone(point), End::Refused(_)) = (ply, end) {
            now.refused |= bit(point);
            return before;
        }
        let (own, enemy) = (now.to_move.index(), now.to_move.other().index());
        match ply {
            Turn::Stone(point) => {
                let stone = bit(point);
                let taken = now.taken_by(stone);
                now.ko = now.ko_after(stone, taken);
                now.stones[own] |= stone;
                now.passes = 0;
                if taken != 0 {
                    now.stones[enemy] &= !taken;
                    now.captured[own] += taken.count_ones();
                }
                if self.settings.ko == Ko::Positional {
                    now.lost[enemy] |= taken;
                    self.past.push(now.stones);
                }
            }
            Turn::Pass => {
                now.ko = 0;
                now.passes += 1;
            }
        }
        now.refused = 0;
        now.plies += 1;
        now.to_move = now.to_move.other();
        before
    }

    #[inline]
    fn undo(&mut self, memo: State) {
        if self.now.stones != memo.stones && self.settings.ko == Ko::Positional {
            self.past.pop();
        }
        self.now = memo;
    }

    fn space(&self) -> u64 {
        POINTS as u64 + 1
    }

    fn ply_at(&self, number: u64) -> Turn {
        if number < POINTS as u64 { Turn::Stone(goban::point_at(number as usize, SIZE)) } else { Turn::Pass }
    }

    fn read_ply(&self, text: &str) -> Result<Turn, Fault> {
        if text.trim().eq_ignore_ascii_case("pass") {
            return Ok(Turn::Pass);
        }
        let mut points = [(0, 0)];
        read_letters(text, SIZE, SIZE, &mut points)?;
        let [(x, y)] = points;
        Ok(Turn::Stone(goban::point(x, y)))
    }

    fn write_ply(&self, ply: Turn, out: &mut String) {
        match ply {
            Turn::Stone(point) => goban::write_point(point, out),
            Turn::Pass => out.push_str("pass"),
        }
    }

    fn read_position(variant: &PhantomGoVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut now = Self::new(variant).now;
        now.stones = goban::read_stones(&mut fields, SIZE)?;
        let dead = now.stones.map(|stones| goban::lifeless(stones, now.empty()));
        if dead != [0; 2] {
            return Err(Fault::at(&reasons::IMPOSSIBLE, &goban::name((dead[0] | dead[1]).trailing_zeros() as u8)));
        }
        now.to_move = fields.side()?;
        if let Some(field) = fields.optional() {
            now.passes = match field.number()? {
                passes @ 0..=2 => passes as u8,
                _ => return Err(field.fault(&reasons::BAD_POSITION)),
            };
        }
        if let Some(field) = fields.optional().filter(|field| field.text != "-") {
            let mut points = [(0, 0)];
            if read_letters(field.text, SIZE, SIZE, &mut points).is_err() {
                return Err(field.fault(&reasons::BAD_POSITION));
            }
            let [(x, y)] = points;
            now.ko = bit(goban::point(x, y));
            if now.ko_stone(now.ko).is_none() || now.passes > 0 {
                return Err(field.fault(&reasons::IMPOSSIBLE));
            }
        }
        now.captured = [fields.number(0)?, fields.number(0)?];
        now.plies = fields.number(0)?;
        fields.finish()?;
        Ok(Self::from_state(variant, now))
    }

    fn write_position(&self, eyes: Eyes, out: &mut String) {
        let now = &self.now;
        goban::write_stones(self.seen(eyes), SIZE, out);
        // Whether a lost stone may be taken back at once depends on stones its side does not see.
        let ko = match eyes {
            Eyes::Seat(_) => "?".to_owned(),
            Eyes::All if now.ko == 0 => "-".to_owned(),
            Eyes::All => goban::name(now.ko.trailing_zeros() as u8),
        };
        let [black, white] = now.captured;
        out.push_str(&format!(" {} {} {ko} {black} {white} {}", now.to_move.letter(), now.passes, now.plies));
    }

    fn shows(&self, ply: Turn, mover: Side, eyes: Eyes) -> bool {
        ply == Turn::Pass || eyes.sees(mover)
    }

    fn learned(&self, ply: Turn, end: End, memo: &State, mover: Side, seat: Side) -> Vec<Event> {
        let mut events: Vec<Event> = self.learned_ply(ply, end, mover, seat).into_iter().collect();
        let taken = memo.stones[mover.other().index()] & !self.stones(mover.other());
        if taken != 0 {
            let points = goban::points(taken).map(goban::name).collect();
            // The mover hears that his stone stands before what it took, the other what he lost before it is his turn.
            if seat == mover {
                events.push(Event::Captured { points });
            } else {
                events.insert(0, Event::Lost { points });
            }
        }
        events
    }

    /// Both sides learn which stones were taken.
    fn told(&self, step: &Past<'_, Self>, _eyes: Eyes) -> Told {
        let taken = match step.ply {
            Turn::Stone(point) => step.memo.taken_by(bit(point)),
            Turn::Pass => 0,
        };
        if taken == 0 {
            return Told::default();
        }
        let mut gone = [0; 2];
        gone[step.mover.other().index()] = taken;
        Told { remarks: vec![CAPTURED], gone: goban::pieces(gone, SIZE) }
    }

    fn notes(&self, eyes: Eyes) -> Vec<Note> {
        let now = &self.now;
        let mut notes = vec![
            Note::new("black-captured", Phrase::new("Captured by Black", "黑方提子"), &now.captured[0]),
            Note::new("white-captured", Phrase::new("Captured by White", "白方提子"), &now.captured[1]),
            Note::new("komi", Phrase::new("Komi", "贴目"), &(f64::from(self.settings.komi) / 2.0)),
        ];
        let refused = self.seen_refused(eyes);
        if refused != 0 {
            let points: Vec<String> = goban::points(refused).map(goban::name).collect();
            notes.push(Note::new("refused", Phrase::new("Refused", "被拒绝的点"), &points.join(" ")));
        }
        if eyes == Eyes::All {
            let [black, white] = now.areas();
            notes.push(Note::new("black-area", Phrase::new("Black's area", "黑方面积"), &black));
            notes.push(Note::new("white-area", Phrase::new("White's area", "白方面积"), &white));
        }
        notes
    }

    fn reimagined<R: Rng + ?Sized>(&self, seat: Side, rng: &mut R) -> Option<Self> {
        let hidden = self.stones(seat.other()).count_ones();
        let refused = self.seen_refused(Eyes::Seat(seat));
        // What the seat knows: how many stones there are, that chains have liberties, what was refused, who won. The
        // fewer stones are moved, the likelier the guess agrees.
        let guess = (0..GUESSES).find_map(|guess| {
            let other = self.shuffled(seat, (hidden >> (guess / 4)).max(1), rng);
            let alive = other.now.stones.iter().all(|&stones| goban::lifeless(stones, other.now.empty()) == 0);
            let agrees = alive
                && other.verdict() == self.verdict()
                && goban::points(refused).all(|point| other.refusal(bit(point)).is_some());
            agrees.then_some(other)
        });
        Some(guess.unwrap_or_else(|| self.clone()))
    }

    fn draw(&self, eyes: Eyes) -> Scene {
        let mut geometry = goban::geometry(SIZE);
        geometry.button("pass", Phrase::new("Pass", "停一手"), (SIZE - 1) as f32 / 2.0, SIZE as f32 + 0.25);
        let mark = |point| Mark { spot: goban::spot(point, SIZE) as u16, kind: MarkKind::Refused };
        Scene {
            geometry,
            pieces: goban::pieces(self.seen(eyes), SIZE),
            marks: goban::points(self.seen_refused(eyes)).map(mark).collect(),
        }
    }

    /// Where a side was refused a stone in its earlier turns: mostly an enemy stands there, until its side takes it off
    /// or a stone of its own is put there after all.
    fn remembered<'a>(&self, past: impl Iterator<Item = Past<'a, Self>>, eyes: Eyes) -> Vec<Mark> {
        let Eyes::Seat(seat) = eyes else { return Vec::new() };
        let mut known = 0;
        for step in past.filter(|step| step.mover == seat) {
            let Turn::Stone(point) = step.ply else { continue };
            match step.end {
                End::Refused(_) => known |= bit(point),
                End::Played | End::Lost(_) => known &= !(bit(point) | step.memo.taken_by(bit(point))),
            }
        }
        known &= !self.seen_refused(eyes);
        let mark = |point| Mark { spot: goban::spot(point, SIZE) as u16, kind: MarkKind::Remembered };
        goban::points(known).map(mark).collect()
    }

    fn path(&self, ply: Turn, out: &mut Vec<u16>) {
        out.push(match ply {
            Turn::Stone(point) => goban::spot(point, SIZE) as u16,
            Turn::Pass => PASS_SPOT,
        });
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let map = |set| goban::map_set(set, symmetry, SIZE);
        let mut other = self.clone();
        let now = &mut other.now;
        (now.stones, now.lost) = (now.stones.map(map), now.lost.map(map));
        (now.refused, now.ko) = (map(now.refused), map(now.ko));
        other.past = Boards::with_room(self.past.boards.capacity());
        self.past.boards.iter().for_each(|board| other.past.push(board.map(map)));
        other
    }

    fn transformed_ply(&self, ply: Turn, symmetry: Symmetry) -> Turn {
        match ply {
            Turn::Stone(point) => Turn::Stone(goban::map_point(point, symmetry, SIZE)),
            Turn::Pass => Turn::Pass,
        }
    }
}

//! The typed face of a game: what engines, benches and perft use.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use rand::Rng;
use serde::Serialize;

use super::event::Event;
use super::facts::Facts;
use super::fault::Fault;
use super::phrase::{Phrase, Reason};
use super::random::below;
use super::set_up::SetUpForm;
use super::side::{Eyes, Side};
use super::symmetry::Symmetry;
use super::variant::Variant;
use super::verdict::{End, Tried, Verdict};
use super::view::{Mark, Piece, Scene};

/// A figure a person or a program wants beside the board: pieces left, boxes owned, quiet plies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The name programs use.
    pub key: &'static str,
    /// The name people use.
    pub label: Phrase,
    /// The value.
    pub value: String,
}

impl Note {
    /// A note from its parts.
    #[must_use]
    pub fn new(key: &'static str, label: Phrase, value: &impl ToString) -> Self {
        Self { key, label, value: value.to_string() }
    }
}

/// Everything a seat may know of a position, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// Whose knowledge this is.
    pub seat: Side,
    /// Whose turn it is.
    pub to_move: Side,
    /// How many plies were played.
    pub plies: u32,
    /// The position text as this seat sees it; `?` is a piece whose rank it does not know.
    pub position: String,
    /// Figures beside the board.
    pub notes: Vec<Note>,
    /// The end, once there is one.
    pub verdict: Option<Verdict>,
}

/// A step that was taken, as a game looks back at it.
#[derive(Debug)]
pub struct Past<'a, G: Game> {
    /// What was played, or tried.
    pub ply: G::Ply,
    /// How it ended.
    pub end: End,
    /// Who took the step.
    pub mover: Side,
    /// What `apply` gave for it.
    pub memo: &'a G::Memo,
}

/// What came of a step besides the ply itself, as far as one pair of eyes may know it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Told {
    /// In words: how an encounter came out, that stones were taken, why a try counts for nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Reason>,
    /// The pieces that left the board, where they stood and as these eyes saw them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Piece>,
}

/// A position of a game together with the rules that move it on.
///
/// Nothing here allocates while playing: `judge` says how a ply would end and changes nothing, `apply` makes it,
/// `undo` takes it back. Equality is equality of everything that matters for the rest of the game and for undo.
pub trait Game: Clone + PartialEq + Debug + Send + 'static {
    /// One side's turn: a move, a pair of stones, a chain of lines, a set-up.
    type Ply: Copy + Eq + Hash + Debug + Send;
    /// What is needed to take a ply back.
    type Memo: Clone + Send;
    /// The options.
    type Variant: Variant;
    /// What is true of the game before anybody plays it.
    const FACTS: &'static Facts;

    /// The starting position (the first of the variant's own, if it lists any).
    fn new(variant: &Self::Variant) -> Self;

    /// Whose turn it is; after the end, whose turn it would be.
    fn to_move(&self) -> Side;

    /// How many plies were played.
    fn plies(&self) -> u32;

    /// The end, once there is one. It costs nothing to ask.
    fn verdict(&self) -> Option<Verdict>;

    /// The same for the same position, on every machine: what stands where, whose turn it is, and what else decides
    /// which plies are legal now; not how the position came about, nor counters of plies.
    fn hash(&self) -> u64;

    /// Visits every ply that would be [`End::Played`], each once, until the visitor breaks. Nothing after the end.
    fn visit_legal<F: FnMut(Self::Ply) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()>;

    /// How many plies [`visit_legal`](Self::visit_legal) visits; games override it when they can count faster.
    fn count_legal(&self) -> u64 {
        let mut count = 0;
        let _ = self.visit_legal(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// How many pairs of a legal ply and a legal reply there are: perft's inner loop, overridden where the replies can
    /// be counted without making the ply.
    fn count_replies(&self) -> u64 {
        let mut child = self.clone();
        let mut replies = 0;
        let _ = self.visit_legal(|ply| {
            let memo = child.apply(ply, End::Played);
            replies += child.count_legal();
            child.undo(memo);
            ControlFlow::Continue(())
        });
        replies
    }

    /// Visits every ply that would be [`End::Lost`], in games where the board invites such plies.
    fn visit_losing<F: FnMut(Self::Ply) -> ControlFlow<()>>(&self, _visit: F) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Visits every ply that the side to move may try, as far as *it* can know: the legal ones, unless the game hides
    /// why a ply would be refused.
    fn visit_tries<F: FnMut(Self::Ply) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()> {
        self.visit_legal(visit)
    }

    /// A random legal ply; every legal ply has a chance. `None` exactly when there is none.
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Self::Ply> {
        let count = self.count_legal();
        if count == 0 {
            return None;
        }
        let mut skip = below(rng, count as u32);
        let mut chosen = None;
        let _ = self.visit_legal(|ply| {
            if skip == 0 {
                chosen = Some(ply);
                return ControlFlow::Break(());
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        chosen
    }

    /// How the ply would end. Changes nothing.
    fn judge(&self, ply: Self::Ply) -> Result<End, Fault>;

    /// Makes a ply that `judge` has ended this way (or that `visit_legal` has shown, as [`End::Played`]).
    fn apply(&mut self, ply: Self::Ply, end: End) -> Self::Memo;

    /// Takes back the ply that gave this memo; plies are taken back in the reverse order of their making.
    fn undo(&mut self, memo: Self::Memo);

    /// Judges and makes a ply; on a fault the position is untouched.
    fn play(&mut self, ply: Self::Ply) -> Result<Tried<Self::Memo>, Fault> {
        let end = self.judge(ply)?;
        Ok(Tried { end, memo: self.apply(ply, end) })
    }

    /// How many plies can be written down at all, legal or not: the numbers below this are plies to
    /// [`ply_at`](Self::ply_at).
    fn space(&self) -> u64;

    /// The ply of this number.
    fn ply_at(&self, number: u64) -> Self::Ply;

    /// Reads a ply's text, leniently: letters in either case, blanks around. Whether it is legal is `judge`'s matter.
    fn read_ply(&self, text: &str) -> Result<Self::Ply, Fault>;

    /// Appends a ply's text in its one canonical form.
    fn write_ply(&self, ply: Self::Ply, out: &mut String);

    /// The same ply as White writes it: another one only where each player has his own view of the board (Junqi).
    fn turned(&self, ply: Self::Ply) -> Self::Ply {
        ply
    }

    /// The same fault with its place as White writes it, where [`turned`](Self::turned) changes plies.
    fn turned_fault(&self, fault: Fault) -> Fault {
        fault
    }

    /// Reads a position's text.
    fn read_position(variant: &Self::Variant, text: &str) -> Result<Self, Fault>;

    /// Appends the position's text as these eyes see it. [`Eyes::All`] round-trips through `read_position`.
    fn write_position(&self, eyes: Eyes, out: &mut String);

    /// Whether these eyes may know a ply that `mover` made.
    fn shows(&self, _ply: Self::Ply, _mover: Side, _eyes: Eyes) -> bool {
        true
    }

    /// What `seat` learns from the ply just made by `mover`, in the order it should be told.
    fn learned(&self, ply: Self::Ply, end: End, _memo: &Self::Memo, mover: Side, seat: Side) -> Vec<Event> {
        self.learned_ply(ply, end, mover, seat).into_iter().collect()
    }

    /// The part of [`learned`](Self::learned) that is about the ply itself.
    fn learned_ply(&self, ply: Self::Ply, end: End, mover: Side, seat: Side) -> Option<Event> {
        let text = || {
            let mut text = String::new();
            self.write_ply(if seat == Side::White { self.turned(ply) } else { ply }, &mut text);
            text
        };
        match end {
            End::Refused(_) => (seat == mover).then(|| Event::Refused { ply: text() }),
            End::Played | End::Lost(_) if self.shows(ply, mover, Eyes::Seat(seat)) => Some(Event::Ply { ply: text() }),
            End::Played | End::Lost(_) => Some(Event::HiddenPly),
        }
    }

    /// What came of a step that was played, for these eyes: nothing that [`learned`](Self::learned) and the verdict did
    /// not tell them. It is asked for later too, when the position has gone on: the step alone must be enough.
    fn told(&self, _step: &Past<'_, Self>, _eyes: Eyes) -> Told {
        Told::default()
    }

    /// Figures beside the board, as these eyes may know them.
    fn notes(&self, eyes: Eyes) -> Vec<Note>;

    /// Everything `seat` may know.
    fn observe(&self, seat: Side) -> Observation {
        let mut position = String::new();
        self.write_position(Eyes::Seat(seat), &mut position);
        Observation {
            seat,
            to_move: self.to_move(),
            plies: self.plies(),
            position,
            notes: self.notes(Eyes::Seat(seat)),
            verdict: self.verdict(),
        }
    }

    /// Another world that `seat` cannot tell from this one, or `None` where nothing is hidden.
    fn reimagined<R: Rng + ?Sized>(&self, _seat: Side, _rng: &mut R) -> Option<Self> {
        None
    }

    /// The board and what stands on it, as these eyes see it.
    fn draw(&self, eyes: Eyes) -> Scene;

    /// What these eyes have seen before and the position does not tell any more, as marks that are added to the
    /// picture.
    fn remembered<'a>(&self, _past: impl Iterator<Item = Past<'a, Self>>, _eyes: Eyes) -> Vec<Mark> {
        Vec::new()
    }

    /// The picture after a ply that lost at once, where that ply never came onto the board (Junqi's bad set-up).
    fn draw_lost(&self, _ply: Self::Ply, _eyes: Eyes) -> Option<Scene> {
        None
    }

    /// Appends the spots of the drawn board that a person clicks, in order, to make this ply; nothing where it is not
    /// made by clicks.
    fn path(&self, ply: Self::Ply, out: &mut Vec<u16>);

    /// What may be clicked after these clicks, each spot once and with the ply it completes. Only games whose clicks
    /// are free in their order, or whose plies are too many to walk through for the next click, answer this; for the
    /// others the paths of the plies say it all.
    fn next_clicks(&self, _prefix: &[u16]) -> Option<Vec<(u16, Option<Self::Ply>)>> {
        None
    }

    /// The form of a ply that places many pieces at once, where the next one is such a ply.
    fn set_up_form<R: Rng + ?Sized>(&self, _rng: &mut R) -> Option<SetUpForm> {
        None
    }

    /// The symmetries of the rules on this board.
    fn symmetries(&self) -> &'static [Symmetry];

    /// The position seen through a symmetry.
    #[must_use]
    fn transformed(&self, symmetry: Symmetry) -> Self;

    /// The ply seen through a symmetry.
    fn transformed_ply(&self, ply: Self::Ply, symmetry: Symmetry) -> Self::Ply;
}

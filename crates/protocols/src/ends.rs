//! What the two ends of a protocol are, for all protocols.

use std::time::Duration;

use games::{Event, Phrase, Reason, Side};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::player::ThinkLimits;

/// What is true of a protocol before anybody speaks it.
#[derive(Debug, Clone, Copy)]
pub struct ProtocolFacts {
    /// The name programs use.
    pub id: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// The name people use.
    pub name: Phrase,
    /// The games it is spoken in.
    pub games: &'static [&'static str],
    /// What ends a line the referee sends.
    pub line_end: &'static str,
    /// Whether every engine can be told of plies it did not choose itself (as `BOARD` does), so that a game may begin
    /// in the middle. Where this is not so an engine may still say that it can ([`RefereeEnd::can_be_led`]).
    pub can_restore: bool,
    /// Whether an engine can say what it thinks of its position ([`score_in`](crate::score_in)).
    pub carries_score: bool,
    /// The options, each with what it does.
    pub options: &'static [(&'static str, Phrase)],
}

/// What the referee's end knows when it is made.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The game's id.
    pub game: &'static str,
    /// Its options, in full.
    pub variant: Value,
    /// The seat of the engine at the other end.
    pub seat: Side,
    /// The limits of the game.
    pub clock: Clock,
    /// The most memory the engine may use, in bytes.
    pub memory: Option<u64>,
    /// The protocol's own options.
    pub options: Value,
}

/// The time an engine has, as the referee's end tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    /// For this ply.
    pub turn: Option<Duration>,
    /// For the whole game, what is left of it.
    pub left: Option<Duration>,
}

/// What the referee is to do on behalf of its end of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Send these lines in one write. No line end at the end; the protocol's own is added to each line.
    Send(String),
    /// The engine's name is known.
    Named(String),
    /// The engine can be given a game.
    Ready,
    /// The engine has answered with this ply, in its seat's notation.
    Ply(String),
    /// The engine said something that changes nothing but belongs in the transcript.
    Remark(Remark),
    /// What the engine thinks of its position, seen from its own side.
    Score(i32),
    /// The engine broke the protocol in a way that loses.
    Foul(&'static Reason),
    /// The engine cannot go on in this process: end it and start another.
    Reload,
    /// Call [`RefereeEnd::timer`] when so much time has passed without another such act.
    Timer(Duration),
}

/// A thing an engine said beside its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// For whoever watches.
    Message(String),
    /// For the engine's owner.
    Debug(String),
    /// The engine says that something is wrong.
    Complaint(String),
    /// Not a message of the protocol.
    Noise(String),
    /// A move was due, and this cannot be read as one. The clock goes on.
    Unreadable(String),
    /// A ply when none was due.
    OutOfTurn(String),
}

/// What the referee's end is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// Nothing.
    Nothing,
    /// That the engine is ready; the start-up limit runs.
    Ready,
    /// That a ready engine has done what it does before its first clock. Nobody is charged for it, the protocol's own
    /// timer ends it, and who says nothing plays all the same.
    Calm,
    /// A ply; the game's clock runs.
    Ply,
}

/// How a game ended for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It won.
    Won,
    /// It lost.
    Lost,
    /// A draw.
    Drawn,
    /// No result.
    Aborted,
}

/// Whether an engine may answer again after an illegal ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It was told and may answer again on the same clock.
    Again,
    /// It has lost.
    Never,
}

/// The referee's end of a conversation with one engine.
pub trait RefereeEnd: Send {
    /// The process is there: say hello.
    fn open(&mut self, out: &mut Vec<Act>);
    /// Both seats are ready and the game begins.
    fn begin(&mut self, _out: &mut Vec<Act>) {}
    /// Whether this engine can be told of plies it did not choose itself; known when it is ready.
    fn can_be_led(&self) -> bool {
        false
    }
    /// Both seats are ready and the game begins, with plies that were played already: each follows by
    /// [`lead`](Self::lead). Only for an engine that can be told them.
    fn begin_led(&mut self, out: &mut Vec<Act>) {
        self.begin(out);
    }
    /// What this seat learned from a step that nobody at the board chose.
    fn lead(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        self.learned(own, events, out);
    }
    /// It is this seat's turn: ask for a ply.
    fn turn(&mut self, clock: Clock, out: &mut Vec<Act>);
    /// The engine wrote a line.
    fn line(&mut self, line: &str, out: &mut Vec<Act>);
    /// What this seat learned from a step that was its own or its opponent's.
    fn learned(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>);
    /// Its last answer was illegal.
    fn illegal(&mut self, _out: &mut Vec<Act>) -> Retry {
        Retry::Never
    }
    /// The time it asked for has passed.
    fn timer(&mut self, _out: &mut Vec<Act>) {}
    /// The game is over.
    fn over(&mut self, outcome: Outcome, out: &mut Vec<Act>);
    /// Another game in the same process, perhaps on the other seat.
    fn again(&mut self, seat: Side, out: &mut Vec<Act>);
    /// Say farewell; the process is ended after this.
    fn close(&mut self, out: &mut Vec<Act>);
    /// What it waits for now.
    fn awaits(&self) -> Awaits;
    /// How long the engine has to become ready, where the protocol says so.
    fn start_limit(&self) -> Option<Duration> {
        None
    }
    /// Takes back the last `plies` plies without a new process: false where the protocol cannot.
    fn take_back(&mut self, _plies: usize, _out: &mut Vec<Act>) -> bool {
        false
    }
}

/// What an engine is to do on behalf of its end of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Write this line.
    Say(String),
    /// A new game with these options, from this position if one is given.
    New {
        /// The game's options.
        variant: Value,
        /// The seat it plays.
        seat: Side,
        /// The position, or the start.
        position: Option<String>,
    },
    /// It learned this.
    Learn(Event),
    /// Its last ply was illegal or is taken back.
    Forget,
    /// What the referee wrote cannot be read: nobody knows any more where the game stands.
    Lost,
    /// Choose a ply, then tell [`EngineEnd::chosen`].
    Think(ThinkLimits),
    /// Leave.
    Quit,
}

/// The engine's end.
pub trait EngineEnd: Send {
    /// The referee wrote a line.
    fn line(&mut self, line: &str, out: &mut Vec<Order>);
    /// The ply that was asked for.
    fn chosen(&mut self, ply: &str, out: &mut Vec<Order>);
    /// The engine cannot follow the game and leaves: how the protocol says so, where it has a word for it.
    fn complaint(&self, _why: &str) -> Option<String> {
        None
    }
}

/// An option of a protocol that does not exist or has a value of the wrong kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("protocol option: {0}")]
pub struct BadOption(pub String);

/// A protocol: both ends and its facts.
pub trait Protocol: Sync {
    /// The facts.
    fn facts(&self) -> &'static ProtocolFacts;
    /// The referee's end.
    fn referee_end(&self, setup: Setup) -> Result<Box<dyn RefereeEnd>, BadOption>;
    /// The engine's end, for an engine of this name that plays this game.
    fn engine_end(&self, game: &'static str, name: &str) -> Box<dyn EngineEnd>;
    /// How long an engine has to become ready, where the protocol says so and nobody else does.
    fn start_limit(&self) -> Option<Duration> {
        None
    }
}

/// Reads a protocol's options over its defaults; `null` means the defaults.
pub(crate) fn read_options<T: DeserializeOwned + Default>(options: &Value) -> Result<T, BadOption> {
    match options {
        Value::Null => Ok(T::default()),
        given => serde_json::from_value(given.clone()).map_err(|error| BadOption(error.to_string())),
    }
}

/// The longest piece of an engine's text that is kept in a remark.
const LONGEST_REMARK: usize = 4096;

/// A stranger's text, cut to a length that cannot hurt.
pub(crate) fn clipped(text: &str) -> String {
    clipped_to(text, LONGEST_REMARK)
}

/// A text cut to at most this many bytes, at a character's end.
pub(crate) fn clipped_to(text: &str, most: usize) -> String {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

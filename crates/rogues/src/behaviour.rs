//! What a rogue does wrong, by name.

use std::time::Duration;

/// One fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// None.
    Correct,
    /// Leaves before it has said anything.
    ExitAtStart,
    /// Leaves instead of answering.
    ExitAtTurn,
    /// Leaves when it hears that the game is over.
    ExitAtEnd,
    /// Dies of a segmentation fault instead of answering.
    Segfault,
    /// Never answers the hello.
    SilentStart,
    /// Never says its name, but everything else.
    NoName,
    /// Its name is in GBK.
    GbkName,
    /// Does not say that it can be told openings, as engines do that know no extension of their protocol.
    Unled,
    /// Never answers a turn. An answer that stays in a buffer looks the same.
    SilentTurn,
    /// Answers one turn after the given number of milliseconds.
    Late,
    /// Answers every turn after the given number of milliseconds.
    Exact,
    /// Answers one turn after using the given number of milliseconds of processor time.
    Works,
    /// Writes a line the protocol allows every 10 ms and never moves.
    Chatter,
    /// Writes the given number of megabytes without a newline, then one, then its answer.
    Flood,
    /// Writes lines for ever.
    FloodLines,
    /// Writes lines for ever before the hello is answered.
    FloodStart,
    /// Writes the given number of megabytes to standard error, then its answer.
    FloodStderr,
    /// Writes for ever once its input is closed.
    FloodAfterEof,
    /// Gives two answers in one write.
    TwoAnswers,
    /// Gives a second, well-formed answer while its opponent thinks.
    OutOfTurn,
    /// Ends lines with a lone CR.
    CrOnly,
    /// Ends lines with CR LF.
    CrLf,
    /// Puts blanks around what separates an answer's parts.
    Spaced,
    /// Writes its depth as a raw byte into a message, and at that depth it is a line feed: from that turn on.
    DepthByte,
    /// Prepares for the given number of milliseconds before the first clock starts, where its protocol lets it.
    Prepares,
    /// Puts NUL bytes into its answers.
    NulBytes,
    /// Writes a line that is no text before its answer.
    BadUtf8,
    /// A well-formed ply the rules forbid, and silence after it.
    Illegal,
    /// A ply outside the board.
    OffBoard,
    /// An answer of the wrong form.
    Malformed,
    /// An empty answer.
    Empty,
    /// The answer `,`.
    Comma,
    /// The answer `-1,-1`.
    Minus,
    /// The answer `999999999999,0`.
    Huge,
    /// An illegal ply, and the same one after every `error` or `refuse`.
    IllegalForever,
    /// An illegal ply, mended after `error`.
    IllegalThenLegal,
    /// Does not leave, whatever it is told.
    IgnoresQuit,
    /// Leaves a daemon and grandchildren behind.
    Daemon,
    /// Leaves a daemon behind that holds its pipes, and exits instead of answering.
    DaemonHoldsPipes,
    /// Neither reads nor answers any more.
    StopsReading,
    /// Closes its output and lives on.
    ClosesOutput,
    /// Writes an answer and exits at once.
    AnswerAndExit,
    /// The same without a newline.
    AnswerAndExitBare,
    /// Computes while its opponent thinks.
    Ponders,
    /// The same, and talks to standard error all the while.
    PondersAloud,
    /// The same in a child process, as behind a launcher script.
    PondersInChild,
    /// The same, and a timer of its own tells it to go on every millisecond.
    PondersOnTimer,
    /// The same, and a child tells it to go on all the time.
    PondersWithHelper,
    /// The same with a helper that has left the session, the family and every mark behind.
    PondersWithStranger,
    /// An answer without its newline.
    NoNewline,
    /// Answers UNKNOWN to RESTART.
    NoRestart,
}

impl Behaviour {
    /// Whether it computes while its opponent thinks.
    #[must_use]
    pub const fn ponders(self) -> bool {
        matches!(
            self,
            Self::Ponders
                | Self::PondersAloud
                | Self::PondersOnTimer
                | Self::PondersWithHelper
                | Self::PondersWithStranger
        )
    }
}

/// What a game's protocol makes of a fault is the tests' matter; this is only the list of names.
pub static BEHAVIOURS: &[(&str, Behaviour)] = &[
    ("correct", Behaviour::Correct),
    ("exit-at-start", Behaviour::ExitAtStart),
    ("exit-at-turn", Behaviour::ExitAtTurn),
    ("exit-at-end", Behaviour::ExitAtEnd),
    ("segfault", Behaviour::Segfault),
    ("silent-start", Behaviour::SilentStart),
    ("no-name", Behaviour::NoName),
    ("gbk-name", Behaviour::GbkName),
    ("unled", Behaviour::Unled),
    ("silent-turn", Behaviour::SilentTurn),
    ("late", Behaviour::Late),
    ("exact", Behaviour::Exact),
    ("works", Behaviour::Works),
    ("chatter", Behaviour::Chatter),
    ("flood", Behaviour::Flood),
    ("flood-lines", Behaviour::FloodLines),
    ("flood-start", Behaviour::FloodStart),
    ("flood-stderr", Behaviour::FloodStderr),
    ("flood-after-eof", Behaviour::FloodAfterEof),
    ("two-answers", Behaviour::TwoAnswers),
    ("out-of-turn", Behaviour::OutOfTurn),
    ("cr-only", Behaviour::CrOnly),
    ("crlf", Behaviour::CrLf),
    ("spaced", Behaviour::Spaced),
    ("depth-byte", Behaviour::DepthByte),
    ("prepares", Behaviour::Prepares),
    ("nul-bytes", Behaviour::NulBytes),
    ("bad-utf8", Behaviour::BadUtf8),
    ("illegal", Behaviour::Illegal),
    ("off-board", Behaviour::OffBoard),
    ("malformed", Behaviour::Malformed),
    ("empty", Behaviour::Empty),
    ("comma", Behaviour::Comma),
    ("minus", Behaviour::Minus),
    ("huge", Behaviour::Huge),
    ("illegal-forever", Behaviour::IllegalForever),
    ("illegal-then-legal", Behaviour::IllegalThenLegal),
    ("ignores-quit", Behaviour::IgnoresQuit),
    ("daemon", Behaviour::Daemon),
    ("daemon-holds-pipes", Behaviour::DaemonHoldsPipes),
    ("stops-reading", Behaviour::StopsReading),
    ("closes-output", Behaviour::ClosesOutput),
    ("answer-and-exit", Behaviour::AnswerAndExit),
    ("answer-and-exit-bare", Behaviour::AnswerAndExitBare),
    ("ponders", Behaviour::Ponders),
    ("ponders-aloud", Behaviour::PondersAloud),
    ("ponders-in-child", Behaviour::PondersInChild),
    ("ponders-on-timer", Behaviour::PondersOnTimer),
    ("ponders-with-helper", Behaviour::PondersWithHelper),
    ("ponders-with-stranger", Behaviour::PondersWithStranger),
    ("no-newline", Behaviour::NoNewline),
    ("no-restart", Behaviour::NoRestart),
];

/// Somebody asked for a fault that is not in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownBehaviour(pub String);

impl std::fmt::Display for UnknownBehaviour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no rogue does {:?}; `rogue list` prints what they do", self.0)
    }
}

impl std::error::Error for UnknownBehaviour {}

/// A fault, when it happens, and how the rogue plays otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Script {
    /// What it does wrong.
    pub behaviour: Behaviour,
    /// The fault's number: milliseconds or megabytes.
    pub number: u64,
    /// At which of its answers, counted from 1.
    pub turn: usize,
    /// The seed of its plies.
    pub seed: u64,
}

impl Script {
    /// Reads `BEHAVIOUR [NUMBER] [turn=N] [seed=N]`.
    pub fn read<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownBehaviour> {
        let mut script = Self { behaviour: Behaviour::Correct, number: 0, turn: 2, seed: 1 };
        for word in words {
            let named = BEHAVIOURS.iter().find(|(name, _)| *name == word);
            let number = |text: &str| text.parse::<u64>().map_err(|_| UnknownBehaviour(word.to_owned()));
            if let Some((_, behaviour)) = named {
                script.behaviour = *behaviour;
            } else if let Some(turn) = word.strip_prefix("turn=") {
                script.turn = number(turn)? as usize;
            } else if let Some(seed) = word.strip_prefix("seed=") {
                script.seed = number(seed)?;
            } else {
                script.number = number(word)?;
            }
        }
        Ok(script)
    }

    /// The number as a time.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        Duration::from_millis(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_from_words() {
        let script = Script::read("late 120 turn=3".split(' ')).unwrap();
        assert_eq!(script, Script { behaviour: Behaviour::Late, number: 120, turn: 3, seed: 1 });
        assert!(Script::read(["polite"]).is_err());
    }

    #[test]
    fn every_behaviour_has_one_name() {
        for (index, (name, behaviour)) in BEHAVIOURS.iter().enumerate() {
            assert!(BEHAVIOURS[..index].iter().all(|(other, same)| other != name && same != behaviour), "{name}");
        }
    }
}

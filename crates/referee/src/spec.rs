//! What a game is played with.

use std::time::Duration;

use games::Table;

use crate::adjudication::Adjudication;
use crate::clock::{SeatClock, TimeControl};
use crate::game::PlayedPly;
use crate::transcript::Transcript;

/// What is played and under which limits.
pub struct GameSpec {
    /// The game at its starting position.
    pub table: Box<dyn Table>,
    /// The position it starts from, when that is not the usual one.
    pub position: Option<String>,
    /// The time each seat has.
    pub time: TimeControl,
    /// How long an engine has to become ready, whatever its protocol says of that.
    pub start_limit: Option<Duration>,
    /// The least time between two messages to one engine.
    pub gap: Duration,
    /// Let engines compute on their opponent's time.
    pub ponder: bool,
    /// The most an engine may write in a game, in bytes.
    pub output_limit: u64,
    /// Keep engines running for the next game.
    pub keep: bool,
    /// When a game is ended before its end.
    pub adjudication: Adjudication,
    /// Give no result where the machine had a part in a loss on time, though the seat had all its time besides.
    pub excuse_stalls: bool,
    /// Plies played before the game begins here: an opening, or a game that is resumed. In the referee's notation.
    pub history: Vec<PlayedPly>,
    /// The clocks after the history, where they are not what its times add up to: plies that were taken back cost time
    /// too.
    pub clocks: Option<[SeatClock; 2]>,
    /// Where the conversation is kept.
    pub transcript: Transcript,
}

impl GameSpec {
    /// A game with ordinary limits.
    #[must_use]
    pub fn new(table: Box<dyn Table>) -> Self {
        Self {
            table,
            position: None,
            time: TimeControl::default(),
            start_limit: None,
            gap: Duration::ZERO,
            ponder: false,
            output_limit: 16 << 20,
            keep: false,
            adjudication: Adjudication::default(),
            excuse_stalls: true,
            history: Vec::new(),
            clocks: None,
            transcript: Transcript::default(),
        }
    }
}

//! Who plays whom next: round robin, gauntlet, knockout and Swiss.
//!
//! A [`Format`] hands out one game at a time and is told how each ended. It knows nothing of time, so the order in
//! which results arrive never changes what is played: the same entrants, settings and outcomes give the same games
//! with the same [`GameId`]s. To resume a tournament, ask a new format for its games and record at once those whose
//! outcomes are already known.

mod knockout;
mod ledger;
mod matching;
mod schedule;
mod score;
mod standings;
mod swiss;

use games::Language;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::statistics::Outcome;

pub use knockout::{Knockout, KnockoutSettings};
pub use ledger::{Bye, Ledger, Match};
pub use schedule::{GauntletSettings, RoundRobinSettings, Schedule};
pub use score::{PointSystem, Score};
pub use standings::{Standing, TieBreak, standings};
pub use swiss::{Relaxation, Swiss, SwissSettings};

/// A participant, by its place in the list of entries (from 0). Earlier entries are seeded higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entrant(pub usize);

/// Names a game of a tournament, the same in every run of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The match it belongs to.
    pub match_number: usize,
    /// Which game of the match, from 0. Games 2k and 2k + 1 are a pair with swapped sides: they share an opening.
    pub game: usize,
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// Under which its outcome is recorded.
    pub id: GameId,
    /// Counted from 0.
    pub round: usize,
    /// Moves first.
    pub first: Entrant,
    /// Moves second.
    pub second: Entrant,
}

/// What there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Play this game; it is not handed out again.
    Play(Pairing),
    /// Nothing until a game under way is recorded.
    Wait,
    /// Every game has been played.
    Finished,
}

/// A result that does not fit the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Never handed out.
    #[error("match {} has no game {} under way", .0.match_number, .0.game)]
    Unknown(GameId),
    /// Has an outcome already.
    #[error("game {} of match {} is recorded already", .0.game, .0.match_number)]
    Twice(GameId),
}

/// Settings that make no tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FormatError {
    /// Somebody must have somebody to play.
    #[error("a tournament needs at least 2 entrants; given {0}")]
    TooFewEntrants(usize),
    /// Nothing would be played.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// A gauntlet without opponents.
    #[error("{challengers} challengers leave nobody to challenge among {entrants} entrants")]
    TooManyChallengers {
        /// How many were asked for.
        challengers: usize,
        /// How many there are in all.
        entrants: usize,
    },
    /// More rounds than a Swiss tournament has opponents for.
    #[error("{entrants} entrants can play at most {most} rounds without a rematch; given {rounds}")]
    TooManyRounds {
        /// How many there are.
        entrants: usize,
        /// How many were asked for.
        rounds: usize,
        /// How many are possible.
        most: usize,
    },
}

impl FormatError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::TooFewEntrants(count)) => format!("至少要有 2 个参赛者，给出的是 {count} 个"),
            (Language::Zh, Self::Zero(name)) => format!("{name} 至少为 1"),
            (Language::Zh, Self::TooManyChallengers { challengers, entrants }) => {
                format!("{entrants} 个参赛者中有 {challengers} 个挑战者，没有人可供挑战")
            }
            (Language::Zh, Self::TooManyRounds { entrants, rounds, most }) => {
                format!("{entrants} 个参赛者不重复对阵最多 {most} 轮，给出的是 {rounds} 轮")
            }
        }
    }
}

/// A way to run a tournament.
pub trait Format: Send {
    /// What to play next.
    fn next_pairing(&mut self) -> Next;

    /// Tells how a game that was handed out ended for the entrant that moved first.
    fn record(&mut self, id: GameId, outcome: Outcome) -> Result<(), RecordError>;

    /// How many games there are in all, where that is known from the start.
    fn total(&self) -> Option<usize>;

    /// All matches so far.
    fn ledger(&self) -> &Ledger;

    /// The table, best first.
    fn standings(&self) -> Vec<Standing>;
}

fn check_common(entrants: usize, positive: &[(&'static str, usize)]) -> Result<(), FormatError> {
    if entrants < 2 {
        return Err(FormatError::TooFewEntrants(entrants));
    }
    match positive.iter().find(|(_, value)| *value == 0) {
        Some((name, _)) => Err(FormatError::Zero(name)),
        None => Ok(()),
    }
}

//! What is to be checked, and what came of it.

use std::time::Duration;

use games::{Listing, Phrase, Side, Table};
use protocols::{Clock, Protocol, Setup};
use referee::CommandLine;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::finding::{Finding, Severity};
use crate::game::GameSummary;
use crate::leash::Leash;

/// What is to be checked.
pub struct Plan {
    /// The game.
    pub game: &'static dyn Listing,
    /// The game with its options, at its start.
    pub table: Box<dyn Table>,
    /// What the engine speaks.
    pub protocol: &'static dyn Protocol,
    /// The protocol's options.
    pub options: Value,
    /// How the engine is started.
    pub command: CommandLine,
    /// For each ply.
    pub ply_time: Duration,
    /// Until the engine must be ready.
    pub start_time: Duration,
    /// The least time between two messages.
    pub gap: Duration,
    /// Seed of the opponent.
    pub seed: u64,
    /// What ends the check before it is done.
    pub leash: Leash,
}

impl Plan {
    /// What the referee's end of the protocol is made with.
    pub(crate) fn setup(&self, seat: Side) -> Setup {
        Setup {
            game: self.game.facts().id,
            variant: self.table.variant(),
            seat,
            clock: Clock { turn: Some(self.ply_time), left: None },
            memory: None,
            options: self.options.clone(),
        }
    }
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The game's id.
    pub game: &'static str,
    /// The protocol's id.
    pub protocol: &'static str,
    /// The protocol's name.
    #[serde(skip)]
    pub protocol_name: Phrase,
    /// How the engine was started.
    pub command: Vec<String>,
    /// The name it gave itself.
    pub name: Option<String>,
    /// False when it could not be started at all.
    pub ran: bool,
    /// From its start until it was ready, in milliseconds.
    #[serde(rename = "ready_ms", serialize_with = "optional_milliseconds")]
    pub ready: Option<Duration>,
    /// Whether it says that it can be told openings; nothing when it never was ready, or where all can.
    pub openings: Option<bool>,
    /// The games it played.
    pub games: Vec<GameSummary>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// How many findings are this severe.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether nothing was found that counts; strictly, warnings count too.
    #[must_use]
    pub fn passed(&self, strict: bool) -> bool {
        self.count(Severity::Error) == 0 && (!strict || self.count(Severity::Warning) == 0)
    }

    /// The slowest ply of all games.
    #[must_use]
    pub fn slowest(&self) -> Option<Duration> {
        self.games.iter().map(|game| game.slowest).max()
    }
}

/// Milliseconds with their fractions.
pub(crate) fn milliseconds<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_f64(time.as_secs_f64() * 1000.0)
}

#[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
fn optional_milliseconds<S: Serializer>(time: &Option<Duration>, out: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => milliseconds(time, out),
        None => out.serialize_none(),
    }
}

//! The record itself: boyi's own format.

use games::{End, Listing, Side, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ReadError;
use crate::replay::ReplayError;

/// What the field `format` of every record says.
pub const FORMAT: &str = "boyi-record";
/// The version written here. Readers take it and ignore fields they do not know; a change they could not ignore makes
/// the next version.
pub const VERSION: u32 = 1;

/// A game as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The game's id.
    pub game: String,
    /// The options in full.
    #[serde(default)]
    pub variant: Value,
    /// The position it started from, when that is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Who played.
    #[serde(default)]
    pub seats: Seats,
    /// The tournament or occasion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// When it began: RFC 3339, or as much of its beginning as is known (`2017-07-29`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The time control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeLimits>,
    /// How many of the first plies were given as an opening: nobody thought about them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening_plies: usize,
    /// What was played, refused tries included.
    #[serde(default)]
    pub plies: Vec<RecordedPly>,
    /// How it ended; nothing when that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<RecordedVerdict>,
    /// What it was played with.
    #[serde(default, skip_serializing_if = "Environment::is_empty")]
    pub environment: Environment,
    /// Fields of newer writers, kept as they came.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Both players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seats {
    /// The seat that moves first.
    #[serde(default)]
    pub black: Player,
    /// The other seat.
    #[serde(default)]
    pub white: Player,
}

impl Seats {
    /// The player of a seat.
    #[must_use]
    pub const fn of(&self, side: Side) -> &Player {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

/// Who sat in a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    #[serde(default)]
    pub name: String,
    /// What it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PlayerKind>,
    /// The command that starts an engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The level of a built-in player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
}

impl Player {
    /// A player of whom only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// What a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    /// A program of its own.
    Engine,
    /// One of boyi's own players.
    Builtin,
    /// A person.
    Human,
}

/// The time control, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimits {
    /// For each ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply_ms: Option<u64>,
    /// For a seat's whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Added after each ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// For getting ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// By how much a limit may be overrun without losing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance_ms: Option<u64>,
}

/// One try at a ply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedPly {
    /// Who.
    pub mover: Side,
    /// The ply in the referee's notation.
    pub ply: String,
    /// How it ended.
    #[serde(default)]
    pub end: PlyEnd,
    /// The time it took, in milliseconds, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// How long the machine kept the engine waiting, in milliseconds, where that was more than a twentieth of its
    /// limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stall_ms: Option<u64>,
}

/// How a try ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlyEnd {
    /// The ply stands.
    #[default]
    Played,
    /// It was refused and the same seat tried again.
    Refused,
    /// It stands and its player lost by it.
    Lost,
}

impl PlyEnd {
    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Refused => "refused",
            Self::Lost => "lost",
        }
    }
}

impl From<End> for PlyEnd {
    fn from(end: End) -> Self {
        match end {
            End::Played => Self::Played,
            End::Refused(_) => Self::Refused,
            End::Lost(_) => Self::Lost,
        }
    }
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedVerdict {
    /// The winner, or nobody.
    #[serde(default)]
    pub winner: Option<Side>,
    /// The reason's code, of the rules or of the referee.
    pub reason: String,
    /// After how many plies.
    pub ply: u32,
    /// False when there is no result: the game was stopped.
    #[serde(default = "yes")]
    pub counts: bool,
    /// What shows it: anything the referee found worth keeping.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub evidence: Value,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

const fn yes() -> bool {
    true
}

/// What a game was played with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The version of boyi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boyi: Option<String>,
    /// The sandbox level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// The machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

impl Environment {
    /// Whether nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.boyi.is_none() && self.sandbox.is_none() && self.machine.is_none()
    }
}

impl Record {
    /// A record without plies, of this game with these options in full.
    #[must_use]
    pub fn new(game: &str, variant: Value) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.to_owned(),
            variant,
            position: None,
            seats: Seats::default(),
            event: None,
            place: None,
            date: None,
            time: None,
            opening_plies: 0,
            plies: Vec::new(),
            verdict: None,
            environment: Environment::default(),
            more: Map::new(),
        }
    }

    /// Reads boyi's own format, in a line of a journal too.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<Value>,
            version: Option<Value>,
            record: Option<Value>,
        }
        let bytes = crate::text::without_mark(bytes);
        let problem = |error: serde_json::Error| ReadError::Json { problem: error.to_string() };
        // The head first: of a newer record one should hear that it is newer, not which field could not be read.
        let head: Head = serde_json::from_slice(bytes).map_err(problem)?;
        // A line of a journal has its record inside.
        if let (None, Some(record)) = (&head.format, &head.record)
            && record.get("format").is_some()
        {
            return Self::from_json(record.to_string().as_bytes());
        }
        if head.format != Some(Value::String(FORMAT.to_owned())) {
            let found = head.format.map_or_else(String::new, |found| crate::text::shown(&found.to_string()));
            return Err(ReadError::NotARecord { found });
        }
        if head.version.as_ref().and_then(Value::as_u64) != Some(u64::from(VERSION)) {
            let found = head.version.map_or_else(String::new, |found| crate::text::shown(&found.to_string()));
            return Err(ReadError::Version { found });
        }
        serde_json::from_slice(bytes).map_err(problem)
    }

    /// The bytes of boyi's own format: one line a field, one line a ply.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut out = String::from("{");
        if let Ok(Value::Object(fields)) = serde_json::to_value(self) {
            for (index, (key, value)) in fields.iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                out.push_str(&format!("{comma}\n  {}: ", Value::String(key.clone())));
                match value {
                    Value::Array(plies) if key == "plies" && !plies.is_empty() => {
                        let lines: Vec<String> = plies.iter().map(|ply| format!("\n    {ply}")).collect();
                        out.push_str(&format!("[{}\n  ]", lines.join(",")));
                    }
                    _ => out.push_str(&value.to_string()),
                }
            }
        }
        out.push_str("\n}\n");
        out.into_bytes()
    }

    /// The game of this record.
    pub fn listing(&self) -> Result<&'static dyn Listing, ReplayError> {
        games::find(&self.game).map_err(ReplayError::Game)
    }

    /// The position the game started from.
    pub fn open(&self) -> Result<Box<dyn Table>, ReplayError> {
        self.listing()?.open(&self.variant, self.position.as_deref()).map_err(ReplayError::Open)
    }
}

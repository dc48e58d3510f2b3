//! What is kept of visitors and rooms.

use games::Side;
use referee::TimeControl;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::StoreError;

/// Somebody who came with a cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The store's number of him.
    pub id: i64,
    /// The name others see.
    pub name: String,
}

/// What sits in a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    /// A visitor.
    Person,
    /// One of boyi's own players.
    Builtin,
    /// An engine of the server's list.
    Engine,
    /// Nobody yet.
    Open,
}

impl SeatKind {
    const ALL: [Self; 4] = [Self::Person, Self::Builtin, Self::Engine, Self::Open];

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Builtin => "builtin",
            Self::Engine => "engine",
            Self::Open => "open",
        }
    }
}

/// A seat of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// What sits there.
    pub kind: SeatKind,
    /// Which visitor.
    pub visitor: Option<i64>,
    /// The name others see.
    pub name: String,
    /// The level of a built-in player.
    pub level: Option<String>,
}

/// How far a room is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A seat is open.
    Waiting,
    /// The game goes on.
    Live,
    /// The game is over.
    Finished,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Waiting, Self::Live, Self::Finished];

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Live => "live",
            Self::Finished => "finished",
        }
    }
}

/// How a finished game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first mover has won.
    Black,
    /// The other one has won.
    White,
    /// Nobody has won.
    Draw,
    /// It does not count: it was called off, or an engine did not start.
    None,
}

impl GameResult {
    /// What a decision as it is stored says.
    pub(super) fn of(verdict: &str) -> Self {
        let verdict: Value = serde_json::from_str(verdict).unwrap_or_default();
        match (verdict["winner"].as_str(), verdict["counts"].as_bool()) {
            (Some("black"), _) => Self::Black,
            (Some("white"), _) => Self::White,
            (_, Some(false)) => Self::None,
            _ => Self::Draw,
        }
    }

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Draw => "draw",
            Self::None => "none",
        }
    }
}

/// A name as it is looked for. Only the letters that SQL's `LOWER` knows everywhere are made small.
pub(super) fn player_key(name: &str) -> String {
    name.trim().to_ascii_lowercase()
}

/// A room without what happened in it.
#[derive(Debug, Clone, PartialEq)]
pub struct RoomRow {
    /// Rooms in the order of their making.
    pub number: i64,
    /// The name in its address, not to be guessed.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The options in full.
    pub variant: Value,
    /// The position it starts from, when that is not the usual one.
    pub position: Option<String>,
    /// The clocks.
    pub time: TimeControl,
    /// Whether it is listed.
    pub public: bool,
    /// Who made it.
    pub creator: i64,
    /// When it was made; times are milliseconds since 1970.
    pub created: i64,
    /// When both seats were taken.
    pub started: Option<i64>,
    /// When the game ended.
    pub finished: Option<i64>,
    /// How far it is.
    pub phase: Phase,
    /// How many plies were played.
    pub plies: u32,
    /// The seed of its built-in players.
    pub seed: i64,
    /// The hash of the token that gives its open seat.
    pub join_hash: Option<Vec<u8>>,
    /// The decision, once there is one.
    pub verdict: Option<Value>,
    /// The seats, first mover first.
    pub seats: [SeatRow; 2],
}

/// The columns [`RoomRow::read`] needs.
pub(super) const ROOM_COLUMNS: &str = "r.number, r.id, r.game, r.variant, r.position, r.time, r.public, r.creator, r.created, \
     r.started, r.finished, r.state, r.plies, r.seed, r.join_hash, r.verdict, \
     b.kind AS black_kind, b.visitor AS black_visitor, b.name AS black_name, b.level AS black_level, \
     w.kind AS white_kind, w.visitor AS white_visitor, w.name AS white_name, w.level AS white_level \
     FROM rooms r JOIN seats b ON b.room = r.id AND b.side = 0 JOIN seats w ON w.room = r.id AND w.side = 1";

impl RoomRow {
    pub(super) fn read(row: &SqliteRow) -> Result<Self, StoreError> {
        let text = |name: &str| row.try_get::<String, _>(name);
        let word = |name: &'static str| -> Result<SeatKind, StoreError> {
            let word = text(name)?;
            SeatKind::ALL.into_iter().find(|kind| kind.word() == word).ok_or(StoreError::Damaged(name))
        };
        let seat = |kind: &'static str, visitor: &str, name: &str, level: &str| -> Result<SeatRow, StoreError> {
            Ok(SeatRow {
                kind: word(kind)?,
                visitor: row.try_get(visitor)?,
                name: text(name)?,
                level: row.try_get(level)?,
            })
        };
        let phase = text("state")?;
        let verdict: Option<String> = row.try_get("verdict")?;
        Ok(Self {
            number: row.try_get("number")?,
            id: text("id")?,
            game: text("game")?,
            variant: serde_json::from_str(&text("variant")?).map_err(|_| StoreError::Damaged("variant"))?,
            position: row.try_get("position")?,
            time: serde_json::from_str(&text("time")?).map_err(|_| StoreError::Damaged("time"))?,
            public: row.try_get::<i64, _>("public")? != 0,
            creator: row.try_get("creator")?,
            created: row.try_get("created")?,
            started: row.try_get("started")?,
            finished: row.try_get("finished")?,
            phase: Phase::ALL.into_iter().find(|known| known.word() == phase).ok_or(StoreError::Damaged("state"))?,
            plies: row.try_get::<i64, _>("plies")? as u32,
            seed: row.try_get("seed")?,
            join_hash: row.try_get("join_hash")?,
            verdict: verdict
                .map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(|_| StoreError::Damaged("verdict"))?,
            seats: [
                seat("black_kind", "black_visitor", "black_name", "black_level")?,
                seat("white_kind", "white_visitor", "white_name", "white_level")?,
            ],
        })
    }

    /// One of many: a damaged row must not take its neighbours along.
    pub(super) fn read_or_pass(row: &SqliteRow) -> Option<Self> {
        let read = Self::read(row);
        let number = row.try_get::<i64, _>("number").ok();
        read.inspect_err(|error| tracing::error!(%error, number, "a room is left out, because its row is damaged")).ok()
    }

    /// The seat of a visitor.
    #[must_use]
    pub fn side_of(&self, visitor: i64) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.seats[side.index()].visitor == Some(visitor))
    }
}

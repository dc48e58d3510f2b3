//! What a room looks like from outside: the JSON shapes of the API.

use games::{Side, Told};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::sight::Sight;
use crate::store::{Phase, RoomRow, SeatKind};

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Words {
    /// From both texts.
    #[must_use]
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }
}

impl From<games::Phrase> for Words {
    fn from(phrase: games::Phrase) -> Self {
        Self::new(phrase.en, phrase.zh)
    }
}

/// Who sits in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatFace {
    /// What sits there.
    #[schema(value_type = String, example = "person")]
    pub kind: SeatKind,
    /// The name others see.
    pub name: String,
    /// The level of a built-in player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Whether it is the one who asks.
    pub you: bool,
    /// Whether a person is connected now.
    pub here: bool,
}

/// A room in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Summary {
    /// The name in its address.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The options in full.
    pub variant: Value,
    /// How far it is.
    #[schema(value_type = String, example = "live")]
    pub state: Phase,
    /// First mover first.
    pub seats: [SeatFace; 2],
    /// How many plies were played.
    pub plies: u32,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When both seats were taken.
    pub started: Option<i64>,
    /// When the game ended.
    pub finished: Option<i64>,
    /// The decision, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Value>,
    /// Whether a side does not see everything.
    pub hidden: bool,
    /// Whether it is listed.
    pub public: bool,
}

impl Summary {
    /// From the store's row, for this visitor; `here` says who is connected.
    pub(crate) fn of(row: &RoomRow, visitor: Option<i64>, here: [bool; 2]) -> Self {
        let seat = |side: Side| {
            let seat = &row.seats[side.index()];
            SeatFace {
                kind: seat.kind,
                name: seat.name.clone(),
                level: seat.level.clone(),
                you: seat.visitor.is_some() && seat.visitor == visitor,
                here: here[side.index()] || matches!(seat.kind, SeatKind::Builtin | SeatKind::Engine),
            }
        };
        Self {
            id: row.id.clone(),
            game: row.game.clone(),
            variant: row.variant.clone(),
            state: row.phase,
            seats: Side::BOTH.map(seat),
            plies: row.plies,
            created: row.created,
            started: row.started,
            finished: row.finished,
            verdict: row.verdict.clone(),
            hidden: games::find(&row.game).is_ok_and(|game| game.facts().hidden),
            public: row.public,
        }
    }
}

/// Whether somebody has to do with a room that is not finished; the more worth a look the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// A player is there, or a program thinks.
    Running,
    /// A seat is open to everybody, and who made the room is there.
    Waiting,
    /// Nobody is there.
    Abandoned,
}

/// Who may take the open seat of a room that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Invitation {
    /// Whoever opens the room.
    Open,
    /// Whoever has the link with the token.
    Private,
    /// Somebody else, who has played here before.
    Kept,
    /// You, for whom it is kept.
    Yours,
}

impl Invitation {
    /// What a room that waits says to this visitor.
    pub(crate) fn of(row: &RoomRow, visitor: Option<i64>) -> Option<Self> {
        if row.phase != Phase::Waiting {
            return None;
        }
        let open = row.seats.iter().find(|seat| seat.kind == SeatKind::Open)?;
        Some(match (open.visitor, &row.join_hash) {
            (Some(kept), _) if visitor == Some(kept) => Self::Yours,
            (Some(_), _) => Self::Kept,
            (None, Some(_)) => Self::Private,
            (None, None) => Self::Open,
        })
    }
}

/// A clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockFace {
    /// What is left of the whole game's time, when the running turn began.
    pub left_ms: Option<u64>,
    /// The most a ply may take.
    pub turn_ms: Option<u64>,
    /// What was used.
    pub used_ms: u64,
}

/// A step that the eyes know of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StepFace {
    /// Who took it.
    #[schema(value_type = String)]
    pub mover: Side,
    /// The ply in the notation of the eyes.
    pub ply: Option<String>,
    /// `played`, `refused` or `lost`.
    pub end: &'static str,
    /// The time it took.
    pub ms: u64,
    /// Its number among the steps these eyes know of, from 1.
    pub n: usize,
    /// What came of it: `remarks` in words, and the pieces that are `gone`; left out where there is nothing to tell.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub told: Told,
}

/// What the players ask of each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Offers {
    /// Who offers a draw.
    #[schema(value_type = Option<String>)]
    pub draw: Option<Side>,
    /// Who asks for a take-back.
    #[schema(value_type = Option<String>)]
    pub takeback: Option<Side>,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChatLine {
    /// The name.
    pub who: String,
    /// The seat, if it was a player.
    #[schema(value_type = Option<String>)]
    pub side: Option<Side>,
    /// The text; to be shown as text.
    pub text: String,
    /// When.
    pub at: i64,
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ResultFace {
    /// Winner, reason and ply.
    pub verdict: Value,
    /// In words.
    pub text: Words,
    /// What shows it.
    pub evidence: Value,
}

/// A room in full, for one visitor.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RoomFace {
    /// What lists show too.
    #[serde(flatten)]
    pub summary: Summary,
    /// Whose eyes it is seen with.
    pub eyes: Sight,
    /// The seat of the one who asks.
    #[schema(value_type = Option<String>)]
    pub you: Option<Side>,
    /// The board; nothing for eyes that may not see it.
    #[schema(value_type = Object)]
    pub view: Option<Box<RawValue>>,
    /// The last event of these eyes' stream that is part of this answer.
    pub seq: usize,
    /// The steps these eyes know of.
    pub steps: Vec<StepFace>,
    /// First mover first.
    pub clocks: [ClockFace; 2],
    /// Whose clock runs.
    #[schema(value_type = Option<String>)]
    pub running: Option<Side>,
    /// When the running turn began, in the server's time.
    pub since: i64,
    /// The server's time.
    pub now: i64,
    /// Who may take the seat that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
    /// What the players ask of each other.
    pub offers: Offers,
    /// What was said.
    pub chat: Vec<ChatLine>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultFace>,
    /// The time control.
    pub time: Value,
    /// The position it started from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The room where the players meet again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
}

/// The result in words, from a decision as it is stored.
pub(crate) fn result_face(game: &str, decision: &Value) -> ResultFace {
    let text = |pointer: &str| decision.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (en, zh) = (text("/reason/text/en"), text("/reason/text/zh"));
    let winner = match decision["winner"].as_str() {
        Some("black") => Some(Side::Black),
        Some("white") => Some(Side::White),
        _ => None,
    };
    let counts = decision["counts"].as_bool().unwrap_or(true);
    let sides = games::find(game).map(|game| game.facts().sides).ok();
    let words = match (winner.zip(sides), counts) {
        (Some((winner, sides)), _) => {
            let side = sides[winner.index()];
            Words::new(format!("{} wins: {en}", side.en), format!("{}胜：{zh}", side.zh))
        }
        (None, true) => Words::new(format!("Draw: {en}"), format!("和棋：{zh}")),
        (None, false) => Words::new(format!("No result: {en}"), format!("无结果：{zh}")),
    };
    let mut verdict = decision.clone();
    let evidence = verdict.as_object_mut().and_then(|fields| fields.remove("evidence")).unwrap_or_default();
    ResultFace { verdict, text: words, evidence }
}

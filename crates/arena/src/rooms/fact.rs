//! What can happen in a room. The list of a room's facts, in order, is the room: its board, clocks, offers and every
//! stream sent to a browser are made from it, before and after a restart in the same way.

use games::Side;
use records::PlyEnd;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub(crate) enum Fact {
    /// A try at a ply.
    Step {
        mover: Side,
        /// In the referee's notation.
        ply: String,
        end: PlyEnd,
        ms: u64,
        /// After it.
        clocks: [ClockState; 2],
    },
    /// Steps were taken back.
    TakenBack {
        /// How many steps are left.
        keep: usize,
        /// Time that was used stays used.
        clocks: [ClockState; 2],
    },
    /// Somebody took the open seat.
    Seated { side: Side, visitor: i64, name: String },
    /// A draw or a take-back was asked for.
    Offered { offer: Offer, by: Side },
    /// The opponent said no.
    Declined { offer: Offer, by: Side },
    /// Somebody said something.
    Said { side: Option<Side>, name: String, text: String },
    /// The players meet again in another room.
    Rematch { room: String, by: Side },
    /// The game is over.
    Over { decision: Value },
}

/// What one player may ask of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Offer {
    Draw,
    TakeBack,
}

/// A clock between two turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClockState {
    /// What is left of the whole game's time.
    pub(crate) left_ms: Option<u64>,
    /// What was used.
    pub(crate) used_ms: u64,
}

//! What a seat learns from a ply. Protocols translate events; they never look at the position.

use serde::Serialize;

/// How a piece that walked into another came out of it, seen from the piece that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contact {
    /// The moved piece is gone.
    Lost,
    /// The piece it met is gone.
    Won,
    /// Both are gone.
    Both,
    /// It met nobody.
    Nobody,
}

/// One thing a seat learns. Texts are in the notation of the seat that learns them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// A ply was played and this seat may know it.
    Ply {
        /// The ply.
        ply: String,
    },
    /// The opponent played something this seat may not know.
    HiddenPly,
    /// This seat's own try was refused; it is still its turn.
    Refused {
        /// The try.
        ply: String,
    },
    /// This seat took these pieces off the board.
    Captured {
        /// Where they stood.
        points: Vec<String>,
    },
    /// This seat lost these pieces.
    Lost {
        /// Where they stood.
        points: Vec<String>,
    },
    /// How the last move's contact came out, seen from the piece that moved.
    Contact {
        /// The result.
        result: Contact,
    },
    /// The opponent's flag must be shown, and stands here.
    FlagShown {
        /// Where.
        point: String,
    },
}

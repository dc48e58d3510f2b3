//! What somebody may see of a room.

use games::{Eyes, Side};
use serde::Serialize;
use utoipa::ToSchema;

/// The eyes somebody looks at a room with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sight {
    /// Everything.
    All,
    /// What Black may know.
    Black,
    /// What White may know.
    White,
    /// That a game goes on, and nothing of the board.
    None,
}

impl Sight {
    /// The eyes of a seat.
    #[must_use]
    pub const fn of_seat(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }

    /// The eyes of the rules, where there are any.
    #[must_use]
    pub const fn eyes(self) -> Option<Eyes> {
        match self {
            Self::All => Some(Eyes::All),
            Self::Black => Some(Eyes::Seat(Side::Black)),
            Self::White => Some(Eyes::Seat(Side::White)),
            Self::None => None,
        }
    }

    /// The seat they belong to.
    #[must_use]
    pub const fn seat(self) -> Option<Side> {
        match self {
            Self::Black => Some(Side::Black),
            Self::White => Some(Side::White),
            Self::All | Self::None => None,
        }
    }

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Black => "black",
            Self::White => "white",
            Self::None => "none",
        }
    }
}

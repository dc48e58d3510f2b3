//! Who sits where.

use serde::{Deserialize, Serialize};

/// One of the two seats of a game. `Black` is the seat that makes the first ply in every game.
///
/// A side names the *seat*, not the colour of its stones: after a swap in gomoku's swap2 opening the seat called
/// `Black` owns the white stones, and only the position knows that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The seat that moves first.
    Black,
    /// The seat that moves second.
    White,
}

impl Side {
    /// Both sides, first mover first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 0 for Black, 1 for White: an index into pairs kept per side.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word programs use: `black` or `white`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    /// The letter of position texts: `b` or `w`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }

    /// Reads the letter of position texts.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'b' => Some(Self::Black),
            'w' => Some(Self::White),
            _ => None,
        }
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// Whose knowledge a text, an observation or a picture is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// The referee's: everything.
    All,
    /// What this seat may know, and nothing else.
    Seat(Side),
}

impl Eyes {
    /// True when these eyes may know what `owner` alone knows.
    #[inline]
    #[must_use]
    pub fn sees(self, owner: Side) -> bool {
        match self {
            Self::All => true,
            Self::Seat(seat) => seat == owner,
        }
    }
}

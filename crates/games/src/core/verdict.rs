//! How a game ended and how a try at a ply ended.

use serde::Serialize;

use super::phrase::Reason;
use super::side::Side;

/// The end of a game: who won, why, and after how many plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The winner, or nobody for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: &'static Reason,
    /// The number of plies played when it ended.
    pub ply: u32,
}

impl Verdict {
    /// A win for `winner`.
    #[must_use]
    pub const fn win(winner: Side, reason: &'static Reason, ply: u32) -> Self {
        Self { winner: Some(winner), reason, ply }
    }

    /// A draw.
    #[must_use]
    pub const fn draw(reason: &'static Reason, ply: u32) -> Self {
        Self { winner: None, reason, ply }
    }

    /// Whoever has more wins; equal is a draw.
    #[must_use]
    pub fn by_count(black: u32, white: u32, reason: &'static Reason, ply: u32) -> Self {
        let winner = match black.cmp(&white) {
            std::cmp::Ordering::Greater => Some(Side::Black),
            std::cmp::Ordering::Less => Some(Side::White),
            std::cmp::Ordering::Equal => None,
        };
        Self { winner, reason, ply }
    }
}

/// How a try ends when it is not illegal. (The fourth end, illegal, is a [`Fault`](super::Fault).)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The ply stands.
    Played,
    /// The referee refuses it, the same seat tries again: Phantom Go's way of telling what is hidden.
    Refused(&'static Reason),
    /// The ply stands and its player has lost by it: NoGo's capture, renju's foul, Junqi's bad set-up.
    Lost(&'static Reason),
}

impl End {
    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Refused(_) => "refused",
            Self::Lost(_) => "lost",
        }
    }
}

/// A try that was taken up, with what undoes it.
#[derive(Debug, Clone)]
pub struct Tried<M> {
    /// How it ended.
    pub end: End,
    /// What [`Game::undo`](super::Game::undo) needs.
    pub memo: M,
}

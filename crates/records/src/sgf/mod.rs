//! SGF (FF[4]): gomoku and renju `GM[4]`, Amazons `GM[18]`, and as relatives of go `GM[1]` Connect6, NoGo and Phantom
//! Go.
//!
//! The games SGF has no number for are named in `RU`, followed by the options that are not at their defaults:
//! `RU[Connect6 first=2]`. Gomoku's rule stands there as in its option: `RU[renju]`, `RU[exact+caro]`.

mod read;
mod tree;
mod write;

pub(crate) use read::{games, read};
pub(crate) use write::write;

/// SGF's number for a game of ours.
fn number_of(game: &str) -> Option<u32> {
    match game {
        "gomoku" => Some(4),
        "amazons" => Some(18),
        "connect6" | "nogo" | "phantom-go" => Some(1),
        _ => None,
    }
}

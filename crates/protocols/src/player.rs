//! What a program that plays must be able to do, whatever protocol carries it.

use std::time::Duration;

use games::{Event, Side};
use serde_json::Value;

/// The time a player has for a ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThinkLimits {
    /// For this ply.
    pub turn: Option<Duration>,
    /// For the rest of the game.
    pub left: Option<Duration>,
    /// The most memory it may use, in bytes.
    pub memory: Option<u64>,
}

/// What a player thought of the position before its last ply.
#[derive(Debug, Clone, PartialEq)]
pub struct Insight {
    /// What the position is worth to the side to move, in the player's own measure; more is better.
    pub score: i32,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// How many positions it looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How it thinks the game goes on, its own ply first.
    pub line: Vec<String>,
}

/// A player that lives on what its seat learns, and on nothing else.
pub trait Player: Send {
    /// The name it gives itself.
    fn name(&self) -> String;
    /// A new game, from this position if one is given.
    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>);
    /// Something it learned. Plies are in its seat's notation.
    fn learn(&mut self, event: &Event);
    /// Its last ply was illegal or is taken back.
    fn forget(&mut self);
    /// Chooses a ply, in its seat's notation.
    fn think(&mut self, limits: ThinkLimits) -> String;
    /// What it thought when it last chose; nothing if it does not look ahead.
    fn insight(&self) -> Option<Insight> {
        None
    }
}

//! The arena: `boyi serve`. Rooms in which people and built-in players play, live to every browser, kept in one file.
//!
//! This crate depends on `games`, `protocols`, `records`, `engines`, `referee`, and on `course`, whose pages' side it
//! is. Every game is played by
//! [`referee::play`] on a thread of its own; what happens in a room is a list of facts, on disk before anybody is told
//! ([`store`]), and what a browser is sent is made from them for its own eyes only ([`rooms`]).
//!
//! Read [`Server`] first, then `rooms/fact.rs`.

mod clock;
mod course;
mod http;
mod listen;
mod live;
mod places;
pub mod rooms;
mod secret;
mod serve;
mod settings;
mod standstill;
pub mod store;

pub use serve::{ServeError, Server};
pub use settings::{EngineOffer, JudgeSettings, Limits, Settings};

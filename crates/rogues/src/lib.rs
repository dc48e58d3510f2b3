//! Engines that misbehave on purpose: each plays correctly through any protocol except for one scripted fault.
//!
//! The tests of this crate put them on the seats of the real referee and hold it to the exact decision. The crate
//! depends on everything the referee does and on the built-in players; nothing depends on it.
//!
//! Read [`Behaviour`] first, then [`Arena`], which plays a game between two of them.

mod arena;
mod behaviour;
mod manners;
mod rogue;

pub use arena::{Arena, Contest, left_behind};
pub use behaviour::{BEHAVIOURS, Behaviour, Script, UnknownBehaviour};
pub use manners::Manners;
pub use rogue::{Rogue, USED};

/// What went wrong while setting a game up; the tests print it and fail.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;

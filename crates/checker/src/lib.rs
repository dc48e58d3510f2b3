//! Does this engine speak its protocol? Findings that name each fault and how to mend it.
//!
//! This crate depends on `games`, `protocols`, `referee` (for the engine's process) and `engines` (for an opponent). It
//! drives one engine through start-up, whole games on both seats, the optional commands of its protocol, bad timing,
//! several games in one process, and the end of its input. Unlike the referee it goes on after a fault, to tell why.
//!
//! Read [`check`] first, then [`kinds`], the table of everything that can be found.

mod commands;
mod diagnosis;
mod finding;
mod game;
pub mod kinds;
mod leash;
mod plan;
mod probe;
mod programs;
mod stages;
mod talk;

pub use finding::{Finding, Kind, Severity, Words};
pub use game::GameSummary;
pub use leash::Leash;
pub use plan::{Plan, Report};
pub use stages::check;

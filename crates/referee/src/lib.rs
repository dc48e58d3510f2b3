//! One game between two seats: engine processes, clocks, transcript, and a verdict with its evidence.
//!
//! This crate depends on `games`, `protocols`, `records` and `sandbox`. A game runs on one plain thread that waits on
//! the engines' pipes with `poll`; nothing an engine prints or does can block it, make it grow, or stop it.
//!
//! Read [`play`](game::play) first.

pub mod adjudication;
mod cage;
pub mod clock;
pub mod decision;
mod entry;
pub mod game;
mod held;
pub mod host;
mod idle;
pub mod lines;
mod loss;
pub mod process;
mod pump;
mod ready;
mod record;
mod rewind;
pub mod seat;
mod spec;
mod stolen;
pub mod transcript;
mod waits;

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use cage::Cage;
pub use clock::{SeatClock, TimeControl};
pub use decision::{Decision, Evidence, LimitOf};
pub use game::{GameReport, PlayedPly, Watcher, play};
pub use host::Host;
pub use process::{CommandLine, PLY_LIMIT, Process, StartError};
pub use record::Circumstances;
pub use rewind::can_be_led;
pub use seat::{Choice, EngineSpec, LocalSeat, PlayerSeat, Seat, Turn};
pub use spec::GameSpec;
pub use transcript::{Direction, Transcript};

//! The seeds' conversations, line by line, at both ends of every protocol.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod gomocup;
mod gomocup_again;
mod junqi;
mod led;
mod old;
mod sau;
mod script;
mod swap2;
mod tiaojia;

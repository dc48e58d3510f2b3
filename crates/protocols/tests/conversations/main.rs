//! The seeds' conversations, line by line, at both ends of every protocol.

mod gomocup;
mod junqi;
mod sau;
mod script;
mod tiaojia;

//! The text protocols engines speak, both ends of each, without any I/O.
//!
//! This crate depends on `games` alone. A protocol is one file: the referee's end (what it sends, what it makes of an
//! engine's lines) and the engine's end (the reverse), so that the two cannot drift apart and a conversation is a test.
//! Protocols translate what a seat learned ([`games::Event`]) into lines; they never look at a position.
//!
//! Read [`RefereeEnd`] first, then [`sau`], the protocol with the most games.

mod ends;
pub mod gomocup;
pub mod junqi;
mod opening;
mod player;
pub mod sau;
mod score;
mod speak;
pub mod tiaojia;
mod watch;

pub use ends::{
    Act, Awaits, BadOption, Clock, EngineEnd, Order, Outcome, Protocol, ProtocolFacts, RefereeEnd, Remark, Retry, Setup,
};
pub use opening::CAN_BE_LED;
pub use player::{Insight, Player, ThinkLimits};
pub use score::{WON, score_in};
pub use speak::Speaker;
pub use watch::Wrong;

/// Every protocol there is. A fifth is one file and one line here.
pub static PROTOCOLS: &[&dyn Protocol] =
    &[&sau::Sau, &gomocup::Gomocup, &junqi::JunqiProtocol, &tiaojia::TiaojiaProtocol];

/// The protocol of this name (or one of its other names), if it speaks this game; without a name, the first that does.
#[must_use]
pub fn find(game: &str, name: Option<&str>) -> Option<&'static dyn Protocol> {
    PROTOCOLS.iter().copied().find(|protocol| {
        let facts = protocol.facts();
        facts.games.contains(&game)
            && name.is_none_or(|name| facts.id.eq_ignore_ascii_case(name) || facts.aliases.contains(&name))
    })
}

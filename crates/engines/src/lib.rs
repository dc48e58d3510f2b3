//! boyi's built-in players.
//!
//! This crate depends on `games` and `protocols`. A player is a [`Player`]: it lives on what its seat
//! learns, so it can sit inside the program or behind any protocol, and in a hidden game it knows no more than an engine
//! would. Read [`player`] first.

mod greedy;
mod lines;
mod memory;

use games::{Event, Listing, Phrase, Side};
use memory::Memory;
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// How a player chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Any legal ply.
    Random,
    /// The ply that looks best at once: wins if it can, takes what it can, blocks what it must.
    Greedy,
}

/// The players there are: name, style, description.
pub static STYLES: &[(&str, Style, Phrase)] = &[
    ("random", Style::Random, Phrase::new("any legal ply", "随机合法着法")),
    ("greedy", Style::Greedy, Phrase::new("what looks best at once, no look-ahead", "只看一步的贪心着法")),
];

/// The style of this name.
#[must_use]
pub fn style(name: &str) -> Option<Style> {
    STYLES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|&(_, style, _)| style)
}

/// A player of this game; the same seed gives the same games.
#[must_use]
pub fn player(game: &'static dyn Listing, style: Style, seed: u64) -> Box<dyn Player> {
    Box::new(BuiltIn {
        game,
        style,
        memory: memory::of(game, &Value::Null, Side::Black, None),
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    })
}

struct BuiltIn {
    game: &'static dyn Listing,
    style: Style,
    memory: Option<Box<dyn Memory>>,
    rng: Xoshiro256PlusPlus,
}

impl Player for BuiltIn {
    fn name(&self) -> String {
        let style = STYLES.iter().find(|(_, style, _)| *style == self.style).map_or("", |(name, ..)| name);
        format!("boyi-{style}")
    }

    fn new_game(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.memory = memory::of(self.game, variant, seat, position);
    }

    fn learn(&mut self, event: &Event) {
        if let Some(memory) = &mut self.memory {
            memory.learn(event);
        }
    }

    fn forget(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.forget();
        }
    }

    fn think(&mut self, _limits: ThinkLimits) -> String {
        let Some(memory) = &self.memory else { return String::new() };
        let chosen = memory.imagine(&mut self.rng).and_then(|imagined| match self.style {
            Style::Random => greedy::any(imagined.as_ref(), memory.as_ref(), &mut self.rng),
            Style::Greedy => greedy::best(imagined.as_ref(), memory.as_ref(), &mut self.rng),
        });
        // Whoever has no ply has lost anyway; in Phantom Go he passes.
        chosen.unwrap_or_else(|| "pass".to_owned())
    }
}

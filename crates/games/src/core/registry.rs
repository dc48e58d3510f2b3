//! How a game is listed, found by any of its names, and opened.

use std::marker::PhantomData;

use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use super::facts::Facts;
use super::game::Game;
use super::laws::{self, Broken, Effort};
use super::perft::playout;
use super::phrase::Language;
use super::table::{self, OpenError, Table};
use super::variant::{self, Variant as _, nearest};

/// What the registry holds of a game: its facts and how to open it.
pub trait Listing: Sync {
    /// The facts.
    fn facts(&self) -> &'static Facts;
    /// A table with these options (`null`: the defaults), at the start or at a position.
    fn open(&self, variant: &Value, position: Option<&str>) -> Result<Box<dyn Table>, OpenError>;
    /// The options with their default values.
    fn defaults(&self) -> Value;
    /// Plays one random game of this variant and checks every law on the way.
    fn check_laws(&self, variant: &Value, seed: u64, effort: Effort) -> Result<(), Broken>;
    /// Plays random games on the typed face until `enough` says so after a game; gives games and plies played.
    fn playouts(&self, variant: &Value, seed: u64, enough: &mut dyn FnMut() -> bool) -> Result<Playouts, OpenError>;
}

/// What [`Listing::playouts`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Playouts {
    /// Games played to the end.
    pub games: u64,
    /// Plies in all of them.
    pub plies: u64,
}

/// The listing of a typed game.
#[derive(Debug)]
pub struct Entry<G>(PhantomData<fn() -> G>);

impl<G: Game> Entry<G> {
    /// The only value.
    #[expect(clippy::new_without_default, reason = "a constant for the registry's table, not a thing one makes")]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G: Game> Listing for Entry<G> {
    fn facts(&self) -> &'static Facts {
        G::FACTS
    }

    fn open(&self, variant: &Value, position: Option<&str>) -> Result<Box<dyn Table>, OpenError> {
        table::open::<G>(variant, position)
    }

    fn defaults(&self) -> Value {
        serde_json::to_value(G::Variant::default()).unwrap_or(Value::Null)
    }

    fn check_laws(&self, variant: &Value, seed: u64, effort: Effort) -> Result<(), Broken> {
        let variant: G::Variant = variant::read(variant).map_err(|error| Broken::new("variant", error.to_string()))?;
        variant.check().map_err(|fault| Broken::new("variant", fault.to_string()))?;
        laws::check::<G>(&variant, seed, effort)
    }

    fn playouts(&self, variant: &Value, seed: u64, enough: &mut dyn FnMut() -> bool) -> Result<Playouts, OpenError> {
        let start = G::new(&variant::read::<G::Variant>(variant)?);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = start.clone();
        let mut played = Playouts::default();
        loop {
            position.clone_from(&start);
            playout(&mut position, &mut rng, u32::MAX);
            played.games += 1;
            played.plies += u64::from(position.plies() - start.plies());
            if enough() {
                return Ok(played);
            }
        }
    }
}

/// Somebody named a game that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub struct UnknownGame {
    /// What was given.
    pub name: String,
    /// The id that was probably meant.
    pub meant: Option<&'static str>,
}

impl UnknownGame {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let name: String = self.name.chars().take(40).collect();
        match (self.meant, language) {
            (Some(meant), Language::En) => format!("no game is called {name:?}; did you mean {meant:?}?"),
            (Some(meant), Language::Zh) => format!("没有名为“{name}”的棋种，是否想用“{meant}”？"),
            (None, Language::En) => format!("no game is called {name:?}; `boyi games` lists them"),
            (None, Language::Zh) => format!("没有名为“{name}”的棋种；`boyi games` 列出全部棋种"),
        }
    }
}

/// Finds a game by its id, its English or Chinese name, or an alias; case, blanks, `-` and `_` do not matter.
pub fn find(games: &'static [&'static dyn Listing], name: &str) -> Result<&'static dyn Listing, UnknownGame> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
    };
    let names = |facts: &'static Facts| {
        [facts.id, facts.name.en, facts.name.zh].into_iter().chain(facts.aliases.iter().copied())
    };
    let wanted = plain(name);
    if let Some(found) = games.iter().find(|game| names(game.facts()).any(|known| plain(known) == wanted)) {
        return Ok(*found);
    }
    let meant = nearest(name, games.iter().flat_map(|game| names(game.facts())))
        .and_then(|near| games.iter().find(|game| names(game.facts()).any(|known| known == near)))
        .map(|game| game.facts().id);
    Err(UnknownGame { name: name.to_owned(), meant })
}

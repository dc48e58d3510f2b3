//! boyi's built-in players.
//!
//! This crate depends on `games` and `protocols`. A player is a [`Player`]: it lives on what its seat
//! learns, so it can sit inside the program or behind any protocol, and in a hidden game it knows no more than an engine
//! would. Read [`player`] first.

pub mod amazons;
mod bounded;
pub mod connect6;
pub mod dots;
pub mod gomoku;
mod greedy;
pub mod junqi;
pub mod kit;
mod lines;
mod memory;
pub mod nogo;
pub mod phantom_go;
pub mod surakarta;
pub mod tiaojia;

use bounded::Bounded;
use games::{Event, Listing, Phrase, Side};
use kit::Strength;
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
    /// Connect6 only: every winning line tabulated, the most valuable point of either side taken.
    Lines,
    /// A strong player held back: 1 is a beginner's opponent, 6 nearly all it can.
    Level(u8),
    /// A strong player with all the time it is given.
    Max,
}

/// What a player may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Everything random follows from this.
    pub seed: u64,
    /// The most memory it may use, in bytes.
    pub memory: usize,
    /// How many cores it may use.
    pub threads: usize,
}

impl Settings {
    /// The usual settings with this seed.
    #[must_use]
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed, memory: 256 << 20, threads: 1 }
    }
}

/// The players there are: name, style, description. Not every game has the strong ones: ask [`styles`].
pub static STYLES: &[(&str, Style, Phrase)] = &[
    ("random", Style::Random, Phrase::new("any legal ply", "随机合法着法")),
    ("greedy", Style::Greedy, Phrase::new("what looks best at once, no look-ahead", "只看一步的贪心着法")),
    ("lines", Style::Lines, Phrase::new("counts every possible winning line", "统计所有可能的赢线")),
    ("1", Style::Level(1), Phrase::new("level 1: for a first game", "一级：适合初学")),
    ("2", Style::Level(2), Phrase::new("level 2: sees the obvious", "二级：能看到明显的着法")),
    ("3", Style::Level(3), Phrase::new("level 3: a casual player", "三级：业余爱好者")),
    ("4", Style::Level(4), Phrase::new("level 4: a good player", "四级：好手")),
    ("5", Style::Level(5), Phrase::new("level 5: hard to beat", "五级：难以战胜")),
    ("6", Style::Level(6), Phrase::new("level 6: very strong", "六级：很强")),
    ("max", Style::Max, Phrase::new("full strength, uses all its time", "最强：用满给定时间")),
];

/// The strong player of a game.
struct Strong {
    game: &'static str,
    levels: &'static [Strength; 6],
    /// How much of a score is one logit of the chance to win.
    logit: f64,
    make: fn(String, Strength, &Settings) -> Box<dyn Player>,
}

/// A logit of players whose weights are learned from results.
const LEARNED: f64 = 100.0;

/// The games that have one. A player is one file and one line here.
static STRONG: &[Strong] = &[
    Strong {
        game: "connect6",
        levels: &connect6::LEVELS,
        // Fits the results of eight games at level 3 best.
        logit: 200.0,
        make: |name, strength, settings| Box::new(connect6::player(name, strength, settings)),
    },
    Strong {
        game: "gomoku",
        levels: &gomoku::LEVELS,
        // The scale its weights were fitted at.
        logit: 250.0,
        make: |name, strength, settings| Box::new(gomoku::player(name, strength, settings)),
    },
    Strong {
        game: "amazons",
        levels: &amazons::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(amazons::player(name, strength, settings)),
    },
    Strong {
        game: "nogo",
        levels: &nogo::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(nogo::player(name, strength, settings)),
    },
    Strong {
        game: "surakarta",
        levels: &surakarta::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(surakarta::player(name, strength, settings)),
    },
    Strong {
        game: "dots",
        levels: &dots::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(dots::player(name, strength, settings)),
    },
    Strong {
        game: "junqi",
        levels: &junqi::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(junqi::player(name, strength, settings)),
    },
    Strong {
        game: "phantom-go",
        levels: &phantom_go::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(phantom_go::player(name, strength, settings)),
    },
    Strong {
        game: "tiaojia",
        levels: &tiaojia::LEVELS,
        logit: LEARNED,
        make: |name, strength, settings| Box::new(tiaojia::player(name, strength, settings)),
    },
];

fn strong(game: &dyn Listing) -> Option<&'static Strong> {
    STRONG.iter().find(|strong| strong.game == game.facts().id)
}

/// The chance to win that a score of a strong player of this game stands for, from 0 to 1.
#[must_use]
pub fn chance(game: &dyn Listing, score: i32) -> f64 {
    if score.abs() > kit::alpha_beta::WIN_FLOOR {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    let logit = strong(game).map_or(LEARNED, |strong| strong.logit);
    1.0 / (1.0 + (-f64::from(score) / logit).exp())
}

/// The players of a game, weakest first.
pub fn styles(game: &'static dyn Listing) -> impl Iterator<Item = &'static (&'static str, Style, Phrase)> {
    STYLES.iter().filter(move |(_, style, _)| match style {
        Style::Random | Style::Greedy => true,
        Style::Lines => game.facts().id == "connect6",
        Style::Level(_) | Style::Max => strong(game).is_some(),
    })
}

/// The style of this name.
#[must_use]
pub fn style(name: &str) -> Option<Style> {
    STYLES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|&(_, style, _)| style)
}

/// A player of this game with the usual settings; the same seed gives the same games.
#[must_use]
pub fn player(game: &'static dyn Listing, style: Style, seed: u64) -> Box<dyn Player> {
    player_with(game, style, &Settings::with_seed(seed))
}

/// A player of this game. A game without a strong player has its greedy one instead.
#[must_use]
pub fn player_with(game: &'static dyn Listing, style: Style, settings: &Settings) -> Box<dyn Player> {
    let name = STYLES.iter().find(|(_, known, _)| *known == style).map_or("", |(name, ..)| name);
    let name = format!("boyi-{name}");
    let strength = |strong: &Strong| match style {
        Style::Random | Style::Greedy | Style::Lines => None,
        Style::Level(level) => strong.levels.get(usize::from(level).saturating_sub(1)).copied(),
        Style::Max => Some(Strength::FULL),
    };
    if let Some((strong, strength)) =
        strong(game).and_then(|strong| strength(strong).map(|strength| (strong, strength)))
    {
        let make = strong.make;
        return Box::new(Bounded::new(Box::new(move |settings| make(name.clone(), strength, settings)), *settings));
    }
    if style == Style::Lines && game.facts().id == "connect6" {
        return Box::new(connect6::lines(name, settings));
    }
    Box::new(BuiltIn {
        game,
        name,
        style,
        memory: memory::of(game, &Value::Null, Side::Black, None),
        rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
    })
}

struct BuiltIn {
    game: &'static dyn Listing,
    name: String,
    style: Style,
    memory: Option<Box<dyn Memory>>,
    rng: Xoshiro256PlusPlus,
}

impl Player for BuiltIn {
    fn name(&self) -> String {
        self.name.clone()
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
            _ => greedy::best(imagined.as_ref(), memory.as_ref(), &mut self.rng),
        });
        // Whoever has no ply has lost anyway; in Phantom Go he passes.
        chosen.unwrap_or_else(|| "pass".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_chance_and_a_proof_is_certain() {
        let game = games::find("nogo").unwrap();
        let won = kit::alpha_beta::WIN - 7;
        let chances = [-won, -100, 0, 100, won].map(|score| chance(game, score));
        assert!(chances.is_sorted() && chances[0] == 0.0 && chances[4] == 1.0, "{chances:?}");
        assert!((chances[2] - 0.5).abs() < 1e-9 && (chances[3] - 0.731).abs() < 1e-3, "{chances:?}");
        // Scores of the line games are worth less each.
        assert!(chance(games::find("gomoku").unwrap(), 100) < chances[3]);
    }
}

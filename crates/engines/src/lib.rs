//! boyi's built-in players.
//!
//! This crate depends on `games` and `protocols`. A player is a [`Player`]: it lives on what its seat
//! learns, so it can sit inside the program or behind any protocol, and in a hidden game it knows no more than an
//! engine would. Read [`player`] first.

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
mod uct;

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
    /// Tree search with random playouts, as a general game player does it that knows nothing but the rules.
    Uct,
    /// A strong player held back: 1 is a beginner's opponent, 6 nearly all it can.
    Level(u8),
    /// A strong player with all the time it is given.
    Max,
    /// The same without one of its ideas, to see by matches what the idea is worth.
    Without(&'static str),
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
    /// The idea it does without, if any.
    pub without: Option<&'static str>,
}

impl Settings {
    /// The usual settings with this seed.
    #[must_use]
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed, memory: 256 << 20, threads: 1, without: None }
    }

    /// Whether a player is to use this idea.
    pub(crate) fn uses(&self, idea: &str) -> bool {
        self.without != Some(idea)
    }
}

/// The players there are: name, style, description. Not every game has the strong ones: ask [`styles`].
pub static STYLES: &[(&str, Style, Phrase)] = &[
    ("random", Style::Random, Phrase::new("any legal ply", "随机合法着法")),
    ("greedy", Style::Greedy, Phrase::new("what looks best at once, no look-ahead", "只看一步的贪心着法")),
    ("lines", Style::Lines, Phrase::new("counts every possible winning line", "统计所有可能的赢线")),
    ("uct", Style::Uct, Phrase::new("random playouts, knows nothing but the rules", "随机模拟的树搜索，只懂规则")),
    ("1", Style::Level(1), Phrase::new("level 1: for a first game", "1 级：适合初学")),
    ("2", Style::Level(2), Phrase::new("level 2: sees the obvious", "2 级：能看到明显的着法")),
    ("3", Style::Level(3), Phrase::new("level 3: a casual player", "3 级：业余爱好者")),
    ("4", Style::Level(4), Phrase::new("level 4: a good player", "4 级：好手")),
    ("5", Style::Level(5), Phrase::new("level 5: hard to beat", "5 级：难以战胜")),
    ("6", Style::Level(6), Phrase::new("level 6: very strong", "6 级：很强")),
    ("max", Style::Max, Phrase::new("full strength, uses all its time", "最强：用满给定时间")),
];

/// Makes a baseline of this name.
type Baseline = fn(String, &Settings) -> Box<dyn Player>;

/// The strong player of a game.
struct Strong {
    game: &'static str,
    levels: &'static [Strength; 6],
    /// How much of a score is one logit of the chance to win.
    logit: f64,
    /// What it can do without, for comparing; docs/strength.md tells what each is worth.
    ideas: &'static [&'static str],
    /// Baselines that only some games have.
    baselines: &'static [(Style, Baseline)],
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
        ideas: &["threats"],
        baselines: &[(Style::Lines, |name, settings| Box::new(connect6::lines(name, settings)))],
        make: |name, strength, settings| Box::new(connect6::player(name, strength, settings)),
    },
    Strong {
        game: "gomoku",
        levels: &gomoku::LEVELS,
        // The scale its weights were fitted at.
        logit: 250.0,
        ideas: &["fours", "threats", "refuting"],
        baselines: &[(Style::Uct, uct::player::<games::gomoku::Gomoku>)],
        make: |name, strength, settings| Box::new(gomoku::player(name, strength, settings)),
    },
    Strong {
        game: "amazons",
        levels: &amazons::LEVELS,
        logit: LEARNED,
        ideas: &["filling", "best-line"],
        baselines: &[(Style::Uct, uct::player::<games::amazons::Amazons>)],
        make: |name, strength, settings| Box::new(amazons::player(name, strength, settings)),
    },
    Strong {
        game: "nogo",
        levels: &nogo::LEVELS,
        logit: LEARNED,
        ideas: &["order", "proofs"],
        baselines: &[(Style::Uct, uct::player::<games::nogo::NoGo>)],
        make: |name, strength, settings| Box::new(nogo::player(name, strength, settings)),
    },
    Strong {
        game: "surakarta",
        levels: &surakarta::LEVELS,
        logit: LEARNED,
        ideas: &["tuples", "table"],
        baselines: &[(Style::Uct, uct::player::<games::surakarta::Surakarta>)],
        make: |name, strength, settings| Box::new(surakarta::player(name, strength, settings)),
    },
    Strong {
        game: "dots",
        levels: &dots::LEVELS,
        logit: LEARNED,
        ideas: &["solver"],
        baselines: &[],
        make: |name, strength, settings| Box::new(dots::player(name, strength, settings)),
    },
    Strong {
        game: "junqi",
        levels: &junqi::LEVELS,
        logit: LEARNED,
        ideas: &["likely", "depth"],
        baselines: &[],
        make: |name, strength, settings| Box::new(junqi::player(name, strength, settings)),
    },
    Strong {
        game: "phantom-go",
        levels: &phantom_go::LEVELS,
        logit: LEARNED,
        ideas: &["worlds", "amaf"],
        baselines: &[],
        make: |name, strength, settings| Box::new(phantom_go::player(name, strength, settings)),
    },
    Strong {
        game: "tiaojia",
        levels: &tiaojia::LEVELS,
        logit: LEARNED,
        ideas: &["table", "passing"],
        baselines: &[(Style::Uct, uct::player::<games::tiaojia::Tiaojia>)],
        make: |name, strength, settings| Box::new(tiaojia::player(name, strength, settings)),
    },
];

fn strong(game: &dyn Listing) -> Option<&'static Strong> {
    STRONG.iter().find(|strong| strong.game == game.facts().id)
}

/// How a baseline that only some games have is made.
fn baseline(game: &dyn Listing, style: Style) -> Option<Baseline> {
    strong(game)?.baselines.iter().find(|(known, _)| *known == style).map(|&(_, make)| make)
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
        Style::Lines | Style::Uct => baseline(game, *style).is_some(),
        Style::Level(_) | Style::Max => strong(game).is_some(),
        Style::Without(_) => false,
    })
}

/// What the strong player of a game can do without, for comparing.
#[must_use]
pub fn ideas(game: &dyn Listing) -> &'static [&'static str] {
    strong(game).map_or(&[], |strong| strong.ideas)
}

/// Whether a game has a player of this style.
#[must_use]
pub fn has(game: &'static dyn Listing, style: Style) -> bool {
    match style {
        Style::Without(idea) => ideas(game).contains(&idea),
        _ => styles(game).any(|&(_, known, _)| known == style),
    }
}

/// The style of this name; `max-fours` is `max` without its idea `fours`.
#[must_use]
pub fn style(name: &str) -> Option<Style> {
    if let Some(left_out) = name.strip_prefix("max-") {
        let mut ideas = STRONG.iter().flat_map(|strong| strong.ideas);
        return ideas.find(|idea| **idea == left_out).map(|idea| Style::Without(idea));
    }
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
    let name = match style {
        Style::Without(idea) => format!("boyi-max-{idea}"),
        _ => format!("boyi-{}", STYLES.iter().find(|(_, known, _)| *known == style).map_or("", |(name, ..)| name)),
    };
    let strength = |strong: &Strong| match style {
        Style::Random | Style::Greedy | Style::Lines | Style::Uct => None,
        Style::Level(level) => strong.levels.get(usize::from(level).saturating_sub(1)).copied(),
        Style::Max | Style::Without(_) => Some(Strength::FULL),
    };
    let settings = match style {
        Style::Without(idea) => &Settings { without: Some(idea), ..*settings },
        _ => settings,
    };
    if let Some((strong, strength)) =
        strong(game).and_then(|strong| strength(strong).map(|strength| (strong, strength)))
    {
        let make = strong.make;
        return Box::new(Bounded::new(Box::new(move |settings| make(name.clone(), strength, settings)), *settings));
    }
    if let Some(make) = baseline(game, style) {
        return Box::new(Bounded::new(Box::new(move |settings| make(name.clone(), settings)), *settings));
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

    #[test]
    fn every_idea_can_be_left_out() {
        for game in games::GAMES {
            for idea in ideas(*game) {
                let style = style(&format!("max-{idea}")).unwrap();
                assert!(has(*game, style), "{idea}");
                let mut player = player(*game, style, 1);
                assert_eq!(player.name(), format!("boyi-max-{idea}"));
                player.new_game(&Value::Null, Side::Black, None);
                let turn = Some(std::time::Duration::from_millis(40));
                let ply = player.think(ThinkLimits { turn, ..ThinkLimits::default() });
                let mut table = game.open(&Value::Null, None).unwrap();
                assert!(table.play(&ply, games::Eyes::All).is_ok(), "{idea}: {ply}");
            }
        }
        assert_eq!(style("max-nonsense"), None);
        assert!(!has(games::find("nogo").unwrap(), style("max-fours").unwrap()));
    }
}

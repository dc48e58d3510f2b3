//! What a tournament file says.

use std::ops::Range;

use games::{Language, Listing};
use referee::TimeControl;
use serde::Deserialize;
use serde_json::Value;

use crate::contest::Openings;
use crate::pairing::{
    Format, FormatError, GauntletSettings, Knockout, KnockoutSettings, PointSystem, RoundRobinSettings, Schedule,
    Swiss, SwissSettings,
};

/// A tournament file (TOML). Everything but the game and the engines has a default.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The game, by any of its names.
    pub game: String,
    /// The tournament's name.
    #[serde(default)]
    pub event: Option<String>,
    /// How it is run.
    #[serde(default)]
    pub format: FormatName,
    /// How often everybody meets everybody; the rounds of a Swiss.
    #[serde(default)]
    pub rounds: Option<usize>,
    /// Games of a match; even numbers swap colours over the same opening.
    #[serde(default = "two")]
    pub games: usize,
    /// A gauntlet: how many of the first engines play all the others.
    #[serde(default = "one")]
    pub challengers: usize,
    /// What a result is worth.
    #[serde(default)]
    pub points: Points,
    /// Everything random follows from this.
    #[serde(default = "one_seed")]
    pub seed: u64,
    /// Games at once.
    #[serde(default)]
    pub concurrency: Option<usize>,
    /// Let engines compute on their opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// The least time between two messages to one engine, in milliseconds.
    #[serde(default)]
    pub gap_ms: u64,
    /// The game's options.
    #[serde(default)]
    pub variant: Value,
    /// The time each side has.
    #[serde(default)]
    pub time: TimeControl,
    /// Where games begin.
    #[serde(default)]
    pub openings: PlannedOpenings,
    /// Who takes part, the strongest first where seeding matters.
    #[serde(rename = "engine")]
    pub engines: Vec<PlannedEngine>,
}

/// How a tournament is run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first against all others.
    Gauntlet,
    /// Equal scores meet.
    Swiss,
    /// Whoever loses is out.
    Knockout,
}

/// What a result is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum Points {
    /// 3 for a match won, 1 for a match drawn.
    #[serde(rename = "3/1/0")]
    Match,
    /// 2 for a game won, 1 for a game drawn.
    #[serde(rename = "2/1/0")]
    Two,
    /// 1 for a game won, ½ for a game drawn.
    #[default]
    #[serde(rename = "1/½/0", alias = "1/0.5/0")]
    One,
}

/// Where games begin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlannedOpenings {
    /// So many random plies.
    pub random: u32,
    /// Positions.
    pub positions: Vec<String>,
    /// Lists of plies, each separated by blanks.
    pub plies: Vec<String>,
}

/// One that takes part.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedEngine {
    /// The name in the tables.
    #[serde(default)]
    pub name: Option<String>,
    /// The command that starts it.
    #[serde(default)]
    pub command: Option<String>,
    /// Or the level of a built-in player.
    #[serde(default)]
    pub builtin: Option<String>,
    /// The protocol it speaks.
    #[serde(default)]
    pub protocol: Option<String>,
    /// The protocol's options.
    #[serde(default)]
    pub options: Value,
    /// The memory it is told of, in MiB.
    #[serde(default)]
    pub memory_mib: Option<u64>,
}

const fn one() -> usize {
    1
}

const fn two() -> usize {
    2
}

const fn one_seed() -> u64 {
    1
}

/// What is wrong with a tournament file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was probably meant.
    pub problem: String,
}

impl Plan {
    /// Reads a file's text; a mistake is named with its line.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        let line_of = |span: Option<Range<usize>>| {
            let start = span.map_or(0, |span| span.start.min(text.len()));
            text[..start].matches('\n').count() + 1
        };
        let plan: Self = toml::from_str(text)
            .map_err(|error| PlanError { line: line_of(error.span()), problem: with_suggestion(error.message()) })?;
        plan.check().map_err(|(word, problem)| {
            let at = text.lines().position(|line| line.trim_start().starts_with(word)).unwrap_or_default();
            PlanError { line: at + 1, problem }
        })?;
        Ok(plan)
    }

    /// What the parts cannot see for themselves: the word it is about, and the problem.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let game = games::find(&self.game).map_err(|error| ("game", error.to_string()))?;
        self.open(game).map_err(|problem| ("[variant]", problem))?;
        self.format_for(self.engines.len()).map_err(|error| ("format", error.to_string()))?;
        for engine in &self.engines {
            if engine.command.is_some() == engine.builtin.is_some() {
                return Err(("[[engine]]", "an engine has either a command or a builtin level".to_owned()));
            }
        }
        let openings = &self.openings;
        let kinds = [openings.random > 0, !openings.positions.is_empty(), !openings.plies.is_empty()];
        if kinds.iter().filter(|given| **given).count() > 1 {
            return Err(("[openings]", "openings are random, positions or plies, not several of them".to_owned()));
        }
        for position in &openings.positions {
            game.open(&self.variant, Some(position)).map_err(|error| ("[openings]", error.say(Language::En)))?;
        }
        Ok(())
    }

    fn open(&self, game: &dyn Listing) -> Result<(), String> {
        game.open(&self.variant, None).map(|_| ()).map_err(|error| error.say(Language::En))
    }

    /// The pairings of this tournament, from the beginning.
    pub fn format_for(&self, entrants: usize) -> Result<Box<dyn Format>, FormatError> {
        let (games, points) = (self.games, self.points.system());
        let cycles = self.rounds.unwrap_or(1);
        Ok(match self.format {
            FormatName::RoundRobin => {
                Box::new(Schedule::round_robin(RoundRobinSettings { entrants, cycles, games, points })?)
            }
            FormatName::Gauntlet => {
                let challengers = self.challengers;
                Box::new(Schedule::gauntlet(GauntletSettings { entrants, challengers, cycles, games, points })?)
            }
            FormatName::Swiss => {
                // Enough rounds for a single winner, where the file does not say.
                let rounds = self.rounds.unwrap_or_else(|| entrants.max(2).ilog2() as usize + 1);
                Box::new(Swiss::new(SwissSettings { entrants, rounds, games, points, seed: self.seed })?)
            }
            FormatName::Knockout => {
                let (best_of, extra_games) = (games, games.max(2));
                Box::new(Knockout::new(KnockoutSettings { entrants, best_of, extra_games, points })?)
            }
        })
    }

    /// Where games begin.
    #[must_use]
    pub fn openings(&self, words_per_ply: usize) -> Openings {
        let openings = &self.openings;
        if openings.random > 0 {
            Openings::Random(openings.random)
        } else if !openings.positions.is_empty() {
            Openings::Positions(openings.positions.clone())
        } else if !openings.plies.is_empty() {
            let split = |text: &String| {
                let words: Vec<&str> = text.split_whitespace().collect();
                words.chunks(words_per_ply.max(1)).map(|chunk| chunk.join(" ")).collect()
            };
            Openings::Plies(openings.plies.iter().map(split).collect())
        } else {
            Openings::Usual
        }
    }
}

impl Points {
    const fn system(self) -> PointSystem {
        match self {
            Self::Match => PointSystem::MatchThreeOne,
            Self::Two => PointSystem::GameTwoOne,
            Self::One => PointSystem::GameOneHalf,
        }
    }
}

/// serde says what it expected; the nearest of it is probably what was meant.
fn with_suggestion(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let suggestion = words.next().filter(|_| message.starts_with("unknown")).and_then(|written| {
        words
            .map(|word| (strsim::jaro_winkler(written, word), word))
            .filter(|(likeness, _)| *likeness > 0.75)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    });
    match suggestion {
        Some((_, meant)) => format!("{}; did you mean `{meant}`?", message.split(',').next().unwrap_or(message)),
        None => message.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
game = "不围棋"
format = "swiss"
rounds = 2
[time]
ply_ms = 100
[[engine]]
name = "a"
builtin = "random"
[[engine]]
command = "./b"
[[engine]]
builtin = "greedy"
"#;

    #[test]
    fn a_good_file_is_read() {
        let plan = Plan::read(GOOD).unwrap();
        assert_eq!((plan.format, plan.rounds, plan.games, plan.engines.len()), (FormatName::Swiss, Some(2), 2, 3));
        assert_eq!(plan.time.ply, Some(std::time::Duration::from_millis(100)));
    }

    #[test]
    fn a_mistake_is_named_with_its_line_and_what_was_meant() {
        let read = |from: &str, to: &str| Plan::read(&GOOD.replace(from, to)).unwrap_err().to_string();
        assert_eq!(
            read("builtin = \"greedy\"", "buildin = \"greedy\""),
            "line 13: unknown field `buildin`; did you mean `builtin`?"
        );
        assert_eq!(read("\"swiss\"", "\"swis\""), "line 3: unknown variant `swis`; did you mean `swiss`?");
        assert!(read("不围棋", "chess").starts_with("line 2: no game is called"));
        assert!(read("rounds = 2", "rounds = 9").starts_with("line 3: 3 entrants can play at most"));
        assert!(read("name = \"a\"", "command = \"x\"").starts_with("line 7: an engine has either"));
        assert!(read("[time]", "[variant]\nsize = 99\n[time]").starts_with("line 5: "));
        assert!(read("ply_ms = 100", "ply_ms = ").starts_with("line 6: "));
    }
}

//! What a tournament file says.

mod problem;

use std::path::Path;
use std::time::Duration;

use games::{Listing, Phrase};
use referee::{Adjudication, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contest::{Logs, Restart};
use crate::openings::{Opening, Openings};
use crate::pairing::{
    Format, FormatError, GauntletSettings, Knockout, KnockoutSettings, PointSystem, RoundRobinSettings, Schedule,
    Swiss, SwissSettings,
};
use crate::statistics::Hypotheses;

pub use problem::{PlanError, PlanProblem};

/// A tournament file (TOML). Everything but the game and the engines has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The game, by any of its names.
    pub game: String,
    /// The tournament's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// How it is run.
    #[serde(default)]
    pub format: FormatName,
    /// How often everybody meets everybody; the rounds of a Swiss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// Let engines compute on their opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// When engines are started anew.
    #[serde(default)]
    pub restart: Restart,
    /// Which conversations with engines are kept.
    #[serde(default)]
    pub logs: Logs,
    /// The sandbox engines run in: `auto`, `a`, `b`, `c` or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// The least time between two messages to one engine, in milliseconds.
    #[serde(default)]
    pub gap_ms: u64,
    /// The memory engines are told of, in MiB, where they have no figure of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The game's options.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub variant: Value,
    /// The time each side has.
    #[serde(default)]
    pub time: PlannedTime,
    /// When games are ended before their end.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Where games begin.
    #[serde(default)]
    pub openings: PlannedOpenings,
    /// The sequential test of a match of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Hypotheses>,
    /// Who takes part, the strongest first where seeding matters.
    #[serde(rename = "engine", default)]
    pub engines: Vec<PlannedEngine>,
}

/// How a tournament is run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// The time each side has, in milliseconds; 0 is no limit. Without a limit for plies or games a ply has five seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlannedTime {
    /// For each ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply_ms: Option<u64>,
    /// For a side's whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Added after each ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// Until an engine must be ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// By how much a limit may be overrun without losing.
    #[serde(skip_serializing_if = "is_none")]
    pub tolerance_ms: u64,
}

/// Nothing is written where nothing is tolerated.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference to the field")]
const fn is_none(milliseconds: &u64) -> bool {
    *milliseconds == 0
}

impl PlannedTime {
    /// The limits as the referee takes them.
    #[must_use]
    pub fn control(self) -> TimeControl {
        let usual = TimeControl::default();
        let limit = |given: Option<u64>| given.filter(|given| *given > 0).map(Duration::from_millis);
        TimeControl {
            ply: if self.ply_ms.is_none() && self.game_ms.is_none() { usual.ply } else { limit(self.ply_ms) },
            game: limit(self.game_ms),
            increment: limit(self.increment_ms),
            start: if self.start_ms.is_none() { usual.start } else { limit(self.start_ms) },
            tolerance: Duration::from_millis(self.tolerance_ms),
        }
    }
}

/// Where games begin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlannedOpenings {
    /// So many random plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<u32>,
    /// Of random openings: neither side may score more than so many per cent in quick games from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced: Option<u8>,
    /// Positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<String>,
    /// Lists of plies, each separated by blanks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<String>,
    /// A file with an opening a line; its path is seen from the tournament file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// One that takes part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlannedEngine {
    /// The name in the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The command that starts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Or the level of a built-in player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// The protocol it speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// The protocol's options.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub options: Value,
    /// The memory it is told of, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// The most games of a match.
const MOST_GAMES: usize = 1_000_000;

impl Plan {
    /// A tournament of this game with nothing else said.
    #[must_use]
    pub fn of_game(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            event: None,
            format: FormatName::default(),
            rounds: None,
            games: two(),
            challengers: one(),
            points: Points::default(),
            seed: one_seed(),
            concurrency: None,
            ponder: false,
            restart: Restart::default(),
            logs: Logs::default(),
            sandbox: None,
            gap_ms: 0,
            memory_mib: None,
            variant: Value::Null,
            time: PlannedTime::default(),
            adjudication: Adjudication::default(),
            openings: PlannedOpenings::default(),
            sprt: None,
            engines: Vec::new(),
        }
    }

    /// Reads a file's text; a word or value out of place is named with its line. [`check`](Self::check) sees the rest.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| PlanError::of_reader(text, &error))
    }

    /// The text of a file that says the same.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Sees what the parts cannot see for themselves. `text` is the file, for the line of a mistake, `folder` where it
    /// is.
    pub fn check(&self, text: &str, folder: &Path) -> Result<(), PlanError> {
        self.find_mistake(folder).map_err(|(word, problem)| {
            let line = text.lines().position(|line| line.trim_start().starts_with(word)).map(|at| at + 1);
            PlanError { line, problem }
        })?;
        for (index, engine) in self.engines.iter().enumerate() {
            if engine.command.is_some() == engine.builtin.is_some() {
                let heads = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("[[engine]]"));
                let line = heads.map(|(at, _)| at + 1).nth(index);
                let either = Phrase::new(
                    "an engine has either a command or a builtin level",
                    "引擎须写 command（命令行）或 builtin（内置级别）之一",
                );
                return Err(PlanError { line, problem: PlanProblem::Plain(either) });
            }
        }
        Ok(())
    }

    /// The word of the file that a mistake is about, and the mistake.
    fn find_mistake(&self, folder: &Path) -> Result<(), (&'static str, PlanProblem)> {
        let plain = |word, en, zh| Err((word, PlanProblem::Plain(Phrase::new(en, zh))));
        let game = games::find(&self.game).map_err(|error| ("game", PlanProblem::Game(error)))?;
        game.open(&self.variant, None).map_err(|error| ("[variant]", PlanProblem::Variant(Box::new(error))))?;
        self.format_for(self.engines.len()).map_err(|error| ("format", PlanProblem::Format(error)))?;
        if self.games > MOST_GAMES {
            return plain("games", "a match has at most 1000000 games", "一场比赛最多 1000000 局");
        }
        if self.sandbox.as_deref().is_some_and(|word| !["auto", "a", "b", "c", "none"].contains(&word)) {
            return plain("sandbox", "sandbox is auto, a, b, c or none", "sandbox 应为 auto、a、b、c 或 none");
        }
        if self.concurrency == Some(0) {
            return plain("concurrency", "at least one game must be played at a time", "同时对局数至少为 1");
        }
        if self.adjudication.max_plies == Some(0) {
            return plain("max_plies", "a game needs at least one ply", "最多步数至少为 1");
        }
        if self.adjudication.win.is_some_and(|rule| rule.score == 0) {
            return plain("win", "a winning score must be more than 0", "裁定胜负的评分须大于 0");
        }
        let openings = &self.openings;
        if openings.balanced.is_some_and(|most| !(50..=100).contains(&most)) {
            return plain("balanced", "balanced is a percentage from 50 to 100", "balanced 应为 50 至 100 的百分数");
        }
        if openings.balanced.is_some() && openings.random.is_none() {
            return plain("balanced", "only random openings can be balanced", "只有随机开局可以设置 balanced");
        }
        let listed = !openings.positions.is_empty() || !openings.plies.is_empty() || openings.file.is_some();
        if openings.random.is_some() && listed {
            return plain(
                "[openings]",
                "openings are either random or listed, not both",
                "开局要么随机，要么列出，不能兼用",
            );
        }
        self.openings(game, folder).map_err(|problem| {
            let word = if matches!(problem, PlanProblem::Opening(..)) { "[openings]" } else { "file" };
            (word, problem)
        })?;
        Ok(())
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

    /// Where games begin; the file of openings is read from `folder`.
    pub fn openings(&self, game: &dyn Listing, folder: &Path) -> Result<Openings, PlanProblem> {
        let openings = &self.openings;
        if let Some(plies) = openings.random {
            return Ok(Openings::Random { plies, balanced: openings.balanced });
        }
        let mut list = Vec::new();
        for text in openings.positions.iter().chain(&openings.plies) {
            let opening = Opening::read(game, &self.variant, text);
            list.push(opening.map_err(|error| PlanProblem::Opening(text.clone(), error))?);
        }
        if let Some(name) = &openings.file {
            let path = folder.join(name);
            let text = match std::fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) => return Err(PlanProblem::OpeningFile(path, error)),
            };
            let read = Opening::read_file(game, &self.variant, &text);
            list.extend(read.map_err(|(line, error)| PlanProblem::OpeningLine(path, line, error))?);
        }
        Ok(if list.is_empty() { Openings::Usual } else { Openings::List(list) })
    }

    /// The names of the engines in the tables: what the file says, else what they are; equal ones are numbered.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for engine in &self.engines {
            let name = match (&engine.name, &engine.command, &engine.builtin) {
                (Some(name), ..) => name.clone(),
                (None, Some(command), _) => command.clone(),
                (None, None, level) => format!("builtin:{}", level.as_deref().unwrap_or_default()),
            };
            let taken = |name: &String| names.contains(name);
            let mut free = (2..).map(|number| format!("{name} ({number})")).filter(|name| !taken(name));
            let name = if taken(&name) { free.next().unwrap_or(name) } else { name };
            names.push(name);
        }
        names
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

#[cfg(test)]
mod tests;

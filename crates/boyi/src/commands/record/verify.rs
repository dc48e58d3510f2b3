//! `boyi record verify`: every game of every file, held against the rules.

use std::io::Write as _;
use std::process::ExitCode;

use clap::ArgMatches;
use games::Language;
use records::{Choices, Format, Opened, ReadError, ReplayError};
use serde_json::json;

use super::{bytes_of, choices, name_of};
use crate::context::Context;

/// A file larger than this is no collection of games; a journal of a hundred thousand games stays below it.
const MOST_BYTES: u64 = 1 << 30;

/// A game that is not true.
struct Wrong {
    /// Its number in the file, from 1.
    game: usize,
    ply: Option<usize>,
    said: String,
}

/// What was found in a file.
#[derive(Default)]
struct Found {
    format: Option<Format>,
    games: usize,
    /// Plies of all games.
    plies: usize,
    wrong: Vec<Wrong>,
}

impl Found {
    fn add(&mut self, opened: Result<Opened, ReadError>, language: Language) {
        self.games += 1;
        let (ply, said) = match opened {
            Ok(opened) => {
                self.format = Some(opened.format);
                self.plies += opened.record.plies.len();
                let Err(error) = opened.record.replay() else { return };
                (ReplayError::ply(&error), error.say(language))
            }
            Err(error) => (None, error.say(language)),
        };
        self.wrong.push(Wrong { game: self.games, ply, said });
    }

    fn in_file(context: Context, file: &str, choices: &Choices) -> Self {
        let mut found = Self::default();
        match bytes_of(context, file, MOST_BYTES) {
            Ok(bytes) => {
                records::read_each(&bytes, &name_of(file), choices, |opened| found.add(opened, context.language));
            }
            Err(error) => found.wrong.push(Wrong { game: 1, ply: None, said: format!("{error:#}") }),
        }
        found
    }

    /// A line a wrong game, and one that says how many there are where it is more than one.
    fn lines(&self, file: &str, language: Language) -> Vec<String> {
        let (games, wrong) = (self.games, self.wrong.len());
        if games <= 1 {
            return vec![format!("{file}: {}", self.wrong.first().map_or("OK", |wrong| &wrong.said))];
        }
        let said = |wrong: &Wrong| match language {
            Language::En => format!("{file}, game {}: {}", wrong.game, wrong.said),
            Language::Zh => format!("{file} 第 {} 局：{}", wrong.game, wrong.said),
        };
        let sum = match (language, wrong) {
            (Language::En, 0) => format!("{file}: OK ({games} games)"),
            (Language::Zh, 0) => format!("{file}: OK（共 {games} 局）"),
            (Language::En, _) => format!("{file}: {wrong} of {games} games are wrong"),
            (Language::Zh, _) => format!("{file}：共 {games} 局，其中 {wrong} 局有误"),
        };
        self.wrong.iter().map(said).chain([sum]).collect()
    }

    /// For programs; `ply` and `problem` are those of the first wrong game.
    fn json(&self, file: &str) -> serde_json::Value {
        let first = self.wrong.first();
        let wrong =
            self.wrong.iter().map(|wrong| json!({ "game": wrong.game, "ply": wrong.ply, "problem": wrong.said }));
        json!({
            "file": file,
            "ok": first.is_none(),
            "format": self.format.map(Format::name),
            "games": self.games,
            "plies": self.plies,
            "ply": first.and_then(|wrong| wrong.ply),
            "problem": first.map(|wrong| &wrong.said),
            "wrong": wrong.collect::<Vec<_>>(),
        })
    }
}

pub(super) fn verify(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let choices = choices(context, matches)?;
    let mut out = anstream::stdout().lock();
    let mut all_good = true;
    for file in matches.get_many::<String>("file").into_iter().flatten() {
        let found = Found::in_file(context, file, &choices);
        all_good &= found.wrong.is_empty();
        if context.json {
            writeln!(out, "{}", found.json(file))?;
        } else {
            for line in found.lines(file, context.language) {
                writeln!(out, "{line}")?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!all_good)))
}

//! What can be wrong with a tournament file, said with its line and what was probably meant.

use std::ops::Range;
use std::path::PathBuf;

use games::{Language, OpenError, Phrase, UnknownGame};

use crate::openings::OpeningError;
use crate::pairing::FormatError;

/// A mistake and where it is.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub struct PlanError {
    /// The line of the file, from 1, where it is in the file.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: PlanProblem,
}

/// What is wrong.
#[derive(Debug)]
pub enum PlanProblem {
    /// Not TOML, or a word or value that has no place there.
    Syntax {
        /// What the reader said.
        message: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// No such game.
    Game(UnknownGame),
    /// The game has no such options.
    Variant(Box<OpenError>),
    /// No such tournament.
    Format(FormatError),
    /// An opening of the file itself that is none.
    Opening(String, OpeningError),
    /// A line of the file of openings that is none.
    OpeningLine(PathBuf, usize, OpeningError),
    /// The file of openings cannot be read.
    OpeningFile(PathBuf, std::io::Error),
    /// Anything else that is plainly wrong.
    Plain(Phrase),
}

impl PlanError {
    /// The sentence for a person, its line first.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let problem = self.problem.say(language);
        match (self.line, language) {
            (None, _) => problem,
            (Some(line), Language::En) => format!("line {line}: {problem}"),
            (Some(line), Language::Zh) => format!("第 {line} 行：{problem}"),
        }
    }

    /// What the TOML reader complained of.
    pub(super) fn of_reader(text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|Range { start, .. }| text[..start.min(text.len())].matches('\n').count() + 1);
        let message = error.message().trim_end().to_owned();
        let meant = meant(&message);
        Self { line: Some(line.unwrap_or(1)), problem: PlanProblem::Syntax { message, meant } }
    }
}

impl PlanProblem {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match self {
            Self::Syntax { message, meant } => syntax(message, meant.as_deref(), language),
            Self::Game(error) => error.say(language),
            Self::Variant(error) => error.say(language),
            Self::Format(error) => error.say(language),
            Self::Opening(text, error) => match language {
                Language::En => format!("opening {text:?}: {}", error.say(language)),
                Language::Zh => format!("开局“{text}”：{}", error.say(language)),
            },
            Self::OpeningLine(path, line, error) => match language {
                Language::En => format!("{}, line {line}: {}", path.display(), error.say(language)),
                Language::Zh => format!("{} 第 {line} 行：{}", path.display(), error.say(language)),
            },
            Self::OpeningFile(path, error) => format!("{}: {error}", path.display()),
            Self::Plain(phrase) => phrase.text(language).to_owned(),
        }
    }
}

/// The reader speaks English; its usual complaints are said in Chinese too.
fn syntax(message: &str, meant: Option<&str>, language: Language) -> String {
    let first = message.split('`').nth(1).unwrap_or_default();
    match (language, meant) {
        (Language::En, Some(meant)) => {
            format!("{}; did you mean `{meant}`?", message.split(',').next().unwrap_or(message))
        }
        (Language::En, None) => message.to_owned(),
        (Language::Zh, meant) => {
            let problem = if message.starts_with("unknown field") {
                format!("没有名为“{first}”的项")
            } else if message.starts_with("unknown variant") {
                format!("不能取值“{first}”")
            } else if message.starts_with("missing field") {
                format!("缺少“{first}”")
            } else {
                format!("格式有误：{message}")
            };
            match (meant, message.split_once("expected ")) {
                (Some(meant), _) => format!("{problem}；是否想用“{meant}”？"),
                (None, Some((_, expected))) if problem.starts_with(['没', '不']) => {
                    format!("{problem}；可用：{}", expected.trim_start_matches("one of "))
                }
                _ => problem,
            }
        }
    }
}

/// serde says what it expected; the nearest of it is probably what was meant.
fn meant(message: &str) -> Option<String> {
    let mut words = message.split('`').skip(1).step_by(2);
    let written = words.next().filter(|_| message.starts_with("unknown"))?;
    words
        .map(|word| (strsim::jaro_winkler(written, word), word))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word.to_owned())
}

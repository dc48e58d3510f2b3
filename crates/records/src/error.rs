//! What can be wrong with a file, and why a record cannot be written in a format.

use games::{Facts, Language, OpenError, Phrase, UnknownGame};

use crate::format::Format;
use crate::replay::ReplayError;

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub enum ReadError {
    /// It is none of the formats.
    UnknownFormat {
        /// How it begins.
        found: String,
    },
    /// Neither UTF-8 nor GB18030.
    Encoding,
    /// Not JSON, or JSON of another shape.
    Json {
        /// What is wrong and where.
        problem: String,
    },
    /// JSON, but not a record.
    NotARecord {
        /// What stands in its field `format`.
        found: String,
    },
    /// A record of a version that is not known here.
    Version {
        /// What stands in its field `version`.
        found: String,
    },
    /// A text that does not follow its format.
    Syntax {
        /// The format.
        format: Format,
        /// The line, counted from 1.
        line: usize,
        /// What should stand there.
        expected: Phrase,
        /// What stands there.
        found: String,
    },
    /// The file does not say which game it is.
    WhichGame {
        /// The format.
        format: Format,
    },
    /// It names a game that is not there.
    UnknownGame(UnknownGame),
    /// The format is not one for this game.
    NoForm {
        /// The game's id.
        game: &'static str,
        /// The format.
        format: Format,
    },
    /// The options or the position are wrong.
    Open(OpenError),
}

/// A format by its name for people.
fn name(format: Format, language: Language) -> &'static str {
    format.title().text(language)
}

impl ReadError {
    /// The same error in a file that has so many lines before it.
    pub(crate) fn further_down(self, lines: usize) -> Self {
        match self {
            Self::Syntax { format, line, expected, found } => {
                Self::Syntax { format, line: line + lines, expected, found }
            }
            other => other,
        }
    }

    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::UnknownFormat { found }, Language::En) if found.is_empty() => {
                "the file is empty; a game record was expected".to_owned()
            }
            (Self::UnknownFormat { found }, Language::Zh) if found.is_empty() => "文件为空；应为一份棋谱".to_owned(),
            (Self::UnknownFormat { found }, Language::En) => format!(
                "no known format begins with {found:?}; expected boyi's own JSON, SGF, Piskvork's .psq or a championship text"
            ),
            (Self::UnknownFormat { found }, Language::Zh) => {
                format!("无法识别以“{found}”开头的文件；应为本平台 JSON、SGF、Piskvork 的 .psq 或竞赛棋谱文本")
            }
            (Self::Encoding, Language::En) => "the text is neither UTF-8 nor GB18030".to_owned(),
            (Self::Encoding, Language::Zh) => "文本既不是 UTF-8 也不是 GB18030 编码".to_owned(),
            (Self::Json { problem }, Language::En) => format!("not a readable JSON record: {problem}"),
            (Self::Json { problem }, Language::Zh) => format!("无法读取 JSON 棋谱：{problem}"),
            (Self::NotARecord { found }, Language::En) => {
                format!("not a boyi record: \"format\" should be \"boyi-record\", not {}", or_nothing(found, "missing"))
            }
            (Self::NotARecord { found }, Language::Zh) => {
                format!("不是本平台棋谱：format 应为 \"boyi-record\"，现为 {}", or_nothing(found, "空缺"))
            }
            (Self::Version { found }, Language::En) => {
                format!(
                    "records of version {} are not known; this boyi reads version 1",
                    or_nothing(found, "(missing)")
                )
            }
            (Self::Version { found }, Language::Zh) => {
                format!("不认识版本为 {} 的棋谱；本程序读取版本 1", or_nothing(found, "（空缺）"))
            }
            (Self::Syntax { format, line, expected, found }, Language::En) => {
                let found = if found.is_empty() { "the end of the file".to_owned() } else { format!("{found:?}") };
                format!("{}, line {line}: expected {}, found {found}", name(*format, language), expected.en)
            }
            (Self::Syntax { format, line, expected, found }, Language::Zh) => {
                let found = if found.is_empty() { "文件结尾".to_owned() } else { format!("“{found}”") };
                format!("{}第 {line} 行：应为{}，却是{found}", name(*format, language), expected.zh)
            }
            (Self::WhichGame { format }, Language::En) => {
                format!("this {} file does not say which game it is; say it with --game", name(*format, language))
            }
            (Self::WhichGame { format }, Language::Zh) => {
                format!("此{}文件没有说明棋种；请用 --game 指定", name(*format, language))
            }
            (Self::UnknownGame(error), _) => error.say(language),
            (Self::NoForm { game, format }, _) => no_form(game, *format, language),
            (Self::Open(error), _) => error.say(language),
        }
    }
}

fn or_nothing<'a>(found: &'a str, nothing: &'a str) -> &'a str {
    if found.is_empty() { nothing } else { found }
}

fn no_form(game: &str, format: Format, language: Language) -> String {
    let title = games::find(game).map_or("", |listing| listing.facts().name.text(language));
    match language {
        Language::En => format!("{} has no form for {title}", name(format, language)),
        Language::Zh => format!("{}没有{title}的写法", name(format, language)),
    }
}

/// Why a record cannot be written in a format.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub enum WriteError {
    /// The record itself is wrong.
    Replay(ReplayError),
    /// The format is not one for this game.
    NoForm {
        /// The game's id.
        game: &'static str,
        /// The format.
        format: Format,
    },
    /// The format knows only the usual board.
    Board {
        /// The format.
        format: Format,
    },
    /// The format knows only the usual start.
    Start {
        /// The format.
        format: Format,
    },
}

impl WriteError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::Replay(error), _) => error.say(language),
            (Self::NoForm { game, format }, _) => no_form(game, *format, language),
            (Self::Board { format }, Language::En) => {
                format!("{} knows only the usual board of this game", name(*format, language))
            }
            (Self::Board { format }, Language::Zh) => {
                format!("{}只适用于本棋种的标准棋盘", name(*format, language))
            }
            (Self::Start { format }, Language::En) => {
                format!("{} cannot hold the position this game started from", name(*format, language))
            }
            (Self::Start { format }, Language::Zh) => {
                format!("{}无法表示本局的起始局面", name(*format, language))
            }
        }
    }

    pub(crate) const fn no_form(facts: &'static Facts, format: Format) -> Self {
        Self::NoForm { game: facts.id, format }
    }
}

impl From<ReplayError> for WriteError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

//! Why nothing was built, other than that the compiler said no.

use std::path::PathBuf;

use games::Language;
use sandbox::Level;

use crate::languages;
use crate::project::ProjectError;
use crate::source::LARGEST_SOURCE;
use crate::toolchain::Missing;

/// Why bytes are not a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// There is nothing in it.
    #[error("the source is empty")]
    Empty,
    /// It is too long.
    #[error(
        "the source has {bytes} bytes; at most {LARGEST_SOURCE} are taken: move tables out of it or compute them at the start"
    )]
    TooLarge {
        /// How long.
        bytes: usize,
    },
    /// It holds NUL bytes.
    #[error(
        "line {line} holds a NUL byte, so this is not source text: give the source, not the compiled program, and save it as UTF-8 (or as UTF-16 with a byte order mark)"
    )]
    NotText {
        /// Where.
        line: usize,
    },
}

impl Unusable {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Empty) => "源代码为空".to_owned(),
            (Language::Zh, Self::TooLarge { bytes }) => {
                format!("源代码有 {bytes} 字节，最多 {LARGEST_SOURCE} 字节：请把数据表移出源代码，或在程序启动时计算")
            }
            (Language::Zh, Self::NotText { line }) => format!(
                "第 {line} 行含有 NUL 字节，这不是源代码文本：请提交源代码而不是编译好的程序，并保存为 UTF-8（或带 BOM 的 UTF-16）"
            ),
        }
    }
}

/// Why nothing was built, other than that the compiler said no.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No language of that name.
    #[error("there is no language {name:?}{}; known are: {}", near.map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default(), languages::ids(Language::En))]
    NoSuchLanguage {
        /// What was asked for.
        name: String,
        /// What was perhaps meant.
        near: Option<&'static str>,
    },
    /// No language of that ending.
    #[error("{}: the ending does not tell the language; say it with --language ({})", .path.display(), languages::ids(Language::En))]
    NoSuchEnding {
        /// The file.
        path: PathBuf,
    },
    /// What was given is not a source.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// What was given is an archive, and not a program.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The language is not installed.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// Its compiler starts other programs, which this level forbids.
    #[error(
        "{tool} starts other programs, which sandbox level {level} forbids: make level A or B work (see `boyi doctor`), or use `--sandbox none` for a source of your own"
    )]
    MustFork {
        /// The compiler.
        tool: &'static str,
        /// The level.
        level: Level,
    },
    /// The sandbox could not run the compiler.
    #[error(transparent)]
    Sandbox(#[from] sandbox::Error),
    /// The compiler was ended by somebody else.
    #[error("the compiler was stopped from outside")]
    Stopped,
    /// A file of the workshop's own could not be used.
    #[error("{}: {said}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        said: std::io::Error,
    },
}

impl Error {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (_, Self::Unusable(unusable)) => unusable.say(language),
            (_, Self::Project(error)) => error.say(language),
            (_, Self::Missing(missing)) => missing.say(language),
            (_, Self::Sandbox(error)) => error.say(language),
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::NoSuchLanguage { name, near }) => {
                let near = near.map(|near| format!("（是否想用“{near}”？）")).unwrap_or_default();
                format!("没有语言“{name}”{near}；可用的有：{}", languages::ids(language))
            }
            (Language::Zh, Self::NoSuchEnding { path }) => {
                format!(
                    "{}：无法由扩展名判断语言，请用 --language 指定（{}）",
                    path.display(),
                    languages::ids(language)
                )
            }
            (Language::Zh, Self::MustFork { tool, level }) => format!(
                "{tool} 需要启动其他程序，而沙箱级别 {level} 不允许：请让级别 A 或 B 可用（见 boyi doctor）；编译自己的源代码也可用 --sandbox none"
            ),
            (Language::Zh, Self::Stopped) => "编译器被外部终止".to_owned(),
            (Language::Zh, Self::File { path, said }) => format!("{}：{said}", path.display()),
        }
    }
}

/// Names the file of a system's error.
pub(crate) trait At<T> {
    /// Names the file.
    fn at(self, path: &std::path::Path) -> Result<T, Error>;
}

impl<T, E: Into<std::io::Error>> At<T> for Result<T, E> {
    fn at(self, path: &std::path::Path) -> Result<T, Error> {
        self.map_err(|said| Error::File { path: path.to_owned(), said: said.into() })
    }
}

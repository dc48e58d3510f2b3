//! What can go wrong before a program runs.

use std::path::PathBuf;

use games::Language;
use serde::{Deserialize, Serialize};

use crate::layers::Level;

/// What `exec` says of any program on a machine that is out of something, or has just written the file.
const LACKS: [i32; 7] = [libc::EAGAIN, libc::EINTR, libc::EIO, libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ETXTBSY];

/// A step of the set-up that failed, and what the system said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{step}: {said}")]
pub struct Failure {
    /// What was being done, for example `mount /proc`.
    pub step: String,
    /// What the system said.
    pub said: String,
    /// The program itself could not be run; everything before was done.
    #[serde(default)]
    pub program: bool,
}

impl Failure {
    /// A failure of a step.
    pub(crate) fn new(step: impl Into<String>, said: impl std::fmt::Display) -> Self {
        Self { step: step.into(), said: said.to_string(), program: false }
    }

    /// The program could not be run. What the machine lacks at this moment is no fault of the program's.
    pub(crate) fn of_program(program: &str, error: &std::io::Error) -> Self {
        let lacks = error.raw_os_error().is_some_and(|errno| LACKS.contains(&errno));
        Self { step: program.to_owned(), said: error.to_string(), program: !lacks }
    }

    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let Self { step, said, program } = self;
        match language {
            Language::En if *program => format!("{step} cannot be run: {said}"),
            Language::Zh if *program => format!("无法运行 {step}：{said}"),
            Language::En => format!("the program could not be started ({step}: {said})"),
            Language::Zh => format!("程序未能启动（{step}：{said}）"),
        }
    }
}

/// Makes a [`Failure`] out of a system's error.
pub(crate) trait Step<T> {
    /// Names the step that failed.
    fn step(self, step: impl Into<String>) -> Result<T, Failure>;
}

impl<T, E: std::fmt::Display> Step<T> for Result<T, E> {
    fn step(self, step: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(step, error))
    }
}

/// Why there is no cell.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The machine cannot do this level.
    #[error("level {level} cannot be had on this machine: {reason}")]
    Unavailable {
        /// The level that was asked for.
        level: Level,
        /// Why not.
        reason: String,
        /// Why not, in Chinese.
        reason_zh: String,
    },
    /// Showing this folder would show too much.
    #[error(
        "{} cannot be shown to a sandboxed program: it would show far more than the program's own files; give the program a folder of its own",
        .0.display()
    )]
    TooMuch(PathBuf),
    /// A path that is not there, not absolute after all, or not text.
    #[error("{}: {said}", .path.display())]
    BadPath {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        said: String,
    },
    /// There is no command to run.
    #[error("there is no command to run")]
    NoCommand,
    /// A step failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Error {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Unavailable { level, reason_zh, .. }) => {
                format!("本机无法使用沙箱级别 {level}：{reason_zh}")
            }
            (Language::Zh, Self::TooMuch(path)) => {
                format!(
                    "不能把 {} 展示给沙箱中的程序：其中远不止程序自己的文件，请把程序放进单独的文件夹",
                    path.display()
                )
            }
            (Language::Zh, Self::BadPath { path, said }) => format!("{}：{said}", path.display()),
            (Language::Zh, Self::NoCommand) => "没有要运行的命令".to_owned(),
            (Language::Zh, Self::Failed(failure)) => failure.say(language),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_not_blamed_for_the_machine() {
        let is_blamed = |errno| Failure::of_program("./program", &std::io::Error::from_raw_os_error(errno)).program;
        for errno in [libc::ENOENT, libc::ENOEXEC, libc::EACCES, libc::ELIBBAD] {
            assert!(is_blamed(errno), "{errno}");
        }
        for errno in [libc::ETXTBSY, libc::ENOMEM] {
            assert!(!is_blamed(errno), "{errno}");
        }
    }
}

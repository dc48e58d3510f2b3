//! Which languages are installed, asked where their compilers will run: in the sandbox.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use games::{Language, Phrase};
use sandbox::{Captured, Ended, Input, Limits, Sandbox, View};
use serde::Serialize;

use crate::languages::{LANGUAGES, Recipe, Tool};

/// Where programs are searched for inside the sandbox.
const INSIDE: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
/// No version is longer.
const LONGEST_VERSION: usize = 4096;

/// A compiler or interpreter of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Toolchain {
    /// The first line of what it says about its version.
    pub version: String,
    /// The folder of its tools.
    pub bin: PathBuf,
    /// Where it lives, if that must be shown to the programs that use it.
    pub home: Option<PathBuf>,
}

/// Why a language cannot be used here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tool} is not available here: {reason} ({})", .remedy.en)]
pub struct Missing {
    /// The tool.
    pub tool: &'static str,
    /// What was found instead, in English.
    pub reason: String,
    /// What was found instead, in Chinese.
    pub reason_zh: String,
    /// What to do about it.
    pub remedy: Phrase,
}

impl Missing {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match language {
            Language::En => self.to_string(),
            Language::Zh => format!("本机没有可用的 {}：{}（{}）", self.tool, self.reason_zh, self.remedy.zh),
        }
    }
}

impl Toolchain {
    /// Looks for a tool and asks for its version.
    pub(crate) fn look_for(sandbox: &Sandbox, tool: &'static Tool) -> Result<Self, Missing> {
        let missing = |reason, reason_zh| Missing { tool: tool.name, reason, reason_zh, remedy: tool.remedy };
        let mut refused = missing("it is not installed".to_owned(), "未安装".to_owned());
        let inside = INSIDE.map(|folder| (PathBuf::from(folder), None));
        // Only asked for when it is not inside: this runs a program of the operator's own.
        let candidates = inside.into_iter().chain(std::iter::once_with(|| outside(tool)).flatten());
        for (bin, home) in candidates.filter(|(bin, _)| bin.join(tool.name).exists()) {
            match ask(sandbox, tool, &bin, home.as_deref()) {
                Ok(version) => return Ok(Self { version, bin, home }),
                Err((said, said_zh)) => {
                    let place = bin.join(tool.name);
                    let (en, zh) = (format!("{}: {said}", place.display()), format!("{}：{said_zh}", place.display()));
                    refused = missing(en, zh);
                }
            }
        }
        Err(refused)
    }
}

/// A tool in the operator's own search path, and where it lives.
fn outside(tool: &Tool) -> Option<(PathBuf, Option<PathBuf>)> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(tool.name)).find(|place| place.is_file())?;
    let home = if tool.home.is_empty() {
        found.canonicalize().ok()?.parent()?.parent()?.to_owned()
    } else {
        let said = Command::new(found).args(tool.home).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        PathBuf::from(String::from_utf8(said.stdout).ok()?.trim()).canonicalize().ok()?
    };
    Some((home.join("bin"), Some(home)))
}

/// Asks a tool for its version, in the sandbox.
fn ask(sandbox: &Sandbox, tool: &Tool, bin: &Path, home: Option<&Path>) -> Result<String, (String, String)> {
    let captured = || {
        let view = View::folder("/usr")?;
        let view = home.map_or(Ok(view.clone()), |home| view.and(home))?;
        let cell = sandbox.cell(Limits::compiler(), view)?;
        let words: Vec<_> =
            std::iter::once(bin.join(tool.name).into_os_string()).chain(tool.version.iter().map(Into::into)).collect();
        let mut command = cell.command(&words)?;
        command.envs(tool.environment.iter().copied());
        sandbox::capture(cell, command, Input::Bytes(&[]), LONGEST_VERSION)
    };
    let Captured { report, stdout, stderr } =
        captured().map_err(|error| (error.say(Language::En), error.say(Language::Zh)))?;
    if report.ended != Ended::Exited(0) {
        return Err((report.ended.say(Language::En), report.ended.say(Language::Zh)));
    }
    let said = [stdout, stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned).ok_or_else(|| ("it does not tell its version".to_owned(), "不报告版本".to_owned()))
}

/// A tool, the languages it serves, and what was found.
#[derive(Debug)]
pub struct Found {
    /// The rows of the table that need it.
    pub recipes: Vec<&'static Recipe>,
    /// What was found.
    pub toolchain: Result<Toolchain, Missing>,
}

/// Asks for everything in the table, each tool once.
#[must_use]
pub fn survey(sandbox: &Sandbox) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for recipe in LANGUAGES {
        match found.iter_mut().find(|found| found.recipes[0].tool == recipe.tool) {
            Some(found) => found.recipes.push(recipe),
            None => {
                let toolchain = Toolchain::look_for(sandbox, recipe.tool);
                found.push(Found { recipes: vec![recipe], toolchain });
            }
        }
    }
    found
}

//! What a workshop must survive and must be able to do, at every level the machine allows.
//!
//! A trial that cannot be done here is listed as ignored, with its reason in its name: it is counted and never passes silently.

mod bombs;
mod engines;
mod keeping;
mod projects;
mod scene;
mod spoiled;
mod texts;
mod windows;

use std::collections::BTreeMap;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use sandbox::Level;

/// A trial before it is known whether it can be done.
pub(crate) struct Case {
    name: String,
    level: Level,
    /// The language it needs, if any.
    language: Option<&'static str>,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

impl Case {
    pub(crate) fn new(
        level: Level,
        name: impl std::fmt::Display,
        language: impl Into<Option<&'static str>>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) -> Self {
        let name = format!("{}::{name}", level.to_string().to_lowercase());
        Self { name, level, language: language.into(), run: Box::new(run) }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = [
        bombs::cases(),
        engines::cases(),
        keeping::cases(),
        projects::cases(),
        spoiled::cases(),
        texts::cases(),
        windows::cases(),
    ];
    // One trial by its exact name was found able before; asking the machine again for each would take longer than the trials.
    let known = arguments.exact && !arguments.list;
    let mut machine = Machine::default();
    let trials = cases.into_iter().flatten().map(|case| {
        let missing = if known { None } else { machine.missing(case.level, case.language) };
        match missing {
            None => Trial::test(case.name, case.run),
            Some(reason) => {
                let reason = reason.replace(['\n', '\r'], " ");
                Trial::test(format!("{} (not available here: {reason})", case.name), || Ok(())).with_ignored_flag(true)
            }
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// What this machine can do, asked once a level.
#[derive(Default)]
struct Machine(BTreeMap<Level, Result<BTreeMap<String, Option<String>>, String>>);

impl Machine {
    fn missing(&mut self, level: Level, language: Option<&'static str>) -> Option<String> {
        match self.0.entry(level).or_insert_with(|| scene::survey(level)) {
            Err(reason) => Some(reason.clone()),
            Ok(languages) => language.and_then(|language| languages.get(language).cloned().flatten()),
        }
    }
}

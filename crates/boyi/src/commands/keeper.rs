//! `boyi keeper`: started by boyi itself, never by a person. It ends the engines of a run whose referee has died.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use games::{Language, Phrase};

use crate::context::Context;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new("(internal) ends the engines of a run that has died", "（内部使用）清理已终止运行的引擎");
    Command::new("keeper").about(about.text(language)).hide(true).arg(Arg::new("run").required(true))
}

pub(crate) fn run(_context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    if let Some(run) = matches.get_one::<String>("run") {
        referee::host::keep(run);
    }
    Ok(ExitCode::SUCCESS)
}

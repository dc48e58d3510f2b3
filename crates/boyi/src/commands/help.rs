//! `boyi help`: the same as `--help`, where many look for it first.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::{Language, Phrase};

use crate::cli;
use crate::context::Context;
use crate::mistake;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("help").about(say("Help for a command", "显示某个命令的帮助")).arg(
        Arg::new("command")
            .value_name("COMMAND")
            .num_args(0..)
            .action(ArgAction::Append)
            .help(say("whose help: `boyi help record verify`", "要查看的命令，如 boyi help record verify")),
    )
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let mut command = cli::command(context.language);
    // So that a subcommand's usage begins with what stands before it.
    command.build();
    let mut shown = &mut command;
    let names: Vec<&String> = matches.get_many("command").into_iter().flatten().collect();
    for name in &names {
        let before = shown.get_bin_name().unwrap_or("boyi").to_owned();
        shown = shown.find_subcommand_mut(name.as_str()).ok_or_else(|| match context.language {
            Language::En => anyhow::anyhow!("there is no command \"{before} {name}\"; `{before} --help` lists them"),
            Language::Zh => anyhow::anyhow!("没有命令“{before} {name}”；{before} --help 列出全部命令"),
        })?;
    }
    // What `--help` itself would print: clap alone knows whether there is more to say than `-h` says.
    let words = std::iter::once("boyi").chain(names.iter().map(|name| name.as_str())).chain(["--help"]);
    let error = cli::command(context.language).try_get_matches_from(words).err();
    Ok(error.map_or(ExitCode::SUCCESS, |error| mistake::report(&error, context.language)))
}

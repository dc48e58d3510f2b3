//! One file a subcommand, and the table that lists them.

mod admin;
pub(crate) mod check;
mod compile;
mod doctor;
mod duel;
mod engine;
mod games;
mod help;
mod keeper;
mod perft;
mod play;
mod record;
mod remarks;
mod report;
mod rules;
mod sandbox;
mod serve;
mod show;
mod tournament;

use std::process::ExitCode;

use ::games::Language;
use clap::{ArgMatches, Command};

use crate::context::Context;

/// A subcommand: its command line and what it does.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) command: fn(Language) -> Command,
    run: fn(&Context, &ArgMatches) -> anyhow::Result<ExitCode>,
}

/// Every subcommand, in the order of the help.
pub(crate) static ALL: &[Entry] = &[
    Entry { name: "games", command: games::command, run: games::run },
    Entry { name: "serve", command: serve::command, run: serve::run },
    Entry { name: "admin", command: admin::command, run: admin::run },
    Entry { name: "show", command: show::command, run: show::run },
    Entry { name: "play", command: play::command, run: play::run },
    Entry { name: "match", command: duel::command, run: duel::run },
    Entry { name: "tournament", command: tournament::command, run: tournament::run },
    Entry { name: "engine", command: engine::command, run: engine::run },
    Entry { name: "check", command: check::command, run: check::run },
    Entry { name: "perft", command: perft::command, run: perft::run },
    Entry { name: "record", command: record::command, run: record::run },
    Entry { name: "rules", command: rules::command, run: rules::run },
    Entry { name: "compile", command: compile::command, run: compile::run },
    Entry { name: "sandbox", command: sandbox::command, run: sandbox::run },
    Entry { name: "doctor", command: doctor::command, run: doctor::run },
    Entry { name: "help", command: help::command, run: help::run },
    Entry { name: "keeper", command: keeper::command, run: keeper::run },
];

/// Runs the subcommand that was chosen.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let chosen = matches
        .subcommand()
        .and_then(|(name, inner)| ALL.iter().find(|entry| entry.name == name).map(|entry| (entry, inner)));
    match chosen {
        Some((entry, inner)) => (entry.run)(context, inner),
        None => anyhow::bail!("no such subcommand"),
    }
}

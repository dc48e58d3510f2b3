//! `--sandbox`: which cage engines run in.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Arg;
use games::{Language, Phrase};
use referee::Cage;
use sandbox::{Level, Limits, Sandbox};

use crate::context::Context;

/// The words `--sandbox` takes, and a plan's `sandbox`.
pub(crate) const CHOICES: [&str; 5] = ["auto", "a", "b", "c", "none"];

/// `--sandbox auto|a|b|c|none`
pub(crate) fn argument(language: Language) -> Arg {
    let help = Phrase::new(
        "confine engines: the strongest this machine allows, or a level (see `boyi doctor`) [default none]",
        "在沙箱中运行引擎：本机可用的最强级别，或指定级别（见 boyi doctor）[缺省 none]",
    );
    Arg::new("sandbox")
        .long("sandbox")
        .value_name("auto|a|b|c|none")
        .value_parser(CHOICES)
        .hide_possible_values(true)
        .help(help.text(language))
}

/// The sandbox that was asked for; `None` for none, which is said to whoever sits at the terminal.
pub(crate) fn open(context: &Context, choice: Option<&str>) -> anyhow::Result<Option<Arc<Sandbox>>> {
    let own = std::env::current_exe().context("boyi")?;
    let sandbox = match choice.unwrap_or("none") {
        "none" => {
            if choice.is_none() && !context.json && std::io::stderr().is_terminal() {
                let told = Phrase::new(
                    "engines run without a sandbox; `--sandbox auto` confines them",
                    "引擎未在沙箱中运行；可用 --sandbox auto 加以限制",
                );
                let _ = writeln!(anstream::stderr().lock(), "{}", context.text(told));
            }
            return Ok(None);
        }
        "auto" => Sandbox::strongest(own),
        level => Sandbox::new(level.parse::<Level>().unwrap_or(Level::A), own),
    };
    let sandbox = sandbox.map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    sandbox.sweep();
    Ok(Some(Arc::new(sandbox)))
}

/// A cage with so much memory, in bytes; an engine's usual one when nothing is said.
pub(crate) fn of(sandbox: Option<&Arc<Sandbox>>, memory: Option<u64>) -> Option<Cage> {
    let sandbox = Arc::clone(sandbox?);
    let usual = Limits::engine();
    Some(Cage { sandbox, limits: Limits { memory: memory.or(usual.memory), ..usual }, closed: None })
}

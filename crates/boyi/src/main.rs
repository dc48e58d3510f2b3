//! boyi: one arena for board-game engines. This crate is the program: subcommands and nothing else.
//!
//! stdout is data, stderr is for people; a user's mistake is a sentence, never a backtrace.

mod cage;
mod cli;
mod commands;
mod contest;
mod context;
mod data_folder;
mod flags;
mod human;
mod mistake;
mod outcome;
mod progress;
mod seats;

use std::io::Write as _;
use std::process::ExitCode;

use context::Context;

fn main() -> ExitCode {
    sandbox::launch_if_asked();
    let arguments = commands::check::own_options_first(std::env::args_os().collect());
    let language = context::language(&arguments);
    let matches = match cli::command(language).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return mistake::report(&error, language),
    };
    match commands::run(&Context::new(language, &matches), &matches) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(anstream::stderr().lock(), "boyi: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whoever read our output has seen enough (`boyi games | head -1`): not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        kind.or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

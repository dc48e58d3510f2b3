//! `rogue GAME BEHAVIOUR [NUMBER] [turn=N] [seed=N]`: an engine with one fault. `rogue list` names the faults.
//!
//! `rogue referee GAME BLACK WHITE [GAMES]` plays two of them in this process and prints each decision, so that a test
//! can kill a referee; `rogue keeper RUN` is its keeper.

use std::io::Write as _;
use std::process::ExitCode;

use rogues::{Arena, BEHAVIOURS, Contest, Problem, Rogue, Script};

fn main() -> ExitCode {
    sandbox::launch_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "rogue: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), Problem> {
    match words {
        ["list"] => {
            for (name, _) in BEHAVIOURS {
                writeln!(std::io::stdout(), "{name}")?;
            }
            Ok(())
        }
        ["keeper", run] => {
            referee::host::keep(run);
            Ok(())
        }
        ["referee", game, black, white, games @ ..] => {
            referee(game, black, white, games.first().map_or(Ok(1), |count| count.parse())?)
        }
        [game, behaviour @ ..] if !behaviour.is_empty() => {
            Rogue::new(game, Script::read(behaviour.iter().copied())?)?.run()
        }
        _ => {
            Err("rogue GAME BEHAVIOUR [NUMBER] [turn=N] [seed=N] | rogue list | rogue referee GAME BLACK WHITE".into())
        }
    }
}

/// Plays games in this process, then says how many children it has left: none, not even dead ones.
fn referee(game: &str, black: &str, white: &str, count: usize) -> Result<(), Problem> {
    let game = games::find(game)?.facts().id;
    let arena = Arena::open(&std::env::current_exe()?)?;
    writeln!(std::io::stdout(), "{}", arena.run())?;
    for _ in 0..count {
        let report = arena.play(&Contest::new(game, black, white))?;
        writeln!(std::io::stdout(), "{}", report.decision.reason.code)?;
    }
    drop(arena);
    writeln!(std::io::stdout(), "children: {}", children()?)?;
    Ok(())
}

/// The children of this process, dead ones that nobody waited for included.
fn children() -> Result<usize, Problem> {
    let mut count = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        count += std::fs::read_to_string(task?.path().join("children"))?.split_whitespace().count();
    }
    Ok(count)
}

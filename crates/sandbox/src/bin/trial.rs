//! Runs one program in a cell and writes what came of it as JSON: what the tests and benches start, as root or as an ordinary user.
//!
//! The first argument is the trial as JSON, the rest is the command. It is also the launcher of its cells.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use sandbox::{Captured, Input, Layers, Level, Limits, Sandbox, View};
use serde::Deserialize;

/// What is tried.
#[derive(Deserialize)]
struct Trial {
    level: Level,
    #[serde(default)]
    without: Layers,
    limits: Limits,
    folder: PathBuf,
    #[serde(default)]
    work: bool,
    #[serde(default)]
    read: Vec<PathBuf>,
    /// How many times, one after another; the last report is written.
    #[serde(default)]
    repeat: Option<u32>,
}

fn main() -> ExitCode {
    sandbox::launch_if_asked();
    match run() {
        Ok(text) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let trial: Trial = serde_json::from_str(&words.next().ok_or("no trial")?)?;
    let words: Vec<String> = words.collect();
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let sandbox = Sandbox::unproven(trial.level, std::env::current_exe()?)?.without(trial.without);
    let mut text = String::new();
    for _ in 0..trial.repeat.unwrap_or(1) {
        let view = if trial.work { View::work(&trial.folder) } else { View::folder(&trial.folder) };
        let view = trial.read.iter().try_fold(view?, View::and)?;
        let cell = sandbox.cell(trial.limits.clone(), view)?;
        let command = cell.command(&words)?;
        let Captured { report, stdout, stderr } = sandbox::capture(cell, command, Input::Bytes(&input), 1 << 20)?;
        let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        text = serde_json::json!({ "report": report, "stdout": stdout, "stderr": stderr }).to_string();
    }
    Ok(text)
}

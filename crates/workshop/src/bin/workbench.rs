//! Builds one source and writes what came of it as JSON: what the tests start, as root or as an ordinary user. It is also the launcher of its cells.
//!
//! The first argument is the task as JSON; the source comes on stdin.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use sandbox::{Captured, Input, Level, Limits, Sandbox};
use serde::Deserialize;
use serde_json::{Value, json};
use workshop::{Built, Made, Options, Workshop};

/// What is done.
#[derive(Deserialize)]
struct Task {
    level: Level,
    /// Where the workshop is.
    folder: PathBuf,
    /// Without one, the languages of the machine are told.
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    limits: Option<Limits>,
    /// What the program is told when it has been built; it then runs within the limits of an engine.
    #[serde(default)]
    talk: Option<String>,
}

fn main() -> ExitCode {
    sandbox::launch_if_asked();
    let said = match run() {
        Ok(said) => said,
        Err(error) => json!({ "error": error.to_string() }),
    };
    let _ = writeln!(std::io::stdout(), "{said}");
    ExitCode::SUCCESS
}

fn run() -> Result<Value, Box<dyn std::error::Error>> {
    let task: Task = serde_json::from_str(&std::env::args().nth(1).ok_or("no task")?)?;
    let mut source = Vec::new();
    std::io::stdin().read_to_end(&mut source)?;
    let sandbox = Arc::new(Sandbox::new(task.level, std::env::current_exe()?)?);
    let Some(language) = task.language else { return Ok(survey(&sandbox)) };
    let workshop = Workshop::open(Arc::clone(&sandbox), &task.folder, 1 << 30)?;
    let recipe = workshop::find(&language)?;
    let before = peak_memory();
    let made = workshop.build(&source, recipe, &Options { limits: task.limits })?;
    let grown = peak_memory().saturating_sub(before);
    let mut said = match &made {
        Made::Built(built) => json!({
            "built": true, "cached": built.cached, "messages": built.messages, "notes": built.notes, "report": built.report,
            "folder": built.folder, "run": built.run, "encoding": built.encoding,
        }),
        Made::Failed(failed) => json!({
            "built": false, "why": failed.why, "messages": failed.messages, "notes": failed.notes, "report": failed.report,
            "encoding": failed.encoding,
        }),
    };
    said["grown"] = grown.into();
    if let (Made::Built(built), Some(talk)) = (&made, &task.talk) {
        let Captured { report, stdout, stderr } = talk_with(&sandbox, built, talk)?;
        let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        said["talk"] = json!({ "report": report, "stdout": stdout, "stderr": stderr });
    }
    Ok(said)
}

/// Why each language is not available, or nothing.
fn survey(sandbox: &Sandbox) -> Value {
    let mut said = json!({});
    for found in workshop::survey(sandbox) {
        for recipe in found.recipes {
            said[recipe.id] = found.toolchain.as_ref().err().map(ToString::to_string).into();
        }
    }
    said
}

fn talk_with(sandbox: &Sandbox, built: &Built, talk: &str) -> Result<Captured, sandbox::Error> {
    let limits = built.limits(Limits { wall: Some(std::time::Duration::from_secs(30)), ..Limits::engine() });
    let cell = sandbox.cell(limits, built.view()?)?;
    let command = cell.command(&built.run)?;
    sandbox::capture(cell, command, Input::Bytes(talk.as_bytes()), 1 << 20)
}

/// The most memory this process has had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or_default() * 1024
}

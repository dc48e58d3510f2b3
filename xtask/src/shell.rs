//! Running other programs, with what is run shown first.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a program to its end; a failure is an error.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    tell(&describe(command));
    let status = command.status().with_context(|| describe(command))?;
    ensure!(status.success(), "{} ended with {status}", describe(command));
    Ok(())
}

/// Whether a program runs and ends well, without showing what it prints.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What a program prints, if it runs and ends well.
pub(crate) fn says(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A line for whoever watches.
#[expect(clippy::print_stderr, reason = "this is the one place where xtask talks to a person")]
pub(crate) fn tell(line: &str) {
    eprintln!("xtask: {line}");
}

fn describe(command: &Command) -> String {
    let words: Vec<String> = std::iter::once(Path::new(command.get_program()).file_stem().unwrap_or_default())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

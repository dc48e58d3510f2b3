//! The programs of these tests, and the same tests as somebody who owns nothing.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Failed;

/// Names the folder with copies of the programs that an ordinary user may run; its presence means that we are one.
const COPIES: &str = "BOYI_SANDBOX_COPIES";
/// Nobody else's number.
const ORDINARY: u32 = 64_999;

/// Whether root has started these tests again as an ordinary user.
pub(crate) fn are_copies() -> bool {
    std::env::var_os(COPIES).is_some()
}

fn program(name: &str, built: &str) -> PathBuf {
    std::env::var_os(COPIES).map_or_else(|| PathBuf::from(built), |folder| PathBuf::from(folder).join(name))
}

/// The launcher of the cells.
pub(crate) fn trial() -> PathBuf {
    program("trial", env!("CARGO_BIN_EXE_trial"))
}

/// The program that does harm.
pub(crate) fn hostile() -> PathBuf {
    program("hostile", env!("CARGO_BIN_EXE_hostile"))
}

/// Runs the facts again as an ordinary user, whose levels are B and C.
pub(crate) fn again_as_ordinary_user() -> Result<(), Failed> {
    let folder = tempfile::Builder::new().prefix("boyi-ordinary-").tempdir()?;
    let own = folder.path().join("tests");
    for (from, to) in [
        (std::env::current_exe()?, own.clone()),
        (trial(), folder.path().join("trial")),
        (hostile(), folder.path().join("hostile")),
    ] {
        if !Command::new("cp").arg(from).arg(&to).status()?.success() {
            return Err("cp failed".into());
        }
    }
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755))?;
    let mut command = Command::new(own);
    command.env(COPIES, folder.path()).env("HOME", "/nowhere").current_dir(folder.path()).uid(ORDINARY).gid(ORDINARY);
    let output = command.args(["--test-threads", "2"]).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    // Which of them could not be had here is a part of what is told.
    let told = said.lines().filter(|line| line.contains("not available here") || line.starts_with("test result"));
    std::io::stdout().write_all(told.flat_map(|line| [line, "\n"]).collect::<String>().as_bytes())?;
    let passed =
        said.rsplit_once("test result: ok. ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u32>().ok());
    match passed {
        Some(passed) if passed >= 10 && output.status.success() => Ok(()),
        _ => Err(format!("{said}{}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

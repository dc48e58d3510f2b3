//! `cargo xtask course`: a whole course of simulated students, with the server killed in between.

use crate::shell;

/// Measures what a thousand brains cost, then runs the simulation of `crates/boyi/tests/course` with so many students and
/// kills; the figures are printed.
pub(crate) fn run(students: u32, kills: u32) -> anyhow::Result<()> {
    brains()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    shell::run(
        shell::cargo()
            .env("BOYI_COURSE_STUDENTS", students.to_string())
            .env("BOYI_COURSE_VERSIONS", "3")
            .env("BOYI_COURSE_KILLS", kills.to_string())
            .env("BOYI_COURSE_WORKERS", cores.to_string())
            // Every fourth game is lost on time, so this is most of the whole.
            .env("BOYI_COURSE_PLY_MS", "500")
            .env("BOYI_COURSE_PATIENCE", "36000")
            .args(["test", "--release", "--package", "boyi", "--test", "course", "--", "--nocapture"])
            .arg("a_simulated_course"),
    )
}

/// What a thousand brains cost: in the store, and over HTTP.
fn brains() -> anyhow::Result<()> {
    for (package, test) in [("course", "store"), ("arena", "server")] {
        let words = ["test", "--release", "--package", package, "--test", test, "--", "--nocapture", "thousand_brains"];
        shell::run(shell::cargo().args(words))?;
    }
    Ok(())
}

//! `cargo xtask course`: a whole course of simulated students, with the server killed in between.

use crate::shell;

/// Measures what a thousand brains cost, then runs the simulation of `crates/boyi/tests/course` with so many students and kills; the figures are printed.
pub(crate) fn run(students: u32, kills: u32) -> anyhow::Result<()> {
    shell::run(shell::cargo().args([
        "test",
        "--release",
        "--package",
        "course",
        "--test",
        "store",
        "--",
        "--nocapture",
        "brains",
    ]))?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    shell::run(
        shell::cargo()
            .env("BOYI_COURSE_STUDENTS", students.to_string())
            .env("BOYI_COURSE_VERSIONS", "3")
            .env("BOYI_COURSE_KILLS", kills.to_string())
            .env("BOYI_COURSE_WORKERS", cores.to_string())
            .env("BOYI_COURSE_PATIENCE", "36000")
            .args([
                "test",
                "--release",
                "--package",
                "boyi",
                "--test",
                "course",
                "--",
                "--nocapture",
                "a_simulated_course",
            ]),
    )
}

//! Chores of the repository: `cargo xtask test`, and the proofs that are too heavy for it.

mod perft;
mod shell;
mod test;

use clap::{Parser, Subcommand};

/// Chores of the repository.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold before a change lands: format, lints, tests, doc tests.
    Test,
    /// Every count of crates/games/tests/perft in full, through the release program.
    Perft {
        /// Only this game.
        game: Option<String>,
    },
    /// A thousand hostile programs at each level, and nothing left of them.
    Sandbox {
        /// How many runs at each level.
        #[arg(default_value_t = 1000)]
        runs: u32,
    },
    /// How exactly the referee's clock charges time, on a loaded machine.
    Clock,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Test => test::run(),
        Chore::Perft { game } => perft::run(game.as_deref()),
        Chore::Sandbox { runs } => shell::run(shell::cargo().env("BOYI_SANDBOX_RUNS", runs.to_string()).args([
            "test",
            "--package",
            "sandbox",
            "--test",
            "hostile",
            "--",
            "nothing is left",
        ])),
        Chore::Clock => shell::run(shell::cargo().args(["bench", "--package", "referee", "--bench", "clock"])),
    }
}

//! Chores of the repository: `cargo xtask test`, and the proofs that are too heavy for it.

mod load;
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
    /// 2,000 watchers and 200 players on the release program: how late moves are, how much memory it takes.
    Load,
    /// How exactly the referee's clock charges time, on a loaded machine.
    Clock,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Test => test::run(),
        Chore::Perft { game } => perft::run(game.as_deref()),
        Chore::Load => load::run(),
        Chore::Clock => shell::run(shell::cargo().args(["bench", "--package", "referee", "--bench", "clock"])),
    }
}

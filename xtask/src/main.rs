//! Chores of the repository: `cargo xtask test`, and the proofs that are too heavy for it.

mod api;
mod arena;
mod course;
mod kills;
mod load;
mod many;
mod pages;
mod perft;
mod same;
mod shell;
mod strength;
mod test;
mod train;

use clap::{Parser, Subcommand};

/// Chores of the repository.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that must hold before a change lands: format, lints, tests, doc tests, pages in a browser.
    Test,
    /// The pages alone: types, unit tests, the committed build, browser tests.
    Pages,
    /// The API as its description says it, tried by schemathesis.
    Api {
        /// Cases of each operation and phase.
        #[arg(long, default_value_t = 20)]
        examples: u32,
        /// The cases follow from it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Every count of crates/games/tests/perft in full, through the release program.
    Perft {
        /// Only this game.
        game: Option<String>,
    },
    /// Kill a tournament of instant engines at random moments and resume it each time: it must be the same tournament.
    Kills {
        /// How often.
        #[arg(long, default_value_t = 100)]
        kills: u32,
        /// Games of the tournament.
        #[arg(long, default_value_t = 500)]
        games: usize,
        /// The moments follow from it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Ten thousand games of instant engines: the manager's processor time and memory, and what a second core brings.
    Many {
        /// How many.
        #[arg(long, default_value_t = 10_000)]
        games: usize,
        /// Plies of each.
        #[arg(long, default_value_t = 120)]
        plies: u32,
        /// When engines are started anew.
        #[arg(long, default_value = "game")]
        restart: String,
    },
    /// An engine against itself, over and over: intervals contain 0 and tests accept H0 as often as they promise.
    Same {
        /// How many matches.
        #[arg(long, default_value_t = 200)]
        matches: u64,
        /// Of which game.
        #[arg(long, default_value = "tiaojia")]
        game: String,
        /// The seed of the first; the others follow.
        #[arg(long, default_value_t = 1)]
        first_seed: u64,
    },
    /// 2,000 watchers and 200 players on the release program: how late moves are, how much memory it takes.
    Load,
    /// A simulated course: students send brains in C, C++ and Python, good and bad, and the server is killed with -9 in
    /// between.
    Course {
        /// 120 students instead of 40.
        #[arg(long)]
        full: bool,
        /// How often the server is killed.
        #[arg(long, default_value_t = 5)]
        kills: u32,
    },
    /// A thousand hostile programs at each level, and nothing left of them.
    Sandbox {
        /// How many runs at each level.
        #[arg(default_value_t = 1000)]
        runs: u32,
    },
    /// Every built-in player at full strength against the named baselines.
    Strength {
        /// Only these games, with commas between them.
        #[arg(long)]
        only: Option<String>,
        /// Games of each match.
        #[arg(long, default_value_t = 100)]
        games: u32,
        /// The time for a ply.
        #[arg(long, default_value_t = 100)]
        ply_ms: u32,
    },
    /// Every level against the one below it.
    Levels {
        /// Only these games, with commas between them.
        #[arg(long)]
        only: Option<String>,
        /// Games of each match.
        #[arg(long, default_value_t = 100)]
        games: u32,
    },
    /// Every built-in player against itself without each of its ideas, by a sequential test.
    Ideas {
        /// Only these games, with commas between them.
        #[arg(long)]
        only: Option<String>,
        /// Games of each match at most.
        #[arg(long, default_value_t = 400)]
        games: u32,
        /// The time for a ply.
        #[arg(long, default_value_t = 100)]
        ply_ms: u32,
        /// Games at once.
        #[arg(long, default_value_t = 2)]
        concurrency: u32,
    },
    /// Every built-in player against itself as a program in a cage: no illegal ply, no loss on time, memory within 256
    /// MiB.
    Faultless {
        /// Only these games, with commas between them.
        #[arg(long)]
        only: Option<String>,
        /// Games of each.
        #[arg(long, default_value_t = 1000)]
        games: u32,
        /// The time for a ply.
        #[arg(long, default_value_t = 10)]
        ply_ms: u32,
        /// Games at once.
        #[arg(long, default_value_t = 2)]
        concurrency: u32,
    },
    /// The learned parts of a player anew, from seeded games.
    Train {
        /// The game; for one whose player learns nothing, those that do are named.
        game: String,
        /// Where the weights go instead of over those in use.
        #[arg(long)]
        out: Option<std::path::PathBuf>,
    },
    /// How exactly the referee's clock charges time, on a loaded machine.
    Clock,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Test => test::run(),
        Chore::Pages => test::only_pages(),
        Chore::Api { examples, seed } => api::run(examples, seed),
        Chore::Kills { kills, games, seed } => kills::run(kills, games, seed),
        Chore::Many { games, plies, restart } => many::run(games, plies, &restart),
        Chore::Same { matches, game, first_seed } => same::run(matches, &game, first_seed),
        Chore::Perft { game } => perft::run(game.as_deref()),
        Chore::Load => load::run(),
        Chore::Course { full, kills } => course::run(if full { 120 } else { 40 }, kills),
        Chore::Sandbox { runs } => shell::run(shell::cargo().env("BOYI_SANDBOX_RUNS", runs.to_string()).args([
            "test",
            "--package",
            "sandbox",
            "--test",
            "hostile",
            "--",
            "nothing is left",
            // One level after the other: the living groups of one are not what another has left.
            "--test-threads",
            "1",
        ])),
        Chore::Strength { only, games, ply_ms } => strength::run(only.as_deref(), games, ply_ms),
        Chore::Levels { only, games } => strength::levels(only.as_deref(), games),
        Chore::Ideas { only, games, ply_ms, concurrency } => {
            strength::ideas(only.as_deref(), games, ply_ms, concurrency)
        }
        Chore::Faultless { only, games, ply_ms, concurrency } => {
            strength::faultless(only.as_deref(), games, ply_ms, concurrency)
        }
        Chore::Train { game, out } => train::run(&game, out),
        Chore::Clock => shell::run(shell::cargo().args(["bench", "--package", "referee", "--bench", "clock"])),
    }
}

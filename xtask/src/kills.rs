//! `cargo xtask kills`: a tournament that is killed over and over is the same tournament.

use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arena::{self, Programs};

/// Ten pairs of five engines.
const LASTING: [u32; 5] = [40, 70, 100, 100_000, 100_000];
const PAIRS: usize = 10;
const PLIES: u32 = 400;

pub(crate) fn run(kills: u32, games: usize, seed: u64) -> anyhow::Result<()> {
    ensure!(games.is_multiple_of(PAIRS), "games must be a multiple of {PAIRS}");
    let programs = Programs::build()?;
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name).display().to_string();
    let file = at("plan.toml");
    std::fs::write(&file, programs.plan(&LASTING, games / PAIRS, PLIES))?;
    let (whole, broken) = (at("whole"), at("broken"));
    let before = arena::load();

    let began = Instant::now();
    let expected = arena::last_event(&mut programs.boyi(&["tournament", "run", &file, "--dir", &whole, "--json"]))?;
    let whole_time = began.elapsed();

    // A machine that was busy when the whole took its time may be quick now, and the tournament over before its last kill:
    // then it is begun anew, with less time between kills.
    let paces = [2.0, 1.0, 0.5, 0.25].into_iter();
    let ended = paces.map(|pace| kill(&programs, (&file, &broken), (kills, games, seed), whole_time.mul_f64(pace)));
    let Kills { killed, played, torn, idle } = ended
        .filter_map(Result::transpose)
        .next()
        .context("it was always over before its last kill; more games are needed")??;
    let resumed = arena::last_event(&mut programs.boyi(&["tournament", "resume", &broken, "--json"]))?;
    let (expected_games, games_played) = (arena::games(Path::new(&whole))?, arena::games(Path::new(&broken))?);
    ensure!(games_played.len() == games, "{} games instead of {games}", games_played.len());
    ensure!(games_played == expected_games, "the games differ from those of the uninterrupted tournament");
    ensure!(resumed == expected, "the final table differs");
    std::thread::sleep(Duration::from_secs(2));
    let left = alive(&programs.engine)?;
    ensure!(left == 0, "{left} engines outlived the tournament");

    let mut out = std::io::stdout().lock();
    writeln!(out, "| | |\n|---|---|")?;
    writeln!(out, "| games, engines, plies a game at most | {games}, {}, {PLIES} |", LASTING.len())?;
    writeln!(out, "| uninterrupted | {:.2} s |", whole_time.as_secs_f64())?;
    writeln!(out, "| `kill -9` at random moments | {killed} (seed {seed}) |")?;
    writeln!(out, "| of these: no game finished since the last | {idle} |")?;
    writeln!(out, "| of these: in the middle of writing a line | {torn} |")?;
    writeln!(out, "| games played by the last kill | {played} |")?;
    writeln!(out, "| games in the journal at the end | {}, each once |", games_played.len())?;
    writeln!(out, "| pairings, plies, results of each game | the same as uninterrupted |")?;
    writeln!(out, "| final table | the same as uninterrupted |")?;
    writeln!(out, "| engines left running | {left} |")?;
    writeln!(out, "| load before | {before} |")?;
    Ok(())
}

/// What the kills found.
struct Kills {
    killed: u32,
    /// Games in the journal after the last.
    played: usize,
    /// Kills that left half a line behind.
    torn: u32,
    /// Kills since whose predecessor no game had finished.
    idle: u32,
}

/// Runs a tournament that would take about `time` and kills it over and over; `None` if it was over too soon.
fn kill(
    programs: &Programs,
    (file, folder): (&str, &str),
    (kills, games, seed): (u32, usize, u64),
    time: Duration,
) -> anyhow::Result<Option<Kills>> {
    let _ = std::fs::remove_dir_all(folder);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Kills { killed: 0, played: 0, torn: 0, idle: 0 };
    while found.killed < kills {
        // On the whole it lasts as long as the kills do; some fall into the start, before the first game.
        let left = time.mul_f64((games - found.played) as f64 / games as f64);
        let longest = left / (kills - found.killed + 1) + Duration::from_millis(20);
        let mut command = if Path::new(folder).join("tournament.toml").exists() {
            programs.boyi(&["tournament", "resume", folder, "--json"])
        } else {
            programs.boyi(&["tournament", "run", file, "--dir", folder, "--json"])
        };
        let mut child = command.stdout(std::process::Stdio::null()).spawn()?;
        std::thread::sleep(longest.mul_f64(rng.random_range(0.0..1.0)));
        if child.try_wait()?.is_some() {
            return Ok(None);
        }
        child.kill()?;
        child.wait()?;
        found.killed += 1;
        let journal = std::fs::read(Path::new(folder).join("journal.jsonl")).unwrap_or_default();
        let lines = journal.iter().filter(|byte| **byte == b'\n').count();
        found.torn += u32::from(journal.last().is_some_and(|byte| *byte != b'\n'));
        found.idle += u32::from(lines == found.played);
        found.played = lines;
    }
    Ok(Some(found))
}

/// How many processes run this program.
fn alive(program: &Path) -> anyhow::Result<usize> {
    let processes = std::fs::read_dir("/proc")?.flatten();
    Ok(processes.filter(|entry| std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program)).count())
}

//! `cargo xtask many`: ten thousand games of instant engines. What does the manager cost, does it grow, does a second core
//! help?

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rustix::process::{Pid, WaitId, WaitIdOptions};

use crate::arena::{self, Programs};

/// Ten pairs of five engines.
const LASTING: [u32; 5] = [100_000; 5];
const PAIRS: usize = 10;
/// The interleaved rounds in which one core is compared with two, and the games of each.
const ROUNDS: usize = 5;

/// What a run of the manager was like.
struct Measured {
    seconds: f64,
    /// Processor time of the manager alone, in seconds.
    cpu: f64,
    plies: u64,
    /// Resident memory in MiB over the run, each a tenth of it further on.
    resident: Vec<f64>,
}

pub(crate) fn run(games: usize, plies: u32, restart: &str) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    let before = arena::load();
    let measure = |games: usize, cores: &str| measure(&programs, games, plies, restart, cores);
    let whole = measure(games, "0,1")?;
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let part = (games / ROUNDS / PAIRS).max(1) * PAIRS;
    for _ in 0..ROUNDS {
        one.push(part as f64 / measure(part, "0")?.seconds);
        two.push(part as f64 / measure(part, "0,1")?.seconds);
    }
    let cost = whole.cpu / whole.plies as f64 * 1e6;
    let last = *whole.resident.last().context("no sample of memory")?;
    let ratio = median(&mut two) / median(&mut one);
    let met = |holds: bool| if holds { "met" } else { "NOT met" };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| {games} games, {} plies, restart = {restart} | measured | goal | |\n|---|---:|---:|---|",
        whole.plies
    )?;
    writeln!(out, "| manager CPU a ply, µs | {cost:.2} | ≤ 8 | {} |", met(cost <= 8.0))?;
    writeln!(out, "| manager CPU a game, ms | {:.2} | – | |", whole.cpu / games as f64 * 1e3)?;
    writeln!(out, "| resident at the end, MiB | {last:.1} | ≤ 24 | {} |", met(last <= 24.0))?;
    let along: Vec<String> = whole.resident.iter().map(|mib| format!("{mib:.1}")).collect();
    writeln!(out, "| resident along the way, MiB | {} | flat | |", along.join(" "))?;
    writeln!(out, "| games/s, the long run | {:.0} | – | |", games as f64 / whole.seconds)?;
    writeln!(out, "| games/s on one core, median of {ROUNDS} | {:.0} | – | |", median(&mut one))?;
    writeln!(out, "| games/s on two cores, median of {ROUNDS} | {:.0} | – | |", median(&mut two))?;
    writeln!(out, "| two cores over one | {ratio:.2} | ≥ 1.5 | {} |", met(ratio >= 1.5))?;
    writeln!(out, "| load before, after | {before}; {} | – | |", arena::load())?;
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs a tournament on these cores and watches it from outside.
fn measure(programs: &Programs, games: usize, plies: u32, restart: &str, cores: &str) -> anyhow::Result<Measured> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("plan.toml");
    std::fs::write(&file, programs.plan(&LASTING, games / PAIRS, plies))?;
    let home = folder.path().join("home");
    let mut command = Command::new("taskset");
    command.args(["-c", cores]).arg(&programs.boyi).args(["tournament", "run"]).arg(&file);
    command.arg("--dir").arg(&home).args(["-q", "--no-report", "--restart", restart, "-j"]);
    command.arg((cores.matches(',').count() + 1).to_string());
    let began = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().context("taskset")?;
    let pid = Pid::from_child(&child);
    let mut samples = Vec::new();
    // Looked at once more when it has ended and is not yet buried: then its processor time is final.
    let over = || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        rustix::process::waitid(WaitId::Pid(pid), options).map(|status| status.is_some())
    };
    while !over()? {
        samples.extend(resident(pid));
        std::thread::sleep(Duration::from_millis(20));
    }
    let seconds = began.elapsed().as_secs_f64();
    let cpu = processor_time(pid)?;
    let status = child.wait()?;
    ensure!(status.success(), "boyi ended with {status}");
    let resident =
        (1..=10).filter_map(|part| samples.get((samples.len() * part / 10).saturating_sub(1)).copied()).collect();
    let (count, plies) = count(&home)?;
    ensure!(count == games, "{count} games instead of {games}");
    Ok(Measured { seconds, cpu, plies, resident })
}

/// Games and plies of a journal.
fn count(folder: &Path) -> anyhow::Result<(usize, u64)> {
    let (mut games, mut plies) = (0, 0);
    for line in std::io::BufReader::new(std::fs::File::open(folder.join("journal.jsonl"))?).lines() {
        games += 1;
        plies += line?.matches("\"mover\"").count() as u64;
    }
    Ok((games, plies))
}

/// Resident memory in MiB.
fn resident(pid: Pid) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// Its own processor time in seconds, without its children's.
fn processor_time(pid: Pid) -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()))?;
    let mut fields = stat.rsplit_once(')').context("stat")?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next().and_then(|field| field.parse::<f64>().ok()).context("stat");
    Ok((ticks()? + ticks()?) / rustix::param::clock_ticks_per_second() as f64)
}

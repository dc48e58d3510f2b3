//! What the referee costs: plies a second, processor time a ply, memory; beside the floor of bare pipes in the same run.
//! `cargo bench -p referee`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee::{CommandLine, EngineSpec, GameSpec, Host, Seat, TimeControl, play};
use rustix::thread::{CpuSet, sched_setaffinity};
use serde_json::{Value, json};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");
/// Plies of one game; Tiaojia's limit goes up to this.
const PLIES: u32 = 10_000;
const ROUNDS: usize = 5;

/// What the best public manager reaches on a like machine.
const PUBLIC: (f64, f64) = (80_000.0, 6.7);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One core for the referee and both engines: a game is a relay race, and passing the baton between cores is slow.
    let mut core = CpuSet::new();
    core.set(0);
    sched_setaffinity(None, &core)?;
    let mut keeper = Command::new(ENGINE);
    keeper.arg("keeper");
    let host = Arc::new(Host::start(keeper)?);
    let (mut best_floor, mut best, mut best_cpu) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for _ in 0..ROUNDS {
        best_floor = best_floor.max(floor()?);
        let (speed, cpu) = game(&host)?;
        best = best.max(speed);
        best_cpu = best_cpu.min(cpu);
    }
    let mut out = std::io::stdout().lock();
    let met = |holds: bool| if holds { "met" } else { "NOT met" };
    writeln!(out, "| | public | ours | goal | |\n|---|---:|---:|---:|---|")?;
    writeln!(out, "| plies/s | {:.0} | {best:.0} | ≥ 100000 | {} |", PUBLIC.0, met(best >= 100_000.0))?;
    writeln!(out, "| referee CPU a ply, µs | {} | {best_cpu:.2} | ≤ 7 | {} |", PUBLIC.1, met(best_cpu <= 7.0))?;
    let resident = resident_mib()?;
    writeln!(out, "| resident, MiB | – | {resident:.1} | ≤ 8 | {} |", met(resident <= 8.0))?;
    writeln!(out, "| bare ping-pong, round trips/s | – | {best_floor:.0} | – | |")?;
    let share = best / best_floor;
    writeln!(out, "| share of the floor | – | {share:.2} | ≥ 0.5 | {} |", met(share >= 0.5))?;
    Ok(())
}

/// One long game of two instant engines: plies a second and microseconds of our processor time a ply.
fn game(host: &Arc<Host>) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let table = games::find("tiaojia")?.open(&json!({ "max_plies": PLIES }), None)?;
    let protocol = protocols::find("tiaojia", None).ok_or("no protocol")?;
    let spec = || EngineSpec {
        command: CommandLine { words: vec![ENGINE.to_owned()], ..CommandLine::default() },
        protocol,
        options: Value::Null,
        memory: None,
    };
    let mut seats = [Seat::engine(spec()), Seat::engine(spec())];
    let time = TimeControl {
        ply: Some(Duration::from_secs(2)),
        game: Some(Duration::from_secs(180)),
        ..TimeControl::default()
    };
    let mut watcher = Timed::default();
    let report = play(host, GameSpec { time, ..GameSpec::new(table) }, &mut seats, &mut watcher)?;
    if report.plies.len() != PLIES as usize {
        return Err(format!("the game ended after {} plies: {:?}", report.plies.len(), report.decision).into());
    }
    let (first, cpu_first) = watcher.first.ok_or("no ply")?;
    let (last, cpu_last) = watcher.last.ok_or("no ply")?;
    let plies = f64::from(PLIES - 1);
    Ok((plies / (last - first).as_secs_f64(), (cpu_last - cpu_first).as_secs_f64() * 1e6 / plies))
}

/// Notes the time of the first and the last ply.
#[derive(Default)]
struct Timed {
    first: Option<(Instant, Duration)>,
    last: Option<(Instant, Duration)>,
}

impl referee::Watcher for Timed {
    fn stepped(
        &mut self,
        table: &dyn games::Table,
        _last: Option<&referee::PlayedPly>,
        _clocks: [protocols::Clock; 2],
    ) {
        if self.first.is_none() {
            self.first = Some((Instant::now(), cpu_time()));
        }
        if table.verdict().is_some() {
            self.last = Some((Instant::now(), cpu_time()));
        }
    }
}

/// Round trips a second of the same line over the same pipes, with nothing in between: write, read, the other engine.
fn floor() -> Result<f64, Box<dyn std::error::Error>> {
    let mut echoes = Vec::new();
    for _ in 0..2 {
        let mut child = Command::new(ENGINE).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take().ok_or("no pipe")?, child.stdout.take().ok_or("no pipe")?);
        echoes.push((child, input, BufReader::new(output)));
    }
    let mut line = String::new();
    let start = Instant::now();
    for round in 0..PLIES as usize {
        let (_, input, output) = &mut echoes[round % 2];
        input.write_all(b"PLACE 4 0 1\n")?;
        line.clear();
        output.read_line(&mut line)?;
    }
    let speed = f64::from(PLIES) / start.elapsed().as_secs_f64();
    for (mut child, input, _) in echoes {
        drop(input);
        child.wait()?;
    }
    Ok(speed)
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn resident_mib() -> std::io::Result<f64> {
    let statm = std::fs::read_to_string("/proc/self/statm")?;
    let pages: f64 = statm.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(f64::NAN);
    Ok(pages * rustix::param::page_size() as f64 / (1 << 20) as f64)
}

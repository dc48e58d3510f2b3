//! What a cell costs: starting a program that does nothing, and a round trip over its pipes; interleaved with Debian's bubblewrap and with no cage at all.
//! `cargo bench -p sandbox`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Instant;

use sandbox::{Ended, Level, Limits, Sandbox, View};

/// The launcher of our cells.
const LAUNCHER: &str = env!("CARGO_BIN_EXE_trial");
const HOSTILE: &str = env!("CARGO_BIN_EXE_hostile");
const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
const TRUE: &str = "/usr/bin/true";
const LAUNCHES: usize = 200;
/// Short blocks that take turns, so that what else runs on the machine hits all alike.
const BLOCKS: usize = 400;
const TRIPS: usize = 250;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    let sandboxes: Vec<Sandbox> =
        [Level::A, Level::B, Level::C].into_iter().filter_map(|level| Sandbox::new(level, LAUNCHER).ok()).collect();
    let bubblewrap =
        Command::new("bwrap").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    if !bubblewrap {
        writeln!(out, "bubblewrap is not here (apt-get install bubblewrap): nothing to compare with")?;
    }
    let mut rows: Vec<(String, Vec<f64>)> = vec![("bare".into(), Vec::new())];
    rows.extend(bubblewrap.then(|| ("bubblewrap".into(), Vec::new())));
    rows.extend(sandboxes.iter().map(|sandbox| (format!("level {}", sandbox.level()), Vec::new())));
    for _ in 0..LAUNCHES {
        let mut row = rows.iter_mut();
        let mut note = |milliseconds: f64| row.next().map(|(_, times)| times.push(milliseconds));
        note(timed(|| wait(&mut Command::new(TRUE)))?);
        if bubblewrap {
            note(timed(|| wait(&mut wrapped()))?);
        }
        for sandbox in &sandboxes {
            note(timed(|| launch(sandbox))?);
        }
    }
    writeln!(out, "| launching {TRUE}, ms | min | median | p90 |\n|---|---:|---:|---:|")?;
    let mut medians = Vec::new();
    for (name, times) in &mut rows {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        writeln!(out, "| {name} | {:.2} | {:.2} | {:.2} |", at(0.0), at(0.5), at(0.9))?;
        medians.push((name.clone(), at(0.5)));
    }
    let median = |wanted: &str| medians.iter().find(|(name, _)| name == wanted).map(|(_, median)| *median);
    if let (Some(theirs), Some(full), Some(lite)) = (median("bubblewrap"), median("level A"), median("level C")) {
        writeln!(out, "\nlevel A / bubblewrap: {:.2} (at most 2: {})", full / theirs, met(full <= 2.0 * theirs))?;
        writeln!(out, "level C / bubblewrap: {:.2} (below 1: {})", lite / theirs, met(lite < theirs))?;
    }
    round_trips(&sandboxes, &mut out)
}

fn met(met: bool) -> &'static str {
    if met { "met" } else { "NOT met" }
}

fn timed(run: impl FnOnce() -> Outcome<()>) -> Outcome<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64() * 1000.0)
}

fn wait(command: &mut Command) -> Outcome<()> {
    let status = command.stdin(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The same view through bubblewrap: namespaces, a root of its own, no control groups, no filter.
fn wrapped() -> Command {
    let mut command = Command::new("bwrap");
    command.args([
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
    ]);
    for place in ["/usr", "/etc/alternatives", "/etc/ld.so.cache", FOLDER] {
        command.args(["--ro-bind", place, place]);
    }
    for (target, link) in [("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64")] {
        command.args(["--symlink", target, link]);
    }
    command.args(["--chdir", FOLDER, TRUE]);
    command
}

/// Everything from no cell to no cell.
fn launch(sandbox: &Sandbox) -> Outcome<()> {
    let cell = sandbox.cell(Limits::engine(), View::folder(FOLDER)?)?;
    let status = cell.command(&[TRUE])?.stdin(Stdio::null()).status()?;
    let report = cell.finish(status);
    if report.ended == Ended::Exited(0) { Ok(()) } else { Err(format!("{report:?}").into()) }
}

/// Lines there and back, on one core as a game is played. Engines of all kinds live at the same time and take turns; each block is compared with
/// the bare one beside it.
fn round_trips(sandboxes: &[Sandbox], out: &mut impl std::io::Write) -> Outcome<()> {
    let mut one = rustix::thread::CpuSet::new();
    one.set(rustix::thread::sched_getcpu());
    rustix::thread::sched_setaffinity(None, &one)?;
    let mut cells = Vec::new();
    let mut engines = vec![("bare".to_owned(), Engine::start(Command::new(HOSTILE).arg("echo"))?)];
    for sandbox in sandboxes {
        let cell = sandbox.cell(Limits::engine(), View::folder(FOLDER)?.and(HOSTILE)?)?;
        engines.push((format!("level {}", sandbox.level()), Engine::start(&mut cell.command(&[HOSTILE, "echo"])?)?));
        cells.push(cell);
    }
    let mut times = vec![Vec::new(); engines.len()];
    for _ in 0..BLOCKS {
        for ((_, engine), times) in engines.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..TRIPS {
                engine.trip()?;
            }
            times.push(start.elapsed().as_secs_f64() * 1e6 / TRIPS as f64);
        }
    }
    writeln!(
        out,
        "\n| round trip, µs | min | median | more than bare, median of {BLOCKS} pairs |\n|---|---:|---:|---:|"
    )?;
    let bare = times.first().cloned().unwrap_or_default();
    for ((name, _), times) in engines.iter().zip(&times) {
        let mut ratios: Vec<f64> = times.iter().zip(&bare).map(|(ours, bare)| (ours / bare - 1.0) * 100.0).collect();
        let mut sorted = times.clone();
        sorted.sort_by(f64::total_cmp);
        ratios.sort_by(f64::total_cmp);
        let more = ratios[ratios.len() / 2];
        let (min, median) = (sorted[0], sorted[sorted.len() / 2]);
        writeln!(out, "| {name} | {min:.2} | {median:.2} | {more:+.1} % (at most 5 %: {}) |", met(more <= 5.0))?;
    }
    Ok(())
}

struct Engine {
    child: std::process::Child,
    input: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
    line: String,
}

impl Engine {
    fn start(command: &mut Command) -> Outcome<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no stdin")?;
        let output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut engine = Self { child, input, output, line: String::new() };
        engine.trip()?;
        Ok(engine)
    }

    fn trip(&mut self) -> Outcome<()> {
        self.input.write_all(b"move D4E5\n")?;
        self.line.clear();
        self.output.read_line(&mut self.line)?;
        if self.line == "move D4E5\n" { Ok(()) } else { Err(format!("{:?} came back", self.line).into()) }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

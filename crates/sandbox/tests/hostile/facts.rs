//! What must hold of cells beside surviving hostile programs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use sandbox::{Captured, Cell, Ended, Input, Level, Limit, Limits, Remark, Sandbox, View, capture};
use tempfile::TempDir;

use crate::programs;

/// A fact: its name, the level it is about, and its proof.
type Fact = (&'static str, Level, fn() -> Result<(), Failed>);

pub(crate) const FACTS: &[Fact] = &[
    ("349 MiB live", Level::A, || touched(349, 1, &Ended::Exited(0))),
    ("352 MiB do not", Level::A, || touched(352, 1, &Ended::Limit(Limit::Memory))),
    ("349 MiB over 24 processes live", Level::A, || touched(349, 24, &Ended::Exited(0))),
    ("352 MiB over 24 processes do not", Level::A, || touched(352, 24, &Ended::Limit(Limit::Memory))),
    ("the figures of use are right", Level::A, figures),
    ("a busy machine shows as stall", Level::A, stall),
    ("a program stands still while suspended", Level::A, || suspended(Level::A)),
    ("a program stands still while suspended", Level::B, || suspended(Level::B)),
    ("a program stands still while suspended", Level::C, || suspended(Level::C)),
    ("a killed cell says so", Level::A, || stopped(Level::A)),
    ("a killed cell says so", Level::B, || stopped(Level::B)),
    ("a killed cell says so", Level::C, || stopped(Level::C)),
    ("a killed launcher leaves nothing", Level::A, || launcher_killed(Level::A)),
    ("a killed launcher leaves nothing", Level::B, || launcher_killed(Level::B)),
    ("a killed launcher leaves nothing", Level::C, || launcher_killed(Level::C)),
    ("a killed boyi leaves nothing", Level::A, || starter_killed(Level::A)),
    ("a killed boyi leaves nothing", Level::B, || starter_killed(Level::B)),
    ("a killed boyi leaves nothing", Level::C, || starter_killed(Level::C)),
    ("groups of a dead boyi are swept", Level::A, swept),
    ("every byte arrives", Level::A, || bytes(Level::A)),
    ("every byte arrives", Level::C, || bytes(Level::C)),
    ("a program that does not exist is named", Level::A, not_there),
    ("only plain files come out", Level::A, || outputs(Level::A)),
    ("only plain files come out", Level::B, || outputs(Level::B)),
    ("our environment stays ours", Level::A, environment),
    ("a folder that only root may read is shown to its program", Level::A, private_folder),
    ("two programs do not find each other's files", Level::A, || strangers(Level::A)),
    ("two programs do not find each other's files", Level::B, || strangers(Level::B)),
    ("Node runs in 350 MiB", Level::A, || runtime(Level::A, "node", &["-e", "console.log(6 * 7)"])),
    ("Node runs in 350 MiB", Level::B, || runtime(Level::B, "node", &["-e", "console.log(6 * 7)"])),
    ("Node runs in 350 MiB", Level::C, || runtime(Level::C, "node", &["-e", "console.log(6 * 7)"])),
    ("Python runs with threads", Level::A, || runtime(Level::A, "python3", PYTHON)),
    ("Python runs with threads", Level::B, || runtime(Level::B, "python3", PYTHON)),
    ("Python runs with threads", Level::C, || runtime(Level::C, "python3", PYTHON)),
    ("Java runs in 350 MiB", Level::A, || java(Level::A)),
    ("Java runs in 350 MiB", Level::B, || java(Level::B)),
    ("Java runs in 350 MiB", Level::C, || java(Level::C)),
    ("what is queued is in the peak", Level::A, || queued(Level::A)),
    ("what is queued is in the peak", Level::B, || queued(Level::B)),
    ("what is queued is in the peak", Level::C, || queued(Level::C)),
    ("the first process tells nothing", Level::A, || first_process(Level::A)),
    ("the first process tells nothing", Level::B, || first_process(Level::B)),
    ("Python has queues, pools and an event loop", Level::A, || runtime(Level::A, "python3", POOLS)),
    ("Python has queues, pools and an event loop", Level::B, || runtime(Level::B, "python3", POOLS)),
    ("hostile sources do not harm their compiler", Level::A, || compilers(Level::A)),
    ("nothing is left after many runs", Level::A, || nothing_left(Level::A)),
    ("nothing is left after many runs", Level::B, || nothing_left(Level::B)),
    ("nothing is left after many runs", Level::C, || nothing_left(Level::C)),
];

/// Python with a thread, an event loop, a temporary file where there is one.
const PYTHON: &[&str] = &[
    "-c",
    "import threading, asyncio, random, json\nanswer = []\nthread = threading.Thread(target=lambda: answer.append(6 * 7))\nthread.start(); thread.join()\nasync def main(): await asyncio.sleep(0)\nasyncio.run(main())\nprint(answer[0])",
];

/// Python with processes that talk by socket pairs, pipes and shared values.
const POOLS: &[&str] = &["-c", include_str!("pools.py")];

/// A peak that leaves out what a program has queued would be a false one.
fn queued(level: Level) -> Result<(), Failed> {
    let seen = hostile(&made(level)?, limits(), &["sockets", "1", "40", "20"])?;
    same(&seen.report.ended, &Ended::Exited(0), &seen.report)?;
    let said = String::from_utf8_lossy(&seen.stdout).into_owned();
    let bytes: u64 = said.split_whitespace().nth(1).and_then(|word| word.parse().ok()).ok_or(said)?;
    let peak = seen.report.usage.peak_memory;
    ensure(bytes > 2 << 20 && peak >= bytes, || format!("{bytes} bytes queued: {:?}", seen.report))?;
    let told = seen.report.remarks.contains(&Remark::NotCounted);
    ensure(told == (level != Level::A), || format!("{:?}", seen.report.remarks))
}

/// Its command line names neither our program nor the cell's folder.
fn first_process(level: Level) -> Result<(), Failed> {
    let seen = hostile(&made(level)?, limits(), &["read", "/proc/1/cmdline"])?;
    let said = String::from_utf8_lossy(&seen.stdout);
    ensure(said.starts_with("harm read init") && !said.contains('/'), || said.clone().into_owned())
}

fn made(level: Level) -> Result<Sandbox, Failed> {
    Ok(Sandbox::new(level, programs::trial())?)
}

/// The folder of the hostile program, which everybody may read.
fn stage() -> Result<(TempDir, PathBuf), Failed> {
    let temporary = tempfile::Builder::new().prefix("boyi-fact-").tempdir()?;
    std::fs::set_permissions(temporary.path(), std::fs::Permissions::from_mode(0o755))?;
    let program = temporary.path().join("hostile");
    Command::new("cp").arg(programs::hostile()).arg(&program).status()?;
    Ok((temporary, program))
}

fn limits() -> Limits {
    Limits { wall: Some(Duration::from_secs(20)), ..Limits::engine() }
}

/// Runs the hostile program.
fn hostile(sandbox: &Sandbox, limits: Limits, words: &[&str]) -> Result<Captured, Failed> {
    let (folder, program) = stage()?;
    let cell = sandbox.cell(limits, View::folder(folder.path())?)?;
    let words: Vec<&str> = std::iter::once(program.to_str().ok_or("not text")?).chain(words.iter().copied()).collect();
    let command = cell.command(&words)?;
    Ok(capture(cell, command, Input::Bytes(b""), 32 << 20)?)
}

fn same<T: PartialEq + std::fmt::Debug>(seen: &T, expected: &T, all: &impl std::fmt::Debug) -> Result<(), Failed> {
    if seen == expected { Ok(()) } else { Err(format!("expected {expected:?}, got {seen:?} in {all:?}").into()) }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

fn touched(mebibytes: u32, processes: u32, expected: &Ended) -> Result<(), Failed> {
    let words = ["touch-together", &mebibytes.to_string(), &processes.to_string()];
    let seen = hostile(&made(Level::A)?, limits(), &words)?;
    same(&seen.report.ended, expected, &seen)
}

fn figures() -> Result<(), Failed> {
    let sandbox = made(Level::A)?;
    let seen = hostile(&sandbox, limits(), &["touch", "100"])?;
    let peak = seen.report.usage.peak_memory >> 20;
    ensure((100..110).contains(&peak), || format!("100 MiB touched, {peak} counted: {seen:?}"))?;
    // Children that are killed count too.
    let burnt = Limits { wall: Some(Duration::from_secs(1)), ..limits() };
    let seen = hostile(&sandbox, burnt, &["spin-in-children"])?;
    same(&seen.report.ended, &Ended::Limit(Limit::Wall), &seen)?;
    // The parent itself burns nothing; on a busy machine most of the second is stall.
    let (cpu, stall) = (seen.report.usage.cpu, seen.report.usage.stall.unwrap_or_default());
    let burnt = cpu > Duration::from_millis(60) && cpu + stall > Duration::from_millis(450);
    ensure(burnt, || format!("one second of burning, {cpu:?} counted, {stall:?} of stall"))
}

fn stall() -> Result<(), Failed> {
    let sandbox = made(Level::A)?;
    // Two that burn on one core: each waits half its time. A sleeper on the same core waits for nothing.
    let (folder, program) = stage()?;
    let start = |behaviour: &str| -> Result<_, Failed> {
        let limits = Limits { cores: vec![0], ..limits() };
        let cell = sandbox.cell(limits, View::folder(folder.path())?)?;
        let child = cell.command(&[program.as_os_str(), behaviour.as_ref()])?.stdin(Stdio::null()).spawn()?;
        Ok((cell, child))
    };
    let mut cells = [start("spin")?, start("spin")?, start("sleep")?];
    let stalls = |cells: &[(Cell, std::process::Child)]| -> Vec<Duration> {
        cells.iter().map(|(cell, _)| cell.usage().stall.unwrap_or_default()).collect()
    };
    // Starting is work, also for a sleeper.
    std::thread::sleep(Duration::from_secs(1));
    let before = stalls(&cells);
    std::thread::sleep(Duration::from_secs(1));
    let stalls: Vec<Duration> = stalls(&cells).iter().zip(&before).map(|(after, before)| *after - *before).collect();
    for (cell, child) in &mut cells {
        cell.kill();
        child.wait()?;
    }
    let waited = stalls[0] + stalls[1];
    ensure(waited > Duration::from_millis(500), || format!("two on one core: {stalls:?}"))?;
    ensure(stalls[2] < Duration::from_millis(100), || format!("a sleeper: {stalls:?}"))
}

/// Starts a program that runs on; gives its cell, its launcher, and what keeps its files.
fn running(sandbox: &Sandbox, words: &[&str]) -> Result<(Cell, std::process::Child, TempDir), Failed> {
    let (folder, program) = stage()?;
    let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
    let words: Vec<&str> = std::iter::once(program.to_str().ok_or("not text")?).chain(words.iter().copied()).collect();
    let child = cell.command(&words)?.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let deadline = Instant::now() + Duration::from_secs(10);
    while cell.usage().wall.is_zero() {
        ensure(Instant::now() < deadline, || "it does not start".to_owned())?;
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok((cell, child, folder))
}

fn suspended(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (cell, mut child, _folder) = running(&sandbox, &["spin"])?;
    let used = |wait: u64| {
        std::thread::sleep(Duration::from_millis(100));
        let before = cell.usage().cpu;
        std::thread::sleep(Duration::from_millis(wait));
        cell.usage().cpu - before
    };
    let awake = used(800);
    cell.suspend();
    let asleep = used(400);
    cell.resume();
    let again = used(800);
    cell.kill();
    let status = child.wait()?;
    let report = cell.finish(status);
    same(&report.ended, &Ended::Stopped, &report)?;
    // On a busy machine it gets little even while awake.
    let right = asleep < Duration::from_millis(5) && awake > asleep && again > asleep;
    ensure(right, || format!("{awake:?} awake, {asleep:?} asleep, {again:?} again"))
}

fn stopped(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (cell, mut child, _folder) = running(&sandbox, &["sleep"])?;
    cell.kill();
    let status = child.wait()?;
    let report = cell.finish(status);
    same(&report.ended, &Ended::Stopped, &report)
}

/// Processes whose command line holds a text.
fn processes_with(text: &str) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let with = numbers.filter(|process| {
        let words = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(text)
    });
    with.filter(|process| *process != std::process::id()).collect()
}

fn gone_soon(text: &str) -> Result<(), Failed> {
    let deadline = Instant::now() + Duration::from_secs(5);
    while !processes_with(text).is_empty() {
        ensure(Instant::now() < deadline, || format!("still there: {:?}", processes_with(text)))?;
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn launcher_killed(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (cell, mut child, folder) = running(&sandbox, &["sleep"])?;
    child.kill()?;
    let status = child.wait()?;
    let report = cell.finish(status);
    same(&report.ended, &Ended::Stopped, &report)?;
    let name = folder.path().display().to_string();
    ensure(processes_with(&name).is_empty(), || format!("left behind: {:?}", processes_with(&name)))
}

/// The control groups that a process made.
fn groups_of(process: u32) -> Vec<PathBuf> {
    let name = format!("boyi-{process}-");
    let found = Command::new("find").args(["/sys/fs/cgroup", "-name", &format!("{name}*")]).output();
    let text = found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().map(PathBuf::from).collect()
}

fn starter_killed(level: Level) -> Result<(), Failed> {
    let (folder, program) = stage()?;
    let trial = serde_json::json!({ "level": level, "limits": limits(), "folder": folder.path() });
    let mut child = Command::new(programs::trial())
        .arg(trial.to_string())
        .args([program.as_os_str(), "sleep".as_ref()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let name = program.display().to_string();
    let deadline = Instant::now() + Duration::from_secs(10);
    while processes_with(&name).len() < 3 {
        ensure(Instant::now() < deadline, || "it does not start".to_owned())?;
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill()?;
    child.wait()?;
    gone_soon(&name)?;
    if level == Level::B && rustix::process::geteuid().is_root() {
        // Its launcher has become a stranger, who may not remove what root has made: the next start does.
        made(level)?.sweep();
    }
    ensure(groups_of(child.id()).is_empty(), || format!("left behind: {:?}", groups_of(child.id())))
}

fn swept() -> Result<(), Failed> {
    let sandbox = made(Level::A)?;
    let (cell, mut child, _folder) = running(&sandbox, &["sleep"])?;
    let own = groups_of(std::process::id());
    ensure(!own.is_empty(), || "a running cell has groups".to_owned())?;
    // The same place, the name of a process that is long gone.
    let mut gone = Command::new("true").spawn()?;
    gone.wait()?;
    let left: Vec<PathBuf> =
        own.iter().filter_map(|group| Some(group.parent()?.join(format!("boyi-{}-1-1", gone.id())))).collect();
    for group in &left {
        std::fs::create_dir(group)?;
    }
    let count = sandbox.sweep();
    let alive = own.iter().all(|group| group.exists());
    cell.kill();
    child.wait()?;
    ensure(count >= left.len() && left.iter().all(|group| !group.exists()), || format!("{count} swept of {left:?}"))?;
    ensure(alive, || "the groups of the living were swept".to_owned())
}

fn bytes(level: Level) -> Result<(), Failed> {
    let seen = hostile(&made(level)?, limits(), &["bytes"])?;
    same(&seen.report.ended, &Ended::Exited(0), &seen.report)?;
    let every: Vec<u8> = (0..=255).collect();
    let right =
        seen.stdout.len() == 256 + 10_000_000 + 1 && seen.stdout.starts_with(&every) && seen.stdout.ends_with(b"x\n");
    ensure(right, || format!("{} bytes came", seen.stdout.len()))
}

fn not_there() -> Result<(), Failed> {
    let sandbox = made(Level::A)?;
    let (folder, _) = stage()?;
    let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
    let command = cell.command(&["./no-such-engine"])?;
    let seen = capture(cell, command, Input::Bytes(b""), 1024)?;
    let named = matches!(&seen.report.ended, Ended::NotStarted(failure) if failure.program && failure.step == "./no-such-engine");
    ensure(named, || format!("{:?}", seen.report.ended))
}

fn outputs(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (folder, program) = stage()?;
    let work = folder.path().join("work");
    std::fs::create_dir(&work)?;
    let cell = sandbox.cell(limits(), View::work(&work)?.and(&program)?)?;
    let command = cell.command(&[program.as_os_str(), "outputs".as_ref(), "/etc/shadow".as_ref()])?;
    let seen = capture(cell, command, Input::Bytes(b""), 4096)?;
    same(&seen.report.ended, &Ended::Exited(0), &seen)?;
    let mut names: Vec<String> =
        std::fs::read_dir(&work)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    same(&names, &vec!["deep".to_owned(), "plain".to_owned()], &seen)?;
    same(&std::fs::read_to_string(work.join("plain"))?.as_str(), &"plain", &seen)?;
    same(&std::fs::read_to_string(work.join("deep/inner"))?.as_str(), &"inner", &seen)?;
    let left = seen.report.remarks.iter().filter(|remark| matches!(remark, Remark::LeftBehind(_))).count();
    ensure(left == 3, || format!("three were left behind: {:?}", seen.report.remarks))
}

fn environment() -> Result<(), Failed> {
    let seen = hostile(&made(Level::A)?, limits(), &["environment"])?;
    let mut names: Vec<&str> = std::str::from_utf8(&seen.stdout)?.lines().collect();
    names.sort_unstable();
    same(&names, &vec!["HOME", "LANG", "PATH", "TMPDIR"], &seen.report.ended)
}

fn private_folder() -> Result<(), Failed> {
    let sandbox = made(Level::A)?;
    let (folder, program) = stage()?;
    for (path, mode) in [(program.as_path(), 0o700), (folder.path(), 0o700)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
    }
    let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
    let command = cell.command(&["./hostile", "exit", "5"])?;
    let seen = capture(cell, command, Input::Bytes(b""), 1024)?;
    same(&seen.report.ended, &Ended::Exited(5), &seen)
}

fn strangers(level: Level) -> Result<(), Failed> {
    use std::io::{BufRead as _, Read as _};
    let sandbox = made(level)?;
    let (folder, program) = stage()?;
    let mut engines = Vec::new();
    for (own, other) in [("left", "right"), ("right", "left")] {
        let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
        let mut command = cell.command(&[program.as_os_str(), "shared-file".as_ref(), own.as_ref(), other.as_ref()])?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut output = std::io::BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        same(&line.as_str(), &"left\n", &own)?;
        engines.push((cell, child, output));
    }
    for (cell, mut child, mut output) in engines {
        drop(child.stdin.take());
        let mut text = String::new();
        output.read_to_string(&mut text)?;
        let status = child.wait()?;
        let report = cell.finish(status);
        same(&report.ended, &Ended::Exited(0), &report)?;
        ensure(text.lines().count() == 3 && text.lines().all(|line| line.starts_with("refused")), || text.clone())?;
    }
    Ok(())
}

/// Runs a language's runtime, which must answer 42.
fn runtime(level: Level, program: &str, words: &[&str]) -> Result<(), Failed> {
    if !Path::new("/usr/bin").join(program).exists() {
        return Err(format!("{program} is missing: apt-get install it").into());
    }
    let sandbox = made(level)?;
    let (folder, _) = stage()?;
    let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
    let words: Vec<&str> = std::iter::once(program).chain(words.iter().copied()).collect();
    let command = cell.command(&words)?;
    let seen = capture(cell, command, Input::Bytes(b""), 4096)?;
    same(&seen.report.ended, &Ended::Exited(0), &seen)?;
    same(&String::from_utf8_lossy(&seen.stdout).trim(), &"42", &seen)
}

const JAVA: &str = "public class Engine { public static void main(String[] a) throws Exception {
    int[] answer = new int[1]; Thread t = new Thread(() -> answer[0] = 6 * 7); t.start(); t.join(); System.out.println(answer[0]); } }";

fn java(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (folder, _) = stage()?;
    std::fs::write(folder.path().join("Engine.java"), JAVA)?;
    let compiled = Command::new("javac").arg("Engine.java").current_dir(folder.path()).status()?;
    ensure(compiled.success(), || "javac is missing: apt-get install default-jdk-headless".to_owned())?;
    let cell = sandbox.cell(limits(), View::folder(folder.path())?)?;
    let command = cell.command(&["java", "-cp", ".", "Engine"])?;
    let seen = capture(cell, command, Input::Bytes(b""), 4096)?;
    same(&seen.report.ended, &Ended::Exited(0), &seen)?;
    same(&String::from_utf8_lossy(&seen.stdout).trim(), &"42", &seen)
}

/// Sources that attack their compiler. Each must end within its limits and bring nothing out of the machine.
const SOURCES: &[(&str, &str)] = &[
    ("endless device", "#include \"/dev/zero\"\n"),
    ("secret", "#include \"/etc/shadow\"\n"),
    ("secret bytes", "__asm__(\".incbin \\\"/etc/shadow\\\"\");\nint main(){}\n"),
    ("includes itself", "#include __FILE__\n#include __FILE__\nint x = ;\n"),
    ("huge array", "char a[4294967296] = {1};\nint main(){}\n"),
    ("repeats", "__asm__(\".rept 1000000000\\n.quad 1\\n.endr\");\nint main(){}\n"),
    (
        "macros",
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n#define D(x) C(C(x))\nint a[] = { D(1,) };\n",
    ),
    (
        "templates",
        "template<int N, int M> struct S { static constexpr long v = S<N-1,M>::v + S<N-1,M+1>::v; };\ntemplate<int M> struct S<0,M> { static constexpr long v = M; };\nint main(){ return S<800,0>::v; }\n",
    ),
];

fn compilers(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (folder, _) = stage()?;
    let limits = Limits { wall: Some(Duration::from_secs(6)), ..Limits::compiler() };
    for (name, source) in SOURCES {
        let (sources, work) = (folder.path().join("sources"), folder.path().join("work"));
        for place in [&sources, &work] {
            let _ = std::fs::remove_dir_all(place);
            std::fs::create_dir(place)?;
        }
        std::fs::write(sources.join("engine.cpp"), source)?;
        let cell = sandbox.cell(limits.clone(), View::work(&work)?.and(&sources)?)?;
        let file = sources.join("engine.cpp").display().to_string();
        let command = cell.command(&["g++", "-O1", "-o", "engine", &file])?;
        let seen = capture(cell, command, Input::Bytes(b""), 100_000)?;
        let said = String::from_utf8_lossy(&seen.stderr);
        let right = match &seen.report.ended {
            Ended::Exited(code) => *code != 0,
            Ended::Limit(_) => true,
            _ => false,
        };
        ensure(right && !said.contains("root:"), || {
            format!("{name}: {:?} {}", seen.report, said.chars().take(400).collect::<String>())
        })?;
        ensure(seen.report.usage.wall < Duration::from_secs(20), || format!("{name}: {:?}", seen.report.usage))?;
    }
    Ok(())
}

/// How many runs; the long version is `cargo xtask sandbox`.
fn runs() -> usize {
    std::env::var("BOYI_SANDBOX_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(50)
}

fn nothing_left(level: Level) -> Result<(), Failed> {
    let sandbox = made(level)?;
    let (folder, program) = stage()?;
    let token = format!("leftover-{}-{level}", std::process::id());
    let quick = Limits {
        wall: Some(Duration::from_millis(60)),
        memory: Some(32 << 20),
        output: Some(1 << 20),
        scratch: 4 << 20,
        ..Limits::engine()
    };
    let behaviours: &[&[&str]] = &[
        &["daemon", &token],
        &["fork-bomb", &token],
        &["touch", "100", &token],
        &["system-v", "8", &token],
        &["scratch", "/dev/shm", "8", &token],
        &["flood", &token],
        &["stop-itself", &token],
        &["abort", &token],
        &["thread-bomb", &token],
        &["mount", &token],
    ];
    let before = (mounts()?, segments()?, temporary_files()?);
    for run in 0..runs() {
        let words = behaviours[run % behaviours.len()];
        let cell = sandbox.cell(quick.clone(), View::folder(folder.path())?)?;
        let all: Vec<&str> =
            std::iter::once(program.to_str().ok_or("not text")?).chain(words.iter().copied()).collect();
        let command = cell.command(&all)?;
        let seen = capture(cell, command, Input::Bytes(b""), 1024)?;
        ensure(!matches!(seen.report.ended, Ended::NotStarted(_)), || format!("{words:?}: {:?}", seen.report))?;
    }
    ensure(processes_with(&token).is_empty(), || format!("processes: {:?}", processes_with(&token)))?;
    let own = groups_of(std::process::id());
    ensure(own.is_empty(), || format!("control groups: {own:?}"))?;
    let after = (mounts()?, segments()?, temporary_files()?);
    same(&after, &before, &"mounts, segments, temporary files")
}

fn mounts() -> std::io::Result<usize> {
    Ok(std::fs::read_to_string("/proc/self/mountinfo")?.lines().count())
}

/// System V segments of users that only our programs have.
fn segments() -> std::io::Result<usize> {
    let text = std::fs::read_to_string("/proc/sysvipc/shm")?;
    let user = |line: &str| line.split_whitespace().nth(7).and_then(|word| word.parse::<u32>().ok());
    Ok(text.lines().filter(|line| user(line).is_some_and(|user| user >= 1_900_000_000)).count())
}

/// Files in shared folders that only our programs own.
fn temporary_files() -> std::io::Result<usize> {
    use std::os::unix::fs::MetadataExt as _;
    let mut count = 0;
    for folder in ["/tmp", "/dev/shm", "/var/tmp"] {
        let entries = std::fs::read_dir(folder)?.flatten();
        count += entries.filter(|entry| entry.metadata().is_ok_and(|metadata| metadata.uid() >= 1_900_000_000)).count();
    }
    Ok(count)
}

//! Engines in cages, in real games: two of one game are alone, and a busy machine does not make anybody lose on time.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// Everything a spy finds where nothing holds it.
const EVERYTHING: &str = "its process, signals, its memory, tracing, abstract sockets, loopback, shared memory, temporary files, \
                          its folder, segments, the arena, the database";

fn main() {
    let arguments = Arguments::from_args();
    let trials = vec![
        trial("two engines are alone", "a", || spied("a", "nothing")),
        trial("two engines are alone", "b", || spied("b", "nothing")),
        trial("without a cage they are not", "none", || spied("none", EVERYTHING)),
        trial("an engine that would see the store is not offered", "a", closed),
        trial("an engine is not charged for waiting", "a", waiting),
        trial("a sleeper is", "a", sleeping),
        trial("an endless computation that was kept waiting has no result", "a", endless),
        trial("an endless computation loses a match all the same", "a", endless_every_time),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test, or a line that says why it cannot be one here.
fn trial(name: &str, level: &str, run: fn() -> Result<(), Failed>) -> Trial {
    let name = format!("{level} / {name}");
    match missing(level) {
        Some(reason) => {
            Trial::test(format!("{name} (not available here: {reason})"), || Ok(())).with_ignored_flag(true)
        }
        None => Trial::test(name, run),
    }
}

/// Why a level cannot be had here; found by trying it.
fn missing(level: &str) -> Option<String> {
    let mut command = Command::new(BOYI);
    let tried = command.args(["sandbox", "run", "--lang", "en", "--level", level, "--", "true"]).output();
    match tried {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// A game of Tiaojia between two commands that find their files in `folder`.
fn game(folder: &Path, level: &str, limit: &str, black: &str, white: &str) -> Result<Value, Failed> {
    let mut command = Command::new(BOYI);
    command.args(["play", "tiaojia", "--lang", "en", "--json", "--sandbox", level, "--ply-time", limit]);
    let output = command.args(["--black", black, "--white", white]).current_dir(folder).output()?;
    serde_json::from_slice(&output.stdout).map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned().into())
}

fn stage() -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::Builder::new().prefix("boyi-cages-").tempdir()?;
    for (name, text) in [("spy.py", include_str!("spy.py")), ("worker.py", include_str!("worker.py"))] {
        std::fs::write(folder.path().join(name), text)?;
    }
    Command::new("chmod").args(["-R", "a+rX"]).arg(folder.path()).status()?;
    Ok(folder)
}

/// What Black finds of White, of the arena's port and of its database.
fn spied(level: &str, expected: &str) -> Result<(), Failed> {
    let (folder, elsewhere) = (stage()?, stage()?);
    let database = elsewhere.path().join("boyi.db");
    std::fs::write(&database, "plies of hidden games")?;
    let arena = TcpListener::bind("127.0.0.1:0")?;
    // A port that is free now and that nobody is given by chance soon.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let token = format!("boyi-spy-{}-{level}", std::process::id());
    let command = |role: &str| {
        let (arena, database) = (arena.local_addr().map_or(0, |address| address.port()), database.display());
        format!("python3 spy.py {role} {token} {port} {arena} database={database}")
    };
    let game = game(folder.path(), level, "60", &command("looks"), &command("shown"));
    for trace in ["/dev/shm", "/tmp"] {
        let _ = std::fs::remove_file(Path::new(trace).join(&token));
    }
    let _ = Command::new("ipcrm").args(["-M", &(u32::from(port) << 12).to_string()]).stderr(Stdio::null()).status();
    let game = game?;
    let evidence = game["decision"]["evidence"].to_string();
    let found = format!("found: {expected}\"");
    if evidence.contains(&found) { Ok(()) } else { Err(format!("expected {found} in {game}").into()) }
}

/// `boyi serve` says at its start which engine's files cannot be shown apart from its own.
fn closed() -> Result<(), Failed> {
    let folder = stage()?;
    let data = folder.path().join("data");
    let offer = format!("spy=tiaojia=python3 {}/worker.py sleep 1", data.display());
    std::fs::create_dir(&data)?;
    std::fs::copy(folder.path().join("worker.py"), data.join("worker.py"))?;
    let mut command = Command::new(BOYI);
    command.args(["serve", "--lang", "en", "--listen", "127.0.0.1:0", "--engine", &offer, "--data"]).arg(&data);
    let output = command.current_dir(folder.path()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let right = !output.status.success() && said.contains("spy: ") && said.contains("cannot be shown");
    if right { Ok(()) } else { Err(format!("{} {said}", output.status).into()) }
}

/// Two busy programs on each core, until dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn new() -> Result<Self, Failed> {
        let cores = std::thread::available_parallelism()?.get();
        let mut busy = Self(Vec::new());
        for core in (0..cores).flat_map(|core| [core; 2]) {
            let mut command = Command::new("taskset");
            command.args(["-c", &core.to_string(), "sh", "-c", "while :; do :; done"]);
            busy.0.push(command.spawn()?);
        }
        Ok(busy)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A third of a core for 250 ms of computing takes longer than the limit of 400 ms, and is not a loss on time.
fn waiting() -> Result<(), Failed> {
    let folder = stage()?;
    let _busy = Busy::new()?;
    let game = game(folder.path(), "a", "400ms", "python3 worker.py compute 250", "builtin:random")?;
    let (first, reason) = (&game["plies"][0]["ms"], &game["decision"]["reason"]["code"]);
    // Its second ply is illegal. On a machine that is busier still the first may take longer than three limits: no result.
    let right = match reason.as_str() {
        Some("illegal-ply") => first.as_f64().is_some_and(|first| (245.0..400.0).contains(&first)),
        Some("stalled") => true,
        _ => false,
    };
    if right { Ok(()) } else { Err(game.to_string().into()) }
}

fn sleeping() -> Result<(), Failed> {
    let folder = stage()?;
    let _busy = Busy::new()?;
    let game = game(folder.path(), "a", "2", "python3 worker.py sleep 6000", "builtin:random")?;
    let right = game["decision"]["reason"]["code"] == "time" && game["decision"]["winner"] == "white";
    if right { Ok(()) } else { Err(game.to_string().into()) }
}

fn endless() -> Result<(), Failed> {
    let folder = stage()?;
    let _busy = Busy::new()?;
    let game = game(folder.path(), "a", "400ms", "python3 worker.py compute 100000", "builtin:random")?;
    let right = game["decision"]["reason"]["code"] == "stalled" && game["decision"]["counts"] == false;
    if right { Ok(()) } else { Err(game.to_string().into()) }
}

/// What has no result is played again, but not for ever.
fn endless_every_time() -> Result<(), Failed> {
    let folder = stage()?;
    let _busy = Busy::new()?;
    let mut command = Command::new(BOYI);
    command.args(["match", "tiaojia", "--lang", "en", "--json", "--sandbox", "a", "--ply-time", "300ms", "-j", "1"]);
    command.args(["--games", "2", "--no-report", "-a", "python3 worker.py compute 100000", "-b", "builtin:random"]);
    let output = command.current_dir(folder.path()).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let events: Vec<Value> = said.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let reasons: Vec<&str> = events.iter().filter_map(|event| event["reason"].as_str()).collect();
    let right = reasons == ["time", "time"];
    if right { Ok(()) } else { Err(format!("{said}{}", String::from_utf8_lossy(&output.stderr)).into()) }
}

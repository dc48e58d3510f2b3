//! What is left, and what is lost, when boyi is killed in the middle of something.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// How many processes have this word in their command line.
fn alive(word: &str) -> usize {
    std::fs::read_dir("/proc")
        .expect("proc is there")
        .flatten()
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| line.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes()))
        .count()
}

fn wait_until(what: &str, seconds: u64, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_engine_outlives_a_killed_referee() {
    // A number nobody else sleeps for; the engines ignore the end of their input, as the worst ones do.
    let mark = format!("{}", 1_000_000 + std::process::id());
    let engine = format!("sleep {mark}");
    let mut referee = Command::new(BOYI)
        .args(["play", "nogo", "--start-time", "60", "--black", &engine, "--white", &engine])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("both engines start", 10, || alive(&mark) == 2);
    referee.kill().unwrap();
    referee.wait().unwrap();
    wait_until("no engine remains within two seconds", 2, || alive(&mark) == 0);
}

/// The games of a journal: number to seats and plies.
fn games(folder: &Path) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let mut games = BTreeMap::new();
    for line in text.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("a finished journal has whole lines");
        let plies = game["record"]["plies"].as_array().expect("a record has plies");
        let plies: Vec<&str> = plies.iter().filter_map(|ply| ply["ply"].as_str()).collect();
        let story = format!("{} {} {}", game["black"], game["white"], plies.join(" "));
        assert!(
            games.insert(game["number"].as_u64().expect("a number"), story).is_none(),
            "a game is in the journal twice"
        );
    }
    games
}

fn start_match(folder: &Path) -> Command {
    let engine = |level| format!("{BOYI} engine tiaojia --level {level} --seed 3");
    let mut command = Command::new(BOYI);
    command.args(["match", "tiaojia", "--games", "120", "--seed", "9", "--variant", "max_plies=40", "-q"]);
    command.args(["-a", &engine("greedy"), "-b", &engine("random"), "--dir"]).arg(folder);
    command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    command
}

#[test]
fn a_match_killed_at_any_moment_goes_on_without_losing_or_doubling_a_game() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = start_match(whole.path()).output().unwrap();
    assert!(expected.status.success());
    let mut kills = 0;
    for delay in [3, 40, 90, 15, 120, 60, 30, 75, 8, 110] {
        let mut child = start_match(broken.path()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "the match was always over before it was killed");
    let finished = start_match(broken.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&finished.stdout), String::from_utf8_lossy(&expected.stdout));
    let games = games(broken.path());
    assert_eq!(games.len(), 120);
    assert_eq!(games, self::games(whole.path()));
}

#[test]
fn a_tournament_killed_at_any_moment_is_the_same_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let mut plan = "game = \"tiaojia\"\ngames = 20\nconcurrency = 2\n[variant]\nmax_plies = 60\n".to_owned();
    for (name, level, seed) in [("a", "greedy", 1), ("b", "random", 2), ("c", "random", 3), ("d", "greedy", 4)] {
        let command = format!("{BOYI} engine tiaojia --level {level} --seed {seed}");
        plan.push_str(&format!("[[engine]]\nname = \"{name}\"\ncommand = {command:?}\n"));
    }
    std::fs::write(&file, plan).unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let start = |home: &Path| {
        let mut command = Command::new(BOYI);
        match home.join("tournament.toml").exists() {
            true => command.args(["tournament", "resume"]).arg(home),
            false => command.args(["tournament", "run"]).arg(&file).arg("--dir").arg(home),
        };
        command.args(["-q", "--json"]).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
        command
    };
    let last_line = |output: std::process::Output| {
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().lines().last().map(str::to_owned)
    };
    let expected = last_line(start(&whole).output().unwrap());
    let mut kills = 0;
    for delay in [30, 3, 80, 15, 60, 45, 20, 70, 8, 100] {
        let mut child = start(&broken).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "the tournament was always over before it was killed");
    assert_eq!(last_line(start(&broken).output().unwrap()), expected, "the final table");
    let games = games(&broken);
    assert_eq!(games.len(), 120);
    assert_eq!(games, self::games(&whole));
}

#[test]
fn a_tournament_is_run_resumed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let engine = |level: &str| {
        format!("[[engine]]\nname = \"{level}\"\ncommand = \"{BOYI} engine nogo --level {level} --seed 1\"\n")
    };
    let plan = format!(
        "game = \"nogo\"\nformat = \"swiss\"\nrounds = 3\nconcurrency = 2\n[time]\nply_ms = 5000\n{}{}[[engine]]\nname = \"dead\"\ncommand = \"false\"\n\
         [[engine]]\nname = \"inner\"\nbuiltin = \"random\"\n[[engine]]\nname = \"odd\"\nbuiltin = \"greedy\"\n",
        engine("greedy"),
        engine("random")
    );
    std::fs::write(&file, plan).unwrap();
    let boyi = |arguments: &[&str]| {
        let output = Command::new(BOYI).arg("tournament").args(arguments).current_dir(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = boyi(&["run", "cup.toml", "--json", "--lang", "en"]);
    assert_eq!(code, Some(0), "{text}");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // Five engines: two matches of two games a round, three rounds, and a bye each round.
    assert_eq!((&last["event"], &last["games"]), (&"standings".into(), &12.into()));
    let table = last["table"].as_array().unwrap();
    let dead = table.iter().find(|row| row["name"] == "dead").unwrap();
    assert_eq!(dead["wins"], 0, "an engine that does not start loses its own games only");
    assert_eq!(boyi(&["run", "cup.toml"]).0, Some(2), "a tournament is not begun twice");
    let (_, standings) = boyi(&["standings", "cup", "--json"]);
    let (_, resumed) = boyi(&["resume", "cup", "--json"]);
    assert_eq!(standings.trim(), text.lines().last().unwrap());
    // Nothing is left to play: it says what it is and shows the table.
    assert_eq!((resumed.lines().count(), resumed.lines().last()), (2, text.lines().last()));
    let (_, chinese) = boyi(&["standings", "cup", "--lang", "zh"]);
    let table: Vec<&str> = chinese.lines().take(6).collect();
    let names = ["积分", "odd", "greedy", "inner", "random", "dead"];
    assert!(names.iter().all(|name| table.iter().filter(|line| line.contains(name)).count() == 1), "{chinese}");
    assert!(chinese.contains("无法测定"), "a few games measure nothing: {chinese}");
}

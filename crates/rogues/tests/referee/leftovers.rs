//! Nothing stays behind, whoever dies and however.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rogues::{Contest, left_behind};
use rstest::rstest;

use super::{ROGUE, arena, assert_clean};

#[rstest]
fn daemons_and_grandchildren_go_with_the_game(
    #[values("nogo", "gomoku", "junqi", "tiaojia")] game: &'static str,
    #[values("daemon", "daemon-holds-pipes", "ponders-in-child", "ignores-quit", "flood-after-eof")] script: &str,
) {
    let arena = arena();
    let report = arena.play(&Contest::new(game, script, "correct").ply_time(500)).unwrap();
    assert!(report.decision.counts);
    // The seats are gone, the arena is not: it is the game that cleans up, not the keeper.
    assert_eq!(left_behind(arena.run()), Vec::<String>::new(), "{game}: {script}");
}

/// A referee's own list of children is empty after its games: the dead are buried, too.
#[rstest]
fn the_dead_are_buried(#[values("daemon", "ponders-in-child", "exit-at-turn")] script: &str) {
    let output = Command::new(ROGUE).args(["referee", "nogo", script, "correct", "3"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 5, "{text}");
    assert_eq!(text.lines().last(), Some("children: 0"), "{text}");
}

#[rstest]
fn nothing_survives_a_killed_referee(
    #[values("nogo", "gomoku", "junqi", "tiaojia")] game: &str,
    #[values("stops-reading", "daemon", "ignores-quit", "ponders-in-child")] script: &str,
) {
    let mut referee = Command::new(ROGUE)
        .args(["referee", game, script, "exact 10000 turn=2"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut run = String::new();
    BufReader::new(referee.stdout.take().unwrap()).read_line(&mut run).unwrap();
    let run = run.trim();
    // Both engines are there and in the middle of a game.
    while left_behind(run).len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(100));
    let number = referee.id();
    assert_eq!(
        groups_of(number).is_empty(),
        sandbox::Pens::find().is_none(),
        "engines sit in pens where there are any"
    );
    referee.kill().unwrap();
    referee.wait().unwrap();
    assert_clean(run, &format!("{game}: {script}"));
    let deadline = Instant::now() + Duration::from_secs(30);
    while !groups_of(number).is_empty() {
        assert!(Instant::now() < deadline, "left behind: {:?}", groups_of(number));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The control groups that a process made.
fn groups_of(process: u32) -> String {
    let name = format!("boyi-{process}-*");
    let found = Command::new("find").args(["/sys/fs/cgroup", "-name", &name]).output();
    found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

//! A pause holds, whoever undoes it; and where it cannot be made to hold, undoing it costs the game.
//!
//! Each way of pausing is proven twice: with the control group nobody gets anything of his opponent's time, and without
//! it the same engine takes what it wants, is found out and loses.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use games::Side;
use referee::{Cage, Direction, GameReport};
use rogues::{Arena, Contest, USED};
use rstest::rstest;
use sandbox::{Layer, Layers, Level, Limits, Sandbox};

use super::{ROGUE, arena};

/// White thinks so long at its second turn.
const OPPONENT: &str = "late 500 seed=2";
/// The same where a busy machine must leave Black enough.
const LONG: &str = "late 3000 seed=2";
/// The same where the game ends as soon as Black is found out, however little the machine leaves it.
const UNTIL_FOUND_OUT: &str = "late 18000 seed=2";

/// A sandbox of this level; nothing where it cannot be had, which no machine of CI may say.
fn sandbox(level: Level) -> Option<Sandbox> {
    match Sandbox::new(level, ROGUE) {
        Ok(sandbox) => Some(sandbox),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            None
        }
    }
}

fn caged(sandbox: Sandbox) -> Option<Cage> {
    Some(Cage { sandbox: Arc::new(sandbox), limits: Limits::engine(), closed: None })
}

fn play(arena: &Arena, script: &str, opponent: &str, cage: Option<Cage>) -> GameReport {
    arena.play(&Contest { cage, ..Contest::new("nogo", script, opponent) }).unwrap()
}

/// The most that Black says to have used on one turn of White's, in milliseconds.
fn most_used(report: &GameReport) -> u64 {
    let said =
        report.transcript.entries().filter(|line| line.seat == Side::Black && line.direction == Direction::Error);
    let used = said.filter_map(|line| std::str::from_utf8(&line.bytes).ok()?.strip_prefix(USED)?.trim().parse().ok());
    used.max().unwrap()
}

fn notes(report: &GameReport) -> String {
    let remarks = report.transcript.entries().filter(|line| line.direction == Direction::Remark);
    remarks.map(|line| String::from_utf8_lossy(&line.bytes).into_owned() + "\n").collect()
}

/// It is suspended, uses next to nothing of the 500 ms, and plays on as if nothing had been.
fn held(report: &GameReport, what: &str) {
    assert_eq!(report.decision.evidence.seat, None, "{what}: {:?}", report.decision);
    let notes = notes(report);
    assert!(notes.contains("suspended until its turn: it used ") && notes.contains("已暂停"), "{what}: {notes}");
    let used = most_used(report);
    // What it may use until it is noticed, and a look that comes late; the whole turn is 500.
    assert!(used < 200, "{what}: {used} ms of its opponent's time");
}

/// It goes on in spite of the pause, and loses by it.
fn found_out(report: &GameReport, what: &str) {
    let decision = &report.decision;
    let (used, notes) = (most_used(report), notes(report));
    assert_eq!(
        (decision.winner, decision.reason.code),
        (Some(Side::White), "undone-pause"),
        "{what}: {used} {notes} {decision:?}"
    );
    let (allowed, used) = (decision.evidence.limit_ms.unwrap(), decision.evidence.measured_ms.unwrap());
    assert!(used > allowed && allowed >= 50.0, "{what}: {used} of {allowed}");
    assert!(decision.evidence.detail_zh.as_ref().is_some_and(|text| text.contains("毫秒")), "{what}");
}

#[rstest]
fn a_pause_holds_without_a_cage(
    #[values("ponders-on-timer", "ponders-with-helper", "ponders-with-stranger")] script: &str,
) {
    if sandbox::Pens::find().is_none() {
        assert!(std::env::var_os("CI").is_none(), "no control group can be had here");
        return;
    }
    held(&play(&arena(), script, OPPONENT, None), script);
}

#[rstest]
fn a_pause_holds_in_a_cage(
    #[values(Level::A, Level::B, Level::C)] level: Level,
    #[values("ponders-on-timer", "ponders-with-helper", "ponders-with-stranger")] script: &str,
) {
    let Some(sandbox) = sandbox(level) else { return };
    if !sandbox.layers().has(Layer::PauseGroup) {
        assert!(std::env::var_os("CI").is_none(), "no control group can be had here");
        return;
    }
    held(&play(&arena(), script, OPPONENT, caged(sandbox)), script);
}

#[rstest]
fn without_a_control_group_undoing_a_pause_loses(#[values("ponders-on-timer", "ponders-with-stranger")] script: &str) {
    found_out(&play(&Arena::without_pens(Path::new(ROGUE)).unwrap(), script, UNTIL_FOUND_OUT, None), script);
}

#[rstest]
fn so_it_does_in_a_cage_without_one(#[values(Level::A, Level::B, Level::C)] level: Level) {
    let Some(sandbox) = sandbox(level) else { return };
    let weak = sandbox.without(Layers::of(&[Layer::PauseGroup]));
    found_out(&play(&arena(), "ponders-on-timer", UNTIL_FOUND_OUT, caged(weak)), &format!("{level:?}"));
}

/// Whoever helps is stopped with it, as long as he can be told to belong to it.
#[test]
fn helpers_are_stopped_too() {
    held(&play(&Arena::without_pens(Path::new(ROGUE)).unwrap(), "ponders-with-helper", OPPONENT, None), "helper");
    for level in [Level::A, Level::B] {
        let Some(sandbox) = sandbox(level) else { continue };
        let weak = sandbox.without(Layers::of(&[Layer::PauseGroup]));
        held(&play(&arena(), "ponders-with-stranger", OPPONENT, caged(weak)), &format!("{level:?}"));
    }
}

#[rstest]
fn whoever_may_ponder_may_also_go_on(#[values("ponders-on-timer", "ponders-with-helper")] script: &str) {
    let contest = Contest { ponder: true, ..Contest::new("nogo", script, LONG) };
    for arena in [arena(), Arena::without_pens(Path::new(ROGUE)).unwrap()] {
        let report = arena.play(&contest).unwrap();
        assert_eq!(report.decision.evidence.seat, None, "{script}: {:?}", report.decision);
        let used = most_used(&report);
        // A pause would come after 20.
        assert!(used > 100 && !notes(&report).contains("suspended"), "{script}: only {used} ms of 3000");
    }
}

/// Programs that keep every core busy, until dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn new(count: usize) -> Self {
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().unwrap();
        Self((0..count).map(|_| spin()).collect())
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

/// A stop takes effect late beside four busy programs, and there are many of them in a game of short turns. Who does
/// nothing to undo it never loses by that.
#[rstest]
fn nobody_loses_by_a_pause_that_comes_late(
    #[values("ponders", "ponders-aloud", "ponders-in-child", "correct")] script: &str,
    #[values(Level::A, Level::B, Level::C, Level::D)] level: Level,
) {
    let _busy = Busy::new(4);
    let cage = match level {
        Level::D => None,
        // Where no process may be made it cannot ponder in one.
        Level::C if script == "ponders-in-child" => return,
        level => {
            let Some(sandbox) = sandbox(level) else { return };
            caged(sandbox.without(Layers::of(&[Layer::PauseGroup])))
        }
    };
    let arena = Arena::without_pens(Path::new(ROGUE)).unwrap();
    let mut was_suspended = false;
    // A machine that leaves it next to nothing of short turns leaves it something of a long one; a game in which it was
    // not suspended would prove nothing.
    for opponent in ["exact 40 seed=2", "late 1500 seed=2", "late 10000 seed=2"] {
        let report = play(&arena, script, opponent, cage.clone());
        assert_eq!(report.decision.evidence.seat, None, "{script} at {level:?}: {:?}", report.decision);
        was_suspended |= notes(&report).contains("suspended");
        if was_suspended || script == "correct" {
            break;
        }
    }
    assert_eq!(was_suspended, script != "correct", "{script} at {level:?}");
}

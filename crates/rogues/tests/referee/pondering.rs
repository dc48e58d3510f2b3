//! An engine that computes on its opponent's time is suspended until its turn.

use games::Side;
use referee::{Direction, GameReport};
use rogues::Contest;
use rstest::rstest;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::arena;

/// A game in which White thinks for half a second at its second turn.
fn play(game: &'static str, script: &str, opponent: &str, ponder: bool) -> GameReport {
    arena().play(&Contest { ponder, ..Contest::new(game, script, opponent) }).unwrap()
}

fn suspended(report: &GameReport) -> bool {
    report.transcript.entries().any(|line| {
        line.seat == Side::Black && line.direction == Direction::Remark && line.bytes.starts_with(b"suspended")
    })
}

#[rstest]
fn a_ponderer_is_suspended_and_plays_on(
    #[values("nogo", "gomoku", "junqi", "tiaojia")] game: &'static str,
    #[values("ponders", "ponders-aloud", "ponders-in-child")] script: &str,
) {
    let report = play(game, script, "late 500 seed=2", false);
    let correct = play(game, "correct", "correct seed=2", false);
    assert_eq!(report.decision, correct.decision, "{game}: {script}");
    assert!(suspended(&report), "{game}: {script}");
    assert!(!suspended(&correct));
}

/// With all on one core, what a ponderer computes is taken from its opponent. A busy machine may blur one game, hardly
/// three.
#[test]
fn the_opponents_time_is_his_own() {
    // Processes inherit the core of the thread that starts them.
    let mut core = CpuSet::new();
    let all = sched_getaffinity(None).unwrap();
    core.set((0..CpuSet::MAX_CPU).find(|&number| all.is_set(number)).unwrap());
    sched_setaffinity(None, &core).unwrap();
    let worked = |ponder| {
        let report = play("nogo", "ponders", "works 400", ponder);
        report.plies.iter().filter(|step| step.mover == Side::White).nth(1).unwrap().time
    };
    let shares = (0..3).map(|_| worked(false).as_secs_f64() / worked(true).as_secs_f64());
    let least = shares.fold(f64::INFINITY, f64::min);
    assert!(least < 0.8, "beside a suspended opponent the same work took {least:.2} of the time");
}

#[test]
fn a_thinker_who_chatters_does_not_protect_a_ponderer() {
    let report = arena().play(&Contest::new("nogo", "ponders", "chatter").ply_time(500)).unwrap();
    assert_eq!(report.decision.reason.code, "time");
    assert!(suspended(&report));
}

#[rstest]
fn who_may_ponder_is_left_alone(#[values("ponders", "ponders-aloud")] script: &str) {
    let report = play("nogo", script, "late 300 seed=2", true);
    assert_eq!(report.decision, play("nogo", "correct", "correct seed=2", true).decision);
    assert!(!suspended(&report));
}

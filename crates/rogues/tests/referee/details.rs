//! The evidence of a decision, and what else must hold about single faults.

use std::time::Duration;

use games::Side;
use referee::{Direction, GameReport, LimitOf, TimeControl};
use rogues::Contest;
use rstest::rstest;

use super::arena;

fn play(contest: &Contest) -> GameReport {
    arena().play(contest).unwrap()
}

#[rstest]
fn a_segmentation_fault_is_named(#[values("nogo", "gomoku", "junqi", "tiaojia")] game: &'static str) {
    let report = play(&Contest::new(game, "segfault", "correct"));
    let detail = report.decision.evidence.detail.unwrap();
    assert!(detail.contains("signal 11 (SIGSEGV)"), "{detail}");
}

#[test]
fn how_a_process_ended_is_told() {
    let told = |script: &str| {
        let evidence = play(&Contest::new("nogo", script, "correct")).decision.evidence;
        [evidence.detail, evidence.detail_zh].map(Option::unwrap)
    };
    assert_eq!(told("exit-at-turn"), ["exited with code 0", "已退出，退出码 0"]);
    assert_eq!(told("closes-output"), ["its output is closed", "它的输出已关闭"]);
}

#[test]
fn an_answer_without_its_newline_is_noticed() {
    let evidence = play(&Contest::new("nogo", "no-newline", "correct").ply_time(100)).decision.evidence;
    assert_eq!(evidence.detail.as_deref(), Some("the limit of a single ply; output without a newline"));
}

#[test]
fn a_millisecond_late_is_late() {
    let evidence = play(&Contest::new("nogo", "late 101", "correct").ply_time(100)).decision.evidence;
    assert_eq!((evidence.limit_of, evidence.limit_ms), (Some(LimitOf::Ply), Some(100.0)));
    assert!(evidence.measured_ms.unwrap() > 100.0);
}

/// Neither chatter nor silence moves the deadline. A busy machine may delay one game, hardly three.
#[rstest]
#[case("nogo", "silent-turn")]
#[case("nogo", "late 10000")]
#[case("nogo", "stops-reading")]
#[case("nogo", "chatter")]
#[case("gomoku", "chatter")]
#[case("junqi", "chatter")]
#[case("tiaojia", "chatter")]
fn time_is_up_on_time(#[case] game: &'static str, #[case] script: &str) {
    let in_time = (0..3).any(|_| {
        let report = play(&Contest::new(game, script, "correct").ply_time(100));
        assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "time"));
        let evidence = report.decision.evidence;
        let overdue = evidence.measured_ms.unwrap() - evidence.limit_ms.unwrap();
        assert!(overdue >= 0.0);
        overdue < 50.0
    });
    assert!(in_time, "{game}: {script} is never stopped on time");
}

#[test]
fn every_ply_is_charged_from_request_to_newline() {
    let report = play(&Contest::new("nogo", "exact 5", "correct"));
    for step in report.plies.iter().filter(|step| step.mover == Side::Black) {
        // What the machine took of it is told beside it: it waits for a moment, however often it was kept from its core.
        assert!(step.time + step.stall >= Duration::from_millis(5), "{step:?}");
    }
    let charged: Duration = report.plies.iter().filter(|step| step.mover == Side::Black).map(|step| step.time).sum();
    assert_eq!(report.used[0], charged);
}

#[test]
fn the_whole_game_has_a_limit_too() {
    let mut contest = Contest::new("nogo", "exact 60", "correct");
    contest.time = TimeControl { ply: None, game: Some(Duration::from_millis(500)), ..contest.time };
    let report = play(&contest);
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "time"));
    let own = report.plies.iter().filter(|step| step.mover == Side::Black);
    let spent: Duration = own.map(|step| step.time).sum();
    let left = 500.0 - spent.as_secs_f64() * 1000.0;
    assert!((report.decision.evidence.limit_ms.unwrap() - left).abs() < 0.01);
    assert_eq!(report.decision.evidence.limit_of, Some(LimitOf::Game));
}

#[test]
fn a_flood_is_told_in_figures() {
    let evidence = play(&Contest::new("nogo", "flood 20", "correct")).decision.evidence;
    let (limit, wrote) = (evidence.limit_bytes.unwrap(), evidence.measured_bytes.unwrap());
    assert!(wrote > limit, "{wrote} of {limit}");
    assert_eq!(evidence.detail, Some(format!("it wrote {wrote} bytes, and {limit} are allowed")));
}

/// Whatever the rules decide, they show what they saw.
#[rstest]
fn an_end_by_the_rules_carries_its_evidence(
    #[values("amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "gomoku", "junqi", "tiaojia")]
    game: &'static str,
) {
    let report = play(&Contest::new(game, "correct", "correct seed=2"));
    let facts = &report.decision.evidence.facts;
    let last = report.plies.iter().rfind(|step| !matches!(step.end, games::End::Refused(_))).unwrap();
    assert_eq!((facts[0].key, &facts[0].value), ("last-ply", &last.ply), "{facts:?}");
    assert!(facts.len() > 1, "{facts:?}");
}

#[rstest]
fn a_name_in_gbk_is_read(#[values("nogo", "gomoku", "junqi")] game: &'static str) {
    assert_eq!(play(&Contest::new(game, "gbk-name", "correct")).names, ["博弈", "rogue"]);
}

#[test]
fn after_the_last_error_there_is_no_waiting() {
    // The clock is far away: three errors are told, the fourth illegal ply loses at once.
    let report = play(&Contest::new("nogo", "illegal-forever", "correct"));
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "illegal-ply"));
    let errors = report.transcript.entries().filter(|line| line.seat == Side::Black && line.bytes == b"error").count();
    assert_eq!(errors, 3);
    let evidence = report.decision.evidence;
    assert!(evidence.detail.unwrap().starts_with("occupied"), "{:?}", evidence.ply);
}

#[test]
fn two_that_fail_to_start_have_no_result() {
    let report = play(&Contest::new("nogo", "silent-start", "silent-start").start_time(100));
    assert_eq!((report.decision.winner, report.decision.counts), (None, false));
    assert_eq!(report.decision.reason.code, "not-ready");
}

/// A reply that comes together with the process's end counts, also when it decides the game.
#[rstest]
fn a_winning_answer_may_be_the_last_act(
    #[values("nogo", "dots", "phantom-go", "gomoku", "junqi", "tiaojia")] game: &'static str,
    #[values("answer-and-exit", "answer-and-exit-bare")] behaviour: &str,
) {
    let arena = arena();
    let correct = arena.play(&Contest::new(game, "correct", "correct seed=2")).unwrap();
    let last = correct.plies.last().unwrap().mover;
    let turns = correct.plies.iter().filter(|step| step.mover == last).count();
    let mut contest = Contest::new(game, "correct", "correct seed=2");
    contest.scripts[last.index()] = format!("{behaviour} turn={turns} seed={}", last.index() + 1);
    assert_eq!(arena.play(&contest).unwrap().decision, correct.decision);
}

/// Tries on a taken point for ever: only the clock ends that, and it fills no memory.
#[test]
fn refused_tries_are_recorded_once() {
    let report = play(&Contest::new("phantom-go", "illegal-forever", "correct").ply_time(300));
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "time"));
    let refusals = report.transcript.entries().filter(|line| line.bytes == b"refuse").count();
    assert!(refusals > 2, "it was refused only {refusals} times");
    let refused = |step: &&referee::PlayedPly| step.mover == Side::Black && matches!(step.end, games::End::Refused(_));
    assert_eq!(report.plies.iter().filter(refused).count(), 1);
}

/// What an engine that floods waits for is the referee, who reads its flood: that is no machine's fault, whatever else
/// runs there. Seven games, because before it was excused in each of seven.
#[test]
fn a_flood_is_no_excuse() {
    let sandbox = match sandbox::Sandbox::new(sandbox::Level::A, super::ROGUE) {
        Ok(sandbox) => std::sync::Arc::new(sandbox),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            return;
        }
    };
    let cage = Some(referee::Cage { sandbox, limits: sandbox::Limits::engine(), closed: None });
    let contest = Contest { cage, ..Contest::new("nogo", "flood-stderr-for-ever", "correct").ply_time(300) };
    let arena = arena();
    for _ in 0..7 {
        let table = games::find("nogo").unwrap().open(&serde_json::Value::Null, None).unwrap();
        // A little flood is one already, so that a busy machine lets it have its flood.
        let spec = referee::GameSpec { time: contest.time, output_limit: 64 << 10, ..referee::GameSpec::new(table) };
        let report = referee::play(arena.host(), spec, &mut arena.seats(&contest).unwrap(), &mut ()).unwrap();
        let decision = report.decision;
        assert_eq!((decision.winner, decision.reason.code), (Some(Side::White), "time"), "{:?}", decision.evidence);
    }
}

#[test]
fn standard_error_is_drained_but_not_kept_without_end() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    struct Counter;
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            WRITTEN.fetch_add(bytes.len(), Ordering::Relaxed);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let arena = arena();
    // Lines, not one long one: those would be cut anyway.
    let contest = Contest::new("nogo", "ponders-aloud", "late 1500");
    let table = games::find("nogo").unwrap().open(&serde_json::Value::Null, None).unwrap();
    let spec = referee::GameSpec {
        time: contest.time,
        ponder: true,
        output_limit: 4096,
        transcript: referee::Transcript::with_sink(Box::new(Counter)),
        ..referee::GameSpec::new(table)
    };
    let host = arena.host();
    let report = referee::play(host, spec, &mut arena.seats(&contest).unwrap(), &mut ()).unwrap();
    assert!(report.decision.evidence.seat.is_none(), "{:?}", report.decision);
    let written = WRITTEN.load(Ordering::Relaxed);
    assert!(written < 64 << 10, "{written} bytes went to the transcript");
    let noted = |line: &referee::transcript::Entry| line.direction == Direction::Remark;
    assert!(report.transcript.entries().any(noted));
}

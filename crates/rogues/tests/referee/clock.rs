//! What is charged, what is forgiven, and what the machine takes upon itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use games::Side;
use referee::{Direction, GameReport, LimitOf, TimeControl};
use rogues::Contest;
use rstest::rstest;
use serde_json::json;

use super::arena;

fn play(contest: &Contest) -> GameReport {
    arena().play(contest).unwrap()
}

#[track_caller]
fn assert_by_rules(report: &GameReport) {
    let decision = &report.decision;
    assert!(decision.counts && decision.evidence.seat.is_none(), "{decision:#?}");
}

fn lines(report: &GameReport, direction: Direction) -> Vec<String> {
    let said = report.transcript.entries().filter(|entry| entry.direction == direction);
    said.map(|entry| format!("{} {}", entry.seat, String::from_utf8_lossy(&entry.bytes))).collect()
}

/// Twice its limit goes into tables and set-up, on both seats, and none of it is a ply's time.
#[rstest]
#[case("gomoku", "prepares 400", "prepares 400")]
#[case("nogo", "correct", "prepares 400")]
#[case("junqi", "prepares 400", "prepares 400")]
#[case("tiaojia", "prepares 400", "prepares 400")]
fn preparation_is_nobodys_time(#[case] game: &'static str, #[case] black: &str, #[case] white: &str) {
    let contest = Contest::new(game, black, &format!("{white} seed=2")).ply_time(200);
    assert_by_rules(&play(&contest));
}

/// The same for the next game in the same process, and for a game that begins with stones on the board.
#[test]
fn a_restart_is_nobodys_time_either() {
    let arena = arena();
    let contest = Contest { keep: true, ..Contest::new("gomoku", "prepares 400", "prepares 400 seed=2").ply_time(200) };
    let mut seats = arena.seats(&contest).unwrap();
    for _ in 0..2 {
        assert_by_rules(&arena.play_on(&contest, &mut seats).unwrap());
    }
    let table = games::find("gomoku").unwrap().open(&serde_json::Value::Null, None).unwrap();
    let ply = |mover, ply: &str| referee::PlayedPly {
        mover,
        ply: ply.to_owned(),
        end: games::End::Played,
        time: Duration::ZERO,
        stall: Duration::ZERO,
    };
    let history = vec![ply(Side::Black, "7,7"), ply(Side::White, "8,8"), ply(Side::Black, "9,7")];
    let spec = referee::GameSpec { time: contest.time, history, ..referee::GameSpec::new(table) };
    let report = referee::play(arena.host(), spec, &mut arena.seats(&contest).unwrap(), &mut ()).unwrap();
    assert!(lines(&report, Direction::ToEngine).iter().any(|line| line == "white BOARD"));
    assert_by_rules(&report);
}

/// The wait for ABOUT is no part of the start-up limit: a brain that does not answer it plays all the same.
#[test]
fn a_brain_without_about_plays_all_the_same() {
    assert_by_rules(&play(&Contest::new("gomoku", "no-name", "no-name seed=2").start_time(400)));
}

/// Sixteen games of a brain whose depth is a line feed; before, it lost them at its first deep move.
#[test]
fn a_message_cut_in_two_loses_no_game() {
    let arena = arena();
    let mut cut = 0;
    for seed in 1..=8 {
        for (black, white) in [("depth-byte", "correct"), ("correct", "depth-byte")] {
            let (black, white) = (format!("{black} seed={seed}"), format!("{white} seed={}", seed + 8));
            let contest = Contest { variant: json!({ "size": 15 }), ..Contest::new("gomoku", &black, &white) };
            let report = arena.play(&contest).unwrap();
            assert_by_rules(&report);
            cut += lines(&report, Direction::Remark).iter().filter(|line| line.contains("this line is none")).count();
        }
    }
    assert!(cut >= 16, "in every game there was such a line, and it was noted: {cut}");
}

#[rstest]
#[case("gomoku", "malformed", "7;7")]
#[case("gomoku", "comma", ",")]
#[case("nogo", "malformed", "move ?!")]
fn a_loss_on_time_shows_what_was_no_move(#[case] game: &'static str, #[case] script: &str, #[case] line: &str) {
    let evidence = play(&Contest::new(game, script, "correct").ply_time(200)).decision.evidence;
    assert_eq!(evidence.unreadable.as_deref(), Some(line));
    assert!(evidence.lines.iter().any(|said| said.ends_with(line)), "{:?}", evidence.lines);
    // What an engine says is not for everybody who sees the reason.
    assert!(evidence.detail.unwrap().ends_with("a line that is no move was skipped"));
    assert!(evidence.detail_zh.unwrap().ends_with("有一行不是着法，已跳过"));
}

/// An overrun within the tolerance is noted and charged, and nobody is told that he has more.
#[test]
fn a_tolerated_overrun_loses_nothing_and_is_charged() {
    let contest = Contest::new("gomoku", "late 260", "correct seed=2").ply_time(200);
    assert_eq!(play(&contest).decision.reason.code, "time");
    let report = play(&contest.tolerance(10_000));
    assert_by_rules(&report);
    let late = report.plies.iter().find(|step| step.time > Duration::from_millis(200)).unwrap();
    assert!(late.time >= Duration::from_millis(250), "{late:?}");
    assert!(report.used[0] >= late.time);
    let noted = lines(&report, Direction::Remark);
    assert!(noted.iter().any(|line| line.ends_with("within the tolerance of 10000 ms")), "{noted:?}");
    let told = lines(&report, Direction::ToEngine);
    assert!(told.iter().any(|line| line == "black INFO timeout_turn 200"), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("timeout_turn 10")), "{told:?}");
    let record = report.record(referee::Circumstances { time: contest_time(200, 10_000), ..Default::default() });
    assert_eq!(record.time.unwrap().tolerance_ms, Some(10_000));
}

fn contest_time(ply: u64, tolerance: u64) -> TimeControl {
    let ms = Duration::from_millis;
    TimeControl { ply: Some(ms(ply)), tolerance: ms(tolerance), ..TimeControl::default() }
}

/// Whoever is always a little late has the tolerance of a whole game once, not once a ply.
#[test]
fn a_tolerance_does_not_add_up() {
    let mut contest = Contest::new("nogo", "exact 60", "correct").tolerance(150);
    contest.time = TimeControl { ply: None, game: Some(Duration::from_millis(400)), ..contest.time };
    let report = play(&contest);
    let evidence = &report.decision.evidence;
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "time"));
    assert_eq!((evidence.limit_of, evidence.tolerance_ms), (Some(LimitOf::Game), Some(150.0)));
    let own = report.plies.iter().filter(|step| step.mover == Side::Black);
    let stood: Duration = own.map(|step| step.time).sum();
    assert!(stood <= Duration::from_millis(550), "{stood:?} of 400 + 150 ms");
}

/// A thousand turns of engines that sleep, while every core is busy with something else: what the machine keeps them
/// and the referee waiting is measured and not charged, and nobody is charged less than he slept.
#[test]
fn what_the_machine_takes_is_not_charged() {
    const SLEEP: Duration = Duration::from_millis(10);
    const TURNS: usize = 1000;
    let stop = AtomicBool::new(false);
    let (mut charged, mut taken) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let arena = arena();
        let mut seed = 0;
        while charged.len() < TURNS && seed < 100 {
            seed += 2;
            let scripts = [format!("exact 10 seed={seed}"), format!("exact 10 seed={}", seed + 1)];
            let report = arena.play(&Contest::new("gomoku", &scripts[0], &scripts[1])).unwrap();
            charged.extend(report.plies.iter().map(|step| step.time));
            taken.extend(report.plies.iter().map(|step| step.time + step.stall));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(charged.len() >= TURNS, "only {} turns", charged.len());
    let turns = charged.len();
    // A nap takes a little longer than it should on any machine.
    let nap = SLEEP + Duration::from_millis(1);
    let over = |times: &[Duration]| times.iter().map(|time| time.saturating_sub(nap)).sum::<Duration>();
    let many = |times: &[Duration]| times.iter().filter(|time| **time > SLEEP + Duration::from_millis(5)).count();
    let cheap = charged.iter().filter(|time| **time + Duration::from_millis(1) < SLEEP).count();
    let figures = format!(
        "{turns} turns: {:?} over by the wall clock, {:?} charged; {} and {} turns more than 5 ms over; {cheap} under",
        over(&taken),
        over(&charged),
        many(&taken),
        many(&charged)
    );
    // Where nothing is taken off the two are equal.
    assert!(over(&charged) * 2 < over(&taken).max(Duration::from_millis(100)), "{figures}");
    assert!(many(&charged) * 2 <= many(&taken).max(4), "{figures}");
    assert!(cheap * 100 <= turns, "{figures}");
    assert!(charged.iter().zip(&taken).all(|(charged, taken)| charged <= taken), "{figures}");
}

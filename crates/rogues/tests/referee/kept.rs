//! Several games in one process.

use games::Side;
use referee::{Direction, GameReport};
use rogues::Contest;
use rstest::rstest;

use super::{arena, assert_clean};

/// Three games on the same seats.
fn three_games(game: &'static str, black: &str, white: &str) -> Vec<GameReport> {
    let arena = arena();
    let contest = Contest { keep: true, ..Contest::new(game, black, white) };
    let mut seats = arena.seats(&contest).unwrap();
    let reports = (0..3).map(|_| arena.play_on(&contest, &mut seats).unwrap()).collect();
    drop(seats);
    assert_clean(arena.run(), game);
    reports
}

fn heard(report: &GameReport, line: &str) -> bool {
    report.transcript.entries().any(|entry| entry.direction == Direction::ToEngine && entry.bytes == line.as_bytes())
}

fn assert_by_rules(report: &GameReport) {
    assert!(report.decision.counts && report.decision.evidence.seat.is_none(), "{:#?}", report.decision);
}

#[rstest]
fn an_engine_plays_game_after_game(
    #[values("nogo", "dots", "phantom-go", "gomoku", "junqi", "tiaojia")] game: &'static str,
) {
    three_games(game, "correct", "correct seed=2").iter().for_each(assert_by_rules);
}

#[test]
fn a_kept_engine_is_not_started_again() {
    for report in &three_games("gomoku", "correct", "correct seed=2")[1..] {
        assert!(heard(report, "RESTART") && !heard(report, "START 20"));
    }
}

#[test]
fn a_brain_without_restart_is_reloaded() {
    let reports = three_games("gomoku", "no-restart", "no-restart seed=2");
    reports.iter().for_each(assert_by_rules);
    assert!(reports[1..].iter().all(|report| heard(report, "RESTART") && heard(report, "START 20")));
}

/// An engine may leave when a game ends; whoever keeps engines must not take that for a crash of the next game.
#[rstest]
fn leaving_at_the_end_is_allowed(
    #[values("nogo", "dots", "phantom-go", "gomoku", "junqi", "tiaojia")] game: &'static str,
) {
    three_games(game, "exit-at-end", "exit-at-end seed=2").iter().for_each(assert_by_rules);
}

#[test]
fn a_kept_engine_that_lost_by_its_fault_starts_afresh() {
    let arena = arena();
    let contest = Contest { keep: true, ..Contest::new("nogo", "silent-turn", "correct").ply_time(150) };
    let mut seats = arena.seats(&contest).unwrap();
    for _ in 0..2 {
        let decision = arena.play_on(&contest, &mut seats).unwrap().decision;
        assert_eq!((decision.reason.code, decision.ply), ("time", 2));
    }
}

/// The loser is asked for a move that no longer matters and may answer it when the next game has begun.
#[test]
fn a_belated_answer_is_not_the_first_of_the_next_game() {
    let arena = arena();
    // The loser must be Black, who is to move first in the next game.
    let (seed, turns) = (2..)
        .find_map(|seed| {
            let lost = arena.play(&Contest::new("nogo", "correct", &format!("seed={seed}"))).unwrap();
            let turns = lost.plies.iter().filter(|step| step.mover == Side::Black).count();
            (lost.decision.winner == Some(Side::White)).then_some((seed, turns))
        })
        .unwrap();
    let late = format!("late 300 turn={}", turns + 1);
    let contest = Contest { keep: true, ..Contest::new("nogo", &late, &format!("seed={seed}")) };
    let mut seats = arena.seats(&contest).unwrap();
    for _ in 0..2 {
        let report = arena.play_on(&contest, &mut seats).unwrap();
        assert_by_rules(&report);
        assert!(!heard(&report, "error"));
    }
}

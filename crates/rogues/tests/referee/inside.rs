//! Rogues against somebody who plays inside the referee, and keeps it from listening meanwhile.

use std::time::Duration;

use games::Side;
use referee::{Choice, Direction, GameReport, LocalSeat, Seat, Turn};
use rogues::Contest;
use rstest::rstest;

use super::arena;

/// Plays the first ply there is, its first turns after a while; takes back once, if asked to.
struct Slow {
    turns: u32,
    takes_back_at: Option<u32>,
}

impl LocalSeat for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        self.turns += 1;
        if self.turns <= 4 {
            std::thread::sleep(Duration::from_millis(200));
        }
        if self.takes_back_at == Some(self.turns) {
            return Choice::TakeBack;
        }
        turn.tries(1).list.pop().map_or(Choice::Resign, Choice::Ply)
    }
}

fn play(game: &'static str, script: &str, takes_back_at: Option<u32>) -> GameReport {
    let contest = Contest::new(game, script, "correct");
    let arena = arena();
    let [black, _] = arena.seats(&contest).unwrap();
    let mut seats = [black, Seat::Local(Box::new(Slow { turns: 0, takes_back_at }))];
    arena.play_on(&contest, &mut seats).unwrap()
}

fn was_said(report: &GameReport, direction: Direction, beginning: &str) -> bool {
    report.transcript.entries().any(|line| {
        line.seat == Side::Black && line.direction == direction && line.bytes.starts_with(beginning.as_bytes())
    })
}

/// What is said on the other's time is not the answer to the next request, as it is not between two engines.
#[rstest]
#[case("nogo")]
#[case("gomoku")]
fn a_second_answer_is_not_the_next_one(#[case] game: &'static str) {
    let report = play(game, "out-of-turn", None);
    assert_eq!(report.decision.evidence.seat, None, "{}: {:?}", report.decision.reason.code, report.decision.evidence);
}

#[test]
fn where_speaking_out_of_turn_loses_it_loses() {
    assert_eq!(play("tiaojia", "out-of-turn", None).decision.reason.code, "out-of-turn");
}

#[test]
fn a_brain_follows_what_is_taken_back() {
    let report = play("gomoku", "correct", Some(3));
    assert!(was_said(&report, Direction::ToEngine, "TAKEBACK"));
    assert_eq!(report.decision.evidence.seat, None, "{}: {:?}", report.decision.reason.code, report.decision.evidence);
}

#[test]
fn a_ponderer_is_noticed_and_suspended() {
    assert!(was_said(&play("nogo", "ponders", None), Direction::Remark, "suspended"));
    assert!(!was_said(&play("nogo", "correct", None), Direction::Remark, "suspended"));
}

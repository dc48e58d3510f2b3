//! People in the seats: what they decide beside plies, and what whoever watches is told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{End, Side, Table};
use protocols::Clock;
use referee::{
    Choice, GameReport, GameSpec, Host, LocalSeat, PlayedPly, Seat, SeatClock, TimeControl, Turn, Watcher, play,
};
use serde_json::Value;

/// Somebody who decides by a list.
struct Scripted(Vec<Choice>);

impl LocalSeat for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        let choice = if self.0.is_empty() { Choice::Stop } else { self.0.remove(0) };
        if choice == Choice::OutOfTime {
            let deadline = turn.deadline.expect("there is a limit");
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        }
        choice
    }
}

/// A step as a watcher is told of it: who, what, how it ended, and what Black has left.
type Told = (Side, String, &'static str, Option<Duration>);

/// Writes down what it is told.
#[derive(Default)]
struct Notes(Vec<Option<Told>>);

impl Watcher for Notes {
    fn stepped(&mut self, _table: &dyn Table, last: Option<&PlayedPly>, clocks: [Clock; 2]) {
        self.0.push(last.map(|step| (step.mover, step.ply.clone(), step.end.word(), clocks[0].left)));
    }
}

fn game(game: &str, seats: [Vec<Choice>; 2], change: impl FnOnce(&mut GameSpec)) -> (GameReport, Notes) {
    let table = games::find(game).expect("a game").open(&Value::Null, None).expect("a table");
    let mut spec = GameSpec { time: TimeControl { ply: None, ..TimeControl::default() }, ..GameSpec::new(table) };
    change(&mut spec);
    let host = Arc::new(Host::start(std::process::Command::new("true")).expect("a keeper"));
    let mut seats = seats.map(|choices| Seat::Local(Box::new(Scripted(choices))));
    let mut notes = Notes::default();
    let report = play(&host, spec, &mut seats, &mut notes).expect("nothing has to be started");
    (report, notes)
}

fn ply(text: &str) -> Choice {
    Choice::Ply(text.to_owned())
}

#[test]
fn players_agree_to_a_draw() {
    let (report, _) = game("tiaojia", [vec![ply("4 0 1")], vec![Choice::AgreedDraw]], |_| {});
    let decision = report.decision;
    assert_eq!(
        (decision.winner, decision.reason.code, decision.counts, decision.ply),
        (None, "draw-by-agreement", true, 1)
    );
}

#[test]
fn the_one_who_waits_may_give_up() {
    let (report, _) = game("tiaojia", [vec![ply("4 0 1")], vec![Choice::ResignOfOpponent]], |_| {});
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "resigned"));
}

#[test]
fn a_person_without_an_answer_is_out_of_time() {
    let limit = Duration::from_millis(60);
    let (report, _) = game("tiaojia", [vec![Choice::OutOfTime], vec![]], |spec| {
        spec.time.ply = Some(limit);
        // Of so short a time a busy machine takes a part that would count.
        spec.excuse_stalls = false;
    });
    assert_eq!((report.decision.winner, report.decision.reason.code), (Some(Side::White), "time"));
    assert!(report.decision.evidence.measured_ms >= Some(60.0), "{:?}", report.decision.evidence);
}

#[test]
fn the_opponent_goes_back_to_his_own_turn() {
    let black = vec![ply("4 0 1"), Choice::Resign];
    let (report, notes) = game("tiaojia", [black, vec![Choice::TakeBackOfOpponent]], |_| {});
    // Black played, White let him take it back, and it was Black's turn again.
    assert_eq!((report.plies.len(), report.decision.winner), (0, Some(Side::White)));
    assert_eq!(notes.0.len(), 2);
    assert_eq!(notes.0[1], None);
}

#[test]
fn whoever_watches_is_told_of_refused_tries_once_each() {
    let white = vec![ply("EE"), ply("EE"), ply("DD"), Choice::Stop];
    let (report, notes) = game("phantom-go", [vec![ply("EE"), Choice::Stop], white], |_| {});
    let told: Vec<_> = notes.0.iter().flatten().map(|(mover, ply, end, _)| (*mover, ply.as_str(), *end)).collect();
    assert_eq!(told, [(Side::Black, "EE", "played"), (Side::White, "EE", "refused"), (Side::White, "DD", "played")]);
    assert_eq!(report.plies.iter().filter(|step| matches!(step.end, End::Refused(_))).count(), 1);
}

#[test]
fn a_game_that_goes_on_has_the_clocks_it_is_given() {
    let left = Duration::from_secs(7);
    let (report, notes) = game("tiaojia", [vec![ply("4 0 1")], vec![Choice::Stop]], |spec| {
        spec.time.game = Some(Duration::from_secs(60));
        spec.clocks = Some([SeatClock::resumed(spec.time, Some(left), Duration::from_secs(53)); 2]);
    });
    let after = notes.0[0].as_ref().and_then(|(.., left)| *left).unwrap();
    assert!(after <= left && after > left - Duration::from_secs(5), "{after:?}");
    assert!(report.used[0] >= Duration::from_secs(53));
}

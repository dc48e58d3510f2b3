//! Rogues in a tournament: whoever dies, hangs or floods costs himself a game, and nobody else anything.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use games::Side;
use records::Player;
use referee::{Adjudication, CommandLine, EngineSpec, PlayerSeat, Seat, TimeControl};
use rogues::{Arena, left_behind};
use serde_json::Value;
use tournament::contest::{Conditions, Entrant, Kept, Logs, Restart};
use tournament::event::Event;
use tournament::journal::Finished;
use tournament::openings::{Openings, Takes};
use tournament::pairing::{PointSystem, RoundRobinSettings, Schedule};
use tournament::pool::{self, Crew, Next};

const ROGUE: &str = env!("CARGO_BIN_EXE_rogue");

fn entrant(script: &'static str) -> Entrant {
    let seat = move |_| {
        let words = [ROGUE, "nogo"].into_iter().chain(script.split_whitespace()).map(str::to_owned).collect();
        let protocol = protocols::find("nogo", None).ok_or("no protocol speaks nogo")?;
        let command = CommandLine { words, ..CommandLine::default() };
        Ok(Seat::engine(EngineSpec { command, protocol, options: Value::Null, memory: None }))
    };
    let (name, player) = (script.to_owned(), Player::named(script));
    Entrant { name, player, takes: Takes::Start, tells_score: false, seat: Box::new(seat) }
}

/// Everybody against everybody, two games each, on two workers; the games in the order they finished.
fn round_robin(scripts: &[&'static str], restart: Restart, logs: (Logs, PathBuf)) -> Vec<Finished> {
    let arena = Arena::open(Path::new(ROGUE)).unwrap();
    let entrants: Vec<Entrant> = scripts.iter().map(|script| entrant(script)).collect();
    let game = games::find("nogo").unwrap();
    let conditions = Conditions {
        game,
        variant: game.open(&Value::Null, None).unwrap().variant(),
        time: TimeControl { ply: Some(Duration::from_secs(2)), ..TimeControl::default() },
        gap: Duration::ZERO,
        ponder: false,
        restart,
        adjudication: Adjudication::default(),
        openings: Openings::Usual,
        judge: Box::new(move |seed| {
            let player = engines::player(game, engines::Style::Random, seed);
            Ok(Seat::Local(Box::new(PlayerSeat::new(player))))
        }),
        logs,
        seed: 1,
        event: None,
    };
    let settings =
        RoundRobinSettings { entrants: scripts.len(), cycles: 1, games: 2, points: PointSystem::GameOneHalf };
    let event = std::sync::Mutex::new(Event::new(
        Box::new(Schedule::round_robin(settings).unwrap()),
        scripts.len(),
        settings.games,
    ));
    let mut all = Vec::new();
    pool::run(
        Crew { workers: 2, cores_each: 1 },
        || event.lock().unwrap().offer(),
        |kept: &mut Kept, job| conditions.play(arena.host(), &entrants, kept, job, String::new()).unwrap(),
        |batch| {
            for (_, finished) in batch {
                event.lock().unwrap().count(&finished);
                all.push(finished);
            }
            Next::GoOn
        },
    );
    assert_eq!(event.lock().unwrap().played(), all.len());
    assert_eq!(left_behind(arena.run()), [""; 0], "kept engines are dismissed at the end");
    all
}

/// The loser's script and the reason, for a game that was lost off the board.
fn fault(finished: &Finished, scripts: &[&'static str]) -> Option<(&'static str, String)> {
    let verdict = finished.record.verdict.as_ref().unwrap();
    verdict.evidence.get("seat")?;
    let loser = if verdict.winner? == Side::Black { finished.white } else { finished.black };
    Some((scripts[loser], verdict.reason.clone()))
}

#[test]
fn a_rogue_costs_itself_its_games_and_nobody_else_any() {
    let scripts = ["correct seed=1", "segfault turn=3", "silent-turn turn=2", "flood-lines turn=4", "correct seed=2"];
    let folder = tempfile::tempdir().unwrap();
    let all = round_robin(&scripts, Restart::Game, (Logs::Lost, folder.path().to_owned()));
    assert_eq!(all.len(), 20);
    for finished in &all {
        let correct = [finished.black, finished.white].map(|entrant| scripts[entrant].starts_with("correct"));
        let (fault, number) = (fault(finished, &scripts), finished.number);
        match (&fault, correct) {
            (None, _) => assert_eq!(correct, [true, true], "game {number} was decided on the board"),
            (Some((loser, reason)), _) => {
                let expected = match loser.split_whitespace().next() {
                    Some("segfault") => "exited",
                    Some("silent-turn") => "time",
                    Some("flood-lines") => "output-limit",
                    other => panic!("{other:?} lost by {reason}"),
                };
                assert_eq!(reason, expected, "game {number}");
            }
        }
        // A game that somebody lost off the board leaves its conversation behind, bounded even after a flood.
        let log = std::fs::metadata(folder.path().join(format!("{number}.log")));
        assert_eq!(log.is_ok(), fault.is_some(), "log of game {number}");
        assert!(log.map_or(0, |log| log.len()) < 512 << 10);
    }
}

#[test]
fn a_kept_engine_that_dies_is_there_again_for_its_next_game() {
    // It dies at its fiftieth answer: in its second game, because a game has at most 41 of one side.
    let scripts = ["correct seed=1", "segfault turn=50", "correct seed=2", "correct seed=3"];
    let all = round_robin(&scripts, Restart::Keep, (Logs::None, PathBuf::new()));
    assert_eq!(all.len(), 12);
    let deaths = all.iter().filter_map(|finished| fault(finished, &scripts)).collect::<Vec<_>>();
    assert!(!deaths.is_empty() && deaths.len() <= 3, "six games, and two of them for each death: {deaths:?}");
    assert!(deaths.iter().all(|death| *death == ("segfault turn=50", "exited".to_owned())), "{deaths:?}");
}

#[test]
fn a_slow_engine_holds_up_its_own_games_only() {
    let scripts = ["exact 40 seed=1", "correct seed=2", "correct seed=3", "correct seed=4", "correct seed=5"];
    let all = round_robin(&scripts, Restart::Game, (Logs::None, PathBuf::new()));
    // Rounds of two matches; the slow one is in one of them. When its first game ends, the others have gone on.
    let first_slow = all.iter().position(|finished| finished.black == 0 || finished.white == 0).unwrap();
    assert!(first_slow >= 2, "the slow game was number {first_slow} to finish");
    assert_eq!(all.len(), 20);
}

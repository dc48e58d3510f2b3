//! Rogues in a tournament: whoever dies, hangs or floods costs himself a game, and nobody else anything.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use games::Side;
use records::Player;
use referee::{Adjudication, CommandLine, EngineSpec, GameSpec, PlayerSeat, Seat, TimeControl};
use rogues::{Arena, left_behind};
use rstest::rstest;
use serde_json::Value;
use tournament::contest::{Conditions, Entrant, Kept, Logs, Restart};
use tournament::duel::{self, Score, Standing};
use tournament::event::Event;
use tournament::journal::Finished;
use tournament::openings::{Openings, Takes};
use tournament::pairing::{PointSystem, RoundRobinSettings, Schedule};
use tournament::pool::{self, Crew, Next};
use tournament::statistics::Tally as _;

const ROGUE: &str = env!("CARGO_BIN_EXE_rogue");

fn entrant(game: &'static str, script: &'static str) -> Entrant {
    let seat = move |_| {
        let words = [ROGUE, game].into_iter().chain(script.split_whitespace()).map(str::to_owned).collect();
        let protocol = protocols::find(game, None).ok_or("no protocol speaks this game")?;
        let command = CommandLine { words, ..CommandLine::default() };
        Ok(Seat::engine(EngineSpec { command, protocol, options: Value::Null, memory: None }))
    };
    let (name, player) = (script.to_owned(), Player::named(script));
    Entrant { name, player, takes: Takes::Start, tells_score: false, seat: Box::new(seat) }
}

/// Ordinary conditions.
fn conditions(game: &str) -> Conditions {
    let game = games::find(game).unwrap();
    Conditions {
        game,
        variant: game.open(&Value::Null, None).unwrap().variant(),
        time: TimeControl { ply: Some(Duration::from_secs(2)), ..TimeControl::default() },
        gap: Duration::ZERO,
        ponder: false,
        restart: Restart::Game,
        adjudication: Adjudication::default(),
        openings: Openings::Usual,
        judge: Box::new(move |seed| {
            let player = engines::player(game, engines::Style::Random, seed);
            Ok(Seat::Local(Box::new(PlayerSeat::new(player))))
        }),
        logs: (Logs::None, PathBuf::new()),
        seed: 1,
        event: None,
    }
}

/// Everybody against everybody, two games each, on two workers; the games in the order they finished.
fn round_robin(scripts: &[&'static str], restart: Restart, logs: (Logs, PathBuf)) -> Vec<Finished> {
    let arena = Arena::open(Path::new(ROGUE)).unwrap();
    let entrants: Vec<Entrant> = scripts.iter().map(|script| entrant("nogo", script)).collect();
    let conditions = Conditions { restart, logs, ..conditions("nogo") };
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
                let expected: &[&str] = match loser.split_whitespace().next() {
                    Some("segfault") => &["exited"],
                    Some("silent-turn") => &["time"],
                    // On a busy machine its time may be up before its output is too much.
                    Some("flood-lines") => &["output-limit", "time"],
                    other => panic!("{other:?} lost by {reason}"),
                };
                assert!(expected.contains(&reason.as_str()), "game {number}: {loser} lost by {reason}");
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

/// A match of two engines without chance of their own; everything is started anew for each game.
fn duel_of(
    game: &'static str,
    scripts: [&'static str; 2],
    openings: Openings,
    games: u64,
) -> (Vec<Finished>, Standing) {
    let arena = Arena::open(Path::new(ROGUE)).unwrap();
    let entrants = scripts.map(|script| entrant(game, script));
    let conditions = Conditions { openings, ..conditions(game) };
    let (mut all, mut score) = (Vec::new(), Score::default());
    pool::run(
        Crew { workers: 2, cores_each: 1 },
        pool::in_order(duel::jobs(games)),
        |kept: &mut Kept, job| conditions.play(arena.host(), &entrants, kept, job, String::new()).unwrap(),
        |batch| {
            for (_, finished) in batch {
                score.count(&finished);
                all.push(finished);
            }
            Next::GoOn
        },
    );
    (all, score.standing())
}

const TWO: [&str; 2] = ["correct seed=1", "correct seed=2"];

#[test]
fn a_hundred_openings_give_two_hundred_distinct_games() {
    let (all, standing) = duel_of("nogo", TWO, Openings::Random { plies: 4, balanced: None }, 200);
    assert_eq!((standing.games, standing.distinct_games, standing.void), (200, 200, 0));
    assert_eq!(standing.distinct_pairs.units(), 100);
    for finished in &all {
        let record = &finished.record;
        assert_eq!((record.opening_plies, fault(finished, &TWO)), (4, None), "{:?}", record.verdict);
    }
    // Without them the two play the same two games for ever, and that is what is counted.
    let (_, standing) = duel_of("nogo", TWO, Openings::Usual, 10);
    assert_eq!((standing.games, standing.distinct_games), (10, 2));
    assert_eq!(standing.distinct_pairs.units(), 1);
    assert_eq!(standing.elo, None);
}

#[rstest]
#[case("amazons", 3)]
#[case("connect6", 3)]
#[case("dots", 3)]
#[case("phantom-go", 9)]
#[case("surakarta", 3)]
#[case("junqi", 8)]
#[case("tiaojia", 4)]
fn every_game_whose_engines_can_be_told_begins_after_openings(#[case] game: &'static str, #[case] plies: u32) {
    let (all, standing) = duel_of(game, TWO, Openings::Random { plies, balanced: None }, 10);
    assert_eq!((standing.games, standing.distinct_games, standing.void), (10, 10, 0));
    for finished in &all {
        // Whoever had the opening wrong would play what is illegal on the referee's board.
        assert_eq!((finished.record.opening_plies, fault(finished, &TWO)), (plies as usize, None));
    }
    for pair in all.iter().filter(|game| game.number.is_multiple_of(2)) {
        let other = all.iter().find(|other| other.number == pair.number + 1).unwrap();
        let opening = |finished: &Finished| {
            finished.record.plies.iter().take(plies as usize).map(|step| step.ply.clone()).collect::<Vec<_>>()
        };
        assert_eq!(opening(pair), opening(other), "both games of a pair begin alike");
    }
}

/// An engine that does not say that it can be told plies is known before a game, and none is played with it that way.
#[test]
fn an_engine_says_itself_whether_it_can_be_told() {
    let arena = Arena::open(Path::new(ROGUE)).unwrap();
    for game in ["nogo", "phantom-go", "junqi", "tiaojia", "gomoku"] {
        let ask = |script| {
            let table = games::find(game).unwrap().open(&Value::Null, None).unwrap();
            let seat = (entrant(game, script).seat)(0).unwrap();
            referee::can_be_led(arena.host(), GameSpec::new(table), seat)
                .unwrap()
                .map_err(|decision| decision.reason.code)
        };
        assert_eq!((ask("correct"), ask("unled")), (Ok(true), Ok(game == "gomoku")), "{game}");
        assert_eq!(ask("exit-at-start"), Err("exited"));
    }
    assert_eq!(left_behind(arena.run()), [""; 0]);
}

/// To an engine that does not say it nothing is sent that its protocol does not have, whether it plays from the start
/// or is brought to the middle of a game in the old way.
#[test]
fn an_engine_that_says_nothing_is_sent_nothing_new() {
    let folder = tempfile::tempdir().unwrap();
    let logs = |folder: &Path| (Logs::All, folder.to_owned());
    for (game, new) in [("nogo", "opening"), ("phantom-go", "opening"), ("junqi", "OPENING"), ("tiaojia", "OPENING")] {
        for (script, openings) in [("unled", 0), ("unled", 4), ("correct", 4)] {
            let home = folder.path().join(format!("{game}-{script}-{openings}"));
            let arena = Arena::open(Path::new(ROGUE)).unwrap();
            let openings = Openings::Random { plies: openings, balanced: None };
            let told = openings.need() != Takes::Start && script == "correct";
            let conditions = Conditions { openings, logs: logs(&home), ..conditions(game) };
            let entrants = [entrant(game, script), entrant(game, script)];
            for job in duel::jobs(2) {
                conditions.play(arena.host(), &entrants, &mut Kept::default(), &job, String::new()).unwrap();
                let log = std::fs::read_to_string(home.join(format!("{}.log", job.number))).unwrap();
                assert_eq!(log.contains(&format!("> {new}")), told, "{game} {script}: {log}");
            }
        }
    }
}

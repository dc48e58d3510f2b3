//! Games that end before their end, with real engine processes.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::process::Command;
use std::sync::Arc;

use games::Side;
use referee::{Adjudication, CommandLine, Decision, DrawRule, EngineSpec, GameSpec, Host, Seat, WinRule, play};
use serde_json::{Value, json};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");

/// A game of Tiaojia of at most 60 plies between instant engines with these words.
fn decide(black: &str, white: &str, adjudication: Adjudication) -> Decision {
    let mut keeper = Command::new(ENGINE);
    keeper.arg("keeper");
    let host = Arc::new(Host::start(keeper).unwrap());
    let mut seats = [black, white].map(|words| {
        let words = std::iter::once(ENGINE).chain(words.split_whitespace()).map(str::to_owned).collect();
        let command = CommandLine { words, ..CommandLine::default() };
        let protocol = protocols::find("tiaojia", None).unwrap();
        Seat::engine(EngineSpec { command, protocol, options: Value::Null, memory: None })
    });
    let table = games::find("tiaojia").unwrap().open(&json!({ "max_plies": 60 }), None).unwrap();
    play(&host, GameSpec { adjudication, ..GameSpec::new(table) }, &mut seats, &mut ()).unwrap().decision
}

const WIN: Adjudication = Adjudication { max_plies: None, win: Some(WinRule { score: 500, plies: 6 }), draw: None };

#[test]
fn agreement_on_a_winner_ends_the_game_with_its_evidence() {
    let decision = decide("score 700", "score -600", WIN);
    assert_eq!((decision.reason.code, decision.winner, decision.ply), ("agreed-win", Some(Side::Black), 6));
    assert!(decision.counts);
    assert_eq!(decision.evidence.scores, [700, 600, 700, 600, 700, 600], "from the first seat's view");
    assert_eq!((decision.evidence.limit_score, decision.evidence.seat), (Some(500), None));
    let decision = decide("score -700", "score 600", WIN);
    assert_eq!((decision.reason.code, decision.winner), ("agreed-win", Some(Side::White)));
}

#[test]
fn boasting_or_silence_decides_nothing() {
    for (black, white) in [("score 700", "score 700"), ("score 700", ""), ("score 499", "score -700")] {
        let decision = decide(black, white, WIN);
        assert_eq!(decision.ply, 60, "{black} against {white}: {decision:?}");
    }
}

#[test]
fn agreement_on_a_draw_and_the_longest_game() {
    let draw = Some(DrawRule { score: 5, plies: 4, after: 20 });
    let decision = decide("score 0", "score -5", Adjudication { draw, ..Adjudication::default() });
    assert_eq!((decision.reason.code, decision.winner, decision.ply), ("agreed-draw", None, 21));
    let decision = decide("", "", Adjudication { max_plies: Some(33), ..Adjudication::default() });
    assert_eq!((decision.reason.code, decision.winner, decision.ply), ("max-plies", None, 33));
    assert_eq!((decision.counts, decision.evidence.limit_plies), (true, Some(33)));
}

#[test]
fn what_the_rules_decide_comes_first() {
    let decision = decide("", "", Adjudication { max_plies: Some(60), ..Adjudication::default() });
    assert_ne!(decision.reason.code, "max-plies", "the rules end the game at that very ply");
}

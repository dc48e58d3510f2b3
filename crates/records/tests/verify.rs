//! A record that is not true is found out, and the place is named.

mod common;

use common::random_game;
use games::Side;
use records::{PlyEnd, Record, RecordedPly, ReplayError};

fn game() -> Record {
    random_game("amazons", &[], None, 7, 1000)
}

#[test]
fn a_changed_ply_is_found() {
    for index in [0, 1, 20] {
        let mut record = game();
        record.plies[index].ply = "AAAAAA".to_owned();
        assert_eq!(record.replay().err().unwrap().ply(), Some(index + 1));
    }
    let mut record = game();
    record.plies[5].ply = record.plies[4].ply.clone();
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Illegal { ply: 6, .. }));
}

#[test]
fn a_changed_winner_reason_or_length_is_found() {
    let mut record = game();
    let verdict = record.verdict.as_mut().unwrap();
    verdict.winner = verdict.winner.map(Side::other);
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Verdict { .. }));
    for reason in ["time", "line", "illegal-ply", ""] {
        let mut record = game();
        record.verdict.as_mut().unwrap().reason = reason.to_owned();
        assert!(matches!(record.replay().err().unwrap(), ReplayError::Verdict { .. }), "{reason}");
    }
    let mut record = game();
    record.verdict.as_mut().unwrap().ply += 1;
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Length { .. }));
    let mut record = game();
    record.verdict = None;
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Verdict { told: None, .. }));
}

#[test]
fn a_missing_ply_is_found() {
    let count = game().plies.len();
    for index in 0..count {
        let mut record = game();
        record.plies.remove(index);
        let error = record.replay().err().unwrap();
        assert!(error.ply().is_some_and(|ply| ply <= count), "{index}: {error}");
    }
    let mut record = game();
    record.plies.pop();
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Undecided { .. }));
    let mut resigned = random_game("nogo", &[], None, 1, 10);
    resigned.plies.pop();
    assert!(matches!(resigned.replay().err().unwrap(), ReplayError::Length { told: 10, is: 9 }));
}

#[test]
fn a_ply_after_the_end_is_found() {
    let mut record = game();
    let (last, mover) = (record.plies.len(), record.plies[0].mover);
    record.plies.push(RecordedPly { mover, ply: "AGAFAE".to_owned(), end: PlyEnd::Played, ms: None, stall_ms: None });
    let error = record.replay().err().unwrap();
    assert_eq!(error.ply(), Some(last + 1));
    assert!(error.to_string().contains("the game is over"));
}

#[test]
fn a_wrong_end_or_mover_is_found() {
    let mut record = random_game("nogo", &[], None, 3, 20);
    record.plies[4].end = PlyEnd::Lost;
    assert!(matches!(record.replay().err().unwrap(), ReplayError::End { ply: 5, .. }));
    let mut record = random_game("nogo", &[], None, 3, 20);
    record.plies[4].mover = Side::White;
    assert!(matches!(record.replay().err().unwrap(), ReplayError::Mover { ply: 5, told: Side::White }));
}

#[test]
fn an_unknown_game_option_or_position_is_found() {
    let mut record = game();
    record.game = "go".to_owned();
    assert!(matches!(record.replay(), Err(ReplayError::Game(_))));
    let mut record = game();
    record.variant = serde_json::json!({ "size": 3 });
    assert!(matches!(record.replay(), Err(ReplayError::Open(_))));
    let mut record = game();
    record.position = Some("nowhere".to_owned());
    assert!(matches!(record.replay(), Err(ReplayError::Open(_))));
}

#[test]
fn newer_fields_are_kept_and_garbage_is_not() {
    let mut record = game();
    let text = String::from_utf8(record.to_json()).unwrap();
    let newer = text.replacen("\"version\": 1,", "\"version\": 1, \"mood\": {\"crowd\": 3},", 1);
    record.more.insert("mood".to_owned(), serde_json::json!({ "crowd": 3 }));
    assert_eq!(Record::from_json(newer.as_bytes()).unwrap(), record);
    assert!(Record::from_json(format!("{text}}}").as_bytes()).is_err());
    assert!(Record::from_json(&text.as_bytes()[..text.len() - 3]).is_err());
}

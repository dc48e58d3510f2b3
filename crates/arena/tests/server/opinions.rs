//! Hints and analysis: who gets them, and that they are plies.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{TestServer, builtin, me};

#[test]
fn a_hint_is_a_legal_ply_for_the_one_on_turn_against_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let one = server.browser();
    let (room, _) = one.room("tiaojia", &me(), &builtin("random"));
    let hint = one.act(&room, "hint", &json!({})).ok();
    assert_eq!((hint["plies"].as_u64(), hint["to_move"].as_str()), (Some(0), Some("black")));
    assert!(hint["depth"].as_u64().unwrap() > 2 && hint["score"].is_number(), "{hint}");
    assert_eq!(hint["line"][0], hint["ply"]);
    // The clicks of the ply are on the board: a stone and the square it goes to.
    assert_eq!(hint["spots"].as_array().map(Vec::len), Some(2), "{hint}");
    let chance = hint["chance"].as_f64().unwrap();
    assert!(chance > 0.2 && chance < 0.9, "the start is worth {chance}");
    one.ply(&room, hint["ply"].as_str().unwrap()).ok();
    // Nobody else is told, and nobody in a game of two people or in the dark.
    let other = server.browser();
    assert_eq!(other.act(&room, "hint", &json!({})).refused(403), "not-a-player");
    let room = one.room_against(&other, json!({ "game": "tiaojia" }));
    assert_eq!(one.act(&room, "hint", &json!({})).refused(409), "no-hint");
    assert_eq!(other.act(&room, "hint", &json!({})).refused(409), "not-your-turn");
    let (room, _) = one.room("phantom-go", &me(), &builtin("random"));
    assert_eq!(one.act(&room, "hint", &json!({})).refused(409), "hidden");
}

#[test]
fn a_finished_open_game_is_analysed_ply_by_ply() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let one = server.browser();
    let (room, _) = one.room("tiaojia", &builtin("1"), &builtin("random"));
    let path = format!("/api/rooms/{room}/analysis?ply=4");
    assert_eq!(one.get(&path).refused(409), "goes-on");
    let deadline = Instant::now() + Duration::from_secs(120);
    while one.look(&room)["state"] != "finished" {
        assert!(Instant::now() < deadline, "the game does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    let opinion = one.get(&path).ok();
    assert_eq!((opinion["plies"].as_u64(), opinion["to_move"].as_str()), (Some(4), Some("black")));
    assert!(opinion["ply"].is_string() && opinion["nodes"].as_u64().unwrap() > 100, "{opinion}");
    assert!((0.0..=1.0).contains(&opinion["chance"].as_f64().unwrap()), "{opinion}");
    let last = one.get(&format!("/api/rooms/{room}/analysis")).refused(409);
    assert_eq!(last, "game-over");
}

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

#[test]
fn any_position_of_an_open_game_is_judged_by_its_plies() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let one = server.browser();
    let ask = |game: &str, body: serde_json::Value| one.post(&format!("/api/games/{game}/analysis"), &body);
    let opinion = ask("tiaojia", json!({ "plies": ["4 0 1"] })).ok();
    assert_eq!((opinion["plies"].as_u64(), opinion["to_move"].as_str()), (Some(1), Some("white")));
    assert!(opinion["ply"].is_string() && opinion["spots"].as_array().map(Vec::len) == Some(2), "{opinion}");
    // From another start, and with other options than usual.
    let start = one.post("/api/games/gomoku/view", &json!({ "variant": { "rule": "renju" }, "plies": ["7,7"] })).ok();
    assert_eq!(start["to_move"], "white");
    ask("gomoku", json!({ "variant": { "rule": "renju" }, "plies": ["7,7", "7,8"] })).ok();
    // What hides things, is over or cannot be played is refused, each with its reason.
    for game in ["phantom-go", "junqi"] {
        assert_eq!(ask(game, json!({})).refused(409), "hidden");
    }
    assert_eq!(ask("chess", json!({})).refused(404), "no-such-game");
    let five = ["7,7", "0,0", "7,8", "0,1", "7,9", "0,2", "7,10", "0,3", "7,11"];
    assert_eq!(ask("gomoku", json!({ "plies": five })).refused(409), "game-over");
    assert_eq!(ask("tiaojia", json!({ "plies": ["4 0 1", "x"] })).status, 422);
    assert_eq!(ask("tiaojia", json!({ "position": "nothing" })).refused(422), "bad-field");
    assert_eq!(ask("tiaojia", json!({ "plies": vec!["4 0 1"; 2001] })).refused(422), "bad-field");
    assert_eq!(ask("tiaojia", json!({ "eyes": "black" })).refused(422), "bad-json");
}

#[test]
fn an_address_is_answered_one_question_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| server.browser().post("/api/games/tiaojia/analysis", &json!({})).ok());
        }
    });
    // A quarter of a second each, one after the other, however many cores there are.
    assert!(begun.elapsed() >= Duration::from_millis(6 * 200), "{:?}", begun.elapsed());
}

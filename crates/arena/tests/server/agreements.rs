//! What two people agree on, and what their clocks do.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Page, TestServer, builtin, me, picker};

#[test]
fn a_draw_needs_both() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "tiaojia" }));
    let events = two.events(&format!("/api/rooms/{room}/events"), None);
    assert_eq!(two.act(&room, "draw", &json!({ "do": "accept" })).refused(409), "nothing-offered");
    assert_eq!(one.act(&room, "draw", &json!({ "do": "offer" })).ok()["answer"], "offered");
    assert_eq!(events.next_named("offers").data["offers"]["draw"], "black");
    assert_eq!(two.act(&room, "draw", &json!({ "do": "decline" })).ok()["answer"], "declined");
    assert_eq!(events.next_named("declined").data["offer"], "draw");
    one.act(&room, "draw", &json!({ "do": "offer" })).ok();
    // Whoever plays on has said no.
    one.ply(&room, "4 0 1").ok();
    let answer = two.look(&room);
    assert_eq!(answer["offers"]["draw"], "black", "his own move does not take his offer back");
    two.ply(&room, "5 0 0").refused(422);
    let ply = two.some_ply(&room, &answer, &mut picker(1)).unwrap();
    two.ply(&room, &ply).ok();
    assert_eq!(two.look(&room)["offers"]["draw"], json!(null));
    assert_eq!(two.act(&room, "draw", &json!({ "do": "offer" })).ok()["answer"], "offered");
    assert_eq!(one.act(&room, "draw", &json!({ "do": "accept" })).ok()["answer"], "agreed");
    let over = events.next_named("over").data;
    assert_eq!(over["result"]["verdict"]["reason"]["code"], "draw-by-agreement");
    assert_eq!(over["result"]["verdict"]["winner"], json!(null));
    let alone = server.browser();
    let (room, _) = alone.room("tiaojia", &me(), &builtin("greedy"));
    assert_eq!(alone.act(&room, "draw", &json!({ "do": "offer" })).ok()["answer"], "declined");
}

#[test]
fn a_ply_is_taken_back_with_leave_and_at_once_against_a_built_in_player() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "tiaojia" }));
    assert_eq!(one.act(&room, "takeback", &json!({ "do": "ask" })).refused(409), "nothing-to-take-back");
    let start = one.look(&room);
    one.ply(&room, "4 0 1").ok();
    // Off his turn he asks, the one on turn agrees.
    one.act(&room, "takeback", &json!({ "do": "ask" })).ok();
    assert_eq!(two.look(&room)["offers"]["takeback"], "black");
    assert_eq!(one.act(&room, "takeback", &json!({ "do": "accept" })).refused(409), "nothing-offered");
    assert_eq!(two.act(&room, "takeback", &json!({ "do": "accept" })).ok()["answer"], "done");
    let back = one.look(&room);
    assert_eq!(Page::of(&back["view"], &back["steps"]), Page::of(&start["view"], &start["steps"]));
    assert_eq!(back["running"], "black");
    // On his turn: both plies go.
    one.ply(&room, "4 0 1").ok();
    let ply = two.some_ply(&room, &two.look(&room), &mut picker(1)).unwrap();
    two.ply(&room, &ply).ok();
    one.act(&room, "takeback", &json!({ "do": "ask" })).ok();
    two.act(&room, "takeback", &json!({ "do": "accept" })).ok();
    assert_eq!(one.look(&room)["plies"], 0);
    let (room, _) = one.room("tiaojia", &me(), &builtin("greedy"));
    let events = one.events(&format!("/api/rooms/{room}/events"), None);
    let first = events.next_named("room").data;
    let mut page = Page::of(&first["view"], &first["steps"]);
    one.ply(&room, "4 0 1").ok();
    one.until(&room, |face| face["plies"] == 2);
    assert_eq!(one.act(&room, "takeback", &json!({ "do": "ask" })).ok()["answer"], "done");
    (0..3).for_each(|_| page.apply(&events.next_named("frame").data["frame"]));
    let face = one.look(&room);
    assert_eq!(page, Page::of(&face["view"], &face["steps"]));
    assert!(page.steps.is_empty());
    let (hidden, _) = one.room("phantom-go", &me(), &builtin("random"));
    one.ply(&hidden, "EE").ok();
    assert_eq!(one.act(&hidden, "takeback", &json!({ "do": "ask" })).refused(409), "no-takeback");
}

#[test]
fn resignation_takes_effect_at_once_also_off_turn() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "amazons" }));
    // Black is to move, White gives up; nobody plays before it holds.
    two.act(&room, "resign", &json!({})).ok();
    let face = one.look(&room);
    assert_eq!(
        (face["result"]["verdict"]["winner"].as_str(), face["result"]["verdict"]["reason"]["code"].as_str()),
        (Some("black"), Some("resigned"))
    );
    assert_eq!(two.act(&room, "resign", &json!({})).refused(409), "game-over");
    // Again with colours swapped: one asks, the other comes.
    let made = one.act(&room, "rematch", &json!({})).ok()["room"].clone();
    assert_eq!((made["you"].as_str(), made["state"].as_str()), (Some("white"), Some("waiting")));
    let again = made["id"].as_str().unwrap();
    server.browser().act(again, "join", &json!({})).refused(403);
    let joined = two.act(&room, "rematch", &json!({})).ok()["room"].clone();
    assert_eq!(
        (joined["id"].as_str(), joined["you"].as_str(), joined["state"].as_str()),
        (Some(again), Some("black"), Some("live"))
    );
}

#[test]
fn two_who_want_to_play_again_at_the_same_moment_meet_in_one_room() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    for _ in 0..5 {
        let room = one.room_against(&two, json!({ "game": "tiaojia" }));
        one.act(&room, "resign", &json!({})).ok();
        let room = room.as_str();
        let ids = std::thread::scope(|scope| {
            let asked = [&one, &two].map(|browser| scope.spawn(move || browser.act(room, "rematch", &json!({})).ok()));
            asked.map(|one| one.join().unwrap()["room"]["id"].as_str().unwrap().to_owned())
        });
        assert_eq!(ids[0], ids[1]);
        assert_eq!(one.look(&ids[0])["state"], "live");
    }
}

#[test]
fn a_game_in_which_not_both_have_moved_can_be_called_off() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "tiaojia" }));
    one.ply(&room, "4 0 1").ok();
    two.act(&room, "abort", &json!({})).ok();
    let face = one.look(&room);
    assert_eq!(
        (face["state"].as_str(), face["result"]["verdict"]["counts"].as_bool()),
        (Some("finished"), Some(false))
    );
    let room = one.room_against(&two, json!({ "game": "tiaojia" }));
    one.ply(&room, "4 0 1").ok();
    let ply = two.some_ply(&room, &two.look(&room), &mut picker(1)).unwrap();
    two.ply(&room, &ply).ok();
    assert_eq!(one.act(&room, "abort", &json!({})).refused(409), "begun");
    let (waiting, _) = one.room("tiaojia", &me(), &json!({ "kind": "open" }));
    one.act(&waiting, "abort", &json!({})).ok();
    assert_eq!(one.look(&waiting)["state"], "finished");
}

#[test]
fn the_flag_falls_and_the_clocks_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "tiaojia", "time": { "game_ms": 2000, "increment_ms": 500 } }));
    let began = Instant::now();
    let events = one.events(&format!("/api/rooms/{room}/events"), None);
    std::thread::sleep(Duration::from_millis(400));
    one.ply(&room, "4 0 1").ok();
    let frame = events.next_named("frame").data;
    let left = frame["clocks"][0]["left_ms"].as_u64().unwrap();
    // Of the pause most was charged, whenever the clock began, and the increment came after it.
    assert!((1..2400).contains(&left), "{left}");
    assert_eq!(frame["clocks"][1]["left_ms"], 2000);
    assert_eq!(frame["running"], "white");
    let over = events.next_named("over").data;
    assert_eq!(over["result"]["verdict"]["reason"]["code"], "time");
    assert_eq!(over["result"]["verdict"]["winner"], "black");
    let measured = over["result"]["evidence"]["measured_ms"].as_f64().unwrap();
    assert!((2000.0..began.elapsed().as_secs_f64() * 1e3).contains(&measured), "{measured}");
    assert!(began.elapsed() > Duration::from_millis(2300));
    assert_eq!(two.ply(&room, "4 0 1").refused(409), "game-over");
}

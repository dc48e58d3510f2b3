//! Finished and unfinished games as lists: filters, pages, names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use serde_json::{Value, json};

use crate::client::{Browser, TestServer, builtin, me};

fn ids(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// All pages of a list.
fn all(browser: &Browser, path: &str) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), String::new());
    for _ in 0..100 {
        let page = browser.get(&format!("{path}&limit=2{after}")).ok();
        assert!(page["items"].as_array().unwrap().len() <= 2, "{page}");
        found.extend(ids(&page));
        match &page["next"] {
            Value::Null => return found,
            Value::String(next) => after = format!("&after={next}"),
            next => after = format!("&after={next}"),
        }
    }
    panic!("{path} has no end: {found:?}");
}

#[test]
fn finished_games_are_found_by_game_result_and_name() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (ann, bob) = (server.browser(), server.browser());
    ann.post("/api/me", &json!({ "name": "Ann 安" })).ok();
    bob.post("/api/me", &json!({ "name": "bob" })).ok();
    let play = |game: &str, public: bool, resigns: &Browser| {
        let room = ann.room_against(&bob, json!({ "game": game, "public": public }));
        resigns.act(&room, "resign", &json!({})).ok();
        room
    };
    let lost = play("tiaojia", true, &ann);
    let won = play("tiaojia", true, &bob);
    let other = play("amazons", true, &bob);
    let secret = play("amazons", false, &bob);
    let off = ann.room_against(&bob, json!({ "game": "amazons", "public": true }));
    ann.act(&off, "abort", &json!({})).ok();
    let (alone, _) = ann.room("amazons", &me(), &builtin("greedy"));
    ann.act(&alone, "resign", &json!({})).ok();
    let stranger = server.browser();
    let find = |query: &str| all(&stranger, &format!("/api/rooms?state=finished{query}"));
    assert_eq!(find(""), [&alone, &off, &other, &won, &lost].map(Clone::clone));
    assert_eq!(find("&game=tiaojia"), [won.clone(), lost.clone()]);
    assert_eq!(find("&result=white"), [alone.clone(), lost.clone()]);
    assert_eq!(find("&result=black&game=amazons"), std::slice::from_ref(&other));
    assert_eq!(find("&result=none"), std::slice::from_ref(&off));
    assert!(find("&result=draw").is_empty());
    assert_eq!(find("&player=BOB"), [&off, &other, &won, &lost].map(Clone::clone));
    assert_eq!(find("&player=boyi-greedy"), std::slice::from_ref(&alone));
    assert_eq!(find("&player=Ann%20%E5%AE%89&result=black&game=tiaojia"), std::slice::from_ref(&won));
    assert!(find("&player=an").is_empty(), "a name is given whole");
    assert_eq!(all(&ann, "/api/rooms?mine=1&player=bob"), [&off, &secret, &other, &won, &lost].map(Clone::clone));
    let names = |beginning: &str| stranger.get(&format!("/api/players?name={beginning}")).ok();
    assert_eq!(names("AN"), json!(["Ann 安"]));
    assert_eq!(names("bo"), json!(["bob", "boyi-greedy"]));
    assert_eq!((names(""), names("%00"), names("zz")), (json!([]), json!([]), json!([])));
    stranger.get("/api/rooms?result=nonsense").refused(400);
}

#[test]
fn whoever_only_plays_unlisted_games_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    one.post("/api/me", &json!({ "name": "Hidden" })).ok();
    two.post("/api/me", &json!({ "name": "Hides" })).ok();
    let room = one.room_against(&two, json!({ "game": "tiaojia", "public": false }));
    one.act(&room, "resign", &json!({})).ok();
    assert_eq!(one.get("/api/players?name=hid").ok(), json!([]));
    assert!(ids(&one.get("/api/rooms?player=hidden").ok()).is_empty());
}

#[test]
fn games_that_are_played_come_before_those_everybody_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.limits.rooms_per_visitor = 1000);
    let visitor = server.browser();
    // Tabs that were closed; their rooms are newer than the ones where somebody is.
    let (played, _) = visitor.room("tiaojia", &me(), &builtin("greedy"));
    let (waits, _) = visitor.room("amazons", &me(), &json!({ "kind": "open" }));
    let left: Vec<String> = (0..8).map(|_| visitor.room("tiaojia", &me(), &builtin("greedy")).0).collect();
    let (forgotten, _) = visitor.room("amazons", &me(), &json!({ "kind": "open" }));
    let _here = [&played, &waits].map(|room| visitor.events(&format!("/api/rooms/{room}/events"), None));
    let stranger = server.browser();
    let mut expected = vec![played.clone(), waits.clone()];
    expected.extend(left.iter().rev().cloned());
    expected.push(forgotten.clone());
    assert_eq!(all(&stranger, "/api/live?"), expected);
    let page = stranger.get("/api/live?limit=3").ok();
    let standing: Vec<&str> =
        page["items"].as_array().unwrap().iter().map(|item| item["standing"].as_str().unwrap()).collect();
    assert_eq!(standing, ["running", "waiting", "abandoned"]);
    assert_eq!(all(&stranger, "/api/live?game=amazons"), [waits.clone(), forgotten]);
    for bad in ["x", "9.1", "1", "1.x"] {
        stranger.get(&format!("/api/live?after={bad}")).refused(400);
    }
    // The cards of the first page show where somebody is and nothing else.
    let cards = stranger.events("/api/live/events", None);
    let rooms = cards.next_named("rooms").data;
    let shown: Vec<&str> =
        rooms["rooms"].as_array().unwrap().iter().map(|card| card["summary"]["id"].as_str().unwrap()).collect();
    assert_eq!(shown, [&played, &waits]);
    assert_eq!((&rooms["running"], &rooms["waiting"]), (&json!(1), &json!(1)));
}

//! Whole games against built-in players, as a browser plays them.

use serde_json::{Value, json};

use crate::client::{Browser, Page, TestServer, builtin, me, picker};

/// Plays random plies as a page does, by what it is sent, until the whole room is shown at the end; gives the page as the
/// player saw it.
fn play_out(browser: &Browser, room: &str, seed: u64) -> (Value, Page, Value) {
    let mut pick = picker(seed);
    let events = browser.events(&format!("/api/rooms/{room}/events"), None);
    let first = events.next_named("room").data;
    let mut page = Page::of(&first["view"], &first["steps"]);
    let mut seq = first["seq"].as_u64().expect("a number");
    let mut play = |clicks: &Value, seq: u64| {
        let ply = browser.some_click(room, clicks, &mut pick).unwrap_or_else(|| panic!("nothing to click: {clicks}"));
        let answer = browser.act(room, "ply", &json!({ "ply": ply, "seq": seq }));
        assert_eq!(answer.status, 200, "{ply}: {}", answer.text);
    };
    if first["running"] == first["you"] {
        play(&first["view"]["clicks"], seq);
    }
    loop {
        let event = events.next().expect("the connection stays");
        if event.name == "room" {
            return (first, page, event.data);
        }
        if let Some(number) = event.data["seq"].as_u64() {
            assert_eq!(number, seq + 1, "a gap before {}", event.data);
            seq = number;
        }
        if event.name == "frame" {
            page.apply(&event.data["frame"]);
        }
        if event.data["clicks"].is_object() {
            play(&event.data["clicks"], seq);
        }
    }
}

#[test]
fn every_game_is_played_to_its_end_and_its_stream_record_and_frames_agree() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    std::thread::scope(|scope| {
        for (seed, game) in games::GAMES.iter().enumerate() {
            let browser = server.browser();
            scope.spawn(move || {
                let game = game.facts().id;
                let mine = if seed % 2 == 0 { [me(), builtin("random")] } else { [builtin("greedy"), me()] };
                let (room, _) = browser.room(game, &mine[0], &mine[1]);
                let (first, page, shown) = play_out(&browser, &room, seed as u64);
                // The game is over: everything is shown.
                let end = browser.look(&room);
                assert_eq!((shown["eyes"].as_str(), end["state"].as_str()), (Some("all"), Some("finished")));
                assert!(end["result"]["text"]["zh"].as_str().is_some_and(|text| !text.is_empty()), "{end}");
                assert_eq!(Page::of(&shown["view"], &shown["steps"]), Page::of(&end["view"], &end["steps"]));
                let side = first["you"].as_str().unwrap();
                let own = browser.get(&format!("/api/rooms/{room}/frames?eyes={side}")).ok();
                let mut replayed = Page::of(&own["view"], &json!([]));
                own["frames"].as_array().unwrap().iter().for_each(|frame| replayed.apply(frame));
                assert_eq!(replayed, page, "{game}");
                let record = browser.get(&format!("/api/rooms/{room}/record"));
                assert!(record.headers["content-disposition"].to_str().unwrap().contains("attachment"));
                let record = records::Record::from_json(record.text.as_bytes()).unwrap();
                let table = record.replay().unwrap();
                assert_eq!(table.steps(), end["steps"].as_array().unwrap().len());
                let again = browser
                    .send(
                        ureq::http::Method::POST,
                        "/api/records",
                        &[("content-type", "text/plain")],
                        &record.to_json(),
                    )
                    .ok();
                assert_eq!(again["info"]["problem"], Value::Null);
                assert_eq!(again["frames"].as_array().unwrap().len(), table.steps());
                let picture = browser.get(&format!("/api/rooms/{room}/picture.svg?ply=3&lang=zh"));
                assert!(picture.text.starts_with("<svg"), "{}", picture.text);
                browser.ply(&room, "x").refused(409);
            });
        }
    });
}

#[test]
fn two_built_in_players_can_be_watched_live_on_the_first_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.pace = std::time::Duration::from_millis(50));
    let browser = server.browser();
    let (room, _) = browser.room("amazons", &builtin("random"), &builtin("greedy"));
    let (private, _) = browser.room_with(&json!({
        "game": "amazons", "public": false, "seats": { "black": builtin("random"), "white": builtin("greedy") },
    }));
    let stranger = server.browser();
    let events = stranger.events("/api/live/events", None);
    let rooms = events.next_named("rooms").data;
    let shown: Vec<&str> =
        rooms["rooms"].as_array().unwrap().iter().map(|board| board["summary"]["id"].as_str().unwrap()).collect();
    assert_eq!(shown, [room.as_str()]);
    let mut page = Page::of(&rooms["rooms"][0]["view"], &json!([]));
    let frame = events.next_named("frame").data;
    page.apply(&frame["frame"]);
    assert_eq!(frame["id"], room.as_str());
    assert_eq!(events.next_named("gone").data["id"], room.as_str());
    let end = stranger.until(&room, |face| face["state"] == "finished");
    assert_eq!(end["eyes"], "all");
    let listed = stranger.get("/api/rooms?state=finished&game=amazons").ok();
    let ids: Vec<&str> = listed["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&room.as_str()) && !ids.contains(&private.as_str()));
}

#[test]
fn a_game_goes_on_from_a_position_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let (room, _) = browser.room_with(&json!({
        "game": "tiaojia", "plies": ["4 0 1"], "seats": { "black": builtin("greedy"), "white": me() }, "time": { "game_ms": 60000 },
    }));
    let face = browser.look(&room);
    assert_eq!((face["plies"].as_u64(), face["running"].as_str()), (Some(1), Some("white")));
    assert_eq!(face["steps"][0]["ply"], "4 0 1");
    let wrong = browser.post("/api/rooms", &json!({ "game": "tiaojia", "plies": ["4 0 1", "9 9 9"], "seats": { "black": me(), "white": builtin("greedy") } }));
    assert_eq!((wrong.status, wrong.json()["error"]["index"].as_u64()), (422, Some(1)));
    let view = browser.post("/api/games/tiaojia/view", &json!({ "plies": ["4 0 1"] })).ok();
    assert_eq!(Page::of(&view, &json!([])).pieces, Page::of(&face["view"], &json!([])).pieces);
}

#[test]
fn only_the_levels_a_game_has_are_offered_and_taken() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.limits.rooms_per_visitor = 1000);
    let browser = server.browser();
    for face in browser.get("/api/games").ok().as_array().unwrap() {
        let game = face["id"].as_str().unwrap();
        let offered: Vec<&str> =
            face["levels"].as_array().unwrap().iter().map(|level| level["id"].as_str().unwrap()).collect();
        let listing = games::find(game).unwrap();
        for (level, ..) in engines::STYLES {
            let has = engines::styles(listing).any(|(known, ..)| known == level);
            assert_eq!(offered.contains(level), has, "{game} {level}");
            let wish = json!({ "game": game, "seats": { "black": me(), "white": builtin(level) } });
            assert_eq!(browser.post("/api/rooms", &wish).status, if has { 201 } else { 422 }, "{game} {level}");
        }
    }
}

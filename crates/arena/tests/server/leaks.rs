//! Nobody is sent what he may not know. Two people play random games of Phantom Go and Junqi over the real interface, a
//! third one watches, and everything any of them received is searched.

use std::collections::BTreeSet;

use games::{Eyes, Side};
use serde_json::{Value, json};

use crate::client::{Browser, Page, TestServer, picker};

/// Every JSON value in what a browser received, events and answers alike.
fn everything(browser: &Browser) -> Vec<Value> {
    let texts = browser.received.lock().expect("as the test needs it");
    let lines = texts.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ").unwrap_or(line)).ok()).collect()
}

/// Marks the stones of Phantom Go that whoever made a ply took off: he is told of them.
fn mark_taken(value: &mut Value, own: &str) {
    if value["mover"] == own
        && let Some(gone) = value["gone"].as_array_mut()
    {
        gone.iter_mut().filter(|piece| piece["figure"] == "stone").for_each(|piece| piece["taken"] = true.into());
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| mark_taken(item, own)),
        Value::Object(fields) => fields.values_mut().for_each(|field| mark_taken(field, own)),
        _ => {}
    }
}

fn walk(value: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        Value::Object(fields) => fields.values().for_each(|field| walk(field, visit)),
        _ => {}
    }
}

/// What in here the player of `side` (or, with `None`, a stranger) may not know.
fn secrets(values: &[Value], side: Option<Side>, game: &str, secret_texts: &[String], texts: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let own = side.map_or("nobody", Side::word);
    for value in values {
        let mut value = value.clone();
        mark_taken(&mut value, own);
        walk(&value, &mut |value| {
            // What a ply took off the board is told to both who play; other eyes are told nothing of it.
            let told = ["remarks", "gone"].iter().any(|key| value[*key].is_array());
            if told && value["end"].is_string() && side.is_none() {
                found.push(format!("what came of a ply: {value}"));
            }
            let theirs = |key: &str| value[key].as_str().is_some_and(|word| word != own);
            // A piece of the enemy with its face up, or at all where even its place is secret.
            if value["figure"].is_string() && theirs("side") && value["taken"].is_null() {
                let flag = value["label"]["zh"] == "军旗";
                let back = value["figure"] == "back";
                if game == "phantom-go" || !(back || flag) || side.is_none() {
                    found.push(format!("a piece: {value}"));
                }
            }
            if value["end"].is_string() && theirs("mover") {
                if value["end"] == "refused" {
                    found.push(format!("a refused try: {value}"));
                }
                let ply = value["ply"].as_str();
                let may = match game {
                    "phantom-go" => ply.is_none_or(|ply| ply == "pass"),
                    _ => ply.is_none_or(|ply| ply.len() == 4),
                };
                if !may || side.is_none() && ply.is_some() {
                    found.push(format!("a ply: {value}"));
                }
            }
        });
    }
    for secret in secret_texts {
        found.extend(
            texts.iter().filter(|text| text.contains(secret.as_str())).map(|text| format!("{secret} in {text}")),
        );
    }
    found
}

fn play(game: &str, seed: u64) {
    let folder = tempfile::tempdir().expect("as the test needs it");
    let server = TestServer::start(folder.path());
    let players = [server.browser(), server.browser()];
    let stranger = server.browser();
    let room = players[0].room_against(&players[1], json!({ "game": game, "public": true }));
    let path = format!("/api/rooms/{room}/events");
    let streams = players.each_ref().map(|browser| browser.events(&path, None));
    let watching = stranger.events(&path, None);
    let lobby = stranger.events("/api/live/events", None);
    let firsts = streams.each_ref().map(|events| events.next_named("room").data);
    let mut pages = firsts.each_ref().map(|first| Page::of(&first["view"], &first["steps"]));
    let mut seqs = firsts.each_ref().map(|first| first["seq"].as_u64().expect("as the test needs it"));
    assert_eq!(watching.next_named("room").data["eyes"], "none");
    assert_eq!(lobby.next_named("rooms").data["rooms"], json!([]));
    let mut table =
        games::find(game).expect("as the test needs it").open(&Value::Null, None).expect("as the test needs it");
    let mut pick = picker(seed);
    let mut set_ups = Vec::new();
    for turn in 0..100 {
        let side = table.to_move();
        let (own, other) = (&players[side.index()], &players[side.other().index()]);
        let face = own.look(&room);
        assert_eq!(face["running"], side.word());
        // Somebody who knows nothing of the board tries everything.
        let ply = own.some_ply(&room, &face, &mut pick).expect("as the test needs it");
        if ply.len() == 25 {
            set_ups.push((side, ply.clone()));
        }
        let other_before = other.look(&room);
        let answer = own.act(&room, "ply", &json!({ "ply": ply, "seq": face["seq"] })).ok();
        let played = table.play(&ply, Eyes::Seat(side)).expect("as the test needs it");
        assert_eq!(answer["end"], played.end.word());
        if played.end.word() == "refused" {
            // For the opponent nothing has happened: no event, no number, no clock.
            let mut after = other.look(&room);
            after["now"] = other_before["now"].clone();
            assert_eq!(after, other_before, "a refused try shows");
        }
        // Whoever asks for more than is his gets no more.
        if turn % 16 == 3 {
            for (asked, browser) in [
                ("frames", other),
                ("record", other),
                ("frames", &stranger),
                ("record", &stranger),
                ("picture.svg", &stranger),
                ("picture.svg", other),
                ("talk", other),
                ("clicks", other),
                ("setup", other),
                ("frames?eyes=all", other),
                ("clicks", &stranger),
            ] {
                browser.get(&format!("/api/rooms/{room}/{asked}"));
            }
            // Not his turn, or not a ply.
            assert!([409, 422].contains(&other.ply(&room, "A0").status));
            stranger.ply(&room, "A0").refused(403);
            stranger.act(&room, "chat", &json!({ "text": "?" })).ok();
        }
        if table.verdict().is_some() {
            break;
        }
    }
    // Both pages have what their eyes see, with numbers that have no gap.
    let faces = players.each_ref().map(|browser| browser.look(&room));
    let over = table.verdict().is_some();
    if !over {
        for side in Side::BOTH {
            let index = side.index();
            while seqs[index] < faces[index]["seq"].as_u64().expect("as the test needs it") {
                let event = streams[index].next().expect("as the test needs it");
                if let Some(seq) = event.data["seq"].as_u64() {
                    assert_eq!(seq, seqs[index] + 1);
                    seqs[index] = seq;
                }
                if event.name == "frame" {
                    pages[index].apply(&event.data["frame"]);
                }
            }
            let view = serde_json::to_value(table.still(Eyes::Seat(side))).expect("as the test needs it");
            assert_eq!(pages[index], Page::of(&view, &faces[index]["steps"]), "{game}: {side}'s page");
        }
        for (side, browser) in [(Some(Side::Black), &players[0]), (Some(Side::White), &players[1]), (None, &stranger)] {
            let secret: Vec<String> =
                set_ups.iter().filter(|(owner, _)| Some(*owner) != side).map(|(_, ply)| ply.clone()).collect();
            let texts = browser.received.lock().expect("as the test needs it").clone();
            let found = secrets(&everything(browser), side, game, &secret, &texts);
            assert!(found.is_empty(), "{game}, {side:?}: {:?}", &found[..found.len().min(5)]);
        }
    }
    if !over {
        players[0].act(&room, "resign", &json!({})).ok();
    }
    // After the end everybody sees everything, the search finds it, so the search can find things.
    let end = stranger.until(&room, |face| face["state"] == "finished");
    assert_eq!(end["eyes"], "all");
    let found = secrets(&[end], None, game, &[], &[]);
    assert!(!found.is_empty(), "the search is blind");
    stranger.get(&format!("/api/rooms/{room}/record")).ok();
}

#[test]
fn nothing_hidden_reaches_the_other_side_in_phantom_go() {
    for seed in 0..2 {
        play("phantom-go", seed);
    }
}

#[test]
fn nothing_hidden_reaches_the_other_side_in_junqi() {
    for seed in 0..2 {
        play("junqi", seed);
    }
}

#[test]
fn the_rhythm_of_signs_of_life_does_not_tell_of_refused_tries() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        TestServer::start_with(folder.path(), |settings| settings.heartbeat = std::time::Duration::from_millis(300));
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "phantom-go" }));
    for column in 'A'..='I' {
        one.ply(&room, &format!("{column}B")).ok();
        two.ply(&room, &format!("{column}H")).ok();
    }
    let events = two.events(&format!("/api/rooms/{room}/events"), None);
    events.next_named("room");
    // A try every tenth of a second, none of which White is told of.
    for column in 'A'..='I' {
        assert_eq!(one.ply(&room, &format!("{column}H")).ok()["end"], "refused");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let received = two.received.lock().unwrap();
    assert!(received.iter().any(|text| text.contains(": ping")), "tries keep signs of life back");
}

#[test]
fn pictures_of_a_hidden_game_show_own_pieces_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let players = [server.browser(), server.browser()];
    let room = players[0].room_against(&players[1], json!({ "game": "junqi" }));
    for browser in &players {
        let face = browser.look(&room);
        let ply = browser.some_ply(&room, &face, &mut picker(1)).unwrap();
        browser.ply(&room, &ply).ok();
    }
    for browser in &players {
        let picture = browser.get(&format!("/api/rooms/{room}/picture.svg?lang=zh")).text;
        assert_eq!(picture.matches(">司令<").count(), 1, "{picture}");
        let frames = browser.get(&format!("/api/rooms/{room}/frames")).text;
        let seen: BTreeSet<usize> = [frames.matches("司令").count()].into();
        assert_eq!(seen, BTreeSet::from([1]));
    }
    assert_eq!(server.browser().get(&format!("/api/rooms/{room}/picture.svg")).refused(403), "hidden");
}

//! Nothing is missed: connections break at random, the server stops and starts again, and the page that applies what it was
//! sent shows the same board as one that asks anew.

use serde_json::{Value, json};

use crate::client::{Browser, Events, Page, TestServer, builtin, me, picker};

/// A page that follows a room and comes back whenever its connection ends.
struct Follower {
    browser: Browser,
    path: String,
    page: Option<Page>,
    eyes: Value,
    chat: Vec<String>,
    last: Option<String>,
    events: Option<Events>,
}

impl Follower {
    fn new(browser: &Browser, room: &str) -> Self {
        let path = format!("/api/rooms/{room}/events");
        Self {
            browser: browser.clone(),
            path,
            page: None,
            eyes: Value::Null,
            chat: Vec::new(),
            last: None,
            events: None,
        }
    }

    /// Reads one event, connecting again when there is no connection.
    fn step(&mut self) -> String {
        let events = self.events.get_or_insert_with(|| self.browser.events(&self.path, self.last.as_deref()));
        let Some(event) = events.next() else {
            self.events = None;
            return "lost".to_owned();
        };
        match event.name.as_str() {
            "room" => {
                self.page = Some(Page::of(&event.data["view"], &event.data["steps"]));
                self.eyes = event.data["eyes"].clone();
                let lines = event.data["chat"].as_array().into_iter().flatten();
                self.chat = lines.map(|line| line["text"].as_str().unwrap_or_default().to_owned()).collect();
            }
            "frame" => self.page.as_mut().expect("a room comes first").apply(&event.data["frame"]),
            "chat" => self.chat.push(event.data["text"].as_str().unwrap_or_default().to_owned()),
            _ => {}
        }
        self.last = event.id.or(self.last.take());
        event.name
    }
}

#[test]
fn a_page_that_loses_its_connection_at_random_ends_with_the_same_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestServer::start(folder.path());
    let mut player = server.browser();
    for (seed, game) in ["surakarta", "phantom-go", "junqi", "gomoku"].into_iter().enumerate() {
        let mut pick = picker(100 + seed as u64);
        let (room, _) = player.room(game, &me(), &builtin("random"));
        let stranger = server.browser();
        let mut followers = [Follower::new(&player, &room), Follower::new(&stranger, &room)];
        followers.iter_mut().for_each(|follower| drop(follower.step()));
        let mut said = Vec::new();
        for turn in 0..25 {
            let face = player.until(&room, |face| face["state"] == "finished" || face["running"] == "black");
            if face["state"] == "finished" {
                break;
            }
            let ply = player.some_ply(&room, &face, &mut pick).unwrap();
            player.ply(&room, &ply).ok();
            if pick(4) == 0 {
                said.push(format!("line {turn} <b>"));
                player.act(&room, "chat", &json!({ "text": said.last() })).ok();
            }
            for follower in &mut followers {
                match pick(4) {
                    0 => follower.events = None,
                    1 => drop(follower.step()),
                    _ => {}
                }
            }
            if turn == 12 {
                // The server is stopped and comes back.
                drop(server);
                server = TestServer::start(folder.path());
                player = player.moved_to(server.address);
                for follower in &mut followers {
                    follower.browser = follower.browser.moved_to(server.address);
                    follower.events = None;
                }
            }
        }
        if player.look(&room)["state"] != "finished" {
            player.act(&room, "resign", &json!({})).ok();
        }
        for follower in &mut followers {
            while follower.eyes != "all"
                || follower.page.as_ref().unwrap().steps.len() < player.look(&room)["steps"].as_array().unwrap().len()
            {
                follower.step();
            }
            let face = follower.browser.look(&room);
            assert_eq!(follower.page.as_ref().unwrap(), &Page::of(&face["view"], &face["steps"]), "{game}");
            while follower.chat.len() < said.len() {
                follower.step();
            }
            assert_eq!(follower.chat, said, "{game}");
        }
    }
}

#[test]
fn after_a_restart_the_game_goes_on_with_its_clocks_and_streams_go_on_without_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "surakarta", "time": { "game_ms": 600_000 } }));
    let mut pick = picker(5);
    let mut follower = Follower::new(&two, &room);
    follower.step();
    for turn in 0..6 {
        let mover = if turn % 2 == 0 { &one } else { &two };
        let face = mover.look(&room);
        let ply = mover.some_ply(&room, &face, &mut pick).unwrap();
        mover.ply(&room, &ply).ok();
        if turn < 4 {
            while follower.step() != "frame" {}
        }
    }
    let before = one.look(&room);
    drop(server);
    let server = TestServer::start(folder.path());
    let (one, two) = (one.moved_to(server.address), two.moved_to(server.address));
    let after = one.look(&room);
    for key in ["steps", "clocks", "running", "offers", "you", "plies", "seq", "state"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(Page::of(&after["view"], &after["steps"]), Page::of(&before["view"], &before["steps"]));
    // The page had seen four frames; it is sent exactly the other two, not the whole room.
    follower.browser = two.clone();
    follower.events = None;
    assert_eq!(follower.step(), "frame");
    assert_eq!(follower.step(), "frame");
    let face = two.look(&room);
    assert_eq!(follower.page.clone().unwrap(), Page::of(&face["view"], &face["steps"]));
    let ply = one.some_ply(&room, &after, &mut pick).unwrap();
    one.ply(&room, &ply).ok();
    assert_eq!(follower.step(), "frame");
}

#[test]
fn a_ply_meant_for_another_board_is_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let (room, _) = browser.room("tiaojia", &me(), &builtin("greedy"));
    browser.act(&room, "ply", &json!({ "ply": "4 0 1", "seq": 0 })).ok();
    let face = browser.until(&room, |face| face["plies"] == 2);
    let stale = browser.act(&room, "ply", &json!({ "ply": "4 0 1", "seq": 0 }));
    assert_eq!(stale.json()["error"]["seq"], face["seq"]);
    assert_eq!(stale.refused(409), "stale");
    // Talk does not make a board stale.
    browser.act(&room, "chat", &json!({ "text": "好棋" })).ok();
    let ply = browser.some_ply(&room, &face, &mut picker(3)).unwrap();
    browser.act(&room, "ply", &json!({ "ply": ply, "seq": face["seq"] })).ok();
    // Two tabs at once: one of them is told no.
    let face = browser.until(&room, |face| face["running"] == "black");
    let ply = browser.some_ply(&room, &face, &mut picker(4)).unwrap();
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let tabs: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| browser.act(&room, "ply", &json!({ "ply": ply, "seq": face["seq"] })).status))
            .collect();
        tabs.into_iter().map(|tab| tab.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|&&status| status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409].contains(status)), "{answers:?}");
}

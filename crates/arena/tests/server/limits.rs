//! What one visitor, one address or one stranger can keep from everybody else: nothing.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Answer, Browser, TestServer, builtin, me};

/// A server behind a proxy, which says where somebody comes from.
fn behind_a_proxy(folder: &std::path::Path, change: impl FnOnce(&mut arena::Settings)) -> TestServer {
    TestServer::start_with(folder, |settings| {
        settings.behind_proxy = true;
        change(settings);
    })
}

/// Asks for a room from an address, with a fresh cookie.
fn ask_from(server: &TestServer, address: &str, room: &Value) -> Answer {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", address)];
    server.browser().send(Method::POST, "/api/rooms", &headers, room.to_string().as_bytes())
}

/// A request that is sent and whose answer is not waited for.
fn hang(browser: &Browser, head: &str, body: &str, length: usize) -> TcpStream {
    let mut socket = TcpStream::connect(browser.address).expect("a connection");
    let cookie = browser.cookie.lock().expect("a cookie").clone().unwrap_or_default();
    let request = format!(
        "POST {head} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
        browser.address
    );
    socket.write_all(request.as_bytes()).expect("a request");
    socket
}

/// What came as the first line of an answer, if it comes in time.
fn first_line(socket: &mut TcpStream, time: Duration) -> Option<String> {
    socket.set_read_timeout(Some(time)).expect("a time");
    let mut bytes = [0; 64];
    let count = socket.read(&mut bytes).ok()?;
    String::from_utf8_lossy(&bytes[..count]).lines().next().map(str::to_owned)
}

#[test]
fn hints_stand_in_the_line_of_their_address_and_whoever_leaves_frees_his_place() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let (room, _) = browser.room("tiaojia", &me(), &builtin("random"));
    let path = format!("/api/rooms/{room}/hint");
    let mut line: Vec<TcpStream> = (0..70).map(|_| hang(&browser, &path, "{}", 2)).collect();
    let begun = Instant::now();
    let refused = |socket: &mut TcpStream| {
        first_line(socket, Duration::from_millis(10)).is_some_and(|line| line.contains(" 429 "))
    };
    while !line.iter_mut().any(refused) {
        assert!(begun.elapsed() < Duration::from_secs(15), "the line has no end");
    }
    // Nearly a minute of thinking is asked for; nobody waits for it any more.
    drop(line);
    let begun = Instant::now();
    while browser.act(&room, "hint", &json!({})).status == 429 {}
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn an_address_has_a_share_of_the_rooms_whatever_its_cookies() {
    let folder = tempfile::tempdir().unwrap();
    let server = behind_a_proxy(folder.path(), |settings| settings.limits.rooms_per_address = 3);
    let room = json!({ "game": "tiaojia", "seats": { "black": me(), "white": builtin("random") } });
    // All at once: the count is right all the same.
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| ask_from(&server, "10.0.0.1", &room).status)).collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 201).count(), 3, "{statuses:?}");
    assert_eq!(ask_from(&server, "10.0.0.1", &room).refused(429), "too-many-rooms");
    ask_from(&server, "10.0.0.2", &room).ok();
}

#[test]
fn an_address_has_half_of_the_engines_and_none_for_days() {
    let folder = tempfile::tempdir().unwrap();
    let server = behind_a_proxy(folder.path(), |settings| {
        let command = referee::CommandLine::read("sleep 60").expect("a command");
        settings.engines = vec![arena::EngineOffer { name: "slow".into(), game: "tiaojia", command }];
    });
    let room = |time: Value| {
        let engine = json!({ "kind": "engine", "name": "slow" });
        json!({ "game": "tiaojia", "seats": { "black": me(), "white": engine }, "time": time })
    };
    for time in [
        json!(null),
        json!({ "game_ms": 604_800_000 }),
        json!({ "ply_ms": 300_001 }),
        json!({ "game_ms": 60_000, "increment_ms": 3_600_000 }),
    ] {
        let refused = ask_from(&server, "10.0.0.1", &room(time.clone()));
        assert_eq!(refused.json()["error"]["field"], "time", "{time}");
        assert_eq!(refused.refused(422), "bad-field");
    }
    ask_from(&server, "10.0.0.1", &room(json!({ "ply_ms": 300_000, "game_ms": 604_800_000 }))).ok();
    let hour = room(json!({ "game_ms": 7_200_000, "increment_ms": 10_000 }));
    ask_from(&server, "10.0.0.1", &hour).ok();
    assert_eq!(ask_from(&server, "10.0.0.1", &hour).refused(429), "too-many-engines");
    ask_from(&server, "10.0.0.2", &hour).ok();
    ask_from(&server, "10.0.0.3", &hour).ok();
    assert_eq!(ask_from(&server, "10.0.0.4", &hour).refused(503), "engines-busy");
}

#[test]
fn an_address_has_few_games_in_which_programs_think_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    // So slow that none of them ends meanwhile.
    let server = behind_a_proxy(folder.path(), |settings| settings.pace = Duration::from_secs(60));
    let watched =
        |level: &str| json!({ "game": "tiaojia", "seats": { "black": builtin("random"), "white": builtin(level) } });
    for _ in 0..8 {
        ask_from(&server, "10.0.0.1", &watched("max")).ok();
    }
    assert_eq!(ask_from(&server, "10.0.0.1", &watched("max")).refused(429), "too-many-watched");
    // Others may, and here too whoever plays himself or needs no core.
    ask_from(&server, "10.0.0.2", &watched("max")).ok();
    ask_from(&server, "10.0.0.1", &watched("greedy")).ok();
    let against = json!({ "game": "tiaojia", "seats": { "black": me(), "white": builtin("max") } });
    ask_from(&server, "10.0.0.1", &against).ok();
}

#[test]
fn whoever_talks_too_much_is_silenced_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two, stranger) = (server.browser(), server.browser(), server.browser());
    let (room, _) = one.room("tiaojia", &me(), &json!({ "kind": "open" }));
    let until_refused = |act: &dyn Fn() -> Answer| {
        let refused = (0..1500).map(|_| act()).find(|answer| answer.status != 200).expect("there is no end");
        assert_eq!(refused.refused(429), "room-full");
    };
    until_refused(&|| stranger.act(&room, "chat", &json!({ "text": "!" })));
    server.browser().act(&room, "chat", &json!({ "text": "!" })).refused(429);
    until_refused(&|| one.act(&room, "chat", &json!({ "text": "!" })));
    two.act(&room, "join", &json!({})).ok();
    two.act(&room, "chat", &json!({ "text": "?" })).ok();
    one.ply(&room, "4 0 1").ok();
    until_refused(&|| one.act(&room, "draw", &json!({ "do": "offer" })));
    two.act(&room, "draw", &json!({ "do": "decline" })).ok();
    two.act(&room, "draw", &json!({ "do": "offer" })).ok();
    two.act(&room, "resign", &json!({})).ok();
    one.act(&room, "rematch", &json!({})).ok();
}

#[test]
fn one_host_does_not_have_all_connections() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.limits.connections_per_address = 3);
    let ask = || {
        let mut socket = TcpStream::connect(server.address).expect("a connection");
        // Whoever is refused may learn of it while writing.
        let _ = socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let line = first_line(&mut socket, Duration::from_secs(10));
        (socket, line.is_some_and(|line| line.contains(" 200 ")))
    };
    let held: Vec<(TcpStream, bool)> = (0..3).map(|_| ask()).collect();
    assert!(held.iter().all(|(_, answered)| *answered));
    assert!(!ask().1, "a fourth one");
    drop(held);
    let begun = Instant::now();
    while !ask().1 {
        assert!(begun.elapsed() < Duration::from_secs(10), "places are never free again");
    }
}

#[test]
fn strangers_who_dawdle_do_not_hold_the_admins_list() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let admin = admin(folder.path(), &server);
    let stranger = server.browser();
    let mut dawdling: Vec<TcpStream> =
        (0..6).map(|_| hang(&stranger, "/api/accounts/import", "学号", 1_000_000)).collect();
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    let list = "学号,姓名\n2351001,甲\n".as_bytes();
    admin.send(Method::POST, "/api/accounts/import", &[("content-type", "text/csv")], list).ok();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // A large list of somebody else is heard out and refused by who he is, not by its size.
    let large = vec![b'x'; 1 << 20];
    let answer = stranger.send(Method::POST, "/api/accounts/import", &[("content-type", "text/csv")], &large);
    assert_eq!(answer.refused(401), "sign-in-first");
    assert!(dawdling.iter_mut().all(|socket| first_line(socket, Duration::from_millis(10)).is_none()));
}

/// Somebody who is signed in as the admin.
fn admin(folder: &std::path::Path, server: &TestServer) -> Browser {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let token = runtime.block_on(async {
        let store = course::Store::open(folder).await.expect("a store");
        let new = course::NewAccount {
            name: "admin-2".into(),
            person: String::new(),
            group: String::new(),
            role: course::Role::Admin,
        };
        let (account, _) = store.add_account(&new).await.expect("an account");
        store.open_session(account.id, "test", "test").await.expect("a session").1
    });
    let browser = server.browser();
    *browser.cookie.lock().expect("a cookie") = Some(format!("__Host-boyi-session={token}"));
    browser
}

#[test]
fn metrics_are_not_passed_on_by_a_proxy_of_this_machine() {
    for (behind_proxy, public, status) in [(false, false, 403), (true, false, 403), (true, true, 200)] {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::start_with(folder.path(), |settings| {
            (settings.behind_proxy, settings.metrics_public) = (behind_proxy, public);
        });
        let browser = server.browser();
        let passed_on = browser.send(Method::GET, "/metrics", &[("x-forwarded-for", "203.0.113.5")], b"");
        assert_eq!(passed_on.status, status, "{behind_proxy} {public}");
        assert_eq!(browser.get("/metrics").status, 200);
    }
}

//! Who may do what, and how much of it.

use serde_json::json;
use ureq::http::Method;

use crate::client::{TestServer, builtin, me};

#[test]
fn a_stranger_can_neither_play_nor_end_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two, stranger) = (server.browser(), server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "tiaojia" }));
    stranger.post("/api/me", &json!({ "name": "陌生人" })).ok();
    for browser in [&stranger, &server.browser()] {
        assert_eq!(browser.ply(&room, "4 0 1").refused(403), "not-a-player");
        for (what, body) in [
            ("resign", json!({})),
            ("abort", json!({})),
            ("rematch", json!({})),
            ("draw", json!({ "do": "offer" })),
            ("takeback", json!({ "do": "ask" })),
        ] {
            assert_eq!(browser.act(&room, what, &body).refused(403), "not-a-player", "{what}");
        }
        browser.get(&format!("/api/rooms/{room}/clicks")).refused(403);
        browser.get(&format!("/api/rooms/{room}/setup")).refused(403);
    }
    let face = one.look(&room);
    assert_eq!((face["state"].as_str(), face["plies"].as_u64()), (Some("live"), Some(0)));
    assert_eq!(two.ply(&room, "4 0 1").refused(409), "not-your-turn");
    // Somebody with a cookie that is nobody's is a stranger.
    *stranger.cookie.lock().unwrap() =
        Some("__Host-boyi=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned());
    assert_eq!(stranger.ply(&room, "4 0 1").refused(403), "not-a-player");
    one.ply(&room, "4 0 1").ok();
}

#[test]
fn the_address_of_a_room_is_its_invitation() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (host, guest, late) = (server.browser(), server.browser(), server.browser());
    let seats = json!({ "black": me(), "white": { "kind": "open" } });
    let made = host.post("/api/rooms", &json!({ "game": "amazons", "seats": seats })).ok();
    let room = made["room"]["id"].as_str().unwrap();
    assert!(room.len() >= 13, "{room} can be guessed");
    assert_eq!(made["join"], format!("/room/{room}"));
    // Hidden games too, whose board a stranger does not see.
    assert_eq!(guest.look(room)["invitation"], "open");
    assert_eq!(host.act(room, "join", &json!({})).refused(409), "own-room");
    let face = guest.act(room, "join", &json!({})).ok();
    assert_eq!((face["you"].as_str(), face["state"].as_str()), (Some("white"), Some("live")));
    assert!(face["invitation"].is_null(), "{face}");
    assert_eq!(late.act(room, "join", &json!({})).refused(409), "seat-taken");
    // The seat that is kept for whoever played before is his alone.
    host.act(room, "resign", &json!({})).ok();
    let again = host.act(room, "rematch", &json!({})).ok()["room"]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (&late.look(&again)["invitation"], &guest.look(&again)["invitation"]),
        (&json!("kept"), &json!("yours"))
    );
    assert_eq!(late.act(&again, "join", &json!({})).refused(403), "bad-token");
    guest.act(&again, "join", &json!({})).ok();
}

#[test]
fn a_private_invitation_is_good_once_and_only_with_its_token() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (host, guest, late) = (server.browser(), server.browser(), server.browser());
    let seats = json!({ "black": me(), "white": { "kind": "open" } });
    let private = json!({ "game": "amazons", "seats": seats, "private": true });
    let (room, token) = host.room_with(&private);
    let token = token.unwrap();
    assert!(token.len() >= 26 && room.len() >= 13);
    assert_eq!(guest.look(&room)["invitation"], "private");
    assert_eq!(host.ply(&room, "A7D7G7").refused(409), "waiting");
    assert_eq!(guest.act(&room, "join", &json!({ "token": "wrong" })).refused(403), "bad-token");
    assert_eq!(guest.act(&room, "join", &json!({})).refused(403), "bad-token");
    assert_eq!(host.act(&room, "join", &json!({ "token": token })).refused(409), "own-room");
    let face = guest.act(&room, "join", &json!({ "token": token, "seat": "white" })).ok();
    assert_eq!((face["you"].as_str(), face["state"].as_str()), (Some("white"), Some("live")));
    assert_eq!(late.act(&room, "join", &json!({ "token": token })).refused(409), "seat-taken");
    // Many at once: one gets the seat.
    let (room, token) = host.room_with(&private);
    let body = json!({ "token": token });
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..6).map(|_| scope.spawn(|| server.browser().act(&room, "join", &body).status)).collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
}

#[test]
fn the_cookie_and_the_headers_are_strict() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let cookie_of = |answer: &crate::client::Answer| {
        answer.headers.get("set-cookie").map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(cookie_of(&browser.get("/api/games")), None);
    let made = browser.post("/api/me", &json!({ "name": "<script>alert(1)</script>" }));
    let cookie = cookie_of(&made).unwrap();
    for part in ["__Host-boyi=", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(made.ok()["name"], "<script>alert(1)</script>");
    // In a classroom's network without https a browser would refuse a Secure cookie.
    let lan = server.browser().send(
        Method::POST,
        "/api/me",
        &[("content-type", "application/json"), ("host", "192.168.1.5:8080")],
        br#"{"name":"x"}"#,
    );
    let cookie = cookie_of(&lan).unwrap();
    assert!(cookie.starts_with("boyi=") && cookie.contains("HttpOnly") && !cookie.contains("Secure"), "{cookie}");
    for path in ["/", "/api/games", "/nowhere", "/api/nowhere"] {
        let answer = browser.get(path);
        let header =
            |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
    }
    assert_eq!(browser.get("/nowhere").status, 404);
    assert_eq!(browser.get("/api/nowhere").refused(404), "no-such-path");
    assert_eq!(browser.get("/games/amazons").status, 200);
    assert_eq!(browser.get("/games/chess").status, 404);
    assert_eq!(browser.get("/healthz").text, "ok");
    assert_eq!(browser.get("/metrics").status, 200);
}

#[test]
fn other_sites_cannot_act_for_a_visitor() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let (room, _) = browser.room("tiaojia", &me(), &builtin("greedy"));
    let path = format!("/api/rooms/{room}/ply");
    let json = ("content-type", "application/json");
    let body = br#"{"ply":"4 0 1"}"#;
    for header in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        assert_eq!(browser.send(Method::POST, &path, &[json, header], body).refused(403), "cross-origin");
    }
    // A form of another site cannot send JSON.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        assert_eq!(browser.send(Method::POST, &path, &[("content-type", kind)], body).refused(415), "not-json");
    }
    let own = format!("http://{}", server.address);
    browser.send(Method::POST, &path, &[json, ("origin", &own), ("sec-fetch-site", "same-origin")], body).ok();
}

#[test]
fn too_much_is_refused_kindly() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| {
        settings.limits.requests_per_second = 30;
        settings.limits.streams_per_address = 3;
        settings.limits.rooms_per_visitor = 2;
        settings.limits.live_rooms = 3;
    });
    let browser = server.browser();
    let (room, _) = browser.room("tiaojia", &me(), &builtin("greedy"));
    let streams: Vec<_> = (0..4).map(|_| browser.events(&format!("/api/rooms/{room}/events"), None)).collect();
    let statuses: Vec<u16> = streams.iter().map(|events| events.status).collect();
    assert_eq!(statuses, [200, 200, 200, 429]);
    drop(streams);
    let more = json!({ "game": "tiaojia", "seats": { "black": me(), "white": builtin("greedy") } });
    browser.post("/api/rooms", &more).ok();
    assert_eq!(browser.post("/api/rooms", &more).refused(429), "too-many-rooms");
    let other = server.browser();
    other.post("/api/rooms", &more).ok();
    assert_eq!(other.post("/api/rooms", &more).refused(503), "server-full");
    let answers: Vec<_> = (0..300).map(|_| browser.get("/api/version")).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).expect("a flood is refused");
    assert_eq!(refused.code(), "too-fast");
    assert!(refused.headers.contains_key("retry-after"));
    assert!(!refused.json()["error"]["message"]["zh"].as_str().unwrap().is_empty());
}

#[test]
fn every_list_is_paged() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.limits.rooms_per_visitor = 1000);
    let browser = server.browser();
    let made: Vec<String> = (0..7).map(|_| browser.room("tiaojia", &me(), &builtin("greedy")).0).collect();
    let document = browser.get("/api/openapi.json").ok();
    let mut lists = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let get = &methods["get"];
        let schema = &get["responses"]["200"]["content"]["application/json"]["schema"];
        let schema =
            schema["$ref"].as_str().and_then(|at| document.pointer(at.trim_start_matches('#'))).unwrap_or(schema);
        if schema["properties"]["items"].is_null() {
            continue;
        }
        lists += 1;
        for wanted in ["limit", "after"] {
            let parameters = get["parameters"].as_array().unwrap();
            assert!(parameters.iter().any(|one| one["name"] == wanted), "{path} has no {wanted}");
        }
        let mut seen = Vec::new();
        let mut after = String::new();
        for _ in 0..7 {
            let page = browser.get(&format!("{path}?mine=1&limit=3{after}")).ok();
            let items = page["items"].as_array().unwrap();
            assert!(items.len() <= 3, "{path}: {} items", items.len());
            seen.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
            if page["next"].is_null() {
                break;
            }
            let next = &page["next"];
            after = next.as_str().map_or_else(|| format!("&after={next}"), |next| format!("&after={next}"));
        }
        let unique: std::collections::BTreeSet<&String> = seen.iter().collect();
        assert_eq!(unique.len(), seen.len(), "{path}: something came twice");
        assert!(made.iter().all(|room| unique.contains(room)), "{path}: something was left out");
    }
    assert!(lists >= 1, "no list was found in the document");
    // However many there are, a page stays a page; who asks for more is told.
    for _ in 0..100 {
        browser.room("tiaojia", &me(), &json!({ "kind": "open" }));
    }
    let most = browser.get("/api/rooms?mine=1&limit=100").ok();
    assert_eq!(most["items"].as_array().unwrap().len(), 100);
    let refused = browser.get("/api/rooms?mine=1&limit=100000");
    assert_eq!(refused.status, 400, "{refused:?}");
}

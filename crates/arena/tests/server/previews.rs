//! What apps show of a link.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use serde_json::json;
use ureq::http::Method;

use crate::client::{Answer, Browser, TestServer, builtin, me};

fn page(browser: &Browser, path: &str, language: &str) -> Answer {
    browser.send(Method::GET, path, &[("accept-language", language)], b"")
}

fn tag(answer: &Answer, name: &str) -> String {
    let from = format!("=\"{name}\" content=\"");
    let rest = answer.text.split_once(&from).unwrap_or_else(|| panic!("no {name}: {}", answer.text)).1;
    rest.split_once('"').unwrap().0.to_owned()
}

#[test]
fn a_room_is_told_in_both_languages_with_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    one.post("/api/me", &json!({ "name": "\"><script>Ann" })).ok();
    let seats = json!({ "black": me(), "white": { "kind": "open" } });
    let wish = json!({ "game": "gomoku", "variant": { "rule": "renju", "size": 15 }, "seats": seats,
        "time": { "game_ms": 600_000, "increment_ms": 5000 } });
    let (room, _) = one.room_with(&wish);
    let address = format!("/room/{room}");
    let waiting = page(&two, &address, "zh-CN,zh;q=0.9");
    let escaped = "&quot;&gt;&lt;script&gt;Ann";
    assert_eq!(tag(&waiting, "og:title"), format!("五子棋：{escaped}邀你对局"));
    let said = tag(&waiting, "og:description");
    assert_eq!(said, "15×15 连珠：黑方有禁手；每方 10 分钟，每步加 5 秒。打开页面即可入座。");
    assert!(!waiting.text.contains("<script>Ann"), "{}", waiting.text);
    let english = page(&two, &address, "en");
    assert_eq!(tag(&english, "og:title"), format!("Gomoku: {escaped} invites you"));
    assert!(english.text.contains(&format!("<title>Gomoku: {escaped} invites you</title>")), "{}", english.text);
    // Who asks in no language is told both.
    let both = tag(&two.get(&address), "og:title");
    assert!(both.contains("五子棋") && both.contains("Gomoku"), "{both}");
    two.act(&room, "join", &json!({})).ok();
    one.ply(&room, "7,7").ok();
    two.act(&room, "resign", &json!({})).ok();
    let over = page(&two, &format!("{address}?ply=1"), "en");
    assert!(tag(&over, "og:description").starts_with("Black wins: "), "{}", tag(&over, "og:description"));
    let picture = tag(&over, "og:image");
    let path = picture.strip_prefix(&format!("http://{}", server.address)).unwrap();
    assert_eq!(path, format!("/api/rooms/{room}/picture.png?ply=1"));
    let seen = two.get(path);
    assert_eq!((seen.status, seen.headers["content-type"].to_str().unwrap()), (200, "image/png"));
    let before = two.get(&format!("/api/rooms/{room}/picture.png?ply=0"));
    assert!(before.text != seen.text, "the stone is not seen");
    two.get("/api/rooms/nowhere/picture.png").refused(404);
    two.get("/api/games/chess/picture.png").refused(404);
    assert_eq!(tag(&page(&two, "/games/amazons", "en"), "og:title"), "Amazons · boyi");
    assert!(tag(&two.get("/"), "og:image").ends_with("/icon-512.png"));
}

#[test]
fn the_picture_of_a_hidden_game_shows_nothing_while_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let (one, two) = (server.browser(), server.browser());
    let room = one.room_against(&two, json!({ "game": "phantom-go" }));
    let path = format!("/api/rooms/{room}/picture.png");
    let before = one.get(&path).text;
    one.ply(&room, "EE").ok();
    for browser in [&one, &two, &server.browser()] {
        assert_eq!(browser.get(&path).text, before);
    }
    two.act(&room, "resign", &json!({})).ok();
    assert!(one.get(&path).text != before);
}

#[test]
fn starters_are_files_and_presets_come_with_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    let file = browser.get("/api/starters/python/amazons.py");
    assert!(file.text.contains("def ") && file.headers["content-disposition"] == "attachment; filename=\"amazons.py\"");
    for path in ["python/none.py", "python/..%2F..%2FCargo.toml", "x/amazons.py"] {
        browser.get(&format!("/api/starters/{path}")).refused(404);
    }
    let game = browser.get("/api/games/gomoku").ok();
    let first = &game["presets"][0]["variant"];
    assert_eq!((&first["size"], &first["rule"]), (&json!(15), &json!(0)));
    let seats = json!({ "black": me(), "white": builtin("greedy") });
    for preset in game["presets"].as_array().unwrap() {
        let wish = json!({ "game": "gomoku", "variant": preset["variant"], "seats": seats });
        let made = browser.post("/api/rooms", &wish).ok();
        assert_eq!(made["room"]["variant"], preset["variant"]);
    }
}

//! Anything at all, sent to every path of the OpenAPI document: always an answer in the API's shape, never a failure of the
//! server's own.

use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Browser, TestServer, builtin, me, picker};

/// Values of every kind, some of them traps.
fn odd_values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1e308),
        json!(18_446_744_073_709_551_615_u64),
        json!(""),
        json!("x"),
        json!("\u{0}\u{1f}\u{202e}"),
        json!("界".repeat(3000)),
        json!([]),
        json!([[[[[]]]]]),
        json!({}),
        json!({ "kind": "me" }),
        json!({ "kind": "builtin", "level": 5 }),
        json!({ "kind": "engine", "name": "/bin/sh" }),
        json!({ "": { "": "" } }),
        json!(["A", 1, null]),
        json!(0.5),
    ]
}

/// A body with the fields of the schema, each with some odd value.
fn body_for(schema: &Value, document: &Value, pick: &mut dyn FnMut(usize) -> usize, odd: &[Value]) -> Value {
    let schema = match schema["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).cloned().unwrap_or_default(),
        None => schema.clone(),
    };
    let Some(fields) = schema["properties"].as_object() else { return odd[pick(odd.len())].clone() };
    let mut body = json!({});
    for (name, inner) in fields {
        match pick(4) {
            0 => {}
            1 => body[name] = body_for(inner, document, pick, odd),
            _ => body[name] = odd[pick(odd.len())].clone(),
        }
    }
    body
}

fn check(answer: &crate::client::Answer, what: &str) {
    assert!(answer.status < 500, "{what}: {} {}", answer.status, answer.text);
    if answer.status >= 400 {
        let error = &answer.json()["error"];
        for language in ["en", "zh"] {
            assert!(
                error["message"][language].as_str().is_some_and(|text| !text.is_empty()),
                "{what}: {}",
                answer.text
            );
        }
        assert!(error["code"].is_string(), "{what}: {}", answer.text);
    }
}

fn try_everything(browser: &Browser, room: &str) -> usize {
    let document = browser.get("/api/openapi.json").ok();
    let odd = odd_values();
    let mut pick = picker(7);
    let mut sent = 0;
    let ids =
        [room, "nowhere", "..%2f..%2fetc", "%00", "%ff%fe", &"x".repeat(300), "amazons", "军棋", "%E5%86%9B%E6%A3%8B"];
    let queries = [
        "",
        "?",
        "?limit=-1",
        "?limit=99999999999999999999",
        "?after=x",
        "?after=-5",
        "?state=x",
        "?mine=2",
        "?game=chess",
        "?format=%00",
        "?format=ccgc",
        "?ply=-1",
        "?ply=4294967295",
        "?lang=xx",
        "?path=1,2,3",
        "?path=99999",
        "?path=,,",
        "?eyes=black",
        "?eyes=x",
        "?%ff=%fe",
    ];
    for (path, methods) in document["paths"].as_object().expect("as the test needs it") {
        if path.ends_with("/events") {
            continue;
        }
        for (method, operation) in methods.as_object().expect("as the test needs it") {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            for round in 0..24 {
                let id: String = ids[pick(ids.len())].chars().filter(char::is_ascii).collect();
                let id = if round % 3 == 0 { room } else { &id };
                let query = queries[pick(queries.len())];
                let address = format!(
                    "{}{query}",
                    path.replace("{id}", id)
                        .replace("{number}", id)
                        .replace("{game}", if round % 2 == 0 { "gomoku" } else { id })
                );
                let what = format!("{method} {address}");
                match method.as_str() {
                    "get" => check(&browser.get(&address), &what),
                    "post" => {
                        let body = match round % 6 {
                            0..=3 => body_for(schema, &document, &mut pick, &odd).to_string().into_bytes(),
                            4 => vec![0xff, 0xfe, 0, b'{'],
                            _ => vec![b'['; 5000],
                        };
                        let kind = if round % 11 == 10 { "text/plain" } else { "application/json" };
                        let answer = browser.send(Method::POST, &address, &[("content-type", kind)], &body);
                        check(&answer, &format!("{what} {}", String::from_utf8_lossy(&body)));
                    }
                    other => panic!("the test does not know {other}"),
                }
                sent += 1;
            }
            if method == "post" {
                let address = path.replace("{id}", room).replace("{game}", "gomoku");
                let long = format!("{{\"ply\":\"{}\"}}", "x".repeat(1_100_000));
                let answer =
                    browser.send(Method::POST, &address, &[("content-type", "application/json")], long.as_bytes());
                // Sources and lists of students may be larger; their own bounds are tested with the course.
                if !["/api/contests/{id}/submissions", "/api/accounts/import"].contains(&path.as_str()) {
                    assert_eq!(answer.status, 413, "{address}: {}", answer.text);
                }
                check(&answer, &address);
            }
            let wrong = if method == "get" { Method::PUT } else { Method::DELETE };
            let address = path.replace("{id}", room).replace("{game}", "gomoku");
            check(&browser.send(wrong, &address, &[], b""), &address);
        }
    }
    sent
}

#[test]
fn whatever_is_sent_the_server_answers_and_lives() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    for game in ["tiaojia", "junqi"] {
        let (room, _) = browser.room(game, &me(), &builtin("random"));
        let sent = try_everything(&browser, &room);
        assert!(sent > 400, "only {sent} requests");
    }
    assert_eq!(browser.get("/healthz").text, "ok");
    let (room, _) = browser.room("tiaojia", &me(), &builtin("greedy"));
    browser.ply(&room, "4 0 1").ok();
}

#[test]
fn records_that_are_none_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    for bad in
        [&b""[..], b"{}", b"(;GM[1]", b"\xff\xff\xff", b"{\"format\":\"boyi-record\",\"version\":99}", &[b'('; 100_000]]
    {
        let answer = browser.send(Method::POST, "/api/records", &[("content-type", "text/plain")], bad);
        assert_eq!(answer.status, 422, "{}", answer.text);
        check(&answer, "a bad record");
    }
}

#[test]
fn streams_answer_whatever_is_asked_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_with(folder.path(), |settings| settings.limits.streams_per_address = 1000);
    let browser = server.browser();
    let (room, _) = browser.room("phantom-go", &me(), &builtin("random"));
    let document = browser.get("/api/openapi.json").ok();
    let streams: Vec<&String> =
        document["paths"].as_object().unwrap().keys().filter(|path| path.ends_with("/events")).collect();
    assert!(streams.len() >= 2, "{streams:?}");
    let long = "9".repeat(3000);
    for path in streams {
        if path.contains("{id}") {
            for id in ["nowhere", "..%2f..%2fetc", "%00", "%ff%fe", &"x".repeat(300)] {
                let answer = browser.get(&path.replace("{id}", id));
                assert!(matches!(answer.status, 400 | 404), "{path} {id}: {}", answer.text);
                check(&answer, path);
            }
        }
        let address = path.replace("{id}", &room);
        for query in
            ["", "?after=x", "?after=-5", "?after=99999999999999999999", "?after=white.0", "?after=all.3", "?%ff=%fe"]
        {
            for last in [None, Some("black.-1"), Some("white.0"), Some("%00"), Some(long.as_str())] {
                let events = browser.events(&format!("{address}{query}"), last);
                assert!(events.status < 500, "{address}{query} {last:?}: {}", events.status);
                if events.status == 200 {
                    // Whoever names a place in the stream that is not there begins anew.
                    let first = events.next().expect("a stream begins with something");
                    assert!(
                        ["room", "rooms", "frame", "seats"].contains(&first.name.as_str()),
                        "{address}{query} {last:?}: {first:?}"
                    );
                }
            }
        }
    }
    assert_eq!(browser.get("/healthz").text, "ok");
}

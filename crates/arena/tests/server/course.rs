//! The course: who may do what, signing in, and bad input. Nothing is judged here; that is tested with the whole program.

use std::path::Path;
use std::time::{Duration, Instant};

use course::{Contest, NewAccount, NewGame, NewSubmission, Role, Rules, Store, Used, Visibility};
use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Answer, Browser, TestServer};

/// A store beside the server's, as `boyi admin` has one.
struct Desk {
    runtime: tokio::runtime::Runtime,
    store: Store,
}

impl Desk {
    fn open(folder: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let store = runtime.block_on(Store::open(folder)).expect("a store");
        Self { runtime, store }
    }

    fn account(&self, name: &str, role: Role) -> (i64, String) {
        let new = NewAccount { name: name.into(), person: format!("{name} 的姓名"), group: "一班".into(), role };
        let (account, issued) = self.runtime.block_on(self.store.add_account(&new)).expect("an account");
        (account.id, issued.code)
    }

    /// A browser that is signed in, without the time a password takes.
    fn sign_in(&self, server: &TestServer, account: i64) -> Browser {
        let browser = server.browser();
        let (_, token) = self.runtime.block_on(self.store.open_session(account, "test", "test")).expect("a session");
        *browser.cookie.lock().expect("a cookie") = Some(format!("__Host-boyi-session={token}"));
        browser
    }

    fn contest(&self, id: &str) -> Contest {
        let contest = Contest {
            number: 0,
            id: id.into(),
            title: "C".into(),
            about: String::new(),
            game: "tiaojia".into(),
            variant: games::find("tiaojia").expect("a game").defaults(),
            rules: Rules { interval_s: 0, ..Rules::default() },
            visibility: Visibility::default(),
            opens: None,
            closes: None,
            scoreboard_minutes: 0,
            locked: None,
            frozen: false,
            created: 0,
        };
        self.runtime.block_on(self.store.save_contest(&contest)).expect("a contest")
    }

    /// A version that was compiled and tried.
    fn version(&self, contest: &Contest, account: i64, source: &str) -> i64 {
        self.runtime.block_on(async {
            let source = source.as_bytes();
            let new =
                NewSubmission { contest: contest.number, account, language: "c", file_name: "secret-name.c", source };
            let id = self.store.submit(&new, 0).await.expect("the store").expect("taken");
            let build = self.store.lease_build("test").await.expect("the store").expect("a build");
            let compile = json!({ "messages": "secret warning", "notes": [] });
            self.store.begin_trial(&build, &compile).await.expect("a trial");
            self.store.accept(&build, &json!({ "log": "secret trial" }), (0, 0)).await.expect("accepted");
            id
        })
    }

    /// Plays one game, in which Black's engine lost and said things.
    fn game(&self) -> i64 {
        let mut record = records::Record::new("tiaojia", games::find("tiaojia").expect("a game").defaults());
        record.verdict = Some(records::RecordedVerdict {
            winner: Some(games::Side::White),
            reason: "exited".into(),
            ply: 0,
            counts: true,
            evidence: json!({ "seat": "black", "lines": ["0.1 < DEBUG secret thought"] }),
        });
        self.runtime.block_on(async {
            let lease = self.store.lease_game("test").await.expect("the store").expect("a game");
            let game = NewGame {
                one_is_black: true,
                winner: Some(games::Side::White),
                reason: "exited".into(),
                plies: 0,
                ms: 1,
                machine_ms: 1,
                record: serde_json::to_string(&record).expect("JSON"),
                used: [Used::default(); 2],
                memory: Vec::new(),
                logs: [b"0.1 < DEBUG secret thought\n0.2 > TURN\n".to_vec(), b"0.1 ! secret stderr\n".to_vec()],
            };
            self.store.finish_game(&lease, &game, 0).await.expect("written");
            lease.row.id
        })
    }
}

/// Who asks, in the table's order.
const ROLES: [&str; 5] = ["guest", "owner", "other", "assistant", "admin"];

/// What each role gets, for every path there is: `ok`, or the status of the refusal.
const RIGHTS: &str = include_str!("rights.txt");

#[test]
fn every_path_and_every_role() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let owner = desk.account("owner", Role::Student).0;
    let other = desk.account("other", Role::Student).0;
    let third = desk.account("third", Role::Student).0;
    let target = desk.account("target", Role::Student).0;
    let assistant = desk.account("assistant", Role::Assistant).0;
    let admin = desk.account("admin2", Role::Admin).0;
    let contest = desk.contest("c");
    let opponent = desk.version(&contest, third, "int third;");
    let own = desk.version(&contest, owner, "int secret_source;");
    let match_id = desk.game();
    let document = server.browser().get("/api/openapi.json").ok();
    let mut table = String::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let filled = path
                .replace("/api/contests/{id}", "/api/contests/c")
                .replace("/api/accounts/{id}", &format!("/api/accounts/{target}"))
                .replace("/api/submissions/{id}", &format!("/api/submissions/{own}"))
                .replace("/api/matches/{id}", &format!("/api/matches/{match_id}"))
                .replace("{number}", "0")
                .replace("{game}", "tiaojia")
                .replace("{id}", "nothing");
            let filled = match path.ends_with("/log") || path.ends_with("/input") {
                true => format!("{filled}?seat=black"),
                false => filled,
            };
            // Streams never end; that they open is tested elsewhere.
            if path.ends_with("/events") {
                continue;
            }
            table.push_str(&format!("{} {path}", method.to_uppercase()));
            for role in ROLES {
                let account = match role {
                    "guest" => None,
                    "owner" => Some(owner),
                    "other" => Some(other),
                    "assistant" => Some(assistant),
                    _ => Some(admin),
                };
                let browser = account.map_or_else(|| server.browser(), |account| desk.sign_in(&server, account));
                let announcement = desk.runtime.block_on(desk.store.announce(contest.number, "x", "y")).unwrap().id;
                let filled = filled.replace("{announcement}", &announcement.to_string());
                let answer = match method.as_str() {
                    "get" => browser.get(&filled),
                    _ => post(&browser, path, &filled, opponent),
                };
                let word = match answer.status {
                    401 if answer.code() != "wrong-sign-in" && answer.code() != "wrong-code" => "401".to_owned(),
                    403 | 404 => answer.status.to_string(),
                    500.. => panic!("{path}: {}", answer.text),
                    _ => "ok".to_owned(),
                };
                table.push_str(&format!(" {role}:{word}"));
            }
            table.push('\n');
        }
    }
    let expected: Vec<&str> = RIGHTS.lines().collect();
    let found: Vec<&str> = table.lines().collect();
    for line in &found {
        assert!(expected.contains(line), "not as the table says:\n{line}\nall of it:\n{table}");
    }
    assert_eq!(found.len(), expected.len(), "the table has lines of paths that are gone");
}

/// A change with a body that is right as far as rights go.
fn post(browser: &Browser, path: &str, filled: &str, opponent: i64) -> Answer {
    let body = match path {
        "/api/sign-in" => json!({ "name": "nobody", "password": "nothing" }),
        "/api/sign-in/code" => json!({ "name": "nobody", "code": "x", "password": "a long password" }),
        "/api/account" => json!({ "nickname": "" }),
        "/api/account/password" => json!({ "old": "x", "new": "short" }),
        "/api/accounts" => json!({ "name": "" }),
        "/api/accounts/{id}/role" => json!({ "role": "student" }),
        "/api/accounts/{id}/active" => json!({ "active": true }),
        "/api/contests" => json!({ "id": "c", "game": "tiaojia" }),
        "/api/contests/{id}/lock" | "/api/submissions/{id}/disqualify" => json!({ "reason": null }),
        "/api/contests/{id}/freeze" => json!({ "frozen": false }),
        "/api/contests/{id}/announce" => json!({ "text": "hello" }),
        "/api/contests/{id}/submissions" => json!({ "language": "c", "source": "" }),
        "/api/submissions/{id}/challenge" => json!({ "opponent": opponent }),
        "/api/rooms/{id}/ply" => json!({ "ply": "x" }),
        "/api/rooms/{id}/draw" => json!({ "do": "offer" }),
        "/api/rooms/{id}/takeback" => json!({ "do": "ask" }),
        "/api/rooms/{id}/chat" => json!({ "text": "x" }),
        "/api/rooms/{id}/setup" => json!({ "placement": {} }),
        "/api/rooms" => {
            json!({ "game": "nothing", "seats": { "black": { "kind": "me" }, "white": { "kind": "open" } } })
        }
        "/api/me" => json!({ "name": "" }),
        _ => json!({}),
    };
    match path {
        "/api/accounts/import" => browser.send(Method::POST, filled, &[("content-type", "text/csv")], b""),
        _ => browser.post(filled, &body),
    }
}

#[test]
fn nobody_reads_what_is_another_s() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let (one, two) = (desk.account("one", Role::Student).0, desk.account("two", Role::Student).0);
    let stranger = desk.account("stranger", Role::Student).0;
    let contest = desk.contest("c");
    desk.version(&contest, two, "int secret_of_two;");
    let own = desk.version(&contest, one, "int secret_of_one;");
    let match_id = desk.game();
    let game = format!("/api/matches/{match_id}/games/0");
    let everything = |browser: &Browser| {
        for path in
            ["", "/frames", "/record", "/log?seat=black", "/log?seat=white", "/input?seat=black", "/input?seat=white"]
        {
            browser.get(&format!("{game}{path}"));
        }
        for path in [
            format!("/api/submissions/{own}"),
            format!("/api/submissions/{own}/source"),
            format!("/api/matches/{match_id}"),
        ] {
            browser.get(&path);
        }
        for path in [
            "/api/contests/c",
            "/api/contests/c/scoreboard",
            "/api/contests/c/submissions",
            "/api/contests/c/cross",
            "/api/contests/c/losses",
        ] {
            browser.get(path);
        }
        browser.received.lock().expect("a list").join("\n")
    };
    for browser in [server.browser(), desk.sign_in(&server, stranger)] {
        let all = everything(&browser);
        assert!(!all.contains("secret") && !all.contains("的姓名"), "{all}");
    }
    // The opponent sees his own standard error and nothing of the other's.
    let all = everything(&desk.sign_in(&server, two));
    assert!(
        all.contains("secret stderr") && !all.contains("secret thought") && !all.contains("secret_of_one"),
        "{all}"
    );
    let all = everything(&desk.sign_in(&server, one));
    assert!(all.contains("secret thought") && all.contains("secret_of_one") && !all.contains("secret stderr"), "{all}");
}

#[test]
fn sessions_rotate_and_a_new_password_ends_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let (_, code) = desk.account("2351001", Role::Student);
    let browser = server.browser();
    let redeem = |browser: &Browser, code: &str, password: &str| {
        browser.post(
            "/api/sign-in/code",
            &json!({ "name": "2351001", "code": code, "password": password, "nickname": "小明" }),
        )
    };
    assert_eq!(redeem(&browser, &code, "2351001").refused(422), "bad-field");
    let answer = redeem(&browser, &code.to_uppercase(), "a first password");
    let cookie = answer.headers.get("set-cookie").unwrap().to_str().unwrap().to_owned();
    for part in ["__Host-boyi-session=", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(answer.ok()["account"]["nickname"], "小明");
    assert_eq!(redeem(&server.browser(), &code, "a second password").refused(401), "wrong-code");
    let sign_in = |password: &str| {
        let browser = server.browser();
        let answer = browser.post("/api/sign-in", &json!({ "name": "2351001", "password": password }));
        (browser, answer)
    };
    let (second, answer) = sign_in("a first password");
    answer.ok();
    assert_ne!(*second.cookie.lock().unwrap(), *browser.cookie.lock().unwrap());
    assert_eq!(browser.get("/api/account/sessions").ok()["items"].as_array().unwrap().len(), 2);
    // Signing in again in the same browser ends the session that was.
    let before = second.cookie.lock().unwrap().clone();
    second.post("/api/sign-in", &json!({ "name": "2351001", "password": "a first password" })).ok();
    assert_ne!(*second.cookie.lock().unwrap(), before);
    let stolen = server.browser();
    *stolen.cookie.lock().unwrap() = before;
    assert_eq!(stolen.get("/api/account/sessions").refused(401), "sign-in-first");
    assert_eq!(
        second.post("/api/account/password", &json!({ "old": "wrong", "new": "another password" })).refused(401),
        "wrong-sign-in"
    );
    second.post("/api/account/password", &json!({ "old": "a first password", "new": "another password" })).ok();
    assert_eq!(browser.get("/api/account/sessions").refused(401), "sign-in-first");
    second.get("/api/account/sessions").ok();
    assert_eq!(sign_in("a first password").1.refused(401), "wrong-sign-in");
    sign_in("another password").1.ok();
    second.post("/api/sign-out", &json!({})).ok();
    assert_eq!(second.get("/api/me").ok()["guest"], true);
}

#[test]
fn guessing_is_slow_and_tells_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let (_, code) = desk.account("known", Role::Student);
    let browser = server.browser();
    browser.post("/api/sign-in/code", &json!({ "name": "known", "code": code, "password": "the right password" })).ok();
    let mut answers = Vec::new();
    for name in ["known", "unknown"] {
        let began = Instant::now();
        let answer = server.browser().post("/api/sign-in", &json!({ "name": name, "password": "a wrong password" }));
        answers.push((answer.refused(401), began.elapsed()));
    }
    let [(known, slow), (unknown, also)] = &answers[..] else { panic!("two answers") };
    assert_eq!(known, unknown);
    // Both took the time of a password: neither is answered without one.
    let (least, most) = (slow.min(also), slow.max(also));
    assert!(*least > Duration::from_millis(5) && *most < *least * 20, "{slow:?} {also:?}");
    // Five wrong ones in all, with the two above: then the address waits, even with the right one.
    for _ in 0..3 {
        assert_eq!(
            server.browser().post("/api/sign-in", &json!({ "name": "known", "password": "wrong again" })).status,
            401
        );
    }
    let refused = server.browser().post("/api/sign-in", &json!({ "name": "known", "password": "the right password" }));
    assert_eq!(refused.refused(429), "slow-down");
    let refused =
        server.browser().post("/api/sign-in", &json!({ "name": "somebody else", "password": "whatever it is" }));
    assert_eq!((refused.status, refused.json()["error"]["retry_ms"].is_u64()), (429, true));
}

#[test]
fn bad_lists_and_sources_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let admin = desk.sign_in(&server, desk.account("teacher", Role::Admin).0);
    let student = desk.sign_in(&server, desk.account("student", Role::Student).0);
    desk.contest("c");
    let import =
        |bytes: &[u8]| admin.send(Method::POST, "/api/accounts/import", &[("content-type", "text/csv")], bytes);
    let count = || admin.get("/api/accounts?limit=100").ok()["items"].as_array().unwrap().len();
    let before = count();
    let bad = import("学号,姓名\n1,甲\n2,乙\n1,丙\n".as_bytes());
    assert_eq!(bad.json()["error"]["problems"][0]["line"], 4);
    assert_eq!(bad.refused(422), "bad-csv");
    for bytes in [&b""[..], b"a\0b", b"\xff\xfe\x00\x00"] {
        assert_eq!(import(bytes).refused(422), "bad-csv");
    }
    assert_eq!(count(), before);
    let (gb18030, ..) = encoding_rs::GB18030.encode("学号,姓名,班级\r\n7,张三,一班\r\n");
    let answer = import(&gb18030).ok();
    assert_eq!((answer["added"].as_u64(), answer["codes"][0]["person"].as_str()), (Some(1), Some("张三")));
    let answer = import(&gb18030).ok();
    assert_eq!((answer["added"].as_u64(), answer["unchanged"].as_u64()), (Some(0), Some(1)));

    let submit = |body: &Value| student.post("/api/contests/c/submissions", body);
    let large = "x".repeat(1_000_001);
    for source in ["", " \n", "a\0b", &large] {
        let answer = submit(&json!({ "language": "c", "source": source }));
        assert_eq!(answer.json()["error"]["field"], "source", "{source:.50}");
        answer.refused(422);
    }
    assert_eq!(submit(&json!({ "language": "c", "source": "x".repeat(1_600_000) })).refused(413), "too-large");
    assert_eq!(submit(&json!({ "language": "brainfuck", "source": "+" })).refused(422), "bad-field");
    assert_eq!(submit(&json!({ "language": "c" })).refused(422), "bad-field");
    assert_eq!(submit(&json!({ "language": "c", "source_base64": "***" })).refused(422), "bad-field");
    assert_eq!(student.get("/api/contests/c/submissions").ok()["items"].as_array().unwrap().len(), 0);
    submit(&json!({ "language": "c", "source": &large[..1_000_000], "file_name": "../../etc/passwd" })).ok();
    let row = &student.get("/api/contests/c/submissions").ok()["items"][0];
    assert_eq!(
        (row["file_name"].as_str(), row["state"].as_str(), row["ahead"].as_i64()),
        (Some("passwd"), Some("queued"), Some(0))
    );
    for body in [
        json!({ "id": "Bad Id", "game": "tiaojia" }),
        json!({ "id": "x", "game": "tiaojia", "rules": { "ply_ms": 0 } }),
        json!({ "id": "x", "game": "tiaojia", "rules": { "no_such": 1 } }),
        json!({ "id": "x", "game": "tiaojia", "opens": 2, "closes": 1 }),
        json!({ "id": "x", "game": "tiaojia", "title": "\u{202e}" }),
    ] {
        assert_eq!(admin.post("/api/contests", &body).refused(422), "bad-field", "{body}");
    }
    assert_eq!(admin.post("/api/contests", &json!({ "id": "c", "game": "tiaojia" })).refused(409), "id-taken");
}

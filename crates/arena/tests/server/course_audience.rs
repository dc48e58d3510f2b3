//! Contests that are not open to everybody, who takes a rank, and what is told to whoever runs a course.

use course::{Audience, Role};
use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::{Browser, TestServer};
use crate::course::{Desk, post};

/// To whoever a contest is not open to, it and everything in it look exactly as if they were not there.
#[test]
fn a_contest_for_others_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let [inside, listed, outside] = ["inside", "listed", "outside"].map(|name| desk.account(name, Role::Student).0);
    let admin = desk.sign_in(&server, desk.account("teacher", Role::Admin).0);
    let group = |account: i64, group: &str| {
        admin.post(&format!("/api/accounts/{account}/group"), &json!({ "group": group })).ok();
    };
    group(inside, "竞赛队；一班");
    group(listed, "");
    group(outside, "二班");
    let contest = desk.contest("secret");
    let own = desk.version(&contest, inside, "int one;");
    desk.version(&contest, listed, "int two;");
    let match_id = desk.game();
    let others = [server.browser(), desk.sign_in(&server, outside)];
    let stream = others[1].events("/api/contests/secret/events", None);
    stream.next_named("contest");
    let settings = "/api/contests/secret/settings";
    let audience = json!({ "groups": ["竞赛队"], "students": ["LISTED"] });
    let face = admin.post(settings, &json!({ "audience": audience })).ok();
    assert_eq!((&face["audience"], &face["restricted"]), (&audience, &json!(true)));
    // Who watched it does so no longer.
    let left = std::iter::from_fn(|| stream.next()).take(20).count();
    assert!(left < 20, "the stream goes on");

    let document = server.browser().get("/api/openapi.json").ok();
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let kinds =
            [("/api/contests/{id}", "secret", "nothing".to_owned()), ("/api/submissions/{id}", "", own.to_string())];
        let (own, none) = match kinds.iter().find(|(prefix, ..)| path.starts_with(prefix)) {
            Some(("/api/contests/{id}", name, nothing)) => (path.replace("{id}", name), path.replace("{id}", nothing)),
            Some((.., id)) => (path.replace("{id}", id), path.replace("{id}", "999999")),
            None if path.starts_with("/api/matches/{id}") => {
                (path.replace("{id}", &match_id.to_string()), path.replace("{id}", "999999"))
            }
            None => continue,
        };
        let [own, none] = [own, none].map(|path| path.replace("{number}", "0").replace("{announcement}", "1"));
        let query = if path.ends_with("/log") || path.ends_with("/input") { "?seat=black" } else { "" };
        for method in methods.as_object().unwrap().keys() {
            for (index, browser) in others.iter().enumerate() {
                let ask = |filled: &str| match method.as_str() {
                    "get" => browser.get(&format!("{filled}{query}")),
                    _ => post(browser, path, filled, 1),
                };
                let (seen, missing) = (ask(&own), ask(&none));
                assert_eq!((seen.status, &seen.text), (missing.status, &missing.text), "{method} {path} by {index}");
                assert!([401, 403, 404].contains(&seen.status), "{method} {path} by {index}: {}", seen.text);
                tried += 1;
            }
        }
    }
    assert!(tried > 50, "only {tried} requests were tried");
    let names = |browser: &Browser| {
        let list = browser.get("/api/contests").ok();
        list["items"].as_array().unwrap().iter().map(|one| one["id"].to_string()).collect::<Vec<_>>()
    };
    for browser in &others {
        assert_eq!(names(browser), Vec::<String>::new());
        let all = browser.received.lock().unwrap().join("\n");
        assert!(!all.contains("竞赛队") && !all.contains("int one"), "{all}");
    }
    // Those it is for see it, and not who else is on the list.
    for account in [inside, listed] {
        let browser = desk.sign_in(&server, account);
        let face = browser.get("/api/contests/secret").ok();
        assert_eq!((&face["audience"], names(&browser).len()), (&Value::Null, 1));
        browser.get(&format!("/api/matches/{match_id}/games/0/frames")).ok();
        browser.get("/api/contests/secret/scoreboard").ok();
    }
    // A student who changes his group loses it, and another gets it; nothing is kept from before.
    group(inside, "一班");
    group(outside, "竞赛队");
    desk.sign_in(&server, inside).get("/api/contests/secret").refused(404);
    others[1].get("/api/contests/secret").ok();
    others[1].post("/api/contests/secret/submissions", &json!({ "language": "c", "source": "int x;" })).ok();
    admin.post(settings, &json!({ "audience": null })).ok();
    others[0].get("/api/contests/secret").ok();
}

#[test]
fn an_audience_names_those_who_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let admin = desk.sign_in(&server, desk.account("teacher", Role::Admin).0);
    desk.account("2351001", Role::Student);
    desk.contest("c");
    let groups = admin.get("/api/groups").ok();
    assert_eq!(groups, json!([{ "name": "一班", "members": 2 }]));
    let field = |audience: Value| {
        let answer = admin.post("/api/contests/c/settings", &json!({ "audience": audience }));
        (answer.status, answer.json()["error"]["field"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(field(json!({ "groups": ["一般"] })), (422, "groups".into()));
    assert_eq!(field(json!({ "students": ["2351001", "2351999"] })), (422, "students".into()));
    assert_eq!(field(json!({ "groups": ["一班"], "students": ["2351001"] })), (200, String::new()));
    let references = |list: Value| admin.post("/api/contests/c/settings", &json!({ "references": list }));
    assert_eq!(references(json!(["chess"])).refused(422), "bad-field");
    let face = references(json!(["random", "1", "random"])).ok();
    assert_eq!(face["references"], json!(["random", "1"]));
    // What is not named stays as it is.
    let face = admin.post("/api/contests/c/settings", &json!({ "title": "D" })).ok();
    assert_eq!((&face["references"], &face["audience"]["groups"]), (&json!(["random", "1"]), &json!(["一班"])));
}

/// A game of a teacher, a student and a built-in player over HTTP: who is ranked, what the page is told, what nobody
/// may do.
#[test]
fn the_scoreboard_marks_who_takes_no_rank() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let teacher = desk.account("teacher", Role::Admin).0;
    let admin = desk.sign_in(&server, teacher);
    let student = desk.account("2351001", Role::Student).0;
    let made = json!({ "id": "c", "game": "tiaojia", "references": ["random"] });
    let face = admin.post("/api/contests", &made).ok();
    // The course's own rule for this game; docs/course.md.
    assert_eq!((&face["rules"]["start_ms"], &face["players"]), (&json!(52_000), &json!(0)));
    let contest = desk.runtime.block_on(desk.store.contest("c")).unwrap().unwrap();
    let own = desk.version(&contest, student, "int one;");
    desk.version(&contest, teacher, "int two;");
    let board = server.browser().get("/api/contests/c/scoreboard").ok();
    let rows = board["rows"].as_array().unwrap();
    let mut kinds: Vec<(&str, &Value)> = rows.iter().map(|row| (row["kind"].as_str().unwrap(), &row["rank"])).collect();
    kinds.sort_unstable_by_key(|(kind, _)| *kind);
    assert_eq!(kinds, [("reference", &Value::Null), ("staff", &Value::Null), ("student", &json!(1))]);
    assert_eq!(board["players"], 1);
    let reference = rows.iter().find(|row| row["builtin"] == "random").unwrap();
    let id = reference["submission"].as_i64().unwrap();
    let page = server.browser().get(&format!("/api/submissions/{id}")).ok();
    assert_eq!((&page["kind"], page["matches"].as_array().unwrap().len()), (&json!("reference"), 2));
    admin.get(&format!("/api/submissions/{id}/source")).refused(404);
    for what in ["reset", "role", "active", "group"] {
        let path = format!("/api/accounts/{}/{what}", reference["account"]);
        let answer = post(&admin, &format!("/api/accounts/{{id}}/{what}"), &path, 0);
        assert_eq!(answer.refused(404), "not-found");
    }
    // A student may ask for a game with it.
    let browser = desk.sign_in(&server, student);
    browser.post(&format!("/api/submissions/{own}/challenge"), &json!({ "opponent": id })).ok();
}

/// A scoreboard that was frozen when staff were still ranked.
#[test]
fn a_table_that_was_kept_before_is_ranked_anew() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let teacher = desk.account("teacher", Role::Admin).0;
    let student = desk.account("2351001", Role::Student).0;
    let contest = desk.contest("c");
    desk.version(&contest, teacher, "int one;");
    desk.version(&contest, student, "int two;");
    let row = |rank: u32, account: i64| json!({ "rank": rank, "account": account, "nickname": "x", "points": 3 });
    let kept = json!({ "as_of": 1, "players": 2, "rows": [row(1, teacher), row(2, student)] });
    desk.runtime.block_on(desk.store.freeze(contest.number, Some(&kept.to_string()))).unwrap();
    let board = server.browser().get("/api/contests/c/scoreboard").ok();
    let ranks = board["rows"].as_array().unwrap().iter().map(|row| row["rank"].clone()).collect::<Vec<_>>();
    assert_eq!((ranks, &board["players"]), (vec![Value::Null, json!(1)], &json!(1)));
}

/// Whoever types his code as a password is told so, and nobody learns from that which names there are.
#[test]
fn a_code_typed_as_a_password_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let (_, code) = desk.account("2351001", Role::Student);
    let sign_in = |name: &str, password: &str| {
        server.browser().post("/api/sign-in", &json!({ "name": name, "password": password }))
    };
    let told = sign_in("2351001", &code.to_uppercase());
    assert_eq!(told.code(), "code-as-password");
    assert!(told.text.contains("/welcome") && told.text.contains("一次性登录码"), "{}", told.text);
    for (name, password) in [("nobody", &*code), ("2351001", "abcd-efgh-jkmn-pqrs"), ("nobody", "abcdefghjkmnpqrs")] {
        let same = sign_in(name, password);
        assert_eq!((same.status, same.text), (401, told.text.clone()), "{name} {password}");
    }
    assert_eq!(sign_in("nobody", "some other password").refused(401), "wrong-sign-in");
    // It is still good for what it is.
    let body = json!({ "name": "2351001", "code": code, "password": "a first password" });
    server
        .browser()
        .send(Method::POST, "/api/sign-in/code", &[("content-type", "application/json")], body.to_string().as_bytes())
        .ok();
}

#[test]
fn what_is_printed_is_where_people_reach_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(folder.path());
    let admin = desk.account("teacher", Role::Admin).0;
    {
        let server = TestServer::start(folder.path());
        let face = desk.sign_in(&server, admin).get("/api/addresses").ok();
        assert_eq!(face, json!({ "public": null, "network": [], "local_only": true }));
    }
    let server = TestServer::start_with(folder.path(), |settings| {
        settings.public_url = Some("https://games.example".into());
    });
    let face = desk.sign_in(&server, admin).get("/api/addresses").ok();
    assert_eq!((&face["public"], &face["local_only"]), (&json!("https://games.example"), &json!(false)));
}

/// What a student starts from can be had from the server itself, by everybody and for every game.
#[test]
fn starters_are_downloaded() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let browser = server.browser();
    for game in browser.get("/api/games").ok().as_array().unwrap() {
        let starters = game["starters"].as_array().unwrap();
        assert!(starters.iter().any(|one| one["language"] == "python"), "{game}");
        for one in starters {
            let answer = browser.get(one["path"].as_str().unwrap());
            let header = |name: &str| answer.headers[name].to_str().unwrap().to_owned();
            assert_eq!((answer.status, header("content-type")), (200, "text/plain; charset=utf-8".into()));
            assert!(header("content-disposition").starts_with("attachment; "), "{one}");
        }
    }
    for path in ["/api/starters/c/chess.c", "/api/starters/..%2f..%2fCargo.toml/x", "/api/starters/c"] {
        assert_eq!(browser.get(path).status, 404, "{path}");
    }
}

/// Nothing but what is written here is admitted; the store says so too.
#[test]
fn an_empty_audience_is_for_staff_only() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let student = desk.sign_in(&server, desk.account("2351001", Role::Student).0);
    let helper = desk.sign_in(&server, desk.account("helper", Role::Assistant).0);
    let mut contest = desk.contest("c");
    contest.audience = Some(Audience::default());
    desk.runtime.block_on(desk.store.save_contest(&contest)).unwrap();
    student.get("/api/contests/c").refused(404);
    helper.get("/api/contests/c").ok();
}

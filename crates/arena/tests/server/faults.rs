//! What somebody does to a server's files and workers while it runs, and what `/healthz` and `/metrics` say of it.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::store::StoreError;
use arena::{JudgeSettings, ServeError, Server, Settings};
use course::{NewSubmission, Role};
use referee::Host;
use sandbox::{Level, Sandbox};
use serde_json::{Value, json};

use crate::client::{Browser, TestServer};
use crate::course::Desk;

/// Waits until a check fails, in both places where that is told.
fn until_told(browser: &Browser, check: &str, code: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let health = browser.get("/healthz");
        let told = |one: &Value| {
            let named = |language: &str| one["message"][language].as_str().is_some_and(|text| !text.is_empty());
            one["check"] == check && one["code"] == code && named("en") && named("zh")
        };
        let checks = if health.status == 503 { health.json()["error"]["checks"].clone() } else { json!([]) };
        if checks.as_array().is_some_and(|checks| checks.iter().any(told)) {
            break;
        }
        assert!(Instant::now() < deadline, "{check} {code}: {} {}", health.status, health.text);
        std::thread::sleep(Duration::from_millis(50));
    }
    let metrics = browser.get("/metrics").text;
    assert!(metrics.contains(&format!("boyi_health{{check=\"{check}\"}} 0")), "{metrics}");
}

fn a_room() -> Value {
    json!({ "game": "tiaojia", "seats": { "black": { "kind": "me" }, "white": { "kind": "builtin", "level": "random" } } })
}

#[test]
fn a_database_that_was_deleted_or_replaced_takes_nothing_more() {
    for replaced in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::start(folder.path());
        let browser = server.browser();
        browser.post("/api/rooms", &a_room()).ok();
        assert_eq!((browser.get("/healthz").status, browser.get("/healthz").text.as_str()), (200, "ok"));
        let well = browser.get("/metrics").text;
        for check in ["rooms-file", "rooms-writable", "course-file", "course-writable", "folder"] {
            assert!(well.contains(&format!("boyi_health{{check=\"{check}\"}} 1")), "{check}: {well}");
        }
        let file = folder.path().join("boyi.sqlite");
        if replaced {
            std::fs::copy(&file, folder.path().join("boyi.copy")).unwrap();
            std::fs::rename(folder.path().join("boyi.copy"), &file).unwrap();
        } else {
            std::fs::remove_file(&file).unwrap();
        }
        until_told(&browser, "rooms-file", "store-replaced");
        // A room that is gone after the next start must not be acknowledged.
        assert_eq!(browser.post("/api/rooms", &a_room()).refused(503), "store-replaced");
    }
}

#[test]
fn a_course_that_was_deleted_takes_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let (admin, _) = desk.account("root", Role::Admin);
    let admin = desk.sign_in(&server, admin);
    std::fs::remove_file(folder.path().join("course.sqlite")).unwrap();
    until_told(&admin, "course-file", "store-replaced");
    let new = json!({ "name": "2351001", "person": "甲", "group": "", "role": "student" });
    assert_eq!(admin.post("/api/accounts", &new).refused(503), "store-replaced");
}

#[test]
fn without_the_lock_file_no_second_server_starts() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let second = || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let settings = Settings::new(SocketAddr::from(([127, 0, 0, 1], 0)), folder.path().to_owned());
        let host = Host::start(std::process::Command::new("true")).expect("a keeper");
        runtime.block_on(Server::start(settings, Arc::new(host), None)).map(drop)
    };
    let in_use = |error| matches!(error, Err(ServeError::Store(StoreError::Folder(vault::FolderError::InUse(_)))));
    assert!(in_use(second()));
    std::fs::remove_file(folder.path().join("boyi.lock")).unwrap();
    until_told(&server.browser(), "folder", "lock-replaced");
    assert!(in_use(second()), "the first one still runs");
    drop(server);
    assert!(second().is_ok());
}

/// A judge whose workers cannot take anything, whatever the reason.
#[test]
fn a_judge_that_stands_still_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Arc::new(Sandbox::unproven(Level::C, "true").expect("a sandbox nobody needs"));
    let server = TestServer::start_with(folder.path(), |settings| {
        settings.judge = Some(JudgeSettings { sandbox, workers: Some(1) });
        settings.judge_patience = Duration::from_millis(500);
    });
    let (browser, desk) = (server.browser(), Desk::open(folder.path()));
    let well = browser.get("/healthz");
    assert_eq!(well.status, 200, "{}", well.text);
    let metrics = browser.get("/metrics").text;
    for check in ["judge-threads", "judge-moving"] {
        assert!(metrics.contains(&format!("boyi_health{{check=\"{check}\"}} 1")), "{check}: {metrics}");
    }
    let contest = desk.contest("c");
    let (account, _) = desk.account("2351001", Role::Student);
    desk.runtime.block_on(async {
        let mut write = desk.store.database().begin().await.expect("a step");
        let never = "CREATE TRIGGER never BEFORE UPDATE OF lease ON submissions BEGIN SELECT RAISE(ABORT, 'no'); END";
        sqlx::query(never).execute(&mut *write).await.expect("a trigger");
        write.commit().await.expect("written");
        let new = NewSubmission {
            contest: contest.number,
            account,
            language: "c",
            file_name: "a.c",
            source: b"int main(){}",
        };
        desk.store.submit(&new, 0).await.expect("the store").expect("taken");
    });
    until_told(&browser, "judge-moving", "judge-still");
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

#[test]
fn nobody_else_reads_what_a_server_keeps() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    let server = TestServer::start(&folder);
    server.browser().post("/api/rooms", &a_room()).ok();
    let desk = Desk::open(&folder);
    desk.account("2351001", Role::Student);
    assert_eq!(mode(&folder), 0o700);
    let files =
        ["boyi.sqlite", "boyi.sqlite-wal", "boyi.sqlite-shm", "course.sqlite", "course.sqlite-wal", "boyi.lock"];
    for name in files {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    let copy = root.path().join("copy");
    desk.runtime.block_on(course::backup(&folder, &copy)).expect("a backup");
    assert_eq!((mode(&copy), mode(&copy.join("course.sqlite"))), (0o700, 0o600));
    let back = root.path().join("back");
    desk.runtime.block_on(course::restore(&copy, &back)).expect("the backup is put back");
    assert_eq!((mode(&back), mode(&back.join("boyi.sqlite"))), (0o700, 0o600));
    assert!(desk.runtime.block_on(course::restore(&copy, &folder)).is_err(), "a server uses it");
}

/// One damaged row takes no others along, and whoever asks for it is told what is wrong.
#[test]
fn a_damaged_room_is_told_and_left_out_of_lists() {
    let folder = tempfile::tempdir().unwrap();
    let public = json!({ "game": "tiaojia", "public": true, "seats": a_room()["seats"] });
    let browser = {
        let server = TestServer::start(folder.path());
        let browser = server.browser();
        for _ in 0..3 {
            browser.post("/api/rooms", &public).ok();
        }
        browser
    };
    let desk = Desk::open(folder.path());
    let damaged: String = desk.runtime.block_on(async {
        use sqlx::ConnectOptions as _;
        let file = folder.path().join("boyi.sqlite");
        let mut open = sqlx::sqlite::SqliteConnectOptions::new().filename(file).connect().await.expect("the file");
        let text = "UPDATE rooms SET variant = 'x{' WHERE number = 2 RETURNING id";
        sqlx::query_scalar(text).fetch_one(&mut open).await.expect("damaged")
    });
    let server = TestServer::start(folder.path());
    let browser = browser.moved_to(server.address);
    let listed = browser.get("/api/rooms").ok();
    let ids: Vec<&str> = listed["items"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.len() == 2 && !ids.contains(&damaged.as_str()), "{ids:?}");
    let answer = browser.get(&format!("/api/rooms/{damaged}"));
    assert_eq!((answer.status, answer.code().as_str()), (500, "store-damaged"), "{}", answer.text);
    assert!(answer.text.contains("备份") && answer.text.contains("backup"), "{}", answer.text);
    assert_eq!(answer.headers.get("retry-after"), None, "it stays so");
}

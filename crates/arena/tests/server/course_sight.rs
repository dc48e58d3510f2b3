//! What of a contest is shown to whom, and until when.

use course::Role;
use serde_json::{Value, json};

use crate::client::{Browser, TestServer};
use crate::course::Desk;

/// The matches that somebody sees with a submission.
fn matches(browser: &Browser, submission: i64) -> Vec<i64> {
    let face = browser.get(&format!("/api/submissions/{submission}")).ok();
    let list = face["matches"].as_array().expect("a list");
    let mut ids: Vec<i64> = list.iter().map(|one| one["id"].as_i64().expect("a number")).collect();
    ids.sort_unstable();
    ids
}

/// Whether somebody sees a match: it and its games, or nothing of it.
fn sees(browser: &Browser, id: i64) -> bool {
    let paths = ["", "/games/0", "/games/0/frames", "/games/0/record", "/games/0/picture.svg"];
    let seen = paths.map(|path| browser.get(&format!("/api/matches/{id}{path}")).status);
    assert!(seen == [200; 5] || seen == [404; 5], "{seen:?}");
    seen == [200; 5]
}

/// Hidden are the results of others since the scoreboard that students see, whatever page they would be on.
fn a_scoreboard_that_is_not_live_hides_what_came_later(hold: &Value, path: &str, release: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let [one, two, three, stranger] =
        ["one", "two", "three", "stranger"].map(|name| desk.account(name, Role::Student).0);
    let staff = desk.sign_in(&server, desk.account("assistant", Role::Assistant).0);
    let contest = desk.contest("c");
    desk.version(&contest, two, "int two;");
    let version_of_one = desk.version(&contest, one, "int one;");
    let (early, same) = (desk.game(), desk.game());
    assert_eq!(early, same);
    let strangers = [server.browser(), desk.sign_in(&server, stranger)];
    staff.post(path, hold).ok();
    // The scoreboard of this moment is the one that students see from here on.
    assert_eq!(strangers[0].get("/api/contests/c/scoreboard").ok()["live"], false);

    let version_of_three = desk.version(&contest, three, "int three;");
    let mut late: Vec<i64> = (0..4).map(|_| desk.game()).collect();
    late.sort_unstable();
    late.dedup();
    assert_eq!(late.len(), 2);
    let history = desk.store.add_history(contest.number, three, version_of_three, 1, 3, 6);
    desk.runtime.block_on(history).expect("written");
    let standing = format!("/api/contests/c/history?account={three}");
    let points = |browser: &Browser| browser.get(&standing).ok()["points"].as_array().map_or(0, Vec::len);

    for browser in &strangers {
        assert_eq!(matches(browser, version_of_three), Vec::<i64>::new());
        assert_eq!(matches(browser, version_of_one), [early]);
        assert!(sees(browser, early) && !sees(browser, late[0]) && !sees(browser, late[1]));
        assert_eq!(points(browser), 0);
    }
    // One's own games are one's own; what others did meanwhile is not, nor the rank that would tell it.
    let own = desk.sign_in(&server, three);
    assert_eq!(matches(&own, version_of_three), late);
    assert!(late.iter().all(|id| sees(&own, *id)));
    assert_eq!(points(&own), 0);
    let browser = desk.sign_in(&server, one);
    assert_eq!(matches(&browser, version_of_three).len(), 1, "the one he played himself");
    // Staff see everything, and so does everybody once it goes on.
    assert_eq!((matches(&staff, version_of_three), points(&staff)), (late.clone(), 1));
    staff.post(path, release).ok();
    for browser in &strangers {
        assert_eq!((matches(browser, version_of_three), points(browser)), (late.clone(), 1));
        assert!(sees(browser, late[0]));
    }
}

#[test]
fn a_frozen_scoreboard_hides_what_came_later() {
    let (hold, release) = (json!({ "frozen": true }), json!({ "frozen": false }));
    a_scoreboard_that_is_not_live_hides_what_came_later(&hold, "/api/contests/c/freeze", &release);
}

#[test]
fn a_scoreboard_that_is_made_now_and_then_hides_what_came_later() {
    let (hold, release) = (json!({ "scoreboard_minutes": 60 }), json!({ "scoreboard_minutes": 0 }));
    a_scoreboard_that_is_not_live_hides_what_came_later(&hold, "/api/contests/c/settings", &release);
}

/// A page that was left open hears nothing more once its rights are gone: neither as staff, nor after signing out.
#[test]
fn live_events_end_with_the_rights_they_were_opened_with() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let student = desk.account("student", Role::Student).0;
    let assistant = desk.account("assistant", Role::Assistant).0;
    let admin = desk.sign_in(&server, desk.account("teacher", Role::Admin).0);
    let contest = desk.contest("c");
    let path = "/api/contests/c/events";
    let demoted = desk.sign_in(&server, assistant);
    let left = desk.sign_in(&server, student);
    let streams = [demoted.events(path, None), left.events(path, None)];
    let (stays, guest) = (admin.events(path, None), server.browser().events(path, None));
    for stream in streams.iter().chain([&stays, &guest]) {
        stream.next_named("scoreboard");
    }
    admin.post(&format!("/api/accounts/{assistant}/role"), &json!({ "role": "student" })).ok();
    left.post("/api/sign-out", &json!({})).ok();
    desk.version(&contest, student, "int main;");
    admin.post("/api/contests/c/announce", &json!({ "text": "now" })).ok();
    for stream in &streams {
        while let Some(event) = stream.next() {
            assert_ne!(event.name, "submission", "{event:?}");
        }
    }
    stays.next_named("submission");
    guest.next_named("contest");
}

/// What the machine says of its own faults is for those who look after it, and what is wrong with settings is said in Chinese too.
#[test]
fn the_machine_s_own_words_are_for_staff() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let [one, two] = ["one", "two"].map(|name| desk.account(name, Role::Student).0);
    let staff = desk.sign_in(&server, desk.account("assistant", Role::Assistant).0);
    let contest = desk.contest("c");
    desk.version(&contest, two, "int two;");
    desk.version(&contest, one, "int one;");
    let id = desk.runtime.block_on(async {
        let lease = desk.store.lease_game("test").await.expect("the store").expect("a game");
        desk.store.retry_game(&lease, "/srv/boyi/programs: full", 60_000).await.expect("given back");
        lease.row.id
    });
    let trouble = |browser: &Browser| browser.get(&format!("/api/matches/{id}")).ok()["trouble"].clone();
    assert_eq!(trouble(&staff), "/srv/boyi/programs: full");
    assert_eq!((trouble(&desk.sign_in(&server, one)), trouble(&server.browser())), (Value::Null, Value::Null));

    let answer = staff.post("/api/contests/c/settings", &json!({ "rules": { "ply_ms": "fast" } }));
    let face = answer.json();
    assert_eq!(face["error"]["field"], "rules", "{face}");
    assert!(face.to_string().contains("设置的内容有误"), "{face}");
}

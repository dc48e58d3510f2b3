//! A disk that is full and has room again, under a running server: a small disk of the test's own in a namespace of its
//! own.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use course::Role;
use serde_json::{Value, json};

use crate::client::{Answer, Browser, TestServer};
use crate::course::Desk;

/// Where the small disk is, for the test inside the namespace.
const DISK: &str = "BOYI_TEST_DISK";
/// So large is it.
const SIZE: &str = "size=12m";

/// Runs the test of this name again with a small disk of its own; gives the disk to the test that runs there.
#[expect(clippy::print_stdout, reason = "who runs the tests must see what was not tested")]
fn on_a_small_disk(name: &str) -> Option<std::path::PathBuf> {
    if let Some(disk) = std::env::var_os(DISK) {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(&disk).status();
        assert!(mounted.is_ok_and(|status| status.success()), "a small disk is mounted");
        return Some(disk.into());
    }
    let alone = ["--user", "--map-root-user", "--mount"];
    if !Command::new("unshare").args(alone).arg("true").status().is_ok_and(|status| status.success()) {
        let judged = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false");
        assert!(!judged, "no namespaces here, and CI tests everything");
        println!("not tested: this machine gives no namespaces for a disk of the test's own");
        return None;
    }
    let disk = tempfile::tempdir().expect("a folder");
    let again = std::env::current_exe().expect("this test");
    let status = Command::new("unshare")
        .args(alone)
        .arg(again)
        .args(["--exact", name, "--nocapture"])
        .env(DISK, disk.path())
        .status()
        .expect("the same test");
    assert!(status.success(), "{status}");
    None
}

/// Fills a disk to the last byte.
fn fill(ballast: &Path) {
    let mut file = File::create(ballast).expect("a file");
    for size in [1 << 16, 1 << 12, 1] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
}

/// It was not done, because the disk is full, and whoever asks is told so.
fn refused(answer: &Answer, what: &str) {
    assert_eq!((answer.status, answer.code().as_str()), (503, "disk-full"), "{what}: {}", answer.text);
    let message = &answer.json()["error"]["message"];
    assert!(message["en"].as_str().is_some_and(|text| text.contains("disk is full")), "{what}: {message}");
    assert!(message["zh"].as_str().is_some_and(|text| text.contains("磁盘已满")), "{what}: {message}");
    assert_eq!(answer.headers.get("retry-after").map(ureq::http::HeaderValue::as_bytes), Some(&b"30"[..]), "{what}");
}

/// The plies of a side, and whether the room is finished.
fn plies_of(face: &Value, side: &str) -> Vec<String> {
    let steps = face["steps"].as_array().expect("steps");
    steps
        .iter()
        .filter(|step| step["mover"] == side)
        .map(|step| step["ply"].as_str().expect("a ply").to_owned())
        .collect()
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "never came about: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A person's next ply; the ply where it is taken.
fn play(me: &Browser, room: &str) -> (String, Answer) {
    let face = me.until(room, |face| face["running"] == "black");
    let ply = me.some_ply(room, &face, &mut |_| 0).expect("a ply");
    let answer = me.ply(room, &ply);
    (ply, answer)
}

const PASSWORD: &str = "eine lange Parole 7";

struct People {
    me: Browser,
    student: Browser,
    staff: Browser,
}

impl People {
    fn submit(&self) -> Answer {
        self.student.post("/api/contests/c/submissions", &json!({ "language": "c", "source": "int main(){}" }))
    }

    fn announce(&self, text: &str) -> Answer {
        self.staff.post("/api/contests/c/announce", &json!({ "text": text }))
    }

    fn announced(&self) -> Vec<String> {
        let contest = self.student.get("/api/contests/c").ok();
        let list = contest["announcements"].as_array().expect("announcements");
        list.iter().map(|one| one["text"].as_str().expect("a text").to_owned()).collect()
    }

    fn submitted(&self) -> usize {
        let list = self.student.get("/api/contests/c/submissions").ok();
        list["items"].as_array().expect("submissions").len()
    }
}

#[test]
fn a_full_disk_is_told_and_everything_goes_on_when_there_is_room_again() {
    let name = "full_disk::a_full_disk_is_told_and_everything_goes_on_when_there_is_room_again";
    let Some(disk) = on_a_small_disk(name) else { return };
    let (data, ballast) = (disk.join("data"), disk.join("ballast"));
    let start = || TestServer::start_with(&data, |settings| settings.pace = Duration::from_millis(200));
    let server = start();
    let desk = Desk::open(&data);
    desk.contest("c");
    let (_, code) = desk.account("2351001", Role::Student);
    let (helper, _) = desk.account("helper", Role::Assistant);
    let people = People { me: server.browser(), student: server.browser(), staff: desk.sign_in(&server, helper) };
    let redeem = json!({ "name": "2351001", "code": code, "password": PASSWORD, "nickname": "小明" });
    people.student.post("/api/sign-in/code", &redeem).ok();
    let sign_in = |server: &TestServer| {
        server.browser().post("/api/sign-in", &json!({ "name": "2351001", "password": PASSWORD }))
    };
    let (builtin, own) = (json!({ "kind": "builtin", "level": "random" }), json!({ "kind": "me" }));
    let (room, _) = people.me.room("surakarta", &own, &builtin);
    let (watched, _) = people.me.room("amazons", &builtin, &builtin);
    let watched_plies = |browser: &Browser| {
        // Read from the store: to look at the room itself would wake its game.
        let list = browser.get("/api/rooms?limit=100").ok();
        let found = list["items"].as_array().unwrap().iter().find(|one| one["id"] == watched.as_str()).cloned();
        found.and_then(|found| found["plies"].as_u64()).expect("the room is listed")
    };
    let mut taken = Vec::new();
    for _ in 0..3 {
        let (ply, answer) = play(&people.me, &room);
        answer.ok();
        taken.push(ply);
    }
    people.announce("before").ok();
    people.submit().ok();

    // Full: nothing is taken, everything is told, and reading goes on.
    fill(&ballast);
    for round in 0..3 {
        let (_, answer) = play(&people.me, &room);
        refused(&answer, "a ply");
        let another = json!({ "game": "nogo", "seats": { "black": own, "white": builtin } });
        refused(&people.me.post("/api/rooms", &another), "a room");
        refused(&people.me.act(&room, "chat", &json!({ "text": "hello" })), "talk");
        refused(&people.me.act(&room, "resign", &json!({})), "giving up");
        refused(&sign_in(&server), "signing in");
        refused(&people.submit(), "a submission");
        refused(&people.announce("while it was full"), "an announcement");
        let face = people.me.look(&room);
        assert_eq!((plies_of(&face, "black"), &face["state"]), (taken.clone(), &json!("live")), "round {round}");
        assert_eq!((people.announced(), people.submitted()), (vec!["before".to_owned()], 1), "round {round}");
        let health = server.browser().get("/healthz");
        assert_eq!(health.status, 503, "{}", health.text);
        let checks = health.json()["error"]["checks"].clone();
        for check in ["rooms-writable", "course-writable"] {
            let told = |one: &Value| one["check"] == check && one["code"] == "disk-full";
            assert!(checks.as_array().unwrap().iter().any(told), "{check}: {checks}");
        }
        let metrics = server.browser().get("/metrics").text;
        assert!(metrics.contains("boyi_health{check=\"rooms-writable\"} 0"), "{metrics}");
    }
    let standing = watched_plies(&people.me);

    // Room again: no restart.
    std::fs::remove_file(&ballast).unwrap();
    until("the server is well", || (server.browser().get("/healthz").status == 200).then_some(()));
    until("a game that only programs play goes on", || (watched_plies(&people.me) > standing).then_some(()));
    for _ in 0..3 {
        let (ply, answer) = play(&people.me, &room);
        answer.ok();
        taken.push(ply);
    }
    let (second, _) = people.me.room("nogo", &own, &builtin);
    people.me.act(&room, "chat", &json!({ "text": "again" })).ok();
    sign_in(&server).ok();
    people.announce("after").ok();
    people.submit().ok();
    let metrics = server.browser().get("/metrics").text;
    assert!(metrics.contains("boyi_health{check=\"rooms-writable\"} 1"), "{metrics}");

    // What was acknowledged is on disk, and nothing of what was refused.
    drop(server);
    let server = start();
    let moved = |browser: &Browser| browser.moved_to(server.address);
    let people = People { me: moved(&people.me), student: moved(&people.student), staff: moved(&people.staff) };
    let face = people.me.look(&room);
    assert_eq!(plies_of(&face, "black"), taken);
    let said: Vec<&Value> = face["chat"].as_array().unwrap().iter().map(|line| &line["text"]).collect();
    assert_eq!(said, [&json!("again")]);
    assert_eq!(people.me.look(&second)["you"], "black");
    let mut announced = people.announced();
    announced.sort();
    assert_eq!((announced, people.submitted()), (vec!["after".to_owned(), "before".to_owned()], 2));
    people.me.act(&room, "resign", &json!({})).ok();
    assert_eq!(people.me.look(&room)["state"], "finished");
}

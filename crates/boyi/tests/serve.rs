//! `boyi serve` as a program: killed in the middle, stopped politely, started twice.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A running server; killed when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    fn start_with(folder: &Path, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .args(["serve", "--lang", "en", "--listen", "127.0.0.1:0", "--pace-ms", "5", "--data"])
            .arg(folder)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("boyi starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("the address");
        let address = line.trim().rsplit_once("http://").expect("an address").1.trim_end_matches('/').to_owned();
        Self { child, address }
    }

    /// One request by somebody with this cookie; `None` when the server died over it.
    fn ask(&self, cookie: &mut Option<String>, path: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let mut socket = TcpStream::connect(&self.address).ok()?;
        let body = body.map(Value::to_string);
        let method = if body.is_some() { "POST" } else { "GET" };
        let cookie_line = cookie.as_deref().map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
        let body = body.unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{cookie_line}\r\n{body}",
            self.address,
            body.len()
        );
        socket.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let set =
            head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).and_then(|line| line.split(';').next());
        if let Some(set) = set {
            *cookie = Some(set.to_owned());
        }
        Some((status, serde_json::from_str(body).ok()?))
    }

    fn kill(&mut self) {
        self.child.kill().expect("kill -9");
        self.child.wait().expect("it is dead");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Some ply of the click tree.
fn some_ply(face: &Value, salt: usize) -> String {
    let mut level = face["view"]["clicks"]["tree"].as_array().expect("clicks").clone();
    loop {
        let click = level[salt % level.len()].clone();
        if let Some(ply) = click["ply"].as_str() {
            return ply.to_owned();
        }
        level = click["next"].as_array().expect("more clicks").clone();
    }
}

#[test]
fn kill_9_at_any_moment_loses_no_ply_that_was_answered() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let mut cookie = None;
    let make = |game: &str, time: Value| {
        json!({ "game": game, "time": time, "public": true,
        "seats": { "black": { "kind": "me" }, "white": { "kind": "builtin", "level": "random" } } })
    };
    let (_, made) =
        server.ask(&mut cookie, "/api/rooms", Some(&make("surakarta", json!({ "game_ms": 3_600_000 })))).unwrap();
    let room = made["room"]["id"].as_str().unwrap().to_owned();
    let watched = json!({ "game": "amazons", "public": true, "seats": { "black": { "kind": "builtin", "level": "random" }, "white": { "kind": "builtin", "level": "random" } } });
    let (_, watched) = server.ask(&mut cookie, "/api/rooms", Some(&watched)).unwrap();
    let watched = watched["room"]["id"].as_str().unwrap().to_owned();
    let mut answered: Vec<String> = Vec::new();
    let mut used = 0;
    for round in 0..4 {
        let pid = server.child.id();
        // It is killed while plies are being posted.
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300 + 170 * round));
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        });
        let mut salt = 7 * round as usize;
        while let Some((200, face)) = server.ask(&mut cookie, &format!("/api/rooms/{room}"), None) {
            if face["state"] == "finished" {
                break;
            }
            if face["running"] != "black" {
                continue;
            }
            salt += 1;
            let ply = some_ply(&face, salt);
            let body = json!({ "ply": ply, "seq": face["seq"] });
            if let Some((200, _)) = server.ask(&mut cookie, &format!("/api/rooms/{room}/ply"), Some(&body)) {
                answered.push(ply);
            }
        }
        killer.join().unwrap();
        server.kill();
        server = Server::start(folder.path());
        let (_, face) = server.ask(&mut cookie, &format!("/api/rooms/{room}"), None).unwrap();
        assert_eq!(face["you"], "black", "the cookie is known");
        let steps = face["steps"].as_array().unwrap();
        let own: Vec<&str> =
            steps.iter().filter(|step| step["mover"] == "black").map(|step| step["ply"].as_str().unwrap()).collect();
        // A ply that was not answered may be there; one that was answered must be.
        assert!(own.len() >= answered.len() && own.len() <= answered.len() + 1, "{} of {}", own.len(), answered.len());
        assert_eq!(own[..answered.len()], answered[..]);
        answered = own.into_iter().map(str::to_owned).collect();
        let clock = &face["clocks"][0];
        assert!(clock["used_ms"].as_u64().unwrap() >= used, "time that was used stays used");
        used = clock["used_ms"].as_u64().unwrap();
        // Each ply is rounded down to whole milliseconds once.
        let lost = 3_600_000 - (clock["left_ms"].as_u64().unwrap() + used);
        assert!(lost <= answered.len() as u64 + 4, "{lost} ms are gone");
        if face["state"] == "finished" {
            break;
        }
    }
    assert!(answered.len() > 3, "only {} plies", answered.len());
    // The game that only plays for spectators goes on by itself.
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let (_, face) = server.ask(&mut None, &format!("/api/rooms/{watched}"), None).unwrap();
        if face["state"] == "finished" {
            break;
        }
        assert!(Instant::now() < deadline, "{face}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (status, record) = server.ask(&mut None, &format!("/api/rooms/{watched}/record"), None).unwrap();
    assert_eq!(status, 200);
    records::Record::from_json(record.to_string().as_bytes()).unwrap().replay().unwrap();
}

#[test]
fn sigterm_ends_live_connections_and_leaves_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let alone = leaves_after(Server::start(folder.path()), || ());
    let server = Server::start(folder.path());
    let mut cookie = None;
    let seats = json!({ "black": { "kind": "me" }, "white": { "kind": "builtin", "level": "random" } });
    let room = json!({ "game": "tiaojia", "seats": seats });
    let (_, made) = server.ask(&mut cookie, "/api/rooms", Some(&room)).unwrap();
    let mut socket = TcpStream::connect(&server.address).unwrap();
    let path = format!("/api/rooms/{}/events", made["room"]["id"].as_str().unwrap());
    socket.write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
    let mut first = [0; 64];
    socket.read_exact(&mut first).unwrap();
    let watched = leaves_after(server, || {
        let mut rest = String::new();
        socket.read_to_string(&mut rest).unwrap();
        assert!(rest.contains("retry: 2000"), "{rest}");
    });
    // Who waited for the connection would wait five seconds.
    assert!(watched < alone * 2 + Duration::from_secs(3), "{watched:?}, without anybody {alone:?}");
}

/// How long a server takes to leave when it is asked to.
fn leaves_after(mut server: Server, meanwhile: impl FnOnce()) -> Duration {
    let began = Instant::now();
    Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    meanwhile();
    let status = server.child.wait().unwrap();
    assert!(status.success(), "{status}");
    began.elapsed()
}

#[test]
fn nobody_is_charged_for_the_time_a_server_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut cookie = None;
    // Far more than the clock has, and a clock that a busy machine does not use up.
    let (clock, stopped) = (4000, Duration::from_secs(7));
    let room = json!({ "game": "tiaojia", "time": { "game_ms": clock },
        "seats": { "black": { "kind": "me" }, "white": { "kind": "builtin", "level": "random" } } });
    let (_, made) = server.ask(&mut cookie, "/api/rooms", Some(&room)).unwrap();
    let path = format!("/api/rooms/{}", made["room"]["id"].as_str().unwrap());
    let signal = |name: &str| {
        let done = Command::new("kill").args([name, &server.child.id().to_string()]).status();
        assert!(done.is_ok_and(|status| status.success()));
    };
    signal("-STOP");
    std::thread::sleep(stopped);
    signal("-CONT");
    let (_, face) = server.ask(&mut cookie, &path, None).unwrap();
    assert_eq!((&face["state"], &face["running"]), (&json!("live"), &json!("black")), "{face}");
    let ply = some_ply(&face, 0);
    let (status, answer) = server.ask(&mut cookie, &format!("{path}/ply"), Some(&json!({ "ply": ply }))).unwrap();
    assert_eq!(status, 200, "{answer}");
    let (_, face) = server.ask(&mut cookie, &path, None).unwrap();
    let (left, used) = (face["clocks"][0]["left_ms"].as_i64().unwrap(), face["clocks"][0]["used_ms"].as_i64().unwrap());
    assert!(left > 0 && used < clock, "{face}");
}

#[test]
fn a_port_that_is_taken_is_explained_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for (language, words) in [("en", "is taken"), ("zh", "已被占用")] {
        let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .args(["serve", "--lang", language, "--listen", &server.address, "--data"])
            .arg(folder.path().join("other"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(words) && text.contains("--listen"), "{text}");
    }
}

/// What `boyi` says of a data folder that it does not start on.
fn refusal(folder: &Path, language: &str, command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(command)
        .args(["--lang", language, "--data"])
        .arg(folder)
        .stdout(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_damaged_database_is_to_be_restored_from_a_backup() {
    let serve = ["serve", "--listen", "127.0.0.1:0", "--judge", "none"];
    for file in ["boyi.sqlite", "course.sqlite"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), "this is no database at all ".repeat(400)).unwrap();
        for (language, damaged) in [("en", "is damaged"), ("zh", "已损坏")] {
            let said = refusal(folder.path(), language, &serve);
            let command = format!("boyi admin --data {} restore", folder.path().display());
            assert!(said.contains(damaged) && said.contains(&command), "{file}: {said}");
            assert!(!said.contains("choose another folder"), "{said}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("course.sqlite"), "this is no database at all ".repeat(400)).unwrap();
    assert!(refusal(folder.path(), "en", &["admin", "user", "list"]).contains("restore"));
}

#[test]
fn an_open_data_folder_is_closed_with_a_sentence() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    drop(Server::start(&folder));
    let open = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let file = folder.join("course.sqlite");
    for (language, words) in [("en", "now only yours can"), ("zh", "仅本账户可读")] {
        open(&folder, 0o755);
        open(&file, 0o644);
        // A server that cannot listen says it all the same.
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let said = refusal(&folder, language, &["serve", "--listen", &taken.local_addr().unwrap().to_string()]);
        assert!(said.contains(words) && said.contains("course.sqlite"), "{said}");
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    }
}

#[test]
fn people_play_against_engines_of_the_servers_list() {
    let folder = tempfile::tempdir().unwrap();
    let boyi = env!("CARGO_BIN_EXE_boyi");
    let engine = format!("小明=挑夹棋={boyi} engine tiaojia --level random");
    let server =
        Server::start_with(folder.path(), &["--engine", &engine, "--sandbox", "auto", "--most-engine-rooms", "1"]);
    let mut cookie = None;
    let (_, listed) = server.ask(&mut cookie, "/api/games/tiaojia", None).unwrap();
    assert_eq!(listed["engines"], json!(["小明"]));
    let seat = json!({ "kind": "engine", "name": "小明" });
    let me = json!({ "kind": "me" });
    let room = |seats: Value, time: Value| json!({ "game": "tiaojia", "seats": seats, "time": time });
    let (status, _) =
        server.ask(&mut cookie, "/api/rooms", Some(&room(json!({ "black": me, "white": seat }), json!(null)))).unwrap();
    assert_eq!(status, 422, "an engine needs a clock");
    let time = json!({ "ply_ms": 10_000 });
    let (_, made) = server
        .ask(&mut cookie, "/api/rooms", Some(&room(json!({ "black": me, "white": seat }), time.clone())))
        .unwrap();
    let id = made["room"]["id"].as_str().unwrap();
    let more = room(json!({ "black": me, "white": seat }), time.clone());
    let (status, _) = server.ask(&mut cookie, "/api/rooms", Some(&more)).unwrap();
    assert_eq!(status, 503, "more games with engines than --most-engine-rooms");
    let (status, answer) =
        server.ask(&mut cookie, &format!("/api/rooms/{id}/ply"), Some(&json!({ "ply": "4 0 1" }))).unwrap();
    assert_eq!(status, 200, "{answer}");
    let until = |id: &str, cookie: &mut Option<String>, wanted: &dyn Fn(&Value) -> bool| {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let (_, face) = server.ask(cookie, &format!("/api/rooms/{id}"), None).unwrap();
            if wanted(&face) {
                return face;
            }
            assert!(Instant::now() < deadline, "{face}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    until(id, &mut cookie, &|face| face["plies"] == 2);
    assert_eq!(server.ask(&mut cookie, &format!("/api/rooms/{id}/talk"), None).unwrap().0, 403);
    server.ask(&mut cookie, &format!("/api/rooms/{id}/resign"), Some(&json!({}))).unwrap();
    until(id, &mut cookie, &|face| face["state"] == "finished");
    let (status, talk) = server.ask(&mut None, &format!("/api/rooms/{id}/talk"), None).unwrap();
    assert_eq!((status, talk["black"].clone()), (200, json!(null)));
    assert!(talk["white"].as_array().unwrap().len() > 2, "{talk}");
    // Engine against engine, to watch.
    let (_, made) =
        server.ask(&mut cookie, "/api/rooms", Some(&room(json!({ "black": seat, "white": seat }), time))).unwrap();
    let id = made["room"]["id"].as_str().unwrap().to_owned();
    let end = until(&id, &mut cookie, &|face| face["state"] == "finished");
    assert_eq!(end["result"]["verdict"]["counts"], true, "{end}");
}

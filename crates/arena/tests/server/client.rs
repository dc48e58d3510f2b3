//! A server to try, and browsers that remember everything they were sent.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::time::{Duration, Instant};

use arena::{Server, Settings};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use referee::Host;
use serde_json::{Value, json};
use ureq::http::Method;

use super::described;

/// What is measured, by all servers of this process together.
static METRICS: LazyLock<PrometheusHandle> =
    LazyLock::new(|| PrometheusBuilder::new().install_recorder().expect("the only recorder"));

/// A server in this process; it stops when dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl TestServer {
    /// With limits that do not get in the way.
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, |_| {})
    }

    pub(crate) fn start_with(folder: &Path, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::new(SocketAddr::from(([127, 0, 0, 1], 0)), folder.to_owned());
        settings.pace = Duration::ZERO;
        settings.limits.requests_per_second = 1_000_000;
        settings.limits.changes_per_second = 1_000_000;
        settings.limits.rooms_per_minute = 1_000_000;
        change(&mut settings);
        let (told, address) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let host = Host::start(std::process::Command::new("true")).expect("a keeper");
                let server = Server::start(settings, Arc::new(host), Some(METRICS.clone())).await.expect("a server");
                told.send(server.address().expect("an address")).expect("the test waits");
                server
                    .run(async {
                        let _ = stopped.await;
                    })
                    .await;
            });
        });
        let address = address.recv().expect("the server starts");
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Somebody who has never been here.
    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.address)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The same answer, which must have succeeded.
    pub(crate) fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text);
        self.json()
    }

    /// The code of the error it must be.
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        self.code()
    }
}

/// A browser: a cookie, and everything it ever received.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: Arc<Mutex<Option<String>>>,
    pub(crate) received: Arc<Mutex<Vec<String>>>,
    agent: ureq::Agent,
}

impl Browser {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let config =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(60)));
        let agent = config.build().new_agent();
        Self { address, cookie: Arc::default(), received: Arc::default(), agent }
    }

    /// The same person at the server's new address.
    pub(crate) fn moved_to(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    pub(crate) fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let asked = method.to_string();
        let mut request = ureq::http::Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        if let Some(cookie) = self.cookie.lock().expect("a cookie").as_deref() {
            request = request.header("cookie", cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.to_vec()).expect("a request");
        let mut response = self.agent.run(request).unwrap_or_else(|error| panic!("{path}: {error}"));
        if let Some(cookie) = response.headers().get("set-cookie").and_then(|value| value.to_str().ok()) {
            *self.cookie.lock().expect("a cookie") = cookie.split(';').next().map(str::to_owned);
        }
        let mut bytes = Vec::new();
        response.body_mut().as_reader().read_to_end(&mut bytes).expect("a body");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        described::check(&self.agent, self.address, &asked, path, response.status().as_u16());
        self.received.lock().expect("a list").push(text.clone());
        Answer { status: response.status().as_u16(), headers: response.headers().clone(), text }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, &[("content-type", "application/json")], body.to_string().as_bytes())
    }

    /// Makes a room and gives its id and its invitation.
    pub(crate) fn room(&self, game: &str, black: &Value, white: &Value) -> (String, Option<String>) {
        self.room_with(&json!({ "game": game, "seats": { "black": black, "white": white }, "public": true }))
    }

    pub(crate) fn room_with(&self, request: &Value) -> (String, Option<String>) {
        let made = self.post("/api/rooms", request).ok();
        let token = made["join"].as_str().and_then(|link| link.split_once("join=")).map(|(_, token)| token.to_owned());
        (made["room"]["id"].as_str().expect("an id").to_owned(), token)
    }

    /// A room of two people, this one with the first seat.
    pub(crate) fn room_against(&self, other: &Self, mut request: Value) -> String {
        request["seats"] = json!({ "black": { "kind": "me" }, "white": { "kind": "open" } });
        let (room, token) = self.room_with(&request);
        other.post(&format!("/api/rooms/{room}/join"), &json!({ "token": token.unwrap_or_default() })).ok();
        room
    }

    pub(crate) fn look(&self, room: &str) -> Value {
        self.get(&format!("/api/rooms/{room}")).ok()
    }

    pub(crate) fn act(&self, room: &str, what: &str, body: &Value) -> Answer {
        self.post(&format!("/api/rooms/{room}/{what}"), body)
    }

    pub(crate) fn ply(&self, room: &str, ply: &str) -> Answer {
        self.act(room, "ply", &json!({ "ply": ply }))
    }

    /// Looks until the room is as wanted.
    pub(crate) fn until(&self, room: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let face = self.look(room);
            if wanted(&face) {
                return face;
            }
            assert!(Instant::now() < deadline, "never came about; last: {face}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Some ply that the seat on turn may try, chosen by `pick` among so many.
    pub(crate) fn some_ply(&self, room: &str, face: &Value, pick: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        self.some_click(room, &face["view"]["clicks"], pick)
    }

    /// The same from a click tree alone.
    pub(crate) fn some_click(
        &self,
        room: &str,
        clicks: &Value,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Option<String> {
        let mut level = clicks["tree"].as_array().cloned().unwrap_or_default();
        let complete = clicks["complete"].as_bool().unwrap_or(true);
        let mut path: Vec<String> = Vec::new();
        if level.is_empty() {
            let form = self.get(&format!("/api/rooms/{room}/setup"));
            if form.status != 200 {
                return None;
            }
            let placement = form.json()["suggestion"].clone();
            let made = self.act(room, "setup", &json!({ "placement": placement })).ok();
            return made["ply"].as_str().map(str::to_owned);
        }
        loop {
            let click = level.get(pick(level.len()))?.clone();
            path.push(click["spot"].to_string());
            let ply = click["ply"].as_str().map(str::to_owned);
            level = match (ply, click["next"].as_array()) {
                (Some(ply), None) if complete => return Some(ply),
                (ply, Some(next)) if complete && !next.is_empty() => {
                    if let Some(ply) = ply.filter(|_| pick(2) == 0) {
                        return Some(ply);
                    }
                    next.clone()
                }
                (Some(ply), _) => return Some(ply),
                (None, _) => {
                    let answer = self.get(&format!("/api/rooms/{room}/clicks?path={}", path.join(","))).ok();
                    answer.as_array().cloned().unwrap_or_default()
                }
            };
        }
    }

    /// Opens the live events of a path.
    pub(crate) fn events(&self, path: &str, last: Option<&str>) -> Events {
        Events::open(self, path, last)
    }
}

/// One live event.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) id: Option<String>,
    pub(crate) data: Value,
}

/// A live connection.
pub(crate) struct Events {
    pub(crate) status: u16,
    events: mpsc::Receiver<Event>,
    socket: TcpStream,
}

impl Events {
    fn open(browser: &Browser, path: &str, last: Option<&str>) -> Self {
        let mut socket = TcpStream::connect(browser.address).expect("a connection");
        let cookie = browser.cookie.lock().expect("a cookie").clone();
        let cookie = cookie.map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
        let last = last.map_or_else(String::new, |last| format!("Last-Event-ID: {last}\r\n"));
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\n{cookie}{last}Accept: text/event-stream\r\n\r\n",
            browser.address
        );
        socket.write_all(request.as_bytes()).expect("a request");
        let mut reader = BufReader::new(socket.try_clone().expect("a second handle"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status");
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        while line.trim() != "" {
            line.clear();
            reader.read_line(&mut line).expect("headers");
        }
        let (sender, events) = mpsc::channel();
        let received = Arc::clone(&browser.received);
        std::thread::spawn(move || read_events(reader, &sender, &received));
        Self { status, events, socket }
    }

    /// The next event; `None` when the connection ends.
    pub(crate) fn next(&self) -> Option<Event> {
        match self.events.recv_timeout(Duration::from_secs(30)) {
            Ok(event) => Some(event),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("no event for half a minute"),
        }
    }

    /// The next event of this name.
    pub(crate) fn next_named(&self, name: &str) -> Event {
        loop {
            let event = self.next().unwrap_or_else(|| panic!("the connection ended before {name}"));
            if event.name == name {
                return event;
            }
        }
    }

    pub(crate) fn close(&self) {
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.close();
    }
}

/// Reads chunks and splits them into events.
fn read_events(mut reader: BufReader<TcpStream>, sender: &mpsc::Sender<Event>, received: &Mutex<Vec<String>>) {
    let mut text = Vec::new();
    loop {
        let mut size = String::new();
        if !reader.read_line(&mut size).is_ok_and(|count| count > 0) {
            return;
        }
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { return };
        let mut chunk = vec![0; size + 2];
        if reader.read_exact(&mut chunk).is_err() || size == 0 {
            return;
        }
        chunk.truncate(size);
        received.lock().expect("a list").push(String::from_utf8_lossy(&chunk).into_owned());
        text.extend_from_slice(&chunk);
        while let Some(end) = text.windows(2).position(|pair| pair == b"\n\n") {
            let block: Vec<u8> = text.drain(..end + 2).collect();
            let block = String::from_utf8(block).expect("events are UTF-8");
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            if let Some(name) = field("event: ") {
                let data = serde_json::from_str(&field("data: ").unwrap_or_default()).expect("data is JSON");
                if sender.send(Event { name, id: field("id: "), data }).is_err() {
                    return;
                }
            }
        }
    }
}

/// Random choices that can be repeated.
pub(crate) fn picker(seed: u64) -> impl FnMut(usize) -> usize {
    use rand::SeedableRng as _;
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    move |most| games::random::below(&mut rng, most.max(1) as u32) as usize
}

/// A seat for somebody.
pub(crate) fn me() -> Value {
    json!({ "kind": "me" })
}

/// A seat for a built-in player.
pub(crate) fn builtin(level: &str) -> Value {
    json!({ "kind": "builtin", "level": level })
}

/// What a page shows of a board: pieces, marks, last ply, turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Page {
    pub(crate) pieces: std::collections::BTreeMap<u64, Value>,
    pub(crate) rest: Value,
    pub(crate) steps: Vec<Value>,
}

impl Page {
    /// From a view and the steps so far.
    pub(crate) fn of(view: &Value, steps: &Value) -> Self {
        let pieces = view["pieces"].as_array().into_iter().flatten();
        let steps = steps.as_array().into_iter().flatten();
        let plain = |step: &Value| json!({ "mover": step["mover"], "ply": step["ply"], "end": step["end"] });
        Self {
            pieces: pieces.map(|piece| (piece["spot"].as_u64().expect("a spot"), piece.clone())).collect(),
            rest: rest_of(view),
            steps: steps.map(plain).collect(),
        }
    }

    /// As the page's own script does it.
    pub(crate) fn apply(&mut self, frame: &Value) {
        for spot in frame["clear"].as_array().into_iter().flatten() {
            self.pieces.remove(&spot.as_u64().expect("a spot"));
        }
        for piece in frame["set"].as_array().into_iter().flatten() {
            self.pieces.insert(piece["spot"].as_u64().expect("a spot"), piece.clone());
        }
        self.rest = rest_of(frame);
        let n = frame["n"].as_u64().expect("a number") as usize;
        match frame.get("step") {
            Some(step) => {
                assert_eq!(n, self.steps.len() + 1, "a gap before {frame}");
                self.steps.push(json!({ "mover": step["mover"], "ply": step["ply"], "end": step["end"] }));
            }
            None => self.steps.truncate(n),
        }
    }
}

fn rest_of(value: &Value) -> Value {
    let mut rest = json!({});
    for key in ["marks", "last", "to_move", "plies", "notes"] {
        rest[key] = value[key].clone();
    }
    rest
}

//! The program as a server, and people who use it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::http::Method;

/// A running server.
pub(crate) struct Server {
    child: Child,
    /// The code of the first admin, if it was told.
    pub(crate) admin_code: Option<String>,
}

impl Server {
    pub(crate) fn start(data: &Path, port: u16, workers: usize) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
            .args(["serve", "--lang", "en", "--data"])
            .arg(data)
            .args(["--listen", &format!("127.0.0.1:{port}"), "--judge-workers", &workers.to_string()])
            .args(["--requests-per-second", "100000", "--changes-per-second", "100000"])
            .env("BOYI_LOG", "warn")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("boyi starts");
        let (told, lines) = mpsc::channel();
        for stream in [
            Box::new(child.stdout.take().expect("stdout")) as Box<dyn std::io::Read + Send>,
            Box::new(child.stderr.take().expect("stderr")),
        ] {
            let told = told.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if line.contains("WARN") || line.contains("ERROR") || line.contains("not judged") {
                        let _ = writeln!(std::io::stderr(), "server: {line}");
                    }
                    let _ = told.send(line);
                }
            });
        }
        let mut admin_code = None;
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut is_up = false;
        while Instant::now() < deadline {
            let Ok(line) = lines.recv_timeout(Duration::from_millis(if is_up { 300 } else { 1000 })) else {
                if is_up {
                    break;
                }
                continue;
            };
            is_up |= line.contains("boyi is at");
            if let Some((_, code)) = line.split_once("&code=") {
                admin_code = Some(code.trim().to_owned());
            }
        }
        assert!(is_up, "the server does not start");
        Self { child, admin_code }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        let _ = self.child.wait();
    }

    /// Ends it kindly.
    pub(crate) fn stop(mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if self.child.try_wait().expect("a status").is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the server does not stop");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port nobody uses now.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The answer, which must be a success.
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text);
        self.json()
    }

    /// The code of the refusal it must be.
    pub(crate) fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Somebody with a browser.
#[derive(Clone)]
pub(crate) struct Person {
    port: u16,
    cookie: std::sync::Arc<std::sync::Mutex<Option<String>>>,
    agent: ureq::Agent,
}

impl Person {
    pub(crate) fn new(port: u16) -> Self {
        let config =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(60)));
        Self { port, cookie: std::sync::Arc::default(), agent: config.build().new_agent() }
    }

    pub(crate) fn send(&self, method: &Method, path: &str, kind: &str, body: &[u8]) -> Answer {
        self.try_send(method, path, kind, body).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn try_send(&self, method: &Method, path: &str, kind: &str, body: &[u8]) -> Result<Answer, ureq::Error> {
        let uri = format!("http://127.0.0.1:{}{path}", self.port);
        let mut request = ureq::http::Request::builder().method(method).uri(uri);
        if let Some(cookie) = self.cookie.lock().expect("a cookie").as_deref() {
            request = request.header("cookie", cookie);
        }
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        let request = request.body(body.to_vec()).expect("a request");
        let mut response = self.agent.run(request)?;
        for cookie in response.headers().get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap_or_default();
            if cookie.contains("boyi-session") {
                *self.cookie.lock().expect("a cookie") = cookie.split(';').next().map(str::to_owned);
            }
        }
        let mut bytes = Vec::new();
        let status = response.status().as_u16();
        response.body_mut().as_reader().read_to_end(&mut bytes).map_err(ureq::Error::Io)?;
        Ok(Answer { status, text: String::from_utf8_lossy(&bytes).into_owned() })
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&Method::GET, path, "", b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&Method::POST, path, "application/json", body.to_string().as_bytes())
    }

    /// Signs in for the first time.
    pub(crate) fn redeem(&self, name: &str, code: &str, nickname: Option<&str>) -> Value {
        let body = json!({ "name": name, "code": code, "password": password(name), "nickname": nickname });
        self.post("/api/sign-in/code", &body).ok()
    }

    /// Asks again and again until the answer is as wanted.
    pub(crate) fn until(&self, path: &str, patience: Duration, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + patience;
        loop {
            let answer = self.get(path).ok();
            if wanted(&answer) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{path} never came about; last: {answer}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

pub(crate) fn password(name: &str) -> String {
    format!("secret of {name} 秘密")
}

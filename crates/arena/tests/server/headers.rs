//! What stands in the heads of requests and answers.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use course::Role;
use serde_json::json;

use crate::client::TestServer;
use crate::course::Desk;

/// The first line of the answer to a head that no library would send.
fn status_of(server: &TestServer, head: &str) -> String {
    let mut socket = TcpStream::connect(server.address).expect("a connection");
    socket.write_all(head.as_bytes()).expect("sent");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_request_names_its_host_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let status = |head: &str| status_of(&server, head);
    let get = |hosts: &str| status(&format!("GET /healthz HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n"));
    assert_eq!(get("Host: localhost\r\n"), "HTTP/1.1 200 OK");
    assert_eq!(get(""), "HTTP/1.1 400 Bad Request");
    assert_eq!(get("Host: localhost\r\nHost: localhost\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(get("Host: localhost\r\nHost: evil.example\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(get("Host: a b\r\n"), "HTTP/1.1 400 Bad Request");
    assert_eq!(get("Host: evil.example\r\n"), "HTTP/1.1 421 Misdirected Request");
    assert_eq!(status("GET /healthz HTTP/1.0\r\n\r\n"), "HTTP/1.0 200 OK");
    let room = r#"{"game":"nogo"}"#;
    let post = format!(
        "POST /api/rooms HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{room}",
        room.len()
    );
    assert_eq!(status(&post), "HTTP/1.1 421 Misdirected Request");
}

#[test]
fn what_is_somebody_s_own_is_kept_by_no_cache() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path());
    let desk = Desk::open(folder.path());
    let contest = desk.contest("c");
    let (account, _) = desk.account("2351001", Role::Student);
    let version = desk.version(&contest, account, "int main(){}");
    let student = desk.sign_in(&server, account);
    let seats = json!({ "black": { "kind": "me" }, "white": { "kind": "builtin", "level": "random" } });
    let (room, _) = student.room("tiaojia", &seats["black"], &seats["white"]);
    let own = [
        "/api/me".to_owned(),
        "/api/account/sessions".to_owned(),
        "/api/rooms?mine=1".to_owned(),
        format!("/api/rooms/{room}"),
        "/api/contests/c/submissions".to_owned(),
        format!("/api/submissions/{version}"),
        format!("/api/submissions/{version}/source"),
        "/api/contests/c".to_owned(),
        // Refusals tell who asks and what there is, too.
        "/api/accounts".to_owned(),
        "/api/submissions/999".to_owned(),
    ];
    for path in own {
        let answer = student.get(&path);
        let kept = answer.headers.get("cache-control").and_then(|value| value.to_str().ok()).unwrap_or_default();
        assert!(kept.split(',').any(|word| word.trim() == "no-store"), "{path}: {} {kept:?}", answer.status);
    }
    let signed_in = student.post("/api/sign-in", &json!({ "name": "2351001", "password": "not this one" }));
    assert_eq!(signed_in.headers.get("cache-control").unwrap(), "no-store");
}

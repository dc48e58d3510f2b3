//! Every answer that a test receives is one that the description of the API tells of.

use std::net::SocketAddr;
use std::sync::OnceLock;

use serde_json::Value;

static DOCUMENT: OnceLock<Value> = OnceLock::new();

/// Fails when an operation of the API answers with a status that its description does not name.
pub(crate) fn check(agent: &ureq::Agent, address: SocketAddr, method: &str, path: &str, status: u16) {
    let document = DOCUMENT.get_or_init(|| {
        let mut answer = agent.get(format!("http://{address}/api/openapi.json")).call().expect("a document");
        answer.body_mut().read_json().unwrap_or_default()
    });
    let path = path.split('?').next().unwrap_or_default();
    let Some(operation) = operation(document, path).and_then(|methods| methods.get(method.to_lowercase())) else {
        return;
    };
    let responses = operation["responses"].as_object().expect("responses");
    assert!(responses.contains_key(&status.to_string()), "{method} {path} answers {status}, which is not described");
}

/// A path whose words are all its own comes before one that has a place for any word.
fn operation<'a>(document: &'a Value, path: &str) -> Option<&'a Value> {
    let paths = document["paths"].as_object()?;
    paths.get(path).or_else(|| paths.iter().find(|(template, _)| fits(template, path)).map(|(_, methods)| methods))
}

fn fits(template: &str, path: &str) -> bool {
    let same = |(wanted, given): (&str, &str)| wanted == given || (wanted.starts_with('{') && !given.is_empty());
    template.split('/').count() == path.split('/').count() && template.split('/').zip(path.split('/')).all(same)
}

#[test]
fn a_path_is_found_by_its_pattern() {
    assert!(fits("/api/rooms/{id}/chat", "/api/rooms/abc/chat"));
    assert!(!fits("/api/rooms/{id}/chat", "/api/rooms/abc/draw"));
    assert!(!fits("/api/rooms/{id}", "/api/rooms/abc/draw"));
}

//! The web application, embedded.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

use super::App;
use super::error::ApiError;
use super::preview;

/// What `npm run build` makes in `web/`; it is committed, so that building boyi needs no npm.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Assets;

/// Shown where the pages were not built.
const NO_PAGES: &str = "<!doctype html><html lang=\"zh\"><meta charset=\"utf-8\"><title>boyi 博弈</title>\
    <h1>boyi 博弈</h1><p>本程序编译时没有网页（web/dist）。接口说明：<a href=\"/api/openapi.json\">/api/openapi.json</a>。</p>\
    <p lang=\"en\">This program was built without its pages (web/dist). The API is described at \
    <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p></html>\n";

/// Whether the application has a page at this path.
fn is_page(path: &str) -> bool {
    let words: Vec<&str> = path.trim_matches('/').split('/').collect();
    match words.as_slice() {
        ["" | "replay" | "api" | "about" | "games" | "contests" | "sign-in" | "welcome" | "account" | "accounts"] => {
            true
        }
        ["games", game] => games::find(game).is_ok(),
        ["room", id] => !id.is_empty(),
        // Whether there is such a contest, match or game is for the page to find out, with the visitor's own rights.
        ["contests", _]
        | ["contests", _, "scoreboard" | "submit" | "submissions" | "cross" | "losses" | "history" | "admin"] => true,
        ["submissions" | "matches", id] | ["matches", id, "games", _] => id.parse::<u64>().is_ok(),
        _ => false,
    }
}

/// A file, a page of the application, or its page for what is not there.
pub(crate) async fn serve(State(app): State<Arc<App>>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return ApiError::new(StatusCode::NOT_FOUND, "no-such-path", "there is no such path", "没有这个地址")
            .into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "bad-method",
            "this address is only read",
            "此地址只能读取",
        )
        .into_response();
    }
    let name = path.trim_start_matches('/');
    if !name.is_empty()
        && name != "index.html"
        && let Some(file) = Assets::get(name)
    {
        let tag = format!("\"{}\"", hex(&file.metadata.sha256_hash()));
        if request.headers().get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
            return StatusCode::NOT_MODIFIED.into_response();
        }
        let kind = file.metadata.mimetype().to_owned();
        // Files under assets/ carry a hash of their content in their names.
        let kept = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        let mut response = Response::new(axum::body::Body::from(file.data.into_owned()));
        put(&mut response, CONTENT_TYPE, &with_charset(&kind));
        put(&mut response, CACHE_CONTROL, kept);
        put(&mut response, ETAG, &tag);
        return response;
    }
    let status = if is_page(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let page = match Assets::get("index.html") {
        Some(file) => {
            let html = String::from_utf8_lossy(&file.data);
            preview::with_preview(&app, &html, request.uri(), request.headers()).await
        }
        None => NO_PAGES.to_owned(),
    };
    let mut response = (status, page).into_response();
    put(&mut response, VARY, "accept-language");
    put(&mut response, CONTENT_TYPE, "text/html; charset=utf-8");
    put(&mut response, CACHE_CONTROL, "no-cache");
    response
}

fn put(response: &mut Response, name: axum::http::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn with_charset(kind: &str) -> String {
    let is_text = kind.starts_with("text/") || kind.ends_with("javascript") || kind.ends_with("json");
    if is_text { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

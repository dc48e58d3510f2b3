//! The starter engines, as files.

use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

use super::body::Places;
use super::error::ApiError;

/// The starter kits.
#[derive(RustEmbed)]
#[folder = "../../sdk"]
#[allow_missing = true]
struct Kits;

/// A file of `sdk/`, by its path there.
pub(super) fn file(path: &str) -> Option<String> {
    Kits::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned())
}

/// A starter engine, as the guides show it.
#[utoipa::path(get, path = "/api/starters/{language}/{file}", tag = "games",
    params(("language" = String, Path, description = "python or c"),
        ("file" = String, Path, description = "name.py or name.c")),
    responses((status = 200, description = "the source", content_type = "text/plain", body = String),
        (status = 404, description = "no such file")))]
pub(crate) async fn starter(places: Places) -> Result<Response, ApiError> {
    let none = || ApiError::new(StatusCode::NOT_FOUND, "no-starter", "there is no such file", "没有这个文件");
    let name = places.at(1);
    let source = file(&format!("{}/{name}", places.at(0))).ok_or_else(none)?;
    let mut response = source.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(kept) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(CONTENT_DISPOSITION, kept);
    }
    Ok(response)
}

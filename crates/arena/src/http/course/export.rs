//! What staff take home: grades, records, sources.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

use super::super::App;
use super::super::body::Path;
use super::super::error::ApiError;
use super::{Who, contest_of};

fn file(mut response: Response, kind: &'static str, name: &str) -> Response {
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    response
}

/// The grades of a contest, for a spreadsheet (staff).
#[utoipa::path(get, path = "/api/contests/{id}/export/grades.csv", tag = "export", params(("id" = String, Path)),
    responses((status = 200, description = "the file", body = String), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn grades(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Response, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    let text = course::grades(&app.course.store, &app.course.boards, &contest).await?;
    Ok(file(text.into_response(), "text/csv; charset=utf-8", &format!("{id}-grades.csv")))
}

/// Every record of a contest, one a line (staff).
#[utoipa::path(get, path = "/api/contests/{id}/export/records.jsonl", tag = "export", params(("id" = String, Path)),
    responses((status = 200, description = "the file", body = String), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn records(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Response, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    let store = app.course.store.clone();
    // Half a million games do not fit into memory: they are sent as they are read.
    let pieces = futures_util::stream::unfold(Some((0, -1)), move |after| {
        let (store, number) = (store.clone(), contest.number);
        async move {
            let rows = store.records_after(number, after?, 200).await;
            let rows = match rows {
                Ok(rows) if rows.is_empty() => return None,
                Ok(rows) => rows,
                Err(error) => return Some((Err(std::io::Error::other(error.to_string())), None)),
            };
            let next = rows.last().map(|(match_id, number, _)| (*match_id, *number));
            let text: String = rows.iter().map(|(.., record)| format!("{record}\n")).collect();
            Some((Ok(Bytes::from(text)), next))
        }
    });
    let response = Response::new(Body::from_stream(pieces));
    Ok(file(response, "application/x-ndjson", &format!("{id}-records.jsonl")))
}

/// Every source of a contest (staff).
#[utoipa::path(get, path = "/api/contests/{id}/export/sources.zip", tag = "export", params(("id" = String, Path)),
    responses((status = 200, description = "the file", body = String), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn sources(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Response, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    let files = course::source_files(&app.course.store, &contest).await?;
    let bytes = tokio::task::spawn_blocking(move || course::write_zip(files)).await?;
    let bytes = bytes.map_err(|error| ApiError::unavailable(&error))?;
    Ok(file(bytes.into_response(), "application/zip", &format!("{id}-sources.zip")))
}

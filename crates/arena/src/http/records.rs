//! Records: of rooms, as files and pictures; and of anybody's files, to step through.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use games::render::svg;
use games::{Eyes, Language};
use records::{Choices, Format, Record, RecordedPly, Rows};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{Path, Query};
use super::error::ApiError;
use super::games::{LanguageQuery, MOST_PLIES, game};
use super::rooms::not_yours;
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{Board, Room, Sight, frames};
use crate::store::Phase;

/// Which format.
#[derive(Debug, Deserialize)]
pub(crate) struct FormatQuery {
    format: Option<String>,
}

/// The record of a room as a file.
#[utoipa::path(get, path = "/api/rooms/{id}/record", tag = "records", params(("id" = String, Path), ("format" = Option<String>, Query, description = "json, sgf, psq or ccgc")),
    responses((status = 200, description = "the file", body = String), (status = 403, description = "not yours to see yet"), (status = 422, description = "the format has no form for this game")))]
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<FormatQuery>,
    guest: Guest,
) -> Result<Response, ApiError> {
    let room = room_of(&app, &id).await?;
    let wanted = query.format.as_deref().unwrap_or("json");
    let Some(format) = Format::find(wanted) else {
        return Err(ApiError::bad_request("formats are json, sgf, psq and ccgc", "格式有 json、sgf、psq、ccgc"));
    };
    let record = room_record(&app, &room, &guest).await?;
    let written = tokio::task::spawn_blocking(move || records::write(&record, format, &Choices::default())).await?;
    let converted =
        written.map_err(|error| ApiError::field("format", error.say(Language::En), error.say(Language::Zh)))?;
    let (kind, extension) = match format {
        Format::Json => ("application/json", "json"),
        Format::Sgf => ("application/x-go-sgf", "sgf"),
        Format::Psq => ("text/plain; charset=utf-8", "psq"),
        Format::Ccgc => ("text/plain; charset=utf-8", "txt"),
    };
    let name = format!("attachment; filename=\"boyi-{}-{}.{extension}\"", room.game.facts().id, room.id);
    let mut response = converted.bytes.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(name) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// The record of a room, where the visitor may see all of it.
async fn room_record(app: &App, room: &Arc<Room>, guest: &Guest) -> Result<Record, ApiError> {
    let (phase, record) = {
        let state = room.state();
        // A player of an open game sees everything too; a hidden one is nobody's before its end.
        if state.board.is_hidden() && state.sight(guest.id()) != Sight::All {
            return Err(not_yours());
        }
        let row = &state.row;
        let step = |step: &referee::PlayedPly| RecordedPly {
            mover: step.mover,
            ply: step.ply.clone(),
            end: step.end.into(),
            ms: Some(step.time.as_millis() as u64),
            stall_ms: None,
        };
        let mut record = Record::new(&row.game, row.variant.clone());
        record.position.clone_from(&row.position);
        record.seats.black = records::Player::named(&row.seats[0].name);
        record.seats.white = records::Player::named(&row.seats[1].name);
        record.plies = state.board.steps.iter().map(step).collect();
        (row.phase, record)
    };
    if phase == Phase::Finished
        && let Some(text) = app.rooms.store().record(&room.id).await?.filter(|text| !text.is_empty())
        && let Ok(kept) = Record::from_json(text.as_bytes())
    {
        return Ok(kept);
    }
    Ok(record)
}

/// Which picture.
#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    ply: Option<u32>,
    #[serde(flatten)]
    language: LanguageQuery,
}

impl PictureQuery {
    /// Takes plies back to the one that is wanted.
    pub(crate) fn back(&self, table: &mut dyn games::Table) {
        while self.ply.is_some_and(|ply| table.plies() > ply) && table.undo() {}
    }
}

/// A picture of the board, now or after so many plies.
#[utoipa::path(get, path = "/api/rooms/{id}/picture.svg", tag = "records", params(("id" = String, Path), ("ply" = Option<u32>, Query, description = "after so many plies"), ("lang" = Option<String>, Query, description = "zh or en")),
    responses((status = 200, description = "the picture", content_type = "image/svg+xml", body = String), (status = 403, description = "not yours to see yet")))]
pub(crate) async fn picture(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<PictureQuery>,
    guest: Guest,
) -> Result<Response, ApiError> {
    let room = room_of(&app, &id).await?;
    let (mut table, eyes) = {
        let state = room.state();
        let eyes = state.sight(guest.id()).eyes().ok_or_else(not_yours)?;
        (state.board.table.fork(), eyes)
    };
    let drawn = tokio::task::spawn_blocking(move || {
        query.back(table.as_mut());
        svg::render(&table.still(eyes), query.language.language())
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], drawn.await?).into_response())
}

/// What a file leaves open.
#[derive(Debug, Deserialize)]
pub(crate) struct ReadQuery {
    /// The game, where the file does not name it.
    game: Option<String>,
    /// `top`: the championship's texts count rows from the top.
    rows: Option<String>,
}

/// Reads a record of any format, to step through it; nothing is kept.
#[utoipa::path(post, path = "/api/records", tag = "records", params(("game" = Option<String>, Query, description = "the game, where the file does not name it"), ("rows" = Option<String>, Query, description = "top: rows are counted from the top")),
    request_body(content = String, content_type = "text/plain"), responses((status = 200, description = "the record in boyi's own format, the view at the start, the frames", body = Object), (status = 413, description = "larger than 1 MiB"), (status = 422, description = "what is wrong with the file")))]
pub(crate) async fn read(
    State(_app): State<Arc<App>>,
    Query(query): Query<ReadQuery>,
    bytes: bytes::Bytes,
) -> Result<Json<Value>, ApiError> {
    let choices = Choices {
        game: query.game.as_deref().map(game).transpose()?,
        rows: if query.rows.as_deref() == Some("top") { Rows::FromTop } else { Rows::FromBottom },
    };
    Ok(Json(tokio::task::spawn_blocking(move || step_through(&bytes, &choices)).await??))
}

fn step_through(bytes: &[u8], choices: &Choices) -> Result<Value, ApiError> {
    let wrong = |en: String, zh: String| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-record", en, zh);
    let opened =
        records::read(bytes, "", choices).map_err(|error| wrong(error.say(Language::En), error.say(Language::Zh)))?;
    let record = opened.record;
    if record.plies.len() > MOST_PLIES {
        return Err(wrong(format!("more than {MOST_PLIES} plies"), format!("超过 {MOST_PLIES} 步")));
    }
    let said = |error: &records::ReplayError| json!({ "en": error.say(Language::En), "zh": error.say(Language::Zh) });
    let listing = record.listing().map_err(|error| wrong(error.say(Language::En), error.say(Language::Zh)))?;
    let problem = record.replay().err();
    let start = Board::open(listing, &record.variant, record.position.as_deref(), referee::TimeControl::default(), 0)?;
    let mut table = start.table.fork();
    let mut steps = Vec::new();
    for ply in &record.plies {
        // Up to the first ply that cannot be played; `problem` says which.
        let Ok(played) = table.play(&ply.ply, Eyes::All) else { break };
        let time = std::time::Duration::from_millis(ply.ms.unwrap_or_default());
        steps.push(referee::PlayedPly {
            mover: played.mover,
            ply: ply.ply.clone(),
            end: played.end,
            time,
            stall: std::time::Duration::ZERO,
        });
    }
    let (view, frames) = frames(&start, &steps, Sight::All).unzip();
    Ok(json!({
        "info": {
            "format": opened.format,
            "remarks": opened.remarks,
            "problem": problem.as_ref().map(said),
        },
        "record": record,
        "view": view,
        "frames": frames,
    }))
}

/// What the engines of a finished game said and were told.
#[utoipa::path(get, path = "/api/rooms/{id}/talk", tag = "records", params(("id" = String, Path)),
    responses((status = 200, description = "lines of each side's engine", body = Object), (status = 403, description = "the game goes on, or no engine played"), (status = 404, description = "no such room")))]
pub(crate) async fn talk(State(app): State<Arc<App>>, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let room = room_of(&app, &id).await?;
    let finished = room.state().row.phase == Phase::Finished;
    let talk = if finished { app.rooms.store().talk(&room.id).await? } else { None };
    let none = || {
        ApiError::forbidden(
            "no-talk",
            "no engine played here, or the game is not over",
            "这局棋没有引擎参加，或者尚未结束",
        )
    };
    Ok(Json(serde_json::from_str(&talk.ok_or_else(none)?).unwrap_or_default()))
}

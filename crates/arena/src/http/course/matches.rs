//! Matches and their games: boards, records, and each engine's own conversation.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use course::{Contest, GameRow, MatchRow};
use games::{Language, Side};
use records::{Choices, Format, Record};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::App;
use super::super::body::{Path, Places, Query};
use super::super::error::ApiError;
use super::super::games::LanguageQuery;
use super::scoreboard::shown_until;
use super::{Who, contest_with, faces, nothing, number};
use crate::rooms::{Board, Sight, frames};

/// A match that he may see.
async fn match_seen(app: &App, who: &Who, id: &str) -> Result<(MatchRow, Contest), ApiError> {
    let row = app.course.store.match_row(number(id)?).await?.ok_or_else(nothing)?;
    let contest = contest_with(app, who, row.contest).await?;
    let until = shown_until(app, who, &contest).await?;
    match faces::sees_games(who, &contest, &row, until) {
        true => Ok((row, contest)),
        false => Err(nothing()),
    }
}

/// One match.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "matches", params(("id" = String, Path)), responses((status = 200, body = Object), (status = 404, description = "no such match, or not yours to see")))]
pub(crate) async fn one(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let (row, contest) = match_seen(&app, &who, &id).await?;
    let mut face = faces::match_summary(&app, &who, &contest, &row).await?;
    let games = app.course.store.games_of(row.id).await?;
    face["list"] = games.iter().map(|game| faces::game(&contest, &row, game)).collect();
    Ok(Json(face))
}

/// A game somebody may see.
struct Seen {
    row: MatchRow,
    contest: Contest,
    game: GameRow,
}

impl Seen {
    async fn find(app: &App, who: &Who, places: &Places) -> Result<Self, ApiError> {
        let (row, contest) = match_seen(app, who, places.at(0)).await?;
        let game = app.course.store.game(row.id, number(places.at(1))?).await?.ok_or_else(nothing)?;
        Ok(Self { row, contest, game })
    }

    /// Whose program has this seat.
    fn owner(&self, side: Side) -> Option<i64> {
        let version = if side == Side::Black { self.game.black } else { self.game.white };
        self.row.players.iter().find(|player| player.submission == version).map(|player| player.account)
    }

    /// Whether he may read what the engine of a seat said.
    fn hears(&self, who: &Who, side: Side) -> bool {
        let own = self.owner(side).is_some_and(|account| who.is(account));
        own || who.is_staff() || self.contest.shows(self.contest.visibility.logs, course::now())
    }

    /// The record, without what is not his to read.
    async fn record(&self, app: &App, who: &Who) -> Result<(Record, [course::Used; 2], Vec<Option<u64>>), ApiError> {
        let kept = app.course.store.game_record(self.row.id, self.game.number).await?;
        let (text, used, memory) = kept.ok_or_else(nothing)?;
        let mut record = Record::from_json(text.as_bytes()).map_err(|_| nothing())?;
        if let Some(verdict) = &mut record.verdict {
            let seat = verdict.evidence["seat"].as_str();
            let side = Side::BOTH.into_iter().find(|side| Some(side.word()) == seat);
            // The evidence quotes the loser's engine, its DEBUG lines included.
            if !side.is_some_and(|side| self.hears(who, side))
                && let Some(evidence) = verdict.evidence.as_object_mut()
            {
                evidence.remove("lines");
                evidence.remove("unreadable");
            }
        }
        Ok((record, used, memory))
    }
}

/// One game: the board comes with `frames`.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}", tag = "matches", params(("id" = String, Path), ("number" = String, Path)), responses((status = 200, body = Object), (status = 404, description = "no such game, or not yours to see")))]
pub(crate) async fn game(State(app): State<Arc<App>>, who: Who, places: Places) -> Result<Json<Value>, ApiError> {
    let seen = Seen::find(&app, &who, &places).await?;
    let (record, used, memory) = seen.record(&app, &who).await?;
    let mut face = faces::game(&seen.contest, &seen.row, &seen.game);
    let own = Side::BOTH.into_iter().find(|side| seen.owner(*side).is_some_and(|account| who.is(account)));
    let hears: Vec<&str> = Side::BOTH.into_iter().filter(|side| seen.hears(&who, *side)).map(Side::word).collect();
    let steps = record.plies.iter().zip(memory.iter().chain(std::iter::repeat(&None))).enumerate();
    let steps: Vec<Value> = steps
        .map(|(index, (step, memory))| {
            json!({ "n": index + 1, "mover": step.mover, "ply": step.ply, "end": step.end, "ms": step.ms, "stall_ms": step.stall_ms, "memory_bytes": memory })
        })
        .collect();
    face["game"] = seen.contest.game.as_str().into();
    face["contest"] = seen.contest.id.as_str().into();
    face["variant"] = seen.contest.variant.clone();
    // Where it started, as the game writes it; `position` is which of the contest's starts that was.
    face["position_text"] = record.position.as_deref().into();
    face["verdict"] = serde_json::to_value(&record.verdict).unwrap_or_default();
    face["level"] = record.environment.sandbox.as_deref().map(str::to_uppercase).into();
    face["you"] = own.map(Side::word).into();
    face["talks"] = hears.into();
    face["usage"] = json!({ "black": used[0], "white": used[1] });
    face["steps"] = steps.into();
    face["opening_plies"] = record.opening_plies.into();
    face["replay"] = json!({ "commands": replay(&seen, own) });
    Ok(Json(face))
}

/// How to see the game again on one's own machine.
fn replay(seen: &Seen, own: Option<Side>) -> Vec<Value> {
    let (game, id, number) = (&seen.contest.game, seen.row.id, seen.game.number);
    let rules = &seen.contest.rules;
    let file = format!("boyi-match{id}-game{number}.json");
    let mut commands = vec![json!({
        "text": games::Phrase::new("step through the downloaded record", "逐步查看下载的棋谱"),
        "command": format!("boyi record show {file}"),
    })];
    if let Some(side) = own {
        commands.push(json!({
            "text": games::Phrase::new("feed your program exactly what it was sent (download \"input\")", "把当时发给程序的内容原样再输入一遍（下载“输入”）"),
            "command": format!("./brain < match{id}-game{number}-{side}-input.txt"),
        }));
        let other = if side == Side::Black { "--white random --black" } else { "--black random --white" };
        let tolerance = match rules.tolerance_ms {
            0 => String::new(),
            tolerance => format!(" --tolerance {tolerance}"),
        };
        commands.push(json!({
            "text": games::Phrase::new("play your program under the same limits", "在相同限制下运行你的程序对局"),
            "command": format!("boyi play {game} {other} ./brain --ply-time {}ms --game-time {}ms{tolerance} --sandbox auto --log talk.txt", rules.ply_ms, rules.game_ms),
        }));
    }
    commands
}

/// Whose eyes.
#[derive(Debug, Deserialize)]
pub(crate) struct EyesQuery {
    eyes: Option<String>,
}

/// The board at the start and every step.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}/frames", tag = "matches", params(("id" = String, Path), ("number" = String, Path), ("eyes" = Option<String>, Query, description = "all, black or white")), responses((status = 200, body = Object), (status = 404, description = "no such game, or not yours to see")))]
pub(crate) async fn game_frames(
    State(app): State<Arc<App>>,
    who: Who,
    places: Places,
    Query(query): Query<EyesQuery>,
) -> Result<Json<Value>, ApiError> {
    let seen = Seen::find(&app, &who, &places).await?;
    let (record, ..) = seen.record(&app, &who).await?;
    let sight = match query.eyes.as_deref() {
        None | Some("all") => Sight::All,
        Some("black") => Sight::Black,
        Some("white") => Sight::White,
        Some(_) => {
            return Err(ApiError::field("eyes", "eyes are all, black or white", "eyes 只能是 all、black 或 white"));
        }
    };
    let made = tokio::task::spawn_blocking(move || {
        let (start, steps) = played(&record)?;
        let (view, frames) = frames(&start, &steps, sight).unzip();
        Ok::<_, ApiError>(json!({ "view": view, "frames": frames }))
    });
    Ok(Json(made.await??))
}

/// A record as a board at its start and the steps from there.
fn played(record: &Record) -> Result<(Board, Vec<referee::PlayedPly>), ApiError> {
    let listing = record.listing().map_err(|_| nothing())?;
    let start = Board::open(listing, &record.variant, record.position.as_deref(), referee::TimeControl::default(), 0)?;
    let mut table = start.table.fork();
    let mut steps = Vec::new();
    for ply in &record.plies {
        let Ok(played) = table.play(&ply.ply, games::Eyes::All) else { break };
        let time = Duration::from_millis(ply.ms.unwrap_or_default());
        let (mover, end, stall) = (played.mover, played.end, Duration::ZERO);
        steps.push(referee::PlayedPly { mover, ply: ply.ply.clone(), end, time, stall });
    }
    Ok((start, steps))
}

/// Which format.
#[derive(Debug, Deserialize)]
pub(crate) struct FormatQuery {
    format: Option<String>,
}

fn attachment(mut response: Response, kind: &'static str, name: &str) -> Response {
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    response
}

/// The record of a game as a file.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}/record", tag = "matches", params(("id" = String, Path), ("number" = String, Path), ("format" = Option<String>, Query, description = "json, sgf, psq or ccgc")), responses((status = 200, description = "the file", body = String), (status = 404, description = "no such game, or not yours to see")))]
pub(crate) async fn game_record(
    State(app): State<Arc<App>>,
    who: Who,
    places: Places,
    Query(query): Query<FormatQuery>,
) -> Result<Response, ApiError> {
    let seen = Seen::find(&app, &who, &places).await?;
    let Some(format) = Format::find(query.format.as_deref().unwrap_or("json")) else {
        return Err(ApiError::bad_request("formats are json, sgf, psq and ccgc", "格式有 json、sgf、psq、ccgc"));
    };
    let (record, ..) = seen.record(&app, &who).await?;
    let written = tokio::task::spawn_blocking(move || records::write(&record, format, &Choices::default())).await?;
    let converted =
        written.map_err(|error| ApiError::field("format", error.say(Language::En), error.say(Language::Zh)))?;
    let ending = match format {
        Format::Json => "json",
        Format::Sgf => "sgf",
        Format::Psq => "psq",
        Format::Ccgc => "txt",
    };
    let name = format!("boyi-match{}-game{}.{ending}", seen.row.id, seen.game.number);
    let kind = if format == Format::Json { "application/json" } else { "text/plain; charset=utf-8" };
    Ok(attachment(converted.bytes.into_response(), kind, &name))
}

/// Which picture.
#[derive(Debug, Deserialize)]
pub(crate) struct PictureQuery {
    ply: Option<u32>,
    #[serde(flatten)]
    language: LanguageQuery,
}

/// A picture of the board after so many plies.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}/picture.svg", tag = "matches", params(("id" = String, Path), ("number" = String, Path), ("ply" = Option<u32>, Query), ("lang" = Option<String>, Query)), responses((status = 200, description = "the picture", content_type = "image/svg+xml", body = String), (status = 404, description = "no such game, or not yours to see")))]
pub(crate) async fn game_picture(
    State(app): State<Arc<App>>,
    who: Who,
    places: Places,
    Query(query): Query<PictureQuery>,
) -> Result<Response, ApiError> {
    let seen = Seen::find(&app, &who, &places).await?;
    let (record, ..) = seen.record(&app, &who).await?;
    let drawn = tokio::task::spawn_blocking(move || {
        let (start, steps) = played(&record)?;
        let mut table = start.table;
        for step in &steps {
            if query.ply.is_some_and(|ply| table.plies() >= ply) || table.play(&step.ply, games::Eyes::All).is_err() {
                break;
            }
        }
        Ok::<_, ApiError>(games::render::svg::render(&table.still(games::Eyes::All), query.language.language()))
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], drawn.await??).into_response())
}

/// Whose engine.
#[derive(Debug, Deserialize)]
pub(crate) struct SeatQuery {
    seat: Option<String>,
}

async fn log_of(app: &App, who: &Who, places: &Places, query: &SeatQuery) -> Result<(Seen, Side, Vec<u8>), ApiError> {
    let seen = Seen::find(app, who, places).await?;
    let side = Side::BOTH.into_iter().find(|side| Some(side.word()) == query.seat.as_deref());
    let side =
        side.ok_or_else(|| ApiError::field("seat", "seats are black and white", "seat 只能是 black 或 white"))?;
    if !seen.hears(who, side) {
        return Err(nothing());
    }
    let log = app.course.store.game_log(seen.row.id, seen.game.number, side).await?.ok_or_else(nothing)?;
    Ok((seen, side, log))
}

/// Every line to and from an engine, DEBUG lines and standard error included: for its owner and staff.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}/log", tag = "matches", params(("id" = String, Path), ("number" = String, Path), ("seat" = String, Query, description = "black or white")), responses((status = 200, description = "the conversation", body = String), (status = 404, description = "no such game, or not yours to read")))]
pub(crate) async fn game_log(
    State(app): State<Arc<App>>,
    who: Who,
    places: Places,
    Query(query): Query<SeatQuery>,
) -> Result<Response, ApiError> {
    let (seen, side, log) = log_of(&app, &who, &places, &query).await?;
    let name = format!("match{}-game{}-{side}-log.txt", seen.row.id, seen.game.number);
    Ok(attachment(log.into_response(), "text/plain; charset=utf-8", &name))
}

/// Exactly what an engine was sent, to feed it again: for its owner and staff.
#[utoipa::path(get, path = "/api/matches/{id}/games/{number}/input", tag = "matches", params(("id" = String, Path), ("number" = String, Path), ("seat" = String, Query, description = "black or white")), responses((status = 200, description = "the lines it was sent", body = String), (status = 404, description = "no such game, or not yours to read")))]
pub(crate) async fn game_input(
    State(app): State<Arc<App>>,
    who: Who,
    places: Places,
    Query(query): Query<SeatQuery>,
) -> Result<Response, ApiError> {
    let (seen, side, log) = log_of(&app, &who, &places, &query).await?;
    let mut input = Vec::new();
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        let at = line.iter().position(|byte| *byte == b' ').unwrap_or_default();
        if let Some(sent) = line[at..].strip_prefix(b" > ") {
            input.extend_from_slice(sent);
        }
    }
    let name = format!("match{}-game{}-{side}-input.txt", seen.row.id, seen.game.number);
    Ok(attachment(input.into_response(), "text/plain; charset=utf-8", &name))
}

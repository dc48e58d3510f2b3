//! The nine kinds of games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use games::{Eyes, GAMES, Listing, Preset, reasons};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::App;
use super::body::{Body, Path, Query};
use super::error::ApiError;
use super::{guide, starters};

/// More plies than this are not played for one request.
pub(crate) const MOST_PLIES: usize = 2000;

/// The game of this name.
pub(crate) fn game(name: &str) -> Result<&'static dyn Listing, ApiError> {
    games::find(name).map_err(|error| ApiError::no_game(&error))
}

/// A preset's options in full, as a room of it has them.
pub(super) fn preset_variant(game: &dyn Listing, preset: &Preset) -> Option<Value> {
    let pairs = games::read_pairs(preset.pairs.iter().copied()).ok()?;
    Some(game.open(&pairs, None).ok()?.variant())
}

fn describe(app: &App, game: &'static dyn Listing) -> Value {
    let facts = game.facts();
    let levels: Vec<Value> = engines::styles(game).map(|(id, _, text)| json!({ "id": id, "text": text })).collect();
    let protocols: Vec<Value> = protocols::PROTOCOLS
        .iter()
        .map(|protocol| protocol.facts())
        .filter(|protocol| protocol.games.contains(&facts.id))
        .map(|protocol| json!({ "id": protocol.id, "name": protocol.name }))
        .collect();
    let engines: Vec<&str> =
        app.settings.engines.iter().filter(|offer| offer.game == facts.id).map(|offer| offer.name.as_str()).collect();
    let presets = facts.presets.iter().filter_map(|preset| {
        let variant = preset_variant(game, preset)?;
        Some(json!({ "id": preset.id, "name": preset.name, "variant": variant }))
    });
    let presets: Vec<Value> = presets.collect();
    let starters: Vec<Value> = starters::of(facts.id)
        .into_iter()
        .map(|(language, path)| json!({ "language": language, "path": path }))
        .collect();
    json!({
        "id": facts.id,
        "name": facts.name,
        "starters": starters,
        "board": facts.board,
        "summary": facts.summary,
        "sides": facts.sides,
        "hidden": facts.hidden,
        "notation": facts.notation,
        "prompts": facts.prompts,
        "ranks": facts.ranks,
        "position": facts.position,
        "options": facts.options,
        "presets": presets,
        "defaults": { "variant": game.defaults() },
        "levels": levels,
        "protocols": protocols,
        "engines": engines,
        "example": facts.example,
        "formats": records::Format::of_game(game),
    })
}

/// All games.
#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, description = "every game with its facts", body = Vec<Object>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<Value>> {
    Json(GAMES.iter().map(|game| describe(&app, *game)).collect())
}

/// One game.
#[utoipa::path(get, path = "/api/games/{game}", tag = "games", params(("game" = String, Path, description = "id, or English or Chinese name")),
    responses((status = 200, description = "the game with its facts and reasons", body = Object), (status = 404, description = "no such game")))]
pub(crate) async fn one(State(app): State<Arc<App>>, Path(name): Path) -> Result<Json<Value>, ApiError> {
    let game = game(&name)?;
    let mut described = describe(&app, game);
    let all = reasons::SHARED.iter().chain(game.facts().reasons).chain(referee::decision::reasons::ALL);
    described["reasons"] = all.map(|reason| json!({ "code": reason.code, "text": reason.text })).collect();
    Ok(Json(described))
}

/// Which language.
#[derive(Debug, Deserialize)]
pub(crate) struct LanguageQuery {
    /// `zh` or `en`.
    lang: Option<String>,
}

impl LanguageQuery {
    pub(crate) fn language(&self) -> games::Language {
        match self.lang.as_deref() {
            Some(lang) if lang.starts_with("zh") => games::Language::Zh,
            _ => games::Language::En,
        }
    }
}

/// The guide of a game: rules with pictures, and how to write an engine.
#[utoipa::path(get, path = "/api/games/{game}/guide", tag = "games", params(("game" = String, Path), ("lang" = Option<String>, Query, description = "zh or en")),
    responses((status = 200, description = "safe HTML", body = Object), (status = 404, description = "no such game, or no guide")))]
pub(crate) async fn guide(Path(name): Path, Query(query): Query<LanguageQuery>) -> Result<Json<Value>, ApiError> {
    let id = game(&name)?.facts().id;
    let html = tokio::task::spawn_blocking(move || guide::html(id, query.language())).await?;
    let none = || {
        ApiError::new(axum::http::StatusCode::NOT_FOUND, "no-guide", "this game has no guide yet", "本棋种还没有指南")
    };
    Ok(Json(json!({ "html": &*html.ok_or_else(none)? })))
}

/// A position to look at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ViewRequest {
    /// Options over the defaults.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    variant: Value,
    /// Position text; the start without it.
    #[serde(default)]
    position: Option<String>,
    /// Plies played from there, in the referee's notation.
    #[serde(default)]
    plies: Vec<String>,
    /// `all`, `black` or `white`.
    #[serde(default)]
    eyes: Option<String>,
}

/// A board for any position, for editors and examples.
#[utoipa::path(post, path = "/api/games/{game}/view", tag = "games", params(("game" = String, Path)), request_body = ViewRequest,
    responses((status = 200, description = "the board", body = Object), (status = 422, description = "what is wrong with it")))]
pub(crate) async fn view(
    State(_): State<Arc<App>>,
    Path(name): Path,
    Body(request): Body<ViewRequest>,
) -> Result<Json<Value>, ApiError> {
    let game = game(&name)?;
    let eyes = match request.eyes.as_deref() {
        None | Some("all") => Eyes::All,
        Some("black") => Eyes::Seat(games::Side::Black),
        Some("white") => Eyes::Seat(games::Side::White),
        Some(_) => {
            return Err(ApiError::field("eyes", "eyes are all, black or white", "eyes 只能是 all、black 或 white"));
        }
    };
    let view = tokio::task::spawn_blocking(move || {
        let mut table =
            game.open(&request.variant, request.position.as_deref()).map_err(|error| ApiError::open(&error))?;
        play_opening(table.as_mut(), &request.plies)?;
        Ok::<_, ApiError>(serde_json::to_value(table.view(eyes)).unwrap_or_default())
    });
    Ok(Json(view.await??))
}

/// Plays plies in the referee's notation; gives the steps.
pub(crate) fn play_opening(
    table: &mut dyn games::Table,
    plies: &[String],
) -> Result<Vec<referee::PlayedPly>, ApiError> {
    if plies.len() > MOST_PLIES {
        return Err(ApiError::field("plies", format!("at most {MOST_PLIES} plies"), format!("最多 {MOST_PLIES} 步")));
    }
    let mut steps = Vec::with_capacity(plies.len());
    for (index, ply) in plies.iter().enumerate() {
        let played = table
            .play(ply, Eyes::All)
            .map_err(|fault| ApiError::fault(&fault).with("field", "plies").with("index", index))?;
        let text = table.step(table.steps() - 1, Eyes::All).and_then(|step| step.ply).unwrap_or_else(|| ply.clone());
        steps.push(referee::PlayedPly {
            mover: played.mover,
            ply: text,
            end: played.end,
            time: std::time::Duration::ZERO,
            stall: std::time::Duration::ZERO,
        });
    }
    Ok(steps)
}

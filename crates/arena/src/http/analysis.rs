//! What a strong player thinks: a hint for whoever plays against the machine, and the analysis of a finished game or a record.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use engines::{Settings, Style};
use games::{Event, Eyes, Listing, Side, Table};
use protocols::{Insight, ThinkLimits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::body::{Body, Path, Query};
use super::error::ApiError;
use super::games::{game, play_opening};
use super::limits::Address;
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{Room, THINKING};
use crate::store::{Phase, SeatKind};

/// The time for a hint.
const FOR_A_HINT: Duration = Duration::from_millis(800);
/// The time for each ply of an analysis.
const FOR_A_PLY: Duration = Duration::from_millis(250);
/// The memory of the player that is asked.
const MEMORY: usize = 16 << 20;

/// What the player thinks of a position.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Opinion {
    /// After how many plies.
    plies: usize,
    /// Whose turn it is.
    #[schema(value_type = String)]
    to_move: Side,
    /// The ply it would play.
    ply: Option<String>,
    /// The spots of the drawn board one clicks for it.
    spots: Vec<u16>,
    /// What the position is worth to Black, in the player's own measure.
    score: Option<i32>,
    /// Black's chance to win, from 0 to 1; a draw is half a win.
    chance: Option<f64>,
    /// The side that wins by force, as far as it sees.
    #[schema(value_type = Option<String>)]
    wins: Option<Side>,
    /// How deep it looked.
    depth: u32,
    /// How many positions it looked at.
    nodes: u64,
    /// How it thinks the game goes on.
    line: Vec<String>,
}

/// A position by how it came about.
struct Question {
    game: &'static dyn Listing,
    variant: Value,
    position: Option<String>,
    plies: Vec<String>,
    table: Box<dyn Table>,
}

/// What the player thinks, on a thread that may take its time; `turn` is held for as long as that takes, whether or not
/// somebody still waits for the answer.
async fn ask(
    turn: impl Send + 'static,
    time: Duration,
    question: impl FnOnce() -> Result<Question, ApiError> + Send + 'static,
) -> Result<Json<Opinion>, ApiError> {
    let thought = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        Ok::<_, ApiError>(question()?.think(time))
    });
    Ok(Json(thought.await??))
}

impl Question {
    fn think(mut self, time: Duration) -> Opinion {
        let to_move = self.table.to_move();
        // Whoever waits for a core takes up no memory yet.
        let permit = THINKING.enter();
        let settings = Settings { memory: MEMORY, ..Settings::with_seed(1) };
        let mut player = engines::player_with(self.game, Style::Max, &settings);
        player.new_game(&self.variant, to_move, self.position.as_deref());
        for ply in &self.plies {
            player.learn(&Event::Ply { ply: ply.clone() });
        }
        let ply = player.think(ThinkLimits { turn: Some(time), ..ThinkLimits::default() });
        drop(permit);
        let ply = Some(ply).filter(|ply| self.table.play(ply, Eyes::Seat(to_move)).is_ok());
        let insight = player.insight();
        let score = insight.as_ref().map(|insight| insight.score);
        let wins = score
            .filter(|score| score.abs() > engines::kit::alpha_beta::WIN_FLOOR)
            .map(|score| if score > 0 { to_move } else { to_move.other() });
        let score = score.map(|score| if to_move == Side::Black { score } else { -score });
        let (depth, nodes) = insight.as_ref().map_or((0, 0), |Insight { depth, nodes, .. }| (*depth, *nodes));
        Opinion {
            plies: self.plies.len(),
            to_move,
            spots: if ply.is_some() { self.table.still(Eyes::All).last } else { Vec::new() },
            ply,
            score,
            chance: score.map(|score| engines::chance(self.game, score)),
            wins,
            depth,
            nodes,
            line: insight.map(|insight| insight.line).unwrap_or_default(),
        }
    }
}

/// Refuses games nobody can be asked about: those that hide things, and those without a player who looks ahead.
fn can_be_asked(game: &'static dyn Listing) -> Result<(), ApiError> {
    if game.facts().hidden {
        return Err(ApiError::conflict("hidden", "there is no analysis of hidden games", "含隐藏信息的棋没有分析"));
    }
    let strong = engines::styles(game).any(|(_, style, _)| *style == Style::Max);
    strong.then_some(()).ok_or_else(|| {
        ApiError::conflict("no-player", "this game has no player who looks ahead", "这种棋没有会推算的内置引擎")
    })
}

/// Refuses a position in which nothing can be played any more.
fn goes_on(table: &dyn Table) -> Result<(), ApiError> {
    match table.verdict() {
        Some(_) => Err(ApiError::conflict("game-over", "the game is over there", "对局在此已经结束")),
        None => Ok(()),
    }
}

/// The position of a room after so many plies, or now.
fn in_room(room: &Room, plies: Option<usize>) -> Result<Question, ApiError> {
    can_be_asked(room.game)?;
    let state = room.state();
    let mut table = state.board.table.fork();
    if let Some(plies) = plies {
        while table.steps() > plies && table.undo() {}
    }
    goes_on(table.as_ref())?;
    let kept = table.steps();
    let plies = state.board.steps.iter().take(kept).map(|step| step.ply.clone()).collect();
    let row = &state.row;
    Ok(Question { game: room.game, variant: row.variant.clone(), position: row.position.clone(), plies, table })
}

/// A hint for the one who is on turn against a built-in player.
#[utoipa::path(post, path = "/api/rooms/{id}/hint", tag = "play", params(("id" = String, Path)),
    responses((status = 200, description = "what a strong player would play", body = Opinion), (status = 403, description = "you do not play here"), (status = 409, description = "not your turn, not against the machine, or a hidden game"), (status = 429, description = "too many of your questions wait already")))]
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Path(id): Path,
    address: Address,
    guest: Guest,
) -> Result<Json<Opinion>, ApiError> {
    let room = room_of(&app, &id).await?;
    let visitor = guest.id().ok_or_else(ApiError::not_a_player)?;
    let side = room.side_of(visitor).ok_or_else(ApiError::not_a_player)?;
    app.limits.change(visitor)?;
    can_be_helped(&room, side)?;
    let turn = app.limits.question(address).await?;
    ask(turn, FOR_A_HINT, move || {
        // The game went on while others were answered.
        can_be_helped(&room, side)?;
        in_room(&room, None)
    })
    .await
}

/// Refuses a hint to whoever is not on turn against a built-in player.
fn can_be_helped(room: &Room, side: Side) -> Result<(), ApiError> {
    let state = room.state();
    if state.row.phase != Phase::Live || state.board.table.to_move() != side {
        return Err(ApiError::conflict("not-your-turn", "it is not your turn", "还没有轮到你"));
    }
    if state.row.seats[side.other().index()].kind != SeatKind::Builtin {
        return Err(ApiError::conflict(
            "no-hint",
            "hints are for games against built-in players",
            "只有与内置引擎对弈时才有提示",
        ));
    }
    Ok(())
}

/// Which position.
#[derive(Debug, Deserialize)]
pub(crate) struct PlyQuery {
    ply: Option<usize>,
}

/// What a strong player thinks of a position of a finished game. A page asks for one ply after the other.
#[utoipa::path(get, path = "/api/rooms/{id}/analysis", tag = "records", params(("id" = String, Path), ("ply" = Option<usize>, Query, description = "after so many plies")),
    responses((status = 200, description = "what it thinks", body = Opinion), (status = 409, description = "the game goes on, is over at this ply, or hides things"), (status = 429, description = "too many of your questions wait already")))]
pub(crate) async fn analysis(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<PlyQuery>,
    address: Address,
) -> Result<Json<Opinion>, ApiError> {
    let room = room_of(&app, &id).await?;
    if room.state().row.phase != Phase::Finished {
        return Err(ApiError::conflict("goes-on", "a game is analysed once it is over", "对局结束后才能分析"));
    }
    let turn = app.limits.question(address).await?;
    ask(turn, FOR_A_PLY, move || in_room(&room, query.ply)).await
}

/// A position by the plies that led there.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PliesRequest {
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
}

impl PliesRequest {
    fn question(self, game: &'static dyn Listing) -> Result<Question, ApiError> {
        let mut table = game.open(&self.variant, self.position.as_deref()).map_err(|error| ApiError::open(&error))?;
        let steps = play_opening(table.as_mut(), &self.plies)?;
        goes_on(table.as_ref())?;
        let plies = steps.into_iter().map(|step| step.ply).collect();
        Ok(Question { game, variant: table.variant(), position: self.position, plies, table })
    }
}

/// What a strong player thinks of any position of an open game: for records, and for games that were judged.
#[utoipa::path(post, path = "/api/games/{game}/analysis", tag = "records", params(("game" = String, Path, description = "id, or English or Chinese name")), request_body = PliesRequest,
    responses((status = 200, description = "what it thinks", body = Opinion), (status = 404, description = "no such game"), (status = 409, description = "the game is over there, or hides things"), (status = 422, description = "what is wrong with the position or a ply"), (status = 429, description = "too many of your questions wait already")))]
pub(crate) async fn position(
    State(app): State<Arc<App>>,
    Path(name): Path,
    address: Address,
    Body(request): Body<PliesRequest>,
) -> Result<Json<Opinion>, ApiError> {
    let game = game(&name)?;
    can_be_asked(game)?;
    let turn = app.limits.question(address).await?;
    ask(turn, FOR_A_PLY, move || request.question(game)).await
}

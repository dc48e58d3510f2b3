//! Making rooms, listing them, looking at one.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use referee::TimeControl;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::body::{Body, Path, Query, Switch, page_length};
use super::error::ApiError;
use super::games::{game, play_opening};
use super::limits::Address;
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{NewRoom, RoomFace, Sight, Summary, frames};
use crate::store::{GameResult, Phase, SeatKind, SeatRow, Visitor, Wanted};

/// A room that is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomRequest {
    /// The game.
    pub(crate) game: String,
    /// Options over the defaults.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(crate) variant: Value,
    /// Position text; the usual start without it.
    #[serde(default)]
    pub(crate) position: Option<String>,
    /// Plies played from there before the game begins, in the referee's notation.
    #[serde(default)]
    pub(crate) plies: Vec<String>,
    /// The clocks; none without it.
    #[serde(default)]
    pub(crate) time: Option<TimeRequest>,
    /// Who sits where.
    pub(crate) seats: SeatsRequest,
    /// Whether it is listed for everybody.
    #[serde(default)]
    pub(crate) public: bool,
    /// Whether the open seat is only for whoever has the link this answers with. Without it the room's address is the
    /// invitation: whoever opens it may take the seat.
    #[serde(default)]
    pub(crate) private: bool,
}

/// A time control, in milliseconds.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeRequest {
    /// For each ply.
    #[serde(default)]
    ply_ms: Option<u64>,
    /// For a side's whole game.
    #[serde(default)]
    game_ms: Option<u64>,
    /// Added after each ply.
    #[serde(default)]
    increment_ms: Option<u64>,
}

/// Both seats.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatsRequest {
    /// The first mover.
    black: SeatRequest,
    /// The other one.
    white: SeatRequest,
}

/// Who is to sit in a seat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum SeatRequest {
    /// The one who asks.
    Me,
    /// Whoever comes.
    Open,
    /// A built-in player.
    Builtin {
        /// Its level.
        level: String,
    },
    /// An engine of the server's list.
    Engine {
        /// Its name.
        name: String,
    },
}

/// A room that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Made {
    /// The room.
    pub(crate) room: RoomFace,
    /// The link for whoever is to take the open seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) join: Option<String>,
}

impl TimeRequest {
    fn control(self) -> Result<TimeControl, ApiError> {
        const DAY: u64 = 24 * 60 * 60 * 1000;
        let within = |field: &str, value: Option<u64>, least: u64, most: u64| match value {
            Some(value) if !(least..=most).contains(&value) => Err(ApiError::field(
                field,
                format!("{field} must be between {least} and {most}"),
                format!("{field} 必须在 {least} 和 {most} 之间"),
            )),
            value => Ok(value.map(Duration::from_millis)),
        };
        Ok(TimeControl {
            ply: within("ply_ms", self.ply_ms, 100, DAY)?,
            game: within("game_ms", self.game_ms, 1000, 7 * DAY)?,
            increment: within("increment_ms", self.increment_ms, 0, DAY / 24)?,
            ..TimeControl::default()
        })
    }
}

fn seat_row(app: &App, game: &str, wanted: &SeatRequest, field: &str, visitor: &Visitor) -> Result<SeatRow, ApiError> {
    Ok(match wanted {
        SeatRequest::Me => {
            SeatRow { kind: SeatKind::Person, visitor: Some(visitor.id), name: visitor.name.clone(), level: None }
        }
        SeatRequest::Open => SeatRow { kind: SeatKind::Open, visitor: None, name: String::new(), level: None },
        SeatRequest::Engine { name } => {
            if !app.settings.engines.iter().any(|offer| offer.name == *name && offer.game == game) {
                let (en, zh) = ("this server offers no such engine for this game", "本服务器没有提供该棋种的这个引擎");
                return Err(ApiError::field(field, en, zh));
            }
            SeatRow { kind: SeatKind::Engine, visitor: None, name: name.clone(), level: None }
        }
        SeatRequest::Builtin { level } => {
            let listing = self::game(game)?;
            let known = engines::styles(listing).find(|(name, ..)| name.eq_ignore_ascii_case(level));
            let Some((name, ..)) = known else {
                let known: Vec<&str> = engines::styles(listing).map(|(name, ..)| *name).collect();
                let known = known.join(", ");
                return Err(ApiError::field(
                    field,
                    format!("no built-in player has this level; there are: {known}"),
                    format!("没有这个级别的内置引擎；可用：{known}"),
                ));
            };
            let level = Some((*name).to_owned());
            SeatRow { kind: SeatKind::Builtin, visitor: None, name: format!("boyi-{name}"), level }
        }
    })
}

fn check_seats(seats: &SeatsRequest) -> Result<(), ApiError> {
    match (&seats.black, &seats.white) {
        (SeatRequest::Me, SeatRequest::Me) => Err(ApiError::field(
            "seats",
            "you cannot sit on both sides; leave one seat open and send the link",
            "不能同时坐在双方；请留出一个空位并分享链接",
        )),
        (SeatRequest::Open, other) | (other, SeatRequest::Open) if *other != SeatRequest::Me => Err(ApiError::field(
            "seats",
            "an open seat is for your opponent: take the other one yourself",
            "空位是留给对手的，另一方请自己坐下",
        )),
        _ => Ok(()),
    }
}

/// Refuses clocks with which an engine's game could last for days: there are few places for engines, and somebody who
/// does not move must lose his.
pub(crate) fn check_engine_clock(time: &TimeControl) -> Result<(), ApiError> {
    const PLY: Duration = Duration::from_secs(5 * 60);
    const GAME: Duration = Duration::from_secs(2 * 60 * 60);
    let within = |time: Option<Duration>, most| time.is_some_and(|time| time <= most);
    let small_increment = time.increment.is_none_or(|increment| increment <= PLY);
    if within(time.ply, PLY) || within(time.game, GAME) && small_increment {
        return Ok(());
    }
    let (ply, game) = (PLY.as_millis(), GAME.as_millis());
    Err(ApiError::field(
        "time",
        format!(
            "an engine needs a clock that ends, or its place would be taken for days: give time.ply_ms of at most {ply}, \
             or time.game_ms of at most {game} with time.increment_ms of at most {ply}"
        ),
        format!(
            "有引擎参加的对局必须有较短的时限，否则引擎会被长期占用：请给出不超过 {ply} 的 time.ply_ms，\
             或不超过 {game} 的 time.game_ms（time.increment_ms 不超过 {ply}）"
        ),
    ))
}

/// Makes a room.
#[utoipa::path(post, path = "/api/rooms", tag = "rooms", request_body = RoomRequest,
    responses((status = 201, body = Made), (status = 422, description = "what cannot be done, with the field"), (status = 429, description = "too many"), (status = 503, description = "the server is full")))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    address: Address,
    guest: Guest,
    Body(request): Body<RoomRequest>,
) -> Result<(StatusCode, Json<Made>), ApiError> {
    let listing = game(&request.game)?;
    check_seats(&request.seats)?;
    let time = match request.time {
        Some(time) => time.control()?,
        None => TimeControl { ply: None, ..TimeControl::default() },
    };
    let open = [&request.seats.black, &request.seats.white].contains(&&SeatRequest::Open);
    let engine = |seat: &SeatRequest| matches!(seat, SeatRequest::Engine { .. });
    if engine(&request.seats.black) || engine(&request.seats.white) {
        check_engine_clock(&time)?;
    }
    if listing.facts().hidden && (request.position.is_some() || open && !request.plies.is_empty()) {
        return Err(ApiError::field(
            "position",
            "a game with hidden things starts from the beginning: whoever chooses the position would know too much",
            "含隐藏信息的棋种只能从头开始，否则选局面的人会知道得太多",
        ));
    }
    let (variant, position, plies) = (request.variant, request.position, request.plies);
    let opened = tokio::task::spawn_blocking(move || {
        let mut table = listing.open(&variant, position.as_deref()).map_err(|error| ApiError::open(&error))?;
        let opening = play_opening(table.as_mut(), &plies)?;
        if table.verdict().is_some() {
            return Err(ApiError::field("position", "the game is over in this position", "此局面下对局已经结束"));
        }
        Ok((table, opening, position))
    });
    let (table, opening, position) = opened.await??;
    app.limits.room(address)?;
    let visitor = guest.or_new(&app).await?;
    let seats = [
        seat_row(&app, listing.facts().id, &request.seats.black, "seats.black", &visitor)?,
        seat_row(&app, listing.facts().id, &request.seats.white, "seats.white", &visitor)?,
    ];
    let new = NewRoom {
        game: listing,
        variant: table.variant(),
        position,
        table,
        opening,
        time,
        seats,
        public: request.public,
        private: request.private,
        creator: visitor.id,
        address: address.0,
    };
    let (room, token) = app.rooms.create(new).await?;
    let join = match token {
        Some(token) => Some(format!("/room/{}?join={token}", room.id)),
        None => open.then(|| format!("/room/{}", room.id)),
    };
    let face = tokio::task::spawn_blocking(move || room.face(Some(visitor.id))).await??;
    Ok((StatusCode::CREATED, Json(Made { room: face, join })))
}

/// Which rooms.
#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    /// `waiting`, `live` or `finished`.
    state: Option<Phase>,
    /// Only this game.
    game: Option<String>,
    /// `black`, `white`, `draw` or `none`.
    result: Option<GameResult>,
    /// Only with somebody of this name.
    player: Option<String>,
    /// `1`: only rooms you sit in, listed or not.
    mine: Option<Switch>,
    /// At most 100.
    limit: Option<u32>,
    /// The cursor of the page before.
    after: Option<i64>,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoomPage {
    /// The newest first.
    items: Vec<Summary>,
    /// The cursor of the next page.
    next: Option<i64>,
}

/// Lists rooms, the newest first. A page of one person's or one name's games may be short and still have a next one.
#[utoipa::path(get, path = "/api/rooms", tag = "rooms", params(("state" = Option<String>, Query, description = "waiting, live or finished"), ("game" = Option<String>, Query, description = "only this game"),
    ("result" = Option<String>, Query, description = "only finished rooms: black or white (who has won), draw, or none (does not count)"),
    ("player" = Option<String>, Query, description = "only rooms with somebody of this name, whole and in either case"),
    ("mine" = Option<u8>, Query, description = "1: only rooms you sit in, listed or not"), ("limit" = Option<u32>, Query, description = "at most 100"),
    ("after" = Option<i64>, Query, description = "the cursor of the page before")), responses((status = 200, body = RoomPage)))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    guest: Guest,
    Query(query): Query<ListQuery>,
) -> Result<Json<RoomPage>, ApiError> {
    let limit = page_length(query.limit, 20)?;
    let visitor = match (query.mine == Some(Switch::On), guest.id()) {
        (true, None) => return Ok(Json(RoomPage { items: Vec::new(), next: None })),
        (true, id) => id,
        (false, _) => None,
    };
    let wanted = Wanted {
        phase: query.state,
        game: query.game.as_deref().map(game).transpose()?.map(|game| game.facts().id.to_owned()),
        result: query.result,
        player: query.player.filter(|name| !name.trim().is_empty()),
        visitor,
        before: query.after,
        limit,
    };
    let page = app.rooms.store().list(&wanted).await?;
    let items = page.rows.iter().map(|row| app.rooms.summary(row, guest.id())).collect();
    Ok(Json(RoomPage { items, next: page.next }))
}

/// Which names.
#[derive(Debug, Deserialize)]
pub(crate) struct PlayersQuery {
    /// How they begin.
    #[serde(default)]
    name: String,
}

/// Names that players of listed rooms have, by how they begin; at most 10.
#[utoipa::path(get, path = "/api/players", tag = "rooms", params(("name" = Option<String>, Query, description = "how they begin, in either case")),
    responses((status = 200, description = "the names, in their order", body = Vec<String>)))]
pub(crate) async fn players(
    State(app): State<Arc<App>>,
    Query(query): Query<PlayersQuery>,
) -> Result<Json<Vec<String>>, ApiError> {
    if query.name.chars().count() > 60 {
        return Ok(Json(Vec::new()));
    }
    Ok(Json(app.rooms.store().players(&query.name, 10).await?))
}

/// A room, as far as you may know it.
#[utoipa::path(get, path = "/api/rooms/{id}", tag = "rooms", params(("id" = String, Path)),
    responses((status = 200, body = RoomFace), (status = 404, description = "no such room")))]
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path, guest: Guest) -> Result<Json<RoomFace>, ApiError> {
    let room = room_of(&app, &id).await?;
    let visitor = guest.id();
    Ok(Json(tokio::task::spawn_blocking(move || room.face(visitor)).await??))
}

/// The game from its start, frame by frame: your own eyes while it goes on, everything once it is over.
#[utoipa::path(get, path = "/api/rooms/{id}/frames", tag = "rooms", params(("id" = String, Path), ("eyes" = Option<String>, Query, description = "all, black or white, once the game is over")),
    responses((status = 200, description = "the view at the start and the frames after it", body = Object), (status = 403, description = "not yours to see yet")))]
pub(crate) async fn all_frames(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<EyesQuery>,
    guest: Guest,
) -> Result<Json<Value>, ApiError> {
    let room = room_of(&app, &id).await?;
    let (start, steps, sight) = {
        let state = room.state();
        let sight = query.sight(state.sight(guest.id()))?;
        (state.start_board()?, state.board.steps.clone(), sight)
    };
    let made = tokio::task::spawn_blocking(move || frames(&start, &steps, sight)).await?;
    let (view, frames) = made.ok_or_else(not_yours)?;
    Ok(Json(json!({ "eyes": sight, "view": view, "frames": frames })))
}

/// Whose eyes.
#[derive(Debug, Deserialize)]
pub(crate) struct EyesQuery {
    /// `all`, `black` or `white`: once a game is over it can be seen with any eyes.
    eyes: Option<String>,
}

impl EyesQuery {
    /// The eyes asked for, where somebody with these eyes may look through them.
    pub(crate) fn sight(&self, own: Sight) -> Result<Sight, ApiError> {
        let wanted = match self.eyes.as_deref() {
            None => return Ok(own),
            Some("all") => Sight::All,
            Some("black") => Sight::Black,
            Some("white") => Sight::White,
            Some(_) => {
                return Err(ApiError::bad_request("eyes are all, black or white", "eyes 只能是 all、black 或 white"));
            }
        };
        if own == Sight::All || own == wanted { Ok(wanted) } else { Err(not_yours()) }
    }
}

pub(crate) fn not_yours() -> ApiError {
    ApiError::forbidden(
        "hidden",
        "this game hides things and goes on: only its players see their boards until it is over",
        "这局棋含隐藏信息且尚未结束，结束前只有对局者能看到自己的棋盘",
    )
}

/// The clicks made so far.
#[derive(Debug, Deserialize)]
pub(crate) struct PathQuery {
    /// Spots, separated by commas.
    #[serde(default)]
    path: String,
}

/// What may be clicked after these clicks, for the seat on turn.
#[utoipa::path(get, path = "/api/rooms/{id}/clicks", tag = "play", params(("id" = String, Path), ("path" = Option<String>, Query, description = "spots clicked so far: 3,17")),
    responses((status = 200, description = "the next clicks", body = Vec<Object>), (status = 403, description = "you do not play here")))]
pub(crate) async fn clicks(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<PathQuery>,
    guest: Guest,
) -> Result<Json<Value>, ApiError> {
    let wrong = || ApiError::bad_request("path is a list of spots: 3,17", "path 是以逗号分隔的位置编号：3,17");
    let path: Vec<u16> = match query.path.trim() {
        "" => Vec::new(),
        text => text.split(',').map(|spot| spot.trim().parse().map_err(|_| wrong())).collect::<Result<_, _>>()?,
    };
    if path.len() > 200 {
        return Err(wrong());
    }
    let room = room_of(&app, &id).await?;
    let side = guest.id().and_then(|visitor| room.side_of(visitor)).ok_or_else(ApiError::not_a_player)?;
    let table = room.state().board.table.fork();
    let clicks = tokio::task::spawn_blocking(move || table.clicks(games::Eyes::Seat(side), &path)).await?;
    Ok(Json(serde_json::to_value(clicks).unwrap_or_default()))
}

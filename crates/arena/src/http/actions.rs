//! What players do in a room.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::Side;
use referee::Decision;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::body::{Body, Path};
use super::error::ApiError;
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{Fact, Offer, Outcome, Room, RoomFace, RoomState, Rooms, Stop, over};
use crate::secret;
use crate::store::{Change, Phase, SeatKind, SeatRow, Visitor};

/// How long an answer of the referee is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// So many lines does one side say in a room, and so many do all those say together who do not play there.
const MOST_SAID: usize = 500;
const MOST_SAID_BY_STRANGERS: usize = 200;
/// So many offers does one side make. Everything else happens once, or as an answer to these.
const MOST_OFFERED: usize = 200;
/// The longest line of talk, in characters.
const LONGEST_LINE: usize = 500;
/// The longest name, in characters.
pub(crate) const LONGEST_NAME: usize = 30;

fn done() -> Json<Value> {
    Json(json!({ "ok": true }))
}

/// The room and the seat of the one who asks.
async fn seated(app: &App, id: &str, guest: &Guest) -> Result<(Arc<Room>, Side, Visitor), ApiError> {
    let room = room_of(app, id).await?;
    let visitor = guest.known.clone().ok_or_else(ApiError::not_a_player)?;
    let side = room.side_of(visitor.id).ok_or_else(ApiError::not_a_player)?;
    app.limits.change(visitor.id)?;
    Ok((room, side, visitor))
}

fn must_be_live(room: &Room) -> Result<(), ApiError> {
    match room.state().row.phase {
        Phase::Live => Ok(()),
        Phase::Waiting => Err(ApiError::conflict("waiting", "your opponent has not come yet", "对手还没有到")),
        Phase::Finished => Err(game_over()),
    }
}

fn game_over() -> ApiError {
    ApiError::conflict("game-over", "the game is over", "对局已经结束")
}

fn no_answer() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "unavailable",
        "the referee did not answer; please try again",
        "裁判没有响应，请重试",
    )
}

/// Writes a fact on a thread that may wait for the disk.
pub(crate) async fn append<T: Send + 'static>(
    room: &Arc<Room>,
    decide: impl FnOnce(&RoomState) -> Result<(Fact, Change, T), ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let room = Arc::clone(room);
    tokio::task::spawn_blocking(move || room.append(decide)).await?
}

/// Refuses one more fact of this kind where there are so many: each kind is counted for itself, and each side, so that
/// nobody can keep others from what is theirs to do.
fn at_most(most: usize, state: &RoomState, same: impl Fn(&Fact) -> bool) -> Result<(), ApiError> {
    let count = state.facts.iter().filter(|(_, fact)| same(fact)).count();
    (count < most).then_some(()).ok_or_else(|| {
        ApiError::too_many(
            "room-full",
            "so much was said and asked in this room that it takes no more",
            "这个房间里的发言和请求过多，不再接受新的",
        )
    })
}

/// Writes an offer.
async fn offer(room: &Arc<Room>, offer: Offer, by: Side) -> Result<(), ApiError> {
    append(room, move |state| {
        at_most(MOST_OFFERED, state, |fact| matches!(fact, Fact::Offered { by: side, .. } if *side == by))?;
        Ok((Fact::Offered { offer, by }, Change::Nothing, ()))
    })
    .await
}

/// Waits until a game is over and its end is on disk.
async fn until_over(room: &Arc<Room>) -> Result<(), ApiError> {
    let mut changes = room.changes();
    let over = async {
        loop {
            let (phase, trouble) = {
                let state = room.state();
                (state.row.phase, state.trouble)
            };
            match (phase, trouble) {
                (Phase::Finished, _) => return Ok(()),
                (_, Some(cause)) => return Err(ApiError::store(cause)),
                _ => changes.changed().await.map_err(|_| no_answer())?,
            }
        }
    };
    tokio::time::timeout(PATIENCE, over).await.map_err(|_| no_answer())?
}

/// A ply.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlyRequest {
    /// In the notation of your seat.
    ply: String,
    /// The last event you have seen; a ply meant for another board is not played.
    #[serde(default)]
    seq: Option<usize>,
}

/// Plays a ply.
#[utoipa::path(post, path = "/api/rooms/{id}/ply", tag = "play", params(("id" = String, Path)), request_body = PlyRequest,
    responses((status = 200, description = "how it ended: played, refused or lost", body = Object), (status = 403, description = "you do not play here"),
              (status = 409, description = "not now: not your turn, or stale, with the current seq"), (status = 422, description = "an illegal ply, and why")))]
pub(crate) async fn ply(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<PlyRequest>,
) -> Result<Json<Value>, ApiError> {
    let (room, side, visitor) = seated(&app, &id, &guest).await?;
    must_be_live(&room)?;
    if request.ply.len() > 4096 {
        return Err(ApiError::field("ply", "no ply is so long", "着法过长"));
    }
    let not_your_turn = || ApiError::conflict("not-your-turn", "it is not your turn", "还没有轮到你");
    let (steps, seq) = {
        let mut state = room.state();
        let sight = state.sight(Some(visitor.id));
        let (seq, last_frame) = {
            let stream = state.stream(sight)?;
            (stream.seq(), stream.last_frame())
        };
        if request.seq.is_some_and(|seen| seen < last_frame || seen > seq) {
            return Err(stale(seq));
        }
        if state.board.running() != Some(side) {
            return Err(not_your_turn().with("seq", seq));
        }
        (state.board.steps.len(), seq)
    };
    let busy = || ApiError::conflict("busy", "another ply of yours is being played", "你的另一着正在处理");
    let waiting = room.mailbox.post(side, request.ply, steps).ok_or_else(busy)?;
    match tokio::time::timeout(PATIENCE, waiting).await {
        Ok(Ok(Outcome::Taken(end))) => Ok(Json(json!({ "ok": true, "end": end }))),
        Ok(Ok(Outcome::Illegal(fault))) => Err(ApiError::fault(&fault)),
        Ok(Ok(Outcome::Stale)) => Err(stale(seq)),
        Ok(Ok(Outcome::Over)) => Err(game_over()),
        Ok(Ok(Outcome::Failed(cause))) => Err(ApiError::store(cause)),
        Ok(Err(_)) | Err(_) => Err(no_answer()),
    }
}

fn stale(seq: usize) -> ApiError {
    ApiError::conflict("stale", "the board has changed since you looked", "局面已经变化，请查看最新局面")
        .with("seq", seq)
}

/// Gives up.
#[utoipa::path(post, path = "/api/rooms/{id}/resign", tag = "play", params(("id" = String, Path)), responses((status = 200, body = Object)))]
pub(crate) async fn resign(State(app): State<Arc<App>>, Path(id): Path, guest: Guest) -> Result<Json<Value>, ApiError> {
    let (room, side, _) = seated(&app, &id, &guest).await?;
    must_be_live(&room)?;
    room.mailbox.resign(side);
    until_over(&room).await?;
    Ok(done())
}

/// Ends a game in which not both have moved, without a result.
#[utoipa::path(post, path = "/api/rooms/{id}/abort", tag = "play", params(("id" = String, Path)), responses((status = 200, body = Object), (status = 409, description = "both have moved")))]
pub(crate) async fn abort(State(app): State<Arc<App>>, Path(id): Path, guest: Guest) -> Result<Json<Value>, ApiError> {
    let (room, _, _) = seated(&app, &id, &guest).await?;
    let (phase, begun) = {
        let state = room.state();
        (state.row.phase, Side::BOTH.into_iter().all(|side| state.board.has_played(side)))
    };
    match phase {
        Phase::Finished => return Err(game_over()),
        Phase::Live if begun => {
            return Err(ApiError::conflict(
                "begun",
                "both have moved: resign or offer a draw",
                "双方都已走子，请认输或提和",
            ));
        }
        Phase::Live => {
            // Somebody may have come this moment: what is put into the mailbox before his game begins is lost.
            app.rooms.wake(&room);
            room.mailbox.stop(Stop::Abort);
        }
        Phase::Waiting => call_off(&room).await?,
    }
    until_over(&room).await?;
    Ok(done())
}

/// Ends a game for which an opponent is waited for.
async fn call_off(room: &Arc<Room>) -> Result<(), ApiError> {
    append(room, |state| {
        // Looked at here, where nobody can come between.
        match state.row.phase {
            Phase::Waiting => {}
            Phase::Live => {
                return Err(ApiError::conflict("joined", "your opponent has just come", "对手刚刚到了"));
            }
            Phase::Finished => return Err(game_over()),
        }
        let stopped = Decision::none(&referee::decision::reasons::STOPPED, 0, referee::Evidence::default());
        let (fact, change) = over(&stopped, String::new(), None);
        Ok((fact, change, ()))
    })
    .await
}

/// What to do about an offer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoRequest {
    /// `offer` (or `ask`), `accept` or `decline`.
    r#do: Deed,
}

/// What one does about an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deed {
    /// Make it.
    #[serde(alias = "ask")]
    Offer,
    /// Say yes.
    Accept,
    /// Say no.
    Decline,
}

fn nothing_offered() -> ApiError {
    ApiError::conflict("nothing-offered", "your opponent has not asked for this", "对手没有提出这个请求")
}

/// Offers, accepts or declines a draw. A built-in player always plays on.
#[utoipa::path(post, path = "/api/rooms/{id}/draw", tag = "play", params(("id" = String, Path)), request_body = DoRequest,
    responses((status = 200, description = "answer: offered, agreed or declined", body = Object), (status = 409, description = "nothing was offered")))]
pub(crate) async fn draw(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<DoRequest>,
) -> Result<Json<Value>, ApiError> {
    let (room, side, _) = seated(&app, &id, &guest).await?;
    must_be_live(&room)?;
    let (theirs, person) = {
        let state = room.state();
        (state.board.offers.draw == Some(side.other()), state.row.seats[side.other().index()].kind == SeatKind::Person)
    };
    match request.r#do {
        Deed::Offer if !person => Ok(Json(json!({
            "ok": true,
            "answer": "declined",
            "message": { "en": "the program plays on", "zh": "引擎要继续下" },
        }))),
        Deed::Offer | Deed::Accept if theirs => {
            room.mailbox.agree_draw();
            until_over(&room).await?;
            Ok(Json(json!({ "ok": true, "answer": "agreed" })))
        }
        Deed::Offer => {
            offer(&room, Offer::Draw, side).await?;
            Ok(Json(json!({ "ok": true, "answer": "offered" })))
        }
        Deed::Accept => Err(nothing_offered()),
        Deed::Decline if theirs => {
            append(&room, move |_| Ok((Fact::Declined { offer: Offer::Draw, by: side }, Change::Nothing, ()))).await?;
            Ok(Json(json!({ "ok": true, "answer": "declined" })))
        }
        Deed::Decline => Err(nothing_offered()),
    }
}

/// Asks for a take-back, or answers the opponent's. A built-in player agrees at once; hidden games have none.
#[utoipa::path(post, path = "/api/rooms/{id}/takeback", tag = "play", params(("id" = String, Path)), request_body = DoRequest,
    responses((status = 200, description = "answer: asked, done or declined", body = Object), (status = 409, description = "there is nothing to take back, or the game has no take-back")))]
pub(crate) async fn takeback(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<DoRequest>,
) -> Result<Json<Value>, ApiError> {
    let (room, side, _) = seated(&app, &id, &guest).await?;
    must_be_live(&room)?;
    let (theirs, opponent, hidden, played) = {
        let state = room.state();
        let theirs = state.board.offers.takeback == Some(side.other());
        (theirs, state.row.seats[side.other().index()].kind, state.board.is_hidden(), state.board.has_played(side))
    };
    if opponent == SeatKind::Engine {
        return Err(ApiError::conflict("no-takeback", "an engine cannot be led back", "引擎不能悔棋"));
    }
    let person = opponent == SeatKind::Person;
    if hidden {
        return Err(ApiError::conflict(
            "no-takeback",
            "what was learned cannot be unlearned: games with hidden things have no take-back",
            "看到的信息收不回来：含隐藏信息的棋种不能悔棋",
        ));
    }
    let back_to = match request.r#do {
        Deed::Offer if !played => {
            return Err(ApiError::conflict("nothing-to-take-back", "you have not played yet", "你还没有走过棋"));
        }
        Deed::Offer if !person => side,
        Deed::Offer => {
            offer(&room, Offer::TakeBack, side).await?;
            return Ok(Json(json!({ "ok": true, "answer": "asked" })));
        }
        Deed::Accept if theirs => side.other(),
        Deed::Decline if theirs => {
            append(&room, move |_| Ok((Fact::Declined { offer: Offer::TakeBack, by: side }, Change::Nothing, ())))
                .await?;
            return Ok(Json(json!({ "ok": true, "answer": "declined" })));
        }
        Deed::Accept | Deed::Decline => return Err(nothing_offered()),
    };
    let waiting = room.mailbox.take_back(back_to);
    match tokio::time::timeout(PATIENCE, waiting).await {
        Ok(Ok(Outcome::Taken(_))) => Ok(Json(json!({ "ok": true, "answer": "done" }))),
        Ok(Ok(Outcome::Over)) => Err(game_over()),
        Ok(Ok(Outcome::Failed(cause))) => Err(ApiError::store(cause)),
        _ => Err(no_answer()),
    }
}

/// Something to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatRequest {
    /// At most 500 characters.
    text: String,
}

/// A text without control characters, of at most so many characters; `None` when nothing is left.
pub(crate) fn clean(text: &str, longest: usize) -> Option<String> {
    let kept: String = text.chars().filter(|character| !character.is_control()).collect();
    let kept = kept.trim();
    (!kept.is_empty() && kept.chars().count() <= longest).then(|| kept.to_owned())
}

/// Says something to everybody in the room.
#[utoipa::path(post, path = "/api/rooms/{id}/chat", tag = "rooms", params(("id" = String, Path)), request_body = ChatRequest, responses((status = 200, body = Object)))]
pub(crate) async fn chat(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<ChatRequest>,
) -> Result<Json<Value>, ApiError> {
    let room = room_of(&app, &id).await?;
    let text = clean(&request.text, LONGEST_LINE).ok_or_else(|| {
        ApiError::field("text", format!("1 to {LONGEST_LINE} characters"), format!("1 到 {LONGEST_LINE} 个字符"))
    })?;
    let visitor = guest.or_new(&app).await?;
    app.limits.change(visitor.id)?;
    append(&room, move |state| {
        let side = state.row.side_of(visitor.id);
        let most = if side.is_some() { MOST_SAID } else { MOST_SAID_BY_STRANGERS };
        at_most(most, state, |fact| matches!(fact, Fact::Said { side: who, .. } if *who == side))?;
        Ok((Fact::Said { side, name: visitor.name, text }, Change::Nothing, ()))
    })
    .await?;
    Ok(done())
}

/// The token of an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    /// From the link, where the room is private.
    #[serde(default)]
    token: String,
    /// The seat one thinks is open.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    seat: Option<Side>,
}

/// Takes the open seat.
#[utoipa::path(post, path = "/api/rooms/{id}/join", tag = "play", params(("id" = String, Path)), request_body = JoinRequest,
    responses((status = 200, body = RoomFace), (status = 403, description = "a wrong token"), (status = 409, description = "the seat is taken")))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<JoinRequest>,
) -> Result<Json<RoomFace>, ApiError> {
    let room = room_of(&app, &id).await?;
    check_join(&room.state(), guest.id(), &request)?;
    let visitor = guest.or_new(&app).await?;
    app.limits.change(visitor.id)?;
    take_seat(&app, &room, &visitor, request).await?;
    Ok(Json(tokio::task::spawn_blocking(move || room.face(Some(visitor.id))).await??))
}

/// Takes the seat that is kept for a visitor, if one is still free.
pub(crate) async fn join_reserved(app: &App, room: &Arc<Room>, visitor: &Visitor) -> Result<(), ApiError> {
    let kept = {
        let state = room.state();
        Rooms::open_side(&state.row).is_some_and(|side| state.row.seats[side.index()].visitor == Some(visitor.id))
    };
    if kept { take_seat(app, room, visitor, JoinRequest { token: String::new(), seat: None }).await } else { Ok(()) }
}

async fn take_seat(app: &App, room: &Arc<Room>, visitor: &Visitor, request: JoinRequest) -> Result<(), ApiError> {
    let visitor = visitor.clone();
    append(room, move |state| {
        // Checked here, where nobody else can come between.
        let side = check_join(state, Some(visitor.id), &request)?;
        let seat =
            SeatRow { kind: SeatKind::Person, visitor: Some(visitor.id), name: visitor.name.clone(), level: None };
        let fact = Fact::Seated { side, visitor: visitor.id, name: visitor.name };
        Ok((fact, Change::Seated { side: side.index(), seat }, ()))
    })
    .await?;
    app.rooms.wake(room);
    Ok(())
}

fn check_join(state: &RoomState, visitor: Option<i64>, request: &JoinRequest) -> Result<Side, ApiError> {
    let taken = || ApiError::conflict("seat-taken", "the seat is taken", "座位已经有人了");
    let side = Rooms::open_side(&state.row).filter(|_| state.row.phase == Phase::Waiting).ok_or_else(taken)?;
    if request.seat.is_some_and(|wanted| wanted != side) {
        return Err(taken());
    }
    if visitor.is_some_and(|visitor| state.row.seats[side.other().index()].visitor == Some(visitor)) {
        return Err(ApiError::conflict(
            "own-room",
            "you already sit on the other side; send the link to somebody",
            "你已坐在另一方，请把链接发给对手",
        ));
    }
    let reserved = state.row.seats[side.index()].visitor;
    let invited = match reserved {
        Some(guest) => visitor == Some(guest),
        // A room without a token is its own invitation.
        None => state.row.join_hash.as_deref().is_none_or(|hash| secret::matches(&request.token, hash)),
    };
    if invited {
        Ok(side)
    } else {
        Err(ApiError::forbidden("bad-token", "this link does not give a seat here", "此链接不能入座"))
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;
    use referee::TimeControl;

    use super::*;
    use crate::store::{RoomRow, Store};

    #[test]
    fn a_room_somebody_has_just_joined_is_not_called_off_as_one_that_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (store, _stored) = Store::open(folder.path()).await.expect("a store");
            let seat = SeatRow { kind: SeatKind::Person, visitor: Some(1), name: String::new(), level: None };
            for phase in [Phase::Live, Phase::Finished] {
                let row = RoomRow {
                    number: 1,
                    id: "room".to_owned(),
                    game: "tiaojia".to_owned(),
                    variant: Value::Null,
                    position: None,
                    time: TimeControl::default(),
                    public: false,
                    creator: 1,
                    created: 0,
                    started: Some(0),
                    finished: None,
                    phase,
                    plies: 0,
                    seed: 0,
                    join_hash: None,
                    verdict: None,
                    seats: [seat.clone(), seat.clone()],
                };
                let room = Arc::new(Room::load(row, Vec::new(), store.writer().clone()).expect("a room"));
                let refused = call_off(&room).await.expect_err("it does not wait").into_response();
                assert_eq!(refused.status(), StatusCode::CONFLICT);
                let state = room.state();
                assert!(state.row.phase == phase && state.facts.is_empty(), "it was ended all the same");
            }
        });
    }
}

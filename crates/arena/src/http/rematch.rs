//! Playing again, with colours swapped.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::actions::{append, join_reserved};
use super::body::Path;
use super::error::ApiError;
use super::limits::Address;
use super::rooms::check_engine_clock;
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{Fact, NewRoom};
use crate::store::{Change, Phase, SeatKind, SeatRow};

/// A new game of the same two with colours swapped. The first to ask makes the room; the other one, who has a seat kept
/// for him there, joins it by asking too.
#[utoipa::path(post, path = "/api/rooms/{id}/rematch", tag = "play", params(("id" = String, Path)),
    responses((status = 200, description = "the new room", body = Object), (status = 409, description = "the game goes on")))]
pub(crate) async fn rematch(
    State(app): State<Arc<App>>,
    Path(id): Path,
    address: Address,
    guest: Guest,
) -> Result<Json<Value>, ApiError> {
    let old = room_of(&app, &id).await?;
    let visitor = guest.known.clone().ok_or_else(ApiError::not_a_player)?;
    let side = old.side_of(visitor.id).ok_or_else(ApiError::not_a_player)?;
    app.limits.change(visitor.id)?;
    let _one_of_the_two = old.rematching.lock().await;
    let (row, made) = {
        let state = old.state();
        (state.row.clone(), state.board.rematch.clone())
    };
    if row.phase != Phase::Finished {
        return Err(ApiError::conflict("goes-on", "the game is not over", "对局尚未结束"));
    }
    let room = match made {
        Some(id) => {
            let room = room_of(&app, &id).await?;
            join_reserved(&app, &room, &visitor).await?;
            room
        }
        None => {
            let table = old.game.open(&row.variant, row.position.as_deref()).map_err(|error| ApiError::open(&error))?;
            let mut seats = [row.seats[1].clone(), row.seats[0].clone()];
            seats[side.other().index()] =
                SeatRow { kind: SeatKind::Person, visitor: Some(visitor.id), name: visitor.name.clone(), level: None };
            let theirs = &mut seats[side.index()];
            if theirs.kind == SeatKind::Person {
                theirs.kind = SeatKind::Open;
            }
            let new = NewRoom {
                game: old.game,
                variant: row.variant.clone(),
                position: row.position.clone(),
                table,
                opening: Vec::new(),
                time: row.time,
                seats,
                public: row.public,
                private: false,
                creator: visitor.id,
                address: address.0,
            };
            if new.seats.iter().any(|seat| seat.kind == SeatKind::Engine) {
                check_engine_clock(&new.time)?;
            }
            app.limits.room(address)?;
            let (room, _) = app.rooms.create(new).await?;
            let name = room.id.clone();
            append(&old, move |_| Ok((Fact::Rematch { room: name, by: side }, Change::Nothing, ()))).await?;
            room
        }
    };
    let face = tokio::task::spawn_blocking(move || room.face(Some(visitor.id))).await??;
    Ok(Json(json!({ "room": face })))
}

//! Plies that place many pieces at once: the form, and the ply that a filled form makes.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use games::SetUpForm;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::body::{Body, Path};
use super::error::ApiError;
use super::visitor::Guest;
use super::{App, room_of};

/// The form of the next ply of the one who asks.
async fn form(app: &App, id: &str, guest: &Guest) -> Result<SetUpForm, ApiError> {
    let room = room_of(app, id).await?;
    let side = guest.id().and_then(|visitor| room.side_of(visitor)).ok_or_else(ApiError::not_a_player)?;
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(crate::rooms::RoomsError::Random)?;
    let state = room.state();
    if state.board.running() != Some(side) {
        return Err(ApiError::conflict("not-your-turn", "it is not your turn", "还没有轮到你"));
    }
    let none = || ApiError::conflict("no-set-up", "nothing is to be set up now", "现在不需要布阵");
    state.board.table.set_up_form(&mut Xoshiro256PlusPlus::from_seed(seed)).ok_or_else(none)
}

/// What is to be set up, and one way to do it; another one each time.
#[utoipa::path(get, path = "/api/rooms/{id}/setup", tag = "play", params(("id" = String, Path)),
    responses((status = 200, description = "tiles, spots and a suggestion", body = Object), (status = 403, description = "you do not sit here"), (status = 409, description = "nothing is to be set up")))]
pub(crate) async fn get(State(app): State<Arc<App>>, Path(id): Path, guest: Guest) -> Result<Json<Value>, ApiError> {
    let form = form(&app, &id, &guest).await?;
    let suggestion: Map<String, Value> = form
        .spots
        .iter()
        .zip(&form.suggestion)
        .map(|(spot, tile)| (spot.spot.to_string(), tile.as_str().into()))
        .collect();
    Ok(Json(json!({
        "tiles": form.tiles,
        "spots": form.spots,
        "suggestion": suggestion,
        "ply-format": "the ids of the tiles in the order of the spots",
    })))
}

/// A filled form.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUpRequest {
    /// The tile of each spot.
    #[schema(value_type = Object)]
    placement: HashMap<u16, String>,
}

/// The ply that places these pieces; it is not played yet.
#[utoipa::path(post, path = "/api/rooms/{id}/setup", tag = "play", params(("id" = String, Path)), request_body = SetUpRequest,
    responses((status = 200, description = "the ply", body = Object), (status = 422, description = "which place is wrong")))]
pub(crate) async fn compose(
    State(app): State<Arc<App>>,
    Path(id): Path,
    guest: Guest,
    Body(request): Body<SetUpRequest>,
) -> Result<Json<Value>, ApiError> {
    let form = form(&app, &id, &guest).await?;
    let ply = form
        .compose(&request.placement)
        .map_err(|fault| ApiError::fault(&fault).with("place", fault.place.as_str()))?;
    Ok(Json(json!({ "ply": ply })))
}

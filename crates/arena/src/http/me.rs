//! Who one is.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::App;
use super::actions::{LONGEST_NAME, clean};
use super::body::Body;
use super::course::Who;
use super::error::ApiError;
use super::visitor::Guest;
use crate::store::Command;

/// A visitor as he sees himself.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// Without an account.
    guest: bool,
    /// The name others see in rooms; nothing before one has done something.
    name: Option<String>,
    /// The account, where one is signed in.
    #[schema(value_type = Option<Object>)]
    account: Option<course::Account>,
    /// Whether this server judges submissions.
    course: bool,
}

/// Who you are here.
#[utoipa::path(get, path = "/api/me", tag = "me", responses((status = 200, body = Me)))]
pub(crate) async fn get(State(app): State<Arc<App>>, guest: Guest, who: Who) -> Json<Me> {
    Json(me(&app, guest.known.map(|visitor| visitor.name), &who))
}

fn me(app: &App, name: Option<String>, who: &Who) -> Me {
    let account = who.account().cloned();
    Me { guest: account.is_none(), name, account, course: app.course.strength.is_some() }
}

/// A name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameRequest {
    /// At most 30 characters, shown as text.
    name: String,
}

/// Takes a name; rooms made before keep the old one.
#[utoipa::path(post, path = "/api/me", tag = "me", request_body = NameRequest, responses((status = 200, body = Me)))]
pub(crate) async fn set(
    State(app): State<Arc<App>>,
    guest: Guest,
    who: Who,
    Body(request): Body<NameRequest>,
) -> Result<Json<Me>, ApiError> {
    let name = clean(&request.name, LONGEST_NAME).ok_or_else(|| {
        ApiError::field("name", format!("1 to {LONGEST_NAME} characters"), format!("1 到 {LONGEST_NAME} 个字符"))
    })?;
    let visitor = guest.or_new(&app).await?;
    app.limits.change(visitor.id)?;
    app.rooms.store().writer().write(Command::Rename { visitor: visitor.id, name: name.clone() }).await?;
    Ok(Json(me(&app, Some(name), &who)))
}

/// The program's version.
#[utoipa::path(get, path = "/api/version", tag = "me", responses((status = 200, body = Object)))]
pub(crate) async fn version() -> Json<Value> {
    Json(json!({ "name": "boyi", "version": env!("CARGO_PKG_VERSION"), "api": 1 }))
}

//! The course judge's part of the HTTP interface.

mod accounts;
mod contests;
mod events;
mod export;
mod faces;
mod matches;
mod reach;
mod scoreboard;
mod sign_in;
mod submissions;
pub(super) mod who;

use axum::Json;
use axum::http::StatusCode;
use course::{Contest, StoreError};
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use vault::Cause;

use super::App;
use super::error::ApiError;

pub(crate) use who::Who;

/// The routes of the course judge.
pub(super) fn routes() -> OpenApiRouter<std::sync::Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(sign_in::redeem))
        .routes(routes!(sign_in::sign_out))
        .routes(routes!(sign_in::rename))
        .routes(routes!(sign_in::change_password))
        .routes(routes!(sign_in::sessions))
        .routes(routes!(sign_in::end_session))
        .routes(routes!(sign_in::end_others))
        .routes(routes!(accounts::list, accounts::add))
        .routes(routes!(accounts::import))
        .routes(routes!(accounts::reset))
        .routes(routes!(accounts::set_role))
        .routes(routes!(accounts::set_groups))
        .routes(routes!(accounts::groups))
        .routes(routes!(reach::addresses))
        .routes(routes!(accounts::set_active))
        .routes(routes!(contests::languages))
        .routes(routes!(contests::list, contests::create))
        .routes(routes!(contests::one))
        .routes(routes!(contests::settings))
        .routes(routes!(contests::lock))
        .routes(routes!(contests::freeze))
        .routes(routes!(contests::announce))
        .routes(routes!(contests::unannounce))
        .routes(routes!(contests::rejudge))
        .routes(routes!(scoreboard::scoreboard))
        .routes(routes!(scoreboard::cross))
        .routes(routes!(scoreboard::history))
        .routes(routes!(scoreboard::losses))
        .routes(routes!(events::events))
        .routes(routes!(submissions::submit, submissions::list))
        .routes(routes!(submissions::one))
        .routes(routes!(submissions::source))
        .routes(routes!(submissions::disqualify))
        .routes(routes!(submissions::rejudge))
        .routes(routes!(submissions::challenge))
        .routes(routes!(matches::one))
        .routes(routes!(matches::game))
        .routes(routes!(matches::game_frames))
        .routes(routes!(matches::game_record))
        .routes(routes!(matches::game_picture))
        .routes(routes!(matches::game_log))
        .routes(routes!(matches::game_input))
        .routes(routes!(export::grades))
        .routes(routes!(export::records))
        .routes(routes!(export::sources))
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Taken("nickname") => {
                Self::conflict("nickname-taken", "somebody has this nickname", "这个昵称已被使用")
            }
            StoreError::Taken("id") => {
                Self::conflict("id-taken", "there is a contest of this id", "已有这个编号的比赛")
            }
            StoreError::Taken(_) => Self::conflict("name-taken", "there is an account of this name", "已有这个账号"),
            StoreError::Missing(_) => nothing(),
            error => {
                tracing::error!(%error, "a request could not be answered");
                Self::store(error.cause().unwrap_or(Cause::Other))
            }
        }
    }
}

/// What is not there, or not for the one who asks.
fn nothing() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "not-found",
        "there is no such thing, or it is not yours to see",
        "不存在，或无权查看",
    )
}

fn done() -> Json<Value> {
    Json(json!({ "ok": true }))
}

/// The contest of an address. One that is not open to who asks is not there for him, here and behind every other
/// address.
async fn contest_of(app: &App, who: &Who, id: &str) -> Result<Contest, ApiError> {
    let found = app.course.store.contest(id).await?;
    found.filter(|contest| contest.admits(who.account())).ok_or_else(nothing)
}

/// The contest of something that he asks for by its number.
async fn contest_with(app: &App, who: &Who, number: i64) -> Result<Contest, ApiError> {
    let contest = app.course.store.contest_numbered(number).await?;
    if contest.admits(who.account()) { Ok(contest) } else { Err(nothing()) }
}

/// A number of an address; what is none is not there.
fn number(text: &str) -> Result<i64, ApiError> {
    text.parse().map_err(|_| nothing())
}

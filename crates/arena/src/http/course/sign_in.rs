//! Signing in and out, passwords, nicknames, sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use course::{Account, AccountChange, Slow, Visit, clean, looks_like_code, password_problem};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::App;
use super::super::actions::LONGEST_NAME;
use super::super::body::{Body, Path};
use super::super::error::ApiError;
use super::super::limits::Address;
use super::{Who, done, nothing, number};

fn wrong() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "wrong-sign-in", "the name or the password is wrong", "账号或密码错误")
}

/// The same for somebody who typed his one-time code. What he typed says so, whoever he says he is: the answer tells
/// nothing about the name.
fn wrong_with(password: &str) -> ApiError {
    if !looks_like_code(password) {
        return wrong();
    }
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "code-as-password",
        "the name or the password is wrong; this looks like a one-time code: use it at /welcome and set a password",
        "账号或密码错误。你输入的像是一次性登录码：请到“用登录码登录”页面（/welcome）使用它，并设置密码",
    )
}

fn slow(slow: Slow) -> ApiError {
    let seconds = slow.0.as_secs() + 1;
    ApiError::too_many(
        "slow-down",
        &format!("too many wrong tries; wait {seconds} s"),
        &format!("尝试次数过多，请等待 {seconds} 秒"),
    )
    .with("retry_ms", slow.0.as_millis() as u64)
}

/// A name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInRequest {
    /// A student's number.
    name: String,
    /// The password.
    password: String,
}

/// Signs in; the session is a new one each time.
#[utoipa::path(post, path = "/api/sign-in", tag = "account", request_body = SignInRequest,
    responses((status = 200, body = Object), (status = 401, description = "wrong name or password"), (status = 429, description = "too many wrong tries")))]
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    who: Who,
    address: Address,
    Body(request): Body<SignInRequest>,
) -> Result<Json<Value>, ApiError> {
    let (name, address) = (request.name.trim(), address.0.to_string());
    let course = &app.course;
    course.guard.begin(name, &address).map_err(slow)?;
    let found = course.store.account_named(name).await?;
    let kept = found.as_ref().filter(|(account, _)| account.active).and_then(|(_, password)| password.as_deref());
    let right = request.password.len() <= 1000 && course.passwords.is_right(&request.password, kept).await;
    let (true, Some((account, _))) = (right, found) else {
        course.store.wrong_try(&course.guard, name, &address).await?;
        return Err(wrong_with(&request.password));
    };
    let token = course.store.open_session(account.id, &visit(&who, &address)).await?;
    Ok(begun(&app, &who, &account, (name, &address), &token).await)
}

/// What is kept of whoever signs in: the new session takes the place of the one that was.
fn visit<'a>(who: &'a Who, address: &'a str) -> Visit<'a> {
    Visit { instead_of: who.signed.as_ref().map(|old| old.session), address, agent: &who.agent }
}

/// A session has begun; what is left to do cannot undo that.
async fn begun(app: &App, who: &Who, account: &Account, (name, address): (&str, &str), token: &str) -> Json<Value> {
    let course = &app.course;
    if let Err(error) = course.store.right_try(&course.guard, name, address).await {
        tracing::warn!(%error, "wrong tries are remembered until the next right one");
    }
    who.set_cookie(Some(token));
    Json(json!({ "account": account }))
}

/// A one-time code and what is set with it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RedeemRequest {
    /// A student's number.
    name: String,
    /// The code as printed.
    code: String,
    /// The new password.
    password: String,
    /// What others see; the one there is when nothing is said.
    #[serde(default)]
    nickname: Option<String>,
}

/// Signs in for the first time, or after a reset.
#[utoipa::path(post, path = "/api/sign-in/code", tag = "account", request_body = RedeemRequest,
    responses((status = 200, body = Object), (status = 401, description = "the code is wrong, used or too old"), (status = 422, description = "the password or nickname cannot be taken"), (status = 429, description = "too many wrong tries")))]
pub(crate) async fn redeem(
    State(app): State<Arc<App>>,
    who: Who,
    address: Address,
    Body(request): Body<RedeemRequest>,
) -> Result<Json<Value>, ApiError> {
    let (name, address) = (request.name.trim(), address.0.to_string());
    if let Some(problem) = password_problem(&request.password, name) {
        return Err(ApiError::field("password", problem.en, problem.zh));
    }
    let nickname = request.nickname.as_deref().map(nickname).transpose()?;
    let course = &app.course;
    course.guard.begin(name, &address).map_err(slow)?;
    let hash = course.passwords.hash(&request.password).await;
    let visit = visit(&who, &address);
    let redeemed = course.store.redeem(name, &request.code, &hash, nickname.as_deref(), &visit).await?;
    let Some((account, token)) = redeemed else {
        course.store.wrong_try(&course.guard, name, &address).await?;
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "wrong-code",
            "the name or the code is wrong, or the code is used or too old: ask for a new one",
            "账号或一次性登录码有误，或登录码已使用、已过期：请向老师或助教索取新的",
        ));
    };
    course.changed().await;
    Ok(begun(&app, &who, &account, (name, &address), &token).await)
}

fn nickname(text: &str) -> Result<String, ApiError> {
    clean(text, LONGEST_NAME).ok_or_else(|| {
        ApiError::field("nickname", format!("1 to {LONGEST_NAME} characters"), format!("1 到 {LONGEST_NAME} 个字符"))
    })
}

/// Signs out.
#[utoipa::path(post, path = "/api/sign-out", tag = "account", responses((status = 200, body = Object)))]
pub(crate) async fn sign_out(State(app): State<Arc<App>>, who: Who) -> Result<Json<Value>, ApiError> {
    if let Some(signed) = &who.signed {
        app.course.store.end_session(signed.account.id, signed.session).await?;
    }
    who.set_cookie(None);
    Ok(done())
}

/// A nickname.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NicknameRequest {
    /// What others see.
    nickname: String,
}

/// Takes another nickname.
#[utoipa::path(post, path = "/api/account", tag = "account", request_body = NicknameRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 409, description = "somebody has it")))]
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    who: Who,
    Body(request): Body<NicknameRequest>,
) -> Result<Json<Value>, ApiError> {
    let id = who.student(&app)?.account.id;
    let change = AccountChange::Nickname(nickname(&request.nickname)?);
    let account = app.course.store.change_account(id, &change).await?;
    app.course.changed().await;
    Ok(Json(json!({ "account": account })))
}

/// The old and the new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRequest {
    /// The one that is.
    old: String,
    /// The one to be.
    new: String,
}

/// Sets another password; every other session ends, and this one gets a new cookie.
#[utoipa::path(post, path = "/api/account/password", tag = "account", request_body = PasswordRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in, or the old password is wrong"), (status = 422, description = "the new one cannot be taken"), (status = 429, description = "too many wrong tries")))]
pub(crate) async fn change_password(
    State(app): State<Arc<App>>,
    who: Who,
    address: Address,
    Body(request): Body<PasswordRequest>,
) -> Result<Json<Value>, ApiError> {
    let signed = who.student(&app)?;
    let (course, address, name) = (&app.course, address.0.to_string(), &signed.account.name);
    if let Some(problem) = password_problem(&request.new, name) {
        return Err(ApiError::field("new", problem.en, problem.zh));
    }
    course.guard.begin(name, &address).map_err(slow)?;
    let kept = course.store.account_named(name).await?.and_then(|(_, password)| password);
    if request.old.len() > 1000 || !course.passwords.is_right(&request.old, kept.as_deref()).await {
        course.store.wrong_try(&course.guard, name, &address).await?;
        return Err(wrong());
    }
    let hash = course.passwords.hash(&request.new).await;
    let token = course.store.set_password(signed.account.id, &hash, &visit(&who, &address)).await?;
    let _ = begun(&app, &who, &signed.account, (name, &address), &token).await;
    Ok(done())
}

/// Your sessions.
#[utoipa::path(get, path = "/api/account/sessions", tag = "account", responses((status = 200, body = Object), (status = 401, description = "not signed in")))]
pub(crate) async fn sessions(State(app): State<Arc<App>>, who: Who) -> Result<Json<Value>, ApiError> {
    let signed = who.student(&app)?;
    let items = app.course.store.sessions(signed.account.id, signed.session).await?;
    Ok(Json(json!({ "items": items })))
}

/// Ends one of your sessions.
#[utoipa::path(post, path = "/api/account/sessions/{id}/end", tag = "account", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 404, description = "none of yours")))]
pub(crate) async fn end_session(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
) -> Result<Json<Value>, ApiError> {
    let signed = who.student(&app)?;
    match app.course.store.end_session(signed.account.id, number(&id)?).await? {
        true => Ok(done()),
        false => Err(nothing()),
    }
}

/// Ends all your sessions but this one.
#[utoipa::path(post, path = "/api/account/sessions/end-others", tag = "account", responses((status = 200, body = Object), (status = 401, description = "not signed in")))]
pub(crate) async fn end_others(State(app): State<Arc<App>>, who: Who) -> Result<Json<Value>, ApiError> {
    let signed = who.student(&app)?;
    let ended = app.course.store.end_other_sessions(signed.account.id, signed.session).await?;
    Ok(Json(json!({ "ended": ended })))
}

//! Accounts, for staff.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use course::{Account, AccountChange, NewAccount, Role, clean, read_groups, read_roster};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::App;
use super::super::body::{Body, Path, Query, Switch, page_length};
use super::super::error::ApiError;
use super::{Who, nothing, number};

/// The longest number, name or group.
const LONGEST: usize = 60;

fn face(account: &Account) -> Value {
    let mut face = serde_json::to_value(account).unwrap_or_default();
    face["active"] = account.active.into();
    face["signed_in"] = (!account.first).into();
    face["code_expires"] = account.code_expires.into();
    face["created"] = account.created.into();
    face
}

/// Which accounts.
#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    #[serde(default)]
    search: String,
    role: Option<String>,
    group: Option<String>,
    after: Option<i64>,
    limit: Option<u32>,
}

fn role(word: &str) -> Result<Role, ApiError> {
    Role::find(word).ok_or_else(|| {
        ApiError::field("role", "roles are student, assistant and admin", "身份只能是 student、assistant 或 admin")
    })
}

/// Accounts (staff).
#[utoipa::path(get, path = "/api/accounts", tag = "accounts", params(("search" = Option<String>, Query), ("role" = Option<String>, Query), ("group" = Option<String>, Query), ("limit" = Option<u32>, Query), ("after" = Option<i64>, Query)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff")))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    who: Who,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let limit = page_length(query.limit, 50)?;
    let wanted = query.role.as_deref().map(role).transpose()?;
    let after = query.after.unwrap_or_default();
    let found = app.course.store.accounts(&query.search, wanted, query.group.as_deref(), after, limit + 1).await?;
    let next = (found.len() > limit as usize).then(|| found[limit as usize - 1].id);
    let items: Vec<Value> = found.iter().take(limit as usize).map(face).collect();
    Ok(Json(json!({ "items": items, "next": next })))
}

/// A new account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountRequest {
    /// What is typed to sign in.
    name: String,
    /// The person's own name.
    #[serde(default)]
    person: String,
    /// The class or group.
    #[serde(default)]
    group: String,
    /// `student` unless said otherwise.
    #[serde(default)]
    role: Option<String>,
}

/// Makes an account and its one-time code (admin).
#[utoipa::path(post, path = "/api/accounts", tag = "accounts", request_body = AccountRequest,
    responses((status = 201, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not the admin"), (status = 409, description = "the name is taken")))]
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    who: Who,
    Body(request): Body<AccountRequest>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    who.admin(&app)?;
    let bad = |field| ApiError::field(field, format!("1 to {LONGEST} characters"), format!("1 到 {LONGEST} 个字符"));
    let name = clean(&request.name, LONGEST).filter(|name| !name.contains(' ')).ok_or_else(|| bad("name"))?;
    let optional = |text: &str, field| match text.trim() {
        "" => Ok(String::new()),
        text => clean(text, LONGEST).ok_or_else(|| bad(field)),
    };
    let (person, group) = (optional(&request.person, "person")?, groups_of(&request.group)?);
    let role = request.role.as_deref().map_or(Ok(Role::Student), role)?;
    let (account, issued) = app.course.store.add_account(&NewAccount { name, person, group, role }).await?;
    let body = json!({ "account": face(&account), "code": issued.code, "expires": issued.expires });
    Ok((StatusCode::CREATED, Json(body)))
}

/// How a list is taken.
#[derive(Debug, Deserialize)]
pub(crate) struct ImportQuery {
    dry: Option<Switch>,
}

/// Takes a list of students in, all of it or nothing (admin).
#[utoipa::path(post, path = "/api/accounts/import", tag = "accounts", params(("dry" = Option<u8>, Query, description = "1: only look")), request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not the admin"), (status = 422, description = "what is wrong, line by line")))]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    who: Who,
    Query(query): Query<ImportQuery>,
    bytes: bytes::Bytes,
) -> Result<Json<Value>, ApiError> {
    who.admin(&app)?;
    let read = tokio::task::spawn_blocking(move || read_roster(&bytes)).await?;
    let roster = read.map_err(|error| {
        let more = error.more;
        let count = error.problems.len() + more;
        ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-csv",
            format!("nothing was taken: the list has {count} problems"),
            format!("名单未导入：共有 {count} 处问题"),
        )
        .with("problems", serde_json::to_value(&error.problems).unwrap_or_default())
        .with("more", more)
    })?;
    let imported = match query.dry {
        Some(Switch::On) => app.course.store.compare(&roster.entries).await?,
        _ => app.course.store.import(&roster.entries).await?,
    };
    Ok(Json(serde_json::to_value(&imported).unwrap_or_default()))
}

async fn account_of(app: &App, id: &str) -> Result<Account, ApiError> {
    app.course.store.account(number(id)?).await?.ok_or_else(nothing)
}

/// Takes a password away and gives a new one-time code (staff, for students; admin, for everybody).
#[utoipa::path(post, path = "/api/accounts/{id}/reset", tag = "accounts", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not yours to reset"), (status = 404, description = "no such account")))]
pub(crate) async fn reset(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let signed = who.staff(&app)?;
    let account = account_of(&app, &id).await?;
    if account.role.is_staff() {
        who.admin(&app)?;
    }
    if account.id == signed.account.id {
        return Err(own_account());
    }
    let issued = app.course.store.reset(account.id).await?;
    Ok(Json(json!({ "code": issued.code, "expires": issued.expires })))
}

fn own_account() -> ApiError {
    ApiError::conflict("own-account", "this cannot be done to one's own account", "不能对自己的账号进行此操作")
}

/// A role.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleRequest {
    /// `student`, `assistant` or `admin`.
    role: String,
}

/// Gives a role (admin).
#[utoipa::path(post, path = "/api/accounts/{id}/role", tag = "accounts", params(("id" = String, Path)), request_body = RoleRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not the admin"), (status = 404, description = "no such account")))]
pub(crate) async fn set_role(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<RoleRequest>,
) -> Result<Json<Value>, ApiError> {
    change(&app, &who, &id, AccountChange::Role(role(&request.role)?)).await
}

/// The groups an account is in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroupRequest {
    /// Their names, parted by semicolons; empty for none.
    group: String,
}

/// Puts an account into groups instead of those it was in (admin).
#[utoipa::path(post, path = "/api/accounts/{id}/group", tag = "accounts",
    params(("id" = String, Path)), request_body = GroupRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"),
        (status = 403, description = "not the admin"), (status = 404, description = "no such account")))]
pub(crate) async fn set_groups(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<GroupRequest>,
) -> Result<Json<Value>, ApiError> {
    who.admin(&app)?;
    let account = account_of(&app, &id).await?;
    let groups = AccountChange::Groups(groups_of(&request.group)?);
    let account = app.course.store.change_account(account.id, &groups).await?;
    app.course.changed().await;
    Ok(Json(json!({ "account": face(&account) })))
}

/// The groups a text names, as they are kept.
fn groups_of(text: &str) -> Result<String, ApiError> {
    read_groups(text).ok_or_else(|| {
        ApiError::field(
            "group",
            "groups parted by semicolons, 120 characters at most",
            "多个班级用分号隔开，总共不超过 120 个字符",
        )
    })
}

/// A group.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Group {
    /// Its name.
    name: String,
    /// How many accounts are in it.
    members: i64,
}

/// The groups that accounts are in, by their names (staff).
#[utoipa::path(get, path = "/api/groups", tag = "accounts",
    responses((status = 200, body = Vec<Group>), (status = 401, description = "not signed in"),
        (status = 403, description = "not staff")))]
pub(crate) async fn groups(State(app): State<Arc<App>>, who: Who) -> Result<Json<Vec<Group>>, ApiError> {
    who.staff(&app)?;
    let groups = app.course.store.groups().await?;
    Ok(Json(groups.into_iter().map(|(name, members)| Group { name, members }).collect()))
}

/// Whether an account may be used.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActiveRequest {
    /// Whether.
    active: bool,
}

/// Lets an account be used, or not (admin).
#[utoipa::path(post, path = "/api/accounts/{id}/active", tag = "accounts", params(("id" = String, Path)), request_body = ActiveRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not the admin"), (status = 404, description = "no such account")))]
pub(crate) async fn set_active(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<ActiveRequest>,
) -> Result<Json<Value>, ApiError> {
    change(&app, &who, &id, AccountChange::Active(request.active)).await
}

async fn change(app: &App, who: &Who, id: &str, change: AccountChange) -> Result<Json<Value>, ApiError> {
    let own = who.admin(app)?.account.id;
    let account = account_of(app, id).await?;
    if account.id == own {
        return Err(own_account());
    }
    let account = app.course.store.change_account(account.id, &change).await?;
    Ok(Json(json!({ "account": face(&account) })))
}

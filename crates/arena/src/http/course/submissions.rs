//! Submissions: sending one, and what became of it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use course::{Challenge, Contest, NewSubmission, SubmissionRow, Wanted, clean};
use games::Language;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::App;
use super::super::body::{Body, Path, Query, page_length};
use super::super::error::ApiError;
use super::contests::{ReasonRequest, refusal, too_soon};
use super::scoreboard::shown_until;
use super::{Who, contest_of, contest_with, done, faces, nothing, number};

/// Matches shown with a submission.
const MOST_MATCHES: u32 = 2000;
/// The longest file name.
const LONGEST_FILE_NAME: usize = 100;

/// A source.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmitRequest {
    /// The language's id.
    language: String,
    /// What the file is called.
    #[serde(default)]
    file_name: Option<String>,
    /// The source as text.
    #[serde(default)]
    source: Option<String>,
    /// The source as the bytes of its file, in base64: for files that are not UTF-8, and for archives.
    #[serde(default)]
    source_base64: Option<String>,
}

impl SubmitRequest {
    fn bytes(&self) -> Result<Vec<u8>, ApiError> {
        match (&self.source, &self.source_base64) {
            (Some(text), None) => Ok(text.clone().into_bytes()),
            (None, Some(text)) => base64::engine::general_purpose::STANDARD
                .decode(text.trim())
                .map_err(|_| ApiError::field("source_base64", "this is not base64", "不是 base64 编码")),
            _ => Err(ApiError::field("source", "give source or source_base64", "请提供 source 或 source_base64")),
        }
    }
}

/// Looks at a source before it is taken: what plainly is none is refused at once.
fn check_source(contest: &Contest, bytes: &[u8]) -> Result<(), ApiError> {
    let most = contest.rules.source_bytes;
    let bad = |en: String, zh: String| Err(ApiError::field("source", en, zh));
    if bytes.len() > most {
        let have = bytes.len();
        return bad(
            format!("the source has {have} bytes; at most {most} are taken"),
            format!("源代码有 {have} 字节，最多 {most} 字节"),
        );
    }
    if workshop::is_archive(bytes) {
        return match contest.rules.archives {
            true => Ok(()),
            false => bad(
                "this contest takes one source file, not an archive".into(),
                "本比赛只接受单个源文件，不接受压缩包".into(),
            ),
        };
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return bad("the source is empty".into(), "源代码为空".into());
    }
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if let Some(at) = bytes.iter().position(|byte| *byte == 0).filter(|_| !is_utf16) {
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        return bad(
            format!("line {line} holds a NUL byte: send the source, not the compiled program"),
            format!("第 {line} 行含有 NUL 字节：请提交源代码，而不是编译好的程序"),
        );
    }
    Ok(())
}

/// The language of a source: the one that was said, or the one an archive's build file names. One that this contest
/// does not take is refused, and so is an archive that cannot be read.
async fn language_of(
    contest: &Contest,
    said: &str,
    bytes: Vec<u8>,
) -> Result<(Vec<u8>, &'static workshop::Recipe), ApiError> {
    let mut recipe = workshop::find(said).ok();
    let mut bytes = bytes;
    if workshop::is_archive(&bytes) {
        let read = move || (workshop::Project::read(&bytes).map(|project| project.language()), bytes);
        let (language, same) = tokio::task::spawn_blocking(read).await?;
        bytes = same;
        let language =
            language.map_err(|error| ApiError::field("source", error.say(Language::En), error.say(Language::Zh)))?;
        recipe = language.or(recipe);
    }
    let allowed = &contest.rules.languages;
    let fits =
        |recipe: &&'static workshop::Recipe| allowed.is_empty() || allowed.iter().any(|known| known == recipe.id);
    let Some(recipe) = recipe.filter(fits) else {
        let list = match allowed.is_empty() {
            true => workshop::LANGUAGES.iter().map(|recipe| recipe.id).collect::<Vec<_>>().join(", "),
            false => allowed.join(", "),
        };
        return Err(ApiError::field("language", format!("languages here: {list}"), format!("本比赛可用语言：{list}")));
    };
    Ok((bytes, recipe))
}

/// Sends a source.
#[utoipa::path(post, path = "/api/contests/{id}/submissions", tag = "submissions", params(("id" = String, Path)), request_body = SubmitRequest,
    responses((status = 201, body = Object), (status = 401, description = "not signed in"), (status = 404, description = "no such contest"), (status = 409, description = "closed or locked"), (status = 422, description = "what is wrong with it"), (status = 429, description = "too soon, or too much machine time today")))]
pub(crate) async fn submit(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<SubmitRequest>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let account = who.student(&app)?.account.id;
    let contest = contest_of(&app, &who, &id).await?;
    if let Some(refusal) = refusal(&app, &contest, account).await? {
        return Err(refusal.into());
    }
    let bytes = request.bytes()?;
    check_source(&contest, &bytes)?;
    let (bytes, recipe) = language_of(&contest, &request.language, bytes).await?;
    let name = request.file_name.as_deref().and_then(|name| clean(name.rsplit(['/', '\\']).next()?, LONGEST_FILE_NAME));
    let ending = match workshop::is_archive(&bytes) {
        true => workshop::archive_ending(&bytes),
        false => recipe.endings.first().unwrap_or(&"txt"),
    };
    let file_name = name.unwrap_or_else(|| format!("main.{ending}"));
    let new =
        NewSubmission { contest: contest.number, account, language: recipe.id, file_name: &file_name, source: &bytes };
    let taken = app.course.store.submit(&new, contest.rules.interval_s as i64 * 1000).await?;
    let number = taken.map_err(|next| ApiError::from(too_soon(next)))?;
    app.course.changed().await;
    let row = app.course.store.submission(number).await?.ok_or_else(nothing)?;
    Ok((StatusCode::CREATED, Json(faces::submission(&app, &who, &row).await?)))
}

/// Which submissions.
#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    account: Option<String>,
    limit: Option<u32>,
    after: Option<i64>,
}

/// Submissions of a contest, the newest first.
#[utoipa::path(get, path = "/api/contests/{id}/submissions", tag = "submissions", params(("id" = String, Path), ("account" = Option<String>, Query, description = "me, or a number"), ("limit" = Option<u32>, Query), ("after" = Option<i64>, Query)),
    responses((status = 200, body = Object), (status = 404, description = "no such contest")))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    let account = match query.account.as_deref() {
        None => None,
        Some("me") => Some(who.student(&app)?.account.id),
        Some(text) => Some(number(text)?),
    };
    let limit = page_length(query.limit, 50)?;
    let wanted = Wanted { account, before: query.after, limit: limit + 1, ..Wanted::default() };
    let found = app.course.store.submissions(contest.number, &wanted).await?;
    let next = (found.len() > limit as usize).then(|| found[limit as usize - 1].id);
    let mut items = Vec::new();
    for row in found.iter().take(limit as usize) {
        items.push(faces::submission(&app, &who, row).await?);
    }
    Ok(Json(json!({ "items": items, "next": next })))
}

async fn submission_of(app: &App, who: &Who, id: &str) -> Result<(SubmissionRow, Contest), ApiError> {
    let row = app.course.store.submission(number(id)?).await?.ok_or_else(nothing)?;
    let contest = contest_with(app, who, row.contest).await?;
    Ok((row, contest))
}

/// One submission.
#[utoipa::path(get, path = "/api/submissions/{id}", tag = "submissions", params(("id" = String, Path)), responses((status = 200, body = Object), (status = 404, description = "no such submission")))]
pub(crate) async fn one(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let (row, contest) = submission_of(&app, &who, &id).await?;
    let store = &app.course.store;
    let mut face = faces::submission(&app, &who, &row).await?;
    if who.is(row.account) || who.is_staff() {
        let (compile, trial) = store.findings(row.id).await?;
        face["compile"] = compile.unwrap_or_default();
        face["trial"] = trial.unwrap_or_default();
    }
    let matches = store.matches_of(row.id, MOST_MATCHES).await?;
    let until = shown_until(&app, &who, &contest).await?;
    let seen = matches.iter().filter(|one| faces::sees_games(&who, &contest, one, until));
    face["matches"] = seen.map(|one| faces::summary(&who, &contest, one, None)).collect();
    Ok(Json(face))
}

/// The source of a submission.
#[utoipa::path(get, path = "/api/submissions/{id}/source", tag = "submissions", params(("id" = String, Path)), responses((status = 200, description = "the file", body = String), (status = 404, description = "no such submission, or not yours to see")))]
pub(crate) async fn source(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Response, ApiError> {
    let (row, contest) = submission_of(&app, &who, &id).await?;
    let sees = who.is(row.account) || who.is_staff() || contest.shows(contest.visibility.source, course::now());
    // Of a built-in player there is none.
    let source = if sees && row.builtin.is_none() { app.course.store.source(row.id).await? } else { None };
    let source = source.ok_or_else(nothing)?;
    let archive = workshop::is_archive(&source).then(|| workshop::archive_ending(&source).to_owned());
    let mut response = source.into_response();
    let ending = archive.unwrap_or_else(|| {
        let ending = row.file_name.rsplit_once('.').map_or("txt", |(_, ending)| ending);
        ending.chars().filter(char::is_ascii_alphanumeric).take(8).collect()
    });
    let name = format!("attachment; filename=\"{}-v{}.{ending}\"", row.contest_id, row.version);
    // The bytes as they came: whatever they are, a browser must not take them for a page.
    let kind = if matches!(ending.as_str(), "zip" | "tar.gz") { "application/octet-stream" } else { "text/plain" };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(name) = HeaderValue::from_str(&name) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// Takes a submission out with a reason, or lets it in again (staff).
#[utoipa::path(post, path = "/api/submissions/{id}/disqualify", tag = "submissions", params(("id" = String, Path)), request_body = ReasonRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such submission")))]
pub(crate) async fn disqualify(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<ReasonRequest>,
) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let (row, _) = submission_of(&app, &who, &id).await?;
    let reason = request.text()?;
    if reason.is_some() || row.disqualified.is_some() {
        app.course.store.disqualify(&row, reason.as_deref()).await?;
        app.course.changed().await;
    }
    Ok(done())
}

/// Builds a submission and plays all its matches again (staff).
#[utoipa::path(post, path = "/api/submissions/{id}/rejudge", tag = "submissions", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such submission"), (status = 409, description = "disqualified, or an older version")))]
pub(crate) async fn rejudge(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let (row, _) = submission_of(&app, &who, &id).await?;
    if !app.course.store.is_current(&row).await? {
        return Err(ApiError::conflict(
            "not-current",
            "only the version that counts, or the newest, is judged again",
            "只有计分的版本或最新版本可以重新评测",
        ));
    }
    app.course.store.rejudge(&row).await?;
    app.course.changed().await;
    Ok(done())
}

/// An opponent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChallengeRequest {
    /// His version.
    opponent: i64,
}

/// Plays an unranked match against a chosen opponent.
#[utoipa::path(post, path = "/api/submissions/{id}/challenge", tag = "submissions", params(("id" = String, Path)), request_body = ChallengeRequest,
    responses((status = 201, body = Object), (status = 401, description = "not signed in"), (status = 404, description = "not yours, or no such opponent"), (status = 409, description = "one of them does not play"), (status = 429, description = "too many wait")))]
pub(crate) async fn challenge(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<ChallengeRequest>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let account = who.student(&app)?.account.id;
    let (own, contest) = submission_of(&app, &who, &id).await?;
    let store = &app.course.store;
    let opponent =
        store.submission(request.opponent).await?.filter(|row| row.contest == own.contest).ok_or_else(nothing)?;
    if own.account != account {
        return Err(nothing());
    }
    if !own.counts || !opponent.counts || opponent.account == account {
        return Err(ApiError::conflict(
            "not-current",
            "both must be the versions that count, of two students",
            "双方都必须是正在计分的版本，且属于不同的同学",
        ));
    }
    if let Some(refusal) = refusal(&app, &contest, account).await?.filter(|refusal| refusal.code != "too-soon") {
        return Err(refusal.into());
    }
    match store.challenge(contest.number, &own, opponent.id, contest.rules.games_of_a_match()).await? {
        Challenge::TooMany => Err(ApiError::too_many(
            "too-many-challenges",
            "you have as many challenges waiting as one may have",
            "你已有三场约战在等待，请稍后再约",
        )),
        Challenge::Queued(match_id) => {
            app.course.changed().await;
            let row = store.match_row(match_id).await?.ok_or_else(nothing)?;
            Ok((StatusCode::CREATED, Json(faces::match_summary(&app, &who, &contest, &row).await?)))
        }
    }
}

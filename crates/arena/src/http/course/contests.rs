//! Contests: what they are, and what staff do with them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use course::{Audience, Contest, Phase, Rules, Visibility, check_references, check_rules, clean, read_slug};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::App;
use super::super::body::{Body, Path, Places};
use super::super::error::ApiError;
use super::super::games::game;
use super::{Who, contest_of, done, faces, nothing, number};

/// The longest title.
const LONGEST_TITLE: usize = 80;
/// The longest text about a contest, and the longest announcement.
const LONGEST_ABOUT: usize = 20_000;
const LONGEST_ANNOUNCEMENT: usize = 2000;
const LONGEST_REASON: usize = 200;

/// The languages and what is installed of them.
#[utoipa::path(get, path = "/api/languages", tag = "contests", responses((status = 200, body = Vec<Object>)))]
pub(crate) async fn languages(State(app): State<Arc<App>>) -> Json<Value> {
    Json(app.course.languages())
}

async fn summary(app: &App, contest: &Contest) -> Result<Value, ApiError> {
    let board = app.course.boards.board(&app.course.store, contest).await?;
    let first = board.rows.iter().find(|line| line.row.rank.is_some());
    let leader = first.filter(|line| contest.is_live() && line.row.points > 0);
    Ok(json!({
        "id": contest.id, "title": contest.title, "game": contest.game, "variant": contest.variant,
        "opens": contest.opens, "closes": contest.closes, "phase": contest.phase(course::now()),
        "locked": contest.locked, "frozen": contest.frozen, "players": board.ranked(),
        "restricted": contest.audience.is_some(),
        "leader": leader.map(|line| json!({ "nickname": line.submission.nickname })),
    }))
}

/// All contests that are open to you.
#[utoipa::path(get, path = "/api/contests", tag = "contests", responses((status = 200, body = Object)))]
pub(crate) async fn list(State(app): State<Arc<App>>, who: Who) -> Result<Json<Value>, ApiError> {
    let mut items = Vec::new();
    for contest in app.course.store.contests().await?.iter().filter(|contest| contest.admits(who.account())) {
        items.push(summary(&app, contest).await?);
    }
    Ok(Json(json!({ "items": items })))
}

/// A contest with everything about it that this one may know.
pub(super) async fn face(app: &App, who: &Who, contest: &Contest) -> Result<Value, ApiError> {
    let store = &app.course.store;
    let mut face = summary(app, contest).await?;
    let mut rules = serde_json::to_value(&contest.rules).unwrap_or_default();
    rules["games_per_match"] = contest.rules.games_of_a_match().into();
    rules["cores"] = 1.into();
    face["about"] = contest.about.as_str().into();
    face["rules"] = rules;
    face["references"] = json!(store.references(contest.number).await?);
    // Who else is on the list is nobody's business but the staff's.
    face["audience"] = json!(contest.audience.as_ref().filter(|_| who.is_staff()));
    face["visibility"] = serde_json::to_value(contest.visibility).unwrap_or_default();
    face["scoreboard_minutes"] = contest.scoreboard_minutes.into();
    face["announcements"] = serde_json::to_value(store.announcements(contest.number).await?).unwrap_or_default();
    let mut judge = serde_json::to_value(store.waiting().await?).unwrap_or_default();
    judge["level"] = app.course.strength.as_ref().map(|(level, _)| level.as_str()).into();
    judge["workers"] = app.course.strength.as_ref().map_or(0, |(_, workers)| *workers).into();
    face["judge"] = judge;
    face["mine"] = mine(app, who, contest).await?;
    Ok(face)
}

async fn mine(app: &App, who: &Who, contest: &Contest) -> Result<Value, ApiError> {
    let Some(account) = who.account() else { return Ok(Value::Null) };
    let store = &app.course.store;
    let newest = store.newest(contest.number, account.id).await?;
    let counting = store.counting(contest.number).await?.into_iter().find(|row| row.account == account.id);
    let used = store.machine_time(contest.number, account.id, course::judge::today()).await?;
    let refusal = refusal(app, contest, account.id).await?;
    let mut faces = [Value::Null, Value::Null];
    for (face, row) in faces.iter_mut().zip([&newest, &counting]) {
        if let Some(row) = row {
            *face = faces::submission(app, who, row).await?;
        }
    }
    let [newest, ranked] = faces;
    let left = contest.rules.machine_s_per_day.map(|most| (most as i64 * 1000 - used).max(0));
    Ok(json!({
        "submission": newest, "ranked": ranked, "may_submit": refusal.is_none(),
        "why_not": refusal.as_ref().map(|refusal| &refusal.words), "next_at": refusal.and_then(|refusal| refusal.next_at),
        "machine_ms_today": used, "machine_ms_left": left,
    }))
}

/// Why a submission is not taken now.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) words: course::Words,
    pub(super) next_at: Option<i64>,
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let error = Self::new(refusal.status, refusal.code, refusal.words.en, refusal.words.zh);
        match refusal.next_at {
            Some(at) => error.with("retry_ms", (at - course::now()).max(0)),
            None => error,
        }
    }
}

/// Whether a student may submit now, and if not, why.
pub(super) async fn refusal(app: &App, contest: &Contest, account: i64) -> Result<Option<Refusal>, ApiError> {
    let now = course::now();
    let closed = |code, en: String, zh: String, next_at| {
        let words = course::Words::new(en, zh);
        Some(Refusal { status: StatusCode::CONFLICT, code, words, next_at })
    };
    match contest.phase(now) {
        Phase::Coming => {
            return Ok(closed(
                "not-yet-open",
                "the contest is not open yet".into(),
                "比赛尚未开始".into(),
                contest.opens,
            ));
        }
        Phase::Closed => {
            return Ok(closed("contest-closed", "the contest is closed".into(), "比赛已经结束".into(), None));
        }
        Phase::Open => {}
    }
    if let Some(reason) = &contest.locked {
        let (en, zh) = (format!("submissions are locked: {reason}"), format!("提交已锁定：{reason}"));
        return Ok(closed("contest-locked", en, zh, None));
    }
    let store = &app.course.store;
    let used = store.machine_time(contest.number, account, course::judge::today()).await?;
    if contest.rules.machine_s_per_day.is_some_and(|most| used >= most as i64 * 1000) {
        let words = course::Words::new(
            "your programs have used up today's machine time; come back tomorrow",
            "你的程序今天的机时已用完，请明天再提交",
        );
        let status = StatusCode::TOO_MANY_REQUESTS;
        return Ok(Some(Refusal { status, code: "quota", words, next_at: Some(tomorrow(now)) }));
    }
    let last = store.newest(contest.number, account).await?.map(|row| row.submitted);
    let next = last.map(|last| last + contest.rules.interval_s as i64 * 1000).filter(|next| *next > now);
    Ok(next.map(too_soon))
}

/// The next one is taken later.
pub(super) fn too_soon(next: i64) -> Refusal {
    let seconds = (next - course::now()).max(0) / 1000 + 1;
    let words = course::Words::new(
        format!("the next submission is taken in {seconds} s"),
        format!("{seconds} 秒后才能再次提交"),
    );
    Refusal { status: StatusCode::TOO_MANY_REQUESTS, code: "too-soon", words, next_at: Some(next) }
}

fn tomorrow(now: i64) -> i64 {
    let zoned = jiff::Zoned::now();
    let tomorrow = zoned.tomorrow().and_then(|day| day.start_of_day());
    tomorrow.map_or(now + 86_400_000, |day| day.timestamp().as_millisecond())
}

/// One contest.
#[utoipa::path(get, path = "/api/contests/{id}", tag = "contests", params(("id" = String, Path)), responses((status = 200, body = Object), (status = 404, description = "no such contest")))]
pub(crate) async fn one(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    Ok(Json(face(&app, &who, &contest).await?))
}

/// What a contest is made of.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ContestRequest {
    /// Its name in addresses.
    id: Option<String>,
    /// The title.
    title: Option<String>,
    /// What students should know.
    about: Option<String>,
    /// The game.
    game: Option<String>,
    /// The game's options.
    #[schema(value_type = Option<Object>)]
    variant: Option<Value>,
    /// Limits that differ from the usual ones.
    #[schema(value_type = Option<Object>)]
    rules: Option<Value>,
    /// What others see.
    #[schema(value_type = Option<Object>)]
    visibility: Option<Value>,
    /// When submissions begin; null for at once.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<i64>)]
    opens: Option<Option<i64>>,
    /// When they end; null for never.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<i64>)]
    closes: Option<Option<i64>>,
    /// The scoreboard that students see is made anew every so many minutes; 0 for always.
    scoreboard_minutes: Option<u32>,
    /// Whom it is open to; null for everybody.
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<AudienceRequest>)]
    audience: Option<Option<AudienceRequest>>,
    /// Built-in players that everybody meets and that take no rank, by their ids.
    references: Option<Vec<String>>,
}

/// Whom a contest is open to, staff beside them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AudienceRequest {
    /// Groups.
    groups: Vec<String>,
    /// Students, by their numbers.
    students: Vec<String>,
}

impl From<AudienceRequest> for Audience {
    fn from(request: AudienceRequest) -> Self {
        Self { groups: request.groups, students: request.students }
    }
}

/// Tells a null that was given from nothing given.
fn given<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// A value with some fields changed.
fn overlaid<T: Serialize + DeserializeOwned>(base: &T, over: Option<&Value>, field: &str) -> Result<T, ApiError> {
    let mut value = serde_json::to_value(base).unwrap_or_default();
    match (value.as_object_mut(), over) {
        (Some(known), Some(Value::Object(over))) => known.extend(over.clone()),
        (_, None | Some(Value::Null)) => {}
        _ => return Err(ApiError::field(field, "an object is expected", "应为对象")),
    }
    serde_json::from_value(value).map_err(|error| {
        let said: String = error.to_string().chars().take(200).collect();
        let zh = format!("设置的内容有误（“{said}”）");
        ApiError::field(field, said, zh)
    })
}

/// Takes what a request says into a contest; gives the built-in players, where it names them.
async fn apply(app: &App, contest: &mut Contest, request: &ContestRequest) -> Result<Option<Vec<String>>, ApiError> {
    if let Some(title) = &request.title {
        contest.title = clean(title, LONGEST_TITLE).ok_or_else(|| {
            ApiError::field("title", format!("1 to {LONGEST_TITLE} characters"), format!("1 到 {LONGEST_TITLE} 个字符"))
        })?;
    }
    if let Some(about) = &request.about {
        if about.chars().count() > LONGEST_ABOUT {
            return Err(ApiError::field("about", "the text is too long", "说明过长"));
        }
        contest.about.clone_from(about);
    }
    contest.rules = overlaid(&contest.rules, request.rules.as_ref(), "rules")?;
    contest.visibility = overlaid(&contest.visibility, request.visibility.as_ref(), "visibility")?;
    contest.opens = request.opens.unwrap_or(contest.opens);
    contest.closes = request.closes.unwrap_or(contest.closes);
    contest.scoreboard_minutes = request.scoreboard_minutes.unwrap_or(contest.scoreboard_minutes).min(24 * 60);
    if contest.opens.zip(contest.closes).is_some_and(|(opens, closes)| opens >= closes) {
        return Err(ApiError::field("closes", "a contest closes after it opens", "结束时间应晚于开始时间"));
    }
    let wrong = |(field, words): (&'static str, course::Words)| ApiError::field(field, words.en, words.zh);
    let listing = game(&contest.game)?;
    check_rules(listing, &contest.variant, &contest.rules).map_err(wrong)?;
    if let Some(audience) = &request.audience {
        contest.audience = audience.clone().map(Audience::from);
        let problem = app.course.store.audience_problem(contest.audience.as_ref()).await?;
        problem.map_or(Ok(()), |problem| Err(wrong(problem)))?;
    }
    let references = request.references.as_deref().map(|wanted| check_references(listing, wanted)).transpose();
    references.map_err(|words| wrong(("references", words)))
}

/// Writes a contest and the built-in players that are to take part.
async fn save(app: &App, contest: &Contest, references: Option<Vec<String>>) -> Result<Contest, ApiError> {
    let contest = app.course.store.save_contest(contest).await?;
    if let Some(references) = references {
        app.course.store.set_references(contest.number, &references).await?;
    }
    app.course.changed().await;
    Ok(contest)
}

/// Makes a contest (admin).
#[utoipa::path(post, path = "/api/contests", tag = "contests", request_body = ContestRequest,
    responses((status = 201, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not the admin"), (status = 409, description = "the id is taken"), (status = 422, description = "what is wrong")))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    who: Who,
    Body(request): Body<ContestRequest>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    who.admin(&app)?;
    let id = read_slug(request.id.as_deref().unwrap_or_default());
    let id = id.map_err(|words| ApiError::field("id", words.en, words.zh))?;
    let listing = game(request.game.as_deref().unwrap_or_default())?;
    let table = listing.open(request.variant.as_ref().unwrap_or(&Value::Null), None);
    let variant = table.map_err(|error| ApiError::open(&error))?.variant();
    let mut contest = Contest {
        number: 0,
        title: id.clone(),
        id,
        about: String::new(),
        game: listing.facts().id.to_owned(),
        variant,
        rules: Rules::of_game(listing),
        visibility: Visibility::default(),
        opens: None,
        closes: None,
        scoreboard_minutes: 0,
        locked: None,
        frozen: false,
        audience: None,
        created: course::now(),
    };
    let references = apply(&app, &mut contest, &request).await?;
    let contest = save(&app, &contest, references).await?;
    Ok((StatusCode::CREATED, Json(face(&app, &who, &contest).await?)))
}

/// Changes the settings of a contest (staff).
#[utoipa::path(post, path = "/api/contests/{id}/settings", tag = "contests", params(("id" = String, Path)), request_body = ContestRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest"), (status = 422, description = "what is wrong")))]
pub(crate) async fn settings(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<ContestRequest>,
) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let mut contest = contest_of(&app, &who, &id).await?;
    let before = contest.rules.clone();
    for (field, given) in
        [("id", request.id.is_some()), ("game", request.game.is_some()), ("variant", request.variant.is_some())]
    {
        if given {
            return Err(ApiError::field(
                field,
                "this cannot be changed; make another contest",
                "此项不能更改，请另建比赛",
            ));
        }
    }
    let references = apply(&app, &mut contest, &request).await?;
    let fixed = |rules: &Rules| (rules.positions.clone(), rules.rounds, rules.points, rules.protocol.clone());
    if fixed(&before) != fixed(&contest.rules) && app.course.store.was_played(contest.number).await? {
        return Err(ApiError::field(
            "rules",
            "matches were played: positions, rounds, points and protocol stay as they are",
            "已有比赛：起始局面、轮数、积分与协议不能再更改",
        ));
    }
    let contest = save(&app, &contest, references).await?;
    Ok(Json(face(&app, &who, &contest).await?))
}

/// A reason, or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReasonRequest {
    /// Why; null takes it back.
    reason: Option<String>,
}

impl ReasonRequest {
    pub(super) fn text(&self) -> Result<Option<String>, ApiError> {
        let bad = || {
            ApiError::field(
                "reason",
                format!("1 to {LONGEST_REASON} characters"),
                format!("1 到 {LONGEST_REASON} 个字符"),
            )
        };
        self.reason.as_deref().map(|reason| clean(reason, LONGEST_REASON).ok_or_else(bad)).transpose()
    }
}

/// Locks submissions with a reason, or unlocks them (staff).
#[utoipa::path(post, path = "/api/contests/{id}/lock", tag = "contests", params(("id" = String, Path)), request_body = ReasonRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn lock(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<ReasonRequest>,
) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    app.course.store.lock(contest.number, request.text()?.as_deref()).await?;
    app.course.changed().await;
    Ok(done())
}

/// Whether the scoreboard stands still.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FreezeRequest {
    /// Whether.
    frozen: bool,
}

/// Makes the scoreboard that students see stand still, or lets it go on (staff).
#[utoipa::path(post, path = "/api/contests/{id}/freeze", tag = "contests", params(("id" = String, Path)), request_body = FreezeRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn freeze(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<FreezeRequest>,
) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    app.course.boards.freeze(&app.course.store, &contest, request.frozen).await?;
    app.course.changed().await;
    Ok(done())
}

/// Something to tell everybody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnnounceRequest {
    /// The text.
    text: String,
}

/// Tells everybody something (staff).
#[utoipa::path(post, path = "/api/contests/{id}/announce", tag = "contests", params(("id" = String, Path)), request_body = AnnounceRequest,
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn announce(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Body(request): Body<AnnounceRequest>,
) -> Result<Json<Value>, ApiError> {
    let signed = who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    let text = request.text.trim();
    if text.is_empty() || text.chars().count() > LONGEST_ANNOUNCEMENT || text.contains('\0') {
        let (en, zh) =
            (format!("1 to {LONGEST_ANNOUNCEMENT} characters"), format!("1 到 {LONGEST_ANNOUNCEMENT} 个字符"));
        return Err(ApiError::field("text", en, zh));
    }
    let announcement = app.course.store.announce(contest.number, &signed.account.nickname, text).await?;
    app.course.changed().await;
    Ok(Json(json!({ "announcement": announcement })))
}

/// Takes an announcement away (staff).
#[utoipa::path(post, path = "/api/contests/{id}/announcements/{announcement}/remove", tag = "contests", params(("id" = String, Path), ("announcement" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such announcement")))]
pub(crate) async fn unannounce(State(app): State<Arc<App>>, who: Who, places: Places) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, places.at(0)).await?;
    match app.course.store.unannounce(contest.number, number(places.at(1))?).await? {
        true => {
            app.course.changed().await;
            Ok(done())
        }
        false => Err(nothing()),
    }
}

/// Plays every match again (staff).
#[utoipa::path(post, path = "/api/contests/{id}/rejudge", tag = "contests", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 403, description = "not staff"), (status = 404, description = "no such contest")))]
pub(crate) async fn rejudge(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    who.staff(&app)?;
    let contest = contest_of(&app, &who, &id).await?;
    let matches = app.course.store.rejudge_all(contest.number).await?;
    app.course.changed().await;
    Ok(Json(json!({ "matches": matches })))
}

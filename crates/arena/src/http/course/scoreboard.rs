//! The scoreboard, the cross-table, the history, and why somebody lost.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use course::ladder::Standing;
use course::{Contest, Snapshot};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::App;
use super::super::body::{Path, Query, Switch};
use super::super::error::ApiError;
use super::{Who, contest_of, faces};

/// The largest cross-table.
const MOST_CROSSED: usize = 100;
/// Games listed of each reason.
const MOST_GAMES: usize = 20;

/// The scoreboard as everybody may see it, at this moment.
async fn public(app: &App, contest: &Contest) -> Result<Value, ApiError> {
    let board = app.course.boards.board(&app.course.store, contest).await?;
    Ok(board.face(contest))
}

/// What everybody sees: live, or as it was when it was last made.
async fn shown(app: &App, contest: &Contest) -> Result<Value, ApiError> {
    if contest.is_live() {
        return public(app, contest).await;
    }
    let mut value: Value = serde_json::from_str(&kept(app, contest).await?.body).unwrap_or_default();
    rank_anew(app, contest, &mut value).await?;
    value["live"] = false.into();
    value["frozen"] = contest.frozen.into();
    Ok(value)
}

/// A scoreboard that was kept before staff were unranked: they lose their ranks, which the others take.
async fn rank_anew(app: &App, contest: &Contest, value: &mut Value) -> Result<(), ApiError> {
    let Some(rows) = value["rows"].as_array_mut().filter(|rows| rows.iter().any(|row| row["kind"].is_null())) else {
        return Ok(());
    };
    let board = app.course.boards.board(&app.course.store, contest).await?;
    let standings: HashMap<i64, Standing> =
        board.rows.iter().map(|line| (line.submission.account, line.row.entry.standing)).collect();
    let mut ranks = 1..;
    for row in rows.iter_mut() {
        let account = row["account"].as_i64().unwrap_or_default();
        let standing = standings.get(&account).copied().unwrap_or_default();
        row["kind"] = json!(standing);
        row["rank"] = if standing.is_ranked() { json!(ranks.next()) } else { Value::Null };
        row["against"] = json!([]);
    }
    value["players"] = (ranks.start - 1).into();
    Ok(())
}

/// The scoreboard that students see where it is not live; one that is too old is made anew.
async fn kept(app: &App, contest: &Contest) -> Result<Snapshot, ApiError> {
    let store = &app.course.store;
    let at = course::now();
    let fresh = |kept: &Snapshot| contest.frozen || at - kept.at < i64::from(contest.scoreboard_minutes) * 60_000;
    let kept = store.snapshot(contest.number).await?;
    if let Some(kept) = kept.as_ref().filter(|kept| fresh(kept)) {
        return Ok(kept.clone());
    }
    let body = public(app, contest).await?.to_string();
    match (store.set_snapshot(contest.number, at, &body).await, kept) {
        (Ok(()), _) => Ok(Snapshot { at, body }),
        // Reading goes on while nothing can be written: what was shown last is shown longer.
        (Err(_), Some(kept)) => Ok(kept),
        (Err(error), None) => Err(error.into()),
    }
}

/// The moment of the scoreboard that this one sees, if it is not live for him: what came later would tell him how it
/// has changed.
pub(super) async fn shown_until(app: &App, who: &Who, contest: &Contest) -> Result<Option<i64>, ApiError> {
    match contest.is_live() || who.is_staff() {
        true => Ok(None),
        false => Ok(Some(kept(app, contest).await?.at)),
    }
}

/// Which scoreboard.
#[derive(Debug, Deserialize)]
pub(crate) struct ScoreboardQuery {
    live: Option<Switch>,
}

/// The scoreboard.
#[utoipa::path(get, path = "/api/contests/{id}/scoreboard", tag = "contests", params(("id" = String, Path), ("live" = Option<u8>, Query, description = "1: as it is now, for staff")),
    responses((status = 200, body = Object), (status = 404, description = "no such contest")))]
pub(crate) async fn scoreboard(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Query(query): Query<ScoreboardQuery>,
) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    if query.live == Some(Switch::On) {
        who.staff(&app)?;
    }
    let mut value = match query.live {
        Some(Switch::On) => public(&app, &contest).await?,
        _ => shown(&app, &contest).await?,
    };
    let own = who.account().map(|account| account.id);
    let people = match who.is_staff() {
        true => app.course.store.people(contest.number).await?,
        false => HashMap::new(),
    };
    for row in value["rows"].as_array_mut().into_iter().flatten() {
        let Some(account) = row["account"].as_i64() else { continue };
        row["you"] = (Some(account) == own).into();
        if let Some((person, group)) = people.get(&account) {
            row["person"] = person.as_str().into();
            row["group"] = group.as_str().into();
        }
    }
    Ok(Json(value))
}

/// How much of the cross-table.
#[derive(Debug, Deserialize)]
pub(crate) struct CrossQuery {
    top: Option<usize>,
}

/// Everybody against everybody.
#[utoipa::path(get, path = "/api/contests/{id}/cross", tag = "contests", params(("id" = String, Path), ("top" = Option<u32>, Query, description = "the first so many, at most 100")),
    responses((status = 200, body = Object), (status = 403, description = "the scoreboard stands still"), (status = 404, description = "no such contest")))]
pub(crate) async fn cross(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Query(query): Query<CrossQuery>,
) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    if !contest.is_live() && !who.is_staff() {
        return Err(ApiError::forbidden(
            "frozen",
            "the scoreboard is not live: the cross-table is shown when it is",
            "排行榜目前不是实时的，暂不显示对战表",
        ));
    }
    let store = &app.course.store;
    let board = app.course.boards.board(store, &contest).await?;
    let top = board.rows.iter().take(query.top.unwrap_or(50).min(MOST_CROSSED));
    let rows: Vec<Value> = top
        .clone()
        .map(|line| {
            let row = &line.submission;
            let (rank, kind) = (line.row.rank, row.standing);
            let (account, nickname) = (row.account, &row.nickname);
            json!({ "account": account, "nickname": nickname, "submission": row.id, "rank": rank, "kind": kind })
        })
        .collect();
    let versions: Vec<i64> = top.map(|line| line.submission.id).collect();
    let cells = app.course.boards.cross(store, &contest, &versions).await?;
    Ok(Json(json!({ "as_of": course::now(), "rows": rows, "cells": cells })))
}

/// Whose history.
#[derive(Debug, Deserialize)]
pub(crate) struct HistoryQuery {
    account: Option<i64>,
}

/// Where the versions of a student stood.
#[utoipa::path(get, path = "/api/contests/{id}/history", tag = "contests", params(("id" = String, Path), ("account" = Option<i64>, Query, description = "you, when nobody is named")),
    responses((status = 200, body = Object), (status = 401, description = "nobody named and not signed in"), (status = 404, description = "no such contest")))]
pub(crate) async fn history(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    let account = match query.account {
        Some(account) => account,
        None => who.student(&app)?.account.id,
    };
    let mut points = app.course.store.history(contest.number, account).await?;
    // His own rank too: it tells how the others did.
    if let Some(until) = shown_until(&app, &who, &contest).await? {
        points.retain(|point| point.at <= until);
    }
    Ok(Json(json!({ "points": points })))
}

/// All your losses since your last upload, by reason.
#[utoipa::path(get, path = "/api/contests/{id}/losses", tag = "contests", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 401, description = "not signed in"), (status = 404, description = "no such contest")))]
pub(crate) async fn losses(State(app): State<Arc<App>>, who: Who, Path(id): Path) -> Result<Json<Value>, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    let account = who.student(&app)?.account.id;
    let store = &app.course.store;
    let counting = store.counting(contest.number).await?.into_iter().find(|row| row.account == account);
    let Some(version) = counting else { return Ok(Json(json!({ "since": null, "submission": null, "groups": [] }))) };
    let mut groups: BTreeMap<String, (usize, Vec<Value>)> = BTreeMap::new();
    for loss in store.losses(version.id).await? {
        let game = loss.game;
        let (count, games) = groups.entry(game.reason).or_default();
        *count += 1;
        if games.len() < MOST_GAMES {
            let side = if game.black == version.id { "black" } else { "white" };
            games.push(json!({
                "match": game.match_id, "number": game.number, "side": side, "plies": game.plies, "at": game.at,
                "opponent": { "nickname": loss.opponent, "version": loss.version },
            }));
        }
    }
    let mut groups: Vec<(String, usize, Vec<Value>)> =
        groups.into_iter().map(|(code, (count, games))| (code, count, games)).collect();
    groups.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    let groups: Vec<Value> = groups
        .into_iter()
        .map(|(code, count, games)| {
            let text = faces::reason_text(&contest, &code);
            json!({ "reason": { "code": code, "text": text }, "count": count, "games": games })
        })
        .collect();
    Ok(Json(json!({ "since": version.submitted, "submission": version.id, "groups": groups })))
}

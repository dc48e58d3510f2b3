//! What submissions, matches and games look like to the one who asks.

use course::{Contest, GameRow, MatchRow, State, StoreError, SubmissionRow, Words};
use games::{Phrase, reasons};
use serde_json::{Value, json};

use super::super::App;
use super::Who;

/// The sentence for a state.
fn state_text(row: &SubmissionRow, ahead: Option<i64>, playing: Option<(i64, i64)>) -> Words {
    match (row.state, ahead, playing) {
        (State::Queued, Some(ahead), _) => {
            Words::new(format!("queued, {ahead} before it"), format!("排队中，前面还有 {ahead} 份"))
        }
        (State::Queued, None, _) => Phrase::new("queued", "排队中").into(),
        (State::Compiling, ..) => Phrase::new("is being compiled", "正在编译").into(),
        (State::Trial, ..) => Phrase::new("plays its trial games", "正在试赛").into(),
        (State::Playing, _, Some((done, all))) => {
            Words::new(format!("plays: {done} of {all} matches"), format!("对战中：已完成 {done}/{all} 场"))
        }
        (State::Playing, ..) => Phrase::new("plays", "对战中").into(),
        (State::Ranked, ..) => Phrase::new("ranked: all its matches are played", "已与所有人对局完毕").into(),
        (State::Failed, ..) => Phrase::new("did not enter the ladder", "未能进入排行榜").into(),
        (State::Replaced, ..) => Phrase::new("replaced by a later version", "已被新版本取代").into(),
        (State::Disqualified, ..) => Phrase::new("disqualified", "已取消资格").into(),
    }
}

/// A submission.
pub(super) async fn submission(app: &App, who: &Who, row: &SubmissionRow) -> Result<Value, StoreError> {
    let store = &app.course.store;
    let ahead = match row.state {
        State::Queued => Some(store.builds_ahead(row.id).await?),
        _ => None,
    };
    let playing = match row.state {
        State::Playing => Some(store.progress(row.id).await?),
        _ => None,
    };
    let own = who.is(row.account);
    let sees = own || who.is_staff();
    Ok(json!({
        "id": row.id, "contest": row.contest_id, "account": row.account, "nickname": row.nickname, "kind": row.standing,
        "version": row.version, "language": row.language, "file_name": sees.then_some(&row.file_name), "bytes": row.bytes,
        "submitted": row.submitted, "state": row.state.word(), "state_text": state_text(row, ahead, playing),
        "ahead": ahead, "playing": playing.map(|(done, all)| json!({ "done": done, "all": all })),
        // What is wrong with somebody's program is his own business.
        "counts": row.counts, "failure": row.failure.as_ref().filter(|_| sees), "disqualified": row.disqualified, "mine": own,
    }))
}

/// A match.
pub(super) async fn match_summary(
    app: &App,
    who: &Who,
    contest: &Contest,
    row: &MatchRow,
) -> Result<Value, StoreError> {
    let ahead = match row.state.as_str() {
        "queued" => Some(app.course.store.matches_ahead(row).await?),
        _ => None,
    };
    Ok(summary(who, contest, row, ahead))
}

/// A match without its place in the queue.
pub(super) fn summary(who: &Who, contest: &Contest, row: &MatchRow, ahead: Option<i64>) -> Value {
    let worth = |games: course::ladder::Games| contest.rules.points.0[games.outcome()];
    let points = (row.state == "done").then(|| [worth(row.score), worth(row.score.reversed())]);
    json!({
        "id": row.id, "contest": contest.id, "kind": row.kind, "state": row.state, "ahead": ahead,
        "one": row.players[0], "two": row.players[1], "games": row.games, "played": row.played,
        "won": row.score.won, "drawn": row.score.drawn, "lost": row.score.lost, "points": points,
        "created": row.created, "finished": row.finished,
        // The machine's own words, which may name its files: for those who look after it.
        "trouble": row.trouble.as_ref().filter(|_| who.is_staff()),
    })
}

/// The text of a reason's code.
pub(super) fn reason_text(contest: &Contest, code: &str) -> Words {
    let own = contest.listing().map(|listing| listing.facts().reasons).unwrap_or_default();
    let fouls = [&protocols::tiaojia::OUT_OF_TURN, &protocols::tiaojia::MALFORMED_ANSWER];
    let others = [reasons::SHARED, own, referee::decision::reasons::ALL, &fouls];
    let found = others.into_iter().flatten().find(|reason| reason.code == code);
    found.map_or_else(|| Words::new(code, code), |reason| reason.text.into())
}

/// Whether he may see a match and its games: his own always, those of others only if they were over at the moment of
/// the scoreboard that he sees.
pub(super) fn sees_games(who: &Who, contest: &Contest, row: &MatchRow, until: Option<i64>) -> bool {
    let plays = row.players.iter().any(|player| who.is(player.account));
    let on_the_board = until.is_none_or(|until| row.finished.is_some_and(|finished| finished <= until));
    plays || who.is_staff() || (on_the_board && contest.shows(contest.visibility.games, course::now()))
}

/// A finished game, for somebody who may see it.
pub(super) fn game(contest: &Contest, row: &MatchRow, game: &GameRow) -> Value {
    let player = |submission: i64| row.players.iter().find(|player| player.submission == submission);
    let (position, _) = contest.rules.game(game.number as u32);
    json!({
        "match": game.match_id, "number": game.number, "position": position,
        "black": player(game.black), "white": player(game.white), "winner": game.winner,
        "reason": { "code": game.reason, "text": reason_text(contest, &game.reason) },
        "plies": game.plies, "ms": game.ms, "at": game.at, "seen": true,
    })
}

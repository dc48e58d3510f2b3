//! Everything the page says about the contest as a whole.

use std::collections::HashSet;

use games::{Language, Reason};
use serde_json::{Value, json};

use super::album::Album;
use super::survey::{Row, Survey, bounds};
use super::{Choices, Subject, conditions, page, texts};
use crate::conduct::{Conduct, reason_text};
use crate::distinct::Unmeasured;
use crate::event::id_of;
use crate::pairing::Entrant;
use crate::statistics::{Estimate, Outcome};

/// The facts of the page.
pub(super) fn facts(
    subject: &Subject,
    survey: &Survey,
    album: &Album,
    choices: &Choices<'_>,
    complete: bool,
    replays: &HashSet<u64>,
) -> Value {
    let game = subject.game.facts();
    let mut told = subject.conditions.clone();
    if let Some(first) = &survey.first {
        told.extend(conditions::of_games(subject.game, first, survey.dates.as_ref()));
    }
    let bounds = bounds(survey.longest());
    let (codes, reasons) = named_reasons(subject, survey, choices.reasons);
    let ratings = subject.event.ratings();
    let limit = survey.first.as_ref().and_then(|first| first.time).and_then(|time| time.ply_ms);
    json!({
        "version": 1,
        "language": match choices.language { Language::En => "en", Language::Zh => "zh" },
        "title": page::title(subject),
        "game": { "id": game.id, "name": game.name, "sides": game.sides },
        "isMatch": subject.is_match,
        "complete": complete,
        "conditions": told,
        "names": subject.names,
        "table": table(subject),
        "ratings": ratings.map(|measured| json!({
            "firstMove": measured.ratings.first_move.map(estimate),
            "drawRate": measured.ratings.draw_rate,
        })),
        "distinct": subject.event.distinct_games(),
        "counted": subject.event.played(),
        "neverPlayed": never_played(subject),
        "cross": survey.cross,
        "timeBounds": bounds,
        "plyLimit": limit,
        "times": survey.times.iter().map(|times| times.figures(&bounds)).collect::<Vec<_>>(),
        "losses": survey.losses,
        "reasons": reasons,
        "void": survey.void,
        "match": score(subject, survey),
        "games": survey.rows.iter().map(|row| game_row(subject, row, &codes, replays)).collect::<Vec<_>>(),
        "album": album,
        "texts": texts::all(),
    })
}

/// A number for the page; one that has no end is a word, because JSON has none for it.
fn number(value: f64) -> Value {
    if value.is_finite() {
        json!((value * 1e4).round() / 1e4)
    } else if value.is_nan() {
        Value::Null
    } else {
        json!(if value > 0.0 { "inf" } else { "-inf" })
    }
}

fn estimate(estimate: Estimate) -> Value {
    json!({ "value": number(estimate.value), "lower": number(estimate.lower), "upper": number(estimate.upper) })
}

fn table(subject: &Subject) -> Vec<Value> {
    let line = |row: crate::event::Row| {
        let mut value = serde_json::to_value(&row.standing).unwrap_or_default();
        value["elo"] = row.elo.map_or(Value::Null, estimate);
        value["notMeasured"] = row.not_measured.map_or(Value::Null, |reason| json!(reason.text()));
        value["score"] = json!(row.standing.points.to_string());
        value
    };
    subject.event.table().into_iter().map(line).collect()
}

/// Who has lost games without ever playing a legal ply.
fn never_played(subject: &Subject) -> Vec<usize> {
    let conducts = subject.event.conducts();
    let never = |entrant: &usize| conducts.of(*entrant).is_some_and(Conduct::never_played);
    (0..subject.names.len()).filter(never).collect()
}

/// The reasons that occur, by code, with their words. Those of the rules are told from those of the referee.
fn named_reasons(subject: &Subject, survey: &Survey, more: &[&'static Reason]) -> (Vec<String>, Vec<Value>) {
    let mut codes: Vec<String> = survey.rows.iter().map(|row| row.reason.clone()).collect();
    codes.sort_unstable();
    codes.dedup();
    let named = |code: &String| match reason_text(subject.game, more, code) {
        Some((text, by_rules)) => json!({ "code": code, "text": text, "rules": by_rules }),
        None => json!({ "code": code, "text": { "en": code, "zh": code }, "rules": false }),
    };
    let named = codes.iter().map(named).collect();
    (codes, named)
}

/// The score between two engines, seen from the first.
fn score(subject: &Subject, survey: &Survey) -> Value {
    let Some(score) = &survey.score else { return Value::Null };
    let standing = score.standing();
    json!({
        "results": standing.results,
        "pairs": standing.pairs,
        "void": standing.void,
        "distinctPairs": standing.distinct_pairs,
        "elo": standing.elo.map(estimate),
        "notMeasured": standing.not_measured.map(Unmeasured::text),
        "normalizedElo": standing.normalized_elo.map(estimate),
        "superiority": standing.likelihood_of_superiority,
        "sprt": standing.sprt.map(|(ratio, (lower, upper), state)| json!({
            "ratio": number(ratio), "lower": number(lower), "upper": number(upper), "state": state,
        })),
        "hypotheses": subject.hypotheses,
    })
}

/// Number, round, first, second, result (0: the first mover won, 1: the second, 2: drawn, 3: none), reason, plies, the
/// milliseconds of both, and whether it can be replayed.
fn game_row(subject: &Subject, row: &Row, codes: &[String], replays: &HashSet<u64>) -> Value {
    let round = subject.event.ledger().find(id_of(row.number).match_number).map_or(0, |found| found.round + 1);
    let result = match row.outcome {
        Some(Outcome::Win) => 0,
        Some(Outcome::Loss) => 1,
        Some(Outcome::Draw) => 2,
        None => 3,
    };
    let reason = codes.binary_search(&row.reason).unwrap_or_default();
    let [black, white] = row.entrants.map(Entrant);
    json!([
        row.number,
        round,
        black,
        white,
        result,
        reason,
        row.plies,
        row.used[0],
        row.used[1],
        u8::from(replays.contains(&row.number))
    ])
}

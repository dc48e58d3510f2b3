//! Under which conditions a contest was played, in words.

use games::{Listing, Phrase};
use records::{Record, TimeLimits};
use serde::Serialize;
use serde_json::Value;

use crate::plan::{FormatName, Plan, PlannedOpenings, Points};

/// A text in both languages that is made while the program runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Words {
    /// From both texts.
    #[must_use]
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// The same text in both languages: names, numbers.
    #[must_use]
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(text.clone(), text)
    }
}

impl From<Phrase> for Words {
    fn from(phrase: Phrase) -> Self {
        Self::new(phrase.en, phrase.zh)
    }
}

type Condition = (Words, Words);

/// What a tournament file says.
pub(super) fn of_plan(plan: &Plan, entrants: usize) -> Vec<Condition> {
    let cycles = plan.rounds.unwrap_or(1);
    let (times, fold) = if cycles == 1 { ("", String::new()) } else { (", ", format!("×{cycles}")) };
    let format = match plan.format {
        FormatName::RoundRobin => Words::new(format!("round robin{times}{fold}"), format!("循环赛{fold}")),
        FormatName::Gauntlet => Words::new(format!("gauntlet{times}{fold}"), format!("挑战赛{fold}")),
        FormatName::Swiss => match plan.rounds {
            Some(rounds) => Words::new(format!("Swiss, {rounds} rounds"), format!("瑞士制，{rounds} 轮")),
            None => Words::new("Swiss", "瑞士制"),
        },
        FormatName::Knockout => Words::new("knockout", "淘汰赛"),
    };
    let points = match plan.points {
        Points::Match => Words::new("3/1/0 per match", "每场 3/1/0"),
        Points::Two => Words::new("2/1/0 per game", "每局 2/1/0"),
        Points::One => Words::new("1/½/0 per game", "每局 1/½/0"),
    };
    let mut conditions = vec![
        (Words::new("Format", "赛制"), format),
        (Words::new("Engines", "引擎"), Words::same(entrants.to_string())),
        (Words::new("Games a match", "每场局数"), Words::same(plan.games.to_string())),
        (Words::new("Points", "计分"), points),
        openings(&plan.openings),
        (Words::new("Seed", "随机种子"), Words::same(plan.seed.to_string())),
    ];
    conditions.extend(plan.ponder.then(pondering));
    conditions
}

/// What is known of a match.
pub(super) fn of_match(plan: Option<&Plan>) -> Vec<Condition> {
    let mut conditions = vec![(Words::new("Format", "赛制"), Words::new("match of two", "两方对抗"))];
    if let Some(plan) = plan {
        conditions.push((Words::new("Games at most", "最多局数"), Words::same(plan.games.to_string())));
        conditions.push(openings(&plan.openings));
        conditions.push((Words::new("Seed", "随机种子"), Words::same(plan.seed.to_string())));
        conditions.extend(plan.ponder.then(pondering));
    }
    conditions
}

/// What its games say.
pub(super) fn of_games(game: &dyn Listing, first: &Record, dates: Option<&(String, String)>) -> Vec<Condition> {
    let mut conditions = vec![
        (Words::new("Time", "用时"), first.time.map_or_else(|| Words::new("unknown", "未知"), time)),
        (Words::new("Rules", "规则"), variant(game, &first.variant)),
    ];
    let environment = &first.environment;
    let mut add = |label: Words, value: Option<&String>| {
        conditions.extend(value.map(|value| (label, Words::same(value))));
    };
    add(Words::new("boyi", "boyi 版本"), environment.boyi.as_ref());
    add(Words::new("Machine", "机器"), environment.machine.as_ref());
    if let Some((from, to)) = dates {
        let day = |date: &str| date.get(..16).unwrap_or(date).replace('T', " ");
        let (from, to) = (day(from), day(to));
        // The day is said once when all was over within it.
        let to = if from.get(..10) == to.get(..10) { to.get(11..).unwrap_or("").to_owned() } else { to };
        let span = if from.ends_with(&to) { from } else { format!("{from} – {to}") };
        conditions.push((Words::new("Played", "日期"), Words::same(span)));
    }
    conditions
}

fn pondering() -> Condition {
    (Words::new("Pondering", "后台思考"), Words::new("on", "允许"))
}

fn openings(openings: &PlannedOpenings) -> Condition {
    let listed = openings.positions.len() + openings.plies.len();
    let value = match (openings.random, openings.balanced, &openings.file, listed) {
        (Some(plies), None, ..) => Words::new(format!("{plies} random plies"), format!("随机 {plies} 步")),
        (Some(plies), Some(most), ..) => Words::new(
            format!("{plies} random plies, neither side above {most} %"),
            format!("随机 {plies} 步，任一方得分率不超过 {most}%"),
        ),
        (None, _, None, 0) => Words::new("usual start", "标准开局"),
        (None, _, None, listed) => Words::new(format!("a list of {listed}"), format!("{listed} 个开局")),
        (None, _, Some(_), _) => Words::new("a list from a file", "开局文件"),
    };
    (Words::new("Openings", "开局"), value)
}

/// Milliseconds as a person says them.
fn duration(milliseconds: u64) -> Words {
    let (number, en, zh) = match milliseconds {
        0..1000 => (milliseconds as f64, "ms", "毫秒"),
        1000..120_000 => (milliseconds as f64 / 1000.0, "s", "秒"),
        _ => (milliseconds as f64 / 60_000.0, "min", "分钟"),
    };
    // Three digits are enough; 1.5 stays 1.5 and 2 stays 2.
    let number = (number * 100.0).round() / 100.0;
    Words::new(format!("{number} {en}"), format!("{number} {zh}"))
}

fn time(limits: TimeLimits) -> Words {
    let mut parts = Vec::new();
    let mut add = |value: Option<u64>, en: [&str; 2], zh: [&str; 2]| {
        if let Some(value) = value.filter(|value| *value > 0).map(duration) {
            parts.push(Words::new(en.join(&value.en), zh.join(&value.zh)));
        }
    };
    add(limits.ply_ms, ["", " a ply"], ["每步 ", ""]);
    add(limits.game_ms, ["", " a game"], ["每局 ", ""]);
    add(limits.increment_ms, ["+", " each ply"], ["每步加 ", ""]);
    add(limits.tolerance_ms, ["overruns up to ", " forgiven"], ["容许超时 ", ""]);
    if parts.is_empty() {
        return Words::new("no limit", "不限时");
    }
    let join = |text: fn(&Words) -> &str, with: &str| parts.iter().map(text).collect::<Vec<_>>().join(with);
    Words::new(join(|part| &part.en, ", "), join(|part| &part.zh, "，"))
}

/// The options that are not the usual ones.
fn variant(game: &dyn Listing, variant: &Value) -> Words {
    let usual = game.defaults();
    let other: Vec<String> = variant
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| usual.get(key.as_str()) != Some(*value))
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key} = {text}"),
            // A list of starts is long, and each game's record has it.
            Value::Array(list) => format!("{key}: {}", list.len()),
            value => format!("{key} = {value}"),
        })
        .collect();
    if other.is_empty() { Words::new("usual", "标准") } else { Words::same(other.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        let limits =
            TimeLimits { ply_ms: Some(500), game_ms: Some(180_000), increment_ms: Some(1500), ..TimeLimits::default() };
        assert_eq!(
            time(limits),
            Words::new("500 ms a ply, 3 min a game, +1.5 s each ply", "每步 500 毫秒，每局 3 分钟，每步加 1.5 秒")
        );
        assert_eq!(time(TimeLimits::default()).zh, "不限时");
    }

    #[test]
    fn only_options_that_are_not_usual_are_said() {
        let game = games::find("nogo").unwrap();
        assert_eq!(variant(game, &game.defaults()).en, "usual");
        assert_eq!(variant(game, &serde_json::json!({ "size": 7 })).zh, "size = 7");
    }
}

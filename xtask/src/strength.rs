//! `cargo xtask strength` and `cargo xtask levels`: what the built-in players are worth, by `boyi match`.

use std::io::Write as _;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::arena::Programs;

/// Every game with how many random plies a pair of games begins after. The hidden games begin by themselves differently.
const GAMES: [(&str, u32); 9] = [
    ("amazons", 4),
    ("connect6", 2),
    ("nogo", 4),
    ("dots", 6),
    ("phantom-go", 0),
    ("surakarta", 4),
    ("gomoku", 2),
    ("junqi", 0),
    ("tiaojia", 4),
];

/// The levels from the weakest up.
const LEVELS: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

/// What a match came to.
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
    faults: String,
}

impl Score {
    fn share(&self) -> f64 {
        let games = (self.won + self.drawn + self.lost).max(1) as f64;
        (self.won as f64 + 0.5 * self.drawn as f64) / games
    }
}

/// `max` against the named baselines.
pub(crate) fn run(only: Option<&str>, games: u32, milliseconds: u32) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    say(
        "| game | against | won | drawn | lost | score | goal | | faults |\n|---|---|---:|---:|---:|---:|---:|---|---|",
    )?;
    for (game, plies) in wanted(only)? {
        let baselines: &[(&str, f64)] = match game {
            "connect6" => &[("random", 0.98), ("greedy", 0.98), ("lines", 0.95)],
            _ => &[("random", 0.98), ("greedy", 0.98)],
        };
        for &(baseline, goal) in baselines {
            let score = duel(&programs, game, "max", baseline, plies, games, Some(milliseconds))?;
            let met = if score.share() >= goal { "met" } else { "NOT met" };
            say(&format!(
                "| {game} | {baseline} | {} | {} | {} | {:.1} % | {:.0} % | {met} | {} |",
                score.won,
                score.drawn,
                score.lost,
                100.0 * score.share(),
                100.0 * goal,
                score.faults
            ))?;
        }
    }
    Ok(())
}

/// Each level against the one below.
pub(crate) fn levels(only: Option<&str>, games: u32) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    say("| game | level | against | score | within 60–85 % | faults |\n|---|---|---|---:|---|---|")?;
    for (game, plies) in wanted(only)? {
        for pair in LEVELS.windows(2) {
            let score = duel(&programs, game, pair[1], pair[0], plies, games, None)?;
            let met = if (0.60..=0.85).contains(&score.share()) { "met" } else { "NOT met" };
            let (share, faults) = (100.0 * score.share(), &score.faults);
            say(&format!("| {game} | {} | {} | {share:.1} % | {met} | {faults} |", pair[1], pair[0]))?;
        }
    }
    Ok(())
}

fn wanted(only: Option<&str>) -> anyhow::Result<Vec<(&'static str, u32)>> {
    let games: Vec<_> =
        GAMES.into_iter().filter(|(game, _)| only.is_none_or(|only| only.split(',').any(|one| one == *game))).collect();
    if games.is_empty() {
        bail!("no such game; there are {}", GAMES.map(|(game, _)| game).join(", "));
    }
    Ok(games)
}

fn duel(
    programs: &Programs,
    game: &str,
    a: &str,
    b: &str,
    opening: u32,
    games: u32,
    milliseconds: Option<u32>,
) -> anyhow::Result<Score> {
    let [a, b] = [a, b].map(|level| format!("builtin:{level}"));
    let (games, opening) = (games.to_string(), opening.to_string());
    // A level is held back by what it looks at, not by its time.
    let limit = milliseconds.map_or_else(|| "10".to_owned(), |milliseconds| format!("{milliseconds}ms"));
    let mut words = vec!["match", game, "-a", &a, "-b", &b, "--games", &games, "--ply-time", &limit, "--json"];
    words.extend(["--seed", "1"]);
    if opening != "0" {
        words.extend(["--opening-plies", &opening]);
    }
    let mut command = programs.boyi(&words);
    let output = command.output()?;
    let text = String::from_utf8(output.stdout)?;
    let events: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let standing = &events.last().with_context(|| format!("{game}: boyi said nothing"))?["standing"];
    // Losses, draws and wins of A.
    let count = |at: usize| standing["results"][at].as_u64().with_context(|| format!("results in {standing}"));
    Ok(Score { won: count(2)?, drawn: count(1)?, lost: count(0)?, faults: faults(&events) })
}

/// Reasons that no player of ours may ever lose by.
fn faults(events: &[Value]) -> String {
    let codes = ["time", "illegal-ply", "malformed-answer", "exited", "not-ready", "resource-limit", "stalled"];
    let reasons: Vec<&str> = events.iter().filter_map(|event| event["reason"].as_str()).collect();
    let bad = codes.into_iter().filter_map(|code| {
        let count = reasons.iter().filter(|reason| **reason == code).count();
        (count > 0).then(|| format!("{count} × {code}"))
    });
    let bad: Vec<String> = bad.collect();
    if bad.is_empty() { "none".to_owned() } else { bad.join(", ") }
}

fn say(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}

//! `cargo xtask strength`, `levels`, `ideas` and `faultless`: what the built-in players are worth, by `boyi match`.

use std::io::Write as _;

use anyhow::{Context as _, bail};
use engines::Style;
use games::{GAMES, Listing};
use serde_json::Value;

use crate::arena::Programs;

/// How many random plies a pair of games begins after. The hidden games begin differently by themselves.
const OPENING_PLIES: &str = "4";
/// The levels from the weakest up.
const LEVELS: [&str; 6] = ["1", "2", "3", "4", "5", "6"];
/// The memory players promise to stay within, in MiB.
const MEMORY: &str = "256";
/// What a sequential test of an idea decides between, in normalized Elo.
const HYPOTHESES: &str = "0,50";
/// Reasons that no player of ours may ever lose by; `stalled` is the machine's fault, and shown too.
const FAULTS: [&str; 8] =
    ["time", "illegal-ply", "malformed-answer", "exited", "not-ready", "resource-limit", "stalled", "undone-pause"];

/// What a match came to.
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
    faults: String,
}

impl Score {
    /// The score of A at the end of a match.
    fn of(events: &[Value]) -> anyhow::Result<Self> {
        let standing = &events.last().context("boyi said nothing")?["standing"];
        // Losses, draws and wins.
        let count = |at: usize| standing["results"][at].as_u64().with_context(|| format!("results in {standing}"));
        Ok(Self { won: count(2)?, drawn: count(1)?, lost: count(0)?, faults: faults(events) })
    }

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
    for game in wanted(only)? {
        for &(baseline, style, _) in engines::styles(game) {
            let Some(goal) = goal(style) else { continue };
            let limit = format!("{milliseconds}ms");
            let score = duel(&programs, game, "max", baseline, games, &limit)?;
            let met = if score.share() >= goal { "met" } else { "NOT met" };
            say(&format!(
                "| {} | {baseline} | {} | {} | {} | {:.1} % | {:.0} % | {met} | {} |",
                game.facts().id,
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

/// The share `max` is to win against a baseline.
const fn goal(style: Style) -> Option<f64> {
    match style {
        Style::Random | Style::Greedy => Some(0.98),
        Style::Lines => Some(0.95),
        Style::Uct => Some(0.90),
        Style::Level(_) | Style::Max | Style::Without(_) => None,
    }
}

/// Each level against the one below.
pub(crate) fn levels(only: Option<&str>, games: u32) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    say("| game | level | against | score | within 60–85 % | faults |\n|---|---|---|---:|---|---|")?;
    for game in wanted(only)? {
        for pair in LEVELS.windows(2) {
            // A level is held back by what it looks at, not by its time.
            let score = duel(&programs, game, pair[1], pair[0], games, "10")?;
            let met = if (0.60..=0.85).contains(&score.share()) { "met" } else { "NOT met" };
            let (share, faults) = (100.0 * score.share(), &score.faults);
            say(&format!("| {} | {} | {} | {share:.1} % | {met} | {faults} |", game.facts().id, pair[1], pair[0]))?;
        }
    }
    Ok(())
}

/// `max` against itself without each of its ideas, until a sequential test is sure.
pub(crate) fn ideas(only: Option<&str>, games: u32, milliseconds: u32, workers: u32) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    let (games, limit, workers) = (games.to_string(), format!("{milliseconds}ms"), workers.to_string());
    say(
        "| game | idea | games | won | drawn | lost | Elo | SPRT | faults |\n|---|---|---:|---:|---:|---:|---|---|---|",
    )?;
    for game in wanted(only)? {
        for idea in engines::ideas(game) {
            let without = format!("builtin:max-{idea}");
            let mut words = vec!["match", game.facts().id, "-a", "builtin:max", "-b", &without, "--ply-time", &limit];
            words.extend(["--games", &games, "--sprt", HYPOTHESES, "-j", &workers, "--json"]);
            words.extend(["--seed", "1"]);
            words.extend(opening(game));
            if !game.facts().hidden {
                // Where whoever moves first wins anyway nothing shows what an idea is worth.
                words.extend(["--balanced", "70"]);
            }
            let events = played(&programs, &words)?;
            let score = Score::of(&events)?;
            let standing = &events.last().context("boyi said nothing")?["standing"];
            let elo = |key: &str| standing["elo"][key].as_f64().map_or("?".to_owned(), |elo| format!("{elo:+.0}"));
            say(&format!(
                "| {} | {idea} | {} | {} | {} | {} | {} [{}, {}] | {} | {} |",
                game.facts().id,
                score.won + score.drawn + score.lost,
                score.won,
                score.drawn,
                score.lost,
                elo("value"),
                elo("lower"),
                elo("upper"),
                standing["sprt"][2].as_str().unwrap_or("?"),
                score.faults
            ))?;
        }
    }
    Ok(())
}

/// `max` against itself as a program in a cage of the memory it promises to stay within: nothing but the game decides.
pub(crate) fn faultless(only: Option<&str>, games: u32, milliseconds: u32, workers: u32) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    // A cage shows a program its own folder: it gets one.
    let folder = tempfile::Builder::new().prefix("boyi-faultless-").tempdir()?;
    let program = folder.path().join("boyi");
    std::fs::copy(&programs.boyi, &program)?;
    crate::shell::run(std::process::Command::new("chmod").args(["-R", "a+rX"]).arg(folder.path()))?;
    let (games, limit, workers) = (games.to_string(), format!("{milliseconds}ms"), workers.to_string());
    say("| game | games | time for a ply | plies | faults | seconds |\n|---|---:|---:|---:|---|---:|")?;
    let mut found = 0;
    for game in wanted(only)? {
        let began = std::time::Instant::now();
        let player = format!("{} engine {} --ply-time {limit}", program.display(), game.facts().id);
        let mut words =
            vec!["match", game.facts().id, "-a", &player, "-b", &player, "--games", &games, "--ply-time", &limit];
        words.extend(["--memory", MEMORY, "--sandbox", "auto", "--no-report", "--json", "-j", &workers]);
        // One process for all games: what is not forgotten between them would show too.
        words.extend(["--restart", "keep"]);
        let events = told(programs.boyi(&words).current_dir(folder.path()))?;
        let ended = events.iter().filter(|event| event["event"] == "game");
        let (count, plies) = ended
            .fold((0, 0), |(count, plies), event| (count + 1, plies + event["plies"].as_u64().unwrap_or_default()));
        let faults = faults(&events);
        found += u32::from(faults != "none");
        say(&format!(
            "| {} | {count} | {limit} | {plies} | {faults} | {} |",
            game.facts().id,
            began.elapsed().as_secs()
        ))?;
    }
    if found > 0 {
        bail!("{found} games have faults");
    }
    Ok(())
}

fn wanted(only: Option<&str>) -> anyhow::Result<Vec<&'static dyn Listing>> {
    let Some(only) = only else { return Ok(GAMES.to_vec()) };
    only.split(',').map(|name| Ok(games::find(name)?)).collect()
}

fn duel(programs: &Programs, game: &dyn Listing, a: &str, b: &str, games: u32, limit: &str) -> anyhow::Result<Score> {
    let [a, b] = [a, b].map(|level| format!("builtin:{level}"));
    let games = games.to_string();
    let mut words =
        vec!["match", game.facts().id, "-a", &a, "-b", &b, "--games", &games, "--ply-time", limit, "--json"];
    words.extend(["--seed", "1"]);
    words.extend(opening(game));
    Score::of(&played(programs, &words)?)
}

/// How a pair of games begins.
fn opening(game: &dyn Listing) -> &'static [&'static str] {
    if game.facts().hidden { &[] } else { &["--opening-plies", OPENING_PLIES] }
}

/// Everything a match tells.
fn played(programs: &Programs, words: &[&str]) -> anyhow::Result<Vec<Value>> {
    told(&mut programs.boyi(words))
}

fn told(command: &mut std::process::Command) -> anyhow::Result<Vec<Value>> {
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn faults(events: &[Value]) -> String {
    let reasons: Vec<&str> = events.iter().filter_map(|event| event["reason"].as_str()).collect();
    let bad = FAULTS.into_iter().filter_map(|code| {
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

//! `cargo xtask same`: an engine against itself. The interval must contain 0 and the test accept H0, as often as they say.

use std::io::Write as _;

use anyhow::Context as _;

use crate::arena::{self, Programs};

/// Games of a match for its interval, and the most for its test.
const GAMES: &str = "200";
const MOST_GAMES: &str = "100000";
/// The hypotheses of the test, in normalized Elo.
const HYPOTHESES: &str = "0,30";

pub(crate) fn run(matches: u64, game: &str, first_seed: u64) -> anyhow::Result<()> {
    let programs = Programs::build()?;
    let (mut covered, mut accepted, mut undecided, mut played) = (0, 0, 0, 0);
    for seed in first_seed..first_seed + matches {
        let seed = seed.to_string();
        let play = |more: &[&str]| {
            let both = ["match", game, "-a", "builtin:random", "-b", "builtin:random", "--json", "-q", "--seed", &seed];
            arena::last_event(&mut programs.boyi(&[&both[..], more].concat()))
        };
        let standing = &play(&["--games", GAMES])?["standing"];
        // An infinite bound has no number in JSON and holds everything.
        let bound = |name: &str, otherwise: f64| standing["elo"][name].as_f64().unwrap_or(otherwise);
        covered += u64::from(bound("lower", f64::NEG_INFINITY) <= 0.0 && bound("upper", f64::INFINITY) >= 0.0);
        let standing = &play(&["--games", MOST_GAMES, "--sprt", HYPOTHESES])?["standing"];
        played += standing["games"].as_u64().context("games")?;
        match standing["sprt"][2].as_str() {
            Some("accept_h0") => accepted += 1,
            Some("accept_h1") => {}
            _ => undecided += 1,
        }
    }
    let total = matches as f64;
    let error = (0.95 * 0.05 / total).sqrt();
    let met = |holds: bool| if holds { "met" } else { "NOT met" };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| {matches} matches of {game}, built-in random against itself, seeds from {first_seed} | rate | goal | |\n|---|---:|---:|---|"
    )?;
    let (interval, test) = (f64::from(covered as u32) / total, f64::from(accepted) / total);
    let (low, high) = (0.95 - 2.0 * error, 0.95 + 2.0 * error);
    writeln!(
        out,
        "| 95 % interval of {GAMES} games contains 0 | {interval:.3} | {low:.3} … {:.3} | {} |",
        high.min(1.0),
        met((low..=high).contains(&interval))
    )?;
    writeln!(
        out,
        "| SPRT ({HYPOTHESES} nElo) accepts H0 | {test:.3} | ≥ {:.3} | {} |",
        0.95 - error,
        met(test >= 0.95 - error)
    )?;
    writeln!(out, "| undecided after {MOST_GAMES} games | {undecided} | – | |")?;
    writeln!(out, "| games until the decision, mean | {:.0} | – | |", played as f64 / total)?;
    Ok(())
}

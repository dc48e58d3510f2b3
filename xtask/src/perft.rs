//! `cargo xtask perft`: counts every case of the perft files in full, through the program people use.

use std::io::Write as _;

use anyhow::{Context as _, anyhow, ensure};
use games::perft_file::{self, Case};

use crate::shell::{self, cargo, root};

pub(crate) fn run(only: Option<&str>) -> anyhow::Result<()> {
    shell::run(cargo().args(["build", "--release", "--package", "boyi"]))?;
    let only = only.map(games::find).transpose()?.map(|game| game.facts().id);
    let mut out = std::io::stdout().lock();
    writeln!(out, "| game | case | depth | leaves | seconds | |\n|---|---|---:|---:|---:|---|")?;
    let mut wrong = 0;
    for game in games::GAMES.iter().map(|game| game.facts().id).filter(|id| only.is_none_or(|only| only == *id)) {
        let file = root().join("crates/games/tests/perft").join(format!("{game}.perft"));
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for case in perft_file::read(&text).map_err(|error| anyhow!("{game}.perft: {error}"))? {
            for (depth, &expected) in (1_u32..).zip(&case.leaves) {
                let (leaves, seconds) = count(game, &case, depth)?;
                wrong += u32::from(leaves != expected);
                let judgement = if leaves == expected { "right".to_owned() } else { format!("WRONG, not {expected}") };
                let line = case.line;
                writeln!(out, "| {game} | line {line} | {depth} | {leaves} | {seconds:.2} | {judgement} |")?;
            }
        }
    }
    ensure!(wrong == 0, "{wrong} counts are wrong");
    Ok(())
}

/// Runs `boyi perft` and reads its answer.
fn count(game: &str, case: &Case, depth: u32) -> anyhow::Result<(u64, f64)> {
    let mut command = cargo();
    command.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "boyi",
        "--",
        "perft",
        game,
        &depth.to_string(),
        "--json",
    ]);
    for (key, value) in case.variant.as_object().into_iter().flatten() {
        command.arg("--variant").arg(format!("{key}={value}"));
    }
    if let Some(position) = &case.position {
        command.arg("--position").arg(position);
    }
    let output = command.output()?;
    ensure!(output.status.success(), "{game}.perft line {}: {}", case.line, String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let leaves = answer["leaves"].as_u64().context("no leaves in the answer")?;
    Ok((leaves, answer["seconds"].as_f64().unwrap_or_default()))
}

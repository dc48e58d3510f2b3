//! What the proofs of tournaments share: the release programs, a plan of instant engines, and reading what they left.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::shell::{self, cargo, root};

/// The programs a proof runs.
pub(crate) struct Programs {
    pub(crate) boyi: PathBuf,
    pub(crate) engine: PathBuf,
}

impl Programs {
    /// Builds them as people use them.
    pub(crate) fn build() -> anyhow::Result<Self> {
        shell::run(cargo().args(["build", "--release", "--package", "boyi", "--package", "referee", "--bins"]))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let release = target.join("release");
        Ok(Self { boyi: release.join("boyi"), engine: release.join("instant-engine") })
    }

    /// A round robin of instant engines that last differently long, so that there are wins, losses and draws.
    pub(crate) fn plan(&self, lasting: &[u32], games: usize, plies: u32) -> String {
        let mut text = format!(
            "game = \"tiaojia\"\ngames = {games}\nconcurrency = 2\n[variant]\nmax_plies = {plies}\n[time]\nply_ms = 20000\n"
        );
        for (index, until) in lasting.iter().enumerate() {
            let command = format!("{} until {until}", self.engine.display());
            text.push_str(&format!("[[engine]]\nname = \"engine {index}\"\ncommand = {command:?}\n"));
        }
        text
    }

    /// `boyi` with nothing on its streams but what it says in JSON.
    pub(crate) fn boyi(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.boyi);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// Runs a command to its end and gives the last line of its output as JSON.
pub(crate) fn last_event(command: &mut Command) -> anyhow::Result<Value> {
    let output = command.output()?;
    ensure!(output.status.success(), "boyi ended with {}", output.status);
    let text = String::from_utf8(output.stdout)?;
    Ok(serde_json::from_str(text.lines().last().context("boyi said nothing")?)?)
}

/// The games of a journal: number to seats, plies and result. A number that is there twice is an error.
pub(crate) fn games(folder: &Path) -> anyhow::Result<BTreeMap<u64, String>> {
    let mut games = BTreeMap::new();
    for line in std::io::BufReader::new(std::fs::File::open(folder.join("journal.jsonl"))?).lines() {
        let game: Value = serde_json::from_str(&line?)?;
        let number = game["number"].as_u64().context("a game has a number")?;
        let record = &game["record"];
        let plies: Vec<&str> =
            record["plies"].as_array().into_iter().flatten().filter_map(|ply| ply["ply"].as_str()).collect();
        let verdict = &record["verdict"];
        let story = format!(
            "{} {} {} {} {}",
            game["black"],
            game["white"],
            verdict["winner"],
            verdict["reason"],
            plies.join(" ")
        );
        ensure!(games.insert(number, story).is_none(), "game {number} is in the journal twice");
    }
    Ok(games)
}

/// How busy the machine is, for the reader of a figure.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

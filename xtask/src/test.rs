//! `cargo xtask test`: the one command that CI and the README name.

use anyhow::{anyhow, ensure};

use crate::pages;
use crate::shell::{self, cargo, tell, works};

pub(crate) fn run() -> anyhow::Result<()> {
    let prepared = pages::prepare();
    shell::run(cargo().args(["fmt", "--all", "--check"]))?;
    shell::run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    if !works(cargo().args(["nextest", "--version"])) {
        tell("cargo-nextest is missing and is installed now");
        shell::run(cargo().args(["install", "--locked", "cargo-nextest"]))?;
    }
    // Examples are linted above; building them too would cost minutes.
    let kinds = ["--lib", "--bins", "--tests"];
    shell::run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]).args(kinds))?;
    shell::run(cargo().args(["test", "--workspace", "--doc", "--quiet"]))?;
    let missing = prepared.join().map_err(|_| anyhow!("preparing the pages panicked"))??;
    if missing.is_none() {
        pages::test(&pages::debug_boyi(), &pages::SUITES)?;
    }
    conclude(missing)
}

/// The pages alone.
pub(crate) fn only_pages() -> anyhow::Result<()> {
    let prepared = pages::prepare();
    pages::build_boyi()?;
    let missing = prepared.join().map_err(|_| anyhow!("preparing the pages panicked"))??;
    if missing.is_none() {
        pages::test(&pages::debug_boyi(), &[])?;
    }
    conclude(missing)
}

/// What could not be tested is said and counted; where changes are judged it is a failure.
fn conclude(missing: Option<pages::Missing>) -> anyhow::Result<()> {
    let Some(why) = missing else {
        tell("all is well");
        return Ok(());
    };
    tell(&format!("not available here: the pages and their browser tests: {why}"));
    let judged = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false");
    ensure!(!judged, "1 part was not tested, and CI tests everything");
    tell("the rest is well; 1 part was not tested");
    Ok(())
}

//! `cargo xtask test`: the one command that CI and the README name.

use crate::shell::{self, cargo, tell, works};

pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(cargo().args(["fmt", "--all", "--check"]))?;
    shell::run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    if !works(cargo().args(["nextest", "--version"])) {
        tell("cargo-nextest is missing and is installed now");
        shell::run(cargo().args(["install", "--locked", "cargo-nextest"]))?;
    }
    shell::run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]))?;
    shell::run(cargo().args(["test", "--workspace", "--doc", "--quiet"]))?;
    tell("all is well");
    Ok(())
}

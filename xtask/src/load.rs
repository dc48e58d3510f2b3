//! `cargo xtask load`: the server under the load that issue 6 names.

use crate::shell;

pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(shell::cargo().args(["build", "--release", "--package", "boyi"]))?;
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let program = shell::root().join(folder).join("release").join("boyi");
    shell::run(shell::cargo().args(["bench", "--package", "arena", "--bench", "load"]).env("BOYI", program))
}

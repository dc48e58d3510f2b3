//! The pages: types, unit tests, the committed build, and the browser tests, with everything they need fetched first.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};

use crate::shell::{self, cargo, root, says, tell, works};

/// The oldest node that Vite runs on.
const NODE: (u32, u32) = (20, 19);
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Why the pages cannot be tested on this machine.
pub(crate) type Missing = String;

/// Node, npm, a browser and a Chinese font: fetched while the Rust part is built, since that waits for the network only.
pub(crate) fn prepare() -> JoinHandle<anyhow::Result<Option<Missing>>> {
    std::thread::spawn(|| {
        let lacking = lacking();
        if !lacking.is_empty()
            && let Some(missing) = install(&lacking)
        {
            return Ok(Some(missing));
        }
        packages()
    })
}

/// What has to be installed, as Debian calls it.
fn lacking() -> Vec<&'static str> {
    let mut lacking = Vec::new();
    if says(Command::new("node").arg("--version")).is_none() {
        lacking.push("nodejs");
    }
    if says(Command::new("npm").arg("--version")).is_none() {
        lacking.push("npm");
    }
    if std::env::var_os("CHROMIUM").is_none() && !BROWSERS.iter().any(|name| Path::new("/usr/bin").join(name).exists())
    {
        lacking.push("chromium");
    }
    // Without one, every Chinese character is the same box, and pictures prove nothing.
    if says(Command::new("fc-list").args([":lang=zh-cn", "family"])).is_none_or(|list| list.trim().is_empty()) {
        lacking.extend(["fontconfig", "fonts-noto-cjk"]);
    }
    lacking
}

/// Installs packages of the system; says why it cannot.
fn install(lacking: &[&str]) -> Option<Missing> {
    let names = lacking.join(" ");
    if !rustix::process::geteuid().is_root() {
        return Some(format!(
            "{names} would have to be installed, which only root may do: sudo apt-get install {names}"
        ));
    }
    if !works(Command::new("apt-get").arg("--version")) {
        return Some(format!("{names} would have to be installed, and this system has no apt-get"));
    }
    tell(&format!("installing {names}"));
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(["--quiet", "--option", "Acquire::Retries=3"]);
        apt
    };
    let failure = quietly(apt().arg("update"))
        .err()
        .or_else(|| quietly(apt().args(["install", "--yes", "--no-install-recommends"]).args(lacking)).err());
    failure.map(|error| format!("{names} could not be installed: {error:#}"))
}

/// `npm ci`, unless the folder already holds exactly what the lock file names.
fn packages() -> anyhow::Result<Option<Missing>> {
    let version = says(Command::new("node").arg("--version")).unwrap_or_default();
    if node_version(&version).is_none_or(|version| version < NODE) {
        return Ok(Some(format!("node {} is older than {}.{}, which Vite needs", version.trim(), NODE.0, NODE.1)));
    }
    let web = web();
    let written = |path: &str| std::fs::metadata(web.join(path)).and_then(|facts| facts.modified()).ok();
    let installed = written("node_modules/.package-lock.json");
    if installed.is_some() && installed >= written("package-lock.json") && installed >= written("package.json") {
        return Ok(None);
    }
    // A lock file that does not fit is a fault of the repository; no network is not.
    match quietly(npm().args(["ci", "--ignore-scripts"])) {
        Ok(()) => Ok(None),
        Err(error) if format!("{error:#}").contains("EUSAGE") => Err(error),
        Err(error) => Ok(Some(format!("the packages of web/ could not be fetched: {error:#}"))),
    }
}

/// The suites that run before a change lands. How every course page looks at every width, and a whole course in both
/// languages, take minutes and are left to `cargo xtask pages`.
pub(crate) const SUITES: [&str; 6] = ["home", "games", "hidden", "room", "safety", "look"];

/// What must hold of the pages; `boyi` is the program that serves them. All suites when none is named.
pub(crate) fn test(boyi: &Path, suites: &[&str]) -> anyhow::Result<()> {
    let begin = Instant::now();
    shell::run(npm().args(["run", "--silent", "check"]))?;
    shell::run(npm().args(["test", "--silent"]))?;
    build_is_committed()?;
    ensure!(boyi.exists(), "there is no {}: build boyi first", boyi.display());
    shell::run(npm().args(["run", "--silent", "browser-test", "--"]).args(suites).env("BOYI", boyi))?;
    tell(&format!("the pages took {} s", begin.elapsed().as_secs()));
    Ok(())
}

/// `web/dist` is what `web/src` makes, byte for byte.
fn build_is_committed() -> anyhow::Result<()> {
    let fresh = target().join("web-dist");
    shell::run(
        npm().args(["run", "--silent", "build", "--", "--logLevel", "warn", "--emptyOutDir", "--outDir"]).arg(&fresh),
    )?;
    let (built, committed) = (files(&fresh)?, files(&web().join("dist"))?);
    ensure!(!built.is_empty(), "the build of web/ made nothing");
    let differing: Vec<&str> = built
        .keys()
        .chain(committed.keys().filter(|name| !built.contains_key(*name)))
        .filter(|name| built.get(*name) != committed.get(*name))
        .map(String::as_str)
        .collect();
    if !differing.is_empty() {
        bail!(
            "web/dist is not what web/src makes ({}): run `npm ci && npm run build` in web/ and commit both together",
            differing.join(", ")
        );
    }
    Ok(())
}

/// Every file under a folder with its content.
fn files(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.display().to_string();
                found.insert(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The debug program, which the Rust tests have built.
pub(crate) fn debug_boyi() -> PathBuf {
    target().join("debug").join("boyi")
}

/// Builds it where nothing else has.
pub(crate) fn build_boyi() -> anyhow::Result<()> {
    shell::run(cargo().args(["build", "--package", "boyi", "--bin", "boyi"]))
}

fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

fn web() -> PathBuf {
    root().join("web")
}

fn npm() -> Command {
    let mut command = Command::new("npm");
    command.current_dir(web());
    command
}

/// "v20.20.2" as 20, 20.
fn node_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().trim_start_matches('v').split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// Runs a program; only what it said when it failed is shown.
fn quietly(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| name(command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let end: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    bail!("{} ended with {}: {}", name(command.get_program()), output.status, end.join(" / "))
}

fn name(program: &OsStr) -> String {
    program.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(node_version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(node_version("v9.1"), Some((9, 1)));
        assert_eq!(node_version("none"), None);
    }

    #[test]
    fn files_are_found_in_all_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("deep")).unwrap();
        std::fs::write(folder.path().join("deep").join("a"), "1").unwrap();
        std::fs::write(folder.path().join("b"), "2").unwrap();
        let found = files(folder.path()).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["b", "deep/a"]);
    }
}

//! Compilers that play tricks with what they leave. No real one does; a stranger who has found a hole in one would.

use std::path::Path;
use std::sync::Arc;

use games::Phrase;
use libtest_mimic::Failed;
use sandbox::{Level, Limits, Sandbox};
use workshop::{Allowance, FileName, Made, Options, Product, Recipe, Tool, Why, Workshop};

use crate::Case;

const WORKBENCH: &str = env!("CARGO_BIN_EXE_workbench");

/// A program that every machine has.
const fn tool(name: &'static str) -> Tool {
    Tool {
        name,
        serves: name,
        version: &["--version"],
        home: &[],
        remedy: Phrase::same(""),
        environment: &[],
        forks: false,
    }
}

/// Such a program as a compiler.
pub(crate) const fn compiler(tool: &'static Tool, compile: &'static [&'static str]) -> Recipe {
    Recipe {
        id: tool.name,
        name: Phrase::same(tool.name),
        also: &[],
        endings: &[],
        tool,
        standard: "",
        compile,
        run: &["{program}"],
        file: FileName::Fixed("main.txt"),
        product: Product::Executable,
        allowance: Allowance { compile_seconds: 10, compile_processes: 8, run_processes: 8 },
    }
}

pub(crate) static COPY: Tool = tool("cp");
static LINK: Tool = tool("ln");
static PIPE: Tool = tool("mkfifo");
static FOLDER: Tool = tool("mkdir");
static NOTHING: Tool = tool("true");
static SIZE: Tool = tool("truncate");
static SHELL: Tool = tool("bash");
static SLEEP: Tool = tool("sleep");

static LINKS: Recipe = compiler(&LINK, &["{bin}/ln", "-s", "/etc/shadow", "{output}"]);
static LINKS_ITS_SOURCE: Recipe = compiler(&LINK, &["{bin}/ln", "-s", "{source}", "{output}"]);
static PIPES: Recipe = compiler(&PIPE, &["{bin}/mkfifo", "{output}"]);
static MAKES_A_FOLDER: Recipe = compiler(&FOLDER, &["{bin}/mkdir", "{output}"]);
static MAKES_NOTHING: Recipe = compiler(&NOTHING, &["{bin}/true", "{source}"]);
static MAKES_MUCH: Recipe = compiler(&SIZE, &["{bin}/truncate", "-s", "65M", "{output}"]);
static DIES: Recipe = compiler(&SHELL, &["{bin}/bash", "-c", "kill -SEGV $$"]);
static SLEEPS: Recipe = compiler(&SLEEP, &["{bin}/sleep", "1000"]);
static CHANGES_ITS_SOURCE: Recipe = compiler(&COPY, &["{bin}/cp", "/usr/bin/env", "{source}"]);

pub(crate) fn workshop(level: Level, folder: &Path, most_bytes: u64) -> Result<Workshop, Failed> {
    Ok(Workshop::open(Arc::new(Sandbox::new(level, WORKBENCH)?), folder, most_bytes)?)
}

/// A folder that strangers may pass through, as level C needs.
pub(crate) fn folder() -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::Builder::new().prefix("boyi-workshop-").tempdir()?;
    std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(folder)
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for level in [Level::A, Level::B, Level::C] {
        // At levels A and B what is not a plain file does not even leave the cage.
        let kept_in = if level == Level::C { "program is not a plain file" } else { "program was not made" };
        let no_program = |said: &str| Why::NoProgram(said.to_owned());
        for (name, recipe, why) in [
            ("link", &LINKS, no_program(kept_in)),
            ("link-to-the-source", &LINKS_ITS_SOURCE, no_program(kept_in)),
            ("pipe", &PIPES, no_program(kept_in)),
            ("folder", &MAKES_A_FOLDER, no_program("program is not a plain file")),
            ("nothing", &MAKES_NOTHING, no_program("program was not made")),
            ("much", &MAKES_MUCH, Why::Limit(sandbox::Limit::FileSize)),
            ("death", &DIES, Why::Crashed(11)),
            ("sleep", &SLEEPS, Why::Limit(sandbox::Limit::Wall)),
            ("its-source", &CHANGES_ITS_SOURCE, Why::Errors),
        ] {
            cases.push(Case::new(level, format!("spoiled::{name}"), None, move || spoils(level, recipe, &why)));
        }
    }
    cases
}

fn spoils(level: Level, recipe: &'static Recipe, why: &Why) -> Result<(), Failed> {
    let folder = folder()?;
    let workshop = workshop(level, folder.path(), 1 << 20)?;
    let limits = Limits { wall: Some(std::time::Duration::from_secs(2)), ..Limits::compiler() };
    match workshop.build(b"text", recipe, &Options { limits: Some(limits) })? {
        Made::Failed(failed) if failed.why == *why => {}
        made => return Err(format!("{made:#?} instead of {why:?}").into()),
    }
    for inner in ["scratch", "entries"] {
        let left: Vec<_> = std::fs::read_dir(folder.path().join(inner))?.flatten().map(|entry| entry.path()).collect();
        if !left.is_empty() {
            return Err(format!("left behind: {left:?}").into());
        }
    }
    Ok(())
}

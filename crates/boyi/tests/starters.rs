//! Every engine in `sdk/` passes `boyi check` without a finding, in every rule it claims to play.
//!
//! Where the interpreter or the compiler is missing, its engines are listed as ignored, with the reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// What a starter claims beside its game's usual rules, as `--variant` pairs.
const CLAIMS: &[(&str, &[&[&str]])] = &[
    (
        "gomoku",
        &[
            &["rule=renju"],
            &["rule=exact"],
            &["opening=swap2"],
            &["rule=renju", "opening=swap2"],
            &["width=12", "height=9", "rule=3"],
        ],
    ),
    ("junqi", &[&["steps=12"]]),
    ("phantom-go", &[&["max_plies=60"]]),
];

fn sdk() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk")
}

/// The games with a starter in this folder, by the names of its files.
fn games_in(folder: &str, ending: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(sdk().join(folder)).expect("the folder of starters");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    names.filter_map(|name| Some(name.strip_suffix(ending)?.to_owned())).collect()
}

fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Two whole games and everything else `boyi check` tries; nothing may be found.
fn check(game: &str, variant: &[&str], command: &[&str]) -> Result<(), Failed> {
    let mut boyi = Command::new(BOYI);
    // The machine may be busy: what is tested is what is said, not how fast.
    boyi.args(["check", game, "--json", "--ply-time", "20", "--start-time", "30"]);
    boyi.args(variant.iter().flat_map(|pair| ["--variant", pair])).args(command);
    let output = boyi.output()?;
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {output:?}"))?;
    // A slow start is the machine's fault too.
    let findings = report["findings"].as_array().ok_or("no findings")?;
    let findings: Vec<&Value> = findings.iter().filter(|finding| finding["code"] != "slow-start").collect();
    if !findings.is_empty() {
        return Err(format!("{findings:#?}").into());
    }
    let games = report["games"].as_array().ok_or("no games")?;
    let seats: BTreeSet<&str> = games.iter().filter_map(|game| game["seat"].as_str()).collect();
    if seats != BTreeSet::from(["black", "white"]) || games.iter().any(|game| game["finished"] != true) {
        return Err(format!("not two whole games: {games:#?}").into());
    }
    Ok(())
}

/// A game in its usual rules and in those its starter claims.
fn check_all(game: &str, command: &[&str]) -> Result<(), Failed> {
    let claims = CLAIMS.iter().find(|(claimed, _)| *claimed == game).map_or(&[] as &[&[&str]], |(_, claims)| claims);
    for variant in std::iter::once(&(&[] as &[&str])).chain(claims) {
        check(game, variant, command).map_err(|failed| match failed.message() {
            Some(message) => format!("{variant:?}: {message}"),
            None => format!("{variant:?}"),
        })?;
    }
    Ok(())
}

fn python(game: &str) -> Result<(), Failed> {
    let file = sdk().join("python").join(format!("{game}.py"));
    check_all(game, &["python3", &file.to_string_lossy()])
}

fn c(game: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (source, program) = (sdk().join("c").join(format!("{game}.c")), folder.path().join(game));
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(&source);
    let output = compiler.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    check_all(game, &[&program.to_string_lossy()])
}

/// The trials of a folder; ignored, with a printed reason, where its tool is missing.
#[expect(clippy::print_stderr, reason = "who runs the tests must see why some are ignored")]
fn trials(folder: &str, ending: &str, tool: &str, run: fn(&str) -> Result<(), Failed>) -> Vec<Trial> {
    let missing = !runs(tool);
    if missing {
        eprintln!("sdk/{folder}: ignored, because {tool} is not installed");
    }
    let trial = |game: String| Trial::test(format!("{folder}::{game}"), move || run(&game)).with_ignored_flag(missing);
    games_in(folder, ending).into_iter().map(trial).collect()
}

/// Every game has its Python starter, and every starter a game.
fn complete() -> Result<(), Failed> {
    let games: BTreeSet<String> = games::GAMES.iter().map(|game| game.facts().id.to_owned()).collect();
    let (python, c) = (games_in("python", ".py"), games_in("c", ".c"));
    if python != games {
        return Err(format!("sdk/python has {python:?}").into());
    }
    if !c.is_subset(&games) || ["amazons", "gomoku", "junqi", "tiaojia"].iter().any(|game| !c.contains(*game)) {
        return Err(format!("sdk/c has {c:?}").into());
    }
    Ok(())
}

fn main() {
    let mut all = vec![Trial::test("every_game_has_a_starter", complete)];
    all.extend(trials("python", ".py", "python3", python));
    all.extend(trials("c", ".c", "gcc", c));
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

//! `boyi compile` as a person and as a program sees it. Python, because every level of the sandbox can check it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");
const ENGINE: &str =
    "import sys\nfor line in sys.stdin:\n    if line.startswith('name?'):\n        print('name 博弈')\n";

/// Runs `boyi compile` with a cache of its own: exit code, stdout, stderr.
fn compile(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(BOYI);
    command.arg("compile").args(arguments).current_dir(folder).env("XDG_CACHE_HOME", folder.join("cache"));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    // Level C goes through it as somebody else.
    std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(folder.path().join("engine.py"), ENGINE).unwrap();
    std::fs::write(folder.path().join("bad.py"), "import msvcrt\nprint 'x'\n").unwrap();
    folder
}

#[test]
fn what_compiles_is_copied_and_runs() {
    let folder = folder();
    let (code, page, _) = compile(folder.path(), &["engine.py", "-o", "program", "--lang", "en"]);
    assert_eq!(code, 0, "{page}");
    let run = page.lines().find_map(|line| line.strip_prefix("run: ")).unwrap();
    let words: Vec<&str> = run.split(' ').collect();
    let said = Command::new(words[0]).args(&words[1..]).write_stdin("name?\n").output().unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap(), "name 博弈\n");
    assert!(words.last().unwrap().ends_with("/program") && page.contains("it compiles: Python, Python 3."), "{page}");
    let (_, again, _) = compile(folder.path(), &["engine.py", "--lang", "zh"]);
    assert!(again.contains("此前已编译过，直接取用") && again.contains("运行："), "{again}");
}

#[test]
fn what_does_not_compile_is_explained() {
    let folder = folder();
    let (code, page, _) = compile(folder.path(), &["bad.py", "--lang", "en"]);
    assert_eq!(code, 1);
    assert!(page.contains("File \"main.py\", line 2"), "{page}");
    assert!(
        page.contains("hint: this is Python 2") && page.contains("hint: line 1: this module exists only on Windows"),
        "{page}"
    );
    assert!(page.contains("it does not compile (Python, Python 3."), "{page}");
    let (_, page, _) = compile(folder.path(), &["bad.py", "--lang", "zh"]);
    assert!(page.contains("提示：第 1 行：该模块仅 Windows 有") && page.contains("编译未通过（Python"), "{page}");
}

#[test]
fn programs_read_json() {
    let folder = folder();
    let (code, text, _) = compile(folder.path(), &["engine.py", "--json"]);
    let said: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (code, &said["built"], &said["language"], &said["cached"]),
        (0, &true.into(), &"python".into(), &false.into())
    );
    let run = said["run"].as_array().unwrap();
    assert_eq!(run.last(), Some(&said["program"]));
    let (code, text, _) = compile(folder.path(), &["bad.py", "--json"]);
    let said: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &said["built"], &said["why"]), (1, &false.into(), &"errors".into()));
    assert_eq!(said["notes"][0]["code"], "python-2");
}

#[test]
fn languages_are_listed() {
    let folder = folder();
    let (code, page, _) = compile(folder.path(), &["--list", "--lang", "en"]);
    assert_eq!((code, page.lines().count()), (0, workshop::LANGUAGES.len()), "{page}");
    let (_, text, _) = compile(folder.path(), &["--list", "--json"]);
    let rows: Value = serde_json::from_str(&text).unwrap();
    for (row, recipe) in rows.as_array().unwrap().iter().zip(workshop::LANGUAGES) {
        assert_eq!(row["id"], recipe.id);
        assert!(row["toolchain"].is_null() != row["missing"].is_null(), "{row}");
    }
}

#[test]
fn a_wrong_command_line_is_a_sentence() {
    let folder = folder();
    std::fs::write(folder.path().join("engine.exe"), "MZ\0\0").unwrap();
    for (arguments, expected) in [
        (vec!["engine.exe"], "the ending does not tell the language; say it with --language (c17, "),
        (vec!["engine.exe", "-l", "c"], "line 1 holds a NUL byte, so this is not source text"),
        (
            vec!["engine.py", "-l", "pyton"],
            "there is no language \"pyton\" (did you mean \"python\"?); known are: c17, ",
        ),
        (vec!["none.py"], "none.py: No such file or directory"),
        (vec!["engine.py", "-o", "no/such/place"], "no/such/place: No such file or directory"),
    ] {
        let (code, _, error) = compile(folder.path(), &[arguments.as_slice(), &["--lang", "en"]].concat());
        assert!(code == 2 && error.contains(expected), "{error}");
    }
    let (_, _, error) = compile(folder.path(), &["engine.py", "-l", "pyton", "--lang", "zh"]);
    assert!(error.contains("没有语言“pyton”（是否想用“python”？）；可用的有：c17、"), "{error}");
}

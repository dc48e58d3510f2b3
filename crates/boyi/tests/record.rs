//! `boyi record` from the command line.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

const GAME: &str = "{[C6][鲸 B][鹰 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)}";

/// A folder of one test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("record-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Path {
        std::fs::write(self.0.join(name), content).unwrap();
        &self.0
    }

    /// Runs `boyi record …` in this folder.
    fn run(&self, language: &str, words: &[&str]) -> Output {
        let mut command = Command::cargo_bin("boyi").unwrap();
        command.current_dir(&self.0).env("BOYI_LANG", language).arg("record").args(words).output().unwrap()
    }

    /// Runs it, expects success, and gives stdout and stderr.
    fn good(&self, language: &str, words: &[&str]) -> (String, String) {
        let output = self.run(language, words);
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success(), "{words:?}: {error}");
        (out, error)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn show_tells_the_game() {
    let folder = Folder::new("show");
    folder.write("game.txt", GAME);
    let (out, error) = folder.good("en", &["show", "game.txt"]);
    for part in [
        "Connect6 · 2017 CCGC · 重庆",
        "Black: 鲸",
        "White: 鹰",
        "Black wins: so the source",
        "1. Black JJ@@",
        "2. White IIKK",
        "─X─",
    ] {
        assert!(out.contains(part), "{part} in\n{out}");
    }
    assert_eq!(error, "");
    let (out, _) = folder.good("zh", &["show", "game.txt", "--at", "1"]);
    assert!(out.contains("六子棋") && out.contains("黑方胜") && !out.contains("IIKK"), "{out}");
    let (out, _) = folder.good("en", &["show", "game.txt", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((value["format"].as_str(), value["moves"][1]["ply"].as_str()), (Some("ccgc"), Some("IIKK")));
    folder.good("en", &["show", "game.txt", "--svg", "board.svg"]);
    assert!(std::fs::read_to_string(folder.0.join("board.svg")).unwrap().starts_with("<svg"));
    let output = folder.run("en", &["show", "game.txt", "--at", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has 2 plies"));
}

#[test]
fn a_seat_is_shown_no_more_than_it_may_know() {
    let folder = Folder::new("seat");
    let record = r#"{"format":"boyi-record","version":1,"game":"phantom-go","plies":[
        {"mover":"black","ply":"EE"},{"mover":"white","ply":"EE","end":"refused"},{"mover":"white","ply":"CC"}],
        "verdict":{"winner":"white","reason":"resigned","ply":2,"evidence":{"lines":["move CC"]}}}"#;
    folder.write("game.json", record);
    folder.good("en", &["verify", "game.json"]);
    let (out, _) = folder.good("en", &["show", "game.json", "--seat", "black"]);
    assert!(out.contains("White wins: the loser resigned"), "{out}");
    assert!(
        out.contains("EE") && !out.contains("CC") && !out.contains("refused") && out.contains("2. White ?"),
        "{out}"
    );
    let (out, _) = folder.good("en", &["show", "game.json", "--seat", "black", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((value["moves"][1]["ply"].as_str(), value["moves"].as_array().map(Vec::len)), (None, Some(2)));
    assert!(!out.contains("move CC") && !value["position"].as_str().unwrap().contains('w'), "{out}");
    assert!(folder.good("en", &["show", "game.json"]).0.contains("refused"));
}

#[test]
fn convert_goes_round_and_says_what_is_lost() {
    let folder = Folder::new("convert");
    folder.write("game.txt", GAME);
    let (json, error) = folder.good("en", &["convert", "game.txt", "--to", "json"]);
    assert!(json.contains("\"boyi-record\"") && error.is_empty());
    folder.write("game.json", &json);
    let (sgf, error) = folder.good("zh", &["convert", "game.json", "--to", "sgf"]);
    assert!(sgf.contains(";B[jj];W[ii];W[kk]"), "{sgf}");
    assert_eq!(error, "boyi: 丢失: 对局的时刻\n");
    assert!(folder.good("en", &["convert", "game.json", "--to", "sgf"]).1.contains("lost: the time of day"));
    let (name, _) = folder.good("en", &["convert", "game.json", "--to", "ccgc"]);
    assert_eq!(name, "C6-鲸B vs 鹰W-先手胜-2017.07.29 14.00 重庆-2017 CCGC.txt\n");
    let bytes = std::fs::read(folder.0.join(name.trim_end())).unwrap();
    assert!(std::str::from_utf8(&bytes).is_err() && bytes.ends_with(b";B(J,10);W(I,11);W(K,9)}"));
    let again = folder.run("en", &["convert", "game.json", "--to", "ccgc"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("already there"));
    folder.good("en", &["convert", name.trim_end(), "--to", "json", "-o", "back.json"]);
    assert_eq!(std::fs::read_to_string(folder.0.join("back.json")).unwrap(), json);
    let refused = folder.run("zh", &["convert", "game.json", "--to", "psq"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("没有六子棋的写法"));
}

#[test]
fn verify_gives_a_line_a_file() {
    let folder = Folder::new("verify");
    folder.write("good.txt", GAME);
    folder.write("bad.txt", GAME.replace("W(K,9)", "W(J,10)"));
    folder.write("noise", [0, 159, 146, 150]);
    assert_eq!(folder.good("en", &["verify", "good.txt"]).0, "good.txt: OK\n");
    let output = folder.run("en", &["verify", "good.txt", "bad.txt", "noise", "absent"]);
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..2], ["good.txt: OK", "bad.txt: ply 2 (IIJJ): JJ is not empty"]);
    assert!(lines[2].starts_with("noise: no known format") && lines[3].starts_with("absent: "), "{out}");
    let output = folder.run("zh", &["verify", "--json", "bad.txt"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((value["ok"].as_bool(), value["ply"].as_u64()), (Some(false), Some(2)));
    assert!(value["problem"].as_str().unwrap().contains("第 2 步"));
}

#[test]
fn help_is_in_the_users_language() {
    let folder = Folder::new("help");
    for words in [&["--help"][..], &["show", "--help"], &["convert", "--help"], &["verify", "--help"]] {
        let (out, _) = folder.good("zh", words);
        assert!(out.contains("用法：") && out.contains("棋谱"), "{out}");
        assert!(folder.good("en", words).0.contains("Usage:"));
    }
}

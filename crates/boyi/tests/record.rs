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
        "Black (鲸) wins: so the source",
        "1. Black JJ@@",
        "2. White IIKK",
        "─X─",
    ] {
        assert!(out.contains(part), "{part} in\n{out}");
    }
    assert_eq!(error, "");
    let (out, _) = folder.good("zh", &["show", "game.txt", "--at", "1"]);
    assert!(out.contains("六子棋") && out.contains("黑方（鲸）胜") && !out.contains("IIKK"), "{out}");
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
fn verify_reads_every_game_of_a_collection() {
    let folder = Folder::new("collection");
    let game = |last: &str| format!("(;GM[1]SZ[9]RU[NoGo]C[a \\] ( b];B[ee];W[{last}])\n");
    folder.write("all.sgf", [game("cc"), game("dd"), game("ff")].concat());
    assert_eq!(folder.good("en", &["verify", "all.sgf"]).0, "all.sgf: OK (3 games)\n");
    assert_eq!(folder.good("zh", &["verify", "all.sgf"]).0, "all.sgf: OK（共 3 局）\n");
    folder.write("some.sgf", [game("cc"), game("ee"), game("ff"), game("zz")].concat());
    let output = folder.run("en", &["verify", "all.sgf", "some.sgf"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines[..2], ["all.sgf: OK (3 games)", "some.sgf, game 2: ply 2 (EE): EE is not empty"]);
    assert!(lines[2].starts_with("some.sgf, game 4: SGF, line 4: expected points on the board"), "{}", lines[2]);
    assert_eq!(lines[3], "some.sgf: 2 of 4 games are wrong");

    // JSON lines: records as they are, and a journal's.
    let record = |ply: &str| {
        format!(r#"{{"format":"boyi-record","version":1,"game":"nogo","plies":[{{"mover":"black","ply":"{ply}"}}]}}"#)
    };
    folder.write("games.jsonl", [record("AA"), record("ZZ"), record("BB")].join("\n"));
    let output = folder.run("zh", &["verify", "--json", "games.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["games"], &found["ok"], &found["ply"]), (&3.into(), &false.into(), &1.into()));
    assert_eq!((&found["wrong"][0]["game"], found["wrong"].as_array().map(Vec::len)), (&2.into(), Some(1)));
    let line = |number: u32| format!(r#"{{"number":{number},"black":0,"white":1,"record":{}}}"#, record("AA"));
    folder.write("journal.jsonl", [line(0), line(1)].join("\n"));
    assert_eq!(folder.good("en", &["verify", "journal.jsonl"]).0, "journal.jsonl: OK (2 games)\n");

    // And one of them can be looked at.
    assert!(folder.good("en", &["show", "all.sgf", "--number", "2"]).0.contains("2. White DD"));
    assert!(folder.good("en", &["convert", "journal.jsonl", "--number", "2", "--to", "sgf"]).0.contains(";B[aa]"));
    let beyond = folder.run("en", &["show", "all.sgf", "--number", "4"]);
    assert!(String::from_utf8_lossy(&beyond.stderr).contains("no game 4; the file has 3"));
}

#[test]
fn a_record_that_breaks_the_rules_is_converted_only_by_force() {
    let folder = Folder::new("force");
    folder.write("bad.txt", GAME.replace("W(K,9)", "W(J,10)"));
    let refused = folder.run("en", &["convert", "bad.txt", "--to", "json", "-o", "bad.json"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("the record is wrong: ply 2 (IIJJ): JJ is not empty; --force"), "{said}");
    assert!(!folder.0.join("bad.json").exists());
    let (_, said) = folder.good("zh", &["convert", "bad.txt", "--to", "json", "-o", "bad.json", "--force"]);
    assert!(said.contains("棋谱有误: 第 2 步"), "{said}");
    assert_eq!(folder.run("en", &["verify", "bad.json"]).status.code(), Some(1));
}

/// A game of Phantom Go that White lost by an illegal ply, with the referee's evidence.
const ILLEGAL: &str = r#"{"format":"boyi-record","version":1,"game":"phantom-go",
    "seats":{"black":{"name":"鲸"},"white":{"name":"鹰"}},
    "plies":[{"mover":"black","ply":"EE"},{"mover":"white","ply":"EE","end":"refused"}],
    "verdict":{"winner":"black","reason":"illegal-ply","ply":1,"evidence":{"seat":"white","ply":"ZZ\u001b[2J",
    "detail":"off-board: ZZ is not on the board","detail_zh":"ZZ 不在棋盘上","lines":["0.100 > go","0.101 < move ZZ"]}}}"#;

#[test]
fn show_tells_what_play_tells_with_its_evidence() {
    let folder = Folder::new("evidence");
    folder.write("illegal.json", ILLEGAL);
    let (out, _) = folder.good("en", &["show", "illegal.json"]);
    for part in [
        "Black (鲸) wins: the loser played an illegal ply",
        "  the ply, as its player wrote it: ZZ\u{fffd}[2J",
        "  off-board: ZZ is not on the board",
        "  | 0.101 < move ZZ",
    ] {
        assert!(out.contains(part), "{part} in\n{out}");
    }
    let (out, _) = folder.good("zh", &["show", "illegal.json"]);
    assert!(out.contains("黑方（鲸）胜：负方走了不合法的着法") && out.contains("  ZZ 不在棋盘上"), "{out}");

    // The winner hears nothing that was said to the loser, whatever the form; the loser hears what he was told.
    for form in [&[][..], &["--json"]] {
        let (out, _) = folder.good("en", &[&["show", "illegal.json", "--seat", "black"], form].concat());
        assert!(!out.contains("ZZ") && !out.contains("0.10") && out.contains("illegal"), "{out}");
        let (out, _) = folder.good("en", &[&["show", "illegal.json", "--seat", "white"], form].concat());
        assert!(out.contains("ZZ is not on the board") && out.contains("move ZZ"), "{out}");
    }

    let tiaojia = |reason: &str, evidence: &str| {
        let record = r#"{"format":"boyi-record","version":1,"game":"tiaojia","plies":[],"verdict":{"winner":"black","#;
        folder.write("game.json", format!(r#"{record}"reason":"{reason}","ply":0,"evidence":{evidence}}}}}"#));
        ["en", "zh"].map(|language| folder.good(language, &["show", "game.json"]).0)
    };
    let [en, zh] = tiaojia("out-of-turn", r#"{"seat":"white"}"#);
    assert!(en.contains("wins: the engine spoke when no answer was due"), "{en}");
    assert!(zh.contains("胜：引擎在不应响应时输出了内容"), "{zh}");
    let time = r#"{"seat":"white","limit_of":"ply","limit_ms":100.0,"measured_ms":150.5,"detail":"the limit of a single ply",
        "detail_zh":"超出单步时限"}"#;
    let [en, zh] = tiaojia("time", time);
    assert!(en.contains("  limit / measured: 100 ms / 150.5 ms\n  the limit of a single ply\n"), "{en}");
    assert!(zh.contains("  时限 / 实测：100 ms / 150.5 ms\n  超出单步时限\n"), "{zh}");
    // An older record has its detail in English alone.
    let [en, zh] = tiaojia("exited", r#"{"seat":"white","detail":"exited with code 3"}"#);
    assert!(en.contains("  exited with code 3\n") && zh.contains("  “exited with code 3”\n"), "{en}{zh}");
}

#[test]
fn a_played_game_and_its_record_are_told_alike() {
    let folder = Folder::new("alike");
    for (game, white) in [("nogo", "random"), ("connect6", "random"), ("nogo", "false")] {
        let arguments = ["play", game, "--black", "random", "--white", white, "--seed", "3", "--save", "game.json"];
        let mut command = Command::cargo_bin("boyi").unwrap();
        let played = command.current_dir(&folder.0).env("BOYI_LANG", "zh").args(arguments).output().unwrap();
        let [out, error] = [played.stdout, played.stderr].map(|text| String::from_utf8(text).unwrap());
        let (shown, _) = folder.good("zh", &["show", "game.json"]);
        // The board and the names come first; the sentence is the last line, its evidence is indented.
        let evidence: Vec<&str> = error.lines().filter(|line| line.starts_with("  ")).collect();
        assert!(!evidence.is_empty(), "{error}");
        for line in out.lines().rev().take(1).chain(evidence) {
            assert!(shown.contains(line), "{line} in\n{shown}");
        }
    }
}

/// What `kill -9` in the middle of a game leaves of its log.
#[test]
fn a_killed_game_leaves_its_log() {
    let folder = Folder::new("killed");
    let silent = "import sys,time\nfor line in sys.stdin:\n  print('name stone',flush=True) if 'name' in line else time.sleep(99)";
    folder.write("silent.py", silent);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_boyi"));
    command.args(["play", "nogo", "--black", "python3 silent.py", "--white", "random", "--log", "game.log", "-q"]);
    command.args(["--ply-time", "600"]).current_dir(&folder.0);
    let mut game = command.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().unwrap();
    let log = || std::fs::read_to_string(folder.0.join("game.log")).unwrap_or_default();
    let long_ago = std::time::Instant::now();
    while !log().contains("> new") && long_ago.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    game.kill().unwrap();
    game.wait().unwrap();
    let log = log();
    assert!(log.contains("> name?") && log.contains("< name stone") && log.contains("> new"), "{log}");
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

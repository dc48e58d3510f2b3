//! `boyi tournament report`, and the report at the end of a contest.

use std::path::Path;
use std::process::Command;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// Exit code, stdout, stderr.
fn boyi(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(BOYI).args(arguments).current_dir(folder).output().expect("boyi starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_tournament_leaves_a_report_that_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plan = "game = \"nogo\"\nevent = \"秋季杯\"\n[openings]\nrandom = 3\n[[engine]]\nname = \"<b>\"\nbuiltin = \"random\"\n\
                [[engine]]\nname = \"other\"\nbuiltin = \"greedy\"\n[[engine]]\nbuiltin = \"greedy\"\n";
    std::fs::write(folder.join("cup.toml"), plan).unwrap();
    let (code, table, told) = boyi(folder, &["tournament", "run", "cup.toml", "--lang", "zh"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("报告：") && !table.contains("report.html"), "a report is news, not data: {table}");
    let page = std::fs::read_to_string(folder.join("cup/report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<html lang=\"zh-CN\">") && page.contains("<title>秋季杯</title>"));
    assert_eq!(page.matches("id=\"game-").count(), 6);
    assert!(page.contains("随机 3 步") && page.contains("\"opening_plies\":3"));
    assert!(!page.contains("<b>"));
    // Nothing half-written stays.
    assert!(!folder.join("cup/report.html.part").exists());

    let (code, again, _) = boyi(folder, &["tournament", "report", "cup", "--lang", "zh", "-o", "-"]);
    assert_eq!((code, again == page), (Some(0), true), "the same journal makes the same page");
    let (_, line, _) = boyi(folder, &["tournament", "report", "cup", "-o", "few.html", "--replays", "2", "--json"]);
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["event"], &line["games"], &line["replays"]), (&"report".into(), &6.into(), &2.into()));
    assert_eq!(std::fs::read_to_string(folder.join("few.html")).unwrap().matches("id=\"game-").count(), 2);

    std::fs::remove_file(folder.join("cup/report.html")).unwrap();
    assert_eq!(boyi(folder, &["tournament", "resume", "cup", "--no-report"]).0, Some(0));
    assert!(!folder.join("cup/report.html").exists());
}

#[test]
fn a_match_leaves_one_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = [
        "match", "tiaojia", "-a", "greedy", "-b", "random", "--games", "8", "--seed", "5", "--sprt", "-5,5", "--dir",
        "duel", "-q",
    ];
    let (code, _, told) = boyi(folder, &arguments);
    assert_eq!(code, Some(0), "{told}");
    let page = std::fs::read_to_string(folder.join("duel/report.html")).unwrap();
    assert_eq!(page.matches("id=\"game-").count(), 8);
    assert!(page.contains("\"elo0\":-5.0") && page.contains("\"isMatch\":true"), "the test is in the report");
}

#[test]
fn a_folder_without_games_is_told_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("journal.jsonl"), "").unwrap();
    for (language, words) in [("en", "no game has been played yet"), ("zh", "还没有下完的对局")] {
        let (code, _, told) = boyi(folder.path(), &["tournament", "report", ".", "--lang", language]);
        assert!(code == Some(2) && told.contains(words), "{told}");
    }
    assert!(!folder.path().join("report.html").exists() && !folder.path().join("report.html.part").exists());
}

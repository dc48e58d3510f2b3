//! `boyi check` against engines that misbehave in one way each: the right fault is named, in both languages.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeSet;

use assert_cmd::Command;
use serde_json::Value;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// Runs a check of a shell script; `BOYI` in it stands for this program.
fn check(game: &str, script: &str, options: &[&str]) -> std::process::Output {
    let script = script.replace("BOYI ", &format!("{BOYI} "));
    let mut command = Command::new(BOYI);
    command.args(["check", game]).args(options).args(["sh", "-c", &script]);
    command.output().unwrap()
}

/// The codes a check finds, and its exit code.
fn codes(game: &str, script: &str, options: &[&str]) -> (BTreeSet<String>, Option<i32>) {
    let options: Vec<&str> = options.iter().copied().chain(["--json"]).collect();
    let output = check(game, script, &options);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let findings = report["findings"].as_array().unwrap();
    let codes = findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect();
    (codes, output.status.code())
}

/// The check must find these codes and no others.
#[track_caller]
fn finds(game: &str, script: &str, options: &[&str], expected: &[&str], exit: i32) {
    let (found, code) = codes(game, script, options);
    assert_eq!(found, expected.iter().map(|&code| code.to_owned()).collect(), "{script}");
    assert_eq!(code, Some(exit), "{script}");
}

/// What a person reads, in both languages, with times and paths taken out.
fn page(game: &str, script: &str, options: &[&str]) -> String {
    ["en", "zh"]
        .map(|language| {
            let options: Vec<&str> = ["--lang", language].into_iter().chain(options.iter().copied()).collect();
            let output = check(game, script, &options);
            let text = String::from_utf8(output.stdout).unwrap().replace(BOYI, "boyi");
            let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
            let lines = text.lines().map(|line| {
                let words = line.split(' ').map(|word| if is_time(word) { "[time]" } else { word });
                words.collect::<Vec<_>>().join(" ")
            });
            format!("{}\n(exit code {})\n", lines.collect::<Vec<_>>().join("\n"), output.status.code().unwrap())
        })
        .join("\n")
}

/// Limits for engines that are going to break them.
const QUICK: [&str; 4] = ["--ply-time", "0.5", "--start-time", "1"];

const GOOD: &str = "exec BOYI engine nogo --level greedy --seed 1";
const EXITS_AT_START: &str = "echo 'no licence file' >&2; exit 3";
const CRASHES: &str = "while read line; do case $line in name*) echo name x;; new*) kill -SEGV $$;; esac; done";
const NO_HANDSHAKE: &str = "while read line; do :; done";
const NO_NEWLINE: &str = "while read line; do printf 'name x'; done";
const NOT_FLUSHED: &str = "answers=; while read line; do answers='name x'; done; echo \"$answers\"";
const NOISE: &str = "BOYI engine nogo --level greedy --seed 1 | sed -u 's/^move/depth 8 score 120\\nmove/'";
const GBK: &str = "BOYI engine nogo --level greedy --seed 1 | sed -u \"s/boyi/$(printf '\\262\\251\\336\\304')/\"";
const SAME_MOVE: &str = "while read line; do case $line in name*) echo name x;; \
    new?black|move*|error) echo move AA;; quit) exit;; esac; done";
const OFF_BOARD: &str = "while read line; do case $line in name*) echo name x;; \
    new?black|move*|error) echo move ZZ;; quit) exit;; esac; done";
const OUT_OF_TURN: &str =
    "sed -u '/^quit/q; s/^new white/new black\\nend\\nnew white/' | BOYI engine nogo --level greedy --seed 1";
const TWO_ANSWERS: &str = "BOYI engine nogo --level greedy --seed 1 | sed -u 's/^move \\(.*\\)/move \\1\\nmove \\1/'";
const HANGS: &str = "while read line; do case $line in name*) echo name x;; new?black) sleep 60;; esac; done";
const IGNORES_ERROR: &str = "sed -u '/^quit/q; /^error/d' | BOYI engine nogo --level greedy --seed 1";
const EXITS_ON_END: &str = "sed -u '/^end/q' | BOYI engine nogo --level greedy --seed 1";
const IGNORES_QUIT: &str = "sed -u '/^quit/d' | BOYI engine nogo --level greedy --seed 1";
const IGNORES_EOF: &str = "BOYI engine nogo --level greedy --seed 1; sleep 30";
const FLOODS_ON_EOF: &str = "while read line; do case $line in name*) echo name x;; esac; done; yes name x";
const SECOND_GAME: &str = "sed -u '/^quit/q; /^end/,$d' | BOYI engine nogo --level greedy --seed 1";
const SLOW_START: &str = "sleep 2.2; exec BOYI engine nogo --level greedy --seed 1";
const READS_CHUNKS: &str = "while :; do chunk=$(dd bs=4096 count=1 2>/dev/null); [ -n \"$chunk\" ] || exit; \
    printf '%s\\n' \"$chunk\"; case $chunk in *quit) exit;; esac; done | BOYI engine nogo --level greedy --seed 1";
const DROPS_LINES: &str = "while :; do chunk=$(dd bs=4096 count=1 2>/dev/null); [ -n \"$chunk\" ] || exit; \
    printf '%s\\n' \"$chunk\" | head -n 1; case $chunk in *quit) exit;; esac; done | BOYI engine nogo --level greedy --seed 1";
const POOR_BRAIN: &str = "sed -u '/^END/q; /^ABOUT/d; s/^RESTART/NOSUCH/; s/^TAKEBACK.*/NOSUCH/; /^RECTSTART/d; \
    /^BOARD/,/^DONE/d; /^BOYICHECK/d' | BOYI engine gomoku --level greedy --seed 1";
const CHATTY_PUPIL: &str = "BOYI engine tiaojia --level greedy --seed 1 | sed -u 's/^OK/OK\\nI am ready/'";
const WRONG_FORM: &str =
    "BOYI engine tiaojia --level greedy --seed 1 | sed -u 's/^\\([0-9]\\) \\([0-9]\\) \\([0-9]\\)/(\\1,\\2) \\3/'";

#[test]
fn the_built_in_engines_pass_in_all_nine_games() {
    for game in games::GAMES {
        let id = game.facts().id;
        for level in ["random", "greedy", "2"] {
            let script = format!("exec BOYI engine {id} --level {level} --seed 1");
            let output = check(id, &script, &["--strict", "--json"]);
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let findings = report["findings"].as_array().unwrap();
            let worst: Vec<&Value> = findings.iter().filter(|found| found["severity"] != "note").collect();
            assert!(worst.is_empty(), "{id} {level}: {worst:?}");
            assert_eq!(output.status.code(), Some(0), "{id} {level}");
            let games = report["games"].as_array().unwrap();
            let seats: BTreeSet<&str> = games.iter().filter_map(|game| game["seat"].as_str()).collect();
            assert_eq!(seats, BTreeSet::from(["black", "white"]), "{id} {level}");
            assert!(games.iter().all(|game| game["finished"] == true), "{id} {level}: {games:?}");
        }
    }
}

#[test]
fn the_swap2_opening_is_played_where_the_variant_has_it() {
    let options = ["--variant", "opening=swap2", "--strict"];
    finds("gomoku", "exec BOYI engine gomoku --level greedy --seed 1", &options, &[], 0);
}

#[test]
fn a_program_that_is_not_there_could_not_be_run() {
    for language in ["en", "zh"] {
        let mut command = Command::new(BOYI);
        let output = command.args(["--lang", language, "check", "nogo", "/no/such/engine"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("[not-found]") && text.contains("/no/such/engine"), "{text}");
    }
    let json = Command::new(BOYI).args(["check", "nogo", "--json", "/no/such/engine"]).output().unwrap();
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&report["ran"], &report["findings"][0]["code"]), (&Value::Bool(false), &Value::from("not-found")));
}

#[test]
fn a_wrong_option_is_a_mistake_of_the_command_line() {
    let output = check("nogo", GOOD, &["--option", "errors_alowed=1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("errors_alowed"));
}

#[test]
fn engines_that_do_not_start_well() {
    finds("nogo", EXITS_AT_START, &QUICK, &["exits-at-start"], 1);
    finds("nogo", NO_HANDSHAKE, &QUICK, &["no-handshake"], 1);
    finds("nogo", NO_NEWLINE, &QUICK, &["no-newline"], 1);
    finds("nogo", NOT_FLUSHED, &QUICK, &["not-flushed"], 1);
}

#[test]
fn an_engine_that_is_slow_to_start() {
    finds("nogo", SLOW_START, &[], &["slow-start"], 0);
}

#[test]
fn engines_that_do_not_play_well() {
    finds("nogo", CRASHES, &QUICK, &["crashes"], 1);
    finds("nogo", HANGS, &QUICK, &["time"], 1);
    finds("nogo", SAME_MOVE, &QUICK, &["bad-move"], 1);
    finds("nogo", OFF_BOARD, &QUICK, &["bad-move"], 1);
}

#[test]
fn engines_that_talk_too_much() {
    finds("nogo", NOISE, &[], &["noise"], 0);
    finds("nogo", NOISE, &["--strict"], &["noise"], 1);
    finds("nogo", GBK, &[], &["not-utf8"], 0);
    finds("nogo", OUT_OF_TURN, &[], &["out-of-turn"], 0);
    finds("nogo", TWO_ANSWERS, &[], &["two-answers"], 1);
}

#[test]
fn engines_that_do_not_know_when_to_leave() {
    finds("nogo", IGNORES_ERROR, &QUICK, &["ignores-error"], 0);
    finds("nogo", EXITS_ON_END, &[], &["exits-on-end"], 0);
    finds("nogo", IGNORES_QUIT, &[], &["ignores-quit"], 0);
    finds("nogo", SECOND_GAME, &QUICK, &["second-game-fails"], 0);
}

#[test]
fn engines_and_the_end_of_their_input() {
    finds("nogo", IGNORES_EOF, &[], &["ignores-eof", "ignores-quit"], 0);
    let (found, _) = codes("nogo", FLOODS_ON_EOF, &QUICK);
    assert!(found.contains("floods-on-eof"), "{found:?}");
}

#[test]
fn engines_that_depend_on_how_messages_arrive() {
    finds("nogo", READS_CHUNKS, &QUICK, &["split-message"], 0);
    finds("nogo", DROPS_LINES, &QUICK, &["split-message", "joined-messages"], 0);
}

/// It says that it can be told an opening, and loses every message of one.
const LOSES_OPENINGS: &str = "sed -u '/^opening/d; /^quit/q' | BOYI engine nogo --level greedy --seed 1";
/// It takes an opening for the game.
const ANSWERS_OPENINGS: &str = "sed -u 's/^opening //; /^quit/q' | BOYI engine nogo --level greedy --seed 1";
/// It knows no extension.
const UNLED: &str = "exec BOYI engine nogo --level greedy --seed 1 | sed -u 's/+openings//'";

#[test]
fn engines_that_say_they_can_be_told_openings() {
    finds("nogo", LOSES_OPENINGS, &QUICK, &["mishears-openings"], 1);
    finds("nogo", ANSWERS_OPENINGS, &QUICK, &["mishears-openings"], 1);
    let says = |script| {
        let output = check("nogo", script, &["--json"]);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["openings"].clone()
    };
    assert_eq!((says(GOOD), says(UNLED)), (true.into(), false.into()));
}

#[test]
fn a_brain_without_the_optional_commands() {
    let expected = [
        "about-unanswered",
        "board-unsupported",
        "rectstart-unanswered",
        "restart-unknown",
        "takeback-unknown",
        "unknown-not-answered",
    ];
    finds("gomoku", POOR_BRAIN, &QUICK, &expected, 0);
}

#[test]
fn the_strict_protocol_of_the_course() {
    finds("tiaojia", CHATTY_PUPIL, &QUICK, &["out-of-turn"], 1);
    finds("tiaojia", WRONG_FORM, &QUICK, &["bad-move"], 1);
}

#[test]
fn what_a_person_reads() {
    let pages = [
        ("good", "nogo", GOOD),
        ("exits-at-start", "nogo", EXITS_AT_START),
        ("crashes", "nogo", CRASHES),
        ("no-handshake", "nogo", NO_HANDSHAKE),
        ("no-newline", "nogo", NO_NEWLINE),
        ("not-flushed", "nogo", NOT_FLUSHED),
        ("noise", "nogo", NOISE),
        ("not-utf8", "nogo", GBK),
        ("bad-move", "nogo", OFF_BOARD),
        ("out-of-turn", "nogo", OUT_OF_TURN),
        ("two-answers", "nogo", TWO_ANSWERS),
        ("time", "nogo", HANGS),
        ("ignores-error", "nogo", IGNORES_ERROR),
        ("exits-on-end", "nogo", EXITS_ON_END),
        ("poor-brain", "gomoku", POOR_BRAIN),
        ("chatty-pupil", "tiaojia", CHATTY_PUPIL),
    ];
    std::thread::scope(|scope| {
        let running = pages.map(|(name, game, script)| (name, scope.spawn(move || page(game, script, &QUICK))));
        for (name, thread) in running {
            insta::assert_snapshot!(name, thread.join().unwrap());
        }
    });
}

#[test]
fn programs_read_json() {
    let output = check("nogo", NO_NEWLINE, &["--start-time", "1", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["line"], "name x");
    assert_eq!(finding["asked"], "name?");
    for text in ["title", "expected", "mend"] {
        assert!(finding[text]["en"].is_string() && finding[text]["zh"].is_string(), "{text}");
    }
    assert_eq!(report["ready_ms"], Value::Null);
}

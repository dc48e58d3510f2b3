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
/// Calls fflush(stdin), as it were: of what has come at once it reads one line and throws the rest away.
const FLUSHES_INPUT: &str = "while :; do chunk=$(dd bs=4096 count=1 2>/dev/null); [ -n \"$chunk\" ] || exit; \
    printf '%s\\n' \"$chunk\" | head -n 1; case $chunk in END*) exit;; esac; done | BOYI engine gomoku --level greedy --seed 1";
const NO_SWAP2: &str = "sed -u '/^END/q; s/^SWAP2BOARD/NOSUCH/; /^DONE/d' | BOYI engine gomoku --level greedy --seed 1";
/// Thinks for half of its time, which at START is a long one; it hears INFO at any time.
const LONG_BY_DEFAULT: &str = r#"exec python3 -c '
import sys, time
taken, size, turn, board = set(), 20, 20.0, False
def play():
    time.sleep(turn / 2)
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add((x, y)); print(f"{x},{y}", flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if board:
        if word == "DONE":
            board = False; play()
        else:
            taken.add(tuple(map(int, word.split(",")[:2])))
    elif word in ("START", "RESTART", "RECTSTART"):
        size = int(rest.split(",")[0] or size) if rest else size
        taken, turn = set(), 20.0 if word == "START" else turn; print("OK", flush=True)
    elif word == "INFO":
        if rest.startswith("timeout_turn"): turn = int(rest.split()[1]) / 1000
    elif word == "BEGIN": play()
    elif word == "TURN":
        taken.add(tuple(map(int, rest.split(",")))); play()
    elif word == "BOARD":
        taken, board = set(), True
    elif word == "TAKEBACK":
        taken.discard(tuple(map(int, rest.split(",")))); print("OK", flush=True)
    elif word == "ABOUT": print("name=\"long\"", flush=True)
    elif word == "END": break
    else: print("UNKNOWN", flush=True)
'"#;
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

/// An engine that hangs where messages follow each other, and plays with a pause between them, is told so in both
/// languages.
#[test]
fn an_engine_that_needs_a_pause_is_tried_with_one() {
    const PATIENT: [&str; 4] = ["--ply-time", "0.5", "--start-time", "5"];
    let (found, exit) = codes("gomoku", FLUSHES_INPUT, &PATIENT);
    assert!(found.contains("needs-gap") && !found.contains("time"), "{found:?}");
    assert_eq!(exit, Some(1));
    for (language, words) in
        [("en", "it plays with --gap-ms 20: your program calls fflush(stdin)"), ("zh", "加 --gap-ms 20 就能对局")]
    {
        let output = check("gomoku", FLUSHES_INPUT, &[&["--lang", language], &PATIENT[..]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(words), "{text}");
    }
    let (found, _) = codes("gomoku", FLUSHES_INPUT, &[&["--gap-ms", "20"], &PATIENT[..]].concat());
    assert!(!found.contains("needs-gap") && !found.contains("time"), "{found:?}");
}

#[test]
fn a_brain_without_swap2board_is_named_as_that() {
    let options = ["--variant", "opening=swap2", "--ply-time", "0.5"];
    let (found, _) = codes("gomoku", NO_SWAP2, &options);
    assert!(found.contains("swap2board-unknown") && !found.contains("time"), "{found:?}");
}

/// It is told its limit before BOARD, as it is in a game.
#[test]
fn a_brain_that_thinks_long_by_default_knows_board() {
    finds("gomoku", LONG_BY_DEFAULT, &["--ply-time", "0.2", "--variant", "size=5"], &[], 0);
}

/// The third process of a check gets its messages in two parts, the fourth all at once.
#[test]
fn late_is_not_misread() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let count = count.display();
    let script = format!(
        "n=$(cat {count} 2>/dev/null || echo 0); echo $((n+1)) > {count}; BOYI engine nogo --level greedy --seed 1 | \
         while read -r line; do case \"$n $line\" in \"2 move\"*|\"3 move\"*) sleep 0.7;; esac; echo \"$line\"; done"
    );
    finds("nogo", &script, &["--ply-time", "0.5"], &["time"], 1);
}

#[test]
fn scripts_and_sources_get_their_own_advice() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [("x.py", "python3 ./x.py (on Windows: python ./x.py)"), ("x.cpp", "boyi compile ./x.cpp")] {
        std::fs::write(folder.path().join(name), "print(1)\n").unwrap();
        let mut command = Command::new(BOYI);
        command.current_dir(folder.path()).args(["check", "nogo", "--lang", "en", &format!("./{name}")]);
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words) && !text.contains("chmod"), "{text}");
    }
}

#[test]
fn options_may_follow_a_quoted_command() {
    let quoted = format!("{BOYI} engine nogo --level random --seed 1");
    let output = Command::new(BOYI).args(["check", "nogo", &quoted, "--lang", "zh"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("一切正常。"), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_move_is_shown_where_none_came() {
    let script = "while read line; do case $line in name*) echo name x;; new?black|move*) echo move A1;; quit) exit;; esac; done";
    let output = check("nogo", script, &["--lang", "en", "--ply-time", "0.3"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("[bad-move]") && text.contains("it wrote: move A1"), "{text}");
    assert!(!text.contains("no answer came"), "{text}");
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

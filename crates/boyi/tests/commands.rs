//! The program as people and programs meet it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs boyi in English, without colours.
fn boyi(arguments: &[&str]) -> Output {
    boyi_with_input(arguments, b"")
}

fn boyi_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(arguments)
        .env("BOYI_LANG", "en")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("boyi starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("boyi ends");
    writer.join().expect("input is written");
    output
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("stdout is text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("stderr is text")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&out(output)).expect("stdout is JSON")
}

const GAMES: [&str; 9] =
    ["amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "gomoku", "junqi", "tiaojia"];

#[test]
fn all_nine_games_are_listed_and_described() {
    let list = json(&boyi(&["games", "--json"]));
    let ids: Vec<&str> = list.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids, GAMES);
    for game in GAMES {
        for language in ["en", "zh"] {
            let page = out(&boyi(&["games", game, "--lang", language]));
            assert!(page.contains(game) && page.lines().count() > 5, "{page}");
        }
    }
}

#[test]
fn every_game_is_shown_in_both_languages_and_as_a_picture() {
    for game in GAMES {
        let facts = json(&boyi(&["games", game, "--json"]));
        let example = facts["example"].as_str().unwrap();
        for seat in ["all", "black", "white"] {
            for language in ["en", "zh"] {
                let shown = boyi(&["show", game, "--position", example, "--seat", seat, "--lang", language]);
                assert!(shown.status.success(), "{game}: {}", err(&shown));
                assert!(!out(&shown).contains('\x1b'), "NO_COLOR is obeyed");
            }
            let picture = out(&boyi(&["show", game, "--position", example, "--seat", seat, "--svg", "-"]));
            assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{game}");
        }
        let data = json(&boyi(&["show", game, "--position", example, "--json"]));
        assert_eq!(data["position"], example);
        assert_eq!(data["hash"].as_str().map(str::len), Some(16));
        assert!(!data["legal"].as_array().unwrap().is_empty());
        assert!(data["view"]["spots"].is_null() && data["view"]["geometry"]["spots"].is_array());
    }
}

#[test]
fn a_seat_is_not_shown_what_it_may_not_know() {
    let position = "ce1lf/jjkgj/h1hib/kh1aC/1c3/i1f2/2A2/HH1C1/1GHD1/KGE2/1GEKJ/BJJLI b 4 - 60";
    let black = out(&boyi(&["show", "junqi", "--position", position, "--seat", "black", "--json"]));
    let data: Value = serde_json::from_str(&black).unwrap();
    let rows = data["position"].as_str().unwrap().split(' ').next().unwrap();
    assert!(!rows.chars().any(|letter| letter.is_ascii_lowercase()), "{rows}");
    assert!(data["hash"].is_null() && data["forbidden"].is_null());
    let pieces = data["view"]["pieces"].as_array().unwrap();
    assert!(pieces.iter().filter(|piece| piece["side"] == "white").all(|piece| piece["figure"] == "back"));
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(out(&boyi(&["perft", "surakarta", "4"])), "111122\n");
    assert_eq!(out(&boyi(&["perft", "不围棋", "2"])), "6480\n");
    let divided = out(&boyi(&["perft", "tiaojia", "3", "--divide"]));
    let (total, lines) = divided.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(lines, "73991");
    let sum: u64 = total.lines().map(|line| line.rsplit_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!((sum, total.lines().count()), (73991, 43));
    let data = json(&boyi(&["perft", "amazons", "1", "--json"]));
    assert_eq!(data["leaves"], 2176);
}

#[test]
fn a_mistake_gets_a_sentence_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["perft", "amazoms", "1"], "did you mean \"amazons\"?"),
        (&["perft", "chess960", "1"], "`boyi games` lists them"),
        (&["show", "gomoku", "--variant", "rul=4"], "did you mean \"rule\"?"),
        (&["show", "gomoku", "--variant", "size=99"], "outside its range"),
        (&["show", "gomoku", "--variant", "size"], "is not of the form key=value"),
        (&["show", "nogo", "--moves", "AA ZZ"], "ply 2 (ZZ): ZZ is not on the board"),
        (
            &["show", "tiaojia", "--position", "8/8/q7 b 0"],
            "\"q\" does not belong in a position of this game (at character 5)",
        ),
        (&["show", "tiaojia", "--position", ""], "the position text ends before its field"),
        (&["play", "nogo", "--black", "builtin:strong", "--white", "random"], "no built-in player is called"),
        (&["play", "nogo", "--black", "./no-such-engine", "--white", "random"], "cannot start ./no-such-engine"),
        (&["engine", "nogo", "--protocol", "gomocup"], "it has: sau"),
    ];
    for (arguments, expected) in cases {
        let output = boyi(arguments);
        let message = err(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!message.contains("panicked") && output.stdout.is_empty(), "{message}");
    }
}

/// A Windows program runs through wine where that is found, and is told to need it where not, whatever this machine
/// has.
#[test]
fn a_windows_program_needs_wine() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("engine.exe");
    std::fs::write(&program, "MZ").expect("written");
    let play = || {
        Command::new(env!("CARGO_BIN_EXE_boyi"))
            .args(["play", "nogo", "--white", "random", "--black"])
            .arg(&program)
            .env("BOYI_LANG", "en")
            .env("PATH", folder.path())
            .output()
            .expect("boyi starts")
    };
    let without = play();
    assert_eq!(without.status.code(), Some(2));
    assert!(err(&without).contains("install wine to run it here"), "{}", err(&without));
    // Whatever is called wine gets the program: here it leaves at once, and says which one it was given.
    let wine = folder.path().join("wine");
    std::fs::write(&wine, "#!/bin/sh\necho \"wine has $1\" >&2\n").expect("written");
    std::fs::set_permissions(&wine, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let with = play();
    assert!(err(&with).contains(&format!("wine has {}", program.display())), "{}", err(&with));
}

#[test]
fn mistakes_are_explained_in_chinese_too() {
    for arguments in
        [&["--lang", "zh", "perft", "amazoms", "1"][..], &["--lang", "zh", "prft"], &["--lang", "zh", "perft", "nogo"]]
    {
        let message = err(&boyi(arguments));
        assert!(message.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{message}");
    }
    let help = out(&boyi(&["--lang", "zh", "--help"]));
    assert!(help.contains("用法") && help.contains("命令") && !help.contains("Usage"), "{help}");
}

/// Whatever the English sentence tells, the Chinese one does too: the values there are, the range, the usage.
#[test]
fn chinese_mistakes_carry_what_the_english_ones_carry() {
    let play = ["play", "nogo", "--black", "random", "--white", "random"];
    let with = |more: &[&'static str]| [&play[..], more].concat();
    let cases: &[(Vec<&str>, &[&str])] = &[
        (with(&["--ply-time", "5x"]), &["“5x”", "500ms", "none"]),
        (with(&["--gap-ms", "20000"]), &["“20000”", "0..=10000"]),
        (with(&["--gap-ms", "many"]), &["“many”", "应为整数"]),
        (with(&["--sandbox", "z"]), &["“z”", "auto", "none"]),
        (with(&["--sandbox"]), &["缺少值"]),
        (with(&["--seed", "1", "--seed", "2"]), &["--seed", "只能给一次"]),
        (vec!["show", "nogo", "--seat", "blck"], &["“blck”", "black", "white", "all"]),
        (vec!["perft", "nogo"], &["<DEPTH>", "用法：boyi perft"]),
        (vec!["record", "shw"], &["“shw”", "show"]),
        (vec!["show", "nogo", "--sed", "1"], &["--sed", "--seat"]),
    ];
    for (arguments, expected) in cases {
        let message = err(&boyi(&[&["--lang", "zh"][..], arguments].concat()));
        for part in *expected {
            assert!(message.contains(part), "{arguments:?} lacks {part}: {message}");
        }
    }
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(out(&boyi(&["help"])), out(&boyi(&["--help"])));
    let page = boyi(&["help", "record", "verify"]);
    assert!(page.status.success() && out(&page).contains("Usage: boyi record verify"), "{}", out(&page));
    let page = out(&boyi(&["--lang", "zh", "help", "show"]));
    assert!(page.contains("用法：boyi show"), "{page}");
    let unknown = boyi(&["help", "shwo"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("there is no command \"boyi shwo\""), "{}", err(&unknown));
}

/// Options after a list of plies are options.
#[test]
fn plies_do_not_swallow_the_options_behind_them() {
    let data = json(&boyi(&["show", "amazons", "--moves", "GJGCHC GACEGE", "--json"]));
    assert_eq!(data["plies"], 2);
    let one_by_one = json(&boyi(&["show", "amazons", "--moves", "GJGCHC", "GACEGE", "--seat", "all", "--json"]));
    assert_eq!(one_by_one["position"], data["position"]);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let status = Command::new("sh")
        .args(["-c", "\"$0\" show amazons --json | head -c 10 >/dev/null; exit ${PIPESTATUS:-0}"])
        .arg(env!("CARGO_BIN_EXE_boyi"))
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(status.stderr.is_empty(), "{}", err(&status));
}

/// Sends commands to the rules service and reads its answers.
fn rules(game: &str, commands: &str) -> Vec<Value> {
    let output = boyi_with_input(&["rules", game], commands.as_bytes());
    assert!(output.status.success() && output.stderr.is_empty(), "{}", err(&output));
    out(&output).lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

#[test]
fn the_rules_service_answers_every_command() {
    let answers = rules(
        "nogo",
        r#"{"cmd":"new","position":"1w7/w8/9/9/9/9/9/9/9 b","id":"a"}
           {"cmd":"legal","count_only":true}
           {"cmd":"legal","id":7}
           {"cmd":"play","ply":"AA","events":true}
           {"cmd":"legal"}
           {"cmd":"undo"}
           {"cmd":"play","plies":["EE","FF","EE"]}
           {"cmd":"position"}
           {"cmd":"history"}
           {"cmd":"observe","seat":"white"}
           {"cmd":"view","seat":"black"}
           {"cmd":"clicks","path":[]}
"#,
    );
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[1]["count"], 78);
    assert_eq!((&answers[2]["id"], answers[2]["plies"].as_array().unwrap().len()), (&Value::from(7), 78));
    assert_eq!(answers[2]["forbidden"], serde_json::json!(["AA"]));
    assert_eq!((&answers[3]["end"], &answers[3]["reason"]), (&Value::from("lost"), &Value::from("suicide")));
    assert_eq!(answers[3]["verdict"]["winner"], "white");
    assert_eq!(answers[4]["count"], 0);
    assert!(answers[5]["verdict"].is_null());
    assert_eq!((&answers[6]["ok"], &answers[6]["error"]["code"]), (&Value::from(false), &Value::from("occupied")));
    assert_eq!(answers[6]["error"]["played"], 2);
    assert_eq!(answers[7]["position"], "1w7/w8/9/9/4b4/5w3/9/9/9 b");
    assert_eq!(answers[8]["steps"].as_array().unwrap().len(), 2);
    assert_eq!(answers[9]["observation"]["seat"], "white");
    assert_eq!(answers[10]["view"]["eyes"], "black");
    assert!(answers[11]["clicks"].as_array().unwrap().len() > 70);
}

#[test]
fn a_bad_line_is_an_answer_and_changes_nothing() {
    let long = "x".repeat(3 << 20);
    let commands = format!(
        "{{\"cmd\":\"play\",\"ply\":\"EE\"}}\nnonsense\n{{\"cmd\":\"fly\",\"id\":1}}\n[]\n{{\"cmd\":\"play\"}}\n\
         {{\"cmd\":\"play\",\"ply\":7,\"id\":2}}\n{{\"cmd\":\"observe\"}}\n{{\"cmd\":\"new\",\"variant\":{{\"x\":1}}}}\n{long}\n\
         {{\"cmd\":\"new\",\"position\":\"9/9\"}}\n{{\"cmd\":\"legal\",\"nonsense\":1}}\n\n{{\"cmd\":\"position\"}}\n"
    );
    let answers = rules("nogo", &commands);
    assert_eq!(answers.len(), 12);
    for answer in &answers[1..11] {
        assert_eq!(answer["ok"], false);
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty() && answer["error"]["code"].is_string());
    }
    assert_eq!((&answers[2]["id"], &answers[5]["id"]), (&Value::from(1), &Value::from(2)));
    assert_eq!(answers[8]["error"]["code"], "line-too-long");
    assert_eq!(answers[11]["position"], "9/9/9/9/4b4/9/9/9/9 w");
}

#[test]
fn bytes_that_are_no_text_are_answered_too() {
    let output = boyi_with_input(&["rules", "nogo"], b"\xff\xfe\x00\n{\"cmd\":\"position\"}\n");
    let text = out(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("\"ok\":false") && lines[1].contains("\"ok\":true"), "{lines:?}");
}

#[test]
fn built_in_players_play_every_game_to_its_end() {
    for game in GAMES {
        let data = json(&boyi(&["play", game, "--black", "greedy", "--white", "random", "--seed", "5", "--json"]));
        let reason = data["decision"]["reason"]["code"].as_str().unwrap();
        assert!(!["illegal-ply", "time", "exited"].contains(&reason), "{game}: {}", data["decision"]);
    }
}

#[test]
fn engines_play_every_game_through_its_protocol() {
    for game in GAMES {
        let engine = |seed| format!("{} engine {game} --level random --seed {seed}", env!("CARGO_BIN_EXE_boyi"));
        let data = json(&boyi(&["play", game, "--black", &engine(1), "--white", &engine(2), "--json"]));
        let reason = data["decision"]["reason"]["code"].as_str().unwrap();
        assert!(!["illegal-ply", "time", "exited", "not-ready"].contains(&reason), "{game}: {}", data["decision"]);
        assert!(data["plies"].as_array().unwrap().len() > 8, "{game}");
    }
}

/// The SAU protocol has no word for the limit.
#[test]
fn engines_find_their_limit_in_their_environment() {
    let engine = "sh -c 'read line; echo name told-$BOYI_PLY_MS'";
    let game = boyi(&["play", "nogo", "--black", engine, "--white", "builtin:random", "--ply-time", "700ms"]);
    let said = out(&game) + &err(&game);
    assert!(said.contains("told-700"), "{said}");
    let game = boyi(&["play", "nogo", "--black", engine, "--white", "builtin:random", "--ply-time", "none"]);
    let said = out(&game) + &err(&game);
    assert!(said.contains("told-") && !said.contains("told-7"), "{said}");
}

/// Managers that wait for exactly `OK` and a line feed, and ones that end without a line end, are understood.
#[test]
fn a_brain_answers_with_bare_line_feeds_and_hears_the_last_line() {
    let said = boyi_with_input(&["engine", "gomoku", "--level", "random"], b"START 15\r\nTURN 7,7");
    let lines = out(&said);
    assert!(lines.starts_with("OK\n") && lines.lines().count() == 2 && lines.ends_with('\n'), "{lines:?}");
    assert!(!lines.contains('\r'), "{lines:?}");
}

#[test]
fn a_position_is_told_to_a_brain_as_a_board_and_to_others_not_at_all() {
    let engine = format!("{} engine gomoku --level greedy", env!("CARGO_BIN_EXE_boyi"));
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("talk.txt");
    let log_text = log.to_string_lossy().into_owned();
    let position = "15/15/15/15/15/15/15/5bbbb1wwww1/15/15/15/15/15/15/15 b 8";
    let arguments = ["play", "gomoku", "--variant", "size=15", "--black", &engine, "--white", "builtin:random"];
    let played = boyi(&[&arguments[..], &["--position", position, "--log", &log_text, "-q"]].concat());
    let talk = std::fs::read_to_string(log).unwrap();
    assert!(talk.contains("> BOARD") && talk.contains("> 5,7,1") && talk.contains("> 10,7,2"), "{talk}");
    assert!(out(&played).contains("winning line"), "{}", out(&played));
    assert_eq!(err(&played), "");
    let engine = engine.replace("gomoku", "nogo");
    let told =
        boyi(&["play", "nogo", "--black", &engine, "--white", "random", "--position", "b8/9/9/9/9/9/9/9/8w b", "-q"]);
    assert!(err(&told).contains("cannot tell it this start"), "{}", err(&told));
}

#[test]
fn what_was_seen_is_not_taken_back() {
    let said = boyi_with_input(&["play", "phantom-go", "--black", "human", "--white", "builtin:random"], b"EE\nundo\n");
    assert!(err(&said).contains("no take-back"), "{}", err(&said));
}

/// Exit code, standard output and standard error of an engine that is told these lines.
fn told(game: &str, language: &str, lines: &str) -> (Option<i32>, String, String) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_boyi"));
    command.args(["engine", game, "--level", "greedy", "--seed", "1", "--lang", language]).write_stdin(lines);
    let output = command.output().expect("boyi starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// An engine that has lost its way says so and stops; it had answered with a stone of the other colour.
#[test]
fn an_engine_stops_where_it_is_told_what_is_no_game() {
    let cases = [
        ("nogo", "name?\nnew white\nmove A?\n", "cannot be read", "无法读懂"),
        ("nogo", "name?\nnew white\nmove ZZ\n", "is illegal", "不合法"),
        ("nogo", "name?\nnew white\nmove\n", "opponent's turn", "轮到对方"),
        ("amazons", "name?\nnew white\nmove AAAAAA\n", "is illegal", "不合法"),
        ("phantom-go", "name?\nnew white\nmove what\n", "cannot be read", "无法读懂"),
        ("gomoku", "START 15\nTURN 7;7\n", "cannot be read", "无法读懂"),
        ("gomoku", "START 15\nTURN 15,15\n", "is illegal", "不合法"),
        ("junqi", "INFO 1.0\nSTART 1 1800 31\nGO what 0 00\n", "cannot be read", "无法读懂"),
        ("tiaojia", "START 2\nPLACE 9 9 9\nTURN\n", "is illegal", "不合法"),
        ("tiaojia", "START 2\nPLACE a b c\nTURN\n", "cannot be read", "无法读懂"),
    ];
    for (game, lines, en, zh) in cases {
        for (language, words) in [("en", en), ("zh", zh)] {
            let (code, said, complained) = told(game, language, lines);
            assert!(complained.contains(words), "{game} {lines:?}: {complained}");
            assert!(code.is_some_and(|code| code != 0), "{game} {lines:?}: {code:?}");
            let moves = said.lines().filter(|line| {
                line.starts_with("move ")
                    || line.starts_with("BESTMOVE")
                    || line.starts_with(|first: char| first.is_ascii_digit())
            });
            assert_eq!(moves.count(), 0, "{game} {lines:?}: {said}");
        }
    }
    // Gomocup has a word for it.
    assert!(told("gomoku", "en", "START 15\nTURN 15,15\n").1.contains("ERROR the opponent's move in \"TURN 15,15\""));
    // What is a game is none of this.
    let (code, said, complained) = told("nogo", "en", "name?\nnew white\nmove AA\nend\nquit\n");
    assert_eq!((code, complained.as_str()), (Some(0), ""), "{said}");
    assert!(said.lines().any(|line| line.starts_with("move ")), "{said}");
}

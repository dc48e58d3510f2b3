//! What a match and a tournament take from files and flags, and what they say.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const BOYI: &str = env!("CARGO_BIN_EXE_boyi");

/// Exit code, standard output, standard error of `boyi ARGUMENTS` in a folder.
fn boyi(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(BOYI).args(arguments).current_dir(folder).output().expect("boyi runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// The records of a folder's journal, in the order of their numbers.
fn records(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).expect("there is a journal");
    let mut games = events(&text);
    games.sort_by_key(|game| game["number"].as_u64());
    games.into_iter().map(|mut game| game["record"].take()).collect()
}

fn plies(record: &Value) -> Vec<String> {
    let list = record["plies"].as_array().expect("a record has plies");
    list.iter().filter_map(|ply| ply["ply"].as_str().map(str::to_owned)).collect()
}

#[test]
fn flags_alone_make_a_tournament_and_resume_does_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    std::fs::write(home.join("book.txt"), "# two openings\nAA BB\nCC DD EE\n").unwrap();
    let flags = [
        "tournament",
        "run",
        "--dir",
        "cup",
        "--game",
        "不围棋",
        "--engine",
        "one=builtin:random",
        "--engine",
        "builtin:random",
        "--engine",
        "builtin:greedy",
        "--games",
        "4",
        "--points",
        "3/1/0",
        "--max-plies",
        "6",
        "--openings",
        "book.txt",
        "--seed",
        "5",
        "--event",
        "杯赛",
        "--ply-time",
        "3",
        "--json",
        "-j",
        "2",
    ];
    let (code, text, error) = boyi(home, &flags);
    assert_eq!(code, Some(0), "{error}");
    let events = events(&text);
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["engines"], serde_json::json!(["one", "builtin:random", "builtin:greedy"]));
    assert_eq!(events[0]["progress"]["total"], 12);
    assert!(events.iter().all(|event| event["version"] == 1));
    let games: Vec<&Value> = events.iter().filter(|event| event["event"] == "game").collect();
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|game| game["reason"] == "max-plies" && game["winner"].is_null()), "{games:?}");
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["final"], &last["games"]), (&"standings".into(), &true.into(), &12.into()));
    // The folder has what is needed to go on, whatever becomes of the book.
    std::fs::remove_file(home.join("book.txt")).unwrap();
    let before = records(&home.join("cup"));
    for record in &before {
        let opening = plies(record);
        assert!(opening.starts_with(&["AA".into(), "BB".into()]) || opening.starts_with(&["CC".into(), "DD".into()]));
        assert_eq!(
            (record["verdict"]["evidence"]["limit_plies"].as_u64(), &record["event"]),
            (Some(6), &"杯赛".into())
        );
    }
    let journal = home.join("cup/journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let half: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    std::fs::write(&journal, half).unwrap();
    let (code, resumed, error) = boyi(home, &["tournament", "resume", "cup", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(resumed.lines().last(), Some(last.to_string().as_str()));
    let story = |records: &[Value]| records.iter().map(plies).collect::<Vec<_>>();
    assert_eq!(story(&records(&home.join("cup"))), story(&before));
}

#[test]
fn flags_override_the_file_and_mistakes_name_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let plan = "game = \"nogo\"\ngames = 2\nponder = true\n[openings]\nfile = \"book.txt\"\n\
                [[engine]]\nbuiltin = \"random\"\n[[engine]]\nbuiltin = \"random\"\n";
    std::fs::create_dir(home.join("sub")).unwrap();
    std::fs::write(home.join("sub/cup.toml"), plan).unwrap();
    std::fs::write(home.join("sub/book.txt"), "AA BB\nAA AA\n").unwrap();
    let (code, _, error) = boyi(home, &["tournament", "run", "sub/cup.toml", "--lang", "en"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("sub/cup.toml, line 5: sub/book.txt, line 2: neither plies (AA: "), "{error}");
    assert!(!home.join("sub/cup").exists(), "nothing is begun");
    std::fs::write(home.join("sub/book.txt"), "AA BB\n").unwrap();
    let (code, _, error) =
        boyi(home, &["tournament", "run", "sub/cup.toml", "--games", "4", "--ponder=false", "--restart", "keep", "-q"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(records(&home.join("sub/cup")).len(), 4);
    let copy = std::fs::read_to_string(home.join("sub/cup/tournament.toml")).unwrap();
    for line in ["games = 4", "ponder = false", "restart = \"keep\"", "file = \"openings.txt\""] {
        assert!(copy.contains(line), "{line} in {copy}");
    }
    let (_, _, chinese) =
        boyi(home, &["tournament", "run", "sub/cup.toml", "--dir", "x", "--rounds", "0", "--lang", "zh"]);
    assert!(chinese.contains("rounds"), "{chinese}");
}

/// The command line of an engine that knows no extension and plays the same game each time.
fn old_engine(folder: &Path, game: &str) -> String {
    let script = folder.join("old.sh");
    let text = format!("'{BOYI}' engine {game} --level random --seed 1 | sed -u 's/+openings//'\n");
    std::fs::write(&script, text).expect("written");
    format!("sh {}", script.display())
}

#[test]
fn what_an_engine_cannot_be_told_is_said_before_the_first_game() {
    let (folder, scripts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = old_engine(scripts.path(), "nogo");
    let said = |language: &str, more: &[&str]| {
        let first = ["match", "nogo", "--lang", language, "-q", "-a", &engine, "-b", "random"];
        boyi(folder.path(), &[&first[..], more].concat())
    };
    let run = |more: &[&str]| said("en", more);
    let (code, _, error) = run(&["--opening-plies", "2", "--dir", "m"]);
    assert!(code == Some(2) && error.contains("cannot begin after an opening"), "{error}");
    assert!(error.contains(&engine) && error.contains("docs/openings.md"), "who, and what to do: {error}");
    let (code, _, error) = said("zh", &["--opening-plies", "2"]);
    assert!(code == Some(2) && error.contains("+openings") && error.contains("docs/openings.zh-CN.md"), "{error}");
    let more = ["--opening-plies", "2", "--start-time", "0.3", "-b", "cat"];
    let arguments = [&["match", "nogo", "--lang", "en", "-q", "-a", "random"], &more[..]].concat();
    let (code, _, error) = boyi(folder.path(), &arguments);
    assert!(
        code == Some(2) && error.contains("did not become ready") && error.contains("boyi check nogo cat"),
        "{error}"
    );
    let (code, _, error) = run(&["--win-score", "500,4"]);
    assert!(code == Some(2) && error.contains("no two engines here tell scores"), "{error}");
    let (code, _, error) = run(&["--logs", "all"]);
    assert!(code == Some(2) && error.contains("--dir"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is begun");
}

/// What stands in the guide is tried as a reader would, with programs that exist in place of his own.
#[test]
fn the_plan_of_the_guide_is_one_that_runs() {
    for guide in ["tournament.md", "tournament.zh-CN.md"] {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(guide);
        let text = std::fs::read_to_string(guide).unwrap();
        let plan =
            text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the guide has a plan");
        let engine = format!("{BOYI} engine gomoku --level random");
        let plan = plan.replace("./alpha --threads 1", &engine).replace("./beta", &engine);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cup.toml"), plan).unwrap();
        let (code, _, error) = boyi(folder.path(), &["tournament", "run", "cup.toml", "--dir", "cup", "-q"]);
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(records(&folder.path().join("cup")).len(), 6, "three engines meet once, two games a match");
    }
}

#[test]
fn a_match_goes_on_only_as_the_same_match() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let first = ["match", "tiaojia", "-a", "random", "-b", "random", "--dir", "m", "-q", "--json", "--lang", "en"];
        boyi(folder.path(), &[&first[..], more].concat())
    };
    // Nobody gave a seed: the folder remembers the one that was made up.
    assert_eq!(run(&["--games", "3", "--opening-plies", "3"]).0, Some(0));
    let (code, text, error) = run(&["--games", "6", "--opening-plies", "3", "-j", "1"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(events(&text)[0]["progress"]["done"], 3);
    let records = records(&folder.path().join("m"));
    assert_eq!(records.len(), 6);
    for pair in records.chunks(2) {
        assert_eq!(plies(&pair[0])[..3], plies(&pair[1])[..3], "both games of a pair have one opening");
    }
    let (code, _, error) = run(&["--games", "6", "--opening-plies", "4"]);
    assert!(code == Some(2) && error.contains("other engines or settings"), "{error}");
}

#[test]
fn random_openings_can_be_asked_to_be_balanced() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "match",
        "tiaojia",
        "-a",
        "random",
        "-b",
        "random",
        "--dir",
        "m",
        "-q",
        "--games",
        "4",
        "--opening-plies",
        "4",
        "--balanced",
        "60",
        "--seed",
        "3",
    ];
    let (code, _, error) = boyi(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    let records = records(&folder.path().join("m"));
    assert_eq!((records.len(), plies(&records[0])[..4] == plies(&records[1])[..4]), (4, true));
}

#[test]
fn conversations_are_kept_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("{BOYI} engine nogo --level random --seed 1");
    let run = |home: &str, logs: &str| {
        let arguments =
            ["match", "nogo", "-a", &engine, "-b", "false", "--games", "2", "-q", "--dir", home, "--logs", logs];
        assert_eq!(boyi(folder.path(), &arguments).0, Some(0));
        std::fs::read_dir(folder.path().join(home).join("logs")).map_or(0, Iterator::count)
    };
    assert_eq!((run("all", "all"), run("lost", "lost"), run("none", "none")), (2, 2, 0));
    let log = std::fs::read_to_string(folder.path().join("all/logs/0.log")).unwrap();
    assert!(log.contains("> name?"), "{log}");
}

/// A list of openings among the options of the game is played one by one, each from both sides, and told to the brains.
#[test]
fn openings_of_the_variant_are_openings() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("{BOYI} engine gomoku --level random");
    let variant = r#"openings=["7,7 8,8 9,9", "3,3"]"#;
    let arguments =
        ["match", "gomoku", "-q", "--games", "4", "--variant", "size=15", "--variant", variant, "--dir", "m"];
    let (code, _, error) = boyi(folder.path(), &[&arguments[..], &["-a", &engine, "-b", "greedy"]].concat());
    assert_eq!(code, Some(0), "{error}");
    let games = records(&folder.path().join("m"));
    let begun: Vec<Vec<String>> = games.iter().map(|game| plies(game).into_iter().take(3).collect()).collect();
    assert_eq!(begun[0], ["7,7", "8,8", "9,9"]);
    assert_eq!(begun[1], begun[0]);
    assert_eq!((begun[2][0].as_str(), begun[3][0].as_str()), ("3,3", "3,3"));
    assert!(games.iter().all(|game| game["result"]["reason"] != "illegal-ply"), "{games:?}");
    // Whoever cannot be told it is not let in.
    let engine = format!("{BOYI} engine tiaojia --level random");
    let variant = r#"starts=["8/8/2wwww2/8/8/2bbbb2/8/8 b 0"]"#;
    let arguments = ["match", "tiaojia", "-q", "--lang", "en", "--variant", variant, "-a", &engine, "-b", "random"];
    let (code, _, error) = boyi(folder.path(), &arguments);
    assert!(code == Some(2) && error.contains("cannot be told a position"), "{error}");
}

#[test]
fn a_journal_that_was_edited_by_hand_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let flags = ["tournament", "run", "--dir", "cup", "--game", "tiaojia", "--engine", "builtin:greedy", "--engine"];
    let (code, table, error) =
        boyi(home, &[&flags[..], &["builtin:random", "--games", "4", "--seed", "5", "-q"]].concat());
    assert_eq!(code, Some(0), "{error}");
    let journal = home.join("cup/journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(boyi(home, &["tournament", "standings", "cup"]), (Some(0), table, String::new()));

    let lines: Vec<&str> = text.lines().collect();
    let flip = |line: &str| {
        let (was, is) = match line.contains("\"winner\":\"black\"") {
            true => ("black", "white"),
            false => ("white", "black"),
        };
        line.replacen(&format!("\"winner\":\"{was}\""), &format!("\"winner\":\"{is}\""), 1)
    };
    let with_flip = [lines[0], &flip(lines[1]), lines[2], lines[3], ""].join("\n");
    for wrong in [with_flip, [lines[0], lines[2], lines[1], lines[3], ""].join("\n")] {
        std::fs::write(&journal, &wrong).unwrap();
        for command in [&["standings", "cup"][..], &["resume", "cup"], &["report", "cup"]] {
            let (code, out, said) = boyi(home, &[&["tournament"], command, &["--lang", "en"]].concat());
            assert_eq!((code, out.as_str()), (Some(2), ""), "{command:?}: {said}");
            assert!(said.contains("cup/journal.jsonl, line 2: its checksum is wrong"), "{command:?}: {said}");
            let (_, _, said) = boyi(home, &[&["tournament"], command, &["--lang", "zh"]].concat());
            assert!(said.contains("journal.jsonl 第 2 行：校验和不符"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&journal).unwrap(), wrong, "nobody repairs what he cannot judge");
    }

    // An older boyi wrote no checksums: its journals are read, and that is said.
    let older = |line: &str| line.split_once(",\"check\"").map_or_else(String::new, |(body, _)| format!("{body}}}\n"));
    std::fs::write(&journal, lines.iter().map(|line| older(line)).collect::<String>()).unwrap();
    let (code, _, said) = boyi(home, &["tournament", "standings", "cup", "--lang", "zh"]);
    assert!(code == Some(0) && said.contains("4 局由旧版 boyi 写入"), "{said}");
    std::fs::write(&journal, older(&flip(lines[0]))).unwrap();
    let (code, _, said) = boyi(home, &["tournament", "standings", "cup", "--lang", "en"]);
    assert!(code == Some(2) && said.contains("line 1: the record is wrong: after ply"), "{said}");
}

/// Two engines without chance of their own. From the start they play two games for ever, after openings each is
/// another.
#[test]
fn openings_make_the_games_of_deterministic_engines_differ() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["nogo", "junqi", "tiaojia"] {
        let engines = [1, 2].map(|seed| format!("{BOYI} engine {game} --level random --seed {seed}"));
        let run = |more: &[&str]| {
            let first = ["match", game, "-q", "--games", "8", "-a", &engines[0], "-b", &engines[1]];
            boyi(folder.path(), &[&first[..], more].concat())
        };
        let end = |more: &[&str]| {
            let (code, text, error) = run(&[&["--json"], more].concat());
            assert_eq!(code, Some(0), "{error}");
            events(&text).pop().unwrap()
        };
        let standing = &end(&["--opening-plies", "6"])["standing"];
        assert_eq!((&standing["games"], &standing["distinct_games"]), (&8.into(), &8.into()), "{game}");
        let standing = &end(&[])["standing"];
        assert_eq!((&standing["games"], &standing["distinct_games"]), (&8.into(), &2.into()), "{game}");
        assert!(standing["elo"].is_null() && standing["not_measured"].is_string(), "{game}: {standing}");
        let (_, text, _) = run(&["--lang", "en"]);
        assert!(text.contains("only 2 of 8 games are distinct") && text.contains("--opening-plies"), "{text}");
    }
}

#[test]
fn a_plan_with_openings_takes_engines_that_can_be_told_and_names_who_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |seed: u32| format!("{BOYI} engine connect6 --level random --seed {seed}");
    let plan = |last: &str| {
        let engines = [engine(1), engine(2), last.to_owned()];
        let engines: String = engines.iter().map(|command| format!("[[engine]]\ncommand = {command:?}\n")).collect();
        format!("game = \"connect6\"\ngames = 4\n[openings]\nrandom = 3\n{engines}")
    };
    std::fs::write(folder.path().join("cup.toml"), plan(&engine(3))).unwrap();
    let run = || boyi(folder.path(), &["tournament", "run", "cup.toml", "--json", "--lang", "en"]);
    let (code, text, error) = run();
    assert_eq!(code, Some(0), "{error}");
    let table = events(&text).pop().unwrap();
    assert_eq!((&table["games"], &table["distinct_games"]), (&12.into(), &12.into()));
    std::fs::remove_dir_all(folder.path().join("cup")).unwrap();
    let old = old_engine(folder.path(), "connect6");
    std::fs::write(folder.path().join("cup.toml"), plan(&old)).unwrap();
    let (code, _, error) = run();
    assert!(code == Some(2) && error.contains(&old), "{error}");
    assert!(!folder.path().join("cup").exists(), "nothing is begun");
}

/// A strong result against somebody who never played is no result; the summary says so, and why.
#[test]
fn forfeits_are_named_and_who_never_played_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // A point beside the board, whatever it is asked.
    let script = folder.path().join("wrong.sh");
    let talk = "while read word rest; do case $word in name*) echo name x;; move) echo move ZZ;; quit) exit;;\n\
                new) [ $rest = white ] || echo move ZZ;; esac; done\n";
    std::fs::write(&script, talk).unwrap();
    let wrong = format!("sh {}", script.display());
    let run = |more: &[&str]| {
        let first = ["match", "nogo", "-q", "--games", "4", "-a", "random", "-b", &wrong];
        boyi(folder.path(), &[&first[..], more].concat()).1
    };
    let text = run(&["--lang", "en"]);
    for words in [
        "4 of 4 games lost off the board: 4 × the loser played an illegal ply",
        "never played a legal ply",
        "Elo not measurable: every distinct game was won",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("inf") && !text.contains('∞') && !text.contains("-0 ±"), "{text}");
    let text = run(&["--lang", "zh"]);
    assert!(
        text.contains("4 局并非负于棋盘") && text.contains("从未走出合法着法") && text.contains("无法测定"),
        "{text}"
    );
    let end = events(&run(&["--json"])).pop().unwrap();
    assert_eq!(end["conduct"][1]["forfeits"]["illegal-ply"], 4);
    assert_eq!(end["conduct"][1]["legal_plies"], 0);
    assert_eq!(end["standing"]["elo"], Value::Null);
    // The same in a tournament, on the terminal and on its page.
    let arguments = ["tournament", "run", "--dir", "cup", "--game", "nogo", "-q", "--lang", "en", "--games", "2"];
    let wrong = format!("wrong={wrong}");
    let engines = ["--engine", "a=random", "--engine", "b=random", "--engine", &wrong];
    let (_, text, error) = boyi(folder.path(), &[&arguments[..], &engines].concat());
    assert!(text.contains("wrong: 4 of 4 games lost off the board"), "{text}{error}");
    assert!(text.contains("wrong: Elo not measurable: every distinct game was lost"), "{text}");
    let page = std::fs::read_to_string(folder.path().join("cup/report.html")).unwrap();
    assert!(page.contains("\"neverPlayed\":[2]"), "the page has it too");
}

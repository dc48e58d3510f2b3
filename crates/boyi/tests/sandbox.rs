//! `boyi doctor` and `boyi sandbox run` as people and programs meet them, at whatever level this machine allows.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn boyi(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_boyi"))
        .args(arguments)
        .current_dir(folder.path())
        .env("BOYI_LANG", "en")
        .env("SECRET", "of ours")
        .stdin(Stdio::null())
        .output()
        .expect("boyi starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The report at the end of stderr.
fn report(output: &Output) -> Value {
    let all = text(&output.stderr);
    serde_json::from_str(all.lines().last().unwrap_or_default()).expect("a report in JSON")
}

#[test]
fn doctor_says_each_thing_with_its_remedy() {
    let output = boyi(&["doctor", "--json"]);
    let diagnosis: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = match diagnosis["strongest"].as_str().unwrap() {
        "A" => 0,
        "B" | "C" => 1,
        _ => 2,
    };
    assert_eq!(output.status.code(), Some(expected));
    let lines = diagnosis["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 18, "eleven things of the machine and seven languages");
    for line in lines {
        assert_eq!(line["mark"] == "good", line["remedy"].is_null(), "{line}");
        assert!(line["found"].as_array().unwrap().iter().all(|text| !text.as_str().unwrap().is_empty()), "{line}");
    }
    let chinese = text(&boyi(&["doctor", "--lang", "zh"]).stdout);
    assert!(chinese.contains("本机最高级别"), "{chinese}");
}

#[test]
fn the_exit_code_is_the_programs() {
    let output = boyi(&["sandbox", "run", "--json", "--", "sh", "-c", "exit 7"]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    assert_eq!(report(&output)["ended"]["exited"], 7);
    // A shell that becomes another program needs no fork, so this holds at every level.
    let output = boyi(&["sandbox", "run", "--json", "--", "sh", "-c", "kill -SEGV $$"]);
    assert_eq!(output.status.code(), Some(128 + 11), "{output:?}");
    assert_eq!(report(&output)["ended"]["signalled"], 11);
}

#[test]
fn limits_end_a_program_and_are_named() {
    let output = boyi(&["sandbox", "run", "--json", "--wall", "300ms", "--", "sleep", "20"]);
    assert_eq!(output.status.code(), Some(124), "{output:?}");
    assert_eq!(report(&output)["ended"]["limit"], "wall");
    let output = boyi(&[
        "sandbox",
        "run",
        "--json",
        "--output",
        "10k",
        "--wall",
        "20",
        "--",
        "sh",
        "-c",
        "while :; do echo flood; done",
    ]);
    assert_eq!(report(&output)["ended"]["limit"], "output", "{output:?}");
    assert!(output.stdout.len() <= 10 << 10, "{} bytes came through", output.stdout.len());
    let people = text(&boyi(&["sandbox", "run", "--lang", "zh", "--wall", "300ms", "--", "sleep", "20"]).stderr);
    assert!(people.contains("达到运行时间上限"), "{people}");
}

#[test]
fn a_program_gets_none_of_our_environment() {
    let output = boyi(&["sandbox", "run", "--", "sh", "-c", "echo ${SECRET-nothing} $HOME"]);
    assert_eq!(text(&output.stdout), "nothing /tmp\n", "{output:?}");
}

#[test]
fn a_mistake_is_a_sentence() {
    let output = boyi(&["sandbox", "run", "--", "./no-such-engine"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(text(&output.stderr).contains("no-such-engine cannot be run"), "{output:?}");
    let output = boyi(&["sandbox", "run", "--folder", "/", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a folder of its own"), "{output:?}");
    let output = boyi(&["sandbox", "run", "--memory", "much", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
}

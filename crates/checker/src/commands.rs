//! The optional commands of each protocol.

use std::time::{Duration, Instant};

use games::{Eyes, Phrase, Side};
use protocols::Clock;
use referee::StartError;
use serde_json::Value;

use crate::diagnosis::{self, Due};
use crate::finding::{Finding, Words};
use crate::kinds;
use crate::stages::Check;
use crate::talk::{Delivery, Stop, Talk};

pub(crate) static STAGE: Phrase = Phrase::new("optional commands", "可选命令");

/// How long a command that needs no thought may take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a move that is late is waited for, to tell late from never.
const GRACE: Duration = Duration::from_secs(2);
/// How long to listen to an engine that should be silent.
const QUIET: Duration = Duration::from_millis(100);

/// Tries the optional commands, in a process of their own.
pub(crate) fn check(check: &mut Check<'_>) -> Result<(), StartError> {
    match check.plan.protocol.facts().id {
        "sau" => error(check),
        "gomocup" => gomocup(check),
        _ => Ok(()),
    }
}

/// SAU: is `error` answered with another move?
fn error(check: &mut Check<'_>) -> Result<(), StartError> {
    let Some(mut talk) = check.ready_talk(Side::Black, Delivery::Plain, STAGE)? else { return Ok(()) };
    let ply_time = check.plan.ply_time;
    talk.act(|end, out| {
        end.begin(out);
        end.turn(Clock { turn: Some(ply_time), left: None }, out);
    });
    // Silence here was found in the games already.
    let Ok(first) = talk.await_ply(Instant::now() + ply_time) else { return Ok(()) };
    talk.act(|end, out| {
        end.illegal(out);
    });
    match talk.await_ply(Instant::now() + ply_time) {
        Ok(_) => {}
        Err(Stop::Silent) => {
            check.findings.add(Finding::new(&kinds::IGNORES_ERROR, STAGE).line(Some(&first.line)).asked(Some("error")));
        }
        Err(stop) => check.findings.add(diagnosis::broke_off(&mut talk, stop, Due::Ply, "sau", STAGE)),
    }
    Ok(())
}

/// The commands of Gomocup, one after the other; an engine that leaves on the way is not asked any more.
fn gomocup(check: &mut Check<'_>) -> Result<(), StartError> {
    let Some(mut talk) = check.ready_talk(Side::Black, Delivery::Plain, STAGE)? else { return Ok(()) };
    if let Err(stop) = gomocup_commands(check, &mut talk) {
        check.findings.add(diagnosis::broke_off(&mut talk, stop, Due::Ply, "gomocup", STAGE));
    }
    Ok(())
}

fn gomocup_commands(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    about(check, talk)?;
    unknown(check, talk)?;
    info(check, talk)?;
    take_back(check, talk)?;
    board(check, talk)?;
    rectangle(check, talk)
}

/// Sends a command and gives the line that answers it, if one does.
fn ask(talk: &mut Talk, command: &str, patience: Duration) -> Result<Option<String>, Stop> {
    talk.send(command);
    match talk.hear(patience) {
        Ok(line) => Ok(Some(line)),
        Err(Stop::Silent) => Ok(None),
        Err(stop) => Err(stop),
    }
}

fn starts_with(line: Option<&String>, words: &[&str]) -> bool {
    line.is_some_and(|line| words.iter().any(|word| line.to_ascii_uppercase().starts_with(word)))
}

fn about(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    let answer = ask(talk, "ABOUT", PATIENCE)?;
    match answer.as_deref().map(|line| (line, name_in(line))) {
        Some((_, Some(name))) => check.named(name.to_owned()),
        Some((line, None)) => {
            check.findings.add(Finding::new(&kinds::ABOUT_UNANSWERED, STAGE).asked(Some("ABOUT")).line(Some(line)));
        }
        None => check.findings.add(Finding::new(&kinds::ABOUT_UNANSWERED, STAGE).asked(Some("ABOUT"))),
    }
    Ok(())
}

/// The name in `name="…"`.
fn name_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('=').filter(|(key, _)| key.trim().eq_ignore_ascii_case("name"))?;
    let value = rest.trim_start();
    let name = value.strip_prefix('"').map_or_else(|| value.split(',').next(), |quoted| quoted.split('"').next());
    name.map(str::trim).filter(|name| !name.is_empty())
}

fn unknown(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    let answer = ask(talk, "BOYICHECK", PATIENCE)?;
    if !starts_with(answer.as_ref(), &["UNKNOWN", "ERROR"]) {
        let finding = Finding::new(&kinds::UNKNOWN_NOT_ANSWERED, STAGE);
        check.findings.add(finding.asked(Some("BOYICHECK")).line(answer.as_deref()));
    }
    Ok(())
}

fn info(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    if let Some(line) = ask(talk, "INFO boyi_check 1", QUIET)? {
        let finding = Finding::new(&kinds::INFO_ANSWERED, STAGE);
        check.findings.add(finding.asked(Some("INFO boyi_check 1")).line(Some(&line)));
    }
    Ok(())
}

fn take_back(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    // Silence to BEGIN was found in the games already; a suggestion is no stone to take back.
    let Some(line) = ask(talk, "BEGIN", check.plan.ply_time)? else { return Ok(()) };
    if !line.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Ok(());
    }
    let command = format!("TAKEBACK {}", line.split_whitespace().collect::<String>());
    let answer = ask(talk, &command, PATIENCE)?;
    if !starts_with(answer.as_ref(), &["OK"]) {
        let finding = Finding::new(&kinds::TAKEBACK_UNKNOWN, STAGE);
        check.findings.add(finding.asked(Some(&command)).line(answer.as_deref()));
    }
    Ok(())
}

/// The width and height in `START n` or `RECTSTART n,m`.
fn board_size(start: &str) -> Option<(u32, u32)> {
    let (_, numbers) = start.split_once(' ')?;
    let (width, height) = numbers.split_once(',').unwrap_or((numbers, numbers));
    Some((width.parse().ok()?, height.parse().ok()?))
}

fn board(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    let mut variant = check.plan.table.variant();
    if let Some(opening) = variant.get_mut("opening") {
        *opening = Value::from("none");
    }
    let Ok(mut table) = check.plan.game.open(&variant, None) else { return Ok(()) };
    let Some(start) = talk.start.clone() else { return Ok(()) };
    let Some((width, height)) = board_size(&start) else { return Ok(()) };
    if !starts_with(ask(talk, &start, check.plan.start_time)?.as_ref(), &["OK"]) {
        return Ok(());
    }
    // A brain may forget at START what it was told of its limits, and think for as long as it usually does.
    let milliseconds = check.plan.ply_time.as_millis();
    talk.send(&format!("INFO timeout_match 0\nINFO timeout_turn {milliseconds}\nINFO time_left 2147483647"));
    let (x, y) = (width / 2, height / 2);
    let stones = [(x, y, 2), (x, y + 1, 1), (x + 1, y, 2)];
    let mut command = String::from("BOARD\n");
    for (x, y, field) in stones {
        command.push_str(&format!("{x},{y},{field}\n"));
        if table.play(&format!("{x},{y}"), Eyes::All).is_err() {
            return Ok(());
        }
    }
    command.push_str("DONE");
    let mut answer = ask(talk, &command, check.plan.ply_time)?;
    let asked = talk.asked.clone();
    if answer.is_none() {
        // Late is not unknown.
        let began = Instant::now();
        answer = match talk.hear(GRACE) {
            Ok(line) => Some(line),
            Err(Stop::Silent) => None,
            Err(stop) => return Err(stop),
        };
        if let Some(line) = answer.as_deref().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit())) {
            let late = began.elapsed().as_millis();
            let detail = Words::new(format!("it answered {late} ms too late"), format!("晚了 {late} 毫秒才回应"));
            let finding = Finding::new(&kinds::TIME, STAGE).asked(asked.as_deref()).line(Some(line));
            check.findings.add(finding.detail(detail));
        }
    }
    let ply = answer.as_deref().map(|line| line.split_whitespace().collect::<String>());
    match ply.filter(|ply| ply.starts_with(|letter: char| letter.is_ascii_digit())) {
        None => {
            let finding = Finding::new(&kinds::BOARD_UNSUPPORTED, STAGE);
            check.findings.add(finding.asked(asked.as_deref()).line(answer.as_deref()));
        }
        Some(ply) => {
            if let Err(fault) = table.play(&ply, Eyes::All) {
                let finding = Finding::new(&kinds::BAD_MOVE, STAGE).detail(Words::from(&fault));
                check.findings.add(finding.asked(asked.as_deref()).line(answer.as_deref()));
            }
        }
    }
    Ok(())
}

fn rectangle(check: &mut Check<'_>, talk: &mut Talk) -> Result<(), Stop> {
    let answer = ask(talk, "RECTSTART 12,10", PATIENCE)?;
    if answer.is_none() {
        check.findings.add(Finding::new(&kinds::RECTSTART_UNANSWERED, STAGE).asked(Some("RECTSTART 12,10")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        assert_eq!(name_in("name=\"Some Brain\", version=\"1.0\""), Some("Some Brain"));
        assert_eq!(name_in("name=Plain, version=1"), Some("Plain"));
        assert_eq!(name_in("name=\"\""), None);
        assert_eq!(name_in("7,7"), None);
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(board_size("START 15"), Some((15, 15)));
        assert_eq!(board_size("RECTSTART 20,15"), Some((20, 15)));
        assert_eq!(board_size("ABOUT"), None);
    }
}

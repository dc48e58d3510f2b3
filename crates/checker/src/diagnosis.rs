//! From what was seen to what is wrong.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use games::Phrase;
use protocols::{Awaits, Remark};

use crate::finding::{Finding, Findings, Severity, Words};
use crate::kinds;
use crate::talk::{Stop, Talk};

/// How long an engine that is late is waited for, to tell late from never.
const GRACE: Duration = Duration::from_secs(2);
/// How long an engine whose input was closed has to show what is left in its buffer.
const LAST_WORDS: Duration = Duration::from_millis(1500);
/// How long an engine that closed its output has to leave.
const LEAVING: Duration = Duration::from_millis(500);

/// Where a conversation broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// The engine was to become ready.
    Ready,
    /// It was to play.
    Ply,
}

/// What the first answer of each protocol is.
pub(crate) fn handshake(protocol: &str) -> Phrase {
    match protocol {
        "sau" => Phrase::new("`name NAME` after `name?`", "收到 name? 后回复 name 引擎名"),
        "gomocup" => Phrase::new("OK after START", "收到 START 后回复 OK"),
        "junqi" => Phrase::new("NAME player after INFO 1.0", "收到 INFO 1.0 后回复 NAME 选手名"),
        "tiaojia" => Phrase::new("OK after START 1 or START 2", "收到 START 1 或 START 2 后回复 OK"),
        _ => kinds::NO_HANDSHAKE.expected,
    }
}

/// Why a conversation broke off. The engine's input may be closed to find out, so the conversation is over after this.
pub(crate) fn broke_off(talk: &mut Talk, stop: Stop, due: Due, protocol: &str, stage: Phrase) -> Finding {
    let asked = talk.asked.clone();
    let last_line = talk.last_line.clone();
    let finding = match stop {
        Stop::Closed => left(talk, due, stage),
        Stop::Flood => Finding::new(&kinds::FLOODS, stage).line(last_line.as_deref()),
        Stop::Foul(reason) if due == Due::Ready => {
            Finding::new(&kinds::NO_HANDSHAKE, stage).line(last_line.as_deref()).detail(reason.text)
        }
        Stop::Foul(reason) => Finding::new(&kinds::BAD_MOVE, stage).line(last_line.as_deref()).detail(reason.text),
        Stop::Reload => Finding::new(&kinds::RESTART_UNKNOWN, stage).line(last_line.as_deref()),
        Stop::Silent => silent(talk, due, stage),
        // Nothing is wrong with the engine.
        Stop::CutShort => Finding::new(&kinds::CUT_SHORT, stage),
    };
    let finding =
        if finding.kind.code == kinds::NO_HANDSHAKE.code { finding.expected(handshake(protocol)) } else { finding };
    if finding.asked.is_some() { finding } else { finding.asked(asked.as_deref()) }
}

/// The engine's output is closed.
fn left(talk: &mut Talk, due: Due, stage: Phrase) -> Finding {
    let status = talk.probe.exit(LEAVING);
    let kind = match (status.and_then(|status| status.signal()), due) {
        (Some(_), _) => &kinds::CRASHES,
        (None, Due::Ready) => &kinds::EXITS_AT_START,
        (None, Due::Ply) => &kinds::EXITS_IN_GAME,
    };
    let how = status.map_or_else(|| Words::new("its output is closed", "它关闭了输出"), exit_words);
    let detail = match &talk.probe.last_error {
        Some(text) => Words::new(format!("{}; stderr: {text}", how.en), format!("{}；标准错误：{text}", how.zh)),
        None => how,
    };
    Finding::new(kind, stage).line(talk.last_line.as_deref()).detail(detail)
}

/// How a process ended.
pub(crate) fn exit_words(status: ExitStatus) -> Words {
    match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let name = signal_name(signal);
            Words::new(format!("ended by signal {signal}{name}"), format!("被信号 {signal}{name} 终止"))
        }
        (None, code) => {
            let code = code.unwrap_or_default();
            Words::new(format!("exit code {code}"), format!("退出码 {code}"))
        }
    }
}

/// The names of the signals by which programs end themselves.
const fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

/// Nothing came in time: no newline, no flush, too late, or never.
fn silent(talk: &mut Talk, due: Due, stage: Phrase) -> Finding {
    if let Some(partial) = talk.probe.partial() {
        return Finding::new(&kinds::NO_NEWLINE, stage).line(Some(&partial));
    }
    let asked = talk.asked.clone();
    let began = Instant::now();
    if due == Due::Ply
        && let Ok(answer) = talk.await_ply(began + GRACE)
    {
        let late = answer.at.saturating_duration_since(began).as_secs_f64();
        let detail = Words::new(format!("it answered {late:.1} s too late"), format!("晚了 {late:.1} 秒才回应"));
        return Finding::new(&kinds::TIME, stage).line(Some(&answer.line)).detail(detail);
    }
    // Half a line may have come meanwhile.
    if let Some(partial) = talk.probe.partial() {
        return Finding::new(&kinds::NO_NEWLINE, stage).line(Some(&partial));
    }
    let last_line = talk.last_line.clone();
    let before = talk.probe.bytes;
    talk.act(|end, out| end.close(out));
    talk.probe.close_input();
    let last_words = talk.hear(LAST_WORDS);
    if talk.probe.bytes > before {
        let line = last_words.ok().or_else(|| talk.probe.partial());
        return Finding::new(&kinds::NOT_FLUSHED, stage).line(line.as_deref()).asked(asked.as_deref());
    }
    let kind = if due == Due::Ready { &kinds::NO_HANDSHAKE } else { &kinds::TIME };
    let finding = Finding::new(kind, stage).line(last_line.as_deref().filter(|_| due == Due::Ready));
    finding.asked(asked.as_deref()).detail(Phrase::new("no answer came at all", "始终没有回应"))
}

/// What an engine said beside its answers, and in what writing.
pub(crate) fn said(talk: &mut Talk, findings: &mut Findings, stage: Phrase) {
    let fouled = talk.foul().is_some();
    for said in std::mem::take(&mut talk.said) {
        let kind = match said.remark {
            // Such a line is the foul itself, and is reported as that.
            Remark::Noise(_) | Remark::Unreadable(_) if fouled => continue,
            Remark::Noise(_) | Remark::Unreadable(_) => &kinds::NOISE,
            Remark::OutOfTurn(_) if said.after_answer => &kinds::TWO_ANSWERS,
            Remark::OutOfTurn(_) => &kinds::OUT_OF_TURN,
            Remark::Complaint(_) if said.due == Awaits::Ready => continue,
            Remark::Complaint(_) => &kinds::COMPLAINS,
            Remark::Message(_) | Remark::Debug(_) => continue,
        };
        let severity = if fouled { Severity::Error } else { kind.severity };
        let finding = Finding::new(kind, stage).line(Some(&said.line)).asked(said.asked.as_deref());
        findings.add(finding.severity(severity));
    }
    if let Some(line) = talk.not_utf8.take() {
        findings.add(Finding::new(&kinds::NOT_UTF8, stage).line(Some(&line)));
    }
}

//! From the report of a finished game to its record.

use std::time::Duration;

use jiff::Zoned;
use records::{Environment, Player, PlayerKind, Record, RecordedPly, RecordedVerdict, Seats, TimeLimits};
use referee::{GameReport, TimeControl};

use crate::seats::Wanted;

/// The record of a game that has just been played.
pub(crate) fn record(
    report: &GameReport,
    position: Option<&str>,
    wanted: &[Wanted; 2],
    time: TimeControl,
    began: &Zoned,
) -> Record {
    let player = |index: usize| {
        let (kind, command, level) = match &wanted[index] {
            Wanted::Human => (PlayerKind::Human, None, None),
            Wanted::BuiltIn(level) => (PlayerKind::Builtin, None, Some(level.clone())),
            Wanted::Engine(command) => (PlayerKind::Engine, Some(command.clone()), None),
        };
        Player { name: report.names[index].clone(), kind: Some(kind), command, level }
    };
    let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let decision = &report.decision;
    Record {
        position: position.map(str::to_owned),
        seats: Seats { black: player(0), white: player(1) },
        date: Some(began.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
        time: Some(TimeLimits {
            ply_ms: milliseconds(time.ply),
            game_ms: milliseconds(time.game),
            increment_ms: milliseconds(time.increment),
            start_ms: milliseconds(time.start),
        }),
        plies: report
            .plies
            .iter()
            .map(|step| RecordedPly {
                mover: step.mover,
                ply: step.ply.clone(),
                end: step.end.into(),
                ms: Some(step.time.as_millis() as u64),
            })
            .collect(),
        verdict: Some(RecordedVerdict {
            winner: decision.winner,
            reason: decision.reason.code.to_owned(),
            ply: decision.ply,
            counts: decision.counts,
            evidence: serde_json::to_value(&decision.evidence).unwrap_or_default(),
        }),
        environment: Environment {
            boyi: Some(env!("CARGO_PKG_VERSION").to_owned()),
            sandbox: Some("none".to_owned()),
            machine: machine(),
        },
        ..Record::new(report.table.facts().id, report.table.variant())
    }
}

/// The processor's name and how many there are.
fn machine() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?.1.trim().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Some(format!("{name}, {cores} cores"))
}

//! From the report of a finished game to its record.

use std::sync::OnceLock;
use std::time::Duration;

use records::{Environment, Player, Record, RecordedPly, RecordedVerdict, Seats, TimeLimits};

use crate::clock::TimeControl;
use crate::game::{GameReport, STALL_THAT_COUNTS};

/// What a record holds that the report of a game does not know.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// The position the game started from, when that is not the usual one.
    pub position: Option<String>,
    /// The time control.
    pub time: TimeControl,
    /// What the players are; their names are taken from the report where these are empty.
    pub players: [Player; 2],
    /// When it began: RFC 3339.
    pub date: Option<String>,
    /// The tournament or occasion.
    pub event: Option<String>,
}

impl GameReport {
    /// The record of this game.
    #[must_use]
    pub fn record(&self, circumstances: Circumstances) -> Record {
        let Circumstances { position, time, players, date, event } = circumstances;
        let [black, white] = players;
        let named = |player: Player, index: usize| match player.name.is_empty() {
            true => Player { name: self.names[index].clone(), ..player },
            false => player,
        };
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
        Record {
            position,
            seats: Seats { black: named(black, 0), white: named(white, 1) },
            date,
            event,
            time: Some(TimeLimits {
                ply_ms: milliseconds(time.ply),
                game_ms: milliseconds(time.game),
                increment_ms: milliseconds(time.increment),
                start_ms: milliseconds(time.start),
                tolerance_ms: milliseconds(Some(time.tolerance)).filter(|tolerance| *tolerance > 0),
            }),
            plies: self
                .plies
                .iter()
                .map(|step| RecordedPly {
                    mover: step.mover,
                    ply: step.ply.clone(),
                    end: step.end.into(),
                    ms: Some(step.time.as_millis() as u64),
                    stall_ms: time
                        .ply
                        .filter(|limit| step.stall > *limit / STALL_THAT_COUNTS)
                        .map(|_| step.stall.as_millis() as u64),
                })
                .collect(),
            verdict: Some(RecordedVerdict {
                winner: self.decision.winner,
                reason: self.decision.reason.code.to_owned(),
                ply: self.decision.ply,
                counts: self.decision.counts,
                evidence: serde_json::to_value(&self.decision.evidence).unwrap_or_default(),
            }),
            environment: Environment {
                boyi: Some(env!("CARGO_PKG_VERSION").to_owned()),
                sandbox: Some(self.sandbox.clone()),
                machine: machine(),
            },
            ..Record::new(self.table.facts().id, self.table.variant())
        }
    }
}

/// The processor's name and how many there are.
fn machine() -> Option<String> {
    static MACHINE: OnceLock<Option<String>> = OnceLock::new();
    MACHINE.get_or_init(read_machine).clone()
}

fn read_machine() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'))?.1.trim().to_owned();
    // Not the cores this thread may use: it may be pinned to one.
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    Some(format!("{name}, {cores} {}", if cores == 1 { "core" } else { "cores" }))
}

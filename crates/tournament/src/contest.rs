//! The games of a contest: who plays whom from which opening, and playing one of them.

use std::fs::File;
use std::io::LineWriter;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use games::{Listing, Side};
use records::Player;
use referee::decision::reasons;
use referee::{Adjudication, Circumstances, Decision, GameSpec, Host, Seat, TimeControl, Transcript};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::Finished;
use crate::openings::{Beginning, Openings, Takes};

/// How a seat is made for a game; the seed differs from game to game.
pub type SeatMaker = Box<dyn Fn(u64) -> Result<Seat, String> + Send + Sync>;

/// Somebody who takes part.
pub struct Entrant {
    /// The name in tables and records.
    pub name: String,
    /// What it is, for the records.
    pub player: Player,
    /// What it can be told before its first ply.
    pub takes: Takes,
    /// Whether it can say what it thinks of its position.
    pub tells_score: bool,
    /// How it comes to the board.
    pub seat: SeatMaker,
}

/// When an engine's process is started anew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// For every game.
    #[default]
    Game,
    /// Only when it must be: it plays on for as long as its opponents' order allows, and starts again after it died.
    Keep,
}

/// Which games leave the conversation with their engines behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Logs {
    /// None.
    #[default]
    None,
    /// Those that were lost otherwise than on the board, or have no result.
    Lost,
    /// All.
    All,
}

/// What holds for every game.
pub struct Conditions {
    /// The game.
    pub game: &'static dyn Listing,
    /// Its options.
    pub variant: Value,
    /// The time each side has.
    pub time: TimeControl,
    /// The least time between two messages to one engine.
    pub gap: Duration,
    /// Let engines compute on their opponent's time.
    pub ponder: bool,
    /// When engines are started anew.
    pub restart: Restart,
    /// When games are ended before their end.
    pub adjudication: Adjudication,
    /// Where games begin.
    pub openings: Openings,
    /// Who plays the quick games that tell whether a random opening is balanced.
    pub judge: SeatMaker,
    /// Which conversations are kept, and in which folder.
    pub logs: (Logs, PathBuf),
    /// Everything random follows from this.
    pub seed: u64,
    /// The name of the contest, for the records.
    pub event: Option<String>,
}

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number in the schedule.
    pub number: u64,
    /// The entrant on the first seat.
    pub black: usize,
    /// The entrant on the second seat.
    pub white: usize,
    /// Which opening; both games of a pair have the same.
    pub opening: u64,
}

/// Engines that wait for their next game on the worker they have played on, each with the entrant it is.
#[derive(Default)]
pub struct Kept(Vec<(usize, Seat)>);

impl Kept {
    fn take(&mut self, entrant: usize) -> Option<Seat> {
        let at = self.0.iter().position(|(known, _)| *known == entrant)?;
        Some(self.0.swap_remove(at).1)
    }

    fn dismiss(&mut self) {
        self.0.drain(..).for_each(|(_, seat)| seat.dismiss());
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// How often a game is begun that the machine was too slow for.
const MOST_ATTEMPTS: u32 = 4;
/// Quick games that are played to see whether an opening is balanced.
const QUICK_GAMES: u64 = 20;
/// A quick game is over after so many plies, drawn.
const QUICK_PLIES: u32 = 400;

impl Conditions {
    /// Plays one game. An error is a fault of the machine or the set-up, not of an engine.
    pub fn play(
        &self,
        host: &Arc<Host>,
        entrants: &[Entrant],
        kept: &mut Kept,
        job: &Job,
        date: String,
    ) -> Result<Finished, String> {
        let fair = |beginning: &Beginning, seed: u64| self.share_of_first(host, beginning, seed);
        let Beginning { table, position, history } =
            self.openings.open(self.game, &self.variant, self.seed, job.opening, &fair)?;
        let players = [job.black, job.white];
        let mut seats = [kept.take(players[0]), kept.take(players[1])];
        // Who is not needed now leaves, so that only those who play use memory.
        kept.dismiss();
        for (side, seat) in Side::BOTH.into_iter().zip(&mut seats) {
            // The seed of a seat follows from the contest's, so that a game can be played again.
            let seed = self.seed.wrapping_mul(0xd134_2543_de82_ef95) ^ (job.number << 1 | side.index() as u64);
            if seat.is_none() {
                *seat = Some((entrants[players[side.index()]].seat)(seed)?);
            }
        }
        let [Some(black), Some(white)] = seats else { return Err("a seat is empty".to_owned()) };
        let mut seats = [black, white];
        let keep = self.restart == Restart::Keep;
        let opening_plies = history.len();
        let mut attempts = 0;
        let report = loop {
            let spec = GameSpec {
                position: position.clone(),
                time: self.time,
                gap: self.gap,
                ponder: self.ponder,
                keep,
                adjudication: self.adjudication,
                history: history.clone(),
                transcript: self.transcript(job)?,
                // Who is out of time again and again, what he was kept waiting not counted, has lost.
                excuse_stalls: attempts + 1 < MOST_ATTEMPTS,
                ..GameSpec::new(table.fork())
            };
            let report = referee::play(host, spec, &mut seats, &mut ()).map_err(|error| error.to_string())?;
            attempts += 1;
            // What the machine spoiled is played again, unless it always does.
            if report.decision.reason.code != reasons::STALLED.code || attempts == MOST_ATTEMPTS {
                break report;
            }
        };
        if keep {
            // Players inside this program are made anew with their game's seed.
            kept.0.extend(players.into_iter().zip(seats).filter(|(_, seat)| seat.is_engine()));
        }
        if self.logs.0 == Logs::Lost && lost_off_the_board(&report.decision) {
            let (file, failed) = self.log_file(job)?;
            report.transcript.write(&mut LineWriter::new(file)).map_err(failed)?;
        }
        let players =
            players.map(|entrant| Player { name: entrants[entrant].name.clone(), ..entrants[entrant].player.clone() });
        let circumstances =
            Circumstances { position, time: self.time, players, date: Some(date), event: self.event.clone() };
        let mut record = report.record(circumstances);
        // An engine that was not ready has lost before the opening was played.
        record.opening_plies = opening_plies.min(record.plies.len());
        Ok(Finished { number: job.number, black: job.black, white: job.white, record })
    }

    /// The share of points that the first seat makes in quick games from here.
    fn share_of_first(&self, host: &Arc<Host>, beginning: &Beginning, seed: u64) -> Result<f64, String> {
        let mut points = 0.0;
        for game in 0..QUICK_GAMES {
            let seed = |side: u64| seed.wrapping_add((2 * game + side).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut seats = [(self.judge)(seed(0))?, (self.judge)(seed(1))?];
            let spec = GameSpec {
                history: beginning.history.clone(),
                time: TimeControl { ply: None, ..TimeControl::default() },
                adjudication: Adjudication { max_plies: Some(QUICK_PLIES), ..Adjudication::default() },
                ..GameSpec::new(beginning.table.fork())
            };
            let report = referee::play(host, spec, &mut seats, &mut ()).map_err(|error| error.to_string())?;
            points += match report.decision.winner {
                Some(Side::Black) => 1.0,
                Some(Side::White) => 0.0,
                None => 0.5,
            };
        }
        Ok(points / QUICK_GAMES as f64)
    }

    /// Where the conversation goes: line by line to its file where all are wanted, so that a game that is killed leaves
    /// what was said.
    fn transcript(&self, job: &Job) -> Result<Transcript, String> {
        if self.logs.0 != Logs::All {
            return Ok(Transcript::default());
        }
        Ok(Transcript::with_sink(Box::new(LineWriter::new(self.log_file(job)?.0))))
    }

    /// The file of a game's conversation, and how its problems are told.
    fn log_file(&self, job: &Job) -> Result<(File, impl Fn(std::io::Error) -> String), String> {
        let folder = &self.logs.1;
        let path = folder.join(format!("{}.log", job.number));
        let made = std::fs::create_dir_all(folder).and_then(|()| File::create(&path));
        let failed = move |error: std::io::Error| format!("{}: {error}", path.display());
        Ok((made.map_err(&failed)?, failed))
    }
}

/// Whether somebody lost by what he did besides playing, or nobody has a result.
fn lost_off_the_board(decision: &Decision) -> bool {
    !decision.counts || decision.evidence.seat.is_some()
}

/// How a finished game counts for the entrant on the first seat: `None` when it does not.
#[must_use]
pub fn result_for_black(finished: &Finished) -> Option<crate::statistics::Outcome> {
    use crate::statistics::Outcome;
    let verdict = finished.record.verdict.as_ref().filter(|verdict| verdict.counts)?;
    Some(match verdict.winner {
        Some(Side::Black) => Outcome::Win,
        Some(Side::White) => Outcome::Loss,
        None => Outcome::Draw,
    })
}

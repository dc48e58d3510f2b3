//! The games of a contest: who plays whom from which opening, and playing one of them.

use std::sync::Arc;
use std::time::Duration;

use games::{Eyes, Listing, Side, Table};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use records::Player;
use referee::{Circumstances, GameSpec, Host, PlayedPly, Seat, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::Finished;

/// How a seat is made for a game; the seed differs from game to game.
pub type SeatMaker = Box<dyn Fn(u64) -> Result<Seat, String> + Send + Sync>;

/// Somebody who takes part.
pub struct Entrant {
    /// The name in tables and records.
    pub name: String,
    /// What it is, for the records.
    pub player: Player,
    /// How it comes to the board.
    pub seat: SeatMaker,
}

/// Where games begin. Both games of a pair begin at the same place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// At the usual start.
    Usual,
    /// At these positions, one pair after the other, and round again.
    Positions(Vec<String>),
    /// After these plies, each opening a list.
    Plies(Vec<Vec<String>>),
    /// After so many random plies, other ones for every pair.
    Random(u32),
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
    /// Where games begin.
    pub openings: Openings,
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

/// Where a game begins.
struct Beginning {
    table: Box<dyn Table>,
    position: Option<String>,
    /// The plies of the opening.
    history: Vec<PlayedPly>,
}

impl Conditions {
    fn open(&self, opening: u64) -> Result<Beginning, String> {
        let pick = |count: usize| (opening % count.max(1) as u64) as usize;
        let position = match &self.openings {
            Openings::Positions(list) => list.get(pick(list.len())).cloned(),
            _ => None,
        };
        let table = self.game.open(&self.variant, position.as_deref()).map_err(|error| error.to_string())?;
        let mut fork = table.fork();
        let plies = match &self.openings {
            Openings::Plies(lists) => lists.get(pick(lists.len())).cloned().unwrap_or_default(),
            Openings::Random(plies) => {
                random_plies(fork.as_mut(), *plies, self.seed ^ opening.wrapping_mul(0x9e37_79b9))
            }
            _ => Vec::new(),
        };
        let mut fork = table.fork();
        let mut history = Vec::new();
        for ply in plies {
            let played =
                fork.play(&ply, Eyes::All).map_err(|fault| format!("opening {}, {ply}: {fault}", opening + 1))?;
            history.push(PlayedPly { mover: played.mover, ply, end: played.end, time: Duration::ZERO });
        }
        if fork.verdict().is_some() {
            return Err(format!("opening {} is already decided", opening + 1));
        }
        Ok(Beginning { table, position, history })
    }

    /// Plays one game. An error is a fault of the machine or the set-up, not of an engine.
    pub fn play(&self, host: &Arc<Host>, entrants: &[Entrant], job: &Job, date: String) -> Result<Finished, String> {
        let Beginning { table, position, history } = self.open(job.opening)?;
        let entrant = |side: Side| match side {
            Side::Black => &entrants[job.black],
            Side::White => &entrants[job.white],
        };
        // The seed of a seat follows from the contest's, so that a game can be played again.
        let seed = |side: Side| self.seed.wrapping_mul(0xd134_2543_de82_ef95) ^ (job.number << 1 | side.index() as u64);
        let mut seats =
            [(entrant(Side::Black).seat)(seed(Side::Black))?, (entrant(Side::White).seat)(seed(Side::White))?];
        let opening_plies = history.len();
        let spec = GameSpec {
            position: position.clone(),
            time: self.time,
            gap: self.gap,
            ponder: self.ponder,
            history,
            ..GameSpec::new(table)
        };
        let report = referee::play(host, spec, &mut seats, &mut ()).map_err(|error| error.to_string())?;
        let players =
            Side::BOTH.map(|side| Player { name: entrant(side).name.clone(), ..entrant(side).player.clone() });
        let circumstances =
            Circumstances { position, time: self.time, players, date: Some(date), event: self.event.clone() };
        let mut record = report.record(circumstances);
        // An engine that was not ready has lost before the opening was played.
        record.opening_plies = opening_plies.min(record.plies.len());
        Ok(Finished { number: job.number, black: job.black, white: job.white, record })
    }
}

/// Random plies from the start that leave the game open; fewer where none do.
fn random_plies(table: &mut dyn Table, wanted: u32, seed: u64) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut plies = Vec::new();
    for _ in 0..wanted {
        let Some(ply) = table.random_ply(&mut rng) else { break };
        if table.play(&ply, Eyes::All).is_err() {
            break;
        }
        if table.verdict().is_some() {
            table.undo();
            break;
        }
        plies.push(ply);
    }
    plies
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

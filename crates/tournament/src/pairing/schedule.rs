//! Formats whose matches are known from the start: round robin and gauntlet.

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, Match};
use super::score::PointSystem;
use super::standings::{Standing, TieBreak, standings};
use super::{Entrant, Format, FormatError, GameId, Next, RecordError, check_common};
use crate::statistics::Outcome;

/// Buchholz says nothing where everybody meets the same opponents.
const TIE_BREAKS: [TieBreak; 3] = [TieBreak::SonnebornBerger, TieBreak::DirectEncounter, TieBreak::Wins];

/// A list of matches known from the start. Nothing ever waits for a result, so a slow game holds up nobody.
#[derive(Debug, Clone)]
pub struct Schedule {
    ledger: Ledger,
    at: usize,
}

impl Schedule {
    /// Everybody against everybody, by the circle method.
    pub fn round_robin(settings: RoundRobinSettings) -> Result<Self, FormatError> {
        let RoundRobinSettings { entrants, cycles, games, points } = settings;
        check_common(entrants, &[("cycles", cycles), ("games", games)])?;
        let meetings = (0..cycles).flat_map(|cycle| circle(entrants, cycle)).collect();
        Ok(Self::new(entrants, points, games, meetings))
    }

    /// The first few against all others.
    pub fn gauntlet(settings: GauntletSettings) -> Result<Self, FormatError> {
        let GauntletSettings { entrants, challengers, cycles, games, points } = settings;
        check_common(entrants, &[("challengers", challengers), ("cycles", cycles), ("games", games)])?;
        if challengers >= entrants {
            return Err(FormatError::TooManyChallengers { challengers, entrants });
        }
        let meetings = (0..cycles).flat_map(|cycle| challenge(entrants, challengers, cycle)).collect();
        Ok(Self::new(entrants, points, games, meetings))
    }

    fn new(entrants: usize, points: PointSystem, games: usize, meetings: Vec<Meeting>) -> Self {
        let mut ledger = Ledger::new(entrants, points);
        for (number, Meeting { round, first, second }) in meetings.into_iter().enumerate() {
            ledger.add(Match::new(number, round, Entrant(first), Entrant(second), games));
        }
        Self { ledger, at: 0 }
    }
}

impl Format for Schedule {
    fn next_pairing(&mut self) -> Next {
        while let Some(current) = self.ledger.find_mut(self.at) {
            if current.issued() < current.planned {
                return Next::Play(current.issue());
            }
            self.at += 1;
        }
        if self.ledger.matches().all(Match::is_complete) { Next::Finished } else { Next::Wait }
    }

    fn record(&mut self, id: GameId, outcome: Outcome) -> Result<(), RecordError> {
        self.ledger.record(id, outcome).map(drop)
    }

    fn total(&self) -> Option<usize> {
        Some(self.ledger.matches().map(|known| known.planned).sum())
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn standings(&self) -> Vec<Standing> {
        standings(&self.ledger, &TIE_BREAKS)
    }
}

/// Who meets whom when, by index.
struct Meeting {
    round: usize,
    first: usize,
    second: usize,
}

/// How a round robin is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRobinSettings {
    /// How many.
    pub entrants: usize,
    /// How often everybody meets everybody: 1 is a single round robin, 2 a double one. Every other time the sides are
    /// swapped.
    pub cycles: usize,
    /// Games in each match.
    pub games: usize,
    /// What results are worth.
    pub points: PointSystem,
}

/// One cycle of a round robin: in round r those meet whose numbers add up to r around a circle of odd size. The one
/// who would meet itself meets the last entrant of an even number, or rests.
fn circle(entrants: usize, cycle: usize) -> Vec<Meeting> {
    let size = if entrants.is_multiple_of(2) { entrants - 1 } else { entrants };
    let mut meetings = Vec::new();
    for turn in 0..size {
        let round = cycle * size + turn;
        for one in 0..size {
            let other = (turn + size - one) % size;
            // Who stands up to half a circle behind moves first: everybody then does so equally often. The last
            // entrant, outside the circle, alternates.
            let (first, second) = match one.cmp(&other) {
                std::cmp::Ordering::Less if other - one <= size / 2 => (one, other),
                std::cmp::Ordering::Less => (other, one),
                std::cmp::Ordering::Equal if size < entrants && one.is_multiple_of(2) => (one, size),
                std::cmp::Ordering::Equal if size < entrants => (size, one),
                _ => continue,
            };
            let (first, second) = if cycle.is_multiple_of(2) { (first, second) } else { (second, first) };
            meetings.push(Meeting { round, first, second });
        }
    }
    meetings
}

/// How a gauntlet is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GauntletSettings {
    /// How many.
    pub entrants: usize,
    /// The first so many play everybody else; the others do not play each other, nor do the challengers.
    pub challengers: usize,
    /// How often; every other time the sides are swapped.
    pub cycles: usize,
    /// Games in each match.
    pub games: usize,
    /// What results are worth.
    pub points: PointSystem,
}

/// One cycle of a gauntlet: the challengers stand around the others, one step further in every round.
fn challenge(entrants: usize, challengers: usize, cycle: usize) -> Vec<Meeting> {
    let opponents = entrants - challengers;
    let size = challengers.max(opponents);
    let mut meetings = Vec::new();
    for turn in 0..size {
        for challenger in 0..challengers {
            let opponent = (turn + challenger) % size;
            if opponent < opponents {
                let (one, other) = (challenger, challengers + opponent);
                let swapped = (challenger + opponent + cycle) % 2 == 1;
                let (first, second) = if swapped { (other, one) } else { (one, other) };
                meetings.push(Meeting { round: cycle * size + turn, first, second });
            }
        }
    }
    meetings
}

//! Knockout: the loser of a match is out.

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, Match};
use super::score::PointSystem;
use super::standings::{Standing, TieBreak, number, standings};
use super::{Entrant, Format, FormatError, GameId, Next, RecordError, check_common};
use crate::statistics::Outcome;

/// How a knockout is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnockoutSettings {
    /// How many; the order of entry is the seeding.
    pub entrants: usize,
    /// A match is over as soon as one side has more than half the points of so many games.
    pub best_of: usize,
    /// If it is even after that, up to so many more games are played, two at a time with swapped sides, until it is
    /// not. If it still is, the higher seed goes on.
    pub extra_games: usize,
    /// What results are worth in the table.
    pub points: PointSystem,
}

/// A knockout with the standard bracket: the two highest seeds can only meet in the final, the highest four only in
/// the semifinals, and so on; the highest seeds rest in the first round if places are left empty.
#[derive(Debug, Clone)]
pub struct Knockout {
    settings: KnockoutSettings,
    ledger: Ledger,
    /// Who stands in each place of each round, once known; the last round has one place, the winner's.
    bracket: Vec<Vec<Place>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// To be played for.
    Open,
    /// Nobody: the opponent rests.
    Empty,
    Taken(Entrant),
}

impl Knockout {
    /// The bracket with its first matches.
    pub fn new(settings: KnockoutSettings) -> Result<Self, FormatError> {
        check_common(settings.entrants, &[("best_of", settings.best_of)])?;
        let size = settings.entrants.next_power_of_two();
        let mut seeds = vec![0];
        while seeds.len() < size {
            let mirror = 2 * seeds.len() - 1;
            seeds = seeds.into_iter().flat_map(|seed| [seed, mirror - seed]).collect();
        }
        let place = |seed: usize| if seed < settings.entrants { Place::Taken(Entrant(seed)) } else { Place::Empty };
        let mut bracket = vec![seeds.into_iter().map(place).collect::<Vec<_>>()];
        let mut places = size;
        while places > 1 {
            places /= 2;
            bracket.push(vec![Place::Open; places]);
        }
        let mut knockout = Self { settings, ledger: Ledger::new(settings.entrants, settings.points), bracket };
        for slot in 0..size / 2 {
            knockout.arrange(0, slot);
        }
        Ok(knockout)
    }

    /// Who won, once the final is decided.
    #[must_use]
    pub fn winner(&self) -> Option<Entrant> {
        match self.bracket.last().and_then(|places| places.first()) {
            Some(Place::Taken(entrant)) => Some(*entrant),
            _ => None,
        }
    }

    /// A match's number tells its place in the bracket, so that it does not depend on who finished first.
    fn number(&self, round: usize, slot: usize) -> usize {
        self.bracket[1..=round].iter().map(Vec::len).sum::<usize>() + slot
    }

    fn place_of(&self, number: usize) -> Option<(usize, usize)> {
        let mut slot = number;
        for (round, places) in self.bracket[1..].iter().enumerate() {
            if slot < places.len() {
                return Some((round, slot));
            }
            slot -= places.len();
        }
        None
    }

    /// Opens the match of a slot when both its places are known, or passes the one entrant on.
    fn arrange(&mut self, round: usize, slot: usize) {
        let pair = (self.bracket[round][2 * slot], self.bracket[round][2 * slot + 1]);
        match pair {
            (Place::Taken(one), Place::Taken(other)) => {
                let (first, second) = (one.min(other), one.max(other));
                let number = self.number(round, slot);
                self.ledger.add(Match::new(number, round, first, second, self.settings.best_of));
            }
            (Place::Taken(entrant), Place::Empty) | (Place::Empty, Place::Taken(entrant)) => {
                self.advance(round, slot, entrant);
            }
            _ => {}
        }
    }

    fn advance(&mut self, round: usize, slot: usize, entrant: Entrant) {
        self.bracket[round + 1][slot] = Place::Taken(entrant);
        if round + 2 < self.bracket.len() {
            self.arrange(round + 1, slot / 2);
        }
    }

    /// How many games a match needs at the least from here, whatever happens. Only those are handed out, so that
    /// games played side by side are the same games as played one after the other.
    fn still_needed(&self, current: &Match) -> usize {
        let [one, other] = current.half_points();
        let finished = current.finished();
        let best_of = self.settings.best_of;
        if finished < best_of {
            let majority = best_of as u32 + 1;
            return (majority.saturating_sub(one.max(other)).div_ceil(2) as usize).min(best_of - finished);
        }
        let extra = finished - best_of;
        let left = self.settings.extra_games.saturating_sub(extra);
        match extra % 2 {
            0 if one == other => left.min(2),
            0 => 0,
            _ => left.min(1),
        }
    }
}

impl Format for Knockout {
    fn next_pairing(&mut self) -> Next {
        let ready = self.ledger.matches().find(|current| {
            let under_way = current.issued() - current.finished();
            under_way < self.still_needed(current)
        });
        if let Some(number) = ready.map(|current| current.number)
            && let Some(current) = self.ledger.find_mut(number)
        {
            return Next::Play(current.issue());
        }
        if self.winner().is_some() { Next::Finished } else { Next::Wait }
    }

    fn record(&mut self, id: GameId, outcome: Outcome) -> Result<(), RecordError> {
        let current = self.ledger.record(id, outcome)?.clone();
        let needed = self.still_needed(&current);
        if let Some(found) = self.ledger.find_mut(current.number) {
            found.planned = if needed == 0 { current.finished() } else { current.finished().max(current.planned) };
            if needed > 0 && found.planned == current.finished() {
                found.planned += needed;
            }
        }
        if needed == 0
            && let Some((round, slot)) = self.place_of(current.number)
        {
            let [one, other] = current.half_points();
            let winner = if other > one { current.second } else { current.first };
            self.advance(round, slot, winner);
        }
        Ok(())
    }

    /// A match ends as soon as it is decided, and goes on while it is not.
    fn total(&self) -> Option<usize> {
        None
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// By how far everybody came; points and seeds order those who went out in the same round.
    fn standings(&self) -> Vec<Standing> {
        let mut table = standings(&self.ledger, &[TieBreak::Wins]);
        let reached = |entrant: Entrant| {
            self.bracket.iter().rposition(|places| places.contains(&Place::Taken(entrant))).unwrap_or_default()
        };
        table.sort_by_key(|line| std::cmp::Reverse(reached(line.entrant)));
        number(&mut table);
        table
    }
}

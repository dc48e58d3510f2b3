//! The book of a tournament: who met whom and what came of it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::score::{PointSystem, Score};
use super::{Entrant, GameId, Pairing, RecordError};
use crate::statistics::Outcome;

/// One encounter: games between two entrants who take turns at moving first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Unlike any other match of the tournament.
    pub number: usize,
    /// Counted from 0.
    pub round: usize,
    /// Moves first in games 0, 2, 4, …
    pub first: Entrant,
    /// Moves first in games 1, 3, 5, …
    pub second: Entrant,
    /// How many games it takes; formats that stop early or go on lower or raise it.
    pub planned: usize,
    /// Games handed out, with their outcomes for `first` once they are known.
    outcomes: Vec<Option<Outcome>>,
}

impl Match {
    pub(super) fn new(number: usize, round: usize, first: Entrant, second: Entrant, planned: usize) -> Self {
        Self { number, round, first, second, planned, outcomes: Vec::new() }
    }

    /// Hands out the next game.
    pub(super) fn issue(&mut self) -> Pairing {
        let game = self.outcomes.len();
        self.outcomes.push(None);
        let (first, second) =
            if game.is_multiple_of(2) { (self.first, self.second) } else { (self.second, self.first) };
        Pairing { id: GameId { match_number: self.number, game }, round: self.round, first, second }
    }

    pub(super) fn issued(&self) -> usize {
        self.outcomes.len()
    }

    /// Games finished.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.known().count()
    }

    /// Whether all planned games are finished.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.finished() == self.planned
    }

    fn known(&self) -> impl Iterator<Item = Outcome> {
        self.outcomes.iter().copied().flatten()
    }

    /// Half points of games for `first` and `second`.
    #[must_use]
    pub fn half_points(&self) -> [u32; 2] {
        self.known().fold([0, 0], |[one, other], outcome| {
            [one + outcome.half_points(), other + outcome.reversed().half_points()]
        })
    }

    /// The side of this match that `entrant` plays, seen from there; `None` if it does not play.
    pub(super) fn seen_by(&self, entrant: Entrant) -> Option<Side<'_>> {
        if entrant == self.first {
            Some(Side { of: self, reversed: false })
        } else if entrant == self.second {
            Some(Side { of: self, reversed: true })
        } else {
            None
        }
    }
}

/// A match from the side of one of its players.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    of: &'a Match,
    reversed: bool,
}

impl Side<'_> {
    pub(super) fn opponent(&self) -> Entrant {
        if self.reversed { self.of.first } else { self.of.second }
    }

    pub(super) fn games(&self) -> impl Iterator<Item = Outcome> {
        let reversed = self.reversed;
        self.of.known().map(move |outcome| if reversed { outcome.reversed() } else { outcome })
    }

    /// Finished games in which this side moved first.
    pub(super) fn first_moves(&self) -> usize {
        let parity = usize::from(self.reversed);
        self.of.outcomes.iter().enumerate().filter(|(game, outcome)| game % 2 == parity && outcome.is_some()).count()
    }

    /// Who won the match, once it is complete.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let [first, second] = self.of.half_points();
        let for_first = match first.cmp(&second) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Win,
        };
        self.of.is_complete().then(|| if self.reversed { for_first.reversed() } else { for_first })
    }

    /// Points so far; those of a match only when it is complete.
    pub(super) fn points(&self, points: PointSystem) -> Score {
        if points.per_match() {
            self.outcome().map_or(Score::ZERO, |outcome| points.worth(outcome))
        } else {
            self.games().map(|outcome| points.worth(outcome)).sum()
        }
    }
}

/// A round without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bye {
    /// Who rests.
    pub entrant: Entrant,
    /// Counted from 0.
    pub round: usize,
    /// What it is worth.
    pub points: Score,
}

/// All matches and byes so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ledger {
    entrants: usize,
    points: PointSystem,
    matches: BTreeMap<usize, Match>,
    byes: Vec<Bye>,
}

impl Ledger {
    pub(super) fn new(entrants: usize, points: PointSystem) -> Self {
        Self { entrants, points, matches: BTreeMap::new(), byes: Vec::new() }
    }

    /// Everybody, in the order of entry.
    pub fn entrants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.entrants).map(Entrant)
    }

    /// How results are valued.
    #[must_use]
    pub fn point_system(&self) -> PointSystem {
        self.points
    }

    /// All matches known so far, by number.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.matches.values()
    }

    /// Byes given so far.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The match with this number.
    #[must_use]
    pub fn find(&self, number: usize) -> Option<&Match> {
        self.matches.get(&number)
    }

    pub(super) fn find_mut(&mut self, number: usize) -> Option<&mut Match> {
        self.matches.get_mut(&number)
    }

    pub(super) fn add(&mut self, new: Match) {
        self.matches.insert(new.number, new);
    }

    pub(super) fn give_bye(&mut self, bye: Bye) {
        self.byes.push(bye);
    }

    /// Enters the outcome for the entrant that moved first in that game.
    pub(super) fn record(&mut self, id: GameId, outcome: Outcome) -> Result<&mut Match, RecordError> {
        let found = self.matches.get_mut(&id.match_number).ok_or(RecordError::Unknown(id))?;
        let slot = found.outcomes.get_mut(id.game).ok_or(RecordError::Unknown(id))?;
        if slot.is_some() {
            return Err(RecordError::Twice(id));
        }
        *slot = Some(if id.game.is_multiple_of(2) { outcome } else { outcome.reversed() });
        Ok(found)
    }

    pub(super) fn sides(&self, entrant: Entrant) -> impl Iterator<Item = Side<'_>> {
        self.matches.values().filter_map(move |known| known.seen_by(entrant))
    }

    /// Everybody's points, by entrant.
    #[must_use]
    pub fn scores(&self) -> Vec<Score> {
        let mut scores = vec![Score::ZERO; self.entrants];
        for known in self.matches.values() {
            for entrant in [known.first, known.second] {
                if let Some(side) = known.seen_by(entrant) {
                    scores[entrant.0] += side.points(self.points);
                }
            }
        }
        for bye in &self.byes {
            scores[bye.entrant.0] += bye.points;
        }
        scores
    }
}

//! The table of a tournament, with every tie-break as a column.

use serde::{Deserialize, Serialize};

use super::Entrant;
use super::ledger::Ledger;
use super::score::Score;
use crate::statistics::Outcome;

/// What separates entrants with equal points. Whatever is left equal follows the order of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The sum of the opponents' points.
    Buchholz,
    /// Buchholz without the best and the worst opponent.
    MedianBuchholz,
    /// The points of beaten opponents and half of those drawn with.
    SonnebornBerger,
    /// Points in the matches among those still equal.
    DirectEncounter,
    /// Games won.
    Wins,
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// From 1.
    pub rank: usize,
    /// Who.
    pub entrant: Entrant,
    /// By the tournament's point system, byes included.
    pub points: Score,
    /// Games finished.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Finished games in which it moved first.
    pub first_moves: u32,
    /// Rounds without an opponent.
    pub byes: u32,
    /// See [`TieBreak::Buchholz`]. A bye counts as an opponent with the entrant's own points.
    pub buchholz: Score,
    /// See [`TieBreak::MedianBuchholz`].
    pub median_buchholz: Score,
    /// See [`TieBreak::SonnebornBerger`]: for each game, or each match if points are given for matches. A bye counts
    /// as a win over an opponent with the entrant's own points.
    pub sonneborn_berger: f64,
    /// See [`TieBreak::DirectEncounter`]; 0 where nobody was equal so far.
    pub direct_encounter: Score,
}

/// The table of a ledger, best first.
#[must_use]
pub fn standings(ledger: &Ledger, tie_breaks: &[TieBreak]) -> Vec<Standing> {
    let scores = ledger.scores();
    let lines: Vec<Standing> = ledger.entrants().map(|entrant| line(ledger, &scores, entrant)).collect();
    let mut groups = split(vec![lines], |line| f64::from(line.points));
    for tie_break in tie_breaks {
        if *tie_break == TieBreak::DirectEncounter {
            groups.iter_mut().filter(|group| group.len() > 1).for_each(|group| meet_directly(ledger, group));
        }
        groups = split(groups, |line| match tie_break {
            TieBreak::Buchholz => line.buchholz.into(),
            TieBreak::MedianBuchholz => line.median_buchholz.into(),
            TieBreak::SonnebornBerger => line.sonneborn_berger,
            TieBreak::DirectEncounter => line.direct_encounter.into(),
            TieBreak::Wins => line.wins.into(),
        });
    }
    let mut table: Vec<Standing> = groups.into_iter().flatten().collect();
    number(&mut table);
    table
}

/// Ranks lines in the order they are in.
pub(super) fn number(table: &mut [Standing]) {
    table.iter_mut().enumerate().for_each(|(index, line)| line.rank = index + 1);
}

/// Splits groups of equals by a key, the greatest first; a stable sort keeps the order of entry among the rest.
fn split(groups: Vec<Vec<Standing>>, key: impl Fn(&Standing) -> f64) -> Vec<Vec<Standing>> {
    let mut result: Vec<Vec<Standing>> = Vec::new();
    for mut group in groups {
        group.sort_by(|one, other| key(other).total_cmp(&key(one)));
        let mut previous = None;
        for line in group {
            let value = key(&line);
            match result.last_mut() {
                Some(equals) if previous == Some(value) => equals.push(line),
                _ => result.push(vec![line]),
            }
            previous = Some(value);
        }
    }
    result
}

fn meet_directly(ledger: &Ledger, group: &mut [Standing]) {
    let members: Vec<Entrant> = group.iter().map(|line| line.entrant).collect();
    for line in group {
        let inside = ledger.sides(line.entrant).filter(|side| members.contains(&side.opponent()));
        line.direct_encounter = inside.map(|side| side.points(ledger.point_system())).sum();
    }
}

fn line(ledger: &Ledger, scores: &[Score], entrant: Entrant) -> Standing {
    let own = scores[entrant.0];
    let byes = ledger.byes().iter().filter(|bye| bye.entrant == entrant).count();
    let mut counts = [0; 3];
    let mut first_moves = 0;
    let mut opponents = vec![own; byes];
    // Half points of results times half points of opponents: quarters of a point.
    let mut quarters = 2 * byes as u32 * own.half_points();
    for side in ledger.sides(entrant) {
        let opponent = scores[side.opponent().0];
        side.games().for_each(|outcome| counts[outcome.half_points() as usize] += 1);
        first_moves += side.first_moves() as u32;
        if side.outcome().is_some() {
            opponents.push(opponent);
        }
        let made: u32 = if ledger.point_system().per_match() {
            side.outcome().map_or(0, Outcome::half_points)
        } else {
            side.games().map(Outcome::half_points).sum()
        };
        quarters += made * opponent.half_points();
    }
    opponents.sort_unstable();
    let median = opponents.get(1..opponents.len().saturating_sub(1)).unwrap_or_default();
    let [losses, draws, wins] = counts;
    Standing {
        rank: 0,
        entrant,
        points: own,
        games: losses + draws + wins,
        wins,
        draws,
        losses,
        first_moves,
        byes: byes as u32,
        buchholz: opponents.iter().copied().sum(),
        median_buchholz: median.iter().copied().sum(),
        sonneborn_berger: f64::from(quarters) / 4.0,
        direct_encounter: Score::ZERO,
    }
}

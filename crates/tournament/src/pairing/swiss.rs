//! Swiss: in every round everybody meets somebody new with about the same points.
//!
//! The rules, the most important first:
//!
//! 1. Nobody meets the same opponent twice.
//! 2. Nobody moves first two matches more often than second, nor second than first, beyond a difference of two (when
//!    matches have an odd number of games; with an even number both sides are played equally anyway).
//! 3. With an odd number of entrants the lowest placed who has not rested yet rests, if the others can then be paired.
//! 4. Nobody moves first, or second, three matches in a row.
//! 5. Opponents come from the same score group, or from groups as near as possible.
//! 6. Who moves first is balanced and alternates.
//! 7. Nobody is moved out of its score group in the same direction in two rounds running.
//! 8. The upper half of a group meets its lower half in order; who leaves a group is its lowest, and meets the
//!    highest of the next.
//!
//! The first three are laws. Every round is the cheapest perfect matching of everybody under them, each rule outweighing
//! all that follow, so a round that can be paired is. By Dirac's theorem the first rule alone can always be kept for
//! half as many rounds as there are entrants; a longer tournament can paint itself into a corner, and then gives up
//! the second law before the first, and says so.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ledger::{Bye, Ledger, Match};
use super::matching::cheapest_perfect_matching;
use super::score::{PointSystem, Score};
use super::standings::{Standing, TieBreak, standings};
use super::{Entrant, Format, FormatError, GameId, Next, RecordError, check_common};
use crate::statistics::Outcome;

const TIE_BREAKS: [TieBreak; 5] = [
    TieBreak::Buchholz,
    TieBreak::MedianBuchholz,
    TieBreak::SonnebornBerger,
    TieBreak::DirectEncounter,
    TieBreak::Wins,
];

/// How a Swiss tournament is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwissSettings {
    /// How many; the order of entry is the first ranking.
    pub entrants: usize,
    /// How many rounds.
    pub rounds: usize,
    /// Games in each match.
    pub games: usize,
    /// What results are worth.
    pub points: PointSystem,
    /// Draws lots for who moves first where nothing else decides.
    pub seed: u64,
}

/// A law that a round could not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relaxation {
    /// Somebody had to move first, or second, too often.
    Balance,
    /// Somebody had to meet an opponent again.
    Rematch,
}

/// A Swiss tournament.
#[derive(Debug, Clone)]
pub struct Swiss {
    settings: SwissSettings,
    ledger: Ledger,
    players: Vec<Player>,
    /// Rounds paired so far.
    round: usize,
    /// Numbers of the current round's matches.
    current: std::ops::Range<usize>,
    relaxations: Vec<(usize, Relaxation)>,
}

/// What the pairing of a round must know of the rounds before.
#[derive(Debug, Clone, Default)]
struct Player {
    met: BTreeSet<usize>,
    /// For each match, whether it moved first.
    moved_first: Vec<bool>,
    rested: bool,
    /// In the last round: paired with somebody of fewer points, or of more.
    floated: Option<Float>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Float {
    Down,
    Up,
}

impl Player {
    /// Matches in which it moved first less those in which it moved second.
    fn balance(&self) -> i32 {
        self.moved_first.iter().map(|&first| if first { 1 } else { -1 }).sum()
    }

    fn moved_so_twice(&self, first: bool) -> bool {
        self.moved_first.len() >= 2 && self.moved_first.iter().rev().take(2).all(|&before| before == first)
    }

    fn moved_so_last(&self, first: bool) -> bool {
        self.moved_first.last() == Some(&first)
    }
}

/// What a way of seating two players costs, by the rules about who moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SeatCost {
    unbalanced: i128,
    thrice: i128,
    uneven: i128,
}

impl SeatCost {
    fn of(first: &Player, second: &Player, counts: bool) -> Self {
        const MOST: i32 = 2;
        let after = [first.balance() + 1, second.balance() - 1];
        let unbalanced = after.iter().filter(|balance| balance.abs() > MOST).count() as i128;
        let thrice = i128::from(first.moved_so_twice(true)) + i128::from(second.moved_so_twice(false));
        let repeated = i128::from(first.moved_so_last(true)) + i128::from(second.moved_so_last(false));
        let squares = after.iter().map(|balance| i128::from(balance * balance)).sum::<i128>();
        let relevant = i128::from(counts);
        Self { unbalanced: relevant * unbalanced, thrice: relevant * thrice, uneven: 2 * squares + repeated }
    }
}

/// Where somebody stands when a round is paired.
#[derive(Debug, Clone, Copy)]
struct Standpoint {
    player: usize,
    /// Which score group, the best being 0.
    group: usize,
    /// Place in the group, and the group's size.
    place: usize,
    size: usize,
}

/// How many costs, the weightiest first, an edge has.
const RULES: usize = 7;

impl Swiss {
    /// A tournament with nothing played.
    pub fn new(settings: SwissSettings) -> Result<Self, FormatError> {
        let SwissSettings { entrants, rounds, games, points, .. } = settings;
        check_common(entrants, &[("rounds", rounds), ("games", games)])?;
        let most = if entrants.is_multiple_of(2) { entrants - 1 } else { entrants };
        if rounds > most {
            return Err(FormatError::TooManyRounds { entrants, rounds, most });
        }
        Ok(Self {
            settings,
            ledger: Ledger::new(entrants, points),
            players: vec![Player::default(); entrants],
            round: 0,
            current: 0..0,
            relaxations: Vec::new(),
        })
    }

    /// The laws that rounds (from 0) could not keep; empty as long as every round had a valid pairing.
    #[must_use]
    pub fn relaxations(&self) -> &[(usize, Relaxation)] {
        &self.relaxations
    }

    /// Everybody by points, then by entry.
    fn ranking(&self, scores: &[Score]) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.settings.entrants).collect();
        ranking.sort_by_key(|&player| std::cmp::Reverse(scores[player]));
        ranking
    }

    fn pair_round(&mut self) {
        let scores = self.ledger.scores();
        let ranking = self.ranking(&scores);
        for relaxation in [None, Some(Relaxation::Balance), Some(Relaxation::Rematch)] {
            for resting in self.candidates_to_rest(&ranking) {
                let playing: Vec<usize> = ranking.iter().copied().filter(|&player| Some(player) != resting).collect();
                let standpoints = standpoints(&playing, &scores);
                if let Some(partners) = self.match_up(&standpoints, relaxation) {
                    self.relaxations.extend(relaxation.map(|relaxation| (self.round, relaxation)));
                    self.open_round(&standpoints, &partners, resting);
                    return;
                }
            }
        }
    }

    /// Who may rest, the lowest first; nobody among an even number.
    fn candidates_to_rest(&self, ranking: &[usize]) -> Vec<Option<usize>> {
        if ranking.len().is_multiple_of(2) {
            return vec![None];
        }
        ranking.iter().rev().copied().filter(|&player| !self.players[player].rested).map(Some).collect()
    }

    /// The best partners under the laws left standing.
    fn match_up(&self, standpoints: &[Standpoint], relaxation: Option<Relaxation>) -> Option<Vec<usize>> {
        let length = standpoints.len();
        let mut edges = vec![None; length * length];
        let mut greatest = [0; RULES];
        for one in 0..length {
            for other in one + 1..length {
                let costs = self.costs(standpoints[one], standpoints[other]);
                let [rematch, unbalanced, ..] = costs;
                let allowed = match relaxation {
                    None => rematch == 0 && unbalanced == 0,
                    Some(Relaxation::Balance) => rematch == 0,
                    Some(Relaxation::Rematch) => true,
                };
                if allowed {
                    greatest.iter_mut().zip(costs).for_each(|(greatest, cost)| *greatest = cost.max(*greatest));
                    edges[one * length + other] = Some(costs);
                }
            }
        }
        // Each rule weighs more than all that follow could cost together.
        let mut weights = [1; RULES];
        for rule in (1..RULES).rev() {
            weights[rule - 1] = weights[rule] * (greatest[rule] * length as i128 + 1);
        }
        cheapest_perfect_matching(length, |one, other| {
            let costs: [i128; RULES] = edges[one.min(other) * length + one.max(other)]?;
            Some(costs.iter().zip(weights).map(|(cost, weight)| cost * weight).sum())
        })
    }

    /// What a pairing costs under each rule, `upper` being ranked higher.
    fn costs(&self, upper: Standpoint, lower: Standpoint) -> [i128; RULES] {
        let (one, other) = (&self.players[upper.player], &self.players[lower.player]);
        let seats = self.seat_cost(one, other).min(self.seat_cost(other, one));
        let apart = (lower.group - upper.group) as i128;
        let floated_again = i128::from(one.floated == Some(Float::Down)) + i128::from(other.floated == Some(Float::Up));
        let out_of_order = if apart == 0 {
            let ideal = (upper.size / 2) as i128;
            ((lower.place - upper.place) as i128 - ideal).pow(2)
        } else {
            ((upper.size - 1 - upper.place) as i128).pow(2) + (lower.place as i128).pow(2)
        };
        [
            i128::from(one.met.contains(&lower.player)),
            seats.unbalanced,
            seats.thrice,
            apart * apart,
            seats.uneven,
            if apart == 0 { 0 } else { floated_again },
            out_of_order,
        ]
    }

    fn seat_cost(&self, first: &Player, second: &Player) -> SeatCost {
        SeatCost::of(first, second, !self.settings.games.is_multiple_of(2))
    }

    fn open_round(&mut self, standpoints: &[Standpoint], partners: &[usize], resting: Option<usize>) {
        let lot = lot(self.settings.seed, self.round);
        let start = self.current.end;
        let mut number = start;
        for (index, &upper) in standpoints.iter().enumerate() {
            let Some(&lower) = standpoints.get(partners[index]).filter(|_| partners[index] > index) else { continue };
            let (one, other) = (&self.players[upper.player], &self.players[lower.player]);
            let upper_first = match self.seat_cost(one, other).cmp(&self.seat_cost(other, one)) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                // From board to board the higher ranked takes turns at moving first.
                std::cmp::Ordering::Equal => (number - start).is_multiple_of(2) == lot,
            };
            let (first, second) = if upper_first { (upper, lower) } else { (lower, upper) };
            for (here, there, moves_first) in [(first, second, true), (second, first, false)] {
                let player = &mut self.players[here.player];
                player.met.insert(there.player);
                player.moved_first.push(moves_first);
                player.floated = match here.group.cmp(&there.group) {
                    std::cmp::Ordering::Less => Some(Float::Down),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(Float::Up),
                };
            }
            let (first, second) = (Entrant(first.player), Entrant(second.player));
            self.ledger.add(Match::new(number, self.round, first, second, self.settings.games));
            number += 1;
        }
        if let Some(player) = resting {
            self.players[player].rested = true;
            // A point without a game is a float downwards, as in the FIDE rules.
            self.players[player].floated = Some(Float::Down);
            let points = self.settings.points.bye(self.settings.games as u32);
            self.ledger.give_bye(Bye { entrant: Entrant(player), round: self.round, points });
        }
        self.current = start..number;
        self.round += 1;
    }
}

/// Groups players, given by rank, by their points.
fn standpoints(playing: &[usize], scores: &[Score]) -> Vec<Standpoint> {
    let same_points = |one: &usize, other: &usize| scores[*one] == scores[*other];
    let groups = playing.chunk_by(same_points).enumerate();
    let members = groups.flat_map(|(group, members)| {
        let of_group = move |(place, &player)| Standpoint { player, group, place, size: members.len() };
        members.iter().enumerate().map(of_group)
    });
    members.collect()
}

/// One lot for each round, by SplitMix64: written out so that no new version of a dependency changes a schedule.
fn lot(seed: u64, round: usize) -> bool {
    let mut state = seed.wrapping_add((round as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state ^ (state >> 31)) & 1 == 1
}

impl Format for Swiss {
    fn next_pairing(&mut self) -> Next {
        loop {
            for number in self.current.clone() {
                if let Some(current) = self.ledger.find_mut(number)
                    && current.issued() < current.planned
                {
                    return Next::Play(current.issue());
                }
            }
            let complete = |number: usize| self.ledger.find(number).is_none_or(Match::is_complete);
            if !self.current.clone().all(complete) {
                return Next::Wait;
            }
            if self.round == self.settings.rounds {
                return Next::Finished;
            }
            self.pair_round();
        }
    }

    fn record(&mut self, id: GameId, outcome: Outcome) -> Result<(), RecordError> {
        self.ledger.record(id, outcome).map(drop)
    }

    fn total(&self) -> Option<usize> {
        let SwissSettings { entrants, rounds, games, .. } = self.settings;
        Some(entrants / 2 * rounds * games)
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn standings(&self) -> Vec<Standing> {
        standings(&self.ledger, &TIE_BREAKS)
    }
}

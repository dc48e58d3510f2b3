//! The figures of a contest, gathered in one walk through its journal.

use std::collections::{BTreeMap, HashSet};

use games::Side;
use records::{Record, TimeLimits};
use serde::Serialize;

use crate::contest::result_for_black;
use crate::duel::Score;
use crate::journal::Finished;
use crate::statistics::{Hypotheses, Outcome, Sprt, SprtState};

/// A game in the list.
pub(super) struct Row {
    pub(super) number: u64,
    pub(super) entrants: [usize; 2],
    /// For the first mover; nothing when the game has no result.
    pub(super) outcome: Option<Outcome>,
    pub(super) reason: String,
    pub(super) plies: usize,
    /// Milliseconds each seat used.
    pub(super) used: [u64; 2],
}

/// The time one engine took.
#[derive(Default)]
pub(super) struct Times {
    /// How many plies took so many milliseconds.
    plies: BTreeMap<u64, u64>,
    count: u64,
    total: u64,
    /// Shares of what a ply or a whole game might have taken: their sum, number and maximum.
    shares: f64,
    shared: u64,
    largest_share: f64,
}

/// What the page says of one engine's time, in milliseconds.
#[derive(Serialize)]
pub(super) struct TimeFigures {
    plies: u64,
    total: u64,
    mean: f64,
    median: u64,
    p95: u64,
    max: u64,
    mean_share: Option<f64>,
    largest_share: Option<f64>,
    /// How many plies fell between the bounds of [`bounds`].
    bins: Vec<u64>,
}

/// The figures of a contest.
pub(super) struct Survey {
    seen: HashSet<u64>,
    pub(super) rows: Vec<Row>,
    /// Losses, draws and wins of one engine against another.
    pub(super) cross: Vec<Vec<[u64; 3]>>,
    pub(super) times: Vec<Times>,
    /// Reasons of each engine's losses.
    pub(super) losses: Vec<BTreeMap<String, u64>>,
    pub(super) void: u64,
    /// The score between two engines, and nothing between more.
    pub(super) score: Option<Score>,
    pub(super) dates: Option<(String, String)>,
    pub(super) first: Option<Record>,
}

/// Whether a game has a result.
pub(super) fn counts(finished: &Finished) -> bool {
    result_for_black(finished).is_some()
}

impl Survey {
    pub(super) fn new(entrants: usize, hypotheses: Option<Hypotheses>) -> Self {
        let sprt = hypotheses.and_then(|hypotheses| Sprt::new(hypotheses).ok());
        Self {
            seen: HashSet::new(),
            rows: Vec::new(),
            cross: vec![vec![[0; 3]; entrants]; entrants],
            times: (0..entrants).map(|_| Times::default()).collect(),
            losses: vec![BTreeMap::new(); entrants],
            void: 0,
            score: (entrants == 2).then(|| Score::tested(sprt)),
            dates: None,
            first: None,
        }
    }

    /// Takes a game in; false when it was there already or is of somebody who does not take part.
    pub(super) fn add(&mut self, finished: &Finished) -> bool {
        let entrants = [finished.black, finished.white];
        if entrants.iter().any(|entrant| *entrant >= self.times.len()) || !self.seen.insert(finished.number) {
            return false;
        }
        let record = &finished.record;
        let outcome = result_for_black(finished);
        let reason = record.verdict.as_ref().map_or_else(String::new, |verdict| verdict.reason.clone());
        match outcome {
            Some(outcome) => {
                let [black, white] = entrants;
                self.cross[black][white][outcome.half_points() as usize] += 1;
                self.cross[white][black][outcome.reversed().half_points() as usize] += 1;
                let loser = match outcome {
                    Outcome::Win => Some(white),
                    Outcome::Loss => Some(black),
                    Outcome::Draw => None,
                };
                if let Some(loser) = loser {
                    *self.losses[loser].entry(reason.clone()).or_default() += 1;
                }
            }
            None => self.void += 1,
        }
        if let Some(score) = &mut self.score {
            score.count(finished);
        }
        let mut used = [0; 2];
        for side in Side::BOTH {
            used[side.index()] = self.times[entrants[side.index()]].add(record, side);
        }
        if let Some(date) = &record.date {
            let (from, to) = self.dates.get_or_insert_with(|| (date.clone(), date.clone()));
            // RFC 3339 in one time zone sorts as text.
            if date < from {
                from.clone_from(date);
            }
            if date > to {
                to.clone_from(date);
            }
        }
        if self.first.is_none() {
            self.first = Some(Record { plies: Vec::new(), ..record.clone() });
        }
        self.rows.push(Row { number: finished.number, entrants, outcome, reason, plies: record.plies.len(), used });
        true
    }

    /// Puts games in the order of the schedule, whenever they finished.
    pub(super) fn sort(&mut self) {
        self.rows.sort_by_key(|row| row.number);
    }

    /// Whether a sequential test has ended the match before its last game.
    pub(super) fn is_decided(&self) -> bool {
        let test = self.score.as_ref().and_then(|score| score.standing().sprt);
        test.is_some_and(|(_, _, state)| state != SprtState::Continue)
    }

    /// The longest ply of all.
    pub(super) fn longest(&self) -> u64 {
        self.times.iter().filter_map(|times| times.plies.keys().next_back().copied()).max().unwrap_or_default()
    }
}

/// Where the bins of a distribution of times begin: 0, 1, 2, 5, 10, 20, 50, … milliseconds, as far as anything took.
pub(super) fn bounds(longest: u64) -> Vec<u64> {
    let series = (0..18).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)));
    let mut bounds = vec![0];
    bounds.extend(series.take_while(|bound| *bound <= longest));
    bounds
}

impl Times {
    /// Takes in one side of a game and gives the milliseconds it used.
    fn add(&mut self, record: &Record, side: Side) -> u64 {
        let limits = record.time.unwrap_or_default();
        let (mut used, mut plies) = (0, 0);
        // Nobody thought about the opening.
        for step in record.plies.iter().skip(record.opening_plies).filter(|step| step.mover == side) {
            let Some(time) = step.ms else { continue };
            *self.plies.entry(time).or_default() += 1;
            used += time;
            plies += 1;
            if let Some(limit) = limits.ply_ms {
                self.share(time, limit);
            }
        }
        self.count += plies;
        self.total += used;
        if let TimeLimits { ply_ms: None, game_ms: Some(game), increment_ms, .. } = limits {
            self.share(used, game + increment_ms.unwrap_or_default() * plies);
        }
        used
    }

    fn share(&mut self, time: u64, limit: u64) {
        let share = time as f64 / limit.max(1) as f64;
        self.shares += share;
        self.shared += 1;
        self.largest_share = self.largest_share.max(share);
    }

    /// The least time that this share of plies did not pass.
    fn quantile(&self, share: f64) -> u64 {
        let wanted = (self.count as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reached = self.plies.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        });
        reached.map_or(0, |(time, _)| *time)
    }

    /// The figures, with plies counted between these bounds.
    pub(super) fn figures(&self, bounds: &[u64]) -> TimeFigures {
        let mut bins = vec![0; bounds.len()];
        for (time, count) in &self.plies {
            let bin = bounds.partition_point(|bound| bound <= time).saturating_sub(1);
            bins[bin] += count;
        }
        TimeFigures {
            plies: self.count,
            total: self.total,
            mean: self.total as f64 / self.count.max(1) as f64,
            median: self.quantile(0.5),
            p95: self.quantile(0.95),
            max: self.plies.keys().next_back().copied().unwrap_or_default(),
            mean_share: (self.shared > 0).then(|| self.shares / self.shared as f64),
            largest_share: (self.shared > 0).then_some(self.largest_share),
            bins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::RecordedPly;

    fn record(times: &[u64], opening_plies: usize) -> Record {
        let ply = |(index, ms): (usize, &u64)| RecordedPly {
            mover: if index % 2 == 0 { Side::Black } else { Side::White },
            ply: String::new(),
            end: records::PlyEnd::Played,
            ms: Some(*ms),
            stall_ms: None,
        };
        Record {
            plies: times.iter().enumerate().map(ply).collect(),
            opening_plies,
            time: Some(TimeLimits { ply_ms: Some(100), ..TimeLimits::default() }),
            ..Record::new("nogo", serde_json::Value::Null)
        }
    }

    #[test]
    fn times_leave_the_opening_out() {
        let mut times = Times::default();
        // Black's own plies after the opening: 10, 20, 90.
        assert_eq!(times.add(&record(&[0, 0, 10, 7, 20, 7, 90], 2), Side::Black), 120);
        let figures = times.figures(&bounds(90));
        assert_eq!((figures.plies, figures.median, figures.p95, figures.max), (3, 20, 90, 90));
        assert!((figures.mean - 40.0).abs() < 1e-9);
        assert!((figures.mean_share.unwrap() - 0.4).abs() < 1e-9);
        assert_eq!(figures.largest_share, Some(0.9));
        // 0, 1, 2, 5, 10, 20, 50
        assert_eq!(figures.bins, [0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_whole_game_is_compared_with_its_clock() {
        let mut times = Times::default();
        let limits = TimeLimits { game_ms: Some(900), increment_ms: Some(50), ..TimeLimits::default() };
        times.add(&Record { time: Some(limits), ..record(&[300, 0, 200], 0) }, Side::Black);
        assert_eq!(times.figures(&[0]).largest_share, Some(0.5));
    }

    #[test]
    fn bounds_reach_as_far_as_anything_took() {
        assert_eq!(bounds(0), [0]);
        assert_eq!(bounds(7), [0, 1, 2, 5]);
        assert_eq!(bounds(1000).last(), Some(&1000));
    }
}

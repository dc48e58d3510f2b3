//! A match of two: A against B, colours swapped in pairs over the same opening.

use std::collections::HashMap;

use serde::Serialize;

use crate::contest::{Job, result_for_black};
use crate::journal::Finished;
use crate::statistics::{
    Estimate, Outcome, Pentanomial, Sprt, SprtState, Tally as _, Trinomial, elo, likelihood_of_superiority,
    normalized_elo,
};

/// The jobs of a match: A is entrant 0, B entrant 1; game 2k has A on the first seat, game 2k+1 has B there.
pub fn jobs(games: u64) -> impl Iterator<Item = Job> + Send {
    (0..games).map(|number| {
        let a_first = number.is_multiple_of(2);
        Job { number, black: usize::from(!a_first), white: usize::from(a_first), opening: number / 2 }
    })
}

/// The score of a match while it is played, seen from A.
#[derive(Debug, Default)]
pub struct Score {
    /// Single games.
    pub games: Trinomial,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Games without a result.
    pub void: u64,
    /// Pairs of which one game is finished.
    open: HashMap<u64, Outcome>,
    sprt: Option<Sprt>,
}

/// What is known of a match at one moment.
#[derive(Debug, Clone, Serialize)]
pub struct Standing {
    /// Games finished.
    pub games: u64,
    /// A's losses, draws and wins.
    pub results: Trinomial,
    /// Pairs.
    pub pairs: Pentanomial,
    /// Games without a result.
    pub void: u64,
    /// Elo of A over B, from pairs where there are any.
    pub elo: Option<Estimate>,
    /// Normalized Elo.
    pub normalized_elo: Option<Estimate>,
    /// How likely A is the stronger one.
    pub likelihood_of_superiority: Option<f64>,
    /// The sequential test's log-likelihood ratio, its bounds and its state.
    pub sprt: Option<(f64, (f64, f64), SprtState)>,
}

impl Score {
    /// A score that is tested as it grows.
    #[must_use]
    pub fn tested(sprt: Option<Sprt>) -> Self {
        Self { sprt, ..Self::default() }
    }

    /// Counts a game; true when the test has decided.
    pub fn count(&mut self, finished: &Finished) -> bool {
        let Some(result) = result_for_black(finished) else {
            self.void += 1;
            return false;
        };
        let for_a = if finished.black == 0 { result } else { result.reversed() };
        self.games.record(for_a);
        if let Some(other) = self.open.remove(&(finished.number / 2)) {
            self.pairs.record(for_a, other);
            if let Some(sprt) = &mut self.sprt {
                return sprt.update(&self.pairs) != SprtState::Continue;
            }
        } else {
            self.open.insert(finished.number / 2, for_a);
        }
        false
    }

    /// What is known now.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let paired = self.pairs.units() > 0;
        Standing {
            games: self.games.games() + self.void,
            results: self.games,
            pairs: self.pairs,
            void: self.void,
            elo: if paired { elo(&self.pairs) } else { elo(&self.games) },
            normalized_elo: if paired { normalized_elo(&self.pairs) } else { normalized_elo(&self.games) },
            likelihood_of_superiority: if paired {
                likelihood_of_superiority(&self.pairs)
            } else {
                likelihood_of_superiority(&self.games)
            },
            sprt: self.sprt.as_ref().map(|sprt| (sprt.ratio(), sprt.bounds(), sprt.state())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Side;
    use records::{Record, RecordedVerdict};

    fn finished(number: u64, winner: Option<Side>, counts: bool) -> Finished {
        let job = jobs(number + 1).last().unwrap();
        let verdict =
            RecordedVerdict { winner, reason: "line".to_owned(), ply: 1, counts, evidence: serde_json::Value::Null };
        let record = Record { verdict: Some(verdict), ..Record::new("nogo", serde_json::Value::Null) };
        Finished { number, black: job.black, white: job.white, record }
    }

    #[test]
    fn colours_are_swapped_over_one_opening() {
        let jobs: Vec<Job> = jobs(4).collect();
        assert_eq!(
            jobs.iter().map(|job| (job.black, job.white, job.opening)).collect::<Vec<_>>(),
            [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]
        );
    }

    #[test]
    fn pairs_are_counted_whatever_order_they_finish_in() {
        let mut score = Score::default();
        // Pair 0: A wins with both colours. Pair 1: one win each. Pair 2: only one game is finished, one is void.
        for game in [
            finished(3, Some(Side::Black), true),
            finished(1, Some(Side::White), true),
            finished(0, Some(Side::Black), true),
            finished(2, Some(Side::Black), true),
            finished(4, None, true),
            finished(5, None, false),
        ] {
            score.count(&game);
        }
        assert_eq!(score.games, Trinomial([1, 1, 3]));
        assert_eq!(score.pairs, Pentanomial([0, 0, 1, 0, 1]));
        assert_eq!((score.void, score.standing().games), (1, 6));
    }
}

//! A match of two: A against B, colours swapped in pairs over the same opening.

use std::collections::HashMap;

use serde::Serialize;

use crate::conduct::Conducts;
use crate::contest::{Job, result_for_black};
use crate::distinct::{Fingerprint, Seen, Unmeasured};
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
    /// How A and B behaved.
    pub conducts: Conducts,
    seen: Seen,
    /// Games and pairs that are unlike all before them.
    distinct_games: Trinomial,
    distinct_pairs: Pentanomial,
    /// Pairs of which one game is finished.
    open: HashMap<u64, (Outcome, Fingerprint)>,
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
    /// Games with a result that are unlike all before them.
    pub distinct_games: u64,
    /// Pairs of games likewise; what follows is computed from them, or from distinct games before the first pair.
    pub distinct_pairs: Pentanomial,
    /// Elo of A over B.
    pub elo: Option<Estimate>,
    /// Why there is none.
    pub not_measured: Option<Unmeasured>,
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
        self.conducts.count(finished);
        let Some(result) = result_for_black(finished) else {
            self.void += 1;
            return false;
        };
        let for_a = if finished.black == 0 { result } else { result.reversed() };
        self.games.record(for_a);
        let fingerprint = Fingerprint::of(finished);
        if self.seen.game(fingerprint) {
            self.distinct_games.record(for_a);
        }
        let Some((other, its_fingerprint)) = self.open.remove(&(finished.number / 2)) else {
            self.open.insert(finished.number / 2, (for_a, fingerprint));
            return false;
        };
        self.pairs.record(for_a, other);
        let mut fingerprints = [fingerprint, its_fingerprint];
        // Whichever of the two was finished first.
        fingerprints.sort_unstable();
        if self.seen.pair(fingerprints) {
            self.distinct_pairs.record(for_a, other);
            if let Some(sprt) = &mut self.sprt {
                return sprt.update(&self.distinct_pairs) != SprtState::Continue;
            }
        }
        false
    }

    /// What is known now.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let (pairs, games) = (&self.distinct_pairs, &self.distinct_games);
        let paired = pairs.units() > 0;
        let not_measured = if paired { Unmeasured::of(pairs) } else { Unmeasured::of(games) };
        let measured = |estimate: Option<Estimate>| estimate.filter(|_| not_measured.is_none());
        Standing {
            games: self.games.games() + self.void,
            results: self.games,
            pairs: self.pairs,
            void: self.void,
            distinct_games: games.games(),
            distinct_pairs: *pairs,
            elo: measured(if paired { elo(pairs) } else { elo(games) }),
            not_measured,
            normalized_elo: measured(if paired { normalized_elo(pairs) } else { normalized_elo(games) })
                .filter(|estimate| estimate.value.is_finite()),
            likelihood_of_superiority: if paired {
                likelihood_of_superiority(pairs)
            } else {
                likelihood_of_superiority(games)
            },
            sprt: self.sprt.as_ref().map(|sprt| (sprt.ratio(), sprt.bounds(), sprt.state())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Hypotheses, Model};
    use games::Side;
    use records::{Record, RecordedVerdict};

    fn finished(number: u64, winner: Option<Side>, counts: bool) -> Finished {
        let job = jobs(number + 1).last().unwrap();
        let verdict =
            RecordedVerdict { winner, reason: "line".to_owned(), ply: 1, counts, evidence: serde_json::Value::Null };
        let record = Record { verdict: Some(verdict), ..Record::new("nogo", serde_json::Value::Null) };
        // A game of its own.
        let record = Record { position: Some(format!("opening {}", number / 2)), ..record };
        Finished { number, black: job.black, white: job.white, record }
    }

    /// The same as another game, under another number.
    fn repeated(number: u64, of: &Finished) -> Finished {
        assert_eq!(number % 2, of.number % 2, "the same side");
        Finished { number, ..of.clone() }
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
    /// Ten pairs that are one: they tell what one tells, and the test does not move.
    #[test]
    fn a_pair_that_repeats_counts_once_in_whatever_is_estimated() {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 5.0);
        let mut score = Score::tested(Some(Sprt::new(hypotheses).unwrap()));
        let first = [finished(0, Some(Side::Black), true), finished(1, Some(Side::Black), true)];
        let other = [finished(2, Some(Side::Black), true), finished(3, Some(Side::White), true)];
        for game in first.iter().chain(&other) {
            score.count(game);
        }
        let before = score.standing();
        for pair in 2..500 {
            // Finished in either order.
            let games = [repeated(2 * pair, &first[0]), repeated(2 * pair + 1, &first[1])];
            assert!(!score.count(&games[pair as usize % 2]));
            assert!(!score.count(&games[1 - pair as usize % 2]));
        }
        let now = score.standing();
        assert_eq!((now.games, now.distinct_games), (1000, 4));
        assert_eq!((now.pairs.0, now.distinct_pairs.0), ([0, 0, 499, 0, 1], [0, 0, 1, 0, 1]));
        assert_eq!((before.elo, before.sprt), (now.elo, now.sprt));
        assert_eq!(before.likelihood_of_superiority, now.likelihood_of_superiority);
        // One new game makes a pair a new one.
        score.count(&repeated(1000, &first[0]));
        score.count(&finished(1001, Some(Side::Black), true));
        assert_eq!(score.standing().distinct_pairs.0, [0, 0, 2, 0, 1]);
    }

    #[test]
    fn who_won_everything_is_not_measured() {
        let mut score = Score::default();
        for number in 0..20 {
            let winner = if number % 2 == 0 { Side::Black } else { Side::White };
            score.count(&finished(number, Some(winner), true));
        }
        let standing = score.standing();
        assert_eq!((standing.elo, standing.normalized_elo), (None, None));
        assert_eq!(standing.not_measured, Some(Unmeasured::WonAll));
        let json = serde_json::to_value(&standing).unwrap();
        assert_eq!((&json["elo"], &json["not_measured"]), (&serde_json::Value::Null, &"won-all".into()));
        assert_eq!(Score::default().standing().not_measured, Some(Unmeasured::NoGame));
    }
}

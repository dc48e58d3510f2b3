//! The sequential probability ratio test: stop a match as soon as the results have decided.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::counts::Tally;
use super::elo::{NORMALIZED_ELO_PER_SIGMA, expected_score};
use super::likelihood::Distribution;

/// On which scale the two hypotheses are stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Normalized Elo: the length of a test does not depend on how many games are drawn.
    Normalized,
    /// Logistic Elo.
    Logistic,
}

impl Model {
    /// The largest hypothesis, in Elo either way. Beyond it the iteration for normalized Elo may have no start, and
    /// no match needs a sequential test.
    #[must_use]
    pub fn limit(self) -> f64 {
        match self {
            Self::Normalized => 200.0,
            Self::Logistic => 1000.0,
        }
    }
}

/// What is wrong with a test that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are equal, reversed or not numbers.
    #[error("the second hypothesis must be a larger Elo than the first; given {elo0} and {elo1}")]
    Order {
        /// The first hypothesis.
        elo0: f64,
        /// The second hypothesis.
        elo1: f64,
    },
    /// A hypothesis is too far from zero.
    #[error("a hypothesis must lie between -{limit} and {limit} Elo; given {elo}")]
    TooLarge {
        /// The hypothesis given.
        elo: f64,
        /// See [`Model::limit`].
        limit: f64,
    },
    /// An error rate is no probability below one half.
    #[error("an error rate must lie above 0 and below 0.5; given {0}")]
    ErrorRate(f64),
}

/// A test: which strengths to tell apart, and how rarely to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypotheses {
    /// The scale of both.
    pub model: Model,
    /// H0: the difference is this or less.
    pub elo0: f64,
    /// H1: the difference is this or more.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 holds.
    pub beta: f64,
}

impl Hypotheses {
    /// A test with error rates of 5 %.
    #[must_use]
    pub fn new(model: Model, elo0: f64, elo1: f64) -> Self {
        Self { model, elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Says what is wrong, if anything is.
    pub fn check(&self) -> Result<(), SprtError> {
        let limit = self.model.limit();
        if self.elo0.partial_cmp(&self.elo1) != Some(std::cmp::Ordering::Less) {
            return Err(SprtError::Order { elo0: self.elo0, elo1: self.elo1 });
        }
        if let Some(&elo) = [self.elo0, self.elo1].iter().find(|elo| elo.abs() > limit) {
            return Err(SprtError::TooLarge { elo, limit });
        }
        match [self.alpha, self.beta].iter().find(|rate| !(**rate > 0.0 && **rate < 0.5)) {
            Some(&rate) => Err(SprtError::ErrorRate(rate)),
            None => Ok(()),
        }
    }

    /// Wald's bounds on the log-likelihood ratio: ln(β / (1 − α)) and ln((1 − β) / α).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }
}

/// The generalized log-likelihood ratio of H1 against H0: each hypothesis with the distribution of results that
/// explains the counts best under it. 0 without any result.
#[must_use]
pub fn log_likelihood_ratio<T: Tally>(hypotheses: &Hypotheses, tally: &T) -> f64 {
    if tally.units() == 0 {
        return 0.0;
    }
    let (observed, units) = Distribution::of_counts(tally.counts());
    let under = |elo: f64| match hypotheses.model {
        Model::Logistic => observed.with_mean(expected_score(elo)),
        // A pair's score has 1/√2 of the standard deviation of a game's, so the same advantage is √2 times as large
        // when measured in it.
        Model::Normalized => {
            observed.with_t_value(elo / NORMALIZED_ELO_PER_SIGMA * f64::from(T::GAMES_PER_UNIT).sqrt())
        }
    };
    units * observed.mean_log_ratio(&under(hypotheses.elo1), &under(hypotheses.elo0))
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtState {
    /// Not decided: play on.
    Continue,
    /// The first hypothesis.
    AcceptH0,
    /// The second hypothesis.
    AcceptH1,
}

/// A running test. The first bound reached decides it; results that come later (games already under way) are shown
/// in the ratio but do not undo the decision.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    hypotheses: Hypotheses,
    lower: f64,
    upper: f64,
    ratio: f64,
    state: SprtState,
}

impl Sprt {
    /// A test without results.
    pub fn new(hypotheses: Hypotheses) -> Result<Self, SprtError> {
        hypotheses.check()?;
        let (lower, upper) = hypotheses.bounds();
        Ok(Self { hypotheses, lower, upper, ratio: 0.0, state: SprtState::Continue })
    }

    /// Looks at all results so far.
    pub fn update<T: Tally>(&mut self, tally: &T) -> SprtState {
        self.ratio = log_likelihood_ratio(&self.hypotheses, tally);
        if self.state == SprtState::Continue {
            if self.ratio >= self.upper {
                self.state = SprtState::AcceptH1;
            } else if self.ratio <= self.lower {
                self.state = SprtState::AcceptH0;
            }
        }
        self.state
    }

    /// What is tested.
    #[must_use]
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// Whether it is decided.
    #[must_use]
    pub fn state(&self) -> SprtState {
        self.state
    }

    /// The log-likelihood ratio after the last update.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// The ratios that decide: at most the first for H0, at least the second for H1.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::{Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn mistakes_are_named() {
        let good = Hypotheses::new(Model::Normalized, 0.0, 5.0);
        assert_eq!(good.check(), Ok(()));
        let order = Hypotheses { elo1: -1.0, ..good }.check();
        assert_eq!(order, Err(SprtError::Order { elo0: 0.0, elo1: -1.0 }));
        assert!(matches!(Hypotheses { elo0: f64::NAN, ..good }.check(), Err(SprtError::Order { .. })));
        let large = Hypotheses { elo1: 300.0, ..good }.check();
        assert_eq!(large, Err(SprtError::TooLarge { elo: 300.0, limit: 200.0 }));
        assert_eq!(Hypotheses { alpha: 0.5, ..good }.check(), Err(SprtError::ErrorRate(0.5)));
        assert_eq!(Hypotheses { beta: 0.0, ..good }.check(), Err(SprtError::ErrorRate(0.0)));
    }

    #[test]
    fn a_decision_stays() {
        let mut test = Sprt::new(Hypotheses::new(Model::Logistic, 0.0, 50.0)).unwrap();
        assert_eq!(test.update(&Trinomial([10, 10, 10])), SprtState::Continue);
        assert_eq!(test.update(&Trinomial([10, 10, 80])), SprtState::AcceptH1);
        assert_eq!(test.update(&Trinomial([90, 10, 80])), SprtState::AcceptH1);
        assert!(test.ratio() < test.bounds().0, "the ratio goes on: {}", test.ratio());
    }

    #[test]
    fn the_ratio_is_a_number_for_the_strangest_counts() {
        for model in [Model::Normalized, Model::Logistic] {
            let limit = model.limit();
            for (elo0, elo1) in [(-limit, limit), (0.0, limit), (-limit, 0.0), (-1.0, 1.0)] {
                let hypotheses = Hypotheses::new(model, elo0, elo1);
                for zeros in 0_u64..31 {
                    let counts = std::array::from_fn(|index| if zeros >> index & 1 == 1 { 0 } else { 3 });
                    let ratio = log_likelihood_ratio(&hypotheses, &Pentanomial(counts));
                    assert!(ratio.is_finite(), "{hypotheses:?} {counts:?}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn nothing_played_decides_nothing() {
        let mut test = Sprt::new(Hypotheses::new(Model::Normalized, 0.0, 5.0)).unwrap();
        assert_eq!(test.update(&Pentanomial::default()), SprtState::Continue);
        assert_eq!(test.ratio(), 0.0);
    }
}

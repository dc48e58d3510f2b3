//! The rating difference of a match, and how sure we are of it.

use serde::{Deserialize, Serialize};

use super::counts::Tally;
use super::normal::{QUANTILE_95, normal_distribution};

/// Normalized Elo of one standard deviation per game, 800 / ln 10: chosen so that it equals logistic Elo for small
/// differences between engines that never draw.
pub(super) const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// A value with its 95 % interval.
///
/// A bound is infinite where the results allow no finite one, as after a match without a loss.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Estimate {
    pub(super) fn symmetric(value: f64, margin: f64) -> Self {
        Self { value, lower: value - margin, upper: value + margin }
    }

    /// Half the width of the interval: the figure after "±".
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// Whether the interval contains `truth`.
    #[must_use]
    pub fn contains(&self, truth: f64) -> bool {
        (self.lower..=self.upper).contains(&truth)
    }

    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self { value: function(self.value), lower: function(self.lower), upper: function(self.upper) }
    }
}

/// Score per unit as a fraction of the possible points.
#[derive(Debug, Clone, Copy)]
struct Moments {
    units: f64,
    mean: f64,
    variance: f64,
}

/// `None` without any result.
fn moments<T: Tally>(tally: &T) -> Option<Moments> {
    let counts = tally.counts();
    let units = tally.units() as f64;
    if units == 0.0 {
        return None;
    }
    let top = (counts.len() - 1) as f64;
    let scored = || counts.iter().enumerate().map(|(index, &count)| (index as f64 / top, count as f64));
    let mean = scored().map(|(score, count)| score * count).sum::<f64>() / units;
    let variance = scored().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / units;
    Some(Moments { units, mean, variance })
}

/// The score as a fraction of the possible points, with the normal (Wald) interval of its mean.
///
/// When every unit ended alike the sample has no variance, which would claim certainty. Then the interval is what
/// exact binomial reasoning leaves: with 97.5 % confidence other results have a probability of at most
/// 1 − 0.025^(1/n) (Clopper–Pearson, "rule of three"), and they may be as far off as the score allows.
///
/// `None` without any result.
#[must_use]
pub fn score<T: Tally>(tally: &T) -> Option<Estimate> {
    let Moments { units, mean, variance } = moments(tally)?;
    if variance == 0.0 {
        let unseen = 1.0 - 0.025_f64.powf(1.0 / units);
        return Some(Estimate { value: mean, lower: mean * (1.0 - unseen), upper: mean + (1.0 - mean) * unseen });
    }
    let margin = QUANTILE_95 * (variance / units).sqrt();
    Some(Estimate { value: mean, lower: (mean - margin).max(0.0), upper: (mean + margin).min(1.0) })
}

/// Logistic Elo difference: the score's interval, carried over to the Elo scale.
///
/// `None` without any result; infinite for a score of 0 or 1.
#[must_use]
pub fn elo<T: Tally>(tally: &T) -> Option<Estimate> {
    Some(score(tally)?.map(elo_of_score))
}

fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that a logistic Elo difference promises.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Normalized Elo (Van den Bergh): the mean advantage in standard deviations of a single game.
///
/// For pairs the standard deviation of a game is taken as √2 times that of the pair's score. The interval is the one
/// of the mean alone, 800/ln 10 · 1.96 / √games: the standard deviation is known much better than the mean for
/// engines close in strength, the only ones normalized Elo is for. Between engines 150 Elo apart it covers the truth
/// in 90 %, not 95 %.
///
/// `None` without any result; infinite when every unit ended alike and not even.
#[must_use]
pub fn normalized_elo<T: Tally>(tally: &T) -> Option<Estimate> {
    let Moments { mean, variance, .. } = moments(tally)?;
    let deviation = (f64::from(T::GAMES_PER_UNIT) * variance).sqrt();
    let margin = QUANTILE_95 * NORMALIZED_ELO_PER_SIGMA / (tally.games() as f64).sqrt();
    let advantage = mean - 0.5;
    let value = if advantage == 0.0 { 0.0 } else { advantage / deviation * NORMALIZED_ELO_PER_SIGMA };
    Some(Estimate::symmetric(value, margin))
}

/// Likelihood of superiority: the probability that the true score is above one half.
///
/// From the normal distribution of the mean; when every unit ended alike, from a uniform prior on winning a unit
/// (Laplace's rule of succession), because one win is no certainty.
///
/// `None` without any result.
#[must_use]
pub fn likelihood_of_superiority<T: Tally>(tally: &T) -> Option<f64> {
    let Moments { units, mean, variance } = moments(tally)?;
    if variance > 0.0 {
        return Some(normal_distribution((mean - 0.5) / (variance / units).sqrt()));
    }
    let doubt = 0.5_f64.powf(units + 1.0);
    Some(match mean.total_cmp(&0.5) {
        std::cmp::Ordering::Less => doubt,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 1.0 - doubt,
    })
}

#[cfg(test)]
mod tests {
    use super::super::counts::{Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn nothing_played_says_nothing() {
        assert_eq!(elo(&Trinomial::default()), None);
        assert_eq!(normalized_elo(&Pentanomial::default()), None);
        assert_eq!(likelihood_of_superiority(&Trinomial::default()), None);
    }

    #[test]
    fn a_perfect_score_is_unbounded_above_only() {
        let estimate = elo(&Trinomial([0, 0, 10])).unwrap();
        assert_eq!(estimate.value, f64::INFINITY);
        assert_eq!(estimate.upper, f64::INFINITY);
        // Clopper–Pearson: ten wins of ten leave a score of 0.6915 possible.
        assert!((expected_score(estimate.lower) - 0.691_502_892).abs() < 1e-8, "{estimate:?}");
        let los = likelihood_of_superiority(&Trinomial([0, 0, 1])).unwrap();
        assert!((los - 0.75).abs() < 1e-12, "{los}");
    }

    #[test]
    fn only_draws_are_no_certainty() {
        let few = elo(&Trinomial([0, 4, 0])).unwrap();
        let many = elo(&Trinomial([0, 400, 0])).unwrap();
        assert_eq!(few.value, 0.0);
        assert!(few.margin() > 100.0 && many.margin() < 5.0, "{few:?} {many:?}");
        assert_eq!(likelihood_of_superiority(&Trinomial([0, 4, 0])), Some(0.5));
        assert_eq!(normalized_elo(&Trinomial([0, 4, 0])).unwrap().value, 0.0);
    }

    #[test]
    fn an_interval_stays_on_the_scale() {
        let estimate = elo(&Trinomial([1, 0, 9])).unwrap();
        assert!(estimate.value.is_finite() && estimate.upper == f64::INFINITY, "{estimate:?}");
    }
}

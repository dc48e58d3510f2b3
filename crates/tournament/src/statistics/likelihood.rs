//! Maximum-likelihood distributions under a constraint: the heart of the generalized sequential test.
//!
//! Observed frequencies p̂ over the scores a₀ < … < aₖ are bent as little as the likelihood allows until a hypothesis
//! holds. For a linear constraint Σ pᵢ φᵢ = 0 the method of Lagrange gives pᵢ = p̂ᵢ / (1 + θ φᵢ) with the one θ for
//! which Σ p̂ᵢ φᵢ / (1 + θ φᵢ) = 0 (Owen's empirical likelihood).

/// Scores per unit: five for pairs of games, three for games.
const MOST: usize = 5;

/// A distribution over equally spaced scores from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distribution {
    length: usize,
    probabilities: [f64; MOST],
}

impl Distribution {
    /// Frequencies of counts; a zero count becomes 1e-3, because a logarithm is taken of it. Also gives the total.
    pub(super) fn of_counts(counts: &[u64]) -> (Self, f64) {
        const INSTEAD_OF_ZERO: f64 = 1e-3;
        debug_assert!((2..=MOST).contains(&counts.len()));
        let mut probabilities = [0.0; MOST];
        for (probability, &count) in probabilities.iter_mut().zip(counts) {
            *probability = if count == 0 { INSTEAD_OF_ZERO } else { count as f64 };
        }
        let total = probabilities.iter().sum::<f64>();
        probabilities.iter_mut().for_each(|probability| *probability /= total);
        (Self { length: counts.len(), probabilities }, total)
    }

    fn uniform(length: usize) -> Self {
        let mut probabilities = [0.0; MOST];
        probabilities[..length].fill(1.0 / length as f64);
        Self { length, probabilities }
    }

    fn probabilities(&self) -> &[f64] {
        &self.probabilities[..self.length]
    }

    fn score(&self, index: usize) -> f64 {
        index as f64 / (self.length - 1) as f64
    }

    fn mean_and_variance(&self) -> (f64, f64) {
        let scored = || self.probabilities().iter().enumerate().map(|(index, &p)| (self.score(index), p));
        let mean = scored().map(|(score, p)| score * p).sum::<f64>();
        (mean, scored().map(|(score, p)| (score - mean).powi(2) * p).sum())
    }

    /// Σ p̂ᵢ ln (oneᵢ / otherᵢ): the mean log-likelihood ratio of one unit.
    pub(super) fn mean_log_ratio(&self, one: &Self, other: &Self) -> f64 {
        let ratios = one.probabilities().iter().zip(other.probabilities()).map(|(one, other)| (one / other).ln());
        self.probabilities().iter().zip(ratios).map(|(p, ratio)| p * ratio).sum()
    }

    /// The likeliest distribution whose mean is `mean`, strictly between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> Self {
        self.constrained(|index| self.score(index) - mean)
    }

    /// The likeliest distribution whose mean lies `t` of its own standard deviations above one half.
    ///
    /// The constraint μ − ½ − t σ = 0 is not linear, so it is replaced by its linearization at the last distribution
    /// found, φᵢ = aᵢ − ½ − t σ (1 + ((aᵢ − μ) / σ)²) / 2, until nothing moves. The first point is the uniform
    /// distribution, whose standard deviation is never zero.
    pub(super) fn with_t_value(&self, t: f64) -> Self {
        const STEPS: usize = 50;
        const STILL: f64 = 1e-13;
        let mut current = Self::uniform(self.length);
        for _ in 0..STEPS {
            let (mean, variance) = current.mean_and_variance();
            let deviation = variance.sqrt();
            let next = self.constrained(|index| {
                let score = self.score(index);
                score - 0.5 - 0.5 * t * deviation * (1.0 + (score - mean).powi(2) / variance)
            });
            let moved = next.probabilities().iter().zip(current.probabilities()).map(|(a, b)| (a - b).abs());
            let moved = moved.fold(0.0, f64::max);
            current = next;
            if moved < STILL {
                break;
            }
        }
        current
    }

    fn constrained(&self, phi: impl Fn(usize) -> f64) -> Self {
        let mut values = [0.0; MOST];
        values[..self.length].iter_mut().enumerate().for_each(|(index, value)| *value = phi(index));
        let theta = multiplier(self.probabilities(), &values[..self.length]);
        let mut probabilities = self.probabilities;
        for (probability, value) in probabilities.iter_mut().zip(values) {
            *probability /= 1.0 + theta * value;
        }
        Self { length: self.length, probabilities }
    }
}

/// Solves Σ p φ / (1 + θ φ) = 0 for θ between the poles −1/max φ and −1/min φ, where the sum falls from +∞ to −∞.
///
/// Newton's steps, halving the bracket whenever one would leave it. Without a change of sign in φ no distribution
/// meets the constraint and the frequencies are left as they are; the callers' limits on hypotheses exclude it.
fn multiplier(probabilities: &[f64], phi: &[f64]) -> f64 {
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, phi) in probabilities.iter().zip(phi) {
            let quotient = phi / (1.0 + theta * phi);
            value += p * quotient;
            slope -= p * quotient * quotient;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-15 * theta.abs().max(1e-3) {
            break;
        }
    }
    theta
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn constraints_hold(
            counts in prop_oneof![
                prop::collection::vec(0_u64..2_000, 3),
                prop::collection::vec(0_u64..2_000, 5),
            ],
            mean in 0.02_f64..0.98,
            t in -0.5_f64..0.5,
        ) {
            prop_assume!(counts.iter().sum::<u64>() > 0);
            let (observed, _) = Distribution::of_counts(&counts);

            let bent = observed.with_mean(mean);
            prop_assert!((bent.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!((bent.mean_and_variance().0 - mean).abs() < 1e-6, "{bent:?}");

            let bent = observed.with_t_value(t);
            let (found, variance) = bent.mean_and_variance();
            prop_assert!((bent.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!((found - 0.5 - t * variance.sqrt()).abs() < 1e-6, "{bent:?}");
        }
    }
}

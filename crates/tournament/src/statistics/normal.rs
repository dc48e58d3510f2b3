//! The normal distribution, as far as ratings need it.

/// The 97.5 % quantile of the standard normal distribution: half the width of a 95 % interval in standard errors.
pub(super) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// The standard normal distribution function Φ.
pub(super) fn normal_distribution(x: f64) -> f64 {
    0.5 * complementary_error_function(-x / std::f64::consts::SQRT_2)
}

/// erfc, to about fourteen digits: the power series near zero and the continued fraction in the tail, because each
/// loses its digits where the other keeps them.
fn complementary_error_function(x: f64) -> f64 {
    let magnitude = x.abs();
    let upper = if magnitude < 2.5 { 1.0 - series(magnitude) } else { tail(magnitude) };
    if x < 0.0 { 2.0 - upper } else { upper }
}

/// erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)): all terms positive, so nothing cancels.
fn series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term > sum * 1e-17 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// Laplace's continued fraction x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …))), evaluated from the inside.
fn tail(x: f64) -> f64 {
    const DEPTH: u32 = 120;
    let fraction = (1..=DEPTH).rev().fold(x, |inner, step| x + f64::from(step) / 2.0 / inner);
    std::f64::consts::FRAC_2_SQRT_PI / 2.0 * (-x * x).exp() / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, expected) in [
            (0.0, 0.5),
            (QUANTILE_95, 0.975),
            (-QUANTILE_95, 0.025),
            (1.0, 0.841_344_746_068_542_9),
            (-3.0, 1.349_898_031_630_094_6e-3),
            (-6.0, 9.865_876_450_376_98e-10),
        ] {
            let found = normal_distribution(x);
            assert!((found / expected - 1.0).abs() < 1e-12, "Φ({x}) = {found}, expected {expected}");
        }
    }

    #[test]
    fn the_two_expansions_meet() {
        for x in [2.0, 2.5, 3.0] {
            assert!((1.0 - series(x) - tail(x)).abs() < 1e-14, "at {x}");
        }
    }
}

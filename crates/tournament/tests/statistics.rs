//! The reference values of shared/vectors/statistics.md, to the digits given there.

use rstest::rstest;
use tournament::statistics::{
    CrossTable, Hypotheses, Model, Pentanomial, Tally, Trinomial, elo, likelihood_of_superiority, log_likelihood_ratio,
    normalized_elo, rate,
};

fn assert_close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}

#[test]
fn bounds() {
    let (lower, upper) = Hypotheses::new(Model::Normalized, 0.0, 2.0).bounds();
    assert_close("lower bound", lower, -2.94444, 0.5e-5);
    assert_close("upper bound", upper, 2.94444, 0.5e-5);
}

#[rstest]
#[case(Model::Normalized, 0.0, 2.0, Trinomial([36027, 68692, 36433]), 0.923293)]
#[case(Model::Normalized, -1.75, 0.25, Trinomial([10650, 20431, 10871]), 2.297500)]
#[case(Model::Normalized, 0.0, 10.0, Trinomial([0, 0, 4250]), 120.548268)]
#[case(Model::Normalized, 0.0, 2.0, Pentanomial([365, 16618, 36229, 16974, 390]), 2.250368)]
#[case(Model::Normalized, -1.75, 0.25, Pentanomial([127, 4883, 10712, 5150, 104]), 3.010154)]
#[case(Model::Normalized, 0.0, 5.0, Pentanomial([0, 0, 0, 0, 5550]), 111.797555)]
#[case(Model::Logistic, 0.5, 2.5, Trinomial([21184, 40708, 21404]), -1.571889)]
#[case(Model::Logistic, 0.5, 2.5, Pentanomial([223, 9863, 21279, 10037, 246]), -3.074126)]
#[case(Model::Logistic, 0.0, 2.0, Pentanomial([871, 26175, 55983, 26678, 821]), -4.978673)]
fn ratios<T: Tally>(
    #[case] model: Model,
    #[case] elo0: f64,
    #[case] elo1: f64,
    #[case] tally: T,
    #[case] expected: f64,
) {
    let found = log_likelihood_ratio(&Hypotheses::new(model, elo0, elo1), &tally);
    assert_close("log-likelihood ratio", found, expected, 0.5e-6);
}

#[rstest]
#[case(Trinomial([89, 123, 76]), [-15.693521, 30.458001, -20.756450, 40.126026, 0.155326])]
#[case(Pentanomial([34, 54, 63, 64, 75]), [55.579780, 27.653430, 57.935600, 28.275376, 0.999970])]
#[case(Pentanomial([332, 433, 498, 333, 334]), [-8.642667, 10.334194, -9.172914, 10.960459, 0.050470])]
fn ratings_of_a_match<T: Tally>(#[case] tally: T, #[case] expected: [f64; 5]) {
    let logistic = elo(&tally).unwrap();
    let normalized = normalized_elo(&tally).unwrap();
    let los = likelihood_of_superiority(&tally).unwrap();
    let found = [logistic.value, logistic.margin(), normalized.value, normalized.margin(), los];
    for (index, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert_close(["Elo", "± Elo", "nElo", "± nElo", "LOS"][index], found, expected, 0.5e-6);
    }
}

/// 720 games between A, B, C and D: wins, draws and losses of the first mover.
fn four_engines() -> CrossTable {
    let results = [
        ((0, 1), [30, 20, 10]),
        ((1, 0), [12, 20, 28]),
        ((0, 2), [40, 10, 10]),
        ((2, 0), [8, 14, 38]),
        ((0, 3), [50, 6, 4]),
        ((3, 0), [3, 7, 50]),
        ((1, 2), [30, 18, 12]),
        ((2, 1), [20, 20, 20]),
        ((1, 3), [44, 8, 8]),
        ((3, 1), [6, 10, 44]),
        ((2, 3), [36, 12, 12]),
        ((3, 2), [14, 16, 30]),
    ];
    let mut table = CrossTable::new(4);
    for ((first, second), [wins, draws, losses]) in results {
        table.add_games(first, second, Trinomial([losses, draws, wins]));
    }
    table
}

#[test]
fn bradley_terry_without_first_move() {
    let ratings = rate(&four_engines(), false);
    for (engine, expected) in ratings.engines.iter().zip([163.25, 46.96, -30.32, -179.88]) {
        assert_close("rating", engine.value, expected, 0.005);
    }
    assert!(!ratings.prior && ratings.first_move.is_none());
}

#[test]
fn bradley_terry_with_first_move() {
    let ratings = rate(&four_engines(), true);
    for (engine, expected) in ratings.engines.iter().zip([163.60, 47.06, -30.39, -180.26]) {
        assert_close("rating", engine.value, expected, 0.005);
    }
    assert_close("first move", ratings.first_move.unwrap().value, 17.37, 0.005);
    assert_close("draw rate", ratings.draw_rate * 100.0, 27.44, 0.005);
    assert!(!ratings.prior);
}

//! Matches between engines of known strength: how often the statistics are wrong about them.
//!
//! Everything is seeded, so a failure is a defect and never bad luck.

#![expect(clippy::unwrap_used, reason = "a test stops at its first surprise")]
#![expect(clippy::print_stdout, reason = "the figures measured are worth reading")]

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tournament::statistics::{
    CrossTable, Hypotheses, Model, Outcome, Pentanomial, Sprt, SprtState, Tally, Trinomial, elo, normalized_elo, rate,
};

const RUNS: u32 = 2_000;

fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Engines whose games end by a draw-Elo model: a win beyond the one margin, a loss beyond the other. Openings favour
/// the side that moves first by `bias` or hinder it by as much.
#[derive(Clone, Copy)]
struct World {
    advantage: f64,
    draw_margin: f64,
    bias: f64,
}

impl World {
    /// Probabilities of loss, draw and win of a game over an opening worth `favour` to the engine.
    fn game(&self, favour: f64) -> [f64; 3] {
        let win = logistic(self.advantage + favour - self.draw_margin);
        let loss = logistic(-self.advantage - favour - self.draw_margin);
        [loss, 1.0 - win - loss, win]
    }

    /// Probabilities of the five results of a pair: both kinds of opening equally often, both sides played.
    fn pair(&self) -> [f64; 5] {
        let mut result = [0.0; 5];
        for bias in [self.bias, -self.bias] {
            for (one, p) in self.game(bias).into_iter().enumerate() {
                for (other, q) in self.game(-bias).into_iter().enumerate() {
                    result[one + other] += p * q / 2.0;
                }
            }
        }
        result
    }

    /// The same engines at the advantage where `measure` gives `target`.
    fn at(self, target: f64, measure: impl Fn(&Self) -> f64) -> Self {
        let (mut low, mut high) = (-500.0, 500.0);
        for _ in 0..80 {
            let middle = f64::midpoint(low, high);
            if measure(&Self { advantage: middle, ..self }) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self { advantage: low, ..self }
    }
}

fn mean_and_deviation(probabilities: &[f64]) -> (f64, f64) {
    let top = (probabilities.len() - 1) as f64;
    let scored = || probabilities.iter().enumerate().map(|(index, p)| (index as f64 / top, p));
    let mean: f64 = scored().map(|(score, p)| score * p).sum();
    let variance: f64 = scored().map(|(score, p)| (score - mean).powi(2) * p).sum();
    (mean, variance.sqrt())
}

fn true_elo(probabilities: &[f64]) -> f64 {
    let (mean, _) = mean_and_deviation(probabilities);
    400.0 * (mean / (1.0 - mean)).log10()
}

fn true_normalized_elo(probabilities: &[f64]) -> f64 {
    let (mean, deviation) = mean_and_deviation(probabilities);
    let games = if probabilities.len() == 5 { 2.0_f64 } else { 1.0 };
    (mean - 0.5) / (deviation * games.sqrt()) * 800.0 / std::f64::consts::LN_10
}

fn sample(random: &mut Xoshiro256PlusPlus, probabilities: &[f64]) -> usize {
    let mut rest: f64 = random.random();
    for (index, p) in probabilities.iter().enumerate() {
        rest -= p;
        if rest < 0.0 {
            return index;
        }
    }
    probabilities.len() - 1
}

fn outcome(index: usize) -> Outcome {
    [Outcome::Loss, Outcome::Draw, Outcome::Win][index]
}

fn assert_covers(what: &str, covered: u32, of: u32) {
    let share = f64::from(covered) / f64::from(of);
    println!("{what}: the 95 % interval covers the truth in {:.2} % of {of}", share * 100.0);
    assert!((0.93..=0.97).contains(&share), "{what}: covers {share}");
}

#[test]
fn intervals_of_games_cover_the_truth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for (advantage, draw_margin, games) in [(0.0, 100.0, 200), (40.0, 200.0, 400), (-150.0, 60.0, 300)] {
        let world = World { advantage, draw_margin, bias: 0.0 };
        let truth = world.game(0.0);
        let (mut covered, mut normalized) = (0, 0);
        for _ in 0..RUNS {
            let mut tally = Trinomial::default();
            for _ in 0..games {
                tally.record(outcome(sample(&mut random, &truth)));
            }
            covered += u32::from(elo(&tally).unwrap().contains(true_elo(&truth)));
            normalized += u32::from(normalized_elo(&tally).unwrap().contains(true_normalized_elo(&truth)));
        }
        assert_covers(&format!("Elo, {games} games at {advantage}"), covered, RUNS);
        // Its interval leaves out the uncertainty of the standard deviation, which is only small between close engines:
        // at 150 Elo it covers 90 %, as its documentation says.
        if advantage.abs() < 100.0 {
            assert_covers(&format!("normalized Elo, {games} games at {advantage}"), normalized, RUNS);
        }
    }
}

#[test]
fn intervals_of_pairs_cover_the_truth_although_openings_tie_their_games() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for (advantage, bias, pairs) in [(0.0, 0.0, 100), (30.0, 150.0, 200), (-80.0, 300.0, 200)] {
        let world = World { advantage, draw_margin: 80.0, bias };
        let truth = world.pair();
        let (mut covered, mut normalized, mut wider) = (0, 0, 0.0);
        for _ in 0..RUNS {
            let (mut tally, mut games) = (Pentanomial::default(), Trinomial::default());
            for _ in 0..pairs {
                let favour = if random.random() { bias } else { -bias };
                let one = outcome(sample(&mut random, &world.game(favour)));
                let other = outcome(sample(&mut random, &world.game(-favour)));
                tally.record(one, other);
                games.record(one);
                games.record(other);
            }
            let estimate = elo(&tally).unwrap();
            covered += u32::from(estimate.contains(true_elo(&truth)));
            normalized += u32::from(normalized_elo(&tally).unwrap().contains(true_normalized_elo(&truth)));
            wider += elo(&games).unwrap().margin() / estimate.margin() / f64::from(RUNS);
        }
        assert_covers(&format!("Elo, {pairs} pairs at {advantage}, openings ±{bias}"), covered, RUNS);
        assert_covers(&format!("normalized Elo, {pairs} pairs at {advantage}, openings ±{bias}"), normalized, RUNS);
        // This is what pairs are for: the same games counted one by one look less certain than they are.
        assert!(bias == 0.0 || wider > 1.1, "openings ±{bias}: {wider}");
    }
}

/// Bradley–Terry's own model: expected scores on its scale, draws by Davidson.
fn davidson(difference: f64, draw_rate: f64) -> [f64; 3] {
    let expected = 1.0 / (1.0 + (0.24_f64 / 0.76).powf(difference / 202.0));
    let k = (2.0 * draw_rate / (1.0 - draw_rate)).powi(2);
    let draw = |d: f64| d * d - k * (expected - d / 2.0) * (1.0 - expected - d / 2.0);
    let (mut low, mut high) = (0.0, 2.0 * expected.min(1.0 - expected));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if draw(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    [1.0 - expected - low / 2.0, low, expected - low / 2.0]
}

#[test]
fn bradley_terry_bars_cover_the_truth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let truth = [120.0, 60.0, 0.0, -30.0, -150.0];
    let (first_move, draw_rate) = (25.0, 0.3);
    let (mut covered, mut differences, mut first_moves) = (0, 0, 0);
    for _ in 0..RUNS {
        let mut table = CrossTable::new(truth.len());
        for (first, a) in truth.iter().enumerate() {
            for (second, b) in truth.iter().enumerate() {
                if first != second {
                    let mut games = Trinomial::default();
                    let game = davidson(a - b + first_move, draw_rate);
                    (0..30).for_each(|_| games.record(outcome(sample(&mut random, &game))));
                    table.add_games(first, second, games);
                }
            }
        }
        let ratings = rate(&table, true);
        covered +=
            ratings.engines.iter().zip(truth).map(|(found, truth)| u32::from(found.contains(truth))).sum::<u32>();
        differences += u32::from(ratings.difference(0, 4).unwrap().contains(truth[0] - truth[4]));
        first_moves += u32::from(ratings.first_move.unwrap().contains(first_move));
    }
    assert_covers("Bradley–Terry ratings", covered, RUNS * 5);
    assert_covers("Bradley–Terry difference", differences, RUNS);
    assert_covers("first-move advantage", first_moves, RUNS);
}

#[test]
fn bradley_terry_bars_cover_the_truth_of_pairs_over_strong_openings() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let bias = 200.0;
    let (mut covered, mut engines) = (0, 0);
    for _ in 0..RUNS {
        let mut table = CrossTable::new(3);
        // Equal engines: whatever the openings do, the truth is 0.
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            for _ in 0..60 {
                let favour = if random.random() { bias } else { -bias };
                let moving_first = outcome(sample(&mut random, &davidson(favour, 0.3)));
                let moving_second = outcome(sample(&mut random, &davidson(-favour, 0.3)));
                table.add_pair(one, other, moving_first, moving_second);
            }
        }
        let ratings = rate(&table, true);
        covered += ratings.engines.iter().map(|found| u32::from(found.contains(0.0))).sum::<u32>();
        engines += 3;
    }
    assert_covers("Bradley–Terry ratings from pairs", covered, engines);
}

/// Plays until the test decides; gives how often H1 was accepted, and the mean number of units.
fn decide(
    hypotheses: Hypotheses,
    probabilities: &[f64],
    seed: u64,
    look: impl Fn(&mut Sprt, &[u64]) -> SprtState,
) -> (f64, f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut accepted, mut units) = (0_u32, 0_u64);
    for _ in 0..RUNS {
        let mut test = Sprt::new(hypotheses).unwrap();
        let mut counts = vec![0; probabilities.len()];
        loop {
            counts[sample(&mut random, probabilities)] += 1;
            units += 1;
            match look(&mut test, &counts) {
                SprtState::Continue => {}
                SprtState::AcceptH0 => break,
                SprtState::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
    }
    (f64::from(accepted) / f64::from(RUNS), units as f64 / f64::from(RUNS))
}

fn assert_error_rates(hypotheses: Hypotheses, world: World, pairs: bool) {
    let probabilities = |world: &World| if pairs { world.pair().to_vec() } else { world.game(0.0).to_vec() };
    let measure = |world: &World| match hypotheses.model {
        Model::Normalized => true_normalized_elo(&probabilities(world)),
        Model::Logistic => true_elo(&probabilities(world)),
    };
    let look = |test: &mut Sprt, counts: &[u64]| {
        if pairs {
            test.update(&Pentanomial(counts.try_into().unwrap()))
        } else {
            test.update(&Trinomial(counts.try_into().unwrap()))
        }
    };
    let standard_error = (0.05_f64 * 0.95 / f64::from(RUNS)).sqrt();
    let null = probabilities(&world.at(hypotheses.elo0, measure));
    let alternative = probabilities(&world.at(hypotheses.elo1, measure));
    let (false_alarms, units0) = decide(hypotheses, &null, 5, look);
    let (found, units1) = decide(hypotheses, &alternative, 6, look);
    let misses = 1.0 - found;
    println!(
        "{:?} {}: type I {:.2} %, type II {:.2} % (± {:.2}), {units0:.0} and {units1:.0} units on average",
        hypotheses.model,
        if pairs { "pairs" } else { "games" },
        false_alarms * 100.0,
        misses * 100.0,
        standard_error * 100.0,
    );
    for rate in [false_alarms, misses] {
        assert!(rate <= 0.05 + standard_error, "{hypotheses:?}: wrong in {rate} of {RUNS}");
        // A test that is never wrong plays far too long; the bounds are meant to be used up.
        assert!(rate >= 0.02, "{hypotheses:?}: wrong in only {rate} of {RUNS}");
    }
}

#[test]
fn normalized_tests_of_games_keep_their_error_rates() {
    let world = World { advantage: 0.0, draw_margin: 120.0, bias: 0.0 };
    assert_error_rates(Hypotheses::new(Model::Normalized, 0.0, 25.0), world, false);
}

#[test]
fn normalized_tests_of_pairs_keep_their_error_rates() {
    let world = World { advantage: 0.0, draw_margin: 120.0, bias: 150.0 };
    assert_error_rates(Hypotheses::new(Model::Normalized, 0.0, 25.0), world, true);
}

#[test]
fn logistic_tests_of_games_keep_their_error_rates() {
    let world = World { advantage: 0.0, draw_margin: 120.0, bias: 0.0 };
    assert_error_rates(Hypotheses::new(Model::Logistic, 0.0, 20.0), world, false);
}

#[test]
fn logistic_tests_of_pairs_keep_their_error_rates() {
    let world = World { advantage: 0.0, draw_margin: 120.0, bias: 150.0 };
    assert_error_rates(Hypotheses::new(Model::Logistic, -5.0, 15.0), world, true);
}

#[test]
fn an_engine_against_itself_is_found_no_stronger() {
    let world = World { advantage: 0.0, draw_margin: 120.0, bias: 150.0 };
    let probabilities = world.pair();
    let look = |test: &mut Sprt, counts: &[u64]| test.update(&Pentanomial(counts.try_into().unwrap()));
    let (accepted, _) = decide(Hypotheses::new(Model::Normalized, 0.0, 30.0), &probabilities, 7, look);
    assert!(1.0 - accepted >= 0.95 - 0.005, "H0 accepted in {} of A/A tests", 1.0 - accepted);
    assert_eq!(Pentanomial([1, 2, 3, 4, 5]).games(), 30);
}

//! Ratings of many engines from all their games: Bradley–Terry with draws and the advantage of the first move.
//!
//! The model: an engine rated d above its opponent scores 1 / (1 + e^(−d/s)) on average, a draw being half a win and
//! half a loss; whoever moves first is rated higher by the first-move advantage. The ratings maximize that likelihood,
//! so every engine's expected score is exactly the score it made. The scale s is the one of the FIDE table as
//! tournament managers use it, 202 points for an expected score of 76 %. (The Elo of a single match uses 400 / ln 10,
//! which gives figures smaller by 0.9 %.)
//!
//! Draws follow Davidson: wins · losses / draws² is the same for every pairing, and given the expected score that
//! fixes the share of draws. Its parameter, the draw rate between equals, is the one that expects as many draws as
//! there were.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::{Outcome, Trinomial};
use super::elo::Estimate;
use super::linear::Square;
use super::normal::{QUANTILE_95, normal_distribution};

/// All results between engines, which are known by their index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrossTable {
    engines: usize,
    /// Independent games, by (who moved first, who moved second), seen from the first.
    games: BTreeMap<(usize, usize), Trinomial>,
    /// Pairs of games over one opening, by (who moved first in the first game, the other): the outcomes of both games
    /// seen from the former.
    pairs: BTreeMap<(usize, usize), [[u64; 3]; 3]>,
}

impl CrossTable {
    /// A table without results. It grows when a result names an engine beyond the last.
    #[must_use]
    pub fn new(engines: usize) -> Self {
        Self { engines, ..Self::default() }
    }

    /// Adds independent games, counted from the side of the engine that moved first.
    pub fn add_games(&mut self, first: usize, second: usize, games: Trinomial) {
        self.engines = self.engines.max(first.max(second) + 1);
        let counts = &mut self.games.entry((first, second)).or_default().0;
        counts.iter_mut().zip(games.0).for_each(|(count, more)| *count += more);
    }

    /// Adds two games over the same opening: `first` moved first in the one and second in the other. Both outcomes
    /// are seen from `first`.
    pub fn add_pair(&mut self, first: usize, second: usize, moving_first: Outcome, moving_second: Outcome) {
        self.engines = self.engines.max(first.max(second) + 1);
        let counts = self.pairs.entry((first, second)).or_default();
        counts[moving_first.half_points() as usize][moving_second.half_points() as usize] += 1;
    }

    /// How many engines there are.
    #[must_use]
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// The largest group in which results lead from everybody to everybody, in both directions: its ratings exist
    /// without a prior. One engine alone is no group.
    #[must_use]
    pub fn linked(&self) -> Vec<usize> {
        let links = links(self.engines, &self.by_first_mover());
        let mut largest = Vec::new();
        let mut done = vec![false; self.engines];
        for engine in 0..self.engines {
            if done[engine] {
                continue;
            }
            let [below, above] = links.each_ref().map(|neighbours| reached(neighbours, engine));
            let group: Vec<usize> = (0..self.engines).filter(|&other| below[other] && above[other]).collect();
            group.iter().for_each(|&member| done[member] = true);
            if group.len() > largest.len().max(1) {
                largest = group;
            }
        }
        largest
    }

    /// What these engines played among themselves; each has the number of its place in the list.
    #[must_use]
    pub fn among(&self, members: &[usize]) -> Self {
        let place = |engine: usize| members.iter().position(|&member| member == engine);
        let both = |(one, other): (usize, usize)| place(one).zip(place(other));
        Self {
            engines: members.len(),
            games: self.games.iter().filter_map(|(&who, games)| Some((both(who)?, *games))).collect(),
            pairs: self.pairs.iter().filter_map(|(&who, pairs)| Some((both(who)?, *pairs))).collect(),
        }
    }

    /// Every game, pairs taken apart, from the side of the first mover.
    fn by_first_mover(&self) -> BTreeMap<(usize, usize), Trinomial> {
        let mut all = self.games.clone();
        for (&(one, other), counts) in &self.pairs {
            for (moving_first, row) in counts.iter().enumerate() {
                for (moving_second, &count) in row.iter().enumerate() {
                    all.entry((one, other)).or_default().0[moving_first] += count;
                    all.entry((other, one)).or_default().0[2 - moving_second] += count;
                }
            }
        }
        all
    }
}

/// What [`rate`] found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// Each engine's rating, their mean being 0.
    pub engines: Vec<Estimate>,
    /// What moving first is worth, if it was asked for.
    pub first_move: Option<Estimate>,
    /// The share of draws between equals.
    pub draw_rate: f64,
    /// How much the two games over one opening go together for the side that moves first: the correlation of their
    /// results, 0 if there were no pairs.
    pub pair_correlation: f64,
    /// Whether every engine was given one drawn game against the average, because the results alone have no finite
    /// ratings: somebody won or lost everything, or groups never met.
    pub prior: bool,
    /// Covariance of the ratings, in squared Elo.
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The rating of `one` above `other`, with the interval of the difference (narrower than the two bars suggest
    /// when they met the same opponents). `None` if there is no such engine.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize) -> Option<Estimate> {
        let value = self.engines.get(one)?.value - self.engines.get(other)?.value;
        Some(Estimate::symmetric(value, QUANTILE_95 * self.standard_error(one, other)?))
    }

    /// The probability that `one` is stronger than `other`. `None` if there is no such engine.
    #[must_use]
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let difference = self.difference(one, other)?.value;
        let error = self.standard_error(one, other)?;
        Some(if error > 0.0 { normal_distribution(difference / error) } else { 0.5 })
    }

    fn standard_error(&self, one: usize, other: usize) -> Option<f64> {
        let cell = |row: usize, column: usize| self.covariance.get(row)?.get(column).copied();
        Some((cell(one, one)? + cell(other, other)? - 2.0 * cell(one, other)?).max(0.0).sqrt())
    }
}

/// Rates all engines of a table, with or without a term for the first move.
///
/// Ratings exist only if everybody's results lead to everybody (Ford's condition: no group of engines took every
/// point from the rest, or never met it). If they do not, and only then, a prior makes them exist: every engine is
/// given one drawn game against an opponent of average rating, and the first move one win and one loss of half weight.
///
/// The error bars are Huber's sandwich H⁻¹ J H⁻¹: H is the Hessian of the likelihood above, and J the variance the
/// results really have, smaller because draws vary less than wins and losses, and different again where the two games
/// of a pair go together. Their correlation is estimated from all pairs, drawn towards none by ten imagined pairs.
#[must_use]
pub fn rate(table: &CrossTable, with_first_move: bool) -> Ratings {
    let games = table.by_first_mover();
    let fit = |prior: bool| Fit { engines: table.engines, games: &games, with_first_move, prior };
    let (fit, parameters) = Some(fit(false))
        .filter(|_| is_connected(table.engines, &games))
        .and_then(|fit| fit.maximize().map(|parameters| (fit, parameters)))
        .unwrap_or_else(|| {
            let fit = fit(true);
            let parameters = fit.maximize().unwrap_or_else(|| vec![0.0; fit.size()]);
            (fit, parameters)
        });
    fit.describe(table, &parameters)
}

/// Elo per unit of the logistic function: 202 points are an expected score of 76 %.
fn scale() -> f64 {
    202.0 / (0.76_f64 / 0.24).ln()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Davidson's share of draws at an expected score, given the share between equals.
///
/// wins · losses / draws² = 1/k with k = (2 d₀ / (1 − d₀))², and wins = f − d/2, losses = 1 − f − d/2, lead to
/// (1 − k/4) d² + (k/2) d − k f (1 − f) = 0, solved here in the form that has no cancellation.
fn draw_share(expected: f64, between_equals: f64) -> f64 {
    let k = (2.0 * between_equals / (1.0 - between_equals)).powi(2);
    let product = k * expected * (1.0 - expected);
    if product == 0.0 {
        return 0.0;
    }
    let half = k / 2.0;
    2.0 * product / (half + (half * half + 4.0 * (1.0 - k / 4.0) * product).sqrt())
}

/// Whom each engine took something from, and whom it gave something.
fn links(engines: usize, games: &BTreeMap<(usize, usize), Trinomial>) -> [Vec<Vec<usize>>; 2] {
    let mut took = vec![Vec::new(); engines];
    let mut gave = vec![Vec::new(); engines];
    let mut edge = |taker: usize, giver: usize| {
        took[taker].push(giver);
        gave[giver].push(taker);
    };
    for (&(first, second), counts) in games {
        if counts.wins() + counts.draws() > 0 {
            edge(first, second);
        }
        if counts.losses() + counts.draws() > 0 {
            edge(second, first);
        }
    }
    [took, gave]
}

/// Who is reached along these links.
fn reached(neighbours: &[Vec<usize>], from: usize) -> Vec<bool> {
    let (mut seen, mut open) = (vec![false; neighbours.len()], vec![from]);
    while let Some(engine) = open.pop() {
        if !std::mem::replace(&mut seen[engine], true) {
            open.extend(&neighbours[engine]);
        }
    }
    seen
}

/// Ford's condition: along "took something from", everybody reaches everybody.
fn is_connected(engines: usize, games: &BTreeMap<(usize, usize), Trinomial>) -> bool {
    engines == 0 || links(engines, games).iter().all(|neighbours| reached(neighbours, 0).into_iter().all(|seen| seen))
}

struct Fit<'a> {
    engines: usize,
    games: &'a BTreeMap<(usize, usize), Trinomial>,
    with_first_move: bool,
    prior: bool,
}

impl Fit<'_> {
    /// One parameter an engine, and the first move as the last.
    fn size(&self) -> usize {
        self.engines + usize::from(self.with_first_move)
    }

    /// The derivative of the rating difference in a game by each parameter.
    fn gradient(&self, first: usize, second: usize) -> Vec<(usize, f64)> {
        let mut gradient = vec![(first, 1.0), (second, -1.0)];
        if self.with_first_move {
            gradient.push((self.engines, 1.0));
        }
        gradient
    }

    fn expected(&self, parameters: &[f64], first: usize, second: usize) -> f64 {
        let advantage = if self.with_first_move { parameters[self.engines] } else { 0.0 };
        logistic(parameters[first] - parameters[second] + advantage)
    }

    /// The negated Hessian, and the gradient of the log-likelihood.
    fn derivatives(&self, parameters: &[f64]) -> (Square, Vec<f64>) {
        let mut hessian = Square::zero(self.size());
        let mut slope = vec![0.0; self.size()];
        for (&(first, second), counts) in self.games {
            let [losses, draws, wins] = counts.0.map(|count| count as f64);
            let played = losses + draws + wins;
            let expected = self.expected(parameters, first, second);
            let direction = self.gradient(first, second);
            hessian.add_outer(&direction, played * expected * (1.0 - expected));
            for (index, factor) in direction {
                slope[index] += factor * (wins + draws / 2.0 - played * expected);
            }
        }
        if self.prior {
            for (index, &parameter) in parameters.iter().enumerate() {
                let expected = logistic(parameter);
                hessian.add(index, index, expected * (1.0 - expected));
                slope[index] += 0.5 - expected;
            }
        } else {
            // Only differences matter to the likelihood; a penalty on the mean picks the ratings with mean 0 and
            // leaves the differences alone.
            let ones: Vec<(usize, f64)> = (0..self.engines).map(|index| (index, 1.0)).collect();
            let excess: f64 = parameters[..self.engines].iter().sum();
            hessian.add_outer(&ones, 1.0);
            slope[..self.engines].iter_mut().for_each(|slope| *slope -= excess);
        }
        (hessian, slope)
    }

    /// Newton's method with bounded steps; the log-likelihood is concave. `None` if there is no finite maximum.
    fn maximize(&self) -> Option<Vec<f64>> {
        // Twenty units are 3,500 Elo: a parameter out there is on its way to infinity.
        const FAR: f64 = 20.0;
        let mut parameters = vec![0.0; self.size()];
        for _ in 0..200 {
            let (hessian, mut step) = self.derivatives(&parameters);
            hessian.solve(&mut step)?;
            let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
            let shrink = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            parameters.iter_mut().zip(&step).for_each(|(parameter, step)| *parameter += shrink * step);
            if parameters.iter().any(|parameter| parameter.abs() > FAR) {
                return None;
            }
            if longest < 1e-12 {
                return Some(parameters);
            }
        }
        None
    }

    /// The draw rate between equals that expects as many draws as there were, by bisection.
    fn draw_rate(&self, parameters: &[f64]) -> f64 {
        let draws = self.games.values().map(|counts| counts.draws() as f64).sum::<f64>();
        let expected_draws = |rate: f64| -> f64 {
            let of_pairing = |(&(first, second), counts): (&(usize, usize), &Trinomial)| {
                let played = counts.0.iter().sum::<u64>() as f64;
                played * draw_share(self.expected(parameters, first, second), rate)
            };
            self.games.iter().map(of_pairing).sum()
        };
        let (mut low, mut high) = (0.0, 1.0);
        if draws == 0.0 {
            return 0.0;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if expected_draws(middle) < draws {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }

    fn describe(&self, table: &CrossTable, parameters: &[f64]) -> Ratings {
        let draw_rate = self.draw_rate(parameters);
        let variance = |first: usize, second: usize| {
            let expected = self.expected(parameters, first, second);
            (expected * (1.0 - expected) - draw_share(expected, draw_rate) / 4.0).max(1e-12)
        };

        let mut meat = Square::zero(self.size());
        for (&(first, second), counts) in self.games {
            let played = counts.0.iter().sum::<u64>() as f64;
            meat.add_outer(&self.gradient(first, second), played * variance(first, second));
        }
        if self.prior {
            for (index, &parameter) in parameters.iter().enumerate() {
                let expected = logistic(parameter);
                meat.add(index, index, expected * (1.0 - expected));
            }
        }
        let pair_correlation = self.pair_correlation(table, parameters, variance);
        for (&(one, other), counts) in &table.pairs {
            let pairs = counts.iter().flatten().sum::<u64>() as f64;
            let covariance = pairs * pair_correlation * (variance(one, other) * variance(other, one)).sqrt();
            let (there, back) = (self.gradient(one, other), self.gradient(other, one));
            meat.add_product(&there, &back, covariance);
            meat.add_product(&back, &there, covariance);
        }

        // Ratings are told relative to their mean, so their covariance is too: centred by row and column.
        let mut centring = Square::zero(self.size());
        (0..self.size()).for_each(|index| centring.add(index, index, 1.0));
        let ones: Vec<(usize, f64)> = (0..self.engines).map(|index| (index, 1.0)).collect();
        centring.add_outer(&ones, -1.0 / self.engines.max(1) as f64);
        let scale = scale();
        let covariance = self
            .derivatives(parameters)
            .0
            .inverse()
            .map(|bread| centring.product(&bread).product(&meat).product(&bread).product(&centring));
        let cell = |row: usize, column: usize| {
            covariance.as_ref().map_or(f64::INFINITY, |matrix| matrix.at(row, column) * scale * scale)
        };
        let estimate = |index: usize, origin: f64| {
            let margin = QUANTILE_95 * cell(index, index).max(0.0).sqrt();
            Estimate::symmetric((parameters[index] - origin) * scale, margin)
        };
        let mean = parameters[..self.engines].iter().sum::<f64>() / self.engines.max(1) as f64;
        Ratings {
            engines: (0..self.engines).map(|index| estimate(index, mean)).collect(),
            first_move: self.with_first_move.then(|| estimate(self.engines, 0.0)),
            draw_rate,
            pair_correlation,
            prior: self.prior,
            covariance: (0..self.engines)
                .map(|row| (0..self.engines).map(|column| cell(row, column)).collect())
                .collect(),
        }
    }

    /// The correlation of the first movers' residuals in the two games of a pair.
    fn pair_correlation(&self, table: &CrossTable, parameters: &[f64], variance: impl Fn(usize, usize) -> f64) -> f64 {
        const IMAGINED_PAIRS: f64 = 10.0;
        let (mut products, mut deviations, mut all_pairs) = (0.0, 0.0, 0.0);
        for (&(one, other), counts) in &table.pairs {
            let deviation = (variance(one, other) * variance(other, one)).sqrt();
            let (there, back) = (self.expected(parameters, one, other), self.expected(parameters, other, one));
            for (moving_first, row) in counts.iter().enumerate() {
                for (moving_second, &count) in row.iter().enumerate() {
                    let residual = moving_first as f64 / 2.0 - there;
                    let reverse_residual = 1.0 - moving_second as f64 / 2.0 - back;
                    products += count as f64 * residual * reverse_residual;
                    deviations += count as f64 * deviation;
                    all_pairs += count as f64;
                }
            }
        }
        if all_pairs == 0.0 {
            return 0.0;
        }
        (products / (deviations * (1.0 + IMAGINED_PAIRS / all_pairs))).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_score_gets_a_finite_rating_and_says_so() {
        let mut table = CrossTable::new(3);
        table.add_games(0, 1, Trinomial([0, 0, 20]));
        table.add_games(1, 2, Trinomial([5, 5, 10]));
        let ratings = rate(&table, false);
        assert!(ratings.prior);
        let [best, middle, last] = [0, 1, 2].map(|index| ratings.engines[index]);
        assert!(best.value > middle.value && middle.value > last.value, "{ratings:?}");
        assert!(best.value < 1000.0 && best.margin() > 100.0, "{best:?}");
        assert!((best.value + middle.value + last.value).abs() < 1e-6);
    }

    #[test]
    fn groups_that_never_met_are_rated_around_the_average() {
        let mut table = CrossTable::new(5);
        table.add_games(0, 1, Trinomial([10, 10, 30]));
        table.add_games(2, 3, Trinomial([10, 10, 30]));
        let ratings = rate(&table, false);
        assert!(ratings.prior);
        assert!((ratings.engines[0].value - ratings.engines[2].value).abs() < 1e-6, "{ratings:?}");
        assert!(ratings.engines[4].value.abs() < 1e-6 && ratings.engines[4].margin() > 300.0, "{ratings:?}");
        let across = ratings.difference(0, 2).unwrap().margin();
        let within = ratings.difference(0, 1).unwrap().margin();
        assert!(across > 2.0 * within, "{across} {within}");
    }

    #[test]
    fn a_first_move_that_always_wins_is_bounded() {
        let mut table = CrossTable::new(2);
        table.add_games(0, 1, Trinomial([0, 0, 30]));
        table.add_games(1, 0, Trinomial([0, 0, 30]));
        let ratings = rate(&table, true);
        let first_move = ratings.first_move.unwrap();
        assert!(ratings.prior && first_move.value > 300.0 && first_move.value < 2000.0, "{ratings:?}");
        assert!(ratings.engines[0].value.abs() < 1e-6);
    }

    #[test]
    fn nobody_nothing_and_everybody_equal() {
        assert!(rate(&CrossTable::new(0), true).engines.is_empty());
        let alone = rate(&CrossTable::new(1), false);
        assert_eq!(alone.engines[0].value, 0.0);
        let ratings = rate(&CrossTable::new(3), true);
        assert!(ratings.prior && ratings.engines.iter().all(|engine| engine.value == 0.0));
        assert_eq!(ratings.superiority(0, 2), Some(0.5));
        assert_eq!(ratings.difference(0, 3), None);
    }

    #[test]
    fn openings_that_decide_narrow_the_bars_when_counted_as_pairs() {
        let mut singles = CrossTable::new(2);
        let mut pairs = CrossTable::new(2);
        singles.add_games(0, 1, Trinomial([10, 0, 90]));
        singles.add_games(1, 0, Trinomial([10, 0, 90]));
        for _ in 0..90 {
            pairs.add_pair(0, 1, Outcome::Win, Outcome::Loss);
        }
        for _ in 0..10 {
            pairs.add_pair(0, 1, Outcome::Loss, Outcome::Win);
        }
        let (singles, pairs) = (rate(&singles, false), rate(&pairs, false));
        assert!(pairs.pair_correlation > 0.8, "{pairs:?}");
        assert!(pairs.engines[0].margin() < 0.5 * singles.engines[0].margin(), "{pairs:?} {singles:?}");
    }

    #[test]
    fn draws_between_equals_are_the_rate_itself() {
        for rate in [0.01, 0.3, 0.5, 0.9] {
            assert!((draw_share(0.5, rate) - rate).abs() < 1e-12);
            assert!(draw_share(0.9, rate) < rate);
        }
    }
}

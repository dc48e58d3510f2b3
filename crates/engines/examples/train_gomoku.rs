//! Fits the weights of the gomoku player's evaluation to what became of the positions of seeded games against itself:
//! `cargo run --profile quick -p engines --example train_gomoku -- OUT [games] [nodes] [pull] [first seed]`.
//!
//! OUT is a file like `crates/engines/src/gomoku/weights.txt`. Everything is counted in positions, so the load of the machine does
//! not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

mod learning;

use engines::Settings;
use engines::gomoku::GomokuMind;
use engines::kit::{Budget, Mind as _};
use games::gomoku::{Gomoku, GomokuVariant, Ply, Point, Rule};
use games::random::below;
use games::{End, Game as _, Side};
use learning::{Adam, Fitting, Sample, chance, fit, loss};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A few stones near the middle, on the boards and under the rules that are played most.
fn opened(rng: &mut Xoshiro256PlusPlus) -> Gomoku {
    let (size, rule) = ([15, 20][below(rng, 2) as usize], [Rule::FREESTYLE, Rule::EXACT][below(rng, 2) as usize]);
    let mut game = Gomoku::new(&GomokuVariant { size, rule, ..GomokuVariant::default() });
    for _ in 0..3 + below(rng, 5) {
        let mut near = || (size as usize / 2 - 3) + below(rng, 7) as usize;
        let ply = Ply::One(Point::new(near(), near()));
        if game.judge(ply) == Ok(End::Played) {
            game.apply(ply, End::Played);
        }
    }
    game
}

/// A position beside the game: one stone or two anywhere near others, as a search meets them and good play does not.
fn beside(game: &Gomoku, rng: &mut Xoshiro256PlusPlus) -> Option<Gomoku> {
    let mut game = game.clone();
    for _ in 0..=below(rng, 2) {
        let (width, height) = (game.width(), game.height());
        let stones: Vec<Point> = (0..width * height)
            .map(|index| Point::new(index % width, index / width))
            .filter(|&point| game.colour_at(point).is_some())
            .collect();
        let stone = stones[below(rng, stones.len() as u32) as usize];
        let mut near = |at: u8| (usize::from(at) + below(rng, 5) as usize).wrapping_sub(2);
        let ply = Ply::One(Point::new(near(stone.x), near(stone.y)));
        if game.judge(ply) == Ok(End::Played) {
            game.apply(ply, End::Played);
        }
    }
    game.verdict().is_none().then_some(game)
}

/// A position in which a search chose a point: the two weights of each point there was, and which one it took.
struct Choice {
    points: Vec<[usize; 2]>,
    taken: usize,
}

impl Choice {
    fn of(game: &Gomoku, taken: Ply) -> Option<Self> {
        let choices = GomokuMind::choices(game);
        let taken = choices.iter().position(|(ply, _)| *ply == taken)?;
        Some(Self { points: choices.into_iter().map(|(_, terms)| terms).collect(), taken })
    }

    /// How likely each point is.
    fn chances(&self, weights: &[f32]) -> Vec<f32> {
        let values: Vec<f32> = self.points.iter().map(|&[own, other]| weights[own] + weights[other]).collect();
        let most = values.iter().copied().fold(f32::MIN, f32::max);
        let raised: Vec<f32> = values.iter().map(|value| (value - most).exp()).collect();
        let sum: f32 = raised.iter().sum();
        raised.iter().map(|value| value / sum).collect()
    }
}

/// How unlikely the points are that were taken, and how often the likeliest was.
fn surprise(choices: &[Choice], weights: &[f32]) -> (f32, f32) {
    let (mut sum, mut first) = (0.0, 0.0);
    for choice in choices {
        let chances = choice.chances(weights);
        let taken = chances[choice.taken];
        sum -= taken.max(1e-9).ln();
        first += f32::from(u8::from(chances.iter().all(|&chance| chance <= taken)));
    }
    (sum / choices.len() as f32, first / choices.len() as f32)
}

/// Weights under which the points that were taken are likely: Adam, with a pull back to the first ones.
fn fit_choices(choices: &[Choice], start: &[f32], pull: f32) -> Vec<f32> {
    let mut weights = start.to_vec();
    let mut adam = Adam::new(weights.len());
    for epoch in 0..12 {
        let rate = 0.05 * 0.75_f32.powi(epoch);
        for batch in choices.chunks(256) {
            let mut slope = vec![0.0_f32; weights.len()];
            for choice in batch {
                for (index, (chance, terms)) in choice.chances(&weights).into_iter().zip(&choice.points).enumerate() {
                    let error = chance - f32::from(u8::from(index == choice.taken));
                    terms.iter().for_each(|&at| slope[at] += error / batch.len() as f32);
                }
            }
            slope.iter_mut().zip(&weights).zip(start).for_each(|((slope, now), then)| *slope += pull * (now - then));
            adam.step(&mut weights, &slope, rate);
        }
    }
    weights
}

/// What games against itself teach.
#[derive(Default)]
struct Lessons {
    samples: Vec<Sample>,
    choices: Vec<Choice>,
}

/// Self-play: every quiet position, its target half the result and half what the search thought; and positions beside the
/// games, where only the search is asked.
fn lessons(games: u64, nodes: u64, seed: u64, scale: f32) -> Lessons {
    let mut mind = GomokuMind::new(&Settings { memory: 8 << 20, ..Settings::with_seed(1) });
    let mut lessons = Lessons::default();
    for number in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + number);
        let mut game = opened(&mut rng);
        let mut met: Vec<(Side, Sample)> = Vec::new();
        mind.forget();
        while game.verdict().is_none() {
            let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("there is a ply");
            if let Some(terms) = mind.terms(&game) {
                met.push((game.to_move(), Sample { terms, target: chance(thought.score as f32, scale) }));
            }
            lessons.choices.extend(Choice::of(&game, thought.ply));
            if let Some(other) = beside(&game, &mut rng)
                && let Some(terms) = mind.terms(&other)
                && let Some(thought) = mind.choose(&other, &Budget::of_nodes(nodes))
            {
                lessons.samples.push(Sample { terms, target: chance(thought.score as f32, scale) });
                lessons.choices.extend(Choice::of(&other, thought.ply));
            }
            game.apply(thought.ply, End::Played);
        }
        let winner = game.verdict().and_then(|verdict| verdict.winner);
        for (side, mut sample) in met {
            let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
            sample.target = f32::midpoint(sample.target, result);
            lessons.samples.push(sample);
        }
    }
    lessons
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: f64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let path = words.first().expect("where to write the weights");
    let (games, nodes, pull) = (number(1, 2000.0) as u64, number(2, 500.0) as u64, number(3, 1e-5) as f32);
    let (start, orders) = GomokuMind::weights();
    let start: Vec<f32> = start.iter().map(|&weight| weight as f32).collect();
    const SCALE: f32 = 250.0;
    let Lessons { samples, choices } = lessons(games, nodes, number(4, 1e6) as u64, SCALE);
    let (test, train) = samples.split_at(samples.len() / 10);
    let mut weights = fit(train, &start, &Fitting { epochs: 40, rate: 0.6, decay: 0.92, scale: SCALE, pull });
    println!(
        "{} positions; loss {:.5} before, {:.5} after",
        samples.len(),
        loss(test, &start, SCALE),
        loss(test, &weights, SCALE)
    );
    // The margins of the search are made for values of the usual size.
    let size = |weights: &[f32]| {
        (samples.iter().map(|sample| sample.value(weights).powi(2)).sum::<f32>() / samples.len() as f32).sqrt()
    };
    let (before, after) = (size(&start), size(&weights));
    println!("values of about {before:.0} before, {after:.0} after");
    weights.iter_mut().for_each(|weight| *weight *= before / after);
    // Killers and history are added in the same units.
    const UNITS: f32 = 25.0;
    let (test, train) = choices.split_at(choices.len() / 10);
    let known: Vec<f32> = orders.iter().map(|&weight| weight as f32 / UNITS).collect();
    let learned = fit_choices(train, &known, 1e-5);
    for (name, weights) in [("before", &known), ("after", &learned)] {
        let (surprise, first) = surprise(test, weights);
        println!("{} choices {name}: surprise {surprise:.4}, {:.1} % taken first", choices.len(), first * 100.0);
    }
    weights.extend(learned.iter().map(|weight| weight * UNITS));
    let text: Vec<String> = weights.iter().map(|weight| format!("{weight:.0}")).collect();
    let lines: Vec<String> = text.chunks(32).map(|row| row.join(" ")).collect();
    std::fs::write(path, lines.join("\n") + "\n").expect("a file that can be written");
}

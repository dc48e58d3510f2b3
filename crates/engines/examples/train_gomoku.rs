//! Fits the weights of the gomoku player's evaluation to what became of the positions of seeded games against itself:
//! `cargo run --profile quick -p engines --example train_gomoku -- OUT [games] [nodes] [pull] [first seed]`.
//!
//! OUT is a file like `crates/engines/src/gomoku/weights.txt`. Everything is counted in positions, so the load of the machine does
//! not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use engines::Settings;
use engines::gomoku::GomokuMind;
use engines::kit::{Budget, Mind as _};
use games::gomoku::{Gomoku, GomokuVariant, Ply, Point, Rule};
use games::random::below;
use games::{End, Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A position that was met: which weights count in it, how much, and what came of it for the side to move.
struct Sample {
    terms: Vec<(usize, f32)>,
    target: f32,
}

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

/// The chance of winning that a value stands for.
fn chance(value: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-value / scale).clamp(-30.0, 30.0).exp())
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

/// Self-play: every quiet position, its target half the result and half what the search thought; and positions beside the
/// games, where only the search is asked.
fn samples(games: u64, nodes: u64, seed: u64, scale: f32) -> Vec<Sample> {
    let mut mind = GomokuMind::new(&Settings { memory: 8 << 20, ..Settings::with_seed(1) });
    let mut samples = Vec::new();
    for number in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + number);
        let mut game = opened(&mut rng);
        let mut met: Vec<(Side, Sample)> = Vec::new();
        mind.new_game(&game);
        while game.verdict().is_none() {
            let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("there is a ply");
            if let Some(terms) = mind.terms(&game) {
                met.push((game.to_move(), Sample { terms, target: chance(thought.score as f32, scale) }));
            }
            if let Some(other) = beside(&game, &mut rng)
                && let Some(terms) = mind.terms(&other)
                && let Some(thought) = mind.choose(&other, &Budget::of_nodes(nodes))
            {
                samples.push(Sample { terms, target: chance(thought.score as f32, scale) });
            }
            game.apply(thought.ply, End::Played);
        }
        let winner = game.verdict().and_then(|verdict| verdict.winner);
        for (side, mut sample) in met {
            let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
            sample.target = f32::midpoint(sample.target, result);
            samples.push(sample);
        }
    }
    samples
}

fn value(sample: &Sample, weights: &[f32]) -> f32 {
    sample.terms.iter().map(|&(at, amount)| weights[at] * amount).sum()
}

fn loss(samples: &[Sample], weights: &[f32], scale: f32) -> f32 {
    let sum: f32 = samples
        .iter()
        .map(|sample| {
            let chance = chance(value(sample, weights), scale).clamp(1e-6, 1.0 - 1e-6);
            -sample.target * chance.ln() - (1.0 - sample.target) * (1.0 - chance).ln()
        })
        .sum();
    sum / samples.len() as f32
}

/// Logistic regression from some weights by Adam, with a pull back to them that keeps what was rarely seen from growing.
fn fit(samples: &[Sample], start: &[f32], scale: f32, pull: f32) -> Vec<f32> {
    let mut weights = start.to_vec();
    let (mut mean, mut square) = (vec![0.0_f32; weights.len()], vec![0.0_f32; weights.len()]);
    let mut step = 0;
    for epoch in 0..40 {
        let rate = 0.6 * 0.92_f32.powi(epoch);
        for batch in samples.chunks(512) {
            let mut slope = vec![0.0_f32; weights.len()];
            for sample in batch {
                let error = chance(value(sample, &weights), scale) - sample.target;
                for &(at, amount) in &sample.terms {
                    slope[at] += error * amount / batch.len() as f32;
                }
            }
            step += 1;
            for at in 0..weights.len() {
                let slope = slope[at] + pull * (weights[at] - start[at]);
                mean[at] = 0.9 * mean[at] + 0.1 * slope;
                square[at] = 0.999 * square[at] + 0.001 * slope * slope;
                let (m, s) = (mean[at] / (1.0 - 0.9_f32.powi(step)), square[at] / (1.0 - 0.999_f32.powi(step)));
                weights[at] -= rate * m / (s.sqrt() + 1e-8);
            }
        }
    }
    weights
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: f64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let path = words.first().expect("where to write the weights");
    let (games, nodes, pull) = (number(1, 2000.0) as u64, number(2, 500.0) as u64, number(3, 1e-5) as f32);
    let start: Vec<f32> = GomokuMind::weights().iter().map(|&weight| weight as f32).collect();
    const SCALE: f32 = 250.0;
    let samples = samples(games, nodes, number(4, 1e6) as u64, SCALE);
    let (test, train) = samples.split_at(samples.len() / 10);
    for scale in [100.0, 150.0, 200.0, 250.0, 300.0, 400.0, 600.0] {
        println!("scale {scale}: loss {:.5}", loss(&samples, &start, scale));
    }
    let mut weights = fit(train, &start, SCALE, pull);
    println!(
        "{} positions; loss {:.5} before, {:.5} after",
        samples.len(),
        loss(test, &start, SCALE),
        loss(test, &weights, SCALE)
    );
    // The margins of the search are made for values of the usual size.
    let size = |weights: &[f32]| {
        (samples.iter().map(|sample| value(sample, weights).powi(2)).sum::<f32>() / samples.len() as f32).sqrt()
    };
    let (before, after) = (size(&start), size(&weights));
    println!("values of about {before:.0} before, {after:.0} after");
    weights.iter_mut().for_each(|weight| *weight *= before / after);
    let text: Vec<String> = weights.iter().map(|weight| format!("{weight:.0}")).collect();
    let mut lines = String::new();
    let mut rest = text.as_slice();
    // A row for each stronger shape of a pair, then one for single shapes; twice.
    for length in (1..=12).chain([12]).cycle().take(26) {
        let (row, more) = rest.split_at(length);
        lines += &(row.join(" ") + "\n");
        rest = more;
    }
    std::fs::write(path, lines).expect("a file that can be written");
}

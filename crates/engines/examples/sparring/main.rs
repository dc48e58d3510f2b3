//! Where Tiaojia learns to win against players who see less than it does. Two who see everything stand still until the stones
//! are counted, so what breaks such games cannot be learned from games against itself.
//!
//! - `cargo run --profile quick -p engines --example sparring -- match NODES PAIRS [WEIGHTS [FIRST]]` plays against every
//!   partner it learns from, both colours over each opening, and tells the score; NODES are positions a ply, FIRST the opening's number.
//! - `… -- exam NODES PAIRS [WEIGHTS [FIRST]]` plays against those it never learns from.
//! - `… -- train NODES STEPS OUT [WEIGHTS]` changes the weights by what wins more such games, and writes them down.
//!
//! Everything is counted in positions, so the load of the machine does not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

#[path = "../learning/adam.rs"]
mod adam;
mod partners;

use std::ops::Range;

use adam::Adam;
use engines::Settings;
use engines::kit::{Budget, Mind as _};
use engines::tiaojia::{COMPARED, PHASES, TENSIONS, TiaojiaMind, WEIGHTS, WIDTH};
use games::tiaojia::{Tiaojia, TiaojiaVariant};
use games::{End, Game as _, Side};
use partners::{EXAMINERS, Habits, Partner, TRAINERS};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A mind with these weights; they are in logits here and in thousandths of them there.
fn mind(weights: &[f32]) -> TiaojiaMind {
    let mut table = WEIGHTS;
    table.iter_mut().zip(weights).for_each(|(place, weight)| *place = (weight * 1000.0).round() as i32);
    TiaojiaMind::with(&Settings { memory: 4 << 20, ..Settings::with_seed(1) }, &table)
}

/// The start, or a game after up to four random plies.
fn opened(seed: u64) -> Tiaojia {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Tiaojia::new(&TiaojiaVariant::default());
    for _ in 0..seed % 5 {
        if let Some(ply) = game.random_ply(&mut rng) {
            game.apply(ply, End::Played);
        }
    }
    game
}

/// Games lost, drawn and won.
#[derive(Default, Clone, Copy)]
struct Score([u32; 3]);

impl Score {
    fn add(&mut self, winner: Option<Side>, seat: Side) {
        self.0[winner.map_or(1, |winner| if winner == seat { 2 } else { 0 })] += 1;
    }

    fn share(self) -> f32 {
        let [lost, drawn, won] = self.0.map(|games| games as f32);
        (won + drawn / 2.0) / (won + drawn + lost)
    }

    fn text(self) -> String {
        let [lost, drawn, won] = self.0;
        format!("+{won} ={drawn} -{lost}, {:.1} %", 100.0 * self.share())
    }
}

/// Both colours over each opening against a partner; `seen` is shown every position and where the mind sits.
fn spar(
    mind: &mut TiaojiaMind,
    habits: Habits,
    nodes: u64,
    seeds: Range<u64>,
    mut seen: impl FnMut(&Tiaojia, Side),
) -> Score {
    let mut score = Score::default();
    for seed in seeds {
        for seat in Side::BOTH {
            let mut partner = Partner::new(habits, seed);
            let mut game = opened(seed);
            mind.forget();
            while game.verdict().is_none() {
                seen(&game, seat);
                let ply = if game.to_move() == seat {
                    mind.choose(&game, &Budget::of_nodes(nodes)).expect("there is a ply").ply
                } else {
                    partner.choose(&game)
                };
                game.apply(ply, End::Played);
            }
            score.add(game.verdict().and_then(|verdict| verdict.winner), seat);
        }
    }
    score
}

/// The games against these partners; `told` hears of each.
fn compete(
    partners: &[Habits],
    nodes: u64,
    seeds: &Range<u64>,
    weights: &[f32],
    mut told: impl FnMut(Habits, Score),
) -> Score {
    let mut mind = mind(weights);
    let mut all = Score::default();
    for &habits in partners {
        let score = spar(&mut mind, habits, nodes, seeds.clone(), |_, _| {});
        told(habits, score);
        all.0.iter_mut().zip(score.0).for_each(|(all, games)| *all += games);
    }
    all
}

/// What is trained, in every phase alike: what is compared, but for the turn and the stones, and the thinker's tension.
const TRAINED: usize = COMPARED - 2 + TENSIONS;

/// Where a trained weight stands in a phase.
const fn place(at: usize) -> usize {
    if at < COMPARED - 2 { at + 2 } else { at - (COMPARED - 2) + COMPARED + TENSIONS }
}

/// How much each figure varies from position to position, so that a step means as much in each.
fn spread(nodes: u64, weights: &[f32]) -> Vec<f32> {
    let mut mind = mind(weights);
    let mut figures: Vec<Vec<f32>> = vec![Vec::new(); TRAINED];
    for habits in TRAINERS {
        spar(&mut mind, habits, nodes, 1..4, |game, seat| {
            let terms = TiaojiaMind::terms(game, Some(seat));
            for (at, figures) in figures.iter_mut().enumerate().take(if terms.is_empty() { 0 } else { TRAINED }) {
                let here = terms.iter().filter(|(index, _)| index % WIDTH == place(at));
                let figure: f32 = here.map(|(_, amount)| amount).sum();
                // Tension changes its sign with the turn: what varies is its size.
                figures.push(if at < COMPARED - 2 { figure } else { figure.abs() });
            }
        });
    }
    let deviation = |figures: Vec<f32>| {
        let number = figures.len() as f32;
        let mean = figures.iter().sum::<f32>() / number;
        (figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f32>() / number).sqrt()
    };
    // Figures that are nearly always 0 would be tried by steps without measure.
    figures.into_iter().map(|figures| deviation(figures).max(0.3)).collect()
}

/// How far a figure's usual spread is pushed to try a weight, in logits.
const TRIED: f32 = 0.1;
/// Directions tried for each step.
const DIRECTIONS: u64 = 4;
/// How many of the steps tried a step takes at most.
const RATE: f32 = 0.1;

/// Climbs towards what wins more: games on both sides of random directions tell where up is.
fn train(nodes: u64, steps: u64, out: &str, start: &[f32]) {
    let spread = spread(nodes, start);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(start.len() as u64);
    let (mut moved, mut adam) = (vec![0.0_f32; TRAINED], Adam::new(TRAINED));
    let weights = |moved: &[f32]| {
        let mut weights = start.to_vec();
        for phase in weights.chunks_mut(WIDTH) {
            for at in 0..TRAINED {
                phase[place(at)] += moved[at] * TRIED / spread[at];
            }
        }
        weights
    };
    let mut shares = 0.0;
    for step in 0..steps {
        let mut slope = vec![0.0_f32; TRAINED];
        for direction in step * DIRECTIONS..(step + 1) * DIRECTIONS {
            let signs: Vec<f32> = (0..TRAINED).map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
            let [up, down] = [1.0, -1.0].map(|sign| {
                let there: Vec<f32> = moved.iter().zip(&signs).map(|(now, step)| now + sign * step).collect();
                // Never the openings that `match` plays.
                let seed = 10_000_000 + direction;
                compete(&TRAINERS, nodes, &(seed..seed + 1), &weights(&there), |_, _| {}).share()
            });
            shares += (up + down) / 2.0;
            slope.iter_mut().zip(&signs).for_each(|(slope, sign)| *slope -= sign * (up - down));
        }
        adam.step(&mut moved, &slope, RATE);
        if step % 10 == 9 {
            println!("{} steps, the last ten at {:.1} %", step + 1, 100.0 * shares / (10 * DIRECTIONS) as f32);
            shares = 0.0;
            write(out, &weights(&moved));
        }
    }
}

fn write(path: &str, weights: &[f32]) {
    let line = |row: &[f32]| row.iter().map(|weight| format!("{:.0}", weight * 1000.0)).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = weights.chunks(WIDTH).map(line).collect();
    assert_eq!(lines.len(), PHASES);
    std::fs::write(path, lines.join("\n") + "\n").expect("a file that can be written");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).expect("a number");
    let weights = |at: usize| -> Vec<f32> {
        let usual = WEIGHTS.iter().map(|&weight| weight as f32 / 1000.0);
        words.get(at).map_or_else(
            || usual.collect(),
            |path| {
                let text = std::fs::read_to_string(path).expect("a file of weights");
                text.split_whitespace().map(|word| word.parse::<f32>().expect("a number") / 1000.0).collect()
            },
        )
    };
    let told = |habits: Habits, score: Score| println!("{habits:?}: {}", score.text());
    // Weights that were chosen by some openings are to be judged by others.
    let first = if words.len() > 4 { number(4) } else { 1000 };
    let compete = |partners| compete(partners, number(1), &(first..first + number(2)), &weights(3), told).text();
    match words.first().map(String::as_str) {
        Some("match") => println!("all: {}", compete(&TRAINERS)),
        Some("exam") => println!("all: {}", compete(&EXAMINERS)),
        Some("train") => train(number(1), number(2), &words[3], &weights(4)),
        _ => println!("match, exam or train?"),
    }
}

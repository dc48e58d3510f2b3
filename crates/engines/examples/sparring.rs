//! Where Tiaojia learns to win against players who see less than it does. Two who see everything stand still until the stones
//! are counted, so what breaks such games cannot be learned from games against itself.
//!
//! - `cargo run --profile quick -p engines --example sparring -- match NODES THEIRS PAIRS [WEIGHTS]` plays against every partner, both
//!   colours over each opening, and tells the score; NODES and THEIRS are positions a ply.
//! - `… -- train NODES THEIRS STEPS OUT [WEIGHTS]` changes the weights by what wins more such games, and writes them down.
//!
//! Everything is counted in positions, so the load of the machine does not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

#[path = "learning/adam.rs"]
mod adam;

use std::ops::{ControlFlow, Range};

use adam::Adam;
use engines::Settings;
use engines::kit::alpha_beta::{AlphaBeta, LOUD, Sight};
use engines::kit::{Budget, Mind as _};
use engines::tiaojia::{COMPARED, PHASES, TENSIONS, TiaojiaMind, WEIGHTS, WIDTH};
use games::tiaojia::{Step, Tiaojia, TiaojiaVariant};
use games::{End, Game as _, Side};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a partner cares about beside stones.
#[derive(Debug, Clone, Copy)]
enum Taste {
    /// Nothing.
    Stones,
    /// To stand in the middle.
    Centre,
    /// Free squares only it can step to.
    Control,
    /// Stones beside each other, and few gaps between them.
    Safety,
    /// To be near the enemy.
    Attack,
    /// To stand close together.
    Cluster,
}

const TASTES: [Taste; 6] = [Taste::Stones, Taste::Centre, Taste::Control, Taste::Safety, Taste::Attack, Taste::Cluster];

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
/// The sixteen squares in the middle, and all but the edge.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;

const fn left(set: u64) -> u64 {
    (set & !FIRST_COLUMN) >> 1
}

const fn right(set: u64) -> u64 {
    (set & !LAST_COLUMN) << 1
}

const fn around(set: u64) -> u64 {
    let row = set | left(set) | right(set);
    row | row << 8 | row >> 8
}

const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// How far apart stones stand: the sum of their squared distances from their middle.
fn scattering(mut stones: u64) -> i32 {
    let (number, mut sums, mut squares) = (count(stones).max(1), [0, 0], 0);
    while stones != 0 {
        let square = stones.trailing_zeros() as i32;
        stones &= stones - 1;
        let (x, y) = (square % 8, square / 8);
        sums = [sums[0] + x, sums[1] + y];
        squares += x * x + y * y;
    }
    squares - (sums[0] * sums[0] + sums[1] * sums[1]) / number
}

impl Taste {
    /// What one side has of it, a stone being worth a hundred.
    fn of(self, own: u64, enemy: u64) -> i32 {
        let empty = !(own | enemy);
        match self {
            Self::Stones => 0,
            Self::Centre => 3 * count(own & MIDDLE) + 2 * count(own & INSIDE),
            Self::Control => 2 * count(around(own) & empty & !around(enemy)) + count(around(own) & empty),
            Self::Safety => {
                let pairs = count(own & (left(own) | right(own))) + count(own & (own << 8 | own >> 8));
                let gaps = count(empty & left(own) & right(own)) + count(empty & own << 8 & own >> 8);
                2 * pairs - 5 * gaps
            }
            Self::Attack => 4 * count(own & around(enemy)),
            Self::Cluster => -scattering(own),
        }
    }
}

/// How a partner judges.
#[derive(Clone)]
struct Partner {
    taste: Taste,
    /// Makes every game another one.
    whim: u64,
}

impl Sight<Tiaojia> for Partner {
    // As most programs do it: nothing is looked at behind the last ply.
    const SETTLE: u32 = 0;

    fn value(&mut self, game: &Tiaojia) -> i32 {
        let (own, enemy) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
        let whim = (games::random::mix(&[game.hash(), self.whim]) % 4) as i32;
        100 * (count(own) - count(enemy)) + self.taste.of(own, enemy) - self.taste.of(enemy, own) + whim
    }

    fn pack(ply: Step) -> u32 {
        (u32::from(ply.from) << 3 | u32::from(ply.direction)) + 1
    }

    fn visit(&mut self, game: &Tiaojia, mut visit: impl FnMut(i32, Step)) {
        let _ = game.visit_legal(|ply| {
            let turned = game.turned_by(ply) as i32;
            visit(if turned > 0 { LOUD + turned } else { 0 }, ply);
            ControlFlow::Continue(())
        });
    }

    fn may_pass(&self, _game: &Tiaojia) -> bool {
        false
    }
}

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
    taste: Taste,
    nodes: [u64; 2],
    seeds: Range<u64>,
    mut seen: impl FnMut(&Tiaojia, Side),
) -> Score {
    let mut score = Score::default();
    for seed in seeds {
        let mut partner = AlphaBeta::new(Partner { taste, whim: seed }, 1 << 18, 1);
        for seat in Side::BOTH {
            let mut game = opened(seed);
            mind.forget();
            partner.clear();
            while game.verdict().is_none() {
                seen(&game, seat);
                let thought = if game.to_move() == seat {
                    mind.choose(&game, &Budget::of_nodes(nodes[0]))
                } else {
                    partner.search(&game, &Budget::of_nodes(nodes[1]))
                };
                game.apply(thought.expect("there is a ply").ply, End::Played);
            }
            score.add(game.verdict().and_then(|verdict| verdict.winner), seat);
        }
    }
    score
}

/// The games against everyone; `told` hears of each partner.
fn compete(nodes: [u64; 2], seeds: &Range<u64>, weights: &[f32], mut told: impl FnMut(Taste, Score)) -> Score {
    let mut mind = mind(weights);
    let mut all = Score::default();
    for taste in TASTES {
        let score = spar(&mut mind, taste, nodes, seeds.clone(), |_, _| {});
        told(taste, score);
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
fn spread(nodes: [u64; 2], weights: &[f32]) -> Vec<f32> {
    let mut mind = mind(weights);
    let mut figures: Vec<Vec<f32>> = vec![Vec::new(); TRAINED];
    for taste in TASTES {
        spar(&mut mind, taste, nodes, 1..5, |game, seat| {
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
const DIRECTIONS: u64 = 8;
/// How many of the steps tried a step takes at most.
const RATE: f32 = 0.1;

/// Climbs towards what wins more: games on both sides of random directions tell where up is.
fn train(nodes: [u64; 2], steps: u64, out: &str, start: &[f32]) {
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
                compete(nodes, &(seed..seed + 1), &weights(&there), |_, _| {}).share()
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
    match words.first().map(String::as_str) {
        Some("match") => {
            let told = |taste: Taste, score: Score| println!("{taste:?}: {}", score.text());
            let all = compete([number(1), number(2)], &(1000..1000 + number(3)), &weights(4), told);
            println!("all: {}", all.text());
        }
        Some("train") => train([number(1), number(2)], number(3), &words[4], &weights(5)),
        _ => println!("match or train?"),
    }
}

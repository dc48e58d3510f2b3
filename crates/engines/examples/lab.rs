//! Where the players of Amazons, NoGo, Surakarta and Tiaojia are compared with themselves and trained.
//!
//! - `cargo run --profile quick -p engines --example lab -- GAME match NODES PAIRS EXPLORE SHARPNESS GREED [WEIGHTS [AGAINST [THEIRS]]]` plays a
//!   mind with these habits and these weights (a file of them) against the usual one, both colours over each random opening;
//!   THEIRS are the evaluations of the other when it has more or fewer.
//! - `… -- GAME train NODES GAMES OUT [PULL [WEIGHTS]]` plays seeded games of a mind against itself, fits the weights of its
//!   evaluation to what became of the positions, and writes them down.
//! - `… -- GAME ladder PAIRS NODES SLIPS NODES SLIPS …` plays levels, weakest first, each against the one below.
//!
//! Everything is counted in evaluations, so the load of the machine does not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

mod learning;

use engines::Settings;
use engines::kit::tree::Habits;
use engines::kit::{Budget, Mind};
use games::{End, Game, Side};
use learning::{Fitting, Sample, fit, loss};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What the lab needs of a game.
trait Subject: Game {
    type Mind: Mind<Self>;
    /// Random plies before a game; some have more.
    const OPENING: usize;
    /// How much of a position's target is what the search thought of it; the rest is the result.
    const OPINION: f32 = 0.5;
    /// How many weights are written in a line.
    const WIDTH: usize;
    fn usual() -> (Habits, Vec<f32>);
    fn mind(habits: Habits, weights: &[f32]) -> Self::Mind;
    /// Which weights count in this position, and how much; none where the evaluation does without.
    fn terms(&self) -> Vec<(usize, f32)>;
}

impl Subject for games::amazons::Amazons {
    type Mind = engines::amazons::AmazonsMind;
    const OPENING: usize = 2;
    const WIDTH: usize = engines::amazons::FEATURES;

    fn usual() -> (Habits, Vec<f32>) {
        (engines::amazons::HABITS, engines::amazons::WEIGHTS.concat())
    }

    fn mind(habits: Habits, weights: &[f32]) -> Self::Mind {
        let mut table = engines::amazons::WEIGHTS;
        table.iter_mut().flatten().zip(weights).for_each(|(place, weight)| *place = *weight);
        engines::amazons::AmazonsMind::with(&settings(), habits, Box::leak(Box::new(table)))
    }

    fn terms(&self) -> Vec<(usize, f32)> {
        engines::amazons::AmazonsMind::terms(self)
    }
}

/// Of a search that has none: alpha-beta, playouts.
const NO_HABITS: Habits = Habits { explore: 0.0, sharpness: 0.0, greed: 0.0 };

/// Its net has a tool of its own, `train_nogo`; here its levels are compared.
impl Subject for games::nogo::NoGo {
    type Mind = engines::nogo::NoGoMind;
    const OPENING: usize = 2;
    const WIDTH: usize = 1;

    fn usual() -> (Habits, Vec<f32>) {
        (NO_HABITS, Vec::new())
    }

    fn mind(_habits: Habits, _weights: &[f32]) -> Self::Mind {
        engines::nogo::NoGoMind::new(&settings())
    }

    fn terms(&self) -> Vec<(usize, f32)> {
        Vec::new()
    }
}

impl Subject for games::surakarta::Surakarta {
    type Mind = engines::surakarta::SurakartaMind;
    const OPENING: usize = 4;
    const WIDTH: usize = 30;

    fn usual() -> (Habits, Vec<f32>) {
        let weights = engines::surakarta::WEIGHTS.iter().map(|&weight| weight as f32 / 1000.0).collect();
        (NO_HABITS, weights)
    }

    fn mind(_habits: Habits, weights: &[f32]) -> Self::Mind {
        let mut table = engines::surakarta::WEIGHTS;
        table.iter_mut().zip(weights).for_each(|(place, weight)| *place = (weight * 1000.0).round() as i32);
        engines::surakarta::SurakartaMind::with(&settings(), &table)
    }

    fn terms(&self) -> Vec<(usize, f32)> {
        engines::surakarta::SurakartaMind::terms(self)
    }
}

impl Subject for games::tiaojia::Tiaojia {
    type Mind = engines::tiaojia::TiaojiaMind;
    const OPENING: usize = 4;
    /// Its opinion holds what only the side that thinks wants, which is not to be learned.
    const OPINION: f32 = 0.0;
    const WIDTH: usize = engines::tiaojia::WIDTH;

    fn usual() -> (Habits, Vec<f32>) {
        let weights = engines::tiaojia::WEIGHTS.iter().map(|&weight| weight as f32 / 1000.0).collect();
        (NO_HABITS, weights)
    }

    fn mind(_habits: Habits, weights: &[f32]) -> Self::Mind {
        let mut table = engines::tiaojia::WEIGHTS;
        table.iter_mut().zip(weights).for_each(|(place, weight)| *place = (weight * 1000.0).round() as i32);
        engines::tiaojia::TiaojiaMind::with(&settings(), &table)
    }

    fn terms(&self) -> Vec<(usize, f32)> {
        engines::tiaojia::TiaojiaMind::terms(self, None)
    }
}

fn settings() -> Settings {
    Settings { memory: 32 << 20, ..Settings::with_seed(1) }
}

/// A game after some random plies, up to `most` more than the usual ones.
fn opened<G: Subject>(seed: u64, most: u64) -> G {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    loop {
        let mut game = G::new(&G::Variant::default());
        for _ in 0..G::OPENING + (seed % (most + 1)) as usize {
            if let Some(ply) = game.random_ply(&mut rng) {
                game.apply(ply, End::Played);
            }
        }
        if game.verdict().is_none() {
            return game;
        }
    }
}

/// Plays a game to its end; `seen` is shown every position and what its mover thinks of it. Gives the winner.
fn play<G: Subject>(
    mut game: G,
    minds: &mut [G::Mind; 2],
    nodes: [u64; 2],
    mut seen: impl FnMut(&G, i32),
) -> Option<Side> {
    minds.iter_mut().for_each(Mind::forget);
    while game.verdict().is_none() {
        let thought = minds[game.to_move().index()]
            .choose(&game, &Budget::of_nodes(nodes[game.to_move().index()]))
            .expect("there is a ply");
        seen(&game, thought.score);
        assert_eq!(game.judge(thought.ply), Ok(End::Played), "{game:?}");
        game.apply(thought.ply, End::Played);
    }
    game.verdict().and_then(|verdict| verdict.winner)
}

fn compare<G: Subject>(nodes: [u64; 2], pairs: u64, habits: Habits, weights: &[f32], usual_weights: &[f32]) {
    let (usual_habits, _) = G::usual();
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let mut minds = [G::mind(habits, weights), G::mind(usual_habits, usual_weights)];
    for number in 0..pairs * 2 {
        let nodes = [nodes[(number % 2) as usize], nodes[1 - (number % 2) as usize]];
        let winner = play(opened::<G>(1000 + number / 2, 1), &mut minds, nodes, |_, _| {});
        // The minds change places after every game: the new one is at 0 in the even games.
        match winner.map(|side| side.index() as u64 == number % 2) {
            Some(true) => won += 1,
            Some(false) => lost += 1,
            None => drawn += 1,
        }
        minds.swap(0, 1);
    }
    let games = (won + drawn + lost) as f64;
    let score = (f64::from(won) + f64::from(drawn) / 2.0) / games;
    let elo = -400.0 * (1.0 / score - 1.0).log10();
    let error = 400.0 / std::f64::consts::LN_10 * 1.96 / (games * score * (1.0 - score)).sqrt();
    println!("{habits:?}: +{won} ={drawn} -{lost} {:.1} % Elo {elo:.0} ± {error:.0}", 100.0 * score);
}

/// Plays each rung of a ladder against the one below; a rung is a number of evaluations and of slips in a thousand plies.
fn ladder<G: Subject>(pairs: u64, rungs: &[(u64, u32)]) {
    let (habits, weights) = G::usual();
    let mut minds = [G::mind(habits, &weights), G::mind(habits, &weights)];
    for (number, rung) in rungs.windows(2).enumerate() {
        let mut points = 0.0;
        for game in 0..pairs * 2 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(game);
            let mut position = opened::<G>(5000 + game / 2, 1);
            minds.iter_mut().for_each(Mind::forget);
            let upper = Side::BOTH[(game % 2) as usize];
            while position.verdict().is_none() {
                let side = position.to_move();
                let (nodes, slips) = rung[usize::from(side == upper)];
                let slip = games::random::below(&mut rng, 1000) < slips;
                let found = if slip { None } else { minds[side.index()].choose(&position, &Budget::of_nodes(nodes)) };
                let ply = found.map(|thought| thought.ply).or_else(|| position.random_ply(&mut rng));
                position.apply(ply.expect("there is a ply"), End::Played);
            }
            let winner = position.verdict().and_then(|verdict| verdict.winner);
            points += winner.map_or(0.5, |winner| f64::from(u8::from(winner == upper)));
        }
        let share = 100.0 * points / (pairs * 2) as f64;
        println!("{} {:?} against {:?}: {share:.0} % of {}", number + 2, rung[1], rung[0], pairs * 2);
    }
}

/// Self-play: every position with figures, its target the result and what the search thought.
fn samples<G: Subject>(nodes: u64, games: u64, weights: &[f32]) -> Vec<Sample> {
    let (habits, _) = G::usual();
    let mut minds = [G::mind(habits, weights), G::mind(habits, weights)];
    let mut samples = Vec::new();
    for number in 0..games {
        let mut met = Vec::new();
        let winner = play(opened::<G>(1_000_000 + number, 9), &mut minds, [nodes; 2], |game: &G, score| {
            let terms = game.terms();
            if !terms.is_empty() {
                let thought = 1.0 / (1.0 + (-(score as f32) / 100.0).clamp(-50.0, 50.0).exp());
                met.push((game.to_move(), Sample { terms, target: thought }));
            }
        });
        for (side, mut sample) in met {
            let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
            sample.target = G::OPINION * sample.target + (1.0 - G::OPINION) * result;
            samples.push(sample);
        }
    }
    samples
}

fn run<G: Subject>(words: &[String]) {
    let number = |at: usize, usual: f64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (nodes, count) = (number(1, 1000.0) as u64, number(2, 20.0) as u64);
    let (usual, usual_weights) = G::usual();
    let given = |at: usize| {
        words.get(at).map_or(usual_weights.clone(), |path| {
            let text = std::fs::read_to_string(path).expect("a file of weights");
            text.split_whitespace().map(|word| word.parse::<f32>().expect("a number") / 1000.0).collect()
        })
    };
    match words.first().map(String::as_str) {
        Some("match") => {
            let habits = Habits {
                explore: number(3, f64::from(usual.explore)) as f32,
                sharpness: number(4, f64::from(usual.sharpness)) as f32,
                greed: number(5, f64::from(usual.greed)) as f32,
            };
            let against = given(7);
            let weights = if words.len() > 6 { given(6) } else { against.clone() };
            compare::<G>([nodes, number(8, nodes as f64) as u64], count, habits, &weights, &against);
        }
        Some("train") => {
            let start = given(5);
            let samples = samples::<G>(nodes, count, &start);
            println!("{} positions", samples.len());
            let fitting = Fitting { epochs: 60, rate: 0.01, decay: 0.95, scale: 1.0, pull: number(4, 1e-4) as f32 };
            let weights = fit(&samples, &start, &fitting);
            println!("loss {:.5} before, {:.5} after", loss(&samples, &start, 1.0), loss(&samples, &weights, 1.0));
            let lines: Vec<String> = weights
                .chunks(G::WIDTH)
                .map(|row| row.iter().map(|weight| format!("{:.0}", weight * 1000.0)).collect::<Vec<_>>().join(" "))
                .collect();
            let path = words.get(3).expect("where to write the weights");
            std::fs::write(path, lines.join("\n") + "\n").expect("a file that can be written");
        }
        Some("ladder") => {
            let numbers: Vec<u64> = words[2..].iter().map(|word| word.parse().expect("a number")).collect();
            let rungs: Vec<(u64, u32)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1] as u32)).collect();
            ladder::<G>(nodes, &rungs);
        }
        _ => println!("match, train or ladder?"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("amazons") => run::<games::amazons::Amazons>(&words[1..]),
        Some("nogo") => run::<games::nogo::NoGo>(&words[1..]),
        Some("surakarta") => run::<games::surakarta::Surakarta>(&words[1..]),
        Some("tiaojia") => run::<games::tiaojia::Tiaojia>(&words[1..]),
        _ => println!("amazons, nogo, surakarta or tiaojia?"),
    }
}

//! Learns where the Junqi player's pieces are best put, from seeded games of varied set-ups against itself:
//! `cargo run --profile quick -p engines --example train_junqi -- OUT [games] [nodes] [first seed]`.
//!
//! OUT is a file like `crates/engines/src/junqi/weights.txt`. Everything is counted in positions, so the load of the machine does
//! not matter.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

mod learning;

use engines::Settings;
use engines::junqi::{Drawing, JunqiPlayer, PROVEN, WEIGHT_COUNT, places, player};
use engines::kit::Strength;
use games::junqi::{Junqi, JunqiVariant, PIECES, Ply};
use games::{Game as _, Side};
use learning::{Fitting, Sample, fit, loss};
use protocols::{Player as _, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// The weights of the file are thousandths.
const UNITS: f32 = 1000.0;
/// Pulls back to the weights in use, of which the one that foretells unseen games best is taken.
const PULLS: [f32; 5] = [0.003, 0.01, 0.03, 0.1, 0.3];

/// Plays a game of two varied set-ups: what counts in it for Black, and what came of it. The last term is for the first move.
fn lesson(seats: &mut [JunqiPlayer; 2], rng: &mut Xoshiro256PlusPlus) -> Sample {
    let mut game = Junqi::new(&JunqiVariant::default());
    for side in Side::BOTH {
        seats[side.index()].new_game(&Value::Null, side, None);
    }
    let mut terms = vec![(WEIGHT_COUNT, 1.0)];
    while game.verdict().is_none() {
        let mover = game.to_move();
        let ply = if game.plies() < 2 {
            let set_up = Drawing::TO_LEARN.set_up(rng);
            let sign = if mover == Side::Black { 1.0 } else { -1.0 };
            terms.extend(places(&set_up).map(|place| (place, sign)));
            Ply::SetUp(set_up)
        } else {
            let text = seats[mover.index()].think(ThinkLimits::default());
            let ply = game.read_ply(&text).expect("the player's own ply");
            if mover == Side::White { game.turned(ply) } else { ply }
        };
        let tried = game.play(ply).expect("a legal ply");
        for seat in Side::BOTH {
            let learned = game.learned(ply, tried.end, &tried.memo, mover, seat);
            learned.iter().for_each(|event| seats[seat.index()].learn(event));
        }
    }
    let winner = game.verdict().and_then(|verdict| verdict.winner);
    Sample { terms, target: winner.map_or(0.5, |winner| f32::from(u8::from(winner == Side::Black))) }
}

/// The weights in use, and nothing for the first move.
fn in_use() -> Vec<f32> {
    PROVEN.iter().map(|&weight| weight as f32 / UNITS).chain([0.0]).collect()
}

/// Weights fitted to these games.
fn fitted(samples: &[Sample], pull: f32) -> Vec<f32> {
    fit(samples, &in_use(), &Fitting { epochs: 60, rate: 0.01, decay: 0.94, scale: 1.0, pull })
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| words.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let path = words.first().expect("where to write the weights");
    let (games, nodes, seed) = (number(1, 8000), number(2, 2000), number(3, 1));
    let samples: Vec<Sample> = (seed..seed + games)
        .map(|number| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
            let settings = |side: u64| Settings { memory: 16 << 20, ..Settings::with_seed(number * 2 + side) };
            let mut seats = [0, 1].map(|side| player("junqi".to_owned(), Strength::of(nodes, 0), &settings(side)));
            lesson(&mut seats, &mut rng)
        })
        .collect();
    let (test, train) = samples.split_at(samples.len() / 5);
    let loss_of = |weights: &[f32]| loss(test, weights, 1.0);
    let (nothing, before) = (loss_of(&[0.0; WEIGHT_COUNT + 1]), loss_of(&in_use()));
    println!("{games} games; of those held back the loss is {nothing:.5} knowing nothing, {before:.5} as before");
    let tried = PULLS.map(|pull| {
        let loss = loss_of(&fitted(train, pull));
        println!("pull {pull}: loss {loss:.5}");
        (loss, pull)
    });
    let (_, pull) = tried.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).expect("several pulls");
    let weights = fitted(&samples, pull);
    println!("pull {pull} taken; the first move is worth {:.3}", weights[WEIGHT_COUNT]);
    let lines: Vec<String> = weights[..WEIGHT_COUNT]
        .chunks(PIECES)
        .map(|row| row.iter().map(|weight| format!("{:.0}", weight * UNITS)).collect::<Vec<_>>().join(" "))
        .collect();
    std::fs::write(path, lines.join("\n") + "\n").expect("a file that can be written");
}

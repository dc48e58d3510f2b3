//! How well the belief tells the truth: `cargo run --profile quick -p engines --example junqi_belief -- JOURNAL…`.
//!
//! Plays recorded games (journals of `junqi_arena` or `boyi match --dir`) through both seats' beliefs and says what the true ranks of the
//! enemy's living pieces had as a logarithm of their chance, on average; nearer to 0 is better.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use engines::junqi::Belief;
use games::junqi::{CAMPS, Junqi, JunqiVariant, PIECES, Ply, STATIONS};
use games::{Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// Set-ups drawn for a look.
const DRAWN: u32 = 150;

fn slot_station(slot: usize, side: Side) -> usize {
    let own = (STATIONS / 2..STATIONS).filter(|station| CAMPS >> station & 1 == 0).nth(slot).unwrap_or(0);
    if side == Side::Black { own } else { STATIONS - 1 - own }
}

fn main() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a journal");
        let mut sums = [[0.0_f64; 2]; 2];
        let mut by_rank = [[0.0_f64; 2]; 12];
        for line in text.lines() {
            let entry: Value = serde_json::from_str(line).expect("a game");
            let first = usize::from(entry["black"] != 0);
            let variant = JunqiVariant::default();
            let mut game = Junqi::new(&variant);
            let mut beliefs = Side::BOTH.map(|seat| Belief::new(variant.clone(), seat, None));
            // Which slot stands where, for both sides.
            let mut standing = [[None; STATIONS]; 2];
            for (number, played) in entry["record"]["plies"].as_array().expect("plies").iter().enumerate() {
                let Ok(ply) = game.read_ply(played["ply"].as_str().expect("a ply")) else { break };
                let mover = game.to_move();
                let Ok(tried) = game.play(ply) else { break };
                if let Ply::Move { from, to } = ply {
                    let piece = standing[mover.index()][usize::from(from)].take();
                    standing[mover.index()][usize::from(to)] = piece;
                } else {
                    for slot in 0..PIECES {
                        standing[mover.index()][slot_station(slot, mover)] = Some(slot);
                    }
                }
                for seat in Side::BOTH {
                    let events = game.learned(ply, tried.end, &tried.memo, mover, seat);
                    events.iter().for_each(|event| beliefs[seat.index()].learn(event));
                }
                if game.verdict().is_some() {
                    break;
                }
                let seat = game.to_move();
                if number < 2 || number % 3 != 0 {
                    continue;
                }
                let belief = &mut beliefs[seat.index()];
                let mut chances = [[0.02_f64; 12]; PIECES];
                for _ in 0..DRAWN {
                    if belief.imagine(&mut rng).is_some()
                        && let Some(set_up) = belief.drawn()
                    {
                        set_up.iter().enumerate().for_each(|(slot, &rank)| chances[slot][rank as usize] += 1.0);
                    }
                }
                let count: f64 = chances[0].iter().sum();
                if count < f64::from(DRAWN) / 2.0 {
                    println!("game {} ply {number}: {count:.0} of {DRAWN} drawn", entry["number"]);
                }
                let enemy = seat.other();
                let a_knows = usize::from((seat.index() == 0) != (first == 0));
                for (station, slot) in standing[enemy.index()].iter().enumerate() {
                    let (Some((side, rank)), Some(slot)) = (game.piece_at(station), *slot) else { continue };
                    if side == enemy {
                        let total: f64 = chances[slot].iter().sum();
                        let worth = (chances[slot][rank as usize] / total).ln();
                        sums[a_knows][0] += worth;
                        sums[a_knows][1] += 1.0;
                        by_rank[rank as usize][0] += worth;
                        by_rank[rank as usize][1] += 1.0;
                    }
                }
            }
        }
        let mean = |sum: [f64; 2]| sum[0] / sum[1];
        println!("{path}: of B's {:.4}, of A's {:.4}", mean(sums[0]), mean(sums[1]));
        let ranks: Vec<String> = by_rank.iter().map(|&sum| format!("{:.2}", mean(sum))).collect();
        println!("   {}", ranks.join(" "));
    }
}

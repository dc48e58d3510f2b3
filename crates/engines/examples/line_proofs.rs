//! The exactness of the gomoku and Connect6 players over many positions:
//! `cargo run --profile quick -p engines --example line_proofs -- [positions] [wins]`, by default 10000 and 100.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

#[path = "../tests/exactness/mod.rs"]
mod exactness;

use exactness::{connect6, gomoku};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    let given: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (positions, wins) = (given.first().copied().unwrap_or(10_000), given.get(1).copied().unwrap_or(100));
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(2026);
    println!("gomoku: {} wins by fours proven against every defence", gomoku::proves_wins(wins, rng));
    println!("gomoku: {} wins by threats proven against every reply", gomoku::proves_threats(wins, rng));
    println!("gomoku: {} short wins, all found", gomoku::finds_short_wins(wins, rng));
    println!("connect6: {} wins by threats proven against every defence", connect6::proves_wins(wins, rng));
    let asked = gomoku::never_misses_one(positions, 60, rng);
    println!("gomoku: {positions} positions, {asked} asked for a win or a block of one, none missed");
    let asked = connect6::never_misses_one(positions, 3, rng);
    println!("connect6: {positions} positions, {asked} asked for a win or a block of one, none missed");
}

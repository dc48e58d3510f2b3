//! How many points a second renju's judge looks at, on the positions of `tests/data/renju_forbidden.tsv`.
//! `cargo run --release -p games --example renju_speed`

use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use games::Game;
use games::gomoku::{Gomoku, GomokuVariant, Point, Rule};

const POSITIONS: &str = include_str!("../tests/data/renju_forbidden.tsv");

/// Of this many rounds the best counts: noise only ever slows down.
const ROUNDS: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variant = GomokuVariant { rule: Rule::RENJU, ..GomokuVariant::default() };
    let mut boards = Vec::new();
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let stones = line.split('\t').next().unwrap_or_default();
        let mut rows = Vec::new();
        for row in stones.as_bytes().chunks(15) {
            let mut text = String::new();
            for part in row.chunk_by(|a, b| a == b) {
                match part[0] {
                    b'X' => text.push_str(&"b".repeat(part.len())),
                    b'O' => text.push_str(&"w".repeat(part.len())),
                    _ => text.push_str(&part.len().to_string()),
                }
            }
            rows.push(text);
        }
        boards.push(Gomoku::read_position(&variant, &format!("{} b 0", rows.join("/")))?);
    }
    let (mut best, mut forbidden) = (0.0_f64, 0_u64);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut judged = 0_u64;
        forbidden = 0;
        for board in &boards {
            for y in 0..15 {
                for x in 0..15 {
                    let point = Point::new(x, y);
                    if board.colour_at(point).is_none() {
                        judged += 1;
                        forbidden += u64::from(black_box(board.foul_at(point)).is_some());
                    }
                }
            }
        }
        best = best.max(judged as f64 / start.elapsed().as_secs_f64());
    }
    writeln!(std::io::stdout(), "{:.1} M points/s judged, {forbidden} forbidden", best / 1e6)?;
    Ok(())
}

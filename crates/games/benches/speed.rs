//! How fast the rules are, beside the public figures they are compared with. `cargo bench -p games`.
//!
//! Random playouts a second from the start to the end, and leaves a second of perft counted in bulk, one core.

use std::io::Write as _;
use std::time::{Duration, Instant};

/// What others reach with random playouts, and what we must reach at least.
struct Goal {
    game: &'static str,
    variant: &'static str,
    public: Option<f64>,
    least: f64,
}

const fn five_times(game: &'static str, variant: &'static str, public: f64) -> Goal {
    Goal { game, variant, public: Some(public), least: public * 5.0 }
}

const PLAYOUTS: &[Goal] = &[
    five_times("amazons", "", 10_300.0),
    five_times("connect6", "", 1_630.0),
    five_times("nogo", "", 1_300.0),
    five_times("dots", "", 23_500.0),
    five_times("phantom-go", "", 1_160.0),
    five_times("surakarta", "", 440.0),
    five_times("gomoku", "size=15", 8_200.0),
    Goal { game: "junqi", variant: "", public: None, least: 50_000.0 },
    Goal { game: "tiaojia", variant: "", public: None, least: 200_000.0 },
];

/// Leaves a second: game, depth, the public figure, what we must reach at least.
const PERFT: &[(&str, u32, f64, f64)] = &[("amazons", 3, 480e6, 500e6), ("tiaojia", 6, 2.9e9, 3e9)];

/// Of this many measurements the best counts: noise only ever slows down.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wanted = |game: &str| only.as_deref().is_none_or(|only| game.contains(only));
    let mut out = std::io::stdout().lock();
    writeln!(out, "| random playouts | public /s | ours /s | ratio | at least | plies a game |")?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|")?;
    for goal in PLAYOUTS.iter().filter(|goal| wanted(goal.game)) {
        let Ok(game) = games::find(goal.game) else {
            writeln!(out, "| {} | not registered |", goal.game)?;
            continue;
        };
        let variant = games::read_pairs(goal.variant.split_whitespace())?;
        let (mut best, mut length) = (0.0_f64, 0.0);
        for round in 0..ROUNDS {
            let start = Instant::now();
            let mut count = 0_u32;
            let played = game.playouts(&variant, round as u64, &mut || {
                count += 1;
                count.is_multiple_of(16) && start.elapsed() > Duration::from_millis(700)
            })?;
            best = best.max(played.games as f64 / start.elapsed().as_secs_f64());
            length = played.plies as f64 / played.games as f64;
        }
        let public = goal.public.map_or("–".to_owned(), |public| format!("{public:.0}"));
        let ratio = goal.public.map_or("–".to_owned(), |public| format!("{:.1}×", best / public));
        let met = if best >= goal.least { "met" } else { "NOT met" };
        let least = goal.least;
        writeln!(out, "| {} | {public} | {best:.0} | {ratio} | {least:.0} {met} | {length:.0} |", goal.game)?;
    }
    writeln!(out, "\n| bulk perft | depth | public /s | ours /s | ratio | at least |\n|---|---:|---:|---:|---:|---:|")?;
    for &(id, depth, public, least) in PERFT.iter().filter(|row| wanted(row.0)) {
        let Ok(game) = games::find(id) else {
            writeln!(out, "| {id} | not registered |")?;
            continue;
        };
        let table = game.open(&serde_json::Value::Null, None)?;
        let start = Instant::now();
        let leaves = table.perft(depth);
        let speed = leaves as f64 / start.elapsed().as_secs_f64();
        let met = if speed >= least { "met" } else { "NOT met" };
        let millions = |value: f64| format!("{:.0} M", value / 1e6);
        writeln!(
            out,
            "| {id} | {depth} | {} | {} | {:.1}× | {} {met} |",
            millions(public),
            millions(speed),
            speed / public,
            millions(least)
        )?;
    }
    Ok(())
}

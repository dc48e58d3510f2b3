//! Positions a second of the strong players, one core: `cargo bench -p engines`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Duration;

use engines::Settings;
use engines::kit::{Budget, Mind};
use games::Game;

/// A mind thinks about the start and the game's example position for a second each.
fn measure<G: Game, M: Mind<G>>(name: &str, mut mind: M) {
    let variant = G::Variant::default();
    for (place, position) in [("start", None), ("example", Some(G::FACTS.example))] {
        let game = position.map_or_else(|| G::new(&variant), |text| G::read_position(&variant, text).expect("legal"));
        mind.forget();
        let budget = Budget::of_time(Duration::from_secs(1));
        let Some(thought) = mind.choose(&game, &budget) else { continue };
        let mut line = String::new();
        game.write_ply(thought.ply, &mut line);
        let speed = thought.nodes as f64 / budget.elapsed().as_secs_f64();
        println!(
            "{name:12} {place:8} {speed:>12.0} nodes/s  depth {:>3}  score {:>7}  {line}",
            thought.depth, thought.score
        );
    }
}

fn main() {
    let settings = Settings::with_seed(1);
    measure("gomoku", engines::gomoku::GomokuMind::new(&settings));
    measure("amazons", engines::amazons::AmazonsMind::new(&settings));
    measure("nogo", engines::nogo::NoGoMind::new(&settings));
    measure("surakarta", engines::surakarta::SurakartaMind::new(&settings));
    measure("tiaojia", engines::tiaojia::TiaojiaMind::new(&settings));
}

//! Matches of the gomoku and Connect6 players by positions looked at, so that the machine's load does not matter:
//! `cargo run --profile quick -p engines --example line_games -- GAME VARIANT A_NODES B_NODES [games] [opening plies]`.
//!
//! VARIANT is JSON (`null`, `{"rule":"renju"}`). Openings are random stones near the middle, both colours over each.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use engines::Settings;
use engines::gomoku::GomokuMind;
use engines::kit::{Budget, Mind};
use games::gomoku::{Gomoku, Ply, Point};
use games::random::below;
use games::{End, Game, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Stones near the middle that leave the game open.
fn gomoku_opening(variant: &<Gomoku as Game>::Variant, seed: u64, stones: u32) -> Gomoku {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Gomoku::new(variant);
    for _ in 0..stones {
        let mut near = |side: usize| (side / 2).saturating_sub(2) + below(&mut rng, 5) as usize;
        let ply = Ply::One(Point::new(near(game.width()), near(game.height())));
        if game.judge(ply) == Ok(End::Played) {
            game.apply(ply, End::Played);
        }
    }
    game
}

/// One game; the winner, and how many positions each looked at.
fn play<G: Game, M: Mind<G>>(mut game: G, minds: [&mut M; 2], nodes: [u64; 2]) -> Option<Side> {
    let minds = minds.map(|mind| {
        mind.new_game(&game);
        mind
    });
    while game.verdict().is_none() {
        let index = game.to_move().index();
        let Some(thought) = minds[index].choose(&game, &Budget::of_nodes(nodes[index])) else { break };
        assert_eq!(game.judge(thought.ply), Ok(End::Played), "an illegal ply: {game:?}");
        game.apply(thought.ply, End::Played);
    }
    game.verdict().and_then(|verdict| verdict.winner)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual: u64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let text = arguments.get(1).map_or("null", String::as_str);
    let variant = serde_json::from_str(text).expect("JSON");
    let (nodes, count, stones) = ([number(2, 2000), number(3, 2000)], number(4, 20), number(5, 4) as u32);
    let settings = Settings { memory: 32 << 20, ..Settings::with_seed(1) };
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let mut minds = [GomokuMind::new(&settings), GomokuMind::new(&settings)];
    minds[0].experiment(true);
    for number in 0..count {
        let variant = games::read_variant(&variant).expect("a variant");
        let game = gomoku_opening(&variant, 1 + number / 2, stones);
        let [a, b] = &mut minds;
        let a_is = Side::BOTH[(number % 2) as usize];
        let winner =
            if a_is == Side::Black { play(game, [a, b], nodes) } else { play(game, [b, a], [nodes[1], nodes[0]]) };
        match winner {
            None => drawn += 1,
            Some(winner) if winner == a_is => won += 1,
            Some(_) => lost += 1,
        }
        if number % 10 == 9 || number + 1 == count {
            println!("{}: {won} won, {drawn} drawn, {lost} lost", number + 1);
        }
    }
}

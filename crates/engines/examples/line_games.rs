//! Matches of the gomoku and Connect6 players by positions looked at, so that the machine's load does not matter:
//! `cargo run --profile quick -p engines --example line_games -- GAME VARIANT A_NODES B_NODES [games] [opening plies]`.
//!
//! B_NODES of 0 is the baseline `lines` in Connect6. VARIANT is JSON (`null`, `{"rule":"renju"}`). Openings are random stones near the middle, both colours over each.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use std::time::{Duration, Instant};

use engines::Settings;
use engines::connect6::{Connect6Mind, LinesMind};
use engines::gomoku::GomokuMind;
use engines::kit::{Budget, Mind};
use games::connect6::{Connect6, Stones};
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

/// Random plies near the middle that leave the game open.
fn connect6_opening(variant: &<Connect6 as Game>::Variant, seed: u64, plies: u32) -> Connect6 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Connect6::new(variant);
    while game.plies() < plies {
        let mut near = || (game.size() / 2).saturating_sub(3) + below(&mut rng, 7) as usize;
        let mut stone = || (near() * 32 + near()) as u16;
        let ply = if game.stones_due() == 1 { Stones::one(stone()) } else { Stones::two(stone(), stone()) };
        if game.judge(ply) == Ok(End::Played) {
            game.apply(ply, End::Played);
        }
    }
    game
}

/// Won, drawn and lost of the first mind, positions looked at, and the time it took.
#[derive(Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
    nodes: u64,
    time: Duration,
}

impl Tally {
    /// One game; the winner.
    fn play<G: Game, A: Mind<G>, B: Mind<G>>(
        &mut self,
        mut game: G,
        (a, b): (&mut A, &mut B),
        a_is: Side,
        nodes: [u64; 2],
    ) {
        a.forget();
        b.forget();
        while game.verdict().is_none() {
            let budget = |index: usize| Budget::of_nodes(nodes[index]);
            let began = Instant::now();
            let thought =
                if game.to_move() == a_is { a.choose(&game, &budget(0)) } else { b.choose(&game, &budget(1)) };
            let Some(thought) = thought else { break };
            self.time += began.elapsed();
            self.nodes += thought.nodes;
            assert_eq!(game.judge(thought.ply), Ok(End::Played), "an illegal ply: {game:?}");
            game.apply(thought.ply, End::Played);
        }
        match game.verdict().and_then(|verdict| verdict.winner) {
            None => self.drawn += 1,
            Some(winner) if winner == a_is => self.won += 1,
            Some(_) => self.lost += 1,
        }
    }

    fn show(&self) {
        let Self { won, drawn, lost, nodes, time } = self;
        let speed = *nodes as f64 / time.as_secs_f64();
        println!("{}: {won} won, {drawn} drawn, {lost} lost; {speed:.0} nodes/s", won + drawn + lost);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual: u64| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let game = arguments.first().map_or("gomoku", String::as_str);
    let variant = serde_json::from_str(arguments.get(1).map_or("null", String::as_str)).expect("JSON");
    let (nodes, count, plies) = ([number(2, 2000), number(3, 2000)], number(4, 20), number(5, 4) as u32);
    let settings = Settings { memory: 32 << 20, ..Settings::with_seed(1) };
    let mut tally = Tally::default();
    let mut gomoku = [GomokuMind::new(&settings), GomokuMind::new(&settings)];
    let mut connect6 = [Connect6Mind::new(&settings), Connect6Mind::new(&settings)];
    let mut lines = LinesMind::new(1);
    for number in 0..count {
        let (seed, a_is) = (1 + number / 2, Side::BOTH[(number % 2) as usize]);
        if game == "gomoku" {
            let start = gomoku_opening(&games::read_variant(&variant).expect("a variant"), seed, plies);
            let [a, b] = &mut gomoku;
            tally.play(start, (a, b), a_is, nodes);
        } else {
            let start = connect6_opening(&games::read_variant(&variant).expect("a variant"), seed, plies);
            let [a, b] = &mut connect6;
            // No positions at all is the baseline.
            if nodes[1] == 0 {
                tally.play(start, (a, &mut lines), a_is, nodes);
            } else {
                tally.play(start, (a, b), a_is, nodes);
            }
        }
        if number % 20 == 19 || number + 1 == count {
            tally.show();
        }
    }
}

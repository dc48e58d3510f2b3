//! Matches of the players of Dots and Boxes, Phantom Go and Junqi by fixed work, so that a busy machine does not matter:
//! `cargo run -p engines --example hidden_lab -- GAME A B [games] [opening plies]`.
//!
//! A and B are names of styles, `n5000` (so many positions or playouts a ply), `n5000/45` (and 45 slips in a thousand plies)
//! or `t100` (so many milliseconds a ply).
//! Both colours over each opening. `solve` as A measures the exact player of Dots instead: `-- dots solve LINES COUNT`.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use engines::Settings;
use engines::dots::DotsMind;
use engines::kit::{Budget, Strength};
use games::dots::{Dots, DotsVariant, Line};
use games::random::{below, nth_bit_wide};
use games::{End, Eyes, Game as _, Listing, Side};
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

struct Seat {
    player: Box<dyn Player>,
    limits: ThinkLimits,
    longest: Duration,
}

fn seat(game: &'static dyn Listing, name: &str, seed: u64) -> Seat {
    let settings = Settings { memory: 32 << 20, ..Settings::with_seed(seed) };
    let turn = |milliseconds| Some(Duration::from_millis(milliseconds));
    let (work, slips) = name.split_once('/').unwrap_or((name, "0"));
    let number = |prefix| work.strip_prefix(prefix).and_then(|rest: &str| rest.parse::<u64>().ok());
    let full = |strength| -> Box<dyn Player> {
        match game.facts().id {
            "dots" => Box::new(engines::dots::player(name.to_owned(), strength, &settings)),
            "junqi" => Box::new(engines::junqi::player(name.to_owned(), strength, &settings)),
            _ => Box::new(engines::phantom_go::player(name.to_owned(), strength, &settings)),
        }
    };
    let (player, turn) = match (number('n'), number('t')) {
        (Some(nodes), _) => (full(Strength::of(nodes, slips.parse().expect("slips"))), turn(600_000)),
        (_, Some(milliseconds)) => (full(Strength::FULL), turn(milliseconds)),
        _ => (engines::player_with(game, engines::style(name).expect("a player"), &settings), turn(600_000)),
    };
    Seat { player, limits: ThinkLimits { turn, ..ThinkLimits::default() }, longest: Duration::ZERO }
}

/// Plays a game; gives the winner and why.
fn play(game: &'static dyn Listing, seats: &mut [Seat; 2], seed: u64, opening: usize) -> (Option<Side>, String) {
    let mut table = game.open(&Value::Null, None).expect("the usual variant");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for side in Side::BOTH {
        seats[side.index()].player.new_game(&table.variant(), side, None);
    }
    while table.verdict().is_none() {
        let side = table.to_move();
        // Set-ups are the players' own.
        let random = (table.plies() as usize) < opening && game.facts().id != "junqi";
        let (ply, eyes) = if random {
            (table.random_ply(&mut rng).expect("a ply"), Eyes::All)
        } else {
            let began = Instant::now();
            let seat = &mut seats[side.index()];
            let ply = seat.player.think(seat.limits);
            seat.longest = seat.longest.max(began.elapsed());
            (ply, Eyes::Seat(side))
        };
        let Ok(played) = table.play(&ply, eyes) else {
            return (Some(side.other()), format!("illegal {ply:?} of {}", seats[side.index()].player.name()));
        };
        if matches!(played.end, End::Refused(_)) && random {
            table.undo();
            continue;
        }
        for side in [played.mover, played.mover.other()] {
            table.learned(side).iter().for_each(|event| seats[side.index()].player.learn(event));
        }
    }
    let verdict = table.verdict().expect("the end");
    (verdict.winner, format!("{} ~{}", verdict.reason.code, verdict.ply / 40 * 40))
}

fn solve(lines: u32, count: u64) {
    let mut mind = DotsMind::new(&Settings { memory: 128 << 20, ..Settings::with_seed(1) });
    let (mut times, mut nodes) = (Vec::new(), 0);
    for number in 0..count {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut game = Dots::new(&DotsVariant::default());
        while game.free_lines().count_ones() > lines {
            // As games go: lines that give nothing away while there are any.
            let free = game.free_lines() & !game.completing_lines();
            let mut from = free;
            for bit in (0..128).filter(|bit| free >> bit & 1 == 1) {
                game.draw_line(Line::from_bit(bit));
                if game.completing_lines() != 0 {
                    from &= !(1 << bit);
                }
                game.undo_line(Line::from_bit(bit));
            }
            let from = if from != 0 { from } else { game.free_lines() };
            game.draw_line(Line::from_bit(nth_bit_wide(from, below(&mut rng, from.count_ones()))));
        }
        let began = Instant::now();
        let found = mind.wins(&game, &Budget::of_time(Duration::from_secs(60)));
        times.push(began.elapsed());
        nodes += found.map_or(0, |(_, nodes)| nodes);
        println!("{number}: {found:?} {:?}", began.elapsed());
    }
    times.sort();
    let whole: Duration = times.iter().sum();
    println!(
        "median {:?}, worst {:?}, all {whole:?}, {nodes} positions",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |index: usize, usual: &str| arguments.get(index).cloned().unwrap_or_else(|| usual.to_owned());
    let number = |index: usize, usual: u64| given(index, "").parse().unwrap_or(usual);
    if given(1, "") == "solve" {
        return solve(number(2, 30) as u32, number(3, 20));
    }
    let game = games::find(&given(0, "dots")).expect("a game");
    let (count, opening) = (number(3, 20), number(4, 4) as usize);
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let mut endings: BTreeMap<String, u32> = BTreeMap::new();
    let mut longest = [Duration::ZERO; 2];
    let began = Instant::now();
    for round in 0..count {
        let first = Side::BOTH[(round % 2) as usize];
        let make = |index: usize| seat(game, &given(1 + index, "max"), round * 2 + index as u64);
        let mut seats = [make(first.index()), make(1 - first.index())];
        let (winner, why) = play(game, &mut seats, 1 + round / 2, opening);
        let result = match winner {
            None => {
                drawn += 1;
                "drawn"
            }
            Some(winner) if winner == first => {
                won += 1;
                "won"
            }
            Some(_) => {
                lost += 1;
                "lost"
            }
        };
        longest[0] = longest[0].max(seats[first.index()].longest);
        longest[1] = longest[1].max(seats[1 - first.index()].longest);
        *endings.entry(format!("{result} by {why}")).or_default() += 1;
    }
    println!("{won} won, {drawn} drawn, {lost} lost of {count}; longest plies {longest:?}; {:?}", began.elapsed());
    endings.iter().for_each(|(why, count)| println!("  {count:>4} {why}"));
}

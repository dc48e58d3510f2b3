//! The players of Dots and Boxes, Phantom Go and Junqi: every variant to the end, never an illegal ply, the same again
//! with the same seed, and a short clock kept.

use std::time::Duration;

use engines::{Settings, Style};
use games::{Eyes, Listing, Side};
use protocols::{Player, ThinkLimits};
use serde_json::{Value, json};

/// Plays a game and gives its plies; panics at the first that is illegal.
fn play(
    game: &'static dyn Listing,
    variant: &Value,
    styles: [Style; 2],
    seed: u64,
    limits: ThinkLimits,
) -> Vec<String> {
    let mut table = game.open(variant, None).expect("a good variant");
    let settings = Settings { memory: 8 << 20, ..Settings::with_seed(seed) };
    let mut players: [Box<dyn Player>; 2] = styles.map(|style| engines::player_with(game, style, &settings));
    for side in Side::BOTH {
        players[side.index()].new_game(&table.variant(), side, None);
    }
    let mut plies = Vec::new();
    while table.verdict().is_none() {
        let seat = table.to_move();
        let ply = players[seat.index()].think(limits);
        let played = table.play(&ply, Eyes::Seat(seat)).unwrap_or_else(|fault| {
            panic!(
                "{} of {}: {ply:?} in {} {variant}: {fault:?}",
                players[seat.index()].name(),
                game.facts().id,
                table.position(Eyes::All)
            )
        });
        for side in [played.mover, played.mover.other()] {
            table.learned(side).iter().for_each(|event| players[side.index()].learn(event));
        }
        plies.push(ply);
    }
    plies
}

fn variants() -> Vec<(&'static dyn Listing, Value)> {
    let dots = |rows: u8, cols: u8| ("dots", json!({ "rows": rows, "cols": cols }));
    [
        dots(6, 6),
        dots(2, 2),
        dots(2, 8),
        dots(8, 3),
        dots(5, 5),
        dots(8, 8),
        ("junqi", json!({ "steps": 31 })),
        ("junqi", json!({ "steps": 1 })),
        ("junqi", json!({ "steps": 5 })),
        ("phantom-go", json!({ "ko": "positional" })),
        ("phantom-go", json!({ "ko": "simple", "komi": -7.5, "max_plies": 40 })),
        ("phantom-go", json!({ "tie": "draw", "max_plies": 1 })),
    ]
    .into_iter()
    .map(|(game, variant)| (games::find(game).expect("a game"), variant))
    .collect()
}

#[test]
fn every_variant_is_played_to_its_end_and_a_seed_tells_the_game() {
    for (game, variant) in variants() {
        for (seed, styles) in
            [[Style::Level(2), Style::Greedy], [Style::Random, Style::Level(3)], [Style::Level(2), Style::Level(1)]]
                .into_iter()
                .enumerate()
        {
            let limits = ThinkLimits { turn: Some(Duration::from_secs(600)), ..ThinkLimits::default() };
            let plies = play(game, &variant, styles, seed as u64, limits);
            if seed == 2 {
                let again = play(game, &variant, styles, seed as u64, limits);
                assert_eq!(plies, again, "{} {variant}", game.facts().id);
            }
        }
    }
}

#[test]
fn full_strength_keeps_a_short_clock() {
    let limits = ThinkLimits { turn: Some(Duration::from_millis(10)), ..ThinkLimits::default() };
    for name in ["dots", "junqi", "phantom-go"] {
        let game = games::find(name).expect("a game");
        let began = worked();
        let plies = play(game, &Value::Null, [Style::Max, Style::Level(1)], 1, limits);
        let average = worked().saturating_sub(began) / plies.len() as u32;
        assert!(average < Duration::from_millis(40), "{name}: {average:?} a ply");
    }
}

/// How long this thread has had a core, to the length of a tick: what a busy machine does to a player is not its fault.
fn worked() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    Duration::from_nanos(told.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number"))
}

/// Late in a game of Phantom Go one try after the other is refused, and all of them are on one turn's clock.
#[test]
fn a_turn_of_many_refusals_keeps_its_clock() {
    let limit = Duration::from_millis(10);
    let limits = ThinkLimits { turn: Some(limit), ..ThinkLimits::default() };
    let game = games::find("phantom-go").expect("a game");
    let mut turns = Vec::new();
    // How many such turns a game has follows from how much the players see, and that from the machine.
    for seed in 0..60 {
        if turns.len() >= 10 {
            break;
        }
        let mut table = game.open(&Value::Null, None).expect("a good variant");
        let settings = Settings { memory: 8 << 20, ..Settings::with_seed(seed) };
        let mut players = [Style::Max, Style::Max].map(|style| engines::player_with(game, style, &settings));
        for side in Side::BOTH {
            players[side.index()].new_game(&table.variant(), side, None);
        }
        let (mut tries, mut began) = (0, worked());
        while table.verdict().is_none() {
            let seat = table.to_move();
            let ply = players[seat.index()].think(limits);
            tries += 1;
            table.play(&ply, Eyes::Seat(seat)).expect("a legal try");
            for side in Side::BOTH {
                table.learned(side).iter().for_each(|event| players[side.index()].learn(event));
            }
            if table.to_move() != seat {
                if tries > 10 {
                    turns.push(worked().saturating_sub(began));
                }
                (tries, began) = (0, worked());
            }
        }
    }
    // Most of a turn is for the way to the referee and back.
    assert!(turns.len() >= 10, "only {} such turns", turns.len());
    let average = turns.iter().sum::<Duration>() / turns.len() as u32;
    assert!(average < limit * 3 / 10, "{average:?}");
}

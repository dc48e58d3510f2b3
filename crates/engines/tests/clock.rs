//! Full strength uses the time it is given and never more, in all nine games.

use std::time::{Duration, Instant};

use engines::{Settings, Style};
use games::{Eyes, GAMES, Side};
use protocols::{Player, ThinkLimits};

const LIMIT: Duration = Duration::from_millis(250);

/// The parts of the limit that `max` took for each of three plies early in a game against `greedy`.
fn parts(game: &'static dyn games::Listing) -> Vec<f64> {
    let mut table = game.open(&serde_json::json!({}), None).expect("the usual variant");
    let mut players: [Box<dyn Player>; 2] =
        [Style::Greedy, Style::Max].map(|style| engines::player_with(game, style, &Settings::with_seed(3)));
    for side in Side::BOTH {
        players[side.index()].new_game(&table.variant(), side, None);
    }
    let (mut parts, mut plies) = (Vec::new(), 0);
    while table.verdict().is_none() && parts.len() < 3 {
        let seat = table.to_move();
        let measured = seat == Side::White && plies >= 3;
        let turn = if measured { LIMIT } else { Duration::from_millis(10) };
        let begin = Instant::now();
        let ply = players[seat.index()].think(ThinkLimits { turn: Some(turn), ..ThinkLimits::default() });
        if measured {
            parts.push(begin.elapsed().as_secs_f64() / LIMIT.as_secs_f64());
        }
        let played = table.play(&ply, Eyes::Seat(seat)).unwrap_or_else(|fault| panic!("{ply}: {fault:?}"));
        for side in [played.mover, played.mover.other()] {
            table.learned(side).iter().for_each(|event| players[side.index()].learn(event));
        }
        plies += 1;
    }
    parts
}

#[test]
fn full_strength_uses_its_time_and_no_more() {
    for &game in GAMES {
        let id = game.facts().id;
        let parts = parts(game);
        // Who has found a win need not think on; a machine that is busy with something else may stop a ply at its limit.
        let (least, most) =
            parts.iter().fold((f64::MAX, 0.0_f64), |(least, most), &part| (least.min(part), most.max(part)));
        // In Phantom Go a turn may need many tries, so each takes a part of what is left.
        let wanted = if id == "phantom-go" { 0.35 } else { 0.8 };
        assert!(most >= wanted, "{id} took {parts:.2?} of its time");
        assert!(least <= 1.0, "{id} took {parts:.2?} of its time");
    }
}

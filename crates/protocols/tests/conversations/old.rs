//! Engines that know no extension: what they are sent is what they were always sent, byte for byte.
//!
//! `before.txt` was written by the referee's ends as they were before there was one.

use std::fmt::Write as _;
use std::path::Path;

use games::{Eyes, Side};
use protocols::{Act, Clock, Outcome, RefereeEnd, Retry, Setup};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde_json::Value;

const PLIES: usize = 12;

/// What an engine answers as it becomes ready.
fn greeting(protocol: &str) -> &'static str {
    match protocol {
        "sau" => "name old engine 1.0",
        "junqi" => "NAME old engine 1.0",
        _ => "OK",
    }
}

/// What an engine answers for a ply.
fn answer(protocol: &str, game: &str, ply: &str) -> String {
    match (protocol, game) {
        ("sau", "dots") => format!("move {} {ply}", ply.len() / 3),
        ("sau", _) => format!("move {ply}"),
        ("junqi", _) if ply.len() > 4 => format!("ARRAY {ply}"),
        ("junqi", _) => format!("BESTMOVE {ply}"),
        _ => ply.to_owned(),
    }
}

/// Everything that is sent to an engine on this seat in one game of random plies.
fn sent(game: &str, seat: Side) -> String {
    let listing = games::find(game).unwrap();
    let protocol = protocols::find(game, None).unwrap();
    let id = protocol.facts().id;
    let mut table = listing.open(&Value::Null, None).unwrap();
    let setup = Setup {
        game: listing.facts().id,
        variant: table.variant(),
        seat,
        clock: Clock::default(),
        memory: None,
        options: Value::Null,
    };
    let mut end = protocol.referee_end(setup).unwrap();
    let mut text = String::new();
    let mut act = |happen: &mut dyn FnMut(&mut dyn RefereeEnd, &mut Vec<Act>)| {
        let mut acts = Vec::new();
        happen(end.as_mut(), &mut acts);
        for act in acts {
            if let Act::Send(lines) = act {
                let _ = writeln!(text, "{lines}");
            }
        }
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    act(&mut |end, out| end.open(out));
    act(&mut |end, out| end.line(greeting(id), out));
    act(&mut |end, out| end.begin(out));
    for number in 0..PLIES {
        let ply = table.random_ply(&mut rng).unwrap();
        let mover = table.to_move();
        if mover == seat {
            act(&mut |end, out| end.turn(Clock::default(), out));
            if number == 4 {
                act(&mut |end, out| {
                    assert_eq!(end.illegal(out), if id == "sau" { Retry::Again } else { Retry::Never });
                });
            }
        }
        table.play(&ply, Eyes::All).unwrap();
        let own = table.step(table.steps() - 1, Eyes::Seat(mover)).and_then(|step| step.ply).unwrap();
        if mover == seat {
            act(&mut |end, out| end.line(&answer(id, game, &own), out));
        }
        let events = table.learned(seat);
        act(&mut |end, out| end.learned(mover == seat, &events, out));
    }
    act(&mut |end, out| end.over(Outcome::Won, out));
    act(&mut |end, out| end.close(out));
    text
}

#[test]
fn an_old_engine_is_sent_what_it_always_was() {
    let mut all = String::new();
    for game in ["amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "junqi", "tiaojia"] {
        for seat in Side::BOTH {
            let _ = writeln!(all, "# {game}, {seat}\n{}", sent(game, seat));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations/before.txt");
    let before = std::fs::read_to_string(path).unwrap();
    // White prepares before the first clock starts, and is asked a question it knows to tell when it has done so.
    assert_eq!(all, before.replace("\nnew white\n", "\nnew white\nname?\n"));
}

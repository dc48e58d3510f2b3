//! Junqi: what the player believes, against random games.

use engines::Settings;
use engines::junqi::Belief;
use engines::kit::Strength;
use games::junqi::{Junqi, JunqiVariant, Ply, SetUp};
use games::random::below;
use games::{Event, Game as _, Side};
use protocols::{Player as _, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// A random ply, a contact more often than not, so that there is something to see.
fn random_ply(game: &Junqi, rng: &mut Xoshiro256PlusPlus) -> Ply {
    let enemy = game.pieces(game.to_move().other());
    let mut contacts = Vec::new();
    if game.plies() >= 2 {
        let _ = game.visit_legal(|ply| {
            if let Ply::Move { to, .. } = ply
                && enemy >> to & 1 == 1
            {
                contacts.push(ply);
            }
            ControlFlow::Continue(())
        });
    }
    if !contacts.is_empty() && below(rng, 3) == 0 {
        return contacts[below(rng, contacts.len() as u32) as usize];
    }
    game.random_ply(rng).expect("a game that goes on has a ply")
}

/// What a seat learns from this game, played through from the set-ups.
fn replayed(variant: &JunqiVariant, set_ups: [SetUp; 2], moves: &[Ply], seat: Side) -> Vec<Event> {
    let mut game = Junqi::new(variant);
    let mut events = Vec::new();
    for ply in set_ups.map(Ply::SetUp).iter().chain(moves) {
        assert!(game.verdict().is_none(), "the game went on");
        let mover = game.to_move();
        let tried = game.play(*ply).expect("a legal ply");
        events.extend(game.learned(*ply, tried.end, &tried.memo, mover, seat));
    }
    assert!(game.verdict().is_none(), "the game goes on");
    events
}

#[test]
fn the_truth_is_never_ruled_out_and_every_set_up_gives_what_was_learned() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut drawn, mut missing, mut contacts) = (0, 0, 0);
    for number in 0..3000_u32 {
        let variant = JunqiVariant { steps: if number % 3 == 0 { 0 } else { 31 } };
        let mut game = Junqi::new(&variant);
        let mut beliefs = Side::BOTH.map(|seat| Belief::new(variant.clone(), seat, None));
        let mut learned = [Vec::new(), Vec::new()];
        let mut set_ups = Vec::new();
        let mut moves = Vec::new();
        for _ in 0..10 + below(&mut rng, 250) {
            let (ply, mover) = (random_ply(&game, &mut rng), game.to_move());
            let tried = game.play(ply).expect("a legal ply");
            if game.verdict().is_some() {
                game.undo(tried.memo);
                break;
            }
            match ply {
                Ply::SetUp(set_up) => set_ups.push(set_up),
                Ply::Move { .. } => moves.push(ply),
            }
            for seat in Side::BOTH {
                let events = game.learned(ply, tried.end, &tried.memo, mover, seat);
                events.iter().for_each(|event| beliefs[seat.index()].learn(event));
                learned[seat.index()].extend(events);
            }
        }
        let truth = [set_ups[0], set_ups[1]];
        for seat in Side::BOTH {
            let belief = &mut beliefs[seat.index()];
            assert!(belief.agrees(&truth[seat.other().index()]), "game {number}: the truth is ruled out for {seat}");
            for _ in 0..4 {
                let Some(world) = belief.imagine(&mut rng) else {
                    missing += 1;
                    continue;
                };
                drawn += 1;
                let mut imagined = truth;
                imagined[seat.other().index()] = belief.drawn().expect("just drawn");
                assert_eq!(replayed(&variant, imagined, &moves, seat), learned[seat.index()], "game {number}, {seat}");
                assert_eq!(world.pieces(seat.other()), game.pieces(seat.other()));
                contacts += usize::from(world.pieces(seat.other()).count_ones() < 25);
            }
        }
    }
    assert!(missing * 50 < drawn && contacts > 1000, "{drawn} drawn, {missing} missing, {contacts} after losses");
}

/// What the player does with the first side's pieces in a position where nothing is hidden.
fn answer(position: &str) -> String {
    let mut player = engines::junqi::player("tested".to_owned(), Strength::of(3000, 0), &Settings::with_seed(1));
    player.new_game(&serde_json::json!({ "steps": 31 }), Side::Black, Some(position));
    player.think(ThinkLimits::default())
}

#[test]
fn a_flag_within_reach_is_taken() {
    assert_eq!(answer("1l3/1G3/5/5/5/a4/H4/5/5/5/5/1L3 b 3 b 100"), "B1A1");
}

#[test]
fn a_contact_that_loses_a_piece_is_better_than_the_end_of_the_run() {
    assert_eq!(answer("1l3/5/5/5/5/a4/H4/5/5/5/4G/1L3 b 30 b 100"), "G0F0");
}

#[test]
fn a_flag_that_is_about_to_be_taken_is_defended() {
    // The enemy's captain stands beside it, and only the commander can take him.
    assert_eq!(answer("1l3/5/5/5/4c/5/5/5/5/5/A4/gL3 b 3 w 100"), "K0L0");
}

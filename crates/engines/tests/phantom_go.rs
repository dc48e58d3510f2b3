//! Phantom Go: what the player believes, against random games.

use std::time::Duration;

use engines::Settings;
use engines::kit::{Budget, Strength};
use engines::phantom_go::{Belief, player};
use games::goban;
use games::phantom_go::{PhantomGo, PhantomGoVariant, Turn};
use games::random::{below, nth_bit_wide};
use games::{End, Event, Game as _, Side};
use protocols::{Player as _, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random try, near what was played before more often than not, so that there are fights.
fn random_try(game: &PhantomGo, rng: &mut Xoshiro256PlusPlus) -> Turn {
    let seat = game.to_move();
    if below(rng, 60) == 0 {
        return Turn::Pass;
    }
    let open = goban::board(9) & !game.stones(seat);
    let stones = game.stones(Side::Black) | game.stones(Side::White);
    let near = goban::around(stones) & open;
    let from = if near != 0 && below(rng, 3) > 0 { near } else { open };
    Turn::Stone(nth_bit_wide(from, below(rng, from.count_ones())) as u8)
}

/// Tells a seat's belief what it learns from a try.
fn tell(
    belief: &mut Belief,
    game: &PhantomGo,
    turn: Turn,
    end: End,
    memo: &<PhantomGo as games::Game>::Memo,
    mover: Side,
    seat: Side,
) -> Vec<Event> {
    let events = game.learned(turn, end, memo, mover, seat);
    events.iter().for_each(|event| belief.learn(event));
    events
}

/// What a seat learns when the given enemy stones are put into a game with the seat's own tries.
fn replayed(opening: &PhantomGo, seat: Side, turns: &[Option<Turn>], hidden: &[u8]) -> Vec<Event> {
    let mut game = opening.clone();
    let mut hidden = hidden.iter();
    let mut events = Vec::new();
    for turn in turns {
        let mover = game.to_move();
        let turn = turn.unwrap_or_else(|| Turn::Stone(*hidden.next().expect("as many stones as the enemy put")));
        let tried = game.play(turn).expect("a try on the board");
        assert!(mover == seat || tried.end == End::Played, "the enemy's stones are accepted");
        events.extend(game.learned(turn, tried.end, &tried.memo, mover, seat));
    }
    events
}

#[test]
fn the_truth_is_never_ruled_out_and_every_world_gives_what_was_learned() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut turns_looked_at, mut worlds_seen, mut without) = (0, 0, 0);
    for number in 0..2000_u32 {
        let ko = if number % 4 == 0 { games::phantom_go::Ko::Simple } else { games::phantom_go::Ko::Positional };
        let variant = PhantomGoVariant { ko, ..PhantomGoVariant::default() };
        let opening = PhantomGo::new(&variant);
        let mut game = opening.clone();
        let mut beliefs = Side::BOTH.map(|seat| Belief::new(variant.clone(), opening.clone(), seat));
        let mut learned = [Vec::new(), Vec::new()];
        let mut hidden = [Vec::new(), Vec::new()];
        let mut turns = [Vec::new(), Vec::new()];
        for _ in 0..20 + below(&mut rng, 130) {
            if game.verdict().is_some() {
                break;
            }
            let (turn, mover) = (random_try(&game, &mut rng), game.to_move());
            let tried = game.play(turn).expect("a try on the board");
            for seat in Side::BOTH {
                let events = tell(&mut beliefs[seat.index()], &game, turn, tried.end, &tried.memo, mover, seat);
                learned[seat.index()].extend(events);
                // The seat's own tries and passes are known to it, accepted enemy stones are not.
                match (tried.end, seat == mover, turn) {
                    (_, true, _) | (End::Played, _, Turn::Pass) => turns[seat.index()].push(Some(turn)),
                    (End::Played, false, Turn::Stone(point)) => {
                        turns[seat.index()].push(None);
                        hidden[seat.index()].push(point);
                    }
                    _ => {}
                }
            }
        }
        for seat in Side::BOTH {
            let (belief, index) = (&mut beliefs[seat.index()], seat.index());
            assert!(belief.agrees(&hidden[index]), "game {number}: the truth is ruled out for {seat}");
            belief.refresh(4, &Budget::of_nodes(400), &mut rng);
            turns_looked_at += 1;
            without += u32::from(belief.worlds().is_empty());
            for world in belief.worlds() {
                worlds_seen += 1;
                let events = replayed(&opening, seat, &turns[index], &world.hidden);
                assert_eq!(events, learned[index], "game {number}: another story for {seat}");
            }
        }
    }
    assert!(
        worlds_seen > 1000 && without * 4 < turns_looked_at,
        "{worlds_seen} worlds, none in {without} of {turns_looked_at}"
    );
}

/// How many tries of its first turn the player makes when all are refused, until it passes.
fn refused_tries(turn: Duration, strength: Strength) -> usize {
    let mut player = player("max".to_owned(), strength, &Settings::with_seed(5));
    player.new_game(&serde_json::Value::Null, Side::White, None);
    player.learn(&Event::HiddenPly);
    let limits = ThinkLimits { turn: Some(turn), ..ThinkLimits::default() };
    let tried: Vec<String> = std::iter::from_fn(|| {
        let ply = player.think(limits);
        player.learn(&Event::Refused { ply: ply.clone() });
        (ply != "pass").then_some(ply)
    })
    .take(200)
    .collect();
    let different: std::collections::BTreeSet<&String> = tried.iter().collect();
    assert_eq!(different.len(), tried.len(), "what was refused is not tried again: {tried:?}");
    tried.len()
}

#[test]
fn a_short_turn_is_passed_before_its_clock_runs_out_and_a_long_one_tries_everything() {
    // Each try is charged three tenths of a millisecond at least, and the last five are for a machine that stands still.
    let few = refused_tries(Duration::from_millis(10), Strength::FULL);
    assert!((1..=15).contains(&few), "{few} tries in 10 ms");
    assert_eq!(refused_tries(Duration::from_secs(600), Strength::of(20, 0)), 81);
}

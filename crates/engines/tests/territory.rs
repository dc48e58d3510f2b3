//! Laws of the players of Amazons, NoGo, Surakarta and Tiaojia: legal in every variant, within small memory, the same
//! for a seed, truthful about what they found, and exact where that can be checked by trying everything.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use engines::Settings;
use engines::kit::alpha_beta::WIN_FLOOR;
use engines::kit::{Budget, Mind};
use games::{End, Eyes, Game, Side};
use protocols::ThinkLimits;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

const GAMES: [&str; 4] = ["amazons", "nogo", "surakarta", "tiaojia"];

/// The smallest memory they must live with.
fn small() -> Settings {
    Settings { memory: 8 << 20, ..Settings::with_seed(7) }
}

/// A game of a level against random plies; gives the plies.
fn game_of(game: &str, level: u8, variant: &Value, seed: u64) -> Vec<String> {
    let listing = games::find(game).expect("a game");
    let mut table = listing.open(variant, None).expect("a variant");
    let mut player = engines::player_with(listing, engines::Style::Level(level), &Settings { seed, ..small() });
    let seat = Side::BOTH[(seed % 2) as usize];
    player.new_game(&table.variant(), seat, None);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut plies = Vec::new();
    while table.verdict().is_none() {
        let ply = if table.to_move() == seat {
            player.think(ThinkLimits::default())
        } else {
            table.random_ply(&mut rng).expect("a ply")
        };
        let played = table.play(&ply, Eyes::All).unwrap_or_else(|fault| panic!("{game}: {ply}: {fault:?}"));
        assert_eq!(played.end, End::Played, "{game}: {ply}");
        table.learned(seat).iter().for_each(|event| player.learn(event));
        plies.push(ply);
    }
    plies
}

#[test]
fn every_variant_is_played_by_its_rules() {
    let variants = [
        ("nogo", json!({"size": 2})),
        ("nogo", json!({"size": 3})),
        ("nogo", json!({"size": 6})),
        ("surakarta", json!({"quiet_plies": 0})),
        ("surakarta", json!({"quiet_plies": 5, "repetition": 0})),
        ("tiaojia", json!({"max_plies": 1})),
        ("tiaojia", json!({"max_plies": 30})),
    ];
    let usual = GAMES.map(|game| (game, Value::Null));
    for (game, variant) in usual.iter().chain(&variants) {
        for seed in 0..2 {
            game_of(game, 3, variant, seed);
        }
    }
}

#[test]
fn a_seed_gives_the_same_game() {
    for game in GAMES {
        assert_eq!(game_of(game, 2, &Value::Null, 5), game_of(game, 2, &Value::Null, 5));
    }
}

/// What a mind says is what the game knows: its line is legal, its ply the first of it, its budget kept.
fn tells_the_truth<G: Game>(mut mind: impl Mind<G>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for seed in 0..6 {
        let mut game = G::new(&G::Variant::default());
        mind.forget();
        for _ in 0..seed * 9 {
            if let Some(ply) = game.random_ply(&mut rng) {
                game.apply(ply, End::Played);
            }
        }
        if game.verdict().is_some() {
            continue;
        }
        let thought = mind.choose(&game, &Budget::of_nodes(3000)).expect("a ply");
        assert_eq!(thought.line.first(), Some(&thought.ply));
        assert!(thought.nodes > 0 && thought.nodes < 6000, "{}", thought.nodes);
        let mut position = game.clone();
        for &ply in &thought.line {
            assert_eq!(position.judge(ply), Ok(End::Played));
            position.apply(ply, End::Played);
        }
        // The fastest of several, and far above: machines are shared. It guards against a clock that nobody looks at.
        let fastest = (0..5)
            .map(|_| {
                let began = Instant::now();
                mind.choose(&game, &Budget::of_time(Duration::from_millis(10))).expect("a ply");
                began.elapsed()
            })
            .min();
        assert!(fastest < Some(Duration::from_millis(1000)), "{fastest:?}");
    }
}

#[test]
fn thoughts_are_true() {
    tells_the_truth(engines::amazons::AmazonsMind::new(&small()));
    tells_the_truth(engines::nogo::NoGoMind::new(&small()));
    tells_the_truth(engines::surakarta::SurakartaMind::new(&small()));
    tells_the_truth(engines::tiaojia::TiaojiaMind::new(&small()));
}

/// The value of a game to the side to move by trying everything: 1, 0 or -1.
fn solve<G: Game>(game: &mut G, known: &mut HashMap<(u64, u32), i32>) -> i32 {
    if let Some(verdict) = game.verdict() {
        return verdict.winner.map_or(0, |winner| if winner == game.to_move() { 1 } else { -1 });
    }
    let key = (game.hash(), game.plies());
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut plies = Vec::new();
    let _ = game.visit_legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    let mut best = -1;
    for ply in plies {
        let memo = game.apply(ply, End::Played);
        best = best.max(-solve(game, known));
        game.undo(memo);
        if best == 1 {
            break;
        }
    }
    known.insert(key, best);
    best
}

/// Random late positions: whatever the mind says is decided is, and its ply keeps what can be had.
fn plays_perfectly<G: Game>(mut mind: impl Mind<G>, late: impl Fn(&G) -> bool, count: usize, nodes: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut tried = 0;
    while tried < count {
        let mut game = G::new(&G::Variant::default());
        mind.forget();
        while !late(&game) {
            let Some(ply) = game.random_ply(&mut rng) else { break };
            game.apply(ply, End::Played);
        }
        if game.verdict().is_some() || !late(&game) {
            continue;
        }
        tried += 1;
        let mut known = HashMap::new();
        let value = solve(&mut game, &mut known);
        let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("a ply");
        if thought.score.abs() > WIN_FLOOR {
            assert_eq!(thought.score.signum(), value, "{game:?}");
        }
        game.apply(thought.ply, End::Played);
        assert_eq!(-solve(&mut game, &mut known), value, "{game:?}");
    }
}

#[test]
fn late_amazons_are_played_perfectly() {
    // Few enough plies that everything can be tried.
    let late = |game: &games::amazons::Amazons| game.count_legal() <= 40 && game.arrows().count_ones() > 80;
    plays_perfectly(engines::amazons::AmazonsMind::new(&small()), late, 20, 50_000);
}

#[test]
fn late_nogo_is_played_perfectly() {
    let late = |game: &games::nogo::NoGo| (game.safe(Side::Black) | game.safe(Side::White)).count_ones() <= 12;
    plays_perfectly(engines::nogo::NoGoMind::new(&small()), late, 40, 50_000);
}

/// Proofs alone, on small boards from the start and on random late positions of the usual one.
#[test]
fn proofs_of_nogo_are_true() {
    use engines::kit::proofs::Proof;
    use games::nogo::{NoGo, NoGoVariant};
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut mind = engines::nogo::NoGoMind::new(&small());
    let (mut won, mut lost) = (0, 0);
    let mut check = |mut game: NoGo| {
        let mut known = HashMap::new();
        let value = solve(&mut game, &mut known);
        match mind.prove(&game, &Budget::of_nodes(1_000_000)) {
            Proof::Won(ply) => {
                game.apply(ply, End::Played);
                assert_eq!((value, solve(&mut game, &mut known)), (1, -1), "{game:?}");
                won += 1;
            }
            Proof::Lost => {
                assert_eq!(value, -1, "{game:?}");
                lost += 1;
            }
            Proof::Open => panic!("not decided: {game:?}"),
        }
    };
    let played = |size: u8, plies: usize, rng: &mut Xoshiro256PlusPlus| {
        let mut game = NoGo::new(&NoGoVariant { size });
        for _ in 0..plies {
            if let Some(ply) = game.random_ply(rng) {
                game.apply(ply, End::Played);
            }
        }
        game
    };
    for (size, plies) in [(2, 0), (3, 0), (3, 1), (3, 2), (4, 4), (4, 5), (4, 6), (4, 7)] {
        check(played(size, plies, &mut rng));
    }
    for _ in 0..40 {
        let mut game = NoGo::new(&NoGoVariant::default());
        while (game.safe(Side::Black) | game.safe(Side::White)).count_ones() > 13 {
            let ply = game.random_ply(&mut rng).expect("a safe point");
            game.apply(ply, End::Played);
        }
        check(game);
    }
    assert!(won > 10 && lost > 10, "{won} won, {lost} lost");
}

#[test]
fn the_end_of_tiaojia_is_played_perfectly() {
    let late = |game: &games::tiaojia::Tiaojia| game.plies_left() <= 3;
    plays_perfectly(engines::tiaojia::TiaojiaMind::new(&small()), late, 15, 200_000);
}

/// Several threads share a time, never a number of positions: that must buy the same ply everywhere.
fn threads_share_the_time<G: Game, M: Mind<G>>(mind: impl Fn(&Settings) -> M) {
    let game = G::new(&G::Variant::default());
    let mind = |threads| mind(&Settings { threads, ..small() });
    let counted = |threads| mind(threads).choose(&game, &Budget::of_nodes(5_000));
    assert_eq!(counted(1), counted(3));
    let begin = Instant::now();
    let mut mind = mind(3);
    let first = mind.choose(&game, &Budget::of_time(Duration::from_millis(300))).expect("a ply");
    // The first ply may need no thinking.
    let mut second = game.clone();
    second.apply(first.ply, End::Played);
    let thought = mind.choose(&second, &Budget::of_time(Duration::from_millis(300))).expect("a ply");
    assert!(begin.elapsed() < Duration::from_secs(30), "threads went on for {:?}", begin.elapsed());
    assert_eq!(second.judge(thought.ply), Ok(End::Played));
    assert!(thought.depth > 1 && thought.nodes > 1000, "{thought:?}");
}

#[test]
fn threads_share_the_time_and_leave_counted_positions_alone() {
    threads_share_the_time(engines::tiaojia::TiaojiaMind::new);
    threads_share_the_time(engines::gomoku::GomokuMind::new);
}

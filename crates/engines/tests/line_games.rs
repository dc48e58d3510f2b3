//! Gomoku and Connect6: exactness, and every variant.

mod exactness;

use std::time::Duration;

use engines::kit::alpha_beta::WIN_FLOOR;
use engines::kit::{Budget, Mind as _};
use engines::{Settings, Style};
use exactness::{connect6, gomoku};
use games::connect6::{Connect6, Connect6Variant};
use games::gomoku::{Gomoku, GomokuVariant};
use games::{End, Eyes, Game as _, Side};
use protocols::ThinkLimits;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

/// So long that only positions count, however busy the machine is.
const LONG: ThinkLimits = ThinkLimits { turn: Some(Duration::from_secs(600)), left: None, memory: None };

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

#[test]
fn gomoku_never_misses_a_win_or_a_block_of_one() {
    let asked = gomoku::never_misses_one(150, 40, &mut rng(1));
    assert!(asked > 40, "only {asked} positions asked for anything");
}

#[test]
fn gomoku_proves_its_wins_by_fours() {
    assert_eq!(gomoku::proves_wins(20, &mut rng(2)), 20);
}

#[test]
fn gomoku_proves_its_wins_by_threats() {
    assert_eq!(gomoku::proves_threats(12, &mut rng(6)), 12);
}

#[test]
fn gomoku_finds_every_short_win_by_fours() {
    let wins = gomoku::finds_short_wins(15, &mut rng(3));
    assert!(wins > 3, "only {wins} positions had one");
}

#[test]
fn connect6_never_misses_a_win_or_a_block_of_one() {
    let asked = connect6::never_misses_one(80, 3, &mut rng(4));
    assert!(asked > 20, "only {asked} positions asked for anything");
}

#[test]
fn connect6_proves_its_wins_by_threats() {
    assert_eq!(connect6::proves_wins(24, &mut rng(5)), 24);
}

fn connect6_after(plies: &[&str]) -> Connect6 {
    let mut game = Connect6::new(&Connect6Variant::default());
    for ply in plies {
        let ply = game.read_ply(ply).expect("a ply");
        assert_eq!(game.judge(ply), Ok(End::Played));
        game.apply(ply, End::Played);
    }
    game
}

/// From a game against another program: nine more plies each, which a solver that goes through every reply does not see.
#[test]
fn connect6_sees_a_long_win() {
    let plies = ["JJ", "KHLI", "KKIK", "LHLK", "LLII", "HHNN", "IHIJ", "IGIL", "LJKJ", "HJMJ", "JLIM"];
    let thought = connect6::mind().choose(&connect6_after(&plies), &Budget::of_nodes(20_000)).expect("a ply");
    assert!(thought.score > WIN_FLOOR, "{thought:?}");
}

/// The longer it could think, the farther away it once played: every fight looked better when postponed.
#[test]
fn connect6_answers_where_the_stones_are() {
    let game = connect6_after(&["JJ"]);
    for nodes in [100, 20_000] {
        let thought = connect6::mind().choose(&game, &Budget::of_nodes(nodes)).expect("a ply");
        for stone in [Some(thought.ply.first()), thought.ply.second()].into_iter().flatten() {
            let (x, y) = (stone % 32, stone / 32);
            assert!(x.abs_diff(9) <= 4 && y.abs_diff(9) <= 4, "{nodes}: {:?}", thought.ply);
        }
        let near = |stone: u16| (stone % 32).abs_diff(9) <= 2 && (stone / 32).abs_diff(9) <= 2;
        assert!(near(thought.ply.first()) || thought.ply.second().is_some_and(near), "{nodes}: {:?}", thought.ply);
    }
}

/// A whole game against a random player: who won it (Black is the player, White is chance).
fn play(game: &str, variant: &serde_json::Value, style: Style, seed: u64) -> Option<Side> {
    let listing = games::find(game).expect("a game");
    let settings = Settings { memory: 2 << 20, ..Settings::with_seed(seed) };
    let seat = Side::BOTH[(seed % 2) as usize];
    let mut table = listing.open(variant, None).expect("a variant");
    let mut strong = engines::player_with(listing, style, &settings);
    let mut random = engines::player_with(listing, Style::Random, &settings);
    strong.new_game(&table.variant(), seat, None);
    random.new_game(&table.variant(), seat.other(), None);
    while table.verdict().is_none() {
        let mover = table.to_move();
        let thinking = if mover == seat { &mut strong } else { &mut random };
        let ply = thinking.think(LONG);
        table.play(&ply, Eyes::Seat(mover)).unwrap_or_else(|fault| panic!("{game} {variant}: {ply}: {fault:?}"));
        for event in table.learned(seat) {
            strong.learn(&event);
        }
        for event in table.learned(seat.other()) {
            random.learn(&event);
        }
    }
    let winner = table.verdict().and_then(|verdict| verdict.winner);
    winner.map(|winner| if winner == seat { Side::Black } else { Side::White })
}

#[test]
fn every_variant_is_played_to_its_end_and_not_lost_to_chance() {
    let variants = [
        ("gomoku", json!({"size": 5})),
        ("gomoku", json!({"width": 7, "height": 5, "rule": "exact"})),
        ("gomoku", json!({"size": 7, "rule": "continuous"})),
        ("gomoku", json!({"size": 6, "rule": "continuous+caro"})),
        ("gomoku", json!({"size": 9, "rule": "renju"})),
        ("gomoku", json!({"size": 8, "rule": "exact+caro"})),
        ("gomoku", json!({"size": 22})),
        ("gomoku", json!({"size": 6, "opening": "swap2"})),
        ("gomoku", json!({"rule": "renju", "opening": "swap2"})),
        ("connect6", json!({"size": 6})),
        ("connect6", json!({"size": 7, "first": 2, "line": 4})),
        ("connect6", json!({"size": 25, "line": 9})),
        ("connect6", json!({"size": 8, "line": 3})),
        ("connect6", json!({"size": 25, "line": 3})),
    ];
    for (game, variant) in &variants {
        for seed in 0..2 {
            // Level 3 slips now and then and may lose so small a board: only that it ends well-formed counts.
            play(game, variant, Style::Level(3), seed);
            let winner = play(game, variant, Style::Level(5), seed);
            assert_ne!(winner, Some(Side::White), "{game} {variant}: lost to random plies");
        }
    }
}

#[test]
fn a_node_budget_gives_the_same_ply_again() {
    for (game, seed) in [("gomoku", 3), ("connect6", 3)] {
        let listing = games::find(game).expect("a game");
        let plies: Vec<String> = (0..2)
            .map(|_| {
                let mut player = engines::player(listing, Style::Level(5), seed);
                player.new_game(&json!(null), Side::Black, Some(listing.facts().example));
                player.think(LONG)
            })
            .collect();
        assert_eq!(plies[0], plies[1]);
    }
}

#[test]
fn lines_is_for_connect6_alone() {
    let has = |game: &str| engines::styles(games::find(game).expect("a game")).any(|(name, ..)| *name == "lines");
    assert!(has("connect6") && !has("gomoku"));
    let winner = play("connect6", &json!(null), engines::style("lines").expect("a style"), 1);
    assert_eq!(winner, Some(Side::Black));
}

/// Positions of games against another program, in which a shallow look walks into a win by threats: what must not be played.
#[test]
fn gomoku_does_not_walk_into_a_win_by_threats() {
    let cases: [(&str, &[&str]); 4] = [
        ("15/15/12ww1/13w1/15/15/15/15/15/7w7/8b6/9b5/10b4/b14/15 b 8", &["10,10"]),
        ("5b9/15/15/15/15/13b1/15/15/11b3/12w2/12ww1/15/15/15/15 b 6", &["10,9"]),
        ("14w/15/2b12/3w11/2wbw10/wbbbbw9/2b12/15/15/15/15/15/15/15/15 w 13", &["3,7", "1,6"]),
        ("15/15/15/7w7/7w7/15/15/15/15/15/15/15/6bb7/5b9/15 w 5", &["5,12", "7,11", "8,11", "6,11", "5,11"]),
    ];
    for (position, losing) in cases {
        let variant = GomokuVariant { size: 15, ..GomokuVariant::default() };
        let game = Gomoku::read_position(&variant, position).expect("a position");
        let thought = gomoku::mind().choose(&game, &Budget::of_nodes(400_000)).expect("a ply");
        let mut text = String::new();
        game.write_ply(thought.ply, &mut text);
        assert!(!losing.contains(&text.as_str()), "{position}: {text}");
    }
}

/// Who has won when a player has answered a position.
fn answer(game: &str, style: Style, variant: &serde_json::Value, seat: Side, position: &str) -> Option<Side> {
    let listing = games::find(game).expect("a game");
    let mut player = engines::player_with(listing, style, &Settings::with_seed(3));
    player.new_game(variant, seat, Some(position));
    let ply = player.think(ThinkLimits { turn: Some(Duration::from_millis(300)), ..ThinkLimits::default() });
    let mut table = listing.open(variant, Some(position)).expect("a position");
    table.play(&ply, Eyes::All).expect("a legal ply");
    table.verdict().and_then(|verdict| verdict.winner)
}

#[test]
fn a_position_without_its_number_of_plies_is_no_first_ply() {
    // Black has four in a row and the middle is free.
    let position = "19/19/1bbbb14/19/1www15/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b";
    assert_eq!(answer("connect6", Style::Max, &json!({}), Side::Black, position), Some(Side::Black));
}

#[test]
fn greedy_knows_the_line_and_the_turn_of_a_variant() {
    // Two stones each: whoever moves wins with two more.
    let position = "9/1bb6/9/1ww6/9/9/9/9/9 w 2";
    let variant = json!({ "size": 9, "line": 4, "first": 2 });
    for style in [Style::Greedy, Style::Max] {
        let played = answer("connect6", style, &variant, Side::White, position);
        assert_eq!(played, Some(Side::White), "{style:?}");
    }
}

//! Hand-made positions of Tiaojia.

use std::ops::ControlFlow;

use games::tiaojia::{Tiaojia, TiaojiaVariant};
use games::{End, Eyes, Game as _, Side, Table};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;
use serde_json::{Value, json};

fn table(position: &str) -> Box<dyn Table> {
    games::find("tiaojia").expect("registered").open(&Value::Null, Some(position)).expect("a good position")
}

#[rstest]
#[case::seed_figure_3_between_two("8/8/8/b7/w1w5/8/8/8 b 0", "3 0 7", "8/8/8/8/bbb5/8/8/8 w 1")]
#[case::flank_in_a_row("8/8/8/2b5/8/3bw1b1/8/8 b 0", "5 6 2", "8/8/8/2b5/8/3bbb2/8/8 w 1")]
#[case::flank_in_a_column("8/b7/8/w7/b7/8/8/8 b 0", "1 0 1", "8/8/b7/b7/b7/8/8/8 w 1")]
#[case::row_and_column_at_once("8/8/5w2/5b1w/3bw1w1/5w1b/8/8 b 0", "3 5 1", "8/8/5w2/7w/3bbbb1/5w1b/8/8 w 1")]
#[case::triple_flank_and_between("8/3b4/3w4/4b3/1bw1wb2/8/8/8 b 0", "3 4 2", "8/3b4/3b4/3b4/1bw1wb2/8/8/8 w 1")]
#[case::all_four_neighbours_turn("8/8/3w4/2w1wb2/3w4/8/8/8 b 0", "3 5 0", "8/8/3w1b2/2w1w3/3w4/8/8/8 w 1")]
#[case::four_turned_by_stepping_between("8/8/3w4/2w1w3/3wb3/8/8/8 b 0", "4 4 4", "8/8/3b4/2bbb3/3b4/8/8/8 w 1")]
#[case::no_capture_on_the_diagonal("8/8/2b5/3w4/5b2/8/8/8 b 0", "4 5 2", "8/8/2b5/3w4/4b3/8/8/8 w 1")]
#[case::two_enemies_in_a_row_are_not_flanked("8/8/8/2bww1b1/8/8/8/8 b 0", "3 6 2", "8/8/8/2bwwb2/8/8/8/8 w 1")]
#[case::stepping_into_a_flank_is_safe("8/8/8/w1w4b/8/1b6/8/8 b 0", "5 1 0", "8/8/8/w1w4b/1b6/8/8/8 w 1")]
#[case::no_wrap_around_the_edge("8/8/7w/b7/1b6/8/8/8 b 0", "4 1 2", "8/8/7w/b7/b7/8/8/8 w 1")]
#[case::the_square_left_does_not_flank("8/8/8/1b6/1w6/8/8/8 b 0", "3 1 7", "8/8/8/8/1wb5/8/8/8 w 1")]
fn a_step_turns_what_the_rules_say(#[case] before: &str, #[case] ply: &str, #[case] after: &str) {
    let mut table = table(before);
    table.play(ply, Eyes::All).unwrap();
    assert_eq!(table.position(Eyes::All), after);
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), before);
}

#[rstest]
#[case("2 0 1", "not-yours")]
#[case("0 0 1", "not-yours")]
#[case("4 0 2", "off-board")]
#[case("4 0 3", "occupied")]
#[case("8 0 0", "off-board")]
#[case("4 0 8", "bad-direction")]
#[case("4 0", "malformed")]
#[case("4 0 0 0", "malformed")]
#[case("4 0 -1", "malformed")]
#[case("+4 0 1", "malformed")]
#[case("99999999999999999999 0 0", "malformed")]
#[case("四 0 0", "malformed")]
fn a_bad_ply_is_refused_with_its_reason(#[case] ply: &str, #[case] code: &str) {
    let mut table = games::find("tiaojia").unwrap().open(&Value::Null, None).unwrap();
    let before = table.position(Eyes::All);
    assert_eq!(table.play(ply, Eyes::All).unwrap_err().reason.code, code);
    assert_eq!(table.position(Eyes::All), before);
}

#[test]
fn commas_are_read_too() {
    let mut table = games::find("tiaojia").unwrap().open(&Value::Null, None).unwrap();
    table.play("4,0, 1", Eyes::All).unwrap();
    assert_eq!(table.step(0, Eyes::All).unwrap().ply.as_deref(), Some("4 0 1"));
}

#[rstest]
#[case::last_stone_turned("8/8/8/8/b1w3b1/8/8/8 b 10", "4 0 3", None)]
#[case::no_pieces("8/8/8/8/b1wb4/8/8/8 b 10", "4 0 3", Some((Some(Side::Black), "no-pieces", 11)))]
#[case::no_move("wb6/b7/2b5/8/8/8/8/8 b 10", "2 2 4", Some((Some(Side::Black), "no-ply", 11)))]
#[case::limit_with_more_stones("8/8/8/8/b1w4b/8/8/8 b 119", "4 0 0", Some((Some(Side::Black), "ply-limit", 120)))]
#[case::limit_with_equal_stones("8/8/8/8/b1w5/8/8/8 b 119", "4 0 0", Some((None, "ply-limit", 120)))]
#[case::limit_counts_even_where_white_cannot_move(
    "wb6/b7/2b5/8/8/8/8/8 b 119", "2 2 4", Some((Some(Side::Black), "ply-limit", 120)))]
fn games_end_as_they_should(#[case] before: &str, #[case] ply: &str, #[case] end: Option<(Option<Side>, &str, u32)>) {
    let mut table = table(before);
    table.play(ply, Eyes::All).unwrap();
    assert_eq!(table.verdict().map(|verdict| (verdict.winner, verdict.reason.code, verdict.ply)), end);
}

#[test]
fn starting_positions_are_checked_and_used() {
    let game = games::find("挑夹棋").unwrap();
    let start = "8/8/2wwww2/8/8/2bbbb2/8/8 b 0";
    let table = game.open(&json!({ "starts": [start] }), None).unwrap();
    assert_eq!(table.position(Eyes::All), start);
    assert_eq!(table.starts(), [start]);
    for bad in ["8/8 b 0", "8/8/8/8/8/8/8/8 b 0"] {
        assert!(game.open(&json!({ "starts": [bad] }), None).is_err(), "{bad}");
    }
}

/// Searches look only at these squares where a line ends: a square too few would hide what turns stones.
#[test]
fn every_step_that_turns_stones_leads_to_a_turning_square() {
    let (mut turning, mut quiet) = (0, 0);
    for seed in 0..200 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Tiaojia::new(&TiaojiaVariant::default());
        while let Some(played) = game.random_ply(&mut rng).filter(|_| game.verdict().is_none()) {
            let squares = game.turning_squares();
            let (mut all, mut onto) = (Vec::new(), Vec::new());
            let _ = game.visit_legal(|ply| {
                let mut after = game;
                after.apply(ply, End::Played);
                let gained = after.stones(game.to_move()).count_ones() - game.stones(game.to_move()).count_ones();
                assert_eq!(game.turned_by(ply), gained);
                assert!(gained == 0 || Tiaojia::target(ply) & squares != 0, "{game:?} {ply:?}");
                (turning, quiet) = (turning + u32::from(gained > 0), quiet + u32::from(gained == 0));
                all.push(ply);
                ControlFlow::Continue(())
            });
            let _ = game.visit_onto(squares, |ply| {
                onto.push(ply);
                ControlFlow::Continue(())
            });
            all.retain(|&ply| Tiaojia::target(ply) & squares != 0);
            assert_eq!(onto, all);
            game.apply(played, End::Played);
        }
    }
    assert!(turning > 10_000 && quiet > 100_000, "{turning} {quiet}");
}

//! What shows that the rules ended a game so.

use games::view::Figure;
use games::{Eyes, Side, Table, find, read_pairs};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;
use rstest::rstest;

fn played(game: &str, variant: &str, plies: &str) -> Box<dyn Table> {
    let variant = read_pairs(variant.split_whitespace()).expect("good options");
    let mut table = find(game).expect("registered").open(&variant, None).expect("opens");
    for ply in plies.split_whitespace() {
        assert!(table.evidence().is_empty(), "nothing is to be shown before the end");
        let seat = table.to_move();
        table.play(ply, Eyes::Seat(seat)).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
    }
    table
}

#[rstest]
#[case::a_line("connect6", "", "JJ@@ AAAB KJLJ ACAD MJNJ AEAG OJPJ", "line", "JJ KJ LJ MJ NJ OJ PJ")]
#[case::a_five("gomoku", "size=15", "7,7 0,0 8,7 0,1 9,7 0,2 10,7 0,3 11,7", "line", "7,7 8,7 9,7 10,7 11,7")]
#[case::boxes("dots", "rows=2 cols=2", "AAA ABA BAA BBA", "white", "1")]
#[case::areas("phantom-go", "", "EE pass pass", "black-area", "81")]
#[case::a_suicide("nogo", "", "AB EE BA AA", "last-ply", "AA")]
#[case::a_set_up("junqi", "", "abccddeeffggghhhiiijjkkjl", "last-ply", "abccddeeffggghhhiiijjkkjl")]
fn the_end_is_shown(
    #[case] game: &str,
    #[case] variant: &str,
    #[case] plies: &str,
    #[case] key: &str,
    #[case] value: &str,
) {
    let table = played(game, variant, plies);
    let evidence = table.evidence();
    let found = evidence.iter().find(|note| note.key == key).unwrap_or_else(|| panic!("{evidence:?}"));
    assert_eq!(found.value, value);
}

/// The point a foul was made on, and by the reason its kind.
#[rstest]
#[case::double_three("double-three", "7,8 0,0 7,9 0,14 8,7 14,0 9,7 14,14 7,7", "7,7")]
#[case::double_four("double-four", "4,7 0,0 5,7 0,14 6,7 14,0 7,4 14,14 7,5 0,7 7,6 14,7 7,7", "7,7")]
#[case::overline("overline", "3,7 0,0 4,7 0,14 5,7 14,0 7,7 14,14 8,7 0,3 6,7", "6,7")]
fn a_foul_is_shown_with_its_kind(#[case] kind: &str, #[case] plies: &str, #[case] point: &str) {
    let table = played("gomoku", "rule=renju size=15", plies);
    let verdict = table.verdict().expect("a foul ends the game");
    assert_eq!((verdict.winner, verdict.reason.code), (Some(Side::White), kind));
    let evidence = table.evidence();
    let last = evidence.iter().find(|note| note.key == "last-ply").unwrap_or_else(|| panic!("{evidence:?}"));
    assert_eq!(last.value, point);
}

/// Every end says what it was made on and what was counted, in both languages.
#[rstest]
fn every_game_shows_its_end(
    #[values("amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "gomoku", "junqi", "tiaojia")]
    game: &str,
) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut table = find(game).expect("registered").open(&serde_json::Value::Null, None).expect("opens");
    while table.verdict().is_none() {
        let ply = table.random_ply(&mut rng).expect("the game goes on");
        table.play(&ply, Eyes::All).expect("a ply the game itself gave");
    }
    let evidence = table.evidence();
    assert!(evidence.len() > 1 && evidence[0].key == "last-ply", "{evidence:?}");
    for note in &evidence {
        assert!(!note.value.is_empty() && !note.label.en.is_empty() && note.label.en != note.label.zh, "{note:?}");
    }
}

/// A bad set-up never comes onto the board, but a person wants to see it.
#[test]
fn a_losing_set_up_is_drawn() {
    let table = played("junqi", "", "abccddeeffggghhhiiijjkkjl");
    assert_eq!(table.verdict().and_then(|verdict| verdict.winner), Some(Side::White));
    let drawn = |eyes| {
        let pieces = table.view(eyes).scene.pieces;
        (pieces.len(), pieces.iter().filter(|piece| piece.figure == Figure::Tile).count())
    };
    assert_eq!(drawn(Eyes::All), (25, 25));
    assert_eq!(drawn(Eyes::Seat(Side::Black)), (25, 25));
    assert_eq!(drawn(Eyes::Seat(Side::White)), (25, 0), "its ranks are hidden from the opponent as ever");
}

/// White writes Junqi's board turned; what is wrong with his ply is told in the same view.
#[rstest]
#[case("L0K0", "L0")]
#[case("G0L0", "L0")]
#[case("F4E4", "F4")]
fn a_fault_is_told_in_the_players_own_view(#[case] ply: &str, #[case] place: &str) {
    let mut table = played("junqi", "", "abccddeeffggghhhiiijjkklj abccddeeffggghhhiiijjkklj G0F0");
    assert_eq!(table.to_move(), Side::White);
    let fault = table.play(ply, Eyes::Seat(Side::White)).expect_err("illegal");
    assert_eq!(fault.place.as_str(), place, "{fault}");
}

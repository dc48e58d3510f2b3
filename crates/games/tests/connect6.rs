//! Connect6: what the rules say of one stone, two stones and the end.

use games::connect6::{Connect6, Connect6Variant, Stones};
use games::laws::Effort;
use games::view::{Click, MarkKind};
use games::{End, Eyes, Game, Side, Table, Verdict, find, read_pairs, reasons};
use rstest::rstest;

fn table(variant: &str, position: Option<&str>) -> Box<dyn Table> {
    let variant = read_pairs(variant.split_whitespace()).expect("key=value");
    find("六子棋").expect("a game").open(&variant, position).expect("a position")
}

fn played(table: &mut dyn Table, ply: &str) -> String {
    table.play(ply, Eyes::All).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
    table.position(Eyes::All)
}

fn refused(table: &mut dyn Table, ply: &str) -> (&'static str, String) {
    let before = table.position(Eyes::All);
    let fault = table.play(ply, Eyes::All).expect_err(ply);
    assert_eq!(table.position(Eyes::All), before, "a refused ply changes nothing");
    (fault.reason.code, fault.place.to_string())
}

#[rstest]
#[case("JJ@@")]
#[case("JJ")]
#[case(" jj ")]
#[case("jj@@")]
fn the_first_ply_is_one_stone_with_or_without_the_signs(#[case] ply: &str) {
    let mut table = table("", None);
    assert!(played(&mut *table, ply).ends_with("/9b9/19/19/19/19/19/19/19/19/19 w 1"));
    assert_eq!(table.step(0, Eyes::All).unwrap().ply.as_deref(), Some("JJ@@"), "it is relayed in full");
}

#[test]
fn a_pair_means_the_same_in_either_order() {
    let start = "6/6/2b3/6/6/6 w";
    let (mut one, mut other) = (table("size=6", Some(start)), table("size=6", Some(start)));
    assert_eq!(played(&mut *one, "FAAF"), "5w/6/2b3/6/6/w5 b 2");
    assert_eq!(played(&mut *other, "AFFA"), one.position(Eyes::All));
    assert_eq!(one.step(0, Eyes::All), other.step(0, Eyes::All));
    assert_eq!(one.step(0, Eyes::All).unwrap().ply.as_deref(), Some("FAAF"), "reading order, row by row");
    assert!(one.undo());
    assert_eq!(one.position(Eyes::All), "6/6/2b3/6/6/6 w 1");
}

/// Before the first ply, in the middle of the game, and at its end.
#[rstest]
#[case::two_stones_at_first("", None, "JJKK", "one-stone", "JJKK")]
#[case::same_point_at_first("", None, "JJJJ", "twice", "JJ")]
#[case::off_the_board("", None, "TA@@", "off-board", "TA")]
#[case::off_the_board_below("", None, "AT", "off-board", "AT")]
#[case::empty("", None, "", "malformed", "")]
#[case::blank("", None, "  ", "malformed", "")]
#[case::only_signs("", None, "@@", "malformed", "@@")]
#[case::signs_first("", None, "@@JJ", "malformed", "@@JJ")]
#[case::three_letters("", None, "JJK", "malformed", "JJK")]
#[case::three_stones("", None, "JJKKLL", "malformed", "JJKKLL")]
#[case::two_and_signs("", None, "JJKK@@", "malformed", "JJKK@@")]
#[case::digits("", None, "J10", "malformed", "J10")]
#[case::not_ascii("", None, "六@@", "malformed", "六@@")]
#[case::two_must_come("first=2", None, "JJ@@", "two-stones", "JJ")]
#[case::two_must_come_in_full("first=2", None, "JJ", "malformed", "JJ")]
#[case::one_stone_later("size=6", Some("6/6/2b3/6/6/6 w 1"), "AA@@", "two-stones", "AA")]
#[case::no_signs_later("size=6", Some("6/6/2b3/6/6/6 w 1"), "AA", "malformed", "AA")]
#[case::occupied("size=6", Some("6/6/2b3/6/6/6 w 1"), "AACC", "occupied", "CC")]
#[case::occupied_first("size=6", Some("6/6/2b3/6/6/6 w 1"), "CCDD", "occupied", "CC")]
#[case::twice("size=6", Some("6/6/2b3/6/6/6 w 1"), "ABAB", "twice", "AB")]
#[case::second_off_the_board("size=6", Some("6/6/2b3/6/6/6 w 1"), "ABAG", "off-board", "AG")]
#[case::one_where_one_wins_but_another("size=6 line=4", Some("1bbb2/6/6/ww4/ww4/6 b"), "FF@@", "two-stones", "FF")]
#[case::white_may_not_use_it("size=6 line=4", Some("1bbb2/6/6/ww4/ww4/6 w"), "AA@@", "two-stones", "AA")]
#[case::won_already("size=6 line=4", Some("bbbb2/6/6/ww4/ww4/6 w"), "FFEE", "game-over", "")]
#[case::full_already("size=6", Some("wbwbwb/wbwbwb/wbwbwb/bwbwbw/bwbwbw/bwbwbw b"), "AABB", "game-over", "")]
fn an_illegal_ply_is_refused_with_its_reason(
    #[case] variant: &str,
    #[case] position: Option<&str>,
    #[case] ply: &str,
    #[case] code: &str,
    #[case] place: &str,
) {
    assert_eq!(refused(&mut *table(variant, position), ply), (code, place.to_owned()));
}

/// Black has five stones in this row; each ply wins.
#[rstest]
#[case::first_stone_alone("CC@@")]
#[case::with_another_stone("CCSS")]
#[case::the_other_named_first("SSCC")]
#[case::seven_in_a_row("CCIC")]
fn six_on_one_stone_ends_the_game(#[case] ply: &str) {
    let rows = "19/19/3bbbbb11/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/4wwww11 b 10";
    let mut table = table("", Some(rows));
    played(&mut *table, ply);
    assert_eq!(table.verdict(), Some(Verdict::win(Side::Black, &reasons::LINE, 11)));
    assert_eq!(table.count_legal(), 0);
    assert!(table.undo());
    assert_eq!((table.verdict(), table.position(Eyes::All).as_str()), (None, rows));
}

/// Each line needs both stones, in each direction and for both colours; the last two are seven and eight long.
#[rstest]
#[case("2bbbb2/8/8/8/8/8/8/ww6 b", "AAHA", false)]
#[case("2bbbb2/8/8/8/8/8/8/ww6 b", "BAGA", true)]
#[case("8/1w6/1w6/8/8/1w6/1w6/bbb5 w", "BDBE", true)]
#[case("8/1w6/2w5/8/8/5w2/6w1/bbb5 w", "DDEE", true)]
#[case("8/6w1/5w2/8/8/2w5/1w6/bbb5 w", "EDDE", true)]
#[case("8/6w1/5w2/8/8/2w5/1w6/bbb5 w", "EDEE", false)]
#[case("bb1b1bb1/8/8/8/8/8/8/ww6 b", "CAEA", true)]
#[case("bbb2bbb/8/8/8/8/8/8/ww6 b", "DAEA", true)]
fn both_stones_may_be_needed(#[case] position: &str, #[case] ply: &str, #[case] wins: bool) {
    let mut table = table("size=8", Some(position));
    let mover = table.to_move();
    played(&mut *table, ply);
    assert_eq!(table.verdict().map(|verdict| verdict.winner), wins.then_some(Some(mover)));
}

#[rstest]
#[case::a_row_does_not_go_on_in_the_next("5bbb/bbb5/8/8/8/8/8/ww6 w")]
#[case::nor_a_diagonal("8/8/5b2/6b1/7b/b7/1b6/2b5 w")]
#[case::nor_a_column("w7/1b6/1b6/1b6/1b6/1b6/8/8 w")]
fn a_line_ends_at_the_edge(#[case] position: &str) {
    assert_eq!(table("size=8", Some(position)).verdict(), None);
}

#[test]
fn a_full_board_is_a_draw() {
    let mut table = table("size=6", Some("wbwbwb/wbwbwb/wbwbwb/bwbwbw/bwbwbw/bwbw2 b 19"));
    assert_eq!(table.list_plies(Eyes::All, 9).list, ["EFFF"]);
    assert_eq!(played(&mut *table, "FFEF"), "wbwbwb/wbwbwb/wbwbwb/bwbwbw/bwbwbw/bwbwbb w 20");
    assert_eq!(table.verdict(), Some(Verdict::draw(&reasons::BOARD_FULL, 20)));
}

#[test]
fn the_last_point_takes_one_stone() {
    let mut table = table("size=6", Some("wbwbwb/wbwbwb/wbwbwb/bwbwbw/bwbwbw/bwbwb1 w 18"));
    assert_eq!(table.list_plies(Eyes::All, 9).list, ["FF@@"]);
    assert_eq!(table.observe(Side::White).notes[2].value, "1");
    played(&mut *table, "FF@@");
    assert_eq!(table.verdict(), Some(Verdict::draw(&reasons::BOARD_FULL, 19)));
}

#[test]
fn a_line_on_the_last_points_is_no_draw() {
    let mut table = table("size=6", Some("bbbb2/wbwbwb/wbwbwb/bwbwbw/bwbwbw/bwbwbw b"));
    played(&mut *table, "EAFA");
    assert_eq!(table.verdict().map(|verdict| (verdict.winner, verdict.reason.code)), Some((Some(Side::Black), "line")));
}

#[test]
fn plies_are_derived_where_the_text_leaves_them_away() {
    assert_eq!(table("", None).position(Eyes::All), format!("{}19 b 0", "19/".repeat(18)));
    for (variant, rows, plies) in [
        ("size=6", "6/6/6/6/6/6 b", 0),
        ("size=6", "b5/6/6/6/6/6 w", 1),
        ("size=6", "bww3/6/6/6/6/6 b", 2),
        ("size=6", "bwwb2/b5/6/6/6/6 w", 3),
        ("size=6 first=2", "bb4/6/6/6/6/6 w", 1),
        ("size=6 first=2", "bbww2/6/6/6/6/6 b", 2),
    ] {
        assert_eq!(table(variant, Some(rows)).plies(), plies, "{rows}");
    }
}

#[rstest]
#[case("", "missing-field")]
#[case("6/6/6/6/6/6", "missing-field")]
#[case("6/6/6/6/6 b", "row-count")]
#[case("6/6/6/6/6/6/6 b", "row-count")]
#[case("6/6/6/6/6/7 b", "row-length")]
#[case("6/6/6/6/6/5 b", "row-length")]
#[case("6/6/6/6/6/x5 b", "bad-position")]
#[case("6/6/6/6/6/b5 x", "bad-position")]
#[case("6/6/6/6/6/b5 w x", "bad-position")]
#[case("6/6/6/6/6/b5 w 99999999", "bad-position")]
#[case("6/6/6/6/6/b5 w 1 1", "bad-position")]
#[case::white_does_not_begin("6/6/6/6/6/6 w", "impossible")]
#[case::black_has_won_and_would_move("bbbbbb/6/6/6/6/wwww2 b", "impossible")]
#[case::both_have_a_line("bbbbbb/6/6/6/6/wwwwww b", "impossible")]
fn an_impossible_position_is_refused(#[case] position: &str, #[case] code: &str) {
    let variant = read_pairs(["size=6"]).unwrap();
    match find("connect6").unwrap().open(&variant, Some(position)) {
        Err(games::OpenError::Position(fault)) => assert_eq!(fault.reason.code, code),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{position} was accepted"),
    }
}

#[rstest]
#[case("size=5")]
#[case("size=26")]
#[case("first=0")]
#[case("first=3")]
#[case("line=2")]
#[case("line=10")]
#[case("size=6 line=7")]
fn an_option_out_of_range_is_refused(#[case] pairs: &str) {
    let variant = read_pairs(pairs.split_whitespace()).unwrap();
    assert!(find("connect6").unwrap().open(&variant, None).is_err());
}

#[test]
fn any_value_of_a_ply_can_be_judged() {
    let position = Connect6::new(&Connect6Variant::default());
    for point in 0..=u16::MAX {
        let on_board = point % 32 < 19 && point / 32 < 19;
        assert_eq!(position.judge(Stones::one(point)).is_ok(), on_board, "{point}");
        assert!(position.judge(Stones::two(0, point)).is_ok() == (point == u16::MAX), "{point}");
    }
}

/// The largest board, where a bit line uses every column.
#[test]
fn the_laws_hold_on_the_largest_board() {
    let variant = read_pairs(["size=25", "line=9"]).unwrap();
    for seed in 0..3 {
        let effort = Effort { one_in: 100, exhaustive: 0, samples: 2000 };
        find("connect6").unwrap().check_laws(&variant, seed, effort).unwrap();
    }
}

#[test]
fn lone_winning_stones_are_random_plies_too() {
    use rand::SeedableRng as _;
    let variant = Connect6Variant { size: 6, first: 1, line: 4 };
    let position = Connect6::read_position(&variant, "bwbwwb/bbbww1/1wwb1w/2bwbw/w1bwww/bbbwb1 w").unwrap();
    assert_eq!(position.count_legal(), 7 * 6 / 2 + 3);
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn: std::collections::HashSet<_> = (0..50_000).filter_map(|_| position.random_ply(&mut rng)).collect();
    assert_eq!(drawn.len() as u64, position.count_legal());
    assert!(drawn.iter().all(|&ply| position.judge(ply) == Ok(End::Played)));
}

#[test]
fn the_picture_has_stars_letters_and_the_winning_line() {
    let view = table("", None).view(Eyes::All);
    assert_eq!(view.scene.geometry.pips.len(), 9);
    assert!(view.scene.geometry.pips.contains(&(3.0, 9.0)) && view.scene.geometry.pips.contains(&(15.0, 15.0)));
    let labels: String = view.scene.geometry.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, "ABCDEFGHIJKLMNOPQRSABCDEFGHIJKLMNOPQRS");
    assert_eq!(view.scene.geometry.spots[19].name, "AB");
    let won = table("size=6 line=4", Some("1bbbb1/1w4/6/6/6/1w3b w")).view(Eyes::All);
    let marked: Vec<u16> = won.scene.marks.iter().map(|mark| mark.spot).collect();
    assert_eq!(marked, [1, 2, 3, 4]);
    assert!(won.scene.marks.iter().all(|mark| mark.kind == MarkKind::Winning));
}

#[test]
fn either_stone_may_be_clicked_first() {
    let table = table("size=6 line=4", Some("bwbwwb/bbbww1/1wwb1w/2bwbw/w1bwww/bbbwb1 w"));
    let view = table.view(Eyes::Seat(Side::White));
    assert!(view.clicks.complete);
    let click = |tree: &[Click], spot: u16| tree.iter().find(|click| click.spot == spot).cloned();
    let (first, last) = (click(&view.clicks.tree, 12).unwrap(), click(&view.clicks.tree, 35).unwrap());
    assert_eq!(click(&first.next, 35).unwrap().ply.as_deref(), Some("ACFF"));
    assert_eq!(click(&last.next, 12).unwrap().ply.as_deref(), Some("ACFF"));
    assert_eq!(view.clicks.tree.len(), 7);
    assert!(view.clicks.tree.iter().all(|click| click.next.len() == 6));
    let alone = view.clicks.tree.iter().filter(|click| click.ply.is_some()).count();
    assert_eq!(alone, 3, "a lone stone that wins is complete with one click");
    let white = Eyes::Seat(Side::White);
    assert_eq!(table.clicks(white, &[0]), [], "nothing follows a click on a stone");
    assert_eq!(table.clicks(white, &[12, 35]), [], "nor a whole ply");
    for spot in 36..=u16::MAX {
        assert_eq!(table.clicks(white, &[spot]), [], "nor a spot that is not there");
    }
    assert_eq!(table.clicks(Eyes::Seat(Side::Black), &[]), [], "it is not Black's turn");
}

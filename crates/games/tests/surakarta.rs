//! Surakarta: runs around the corners, every way the game can end, and a naive referee beside the fast one.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use games::surakarta::{Move, Surakarta, SurakartaVariant};
use games::text::write_rows;
use games::view::{Ink, Shape};
use games::{End, Eyes, Game, OpenError, Side, Table, read_pairs};
use proptest::proptest;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;

const START: &str = "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 0 0";

fn open(variant: &str, position: Option<&str>) -> Result<Box<dyn Table>, OpenError> {
    let game = games::find("surakarta").unwrap_or_else(|error| panic!("{error}"));
    game.open(&read_pairs(variant.split_whitespace())?, position)
}

fn at(position: &str) -> Box<dyn Table> {
    open("", Some(position)).unwrap_or_else(|error| panic!("{position}: {error}"))
}

fn play(table: &mut dyn Table, plies: &str) {
    for ply in plies.split_whitespace() {
        table.play(ply, Eyes::All).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
    }
}

/// Who won, or nobody for a draw; the reason; the ply.
fn end(table: &dyn Table) -> Option<(Option<Side>, &'static str, u32)> {
    table.verdict().map(|verdict| (verdict.winner, verdict.reason.code, verdict.ply))
}

/// Where the piece at `from` captures.
fn captures(table: &dyn Table, from: &str) -> Vec<String> {
    let board = table.position(Eyes::All);
    let enemy = if table.to_move() == Side::Black { 'w' } else { 'b' };
    let mut found = Vec::new();
    table.visit_plies(Eyes::All, &mut |ply| {
        if ply.starts_with(from) && piece_at(&board, &ply[2..]) == Some(enemy) {
            found.push(ply[2..].to_owned());
        }
        ControlFlow::Continue(())
    });
    found
}

fn piece_at(position: &str, point: &str) -> Option<char> {
    let (x, y) = (point.as_bytes()[0] - b'A', point.as_bytes()[1] - b'A');
    read(position).get(&(x as i8, y as i8)).copied()
}

#[test]
fn it_begins_with_black_in_the_upper_rows() {
    for name in ["surakarta", "苏拉卡尔塔棋", "苏拉卡尔塔"] {
        assert_eq!(games::find(name).unwrap().facts().id, "surakarta");
    }
    let table = open("", None).unwrap();
    assert_eq!(table.position(Eyes::All), START);
    assert_eq!(table.variant(), serde_json::json!({ "quiet_plies": 80, "repetition": 3 }));
    assert_eq!(at(START).position(Eyes::All), START);
}

#[rstest]
// BA and AB are the two ends of the inner loop around the corner AA.
#[case::next_point_behind_the_loop("1b4/w5/6/6/6/6 b", "BA", &["AB"])]
#[case::next_to_where_it_began("1b4/1w4/6/6/6/6 b", "BA", &["BB"])]
#[case::outer_loop("2b3/6/w5/6/6/6 b", "CA", &["AC"])]
#[case::four_ways_to_one_enemy("6/1b4/6/6/4w1/6 b", "BB", &["EE"])]
// To the left, around AA, down over its own point, and on to the enemy on its own line.
#[case::over_the_point_it_left("6/1b3b/6/1w4/6/6 b", "BB", &["BD"])]
#[case::not_when_that_loop_is_shut("6/bb3b/6/1w4/6/6 b", "BB", &[])]
#[case::nor_from_its_other_end("1b4/1b3b/6/1w4/6/6 b", "BB", &[])]
// Without the piece at FB the long way round reaches the same enemy from below: still one move.
#[case::both_ways_to_one_enemy("6/1b4/6/1w4/6/6 b", "BB", &["BD"])]
// Right, around FA, down line E over EB, around FF, left along line E over EE and BE, around AF, up line B.
#[case::over_crossings_twice("1b4/bb4/6/1w4/6/6 b", "BB", &["BD"])]
#[case::a_straight_way_is_no_capture("6/6/6/b1w3/6/6 b", "AD", &["CD"])]
#[case::a_blocked_straight_and_a_blocked_loop("3b2/6/2b3/b1w3/6/2b3 b", "AD", &[])]
// BC is where line B of the inner circuit crosses line C of the outer one.
#[case::both_circuits_from_a_crossing("1w4/w5/1b4/6/6/2w3 b", "BC", &["AB", "CF"])]
#[case::the_nearest_on_each_way("2w3/2w3/1b4/6/6/6 b", "BC", &["CA", "CB"])]
#[case::an_own_piece_shields("2b3/2w3/1b4/6/3b2/6 b", "BC", &["CB"])]
#[case::from_a_corner("bw4/ww4/2w3/6/6/6 b", "AA", &[])]
#[case::an_edge_has_one_line("6/6/6/b5/6/1ww3 b", "AD", &["CF"])]
fn runs_capture(#[case] position: &str, #[case] from: &str, #[case] to: &[&str]) {
    let table = at(position);
    let mut found = captures(table.as_ref(), from);
    found.sort();
    assert_eq!(found, to);
    // The naive referee must agree before the case is worth anything.
    let board = read(position);
    let point = (from.as_bytes()[0] - b'A', from.as_bytes()[1] - b'A');
    let mut naive: Vec<String> = naive_captures(&board, (point.0 as i8, point.1 as i8)).into_iter().map(name).collect();
    naive.sort();
    assert_eq!(naive, to);
}

#[test]
fn a_capture_is_one_move_however_many_ways_there_are() {
    let mut table = at("6/1b4/6/6/4w1/6 b 5 9");
    assert_eq!(table.count_legal(), 9);
    assert_eq!(table.list_plies(Eyes::All, 99).list.iter().filter(|ply| *ply == "BBEE").count(), 1);
    play(table.as_mut(), "BBEE");
    assert_eq!(table.position(Eyes::All), "6/6/6/6/4b1/6 w 0 10");
}

#[test]
fn a_capture_leaves_its_point_and_starts_the_quiet_count_anew() {
    let mut table = at("1b4/w5/6/5w/6/6 b 5 9");
    play(table.as_mut(), "BAAB");
    assert_eq!(table.position(Eyes::All), "6/b5/6/5w/6/6 w 0 10");
    play(table.as_mut(), "fdfe");
    assert_eq!(table.position(Eyes::All), "6/b5/6/6/5w/6 b 1 11");
    assert!(table.undo() && table.undo() && !table.undo());
    assert_eq!(table.position(Eyes::All), "1b4/w5/6/5w/6/6 b 5 9");
}

#[rstest]
#[case::not_there("AC", "AD", "not-yours", "AC")]
#[case::the_enemys("AE", "AD", "not-yours", "AE")]
#[case::nowhere("AB", "AB", "twice", "AB")]
#[case::onto_a_friend("AA", "AB", "occupied", "AB")]
#[case::two_steps("AB", "AD", "unreachable", "AD")]
#[case::a_knights_leap("AB", "BD", "unreachable", "BD")]
#[case::a_capture_that_is_none("AB", "AE", "no-run", "AE")]
#[case::off_the_board("FB", "GC", "off-board", "GC")]
#[case::too_short("AB", "", "malformed", "AB")]
#[case::too_long("AB", "ACAD", "malformed", "ABACAD")]
#[case::digits("A2", "A3", "malformed", "A2A3")]
fn bad_plies_are_named(#[case] from: &str, #[case] to: &str, #[case] code: &str, #[case] place: &str) {
    let mut table = open("", None).unwrap();
    let fault = table.play(&format!("{from}{to}"), Eyes::All).unwrap_err();
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
    assert_eq!(table.position(Eyes::All), START);
}

#[test]
fn a_piece_in_a_corner_cannot_be_captured() {
    let mut table = at("b4b/1w4/2w3/3w2/4w1/w4w w");
    assert_eq!(table.play("BBAA", Eyes::All).unwrap_err().reason.code, "no-run");
    for from in ["BB", "CC", "DD", "EE", "AF", "FF"] {
        assert_eq!(captures(table.as_ref(), from), [""; 0]);
    }
}

#[test]
fn the_side_without_pieces_has_lost() {
    let mut table = at("1b4/w5/6/6/6/6 b 5 9");
    play(table.as_mut(), "BAAB");
    assert_eq!(end(table.as_ref()), Some((Some(Side::Black), "no-pieces", 10)));
    assert_eq!(table.count_legal(), 0);
    assert_eq!(table.play("ABAC", Eyes::All).unwrap_err().reason.code, "game-over");
    assert!(table.undo());
    assert_eq!(end(table.as_ref()), None);
}

#[rstest]
#[case::the_side_to_move("6/6/6/6/6/5w b 0 7", Side::White)]
#[case::the_other_side("6/6/6/6/6/5w w 0 7", Side::White)]
fn a_position_without_a_side_is_over(#[case] position: &str, #[case] winner: Side) {
    let table = at(position);
    assert_eq!(end(table.as_ref()), Some((Some(winner), "no-pieces", 7)));
    assert_eq!(table.count_legal(), 0);
}

#[test]
fn the_side_without_a_move_has_lost() {
    let mut table = at("bw4/w5/1w4/6/6/6 w 3 9");
    play(table.as_mut(), "BCBB");
    assert_eq!(end(table.as_ref()), Some((Some(Side::White), "no-ply", 10)));
    assert_eq!(table.count_legal(), 0);
    // A side that can only capture has a move.
    let table = at("bbw3/www3/6/6/6/6 b 0 9");
    assert_eq!((end(table.as_ref()), table.list_plies(Eyes::All, 99).list), (None, vec!["BAAB".to_owned()]));
}

#[test]
fn no_move_comes_before_the_quiet_limit() {
    let mut table = at("bw4/w5/1w4/6/6/6 w 79 100");
    play(table.as_mut(), "BCBB");
    assert_eq!(end(table.as_ref()), Some((Some(Side::White), "no-ply", 101)));
}

#[rstest]
#[case::equal("b5/6/6/6/6/5w b 79 99", Some((None, "quiet-limit", 100)))]
#[case::black_has_more("b5/6/6/b5/6/5w b 79 99", Some((Some(Side::Black), "quiet-limit", 100)))]
#[case::white_has_more("b5/6/6/5w/6/5w b 79 99", Some((Some(Side::White), "quiet-limit", 100)))]
#[case::one_ply_early("b5/6/6/6/6/5w b 78 99", None)]
fn eighty_quiet_plies_end_it(#[case] position: &str, #[case] expected: Option<(Option<Side>, &'static str, u32)>) {
    let mut table = at(position);
    assert_eq!(end(table.as_ref()), None);
    play(table.as_mut(), "AABA");
    assert_eq!(end(table.as_ref()), expected);
    assert_eq!(table.count_legal() == 0, expected.is_some());
    assert_eq!(at(&table.position(Eyes::All)).verdict(), table.verdict());
}

#[test]
fn a_capture_on_the_last_quiet_ply_goes_on() {
    let mut table = at("1b4/w5/6/5w/6/6 b 79 99");
    play(table.as_mut(), "BAAB");
    assert_eq!((end(table.as_ref()), table.position(Eyes::All).as_str()), (None, "6/b5/6/5w/6/6 w 0 100"));
}

#[test]
fn the_quiet_limit_is_an_option_and_can_be_off() {
    let mut table = open("quiet_plies=3", None).unwrap();
    play(table.as_mut(), "ABAC AEAD BBBC");
    assert_eq!(end(table.as_ref()), Some((None, "quiet-limit", 3)));
    let mut table = open("quiet_plies=0", Some("b5/6/6/6/6/5w b 9999 9999")).unwrap();
    play(table.as_mut(), "AABA");
    assert_eq!((end(table.as_ref()), table.position(Eyes::All).as_str()), (None, "1b4/6/6/6/6/5w w 10000 10000"));
}

#[test]
fn the_third_time_ends_it_and_the_pieces_are_counted() {
    let mut table = open("", None).unwrap();
    play(table.as_mut(), "ABAC AEAD ACAB ADAE");
    assert_eq!(table.position(Eyes::All), "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 4 4 2");
    play(table.as_mut(), "ABAC AEAD ACAB");
    assert_eq!(end(table.as_ref()), None);
    play(table.as_mut(), "ADAE");
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 8)));
    assert_eq!(table.position(Eyes::All), "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 8 8 3");
    assert_eq!(table.count_legal(), 0);
    assert_eq!(table.play("ABAC", Eyes::All).unwrap_err().reason.code, "game-over");
    assert!(table.undo());
    assert_eq!(end(table.as_ref()), None);
    play(table.as_mut(), "BEBD");
    assert_eq!(end(table.as_ref()), None);
}

#[rstest]
#[case("b5/6/6/b5/6/5w b 0 0", Side::Black)]
#[case("b5/6/6/5w/6/5w b 0 0", Side::White)]
fn more_pieces_win_by_repetition(#[case] position: &str, #[case] winner: Side) {
    let mut table = at(position);
    play(table.as_mut(), "AABA FFEF BAAA EFFF AABA FFEF BAAA EFFF");
    assert_eq!(end(table.as_ref()), Some((Some(winner), "repetition", 8)));
}

#[test]
fn positions_count_wherever_the_repetition_began() {
    // The position after ABAC AEAD stands at plies 2, 6 and 10; the start only twice.
    let mut table = open("", None).unwrap();
    play(table.as_mut(), "FBFC FEFD ABAC AEAD ACAB ADAE ABAC AEAD ACAB ADAE");
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 10)));
}

#[test]
fn the_side_to_move_belongs_to_the_position() {
    let mut table = open("repetition=2", Some("b5/6/6/6/6/5w b 0 0")).unwrap();
    // Black takes three moves to come back, White two: the same board, but White's turn.
    play(table.as_mut(), "AAAB FFFE ABBB FEFF BBAA");
    assert_eq!((end(table.as_ref()), table.position(Eyes::All).as_str()), (None, "b5/6/6/6/6/5w w 5 5"));
}

#[test]
fn repetition_is_an_option_and_can_be_off() {
    let there_and_back = "ABAC AEAD ACAB ADAE ";
    let mut table = open("repetition=2", None).unwrap();
    play(table.as_mut(), there_and_back);
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 4)));
    let mut table = open("repetition=0", None).unwrap();
    play(table.as_mut(), &there_and_back.repeat(19));
    assert_eq!(
        (end(table.as_ref()), table.position(Eyes::All).as_str()),
        (None, "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 76 76")
    );
    play(table.as_mut(), there_and_back);
    assert_eq!(end(table.as_ref()), Some((None, "quiet-limit", 80)));
    let mut table = open("repetition=0 quiet_plies=0", None).unwrap();
    play(table.as_mut(), &there_and_back.repeat(500));
    assert_eq!((end(table.as_ref()), table.plies()), (None, 2000));
}

#[test]
fn undoing_a_capture_brings_the_earlier_positions_back() {
    let mut table = at("1b4/w5/6/6/5w/b5 b 0 0");
    let there_and_back = "AFBF FEFD BFAF FDFE";
    play(table.as_mut(), there_and_back);
    // A capture and a longer quiet run overwrite what was remembered; taking all of it back must restore it.
    play(table.as_mut(), "BAAB FEFD ABAC FDFC ACAD FCFB ADAC FBFA");
    for _ in 0..8 {
        assert!(table.undo());
    }
    assert_eq!(table.position(Eyes::All), "1b4/w5/6/6/5w/b5 b 4 4 2");
    play(table.as_mut(), there_and_back);
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 8)));
}

#[test]
fn a_position_text_remembers_how_often_it_stood() {
    let mut table = at("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 4 4 2");
    play(table.as_mut(), "ABAC AEAD ACAB ADAE");
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 8)));
    let over = at("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww b 8 8 3");
    assert_eq!(end(over.as_ref()), Some((None, "repetition", 8)));
}

#[test]
fn a_run_longer_than_the_first_room_is_still_remembered() {
    let mut table = open("quiet_plies=0 repetition=100", Some("b5/6/6/6/6/5w b 0 0")).unwrap();
    // Both sides walk once around four squares: twelve plies, no position twice.
    let round = "AABA FFEF BACA EFDF CACB DFDE CBBB DEEE BBAB EEFE ABAA FEFF ";
    play(table.as_mut(), &round.repeat(98));
    assert_eq!((end(table.as_ref()), table.position(Eyes::All).as_str()), (None, "b5/6/6/6/6/5w b 1176 1176 99"));
    play(table.as_mut(), round);
    assert_eq!(end(table.as_ref()), Some((None, "repetition", 1188)));
    while table.undo() {}
    assert_eq!(table.position(Eyes::All), "b5/6/6/6/6/5w b 0 0");
}

#[rstest]
#[case("", "", "the position text ends before its field \"board\" (at character 1)")]
#[case("", "6/6/6/6/6/6 b", "no game can reach this position: 6/6/6/6/6/6 (at character 1)")]
#[case("", "b5/6/6/6/6/w5", "the position text ends before its field \"b|w\" (at character 14)")]
#[case("", "b5/6/6/6/6/w6 b", "row 6 of the position has the wrong length (at character 13)")]
#[case("", "b5/6/6/6/w5 b", "the position needs 6 rows (at character 12)")]
#[case("", "b5/6/x5/6/6/w5 b", "\"x\" does not belong in a position of this game (at character 6)")]
#[case("", "bbbbbb/bbbbbb/3b2/6/6/w5 b", "DC is one piece too many: a side has at most 12")]
#[case("", "b5/6/6/6/6/w5 b 81 90", "no game can reach this position: 81 (at character 17)")]
#[case("", "b5/6/6/6/6/w5 b 8 7", "no game can reach this position: 7 (at character 19)")]
#[case("", "b5/6/6/6/6/w5 b 8 9 4", "no game can reach this position: 4 (at character 21)")]
#[case("", "b5/6/6/6/6/w5 b 7 9 3", "no game can reach this position: 3 (at character 21)")]
#[case("", "b5/6/6/6/6/w5 b 7 9 0", "no game can reach this position: 0 (at character 21)")]
#[case("", "b5/6/6/6/6/w5 b 7 9 2 1", "\"1\" does not belong in a position of this game (at character 23)")]
#[case("repetition=0", "b5/6/6/6/6/w5 b 7 9 2", "\"2\" does not belong in a position of this game (at character 21)")]
#[case("", "b5/6/6/6/6/w5 b -1", "\"-1\" does not belong in a position of this game (at character 17)")]
#[case(
    "quiet_plies=0",
    "b5/6/6/6/6/w5 b 99999999",
    "\"99999999\" does not belong in a position of this game (at character 17)"
)]
#[case("repetition=1", "b5/6/6/6/6/w5 b", "option repetition=0,2..100 is outside its range")]
#[case("repetition=101", "b5/6/6/6/6/w5 b", "option repetition=0,2..100 is outside its range")]
#[case("quiet_plies=1001", "b5/6/6/6/6/w5 b", "option quiet_plies=0..1000 is outside its range")]
fn bad_positions_and_options_are_named(#[case] variant: &str, #[case] position: &str, #[case] sentence: &str) {
    assert_eq!(open(variant, Some(position)).err().map(|error| error.to_string()).as_deref(), Some(sentence));
}

type Point = (i8, i8);
type Board = HashMap<Point, char>;

fn read(position: &str) -> Board {
    let mut board = Board::new();
    for (y, row) in (0..).zip(position.split(' ').take(1).flat_map(|rows| rows.split('/'))) {
        let mut x = 0;
        for letter in row.chars() {
            if let Some(run) = letter.to_digit(10) {
                x += run as i8;
            } else {
                board.insert((x, y), letter);
                x += 1;
            }
        }
    }
    board
}

fn name((x, y): Point) -> String {
    [x, y].map(|at| (b'A' + at as u8) as char).iter().collect()
}

fn on_board((x, y): Point) -> bool {
    (0..6).contains(&x) && (0..6).contains(&y)
}

/// Walks out of the board at the end of a line and back in where the loop leads: point and direction.
fn around((x, y): Point, (dx, _): Point) -> Option<(Point, Point)> {
    let inward = |at: i8| if at <= 2 { 1 } else { -1 };
    // A loop joins the line that is n away from a corner with the other line that is n away from it.
    let mirrored = |at: i8, end: i8| if (at <= 2) == (end == 0) { at } else { 5 - at };
    let (out, back) = if dx != 0 {
        (y, ((mirrored(y, x), if y <= 2 { 0 } else { 5 }), (0, inward(y))))
    } else {
        (x, ((if x <= 2 { 0 } else { 5 }, mirrored(x, y)), (inward(x), 0)))
    };
    (1..5).contains(&out).then_some(back)
}

fn naive_captures(board: &Board, from: Point) -> HashSet<Point> {
    let own = board[&from];
    let mut found = HashSet::new();
    for start in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let (mut point, mut direction, mut loops) = (from, start, 0);
        for _ in 0..24 {
            let next = (point.0 + direction.0, point.1 + direction.1);
            if on_board(next) {
                point = next;
            } else if let Some(back) = around(point, direction) {
                (point, direction) = back;
                loops += 1;
            } else {
                break;
            }
            match board.get(&point) {
                Some(_) if point == from => {}
                None => {}
                Some(&met) => {
                    if met != own && loops > 0 {
                        found.insert(point);
                    }
                    break;
                }
            }
        }
    }
    found
}

fn naive_moves(board: &Board, side: char) -> HashSet<String> {
    let mut moves = HashSet::new();
    for (&from, _) in board.iter().filter(|&(_, &piece)| piece == side) {
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let to = (from.0 + dx, from.1 + dy);
            if on_board(to) && !board.contains_key(&to) {
                moves.insert(name(from) + &name(to));
            }
        }
        moves.extend(naive_captures(board, from).into_iter().map(|to| name(from) + &name(to)));
    }
    moves
}

/// A referee that keeps every position as text, to count what came before.
#[rstest]
#[case::default("", "no-pieces")]
#[case::short("quiet_plies=20 repetition=2", "quiet-limit")]
#[case::without_a_quiet_limit("quiet_plies=0 repetition=2", "repetition")]
fn random_games_follow_the_naive_referee(#[case] variant: &str, #[case] often: &str) {
    let options: SurakartaVariant = serde_json::from_value(read_pairs(variant.split_whitespace()).unwrap()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut ends = HashSet::new();
    for _ in 0..40 {
        let mut table = open(variant, None).unwrap();
        let mut past = vec![(table.position(Eyes::All).split_once(" b").unwrap().0.to_owned(), Side::Black)];
        while table.verdict().is_none() {
            let position = table.position(Eyes::All);
            let board = read(&position);
            let legal: HashSet<String> = table.list_plies(Eyes::All, 999).list.into_iter().collect();
            assert_eq!(legal, naive_moves(&board, table.to_move().letter()), "{position}");
            let ply = table.random_ply(&mut rng).unwrap();
            table.play(&ply, Eyes::All).unwrap();
            if piece_at(&position, &ply[2..]).is_some() {
                past.clear();
            }
            past.push((table.position(Eyes::All).split(' ').next().unwrap().to_owned(), table.to_move()));
            let board = read(&past.last().unwrap().0);
            let count = |letter| board.values().filter(|&&piece| piece == letter).count();
            let (black, white) = (count('b'), count('w'));
            let times = past.iter().filter(|&earlier| Some(earlier) == past.last()).count() as u32;
            let expected = if black == 0 || white == 0 {
                Some("no-pieces")
            } else if naive_moves(&board, table.to_move().letter()).is_empty() {
                Some("no-ply")
            } else if options.quiet_plies > 0 && past.len() as u32 > options.quiet_plies {
                Some("quiet-limit")
            } else if times >= options.repetition {
                Some("repetition")
            } else {
                None
            };
            assert_eq!(table.verdict().map(|verdict| verdict.reason.code), expected, "{past:?}");
            if let Some(verdict) = table.verdict() {
                ends.insert(verdict.reason.code);
                let winner = if black > white { Some(Side::Black) } else { (white > black).then_some(Side::White) };
                assert!(verdict.winner == winner || expected == Some("no-ply"));
            }
        }
    }
    assert!(ends.contains(often), "{ends:?}");
}

#[test]
fn the_picture_has_eight_loops_and_coordinates_beyond_them() {
    let view = at("b5/6/6/6/6/5w b 0 0").view(Eyes::All);
    let geometry = &view.scene.geometry;
    assert_eq!(geometry.spots.len(), 36);
    assert_eq!((geometry.spots[13].name.as_str(), geometry.spots[13].x, geometry.spots[13].y), ("BC", 1.0, 2.0));
    let inked = |ink| geometry.strokes.iter().filter(move |stroke| stroke.ink == ink);
    for (ink, lines, loop_radius) in
        [(Ink::Grid, 4, None), (Ink::InnerCircuit, 4, Some(1.0)), (Ink::OuterCircuit, 4, Some(2.0))]
    {
        assert_eq!(inked(ink).filter(|stroke| matches!(stroke.shape, Shape::Line { .. })).count(), lines);
        let loops: Vec<_> = inked(ink)
            .filter_map(|stroke| match stroke.shape {
                Shape::CornerLoop { x, y, radius, outward_x, outward_y } => Some((x, y, radius, outward_x, outward_y)),
                Shape::Line { .. } => None,
            })
            .collect();
        assert_eq!(loops.len(), if loop_radius.is_some() { 4 } else { 0 });
        for (x, y, radius, outward_x, outward_y) in loops {
            assert_eq!(Some(radius), loop_radius);
            assert_eq!((outward_x, outward_y), (if x == 0.0 { -1.0 } else { 1.0 }, if y == 0.0 { -1.0 } else { 1.0 }));
        }
    }
    assert_eq!(geometry.labels.len(), 12);
    assert!(geometry.labels.iter().all(|label| label.x < -2.2 || label.y < -2.2));
}

#[test]
fn clicks_are_from_and_to() {
    let mut table = open("", None).unwrap();
    play(table.as_mut(), "ABAC");
    let view = table.view(Eyes::Seat(Side::White));
    assert_eq!(view.last, [6, 12]);
    assert!(view.clicks.complete);
    assert_eq!(view.clicks.tree[0].spot, 24);
    assert_eq!(view.clicks.tree[0].next[0].ply.as_deref(), Some("AEAD"));
}

#[test]
fn notes_tell_pieces_and_limits() {
    let notes = |table: &dyn Table| -> Vec<String> {
        table.observe(Side::White).notes.iter().map(|note| format!("{}={}", note.key, note.value)).collect()
    };
    assert_eq!(notes(at("b5/6/6/b5/6/5w b 9 20 2").as_ref()), ["black=2", "white=1", "quiet=9", "times=2"]);
    let table = open("repetition=0", Some("b5/6/6/b5/6/5w b 9 20")).unwrap();
    assert_eq!(notes(table.as_ref()), ["black=2", "white=1", "quiet=9"]);
}

#[test]
fn fields_beyond_the_board_are_refused_not_followed() {
    let position = Surakarta::new(&SurakartaVariant::default());
    for (from, to) in [(36, 0), (6, 36), (64, 70), (255, 255), (6, 255)] {
        assert_eq!(position.judge(Move { from, to }).unwrap_err().reason.code, "off-board");
    }
}

#[rstest]
#[case(SurakartaVariant::default())]
#[case(SurakartaVariant { repetition: 0, ..SurakartaVariant::default() })]
#[case(SurakartaVariant { quiet_plies: 0, ..SurakartaVariant::default() })]
fn playing_never_allocates_not_even_on_a_clone(#[case] variant: SurakartaVariant) {
    let mut position = Surakarta::new(&variant).clone();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let info = allocation_counter::measure(|| {
        while position.verdict().is_none() {
            let ply = position.random_ply(&mut rng).unwrap();
            let memo = position.apply(ply, End::Played);
            position.undo(memo);
            position.apply(ply, End::Played);
            assert!(position.count_legal() < 200);
        }
    });
    assert_eq!(info.count_total, 0);
    let start = Surakarta::new(&variant);
    let info = allocation_counter::measure(|| position.clone_from(&start));
    assert_eq!((info.count_total, position.plies()), (0, 0));
    assert!(position == start);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,20}|[bw1-9/ ]{0,30}", ply in "\\PC{0,6}|[A-Ga-f]{4}") {
        let _ = open("", Some(&text));
        let mut table = open("", None).unwrap_or_else(|error| panic!("{error}"));
        let _ = table.play(&ply, Eyes::All);
    }

    #[test]
    fn any_board_goes_on_or_is_over(
        letters in "[bw.]{36}",
        tail in "[bw]( [0-9]{1,2})?( [0-9]{1,3})?( [1-3])?",
        repetition in 0_u32..4,
        quiet_plies in 0_u32..90,
    ) {
        let variant = format!("repetition={repetition} quiet_plies={quiet_plies}");
        let mut rows = String::new();
        write_rows(&mut rows, 6, 6, |x, y| letters.chars().nth(y * 6 + x).filter(|&letter| letter != '.'));
        if let Ok(table) = open(&variant, Some(&format!("{rows} {tail}"))) {
            assert_eq!(table.count_legal() == 0, table.verdict().is_some());
            let text = table.position(Eyes::All);
            assert_eq!(open(&variant, Some(&text)).ok().map(|again| again.position(Eyes::All)), Some(text));
            let naive = naive_moves(&read(&rows), table.to_move().letter());
            assert!(table.verdict().is_some() || table.count_legal() == naive.len() as u64);
        }
    }
}

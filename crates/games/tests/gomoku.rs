//! Gomoku and renju: every corner of the rules, through the face that referees use.

use games::view::MarkKind;
use games::{End, Eyes, Side, Table, find, read_pairs};
use rstest::rstest;

fn try_open(pairs: &str, position: Option<&str>) -> Result<Box<dyn Table>, String> {
    let variant = read_pairs(pairs.split(';').filter(|pair| !pair.is_empty())).expect("pairs");
    find("gomoku").expect("registered").open(&variant, position).map_err(|error| error.to_string())
}

fn open(pairs: &str, position: Option<&str>) -> Box<dyn Table> {
    try_open(pairs, position).unwrap_or_else(|error| panic!("{pairs} {position:?}: {error}"))
}

/// A position text from lists of points.
fn board(width: usize, height: usize, black: &str, white: &str, tail: &str) -> String {
    let mut grid = vec![vec!['.'; width]; height];
    for (points, letter) in [(black, 'b'), (white, 'w')] {
        for point in points.split_whitespace() {
            let (x, y) = point.split_once(',').expect("x,y");
            grid[y.parse::<usize>().expect("y")][x.parse::<usize>().expect("x")] = letter;
        }
    }
    let rows: Vec<String> = grid.iter().map(|row| compact(&row.iter().collect::<String>())).collect();
    format!("{} {tail}", rows.join("/"))
}

/// Dots in a row become a number.
fn compact(row: &str) -> String {
    let mut out = String::new();
    let mut empty = 0;
    for letter in row.chars() {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
            empty = 0;
        }
        out.push(letter);
    }
    if empty > 0 {
        out.push_str(&empty.to_string());
    }
    out
}

/// How a ply ends and the verdict after it, as words.
fn outcome(table: &mut dyn Table, ply: &str) -> String {
    let word = match table.play(ply, Eyes::All) {
        Err(fault) => return format!("fault {}", fault.reason.code),
        Ok(played) => match played.end {
            End::Lost(reason) => format!("lost {}", reason.code),
            end => end.word().to_owned(),
        },
    };
    match table.verdict() {
        None => word,
        Some(verdict) => {
            let winner = verdict.winner.map_or("draw", Side::word);
            assert_eq!(verdict.ply, table.plies());
            format!("{word}, {winner} {}", verdict.reason.code)
        }
    }
}

fn play_all(table: &mut dyn Table, plies: &str) {
    for ply in plies.split_whitespace() {
        table.play(ply, Eyes::All).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
    }
}

/// Every forbidden point of 3,000 positions, no point more and none less.
#[test]
fn forbidden_points_are_those_of_the_reference() {
    let mut positions = 0;
    for line in include_str!("data/renju_forbidden.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (stones, points) = line.split_once('\t').expect("a tab");
        let stones = stones.replace('X', "b").replace('O', "w");
        let rows: Vec<String> = (0..15).map(|y| compact(&stones[y * 15..y * 15 + 15])).collect();
        let table = open("rule=renju", Some(&format!("{} b 0", rows.join("/"))));
        let mut found = table.losing_plies();
        found.sort();
        let mut expected: Vec<&str> = points.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", table.position(Eyes::All));
        positions += 1;
    }
    assert_eq!(positions, 3000);
}

/// Black plays 7,7 on an otherwise empty 15×15 board in renju.
#[rstest]
#[case::overline("7,4 7,5 7,6 7,8 7,9", "", "lost overline, white overline")]
#[case::five_beside_overline("7,4 7,5 7,6 7,8 7,9 3,7 4,7 5,7 6,7", "", "played, black line")]
#[case::five_beside_double_four("3,7 4,7 5,7 6,7 7,4 7,5 7,6 4,4 5,5 6,6", "7,3 3,3", "played, black line")]
#[case::five_beside_double_three("3,7 4,7 5,7 6,7 7,5 7,6 5,5 6,6", "", "played, black line")]
#[case::double_four("4,7 5,7 6,7 7,4 7,5 7,6", "3,7 7,3", "lost double-four, white double-four")]
#[case::straight_fours_twice("4,7 5,7 6,7 7,4 7,5 7,6", "", "lost double-four, white double-four")]
#[case::overline_before_double_four("7,4 7,5 7,6 7,8 7,9 4,7 5,7 6,7 4,4 5,5 6,6", "", "lost overline, white overline")]
#[case::fours_in_line_one_between("4,7 6,7 8,7 10,7", "", "lost double-four, white double-four")]
#[case::fours_in_line_two_pairs("3,7 4,7 6,7 9,7 10,7", "", "lost double-four, white double-four")]
#[case::fours_in_line_three_each("3,7 4,7 5,7 9,7 10,7 11,7", "", "lost double-four, white double-four")]
#[case::one_straight_four("4,7 5,7 6,7", "", "played")]
#[case::one_half_of_the_line_fours("4,7 6,7 8,7 10,7", "9,7", "played")]
#[case::a_four_that_would_be_six_is_none("2,7 3,7 5,7 6,7 8,7 7,4 7,5 7,6", "7,3 9,7", "played")]
#[case::four_and_three("4,7 5,7 6,7 7,5 7,6", "3,7", "played")]
#[case::double_three("5,7 6,7 7,5 7,6", "", "lost double-three, white double-three")]
#[case::broken_threes("4,7 6,7 7,4 7,6", "", "lost double-three, white double-three")]
#[case::triple_three("5,7 6,7 7,5 7,6 5,5 6,6", "", "lost double-three, white double-three")]
#[case::closed_three("5,7 6,7 7,5 7,6", "4,7", "played")]
#[case::three_with_too_little_room("5,7 6,7 7,5 7,6", "3,7 9,7", "played")]
#[case::three_closed_on_one_side_far("5,7 6,7 7,5 7,6", "9,7", "lost double-three, white double-three")]
#[case::three_whose_fives_are_overlines("2,7 5,7 6,7 10,7 7,5 7,6", "", "played")]
#[case::three_whose_only_four_is_an_overline("5,7 6,7 7,5 7,6 4,4 4,5 4,6 4,8 4,9", "9,7", "played")]
#[case::three_whose_only_four_is_a_double_four("5,7 6,7 7,5 7,6 4,4 4,5 4,6", "9,7 4,3", "played")]
#[case::three_whose_only_four_is_five_elsewhere("5,7 6,7 7,5 7,6 4,4 4,5 4,6 4,8", "9,7", "played")]
#[case::three_whose_only_four_is_a_double_three("5,7 6,7 7,5 7,6 4,5 4,6 5,8 6,9", "9,7", "played")]
#[case::the_same_with_a_false_three_there(
    "5,7 6,7 7,5 7,6 4,5 4,6 5,8 6,9",
    "9,7 4,4",
    "lost double-three, white double-three"
)]
#[case::the_same_with_the_other_end_open(
    "5,7 6,7 7,5 7,6 4,5 4,6 5,8 6,9",
    "",
    "lost double-three, white double-three"
)]
fn renju_judges_black(#[case] black: &str, #[case] white: &str, #[case] expected: &str) {
    let mut table = open("rule=renju", Some(&board(15, 15, black, white, "b 20")));
    let loses = table.losing_plies().contains(&"7,7".to_owned());
    assert_eq!(loses, expected.starts_with("lost"), "the list of losing plies agrees");
    let before = table.position(Eyes::All);
    assert_eq!(outcome(&mut *table, "7,7"), expected);
    let after = table.position(Eyes::All);
    let again = open("rule=renju", Some(&after));
    assert_eq!(again.verdict(), table.verdict(), "the end reads back: {after}");
    assert_eq!(again.hash(), table.hash());
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), before);
}

/// The deepest kind: a three false because its four is a double three that is itself real only if another four is.
#[test]
fn threes_are_judged_three_deep() {
    let black = "5,7 6,7 7,5 7,6 4,5 4,6 5,8 6,9";
    // 4,7 is a double three by its threes down the column (4,4 or 4,8 would make it four) and on the diagonal. With
    // both of the column's fours forbidden, 4,7 is allowed again, and 7,7 is a double three again.
    let column = "1,4 2,4 3,4 5,4 6,4 1,8 2,8 3,8 6,8";
    for (more, loses) in [("", false), (column, true)] {
        let text = board(15, 15, &format!("{black} {more}"), "9,7 0,8", "b 20");
        let table = open("rule=renju", Some(&text));
        assert_eq!(table.losing_plies().contains(&"7,7".to_owned()), loses, "{text}");
    }
}

#[test]
fn white_has_no_forbidden_points_and_wins_with_six() {
    let white = "4,7 5,7 6,7 8,7 9,7";
    let mut table = open("rule=renju", Some(&board(15, 15, "0,0", white, "w 6")));
    assert!(table.losing_plies().is_empty());
    assert_eq!(outcome(&mut *table, "7,7"), "played, white line");
    let mut table = open("rule=renju", Some(&board(15, 15, "0,0", "5,7 6,7 7,5 7,6", "w 6")));
    assert_eq!(outcome(&mut *table, "7,7"), "played");
}

#[test]
fn black_with_only_forbidden_points_has_lost() {
    let rest = "wwbwwbw/bbwbbwb/wwbwwbw";
    let stuck = open("width=7;height=5;rule=4", Some(&format!("bbb1bbb/{rest}/bbwbbwb b 34")));
    let verdict = stuck.verdict().expect("an end");
    assert_eq!((verdict.winner, verdict.reason.code), (Some(Side::White), "no-ply"));
    assert_eq!((stuck.count_legal(), stuck.losing_plies().len()), (0, 0));

    let mut table = open("width=7;height=5;rule=4", Some(&format!("bbb1bbb/{rest}/bbwbbw1 w 33")));
    assert_eq!(outcome(&mut *table, "6,4"), "played, white no-ply");
    assert_eq!(outcome(&mut *table, "3,0"), "fault game-over");
    table.undo();
    // White may take the point himself; Black's last stone then fills the board.
    assert_eq!(outcome(&mut *table, "3,0"), "played");
    assert_eq!(outcome(&mut *table, "6,4"), "played, draw board-full");
}

/// Black plays 7,7 after four or five in its row, with white stones at the ends.
#[rstest]
#[case::five("0", "5,7 6,7 8,7 9,7", "", "played, black line")]
#[case::six("0", "5,7 6,7 8,7 9,7 10,7", "", "played, black line")]
#[case::exact_five("exact", "5,7 6,7 8,7 9,7", "4,7 10,7", "played, black line")]
#[case::exact_six("exact", "5,7 6,7 8,7 9,7 10,7", "", "played")]
#[case::exact_nine("exact", "3,7 4,7 5,7 6,7 8,7 9,7 10,7 11,7", "", "played")]
#[case::exact_six_and_five("exact", "5,7 6,7 8,7 9,7 10,7 7,5 7,6 7,8 7,9", "", "played, black line")]
#[case::caro_open("caro", "5,7 6,7 8,7 9,7", "", "played, black line")]
#[case::caro_half_open("caro", "5,7 6,7 8,7 9,7", "4,7", "played, black line")]
#[case::caro_closed("caro", "5,7 6,7 8,7 9,7", "4,7 10,7", "played")]
#[case::caro_closed_down("caro", "7,5 7,6 7,8 7,9", "7,4 7,10", "played")]
#[case::caro_closed_diagonal("caro", "5,5 6,6 8,8 9,9", "4,4 10,10", "played")]
#[case::caro_closed_other_diagonal("caro", "5,9 6,8 8,6 9,5", "4,10 10,4", "played")]
#[case::caro_six_closed("caro", "5,7 6,7 8,7 9,7 10,7", "4,7 11,7", "played, black line")]
#[case::caro_exact_six("exact+caro", "5,7 6,7 8,7 9,7 10,7", "", "played")]
#[case::caro_exact_closed("9", "5,7 6,7 8,7 9,7", "4,7 10,7", "played")]
#[case::caro_exact_open("9", "5,7 6,7 8,7 9,7", "10,7", "played, black line")]
#[case::caro_closed_in_one_direction_only("8", "5,7 6,7 8,7 9,7 7,5 7,6 7,8 7,9", "4,7 10,7", "played, black line")]
fn lines_by_rule(#[case] rule: &str, #[case] black: &str, #[case] white: &str, #[case] expected: &str) {
    let pairs = format!("size=15;rule={rule}");
    let mut table = open(&pairs, Some(&board(15, 15, black, white, "b 20")));
    assert_eq!(outcome(&mut *table, "7,7"), expected);
    let again = open(&pairs, Some(&table.position(Eyes::All)));
    assert_eq!(again.verdict(), table.verdict());
    // The same for White.
    let mut table = open(&pairs, Some(&board(15, 15, white, black, "w 21")));
    assert_eq!(outcome(&mut *table, "7,7"), expected.replace("black", "white"));
}

#[test]
fn the_edge_does_not_close_a_five() {
    let mut table = open("size=15;rule=caro", Some(&board(15, 15, "0,7 1,7 2,7 3,7", "5,7", "b 20")));
    assert_eq!(outcome(&mut *table, "4,7"), "played, black line");
    let mut table = open("size=5;rule=caro", Some(&board(5, 5, "0,4 1,3 2,2 3,1", "", "b 20")));
    assert_eq!(outcome(&mut *table, "4,0"), "played, black line");
}

#[rstest]
#[case("0,0 1,0 2,0 3,0", "4,0")]
#[case("21,0 20,0 18,0 17,0", "19,0")]
#[case("21,21 21,20 21,19 21,18", "21,17")]
#[case("21,21 20,20 19,19 18,18", "17,17")]
#[case("0,21 1,20 2,19 3,18", "4,17")]
#[case("21,0 20,1 19,2 18,3", "17,4")]
#[case("0,17 1,18 2,19 4,21", "3,20")]
#[case("17,0 18,1 20,3 21,4", "19,2")]
fn fives_at_the_edges_of_the_largest_board(#[case] stones: &str, #[case] ply: &str) {
    for rule in ["0", "1", "4", "8"] {
        let mut table = open(&format!("size=22;rule={rule}"), Some(&board(22, 22, stones, "", "b 8")));
        assert_eq!(outcome(&mut *table, ply), "played, black line", "rule {rule}");
        let marks = table.view(Eyes::All).scene.marks;
        assert_eq!(marks.iter().filter(|mark| mark.kind == MarkKind::Winning).count(), 5);
    }
}

#[test]
fn rows_do_not_wrap_around() {
    for rule in ["0", "1", "4", "8"] {
        let black = "12,3 13,3 14,3 1,4";
        let mut table = open(&format!("size=15;rule={rule}"), Some(&board(15, 15, black, "", "b 8")));
        assert_eq!(outcome(&mut *table, "0,4"), "played");
    }
}

#[test]
fn a_scored_line_is_blocked_and_play_goes_on() {
    let mut table = open("size=7;rule=continuous", Some(&board(7, 7, "1,1 2,1 3,1 4,1", "0,6 6,6", "b 20")));
    assert_eq!(outcome(&mut *table, "5,1"), "played");
    assert_eq!(table.position(Eyes::All), "7/1BBBBB1/7/7/7/7/w5w w 21 1-0");
    let marks = table.view(Eyes::All).scene.marks;
    assert_eq!(marks.len(), 5);
    assert!(marks.iter().all(|mark| mark.kind == MarkKind::Winning));
    // A sixth stone beside a blocked line, and a column through it, are nothing.
    assert_eq!(outcome(&mut *table, "0,0"), "played");
    assert_eq!(outcome(&mut *table, "6,1"), "played");
    assert_eq!(table.position(Eyes::All), "w6/1BBBBBb/7/7/7/7/w5w w 23 1-0");
    for ply in ["1,6", "3,2", "2,6", "3,3", "4,6", "3,4"] {
        assert_eq!(outcome(&mut *table, ply), "played");
    }
    assert_eq!(outcome(&mut *table, "3,6"), "played");
    assert_eq!(table.position(Eyes::All), "w6/1BBBBBb/3b3/3b3/3b3/7/WWWWW1w b 30 1-1");
    // Five in the column only with the blocked stone.
    assert_eq!(outcome(&mut *table, "3,5"), "played");
    assert_eq!(outcome(&mut *table, "5,5"), "played");
    assert_eq!(outcome(&mut *table, "3,0"), "played");
    assert_eq!(table.position(Eyes::All), "w2b3/1BBBBBb/3b3/3b3/3b3/3b1w1/WWWWW1w w 33 1-1");
    while table.undo() {}
    assert_eq!(table.position(Eyes::All), board(7, 7, "1,1 2,1 3,1 4,1", "0,6 6,6", "b 20"));
}

#[test]
fn lines_made_by_one_stone_all_score() {
    let black = "1,3 2,3 4,3 5,3 3,1 3,2 3,4 3,5";
    let mut table = open("size=7;rule=3", Some(&board(7, 7, black, "", "b 20")));
    assert_eq!(outcome(&mut *table, "3,3"), "played");
    assert_eq!(table.position(Eyes::All), "7/3B3/3B3/1BBBBB1/3B3/3B3/7 w 21 2-0");
    let notes = table.view(Eyes::All).notes;
    assert_eq!(notes.iter().find(|note| note.key == "black-lines").map(|note| note.value.as_str()), Some("2"));
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), board(7, 7, black, "", "b 20"));
}

#[rstest]
#[case::more_win("bbbb1/wwbww/bbwbb/wwbww/BBBBB b 24 1-0", "4,0", "played, black board-full")]
#[case::equal_draws("bbbb1/wbwbw/WWWWW/bwbwb/wbwbw b 24 0-1", "4,0", "played, draw board-full")]
#[case::fewer_lose("bwbb1/wbwbw/WWWWW/bwbwb/wbwbw b 24 0-1", "4,0", "played, white board-full")]
#[case::none_draws("bwbb1/wwbww/bbwbb/wwbww/bbwbb b 24", "4,0", "played, draw board-full")]
fn a_full_board_is_counted(#[case] position: &str, #[case] ply: &str, #[case] expected: &str) {
    let mut table = open("size=5;rule=continuous", Some(position));
    assert_eq!(outcome(&mut *table, ply), expected);
}

#[test]
fn a_full_board_is_a_draw_unless_the_last_stone_wins() {
    let mut table = open("size=5", Some("bwbb1/wwbww/bbwbb/wwbww/bbwbb b 24"));
    assert_eq!(outcome(&mut *table, "4,0"), "played, draw board-full");
    let mut table = open("size=5", Some("bbbb1/wwbww/bbwbb/wwbww/bbwbb b 24"));
    assert_eq!(outcome(&mut *table, "4,0"), "played, black line");
    assert_eq!(outcome(&mut *table, "4,0"), "fault game-over");
    assert_eq!(table.count_legal(), 0);
}

/// The three answers of `SWAP2BOARD` and who plays what after them.
#[rstest]
#[case::stays_white("7,7+8,7+9,9 8,8", "15/15/15/15/15/15/15/7bw6/8w6/9b5/15/15/15/15/15 b 2", Side::Black, 'b')]
#[case::takes_black(
    "7,7+8,7+9,9 swap",
    "15/15/15/15/15/15/15/7bw6/15/9b5/15/15/15/15/15 b 2 swapped",
    Side::Black,
    'w'
)]
#[case::two_more(
    "7,7+8,7+9,9 8,8+8,6",
    "15/15/15/15/15/15/8b6/7bw6/8w6/9b5/15/15/15/15/15 b 2 swapped",
    Side::Black,
    'w'
)]
#[case::two_more_then_white(
    "7,7+8,7+9,9 8,8+8,6 6,8",
    "15/15/15/15/15/15/8b6/7bw6/6w1w6/9b5/15/15/15/15/15 w 3 swapped",
    Side::White,
    'b'
)]
#[case::two_more_then_black(
    "7,7+8,7+9,9 8,8+8,6 swap",
    "15/15/15/15/15/15/8b6/7bw6/8w6/9b5/15/15/15/15/15 w 3",
    Side::White,
    'w'
)]
fn swap2(#[case] plies: &str, #[case] position: &str, #[case] seat: Side, #[case] colour: char) {
    let mut table = open("size=15;opening=swap2", None);
    play_all(&mut *table, plies);
    assert_eq!(table.position(Eyes::All), position);
    assert_eq!(table.to_move(), seat);
    let again = open("size=15;opening=swap2", Some(position));
    assert_eq!((again.hash(), again.count_legal()), (table.hash(), table.count_legal()));
    let from_plies = open("size=15;opening=swap2", Some(plies));
    assert_eq!(from_plies.position(Eyes::All), position);
    play_all(&mut *table, "0,0");
    assert!(table.position(Eyes::All).starts_with(&format!("{colour}14/")));
    while table.undo() {}
    assert_eq!(table.position(Eyes::All), "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 b 0");
}

#[test]
fn after_a_swap_the_other_seat_wins_with_black() {
    let mut table = open("size=15;opening=swap2", None);
    play_all(&mut *table, "3,3+0,0+4,3 swap 0,1 5,3 0,2 6,3 0,4");
    assert_eq!(table.to_move(), Side::White);
    assert_eq!(outcome(&mut *table, "7,3"), "played, white line");
    let again = open("size=15;opening=swap2", Some(&table.position(Eyes::All)));
    assert_eq!(again.verdict(), table.verdict());
}

#[test]
fn after_a_swap_the_other_seat_has_the_forbidden_points() {
    let mut table = open("rule=renju;opening=swap2", None);
    play_all(&mut *table, "5,7+0,0+6,7 swap 0,14 7,5 14,0 7,6 14,14");
    assert_eq!((table.to_move(), table.losing_plies()), (Side::White, vec!["7,7".to_owned()]));
    assert_eq!(outcome(&mut *table, "7,7"), "lost double-three, black double-three");
    let text = table.position(Eyes::All);
    assert!(text.ends_with(" b 8 swapped double-three"), "{text}");
    let again = open("rule=renju;opening=swap2", Some(&text));
    assert_eq!(again.verdict(), table.verdict());
}

#[test]
fn swap2_counts_and_buttons() {
    let mut table = open("size=15;opening=swap2", None);
    assert_eq!(table.count_legal(), 225 * 224 * 223);
    play_all(&mut *table, "7,7+8,7+9,9");
    assert_eq!(table.count_legal(), 1 + 222 + 222 * 221);
    let view = table.view(Eyes::Seat(Side::White));
    assert_eq!(view.scene.geometry.spots.len(), 226);
    assert_eq!(view.last, [7 * 15 + 7, 7 * 15 + 8, 9 * 15 + 9]);
    assert_eq!(table.clicks(Eyes::Seat(Side::White), &[])[0].ply.as_deref(), Some("swap"));
    let first = table.clicks(Eyes::All, &[]).into_iter().find(|click| click.spot == 0).expect("the corner");
    assert_eq!(first.ply.as_deref(), Some("0,0"));
    play_all(&mut *table, "0,0+1,0");
    assert_eq!(table.count_legal(), 1 + 220);
    play_all(&mut *table, "swap");
    assert_eq!(table.count_legal(), 220);
    assert_eq!(table.view(Eyes::All).scene.geometry.spots.len(), 225);
}

#[rstest]
#[case("", "", "7,7 7,7", "occupied")]
#[case("", "", "20,0", "off-board")]
#[case("", "", "0,20", "off-board")]
#[case("", "", "99999999999999999999,0", "off-board")]
#[case("width=7;height=5", "", "6,5", "off-board")]
#[case("width=7;height=5", "", "6,4 5,5", "off-board")]
#[case("", "", "7", "malformed")]
#[case("", "", "7,", "malformed")]
#[case("", "", ",7", "malformed")]
#[case("", "", "-1,7", "malformed")]
#[case("", "", "7;7", "malformed")]
#[case("", "", "7,7+", "malformed")]
#[case("", "", "+7,7", "malformed")]
#[case("", "", "7,7x", "malformed")]
#[case("", "", "7,7+8,8+9,9+1,1", "malformed")]
#[case("", "", "七,七", "malformed")]
#[case("", "", "", "malformed")]
#[case("", "", "swap", "not-now")]
#[case("", "", "1,1+2,2", "not-now")]
#[case("", "", "1,1+2,2+3,3", "not-now")]
#[case("opening=swap2", "", "1,1", "not-now")]
#[case("opening=swap2", "", "1,1+2,2", "not-now")]
#[case("opening=swap2", "", "swap", "not-now")]
#[case("opening=swap2", "", "1,1+2,2+1,1", "twice")]
#[case("opening=swap2", "1,1+2,2+3,3", "1,1", "occupied")]
#[case("opening=swap2", "1,1+2,2+3,3", "4,4+3,3", "occupied")]
#[case("opening=swap2", "1,1+2,2+3,3", "4,4+4,4", "twice")]
#[case("opening=swap2", "1,1+2,2+3,3", "4,4+5,5+6,6", "not-now")]
#[case("opening=swap2", "1,1+2,2+3,3 4,4+5,5", "6,6+7,7", "not-now")]
#[case("opening=swap2", "1,1+2,2+3,3 swap", "swap", "not-now")]
#[case("opening=swap2", "1,1+2,2+3,3 4,4", "swap", "not-now")]
#[case("opening=swap2", "1,1+2,2+3,3 4,4+5,5 swap", "swap", "not-now")]
fn plies_that_are_refused(#[case] pairs: &str, #[case] before: &str, #[case] ply: &str, #[case] code: &str) {
    let mut table = open(pairs, None);
    play_all(&mut *table, before);
    // All but the last word are played.
    let (first, last) = ply.rsplit_once(' ').unwrap_or(("", ply));
    play_all(&mut *table, first);
    let position = table.position(Eyes::All);
    assert_eq!(outcome(&mut *table, last), format!("fault {code}"));
    assert_eq!(table.position(Eyes::All), position);
}

#[rstest]
#[case("7, 8", "7,8")]
#[case("  7 ,8 ", "7,8")]
#[case("07,008", "7,8")]
fn plies_are_read_leniently(#[case] text: &str, #[case] canonical: &str) {
    let mut table = open("", None);
    table.play(text, Eyes::All).expect("a ply");
    assert_eq!(table.step(0, Eyes::All).and_then(|step| step.ply).as_deref(), Some(canonical));
}

#[test]
fn the_protocols_three_stones_are_read_with_blanks() {
    let mut table = open("opening=swap2", None);
    table.play("7,7 8, 7  9,9", Eyes::All).expect("three stones");
    assert_eq!(table.step(0, Eyes::All).and_then(|step| step.ply).as_deref(), Some("7,7+8,7+9,9"));
    table.play("SWAP", Eyes::All).expect("a swap");
}

#[rstest]
#[case("size=5", "5/5/5/5 b 0", "the position needs 5 rows (at character 8)")]
#[case("size=5", "5/5/5/5/4 b 0", "row 5 of the position has the wrong length (at character 10)")]
#[case("size=5", "5/5/5/5/4x b 0", "\"x\" does not belong in a position of this game (at character 10)")]
#[case("size=5", "5/5/5/5/4B b 0", "\"B\" does not belong in a position of this game (at character 10)")]
#[case("size=5", "5/5/5/5/5", "the position text ends before its field \"b|w\" (at character 10)")]
#[case("size=5", "5/5/5/5/5 b 0 swapped", "\"swapped\" does not belong in a position of this game (at character 15)")]
#[case("size=5", "5/5/5/5/5 b 0 1-0", "\"1-0\" does not belong in a position of this game (at character 15)")]
#[case("size=5", "5/5/5/5/5 b 0 overline", "\"overline\" does not belong in a position of this game (at character 15)")]
#[case("size=5", "bbbbb/5/5/5/5 b 0", "no game can reach this position: line at 0,0")]
#[case("size=5", "bbbbb/wwwww/5/5/5 b 0", "no game can reach this position: line at 0,0")]
#[case("size=5", "bbbbb/wwwww/5/5/5 w 0", "no game can reach this position: line at 0,1")]
#[case("size=5;rule=2", "5/5/5/5/BBBBB w 0", "no game can reach this position: score 0-0")]
#[case("size=5;rule=2", "5/5/5/5/BBBBB w 0 2-0", "no game can reach this position: score 2-0")]
#[case("size=5;rule=2", "5/5/5/5/BBBBB w 0 1-1", "no game can reach this position: score 1-1")]
#[case("size=5;rule=2", "5/5/5/5/BBBBB w 0 1-", "\"1-\" does not belong in a position of this game (at character 19)")]
#[case("size=5;rule=2", "5/5/5/5/5 w 0 99999999999999999999999-0", "no game can reach this position: score 484-0")]
#[case("size=7;rule=4", "bbbbbb1/7/7/7/7/7/7 w 0", "no game can reach this position: overline at 0,0")]
#[case("size=7;rule=4", "bb5/7/7/7/7/7/7 w 0 overline", "no game can reach this position: overline")]
#[case("size=7;rule=4", "bbbbbb1/7/7/7/7/7/7 b 0 overline", "no game can reach this position: overline")]
#[case(
    "size=7;rule=4",
    "bb5/7/7/7/7/7/7 w 0 underline",
    "\"underline\" does not belong in a position of this game (at character 21)"
)]
#[case("size=5;opening=swap2", "5/5/5/5/5 w 0", "no game can reach this position: turn in swap2")]
#[case("size=5;opening=swap2", "bwb2/5/5/5/5 b 1", "no game can reach this position: turn in swap2")]
#[case("size=5", "1,1 1,1", "1,1 is not empty (at character 5)")]
#[case("size=5", "1,1  5,1", "5,1 is not on the board (at character 6)")]
#[case("size=5", "1,1 2;2", "\"2;2\" is not a ply of this game (at character 5)")]
#[case("size=5", "", "the position text ends before its field \"board\" (at character 1)")]
#[case("size=4", "", "option size=5..22 is outside its range")]
#[case("size=23", "", "option size=5..22 is outside its range")]
#[case("width=4", "", "option width=5..22 is outside its range")]
#[case("height=23", "", "option height=5..22 is outside its range")]
#[case("rule=5", "", "rule 5 is none there is: any sum of 1 exact, 2 continuous and 8 caro, or 4 renju alone")]
#[case("rule=16", "", "rule 16 is none there is: any sum of 1 exact, 2 continuous and 8 caro, or 4 renju alone")]
#[case(
    "rule=renju+caro",
    "",
    "rule 12 is none there is: any sum of 1 exact, 2 continuous and 8 caro, or 4 renju alone"
)]
#[case(
    "opening=swap2;openings=[\"7,7\"]",
    "",
    "swap2 begins on the empty board, so it does not go with a list of openings"
)]
#[case("openings=[\"7,7\", \"7,7 8\"]", "", "\"8\" is not a ply of this game (at character 5)")]
#[case("openings=[\"1,1 0,0 1,2 0,1 1,3 0,2 1,4 0,3 1,5\"]", "", "opening 1 is already decided")]
fn positions_and_options_that_are_refused(#[case] pairs: &str, #[case] position: &str, #[case] message: &str) {
    let error = try_open(pairs, Some(position)).err().unwrap_or_default();
    assert_eq!(error, message);
}

#[rstest]
#[case("rule=freestyle", 0, 20)]
#[case("rule=standard", 1, 20)]
#[case("rule=Exact + Continuous", 3, 20)]
#[case("rule=renju", 4, 15)]
#[case("rule=exact+caro", 9, 20)]
#[case("rule=1+continuous+8", 11, 20)]
fn rules_are_read_from_words_and_written_as_numbers(#[case] pairs: &str, #[case] bits: u64, #[case] size: usize) {
    let table = open(pairs, None);
    assert_eq!(table.variant()["rule"], bits);
    assert_eq!(table.view(Eyes::All).scene.geometry.spots.len(), size * size);
}

#[rstest]
#[case("rule=pente")]
#[case("rule=")]
#[case("rule=256")]
#[case("rule=-1")]
#[case("rule=exact+")]
#[case("opening=swap3")]
fn options_that_cannot_be_read(#[case] pairs: &str) {
    let error = try_open(pairs, None).err().unwrap_or_default();
    assert!(error.starts_with("option "), "{error}");
}

#[test]
fn openings_are_starts() {
    let pairs = r#"size=15;openings=["7,7 8,8 9,9", "15/15/15/15/15/15/15/7b7/15/15/15/15/15/15/15 w 1"]"#;
    let table = open(pairs, None);
    assert_eq!(table.position(Eyes::All), "15/15/15/15/15/15/15/7b7/8w6/9b5/15/15/15/15/15 w 3");
    let starts = table.starts();
    assert_eq!(starts.len(), 2);
    let second = open(pairs, Some(&starts[1]));
    assert_eq!((second.to_move(), second.plies()), (Side::White, 1));
}

#[test]
fn pictures_show_forbidden_points_and_coordinates() {
    let mut table = open("rule=renju", Some(&board(15, 15, "5,7 6,7 7,5 7,6", "", "b 8")));
    let view = table.view(Eyes::Seat(Side::White));
    let forbidden: Vec<&str> =
        view.scene.marks.iter().map(|mark| view.scene.geometry.spots[usize::from(mark.spot)].name.as_str()).collect();
    assert_eq!(forbidden, ["7,7"]);
    assert!(view.scene.marks.iter().all(|mark| mark.kind == MarkKind::Forbidden));
    assert_eq!(view.scene.geometry.labels.first().map(|label| label.text.as_str()), Some("0"));
    assert_eq!(view.scene.geometry.labels.last().map(|label| label.text.as_str()), Some("14"));
    assert_eq!(view.scene.geometry.pips, [(3.0, 3.0), (11.0, 3.0), (3.0, 11.0), (11.0, 11.0), (7.0, 7.0)]);
    // White has none.
    play_all(&mut *table, "0,0");
    assert!(table.view(Eyes::All).scene.marks.is_empty());
}

#[test]
fn the_three_stones_of_swap2_can_be_clicked_anywhere() {
    let game = find("gomoku").unwrap();
    let table = game.open(&json!({ "opening": "swap2", "size": 15 }), None).unwrap();
    let view = table.view(Eyes::All);
    assert!(!view.clicks.complete);
    assert_eq!(view.clicks.tree.len(), 225);
    let last = table.clicks(Eyes::All, &[224, 0]);
    assert_eq!((last.len(), last[0].ply.as_deref()), (223, Some("14,14+0,0+1,0")));
}

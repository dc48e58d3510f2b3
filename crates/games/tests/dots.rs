//! Dots and Boxes: what a ply is, when it must go on, and how the game ends.

use std::ops::ControlFlow;

use games::dots::{Dots, DotsVariant, Line, Lines};
use games::laws::Effort;
use games::view::{Figure, SpotKind};
use games::{End, Eyes, Game, Side, Table, find, read_pairs};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;

fn table(variant: &str, position: Option<&str>) -> Box<dyn Table> {
    let variant = read_pairs(variant.split_whitespace()).expect("key=value");
    find("点格棋").expect("a game").open(&variant, position).expect("a position")
}

/// Three boxes in a row, open at the right end only.
const CHAIN: (&str, &str) = ("rows=2 cols=4", "xxx/xxx x3 3 b 6");
/// The middle line closes both upper boxes of four.
const PAIR: (&str, &str) = ("rows=3 cols=3", "xx/xx/2 x1x/3 2/2 b 6");

#[rstest]
#[case::whole_chain(CHAIN, "BBABCABDA", "xxx/xxx xxxx bbb w 7", Some(Some(Side::Black)))]
#[case::one_box_and_a_handout(CHAIN, "BBABDA", "xxx/xxx xx1x b2 w 7", None)]
#[case::nothing_taken(CHAIN, "bda", "xxx/xxx x2x 3 w 7", None)]
#[case::two_boxes_in_the_middle(PAIR, "BBAACA", "xx/xx/x1 xxx/3 bb/2 w 7", None)]
#[case::two_boxes_at_the_end(("rows=2 cols=3", "xx/xx x1x 2 w 5"), " BBA ", "xx/xx xxx ww b 6", Some(Some(Side::White)))]
#[case::the_last_two_of_three(("rows=2 cols=4", "xxx/xxx 2xx 2b w 8"), "BBABAA", "xxx/xxx xxxx wwb b 9", Some(Some(Side::White)))]
#[case::even_board_draw(("rows=2 cols=3", "xx/xx 1xx 1b w 5"), "BAA", "xx/xx xxx wb b 6", Some(None))]
#[case::no_early_end(("rows=2 cols=4", "xxx/xx1 xxx1 bb1 b 8"), "ABC", "xxx/xxx xxx1 bb1 w 9", None)]
#[case::first_line(("", "5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0"), "BFE", "5/5/5/5/5/5 6/6/6/6/5x 5/5/5/5/5 w 1", None)]
fn a_legal_ply_is_drawn(
    #[case] (variant, start): (&str, &str),
    #[case] ply: &str,
    #[case] after: &str,
    #[case] winner: Option<Option<Side>>,
) {
    let mut table = table(variant, Some(start));
    table.play(ply, Eyes::All).unwrap();
    assert_eq!(table.position(Eyes::All), after);
    assert_eq!(table.verdict().map(|verdict| verdict.winner), winner);
    if let Some(verdict) = table.verdict() {
        assert_eq!((verdict.reason.code, verdict.ply), ("boxes", table.plies()));
        assert_eq!(table.count_legal(), 0);
    }
    assert_eq!(table.step(0, Eyes::All).unwrap().ply.unwrap(), ply.trim().to_uppercase());
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), start);
}

#[rstest]
#[case::stopping_after_a_box(CHAIN, "BBA", "must-go-on", "BBA")]
#[case::stopping_before_the_last_box(CHAIN, "BBABCA", "must-go-on", "BCA")]
#[case::stopping_after_two_boxes(PAIR, "BBA", "must-go-on", "BBA")]
#[case::going_on_after_nothing(CHAIN, "BDABBA", "turn-was-over", "BBA")]
#[case::going_on_after_a_whole_turn(CHAIN, "BBABDABCA", "turn-was-over", "BCA")]
#[case::drawn(CHAIN, "AAA", "line-drawn", "AAA")]
#[case::drawn_later_in_the_ply(CHAIN, "BBAABC", "line-drawn", "ABC")]
#[case::same_line_twice(CHAIN, "BDABDA", "twice", "BDA")]
#[case::same_taking_line_twice(PAIR, "BBABBA", "twice", "BBA")]
#[case::beyond_the_end(CHAIN, "BBABCABDABDA", "twice", "BDA")]
#[case::segment_out_of_range(("", START), "AAF", "off-board", "AAF")]
#[case::row_out_of_range(("", START), "AGA", "off-board", "AGA")]
#[case::vertical_segment_out_of_range(("", START), "BAF", "off-board", "BAF")]
#[case::column_out_of_range(("", START), "BGA", "off-board", "BGA")]
#[case::far_off(("", START), "BZZ", "off-board", "BZZ")]
#[case::second_line_off(("", START), "AAAaag", "off-board", "AAG")]
#[case::third_kind(("", START), "CAA", "malformed", "CAA")]
#[case::empty(("", START), "", "malformed", "")]
#[case::half_a_line(("", START), "AA", "malformed", "AA")]
#[case::a_line_and_a_bit(("", START), "AAAB", "malformed", "AAAB")]
#[case::digits(("", START), "A11", "malformed", "A11")]
#[case::a_count_before(("", START), "1 AAA", "malformed", "1 AAA")]
#[case::not_ascii(("", START), "点格棋", "malformed", "点格棋")]
#[case::over(("rows=2 cols=2", "x/x xx b w 4"), "AAA", "game-over", "")]
fn an_illegal_ply_is_refused_with_its_reason(
    #[case] (variant, position): (&str, &str),
    #[case] ply: &str,
    #[case] code: &str,
    #[case] place: &str,
) {
    let mut table = table(variant, Some(position));
    let fault = table.play(ply, Eyes::All).unwrap_err();
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
    assert_eq!(table.position(Eyes::All), position);
}

const START: &str = "5/5/5/5/5/5 6/6/6/6/6 5/5/5/5/5 b 0";

#[test]
fn a_list_longer_than_any_ply_is_malformed() {
    let fault = table("", None).play(&"AAA".repeat(5000), Eyes::All).unwrap_err();
    assert_eq!(fault.reason.code, "malformed");
    let empty = Dots::new(&DotsVariant::default()).judge(Lines::new()).unwrap_err();
    assert_eq!(empty.reason.code, "malformed");
}

#[test]
fn the_plies_of_a_chain_are_walked_line_by_line() {
    let (variant, position) = CHAIN;
    let table = table(variant, Some(position));
    assert_eq!(table.list_plies(Eyes::All, 9).list, ["BBABCABDA", "BBABDA", "BCA", "BDA"]);
    assert_eq!(table.count_legal(), 4);
}

#[rstest]
#[case("", "missing-field", "horizontal lines")]
#[case("1/1", "missing-field", "vertical lines")]
#[case("1/1 2", "missing-field", "boxes")]
#[case("1/1 2 1", "missing-field", "b|w")]
#[case("1/1/1 2 1 b", "row-count", "2")]
#[case("1/2 2 1 b", "row-length", "2")]
#[case("1/o 2 1 b", "bad-position", "o")]
#[case("1/1 2 x b", "bad-position", "x")]
#[case("1/1 2 1 x", "bad-position", "x")]
#[case("1/1 2 1 b 0 0", "bad-position", "0")]
#[case("1/1 2 1 b -1", "bad-position", "-1")]
#[case::closed_without_an_owner("x/x xx 1 b", "no-owner", "AA")]
#[case::owned_without_being_closed("x/1 xx b b", "not-closed", "AA")]
fn an_impossible_position_is_refused(#[case] position: &str, #[case] code: &str, #[case] place: &str) {
    let variant = read_pairs(["rows=2", "cols=2"]).unwrap();
    match find("dab").unwrap().open(&variant, Some(position)) {
        Err(games::OpenError::Position(fault)) => {
            assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{position} was accepted"),
    }
}

#[test]
fn a_wrong_owner_is_named_by_row_and_column() {
    let variant = read_pairs(["rows=3", "cols=3"]).unwrap();
    let error = find("dots").unwrap().open(&variant, Some("2/2/2 3/3 2/1w b 0")).err().unwrap();
    assert_eq!(error.to_string(), "box BB is owned but a side of it is not drawn (at character 11)");
}

#[rstest]
#[case("rows=1")]
#[case("rows=9")]
#[case("cols=1")]
#[case("cols=9")]
fn an_option_out_of_range_is_refused(#[case] pair: &str) {
    assert!(find("dots").unwrap().open(&read_pairs([pair]).unwrap(), None).is_err());
}

/// Boxes that all wait for their last side can be taken in any order: there is no walking through those plies, but
/// they can be counted, and walking stops when it is told to.
#[rstest]
#[case::two_chains_and_more(
    "",
    "xxxxx/1x1x1/xx1xx/1x1x1/5/xxxxx xxxxxx/x1xx1x/xxxxxx/xx2xx/xxxxxx 1b1w1/5/1b1w1/5/5 b 20",
    1_096_614_859_821
)]
#[case::twenty_factorial("rows=8 cols=6", &waiting(6), 2_432_902_008_176_640_000)]
#[case::a_comb_on_the_usual_board(
    "",
    "xxxxx/5/5/5/5/xxxxx xxxxxx/xxxxxx/x4x/xxxxxx/xxxxxx 5/5/5/5/5 b 0",
    530_172_238_579_982_626
)]
#[case::a_smaller_comb("rows=5 cols=6", "xxxxx/5/5/5/xxxxx xxxxxx/x4x/xxxxxx/xxxxxx 5/5/5/5 b 0", 8_076_028_763_258)]
#[case::more_than_can_be_written("rows=8 cols=8", &waiting(8), u64::MAX)]
#[case::a_comb_that_hangs_together("rows=8 cols=8", COMB, u64::MAX)]
fn exploding_plies_are_counted(#[case] variant: &str, #[case] position: &str, #[case] count: u64) {
    let table = table(variant, Some(position));
    assert_eq!(table.count_legal(), count);
    assert_eq!(table.list_plies(Eyes::All, 1000).list.len(), 1000);
}

/// Fourteen chains of three end in one row of boxes, each to be taken from its far end: the orders are too many even to
/// be counted by what has been taken from each chain.
const COMB: &str = "xxxxxxx/7/7/7/7/7/7/xxxxxxx \
    xxxxxxxx/xxxxxxxx/xxxxxxxx/x6x/xxxxxxxx/xxxxxxxx/xxxxxxxx 7/7/7/7/7/7/7 b 0";

/// Every second row of horizontal lines is free, everything else drawn: each free line completes a box.
fn waiting(cols: usize) -> String {
    let (free, drawn) = ((cols - 1).to_string(), "x".repeat(cols - 1));
    let across: Vec<&str> = (0..8).map(|row| if row % 2 == 0 { free.as_str() } else { drawn.as_str() }).collect();
    let (down, boxes) = (vec!["x".repeat(cols); 7].join("/"), [free.as_str(); 7].join("/"));
    format!("{} {down} {boxes} b 0", across.join("/"))
}

/// Counting must agree with walking wherever walking is possible, from the first line to the last.
#[rstest]
#[case(4, 4, 300)]
#[case(3, 6, 300)]
#[case(6, 6, 100)]
fn counting_agrees_with_walking(#[case] rows: u8, #[case] cols: u8, #[case] games: u64) {
    const MOST: u64 = 20_000;
    let mut compared = 0;
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Dots::new(&DotsVariant { rows, cols });
        while let Some(ply) = position.random_ply(&mut rng) {
            let mut walked = 0;
            let _ = position.visit_legal(|_| {
                walked += 1;
                if walked > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if walked <= MOST {
                assert_eq!(position.count_legal(), walked, "{position:?}");
                compared += u32::from(position.completing_lines() != 0);
            }
            position.apply(ply, End::Played);
        }
    }
    assert!(compared > 100, "only {compared} positions had a box to take");
}

/// Line by line is the same game as ply by ply, and every line can be taken back.
#[test]
fn single_lines_make_the_same_game() {
    for seed in 0..200 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut whole = Dots::new(&DotsVariant { rows: 5, cols: 6 });
        let mut single = whole;
        let mut trail = Vec::new();
        while let Some(ply) = whole.random_ply(&mut rng) {
            let mover = whole.to_move();
            let lines: Vec<Line> = ply.iter().collect();
            for (index, &line) in lines.iter().enumerate() {
                assert_eq!(single.to_move(), mover, "the turn stays while boxes are completed");
                let completing = single.completing_lines() >> line.bit() & 1 == 1;
                trail.push((line, single));
                let boxes = single.draw_line(line);
                assert_eq!(boxes > 0, completing);
                assert_eq!(boxes > 0, index + 1 < lines.len() || single.verdict().is_some());
            }
            whole.apply(ply, End::Played);
            assert_eq!(single, whole);
        }
        assert_eq!((whole.owned(Side::Black) | whole.owned(Side::White)).count_ones(), 20);
        while let Some((line, before)) = trail.pop() {
            single.undo_line(line);
            assert_eq!(single, before);
        }
    }
}

/// Plain search with a memory for every set of free lines.
struct Solver {
    /// Each line of the board counted through, so that a set of them can be an index.
    places: [u32; 128],
    /// The two outer lines of a corner box may stand for each other: while both are free, only the one is tried.
    twins: [u128; 128],
    memory: Vec<i8>,
}

impl Solver {
    fn new(position: &Dots, rows: usize, cols: usize) -> Self {
        let mut places = [0; 128];
        let lines = (0..128).filter(|bit| position.free_lines() >> bit & 1 == 1);
        lines.clone().zip(0..).for_each(|(bit, place)| places[bit] = place);
        let mut twins = [0; 128];
        for (row, across_row) in [(0, 0), (rows - 2, rows - 1)] {
            for (across_col, col) in [(0, 0), (cols - 2, cols - 1)] {
                twins[64 + row * 8 + col] = 1 << (across_row * 8 + across_col);
            }
        }
        Self { places, twins, memory: vec![i8::MIN; 1 << lines.count()] }
    }

    /// The net boxes of the side to move from here on; `set` is the index of the free lines.
    fn net_boxes(&mut self, position: &mut Dots, set: usize) -> i8 {
        if set == 0 {
            return 0;
        }
        if self.memory[set] == i8::MIN {
            let mut best = i8::MIN;
            let free = position.free_lines();
            let mut rest = free;
            while rest != 0 {
                let line = Line::from_bit(rest.trailing_zeros());
                rest &= rest - 1;
                if free & self.twins[line.bit() as usize] != 0 {
                    continue;
                }
                let boxes = position.draw_line(line) as i8;
                let after = self.net_boxes(position, set ^ 1 << self.places[line.bit() as usize]);
                position.undo_line(line);
                best = best.max(if boxes > 0 { boxes + after } else { -after });
            }
            self.memory[set] = best;
        }
        self.memory[set]
    }
}

/// Rows and columns of boxes, not dots, as the literature counts them.
#[rstest]
#[case(1, 1, -1)]
#[case(2, 2, 2)]
#[case(2, 3, -2)]
#[case(3, 2, -2)]
#[case(2, 4, 2)]
#[case(3, 3, -3)]
fn small_boards_have_their_known_values(#[case] box_rows: u8, #[case] box_cols: u8, #[case] net: i8) {
    let (rows, cols) = (box_rows + 1, box_cols + 1);
    let mut position = Dots::new(&DotsVariant { rows, cols });
    let mut solver = Solver::new(&position, usize::from(rows), usize::from(cols));
    let all = solver.memory.len() - 1;
    assert_eq!(solver.net_boxes(&mut position, all), net);
}

/// The largest board, where the sets of lines use every bit they have.
#[test]
fn the_laws_hold_on_the_largest_board() {
    let variant = read_pairs(["rows=8", "cols=8"]).unwrap();
    for seed in 0..100 {
        let effort = Effort { one_in: 100, exhaustive: 0, samples: 500 };
        find("dots").unwrap().check_laws(&variant, seed, effort).unwrap();
    }
}

#[test]
fn the_picture_can_be_read_off() {
    let (variant, position) = PAIR;
    let mut table = table(variant, Some(position));
    table.play("BBAACA", Eyes::All).unwrap();
    let view = table.view(Eyes::Seat(Side::White));
    let geometry = &view.scene.geometry;
    let labels: String = geometry.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!((labels.as_str(), geometry.pips.len(), geometry.spots.len()), ("ABCABC", 9, 16));
    let spot = |name: &str| geometry.spots.iter().position(|spot| spot.name == name).unwrap();
    for (name, kind, x, y) in [
        ("ACA", SpotKind::HorizontalEdge, 0.5, 2.0),
        ("ACB", SpotKind::HorizontalEdge, 1.5, 2.0),
        ("BCA", SpotKind::VerticalEdge, 2.0, 0.5),
        ("BAB", SpotKind::VerticalEdge, 0.0, 1.5),
        ("AB", SpotKind::Box, 1.5, 0.5),
    ] {
        let found = &geometry.spots[spot(name)];
        assert_eq!((found.kind, found.x, found.y), (kind, x, y), "{name}");
    }
    let piece = |name: &str| view.scene.pieces.iter().find(|piece| usize::from(piece.spot) == spot(name));
    assert_eq!(piece("AB").map(|piece| (piece.figure, piece.side)), Some((Figure::Owned, Some(Side::Black))));
    assert_eq!(piece("ACA").map(|piece| (piece.figure, piece.side)), Some((Figure::Line, None)));
    assert_eq!((piece("ACB"), piece("BA")), (None, None));
    assert_eq!(view.last, [spot("BBA") as u16, spot("ACA") as u16]);
    let figures: Vec<&str> = view.notes.iter().map(|note| note.value.as_str()).collect();
    assert_eq!(figures, ["2", "0", "4"]);
}

#[test]
fn a_ply_is_clicked_line_by_line_even_where_there_are_too_many() {
    let position = waiting(6);
    let table = table("rows=8 cols=6", Some(&position));
    let view = table.view(Eyes::All);
    assert!(!view.clicks.complete);
    assert_eq!(view.clicks.tree.len(), 20);
    let mut prefix = Vec::new();
    for left in (1..=20).rev() {
        let next = table.clicks(Eyes::All, &prefix);
        assert_eq!(next.len(), left);
        assert_eq!(next[0].ply.is_some(), left == 1, "only the last line ends the ply");
        prefix.push(next[left / 2].spot);
    }
    assert_eq!(table.clicks(Eyes::All, &prefix), []);
    assert_eq!(table.clicks(Eyes::All, &[u16::MAX]), []);
}

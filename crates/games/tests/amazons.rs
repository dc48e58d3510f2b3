//! Amazons: ways and arrows, the end, texts that are refused, and a naive referee beside the fast one.

use std::collections::HashSet;
use std::ops::ControlFlow;

use games::amazons::{Amazons, AmazonsVariant, Ply};
use games::text::write_rows;
use games::view::{Figure, SpotKind};
use games::{End, Eyes, Game, OpenError, Side, Table, Verdict, reasons};
use proptest::proptest;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;
use serde_json::Value;

const MIDDLE: &str = "2xw1xb1x1/1w3x4/1x4w3/2b2x1xx1/1bxx1w2x1/8x1/1x1x6/2b7/10/1x8 w 15";

fn open(position: Option<&str>) -> Result<Box<dyn Table>, OpenError> {
    let game = games::find("amazons").unwrap_or_else(|error| panic!("{error}"));
    game.open(&Value::Null, position)
}

fn at(position: &str) -> Box<dyn Table> {
    open(Some(position)).unwrap_or_else(|error| panic!("{position}: {error}"))
}

fn refusal(position: &str) -> String {
    match open(Some(position)) {
        Err(OpenError::Position(fault)) => fault.to_string(),
        Err(error) => panic!("{position}: {error}"),
        Ok(table) => panic!("{position} was read as {}", table.position(Eyes::All)),
    }
}

#[test]
fn it_begins_as_the_protocol_says() {
    for name in ["amazons", "亚马逊棋", "亚马逊", "Amazon"] {
        assert_eq!(games::find(name).unwrap().facts().id, "amazons");
    }
    let table = open(None).unwrap();
    assert_eq!(table.position(Eyes::All), "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b 0");
    let pieces = table.view(Eyes::All).scene.pieces;
    let spots = table.view(Eyes::All).scene.geometry.spots;
    let of = |side| -> Vec<&str> {
        pieces
            .iter()
            .filter(|piece| piece.side == Some(side))
            .map(|piece| &*spots[usize::from(piece.spot)].name)
            .collect()
    };
    assert_eq!(of(Side::White), ["DA", "GA", "AD", "JD"]);
    assert_eq!(of(Side::Black), ["AG", "JG", "DJ", "GJ"]);
}

#[rstest]
#[case::straight("AGAFAE", "3w2w3/10/10/w8w/x9/b9/9b/10/10/3b2b3 w 1")]
#[case::at_the_square_just_left("AGAFAG", "3w2w3/10/10/w8w/10/b9/x8b/10/10/3b2b3 w 1")]
#[case::over_the_square_just_left("AGAFAJ", "3w2w3/10/10/w8w/10/b9/9b/10/10/x2b2b3 w 1")]
#[case::long_diagonal("GJBEIE", "3w2w3/10/10/w8w/1b6x1/10/b8b/10/10/3b6 w 1")]
#[case::small_letters_and_blanks(" agafae ", "3w2w3/10/10/w8w/x9/b9/9b/10/10/3b2b3 w 1")]
fn plies_change_the_board(#[case] ply: &str, #[case] after: &str) {
    let mut table = open(None).unwrap();
    let before = table.position(Eyes::All);
    table.play(ply, Eyes::All).unwrap();
    assert_eq!(table.position(Eyes::All), after);
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), before);
}

#[rstest]
#[case::not_there("AAABAC", "not-yours", "AA")]
#[case::the_enemys("ADAEAF", "not-yours", "AD")]
#[case::a_hop("AGABAA", "unreachable", "AB")]
#[case::a_knights_leap("AGBEBF", "unreachable", "BE")]
#[case::onto_an_enemy("AGADAE", "occupied", "AD")]
#[case::onto_a_friend("DJGJGI", "occupied", "GJ")]
#[case::nowhere("AGAGAF", "twice", "AG")]
#[case::into_its_own_foot("AGAFAF", "twice", "AF")]
#[case::arrow_onto_an_amazon("AGAFAD", "occupied", "AD")]
#[case::arrow_over_an_amazon("AGAFAC", "unreachable", "AC")]
#[case::arrow_around_a_corner("AGAFBD", "unreachable", "BD")]
#[case::off_the_board("AGKGAA", "off-board", "KG")]
#[case::arrow_off_the_board("AGAFAK", "off-board", "AK")]
#[case::too_short("AGAF", "malformed", "AGAF")]
#[case::too_long("AGAFAEAD", "malformed", "AGAFAEAD")]
#[case::digits("A7A6A5", "malformed", "A7A6A5")]
#[case::nothing("  ", "malformed", "")]
#[case::not_ascii("亚马逊", "malformed", "亚马逊")]
fn bad_plies_are_named(#[case] ply: &str, #[case] code: &str, #[case] place: &str) {
    let mut table = open(None).unwrap();
    let fault = table.play(ply, Eyes::All).unwrap_err();
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
    assert_eq!(table.steps(), 0);
}

#[test]
fn arrows_block_for_good() {
    let mut table = open(None).unwrap();
    table.play("AGAFAE", Eyes::All).unwrap();
    // White's amazon at AD cannot pass, nor enter, the arrow at AE.
    assert_eq!(table.play("ADAEAD", Eyes::All).unwrap_err().reason.code, "occupied");
    assert_eq!(table.play("ADBDAE", Eyes::All).unwrap_err().reason.code, "occupied");
    table.play("ADBDAD", Eyes::All).unwrap();
    assert_eq!(table.play("AFADAB", Eyes::All).unwrap_err().reason.code, "occupied");
    assert_eq!(table.play("AFACAB", Eyes::All).unwrap_err().reason.code, "unreachable");
    assert_eq!(table.position(Eyes::All), "3w2w3/10/10/xw7w/x9/b9/9b/10/10/3b2b3 b 2");
}

#[rstest]
#[case::by_an_arrow("w9/xx8/10/10/10/10/10/10/10/2b7 b 20", "CJCBBA")]
#[case::by_an_amazon("w8b/xx8/10/10/10/10/10/10/10/10 b 20", "JABACA")]
#[case::although_black_shuts_himself_in_too("wx8/xx8/10/10/10/10/10/9x/8xx/8b1 b 20", "IJJJIJ")]
fn whoever_cannot_move_has_lost(#[case] position: &str, #[case] ply: &str) {
    let mut table = at(position);
    assert_eq!(table.verdict(), None);
    table.play(ply, Eyes::All).unwrap();
    assert_eq!(table.verdict(), Some(Verdict::win(Side::Black, &reasons::NO_PLY, 21)));
    assert_eq!(table.count_legal(), 0);
    assert_eq!(table.play("AABAAA", Eyes::All).unwrap_err().reason.code, "game-over");
    assert!(table.undo());
    assert_eq!(table.verdict(), None);
}

#[test]
fn a_side_that_is_shut_in_loses_only_when_it_is_to_move() {
    let mut table = at("w1x7/xxx7/10/10/10/10/10/9x/8xx/8b1 b 20");
    table.play("IJJJIJ", Eyes::All).unwrap();
    assert_eq!(table.verdict(), None);
    table.play("AABAAA", Eyes::All).unwrap();
    assert_eq!(table.verdict(), Some(Verdict::win(Side::White, &reasons::NO_PLY, 22)));
}

#[rstest]
#[case::no_amazons_at_all("10/10/10/10/10/10/10/10/10/10 b", Some(Side::White), 0)]
#[case::none_of_the_side_to_move("10/10/10/10/10/b9/10/10/10/10 w", Some(Side::Black), 0)]
#[case::none_of_the_other_side("10/10/10/10/10/b9/10/10/10/10 b", None, 0)]
#[case::plies_are_the_arrows_unless_said("xxxx6/10/10/10/10/b9/10/10/10/w9 b", None, 4)]
#[case::said("xxxx6/10/10/10/10/b9/10/10/10/w9 b 7", None, 7)]
#[case::shut_in("bw8/ww8/10/10/10/10/10/10/10/10 b 9", Some(Side::White), 9)]
fn studies_are_read(#[case] position: &str, #[case] winner: Option<Side>, #[case] plies: u32) {
    let table = at(position);
    assert_eq!(table.plies(), plies);
    assert_eq!(table.verdict(), winner.map(|winner| Verdict::win(winner, &reasons::NO_PLY, plies)));
    assert_eq!(table.count_legal() == 0, winner.is_some());
}

#[rstest]
#[case("", "the position text ends before its field \"board\" (at character 1)")]
#[case("3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3", "the position text ends before its field \"b|w\" (at character 38)")]
#[case("3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 x", "\"x\" does not belong in a position of this game (at character 39)")]
#[case("3w2w3/10/11/w8w/10/10/b8b/10/10/3b2b3 b", "row 3 of the position has the wrong length (at character 11)")]
#[case("3w2w3/10/10/w8w/10/10/b8b/10/3b2b3 b", "the position needs 10 rows (at character 35)")]
#[case("3w2w3/10/10/w8q/10/10/b8b/10/10/3b2b3 b", "\"q\" does not belong in a position of this game (at character 15)")]
#[case("3w2w3/10/10/w8w/w9/10/b8b/10/10/3b2b3 b", "AE is one amazon too many: a side has at most 4")]
#[case("10/10/10/10/10/10/10/10/10/bbbbbbbbbb b", "EJ is one amazon too many: a side has at most 4")]
#[case(
    "10/10/10/10/10/10/10/10/10/10 b 99999999",
    "\"99999999\" does not belong in a position of this game (at character 33)"
)]
#[case("10/10/10/10/10/10/10/10/10/10 b 0 0", "\"0\" does not belong in a position of this game (at character 35)")]
fn bad_positions_are_named(#[case] position: &str, #[case] sentence: &str) {
    assert_eq!(refusal(position), sentence);
}

#[test]
fn there_are_no_options() {
    let given = serde_json::json!({ "size": 8 });
    let error = games::find("amazons").unwrap().open(&given, None).err().unwrap();
    assert_eq!(error.to_string(), "no option \"size\"; this game has none");
}

type Point = (i8, i8);

/// Every square a queen sees from a point, walked step by step over a set of what is taken.
fn seen(taken: &HashSet<Point>, (x, y): Point) -> Vec<Point> {
    let mut seen = Vec::new();
    for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let mut next = (x + dx, y + dy);
        while (0..10).contains(&next.0) && (0..10).contains(&next.1) && !taken.contains(&next) {
            seen.push(next);
            next = (next.0 + dx, next.1 + dy);
        }
    }
    seen
}

fn naive_plies(position: &Amazons) -> HashSet<Ply> {
    let point = |square: usize| ((square % 10) as i8, (square / 10) as i8);
    let square = |(x, y): Point| (y * 10 + x) as u8;
    let own = position.amazons(position.to_move());
    let all = position.amazons(Side::Black) | position.amazons(Side::White) | position.arrows();
    let taken: HashSet<Point> = (0..100).filter(|&bit| all >> bit & 1 == 1).map(point).collect();
    let mut plies = HashSet::new();
    for from in (0..100).filter(|&bit| own >> bit & 1 == 1).map(point) {
        let mut lifted = taken.clone();
        lifted.remove(&from);
        for to in seen(&taken, from) {
            plies.extend(seen(&lifted, to).into_iter().map(|arrow| Ply {
                from: square(from),
                to: square(to),
                arrow: square(arrow),
            }));
        }
    }
    plies
}

#[rstest]
#[case::start("3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b 0")]
#[case::middle(MIDDLE)]
#[case::late("xx4x1xx/3bxxxxwx/4x2xxx/x1xw1xxx2/1xxxx2x2/x2x1xxxwx/1x1xx1xxxb/w1bxxxb2x/xxxx1x1x1x/2x2x2x1 b 50")]
fn of_a_million_plies_exactly_the_naive_ones_are_legal(#[case] text: &str) {
    let position = Amazons::read_position(&AmazonsVariant {}, text).unwrap();
    let naive = naive_plies(&position);
    let judged: HashSet<Ply> = (0..position.space())
        .map(|number| position.ply_at(number))
        .filter(|&ply| position.judge(ply) == Ok(End::Played))
        .collect();
    assert_eq!(judged, naive);
    assert_eq!(position.count_legal(), naive.len() as u64);
}

#[test]
fn random_games_follow_the_naive_referee_and_the_last_to_move_wins() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..30 {
        let mut position = Amazons::new(&AmazonsVariant {});
        while position.verdict().is_none() {
            let mut generated = HashSet::new();
            let _ = position.visit_legal(|ply| {
                assert!(generated.insert(ply), "{ply:?} twice");
                ControlFlow::Continue(())
            });
            assert_eq!(generated, naive_plies(&position));
            let ply = position.random_ply(&mut rng).unwrap();
            assert!(generated.contains(&ply));
            position.apply(ply, End::Played);
            assert_eq!(position.arrows().count_ones(), position.plies());
        }
        assert!(naive_plies(&position).is_empty());
        assert_eq!(position.random_ply(&mut rng), None);
        let last = if position.plies() % 2 == 1 { Side::Black } else { Side::White };
        assert_eq!(position.verdict(), Some(Verdict::win(last, &reasons::NO_PLY, position.plies())));
    }
}

#[test]
fn every_legal_ply_has_its_chance() {
    let position = Amazons::read_position(&AmazonsVariant {}, "w1x7/xxx7/10/10/10/10/10/7xxx/7x1x/7x1b b 10").unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn: HashSet<Ply> = (0..200).filter_map(|_| position.random_ply(&mut rng)).collect();
    assert_eq!(drawn, naive_plies(&position));
}

#[test]
fn fields_beyond_the_board_are_refused_not_followed() {
    let position = Amazons::new(&AmazonsVariant {});
    for (from, to, arrow) in [(100, 50, 40), (60, 100, 40), (60, 50, 100), (255, 255, 255), (127, 128, 200)] {
        assert_eq!(position.judge(Ply { from, to, arrow }).unwrap_err().reason.code, "off-board");
    }
}

#[test]
fn the_picture_shows_amazons_and_arrows_on_a_lettered_board() {
    let view = at(MIDDLE).view(Eyes::All);
    let count = |figure, side| view.scene.pieces.iter().filter(|p| p.figure == figure && p.side == side).count();
    assert_eq!(count(Figure::Amazon, Some(Side::Black)), 4);
    assert_eq!(count(Figure::Amazon, Some(Side::White)), 4);
    assert_eq!(count(Figure::Arrow, None), 15);
    let geometry = &view.scene.geometry;
    assert_eq!(geometry.spots.len(), 100);
    assert_eq!((geometry.spots[61].name.as_str(), geometry.spots[61].x, geometry.spots[61].y), ("BG", 1.0, 6.0));
    assert_eq!([geometry.spots[0].kind, geometry.spots[1].kind], [SpotKind::LightCell, SpotKind::DarkCell]);
    let labels: String = geometry.labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, "ABCDEFGHIJABCDEFGHIJ");
}

#[test]
fn clicks_are_amazon_destination_arrow() {
    let mut table = open(None).unwrap();
    table.play("AGAFAG", Eyes::All).unwrap();
    assert_eq!(table.view(Eyes::All).last, [60, 50, 60]);
    let view = table.view(Eyes::Seat(Side::White));
    let first: Vec<u16> = view.clicks.tree.iter().map(|click| click.spot).collect();
    assert_eq!(first, [3, 6, 30, 39]);
    assert!(table.view(Eyes::Seat(Side::Black)).clicks.tree.is_empty());
    let arrows = table.clicks(Eyes::All, &[30, 40]);
    let back = arrows.iter().find(|click| click.spot == 30).unwrap();
    assert_eq!(back.ply.as_deref(), Some("ADAEAD"));
}

#[test]
fn notes_count_what_each_side_reaches() {
    let values: Vec<String> = at("w1x7/xxx7/10/10/10/10/10/7xxx/7x1x/7x1b b 10")
        .observe(Side::Black)
        .notes
        .into_iter()
        .map(|note| format!("{}={}", note.key, note.value))
        .collect();
    assert_eq!(values, ["black-reach=2", "white-reach=1", "empty=88"]);
}

#[test]
fn nothing_allocates() {
    let start = Amazons::new(&AmazonsVariant {});
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let info = allocation_counter::measure(|| {
        let mut position = start;
        while let Some(ply) = position.random_ply(&mut rng) {
            let memo = position.apply(ply, End::Played);
            position.undo(memo);
            position.apply(ply, End::Played);
            assert!(position.count_legal() < 5000);
        }
    });
    assert_eq!(info.count_total, 0);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[bwx1-9/ ]{0,40}", ply in "\\PC{0,8}|[A-La-j]{6}") {
        let table = open(None).unwrap_or_else(|error| panic!("{error}"));
        let _ = table.fork().play(&ply, Eyes::All);
        if let Ok(table) = open(Some(&text)) {
            assert_eq!(at(&table.position(Eyes::All)).position(Eyes::All), table.position(Eyes::All));
        }
    }

    #[test]
    fn any_board_has_exactly_the_naive_plies(
        arrows in "[x.]{100}",
        amazons in proptest::collection::vec(0..100_usize, 0..8),
        side in "[bw]",
    ) {
        let mut letters = arrows.into_bytes();
        for (index, square) in amazons.into_iter().enumerate() {
            letters[square] = b"bw"[index % 2];
        }
        let mut text = String::new();
        write_rows(&mut text, 10, 10, |x, y| Some(letters[y * 10 + x] as char).filter(|&letter| letter != '.'));
        let position = Amazons::read_position(&AmazonsVariant {}, &format!("{text} {side}")).unwrap();
        let naive = naive_plies(&position);
        assert_eq!(position.count_legal(), naive.len() as u64);
        assert_eq!(position.verdict().is_some(), naive.is_empty());
    }
}

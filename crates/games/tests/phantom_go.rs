//! Phantom Go's corners: what is refused, what each seat hears of it, how the board is counted, and that nothing leaks.

mod naive;

use std::collections::BTreeSet;

use games::phantom_go::{PhantomGo, PhantomGoVariant};
use games::view::MarkKind;
use games::{End, Event, Eyes, Game as _, Side, Table, read_pairs};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;
use serde_json::{Value, json};

const REST: &str = "/9/9/9/9/9/9/9";
const START: &str = "9/9/9/9/9/9/9/9/9 b 0 - 0 0 0";
/// Black may send two stones to have one returned: AA, then White's CA takes two, then BA takes CA.
const SENDING_TWO: &str = "1b1b5/wwb6/9/9/9/9/9/9/9 b";

fn open(pairs: &str, position: Option<&str>) -> Box<dyn Table> {
    let variant = read_pairs(pairs.split_whitespace()).expect(pairs);
    games::find("phantom-go").expect("registered").open(&variant, position).expect(pairs)
}

/// Plays and gives the code of the refusal, or nothing when the ply was accepted.
fn play(table: &mut Box<dyn Table>, ply: &str) -> &'static str {
    match table.play(ply, Eyes::All).expect(ply).end {
        End::Played => "",
        End::Refused(reason) => reason.code,
        End::Lost(_) => panic!("nobody loses by a ply"),
    }
}

fn play_all(table: &mut Box<dyn Table>, plies: &str) {
    for ply in plies.split_whitespace() {
        assert_eq!(play(table, ply), "", "{ply} in {}", table.position(Eyes::All));
    }
}

fn points(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn ply(text: &str) -> Event {
    Event::Ply { ply: text.to_owned() }
}

#[rstest]
#[case::on_an_enemy("1b7/9", 'w', "BA", "occupied-point")]
#[case::on_an_own_stone("1b7/9", 'b', "BA", "occupied-point")]
#[case::suicide_of_one("1b7/b8", 'w', "AA", "suicide")]
#[case::suicide_of_two("w1b6/bb7", 'w', "BA", "suicide")]
#[case::joining_a_chain_with_a_liberty("w1w1b4/bbbb5", 'w', "BA", "")]
#[case::suicide_of_three("w1wb5/bbb6", 'w', "BA", "suicide")]
#[case::eye_of_a_living_chain("1b7/bb7", 'b', "AA", "")]
#[case::capture_that_looks_like_suicide("1bw6/bw7", 'w', "AA", "")]
fn a_try_is_refused_or_stands(#[case] rows: &str, #[case] side: char, #[case] try_: &str, #[case] code: &str) {
    for ko in ["ko=positional", "ko=simple"] {
        let mut table = open(ko, Some(&format!("{rows}{REST} {side} 1 - 3 4 40")));
        let before = (table.position(Eyes::All), table.to_move(), table.plies());
        assert_eq!(table.list_plies(Eyes::All, 99).list.contains(&try_.to_owned()), code.is_empty());
        assert_eq!(play(&mut table, try_), code);
        if !code.is_empty() {
            assert_eq!((table.position(Eyes::All), table.to_move(), table.plies()), before);
            // As often as one likes; then anything else.
            assert_eq!(play(&mut table, try_), code);
            assert_eq!(play(&mut table, "II"), "");
            assert_eq!((table.to_move(), table.plies()), (before.1.other(), 41));
        }
    }
}

#[test]
fn one_stone_captures_several_groups_and_both_seats_hear_of_it() {
    let mut table = open("", Some("9/9/4b4/3bwb3/2bw1wb2/3b1b3/9/9/9 b"));
    play_all(&mut table, "EE");
    assert_eq!(table.position(Eyes::All), "9/9/4b4/3b1b3/2b1b1b2/3b1b3/9/9/9 w 0 - 3 0 1");
    let taken = points(&["ED", "DE", "FE"]);
    assert_eq!(table.learned(Side::Black), [ply("EE"), Event::Captured { points: taken.clone() }]);
    assert_eq!(table.learned(Side::White), [Event::Lost { points: taken }, Event::HiddenPly]);
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), "9/9/4b4/3bwb3/2bw1wb2/3b1b3/9/9/9 b 0 - 0 0 0");
}

#[test]
fn each_seat_hears_what_it_may() {
    let mut table = open("", None);
    play_all(&mut table, "EE");
    assert_eq!(table.learned(Side::Black), [ply("EE")]);
    assert_eq!(table.learned(Side::White), [Event::HiddenPly]);
    assert_eq!(play(&mut table, "EE"), "occupied-point");
    assert_eq!(table.learned(Side::White), [Event::Refused { ply: "EE".to_owned() }]);
    assert_eq!(table.learned(Side::Black), []);
    play_all(&mut table, "Pass");
    assert_eq!(table.learned(Side::Black), [ply("pass")]);
    assert_eq!(table.learned(Side::White), [ply("pass")]);
    // The history tells a seat no more than the events did: not the ply, not why it was refused, and nothing at all of
    // what the other tried in vain.
    for (eyes, code) in [(Eyes::All, "occupied-point"), (Eyes::Seat(Side::White), "refused")] {
        assert!(matches!(table.step(1, eyes).unwrap().end, End::Refused(reason) if reason.code == code));
    }
    let plies = |eyes| (0..3).filter_map(|index| table.step(index, eyes)).map(|step| step.ply).collect::<Vec<_>>();
    let [stone, pass] = ["EE", "pass"].map(|text| Some(text.to_owned()));
    assert_eq!(plies(Eyes::Seat(Side::Black)), [stone.clone(), pass.clone()]);
    assert_eq!(plies(Eyes::Seat(Side::White)), [None, stone, pass]);
}

#[rstest]
fn a_ko_is_not_taken_back_at_once(
    #[values("ko=positional", "ko=simple")] pairs: &str,
    #[values(false, true)] read: bool,
) {
    let mut table = open(pairs, Some(&format!("1bw6/bw7{REST} w")));
    play_all(&mut table, "AA");
    let text = format!("w1w6/bw7{REST} b 0 BA 0 1 1");
    assert_eq!(table.position(Eyes::All), text);
    if read {
        table = open(pairs, Some(&text));
    }
    assert_eq!(play(&mut table, "BA"), "ko");
    assert_eq!(table.learned(Side::Black), [Event::Refused { ply: "BA".to_owned() }]);
    assert_eq!(table.learned(Side::White), []);
    play_all(&mut table, "II");
    assert_eq!(table.position(Eyes::All), format!("w1w6/bw7{}/8b w 0 - 0 1 2", &REST[2..]));
    // The board has changed elsewhere: now it may be taken.
    play_all(&mut table, "IA BA");
    assert_eq!(table.position(Eyes::All), format!("1bw5w/bw7{}/8b w 0 AA 1 1 4", &REST[2..]));
}

#[rstest]
#[case("ko=positional", "ko")]
#[case("ko=simple", "")]
fn sending_two_returning_one_repeats_the_board(#[case] pairs: &str, #[case] code: &str) {
    let mut table = open(pairs, Some(SENDING_TWO));
    play_all(&mut table, "AA CA");
    assert_eq!(table.position(Eyes::All), "2wb5/wwb6/9/9/9/9/9/9/9 b 0 - 0 2 2");
    assert_eq!(play(&mut table, "BA"), code);
    let rows = if code.is_empty() { "1b1b5/wwb6" } else { "2wb5/wwb6" };
    assert!(table.position(Eyes::All).starts_with(rows));
}

#[rstest]
#[case("ko=positional", "ko")]
#[case("ko=simple", "")]
fn a_board_may_also_come_back_without_a_capture(#[case] pairs: &str, #[case] code: &str) {
    let mut table = open(pairs, Some("3b5/wwb6/9/9/9/9/9/9/9 b"));
    // Two stones in the order AA, BA; taken; BA comes back first, which is a new board; AA then makes the old one.
    play_all(&mut table, "AA pass BA CA BA pass");
    assert_eq!(table.position(Eyes::All), "1b1b5/wwb6/9/9/9/9/9/9/9 b 1 - 1 2 6");
    assert_eq!(play(&mut table, "AA"), code);
}

#[rstest]
#[case("", "white")]
#[case("tie=black", "black")]
#[case("tie=draw", "draw")]
#[case("komi=0.5 tie=black", "white")]
#[case("komi=-0.5", "black")]
#[case("komi=-100", "black")]
fn two_passes_count_the_board(#[case] pairs: &str, #[case] winner: &str) {
    let mut table = open(pairs, None);
    play_all(&mut table, "pass EE pass");
    assert_eq!(table.verdict(), None);
    let mut table = open(pairs, None);
    play_all(&mut table, "pass pass");
    let verdict = table.verdict().unwrap();
    assert_eq!(verdict.winner.map_or("draw", Side::word), winner);
    assert_eq!((verdict.reason.code, verdict.ply), ("two-passes", 2));
    assert_eq!(table.position(Eyes::All), "9/9/9/9/9/9/9/9/9 b 2 - 0 0 2");
    assert_eq!(table.play("EE", Eyes::All).unwrap_err().reason.code, "game-over");
    assert_eq!(table.play("pass", Eyes::All).unwrap_err().reason.code, "game-over");
    assert_eq!(table.count_legal(), 0);
    assert!(table.list_plies(Eyes::Seat(Side::Black), 99).list.is_empty());
}

/// The areas and the winner for a komi.
#[rstest]
#[case::neutral_column("3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3", "0", [36, 36], "white")]
#[case::one_more("3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3bbw3", "0.5", [37, 36], "black")]
#[case::one_more_and_komi("3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3bbw3", "1", [37, 36], "white")]
#[case::one_more_and_larger_komi("3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3bbw3", "1.5", [37, 36], "white")]
#[case::nothing_is_dead("w2b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3/3b1w3", "0", [9, 37], "white")]
#[case::seki("wb1wb4/wb1wb4/wbbwb4/wwwwb4/bbbbb4/9/9/9/9", "0", [69, 10], "black")]
#[case::only_one_colour("9/9/9/9/4b4/9/9/9/9", "80.5", [81, 0], "black")]
#[case::empty("9/9/9/9/9/9/9/9/9", "-0.5", [0, 0], "black")]
fn areas_are_stones_and_points_that_reach_one_colour(
    #[case] rows: &str,
    #[case] komi: &str,
    #[case] areas: [u32; 2],
    #[case] winner: &str,
) {
    let mut table = open(&format!("komi={komi}"), Some(&format!("{rows} b 1 - 0 0 50")));
    let view = table.view(Eyes::All);
    let note = |key| view.notes.iter().find(|note| note.key == key).unwrap().value.parse::<u32>().unwrap();
    assert_eq!([note("black-area"), note("white-area")], areas);
    play_all(&mut table, "pass");
    let verdict = table.verdict().unwrap();
    assert_eq!((verdict.winner.unwrap().word(), verdict.reason.code, verdict.ply), (winner, "two-passes", 51));
}

#[test]
fn the_ply_limit_counts_the_board_as_it_stands() {
    let mut table = open("max_plies=2", None);
    play_all(&mut table, "EE");
    // A refused try is no ply and so does not reach the limit.
    assert_eq!(play(&mut table, "EE"), "occupied-point");
    assert_eq!(table.verdict(), None);
    play_all(&mut table, "pass");
    let verdict = table.verdict().unwrap();
    assert_eq!((verdict.winner, verdict.reason.code, verdict.ply), (Some(Side::Black), "ply-limit", 2));
    assert_eq!(table.play("AA", Eyes::All).unwrap_err().reason.code, "game-over");
    let mut table = open("max_plies=2", None);
    play_all(&mut table, "pass pass");
    assert_eq!(table.verdict().unwrap().reason.code, "two-passes");
}

#[test]
fn points_beyond_the_board_are_faults() {
    let mut table = open("", None);
    for (text, code) in [
        ("JA", "off-board"),
        ("AJ", "off-board"),
        ("zz", "off-board"),
        ("", "malformed"),
        ("A", "malformed"),
        ("passs", "malformed"),
        ("EEEE", "malformed"),
        ("停", "malformed"),
    ] {
        assert_eq!(table.play(text, Eyes::All).unwrap_err().reason.code, code, "{text:?}");
    }
    assert_eq!((table.steps(), table.position(Eyes::All).as_str()), (0, START));
    play_all(&mut table, "ee PASS");
}

#[test]
fn a_seat_knows_its_own_stones_its_refusals_and_nothing_else() {
    let seen = |plies: &str| {
        let mut table = open("", None);
        play_all(&mut table, plies);
        table
    };
    // Two worlds that White cannot tell apart.
    let (mut one, other) = (seen("EE AA DD"), seen("CC AA HG"));
    let white = Eyes::Seat(Side::White);
    assert_eq!(one.observe(Side::White), other.observe(Side::White));
    assert_eq!(one.view(white), other.view(white));
    assert_eq!(one.list_plies(white, 99), other.list_plies(white, 99));
    assert_eq!(one.position(white), "w8/9/9/9/9/9/9/9/9 w 0 ? 0 0 3");
    assert_eq!(one.list_plies(white, 99).list.len(), 81);
    assert!(one.list_plies(Eyes::Seat(Side::Black), 99).list.is_empty());

    // What Black sees does not change while White tries.
    let black = Eyes::Seat(Side::Black);
    let before = (one.observe(Side::Black), one.view(black));
    assert_eq!([play(&mut one, "EE"), play(&mut one, "AA")], ["occupied-point"; 2]);
    assert_eq!((one.observe(Side::Black), one.view(black)), before);

    // White sees where, not why.
    let view = one.view(white);
    let marks: Vec<_> = view.scene.marks.iter().map(|mark| (mark.spot, mark.kind)).collect();
    assert_eq!(marks, [(0, MarkKind::Refused), (40, MarkKind::Refused)]);
    assert_eq!(view.scene.pieces.len(), 1);
    let tries = one.list_plies(white, 99).list;
    assert!(
        !tries.contains(&"EE".to_owned()) && tries.contains(&"DD".to_owned()) && tries.contains(&"pass".to_owned())
    );
    assert_eq!(tries.len(), 80);
    for reason in ["occupied", "suicide", "\"ko\""] {
        let told = serde_json::to_string(&(&view, one.observe(Side::White), one.learned(Side::White))).unwrap();
        assert!(!told.contains(reason), "{told}");
    }

    // An accepted ply ends the turn and its refusals; taking it back brings them back.
    play_all(&mut one, "BA");
    let kinds = |table: &dyn Table| table.view(white).scene.marks.iter().map(|mark| mark.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&*one), [MarkKind::Remembered; 2]);
    assert!(one.undo());
    assert_eq!(one.view(white).scene.marks.len(), 2);
    assert!(one.undo() && one.undo());
    assert_eq!(one.view(white), other.view(white));
}

#[test]
fn why_a_try_was_refused_makes_no_difference_to_the_seat() {
    let told = |rows: &str, ko: &str, code: &str| {
        let mut table = open("", Some(&format!("{rows}{} w 0 {ko} 1 1 9", &REST[2..])));
        assert_eq!(play(&mut table, "AA"), code, "{rows}");
        let white = Eyes::Seat(Side::White);
        (table.learned(Side::White), table.observe(Side::White), table.view(white), table.list_plies(white, 99))
    };
    assert_eq!(told("b8/9/2w6", "-", "occupied-point"), told("1b7/b8/2w6", "-", "suicide"));
    assert_eq!(told("b1w6/1w7/9", "-", "occupied-point"), told("1bw6/bw7/9", "AA", "ko"));
}

#[test]
fn the_pass_is_a_button_below_the_board() {
    let view = open("", None).view(Eyes::Seat(Side::Black));
    assert_eq!(view.scene.geometry.spots.len(), 82);
    let button = &view.scene.geometry.spots[81];
    assert_eq!((button.name.as_str(), button.label.unwrap().zh), ("pass", "停一手"));
    assert!(button.y > 8.5);
    assert_eq!(view.clicks.tree.last().unwrap().ply.as_deref(), Some("pass"));
}

#[rstest]
#[case::dead_stone("wb7/b8/9/9/9/9/9/9/9 b", "impossible", "AA")]
#[case::ko_on_a_stone("w1w6/bw7/9/9/9/9/9/9/9 b 0 AA", "impossible", "AA")]
#[case::ko_in_the_open("w1w6/bw7/9/9/9/9/9/9/9 b 0 EE", "impossible", "EE")]
#[case::ko_for_the_other_side("w1w6/bw7/9/9/9/9/9/9/9 w 0 BA", "impossible", "BA")]
#[case::ko_after_a_pass("w1w6/bw7/9/9/9/9/9/9/9 b 1 BA", "impossible", "BA")]
#[case::ko_of_two("ww1w5/bbw6/9/9/9/9/9/9/9 b 0 CA", "impossible", "CA")]
#[case::ko_beyond("9/9/9/9/9/9/9/9/9 b 0 JJ", "bad-position", "JJ")]
#[case::a_seats_text("9/9/9/9/9/9/9/9/9 b 0 ? 0 0 0", "bad-position", "?")]
#[case::three_passes("9/9/9/9/9/9/9/9/9 b 3", "bad-position", "3")]
#[case::huge("9/9/9/9/9/9/9/9/9 b 0 - 99999999", "bad-position", "99999999")]
#[case::too_much("9/9/9/9/9/9/9/9/9 b 0 - 0 0 0 0", "bad-position", "0")]
#[case::no_side("9/9/9/9/9/9/9/9/9", "missing-field", "b|w")]
#[case::row("9/9/9/9/9/9/9/9/8 b", "row-length", "9")]
fn bad_positions_are_named(#[case] text: &str, #[case] code: &str, #[case] place: &str) {
    let Err(games::OpenError::Position(fault)) = games::find("幻影围棋").unwrap().open(&Value::Null, Some(text))
    else {
        panic!("{text} was read");
    };
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
}

#[rstest]
#[case(json!({"komi": 0.25}))]
#[case(json!({"komi": 100.5}))]
#[case(json!({"komi": -1e300}))]
#[case(json!({"komi": "7"}))]
#[case(json!({"max_plies": 0}))]
#[case(json!({"max_plies": 10_001}))]
#[case(json!({"ko": "situational"}))]
#[case(json!({"tie": "nobody"}))]
fn options_beyond_their_range_are_refused(#[case] variant: Value) {
    assert!(games::find("phantom-go").unwrap().open(&variant, None).is_err());
}

#[test]
fn playing_and_taking_back_never_allocates() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for game in 0..20 {
        // A clone must have the same room as its original.
        let mut position = PhantomGo::new(&PhantomGoVariant::default()).clone();
        let mut memos = Vec::with_capacity(1000);
        let info = allocation_counter::measure(|| {
            while let Some(ply) = position.random_ply(&mut rng) {
                memos.push(position.apply(ply, End::Played));
            }
            while let Some(memo) = memos.pop() {
                position.undo(memo);
            }
        });
        assert_eq!(info.count_total, 0, "game {game}");
        assert_eq!(position, PhantomGo::new(&PhantomGoVariant::default()));
    }
}

/// Whether the book refuses a stone, and the board and the captured stones if not.
fn book(
    stones: &naive::Stones,
    past: &BTreeSet<naive::Stones>,
    point: naive::Point,
    side: char,
) -> Result<(naive::Stones, BTreeSet<naive::Point>), &'static str> {
    if stones.contains_key(&point) {
        return Err("occupied-point");
    }
    let (mut after, captured, alive) = naive::put(stones, point, side, 9);
    if captured.is_empty() && !alive {
        return Err("suicide");
    }
    after.retain(|point, _| !captured.contains(point));
    if past.contains(&after) { Err("ko") } else { Ok((after, captured)) }
}

#[test]
fn random_games_agree_with_the_book() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut refused = [0; 2];
    // From the start, and from a nearly full board where boards soon come back.
    let crowded = "wb1bbbbbb/wwbbbbbbb/wwbbbbb1b/wwbbbbbbb/wb1bbbbbb/wwbbbbbbb/1wbbbbbbb/wwbbbbbbb/wb1bbbbbb w";
    for game in 0..40 {
        let mut table = open("max_plies=150", (game % 2 == 1).then_some(crowded));
        let mut side = table.to_move().letter();
        let mut stones = naive::Stones::new();
        for piece in table.view(Eyes::All).scene.pieces {
            let spot = usize::from(piece.spot);
            stones.insert((spot % 9, spot / 9), piece.side.unwrap().letter());
        }
        let mut past = BTreeSet::from([stones.clone()]);
        while let Some(chosen) = table.random_ply(&mut rng) {
            let legal: BTreeSet<String> = table.list_plies(Eyes::All, 99).list.into_iter().collect();
            let mut next = None;
            for point in naive::points(9) {
                let name = naive::name(point);
                let result = book(&stones, &past, point, side);
                assert_eq!(legal.contains(&name), result.is_ok(), "{name} in {}", table.position(Eyes::All));
                if let Err(code) = result {
                    assert_eq!(play(&mut table, &name), code, "{name} in {}", table.position(Eyes::All));
                    assert!(table.undo());
                    refused[usize::from(code == "ko")] += 1;
                } else if name == chosen {
                    next = result.ok();
                }
            }
            play_all(&mut table, &chosen);
            if let Some((after, captured)) = next {
                stones = after;
                past.insert(stones.clone());
                let expected: Vec<Event> = if captured.is_empty() {
                    vec![Event::HiddenPly]
                } else {
                    let mut points: Vec<_> = captured.into_iter().map(|(x, y)| (y, x)).collect();
                    points.sort_unstable();
                    let points = points.into_iter().map(|(y, x)| naive::name((x, y))).collect();
                    vec![Event::Lost { points }, Event::HiddenPly]
                };
                assert_eq!(table.learned(table.to_move()), expected);
            }
            side = naive::other(side);
            let mut seen = naive::Stones::new();
            for piece in table.view(Eyes::All).scene.pieces {
                let spot = usize::from(piece.spot);
                seen.insert((spot % 9, spot / 9), piece.side.unwrap().letter());
            }
            assert_eq!(seen, stones);
        }
    }
    assert!(refused[0] > 1000 && refused[1] > 20, "too little was tried: {refused:?}");
}

#[test]
fn what_was_refused_before_is_remembered_until_it_is_shown_otherwise() {
    let mut table = open("", None);
    let marks = |table: &dyn Table, side: Side| -> Vec<(u16, MarkKind)> {
        table.view(Eyes::Seat(side)).scene.marks.iter().map(|mark| (mark.spot, mark.kind)).collect()
    };
    play_all(&mut table, "AA EE");
    assert_eq!([play(&mut table, "EE"), play(&mut table, "BA")], ["occupied-point", ""]);
    // The turn is over, what was learned is not; the opponent knows nothing of it, and who sees all needs no marks.
    assert_eq!(marks(table.as_ref(), Side::Black), [(40, MarkKind::Remembered)]);
    assert_eq!(marks(table.as_ref(), Side::White), []);
    assert!(table.view(Eyes::All).scene.marks.is_empty());
    play_all(&mut table, "II");
    // Refused once more: now that is what the mark says.
    assert_eq!(play(&mut table, "EE"), "occupied-point");
    assert_eq!(marks(table.as_ref(), Side::Black), [(40, MarkKind::Refused)]);
    // Black surrounds the stone and takes it; the point is free again, and both are told.
    play_all(&mut table, "ED HI DE HH FE GI");
    assert_eq!(marks(table.as_ref(), Side::Black), [(40, MarkKind::Remembered)]);
    play_all(&mut table, "EF");
    assert_eq!(marks(table.as_ref(), Side::Black), []);
    for side in Side::BOTH {
        let told = table.step(table.steps() - 1, Eyes::Seat(side)).unwrap().told;
        let remarks: Vec<&str> = told.remarks.iter().map(|remark| remark.code).collect();
        let gone: Vec<(u16, Option<Side>)> = told.gone.iter().map(|piece| (piece.spot, piece.side)).collect();
        assert_eq!((remarks, gone), (vec!["captured"], vec![(40, Some(Side::White))]), "{side}");
    }
    // A seat is told that a try was refused, and not why.
    play_all(&mut table, "pass");
    assert_eq!(play(&mut table, "GI"), "occupied-point");
    let code = |eyes| table.step(table.steps() - 1, eyes).unwrap().told.remarks[0].code;
    assert_eq!((code(Eyes::Seat(Side::Black)), code(Eyes::All)), ("refused", "occupied-point"));
}

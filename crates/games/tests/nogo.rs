//! NoGo's corners: what loses, what does not, and what is no ply at all.

mod naive;

use games::{End, Eyes, Side, Table, read_pairs};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;
use serde_json::{Value, json};

const REST: &str = "/9/9/9/9/9/9/9";

fn open(position: &str) -> Box<dyn Table> {
    games::find("nogo").expect("registered").open(&Value::Null, Some(position)).expect(position)
}

#[rstest]
#[case::capture("wb7/9", 'b', "AB", "capture", "wb7/b8")]
#[case::capture_of_a_chain("ww7/bb7", 'b', "CA", "capture", "wwb6/bb7")]
#[case::taking_the_last_liberty_but_one("ww1b5/wbb6", 'b', "AC", "", "ww1b5/wbb6/b8")]
#[case::suicide_of_one("1b7/b8", 'w', "AA", "suicide", "wb7/b8")]
#[case::suicide_of_two("w1b6/bb7", 'w', "BA", "suicide", "wwb6/bb7")]
#[case::capture_goes_before_suicide("1bw6/bw7", 'w', "AA", "capture", "wbw6/bw7")]
#[case::capture_by_a_throw_in("w1w6/bb7", 'b', "BA", "capture", "wbw6/bb7")]
#[case::joining_a_chain_with_room("w1w6/bb7", 'w', "BA", "", "www6/bb7")]
#[case::leaving_atari("wb7/9", 'w', "AB", "", "wb7/w8")]
#[case::into_atari("wb7/9", 'w', "CA", "", "wbw6/9")]
fn a_stone_loses_or_stands(
    #[case] rows: &str,
    #[case] side: char,
    #[case] ply: &str,
    #[case] code: &str,
    #[case] after: &str,
) {
    let mut table = open(&format!("{rows}{REST} {side}"));
    let (mover, plies, before) = (table.to_move(), table.plies(), table.position(Eyes::All));
    assert_eq!(table.losing_plies().contains(&ply.to_owned()), !code.is_empty());
    assert_eq!(table.list_plies(Eyes::All, 99).list.contains(&ply.to_owned()), code.is_empty());
    let played = table.play(ply, Eyes::All).unwrap();
    let rest = &REST[(after.matches('/').count() - 1) * 2..];
    let text = format!("{after}{rest} {}", mover.other().letter());
    assert_eq!(table.position(Eyes::All), text);
    assert_eq!((table.plies(), table.to_move()), (plies + 1, mover.other()));
    if code.is_empty() {
        assert_eq!((played.end, table.verdict()), (End::Played, None));
    } else {
        assert!(matches!(played.end, End::Lost(reason) if reason.code == code), "{played:?}");
        let verdict = table.verdict().unwrap();
        assert_eq!((verdict.winner, verdict.reason.code, verdict.ply), (Some(mover.other()), code, plies + 1));
        assert_eq!(table.count_legal(), 0);
        assert!(table.losing_plies().is_empty());
        assert_eq!(table.play("II", Eyes::All).unwrap_err().reason.code, "game-over");
        // The text of a lost game tells as much as the game did.
        assert_eq!(open(&text).verdict(), Some(verdict));
    }
    assert!(table.undo());
    assert_eq!((table.position(Eyes::All), table.verdict()), (before, None));
}

#[test]
fn taken_points_and_points_beyond_are_no_plies() {
    let mut table = open(&format!("wb7/9{REST} b"));
    for (ply, code) in [
        ("AA", "occupied"),
        ("BA", "occupied"),
        ("JA", "off-board"),
        ("AJ", "off-board"),
        ("ZZ", "off-board"),
        ("pass", "malformed"),
        ("", "malformed"),
        ("E", "malformed"),
        ("E5", "malformed"),
        ("EEEE", "malformed"),
        ("五五", "malformed"),
    ] {
        assert_eq!(table.play(ply, Eyes::All).unwrap_err().reason.code, code, "{ply:?}");
    }
    assert_eq!(table.steps(), 0);
    assert_eq!(table.play(" ee\n", Eyes::All).unwrap().end, End::Played);
}

#[test]
fn only_losing_points_left_is_a_loss() {
    let game = games::find("不围棋").unwrap();
    let mut table = game.open(&json!({"size": 2}), None).unwrap();
    for ply in ["AA", "BB", "BA"] {
        assert_eq!(table.verdict(), None);
        table.play(ply, Eyes::All).unwrap();
    }
    let verdict = table.verdict().unwrap();
    assert_eq!((verdict.winner, verdict.reason.code, verdict.ply), (Some(Side::Black), "only-losing-points", 3));
    assert_eq!(table.position(Eyes::All), "bb/1w w");
    assert_eq!(table.count_legal(), 0);
    assert!(table.losing_plies().is_empty());
    // AB would have been a capture: the picture says so.
    let marks: Vec<u16> = table.view(Eyes::All).scene.marks.iter().map(|mark| mark.spot).collect();
    assert_eq!(marks, [2]);
    assert_eq!(table.play("AB", Eyes::All).unwrap_err().reason.code, "game-over");
}

#[test]
fn the_picture_marks_losing_points_and_the_notes_count_the_others() {
    let table = open(&format!("wb7/9{REST} b"));
    let view = table.view(Eyes::All);
    assert_eq!(view.scene.marks.iter().map(|mark| mark.spot).collect::<Vec<_>>(), [9]);
    assert_eq!(table.losing_plies(), ["AB"]);
    let notes: Vec<&str> = view.notes.iter().map(|note| note.value.as_str()).collect();
    assert_eq!(notes, ["78", "79"]);
    assert_eq!(view.scene.geometry.spots[9].name, "AB");
    assert_eq!(view.scene.geometry.pips.len(), 5);
}

#[rstest]
#[case::two_captures_at_once("wb5bw/b7b/9/9/9/9/9/9/9 w", "impossible", "AA")]
#[case::full_board("bb/bb w", "row-length", "1")]
#[case::short_row("8/9/9/9/9/9/9/9/9 b", "row-length", "1")]
#[case::few_rows("9/9/9 b", "row-count", "9")]
#[case::many_rows("9/9/9/9/9/9/9/9/9/9 b", "row-count", "9")]
#[case::letter("9/9/x8/9/9/9/9/9/9 b", "bad-position", "x")]
#[case::no_side("9/9/9/9/9/9/9/9/9", "missing-field", "b|w")]
#[case::bad_side("9/9/9/9/9/9/9/9/9 black", "bad-position", "black")]
#[case::too_much("9/9/9/9/9/9/9/9/9 b 0", "bad-position", "0")]
#[case::nothing("", "missing-field", "board")]
fn bad_positions_are_named(#[case] text: &str, #[case] code: &str, #[case] place: &str) {
    let Err(games::OpenError::Position(fault)) = games::find("nogo").unwrap().open(&Value::Null, Some(text)) else {
        panic!("{text} was read");
    };
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
}

#[test]
fn a_dead_chain_no_last_stone_explains_is_impossible() {
    let game = games::find("nogo").unwrap();
    let variant = json!({"size": 3});
    // On a full board no stone but the last can have died by it, or the game was over before it.
    for text in ["bbb/bbb/bbb w", "bwb/wbw/bwb b", "wwb/wwb/bbb b"] {
        assert!(game.open(&variant, Some(text)).is_err(), "{text}");
    }
    // Here CB was the losing stone, though it is not the only one that could have been the last.
    let verdict = game.open(&variant, Some("bb1/bbb/bbw w")).unwrap().verdict().unwrap();
    assert_eq!((verdict.winner, verdict.reason.code), (Some(Side::White), "capture"));
}

#[rstest]
#[case(json!({"size": 1}))]
#[case(json!({"size": 10}))]
#[case(json!({"size": "9"}))]
#[case(json!({"komi": 1}))]
fn other_options_are_refused(#[case] variant: Value) {
    assert!(games::find("nogo").unwrap().open(&variant, None).is_err());
}

#[rstest]
#[case("", 9, 60)]
#[case("size=5", 5, 300)]
#[case("size=3", 3, 500)]
fn random_games_agree_with_the_book(#[case] pairs: &str, #[case] size: usize, #[case] games: u64) {
    let variant = read_pairs(pairs.split_whitespace()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..games {
        let mut table = games::find("nogo").unwrap().open(&variant, None).unwrap();
        let (mut stones, mut side) = (naive::Stones::new(), 'b');
        loop {
            let (mut safe, mut losing) = (Vec::new(), Vec::new());
            for point in naive::points(size).filter(|point| !stones.contains_key(point)) {
                let (_, captured, alive) = naive::put(&stones, point, side, size);
                if captured.is_empty() && alive { &mut safe } else { &mut losing }.push(naive::name(point));
                if table.verdict().is_none() {
                    let code = match table.fork().play(&naive::name(point), Eyes::All).unwrap().end {
                        End::Lost(reason) => reason.code,
                        _ => "",
                    };
                    let expected = match (captured.is_empty(), alive) {
                        (false, _) => "capture",
                        (true, false) => "suicide",
                        (true, true) => "",
                    };
                    assert_eq!(code, expected, "{} in {}", naive::name(point), table.position(Eyes::All));
                }
            }
            assert_eq!(table.list_plies(Eyes::All, 99).list, safe, "{}", table.position(Eyes::All));
            assert_eq!(table.verdict().is_some(), safe.is_empty());
            let Some(ply) = table.random_ply(&mut rng) else { break };
            assert_eq!(table.losing_plies(), losing);
            table.play(&ply, Eyes::All).unwrap();
            let point = naive::points(size).find(|&point| naive::name(point) == ply).unwrap();
            stones.insert(point, side);
            side = naive::other(side);
        }
    }
}

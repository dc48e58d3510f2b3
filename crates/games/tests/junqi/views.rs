//! What each pair of eyes sees, and position texts.

use super::*;

#[test]
fn each_player_writes_moves_in_his_own_view() {
    let mut table = start();
    play(&mut *table, SEED_ARRAY, seat(Side::Black));
    play(&mut *table, SEED_ARRAY, seat(Side::White));
    // Red's commander takes the colonel's neighbour in front of him: F0 of the referee is White's G4, a `d`.
    play(&mut *table, "G0F0", seat(Side::Black));
    assert_eq!(
        table.learned(Side::White),
        [Event::Ply { ply: "F4G4".into() }, Event::Contact { result: Contact::Won }]
    );
    assert_eq!(
        table.learned(Side::Black),
        [Event::Ply { ply: "G0F0".into() }, Event::Contact { result: Contact::Won }]
    );
    assert_eq!(
        table.observe(Side::White).position,
        "?????/?????/?1?1?/??1??/?1?1?/????1/abcc?/d1e1e/ff1gg/g1h1h/hiiij/jkklj w 0 - 3"
    );
    // White's own commander at his G0 attacks straight ahead: a `d`, Red's G4.
    play(&mut *table, "G0F0", seat(Side::White));
    assert_eq!(
        table.position(Eyes::All),
        "jlkkj/jiiih/h1h1g/gg1ff/e1e1d/Accb1/1BCCa/D1E1E/FF1GG/G1H1H/HIIIJ/JKKLJ b 0 - 4"
    );
    assert_eq!(table.step(3, Eyes::All).unwrap().ply.as_deref(), Some("F4G4"));
    assert_eq!(table.step(3, seat(Side::White)).unwrap().ply.as_deref(), Some("G0F0"));
    assert_eq!(table.step(3, seat(Side::Black)).unwrap().ply.as_deref(), Some("F4G4"));
    assert_eq!(targets(&*table, "F0", seat(Side::Black)), "E0 E1 F1 G0");
}

#[test]
fn a_seat_does_not_learn_ranks() {
    // The same ply wins against different ranks; only the referee's text may differ afterwards.
    let worlds = ["F0=d E2=e A0=j", "F0=e E2=d A0=j", "F0=i E2=k A0=j", "F0=g E2=d A0=c"]
        .map(|enemies| position(&format!("G0=C {enemies} A1=l L1=L A4=g H2=A B4=a"), "b 4 - 90"));
    let mut seen = HashSet::new();
    for world in &worlds {
        let mut table = open(world);
        let before = table.observe(Side::Black);
        let plies = table.list_plies(seat(Side::Black), 500);
        play(&mut *table, "G0F0", seat(Side::Black));
        let after = table.observe(Side::Black);
        let picture = serde_json::to_string(&table.view(seat(Side::Black))).unwrap();
        seen.insert(format!("{before:?} {plies:?} {after:?} {:?} {picture}", table.learned(Side::Black)));
        assert_eq!(after.position, "??2?/4?/5/5/2?2/C4/5/2A2/5/5/5/1L3 w 0 - 91");
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn observation_has_the_figures_beside_the_board() {
    let table = open_with("steps=40", &position(&format!("F2=C D2=b E2=d {REST}"), "b 12 bw 100"));
    let notes: Vec<(&str, String)> =
        table.observe(Side::White).notes.into_iter().map(|note| (note.key, note.value)).collect();
    assert_eq!(notes, [("black", "3".into()), ("white", "4".into()), ("quiet-left", "28".into())]);
    assert_eq!(
        table.observe(Side::White).position,
        "?2L1/5/5/5/5/5/2?2/2d2/2b2/5/5/g2l1 b 12 bw 100",
        "Red's shown flag is the only letter of his"
    );
}

#[test]
fn the_picture_shows_the_whole_board_and_only_what_is_known() {
    let table = open(&position("F0=C A1=l L1=L E2=d H2=A", "b 0 w 100"));
    for eyes in [Eyes::All, seat(Side::Black), seat(Side::White)] {
        let scene = table.view(eyes).scene;
        let count = |kind| scene.geometry.spots.iter().filter(|spot| spot.kind == kind).count();
        assert_eq!((count(SpotKind::Station), count(SpotKind::Camp), count(SpotKind::Headquarters)), (46, 10, 4));
        let strokes = |ink| scene.geometry.strokes.iter().filter(|stroke| stroke.ink == ink).count();
        assert_eq!((strokes(Ink::Rail), strokes(Ink::Grid)), (7, 133 - 35));
        let labels: String = scene.geometry.labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(labels, "01234ABCDEFGHIJKL");
        let turned = eyes == seat(Side::White);
        let (first, last) = (&scene.geometry.spots[0], &scene.geometry.spots[59]);
        assert_eq!((first.name.as_str(), last.name.as_str()), if turned { ("L4", "A0") } else { ("A0", "L4") });
        assert!(if turned { first.y > last.y && first.x > last.x } else { first.y < last.y && first.x < last.x });
        let faces: Vec<(u16, &str)> = scene
            .pieces
            .iter()
            .map(|piece| {
                assert_eq!(piece.figure == Figure::Back, piece.label.is_none());
                (piece.spot, piece.label.map_or("?", |label| label.zh))
            })
            .collect();
        let expected = match eyes {
            Eyes::All => [(1, "军旗"), (22, "旅长"), (25, "师长"), (37, "司令"), (56, "军旗")],
            // White's flag is shown to Red.
            Eyes::Seat(Side::Black) => [(1, "军旗"), (22, "?"), (25, "师长"), (37, "司令"), (56, "军旗")],
            Eyes::Seat(Side::White) => [(1, "军旗"), (22, "旅长"), (25, "?"), (37, "?"), (56, "?")],
        };
        assert_eq!(faces, expected);
    }
}

// ---- position texts

#[rstest]
#[case::unknown_letter("5/5/5/5/5/M4/5/5/5/5/5/5 b 0 - 0", "bad-position", "M")]
#[case::hidden_piece("5/5/5/5/5/?4/5/5/5/5/5/5 b 0 - 0", "bad-position", "?")]
#[case::rows("5/5/5/5/5/5/5/5/5/5/5 b 0 - 0", "row-count", "12")]
#[case::row("5/5/5/5/5/6/5/5/5/5/5/5 b 0 - 0", "row-length", "6")]
#[case::side("5/5/5/5/5/5/5/5/5/5/5/5 r 0 - 0", "bad-position", "r")]
#[case::fields_missing("5/5/5/5/5/5/5/5/5/5/5/5 b 0", "missing-field", "flags shown")]
#[case::fields_left("5/5/5/5/5/5/5/5/5/5/5/5 b 0 - 0 0", "bad-position", "0")]
#[case::number("5/5/5/5/5/5/5/5/5/5/5/5 b 0 - 99999999", "bad-position", "99999999")]
#[case::two_flags("1l1l1/5/5/5/5/5/5/5/5/5/5/1L3 b 0 bw 90", "too-many", "l")]
#[case::four_mines("1l3/5/5/5/5/5/G4/5/5/5/JJ1JJ/1L3 b 0 bw 90", "too-many", "J")]
#[case::two_commanders("1l3/5/5/5/5/5/AA3/5/5/5/5/1L3 b 0 w 90", "too-many", "A")]
#[case::flag_outside_headquarters("1l3/5/5/5/5/5/5/5/5/5/5/L4 b 0 bw 90", "misplaced", "L L0")]
#[case::flag_in_the_enemys_headquarters("1l1L1/5/5/5/5/5/5/5/5/5/5/5 b 0 bw 90", "misplaced", "L A3")]
#[case::mine_too_far_forward("1l3/5/j4/5/5/5/5/5/5/5/5/1L3 b 0 bw 90", "misplaced", "j C0")]
#[case::mine_on_the_enemys_side("1l3/J4/5/5/5/5/5/5/5/5/5/1L3 b 0 bw 90", "misplaced", "J B0")]
#[case::turn_and_plies("1l3/5/5/5/d4/5/G4/5/5/5/5/1L3 w 0 bw 90", "impossible", "90")]
#[case::more_quiet_plies_than_moves("1l3/5/5/5/d4/5/G4/5/5/5/5/1L3 b 9 bw 10", "impossible", "9")]
#[case::more_quiet_plies_than_steps("1l3/5/5/5/d4/5/G4/5/5/5/5/1L3 b 32 bw 90", "impossible", "32")]
#[case::flags_hidden_without_commander("1l3/5/5/5/d4/5/G4/5/5/5/5/1L3 b 0 - 90", "impossible", "-")]
#[case::flag_shown_with_commander("1l3/5/5/5/d4/5/A4/5/5/5/5/1L3 b 0 bw 90", "impossible", "bw")]
#[case::flags_in_another_order("1l3/5/5/5/d4/5/G4/5/5/5/5/1L3 b 0 wb 90", "impossible", "wb")]
#[case::no_flags("5/5/5/5/d4/5/G4/5/5/5/5/5 b 0 bw 90", "no-flag", "l")]
#[case::flag_of_the_last_mover_missing("5/5/5/5/d4/5/G4/5/5/5/5/1L3 b 0 bw 90", "no-flag", "l")]
#[case::pieces_before_the_set_up("5/5/5/5/5/5/A4/5/5/5/5/5 b 0 - 0", "impossible", "0")]
#[case::half_a_set_up("5/5/5/5/5/5/ABCCD/5/5/5/5/1L3 w 0 - 1", "impossible", "1")]
#[case::a_bad_set_up("5/5/5/5/5/5/KBCCD/D1E1E/FF1GG/G1H1H/HIIIJ/JKALJ w 0 - 1", "impossible", "1")]
#[case::second_before_first("jlkkj/jiiih/h1h1g/gg1ff/e1e1d/dccba/5/5/5/5/5/5 w 0 - 1", "impossible", "1")]
#[case::moved_before_the_first_move(
    "jlkkj/jiiih/h1h1g/gg1ff/e1e1d/dccba/ABCCD/1DE1E/FF1GG/G1H1H/HIIIJ/JKKLJ b 0 - 2",
    "impossible",
    "2"
)]
fn impossible_positions(#[case] text: &str, #[case] code: &str, #[case] place: &str) {
    let fault = Junqi::read_position(&JunqiVariant::default(), text).unwrap_err();
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
    assert!(fault.to_string().contains(place));
}

#[test]
fn a_missing_flag_is_the_end_when_the_last_ply_can_have_taken_it() {
    let table = open("1C3/5/5/5/d4/5/G4/5/5/5/5/1L3 w 0 bw 91");
    assert_eq!(end(&*table), Some((Some(Side::Black), "flag-lost")));
}

#[test]
fn any_ply_value_is_judged_without_panic() {
    let position =
        Junqi::read_position(&JunqiVariant::default(), &position(&format!("F2=C {REST}"), "b 0 bw 90")).unwrap();
    for (from, to) in [(60, 0), (0, 60), (255, 255), (63, 64), (27, 200)] {
        let ply = Ply::Move { from, to };
        assert_eq!(position.judge(ply).unwrap_err().reason.code, "off-board");
        assert_eq!(position.turned(position.turned(ply)), ply);
    }
    assert_eq!(position.targets(200), 0);
    assert_eq!(position.piece_at(60), None);
}

#[test]
fn a_set_up_can_be_filled_in_as_a_form() {
    let mut table = games::find("junqi").unwrap().open(&serde_json::Value::Null, None).unwrap();
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(1);
    for side in Side::BOTH {
        let eyes = Eyes::Seat(side);
        let form = table.set_up_form(&mut rng).unwrap();
        let view = table.view(eyes);
        for spot in &form.spots {
            assert_eq!(view.scene.geometry.spots[usize::from(spot.spot)].name, spot.name);
        }
        let spots = || form.spots.iter().map(|spot| spot.spot);
        let placement: HashMap<u16, String> = spots().zip(form.suggestion.iter().cloned()).collect();
        let mut wrong = placement.clone();
        wrong.remove(&form.spots[3].spot);
        assert_eq!(form.compose(&wrong).unwrap_err().place.as_str(), form.spots[3].name);
        // A flag in the first row.
        let flag = placement.iter().find(|(_, tile)| *tile == "l").map(|(&spot, _)| spot).unwrap();
        let mut wrong = placement.clone();
        wrong.insert(flag, placement[&form.spots[0].spot].clone());
        wrong.insert(form.spots[0].spot, "l".to_owned());
        assert_eq!(form.compose(&wrong).unwrap_err().place.as_str(), form.spots[0].name);
        let ply = form.compose(&placement).unwrap();
        assert_eq!(table.play(&ply, eyes).unwrap().end, End::Played);
        // What stands there now is what was placed.
        let view = table.view(eyes);
        for (spot, tile) in &placement {
            let piece = view.scene.pieces.iter().find(|piece| piece.spot == *spot).unwrap();
            let wanted = form.tiles.iter().find(|known| known.id == *tile).unwrap();
            assert_eq!(piece.label, Some(wanted.label));
        }
    }
    assert!(table.set_up_form(&mut rng).is_none());
}

#[rstest]
#[case::taken("F0=D E0=g J0=A C0=a", "met-weaker", "", "Capt")]
#[case::taken_itself("F0=G E0=d J0=A C0=a", "met-stronger", "Capt", "")]
#[case::bomb("F0=K E0=d J0=A C0=a", "both-gone", "Bomb", "BrigG")]
#[case::marshal("F0=A E0=k C0=a", "both-gone red-shows-flag", "FM", "Bomb")]
#[case::nobody("F0=D J0=A C0=a", "", "", "")]
fn an_encounter_is_told_in_words_and_each_side_knows_its_own_losses(
    #[case] pieces: &str,
    #[case] codes: &str,
    #[case] red: &str,
    #[case] black: &str,
) {
    let mut table = open(&position(&format!("{pieces} {REST}"), "b 3 - 60"));
    play(&mut *table, "F0E0", Eyes::All);
    // It is asked for again when the game has gone on.
    play(&mut *table, "A4A3", Eyes::All);
    let told = |eyes| table.step(0, eyes).unwrap().told;
    let labels = |eyes, side| {
        let gone = told(eyes).gone;
        let own = gone.iter().filter(|piece| piece.side == Some(side));
        own.map(|piece| piece.label.map_or("?", |label| label.en)).collect::<Vec<_>>().join(" ")
    };
    for eyes in [Eyes::All, seat(Side::Black), seat(Side::White)] {
        let said: Vec<&str> = told(eyes).remarks.iter().map(|remark| remark.code).collect();
        assert_eq!(said.join(" "), codes, "{eyes:?}");
    }
    assert_eq!((labels(Eyes::All, Side::Black), labels(Eyes::All, Side::White)), (red.into(), black.into()));
    let unknown = |text: &str| if text.is_empty() { String::new() } else { "?".to_owned() };
    assert_eq!(
        (labels(seat(Side::Black), Side::Black), labels(seat(Side::Black), Side::White)),
        (red.into(), unknown(black))
    );
    assert_eq!(
        (labels(seat(Side::White), Side::White), labels(seat(Side::White), Side::Black)),
        (black.into(), unknown(red))
    );
}

//! Contacts, moves, the shown flag and the ends of a game.

use super::*;

/// The protocol document's table, word for word: a column for each attacker, a row for each defender.
const CONTACTS: &str = "
| 攻守 | 司令   | 军长   | 师长   | 旅长   | 团长   | 营长   | 连长   | 排长   | 工兵   | 炸弹 |
| 司令 | 同尽   | 军长败 | 师长败 | 旅长败 | 团长败 | 营长败 | 连长败 | 排长败 | 工兵败 | 同尽 |
| 军长 | 军长败 | 同尽   | 师长败 | 旅长败 | 团长败 | 营长败 | 连长败 | 排长败 | 工兵败 | 同尽 |
| 师长 | 师长败 | 师长败 | 同尽   | 旅长败 | 团长败 | 营长败 | 连长败 | 排长败 | 工兵败 | 同尽 |
| 旅长 | 旅长败 | 旅长败 | 旅长败 | 同尽   | 团长败 | 营长败 | 连长败 | 排长败 | 工兵败 | 同尽 |
| 团长 | 团长败 | 团长败 | 团长败 | 团长败 | 同尽   | 营长败 | 连长败 | 排长败 | 工兵败 | 同尽 |
| 营长 | 营长败 | 营长败 | 营长败 | 营长败 | 营长败 | 同尽   | 连长败 | 排长败 | 工兵败 | 同尽 |
| 连长 | 连长败 | 连长败 | 连长败 | 连长败 | 连长败 | 连长败 | 同尽   | 排长败 | 工兵败 | 同尽 |
| 排长 | 排长败 | 排长败 | 排长败 | 排长败 | 排长败 | 排长败 | 排长败 | 同尽   | 工兵败 | 同尽 |
| 工兵 | 工兵败 | 工兵败 | 工兵败 | 工兵败 | 工兵败 | 工兵败 | 工兵败 | 工兵败 | 同尽   | 同尽 |
| 地雷 | 司令败 | 军长败 | 师长败 | 旅长败 | 团长败 | 营长败 | 连长败 | 排长败 | 地雷败 | 同尽 |
| 炸弹 | 同尽   | 同尽   | 同尽   | 同尽   | 同尽   | 同尽   | 同尽   | 同尽   | 同尽   | 同尽 |
| 军旗 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 军旗败 | 同尽 |
";

#[rstest]
fn every_cell_of_the_contact_table(#[values(Side::Black, Side::White)] mover: Side) {
    let names: HashMap<&str, Rank> = Rank::ALL.into_iter().map(|rank| (rank.label().zh, rank)).collect();
    let mut rows =
        CONTACTS.trim().lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let attackers = rows.next().unwrap();
    let mut cells = 0;
    for row in rows {
        for (&attacker, &cell) in attackers.iter().zip(&row).skip(1) {
            let result = match cell.strip_suffix('败') {
                None if cell == "同尽" => Contact::Both,
                Some(loser) if loser == attacker => Contact::Lost,
                Some(loser) if loser == row[0] => Contact::Won,
                _ => panic!("{cell} names nobody of {attacker} and {}", row[0]),
            };
            check_contact(mover, names[attacker], names[row[0]], result);
            cells += 1;
        }
    }
    assert_eq!(cells, 120);
}

/// An attack on the enemy's headquarters `A1` (everything may stand there) from `B1`, in the mover's own view.
fn check_contact(mover: Side, attacker: Rank, defender: Rank, result: Contact) {
    // Each side has one more piece that can move, so that a lost piece ends nothing.
    let flags = if defender == Rank::Flag { "L1=L" } else { "L1=L A3=l" };
    let pieces = format!("B1={} A1={} {flags} H0=G E4=g", attacker.letter().to_ascii_uppercase(), defender.letter());
    // Made for the first player; for the second the board is turned and the sides are exchanged.
    let text = |pieces: &str, to_move: Side, quiet: u32, plies: u32| {
        let other_case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let board = position(pieces, "").trim().to_owned();
        let board = if mover == Side::Black { board } else { board.chars().rev().map(other_case).collect() };
        let shown = match (board.contains('A'), board.contains('a')) {
            (true, true) => "-",
            (true, false) => "w",
            (false, true) => "b",
            (false, false) => "bw",
        };
        format!("{board} {} {quiet} {shown} {plies}", to_move.letter())
    };
    let plies = 100 + mover.index() as u32;
    let mut table = open(&text(&pieces, mover, 7, plies));
    play(&mut *table, "B1A1", seat(mover));
    let stays = match result {
        Contact::Won => Some(attacker.letter().to_ascii_uppercase()),
        Contact::Lost => Some(defender.letter()),
        Contact::Both | Contact::Nobody => None,
    };
    let mut after: Vec<String> = pieces
        .split(' ')
        .filter(|piece| !piece.starts_with("A1") && !piece.starts_with("B1"))
        .map(str::to_owned)
        .collect();
    after.extend(stays.map(|letter| format!("A1={letter}")));
    let story = format!("{attacker:?} of {mover} attacks {defender:?}");
    assert_eq!(table.position(Eyes::All), text(&after.join(" "), mover.other(), 0, plies + 1), "{story}");
    for side in Side::BOTH {
        let ply = if side == mover { "B1A1" } else { "K3L3" };
        let events = table.learned(side);
        assert_eq!(events[..2], [Event::Ply { ply: ply.into() }, Event::Contact { result }], "{story}");
    }
    let won = (defender == Rank::Flag).then_some((Some(mover), "flag-lost"));
    assert_eq!(end(&*table), won, "{story}");
}

#[rstest]
#[case::from_a_corner_of_two_rails("F0=C", "F0", "B0 C0 D0 E0 E1 F1 F2 F3 F4 G0 H0 I0 J0 K0")]
#[case::middle_of_the_frontier("F2=C", "F2", "E1 E2 E3 F0 F1 F3 F4 G2")]
#[case::no_way_over_the_mountain("F1=C", "F1", "E1 F0 F2 F3 F4")]
#[case::no_way_over_the_other_mountain("G3=C", "G3", "G0 G1 G2 G4 H3")]
#[case::row_g("G2=C", "G2", "F2 G0 G1 G3 G4 H1 H2 H3")]
#[case::row_b("B1=C", "B1", "A1 B0 B2 B3 B4 C1")]
#[case::row_k("K3=C", "K3", "J3 K0 K1 K2 K4 L3")]
#[case::column_from_the_middle("D4=C", "D4", "B4 C3 C4 D3 E3 E4 F4 G4 H4 I4 J4 K4")]
#[case::rail_end_does_not_reach_the_last_row("K0=C", "K0", "B0 C0 D0 E0 F0 G0 H0 I0 J0 J1 K1 K2 K3 K4 L0")]
#[case::no_rail_in_the_last_row("L2=C", "L2", "K2 L3")]
#[case::no_rail_in_the_middle_column("H2=C", "H2", "G2 H1 H3 I2")]
#[case::off_the_rails("I1=C", "I1", "H1 I0 I2 J1")]
#[case::own_piece_blocks("F0=C F3=D", "F0", "B0 C0 D0 E0 E1 F1 F2 G0 H0 I0 J0 K0")]
#[case::enemy_ends_the_run("F0=C F3=d", "F0", "B0 C0 D0 E0 E1 F1 F2 F3 G0 H0 I0 J0 K0")]
#[case::both_ways_of_a_column("F0=C D0=d H0=d", "F0", "D0 E0 E1 F1 F2 F3 F4 G0 H0")]
#[case::both_ways_of_a_row("K2=C K1=d K3=D", "K2", "J1 J2 J3 K1 L2")]
#[case::camp_has_eight_neighbours("D2=C", "D2", "C1 C2 C3 D1 D3 E1 E2 E3")]
#[case::camp_at_the_frontier("E1=C", "E1", "D0 D1 D2 E0 E2 F0 F1 F2")]
#[case::diagonals_only_at_camps("D1=C", "D1", "C1 D0 D2 E1")]
#[case::enemies_in_camps_are_safe("D2=C C1=d C3=k E2=d", "D2", "C2 D1 D3 E1 E2 E3")]
#[case::out_of_a_camp_into_an_enemy("C1=C B0=d B1=d", "C1", "B0 B1 B2 C0 C2 D0 D1 D2")]
#[case::headquarters_hold("A3=C", "A3", "")]
#[case::own_headquarters_hold("L3=C", "L3", "")]
#[case::mines_stay("K1=J", "K1", "")]
#[case::the_flag_stays("", "L1", "")]
#[case::bombs_move_like_others("F1=K G1=d", "F1", "E1 F0 F2 F3 F4")]
#[case::into_own_headquarters("K3=C K2=D K4=D J3=E", "K3", "L3")]
#[case::into_the_enemys("B3=C B2=D B4=D C3=E", "B3", "A3")]
fn where_a_piece_may_go(#[case] pieces: &str, #[case] from: &str, #[case] expected: &str) {
    let text = position(&format!("{pieces} {REST}"), "b 0 bw 100");
    assert_eq!(targets(&*open(&text), from, Eyes::All), expected);
}

/// An engineer that meets nobody reaches every railway station.
const ALL_RAILS: &str =
    "B0 B1 B2 B3 B4 C0 C4 D0 D4 E0 E4 F0 F1 F2 F3 F4 G0 G1 G2 G3 G4 H0 H4 I0 I4 J0 J4 K0 K1 K2 K3 K4";

#[rstest]
#[case::everywhere("F1=I", "F1", ALL_RAILS, "E1")]
#[case::over_the_bridge_only(
    "F2=I F0=D F4=D",
    "F2",
    "F1 F3 G0 G1 G2 G3 G4 H0 H4 I0 I4 J0 J4 K0 K1 K2 K3 K4",
    "E1 E2 E3"
)]
#[case::around_two_corners("K1=I K0=D K3=d J4=d", "K1", "K2 K3", "J1 L1")]
#[case::stops_at_the_first_enemy("F2=I F1=d F3=d G2=e", "F2", "F1 F3 G2", "E1 E2 E3")]
#[case::shut_in_by_its_own("F2=I F1=D F3=D G2=E", "F2", "", "E1 E2 E3")]
#[case::the_long_way_round("B1=I B2=d C0=D C4=d", "B1", "B0 B2", "A1 C1")]
#[case::behind_an_enemy("F1=I F0=D F2=d", "F1", "F2", "E1")]
#[case::off_the_rails_one_step("D1=I", "D1", "", "C1 D0 D2 E1")]
fn where_an_engineer_may_go(#[case] pieces: &str, #[case] from: &str, #[case] rails: &str, #[case] roads: &str) {
    let text = position(&format!("{pieces} {REST}"), "b 0 bw 100");
    // L1 is the own flag in every case, and A1 the enemy's.
    let mut expected: Vec<&str> = rails.split_whitespace().chain(roads.split_whitespace()).collect();
    expected.retain(|&square| square != from && square != "L1");
    expected.sort_unstable();
    assert_eq!(targets(&*open(&text), from, Eyes::All), expected.join(" "));
}

#[rstest]
#[case::nobody_there("G0F0", "not-yours", "G0")]
#[case::an_enemy("E2E1", "not-yours", "E2")]
#[case::onto_an_own_piece("F2D2", "occupied", "D2")]
#[case::onto_itself("F2F2", "occupied", "F2")]
#[case::too_far("F2H2", "unreachable", "H2")]
#[case::around_a_corner("F2E0", "unreachable", "E0")]
#[case::over_a_piece("B0B3", "unreachable", "B3")]
#[case::over_the_mountain("F3G3", "unreachable", "G3")]
#[case::enemy_in_a_camp("D2C1", "in-camp", "C1")]
#[case::camp_out_of_reach("F2C1", "unreachable", "C1")]
#[case::a_mine("K1K2", "immobile", "K1")]
#[case::the_flag("L3L2", "in-headquarters", "L3")]
#[case::in_headquarters("A3A2", "in-headquarters", "A3")]
#[case::off_the_board("F2F5", "off-board", "F5")]
#[case::off_the_board_below("M2F2", "off-board", "M2")]
#[case::no_move("F2", "malformed", "F2")]
#[case::no_digits("FFGG", "malformed", "FFGG")]
#[case::letter_o("GOF9", "malformed", "GOF9")]
#[case::malformed_before_off_board("F9GO", "malformed", "F9GO")]
#[case::not_ascii("军棋", "malformed", "军棋")]
#[case::nothing("", "malformed", "")]
#[case::a_set_up(SEED_ARRAY, "set-up-done", "")]
fn refusals(#[case] ply: &str, #[case] code: &str, #[case] place: &str) {
    let pieces = "F2=C F3=D D2=D C1=c E2=d K1=J L3=L A3=E A1=l B0=E B2=e";
    let before = position(pieces, "b 5 bw 100");
    let mut table = open(&before);
    let fault = table.play(ply, Eyes::All).unwrap_err();
    assert_eq!((fault.reason.code, fault.place.as_str()), (code, place));
    assert_eq!(table.position(Eyes::All), before);
}

#[test]
fn a_flag_outside_headquarters_never_is_but_a_mine_beside_it_is_immobile() {
    let table = open(&position("K1=J L1=L L0=J A1=l G0=C F4=c", "b 0 bw 100"));
    for from in ["K1", "L0", "L1"] {
        assert_eq!(targets(&*table, from, Eyes::All), "");
    }
}

// ---- the commander and the flag

#[rstest]
#[case::equal_rank("G0=A F0=a", "G0F0", true, true)]
#[case::runs_into_a_bomb("G0=A F0=k D1=a", "G0F0", true, false)]
#[case::runs_into_a_mine("C1=A B1=j D1=a", "C1B1", true, false)]
#[case::is_bombed("G0=K F0=a I1=A", "G0F0", false, true)]
#[case::wins("G0=A F0=b D1=a", "G0F0", false, false)]
#[case::a_general_dies("G0=B F0=b D1=a I1=A", "G0F0", false, false)]
fn a_lost_commander_shows_the_flag_from_then_on(
    #[case] pieces: &str,
    #[case] ply: &str,
    #[case] red: bool,
    #[case] black: bool,
) {
    let mut table = open(&position(&format!("{pieces} {REST}"), "b 3 - 60"));
    play(&mut *table, ply, Eyes::All);
    // Each seat is told where the *other's* flag stands, in its own view: L1 is A3 to Black, A1 is A1 to Red.
    let flag = |side| {
        table.learned(side).into_iter().find_map(|event| match event {
            Event::FlagShown { point } => Some(point),
            _ => None,
        })
    };
    assert_eq!(flag(Side::White), red.then(|| "A3".to_owned()));
    assert_eq!(flag(Side::Black), black.then(|| "A1".to_owned()));
    let shown = match (red, black) {
        (true, true) => "bw",
        (true, false) => "b",
        (false, true) => "w",
        (false, false) => "-",
    };
    assert_eq!(table.position(Eyes::All).split(' ').nth(3), Some(shown));
    assert_eq!(table.observe(Side::Black).position.contains('l'), black);
    assert_eq!(table.observe(Side::White).position.contains('L'), red);
    // Still told after a quiet ply.
    play(&mut *table, "A4A3", Eyes::All);
    let repeated = table.learned(Side::White).iter().any(|event| matches!(event, Event::FlagShown { .. }));
    assert_eq!(repeated, red);
    let marks = |eyes| table.view(eyes).scene.marks.iter().map(|mark| (mark.spot, mark.kind)).collect::<Vec<_>>();
    let mut expected = Vec::new();
    expected.extend(red.then_some((56, MarkKind::FlagShown)));
    expected.extend(black.then_some((1, MarkKind::FlagShown)));
    assert_eq!(marks(Eyes::All), expected);
    assert_eq!(marks(seat(Side::White)), expected);
}

#[test]
fn the_last_ply_still_says_where_the_shown_flag_stood() {
    let mut table = open(&position("B1=C A1=l L1=L H0=G E4=g", "b 0 bw 80"));
    play(&mut *table, "B1A1", Eyes::All);
    assert_eq!(
        table.learned(Side::Black),
        [
            Event::Ply { ply: "B1A1".into() },
            Event::Contact { result: Contact::Won },
            Event::FlagShown { point: "A1".into() }
        ]
    );
    assert_eq!(end(&*table), Some((Some(Side::Black), "flag-lost")));
}

// ---- the end

#[rstest]
#[case::taken("B1=I", Contact::Won)]
#[case::blown_up("B1=K", Contact::Both)]
fn a_flag_taken_or_blown_up_is_the_end(#[case] attacker: &str, #[case] result: Contact) {
    let mut table = open(&position(&format!("{attacker} A1=l L1=L H0=G E4=g"), "b 9 bw 80"));
    play(&mut *table, "B1A1", Eyes::All);
    assert_eq!(end(&*table), Some((Some(Side::Black), "flag-lost")));
    assert_eq!(table.learned(Side::White)[1], Event::Contact { result });
    assert_eq!(table.count_legal(), 0);
    assert_eq!(table.play("E4F4", Eyes::All).unwrap_err().reason.code, "game-over");
    // The text says so too.
    let again = open(&table.position(Eyes::All));
    assert_eq!(end(&*again), Some((Some(Side::Black), "flag-lost")));
    assert!(table.undo());
    assert_eq!(end(&*table), None);
}

/// Where White's last piece is shut in at `C2` by his own mine and by enemies in camps, once `E1` goes to `D2`.
const SHUTTING_IN: &str = "C2=c B2=j C1=D C3=D E1=E";

#[rstest]
#[case::the_enemys_last_piece_is_taken("G0=C F0=d", "G0F0", Some(Side::Black), "no-move")]
#[case::last_pieces_die_together("G0=C F0=c", "G0F0", None, "nobody-moves")]
#[case::the_last_bomb_meets_the_last_piece("G0=K F0=a", "G0F0", None, "nobody-moves")]
#[case::shut_in_by_pieces_in_camps(SHUTTING_IN, "E1D2", Some(Side::Black), "no-move")]
#[case::takes_the_flag("B1=C F0=c H0=D", "B1A1", Some(Side::Black), "flag-lost")]
#[case::takes_the_flag_with_the_last_piece("B1=C F0=c", "B1A1", Some(Side::Black), "flag-lost")]
#[case::blows_up_the_flag_with_the_last_bomb("B1=K F0=c", "B1A1", Some(Side::Black), "flag-lost")]
#[case::takes_the_flag_when_nobody_moves_any_more("B1=C", "B1A1", Some(Side::Black), "flag-lost")]
#[case::a_quiet_ply_too_many("G0=C F4=c", "G0G1", Some(Side::White), "no-contact")]
#[case::a_quiet_ply_too_many_that_shuts_the_enemy_in(SHUTTING_IN, "E1D2", Some(Side::Black), "no-move")]
fn ends_in_the_order_of_the_rules(
    #[case] pieces: &str,
    #[case] ply: &str,
    #[case] winner: Option<Side>,
    #[case] code: &str,
) {
    // The thirty-first quiet ply of the game is due, and beside the case's pieces only mines and flags are left.
    let shown = match (pieces.contains("=A"), pieces.contains("=a")) {
        (true, _) => "w",
        (_, true) => "b",
        _ => "bw",
    };
    let mut table = open(&position(&format!("{pieces} A1=l L1=L K0=J B4=j"), &format!("b 30 {shown} 90")));
    assert_eq!(end(&*table), None);
    play(&mut *table, ply, Eyes::All);
    assert_eq!(end(&*table), Some((winner, code)));
    assert_eq!(end(&*open(&table.position(Eyes::All))), Some((winner, code)), "the text says the same");
    assert_eq!(table.list_plies(Eyes::All, 10).list, Vec::<String>::new());
}

/// Whoever spends his last piece loses when his turn comes; what the enemy does before that still counts.
#[rstest]
#[case::dies("G0=D F0=c", "b 0 bw 90", ["G0F0", "F0F1"], Some(Side::White), "no-move")]
#[case::dies_on_a_mine("C4=A F0=c", "b 0 w 90", ["C4B4", "F0F1"], Some(Side::White), "no-move")]
#[case::enters_headquarters("B3=C F0=c", "b 0 bw 90", ["B3A3", "F0F1"], Some(Side::White), "no-move")]
#[case::before_a_quiet_ply_too_many("B3=C F0=c", "b 29 bw 90", ["B3A3", "F0F1"], Some(Side::White), "no-move")]
#[case::the_enemy_takes_the_flag("B3=C K1=c", "b 0 bw 90", ["B3A3", "K1L1"], Some(Side::White), "flag-lost")]
#[case::the_enemy_spends_his_too("B3=C K3=c", "b 0 bw 90", ["B3A3", "K3L3"], None, "nobody-moves")]
fn a_spent_last_piece_loses_at_its_sides_turn(
    #[case] pieces: &str,
    #[case] state: &str,
    #[case] plies: [&str; 2],
    #[case] winner: Option<Side>,
    #[case] code: &str,
) {
    let mut table = open(&position(&format!("{pieces} A1=l L1=L K0=J B4=j"), state));
    for ply in plies {
        assert_eq!(end(&*table), None, "before {ply}");
        assert_eq!(end(&*open(&table.position(Eyes::All))), None, "the text says the same");
        play(&mut *table, ply, Eyes::All);
    }
    assert_eq!(end(&*table), Some((winner, code)));
    assert_eq!(end(&*open(&table.position(Eyes::All))), Some((winner, code)));
}

#[rstest]
#[case::shut_in_by_own_pieces("A0=c B0=j G0=C", "w", Some((Some(Side::Black), "no-move")))]
#[case::the_side_that_is_not_to_move("A0=c B0=j G0=C", "b", None)]
#[case::shut_in_but_for_an_enemy("A0=c B0=E G0=C", "w", None)]
#[case::both_shut_in("A0=c B0=j L0=C K0=J", "w", Some((None, "nobody-moves")))]
#[case::only_headquarters_left("A3=c G0=C", "w", Some((Some(Side::Black), "no-move")))]
fn no_legal_move_is_no_move(#[case] pieces: &str, #[case] side: &str, #[case] expected: Option<(Option<Side>, &str)>) {
    let plies = if side == "b" { 90 } else { 91 };
    let table = open(&position(&format!("{pieces} A1=l L1=L"), &format!("{side} 0 bw {plies}")));
    assert_eq!(end(&*table), expected);
}

#[test]
fn the_thirty_first_quiet_ply_loses_for_its_mover() {
    let mut table = start();
    play(&mut *table, SEED_ARRAY, seat(Side::Black));
    play(&mut *table, SEED_ARRAY, seat(Side::White));
    // H0 to the camp H1 and back, on both sides, in each player's own view.
    let there_and_back = ["H0H1", "H0H1", "H1H0", "H1H0"];
    for (number, ply) in (1..=31).zip(there_and_back.iter().cycle()) {
        assert_eq!(end(&*table), None, "before quiet ply {number}");
        let mover = table.to_move();
        let left = table.observe(mover).notes.iter().find(|note| note.key == "quiet-left").unwrap().value.clone();
        assert_eq!(left, (32 - number).to_string());
        play(&mut *table, ply, seat(mover));
    }
    assert_eq!(table.plies(), 33);
    // The odd plies are Red's, and so is the thirty-first.
    assert_eq!(end(&*table), Some((Some(Side::White), "no-contact")));
}

#[test]
fn contact_begins_the_run_anew() {
    let text = position("G0=C F0=d B1=D A4=g L1=L A1=l", "b 30 bw 90");
    let mut table = open(&text);
    play(&mut *table, "G0F0", Eyes::All);
    assert_eq!(end(&*table), None);
    assert_eq!(table.position(Eyes::All).split(' ').nth(2), Some("0"));
    for (number, ply) in (1..=31).zip(["A4B4", "F0F1", "B4A4", "F1F0"].iter().cycle()) {
        assert_eq!(end(&*table), None, "before quiet ply {number}");
        play(&mut *table, ply, Eyes::All);
    }
    assert_eq!(end(&*table), Some((Some(Side::Black), "no-contact")), "Black's ply was the thirty-first this time");
}

#[rstest]
#[case("steps=0", 30, None)]
#[case("steps=0", 80, None)]
#[case("steps=32", 30, None)]
#[case("steps=31", 30, Some((Some(Side::White), "no-contact")))]
#[case("", 29, None)]
#[case("steps=1", 0, Some((Some(Side::White), "no-contact")))]
fn the_length_of_the_run_is_an_option(
    #[case] variant: &str,
    #[case] quiet: u32,
    #[case] expected: Option<(Option<Side>, &str)>,
) {
    let mut table = open_with(variant, &position("G0=C F4=d L1=L A1=l", &format!("b {quiet} bw 90")));
    play(&mut *table, "G0G1", Eyes::All);
    assert_eq!(end(&*table), expected);
}

#[test]
fn the_option_has_a_range() {
    let error = games::find("junqi").unwrap().open(&read_pairs(["steps=10001"]).unwrap(), None).err().unwrap();
    assert_eq!(error.to_string(), "option steps=0..10000 is outside its range");
}

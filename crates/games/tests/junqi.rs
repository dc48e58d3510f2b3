//! Junqi's corners, each on a position made by hand.

use std::collections::{HashMap, HashSet};

use games::junqi::{Junqi, JunqiVariant, PIECES, Ply, Rank};
use games::view::{Figure, Ink, MarkKind, SpotKind};
use games::{Contact, End, Event, Eyes, Game as _, Side, Table, read_pairs};
use rstest::rstest;

/// The example of the protocol document.
const SEED_ARRAY: &str = "abccddeeffggghhhiiijjkklj";
const EMPTY: &str = "5/5/5/5/5/5/5/5/5/5/5/5";

/// A position text from pieces such as `G0=A f1=l`, in the referee's view, and its tail.
fn position(pieces: &str, tail: &str) -> String {
    let mut board = [[None; 5]; 12];
    for piece in pieces.split_whitespace() {
        let (square, letter) = piece.split_once('=').expect("square=letter");
        let (row, column) = (square.as_bytes()[0] - b'A', square.as_bytes()[1] - b'0');
        let place = &mut board[usize::from(row)][usize::from(column)];
        assert!(place.is_none(), "{piece} stands on another piece");
        *place = letter.chars().next();
    }
    let mut text = String::new();
    games::text::write_rows(&mut text, 5, 12, |x, y| board[y][x]);
    format!("{text} {tail}")
}

fn open(position: &str) -> Box<dyn Table> {
    open_with("", position)
}

fn open_with(variant: &str, position: &str) -> Box<dyn Table> {
    let variant = read_pairs(variant.split_whitespace()).expect("good options");
    games::find("junqi")
        .expect("registered")
        .open(&variant, Some(position))
        .unwrap_or_else(|error| panic!("{position}: {error}"))
}

fn start() -> Box<dyn Table> {
    open(&format!("{EMPTY} b 0 - 0"))
}

/// Winner and reason, or `None` while the game goes on.
fn end(table: &dyn Table) -> Option<(Option<Side>, &'static str)> {
    table.verdict().map(|verdict| {
        assert_eq!(verdict.ply, table.plies());
        (verdict.winner, verdict.reason.code)
    })
}

const fn seat(side: Side) -> Eyes {
    Eyes::Seat(side)
}

fn play(table: &mut dyn Table, ply: &str, eyes: Eyes) {
    let played = table.play(ply, eyes).unwrap_or_else(|fault| panic!("{ply}: {fault}"));
    assert_eq!(played.end, End::Played, "{ply}");
}

/// Where the piece on `from` may go, as these eyes write it.
fn targets(table: &dyn Table, from: &str, eyes: Eyes) -> String {
    let plies = table.list_plies(eyes, 1000);
    assert!(plies.complete);
    let mut targets: Vec<&str> = plies.list.iter().filter_map(|ply| ply.strip_prefix(from)).collect();
    targets.sort_unstable();
    targets.join(" ")
}

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

/// The flags, and one piece of each side that can always move, far from everything.
const REST: &str = "L1=L A1=l L4=G A4=g";

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
#[case::own_last_piece_dies("G0=D F0=c", "G0F0", Some(Side::White), "no-move")]
#[case::own_last_piece_dies_on_a_mine("C4=A F0=c", "C4B4", Some(Side::White), "no-move")]
#[case::last_pieces_die_together("G0=C F0=c", "G0F0", None, "nobody-moves")]
#[case::the_last_bomb_meets_the_last_piece("G0=K F0=a", "G0F0", None, "nobody-moves")]
#[case::own_last_piece_enters_headquarters("B3=C F0=c", "B3A3", Some(Side::White), "no-move")]
#[case::shut_in_by_pieces_in_camps(SHUTTING_IN, "E1D2", Some(Side::Black), "no-move")]
#[case::takes_the_flag("B1=C F0=c H0=D", "B1A1", Some(Side::Black), "flag-lost")]
#[case::takes_the_flag_with_the_last_piece("B1=C F0=c", "B1A1", Some(Side::White), "no-move")]
#[case::blows_up_the_flag_with_the_last_bomb("B1=K F0=c", "B1A1", Some(Side::White), "no-move")]
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

#[rstest]
#[case::shut_in_by_own_pieces("A0=c B0=j G0=C", "w", Some((Some(Side::Black), "no-move")))]
#[case::the_side_that_is_not_to_move("A0=c B0=j G0=C", "b", Some((Some(Side::Black), "no-move")))]
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

// ---- the set-up

#[rstest]
#[case::the_example_of_the_protocol(SEED_ARRAY, None)]
#[case::capitals("ABCCDDEEFFGGGHHHIIIJJKKLJ", None)]
#[case::flag_in_the_other_headquarters("abccddeeffggghhhiiijjlkkj", None)]
#[case::flag_between_headquarters("abccddeeffggghhhiiijjklkj", Some("set-up-flag"))]
#[case::flag_in_the_corner("abccddeeffggghhhiiijlkkjj", Some("set-up-flag"))]
#[case::flag_in_the_first_row("lbccddeeffggghhhiiijjkkaj", Some("set-up-flag"))]
#[case::mine_in_the_fourth_row("abccddeeffggghjhiiihjkklj", Some("set-up-mine"))]
#[case::mine_in_the_first_row("jbccddeeffggghhhiiiajkklj", Some("set-up-mine"))]
#[case::bomb_in_the_first_row("kbccddeeffggghhhiiijjkalj", Some("set-up-bomb"))]
#[case::bomb_at_the_end_of_the_first_row("abcckdeeffggghhhiiijjdklj", Some("set-up-bomb"))]
#[case::bomb_in_the_second_row("abccdkeeffggghhhiiijjdklj", None)]
#[case::two_commanders("aaccddeeffggghhhiiijjkklj", Some("set-up-count"))]
#[case::no_flag("abccddeeffggghhhiiijjkkjj", Some("set-up-count"))]
#[case::four_engineers("abccddeeffggghhiiiijjkklj", Some("set-up-count"))]
#[case::all_the_same("aaaaaaaaaaaaaaaaaaaaaaaaa", Some("set-up-count"))]
#[case::mines_everywhere_on_the_last_rows("abccddeeffggghhhiijjjkkli", None)]
fn set_ups_are_judged(#[case] array: &str, #[case] lost: Option<&str>, #[values(Side::Black, Side::White)] side: Side) {
    let mut table = start();
    if side == Side::White {
        play(&mut *table, SEED_ARRAY, seat(Side::Black));
    }
    let before = table.position(Eyes::All);
    let played = table.play(array, seat(side)).unwrap();
    assert_eq!(played.mover, side);
    match (lost, played.end) {
        (None, End::Played) => assert_eq!(end(&*table), None),
        (Some(code), End::Lost(reason)) => {
            assert_eq!(reason.code, code);
            assert_eq!(end(&*table), Some((Some(side.other()), code)));
            // It never came onto the board; the text alone still tells who lost.
            let text = table.position(Eyes::All);
            assert_eq!(text.split(' ').next(), before.split(' ').next());
            assert_eq!(end(&*open(&text)), Some((Some(side.other()), "bad-set-up")));
        }
        (_, end) => panic!("{array} is judged {end:?}"),
    }
    assert!(table.undo());
    assert_eq!(table.position(Eyes::All), before);
}

#[rstest]
#[case::too_short("abccddeeffggghhhiiijjkkl", "malformed")]
#[case::too_long("abccddeeffggghhhiiijjkkljj", "malformed")]
#[case::a_letter_too_far("abccddeeffggghhhiiijjkkmj", "malformed")]
#[case::a_digit("abccddeeffggghhhiiijjkk1j", "malformed")]
#[case::a_blank("abccddeeffggghhhiiijjkk j", "malformed")]
#[case::not_ascii("abccddeeffggghhhiiijjkké", "malformed")]
#[case::a_move("G0F0", "set-up-first")]
fn texts_that_are_no_set_up(#[case] text: &str, #[case] code: &str) {
    let mut table = start();
    assert_eq!(table.play(text, seat(Side::Black)).unwrap_err().reason.code, code);
    assert_eq!(table.plies(), 0);
}

#[test]
fn set_ups_stand_where_their_players_see_them() {
    let mut table = start();
    play(&mut *table, " abccddeeffggghhhiiijjkklj ", seat(Side::Black));
    assert_eq!(table.position(Eyes::All), "5/5/5/5/5/5/ABCCD/D1E1E/FF1GG/G1H1H/HIIIJ/JKKLJ w 0 - 1");
    assert_eq!(table.learned(Side::Black), [Event::Ply { ply: SEED_ARRAY.into() }]);
    assert_eq!(table.learned(Side::White), [Event::HiddenPly]);
    assert_eq!(table.step(0, seat(Side::White)).unwrap().ply, None);
    play(&mut *table, SEED_ARRAY, seat(Side::White));
    assert_eq!(
        table.position(Eyes::All),
        "jlkkj/jiiih/h1h1g/gg1ff/e1e1d/dccba/ABCCD/D1E1E/FF1GG/G1H1H/HIIIJ/JKKLJ b 0 - 2"
    );
    // Each sees himself at the bottom, with his own letters, and only backs beyond.
    assert_eq!(
        table.observe(Side::Black).position,
        "?????/?????/?1?1?/??1??/?1?1?/?????/ABCCD/D1E1E/FF1GG/G1H1H/HIIIJ/JKKLJ b 0 - 2"
    );
    assert_eq!(
        table.observe(Side::White).position,
        "?????/?????/?1?1?/??1??/?1?1?/?????/abccd/d1e1e/ff1gg/g1h1h/hiiij/jkklj b 0 - 2"
    );
    assert_eq!(table.list_plies(seat(Side::White), 10).list, Vec::<String>::new(), "it is Red's turn");
}

#[test]
fn set_ups_are_counted_exactly() {
    // A count letter by letter, with the letters left as the memory: nothing in common with the formula.
    fn ways(slot: usize, left: &mut [u8; 12], known: &mut HashMap<[u8; 12], u64>) -> u64 {
        if slot == PIECES {
            return 1;
        }
        if let Some(&ways) = known.get(left) {
            return ways;
        }
        let mut total = 0;
        for rank in Rank::ALL {
            let allowed = match rank {
                Rank::Flag => slot == 21 || slot == 23,
                Rank::Mine => slot >= 15,
                Rank::Bomb => slot >= 5,
                _ => true,
            };
            if allowed && left[rank as usize] > 0 {
                left[rank as usize] -= 1;
                total += ways(slot + 1, left, known);
                left[rank as usize] += 1;
            }
        }
        known.insert(*left, total);
        total
    }
    let mut left = Rank::ALL.map(|rank| rank.count() as u8);
    let counted = ways(0, &mut left, &mut HashMap::new());
    assert_eq!(counted, 709_596_419_051_520_000);
    assert_eq!(start().count_legal(), counted);
}

#[test]
fn listed_and_random_set_ups_are_good_and_varied() {
    use rand::SeedableRng as _;
    let table = start();
    let listed = table.list_plies(Eyes::All, 50_000);
    assert!(!listed.complete);
    assert_eq!(listed.list.iter().collect::<HashSet<_>>().len(), 50_000);
    let position = Junqi::new(&JunqiVariant::default());
    let good = |text: &str| position.judge(position.read_ply(text).unwrap()) == Ok(End::Played);
    assert!(listed.list.iter().all(|text| good(text)));
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
    // Every rank comes to stand on every slot that is open to it.
    let mut seen = HashSet::new();
    for _ in 0..5000 {
        let text = table.random_ply(&mut rng).unwrap();
        assert!(good(&text), "{text}");
        seen.extend(text.chars().enumerate());
    }
    assert_eq!(seen.len(), 25 * 9 + 10 + 20 + 2);
}

// ---- views and what they hide

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

//! What a set-up may be, and where it stands.

use super::*;

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

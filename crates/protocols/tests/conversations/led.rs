//! The extension: engines that say they can be told an opening, at both ends.

use games::{Event, Eyes, Side};
use protocols::{Act, Clock, Order, Setup};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde_json::Value;

use crate::script::{RefereeScript, engine};

/// What both say in a script stands in the guide, line by line, in both languages.
#[track_caller]
fn stands_in_the_guide(script: &str) {
    let said = script.lines().map(str::trim).filter(|line| line.starts_with(['<', '>']));
    let talk = said.collect::<Vec<_>>().join("\n");
    for page in ["openings.md", "openings.zh-CN.md"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
        assert!(std::fs::read_to_string(path).unwrap().contains(&format!("```\n{talk}\n```")), "{page}:\n{talk}");
    }
}

/// Plays a script that stands in the guide.
#[track_caller]
fn play(game: &str, seat: Side, script: &str) {
    RefereeScript::new(game, seat).play(script);
    stands_in_the_guide(script);
}

#[test]
fn the_name_says_it_and_the_opening_takes_the_place_of_new() {
    play(
        "connect6",
        Side::Black,
        "! open
         > name?
         < name v2+openings
         = named v2
         = ready
         ! can-be-led
         = true
         ! begin-led
         > opening new black
         ! lead JJ@@
         > opening played JJ@@
         ! lead KKLL
         > opening move KKLL
         ! turn
         > opening go
         < move JKJL
         = ply JKJL
         ! play JKJL
         ! play AABB
         > move AABB",
    );
}

#[test]
fn who_waits_after_the_opening_is_told_the_next_move_as_ever() {
    RefereeScript::new("dots", Side::White).play(
        "! begin-led
         > opening new white
         ! lead AAA
         > opening move 1 AAA
         ! lead AAB
         > opening played 1 AAB
         ! play AAC
         > move 1 AAC
         ! turn
         < move 1 AAD
         = ply AAD",
    );
}

#[test]
fn a_second_game_in_the_process_asks_again_who_can_be_told() {
    RefereeScript::new("nogo", Side::Black).play(
        "! open
         > name?
         < name v2+openings
         = named v2
         = ready
         ! begin-led
         > opening new black
         ! lead AA
         > opening played AA
         ! again black
         > name?
         < name v2
         = named v2
         = ready
         ! can-be-led
         = false
         ! begin
         > new black",
    );
}

/// What was tried in vain is told to who tried, and where the other has played to nobody.
#[test]
fn phantom_go_tells_each_seat_what_its_own_eyes_know() {
    RefereeScript::new("phantom-go", Side::Black).play(
        "! begin-led
         > opening new black
         ! lead BA
         > opening played BA
         > accept
         ! lead AA
         > opening move go
         ! lead AA
         > opening played AA
         > opening refuse
         ! lead AB
         > opening played AB
         > accept
         > take 1 AA
         ! lead pass
         > opening move pass",
    );
    play(
        "phantom-go",
        Side::White,
        "! begin-led
         > opening new white
         ! lead BA
         > opening move go
         ! lead AA
         > opening played AA
         > accept
         ! lead AA
         ! lead AB
         > taked 1 AA
         > opening move go
         ! turn
         > opening go
         < move CC
         = ply CC
         ! play CC
         > accept",
    );
}

#[test]
fn junqi_tells_no_set_up_but_the_engines_own() {
    let (black, white) = ("abccddekffggghhhiiijjkelj", "abccddeeffggghhhiiijjkklj");
    let told = format!(
        "! open
         > INFO 1.0
         < NAME v2+openings
         = named v2
         = ready
         ! can-be-led
         = true
         ! begin-led
         ! lead {black}
         > OPENING START 0 1800 31
         > OPENING ARRAY {black}
         ! lead {white}
         ! lead G0F0
         > OPENING BESTMOVE G0F0
         > RESULT 1 00
         ! lead G0F0
         > OPENING GO F4G4 1 00
         ! lead G2F2
         > OPENING BESTMOVE G2F2
         > RESULT 2 00
         ! lead F0E0
         > OPENING GO G4H4 2 A1
         ! turn
         > GO 0000 0 A1
         < BESTMOVE H0G0
         = ply H0G0
         ! play H0G0
         > RESULT 3 A1"
    );
    play("junqi", Side::Black, &told);
    // Only Black's set-up is given: White chooses his own.
    RefereeScript::new("junqi", Side::White).play(&format!(
        "! begin-led
         ! lead {black}
         ! turn
         > START 1 1800 31
         < ARRAY {white}
         = ply {white}"
    ));
}

#[test]
fn tiaojia_says_it_in_a_debug_line_before_ok() {
    play(
        "tiaojia",
        Side::White,
        "! open
         > START 2
         < DEBUG +openings
         = debug +openings
         < OK
         = ready
         ! can-be-led
         = true
         ! begin-led
         ! lead 4 0 1
         > PLACE 4 0 1
         ! lead 2 0 0
         > OPENING 2 0 0
         ! play 4 1 1
         > PLACE 4 1 1
         ! turn
         > TURN",
    );
    RefereeScript::new("tiaojia", Side::Black).play(
        "! open
         > START 1
         < OK
         = ready
         < DEBUG +openings
         = debug +openings
         ! can-be-led
         = false",
    );
}

#[test]
fn our_players_take_note_and_do_not_answer() {
    engine(
        "phantom-go",
        &["CC"],
        "> name?
         < name scripted+openings
         > opening new black
         * new black
         > opening played BA
         > accept
         * learn BA
         > opening move go
         * learn hidden ply
         > opening played AA
         > opening refuse
         * learn refused AA
         > opening played AB
         > accept
         * learn AB
         > take 1 AA
         * learn captured AA
         > opening move pass
         * learn pass
         > opening go
         * think
         < move CC",
    );
}

/// The orders an engine gives its player that are not things learned.
fn others(orders: &[Order]) -> Vec<&Order> {
    orders.iter().filter(|order| !matches!(order, Order::Learn(_) | Order::New { .. })).collect()
}

/// Whatever the opening: through both ends a player learns exactly what its seat learned at the board, and says
/// nothing.
#[test]
fn a_player_behind_the_protocol_learns_what_its_seat_learned() {
    for game in ["amazons", "connect6", "nogo", "dots", "phantom-go", "surakarta", "junqi", "tiaojia"] {
        let listing = games::find(game).unwrap();
        let protocol = protocols::find(game, None).unwrap();
        for (seed, seat) in (0..40).flat_map(|seed| Side::BOTH.map(|seat| (seed, seat))) {
            let mut table = listing.open(&Value::Null, None).unwrap();
            let (game, clock) = (listing.facts().id, Clock::default());
            let setup = Setup { game, variant: table.variant(), seat, clock, memory: None, options: Value::Null };
            let mut end = protocol.referee_end(setup).unwrap();
            let mut brain = protocol.engine_end(game, "led");
            let (mut acts, mut orders) = (Vec::new(), Vec::new());
            // Handshake.
            end.open(&mut acts);
            deliver(&mut acts, brain.as_mut(), &mut orders);
            for order in orders.drain(..) {
                if let Order::Say(line) = order {
                    end.line(&line, &mut acts);
                }
            }
            assert!(end.can_be_led() && acts.contains(&Act::Ready), "{game}");
            acts.clear();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut learned: Vec<Event> = Vec::new();
            end.begin_led(&mut acts);
            for _ in 0..3 + seed % 20 {
                let Some(ply) = table.random_ply(&mut rng) else { break };
                let own = table.to_move() == seat;
                table.play(&ply, Eyes::All).unwrap();
                let events = table.learned(seat);
                end.lead(own, &events, &mut acts);
                learned.extend(events);
                if table.verdict().is_some() {
                    break;
                }
            }
            deliver(&mut acts, brain.as_mut(), &mut orders);
            let heard: Vec<Event> = orders
                .iter()
                .filter_map(|order| match order {
                    Order::Learn(event) => Some(event.clone()),
                    _ => None,
                })
                .collect();
            assert_eq!(heard, learned, "{game} {seat} {seed}");
            assert!(others(&orders).is_empty(), "{game}: {orders:?}");
            orders.clear();
            if table.to_move() == seat && table.verdict().is_none() {
                end.turn(Clock::default(), &mut acts);
                deliver(&mut acts, brain.as_mut(), &mut orders);
                assert!(matches!(orders[..], [Order::Think(_)]), "{game} {seat}: {orders:?}");
            }
        }
    }
}

/// Hands an engine's end what the referee's sends.
fn deliver(acts: &mut Vec<Act>, brain: &mut dyn protocols::EngineEnd, orders: &mut Vec<Order>) {
    for act in acts.drain(..) {
        if let Act::Send(lines) = act {
            assert!(lines.len() < 256, "the longest message of the seed");
            lines.split('\n').for_each(|line| brain.line(line, orders));
        }
    }
}

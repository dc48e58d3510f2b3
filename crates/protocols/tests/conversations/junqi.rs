//! Seed 002: Junqi 1.0. Both players' views of one game on a real board.

use std::time::Duration;

use games::Side;
use protocols::Clock;
use serde_json::{Value, json};

use crate::script::{RefereeScript, engine};

/// Black's set-up: the seed's own, with a bomb on H4 for the last engineer.
const BLACK: &str = "abccddekffggghhhiiijjkelj";
/// White's: the seed's own.
const WHITE: &str = "abccddeeffggghhhiiijjkklj";

#[test]
fn the_same_game_as_black_hears_it() {
    let clock = Clock { turn: None, left: Some(Duration::from_secs(1800)) };
    RefereeScript::with("junqi", Side::Black, &Value::Null, Value::Null, clock, None).play(&format!(
        "! open
         > INFO 1.0
         < NAME HarbinUniversityOfScienceAndTechnology
         = named HarbinUniversityOfScienceAndTechnology
         = ready
         ! begin
         ! turn
         > START 0 1800 31
         < ARRAY {BLACK}
         = ply {BLACK}
         ! play {BLACK}
         ! play {WHITE}
         ! turn
         > GO 0000 0 00
         < BESTMOVE G0F0
         = ply G0F0
         ! play G0F0
         > RESULT 1 00
         ! play G0F0
         > GO F4G4 1 00
         ! turn
         < BESTMOVE G2F2
         = ply G2F2
         ! play G2F2
         > RESULT 2 00
         ! play F0E0
         > GO G4H4 2 A1
         ! turn
         < BESTMOVE H0G0
         = ply H0G0
         ! play H0G0
         > RESULT 3 A1
         ! play H4G4
         > GO E0F0 0 A1
         ! turn
         ! over won
         > END 1"
    ));
}

#[test]
fn the_same_game_as_white_hears_it() {
    RefereeScript::new("junqi", Side::White).play(&format!(
        "! open
         > INFO 1.0
         < NAME second
         = named second
         = ready
         ! begin
         ! play {BLACK}
         ! turn
         > START 1 1800 31
         < ARRAY {WHITE}
         = ply {WHITE}
         ! play {WHITE}
         ! play G0F0
         > GO F4G4 1 00
         ! turn
         < BESTMOVE G0F0
         = ply G0F0
         ! play G0F0
         > RESULT 1 00
         ! play G2F2
         > GO F2G2 2 00
         ! turn
         < BESTMOVE F0E0
         = ply F0E0
         ! play F0E0
         > RESULT 2 00
         ! play H0G0
         > GO E4F4 3 00
         ! turn
         < BESTMOVE H4G4
         = ply H4G4
         ! play H4G4
         > RESULT 0 00
         ! over lost
         > END 0
         ! over aborted
         > END 2
         ! over drawn
         > END 2"
    ));
}

#[test]
fn a_name_may_come_bare_and_a_zero_as_the_letter_o() {
    RefereeScript::new("junqi", Side::Black).play(&format!(
        "! open
         > INFO 1.0
         < 哈尔滨理工大学
         = named 哈尔滨理工大学
         = ready
         ! turn
         > START 0 1800 31
         < thinking
         = noise thinking
         < {WHITE}
         = ply {WHITE}
         ! play {WHITE}
         ! play {WHITE}
         < BESTMOVE G0F0
         = out of turn BESTMOVE G0F0
         ! turn
         > GO 0000 0 00
         < BESTMOVE GOF0
         = ply G0F0
         ! play G0F0
         > RESULT 1 00"
    ));
}

#[test]
fn the_clock_and_the_steps_are_told_and_deployed_engines_hear_information() {
    let clock = Clock { turn: None, left: Some(Duration::from_secs(900)) };
    let options = json!({ "information": true });
    RefereeScript::with("junqi", Side::Black, &json!({ "steps": 40 }), options, clock, None).play(
        "! open
         > INFORMATION 1.0
         < NAME x
         = named x
         = ready
         ! turn
         > START 0 900 40",
    );
}

#[test]
fn another_game_begins_with_info_again() {
    RefereeScript::new("junqi", Side::Black).play(&format!(
        "! open
         > INFO 1.0
         < NAME x
         = named x
         = ready
         ! turn
         > START 0 1800 31
         < ARRAY {WHITE}
         = ply {WHITE}
         ! over aborted
         > END 2
         ! again white
         > INFO 1.0
         < NAME x
         = named x
         = ready
         ! play {WHITE}
         ! turn
         > START 1 1800 31"
    ));
}

#[test]
fn the_seeds_example_at_the_engines_end() {
    engine(
        "junqi",
        &["abccddeeffggghhhiiijjkklj", "G0F0", "F0E0", "G4F4"],
        "> INFO 1.0
         < NAME scripted+openings
         > START 0 1800 31
         * new black {\"steps\":31}
         * think left 1800000
         < ARRAY abccddeeffggghhhiiijjkklj
         * learn abccddeeffggghhhiiijjkklj
         > GO 0000 0 00
         * learn hidden ply
         * think left 1800000
         < BESTMOVE G0F0
         > RESULT 0 00
         * learn G0F0
         * learn contact lost
         > GO F4G4 1 00
         * learn F4G4
         * learn contact won
         * think left 1800000
         < BESTMOVE F0E0
         > RESULT 2 A1
         * learn F0E0
         * learn contact both
         * learn flag at A1
         > GO E4F4 3 A1
         * learn E4F4
         * learn contact nobody
         * learn flag at A1
         * think left 1800000
         < BESTMOVE G4F4
         > END 1
         * leaves",
    );
}

#[test]
fn the_second_player_sets_up_after_the_first() {
    engine(
        "junqi",
        &["abccddeeffggghhhiiijjkklj", "G0F0"],
        "> INFORMATION 1.0
         < NAME scripted+openings
         > START 1 900 31
         * new white {\"steps\":31}
         * learn hidden ply
         * think left 900000
         < ARRAY abccddeeffggghhhiiijjkklj
         * learn abccddeeffggghhhiiijjkklj
         > GO F4G4 1 00
         * learn F4G4
         * learn contact won
         * think left 900000
         < BESTMOVE G0F0",
    );
}

//! Seed 004: the Tiaojia course.

use games::Side;
use protocols::Clock;
use serde_json::Value;

use crate::script::{RefereeScript, engine};

#[test]
fn black_is_asked_right_after_ok() {
    RefereeScript::new("tiaojia", Side::Black).play(
        "! open
         > START 1
         ! awaits
         = ready
         < OK
         = ready
         ! begin
         ! turn
         > TURN
         < DEBUG Hello World!
         = debug Hello World!
         < 4 0 1
         = ply 4 0 1
         ! play 4 0 1
         ! play 2 0 0
         > PLACE 2 0 0
         ! turn
         > TURN
         < 4 1 1
         = ply 4 1 1
         ! play 4 1 1
         ! over won
         > END 1
         < DEBUG thank you
         = debug thank you
         ! close",
    );
}

#[test]
fn white_is_placed_first_and_turn_does_not_follow_the_end() {
    RefereeScript::new("tiaojia", Side::White).play(
        "! open
         > START 2
         < OK
         = ready
         ! begin
         ! play 4 0 1
         > PLACE 4 0 1
         ! turn
         > TURN
         < 2 0 0
         = ply 2 0 0
         ! play 2 0 0
         ! play 4 1 1
         > PLACE 4 1 1
         ! over lost
         > END 2",
    );
    RefereeScript::new("tiaojia", Side::White).play("! over drawn\n > END 0\n ! over aborted\n > END 0");
}

#[test]
fn speaking_out_of_turn_loses() {
    RefereeScript::new("tiaojia", Side::Black).play(
        "! open
         > START 1
         < OK
         = ready
         < I am ready
         = out of turn I am ready
         = foul out-of-turn",
    );
    RefereeScript::new("tiaojia", Side::Black).play(
        "! open
         > START 1
         < OK
         = ready
         ! turn
         > TURN
         < 4 0 1
         = ply 4 0 1
         < 4 1 1
         = out of turn 4 1 1
         = foul out-of-turn",
    );
}

#[test]
fn a_malformed_answer_loses() {
    for answer in ["4 0", "4 0 1 2", "move 4 0 1", "4,0,1", "four 0 1", "(4 0 1)"] {
        RefereeScript::new("tiaojia", Side::Black)
            .play("! turn\n > TURN")
            .play(&format!("< {answer}\n = noise {answer}\n = foul malformed-answer"));
    }
    RefereeScript::new("tiaojia", Side::Black)
        .play("! open\n > START 1\n < READY\n = noise READY\n = foul malformed-answer");
    // Numbers that name no stone are the rules' matter, and there is no second try.
    RefereeScript::new("tiaojia", Side::Black)
        .play("! turn\n > TURN\n < 9 9 9\n = ply 9 9 9\n ! illegal 9 9 9\n = off-board never");
}

#[test]
fn empty_lines_are_no_answers() {
    RefereeScript::new("tiaojia", Side::Black).play("! turn\n > TURN").play("<\n < 4 0 1\n = ply 4 0 1");
}

#[test]
fn a_debug_message_is_cut_at_16_kib_and_a_games_at_32() {
    let long = "x".repeat(20 << 10);
    let mut black = RefereeScript::new("tiaojia", Side::Black);
    black.play(&format!("< DEBUG {long}\n = debug of 16384 bytes\n < DEBUG {long}\n = debug of 16384 bytes"));
    black.play("< DEBUG one byte too many");
    // It stays allowed to say it.
    black.play("! turn\n > TURN\n < DEBUG again\n < 4 0 1\n = ply 4 0 1");
}

#[test]
fn the_limit_of_the_start_is_the_seeds() {
    use std::time::Duration;
    let limit = |options: Value| {
        let setup = protocols::Setup {
            game: "tiaojia",
            variant: Value::Null,
            seat: Side::Black,
            clock: Clock::default(),
            memory: None,
            options,
        };
        protocols::find("tiaojia", None).unwrap().referee_end(setup).unwrap().start_limit()
    };
    assert_eq!(limit(Value::Null), Some(Duration::from_secs(52)));
    assert_eq!(limit(serde_json::json!({ "start_limit": 2 })), Some(Duration::from_secs(2)));
}

#[test]
fn the_engine_answers_turn_and_nothing_else() {
    engine(
        "tiaojia",
        &["2 0 0", "2 1 0"],
        "> START 2
         * new white
         < DEBUG scripted
         < DEBUG +openings
         < OK
         > PLACE 4 0 1
         * learn 4 0 1
         > TURN
         * think turn 2000 memory 367001600
         < 2 0 0
         * learn 2 0 0
         > PLACE 4 1 1
         * learn 4 1 1
         > TURN
         * think turn 2000 memory 367001600
         < 2 1 0
         * learn 2 1 0
         > END 1
         * leaves",
    );
}

//! Seed 001: Gomocup.

use std::time::Duration;

use games::Side;
use protocols::Clock;
use serde_json::{Value, json};

use crate::script::{RefereeScript, engine};

/// A referee's end that goes straight from START to the game, as the seed's log does.
pub(crate) fn plain(seat: Side, variant: &Value) -> RefereeScript {
    RefereeScript::with("gomoku", seat, variant, json!({ "about": false }), Clock::default(), None)
}

#[test]
fn the_log_of_the_seed() {
    let clock = Clock { turn: Some(Duration::from_secs(5)), left: Some(Duration::from_secs(180)) };
    let options = json!({ "about": false, "game_type": 0, "folder": "D:\\AI" });
    let mut white =
        RefereeScript::with("gomoku", Side::White, &json!({ "size": 20 }), options, clock, Some(83_886_080));
    // The log has all INFO after OK, where it is said once more, and `time_left` before `folder`; their order means
    // nothing.
    white.play(
        "! open
         > INFO game_type 0
         > INFO rule 0
         > INFO timeout_match 180000
         > INFO timeout_turn 5000
         > INFO max_memory 83886080
         > INFO folder D:\\AI
         > START 20
         = timer 2000 ms
         ! awaits
         = ready
         < OK
         = ready
         > INFO game_type 0
         > INFO rule 0
         > INFO timeout_match 180000
         > INFO timeout_turn 5000
         > INFO folder D:\\AI
         ! awaits
         = nothing
         ! begin
         ! play 12,6
         ! turn 179955
         > INFO time_left 179955
         > TURN 12,6
         < 11,5
         = ply 11,5
         ! play 11,5
         ! play 7,3
         ! turn 179930
         > INFO time_left 179930
         > TURN 7,3
         < 7,2
         = ply 7,2
         ! play 7,2
         ! play 7,6
         ! turn 179890
         > INFO time_left 179890
         > TURN 7,6
         < 7,7
         = ply 7,7
         ! play 7,7
         ! over drawn
         ! close
         > END",
    );
}

#[test]
fn the_log_of_the_seed_at_the_engines_end() {
    engine(
        "gomoku",
        &["11,5", "7,2", "7,7"],
        "> START 20
         < OK
         > INFO max_memory 83886080
         > INFO timeout_match 180000
         > INFO timeout_turn 5000
         > INFO game_type 0
         > INFO rule 0
         > INFO time_left 179955
         > INFO folder D:\\AI
         > TURN 12,6
         * new white {\"width\":20,\"height\":20,\"rule\":0,\"opening\":\"none\"}
         * learn 12,6
         * think turn 5000 left 179955 memory 83886080
         < 11,5
         * learn 11,5
         > INFO time_left 179930
         > TURN 7,3
         * learn 7,3
         * think turn 5000 left 179930 memory 83886080
         < 7,2
         * learn 7,2
         > INFO time_left 179890
         > TURN 7,6
         * learn 7,6
         * think turn 5000 left 179890 memory 83886080
         < 7,7
         * learn 7,7
         > END
         * leaves",
    );
}

#[test]
fn black_begins_and_no_limit_is_a_large_number() {
    plain(Side::Black, &Value::Null).play(
        "! begin
         ! turn
         > INFO time_left 2147483647
         > BEGIN
         < DEBUG The most promising move now is [10,14] alfa=10025 beta=8641
         = debug The most promising move now is [10,14] alfa=10025 beta=8641
         < MESSAGE I will be the winner
         = message I will be the winner
         < 10,10
         = ply 10,10
         ! play 10,10
         < 10,11
         = out of turn 10,11",
    );
    engine(
        "gomoku",
        &["10,10"],
        "> START 20
         < OK
         > INFO time_left 2147483647
         > BEGIN
         * new black {\"width\":20,\"height\":20,\"rule\":0,\"opening\":\"none\"}
         * think
         < 10,10
         * learn 10,10",
    );
}

#[test]
fn coordinates_come_spaced_and_suggested() {
    plain(Side::Black, &Value::Null).play(
        "! turn
         > INFO time_left 2147483647
         > BEGIN
         < SUGGEST 10,10
         > PLAY 10,10
         ! awaits
         = ply
         < 10, 10
         = ply 10,10",
    );
    engine(
        "gomoku",
        &["10,10"],
        "> START 20
         < OK
         > BEGIN
         * new black {\"width\":20,\"height\":20,\"rule\":0,\"opening\":\"none\"}
         * think
         < 10,10
         * learn 10,10
         > PLAY 12,10
         < 12,10
         * learn 12,10",
    );
}

#[test]
fn about_may_stay_unanswered() {
    RefereeScript::new("gomoku", Side::Black).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > ABOUT
         = timer 1000 ms
         ! awaits
         = calm
         ! timer
         ! awaits
         = nothing
         < name=\"SomeBrain\", version=\"1.0\", author=\"Nymand\", country=\"USA\"
         = named SomeBrain",
    );
    RefereeScript::new("gomoku", Side::Black).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > ABOUT
         = timer 1000 ms
         < name=\"SomeBrain\", version=\"1.0\", author=\"Nymand\", country=\"USA\"
         = named SomeBrain
         ! awaits
         = nothing
         ! over won
         ! again white
         > RESTART
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > ABOUT
         = timer 1000 ms
         < ERROR no more names
         = complaint ERROR no more names
         ! awaits
         = nothing",
    );
    // Who was silent is not asked again.
    RefereeScript::new("gomoku", Side::Black).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > ABOUT
         = timer 1000 ms
         ! timer
         ! over won
         ! again white
         > RESTART
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647",
    );
    engine(
        "gomoku",
        &[],
        "> ABOUT
         < name=\"scripted\", version=\"0.1.0\", author=\"boyi\", country=\"CN\"",
    );
}

#[test]
fn a_start_that_was_lost_is_sent_once_more() {
    plain(Side::Black, &Value::Null).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         < ERROR unsupported size or other error
         = complaint ERROR unsupported size or other error
         > START 20
         = timer 2000 ms
         < ERROR unsupported size or other error
         = complaint ERROR unsupported size or other error
         ! timer
         ! awaits
         = ready",
    );
    // What came with it was lost too, so everything is said again.
    plain(Side::Black, &Value::Null).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         ! timer
         > START 20
         = timer 2000 ms
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0",
    );
}

/// A brain that knows no INFO before START says so; its START is not lost.
#[test]
fn a_brain_that_did_not_hear_of_its_memory_is_told_again() {
    plain(Side::Black, &Value::Null).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 20
         = timer 2000 ms
         < ERROR INFO before START
         = complaint ERROR INFO before START
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0",
    );
}

#[test]
fn what_is_no_point_is_skipped_while_a_move_is_due() {
    // The rest of a MESSAGE whose depth byte was a line feed, and other lines that are no move.
    plain(Side::Black, &Value::Null).play(
        "! begin
         ! turn
         > INFO time_left 2147483647
         > BEGIN
         < -12 ev 45 pv 7,7
         = unreadable -12 ev 45 pv 7,7
         < 7,7 8,8 9,9
         = unreadable 7,7 8,8 9,9
         < ,
         = unreadable ,
         < hello
         = unreadable hello
         ! awaits
         = ply
         < 99,99
         = ply 99,99",
    );
}

#[test]
fn rectangular_boards_have_their_own_start() {
    plain(Side::Black, &json!({ "width": 20, "height": 15 })).play(
        "! open
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > RECTSTART 20,15
         = timer 2000 ms
         < OK - parameters are good
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647",
    );
    engine(
        "gomoku",
        &["3,14"],
        "> RECTSTART 20,15
         < OK
         > BEGIN
         * new black {\"width\":20,\"height\":15,\"rule\":0,\"opening\":\"none\"}
         * think
         < 3,14
         * learn 3,14
         > RECTSTART 30,20
         < ERROR the board must be 5 to 22 wide and high",
    );
}

#[test]
fn a_game_in_progress_is_told_with_board() {
    let mut black = plain(Side::Black, &Value::Null);
    black.play("! play 10,10\n ! play 10,11\n ! play 11,11\n ! play 9,10");
    black.play(
        "! turn
         > INFO time_left 2147483647
         > BOARD
         > 10,10,1
         > 10,11,2
         > 11,11,1
         > 9,10,2
         > DONE
         < 9,9
         = ply 9,9
         ! play 9,9
         ! play 1,1
         ! turn
         > INFO time_left 2147483647
         > TURN 1,1",
    );
    engine(
        "gomoku",
        &["9,9"],
        "> START 20
         < OK
         > BOARD
         > 10,10,1
         > 10,11,2
         > 11,11,1
         > 9,10,2
         > DONE
         * new black {\"width\":20,\"height\":20,\"rule\":0,\"opening\":\"none\"} at 20/20/20/20/20/20/20/20/20/20/9wb9/10wb8/20/20/20/20/20/20/20/20 b 4
         * think
         < 9,9
         * learn 9,9",
    );
}

#[test]
fn odd_times_and_sizes_are_understood() {
    engine(
        "gomoku",
        &["1,1", "2,2", "3,3"],
        "> start 15 12
         < OK
         > INFO timeout_turn 1000000000
         > INFO timeout_match 1000000000
         > INFO time_left 1000000000
         > BEGIN
         * new black {\"width\":15,\"height\":12,\"rule\":0,\"opening\":\"none\"}
         * think
         < 1,1
         * learn 1,1
         > INFO timeout_turn 0
         > INFO timeout_match 60000
         > INFO time_left -20
         > TURN 5,5
         * learn 5,5
         * think turn 1 left 1
         < 2,2
         * learn 2,2
         > INFO time_left 0
         > TURN 6,6
         * learn 6,6
         * think turn 1 left 1
         < 3,3
         * learn 3,3",
    );
}

#[test]
fn complaints_about_info_change_nothing() {
    plain(Side::White, &Value::Null).play(
        "! begin
         < UNKNOWN INFO game_type
         = complaint UNKNOWN INFO game_type
         < ERROR memory
         = complaint ERROR memory
         ! play 9,9
         ! turn
         > INFO time_left 2147483647
         > TURN 9,9
         < UNKNOWN command
         = complaint UNKNOWN command
         ! awaits
         = ply
         < 8,8
         = ply 8,8",
    );
}

#[test]
fn renju_is_told_as_rule_and_as_forbidden_check() {
    plain(Side::Black, &json!({ "rule": 4 })).play(
        "! open
         > INFO game_type 1
         > INFO rule 4
         > INFO fb_check 1
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         > INFO max_memory 0
         > START 15
         = timer 2000 ms",
    );
    engine(
        "gomoku",
        &["7,7"],
        "> START 15
         < OK
         > INFO rule 0
         > INFO fb_check 1
         > BEGIN
         * new black {\"width\":15,\"height\":15,\"rule\":4,\"opening\":\"none\"}
         * think
         < 7,7
         * learn 7,7",
    );
    // Another game in the same process may be another game.
    engine(
        "gomoku",
        &["7,7", "8,8"],
        "> START 15
         < OK
         > INFO rule 4
         > BEGIN
         * new black {\"width\":15,\"height\":15,\"rule\":4,\"opening\":\"none\"}
         * think
         < 7,7
         * learn 7,7
         > RESTART
         < OK
         > INFO rule 1
         > BEGIN
         * new black {\"width\":15,\"height\":15,\"rule\":1,\"opening\":\"none\"}
         * think
         < 8,8
         * learn 8,8",
    );
}

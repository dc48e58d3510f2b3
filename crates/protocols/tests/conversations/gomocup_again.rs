//! Gomocup, where a game does not simply go on: another one in the same brain, and plies that are taken back.

use games::Side;
use serde_json::{Value, json};

use crate::gomocup::plain;
use crate::script::{RefereeScript, engine};

#[test]
fn restart_with_ok_and_with_unknown() {
    plain(Side::Black, &Value::Null).play(
        "! over won
         ! again white
         > RESTART
         ! awaits
         = ready
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647",
    );
    plain(Side::Black, &Value::Null).play(
        "! over won
         ! again white
         > RESTART
         < UNKNOWN command RESTART
         = reload
         ! close
         > END",
    );
    engine(
        "gomoku",
        &["5,5", "6,6"],
        "> START 15
         < OK
         > BEGIN
         * new black {\"width\":15,\"height\":15,\"rule\":0,\"opening\":\"none\"}
         * think
         < 5,5
         * learn 5,5
         > RESTART
         < OK
         > TURN 5,5
         * new white {\"width\":15,\"height\":15,\"rule\":0,\"opening\":\"none\"}
         * learn 5,5
         * think
         < 6,6
         * learn 6,6
         > SOMETHING new
         < UNKNOWN SOMETHING",
    );
}

/// A game of three plies, White to move, out of which two are taken back.
fn taken_back() -> RefereeScript {
    let mut white = plain(Side::White, &Value::Null);
    white.play(
        "! play 9,9
         ! turn
         > INFO time_left 2147483647
         > TURN 9,9
         < 9,10
         = ply 9,10
         ! play 9,10
         ! take-back 2
         > TAKEBACK 9,10
         > TAKEBACK 9,9
         = taken back: true",
    );
    white
}

#[test]
fn takeback_with_ok_and_with_unknown() {
    taken_back().play(
        "< OK
         < OK
         ! play 8,8
         ! turn
         > INFO time_left 2147483647
         > TURN 8,8",
    );
    // A brain that cannot take back is shown the board anew.
    taken_back().play(
        "< UNKNOWN TAKEBACK
         = complaint UNKNOWN TAKEBACK
         < UNKNOWN TAKEBACK
         = complaint UNKNOWN TAKEBACK
         > START 20
         = timer 2000 ms
         ! awaits
         = ready
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         ! play 8,8
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 8,8,2
         > DONE
         < 9,9
         = ply 9,9",
    );
    engine(
        "gomoku",
        &["9,10"],
        "> START 20
         < OK
         > TURN 9,9
         * new white {\"width\":20,\"height\":20,\"rule\":0,\"opening\":\"none\"}
         * learn 9,9
         * think
         < 9,10
         * learn 9,10
         > TAKEBACK 9,10
         * forget
         < OK
         > TAKEBACK 3,3
         < UNKNOWN TAKEBACK",
    );
    // One that says nothing may have the stones still, and the first ply of all is no reason to believe otherwise.
    taken_back().play(
        "! awaits
         = ready
         ! play 8,8
         ! turn
         > INFO time_left 2147483647
         > START 20
         > BOARD
         > 8,8,2
         > DONE",
    );
}

#[test]
fn a_stone_of_the_board_is_not_taken_back() {
    engine(
        "gomoku",
        &["9,9"],
        "> START 15
         < OK
         > BOARD
         > 7,7,2
         > 8,8,1
         > 7,8,2
         > DONE
         * new white {\"width\":15,\"height\":15,\"rule\":0,\"opening\":\"none\"} at 15/15/15/15/15/15/15/7b7/7bw6/15/15/15/15/15/15 w 3
         * think
         < 9,9
         * learn 9,9
         > TAKEBACK 9,9
         * forget
         < OK
         > TAKEBACK 7,8
         < UNKNOWN TAKEBACK",
    );
}

#[test]
fn dead_lines_of_a_game_that_goes_on_are_nobodys_threat() {
    engine(
        "gomoku",
        &["0,1"],
        "> START 7
         < OK
         > INFO rule 2
         > BOARD
         > 0,0,3
         > 1,0,3
         > 2,0,3
         > 3,0,3
         > 4,0,3
         > 3,3,1
         > 4,4,2
         > DONE
         * new black {\"width\":7,\"height\":7,\"rule\":2,\"opening\":\"none\"} at WWWWW2/7/7/3b3/4w2/7/7 b 2 0-1
         * think
         < 0,1
         * learn 0,1",
    );
    let table =
        games::find("gomoku").unwrap().open(&json!({ "size": 7, "rule": 2 }), Some("WWWWW2/7/7/3b3/4w2/7/7 b 2 0-1"));
    assert!(table.is_ok_and(|table| table.verdict().is_none()));
}

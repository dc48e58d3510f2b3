//! The three stages of Gomocup's SWAP2BOARD, with both outcomes.

use games::Side;
use serde_json::json;

use crate::gomocup::plain;
use crate::script::{RefereeScript, engine};

fn swap2(seat: Side) -> RefereeScript {
    plain(seat, &json!({ "size": 15, "opening": "swap2" }))
}

#[test]
fn swap2_stage_one_three_stones_then_the_other_swaps() {
    swap2(Side::Black).play(
        "! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > DONE
         < 7,7 8,7 9,9
         = ply 7,7+8,7+9,9
         ! play 7,7+8,7+9,9
         ! play swap
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 7,7,2
         > 8,7,1
         > 9,9,2
         > DONE
         < 6,6
         = ply 6,6
         ! play 6,6
         ! play 5,5
         ! turn
         > INFO time_left 2147483647
         > TURN 5,5",
    );
}

#[test]
fn swap2_has_no_word_for_taking_back() {
    swap2(Side::Black).play(
        "! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > DONE
         < 7,7 8,7 9,9
         = ply 7,7+8,7+9,9
         ! play 7,7+8,7+9,9
         ! play swap
         ! take-back 2
         > START 15
         = timer 2000 ms
         = taken back: true
         < OK
         = ready
         > INFO game_type 1
         > INFO rule 0
         > INFO timeout_match 0
         > INFO timeout_turn 2147483647
         ! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > DONE",
    );
}

#[test]
fn swap2_stage_two_swaps_stays_or_puts_two() {
    let stage_two = "! play 7,7+8,7+9,9
         ! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > DONE";
    swap2(Side::White).play(stage_two).play(
        "< SWAP
         = ply swap
         ! play swap
         ! play 6,6
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 7,7,1
         > 8,7,2
         > 9,9,1
         > 6,6,2
         > DONE",
    );
    swap2(Side::White).play(stage_two).play(
        "< 6,6
         = ply 6,6
         ! play 6,6
         ! play 5,5
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 7,7,2
         > 8,7,1
         > 9,9,2
         > 6,6,1
         > 5,5,2
         > DONE",
    );
    swap2(Side::White).play(stage_two).play("< 6,6 5,5\n = ply 6,6+5,5\n ! play 6,6+5,5");
}

#[test]
fn swap2_stage_three_swaps_or_stays() {
    let stage_three = "! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > DONE
         < 7,7 8,7 9,9
         = ply 7,7+8,7+9,9
         ! play 7,7+8,7+9,9
         ! play 6,6+5,5
         ! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > 6,6
         > 5,5
         > DONE";
    swap2(Side::Black).play(stage_three).play(
        "< SWAP
         = ply swap
         ! play swap
         ! play 4,4
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 7,7,1
         > 8,7,2
         > 9,9,1
         > 6,6,2
         > 5,5,1
         > 4,4,2
         > DONE",
    );
    swap2(Side::Black).play(stage_three).play(
        "< 4,4
         = ply 4,4
         ! play 4,4
         ! play 3,3
         ! turn
         > INFO time_left 2147483647
         > BOARD
         > 7,7,2
         > 8,7,1
         > 9,9,2
         > 6,6,1
         > 5,5,2
         > 4,4,1
         > 3,3,2
         > DONE",
    );
}

#[test]
fn swap2_at_the_engines_end() {
    let new = "{\"width\":15,\"height\":15,\"rule\":0,\"opening\":\"swap2\"}";
    engine(
        "gomoku",
        &["7,7+8,7+9,9", "swap", "6,6+5,5", "swap"],
        &format!(
            "> START 15
             < OK
             > SWAP2BOARD
             > DONE
             * new black {new}
             * think
             < 7,7 8,7 9,9
             * learn 7,7+8,7+9,9
             > RESTART
             < OK
             > SWAP2BOARD
             > 7,7
             > 8,7
             > 9,9
             > DONE
             * new white {new}
             * learn 7,7+8,7+9,9
             * think
             < SWAP
             * learn swap
             > RESTART
             < OK
             > SWAP2BOARD
             > 7,7
             > 8,7
             > 9,9
             > DONE
             * new white {new}
             * learn 7,7+8,7+9,9
             * think
             < 6,6 5,5
             * learn 6,6+5,5
             > RESTART
             < OK
             > SWAP2BOARD
             > 7,7
             > 8,7
             > 9,9
             > 6,6
             > 5,5
             > DONE
             * new black {new}
             * learn 7,7+8,7+9,9
             * learn 6,6+5,5
             * think
             < SWAP
             * learn swap"
        ),
    );
}

/// The strongest public brain reads SWAP2BOARD as it reads BOARD: 1 is its own colour, that of the side to move.
#[test]
fn swap2_with_colours_for_brains_that_want_them() {
    let (variant, options) = (json!({ "size": 15, "opening": "swap2" }), json!({ "swap2_colours": true }));
    let mut white = RefereeScript::with("gomoku", Side::White, &variant, options, protocols::Clock::default(), None);
    white.play(
        "! play 7,7+8,7+9,9
         ! turn
         > INFO time_left 2147483647
         > SWAP2BOARD
         > 7,7,2
         > 8,7,1
         > 9,9,2
         > DONE
         < 6,6 5,5
         = ply 6,6+5,5",
    );
}

//! Seed 000: the SAU platform.

use games::Side;
use protocols::Clock;
use serde_json::{Value, json};

use crate::script::{RefereeScript, engine};

#[test]
fn connect6_opens_with_one_stone() {
    RefereeScript::new("connect6", Side::Black).play(
        "! open
         > name?
         ! awaits
         = ready
         < name xxxx
         = named xxxx
         = ready
         ! begin
         > new black
         ! turn
         ! awaits
         = ply
         < move JJ@@
         = ply JJ@@
         ! play JJ@@
         ! awaits
         = nothing
         ! play KKLL
         > move KKLL
         ! turn
         < move JKJL
         = ply JKJL
         ! play JKJL
         ! over won
         > end
         ! close
         > quit
         < Quit!
         = noise Quit!",
    );
}

#[test]
fn white_is_told_the_opening_as_it_was_written() {
    RefereeScript::new("connect6", Side::White).play(
        "! open
         > name?
         < name xxxx
         = named xxxx
         = ready
         ! begin
         > new white
         > name?
         = timer 1000 ms
         < move AABB
         = out of turn move AABB
         ! play JJ@@
         > move JJ@@
         ! turn
         < thinking about 3 lines
         = noise thinking about 3 lines
         < move KKLL
         = ply KKLL
         ! play KKLL
         ! over lost
         > end",
    );
}

#[test]
fn the_connect6_engine_answers_as_the_example_framework_does() {
    engine(
        "connect6",
        &["JJ@@", "JKJL", "JKJM"],
        "> name?
         < name scripted+openings
         > new black
         * new black
         * think
         < move JJ@@
         * learn JJ@@
         > move KKLL
         * learn KKLL
         * think
         < move JKJL
         * learn JKJL
         > error
         * forget
         * think
         < move JKJM
         * learn JKJM
         > end
         > quit
         * leaves",
    );
}

#[test]
fn phantom_go_for_black() {
    RefereeScript::new("phantom-go", Side::Black).play(
        "! open
         > name?
         < name phantom
         = named phantom
         = ready
         ! begin
         > new black
         ! turn
         < move BA
         = ply BA
         ! play BA
         > accept
         ! play AA
         > move go
         ! turn
         < move AA
         = ply AA
         ! play AA
         > refuse
         ! turn
         < move AB
         = ply AB
         ! play AB
         > accept
         > take 1 AA
         ! play pass
         > move pass
         ! turn
         < move pass
         = ply pass
         ! play pass
         ! over won
         > end",
    );
}

#[test]
fn phantom_go_for_white() {
    // What Black tried in vain is not White's to know; `taked` is followed by `move go` at once.
    RefereeScript::new("phantom-go", Side::White).play(
        "! open
         > name?
         < name phantom
         = named phantom
         = ready
         ! begin
         > new white
         > name?
         = timer 1000 ms
         ! play BA
         > move go
         ! turn
         < move AA
         = ply AA
         ! play AA
         > accept
         ! play AA
         ! play AB
         > taked 1 AA
         > move go
         ! turn
         < move pass
         = ply pass
         ! play pass
         ! play EE
         > move go
         ! turn
         < move JA
         = ply JA
         ! illegal JA
         > error
         = off-board again
         < move CC
         = ply CC
         ! play CC
         > accept",
    );
}

#[test]
fn some_phantom_go_engines_wait_for_the_misprint() {
    let options = json!({ "access": true });
    RefereeScript::with("phantom-go", Side::Black, &Value::Null, options, Clock::default(), None).play(
        "! begin
         > new black
         ! turn
         < move BA
         = ply BA
         ! play BA
         > access",
    );
}

#[test]
fn the_phantom_go_engine_learns_what_it_is_told() {
    engine(
        "phantom-go",
        &["BA", "AA", "AB", "pass", "CC"],
        "> new black
         * new black
         * think
         < move BA
         > accept
         * learn BA
         > move go
         * learn hidden ply
         * think
         < move AA
         > refuse
         * learn refused AA
         * think
         < move AB
         > accept
         * learn AB
         > take 1 AA
         * learn captured AA
         > move pass
         * learn pass
         * think
         < move pass
         * learn pass
         > taked 2 ABBA
         * learn lost AB BA
         > move go
         * learn hidden ply
         * think
         < move CC
         > end",
    );
}

#[test]
fn dots_writes_the_number_of_lines_in_front() {
    RefereeScript::new("dots", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play AAA
         > move 1 AAA
         ! turn
         < move 1 ABA
         = ply ABA
         ! play ABA
         ! play BAA
         > move 1 BAA
         ! turn
         < move 2 BBAACA
         = ply BBAACA
         ! play BBAACA",
    );
    RefereeScript::new("dots", Side::Black).play(
        "! begin
         > new black
         ! turn
         < move 1 AAA
         = ply AAA
         ! play AAA
         ! play ABA
         > move 1 ABA
         ! turn
         < move 1 BAA
         = ply BAA
         ! play BAA
         ! play BBAACA
         > move 2 BBAACA",
    );
    engine(
        "dots",
        &["ABA", "BBAACA"],
        "> new white
         * new white
         > move 1 AAA
         * learn AAA
         * think
         < move 1 ABA
         * learn ABA
         > move 1 BAA
         * learn BAA
         * think
         < move 2 BBAACA
         * learn BBAACA",
    );
}

#[test]
fn an_illegal_move_is_answered_with_error_and_may_be_mended() {
    let mut white = RefereeScript::new("nogo", Side::White);
    white.play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play EE
         > move EE
         ! turn
         < move EE
         = ply EE
         ! illegal EE
         > error
         = occupied again
         ! awaits
         = ply
         < move FF
         = ply FF
         ! play FF
         ! play DD
         > move DD
         ! turn",
    );
    // The engine that never learns has lost after the third.
    white.play(
        "< move EE
         = ply EE
         ! illegal EE
         > error
         = occupied again
         < move EE
         = ply EE
         ! illegal EE
         > error
         = occupied again
         < move EE
         = ply EE
         ! illegal EE
         = occupied never",
    );
}

#[test]
fn amazons_and_surakarta_write_their_points_in_a_row() {
    RefereeScript::new("amazons", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play DJDIDH
         > move DJDIDH
         ! turn
         < move DADBDC
         = ply DADBDC
         ! play DADBDC",
    );
    RefereeScript::new("surakarta", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play ABAC
         > move ABAC
         ! turn
         < move AEAD
         = ply AEAD
         ! play AEAD",
    );
}

#[test]
fn end_names_the_winner_where_it_is_wanted() {
    let end_winner = |seat| {
        let options = json!({ "end_winner": true });
        RefereeScript::with("nogo", seat, &Value::Null, options, Clock::default(), None)
    };
    end_winner(Side::Black).play("! over won\n > end black\n ! over lost\n > end white\n ! over drawn\n > end");
    end_winner(Side::White).play("! over won\n > end white\n ! over lost\n > end black\n ! over aborted\n > end");
    RefereeScript::new("nogo", Side::Black).play("! over won\n > end");
    engine(
        "nogo",
        &["AA"],
        "> new black\n * new black\n * think\n < move AA\n * learn AA\n > end black\n > quit\n * leaves",
    );
}

#[test]
fn another_game_in_the_same_process_asks_for_the_name_so_that_a_belated_answer_is_told_apart() {
    RefereeScript::new("nogo", Side::Black).play(
        "! open
         > name?
         < name once
         = named once
         = ready
         ! begin
         > new black
         ! turn
         < move EE
         = ply EE
         ! play EE
         ! over drawn
         > end
         ! again white
         > name?
         < move AA
         = out of turn move AA
         < name once
         = named once
         = ready
         ! begin
         > new white
         > name?
         = timer 1000 ms
         ! play EE
         > move EE
         ! turn
         < move FF
         = ply FF",
    );
}

#[test]
fn the_loser_may_still_answer_after_the_end() {
    RefereeScript::new("nogo", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play EE
         > move EE
         ! over lost
         > end
         < move FF
         = out of turn move FF",
    );
}

#[test]
fn white_is_calm_before_the_first_clock_starts() {
    let mut white = RefereeScript::new("nogo", Side::White);
    white.play(
        "! open
         > name?
         < name X
         = named X
         = ready
         ! awaits
         = nothing
         ! begin
         > new white
         > name?
         = timer 1000 ms
         ! awaits
         = calm
         < name X
         ! awaits
         = nothing",
    );
    // One that says nothing plays all the same, and its name is no noise when it comes late.
    RefereeScript::new("nogo", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! timer
         ! awaits
         = nothing
         ! play EE
         > move EE
         ! turn
         < move DE
         = ply DE",
    );
    RefereeScript::new("nogo", Side::White).play(
        "! begin
         > new white
         > name?
         = timer 1000 ms
         ! play EE
         > move EE
         ! turn
         < name X
         < move DE
         = ply DE",
    );
}

#[test]
fn an_unreadable_move_is_skipped_and_an_illegal_one_is_not() {
    RefereeScript::new("nogo", Side::Black).play(
        "! begin
         > new black
         ! turn
         < thinking about it
         = noise thinking about it
         < now move ordering
         = unreadable now move ordering
         < move A1
         = unreadable move A1
         ! awaits
         = ply
         < move ?! move ZZ
         = ply ZZ",
    );
}

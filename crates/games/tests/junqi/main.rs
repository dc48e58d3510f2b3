//! Junqi's corners, each on a position made by hand.

mod play;
mod set_ups;
mod views;

use std::collections::{HashMap, HashSet};

use games::junqi::{Junqi, JunqiVariant, PIECES, Ply, Rank};
use games::view::{Figure, Ink, MarkKind, SpotKind};
use games::{Contact, End, Event, Eyes, Game as _, Side, Table, read_pairs};
use rstest::rstest;

/// The example of the protocol document.
const SEED_ARRAY: &str = "abccddeeffggghhhiiijjkklj";
const EMPTY: &str = "5/5/5/5/5/5/5/5/5/5/5/5";

/// The flags, and one piece of each side that can always move, far from everything.
const REST: &str = "L1=L A1=l L4=G A4=g";

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

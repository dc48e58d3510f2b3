//! Choosing without looking ahead.

use games::random::below;
use games::{End, Eyes, Side, Table};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::lines;
use crate::memory::Memory;

/// More plies than this are not all looked at.
const MOST_LOOKED_AT: usize = 400;
/// Random plies tried before a refused one is given up on.
const TRIES: usize = 200;

/// Games in which it is good when the opponent has few plies, and counting them is cheap.
const MOBILITY_MATTERS: [&str; 4] = ["amazons", "nogo", "surakarta", "tiaojia"];

/// Any legal ply that was not refused, in the seat's notation.
pub(crate) fn any(table: &dyn Table, memory: &dyn Memory, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
    (0..TRIES)
        .map_while(|_| table.random_ply(rng))
        .find(|ply| !memory.was_refused(ply))
        .and_then(|ply| in_own_notation(table, &ply, memory.seat()))
}

/// The legal ply that looks best, in the seat's notation.
pub(crate) fn best(table: &dyn Table, memory: &dyn Memory, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
    if let Some(ply) = lines::best(table, rng) {
        return Some(ply);
    }
    let seat = memory.seat();
    let mut candidates = table.list_plies(Eyes::All, MOST_LOOKED_AT + 1).list;
    if candidates.len() > MOST_LOOKED_AT {
        candidates = (0..MOST_LOOKED_AT).map_while(|_| table.random_ply(rng)).collect();
    }
    let mut chosen: Option<(i64, String)> = None;
    for ply in candidates.into_iter().filter(|ply| !memory.was_refused(ply)) {
        let mut child = table.fork();
        if child.play(&ply, Eyes::All).is_err() {
            continue;
        }
        let score = value(child.as_ref(), seat) * 16 + i64::from(below(rng, 16));
        if chosen.as_ref().is_none_or(|(best, _)| score > *best) {
            chosen = Some((score, ply));
        }
    }
    chosen.and_then(|(_, ply)| in_own_notation(table, &ply, seat))
}

/// What a position is worth to a seat, at a glance.
fn value(table: &dyn Table, seat: Side) -> i64 {
    const WIN: i64 = 1 << 40;
    if let Some(verdict) = table.verdict() {
        return verdict.winner.map_or(0, |winner| if winner == seat { WIN } else { -WIN });
    }
    let facts = table.facts();
    let text = table.position(Eyes::All);
    let mut value = 1000 * material(facts.id, &text, seat);
    if MOBILITY_MATTERS.contains(&facts.id) {
        let plies = table.count_legal() as i64;
        value += if table.to_move() == seat { plies } else { -plies };
    }
    value
}

/// Own pieces less the enemy's, read off the position text; in Phantom Go a pass is worth less than a stone.
fn material(game: &str, text: &str, seat: Side) -> i64 {
    // Dots keeps its owners in the third field; elsewhere pieces are in the first.
    let field = text.split_whitespace().nth(if game == "dots" { 2 } else { 0 }).unwrap_or_default();
    let count = |side: Side| {
        let owns = |letter: char| match game {
            "junqi" => letter.is_alphabetic() && letter.is_uppercase() == (side == Side::Black),
            _ => letter == side.letter(),
        };
        field.chars().filter(|&letter| owns(letter)).count() as i64
    };
    count(seat) - count(seat.other())
}

/// A legal ply given in the referee's notation, as the seat writes it.
fn in_own_notation(table: &dyn Table, ply: &str, seat: Side) -> Option<String> {
    let mut fork = table.fork();
    let played = fork.play(ply, Eyes::All).ok()?;
    debug_assert_eq!(played.end, End::Played);
    fork.step(fork.steps() - 1, Eyes::Seat(seat))?.ply
}

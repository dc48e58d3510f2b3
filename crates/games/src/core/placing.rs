//! Plies that lead to a position, for those who can be told plies only.

use std::collections::HashMap;

use super::{Eyes, Side, Table};

/// More plies than this no start is looked through for.
const MOST_PLIES: usize = 2000;

/// Plies that put the pieces of `goal` on the board of `start` one by one, for games in which that can be done.
#[must_use]
pub fn plies_to(start: &dyn Table, goal: &dyn Table) -> Option<Vec<String>> {
    let pieces = |table: &dyn Table| {
        let mut pieces: Vec<(u16, Option<Side>)> =
            table.still(Eyes::All).scene.pieces.iter().map(|piece| (piece.spot, piece.side)).collect();
        pieces.sort_unstable_by_key(|(spot, side)| (*spot, side.map(Side::index)));
        pieces
    };
    let mut ply_at: HashMap<u16, String> = HashMap::new();
    for ply in start.list_plies(Eyes::All, MOST_PLIES).list {
        let mut table = start.fork();
        if table.play(&ply, Eyes::All).is_ok()
            && let [spot] = table.still(Eyes::All).last[..]
        {
            ply_at.insert(spot, ply);
        }
    }
    let wanted = pieces(goal);
    let mut left = Side::BOTH.map(|side| wanted.iter().filter(move |(_, of)| *of == Some(side)).map(|(spot, _)| spot));
    let (mut table, mut plies) = (start.fork(), Vec::new());
    while let Some(spot) = left[table.to_move().index()].next() {
        let ply = ply_at.get(spot)?.clone();
        table.play(&ply, Eyes::All).ok()?;
        plies.push(ply);
    }
    (pieces(table.as_ref()) == wanted && table.to_move() == goal.to_move()).then_some(plies)
}

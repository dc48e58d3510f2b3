//! Counting the plies of a game tree, and playing at random to the end.

use std::ops::ControlFlow;

use rand::Rng;

use super::game::Game;
use super::verdict::{End, Verdict};

/// How many sequences of `depth` legal plies there are; the last ply is counted, not made.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        2 => position.count_replies(),
        _ => {
            // The walker needs the position while plies are made on another: one clone for the whole level, then
            // make and take back.
            let mut child = position.clone();
            let mut leaves = 0;
            let _ = position.visit_legal(|ply| {
                let memo = child.apply(ply, End::Played);
                leaves += perft(&mut child, depth - 1);
                child.undo(memo);
                ControlFlow::Continue(())
            });
            leaves
        }
    }
}

/// [`perft`] split by the first ply.
pub fn divide<G: Game>(position: &G, depth: u32, mut each: impl FnMut(G::Ply, u64)) {
    let mut child = position.clone();
    let _ = position.visit_legal(|ply| {
        let memo = child.apply(ply, End::Played);
        each(ply, perft(&mut child, depth.saturating_sub(1)));
        child.undo(memo);
        ControlFlow::Continue(())
    });
}

/// Plays random legal plies until the game ends or `most` were played.
pub fn playout<G: Game, R: Rng + ?Sized>(position: &mut G, rng: &mut R, most: u32) -> Option<Verdict> {
    for _ in 0..most {
        // No ply is legal after the end, so there is no need to ask for the verdict at every ply.
        let Some(ply) = position.random_ply(rng) else { break };
        position.apply(ply, End::Played);
    }
    position.verdict()
}

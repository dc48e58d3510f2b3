//! Looking ahead in one imagined world, where everything is known.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use games::junqi::{CAMPS, HEADQUARTERS, Junqi, Ply, Rank, STATIONS, contact, reach};
use games::{Contact, End, Game as _, Side};

use crate::kit::Budget;

/// A won game.
pub(super) const WIN: i32 = 6000;
/// The clock is looked at once in so many positions.
const CLOCK_EVERY: u64 = 256;
/// Contacts in a row that are looked at where the search ends.
const SETTLE: i32 = 4;
const DEEPEST: usize = 16;

/// What pieces are worth, 司令 to 军旗.
const WORTH: [i32; 12] = [420, 310, 210, 150, 105, 75, 50, 35, 70, 60, 150, 0];

/// How many moves a piece needs from one station to another on an empty board.
static DISTANCES: LazyLock<[[u8; STATIONS]; STATIONS]> = LazyLock::new(|| {
    std::array::from_fn(|start| {
        let mut distances = [u8::MAX; STATIONS];
        let (mut front, mut reached) = (1_u64 << start, 0_u64);
        for distance in 0.. {
            reached |= front;
            let mut next = 0;
            for station in stations(front) {
                distances[station] = distance;
                // Nobody leaves headquarters, but the way is counted from there backwards.
                if station == start || HEADQUARTERS >> station & 1 == 0 {
                    next |= reach(station, false, 0);
                }
            }
            front = next & !reached;
            if front == 0 {
                break;
            }
        }
        distances
    })
});

fn stations(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let station = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (station < STATIONS).then_some(station)
    })
}

/// A search in one world.
pub(super) struct Search {
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    lists: Vec<Vec<(i32, Ply)>>,
}

impl Search {
    pub(super) fn new() -> Self {
        Self { nodes: 0, stopped: false, lists: (0..DEEPEST).map(|_| Vec::new()).collect() }
    }

    /// What a position is worth to the side to move, so many plies deep.
    pub(super) fn look(&mut self, game: &Junqi, depth: i32, ply: usize, alpha: i32, beta: i32, budget: &Budget) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) || self.nodes >= budget.nodes() {
            self.stopped |= budget.is_over(self.nodes);
        }
        if self.stopped {
            return alpha;
        }
        if let Some(verdict) = game.verdict() {
            let soon = WIN - ply as i32;
            return verdict.winner.map_or(0, |winner| if winner == game.to_move() { soon } else { -soon });
        }
        let mut best = -WIN;
        let settling = depth <= 0;
        if settling {
            best = value(game);
            if best >= beta || depth <= -SETTLE || ply + 1 >= DEEPEST {
                return best;
            }
        }
        let mut low = alpha.max(best);
        let mut plies = std::mem::take(&mut self.lists[ply]);
        plies.clear();
        let _ = game.visit_legal(|ply| {
            let promise = promise(game, ply);
            // Where the search ends only contacts that gain something are looked at.
            if !settling || promise > 0 {
                plies.push((promise, ply));
            }
            ControlFlow::Continue(())
        });
        for index in 0..plies.len() {
            if let Some(better) = (index..plies.len()).max_by_key(|&place| plies[place].0) {
                plies.swap(index, better);
            }
            let mut child = *game;
            child.apply(plies[index].1, End::Played);
            let value = -self.look(&child, depth - 1, ply + 1, -beta, -low, budget);
            if self.stopped {
                break;
            }
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        self.lists[ply] = plies;
        best
    }
}

/// What a ply gains at once.
pub(super) fn promise(game: &Junqi, ply: Ply) -> i32 {
    let Ply::Move { from, to } = ply else { return 0 };
    let (Some((_, attacker)), Some((_, defender))) = (game.piece_at(usize::from(from)), game.piece_at(usize::from(to)))
    else {
        return 0;
    };
    if defender == Rank::Flag {
        return WIN;
    }
    let (own, other) = (WORTH[attacker as usize], WORTH[defender as usize]);
    match contact(attacker, defender) {
        Contact::Won => other,
        Contact::Both => other - own,
        Contact::Lost | Contact::Nobody => -own,
    }
}

/// What a position is worth to the side to move.
pub(super) fn value(game: &Junqi) -> i32 {
    let mover = game.to_move();
    let mut value = side_value(game, mover) - side_value(game, mover.other());
    // The run of plies without contact: whoever would complete it must find a contact before.
    let (quiet, steps) = (game.quiet() as i32, game.steps() as i32);
    if steps > 0 && quiet * 3 > steps {
        let part = quiet * 3 - steps;
        let pressure = 100 * part * part / (4 * steps * steps);
        let own = (steps - quiet) % 2 == 1;
        let hooked = if own { mover } else { mover.other() };
        // Half-way through, having nobody in reach is the real danger.
        let stranded = quiet * 2 > steps && !has_contact(game, hooked);
        let pressure = pressure + if stranded { 12 * (quiet - steps / 2) } else { 0 };
        value += if own { -pressure } else { pressure };
    }
    value
}

/// Whether a side could attack anybody.
fn has_contact(game: &Junqi, side: Side) -> bool {
    let enemy = game.pieces(side.other());
    let occupied = game.pieces(side) | enemy;
    stations(game.pieces(side) & !HEADQUARTERS).any(|from| {
        game.piece_at(from).is_some_and(|(_, rank)| {
            !matches!(rank, Rank::Mine | Rank::Flag)
                && reach(from, rank == Rank::Engineer, occupied) & enemy & !CAMPS != 0
        })
    })
}

fn side_value(game: &Junqi, side: Side) -> i32 {
    let flag = game.of_rank(side.other(), Rank::Flag).trailing_zeros() as usize;
    let distances = DISTANCES.get(flag);
    let mut value = 0;
    let mut fighters = 0;
    for rank in Rank::ALL {
        let standing = game.of_rank(side, rank);
        value += WORTH[rank as usize] * standing.count_ones() as i32;
        if matches!(rank, Rank::Mine | Rank::Flag) {
            continue;
        }
        // Never to move again.
        value -= WORTH[rank as usize] / 2 * (standing & HEADQUARTERS).count_ones() as i32;
        let eager = match rank {
            Rank::Bomb => 4,
            Rank::Commander | Rank::Engineer | Rank::Lieutenant => 8,
            _ => 12,
        };
        for station in stations(standing & !HEADQUARTERS) {
            fighters += 1;
            let distance = distances.map_or(8, |distances| i32::from(distances[station].min(8)));
            value += (8 - distance) * eager;
        }
    }
    // The last pieces that can move are worth the game.
    value
        + match fighters {
            0 => -400,
            1 => -150,
            2 => -60,
            _ => 0,
        }
}

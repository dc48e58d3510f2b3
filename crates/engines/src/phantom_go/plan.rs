//! What a seat's record says about where the enemy can have played, before any world is tried.
//!
//! An enemy stone stays until this seat captures it, and captures are told point by point. So the story of a point falls
//! into stretches between the seat's own stones and captures there, and in each stretch the enemy has played there never, once, or
//! perhaps once.

use games::goban::{around, bit, points};

use super::record::{BOARD, Entry, Record};

/// The enemy has put a stone on `point` with one of his stones `first..=last`, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) point: u8,
    pub(super) first: u32,
    pub(super) last: u32,
    /// Whether there is no other explanation; a refused point may also have been a suicide.
    pub(super) certain: bool,
}

/// Where each of the enemy's stones can have been put.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// For each stone the points that are not ruled out.
    pub(super) allowed: Vec<u128>,
    /// Points that must have got a stone in time.
    pub(super) needs: Vec<Need>,
}

/// A refusal whose meaning is not known yet.
struct Refusal {
    point: u8,
    first: u32,
    stones: u32,
    /// Neighbours that were not the seat's own, with the start of their stretch.
    neighbours: Vec<(u8, u32)>,
}

impl Plan {
    /// Everything that follows from a record.
    pub(super) fn of(record: &Record) -> Self {
        let count = record.enemy_stones();
        let mut plan = Self { allowed: vec![BOARD; count as usize], needs: Vec::new() };
        let mut own = record.start[record.seat.index()];
        // Enemy stones that were there from the start.
        let mut known = record.start[record.seat.other().index()];
        let mut since = [0_u32; 128];
        let mut stones = 0;
        let mut refusals: Vec<Refusal> = Vec::new();
        plan.forbid(own | known, 0, count);
        for entry in &record.entries {
            match *entry {
                Entry::Own { stone, captured } => {
                    for point in points(captured) {
                        if known & bit(point) != 0 {
                            plan.allow(bit(point), stones, count);
                        } else {
                            plan.need(point, since[usize::from(point)], stones, true);
                        }
                        known &= !bit(point);
                        refusals.retain(|refusal| refusal.point != point || plan.explained(refusal));
                        since[usize::from(point)] = stones;
                    }
                    for point in points(stone) {
                        // Nothing was there: whatever was refused there before was not for a stone.
                        plan.forbid(stone, since[usize::from(point)], count);
                        for refusal in refusals.extract_if(.., |refusal| refusal.point == point) {
                            for (neighbour, first) in refusal.neighbours {
                                plan.need(neighbour, first, refusal.stones, false);
                            }
                        }
                    }
                    own |= stone;
                }
                Entry::Refused { point } => {
                    if known & bit(point) == 0 {
                        let open = around(bit(point)) & BOARD & !own & !known;
                        let first = since[usize::from(point)];
                        let neighbours = points(open).map(|point| (point, since[usize::from(point)])).collect();
                        refusals.push(Refusal { point, first, stones, neighbours });
                    }
                }
                Entry::Enemy { lost } => {
                    stones += 1;
                    if lost != 0 {
                        let liberties = around(lost) & BOARD & !own & !known;
                        plan.allowed[stones as usize - 1] &= liberties;
                        for point in points(liberties) {
                            plan.need(point, since[usize::from(point)], stones, true);
                        }
                        own &= !lost;
                        plan.allow(lost, stones, count);
                        points(lost).for_each(|point| since[usize::from(point)] = stones);
                    }
                }
                Entry::Pass => {}
            }
        }
        for refusal in refusals {
            plan.need(refusal.point, refusal.first, refusal.stones, false);
        }
        plan
    }

    fn forbid(&mut self, set: u128, first: u32, end: u32) {
        self.allowed[first as usize..end as usize].iter_mut().for_each(|allowed| *allowed &= !set);
    }

    fn allow(&mut self, set: u128, first: u32, end: u32) {
        self.allowed[first as usize..end as usize].iter_mut().for_each(|allowed| *allowed |= set);
    }

    /// One of the stones `first..end` is on `point`.
    fn need(&mut self, point: u8, first: u32, end: u32, certain: bool) {
        let Some(last) = end.checked_sub(1).filter(|&last| last >= first) else { return };
        match self.needs.iter_mut().find(|need| (need.point, need.first) == (point, first)) {
            Some(need) if certain || !need.certain => {
                let last = if certain == need.certain { need.last.min(last) } else { last };
                *need = Need { point, first, last, certain };
            }
            Some(_) => {}
            None => self.needs.push(Need { point, first, last, certain }),
        }
    }

    /// Keeps a refusal of a stretch that ended with a capture as a need of its own; never to be looked at again.
    fn explained(&mut self, refusal: &Refusal) -> bool {
        self.need(refusal.point, refusal.first, refusal.stones, false);
        false
    }

    /// Whether these stones of the enemy's agree with everything that is certain.
    pub(super) fn admits(&self, hidden: &[u8]) -> bool {
        let allowed = hidden.iter().zip(&self.allowed).all(|(&point, allowed)| allowed & bit(point) != 0);
        let needed = self.needs.iter().filter(|need| need.certain).all(|need| {
            hidden.get(need.first as usize..=need.last as usize).is_some_and(|stones| stones.contains(&need.point))
        });
        allowed && needed
    }
}

//! Everything a seat has learned, in order.

use games::goban::{self, around, bit};
use games::phantom_go::{PhantomGo, PhantomGoVariant, Turn};
use games::{Event, Game as _, Side};

/// The points of the board.
pub(super) const BOARD: u128 = goban::board(goban::MOST);

/// One ply or one refusal. Sets are sets of the [`goban`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// The seat put a stone and captured these.
    Own { stone: u128, captured: u128 },
    /// The seat's try on a point was refused.
    Refused { point: u8 },
    /// The enemy put a stone somewhere and captured these.
    Enemy { lost: u128 },
    /// Somebody passed.
    Pass,
}

/// The record of a seat.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) seat: Side,
    pub(super) variant: PhantomGoVariant,
    pub(super) opening: PhantomGo,
    /// The stones of the opening.
    pub(super) start: [u128; 2],
    pub(super) entries: Vec<Entry>,
    /// The seat's stones now.
    pub(super) own: u128,
    pub(super) to_move: Side,
    /// The points refused since the seat's turn began.
    pub(super) refused: u128,
    /// Stones of the seat that the coming enemy ply has taken: a loss is told before the ply.
    losing: u128,
}

impl Record {
    pub(super) fn new(variant: PhantomGoVariant, opening: PhantomGo, seat: Side) -> Self {
        let start = Side::BOTH.map(|side| opening.stones(side));
        let (own, to_move) = (start[seat.index()], opening.to_move());
        Self { seat, variant, opening, start, entries: Vec::new(), own, to_move, refused: 0, losing: 0 }
    }

    /// Plies played.
    pub(super) fn plies(&self) -> u32 {
        let played = self.entries.iter().filter(|entry| !matches!(entry, Entry::Refused { .. })).count();
        self.opening.plies() + played as u32
    }

    /// How many stones the enemy has put.
    pub(super) fn enemy_stones(&self) -> u32 {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Enemy { .. })).count() as u32
    }

    /// The points where the seat has met a stone of the enemy's that it has not captured since, and how many stones the enemy
    /// has. What was refused for another reason is taken for a stone too.
    pub(super) fn met(&self) -> (u128, u32) {
        let mut met = self.start[self.seat.other().index()];
        let mut count = met.count_ones();
        for entry in &self.entries {
            match *entry {
                Entry::Own { stone, captured } => {
                    met &= !(stone | captured);
                    count = count.saturating_sub(captured.count_ones());
                }
                Entry::Refused { point } => met |= bit(point),
                Entry::Enemy { .. } => count += 1,
                Entry::Pass => {}
            }
        }
        (met & !self.own, count)
    }

    /// Whether the last ply was a pass.
    pub(super) fn was_passed(&self) -> bool {
        self.entries.iter().rfind(|entry| !matches!(entry, Entry::Refused { .. })) == Some(&Entry::Pass)
    }

    pub(super) fn learn(&mut self, event: &Event) {
        let read = |text: &str| match self.opening.read_ply(text) {
            Ok(Turn::Stone(point)) => bit(point),
            _ => 0,
        };
        let set = |texts: &[String]| texts.iter().fold(0, |set, text| set | read(text));
        match event {
            Event::Ply { ply } => match read(ply) {
                0 => self.turn(Entry::Pass),
                stone => {
                    self.own |= stone;
                    self.turn(Entry::Own { stone, captured: 0 });
                }
            },
            Event::HiddenPly => {
                let lost = std::mem::take(&mut self.losing);
                self.own &= !lost;
                self.turn(Entry::Enemy { lost });
            }
            Event::Refused { ply } => {
                let stone = read(ply);
                if stone != 0 {
                    self.refused |= stone;
                    self.entries.push(Entry::Refused { point: stone.trailing_zeros() as u8 });
                }
            }
            Event::Captured { points } => {
                let taken = set(points);
                if let Some(Entry::Own { captured, .. }) = self.entries.last_mut() {
                    *captured = taken;
                }
            }
            Event::Lost { points } => self.losing = set(points),
            Event::Contact { .. } | Event::FlagShown { .. } => {}
        }
    }

    fn turn(&mut self, entry: Entry) {
        self.entries.push(entry);
        self.to_move = self.to_move.other();
        self.refused = 0;
    }

    /// Takes the last ply back, with what was refused after it. Stones that were captured with it come back.
    pub(super) fn forget(&mut self) {
        while let Some(entry) = self.entries.pop() {
            match entry {
                Entry::Refused { .. } => continue,
                Entry::Own { stone, .. } => self.own &= !stone,
                Entry::Enemy { lost } => self.own |= lost,
                Entry::Pass => {}
            }
            self.to_move = self.to_move.other();
            break;
        }
        self.refused = 0;
        for entry in self.entries.iter().rev() {
            let Entry::Refused { point } = entry else { break };
            self.refused |= bit(*point);
        }
    }

    /// Points of the seat's own that the enemy cannot enter without capturing: all neighbours its own, and at the most
    /// one diagonal neighbour not (none at the edge).
    pub(super) fn eyes(&self) -> u128 {
        goban::points(BOARD & !self.own)
            .filter(|&point| is_eye(bit(point), self.own))
            .fold(0, |set, point| set | bit(point))
    }
}

/// Whether a point is an eye of these stones.
#[inline]
pub(super) fn is_eye(point: u128, stones: u128) -> bool {
    if around(point) & BOARD & !stones != 0 {
        return false;
    }
    let diagonals = (point << (goban::STRIDE + 1) | point << (goban::STRIDE - 1))
        | (point >> (goban::STRIDE + 1) | point >> (goban::STRIDE - 1));
    let diagonals = diagonals & BOARD;
    let missing = (diagonals & !stones).count_ones();
    missing == 0 || missing == 1 && diagonals.count_ones() == 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_that_was_met_is_remembered_until_it_is_captured() {
        let variant = PhantomGoVariant::default();
        let mut record = Record::new(variant.clone(), PhantomGo::new(&variant), Side::White);
        let ply = |text: &str| text.to_owned();
        record.learn(&Event::HiddenPly);
        record.learn(&Event::Refused { ply: ply("AA") });
        record.learn(&Event::Ply { ply: ply("AB") });
        record.learn(&Event::HiddenPly);
        let corner = bit(goban::point(0, 0));
        assert_eq!((record.refused, record.met()), (0, (corner, 2)));
        record.learn(&Event::Ply { ply: ply("BA") });
        record.learn(&Event::Captured { points: vec![ply("AA")] });
        assert_eq!(record.met(), (0, 1));
    }
}

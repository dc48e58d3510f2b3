//! A position with the pattern around every point kept up to date.

use games::goban::{self, STRIDE};
use games::nogo::{NoGo, Stone};
use games::{End, Game as _, Side};

use super::patterns::{NEIGHBOURS, OFF};

/// Points of the widest board, and a rim below it.
const POINTS: usize = STRIDE * STRIDE;

/// A position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) game: NoGo,
    /// By point: the pattern around it.
    codes: [u16; POINTS],
    /// The worths of all empty points to Black.
    pub(super) worth: i32,
}

/// Where the bits of a point's stone are in the pattern of each of its neighbours.
fn neighbours(point: u8) -> impl Iterator<Item = (usize, u32)> {
    let (x, y) = goban::place(point);
    NEIGHBOURS.into_iter().enumerate().filter_map(move |(at, (across, down))| {
        let (x, y) = (x as i32 + across, y as i32 + down);
        let on = (0..goban::MOST as i32).contains(&x) && (0..goban::MOST as i32).contains(&y);
        // The neighbour sees the point from the opposite side.
        on.then(|| (y as usize * STRIDE + x as usize, 2 * ((at as u32 + 4) % 8)))
    })
}

const fn bits_of(side: Side) -> u16 {
    side.index() as u16 + 1
}

impl Position {
    pub(super) fn new(game: &NoGo, worths: &[i32]) -> Self {
        let stones = Side::BOTH.map(|side| game.stones(side));
        let board = game.empty() | stones[0] | stones[1];
        let mut codes = [0; POINTS];
        for point in goban::points(board) {
            let (x, y) = goban::place(point);
            for (at, (across, down)) in NEIGHBOURS.into_iter().enumerate() {
                let (x, y) = (x as i32 + across, y as i32 + down);
                let on = x >= 0 && y >= 0 && x < STRIDE as i32;
                let set = if on { goban::bit((y as usize * STRIDE + x as usize) as u8) } else { 0 };
                let bits = if board & set == 0 {
                    OFF
                } else {
                    Side::BOTH.into_iter().find(|side| stones[side.index()] & set != 0).map_or(0, bits_of)
                };
                codes[usize::from(point)] |= bits << (2 * at);
            }
        }
        let worth = goban::points(game.empty()).map(|point| worths[usize::from(codes[usize::from(point)])]).sum();
        Self { game: *game, codes, worth }
    }

    /// The patterns around the empty points.
    pub(super) fn codes(&self) -> impl Iterator<Item = u16> + '_ {
        goban::points(self.game.empty()).map(|point| self.codes[usize::from(point)])
    }

    /// The worth after a stone of the side to move, without making it.
    #[inline]
    pub(super) fn worth_after(&self, point: u8, worths: &[i32]) -> i32 {
        let (bits, empty) = (bits_of(self.game.to_move()), self.game.empty());
        let mut worth = self.worth - worths[usize::from(self.codes[usize::from(point)])];
        for (at, shift) in neighbours(point) {
            if empty >> at & 1 == 1 {
                let code = self.codes[at];
                worth += worths[usize::from(code | bits << shift)] - worths[usize::from(code)];
            }
        }
        worth
    }

    pub(super) fn put(&mut self, point: u8, worths: &[i32]) {
        self.worth = self.worth_after(point, worths);
        let bits = bits_of(self.game.to_move());
        for (at, shift) in neighbours(point) {
            // Patterns of points off a small board are never asked for.
            self.codes[at] |= bits << shift;
        }
        self.game.apply(Stone(point), End::Played);
    }
}

#[cfg(test)]
mod tests {
    use games::nogo::NoGoVariant;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::patterns::{CLASSES, worths};
    use super::*;

    #[test]
    fn patterns_kept_are_patterns_found_anew() {
        let worths = worths(&(0..CLASSES as i32).map(|class| class * class % 1009).collect::<Vec<_>>());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for number in 0..60 {
            let game = NoGo::new(&NoGoVariant { size: 2 + number % 8 });
            let mut position = Position::new(&game, &worths);
            while let Some(ply) = position.game.random_ply(&mut rng) {
                position.put(ply.0, &worths);
                let anew = Position::new(&position.game, &worths);
                assert_eq!(position.worth, anew.worth);
                assert!(position.codes().eq(anew.codes()));
            }
        }
    }
}

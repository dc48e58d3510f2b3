//! The board as words: eleven bits a row, the last of them never empty, so that no shift carries a queen round the edge.

use games::amazons::Amazons;
use games::{Game as _, Side};

const SIZE: usize = 10;
/// Bits from a square to the one below it.
const STRIDE: usize = SIZE + 1;

/// A position, or one within a ply: the amazon has moved and the arrow is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) empty: u128,
    /// Of the side to move, and of the other.
    pub(super) amazons: [u128; 2],
    /// Where the amazon that must still shoot stands.
    pub(super) shooter: Option<u8>,
}

/// The bit of a square of the rules.
const fn bit_of(square: u8) -> u8 {
    (square as usize / SIZE * STRIDE + square as usize % SIZE) as u8
}

/// The square of the rules that a bit stands for.
pub(super) const fn square_of(bit: u8) -> u8 {
    (bit as usize / STRIDE * SIZE + bit as usize % STRIDE) as u8
}

impl Board {
    pub(super) fn new(game: &Amazons) -> Self {
        let convert = |set: u128| {
            (0..(SIZE * SIZE) as u8).filter(|&square| set >> square & 1 == 1).fold(0, |set, at| set | 1 << bit_of(at))
        };
        let side = game.to_move();
        let amazons = [side, side.other()].map(|side: Side| convert(game.amazons(side)));
        let taken = convert(game.arrows()) | amazons[0] | amazons[1];
        Self { empty: convert(u128::MAX) & !taken, amazons, shooter: None }
    }

    /// Moves an amazon of the side to move.
    #[inline]
    pub(super) const fn moved(&self, from: u8, to: u8) -> Self {
        let change = 1 << from | 1 << to;
        Self { empty: self.empty ^ change, amazons: [self.amazons[0] ^ change, self.amazons[1]], shooter: Some(to) }
    }

    /// Shoots: the other side comes next.
    #[inline]
    pub(super) const fn shot(&self, arrow: u8) -> Self {
        Self { empty: self.empty ^ 1 << arrow, amazons: [self.amazons[1], self.amazons[0]], shooter: None }
    }
}

/// The bits of a set, in order.
#[inline]
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (bit < 128).then_some(bit)
    })
}

/// These squares and all a king's step away, to be met with squares of the board.
#[inline]
pub(super) const fn spread(set: u128) -> u128 {
    let row = set | set << 1 | set >> 1;
    row | row << STRIDE | row >> STRIDE
}

/// The four ways a queen goes with growing bit numbers; the others are their opposites.
const WAYS: [u32; 4] = [1, STRIDE as u32 - 1, STRIDE as u32, STRIDE as u32 + 1];

/// Where one queen can go.
#[inline]
pub(super) fn rays(from: u8, empty: u128) -> u128 {
    let mut reached = 0;
    for way in WAYS {
        let mut at = 1_u128 << from;
        loop {
            at = at << way & empty;
            if at == 0 {
                break;
            }
            reached |= at;
        }
        at = 1 << from;
        loop {
            at = at >> way & empty;
            if at == 0 {
                break;
            }
            reached |= at;
        }
    }
    reached
}

/// Runs of empty squares along the eight ways, so that a queen's whole way takes four doubling steps, not nine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs {
    empty: u128,
    /// By way: the squares whose last two, and last four, squares up to them are all empty.
    up: [[u128; 2]; 4],
    down: [[u128; 2]; 4],
}

impl Runs {
    #[inline]
    pub(super) fn new(empty: u128) -> Self {
        let up = WAYS.map(|way| {
            let two = empty & empty << way;
            [two, two & two << (2 * way)]
        });
        let down = WAYS.map(|way| {
            let two = empty & empty >> way;
            [two, two & two >> (2 * way)]
        });
        Self { empty, up, down }
    }

    /// Where queens on any of these squares can go, and the squares themselves as far as they are empty.
    #[inline]
    pub(super) fn reached(&self, from: u128) -> u128 {
        let mut all = 0;
        for (way, ([up_two, up_four], [down_two, down_four])) in
            WAYS.into_iter().zip(self.up.into_iter().zip(self.down))
        {
            let mut up = from << way & self.empty;
            up |= up << way & self.empty;
            up |= up << (2 * way) & up_two;
            up |= up << (4 * way) & up_four;
            // At most nine squares: eight have been filled, and the ninth is one more step.
            up |= up << way & self.empty;
            let mut down = from >> way & self.empty;
            down |= down >> way & self.empty;
            down |= down >> (2 * way) & down_two;
            down |= down >> (4 * way) & down_four;
            down |= down >> way & self.empty;
            all |= up | down;
        }
        all
    }
}

/// Everything that hangs together with these squares through empty ones, the squares themselves left out.
#[inline]
pub(super) fn flood(from: u128, empty: u128) -> u128 {
    let mut reached = spread(from) & empty;
    loop {
        let grown = spread(reached) & empty;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use games::random::below;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn squares_and_bits_are_each_others_names() {
        assert!((0..100).all(|square| square_of(bit_of(square)) == square));
    }

    #[test]
    fn words_agree_with_the_rules_on_every_ply() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..20 {
            let mut game = Amazons::new(&Default::default());
            while let Some(ply) = game.random_ply(&mut rng) {
                let board = Board::new(&game);
                let runs = Runs::new(board.empty);
                let union = bits(board.amazons[0]).fold(0, |set, from| set | rays(from, board.empty));
                assert_eq!(runs.reached(board.amazons[0]), union);
                let mut count = 0;
                for from in bits(board.amazons[0]) {
                    for to in bits(rays(from, board.empty)) {
                        let moved = board.moved(from, to);
                        count += u64::from(rays(to, moved.empty).count_ones());
                    }
                }
                assert_eq!(count, game.count_legal());
                let [from, to, arrow] = [ply.from, ply.to, ply.arrow].map(bit_of);
                assert!(rays(from, board.empty) >> to & 1 == 1);
                game.apply(ply, games::End::Played);
                assert_eq!(board.moved(from, to).shot(arrow), Board::new(&game));
                if below(&mut rng, 8) == 0 {
                    let _ = game.visit_legal(|_| ControlFlow::Break(()));
                }
            }
        }
    }
}

//! Filling a region that only one side can reach: every ply costs one square, and the art is to lose no other.
//!
//! A region of n squares lasts at most n plies. Whether it does is searched for, then whether n - 1 plies are possible,
//! and so on; positions that are known to last less long are remembered.

use std::collections::HashMap;

use super::board::{Board, bits, flood, rays, spread};

/// How a region is best filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Filling {
    /// How many plies it lasts.
    pub(super) plies: u32,
    /// The first of them: from, to and arrow.
    pub(super) first: [u8; 3],
    /// Whether no way of filling lasts longer, and not only none that was found.
    pub(super) exact: bool,
}

/// Positions looked at for one length before a shorter one is tried.
const PATIENCE: u32 = 20_000;

/// Whether the sides can never meet again: no square is open to both, and no amazon stands in an enemy's way out.
pub(super) fn apart(board: &Board) -> bool {
    let [own, other] = board.amazons;
    flood(own, board.empty) & flood(other, board.empty) == 0 && spread(own) & other == 0
}

/// The best filling of the smallest region of the side to move; `None` when it has no empty square left.
pub(super) fn best(board: &Board, over: &dyn Fn() -> bool) -> Option<Filling> {
    let mut rest = board.amazons[0];
    let mut smallest: Option<(u32, u128, u128)> = None;
    while rest != 0 {
        let seed = rest & rest.wrapping_neg();
        let region = hull(seed, board.empty | board.amazons[0]);
        let (amazons, empty) = (region & board.amazons[0], region & board.empty);
        rest &= !amazons;
        let size = empty.count_ones();
        if size > 0 && smallest.is_none_or(|(least, ..)| size < least) {
            smallest = Some((size, amazons, empty));
        }
    }
    let (_, amazons, empty) = smallest?;
    Some(fill(amazons, empty, over))
}

/// Everything that hangs together with a square.
fn hull(seed: u128, area: u128) -> u128 {
    flood(seed, area) | seed
}

/// The longest filling of a region in which at least one amazon can move.
pub(super) fn fill(amazons: u128, empty: u128, over: &dyn Fn() -> bool) -> Filling {
    let mut filler = Filler { short: HashMap::new(), nodes: 0, patience: 0, stopped: false, over };
    let mut exact = true;
    let most = flood(amazons, empty).count_ones();
    for target in (1..=most).rev() {
        filler.patience = filler.nodes + PATIENCE;
        match filler.lasts(amazons, empty, target) {
            Answer::Yes(first) => return Filling { plies: target, first, exact },
            Answer::No => {}
            Answer::Unknown => exact = false,
        }
        if filler.stopped {
            break;
        }
    }
    hasty(amazons, empty)
}

/// The ply that leaves most within reach, when there is no time to look further.
fn hasty(amazons: u128, empty: u128) -> Filling {
    let (mut first, mut most) = ([0; 3], None);
    visit(amazons, empty, |[from, to, arrow]| {
        let change = 1 << from | 1 << to;
        let left = flood(amazons ^ change, empty ^ change ^ 1 << arrow).count_ones();
        if most.is_none_or(|most| left > most) {
            (first, most) = ([from, to, arrow], Some(left));
        }
    });
    Filling { plies: 1, first, exact: false }
}

enum Answer {
    Yes([u8; 3]),
    No,
    Unknown,
}

struct Filler<'a> {
    /// What a position is known to last less than.
    short: HashMap<(u128, u128), u32>,
    nodes: u32,
    patience: u32,
    /// The time is over.
    stopped: bool,
    over: &'a dyn Fn() -> bool,
}

impl Filler<'_> {
    /// Whether the region lasts so many plies, at least one.
    fn lasts(&mut self, amazons: u128, empty: u128, target: u32) -> Answer {
        // What no amazon can reach any more is as good as taken, and the same position whatever it looks like.
        let empty = flood(amazons, empty);
        if empty.count_ones() < target || self.short.get(&(amazons, empty)).is_some_and(|&less| less <= target) {
            return Answer::No;
        }
        self.nodes += 1;
        self.stopped |= self.nodes.is_multiple_of(16) && (self.over)();
        if self.stopped || self.nodes > self.patience {
            return Answer::Unknown;
        }
        let mut plies = Vec::new();
        visit(amazons, empty, |ply| {
            let [from, to, arrow] = ply;
            let after = empty ^ (1 << from | 1 << to) ^ 1 << arrow;
            // Dead ends first, and short ways: what is shot should not be missed by anything.
            let missed = (spread(1 << arrow) & after).count_ones();
            plies.push((missed, (from.abs_diff(to)), ply));
        });
        plies.sort_unstable();
        for (_, _, [from, to, arrow]) in plies {
            let (amazons, empty) = (amazons ^ (1 << from | 1 << to), empty ^ (1 << from | 1 << to) ^ 1 << arrow);
            if target == 1 {
                return Answer::Yes([from, to, arrow]);
            }
            match self.lasts(amazons, empty, target - 1) {
                Answer::Yes(_) => return Answer::Yes([from, to, arrow]),
                Answer::No => {}
                Answer::Unknown => return Answer::Unknown,
            }
        }
        self.short.entry((amazons, empty)).and_modify(|less| *less = target.min(*less)).or_insert(target);
        Answer::No
    }
}

/// Visits every ply within a region.
fn visit(amazons: u128, empty: u128, mut visit: impl FnMut([u8; 3])) {
    for from in bits(amazons) {
        for to in bits(rays(from, empty)) {
            for arrow in bits(rays(to, empty ^ (1 << from | 1 << to))) {
                visit([from, to, arrow]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use games::random::below;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The longest filling by trying everything: no bound, no order, no memory but of whole results.
    fn brute(amazons: u128, empty: u128, known: &mut HashMap<(u128, u128), u32>) -> u32 {
        if let Some(&plies) = known.get(&(amazons, empty)) {
            return plies;
        }
        let mut best = 0;
        visit(amazons, empty, |[from, to, arrow]| {
            let change = 1 << from | 1 << to;
            best = best.max(1 + brute(amazons ^ change, empty ^ change ^ 1 << arrow, known));
        });
        known.insert((amazons, empty), best);
        best
    }

    #[test]
    fn regions_are_filled_as_long_as_possible() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut imperfect = 0;
        for _ in 0..400 {
            // Some squares of a corner of four by four, one or two of them amazons.
            let mut squares: Vec<u8> = (0..16).map(|at| at / 4 * 11 + at % 4).collect();
            for at in (1..squares.len()).rev() {
                squares.swap(at, below(&mut rng, at as u32 + 1) as usize);
            }
            let (count, size) = (1 + below(&mut rng, 2) as usize, 2 + below(&mut rng, 7) as usize);
            let set = |squares: &[u8]| squares.iter().fold(0_u128, |set, &at| set | 1 << at);
            let (amazons, empty) = (set(&squares[..count]), set(&squares[count..count + size]));
            if flood(amazons, empty) == 0 {
                continue;
            }
            let mut filling = fill(amazons, empty, &|| false);
            let mut known = HashMap::new();
            let plies = brute(amazons, empty, &mut known);
            assert_eq!((filling.plies, filling.exact), (plies, true), "{amazons:x} {empty:x}");
            imperfect += u32::from(plies < flood(amazons, empty).count_ones());
            // And played out to the end it lasts as long as it says.
            let (mut amazons, mut empty, mut left) = (amazons, empty, plies);
            loop {
                let [from, to, arrow] = filling.first;
                amazons ^= 1 << from | 1 << to;
                empty ^= (1 << from | 1 << to) ^ 1 << arrow;
                left -= 1;
                if flood(amazons, empty) == 0 {
                    break;
                }
                filling = fill(amazons, empty, &|| false);
            }
            assert_eq!(left, 0);
        }
        assert!(imperfect > 5, "only {imperfect} regions were no perfect ones");
    }

    #[test]
    fn with_no_time_at_all_there_is_still_a_good_ply() {
        // An amazon in the corner of an empty board of six by six: it must not wall itself in.
        let empty = (0..6).fold(0_u128, |set, y| set | 0b11_1111 << (11 * y)) & !1;
        let hasty = hasty(1, empty);
        let [from, to, arrow] = hasty.first;
        assert!(!hasty.exact && rays(from, empty) >> to & 1 == 1);
        let change = 1 << from | 1 << to;
        assert_eq!(flood(1 ^ change, empty ^ change ^ 1 << arrow).count_ones(), empty.count_ones() - 1);
    }

    #[test]
    fn sides_that_can_meet_are_not_apart() {
        let read = |text: &str| {
            let game = <games::amazons::Amazons as games::Game>::read_position(&Default::default(), text).unwrap();
            Board::new(&game)
        };
        let wall = "xxxxxxxxxx";
        let rows = |top: &str, bottom: &str| format!("{top}/10/10/{wall}/10/10/10/10/10/{bottom} b");
        assert!(apart(&read(&rows("b9", "w9"))));
        assert!(!apart(&read("b9/10/10/xxxxx1xxxx/10/10/10/10/10/w9 b")));
        // The black amazon is the door.
        assert!(!apart(&read("10/10/10/xxxxxbxxxx/5w4/10/10/10/10/10 b")));
    }
}

//! The pieces: their ranks, what happens when two meet, and how a side sets them up.

use std::ops::ControlFlow;

use rand::Rng;

use super::board::{BOARD, CAMPS, HALVES, HEADQUARTERS, LAST_ROWS, STATIONS, WIDTH, name};
use crate::core::random::{below, nth_bit};
use crate::core::{Contact, Phrase, Reason, SetUpForm, SetUpSpot, Side, Tile};

/// What a piece is, in the order of the protocol's letters `a` to `l`; among those that fight, lower is stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rank {
    /// 司令, the field marshal: when he is lost his side's flag is shown.
    Commander,
    /// 军长.
    General,
    /// 师长.
    MajorGeneral,
    /// 旅长.
    Brigadier,
    /// 团长.
    Colonel,
    /// 营长.
    Major,
    /// 连长.
    Captain,
    /// 排长.
    Lieutenant,
    /// 工兵: turns corners on railways and removes mines.
    Engineer,
    /// 地雷: never moves.
    Mine,
    /// 炸弹: takes whatever it meets with it.
    Bomb,
    /// 军旗: never moves; without it the game is lost.
    Flag,
}

impl Rank {
    /// All twelve, in the order of their letters.
    pub const ALL: [Self; 12] = [
        Self::Commander,
        Self::General,
        Self::MajorGeneral,
        Self::Brigadier,
        Self::Colonel,
        Self::Major,
        Self::Captain,
        Self::Lieutenant,
        Self::Engineer,
        Self::Mine,
        Self::Bomb,
        Self::Flag,
    ];

    /// How many a side has.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Commander | Self::General | Self::Flag => 1,
            Self::MajorGeneral | Self::Brigadier | Self::Colonel | Self::Major | Self::Bomb => 2,
            Self::Captain | Self::Lieutenant | Self::Engineer | Self::Mine => 3,
        }
    }

    /// The protocol's letter, `a` to `l`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads the protocol's letter in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let index = u32::from(letter.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
        Self::ALL.get(index as usize).copied()
    }

    /// The name on the piece, at most five letters.
    #[must_use]
    pub const fn label(self) -> Phrase {
        match self {
            Self::Commander => Phrase::new("FM", "司令"),
            Self::General => Phrase::new("Gen", "军长"),
            Self::MajorGeneral => Phrase::new("MajG", "师长"),
            Self::Brigadier => Phrase::new("BrigG", "旅长"),
            Self::Colonel => Phrase::new("Col", "团长"),
            Self::Major => Phrase::new("Maj", "营长"),
            Self::Captain => Phrase::new("Capt", "连长"),
            Self::Lieutenant => Phrase::new("Lt", "排长"),
            Self::Engineer => Phrase::new("Eng", "工兵"),
            Self::Mine => Phrase::new("Mine", "地雷"),
            Self::Bomb => Phrase::new("Bomb", "炸弹"),
            Self::Flag => Phrase::new("Flag", "军旗"),
        }
    }

    /// The stations of the referee's board where such a piece of `side` can ever stand.
    pub(super) const fn places(self, side: Side) -> u64 {
        match self {
            Self::Flag => HALVES[side.index()] & HEADQUARTERS,
            Self::Mine => LAST_ROWS[side.index()],
            _ => BOARD,
        }
    }
}

/// How it ends for the piece that moves when it meets another.
#[must_use]
pub const fn contact(attacker: Rank, defender: Rank) -> Contact {
    match (attacker, defender) {
        (Rank::Bomb, _) | (_, Rank::Bomb) => Contact::Both,
        (_, Rank::Flag) | (Rank::Engineer, Rank::Mine) => Contact::Won,
        (_, Rank::Mine) => Contact::Lost,
        _ if (attacker as u8) < defender as u8 => Contact::Won,
        _ if attacker as u8 == defender as u8 => Contact::Both,
        _ => Contact::Lost,
    }
}

/// How many pieces a side sets up.
pub const PIECES: usize = 25;

/// Both halves' pieces in the order of the protocol's `ARRAY`: rows G to L of the player's own view, without camps.
pub type SetUp = [Rank; PIECES];

/// The station of each letter of `ARRAY`, in the player's own view.
const SLOTS: [u8; PIECES] = {
    let mut slots = [0; PIECES];
    let (mut square, mut slot) = (STATIONS / 2, 0);
    while square < STATIONS {
        if CAMPS >> square & 1 == 0 {
            slots[slot] = square as u8;
            slot += 1;
        }
        square += 1;
    }
    slots
};

/// The station of the referee's board where a letter of a side's `ARRAY` stands.
#[inline]
pub(super) const fn slot_square(slot: usize, side: Side) -> usize {
    match side {
        Side::Black => SLOTS[slot] as usize,
        Side::White => STATIONS - 1 - SLOTS[slot] as usize,
    }
}

/// All stations of the referee's board that a side sets up on.
pub(super) const fn slot_squares(side: Side) -> u64 {
    HALVES[side.index()] & !CAMPS
}

/// The slots, as bits, whose stations are among these (in the player's own view).
const fn slots_in(squares: u64) -> u32 {
    let (mut bits, mut slot) = (0, 0);
    while slot < PIECES {
        bits |= ((squares >> SLOTS[slot] & 1) as u32) << slot;
        slot += 1;
    }
    bits
}

const ALL_SLOTS: u32 = (1 << PIECES) - 1;
const FLAG_SLOTS: u32 = slots_in(HEADQUARTERS);
const MINE_SLOTS: u32 = slots_in(LAST_ROWS[0]);
/// The first row has no bombs; nor mines nor flags, which the other two words see to.
const BOMB_SLOTS: u32 = ALL_SLOTS & !((1 << WIDTH) - 1);

/// The set-up was bad, and the position text does not say how.
pub(super) static BAD_SET_UP: Reason =
    Reason::new("bad-set-up", "the loser's set-up broke the rules", "负方布阵不合规则");
pub(super) static SET_UP_COUNT: Reason = Reason::new(
    "set-up-count",
    "the loser's set-up has the wrong number of some piece",
    "负方布阵的棋子种类或数量不对",
);
pub(super) static SET_UP_FLAG: Reason =
    Reason::new("set-up-flag", "the loser's flag was not set up in headquarters", "负方的军旗没有放在大本营");
pub(super) static SET_UP_MINE: Reason =
    Reason::new("set-up-mine", "the loser set up a mine outside the last two rows", "负方的地雷没有放在最后两排");
pub(super) static SET_UP_BOMB: Reason =
    Reason::new("set-up-bomb", "the loser set up a bomb in the first row", "负方的炸弹放在了第一排");

/// Whether a set-up keeps the rules, and which one it breaks first.
pub(super) fn check_set_up(set_up: &SetUp) -> Result<(), &'static Reason> {
    let mut slots = [0_u32; Rank::ALL.len()];
    for (slot, &rank) in set_up.iter().enumerate() {
        slots[rank as usize] |= 1 << slot;
    }
    let outside = |rank: Rank, allowed: u32| slots[rank as usize] & !allowed != 0;
    if Rank::ALL.iter().any(|&rank| slots[rank as usize].count_ones() as usize != rank.count()) {
        Err(&SET_UP_COUNT)
    } else if outside(Rank::Flag, FLAG_SLOTS) {
        Err(&SET_UP_FLAG)
    } else if outside(Rank::Mine, MINE_SLOTS) {
        Err(&SET_UP_MINE)
    } else if outside(Rank::Bomb, BOMB_SLOTS) {
        Err(&SET_UP_BOMB)
    } else {
        Ok(())
    }
}

/// Set-ups a player can begin with: a mine on every way to the flag, the engineers kept back, no piece that cannot
/// leave headquarters worth more than a lieutenant.
const GOOD: [&[u8; PIECES]; 4] = [
    b"dhegcagbkfhedkcijgfijljhi",
    b"chdhebfadgekcgfijkgijljhi",
    b"gcheddgakhfbegfkjciijljhi",
    b"hdegcgbakfhedcikjgfijljhi",
];

/// One of the good set-ups or its mirror, with the plain fighters of its front rows in another order: an enemy who
/// knows the list must still guess.
fn recommended<R: Rng + ?Sized>(rng: &mut R) -> SetUp {
    let letters = GOOD[below(rng, GOOD.len() as u32) as usize];
    let mut set_up = letters.map(|letter| Rank::from_letter(letter as char).unwrap_or(Rank::Flag));
    let front = PIECES - 2 * WIDTH;
    let plain = |rank: &Rank| *rank > Rank::General && *rank < Rank::Engineer;
    let mut fighters: Vec<Rank> = set_up[..front].iter().copied().filter(plain).collect();
    shuffle(&mut fighters, rng);
    for (slot, rank) in set_up[..front].iter_mut().filter(|rank| plain(rank)).zip(fighters) {
        *slot = rank;
    }
    if below(rng, 2) == 0 { set_up } else { mirrored_set_up(&set_up) }
}

/// The set-up of a side as a form.
pub(super) fn set_up_form<R: Rng + ?Sized>(side: Side, rng: &mut R) -> SetUpForm {
    let letter = |rank: Rank| rank.letter().to_string();
    let allowed = |slot: usize| {
        let may = |rank: &&Rank| {
            let slots = match rank {
                Rank::Flag => FLAG_SLOTS,
                Rank::Mine => MINE_SLOTS,
                Rank::Bomb => BOMB_SLOTS,
                _ => ALL_SLOTS,
            };
            slots >> slot & 1 == 1
        };
        Rank::ALL.iter().filter(may).map(|&rank| letter(rank)).collect()
    };
    let spot = |slot: usize| SetUpSpot {
        spot: slot_square(slot, side) as u16,
        name: name(usize::from(SLOTS[slot])),
        allowed: allowed(slot),
    };
    SetUpForm {
        tiles: Rank::ALL
            .iter()
            .map(|&rank| Tile { id: letter(rank), label: rank.label(), count: rank.count() })
            .collect(),
        spots: (0..PIECES).map(spot).collect(),
        suggestion: recommended(rng).into_iter().map(letter).collect(),
    }
}

/// The pieces that may stand on any slot, sorted.
const OTHERS: [Rank; PIECES - 6] = {
    let mut others = [Rank::Commander; PIECES - 6];
    let (mut next, mut rank) = (0, 0);
    while rank <= Rank::Engineer as usize {
        let mut left = Rank::ALL[rank].count();
        while left > 0 {
            others[next] = Rank::ALL[rank];
            next += 1;
            left -= 1;
        }
        rank += 1;
    }
    others
};

/// How many set-ups keep the rules: the flag, then the mines, then the bombs, then the others in any order.
pub(super) const SET_UPS: u64 = {
    let flags = FLAG_SLOTS.count_ones() as u64;
    let mines = choose(MINE_SLOTS.count_ones() as u64 - 1, Rank::Mine.count() as u64);
    let bombs = choose(BOMB_SLOTS.count_ones() as u64 - 1 - Rank::Mine.count() as u64, Rank::Bomb.count() as u64);
    let (mut orders, mut left, mut rank) = (1, OTHERS.len() as u64, 0);
    while rank <= Rank::Engineer as usize {
        let count = Rank::ALL[rank].count() as u64;
        orders *= choose(left, count);
        left -= count;
        rank += 1;
    }
    flags * mines * bombs * orders
};

const fn choose(all: u64, some: u64) -> u64 {
    let (mut ways, mut taken) = (1, 0);
    while taken < some {
        ways = ways * (all - taken) / (taken + 1);
        taken += 1;
    }
    ways
}

/// A set-up from the slots of its flag, mines and bombs and the order of its other pieces.
#[inline]
fn assemble(flag: u32, mines: u32, bombs: u32, others: &[Rank; OTHERS.len()]) -> SetUp {
    let mut set_up = [Rank::Flag; PIECES];
    let mut others = others.iter();
    for (slot, rank) in set_up.iter_mut().enumerate() {
        let here = 1 << slot;
        *rank = if here & flag != 0 {
            Rank::Flag
        } else if here & mines != 0 {
            Rank::Mine
        } else if here & bombs != 0 {
            Rank::Bomb
        } else {
            others.next().copied().unwrap_or(Rank::Flag)
        };
    }
    set_up
}

/// Visits every set-up that keeps the rules, each once.
pub(super) fn visit_set_ups<F: FnMut(SetUp) -> ControlFlow<()>>(mut visit: F) -> ControlFlow<()> {
    for_each_choice(FLAG_SLOTS, 1, |flag| {
        for_each_choice(MINE_SLOTS & !flag, Rank::Mine.count(), |mines| {
            for_each_choice(BOMB_SLOTS & !flag & !mines, Rank::Bomb.count(), |bombs| {
                let mut others = OTHERS;
                loop {
                    visit(assemble(flag, mines, bombs, &others))?;
                    if !next_order(&mut others) {
                        return ControlFlow::Continue(());
                    }
                }
            })
        })
    })
}

/// Visits every subset of `slots` with `count` members.
fn for_each_choice(slots: u32, count: usize, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut subset = 0_u32;
    loop {
        // The next subset of a mask: carry through the bits outside it.
        subset = subset.wrapping_sub(slots) & slots;
        if subset == 0 {
            return ControlFlow::Continue(());
        }
        if subset.count_ones() as usize == count {
            visit(subset)?;
        }
    }
}

/// The next order of a multiset, as in a dictionary; false after the last.
fn next_order(ranks: &mut [Rank]) -> bool {
    let Some(rise) = ranks.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let Some(larger) = ranks.iter().rposition(|&rank| rank > ranks[rise]) else { return false };
    ranks.swap(rise, larger);
    ranks[rise + 1..].reverse();
    true
}

/// A random set-up that keeps the rules; all are equally likely.
#[inline(never)]
pub(super) fn random_set_up<R: Rng + ?Sized>(rng: &mut R) -> SetUp {
    let flag = random_choice(FLAG_SLOTS, 1, rng);
    let mines = random_choice(MINE_SLOTS & !flag, Rank::Mine.count(), rng);
    let bombs = random_choice(BOMB_SLOTS & !flag & !mines, Rank::Bomb.count(), rng);
    let mut others = OTHERS;
    shuffle(&mut others, rng);
    assemble(flag, mines, bombs, &others)
}

#[inline]
fn random_choice<R: Rng + ?Sized>(slots: u32, count: usize, rng: &mut R) -> u32 {
    let mut left = u64::from(slots);
    for _ in 0..count {
        left ^= 1 << nth_bit(left, below(rng, left.count_ones()));
    }
    slots ^ left as u32
}

/// Puts ranks into a random order.
#[inline]
pub(super) fn shuffle<R: Rng + ?Sized>(ranks: &mut [Rank], rng: &mut R) {
    for last in (1..ranks.len()).rev() {
        ranks.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

/// A set-up for a number: a good one, a good one spoilt a little, or letters at random.
pub(super) fn set_up_at<R: Rng + ?Sized>(rng: &mut R) -> SetUp {
    let mut set_up = random_set_up(rng);
    let kind = below(rng, 4);
    let any = |rng: &mut R| below(rng, PIECES as u32) as usize;
    let letter = |rng: &mut R| Rank::ALL[below(rng, Rank::ALL.len() as u32) as usize];
    match kind {
        0 => {}
        1 => {
            let (one, other) = (any(rng), any(rng));
            set_up.swap(one, other);
        }
        2 => {
            let slot = any(rng);
            set_up[slot] = letter(rng);
        }
        _ => set_up.fill_with(|| letter(rng)),
    }
    set_up
}

/// The set-up seen in a mirror.
pub(super) fn mirrored_set_up(set_up: &SetUp) -> SetUp {
    let mut mirrored = *set_up;
    for (slot, &square) in SLOTS.iter().enumerate() {
        let (row, column) = (usize::from(square) / WIDTH, usize::from(square) % WIDTH);
        let other = row * WIDTH + WIDTH - 1 - column;
        if let Some(from) = SLOTS.iter().position(|&square| usize::from(square) == other) {
            mirrored[slot] = set_up[from];
        }
    }
    mirrored
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::super::board::{name, road_neighbours, turned};
    use super::*;

    #[test]
    fn choices_and_orders_are_complete_and_counted() {
        let mut subsets = std::collections::HashSet::new();
        let _ = for_each_choice(MINE_SLOTS & !(1 << 21), 3, |mines| {
            assert!(mines & !MINE_SLOTS == 0 && mines.count_ones() == 3 && subsets.insert(mines));
            ControlFlow::Continue(())
        });
        assert_eq!(subsets.len() as u64, choose(9, 3));
        assert_eq!((choose(9, 3), choose(16, 2), choose(19, 3)), (84, 120, 969));
        let mut ranks = [Rank::Major, Rank::Major, Rank::Captain, Rank::Captain, Rank::Captain, Rank::Engineer];
        let mut orders = std::collections::HashSet::from([ranks]);
        while next_order(&mut ranks) {
            assert!(orders.insert(ranks));
        }
        assert_eq!(orders.len() as u64, choose(6, 2) * choose(4, 3));
        assert!(ranks.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn what_is_recommended_keeps_the_rules_and_guards_the_flag() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..200 {
            let set_up = recommended(&mut rng);
            assert_eq!(check_set_up(&set_up), Ok(()));
            let stations = |rank| {
                let slots = (0..PIECES).filter(|&slot| set_up[slot] == rank);
                slots.fold(0_u64, |bits, slot| bits | 1 << SLOTS[slot])
            };
            let ways = road_neighbours(stations(Rank::Flag));
            assert_eq!(ways & !stations(Rank::Mine), 0, "a way to the flag without a mine: {set_up:?}");
            let front: u64 = ((1 << WIDTH) - 1) << (STATIONS / 2);
            assert_eq!(front & stations(Rank::Engineer), 0, "an engineer in the front row: {set_up:?}");
            let stuck = HEADQUARTERS & !stations(Rank::Flag) & !stations(Rank::Lieutenant);
            assert_eq!(stuck & HALVES[0], 0, "a good piece in headquarters: {set_up:?}");
            seen.insert(set_up);
        }
        assert!(seen.len() > 190, "only {} set-ups in 200", seen.len());
    }

    #[test]
    fn slots_follow_the_protocol() {
        let names: Vec<String> = (0..PIECES).map(|slot| name(slot_square(slot, Side::Black))).collect();
        assert_eq!(names.join(" "), "G0 G1 G2 G3 G4 H0 H2 H4 I0 I1 I3 I4 J0 J2 J4 K0 K1 K2 K3 K4 L0 L1 L2 L3 L4");
        for side in Side::BOTH {
            let squares = (0..PIECES).fold(0, |bits, slot| bits | 1 << slot_square(slot, side));
            assert_eq!(squares, slot_squares(side));
        }
        assert_eq!(turned(slot_squares(Side::Black)), slot_squares(Side::White));
    }
}

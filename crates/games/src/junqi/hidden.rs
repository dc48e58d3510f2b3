//! What a seat learns from a move, and the worlds it cannot tell apart.

use rand::Rng;

use super::board::{HALVES, LAST_ROWS, name, squares};
use super::facts::{BLACK_SHOWS_FLAG, BOTH_GONE, FLAG_BLOWN, FLAG_TAKEN, MET_STRONGER, MET_WEAKER, RED_SHOWS_FLAG};
use super::picture;
use super::pieces::{PIECES, Rank, random_set_up, shuffle, slot_squares};
use super::text::seen_square;
use super::{HEADQUARTERS, Junqi};
use crate::core::random::{below, nth_bit};
use crate::core::{Contact, Event, Eyes, Game as _, Side, Told};

/// How often a world is drawn anew when the enemy could not move in it.
const ATTEMPTS: usize = 8;

/// The contact, and where the enemy's flag stands once it is shown: every ply says it again, as the protocol does.
pub(super) fn learned_from_move(
    before: &Junqi,
    after: &Junqi,
    from: u8,
    to: u8,
    seat: Side,
) -> impl Iterator<Item = Event> {
    let contact = Event::Contact { result: before.contact_of(from, to) };
    // Looked up in the position before: the last ply of a game may take the flag away.
    let flag = before.of_rank(seat.other(), Rank::Flag);
    let shown = (after.flag_shown(seat.other()) && flag != 0)
        .then(|| Event::FlagShown { point: name(seen_square(flag.trailing_zeros() as usize, Eyes::Seat(seat))) });
    std::iter::once(contact).chain(shown)
}

/// How the encounter came out, and the pieces it cost, in words: what the referee tells both sides.
pub(super) fn told(before: &Junqi, from: u8, to: u8, eyes: Eyes) -> Told {
    // Who takes a flag learns that it was one: the game is over.
    let flag = before.flags() >> to & 1 == 1;
    let (remark, gone) = match before.contact_of(from, to) {
        Contact::Nobody => return Told::default(),
        Contact::Won if flag => (FLAG_TAKEN, 1_u64 << to),
        Contact::Won => (MET_WEAKER, 1 << to),
        Contact::Lost => (MET_STRONGER, 1 << from),
        Contact::Both if flag => (FLAG_BLOWN, 1 << from | 1 << to),
        Contact::Both => (BOTH_GONE, 1 << from | 1 << to),
    };
    let mut remarks = vec![remark];
    for (side, shows) in Side::BOTH.into_iter().zip([RED_SHOWS_FLAG, BLACK_SHOWS_FLAG]) {
        if before.of_rank(side, Rank::Commander) & gone != 0 {
            remarks.push(shows);
        }
    }
    Told { remarks, gone: picture::pieces(before, gone, eyes) }
}

/// The same position with the enemy's hidden pieces drawn anew from all he could still have.
pub(super) fn reimagined<R: Rng + ?Sized>(position: &Junqi, seat: Side, rng: &mut R) -> Junqi {
    let enemy = seat.other();
    let standing = position.pieces(enemy);
    if standing == slot_squares(enemy) {
        let mut world = without(position, enemy);
        world.set_up(enemy, &random_set_up(rng));
        return world;
    }
    (0..ATTEMPTS)
        .filter_map(|_| drawn_anew(position, enemy, rng))
        // Only whose turn it is must be able to move; the other side may have spent its last piece.
        .find(|world| position.to_move() != enemy || world.with_moves(enemy) != 0)
        .unwrap_or(*position)
}

fn without(position: &Junqi, side: Side) -> Junqi {
    let mut world = *position;
    world.clear(position.pieces(side));
    world
}

/// A draw of a side's ranks that fits its flag, its commander and its mines; `None` where this draw does not fit.
fn drawn_anew<R: Rng + ?Sized>(position: &Junqi, side: Side, rng: &mut R) -> Option<Junqi> {
    let mut world = without(position, side);
    let mut left = position.pieces(side);
    let take = |left: &mut u64, places: u64, rng: &mut R| {
        let places = *left & places;
        let square = (places != 0).then(|| nth_bit(places, below(rng, places.count_ones())) as usize)?;
        *left ^= 1 << square;
        Some(square)
    };
    let shown = position.flag_shown(side);
    let flag = if shown { position.of_rank(side, Rank::Flag) } else { HALVES[side.index()] & HEADQUARTERS };
    world.put(side, take(&mut left, flag, rng)?, Rank::Flag);
    // The others come from the whole army, so that nobody can tell which ranks were lost.
    let mut army = [Rank::Commander; PIECES - 2];
    let others = Rank::ALL.iter().filter(|rank| !matches!(rank, Rank::Flag | Rank::Commander));
    for (place, &rank) in army.iter_mut().zip(others.flat_map(|rank| std::iter::repeat_n(rank, rank.count()))) {
        *place = rank;
    }
    shuffle(&mut army, rng);
    let commander = usize::from(!shown);
    let drawn = army.get_mut(..(left.count_ones() as usize).checked_sub(commander)?)?;
    // Mines first: they have the fewest places.
    drawn.sort_unstable_by_key(|&rank| rank != Rank::Mine);
    for &rank in drawn.iter().take_while(|&&rank| rank == Rank::Mine) {
        world.put(side, take(&mut left, LAST_ROWS[side.index()], rng)?, rank);
    }
    if !shown {
        world.put(side, take(&mut left, u64::MAX, rng)?, Rank::Commander);
    }
    for (&rank, square) in drawn.iter().skip_while(|&&rank| rank == Rank::Mine).zip(squares(left)) {
        world.put(side, square, rank);
    }
    Some(world)
}

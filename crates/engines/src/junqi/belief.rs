//! What a seat knows of the enemy's set-up, and set-ups that agree with everything seen.
//!
//! Every contact is with a piece of one's own, so whatever is seen speaks of one enemy piece at a time: a set of ranks for each
//! of the 25, kept by the slot it was set up on. A set-up is drawn from those sets by swapping pieces, and played through the rules
//! before it is believed: who has no move left is the one thing that speaks of several pieces at once.

use games::junqi::{CAMPS, HEADQUARTERS, Junqi, JunqiVariant, PIECES, Ply, Rank, STATIONS, SetUp, contact, reach};
use games::random::below;
use games::{Contact, End, Event, Game as _, Side};
use rand::Rng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::likely::{Deed, Habits, Likely};

/// Swaps between two set-ups that are given out.
const SWAPS: u32 = 150;
/// Set-ups drawn before giving up on one that plays through.
const ATTEMPTS: u32 = 20;

/// A set of ranks.
pub(super) type Ranks = u16;

pub(super) const fn only(rank: Rank) -> Ranks {
    1 << rank as u8
}

const ALL: Ranks = (1 << 12) - 1;

/// A move and what was seen of it, in the referee's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    from: u8,
    to: u8,
    result: Contact,
    /// Whether the enemy's flag was shown after it.
    shown: bool,
}

/// A seat's knowledge.
#[derive(Debug, Clone)]
pub struct Belief {
    seat: Side,
    variant: JunqiVariant,
    /// A position the game began from, where it was not the empty board.
    opening: Option<Junqi>,
    own: Option<SetUp>,
    enemy_is_set: bool,
    moves: Vec<Seen>,
    /// A move whose contact is not told yet.
    pending: Option<(u8, u8)>,
    /// What each enemy piece can be, by the slot it was set up on.
    ranks: [Ranks; PIECES],
    /// Which enemy piece stands on a station.
    standing: [Option<u8>; STATIONS],
    /// Which of the seat's pieces stands on a station.
    own_standing: [Option<Rank>; STATIONS],
    /// The enemy piece that the last contact took; it is no commander unless the flag is shown now.
    fallen: Option<u8>,
    shown: bool,
    /// How the enemy's pieces have behaved.
    habits: [Habits; PIECES],
    /// How likely set-ups are by that.
    weights: Likely,
    /// One's own pieces that have met somebody, by station: the enemy knows something of them.
    met: u64,
    /// The set-up drawn last.
    drawn: Option<SetUp>,
    /// Whether natural set-ups are drawn more often than others.
    pub(super) likely: bool,
}

/// The station of a slot of a side's set-up, in the referee's view.
pub(super) fn station(slot: usize, side: Side) -> usize {
    let own = (STATIONS / 2..STATIONS).filter(|station| CAMPS >> station & 1 == 0).nth(slot).unwrap_or(0);
    if side == Side::Black { own } else { STATIONS - 1 - own }
}

/// What may be set up on a slot.
pub(super) fn allowed(slot: usize) -> Ranks {
    let station = station(slot, Side::Black);
    let mut ranks = ALL;
    if HEADQUARTERS >> station & 1 == 0 {
        ranks &= !only(Rank::Flag);
    }
    if station < 50 {
        ranks &= !only(Rank::Mine);
    }
    if station < 35 {
        ranks &= !only(Rank::Bomb);
    }
    ranks
}

impl Belief {
    /// A seat's knowledge before anything has happened.
    #[must_use]
    pub fn new(variant: JunqiVariant, seat: Side, opening: Option<Junqi>) -> Self {
        Self {
            seat,
            variant,
            opening,
            own: None,
            enemy_is_set: false,
            moves: Vec::new(),
            pending: None,
            ranks: std::array::from_fn(allowed),
            standing: [None; STATIONS],
            own_standing: [None; STATIONS],
            fallen: None,
            shown: false,
            habits: [Habits::default(); PIECES],
            weights: Likely::new(&[Habits::default(); PIECES], 0),
            met: 0,
            drawn: None,
            likely: true,
        }
    }

    /// The same seat before anything has happened.
    #[must_use]
    pub(super) fn anew(&self) -> Self {
        Self { likely: self.likely, ..Self::new(self.variant.clone(), self.seat, self.opening) }
    }

    /// The seat.
    #[must_use]
    pub const fn seat(&self) -> Side {
        self.seat
    }

    /// Whether the seat has yet to set up its pieces.
    #[must_use]
    pub const fn sets_up(&self) -> bool {
        self.own.is_none() && self.opening.is_none()
    }

    /// Whether nothing is hidden, because the game began from a position.
    pub(super) const fn knows_everything(&self) -> bool {
        self.opening.is_some()
    }

    fn to_move(&self) -> Side {
        let first = self.opening.map_or(Side::Black, |opening| opening.to_move());
        if self.moves.len().is_multiple_of(2) { first } else { first.other() }
    }

    fn turned(&self, station: usize) -> usize {
        if self.seat == Side::White { STATIONS - 1 - station } else { station }
    }

    /// Takes in an event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::HiddenPly => {
                self.enemy_is_set = true;
                for slot in 0..PIECES {
                    self.standing[station(slot, self.seat.other())] = Some(slot as u8);
                }
            }
            Event::Ply { ply } => {
                self.settle();
                match read(ply, self.seat) {
                    Some(Ply::SetUp(set_up)) => {
                        self.own = Some(set_up);
                        for (slot, &rank) in set_up.iter().enumerate() {
                            self.own_standing[station(slot, self.seat)] = Some(rank);
                        }
                    }
                    Some(Ply::Move { from, to }) => self.pending = Some((from, to)),
                    None => {}
                }
            }
            Event::Contact { result } => {
                if let Some((from, to)) = self.pending.take() {
                    self.see(from, to, *result);
                }
            }
            Event::FlagShown { point } => self.show(point),
            Event::Refused { .. } | Event::Captured { .. } | Event::Lost { .. } => {}
        }
    }

    /// A move was made, and this came of it.
    fn see(&mut self, from: u8, to: u8, result: Contact) {
        let mover = self.to_move();
        let (here, there) = (usize::from(from), usize::from(to));
        let occupied = self.occupied();
        self.moves.push(Seen { from, to, result, shown: self.shown });
        if mover != self.seat {
            self.observe(here, there, occupied);
        }
        let known = if mover == self.seat { self.met >> here & 1 } else { 0 };
        let stands = matches!(result, Contact::Won | Contact::Nobody);
        let clears = matches!(result, Contact::Won | Contact::Both);
        if mover == self.seat {
            let rank = self.own_standing[here].take();
            if let (Some(rank), Some(met)) = (rank, self.standing[there]) {
                self.ranks[usize::from(met)] &= ranks_where(|other| contact(rank, other) == result);
                if clears {
                    self.fallen = self.standing[there].take();
                    self.ranks[usize::from(met)] &= !only(Rank::Flag);
                }
            }
            self.own_standing[there] = rank.filter(|_| stands).or(self.own_standing[there]);
            self.met &= !(1 << here | 1 << there);
            self.met |= u64::from(stands && (known == 1 || result == Contact::Won)) << there;
        } else if let Some(piece) = self.standing[here].take() {
            let index = usize::from(piece);
            self.habits[index].moved = true;
            self.ranks[index] &= !(only(Rank::Mine) | only(Rank::Flag));
            if reach(here, false, occupied) >> there & 1 == 0 {
                self.ranks[index] &= only(Rank::Engineer);
            }
            if let Some(met) = self.own_standing[there] {
                self.ranks[index] &= ranks_where(|rank| contact(rank, met) == result);
                self.met |= 1 << there;
                if clears {
                    self.own_standing[there] = None;
                    self.met &= !(1 << there);
                }
            }
            if stands {
                self.standing[there] = Some(piece);
            } else {
                self.fallen = Some(piece);
            }
        }
        self.weights = Likely::new(&self.habits, self.moves.len());
    }

    /// What the enemy's move tells beside the rules: of the piece that moved, and of those that could have.
    fn observe(&mut self, here: usize, there: usize, occupied: u64) {
        let Some(mover) = self.standing[here].map(usize::from) else { return };
        let [unknown, known] = self.reached(occupied);
        for (at, piece) in self.standing.iter().enumerate() {
            let Some(piece) = piece.map(usize::from).filter(|&piece| piece != mover) else { continue };
            for (reached, deed) in [(unknown, Deed::StoodBeforeUnknown), (known, Deed::StoodBeforeKnown)] {
                if reached >> at & 1 == 1 {
                    self.habits[piece].add(deed);
                }
            }
        }
        let met = self.met >> there & 1 == 1;
        if self.own_standing[there].is_some() {
            self.habits[mover].add(if met { Deed::AttackedKnown } else { Deed::AttackedUnknown });
            return;
        }
        let [unknown_after, known_after] = self.reached(occupied & !(1 << here) | 1 << there);
        let safe = (unknown_after | known_after) >> there & 1 == 0;
        let back = if self.seat == Side::Black { there / 5 < here / 5 } else { there / 5 > here / 5 };
        let deeds = [
            (true, Deed::Walked),
            (safe && unknown >> here & 1 == 1, Deed::LeftUnknown),
            (safe && known >> here & 1 == 1, Deed::LeftKnown),
            (unknown_after >> there & 1 == 1, Deed::CameToUnknown),
            (known_after >> there & 1 == 1, Deed::CameToKnown),
            (CAMPS >> there & 1 == 1, Deed::EnteredCamp),
            (back, Deed::WentBack),
        ];
        deeds.into_iter().filter(|(done, _)| *done).for_each(|(_, deed)| self.habits[mover].add(deed));
    }

    /// Where pieces of one's own can attack: those of which the enemy can know nothing, and those that have met somebody.
    fn reached(&self, occupied: u64) -> [u64; 2] {
        let mut sets = [0; 2];
        for at in (0..STATIONS).filter(|at| HEADQUARTERS >> at & 1 == 0) {
            if self.own_standing[at].is_some_and(|rank| !matches!(rank, Rank::Mine | Rank::Flag)) {
                sets[(self.met >> at & 1) as usize] |= reach(at, false, occupied);
            }
        }
        sets.map(|set| set & !CAMPS)
    }

    fn occupied(&self) -> u64 {
        (0..STATIONS)
            .filter(|&at| self.standing[at].is_some() || self.own_standing[at].is_some())
            .fold(0, |bits, at| bits | 1 << at)
    }

    fn show(&mut self, point: &str) {
        if self.shown {
            return;
        }
        self.shown = true;
        if let Some(seen) = self.moves.last_mut() {
            seen.shown = true;
        }
        if let Some(piece) = self.fallen.take() {
            self.ranks[usize::from(piece)] &= only(Rank::Commander);
        }
        if let Some(flag) = read_station(point).and_then(|at| self.standing[self.turned(at)]) {
            self.ranks[usize::from(flag)] &= only(Rank::Flag);
        }
    }

    /// Everything about the last move has been told: what was not shown is not there.
    fn settle(&mut self) {
        if let Some(piece) = self.fallen.take()
            && !self.shown
        {
            self.ranks[usize::from(piece)] &= !only(Rank::Commander);
        }
    }

    /// Whether a set-up of the enemy's agrees with everything seen.
    #[must_use]
    pub fn agrees(&mut self, set_up: &SetUp) -> bool {
        self.settle();
        set_up.iter().zip(self.ranks).all(|(&rank, ranks)| ranks & only(rank) != 0)
            && self.play_through(set_up).is_some()
    }

    /// The position if the enemy has set up so; `None` where that does not agree with what was seen.
    #[must_use]
    pub fn play_through(&self, set_up: &SetUp) -> Option<Junqi> {
        let mut game = match self.opening {
            Some(opening) => opening,
            None => {
                let mut game = Junqi::new(&self.variant);
                for side in Side::BOTH {
                    let set_up = if side == self.seat { self.own? } else { *set_up };
                    if game.judge(Ply::SetUp(set_up)) != Ok(End::Played) {
                        return None;
                    }
                    game.apply(Ply::SetUp(set_up), End::Played);
                }
                game
            }
        };
        let enemy = self.seat.other();
        for seen in &self.moves {
            let ply = Ply::Move { from: seen.from, to: seen.to };
            if game.judge(ply) != Ok(End::Played) {
                return None;
            }
            let mover = game.to_move();
            let met = game.pieces(mover.other()) >> seen.to & 1 == 1;
            game.apply(ply, End::Played);
            let stands = game.pieces(mover) >> seen.to & 1 == 1;
            let result = match (met, stands, game.pieces(mover.other()) >> seen.to & 1 == 1) {
                (false, ..) => Contact::Nobody,
                (_, true, _) => Contact::Won,
                (_, _, true) => Contact::Lost,
                _ => Contact::Both,
            };
            if result != seen.result || game.flag_shown(enemy) != seen.shown || game.verdict().is_some() {
                return None;
            }
        }
        Some(game)
    }

    /// A position that agrees with everything seen, drawn at random.
    pub fn imagine(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<Junqi> {
        self.settle();
        if self.opening.is_some() {
            return self.play_through(&[Rank::Flag; PIECES]);
        }
        (0..ATTEMPTS).find_map(|attempt| {
            // The set-up drawn last is stirred; where that leads nowhere, another start is taken.
            let start = if attempt % 5 == 4 { None } else { self.drawn };
            let start = start.filter(|set_up| self.fits(set_up)).or_else(|| self.matched(rng))?;
            let set_up = self.stirred(start, rng);
            self.drawn = Some(set_up);
            self.play_through(&set_up)
        })
    }

    /// Any move of the seat's, from where pieces stand alone.
    pub(super) fn any_move(&self, rng: &mut Xoshiro256PlusPlus) -> Option<Ply> {
        let set =
            |holds: &dyn Fn(usize) -> bool| (0..STATIONS).filter(|&at| holds(at)).fold(0_u64, |set, at| set | 1 << at);
        let own = set(&|at| self.own_standing[at].is_some());
        let enemy = set(&|at| self.standing[at].is_some());
        let mut moves = Vec::new();
        for from in (0..STATIONS).filter(|from| HEADQUARTERS >> from & 1 == 0) {
            let Some(rank) = self.own_standing[from].filter(|rank| !matches!(rank, Rank::Mine | Rank::Flag)) else {
                continue;
            };
            let targets = reach(from, rank == Rank::Engineer, own | enemy) & !own & !(enemy & CAMPS);
            moves.extend((0..STATIONS).filter(|to| targets >> to & 1 == 1).map(|to| (from as u8, to as u8)));
        }
        let index = below(rng, moves.len().max(1) as u32) as usize;
        moves.get(index).map(|&(from, to)| Ply::Move { from, to })
    }

    /// Which enemy piece, by the slot it was set up on, stands on each station.
    pub(super) const fn standing(&self) -> &[Option<u8>; STATIONS] {
        &self.standing
    }

    /// The enemy's set-up drawn last.
    #[must_use]
    pub const fn drawn(&self) -> Option<SetUp> {
        self.drawn
    }

    fn fits(&self, set_up: &SetUp) -> bool {
        set_up.iter().zip(self.ranks).all(|(&rank, ranks)| ranks & only(rank) != 0)
    }

    /// Some set-up that fits the sets: pieces are given their places one after the other, each pushing others to other
    /// places where it must.
    fn matched(&self, rng: &mut Xoshiro256PlusPlus) -> Option<SetUp> {
        let mut units: Vec<Rank> = Rank::ALL.iter().flat_map(|&rank| std::iter::repeat_n(rank, rank.count())).collect();
        for last in (1..units.len()).rev() {
            units.swap(last, below(rng, last as u32 + 1) as usize);
        }
        let mut slots: Vec<usize> = (0..PIECES).collect();
        for last in (1..slots.len()).rev() {
            slots.swap(last, below(rng, last as u32 + 1) as usize);
        }
        let mut holder: [Option<usize>; PIECES] = [None; PIECES];
        for unit in 0..units.len() {
            let mut visited = 0;
            if !self.place(unit, &units, &slots, &mut holder, &mut visited) {
                return None;
            }
        }
        let mut set_up = [Rank::Flag; PIECES];
        for (slot, rank) in set_up.iter_mut().enumerate() {
            *rank = units[holder[slot]?];
        }
        Some(set_up)
    }

    fn place(
        &self,
        unit: usize,
        units: &[Rank],
        slots: &[usize],
        holder: &mut [Option<usize>; PIECES],
        visited: &mut u32,
    ) -> bool {
        for &slot in slots {
            if *visited >> slot & 1 == 1 || self.ranks[slot] & only(units[unit]) == 0 {
                continue;
            }
            *visited |= 1 << slot;
            let free = match holder[slot] {
                None => true,
                Some(other) => self.place(other, units, slots, holder, visited),
            };
            if free {
                holder[slot] = Some(unit);
                return true;
            }
        }
        false
    }

    /// Swaps pieces for a while, towards likely set-ups.
    fn stirred(&self, mut set_up: SetUp, rng: &mut Xoshiro256PlusPlus) -> SetUp {
        let mut known = self.weights.weight(&set_up);
        let swaps = if self.drawn.is_none() { SWAPS * 20 } else { SWAPS };
        for _ in 0..swaps {
            let (one, other) = (below(rng, PIECES as u32) as usize, below(rng, PIECES as u32) as usize);
            let (first, second) = (set_up[one], set_up[other]);
            if first == second || self.ranks[one] & only(second) == 0 || self.ranks[other] & only(first) == 0 {
                continue;
            }
            set_up.swap(one, other);
            let weight = self.weights.changed(&set_up, (one, other), known);
            // Metropolis: downhill with the chance that the weights tell.
            if self.likely
                && weight < known
                && f64::from(rng.next_u32()) / f64::from(u32::MAX) > f64::from(weight - known).exp()
            {
                set_up.swap(one, other);
            } else {
                known = weight;
            }
        }
        set_up
    }
}

/// The ranks for which something holds.
fn ranks_where(holds: impl Fn(Rank) -> bool) -> Ranks {
    Rank::ALL.iter().filter(|&&rank| holds(rank)).fold(0, |set, &rank| set | only(rank))
}

/// A ply in a seat's notation, in the referee's view.
fn read(text: &str, seat: Side) -> Option<Ply> {
    let game = Junqi::new(&JunqiVariant::default());
    let ply = game.read_ply(text).ok()?;
    Some(if seat == Side::White { game.turned(ply) } else { ply })
}

fn read_station(text: &str) -> Option<usize> {
    let bytes = text.trim().as_bytes();
    let row = usize::from(bytes.first()?.to_ascii_uppercase().checked_sub(b'A')?);
    let column = usize::from(bytes.get(1)?.checked_sub(b'0')?);
    (row < 12 && column < 5).then_some(row * 5 + column)
}

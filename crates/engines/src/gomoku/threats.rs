//! Winning by fours and open threes: the enemy may only stop what is threatened or make fours of his own, so wins far
//! beyond the main search are found.

use games::Side;

use super::board::{Board, Points, each};
use super::fours::{Fours, stops};
use super::values::kind;
use crate::kit::Budget;

/// The longest win looked for, in threats, and in plies with everything that is forced between them.
const MOST_THREATS: u8 = 14;
const DEEPEST: usize = 56;
/// Threats tried in a position, and replies.
const WIDTH: usize = 20;
const REPLIES: usize = 40;
/// Positions the solver of fours may look at in each position.
const EFFORT_OF_FOURS: u32 = 60;

/// What is known of a position where the attacker is to move.
#[derive(Clone, Copy, Default)]
struct Known {
    check: u32,
    point: u16,
    /// So many threats were tried in vain.
    in_vain: u8,
    /// The plies of a win that begins on the point; 0 where none is known.
    plies: u8,
}

/// A win: its first stone, and the plies it takes.
pub(super) type Win = (usize, i32);

/// The solver, with what it remembers.
pub(super) struct Threats {
    known: Vec<Known>,
    /// Positions looked at since the search began, without those of the solver of fours.
    pub(super) nodes: u64,
    stop_at: u64,
    gave_up: bool,
    /// The win found, last stone first.
    line: Vec<usize>,
}

impl Threats {
    /// A solver that remembers positions in about so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let slots = (bytes / size_of::<Known>()).clamp(1 << 8, 1 << 20);
        Self { known: vec![Known::default(); slots], nodes: 0, stop_at: 0, gave_up: false, line: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known.fill(Known::default());
    }

    /// A win of this colour, if it is to move and one is found within the effort.
    pub(super) fn find(
        &mut self,
        board: &mut Board,
        attacker: Side,
        fours: &mut Fours,
        effort: u32,
        budget: &Budget,
    ) -> Option<Win> {
        self.stop_at = self.nodes + u64::from(effort);
        self.gave_up = false;
        for room in 1..=MOST_THREATS {
            self.line.clear();
            if let Some(plies) = self.attack(board, attacker, room, 0, fours, budget) {
                return Some((*self.line.last()?, plies));
            }
            if self.gave_up {
                break;
            }
        }
        None
    }

    /// The win found last, its first stone first.
    pub(super) fn line(&self) -> impl Iterator<Item = usize> + '_ {
        self.line.iter().rev().copied()
    }

    /// How many plies a win by at most so many threats takes.
    fn attack(
        &mut self,
        board: &mut Board,
        attacker: Side,
        room: u8,
        ply: usize,
        fours: &mut Fours,
        budget: &Budget,
    ) -> Option<i32> {
        self.nodes += 1;
        if let Some(plies) = fours.find(board, attacker, EFFORT_OF_FOURS, budget) {
            self.line.clear();
            self.line.extend(fours.line_from_end());
            return Some(plies);
        }
        if room == 0 || ply >= DEEPEST {
            return None;
        }
        let hash = board.stones_key() ^ if attacker == Side::Black { 0 } else { 0x5851_f42d_4c95_7f2d };
        let place = ((u128::from(hash) * self.known.len() as u128) >> 64) as usize;
        let known = self.known[place];
        if known.check == hash as u32 && known.plies > 0 {
            self.line.clear();
            self.line.push(usize::from(known.point));
            return Some(i32::from(known.plies));
        }
        if known.check == hash as u32 && known.in_vain >= room {
            return None;
        }
        if self.nodes >= self.stop_at || self.nodes.is_multiple_of(4) && budget.is_over(0) {
            self.gave_up = true;
            return None;
        }
        let defender = attacker.other();
        let mut moves = [(0_i32, 0_u16); WIDTH];
        let must = board.count(defender, kind::FIVE) > 0;
        let count = if must { answers(board, attacker, &mut moves) } else { threats(board, attacker, &mut moves) };
        for &(_, point) in &moves[..count] {
            let point = usize::from(point);
            // A stone that has to be played costs nothing.
            let left = if must { room } else { room - 1 };
            board.place(attacker, point);
            let won = self.answered(board, attacker, left, ply + 1, fours, budget);
            board.lift();
            if let Some(plies) = won {
                self.line.push(point);
                let plies = plies + 1;
                self.known[place] = Known { check: hash as u32, point: point as u16, in_vain: 0, plies: plies as u8 };
                return Some(plies);
            }
            if self.gave_up {
                return None;
            }
        }
        self.known[place] = Known { check: hash as u32, point: 0, in_vain: room, plies: 0 };
        None
    }

    /// How many plies the win takes from here, if the stone just placed threatens something and every reply loses.
    fn answered(
        &mut self,
        board: &mut Board,
        attacker: Side,
        room: u8,
        ply: usize,
        fours: &mut Fours,
        budget: &Budget,
    ) -> Option<i32> {
        let defender = attacker.other();
        if board.count(defender, kind::FIVE) > 0 {
            return None;
        }
        let mut replies = [(0_i32, 0_u16); REPLIES];
        let mut list = List { moves: &mut replies, count: 0, whole: true };
        if board.count(attacker, kind::FIVE) > 0 {
            stops(board, attacker).into_iter().for_each(|point| list.add(0, point));
            if list.count == 0 {
                self.line.clear();
                self.line.extend(each(board.set(attacker, kind::FIVE)).next());
                return Some(2);
            }
        } else {
            // The defender's own open four comes first.
            if unstoppable(board, attacker).is_none() || unstoppable(board, defender).is_some() {
                return None;
            }
            for point in each(&parries(board, attacker)).filter(|&point| board.is_legal(defender, point)) {
                let own_four = board.kind(defender, point) >= kind::FOUR;
                let promise = board.promise_for(attacker, point) * 2 + board.promise_for(defender, point);
                list.add(promise - if own_four { 1000 } else { 0 }, point);
            }
        }
        // What is not listed might stop everything.
        let count = list.whole.then(|| list.sorted())?;
        if count == 0 {
            // Renju's Black may not play on any of them: any reply, an open four, any reply, five.
            self.line.clear();
            return Some(4);
        }
        let mut longest = 0;
        let mut chosen = Vec::new();
        for &(_, reply) in &replies[..count] {
            let reply = usize::from(reply);
            board.place(defender, reply);
            let won = self.attack(board, attacker, room, ply + 1, fours, budget);
            board.lift();
            let plies = won?;
            if plies >= longest {
                longest = plies;
                chosen.clear();
                chosen.append(&mut self.line);
                chosen.push(reply);
            }
        }
        self.line = chosen;
        Some(longest + 1)
    }
}

/// A point where a colour makes a four that cannot be stopped.
pub(super) fn unstoppable(board: &Board, colour: Side) -> Option<usize> {
    if board.count(colour, kind::OPEN_FOUR) > 0 {
        return each(board.set(colour, kind::OPEN_FOUR)).next();
    }
    if !board.has_fouls(colour) || board.count(colour, kind::SUSPECT) == 0 {
        return None;
    }
    each(board.set(colour, kind::SUSPECT)).find(|&point| board.legal_kind(colour, point) == Some(kind::OPEN_FOUR))
}

/// The stones that stop the enemy's five.
fn answers(board: &mut Board, attacker: Side, moves: &mut [(i32, u16); WIDTH]) -> usize {
    let stops = stops(board, attacker.other());
    let count = stops.len().min(WIDTH);
    moves.iter_mut().zip(stops).for_each(|(place, point)| *place = (0, point as u16));
    count
}

/// The fours and threes of a colour, the most promising first.
fn threats(board: &Board, attacker: Side, moves: &mut [(i32, u16); WIDTH]) -> usize {
    let defender = attacker.other();
    let pressed = unstoppable(board, defender).is_some();
    let mut list = List { moves, count: 0, whole: true };
    for wanted in [kind::FOUR_THREE, kind::TWO_THREES, kind::THREE, kind::FOUR, kind::SUSPECT] {
        if board.count(attacker, wanted) == 0 {
            continue;
        }
        for point in each(board.set(attacker, wanted)) {
            let Some(makes) = board.legal_kind(attacker, point).filter(|&kind| kind >= kind::THREE) else { continue };
            // Against a threat of his own only a four, or a three that stops it, helps.
            if pressed && makes < kind::FOUR && board.kind(defender, point) < kind::FOUR {
                continue;
            }
            let promise = board.promise_for(attacker, point) + board.promise_for(defender, point) / 4;
            list.add(promise - if makes == kind::FOUR { 100 } else { 0 }, point);
        }
    }
    list.sorted()
}

/// What may stop an open three: the points of the attacker's fours, and fours of the defender's own.
pub(super) fn parries(board: &Board, attacker: Side) -> Points {
    let mut points = *board.set(attacker, kind::OPEN_FOUR);
    for colour in Side::BOTH {
        for wanted in [kind::FOUR, kind::FOUR_THREE, kind::SUSPECT] {
            if board.count(colour, wanted) > 0 {
                points.iter_mut().zip(board.set(colour, wanted)).for_each(|(all, more)| *all |= more);
            }
        }
    }
    if board.minds_ends()
        && let Some(point) = unstoppable(board, attacker)
    {
        // Where ends count, a four is also stopped from beyond its fives.
        board.along_fours(attacker, point).into_iter().for_each(|point| points[point / 64] |= 1 << (point % 64));
    }
    points
}

/// Points with what they promise, as many as there is room for.
struct List<'a, const ROOM: usize> {
    moves: &'a mut [(i32, u16); ROOM],
    count: usize,
    /// Whether there was room for all.
    whole: bool,
}

impl<const ROOM: usize> List<'_, ROOM> {
    fn add(&mut self, promise: i32, point: usize) {
        self.whole &= self.count < ROOM;
        if self.count < ROOM {
            self.moves[self.count] = (promise, point as u16);
            self.count += 1;
        }
    }

    /// The most promising first; how many there are.
    fn sorted(self) -> usize {
        self.moves[..self.count].sort_unstable_by(|a, b| b.cmp(a));
        self.count
    }
}

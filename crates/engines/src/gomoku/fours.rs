//! Winning by fours alone: the enemy's every reply is forced, so very long wins are found in few positions.

use games::Side;

use super::board::{Board, each};
use super::values::kind;
use crate::kit::{Budget, Failures};

/// The longest win looked for, in fours.
const DEEPEST: usize = 64;

/// The solver, with what it remembers.
pub(super) struct Fours {
    failed: Failures,
    /// Positions looked at since the search began.
    pub(super) nodes: u64,
    stop_at: u64,
    gave_up: bool,
    /// The win found, last stone first.
    line: Vec<usize>,
}

impl Fours {
    /// A solver that remembers failures in about so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { failed: Failures::new(bytes), nodes: 0, stop_at: 0, gave_up: false, line: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.failed.clear();
    }

    /// How many plies a win by fours of this colour takes, if it is to move and one is found within the effort.
    pub(super) fn find(&mut self, board: &mut Board, attacker: Side, effort: u32, budget: &Budget) -> Option<i32> {
        self.line.clear();
        self.stop_at = self.nodes + u64::from(effort);
        self.gave_up = false;
        self.attack(board, attacker, effort, 0, budget)
    }

    /// The win found last, its first stone first.
    pub(super) fn line(&self) -> impl Iterator<Item = usize> + '_ {
        self.line.iter().rev().copied()
    }

    /// The win found last, its last stone first.
    pub(super) fn line_from_end(&self) -> &[usize] {
        &self.line
    }

    fn attack(&mut self, board: &mut Board, attacker: Side, effort: u32, depth: usize, budget: &Budget) -> Option<i32> {
        let defender = attacker.other();
        if board.count(attacker, kind::FIVE) > 0 {
            self.line.extend(each(board.set(attacker, kind::FIVE)).next());
            return Some(1);
        }
        let must = match board.count(defender, kind::FIVE) {
            0 => None,
            1 => each(board.set(defender, kind::FIVE)).next(),
            _ => return None,
        };
        let mut moves = [(0_i32, 0_u16); 32];
        let found = gather(board, attacker, must, &mut moves);
        if let Some(point) = found.unstoppable {
            self.line.push(point);
            return Some(3);
        }
        if found.count == 0 || depth >= DEEPEST {
            return None;
        }
        self.nodes += 1;
        // Where ends count, a four may be stopped in several ways, and each is tried.
        let seldom = if board.minds_ends() { 16 } else { 64 };
        let late = self.nodes.is_multiple_of(seldom) && budget.is_over(0);
        if self.nodes >= self.stop_at || late {
            self.gave_up = true;
            return None;
        }
        let hash = board.stones_key() ^ if attacker == Side::Black { 0 } else { 0x5851_f42d_4c95_7f2d };
        if self.failed.knows(hash, effort) {
            return None;
        }
        let moves = &mut moves[..found.count];
        moves.sort_unstable_by(|a, b| b.cmp(a));
        for &(_, point) in moves.iter() {
            let point = usize::from(point);
            board.place(attacker, point);
            let won = self.answered(board, attacker, effort, depth, budget);
            board.lift();
            if let Some(plies) = won {
                self.line.push(point);
                return Some(plies + 1);
            }
            if self.gave_up {
                break;
            }
        }
        self.failed.note(hash, if self.gave_up { effort } else { Failures::WHOLE });
        None
    }

    /// How many plies the win takes from here, if every reply to the four just made loses.
    fn answered(
        &mut self,
        board: &mut Board,
        attacker: Side,
        effort: u32,
        depth: usize,
        budget: &Budget,
    ) -> Option<i32> {
        let defender = attacker.other();
        if board.count(defender, kind::FIVE) > 0 {
            return None;
        }
        let five = each(board.set(attacker, kind::FIVE)).next()?;
        let several = board.count(attacker, kind::FIVE) > 1;
        if !board.minds_ends() {
            // Renju's Black cannot even stop a four where its fifth point is forbidden to him.
            if several || !board.is_legal(defender, five) {
                self.line.push(five);
                return Some(2);
            }
            return self.after(board, attacker, five, effort, depth, budget);
        }
        let mut longest = 2;
        let mut chosen = Vec::new();
        for reply in stops(board, attacker) {
            let kept = self.line.len();
            let plies = self.after(board, attacker, reply, effort, depth, budget)?;
            let line = self.line.split_off(kept);
            if plies >= longest {
                (longest, chosen) = (plies, line);
            }
        }
        self.line.append(&mut chosen);
        Some(longest)
    }

    fn after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        reply: usize,
        effort: u32,
        depth: usize,
        budget: &Budget,
    ) -> Option<i32> {
        board.place(attacker.other(), reply);
        let won = self.attack(board, attacker, effort, depth + 1, budget);
        board.lift();
        let plies = won?;
        self.line.push(reply);
        Some(plies + 1)
    }
}

/// Every stone of the other colour after which this one has no five any more.
pub(super) fn stops(board: &mut Board, attacker: Side) -> Vec<usize> {
    let defender = attacker.other();
    let fives: Vec<usize> = each(board.set(attacker, kind::FIVE)).collect();
    if !board.minds_ends() {
        return match *fives {
            [five] if board.is_legal(defender, five) => vec![five],
            _ => Vec::new(),
        };
    }
    let Some(&five) = fives.first() else { return Vec::new() };
    let mut stops: Vec<usize> = std::iter::once(five).chain(board.ends_of_five(attacker, five)).collect();
    // Of several fives each must be stopped, also of those that one stone would make in two directions.
    if fives.len() == 1 && board.fives_at(attacker, five) == 1 {
        return stops;
    }
    stops.retain(|&point| {
        board.place(defender, point);
        let stopped = board.count(attacker, kind::FIVE) == 0;
        board.lift();
        stopped
    });
    stops
}

struct Found {
    /// A four that cannot be stopped, where nothing else must be done.
    unstoppable: Option<usize>,
    count: usize,
}

/// The fours of a colour, on the one point where it must play, if there is one.
fn gather(board: &Board, attacker: Side, must: Option<usize>, moves: &mut [(i32, u16); 32]) -> Found {
    let mut found = Found { unstoppable: None, count: 0 };
    let mut add = |point: usize, kind: u8| {
        if found.count < moves.len() && kind >= kind::FOUR {
            moves[found.count] = (board.promise_for(attacker, point) + (i32::from(kind) << 12), point as u16);
            found.count += 1;
        }
    };
    if let Some(point) = must {
        if let Some(kind) = board.legal_kind(attacker, point) {
            add(point, kind);
        }
        return found;
    }
    if board.count(attacker, kind::OPEN_FOUR) > 0 {
        found.unstoppable = each(board.set(attacker, kind::OPEN_FOUR)).next();
        return found;
    }
    for kind in [kind::FOUR_THREE, kind::FOUR] {
        if board.count(attacker, kind) > 0 {
            each(board.set(attacker, kind)).for_each(|point| add(point, kind));
        }
    }
    let mut unstoppable = None;
    if board.has_fouls(attacker) {
        for point in each(board.set(attacker, kind::SUSPECT)) {
            match board.legal_kind(attacker, point) {
                Some(kind::OPEN_FOUR) => unstoppable = Some(point),
                Some(kind) => add(point, kind),
                None => {}
            }
        }
    }
    found.unstoppable = unstoppable;
    found
}

#[cfg(test)]
mod tests {
    use games::Game as _;
    use games::gomoku::{Gomoku, GomokuVariant, Rule};
    use games::random::below;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Where ends count, a five can also be taken away from beyond it; whatever stops one must be among what is tried.
    #[test]
    fn what_stops_a_five_is_what_does_when_every_point_is_tried() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        let (mut asked, mut several) = (0, 0);
        for rule in [Rule::CARO, Rule::EXACT.and(Rule::CARO)] {
            for _ in 0..150 {
                let mut board = Board::new(&Gomoku::new(&GomokuVariant { size: 9, rule, ..GomokuVariant::default() }));
                for _ in 0..60 {
                    let free: Vec<usize> = each(board.free()).collect();
                    let point = free[below(&mut rng, free.len() as u32) as usize];
                    board.place(if below(&mut rng, 3) == 0 { Side::White } else { Side::Black }, point);
                    if board.count(Side::Black, kind::FIVE) == 0 {
                        continue;
                    }
                    let mut every: Vec<usize> = each(board.free()).collect();
                    every.retain(|&point| {
                        board.place(Side::White, point);
                        let stopped = board.count(Side::Black, kind::FIVE) == 0;
                        board.lift();
                        stopped
                    });
                    let mut found = stops(&mut board, Side::Black);
                    found.sort_unstable();
                    assert_eq!(found, every, "{rule:?}");
                    asked += 1;
                    several += usize::from(found.len() > 1);
                }
            }
        }
        assert!(asked > 1000 && several > 20, "{asked} asked, {several} with several answers");
    }
}

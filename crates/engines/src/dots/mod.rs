//! Dots and Boxes: exact play once few lines are left, before that a tree search whose playouts end in exact play.

mod net;
mod solver;
mod tree;

use games::dots::{Dots, Line, Lines};
use games::{Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Settings;
use crate::kit::alpha_beta::WIN_FLOOR;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};
use net::{Cut, Net};
use solver::Solver;
use tree::{State, Step, Tree};

/// Six levels, weakest first.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength::of(60, 400),
    Strength::of(200, 230),
    Strength::of(600, 110),
    Strength::of(1_800, 40),
    Strength::of(5_500, 10),
    Strength::of(16_000, 0),
];

/// With more free lines than this solving is not tried.
const HOPELESS: u32 = 42;
/// With at most this many most of the time goes into solving.
const HOPEFUL: u32 = 36;

/// A player of this strength.
#[must_use]
pub fn player(name: String, strength: Strength, settings: &Settings) -> SeatPlayer<Dots, DotsMind> {
    SeatPlayer::new(name, DotsMind::new(settings), strength, settings)
}

/// What the player thinks with.
pub struct DotsMind {
    solver: Solver,
    rng: Xoshiro256PlusPlus,
    tree_bytes: usize,
    solves: bool,
}

/// The start of a turn: what is taken without a choice, and what may be taken or left.
struct Turn {
    taken: Lines,
    /// The line that leaves the boxes on offer, and the lines that take them.
    leaving: Option<u8>,
    offered: Lines,
    /// What is left when everything is taken.
    state: State,
}

impl Turn {
    fn of(game: &Dots) -> Self {
        let mut net = Net::of(game);
        let mut turn = Self {
            taken: Lines::new(),
            leaving: None,
            offered: Lines::new(),
            state: State { net, ahead: 0, offered: 0 },
        };
        let harvest = net.harvest(|cut| match cut {
            Cut::Take(line) => {
                turn.taken.push(Line::from_bit(u32::from(line)));
            }
            Cut::Offer { leaving } => turn.leaving = Some(leaving),
            Cut::Offered(line) => {
                turn.offered.push(Line::from_bit(u32::from(line)));
            }
        });
        let owned = |side: Side| game.owned(side).count_ones() as i32;
        let ahead = owned(game.to_move()) - owned(game.to_move().other()) + i32::from(harvest.taken);
        turn.state = State { net, ahead, offered: i32::from(harvest.offered) };
        turn
    }

    /// The ply that takes everything and then draws this line.
    fn taking(&self, last: Option<u8>) -> Lines {
        let mut ply = self.taken;
        self.offered.iter().for_each(|line| {
            ply.push(line);
        });
        if let Some(line) = last {
            ply.push(Line::from_bit(u32::from(line)));
        }
        ply
    }

    /// The ply that leaves what is on offer.
    fn leaving(&self, line: u8) -> Lines {
        let mut ply = self.taken;
        ply.push(Line::from_bit(u32::from(line)));
        ply
    }
}

impl DotsMind {
    /// A mind within these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            solver: Solver::new(settings.memory / 2),
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            tree_bytes: settings.memory / 4,
            solves: settings.uses("solver"),
        }
    }

    /// The final difference of boxes with best play for the side to move, if it is found within the budget.
    pub fn solve(&mut self, game: &Dots, budget: &Budget) -> Option<i32> {
        let turn = Turn::of(game);
        let State { net, ahead, offered } = turn.state;
        self.solver.begin(all_boxes(game), &net);
        self.solver.restart();
        let (low, high) = self.solver.bounds(&net, 1 - ahead - offered, budget);
        (low == high).then(|| ahead + if offered > 0 { (offered + low).abs() } else { low })
    }

    /// Whether the side to move wins with best play, and how many positions that took, if it is found within the budget.
    pub fn wins(&mut self, game: &Dots, budget: &Budget) -> Option<(bool, u64)> {
        let State { net, ahead, offered } = Turn::of(game).state;
        self.solver.begin(all_boxes(game), &net);
        self.solver.restart();
        let more = 1 - ahead;
        let wins = self.solver.at_least(&net, more - offered, budget)
            || offered > 0 && !self.solver.at_least(&net, 1 - offered - more, budget);
        (!self.solver.stopped).then_some((wins, self.solver.nodes))
    }

    /// A ply that is best beyond doubt.
    fn solved(&mut self, turn: &Turn, budget: &Budget) -> Option<Thought<Lines>> {
        let State { net, ahead, offered } = turn.state;
        self.solver.restart();
        let (low, high) = self.solver.bounds(&net, 1 - ahead - offered, budget);
        let thought = |nodes: u64, ply: Lines, total: i32| {
            let score = total * 100 + total.signum() * WIN_FLOOR;
            Thought { ply, score, depth: net.count_lines(), nodes, line: vec![ply] }
        };
        let total = ahead + offered + low;
        // Leaving the boxes turns the sign of everything that follows.
        let left = ahead - offered - low;
        if let Some(line) = turn.leaving
            && low == high
            && left > total
        {
            return Some(thought(self.solver.nodes, turn.leaving(line), left));
        }
        if net.boxes == 0 {
            return Some(thought(self.solver.nodes, turn.taking(None), total));
        }
        // A win whose margin is not known yet is left to the tree, which finds it in the solver's table.
        if low < high {
            return None;
        }
        let choices = self.solver.choices(&net);
        let best = choices.iter().find(|choice| self.solver.good(&net, choice, low, budget) && !self.solver.stopped)?;
        Some(thought(self.solver.nodes, turn.taking(Some(best.line)), total))
    }
}

/// The boxes of the board.
fn all_boxes(game: &Dots) -> u64 {
    game.unowned() | game.owned(Side::Black) | game.owned(Side::White)
}

impl Mind<Dots> for DotsMind {
    fn choose(&mut self, game: &Dots, budget: &Budget) -> Option<Thought<Lines>> {
        if game.free_lines() == 0 {
            return None;
        }
        let turn = Turn::of(game);
        self.solver.begin(all_boxes(game), &turn.state.net);
        let lines = turn.state.net.count_lines();
        let mut nodes = 0;
        if self.solves && lines <= HOPELESS {
            let share = if lines <= HOPEFUL { 0.7 } else { 0.25 };
            if let Some(thought) = self.solved(&turn, &budget.part(share)) {
                return Some(thought);
            }
            nodes = self.solver.nodes;
        }
        let found = Tree::new(&mut self.solver, &mut self.rng, self.tree_bytes).search(turn.state, &budget.rest());
        let ply = match (found.steps.as_slice(), turn.leaving) {
            ([Step::Leave, ..], Some(line)) => turn.leaving(line),
            ([.., Step::Draw(line)], _) => turn.taking(Some(*line)),
            // Everything that is left is taken at once.
            _ if turn.state.net.boxes == 0 => turn.taking(None),
            _ => return None,
        };
        // In hundredths of a logit, as the learned players of other games have it.
        let score = (200.0 * ((found.chance - 0.5) * 2.0).clamp(-0.9999, 0.9999).atanh()) as i32;
        Some(Thought { ply, score, depth: found.depth, nodes: nodes + found.nodes, line: vec![ply] })
    }

    fn plies_left(&self, game: &Dots) -> u32 {
        // The end of the game needs hardly any time.
        (game.free_lines().count_ones() / 2).saturating_sub(10).max(4)
    }
}

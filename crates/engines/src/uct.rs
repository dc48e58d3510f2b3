//! The baseline `uct`: a general game player, which knows nothing of a game but its rules.
//!
//! Monte-Carlo tree search as in every textbook: the child with the highest upper confidence bound is followed, a leaf
//! grows all its children, and random plies to the end of the game say what it is worth.

use std::ops::ControlFlow;

use games::random::below;
use games::{End, Game, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Settings;
use crate::kit::{Budget, Mind, SeatPlayer, Strength, Thought};

/// How much is explored: the textbook's square root of two where a win is 1 and a loss -1.
const EXPLORE: f32 = 0.707;
/// A playout that has not ended by then is a draw.
const LONGEST: u32 = 1000;

/// A player that looks as long as it may.
#[must_use]
pub(crate) fn player<G: Game>(name: String, settings: &Settings) -> Box<dyn protocols::Player> {
    Box::new(SeatPlayer::<G, _>::new(name, UctMind::<G>::new(settings), Strength::FULL, settings))
}

/// A position in the tree, with those that follow it.
#[derive(Debug, Clone, Copy)]
struct Node<P> {
    /// The ply that leads to it; none at the root.
    ply: Option<P>,
    /// What playouts through it came to for the side that made the ply: 1 a win, 0.5 a draw.
    sum: f32,
    visits: u32,
    first: u32,
    count: u32,
}

impl<P> Node<P> {
    const fn new(ply: Option<P>) -> Self {
        Self { ply, sum: 0.0, visits: 0, first: 0, count: 0 }
    }

    fn mean(&self) -> f32 {
        self.sum / self.visits.max(1) as f32
    }
}

/// What the baseline thinks with.
pub(crate) struct UctMind<G: Game> {
    nodes: Vec<Node<G::Ply>>,
    most: usize,
    /// The nodes from the root to where the search is, each with the side that made its ply.
    path: Vec<(usize, Side)>,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game> UctMind<G> {
    fn new(settings: &Settings) -> Self {
        // A growing vector takes for a moment half as much again.
        let most = settings.memory / 3 / size_of::<Node<G::Ply>>();
        let rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        Self { nodes: Vec::new(), most, path: Vec::new(), rng }
    }

    /// One walk from the root, a playout, and the way back.
    fn visit(&mut self, mut game: G) {
        self.path.clear();
        self.path.push((0, game.to_move().other()));
        let mut at = 0;
        loop {
            if self.nodes[at].count == 0 && (at == 0 || self.nodes[at].visits > 0) {
                self.grow(at, &game);
            }
            let node = &self.nodes[at];
            if node.count == 0 {
                break;
            }
            at = self.select(at);
            let mover = game.to_move();
            if let Some(ply) = self.nodes[at].ply {
                game.apply(ply, End::Played);
            }
            self.path.push((at, mover));
            if self.nodes[at].visits == 0 {
                break;
            }
        }
        let winner = self.playout(game);
        for &(at, mover) in &self.path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
        }
    }

    /// Adds every legal ply, in random order: which of the unvisited comes first must not depend on the board.
    fn grow(&mut self, at: usize, game: &G) {
        let first = self.nodes.len();
        let _ = game.visit_legal(|ply| {
            self.nodes.push(Node::new(Some(ply)));
            if self.nodes.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if self.nodes.len() >= self.most && at != 0 {
            // No room for all of them: the tree stays as it is.
            self.nodes.truncate(first);
            return;
        }
        let count = self.nodes.len() - first;
        for index in (1..count).rev() {
            let other = below(&mut self.rng, index as u32 + 1) as usize;
            self.nodes.swap(first + index, first + other);
        }
        (self.nodes[at].first, self.nodes[at].count) = (first as u32, count as u32);
    }

    /// The child to follow: one that nobody followed yet, else the one with the highest bound.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let logarithm = (node.visits.max(1) as f32).ln();
        let (mut chosen, mut highest) = (node.first as usize, f32::NEG_INFINITY);
        for index in self.children(at) {
            let child = &self.nodes[index];
            if child.visits == 0 {
                return index;
            }
            let bound = child.mean() + EXPLORE * (logarithm / child.visits as f32).sqrt();
            if bound > highest {
                (chosen, highest) = (index, bound);
            }
        }
        chosen
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let first = self.nodes[at].first as usize;
        first..first + self.nodes[at].count as usize
    }

    /// Random plies to the end; who wins.
    fn playout(&mut self, mut game: G) -> Option<Side> {
        for _ in 0..LONGEST {
            if let Some(verdict) = game.verdict() {
                return verdict.winner;
            }
            let ply = game.random_ply(&mut self.rng)?;
            game.apply(ply, End::Played);
        }
        None
    }

    /// The most visited child.
    fn favourite(&self, at: usize) -> Option<usize> {
        self.children(at).max_by_key(|&index| self.nodes[index].visits).filter(|&index| self.nodes[index].visits > 0)
    }
}

impl<G: Game> Mind<G> for UctMind<G> {
    fn choose(&mut self, game: &G, budget: &Budget) -> Option<Thought<G::Ply>> {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        let mut playouts = 0;
        loop {
            self.visit(game.clone());
            playouts += 1;
            if budget.is_over(playouts) || !budget.allows(playouts, 0.0) {
                break;
            }
        }
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(next) = self.favourite(at) {
            line.extend(self.nodes[next].ply);
            at = next;
        }
        let chance = self.nodes[self.favourite(0)?].mean().clamp(0.001, 0.999);
        let score = ((chance / (1.0 - chance)).ln() * 100.0) as i32;
        Some(Thought { ply: *line.first()?, score, depth: line.len() as u32, nodes: playouts, line })
    }

    fn plies_left(&self, _game: &G) -> u32 {
        30
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Gomoku;
    use games::nogo::NoGo;

    use super::*;

    fn chosen<G: Game>(game: &G, seed: u64, playouts: u64) -> Thought<G::Ply> {
        let mut mind = UctMind::<G>::new(&Settings { memory: 16 << 20, ..Settings::with_seed(seed) });
        mind.choose(game, &Budget::of_nodes(playouts)).expect("a ply")
    }

    #[test]
    fn it_takes_a_win_in_one() {
        let mut game = Gomoku::new(&Default::default());
        for ply in ["7,7", "0,0", "7,8", "0,1", "7,9", "0,2", "7,10", "0,4"] {
            let ply = game.read_ply(ply).expect("a ply");
            game.play(ply).expect("a legal ply");
        }
        let thought = chosen(&game, 1, 3000);
        game.apply(thought.ply, End::Played);
        assert_eq!(game.verdict().and_then(|verdict| verdict.winner), Some(Side::Black));
    }

    #[test]
    fn the_same_seed_plays_the_same() {
        let game = NoGo::new(&Default::default());
        assert_eq!(chosen(&game, 7, 500), chosen(&game, 7, 500));
        assert_eq!(chosen(&game, 7, 500).nodes, 500);
    }

    #[test]
    fn a_tree_without_room_still_answers() {
        let mut mind = UctMind::<NoGo>::new(&Settings { memory: 6000, ..Settings::with_seed(1) });
        let game = NoGo::new(&Default::default());
        assert!(mind.choose(&game, &Budget::of_nodes(2000)).is_some());
        assert!(mind.nodes.len() <= mind.most);
    }
}

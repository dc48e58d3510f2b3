//! Swap2: three stones that favour nobody, and the choice of the better colour.

use games::gomoku::{Gomoku, Ply, Point};
use games::random::below;
use games::{End, Game as _};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::GomokuMind;
use crate::kit::{Budget, Thought};

/// How many openings are weighed against each other.
const OPENINGS: u32 = 10;

/// Whether three stones are to be placed.
pub(super) fn places_three(game: &Gomoku) -> bool {
    let [first, second, third] = [0, 1, 2].map(|x| Point::new(x, 0));
    game.plies() == 0 && game.judge(Ply::Three([first, second, third])) == Ok(End::Played)
}

/// Three stones after which neither colour seems better, among some chosen by the seed: the enemy will take the better one.
pub(super) fn place_three(mind: &mut GomokuMind, game: &Gomoku, budget: &Budget) -> Option<Thought<Ply>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(mind.seed);
    let mut best: Option<Thought<Ply>> = None;
    let mut nodes = 0;
    for _ in 0..OPENINGS {
        let ply = Ply::Three(three(game, &mut rng));
        if game.judge(ply) != Ok(End::Played) {
            continue;
        }
        let mut child = game.clone();
        child.apply(ply, End::Played);
        let Some(white) = mind.play(&child, &budget.part(1.0 / f64::from(OPENINGS))) else { continue };
        nodes += white.nodes;
        // The enemy takes the better colour: what is left for us is the worse.
        let score = -white.score.abs();
        if best.as_ref().is_none_or(|best| score > best.score) {
            best = Some(Thought { ply, score, depth: white.depth, nodes, line: vec![ply] });
        }
        if budget.is_over(nodes) {
            break;
        }
    }
    best.map(|thought| Thought { nodes, ..thought })
}

/// Black, white and black within a small square that is off the middle, where Black's advantage is smaller.
fn three(game: &Gomoku, rng: &mut Xoshiro256PlusPlus) -> [Point; 3] {
    let spread = 5.min(game.width()).min(game.height());
    let corner = |side: usize, rng: &mut Xoshiro256PlusPlus| below(rng, ((side - spread) / 2 + 1) as u32) as usize;
    let (left, top) = (corner(game.width(), rng), corner(game.height(), rng));
    let mut points: Vec<Point> = Vec::new();
    while points.len() < 3 {
        let mut within = || below(rng, spread as u32) as usize;
        let point = Point::new(left + within(), top + within());
        if !points.contains(&point) {
            points.push(point);
        }
    }
    [points[0], points[1], points[2]]
}

/// White to move and a choice of colours: White is kept if it stands better, and left otherwise.
pub(super) fn choose_colour(mind: &mut GomokuMind, game: &Gomoku, budget: &Budget) -> Option<Thought<Ply>> {
    let white = mind.play(game, budget)?;
    if white.score >= 0 {
        return Some(white);
    }
    let mut line = vec![Ply::Swap];
    line.extend(&white.line);
    Some(Thought { ply: Ply::Swap, score: -white.score, depth: white.depth, nodes: white.nodes, line })
}

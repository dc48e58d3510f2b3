//! Dots and Boxes: the player's exact play against a brute force that knows nothing but the rules.

use std::collections::HashMap;

use engines::Settings;
use engines::dots::DotsMind;
use engines::kit::{Budget, Mind as _};
use games::dots::{Dots, DotsVariant, Line};
use games::{End, Game as _, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The best final difference for the side to move, of boxes not owned yet, line by line.
fn brute_force(game: &mut Dots, known: &mut HashMap<u128, i32>) -> i32 {
    let free = game.free_lines();
    if free == 0 {
        return 0;
    }
    if let Some(&value) = known.get(&free) {
        return value;
    }
    let mut best = i32::MIN;
    for bit in (0..128).filter(|bit| free >> bit & 1 == 1) {
        let closed = game.draw_line(Line::from_bit(bit)) as i32;
        let rest = brute_force(game, known);
        game.undo_line(Line::from_bit(bit));
        best = best.max(if closed > 0 { closed + rest } else { -rest });
    }
    known.insert(free, best);
    best
}

fn ahead(game: &Dots) -> i32 {
    let owned = |side: Side| game.owned(side).count_ones() as i32;
    owned(game.to_move()) - owned(game.to_move().other())
}

/// A random position with this many free lines, reached line by line.
fn random_position(rows: u8, cols: u8, lines: u32, rng: &mut Xoshiro256PlusPlus) -> Dots {
    let mut game = Dots::new(&DotsVariant { rows, cols });
    while game.free_lines().count_ones() > lines {
        let free = game.free_lines();
        // Half of the lines complete no box and open none while there are such, so that long chains come about.
        let quiet = free & !game.completing_lines();
        let from = if quiet != 0 && games::random::below(rng, 8) > 0 { quiet } else { free };
        let bit = games::random::nth_bit_wide(from, games::random::below(rng, from.count_ones()));
        game.draw_line(Line::from_bit(bit));
    }
    game
}

#[test]
fn late_positions_are_solved_as_brute_force_solves_them_and_the_ply_keeps_the_value() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut mind = DotsMind::new(&Settings { memory: 8 << 20, ..Settings::with_seed(1) });
    for round in 0..900_u32 {
        let (rows, cols) = [(6, 6), (4, 5), (3, 8), (8, 8), (2, 8), (5, 3)][round as usize % 6];
        let game = random_position(rows, cols, 1 + round % 12, &mut rng);
        let mut known = HashMap::new();
        let value = brute_force(&mut game.clone(), &mut known) + ahead(&game);
        assert_eq!(mind.solve(&game, &Budget::of_nodes(u64::MAX)), Some(value), "{game:?}");
        let thought = mind.choose(&game, &Budget::of_nodes(u64::MAX)).expect("a ply");
        assert_eq!(game.judge(thought.ply), Ok(End::Played), "{game:?}");
        let mut after = game;
        after.apply(thought.ply, End::Played);
        let left = brute_force(&mut after.clone(), &mut known) + ahead(&after);
        assert_eq!(-left, value, "{game:?} {:?}", thought.ply);
    }
}

#[test]
fn small_boards_have_the_values_of_the_rules() {
    let mut mind = DotsMind::new(&Settings { memory: 32 << 20, ..Settings::with_seed(1) });
    for (height, width, value) in [(1, 1, -1), (2, 2, 2), (2, 3, -2), (2, 4, 2), (3, 3, -3), (2, 5, -2)] {
        let game = Dots::new(&DotsVariant { rows: height + 1, cols: width + 1 });
        assert_eq!(mind.solve(&game, &Budget::of_nodes(u64::MAX)), Some(value), "{height}×{width}");
    }
}

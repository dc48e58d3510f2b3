//! The hot path allocates nothing per ply: a thousand random games take no more memory from the heap than their start.

use games::{GAMES, read_pairs};

#[test]
fn random_games_do_not_allocate_per_ply() {
    for game in GAMES {
        let default: &[&str] = &[];
        for pairs in std::iter::once(default).chain(game.facts().samples.iter().copied()) {
            let variant = read_pairs(pairs.iter().copied()).unwrap();
            let mut plies = 0;
            let mut run = |games: u32| {
                let mut left = games;
                allocation_counter::measure(|| {
                    let played = game.playouts(&variant, 7, &mut || {
                        left -= 1;
                        left == 0
                    });
                    plies = played.unwrap().plies;
                })
                .count_total
            };
            // Buffers may grow during the first games; after that a game more costs nothing.
            let (few, many) = (run(50), run(250));
            assert!(many <= few + 20, "{} {pairs:?}: {few} allocations in 50 games, {many} in 250", game.facts().id);
            assert!(plies > 250, "{}", game.facts().id);
        }
    }
}

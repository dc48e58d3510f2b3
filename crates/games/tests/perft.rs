//! Counts every position of `tests/perft/*.perft` as deep as is cheap; `cargo xtask perft` counts all of it.

use std::path::Path;

/// A depth with more leaves than this is left to `cargo xtask perft`.
const CHEAP: u64 = 40_000_000;

#[test]
fn every_perft_file_counts_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut counted = 0;
    for game in games::GAMES {
        let id = game.facts().id;
        let text = std::fs::read_to_string(folder.join(format!("{id}.perft"))).unwrap_or_else(|error| {
            panic!("every game has a perft file, {id} has none: {error}");
        });
        for case in games::perft_file::read(&text).unwrap_or_else(|error| panic!("{id}.perft: {error}")) {
            let table = game.open(&case.variant, case.position.as_deref()).unwrap_or_else(|error| {
                panic!("{id}.perft line {}: {error}", case.line);
            });
            for (depth, &leaves) in (1..).zip(&case.leaves).take_while(|&(_, &leaves)| leaves <= CHEAP) {
                assert_eq!(table.perft(depth), leaves, "{id}.perft line {} at depth {depth}", case.line);
                counted += 1;
            }
        }
    }
    assert!(counted >= games::GAMES.len() * 3, "only {counted} counts were checked");
}

//! Connect6: wins and blocks of one ply, and wins by threats that take both of the enemy's stones.

use engines::Settings;
use engines::connect6::Connect6Mind;
use engines::kit::{Budget, Mind as _};
use games::connect6::{Connect6, Connect6Variant, Stones};
use games::random::below;
use games::{End, Eyes, Game as _, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A mind of little memory.
pub(crate) fn mind() -> Connect6Mind {
    Connect6Mind::new(&Settings { memory: 4 << 20, ..Settings::with_seed(1) })
}

/// A position of stones played at random, mostly next to others, in which nobody has won.
pub(crate) fn crowded(size: u8, plies: u32, rng: &mut Xoshiro256PlusPlus) -> Connect6 {
    let mut game = Connect6::new(&Connect6Variant { size, ..Connect6Variant::default() });
    let edge = u32::from(size);
    let mut played: Vec<u16> = Vec::new();
    while game.plies() < plies {
        let mut stone = || {
            let near = played.get(below(rng, played.len().max(1) as u32 * 5 / 4) as usize).copied();
            let (x, y) = match near {
                Some(near) => {
                    let mut beside = |at: u16| (u32::from(at) + below(rng, 5)).saturating_sub(2).min(edge - 1);
                    (beside(near % 32), beside(near / 32))
                }
                None => (below(rng, edge), below(rng, edge)),
            };
            (y * 32 + x) as u16
        };
        let ply = if game.stones_due() == 1 { Stones::one(stone()) } else { Stones::two(stone(), stone()) };
        if game.judge(ply) != Ok(End::Played) {
            continue;
        }
        let memo = game.apply(ply, End::Played);
        if game.verdict().is_some() {
            game.undo(memo);
        } else {
            played.push(ply.first());
            played.extend(ply.second());
        }
    }
    game
}

/// What a side lacks on each line that it could complete with one ply: the empty points, one or two.
fn threats(game: &Connect6, side: Side) -> Vec<Vec<u16>> {
    let size = game.size() as i32;
    let mut found = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for start in 0..size * size {
            let line: Vec<(i32, i32)> =
                (0..6).map(|step| (start % size + dx * step, start / size + dy * step)).collect();
            if line.iter().any(|&(x, y)| !(0..size).contains(&x) || !(0..size).contains(&y)) {
                continue;
            }
            let line: Vec<u16> = line.into_iter().map(|(x, y)| (y * 32 + x) as u16).collect();
            let missing: Vec<u16> = line.iter().copied().filter(|&point| game.side_at(point).is_none()).collect();
            let own = line.iter().filter(|&&point| game.side_at(point) == Some(side)).count();
            if own + missing.len() == 6 && missing.len() <= 2 {
                found.push(missing);
            }
        }
    }
    found
}

/// The pairs that stop all these threats; a second stone that may stand anywhere is left out.
fn stops(threats: &[Vec<u16>]) -> Vec<(u16, Option<u16>)> {
    let mut points: Vec<u16> = threats.iter().flatten().copied().collect();
    points.sort_unstable();
    points.dedup();
    let stop = |stones: &[u16]| threats.iter().all(|line| line.iter().any(|point| stones.contains(point)));
    let mut found = Vec::new();
    for (index, &first) in points.iter().enumerate() {
        if stop(&[first]) {
            found.push((first, None));
        }
        found.extend(
            points[index + 1..].iter().filter(|&&second| stop(&[first, second])).map(|&second| (first, Some(second))),
        );
    }
    found
}

/// How many positions asked for a win or a block of one ply, out of those looked at.
///
/// # Panics
/// When one is missed.
pub(crate) fn never_misses_one(count: u32, nodes: u64, rng: &mut Xoshiro256PlusPlus) -> u32 {
    let mut mind = mind();
    let mut asked = 0;
    for number in 0..count {
        let game = crowded(if number % 2 == 0 { 19 } else { 11 }, 5 + below(rng, 14), rng);
        let own = game.to_move();
        let (mine, theirs) = (threats(&game, own), threats(&game, own.other()));
        mind.forget();
        let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("there are legal plies");
        let mut after = game.clone();
        assert_eq!(after.judge(thought.ply), Ok(End::Played), "{thought:?}: {}", text(&game));
        after.apply(thought.ply, End::Played);
        if !mine.is_empty() {
            asked += 1;
            let won = after.verdict().is_some_and(|verdict| verdict.winner == Some(own));
            assert!(won, "{thought:?} does not win: {}", text(&game));
        } else if !theirs.is_empty() && !stops(&theirs).is_empty() {
            asked += 1;
            assert!(threats(&after, own.other()).is_empty(), "{thought:?} does not block: {}", text(&game));
        }
    }
    asked
}

/// How many wins by threats were found and proven by playing them against every defence.
///
/// # Panics
/// When a win is not one.
pub(crate) fn proves_wins(count: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    let mut mind = mind();
    let mut proven = 0;
    for _ in 0..count * 100 {
        if proven == count {
            break;
        }
        let mut game = crowded(19, 5 + below(rng, 10), rng);
        let own = game.to_move();
        let already = !threats(&game, own).is_empty();
        if !already && mind.win_by_threats(&game, 300).is_some() {
            replay(&mut mind, &mut game, own);
            proven += 1;
        }
    }
    proven
}

fn replay(mind: &mut Connect6Mind, game: &mut Connect6, attacker: Side) {
    let ply = mind.win_by_threats(game, 5_000).unwrap_or_else(|| panic!("the win is gone: {}", text(game)));
    assert_eq!(game.judge(ply), Ok(End::Played), "{}", text(game));
    let memo = game.apply(ply, End::Played);
    match game.verdict() {
        Some(verdict) => assert_eq!(verdict.winner, Some(attacker)),
        None => {
            assert!(threats(game, attacker.other()).is_empty(), "the enemy wins first: {}", text(game));
            let lines = threats(game, attacker);
            assert!(!lines.is_empty(), "nothing is threatened: {}", text(game));
            // Whoever does not stop every threat loses at once: only the pairs that do are played on.
            for (first, second) in stops(&lines) {
                let second = second.unwrap_or_else(|| panic!("one stone stops everything: {}", text(game)));
                let memo = game.apply(Stones::two(first, second), End::Played);
                assert!(game.verdict().is_none(), "the reply wins: {}", text(game));
                replay(mind, game, attacker);
                game.undo(memo);
            }
        }
    }
    game.undo(memo);
}

fn text(game: &Connect6) -> String {
    let mut text = String::new();
    game.write_position(Eyes::All, &mut text);
    text
}

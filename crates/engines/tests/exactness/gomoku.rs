//! Gomoku: wins and blocks of one, and wins by fours.

use std::ops::ControlFlow;

use engines::Settings;
use engines::gomoku::GomokuMind;
use engines::kit::{Budget, Mind as _};
use games::gomoku::{Gomoku, GomokuVariant, Ply, Point, Rule};
use games::random::below;
use games::{End, Game as _, Side};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The rules under which a line ends the game.
pub(crate) const RULES: [Rule; 5] =
    [Rule::FREESTYLE, Rule::EXACT, Rule::RENJU, Rule::CARO, Rule::EXACT.and(Rule::CARO)];

/// A mind of little memory.
pub(crate) fn mind() -> GomokuMind {
    GomokuMind::new(&Settings { memory: 4 << 20, ..Settings::with_seed(1) })
}

/// A position of stones played at random, mostly next to others, in which nobody has won.
pub(crate) fn crowded(rule: Rule, size: u32, stones: u32, rng: &mut Xoshiro256PlusPlus) -> Gomoku {
    let mut game = Gomoku::new(&GomokuVariant { size, rule, ..GomokuVariant::default() });
    let mut played: Vec<Point> = Vec::new();
    for _ in 0..stones * 4 {
        if played.len() as u32 == stones {
            break;
        }
        let mut any = || Point::new(below(rng, size) as usize, below(rng, size) as usize);
        let mut point = any();
        if let Some(&near) = played.get(below(rng, played.len().max(1) as u32 * 5 / 4) as usize) {
            let mut beside = |at: u8| (usize::from(at) + below(rng, 5) as usize).wrapping_sub(2);
            point = Point::new(beside(near.x), beside(near.y));
        }
        if game.judge(Ply::One(point)) != Ok(End::Played) {
            continue;
        }
        let memo = game.apply(Ply::One(point), End::Played);
        if game.verdict().is_some() {
            game.undo(memo);
        } else {
            played.push(point);
        }
    }
    game
}

fn plies(game: &Gomoku) -> Vec<Ply> {
    let mut plies = Vec::new();
    let _ = game.visit_legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    plies
}

/// The plies that win at once.
pub(crate) fn wins(game: &mut Gomoku) -> Vec<Ply> {
    let mover = game.to_move();
    let mut found = plies(game);
    found.retain(|&ply| {
        let memo = game.apply(ply, End::Played);
        let won = game.verdict().is_some_and(|verdict| verdict.winner == Some(mover));
        game.undo(memo);
        won
    });
    found
}

/// The plies after which the enemy cannot win at once.
fn safe(game: &mut Gomoku) -> Vec<Ply> {
    let mut found = plies(game);
    found.retain(|&ply| {
        let memo = game.apply(ply, End::Played);
        let safe = game.verdict().is_some() || wins(game).is_empty();
        game.undo(memo);
        safe
    });
    found
}

/// How many positions asked for a win or a block of one, out of those looked at.
///
/// # Panics
/// When one is missed.
pub(crate) fn never_misses_one(count: u32, nodes: u64, rng: &mut Xoshiro256PlusPlus) -> u32 {
    let mut mind = mind();
    let mut asked = 0;
    for number in 0..count {
        let rule = RULES[number as usize % RULES.len()];
        let mut game = crowded(rule, 9 + number % 4, 12 + below(rng, 30), rng);
        let (winning, legal) = (wins(&mut game), plies(&game).len());
        if legal == 0 {
            continue;
        }
        mind.forget();
        let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("there are legal plies");
        if !winning.is_empty() {
            asked += 1;
            assert!(winning.contains(&thought.ply), "{thought:?} does not win: {}", text(&game));
            continue;
        }
        let blocks = safe(&mut game);
        if !blocks.is_empty() && blocks.len() < legal {
            asked += 1;
            assert!(blocks.contains(&thought.ply), "{thought:?} does not block: {}", text(&game));
        }
    }
    asked
}

/// Wins of one kind that the solvers claim.
struct Claim {
    size: u32,
    /// The fewest stones on the board, and how many more there may be.
    stones: [u32; 2],
    /// Whether a position is one to prove.
    wanted: fn(&mut GomokuMind, &Gomoku) -> bool,
    /// The win.
    find: fn(&mut GomokuMind, &Gomoku) -> Option<Vec<Ply>>,
    /// Whether what is left after a reply is a win of another kind.
    of_another: fn(&mut GomokuMind, &Gomoku) -> bool,
}

/// Wins by fours of some length.
static FOURS: Claim = Claim {
    size: 15,
    stones: [20, 40],
    wanted: |mind, game| mind.win_by_fours(game, 5000).is_some_and(|line| line.len() >= 5),
    find: |mind, game| mind.win_by_fours(game, 50_000),
    of_another: |_, _| false,
};

/// Wins that take open threes; most replies leave a win by fours.
static THREATS: Claim = Claim {
    size: 13,
    stones: [8, 20],
    wanted: |mind, game| mind.win_by_fours(game, 5000).is_none() && mind.win_by_threats(game, 300).is_some(),
    find: |mind, game| mind.win_by_threats(game, 20_000),
    of_another: |mind, game| mind.win_by_fours(game, 5000).is_some(),
};

/// How many wins by fours were found and proven by playing them against every defence.
///
/// # Panics
/// When a win is not one.
pub(crate) fn proves_wins(count: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    FOURS.proven(count, rng)
}

/// How many wins that take open threes were found and proven by playing them against every reply there is.
///
/// # Panics
/// When a win is not one.
pub(crate) fn proves_threats(count: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    THREATS.proven(count, rng)
}

impl Claim {
    fn proven(&self, count: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
        let mut mind = mind();
        let mut proven = 0;
        for number in 0..count * 100 {
            if proven == count {
                break;
            }
            let rule = RULES[number as usize % RULES.len()];
            let [fewest, more] = self.stones;
            let mut game = crowded(rule, self.size, fewest + below(rng, more), rng);
            if (self.wanted)(&mut mind, &game) {
                let attacker = game.to_move();
                self.replay(&mut mind, &mut game, attacker);
                proven += 1;
            }
        }
        proven
    }

    /// The attacker's stone, and then every reply that does not leave a win of one or of another kind.
    fn replay(&self, mind: &mut GomokuMind, game: &mut Gomoku, attacker: Side) {
        let line = (self.find)(mind, game).unwrap_or_else(|| panic!("the win is gone: {}", text(game)));
        assert_eq!(game.judge(line[0]), Ok(End::Played), "{}", text(game));
        let memo = game.apply(line[0], End::Played);
        match game.verdict() {
            Some(verdict) => assert_eq!(verdict.winner, Some(attacker), "{}", text(game)),
            None => {
                for reply in plies(game) {
                    let memo = game.apply(reply, End::Played);
                    assert!(game.verdict().is_none(), "a reply wins or ends the game: {}", text(game));
                    if wins(game).is_empty() && !(self.of_another)(mind, game) {
                        self.replay(mind, game, attacker);
                    }
                    game.undo(memo);
                }
            }
        }
        game.undo(memo);
    }
}

/// How many positions of a small board have a win by at most two fours and a five; the solver finds each of them.
///
/// # Panics
/// When one is missed.
pub(crate) fn finds_short_wins(count: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    let mut mind = mind();
    let mut wins = 0;
    for number in 0..count {
        let rule = RULES[number as usize % RULES.len()];
        let mut game = crowded(rule, 7, 10 + below(rng, 14), rng);
        if game.verdict().is_none() && has_win(&mut game, 2) {
            wins += 1;
            assert!(mind.win_by_fours(&game, 50_000).is_some(), "a win is missed: {}", text(&game));
        }
    }
    wins
}

/// Whether the side to move wins by at most so many fours, by trying everything.
fn has_win(game: &mut Gomoku, fours: u32) -> bool {
    if !wins(game).is_empty() {
        return true;
    }
    fours > 0
        && plies(game).into_iter().any(|ply| {
            let memo = game.apply(ply, End::Played);
            let won = forces(game, fours - 1);
            game.undo(memo);
            won
        })
}

/// Whether the stone just played was a four, and every reply to it loses.
fn forces(game: &mut Gomoku, fours: u32) -> bool {
    if game.verdict().is_some() {
        return false;
    }
    let mut stops = Vec::new();
    let replies = plies(game);
    let count = replies.len();
    for reply in replies {
        let memo = game.apply(reply, End::Played);
        let lost = game.verdict().is_some();
        let stopped = !lost && wins(game).is_empty();
        game.undo(memo);
        if lost {
            return false;
        }
        if stopped {
            stops.push(reply);
        }
    }
    stops.len() < count
        && stops.into_iter().all(|reply| {
            let memo = game.apply(reply, End::Played);
            let won = has_win(game, fours);
            game.undo(memo);
            won
        })
}

fn text(game: &Gomoku) -> String {
    let mut text = format!("rule {} ", game.rule().bits());
    game.write_position(games::Eyes::All, &mut text);
    text
}

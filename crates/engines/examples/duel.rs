//! Two built-in players against each other inside one program: `cargo run --profile quick -p engines --example duel -- GAME A B [games] [ms]`.
//!
//! For quick looks while a player is being written; `boyi match` is what counts. Openings are random plies from which level 5
//! thinks that both sides have a chance, both colours over each.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

use std::time::{Duration, Instant};

use engines::Settings;
use games::{End, Eyes, Listing, Side, Table};
use protocols::{Player, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

struct Duel {
    game: &'static dyn Listing,
    limits: ThinkLimits,
    longest: Duration,
}

impl Duel {
    /// Plays one game; gives the winner.
    fn play(&mut self, players: &mut [Box<dyn Player>; 2], opening: &[String]) -> Option<Side> {
        let mut table = self.game.open(&Value::Null, None).expect("the usual variant");
        for seat in Side::BOTH {
            players[seat.index()].new_game(&table.variant(), seat, None);
        }
        for ply in opening {
            self.step(table.as_mut(), players, ply, Eyes::All);
        }
        while table.verdict().is_none() {
            let seat = table.to_move();
            let began = Instant::now();
            let ply = players[seat.index()].think(self.limits);
            self.longest = self.longest.max(began.elapsed());
            if !self.step(table.as_mut(), players, &ply, Eyes::Seat(seat)) {
                println!("{} plays {ply:?}, which is illegal", players[seat.index()].name());
                return Some(seat.other());
            }
        }
        table.verdict().and_then(|verdict| verdict.winner)
    }

    fn step(&self, table: &mut dyn Table, players: &mut [Box<dyn Player>; 2], ply: &str, eyes: Eyes) -> bool {
        let Ok(played) = table.play(ply, eyes) else { return false };
        for seat in [played.mover, played.mover.other()] {
            table.learned(seat).iter().for_each(|event| players[seat.index()].learn(event));
        }
        if matches!(played.end, End::Refused(_)) && table.steps() > 2000 {
            return false;
        }
        true
    }

    /// Random plies that leave the game open.
    fn opening(&self, seed: u64, plies: usize) -> Vec<String> {
        let tries = (0..).map(|number| self.random(seed * 1000 + number, plies));
        let mut fair = tries.take(200).filter(|opening| self.is_fair(opening));
        fair.next().unwrap_or_default()
    }

    fn random(&self, seed: u64, plies: usize) -> Vec<String> {
        let mut table = self.game.open(&Value::Null, None).expect("the usual variant");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut opening = Vec::new();
        for _ in 0..plies {
            let Some(ply) = table.random_ply(&mut rng) else { break };
            if table.play(&ply, Eyes::All).is_err() || table.verdict().is_some() {
                break;
            }
            opening.push(ply);
        }
        opening
    }

    /// Whether a strong player would take either side.
    fn is_fair(&self, opening: &[String]) -> bool {
        let make = || engines::player(self.game, engines::Style::Level(5), 1);
        let mut players = [make(), make()];
        let mut table = self.game.open(&Value::Null, None).expect("the usual variant");
        for seat in Side::BOTH {
            players[seat.index()].new_game(&table.variant(), seat, None);
        }
        for ply in opening {
            self.step(table.as_mut(), &mut players, ply, Eyes::All);
        }
        let player = &mut players[table.to_move().index()];
        player.think(ThinkLimits::default());
        player.insight().is_none_or(|insight| (0.35..0.65).contains(&engines::chance(self.game, insight.score)))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |index: usize, usual: &str| arguments.get(index).cloned().unwrap_or_else(|| usual.to_owned());
    let number = |index: usize, usual: u64| given(index, "").parse().unwrap_or(usual);
    let game = games::find(&given(0, "tiaojia")).expect("a game");
    let styles = [given(1, "max"), given(2, "greedy")].map(|name| engines::style(&name).expect("a player"));
    let (count, milliseconds, plies) = (number(3, 20), number(4, 100), number(5, 4) as usize);
    let limits = ThinkLimits { turn: Some(Duration::from_millis(milliseconds)), ..ThinkLimits::default() };
    let mut duel = Duel { game, limits, longest: Duration::ZERO };
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for number in 0..count {
        let a = Side::BOTH[(number % 2) as usize];
        let opening = duel.opening(1 + number / 2, plies);
        let make = |style, seed| {
            engines::player_with(game, style, &Settings { memory: 64 << 20, ..Settings::with_seed(seed) })
        };
        let mut players = [make(styles[a.index()], number * 2), make(styles[1 - a.index()], number * 2 + 1)];
        match duel.play(&mut players, &opening) {
            None => drawn += 1,
            Some(winner) if winner == a => won += 1,
            Some(_) => lost += 1,
        }
        println!("{}: {won} won, {drawn} drawn, {lost} lost; longest ply {:?}", number + 1, duel.longest);
    }
}

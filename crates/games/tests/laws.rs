//! One law suite over every registered game and every variant its facts name: a trial each.
//!
//! `LAW_GAMES` changes how many random games a trial plays, `LAW_SEED` starts from another seed; a failure prints both.

use std::process::ExitCode;

use games::laws::Effort;
use games::{GAMES, Listing, read_pairs};
use libtest_mimic::{Arguments, Failed, Trial};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn check(game: &'static dyn Listing, pairs: &[&str]) -> Result<(), Failed> {
    let variant = read_pairs(pairs.iter().copied())?;
    let (count, first_seed) = (number("LAW_GAMES", 10_000), number("LAW_SEED", 1));
    for seed in first_seed..first_seed + count {
        // The first games are searched closely, the others spend their time on playing.
        let close = seed < first_seed + 20;
        let effort = if close {
            Effort { one_in: 4, exhaustive: 200_000, samples: 20_000 }
        } else {
            Effort { one_in: 400, exhaustive: 4096, samples: 500 }
        };
        game.check_laws(&variant, seed, effort)
            .map_err(|broken| format!("{} {pairs:?} with LAW_SEED={seed} LAW_GAMES=1: {broken}", game.facts().id))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let trials = GAMES
        .iter()
        .flat_map(|&game| {
            let default: &[&str] = &[];
            std::iter::once(default).chain(game.facts().samples.iter().copied()).map(move |pairs| {
                let name = format!("{} {}", game.facts().id, pairs.join(" ")).trim().replace(' ', "_");
                Trial::test(name, move || check(game, pairs))
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

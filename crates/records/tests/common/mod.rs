//! Random games as records.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use games::Eyes;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;
use records::{Player, Record, RecordedPly, RecordedVerdict, Seats};
use serde_json::Value;

/// A game of random plies, at most `most` of them; a game that is cut short is resigned by the side to move.
pub(crate) fn random_game(game: &str, pairs: &[&str], position: Option<&str>, seed: u64, most: usize) -> Record {
    let listing = games::find(game).unwrap();
    let variant = games::read_pairs(pairs.iter().copied()).unwrap();
    let mut table = listing.open(&variant, position).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut record = Record::new(listing.facts().id, table.variant());
    record.position = position.map(str::to_owned);
    record.seats = Seats { black: Player::named("Swine"), white: Player::named("鲸鱼 2队") };
    record.event = Some("2017 CCGC".to_owned());
    record.place = Some("重庆".to_owned());
    record.date = Some("2017-07-29T14:00:00+08:00".to_owned());
    while table.verdict().is_none() && table.steps() < most {
        let ply = table.random_ply(&mut rng).unwrap();
        let played = table.play(&ply, Eyes::All).unwrap();
        record.plies.push(RecordedPly { mover: played.mover, ply, end: played.end.into(), ms: None, stall_ms: None });
    }
    let (winner, reason) = match table.verdict() {
        Some(verdict) => (verdict.winner, verdict.reason.code),
        None => (Some(table.to_move().other()), "resigned"),
    };
    record.verdict = Some(RecordedVerdict {
        winner,
        reason: reason.to_owned(),
        ply: table.plies(),
        counts: true,
        evidence: Value::Null,
    });
    record.replay().unwrap();
    record
}

//! Random games as records.

use games::Eyes;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use records::{Record, RecordedPly, RecordedVerdict};
use serde_json::{Value, json};

/// A random game with its record.
pub(crate) fn random_game(game: &str, variant: &Value, seed: u64, most: usize) -> Record {
    let mut table = games::find(game).expect("a game of the registry").open(variant, None).expect("a good variant");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut record = Record::new(table.facts().id, table.variant());
    while table.verdict().is_none() && record.plies.len() < most {
        // Hidden games are played as a seat plays them, so that some tries are refused.
        let seat = Eyes::Seat(table.to_move());
        let tries = if table.facts().id == "phantom-go" { table.list_plies(seat, 500).list } else { Vec::new() };
        let pick = rng.random_range(0..tries.len().max(1));
        let Some(ply) = tries.get(pick).cloned().or_else(|| table.random_ply(&mut rng)) else { break };
        let played = table.play(&ply, Eyes::All).expect("a ply the game itself gave");
        record.plies.push(RecordedPly {
            mover: played.mover,
            ply,
            end: played.end.into(),
            ms: Some(seed % 7),
            stall_ms: None,
        });
    }
    record.verdict = Some(match table.verdict() {
        Some(verdict) => RecordedVerdict {
            winner: verdict.winner,
            reason: verdict.reason.code.to_owned(),
            ply: verdict.ply,
            counts: true,
            evidence: Value::Null,
        },
        None => RecordedVerdict {
            winner: Some(table.to_move().other()),
            reason: "time".to_owned(),
            ply: table.plies(),
            counts: true,
            evidence: json!({ "seat": table.to_move(), "limit_ms": 100.0, "measured_ms": 150.5, "lines": ["< </script>"] }),
        },
    });
    record
}

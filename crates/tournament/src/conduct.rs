//! How entrants behaved besides playing: games lost otherwise than on the board, and whether they played at all.

use std::collections::BTreeMap;

use games::{Listing, Phrase, Reason, Side};
use records::PlyEnd;
use serde::Serialize;

use crate::journal::Finished;

/// How one entrant behaved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Conduct {
    /// Games it took part in.
    pub games: u64,
    /// Games it lost otherwise than on the board, by the code of the reason.
    pub forfeits: BTreeMap<String, u64>,
    /// Plies of its own that the rules allowed, openings aside.
    pub legal_plies: u64,
}

impl Conduct {
    /// All games lost otherwise than on the board.
    #[must_use]
    pub fn forfeited(&self) -> u64 {
        self.forfeits.values().sum()
    }

    /// Whether it has played games without ever playing in them, and by its own fault.
    #[must_use]
    pub fn never_played(&self) -> bool {
        self.legal_plies == 0 && self.forfeited() > 0
    }

    /// Takes in a game that it played on this seat.
    fn add(&mut self, finished: &Finished, side: Side) {
        let record = &finished.record;
        self.games += 1;
        let own = record.plies.iter().skip(record.opening_plies).filter(|step| step.mover == side);
        self.legal_plies += own.filter(|step| step.end != PlyEnd::Lost).count() as u64;
        if let Some(verdict) = record.verdict.as_ref().filter(|verdict| verdict.counts)
            && verdict.winner == Some(side.other())
            // The referee names whom he holds something against; who lost by the rules is not named.
            && verdict.evidence.get("seat").and_then(serde_json::Value::as_str) == Some(side.word())
        {
            *self.forfeits.entry(verdict.reason.clone()).or_default() += 1;
        }
    }
}

/// How all entrants behaved, by their number.
#[derive(Debug, Clone, Default)]
pub struct Conducts(Vec<Conduct>);

impl Conducts {
    /// Takes in a game.
    pub fn count(&mut self, finished: &Finished) {
        let last = finished.black.max(finished.white);
        if self.0.len() <= last {
            self.0.resize(last + 1, Conduct::default());
        }
        for (entrant, side) in [(finished.black, Side::Black), (finished.white, Side::White)] {
            self.0[entrant].add(finished, side);
        }
    }

    /// One entrant's; nothing before its first game.
    #[must_use]
    pub fn of(&self, entrant: usize) -> Option<&Conduct> {
        self.0.get(entrant)
    }
}

/// What a reason's code means, and whether it is the rules' own: `more` are those of neither the rules nor the referee.
#[must_use]
pub fn reason_text(game: &dyn Listing, more: &[&'static Reason], code: &str) -> Option<(Phrase, bool)> {
    let of_rules = games::reasons::SHARED.iter().chain(game.facts().reasons);
    let of_others = referee::decision::reasons::ALL.iter().chain(more).copied().chain([&records::REPORTED]);
    let mut known = of_rules.map(|reason| (*reason, true)).chain(of_others.map(|reason| (reason, false)));
    known.find(|(reason, _)| reason.code == code).map(|(reason, by_rules)| (reason.text, by_rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::{Record, RecordedPly, RecordedVerdict};
    use serde_json::json;

    fn game(reason: &str, loser: Side, evidence: serde_json::Value, movers: &[Side]) -> Finished {
        let ply = |mover: &Side| RecordedPly {
            mover: *mover,
            ply: "AA".to_owned(),
            end: PlyEnd::Played,
            ms: None,
            stall_ms: None,
        };
        let winner = Some(loser.other());
        let verdict = RecordedVerdict { winner, reason: reason.to_owned(), ply: 1, counts: true, evidence };
        let record = Record::new("nogo", serde_json::Value::Null);
        let record =
            Record { verdict: Some(verdict), plies: movers.iter().map(ply).collect(), opening_plies: 1, ..record };
        Finished { number: 0, black: 0, white: 1, record }
    }

    #[test]
    fn forfeits_are_named_and_a_loss_on_the_board_is_none() {
        let mut conducts = Conducts::default();
        let seat = |side: Side| json!({ "seat": side.word() });
        // The opening's ply is not the entrant's own.
        conducts.count(&game("illegal-ply", Side::White, seat(Side::White), &[Side::White, Side::Black]));
        conducts.count(&game("time", Side::White, seat(Side::White), &[Side::White]));
        conducts.count(&game("illegal-ply", Side::White, seat(Side::White), &[Side::White]));
        let (black, white) = (conducts.of(0).unwrap(), conducts.of(1).unwrap());
        assert_eq!(white.forfeits, BTreeMap::from([("illegal-ply".to_owned(), 2), ("time".to_owned(), 1)]));
        assert!(white.never_played() && !black.never_played());
        conducts.count(&game("capture", Side::Black, json!({}), &[Side::White, Side::White]));
        let (black, white) = (conducts.of(0).unwrap(), conducts.of(1).unwrap());
        assert_eq!((black.forfeited(), white.forfeited(), white.legal_plies, white.games), (0, 3, 1, 4));
        assert!(!white.never_played());
    }

    #[test]
    fn reasons_have_words_whoever_gave_them() {
        let game = games::find("nogo").unwrap();
        let of_rules = |code| reason_text(game, &[], code).map(|(_, by_rules)| by_rules);
        assert_eq!((of_rules("illegal-ply"), of_rules("nonsense")), (Some(false), None));
        let own = game.facts().reasons.first().unwrap();
        assert_eq!(of_rules(own.code), Some(true));
    }
}

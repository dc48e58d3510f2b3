//! Which games of a contest tell something new.
//!
//! Two engines without chance of their own repeat themselves, and then a hundred games are evidence of two. Whatever is
//! estimated here is estimated from distinct games, or distinct pairs of games; points and results count all of them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use games::Phrase;
use serde::Serialize;

use crate::journal::Finished;
use crate::statistics::{Estimate, Tally};

/// What tells a game from another one: who sat where, where it began, what was played and how it ended. Not its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of a finished game. It holds within one run of the program and is not to be kept.
    #[must_use]
    pub fn of(finished: &Finished) -> Self {
        let (record, mut hasher) = (&finished.record, DefaultHasher::new());
        (finished.black, finished.white, &record.position, record.plies.len()).hash(&mut hasher);
        for step in &record.plies {
            (step.mover.index(), &step.ply, step.end.word()).hash(&mut hasher);
        }
        if let Some(verdict) = &record.verdict {
            (verdict.winner.map(games::Side::index), &verdict.reason, verdict.counts).hash(&mut hasher);
        }
        Self(hasher.finish())
    }
}

/// What was seen already.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    games: HashSet<Fingerprint>,
    pairs: HashSet<[Fingerprint; 2]>,
}

impl Seen {
    /// Whether a game is new.
    pub fn game(&mut self, game: Fingerprint) -> bool {
        self.games.insert(game)
    }

    /// Whether a pair of games is new: one new game in it is enough.
    pub fn pair(&mut self, games: [Fingerprint; 2]) -> bool {
        self.pairs.insert(games)
    }
}

/// Why a strength is not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unmeasured {
    /// There is no game with a result.
    NoGame,
    /// Every distinct game was won.
    WonAll,
    /// Every distinct game was lost.
    LostAll,
    /// There is one distinct pair, or one game.
    OnePair,
    /// No results lead from it to the others and back.
    Apart,
}

impl Unmeasured {
    /// The reason for a person.
    #[must_use]
    pub const fn text(self) -> Phrase {
        match self {
            Self::NoGame => Phrase::new("no game has a result", "没有有结果的对局"),
            Self::WonAll => Phrase::new("every distinct game was won", "各不相同的对局全胜"),
            Self::LostAll => Phrase::new("every distinct game was lost", "各不相同的对局全负"),
            Self::OnePair => Phrase::new("there is one distinct pair of games only", "只有一对不同的对局"),
            Self::Apart => {
                Phrase::new("no results link it with the others both ways", "没有对局结果使其与其他引擎相互关联")
            }
        }
    }

    /// What keeps these results from measuring anything, if something does.
    pub(crate) fn of<T: Tally>(tally: &T) -> Option<Self> {
        let counts = tally.counts();
        match (tally.units(), counts.first(), counts.last()) {
            (0, ..) => Some(Self::NoGame),
            (units, Some(lost), _) if *lost == units => Some(Self::LostAll),
            (units, _, Some(won)) if *won == units => Some(Self::WonAll),
            (1, ..) => Some(Self::OnePair),
            _ => None,
        }
    }
}

/// An estimate as people write it, `+12.3 ± 4.5`, or `+190.8 (> +14.2)` where the results set one bound only. Nothing
/// has the sign of nothing.
#[must_use]
pub fn with_margin(estimate: &Estimate, digits: usize) -> String {
    let value = signed(estimate.value, digits);
    match (estimate.lower.is_finite(), estimate.upper.is_finite()) {
        (true, true) => format!("{value} ± {:.digits$}", estimate.margin()),
        (true, false) => format!("{value} (> {})", signed(estimate.lower, digits)),
        (false, true) => format!("{value} (< {})", signed(estimate.upper, digits)),
        (false, false) => value,
    }
}

/// A number with its sign; what is nothing after rounding has none.
fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) || !value.is_finite() { text } else { text[1..].to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Trinomial};

    #[test]
    fn nothing_has_no_sign_and_no_number_has_no_end() {
        let estimate = |value, lower, upper| Estimate { value, lower, upper };
        assert_eq!(with_margin(&estimate(-0.2, -265.2, 264.8), 0), "0 ± 265");
        assert_eq!(with_margin(&estimate(-0.04, -1.0, 1.0), 1), "0.0 ± 1.0");
        assert_eq!(with_margin(&estimate(-12.34, -20.0, -4.0), 1), "-12.3 ± 8.0");
        assert_eq!(with_margin(&estimate(190.8, -14.0, f64::INFINITY), 0), "+191 (> -14)");
        assert_eq!(with_margin(&estimate(-190.8, f64::NEG_INFINITY, 14.0), 0), "-191 (< +14)");
    }

    #[test]
    fn what_measures_nothing_is_told() {
        let of = |counts| Unmeasured::of(&Pentanomial(counts));
        assert_eq!(of([0; 5]), Some(Unmeasured::NoGame));
        assert_eq!(of([7, 0, 0, 0, 0]), Some(Unmeasured::LostAll));
        assert_eq!(of([0, 0, 0, 0, 1]), Some(Unmeasured::WonAll));
        assert_eq!(of([0, 0, 1, 0, 0]), Some(Unmeasured::OnePair));
        assert_eq!((of([0, 0, 2, 0, 0]), of([0, 0, 0, 1, 40])), (None, None));
        assert_eq!(Unmeasured::of(&Trinomial([0, 0, 9])), Some(Unmeasured::WonAll));
    }
}

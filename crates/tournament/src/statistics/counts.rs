//! Counts of results: single games, or pairs of games over the same opening.

use serde::{Deserialize, Serialize};

/// How a game ended for one of its two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The player won.
    Win,
}

impl Outcome {
    /// The same game seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// 0, 1 or 2.
    #[must_use]
    pub fn half_points(self) -> u32 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// Counts of independent units of play, ordered from the worst result to the best, in equal steps of score.
///
/// The unit is what statistics may treat as independent: a game, or a pair of games that shared an opening.
pub trait Tally {
    /// Games in one unit.
    const GAMES_PER_UNIT: u32;

    /// How many units ended with each score, worst first.
    fn counts(&self) -> &[u64];

    /// All units.
    fn units(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// All games.
    fn games(&self) -> u64 {
        self.units() * u64::from(Self::GAMES_PER_UNIT)
    }
}

/// Single games: losses, draws, wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trinomial(pub [u64; 3]);

impl Trinomial {
    /// Counts one game.
    pub fn record(&mut self, outcome: Outcome) {
        self.0[outcome.half_points() as usize] += 1;
    }

    /// Games lost.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Games drawn.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Games won.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.0[2]
    }
}

impl Tally for Trinomial {
    const GAMES_PER_UNIT: u32 = 1;

    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Pairs of games with swapped sides over one opening: LL, LD, WL or DD, WD, WW.
///
/// The games of a pair are not independent (an opening that favours one side favours it twice), the pairs are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair, both outcomes seen from the same engine.
    pub fn record(&mut self, one: Outcome, other: Outcome) {
        self.0[(one.half_points() + other.half_points()) as usize] += 1;
    }
}

impl Tally for Pentanomial {
    const GAMES_PER_UNIT: u32 = 2;

    fn counts(&self) -> &[u64] {
        &self.0
    }
}

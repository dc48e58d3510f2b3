//! Points: what a result is worth.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::statistics::Outcome;

/// Points, kept as half points so that sums are exact. Written as a number of whole points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "f64")]
pub struct Score(u32);

impl Score {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// From half points.
    #[must_use]
    pub const fn from_half_points(half_points: u32) -> Self {
        Self(half_points)
    }

    /// In half points.
    #[must_use]
    pub const fn half_points(self) -> u32 {
        self.0
    }

    /// As many times.
    #[must_use]
    pub const fn times(self, factor: u32) -> Self {
        Self(self.0 * factor)
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        Self::from(score.0) / 2.0
    }
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Self::add)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 2, self.0 % 2) {
            (0, 1) => formatter.pad("½"),
            (whole, 0) => formatter.pad(&whole.to_string()),
            (whole, _) => formatter.pad(&format!("{whole}½")),
        }
    }
}

/// What wins and draws are worth, and whether of games or of whole matches. A loss is worth nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointSystem {
    /// 3 for a match won, 1 for a match drawn.
    #[serde(rename = "match-3-1-0")]
    MatchThreeOne,
    /// 2 for a game won, 1 for a game drawn.
    #[serde(rename = "game-2-1-0")]
    GameTwoOne,
    /// 1 for a game won, ½ for a game drawn.
    #[serde(rename = "game-1-half-0")]
    GameOneHalf,
}

impl PointSystem {
    /// Whether points are given for matches rather than for games.
    #[must_use]
    pub fn per_match(self) -> bool {
        self == Self::MatchThreeOne
    }

    /// The worth of one result.
    #[must_use]
    pub fn worth(self, outcome: Outcome) -> Score {
        Score(match (self, outcome) {
            (_, Outcome::Loss) => 0,
            (Self::MatchThreeOne, Outcome::Draw) | (Self::GameTwoOne, Outcome::Draw) => 2,
            (Self::GameOneHalf, Outcome::Draw) => 1,
            (Self::MatchThreeOne, Outcome::Win) => 6,
            (Self::GameTwoOne, Outcome::Win) => 4,
            (Self::GameOneHalf, Outcome::Win) => 2,
        })
    }

    /// The worth of a round without an opponent: a match won in all its games.
    #[must_use]
    pub fn bye(self, games: u32) -> Score {
        self.worth(Outcome::Win).times(if self.per_match() { 1 } else { games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_people_write_them() {
        let written = [0, 1, 2, 7].map(|half_points| Score(half_points).to_string());
        assert_eq!(written, ["0", "½", "1", "3½"]);
        assert_eq!(serde_json::to_string(&Score(7)).unwrap(), "3.5");
        assert_eq!(format!("{:>4}", Score(3)), "  1½");
    }

    #[test]
    fn a_bye_is_a_match_won() {
        let byes = [PointSystem::MatchThreeOne, PointSystem::GameTwoOne, PointSystem::GameOneHalf]
            .map(|points| points.bye(2).to_string());
        assert_eq!(byes, ["3", "4", "2"]);
    }
}

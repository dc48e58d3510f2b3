//! Time: how much a seat has, how much it used.

use std::time::Duration;

use protocols::Clock;
use serde::{Deserialize, Serialize};

use crate::decision::LimitOf;

/// The limits of a game, in any combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeControl {
    /// For each ply.
    #[serde(with = "milliseconds", rename = "ply_ms")]
    pub ply: Option<Duration>,
    /// For a seat's whole game.
    #[serde(with = "milliseconds", rename = "game_ms")]
    pub game: Option<Duration>,
    /// Added to a seat's whole time after each of its plies.
    #[serde(with = "milliseconds", rename = "increment_ms")]
    pub increment: Option<Duration>,
    /// Until an engine is ready, where its protocol does not say.
    #[serde(with = "milliseconds", rename = "start_ms")]
    pub start: Option<Duration>,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self { ply: Some(Duration::from_secs(5)), game: None, increment: None, start: Some(Duration::from_secs(10)) }
    }
}

/// One seat's clock.
#[derive(Debug, Clone, Copy)]
pub struct SeatClock {
    control: TimeControl,
    left: Option<Duration>,
    used: Duration,
}

impl SeatClock {
    /// A full clock.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: control.game, used: Duration::ZERO }
    }

    /// The clock of a game that goes on: what is left of the whole game's time, and what was used.
    #[must_use]
    pub fn resumed(control: TimeControl, left: Option<Duration>, used: Duration) -> Self {
        Self { control, left: control.game.and(left), used }
    }

    /// What the protocol tells the engine.
    #[must_use]
    pub const fn told(&self) -> Clock {
        Clock { turn: self.control.ply, left: self.left }
    }

    /// The most this ply may take.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        match (self.control.ply, self.left) {
            (Some(ply), Some(left)) => Some(ply.min(left)),
            (one, other) => one.or(other),
        }
    }

    /// Which of both limits that is.
    #[must_use]
    pub fn limit_of(&self) -> LimitOf {
        match (self.control.ply, self.left) {
            (Some(ply), Some(left)) if left < ply => LimitOf::Game,
            (None, Some(_)) => LimitOf::Game,
            _ => LimitOf::Ply,
        }
    }

    /// Charges a ply.
    pub fn charge(&mut self, time: Duration) {
        self.used += time;
        self.left = self.left.map(|left| left.saturating_sub(time) + self.control.increment.unwrap_or_default());
    }

    /// What the seat has used so far.
    #[must_use]
    pub const fn used(&self) -> Duration {
        self.used
    }
}

mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde's `with` gives a reference to the field")]
    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, out: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => out.serialize_some(&(time.as_millis() as u64)),
            None => out.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(input)?.map(Duration::from_millis))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_limit_holds_and_the_increment_comes_after_the_ply() {
        let control = TimeControl {
            ply: Some(Duration::from_secs(2)),
            game: Some(Duration::from_secs(5)),
            increment: Some(Duration::from_secs(1)),
            start: None,
        };
        let mut clock = SeatClock::new(control);
        assert_eq!((clock.limit(), clock.limit_of()), (Some(Duration::from_secs(2)), LimitOf::Ply));
        clock.charge(Duration::from_secs(2));
        clock.charge(Duration::from_millis(3500));
        assert_eq!(clock.told().left, Some(Duration::from_millis(1500)));
        assert_eq!((clock.limit(), clock.limit_of()), (Some(Duration::from_millis(1500)), LimitOf::Game));
        assert_eq!(clock.used(), Duration::from_millis(5500));
    }
}

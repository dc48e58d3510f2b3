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
    /// An overrun by no more than this loses nothing. It is told to no engine, and what was used is charged.
    #[serde(with = "whole_milliseconds", rename = "tolerance_ms", skip_serializing_if = "Duration::is_zero")]
    pub tolerance: Duration,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self {
            ply: Some(Duration::from_secs(5)),
            game: None,
            increment: None,
            start: Some(Duration::from_secs(10)),
            tolerance: Duration::ZERO,
        }
    }
}

/// One seat's clock.
#[derive(Debug, Clone, Copy)]
pub struct SeatClock {
    control: TimeControl,
    left: Option<Duration>,
    /// What was used beyond the whole game's time. The tolerance of a game is given once, not for every ply after its
    /// end.
    overdrawn: Duration,
    used: Duration,
}

impl SeatClock {
    /// A full clock.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: control.game, overdrawn: Duration::ZERO, used: Duration::ZERO }
    }

    /// The clock of a game that goes on: what is left of the whole game's time, and what was used.
    #[must_use]
    pub fn resumed(control: TimeControl, left: Option<Duration>, used: Duration) -> Self {
        Self { control, left: control.game.and(left), overdrawn: Duration::ZERO, used }
    }

    /// What the protocol tells the engine.
    #[must_use]
    pub const fn told(&self) -> Clock {
        Clock { turn: self.control.ply, left: self.left }
    }

    /// The time this ply has, as everybody is told it.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        match (self.control.ply, self.left) {
            (Some(ply), Some(left)) => Some(ply.min(left)),
            (one, other) => one.or(other),
        }
    }

    /// The most this ply may take before it loses: the same with the tolerance.
    #[must_use]
    pub fn allowed(&self) -> Option<Duration> {
        let tolerance = self.control.tolerance;
        let ply = self.control.ply.map(|ply| ply + tolerance);
        let game = self.left.map(|left| (left + tolerance).saturating_sub(self.overdrawn));
        match (ply, game) {
            (Some(ply), Some(game)) => Some(ply.min(game)),
            (one, other) => one.or(other),
        }
    }

    /// By how much a ply may overrun without losing.
    #[must_use]
    pub const fn tolerance(&self) -> Duration {
        self.control.tolerance
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
        let Some(left) = self.left else { return };
        self.overdrawn += time.saturating_sub(left);
        let added = self.control.increment.unwrap_or_default();
        // What is added pays first for what was overdrawn.
        let paid = added.min(self.overdrawn);
        self.overdrawn -= paid;
        self.left = Some(left.saturating_sub(time) + (added - paid));
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

mod whole_milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u64(time.as_millis() as u64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(input)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_tolerance_is_no_time() {
        let control =
            TimeControl { ply: Some(ms(300)), game: Some(ms(1000)), tolerance: ms(100), ..TimeControl::default() };
        let mut clock = SeatClock::new(control);
        assert_eq!((clock.limit(), clock.allowed()), (Some(ms(300)), Some(ms(400))));
        clock.charge(ms(380));
        assert_eq!((clock.told().left, clock.used()), (Some(ms(620)), ms(380)), "what was used is charged");
        clock.charge(ms(300));
        clock.charge(ms(300));
        assert_eq!((clock.limit(), clock.allowed()), (Some(ms(20)), Some(ms(120))));
        // A whole game has its tolerance once: it does not begin anew with every ply.
        clock.charge(ms(80));
        assert_eq!((clock.limit(), clock.allowed()), (Some(ms(0)), Some(ms(40))));
        clock.charge(ms(40));
        assert_eq!(clock.allowed(), Some(ms(0)));
    }

    #[test]
    fn an_increment_pays_for_what_was_overdrawn() {
        let control = TimeControl {
            ply: None,
            game: Some(ms(100)),
            increment: Some(ms(30)),
            tolerance: ms(50),
            ..TimeControl::default()
        };
        let mut clock = SeatClock::new(control);
        clock.charge(ms(150));
        assert_eq!((clock.limit(), clock.allowed()), (Some(ms(0)), Some(ms(30))));
        clock.charge(ms(0));
        assert_eq!((clock.limit(), clock.allowed()), (Some(ms(10)), Some(ms(60))));
    }

    #[test]
    fn old_time_controls_read_on() {
        let old = r#"{"ply_ms":300,"game_ms":null,"increment_ms":null,"start_ms":1000}"#;
        let read: TimeControl = serde_json::from_str(old).unwrap();
        assert_eq!(read.tolerance, Duration::ZERO);
        assert_eq!(serde_json::to_string(&read).unwrap(), old, "nothing is written that was not there");
    }

    #[test]
    fn the_smaller_limit_holds_and_the_increment_comes_after_the_ply() {
        let control = TimeControl {
            ply: Some(Duration::from_secs(2)),
            game: Some(Duration::from_secs(5)),
            increment: Some(Duration::from_secs(1)),
            start: None,
            tolerance: Duration::ZERO,
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

//! Time in which the server itself stood still (stopped, suspended with its machine), which is nobody's thinking time.
//!
//! A thread looks at the clock again and again; where it did not for long, nothing in this process did.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How often the thread looks.
const TICK: Duration = Duration::from_millis(100);
/// A busy machine makes it late, too, but not by so much.
const LONG: Duration = Duration::from_secs(1);

static WATCH: LazyLock<Mutex<Watch>> = LazyLock::new(|| {
    let looking = || {
        loop {
            std::thread::sleep(TICK);
            watch().look(Instant::now());
        }
    };
    let started = std::thread::Builder::new().name("standstill".to_owned()).spawn(looking);
    if let Err(error) = &started {
        tracing::warn!(%error, "time in which the server stands still will be charged to players");
    }
    Mutex::new(Watch { last: started.is_ok().then(Instant::now), lost: Duration::ZERO })
});

fn watch() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long the server has stood still, all in all.
pub(crate) fn lost() -> Duration {
    watch().lost_by(Instant::now())
}

struct Watch {
    /// When the thread last looked; nothing where there is none.
    last: Option<Instant>,
    lost: Duration,
}

impl Watch {
    /// Others may run before the thread does after a standstill: what it has not seen yet counts already.
    fn lost_by(&self, now: Instant) -> Duration {
        let since = self.last.map_or(Duration::ZERO, |last| now.saturating_duration_since(last));
        self.lost + if since >= LONG { since - TICK } else { Duration::ZERO }
    }

    fn look(&mut self, now: Instant) {
        (self.lost, self.last) = (self.lost_by(now), Some(now));
    }
}

/// Since the machine was started, its sleep counted in: what a clock on a page shows goes on then, too.
fn awake_or_not() -> Duration {
    let time = clock_gettime(ClockId::Boottime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Somebody who comes by at regular times and wants to know whether much more has passed.
pub(crate) struct Visits {
    usual: Duration,
    last: Duration,
}

impl Visits {
    pub(crate) fn every(usual: Duration) -> Self {
        Self { usual, last: awake_or_not() }
    }

    /// How much more than usual has passed since the last visit, if that is much.
    pub(crate) fn missed(&mut self) -> Option<Duration> {
        let now = awake_or_not();
        let more = now.saturating_sub(self.last).saturating_sub(self.usual);
        self.last = now;
        (more >= LONG).then_some(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_gaps_are_lost_and_each_once() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut watch = Watch { last: Some(start), lost: Duration::ZERO };
        for tick in 1..50 {
            // A busy machine: late, but running.
            watch.look(at(tick * 400));
        }
        assert_eq!(watch.lost, Duration::ZERO);
        let stopped = 49 * 400;
        assert_eq!(watch.lost_by(at(stopped + 30_000)), Duration::from_millis(29_900), "seen before the thread runs");
        watch.look(at(stopped + 30_010));
        assert_eq!(watch.lost, Duration::from_millis(29_910));
        watch.look(at(stopped + 30_110));
        assert_eq!(watch.lost_by(at(stopped + 30_200)), Duration::from_millis(29_910));
    }

    #[test]
    fn without_its_thread_nothing_is_lost() {
        let watch = Watch { last: None, lost: Duration::ZERO };
        assert_eq!(watch.lost_by(Instant::now() + Duration::from_secs(99)), Duration::ZERO);
    }
}

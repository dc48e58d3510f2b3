//! Time that the host of a virtual machine took away from the core a game is pinned to.
//!
//! A guest's own accounting does not see it: an engine that was stopped with its whole machine looks as if it had
//! thought.

use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity};

/// The kernel counts it in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);
/// Reading costs some tens of microseconds, so instant engines share a reading.
const FRESH: Duration = Duration::from_millis(5);

/// How long a seat has been kept waiting since it was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Waited {
    /// It wanted to run on this machine and was not let.
    pub(crate) here: Duration,
    /// As much of that as it may have caused itself: while we read what it writes it waits for us.
    pub(crate) self_made: Duration,
    /// The machine itself did not run.
    pub(crate) stolen: Duration,
}

impl Waited {
    /// What the machine has made it wait since then, and not it itself.
    pub(crate) fn since(self, before: Self) -> Duration {
        let here = self.here.saturating_sub(before.here);
        // Who has flooded once is excused nothing any more.
        let self_made = match self.self_made {
            Duration::MAX => Duration::MAX,
            self_made => self_made.saturating_sub(before.self_made),
        };
        here.saturating_sub(self_made) + self.stolen.saturating_sub(before.stolen)
    }
}

/// A meter of one core's stolen time.
pub(crate) struct StolenTime {
    /// The only core this thread and its engines run on; with several nobody knows whose time it was.
    core: Option<usize>,
    last: Option<(Instant, Duration)>,
}

impl StolenTime {
    /// Of the core that this thread is pinned to.
    pub(crate) fn of_this_thread() -> Self {
        let cores = sched_getaffinity(None).ok().filter(|set| set.count() == 1);
        let core = cores.and_then(|set| (0..CpuSet::MAX_CPU).find(|&core| set.is_set(core)));
        Self { core, last: None }
    }

    /// What was stolen so far, as of a few milliseconds ago at most.
    pub(crate) fn recent(&mut self) -> Duration {
        match self.last {
            Some((read, stolen)) if read.elapsed() < FRESH => stolen,
            _ => self.now(),
        }
    }

    /// Reads once the kernel has written down what it noticed, before somebody loses by it.
    pub(crate) fn settle(&mut self) {
        if self.core.is_some() {
            std::thread::sleep(TICK);
            self.now();
        }
    }

    /// What was stolen so far.
    pub(crate) fn now(&mut self) -> Duration {
        let stolen = self.core.and_then(|core| stolen(&std::fs::read_to_string("/proc/stat").ok()?, core));
        let stolen = stolen.unwrap_or_default();
        self.last = Some((Instant::now(), stolen));
        stolen
    }
}

/// The eighth figure of a core's line: user, nice, system, idle, waiting, two sorts of interrupts, stolen.
fn stolen(statistics: &str, core: usize) -> Option<Duration> {
    let name = format!("cpu{core}");
    let mut figures = statistics.lines().map(str::split_ascii_whitespace).find_map(|mut words| {
        let first = words.next()?;
        (first == name).then_some(words)
    })?;
    Some(TICK * figures.nth(7)?.parse().ok()?)
}

/// How long this thread has been ready to run and was not run, because others had its core.
pub(crate) fn this_thread_waited() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_s_own_line_is_read() {
        let text = "cpu  9 9 9 9 9 9 9 99 0 0\ncpu1 1 2 3 4 5 6 7 8 9 10\ncpu10 0 0 0 0 0 0 0 30 0 0\nintr 5 6\n";
        assert_eq!(stolen(text, 1), Some(Duration::from_millis(80)));
        assert_eq!(stolen(text, 10), Some(Duration::from_millis(300)));
        assert_eq!(stolen(text, 2), None);
        assert_eq!(stolen("cpu0 1 2 3\n", 0), None, "a kernel that does not count it");
    }

    #[test]
    fn what_a_seat_causes_itself_is_not_the_machine_s() {
        let [ten, thirty, forty] = [10, 30, 40].map(Duration::from_millis);
        let before = Waited { here: ten, self_made: forty, stolen: ten };
        assert_eq!(
            Waited { here: forty, ..before }.since(before),
            thirty,
            "what it wrote on earlier turns is forgotten"
        );
        let chatty = Waited { here: forty, self_made: forty + ten, stolen: ten };
        assert_eq!(chatty.since(before), thirty - ten);
        let flooding = Waited { here: forty, self_made: Duration::MAX, stolen: forty };
        assert_eq!(flooding.since(Waited { self_made: Duration::MAX, ..before }), thirty, "it has flooded before");
        assert_eq!(
            flooding.since(before),
            thirty,
            "the host of a virtual machine is not to be moved by what it writes"
        );
    }

    #[test]
    fn a_thread_on_several_cores_has_no_meter() {
        let mut meter = StolenTime { core: None, last: None };
        assert_eq!((meter.now(), meter.recent()), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn a_thread_that_shares_its_core_waits_for_it() {
        let core = sched_getaffinity(None).unwrap();
        let first = (0..CpuSet::MAX_CPU).find(|&core_number| core.is_set(core_number)).unwrap();
        let mut one = CpuSet::new();
        one.set(first);
        let burn = move || {
            rustix::thread::sched_setaffinity(None, &one).unwrap();
            let (began, before) = (Instant::now(), this_thread_waited().unwrap());
            while began.elapsed() < Duration::from_millis(400) {}
            this_thread_waited().unwrap().saturating_sub(before)
        };
        let other = std::thread::spawn(burn);
        let waited = burn() + other.join().unwrap();
        assert!(waited > Duration::from_millis(200), "two on one core waited {waited:?} of 800 ms");
        assert_eq!(StolenTime::of_this_thread().core, Some(first));
    }
}

//! Whether the workers work: who is busy, when work was last taken, and who is not there any more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Workers of one kind.
#[derive(Debug)]
pub(super) struct Line {
    workers: usize,
    busy: AtomicUsize,
    last: Mutex<Instant>,
}

/// One of them is at work for as long as this lives.
pub(super) struct Busy<'a>(&'a Line);

impl Line {
    fn new(workers: usize) -> Self {
        Self { workers, busy: AtomicUsize::new(0), last: Mutex::new(Instant::now()) }
    }

    /// Work was taken.
    pub(super) fn take(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Busy(self)
    }

    /// Whether somebody is free and nobody has taken anything for so long.
    pub(super) fn is_idle_for(&self, time: Duration) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.busy.load(Ordering::Relaxed) < self.workers && last.elapsed() >= time
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
        // From now on he is free.
        *self.0.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// All workers of a judge.
#[derive(Debug)]
pub(super) struct Crew {
    pub(super) players: Line,
    pub(super) builders: Line,
    ended: AtomicUsize,
}

/// A worker's thread; however it ends, that is seen.
pub(super) struct Member(Arc<Crew>);

impl Crew {
    pub(super) fn new(players: usize, builders: usize) -> Arc<Self> {
        Arc::new(Self { players: Line::new(players), builders: Line::new(builders), ended: AtomicUsize::new(0) })
    }

    pub(super) fn enlist(self: &Arc<Self>) -> Member {
        Member(Arc::clone(self))
    }

    /// How many threads have ended.
    pub(super) fn ended(&self) -> usize {
        self.ended.load(Ordering::Relaxed)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_panics_is_missed() {
        let crew = Crew::new(1, 1);
        let member = crew.enlist();
        assert_eq!(crew.ended(), 0);
        let thread = std::thread::spawn(move || {
            let _member = member;
            panic!("as a worker would by a fault of ours");
        });
        assert!(thread.join().is_err());
        assert_eq!(crew.ended(), 1);
    }

    #[test]
    fn whoever_is_busy_does_not_stand_still() {
        let line = Line::new(1);
        assert!(line.is_idle_for(Duration::ZERO) && !line.is_idle_for(Duration::from_secs(3600)));
        let busy = line.take();
        assert!(!line.is_idle_for(Duration::ZERO), "the only worker plays");
        drop(busy);
        assert!(line.is_idle_for(Duration::ZERO));
    }
}

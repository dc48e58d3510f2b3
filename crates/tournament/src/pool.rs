//! Playing many games at once: one worker a core, each on a core of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, mpsc};
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// What a worker that is free is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer<J> {
    /// Something to do.
    Job(J),
    /// Nothing until a job under way is done.
    Wait,
    /// Nothing any more.
    Finished,
}

/// What to do after a finished job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    GoOn,
    /// Start no more jobs; those that run are finished.
    Wind,
}

/// The most results that wait to be dealt with, and that are dealt with together.
const BATCH: usize = 64;
/// How long a worker that waits sleeps before it looks again by itself.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs the jobs that `offer` gives on `workers` threads until it is finished, or until `done` says to wind up.
///
/// `play` runs on a worker that is pinned to one core, and so are the engines it starts. `done` runs on this thread with
/// each batch of results, in the order they came: several games that finished while the last batch was dealt with come
/// together. A slow job holds up nobody but its own worker.
pub fn run<J: Send, R: Send>(
    workers: usize,
    offer: impl FnMut() -> Offer<J> + Send,
    play: impl Fn(&J) -> R + Sync,
    mut done: impl FnMut(Vec<(J, R)>) -> Next,
) {
    let (offer, news) = (Mutex::new(offer), Condvar::new());
    let winding = AtomicBool::new(false);
    let cores = usable_cores();
    // A worker asks until there is something to do for it or for nobody.
    let next_job = || {
        let mut asking = offer.lock().ok()?;
        while !winding.load(Ordering::Acquire) {
            match asking() {
                Offer::Job(job) => return Some(job),
                Offer::Finished => return None,
                Offer::Wait => asking = news.wait_timeout(asking, PATIENCE).ok()?.0,
            }
        }
        None
    };
    std::thread::scope(|scope| {
        // Bounded, so that workers cannot run ahead of whoever writes their results down.
        let (sender, results) = mpsc::sync_channel(BATCH);
        for worker in 0..workers.max(1) {
            let (sender, next_job, play) = (sender.clone(), &next_job, &play);
            let core = cores.get(worker % cores.len().max(1)).copied();
            scope.spawn(move || {
                pin(core);
                while let Some(job) = next_job() {
                    let result = play(&job);
                    if sender.send((job, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        while let Ok(first) = results.recv() {
            let batch = std::iter::once(first).chain(results.try_iter().take(BATCH)).collect();
            if done(batch) == Next::Wind {
                winding.store(true, Ordering::Release);
            }
            news.notify_all();
        }
    });
}

/// The jobs of a list, one after the other.
pub fn in_order<J>(jobs: impl Iterator<Item = J>) -> impl FnMut() -> Offer<J> {
    let mut jobs = jobs;
    move || jobs.next().map_or(Offer::Finished, Offer::Job)
}

/// The cores this process may use.
fn usable_cores() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// Keeps this thread, and every process it starts, on one core. Where that is not allowed games are played all the same.
fn pin(core: Option<usize>) {
    if let Some(core) = core {
        let mut set = CpuSet::new();
        set.set(core);
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once() {
        let mut seen = Vec::new();
        run(
            3,
            in_order(0..1000),
            |job| job * 2,
            |batch| {
                seen.extend(batch);
                Next::GoOn
            },
        );
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).map(|job| (job, job * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn winding_up_finishes_what_runs_and_starts_nothing_more() {
        let started = std::sync::atomic::AtomicUsize::new(0);
        let mut finished = 0;
        let play = |_: &usize| started.fetch_add(1, Ordering::SeqCst);
        // There is no end of jobs: this returns only because it winds up.
        run(2, in_order(0..), play, |batch| {
            finished += batch.len();
            Next::Wind
        });
        assert_eq!(finished, started.load(Ordering::SeqCst));
    }

    #[test]
    fn workers_wait_for_jobs_that_depend_on_results() {
        // Rounds of four jobs; a round begins when the one before is done.
        let done = std::sync::atomic::AtomicUsize::new(0);
        let mut given = 0;
        let offer = || {
            if given == 40 {
                Offer::Finished
            } else if given / 4 * 4 > done.load(Ordering::SeqCst) {
                Offer::Wait
            } else {
                given += 1;
                Offer::Job(given)
            }
        };
        let mut order = Vec::new();
        run(
            3,
            offer,
            |job| *job,
            |batch| {
                done.fetch_add(batch.len(), Ordering::SeqCst);
                order.extend(batch.into_iter().map(|(job, _)| (job - 1) / 4));
                Next::GoOn
            },
        );
        assert_eq!(order.len(), 40);
        assert!(order.is_sorted(), "{order:?}");
    }
}

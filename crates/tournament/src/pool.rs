//! Playing many games at once: one worker a core, each on a core of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// What to do after a finished job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    GoOn,
    /// Start no more jobs; those that run are finished.
    Wind,
}

/// Runs jobs on `workers` threads until there are none, or until `done` says to wind up.
///
/// `play` runs on a worker that is pinned to one core, and so are the engines it starts. `done` runs on this thread with
/// each batch of results, in the order they came: several games that finished while the last batch was dealt with come
/// together. A slow job holds up nobody but its own worker.
pub fn run<J: Send, R: Send>(
    workers: usize,
    jobs: impl Iterator<Item = J> + Send,
    play: impl Fn(&J) -> R + Sync,
    mut done: impl FnMut(Vec<(J, R)>) -> Next,
) {
    let jobs = Mutex::new(jobs);
    let winding = AtomicBool::new(false);
    let cores = usable_cores();
    std::thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for worker in 0..workers.max(1) {
            let (sender, jobs, winding, play) = (sender.clone(), &jobs, &winding, &play);
            let core = cores.get(worker % cores.len().max(1)).copied();
            scope.spawn(move || {
                pin(core);
                while !winding.load(Ordering::Acquire) {
                    let Some(job) = jobs.lock().ok().and_then(|mut jobs| jobs.next()) else { break };
                    let result = play(&job);
                    if sender.send((job, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        while let Ok(first) = results.recv() {
            let batch = std::iter::once(first).chain(results.try_iter()).collect();
            if done(batch) == Next::Wind {
                winding.store(true, Ordering::Release);
            }
        }
    });
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
            0..1000,
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
        run(2, 0..1_000_000, play, |batch| {
            finished += batch.len();
            Next::Wind
        });
        assert!(finished < 100_000);
        assert_eq!(finished, started.load(Ordering::SeqCst));
    }
}

//! Playing many games at once: each worker on a core of its own, or on two where engines think at the same time.

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

/// How many workers there are, and how many cores each has to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crew {
    /// Workers: games at once.
    pub workers: usize,
    /// Cores of each, pinned; workers beyond the machine's cores share them.
    pub cores_each: usize,
}

impl Crew {
    /// As many workers as were asked for, or as the machine has room for. While engines ponder both of a game's compute at
    /// the same time, so a game has two cores then; otherwise they take turns on one, which is also the fastest way to
    /// pass the turn.
    #[must_use]
    pub fn new(workers: Option<usize>, ponder: bool) -> Self {
        Self::on(usable_cores().len(), workers, ponder)
    }

    fn on(cores: usize, workers: Option<usize>, ponder: bool) -> Self {
        let cores_each = if ponder { 2 } else { 1 };
        Self { workers: workers.unwrap_or(cores / cores_each).max(1), cores_each }
    }

    /// The cores of one worker.
    fn cores_of(self, worker: usize, usable: &[usize]) -> Vec<usize> {
        let first = worker * self.cores_each;
        let mut cores: Vec<usize> = (first..first + self.cores_each)
            .filter_map(|index| usable.get(index % usable.len().max(1)))
            .copied()
            .collect();
        cores.sort_unstable();
        cores.dedup();
        cores
    }
}

/// The most results that wait to be dealt with, and that are dealt with together.
const BATCH: usize = 64;
/// How long a worker that waits sleeps before it looks again by itself.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs the jobs that `offer` gives on the workers of `crew` until it is finished, or until `done` says to wind up.
///
/// `play` runs on a worker that is pinned to its cores, and so are the engines it starts; what it keeps between its jobs
/// is the worker's own. `done` runs on this thread with
/// each batch of results, in the order they came: several games that finished while the last batch was dealt with come
/// together. A slow job holds up nobody but its own worker.
pub fn run<J: Send, R: Send, W: Default>(
    crew: Crew,
    offer: impl FnMut() -> Offer<J> + Send,
    play: impl Fn(&mut W, &J) -> R + Sync,
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
        for worker in 0..crew.workers {
            let (sender, next_job, play) = (sender.clone(), &next_job, &play);
            let cores = crew.cores_of(worker, &cores);
            scope.spawn(move || {
                pin(&cores);
                let mut own = W::default();
                while let Some(job) = next_job() {
                    let result = play(&mut own, &job);
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

/// Keeps this thread, and every process it starts, on these cores. Where that is not allowed games are played all the same.
fn pin(cores: &[usize]) {
    if !cores.is_empty() {
        let mut set = CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crew(workers: usize) -> Crew {
        Crew { workers, cores_each: 1 }
    }

    #[test]
    fn pondering_takes_two_cores_a_game() {
        assert_eq!(Crew::on(8, None, false), Crew { workers: 8, cores_each: 1 });
        assert_eq!(Crew::on(8, None, true), Crew { workers: 4, cores_each: 2 });
        assert_eq!(Crew::on(1, None, true), Crew { workers: 1, cores_each: 2 });
        assert_eq!(Crew::on(8, Some(3), true), Crew { workers: 3, cores_each: 2 });
        let usable = [0, 2, 4, 6];
        let pondering = Crew::on(4, None, true);
        assert_eq!((pondering.cores_of(0, &usable), pondering.cores_of(1, &usable)), (vec![0, 2], vec![4, 6]));
        assert_eq!(pondering.cores_of(2, &usable), [0, 2], "more workers than cores share them");
        assert_eq!(Crew::on(4, None, false).cores_of(3, &usable), [6]);
        assert_eq!(pondering.cores_of(0, &[5]), [5]);
        assert!(pondering.cores_of(0, &[]).is_empty());
    }

    #[test]
    fn a_slow_job_holds_up_only_its_own_worker() {
        let others = std::sync::atomic::AtomicUsize::new(0);
        let play = |_: &mut (), job: &usize| {
            if *job == 0 {
                // Waits for all the others: this would never end if they waited for it.
                let deadline = std::time::Instant::now() + Duration::from_secs(20);
                while others.load(Ordering::SeqCst) < 99 && std::time::Instant::now() < deadline {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            others.fetch_add(1, Ordering::SeqCst)
        };
        let mut last = None;
        run(crew(2), in_order(0..100), play, |batch| {
            last = batch.last().map(|(job, _)| *job);
            Next::GoOn
        });
        assert_eq!(last, Some(0), "the slow job is the last to finish");
    }

    #[test]
    fn what_a_worker_keeps_is_its_own() {
        let mut most = Vec::new();
        let play = |own: &mut usize, _: &usize| {
            *own += 1;
            *own
        };
        run(crew(3), in_order(0..300), play, |batch| {
            most.extend(batch.into_iter().map(|(_, count)| count));
            Next::GoOn
        });
        // Three counters that each went up one by one.
        assert_eq!(most.len(), 300);
        let highest = most.iter().copied().max().unwrap();
        assert!((100..=300).contains(&highest));
        for count in 1..=highest {
            let times = most.iter().filter(|seen| **seen == count).count();
            assert!((1..=3).contains(&times), "{count} was reached {times} times");
        }
    }

    #[test]
    fn every_job_is_done_once() {
        let mut seen = Vec::new();
        run(
            crew(3),
            in_order(0..1000),
            |(), job| job * 2,
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
        let play = |_: &mut (), _: &usize| started.fetch_add(1, Ordering::SeqCst);
        // There is no end of jobs: this returns only because it winds up.
        run(crew(2), in_order(0..), play, |batch| {
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
            crew(3),
            offer,
            |(), job| *job,
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

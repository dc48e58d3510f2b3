//! The workers: some compile and try, the others play, each on a core of its own.
//!
//! What they do is leased from the store and given back with its result in one step; whatever dies in between is done
//! again. A fault of the machine's is never scored.

mod build;
mod crew;
mod log;
mod play;
mod programs;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use referee::{Cage, CommandLine, EngineSpec, Host, Seat, Watcher};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use sandbox::{Ended, Level, Limits, Sandbox};
use tokio::runtime::Handle;
use vault::Cause;
use workshop::{Built, Workshop};

use crate::board::Boards;
use crate::contest::Contest;
use crate::store::{Store, StoreError};
use crew::Crew;
use programs::Programs;

/// What is kept of built programs.
const MOST_BUILT_BYTES: u64 = 4 << 30;
/// How long a worker that has nothing to do sleeps before it looks again by itself.
const NAP: Duration = Duration::from_millis(300);
/// More compilers at once would take the cores from the games.
const MOST_BUILDERS: usize = 4;
/// The first wait after a fault of the machine's; each further one doubles it.
const FIRST_DELAY_MS: i64 = 500;
/// The longest.
const LONGEST_DELAY_MS: i64 = 5 * 60_000;

/// Everything the workers share.
pub(crate) struct Shared {
    store: Store,
    boards: Arc<Boards>,
    host: Arc<Host>,
    sandbox: Arc<Sandbox>,
    workshop: Workshop,
    programs: Programs,
    crew: Arc<Crew>,
    runtime: Handle,
    stopping: AtomicBool,
    bell: (Mutex<()>, Condvar),
}

/// How the workers of a server are; it outlives them.
#[derive(Clone)]
pub struct Health(Arc<Shared>);

/// What is wrong with the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// So many threads have ended that should work.
    pub ended: usize,
    /// Work waits, somebody is free, and nothing is taken.
    pub still: bool,
}

impl Health {
    /// Looks. Workers stand still when work has waited for so long and nobody has taken any meanwhile.
    pub async fn check(&self, patience: Duration) -> Result<Standing, StoreError> {
        let shared = &self.0;
        if shared.is_stopping() {
            return Ok(Standing { ended: 0, still: false });
        }
        let (games, builds) = shared.store.waited(patience.as_millis() as i64).await?;
        let still =
            games && shared.crew.players.is_idle_for(patience) || builds && shared.crew.builders.is_idle_for(patience);
        Ok(Standing { ended: shared.crew.ended(), still })
    }
}

/// The workers of a server.
pub struct Judge {
    shared: Arc<Shared>,
    threads: Vec<std::thread::JoinHandle<()>>,
    workers: usize,
}

impl Judge {
    /// Starts the workers: so many players, or one for each spare core. Leases of an earlier run end.
    pub async fn start(
        store: Store,
        boards: Arc<Boards>,
        host: Arc<Host>,
        sandbox: Arc<Sandbox>,
        folder: &Path,
        workers: Option<usize>,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let again = store.end_all_leases().await?;
        if again > 0 {
            tracing::info!(again, "what was under way when the server ended is done again");
        }
        let programs = folder.join("programs");
        let workshop = Workshop::open(Arc::clone(&sandbox), &programs, MOST_BUILT_BYTES)?;
        // At level A root's launcher opens what a program is shown; below, the program's own user has to reach it.
        let strangers = rustix::process::geteuid().is_root() && sandbox.level() != Level::A;
        for path in [folder, &programs] {
            vault::let_pass(path, strangers)?;
        }
        let cores = usable_cores();
        let workers = workers.unwrap_or(cores.len().saturating_sub(1)).max(1);
        let builders = workers.div_ceil(2).min(MOST_BUILDERS);
        let shared = Arc::new(Shared {
            store,
            boards,
            host,
            sandbox,
            workshop,
            programs: Programs::default(),
            crew: Crew::new(workers, builders),
            runtime: Handle::current(),
            stopping: AtomicBool::new(false),
            bell: (Mutex::new(()), Condvar::new()),
        });
        // Builders beside the players: a compile error does not wait for games, and a class that uploads at once is not
        // one long row.
        let mut threads = Vec::new();
        for number in 0..builders {
            let work = move |shared: &Arc<Shared>| build::work(shared, &format!("builder-{number}"));
            threads.push(spawn(&format!("judge-build-{number}"), &shared, work)?);
        }
        for number in 0..workers {
            // The last cores first: the first one serves pages.
            let core = cores.len().checked_sub(1).and_then(|last| cores.get(last - number % cores.len())).copied();
            let play = move |shared: &Arc<Shared>| {
                pin(core);
                play::work(shared, &format!("player-{number}"), core);
            };
            threads.push(spawn(&format!("judge-{number}"), &shared, play)?);
        }
        Ok(Self { shared, threads, workers })
    }

    /// How many games are played at once at most.
    #[must_use]
    pub const fn workers(&self) -> usize {
        self.workers
    }

    /// How they are, for whoever asks now and later.
    #[must_use]
    pub fn health(&self) -> Health {
        Health(Arc::clone(&self.shared))
    }

    /// The level engines run at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.shared.sandbox.level()
    }

    /// The workshop, for whoever lists languages.
    #[must_use]
    pub fn workshop(&self) -> &Workshop {
        &self.shared.workshop
    }

    /// Something new waits in the queue.
    pub fn ring(&self) {
        self.shared.ring();
    }

    /// Stops: games under way are given back and played again later.
    pub fn stop(self) {
        self.shared.stopping.store(true, Ordering::Release);
        self.shared.ring();
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

fn spawn(
    name: &str,
    shared: &Arc<Shared>,
    work: impl FnOnce(&Arc<Shared>) + Send + 'static,
) -> std::io::Result<std::thread::JoinHandle<()>> {
    let shared = Arc::clone(shared);
    let member = shared.crew.enlist();
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        let _member = member;
        work(&shared);
    })
}

impl Shared {
    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    fn ring(&self) {
        let _held = self.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.bell.1.notify_all();
    }

    /// Waits for a step of the store, and for room on its disk.
    fn written<T, S: Future<Output = Result<T, StoreError>>>(&self, step: impl Fn() -> S) -> Result<T, StoreError> {
        insist(|| self.is_stopping(), || std::thread::sleep(NAP), || self.runtime.block_on(step()))
    }

    /// Sleeps until something new waits, or a moment.
    fn nap(&self) {
        let held = self.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_stopping() {
            let _ = self.bell.1.wait_timeout(held, NAP);
        }
    }

    /// The engine of a built program on a seat of this contest.
    fn seat(&self, contest: &Contest, built: &Built, core: Option<u32>) -> Option<Seat> {
        Some(Seat::engine(EngineSpec {
            command: self.command(contest, built, core),
            protocol: protocols::find(&contest.game, contest.rules.protocol.as_deref())?,
            options: serde_json::Value::Null,
            memory: Some(contest.rules.memory_mb << 20),
        }))
    }

    fn command(&self, contest: &Contest, built: &Built, core: Option<u32>) -> CommandLine {
        let limits = Limits {
            memory: Some(contest.rules.memory_mb << 20),
            cores: core.into_iter().collect(),
            ..Limits::engine()
        };
        CommandLine {
            words: built.run.clone(),
            folder: Some(built.folder.clone()),
            cage: Some(Cage { sandbox: Arc::clone(&self.sandbox), limits: built.limits(limits), closed: None }),
        }
    }
}

/// Writes what came of some work, again and again while the disk is full or taken: who waits for it would otherwise
/// wait until the next start, or for the same game once more.
fn insist<T>(
    is_stopping: impl Fn() -> bool,
    rest: impl Fn(),
    mut write: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut told = false;
    loop {
        match write() {
            Err(error) if passes(&error) && !is_stopping() => {
                if !told {
                    tracing::error!(%error, "the judge waits until its store can be written");
                }
                told = true;
                rest();
            }
            done => return done,
        }
    }
}

/// Whether it is worth another try.
fn passes(error: &StoreError) -> bool {
    matches!(error.cause(), Some(Cause::Full | Cause::Unwritable | Cause::Busy))
}

/// Ends a game when the server is being stopped.
struct Stopper<'a>(&'a Shared);

impl Watcher for Stopper<'_> {
    fn wants_stop(&mut self) -> bool {
        self.0.is_stopping()
    }
}

/// What the machine did to a game, if anything: such a game is played again and not scored.
fn machine_fault(report: &referee::GameReport) -> Option<String> {
    use referee::decision::reasons::{STALLED, STOPPED};
    let code = report.decision.reason.code;
    if code == STALLED.code || code == STOPPED.code {
        return Some(report.decision.reason.text.en.to_owned());
    }
    report.cages.iter().flatten().find_map(|cage| match &cage.ended {
        Ended::NotStarted(_) => Some(cage.ended.say(games::Language::En)),
        _ => None,
    })
}

/// How long to wait after so many faults.
fn delay(attempts: i64) -> i64 {
    FIRST_DELAY_MS.saturating_mul(1 << attempts.clamp(0, 20)).min(LONGEST_DELAY_MS)
}

/// The day machine time is charged to, in the server's own time zone.
#[must_use]
pub fn today() -> i64 {
    let zoned = jiff::Zoned::now();
    let days = zoned.date().since((jiff::Unit::Day, jiff::civil::date(1970, 1, 1)));
    days.map_or(0, |span| i64::from(span.get_days()))
}

/// The cores this process may use.
fn usable_cores() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).map(|core| core as u32).collect()
}

/// Keeps this thread and the processes it starts on a core. Where that is not allowed games are played all the same.
fn pin(core: Option<u32>) {
    if let Some(core) = core {
        let mut set = CpuSet::new();
        set.set(core as usize);
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_result_waits_for_room_on_the_disk_and_is_written_once() {
        let tries = Cell::new(0);
        let write = || {
            tries.set(tries.get() + 1);
            // What a store that cannot be written says; the codes themselves are tested where they are read.
            if tries.get() < 4 { Err(StoreError::Database(sqlx::Error::PoolTimedOut)) } else { Ok(tries.get()) }
        };
        assert_eq!(insist(|| false, || {}, write).ok(), Some(4));
        let rests = Cell::new(0);
        let never = || Err::<(), _>(StoreError::Database(sqlx::Error::PoolTimedOut));
        let stopped = insist(|| rests.get() == 2, || rests.set(rests.get() + 1), never);
        assert!(stopped.is_err() && rests.get() == 2, "a server that is stopped waits for nothing");
        let wrong = || Err::<(), _>(StoreError::Missing("match"));
        let wrong = insist(|| false, || panic!("what stays wrong is not tried again"), wrong);
        assert!(wrong.is_err());
    }
}

//! Time for which this machine kept an engine, or the referee who was to read its answer, from running.
//!
//! Under load a thread that has something to do still waits for a core: an engine that slept 200 ms was seen to wait 60
//! ms more, and the referee another 76 ms before it read the answer. The kernel counts such waits for each thread. What
//! both were kept waiting is not the engine's time; what the engine computed always is.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::host::children_of;

/// Turns shorter than this are not measured: that would cost more than they take.
pub(crate) const SLOW: Duration = Duration::from_millis(1);
/// The files of so many threads stay open; a larger family is opened anew each time.
const KEPT_OPEN: usize = 4;
/// A family with more threads than this is not measured.
const MOST_THREADS: usize = 256;
/// A wait shorter than this is no wait.
const NOTABLE: Duration = Duration::from_micros(200);

/// What the kernel says of a thread: how long it ran, how long it waited for a core, how often it got one.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    run: Duration,
    wait: Duration,
    slices: u64,
}

impl Figures {
    fn parse(text: &[u8]) -> Option<Self> {
        let mut numbers = std::str::from_utf8(text).ok()?.split_ascii_whitespace().map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        Some(Self { run: Duration::from_nanos(next()?), wait: Duration::from_nanos(next()?), slices: next()? })
    }

    /// From a file that is open already, which costs less than a microsecond.
    fn read(file: &File) -> Option<Self> {
        let mut text = [0; 96];
        let count = rustix::io::pread(file, &mut text, 0).ok()?;
        Self::parse(&text[..count])
    }
}

/// A thread of an engine, with its figures when its turn began.
#[derive(Debug)]
struct Thread {
    path: PathBuf,
    file: Option<File>,
    before: Figures,
}

impl Thread {
    fn now(&self) -> Option<Figures> {
        match &self.file {
            Some(file) => Figures::read(file),
            None => Figures::parse(&std::fs::read(&self.path).ok()?),
        }
    }
}

/// What an engine was kept waiting since its turn began, and the least it is charged whatever else is excused.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kept {
    pub(crate) wait: Duration,
    /// The processor time of its busiest thread, or of all together on each of the cores they may use.
    pub(crate) computed: Duration,
}

impl Kept {
    /// What a ply is charged that took so long by the wall clock.
    pub(crate) fn charge(&self, time: Duration) -> Duration {
        time.saturating_sub(self.wait).max(self.computed)
    }
}

/// The waits of an engine with all its threads and living descendants.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    threads: Vec<Thread>,
    /// When the present turn began, where it is measured.
    marked: Option<Instant>,
}

impl Waits {
    /// A turn that is not measured, at least not yet.
    pub(crate) fn unmark(&mut self) {
        self.marked = None;
    }

    pub(crate) const fn is_marked(&self) -> bool {
        self.marked.is_some()
    }

    /// From here on its waits count.
    pub(crate) fn mark(&mut self, leader: Pid) {
        if self.threads.is_empty() {
            self.list(leader);
        }
        self.threads.retain_mut(|thread| {
            let now = thread.now();
            thread.before = now.unwrap_or_default();
            now.is_some()
        });
        self.marked = Some(Instant::now());
    }

    /// What the engine was kept waiting since then. Threads that wait because others of the engine have their core were
    /// not kept waiting by the machine: together they had it.
    pub(crate) fn since(&mut self, leader: Pid) -> Kept {
        let Some(marked) = self.marked else { return Kept::default() };
        let window = marked.elapsed();
        let known = self.threads.len();
        if window < SLOW || known == 0 {
            return Kept::default();
        }
        self.list(leader);
        if self.threads.is_empty() {
            return Kept::default();
        }
        let (mut wait, mut busiest, mut all) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        let mut stranger = Duration::ZERO;
        for (index, thread) in self.threads.iter_mut().enumerate() {
            let Some(now) = thread.now() else { continue };
            let ran = now.run.saturating_sub(thread.before.run);
            if index < known {
                wait = wait.max(now.wait.saturating_sub(thread.before.wait));
                busiest = busiest.max(ran);
                all += ran;
            } else {
                // It began within the turn, or before it without our knowledge: its waits count from now on.
                stranger += ran;
                thread.before = now;
            }
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        // A thread that has answered may wait once more before it sleeps, which is no part of its turn.
        let wait = wait.saturating_sub(NOTABLE).min(window.saturating_sub(all + stranger));
        Kept { wait, computed: busiest.max(all / cores).min(window) }
    }

    /// Adds the threads that are not known yet.
    fn list(&mut self, leader: Pid) {
        let (mut family, mut next) = (vec![leader], 0);
        let mut paths = Vec::new();
        while let Some(member) = family.get(next).map(|member| member.as_raw_nonzero().to_string()) {
            next += 1;
            family.extend(children_of(&member));
            let tasks = std::fs::read_dir(Path::new("/proc").join(&member).join("task"));
            paths.extend(tasks.into_iter().flatten().flatten().map(|task| task.path().join("schedstat")));
            if paths.len() > MOST_THREADS {
                return self.threads.clear();
            }
        }
        let few = paths.len() <= KEPT_OPEN;
        for path in paths {
            if self.threads.iter().all(|thread| thread.path != path) {
                let file = if few { File::open(&path).ok() } else { None };
                self.threads.push(Thread { path, file, before: Figures::default() });
            }
        }
        if !few {
            self.threads.iter_mut().for_each(|thread| thread.file = None);
        }
    }
}

/// How late the referee itself was when it read an answer.
#[derive(Debug)]
pub(crate) struct OwnWait {
    /// This thread's own figures.
    file: Option<File>,
}

/// The referee's figures before it went to sleep.
pub(crate) struct Asleep {
    before: Figures,
    since: Instant,
    until: Option<Instant>,
}

impl OwnWait {
    /// Of the thread that calls this, which must be the one that asks later.
    pub(crate) fn of_this_thread() -> Self {
        Self { file: File::open("/proc/thread-self/schedstat").ok() }
    }

    /// It goes to sleep until something can be read, or until that moment.
    pub(crate) fn sleeps(&self, until: Option<Instant>) -> Option<Asleep> {
        Some(Asleep { before: Figures::read(self.file.as_ref()?)?, since: Instant::now(), until })
    }

    /// It runs again: how long ago what woke it was there. Only what is certain counts. It must have slept exactly
    /// once, and not have been woken by the clock, for then nobody knows when the answer came.
    pub(crate) fn woke(&self, asleep: &Asleep) -> Duration {
        let Some(now) = self.file.as_ref().and_then(Figures::read) else { return Duration::ZERO };
        let moment = Instant::now();
        let late = now.wait.saturating_sub(asleep.before.wait).min(moment - asleep.since);
        let overdue = asleep.until.map_or(Duration::ZERO, |until| moment.saturating_duration_since(until));
        let certain = now.slices == asleep.before.slices + 1 && late > overdue + NOTABLE;
        if certain { late } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_computed_is_always_charged() {
        let ms = Duration::from_millis;
        let kept = Kept { wait: ms(150), computed: ms(90) };
        assert_eq!(kept.charge(ms(200)), ms(90));
        assert_eq!(kept.charge(ms(300)), ms(150));
        assert_eq!(Kept::default().charge(ms(200)), ms(200));
    }

    #[test]
    fn the_kernel_s_figures_are_read() {
        let figures = Figures::parse(b"70736 3106624 2\n").unwrap();
        assert_eq!((figures.run, figures.wait), (Duration::from_nanos(70736), Duration::from_nanos(3_106_624)));
        assert_eq!(figures.slices, 2);
        assert!(Figures::parse(b"").is_none());
        let own = OwnWait::of_this_thread();
        assert!(own.sleeps(None).is_some(), "this kernel counts the waits of threads");
    }

    /// Threads of one program that take each other's core are not excused: together they had it.
    #[test]
    fn an_engine_gains_nothing_by_its_own_crowd() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let (stop, me) = (std::sync::Arc::new(AtomicBool::new(false)), rustix::process::getpid());
        let core = rustix::thread::sched_getaffinity(None).unwrap();
        let first = (0..rustix::thread::CpuSet::MAX_CPU).find(|&number| core.is_set(number)).unwrap();
        let mut one = rustix::thread::CpuSet::new();
        one.set(first);
        let crowd: Vec<_> = (0..4)
            .map(|_| {
                let stop = std::sync::Arc::clone(&stop);
                std::thread::spawn(move || {
                    rustix::thread::sched_setaffinity(None, &one).unwrap();
                    while !stop.load(Ordering::Relaxed) {}
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(50));
        let mut waits = Waits::default();
        waits.mark(me);
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(400));
        let (kept, window) = (waits.since(me), began.elapsed());
        let waited = waits.threads.iter().filter_map(|thread| Some(thread.now()?.wait - thread.before.wait)).max();
        stop.store(true, Ordering::Relaxed);
        crowd.into_iter().for_each(|thread| thread.join().unwrap());
        assert!(waited.unwrap() > window / 3, "each of the crowd waited for the others: {waited:?}");
        // What strangers on this machine took of the core is excused, and nothing else.
        assert!(kept.wait + kept.computed < window, "{kept:?} of {window:?}");
        assert!(kept.wait < waited.unwrap(), "{kept:?}: {waited:?}");
    }
}

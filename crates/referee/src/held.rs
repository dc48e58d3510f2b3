//! Stopping an engine by signals, where there is neither a cage nor a control group: a thread looks after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use sandbox::{Glance, Still};

/// How often a stopped engine is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// An engine that is stopped until this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    over: Arc<AtomicBool>,
    undone: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Held {
    /// Stops every process of a family, and whatever of it is set going again.
    pub(crate) fn start(family: impl Fn() -> Vec<Pid> + Send + 'static) -> Option<Self> {
        let (over, undone) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (is_over, counted) = (Arc::clone(&over), Arc::clone(&undone));
        let watch = move || {
            let ticks = rustix::param::clock_ticks_per_second();
            let mut still = Still::default();
            while !is_over.load(Ordering::Acquire) {
                let members = family();
                let number = |pid: &Pid| pid.as_raw_nonzero().get().unsigned_abs().into();
                let glances: Vec<Glance> = members.iter().filter_map(|pid| Glance::at(number(pid), ticks)).collect();
                still.look(&glances);
                counted.store(still.undone().as_nanos() as u64, Ordering::Relaxed);
                signal(&members, Signal::STOP);
                std::thread::park_timeout(LOOK);
            }
            signal(&family(), Signal::CONT);
        };
        let thread = std::thread::Builder::new().name("pause".to_owned()).spawn(watch).ok()?;
        Some(Self { over, undone, thread: Some(thread) })
    }

    /// The processor time it has used although it was stopped.
    pub(crate) fn undone(&self) -> Duration {
        Duration::from_nanos(self.undone.load(Ordering::Relaxed))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn signal(members: &[Pid], signal: Signal) {
    for &member in members {
        let _ = rustix::process::kill_process(member, signal);
    }
}

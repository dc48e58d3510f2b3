//! The sandbox of a run, and the cells in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cgroup::{self, Base, Group};
use crate::error::{Error, Failure, Step as _};
use crate::filter;
use crate::launch::LAUNCH;
use crate::layers::{Layer, Layers, Level};
use crate::limits::Limits;
use crate::machine;
use crate::mailbox::{self, Mailbox};
use crate::orders::{GroupPaths, Orders};
use crate::report::{Ended, Holds, Limit, Remark, Report, Usage};
use crate::view::View;

/// Where programs are searched for.
const PROGRAMS: &str = "/usr/local/bin:/usr/bin:/bin";
/// How long a killed cell may take to be gone.
const BURIAL: Duration = Duration::from_secs(5);

/// A level on this machine, and what is needed to make cells of it.
#[derive(Debug)]
pub struct Sandbox {
    level: Level,
    layers: Layers,
    base: Option<Base>,
    filters: Vec<Vec<u64>>,
    launcher: PathBuf,
    root: bool,
    remarks: Vec<Remark>,
}

impl Sandbox {
    /// The strongest level this machine allows, tried in turn. The launcher is a program that calls
    /// [`launch_if_asked`](crate::launch_if_asked), usually this one.
    pub fn strongest(launcher: impl Into<PathBuf>) -> Result<Self, Error> {
        let launcher = launcher.into();
        let mut reason = Error::NoCommand;
        for level in [Level::A, Level::B, Level::C] {
            match Self::new(level, &launcher) {
                Ok(sandbox) => return Ok(sandbox),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    /// This level, tried once with a program that does nothing, or the reason why not.
    pub fn new(level: Level, launcher: impl Into<PathBuf>) -> Result<Self, Error> {
        let sandbox = Self::unproven(level, launcher)?;
        machine::try_out(&sandbox)?;
        Ok(sandbox)
    }

    /// This level without asking the machine first: a step that cannot be done shows as [`Ended::NotStarted`].
    pub fn unproven(level: Level, launcher: impl Into<PathBuf>) -> Result<Self, Error> {
        let root = rustix::process::geteuid().is_root();
        let base = match level {
            Level::A => {
                let base = Base::find().map_err(|(reason, place)| Error::Unavailable {
                    level,
                    reason: format!("{} ({place})", reason.en),
                    reason_zh: format!("{}（{place}）", reason.zh),
                })?;
                base.prepare().step("prepare control groups")?;
                Some(base)
            }
            Level::B | Level::C => Base::for_pauses(),
            Level::D => None,
        };
        let has = |found: fn(&Base) -> bool| base.as_ref().is_some_and(found);
        let absent = [
            (Layer::CoreGroup, has(|base| base.cores.is_some())),
            (Layer::PauseGroup, has(|base| base.unified.is_some() || base.freezer.is_some())),
        ];
        let absent =
            absent.into_iter().filter(|(_, there)| !there).fold(Layers::NONE, |all, (layer, _)| all.with(layer));
        let layers = level.layers(root).without(absent);
        Ok(Self {
            level,
            layers,
            base,
            filters: filter::prepare(level)?,
            launcher: launcher.into(),
            root,
            remarks: remarks(level),
        })
    }

    /// The level of its cells.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The layers of its cells.
    #[must_use]
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// The same without some layers: for the proof that each of them is needed, and for nothing else. Every report says
    /// so.
    #[must_use]
    pub fn without(mut self, layers: Layers) -> Self {
        // A filter can be set only by who has given up new privileges.
        let layers = if layers.has(Layer::Privileges) { layers.with(Layer::Seccomp) } else { layers };
        self.remarks.extend(layers.iter().map(Remark::Weakened));
        self.layers = self.layers.without(layers);
        self
    }

    /// Removes the control groups of earlier runs that were killed; gives how many there were. Those of living programs
    /// stay.
    pub fn sweep(&self) -> usize {
        self.base.as_ref().map_or(0, cgroup::sweep)
    }

    /// A cage for one program.
    pub fn cell(&self, limits: Limits, view: View) -> Result<Cell, Error> {
        let name = cgroup::next_name();
        let group = self.base.as_ref().map(|base| Group::make(base, &name, &limits, self.layers)).transpose()?;
        let holds = Holds::new(&limits, self.layers, view.work.is_some());
        let groups = group.as_ref().map_or_else(GroupPaths::default, |group| {
            // At level B the launcher has become the stranger before it forks.
            group.paths(self.root && self.layers.has(Layer::User) && self.layers.has(Layer::Identity))
        });
        let orders = Orders {
            layers: self.layers,
            limits,
            view,
            groups,
            filters: if self.layers.has(Layer::Seccomp) { self.filters.clone() } else { Vec::new() },
            root: self.root,
        };
        let mailbox = Mailbox::new(&orders).step("mailbox")?;
        Ok(Cell {
            level: self.level,
            layers: self.layers,
            holds,
            remarks: self.remarks.clone(),
            launcher: self.launcher.clone(),
            view: orders.view,
            mailbox,
            group,
            output: orders.limits.output,
            output_reached: false,
            held: AtomicBool::new(false),
        })
    }
}

/// A cage for one program. Dropping it ends the program and everything it started.
#[derive(Debug)]
pub struct Cell {
    level: Level,
    layers: Layers,
    holds: Holds,
    remarks: Vec<Remark>,
    launcher: PathBuf,
    view: View,
    mailbox: Mailbox,
    group: Option<Group>,
    output: Option<u64>,
    output_reached: bool,
    /// It was stopped by signals, because no group could be frozen.
    held: AtomicBool,
}

impl Cell {
    /// The command that starts a program in this cell. Its pipes are the caller's to choose and belong to the program
    /// directly; its environment is empty but for what every program needs, and may be added to. The child's exit is
    /// the program's.
    pub fn command<W: AsRef<OsStr>>(&self, words: &[W]) -> Result<Command, Error> {
        if words.is_empty() {
            return Err(Error::NoCommand);
        }
        let mut command = Command::new(&self.launcher);
        command.arg(LAUNCH).args(self.mailbox.address()).args(words);
        command.env_clear();
        let scratch = match &self.view.work {
            Some(work) if !self.layers.has(Layer::Root) => work.clone(),
            _ => PathBuf::from("/tmp"),
        };
        command.env("PATH", PROGRAMS).env("HOME", &scratch).env("TMPDIR", &scratch).env("LANG", "C.UTF-8");
        Ok(command)
    }

    /// What the program has used so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let live = self.mailbox.live();
        let mut usage = self.group.as_ref().map(Group::usage).unwrap_or_default();
        if !self.group.as_ref().is_some_and(Group::counts_processor) {
            usage.cpu = Duration::from_nanos(live.cpu);
        }
        if !self.group.as_ref().is_some_and(Group::counts_memory) {
            usage.peak_memory = live.peak_memory;
        }
        if live.started > 0 {
            let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
            let now = now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs();
            usage.wall = Duration::from_nanos(now.saturating_sub(live.started));
        }
        usage
    }

    /// Makes the program and everything it started stand still until it is told to go on. Where no control group can be
    /// frozen it is stopped by signals, and what it uses in spite of them is counted.
    pub fn suspend(&self) {
        if self.group.as_ref().is_none_or(|group| group.freeze(true).is_err()) {
            self.held.store(true, Ordering::Relaxed);
            self.mailbox.tell(mailbox::HOLD);
        }
    }

    /// Lets the program go on.
    pub fn resume(&self) {
        if self.held.swap(false, Ordering::Relaxed) {
            self.mailbox.tell(mailbox::GO_ON);
        } else if let Some(group) = &self.group {
            let _ = group.freeze(false);
        }
    }

    /// The processor time it has used while it should have stood still, because somebody set it going again.
    #[must_use]
    pub fn undone(&self) -> Duration {
        Duration::from_nanos(self.mailbox.live().undone)
    }

    /// Ends the program and everything it started; the launcher then leaves, and its exit can be waited for.
    pub fn kill(&self) {
        if let Some(group) = &self.group {
            let _ = group.freeze(false);
        }
        self.mailbox.tell(mailbox::STOP);
    }

    /// The bytes of output it may write, for whoever counts them.
    pub(crate) fn output(&self) -> Option<u64> {
        self.output
    }

    /// Marks that the caller has counted more output than was allowed and ended the program for it.
    pub fn output_reached(&mut self) {
        self.output_reached = true;
        self.kill();
    }

    /// What came of it, after the child has been waited for.
    #[must_use]
    pub fn finish(self, status: ExitStatus) -> Report {
        self.await_end();
        let outcome = self.mailbox.outcome();
        let mut usage = self.usage();
        let out_of_memory = self.group.as_ref().is_some_and(Group::ran_out_of_memory);
        let mut reached = Vec::new();
        if self.group.as_ref().is_some_and(Group::refused_a_fork)
            || outcome.as_ref().is_some_and(|outcome| outcome.crowded)
        {
            reached.push(Limit::Processes);
        }
        let mut remarks = self.remarks.clone();
        let ended = match outcome {
            Some(outcome) => {
                usage.wall = outcome.wall;
                usage.cpu = usage.cpu.max(if self.group.as_ref().is_some_and(Group::counts_processor) {
                    Duration::ZERO
                } else {
                    outcome.cpu
                });
                if !self.group.as_ref().is_some_and(Group::counts_memory) {
                    usage.peak_memory = usage.peak_memory.max(outcome.peak_memory);
                }
                remarks.extend(outcome.remarks);
                match (outcome.failure, outcome.limit) {
                    (Some(failure), _) => Ended::NotStarted(failure),
                    (None, Some(limit)) => Ended::Limit(limit),
                    (None, None) if out_of_memory => Ended::Limit(Limit::Memory),
                    (None, None) if self.output_reached => Ended::Limit(Limit::Output),
                    (None, None) if outcome.stopped => Ended::Stopped,
                    (None, None) => Ended::left(outcome.code, outcome.signal),
                }
            }
            // The launcher itself was killed, which only we and the machine's own want of memory do.
            None if out_of_memory => Ended::Limit(Limit::Memory),
            None if self.output_reached => Ended::Limit(Limit::Output),
            None => {
                use std::os::unix::process::ExitStatusExt as _;
                match status.signal() {
                    Some(libc::SIGKILL) => Ended::Stopped,
                    signal => Ended::NotStarted(Failure::new("launcher", format!("{:?} {signal:?}", status.code()))),
                }
            }
        };
        if let Ended::Limit(limit) = ended
            && !reached.contains(&limit)
        {
            reached.push(limit);
        }
        Report { level: self.level, layers: self.layers, holds: self.holds, usage, ended, reached, remarks }
    }

    /// A launcher that told its outcome has left nothing; for one that was killed the kernel ends the rest, in a
    /// moment.
    fn await_end(&self) {
        let deadline = Instant::now() + BURIAL;
        let first = self.mailbox.live().first;
        let folder = format!("/proc/{first}");
        while first != 0 && self.mailbox.outcome().is_none() && Path::new(&folder).exists() && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_micros(500));
        }
        if let Some(group) = &self.group {
            group.empty();
        }
    }
}

/// What is worth knowing of every cell of a level. Older versions of Landlock hold less than the view promises.
fn remarks(level: Level) -> Vec<Remark> {
    let mut remarks = if level == Level::A { Vec::new() } else { vec![Remark::NotCounted] };
    let version = crate::sys::landlock_version().unwrap_or_default();
    if level == Level::C && version < machine::WHOLE_LANDLOCK {
        remarks.push(Remark::PartOfLandlock(version));
    }
    remarks
}

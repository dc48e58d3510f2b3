//! The launcher's life while the program runs: watch the clocks and the memory, obey the cell, and end everything in
//! the end.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::process::{Signal, WaitStatus};

use super::sample::{self, Hidden, Sample};
use super::start::{Family, OpenGroups, now};
use super::{collect, start};
use crate::cgroup::{self, number_after};
use crate::layers::Layer;
use crate::mailbox::{self, Post};
use crate::orders::{Orders, Outcome};
use crate::report::Limit;
use crate::still::{Glance, Still};
use crate::sys;

/// How often memory is looked at: how much there is where no control group counts it; else whether somebody was killed
/// for want of it (the kernel kills one process, the group must follow) and whether there are more processes to allow
/// for.
const LOOK: Duration = Duration::from_millis(10);
/// Processor time is not looked at more often than this.
const SOONEST: Duration = Duration::from_millis(2);

/// Watches until the program has ended and nothing of it is left.
pub(super) fn watch(post: &Post, orders: &Orders, family: &Family) -> Outcome {
    let mut watch = Watch {
        orders,
        family,
        outcome: Outcome::default(),
        peak: Sample::default(),
        cell_is_gone: false,
        allowed_tasks: cgroup::FIRST_TASKS,
        hidden: Hidden::default(),
        still: None,
        undone: Duration::ZERO,
    };
    // Landlock's rule for the program's own folder in /proc holds only as long as somebody holds that folder.
    let own_folder = format!("/proc/{}", start::number(family.program.pid));
    let _held = rustix::fs::open(own_folder, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
    let status = watch.until_the_end(post);
    watch.bury();
    let wall = now().saturating_sub(family.live.started);
    let Watch { mut outcome, peak, cell_is_gone, .. } = watch;
    let (cpu, largest) = sys::children_usage();
    outcome.wall = Duration::from_nanos(wall);
    outcome.cpu = cpu.max(peak.cpu);
    outcome.peak_memory = peak.memory.max(largest);
    outcome.code = status.and_then(WaitStatus::exit_status);
    outcome.signal = status.and_then(WaitStatus::terminating_signal);
    if outcome.limit.is_none() && !outcome.stopped {
        let watched = orders.layers.has(Layer::Watch) && family.groups.memory_events.is_none();
        let passed = watched && orders.limits.memory.is_some_and(|limit| outcome.peak_memory > limit);
        outcome.limit = match outcome.signal {
            // Whoever was too quick for the watch is caught by what the kernel remembers.
            _ if passed || ran_out_of_memory(&family.groups) => Some(Limit::Memory),
            Some(libc::SIGXFSZ) => Some(Limit::FileSize),
            Some(libc::SIGXCPU) => Some(Limit::Cpu),
            _ => None,
        };
    }
    if let (Some(folder), Some(work), true) = (&family.work, &orders.view.work, orders.layers.has(Layer::Root)) {
        outcome.remarks.extend(collect::collect(work, folder, orders.limits.scratch));
    }
    if cell_is_gone {
        remove_groups(&family.groups);
    }
    outcome
}

struct Watch<'a> {
    orders: &'a Orders,
    family: &'a Family,
    outcome: Outcome,
    /// The most that was seen.
    peak: Sample,
    cell_is_gone: bool,
    /// The processes and threads for whose bookkeeping there is room.
    allowed_tasks: u32,
    hidden: Hidden,
    /// It was told to stand still, by signals.
    still: Option<Still>,
    /// What it has used in spite of that, before the last time.
    undone: Duration,
}

impl Watch<'_> {
    fn until_the_end(&mut self, post: &Post) -> Option<WaitStatus> {
        loop {
            let look = self.look(post);
            let pause = [look, self.look_at_still(post)].into_iter().flatten().min();
            let timeout =
                pause.map(|pause| Timespec { tv_sec: pause.as_secs() as i64, tv_nsec: pause.subsec_nanos().into() });
            let mut polled =
                [PollFd::new(&self.family.program_end, PollFlags::IN), PollFd::new(&post.ears, PollFlags::IN)];
            // A cell that is gone is readable for ever.
            let count = if self.cell_is_gone { 1 } else { 2 };
            let _ = rustix::event::poll(&mut polled[..count], timeout.as_ref());
            let [ended, spoken] = polled.map(|one| !one.revents().is_empty());
            if ended {
                return self.family.program.wait();
            }
            if spoken {
                self.obey(post);
            }
        }
    }

    /// Ends the program if it has passed a limit; gives how long to wait before the next look.
    fn look(&mut self, post: &Post) -> Option<Duration> {
        if !self.orders.layers.has(Layer::Watch) || self.outcome.limit.is_some() || self.outcome.stopped {
            return None;
        }
        let limits = &self.orders.limits;
        let groups = &self.family.groups;
        let wall = Duration::from_nanos(now().saturating_sub(self.family.live.started));
        let counted = read(&groups.processor).and_then(|text| processor_time(&text));
        let counts_memory = groups.memory_events.is_some();
        self.allow_for_tasks();
        if counted.is_none() || !counts_memory {
            self.sample(post);
        }
        let cpu = counted.unwrap_or(self.peak.cpu);
        let over = |limit: Option<Duration>, used: Duration| limit.is_some_and(|limit| used > limit);
        let reached = if ran_out_of_memory(groups)
            || (!counts_memory && limits.memory.is_some_and(|limit| self.peak.memory > limit))
        {
            Some(Limit::Memory)
        } else if over(limits.cpu, cpu) {
            Some(Limit::Cpu)
        } else if over(limits.wall, wall) {
            Some(Limit::Wall)
        } else {
            None
        };
        if reached.is_some() {
            self.outcome.limit = reached;
            self.kill();
            return None;
        }
        // The soonest that a limit can be reached.
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let threads = limits.processes.map_or(cores, |processes| cores.min(processes.max(1)));
        let candidates = [
            Some(LOOK),
            limits.wall.map(|limit| limit.saturating_sub(wall) + Duration::from_micros(100)),
            limits.cpu.map(|limit| (limit.saturating_sub(cpu) / threads).max(SOONEST)),
        ];
        candidates.into_iter().flatten().min()
    }

    /// Raises the memory limit by what the kernel charges for the processes that have come.
    fn allow_for_tasks(&mut self) {
        let groups = &self.family.groups;
        let tasks = read(&groups.tasks_now).and_then(|text| text.trim().parse::<u32>().ok()).unwrap_or_default();
        if tasks + 2 <= self.allowed_tasks {
            return;
        }
        self.allowed_tasks = tasks + 2;
        if let Some(bytes) = self.orders.limits.charged_memory(self.allowed_tasks) {
            for file in &groups.memory_limits {
                let _ = rustix::io::write(file, bytes.to_string().as_bytes());
            }
        }
    }

    fn sample(&mut self, post: &Post) {
        let seen = sample::look(self.orders, self.family.program.pid, self.family.units, &mut self.hidden);
        self.peak.cpu = self.peak.cpu.max(seen.cpu);
        self.peak.memory = self.peak.memory.max(seen.memory);
        if self.orders.limits.processes.is_some_and(|limit| seen.threads >= u64::from(limit)) {
            self.outcome.crowded = true;
        }
        self.note(post);
    }

    fn note(&self, post: &Post) {
        let mut live = self.family.live;
        live.cpu = self.peak.cpu.as_nanos() as u64;
        live.peak_memory = self.peak.memory;
        let undone = self.undone + self.still.as_ref().map(Still::undone).unwrap_or_default();
        live.undone = undone.as_nanos() as u64;
        post.note(live);
    }

    /// Stops again whatever was set going although it had been told to stand still; gives how long to wait before the
    /// next look.
    fn look_at_still(&mut self, post: &Post) -> Option<Duration> {
        let still = self.still.as_mut()?;
        let before = still.undone();
        let family: Vec<Glance> = sample::members(self.orders, self.family.program.pid)
            .into_iter()
            .filter_map(|process| Glance::at(process, self.family.units.ticks_a_second))
            .collect();
        still.look(&family);
        if still.undone() != before {
            self.note(post);
        }
        self.signal_all(Signal::STOP);
        Some(LOOK)
    }

    fn go_on(&mut self) {
        if let Some(still) = self.still.take() {
            self.undone += still.undone();
            self.signal_all(Signal::CONT);
        }
    }

    fn obey(&mut self, post: &Post) {
        let mut said = [0; 16];
        match rustix::io::read(&post.ears, &mut said) {
            Ok(0) => {
                self.cell_is_gone = true;
                self.stop();
            }
            Ok(count) => {
                for &byte in &said[..count] {
                    match byte {
                        mailbox::STOP => self.stop(),
                        mailbox::HOLD => {
                            self.still.get_or_insert_default();
                        }
                        mailbox::GO_ON => self.go_on(),
                        _ => {}
                    }
                }
            }
            Err(_) => {}
        }
    }

    fn stop(&mut self) {
        if self.outcome.limit.is_none() {
            self.outcome.stopped = true;
        }
        self.kill();
    }

    /// Ends everything: where there is a namespace its first process takes all others along.
    fn kill(&self) {
        if let Some(thaw) = &self.family.groups.thaw {
            let _ = rustix::io::write(thaw, b"THAWED");
        }
        self.family.init.as_ref().unwrap_or(&self.family.program).kill();
    }

    /// Signals every process of the cell but its first. One that was born meanwhile is found in the next round.
    fn signal_all(&self, signal: Signal) {
        let rounds = if self.family.init.is_some() && self.orders.layers.has(Layer::Root) { 3 } else { 0 };
        let _ = rustix::process::kill_process(self.family.program.pid, signal);
        for process in (0..rounds).flat_map(|_| sample::in_namespace()).filter(|&process| process != 1) {
            // Numbers in this /proc are the namespace's and mean nothing to `kill`; the folder itself names the
            // process.
            let folder =
                rustix::fs::open(format!("/proc/{process}"), OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
            if let Ok(folder) = folder {
                let _ = rustix::process::pidfd_send_signal(folder, signal);
            }
        }
    }

    /// Ends what the program left behind and waits until it is gone.
    fn bury(&self) {
        if let Some(init) = &self.family.init {
            init.kill();
            init.wait();
        }
    }
}

fn ran_out_of_memory(groups: &OpenGroups) -> bool {
    read(&groups.memory_events).and_then(|text| number_after(&text, "oom_kill")).is_some_and(|count| count > 0)
}

/// Reads one of the kernel's small files again.
fn read(file: &Option<OwnedFd>) -> Option<String> {
    let mut text = [0; 1024];
    let count = rustix::io::pread(file.as_ref()?, &mut text, 0).ok()?;
    Some(String::from_utf8_lossy(text.get(..count)?).into_owned())
}

/// `cpu.stat` of version 2, or the one number of `cpuacct.usage`.
fn processor_time(text: &str) -> Option<Duration> {
    let microseconds = number_after(text, "usage_usec").map(Duration::from_micros);
    microseconds.or_else(|| text.trim().parse().ok().map(Duration::from_nanos))
}

/// Nobody else is left to do it.
fn remove_groups(groups: &OpenGroups) {
    for (parent, name) in &groups.folders {
        for _ in 0..100 {
            match rustix::fs::unlinkat(parent, name.as_os_str(), AtFlags::REMOVEDIR) {
                Err(rustix::io::Errno::BUSY) => std::thread::sleep(Duration::from_millis(1)),
                _ => break,
            }
        }
    }
}

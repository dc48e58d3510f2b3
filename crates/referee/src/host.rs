//! The machine a referee runs on: starting engines, ending them, and leaving nothing behind.
//!
//! Every engine runs in a process group of its own and carries two marks in its environment: the run of the referee and
//! the seat. A keeper process, this program started again, waits for the referee's death on a pipe and then kills
//! whatever carries the run's mark; so nothing survives even `kill -9` of the referee.

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};
use sandbox::{Pen, Pens};

/// The mark of a run, in the environment of all its engines.
const RUN_MARK: &str = "BOYI_RUN";
/// The mark of one engine.
const SEAT_MARK: &str = "BOYI_SEAT";

/// How long to wait for killed processes to be gone.
const BURIAL: Duration = Duration::from_secs(2);

/// The machine, for one run of the program. Dropping it lets the keeper sweep up.
#[derive(Debug)]
pub struct Host {
    run: String,
    /// The keeper; its standard input is the pipe that tells it of our death.
    keeper: Option<Child>,
    next_seat: std::sync::atomic::AtomicU64,
    /// Where engines without a cage are made to stand still.
    pens: Option<Pens>,
}

impl Host {
    /// Starts the keeper with this command, to which the run's mark is added. It must call [`keep`].
    pub fn start(mut keeper: Command) -> std::io::Result<Self> {
        // Daemons an engine leaves behind become our children, so that they can be found and ended.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", std::process::id(), since_epoch.as_nanos());
        use std::os::unix::process::CommandExt as _;
        let keeper = keeper
            .arg(&run)
            .env_remove(RUN_MARK)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Its own group, or Ctrl-C in the terminal would end it together with us.
            .process_group(0)
            .spawn()?;
        let (keeper, next_seat) = (Some(keeper), std::sync::atomic::AtomicU64::new(1));
        Ok(Self { run, keeper, next_seat, pens: Pens::find() })
    }

    /// The same on a machine where no control group can be had: for the proof of what holds there, and for nothing
    /// else.
    #[must_use]
    pub fn without_pens(self) -> Self {
        // Two steps, because a host with a `Drop` cannot be taken apart.
        let mut host = self;
        host.pens = None;
        host
    }

    /// A pen for one engine, where there can be any.
    pub(crate) fn pen(&self) -> Option<Pen> {
        self.pens.as_ref()?.pen()
    }

    /// The mark of this run: the value of `BOYI_RUN` in the environment of all its engines.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Marks a command as an engine of this run; gives the seat's own mark.
    pub(crate) fn mark(&self, command: &mut Command) -> String {
        let number = self.next_seat.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let seat = format!("{}-{number}", self.run);
        command.env(RUN_MARK, &self.run).env(SEAT_MARK, &seat);
        seat
    }

    /// Buries what an engine left behind: the dead of its process group, who became our children when it died, and the
    /// strays outside of it, who are killed first.
    pub(crate) fn sweep(&self, group: Pid, seat: &str) {
        let deadline = Instant::now() + BURIAL;
        loop {
            let waited = rustix::process::waitpgid(group, WaitOptions::NOHANG);
            let strays = adopted_of(seat, self.keeper.as_ref().map(Pid::from_child));
            match waited {
                Err(_) if strays.is_empty() => return,
                // Killed but not dead yet.
                Ok(None) if strays.is_empty() => std::thread::sleep(Duration::from_millis(1)),
                _ => {}
            }
            if Instant::now() > deadline {
                return;
            }
            for pid in strays {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
                let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
            }
        }
    }
}

/// Buries those who were killed, where they became our children.
pub(crate) fn bury(dead: &[Pid]) {
    let deadline = Instant::now() + BURIAL;
    for &pid in dead {
        // Nothing to wait for: somebody else's child, or buried already.
        while let Ok(None) = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG) {
            if Instant::now() > deadline {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Those of a seat who became our children when their parents died. The kernel gives them to the first thread that is
/// alive, the main one; what workers start is listed under the workers, so that this list is short however many games
/// are played.
fn adopted_of(seat: &str, keeper: Option<Pid>) -> Vec<Pid> {
    let main = rustix::process::getpid().as_raw_nonzero();
    let mut children = listed(Path::new(&format!("/proc/self/task/{main}/children")));
    children.retain(|&pid| Some(pid) != keeper && has_mark(pid, SEAT_MARK, seat));
    children
}

/// An engine's processes: the first, what descends from it, and what descends from daemons that carry its seat's mark.
pub(crate) fn family(first: Pid, seat: Option<&str>) -> Vec<Pid> {
    let mut family = vec![first];
    // The engine itself is among them where the main thread started it.
    let adopted = seat.map(|seat| adopted_of(seat, None)).unwrap_or_default();
    family.extend(adopted.into_iter().filter(|&pid| pid != first));
    let mut next = 0;
    while let Some(member) = family.get(next) {
        let children = children_of(&member.as_raw_nonzero().to_string());
        family.extend(children.into_iter().filter(|child| !family.contains(child)).collect::<Vec<_>>());
        next += 1;
    }
    family
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}

/// The keeper's life: wait until the referee is gone, then end everything that carries the run's mark.
pub fn keep(run: &str) {
    let mut nothing = [0; 64];
    // Nobody writes; the read ends when the referee does.
    while std::io::stdin().lock().read(&mut nothing).is_ok_and(|count| count > 0) {}
    let deadline = Instant::now() + BURIAL;
    let mut quiet_rounds = 0;
    while quiet_rounds < 3 && Instant::now() < deadline {
        let marked: Vec<Pid> = all_processes().filter(|&pid| has_mark(pid, RUN_MARK, run)).collect();
        quiet_rounds = if marked.is_empty() { quiet_rounds + 1 } else { 0 };
        for pid in marked {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        // A process that was forking while we looked is found in the next round.
        std::thread::sleep(Duration::from_millis(5));
    }
    // What has shed its mark has not left its pen.
    if let Some(pens) = Pens::find() {
        pens.sweep();
    }
}

fn all_processes() -> impl Iterator<Item = Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))
}

/// The children of a process, adopted ones included.
pub(crate) fn children_of(process: &str) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    tasks.flat_map(|task| listed(&task.path().join("children"))).collect()
}

/// The processes that a file of /proc lists.
fn listed(file: &Path) -> Vec<Pid> {
    let list = std::fs::read_to_string(file).unwrap_or_default();
    list.split_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)).collect()
}

/// Whether a process was started with this mark in its environment.
fn has_mark(pid: Pid, name: &str, value: &str) -> bool {
    let Ok(environment) = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())) else { return false };
    let wanted = format!("{name}={value}");
    environment.split(|&byte| byte == 0).any(|entry| entry == wanted.as_bytes())
}

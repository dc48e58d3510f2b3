//! An engine's process: a group of its own, three pipes, and an end that leaves nothing.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal};

use sandbox::{Cell, Glance, Pen, Report};

use crate::cage::Cage;
use crate::entry;
use crate::held::Held;
use crate::host::{self, Host};
use crate::waits::{Kept, Waits};

/// How an engine is started.
#[derive(Debug, Clone, Default)]
pub struct CommandLine {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The folder it runs in; ours when absent.
    pub folder: Option<std::path::PathBuf>,
    /// The cage it runs in; none when absent.
    pub cage: Option<Cage>,
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command line has an open quote or no words.
    #[error("{0:?} is not a command line")]
    BadCommand(String),
    /// An option of the protocol, or a ply of the opening, that does not fit.
    #[error("{0}")]
    BadSetUp(String),
    /// A Windows program, and no wine to run it.
    #[error("{0} is a Windows program: install wine to run it here (Debian, Ubuntu: apt install wine)")]
    NeedsWine(String),
    /// There is no cage for it.
    #[error("sandbox: {0}")]
    NoCage(#[from] sandbox::Error),
    /// The system refused.
    #[error("cannot start {program}: {error}")]
    System {
        /// What was to be started.
        program: String,
        /// What the system said.
        error: std::io::Error,
    },
}

impl StartError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: games::Language) -> String {
        match (language, self) {
            (games::Language::En, _) => self.to_string(),
            (games::Language::Zh, Self::BadCommand(text)) => format!("“{text}”不是命令行"),
            (games::Language::Zh, Self::BadSetUp(text)) => format!("设置有误：{text}"),
            (games::Language::Zh, Self::NeedsWine(program)) => {
                format!("{program} 是 Windows 程序：请安装 wine 后再运行（Debian、Ubuntu：apt install wine）")
            }
            (games::Language::Zh, Self::NoCage(error)) => format!("沙箱：{}", error.say(language)),
            (games::Language::Zh, Self::System { program, error }) => format!("无法启动 {program}：{error}"),
        }
    }
}

impl CommandLine {
    /// Splits a command line as a shell would.
    pub fn read(text: &str) -> Result<Self, StartError> {
        match shell_words::split(text) {
            Ok(words) if !words.is_empty() => Ok(Self { words, ..Self::default() }),
            _ => Err(StartError::BadCommand(text.to_owned())),
        }
    }

    /// Whether its cage, if it has one, can show what the command names: better told before the first game than in it.
    pub fn fits_its_cage(&self) -> Result<(), StartError> {
        self.caged().map(drop)
    }

    /// The command and the cell it runs in, where it has a cage.
    fn caged(&self) -> Result<(Command, Option<Cell>), StartError> {
        match &self.cage {
            None => Ok((self.command()?, None)),
            Some(cage) => {
                let (cell, command) = cage.cell(&self.words, self.folder.as_deref())?;
                Ok((command, Some(cell)))
            }
        }
    }

    /// Whether it is a Windows program that needs wine here.
    fn is_for_wine(&self) -> bool {
        let program = self.words.first().map(Path::new).and_then(Path::extension);
        cfg!(unix) && program.is_some_and(|ending| ending.eq_ignore_ascii_case("exe"))
    }

    /// The command, through wine where the program needs it.
    fn command(&self) -> Result<Command, StartError> {
        let (program, arguments) = self.words.split_first().ok_or_else(|| StartError::BadCommand(String::new()))?;
        let mut command = if self.is_for_wine() {
            let wine = ["wine", "wine64"].into_iter().find(|name| on_path(name));
            let mut command = Command::new(wine.ok_or_else(|| StartError::NeedsWine(program.clone()))?);
            command.arg(program).env("WINEDEBUG", "-all");
            command
        } else {
            Command::new(program)
        };
        command.args(arguments);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        Ok(command)
    }
}

fn on_path(name: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// Tells an engine its limit for a ply in milliseconds, in its environment: not every protocol has a word for it.
pub const PLY_LIMIT: &str = "BOYI_PLY_MS";

/// A running engine. Dropping it ends it and everything it started.
#[derive(Debug)]
pub struct Process {
    host: Arc<Host>,
    child: Child,
    group: Pid,
    seat_mark: String,
    stdin: Option<ChildStdin>,
    /// Its output, which never blocks; whoever has read it to the end takes it away.
    pub stdout: Option<ChildStdout>,
    /// Its error output, likewise.
    pub stderr: Option<ChildStderr>,
    /// What the engine has not read yet.
    unsent: VecDeque<u8>,
    waits: Waits,
    /// Since when it has been suspended, and for how long it was before.
    suspended: Option<Instant>,
    paused: Duration,
    /// It shares daemons with others: wine's server serves all who use wine.
    shares_daemons: bool,
    /// Where it stands still if it has no cage.
    pen: Option<Pen>,
    /// It is stopped by signals; and what it used in spite of that before.
    held: Option<Held>,
    undone: Duration,
    /// The cage, until the engine has left it.
    cell: Option<Cell>,
    /// What came of it then.
    report: Option<Report>,
    status: Option<ExitStatus>,
    /// It and everything it started are gone and waited for.
    buried: bool,
}

impl Process {
    /// Starts an engine in a process group of its own, told what it has for a ply.
    pub fn start(host: &Arc<Host>, line: &CommandLine, ply: Option<Duration>) -> Result<Self, StartError> {
        use std::os::unix::process::CommandExt as _;
        let (mut command, cell) = line.caged()?;
        match ply {
            Some(ply) => command.env(PLY_LIMIT, ply.as_millis().to_string()),
            // It may be in our own environment.
            None => command.env_remove(PLY_LIMIT),
        };
        let seat_mark = host.mark(&mut command);
        let shares_daemons = cell.is_none() && line.is_for_wine();
        let pen = if cell.is_none() && !shares_daemons { host.pen() } else { None };
        let entering = pen.as_ref().and_then(|pen| entry::into_pen(&command, pen));
        let pen = pen.filter(|_| entering.is_some());
        let mut command = entering.unwrap_or(command);
        let program = line.words.first().cloned().unwrap_or_default();
        let failed = |error| StartError::System { program: program.clone(), error };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let group = Pid::from_child(&child);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Self {
            host: Arc::clone(host),
            child,
            group,
            seat_mark,
            stdin,
            stdout,
            stderr,
            unsent: VecDeque::new(),
            waits: Waits::default(),
            suspended: None,
            paused: Duration::ZERO,
            shares_daemons,
            pen,
            held: None,
            undone: Duration::ZERO,
            cell,
            report: None,
            status: None,
            buried: false,
        };
        // An engine that does not read must not stop us.
        process.make_nonblocking().map_err(|error| StartError::System { program: program.clone(), error })?;
        Ok(process)
    }

    fn make_nonblocking(&mut self) -> std::io::Result<()> {
        let fds = [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ];
        for fd in fds.into_iter().flatten() {
            let flags = rustix::fs::fcntl_getfl(fd)?;
            rustix::fs::fcntl_setfl(fd, flags | OFlags::NONBLOCK)?;
        }
        Ok(())
    }

    /// Sends bytes in one write if the engine reads; what it does not take now is kept for [`flush`](Self::flush).
    pub fn send(&mut self, bytes: &[u8]) {
        self.resume();
        if self.unsent.is_empty() {
            let written = self.write(bytes);
            self.unsent.extend(&bytes[written..]);
        } else {
            self.unsent.extend(bytes);
        }
    }

    /// Writes what was kept.
    pub fn flush(&mut self) {
        self.unsent.make_contiguous();
        let bytes = std::mem::take(&mut self.unsent);
        let written = self.write(bytes.as_slices().0);
        self.unsent = bytes;
        self.unsent.drain(..written);
    }

    /// The descriptor to watch while something is unsent.
    #[must_use]
    pub fn unsent_to(&self) -> Option<BorrowedFd<'_>> {
        if self.unsent.is_empty() { None } else { self.stdin.as_ref().map(AsFd::as_fd) }
    }

    /// How many bytes the engine took. A closed pipe takes everything: its end shows on the other pipe.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(stdin) = &self.stdin else { return bytes.len() };
        match rustix::io::write(stdin, bytes) {
            Ok(count) => count,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => 0,
            Err(_) => {
                self.stdin = None;
                bytes.len()
            }
        }
    }

    /// The processor time that the engine and everything it started have used: behind a launcher script the engine is a
    /// child. Where no control group counts, children that nobody waited for are missing.
    pub(crate) fn cpu_time(&self) -> Duration {
        if let Some(cell) = &self.cell {
            return cell.usage().cpu;
        }
        if let Some(counted) = self.pen.as_ref().and_then(Pen::cpu) {
            return counted;
        }
        let ticks = rustix::param::clock_ticks_per_second();
        let numbers = host::family(self.group, self.daemons_of()).into_iter();
        let numbers = numbers.map(|pid| u64::from(pid.as_raw_nonzero().get().unsigned_abs()));
        numbers.filter_map(|process| Glance::at(process, ticks)).map(|one| one.cpu).sum()
    }

    /// The mark by which its daemons are known, where they are its own.
    fn daemons_of(&self) -> Option<&str> {
        (!self.shares_daemons).then_some(&*self.seat_mark)
    }

    /// Makes it and everything it started stand still until it is needed: by its cage, its pen, or signals.
    pub(crate) fn suspend(&mut self) {
        if self.suspended.is_some() {
            return;
        }
        self.suspended = Some(Instant::now());
        match (&self.cell, &self.pen) {
            (Some(cell), _) => cell.suspend(),
            (None, Some(pen)) if pen.freeze() => {}
            (None, _) => {
                let (first, daemons) = (self.group, self.daemons_of().map(str::to_owned));
                self.held = Held::start(move || host::family(first, daemons.as_deref()));
            }
        }
    }

    pub(crate) fn resume(&mut self) {
        let Some(since) = self.suspended.take() else { return };
        self.paused += since.elapsed();
        match (&self.cell, self.held.take(), &self.pen) {
            (Some(cell), _, _) => cell.resume(),
            (None, Some(held), _) => self.undone += held.undone(),
            (None, None, Some(pen)) => pen.thaw(),
            (None, None, None) => {}
        }
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.suspended.is_some()
    }

    /// For how long it has been suspended in all.
    pub(crate) fn paused(&self) -> Duration {
        self.paused + self.suspended.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// The processor time it has used in spite of that.
    pub(crate) fn undone(&self) -> Duration {
        match (&self.cell, &self.held) {
            (Some(cell), _) => cell.undone(),
            (None, held) => self.undone + held.as_ref().map(Held::undone).unwrap_or_default(),
        }
    }

    /// How it ended, if it has.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    /// How it ended; waits a moment, because a closed pipe comes before the exit.
    pub(crate) fn exit_status_soon(&mut self) -> Option<ExitStatus> {
        self.wait(Duration::from_millis(100));
        self.status
    }

    /// The time in which it wanted to run and the machine did not let it, where the cage measures that.
    pub(crate) fn stall(&self) -> Option<Duration> {
        self.cell.as_ref().and_then(|cell| cell.usage().stall)
    }

    /// Its turn begins: from here on it is measured how long it waits for a core, where no cage does that; a quick
    /// engine is not measured.
    pub(crate) fn mark(&mut self, measured: bool) {
        match measured && self.stall().is_none() {
            true => self.waits.mark(self.group),
            false => self.waits.unmark(),
        }
    }

    /// The same in the middle of a turn that proves to be a slow one.
    pub(crate) fn mark_late(&mut self) {
        if !self.waits.is_marked() {
            self.mark(true);
        }
    }

    /// How long the machine kept it waiting since then.
    pub(crate) fn kept(&mut self) -> Kept {
        self.waits.since(self.group)
    }

    /// The most memory it has had so far, where it sits in a cage.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        self.cell.as_ref().map(|cell| cell.usage().peak_memory)
    }

    /// What came of a caged engine, once it has left.
    pub(crate) fn report(&mut self) -> Option<&Report> {
        if let Some(status) = self.status
            && let Some(cell) = self.cell.take()
        {
            self.report = Some(cell.finish(status));
        }
        self.report.as_ref()
    }

    /// Waits until it has left, at most so long.
    pub fn wait(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.exit_status().is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let Ok(handle) = rustix::process::pidfd_open(self.group, rustix::process::PidfdFlags::empty()) else {
                return;
            };
            let timeout =
                rustix::event::Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            let _ = rustix::event::poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&timeout));
        }
    }

    /// Closes its input; most engines leave then.
    pub fn close_input(&mut self) {
        self.resume();
        self.stdin = None;
    }

    /// Ends the engine and everything it started.
    pub fn kill(&mut self) {
        if std::mem::replace(&mut self.buried, true) {
            return;
        }
        self.resume();
        match &self.cell {
            Some(cell) => cell.kill(),
            None => drop(rustix::process::kill_process_group(self.group, Signal::KILL)),
        }
        if self.status.is_none() {
            self.status = self.child.wait().ok();
        }
        let _ = self.report();
        self.host.sweep(self.group, &self.seat_mark);
        // Whoever shed its marks has not left its pen.
        if let Some(pen) = self.pen.take() {
            let left = pen.members();
            drop(pen);
            host::bury(&left);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

//! An engine's process and its lines, one at a time.

use std::collections::VecDeque;
use std::os::fd::AsFd as _;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee::lines::{LineSplitter, decode};
use referee::{Host, Process, StartError};
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::leash::Leash;
use crate::plan::Plan;

/// What is read at once.
const CHUNK: usize = 64 << 10;
/// How often a process is looked at that closed nothing but may have left.
const LOOK: Duration = Duration::from_millis(20);
/// How often is asked whether the check is to end, while an engine is waited for.
const TUG: Duration = Duration::from_millis(100);

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line, with the moment it was read.
    Line(Vec<u8>, Instant),
    /// The output is at its end.
    Closed,
    /// Nothing until the moment given.
    Nothing,
    /// The check is to end.
    CutShort,
}

/// An engine's process.
pub(crate) struct Probe {
    process: Process,
    leash: Leash,
    splitter: LineSplitter,
    error_splitter: LineSplitter,
    lines: VecDeque<(Vec<u8>, Instant)>,
    chunk: Box<[u8]>,
    closed: bool,
    /// What came at the very end without a line end.
    unfinished: Option<Vec<u8>>,
    /// Bytes it wrote.
    pub(crate) bytes: u64,
    /// The last line on its error output.
    pub(crate) last_error: Option<String>,
}

impl Probe {
    pub(crate) fn start(host: &Arc<Host>, plan: &Plan) -> Result<Self, StartError> {
        Ok(Self {
            process: Process::start(host, &plan.command, Some(plan.ply_time))?,
            leash: plan.leash.clone(),
            splitter: LineSplitter::default(),
            error_splitter: LineSplitter::default(),
            lines: VecDeque::new(),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            closed: false,
            unfinished: None,
            bytes: 0,
            last_error: None,
        })
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.process.send(bytes);
    }

    pub(crate) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// The next line, until this moment at the latest; what is there already is always given.
    pub(crate) fn next(&mut self, until: Instant) -> Heard {
        let mut looked = false;
        loop {
            if self.leash.is_over() {
                return Heard::CutShort;
            }
            if let Some((line, at)) = self.lines.pop_front() {
                return Heard::Line(line, at);
            }
            if self.closed {
                return Heard::Closed;
            }
            let now = Instant::now();
            if now >= until && looked {
                return Heard::Nothing;
            }
            looked = true;
            self.poll(until.saturating_duration_since(now).min(TUG));
        }
    }

    /// What was written without a line end so far, or at the very end; it is given once.
    pub(crate) fn partial(&mut self) -> Option<String> {
        if self.unfinished.is_none() {
            self.splitter.finish(|line, _| self.unfinished = Some(line.to_vec()));
        }
        self.unfinished.take().map(|line| decode(&line).into_owned())
    }

    /// Waits until the engine has left, at most so long, while its output is read and thrown away.
    pub(crate) fn exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.process.exit_status() {
                return Some(status);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            if self.closed {
                self.process.wait(left);
            } else {
                self.poll(left.min(LOOK));
                self.lines.clear();
            }
        }
    }

    /// Reads what is there, or waits for it.
    fn poll(&mut self, patience: Duration) {
        let timeout = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos().into() };
        let (output, error, input) = {
            let process = &self.process;
            let mut watched = Vec::with_capacity(3);
            let pipes = [
                process.stdout.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
                process.stderr.as_ref().map(|pipe| (pipe.as_fd(), PollFlags::IN)),
                process.unsent_to().map(|pipe| (pipe, PollFlags::OUT)),
            ];
            watched.extend(pipes.iter().flatten().map(|&(pipe, flags)| PollFd::from_borrowed_fd(pipe, flags)));
            if rustix::event::poll(&mut watched, Some(&timeout)).is_err() {
                return;
            }
            let mut happened = watched.iter().map(|pipe| !pipe.revents().is_empty());
            let mut next = |there: bool| there && happened.next().unwrap_or_default();
            (next(pipes[0].is_some()), next(pipes[1].is_some()), next(pipes[2].is_some()))
        };
        if output {
            self.read_output();
        }
        if error {
            self.read_error();
        }
        if input {
            self.process.flush();
        }
    }

    fn read_output(&mut self) {
        let Some(stdout) = &self.process.stdout else { return };
        let count = match rustix::io::read(stdout, &mut *self.chunk) {
            Ok(count) => count,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return,
            Err(_) => 0,
        };
        let (now, lines) = (Instant::now(), &mut self.lines);
        if count == 0 {
            self.closed = true;
            self.process.stdout = None;
            let unfinished = &mut self.unfinished;
            self.splitter.finish(|line, _| {
                *unfinished = Some(line.to_vec());
                // What comes together with the end still counts.
                lines.push_back((line.to_vec(), now));
            });
        } else {
            self.bytes += count as u64;
            self.splitter.feed(&self.chunk[..count], |line, _| lines.push_back((line.to_vec(), now)));
        }
    }

    fn read_error(&mut self) {
        let Some(stderr) = &self.process.stderr else { return };
        match rustix::io::read(stderr, &mut *self.chunk) {
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Ok(0) | Err(_) => self.process.stderr = None,
            Ok(count) => {
                let last = &mut self.last_error;
                self.error_splitter.feed(&self.chunk[..count], |line, _| {
                    if !line.is_empty() {
                        *last = Some(decode(line).into_owned());
                    }
                });
            }
        }
    }
}

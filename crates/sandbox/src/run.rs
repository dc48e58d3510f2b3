//! Running a program to its end while its output is counted.

use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, Command, Stdio};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::process::{Pid, PidfdFlags};

use crate::cell::Cell;
use crate::error::{Error, Failure, Step as _};
use crate::report::Report;

/// As much is read at once as a pipe holds.
const CHUNK: usize = 64 << 10;

/// What the program reads.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// What we read.
    Ours,
    /// These bytes and then the end.
    Bytes(&'a [u8]),
}

/// Where the program wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// stdout
    Out,
    /// stderr
    Error,
}

/// A report, and the beginning of what the program wrote.
#[derive(Debug)]
pub struct Captured {
    /// How it ended.
    pub report: Report,
    /// The first bytes of stdout.
    pub stdout: Vec<u8>,
    /// The first bytes of stderr.
    pub stderr: Vec<u8>,
}

/// Runs a program and keeps the first bytes it wrote on each stream; the rest is counted and thrown away.
pub fn capture(cell: Cell, command: Command, input: Input<'_>, keep: usize) -> Result<Captured, Error> {
    let mut kept = [Vec::new(), Vec::new()];
    let report = run(cell, command, input, |stream, bytes| {
        let kept = &mut kept[stream as usize];
        let room = keep.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(&bytes[..room]);
    })?;
    let [stdout, stderr] = kept;
    Ok(Captured { report, stdout, stderr })
}

/// Runs a program to its end and hands out what it writes as it comes. More than [`Limits::output`](crate::Limits) ends it.
pub fn run(
    mut cell: Cell,
    mut command: Command,
    input: Input<'_>,
    mut sink: impl FnMut(Stream, &[u8]),
) -> Result<Report, Error> {
    let stdin = if matches!(input, Input::Ours) { Stdio::inherit() } else { Stdio::piped() };
    let mut child =
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().step("start the launcher")?;
    let pumped = pump(&mut cell, &mut child, input, &mut sink);
    if pumped.is_err() {
        cell.kill();
    }
    let status = child.wait().step("wait for the launcher")?;
    pumped?;
    Ok(cell.finish(status))
}

fn pump(
    cell: &mut Cell,
    child: &mut Child,
    input: Input<'_>,
    sink: &mut impl FnMut(Stream, &[u8]),
) -> Result<(), Failure> {
    let end = rustix::process::pidfd_open(Pid::from_child(child), PidfdFlags::empty()).step("watch the launcher")?;
    let (mut stdin, mut stdout, mut stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    for pipe in [stdin.as_ref().map(AsFd::as_fd), stdout.as_ref().map(AsFd::as_fd), stderr.as_ref().map(AsFd::as_fd)] {
        pipe.map_or(Ok(()), make_nonblocking).step("pipe")?;
    }
    let mut unsent = match input {
        Input::Ours => &[][..],
        Input::Bytes(bytes) => bytes,
    };
    let mut buffer = vec![0; CHUNK];
    let mut written = 0;
    let mut ended = false;
    loop {
        if unsent.is_empty() {
            stdin = None;
        }
        // When the program has ended, what is still in the pipes is all there will be; a process outside our reach could hold them open for ever.
        let mut quiet = true;
        let outputs =
            [(Stream::Out, stdout.as_ref().map(AsFd::as_fd)), (Stream::Error, stderr.as_ref().map(AsFd::as_fd))];
        let mut closed = [outputs[0].1.is_none(), outputs[1].1.is_none()];
        for (stream, pipe) in outputs {
            let Some(pipe) = pipe else { continue };
            match rustix::io::read(pipe, &mut buffer[..]) {
                Ok(0) => closed[stream as usize] = true,
                Ok(count) => {
                    quiet = false;
                    written += count as u64;
                    if cell.output().is_some_and(|limit| written > limit) {
                        cell.output_reached();
                    } else {
                        sink(stream, &buffer[..count]);
                    }
                }
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
                Err(_) => closed[stream as usize] = true,
            }
        }
        stdout = stdout.filter(|_| !closed[0]);
        stderr = stderr.filter(|_| !closed[1]);
        if let Some(pipe) = &stdin {
            match rustix::io::write(pipe, unsent) {
                Ok(count) => unsent = &unsent[count..],
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
                // It does not want to read.
                Err(_) => unsent = &[],
            }
        }
        if ended && quiet {
            return Ok(());
        }
        if !ended && quiet {
            let mut polled = vec![PollFd::new(&end, PollFlags::IN)];
            polled.extend(stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            polled.extend(stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            polled.extend(stdin.as_ref().filter(|_| !unsent.is_empty()).map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
            let _ = rustix::event::poll(&mut polled, None);
            ended = polled.first().is_some_and(|one| !one.revents().is_empty());
        }
    }
}

fn make_nonblocking(pipe: BorrowedFd<'_>) -> rustix::io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(pipe)?;
    rustix::fs::fcntl_setfl(pipe, flags | OFlags::NONBLOCK)
}

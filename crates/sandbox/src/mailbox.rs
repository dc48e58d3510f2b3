//! How a cell and its launcher talk: a file that exists only in memory, and a pipe whose end is the end of the cell.
//!
//! The launcher opens both through `/proc/<parent>/fd`, so nothing has to be inherited (which would need code between `fork` and `exec`) and
//! nothing lies on the disk to be left behind.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::pipe::PipeFlags;

use crate::orders::{Live, Orders, Outcome};

/// Where the live figures are in the file.
const LIVE: u64 = 0;
/// Where the orders are: a length and as many bytes of JSON.
const ORDERS: u64 = 4096;
/// Where the outcome is, likewise; far behind any orders.
const OUTCOME: u64 = 1 << 24;
/// A text longer than this is not ours.
const LONGEST: u64 = 1 << 23;

/// Ends the program.
pub(crate) const STOP: u8 = b'k';
/// Stops the program until it is told to go on.
pub(crate) const HOLD: u8 = b's';
/// Lets it go on.
pub(crate) const GO_ON: u8 = b'c';

/// The cell's end.
#[derive(Debug)]
pub(crate) struct Mailbox {
    file: OwnedFd,
    /// The launcher opens this end; we keep it so that it can be opened.
    listening: OwnedFd,
    /// Closing this ends the program.
    speaking: OwnedFd,
}

impl Mailbox {
    /// A mailbox with the orders in it.
    pub(crate) fn new(orders: &Orders) -> std::io::Result<Self> {
        let file = rustix::fs::memfd_create("boyi-cell", MemfdFlags::CLOEXEC)?;
        let (listening, speaking) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        write_text(file.as_fd(), ORDERS, &serde_json::to_vec(orders)?)?;
        Ok(Self { file, listening, speaking })
    }

    /// What the launcher needs to find us, as words of its command line.
    pub(crate) fn address(&self) -> [String; 2] {
        [self.file.as_raw_fd().to_string(), self.listening.as_raw_fd().to_string()]
    }

    /// Tells the launcher something; one that has left does not mind.
    pub(crate) fn tell(&self, byte: u8) {
        let _ = rustix::io::write(&self.speaking, &[byte]);
    }

    /// The figures at this moment.
    pub(crate) fn live(&self) -> Live {
        let mut bytes = [0; Live::SIZE];
        let _ = rustix::io::pread(&self.file, &mut bytes, LIVE);
        Live::from_bytes(&bytes)
    }

    /// What the launcher told at the end; nothing if it was killed.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let text = read_text(self.file.as_fd(), OUTCOME).ok().flatten()?;
        serde_json::from_slice(&text).ok()
    }
}

/// The launcher's end.
#[derive(Debug)]
pub(crate) struct Post {
    file: OwnedFd,
    /// Readable when the cell says something, closed when the cell or its whole program is gone.
    pub(crate) ears: OwnedFd,
}

impl Post {
    /// Opens the mailbox of the process that started us.
    pub(crate) fn open(address: [&str; 2]) -> std::io::Result<(Self, Orders)> {
        let parent = rustix::process::getppid().ok_or(std::io::ErrorKind::NotFound)?.as_raw_nonzero();
        let [file, ears] = address;
        let open = |fd: &str, flags| {
            rustix::fs::open(format!("/proc/{parent}/fd/{fd}"), flags | OFlags::CLOEXEC, Mode::empty())
        };
        let file = open(file, OFlags::RDWR)?;
        let ears = open(ears, OFlags::RDONLY | OFlags::NONBLOCK)?;
        let text = read_text(file.as_fd(), ORDERS)?.ok_or(std::io::ErrorKind::InvalidData)?;
        Ok((Self { file, ears }, serde_json::from_slice(&text)?))
    }

    /// Writes down the figures of this moment.
    pub(crate) fn note(&self, live: Live) {
        let _ = rustix::io::pwrite(&self.file, &live.to_bytes(), LIVE);
    }

    /// Tells how it ended.
    pub(crate) fn finish(&self, outcome: &Outcome) {
        if let Ok(text) = serde_json::to_vec(outcome) {
            let _ = write_text(self.file.as_fd(), OUTCOME, &text);
        }
    }
}

/// Writes the text, then its length: a length that is there means a text that is whole.
fn write_text(file: BorrowedFd<'_>, at: u64, text: &[u8]) -> std::io::Result<()> {
    let mut written = 0;
    while written < text.len() {
        written += rustix::io::pwrite(file, &text[written..], at + 8 + written as u64)?;
    }
    rustix::io::pwrite(file, &(text.len() as u64).to_ne_bytes(), at)?;
    Ok(())
}

fn read_text(file: BorrowedFd<'_>, at: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    if rustix::io::pread(file, &mut length, at)? < length.len() {
        return Ok(None);
    }
    let length = u64::from_ne_bytes(length);
    if length == 0 || length > LONGEST {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    let mut read = 0;
    while read < text.len() {
        match rustix::io::pread(file, &mut text[read..], at + 8 + read as u64)? {
            0 => return Ok(None),
            count => read += count,
        }
    }
    Ok(Some(text))
}

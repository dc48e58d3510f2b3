//! Control groups: where the kernel counts what a whole cell uses. Version 1, version 2, and both beside each other.

mod group;
mod layout;
mod pen;
mod sweep;

pub(crate) use group::{FIRST_TASKS, Group};
pub(crate) use layout::{Base, Layout};
pub use pen::{Pen, Pens};
pub(crate) use sweep::sweep;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The beginning of every group's name.
const PREFIX: &str = "boyi-";

/// The name of the groups of a process: its number and the time of its start, so that a number that is used again is
/// not taken for it.
pub(crate) fn owner_name(process: u32) -> String {
    format!("{PREFIX}{process}-{}", start_time(process).unwrap_or_default())
}

/// A name for a group of this process that no other has.
pub(crate) fn next_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", owner_name(std::process::id()))
}

/// When a process was started, in clock ticks since the machine was.
pub(crate) fn start_time(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the name in parentheses and may hold anything; the start is field 22.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Writes one of the kernel's small files.
fn put(folder: &Path, file: &str, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    std::fs::OpenOptions::new().write(true).open(folder.join(file))?.write_all(text.as_bytes())
}

/// The number after a word in a file of lines `word number`.
pub(crate) fn number_after(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' ')?.trim().parse().ok())
}

//! How much a program may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How much a program may use. `None` is no limit of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory of all its processes together, its `/tmp` included.
    pub memory: Option<u64>,
    /// Processor time of all its processes together.
    pub cpu: Option<Duration>,
    /// Time from its start to its end.
    pub wall: Option<Duration>,
    /// Processes and threads at one time.
    pub processes: Option<u32>,
    /// Descriptors a process may have open.
    pub open_files: Option<u32>,
    /// Bytes of a file it may write.
    pub file_size: Option<u64>,
    /// Bytes on stdout and stderr together. Only [`run`](crate::run) counts them: a pipe of the caller's is the caller's to count.
    pub output: Option<u64>,
    /// Bytes of its private `/tmp`, and of its work folder.
    pub scratch: u64,
    /// The cores it must stay on; any when empty.
    pub cores: Vec<u32>,
}

impl Limits {
    /// The limits of an engine; its clock and its output are the referee's to watch.
    #[must_use]
    pub fn engine() -> Self {
        Self {
            memory: Some(350 << 20),
            cpu: None,
            wall: None,
            processes: Some(24),
            open_files: Some(256),
            file_size: Some(64 << 20),
            output: None,
            scratch: 64 << 20,
            cores: Vec::new(),
        }
    }

    /// The limits of a compiler.
    #[must_use]
    pub fn compiler() -> Self {
        Self {
            memory: Some(1 << 30),
            cpu: None,
            wall: Some(Duration::from_secs(20)),
            processes: Some(64),
            open_files: Some(1024),
            file_size: Some(64 << 20),
            output: Some(128 << 20),
            scratch: 256 << 20,
            cores: Vec::new(),
        }
    }

    /// What the control group may hold for this memory limit while so many processes and threads are in it. The kernel also charges a
    /// program for its page tables (8 bytes for each 4096 touched), for the pages of its loader (0.9 MiB measured with these), and for the
    /// stacks and descriptors of each further process (115 KiB measured). A program that touches what it was promised must live, alone or
    /// as many; one that touches two mebibytes more must not.
    pub(crate) fn charged_memory(&self, tasks: u32) -> Option<u64> {
        let tasks = u64::from(tasks.min(self.processes.unwrap_or(u32::MAX)).min(256));
        self.memory.map(|memory| memory + memory / 512 + (1 << 20) + tasks * (128 << 10))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::engine()
    }
}

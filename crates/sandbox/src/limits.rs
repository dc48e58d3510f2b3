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

    /// What the control group may hold for this memory limit. The kernel also charges a program for its page tables (8 bytes for each 4096
    /// touched), for the pages of its loader, and for the stacks and descriptors of each process (100 KiB measured); a program that touches
    /// what it was promised must live, alone or as many, and one that touches two mebibytes more must not. The spare is chosen between: 24
    /// processes need 2.7 MiB beyond what they touch above the limit's last mebibyte, a single one may not have 3.2.
    pub(crate) fn charged_memory(&self) -> Option<u64> {
        let processes = u64::from(self.processes.unwrap_or(24)).min(64);
        self.memory.map(|memory| memory + memory / 512 + (1 << 20) + processes * (54 << 10))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::engine()
    }
}

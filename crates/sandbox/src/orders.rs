//! What the launcher is told, and what it tells back.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::layers::{Layer, Layers};
use crate::limits::Limits;
use crate::report::{Limit, Remark};
use crate::view::{self, View};

/// What the launcher is told.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) layers: Layers,
    pub(crate) limits: Limits,
    pub(crate) view: View,
    /// Where the program is counted.
    pub(crate) groups: GroupPaths,
    /// The system call filters, an instruction in each number.
    pub(crate) filters: Vec<Vec<u64>>,
    /// Whether the launcher starts as root.
    pub(crate) root: bool,
}

impl Orders {
    /// The devices the program may open.
    pub(crate) fn devices(&self) -> impl Iterator<Item = &'static str> {
        let counted = self.layers.has(Layer::MemoryGroup);
        view::DEVICES.into_iter().filter(move |&device| counted || device != view::ZERO)
    }
}

/// The control groups of a cell, as the launcher needs them.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct GroupPaths {
    /// The group's folders.
    pub(crate) folders: Vec<PathBuf>,
    /// Version 1: the program writes itself in here.
    pub(crate) tasks: Vec<PathBuf>,
    /// Version 2: the program is born in here.
    pub(crate) born_in: Option<PathBuf>,
    /// Version 1: where a frozen group is thawed, without which nobody in it can die.
    pub(crate) thaw: Option<PathBuf>,
    /// Where kills for want of memory are counted.
    pub(crate) memory_events: Option<PathBuf>,
    /// Where the memory limit is raised, in this order.
    pub(crate) memory_limits: Vec<PathBuf>,
    /// How many processes and threads there are.
    pub(crate) tasks_now: Option<PathBuf>,
    /// Where processor time is counted.
    pub(crate) processor: Option<PathBuf>,
}

/// What the launcher tells at the end.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Set-up that failed.
    pub(crate) failure: Option<Failure>,
    /// The limit for which it was ended.
    pub(crate) limit: Option<Limit>,
    /// Whether it was ended on request.
    pub(crate) stopped: bool,
    /// Whether a `fork` was refused, as far as the launcher saw.
    pub(crate) crowded: bool,
    /// The exit code, or the signal.
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) cpu: Duration,
    pub(crate) peak_memory: u64,
    pub(crate) wall: Duration,
    pub(crate) remarks: Vec<Remark>,
}

/// What the launcher writes down while the program runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Live {
    /// The launcher.
    pub(crate) warden: u64,
    /// The first process of the namespace, or the program where there is none; zero before it is there.
    pub(crate) first: u64,
    /// Nanoseconds of `CLOCK_MONOTONIC` when the program was started; zero before.
    pub(crate) started: u64,
    /// Nanoseconds of processor time.
    pub(crate) cpu: u64,
    /// Bytes.
    pub(crate) peak_memory: u64,
    /// Nanoseconds of processor time used while it had been told to stand still.
    pub(crate) undone: u64,
}

impl Live {
    pub(crate) const SIZE: usize = 48;

    pub(crate) fn to_bytes(self) -> [u8; Self::SIZE] {
        let words = [self.warden, self.first, self.started, self.cpu, self.peak_memory, self.undone];
        let mut bytes = [0; Self::SIZE];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        let mut words = bytes.chunks_exact(8).map(|place| u64::from_ne_bytes(place.try_into().unwrap_or_default()));
        let mut next = || words.next().unwrap_or_default();
        Self { warden: next(), first: next(), started: next(), cpu: next(), peak_memory: next(), undone: next() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_figures_survive_the_trip() {
        let live = Live { warden: 1, first: 2, started: 3, cpu: u64::MAX, peak_memory: 5, undone: 6 };
        assert_eq!(Live::from_bytes(&live.to_bytes()), live);
    }
}

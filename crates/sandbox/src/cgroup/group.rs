//! The control groups of one cell: made, read, frozen, emptied, removed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::layout::{Base, Layout};
use super::{number_after, put};
use crate::error::{Failure, Step as _};
use crate::layers::{Layer, Layers};
use crate::limits::Limits;
use crate::orders::GroupPaths;
use crate::report::Usage;

/// How long killed processes may take to be gone.
const BURIAL: Duration = Duration::from_secs(5);

/// The processes and threads for whose bookkeeping there is room at first.
pub(crate) const FIRST_TASKS: u32 = 3;

/// The groups of one cell, one folder in each hierarchy that is used. Dropping it kills what is in them and removes
/// them.
#[derive(Debug)]
pub(crate) struct Group {
    version_two: bool,
    memory: Option<PathBuf>,
    processes: Option<PathBuf>,
    cores: Option<PathBuf>,
    processor: Option<PathBuf>,
    freezer: Option<PathBuf>,
    unified: Option<PathBuf>,
    /// Whether it may be frozen, and whether its stall is told.
    pauses: bool,
    tells_stall: bool,
}

impl Group {
    /// Makes the groups and sets their limits.
    pub(crate) fn make(base: &Base, name: &str, limits: &Limits, layers: Layers) -> Result<Self, Failure> {
        let version_two = base.layout == Layout::Two;
        let any = |wanted: &[Layer]| wanted.iter().any(|&layer| layers.has(layer));
        let wanted = |layers: &[Layer], place: &Option<PathBuf>| {
            place.as_ref().filter(|_| any(layers)).map(|place| place.join(name))
        };
        let (pauses, tells_stall) = (any(&[Layer::PauseGroup]), any(&[Layer::ProcessorGroup]));
        let either = [Layer::ProcessorGroup, Layer::PauseGroup];
        let mut group = Self {
            version_two,
            memory: wanted(&[Layer::MemoryGroup], &base.memory),
            processes: wanted(&[Layer::ProcessGroup], &base.processes),
            cores: wanted(&[Layer::CoreGroup], &base.cores).filter(|_| !limits.cores.is_empty()),
            processor: wanted(&either, &base.processor),
            freezer: wanted(&[Layer::PauseGroup], &base.freezer),
            unified: wanted(&either, &base.unified),
            pauses,
            tells_stall,
        };
        if version_two {
            // All of them are the same folder.
            let any = group.folders().first().map(|folder| folder.to_path_buf());
            group.unified = any;
        }
        for folder in group.folders() {
            std::fs::create_dir(folder).step(format!("make control group {}", folder.display()))?;
        }
        group.limit(limits).map(|()| group)
    }

    fn limit(&self, limits: &Limits) -> Result<(), Failure> {
        // The warden raises it when more processes come.
        let tasks = if self.processes.is_some() { FIRST_TASKS } else { u32::MAX };
        if let (Some(folder), Some(bytes)) = (&self.memory, limits.charged_memory(tasks)) {
            let bytes = bytes.to_string();
            if self.version_two {
                put(folder, "memory.max", &bytes).step("limit memory")?;
                // No swap, or the limit would only move; where there is none to account for, the file is missing.
                let _ = put(folder, "memory.swap.max", "0");
                // At the first kill for want of memory the whole group goes.
                put(folder, "memory.oom.group", "1").step("kill the whole group when memory runs out")?;
            } else {
                put(folder, "memory.limit_in_bytes", &bytes).step("limit memory")?;
                if put(folder, "memory.memsw.limit_in_bytes", &bytes).is_err() {
                    let _ = put(folder, "memory.swappiness", "0");
                }
            }
        }
        if let (Some(folder), Some(count)) = (&self.processes, limits.processes) {
            put(folder, "pids.max", &count.to_string()).step("limit processes")?;
        }
        if let Some(folder) = &self.cores {
            let cores: Vec<String> = limits.cores.iter().map(u32::to_string).collect();
            if !self.version_two {
                // Version 1 takes no process before both files are filled.
                let parent = folder.parent().unwrap_or(folder);
                let nodes = std::fs::read_to_string(parent.join("cpuset.mems")).unwrap_or_default();
                put(folder, "cpuset.mems", nodes.trim()).step("memory nodes")?;
            }
            put(folder, "cpuset.cpus", &cores.join(",")).step("pin to cores")?;
        }
        Ok(())
    }

    /// Every folder once.
    fn folders(&self) -> Vec<&Path> {
        let all = [&self.memory, &self.processes, &self.cores, &self.processor, &self.freezer, &self.unified];
        let mut folders: Vec<&Path> = all.into_iter().flatten().map(PathBuf::as_path).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// The files by which a process enters: it writes `0` into each.
    pub(crate) fn entrances(&self) -> Vec<PathBuf> {
        let file = |folder: &&Path| if Some(*folder) == self.unified.as_deref() { "cgroup.procs" } else { "tasks" };
        self.folders().iter().map(|folder| folder.join(file(folder))).collect()
    }

    /// What the launcher must know. Who forks the program as a stranger cannot have it born in our group; it then
    /// enters by itself through a file that was opened before.
    pub(crate) fn paths(&self, born_by_a_stranger: bool) -> GroupPaths {
        let inside = |folder: &Option<PathBuf>, file: &str| folder.as_ref().map(|folder| folder.join(file));
        let folders = self.folders();
        let born_in = self.unified.clone().filter(|_| !born_by_a_stranger);
        let tasks = self.entrances();
        let tasks = tasks.into_iter().filter(|file| born_in.is_none() || file.parent() != born_in.as_deref());
        GroupPaths {
            tasks: tasks.collect(),
            born_in,
            thaw: inside(&self.freezer, "freezer.state"),
            memory_events: inside(&self.memory, if self.version_two { "memory.events" } else { "memory.oom_control" }),
            memory_limits: match (&self.memory, self.version_two) {
                (None, _) => Vec::new(),
                (Some(folder), true) => vec![folder.join("memory.max")],
                // The sum with swap is never below the memory; it is missing where swap is not counted.
                (Some(folder), false) => ["memory.memsw.limit_in_bytes", "memory.limit_in_bytes"]
                    .map(|file| folder.join(file))
                    .into_iter()
                    .filter(|file| file.exists())
                    .collect(),
            },
            tasks_now: inside(&self.processes, "pids.current"),
            processor: inside(&self.unified, "cpu.stat").or_else(|| inside(&self.processor, "cpuacct.usage")),
            folders: folders.into_iter().map(Path::to_owned).collect(),
        }
    }

    /// What the group has used so far. Time since the start is not the group's to know.
    pub(crate) fn usage(&self) -> Usage {
        let read = |folder: &Option<PathBuf>, file: &str| {
            folder.as_ref().and_then(|folder| std::fs::read_to_string(folder.join(file)).ok())
        };
        let number = |folder, file| read(folder, file).and_then(|text| text.trim().parse::<u64>().ok());
        let peak_memory = if self.version_two {
            number(&self.memory, "memory.peak").or_else(|| number(&self.memory, "memory.current"))
        } else {
            number(&self.memory, "memory.max_usage_in_bytes")
        };
        let cpu = match read(&self.unified, "cpu.stat") {
            Some(text) => number_after(&text, "usage_usec").map(Duration::from_micros),
            None => number(&self.processor, "cpuacct.usage").map(Duration::from_nanos),
        };
        Usage {
            peak_memory: peak_memory.unwrap_or_default(),
            cpu: cpu.unwrap_or_default(),
            wall: Duration::ZERO,
            stall: read(&self.unified, "cpu.pressure").as_deref().and_then(full_stall).filter(|_| self.tells_stall),
        }
    }

    /// Whether the group reports what its usage is made of.
    pub(crate) fn counts_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Whether the group counts processor time.
    pub(crate) fn counts_processor(&self) -> bool {
        self.unified.is_some() || self.processor.is_some()
    }

    /// Whether somebody was killed for want of memory.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        self.paths(false).memory_events.is_some_and(|file| counted(&file, "oom_kill"))
    }

    /// Whether a `fork` was refused.
    pub(crate) fn refused_a_fork(&self) -> bool {
        self.processes.as_ref().is_some_and(|folder| counted(&folder.join("pids.events"), "max"))
    }

    /// Stops everything in the group, or lets it go on. Freezing a group that nobody has entered would stop nobody.
    pub(crate) fn freeze(&self, frozen: bool) -> std::io::Result<()> {
        if frozen && !(self.pauses && self.is_populated()) {
            return Err(std::io::ErrorKind::Unsupported.into());
        }
        match (&self.unified, &self.freezer) {
            (Some(folder), _) => put(folder, "cgroup.freeze", if frozen { "1" } else { "0" }),
            (None, Some(folder)) => put(folder, "freezer.state", if frozen { "FROZEN" } else { "THAWED" }),
            (None, None) => Err(std::io::ErrorKind::Unsupported.into()),
        }
    }

    pub(super) fn members(&self) -> Vec<rustix::process::Pid> {
        let folder = self.unified.as_ref().or(self.freezer.as_ref());
        let text = folder.and_then(|folder| std::fs::read_to_string(folder.join("cgroup.procs")).ok());
        let text = text.unwrap_or_default();
        text.lines().filter_map(|line| rustix::process::Pid::from_raw(line.parse().ok()?)).collect()
    }

    pub(super) fn is_populated(&self) -> bool {
        match (&self.unified, &self.freezer) {
            (Some(folder), _) => counted(&folder.join("cgroup.events"), "populated"),
            (None, Some(folder)) => {
                std::fs::read_to_string(folder.join("tasks")).is_ok_and(|text| !text.trim().is_empty())
            }
            (None, None) => false,
        }
    }

    /// Kills everything in the group and waits until it is gone.
    pub(crate) fn empty(&self) {
        let _ = self.freeze(false);
        for folder in self.folders() {
            empty(folder);
        }
    }
}

/// Whether a file of events counts any of this name.
fn counted(file: &Path, word: &str) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    number_after(&text, word).is_some_and(|count| count > 0)
}

impl Drop for Group {
    fn drop(&mut self) {
        self.empty();
        for folder in self.folders() {
            remove(folder);
        }
    }
}

/// Kills what is in a group until nothing is. In a freezer of version 1 nobody dies before it thaws.
pub(super) fn empty(folder: &Path) {
    let _ = put(folder, "freezer.state", "THAWED");
    let deadline = Instant::now() + BURIAL;
    while let Ok(members) = std::fs::read_to_string(folder.join("cgroup.procs")) {
        if members.trim().is_empty() || Instant::now() > deadline {
            return;
        }
        if put(folder, "cgroup.kill", "1").is_err() {
            for member in members.lines().filter_map(|line| rustix::process::Pid::from_raw(line.parse().ok()?)) {
                let _ = rustix::process::kill_process(member, rustix::process::Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// Removes an empty group; the last of its dead may still be leaving.
pub(super) fn remove(folder: &Path) {
    let deadline = Instant::now() + BURIAL;
    while let Err(error) = std::fs::remove_dir(folder) {
        if error.kind() != std::io::ErrorKind::ResourceBusy || Instant::now() > deadline {
            return;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The total of the line `full` of a pressure file.
fn full_stall(text: &str) -> Option<Duration> {
    let line = text.lines().find(|line| line.starts_with("full"))?;
    let total = line.split_whitespace().find_map(|word| word.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_small_files_are_read() {
        let events = "low 0\nhigh 0\nmax 17\noom 1\noom_kill 3\noom_group_kill 1\n";
        assert_eq!(number_after(events, "oom_kill"), Some(3));
        assert_eq!(number_after("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "oom_kill"), Some(2));
        assert_eq!(number_after(events, "oom_killer"), None);
        let pressure =
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=99\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n";
        assert_eq!(full_stall(pressure), Some(Duration::from_micros(1234)));
        assert_eq!(full_stall("some avg10=0.00 total=99\n"), None);
    }
}

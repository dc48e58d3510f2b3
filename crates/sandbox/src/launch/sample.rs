//! What the cell's processes use at this moment, from `/proc`: for cells that no control group counts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use super::start::number;
use crate::layers::Layer;
use crate::orders::Orders;

/// One look.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    pub(super) cpu: Duration,
    pub(super) memory: u64,
    pub(super) threads: u64,
}

/// The buffer of a socket where the machine does not say.
const USUAL_BUFFER: u64 = 212_992;
/// A pipe is made with so many.
const PAGES_OF_A_PIPE: u64 = 16;

/// What the kernel's figures are counted in. Learnt at the start, because on older kernels that takes our own folder of
/// `/proc`, which is gone when the root has changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub(super) ticks_a_second: u64,
    page: u64,
    /// What a socket can hold: it takes a message as long as there is room for anything, so twice its buffer.
    socket: u64,
    /// What a pipe can hold.
    pipe: u64,
}

impl Units {
    pub(super) fn learn() -> Self {
        let ticks_a_second = rustix::param::clock_ticks_per_second().max(1);
        let page = rustix::param::page_size() as u64;
        let buffer = std::fs::read_to_string("/proc/sys/net/core/wmem_default");
        let buffer = buffer.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL_BUFFER);
        Self { ticks_a_second, page, socket: 2 * buffer, pipe: PAGES_OF_A_PIPE * page }
    }
}

/// Looks at all processes of the cell. In a namespace `/proc` holds exactly them; without one the program has no others
/// that we could know of.
pub(super) fn look(orders: &Orders, program: Pid, units: Units, hidden: &mut Hidden) -> Sample {
    let namespace = is_namespace(orders);
    let processes: Vec<u64> = if namespace { in_namespace() } else { vec![number(program)] };
    let mut sample = Sample::default();
    for &process in &processes {
        let Some(one) = one(process, units) else { continue };
        sample.cpu += one.cpu;
        // The first process is ours.
        if !(namespace && process == 1) {
            sample.memory += one.memory;
            sample.threads += one.threads;
        }
    }
    // Pages that several processes share were counted for each of them; counting them rightly is slow and done only
    // when it matters.
    if orders.limits.memory.is_some_and(|limit| sample.memory > limit) && processes.len() > 1 {
        sample.memory =
            processes.iter().filter(|&&process| process != 1).filter_map(|&process| shared_fairly(process)).sum();
    }
    if orders.layers.has(Layer::Root) {
        sample.memory += files_in_memory(orders);
    }
    sample.memory += hidden.look(processes.iter().filter(|&&process| !(namespace && process == 1)), orders, units);
    sample
}

/// Memory that the kernel holds for a program and that is in no process's figures.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// Processes whose descriptors could not be seen at the last look. One that is just becoming the program cannot be
    /// for a moment; one whose file may be run but not read never can.
    unseen: BTreeSet<u64>,
}

impl Hidden {
    /// Sockets and pipes by what they could hold, each once however many processes have it, and page tables.
    fn look<'a>(&mut self, processes: impl Iterator<Item = &'a u64>, orders: &Orders, units: Units) -> u64 {
        let (mut objects, mut unseen, mut bytes) = (BTreeSet::new(), BTreeSet::new(), 0);
        for &process in processes {
            // The dead have neither memory nor descriptors, and nobody may look at what they had.
            let Some(tables) = page_tables(process) else { continue };
            bytes += tables;
            match std::fs::read_dir(format!("/proc/{process}/fd")) {
                Ok(entries) => objects.extend(
                    entries
                        .flatten()
                        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
                        .filter(|object| holds(object)),
                ),
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                    unseen.insert(process);
                }
                Err(_) => {}
            }
        }
        let most = u64::from(orders.limits.open_files.unwrap_or_default()) * units.socket;
        bytes += unseen.intersection(&self.unseen).count() as u64 * most;
        self.unseen = unseen;
        let each =
            |object: PathBuf| if object.as_os_str().as_encoded_bytes()[0] == b's' { units.socket } else { units.pipe };
        bytes + objects.into_iter().map(each).sum::<u64>()
    }
}

/// Whether a descriptor is something into which one can write without anybody reading.
fn holds(object: &Path) -> bool {
    let name = object.as_os_str().as_encoded_bytes();
    name.starts_with(b"socket:") || name.starts_with(b"pipe:")
}

/// Nothing for a process that has ended.
fn page_tables(process: u64) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPTE:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

fn is_namespace(orders: &Orders) -> bool {
    orders.layers.has(Layer::Processes) && orders.layers.has(Layer::Root)
}

/// The processes of the cell but for the first of a namespace, which is ours.
pub(super) fn members(orders: &Orders, program: Pid) -> Vec<u64> {
    if is_namespace(orders) {
        in_namespace().into_iter().filter(|&process| process != 1).collect()
    } else {
        vec![number(program)]
    }
}

/// The processes of the namespace, as its own `/proc` numbers them.
pub(super) fn in_namespace() -> Vec<u64> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn one(process: u64, units: Units) -> Option<Sample> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the name in parentheses and may hold anything; field 14 is the first of the four times.
    let fields: Vec<u64> =
        stat.rsplit_once(')')?.1.split_whitespace().map(|word| word.parse().unwrap_or_default()).collect();
    let ticks: u64 = fields.get(11..15)?.iter().sum();
    let pages = fields.get(21)?;
    Some(Sample {
        cpu: Duration::from_millis(ticks * 1000 / units.ticks_a_second),
        memory: pages * units.page,
        threads: *fields.get(17)?,
    })
}

/// Its memory, with each shared page divided by those who share it.
fn shared_fairly(process: u64) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

/// What lies in `/tmp` and in the work folder.
fn files_in_memory(orders: &Orders) -> u64 {
    let used = |path: &Path| {
        rustix::fs::statvfs(path).map_or(0, |space| space.f_blocks.saturating_sub(space.f_bfree) * space.f_frsize)
    };
    used(Path::new("/tmp")) + orders.view.work.as_deref().map_or(0, used)
}

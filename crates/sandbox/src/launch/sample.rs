//! What the cell's processes use at this moment, from `/proc`: for cells that no control group counts.

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

/// What the kernel's figures are counted in. Learnt at the start, because on older kernels that takes our own folder of `/proc`, which is
/// gone when the root has changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub(super) ticks_a_second: u64,
    page: u64,
}

impl Units {
    pub(super) fn learn() -> Self {
        let ticks_a_second = rustix::param::clock_ticks_per_second().max(1);
        Self { ticks_a_second, page: rustix::param::page_size() as u64 }
    }
}

/// Looks at all processes of the cell. In a namespace `/proc` holds exactly them; without one the program has no others that we could know of.
pub(super) fn look(orders: &Orders, program: Pid, units: Units) -> Sample {
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
    // Pages that several processes share were counted for each of them; counting them rightly is slow and done only when it matters.
    if orders.limits.memory.is_some_and(|limit| sample.memory > limit) && processes.len() > 1 {
        sample.memory =
            processes.iter().filter(|&&process| process != 1).filter_map(|&process| shared_fairly(process)).sum();
    }
    if orders.layers.has(Layer::Root) {
        sample.memory += files_in_memory(orders);
    }
    sample
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
    let used = |path: &std::path::Path| {
        rustix::fs::statvfs(path).map_or(0, |space| space.f_blocks.saturating_sub(space.f_bfree) * space.f_frsize)
    };
    used(std::path::Path::new("/tmp")) + orders.view.work.as_deref().map_or(0, used)
}

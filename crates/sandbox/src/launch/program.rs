//! The last steps, in the process that becomes the program.

use std::ffi::OsString;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::thread::UnshareFlags;

use super::identity::{self, Identity};
use super::landlock;
use crate::error::{Failure, Step as _};
use crate::filter;
use crate::layers::Layer;
use crate::orders::Orders;
use crate::sys;

/// A core dump of one byte is none, also where `core_pattern` names a program that would ignore a limit of zero.
const NO_CORE_DUMP: u64 = 1;
/// Timers and signals that wait: the kernel keeps some hundred bytes for each.
const MOST_TIMERS: u64 = 4096;
/// Without a control group, where the warden's next look may come late.
const DATA_SPARE: u64 = 4 << 30;

/// Becomes the program. Comes back only with the reason why not.
pub(super) fn become_program(
    orders: &Orders,
    identity: Identity,
    tasks: &[OwnedFd],
    words: &[OsString],
    launcher: Pid,
) -> Failure {
    match prepare(orders, identity, tasks, launcher) {
        Ok(()) => {}
        Err(failure) => return failure,
    }
    let program = words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    Failure::of_program(&program, &sys::exec(words))
}

fn prepare(orders: &Orders, identity: Identity, tasks: &[OwnedFd], launcher: Pid) -> Result<(), Failure> {
    let has = |layer| orders.layers.has(layer);
    for group in tasks {
        // `0` is the thread that writes; moving only oneself spares the grace period that moving a process costs.
        rustix::io::write(group, b"0").step("enter the control group")?;
    }
    if [Layer::MemoryGroup, Layer::ProcessGroup, Layer::PauseGroup].into_iter().any(has) {
        // Hides the names of the groups; where that is not allowed nothing is lost but that.
        let _ = sys::unshare(UnshareFlags::NEWCGROUP);
    }
    leave_group();
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    if has(Layer::ResourceLimits) {
        limit_resources(orders)?;
    }
    if has(Layer::Privileges) {
        identity::drop_bounding_set();
    }
    if has(Layer::Identity) && !has(Layer::User) && orders.root {
        identity.assume()?;
    }
    if has(Layer::Privileges) {
        identity::drop_capabilities()?;
    }
    if !has(Layer::Processes) {
        die_with_launcher(launcher)?;
    }
    let folder = &orders.view.folder;
    rustix::process::chdir(folder.as_path()).step(format!("enter {}", folder.display()))?;
    if has(Layer::Privileges) {
        rustix::thread::set_no_new_privs(true).step("forbid new privileges")?;
    }
    if has(Layer::Landlock) {
        landlock::restrict(orders)?;
    }
    sys::close_on_exec_from(3).step("close descriptors")?;
    sys::reset_signals();
    if has(Layer::Seccomp) {
        if has(Layer::Landlock) {
            let own = rustix::process::getpid().as_raw_nonzero().get();
            seccompiler::apply_filter(&filter::signals_only(own)?).step("seccomp")?;
        }
        for numbers in &orders.filters {
            seccompiler::apply_filter(&filter::from_numbers(numbers)).step("seccomp")?;
        }
    }
    Ok(())
}

/// Leaves our process group, in which `kill(0)` would reach the launcher; and our session if it was given a terminal,
/// which it must not control. Not always, because the kernel schedules sessions apart, which costs two microseconds a
/// round trip.
fn leave_group() {
    let terminal = rustix::termios::isatty(rustix::stdio::stdin())
        || rustix::termios::isatty(rustix::stdio::stdout())
        || rustix::termios::isatty(rustix::stdio::stderr());
    let _ = if terminal { rustix::process::setsid().map(drop) } else { rustix::process::setpgid(None, None) };
}

/// Where no namespace ends the program with its launcher, a signal does. The launcher may be gone before it is asked
/// for, so its number comes from before the fork.
fn die_with_launcher(launcher: Pid) -> Result<(), Failure> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).step("die with the launcher")?;
    if rustix::process::getppid() != Some(launcher) {
        return Err(Failure::new("die with the launcher", "it is gone"));
    }
    Ok(())
}

fn limit_resources(orders: &Orders) -> Result<(), Failure> {
    let limits = &orders.limits;
    let has = |layer| orders.layers.has(layer);
    let mut wanted = vec![(Resource::Core, NO_CORE_DUMP), (Resource::Sigpending, MOST_TIMERS)];
    wanted.extend(limits.open_files.map(|count| (Resource::Nofile, u64::from(count))));
    wanted.extend(limits.file_size.map(|size| (Resource::Fsize, size)));
    // A backstop for each process; the warden counts them together.
    wanted.extend(limits.cpu.map(|cpu| (Resource::Cpu, cpu.as_secs() + 2)));
    if !has(Layer::MemoryGroup) {
        wanted.extend(limits.memory.map(|memory| (Resource::Data, memory * 4 + DATA_SPARE)));
    }
    if !has(Layer::ProcessGroup)
        && let Some(count) = limits.processes
    {
        // Counted for each user, in a user namespace for itself; there the launcher and init count too.
        if has(Layer::User) {
            wanted.push((Resource::Nproc, u64::from(count) + 2));
        } else if has(Layer::Identity) && orders.root {
            wanted.push((Resource::Nproc, u64::from(count)));
        }
    }
    for (resource, value) in wanted {
        let before = rustix::process::getrlimit(resource);
        let value = before.maximum.map_or(value, |maximum| maximum.min(value));
        rustix::process::setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })
            .step(format!("limit {resource:?}"))?;
    }
    Ok(())
}

//! The first process of the namespace. An engine in its place would not die of its own `abort` nor stop on SIGSTOP.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags};
use rustix::process::{DumpableBehavior, Signal, WaitOptions};

use super::identity::{self, Identity};
use super::owners::Owners;
use super::root;
use crate::error::Failure;
use crate::layers::Layer;
use crate::orders::Orders;
use crate::sys;

/// What our command line says instead.
const NAME: &[u8] = b"init";

/// Builds the file system, says so, and reaps orphans for as long as the launcher lives. When this process dies the
/// kernel kills everything in the namespace.
pub(super) fn live(orders: &Orders, identity: Identity, owners: &Owners, ready: OwnedFd, life: &OwnedFd) -> ! {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if launcher_is_gone(life) {
        sys::leave(1);
    }
    forget_words();
    sys::reset_signals();
    sys::hold_back_child_signal();
    let built = prepare(orders, identity, owners);
    let said = built.as_ref().map_or_else(|failure| serde_json::to_vec(failure).unwrap_or_default(), |()| Vec::new());
    let _ = rustix::io::write(&ready, &said);
    drop(ready);
    if built.is_err() {
        sys::leave(1);
    }
    loop {
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        sys::await_child();
    }
}

/// Overwrites our command line: it names places of the machine, and the program may read it.
fn forget_words() {
    use std::os::unix::fs::FileExt as _;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let Some((_, rest)) = stat.rsplit_once(')') else { return };
    // Where it lies in our memory: fields 48 and 49.
    let mut places = rest.split_whitespace().skip(45).map(|word| word.parse::<u64>().unwrap_or_default());
    let (Some(start), Some(end)) = (places.next(), places.next()) else { return };
    let mut words = vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or_default().min(4 << 20)];
    let name = NAME.len().min(words.len());
    words[..name].copy_from_slice(&NAME[..name]);
    let memory = std::fs::OpenOptions::new().write(true).open("/proc/self/mem");
    let _ = memory.and_then(|memory| memory.write_all_at(&words, start));
}

fn prepare(orders: &Orders, identity: Identity, owners: &Owners) -> Result<(), Failure> {
    if orders.layers.has(Layer::Root) {
        root::build(orders, identity, owners)?;
    }
    // The program may run as the same user: it must find nothing to look at here.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    identity::drop_capabilities()
}

/// The launcher may have died before its death could be a signal.
fn launcher_is_gone(life: &OwnedFd) -> bool {
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut polled = [PollFd::new(life, PollFlags::empty())];
    rustix::event::poll(&mut polled, Some(&now)).is_ok_and(|count| count > 0)
}

//! Who the program is: a user who owns nothing, without capabilities.

use std::path::Path;

use rustix::fs::{Gid, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};

use crate::error::{Failure, Step as _};
use crate::layers::Layer;
use crate::orders::Orders;

/// Above every user id that systemd, containers and people use. The launcher's process number is added, which no living program shares.
const FIRST_STRANGER: u32 = 1_900_000_000;

/// The user and group a program runs as.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity {
    pub(super) user: Uid,
    pub(super) group: Gid,
}

impl Identity {
    /// A stranger's identity where we may give one, ours otherwise.
    pub(super) fn choose(orders: &Orders) -> Self {
        if orders.root && orders.layers.has(Layer::Identity) {
            let number = FIRST_STRANGER + rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
            Self { user: Uid::from_raw(number), group: Gid::from_raw(number) }
        } else {
            Self { user: rustix::process::geteuid(), group: rustix::process::getegid() }
        }
    }

    /// Becomes this user for good.
    pub(super) fn assume(self) -> Result<(), Failure> {
        rustix::thread::set_thread_groups(&[]).step("leave all groups")?;
        rustix::thread::set_thread_res_gid(self.group, self.group, self.group).step("change group")?;
        rustix::thread::set_thread_res_uid(self.user, self.user, self.user).step("change user")
    }

    /// Maps this user, and nobody else, into the user namespace that was just entered.
    pub(super) fn map_into_namespace(self) -> Result<(), Failure> {
        let (user, group) = (self.user.as_raw(), self.group.as_raw());
        let write = |file: &str, text: String| {
            let path = format!("/proc/self/{file}");
            std::fs::write(Path::new(&path), text).step(format!("write {path}"))
        };
        write("setgroups", "deny".to_owned())?;
        write("uid_map", format!("{user} {user} 1"))?;
        write("gid_map", format!("{group} {group} 1"))
    }
}

/// Gives up the capabilities a program could gain by `exec`; must come before the user changes.
pub(super) fn drop_bounding_set() {
    for capability in CapabilitySet::all().iter() {
        // The kernel may not know the newest; what it does not know nobody can have.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
}

/// Gives up every capability.
pub(super) fn drop_capabilities() -> Result<(), Failure> {
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none).step("drop capabilities")
}

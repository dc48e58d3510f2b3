//! Folders that only their owner may read, shown to a program that runs as somebody else.
//!
//! Temporary folders are made so. Instead of loosening their modes on the disk, the mount shows them as owned by the program, read-only.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::process::WaitOptions;
use rustix::thread::UnshareFlags;

use super::identity::Identity;
use crate::error::{Failure, Step as _};
use crate::layers::Layer;
use crate::orders::Orders;
use crate::sys::{self, Fork, SingleThread};

/// For each such path the user namespace whose map turns its owner into the program's user.
#[derive(Debug, Default)]
pub(super) struct Owners(Vec<(PathBuf, OwnedFd)>);

impl Owners {
    /// Finds the paths a stranger could not read.
    pub(super) fn find(orders: &Orders, identity: Identity, proof: SingleThread) -> Result<Self, Failure> {
        let stranger = orders.root && orders.layers.has(Layer::Identity) && !orders.layers.has(Layer::User);
        let mut found = Vec::new();
        for path in orders.view.readable().into_iter().filter(|_| stranger && orders.layers.has(Layer::Root)) {
            let Ok(metadata) = path.metadata() else { continue };
            let wanted = if metadata.is_dir() { 0o005 } else { 0o004 };
            if metadata.mode() & wanted != wanted {
                let namespace = namespace_of(metadata.uid(), metadata.gid(), identity, proof);
                found.push((path.to_owned(), namespace.step(format!("show {} to its program", path.display()))?));
            }
        }
        Ok(Self(found))
    }

    /// Shows a tree as owned by the program, if it is one of these.
    pub(super) fn apply(&self, tree: &OwnedFd, path: &Path) -> Result<(), Failure> {
        let Some((_, namespace)) = self.0.iter().find(|(found, _)| found == path) else { return Ok(()) };
        sys::mount_map_owners(tree.as_fd(), namespace.as_fd())
            .step(format!("show {} to its program (let others read it: chmod o+rX)", path.display()))
    }
}

/// A user namespace in which these owners are the program's user and group. Nobody lives in it.
fn namespace_of(user: u32, group: u32, identity: Identity, proof: SingleThread) -> std::io::Result<OwnedFd> {
    let (ready_read, ready_write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    let (done_read, done_write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    match sys::fork(proof, None)? {
        Fork::Child => {
            drop((ready_read, done_write));
            let entered = sys::unshare(UnshareFlags::NEWUSER).is_ok();
            let _ = rustix::io::write(&ready_write, &[u8::from(entered)]);
            let _ = rustix::io::read(&done_read, &mut [0_u8]);
            sys::leave(0)
        }
        Fork::Parent(child) => {
            drop((ready_write, done_read));
            let map = || {
                let mut entered = [0_u8];
                rustix::io::read(&ready_read, &mut entered)?;
                if entered != [1] {
                    return Err(std::io::Error::other("no user namespace"));
                }
                let folder = format!("/proc/{}", child.as_raw_nonzero());
                std::fs::write(format!("{folder}/uid_map"), format!("{user} {} 1", identity.user.as_raw()))?;
                std::fs::write(format!("{folder}/gid_map"), format!("{group} {} 1", identity.group.as_raw()))?;
                Ok(OwnedFd::from(std::fs::File::open(format!("{folder}/ns/user"))?))
            };
            let namespace = map();
            drop(done_write);
            let _ = rustix::process::waitpid(Some(child), WaitOptions::empty());
            namespace
        }
    }
}

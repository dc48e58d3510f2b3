//! The program's file system: a small tree in memory, with what it may see mounted into it.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
};

use super::identity::Identity;
use super::owners::Owners;
use crate::error::{Failure, Step as _};
use crate::layers::Layer;
use crate::orders::Orders;
use crate::view;

/// The tree itself holds names only.
const SKELETON_SIZE: &str = "1m";
/// Bytes of scratch for each file a program may make, so that empty files do not come for nothing.
const BYTES_A_FILE: u64 = 4096;

const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
const NO_SETUID: u64 = libc::MOUNT_ATTR_NOSUID;
const NO_DEVICES: u64 = libc::MOUNT_ATTR_NODEV;
const NO_PROGRAMS: u64 = libc::MOUNT_ATTR_NOEXEC;

/// A tree that is shown, and where.
struct Shown {
    tree: OwnedFd,
    place: PathBuf,
    is_folder: bool,
}

/// Builds the tree and makes it the root of this mount namespace, which must be the program's own.
pub(super) fn build(orders: &Orders, identity: Identity, owners: &Owners) -> Result<(), Failure> {
    // Otherwise what we mount would appear outside.
    rustix::mount::mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)
        .step("keep mounts private")?;
    let no_setuid = if orders.layers.has(Layer::Privileges) { NO_SETUID } else { 0 };
    // Taken before the new root hides anything.
    let shown = take_all(orders, owners, no_setuid)?;
    let root = new_tmpfs(&[("size", SKELETON_SIZE), ("mode", "755")]).step("mount the root")?;
    rustix::mount::move_mount(&root, c"", CWD, c"/", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH).step("mount the root")?;
    rustix::process::fchdir(&root).step("enter the root")?;

    system_links()?;
    scratch(orders, identity)?;
    for item in &shown {
        attach(item)?;
    }
    if let Some(work) = &orders.view.work {
        let tree = bounded_tmpfs(orders, "755").step("mount the work folder")?;
        give_to(&tree, identity)?;
        attach(&Shown { tree, place: work.clone(), is_folder: true })?;
    }
    kernel_files(orders)?;
    account(identity)?;

    sys_set(root.as_fd(), READ_ONLY | no_setuid, "make the root read-only")?;
    rustix::process::pivot_root(c".", c".").step("change the root")?;
    rustix::mount::unmount(c".", UnmountFlags::DETACH).step("leave the old root")?;
    rustix::process::chdir(c"/").step("enter the root")
}

fn sys_set(mount: BorrowedFd<'_>, flags: u64, step: &str) -> Result<(), Failure> {
    crate::sys::mount_set(mount, flags, 0, false).step(step)
}

/// Copies of all trees that are shown, read-only.
fn take_all(orders: &Orders, owners: &Owners, no_setuid: u64) -> Result<Vec<Shown>, Failure> {
    let mut places: Vec<PathBuf> = system_places().filter(|place| !is_link(place)).collect();
    places.extend(orders.view.readable().into_iter().map(Path::to_owned));
    let mut shown = Vec::with_capacity(places.len() + view::DEVICES.len());
    for place in places {
        let Some(item) = take(&place)? else { continue };
        let flags = READ_ONLY | no_setuid | NO_DEVICES;
        owners.apply(&item.tree, &place)?;
        crate::sys::mount_set(item.tree.as_fd(), flags, 0, true).step(format!("make {} read-only", place.display()))?;
        shown.push(item);
    }
    for device in orders.devices() {
        let Some(item) = take(Path::new(device))? else { continue };
        crate::sys::mount_set(item.tree.as_fd(), no_setuid | NO_PROGRAMS, 0, false).step(format!("show {device}"))?;
        shown.push(item);
    }
    Ok(shown)
}

/// A copy of one tree; nothing if there is none.
fn take(place: &Path) -> Result<Option<Shown>, Failure> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    match rustix::mount::open_tree(CWD, place, flags) {
        Ok(tree) => {
            let kind =
                FileType::from_raw_mode(rustix::fs::fstat(&tree).step(format!("look at {}", place.display()))?.st_mode);
            Ok(Some(Shown { tree, place: place.to_owned(), is_folder: kind == FileType::Directory }))
        }
        Err(rustix::io::Errno::NOENT) => Ok(None),
        Err(error) => Err(Failure::new(format!("show {}", place.display()), error)),
    }
}

/// Folders and files of the system that exist here.
pub(super) fn system_places() -> impl Iterator<Item = PathBuf> {
    let java = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let java = java.filter(|entry| entry.file_name().as_bytes().starts_with(view::JAVA_SETTINGS.as_bytes()));
    let fixed = view::SYSTEM.into_iter().chain(view::SETTINGS).map(PathBuf::from);
    fixed.filter(|place| place.symlink_metadata().is_ok()).chain(java.map(|entry| entry.path()))
}

fn is_link(place: &Path) -> bool {
    place.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

/// `/bin -> usr/bin` and their like, as they are outside.
fn system_links() -> Result<(), Failure> {
    for place in system_places().filter(|place| is_link(place)) {
        let step = || format!("link {}", place.display());
        let target = std::fs::read_link(&place).step(step())?;
        let inside = inside(&place);
        make_parents(inside)?;
        rustix::fs::symlinkat(&target, CWD, inside).step(step())?;
    }
    Ok(())
}

/// The path relative to the new root, in which we stand.
fn inside(place: &Path) -> &Path {
    place.strip_prefix("/").unwrap_or(place)
}

fn make_parents(inside: &Path) -> Result<(), Failure> {
    let Some(parent) = inside.parent() else { return Ok(()) };
    let mut path = PathBuf::new();
    for part in parent.components() {
        path.push(part);
        make_folder(&path)?;
    }
    Ok(())
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    match rustix::fs::mkdirat(CWD, path, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => Ok(()),
        // A folder that is already shown, read-only.
        Err(rustix::io::Errno::ROFS) if path.exists() => Ok(()),
        Err(error) => Err(Failure::new(format!("make {}", path.display()), error)),
    }
}

/// Mounts a tree at its place in the new root.
fn attach(shown: &Shown) -> Result<(), Failure> {
    let place = inside(&shown.place);
    make_parents(place)?;
    if shown.is_folder {
        make_folder(place)?;
    } else if !place.exists() {
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        rustix::fs::openat(CWD, place, flags, Mode::from_raw_mode(0o644)).step(format!("make {}", place.display()))?;
    }
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(&shown.tree, c"", CWD, place, flags).step(format!("mount {}", shown.place.display()))
}

/// `/tmp`, which is also `/dev/shm` and `/var/tmp`, so that one bound holds for all.
fn scratch(orders: &Orders, identity: Identity) -> Result<(), Failure> {
    let tree = bounded_tmpfs(orders, "1777").step("mount /tmp")?;
    give_to(&tree, identity)?;
    attach(&Shown { tree, place: "/tmp".into(), is_folder: true })?;
    for (name, target) in [
        ("dev/shm", "/tmp"),
        ("var/tmp", "/tmp"),
        ("dev/fd", "/proc/self/fd"),
        ("dev/stdin", "/proc/self/fd/0"),
        ("dev/stdout", "/proc/self/fd/1"),
        ("dev/stderr", "/proc/self/fd/2"),
    ] {
        make_parents(Path::new(name))?;
        rustix::fs::symlinkat(target, CWD, name).step(format!("link /{name}"))?;
    }
    Ok(())
}

fn give_to(tree: &OwnedFd, identity: Identity) -> Result<(), Failure> {
    rustix::fs::chownat(tree, c"", Some(identity.user), Some(identity.group), AtFlags::EMPTY_PATH).step("own /tmp")
}

/// A `/proc` that shows the program's own namespace.
fn kernel_files(orders: &Orders) -> Result<(), Failure> {
    let mount = || {
        let context = rustix::mount::fsopen(c"proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
        rustix::mount::fsconfig_create(&context)?;
        let flags =
            MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOEXEC;
        let flags =
            if orders.layers.has(Layer::Privileges) { flags | MountAttrFlags::MOUNT_ATTR_RDONLY } else { flags };
        rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
    };
    let tree = mount().step("mount /proc")?;
    attach(&Shown { tree, place: "/proc".into(), is_folder: true })
}

/// Runtimes ask who they are.
fn account(identity: Identity) -> Result<(), Failure> {
    let (user, group) = (identity.user.as_raw(), identity.group.as_raw());
    make_folder(Path::new("etc"))?;
    std::fs::write("etc/passwd", format!("engine:x:{user}:{group}:engine:/tmp:/bin/sh\n")).step("write /etc/passwd")?;
    std::fs::write("etc/group", format!("engine:x:{group}:\n")).step("write /etc/group")
}

/// As much room as the limits give, in bytes and in files.
fn bounded_tmpfs(orders: &Orders, mode: &str) -> rustix::io::Result<OwnedFd> {
    let bytes = orders.limits.scratch.max(BYTES_A_FILE * 16);
    let files = bytes / BYTES_A_FILE;
    new_tmpfs(&[("size", &bytes.to_string()), ("nr_inodes", &files.to_string()), ("mode", mode)])
}

fn new_tmpfs(options: &[(&str, &str)]) -> rustix::io::Result<OwnedFd> {
    let context = rustix::mount::fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        rustix::mount::fsconfig_set_string(&context, *key, *value)?;
    }
    rustix::mount::fsconfig_create(&context)?;
    let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    rustix::mount::fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, flags)
}

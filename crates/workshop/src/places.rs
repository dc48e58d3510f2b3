//! Folders of our own on the disk, held by a lock on the folder itself: what nobody holds is left over and may be removed.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

/// Tells apart the folders of one process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Opens a folder without following a link to it.
pub(crate) fn open_folder(path: &Path) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(CWD, path, flags, Mode::empty())
}

/// Makes a folder that others may look into, whatever our umask.
pub(crate) fn make_folder(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir(path)?;
    set_mode(path, 0o755)
}

/// Sets the mode of a file or folder.
pub(crate) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

/// Holds a folder together with others. `None` if it is gone or about to be.
pub(crate) fn share(path: &Path) -> Option<OwnedFd> {
    let folder = open_folder(path).ok()?;
    rustix::fs::flock(&folder, FlockOperation::NonBlockingLockShared).ok()?;
    is_still(path, &folder).then_some(folder)
}

/// Holds a folder alone. `None` if somebody else holds it or it is gone.
fn hold(path: &Path) -> Option<OwnedFd> {
    let folder = open_folder(path).ok()?;
    rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    is_still(path, &folder).then_some(folder)
}

/// Between opening and locking, the folder may have been moved away.
fn is_still(path: &Path, folder: &OwnedFd) -> bool {
    let same = || {
        let (now, opened) = (rustix::fs::lstat(path)?, rustix::fs::fstat(folder)?);
        Ok::<_, Errno>((now.st_dev, now.st_ino) == (opened.st_dev, opened.st_ino))
    };
    same().unwrap_or(false)
}

/// A folder for the time of one piece of work. It is removed at the end.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    _lock: OwnedFd,
}

impl Scratch {
    /// A new folder in this one.
    pub(crate) fn new(within: &Path) -> std::io::Result<Self> {
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = within.join(format!("{}-{number}", std::process::id()));
            match make_folder(&path) {
                // Of a process of our number that was killed, or in another container: theirs.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            // A sweep may have taken it in the moment before it was held.
            if let Some(lock) = hold(&path) {
                return Ok(Self { path, _lock: lock });
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders in this one that nobody holds; gives how many.
pub(crate) fn sweep(within: &Path) -> usize {
    let entries = std::fs::read_dir(within).into_iter().flatten().flatten();
    let left = entries.filter_map(|entry| hold(&entry.path()).map(|lock| (entry.path(), lock)));
    left.filter(|(path, _lock)| std::fs::remove_dir_all(path).is_ok()).count()
}

/// Removes a folder unless somebody holds it: first out of sight, so that nobody meets half of it.
pub(crate) fn discard(path: &Path, scratch: &Path) -> bool {
    let Some(_lock) = hold(path) else { return false };
    let Ok(place) = Scratch::new(scratch) else { return false };
    std::fs::rename(path, place.path().join("discarded")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_stays_and_what_is_left_over_goes() {
        let top = tempfile::tempdir().unwrap();
        let held = Scratch::new(top.path()).unwrap();
        std::fs::create_dir_all(top.path().join("left-over/deep")).unwrap();
        assert_eq!(sweep(top.path()), 1);
        assert!(held.path().exists());
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_in_use_is_not_discarded() {
        let top = tempfile::tempdir().unwrap();
        let (entry, scratch) = (top.path().join("entry"), top.path().join("scratch"));
        std::fs::create_dir(&entry).unwrap();
        std::fs::create_dir(&scratch).unwrap();
        let first = share(&entry).unwrap();
        let second = share(&entry).unwrap();
        assert!(!discard(&entry, &scratch));
        drop(first);
        assert!(!discard(&entry, &scratch));
        drop(second);
        assert!(discard(&entry, &scratch));
        assert!(!entry.exists() && std::fs::read_dir(&scratch).unwrap().next().is_none());
        assert!(share(&entry).is_none());
    }
}

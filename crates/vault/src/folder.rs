//! One server a data folder.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::private::{close_file, close_folder};
use crate::{Replaced, identity, is_still};

/// The file that says a server is here.
const LOCK: &str = "boyi.lock";

/// Why a folder cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another server uses it.
    #[error("another boyi uses the folder {}", .0.display())]
    InUse(PathBuf),
    /// The system says no.
    #[error("the folder cannot be used: {0}")]
    System(#[from] io::Error),
}

/// A data folder that is ours for as long as this lives: two servers would not see each other's games.
#[derive(Debug)]
pub struct Folder {
    /// What is locked, and which file it was. The folder itself is locked beside the file, which somebody may delete.
    locked: Vec<Locked>,
}

/// A file or folder that is locked for as long as this lives.
#[derive(Debug)]
struct Locked {
    path: PathBuf,
    known: (u64, u64),
    _file: File,
}

impl Folder {
    /// Takes a folder, making it when it is not there.
    pub fn open(folder: &Path) -> Result<Self, FolderError> {
        close_folder(folder)?;
        let lock = folder.join(LOCK);
        close_file(&lock)?;
        let own = take(folder, folder)?;
        let file = take(&lock, folder)?;
        Ok(Self { locked: own.into_iter().chain(file).collect() })
    }

    /// Whether all that is locked is still where it was.
    pub fn check(&self) -> Result<(), Replaced> {
        self.locked.iter().try_for_each(|locked| is_still(&locked.path, locked.known))
    }
}

/// Whether a server uses this folder now.
#[must_use]
pub fn is_used(folder: &Path) -> bool {
    [folder.to_owned(), folder.join(LOCK)].iter().any(|path| matches!(take(path, folder), Err(FolderError::InUse(_))))
}

/// Locks a file or folder. `None` where the file system has no locks for such.
fn take(path: &Path, folder: &Path) -> Result<Option<Locked>, FolderError> {
    let file = File::open(path)?;
    match file.try_lock() {
        Ok(()) => {
            let known = identity(&file.metadata()?);
            Ok(Some(Locked { path: path.to_owned(), known, _file: file }))
        }
        Err(TryLockError::WouldBlock) => Err(FolderError::InUse(folder.to_owned())),
        // Network file systems lock no folders; then the file has to do.
        Err(TryLockError::Error(_)) if path == folder => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_its_lock_file_a_folder_is_still_in_use() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("data");
        let first = Folder::open(&folder).unwrap();
        assert!(first.check().is_ok() && is_used(&folder));
        assert!(matches!(Folder::open(&folder), Err(FolderError::InUse(_))));
        std::fs::remove_file(folder.join(LOCK)).unwrap();
        assert_eq!(first.check(), Err(Replaced(folder.join(LOCK))));
        assert!(matches!(Folder::open(&folder), Err(FolderError::InUse(_))), "the folder itself is locked");
        assert!(first.check().is_err(), "a new file of that name is another file");
        assert!(is_used(&folder));
        drop(first);
        assert!(!is_used(&folder));
        Folder::open(&folder).unwrap();
    }
}

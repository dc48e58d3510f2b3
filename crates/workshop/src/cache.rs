//! What was built before, found again by what it was built from.
//!
//! An entry is a folder named by a hash, made elsewhere and moved into its place in one step, so that nobody ever sees half of one; what it holds
//! is compared with its list at each use. Whoever uses an entry holds it, and what is held is not removed. The entries that were not used for
//! longest go when there is too much.

use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{Timespec, Timestamps, UTIME_NOW};
use sandbox::Report;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{At as _, Error};
use crate::messages::Messages;
use crate::outputs::{self, Kept};
use crate::places::{self, Scratch};

/// The folder of the program within an entry.
pub(crate) const PROGRAM: &str = "program";
/// The entry's list.
const LIST: &str = "entry.json";
/// No list of ours is longer.
const LONGEST_LIST: u64 = 4 << 20;

/// What is remembered of a build beside its files.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) files: Vec<Kept>,
    pub(crate) messages: Messages,
    pub(crate) report: Report,
}

/// An entry in use.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) folder: PathBuf,
    pub(crate) memory: Memory,
    /// While this is open the entry stays.
    pub(crate) hold: OwnedFd,
}

/// What a program is built from, as one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// The hash of these parts; where one ends and the next begins matters.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Self(outputs::hex(&digest.finalize()))
    }
}

/// The folder of everything.
#[derive(Debug)]
pub(crate) struct Cache {
    entries: PathBuf,
    scratch: PathBuf,
    most_bytes: u64,
}

impl Cache {
    /// Opens the cache in a folder, made if needed; what a killed process left there is swept.
    pub(crate) fn open(folder: &Path, most_bytes: u64) -> Result<Self, Error> {
        let cache = Self { entries: folder.join("entries"), scratch: folder.join("scratch"), most_bytes };
        for folder in [&cache.entries, &cache.scratch] {
            std::fs::create_dir_all(folder).at(folder)?;
        }
        places::sweep(&cache.scratch);
        Ok(cache)
    }

    /// A folder for one build.
    pub(crate) fn scratch(&self) -> Result<Scratch, Error> {
        Scratch::new(&self.scratch).at(&self.scratch)
    }

    /// The entry, if it is there and whole. One that is not is removed.
    pub(crate) fn find(&self, key: &Key) -> Option<Entry> {
        let place = self.entries.join(&key.0);
        let hold = places::share(&place)?;
        let folder = place.join(PROGRAM);
        let whole = read_list(&place).filter(|memory| outputs::are_unchanged(&folder, &memory.files));
        let Some(memory) = whole else {
            drop(hold);
            places::discard(&place, &self.scratch);
            return None;
        };
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let _ = rustix::fs::futimens(&hold, &Timestamps { last_access: now, last_modification: now });
        Some(Entry { folder, memory, hold })
    }

    /// Puts a program (the folder [`PROGRAM`] in this one) into its place.
    pub(crate) fn keep(&self, key: &Key, made: &Path, memory: Memory) -> Result<Entry, Error> {
        let list = serde_json::to_vec(&memory).map_err(std::io::Error::from).at(made)?;
        outputs::write_new(&made.join(LIST), &list, 0o444).at(made)?;
        let place = self.entries.join(&key.0);
        // Held before others can see it, or it could be gone before we look.
        let hold = places::share(made).ok_or_else(|| std::io::Error::other("it cannot be locked")).at(made)?;
        loop {
            match std::fs::rename(made, &place) {
                Ok(()) => {
                    self.trim();
                    return Ok(Entry { folder: place.join(PROGRAM), memory, hold });
                }
                // Another build of the same came first; unless it is removed again, or is spoiled, it serves as well.
                Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {
                    if let Some(entry) = self.find(key) {
                        return Ok(entry);
                    }
                }
                Err(said) => return Err(Error::File { path: place, said }),
            }
        }
    }

    /// Removes what was not used for longest until the rest fits.
    fn trim(&self) {
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(&self.entries).into_iter().flatten().flatten() {
            let Some(used) = entry.metadata().ok().and_then(|metadata| metadata.modified().ok()) else { continue };
            entries.push((used, size(&entry.path()), entry.path()));
        }
        let mut sum: u64 = entries.iter().map(|(_, size, _)| size).sum();
        entries.sort();
        for (_, size, path) in entries {
            if sum <= self.most_bytes {
                break;
            }
            if places::discard(&path, &self.scratch) {
                sum -= size;
            }
        }
    }
}

fn read_list(place: &Path) -> Option<Memory> {
    let path = place.join(LIST);
    let short = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LONGEST_LIST);
    serde_json::from_slice(&std::fs::read(path).ok().filter(|_| short)?).ok()
}

/// Bytes of all files of an entry.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        Some(if metadata.is_dir() { size(&entry.path()) } else { metadata.len() })
    });
    sizes.sum()
}

//! Taking what a compiler made out of its folder: plain files of the right owner, no links followed, nothing unbounded.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, FileType, Mode, OFlags};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::places;

/// More files than this, or deeper ones, no source of ours makes.
const MOST_FILES: usize = 2048;
const DEEPEST: usize = 16;

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Within the program's folder.
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Why an output was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Spoiled {
    #[error("{0} was not made")]
    NotMade(String),
    #[error("{0} is not a plain file")]
    NotPlain(String),
    #[error("{0} belongs to somebody else")]
    NotOurs(String),
    #[error("{0} is too large")]
    TooLarge(String),
    #[error("there are too many files")]
    TooMany,
    #[error("{0}: {1}")]
    Unreadable(String, String),
}

/// What may be taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Bytes of all files together.
    pub(crate) bytes: u64,
}

/// Copies one file.
pub(crate) fn take_file(from: &Path, name: &str, to: &Path, bounds: Bounds) -> Result<Vec<Kept>, Spoiled> {
    let mut taking = Taking::new(from, to, bounds)?;
    let folder = open(from)?;
    taking.file(&folder, OsStr::new(name), Path::new(""), 0o555)?;
    Ok(taking.kept)
}

/// Copies all files of that ending, with their folders.
pub(crate) fn take_all(from: &Path, ending: &str, to: &Path, bounds: Bounds) -> Result<Vec<Kept>, Spoiled> {
    let mut taking = Taking::new(from, to, bounds)?;
    taking.folder(&open(from)?, Path::new(""), ending)?;
    if taking.kept.is_empty() {
        return Err(Spoiled::NotMade(format!("*.{ending}")));
    }
    taking.kept.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(taking.kept)
}

fn open(path: &Path) -> Result<OwnedFd, Spoiled> {
    places::open_folder(path).map_err(|error| Spoiled::Unreadable(path.display().to_string(), error.to_string()))
}

struct Taking<'a> {
    to: &'a Path,
    /// Ourselves, and whom the sandbox gave the folder to.
    owners: [u32; 2],
    left: u64,
    seen: usize,
    kept: Vec<Kept>,
}

impl<'a> Taking<'a> {
    fn new(from: &Path, to: &'a Path, bounds: Bounds) -> Result<Self, Spoiled> {
        let owner = rustix::fs::fstat(open(from)?).map_err(|error| unreadable(Path::new(""), error))?.st_uid;
        let owners = [rustix::process::geteuid().as_raw(), owner];
        Ok(Self { to, owners, left: bounds.bytes, seen: 0, kept: Vec::new() })
    }

    fn folder(&mut self, folder: &OwnedFd, path: &Path, ending: &str) -> Result<(), Spoiled> {
        if path.components().count() > DEEPEST {
            return Err(Spoiled::TooMany);
        }
        for entry in Dir::read_from(folder).map_err(|error| unreadable(path, error))?.flatten() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            self.seen += 1;
            if self.seen > MOST_FILES {
                return Err(Spoiled::TooMany);
            }
            let inner = path.join(name);
            if entry.file_type() == FileType::Directory {
                let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let opened = rustix::fs::openat(folder, name, flags, Mode::empty());
                self.folder(&opened.map_err(|error| unreadable(&inner, error))?, &inner, ending)?;
            } else if inner.extension() == Some(OsStr::new(ending)) {
                self.file(folder, name, path, 0o444)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, folder: &OwnedFd, name: &OsStr, within: &Path, mode: u32) -> Result<(), Spoiled> {
        let path = within.join(name);
        let shown = || path.display().to_string();
        // Without waiting, or a pipe in its place would hold us for ever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let source = match rustix::fs::openat(folder.as_fd(), name, flags, Mode::empty()) {
            Ok(source) => source,
            Err(rustix::io::Errno::NOENT) => return Err(Spoiled::NotMade(shown())),
            Err(rustix::io::Errno::LOOP | rustix::io::Errno::NXIO) => return Err(Spoiled::NotPlain(shown())),
            Err(error) => return Err(unreadable(&path, error)),
        };
        let stat = rustix::fs::fstat(&source).map_err(|error| unreadable(&path, error))?;
        // A second name of a file could be somebody else's.
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink != 1 {
            return Err(Spoiled::NotPlain(shown()));
        }
        if !self.owners.contains(&stat.st_uid) {
            return Err(Spoiled::NotOurs(shown()));
        }
        let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        if size > self.left {
            return Err(Spoiled::TooLarge(shown()));
        }
        self.left -= size;
        let copy = || {
            let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
            std::fs::File::from(source).take(size).read_to_end(&mut bytes)?;
            let target = self.to.join(&path);
            for folder in within.ancestors().collect::<Vec<_>>().into_iter().rev().map(|folder| self.to.join(folder)) {
                if !folder.is_dir() {
                    places::make_folder(&folder)?;
                }
            }
            write_new(&target, &bytes, mode)?;
            Ok::<_, std::io::Error>(bytes)
        };
        let bytes = copy().map_err(|error| unreadable(&path, error))?;
        self.kept.push(Kept { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(&bytes)), path });
        Ok(())
    }
}

fn unreadable(path: &Path, error: impl std::fmt::Display) -> Spoiled {
    Spoiled::Unreadable(path.display().to_string(), error.to_string())
}

/// Writes a file that must not be there yet.
pub(crate) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    places::set_mode(path, mode)
}

/// Writes a file of an archive, whose path was looked at, with the folders it is in.
pub(crate) fn write_within(folder: &Path, path: &str, bytes: &[u8]) -> std::io::Result<()> {
    for (at, _) in path.match_indices('/') {
        let within = folder.join(&path[..at]);
        if !within.is_dir() {
            places::make_folder(&within)?;
        }
    }
    write_new(&folder.join(path), bytes, 0o444)
}

/// Keeps a file that came with the source.
pub(crate) fn keep(path: &str, bytes: &[u8], to: &Path) -> Result<Kept, Spoiled> {
    write_within(to, path, bytes).map_err(|error| Spoiled::Unreadable(path.to_owned(), error.to_string()))?;
    Ok(Kept { path: path.into(), bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) })
}

/// Whether the folder holds exactly these files, unchanged.
pub(crate) fn are_unchanged(folder: &Path, kept: &[Kept]) -> bool {
    kept.iter().all(|one| is_unchanged(folder, one)) && count(folder, DEEPEST + 1) == Some(kept.len())
}

fn is_unchanged(folder: &Path, kept: &Kept) -> bool {
    let read = || {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(rustix::fs::CWD, folder.join(&kept.path), flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&file)?;
        let plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !plain || u64::try_from(stat.st_size) != Ok(kept.bytes) {
            return Ok(false);
        }
        let mut digest = Sha256::new();
        let mut file = std::fs::File::from(file).take(kept.bytes);
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => digest.update(&buffer[..length]),
            }
        }
        Ok::<_, std::io::Error>(hex(&digest.finalize()) == kept.sha256)
    };
    read().unwrap_or(false)
}

/// How many files are in the folder and its folders.
fn count(folder: &Path, depth: usize) -> Option<usize> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        sum += if entry.file_type().ok()?.is_dir() { count(&entry.path(), depth.checked_sub(1)?)? } else { 1 };
    }
    Some(sum)
}

/// Bytes as people write hashes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const BOUNDS: Bounds = Bounds { bytes: 100 };

    struct Place {
        _top: tempfile::TempDir,
        from: PathBuf,
        to: PathBuf,
    }

    fn place() -> Place {
        let top = tempfile::tempdir().expect("a temporary folder");
        let (from, to) = (top.path().join("from"), top.path().join("to"));
        std::fs::create_dir(&from).expect("a new folder");
        std::fs::create_dir(&to).expect("a new folder");
        std::fs::write(top.path().join("secret"), "secret").expect("a new file");
        Place { _top: top, from, to }
    }

    #[test]
    fn only_a_plain_file_is_taken() {
        let Place { from, to, _top } = place();
        let take = || take_file(&from, "program", &to, BOUNDS);
        let name = "program".to_owned();
        assert_eq!(take(), Err(Spoiled::NotMade(name.clone())));
        let program = from.join("program");
        symlink("../secret", &program).unwrap();
        assert_eq!(take(), Err(Spoiled::NotPlain(name.clone())));
        std::fs::remove_file(&program).unwrap();
        std::fs::hard_link(from.join("../secret"), &program).unwrap();
        assert_eq!(take(), Err(Spoiled::NotPlain(name.clone())));
        std::fs::remove_file(&program).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &program, FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
        assert_eq!(take(), Err(Spoiled::NotPlain(name.clone())));
        std::fs::remove_file(&program).unwrap();
        std::fs::create_dir(&program).unwrap();
        assert_eq!(take(), Err(Spoiled::NotPlain(name.clone())));
        std::fs::remove_dir(&program).unwrap();
        std::fs::write(&program, [b'x'; 101]).unwrap();
        assert_eq!(take(), Err(Spoiled::TooLarge(name)));
        std::fs::write(&program, "abc").unwrap();
        let kept = take().unwrap();
        assert!(are_unchanged(&to, &kept) && std::fs::read(to.join("program")).unwrap() == b"abc");
    }

    #[test]
    fn classes_are_taken_with_their_folders_and_nothing_else() {
        let Place { from, to, _top } = place();
        std::fs::create_dir_all(from.join("a/b")).unwrap();
        std::fs::write(from.join("a/b/C.class"), "c").unwrap();
        std::fs::write(from.join("D.class"), "d").unwrap();
        std::fs::write(from.join("E.txt"), "e").unwrap();
        symlink("../..", from.join("up")).unwrap();
        let kept = take_all(&from, "class", &to, BOUNDS).unwrap();
        let paths: Vec<&Path> = kept.iter().map(|kept| kept.path.as_path()).collect();
        assert_eq!(paths, [Path::new("D.class"), Path::new("a/b/C.class")]);
        assert!(are_unchanged(&to, &kept));
        symlink("../secret", from.join("X.class")).unwrap();
        let again = to.join("again");
        std::fs::create_dir(&again).unwrap();
        assert_eq!(take_all(&from, "class", &again, BOUNDS), Err(Spoiled::NotPlain("X.class".to_owned())));
    }

    #[test]
    fn a_change_to_what_was_kept_is_seen() {
        let Place { from, to, _top } = place();
        std::fs::write(from.join("program"), "abc").unwrap();
        let kept = take_file(&from, "program", &to, BOUNDS).unwrap();
        std::fs::write(to.join("more"), "").unwrap();
        assert!(!are_unchanged(&to, &kept));
        std::fs::remove_file(to.join("more")).unwrap();
        assert!(are_unchanged(&to, &kept));
        std::fs::remove_file(to.join("program")).unwrap();
        assert!(!are_unchanged(&to, &kept));
        std::fs::write(to.join("program"), "abd").unwrap();
        assert!(!are_unchanged(&to, &kept));
    }
}

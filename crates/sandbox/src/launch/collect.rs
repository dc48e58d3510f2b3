//! Taking the outputs out of a work folder: plain files only, no links followed, nothing unbounded.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags};

use crate::report::Remark;

/// More files than this, or deeper ones, no compiler of ours makes.
const MOST_FILES: usize = 4096;
const DEEPEST: usize = 8;

/// Copies what the program made into the real folder; gives a remark for what was left behind. Nothing of the program is alive any more.
pub(super) fn collect(work: &Path, real: &OwnedFd, most_bytes: u64) -> Vec<Remark> {
    let mut copy = Copy { files: 0, bytes: 0, most_bytes, remarks: Vec::new() };
    match rustix::fs::openat(CWD, work, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(folder) => copy.folder(&folder, real.as_fd(), DEEPEST),
        Err(_) => copy.remarks.push(Remark::LeftBehind(work.display().to_string())),
    }
    copy.remarks
}

struct Copy {
    files: usize,
    bytes: u64,
    most_bytes: u64,
    remarks: Vec<Remark>,
}

impl Copy {
    fn folder(&mut self, from: &OwnedFd, to: BorrowedFd<'_>, depth: usize) {
        let Ok(entries) = Dir::read_from(from) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            self.files += 1;
            if self.files > MOST_FILES {
                self.remarks.push(Remark::TooManyOutputs(MOST_FILES));
                return;
            }
            let copied = match entry.file_type() {
                FileType::Directory if depth > 0 => self.subfolder(from, to, name, depth),
                FileType::RegularFile => self.file(from, to, name),
                _ => Err(rustix::io::Errno::INVAL),
            };
            if copied.is_err() && self.remarks.len() < 16 {
                self.remarks.push(Remark::LeftBehind(name.to_string_lossy().into_owned()));
            }
        }
    }

    fn subfolder(
        &mut self,
        from: &OwnedFd,
        to: BorrowedFd<'_>,
        name: &std::ffi::CStr,
        depth: usize,
    ) -> rustix::io::Result<()> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let inner = rustix::fs::openat(from, name, flags, Mode::empty())?;
        match rustix::fs::mkdirat(to, name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
        let target = rustix::fs::openat(to, name, flags, Mode::empty())?;
        self.folder(&inner, target.as_fd(), depth - 1);
        Ok(())
    }

    fn file(&mut self, from: &OwnedFd, to: BorrowedFd<'_>, name: &std::ffi::CStr) -> rustix::io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let source = rustix::fs::openat(from, name, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&source)?;
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || self.bytes + size > self.most_bytes {
            return Err(rustix::io::Errno::INVAL);
        }
        self.bytes += size;
        let mode = if stat.st_mode & 0o100 != 0 { 0o755 } else { 0o644 };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // An older file of that name is replaced, never written through.
        let _ = rustix::fs::unlinkat(to, name, rustix::fs::AtFlags::empty());
        let target = rustix::fs::openat(to, name, flags, Mode::from_raw_mode(mode))?;
        let copied = std::io::copy(&mut std::fs::File::from(source), &mut std::fs::File::from(target));
        copied
            .map(drop)
            .map_err(|error| error.raw_os_error().map_or(rustix::io::Errno::IO, rustix::io::Errno::from_raw_os_error))
    }
}

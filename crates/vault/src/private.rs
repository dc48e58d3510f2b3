//! Nobody but the server's own account reads a data folder: sources, passwords' hashes and sessions are in it.

use std::ffi::OsStr;
use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// What was open and is not any more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Closed {
    /// These were closed.
    pub changed: Vec<PathBuf>,
    /// The folder was left as it was, because it holds other things too or is not ours.
    pub left_open: bool,
}

/// Makes a data folder, or closes one that others could look into, with everything of ours in it.
pub fn close_folder(folder: &Path) -> io::Result<Closed> {
    let mut closed = Closed::default();
    if !folder.exists() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        // Whatever the umask.
        std::fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        return Ok(closed);
    }
    let own = std::fs::metadata(folder)?;
    let mut strange = own.mode() & 0o1000 != 0 || own.uid() != rustix::process::geteuid().as_raw();
    let mut ours = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match kind(&entry.file_name()) {
            Kind::Ours => ours.push(entry),
            Kind::Neutral => {}
            Kind::Strange => strange = true,
        }
    }
    if is_open(&own) {
        closed.left_open = strange;
        if !strange {
            close(folder, &mut closed)?;
        }
    }
    for entry in ours {
        // A link's mode is nothing, and what it leads to is somebody else's.
        if !entry.file_type()?.is_symlink() && is_open(&entry.metadata()?) {
            close(&entry.path(), &mut closed)?;
        }
    }
    Ok(closed)
}

/// Whether others can get at it. What root only lets them pass through ([`let_pass`]) is closed.
fn is_open(metadata: &std::fs::Metadata) -> bool {
    let root = rustix::process::geteuid().is_root();
    metadata.mode() & if metadata.is_dir() && root { 0o066 } else { 0o077 } != 0
}

/// Lets others pass through a folder of ours without seeing what is in it, or not. A judge that root runs below level A
/// needs this: its programs run as strangers, who have to reach the folders made for them.
pub fn let_pass(folder: &Path, pass: bool) -> io::Result<()> {
    let mode = std::fs::metadata(folder)?.mode() & 0o777;
    match (mode, pass) {
        (0o700, true) => std::fs::set_permissions(folder, Permissions::from_mode(0o711)),
        (0o711, false) => std::fs::set_permissions(folder, Permissions::from_mode(0o700)),
        _ => Ok(()),
    }
}

/// What a name in a data folder says of it.
enum Kind {
    Ours,
    /// What disks and operators put beside it.
    Neutral,
    Strange,
}

fn kind(name: &OsStr) -> Kind {
    let name = name.to_string_lossy();
    match name.split('.').next().unwrap_or_default() {
        "boyi" | "course" | "programs" => Kind::Ours,
        "lost+found" => Kind::Neutral,
        _ if name.contains("backup") => Kind::Ours,
        _ => Kind::Strange,
    }
}

fn close(path: &Path, closed: &mut Closed) -> io::Result<()> {
    let mode = std::fs::metadata(path)?.mode();
    std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700))?;
    closed.changed.push(path.to_owned());
    Ok(())
}

/// Makes an empty file for ourselves alone where there is none; what SQLite puts beside a database gets its mode.
pub fn close_file(path: &Path) -> io::Result<()> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match made {
        Ok(_) => std::fs::set_permissions(path, Permissions::from_mode(0o600)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn open_up(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn an_open_folder_is_closed_and_said() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("boyi-data");
        assert_eq!(close_folder(&folder).unwrap(), Closed::default());
        assert_eq!(mode(&folder), 0o700);
        for name in ["boyi.sqlite", "course.sqlite", "course.sqlite-wal", "boyi.lock", "boyi.log"] {
            std::fs::write(folder.join(name), "x").unwrap();
            open_up(&folder.join(name), 0o644);
        }
        std::fs::create_dir(folder.join("programs")).unwrap();
        open_up(&folder.join("programs"), 0o755);
        open_up(&folder, 0o755);
        let closed = close_folder(&folder).unwrap();
        assert_eq!((closed.changed.len(), closed.left_open), (7, false), "{closed:?}");
        assert_eq!((mode(&folder), mode(&folder.join("programs"))), (0o700, 0o700));
        assert_eq!(mode(&folder.join("course.sqlite-wal")), 0o600);
        assert_eq!(close_folder(&folder).unwrap(), Closed::default(), "nothing is left to do");
    }

    #[test]
    fn a_folder_of_other_things_stays_as_it_is_and_our_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["homework.c", "boyi.sqlite"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
            open_up(&folder.path().join(name), 0o644);
        }
        open_up(folder.path(), 0o755);
        let closed = close_folder(folder.path()).unwrap();
        assert_eq!((closed.changed.len(), closed.left_open), (1, true));
        assert_eq!((mode(folder.path()), mode(&folder.path().join("homework.c"))), (0o755, 0o644));
        assert_eq!(mode(&folder.path().join("boyi.sqlite")), 0o600);
    }

    #[test]
    fn others_pass_through_where_they_must_and_see_nothing() {
        let folder = tempfile::tempdir().unwrap();
        open_up(folder.path(), 0o700);
        let_pass(folder.path(), true).unwrap();
        assert_eq!(mode(folder.path()), 0o711);
        if rustix::process::geteuid().is_root() {
            assert_eq!(close_folder(folder.path()).unwrap(), Closed::default(), "a judge that runs needs it so");
            assert_eq!(mode(folder.path()), 0o711);
        }
        let_pass(folder.path(), false).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        open_up(folder.path(), 0o755);
        let_pass(folder.path(), false).unwrap();
        assert_eq!(mode(folder.path()), 0o755, "that is for whoever closes folders");
    }

    #[test]
    fn a_new_file_is_ours_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boyi.sqlite");
        close_file(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
        std::fs::write(&path, "x").unwrap();
        close_file(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"x");
    }
}

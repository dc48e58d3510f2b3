//! What a program sees of the file system.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Folders of the system that every program needs to start, where they exist.
pub(crate) const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// What of `/etc` the loader and the runtimes of languages ask for. No accounts, no keys, no host names.
pub(crate) const SETTINGS: [&str; 6] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
];

/// Debian keeps parts of its Java in folders of this beginning.
pub(crate) const JAVA_SETTINGS: &str = "java-";

/// Devices without which programs do not run.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", ZERO, "/dev/full", "/dev/random", "/dev/urandom"];

/// The device whose shared mappings are memory that nobody can count without a control group.
pub(crate) const ZERO: &str = "/dev/zero";

/// Files of `/proc` that runtimes read at level C, where `/proc` is the machine's.
pub(crate) const KERNEL_FACTS: [&str; 8] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
];

/// What a program sees beside the system's own read-only folders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The folder it starts in, read-only unless it is also [`work`](Self::work).
    pub(crate) folder: PathBuf,
    /// Further files and folders, read-only.
    pub(crate) read: Vec<PathBuf>,
    /// A folder it may write into. At levels A and B what it writes stays in memory, bounded by
    /// [`Limits::scratch`](crate::Limits), and the plain files it made are copied into the real folder when it has
    /// ended.
    pub(crate) work: Option<PathBuf>,
}

impl View {
    /// The view of a program that starts in this folder and may read what is in it.
    pub fn folder(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self { folder: shown(folder.as_ref())?, read: Vec::new(), work: None })
    }

    /// A program that starts in this folder and may write there.
    pub fn work(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = shown(folder.as_ref())?;
        Ok(Self { work: Some(folder.clone()), folder, read: Vec::new() })
    }

    /// The same, and this folder may be written into.
    pub fn writing_into(mut self, folder: impl AsRef<Path>) -> Result<Self, Error> {
        self.work = Some(shown(folder.as_ref())?);
        Ok(self)
    }

    /// Shows one more file or folder, read-only.
    pub fn and(mut self, path: impl AsRef<Path>) -> Result<Self, Error> {
        self.read.push(shown(path.as_ref())?);
        Ok(self)
    }

    /// Shows a program that is named by a path: its folder, or the file alone where its folder would show too much.
    /// Gives the path by which it is found in the cell; a bare name is searched for there and stays as it is.
    pub fn program(self, word: impl AsRef<Path>) -> Result<(Self, PathBuf), Error> {
        let word = word.as_ref();
        if word.components().count() < 2 && !word.to_string_lossy().contains('/') {
            return Ok((self, word.to_owned()));
        }
        let path = self.folder.join(word);
        let bad = |said: &str| Error::BadPath { path: path.clone(), said: said.to_owned() };
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(bad("not a program")) };
        // The last part may be a link that the program wants to be called by.
        let parent = parent.canonicalize().map_err(|error| bad(&error.to_string()))?;
        let found = parent.join(name);
        let seen = SYSTEM.iter().map(Path::new).chain(self.readable()).chain(self.work.as_deref());
        if seen.into_iter().any(|place| found.starts_with(place)) {
            return Ok((self, found));
        }
        let view = match self.clone().and(&parent) {
            Err(Error::TooMuch(_)) => self.and(&found),
            shown => shown,
        };
        Ok((view?, found))
    }

    /// Everything read-only beside the system, parents before what is in them.
    pub(crate) fn readable(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = self.read.iter().map(PathBuf::as_path).collect();
        if self.work.as_ref() != Some(&self.folder) {
            paths.push(&self.folder);
        }
        paths.sort();
        paths.dedup();
        paths
    }
}

/// The path as it will be shown: absolute, existing, and not so much that the cage is pointless.
fn shown(path: &Path) -> Result<PathBuf, Error> {
    let bad = |said: &str| Error::BadPath { path: path.to_owned(), said: said.to_owned() };
    let real = path.canonicalize().map_err(|error| bad(&error.to_string()))?;
    if real.to_str().is_none() {
        return Err(bad("its name is not UTF-8 text"));
    }
    let depth = real.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let holds_home = home.is_some_and(|home| home.starts_with(&real));
    let systems = ["/proc", "/sys", "/dev", "/etc", "/run", "/tmp", "/var", "/home", "/root"];
    let whole_system = systems.iter().any(|&system| real == Path::new(system));
    let kernel = ["/proc", "/sys", "/dev"].iter().any(|kernel| real.starts_with(kernel));
    if depth == 0 || holds_home || whole_system || kernel {
        return Err(Error::TooMuch(real));
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_show_everything_is_refused() {
        for path in ["/", "/etc", "/proc/self", "/tmp", "/root"] {
            assert!(matches!(View::folder(path), Err(Error::TooMuch(_) | Error::BadPath { .. })), "{path}");
        }
        assert!(matches!(View::folder("/nowhere/at/all"), Err(Error::BadPath { .. })));
        assert!(View::folder(env!("CARGO_MANIFEST_DIR")).is_ok());
    }

    #[test]
    fn a_program_elsewhere_is_shown_with_its_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let view = View::folder(folder.join("src")).unwrap();
        let (same, bare) = view.clone().program("python3").unwrap();
        assert_eq!((same, bare), (view.clone(), PathBuf::from("python3")));
        let (same, inside) = view.clone().program("./lib.rs").unwrap();
        assert_eq!((same, inside), (view.clone(), folder.join("src/lib.rs")));
        assert_eq!(view.clone().program("/usr/bin/env").unwrap().0, view);
        let (more, elsewhere) = view.program("../tests/hostile/main.rs").unwrap();
        assert_eq!(elsewhere, folder.join("tests/hostile/main.rs"));
        assert!(more.readable().contains(&folder.join("tests/hostile").as_path()));
    }

    #[test]
    fn the_work_folder_is_not_also_read_only() {
        let view = View::work(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert!(view.readable().is_empty());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let view = View::folder(source).unwrap().writing_into(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert_eq!(view.readable(), [Path::new(source)]);
    }
}

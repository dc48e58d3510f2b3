//! A server's data folder: closed to other accounts of the machine ([`close_folder`]), used by one server at a time
//! ([`Folder`]), with SQLite files ([`Database`]) that go on by themselves when a full disk has room again.
//!
//! Rooms and course each keep a file of their own; what both need is here once.

mod cause;
mod database;
mod folder;
mod private;

pub use cause::Cause;
pub use database::{Database, Opening, Write};
pub use folder::{Folder, FolderError, is_used};
pub use private::{Closed, close_file, close_folder, let_pass};

/// Something was deleted or replaced while a server used it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} was deleted or replaced while it was in use", .0.display())]
pub struct Replaced(pub std::path::PathBuf);

/// Tells a file from every other that is there at the same time: device and inode.
pub(crate) fn identity(metadata: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

/// Whether there still is what was there.
pub(crate) fn is_still(path: &std::path::Path, known: (u64, u64)) -> Result<(), Replaced> {
    match std::fs::metadata(path) {
        Ok(metadata) if identity(&metadata) == known => Ok(()),
        _ => Err(Replaced(path.to_owned())),
    }
}

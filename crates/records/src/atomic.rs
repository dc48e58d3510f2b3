//! Writing a file so that nobody ever sees half of it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells apart the temporary files of one process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes a file that is, at every moment and after any crash, either the old one or the new one.
///
/// What is not an ordinary file (a pipe, a terminal) cannot be replaced and is written to directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Short and independent of the target's name, which may already be as long as names can be.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".boyi-{}-{number}.tmp", std::process::id()));
    let written = write_new(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
        return written;
    }
    // The new name is safe only once the folder is; systems that cannot sync a folder have other means.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

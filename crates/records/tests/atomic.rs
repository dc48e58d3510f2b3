//! A file is the old one or the new one, never something between.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn readers_see_the_old_file_or_the_new_one() {
    let folder = Folder::new("atomic");
    let path = folder.0.join("record.json");
    let versions = [vec![b'a'; 300_000], vec![b'b'; 200_000]];
    records::write_atomically(&path, &versions[0]).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..40 {
                records::write_atomically(&path, &versions[round % 2]).unwrap();
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            let seen = std::fs::read(&path).unwrap();
            assert!(versions.contains(&seen), "{} bytes of neither", seen.len());
        }
    });
    assert_eq!(folder.names(), ["record.json"]);
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new("failed");
    // A folder stands where the file should be, so the last step cannot succeed.
    let path = folder.0.join("taken");
    std::fs::create_dir(&path).unwrap();
    assert!(records::write_atomically(&path, b"new").is_err());
    assert!(records::write_atomically(&folder.0.join("nowhere/record"), b"new").is_err());
    assert_eq!(folder.names(), ["taken"]);
}

#[test]
fn a_name_without_a_folder_and_a_long_one_are_written() {
    let folder = Folder::new("long");
    let path = folder.0.join("长".repeat(85));
    records::write_atomically(&path, b"long").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"long");
}

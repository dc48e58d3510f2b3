//! Removing the groups of a boyi that was killed.

use std::path::{Path, PathBuf};

use super::layout::{ASIDE, Base};
use super::{PREFIX, group, start_time};

/// How deep groups are looked for; systemd's user sessions are at five.
const DEPTH: usize = 8;

/// Removes groups whose maker is dead, wherever in the tree they are; gives how many there were.
pub(crate) fn sweep(base: &Base) -> usize {
    sweep_in(&base.tops, DEPTH)
}

/// The same in these folders, so deep.
pub(super) fn sweep_in(folders: &[PathBuf], depth: usize) -> usize {
    let mut left = Vec::new();
    for folder in folders {
        search(folder, depth, &mut left);
    }
    for folder in &left {
        // A group into which a boyi stepped aside may hold what it started and left running on purpose.
        if !folder.to_str().is_some_and(|path| path.ends_with(ASIDE)) {
            group::empty(folder);
        }
        group::remove(folder);
    }
    left.len()
}

fn search(folder: &Path, depth: usize, left: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        if let Some(alive) = entry.file_name().to_str().and_then(maker_is_alive) {
            if !alive {
                left.push(entry.path());
            }
        } else if depth > 0 {
            search(&entry.path(), depth - 1, left);
        }
    }
}

/// Whether the maker of a group of ours still lives; nothing if the group is not ours.
fn maker_is_alive(name: &str) -> Option<bool> {
    let mut parts = name.strip_prefix(PREFIX)?.split('-');
    let process: u32 = parts.next()?.parse().ok()?;
    let started: u64 = parts.next()?.parse().ok()?;
    parts.next()?;
    Some(start_time(process) == Some(started) && !is_zombie(process))
}

/// Whether a process has ended and nobody has asked for it yet.
fn is_zombie(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_dead_makers_are_swept() {
        let own = std::process::id();
        let started = start_time(own).unwrap();
        assert_eq!(maker_is_alive(&format!("boyi-{own}-{started}-7")), Some(true));
        assert_eq!(maker_is_alive(&format!("boyi-{own}-{}-7", started + 1)), Some(false));
        assert_eq!(maker_is_alive("boyi-of-somebody-else"), None);
        assert_eq!(maker_is_alive("user.slice"), None);
    }
}

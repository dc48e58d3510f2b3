//! Reading what is not ours, filling what is shared, and outputs that are not what they seem.

use std::io::{Read as _, Write as _};

use crate::{Behaviour, number, say, tell, word};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("read", read),
    ("write", write),
    ("climb", climb),
    ("large-file", large_file),
    ("inodes", inodes),
    ("descriptors", descriptors),
    ("outputs", outputs),
    ("kernel-files", kernel_files),
    ("environment", environment),
    ("watch-folder", watch_folder),
    ("lock-file", lock_file),
    ("see-locks", see_locks),
];

/// Reads a file and shows how it begins.
fn read(words: &[String]) {
    let path = word(words, 0);
    let mut start = [0; 64];
    match std::fs::File::open(path).and_then(|mut file| file.read(&mut start)) {
        Ok(count) => say(&format!("harm read {}", String::from_utf8_lossy(&start[..count]).escape_debug())),
        Err(error) => say(&format!("refused reading {path}: {error}")),
    }
}

/// Writes a file.
fn write(words: &[String]) {
    tell("wrote", std::fs::write(word(words, 0), "hostile"));
}

/// Reads a file through every door that could lead out.
fn climb(words: &[String]) {
    let path = word(words, 0);
    let up = "../".repeat(40);
    for door in ["/proc/1/root", "/proc/self/root/..", "/proc/self/cwd/..", &up, "/dev/fd/3", "/proc/2/root"] {
        tell(&format!("read through {door}"), std::fs::read(format!("{door}/{}", path.trim_start_matches('/'))));
    }
    // SAFETY: the classic way out of a chroot; both names are constants with their NUL.
    let escaped = unsafe {
        let _ = std::fs::create_dir("/tmp/jail");
        crate::check(libc::chroot(c"/tmp/jail".as_ptr()).into()).map(|_| {
            for _ in 0..40 {
                libc::chdir(c"..".as_ptr());
            }
            libc::chroot(c".".as_ptr())
        })
    };
    tell("changed the root", escaped);
    tell("read after all", std::fs::read(path));
}

/// One file of so many mebibytes.
fn large_file(words: &[String]) {
    let path = word(words, 0);
    let result = std::fs::File::create(path).and_then(|mut file| {
        let block = vec![1; 1 << 20];
        (0..number(words, 1)).try_for_each(|_| file.write_all(&block))
    });
    tell("wrote a large file", result);
}

/// So many empty files.
fn inodes(words: &[String]) {
    let (folder, count) = (word(words, 0), number(words, 1));
    for done in 0..count {
        if let Err(error) = std::fs::File::create(format!("{folder}/i{done}")) {
            return say(&format!("refused after {done} files: {error}"));
        }
    }
    say(&format!("harm made {count} files"));
}

/// So many open descriptors.
fn descriptors(words: &[String]) {
    let count = number(words, 0);
    let mut held = Vec::new();
    for done in 0..count {
        match std::fs::File::open("/dev/null") {
            Ok(file) => held.push(file),
            Err(error) => return say(&format!("refused after {done} descriptors: {error}")),
        }
    }
    say(&format!("harm opened {count} descriptors"));
}

/// Outputs: one plain file, and others that are not what they seem.
fn outputs(words: &[String]) {
    let secret = word(words, 0);
    let _ = std::fs::write("plain", "plain");
    tell("link", std::os::unix::fs::symlink(secret, "link"));
    tell("link to a folder", std::os::unix::fs::symlink("/etc", "folder"));
    // SAFETY: the name is a constant with its NUL.
    tell("pipe", crate::check(unsafe { libc::mkfifo(c"pipe".as_ptr(), 0o644) }.into()));
    let _ = std::fs::create_dir("deep");
    let _ = std::fs::write("deep/inner", "inner");
}

/// Files of the kernel that change the machine or tell about it.
fn kernel_files(_: &[String]) {
    for path in
        ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/mm/ksm/run", "/dev/mem", "/dev/kmsg"]
    {
        tell(path, std::fs::OpenOptions::new().write(true).open(path));
    }
}

/// What was in our starter's environment.
fn environment(_: &[String]) {
    for (name, _) in std::env::vars() {
        say(&name);
    }
}

/// Is told what others do in a folder of the system.
fn watch_folder(words: &[String]) {
    let Ok(folder) = std::ffi::CString::new(word(words, 0)) else { return };
    // SAFETY: the name ends with its NUL.
    let watched = unsafe {
        crate::check(libc::inotify_init1(0).into())
            .and_then(|watcher| crate::check(libc::inotify_add_watch(watcher as i32, folder.as_ptr(), 0x20).into()))
    };
    tell("watches by inotify", watched);
    let opened = std::fs::File::open(word(words, 0));
    let told = opened.and_then(|folder| {
        use std::os::fd::AsRawFd as _;
        // SAFETY: takes numbers only. `F_NOTIFY`, for what is read.
        crate::check(unsafe { libc::fcntl(folder.as_raw_fd(), 1026, 1) }.into())
    });
    tell("watches by signals", told);
}

/// Locks a file it may only read, so that nobody else can: shown by a second try of its own.
fn lock_file(words: &[String]) {
    use std::os::fd::AsRawFd as _;
    let lock = || {
        let file = std::fs::File::open(word(words, 0))?;
        // SAFETY: takes numbers only.
        let locked = crate::check(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }.into());
        locked.map(|_| file)
    };
    match (lock(), lock()) {
        (Ok(_), Err(error)) => say(&format!("harm locks it alone: {error}")),
        (Ok(_), Ok(_)) => say("refused locks: two have it at once"),
        (Err(error), _) => say(&format!("refused locks: {error}")),
    }
}

/// Asks whether somebody else holds a lock.
fn see_locks(words: &[String]) {
    use std::os::fd::AsRawFd as _;
    // SAFETY: all zero is a valid `flock`, and the kernel fills the one we own.
    let seen = std::fs::File::open(word(words, 0)).and_then(|file| unsafe {
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = libc::F_WRLCK as libc::c_short;
        crate::check(libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &raw mut lock).into())
    });
    tell("sees locks", seen);
}

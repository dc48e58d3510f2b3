//! The system calls that no safe crate wraps. All `unsafe` code of boyi is in this file.
#![expect(
    unsafe_code,
    reason = "fork, exec and clone into a control group have no safe wrapper; each use says why it is sound"
)]

use std::ffi::{CString, OsStr};
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::time::Duration;

use rustix::process::Pid;
use rustix::thread::UnshareFlags;

/// Which side of a `fork` we are.
pub(crate) enum Fork {
    Child,
    Parent(Pid),
}

/// `CLONE_INTO_CGROUP`; the constant of `libc` is too narrow.
const INTO_GROUP: u64 = 0x2_0000_0000;

/// The proof that this process has one thread, which is what makes [`fork`] sound. The launcher never starts another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SingleThread(());

impl SingleThread {
    /// Looks once, while `/proc` is still the machine's.
    pub(crate) fn prove() -> Option<Self> {
        let tasks = std::fs::read_dir("/proc/self/task").ok()?;
        (tasks.count() == 1).then_some(Self(()))
    }
}

/// Forks the launcher; the child is born in a control group of version 2 if one is given, which spares the grace period that moving it
/// there would cost (8 ms measured).
pub(crate) fn fork(_proof: SingleThread, group: Option<BorrowedFd<'_>>) -> Result<Fork> {
    // SAFETY: all zero is a valid `clone_args`.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    arguments.exit_signal = libc::SIGCHLD as u64;
    if let Some(group) = group {
        arguments.flags = INTO_GROUP;
        arguments.cgroup = group.as_raw_fd() as u64;
    }
    // SAFETY: without CLONE_VM this is `fork`: the child gets a copy of everything. The process has one thread (the proof), so no
    // lock can be held by a thread that does not exist in the child.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<libc::clone_args>()) };
    match pid {
        0 => Ok(Fork::Child),
        _ => match i32::try_from(pid).ok().filter(|&pid| pid > 0).and_then(Pid::from_raw) {
            Some(pid) => Ok(Fork::Parent(pid)),
            None => Err(Error::last_os_error()),
        },
    }
}

/// Leaves without running destructors or flushing what the parent will flush.
pub(crate) fn leave(code: i32) -> ! {
    // SAFETY: `_exit` takes any number and does not return.
    unsafe { libc::_exit(code) }
}

/// Enters new namespaces.
pub(crate) fn unshare(flags: UnshareFlags) -> Result<()> {
    // SAFETY: only FILES and similar flags break what Rust relies on; we pass namespaces, in a process with one thread.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(Error::from)
}

/// Sets flags of a mount and of all mounts beneath it.
pub(crate) fn mount_set(mount: BorrowedFd<'_>, set: u64, clear: u64, recursive: bool) -> Result<()> {
    let attributes = libc::mount_attr { attr_set: set, attr_clr: clear, propagation: 0, userns_fd: 0 };
    mount_setattr(mount, &attributes, recursive)
}

/// Shows the files of a mount as if the owners of this user namespace's map owned them.
pub(crate) fn mount_map_owners(mount: BorrowedFd<'_>, namespace: BorrowedFd<'_>) -> Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_IDMAP,
        attr_clr: 0,
        propagation: 0,
        userns_fd: namespace.as_raw_fd() as u64,
    };
    mount_setattr(mount, &attributes, true)
}

fn mount_setattr(mount: BorrowedFd<'_>, attributes: &libc::mount_attr, recursive: bool) -> Result<()> {
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is an empty string with its NUL, the structure is whole and its size is given; the kernel only reads both.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            std::ptr::from_ref(attributes),
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Closes every descriptor from this one on at the next `exec`.
pub(crate) fn close_on_exec_from(first: u32) -> Result<()> {
    // SAFETY: marking descriptors close-on-exec closes nothing now, so no owner loses one.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Gives every signal its usual meaning again and lets all through: Rust ignores SIGPIPE, and what is ignored stays ignored over `exec`.
pub(crate) fn reset_signals() {
    // SAFETY: setting the default disposition installs no code; SIGKILL, SIGSTOP and the C library's own refuse, which is fine.
    unsafe {
        for signal in 1..=64 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Stays alive when somebody presses Ctrl-C: boyi dies of it, and the launcher is who cleans up then.
pub(crate) fn ignore_interruptions() {
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
        // SAFETY: ignoring a signal installs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Becomes another program, searched for in `PATH` when its name has no slash. Comes back only with an error.
pub(crate) fn exec(words: &[impl AsRef<OsStr>]) -> Error {
    let words: std::result::Result<Vec<CString>, _> =
        words.iter().map(|word| CString::new(word.as_ref().as_bytes())).collect();
    let Ok(words) = words else { return Error::from(std::io::ErrorKind::InvalidInput) };
    let mut pointers: Vec<*const libc::c_char> = words.iter().map(|word| word.as_ptr()).collect();
    let Some(&program) = pointers.first() else { return Error::from(std::io::ErrorKind::InvalidInput) };
    pointers.push(std::ptr::null());
    // SAFETY: `pointers` ends with null and points into `words`, which lives until `exec` has failed.
    unsafe { libc::execvp(program, pointers.as_ptr()) };
    Error::last_os_error()
}

/// Ends this process by a signal, so that its parent sees what it saw.
pub(crate) fn die_of(signal: i32) -> ! {
    reset_signals();
    // SAFETY: sending ourselves a signal has no memory effects.
    unsafe { libc::kill(libc::getpid(), signal) };
    leave(128 + signal)
}

/// What all waited-for children have used: processor time, and the most memory one of them had.
pub(crate) fn children_usage() -> (Duration, u64) {
    // SAFETY: all zero is a valid `rusage`, and `getrusage` fills the one we own.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    (time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss.unsigned_abs() * 1024)
}

/// Holds back the signal of a child's end, for [`await_child`].
pub(crate) fn hold_back_child_signal() {
    // SAFETY: changes only this thread's signal mask, from a set we own.
    unsafe {
        let set = child_signal();
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// Waits until a child has ended.
pub(crate) fn await_child() {
    // SAFETY: waits for a set we own; no details are asked for.
    unsafe {
        let set = child_signal();
        libc::sigwaitinfo(&raw const set, std::ptr::null_mut());
    }
}

fn child_signal() -> libc::sigset_t {
    // SAFETY: all zero is a valid set, and both calls fill the one we own.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        set
    }
}

/// The version of Landlock this kernel speaks; nothing where it is not built in or not switched on.
pub(crate) fn landlock_version() -> Option<u32> {
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the kernel takes no attributes and makes nothing.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
    u32::try_from(version).ok().filter(|&version| version > 0)
}

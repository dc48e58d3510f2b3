//! Asking the kernel for what is not ours.

use crate::{Behaviour, check, number, say, tell, word};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("user-namespace", user_namespace),
    ("clone-namespace", clone_namespace),
    ("mount", mount),
    ("keys", keys),
    ("bpf", bpf),
    ("perf", perf),
    ("io-uring", io_uring),
    ("user-fault", user_fault),
    ("set-user", set_user),
    ("who", who),
    ("clone3", clone3),
    ("unknown-call", unknown_call),
    ("host-name", host_name),
    ("limit-others", limit_others),
];

/// A call that takes numbers only.
fn call(number: libc::c_long, arguments: [usize; 5]) -> std::io::Result<libc::c_long> {
    let [first, second, third, fourth, fifth] = arguments;
    // SAFETY: the pointers among the arguments are made from live structures by the callers below.
    check(unsafe { libc::syscall(number, first, second, third, fourth, fifth) })
}

fn user_namespace(_: &[String]) {
    tell("entered a user namespace", call(libc::SYS_unshare, [libc::CLONE_NEWUSER as usize, 0, 0, 0, 0]));
}

fn clone_namespace(_: &[String]) {
    let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
    match call(libc::SYS_clone, [flags as usize, 0, 0, 0, 0]) {
        // SAFETY: the child leaves at once.
        Ok(0) => unsafe { libc::_exit(0) },
        result => tell("made a user namespace", result),
    }
}

/// A mount, which a user namespace of its own would allow.
fn mount(_: &[String]) {
    let _ = call(libc::SYS_unshare, [(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) as usize, 0, 0, 0, 0]);
    let (kind, place) = (c"tmpfs".as_ptr() as usize, c"/tmp".as_ptr() as usize);
    tell("mounted", call(libc::SYS_mount, [kind, place, kind, 0, 0]));
    tell("opened a file system", call(libc::SYS_fsopen, [kind, 0, 0, 0, 0]));
}

/// A key that outlives us.
fn keys(_: &[String]) {
    const USER_KEYRING: usize = -4_isize as usize;
    let (kind, name, value) = (c"user".as_ptr() as usize, c"hostile".as_ptr() as usize, c"secret".as_ptr() as usize);
    tell("kept a key", call(libc::SYS_add_key, [kind, name, value, 6, USER_KEYRING]));
}

fn bpf(_: &[String]) {
    // An array of one, four bytes wide.
    let attributes = [2_u32, 4, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    tell("made a BPF map", call(libc::SYS_bpf, [0, attributes.as_ptr() as usize, size_of_val(&attributes), 0, 0]));
}

fn perf(_: &[String]) {
    let mut attributes = [0_u64; 16];
    // Software clock, user space only.
    attributes[0] = 1 | (128 << 32);
    attributes[5] = 1 << 5 | 1 << 6;
    tell(
        "counts events",
        call(libc::SYS_perf_event_open, [attributes.as_ptr() as usize, 0, usize::MAX, usize::MAX, 0]),
    );
}

fn io_uring(_: &[String]) {
    let mut parameters = [0_u32; 30];
    tell("has a ring", call(libc::SYS_io_uring_setup, [8, parameters.as_mut_ptr() as usize, 0, 0, 0]));
}

fn user_fault(_: &[String]) {
    const USER_MODE_ONLY: usize = 1;
    tell("handles faults", call(libc::SYS_userfaultfd, [USER_MODE_ONLY, 0, 0, 0, 0]));
}

/// Runs a setuid program that tells who it is.
fn set_user(words: &[String]) {
    match std::process::Command::new(word(words, 0)).arg("who").output() {
        Ok(output) => say(String::from_utf8_lossy(&output.stdout).trim()),
        Err(error) => say(&format!("refused: {error}")),
    }
}

fn who(_: &[String]) {
    // SAFETY: takes nothing, changes nothing.
    match unsafe { libc::geteuid() } {
        0 => say("harm is root"),
        user => say(&format!("refused: is {user}")),
    }
}

fn clone3(_: &[String]) {
    let arguments = [0_u64; 11];
    match call(libc::SYS_clone3, [arguments.as_ptr() as usize, 88, 0, 0, 0]) {
        // SAFETY: the child leaves at once.
        Ok(0) => unsafe { libc::_exit(0) },
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => say("absent"),
        result => tell("cloned", result),
    }
}

/// A call the kernel may have one day.
fn unknown_call(words: &[String]) {
    match call(number(words, 0) as libc::c_long, [0; 5]) {
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => say("absent"),
        result => tell("called", result),
    }
}

fn host_name(_: &[String]) {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    say(name.trim());
}

/// Lowers a limit of somebody else's process.
fn limit_others(words: &[String]) {
    let limit = [10_u64, 10];
    let arguments = [number(words, 0), libc::RLIMIT_CORE as usize, limit.as_ptr() as usize, 0, 0];
    tell("limited another", call(libc::SYS_prlimit64, arguments));
}

//! Being many, living on, reaching for others, and endings that must be told apart.

use std::time::Duration;

use crate::{Behaviour, check, linger, number, say, tell, word};

pub(crate) const BEHAVIOURS: &[Behaviour] = &[
    ("fork-bomb", fork_bomb),
    ("thread-bomb", thread_bomb),
    ("daemon", daemon),
    ("sleep", |_| linger()),
    ("stop-itself", stop_itself),
    ("spin", spin),
    ("spin-in-children", spin_in_children),
    ("signal", signal),
    ("signal-all", signal_all),
    ("signal-by-file", signal_by_file),
    ("look-at", look_at),
    ("leave-core", leave_core),
    ("abort", |_| std::process::abort()),
    ("crash", crash),
    ("exit", |words| std::process::exit(number(words, 0) as i32)),
    ("core", core),
    ("victim", |_| linger()),
];

/// Children that have children, until refused; a hundred is a bomb.
fn fork_bomb(_: &[String]) {
    // A byte for each that was born; nobody reads them.
    let mut pipe = [0; 2];
    // SAFETY: `pipe` is an array of two.
    unsafe { libc::pipe(pipe.as_mut_ptr()) };
    let born = || {
        let mut count: libc::c_int = 0;
        // SAFETY: the kernel writes one number of ours.
        unsafe { libc::ioctl(pipe[0], libc::FIONREAD, &raw mut count) };
        count
    };
    let first = std::process::id();
    let mut told = false;
    while born() < 100 {
        // SAFETY: this program has one thread.
        match unsafe { libc::fork() } {
            -1 if std::process::id() == first && !told => {
                told = true;
                say(&format!("refused fork: {}", std::io::Error::last_os_error()));
            }
            // SAFETY: the buffer is one byte long.
            0 => drop(unsafe { libc::write(pipe[1], [1_u8].as_ptr().cast(), 1) }),
            _ => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    if std::process::id() == first {
        say("harm a hundred processes");
        // SAFETY: only our own group, which holds all of them.
        unsafe { libc::kill(0, libc::SIGKILL) };
    }
    linger();
}

/// Threads until refused.
fn thread_bomb(_: &[String]) {
    for count in 0..400 {
        let small = std::thread::Builder::new().stack_size(64 << 10);
        if let Err(error) = small.spawn(|| linger()) {
            say(&format!("refused after {count} threads: {error}"));
            return;
        }
    }
    say("harm 400 threads");
}

/// Leaves a process in a session of its own, which carries our words in its command line, and goes.
fn daemon(_: &[String]) {
    // SAFETY: this program has one thread.
    unsafe {
        if libc::fork() == 0 {
            libc::setsid();
            if libc::fork() == 0 {
                for descriptor in 0..3 {
                    libc::close(descriptor);
                }
                linger();
            }
            libc::_exit(0);
        }
    }
    std::thread::sleep(Duration::from_millis(50));
}

fn stop_itself(_: &[String]) {
    // SAFETY: stops only ourselves.
    unsafe { libc::raise(libc::SIGSTOP) };
    say("went on");
}

/// So many threads that do nothing but burn.
fn spin(words: &[String]) {
    for _ in 1..number(words, 0).max(1) {
        std::thread::spawn(|| while std::hint::black_box(true) {});
    }
    while std::hint::black_box(true) {}
}

/// Burns in children that are killed before anybody can count them.
fn spin_in_children(_: &[String]) {
    loop {
        // SAFETY: this program has one thread.
        match unsafe { libc::fork() } {
            0 => loop {
                std::hint::spin_loop();
            },
            child => {
                std::thread::sleep(Duration::from_millis(20));
                // SAFETY: kills and waits for our own child.
                unsafe {
                    libc::kill(child, libc::SIGKILL);
                    libc::waitpid(child, std::ptr::null_mut(), 0);
                }
            }
        }
    }
}

/// Signals one process of somebody else's in every way there is.
fn signal(words: &[String]) {
    let victim = number(words, 0) as i32;
    // SAFETY: signals have no memory effects here; the structure is whole.
    unsafe {
        let mut details: libc::siginfo_t = std::mem::zeroed();
        details.si_code = -1;
        let ways = [
            libc::syscall(libc::SYS_kill, victim, libc::SIGUSR1),
            libc::syscall(libc::SYS_tgkill, victim, victim, libc::SIGUSR1),
            libc::syscall(libc::SYS_tkill, victim, libc::SIGUSR1),
            libc::syscall(libc::SYS_rt_sigqueueinfo, victim, libc::SIGUSR1, &raw const details),
            libc::syscall(libc::SYS_pidfd_open, victim, 0),
        ];
        for (way, result) in ways.into_iter().enumerate() {
            tell(&format!("signalled in way {way}"), check(result));
        }
    }
}

/// Has the kernel signal somebody else when a file is ready.
fn signal_by_file(words: &[String]) {
    const F_SETSIG: i32 = 10;
    const F_SETOWN_EX: i32 = 15;
    let victim = number(words, 0) as i32;
    // A process, by its number.
    let owner = [1, victim];
    let mut ends = [0; 2];
    // SAFETY: the kernel writes two descriptors into `ends` and reads one number or two; a signal has no memory
    // effects.
    unsafe {
        libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM, 0, ends.as_mut_ptr());
        let ways = [
            libc::fcntl(ends[0], F_SETSIG, libc::SIGKILL),
            libc::fcntl(ends[0], F_SETOWN_EX, owner.as_ptr()),
            libc::fcntl(ends[0], libc::F_SETOWN, victim),
            // FIOSETOWN and SIOCSPGRP.
            libc::ioctl(ends[0], 0x8901, &raw const victim),
            libc::ioctl(ends[0], 0x8902, &raw const victim),
        ];
        for (way, result) in ways.into_iter().enumerate() {
            tell(&format!("named a victim in way {way}"), check(result.into()));
        }
        libc::fcntl(ends[0], libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK);
        libc::write(ends[1], b"x".as_ptr().cast(), 1);
    }
}

/// Signals everybody.
fn signal_all(_: &[String]) {
    // SAFETY: signals have no memory effects.
    unsafe {
        libc::kill(-1, libc::SIGTERM);
        // Inside a namespace the parent has no number.
        if libc::getppid() > 1 {
            libc::kill(libc::getppid(), libc::SIGKILL);
        }
        libc::kill(1, libc::SIGKILL);
        libc::kill(1, libc::SIGSTOP);
    }
    std::thread::sleep(Duration::from_millis(50));
    say("done");
}

/// Looks into a process of somebody else's.
fn look_at(words: &[String]) {
    let victim = number(words, 0);
    for file in ["environ", "maps", "mem", "cmdline", "fd", "root"] {
        let path = format!("/proc/{victim}/{file}");
        let result = match file {
            "fd" | "root" => std::fs::read_dir(&path).map(|_| ()),
            _ => std::fs::File::open(&path).map(|_| ()),
        };
        tell(&format!("opened {file}"), result);
    }
    // SAFETY: attaches to the victim; no memory of ours is given.
    let attached = unsafe { libc::syscall(libc::SYS_ptrace, libc::PTRACE_SEIZE, victim, 0, 0) };
    tell("traced", check(attached));
    let mut byte = [0_u8];
    let (mut ours, theirs) = (
        libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 },
        libc::iovec { iov_base: 0x40_0000 as *mut _, iov_len: 1 },
    );
    // SAFETY: both structures are whole and ours names one byte of ours.
    let read = unsafe { libc::syscall(libc::SYS_process_vm_readv, victim, &raw mut ours, 1, &raw const theirs, 1, 0) };
    match check(read) {
        // The address is a guess; a fault means that we were allowed to guess.
        Err(error) if error.raw_os_error() == Some(libc::EFAULT) => say("harm may read memory"),
        result => tell("read memory", result),
    }
}

/// Leaves the core it was given.
fn leave_core(words: &[String]) {
    // SAFETY: the set is ours and whole.
    let result = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(number(words, 0), &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set)
    };
    tell("left its core", check(result.into()));
}

fn crash(_: &[String]) {
    // SAFETY: none; the point is to die of it.
    unsafe { std::ptr::null_mut::<u8>().write_volatile(1) };
}

/// A child leaves a core dump in this folder.
fn core(words: &[String]) {
    let folder = word(words, 0);
    if let Err(error) = std::env::set_current_dir(folder) {
        return say(&format!("refused {folder}: {error}"));
    }
    // SAFETY: asks for as large a dump as it may have, with a whole structure; this program has one thread.
    let child = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_CORE, &raw const limit);
        libc::fork()
    };
    if child == 0 {
        std::process::abort();
    }
    // SAFETY: waits for our own child.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    let left = std::fs::read_dir(".").into_iter().flatten().flatten();
    match left.into_iter().find(|entry| entry.file_name().to_string_lossy().starts_with("core")) {
        Some(entry) => say(&format!("harm dumped {:?}", entry.file_name())),
        None => say("refused: no core dump"),
    }
}

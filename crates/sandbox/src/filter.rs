//! The system calls no engine and no compiler needs, and what they are told instead.
//!
//! A refused call is answered with the error real programs expect: `ENOSYS` where they then use an older way (`clone3`,
//! `io_uring`), `EPERM` where the call is simply not theirs. Calls the kernel may gain later are answered with `ENOSYS`
//! too.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

use crate::error::{Failure, Step as _};
use crate::layers::Level;

/// The newest call this table was written against (`listns`, Linux 6.19).
const NEWEST_KNOWN: u32 = 470;

/// Not theirs: file systems, other processes, keys, modules, clocks, raw hardware.
const FORBIDDEN: &[i64] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_move_pages,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
];

/// Not here: programs fall back to something older.
const ABSENT: &[i64] = &[
    // Its flags are behind a pointer that a filter cannot follow; the C libraries then use `clone`, whose flags it can
    // see.
    libc::SYS_clone3,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    // Its requests are bounded for the whole machine, so one program could take them all.
    libc::SYS_io_setup,
    // The system's folders are the machine's own: a watch there tells what everybody starts.
    libc::SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_memfd_secret,
];

/// Memory that no process has mapped cannot be counted without a control group, and outlives its maker without an IPC
/// namespace. Pages that are lent to a pipe stay when their owner has let them go, and a whole huge page stays for
/// each.
const UNCOUNTED_MEMORY: &[i64] = &[
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_memfd_create,
    libc::SYS_mq_open,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
];

/// Making processes, speaking with anything, and reaching for others, where no namespace keeps it in.
const WITHOUT_NAMESPACES: &[i64] = &[
    libc::SYS_ioprio_set,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpriority,
    libc::SYS_socket,
    libc::SYS_tkill,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// Flags of `clone` that make a namespace.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWUTS,
];

/// Address families that a network namespace keeps in; others (vsock above all) reach past it.
const CONTAINED_FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Typing on somebody's terminal.
const TERMINAL_TRICKS: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];

/// Having the kernel signal somebody else when a file is ready, and naming the signal: `kill` by another name.
/// `F_SETOWN`, `F_SETSIG` and `F_SETOWN_EX`.
const SIGNAL_OWNERS: [u64; 3] = [8, 10, 15];
/// The same by `ioctl`: `FIOSETOWN` and `SIOCSPGRP`.
const SIGNAL_OWNERS_BY_IOCTL: [u64; 2] = [0x8901, 0x8902];

/// Asking who holds a lock (`F_GETLK`, `F_OFD_GETLK`), and being told of what others do with a file (`F_SETLEASE`,
/// `F_NOTIFY`): programs of two cells could tell each other something by the files that both may read. Locks of their
/// own files work.
const FILE_WATCHES: [u64; 4] = [5, 36, 1024, 1026];

/// `flock` locks a file that may only be read, so it would speak from cell to cell and hold up the machine. It is
/// granted without effect: Java and .NET lock what they open, Go and Cargo what they build, and none of them shares it
/// with anybody.
const GRANTED: &[i64] = &[libc::SYS_flock];

/// `SO_SNDBUF`, `SO_RCVBUF` and their forced brothers, and `F_SETPIPE_SZ`: what no control group counts is counted by
/// what it could hold, so it must stay as large as it is made.
const BUFFER_SIZES: [u64; 4] = [7, 8, 32, 33];
const PIPE_SIZE: u64 = 1031;
/// Memory that several processes share without a file: nobody's once it is let go of, but not gone.
const SHARED_WITHOUT_FILE: u64 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
/// Hiding from whoever counts.
const SET_DUMPABLE: u64 = libc::PR_SET_DUMPABLE as u64;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The filters of a level, as numbers that travel well; empty where there is nothing to filter.
pub(crate) fn prepare(level: Level) -> Result<Vec<Vec<u64>>, Failure> {
    let mut forbidden: Rules = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    let mut absent: Rules = ABSENT.iter().map(|&call| (call, Vec::new())).collect();
    let clone = forbidden.entry(libc::SYS_clone).or_default();
    for flag in NAMESPACES {
        clone.push(rule(&[(0, SeccompCmpOp::MaskedEq(flag as u64), flag as u64)])?);
    }
    for request in TERMINAL_TRICKS.into_iter().chain(SIGNAL_OWNERS_BY_IOCTL) {
        forbidden.entry(libc::SYS_ioctl).or_default().push(rule(&[(1, SeccompCmpOp::Eq, request)])?);
    }
    for command in SIGNAL_OWNERS.into_iter().chain(FILE_WATCHES) {
        forbidden.entry(libc::SYS_fcntl).or_default().push(rule(&[(1, SeccompCmpOp::Eq, command)])?);
    }
    match level {
        Level::A | Level::B => {
            let strange = CONTAINED_FAMILIES.map(|family| (0, SeccompCmpOp::Ne, family as u64));
            forbidden.insert(libc::SYS_socket, vec![rule(&strange)?]);
        }
        Level::C => {
            forbidden.extend(WITHOUT_NAMESPACES.iter().map(|&call| (call, Vec::new())));
            // Threads share everything and die with their process; anything else would be a second process.
            let thread = libc::CLONE_THREAD as u64;
            forbidden.entry(libc::SYS_clone).or_default().push(rule(&[(0, SeccompCmpOp::MaskedEq(thread), 0)])?);
            for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity] {
                forbidden.insert(call, vec![rule(&[(0, SeccompCmpOp::Ne, 0)])?]);
            }
        }
        Level::D => return Ok(Vec::new()),
    }
    if level != Level::A {
        absent.extend(UNCOUNTED_MEMORY.iter().map(|&call| (call, Vec::new())));
        for size in BUFFER_SIZES {
            let socket = (1, SeccompCmpOp::Eq, libc::SOL_SOCKET as u64);
            forbidden.entry(libc::SYS_setsockopt).or_default().push(rule(&[socket, (2, SeccompCmpOp::Eq, size)])?);
        }
        forbidden.entry(libc::SYS_fcntl).or_default().push(rule(&[(1, SeccompCmpOp::Eq, PIPE_SIZE)])?);
        forbidden.insert(libc::SYS_prctl, vec![rule(&[(0, SeccompCmpOp::Eq, SET_DUMPABLE)])?]);
        let shared = SeccompCmpOp::MaskedEq(SHARED_WITHOUT_FILE);
        forbidden.insert(libc::SYS_mmap, vec![rule(&[(3, shared, SHARED_WITHOUT_FILE)])?]);
    }
    let newer = vec![
        // Load the number of the call; answer those beyond the table (and those of the x32 ABI) with ENOSYS.
        sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 },
        sock_filter { code: 0x25, jt: 0, jf: 1, k: NEWEST_KNOWN },
        sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32 },
        sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ];
    let granted = GRANTED.iter().map(|&call| (call, Vec::new())).collect();
    let programs = [newer, compile(absent, libc::ENOSYS)?, compile(forbidden, libc::EPERM)?, compile(granted, 0)?];
    Ok(programs.iter().map(|program| program.iter().map(to_number).collect()).collect())
}

/// The filter that lets a program signal only itself. It names the process, so it is made in it.
pub(crate) fn signals_only(own: i32) -> Result<BpfProgram, Failure> {
    let others = |also_group: bool| {
        let mut conditions = vec![(0, SeccompCmpOp::Ne, own as u64)];
        if also_group {
            conditions.push((0, SeccompCmpOp::Ne, 0));
        }
        rule(&conditions)
    };
    let rules = [(libc::SYS_kill, vec![others(true)?]), (libc::SYS_tgkill, vec![others(false)?])];
    compile(rules.into_iter().collect(), libc::EPERM)
}

/// The filter again.
pub(crate) fn from_numbers(numbers: &[u64]) -> BpfProgram {
    let part = |number: u64, shift: u32| (number >> shift) as u8;
    numbers
        .iter()
        .map(|&number| sock_filter {
            code: (number >> 48) as u16,
            jt: part(number, 40),
            jf: part(number, 32),
            k: number as u32,
        })
        .collect()
}

fn to_number(instruction: &sock_filter) -> u64 {
    let sock_filter { code, jt, jf, k } = *instruction;
    u64::from(code) << 48 | u64::from(jt) << 40 | u64::from(jf) << 32 | u64::from(k)
}

/// A rule over the low halves of arguments, which is all the kernel looks at for these calls.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, Failure> {
    let conditions: Result<Vec<SeccompCondition>, _> = conditions
        .iter()
        .map(|(argument, operation, value)| {
            let value = u64::from(*value as u32);
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operation.clone(), value)
        })
        .collect();
    conditions.and_then(SeccompRule::new).step("seccomp rule")
}

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, Failure> {
    let target = std::env::consts::ARCH.try_into().step("seccomp on this processor")?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32), target);
    filter.and_then(BpfProgram::try_from).step("seccomp filter")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_survives_the_trip() {
        let filter = signals_only(4711).unwrap();
        let numbers: Vec<u64> = filter.iter().map(to_number).collect();
        assert_eq!(from_numbers(&numbers), filter);
    }

    #[test]
    fn no_call_is_both_forbidden_and_absent() {
        let all = [FORBIDDEN, ABSENT, UNCOUNTED_MEMORY, WITHOUT_NAMESPACES, GRANTED].concat();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
        assert!(all.iter().all(|&call| call <= i64::from(NEWEST_KNOWN)));
    }
}

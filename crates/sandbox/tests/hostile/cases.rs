//! The list: each program, how it must end at each level, and the layers that stop it.

use std::time::Duration;

use sandbox::Layer::{
    self, CoreGroup, HostName, Identity, Ipc, Landlock, MemoryGroup, Network, PauseGroup, Privileges, ProcessGroup,
    Processes, ProcessorGroup, ResourceLimits, Root, Seccomp, User, Watch,
};
use sandbox::{Ended, Level, Limit, Limits};

use crate::scene::Scene;

/// How the harm of a program shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Harm {
    /// It says so.
    Said,
    /// It is still there long after its limits.
    Outlives,
    /// A process of it is still there after its end.
    Stray,
    /// The victim was hurt.
    Victim,
}

/// What happens to a program at a level.
pub(crate) enum At {
    /// It is stopped: the exact ending, something it says, and the layers without which it would do its harm. None
    /// where the ending is no harm but a fact to be told rightly.
    Stopped { ended: fn() -> Ended, says: &'static str, by: &'static [Layer] },
    /// The level cannot stop it.
    Harmful { says: &'static str },
    /// It cannot be tried at this level.
    Elsewhere(&'static str),
}

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) words: fn(&Scene, bool) -> Vec<String>,
    pub(crate) limits: fn(&mut Limits),
    pub(crate) harm: Harm,
    at: [At; 3],
}

impl Case {
    pub(crate) fn at(&self, level: Level) -> &At {
        let [a, b, c] = &self.at;
        match level {
            Level::A => a,
            Level::B => b,
            Level::C | Level::D => c,
        }
    }

    /// Why this machine cannot show the harm.
    pub(crate) fn absent(&self, level: Level) -> Option<String> {
        let setting = |path: &str| std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<i32>().ok());
        match self.name {
            "io-uring" if setting("/proc/sys/kernel/io_uring_disabled").is_some_and(|value| value != 0) => {
                Some("kernel.io_uring_disabled".to_owned())
            }
            "perf" if setting("/proc/sys/kernel/perf_event_paranoid").is_none_or(|value| value > 2) => {
                Some("kernel.perf_event_paranoid".to_owned())
            }
            "leave-core" if std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) => {
                Some("one core only".to_owned())
            }
            "set-user" if !rustix::process::geteuid().is_root() => {
                Some("only root can make a setuid program".to_owned())
            }
            "bpf"
                if level != Level::A
                    && setting("/proc/sys/kernel/unprivileged_bpf_disabled").is_none_or(|value| value != 0) =>
            {
                Some("kernel.unprivileged_bpf_disabled refuses it without us".to_owned())
            }
            _ => None,
        }
    }
}

const EXITED: fn() -> Ended = || Ended::Exited(0);
const MEMORY: fn() -> Ended = || Ended::Limit(Limit::Memory);
const CPU: fn() -> Ended = || Ended::Limit(Limit::Cpu);
const WALL: fn() -> Ended = || Ended::Limit(Limit::Wall);
const OUTPUT: fn() -> Ended = || Ended::Limit(Limit::Output);
const FILE_SIZE: fn() -> Ended = || Ended::Limit(Limit::FileSize);

const fn stopped(ended: fn() -> Ended, says: &'static str, by: &'static [Layer]) -> At {
    At::Stopped { ended, says, by }
}

/// The same at every level, each with its layers.
const fn everywhere(ended: fn() -> Ended, says: &'static str, by: [&'static [Layer]; 3]) -> [At; 3] {
    let [a, b, c] = by;
    [stopped(ended, says, a), stopped(ended, says, b), stopped(ended, says, c)]
}

/// Only the filter stops it.
const fn filtered(says: &'static str) -> [At; 3] {
    everywhere(EXITED, says, [&[Seccomp], &[Seccomp], &[Seccomp]])
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

/// Little processor time, and enough of the clock's for a busy machine to give it.
fn processor_time(limits: &mut Limits) {
    limits.cpu = Some(Duration::from_millis(300));
    limits.wall = Some(Duration::from_secs(60));
}

fn usual(_: &mut Limits) {}

fn short(limits: &mut Limits) {
    limits.wall = Some(Duration::from_millis(700));
}

fn with_output(limits: &mut Limits) {
    limits.output = Some(1 << 20);
}

/// Where a program could fill something: its own folder in the cage, a shared one without.
fn shared<'a>(scene: &'a Scene, weak: bool, inside: &'a str) -> &'a str {
    if weak { scene.open_folder.to_str().unwrap_or(inside) } else { inside }
}

fn path(path: &std::path::Path) -> String {
    path.display().to_string()
}

/// A case that only needs its own name.
const fn plain(name: &'static str, words: fn(&Scene, bool) -> Vec<String>, at: [At; 3]) -> Case {
    Case { name, words, limits: usual, harm: Harm::Said, at }
}

/// Everything that makes a program another user's in another world.
const ALL_SPACES: &[Layer] = &[User, Root, Processes, Network, Ipc, HostName, Privileges, Seccomp, ResourceLimits];

pub(crate) static CASES: &[Case] = &[
    // Memory.
    plain(
        "touch",
        |_, _| words(&["touch", "200"]),
        everywhere(MEMORY, "", [&[MemoryGroup, Watch], &[Watch], &[Watch]]),
    ),
    plain("map", |_, _| words(&["map", "200"]), everywhere(MEMORY, "", [&[MemoryGroup, Watch], &[Watch], &[Watch]])),
    plain(
        "map-shared",
        |_, _| words(&["map-shared", "200"]),
        [
            stopped(MEMORY, "", &[MemoryGroup, Watch]),
            stopped(EXITED, "refused after 0 MiB", &[Seccomp, Watch]),
            stopped(EXITED, "refused after 0 MiB", &[Seccomp, Watch]),
        ],
    ),
    // The same by a device that would be memory, and let go of again: in no process's figures.
    plain(
        "map-zero",
        |_, _| words(&["map-zero", "200"]),
        [
            // Where nothing counts it, the device is not shown.
            stopped(MEMORY, "", &[MemoryGroup, Watch, Root]),
            stopped(EXITED, "refused opening", &[Root, Watch]),
            stopped(EXITED, "refused opening", &[Landlock, Watch]),
        ],
    ),
    plain(
        "sockets",
        |_, _| words(&["sockets", "4", "110", "100"]),
        [stopped(MEMORY, "", &[MemoryGroup, Watch]), stopped(MEMORY, "", &[Watch]), Case::WAITS_FOR_NOBODY],
    ),
    plain(
        "sockets-alone",
        |_, _| words(&["sockets", "1", "110", "100"]),
        everywhere(MEMORY, "", [&[MemoryGroup, Watch], &[Watch, Seccomp], &[Watch, Seccomp]]),
    ),
    plain(
        "enlarge",
        |_, _| words(&["enlarge"]),
        [
            At::Harmful { says: "harm enlarged a pipe" },
            stopped(EXITED, "refused lent pages", &[Seccomp]),
            stopped(EXITED, "refused lent pages", &[Seccomp]),
        ],
    ),
    plain(
        "hide",
        |_, _| words(&["hide"]),
        [
            At::Harmful { says: "harm hid itself" },
            stopped(EXITED, "refused hid itself", &[Seccomp]),
            stopped(EXITED, "refused hid itself", &[Seccomp]),
        ],
    ),
    plain(
        "touch-together",
        |_, _| words(&["touch-together", "200", "12"]),
        [
            stopped(MEMORY, "", &[MemoryGroup, Watch]),
            stopped(MEMORY, "", &[Watch]),
            // Its forks are refused, so it waits for children that are not there.
            Case::WAITS_FOR_NOBODY,
        ],
    ),
    plain(
        "memfd",
        |_, _| words(&["memfd", "200"]),
        [
            stopped(MEMORY, "", &[MemoryGroup, Watch]),
            stopped(EXITED, "refused memfd", &[Seccomp]),
            stopped(EXITED, "refused memfd", &[Seccomp]),
        ],
    ),
    plain(
        "system-v",
        |_, _| words(&["system-v", "200"]),
        [
            stopped(MEMORY, "", &[MemoryGroup, Watch]),
            stopped(EXITED, "refused segment", &[Seccomp, Watch]),
            stopped(EXITED, "refused segment", &[Seccomp, Watch]),
        ],
    ),
    plain(
        "scratch",
        |scene, weak| words(&["scratch", shared(scene, weak, "/tmp"), "100"]),
        everywhere(EXITED, "refused after", [&[Root], &[Root], &[Landlock]]),
    ),
    Case {
        name: "scratch-counts",
        words: |_, _| words(&["scratch", "/dev/shm", "100"]),
        limits: |limits| limits.scratch = 200 << 20,
        harm: Harm::Said,
        at: [
            stopped(MEMORY, "", &[MemoryGroup, Watch]),
            stopped(MEMORY, "", &[Watch]),
            At::Elsewhere("at level C nothing can be written"),
        ],
    },
    // Being many and living on.
    Case {
        name: "fork-bomb",
        words: |_, _| words(&["fork-bomb"]),
        limits: short,
        harm: Harm::Said,
        at: everywhere(WALL, "refused fork", [&[ProcessGroup, ResourceLimits], &[ResourceLimits], &[Seccomp]]),
    },
    plain(
        "thread-bomb",
        |_, _| words(&["thread-bomb"]),
        [
            stopped(EXITED, "refused after", &[ProcessGroup, ResourceLimits]),
            stopped(EXITED, "refused after", &[ResourceLimits]),
            At::Harmful { says: "harm 400 threads" },
        ],
    ),
    Case {
        name: "daemon",
        words: |scene, _| words(&["daemon", &scene.token]),
        limits: usual,
        harm: Harm::Stray,
        at: everywhere(
            EXITED,
            "",
            [
                &[Processes, MemoryGroup, ProcessGroup, ProcessorGroup, CoreGroup, PauseGroup],
                &[Processes, Root, PauseGroup],
                &[Seccomp, PauseGroup],
            ],
        ),
    },
    // Time.
    Case {
        name: "sleep",
        words: |_, _| words(&["sleep"]),
        limits: short,
        harm: Harm::Outlives,
        at: everywhere(WALL, "", [&[Watch], &[Watch], &[Watch]]),
    },
    Case {
        name: "stop-itself",
        words: |_, _| words(&["stop-itself"]),
        limits: short,
        harm: Harm::Outlives,
        at: everywhere(WALL, "", [&[Watch], &[Watch], &[Watch]]),
    },
    Case {
        name: "spin",
        words: |_, _| words(&["spin", "4"]),
        limits: processor_time,
        harm: Harm::Outlives,
        at: everywhere(CPU, "", [&[Watch, ResourceLimits], &[Watch, ResourceLimits], &[Watch, ResourceLimits]]),
    },
    Case {
        name: "spin-in-children",
        words: |_, _| words(&["spin-in-children"]),
        limits: processor_time,
        harm: Harm::Outlives,
        at: [stopped(CPU, "", &[Watch]), stopped(CPU, "", &[Watch]), Case::WAITS_FOR_NOBODY],
    },
    // Others.
    Case {
        name: "signal",
        words: |scene, _| words(&["signal", &scene.victim.id().to_string()]),
        limits: usual,
        harm: Harm::Victim,
        at: everywhere(
            EXITED,
            "refused",
            [&[Processes, Identity], &[Processes, Root, User, Network, Ipc, HostName], &[Seccomp, Landlock]],
        ),
    },
    // Without its layers this would signal the whole machine; `signal` is the proof.
    plain("signal-all", |_, _| words(&["signal-all"]), everywhere(EXITED, "done", [&[], &[], &[]])),
    // The call itself is refused: where Landlock keeps signals in, the victim would be spared without it.
    plain(
        "signal-by-file",
        |scene, _| words(&["signal-by-file", &scene.victim.id().to_string()]),
        filtered("refused named a victim in way 4: Operation not permitted"),
    ),
    plain(
        "look-at",
        |scene, _| words(&["look-at", &scene.victim.id().to_string()]),
        everywhere(
            EXITED,
            "refused traced",
            [&[Processes, Root, Identity, Privileges, Seccomp], ALL_SPACES, &[Seccomp, Landlock]],
        ),
    ),
    plain(
        "limit-others",
        |scene, _| words(&["limit-others", &scene.victim.id().to_string()]),
        everywhere(EXITED, "refused", [&[Processes, Root, Identity], ALL_SPACES, &[Seccomp]]),
    ),
    Case {
        name: "leave-core",
        words: |_, _| words(&["leave-core", "1"]),
        limits: |limits| limits.cores = vec![0],
        harm: Harm::Said,
        at: [
            stopped(EXITED, "refused left its core", &[CoreGroup]),
            At::Harmful { says: "harm left its core" },
            At::Harmful { says: "harm left its core" },
        ],
    },
    // Files.
    plain(
        "read-secret",
        |scene, _| vec!["read".to_owned(), path(&scene.secret)],
        everywhere(EXITED, "refused reading", [&[Root], &[Root], &[Landlock]]),
    ),
    plain(
        "read-shadow",
        |_, _| words(&["read", "/etc/shadow"]),
        [
            stopped(EXITED, "refused reading", &[Root, Identity, Privileges]),
            stopped(EXITED, "refused reading", &[]),
            stopped(EXITED, "refused reading", &[]),
        ],
    ),
    plain(
        "climb",
        |scene, _| vec!["climb".to_owned(), path(&scene.secret)],
        everywhere(EXITED, "refused read after all", [&[Root], &[Root], &[Landlock]]),
    ),
    plain(
        "write-folder",
        |scene, weak| {
            let folder = if weak { &scene.open_folder } else { &scene.folder };
            vec!["write".to_owned(), path(&folder.join("mine"))]
        },
        everywhere(EXITED, "refused wrote", [&[Root], &[Root], &[Landlock]]),
    ),
    Case {
        name: "large-file",
        words: |scene, weak| words(&["large-file", &format!("{}/large", shared(scene, weak, "/tmp")), "8"]),
        limits: |limits| limits.file_size = Some(4 << 20),
        harm: Harm::Said,
        at: [
            stopped(FILE_SIZE, "", &[ResourceLimits, Root]),
            stopped(FILE_SIZE, "", &[ResourceLimits, Root]),
            stopped(EXITED, "refused", &[ResourceLimits, Landlock]),
        ],
    },
    Case {
        name: "inodes",
        words: |scene, weak| words(&["inodes", shared(scene, weak, "/tmp"), "400"]),
        limits: |limits| limits.scratch = 1 << 20,
        harm: Harm::Said,
        at: everywhere(EXITED, "refused after", [&[Root], &[Root], &[Landlock]]),
    },
    plain(
        "descriptors",
        |_, _| words(&["descriptors", "500"]),
        everywhere(EXITED, "refused after", [&[ResourceLimits], &[ResourceLimits], &[ResourceLimits]]),
    ),
    plain(
        "core",
        |scene, weak| words(&["core", shared(scene, weak, "/tmp")]),
        [
            stopped(EXITED, "refused: no core dump", &[ResourceLimits, Root]),
            stopped(EXITED, "refused: no core dump", &[ResourceLimits, Root]),
            stopped(EXITED, "refused: no core dump", &[ResourceLimits, Landlock, Seccomp]),
        ],
    ),
    plain(
        "kernel-files",
        |_, _| words(&["kernel-files"]),
        [
            stopped(EXITED, "refused /proc/sysrq-trigger", &[Root, Identity, Privileges]),
            stopped(EXITED, "refused /proc/sysrq-trigger", &[]),
            stopped(EXITED, "refused /proc/sysrq-trigger", &[]),
        ],
    ),
    // Talking.
    plain(
        "loopback",
        |scene, _| words(&["loopback", &scene.port.to_string()]),
        everywhere(EXITED, "refused connected", [&[Network], &[Network], &[Seccomp, Landlock]]),
    ),
    plain(
        "abstract",
        |scene, _| words(&["abstract", &scene.token]),
        everywhere(EXITED, "refused connected", [&[Network], &[Network], &[Seccomp, Landlock]]),
    ),
    plain(
        "socket-file",
        |scene, _| vec!["socket-file".to_owned(), path(&scene.socket)],
        everywhere(EXITED, "refused connected", [&[Root], &[Root], &[Seccomp]]),
    ),
    plain("watch-folder", |_, _| words(&["watch-folder", "/usr/bin"]), filtered("refused watches")),
    plain("lock-file", |_, _| words(&["lock-file", "/usr/bin/true"]), filtered("refused locks")),
    plain("see-locks", |_, _| words(&["see-locks", "/usr/bin/true"]), filtered("refused sees")),
    plain("vsock", |_, _| words(&["vsock"]), filtered("refused has a socket")),
    plain(
        "segment",
        |scene, _| words(&["segment", &scene.segment.to_string()]),
        everywhere(EXITED, "refused", [&[Ipc], &[Ipc, Seccomp], &[Seccomp]]),
    ),
    Case {
        name: "flood",
        words: |_, _| words(&["flood"]),
        limits: with_output,
        harm: Harm::Outlives,
        at: everywhere(OUTPUT, "", [&[], &[], &[]]),
    },
    Case {
        name: "flood-errors",
        words: |_, _| words(&["flood-errors"]),
        limits: with_output,
        harm: Harm::Outlives,
        at: everywhere(OUTPUT, "", [&[], &[], &[]]),
    },
    Case {
        name: "no-newline",
        words: |_, _| words(&["no-newline"]),
        limits: short,
        harm: Harm::Said,
        at: everywhere(WALL, "thinking", [&[], &[], &[]]),
    },
    Case {
        name: "deaf",
        words: |_, _| words(&["deaf"]),
        limits: short,
        harm: Harm::Said,
        at: everywhere(WALL, "", [&[], &[], &[]]),
    },
    Case {
        name: "unflushed",
        words: |_, _| words(&["unflushed"]),
        limits: short,
        harm: Harm::Said,
        at: everywhere(WALL, "", [&[], &[], &[]]),
    },
    // The kernel.
    plain("user-namespace", |_, _| words(&["user-namespace"]), filtered("refused entered")),
    plain("clone-namespace", |_, _| words(&["clone-namespace"]), filtered("refused made")),
    plain("mount", |_, _| words(&["mount"]), filtered("refused mounted")),
    plain("keys", |_, _| words(&["keys"]), filtered("refused kept")),
    plain(
        "bpf",
        |_, _| words(&["bpf"]),
        everywhere(EXITED, "refused made", [&[Seccomp, Identity, Privileges], &[Seccomp], &[Seccomp]]),
    ),
    plain("perf", |_, _| words(&["perf"]), filtered("refused counts")),
    plain("io-uring", |_, _| words(&["io-uring"]), filtered("refused has")),
    plain("user-fault", |_, _| words(&["user-fault"]), filtered("refused handles")),
    plain(
        "set-user",
        |scene, _| vec!["set-user".to_owned(), path(&scene.folder.join("hostile-root"))],
        everywhere(EXITED, "refused", [&[Privileges, Seccomp], ALL_SPACES, &[Privileges, Seccomp, Landlock]]),
    ),
    plain("unknown-call", |_, _| words(&["unknown-call", "600"]), everywhere(EXITED, "absent", [&[], &[], &[]])),
    plain("clone3", |_, _| words(&["clone3"]), filtered("absent")),
    // Endings that must be told as they are.
    plain("abort", |_, _| words(&["abort"]), everywhere(|| Ended::Signalled(6), "", [&[], &[], &[]])),
    plain("crash", |_, _| words(&["crash"]), everywhere(|| Ended::Signalled(11), "", [&[], &[], &[]])),
    plain("exit-3", |_, _| words(&["exit", "3"]), everywhere(|| Ended::Exited(3), "", [&[], &[], &[]])),
];

impl Case {
    const WAITS_FOR_NOBODY: At = At::Elsewhere("at level C no process can be made");
}

//! Building the cage: namespaces, the first process, the program.

use std::cell::Cell;
use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::pipe::PipeFlags;
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};
use rustix::thread::UnshareFlags;

use super::identity::Identity;
use super::owners::Owners;
use super::sample::Units;
use super::{init, program, root};
use crate::error::{Failure, Step as _};
use crate::layers::Layer;
use crate::mailbox::Post;
use crate::orders::{GroupPaths, Live, Orders};
use crate::sys::{self, Fork, SingleThread};

/// What runs in the cell, and what the warden needs to watch it.
pub(super) struct Family {
    /// Before init, because it is dropped before: the kernel lets the first process of a namespace go only when all
    /// others are waited for.
    pub(super) program: Member,
    /// The first process of the namespace, where there is one.
    pub(super) init: Option<Member>,
    /// Readable when the program has ended.
    pub(super) program_end: OwnedFd,
    pub(super) groups: OpenGroups,
    /// The real work folder, where the outputs go.
    pub(super) work: Option<OwnedFd>,
    pub(super) live: Live,
    pub(super) units: Units,
}

/// A process of ours; it is killed and waited for when this is dropped.
pub(super) struct Member {
    pub(super) pid: Pid,
    ended: Cell<bool>,
    /// Closed by our death, which init must notice even before it has asked to be told.
    _life: Option<OwnedFd>,
}

impl Member {
    fn new(pid: Pid, life: Option<OwnedFd>) -> Self {
        Self { pid, ended: Cell::new(false), _life: life }
    }

    /// Waits until it has ended; for the first process of a namespace that is when all others have.
    pub(super) fn wait(&self) -> Option<WaitStatus> {
        self.ended.set(true);
        rustix::process::waitpid(Some(self.pid), WaitOptions::empty()).ok().flatten().map(|(_, status)| status)
    }

    pub(super) fn kill(&self) {
        if !self.ended.get() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if !self.ended.get() {
            self.kill();
            self.wait();
        }
    }
}

/// The group's files, opened while they can still be seen.
#[derive(Default)]
pub(super) struct OpenGroups {
    tasks: Vec<OwnedFd>,
    born_in: Option<OwnedFd>,
    pub(super) thaw: Option<OwnedFd>,
    pub(super) memory_events: Option<OwnedFd>,
    pub(super) memory_limits: Vec<OwnedFd>,
    pub(super) tasks_now: Option<OwnedFd>,
    pub(super) processor: Option<OwnedFd>,
    /// Parent folders and names, for the day when nobody else is left to remove the groups.
    pub(super) folders: Vec<(OwnedFd, OsString)>,
}

impl OpenGroups {
    fn open(paths: &GroupPaths) -> Result<Self, Failure> {
        let open = |path: &PathBuf, flags: OFlags| {
            rustix::fs::openat(CWD, path, flags | OFlags::CLOEXEC, Mode::empty())
                .step(format!("open {}", path.display()))
        };
        let read = |path: &Option<PathBuf>| path.as_ref().map(|path| open(path, OFlags::RDONLY)).transpose();
        let folder = |path: &PathBuf| {
            let parent = path.parent().map(PathBuf::from).unwrap_or_default();
            Ok((open(&parent, OFlags::DIRECTORY | OFlags::RDONLY)?, path.file_name().unwrap_or_default().to_owned()))
        };
        Ok(Self {
            tasks: paths.tasks.iter().map(|path| open(path, OFlags::WRONLY)).collect::<Result<_, _>>()?,
            born_in: paths.born_in.as_ref().map(|path| open(path, OFlags::DIRECTORY | OFlags::RDONLY)).transpose()?,
            thaw: paths.thaw.as_ref().map(|path| open(path, OFlags::WRONLY)).transpose()?,
            memory_events: read(&paths.memory_events)?,
            memory_limits: paths
                .memory_limits
                .iter()
                .map(|path| open(path, OFlags::WRONLY))
                .collect::<Result<_, _>>()?,
            tasks_now: read(&paths.tasks_now)?,
            processor: read(&paths.processor)?,
            folders: paths.folders.iter().map(folder).collect::<Result<_, Failure>>()?,
        })
    }
}

/// Starts the program; gives what is to be watched. After a failure nothing is left.
pub(super) fn start(post: &Post, orders: &Orders, words: &[OsString], proof: SingleThread) -> Result<Family, Failure> {
    let has = |layer| orders.layers.has(layer);
    let mut live = Live { warden: number(rustix::process::getpid()), ..Live::default() };
    post.note(live);
    // When the machine itself runs out of memory, strangers go first.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let units = Units::learn();
    let identity = Identity::choose(orders);
    let groups = OpenGroups::open(&orders.groups)?;
    let owners = Owners::find(orders, identity, proof)?;
    let work = open_work(orders, identity)?;
    let nothing =
        rustix::fs::openat(CWD, c"/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).step("/dev/null")?;

    enter_first_namespaces(orders, identity)?;
    let mut init = None;
    let mut ready = None;
    if has(Layer::Processes) {
        let (started, pipe) = start_init(orders, identity, &owners, &nothing, proof)?;
        live.first = number(started.pid);
        post.note(live);
        (init, ready) = (Some(started), Some(pipe));
    } else if has(Layer::Root) {
        root::build(orders, identity, &owners)?;
    }
    // While init mounts: making a network namespace takes as long as the mounts.
    enter_other_namespaces(orders)?;
    ready.map_or(Ok(()), listen)?;
    let (program, failed) = start_program(orders, identity, &groups, words, proof)?;
    silence(&nothing)?;
    if init.is_none() {
        live.first = number(program.pid);
    }
    live.started = now();
    post.note(live);
    listen(failed)?;
    let program_end = rustix::process::pidfd_open(program.pid, PidfdFlags::empty()).step("watch the program")?;
    Ok(Family { program, init, program_end, groups, work, live, units })
}

fn enter_first_namespaces(orders: &Orders, identity: Identity) -> Result<(), Failure> {
    let has = |layer| orders.layers.has(layer);
    let mut flags = UnshareFlags::empty();
    if has(Layer::User) {
        if orders.root && has(Layer::Identity) {
            identity.assume()?;
            // Or our own files in /proc would belong to root.
            rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable).step("write our own map")?;
        }
        flags |= UnshareFlags::NEWUSER;
    }
    if has(Layer::Root) {
        flags |= UnshareFlags::NEWNS;
    }
    if has(Layer::Processes) {
        flags |= UnshareFlags::NEWPID;
    }
    if !flags.is_empty() {
        sys::unshare(flags).step("enter namespaces")?;
    }
    if has(Layer::User) { identity.map_into_namespace() } else { Ok(()) }
}

fn enter_other_namespaces(orders: &Orders) -> Result<(), Failure> {
    let wanted = [
        (Layer::Network, UnshareFlags::NEWNET),
        (Layer::Ipc, UnshareFlags::NEWIPC),
        (Layer::HostName, UnshareFlags::NEWUTS),
    ];
    let flags = wanted.into_iter().filter(|(layer, _)| orders.layers.has(*layer)).map(|(_, flag)| flag);
    let flags = flags.fold(UnshareFlags::empty(), |all, flag| all | flag);
    if !flags.is_empty() {
        sys::unshare(flags).step("enter namespaces")?;
    }
    if orders.layers.has(Layer::HostName) {
        rustix::system::sethostname(b"boyi").step("host name")?;
    }
    Ok(())
}

/// Forks the first process of the namespace; gives the pipe on which it says that the file system is ready.
fn start_init(
    orders: &Orders,
    identity: Identity,
    owners: &Owners,
    nothing: &OwnedFd,
    proof: SingleThread,
) -> Result<(Member, OwnedFd), Failure> {
    let (ready_read, ready_write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).step("pipe")?;
    let (life_read, life_write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).step("pipe")?;
    match sys::fork(proof, None).step("fork")? {
        Fork::Child => {
            drop((ready_read, life_write));
            let _ = silence(nothing);
            init::live(orders, identity, owners, ready_write, &life_read)
        }
        Fork::Parent(pid) => Ok((Member::new(pid, Some(life_write)), ready_read)),
    }
}

/// Forks the program into its control group; gives the pipe on which it says why it could not run.
fn start_program(
    orders: &Orders,
    identity: Identity,
    groups: &OpenGroups,
    words: &[OsString],
    proof: SingleThread,
) -> Result<(Member, OwnedFd), Failure> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).step("pipe")?;
    let launcher = rustix::process::getpid();
    match sys::fork(proof, groups.born_in.as_ref().map(AsFd::as_fd)).step("fork")? {
        Fork::Child => {
            drop(read);
            let failure = program::become_program(orders, identity, &groups.tasks, words, launcher);
            let _ = rustix::io::write(&write, &serde_json::to_vec(&failure).unwrap_or_default());
            sys::leave(1)
        }
        Fork::Parent(pid) => Ok((Member::new(pid, None), read)),
    }
}

/// Reads until the other end is closed: nothing, or a failure.
fn listen(pipe: OwnedFd) -> Result<(), Failure> {
    use std::io::Read as _;
    let mut said = Vec::new();
    std::fs::File::from(pipe).read_to_end(&mut said).step("listen")?;
    if said.is_empty() {
        return Ok(());
    }
    Err(serde_json::from_slice(&said).unwrap_or_else(|error| Failure::new("listen", error)))
}

/// Lets go of the program's pipes, whose other end must see when the program closes them.
fn silence(nothing: &OwnedFd) -> Result<(), Failure> {
    rustix::stdio::dup2_stdin(nothing).step("stdin")?;
    rustix::stdio::dup2_stdout(nothing).step("stdout")?;
    rustix::stdio::dup2_stderr(nothing).step("stderr")
}

/// The real work folder; a stranger who writes into it directly must own it.
fn open_work(orders: &Orders, identity: Identity) -> Result<Option<OwnedFd>, Failure> {
    let Some(work) = &orders.view.work else { return Ok(None) };
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(CWD, work, flags, Mode::empty()).step(format!("open {}", work.display()))?;
    let copies_as_root = orders.layers.has(Layer::Root) && !orders.layers.has(Layer::User);
    if orders.root && orders.layers.has(Layer::Identity) && !copies_as_root {
        rustix::fs::fchown(&folder, Some(identity.user), Some(identity.group))
            .step(format!("own {}", work.display()))?;
    }
    Ok(Some(folder))
}

pub(super) fn number(pid: Pid) -> u64 {
    pid.as_raw_nonzero().get().unsigned_abs().into()
}

/// Nanoseconds of the clock that does not jump.
pub(super) fn now() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

//! What stands around a cage: victims, listeners, secrets; and how a program is tried there.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use sandbox::{Ended, Layer, Layers, Level, Limits, Report};
use serde::Deserialize;
use tempfile::TempDir;

use crate::cases::{Case, Harm};
use crate::programs;

/// Much longer than any limit of a case.
const PATIENCE: Duration = Duration::from_secs(120);
/// A weakened program that lives so long past its limits has shown that nothing else holds it.
const OUTLIVING: Duration = Duration::from_millis(2500);

/// As whom a trial runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// As the one who runs the tests.
    Self_,
    /// As an ordinary user of its own, which root can become.
    User(u32),
}

impl Who {
    /// Level A as root, the others as an ordinary user.
    pub(crate) fn of(level: Level) -> Self {
        let root = rustix::process::geteuid().is_root();
        if root && level != Level::A { Self::User(70_000 + std::process::id() % 50_000_000) } else { Self::Self_ }
    }
}

/// Why a level cannot be tried here at all; found by trying it.
pub(crate) fn missing(level: Level) -> Option<String> {
    let scene = Scene::new(Who::of(level)).ok()?;
    let tried = scene.launch(level, &[], &Limits::engine(), &["exit".to_owned(), "0".to_owned()], &scene.folder);
    match tried.and_then(|child| finish(child, PATIENCE)) {
        Ok(Seen { report: Some(report), .. }) => match report.ended {
            Ended::NotStarted(failure) => Some(failure.to_string()),
            _ => None,
        },
        Ok(Seen { stderr, .. }) => Some(stderr.trim().to_owned()),
        Err(error) => Some(error.message().unwrap_or("it cannot be tried").to_owned()),
    }
}

/// What stands around a cage.
pub(crate) struct Scene {
    who: Who,
    _temporary: TempDir,
    /// The program's folder: `hostile`, and a copy of it that is setuid root where the test may make one.
    pub(crate) folder: PathBuf,
    /// Everybody may write here, nothing shows it to the program.
    pub(crate) open_folder: PathBuf,
    /// Everybody may read it, nothing shows it to the program.
    pub(crate) secret: PathBuf,
    /// A socket as the arena's.
    pub(crate) socket: PathBuf,
    /// A name nobody else uses.
    pub(crate) token: String,
    pub(crate) port: u16,
    /// A process of the same user.
    pub(crate) victim: Child,
    /// The key of a System V segment that everybody may read.
    pub(crate) segment: i32,
    segment_id: String,
    _listeners: (TcpListener, UnixListener, UnixListener),
}

impl Scene {
    pub(crate) fn new(who: Who) -> Result<Self, Failed> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let token = format!("hostile-{}-{number}", std::process::id());
        let temporary = tempfile::Builder::new().prefix("boyi-scene-").tempdir()?;
        let top = temporary.path().to_owned();
        let mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode));
        mode(&top, 0o755)?;
        let (folder, open_folder, secret, socket) =
            (top.join("engine"), top.join("open"), top.join("secret"), top.join("socket"));
        std::fs::create_dir(&folder)?;
        std::fs::create_dir(&open_folder)?;
        mode(&open_folder, 0o777)?;
        for program in [programs::hostile(), programs::trial()] {
            let to = folder.join(program.file_name().ok_or("no name")?);
            std::fs::hard_link(&program, &to).or_else(|_| copy(&program, &to))?;
        }
        if rustix::process::geteuid().is_root() {
            copy(&programs::hostile(), &folder.join("hostile-root"))?;
            mode(&folder.join("hostile-root"), 0o4755)?;
        }
        std::fs::write(&secret, "secret")?;
        mode(&secret, 0o644)?;
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let port = tcp.local_addr()?.port();
        let file = UnixListener::bind(&socket)?;
        mode(&socket, 0o777)?;
        let named = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&token)?)?;
        let mut victim = Command::new(folder.join("hostile"));
        victim.args(["victim", &token]).stdin(Stdio::null());
        let victim = as_user(&mut victim, who).spawn()?;
        let (segment, segment_id) = make_segment()?;
        let listeners = (tcp, file, named);
        Ok(Self {
            who,
            _temporary: temporary,
            folder,
            open_folder,
            secret,
            socket,
            token,
            port,
            victim,
            segment,
            segment_id,
            _listeners: listeners,
        })
    }

    /// Tries a case without some layers.
    pub(crate) fn run(&self, level: Level, without: &[Layer], case: &Case, weak: bool) -> Result<Seen, Failed> {
        let mut limits = Limits {
            memory: Some(64 << 20),
            wall: Some(Duration::from_secs(10)),
            scratch: 16 << 20,
            ..Limits::engine()
        };
        (case.limits)(&mut limits);
        let words = (case.words)(self, weak);
        let child = self.launch(level, without, &limits, &words, &self.folder)?;
        let patience = if weak && case.harm == Harm::Outlives { OUTLIVING } else { PATIENCE };
        let seen = finish(child, patience)?;
        // A segment outlives its maker, where nothing keeps it in.
        for number in seen.stdout.lines().filter_map(|line| line.strip_prefix("harm segment ")?.split(' ').next()) {
            let _ = Command::new("ipcrm").args(["-m", number]).stderr(Stdio::null()).status();
        }
        Ok(seen)
    }

    fn launch(
        &self,
        level: Level,
        without: &[Layer],
        limits: &Limits,
        words: &[String],
        folder: &Path,
    ) -> Result<Child, Failed> {
        let trial = serde_json::json!({
            "level": level, "without": Layers::of(without), "limits": limits, "folder": folder,
        });
        let mut command = Command::new(self.folder.join("trial"));
        command.arg(trial.to_string()).arg(self.folder.join("hostile")).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(as_user(&mut command, self.who).spawn()?)
    }

    /// Processes that carry our token, other than the victim.
    fn strays(&self) -> Vec<u32> {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let ours = numbers.filter(|process| {
            let words = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(&self.token) && *process != self.victim.id()
        });
        ours.collect()
    }

    /// Whether the victim died of a signal; we have not waited for it.
    fn victim_is_hurt(&self) -> bool {
        std::thread::sleep(Duration::from_millis(50));
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.victim.id())).unwrap_or_default();
        stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        for stray in self.strays() {
            if let Some(pid) = rustix::process::Pid::from_raw(stray as i32) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
        let _ = Command::new("ipcrm").args(["-m", &self.segment_id]).status();
    }
}

/// A System V segment that everybody may read: its key and its number.
fn make_segment() -> Result<(i32, String), Failed> {
    let made = Command::new("ipcmk").args(["-M", "4096", "-p", "0644"]).output()?;
    let text = String::from_utf8_lossy(&made.stdout).into_owned();
    let number = text.split_whitespace().last().ok_or("ipcmk made nothing")?.to_owned();
    let list = std::fs::read_to_string("/proc/sysvipc/shm")?;
    let line = list.lines().find(|line| line.split_whitespace().nth(1) == Some(&number)).ok_or("no such segment")?;
    let key = line.split_whitespace().next().ok_or("no key")?.parse::<i64>()?;
    Ok((key as i32, number))
}

/// Copies a program in a process of its own: a descriptor open for writing that another test's `fork` inherits makes it "busy".
fn copy(program: &Path, to: &Path) -> std::io::Result<()> {
    let copied = Command::new("cp").arg(program).arg(to).status()?.success();
    if copied { Ok(()) } else { Err(std::io::Error::other("cp failed")) }
}

fn as_user(command: &mut Command, who: Who) -> &mut Command {
    match who {
        Who::Self_ => command,
        Who::User(user) => command.uid(user).gid(user),
    }
}

/// What a trial showed.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Nothing if it had to be ended by force.
    pub(crate) report: Option<Report>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

#[derive(Deserialize)]
struct Written {
    report: Report,
    stdout: String,
    stderr: String,
}

/// Waits for a trial; one that takes too long is killed, which ends its cell too.
fn finish(mut child: Child, patience: Duration) -> Result<Seen, Failed> {
    let (mut out, mut err) = (child.stdout.take().ok_or("no stdout")?, child.stderr.take().ok_or("no stderr")?);
    drop(child.stdin.take());
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = out.read_to_string(&mut text);
        text
    });
    let deadline = Instant::now() + patience;
    let in_time = loop {
        if child.try_wait()?.is_some() {
            break true;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            break false;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if !in_time {
        return Ok(Seen::default());
    }
    let text = reading.join().map_err(|_| "reading failed")?;
    let mut stderr = String::new();
    err.read_to_string(&mut stderr)?;
    Ok(match serde_json::from_str::<Written>(&text) {
        Ok(written) => Seen { report: Some(written.report), stdout: written.stdout, stderr: written.stderr },
        Err(_) => Seen { report: None, stdout: text, stderr },
    })
}

impl Seen {
    pub(crate) fn must_have_ended(&self, expected: &Ended) -> Result<(), Failed> {
        match &self.report {
            Some(report) if report.ended == *expected => Ok(()),
            _ => Err(format!("expected {expected:?}, got {self:?}").into()),
        }
    }

    pub(crate) fn must_say(&self, text: &str) -> Result<(), Failed> {
        if self.stdout.contains(text) { Ok(()) } else { Err(format!("expected {text:?}, got {self:?}").into()) }
    }

    /// Whether the program got what it wanted.
    pub(crate) fn harm(&self, scene: &Scene, case: &Case) -> bool {
        match case.harm {
            Harm::Said => self.stdout.lines().any(|line| line.starts_with("harm")),
            Harm::Outlives => self.report.is_none() && self.stdout.is_empty() && self.stderr.is_empty(),
            Harm::Stray => !scene.strays().is_empty(),
            Harm::Victim => scene.victim_is_hurt(),
        }
    }
}

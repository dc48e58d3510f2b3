//! A workshop of its own for each trial, used as root or as an ordinary user.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use libtest_mimic::Failed;
use sandbox::{Level, Limits};
use serde_json::{Value, json};
use tempfile::TempDir;

const WORKBENCH: &str = env!("CARGO_BIN_EXE_workbench");

/// A folder with a workshop in it.
pub(crate) struct Scene {
    level: Level,
    _temporary: TempDir,
    top: PathBuf,
    /// The workshop.
    pub(crate) folder: PathBuf,
    /// An ordinary user of its own, where root can become one.
    user: Option<u32>,
}

impl Scene {
    /// Level A as whoever runs the tests, the others as an ordinary user.
    pub(crate) fn new(level: Level) -> Result<Self, Failed> {
        let root = rustix::process::geteuid().is_root();
        let user = (root && level != Level::A).then(|| 70_000 + std::process::id() % 50_000_000);
        let temporary = tempfile::Builder::new().prefix("boyi-workshop-").tempdir()?;
        let top = temporary.path().canonicalize()?;
        std::fs::set_permissions(&top, PermissionsExt::from_mode(0o755))?;
        let folder = top.join("workshop");
        std::fs::create_dir(&folder)?;
        if let Some(user) = user {
            std::os::unix::fs::chown(&folder, Some(user), Some(user))?;
            std::fs::copy(WORKBENCH, top.join("workbench"))?;
        }
        Ok(Self { level, _temporary: temporary, top, folder, user })
    }

    fn command(&self, task: &Value) -> Command {
        let own = self.top.join("workbench");
        let mut command = Command::new(if self.user.is_some() { own.as_path() } else { Path::new(WORKBENCH) });
        command.arg(task.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        if let Some(user) = self.user {
            command.uid(user).gid(user).env("HOME", &self.folder);
        }
        command
    }

    fn tell(&self, task: &Value, source: &[u8]) -> Result<Child, Failed> {
        let mut child = self.command(task).spawn()?;
        // One that refuses its task does not read.
        let _ = child.stdin.take().ok_or("no stdin")?.write_all(source);
        Ok(child)
    }

    /// Starts a build.
    pub(crate) fn start(&self, job: &Job<'_>) -> Result<Child, Failed> {
        let task = json!({
            "level": self.level, "folder": self.folder, "language": job.language, "limits": job.limits, "talk": job.talk,
        });
        self.tell(&task, job.source)
    }

    /// Builds, and gives what the workbench says.
    pub(crate) fn build(&self, job: &Job<'_>) -> Result<Value, Failed> {
        let output = self.start(job)?.wait_with_output()?;
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Builds with the usual limits.
    pub(crate) fn compile(&self, language: &str, source: impl AsRef<[u8]>) -> Result<Value, Failed> {
        self.build(&Job { language, source: source.as_ref(), limits: None, talk: None })
    }

    /// Fails if anything is left of builds that are over.
    pub(crate) fn nothing_is_left(&self) -> Result<(), Failed> {
        let scratch: Vec<_> =
            std::fs::read_dir(self.folder.join("scratch"))?.flatten().map(|entry| entry.path()).collect();
        if !scratch.is_empty() {
            return Err(format!("left behind: {scratch:?}").into());
        }
        let strays = self.processes();
        if strays.is_empty() { Ok(()) } else { Err(format!("still running: {strays:?}").into()) }
    }

    /// Command lines that name our folder: compilers of ours, and their launchers.
    pub(crate) fn processes(&self) -> Vec<String> {
        let folder = self.folder.to_string_lossy().into_owned();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let words = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        words
            .map(|words| String::from_utf8_lossy(&words).replace('\0', " "))
            .filter(|words| words.contains(&folder))
            .collect()
    }
}

/// A build.
pub(crate) struct Job<'a> {
    pub(crate) language: &'a str,
    pub(crate) source: &'a [u8],
    pub(crate) limits: Option<Limits>,
    pub(crate) talk: Option<&'a str>,
}

/// Which languages are there at a level, or why the level is not.
pub(crate) fn survey(level: Level) -> Result<BTreeMap<String, Option<String>>, String> {
    let ask = || {
        let scene = Scene::new(level)?;
        let output = scene.tell(&json!({ "level": level, "folder": scene.folder }), b"")?.wait_with_output()?;
        Ok::<_, Failed>(serde_json::from_slice::<Value>(&output.stdout)?)
    };
    let said = ask().map_err(|failed| failed.message().unwrap_or("it cannot be tried").to_owned())?;
    match said.get("error") {
        Some(error) => Err(error.as_str().unwrap_or_default().to_owned()),
        None => serde_json::from_value(said).map_err(|error| error.to_string()),
    }
}

/// Fails unless the two are the same.
pub(crate) fn same(seen: &Value, expected: &Value, all: &Value) -> Result<(), Failed> {
    if seen == expected { Ok(()) } else { Err(format!("{seen} instead of {expected} in\n{all:#}").into()) }
}

//! What this machine can enforce, found out by trying.

use std::path::Path;
use std::process::Stdio;

use crate::cell::Sandbox;
use crate::cgroup::{Base, Layout, Pens};
use crate::error::{Error, Failure, Step as _};
use crate::layers::Level;
use crate::limits::Limits;
use crate::report::{Ended, Report};
use crate::sys;
use crate::view::View;

/// The oldest kernel with everything the file system of a cell is built with (`mount_setattr`).
pub(crate) const OLDEST_KERNEL: (u32, u32) = (5, 12);

/// The version of Landlock from which on truncating files and controlling devices are covered too.
pub(crate) const WHOLE_LANDLOCK: u32 = 5;

/// What this machine can enforce.
#[derive(Debug)]
pub struct Machine {
    pub(crate) kernel: String,
    pub(crate) root: bool,
    /// The layout of control groups, or why there are none for us.
    pub(crate) groups: Result<Layout, (games::Phrase, String)>,
    pub(crate) pins_cores: bool,
    /// Whether programs can be made to stand still by a control group, whatever signals they get.
    pub(crate) pauses: bool,
    /// Whether stall is measured.
    pub(crate) stall: bool,
    pub(crate) landlock: Option<u32>,
    pub(crate) seccomp: bool,
    /// Each level that can be tried, and why it did not work.
    pub(crate) levels: Vec<(Level, Result<(), Error>)>,
}

impl Machine {
    /// Looks at the machine and tries every level once.
    #[must_use]
    pub fn probe(launcher: &Path) -> Self {
        let groups = Base::find();
        let try_level = |level| (level, Sandbox::new(level, launcher).map(drop));
        Self {
            kernel: std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned(),
            root: rustix::process::geteuid().is_root(),
            pins_cores: groups.as_ref().is_ok_and(|base| base.cores.is_some()),
            stall: groups.as_ref().is_ok_and(measures_stall),
            pauses: Pens::find().is_some(),
            groups: groups.map(|base| base.layout),
            landlock: sys::landlock_version(),
            seccomp: rustix::thread::secure_computing_mode().is_ok(),
            levels: [Level::A, Level::B, Level::C].map(try_level).into(),
        }
    }

    /// The strongest level that works; [`Level::D`] if none does.
    #[must_use]
    pub fn strongest(&self) -> Level {
        self.levels.iter().find(|(_, tried)| tried.is_ok()).map_or(Level::D, |(level, _)| *level)
    }

    pub(crate) fn kernel_is_old(&self) -> bool {
        let mut numbers = self.kernel.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
        let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        version < OLDEST_KERNEL
    }
}

/// Whether the tree of version 2 tells how long its processes were kept waiting.
fn measures_stall(base: &Base) -> bool {
    let unified = base.unified.as_deref();
    unified.is_some_and(|folder| {
        std::fs::read_to_string(folder.join("cpu.pressure")).is_ok_and(|text| text.contains("full"))
    })
}

/// Runs a program that does nothing in a cell of this sandbox.
pub(crate) fn try_out(sandbox: &Sandbox) -> Result<(), Error> {
    let limits = Limits { memory: Some(64 << 20), scratch: 1 << 20, ..Limits::engine() };
    let cell = sandbox.cell(limits, View::folder("/usr")?)?;
    let mut command = cell.command(&["true"])?;
    let status =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().step("start the launcher")?;
    let unavailable =
        |reason: String, reason_zh: String| Error::Unavailable { level: sandbox.level(), reason, reason_zh };
    match cell.finish(status) {
        Report { ended: Ended::Exited(0), .. } => Ok(()),
        Report { ended: Ended::NotStarted(Failure { step, said, .. }), .. } => {
            Err(unavailable(format!("{step}: {said}"), format!("{step}：{said}")))
        }
        Report { ended, .. } => Err(unavailable(ended.say(games::Language::En), ended.say(games::Language::Zh))),
    }
}

//! A game between two rogues under the real referee.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use referee::{Cage, CommandLine, EngineSpec, GameReport, GameSpec, Host, Seat, TimeControl};
use serde_json::Value;

use crate::Problem;

/// Where rogues meet: the program they are and the machine they run on.
pub struct Arena {
    program: PathBuf,
    host: Arc<Host>,
}

/// One game.
#[derive(Debug, Clone)]
pub struct Contest {
    /// The game.
    pub game: &'static str,
    /// Its options.
    pub variant: Value,
    /// What the two do, Black first: the words of a [`Script`](crate::Script).
    pub scripts: [String; 2],
    /// The time they have.
    pub time: TimeControl,
    /// The protocol's options.
    pub options: Value,
    /// They may compute on each other's time.
    pub ponder: bool,
    /// Their processes are kept for the next game.
    pub keep: bool,
    /// What they sit in; nothing when absent.
    pub cage: Option<Cage>,
}

impl Contest {
    /// A game with plenty of time.
    #[must_use]
    pub fn new(game: &'static str, black: &str, white: &str) -> Self {
        let time = TimeControl { ply: Some(Duration::from_secs(20)), ..TimeControl::default() };
        let (variant, options) = (Value::Null, Value::Null);
        let scripts = [black.to_owned(), white.to_owned()];
        Self { game, variant, scripts, time, options, ponder: false, keep: false, cage: None }
    }

    /// With this time for a ply.
    #[must_use]
    pub fn ply_time(mut self, milliseconds: u64) -> Self {
        self.time.ply = Some(Duration::from_millis(milliseconds));
        self
    }

    /// With so much forgiven.
    #[must_use]
    pub fn tolerance(mut self, milliseconds: u64) -> Self {
        self.time.tolerance = Duration::from_millis(milliseconds);
        self
    }

    /// With this time to become ready.
    #[must_use]
    pub fn start_time(mut self, milliseconds: u64) -> Self {
        self.time.start = Some(Duration::from_millis(milliseconds));
        self
    }
}

impl Arena {
    /// An arena whose rogues are this program.
    pub fn open(program: &Path) -> Result<Self, Problem> {
        let mut keeper = Command::new(program);
        keeper.arg("keeper");
        Ok(Self { program: program.to_owned(), host: Arc::new(Host::start(keeper)?) })
    }

    /// The same on a machine where no control group can be had.
    pub fn without_pens(program: &Path) -> Result<Self, Problem> {
        let mut keeper = Command::new(program);
        keeper.arg("keeper");
        Ok(Self { program: program.to_owned(), host: Arc::new(Host::start(keeper)?.without_pens()) })
    }

    /// The mark of everything that runs here.
    #[must_use]
    pub fn run(&self) -> &str {
        self.host.run()
    }

    /// The machine.
    #[must_use]
    pub const fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// The seats of a contest, for one game or several.
    pub fn seats(&self, contest: &Contest) -> Result<[Seat; 2], Problem> {
        let protocol = protocols::find(contest.game, None).ok_or("no protocol speaks this game")?;
        Ok(contest.scripts.each_ref().map(|script| {
            let words = [self.program.to_string_lossy().into_owned(), contest.game.to_owned()];
            let words = words.into_iter().chain(script.split_whitespace().map(str::to_owned)).collect();
            let command = CommandLine { words, cage: contest.cage.clone(), ..CommandLine::default() };
            Seat::engine(EngineSpec { command, protocol, options: contest.options.clone(), memory: None })
        }))
    }

    /// Plays one game on these seats.
    pub fn play_on(&self, contest: &Contest, seats: &mut [Seat; 2]) -> Result<GameReport, Problem> {
        let table = games::find(contest.game)?.open(&contest.variant, None)?;
        let (time, ponder, keep) = (contest.time, contest.ponder, contest.keep);
        let spec = GameSpec { time, ponder, keep, ..GameSpec::new(table) };
        Ok(referee::play(&self.host, spec, seats, &mut ())?)
    }

    /// Plays one game.
    pub fn play(&self, contest: &Contest) -> Result<GameReport, Problem> {
        self.play_on(contest, &mut self.seats(contest)?)
    }
}

/// The processes that carry this run's mark, with their command lines.
#[must_use]
pub fn left_behind(run: &str) -> Vec<String> {
    let wanted = format!("BOYI_RUN={run}");
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| {
            std::fs::read(entry.path().join("environ"))
                .is_ok_and(|bytes| bytes.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes()))
        })
        .map(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            format!("{} {}", entry.file_name().display(), String::from_utf8_lossy(&line).replace('\0', " "))
        })
        .collect()
}

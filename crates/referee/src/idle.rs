//! Whoever is not on turn computes at his opponent's expense: what that is allowed, and when it costs the game.

use std::time::{Duration, Instant};

use crate::process::Process;

/// An idle engine that uses more processor time than this on one turn of its opponent's is suspended until its own.
pub(crate) const IDLE_ALLOWANCE: Duration = Duration::from_millis(20);
/// One that has used more than this in a game, and more than a tenth of the time in which it was looked at, is
/// suspended as soon as it has answered.
const GAME_ALLOWANCE: Duration = Duration::from_millis(100);
/// See [`GAME_ALLOWANCE`].
const GAME_SHARE: u32 = 10;
/// Whoever goes on although suspended for more than this in a game, and for more than a twentieth of the time for which
/// it was suspended, has lost. Nobody who does not undo the pause on purpose uses anything then; the bound is for what
/// we cannot think of.
pub(crate) const UNDONE_ALLOWANCE: Duration = Duration::from_millis(50);
/// See [`UNDONE_ALLOWANCE`].
const UNDONE_SHARE: u32 = 20;

/// What an engine did on its opponent's time in this game.
#[derive(Debug, Default)]
pub(crate) struct Idle {
    /// The processor time it had used when it was first looked at on this turn of its opponent's, and when that was.
    since: Option<(Duration, Instant)>,
    /// What it used at such times, and how long they were.
    used: Duration,
    watched: Duration,
    /// It is suspended as soon as it has answered.
    at_once: bool,
    /// What it had used in spite of pauses, and how long those were, when the game began.
    before: (Duration, Duration),
}

impl Idle {
    /// A fresh account for a game with this process, which may have played others.
    pub(crate) fn of(process: &Process) -> Self {
        Self { before: (process.undone(), process.paused()), ..Self::default() }
    }

    /// Its opponent's turn begins, and it is worth a look.
    pub(crate) fn begin(&mut self, process: &Process) {
        self.since = Some((process.cpu_time(), Instant::now()));
    }

    /// What it has used on this turn of its opponent's, as far as it was looked at.
    pub(crate) fn look(&mut self, process: &Process) -> Duration {
        let (used, now) = (process.cpu_time(), Instant::now());
        let (before, _) = *self.since.get_or_insert((used, now));
        used.saturating_sub(before)
    }

    /// Its opponent's turn is over, or it is suspended: what it used is put down. True when that was too much for the
    /// game.
    pub(crate) fn end(&mut self, process: &Process) -> bool {
        let Some((before, began)) = self.since.take() else { return false };
        self.used += process.cpu_time().saturating_sub(before);
        self.watched += began.elapsed();
        let too_much = self.used > GAME_ALLOWANCE && self.used * GAME_SHARE > self.watched;
        too_much && !std::mem::replace(&mut self.at_once, true)
    }

    /// Nothing of this turn is put down.
    pub(crate) fn forget(&mut self) {
        self.since = None;
    }

    /// From now on it is suspended as soon as it has answered.
    pub(crate) fn suspend_at_once(&mut self) {
        self.at_once = true;
    }

    pub(crate) fn is_suspended_at_once(&self) -> bool {
        self.at_once
    }

    /// What it was allowed to use in spite of its pauses and what it used, where that is too much.
    pub(crate) fn broken(&self, process: &Process) -> Option<(Duration, Duration)> {
        let (undone, paused) = self.before;
        let undone = process.undone().saturating_sub(undone);
        // Looked at only when there is something to say: it costs nothing for everybody else.
        if undone <= UNDONE_ALLOWANCE {
            return None;
        }
        let allowed = UNDONE_ALLOWANCE.max(process.paused().saturating_sub(paused) / UNDONE_SHARE);
        (undone > allowed).then_some((allowed, undone))
    }
}

/// What the transcript says of a pause.
pub(crate) fn note_of_pause(used: Duration) -> String {
    let used = used.as_millis();
    format!(
        "suspended until its turn: it used {used} ms of processor time on its opponent's time / \
         已暂停，轮到它时恢复：它在对方时间占用处理器 {used} 毫秒"
    )
}

/// What the transcript says of pauses that begin at once.
pub(crate) const NOTE_AT_ONCE: &str = "\
     suspended from now on while it is not its turn: it computes on its opponent's time / \
     此后不轮到它时一律暂停：它在对方时间计算";

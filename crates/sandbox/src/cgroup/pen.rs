//! Groups that do nothing but make what is in them stand still: for engines without a cage.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Pid;

use super::group::Group;
use super::layout::Base;
use super::sweep;
use crate::layers::{Layer, Layers};
use crate::limits::Limits;

/// Where this machine lets us make [`Pen`]s.
#[derive(Debug)]
pub struct Pens {
    base: Base,
}

impl Pens {
    /// Finds the place; nothing where no control group can be had. Changes nothing.
    #[must_use]
    pub fn find() -> Option<Self> {
        Base::for_pauses().map(|base| Self { base })
    }

    /// A new pen; nothing if the system refuses.
    #[must_use]
    pub fn pen(&self) -> Option<Pen> {
        let limits = Limits { cores: Vec::new(), ..Limits::engine() };
        let layers = Layers::of(&[Layer::PauseGroup]);
        Group::make(&self.base, &super::next_name(), &limits, layers).ok().map(Pen)
    }

    /// Ends what is in the pens of dead programs, and removes them.
    pub fn sweep(&self) {
        sweep::sweep_in(&self.base.tops, 0);
        sweep::sweep_in(self.base.processor.as_slice(), 0);
    }
}

/// A control group for one program and everything it starts. Dropping it ends them.
#[derive(Debug)]
pub struct Pen(Group);

impl Pen {
    /// A process enters by writing `0` into each of these files.
    #[must_use]
    pub fn entrances(&self) -> Vec<PathBuf> {
        self.0.entrances()
    }

    /// The processes that are in it.
    #[must_use]
    pub fn members(&self) -> Vec<Pid> {
        self.0.members()
    }

    /// Makes everything in the pen stand still; false if nobody is in it, or it cannot be done.
    #[must_use]
    pub fn freeze(&self) -> bool {
        self.0.freeze(true).is_ok()
    }

    /// Lets everything in the pen go on.
    pub fn thaw(&self) {
        let _ = self.0.freeze(false);
    }

    /// The processor time of everything that was in it, killed children included; nothing if nobody has entered or it
    /// is not counted here.
    #[must_use]
    pub fn cpu(&self) -> Option<Duration> {
        let counted = self.0.counts_processor() && self.0.is_populated();
        counted.then(|| self.0.usage().cpu)
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use super::super::layout::hierarchies;
    use super::*;

    /// Burns in a pen that is frozen for a while, with somebody outside who tells it to go on all the time.
    fn stands_still(pens: &Pens) {
        let pen = pens.pen().unwrap();
        let doors = pen.entrances().iter().map(|door| format!("echo 0 >{};", door.display())).collect::<String>();
        let script = format!("{doors} while :; do :; done");
        let mut child = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).spawn().unwrap();
        let burning = Instant::now();
        let ticks = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
            stat.rsplit_once(')').unwrap().1.split(' ').nth(12).unwrap().parse::<u64>().unwrap()
        };
        while ticks() < 5 || !pen.freeze() {
            assert!(burning.elapsed() < Duration::from_secs(30), "it does not burn in its pen");
            std::thread::sleep(Duration::from_millis(5));
        }
        // The kernel freezes soon, not at once.
        std::thread::sleep(Duration::from_millis(200));
        let before = ticks();
        for _ in 0..200 {
            let pid = Pid::from_child(&child);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::CONT);
            std::thread::sleep(Duration::from_millis(1));
        }
        let after = ticks();
        pen.thaw();
        let woken = Instant::now();
        while ticks() == after {
            assert!(woken.elapsed() < Duration::from_secs(30), "it does not go on");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(pen);
        child.wait().unwrap();
        assert!(after - before <= 1, "{} ticks while it should have stood still", after - before);
    }

    /// Without a group of ours there is nothing to prove; where CI runs there must be one.
    fn missing(what: &str) {
        assert!(std::env::var_os("CI").is_none(), "no {what} can be had here");
    }

    #[test]
    fn what_is_in_a_pen_stands_still_whatever_signals_it_gets() {
        match Pens::find() {
            Some(pens) => stands_still(&pens),
            None => missing("control group"),
        }
    }

    #[test]
    fn a_freezer_of_version_one_does_it_too() {
        let read = |path| std::fs::read_to_string(path).unwrap();
        let all = hierarchies(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"));
        let first: Vec<_> = all.into_iter().filter(|one| one.version == super::super::layout::Version::One).collect();
        // A machine of today has version 2 alone, and nothing of version 1 to prove.
        if let Some(base) = Base::for_pauses_among(&first) {
            assert!(base.freezer.is_some() && base.unified.is_none());
            stands_still(&Pens { base });
        }
    }

    #[test]
    fn whatever_is_in_a_pen_dies_with_it() {
        let Some(pens) = Pens::find() else { return missing("control group") };
        let pen = pens.pen().unwrap();
        let doors = pen.entrances().iter().map(|door| format!("echo 0 >{};", door.display())).collect::<String>();
        // A daemon that has left its session and its environment behind.
        let script = format!("{doors} env -i setsid sleep 301 & wait");
        let mut child = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while !pen.freeze() {
            assert!(began.elapsed() < Duration::from_secs(30), "nobody enters");
            std::thread::sleep(Duration::from_millis(5));
        }
        let folder = pen.entrances()[0].parent().unwrap().to_owned();
        drop(pen);
        child.wait().unwrap();
        assert!(!folder.exists(), "{}", folder.display());
    }
}

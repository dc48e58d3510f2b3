//! Standing still by signals, where no control group can be had.
//!
//! SIGSTOP takes effect late on a busy machine, and SIGCONT from anybody undoes it: from a timer of the program's own,
//! from a child of it. So whoever stops a program looks at it again and again, stops it anew, and counts what it used
//! meanwhile. Nothing is counted before the signal has been taken: from then on a program that nobody sets going uses
//! nothing.

use std::time::Duration;

/// The bit of SIGSTOP in the kernel's sets of signals.
const STOP_BIT: u64 = 1 << (libc::SIGSTOP - 1);

/// A look at one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glance {
    /// Its number.
    pub process: u64,
    /// The processor time of it and of its dead children.
    pub cpu: Duration,
    /// A SIGSTOP was sent that it has not taken yet.
    pub pending: bool,
}

impl Glance {
    /// Looks at a process by `/proc`; nothing if it is gone.
    #[must_use]
    pub fn at(process: u64, ticks_a_second: u64) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The second field is the name in parentheses and may hold anything; field 14 is the first of the four times.
        let times = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
        let ticks: u64 = times.map(|word| word.parse::<u64>().unwrap_or_default()).sum();
        let cpu = Duration::from_millis(ticks * 1000 / ticks_a_second.max(1));
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        Some(Self { process, cpu, pending: has_pending_stop(&status) })
    }
}

/// Whether SIGSTOP waits in the sets of the process or of its first thread.
fn has_pending_stop(status: &str) -> bool {
    status
        .lines()
        .filter_map(|line| line.strip_prefix("ShdPnd:").or_else(|| line.strip_prefix("SigPnd:")))
        .any(|set| u64::from_str_radix(set.trim(), 16).is_ok_and(|set| set & STOP_BIT != 0))
}

/// What a program does after it was told to stand still.
#[derive(Debug, Default)]
pub struct Still {
    /// Those who had been sent the signal at the last look.
    told: Vec<u64>,
    /// What all had used at the last look, once the signal has been taken.
    used: Option<Duration>,
    /// What they have used since.
    undone: Duration,
}

impl Still {
    /// Takes a look at all processes of the program; whoever looks sends SIGSTOP to all of them right afterwards.
    pub fn look(&mut self, family: &[Glance]) {
        let used: Duration = family.iter().map(|one| one.cpu).sum();
        // Who is new was not told yet and holds nobody up: else a program that is always another one would never be
        // counted.
        let waits = self.told.is_empty() || family.iter().any(|one| one.pending && self.told.contains(&one.process));
        match self.used {
            Some(before) => {
                self.undone += used.saturating_sub(before);
                self.used = Some(used);
            }
            None if waits => {}
            None => self.used = Some(used),
        }
        self.told = family.iter().map(|one| one.process).collect();
    }

    /// The processor time that was used after the signal had been taken.
    #[must_use]
    pub fn undone(&self) -> Duration {
        self.undone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(process: u64, milliseconds: u64, pending: bool) -> Glance {
        Glance { process, cpu: Duration::from_millis(milliseconds), pending }
    }

    #[test]
    fn nothing_counts_before_the_signal_is_taken() {
        let mut still = Still::default();
        still.look(&[glance(1, 100, false)]);
        // A busy machine: it ran on for a long time, because nobody let it take the signal.
        still.look(&[glance(1, 400, true)]);
        still.look(&[glance(1, 700, false)]);
        assert_eq!(still.undone(), Duration::ZERO);
        still.look(&[glance(1, 700, false)]);
        assert_eq!(still.undone(), Duration::ZERO);
        still.look(&[glance(1, 710, false)]);
        still.look(&[glance(1, 730, true)]);
        assert_eq!(still.undone(), Duration::from_millis(30));
    }

    #[test]
    fn a_program_that_is_always_another_one_is_counted() {
        let mut still = Still::default();
        for number in 1..=4 {
            // Each process burns 20 ms, whose figures its parent inherits, and is followed by the next.
            still.look(&[glance(1, number * 20, false), glance(number + 1, 0, true)]);
        }
        assert_eq!(still.undone(), Duration::from_millis(40));
    }

    #[test]
    fn the_kernel_s_sets_are_read() {
        assert!(has_pending_stop("SigPnd:\t0000000000000000\nShdPnd:\t0000000000040000\n"));
        assert!(!has_pending_stop("SigPnd:\t0000000000000000\nShdPnd:\t0000000000020000\nSigBlk:\t40000\n"));
    }
}

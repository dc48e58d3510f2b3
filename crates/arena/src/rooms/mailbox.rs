//! How what people do in their browsers reaches the referee: a person's seat waits at a mailbox until something is put
//! into it or the time is over.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use games::{Fault, Side};
use referee::{Choice, LocalSeat, Turn};
use tokio::sync::oneshot;
use vault::Cause;

use crate::standstill;

/// What became of a ply that was posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Played, refused or lost.
    Taken(&'static str),
    /// Against the rules as far as its player may know.
    Illegal(Fault),
    /// The board is not the one it was meant for.
    Stale,
    /// The game is over.
    Over,
    /// It could not be written, and why; nothing happened.
    Failed(Cause),
}

/// Why a game is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It goes on when somebody comes.
    Park,
    /// It ends without a result.
    Abort,
}

pub(crate) struct PostedPly {
    side: Side,
    ply: String,
    /// How many steps the board had when it was posted.
    steps: usize,
    answer: oneshot::Sender<Outcome>,
}

#[derive(Default)]
pub(crate) struct Letters {
    ply: Option<PostedPly>,
    /// The answer to the ply that the referee has now.
    pending: Option<oneshot::Sender<Outcome>>,
    resigned: Option<Side>,
    drawn: bool,
    take_back: Option<(Side, oneshot::Sender<Outcome>)>,
    taking_back: Option<oneshot::Sender<Outcome>>,
    stop: Option<Stop>,
    /// How many steps the board has.
    steps: usize,
}

/// The mailbox of a room.
#[derive(Default)]
pub(crate) struct Mailbox {
    letters: Mutex<Letters>,
    bell: Condvar,
}

impl Mailbox {
    fn letters(&self) -> MutexGuard<'_, Letters> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self, change: impl FnOnce(&mut Letters)) {
        change(&mut self.letters());
        self.bell.notify_all();
    }

    /// Puts in a ply meant for the board after so many steps; `None` while another one is being played.
    pub(crate) fn post(&self, side: Side, ply: String, steps: usize) -> Option<oneshot::Receiver<Outcome>> {
        let mut letters = self.letters();
        if letters.ply.is_some() || letters.pending.is_some() {
            return None;
        }
        let (answer, waiting) = oneshot::channel();
        letters.ply = Some(PostedPly { side, ply, steps, answer });
        drop(letters);
        self.bell.notify_all();
        Some(waiting)
    }

    pub(crate) fn resign(&self, side: Side) {
        self.ring(|letters| letters.resigned = Some(side));
    }

    pub(crate) fn agree_draw(&self) {
        self.ring(|letters| letters.drawn = true);
    }

    /// Asks for the board before the last ply of `side`; the answer comes when it is there.
    pub(crate) fn take_back(&self, side: Side) -> oneshot::Receiver<Outcome> {
        let (done, waiting) = oneshot::channel();
        self.ring(|letters| letters.take_back = Some((side, done)));
        waiting
    }

    pub(crate) fn stop(&self, stop: Stop) {
        self.ring(|letters| letters.stop = Some(stop));
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.letters().stop
    }

    /// The board has so many steps now, and what was waiting is answered.
    pub(crate) fn stepped(&self, steps: usize, outcome: &Outcome) {
        self.ring(|letters| {
            letters.steps = steps;
            for waiting in [letters.pending.take(), letters.taking_back.take()].into_iter().flatten() {
                let _ = waiting.send(outcome.clone());
            }
        });
    }

    /// Nothing is read any more.
    pub(crate) fn close(&self, outcome: &Outcome) {
        self.ring(|letters| {
            let stop = letters.stop;
            let old = std::mem::take(letters);
            letters.stop = stop;
            let asked = old.take_back.map(|(_, answer)| answer);
            let played = old.ply.map(|posted| posted.answer);
            for answer in [old.pending, played, old.taking_back, asked].into_iter().flatten() {
                let _ = answer.send(outcome.clone());
            }
        });
    }

    /// A game begins or goes on: the board has so many steps.
    pub(crate) fn open(&self, steps: usize) {
        self.ring(|letters| *letters = Letters { steps, ..Letters::default() });
    }

    /// Waits so long, or until the game is stopped.
    pub(crate) fn pause(&self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut letters = self.letters();
        while letters.stop.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            letters = self.bell.wait_timeout(letters, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A person in a room.
pub(crate) struct PersonSeat {
    pub(crate) side: Side,
    pub(crate) name: String,
    pub(crate) mailbox: Arc<Mailbox>,
}

impl PersonSeat {
    /// What the letters decide, if anything.
    fn read(&self, letters: &mut Letters, turn: &Turn<'_>) -> Option<Choice> {
        if letters.stop.is_some() {
            return Some(Choice::Stop);
        }
        if let Some(side) = letters.resigned {
            return Some(if side == self.side { Choice::Resign } else { Choice::ResignOfOpponent });
        }
        if letters.drawn {
            return Some(Choice::AgreedDraw);
        }
        if let Some((side, done)) = letters.take_back.take() {
            letters.taking_back = Some(done);
            return Some(if side == self.side { Choice::TakeBack } else { Choice::TakeBackOfOpponent });
        }
        let posted = letters.ply.take()?;
        if posted.side != self.side || posted.steps != letters.steps {
            let _ = posted.answer.send(Outcome::Stale);
            return None;
        }
        if let Err(fault) = turn.check(&posted.ply) {
            let _ = posted.answer.send(Outcome::Illegal(fault));
            return None;
        }
        letters.pending = Some(posted.answer);
        Some(Choice::Ply(posted.ply))
    }
}

impl LocalSeat for PersonSeat {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        let mailbox = Arc::clone(&self.mailbox);
        let mut letters = mailbox.letters();
        let before = standstill::lost();
        // Still unanswered: the try was refused as it was before, which changes nothing and is told to nobody else.
        if let Some(pending) = letters.pending.take() {
            let _ = pending.send(Outcome::Taken("refused"));
        }
        loop {
            if let Some(choice) = self.read(&mut letters, turn) {
                return choice;
            }
            let deadline = turn.deadline.map(|deadline| deadline + (standstill::lost() - before));
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            letters = match left {
                Some(left) if left.is_zero() => return Choice::OutOfTime,
                Some(left) => mailbox.bell.wait_timeout(letters, left).unwrap_or_else(PoisonError::into_inner).0,
                None => mailbox.bell.wait(letters).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn stood_still(&self) -> Duration {
        standstill::lost()
    }

    fn may_try_again(&self) -> bool {
        true
    }
}

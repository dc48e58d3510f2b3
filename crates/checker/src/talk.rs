//! A conversation with one engine: the referee's end of its protocol, and everything the engine says beside it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{Reason, Side};
use protocols::{Act, Awaits, RefereeEnd, Remark};
use referee::lines::decode;
use referee::{Host, StartError};

use crate::plan::Plan;
use crate::probe::{Heard, Probe};

/// An engine that writes more than this is a flood.
const OUTPUT_LIMIT: u64 = 16 << 20;
/// More remarks than this are not looked at.
const MOST_REMARKS: usize = 200;
/// The pause in the middle of a message.
const PAUSE: Duration = Duration::from_millis(30);

/// How messages reach the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// Each in a write of its own.
    Plain,
    /// All that are there in one write.
    Together,
    /// Each in two writes with a pause between them.
    Split,
}

/// An answer of the engine.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) ply: String,
    pub(crate) line: String,
    pub(crate) at: Instant,
}

/// A remark, with the line it was made in.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) remark: Remark,
    pub(crate) line: String,
    pub(crate) asked: Option<String>,
    /// It came after an answer, before anything else was sent.
    pub(crate) after_answer: bool,
    /// A ply or the engine's readiness was due.
    pub(crate) due: Awaits,
}

/// Why a wait ended without what was waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stop {
    /// Nothing came in time.
    Silent,
    /// The engine's output is closed.
    Closed,
    /// It broke the protocol in a way that loses.
    Foul(&'static Reason),
    /// It cannot go on in this process.
    Reload,
    /// It writes without end.
    Flood,
    /// The check is to end.
    CutShort,
}

/// A conversation.
pub(crate) struct Talk {
    pub(crate) probe: Probe,
    pub(crate) end: Box<dyn RefereeEnd>,
    pub(crate) name: Option<String>,
    /// What was sent last.
    pub(crate) asked: Option<String>,
    /// How a brain was told the size of its board.
    pub(crate) start: Option<String>,
    /// The last line the engine wrote since then.
    pub(crate) last_line: Option<String>,
    /// A line that is not UTF-8.
    pub(crate) not_utf8: Option<String>,
    pub(crate) said: Vec<Said>,
    /// What it wrote last, since something was sent, that was no move though one was due.
    pub(crate) unreadable: Option<String>,
    gap: Duration,
    last_sent: Option<Instant>,
    line_end: &'static str,
    delivery: Delivery,
    outbox: Vec<u8>,
    answers: VecDeque<Answer>,
    ready: bool,
    answered: bool,
    timer: Option<Instant>,
    foul: Option<&'static Reason>,
    reload: bool,
}

impl Talk {
    /// Starts the engine and says hello.
    pub(crate) fn open(
        host: &Arc<Host>,
        plan: &Plan,
        gap: Duration,
        seat: Side,
        delivery: Delivery,
    ) -> Result<Self, StartError> {
        let end =
            plan.protocol.referee_end(plan.setup(seat)).map_err(|error| StartError::BadSetUp(error.to_string()))?;
        let mut talk = Self {
            probe: Probe::start(host, plan)?,
            end,
            name: None,
            asked: None,
            start: None,
            last_line: None,
            not_utf8: None,
            said: Vec::new(),
            unreadable: None,
            gap,
            last_sent: None,
            line_end: plan.protocol.facts().line_end,
            delivery,
            outbox: Vec::new(),
            answers: VecDeque::new(),
            ready: false,
            answered: false,
            timer: None,
            foul: None,
            reload: false,
        };
        talk.act(|end, out| end.open(out));
        Ok(talk)
    }

    /// Lets something happen to the referee's end and does what it wants; true if it sent anything.
    pub(crate) fn act(&mut self, happen: impl FnOnce(&mut dyn RefereeEnd, &mut Vec<Act>)) -> bool {
        let mut acts = Vec::new();
        happen(self.end.as_mut(), &mut acts);
        let sends = acts.iter().any(|act| matches!(act, Act::Send(_)));
        self.perform(acts, None);
        sends
    }

    /// Another game in the same process.
    pub(crate) fn again(&mut self, seat: Side) {
        self.ready = false;
        self.answers.clear();
        self.act(|end, out| end.again(seat, out));
    }

    fn perform(&mut self, acts: Vec<Act>, heard: Option<(&str, Instant)>) {
        let (line, at) = heard.unwrap_or(("", Instant::now()));
        for act in acts {
            match act {
                Act::Send(lines) => self.send(&lines),
                Act::Named(name) => self.name = Some(name).filter(|name| !name.is_empty()),
                Act::Ready => (self.ready, self.timer) = (true, None),
                Act::Ply(ply) => {
                    self.answered = true;
                    self.answers.push_back(Answer { ply, line: line.to_owned(), at });
                }
                Act::Remark(remark) if self.said.len() < MOST_REMARKS => {
                    if let Remark::Unreadable(text) = &remark {
                        self.unreadable = Some(text.clone());
                    }
                    let (asked, after_answer, due) = (self.asked.clone(), self.answered, self.end.awaits());
                    self.said.push(Said { remark, line: line.to_owned(), asked, after_answer, due });
                }
                Act::Remark(_) | Act::Score(_) => {}
                Act::Foul(reason) => {
                    self.foul.get_or_insert(reason);
                }
                Act::Reload => self.reload = true,
                Act::Timer(after) => self.timer = Some(Instant::now() + after),
            }
        }
    }

    /// Sends lines the way they are to be delivered.
    pub(crate) fn send(&mut self, lines: &str) {
        (self.answered, self.last_line, self.unreadable) = (false, None, None);
        if let Some(last) = self.last_sent.filter(|_| !self.gap.is_zero()) {
            std::thread::sleep(self.gap.saturating_sub(last.elapsed()));
        }
        self.last_sent = Some(Instant::now());
        if lines.starts_with("START ") || lines.starts_with("RECTSTART ") {
            self.start = Some(lines.to_owned());
        }
        // SAU asks for the name once more after `new white`: what comes then still answers that.
        if lines != "name?" || !self.ready {
            self.asked = Some(lines.replace('\n', " / "));
        }
        let bytes: Vec<u8> = lines.split('\n').flat_map(|line| line.bytes().chain(self.line_end.bytes())).collect();
        match self.delivery {
            Delivery::Plain => self.probe.send(&bytes),
            Delivery::Together => self.outbox.extend(bytes),
            Delivery::Split => {
                let (first, second) = bytes.split_at(bytes.len() / 2);
                self.probe.send(first);
                std::thread::sleep(PAUSE);
                self.probe.send(second);
            }
        }
    }

    /// Waits for one thing to happen; `None` while there is no reason to stop.
    fn step(&mut self, until: Instant) -> Option<Stop> {
        if !self.outbox.is_empty() {
            self.probe.send(&std::mem::take(&mut self.outbox));
        }
        match self.probe.next(self.timer.map_or(until, |timer| timer.min(until))) {
            Heard::Line(bytes, at) => {
                let line = decode(&bytes).into_owned();
                if std::str::from_utf8(&bytes).is_err() {
                    self.not_utf8.get_or_insert(line.clone());
                }
                let mut acts = Vec::new();
                self.end.line(&line, &mut acts);
                self.perform(acts, Some((&line, at)));
                self.last_line = Some(line);
            }
            Heard::Closed => return Some(Stop::Closed),
            Heard::CutShort => return Some(Stop::CutShort),
            Heard::Nothing if self.timer.is_some_and(|timer| timer <= Instant::now()) => {
                self.timer = None;
                self.act(|end, out| end.timer(out));
            }
            Heard::Nothing => {}
        }
        if self.probe.bytes > OUTPUT_LIMIT {
            return Some(Stop::Flood);
        }
        (Instant::now() >= until).then_some(Stop::Silent)
    }

    /// Waits until `there` gives something.
    fn wait<T>(&mut self, until: Instant, there: impl Fn(&mut Self) -> Option<T>) -> Result<T, Stop> {
        let mut stop = None;
        loop {
            if let Some(found) = there(self) {
                return Ok(found);
            }
            if let Some(reason) = self.foul {
                return Err(Stop::Foul(reason));
            }
            if std::mem::take(&mut self.reload) {
                return Err(Stop::Reload);
            }
            if let Some(stop) = stop {
                return Err(stop);
            }
            stop = self.step(until);
        }
    }

    /// Waits until the engine is ready; gives how long that took.
    pub(crate) fn await_ready(&mut self, limit: Duration) -> Result<Duration, Stop> {
        let began = Instant::now();
        self.wait(began + limit, |talk| talk.ready.then_some(()))?;
        Ok(began.elapsed())
    }

    /// Waits for a ply.
    pub(crate) fn await_ply(&mut self, until: Instant) -> Result<Answer, Stop> {
        self.wait(until, |talk| talk.answers.pop_front())
    }

    /// Listens for a while to what nobody asked for.
    pub(crate) fn listen(&mut self, time: Duration) {
        // Messages that are to arrive together wait for the last of them.
        if !self.outbox.is_empty() {
            return;
        }
        let until = Instant::now() + time;
        while self.step(until).is_none() {}
    }

    /// Waits for the answer an engine may still give to the ply that ended the game, and forgets it.
    pub(crate) fn drain_answer(&mut self, time: Duration) {
        let until = Instant::now() + time;
        let is_answer = |said: &Said| matches!(said.remark, Remark::OutOfTurn(_));
        let before = self.said.iter().filter(|said| is_answer(said)).count();
        while self.said.iter().filter(|said| is_answer(said)).count() == before && self.step(until).is_none() {}
        if let Some(index) = self.said.iter().rposition(is_answer).filter(|_| before == 0) {
            self.said.remove(index);
        }
    }

    /// Whether the engine has lost by a foul.
    pub(crate) const fn foul(&self) -> Option<&'static Reason> {
        self.foul
    }

    /// The next line that means something, past the referee's end of the protocol: for commands it does not know.
    pub(crate) fn hear(&mut self, time: Duration) -> Result<String, Stop> {
        let until = Instant::now() + time;
        loop {
            match self.probe.next(until) {
                Heard::Line(bytes, _) => {
                    let line = decode(&bytes).trim().to_owned();
                    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
                    if !line.is_empty() && word != "MESSAGE" && word != "DEBUG" {
                        self.last_line = Some(line.clone());
                        return Ok(line);
                    }
                    if Instant::now() >= until {
                        return Err(Stop::Silent);
                    }
                }
                Heard::Closed => return Err(Stop::Closed),
                Heard::CutShort => return Err(Stop::CutShort),
                Heard::Nothing => return Err(Stop::Silent),
            }
        }
    }
}

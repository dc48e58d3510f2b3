//! Moving bytes between the referee and its engines: one thread, one `poll`.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use games::Side;
use protocols::{Act, Awaits, Remark};
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::idle::{self, IDLE_ALLOWANCE};
use crate::lines::decode;
use crate::seat::{EngineSeat, Seat, push_lines};
use crate::transcript::{Direction, Transcript};
use crate::waits::{Kept, OwnWait, SLOW};

/// Three pipes for each of two engines.
const MOST_PIPES: usize = 6;
/// What is read at once.
const CHUNK: usize = 64 << 10;
/// Being woken by an engine keeps that engine waiting too, if both share a core.
const WAKING: Duration = Duration::from_micros(50);
/// If handling what an engine says takes longer than this, somebody else had our core meanwhile.
const LONGEST_HANDLING: Duration = Duration::from_millis(5);
/// How often an idle engine is looked at while its opponent thinks.
const IDLE_LOOK: Duration = Duration::from_millis(20);
/// The longest wait for an engine that prepares before its first clock, whatever its protocol says.
const MOST_SETTLING: Duration = Duration::from_secs(2);

/// The pipes of both seats.
pub(crate) struct Pump<'a> {
    pub(crate) seats: &'a mut [Seat; 2],
    pub(crate) transcript: Transcript,
    pub(crate) output_limit: u64,
    /// A list used over and over, so that a ply allocates little.
    pub(crate) scratch: Vec<Act>,
    gap: Duration,
    ponder: bool,
    began: Instant,
    /// When the idle engine is looked at next. A moment of its own, so that nobody's chatter can put it off.
    next_look: Instant,
    /// When the next whole turn is measured for each seat: looking costs more than a quick ply.
    next_sample: [Instant; 2],
    /// Whoever plays inside this thread thought for a while the last time.
    slow_inside: bool,
    own_wait: OwnWait,
    /// How long ago what is being read now was there.
    late: Duration,
    chunk: Box<[u8]>,
}

/// Which of an engine's three pipes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pipe {
    Output,
    Error,
    Input,
}

impl<'a> Pump<'a> {
    pub(crate) fn new(
        seats: &'a mut [Seat; 2],
        transcript: Transcript,
        gap: Duration,
        ponder: bool,
        output_limit: u64,
    ) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let (began, scratch) = (Instant::now(), Vec::new());
        let (next_look, next_sample) = (began + IDLE_LOOK, [began; 2]);
        let slow_inside = false;
        let (own_wait, late) = (OwnWait::of_this_thread(), Duration::ZERO);
        Self {
            seats,
            transcript,
            output_limit,
            scratch,
            gap,
            ponder,
            began,
            next_look,
            next_sample,
            slow_inside,
            own_wait,
            late,
            chunk,
        }
    }

    /// Does what the referee's end of a protocol wants.
    pub(crate) fn perform(&mut self, seat: Side, acts: Vec<Act>) {
        let mut acts = acts;
        self.perform_all(seat, &mut acts);
    }

    /// The same with the scratch list, which is kept.
    pub(crate) fn perform_scratch(&mut self, seat: Side, mut acts: Vec<Act>) {
        self.perform_all(seat, &mut acts);
        self.scratch = acts;
    }

    fn perform_all(&mut self, seat: Side, acts: &mut Vec<Act>) {
        let Seat::Engine(engine) = &mut self.seats[seat.index()] else { return };
        for act in acts.drain(..) {
            match act {
                Act::Send(lines) => {
                    send(engine, &lines, self.gap);
                    for line in lines.split('\n') {
                        self.transcript.add(self.began.elapsed(), seat, Direction::ToEngine, line.as_bytes());
                    }
                }
                Act::Named(name) => engine.name = Some(name).filter(|name| !name.is_empty()),
                Act::Ready => {
                    engine.ready = true;
                    engine.timer = None;
                }
                Act::Ply(ply) => engine.answers.push_back((ply, Instant::now() - self.late)),
                Act::Remark(remark) => {
                    if let Remark::Unreadable(line) = &remark {
                        // Once a turn is enough: the lines themselves are in the transcript.
                        if engine.unreadable.is_none() {
                            let note = b"skipped: a move is due, and this line is none";
                            self.transcript.add(self.began.elapsed(), seat, Direction::Remark, note);
                        }
                        engine.unreadable = Some(line.clone());
                    }
                    engine.remark(remark);
                }
                Act::Score(score) => engine.score = Some(score),
                Act::Foul(reason) => {
                    engine.foul.get_or_insert(reason);
                }
                Act::Reload => engine.reload = true,
                Act::Timer(after) => engine.timer = Some(Instant::now() + after),
            }
        }
    }

    /// Writes a remark of the referee's into the transcript.
    pub(crate) fn note(&mut self, seat: Side, text: &str) {
        self.transcript.add(self.began.elapsed(), seat, Direction::Remark, text.as_bytes());
    }

    /// Waits until an engine has done what it does before its first clock starts. Its protocol bounds the wait, and so
    /// does this; nobody is charged for it.
    pub(crate) fn settle(&mut self, seat: Side) {
        let until = Instant::now() + MOST_SETTLING;
        while Instant::now() < until && self.is_settling(seat) {
            self.wait(Some(until), None);
        }
    }

    fn is_settling(&mut self, seat: Side) -> bool {
        let limit = self.output_limit;
        let engine = self.seats[seat.index()].as_engine();
        engine.is_some_and(|engine| {
            let calm = engine.end.as_ref().is_none_or(|end| end.awaits() != Awaits::Calm);
            !calm && !engine.closed && engine.foul.is_none() && engine.output_bytes <= limit
        })
    }

    /// Sends what waits in the outboxes.
    fn post(&mut self) {
        for engine in self.seats.iter_mut().filter_map(Seat::as_engine) {
            engine.post();
        }
    }

    /// A seat is asked: it must not be suspended. Gives the moment its clock starts: right before the request is
    /// written, because the engine may run before the write has returned to us.
    pub(crate) fn turn_begins(&mut self, seat: Side, first: bool) -> Instant {
        if let Some(engine) = self.seats[seat.other().index()].as_engine() {
            engine.post();
        }
        self.idle_ends(seat);
        let Some(engine) = self.seats[seat.index()].as_engine() else { return Instant::now() };
        if let Some(process) = &mut engine.process {
            // Nothing but the write itself comes after the clock has started.
            process.resume();
            if first {
                process.mark(engine.slow);
            }
        }
        let now = Instant::now();
        // With a gap between messages the request has gone out already.
        let asked = engine.last_sent.filter(|_| engine.outbox.is_empty()).unwrap_or(now);
        engine.post();
        asked
    }

    /// How long the machine kept an engine from running since its turn began, measured where its plies are slow.
    pub(crate) fn kept(&mut self, seat: Side, time: Duration) -> Kept {
        let Some(engine) = self.seats[seat.index()].as_engine() else { return Kept::default() };
        engine.slow = time >= SLOW;
        engine.process.as_mut().map(crate::process::Process::kept).unwrap_or_default()
    }

    /// How long this machine has kept a seat waiting so far, where that is measured: by an engine's cage, or by the
    /// kernel for a player inside this thread. And how much of it the seat may have caused itself: everything, once it
    /// has flooded its standard error.
    pub(crate) fn waited(&self, seat: Side) -> (Duration, Duration) {
        match &self.seats[seat.index()] {
            Seat::Engine(engine) => {
                let here = engine.process.as_ref().and_then(crate::process::Process::stall).unwrap_or_default();
                let floods = engine.error_bytes > self.output_limit;
                (here, if floods { Duration::MAX } else { engine.handled })
            }
            Seat::Local(_) => (crate::stolen::this_thread_waited().unwrap_or_default(), Duration::ZERO),
        }
    }

    /// A seat has played: from here on its processor time is its opponent's. Short turns are measured now and then,
    /// long ones when it turns out that they are.
    pub(crate) fn turn_over(&mut self, seat: Side) {
        let ponder = self.ponder;
        let Some(engine) = self.seats[seat.index()].as_engine() else { return };
        engine.idle.forget();
        if ponder {
            return;
        }
        if engine.idle.is_suspended_at_once() {
            // What it has still to read would wake it again.
            engine.post();
            if let Some(process) = engine.process.as_mut().filter(|process| process.unsent_to().is_none()) {
                process.suspend();
            }
            return;
        }
        let now = Instant::now();
        let next = &mut self.next_sample[seat.index()];
        if let (Some(process), true) = (&engine.process, now >= *next) {
            *next = now + IDLE_LOOK;
            engine.idle.begin(process);
        }
    }

    /// Its opponent's turn is over.
    fn idle_ends(&mut self, seat: Side) {
        let Some(engine) = self.seats[seat.index()].as_engine() else { return };
        let Some(process) = &mut engine.process else { return };
        if engine.idle.end(process) {
            self.transcript.add(self.began.elapsed(), seat, Direction::Remark, idle::NOTE_AT_ONCE.as_bytes());
        }
    }

    /// Handles what is there already; true if anything was.
    pub(crate) fn poll_once(&mut self) -> bool {
        self.poll_until(Some(Instant::now()), false)
    }

    /// Waits until something happens or the deadline passes. While `thinking` thinks, its opponent is looked after.
    pub(crate) fn wait(&mut self, deadline: Option<Instant>, thinking: Option<Side>) {
        let timers = self.seats.iter().filter_map(|seat| match seat {
            Seat::Engine(engine) => engine.timer,
            Seat::Local(_) => None,
        });
        let looked_after = |seat: &Side| match &self.seats[seat.index()] {
            Seat::Engine(engine) => !self.ponder && engine.process.is_some(),
            Seat::Local(_) => false,
        };
        let idle = thinking.map(Side::other).filter(looked_after);
        let look = idle.map(|_| self.next_look);
        let until = timers.chain(deadline).chain(look).min();
        let slow = thinking.is_some_and(|seat| self.seats[seat.index()].as_engine().is_some_and(|engine| engine.slow));
        let heard = self.poll_until(until, slow);
        if !heard && let Some(engine) = thinking.and_then(|seat| self.seats[seat.index()].as_engine()) {
            // It is slower than it was.
            engine.slow = true;
            engine.process.iter_mut().for_each(crate::process::Process::mark_late);
        }
        let now = Instant::now();
        for seat in Side::BOTH {
            self.ring(seat, now);
        }
        if let Some(seat) = idle
            && now >= self.next_look
        {
            self.next_look = now + IDLE_LOOK;
            self.look_at_idle(seat);
        }
    }

    /// Calls the protocol when the time it asked for has passed.
    fn ring(&mut self, seat: Side, now: Instant) {
        let Seat::Engine(engine) = &mut self.seats[seat.index()] else { return };
        if engine.timer.is_some_and(|timer| timer <= now) {
            engine.timer = None;
            let mut acts = Vec::new();
            if let Some(end) = &mut engine.end {
                end.timer(&mut acts);
            }
            self.perform(seat, acts);
        }
    }

    /// Suspends an engine that computes on its opponent's time.
    fn look_at_idle(&mut self, seat: Side) {
        let Some(engine) = self.seats[seat.index()].as_engine() else { return };
        let Some(process) = &mut engine.process else { return };
        if engine.idle.is_suspended_at_once() || process.is_suspended() {
            return process.suspend();
        }
        let used = engine.idle.look(process);
        if used > IDLE_ALLOWANCE {
            let often = engine.idle.end(process);
            process.suspend();
            let time = self.began.elapsed();
            self.transcript.add(time, seat, Direction::Remark, idle::note_of_pause(used).as_bytes());
            if often {
                self.transcript.add(time, seat, Direction::Remark, idle::NOTE_AT_ONCE.as_bytes());
            }
        }
    }

    /// Somebody inside this thread is about to think. Nobody can look after his opponent meanwhile, so one that
    /// computed at such a time before is suspended at once.
    pub(crate) fn thinking_inside_begins(&mut self, idle: Side) {
        let measured = !self.ponder && self.slow_inside;
        let Some(engine) = self.seats[idle.index()].as_engine().filter(|_| measured) else { return };
        let Some(process) = &mut engine.process else { return };
        if engine.idle.is_suspended_at_once() {
            process.suspend();
        } else {
            engine.idle.begin(process);
        }
    }

    /// He has thought so long. What his opponent said meanwhile was not asked for: read later, it would be taken for
    /// the answer to the next request.
    pub(crate) fn thinking_inside_ends(&mut self, idle: Side, time: Duration) {
        self.poll_once();
        // Measuring costs more than a quick ply, so it begins when plies are slow.
        let measured = std::mem::replace(&mut self.slow_inside, time > IDLE_LOOK) && !self.ponder;
        let Some(engine) = self.seats[idle.index()].as_engine().filter(|_| measured) else { return };
        let Some(process) = &mut engine.process else { return };
        if process.is_suspended() {
            // It is its turn, or it is asked to take back.
            return process.resume();
        }
        let used = engine.idle.look(process);
        let often = engine.idle.end(process);
        if often || used > IDLE_ALLOWANCE {
            // Nobody can look after it at such times.
            engine.idle.suspend_at_once();
            self.transcript.add(self.began.elapsed(), idle, Direction::Remark, idle::NOTE_AT_ONCE.as_bytes());
        }
    }

    /// Polls the pipes once, until this moment at the latest; true if anything was read or written. How late that was
    /// is measured where it matters.
    fn poll_until(&mut self, until: Option<Instant>, measured: bool) -> bool {
        self.post();
        let asleep = if measured { self.own_wait.sleeps(until) } else { None };
        let timeout = until.map(|until| {
            let left = until.saturating_duration_since(Instant::now());
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() }
        });
        let mut ready = ArrayVec::<(Side, Pipe), MOST_PIPES>::new();
        {
            let mut owners = ArrayVec::<(Side, Pipe), MOST_PIPES>::new();
            let mut watched = ArrayVec::<PollFd<'_>, MOST_PIPES>::new();
            for side in Side::BOTH {
                let Seat::Engine(engine) = &self.seats[side.index()] else { continue };
                for (pipe, fd) in pipes_of(engine) {
                    let flags = if pipe == Pipe::Input { PollFlags::OUT } else { PollFlags::IN };
                    watched.push(PollFd::from_borrowed_fd(fd, flags));
                    owners.push((side, pipe));
                }
            }
            match rustix::event::poll(&mut watched, timeout.as_ref()) {
                Ok(0) | Err(_) => return false,
                Ok(_) => {}
            }
            ready.extend(
                owners.into_iter().zip(&watched).filter(|(_, fd)| !fd.revents().is_empty()).map(|(owner, _)| owner),
            );
        }
        self.late = asleep.map_or(Duration::ZERO, |asleep| self.own_wait.woke(&asleep));
        for &(side, pipe) in &ready {
            let began = Instant::now();
            match pipe {
                Pipe::Output => self.read_output(side),
                Pipe::Error => self.read_error(side),
                Pipe::Input => {
                    if let Some(process) =
                        self.seats[side.index()].as_engine().and_then(|engine| engine.process.as_mut())
                    {
                        process.flush();
                    }
                }
            }
            if let Some(engine) = self.seats[side.index()].as_engine() {
                engine.handled += WAKING + began.elapsed().min(LONGEST_HANDLING);
            }
        }
        self.late = Duration::ZERO;
        true
    }

    fn read_output(&mut self, seat: Side) {
        let Seat::Engine(engine) = &mut self.seats[seat.index()] else { return };
        let Some(stdout) = engine.process.as_ref().and_then(|process| process.stdout.as_ref()) else { return };
        let count = match rustix::io::read(stdout, &mut *self.chunk) {
            Ok(count) => count,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return,
            Err(_) => 0,
        };
        let mut acts = std::mem::take(&mut self.scratch);
        let time = self.began.elapsed();
        let EngineSeat { splitter, end, process, closed, output_bytes, .. } = &mut **engine;
        let transcript = &mut self.transcript;
        let mut take = |bytes: &[u8], dropped: usize| {
            transcript.add(time, seat, Direction::FromEngine, bytes);
            if dropped > 0 {
                let note = format!("{dropped} bytes of this line were dropped");
                transcript.add(time, seat, Direction::Remark, note.as_bytes());
            }
            if let Some(end) = end {
                end.line(&decode(bytes), &mut acts);
            }
        };
        if count == 0 {
            splitter.finish(&mut take);
            *closed = true;
            if let Some(process) = process {
                process.stdout = None;
            }
        } else {
            // Who has lost by a flood is read on until somebody looks, but not kept: a log would fill the disk.
            if *output_bytes <= self.output_limit {
                splitter.feed(&self.chunk[..count], &mut take);
            }
            *output_bytes += count as u64;
        }
        self.perform_scratch(seat, acts);
    }

    fn read_error(&mut self, seat: Side) {
        let Seat::Engine(engine) = &mut self.seats[seat.index()] else { return };
        let EngineSeat { process, error_splitter, error_bytes, .. } = &mut **engine;
        let Some(process) = process else { return };
        let Some(stderr) = &process.stderr else { return };
        match rustix::io::read(stderr, &mut *self.chunk) {
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Ok(0) | Err(_) => process.stderr = None,
            Ok(count) => {
                let (time, transcript) = (self.began.elapsed(), &mut self.transcript);
                if *error_bytes > self.output_limit {
                    return;
                }
                *error_bytes += count as u64;
                if *error_bytes > self.output_limit {
                    let note = b"its standard error is read on but no longer kept";
                    transcript.add(time, seat, Direction::Remark, note);
                    return;
                }
                error_splitter
                    .feed(&self.chunk[..count], |bytes, _| transcript.add(time, seat, Direction::Error, bytes));
            }
        }
    }
}

/// The pipes of an engine that are to be watched.
fn pipes_of(engine: &EngineSeat) -> impl Iterator<Item = (Pipe, BorrowedFd<'_>)> {
    let process = engine.process.as_ref();
    let output = process.and_then(|process| process.stdout.as_ref()).map(|pipe| (Pipe::Output, pipe.as_fd()));
    let error = process.and_then(|process| process.stderr.as_ref()).map(|pipe| (Pipe::Error, pipe.as_fd()));
    let input = process.and_then(crate::process::Process::unsent_to).map(|pipe| (Pipe::Input, pipe));
    [output, error, input].into_iter().flatten()
}

/// Puts a message into the outbox. Messages to one engine that follow each other at once go out in one write, unless
/// the engine needs a gap between them.
fn send(engine: &mut EngineSeat, lines: &str, gap: Duration) {
    push_lines(&mut engine.outbox, lines, engine.spec.protocol.facts().line_end);
    if !gap.is_zero() {
        if let Some(last) = engine.last_sent {
            std::thread::sleep(gap.saturating_sub(last.elapsed()));
        }
        engine.last_sent = Some(Instant::now());
        engine.post();
    }
}

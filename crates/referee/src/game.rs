//! Playing one game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{End, Event, Eyes, Fault, Side, Table};
use protocols::{Act, Clock, RefereeEnd, Retry};
use serde_json::Value;

use crate::adjudication::Adjudicator;
use crate::clock::{SeatClock, TimeControl};
use crate::decision::{Decision, Evidence, reasons};
use crate::host::Host;
use crate::process::StartError;
use crate::pump::Pump;
use crate::seat::{Choice, Seat, Turn, outcome_for};
use crate::spec::GameSpec;
use crate::stolen::{StolenTime, Waited};
use crate::transcript::Transcript;

/// How long an engine has to leave after the farewell.
pub(crate) const FAREWELL: Duration = Duration::from_secs(1);
/// A stall of more than this part of the limit is marked, and a loss on time with it does not count.
pub(crate) const STALL_THAT_COUNTS: u32 = 20;

/// A step of the game as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedPly {
    /// Who.
    pub mover: Side,
    /// The ply, in the referee's notation.
    pub ply: String,
    /// How it ended.
    pub end: End,
    /// The time it took, from the request to the newline of the answer, less the stall.
    pub time: Duration,
    /// The time in which the engine wanted to run and the machine did not let it; a cage of level A measures it.
    pub stall: Duration,
}

/// Everything about a finished game.
pub struct GameReport {
    /// How it was decided.
    pub decision: Decision,
    /// What was played, refused tries included.
    pub plies: Vec<PlayedPly>,
    /// The names the seats gave themselves.
    pub names: [String; 2],
    /// The time each seat used.
    pub used: [Duration; 2],
    /// The final position.
    pub table: Box<dyn Table>,
    /// The conversation.
    pub transcript: Transcript,
    /// The weakest cage an engine ran in: the level's letter, or `none`.
    pub sandbox: String,
    /// The most memory the mover had had by each step, in bytes, where a cage measures it.
    pub memory: Vec<Option<u64>>,
    /// What came of each caged engine, once it has left.
    pub cages: [Option<sandbox::Report>; 2],
}

/// Somebody who watches a game while it is played.
pub trait Watcher {
    /// The seats are ready.
    fn started(&mut self, _names: [&str; 2], _table: &dyn Table) {}
    /// A step was taken, refused tries included, or (`None`) steps were taken back.
    fn stepped(&mut self, _table: &dyn Table, _last: Option<&PlayedPly>, _clocks: [Clock; 2]) {}
    /// Whether the game should be stopped.
    fn wants_stop(&mut self) -> bool {
        false
    }
}

/// Nobody watches.
impl Watcher for () {}

/// Plays a game to its end, whatever the seats do.
pub fn play(
    host: &Arc<Host>,
    mut spec: GameSpec,
    seats: &mut [Seat; 2],
    watcher: &mut dyn Watcher,
) -> Result<GameReport, StartError> {
    let (history, clocks) = (std::mem::take(&mut spec.history), spec.clocks);
    let mut game = Game::new(host, spec, seats);
    let decision = match game.get_ready()? {
        Some(decision) => decision,
        None => {
            let names = game.pump.seats.each_ref().map(Seat::name);
            watcher.started([&names[0], &names[1]], game.table.as_ref());
            game.begin(!history.is_empty());
            let decided = game.lead_in(history)?;
            game.clocks = clocks.unwrap_or(game.clocks);
            match decided {
                Some(decision) => decision,
                None => game.run(watcher)?,
            }
        }
    };
    game.say_farewell(&decision);
    let names = game.pump.seats.each_ref().map(Seat::name);
    let mut transcript = game.pump.transcript;
    transcript.finish();
    let used = game.clocks.map(|clock| clock.used());
    let sandbox = weakest_cage(game.pump.seats);
    let mut memory = game.memory;
    memory.resize(game.plies.len(), None);
    let cages = game.pump.seats.each_mut().map(|seat| seat.as_engine().and_then(|engine| engine.left.take()));
    Ok(GameReport { decision, plies: game.plies, names, used, table: game.table, transcript, sandbox, memory, cages })
}

/// The weakest cage an engine sits in.
fn weakest_cage(seats: &[Seat; 2]) -> String {
    let engines = seats.iter().filter_map(|seat| match seat {
        Seat::Engine(engine) => Some(engine.spec.command.cage.as_ref().map(|cage| cage.sandbox.level())),
        Seat::Local(_) => None,
    });
    // Levels are ordered from the strongest to the weakest; no cage is weaker than all.
    let weakest = engines.max_by_key(|level| level.map_or(u8::MAX, |level| level as u8)).flatten();
    weakest.map_or_else(|| "none".to_owned(), |level| level.to_string().to_lowercase())
}

pub(crate) struct Game<'a> {
    pub(crate) host: &'a Arc<Host>,
    pub(crate) excuse_stalls: bool,
    pub(crate) stolen: StolenTime,
    /// What the machine had kept the seat on turn waiting when it was asked.
    pub(crate) waited_before: Waited,
    /// How long this program had stood still by then.
    stood_before: Duration,
    /// The game before the first ply, for replaying.
    pub(crate) start: Box<dyn Table>,
    pub(crate) table: Box<dyn Table>,
    pub(crate) position: Option<String>,
    pub(crate) time: TimeControl,
    pub(crate) start_limit: Option<Duration>,
    pub(crate) keep: bool,
    pub(crate) adjudicator: Adjudicator,
    pub(crate) clocks: [SeatClock; 2],
    pub(crate) plies: Vec<PlayedPly>,
    /// The peak of the mover's memory by the step of the same index; shorter where nothing was measured.
    pub(crate) memory: Vec<Option<u64>>,
    pub(crate) pump: Pump<'a>,
}

/// How a turn ended.
#[expect(clippy::large_enum_variant, reason = "one at a time, and gone at once: a box would save nothing")]
pub(crate) enum TurnEnd {
    Stepped,
    TakenBack,
    Decided(Decision),
}

impl<'a> Game<'a> {
    /// A game before its first ply. What was played before it is not looked at here.
    pub(crate) fn new(host: &'a Arc<Host>, spec: GameSpec, seats: &'a mut [Seat; 2]) -> Self {
        Self {
            host,
            start: spec.table.fork(),
            table: spec.table,
            position: spec.position,
            time: spec.time,
            start_limit: spec.start_limit,
            keep: spec.keep,
            excuse_stalls: spec.excuse_stalls,
            stolen: StolenTime::of_this_thread(),
            waited_before: Waited::default(),
            stood_before: Duration::ZERO,
            adjudicator: Adjudicator::new(spec.adjudication),
            clocks: [SeatClock::new(spec.time); 2],
            plies: Vec::new(),
            memory: Vec::new(),
            pump: Pump::new(seats, spec.transcript, spec.gap, spec.ponder, spec.output_limit),
        }
    }
}

impl Game<'_> {
    /// Tells both seats that the game begins, the one that waits first; `led` when plies were played already.
    fn begin(&mut self, led: bool) {
        let (variant, position) = (self.table.variant(), self.position.clone());
        for seat in [self.table.to_move().other(), self.table.to_move()] {
            self.begin_seat(seat, &variant, position.as_deref(), led);
        }
    }

    pub(crate) fn begin_seat(&mut self, seat: Side, variant: &Value, position: Option<&str>, led: bool) {
        let led = led && self.can_be_led(seat);
        match &mut self.pump.seats[seat.index()] {
            Seat::Local(local) => local.begin(variant, seat, position),
            Seat::Engine(engine) => {
                let mut acts = Vec::new();
                match &mut engine.end {
                    Some(end) if led => end.begin_led(&mut acts),
                    Some(end) => end.begin(&mut acts),
                    None => {}
                }
                self.pump.perform(seat, acts);
                self.pump.settle(seat);
            }
        }
    }

    fn run(&mut self, watcher: &mut dyn Watcher) -> Result<Decision, StartError> {
        loop {
            if let Some(decision) = Decision::by_rules(self.table.as_ref()) {
                return Ok(decision);
            }
            if watcher.wants_stop() {
                return Ok(Decision::none(&reasons::STOPPED, self.table.plies(), Evidence::default()));
            }
            let mover = self.table.to_move();
            match self.take_turn(mover, watcher)? {
                TurnEnd::Stepped => {
                    watcher.stepped(self.table.as_ref(), self.plies.last(), self.clocks.map(|clock| clock.told()));
                    if let Some(decision) = self.adjudicate(mover) {
                        return Ok(decision);
                    }
                }
                TurnEnd::TakenBack => {
                    self.adjudicator.forget();
                    watcher.stepped(self.table.as_ref(), None, self.clocks.map(|clock| clock.told()));
                }
                TurnEnd::Decided(decision) => return Ok(decision),
            }
        }
    }

    /// Whether the game ends here although the rules would go on.
    fn adjudicate(&mut self, mover: Side) -> Option<Decision> {
        let score = self.pump.seats[mover.index()].as_engine().and_then(|engine| engine.score.take());
        let decision = self.adjudicator.after(mover, score, self.table.plies())?;
        // What the rules say comes first.
        Some(Decision::by_rules(self.table.as_ref()).unwrap_or(decision))
    }

    /// One seat's turn: until a ply stands, the seat has lost, or the game is over for another reason.
    fn take_turn(&mut self, seat: Side, watcher: &mut dyn Watcher) -> Result<TurnEnd, StartError> {
        let clock = self.clocks[seat.index()];
        let (limit, allowed) = (clock.limit(), clock.allowed());
        let mut began = None;
        let mut illegal: Option<(String, Fault)> = None;
        loop {
            let asked = self.ask(seat, clock.told(), began.is_none());
            // Refused tries and corrections run on the clock of the first request, and what the machine took since then
            // is not charged.
            let (began, waited_before, stood_before) =
                *began.get_or_insert((asked, self.waited_before, self.stood_still(seat)));
            (self.waited_before, self.stood_before) = (waited_before, stood_before);
            let (ply, time) = match self.await_answer(seat, began, allowed) {
                Answer::Ply(ply, time) => (ply, time),
                Answer::TakeBack(side) => return self.take_back(side),
                Answer::Decided(decision) => return Ok(TurnEnd::Decided(decision)),
                Answer::TimedOut(measured) => {
                    let decision = self.timed_out(seat, limit, measured, illegal);
                    self.clocks[seat.index()].charge(measured);
                    return Ok(TurnEnd::Decided(decision));
                }
            };
            let (taken, kept) = (began.elapsed(), self.pump.kept(seat, time));
            let time = kept.charge(time).saturating_sub(self.stalled(seat));
            let stall = taken.saturating_sub(time);
            if allowed.is_some_and(|allowed| time > allowed) {
                let decision = self.timed_out(seat, limit, time, illegal);
                self.clocks[seat.index()].charge(time);
                return Ok(TurnEnd::Decided(decision));
            }
            if let Some(over) = limit.and_then(|limit| time.checked_sub(limit)).filter(|over| !over.is_zero()) {
                let (over, tolerance) = (over.as_secs_f64() * 1000.0, clock.tolerance().as_millis());
                self.pump.note(seat, &format!("{over:.1} ms over its time, within the tolerance of {tolerance} ms"));
            }
            match self.table.play(&ply, Eyes::Seat(seat)) {
                Ok(played) => {
                    let refused = matches!(played.end, End::Refused(_));
                    let text = self.table.step(self.table.steps() - 1, Eyes::All).and_then(|step| step.ply);
                    let step = PlayedPly { mover: seat, ply: text.unwrap_or(ply), end: played.end, time, stall };
                    // The same try is refused again: told each time, but kept once, or it would fill the memory.
                    let known = refused && self.refused_before(&step);
                    if !known {
                        self.memory.resize(self.plies.len(), None);
                        let peak = self.peak_memory(seat);
                        self.memory.push(peak);
                        self.plies.push(step);
                    }
                    if !refused {
                        self.clocks[seat.index()].charge(time);
                    }
                    for learner in [seat, seat.other()] {
                        self.tell(learner, learner == seat);
                    }
                    if known {
                        self.table.undo();
                    }
                    if !refused {
                        self.pump.turn_over(seat);
                        return Ok(TurnEnd::Stepped);
                    }
                    if !known {
                        watcher.stepped(self.table.as_ref(), self.plies.last(), self.clocks.map(|clock| clock.told()));
                    }
                }
                Err(fault) => {
                    let again = self.say_illegal(seat, &fault);
                    if !again {
                        self.clocks[seat.index()].charge(time);
                        return Ok(TurnEnd::Decided(self.illegal(seat, &ply, &fault)));
                    }
                    illegal = Some((ply, fault));
                }
            }
        }
    }

    /// Whether this try was refused already since the last ply that stands.
    fn refused_before(&self, step: &PlayedPly) -> bool {
        let refused = |known: &&PlayedPly| matches!(known.end, End::Refused(_));
        self.plies.iter().rev().take_while(refused).any(|known| known.ply == step.ply)
    }

    /// Asks a seat for a ply, for the first time in its turn or once more; gives the moment the request was written.
    pub(crate) fn ask(&mut self, seat: Side, clock: Clock, first: bool) -> Instant {
        if let Seat::Engine(engine) = &mut self.pump.seats[seat.index()]
            && let Some(end) = &mut engine.end
        {
            if end.awaits() != protocols::Awaits::Ply {
                // What it thought on its opponent's time was of another position.
                engine.score = None;
                engine.unreadable.take_if(|_| first);
                let mut acts = std::mem::take(&mut self.pump.scratch);
                end.turn(clock, &mut acts);
                self.pump.perform_scratch(seat, acts);
            }
            let asked = self.pump.turn_begins(seat, first);
            self.waited_before = self.waited(seat);
            return asked;
        }
        self.waited_before = self.waited(seat);
        Instant::now()
    }

    /// How long this program has stood still, as far as somebody inside it is charged for it.
    fn stood_still(&self, seat: Side) -> Duration {
        match &self.pump.seats[seat.index()] {
            Seat::Local(local) => local.stood_still(),
            Seat::Engine(_) => Duration::ZERO,
        }
    }

    /// Waits for a seat's answer, no longer than it is allowed.
    pub(crate) fn await_answer(&mut self, seat: Side, began: Instant, allowed: Option<Duration>) -> Answer {
        if matches!(self.pump.seats[seat.index()], Seat::Local(_)) {
            self.pump.thinking_inside_begins(seat.other());
        }
        if let Seat::Local(local) = &mut self.pump.seats[seat.index()] {
            // Whoever is inside is told his time, not what would be forgiven.
            let excused = local.stood_still().saturating_sub(self.stood_before);
            let deadline = self.clocks[seat.index()].limit().map(|limit| began + limit + excused);
            let turn = Turn::new(self.table.as_ref(), seat, self.clocks[seat.index()].told(), deadline);
            let plies = self.table.plies();
            let resigned = |seat| Decision::against(seat, &reasons::RESIGNED, plies, Evidence::default());
            let choice = local.choose(&turn);
            let time = began.elapsed().saturating_sub(local.stood_still().saturating_sub(self.stood_before));
            self.pump.thinking_inside_ends(seat.other(), time);
            return match choice {
                Choice::Ply(ply) => Answer::Ply(ply, time),
                Choice::TakeBack => Answer::TakeBack(seat),
                Choice::TakeBackOfOpponent => Answer::TakeBack(seat.other()),
                Choice::Resign => Answer::Decided(resigned(seat)),
                Choice::ResignOfOpponent => Answer::Decided(resigned(seat.other())),
                Choice::AgreedDraw => Answer::Decided(Decision::draw(&reasons::AGREED, plies)),
                Choice::OutOfTime => Answer::TimedOut(time),
                Choice::Stop => Answer::Decided(Decision::none(&reasons::STOPPED, plies, Evidence::default())),
            };
        }
        let deadline = allowed.map(|allowed| began + allowed);
        let mut drained = false;
        loop {
            for side in [seat, seat.other()] {
                if let Some(decision) = self.lost_already(side, side == seat) {
                    return Answer::Decided(decision);
                }
            }
            if let Some(engine) = self.pump.seats[seat.index()].as_engine()
                && let Some((ply, read)) = engine.answers.pop_front()
            {
                return Answer::Ply(ply, read.saturating_duration_since(began));
            }
            let measured = began.elapsed();
            if allowed.is_none_or(|allowed| measured < allowed) {
                self.pump.wait(deadline, Some(seat));
            } else if let Some(later) = self.stalled_until(seat, began, allowed) {
                self.pump.wait(Some(later), Some(seat));
            } else if drained {
                return Answer::TimedOut(measured);
            } else {
                // What was written in time may not have been read yet; chatter gets no second look.
                self.pump.poll_once();
                drained = true;
            }
        }
    }

    /// Whether an engine has lost by what it did besides playing: a foul, a flood, or leaving.
    fn lost_already(&mut self, seat: Side, on_turn: bool) -> Option<Decision> {
        let plies = self.table.plies();
        let limit = self.pump.output_limit;
        let engine = self.pump.seats[seat.index()].as_engine()?;
        if let Some(foul) = engine.foul {
            return Some(Decision::against(seat, foul, plies, self.evidence(seat)));
        }
        if engine.output_bytes > limit {
            return Some(Decision::against(seat, &reasons::OUTPUT, plies, self.flood_evidence(seat)));
        }
        let broken = engine.process.as_ref().and_then(|process| engine.idle.broken(process));
        if let Some((allowed, undone)) = broken {
            let evidence = self.pause_evidence(seat, allowed, undone);
            return Some(Decision::against(seat, &reasons::UNDONE_PAUSE, plies, evidence));
        }
        let engine = self.pump.seats[seat.index()].as_engine()?;
        // An answer that came together with the process's end still counts.
        if engine.closed && (!on_turn || engine.answers.is_empty()) {
            let (reason, evidence) = self.exit(seat);
            return Some(Decision::against(seat, reason, plies, evidence));
        }
        None
    }

    /// Passes on what a seat learned from the last step.
    pub(crate) fn tell(&mut self, seat: Side, own: bool) {
        self.tell_by(seat, own, |end, events, acts| end.learned(own, events, acts));
    }

    pub(crate) fn tell_by(
        &mut self,
        seat: Side,
        own: bool,
        tell: impl FnOnce(&mut dyn RefereeEnd, &[Event], &mut Vec<Act>),
    ) {
        let events = self.table.learned(seat);
        match &mut self.pump.seats[seat.index()] {
            Seat::Local(local) => local.learned(own, &events),
            Seat::Engine(engine) => {
                let mut acts = std::mem::take(&mut self.pump.scratch);
                if let Some(end) = &mut engine.end {
                    tell(end.as_mut(), &events, &mut acts);
                }
                self.pump.perform_scratch(seat, acts);
            }
        }
    }

    /// Tells a seat that its ply is illegal; true when it may answer again.
    fn say_illegal(&mut self, seat: Side, fault: &Fault) -> bool {
        match &mut self.pump.seats[seat.index()] {
            Seat::Local(local) => {
                local.wrong(fault);
                local.may_try_again()
            }
            Seat::Engine(engine) => {
                let mut acts = Vec::new();
                let retry = engine.end.as_mut().map_or(Retry::Never, |end| end.illegal(&mut acts));
                self.pump.perform(seat, acts);
                retry == Retry::Again
            }
        }
    }

    /// Ends the conversations, the mover's first.
    fn say_farewell(&mut self, decision: &Decision) {
        let mover = self.plies.last().map_or(Side::Black, |step| step.mover);
        let mut thinks = [false; 2];
        for seat in [mover, mover.other()] {
            let outcome = outcome_for(seat, decision.winner, decision.counts);
            let mut acts = Vec::new();
            if let Some(engine) = self.pump.seats[seat.index()].as_engine()
                && let Some(end) = &mut engine.end
            {
                thinks[seat.index()] = end.awaits() == protocols::Awaits::Ply;
                end.over(outcome, &mut acts);
            }
            self.pump.perform(seat, acts);
        }
        // What they still have to say is drained into the transcript.
        self.pump.poll_once();
        for seat in Side::BOTH {
            let broken = decision.evidence.seat == Some(seat);
            if let Some(engine) = self.pump.seats[seat.index()].as_engine()
                // One that thinks on would spend its next game's start-up time on this one.
                && (!self.keep || broken || engine.closed || engine.foul.is_some() || thinks[seat.index()])
            {
                engine.stop(FAREWELL);
            }
        }
    }
}

#[expect(clippy::large_enum_variant, reason = "one at a time, and gone at once: a box would save nothing")]
pub(crate) enum Answer {
    Ply(String, Duration),
    TakeBack(Side),
    TimedOut(Duration),
    Decided(Decision),
}

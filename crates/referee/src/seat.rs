//! Who sits at the board: an engine process, a player in this program, or a person.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::view::BoardView;
use games::{Event, Eyes, Observation, Reason, Side, Table};
use protocols::{Act, Clock, Outcome, Player, Protocol, RefereeEnd, Remark, Setup, ThinkLimits};
use serde_json::Value;

use crate::game::FAREWELL;
use crate::host::Host;
use crate::idle::Idle;
use crate::lines::LineSplitter;
use crate::process::{CommandLine, Process, StartError};

/// An engine and how to speak with it.
#[derive(Clone)]
pub struct EngineSpec {
    /// How it is started.
    pub command: CommandLine,
    /// What it speaks.
    pub protocol: &'static dyn Protocol,
    /// The protocol's options.
    pub options: Value,
    /// The memory it is told it may use.
    pub memory: Option<u64>,
}

/// What somebody who plays inside this program sees of a game: what his seat may know.
pub struct Turn<'a> {
    table: &'a dyn Table,
    seat: Side,
    /// The time he has.
    pub clock: Clock,
    /// The moment his time is over. Refused tries run on the clock of the first request.
    pub deadline: Option<Instant>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(table: &'a dyn Table, seat: Side, clock: Clock, deadline: Option<Instant>) -> Self {
        Self { table, seat, clock, deadline }
    }

    /// The seat.
    #[must_use]
    pub fn seat(&self) -> Side {
        self.seat
    }

    /// The board.
    #[must_use]
    pub fn view(&self) -> BoardView {
        self.table.view(Eyes::Seat(self.seat))
    }

    /// Everything the seat may know.
    #[must_use]
    pub fn observation(&self) -> Observation {
        self.table.observe(self.seat)
    }

    /// The first `most` plies the seat may try.
    #[must_use]
    pub fn tries(&self, most: usize) -> games::Plies {
        self.table.list_plies(Eyes::Seat(self.seat), most)
    }

    /// How a ply would end as far as the rules let a seat know beforehand: a fault for what is plainly wrong.
    pub fn check(&self, ply: &str) -> Result<(), games::Fault> {
        // Whether a try is refused is what a hidden game hides; only faults are told.
        self.table.fork().play(ply, Eyes::Seat(self.seat)).map(|_| ())
    }
}

/// What somebody who plays inside this program decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A ply, in his seat's notation.
    Ply(String),
    /// Take back to his last turn.
    TakeBack,
    /// The opponent goes back to his own last turn, with leave.
    TakeBackOfOpponent,
    /// Give up.
    Resign,
    /// The opponent, whose turn it is not, gives up.
    ResignOfOpponent,
    /// Both have agreed to a draw.
    AgreedDraw,
    /// The deadline has passed.
    OutOfTime,
    /// Stop here; the game can be resumed from its record.
    Stop,
}

/// Somebody who plays inside this program.
pub trait LocalSeat: Send {
    /// His name.
    fn name(&self) -> String;
    /// A game begins.
    fn begin(&mut self, _variant: &Value, _seat: Side, _position: Option<&str>) {}
    /// He learned something.
    fn learned(&mut self, _own: bool, _events: &[Event]) {}
    /// Plies are taken back.
    fn taken_back(&mut self, _plies: usize) {}
    /// His last answer was wrong.
    fn wrong(&mut self, _fault: &games::Fault) {}
    /// It is his turn.
    fn choose(&mut self, turn: &Turn<'_>) -> Choice;
    /// How long this program itself has stood still so far, which is no time of his.
    fn stood_still(&self) -> Duration {
        Duration::ZERO
    }
    /// Whether a wrong answer may be given again: a person's slip of the pen loses no game.
    fn may_try_again(&self) -> bool {
        false
    }
}

/// A built-in player on a seat: it lives on what the seat learns, as an engine behind a protocol does.
pub struct PlayerSeat {
    player: Box<dyn Player>,
    most_time: Option<Duration>,
}

impl PlayerSeat {
    /// This player.
    #[must_use]
    pub fn new(player: Box<dyn Player>) -> Self {
        Self { player, most_time: None }
    }

    /// The same, who never thinks longer than this about a ply.
    #[must_use]
    pub fn with_most_time(self, most_time: Duration) -> Self {
        Self { most_time: Some(most_time), ..self }
    }
}

impl LocalSeat for PlayerSeat {
    fn name(&self) -> String {
        self.player.name()
    }

    fn begin(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.player.new_game(variant, seat, position);
    }

    fn learned(&mut self, _own: bool, events: &[Event]) {
        for event in events {
            self.player.learn(event);
        }
    }

    fn taken_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.player.forget();
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        // Whoever holds a player up before it thinks does so on its time.
        let left = turn.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = [turn.clock.turn, left, self.most_time].into_iter().flatten().min();
        let limits = ThinkLimits { turn: time, left: turn.clock.left, memory: None };
        Choice::Ply(self.player.think(limits))
    }
}

/// One side of a game. It outlives the game, so that an engine can be kept for the next.
pub enum Seat {
    /// An engine process.
    Engine(Box<EngineSeat>),
    /// Somebody inside this program.
    Local(Box<dyn LocalSeat>),
}

impl Seat {
    /// An engine that is not started yet.
    #[must_use]
    pub fn engine(spec: EngineSpec) -> Self {
        Self::Engine(Box::new(EngineSeat::new(spec)))
    }

    /// The name it goes by.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Engine(engine) => engine.name.clone().unwrap_or_else(|| engine.spec.command.words.join(" ")),
            Self::Local(local) => local.name(),
        }
    }

    /// Whether it is a process that can be kept for another game.
    #[must_use]
    pub const fn is_engine(&self) -> bool {
        matches!(self, Self::Engine(_))
    }

    /// Says farewell to an engine that was kept, and ends it.
    pub fn dismiss(mut self) {
        if let Some(engine) = self.as_engine() {
            engine.stop(FAREWELL);
        }
    }

    pub(crate) fn as_engine(&mut self) -> Option<&mut EngineSeat> {
        match self {
            Self::Engine(engine) => Some(engine),
            Self::Local(_) => None,
        }
    }
}

/// An engine on a seat.
pub struct EngineSeat {
    pub(crate) spec: EngineSpec,
    pub(crate) process: Option<Process>,
    pub(crate) end: Option<Box<dyn RefereeEnd>>,
    pub(crate) name: Option<String>,
    pub(crate) splitter: LineSplitter,
    pub(crate) error_splitter: LineSplitter,
    pub(crate) ready: bool,
    /// Its process has played an earlier game.
    pub(crate) kept: bool,
    /// Its output is closed and read to the end.
    pub(crate) closed: bool,
    pub(crate) reload: bool,
    pub(crate) output_bytes: u64,
    /// What it wrote to standard error; that never loses a game, but beyond the limit it is not kept.
    pub(crate) error_bytes: u64,
    /// Plies it has answered, each with the moment it was read.
    pub(crate) answers: VecDeque<(String, Instant)>,
    /// What it last said its position is worth.
    pub(crate) score: Option<i32>,
    /// Its last turn was long enough to be measured.
    pub(crate) slow: bool,
    pub(crate) foul: Option<&'static Reason>,
    /// What it wrote last, since it was asked, that was no move.
    pub(crate) unreadable: Option<String>,
    pub(crate) timer: Option<Instant>,
    /// What is to be sent with the next write.
    pub(crate) outbox: Vec<u8>,
    pub(crate) last_sent: Option<Instant>,
    /// What it does on its opponent's time.
    pub(crate) idle: Idle,
    /// What it said beside its answers; the referee of `boyi check` reads it.
    pub(crate) remarks: Vec<Remark>,
    /// What came of its last process, where that sat in a cage.
    pub(crate) left: Option<sandbox::Report>,
}

/// More remarks than this of a game are not kept.
const MOST_REMARKS: usize = 1000;

impl EngineSeat {
    fn new(spec: EngineSpec) -> Self {
        Self {
            spec,
            process: None,
            end: None,
            name: None,
            splitter: LineSplitter::default(),
            error_splitter: LineSplitter::default(),
            ready: false,
            kept: false,
            closed: false,
            reload: false,
            output_bytes: 0,
            error_bytes: 0,
            answers: VecDeque::new(),
            score: None,
            slow: true,
            foul: None,
            unreadable: None,
            timer: None,
            outbox: Vec::new(),
            last_sent: None,
            idle: Idle::default(),
            remarks: Vec::new(),
            left: None,
        }
    }

    /// What it said beside its answers.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Starts a fresh process; gives what to say first.
    pub(crate) fn start(&mut self, host: &Arc<Host>, setup: Setup, out: &mut Vec<Act>) -> Result<(), StartError> {
        let spec = self.spec.clone();
        let (name, remarks) = (self.name.take(), std::mem::take(&mut self.remarks));
        *self = Self { name, remarks, ..Self::new(spec) };
        self.process = Some(Process::start(host, &self.spec.command, setup.clock.turn)?);
        let mut end = self.spec.protocol.referee_end(setup).map_err(|error| StartError::BadSetUp(error.to_string()))?;
        end.open(out);
        self.end = Some(end);
        Ok(())
    }

    /// Writes what is in the outbox.
    pub(crate) fn post(&mut self) {
        if !self.outbox.is_empty() {
            if let Some(process) = &mut self.process {
                process.send(&self.outbox);
            }
            self.outbox.clear();
        }
    }

    pub(crate) fn remark(&mut self, remark: Remark) {
        if self.remarks.len() < MOST_REMARKS {
            self.remarks.push(remark);
        }
    }

    /// Says farewell, waits a moment and ends the process.
    pub(crate) fn stop(&mut self, patience: Duration) {
        let Some(mut process) = self.process.take() else { return };
        let mut acts = Vec::new();
        if let Some(end) = &mut self.end {
            end.close(&mut acts);
        }
        for act in acts {
            if let Act::Send(lines) = act {
                push_lines(&mut self.outbox, &lines, self.spec.protocol.facts().line_end);
            }
        }
        process.send(&self.outbox);
        self.outbox.clear();
        process.close_input();
        // Output is not read any more; a flood after the end fills the pipe and stops there.
        process.wait(patience);
        process.kill();
        self.left = process.report().cloned();
        self.end = None;
        self.ready = false;
    }
}

/// Appends lines as they go over the pipe.
pub(crate) fn push_lines(out: &mut Vec<u8>, lines: &str, line_end: &str) {
    for line in lines.split('\n') {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(line_end.as_bytes());
    }
}

/// How the game ended for a seat.
pub(crate) fn outcome_for(seat: Side, winner: Option<Side>, counts: bool) -> Outcome {
    match winner {
        _ if !counts => Outcome::Aborted,
        None => Outcome::Drawn,
        Some(winner) if winner == seat => Outcome::Won,
        Some(_) => Outcome::Lost,
    }
}

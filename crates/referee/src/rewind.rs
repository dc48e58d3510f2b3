//! Going back in a game, and beginning in the middle of one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{End, Eyes, Side};

use crate::decision::{Decision, reasons};
use crate::game::{Answer, FAREWELL, Game, PlayedPly, TurnEnd};
use crate::host::Host;
use crate::process::StartError;
use crate::seat::{Choice, LocalSeat, Seat, Turn};
use crate::spec::GameSpec;

/// How long an engine may take to say that it has taken back.
const TAKE_BACK_PATIENCE: Duration = Duration::from_millis(500);

/// Whether an engine can be told plies it did not choose: it is started, greeted and sent away again. What kept it from
/// being ready is the inner error.
pub fn can_be_led(host: &Arc<Host>, spec: GameSpec, engine: Seat) -> Result<Result<bool, Decision>, StartError> {
    let mut seats = [engine, Seat::Local(Box::new(Nobody))];
    let mut game = Game::new(host, spec, &mut seats);
    let found = match game.get_ready()? {
        Some(decision) => Err(decision),
        None => Ok(game.can_be_led(Side::Black)),
    };
    let [engine, _] = seats;
    engine.dismiss();
    Ok(found)
}

/// An opponent for an engine that is not to play.
struct Nobody;

impl LocalSeat for Nobody {
    fn name(&self) -> String {
        String::new()
    }

    fn choose(&mut self, _turn: &Turn<'_>) -> Choice {
        Choice::Stop
    }
}

impl Game<'_> {
    /// Whether a seat can be told of plies it did not choose; known when it is ready.
    pub(crate) fn can_be_led(&self, seat: Side) -> bool {
        match &self.pump.seats[seat.index()] {
            Seat::Engine(engine) => engine.end.as_ref().is_some_and(|end| end.can_be_led()),
            Seat::Local(_) => true,
        }
    }

    /// The same of a step that nobody at the board chose.
    pub(crate) fn tell_led(&mut self, seat: Side, own: bool) {
        self.tell_by(seat, own, |end, events, acts| end.lead(own, events, acts));
    }

    /// Plays an opening, or the plies of a game that is resumed, and brings both seats to where it stands. An engine
    /// that cannot be told plies is asked for them and must answer with those of the game.
    pub(crate) fn lead_in(&mut self, history: Vec<PlayedPly>) -> Result<Option<Decision>, StartError> {
        if history.is_empty() {
            return Ok(None);
        }
        for step in &history {
            if self.table.play(&step.ply, Eyes::All).is_err() {
                return Err(StartError::BadSetUp(format!("{} cannot be played", step.ply)));
            }
            self.clocks[step.mover.index()].charge(step.time);
        }
        self.plies = history;
        for seat in Side::BOTH {
            if let Some(decision) = self.lead(seat)? {
                return Ok(Some(decision));
            }
        }
        Ok(None)
    }

    /// Takes back to the last turn of the seat that asks, the opponent's ply included.
    pub(crate) fn take_back(&mut self, seat: Side) -> Result<TurnEnd, StartError> {
        let keep = self.plies.iter().rposition(|step| step.mover == seat && !matches!(step.end, End::Refused(_)));
        let Some(keep) = keep else { return Ok(TurnEnd::TakenBack) };
        let undone: Vec<PlayedPly> = self.plies.split_off(keep);
        self.memory.truncate(keep);
        let count = undone.iter().filter(|step| !matches!(step.end, End::Refused(_))).count();
        for _ in &undone {
            self.table.undo();
        }
        for side in Side::BOTH {
            match &mut self.pump.seats[side.index()] {
                Seat::Local(local) => local.taken_back(count),
                Seat::Engine(engine) => {
                    let mut acts = Vec::new();
                    let done = engine.end.as_mut().is_some_and(|end| end.take_back(count, &mut acts));
                    self.pump.perform(side, acts);
                    self.await_taken_back(side);
                    if !done && let Some(decision) = self.replay(side)? {
                        return Ok(TurnEnd::Decided(decision));
                    }
                }
            }
        }
        Ok(TurnEnd::TakenBack)
    }

    /// Waits until an engine has said whether it can take back, but not for ever: one that says nothing is shown the
    /// game anew.
    fn await_taken_back(&mut self, seat: Side) {
        let until = Instant::now() + TAKE_BACK_PATIENCE;
        let waits = |seat: &mut Seat| {
            let engine = seat.as_engine().filter(|engine| !engine.closed)?;
            engine.end.as_ref().filter(|end| end.awaits() == protocols::Awaits::Ready).map(|_| ())
        };
        while waits(&mut self.pump.seats[seat.index()]).is_some() && Instant::now() < until {
            self.pump.wait(Some(until), None);
        }
        self.pump.settle(seat);
    }

    /// Starts an engine anew and leads it through the game so far. It must answer as it did before.
    fn replay(&mut self, seat: Side) -> Result<Option<Decision>, StartError> {
        if let Some(engine) = self.pump.seats[seat.index()].as_engine() {
            engine.stop(FAREWELL);
        }
        self.start_engine(seat)?;
        if let Some(decision) = self.await_ready() {
            return Ok(Some(decision));
        }
        let (variant, position) = (self.table.variant(), self.position.clone());
        let led = !self.plies.is_empty();
        self.begin_seat(seat, &variant, position.as_deref(), led);
        self.lead(seat)
    }

    /// Leads an engine that knows only the start through the game so far.
    fn lead(&mut self, seat: Side) -> Result<Option<Decision>, StartError> {
        let restores = self.can_be_led(seat);
        let wanted = std::mem::replace(&mut self.table, self.start.fork());
        for step in self.plies.clone() {
            if step.mover == seat && !restores {
                let allowed = self.clocks[seat.index()].allowed();
                let began = self.ask(seat, self.clocks[seat.index()].told(), true);
                let answer = self.await_answer(seat, began, allowed);
                let same = matches!(&answer, Answer::Ply(ply, _) if self.table.fork().play(ply, Eyes::Seat(seat)).is_ok() && {
                    let mut fork = self.table.fork();
                    let _ = fork.play(ply, Eyes::Seat(seat));
                    fork.step(fork.steps() - 1, Eyes::All).and_then(|played| played.ply) == Some(step.ply.clone())
                });
                if !same {
                    self.table = wanted;
                    let plies = self.table.plies();
                    return Ok(Some(Decision::none(&reasons::NOT_SET_BACK, plies, self.evidence(seat))));
                }
            }
            let _ = self.table.play(&step.ply, Eyes::All);
            if restores {
                self.tell_led(seat, step.mover == seat);
            } else {
                self.tell(seat, step.mover == seat);
            }
        }
        self.table = wanted;
        Ok(None)
    }
}

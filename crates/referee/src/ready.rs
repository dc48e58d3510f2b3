//! Starting the engines of a game, or waking those that were kept, and waiting until they are ready.

use std::time::{Duration, Instant};

use games::{Reason, Side};
use protocols::Setup;
use serde_json::Value;

use crate::clock::SeatClock;
use crate::decision::{Decision, Evidence, LimitOf, reasons};
use crate::game::{FAREWELL, Game};
use crate::idle::Idle;
use crate::process::StartError;

/// Start-up time where neither the protocol nor the game sets a limit.
const DEFAULT_START: Duration = Duration::from_secs(10);

#[expect(clippy::large_enum_variant, reason = "one at a time, and gone at once: a box would save nothing")]
enum Waiting {
    Ready,
    Failed(&'static Reason, Evidence),
}

impl Game<'_> {
    fn setup(&self, seat: Side, options: Value, memory: Option<u64>) -> Setup {
        Setup {
            game: self.table.facts().id,
            variant: self.table.variant(),
            seat,
            clock: SeatClock::new(self.time).told(),
            memory,
            options,
        }
    }

    /// Starts or wakes the engines and waits until they are ready.
    pub(crate) fn get_ready(&mut self) -> Result<Option<Decision>, StartError> {
        for seat in Side::BOTH {
            self.start_engine(seat)?;
        }
        Ok(self.await_ready())
    }

    pub(crate) fn start_engine(&mut self, seat: Side) -> Result<(), StartError> {
        let Some(engine) = self.pump.seats[seat.index()].as_engine() else { return Ok(()) };
        let (options, memory) = (engine.spec.options.clone(), engine.spec.memory);
        let setup = self.setup(seat, options, memory);
        let host = self.host;
        let mut acts = Vec::new();
        let Some(engine) = self.pump.seats[seat.index()].as_engine() else { return Ok(()) };
        let alive = engine.process.as_mut().is_some_and(|process| process.exit_status().is_none()) && !engine.closed;
        if let (true, Some(end)) = (alive, &mut engine.end) {
            (engine.ready, engine.kept) = (false, true);
            engine.answers.clear();
            (engine.output_bytes, engine.error_bytes) = (0, 0);
            (engine.timer, engine.score) = (None, None);
            engine.idle = engine.process.as_ref().map(Idle::of).unwrap_or_default();
            end.again(seat, &mut acts);
        } else {
            engine.stop(Duration::ZERO);
            engine.start(host, setup, &mut acts)?;
        }
        self.pump.perform(seat, acts);
        Ok(())
    }

    /// Waits until every engine is ready; one that is not has lost, two that are not have no result.
    pub(crate) fn await_ready(&mut self) -> Option<Decision> {
        let opened = Instant::now();
        let mut late: Vec<(Side, &'static Reason, Evidence)> = Vec::new();
        for seat in Side::BOTH {
            let mut began = opened;
            let Some(engine) = self.pump.seats[seat.index()].as_engine() else { continue };
            let of_protocol = engine.end.as_ref().and_then(|end| end.start_limit());
            let limit = self.start_limit.or(of_protocol).or(self.time.start).unwrap_or(DEFAULT_START);
            loop {
                if let Some(problem) = self.not_ready_yet(seat, &mut began, limit) {
                    match problem {
                        Waiting::Ready => break,
                        Waiting::Failed(reason, evidence) => {
                            late.push((seat, reason, evidence));
                            break;
                        }
                    }
                }
                self.pump.wait(Some(began + limit), None);
            }
        }
        if late.is_empty() {
            // Both have prepared before the first of them is asked.
            Side::BOTH.into_iter().for_each(|seat| self.pump.settle(seat));
        }
        let plies = self.table.plies();
        match late.len() {
            0 => None,
            1 => late.pop().map(|(seat, reason, evidence)| Decision::against(seat, reason, plies, evidence)),
            _ => late.pop().map(|(_, reason, evidence)| Decision::none(reason, plies, evidence)),
        }
    }

    /// Whether an engine is ready or has failed to be; `None` while it may still become so.
    fn not_ready_yet(&mut self, seat: Side, began: &mut Instant, limit: Duration) -> Option<Waiting> {
        let output_limit = self.pump.output_limit;
        let engine = self.pump.seats[seat.index()].as_engine()?;
        // An engine may leave when a game ends, so one that was kept and is gone has done nothing wrong.
        let left = engine.kept && engine.closed && !engine.ready;
        if std::mem::take(&mut engine.reload) || left {
            engine.stop(FAREWELL);
            // The farewell of the old process is not the new one's time.
            *began = Instant::now();
            if let Err(error) = self.start_engine(seat) {
                let evidence = Evidence::default().with_detail(error.to_string(), error.say(games::Language::Zh));
                return Some(Waiting::Failed(&reasons::EXITED, evidence));
            }
            return None;
        }
        if engine.ready {
            return Some(Waiting::Ready);
        }
        if let Some(foul) = engine.foul {
            return Some(Waiting::Failed(foul, self.evidence(seat)));
        }
        if engine.closed {
            let (reason, evidence) = self.exit(seat);
            return Some(Waiting::Failed(reason, evidence));
        }
        if engine.output_bytes > output_limit {
            return Some(Waiting::Failed(&reasons::OUTPUT, self.flood_evidence(seat)));
        }
        if began.elapsed() >= limit {
            let evidence = self.time_evidence(seat, LimitOf::Start, limit, began.elapsed());
            return Some(Waiting::Failed(&reasons::NOT_READY, evidence));
        }
        None
    }
}

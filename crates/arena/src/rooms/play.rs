//! The thread that plays a room's game: the referee with people and built-in players in its seats.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use games::{End, Side, Table};
use protocols::Clock;
use records::{Player, PlayerKind};
use referee::{
    Choice, Circumstances, Decision, EngineSpec, Evidence, GameReport, GameSpec, Host, LocalSeat, PlayedPly,
    PlayerSeat, Seat, Turn, Watcher,
};
use serde_json::Value;
use vault::Cause;

use super::board::milliseconds;
use super::fact::{ClockState, Fact};
use super::gate::Gate;
use super::mailbox::{Mailbox, Outcome, PersonSeat, Stop};
use super::room::Room;
use crate::clock::now;
use crate::settings::{EngineOffer, Settings};
use crate::standstill;
use crate::store::{Change, Phase, RoomRow, SeatKind, SeatRow, StoreError};

/// A search goes deep; what a thread does not touch of its stack costs nothing.
const STACK: usize = 8 << 20;
/// A built-in player of a room has so much memory: there may be hundreds of them.
const PLAYER_MEMORY: usize = 8 << 20;
/// The longest a built-in player thinks about a ply: others want to play too.
const MOST_THINKING: Duration = Duration::from_secs(2);
/// Half of the cores think for visitors; the rest serves them.
pub(crate) static THINKING: LazyLock<Gate> =
    LazyLock::new(|| Gate::new(std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(2))));
/// So many lines of an engine's conversation are kept.
const MOST_TALK: usize = 1000;

/// Starts the thread of a room whose game goes on, unless it runs already.
pub(crate) fn wake(room: &Arc<Room>, host: &Arc<Host>, settings: &Arc<Settings>) {
    {
        let mut state = room.state();
        if state.row.phase != Phase::Live || state.playing {
            return;
        }
        state.playing = true;
        state.trouble = None;
        // The part of the running turn before this moment is nobody's.
        state.board.since = now();
        room.mailbox.open(state.board.steps.len());
    }
    let (playing, host, settings) = (Arc::clone(room), Arc::clone(host), Arc::clone(settings));
    let spawned = std::thread::Builder::new().name("game".to_owned()).stack_size(STACK).spawn(move || {
        metrics::gauge!("boyi_games_running").increment(1.0);
        // A fault in the rules must cost one game, not the server.
        if std::panic::catch_unwind(AssertUnwindSafe(|| play(&playing, &host, &settings))).is_err() {
            tracing::error!(room = playing.id, "the game's thread panicked");
        }
        let (over, trouble) = {
            let mut state = playing.state();
            state.playing = false;
            (state.row.phase == Phase::Finished, state.trouble.unwrap_or(Cause::Other))
        };
        let outcome = if over { Outcome::Over } else { Outcome::Failed(trouble) };
        playing.mailbox.close(&outcome);
        playing.tell();
        metrics::gauge!("boyi_games_running").decrement(1.0);
    });
    if let Err(error) = spawned {
        tracing::error!(room = room.id, %error, "no thread for this game");
        room.state().playing = false;
    }
}

fn play(room: &Arc<Room>, host: &Arc<Host>, settings: &Settings) {
    let (row, spec) = {
        let state = room.state();
        let Ok(table) = room.game.open(&state.row.variant, state.row.position.as_deref()) else { return };
        let spec = GameSpec {
            position: state.row.position.clone(),
            time: state.row.time,
            history: state.board.steps.clone(),
            clocks: Some(state.board.seat_clocks()),
            ..GameSpec::new(table)
        };
        (state.row.clone(), spec)
    };
    let watched_only = row.seats.iter().all(|seat| seat.kind != SeatKind::Person);
    let pace = if watched_only { settings.pace } else { Duration::ZERO };
    let [Some(black), Some(white)] = Side::BOTH.map(|side| seat(room, &row, side, pace, settings)) else {
        tracing::warn!(room = room.id, "an engine of this game is not offered any more; the game waits");
        return;
    };
    let mut seats = [black, white];
    let mut reporter = Reporter { room: Arc::clone(room), failed: false };
    let ended = referee::play(host, spec, &mut seats, &mut reporter);
    if reporter.failed {
        return;
    }
    let (decision, record, talk) = match ended {
        Ok(report) => (report.decision.clone(), record(&row, &report), talk(&row, &report)),
        Err(error) => {
            let evidence = Evidence::default().with_detail(error.to_string(), error.say(games::Language::Zh));
            (Decision::none(&referee::decision::reasons::NOT_READY, row.plies, evidence), String::new(), None)
        }
    };
    let parked = !decision.counts && room.mailbox.stopped() == Some(Stop::Park);
    if !parked {
        finish(room, &decision, record, talk);
    }
}

/// Who plays a side; nobody when its engine is not offered any more.
fn seat(room: &Arc<Room>, row: &RoomRow, side: Side, pace: Duration, settings: &Settings) -> Option<Seat> {
    let seat = &row.seats[side.index()];
    if seat.kind == SeatKind::Engine {
        let fits = |offer: &&EngineOffer| offer.name == seat.name && offer.game == row.game;
        let offer = settings.engines.iter().find(fits)?;
        return Some(Seat::engine(EngineSpec {
            command: offer.command.clone(),
            protocol: protocols::find(offer.game, None)?,
            options: Value::Null,
            memory: None,
        }));
    }
    if seat.kind == SeatKind::Builtin {
        let seed = (row.seed as u64).wrapping_add(side.index() as u64);
        let settings = engines::Settings { memory: PLAYER_MEMORY, ..engines::Settings::with_seed(seed) };
        let player =
            PlayerSeat::new(engines::player_with(room.game, style(seat), &settings)).with_most_time(MOST_THINKING);
        let looks_ahead = looks_ahead(seat);
        let mailbox = Arc::clone(&room.mailbox);
        return Some(Seat::Local(Box::new(PacedSeat { player, pace, looks_ahead, mailbox })));
    }
    let mailbox = Arc::clone(&room.mailbox);
    Some(Seat::Local(Box::new(PersonSeat { side, name: seat.name.clone(), mailbox })))
}

fn style(seat: &SeatRow) -> engines::Style {
    seat.level.as_deref().and_then(engines::style).unwrap_or(engines::Style::Greedy)
}

/// Whether a built-in player sits there that needs a core for a while.
pub(super) fn looks_ahead(seat: &SeatRow) -> bool {
    let quick = matches!(style(seat), engines::Style::Random | engines::Style::Greedy | engines::Style::Lines);
    seat.kind == SeatKind::Builtin && !quick
}

/// The record of a finished game.
fn record(row: &RoomRow, report: &GameReport) -> String {
    let player = |seat: &SeatRow| Player {
        name: seat.name.clone(),
        kind: Some(match seat.kind {
            SeatKind::Builtin => PlayerKind::Builtin,
            SeatKind::Engine => PlayerKind::Engine,
            SeatKind::Person | SeatKind::Open => PlayerKind::Human,
        }),
        command: None,
        level: seat.level.clone(),
    };
    let date = jiff::Timestamp::from_millisecond(row.started.unwrap_or(row.created)).ok();
    let record = report.record(Circumstances {
        position: row.position.clone(),
        time: row.time,
        players: row.seats.each_ref().map(player),
        date: date.map(|date| date.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()),
        event: None,
    });
    String::from_utf8(record.to_json()).unwrap_or_default()
}

/// The last lines of each engine's conversation.
fn talk(row: &RoomRow, report: &GameReport) -> Option<String> {
    let lines = |side: Side| {
        let engine = row.seats[side.index()].kind == SeatKind::Engine;
        engine.then(|| report.transcript.last_lines(side, MOST_TALK))
    };
    let (black, white) = (lines(Side::Black), lines(Side::White));
    (black.is_some() || white.is_some()).then(|| serde_json::json!({ "black": black, "white": white }).to_string())
}

/// The end of a game as it is stored.
pub(crate) fn over(decision: &Decision, record: String, talk: Option<String>) -> (Fact, Change) {
    let decision = serde_json::to_value(decision).unwrap_or(Value::Null);
    let change = Change::Over { verdict: decision.to_string(), record, talk };
    (Fact::Over { decision }, change)
}

/// Writes the end of a game down.
fn finish(room: &Room, decision: &Decision, record: String, talk: Option<String>) {
    let (fact, change) = over(decision, record, talk);
    let written = room.append(|_| Ok::<_, StoreError>((fact, change, ())));
    if let Err(error) = written {
        tracing::error!(room = room.id, %error, "the end of a game was not written; it goes on when that is possible");
        room.state().trouble = Some(error.cause());
    }
    metrics::counter!("boyi_games_finished_total").increment(1);
}

/// Writes down what the referee does.
struct Reporter {
    room: Arc<Room>,
    /// Something could not be written; the game waits for a better day.
    failed: bool,
}

impl Watcher for Reporter {
    fn stepped(&mut self, table: &dyn Table, last: Option<&PlayedPly>, clocks: [Clock; 2]) {
        let steps = table.steps();
        let word = last.map_or("played", |step| step.end.word());
        let written = self.room.append(|state| {
            let mut after = state.board.clocks;
            for (clock, told) in after.iter_mut().zip(clocks) {
                clock.left_ms = told.left.map(milliseconds);
            }
            let fact = match last {
                Some(step) => {
                    if !matches!(step.end, End::Refused(_)) {
                        after[step.mover.index()].used_ms += milliseconds(step.time);
                    }
                    step_fact(step, after)
                }
                None => Fact::TakenBack { keep: steps, clocks: after },
            };
            Ok::<_, StoreError>((fact, Change::Plies(table.plies()), ()))
        });
        match written {
            Ok(()) => self.room.mailbox.stepped(steps, &Outcome::Taken(word)),
            Err(error) => {
                tracing::error!(room = self.room.id, %error, "a step was not written; the game is parked");
                self.failed = true;
                let cause = error.cause();
                self.room.state().trouble = Some(cause);
                self.room.mailbox.stepped(steps, &Outcome::Failed(cause));
                self.room.mailbox.stop(Stop::Park);
            }
        }
        metrics::counter!("boyi_steps_total").increment(1);
    }

    fn wants_stop(&mut self) -> bool {
        self.room.mailbox.stopped().is_some()
    }
}

/// A step as it is stored.
pub(crate) fn step_fact(step: &PlayedPly, clocks: [ClockState; 2]) -> Fact {
    Fact::Step { mover: step.mover, ply: step.ply.clone(), end: step.end.into(), ms: milliseconds(step.time), clocks }
}

/// A built-in player that takes its time when people only watch.
struct PacedSeat {
    player: PlayerSeat,
    pace: Duration,
    looks_ahead: bool,
    mailbox: Arc<Mailbox>,
}

impl LocalSeat for PacedSeat {
    fn name(&self) -> String {
        self.player.name()
    }

    fn begin(&mut self, variant: &Value, seat: Side, position: Option<&str>) {
        self.player.begin(variant, seat, position);
    }

    fn learned(&mut self, own: bool, events: &[games::Event]) {
        self.player.learned(own, events);
    }

    fn taken_back(&mut self, plies: usize) {
        self.player.taken_back(plies);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Choice {
        let limit = turn.clock.turn.into_iter().chain(turn.clock.left).min().map(|limit| limit / 8);
        self.mailbox.pause(limit.map_or(self.pace, |limit| limit.min(self.pace)));
        if self.mailbox.stopped().is_some() {
            return Choice::Stop;
        }
        let _permit = self.looks_ahead.then(|| THINKING.enter());
        self.player.choose(turn)
    }

    fn stood_still(&self) -> Duration {
        standstill::lost()
    }
}

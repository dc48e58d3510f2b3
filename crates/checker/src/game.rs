//! A game between the engine and the built-in random player.

use std::time::{Duration, Instant};

use engines::Style;
use games::{End, Event, Eyes, Phrase, Side, Table};
use protocols::{Awaits, Clock, Outcome, Player, Retry, ThinkLimits};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::diagnosis::{self, Due};
use crate::finding::{Finding, Findings};
use crate::kinds;
use crate::plan::Plan;
use crate::talk::{Stop, Talk};

/// How long to listen for a second answer after the first plies, and for a ply out of turn before them.
const QUIET: Duration = Duration::from_millis(50);
/// After so many plies of its own an engine that answers twice would have been caught.
const PLIES_LISTENED_TO: u32 = 2;
/// More plies than this are enough.
const MOST_PLIES: u32 = 1000;

/// A game the engine played.
#[derive(Debug, Clone, Serialize)]
pub struct GameSummary {
    /// The engine's seat.
    pub seat: Side,
    /// Plies of both sides.
    pub plies: u32,
    /// Its own.
    pub own_plies: u32,
    /// Whether it was played to its end.
    pub finished: bool,
    /// Whether it was played in the process of the game before.
    pub same_process: bool,
    /// The winner's seat.
    pub winner: Option<Side>,
    /// The slowest of its own plies, in milliseconds.
    #[serde(rename = "slowest_ms", serialize_with = "crate::plan::milliseconds")]
    pub slowest: Duration,
}

/// A game in progress.
struct Playing<'a> {
    plan: &'a Plan,
    talk: &'a mut Talk,
    findings: &'a mut Findings,
    stage: Phrase,
    table: Box<dyn Table>,
    opponent: Box<dyn Player>,
    summary: GameSummary,
}

/// How much of a game is played, and from where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Length {
    /// Random plies that are told to the engine before it plays.
    pub(crate) opening: usize,
    /// To the end, or until the engine has made so many plies of its own.
    pub(crate) most: u32,
}

impl Length {
    /// A whole game from the start.
    pub(crate) const WHOLE: Self = Self { opening: 0, most: u32::MAX };
}

/// Plays a game with an engine that is ready. `false` when it broke off.
pub(crate) fn play(
    plan: &Plan,
    talk: &mut Talk,
    findings: &mut Findings,
    stage: Phrase,
    seat: Side,
    length: Length,
) -> (GameSummary, bool) {
    let table = plan.table.fork();
    let mut opponent = engines::player(plan.game, Style::Random, plan.seed);
    opponent.new_game(&table.variant(), seat.other(), None);
    let summary = GameSummary {
        seat,
        plies: 0,
        own_plies: 0,
        finished: false,
        same_process: false,
        winner: None,
        slowest: Duration::ZERO,
    };
    let mut playing = Playing { plan, talk, findings, stage, table, opponent, summary };
    let went_well = playing.run(length);
    let verdict = playing.table.verdict();
    playing.summary.plies = playing.table.plies();
    playing.summary.finished = verdict.is_some();
    playing.summary.winner = verdict.and_then(|verdict| verdict.winner);
    let outcome = match verdict.map(|verdict| verdict.winner) {
        None => Outcome::Aborted,
        Some(None) => Outcome::Drawn,
        Some(Some(winner)) if winner == seat => Outcome::Won,
        Some(Some(_)) => Outcome::Lost,
    };
    let asked_by_the_last_ply = playing.table.plies() > 0 && playing.last_mover() != Some(seat);
    let summary = playing.summary;
    if went_well {
        talk.act(|end, out| end.over(outcome, out));
        // Where a move is told and the next one asked for in one message, the loser may still answer.
        if asked_by_the_last_ply && matches!(plan.protocol.facts().id, "sau" | "junqi") {
            talk.drain_answer(plan.ply_time);
        }
    }
    diagnosis::said(talk, findings, stage);
    (summary, went_well)
}

impl Playing<'_> {
    fn run(&mut self, Length { opening, most }: Length) -> bool {
        let seat = self.summary.seat;
        if opening > 0 {
            self.lead(opening);
        } else {
            self.talk.act(|end, out| end.begin(out));
        }
        if self.table.to_move() != seat {
            self.talk.listen(QUIET);
        }
        while self.table.verdict().is_none() && self.summary.own_plies < most && self.table.plies() < MOST_PLIES {
            if self.table.to_move() == seat {
                if !self.engine_turn() {
                    return false;
                }
            } else if !self.opponent_turn() {
                break;
            }
            diagnosis::said(self.talk, self.findings, self.stage);
        }
        true
    }

    /// Tells both an opening of random plies, as many as leave the game open.
    fn lead(&mut self, plies: usize) {
        self.talk.act(|end, out| end.begin_led(out));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.plan.seed);
        for _ in 0..plies {
            let mut ahead = self.table.fork();
            let Some(ply) = ahead.random_ply(&mut rng) else { return };
            if ahead.play(&ply, Eyes::All).is_err() || ahead.verdict().is_some() {
                return;
            }
            self.table = ahead;
            let seat = self.summary.seat;
            let own = self.last_mover() == Some(seat);
            let events = self.table.learned(seat);
            self.talk.act(|end, out| end.lead(own, &events, out));
            for event in self.table.learned(seat.other()) {
                self.opponent.learn(&event);
            }
        }
    }

    fn last_mover(&self) -> Option<Side> {
        let last = self.table.steps().checked_sub(1)?;
        self.table.step(last, Eyes::All).map(|step| step.mover)
    }

    fn clock(&self) -> Clock {
        Clock { turn: Some(self.plan.ply_time), left: None }
    }

    /// The engine's turn, refused tries and corrections included; false when the game broke off.
    fn engine_turn(&mut self) -> bool {
        let seat = self.summary.seat;
        let clock = self.clock();
        let mut began = None;
        let mut illegal = false;
        while self.table.to_move() == seat && self.table.verdict().is_none() {
            if self.talk.end.awaits() != Awaits::Ply {
                self.talk.act(|end, out| end.turn(clock, out));
            }
            let began = *began.get_or_insert_with(Instant::now);
            let answer = match self.talk.await_ply(began + self.plan.ply_time) {
                Ok(answer) => answer,
                Err(Stop::Silent) if illegal => {
                    let asked = self.talk.asked.clone();
                    self.findings.add(Finding::new(&kinds::IGNORES_ERROR, self.stage).asked(asked.as_deref()));
                    return false;
                }
                Err(stop) => {
                    self.broke_off(stop);
                    return false;
                }
            };
            self.summary.slowest = self.summary.slowest.max(answer.at.saturating_duration_since(began));
            let bad_move =
                Finding::new(&kinds::BAD_MOVE, self.stage).line(Some(&answer.line)).asked(self.talk.asked.as_deref());
            match self.table.play(&answer.ply, Eyes::Seat(seat)) {
                Ok(played) => {
                    self.tell();
                    match played.end {
                        End::Refused(_) => continue,
                        End::Lost(reason) => {
                            let place = reason.text.en.contains("{}");
                            self.findings.add(if place { bad_move } else { bad_move.detail(reason.text) });
                        }
                        End::Played => {}
                    }
                    self.summary.own_plies += 1;
                }
                Err(fault) => {
                    self.findings.add(bad_move.detail(&fault));
                    let mut retry = Retry::Never;
                    self.talk.act(|end, out| retry = end.illegal(out));
                    if retry == Retry::Never {
                        return false;
                    }
                    illegal = true;
                }
            }
        }
        // A second answer would otherwise be taken for the next one.
        let listen = if self.summary.own_plies <= PLIES_LISTENED_TO { QUIET } else { Duration::ZERO };
        self.talk.listen(listen);
        true
    }

    fn broke_off(&mut self, stop: Stop) {
        // A foul that is speaking out of turn is told by the remark that came with it.
        let spoke = matches!(stop, Stop::Foul(reason) if *reason == protocols::tiaojia::OUT_OF_TURN);
        if !spoke {
            let protocol = self.plan.protocol.facts().id;
            self.findings.add(diagnosis::broke_off(self.talk, stop, Due::Ply, protocol, self.stage));
        }
    }

    /// The opponent's turn; false if he has nothing to play.
    fn opponent_turn(&mut self) -> bool {
        let seat = self.table.to_move();
        let ply = self.opponent.think(ThinkLimits::default());
        let played = self.table.play(&ply, Eyes::Seat(seat)).is_ok();
        if played {
            self.tell();
        }
        played
    }

    /// Both learn what they may know of the last step.
    fn tell(&mut self) {
        let seat = self.summary.seat;
        let own = self.last_mover() == Some(seat);
        let events: Vec<Event> = self.table.learned(seat);
        self.talk.act(|end, out| end.learned(own, &events, out));
        for event in self.table.learned(seat.other()) {
            self.opponent.learn(&event);
        }
    }
}

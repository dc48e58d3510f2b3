//! A room as its facts leave it: the fold of [`Fact`]s, the same for a live game, a stream made anew and a restart.

use std::time::Duration;

use games::{End, Eyes, Listing, Side, Table};
use records::PlyEnd;
use referee::{PlayedPly, SeatClock, TimeControl};
use serde_json::Value;

use super::face::{ChatLine, ClockFace, Offers, StepFace};
use super::fact::{ClockState, Fact, Offer};
use super::sight::Sight;

/// More lines of talk than this are not kept at hand.
const MOST_CHAT: usize = 200;

/// The game, clocks, offers and talk of a room.
pub(crate) struct Board {
    pub(crate) table: Box<dyn Table>,
    pub(crate) steps: Vec<PlayedPly>,
    pub(crate) time: TimeControl,
    pub(crate) clocks: [ClockState; 2],
    pub(crate) offers: Offers,
    pub(crate) chat: Vec<ChatLine>,
    pub(crate) decision: Option<Value>,
    /// The room where the players meet again.
    pub(crate) rematch: Option<String>,
    /// When the running turn began.
    pub(crate) since: i64,
}

/// A room's facts cannot be played: the store was written by another program.
#[derive(Debug, thiserror::Error)]
#[error("what is stored of this room cannot be played: {0}")]
pub(crate) struct BadFacts(pub(crate) String);

impl Board {
    pub(crate) fn open(
        game: &'static dyn Listing,
        variant: &Value,
        position: Option<&str>,
        time: TimeControl,
        since: i64,
    ) -> Result<Self, BadFacts> {
        let table = game.open(variant, position).map_err(|error| BadFacts(error.to_string()))?;
        let clock = ClockState { left_ms: time.game.map(milliseconds), used_ms: 0 };
        Ok(Self {
            table,
            steps: Vec::new(),
            time,
            clocks: [clock; 2],
            offers: Offers::default(),
            chat: Vec::new(),
            decision: None,
            rematch: None,
            since,
        })
    }

    /// Takes a fact in.
    pub(crate) fn apply(&mut self, at: i64, fact: &Fact) -> Result<(), BadFacts> {
        match fact {
            Fact::Step { mover, ply, end, ms, clocks } => {
                let played = self.table.play(ply, Eyes::All).map_err(|fault| BadFacts(format!("{ply}: {fault}")))?;
                if played.mover != *mover || PlyEnd::from(played.end) != *end {
                    return Err(BadFacts(format!("{ply}: another end or mover")));
                }
                let time = Duration::from_millis(*ms);
                self.steps.push(PlayedPly {
                    mover: *mover,
                    ply: ply.clone(),
                    end: played.end,
                    time,
                    stall: Duration::ZERO,
                });
                self.clocks = *clocks;
                if *end != PlyEnd::Refused {
                    self.since = at;
                    // Playing on is an answer: no.
                    self.offers.takeback = None;
                    self.offers.draw = self.offers.draw.filter(|by| by == mover);
                }
            }
            Fact::TakenBack { keep, clocks } => {
                while self.table.steps() > *keep && self.table.undo() {}
                self.steps.truncate(*keep);
                self.clocks = *clocks;
                self.since = at;
                self.offers = Offers::default();
            }
            Fact::Seated { .. } => self.since = at,
            Fact::Offered { offer: Offer::Draw, by } => self.offers.draw = Some(*by),
            Fact::Offered { offer: Offer::TakeBack, by } => self.offers.takeback = Some(*by),
            Fact::Declined { offer: Offer::Draw, .. } => self.offers.draw = None,
            Fact::Declined { offer: Offer::TakeBack, .. } => self.offers.takeback = None,
            Fact::Said { side, name, text } => {
                if self.chat.len() >= MOST_CHAT {
                    self.chat.remove(0);
                }
                self.chat.push(ChatLine { who: name.clone(), side: *side, text: text.clone(), at });
            }
            Fact::Rematch { room, .. } => self.rematch = Some(room.clone()),
            Fact::Over { decision } => {
                self.decision = Some(decision.clone());
                self.offers = Offers::default();
            }
        }
        Ok(())
    }

    /// Whose clock runs, in a game that goes on.
    pub(crate) fn running(&self) -> Option<Side> {
        let over = self.decision.is_some() || self.table.verdict().is_some();
        (!over).then(|| self.table.to_move())
    }

    pub(crate) fn clock_faces(&self) -> [ClockFace; 2] {
        self.clocks.map(|clock| ClockFace {
            left_ms: clock.left_ms,
            turn_ms: self.time.ply.map(milliseconds),
            used_ms: clock.used_ms,
        })
    }

    /// The clocks as the referee takes them up again.
    pub(crate) fn seat_clocks(&self) -> [SeatClock; 2] {
        self.clocks.map(|clock| {
            let left = clock.left_ms.map(Duration::from_millis);
            SeatClock::resumed(self.time, left, Duration::from_millis(clock.used_ms))
        })
    }

    /// A step as these eyes know it: who, what, how it ended; `None` where they do not know of it.
    pub(crate) fn step(&self, index: usize, sight: Sight) -> Option<games::Step> {
        let step = self.table.step(index, sight.eyes().unwrap_or(Eyes::All))?;
        if sight != Sight::None {
            return Some(step);
        }
        let refused = matches!(step.end, End::Refused(_));
        (!refused).then_some(games::Step { ply: None, told: games::Told::default(), ..step })
    }

    /// The steps these eyes know of.
    pub(crate) fn step_faces(&self, sight: Sight) -> Vec<StepFace> {
        let known = (0..self.steps.len()).filter_map(|index| Some((index, self.step(index, sight)?)));
        known
            .enumerate()
            .map(|(n, (index, step))| StepFace {
                mover: step.mover,
                ply: step.ply,
                end: step.end.word(),
                ms: milliseconds(self.steps[index].time),
                n: n + 1,
                told: step.told,
            })
            .collect()
    }

    /// Whether a side has a ply that can be taken back.
    pub(crate) fn has_played(&self, side: Side) -> bool {
        self.steps.iter().any(|step| step.mover == side && !matches!(step.end, End::Refused(_)))
    }

    /// Whether a side does not see everything.
    pub(crate) fn is_hidden(&self) -> bool {
        self.table.facts().hidden
    }
}

pub(crate) fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

//! Rooms: games being played and finished, and the people in them.
//!
//! [`Rooms`] holds those at hand. A room is loaded from the store when somebody asks for it, its game is played by a
//! thread of its own ([`play`]), and it is put aside again when nobody is there.

mod board;
mod bounds;
pub(crate) mod face;
mod fact;
mod gate;
mod mailbox;
mod play;
mod room;
mod sight;
mod stream;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::{Listing, Side, Table};
use referee::{Host, PlayedPly, TimeControl};
use serde_json::Value;

pub(crate) use board::{BadFacts, Board};
pub(crate) use bounds::MOST_WATCHED;
pub use face::{
    ChatLine, ClockFace, Invitation, Offers, ResultFace, RoomFace, SeatFace, Standing, StepFace, Summary, Words,
};
pub(crate) use fact::{Fact, Offer};
pub(crate) use mailbox::{Outcome, Stop};
pub(crate) use play::{THINKING, over};
pub(crate) use room::{Presence, Room, State as RoomState};
pub use sight::Sight;
pub(crate) use stream::{event_bytes, frames};

use crate::clock::now;
use crate::secret;
use crate::settings::Settings;
use crate::store::{Command, Phase, RoomRow, SeatKind, SeatRow, Store, StoreError};

/// Finished rooms are let go when nobody has looked at them for this long.
const LET_GO_AFTER_MS: i64 = 60_000;

/// A room somebody asks for; everything in it has been checked.
pub(crate) struct NewRoom {
    pub(crate) game: &'static dyn Listing,
    pub(crate) variant: Value,
    pub(crate) position: Option<String>,
    /// The table after the first plies, and these.
    pub(crate) table: Box<dyn Table>,
    pub(crate) opening: Vec<PlayedPly>,
    pub(crate) time: TimeControl,
    pub(crate) seats: [SeatRow; 2],
    pub(crate) public: bool,
    /// Whether its open seat is only for whoever has the link with the token; else its address is the invitation.
    pub(crate) private: bool,
    pub(crate) creator: i64,
    /// Where it is asked for from.
    pub(crate) address: IpAddr,
}

/// Why a room is not at hand.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RoomsError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Facts(#[from] BadFacts),
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    #[error("too many games at once")]
    Full,
    #[error("too many games of one visitor")]
    TooMany,
    #[error("too many games of one address")]
    TooManyHere,
    #[error("too many engines at once")]
    EnginesBusy,
    #[error("too many engines for one address")]
    EnginesHere,
    #[error("too many games between programs of one address")]
    WatchedHere,
}

/// The rooms at hand.
pub(crate) struct Rooms {
    store: Store,
    host: Arc<Host>,
    settings: Arc<Settings>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// One room is loaded or made at a time, so that none is loaded twice and no limit is passed by asking much at
    /// once.
    loading: tokio::sync::Mutex<()>,
}

impl Rooms {
    pub(crate) fn new(store: Store, host: Arc<Host>, settings: Arc<Settings>) -> Self {
        Self { store, host, settings, rooms: Mutex::default(), loading: tokio::sync::Mutex::new(()) }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rooms at hand.
    pub(crate) fn at_hand(&self) -> Vec<Arc<Room>> {
        self.rooms().values().cloned().collect()
    }

    /// A room at hand.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Room>> {
        self.rooms().get(id).cloned()
    }

    /// What a list shows of a room that is stored so.
    pub(crate) fn summary(&self, row: &RoomRow, visitor: Option<i64>) -> Summary {
        match self.get(&row.id) {
            Some(room) => room.summary(visitor),
            None => Summary::of(row, visitor, [false; 2]),
        }
    }

    /// A room, loaded when it is not at hand; its game goes on.
    pub(crate) async fn find(&self, id: &str) -> Result<Option<Arc<Room>>, RoomsError> {
        let room = match self.get(id) {
            Some(room) => room,
            None => {
                let _loading = self.loading.lock().await;
                match self.get(id) {
                    Some(room) => room,
                    None => match self.store.room(id).await? {
                        Some(_) if self.rooms().len() >= 2 * self.settings.limits.live_rooms => {
                            return Err(RoomsError::Full);
                        }
                        Some(row) => self.load(row).await?,
                        None => return Ok(None),
                    },
                }
            }
        };
        room.touch();
        self.wake(&room);
        Ok(Some(room))
    }

    pub(crate) fn wake(&self, room: &Arc<Room>) {
        play::wake(room, &self.host, &self.settings);
    }

    async fn load(&self, row: RoomRow) -> Result<Arc<Room>, RoomsError> {
        let read = |(at, body): &(i64, String)| {
            serde_json::from_str(body).map(|fact: Fact| (*at, fact)).map_err(|error| BadFacts(error.to_string()))
        };
        let facts = self.store.facts(&row.id).await?.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let room = Arc::new(Room::load(row, facts, self.store.writer().clone())?);
        self.rooms().insert(room.id.clone(), Arc::clone(&room));
        Ok(room)
    }

    /// Games that go on without anybody, or whose clocks run, go on at once after a restart.
    pub(crate) async fn revive(&self) -> Result<usize, RoomsError> {
        let mut revived = 0;
        for row in self.store.live_rooms().await? {
            let people = row.seats.iter().any(|seat| seat.kind == SeatKind::Person);
            let timed = row.time.ply.is_some() || row.time.game.is_some();
            if people && !timed {
                continue;
            }
            let id = row.id.clone();
            match self.load(row).await {
                Ok(room) => self.wake(&room),
                Err(error) => tracing::error!(room = id, %error, "a room cannot go on"),
            }
            revived += 1;
        }
        Ok(revived)
    }

    /// Makes a room; gives it and the token of its open seat.
    pub(crate) async fn create(&self, new: NewRoom) -> Result<(Arc<Room>, Option<String>), RoomsError> {
        let _making = self.loading.lock().await;
        bounds::check(&new, self.rooms().values().map(Arc::as_ref), &self.settings.limits)?;
        let open = new.seats.iter().any(|seat| seat.kind == SeatKind::Open);
        let anybody = new.seats.iter().any(|seat| seat.kind == SeatKind::Open && seat.visitor.is_none());
        let token = (anybody && new.private).then(|| secret::random_text(130)).transpose()?;
        let clock = fact::ClockState { left_ms: new.time.game.map(board::milliseconds), used_ms: 0 };
        let facts: Vec<Fact> = new.opening.iter().map(|step| play::step_fact(step, [clock; 2])).collect();
        let at = now();
        let mut seed = [0; 8];
        getrandom::fill(&mut seed)?;
        let mut row = RoomRow {
            number: 0,
            id: secret::random_text(70)?,
            game: new.game.facts().id.to_owned(),
            variant: new.variant,
            position: new.position,
            time: new.time,
            public: new.public,
            creator: new.creator,
            created: at,
            started: (!open).then_some(at),
            finished: None,
            phase: if open { Phase::Waiting } else { Phase::Live },
            plies: new.table.plies(),
            seed: i64::from_le_bytes(seed),
            join_hash: token.as_deref().map(secret::hash),
            verdict: None,
            seats: new.seats,
        };
        let bodies = facts.iter().map(|fact| serde_json::to_string(fact).unwrap_or_default()).collect();
        row.number = self.store.writer().write(Command::Room { row: Box::new(row.clone()), facts: bodies }).await?;
        let facts = facts.into_iter().map(|fact| (at, fact)).collect();
        let mut room = Room::load(row, facts, self.store.writer().clone())?;
        room.address = Some(new.address);
        let room = Arc::new(room);
        self.rooms().insert(room.id.clone(), Arc::clone(&room));
        self.wake(&room);
        metrics::counter!("boyi_rooms_made_total").increment(1);
        Ok((room, token))
    }

    /// Puts aside what nobody needs now.
    pub(crate) async fn tidy(&self) {
        let park_after = self.settings.limits.park_after.as_millis() as i64;
        for room in self.at_hand() {
            let idle = room.idle_ms();
            let (phase, playing, timed, created) = {
                let state = room.state();
                let time = state.row.time;
                (state.row.phase, state.playing, time.ply.is_some() || time.game.is_some(), state.row.created)
            };
            let old = now() - created > self.settings.limits.sweep_after.as_millis() as i64;
            if phase == Phase::Waiting && old {
                // It goes from the store below, whoever still waits there.
                self.rooms().remove(&room.id);
                continue;
            }
            if room.watchers() > 0 {
                continue;
            }
            let let_go = match phase {
                Phase::Finished => idle > LET_GO_AFTER_MS,
                Phase::Waiting => idle > park_after,
                Phase::Live if timed => false,
                Phase::Live => idle > park_after,
            };
            if !let_go {
                continue;
            }
            if playing {
                // Gone from here once its thread has ended.
                room.mailbox.stop(Stop::Park);
            } else {
                let mut rooms = self.rooms();
                // Somebody may have come meanwhile.
                if Arc::strong_count(&room) == 2 {
                    rooms.remove(&room.id);
                }
            }
        }
        let before = now() - self.settings.limits.sweep_after.as_millis() as i64;
        match self.store.writer().write(Command::Sweep { before }).await {
            Ok(swept) if swept > 0 => tracing::info!(swept, "rooms that never began are gone"),
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "old rooms could not be swept"),
        }
        metrics::gauge!("boyi_rooms_at_hand").set(self.rooms().len() as f64);
    }

    /// Games that stood still because something of them could not be written go on once it can be.
    pub(crate) async fn mend(&self) {
        let stands = |room: &Arc<Room>| {
            let state = room.state();
            state.trouble.is_some() && !state.playing && state.row.phase == Phase::Live
        };
        let standing: Vec<Arc<Room>> = self.at_hand().into_iter().filter(stands).collect();
        if !standing.is_empty() && self.store.database().prove().await.is_ok() {
            tracing::info!(rooms = standing.len(), "the store can be written again; games go on");
            standing.iter().for_each(|room| self.wake(room));
        }
    }

    /// The server stood still for so long: clocks that run go on from where they were.
    pub(crate) fn excuse(&self, missed: Duration) {
        tracing::warn!(?missed, "the server stood still; nobody is charged for it");
        for room in self.at_hand() {
            {
                let mut state = room.state();
                if !state.playing || state.row.phase != Phase::Live {
                    continue;
                }
                state.board.since = (state.board.since + board::milliseconds(missed) as i64).min(now());
            }
            room.tell();
        }
    }

    /// Stops all games so that they can go on after a restart; waits until they have.
    pub(crate) async fn stop(&self) {
        for room in self.at_hand() {
            room.mailbox.stop(Stop::Park);
        }
        for _ in 0..500 {
            if !self.at_hand().iter().any(|room| room.state().playing) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tracing::warn!("some games did not stop in time; they go on from their last step");
    }

    pub(crate) const fn store(&self) -> &Store {
        &self.store
    }

    /// The side that is to be taken with an open seat.
    pub(crate) fn open_side(row: &RoomRow) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| row.seats[side.index()].kind == SeatKind::Open)
    }
}

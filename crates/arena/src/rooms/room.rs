//! One room: its facts, its board, and what each pair of eyes is sent of it.

use std::net::IpAddr;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use games::{Listing, Side};
use tokio::sync::watch;
use vault::Cause;

use super::board::{BadFacts, Board};
use super::face::{Invitation, RoomFace, Standing, Summary, result_face};
use super::fact::Fact;
use super::mailbox::Mailbox;
use super::sight::Sight;
use super::stream::Stream;
use crate::clock::now;
use crate::store::{Change, Command, Phase, RoomRow, SeatKind, StoreError, Writer};

/// A room at hand.
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) game: &'static dyn Listing,
    pub(crate) mailbox: Arc<Mailbox>,
    /// Where it was made from; known until it is put aside or the server stops, and then it counts for nobody.
    pub(crate) address: Option<IpAddr>,
    /// Held while the next game of the two is looked for and made, so that they do not make two.
    pub(crate) rematching: tokio::sync::Mutex<()>,
    writer: Writer,
    /// Held from the number of a fact until everybody can see it, so that facts are seen in the order they are stored.
    order: Mutex<()>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    /// Connections of the players, and all of them.
    here: [AtomicUsize; 2],
    watchers: AtomicUsize,
    /// When somebody last had to do with it.
    touched: AtomicI64,
}

/// What changes in a room.
pub(crate) struct State {
    pub(crate) row: RoomRow,
    pub(crate) facts: Vec<(i64, Fact)>,
    pub(crate) board: Board,
    streams: [Option<Stream>; 4],
    /// What the seat on turn may click, and after how many facts.
    clicks: Option<(usize, Arc<str>)>,
    /// Whether a thread plays its game.
    pub(crate) playing: bool,
    /// Why its game stands still, when something of it could not be written: it goes on once that is possible.
    pub(crate) trouble: Option<Cause>,
}

impl State {
    /// What a visitor may see.
    pub(crate) fn sight(&self, visitor: Option<i64>) -> Sight {
        if self.row.phase == Phase::Finished {
            return Sight::All;
        }
        if let Some(side) = visitor.and_then(|visitor| self.row.side_of(visitor)) {
            return Sight::of_seat(side);
        }
        let people = self.row.seats.iter().any(|seat| matches!(seat.kind, SeatKind::Person | SeatKind::Open));
        if self.board.is_hidden() && people { Sight::None } else { Sight::All }
    }

    /// The stream of these eyes, made from the facts when nobody has looked yet.
    pub(crate) fn stream(&mut self, sight: Sight) -> Result<&Stream, BadFacts> {
        let slot = &mut self.streams[sight as usize];
        if slot.is_none() {
            let mut board = fresh_board(&self.row)?;
            let mut stream = Stream::new(sight, &board);
            for (at, fact) in &self.facts {
                board.apply(*at, fact)?;
                stream.follow(&board, fact);
            }
            *slot = Some(stream);
        }
        slot.as_ref().ok_or_else(|| BadFacts("no stream".to_owned()))
    }

    fn take_in(&mut self, at: i64, fact: Fact, change: Change) -> Result<(), BadFacts> {
        self.board.apply(at, &fact)?;
        for stream in self.streams.iter_mut().flatten() {
            stream.follow(&self.board, &fact);
        }
        self.facts.push((at, fact));
        self.row.plies = self.board.table.plies();
        match change {
            Change::Nothing | Change::Plies(_) => {}
            Change::Seated { side, seat } => {
                self.row.seats[side] = seat;
                (self.row.phase, self.row.started, self.row.join_hash) = (Phase::Live, Some(at), None);
            }
            Change::Over { .. } => {
                (self.row.phase, self.row.finished, self.row.join_hash) = (Phase::Finished, Some(at), None);
                self.row.verdict.clone_from(&self.board.decision);
            }
        }
        Ok(())
    }

    /// The board at the start of the room.
    pub(crate) fn start_board(&self) -> Result<Board, BadFacts> {
        fresh_board(&self.row)
    }
}

fn fresh_board(row: &RoomRow) -> Result<Board, BadFacts> {
    let game = games::find(&row.game).map_err(|error| BadFacts(error.to_string()))?;
    Board::open(game, &row.variant, row.position.as_deref(), row.time, row.started.unwrap_or(row.created))
}

impl Room {
    /// A room from what is stored of it.
    pub(crate) fn load(row: RoomRow, facts: Vec<(i64, Fact)>, writer: Writer) -> Result<Self, BadFacts> {
        let game = games::find(&row.game).map_err(|error| BadFacts(error.to_string()))?;
        let mut board = fresh_board(&row)?;
        for (at, fact) in &facts {
            board.apply(*at, fact)?;
        }
        let id = row.id.clone();
        let state =
            State { row, facts, board, streams: [const { None }; 4], clicks: None, playing: false, trouble: None };
        Ok(Self {
            id,
            game,
            mailbox: Arc::default(),
            address: None,
            rematching: tokio::sync::Mutex::default(),
            writer,
            order: Mutex::new(()),
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            here: [AtomicUsize::new(0), AtomicUsize::new(0)],
            watchers: AtomicUsize::new(0),
            touched: AtomicI64::new(now()),
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a fact, then shows it. `decide` looks at the room and says what happens; nothing else happens meanwhile.
    /// Blocks until it is on disk.
    pub(crate) fn append<T, E: From<StoreError>>(
        &self,
        decide: impl FnOnce(&State) -> Result<(Fact, Change, T), E>,
    ) -> Result<T, E> {
        let order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, (fact, change, value)) = {
            let state = self.state();
            (state.facts.len(), decide(&state)?)
        };
        let at = now();
        let body = serde_json::to_string(&fact).unwrap_or_default();
        let command = Command::Fact { room: self.id.clone(), number: number as i64, at, body, change: change.clone() };
        self.writer.write_blocking(command)?;
        let taken = self.state().take_in(at, fact, change);
        drop(order);
        if let Err(error) = taken {
            tracing::error!(room = self.id, %error, "a fact was stored that cannot be played");
        }
        self.touch();
        self.tell();
        Ok(value)
    }

    /// Wakes everybody who watches.
    pub(crate) fn tell(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// Changes whenever there may be something new.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn touch(&self) {
        self.touched.store(now(), Ordering::Relaxed);
    }

    pub(crate) fn idle_ms(&self) -> i64 {
        now() - self.touched.load(Ordering::Relaxed)
    }

    pub(crate) fn watchers(&self) -> usize {
        self.watchers.load(Ordering::Relaxed)
    }

    /// Which players are connected.
    pub(crate) fn here(&self) -> [bool; 2] {
        self.here.each_ref().map(|count| count.load(Ordering::Relaxed) > 0)
    }

    /// Who has to do with it now; nothing once it is finished.
    pub(crate) fn standing(&self) -> Option<Standing> {
        let here = self.here().contains(&true);
        let state = self.state();
        let row = &state.row;
        let person = |kind| matches!(kind, SeatKind::Person | SeatKind::Open);
        let stands = |stands, standing| Some(if stands { standing } else { Standing::Abandoned });
        match row.phase {
            Phase::Finished => None,
            Phase::Waiting => stands(here && Invitation::of(row, None) == Some(Invitation::Open), Standing::Waiting),
            Phase::Live => {
                let thinks = |side: Side| !person(row.seats[side.index()].kind);
                stands(here || state.playing && state.board.running().is_some_and(thinks), Standing::Running)
            }
        }
    }

    /// What a list shows of it.
    pub(crate) fn summary(&self, visitor: Option<i64>) -> Summary {
        Summary::of(&self.state().row, visitor, self.here())
    }

    /// Everything a visitor may know of it.
    pub(crate) fn face(&self, visitor: Option<i64>) -> Result<RoomFace, BadFacts> {
        let here = self.here();
        let mut state = self.state();
        let sight = state.sight(visitor);
        let seq = state.stream(sight)?.seq();
        let you = visitor.and_then(|visitor| state.row.side_of(visitor));
        let board = &state.board;
        let table = board.table.fork();
        let on_turn = state.row.phase == Phase::Live && sight.seat().is_some_and(|side| board.running() == Some(side));
        let mut face = RoomFace {
            summary: Summary::of(&state.row, visitor, here),
            eyes: sight,
            you,
            view: None,
            seq,
            steps: board.step_faces(sight),
            clocks: board.clock_faces(),
            running: board.running().filter(|_| state.row.phase == Phase::Live),
            since: board.since,
            now: now(),
            invitation: Invitation::of(&state.row, visitor),
            offers: board.offers,
            chat: board.chat.clone(),
            result: board.decision.as_ref().map(|decision| result_face(&state.row.game, decision)),
            time: serde_json::to_value(state.row.time).unwrap_or_default(),
            position: state.row.position.clone(),
            rematch: board.rematch.clone(),
        };
        drop(state);
        face.view = sight.eyes().and_then(|eyes| {
            let view = if on_turn { table.view(eyes) } else { table.still(eyes) };
            serde_json::value::to_raw_value(&view).ok()
        });
        Ok(face)
    }

    /// What the seat on turn may click, as a field to add to a frame; empty for everybody else.
    /// Empty too when the frame of this number is no longer the last: its clicks would be those of another board.
    pub(crate) fn clicks_field(&self, sight: Sight, seq: usize) -> Arc<str> {
        let Some((side, eyes)) = sight.seat().zip(sight.eyes()) else { return "".into() };
        let (table, facts) = {
            let mut state = self.state();
            let last = state.stream(sight).map(Stream::last_frame);
            if last.ok() != Some(seq) || state.row.phase != Phase::Live || state.board.running() != Some(side) {
                return "".into();
            }
            if let Some((facts, clicks)) = &state.clicks
                && *facts == state.facts.len()
            {
                return Arc::clone(clicks);
            }
            (state.board.table.fork(), state.facts.len())
        };
        let clicks = serde_json::to_string(&table.view(eyes).clicks).unwrap_or_default();
        let field: Arc<str> = format!(",\"clicks\":{clicks}").into();
        self.state().clicks = Some((facts, Arc::clone(&field)));
        field
    }

    /// The seat of a visitor.
    pub(crate) fn side_of(&self, visitor: i64) -> Option<Side> {
        self.state().row.side_of(visitor)
    }
}

/// Somebody who is connected to a room; he leaves when this is dropped.
pub(crate) struct Presence {
    room: Arc<Room>,
    side: Option<Side>,
}

impl Presence {
    pub(crate) fn enter(room: &Arc<Room>, side: Option<Side>) -> Self {
        room.watchers.fetch_add(1, Ordering::Relaxed);
        if let Some(side) = side
            && room.here[side.index()].fetch_add(1, Ordering::Relaxed) == 0
        {
            room.tell();
        }
        room.touch();
        Self { room: Arc::clone(room), side }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.room.watchers.fetch_sub(1, Ordering::Relaxed);
        self.room.touch();
        if let Some(side) = self.side
            && self.room.here[side.index()].fetch_sub(1, Ordering::Relaxed) == 1
        {
            self.room.tell();
        }
    }
}

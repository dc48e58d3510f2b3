//! The games on the first page: a few public ones that go on, as small boards that move. One task looks after them for all
//! visitors, so that a thousand first pages cost hardly more than one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use games::view::BoardView;
use games::{Eyes, Frame};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::rooms::{Room, Rooms, Sight, event_bytes};
use crate::store::Phase;

/// So many boards are shown.
const BOARDS: usize = 6;
/// How often they move.
const TICK: Duration = Duration::from_millis(250);
/// How often others are chosen, in ticks.
const CHOOSE_EVERY: u32 = 8;
/// A visitor who is further behind is shown everything anew.
const BACKLOG: usize = 256;

/// A board that is shown.
struct Shown {
    room: Arc<Room>,
    view: BoardView,
    facts: usize,
}

/// The boards, and whoever looks at them.
pub(crate) struct Live {
    shown: Mutex<Vec<Shown>>,
    events: broadcast::Sender<Bytes>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Self { shown: Mutex::default(), events: broadcast::Sender::new(BACKLOG) }
    }

    fn shown(&self) -> MutexGuard<'_, Vec<Shown>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All boards as they are, and what comes after.
    pub(crate) fn join(&self, rooms: &Rooms) -> (Bytes, broadcast::Receiver<Bytes>) {
        let mut shown = self.shown();
        if self.events.receiver_count() == 0 {
            // Nobody has looked for a while.
            choose(rooms, &mut shown);
        }
        (snapshot(&shown), self.events.subscribe())
    }

    /// Moves the boards for as long as the server runs.
    pub(crate) async fn run(&self, rooms: &Rooms) {
        let mut tick = 0_u32;
        loop {
            tokio::time::sleep(TICK).await;
            tick = tick.wrapping_add(1);
            if self.events.receiver_count() == 0 {
                continue;
            }
            let mut shown = self.shown();
            for board in shown.iter_mut() {
                self.advance(board);
            }
            let over = |board: &Shown| board.room.state().row.phase != Phase::Live;
            for board in shown.iter().filter(|board| over(board)) {
                let gone = json!({ "id": board.room.id }).to_string();
                let _ = self.events.send(event_bytes("gone", None, &gone));
            }
            let before = shown.len();
            shown.retain(|board| !over(board));
            if (before != shown.len() || tick.is_multiple_of(CHOOSE_EVERY)) && choose(rooms, &mut shown) {
                let _ = self.events.send(snapshot(&shown));
            }
        }
    }

    fn advance(&self, board: &mut Shown) {
        let after = {
            let state = board.room.state();
            if state.facts.len() == board.facts {
                return;
            }
            board.facts = state.facts.len();
            state.board.table.still(Eyes::All)
        };
        let frame = Frame::between(&board.view, &after, after.plies as usize, None);
        board.view = after;
        let data = json!({ "id": board.room.id, "frame": frame });
        let _ = self.events.send(event_bytes("frame", None, &data.to_string()));
    }
}

/// Fills free places with public games that everybody may see, those with people first; true when something changed.
fn choose(rooms: &Rooms, shown: &mut Vec<Shown>) -> bool {
    if shown.len() >= BOARDS {
        return false;
    }
    let mut found: Vec<(bool, i64, Arc<Room>)> = rooms
        .at_hand()
        .into_iter()
        .filter(|room| shown.iter().all(|board| board.room.id != room.id))
        .filter_map(|room| {
            let (fits, people, number) = {
                let state = room.state();
                let fits = state.row.phase == Phase::Live && state.row.public && state.sight(None) == Sight::All;
                (fits, state.row.seats.iter().any(|seat| seat.visitor.is_some()), state.row.number)
            };
            fits.then_some((people, number, room))
        })
        .collect();
    found.sort_by_key(|(people, number, _)| std::cmp::Reverse((*people, *number)));
    let before = shown.len();
    for (_, _, room) in found.into_iter().take(BOARDS - before) {
        let (view, facts) = {
            let state = room.state();
            (state.board.table.still(Eyes::All), state.facts.len())
        };
        shown.push(Shown { room, view, facts });
    }
    shown.len() != before
}

fn snapshot(shown: &[Shown]) -> Bytes {
    let boards: Vec<Value> =
        shown.iter().map(|board| json!({ "summary": board.room.summary(None), "view": board.view })).collect();
    event_bytes("rooms", None, &json!({ "rooms": boards }).to_string())
}

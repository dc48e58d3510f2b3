//! The games on the first page: a few listed ones where somebody is, as small boards that move. One task looks after
//! them for all visitors, so that a thousand first pages cost hardly more than one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use games::view::BoardView;
use games::{Eyes, Frame};
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::rooms::{Room, Rooms, Sight, Standing, event_bytes};
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
    standing: Standing,
    view: BoardView,
    facts: usize,
}

/// The boards, and how many listed games are played and wait in all.
#[derive(Default)]
struct Cards {
    shown: Vec<Shown>,
    counts: [usize; 2],
}

/// The boards, and whoever looks at them.
pub(crate) struct Live {
    cards: Mutex<Cards>,
    events: broadcast::Sender<Bytes>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Self { cards: Mutex::default(), events: broadcast::Sender::new(BACKLOG) }
    }

    fn cards(&self) -> MutexGuard<'_, Cards> {
        self.cards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All boards as they are, and what comes after.
    pub(crate) fn join(&self, rooms: &Rooms) -> (Bytes, broadcast::Receiver<Bytes>) {
        let mut cards = self.cards();
        if self.events.receiver_count() == 0 {
            // Nobody has looked for a while.
            choose(rooms, &mut cards);
        }
        (snapshot(&cards), self.events.subscribe())
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
            let mut cards = self.cards();
            for board in &mut cards.shown {
                self.advance(board);
            }
            let over = |board: &Shown| board.room.state().row.phase == Phase::Finished;
            for board in cards.shown.iter().filter(|board| over(board)) {
                let gone = json!({ "id": board.room.id }).to_string();
                let _ = self.events.send(event_bytes("gone", None, &gone));
            }
            let before = cards.shown.len();
            cards.shown.retain(|board| !over(board));
            if (before != cards.shown.len() || tick.is_multiple_of(CHOOSE_EVERY)) && choose(rooms, &mut cards) {
                let _ = self.events.send(snapshot(&cards));
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

/// Chooses the boards anew: games that are played before rooms that wait, and nothing that everybody has left. What is
/// shown already stays before others like it. True when something changed.
fn choose(rooms: &Rooms, cards: &mut Cards) -> bool {
    let public = standing(rooms);
    let count = |wanted| public.iter().filter(|(standing, _)| *standing == wanted).count();
    let counts = [count(Standing::Running), count(Standing::Waiting)];
    let mut found: Vec<(Standing, bool, bool, i64, Arc<Room>)> = public
        .into_iter()
        .filter(|(standing, _)| *standing != Standing::Abandoned)
        .filter_map(|(standing, room)| {
            let (open, alone, number) = {
                let state = room.state();
                let people = state.row.seats.iter().any(|seat| seat.visitor.is_some());
                (state.sight(None) == Sight::All, !people, state.row.number)
            };
            let new = cards.shown.iter().all(|board| board.room.id != room.id);
            open.then_some((standing, new, alone, number, room))
        })
        .collect();
    found.sort_by_key(|(standing, new, alone, number, _)| (*standing, *new, *alone, std::cmp::Reverse(*number)));
    found.truncate(BOARDS);
    let same = cards.counts == counts
        && cards.shown.len() == found.len()
        && cards
            .shown
            .iter()
            .zip(&found)
            .all(|(one, (standing, .., room))| one.room.id == room.id && one.standing == *standing);
    cards.counts = counts;
    let mut before = std::mem::take(&mut cards.shown);
    cards.shown.extend(found.into_iter().map(|(standing, .., room)| {
        match before.iter().position(|board| board.room.id == room.id) {
            Some(at) => Shown { standing, ..before.swap_remove(at) },
            None => {
                let (view, facts) = {
                    let state = room.state();
                    (state.board.table.still(Eyes::All), state.facts.len())
                };
                Shown { room, standing, view, facts }
            }
        }
    }));
    !same
}

/// The listed rooms at hand that are not finished.
pub(crate) fn standing(rooms: &Rooms) -> Vec<(Standing, Arc<Room>)> {
    let at_hand = rooms.at_hand().into_iter();
    at_hand.filter(|room| room.state().row.public).filter_map(|room| Some((room.standing()?, room))).collect()
}

fn snapshot(cards: &Cards) -> Bytes {
    let board =
        |board: &Shown| json!({ "summary": board.room.summary(None), "standing": board.standing, "view": board.view });
    let boards: Vec<Value> = cards.shown.iter().map(board).collect();
    let [running, waiting] = cards.counts;
    event_bytes("rooms", None, &json!({ "rooms": boards, "running": running, "waiting": waiting }).to_string())
}

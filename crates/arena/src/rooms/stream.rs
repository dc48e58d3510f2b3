//! What one pair of eyes is sent, event by event. Two people with the same eyes are sent the same bytes; what other
//! eyes see leaves no trace here, not even a gap in the numbers.

use std::time::{Duration, Instant};

use bytes::Bytes;
use games::view::BoardView;
use games::{Frame, FrameStep};
use serde_json::{Value, json};

use super::board::{Board, milliseconds};
use super::face::{Offers, result_face};
use super::fact::Fact;
use super::sight::Sight;
use crate::clock::now;

/// An event that was sent so long ago says the wrong time.
const FRESH: Duration = Duration::from_millis(500);

/// One event, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    whole: Bytes,
    /// How much of it does not depend on when it is sent; all of it, except for frames.
    lasting: usize,
    made: Instant,
    /// Somebody took a seat: everybody is shown the whole room anew.
    pub(crate) joined: bool,
    /// The board changed.
    pub(crate) frame: bool,
}

impl Entry {
    /// The bytes to send now; `more` are fields that only this receiver is sent.
    pub(crate) fn bytes(&self, more: &str) -> Bytes {
        let timeless = self.lasting == self.whole.len();
        if timeless || more.is_empty() && self.made.elapsed() < FRESH {
            return self.whole.clone();
        }
        let mut bytes = self.whole[..self.lasting].to_vec();
        bytes.extend_from_slice(format!(",\"now\":{}{more}}}\n\n", now()).as_bytes());
        bytes.into()
    }
}

/// The events of one pair of eyes since the beginning of the room.
pub(crate) struct Stream {
    sight: Sight,
    entries: Vec<Entry>,
    /// What the board looked like to them after the last event.
    view: Option<BoardView>,
    /// How many steps they know of.
    known: usize,
    offers: Offers,
    /// The number of the last frame.
    last_frame: usize,
}

/// The text of an event.
pub(crate) fn event_bytes(name: &str, id: Option<(Sight, usize)>, data: &str) -> Bytes {
    let id = id.map_or_else(String::new, |(sight, seq)| format!("id: {}.{seq}\n", sight.word()));
    format!("event: {name}\n{id}data: {data}\n\n").into()
}

impl Stream {
    /// The stream of a board on which nothing has happened.
    pub(crate) fn new(sight: Sight, board: &Board) -> Self {
        let view = sight.eyes().map(|eyes| board.table.still(eyes));
        Self { sight, entries: Vec::new(), view, known: 0, offers: Offers::default(), last_frame: 0 }
    }

    /// The number of the last event; events are counted from 1.
    pub(crate) fn seq(&self) -> usize {
        self.entries.len()
    }

    /// The number of the last event that changed the board.
    pub(crate) fn last_frame(&self) -> usize {
        self.last_frame
    }

    /// The events after the one of this number; `None` when there is no such number.
    pub(crate) fn after(&self, seq: usize) -> Option<&[Entry]> {
        self.entries.get(seq..)
    }

    /// Follows a fact that the board has taken in.
    pub(crate) fn follow(&mut self, board: &Board, fact: &Fact) {
        match fact {
            Fact::Step { ms, .. } => {
                let Some(index) = board.steps.len().checked_sub(1) else { return };
                if let Some(step) = board.step(index, self.sight) {
                    self.known += 1;
                    self.frame(board, Some(frame_step(step, *ms)));
                }
            }
            Fact::TakenBack { keep, .. } => {
                self.known = (0..*keep).filter(|&index| board.step(index, self.sight).is_some()).count();
                self.frame(board, None);
            }
            Fact::Seated { side, name, .. } => self.push("joined", &json!({ "side": side, "name": name })),
            Fact::Declined { offer, by } => self.push("declined", &json!({ "offer": offer, "by": by })),
            Fact::Rematch { room, by } => self.push("rematch", &json!({ "room": room, "by": by })),
            Fact::Offered { .. } => {}
            Fact::Said { .. } => {
                if let Some(line) = board.chat.last() {
                    self.push("chat", &serde_json::to_value(line).unwrap_or_default());
                }
            }
            Fact::Over { decision } => {
                self.push("over", &json!({ "result": result_face(board.table.facts().id, decision) }));
            }
        }
        if self.offers != board.offers {
            self.offers = board.offers;
            self.push("offers", &json!({ "offers": board.offers }));
        }
    }

    fn frame(&mut self, board: &Board, step: Option<FrameStep>) {
        let (plies, to_move) = (board.table.plies(), board.table.to_move());
        let frame = match (self.sight.eyes(), &mut self.view) {
            (Some(eyes), Some(view)) => {
                let after = board.table.still(eyes);
                let before = std::mem::replace(view, after);
                Frame::between(&before, view, self.known, step)
            }
            _ => Frame::blind(plies, to_move, self.known, step),
        };
        let data = json!({
            "frame": frame,
            "clocks": board.clock_faces(),
            "running": board.running(),
            "since": board.since,
            "now": now(),
        });
        self.push("frame", &data);
        self.last_frame = self.seq();
    }

    fn push(&mut self, name: &str, data: &Value) {
        let seq = self.seq() + 1;
        let mut data = data.clone();
        // The time goes last, so that it can be told anew to whoever reads this later.
        let told = data.as_object_mut().and_then(|fields| {
            fields.insert("seq".to_owned(), seq.into());
            fields.shift_remove("now")
        });
        let mut text = data.to_string();
        let lasting = told.map(|told| {
            text.pop();
            let lasting = text.len();
            text.push_str(&format!(",\"now\":{told}}}"));
            lasting
        });
        let whole = event_bytes(name, Some((self.sight, seq)), &text);
        let head = whole.len() - text.len() - 2;
        let lasting = lasting.map_or(whole.len(), |lasting| head + lasting);
        let (joined, frame) = (name == "joined", name == "frame");
        self.entries.push(Entry { whole, lasting, made: Instant::now(), joined, frame });
    }
}

fn frame_step(step: games::Step, ms: u64) -> FrameStep {
    FrameStep { mover: step.mover, ply: step.ply, end: step.end.word(), ms: Some(ms), told: step.told }
}

/// The frames of a whole game for these eyes: the view at the start, and one frame a step they know of.
pub(crate) fn frames(start: &Board, steps: &[referee::PlayedPly], sight: Sight) -> Option<(BoardView, Vec<Frame>)> {
    let eyes = sight.eyes()?;
    let mut table = start.table.fork();
    let first = table.still(eyes);
    let mut view = first.clone();
    let mut frames: Vec<Frame> = Vec::new();
    for played in steps {
        if table.play(&played.ply, games::Eyes::All).is_err() {
            break;
        }
        let Some(step) = table.step(table.steps() - 1, eyes) else { continue };
        let after = table.still(eyes);
        let step = frame_step(step, milliseconds(played.time));
        frames.push(Frame::between(&view, &after, frames.len() + 1, Some(step)));
        view = after;
    }
    Some((first, frames))
}

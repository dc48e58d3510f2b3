//! Live events of a room. Nothing is queued for a watcher: he reads the stream of his eyes at his own speed, and after a
//! lost connection goes on where he was, also when the server was restarted meanwhile.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use bytes::Bytes;
use games::Side;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::Instant;

use super::body::{Path, Query};
use super::error::ApiError;
use super::limits::{Address, Slot};
use super::visitor::Guest;
use super::{App, room_of};
use crate::rooms::{Presence, Room, Sight, event_bytes};

/// So many events are put together at once; a long absence is told in pieces.
const PIECE: usize = 64;

/// Where in the stream to go on.
#[derive(Debug, Deserialize)]
pub(crate) struct AfterQuery {
    /// The last event you have seen, where the header Last-Event-ID does not say it.
    after: Option<String>,
}

/// The live events of a room, as server-sent events.
#[utoipa::path(get, path = "/api/rooms/{id}/events", tag = "rooms", params(("id" = String, Path), ("after" = Option<String>, Query, description = "the last event seen, where the header Last-Event-ID does not say it")),
    responses((status = 200, description = "room, frame, offers, declined, joined, seats, chat, rematch, over", content_type = "text/event-stream", body = String),
              (status = 404, description = "no such room"), (status = 429, description = "too many connections")))]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<AfterQuery>,
    address: Address,
    headers: HeaderMap,
    guest: Guest,
) -> Result<Response, ApiError> {
    let room = room_of(&app, &id).await?;
    let slot = app.limits.stream(address.0)?;
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned).or(query.after);
    let visitor = guest.id();
    let (sight, seq, side) = {
        let mut state = room.state();
        let sight = state.sight(visitor);
        let seq = state.stream(sight)?.seq();
        (sight, seq, visitor.and_then(|visitor| state.row.side_of(visitor)))
    };
    let position = last.and_then(|last| resumed(&last, sight)).filter(|&position| position <= seq);
    let feed = Feed {
        presence: Presence::enter(&room, side),
        changes: room.changes(),
        stopping: app.stopping.subscribe(),
        here: room.here(),
        room,
        visitor,
        side,
        sight,
        position,
        queue: VecDeque::from([Bytes::from_static(b"retry: 1000\n\n")]),
        heartbeat: Instant::now() + app.settings.heartbeat,
        ended: false,
        _slot: slot,
        app,
    };
    Ok(sse(futures_util::stream::unfold(feed, |mut feed| async move {
        let bytes = feed.next().await?;
        Some((Ok::<_, std::convert::Infallible>(bytes), feed))
    })))
}

/// The answer that carries events.
pub(crate) fn sse(
    stream: impl futures_util::Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + 'static,
) -> Response {
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies must pass events on at once.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// The position an event id names, when it belongs to the stream of these eyes; a bare number does.
fn resumed(id: &str, sight: Sight) -> Option<usize> {
    match id.split_once('.') {
        Some((word, seq)) if word == sight.word() => seq.parse().ok(),
        Some(_) => None,
        None => id.parse().ok(),
    }
}

/// One connection.
struct Feed {
    room: Arc<Room>,
    visitor: Option<i64>,
    side: Option<Side>,
    sight: Sight,
    /// The last event that was sent; `None` when the whole room is to be sent.
    position: Option<usize>,
    here: [bool; 2],
    changes: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    queue: VecDeque<Bytes>,
    /// When a sign of life is due. It counts from the last bytes that were sent, not from the last change: a change that
    /// these eyes may not know of would show in the rhythm.
    heartbeat: Instant,
    ended: bool,
    presence: Presence,
    _slot: Slot,
    app: Arc<App>,
}

impl Feed {
    async fn next(&mut self) -> Option<Bytes> {
        let bytes = self.wait().await?;
        self.heartbeat = Instant::now() + self.app.settings.heartbeat;
        Some(bytes)
    }

    async fn wait(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.queue.pop_front() {
                return Some(bytes);
            }
            if self.ended {
                return None;
            }
            // Seen before looking, so that a change while looking is not missed.
            self.changes.borrow_and_update();
            if self.fill().await.is_err() {
                return None;
            }
            if !self.queue.is_empty() {
                continue;
            }
            if *self.stopping.borrow() {
                self.ended = true;
                return Some(Bytes::from_static(b"retry: 2000\n: the server is being restarted\n\n"));
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                _ = self.stopping.changed() => {}
                () = tokio::time::sleep_until(self.heartbeat) => {
                    self.app.rooms.wake(&self.room);
                    self.room.touch();
                    return Some(Bytes::from_static(b": ping\n\n"));
                }
            }
        }
    }

    /// Puts what is new into the queue.
    async fn fill(&mut self) -> Result<(), ApiError> {
        let Some(position) = self.position else { return self.whole_room().await };
        let (entries, last_frame, sight_now, side_now) = {
            let mut state = self.room.state();
            let sight_now = state.sight(self.visitor);
            let side_now = self.visitor.and_then(|visitor| state.row.side_of(visitor));
            let stream = state.stream(self.sight)?;
            let entries = stream.after(position).unwrap_or_default();
            let entries: Vec<_> = entries.iter().take(PIECE).cloned().collect();
            (entries, stream.last_frame(), sight_now, side_now)
        };
        if self.side != side_now {
            self.side = side_now;
            self.presence = Presence::enter(&self.room, side_now);
        }
        if entries.is_empty() {
            if sight_now != self.sight {
                return self.whole_room().await;
            }
            self.tell_who_is_here();
            return Ok(());
        }
        for (index, entry) in entries.iter().enumerate() {
            let seq = position + index + 1;
            if entry.joined {
                return self.whole_room().await;
            }
            let more = if entry.frame && seq == last_frame { self.clicks(seq).await? } else { "".into() };
            self.queue.push_back(entry.bytes(&more));
            self.position = Some(seq);
        }
        Ok(())
    }

    async fn clicks(&self, seq: usize) -> Result<Arc<str>, ApiError> {
        if self.sight.seat().is_none() {
            return Ok("".into());
        }
        let (room, sight) = (Arc::clone(&self.room), self.sight);
        Ok(tokio::task::spawn_blocking(move || room.clicks_field(sight, seq)).await?)
    }

    async fn whole_room(&mut self) -> Result<(), ApiError> {
        let (room, visitor) = (Arc::clone(&self.room), self.visitor);
        let face = tokio::task::spawn_blocking(move || room.face(visitor)).await??;
        (self.sight, self.position) = (face.eyes, Some(face.seq));
        self.here = self.room.here();
        let data = serde_json::to_string(&face).unwrap_or_default();
        self.queue.push_back(event_bytes("room", Some((face.eyes, face.seq)), &data));
        Ok(())
    }

    fn tell_who_is_here(&mut self) {
        let here = self.room.here();
        if here != self.here {
            self.here = here;
            let seats = self.room.summary(self.visitor).seats;
            // Without an id: who is connected is not part of what happened.
            self.queue.push_back(event_bytes("seats", None, &json!({ "seats": seats }).to_string()));
        }
    }
}

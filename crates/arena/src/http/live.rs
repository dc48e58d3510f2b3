//! The live boards of the first page.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::App;
use super::error::ApiError;
use super::events::sse;
use super::limits::{Address, Slot};

struct Feed {
    app: Arc<App>,
    queue: VecDeque<Bytes>,
    events: Receiver<Bytes>,
    stopping: watch::Receiver<bool>,
    _slot: Slot,
}

/// Up to six public games that go on, as server-sent events: rooms, frame, gone.
#[utoipa::path(get, path = "/api/live/events", tag = "rooms", responses((status = 200, description = "rooms, frame, gone", content_type = "text/event-stream", body = String)))]
pub(crate) async fn events(State(app): State<Arc<App>>, address: Address) -> Result<Response, ApiError> {
    let slot = app.limits.stream(address.0)?;
    let (snapshot, events) = app.live.join(&app.rooms);
    let queue = VecDeque::from([Bytes::from_static(b"retry: 2000\n\n"), snapshot]);
    let feed = Feed { queue, events, stopping: app.stopping.subscribe(), _slot: slot, app };
    Ok(sse(futures_util::stream::unfold(feed, |mut feed| async move {
        let bytes = feed.next().await?;
        Some((Ok(bytes), feed))
    })))
}

impl Feed {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(bytes) = self.queue.pop_front() {
                return Some(bytes);
            }
            if *self.stopping.borrow() {
                return None;
            }
            tokio::select! {
                event = self.events.recv() => match event {
                    Ok(bytes) => return Some(bytes),
                    Err(RecvError::Closed) => return None,
                    Err(RecvError::Lagged(_)) => {
                        let (snapshot, events) = self.app.live.join(&self.app.rooms);
                        self.events = events;
                        return Some(snapshot);
                    }
                },
                _ = self.stopping.changed() => {}
                () = tokio::time::sleep(Duration::from_secs(15)) => return Some(Bytes::from_static(b": ping\n\n")),
            }
        }
    }
}

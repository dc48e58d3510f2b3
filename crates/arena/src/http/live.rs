//! The games that are not finished: the live boards of the first page, and all of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::App;
use super::body::{Query, page_length};
use super::error::ApiError;
use super::events::sse;
use super::games::game;
use super::limits::{Address, Slot};
use super::visitor::Guest;
use crate::live::standing;
use crate::rooms::{Room, Standing, Summary};
use crate::store::{Phase, Wanted};

struct Feed {
    app: Arc<App>,
    queue: VecDeque<Bytes>,
    events: Receiver<Bytes>,
    stopping: watch::Receiver<bool>,
    _slot: Slot,
}

/// A room that is not finished.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LiveRoom {
    #[serde(flatten)]
    summary: Summary,
    /// Whether somebody is there.
    standing: Standing,
}

/// A page of the rooms that are not finished.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LivePage {
    /// Those that are played, then those that wait, then those everybody has left; of each the newest first.
    items: Vec<LiveRoom>,
    /// The cursor of the next page.
    next: Option<String>,
}

/// Which rooms.
#[derive(Debug, Deserialize)]
pub(crate) struct LiveQuery {
    /// Only this game.
    game: Option<String>,
    /// At most 100.
    limit: Option<u32>,
    /// The cursor of the page before.
    after: Option<String>,
}

/// A place in the list: a section, and a room's number in it.
type Place = (usize, i64);

/// The sections of the list, in their order. The first two are known here; who is not at hand is in the store.
const SECTIONS: [(Standing, Option<Phase>); 4] = [
    (Standing::Running, None),
    (Standing::Waiting, None),
    (Standing::Abandoned, Some(Phase::Live)),
    (Standing::Abandoned, Some(Phase::Waiting)),
];

fn read_place(text: &str) -> Option<Place> {
    let (section, number) = text.split_once('.')?;
    let section = section.parse().ok().filter(|section| *section < SECTIONS.len())?;
    Some((section, number.parse().ok()?))
}

/// Lists the public rooms that are not finished: those that are played, those that wait for somebody, those everybody
/// has left. A page may be short and still have a next one.
#[utoipa::path(get, path = "/api/live", tag = "rooms",
    params(("game" = Option<String>, Query, description = "only this game"),
        ("limit" = Option<u32>, Query, description = "at most 100"),
        ("after" = Option<String>, Query, description = "the cursor of the page before")),
    responses((status = 200, body = LivePage)))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    guest: Guest,
    Query(query): Query<LiveQuery>,
) -> Result<Json<LivePage>, ApiError> {
    let limit = page_length(query.limit, 20)? as usize;
    let game = query.game.as_deref().map(game).transpose()?.map(|game| game.facts().id);
    let wrong = || ApiError::bad_request("after is the cursor of another page", "after 应为上一页给出的游标");
    let (from, mut before) =
        query.after.as_deref().map(|text| read_place(text).ok_or_else(wrong)).transpose()?.unwrap_or((0, i64::MAX));
    let of_game = |room: &Room| game.is_none_or(|game| room.game.facts().id == game);
    let at_hand: Vec<_> = standing(&app.rooms).into_iter().filter(|(_, room)| of_game(room)).collect();
    let mut page = LivePage { items: Vec::new(), next: None };
    for (section, (standing, phase)) in SECTIONS.into_iter().enumerate().skip(from) {
        let missing = limit - page.items.len();
        let mut last = None;
        if let Some(phase) = phase {
            let wanted = Wanted {
                phase: Some(phase),
                game: game.map(str::to_owned),
                before: Some(before),
                limit: missing as u32,
                ..Wanted::default()
            };
            let listed = app.rooms.store().list(&wanted).await?;
            for row in &listed.rows {
                // Whoever is there has been listed above.
                let stood = at_hand.iter().find(|(_, room)| room.id == row.id).map(|(standing, _)| *standing);
                if stood.is_none_or(|stood| stood == Standing::Abandoned) {
                    page.items.push(LiveRoom { summary: app.rooms.summary(row, guest.id()), standing });
                }
            }
            last = listed.next;
        } else {
            let mut here: Vec<(i64, &Arc<Room>)> = at_hand
                .iter()
                .filter(|(stands, _)| *stands == standing)
                .map(|(_, room)| (room.state().row.number, room))
                .filter(|(number, _)| *number < before)
                .collect();
            here.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
            if here.len() > missing {
                here.truncate(missing);
                last = here.last().map(|(number, _)| *number);
            }
            let items = here.iter().map(|(_, room)| LiveRoom { summary: room.summary(guest.id()), standing });
            page.items.extend(items);
        }
        let place = match last {
            Some(number) => Some((section, number)),
            None if page.items.len() >= limit => Some((section + 1, i64::MAX)),
            None => None,
        };
        if let Some((section, number)) = place {
            page.next = (section < SECTIONS.len()).then(|| format!("{section}.{number}"));
            break;
        }
        before = i64::MAX;
    }
    Ok(Json(page))
}

/// Up to six public games where somebody is, and how many there are, as server-sent events: rooms, frame, gone.
#[utoipa::path(get, path = "/api/live/events", tag = "rooms",
    responses((status = 200, description = "rooms, frame, gone", content_type = "text/event-stream", body = String)))]
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

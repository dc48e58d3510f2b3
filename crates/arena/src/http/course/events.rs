//! The live events of a contest: what changed, for the one who watches.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use course::Wanted;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::super::App;
use super::super::body::Path;
use super::super::error::ApiError;
use super::super::events::sse;
use super::super::limits::{Address, Slot};
use super::{Who, contest_of, contests, faces, nothing};

/// How often a sign of life is sent.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Changes are told at most this often.
const PACE: Duration = Duration::from_secs(1);

struct Feed {
    app: Arc<App>,
    who: Who,
    contest: String,
    queue: VecDeque<Bytes>,
    changes: watch::Receiver<i64>,
    stopping: watch::Receiver<bool>,
    /// Changes of the contest and of submissions up to these were told.
    told: i64,
    submissions: i64,
    _slot: Slot,
}

/// What changes in a contest, as server-sent events: contest, scoreboard, submission.
#[utoipa::path(get, path = "/api/contests/{id}/events", tag = "contests", params(("id" = String, Path)),
    responses((status = 200, description = "contest, scoreboard, submission", content_type = "text/event-stream", body = String), (status = 404, description = "no such contest"), (status = 429, description = "too many connections")))]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path,
    address: Address,
) -> Result<Response, ApiError> {
    let contest = contest_of(&app, &who, &id).await?;
    let slot = app.limits.stream(address.0)?;
    let submissions = app.course.store.seq().await?;
    let feed = Feed {
        queue: VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]),
        changes: app.course.changes.subscribe(),
        stopping: app.stopping.subscribe(),
        told: -1,
        submissions,
        contest: contest.id,
        who,
        _slot: slot,
        app,
    };
    Ok(sse(futures_util::stream::unfold(feed, |mut feed| async move {
        let bytes = feed.next().await?;
        Some((Ok(bytes), feed))
    })))
}

fn event(name: &str, data: &Value) -> Bytes {
    format!("event: {name}\ndata: {data}\n\n").into()
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
            if self.told < 0 {
                self.fill().await.ok()?;
                continue;
            }
            tokio::select! {
                changed = self.changes.changed() => {
                    changed.ok()?;
                    // More changes of this moment are told together.
                    tokio::time::sleep(PACE).await;
                    self.fill().await.ok()?;
                }
                _ = self.stopping.changed() => {}
                () = tokio::time::sleep(HEARTBEAT) => return Some(Bytes::from_static(b": ping\n\n")),
            }
        }
    }

    /// Puts what is new into the queue.
    async fn fill(&mut self) -> Result<(), ApiError> {
        self.changes.borrow_and_update();
        // Rights that were taken away meanwhile end the stream; the page asks again with those that are left.
        if !self.who.is_still(&self.app).await? {
            return Err(nothing());
        }
        let store = &self.app.course.store;
        let contest = contest_of(&self.app, &self.who, &self.contest).await?;
        let seq = store.seq().await?;
        let changed = store.contest_changed(contest.number).await?;
        if changed > self.told {
            let face = contests::face(&self.app, &self.who, &contest).await?;
            self.queue.push_back(event("contest", &face));
            self.told = changed;
        }
        self.queue.push_back(event("scoreboard", &json!({ "version": seq })));
        let account = match (self.who.account(), self.who.is_staff()) {
            (None, _) => return Ok(()),
            (Some(_), true) => None,
            (Some(account), false) => Some(account.id),
        };
        let wanted = Wanted { account, changed_after: Some(self.submissions), limit: 100, ..Wanted::default() };
        for row in store.submissions(contest.number, &wanted).await? {
            let face = faces::submission(&self.app, &self.who, &row).await?;
            self.queue.push_back(event("submission", &json!({ "submission": face })));
        }
        self.submissions = seq;
        Ok(())
    }
}

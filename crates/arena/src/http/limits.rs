//! How much one address and one visitor may ask for.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::App;
use super::error::ApiError;
use crate::places::{Place, Places, network};
use crate::settings::{Limits as Bounds, Settings};

/// Questions of one address that may be in line, the one that is being answered included: a class behind one address, and
/// an answer a quarter of a second.
const MOST_QUESTIONS: usize = 60;

/// The limits of a running server.
pub(crate) struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    changes: DefaultKeyedRateLimiter<i64>,
    rooms: DefaultKeyedRateLimiter<IpAddr>,
    streams: Arc<Places>,
    /// Where the questions of an address wait for one another.
    questions: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
}

/// A place among the live connections of an address, free again when dropped.
pub(crate) struct Slot {
    _place: Place,
}

impl Drop for Slot {
    fn drop(&mut self) {
        metrics::gauge!("boyi_watchers").decrement(1.0);
    }
}

impl Limits {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        let number = |value: u32| NonZeroU32::new(value).unwrap_or(NonZeroU32::MIN);
        let per_second = |value: u32| Quota::per_second(number(value)).allow_burst(number(value.saturating_mul(4)));
        Self {
            requests: RateLimiter::keyed(per_second(bounds.requests_per_second)),
            changes: RateLimiter::keyed(per_second(bounds.changes_per_second)),
            rooms: RateLimiter::keyed(Quota::per_minute(number(bounds.rooms_per_minute))),
            streams: Places::new(bounds.streams_per_address),
            questions: Mutex::default(),
        }
    }

    fn too_fast() -> ApiError {
        metrics::counter!("boyi_refused_total", "why" => "rate").increment(1);
        ApiError::too_many("too-fast", "too many requests; please slow down", "请求过于频繁，请稍候")
    }

    /// One change by a visitor.
    pub(crate) fn change(&self, visitor: i64) -> Result<(), ApiError> {
        self.changes.check_key(&visitor).map_err(|_| Self::too_fast())
    }

    /// One room made.
    pub(crate) fn room(&self, address: Address) -> Result<(), ApiError> {
        self.rooms.check_key(&address.0).map_err(|_| Self::too_fast())
    }

    /// One more live connection.
    pub(crate) fn stream(&self, address: IpAddr) -> Result<Slot, ApiError> {
        let place = self.streams.take(address).ok_or_else(|| {
            ApiError::too_many(
                "too-many-streams",
                "too many live connections from your address; close some pages",
                "来自你所在地址的实时连接过多，请关闭一些页面",
            )
        })?;
        metrics::gauge!("boyi_watchers").increment(1.0);
        Ok(Slot { _place: place })
    }

    /// One question to a player who looks ahead, after those of the same address that were asked before: nobody gets more
    /// of the processor by asking much at once.
    pub(crate) async fn question(&self, address: Address) -> Result<OwnedSemaphorePermit, ApiError> {
        let too_many = || {
            ApiError::too_many(
                "too-many-questions",
                "too many questions from your address wait for an answer; please try again in a while",
                "来自你所在地址的提问过多，请稍后再试",
            )
        };
        let line = {
            let mut lines = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
            let line = lines.entry(address.0).or_insert_with(|| Arc::new(Semaphore::new(1)));
            // Whoever is in line holds on to it, and so does the list itself.
            if Arc::strong_count(line) > MOST_QUESTIONS {
                return Err(too_many());
            }
            Arc::clone(line)
        };
        line.acquire_owned().await.map_err(|_| too_many())
    }

    /// Forgets addresses and visitors that have been quiet.
    pub(crate) fn tidy(&self) {
        self.requests.retain_recent();
        self.changes.retain_recent();
        self.rooms.retain_recent();
        let mut lines = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|_, line| Arc::strong_count(line) > 1);
    }
}

/// The address of the one who asks; a whole IPv6 network counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) IpAddr);

impl Address {
    fn of(parts: &Parts, settings: &Settings) -> Self {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |info| info.0.ip());
        let forwarded = || parts.headers.get("x-forwarded-for")?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
        let address = if settings.behind_proxy { forwarded().unwrap_or(peer) } else { peer };
        Self(network(address))
    }
}

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Self::Rejection> {
        Ok(Self::of(parts, &app.settings))
    }
}

/// Counts requests of an address.
pub(crate) async fn limit(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let address = Address::of(&parts, &app.settings);
    if app.limits.requests.check_key(&address.0).is_err() {
        return Limits::too_fast().into_response();
    }
    next.run(Request::from_parts(parts, body)).await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn questions_of_an_address_wait_for_one_another_and_the_line_has_an_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let limits = Arc::new(Limits::new(&Bounds::default()));
            let [here, there] = [1, 2].map(|last| Address(IpAddr::from([10, 0, 0, last])));
            let first = limits.question(here).await.expect("a turn");
            let wait = |address| {
                let limits = Arc::clone(&limits);
                async move { limits.question(address).await }
            };
            let mut line: Vec<_> = (1..MOST_QUESTIONS).map(|_| tokio::spawn(wait(here))).collect();
            tokio::time::sleep(Duration::from_millis(1)).await;
            assert!(limits.question(here).await.is_err(), "the line has no end");
            drop(limits.question(there).await.expect("others do not wait"));
            assert!(line.iter().all(|one| !one.is_finished()), "two at once");
            // Whoever hangs up leaves the line.
            line.pop().expect("one of them").abort();
            tokio::time::sleep(Duration::from_millis(1)).await;
            let last = tokio::spawn(wait(here));
            tokio::time::sleep(Duration::from_millis(1)).await;
            assert!(!last.is_finished(), "refused though somebody has left");
            drop(first);
            for one in line.into_iter().chain([last]) {
                drop(one.await.expect("a task").expect("a turn"));
            }
            limits.tidy();
            assert!(limits.questions.lock().expect("a list").is_empty(), "addresses are kept for ever");
        });
    }
}

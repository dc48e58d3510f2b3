//! Who asks: a visitor is known by a cookie, which he is given when he first does something.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{FromRequestParts, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{COOKIE, HOST, SET_COOKIE};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use super::App;
use super::error::ApiError;
use crate::clock::now;
use crate::secret;
use crate::store::{Command, Visitor};

/// The cookie where the connection is safe, and the one where it cannot be (plain http in a classroom's network).
const SAFE_COOKIE: &str = "__Host-boyi";
const PLAIN_COOKIE: &str = "boyi";
/// The cookie is kept for a year.
const KEPT: &str = "Max-Age=31536000";

/// The name of a visitor's cookie.
pub(crate) const fn cookie_name(safe: bool) -> &'static str {
    if safe { SAFE_COOKIE } else { PLAIN_COOKIE }
}

/// The cookies that an answer will set.
#[derive(Clone, Default)]
pub(crate) struct Jar(Arc<Mutex<Vec<HeaderValue>>>);

impl Jar {
    /// The jar of a request.
    pub(crate) fn of(parts: &Parts) -> Self {
        parts.extensions.get::<Self>().cloned().unwrap_or_default()
    }

    /// Adds a cookie.
    pub(crate) fn put(&self, cookie: HeaderValue) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(cookie);
    }
}

/// Somebody who asks, known or not.
pub(crate) struct Guest {
    /// Who, if he is known.
    pub(crate) known: Option<Visitor>,
    safe: bool,
    jar: Jar,
}

impl Guest {
    /// His number, if he is known.
    pub(crate) fn id(&self) -> Option<i64> {
        self.known.as_ref().map(|visitor| visitor.id)
    }

    /// The visitor; somebody new is given a name and a cookie.
    pub(crate) async fn or_new(&self, app: &App) -> Result<Visitor, ApiError> {
        if let Some(visitor) = &self.known {
            return Ok(visitor.clone());
        }
        let random = |bits| secret::random_text(bits).map_err(crate::rooms::RoomsError::Random);
        let token = random(256)?;
        let name = format!("guest-{}", random(25)?);
        let command = Command::Visitor { token_hash: secret::hash(&token), name: name.clone(), at: now() };
        let id = app.rooms.store().writer().write(command).await?;
        let cookie = match self.safe {
            true => format!("{SAFE_COOKIE}={token}; Path=/; {KEPT}; HttpOnly; SameSite=Lax; Secure"),
            false => format!("{PLAIN_COOKIE}={token}; Path=/; {KEPT}; HttpOnly; SameSite=Lax"),
        };
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            self.jar.put(cookie);
        }
        Ok(Visitor { id, name })
    }
}

impl FromRequestParts<Arc<App>> for Guest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let safe = is_safe(parts, app);
        let jar = Jar::of(parts);
        let wanted = cookie_name(safe);
        let token = cookie(parts, wanted);
        let known = match token {
            Some(token) if token.len() <= 100 => app.rooms.store().visitor(&secret::hash(token)).await?,
            _ => None,
        };
        Ok(Self { known, safe, jar })
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(parts: &'a Parts, wanted: &str) -> Option<&'a str> {
    let headers = parts.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    headers
        .flat_map(|text| text.split(';'))
        .find_map(|pair| pair.trim().split_once('=').filter(|(name, _)| *name == wanted))
        .map(|(_, value)| value)
}

/// Whether a browser takes a `Secure` cookie on this connection: https, or this machine itself.
pub(crate) fn is_safe(parts: &Parts, app: &App) -> bool {
    if let Some(url) = &app.settings.public_url {
        return url.starts_with("https://");
    }
    let forwarded = parts.headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
    if app.settings.behind_proxy && forwarded == Some("https") {
        return true;
    }
    let host = parts.headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(host, |(name, _)| name);
    name == "localhost" || name.ends_with(".localhost") || name == "[::1]" || name.starts_with("127.")
}

/// Sets the cookies that a handler asked for.
pub(crate) async fn remember(State(_): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let jar = Jar::default();
    request.extensions_mut().insert(jar.clone());
    let mut response = next.run(request).await;
    for cookie in jar.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

//! Who is signed in: a session's cookie beside the visitor's.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use course::{Account, Role, Signed};

use super::super::App;
use super::super::error::ApiError;
use super::super::visitor::{Jar, cookie, is_safe};

const SAFE_COOKIE: &str = "__Host-boyi-session";
const PLAIN_COOKIE: &str = "boyi-session";
/// As long as a session lives.
const KEPT: &str = "Max-Age=2592000";

/// The name of a session's cookie.
pub(crate) const fn cookie_name(safe: bool) -> &'static str {
    if safe { SAFE_COOKIE } else { PLAIN_COOKIE }
}

/// Somebody who asks, signed in or not.
pub(crate) struct Who {
    /// Who, if he is signed in.
    pub(crate) signed: Option<Signed>,
    /// What he showed for it.
    token: Option<String>,
    safe: bool,
    jar: Jar,
    /// What his browser calls itself.
    pub(crate) agent: String,
}

impl Who {
    /// His account, if he is signed in.
    pub(crate) fn account(&self) -> Option<&Account> {
        self.signed.as_ref().map(|signed| &signed.account)
    }

    /// Whether he helps to run the course.
    pub(crate) fn is_staff(&self) -> bool {
        self.account().is_some_and(|account| account.role.is_staff())
    }

    /// Whether this is his own.
    pub(crate) fn is(&self, account: i64) -> bool {
        self.account().is_some_and(|own| own.id == account)
    }

    /// Whether he still is who he was when he asked: in the same session, with the same role, in the same groups.
    pub(crate) async fn is_still(&self, app: &App) -> Result<bool, ApiError> {
        let (Some(token), Some(then)) = (&self.token, &self.signed) else { return Ok(true) };
        let now = app.course.store.signed(token).await?;
        let rights = |signed: &Signed| (signed.session, signed.account.role, signed.account.group.clone());
        Ok(now.is_some_and(|now| rights(&now) == rights(then)))
    }

    /// Somebody with an account.
    pub(crate) fn student(&self, app: &App) -> Result<&Signed, ApiError> {
        self.at_least(app, Role::Student)
    }

    /// An assistant or the admin.
    pub(crate) fn staff(&self, app: &App) -> Result<&Signed, ApiError> {
        self.at_least(app, Role::Assistant)
    }

    /// The admin.
    pub(crate) fn admin(&self, app: &App) -> Result<&Signed, ApiError> {
        self.at_least(app, Role::Admin)
    }

    fn at_least(&self, app: &App, role: Role) -> Result<&Signed, ApiError> {
        let signed = self.signed.as_ref().ok_or_else(|| {
            ApiError::new(StatusCode::UNAUTHORIZED, "sign-in-first", "please sign in first", "请先登录")
        })?;
        if signed.account.role < role {
            return Err(ApiError::forbidden("not-allowed", "your role does not allow this", "你的身份无权进行此操作"));
        }
        // Visitors are counted by their numbers, accounts by theirs below zero.
        app.limits.change(-signed.account.id)?;
        Ok(signed)
    }

    /// Gives him a session's cookie, or takes it away.
    pub(crate) fn set_cookie(&self, token: Option<&str>) {
        let (name, secure) = (cookie_name(self.safe), if self.safe { "; Secure" } else { "" });
        let (token, kept) = token.map_or(("", "Max-Age=0"), |token| (token, KEPT));
        let text = format!("{name}={token}; Path=/; {kept}; HttpOnly; SameSite=Lax{secure}");
        if let Ok(value) = HeaderValue::from_str(&text) {
            self.jar.put(value);
        }
    }
}

impl FromRequestParts<Arc<App>> for Who {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let safe = is_safe(parts, app);
        let token = cookie(parts, cookie_name(safe));
        let token = token.filter(|token| (1..=100).contains(&token.len())).map(ToOwned::to_owned);
        let signed = match &token {
            Some(token) => app.course.store.signed(token).await?,
            None => None,
        };
        let agent = parts.headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(Self { signed, token, safe, jar: Jar::of(parts), agent: agent.to_owned() })
    }
}

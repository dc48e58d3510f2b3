//! What protects visitors: headers that keep strange code out of pages, and no changes on behalf of other sites.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::App;
use super::error::ApiError;

/// Nothing but what this server itself serves; no inline script or style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// Adds the headers.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    // These are refused before their body is read, which leaves a connection that cannot be used again.
    let unread = [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::PAYLOAD_TOO_LARGE];
    if unread.contains(&response.status()) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("permissions-policy", HeaderValue::from_static("camera=(), microphone=(), geolocation=()"));
    response
}

fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Refuses changes that another site's page asks a visitor's browser for.
pub(crate) async fn same_origin(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !is_reading(request.method()) && !is_own(request.headers(), app.settings.public_url.as_deref()) {
        return ApiError::forbidden(
            "cross-origin",
            "changes are taken from this site's own pages only",
            "只接受本站页面发出的操作",
        )
        .into_response();
    }
    next.run(request).await
}

/// Whether a request comes from this site's own pages or from no browser at all.
fn is_own(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let text = |value: Option<&HeaderValue>| value.map(|value| value.to_str().unwrap_or("?").to_owned());
    match text(headers.get("sec-fetch-site")).as_deref() {
        Some("same-origin" | "none") => return true,
        Some(_) => return false,
        None => {}
    }
    let Some(origin) = text(headers.get(ORIGIN)) else { return true };
    let authority = origin.split_once("://").map(|(_, rest)| rest);
    let own = text(headers.get(HOST));
    let public = public_url.and_then(|url| url.split_once("://")).map(|(_, rest)| rest.trim_end_matches('/'));
    authority.is_some() && (authority == own.as_deref() || authority == public)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|&(name, value)| (name.parse().expect("a name"), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn other_sites_are_told_apart() {
        let own = |pairs: &[_]| is_own(&headers(pairs), Some("https://boyi.example/"));
        assert!(own(&[("host", "127.0.0.1:8080")]));
        assert!(own(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]));
        assert!(own(&[("host", "inner"), ("origin", "https://boyi.example")]));
        assert!(own(&[("host", "a"), ("sec-fetch-site", "same-origin"), ("origin", "https://a")]));
        assert!(!own(&[("host", "127.0.0.1:8080"), ("origin", "http://evil.example")]));
        assert!(!own(&[("host", "127.0.0.1:8080"), ("origin", "null")]));
        assert!(!own(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8081")]));
        assert!(!own(&[("host", "a"), ("sec-fetch-site", "cross-site")]));
        assert!(!own(&[("host", "a"), ("sec-fetch-site", "same-site"), ("origin", "http://a")]));
    }
}

//! What protects visitors: headers that keep strange code out of pages, and no changes on behalf of other sites.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::App;
use super::error::ApiError;
use crate::settings::Settings;

/// Nothing but what this server itself serves; no inline script or style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// Adds the headers.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let of_the_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    // These are refused before their body is read, which leaves a connection that cannot be used again.
    let unread = [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT, StatusCode::PAYLOAD_TOO_LARGE];
    if unread.contains(&response.status()) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let headers = response.headers_mut();
    // What the API says depends on who asks and when: no cache between may keep it, nor a browser's after signing out.
    if of_the_api && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("permissions-policy", HeaderValue::from_static("camera=(), microphone=(), geolocation=()"));
    response
}

/// Refuses requests for a name this server does not have: a page elsewhere could give its own name this machine's
/// address, and its visitors' browsers would take it and us for one site.
pub(crate) async fn known_host(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match asked_host(&request) {
        Ok(None) => next.run(request).await,
        Ok(Some(host)) if is_known(&host, &app.settings) => next.run(request).await,
        Ok(Some(host)) => ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "unknown-host",
            format!("this server is not known as {host}; its operator can add the name with --host {host}"),
            format!("本服务器不使用 {host} 这个名称；管理员可用 --host {host} 添加"),
        )
        .into_response(),
        Err(()) => {
            ApiError::bad_request("a request has one Host header that names a host", "请求应有且仅有一个有效的 Host 头")
                .into_response()
        }
    }
}

/// The host a request is for, without its port; HTTP/1.0 need not name one.
fn asked_host(request: &Request) -> Result<Option<String>, ()> {
    let mut named = request.headers().get_all(HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        _ => return Err(()),
    };
    // Where the request line names a host, that one counts, and the header has to be well-formed all the same.
    let named = host.map(|host| Authority::try_from(host.as_bytes())).transpose().map_err(|_| ())?;
    Ok(request.uri().authority().or(named.as_ref()).map(|authority| authority.host().to_ascii_lowercase()))
}

/// Whether the server goes by this name. An address is always right: nobody else can have it answered.
fn is_known(host: &str, settings: &Settings) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let public = settings.public_url.as_deref().and_then(|url| url.split_once("://")?.1.split('/').next());
    let public = public.and_then(|authority| authority.parse::<Authority>().ok());
    address.parse::<std::net::IpAddr>().is_ok()
        || host == "localhost"
        || host.ends_with(".localhost")
        || public.is_some_and(|public| public.host().eq_ignore_ascii_case(host))
        || settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
        || is_of_this_machine(host)
}

/// The machine's own name, as its network knows it.
fn is_of_this_machine(host: &str) -> bool {
    let system = rustix::system::uname();
    let own = system.nodename().to_string_lossy().to_ascii_lowercase();
    !own.is_empty() && (host == own || host.strip_suffix(".local") == Some(&own))
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
    fn a_request_names_one_host() {
        let request = |version, hosts: &[&str], target: &str| {
            let mut request = axum::http::Request::builder().uri(target).version(version);
            for host in hosts {
                request = request.header(HOST, *host);
            }
            asked_host(&request.body(axum::body::Body::empty()).expect("a request"))
        };
        let host = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(request(Version::HTTP_11, &["Boyi.Example:80"], "/"), host("boyi.example"));
        assert_eq!(request(Version::HTTP_11, &["[::1]:8080"], "/"), host("[::1]"));
        assert_eq!(request(Version::HTTP_11, &["a"], "http://b:1/"), host("b"));
        assert_eq!(request(Version::HTTP_10, &[], "/"), Ok(None));
        for bad in [&[][..], &["a", "a"], &["a b"], &["http://a/"], &[""]] {
            assert_eq!(request(Version::HTTP_11, bad, "/"), Err(()), "{bad:?}");
        }
    }

    #[test]
    fn only_its_own_names_are_known() {
        let mut settings = Settings::new(([127, 0, 0, 1], 0).into(), "unused".into());
        let strange = ["evil.example", "127.0.0.1.evil.example", "boyi.example", "localhost.evil.example"];
        for host in ["localhost", "boyi.localhost", "127.0.0.1", "192.168.3.4", "[::1]", "[fe80::1]"] {
            assert!(is_known(host, &settings), "{host}");
        }
        for host in strange {
            assert!(!is_known(host, &settings), "{host}");
        }
        settings.public_url = Some("https://boyi.example:8443/arena".to_owned());
        settings.hosts = vec!["Lab-PC".to_owned()];
        assert!(is_known("boyi.example", &settings) && is_known("lab-pc", &settings));
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

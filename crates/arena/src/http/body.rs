//! Reading what a client sends, with an answer in the API's own shape when it is wrong.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::App;
use super::course::Who;
use super::error::ApiError;

/// How long a body may take.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);
/// The most a request may bring.
const BODY_LIMIT: usize = 64 << 10;
/// The largest record that is read, and where.
const RECORD_LIMIT: usize = 1 << 20;
const RECORDS: &str = "/api/records";
/// The largest submission: a source of a million bytes as base64.
const SUBMISSION_LIMIT: usize = 1_500_000;
/// The largest list of students, and how many of these are read at once.
const ROSTER_LIMIT: usize = 16 << 20;
static LARGE_BODIES: Semaphore = Semaphore::const_new(4);
/// Of a body that is too large so much is read and thrown away before the connection is cut.
const MOST_THROWN_AWAY: usize = 8 << 20;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let is_json = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|kind| {
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
        });
        if !is_json {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not-json",
                "the request needs the header Content-Type: application/json",
                "请求需要 Content-Type: application/json 头",
            ));
        }
        let unread = |_| ApiError::bad_request("the body could not be read", "无法读取请求内容");
        let bytes = Bytes::from_request(request, state).await.map_err(unread)?;
        let value = serde_json::from_slice(&bytes).map_err(|error| json_error(&error))?;
        Ok(Self(value))
    }
}

/// Reads the whole body before anything else is done, so that whoever is told no can still read why, and the connection
/// can be used again.
pub(crate) async fn read_whole(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let most = most_of(parts.uri.path());
    let turn = if most == ROSTER_LIMIT { turn_of_admin(&mut parts, &app).await } else { Ok(None) };
    // Of what nobody may send, nothing is kept.
    let kept = if turn.is_ok() { most } else { 0 };
    match (turn, tokio::time::timeout(PATIENCE, collect(body, kept)).await) {
        (Err(error), _) | (_, Ok(Err(error))) => error.into_response(),
        (Ok(_turn), Ok(Ok(bytes))) => next.run(Request::from_parts(parts, bytes.into())).await,
        (Ok(_), Err(_)) => ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too-slow",
            "the body did not come in time",
            "请求内容未能及时到达",
        )
        .into_response(),
    }
}

/// A turn to send a large body: nobody can fill the memory with lists that have not been looked at yet. Only the admin
/// waits for one and gets one, or strangers who dawdle over theirs would keep him from his.
async fn turn_of_admin(parts: &mut Parts, app: &Arc<App>) -> Result<Option<SemaphorePermit<'static>>, ApiError> {
    Who::from_request_parts(parts, app).await?.admin(app)?;
    Ok(LARGE_BODIES.acquire().await.ok())
}

/// The most a request to this path may bring.
fn most_of(path: &str) -> usize {
    match path {
        RECORDS => RECORD_LIMIT,
        "/api/accounts/import" => ROSTER_LIMIT,
        path if path.starts_with("/api/contests/") && path.ends_with("/submissions") => SUBMISSION_LIMIT,
        _ => BODY_LIMIT,
    }
}

async fn collect(mut body: axum::body::Body, most: usize) -> Result<Bytes, ApiError> {
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::bad_request("the body could not be read", "无法读取请求内容"))?;
        let Ok(data) = frame.into_data() else { continue };
        seen += data.len();
        if seen > MOST_THROWN_AWAY.max(most) {
            break;
        }
        if seen <= most {
            bytes.extend_from_slice(&data);
        }
    }
    if seen <= most {
        return Ok(bytes.into());
    }
    Err(ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too-large",
        format!("the body is larger than the {most} bytes this request may have"),
        format!("请求内容超过允许的 {most} 字节"),
    ))
}

fn json_error(error: &serde_json::Error) -> ApiError {
    let problem: String = error.to_string().chars().take(300).collect();
    match error.classify() {
        serde_json::error::Category::Data => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-json",
            format!("the JSON does not have the expected form: {problem}"),
            format!("JSON 的内容不符合要求：{problem}"),
        ),
        _ => ApiError::new(
            StatusCode::BAD_REQUEST,
            "bad-json",
            format!("the body is not JSON: {problem}"),
            format!("请求内容不是 JSON：{problem}"),
        ),
    }
}

/// The longest page of a list.
pub(super) const LONGEST_PAGE: u32 = 100;

/// How long a page of a list is to be; what is beyond the longest is refused, as the description of the API says.
pub(super) fn page_length(asked: Option<u32>, usual: u32) -> Result<u32, ApiError> {
    match asked {
        None => Ok(usual),
        Some(length @ 1..=LONGEST_PAGE) => Ok(length),
        Some(length) => Err(ApiError::bad_request(
            format!("limit is {length}, and a page has 1 to {LONGEST_PAGE} items"),
            format!("limit 为 {length}，每页应为 1 到 {LONGEST_PAGE} 项"),
        )),
    }
}

/// What a query asks for with `1`, and not with `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) enum Switch {
    #[serde(rename = "0")]
    Off,
    #[serde(rename = "1")]
    On,
}

/// The query of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri).map(|query: axum::extract::Query<T>| Self(query.0)).map_err(
            |error| {
                let problem: String = error.body_text().chars().take(300).collect();
                ApiError::bad_request(
                    format!("the query cannot be read: {problem}"),
                    format!("无法理解地址中的查询参数：{problem}"),
                )
            },
        )
    }
}

/// The variable parts of an address.
pub(crate) struct Path(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Path {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Path::<String>::from_request_parts(parts, state).await {
            Ok(path) => Ok(Self(path.0)),
            Err(_) => Err(ApiError::bad_request("the address cannot be read", "无法理解此地址")),
        }
    }
}

/// Several variable parts of an address, in their order.
pub(crate) struct Places(Vec<String>);

impl Places {
    /// One of them.
    pub(crate) fn at(&self, index: usize) -> &str {
        self.0.get(index).map_or("", String::as_str)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Places {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let places = axum::extract::RawPathParams::from_request_parts(parts, state).await;
        let unread = |_| ApiError::bad_request("the address cannot be read", "无法理解地址");
        Ok(Self(places.map_err(unread)?.iter().map(|(_, value)| value.to_owned()).collect()))
    }
}

//! One mapping from what went wrong to what a client is told.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use games::{Fault, Language, OpenError};
use serde_json::{Map, Value, json};
use vault::Cause;

use crate::rooms::{BadFacts, MOST_WATCHED, RoomsError, Words};
use crate::store::StoreError;

/// A request that is not answered as it was meant: a status, a code for programs and a sentence for people.
#[derive(Debug)]
pub(crate) struct ApiError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: String,
    message: Words,
    more: Map<String, Value>,
    /// After how many seconds it is worth another try.
    retry_after: Option<u32>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &str, en: impl Into<String>, zh: impl Into<String>) -> Self {
        let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let (code, message, more) = (code.to_owned(), Words::new(en, zh), Map::new());
        Self(Box::new(Parts { status, code, message, more, retry_after: busy.then_some(2) }))
    }

    /// The same error with another field for programs.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(key.to_owned(), value.into());
        self
    }

    pub(crate) fn bad_request(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", en, zh)
    }

    /// A field that cannot be taken.
    pub(crate) fn field(field: &str, en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad-field", en, zh).with("field", field)
    }

    pub(crate) fn no_room() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no-such-room", "there is no such room", "没有这个房间")
    }

    pub(crate) fn no_game(error: &games::UnknownGame) -> Self {
        Self::new(StatusCode::NOT_FOUND, "no-such-game", error.say(Language::En), error.say(Language::Zh))
    }

    pub(crate) fn forbidden(code: &str, en: &str, zh: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, en, zh)
    }

    pub(crate) fn conflict(code: &str, en: &str, zh: &str) -> Self {
        Self::new(StatusCode::CONFLICT, code, en, zh)
    }

    pub(crate) fn not_a_player() -> Self {
        Self::forbidden("not-a-player", "you do not play in this room", "你不是这局棋的对局者")
    }

    /// A ply or position that the rules do not take.
    pub(crate) fn fault(fault: &Fault) -> Self {
        let error = Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            fault.reason.code,
            fault.say(Language::En),
            fault.say(Language::Zh),
        );
        match fault.offset {
            Some(offset) => error.with("offset", offset),
            None => error,
        }
    }

    pub(crate) fn open(error: &OpenError) -> Self {
        let field = match error {
            OpenError::Variant(_) => "variant",
            OpenError::Position(_) => "position",
        };
        Self::field(field, error.say(Language::En), error.say(Language::Zh))
    }

    pub(crate) fn too_many(code: &str, en: &str, zh: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, en, zh)
    }

    /// A fault of ours.
    pub(crate) fn broken() -> Self {
        tracing::error!("a handler panicked");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "broken",
            "something is broken in the server; it was written down",
            "服务器内部出错，已记录",
        )
    }

    /// What a store could not do, and why.
    pub(crate) fn store(cause: Cause) -> Self {
        // What is damaged stays so however often it is asked for.
        let status = match cause {
            Cause::Damaged => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        let phrase = cause.phrase();
        let mut error = Self::new(status, cause.code(), phrase.en, phrase.zh);
        error.0.retry_after = cause.retry_after();
        error
    }

    /// What the server itself cannot do now.
    pub(crate) fn unavailable(error: &dyn std::error::Error) -> Self {
        tracing::error!(%error, "a request could not be answered");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "the server cannot do this now; please try again",
            "服务器暂时无法处理，请稍后重试",
        )
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a request could not be answered");
        Self::store(error.cause())
    }
}

impl From<BadFacts> for ApiError {
    fn from(error: BadFacts) -> Self {
        tracing::error!(%error, "a room's facts cannot be played");
        Self::store(Cause::Damaged)
    }
}

impl From<RoomsError> for ApiError {
    fn from(error: RoomsError) -> Self {
        match error {
            RoomsError::Full => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "server-full",
                "as many games as this server can hold are going on; please come back later",
                "服务器上的对局已满，请稍后再来",
            ),
            RoomsError::TooMany => Self::too_many(
                "too-many-rooms",
                "you have too many unfinished games; finish or resign some of them first",
                "你未下完的对局太多，请先下完或认输几局",
            ),
            RoomsError::EnginesBusy => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "engines-busy",
                "as many engines as this server may run are playing; please come back later",
                "服务器上的引擎都在对局，请稍后再来",
            ),
            RoomsError::TooManyHere => Self::too_many(
                "too-many-rooms",
                "too many unfinished games were made from your address; finish or resign some of them first",
                "来自你所在地址的未下完的对局太多，请先下完或认输几局",
            ),
            RoomsError::EnginesHere => Self::too_many(
                "too-many-engines",
                "as many engines as one address may have are playing in games from yours; finish one of them first",
                "来自你所在地址的引擎对局已达上限，请先下完其中一局",
            ),
            RoomsError::WatchedHere => Self::too_many(
                "too-many-watched",
                &format!(
                    "{MOST_WATCHED} games between programs go on that were made from your address; please wait until one is over"
                ),
                &format!("来自你所在地址的程序互弈已有 {MOST_WATCHED} 局，请等其中一局结束"),
            ),
            RoomsError::Store(error) => error.into(),
            RoomsError::Facts(error) => error.into(),
            error @ RoomsError::Random(_) => Self::unavailable(&error),
        }
    }
}

impl From<tokio::task::JoinError> for ApiError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::unavailable(&error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Parts { status, code, message, more, retry_after } = *self.0;
        let mut error = json!({ "code": code, "message": message });
        if let Some(fields) = error.as_object_mut() {
            fields.extend(more);
        }
        let mut response = (status, axum::Json(json!({ "error": error }))).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

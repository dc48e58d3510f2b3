//! The HTTP interface: routes, and what stands before them.

mod actions;
mod analysis;
mod body;
mod chinese;
mod course;
mod error;
mod events;
mod games;
mod guard;
mod guide;
mod limits;
mod live;
mod me;
mod openapi;
mod pages;
mod records;
mod rematch;
mod rooms;
mod setup;
mod visitor;

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::error::ApiError;
use self::limits::Limits;
use crate::course::Course;
use crate::live::Live;
use crate::rooms::{Room, Rooms};
use crate::settings::Settings;

/// What every handler may use.
pub(crate) struct App {
    pub(crate) settings: Arc<Settings>,
    pub(crate) rooms: Rooms,
    pub(crate) limits: Limits,
    pub(crate) live: Live,
    pub(crate) course: Course,
    pub(crate) metrics: Option<PrometheusHandle>,
    /// True once the server is being stopped.
    pub(crate) stopping: watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(
        settings: Arc<Settings>,
        rooms: Rooms,
        course: Course,
        metrics: Option<PrometheusHandle>,
    ) -> Self {
        let limits = Limits::new(&settings.limits);
        Self { settings, rooms, limits, live: Live::new(), course, metrics, stopping: watch::Sender::new(false) }
    }

    /// What is done once in a while.
    pub(crate) async fn tidy(&self) {
        self.rooms.tidy().await;
        self.limits.tidy();
    }
}

/// The room of this id.
pub(crate) async fn room_of(app: &App, id: &str) -> Result<Arc<Room>, ApiError> {
    if id.len() > 40 {
        return Err(ApiError::no_room());
    }
    app.rooms.find(id).await?.ok_or_else(ApiError::no_room)
}

#[derive(OpenApi)]
#[openapi(info(
    title = "boyi",
    description = "One arena for board-game engines: rooms, live games, records. Errors are `{\"error\":{\"code\",\"message\":{\"en\",\"zh\"}}}`."
))]
struct Document;

/// All routes of the API, with their description.
fn api() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(games::list))
        .routes(routes!(games::one))
        .routes(routes!(games::guide))
        .routes(routes!(games::view))
        .routes(routes!(rooms::create, rooms::list))
        .routes(routes!(rooms::one))
        .routes(routes!(rooms::all_frames))
        .routes(routes!(rooms::clicks))
        .routes(routes!(events::events))
        .routes(routes!(actions::ply))
        .routes(routes!(analysis::hint))
        .routes(routes!(analysis::analysis))
        .routes(routes!(analysis::position))
        .routes(routes!(actions::resign))
        .routes(routes!(actions::abort))
        .routes(routes!(actions::draw))
        .routes(routes!(actions::takeback))
        .routes(routes!(actions::chat))
        .routes(routes!(actions::join))
        .routes(routes!(rematch::rematch))
        .routes(routes!(setup::get, setup::compose))
        .routes(routes!(records::read))
        .routes(routes!(records::record))
        .routes(routes!(records::picture))
        .routes(routes!(records::talk))
        .routes(routes!(live::events))
        .routes(routes!(me::get, me::set))
        .routes(routes!(me::version))
        .merge(course::routes())
}

/// All routes with what stands before them.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (api, document) = api().split_for_parts();
    let document = openapi::document(&document).to_string();
    let json = [(axum::http::header::CONTENT_TYPE, "application/json")];
    api.route("/api/openapi.json", get(move || async move { (json, document) }))
        .layer(from_fn_with_state(Arc::clone(&app), visitor::remember))
        .route("/sdk/{language}/{file}", get(guide::starter))
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(wrong_method)
        .fallback(pages::serve)
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&app), guard::same_origin))
        .layer(from_fn_with_state(Arc::clone(&app), body::read_whole))
        .layer(from_fn_with_state(Arc::clone(&app), guard::known_host))
        .layer(from_fn_with_state(Arc::clone(&app), limits::limit))
        .layer(CatchPanicLayer::custom(|_| ApiError::broken().into_response()))
        .layer(CompressionLayer::new())
        .layer(from_fn(guard::headers))
        .with_state(app)
}

async fn wrong_method() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "bad-method",
        "this address does not take requests of this method",
        "此地址不支持这种请求方法",
    )
}

async fn healthz(State(app): State<Arc<App>>) -> Response {
    match app.rooms.store().ping().await {
        Ok(()) => "ok".into_response(),
        Err(error) => ApiError::from(error).into_response(),
    }
}

async fn metrics(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<std::net::SocketAddr>,
    headers: HeaderMap,
) -> Result<String, ApiError> {
    // What a proxy on this machine passes on comes from elsewhere, whether or not we were told of the proxy.
    let local = peer.ip().to_canonical().is_loopback() && !headers.contains_key("x-forwarded-for");
    if !app.settings.metrics_public && !local {
        return Err(ApiError::forbidden("local-only", "metrics are read on the machine itself", "指标只能在本机读取"));
    }
    Ok(app.metrics.as_ref().map(PrometheusHandle::render).unwrap_or_default())
}

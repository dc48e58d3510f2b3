//! The server: listening, and stopping without losing anything.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use referee::Host;
use tokio::net::TcpListener;

use crate::course::Course;
use crate::http::{App, router};
use crate::listen;
use crate::rooms::Rooms;
use crate::settings::Settings;
use crate::standstill::Visits;
use crate::store::{Store, StoreError};

/// How often rooms that nobody needs are looked for.
const TIDY_EVERY: Duration = Duration::from_secs(30);
/// How often games that could not be written are looked for.
const MEND_EVERY: Duration = Duration::from_secs(1);
/// How long the last writes may take.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The course's store cannot be used.
    #[error(transparent)]
    Course(#[from] course::StoreError),
}

/// A server that listens and does not serve yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    stored: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Opens the store and listens. `host` runs the engines; `metrics` renders what was measured.
    pub async fn start(
        settings: Settings,
        host: Arc<Host>,
        metrics: Option<PrometheusHandle>,
    ) -> Result<Self, ServeError> {
        let address = settings.listen;
        // First the address: a second server must not touch the store of the first.
        let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error })?;
        let (store, stored) = Store::open(&settings.data).await?;
        // Which port it is, where any would do.
        let settings = Arc::new(Settings { listen: listener.local_addr().unwrap_or(address), ..settings });
        let course = Course::open(&settings.data, &host, settings.judge.as_ref()).await?;
        let rooms = Rooms::new(store, host, Arc::clone(&settings));
        let app = Arc::new(App::new(settings, rooms, course, metrics));
        match app.rooms.revive().await {
            Ok(revived) if revived > 0 => tracing::info!(revived, "games go on"),
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "games could not be revived"),
        }
        Ok(Self { app, listener, stored })
    }

    /// The address it listens at.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// The name and the one-time code of the first admin, where nobody is one yet.
    pub async fn first_admin(&self) -> Result<Option<(String, String)>, ServeError> {
        Ok(self.app.course.first_admin().await?)
    }

    /// Serves until `stop` is there; then ends connections, parks the games and finishes writing.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Self { app, listener, stored } = self;
        let tidying = tokio::spawn({
            let app = Arc::clone(&app);
            async move {
                loop {
                    tokio::time::sleep(TIDY_EVERY).await;
                    app.tidy().await;
                }
            }
        });
        let mending = tokio::spawn({
            let app = Arc::clone(&app);
            async move {
                let mut visits = Visits::every(MEND_EVERY);
                loop {
                    tokio::time::sleep(MEND_EVERY).await;
                    if let Some(missed) = visits.missed() {
                        app.rooms.excuse(missed);
                    }
                    app.rooms.mend().await;
                }
            }
        });
        let moving = tokio::spawn({
            let app = Arc::clone(&app);
            async move { app.live.run(&app.rooms).await }
        });
        let watching = tokio::spawn({
            let app = Arc::clone(&app);
            async move { app.course.watch().await }
        });
        listen::raise_limit();
        let limits = &app.settings.limits;
        // Behind a proxy everybody comes from its address.
        let of_an_address = if app.settings.behind_proxy { limits.connections } else { limits.connections_per_address };
        let most = listen::Most { all: limits.connections, of_an_address };
        let stopping = Arc::clone(&app);
        let stop = async move {
            stop.await;
            let _ = stopping.stopping.send(true);
        };
        listen::serve(listener, router(Arc::clone(&app)), most, stop).await;
        tidying.abort();
        mending.abort();
        moving.abort();
        watching.abort();
        app.course.stop().await;
        app.rooms.stop().await;
        drop(app);
        let _ = tokio::time::timeout(FAREWELL, stored).await;
    }
}

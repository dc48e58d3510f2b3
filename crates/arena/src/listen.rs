//! Taking connections: bounded in number, none may dawdle over its request, and all end when the server does.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::places::{Places, network};

/// How long the head of a request may take, and how long a connection may wait for the next one.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long the other end may leave what we send unacknowledged, in milliseconds.
const SILENCE_MS: u32 = 45_000;
/// How long open requests may take once the server is being stopped.
const FAREWELL: Duration = Duration::from_secs(5);

/// How many connections there may be at once.
pub(crate) struct Most {
    /// From everybody.
    pub(crate) all: usize,
    /// From one address, so that one host does not keep all others out.
    pub(crate) of_an_address: usize,
}

/// Serves connections until `stop` is there, then waits a moment for them to end.
pub(crate) async fn serve(listener: TcpListener, router: Router, most: Most, stop: impl Future<Output = ()>) {
    let permits = Arc::new(Semaphore::new(most.all));
    let places = Places::new(most.of_an_address);
    let open = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((socket, peer)) => {
                let permit = Arc::clone(&permits).try_acquire_owned().ok();
                let Some(held) = permit.zip(places.take(network(peer.ip()))) else {
                    metrics::counter!("boyi_refused_total", "why" => "connections").increment(1);
                    continue;
                };
                let _ = socket.set_nodelay(true);
                let _ = rustix::net::sockopt::set_tcp_user_timeout(&socket, SILENCE_MS);
                let router = router.clone();
                let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
                    let mut request = request.map(Body::new);
                    request.extensions_mut().insert(ConnectInfo(peer));
                    router.clone().oneshot(request)
                });
                let connection = open.watch(builder.serve_connection(TokioIo::new(socket), service));
                tokio::spawn(async move {
                    // A connection that breaks is the other end's business.
                    let _ = connection.await;
                    drop(held);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(FAREWELL, open.shutdown()).await.is_err() {
        tracing::info!("some connections did not end in time");
    }
}

/// Lets this process have as many connections as it is allowed at all.
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

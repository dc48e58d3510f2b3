//! How a server is set up.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use referee::CommandLine;
use sandbox::Sandbox;

/// Everything a server is told when it starts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The folder of the store.
    pub data: PathBuf,
    /// The address people use, when that is another one (behind a proxy).
    pub public_url: Option<String>,
    /// Further names people use for it; its addresses, the machine's name and that of `public_url` need not be among
    /// them.
    pub hosts: Vec<String>,
    /// Whether a proxy in front tells the visitors' addresses in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Whether everybody may read the metrics, not only this machine.
    pub metrics_public: bool,
    /// How long a built-in player takes for a ply when people only watch.
    pub pace: Duration,
    /// How often a live connection to a room in which nothing happens is sent a sign of life.
    pub heartbeat: Duration,
    /// Engines of this machine that people may play against; whoever starts the server trusts them.
    pub engines: Vec<EngineOffer>,
    /// How submissions are judged; not at all when absent.
    pub judge: Option<JudgeSettings>,
    /// The judge stands still when work has waited for so long and nobody took any.
    pub judge_patience: Duration,
    /// What bounds the server.
    pub limits: Limits,
}

/// How submissions are judged.
#[derive(Debug, Clone)]
pub struct JudgeSettings {
    /// Where strangers' programs are compiled and run.
    pub sandbox: Arc<Sandbox>,
    /// Games at once; one for each spare core when absent.
    pub workers: Option<usize>,
}

/// An engine that is offered in rooms of one game.
#[derive(Debug, Clone)]
pub struct EngineOffer {
    /// The name people see.
    pub name: String,
    /// The game's id.
    pub game: &'static str,
    /// How it is started; it speaks the game's usual protocol.
    pub command: CommandLine,
}

impl Settings {
    /// A server with ordinary limits.
    #[must_use]
    pub fn new(listen: SocketAddr, data: PathBuf) -> Self {
        Self {
            listen,
            data,
            public_url: None,
            hosts: Vec::new(),
            behind_proxy: false,
            metrics_public: false,
            pace: Duration::from_millis(900),
            heartbeat: Duration::from_secs(15),
            engines: Vec::new(),
            judge: None,
            judge_patience: Duration::from_secs(60),
            limits: Limits::default(),
        }
    }
}

/// What bounds a server; beyond these it says no, kindly.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Games going on at once.
    pub live_rooms: usize,
    /// Games at once in which an engine plays.
    pub engine_rooms: usize,
    /// Games of one visitor that are not finished.
    pub rooms_per_visitor: usize,
    /// Games made from one address that are not finished.
    pub rooms_per_address: usize,
    /// Live connections of one address.
    pub streams_per_address: usize,
    /// Requests of one address in a second.
    pub requests_per_second: u32,
    /// Changes by one visitor in a second.
    pub changes_per_second: u32,
    /// Rooms made by one address in a minute.
    pub rooms_per_minute: u32,
    /// Connections at once.
    pub connections: usize,
    /// Connections of one address at once.
    pub connections_per_address: usize,
    /// After this time without anybody a game is put aside until somebody comes.
    pub park_after: Duration,
    /// After this time a room that never began is gone.
    pub sweep_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            live_rooms: 2000,
            engine_rooms: 4,
            rooms_per_visitor: 50,
            rooms_per_address: 500,
            streams_per_address: 300,
            requests_per_second: 100,
            changes_per_second: 20,
            rooms_per_minute: 60,
            connections: 10_000,
            connections_per_address: 3000,
            park_after: Duration::from_secs(30 * 60),
            sweep_after: Duration::from_secs(24 * 60 * 60),
        }
    }
}

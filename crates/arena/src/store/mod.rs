//! The store: one SQLite file that is the truth about visitors and rooms.
//!
//! Everything that happens in a room is a row of `facts`, in its order; the rest can be made from them. There is one
//! writer ([`Writer`]) and many readers.

mod list;
mod rows;
mod schema;
mod writer;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};

pub use list::{Listed, Wanted};
pub use rows::{GameResult, Phase, RoomRow, SeatKind, SeatRow, Visitor};
pub use writer::{Change, Command, Writer};

/// Why the store cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no.
    #[error("the store failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The file was written by a newer program.
    #[error("the store has version {found}, this program knows {known}: use a newer boyi")]
    Newer {
        /// Its version.
        found: usize,
        /// The newest version known here.
        known: usize,
    },
    /// A column holds what was never written.
    #[error("the store is damaged: column {0}")]
    Damaged(&'static str),
    /// The server is being stopped.
    #[error("the store is closed")]
    Closed,
    /// Another server uses the folder.
    #[error("another boyi uses the folder {0}")]
    InUse(String),
    /// The folder cannot be used.
    #[error("the folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

/// The store.
#[derive(Debug, Clone)]
pub struct Store {
    readers: SqlitePool,
    writer: Writer,
    /// Held for as long as the store is used: two servers on one store would not see each other's games.
    _lock: Arc<File>,
}

impl Store {
    /// Opens the store in this folder, making it when it is not there. The handle ends once the store is closed.
    pub async fn open(folder: &Path) -> Result<(Self, tokio::task::JoinHandle<()>), StoreError> {
        std::fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("boyi.lock"))?;
        if let Err(error) = lock.try_lock() {
            return Err(match error {
                TryLockError::WouldBlock => StoreError::InUse(folder.display().to_string()),
                TryLockError::Error(error) => error.into(),
            });
        }
        let options = SqliteConnectOptions::new()
            .filename(folder.join("boyi.sqlite"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was answered must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        schema::migrate(&mut connection).await?;
        let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        let (writer, done) = Writer::start(connection);
        Ok((Self { readers, writer, _lock: Arc::new(lock) }, done))
    }

    /// The way to the writer.
    #[must_use]
    pub const fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Whether the store answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.readers).await?;
        Ok(())
    }

    /// The visitor whose token has this hash.
    pub async fn visitor(&self, token_hash: &[u8]) -> Result<Option<Visitor>, StoreError> {
        let row = sqlx::query("SELECT id, name FROM visitors WHERE token_hash = ?")
            .bind(token_hash)
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| Ok(Visitor { id: row.try_get("id")?, name: row.try_get("name")? })).transpose()
    }

    /// A room.
    pub async fn room(&self, id: &str) -> Result<Option<RoomRow>, StoreError> {
        let text = format!("SELECT {} WHERE r.id = ?", rows::ROOM_COLUMNS);
        let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_optional(&self.readers).await?;
        row.map(|row| RoomRow::read(&row)).transpose()
    }

    /// What happened in a room, in order: when, and what.
    pub async fn facts(&self, room: &str) -> Result<Vec<(i64, String)>, StoreError> {
        let rows = sqlx::query("SELECT at, body FROM facts WHERE room = ? ORDER BY number")
            .bind(room)
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| Ok((row.try_get("at")?, row.try_get("body")?))).collect()
    }

    /// The record of a finished room.
    pub async fn record(&self, room: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT record FROM rooms WHERE id = ?").bind(room).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| row.try_get::<Option<String>, _>("record")).transpose()?.flatten())
    }

    /// What engines said in a finished room, as JSON.
    pub async fn talk(&self, room: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT talk FROM rooms WHERE id = ?").bind(room).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| row.try_get::<Option<String>, _>("talk")).transpose()?.flatten())
    }

    /// Every room whose game goes on.
    pub async fn live_rooms(&self) -> Result<Vec<RoomRow>, StoreError> {
        let text = format!("SELECT {} WHERE r.state = 'live' ORDER BY r.number", rows::ROOM_COLUMNS);
        let rows = sqlx::query(AssertSqlSafe(text)).fetch_all(&self.readers).await?;
        rows.iter().map(RoomRow::read).collect()
    }
}

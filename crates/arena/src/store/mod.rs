//! The store: one SQLite file that is the truth about visitors and rooms.
//!
//! Everything that happens in a room is a row of `facts`, in its order; the rest can be made from them. There is one
//! writer ([`Writer`]) and many readers.

mod list;
mod rows;
mod schema;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, Row as _};
use vault::{Cause, Database, Folder, FolderError, Opening};

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
    /// The folder cannot be had.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Folder(error.into())
    }
}

impl StoreError {
    /// Why, as far as somebody can do something about it.
    #[must_use]
    pub fn cause(&self) -> Cause {
        match self {
            Self::Database(error) => Cause::of(error),
            Self::Damaged(_) => Cause::Damaged,
            Self::Newer { .. } | Self::Closed | Self::Folder(_) => Cause::Other,
        }
    }
}

/// The name of the file in the data folder.
const FILE: &str = "boyi.sqlite";
/// So long a write waits for another program's.
const PATIENCE: Duration = Duration::from_secs(10);

/// The store.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    readers: SqlitePool,
    writer: Writer,
    /// Held for as long as the store is used: two servers on one store would not see each other's games.
    folder: Arc<Folder>,
}

impl Store {
    /// Opens the store in this folder, making it when it is not there. The handle ends once the store is closed.
    pub async fn open(folder: &Path) -> Result<(Self, tokio::task::JoinHandle<()>), StoreError> {
        let held = Folder::open(folder)?;
        let opening = Opening::new(folder, FILE, PATIENCE)?;
        let mut connection = opening.connect().await?;
        schema::migrate(&mut connection).await?;
        let database = opening.finish(connection).await?;
        let (writer, done) = Writer::start(database.clone());
        Ok((Self { readers: database.readers().clone(), database, writer, folder: Arc::new(held) }, done))
    }

    /// The way to the writer.
    #[must_use]
    pub const fn writer(&self) -> &Writer {
        &self.writer
    }

    /// The database, for whoever asks how it is.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// The folder, for whoever asks whether it still is ours.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
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
        Ok(rows.iter().filter_map(RoomRow::read_or_pass).collect())
    }
}

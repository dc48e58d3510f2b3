//! The store of the course: one SQLite file beside the rooms', used by the server and by `boyi admin` at the same time.
//!
//! It is a file of its own because a roll of a hundred thousand students is one transaction, and no player of a live game
//! should wait for it.

mod accounts;
mod contests;
mod games;
mod imports;
mod matches;
mod references;
mod schema;
mod sessions;
mod submissions;
mod tries;

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Sqlite, SqliteConnection, Transaction};

pub use accounts::{AccountChange, Imported, IssuedCode, NewAccount};
pub use contests::{Announcement, HistoryPoint, Snapshot};
pub use games::{GameRow, Loss, NewGame, Used};
pub use imports::{ImportedMatch, ImportedSource};
pub use matches::{Challenge, Counts, Lease, MatchRow, Outcome, Verdict};
pub(crate) use references::BUILT_IN;
pub use sessions::{SessionRow, Signed};
pub use submissions::{BuildLease, NewSubmission, State, SubmissionRow, Wanted};

/// The name of the file in the data folder.
pub const FILE: &str = "course.sqlite";

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
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// A column holds what was never written.
    #[error("the store is damaged: {0}")]
    Damaged(&'static str),
    /// The folder cannot be used.
    #[error("the folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// The system gives no random bytes.
    #[error("no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    /// Somebody else has it already.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// There is no such thing.
    #[error("there is no such {0}")]
    Missing(&'static str),
}

/// The store.
#[derive(Debug, Clone)]
pub struct Store {
    readers: SqlitePool,
    /// One connection: whoever has it is the writer.
    writer: SqlitePool,
}

impl Store {
    /// Opens the store in this folder, making it when it is not there.
    pub async fn open(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        let options = SqliteConnectOptions::new()
            .filename(folder.join(FILE))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was answered must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(30))
            .disable_statement_logging();
        let mut connection = options.connect().await?;
        schema::migrate(&mut connection).await?;
        drop(connection);
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        Ok(Self { readers, writer })
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// One step: everything in it is there, or nothing.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// Counts up with every change that others should hear of, whoever made it.
    pub async fn seq(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar("SELECT value FROM counters WHERE name = 'seq'").fetch_one(&self.readers).await?)
    }
}

/// The number of the next change.
async fn next_seq(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let text = "UPDATE counters SET value = value + 1 WHERE name = 'seq' RETURNING value";
    Ok(sqlx::query_scalar(text).fetch_one(connection).await?)
}

/// A text column that holds JSON.
fn read_json<T: serde::de::DeserializeOwned>(text: &str, column: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Damaged(column))
}

/// JSON for a text column.
fn write_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Whether a change failed because somebody else has the value.
fn is_taken(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

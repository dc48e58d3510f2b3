//! The store of the course: one SQLite file beside the rooms', used by the server and by `boyi admin` at the same time.
//!
//! It is a file of its own because a roll of a hundred thousand students is one transaction, and no player of a live
//! game should wait for it.

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

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqlitePool};
use sqlx::{Sqlite, SqliteConnection};
use vault::{Cause, Database, Opening, Write};

pub use accounts::{AccountChange, Imported, IssuedCode, NewAccount};
pub use contests::{Announcement, HistoryPoint, Snapshot};
pub use games::{GameRow, Loss, NewGame, Used};
pub use imports::{ImportedMatch, ImportedSource};
pub use matches::{Challenge, Counts, Lease, MatchRow, Outcome, Verdict};
pub(crate) use references::BUILT_IN;
pub use sessions::{SessionRow, Signed, Visit};
pub use submissions::{BuildLease, NewSubmission, State, SubmissionRow, Wanted};

/// The name of the file in the data folder.
pub const FILE: &str = "course.sqlite";
/// So long a write waits for another program's (`boyi admin` beside the server).
const PATIENCE: Duration = Duration::from_secs(30);

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

impl StoreError {
    /// Why, as far as somebody can do something about it; nothing where the request itself was wrong.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        match self {
            Self::Database(error) => Some(Cause::of(error)),
            Self::Damaged(_) => Some(Cause::Damaged),
            Self::Newer { .. } | Self::Folder(_) | Self::Random(_) => Some(Cause::Other),
            Self::Taken(_) | Self::Missing(_) => None,
        }
    }
}

/// The store.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    readers: SqlitePool,
}

impl Store {
    /// Opens the store in this folder, making it when it is not there.
    pub async fn open(folder: &Path) -> Result<Self, StoreError> {
        let opening = Opening::new(folder, FILE, PATIENCE)?;
        let mut connection = opening.connect().await?;
        schema::migrate(&mut connection).await?;
        let database = opening.finish(connection).await?;
        Ok(Self { readers: database.readers().clone(), database })
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// The database, for whoever asks how it is.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// One step: everything in it is there, or nothing.
    async fn begin(&self) -> Result<Write, StoreError> {
        Ok(self.database.begin().await?)
    }

    /// A step of one statement; gives the number of rows it changed.
    async fn write(&self, query: Query<'_, Sqlite, SqliteArguments>) -> Result<u64, StoreError> {
        let mut write = self.begin().await?;
        let done = query.execute(&mut *write).await?;
        write.commit().await?;
        Ok(done.rows_affected())
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

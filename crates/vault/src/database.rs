//! A SQLite file with one writer and several readers.
//!
//! After a full disk SQLite takes a transaction back by itself, and the connection that is told so is no longer sure
//! where it stands: it would refuse every later transaction. Such a connection is thrown away and the next write opens
//! a new one, so that a server goes on by itself once there is room.

use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Error, Sqlite, SqliteConnection, Transaction};

use crate::private::{close_file, close_folder};
use crate::{identity, is_still};

/// Readers at once.
const READERS: u32 = 4;
/// A write that succeeded so shortly ago proves that writing works.
const FRESH: Duration = Duration::from_secs(5);
/// How long a write for proof waits for its turn.
const PATIENCE: Duration = Duration::from_secs(3);
/// When others have been writing for so long, something is wrong.
const LONGEST_WRITE: Duration = Duration::from_secs(120);

/// A database that is being opened: its tables may have to be made first.
#[derive(Debug)]
pub struct Opening {
    path: PathBuf,
    options: SqliteConnectOptions,
}

impl Opening {
    /// The file of this name in a data folder; both are made when they are not there, for ourselves alone. A write
    /// waits so long for another program's.
    pub fn new(folder: &Path, name: &str, patience: Duration) -> io::Result<Self> {
        close_folder(folder)?;
        let path = folder.join(name);
        close_file(&path)?;
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            // What was answered must survive a power cut.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(patience)
            .disable_statement_logging();
        Ok(Self { path, options })
    }

    /// A connection to make the tables with.
    pub async fn connect(&self) -> Result<SqliteConnection, Error> {
        self.options.connect().await
    }

    /// The database, ready for use.
    pub async fn finish(self, connection: SqliteConnection) -> Result<Database, Error> {
        let known = identity(&std::fs::metadata(&self.path)?);
        let state = State { proven: Instant::now(), doubtful: false };
        let place = Arc::new(Place { path: self.path, known, state: Mutex::new(state) });
        let writer = pool(1, &place).before_acquire(|connection, _| {
            // A transaction that nobody has: its end failed, and nothing can begin here any more.
            Box::pin(async move { Ok(!connection.is_in_transaction()) })
        });
        let writer = writer.connect_with(self.options.clone()).await?;
        let readers = pool(READERS, &place).connect_with(self.options.read_only(true)).await?;
        connection.close().await?;
        Ok(Database { readers, writer, place })
    }
}

/// Connections that live as long as they work, and only to the file that was opened first.
fn pool(most: u32, place: &Arc<Place>) -> SqlitePoolOptions {
    let place = Arc::clone(place);
    SqlitePoolOptions::new().max_connections(most).idle_timeout(None).max_lifetime(None).after_connect(move |_, _| {
        let place = Arc::clone(&place);
        Box::pin(async move { place.check() })
    })
}

/// Where the file is, and what is known of it.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    known: (u64, u64),
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When a write last succeeded.
    proven: Instant,
    /// A write was given up since.
    doubtful: bool,
}

impl Place {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self) -> Result<(), Error> {
        is_still(&self.path, self.known).map_err(|replaced| Error::Io(io::Error::other(replaced)))
    }
}

/// A database in use.
#[derive(Debug, Clone)]
pub struct Database {
    readers: SqlitePool,
    /// One connection: whoever has it is the writer.
    writer: SqlitePool,
    place: Arc<Place>,
}

impl Database {
    /// Whoever only reads.
    #[must_use]
    pub const fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// One step: everything in it is there, or nothing.
    pub async fn begin(&self) -> Result<Write, Error> {
        // What goes into a file without a name is lost at the next start, and must not be acknowledged.
        self.place.check()?;
        let doubt = Doubt(Some(Arc::clone(&self.place)));
        Ok(Write { transaction: self.writer.begin_with("BEGIN IMMEDIATE").await?, doubt })
    }

    /// Whether the file is the one that was opened.
    pub fn check_place(&self) -> Result<(), Error> {
        self.place.check()
    }

    /// Whether it can be written, by writing unless somebody just did.
    pub async fn prove(&self) -> Result<(), Error> {
        self.place.check()?;
        let since = {
            let state = self.place.state();
            if !state.doubtful && state.proven.elapsed() < FRESH {
                return Ok(());
            }
            state.proven.elapsed()
        };
        match tokio::time::timeout(PATIENCE, self.touch()).await {
            Ok(written) => written,
            // Others write, which is as good, unless it never ends.
            Err(_) if since < LONGEST_WRITE => Ok(()),
            Err(_) => Err(Error::PoolTimedOut),
        }
    }

    /// Writes what is there already.
    async fn touch(&self) -> Result<(), Error> {
        let mut write = self.begin().await?;
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *write).await?;
        let text = format!("PRAGMA user_version = {version}");
        sqlx::query(AssertSqlSafe(text)).execute(&mut *write).await?;
        write.commit().await
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// A step that is being written; without [`commit`](Self::commit) nothing of it happens.
#[derive(Debug)]
pub struct Write {
    transaction: Transaction<'static, Sqlite>,
    doubt: Doubt,
}

impl Write {
    /// Brings everything to the disk, or nothing.
    pub async fn commit(self) -> Result<(), Error> {
        let Self { transaction, doubt } = self;
        transaction.commit().await?;
        doubt.dispel();
        Ok(())
    }
}

impl Deref for Write {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.transaction
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.transaction
    }
}

/// Whatever a write is given up for, whether writing works is to be proven again.
#[derive(Debug)]
struct Doubt(Option<Arc<Place>>);

impl Doubt {
    fn dispel(mut self) {
        if let Some(place) = self.0.take() {
            *place.state() = State { proven: Instant::now(), doubtful: false };
        }
    }
}

impl Drop for Doubt {
    fn drop(&mut self) {
        if let Some(place) = &self.0 {
            place.state().doubtful = true;
        }
    }
}

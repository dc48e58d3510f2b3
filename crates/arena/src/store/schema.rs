//! The tables, and how a store of an earlier version becomes one of this version.

use sqlx::{Connection as _, SqliteConnection};

use super::StoreError;

/// Each entry brings a store from the version of its index to the next. Entries are never changed, only added.
///
/// The SQL is plain, so that another database can take it: integers, texts and blobs, no functions.
static MIGRATIONS: &[&[&str]] = &[&[
    "CREATE TABLE visitors (
        id INTEGER PRIMARY KEY,
        token_hash BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        created INTEGER NOT NULL
    )",
    "CREATE TABLE rooms (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        variant TEXT NOT NULL,
        position TEXT,
        time TEXT NOT NULL,
        public INTEGER NOT NULL,
        creator INTEGER NOT NULL,
        created INTEGER NOT NULL,
        started INTEGER,
        finished INTEGER,
        state TEXT NOT NULL,
        plies INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        join_hash BLOB,
        verdict TEXT,
        record TEXT,
        talk TEXT
    )",
    "CREATE INDEX rooms_by_state ON rooms (state, public, number)",
    "CREATE TABLE seats (
        room TEXT NOT NULL,
        side INTEGER NOT NULL,
        kind TEXT NOT NULL,
        visitor INTEGER,
        name TEXT NOT NULL,
        level TEXT,
        PRIMARY KEY (room, side)
    )",
    "CREATE INDEX seats_by_visitor ON seats (visitor)",
    "CREATE TABLE facts (
        room TEXT NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (room, number)
    )",
]];

/// Brings the store to this version; one of a newer version is refused untouched.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    sqlx::query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
        .execute(&mut *connection)
        .await?;
    let version: Option<i64> =
        sqlx::query_scalar("SELECT version FROM schema_version").fetch_optional(&mut *connection).await?;
    let found = version.unwrap_or_default() as usize;
    if found > MIGRATIONS.len() {
        return Err(StoreError::Newer { found, known: MIGRATIONS.len() });
    }
    for (done, statements) in MIGRATIONS.iter().enumerate().skip(found) {
        // A migration is there as a whole or not at all.
        let mut transaction = connection.begin().await?;
        for statement in *statements {
            sqlx::query(*statement).execute(&mut *transaction).await?;
        }
        sqlx::query("DELETE FROM schema_version").execute(&mut *transaction).await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES (?)")
            .bind(done as i64 + 1)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
    }
    Ok(())
}

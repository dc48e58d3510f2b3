//! The tables, and how a store of an earlier version becomes one of this version.

use sqlx::{Connection as _, SqliteConnection};

use super::StoreError;

/// Each entry brings a store from the version of its index to the next. Entries are never changed, only added.
///
/// The SQL is plain, so that another database can take it: integers, texts and blobs, hardly a function.
static MIGRATIONS: &[&[&str]] = &[
    &[
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
    ],
    &[
        // Lists by game, by result and by player that need no walk through everything.
        "ALTER TABLE rooms ADD COLUMN result TEXT",
        "UPDATE rooms SET result = 'black' WHERE verdict LIKE '%\"winner\":\"black\"%'",
        "UPDATE rooms SET result = 'white' WHERE verdict LIKE '%\"winner\":\"white\"%'",
        "UPDATE rooms SET result = 'none' WHERE result IS NULL AND verdict LIKE '%\"counts\":false%'",
        "UPDATE rooms SET result = 'draw' WHERE result IS NULL AND state = 'finished'",
        "CREATE INDEX rooms_by_game ON rooms (state, public, game, number)",
        "CREATE INDEX rooms_by_result ON rooms (state, public, result, number)",
        "CREATE INDEX rooms_by_game_and_result ON rooms (state, public, game, result, number)",
        "CREATE INDEX rooms_public ON rooms (public, number)",
        "CREATE INDEX rooms_public_by_game ON rooms (public, game, number)",
        "ALTER TABLE seats ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE seats ADD COLUMN player TEXT NOT NULL DEFAULT ''",
        "UPDATE seats SET number = COALESCE((SELECT number FROM rooms WHERE rooms.id = seats.room), 0)",
        // Names of rooms that are not listed are not found.
        "UPDATE seats SET player = LOWER(name) WHERE room IN (SELECT id FROM rooms WHERE public = 1)",
        "CREATE INDEX seats_by_player ON seats (player, number)",
        "CREATE INDEX seats_of_visitor ON seats (visitor, number)",
        "DROP INDEX seats_by_visitor",
    ],
];

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

#[cfg(test)]
mod tests {
    use sqlx::{ConnectOptions as _, Row as _};

    use super::*;

    #[test]
    fn a_store_of_the_first_version_is_found_by_result_and_player() {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("old"));
            let mut connection = options.create_if_missing(true).connect().await.expect("a database");
            let mut first: Vec<&str> = MIGRATIONS[0].to_vec();
            first.push("CREATE TABLE schema_version (version INTEGER NOT NULL)");
            first.push("INSERT INTO schema_version VALUES (1)");
            for statement in first {
                sqlx::query(statement).execute(&mut connection).await.expect("the first version");
            }
            let verdicts = [
                Some(r#"{"winner":"black","counts":true}"#),
                Some(r#"{"winner":"white","counts":true}"#),
                Some(r#"{"winner":null,"counts":true}"#),
                Some(r#"{"winner":null,"counts":false}"#),
                None,
            ];
            for (number, verdict) in (1_i64..).zip(verdicts) {
                let state = if verdict.is_some() { "finished" } else { "live" };
                sqlx::query(
                    "INSERT INTO rooms \
                     (number, id, game, variant, time, public, creator, created, state, plies, seed, verdict) VALUES (?, ?, 'amazons', '{}', '{}', ?, 1, 0, ?, 0, 0, ?)",
                )
                .bind(number)
                .bind(number.to_string())
                .bind(number % 2)
                .bind(state)
                .bind(verdict)
                .execute(&mut connection)
                .await
                .expect("a room");
                sqlx::query("INSERT INTO seats (room, side, kind, visitor, name) VALUES (?, 0, 'person', 1, 'Ann')")
                    .bind(number.to_string())
                    .execute(&mut connection)
                    .await
                    .expect("a seat");
            }
            migrate(&mut connection).await.expect("this version");
            let rows = sqlx::query(
                "SELECT r.result, s.number, s.player FROM rooms r JOIN seats s ON s.room = r.id ORDER BY r.number",
            );
            let rows = rows.fetch_all(&mut connection).await.expect("rows");
            let found: Vec<(Option<String>, i64, String)> =
                rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
            let results = [Some("black"), Some("white"), Some("draw"), Some("none"), None];
            for ((number, result), row) in (1_i64..).zip(results).zip(found) {
                // Only listed rooms are found by their names.
                let player = if number % 2 == 1 { "ann" } else { "" };
                assert_eq!(row, (result.map(str::to_owned), number, player.to_owned()));
            }
        });
    }
}

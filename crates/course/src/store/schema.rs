//! The tables, and how a store of an earlier version becomes one of this version.

use sqlx::{Connection as _, SqliteConnection};

use super::StoreError;

/// Each entry brings a store from the version of its index to the next. Entries are never changed, only added.
static MIGRATIONS: &[&[&str]] = &[
    &[
        // `seq` counts changes that others should hear of, `clock` is the place of the match that was begun last.
        "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        "INSERT INTO counters (name, value) VALUES ('seq', 0), ('clock', 0)",
        "CREATE TABLE accounts (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        person TEXT NOT NULL,
        team TEXT NOT NULL,
        nickname TEXT NOT NULL COLLATE NOCASE,
        role TEXT NOT NULL,
        password TEXT,
        code_hash BLOB,
        code_expires INTEGER,
        active INTEGER NOT NULL DEFAULT 1,
        created INTEGER NOT NULL
    )",
        "CREATE INDEX accounts_by_nickname ON accounts (nickname)",
        "CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        account INTEGER NOT NULL REFERENCES accounts (id),
        token_hash BLOB NOT NULL UNIQUE,
        created INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        expires INTEGER NOT NULL,
        address TEXT NOT NULL,
        agent TEXT NOT NULL
    )",
        "CREATE INDEX sessions_by_account ON sessions (account)",
        "CREATE TABLE contests (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        about TEXT NOT NULL,
        game TEXT NOT NULL,
        variant TEXT NOT NULL,
        rules TEXT NOT NULL,
        visibility TEXT NOT NULL,
        opens INTEGER,
        closes INTEGER,
        scoreboard_minutes INTEGER NOT NULL,
        locked TEXT,
        frozen INTEGER NOT NULL DEFAULT 0,
        snapshot TEXT,
        snapshot_at INTEGER,
        changed INTEGER NOT NULL DEFAULT 0,
        created INTEGER NOT NULL
    )",
        "CREATE TABLE announcements (
        id INTEGER PRIMARY KEY,
        contest INTEGER NOT NULL REFERENCES contests (number),
        at INTEGER NOT NULL,
        author TEXT NOT NULL,
        text TEXT NOT NULL
    )",
        "CREATE TABLE sources (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL)",
        "CREATE TABLE submissions (
        id INTEGER PRIMARY KEY,
        contest INTEGER NOT NULL REFERENCES contests (number),
        account INTEGER NOT NULL REFERENCES accounts (id),
        version INTEGER NOT NULL,
        language TEXT NOT NULL,
        file_name TEXT NOT NULL,
        source TEXT NOT NULL REFERENCES sources (hash),
        bytes INTEGER NOT NULL,
        submitted INTEGER NOT NULL,
        state TEXT NOT NULL,
        counts INTEGER NOT NULL DEFAULT 0,
        failure TEXT,
        compile TEXT,
        trial TEXT,
        disqualified TEXT,
        lease TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        net_matches INTEGER NOT NULL DEFAULT 0,
        net_games INTEGER NOT NULL DEFAULT 0,
        changed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (contest, account, version)
    )",
        // One version of a student counts, never two.
        "CREATE UNIQUE INDEX submissions_that_count ON submissions (contest, account) WHERE counts = 1",
        "CREATE INDEX submissions_by_state ON submissions (state, submitted)",
        "CREATE INDEX submissions_by_change ON submissions (contest, changed)",
        "CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        contest INTEGER NOT NULL REFERENCES contests (number),
        kind TEXT NOT NULL,
        one INTEGER NOT NULL REFERENCES submissions (id),
        two INTEGER NOT NULL REFERENCES submissions (id),
        state TEXT NOT NULL,
        games INTEGER NOT NULL,
        played INTEGER NOT NULL DEFAULT 0,
        won INTEGER NOT NULL DEFAULT 0,
        drawn INTEGER NOT NULL DEFAULT 0,
        lost INTEGER NOT NULL DEFAULT 0,
        place INTEGER NOT NULL,
        lease TEXT,
        lease_until INTEGER,
        attempts INTEGER NOT NULL DEFAULT 0,
        not_before INTEGER NOT NULL DEFAULT 0,
        trouble TEXT,
        created INTEGER NOT NULL,
        finished INTEGER,
        changed INTEGER NOT NULL DEFAULT 0
    )",
        "CREATE INDEX matches_waiting ON matches (place, id) WHERE state = 'queued'",
        "CREATE INDEX matches_leased ON matches (lease_until) WHERE state = 'playing'",
        "CREATE INDEX matches_by_change ON matches (contest, changed)",
        "CREATE INDEX matches_of_one ON matches (one, state)",
        "CREATE INDEX matches_of_two ON matches (two, state)",
        // Two versions meet once in the ladder; a match that is judged again leaves a void one behind.
        "CREATE UNIQUE INDEX matches_once ON matches (min(one, two), max(one, two)) WHERE kind = 'ladder' AND state <> 'void'",
        "CREATE TABLE games (
        match INTEGER NOT NULL REFERENCES matches (id),
        number INTEGER NOT NULL,
        black INTEGER NOT NULL,
        white INTEGER NOT NULL,
        winner TEXT,
        reason TEXT NOT NULL,
        plies INTEGER NOT NULL,
        ms INTEGER NOT NULL,
        at INTEGER NOT NULL,
        record TEXT NOT NULL,
        usage TEXT NOT NULL,
        memory TEXT NOT NULL,
        black_log BLOB NOT NULL,
        white_log BLOB NOT NULL,
        PRIMARY KEY (match, number)
    ) WITHOUT ROWID",
        "CREATE INDEX games_of_black ON games (black, at)",
        "CREATE INDEX games_of_white ON games (white, at)",
        "CREATE TABLE machine_time (
        contest INTEGER NOT NULL,
        account INTEGER NOT NULL,
        day INTEGER NOT NULL,
        ms INTEGER NOT NULL,
        PRIMARY KEY (contest, account, day)
    )",
        "CREATE TABLE history (
        contest INTEGER NOT NULL,
        account INTEGER NOT NULL,
        at INTEGER NOT NULL,
        submission INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        players INTEGER NOT NULL,
        points INTEGER NOT NULL,
        PRIMARY KEY (submission)
    )",
    ],
    &[
        // Wrong passwords, so that a restart forgives nobody: `kind` is name, address, or both.
        "CREATE TABLE tries (
        kind TEXT NOT NULL,
        who TEXT NOT NULL,
        wrong INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (kind, who)
    ) WITHOUT ROWID",
    ],
    &[
        // A built-in player is an account nobody can sign in to: `builtin` is which.
        "ALTER TABLE accounts ADD COLUMN builtin TEXT",
        "CREATE UNIQUE INDEX accounts_built_in ON accounts (builtin) WHERE builtin IS NOT NULL",
        // Whom a contest is open to, as JSON; null for everybody.
        "ALTER TABLE contests ADD COLUMN audience TEXT",
        // Until now the protocol's own 52 s were what counted here, whatever the contest said: what it says is true
        // now.
        "UPDATE contests SET rules = json_set(rules, '$.start_ms', 52000) WHERE game = 'tiaojia' \
         AND json_extract(rules, '$.start_ms') = 10000 \
         AND coalesce(json_extract(rules, '$.protocol'), 'tiaojia') = 'tiaojia'",
    ],
];

/// Brings the store to this version; one of a newer version is refused untouched.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    // Immediate: the server and `boyi admin` may open a new store at the same moment.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *transaction).await?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for statement in MIGRATIONS.iter().skip(found as usize).flat_map(|statements| statements.iter()) {
        sqlx::query(*statement).execute(&mut *transaction).await?;
    }
    if found < known {
        let text = format!("PRAGMA user_version = {known}");
        sqlx::query(sqlx::AssertSqlSafe(text)).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

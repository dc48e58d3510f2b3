//! The one writer: everything that waits to be written goes into one transaction, and nobody is told before it is on
//! disk.

use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};
use vault::Database;

use super::StoreError;
use super::rows::{GameResult, RoomRow, SeatRow, player_key};

/// More commands than this do not share a transaction.
const MOST_TOGETHER: usize = 256;
/// More commands than this do not wait; whoever has another one waits before it.
const MOST_WAITING: usize = 1024;

/// Something to be written.
#[derive(Debug)]
pub enum Command {
    /// A new visitor; gives his number.
    Visitor {
        /// The hash of his token.
        token_hash: Vec<u8>,
        /// The name others see.
        name: String,
        /// Now.
        at: i64,
    },
    /// A visitor has another name.
    Rename {
        /// The visitor.
        visitor: i64,
        /// His name.
        name: String,
    },
    /// A new room with the plies it begins with; gives its number.
    Room {
        /// The room.
        row: Box<RoomRow>,
        /// What has happened in it already.
        facts: Vec<String>,
    },
    /// Something happened in a room.
    Fact {
        /// The room.
        room: String,
        /// The fact's number.
        number: i64,
        /// Now.
        at: i64,
        /// What happened.
        body: String,
        /// What else changes with it.
        change: Change,
    },
    /// Rooms that never began and are older than this are gone.
    Sweep {
        /// The moment.
        before: i64,
    },
}

/// What a fact changes in the row of its room.
#[derive(Debug, Clone)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// The number of plies.
    Plies(u32),
    /// Somebody took the open seat and the game begins; the token is used up.
    Seated {
        /// 0 for Black, 1 for White.
        side: usize,
        /// Who.
        seat: SeatRow,
    },
    /// The game is over.
    Over {
        /// The decision.
        verdict: String,
        /// The record; empty where there is none.
        record: String,
        /// What engines said, as JSON; nothing where there were none.
        talk: Option<String>,
    },
}

/// A command, and where its answer goes.
type Letter = (Command, oneshot::Sender<Result<i64, StoreError>>);

/// The way to the writer.
#[derive(Debug, Clone)]
pub struct Writer {
    letters: mpsc::Sender<Letter>,
}

impl Writer {
    /// Starts the writer of a database.
    pub(super) fn start(database: Database) -> (Self, tokio::task::JoinHandle<()>) {
        let (letters, inbox) = mpsc::channel(MOST_WAITING);
        (Self { letters }, tokio::spawn(write_all(database, inbox)))
    }

    /// Writes and waits until it is on disk.
    pub async fn write(&self, command: Command) -> Result<i64, StoreError> {
        let (answer, waiting) = oneshot::channel();
        self.letters.send((command, answer)).await.map_err(|_| StoreError::Closed)?;
        waiting.await.map_err(|_| StoreError::Closed)?
    }

    /// The same from a thread outside the runtime.
    pub fn write_blocking(&self, command: Command) -> Result<i64, StoreError> {
        let (answer, waiting) = oneshot::channel();
        self.letters.blocking_send((command, answer)).map_err(|_| StoreError::Closed)?;
        waiting.blocking_recv().map_err(|_| StoreError::Closed)?
    }
}

async fn write_all(database: Database, mut inbox: mpsc::Receiver<Letter>) {
    let mut letters = Vec::new();
    while inbox.recv_many(&mut letters, MOST_TOGETHER).await > 0 {
        let (commands, answers): (Vec<Command>, Vec<_>) = letters.drain(..).unzip();
        metrics::histogram!("boyi_store_batch").record(commands.len() as f64);
        let began = std::time::Instant::now();
        let results = match write_together(&database, &commands).await {
            Ok(values) => values.into_iter().map(Ok).collect(),
            // One bad command must not take its neighbours along.
            Err(_) if commands.len() > 1 => write_one_by_one(&database, &commands).await,
            Err(error) => vec![Err(error)],
        };
        metrics::histogram!("boyi_store_commit_seconds").record(began.elapsed().as_secs_f64());
        for (answer, result) in answers.into_iter().zip(results) {
            if let Err(error) = &result {
                metrics::counter!("boyi_store_failures_total", "why" => error.cause().code()).increment(1);
                tracing::error!(%error, "the store could not write");
            }
            let _ = answer.send(result);
        }
    }
    database.close().await;
}

async fn write_one_by_one(database: &Database, commands: &[Command]) -> Vec<Result<i64, StoreError>> {
    let mut results = Vec::new();
    for command in commands {
        let result = write_together(database, std::slice::from_ref(command)).await;
        results.push(result.and_then(|values| values.first().copied().ok_or(StoreError::Closed)));
    }
    results
}

async fn write_together(database: &Database, commands: &[Command]) -> Result<Vec<i64>, StoreError> {
    let mut write = database.begin().await?;
    let mut values = Vec::with_capacity(commands.len());
    for command in commands {
        values.push(perform(&mut write, command).await?);
    }
    write.commit().await?;
    Ok(values)
}

async fn perform(connection: &mut SqliteConnection, command: &Command) -> Result<i64, StoreError> {
    match command {
        Command::Visitor { token_hash, name, at } => {
            let done = sqlx::query("INSERT INTO visitors (token_hash, name, created) VALUES (?, ?, ?)")
                .bind(token_hash)
                .bind(name)
                .bind(at)
                .execute(connection)
                .await?;
            Ok(done.last_insert_rowid())
        }
        Command::Rename { visitor, name } => {
            sqlx::query("UPDATE visitors SET name = ? WHERE id = ?")
                .bind(name)
                .bind(visitor)
                .execute(connection)
                .await?;
            Ok(*visitor)
        }
        Command::Room { row, facts } => new_room(connection, row, facts).await,
        Command::Fact { room, number, at, body, change } => {
            insert_fact(connection, room, *number, *at, body).await?;
            apply(connection, room, *at, change).await?;
            Ok(*number)
        }
        Command::Sweep { before } => sweep(connection, *before).await,
    }
}

async fn insert_fact(
    connection: &mut SqliteConnection,
    room: &str,
    number: i64,
    at: i64,
    body: &str,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO facts (room, number, at, body) VALUES (?, ?, ?, ?)")
        .bind(room)
        .bind(number)
        .bind(at)
        .bind(body)
        .execute(connection)
        .await?;
    Ok(())
}

async fn new_room(connection: &mut SqliteConnection, row: &RoomRow, facts: &[String]) -> Result<i64, StoreError> {
    let number = sqlx::query(
        "INSERT INTO rooms \
         (id, game, variant, position, time, public, creator, created, started, state, plies, seed, join_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.id)
    .bind(&row.game)
    .bind(row.variant.to_string())
    .bind(&row.position)
    .bind(serde_json::to_string(&row.time).unwrap_or_default())
    .bind(i64::from(row.public))
    .bind(row.creator)
    .bind(row.created)
    .bind(row.started)
    .bind(row.phase.word())
    .bind(i64::from(row.plies))
    .bind(row.seed)
    .bind(&row.join_hash)
    .execute(&mut *connection)
    .await?
    .last_insert_rowid();
    for (side, seat) in row.seats.iter().enumerate() {
        sqlx::query(
            "INSERT INTO seats (room, side, kind, visitor, name, level, number, player) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&row.id)
        .bind(side as i64)
        .bind(seat.kind.word())
        .bind(seat.visitor)
        .bind(&seat.name)
        .bind(&seat.level)
        .bind(number)
        .bind(if row.public { player_key(&seat.name) } else { String::new() })
        .execute(&mut *connection)
        .await?;
    }
    for (number, body) in facts.iter().enumerate() {
        insert_fact(connection, &row.id, number as i64, row.created, body).await?;
    }
    Ok(number)
}

async fn apply(connection: &mut SqliteConnection, room: &str, at: i64, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::Nothing => {}
        Change::Plies(plies) => {
            sqlx::query("UPDATE rooms SET plies = ? WHERE id = ?")
                .bind(i64::from(*plies))
                .bind(room)
                .execute(connection)
                .await?;
        }
        Change::Seated { side, seat } => {
            sqlx::query(
                "UPDATE seats SET kind = ?, visitor = ?, name = ?, \
                 player = CASE WHEN (SELECT public FROM rooms WHERE rooms.id = seats.room) = 1 THEN ? ELSE '' END \
                 WHERE room = ? AND side = ?",
            )
            .bind(seat.kind.word())
            .bind(seat.visitor)
            .bind(&seat.name)
            .bind(player_key(&seat.name))
            .bind(room)
            .bind(*side as i64)
            .execute(&mut *connection)
            .await?;
            sqlx::query("UPDATE rooms SET state = 'live', started = ?, join_hash = NULL WHERE id = ?")
                .bind(at)
                .bind(room)
                .execute(connection)
                .await?;
        }
        Change::Over { verdict, record, talk } => {
            sqlx::query(
                "UPDATE rooms SET state = 'finished', finished = ?, verdict = ?, result = ?, record = ?, talk = ?, \
                 join_hash = NULL WHERE id = ?",
            )
            .bind(at)
            .bind(verdict)
            .bind(GameResult::of(verdict).word())
            .bind(record)
            .bind(talk)
            .bind(room)
            .execute(connection)
            .await?;
        }
    }
    Ok(())
}

async fn sweep(connection: &mut SqliteConnection, before: i64) -> Result<i64, StoreError> {
    const OLD: [&str; 3] = [
        "DELETE FROM facts WHERE room IN (SELECT id FROM rooms WHERE state = 'waiting' AND created < ?)",
        "DELETE FROM seats WHERE room IN (SELECT id FROM rooms WHERE state = 'waiting' AND created < ?)",
        "DELETE FROM rooms WHERE state = 'waiting' AND created < ?",
    ];
    let mut swept = 0;
    for statement in OLD {
        swept = sqlx::query(statement).bind(before).execute(&mut *connection).await?.rows_affected() as i64;
    }
    Ok(swept)
}

//! Finished games in the store.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::{Store, StoreError, read_json, write_json};
use crate::ladder::Games;

/// What an engine used in a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Processor time.
    pub cpu_ms: i64,
    /// The most memory it had at one time.
    pub peak_bytes: i64,
    /// The time charged to its clock.
    pub clock_ms: i64,
}

/// A game that is over, to be kept.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Whether the first of the match had the first seat.
    pub one_is_black: bool,
    /// The winner's seat.
    pub winner: Option<games::Side>,
    /// The reason's code.
    pub reason: String,
    /// Plies played.
    pub plies: u32,
    /// How long it took by the wall clock.
    pub ms: i64,
    /// Machine time of both sides.
    pub machine_ms: i64,
    /// The record.
    pub record: String,
    /// What both engines used, the first seat's first.
    pub used: [Used; 2],
    /// The mover's peak memory by each step.
    pub memory: Vec<Option<u64>>,
    /// Every line to and from each engine.
    pub logs: [Vec<u8>; 2],
}

impl NewGame {
    /// The game seen from the first of the match.
    #[must_use]
    pub fn points_of_one(&self) -> Games {
        let one = if self.one_is_black { games::Side::Black } else { games::Side::White };
        match self.winner {
            None => Games { drawn: 1, ..Games::default() },
            Some(winner) if winner == one => Games { won: 1, ..Games::default() },
            Some(_) => Games { lost: 1, ..Games::default() },
        }
    }
}

/// A finished game without its conversations.
#[derive(Debug, Clone)]
pub struct GameRow {
    /// The match.
    pub match_id: i64,
    /// Its number in the match, from 0.
    pub number: i64,
    /// The version on the first seat.
    pub black: i64,
    /// The version on the second seat.
    pub white: i64,
    /// The winner's seat.
    pub winner: Option<String>,
    /// The reason's code.
    pub reason: String,
    /// Plies played.
    pub plies: i64,
    /// How long it took.
    pub ms: i64,
    /// When it was over.
    pub at: i64,
}

/// A game somebody lost.
#[derive(Debug, Clone)]
pub struct Loss {
    /// The game.
    pub game: GameRow,
    /// The opponent's nickname.
    pub opponent: String,
    /// The opponent's version.
    pub version: i64,
}

const COLUMNS: &str = "g.match, g.number, g.black, g.white, g.winner, g.reason, g.plies, g.ms, g.at";

fn read(row: &SqliteRow) -> Result<GameRow, StoreError> {
    Ok(GameRow {
        match_id: row.try_get("match")?,
        number: row.try_get("number")?,
        black: row.try_get("black")?,
        white: row.try_get("white")?,
        winner: row.try_get("winner")?,
        reason: row.try_get("reason")?,
        plies: row.try_get("plies")?,
        ms: row.try_get("ms")?,
        at: row.try_get("at")?,
    })
}

/// Writes a game; a second one of the same number is refused by the table itself.
pub(super) async fn insert_game(
    connection: &mut SqliteConnection,
    (match_id, [one, two]): (i64, [i64; 2]),
    number: u32,
    game: &NewGame,
    at: i64,
) -> Result<(), StoreError> {
    let (black, white) = if game.one_is_black { (one, two) } else { (two, one) };
    let text = "INSERT INTO games (match, number, black, white, winner, reason, plies, ms, at, record, usage, memory, black_log, white_log) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlx::query(text)
        .bind(match_id)
        .bind(number)
        .bind(black)
        .bind(white)
        .bind(game.winner.map(games::Side::word))
        .bind(&game.reason)
        .bind(game.plies)
        .bind(game.ms)
        .bind(at)
        .bind(&game.record)
        .bind(write_json(&game.used))
        .bind(write_json(&game.memory))
        .bind(&game.logs[0])
        .bind(&game.logs[1])
        .execute(connection)
        .await?;
    Ok(())
}

impl Store {
    /// The games of a match that are over.
    pub async fn games_of(&self, match_id: i64) -> Result<Vec<GameRow>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM games g WHERE g.match = ? ORDER BY g.number");
        let rows = sqlx::query(AssertSqlSafe(text)).bind(match_id).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    /// One game of a match.
    pub async fn game(&self, match_id: i64, number: i64) -> Result<Option<GameRow>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM games g WHERE g.match = ? AND g.number = ?");
        let row = sqlx::query(AssertSqlSafe(text)).bind(match_id).bind(number).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    /// The record of a game, what the engines used, and their memory by each step.
    pub async fn game_record(
        &self,
        match_id: i64,
        number: i64,
    ) -> Result<Option<(String, [Used; 2], Vec<Option<u64>>)>, StoreError> {
        let text = "SELECT record, usage, memory FROM games WHERE match = ? AND number = ?";
        let row = sqlx::query(text).bind(match_id).bind(number).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let used = read_json(row.try_get("usage")?, "usage")?;
        Ok(Some((row.try_get("record")?, used, read_json(row.try_get("memory")?, "memory")?)))
    }

    /// Every line to and from the engine of a seat.
    pub async fn game_log(&self, match_id: i64, number: i64, seat: games::Side) -> Result<Option<Vec<u8>>, StoreError> {
        let text = match seat {
            games::Side::Black => "SELECT black_log FROM games WHERE match = ? AND number = ?",
            games::Side::White => "SELECT white_log FROM games WHERE match = ? AND number = ?",
        };
        Ok(sqlx::query_scalar(text).bind(match_id).bind(number).fetch_optional(&self.readers).await?)
    }

    /// The ladder games a version lost, the newest first.
    pub async fn losses(&self, submission: i64) -> Result<Vec<Loss>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS}, a.nickname, s.version FROM games g JOIN matches m ON m.id = g.match \
             JOIN submissions s ON s.id = CASE WHEN g.black = ?1 THEN g.white ELSE g.black END JOIN accounts a ON a.id = s.account \
             WHERE m.kind = 'ladder' AND m.state <> 'void' \
             AND ((g.black = ?1 AND g.winner = 'white') OR (g.white = ?1 AND g.winner = 'black')) ORDER BY g.at DESC LIMIT 5000"
        );
        let rows = sqlx::query(AssertSqlSafe(text)).bind(submission).fetch_all(&self.readers).await?;
        let loss = |row: &SqliteRow| {
            Ok(Loss { game: read(row)?, opponent: row.try_get("nickname")?, version: row.try_get("version")? })
        };
        rows.iter().map(loss).collect()
    }

    /// The records of a contest's ladder games after a place in the list, with what tells them apart.
    pub async fn records_after(
        &self,
        contest: i64,
        after: (i64, i64),
        limit: u32,
    ) -> Result<Vec<(i64, i64, Value)>, StoreError> {
        let text = "SELECT g.match, g.number, g.record, g.black, g.white, m.kind, m.one, m.two, m.state, \
             ba.name AS black_name, b.version AS black_version, wa.name AS white_name, w.version AS white_version \
             FROM games g JOIN matches m ON m.id = g.match JOIN submissions b ON b.id = g.black JOIN submissions w ON w.id = g.white \
             JOIN accounts ba ON ba.id = b.account JOIN accounts wa ON wa.id = w.account \
             WHERE m.contest = ? AND (g.match, g.number) > (?, ?) ORDER BY g.match, g.number LIMIT ?";
        let query = sqlx::query(text).bind(contest).bind(after.0).bind(after.1).bind(limit);
        let rows = query.fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            let (match_id, number): (i64, i64) = (row.try_get("match")?, row.try_get("number")?);
            let mut record: Value = read_json(row.try_get("record")?, "record")?;
            // Numbers are this store's own; students' numbers and their versions are good everywhere.
            record["course"] = serde_json::json!({
                "match": match_id, "game": number, "kind": row.try_get::<String, _>("kind")?, "state": row.try_get::<String, _>("state")?,
                "black": row.try_get::<i64, _>("black")?, "white": row.try_get::<i64, _>("white")?,
                "one": row.try_get::<i64, _>("one")?, "two": row.try_get::<i64, _>("two")?,
                "players": {
                    "black": { "id": row.try_get::<String, _>("black_name")?, "version": row.try_get::<i64, _>("black_version")? },
                    "white": { "id": row.try_get::<String, _>("white_name")?, "version": row.try_get::<i64, _>("white_version")? },
                },
            });
            Ok((match_id, number, record))
        };
        rows.iter().map(read).collect()
    }
}

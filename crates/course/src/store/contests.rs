//! Contests in the store.

use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::{Store, StoreError, is_taken, next_seq, read_json, write_json};
use crate::contest::Contest;
use crate::now;

const COLUMNS: &str = "number, id, title, about, game, variant, rules, visibility, opens, closes, \
     scoreboard_minutes, locked, frozen, audience, created";

/// Something staff told everybody.
#[derive(Debug, Clone, Serialize)]
pub struct Announcement {
    /// The store's number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// Who.
    pub by: String,
    /// What.
    pub text: String,
}

/// The scoreboard that students see while it stands still.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// When it was made.
    pub at: i64,
    /// The scoreboard as JSON.
    pub body: String,
}

/// Where a version stood once all its matches were played.
#[derive(Debug, Clone, Serialize)]
pub struct HistoryPoint {
    /// When.
    pub at: i64,
    /// The version's number in the store.
    pub submission: i64,
    /// The student's version.
    pub version: i64,
    /// Its rank.
    pub rank: i64,
    /// Of how many.
    pub of: i64,
    /// Its points.
    pub points: i64,
}

fn read(row: &SqliteRow) -> Result<Contest, StoreError> {
    Ok(Contest {
        number: row.try_get("number")?,
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        about: row.try_get("about")?,
        game: row.try_get("game")?,
        variant: read_json(row.try_get("variant")?, "variant")?,
        rules: read_json(row.try_get("rules")?, "rules")?,
        visibility: read_json(row.try_get("visibility")?, "visibility")?,
        opens: row.try_get("opens")?,
        closes: row.try_get("closes")?,
        scoreboard_minutes: row.try_get("scoreboard_minutes")?,
        locked: row.try_get("locked")?,
        frozen: row.try_get("frozen")?,
        audience: row.try_get::<Option<&str>, _>("audience")?.map(|text| read_json(text, "audience")).transpose()?,
        created: row.try_get("created")?,
    })
}

/// A contest changed: whoever watches it looks again.
pub(super) async fn touch(connection: &mut SqliteConnection, contest: i64) -> Result<i64, StoreError> {
    let seq = next_seq(connection).await?;
    sqlx::query("UPDATE contests SET changed = ? WHERE number = ?").bind(seq).bind(contest).execute(connection).await?;
    Ok(seq)
}

impl Store {
    /// All contests, the newest first.
    pub async fn contests(&self) -> Result<Vec<Contest>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM contests ORDER BY number DESC");
        sqlx::query(AssertSqlSafe(text)).fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    /// The contest of this name.
    pub async fn contest(&self, id: &str) -> Result<Option<Contest>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM contests WHERE id = ?");
        let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    /// The contest of this number.
    pub async fn contest_numbered(&self, number: i64) -> Result<Contest, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM contests WHERE number = ?");
        let row = sqlx::query(AssertSqlSafe(text)).bind(number).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()?.ok_or(StoreError::Missing("contest"))
    }

    /// The number of the last change of a contest's own: settings, lock, announcements.
    pub async fn contest_changed(&self, number: i64) -> Result<i64, StoreError> {
        let text = "SELECT changed FROM contests WHERE number = ?";
        Ok(sqlx::query_scalar(text).bind(number).fetch_one(&self.readers).await?)
    }

    /// Writes a new contest (number 0) or the settings of one that is there. The game and the options of one that is
    /// there stay.
    pub async fn save_contest(&self, contest: &Contest) -> Result<Contest, StoreError> {
        let mut transaction = self.begin().await?;
        if contest.number == 0 {
            let text = "INSERT INTO contests (id, title, about, game, variant, rules, visibility, opens, closes, \
                 scoreboard_minutes, audience, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            let done = sqlx::query(text)
                .bind(&contest.id)
                .bind(&contest.title)
                .bind(&contest.about)
                .bind(&contest.game)
                .bind(contest.variant.to_string())
                .bind(write_json(&contest.rules))
                .bind(write_json(&contest.visibility))
                .bind(contest.opens)
                .bind(contest.closes)
                .bind(contest.scoreboard_minutes)
                .bind(contest.audience.as_ref().map(write_json))
                .bind(now())
                .execute(&mut *transaction)
                .await;
            match done {
                Err(error) if is_taken(&error) => return Err(StoreError::Taken("id")),
                other => other?,
            };
        } else {
            let text = "UPDATE contests SET title = ?, about = ?, rules = ?, visibility = ?, opens = ?, closes = ?, \
                 scoreboard_minutes = ?, audience = ? WHERE number = ?";
            sqlx::query(text)
                .bind(&contest.title)
                .bind(&contest.about)
                .bind(write_json(&contest.rules))
                .bind(write_json(&contest.visibility))
                .bind(contest.opens)
                .bind(contest.closes)
                .bind(contest.scoreboard_minutes)
                .bind(contest.audience.as_ref().map(write_json))
                .bind(contest.number)
                .execute(&mut *transaction)
                .await?;
            touch(&mut transaction, contest.number).await?;
        }
        next_seq(&mut transaction).await?;
        transaction.commit().await?;
        self.contest(&contest.id).await?.ok_or(StoreError::Missing("contest"))
    }

    /// Whether any match of a contest was begun: then what a match is must not change.
    pub async fn was_played(&self, number: i64) -> Result<bool, StoreError> {
        let text = "SELECT EXISTS (SELECT 1 FROM matches WHERE contest = ?)";
        Ok(sqlx::query_scalar(text).bind(number).fetch_one(&self.readers).await?)
    }

    /// Locks submissions with a reason, or unlocks them.
    pub async fn lock(&self, number: i64, reason: Option<&str>) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query("UPDATE contests SET locked = ? WHERE number = ?")
            .bind(reason)
            .bind(number)
            .execute(&mut *transaction)
            .await?;
        touch(&mut transaction, number).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Makes the scoreboard stand still as it is here, or lets it go on. One that stands still already keeps what it
    /// shows.
    pub async fn freeze(&self, number: i64, body: Option<&str>) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let text = "UPDATE contests SET snapshot = iif(frozen, snapshot, ?1), snapshot_at = iif(frozen AND ?1 IS NOT NULL, snapshot_at, iif(?1 IS NULL, NULL, ?2)), \
             frozen = ?1 IS NOT NULL WHERE number = ?3";
        sqlx::query(text).bind(body).bind(now()).bind(number).execute(&mut *transaction).await?;
        touch(&mut transaction, number).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The scoreboard as students last saw it.
    pub async fn snapshot(&self, number: i64) -> Result<Option<Snapshot>, StoreError> {
        let text = "SELECT snapshot, snapshot_at FROM contests WHERE number = ?";
        let row = sqlx::query(text).bind(number).fetch_one(&self.readers).await?;
        let (body, at): (Option<String>, Option<i64>) = (row.try_get("snapshot")?, row.try_get("snapshot_at")?);
        Ok(body.zip(at).map(|(body, at)| Snapshot { at, body }))
    }

    /// Keeps the scoreboard that students see from now on.
    pub async fn set_snapshot(&self, number: i64, at: i64, body: &str) -> Result<(), StoreError> {
        // Not over one that was frozen meanwhile.
        let text = "UPDATE contests SET snapshot = ?, snapshot_at = ? WHERE number = ? AND frozen = 0";
        self.write(sqlx::query(text).bind(body).bind(at).bind(number)).await.map(drop)
    }

    /// Tells everybody something.
    pub async fn announce(&self, number: i64, by: &str, text: &str) -> Result<Announcement, StoreError> {
        let at = now();
        let mut transaction = self.begin().await?;
        let done = sqlx::query("INSERT INTO announcements (contest, at, author, text) VALUES (?, ?, ?, ?)")
            .bind(number)
            .bind(at)
            .bind(by)
            .bind(text)
            .execute(&mut *transaction)
            .await?;
        touch(&mut transaction, number).await?;
        transaction.commit().await?;
        Ok(Announcement { id: done.last_insert_rowid(), at, by: by.to_owned(), text: text.to_owned() })
    }

    /// Takes an announcement away; whether there was one.
    pub async fn unannounce(&self, number: i64, id: i64) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let text = "DELETE FROM announcements WHERE contest = ? AND id = ?";
        let gone = sqlx::query(text).bind(number).bind(id).execute(&mut *transaction).await?.rows_affected() > 0;
        touch(&mut transaction, number).await?;
        transaction.commit().await?;
        Ok(gone)
    }

    /// What was told, the newest first.
    pub async fn announcements(&self, number: i64) -> Result<Vec<Announcement>, StoreError> {
        let text = "SELECT id, at, author, text FROM announcements WHERE contest = ? ORDER BY id DESC LIMIT 100";
        let rows = sqlx::query(text).bind(number).fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            Ok(Announcement {
                id: row.try_get("id")?,
                at: row.try_get("at")?,
                by: row.try_get("author")?,
                text: row.try_get("text")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Where the versions of a student stood.
    pub async fn history(&self, number: i64, account: i64) -> Result<Vec<HistoryPoint>, StoreError> {
        let text = "SELECT h.at, h.submission, s.version, h.rank, h.players, h.points FROM history h \
             JOIN submissions s ON s.id = h.submission WHERE h.contest = ? AND h.account = ? ORDER BY s.version";
        let rows = sqlx::query(text).bind(number).bind(account).fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            Ok(HistoryPoint {
                at: row.try_get("at")?,
                submission: row.try_get("submission")?,
                version: row.try_get("version")?,
                rank: row.try_get("rank")?,
                of: row.try_get("players")?,
                points: row.try_get("points")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Keeps where a version stands now that all its matches are played.
    pub async fn add_history(
        &self,
        number: i64,
        account: i64,
        submission: i64,
        rank: usize,
        players: usize,
        points: u32,
    ) -> Result<(), StoreError> {
        let text = "INSERT OR REPLACE INTO history (contest, account, at, submission, rank, players, points) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let query = sqlx::query(text).bind(number).bind(account).bind(now()).bind(submission);
        self.write(query.bind(rank as i64).bind(players as i64).bind(points)).await.map(drop)
    }

    /// The machine time a student's submissions took on a day (days since 1970, local).
    pub async fn machine_time(&self, number: i64, account: i64, day: i64) -> Result<i64, StoreError> {
        let text = "SELECT ms FROM machine_time WHERE contest = ? AND account = ? AND day = ?";
        let found = sqlx::query_scalar(text).bind(number).bind(account).bind(day).fetch_optional(&self.readers).await?;
        Ok(found.unwrap_or_default())
    }
}

/// Charges machine time to a student.
pub(super) async fn charge(
    connection: &mut SqliteConnection,
    contest: i64,
    account: i64,
    day: i64,
    ms: i64,
) -> Result<(), StoreError> {
    let text = "INSERT INTO machine_time (contest, account, day, ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT (contest, account, day) DO UPDATE SET ms = ms + excluded.ms";
    sqlx::query(text).bind(contest).bind(account).bind(day).bind(ms).execute(connection).await?;
    Ok(())
}

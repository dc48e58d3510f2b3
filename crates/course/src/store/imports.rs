//! What was exported elsewhere comes in: submissions with their versions and times, and matches that were played.

use std::collections::HashMap;

use sqlx::{Row as _, SqliteConnection};

use super::contests::touch;
use super::games::{NewGame, insert_game};
use super::matches::stand;
use super::submissions::{NewSubmission, insert, settle_all};
use super::{Store, StoreError, next_seq};
use crate::now;

/// A submission of another store.
#[derive(Debug, Clone)]
pub struct ImportedSource<'a> {
    /// What it is made of.
    pub new: NewSubmission<'a>,
    /// Its version there.
    pub version: i64,
    /// When it came, if that is known.
    pub submitted: Option<i64>,
}

/// A match of another store.
#[derive(Debug, Clone)]
pub struct ImportedMatch {
    /// `ladder` or `challenge`.
    pub kind: String,
    /// The two versions, by this store's numbers.
    pub versions: [i64; 2],
    /// Its games, each with the moment it was over.
    pub games: Vec<(NewGame, i64)>,
}

impl Store {
    /// The numbers of a contest's submissions by the student's name and the version.
    pub async fn versions(&self, contest: i64) -> Result<HashMap<(String, i64), i64>, StoreError> {
        let text =
            "SELECT a.name, s.version, s.id FROM submissions s JOIN accounts a ON a.id = s.account WHERE s.contest = ?";
        let rows = sqlx::query(text).bind(contest).fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok(((row.try_get(0)?, row.try_get(1)?), row.try_get(2)?))).collect()
    }

    /// Takes submissions in, all or none. Whoever has none yet keeps his versions and times; for the others they are new
    /// versions.
    pub async fn import_submissions(&self, sources: &[ImportedSource<'_>]) -> Result<(), StoreError> {
        let at = now();
        let mut transaction = self.begin().await?;
        let mut last: HashMap<i64, Option<i64>> = HashMap::new();
        for source in sources {
            let (contest, account) = (source.new.contest, source.new.account);
            let had = match last.get(&account) {
                Some(had) => *had,
                None => {
                    let text = "SELECT max(version) FROM submissions WHERE contest = ? AND account = ?";
                    let query = sqlx::query_scalar(text).bind(contest).bind(account);
                    let had: Option<i64> = query.fetch_one(&mut *transaction).await?;
                    last.insert(account, had);
                    had
                }
            };
            let (version, submitted) = match had {
                None => (source.version, source.submitted.unwrap_or(at)),
                Some(had) => (had + 1, at),
            };
            insert(&mut transaction, &source.new, version, submitted).await?;
            if had.is_some() {
                last.insert(account, Some(version));
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Takes finished matches in, all or none; gives how many were new. A ladder match of two who have met stays as it is;
    /// one that waits or is being played is not needed any more.
    pub async fn import_matches(&self, contest: i64, matches: &[ImportedMatch]) -> Result<usize, StoreError> {
        let mut transaction = self.begin().await?;
        let mut taken = 0;
        for one in matches {
            if one.kind == "ladder" && !make_room(&mut transaction, one.versions).await? {
                continue;
            }
            insert_match(&mut transaction, contest, one).await?;
            taken += 1;
        }
        settle_all(&mut transaction, contest).await?;
        touch(&mut transaction, contest).await?;
        transaction.commit().await?;
        Ok(taken)
    }
}

/// Whether the two have no finished ladder match; one that is not over is called off.
async fn make_room(connection: &mut SqliteConnection, [one, two]: [i64; 2]) -> Result<bool, StoreError> {
    let text = "SELECT id, state FROM matches WHERE min(one, two) = ? AND max(one, two) = ? AND kind = 'ladder' AND state <> 'void'";
    let found = sqlx::query(text).bind(one.min(two)).bind(one.max(two)).fetch_optional(&mut *connection).await?;
    let Some(row) = found else { return Ok(true) };
    if row.try_get::<&str, _>("state")? == "done" {
        return Ok(false);
    }
    let seq = next_seq(connection).await?;
    let text = "UPDATE matches SET state = 'void', lease = NULL, changed = ? WHERE id = ?";
    sqlx::query(text).bind(seq).bind(row.try_get::<i64, _>("id")?).execute(connection).await?;
    Ok(true)
}

async fn insert_match(connection: &mut SqliteConnection, contest: i64, one: &ImportedMatch) -> Result<(), StoreError> {
    let scores = one.games.iter().map(|(game, _)| game.points_of_one());
    let (won, drawn, lost) =
        scores.fold((0, 0, 0), |sum, game| (sum.0 + game.won, sum.1 + game.drawn, sum.2 + game.lost));
    let finished = one.games.iter().map(|(_, at)| *at).max().unwrap_or_default();
    let seq = next_seq(connection).await?;
    let text = "INSERT INTO matches (contest, kind, one, two, state, games, played, won, drawn, lost, place, created, finished, changed) \
         VALUES (?, ?, ?, ?, 'done', ?, ?, ?, ?, ?, 0, ?, ?, ?)";
    let count = one.games.len() as i64;
    let done = sqlx::query(text)
        .bind(contest)
        .bind(&one.kind)
        .bind(one.versions[0])
        .bind(one.versions[1])
        .bind(count)
        .bind(count)
        .bind(won)
        .bind(drawn)
        .bind(lost)
        .bind(finished)
        .bind(finished)
        .bind(seq)
        .execute(&mut *connection)
        .await?;
    let id = done.last_insert_rowid();
    for (number, (game, at)) in one.games.iter().enumerate() {
        insert_game(connection, (id, one.versions), number as u32, game, *at).await?;
    }
    if one.kind == "ladder" {
        stand(connection, id).await?;
    }
    Ok(())
}

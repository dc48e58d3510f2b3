//! Built-in players in a contest: accounts that nobody can sign in to, each with one version.

use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::contests::touch;
use super::submissions::{COLUMNS, NewSubmission, State, enter, insert, leave, read, set_state};
use super::{Store, StoreError};
use crate::now;

/// How the name of a built-in player's account begins: with a space in it, which no student's number has.
pub(crate) const BUILT_IN: &str = "built-in ";

fn account_name(builtin: &str) -> String {
    format!("{BUILT_IN}{builtin}")
}

/// What stands for a language.
const LANGUAGE: &str = "built-in";

impl Store {
    /// The built-in players of a contest, in the order of [`engines::STYLES`].
    pub async fn references(&self, contest: i64) -> Result<Vec<String>, StoreError> {
        let text = "SELECT a.builtin FROM submissions s JOIN accounts a ON a.id = s.account \
             WHERE s.contest = ? AND a.builtin IS NOT NULL AND s.state NOT IN ('replaced', 'disqualified', 'failed')";
        let mut found: Vec<String> = sqlx::query_scalar(text).bind(contest).fetch_all(&self.readers).await?;
        found.sort_by_key(|name| engines::STYLES.iter().position(|(known, ..)| known == name));
        Ok(found)
    }

    /// These built-in players take part from now on, and no others: what they played stays, and counts again when one
    /// comes back.
    pub async fn set_references(&self, contest: i64, wanted: &[String]) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let text = "SELECT s.id, a.builtin, s.counts FROM submissions s JOIN accounts a ON a.id = s.account \
             WHERE s.contest = ? AND a.builtin IS NOT NULL";
        let mut known = Vec::new();
        for row in sqlx::query(text).bind(contest).fetch_all(&mut *transaction).await? {
            let (id, builtin, counts): (i64, String, bool) =
                (row.try_get("id")?, row.try_get("builtin")?, row.try_get("counts")?);
            if counts && !wanted.contains(&builtin) {
                leave(&mut transaction, id).await?;
                set_state(&mut transaction, id, State::Replaced).await?;
            }
            known.push((builtin, id, counts));
        }
        for builtin in wanted {
            let id = match known.iter().find(|(name, ..)| name == builtin) {
                Some((.., true)) => continue,
                Some(&(_, id, _)) => id,
                None => {
                    let id = add(&mut transaction, contest, builtin).await?;
                    known.push((builtin.clone(), id, true));
                    id
                }
            };
            let text = format!("SELECT {COLUMNS} WHERE s.id = ?");
            let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_one(&mut *transaction).await?;
            let row = read(&row)?;
            sqlx::query("UPDATE submissions SET disqualified = NULL WHERE id = ?")
                .bind(id)
                .execute(&mut *transaction)
                .await?;
            enter(&mut transaction, &row).await?;
        }
        touch(&mut transaction, contest).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// The version of a built-in player in a contest, and its account where there is none yet.
async fn add(connection: &mut SqliteConnection, contest: i64, builtin: &str) -> Result<i64, StoreError> {
    let at = now();
    let text = "INSERT OR IGNORE INTO accounts (name, person, team, nickname, role, created, builtin) \
         VALUES (?, '', '', ?, 'student', ?, ?)";
    sqlx::query(text)
        .bind(account_name(builtin))
        .bind(format!("boyi-{builtin}"))
        .bind(at)
        .bind(builtin)
        .execute(&mut *connection)
        .await?;
    let account: i64 = sqlx::query_scalar("SELECT id FROM accounts WHERE builtin = ?")
        .bind(builtin)
        .fetch_one(&mut *connection)
        .await?;
    let source = account_name(builtin);
    let new = NewSubmission { contest, account, language: LANGUAGE, file_name: "", source: source.as_bytes() };
    insert(connection, &new, 1, at).await
}

//! Sessions in the store: only hashes of their tokens.

use serde::Serialize;
use sqlx::Row as _;

use super::{Store, StoreError};
use crate::account::{Account, Role};
use crate::now;
use crate::secret::{hash_token, new_token};

/// A session ends after so long without a visit.
const LIFE_MS: i64 = 30 * 86_400_000;
/// A visit is written down at most this often.
const SEEN_EVERY_MS: i64 = 5 * 60_000;
/// More sessions of an account than this are not kept; the oldest end.
const MOST: i64 = 50;

/// A session as its owner sees it.
#[derive(Debug, Clone, Serialize)]
pub struct SessionRow {
    /// The store's number.
    pub id: i64,
    /// When he signed in.
    pub created: i64,
    /// When it was last used.
    pub seen: i64,
    /// From where.
    pub address: String,
    /// With which browser.
    pub agent: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Signed {
    /// Who.
    pub account: Account,
    /// In which session.
    pub session: i64,
}

impl Store {
    /// A new session; gives its number and its token, which is told once.
    pub async fn open_session(&self, account: i64, address: &str, agent: &str) -> Result<(i64, String), StoreError> {
        let (token, at) = (new_token()?, now());
        let agent: String = agent.chars().filter(|letter| !letter.is_control()).take(200).collect();
        let mut transaction = self.begin().await?;
        sqlx::query("DELETE FROM sessions WHERE expires < ?").bind(at).execute(&mut *transaction).await?;
        let text = "DELETE FROM sessions WHERE account = ?1 AND id NOT IN \
             (SELECT id FROM sessions WHERE account = ?1 ORDER BY seen DESC LIMIT ?2)";
        sqlx::query(text).bind(account).bind(MOST - 1).execute(&mut *transaction).await?;
        let text = "INSERT INTO sessions (account, token_hash, created, seen, expires, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let done = sqlx::query(text)
            .bind(account)
            .bind(hash_token(&token))
            .bind(at)
            .bind(at)
            .bind(at + LIFE_MS)
            .bind(address)
            .bind(agent)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok((done.last_insert_rowid(), token))
    }

    /// Who has this token.
    pub async fn signed(&self, token: &str) -> Result<Option<Signed>, StoreError> {
        let text = "SELECT s.id AS session, s.seen, a.id, a.name, a.person, a.team, a.nickname, a.role, \
             a.password IS NULL AS first, a.code_expires, a.created \
             FROM sessions s JOIN accounts a ON a.id = s.account \
             WHERE s.token_hash = ? AND s.expires > ? AND a.active = 1";
        let at = now();
        let row = sqlx::query(text).bind(hash_token(token)).bind(at).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let session: i64 = row.try_get("session")?;
        if at - row.try_get::<i64, _>("seen")? > SEEN_EVERY_MS {
            let text = "UPDATE sessions SET seen = ?, expires = ? WHERE id = ?";
            let seen = self.write(sqlx::query(text).bind(at).bind(at + LIFE_MS).bind(session)).await;
            // Whoever only reads is not kept out by a disk that is full.
            if let Err(error) = seen {
                tracing::warn!(%error, "a visit could not be written down");
            }
        }
        let account = Account {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            person: row.try_get("person")?,
            group: row.try_get("team")?,
            nickname: row.try_get("nickname")?,
            role: Role::find(row.try_get::<&str, _>("role")?).ok_or(StoreError::Damaged("role"))?,
            first: row.try_get("first")?,
            active: true,
            code_expires: row.try_get("code_expires")?,
            created: row.try_get("created")?,
        };
        Ok(Some(Signed { account, session }))
    }

    /// The sessions of an account, the last used first.
    pub async fn sessions(&self, account: i64, current: i64) -> Result<Vec<SessionRow>, StoreError> {
        let text = "SELECT id, created, seen, address, agent FROM sessions WHERE account = ? AND expires > ? ORDER BY seen DESC";
        let rows = sqlx::query(text).bind(account).bind(now()).fetch_all(&self.readers).await?;
        let read = |row: &sqlx::sqlite::SqliteRow| {
            let id: i64 = row.try_get("id")?;
            Ok(SessionRow {
                id,
                created: row.try_get("created")?,
                seen: row.try_get("seen")?,
                address: row.try_get("address")?,
                agent: row.try_get("agent")?,
                current: id == current,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Ends a session of an account; whether there was one.
    pub async fn end_session(&self, account: i64, session: i64) -> Result<bool, StoreError> {
        let text = "DELETE FROM sessions WHERE account = ? AND id = ?";
        Ok(self.write(sqlx::query(text).bind(account).bind(session)).await? > 0)
    }

    /// Ends every session of an account but one; how many there were.
    pub async fn end_other_sessions(&self, account: i64, session: i64) -> Result<u64, StoreError> {
        let text = "DELETE FROM sessions WHERE account = ? AND id <> ?";
        self.write(sqlx::query(text).bind(account).bind(session)).await
    }
}

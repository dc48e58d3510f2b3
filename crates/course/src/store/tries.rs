//! Wrong passwords in the store, so that a restart forgives nobody.

use sqlx::Row as _;

use super::{Store, StoreError};
use crate::account::{Guard, Key, MEMORY, Tries};
use crate::now;

const NAME: &str = "name";
const ADDRESS: &str = "address";

fn columns(key: &Key) -> (&'static str, &str) {
    match key {
        Key::Name(name) => (NAME, name),
        Key::Address(address) => (ADDRESS, address),
    }
}

impl Store {
    /// The guard of the sign-in, as it was when the program last ended.
    pub async fn guard(&self) -> Result<Guard, StoreError> {
        let text = "SELECT kind, who, wrong, last FROM tries WHERE last > ? ORDER BY wrong DESC";
        let rows = sqlx::query(text).bind(now() - MEMORY).fetch_all(&self.readers).await?;
        let mut tries = Vec::new();
        for row in rows {
            let who: String = row.try_get("who")?;
            let key = if row.try_get::<&str, _>("kind")? == NAME { Key::Name(who) } else { Key::Address(who) };
            tries.push((key, Tries { wrong: row.try_get("wrong")?, last: row.try_get("last")? }));
        }
        Ok(Guard::remembering(tries))
    }

    /// A try was wrong: it is written down before it is answered.
    pub async fn wrong_try(&self, guard: &Guard, name: &str, address: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query("DELETE FROM tries WHERE last < ?").bind(now() - MEMORY).execute(&mut *transaction).await?;
        for (key, Tries { wrong, last }) in guard.wrong(name, address) {
            let (kind, who) = columns(&key);
            let text = "INSERT OR REPLACE INTO tries (kind, who, wrong, last) VALUES (?, ?, ?, ?)";
            sqlx::query(text).bind(kind).bind(who).bind(wrong).bind(last).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// A try was right: the name's wrong ones are forgotten.
    pub async fn right_try(&self, guard: &Guard, name: &str) -> Result<(), StoreError> {
        if let Some(key) = guard.right(name) {
            let (kind, who) = columns(&key);
            let text = "DELETE FROM tries WHERE kind = ? AND who = ?";
            sqlx::query(text).bind(kind).bind(who).execute(&self.writer).await?;
        }
        Ok(())
    }
}

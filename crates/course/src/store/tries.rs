//! Wrong passwords in the store, so that a restart forgives nobody.

use std::borrow::Cow;

use sqlx::Row as _;

use super::{Store, StoreError};
use crate::account::{Guard, Key, MEMORY, Tries};
use crate::now;

const BOTH: &str = "both";
const NAME: &str = "name";
const ADDRESS: &str = "address";

fn columns(key: &Key) -> (&'static str, Cow<'_, str>) {
    match key {
        // No address has a space in it.
        Key::Both(name, address) => (BOTH, format!("{address} {name}").into()),
        Key::Name(name) => (NAME, name.into()),
        Key::Address(address) => (ADDRESS, address.into()),
    }
}

fn read_key(kind: &str, who: String) -> Option<Key> {
    match kind {
        BOTH => who.split_once(' ').map(|(address, name)| Key::Both(name.to_owned(), address.to_owned())),
        NAME => Some(Key::Name(who)),
        ADDRESS => Some(Key::Address(who)),
        _ => None,
    }
}

impl Store {
    /// The guard of the sign-in, as it was when the program last ended.
    pub async fn guard(&self) -> Result<Guard, StoreError> {
        let text = "SELECT kind, who, wrong, last FROM tries WHERE last > ? ORDER BY wrong DESC";
        let rows = sqlx::query(text).bind(now() - MEMORY).fetch_all(&self.readers).await?;
        let mut tries = Vec::new();
        for row in rows {
            let key = read_key(row.try_get("kind")?, row.try_get("who")?).ok_or(StoreError::Damaged("tries"))?;
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
            sqlx::query(text).bind(kind).bind(who.as_ref()).bind(wrong).bind(last).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// A try was right: the name's wrong ones from there are forgotten.
    pub async fn right_try(&self, guard: &Guard, name: &str, address: &str) -> Result<(), StoreError> {
        for key in guard.right(name, address) {
            let (kind, who) = columns(&key);
            let text = "DELETE FROM tries WHERE kind = ? AND who = ?";
            self.write(sqlx::query(text).bind(kind).bind(who.as_ref())).await?;
        }
        Ok(())
    }
}

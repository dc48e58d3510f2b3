//! Accounts in the store.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::{Store, StoreError, is_taken, next_seq, write_json};
use crate::account::{Account, Role, groups_of};
use crate::contest::Audience;
use crate::now;
use crate::roster::RosterEntry;
use crate::secret::{hash_token, new_code, read_code};
use crate::words::Words;

/// A one-time code is good for two weeks.
const CODE_LIFE_MS: i64 = 14 * 86_400_000;

const COLUMNS: &str =
    "id, name, person, team, nickname, role, password IS NULL AS first, active, code_expires, created";

/// What a new account is made of.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// What is typed to sign in.
    pub name: String,
    /// The person's own name.
    pub person: String,
    /// The class or group.
    pub group: String,
    /// What he may do.
    pub role: Role,
}

/// A code that was just made: it is told once.
#[derive(Debug, Clone, Serialize)]
pub struct IssuedCode {
    /// Whose.
    pub name: String,
    /// The person's own name.
    pub person: String,
    /// The class or group.
    pub group: String,
    /// The code.
    pub code: String,
    /// Until when it is good.
    pub expires: i64,
}

/// What came of a roll.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Imported {
    /// New accounts.
    pub added: usize,
    /// Accounts whose person or group changed.
    pub updated: usize,
    /// Accounts that were as the roll says.
    pub unchanged: usize,
    /// Codes of the new accounts.
    pub codes: Vec<IssuedCode>,
}

/// What can be changed of an account.
#[derive(Debug, Clone)]
pub enum AccountChange {
    /// What others see.
    Nickname(String),
    /// What he may do.
    Role(Role),
    /// The groups he is in, as [`crate::read_groups`] gives them.
    Groups(String),
    /// Whether it may be used.
    Active(bool),
}

fn read(row: &SqliteRow) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        person: row.try_get("person")?,
        group: row.try_get("team")?,
        nickname: row.try_get("nickname")?,
        role: Role::find(row.try_get::<&str, _>("role")?).ok_or(StoreError::Damaged("role"))?,
        first: row.try_get("first")?,
        active: row.try_get("active")?,
        code_expires: row.try_get("code_expires")?,
        created: row.try_get("created")?,
    })
}

impl Store {
    /// An account.
    pub async fn account(&self, id: i64) -> Result<Option<Account>, StoreError> {
        let text = format!("SELECT {COLUMNS} FROM accounts WHERE id = ? AND builtin IS NULL");
        let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    /// The account of this name, and the hash of its password.
    pub async fn account_named(&self, name: &str) -> Result<Option<(Account, Option<String>)>, StoreError> {
        let text = format!("SELECT {COLUMNS}, password FROM accounts WHERE name = ? AND builtin IS NULL");
        let row = sqlx::query(AssertSqlSafe(text)).bind(name).fetch_optional(&self.readers).await?;
        row.map(|row| Ok((read(&row)?, row.try_get("password")?))).transpose()
    }

    /// Accounts in the order of their numbers.
    pub async fn accounts(
        &self,
        search: &str,
        role: Option<Role>,
        group: Option<&str>,
        after: i64,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM accounts WHERE id > ?1 AND builtin IS NULL \
             AND (?2 = '' OR instr(lower(name || ' ' || person || ' ' || nickname), lower(?2)) > 0) \
             AND (?3 IS NULL OR role = ?3) \
             AND (?4 IS NULL OR instr('; ' || team || '; ', '; ' || ?4 || '; ') > 0) ORDER BY id LIMIT ?5"
        );
        let query = sqlx::query(AssertSqlSafe(text)).bind(after).bind(search).bind(role.map(Role::word)).bind(group);
        query.bind(limit).fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    /// The persons and groups of those whose version counts, by their accounts.
    pub async fn people(&self, contest: i64) -> Result<HashMap<i64, (String, String)>, StoreError> {
        let text = "SELECT a.id, a.person, a.team FROM accounts a JOIN submissions s ON s.account = a.id WHERE s.contest = ? AND s.counts = 1";
        let rows = sqlx::query(text).bind(contest).fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?)))).collect()
    }

    /// The groups there are, each with how many accounts are in it.
    pub async fn groups(&self) -> Result<BTreeMap<String, i64>, StoreError> {
        let text = "SELECT team, count(*) FROM accounts WHERE builtin IS NULL AND team <> '' GROUP BY team";
        let mut groups = BTreeMap::new();
        for row in sqlx::query(text).fetch_all(&self.readers).await? {
            let (team, count): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            for group in groups_of(&team) {
                *groups.entry(group.to_owned()).or_default() += count;
            }
        }
        Ok(groups)
    }

    /// Why a contest cannot be open to these: a name that nobody has would shut somebody out unseen.
    pub async fn audience_problem(
        &self,
        audience: Option<&Audience>,
    ) -> Result<Option<(&'static str, Words)>, StoreError> {
        let Some(Audience { groups, students }) = audience else { return Ok(None) };
        let known = self.groups().await?;
        let strange: Vec<&str> =
            groups.iter().map(String::as_str).filter(|group| !known.contains_key(*group)).take(5).collect();
        if !strange.is_empty() {
            let list = strange.join("; ");
            let words = Words::new(format!("nobody is in these groups: {list}"), format!("没有人在这些班级：{list}"));
            return Ok(Some(("groups", words)));
        }
        let strange = self.strangers(students).await?;
        if strange.is_empty() {
            return Ok(None);
        }
        let list = strange.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        let words =
            Words::new(format!("there are no accounts of these names: {list}"), format!("没有这些账号：{list}"));
        Ok(Some(("students", words)))
    }

    /// Which of these names nobody here has.
    pub async fn strangers(&self, names: &[String]) -> Result<Vec<String>, StoreError> {
        let text = "SELECT value FROM json_each(?) \
             WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.name = value AND a.builtin IS NULL)";
        Ok(sqlx::query_scalar(text).bind(write_json(&names)).fetch_all(&self.readers).await?)
    }

    /// Whether somebody can do everything.
    pub async fn has_admin(&self) -> Result<bool, StoreError> {
        let text =
            "SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'admin' AND active = 1 AND password IS NOT NULL)";
        Ok(sqlx::query_scalar(text).fetch_one(&self.readers).await?)
    }

    /// A new account and its one-time code.
    pub async fn add_account(&self, new: &NewAccount) -> Result<(Account, IssuedCode), StoreError> {
        let mut transaction = self.begin().await?;
        let issued = insert(&mut transaction, new, now()).await?;
        next_seq(&mut transaction).await?;
        transaction.commit().await?;
        let account = self.account_named(&new.name).await?.ok_or(StoreError::Missing("account"))?.0;
        Ok((account, issued))
    }

    /// Takes a roll in: all of it or nothing. Accounts that are there keep their passwords.
    pub async fn import(&self, entries: &[RosterEntry]) -> Result<Imported, StoreError> {
        let at = now();
        let mut transaction = self.begin().await?;
        let rows = sqlx::query("SELECT name, person, team FROM accounts").fetch_all(&mut *transaction).await?;
        let mut known = HashMap::with_capacity(rows.len());
        for row in rows {
            let name: String = row.try_get("name")?;
            known.insert(name.to_lowercase(), (row.try_get::<String, _>("person")?, row.try_get::<String, _>("team")?));
        }
        let mut imported = Imported::default();
        for entry in entries {
            match known.get(&entry.name.to_lowercase()) {
                Some((person, group)) if is_as_listed(entry, person, group) => imported.unchanged += 1,
                Some(_) => {
                    sqlx::query("UPDATE accounts SET person = ?1, team = iif(?2 = '', team, ?2) WHERE name = ?3")
                        .bind(&entry.person)
                        .bind(&entry.group)
                        .bind(&entry.name)
                        .execute(&mut *transaction)
                        .await?;
                    imported.updated += 1;
                }
                None => {
                    let new = NewAccount {
                        name: entry.name.clone(),
                        person: entry.person.clone(),
                        group: entry.group.clone(),
                        role: Role::Student,
                    };
                    imported.codes.push(insert(&mut transaction, &new, at).await?);
                    imported.added += 1;
                }
            }
        }
        next_seq(&mut transaction).await?;
        transaction.commit().await?;
        Ok(imported)
    }

    /// How many of a roll are new, changed and as they were; nothing is written.
    pub async fn compare(&self, entries: &[RosterEntry]) -> Result<Imported, StoreError> {
        let mut imported = Imported::default();
        for entry in entries {
            match self.account_named(&entry.name).await? {
                None => imported.added += 1,
                Some((known, _)) if is_as_listed(entry, &known.person, &known.group) => imported.unchanged += 1,
                Some(_) => imported.updated += 1,
            }
        }
        Ok(imported)
    }

    /// Takes an account's password and sessions away and gives a new one-time code.
    pub async fn reset(&self, id: i64) -> Result<IssuedCode, StoreError> {
        let account = self.account(id).await?.ok_or(StoreError::Missing("account"))?;
        let (code, expires) = (new_code()?, now() + CODE_LIFE_MS);
        let mut transaction = self.begin().await?;
        sqlx::query("UPDATE accounts SET password = NULL, code_hash = ?, code_expires = ? WHERE id = ?")
            .bind(hash_token(&read_code(&code)))
            .bind(expires)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM sessions WHERE account = ?").bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(IssuedCode { name: account.name, person: account.person, group: account.group, code, expires })
    }

    /// Sets the first password with a one-time code, which is used up by it. `None` when the code is not good.
    pub async fn redeem(
        &self,
        name: &str,
        code: &str,
        password: &str,
        nickname: Option<&str>,
    ) -> Result<Option<Account>, StoreError> {
        let hash = hash_token(&read_code(code));
        let mut transaction = self.begin().await?;
        let text = "UPDATE accounts SET password = ?, nickname = coalesce(?, nickname), code_hash = NULL, code_expires = NULL \
             WHERE name = ? AND code_hash = ? AND code_expires > ? AND active = 1 RETURNING id";
        let id: Option<i64> = sqlx::query_scalar(text)
            .bind(password)
            .bind(nickname)
            .bind(name)
            .bind(hash)
            .bind(now())
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(id) = id else { return Ok(None) };
        if let Some(nickname) = nickname {
            refuse_taken_nickname(&mut transaction, id, nickname).await?;
        }
        sqlx::query("DELETE FROM sessions WHERE account = ?").bind(id).execute(&mut *transaction).await?;
        renamed(&mut transaction, id).await?;
        transaction.commit().await?;
        self.account(id).await
    }

    /// Another password; every session but this one ends.
    pub async fn set_password(&self, id: i64, password: &str, session: i64) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query("UPDATE accounts SET password = ? WHERE id = ?")
            .bind(password)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM sessions WHERE account = ? AND id <> ?")
            .bind(id)
            .bind(session)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Changes an account.
    pub async fn change_account(&self, id: i64, change: &AccountChange) -> Result<Account, StoreError> {
        let mut transaction = self.begin().await?;
        match change {
            AccountChange::Nickname(nickname) => {
                sqlx::query("UPDATE accounts SET nickname = ? WHERE id = ?")
                    .bind(nickname)
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
                refuse_taken_nickname(&mut transaction, id, nickname).await?;
                renamed(&mut transaction, id).await?;
            }
            AccountChange::Role(role) => {
                sqlx::query("UPDATE accounts SET role = ? WHERE id = ?")
                    .bind(role.word())
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
                // Whether his program takes a rank.
                renamed(&mut transaction, id).await?;
            }
            AccountChange::Groups(groups) => {
                sqlx::query("UPDATE accounts SET team = ? WHERE id = ?")
                    .bind(groups)
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
            }
            AccountChange::Active(active) => {
                sqlx::query("UPDATE accounts SET active = ? WHERE id = ?")
                    .bind(active)
                    .bind(id)
                    .execute(&mut *transaction)
                    .await?;
                if !active {
                    sqlx::query("DELETE FROM sessions WHERE account = ?").bind(id).execute(&mut *transaction).await?;
                }
            }
        }
        next_seq(&mut transaction).await?;
        transaction.commit().await?;
        self.account(id).await?.ok_or(StoreError::Missing("account"))
    }
}

/// Whether an account is as a roll says. A roll without groups leaves them as they are.
fn is_as_listed(entry: &RosterEntry, person: &str, group: &str) -> bool {
    person == entry.person && (entry.group.is_empty() || group == entry.group)
}

/// Whoever shows the versions of an account reads them again: its nickname stands with them.
async fn renamed(connection: &mut SqliteConnection, id: i64) -> Result<(), StoreError> {
    let seq = next_seq(connection).await?;
    let text = "UPDATE submissions SET changed = ? WHERE account = ? AND counts = 1";
    sqlx::query(text).bind(seq).bind(id).execute(connection).await?;
    Ok(())
}

async fn refuse_taken_nickname(connection: &mut SqliteConnection, id: i64, nickname: &str) -> Result<(), StoreError> {
    // Also somebody's number or own name, or one could pass for another.
    let text = "SELECT EXISTS (SELECT 1 FROM accounts WHERE id <> ?1 AND (nickname = ?2 OR name = ?2))";
    match sqlx::query_scalar(text).bind(id).bind(nickname).fetch_one(connection).await? {
        true => Err(StoreError::Taken("nickname")),
        false => Ok(()),
    }
}

async fn insert(connection: &mut SqliteConnection, new: &NewAccount, at: i64) -> Result<IssuedCode, StoreError> {
    let (code, expires) = (new_code()?, at + CODE_LIFE_MS);
    // Until a nickname is chosen the number's last letters are shown: a person's own name is not for everybody.
    let tail: String = new.name.chars().rev().take(3).collect::<Vec<_>>().into_iter().rev().collect();
    let nickname = if new.role.is_staff() { new.name.clone() } else { format!("同学 …{tail}") };
    let text = "INSERT INTO accounts (name, person, team, nickname, role, code_hash, code_expires, created) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let done = sqlx::query(text)
        .bind(&new.name)
        .bind(&new.person)
        .bind(&new.group)
        .bind(nickname)
        .bind(new.role.word())
        .bind(hash_token(&read_code(&code)))
        .bind(expires)
        .bind(at)
        .execute(connection)
        .await;
    match done {
        Err(error) if is_taken(&error) => Err(StoreError::Taken("name")),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(IssuedCode {
            name: new.name.clone(),
            person: new.person.clone(),
            group: new.group.clone(),
            code,
            expires,
        }),
    }
}

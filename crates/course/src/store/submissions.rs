//! Submissions in the store: from the upload to the ladder.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::contests::{charge, touch};
use super::matches::queue_matches;
use super::{Store, StoreError, next_seq, read_json};
use crate::ladder::Standing;
use crate::now;

/// How far a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Waits for its build.
    Queued,
    /// Is compiled.
    Compiling,
    /// Plays its trial game.
    Trial,
    /// Plays in the ladder.
    Playing,
    /// All its matches are played.
    Ranked,
    /// Did not come so far.
    Failed,
    /// A later version took its place.
    Replaced,
    /// Staff took it out.
    Disqualified,
}

impl State {
    const ALL: [Self; 8] = [
        Self::Queued,
        Self::Compiling,
        Self::Trial,
        Self::Playing,
        Self::Ranked,
        Self::Failed,
        Self::Replaced,
        Self::Disqualified,
    ];

    /// The word programs use.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Compiling => "compiling",
            Self::Trial => "trial",
            Self::Playing => "playing",
            Self::Ranked => "ranked",
            Self::Failed => "failed",
            Self::Replaced => "replaced",
            Self::Disqualified => "disqualified",
        }
    }
}

/// What a new submission is made of.
#[derive(Debug, Clone)]
pub struct NewSubmission<'a> {
    /// The contest's number.
    pub contest: i64,
    /// The student.
    pub account: i64,
    /// The language's id.
    pub language: &'a str,
    /// What the student called the file.
    pub file_name: &'a str,
    /// The source as it came.
    pub source: &'a [u8],
}

/// A submission without its source.
#[derive(Debug, Clone)]
pub struct SubmissionRow {
    /// The store's number.
    pub id: i64,
    /// The contest's number.
    pub contest: i64,
    /// The contest's name.
    pub contest_id: String,
    /// The student.
    pub account: i64,
    /// His nickname.
    pub nickname: String,
    /// How he takes part.
    pub standing: Standing,
    /// Which built-in player it is, if it is one.
    pub builtin: Option<String>,
    /// 1, 2, … of this student in this contest.
    pub version: i64,
    /// The language's id.
    pub language: String,
    /// What the student called the file.
    pub file_name: String,
    /// The length of the source.
    pub bytes: i64,
    /// When it came.
    pub submitted: i64,
    /// How far it is.
    pub state: State,
    /// Whether it is the one that counts.
    pub counts: bool,
    /// Why it failed: `{code, text}`.
    pub failure: Option<Value>,
    /// Why staff took it out.
    pub disqualified: Option<String>,
    /// The number of its last change.
    pub changed: i64,
}

/// Which submissions are listed.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of this student.
    pub account: Option<i64>,
    /// Older than this one.
    pub before: Option<i64>,
    /// Changed after this change.
    pub changed_after: Option<i64>,
    /// How many.
    pub limit: u32,
}

/// A submission to be built.
#[derive(Debug, Clone)]
pub struct BuildLease {
    /// The submission.
    pub submission: SubmissionRow,
    /// Its source.
    pub source: Vec<u8>,
    /// How often it was tried.
    pub attempts: i64,
    pub(super) lease: String,
}

pub(super) const COLUMNS: &str = "s.id, s.contest, c.id AS contest_id, s.account, a.nickname, a.role, a.builtin, \
     s.version, s.language, s.file_name, s.bytes, s.submitted, s.state, s.counts, s.failure, s.disqualified, s.changed \
     FROM submissions s JOIN accounts a ON a.id = s.account JOIN contests c ON c.number = s.contest";

/// Builds in turn: everybody's first one, then everybody's second.
const BUILD_ORDER: &str = "SELECT id, state, attempts, not_before, row_number() OVER (PARTITION BY account ORDER BY id) AS turn \
     FROM submissions WHERE state IN ('queued', 'compiling', 'trial')";

/// How somebody of this role takes part.
pub(super) fn standing(role: &str, builtin: Option<&str>) -> Standing {
    match (builtin, role) {
        (Some(_), _) => Standing::Reference,
        (None, "student") => Standing::Student,
        (None, _) => Standing::Staff,
    }
}

pub(super) fn read(row: &SqliteRow) -> Result<SubmissionRow, StoreError> {
    let state: &str = row.try_get("state")?;
    let builtin: Option<&str> = row.try_get("builtin")?;
    let failure: Option<&str> = row.try_get("failure")?;
    Ok(SubmissionRow {
        id: row.try_get("id")?,
        contest: row.try_get("contest")?,
        contest_id: row.try_get("contest_id")?,
        account: row.try_get("account")?,
        nickname: row.try_get("nickname")?,
        standing: standing(row.try_get("role")?, builtin),
        builtin: builtin.map(str::to_owned),
        version: row.try_get("version")?,
        language: row.try_get("language")?,
        file_name: row.try_get("file_name")?,
        bytes: row.try_get("bytes")?,
        submitted: row.try_get("submitted")?,
        state: State::ALL.into_iter().find(|known| known.word() == state).ok_or(StoreError::Damaged("state"))?,
        counts: row.try_get("counts")?,
        failure: failure.map(|text| read_json(text, "failure")).transpose()?,
        disqualified: row.try_get("disqualified")?,
        changed: row.try_get("changed")?,
    })
}

/// Writes the state of a submission.
pub(super) async fn set_state(connection: &mut SqliteConnection, id: i64, state: State) -> Result<(), StoreError> {
    let seq = next_seq(connection).await?;
    let text = "UPDATE submissions SET state = ?, changed = ? WHERE id = ?";
    sqlx::query(text).bind(state.word()).bind(seq).bind(id).execute(connection).await?;
    Ok(())
}

/// Writes a submission that waits for its build; gives its number.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    new: &NewSubmission<'_>,
    version: i64,
    at: i64,
) -> Result<i64, StoreError> {
    let hash: String = Sha256::digest(new.source).iter().map(|byte| format!("{byte:02x}")).collect();
    let text = "INSERT OR IGNORE INTO sources (hash, bytes) VALUES (?, ?)";
    sqlx::query(text).bind(&hash).bind(new.source).execute(&mut *connection).await?;
    let seq = next_seq(connection).await?;
    let text = "INSERT INTO submissions (contest, account, version, language, file_name, source, bytes, submitted, state, changed) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)";
    let done = sqlx::query(text)
        .bind(new.contest)
        .bind(new.account)
        .bind(version)
        .bind(new.language)
        .bind(new.file_name)
        .bind(&hash)
        .bind(new.source.len() as i64)
        .bind(at)
        .bind(seq)
        .execute(connection)
        .await?;
    Ok(done.last_insert_rowid())
}

impl Store {
    /// Takes a submission in; gives its number. `interval_ms` is checked here, where two at once cannot both pass: then
    /// the moment from which the next is taken.
    pub async fn submit(&self, new: &NewSubmission<'_>, interval_ms: i64) -> Result<Result<i64, i64>, StoreError> {
        let at = now();
        let mut transaction = self.begin().await?;
        let text = "SELECT max(version) AS version, max(submitted) AS submitted FROM submissions WHERE contest = ? AND account = ?";
        let row = sqlx::query(text).bind(new.contest).bind(new.account).fetch_one(&mut *transaction).await?;
        let version: Option<i64> = row.try_get("version")?;
        let last: Option<i64> = row.try_get("submitted")?;
        if let Some(next) = last.map(|last| last + interval_ms).filter(|next| at < *next) {
            return Ok(Err(next));
        }
        let id = insert(&mut transaction, new, version.unwrap_or_default() + 1, at).await?;
        transaction.commit().await?;
        Ok(Ok(id))
    }

    /// A submission.
    pub async fn submission(&self, id: i64) -> Result<Option<SubmissionRow>, StoreError> {
        let text = format!("SELECT {COLUMNS} WHERE s.id = ?");
        let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    /// Submissions of a contest, the newest first. Built-in players, which nobody submitted, are not among them.
    pub async fn submissions(&self, contest: i64, wanted: &Wanted) -> Result<Vec<SubmissionRow>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} WHERE s.contest = ?1 AND (?2 IS NULL AND a.builtin IS NULL OR s.account = ?2) \
             AND (?3 IS NULL OR s.id < ?3) AND (?4 IS NULL OR s.changed > ?4) ORDER BY s.id DESC LIMIT ?5"
        );
        let query = sqlx::query(AssertSqlSafe(text)).bind(contest).bind(wanted.account).bind(wanted.before);
        let rows = query.bind(wanted.changed_after).bind(wanted.limit).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    /// The version of each student that counts.
    pub async fn counting(&self, contest: i64) -> Result<Vec<SubmissionRow>, StoreError> {
        let text = format!("SELECT {COLUMNS} WHERE s.contest = ? AND s.counts = 1");
        sqlx::query(AssertSqlSafe(text)).bind(contest).fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    /// The number of the last change of a contest's submissions.
    pub async fn submissions_changed(&self, contest: i64) -> Result<i64, StoreError> {
        let text = "SELECT coalesce(max(changed), 0) FROM submissions WHERE contest = ?";
        Ok(sqlx::query_scalar(text).bind(contest).fetch_one(&self.readers).await?)
    }

    /// The newest submission of a student, if any.
    pub async fn newest(&self, contest: i64, account: i64) -> Result<Option<SubmissionRow>, StoreError> {
        let wanted = Wanted { account: Some(account), limit: 1, ..Wanted::default() };
        Ok(self.submissions(contest, &wanted).await?.into_iter().next())
    }

    /// The source of a submission as it came.
    pub async fn source(&self, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
        let text = "SELECT o.bytes FROM submissions s JOIN sources o ON o.hash = s.source WHERE s.id = ?";
        Ok(sqlx::query_scalar(text).bind(id).fetch_optional(&self.readers).await?)
    }

    /// What the compiler said and what the trial showed.
    pub async fn findings(&self, id: i64) -> Result<(Option<Value>, Option<Value>), StoreError> {
        let text = "SELECT compile, trial FROM submissions WHERE id = ?";
        let row = sqlx::query(text).bind(id).fetch_one(&self.readers).await?;
        let read = |name: &str| -> Result<Option<Value>, StoreError> {
            row.try_get::<Option<&str>, _>(name)?.map(|text| read_json(text, "findings")).transpose()
        };
        Ok((read("compile")?, read("trial")?))
    }

    /// How many submissions are built before this one.
    pub async fn builds_ahead(&self, id: i64) -> Result<i64, StoreError> {
        let text = format!(
            "WITH builds AS ({BUILD_ORDER}), own AS (SELECT turn, id FROM builds WHERE id = ?) \
             SELECT count(*) FROM builds b JOIN own WHERE (b.turn, b.id) < (own.turn, own.id)"
        );
        Ok(sqlx::query_scalar(AssertSqlSafe(text)).bind(id).fetch_one(&self.readers).await?)
    }

    /// Takes the next submission to be built.
    pub async fn lease_build(&self, worker: &str) -> Result<Option<BuildLease>, StoreError> {
        let mut transaction = self.begin().await?;
        let text = format!(
            "SELECT id, attempts FROM ({BUILD_ORDER}) WHERE state = 'queued' AND not_before <= ? ORDER BY turn, id LIMIT 1"
        );
        let text = AssertSqlSafe(text);
        let Some(row) = sqlx::query(text).bind(now()).fetch_optional(&mut *transaction).await? else { return Ok(None) };
        let (id, attempts): (i64, i64) = (row.try_get("id")?, row.try_get("attempts")?);
        let text = "UPDATE submissions SET lease = ?, attempts = attempts + 1 WHERE id = ?";
        sqlx::query(text).bind(worker).bind(id).execute(&mut *transaction).await?;
        set_state(&mut transaction, id, State::Compiling).await?;
        transaction.commit().await?;
        let submission = self.submission(id).await?.ok_or(StoreError::Missing("submission"))?;
        let source = self.source(id).await?.ok_or(StoreError::Missing("source"))?;
        Ok(Some(BuildLease { submission, source, attempts, lease: worker.to_owned() }))
    }

    /// The build is done and the trial begins.
    pub async fn begin_trial(&self, build: &BuildLease, compile: &Value) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        if still_leased(&mut transaction, build).await? {
            let text = "UPDATE submissions SET compile = ? WHERE id = ?";
            sqlx::query(text).bind(compile.to_string()).bind(build.submission.id).execute(&mut *transaction).await?;
            set_state(&mut transaction, build.submission.id, State::Trial).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// It comes no further.
    pub async fn fail(
        &self,
        build: &BuildLease,
        failure: &Value,
        compile: Option<&Value>,
        trial: Option<&Value>,
        (day, ms): (i64, i64),
    ) -> Result<(), StoreError> {
        let id = build.submission.id;
        let mut transaction = self.begin().await?;
        if still_leased(&mut transaction, build).await? {
            let text = "UPDATE submissions SET failure = ?, compile = coalesce(?, compile), trial = ?, lease = NULL WHERE id = ?";
            sqlx::query(text)
                .bind(failure.to_string())
                .bind(compile.map(ToString::to_string))
                .bind(trial.map(ToString::to_string))
                .bind(id)
                .execute(&mut *transaction)
                .await?;
            set_state(&mut transaction, id, State::Failed).await?;
            charge(&mut transaction, build.submission.contest, build.submission.account, day, ms).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// It enters the ladder: the student's older version leaves it, and matches with everybody are queued, the nearest
    /// first. Gives how many.
    pub async fn accept(&self, build: &BuildLease, trial: &Value, (day, ms): (i64, i64)) -> Result<usize, StoreError> {
        let id = build.submission.id;
        let mut transaction = self.begin().await?;
        if !still_leased(&mut transaction, build).await? {
            return Ok(0);
        }
        let text = "UPDATE submissions SET trial = ?, failure = NULL, lease = NULL WHERE id = ?";
        sqlx::query(text).bind(trial.to_string()).bind(id).execute(&mut *transaction).await?;
        charge(&mut transaction, build.submission.contest, build.submission.account, day, ms).await?;
        let queued = enter(&mut transaction, &build.submission).await?;
        transaction.commit().await?;
        Ok(queued)
    }

    /// Gives a build back that the machine spoiled, to be tried again later.
    pub async fn retry_build(&self, build: &BuildLease, delay_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        if still_leased(&mut transaction, build).await? {
            let text = "UPDATE submissions SET lease = NULL, not_before = ? WHERE id = ?";
            sqlx::query(text).bind(now() + delay_ms).bind(build.submission.id).execute(&mut *transaction).await?;
            set_state(&mut transaction, build.submission.id, State::Queued).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Staff take a submission out with a reason, or let it in again.
    pub async fn disqualify(&self, submission: &SubmissionRow, reason: Option<&str>) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let text = "UPDATE submissions SET disqualified = ?, lease = NULL, not_before = 0, attempts = 0 WHERE id = ?";
        sqlx::query(text).bind(reason).bind(submission.id).execute(&mut *transaction).await?;
        match reason {
            Some(_) => {
                leave(&mut transaction, submission.id).await?;
                set_state(&mut transaction, submission.id, State::Disqualified).await?;
            }
            // Whether it was ever accepted is not known any more: it is built and tried again.
            None => set_state(&mut transaction, submission.id, State::Queued).await?,
        }
        touch(&mut transaction, submission.contest).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Whether a submission can be judged again: the one that counts, or the newest, unless it is disqualified.
    pub async fn is_current(&self, row: &SubmissionRow) -> Result<bool, StoreError> {
        let newest = self.newest(row.contest, row.account).await?.is_some_and(|newest| newest.id == row.id);
        Ok(row.disqualified.is_none() && (row.counts || newest))
    }

    /// Builds a submission and plays all its matches again.
    pub async fn rejudge(&self, submission: &SubmissionRow) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        leave(&mut transaction, submission.id).await?;
        let seq = next_seq(&mut transaction).await?;
        let text = "UPDATE matches SET state = 'void', lease = NULL, changed = ? WHERE (one = ? OR two = ?) AND kind = 'ladder' AND state <> 'void'";
        sqlx::query(text).bind(seq).bind(submission.id).bind(submission.id).execute(&mut *transaction).await?;
        let text = "UPDATE submissions SET failure = NULL, lease = NULL, not_before = 0, attempts = 0 WHERE id = ?";
        sqlx::query(text).bind(submission.id).execute(&mut *transaction).await?;
        set_state(&mut transaction, submission.id, State::Queued).await?;
        touch(&mut transaction, submission.contest).await?;
        transaction.commit().await?;
        Ok(())
    }
}

async fn still_leased(connection: &mut SqliteConnection, build: &BuildLease) -> Result<bool, StoreError> {
    let text =
        "SELECT EXISTS (SELECT 1 FROM submissions WHERE id = ? AND lease = ? AND state IN ('compiling', 'trial'))";
    Ok(sqlx::query_scalar(text).bind(build.submission.id).bind(&build.lease).fetch_one(connection).await?)
}

/// Takes a version out of the ladder: matches that are not over are not played.
pub(super) async fn leave(connection: &mut SqliteConnection, id: i64) -> Result<(), StoreError> {
    sqlx::query("UPDATE submissions SET counts = 0 WHERE id = ?").bind(id).execute(&mut *connection).await?;
    let seq = next_seq(connection).await?;
    let text = "UPDATE matches SET state = 'void', lease = NULL, changed = ? WHERE (one = ? OR two = ?) AND kind = 'ladder' AND state IN ('queued', 'playing')";
    sqlx::query(text).bind(seq).bind(id).bind(id).execute(&mut *connection).await?;
    let text = "SELECT contest FROM submissions WHERE id = ?";
    let contest: i64 = sqlx::query_scalar(text).bind(id).fetch_one(&mut *connection).await?;
    settle_all(connection, contest).await
}

/// Whoever waited only for matches that are not played any more has played them all now.
pub(super) async fn settle_all(connection: &mut SqliteConnection, contest: i64) -> Result<(), StoreError> {
    let text = "SELECT id FROM submissions s WHERE s.contest = ? AND s.counts = 1 AND s.state = 'playing' \
         AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.kind = 'ladder' AND m.one = s.id AND m.state IN ('queued', 'playing'))";
    let settled: Vec<i64> = sqlx::query_scalar(text).bind(contest).fetch_all(&mut *connection).await?;
    for id in settled {
        set_state(connection, id, State::Ranked).await?;
    }
    Ok(())
}

/// A version enters the ladder; gives how many matches that makes.
pub(super) async fn enter(connection: &mut SqliteConnection, submission: &SubmissionRow) -> Result<usize, StoreError> {
    let text = "SELECT id, version FROM submissions WHERE contest = ? AND account = ? AND counts = 1 AND id <> ?";
    let older = sqlx::query(text)
        .bind(submission.contest)
        .bind(submission.account)
        .bind(submission.id)
        .fetch_optional(&mut *connection)
        .await?;
    let mut before = None;
    if let Some(row) = older {
        let (id, version): (i64, i64) = (row.try_get("id")?, row.try_get("version")?);
        if version > submission.version {
            // A later version is in the ladder already.
            set_state(connection, submission.id, State::Replaced).await?;
            return Ok(0);
        }
        before = Some(id);
        leave(connection, id).await?;
        set_state(connection, id, State::Replaced).await?;
    }
    sqlx::query("UPDATE submissions SET counts = 1 WHERE id = ?").bind(submission.id).execute(&mut *connection).await?;
    let queued = queue_matches(connection, submission, before).await?;
    set_state(connection, submission.id, if queued == 0 { State::Ranked } else { State::Playing }).await?;
    touch(connection, submission.contest).await?;
    Ok(queued)
}

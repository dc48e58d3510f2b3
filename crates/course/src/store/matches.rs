//! Matches in the store: the queue, its leases, and results that count once.

use serde::Serialize;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

use super::contests::{charge, touch};
use super::games::{NewGame, insert_game};
use super::submissions::{State, SubmissionRow, set_state, standing};
use super::{Store, StoreError, next_seq, read_json, write_json};
use crate::contest::Rules;
use crate::ladder::{self, Games, Standing};
use crate::now;

/// A match as it is kept.
#[derive(Debug, Clone)]
pub struct MatchRow {
    /// The store's number.
    pub id: i64,
    /// The contest's number.
    pub contest: i64,
    /// `ladder` or `challenge`.
    pub kind: String,
    /// `queued`, `playing`, `done` or `void`.
    pub state: String,
    /// The two versions; the first is the one whose upload made the match.
    pub players: [Player; 2],
    /// Games it has.
    pub games: u32,
    /// Games that are over.
    pub played: u32,
    /// They, seen from the first.
    pub score: Games,
    /// When it was queued.
    pub created: i64,
    /// When its last game was over.
    pub finished: Option<i64>,
    /// Its place in the queue.
    pub place: i64,
    /// What keeps it from being played, if anything: a fault of the machine's.
    pub trouble: Option<String>,
}

/// One of two.
#[derive(Debug, Clone, Serialize)]
pub struct Player {
    /// The student.
    pub account: i64,
    /// His nickname.
    pub nickname: String,
    /// How he takes part.
    #[serde(rename = "kind")]
    pub standing: Standing,
    /// Which built-in player it is, if it is one.
    #[serde(skip)]
    pub builtin: Option<String>,
    /// The version's number in the store.
    pub submission: i64,
    /// The student's version.
    pub version: i64,
}

/// A game to be played, by whoever has this.
#[derive(Debug, Clone)]
pub struct Lease {
    /// The match.
    pub row: MatchRow,
    /// The game.
    pub number: u32,
    /// How often a fault of the machine's spoiled it.
    pub attempts: i64,
    lease: String,
}

/// What a finished game did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It counts, and the match goes on.
    GoesOn,
    /// It counts, and the match is over; `settled` when all matches of the version that made it are.
    MatchOver {
        /// All matches of the first version are played.
        settled: bool,
    },
    /// It does not count: the match was called off meanwhile.
    CalledOff,
}

/// How a ladder match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The match.
    pub match_id: i64,
    /// The first version.
    pub one: i64,
    /// The second version.
    pub two: i64,
    /// The games, seen from the first.
    pub games: Games,
    /// False for one that was called off.
    pub stands: bool,
}

impl Outcome {
    /// Six numbers as [`Store::results`] lists them.
    fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split(' ').map(str::parse::<i64>);
        let mut next = || numbers.next()?.ok();
        let (match_id, one, two) = (next()?, next()?, next()?);
        let mut count = || u32::try_from(next()?).ok();
        let games = Games { won: count()?, drawn: count()?, lost: count()? };
        Some(Self { match_id, one, two, games, stands: true })
    }
}

/// Why a challenge is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Challenge {
    /// It waits in the queue: the match's number.
    Queued(i64),
    /// So many wait already.
    TooMany,
}

/// What waits and what is under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Submissions that wait for their build.
    pub queued_builds: i64,
    /// Submissions that are compiled or tried.
    pub building: i64,
    /// Games that wait.
    pub queued_games: i64,
    /// Matches under way.
    pub playing: i64,
}

const COLUMNS: &str = "m.id, m.contest, m.kind, m.state, m.games, m.played, m.won, m.drawn, m.lost, m.created, m.finished, m.place, m.trouble, \
     m.one, m.two, o.version AS one_version, o.account AS one_account, oa.nickname AS one_nickname, \
     oa.role AS one_role, oa.builtin AS one_builtin, ta.role AS two_role, ta.builtin AS two_builtin, \
     t.version AS two_version, t.account AS two_account, ta.nickname AS two_nickname \
     FROM matches m JOIN submissions o ON o.id = m.one JOIN submissions t ON t.id = m.two \
     JOIN accounts oa ON oa.id = o.account JOIN accounts ta ON ta.id = t.account";

/// At most so many challenges of a student wait.
const MOST_CHALLENGES: i64 = 3;

fn read(row: &SqliteRow) -> Result<MatchRow, StoreError> {
    let player = |which: &str| -> Result<Player, StoreError> {
        let of = |column: &str| format!("{which}_{column}");
        let builtin: Option<&str> = row.try_get(&*of("builtin"))?;
        Ok(Player {
            account: row.try_get(&*of("account"))?,
            nickname: row.try_get(&*of("nickname"))?,
            standing: standing(row.try_get(&*of("role"))?, builtin),
            builtin: builtin.map(str::to_owned),
            submission: row.try_get(which)?,
            version: row.try_get(&*of("version"))?,
        })
    };
    Ok(MatchRow {
        id: row.try_get("id")?,
        contest: row.try_get("contest")?,
        kind: row.try_get("kind")?,
        state: row.try_get("state")?,
        players: [player("one")?, player("two")?],
        games: row.try_get("games")?,
        played: row.try_get("played")?,
        score: Games { won: row.try_get("won")?, drawn: row.try_get("drawn")?, lost: row.try_get("lost")? },
        created: row.try_get("created")?,
        finished: row.try_get("finished")?,
        place: row.try_get("place")?,
        trouble: row.try_get("trouble")?,
    })
}

/// Queues the matches of a version that enters the ladder, the nearest opponents first.
pub(super) async fn queue_matches(
    connection: &mut SqliteConnection,
    submission: &SubmissionRow,
    before: Option<i64>,
) -> Result<usize, StoreError> {
    let text = "SELECT rules FROM contests WHERE number = ?";
    let rules: String = sqlx::query_scalar(text).bind(submission.contest).fetch_one(&mut *connection).await?;
    let rules: Rules = read_json(&rules, "rules")?;
    let order = nearest_first(connection, submission, before).await?;
    let clock: i64 =
        sqlx::query_scalar("SELECT value FROM counters WHERE name = 'clock'").fetch_one(&mut *connection).await?;
    let at = now();
    let text = "SELECT count(*) FROM submissions WHERE contest = ? AND account = ? AND submitted > ?";
    let uploads: i64 = sqlx::query_scalar(text)
        .bind(submission.contest)
        .bind(submission.account)
        .bind(at - 86_400_000)
        .fetch_one(&mut *connection)
        .await?;
    let seq = next_seq(connection).await?;
    let queue: Vec<(i64, i64)> =
        order.iter().enumerate().map(|(number, &opponent)| (opponent, ladder::turn(clock, number, uploads))).collect();
    // One statement for all of them: a thousand statements would keep the only writer for a second.
    let text = "INSERT INTO matches (contest, kind, one, two, state, games, place, created, changed) \
         SELECT ?, 'ladder', ?, json_extract(value, '$[0]'), 'queued', ?, json_extract(value, '$[1]'), ?, ? FROM json_each(?)";
    sqlx::query(text)
        .bind(submission.contest)
        .bind(submission.id)
        .bind(rules.games_of_a_match())
        .bind(at)
        .bind(seq)
        .bind(write_json(&queue))
        .execute(&mut *connection)
        .await?;
    Ok(order.len())
}

/// The versions it has not met, the nearest in the table first. How each stands is kept with it: reading half a million
/// results would take longer than placing one version may.
async fn nearest_first(
    connection: &mut SqliteConnection,
    submission: &SubmissionRow,
    before: Option<i64>,
) -> Result<Vec<i64>, StoreError> {
    let text = "SELECT s.id, a.role, a.builtin FROM submissions s JOIN accounts a ON a.id = s.account \
         WHERE s.contest = ? AND (s.counts = 1 OR s.id = ?) AND s.id <> ? \
         ORDER BY s.net_matches DESC, s.net_games DESC, s.submitted, s.id";
    let query = sqlx::query(text).bind(submission.contest).bind(before).bind(submission.id);
    let mut table: Vec<i64> = Vec::new();
    for row in query.fetch_all(&mut *connection).await? {
        if submission.standing.meets(standing(row.try_get("role")?, row.try_get("builtin")?)) {
            table.push(row.try_get("id")?);
        }
    }
    let text = "SELECT CASE WHEN one = ?1 THEN two ELSE one END FROM matches WHERE (one = ?1 OR two = ?1) AND kind = 'ladder' AND state <> 'void'";
    let met: Vec<i64> = sqlx::query_scalar(text).bind(submission.id).fetch_all(connection).await?;
    let met: std::collections::HashSet<i64> = met.into_iter().collect();
    let mut order = ladder::nearest_first(&table, before);
    order.retain(|other| !met.contains(other));
    Ok(order)
}

impl Store {
    /// A match.
    pub async fn match_row(&self, id: i64) -> Result<Option<MatchRow>, StoreError> {
        let text = format!("SELECT {COLUMNS} WHERE m.id = ?");
        let row = sqlx::query(AssertSqlSafe(text)).bind(id).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    /// The matches of a version, void ones left out, the newest first.
    pub async fn matches_of(&self, submission: i64, limit: u32) -> Result<Vec<MatchRow>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} WHERE (m.one = ?1 OR m.two = ?1) AND m.state <> 'void' ORDER BY m.id DESC LIMIT ?2"
        );
        let rows = sqlx::query(AssertSqlSafe(text)).bind(submission).bind(limit).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    /// The match of two versions in the ladder.
    pub async fn match_between(&self, one: i64, two: i64) -> Result<Option<MatchRow>, StoreError> {
        let text = format!(
            "SELECT {COLUMNS} WHERE min(m.one, m.two) = ? AND max(m.one, m.two) = ? AND m.kind = 'ladder' AND m.state <> 'void'"
        );
        let row = sqlx::query(AssertSqlSafe(text))
            .bind(one.min(two))
            .bind(one.max(two))
            .fetch_optional(&self.readers)
            .await?;
        row.as_ref().map(read).transpose()
    }

    /// Ladder matches of a contest that were finished or called off after a change, and the number of their change.
    pub async fn results_after(&self, contest: i64, changed: i64) -> Result<Vec<(Outcome, i64)>, StoreError> {
        let text = "SELECT id, one, two, won, drawn, lost, state = 'done' AS done, changed FROM matches \
             WHERE contest = ? AND changed > ? AND kind = 'ladder' AND state IN ('done', 'void') ORDER BY changed, id";
        let rows = sqlx::query(text).bind(contest).bind(changed).fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| {
            let games = Games { won: row.try_get("won")?, drawn: row.try_get("drawn")?, lost: row.try_get("lost")? };
            let (one, two) = (row.try_get("one")?, row.try_get("two")?);
            let outcome = Outcome { match_id: row.try_get("id")?, one, two, games, stands: row.try_get("done")? };
            Ok((outcome, row.try_get("changed")?))
        };
        rows.iter().map(read).collect()
    }

    /// The finished ladder matches of the versions that count; of this one alone, if one is given.
    ///
    /// Half a million of them as rows would take seconds, most of it for handing single values over: they come as one
    /// text for each version.
    pub async fn results(&self, contest: i64, version: Option<i64>) -> Result<Vec<Outcome>, StoreError> {
        const LIST: &str =
            "group_concat(m.id || ' ' || m.one || ' ' || m.two || ' ' || m.won || ' ' || m.drawn || ' ' || m.lost)";
        let lists: Vec<Option<String>> = match version {
            None => {
                let text = format!(
                    "SELECT {LIST} FROM submissions s CROSS JOIN matches m ON m.one = s.id \
                     WHERE s.contest = ? AND s.counts = 1 AND m.state = 'done' AND m.kind = 'ladder' GROUP BY s.id"
                );
                sqlx::query_scalar(AssertSqlSafe(text)).bind(contest).fetch_all(&self.readers).await?
            }
            Some(version) => {
                let text = format!(
                    "SELECT {LIST} FROM matches m WHERE (m.one = ?1 OR m.two = ?1) AND m.state = 'done' AND m.kind = 'ladder'"
                );
                sqlx::query_scalar(AssertSqlSafe(text)).bind(version).fetch_all(&self.readers).await?
            }
        };
        let matches = lists.iter().flatten().flat_map(|list| list.split(','));
        matches.map(|text| Outcome::read(text).ok_or(StoreError::Damaged("results"))).collect()
    }

    /// How many ladder matches that count a version's upload made, and how many of them are over.
    pub async fn progress(&self, submission: i64) -> Result<(i64, i64), StoreError> {
        let text = "SELECT coalesce(sum(state = 'done'), 0), count(*) FROM matches WHERE one = ? AND kind = 'ladder' AND state <> 'void'";
        let row = sqlx::query(text).bind(submission).fetch_one(&self.readers).await?;
        Ok((row.try_get(0)?, row.try_get(1)?))
    }

    /// How many matches are played before this one.
    pub async fn matches_ahead(&self, row: &MatchRow) -> Result<i64, StoreError> {
        let text = "SELECT count(*) FROM matches WHERE state = 'queued' AND (place, id) < (?, ?)";
        Ok(sqlx::query_scalar(text).bind(row.place).bind(row.id).fetch_one(&self.readers).await?)
    }

    /// What waits and what is under way, in all contests.
    pub async fn waiting(&self) -> Result<Counts, StoreError> {
        let text = "SELECT (SELECT count(*) FROM submissions WHERE state = 'queued'), \
             (SELECT count(*) FROM submissions WHERE state IN ('compiling', 'trial')), \
             (SELECT coalesce(sum(games - played), 0) FROM matches WHERE state = 'queued'), \
             (SELECT count(*) FROM matches WHERE state = 'playing')";
        let row = sqlx::query(text).fetch_one(&self.readers).await?;
        Ok(Counts {
            queued_builds: row.try_get(0)?,
            building: row.try_get(1)?,
            queued_games: row.try_get(2)?,
            playing: row.try_get(3)?,
        })
    }

    /// Whether a game or a build waits: cheap, for workers that look for something to do.
    pub async fn waits(&self) -> Result<(bool, bool), StoreError> {
        let text = "SELECT EXISTS (SELECT 1 FROM matches WHERE state = 'queued'), EXISTS (SELECT 1 FROM matches WHERE state = 'playing' AND lease_until < ?), \
             EXISTS (SELECT 1 FROM submissions WHERE state = 'queued')";
        let row = sqlx::query(text).bind(now()).fetch_one(&self.readers).await?;
        Ok((row.try_get::<bool, _>(0)? || row.try_get::<bool, _>(1)?, row.try_get(2)?))
    }

    /// Whether games and builds have been waiting for so many milliseconds that could be taken.
    pub async fn waited(&self, milliseconds: i64) -> Result<(bool, bool), StoreError> {
        let text = "SELECT EXISTS (SELECT 1 FROM matches WHERE state = 'queued' AND max(not_before, created) <= ?1), \
             EXISTS (SELECT 1 FROM submissions WHERE state = 'queued' AND max(not_before, submitted) <= ?1)";
        let row = sqlx::query(text).bind(now() - milliseconds).fetch_one(&self.readers).await?;
        Ok((row.try_get(0)?, row.try_get(1)?))
    }

    /// Queues an unranked match between two versions.
    pub async fn challenge(
        &self,
        contest: i64,
        one: &SubmissionRow,
        two: i64,
        games: u32,
    ) -> Result<Challenge, StoreError> {
        let mut transaction = self.begin().await?;
        let text = "SELECT count(*) FROM matches m JOIN submissions s ON s.id = m.one \
             WHERE m.kind = 'challenge' AND m.state IN ('queued', 'playing') AND s.account = ?";
        let open: i64 = sqlx::query_scalar(text).bind(one.account).fetch_one(&mut *transaction).await?;
        if open >= MOST_CHALLENGES {
            return Ok(Challenge::TooMany);
        }
        let seq = next_seq(&mut transaction).await?;
        // Somebody sits and waits for it: it stands where the queue is now, one after the other.
        let text = "INSERT INTO matches (contest, kind, one, two, state, games, place, created, changed) \
             SELECT ?, 'challenge', ?, ?, 'queued', ?, value + ?, ?, ? FROM counters WHERE name = 'clock'";
        let done = sqlx::query(text)
            .bind(contest)
            .bind(one.id)
            .bind(two)
            .bind(games)
            .bind(open)
            .bind(now())
            .bind(seq)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Challenge::Queued(done.last_insert_rowid()))
    }

    /// Every ladder match of a contest is played again; gives how many.
    pub async fn rejudge_all(&self, contest: i64) -> Result<u64, StoreError> {
        let mut transaction = self.begin().await?;
        let seq = next_seq(&mut transaction).await?;
        // Two statements, however many matches there are: nobody else writes meanwhile.
        let text = "UPDATE matches SET state = 'void', lease = NULL, changed = ?1 WHERE contest = ?2 AND kind = 'ladder' AND state <> 'void' \
             AND one IN (SELECT id FROM submissions WHERE contest = ?2 AND counts = 1) AND two IN (SELECT id FROM submissions WHERE contest = ?2 AND counts = 1)";
        let called_off = sqlx::query(text).bind(seq).bind(contest).execute(&mut *transaction).await?.rows_affected();
        let text = "INSERT INTO matches (contest, kind, one, two, state, games, place, created, changed) \
             SELECT contest, 'ladder', one, two, 'queued', games, place, ?, changed FROM matches WHERE contest = ? AND changed = ? AND state = 'void'";
        sqlx::query(text).bind(now()).bind(contest).bind(seq).execute(&mut *transaction).await?;
        let text = "UPDATE submissions SET net_matches = 0, net_games = 0 WHERE contest = ? AND counts = 1";
        sqlx::query(text).bind(contest).execute(&mut *transaction).await?;
        let text = "UPDATE submissions SET state = 'playing', changed = ?1 WHERE contest = ?2 AND counts = 1 \
             AND EXISTS (SELECT 1 FROM matches m WHERE m.one = submissions.id AND m.kind = 'ladder' AND m.state = 'queued')";
        sqlx::query(text).bind(seq).bind(contest).execute(&mut *transaction).await?;
        touch(&mut transaction, contest).await?;
        transaction.commit().await?;
        Ok(called_off)
    }

    /// Ends the leases of workers that died with an earlier run; whatever they did is done again.
    pub async fn end_all_leases(&self) -> Result<u64, StoreError> {
        let mut transaction = self.begin().await?;
        let text = "UPDATE matches SET state = 'queued', lease = NULL, lease_until = NULL WHERE state = 'playing'";
        let matches = sqlx::query(text).execute(&mut *transaction).await?.rows_affected();
        let text = "UPDATE submissions SET state = 'queued', lease = NULL WHERE state IN ('compiling', 'trial')";
        let builds = sqlx::query(text).execute(&mut *transaction).await?.rows_affected();
        transaction.commit().await?;
        Ok(matches + builds)
    }

    /// Takes the next game to be played. A lease that has run out is taken over.
    pub async fn lease_game(&self, worker: &str) -> Result<Option<Lease>, StoreError> {
        let at = now();
        let mut transaction = self.begin().await?;
        let text = "UPDATE matches SET state = 'queued', lease = NULL, lease_until = NULL WHERE state = 'playing' AND lease_until < ?";
        sqlx::query(text).bind(at).execute(&mut *transaction).await?;
        let text = "SELECT m.id, m.place, m.attempts, c.rules FROM matches m JOIN contests c ON c.number = m.contest \
             WHERE m.state = 'queued' AND m.not_before <= ? ORDER BY m.place, m.id LIMIT 1";
        let Some(row) = sqlx::query(text).bind(at).fetch_optional(&mut *transaction).await? else { return Ok(None) };
        let (id, place): (i64, i64) = (row.try_get("id")?, row.try_get("place")?);
        let rules: Rules = read_json(row.try_get("rules")?, "rules")?;
        let lease = format!("{worker}/{}", next_seq(&mut transaction).await?);
        let text = "UPDATE matches SET state = 'playing', lease = ?, lease_until = ? WHERE id = ?";
        sqlx::query(text).bind(&lease).bind(at + rules.longest_game_ms()).bind(id).execute(&mut *transaction).await?;
        sqlx::query("UPDATE counters SET value = max(value, ?) WHERE name = 'clock'")
            .bind(place)
            .execute(&mut *transaction)
            .await?;
        let text = format!("SELECT {COLUMNS} WHERE m.id = ?");
        let found = read(&sqlx::query(AssertSqlSafe(text)).bind(id).fetch_one(&mut *transaction).await?)?;
        transaction.commit().await?;
        let number = found.played;
        Ok(Some(Lease { row: found, number, attempts: row.try_get("attempts")?, lease }))
    }

    /// Writes a finished game, and gives the match back or ends it, in one step. A game counts once and only for who
    /// holds its lease; the lease goes with it.
    pub async fn finish_game(&self, lease: &Lease, game: &NewGame, day: i64) -> Result<Verdict, StoreError> {
        let (row, at) = (&lease.row, now());
        let mut transaction = self.begin().await?;
        if !holds(&mut transaction, lease).await? {
            return Ok(Verdict::CalledOff);
        }
        let versions = [row.players[0].submission, row.players[1].submission];
        insert_game(&mut transaction, (row.id, versions), lease.number, game, at).await?;
        let won = game.points_of_one();
        let over = lease.number + 1 == row.games;
        let seq = next_seq(&mut transaction).await?;
        let text = "UPDATE matches SET played = played + 1, won = won + ?, drawn = drawn + ?, lost = lost + ?, state = ?, \
             finished = ?, lease = NULL, lease_until = NULL, attempts = 0, trouble = NULL, changed = ? WHERE id = ?";
        sqlx::query(text)
            .bind(won.won)
            .bind(won.drawn)
            .bind(won.lost)
            .bind(if over { "done" } else { "queued" })
            .bind(over.then_some(at))
            .bind(seq)
            .bind(row.id)
            .execute(&mut *transaction)
            .await?;
        charge(&mut transaction, row.contest, row.players[0].account, day, game.machine_ms).await?;
        if over && row.kind == "ladder" {
            stand(&mut transaction, row.id).await?;
        }
        let settled = over && row.kind == "ladder" && settle(&mut transaction, row.players[0].submission).await?;
        transaction.commit().await?;
        Ok(if over { Verdict::MatchOver { settled } } else { Verdict::GoesOn })
    }

    /// Gives a game back that the machine spoiled: it is played again later and not scored.
    pub async fn retry_game(&self, lease: &Lease, trouble: &str, delay_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        if holds(&mut transaction, lease).await? {
            let text = "UPDATE matches SET state = 'queued', lease = NULL, lease_until = NULL, attempts = attempts + 1, not_before = ?, trouble = ? WHERE id = ?";
            let trouble: String = trouble.chars().take(500).collect();
            sqlx::query(text)
                .bind(now() + delay_ms)
                .bind(trouble)
                .bind(lease.row.id)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

async fn holds(connection: &mut SqliteConnection, lease: &Lease) -> Result<bool, StoreError> {
    let text = "SELECT EXISTS (SELECT 1 FROM matches WHERE id = ? AND lease = ? AND state = 'playing' AND played = ?)";
    Ok(sqlx::query_scalar(text).bind(lease.row.id).bind(&lease.lease).bind(lease.number).fetch_one(connection).await?)
}

/// Keeps with both versions of a finished match how they stand now.
pub(super) async fn stand(connection: &mut SqliteConnection, match_id: i64) -> Result<(), StoreError> {
    for (text, sign) in [
        (
            "UPDATE submissions SET net_matches = net_matches + ?1 * ((m.won > m.lost) - (m.won < m.lost)), net_games = net_games + ?1 * (m.won - m.lost) \
          FROM matches m WHERE m.id = ?2 AND submissions.id = m.one",
            1,
        ),
        (
            "UPDATE submissions SET net_matches = net_matches + ?1 * ((m.won > m.lost) - (m.won < m.lost)), net_games = net_games + ?1 * (m.won - m.lost) \
          FROM matches m WHERE m.id = ?2 AND submissions.id = m.two",
            -1,
        ),
    ] {
        sqlx::query(text).bind(sign).bind(match_id).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Marks a version whose own matches are all played; whether that is so now.
async fn settle(connection: &mut SqliteConnection, submission: i64) -> Result<bool, StoreError> {
    let text =
        "SELECT EXISTS (SELECT 1 FROM matches WHERE one = ? AND kind = 'ladder' AND state IN ('queued', 'playing'))";
    let open: bool = sqlx::query_scalar(text).bind(submission).fetch_one(&mut *connection).await?;
    let text = "SELECT EXISTS (SELECT 1 FROM submissions WHERE id = ? AND counts = 1 AND state = 'playing')";
    let plays: bool = sqlx::query_scalar(text).bind(submission).fetch_one(&mut *connection).await?;
    if !open && plays {
        set_state(connection, submission, State::Ranked).await?;
        return Ok(true);
    }
    Ok(false)
}

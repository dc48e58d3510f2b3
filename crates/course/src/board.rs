//! The scoreboard in memory: read once, then only what changed.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tournament::statistics::{CrossTable, Estimate, Trinomial, rate};

use crate::contest::Contest;
use crate::ladder::{Entry, Games, Ladder, Row, Standing};
use crate::store::{Outcome, Store, StoreError, SubmissionRow};

/// Ratings of more players than this would take longer than anybody waits.
const MOST_RATED: usize = 400;
/// Ratings are made anew at most this often.
const RATED_EVERY_MS: i64 = 5000;

/// A line of the scoreboard.
#[derive(Debug, Clone)]
pub struct ScoreRow {
    /// Rank, points and counts.
    pub row: Row,
    /// The version.
    pub submission: Arc<SubmissionRow>,
    /// The rating over all games between versions that count, where there are enough.
    pub elo: Option<Rating>,
    /// Its matches with the built-in players of the contest.
    pub against: Vec<Against>,
}

/// A match with a built-in player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The built-in player's version.
    pub reference: i64,
    /// The match.
    #[serde(flatten)]
    pub cell: Cell,
}

/// A rating with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The most likely value; the mean of all is 0.
    pub value: f64,
    /// The lower end; nothing where there is no finite one.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
}

/// The scoreboard at one moment.
#[derive(Debug, Clone)]
pub struct Board {
    /// The lines, the best first.
    pub rows: Vec<ScoreRow>,
    /// The change it is made of.
    pub version: i64,
    /// Matches between versions that count: over, and all.
    pub matches: (usize, usize),
    /// Which ratings it shows.
    rated: u64,
}

impl Board {
    /// How many take a rank.
    #[must_use]
    pub fn ranked(&self) -> usize {
        self.rows.iter().filter(|line| line.row.rank.is_some()).count()
    }

    /// The built-in players on it, in the order of [`engines::STYLES`].
    #[must_use]
    pub fn references(&self) -> Vec<&SubmissionRow> {
        references(self.rows.iter().map(|line| &line.submission))
    }

    /// The scoreboard as everybody may see it, for pages: persons and groups are for staff, and whoever asks finds
    /// himself.
    #[must_use]
    pub fn face(&self, contest: &Contest) -> Value {
        let ranked = self.ranked();
        let line = |line: &ScoreRow| {
            let (row, submission) = (&line.row, &line.submission);
            json!({
                "rank": row.rank, "kind": row.entry.standing, "builtin": submission.builtin,
                "account": row.entry.account, "nickname": submission.nickname,
                "person": null, "group": null, "against": line.against,
                "submission": submission.id, "version": submission.version, "language": submission.language, "points": row.points,
                "matches": { "won": row.matches.won, "drawn": row.matches.drawn, "lost": row.matches.lost, "left": row.left },
                "games": row.games, "difference": row.difference(), "elo": line.elo, "submitted": submission.submitted, "you": false,
            })
        };
        json!({
            "as_of": crate::now(), "live": true, "frozen": contest.frozen, "players": ranked,
            "matches_done": self.matches.0, "matches_all": self.matches.1, "rows": self.rows.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

/// A match of the cross-table: its number, its games seen from the row, and what they are worth to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: i64,
    /// Its games.
    #[serde(flatten)]
    pub games: Games,
    /// What it is worth.
    pub points: u32,
}

#[derive(Debug, Default)]
struct Kept {
    ladder: Ladder,
    /// The match of each pair.
    ids: HashMap<(i64, i64), i64>,
    /// Every change up to this one is in.
    seen: i64,
    /// The versions that count, as of this change of a submission's.
    counting: Vec<Arc<SubmissionRow>>,
    counting_changed: i64,
    board: Option<Arc<Board>>,
    ratings: Arc<Ratings>,
    rated_at: i64,
    rated_version: i64,
}

/// Ratings, which are made in the background.
#[derive(Debug, Default)]
struct Ratings {
    /// How often they were made.
    made: AtomicU64,
    by_submission: std::sync::Mutex<HashMap<i64, Rating>>,
}

/// The scoreboards of all contests.
#[derive(Debug, Default)]
pub struct Boards {
    kept: Mutex<HashMap<i64, Arc<Mutex<Kept>>>>,
}

impl Boards {
    /// The scoreboard of a contest as the store has it now.
    pub async fn board(&self, store: &Store, contest: &Contest) -> Result<Arc<Board>, StoreError> {
        let kept = Arc::clone(self.kept.lock().await.entry(contest.number).or_default());
        let mut kept = kept.lock().await;
        kept.refresh(store, contest).await
    }

    /// Makes the scoreboard that students see stand still as it is now, or lets it go on.
    pub async fn freeze(&self, store: &Store, contest: &Contest, frozen: bool) -> Result<(), StoreError> {
        let body = match frozen {
            true => Some(self.board(store, contest).await?.face(contest).to_string()),
            false => None,
        };
        store.freeze(contest.number, body.as_deref()).await
    }

    /// The matches between these versions, each row as it sees them.
    pub async fn cross(
        &self,
        store: &Store,
        contest: &Contest,
        versions: &[i64],
    ) -> Result<Vec<Vec<Option<Cell>>>, StoreError> {
        let kept = Arc::clone(self.kept.lock().await.entry(contest.number).or_default());
        let mut kept = kept.lock().await;
        kept.refresh(store, contest).await?;
        Ok(versions.iter().map(|&one| versions.iter().map(|&two| kept.cell(one, two)).collect()).collect())
    }
}

impl Kept {
    async fn refresh(&mut self, store: &Store, contest: &Contest) -> Result<Arc<Board>, StoreError> {
        let (seq, rated) = (store.seq().await?, self.ratings.made.load(Ordering::Acquire));
        if let Some(board) = self.board.as_ref().filter(|board| board.version == seq && board.rated == rated) {
            return Ok(Arc::clone(board));
        }
        if self.board.is_none() {
            self.ladder = Ladder::new(contest.rules.points);
        }
        let changed = store.submissions_changed(contest.number).await?;
        if self.board.is_none() || changed != self.counting_changed {
            self.counting = store.counting(contest.number).await?.into_iter().map(Arc::new).collect();
            self.counting_changed = changed;
            self.meet(store, contest, seq).await?;
        }
        for (outcome, changed) in store.results_after(contest.number, self.seen).await? {
            self.take(outcome);
            self.seen = self.seen.max(changed);
        }
        self.rate(seq);
        let board = Arc::new(self.board_of(seq, rated));
        self.board = Some(Arc::clone(&board));
        Ok(board)
    }

    /// Other versions count now. What those played that are new here, or come back, is read: only what changes later is
    /// heard of by itself.
    async fn meet(&mut self, store: &Store, contest: &Contest, seq: i64) -> Result<(), StoreError> {
        let entry = |row: &Arc<SubmissionRow>| Entry {
            account: row.account,
            submission: row.id,
            submitted: row.submitted,
            standing: row.standing,
        };
        let known: HashSet<i64> = self.ladder.entries().map(|entry| entry.submission).collect();
        self.ladder.set_entries(self.counting.iter().map(entry));
        if self.board.is_none() {
            // Whatever changes from here on is read again: nothing falls between the two.
            self.seen = seq;
            for outcome in store.results(contest.number, None).await? {
                self.take(outcome);
            }
            return Ok(());
        }
        let new: Vec<i64> = self.counting.iter().map(|row| row.id).filter(|id| !known.contains(id)).collect();
        for version in new {
            for outcome in store.results(contest.number, Some(version)).await? {
                self.take(outcome);
            }
        }
        Ok(())
    }

    fn take(&mut self, outcome: Outcome) {
        let Outcome { match_id, one, two, games, stands } = outcome;
        let key = (one.min(two), one.max(two));
        if stands {
            self.ladder.record(one, two, games);
            self.ids.insert(key, match_id);
        } else if self.ids.get(&key) == Some(&match_id) {
            // Only if no later match of the two has taken its place.
            self.ladder.forget(one, two);
            self.ids.remove(&key);
        }
    }

    /// Has new ratings made, if there may be something new in them; nobody waits for them.
    fn rate(&mut self, version: i64) {
        let now = crate::now();
        let players = self.ladder.entries().len();
        if players > MOST_RATED || version == self.rated_version || now - self.rated_at < RATED_EVERY_MS {
            return;
        }
        (self.rated_version, self.rated_at) = (version, now);
        let (ladder, shared) = (self.ladder.clone(), Arc::clone(&self.ratings));
        tokio::task::spawn_blocking(move || {
            let made = ratings(&ladder);
            *shared.by_submission.lock().unwrap_or_else(PoisonError::into_inner) = made;
            shared.made.fetch_add(1, Ordering::Release);
        });
    }

    fn board_of(&self, version: i64, rated: u64) -> Board {
        let table = self.ladder.table();
        let ratings = self.ratings.by_submission.lock().unwrap_or_else(PoisonError::into_inner);
        let mut submissions: HashMap<i64, Arc<SubmissionRow>> =
            self.counting.iter().map(|row| (row.id, Arc::clone(row))).collect();
        let references: Vec<i64> = references(&self.counting).into_iter().map(|row| row.id).collect();
        let rows = table.into_iter().filter_map(|row| {
            let version = row.entry.submission;
            let submission = submissions.remove(&version)?;
            let against = references
                .iter()
                .filter_map(|&reference| self.cell(version, reference).map(|cell| Against { reference, cell }));
            Some(ScoreRow { elo: ratings.get(&version).copied(), against: against.collect(), submission, row })
        });
        Board { rows: rows.collect(), version, matches: self.ladder.pairs(), rated }
    }

    /// The match of two versions, seen from the first.
    fn cell(&self, one: i64, two: i64) -> Option<Cell> {
        let games = self.ladder.result(one, two)?;
        let match_id = *self.ids.get(&(one.min(two), one.max(two)))?;
        Some(Cell { match_id, games, points: self.ladder.points_of(games) })
    }
}

/// The built-in players among these, in the order of [`engines::STYLES`].
fn references<'a>(versions: impl IntoIterator<Item = &'a Arc<SubmissionRow>>) -> Vec<&'a SubmissionRow> {
    let of_reference = |row: &&SubmissionRow| row.standing == Standing::Reference;
    let mut found: Vec<&SubmissionRow> = versions.into_iter().map(|row| &**row).filter(of_reference).collect();
    found.sort_by_key(|row| engines::STYLES.iter().position(|(known, ..)| row.builtin.as_deref() == Some(known)));
    found
}

/// Bradley–Terry ratings of the versions that count. Matches are even in colours, so who moved first is left out.
fn ratings(ladder: &Ladder) -> HashMap<i64, Rating> {
    let entries: Vec<i64> = ladder.entries().map(|entry| entry.submission).collect();
    let mut table = CrossTable::new(entries.len());
    let mut any = false;
    for (one, first) in entries.iter().enumerate() {
        for (two, second) in entries.iter().enumerate().skip(one + 1) {
            if let Some(games) = ladder.result(*first, *second) {
                // Half the games were played with each colour.
                let count = Trinomial([games.lost.into(), games.drawn.into(), games.won.into()]);
                table.add_games(one, two, count);
                any = true;
            }
        }
    }
    if !any {
        return HashMap::new();
    }
    let finite = |value: f64| value.is_finite().then_some((value * 10.0).round() / 10.0);
    let rated = |estimate: &Estimate| {
        let value = finite(estimate.value)?;
        Some(Rating { value, lower: finite(estimate.lower), upper: finite(estimate.upper) })
    };
    let found = rate(&table, false);
    entries.into_iter().zip(&found.engines).filter_map(|(id, estimate)| Some((id, rated(estimate)?))).collect()
}

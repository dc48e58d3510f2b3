//! What the tests of the store share: contests, students, versions, and games that a rule decides.

use std::path::Path;

use course::{
    Boards, Contest, Lease, NewAccount, NewGame, NewSubmission, Role, Rules, StartingPosition, Store, SubmissionRow,
    Used, Visibility,
};
use games::Side;
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;

pub(crate) async fn contest(store: &Store, positions: usize) -> Contest {
    let contest = Contest {
        number: 0,
        id: "example".into(),
        title: "Example".into(),
        about: String::new(),
        game: "tiaojia".into(),
        variant: games::find("tiaojia").expect("a game").defaults(),
        rules: Rules { positions: vec![StartingPosition::default(); positions], interval_s: 0, ..Rules::default() },
        visibility: Visibility::default(),
        opens: None,
        closes: None,
        scoreboard_minutes: 0,
        locked: None,
        frozen: false,
        audience: None,
        created: 0,
    };
    store.save_contest(&contest).await.expect("a contest")
}

pub(crate) async fn student(store: &Store, name: &str) -> i64 {
    let new = NewAccount { name: name.into(), person: String::new(), group: String::new(), role: Role::Student };
    store.add_account(&new).await.expect("an account").0.id
}

/// Submits and accepts a version; gives it and how many matches it has to play.
pub(crate) async fn upload(store: &Store, contest: &Contest, account: i64) -> (SubmissionRow, usize) {
    let new = NewSubmission { contest: contest.number, account, language: "c", file_name: "a.c", source: b"int main;" };
    let id = store.submit(&new, 0).await.expect("the store works").expect("taken");
    let build = store.lease_build("builder").await.expect("the store works").expect("something to build");
    assert_eq!(build.submission.id, id);
    store.begin_trial(&build, &json!({})).await.expect("a trial");
    let queued = store.accept(&build, &json!({}), (0, 1)).await.expect("accepted");
    (store.submission(id).await.expect("the store works").expect("a submission"), queued)
}

/// The record of a game whose loser left before the first ply.
pub(crate) fn record(winner: Option<Side>) -> String {
    let mut record = records::Record::new("tiaojia", Value::Null);
    record.variant = games::find("tiaojia").expect("a game").defaults();
    let reason = if winner.is_some() { "exited" } else { "agreed" };
    let (reason, evidence) = (reason.to_owned(), Value::Null);
    record.verdict = Some(records::RecordedVerdict { winner, reason, ply: 0, counts: true, evidence });
    serde_json::to_string(&record).expect("JSON")
}

pub(crate) fn game(lease: &Lease, winner: Option<usize>) -> NewGame {
    let one_is_black = lease.number.is_multiple_of(2);
    let seat = |player: usize| if (player == 0) == one_is_black { Side::Black } else { Side::White };
    NewGame {
        one_is_black,
        winner: winner.map(seat),
        reason: "line".into(),
        plies: 10,
        ms: 5,
        machine_ms: 7,
        record: record(winner.map(seat)),
        used: [Used::default(); 2],
        memory: Vec::new(),
        logs: [b"0.1 > START 1\n".to_vec(), Vec::new()],
    }
}

/// Plays everything that waits; the version of the smaller number always wins, unless the two are told to draw.
pub(crate) async fn play_all(store: &Store, draws: &[(i64, i64)]) -> usize {
    let mut played = 0;
    while let Some(lease) = store.lease_game("worker").await.expect("the store works") {
        let [one, two] = [0, 1].map(|index: usize| lease.row.players[index].submission);
        let drawn = draws.contains(&(one.min(two), one.max(two)));
        let winner = if drawn { None } else { Some(usize::from(two < one)) };
        store.finish_game(&lease, &game(&lease, winner), 0).await.expect("written");
        played += 1;
    }
    played
}

pub(crate) async fn table(store: &Store, contest: &Contest) -> Vec<(i64, u32, i64)> {
    let board = Boards::default().board(store, contest).await.expect("a board");
    board.rows.iter().map(|row| (row.submission.id, row.row.points, row.row.difference())).collect()
}

/// What each version brought, taken away again, from the second on.
const UNDONE: [&[&str]; 2] = [
    &["DROP TABLE tries"],
    &[
        "DROP INDEX accounts_built_in",
        "ALTER TABLE accounts DROP COLUMN builtin",
        "ALTER TABLE contests DROP COLUMN audience",
        "UPDATE contests SET rules = json_set(rules, '$.start_ms', 10000)",
    ],
];

/// Makes a store what it was under an earlier version.
pub(crate) async fn as_version(folder: &Path, version: usize) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join(course::FILE));
    let mut connection = options.connect().await.expect("a store");
    for text in UNDONE[version - 1..].iter().rev().flat_map(|texts| texts.iter()) {
        sqlx::query(*text).execute(&mut connection).await.expect("undone");
    }
    let text = format!("PRAGMA user_version = {version}");
    sqlx::query(sqlx::AssertSqlSafe(text)).execute(&mut connection).await.expect("a version");
}

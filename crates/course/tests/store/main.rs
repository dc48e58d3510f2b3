//! The store: the seed's example, results that count once, and what a thousand brains cost.

mod desk;
mod standing;

use std::time::{Duration, Instant};

use course::ladder::Games;
use course::{Boards, Challenge, Contest, NewSubmission, State, Store, Verdict};
use desk::{as_version, contest, game, play_all, student, table, upload};
use serde_json::{Value, json};

/// A, B, C, D with three starting positions are 36 games; A2 replaces A1, and the table is that of A2, B1, C1, D1.
#[tokio::test]
async fn the_example_of_the_course() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 3).await;
    let mut accounts = Vec::new();
    let mut versions = Vec::new();
    for (index, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
        accounts.push(student(&store, name).await);
        let (version, queued) = upload(&store, &contest, accounts[index]).await;
        assert_eq!(queued, index);
        versions.push(version.id);
    }
    let [a1, b1, c1, d1] = versions[..] else { panic!("four versions") };
    assert_eq!(play_all(&store, &[(c1, d1)]).await, 36);
    assert_eq!(table(&store, &contest).await, [(a1, 9, 18), (b1, 6, 6), (c1, 1, -12), (d1, 1, -12)]);
    let states = store.counting(contest.number).await.unwrap();
    assert!(states.iter().all(|row| row.state == State::Ranked), "{states:?}");

    let (second, queued) = upload(&store, &contest, accounts[0]).await;
    let a2 = second.id;
    assert_eq!(queued, 3);
    assert_eq!(store.submission(a1).await.unwrap().unwrap().state, State::Replaced);
    // The nearest to where A stood come first, and B, C and D keep what they have among themselves.
    assert_eq!(table(&store, &contest).await, [(b1, 6, 12), (c1, 1, -6), (d1, 1, -6), (a2, 0, 0)]);
    let next = store.lease_game("worker").await.unwrap().unwrap();
    assert_eq!(next.row.players[1].submission, b1);
    store.retry_game(&next, "the machine failed", 0).await.unwrap();
    assert_eq!(play_all(&store, &[]).await, 18);
    // A2 has the largest number and loses everything: exactly the table of A2, B1, C1, D1.
    assert_eq!(table(&store, &contest).await, [(b1, 9, 18), (c1, 4, 0), (d1, 4, 0), (a2, 0, -18)]);
    // A1's matches are still in the history.
    assert_eq!(store.matches_of(a1, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_result_counts_once_and_only_for_who_holds_the_lease() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let (one, two) = (student(&store, "1").await, student(&store, "2").await);
    let (first, _) = upload(&store, &contest, one).await;
    upload(&store, &contest, two).await;
    let lease = store.lease_game("dead").await.unwrap().unwrap();
    assert!(store.lease_game("other").await.unwrap().is_none(), "a match is played by one worker at a time");
    // The server dies; the next one ends its leases, and the dead one's result comes too late.
    assert_eq!(store.end_all_leases().await.unwrap(), 1);
    let again = store.lease_game("alive").await.unwrap().unwrap();
    assert_eq!((again.row.id, again.number), (lease.row.id, 0));
    assert_eq!(store.finish_game(&lease, &game(&lease, Some(0)), 0).await.unwrap(), Verdict::CalledOff);
    assert_eq!(store.finish_game(&again, &game(&again, Some(1)), 0).await.unwrap(), Verdict::GoesOn);
    assert_eq!(store.finish_game(&again, &game(&again, Some(1)), 0).await.unwrap(), Verdict::CalledOff);
    let last = store.lease_game("alive").await.unwrap().unwrap();
    assert_eq!(last.number, 1);
    assert_eq!(store.finish_game(&last, &game(&last, Some(1)), 0).await.unwrap(), Verdict::MatchOver { settled: true });
    let row = store.match_row(last.row.id).await.unwrap().unwrap();
    assert_eq!((row.played, row.score), (2, Games { won: 0, drawn: 0, lost: 2 }));
    assert_eq!(store.games_of(row.id).await.unwrap().len(), 2);
    assert_eq!(store.machine_time(contest.number, two, 0).await.unwrap(), 1 + 2 * 7);
    // While a match is played its version is replaced: the match is called off and its game does not count.
    upload(&store, &contest, two).await;
    let lease = store.lease_game("alive").await.unwrap().unwrap();
    let (third, _) = upload(&store, &contest, two).await;
    assert_eq!(store.finish_game(&lease, &game(&lease, Some(0)), 0).await.unwrap(), Verdict::CalledOff);
    assert_eq!(store.lease_game("alive").await.unwrap().unwrap().row.players[0].submission, third.id);
    assert_eq!(table(&store, &contest).await.len(), 2);
    assert!(store.counting(contest.number).await.unwrap().iter().any(|row| row.id == first.id));
}

#[tokio::test]
async fn staff_disqualify_and_judge_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let mut versions = Vec::new();
    for name in ["1", "2", "3"] {
        let account = student(&store, name).await;
        versions.push(upload(&store, &contest, account).await.0);
    }
    assert_eq!(play_all(&store, &[]).await, 6);
    let before = table(&store, &contest).await;
    store.disqualify(&versions[0], Some("copied")).await.unwrap();
    assert_eq!(table(&store, &contest).await, [(versions[1].id, 3, 2), (versions[2].id, 0, -2)]);
    store.disqualify(&store.submission(versions[0].id).await.unwrap().unwrap(), None).await.unwrap();
    let build = store.lease_build("builder").await.unwrap().unwrap();
    assert_eq!(store.accept(&build, &json!({}), (0, 0)).await.unwrap(), 0, "its matches were played");
    assert_eq!(table(&store, &contest).await, before);
    assert_eq!(store.rejudge_all(contest.number).await.unwrap(), 3);
    assert!(table(&store, &contest).await.iter().all(|(_, points, _)| *points == 0));
    assert_eq!(play_all(&store, &[]).await, 6);
    assert_eq!(table(&store, &contest).await, before);
    let second = store.submission(versions[1].id).await.unwrap().unwrap();
    store.rejudge(&second).await.unwrap();
    let build = store.lease_build("builder").await.unwrap().unwrap();
    assert_eq!(store.accept(&build, &json!({}), (0, 0)).await.unwrap(), 2);
    assert_eq!(play_all(&store, &[]).await, 4);
    assert_eq!(table(&store, &contest).await, before);
}

#[tokio::test]
async fn challenges_are_played_and_not_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let (one, two) = (student(&store, "1").await, student(&store, "2").await);
    let first = upload(&store, &contest, one).await.0;
    let second = upload(&store, &contest, two).await.0;
    play_all(&store, &[]).await;
    let before = table(&store, &contest).await;
    for _ in 0..3 {
        assert!(matches!(store.challenge(contest.number, &second, first.id, 2).await.unwrap(), Challenge::Queued(_)));
    }
    assert_eq!(store.challenge(contest.number, &second, first.id, 2).await.unwrap(), Challenge::TooMany);
    assert_eq!(play_all(&store, &[]).await, 6);
    assert_eq!(table(&store, &contest).await, before);
}

#[tokio::test]
async fn two_at_once_cannot_both_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let account = student(&store, "1").await;
    let new = NewSubmission { contest: contest.number, account, language: "c", file_name: "a.c", source: b"x" };
    let tries = [store.submit(&new, 60_000), store.submit(&new, 60_000)];
    let [first, second] = tries;
    let (first, second) = tokio::join!(first, second);
    assert!(first.unwrap().is_ok() != second.unwrap().is_ok());
}

/// What is kept in memory and only told of changes shows what a fresh look at the store does, whatever happens.
#[tokio::test]
async fn a_board_that_is_kept_shows_what_a_fresh_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let boards = Boards::default();
    let same = async |what: &str| {
        let shown = |board: std::sync::Arc<course::Board>| -> Vec<Value> {
            let mut face = board.face(&contest);
            face["rows"].as_array_mut().unwrap().iter_mut().for_each(|row| row["elo"] = Value::Null);
            face["rows"].as_array().unwrap().clone()
        };
        let kept = shown(boards.board(&store, &contest).await.unwrap());
        let fresh = shown(Boards::default().board(&store, &contest).await.unwrap());
        assert_eq!(kept, fresh, "{what}");
        kept
    };
    same("nobody").await;
    let mut accounts = Vec::new();
    let mut versions = Vec::new();
    for name in ["1", "2", "3", "4"] {
        accounts.push(student(&store, name).await);
        versions.push(upload(&store, &contest, accounts[accounts.len() - 1]).await.0);
        same("an upload").await;
    }
    play_all(&store, &[]).await;
    let before = same("all is played").await;
    store.disqualify(&versions[1], Some("copied")).await.unwrap();
    assert_eq!(same("disqualified").await.len(), 3);
    store.disqualify(&store.submission(versions[1].id).await.unwrap().unwrap(), None).await.unwrap();
    let build = store.lease_build("builder").await.unwrap().unwrap();
    store.accept(&build, &json!({}), (0, 0)).await.unwrap();
    assert_eq!(same("admitted again").await, before);
    upload(&store, &contest, accounts[0]).await;
    same("a second version").await;
    let lease = store.lease_game("worker").await.unwrap().unwrap();
    store.finish_game(&lease, &game(&lease, Some(1)), 0).await.unwrap();
    same("half a match").await;
    play_all(&store, &[]).await;
    same("played").await;
    store.rejudge_all(contest.number).await.unwrap();
    assert!(same("all again").await.iter().all(|row| row["points"] == 0));
    play_all(&store, &[]).await;
    same("played again").await;
    let name = course::AccountChange::Nickname("another name".into());
    store.change_account(accounts[2], &name).await.unwrap();
    assert!(same("a new name").await.iter().any(|row| row["nickname"] == "another name"));
}

/// A store of the first version becomes one of this version and keeps what is in it.
#[tokio::test]
async fn an_older_store_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let account = student(&store, "2351001").await;
    store.close().await;
    as_version(folder.path(), 1).await;
    let store = Store::open(folder.path()).await.unwrap();
    assert_eq!(store.account(account).await.unwrap().unwrap().name, "2351001");
    let guard = store.guard().await.unwrap();
    for _ in 0..5 {
        guard.begin("2351001", "10.0.0.1").unwrap();
        store.wrong_try(&guard, "2351001", "10.0.0.1").await.unwrap();
    }
    // What one program has seen the next one knows.
    assert!(store.guard().await.unwrap().begin("2351001", "10.0.0.1").is_err());
    assert!(store.guard().await.unwrap().begin("2351001", "10.0.0.2").is_ok());
    assert!(store.guard().await.unwrap().begin("somebody", "10.0.0.1").is_ok());
    // And what is forgiven is forgiven for it too.
    store.right_try(&guard, "2351001", "10.0.0.1").await.unwrap();
    assert!(store.guard().await.unwrap().begin("2351001", "10.0.0.1").is_ok());
}

/// Freezing what is frozen changes nothing: what was shown stays shown.
#[tokio::test]
async fn a_frozen_scoreboard_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let boards = Boards::default();
    let (one, two) = (student(&store, "1").await, student(&store, "2").await);
    upload(&store, &contest, one).await;
    boards.freeze(&store, &contest, true).await.unwrap();
    let first = store.snapshot(contest.number).await.unwrap().unwrap();
    upload(&store, &contest, two).await;
    let frozen = store.contest("example").await.unwrap().unwrap();
    assert!(frozen.frozen);
    boards.freeze(&store, &frozen, true).await.unwrap();
    let second = store.snapshot(contest.number).await.unwrap().unwrap();
    assert_eq!((&second.body, second.at), (&first.body, first.at));
    boards.freeze(&store, &frozen, false).await.unwrap();
    assert!(!store.contest("example").await.unwrap().unwrap().frozen);
    assert!(store.snapshot(contest.number).await.unwrap().is_none());
}

/// A course that goes to another machine: its sources and records make the same table there, and nothing is played again.
#[tokio::test]
async fn what_was_exported_comes_back() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let store = Store::open(folders[0].path()).await.unwrap();
    let there = Store::open(folders[1].path()).await.unwrap();
    let contest = contest(&store, 2).await;
    let mut accounts = Vec::new();
    for name in ["2351001", "2351002", "2351003", "甲"] {
        accounts.push(student(&store, name).await);
    }
    for &account in &accounts {
        upload(&store, &contest, account).await;
    }
    play_all(&store, &[]).await;
    // A second version, of which only a part is played when everything is taken home; and a challenge.
    upload(&store, &contest, accounts[3]).await;
    let lease = store.lease_game("worker").await.unwrap().unwrap();
    store.finish_game(&lease, &game(&lease, Some(1)), 0).await.unwrap();
    let sources = course::source_files(&store, &contest).await.unwrap();
    let archive = course::write_zip(sources.clone()).unwrap();
    let lines =
        |rows: Vec<(i64, i64, Value)>| -> String { rows.iter().map(|(.., record)| format!("{record}\n")).collect() };
    let records = lines(store.records_after(contest.number, (0, -1), 1000).await.unwrap());
    assert_eq!(records.lines().count(), 6 * 4 + 1);

    // Students come in another order, so that no number is what it was.
    let copy = self::contest(&there, 2).await;
    for name in ["nobody", "甲", "2351003", "2351002", "2351001"] {
        student(&there, name).await;
    }
    let refused = course::import_records(&there, &copy, records.as_bytes()).await.unwrap_err();
    assert!(refused.to_string().contains("import the sources first"), "{refused}");
    let files = course::read_archive(&archive, course::ArchiveBounds::COURSE).unwrap();
    assert_eq!(course::import_sources(&there, &copy, &files).await.unwrap(), 5);
    // What is wrong in one line keeps all of it out.
    for (from, to) in
        [("\"version\":1}", "\"version\":9}"), ("\"tiaojia\"", "\"nogo\""), ("\"exited\"", "\"no-pieces\"")]
    {
        let broken = records.replacen(from, to, 1);
        assert_ne!(broken, records, "{from}");
        assert!(course::import_records(&there, &copy, broken.as_bytes()).await.is_err(), "{to}");
    }
    let cut: String = records.lines().take(6).map(|line| format!("{line}\n")).collect();
    assert!(course::import_records(&there, &copy, cut.as_bytes()).await.is_err(), "half a match");
    assert_eq!(there.records_after(copy.number, (0, -1), 10).await.unwrap().len(), 0);
    let imported = course::import_records(&there, &copy, records.as_bytes()).await.unwrap();
    assert_eq!(imported, course::ImportedRecords { matches: 6, known: 0, left_out: 1 });
    let again = course::import_records(&there, &copy, records.as_bytes()).await.unwrap();
    assert_eq!(again, course::ImportedRecords { matches: 0, known: 6, left_out: 1 });
    // Building them queues only what was not played: the second version's three matches.
    let mut queued = 0;
    while let Some(build) = there.lease_build("builder").await.unwrap() {
        there.begin_trial(&build, &json!({})).await.unwrap();
        queued += there.accept(&build, &json!({}), (0, 1)).await.unwrap();
    }
    assert_eq!(queued, 3);
    let shown = async |store: &Store, contest: &Contest| -> Vec<Value> {
        let face = Boards::default().board(store, contest).await.unwrap().face(contest);
        let row =
            |row: &Value| json!([row["version"], row["points"], row["difference"], row["submitted"], row["games"]]);
        face["rows"].as_array().unwrap().iter().map(row).collect()
    };
    assert_eq!(shown(&there, &copy).await, shown(&store, &contest).await);
    let sent: Vec<_> = course::source_files(&there, &copy).await.unwrap().into_iter().map(|file| file.bytes).collect();
    assert_eq!(sent.len(), sources.len());
    let more = lines(there.records_after(copy.number, (0, -1), 1000).await.unwrap());
    assert_eq!(more.lines().count(), 24);
}

/// With a thousand brains a new version is placed and its matches queued in under a second, and the scoreboard is there in
/// under 50 ms: the figures are printed. Asserted are their ratios, for machines do other things too. Without optimisation
/// there are fewer brains: `cargo xtask course` has all.
#[tokio::test]
async fn a_thousand_brains() {
    const BRAINS: usize = if cfg!(debug_assertions) { 150 } else { 1000 };
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    pretend_all_played(folder.path(), BRAINS).await;
    let boards = Boards::default();
    let began = Instant::now();
    boards.board(&store, &contest).await.unwrap();
    let cold = began.elapsed();
    let account = student(&store, "newcomer").await;
    let began = Instant::now();
    let (_, queued) = upload(&store, &contest, account).await;
    let placed = began.elapsed();
    assert_eq!(queued, BRAINS);
    let face = async || {
        let began = Instant::now();
        let board = boards.board(&store, &contest).await.unwrap();
        let bytes = board.face(&contest).to_string().len();
        (board, bytes, began.elapsed())
    };
    let (board, bytes, first) = face().await;
    assert_eq!((board.rows.len(), board.matches), (BRAINS + 1, (BRAINS * (BRAINS - 1) / 2, BRAINS * (BRAINS + 1) / 2)));
    let lease = store.lease_game("worker").await.unwrap().unwrap();
    store.finish_game(&lease, &game(&lease, Some(0)), 0).await.unwrap();
    let (_, _, after_a_game) = face().await;
    let mut unchanged = Duration::MAX;
    for _ in 0..5 {
        unchanged = unchanged.min(face().await.2);
    }
    println!("| {BRAINS} brains | |\n|---|---|");
    println!("| a new version placed, its {queued} matches queued | {placed:.1?} |");
    println!("| scoreboard ({bytes} bytes), first after the upload | {first:.1?} |");
    println!("| scoreboard after a game | {after_a_game:.1?} |");
    println!("| scoreboard when nothing has changed | {unchanged:.1?} |");
    println!("| scoreboard, first after a start | {cold:.1?} |");
    // What all games made once is not made of all games again.
    assert!(unchanged * 3 < cold, "{unchanged:?}, at first {cold:?}");
    assert!(placed < cold * 20, "{placed:?}, the table {cold:?}");
}

/// So many versions and a result for each two of them, without the games, which would take an hour to play.
async fn pretend_all_played(folder: &std::path::Path, brains: usize) {
    use sqlx::ConnectOptions as _;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join(course::FILE));
    let mut connection = options.connect().await.expect("a connection");
    for text in include_str!("../brains.sql").replace("{brains}", &brains.to_string()).split(';') {
        sqlx::query(sqlx::AssertSqlSafe(text.to_owned())).execute(&mut connection).await.expect("written");
    }
}

/// What the machine spoiled is counted, and staff who have it judged again start anew.
#[tokio::test]
async fn judging_again_forgets_the_faults_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let account = student(&store, "1").await;
    let new = NewSubmission { contest: contest.number, account, language: "c", file_name: "a.c", source: b"int main;" };
    let id = store.submit(&new, 0).await.unwrap().unwrap();
    for attempts in 0..3 {
        let build = store.lease_build("builder").await.unwrap().unwrap();
        assert_eq!(build.attempts, attempts);
        store.retry_build(&build, 0).await.unwrap();
    }
    let build = store.lease_build("builder").await.unwrap().unwrap();
    store.fail(&build, &json!({ "code": "machine" }), None, None, (0, 0)).await.unwrap();
    assert!(store.lease_build("builder").await.unwrap().is_none());
    let row = store.submission(id).await.unwrap().unwrap();
    assert!(store.is_current(&row).await.unwrap());
    store.rejudge(&row).await.unwrap();
    assert_eq!(store.lease_build("builder").await.unwrap().unwrap().attempts, 0);
}

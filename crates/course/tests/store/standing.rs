//! Who takes a rank, built-in players, groups, and databases from before there were any.

use course::ladder::Standing;
use course::{
    Account, AccountChange, Audience, Board, Boards, Contest, NewAccount, Role, RosterEntry, Store, Visit, grades,
};
use serde_json::Value;

use crate::desk::{as_version, contest, play_all, student, upload};

async fn account(store: &Store, name: &str, role: Role, group: &str) -> Account {
    let new = NewAccount { name: name.into(), person: format!("{name} 的姓名"), group: group.into(), role };
    store.add_account(&new).await.expect("an account").0
}

async fn board(store: &Store, contest: &Contest) -> std::sync::Arc<Board> {
    Boards::default().board(store, contest).await.expect("a board")
}

fn ranks(board: &Board) -> Vec<(String, Option<usize>, u32)> {
    board.rows.iter().map(|line| (line.submission.nickname.clone(), line.row.rank, line.row.points)).collect()
}

/// The rows of a CSV file, split at its commas; nothing in these tests has a comma in it.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.trim_start_matches('\u{feff}').lines().map(|line| line.split(',').collect()).collect()
}

/// The teacher's program beats everybody, plays everybody, and takes nobody's place.
#[tokio::test]
async fn staff_play_and_take_no_rank() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let teacher = account(&store, "teacher", Role::Admin, "").await.id;
    // Whose version has the smaller number wins.
    upload(&store, &contest, teacher).await;
    for name in ["2351001", "2351002"] {
        let id = student(&store, name).await;
        upload(&store, &contest, id).await;
    }
    assert_eq!(play_all(&store, &[]).await, 6, "the teacher's program plays everybody");
    let seen = board(&store, &contest).await;
    let (best, second) = ("同学 …001".to_owned(), "同学 …002".to_owned());
    let expected = [("teacher".to_owned(), None, 6), (best.clone(), Some(1), 3), (second, Some(2), 0)];
    assert_eq!(ranks(&seen), expected);
    assert_eq!((seen.ranked(), seen.matches, seen.rows[1].row.left), (2, (3, 3), 0));
    assert_eq!(seen.rows[0].row.entry.standing, Standing::Staff);
    let face = seen.face(&contest);
    assert_eq!(
        (&face["players"], &face["rows"][0]["rank"], &face["rows"][0]["kind"]),
        (&2.into(), &Value::Null, &"staff".into())
    );
    let boards = std::sync::Arc::new(Boards::default());
    let text = grades(&store, &boards, &contest).await.unwrap();
    let table = rows(&text);
    assert_eq!((table[1][0], table[1][1]), ("1", "2351001"), "{text}");
    assert!(!text.contains("teacher"), "{text}");

    // Somebody who becomes an assistant leaves the ranks at once, on a board that was read before too.
    boards.board(&store, &contest).await.unwrap();
    let first = store.account_named("2351001").await.unwrap().unwrap().0;
    store.change_account(first.id, &AccountChange::Role(Role::Assistant)).await.unwrap();
    let seen = boards.board(&store, &contest).await.unwrap();
    let of_first = seen.rows.iter().find(|line| line.submission.nickname == best).unwrap();
    assert_eq!((of_first.row.rank, seen.ranked()), (None, 1));
    let other = seen.rows.iter().find(|line| line.row.rank == Some(1)).unwrap();
    assert_eq!((other.row.points, other.row.matches.lost, other.row.left), (0, 0, 0));
    store.change_account(first.id, &AccountChange::Role(Role::Student)).await.unwrap();
    assert_eq!(ranks(&boards.board(&store, &contest).await.unwrap()), expected);
}

#[tokio::test]
async fn built_in_players_are_met_by_everybody_and_ranked_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let contest = contest(&store, 1).await;
    let (one, two) = (student(&store, "2351001").await, student(&store, "2351002").await);
    let first = upload(&store, &contest, one).await.0;
    store.set_references(contest.number, &["3".into(), "random".into()]).await.unwrap();
    assert_eq!(store.references(contest.number).await.unwrap(), ["random", "3"]);
    // Two matches with the student who is there; none between the two.
    assert_eq!(play_all(&store, &[]).await, 4);
    let (second, queued) = upload(&store, &contest, two).await;
    assert_eq!(queued, 3, "a student and two built-in players");
    let references: Vec<i64> = board(&store, &contest).await.references().iter().map(|row| row.id).collect();
    assert_eq!(play_all(&store, &[(references[0], second.id)]).await, 6);
    let seen = board(&store, &contest).await;
    assert_eq!((seen.ranked(), seen.matches), (2, (5, 5)));
    let line = seen.rows.iter().find(|line| line.submission.id == second.id).unwrap();
    assert_eq!((line.row.rank, line.row.points, line.row.matches.lost), (Some(2), 0, 1));
    let scores: Vec<_> = line.against.iter().map(|one| (one.cell.games.won, one.cell.games.drawn)).collect();
    assert_eq!((line.against.len(), scores), (2, vec![(0, 2), (0, 0)]));
    let text = grades(&store, &std::sync::Arc::new(Boards::default()), &contest).await.unwrap();
    let table = rows(&text);
    assert_eq!(table[0][13..], ["vs boyi-random", "vs boyi-3"]);
    assert_eq!((&table[1][13..], &table[2][13..]), (&["2", "2"][..], &["1", "0"][..]), "{text}");
    assert_eq!(table.len(), 3, "{text}");
    // Nobody submitted them, nobody can sign in as one of them, and they are no accounts to be managed.
    assert_eq!(
        store.submissions(contest.number, &course::Wanted { limit: 9, ..Default::default() }).await.unwrap().len(),
        2
    );
    assert!(store.account_named("built-in random").await.unwrap().is_none());
    assert!(store.accounts("", None, None, 0, 99).await.unwrap().iter().all(|account| account.id <= two));
    let visit = Visit { instead_of: None, address: "", agent: "" };
    assert!(store.redeem("built-in random", "", "x", None, &visit).await.unwrap().is_none());

    // One goes and comes back: what it played counts again.
    store.set_references(contest.number, &["random".into()]).await.unwrap();
    assert_eq!(store.references(contest.number).await.unwrap(), ["random"]);
    assert_eq!(board(&store, &contest).await.rows.len(), 3);
    store.set_references(contest.number, &["random".into(), "3".into()]).await.unwrap();
    assert_eq!(play_all(&store, &[]).await, 0);
    let back = board(&store, &contest).await;
    assert_eq!(back.rows.iter().find(|line| line.submission.id == first.id).unwrap().against.len(), 2);
}

#[tokio::test]
async fn groups_are_imported_edited_and_admit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let entry = |name: &str, group: &str| RosterEntry { name: name.into(), person: String::new(), group: group.into() };
    store.import(&[entry("1", "一班; 竞赛队"), entry("2", "二班"), entry("3", "")]).await.unwrap();
    let groups: Vec<(String, i64)> = store.groups().await.unwrap().into_iter().collect();
    assert_eq!(groups, [("一班".into(), 1), ("二班".into(), 1), ("竞赛队".into(), 1)]);
    let named = async |name: &str| store.account_named(name).await.unwrap().unwrap().0;
    let in_group = async |group: &str| store.accounts("", None, Some(group), 0, 9).await.unwrap().len();
    assert_eq!((in_group("竞赛队").await, in_group("班").await, in_group("二班").await), (1, 0, 1));
    // A list without groups leaves them alone.
    let again = store.import(&[entry("1", ""), entry("2", "三班")]).await.unwrap();
    assert_eq!((again.unchanged, again.updated), (1, 1));
    assert_eq!((named("1").await.group.as_str(), named("2").await.group.as_str()), ("一班; 竞赛队", "三班"));

    let mut contest = contest(&store, 1).await;
    contest.audience = Some(Audience { groups: vec!["竞赛队".into()], students: vec!["3".into()] });
    let contest = store.save_contest(&contest).await.unwrap();
    let teacher = account(&store, "teacher", Role::Assistant, "").await;
    for (name, admitted) in [("1", true), ("2", false), ("3", true)] {
        assert_eq!(contest.admits(Some(&named(name).await)), admitted, "{name}");
    }
    assert!(contest.admits(Some(&teacher)) && !contest.admits(None));
    let two = named("2").await.id;
    let moved = store.change_account(two, &AccountChange::Groups("二班; 竞赛队".into())).await.unwrap();
    assert!(contest.admits(Some(&moved)));
    assert_eq!(store.strangers(&["1".into(), "nobody".into()]).await.unwrap(), ["nobody"]);
    // The grades list whom the contest is for.
    store.change_account(two, &AccountChange::Groups(String::new())).await.unwrap();
    let text = grades(&store, &std::sync::Arc::new(Boards::default()), &contest).await.unwrap();
    let listed: Vec<&str> = rows(&text)[1..].iter().map(|row| row[1]).collect();
    assert_eq!(listed, ["1", "3"]);
}

#[tokio::test]
async fn a_database_of_before_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path()).await.unwrap();
        let contest = contest(&store, 1).await;
        let teacher = account(&store, "teacher", Role::Admin, "").await.id;
        upload(&store, &contest, teacher).await;
        let one = student(&store, "1").await;
        upload(&store, &contest, one).await;
        play_all(&store, &[]).await;
        store.close().await;
    }
    as_version(folder.path(), 2).await;
    let store = Store::open(folder.path()).await.unwrap();
    let contest = store.contest("example").await.unwrap().unwrap();
    assert_eq!(contest.audience, None);
    // The limit that was really applied to this game until now.
    assert_eq!(contest.rules.start_ms, 52_000);
    let seen = board(&store, &contest).await;
    assert_eq!(seen.rows.iter().map(|line| line.row.rank).collect::<Vec<_>>(), [None, Some(1)]);
    store.set_references(contest.number, &["greedy".into()]).await.unwrap();
    assert_eq!(play_all(&store, &[]).await, 4);
}

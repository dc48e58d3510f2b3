//! What a teacher takes home: grades and sources.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use workshop::ArchiveFile;

use crate::account::Account;
use crate::board::Boards;
use crate::contest::Contest;
use crate::store::{Store, StoreError, Wanted};

/// So many accounts or submissions are read at once.
const PIECE: u32 = 500;

/// The columns of the grades that are always there.
const GRADES: [&str; 13] = [
    "rank",
    "id",
    "name",
    "group",
    "nickname",
    "points",
    "won",
    "drawn",
    "lost",
    "left",
    "difference",
    "version",
    "submitted",
];

/// A field of a CSV file. What a spreadsheet would take for a formula is kept as text.
fn field(text: &str) -> String {
    let text = match text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err() {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

pub(crate) async fn all_accounts(store: &Store) -> Result<Vec<Account>, StoreError> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let piece = store.accounts("", None, None, after, PIECE).await?;
        let Some(last) = piece.last() else { return Ok(all) };
        after = last.id;
        all.extend(piece);
    }
}

/// The grades of a contest: every student with his rank, those without a ranked version at the end. Staff and
/// built-in players have no line; how somebody did against each of the latter stands in a column of its own, in
/// games: one for a game won, half for one drawn.
pub async fn grades(store: &Store, boards: &Arc<Boards>, contest: &Contest) -> Result<String, StoreError> {
    let board = boards.board(store, contest).await?;
    let accounts = all_accounts(store).await?;
    let by_id: HashMap<i64, &Account> = accounts.iter().map(|account| (account.id, account)).collect();
    // The mark tells Excel that this is UTF-8.
    let references: Vec<i64> = board.references().iter().map(|row| row.id).collect();
    let mut heading: Vec<String> = GRADES.iter().map(|&column| column.to_owned()).collect();
    heading.extend(board.references().iter().map(|row| format!("vs {}", row.nickname)));
    let mut text = String::from("\u{feff}");
    let mut line = |fields: &[String]| {
        text.push_str(&fields.iter().map(|text| field(text)).collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    };
    line(&heading);
    for score in &board.rows {
        let (row, submission) = (&score.row, &score.submission);
        let (Some(account), Some(rank)) = (by_id.get(&submission.account), row.rank) else { continue };
        let at = jiff::Timestamp::from_millisecond(submission.submitted).map_or_else(
            |_| String::new(),
            |at| at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        );
        let mut fields = vec![
            rank.to_string(),
            account.name.clone(),
            account.person.clone(),
            account.group.clone(),
            account.nickname.clone(),
            row.points.to_string(),
            row.matches.won.to_string(),
            row.matches.drawn.to_string(),
            row.matches.lost.to_string(),
            row.left.to_string(),
            row.difference().to_string(),
            submission.version.to_string(),
            at,
        ];
        fields.extend(references.iter().map(|&reference| {
            let games = score.against.iter().find(|one| one.reference == reference).map(|one| one.cell.games);
            games.map_or_else(String::new, |games| (f64::from(games.won) + f64::from(games.drawn) / 2.0).to_string())
        }));
        line(&fields);
    }
    let ranked: HashSet<i64> = board.rows.iter().map(|row| row.submission.account).collect();
    let missing =
        |account: &&Account| !account.role.is_staff() && contest.admits(Some(account)) && !ranked.contains(&account.id);
    for account in accounts.iter().filter(missing) {
        let mut fields = vec![String::new(); heading.len()];
        fields[1].clone_from(&account.name);
        fields[2].clone_from(&account.person);
        fields[3].clone_from(&account.group);
        fields[4].clone_from(&account.nickname);
        line(&fields);
    }
    Ok(text)
}

/// A part of a path: what no file system takes is left out.
pub(crate) fn part(text: &str) -> String {
    let kept: String = text.chars().filter(|letter| !letter.is_control() && !"/\\:*?\"<>|".contains(*letter)).collect();
    let kept = kept.trim_matches(['.', ' ']).to_owned();
    if kept.is_empty() { "-".to_owned() } else { kept }
}

/// The name of the list that goes with the sources.
pub(crate) const INDEX: &str = "index.csv";

/// A line of the list: what a path cannot say.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct IndexLine {
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) version: i64,
    pub(crate) language: String,
    pub(crate) file_name: String,
    pub(crate) submitted: i64,
}

/// Every source of a contest: `GROUP/NUMBER-NAME/vN.ENDING`, and a list with languages and times.
pub async fn source_files(store: &Store, contest: &Contest) -> Result<Vec<ArchiveFile>, StoreError> {
    let accounts: HashMap<i64, Account> =
        all_accounts(store).await?.into_iter().map(|account| (account.id, account)).collect();
    let (mut files, mut lines, mut before) = (Vec::new(), Vec::new(), None);
    loop {
        let wanted = Wanted { before, limit: PIECE, ..Wanted::default() };
        let rows = store.submissions(contest.number, &wanted).await?;
        let Some(last) = rows.last() else { break };
        before = Some(last.id);
        for row in rows {
            let Some(account) = accounts.get(&row.account) else { continue };
            let bytes = store.source(row.id).await?.unwrap_or_default();
            let of_language = || workshop::find(&row.language).ok().and_then(|recipe| recipe.endings.first().copied());
            let ending = match workshop::is_archive(&bytes) {
                true => Some(workshop::archive_ending(&bytes)),
                false => of_language(),
            };
            let path = format!(
                "{}/{}-{}/v{}.{}",
                part(&account.group),
                part(&account.name),
                part(&account.person),
                row.version,
                ending.unwrap_or("txt")
            );
            lines.push(IndexLine {
                path: path.clone(),
                id: account.name.clone(),
                version: row.version,
                language: row.language,
                file_name: row.file_name,
                submitted: row.submitted,
            });
            files.push(ArchiveFile { path, bytes });
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    for line in lines.iter().rev() {
        // Writing to memory does not fail.
        let _ = writer.serialize(line);
    }
    let index = writer.into_inner().unwrap_or_default();
    files.push(ArchiveFile { path: INDEX.to_owned(), bytes: index });
    files.reverse();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_cannot_be_formulas() {
        assert_eq!(field("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(field("-12"), "-12");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(part("../一班"), "一班");
        assert_eq!(part("..."), "-");
    }
}

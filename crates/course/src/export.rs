//! What a teacher takes home, and brings back: grades and sources.

use std::sync::Arc;

use crate::account::Account;
use crate::archive::ArchiveFile;
use crate::board::Boards;
use crate::contest::Contest;
use crate::store::{NewSubmission, Store, StoreError, Wanted};

/// So many accounts or submissions are read at once.
const PIECE: u32 = 500;

/// A field of a CSV file. What a spreadsheet would take for a formula is kept as text.
fn field(text: &str) -> String {
    let text = match text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err() {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

async fn all_accounts(store: &Store) -> Result<Vec<Account>, StoreError> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let piece = store.accounts("", None, None, after, PIECE).await?;
        let Some(last) = piece.last() else { return Ok(all) };
        after = last.id;
        all.extend(piece);
    }
}

/// The grades of a contest: everybody with his rank, students without a ranked version at the end.
pub async fn grades(store: &Store, boards: &Arc<Boards>, contest: &Contest) -> Result<String, StoreError> {
    let board = boards.board(store, contest).await?;
    let accounts = all_accounts(store).await?;
    // The mark tells Excel that this is UTF-8.
    let mut text =
        String::from("\u{feff}rank,id,name,group,nickname,points,won,drawn,lost,left,difference,version,submitted\r\n");
    let mut line = |fields: &[String]| {
        text.push_str(&fields.iter().map(|text| field(text)).collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    };
    for row in &board.rows {
        let Some(account) = accounts.iter().find(|account| account.id == row.submission.account) else { continue };
        let (row, submission) = (&row.row, &row.submission);
        let at = jiff::Timestamp::from_millisecond(submission.submitted).map_or_else(
            |_| String::new(),
            |at| at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        );
        line(&[
            row.rank.to_string(),
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
        ]);
    }
    let ranked = |account: &Account| board.rows.iter().any(|row| row.submission.account == account.id);
    for account in accounts.iter().filter(|account| !account.role.is_staff() && !ranked(account)) {
        let mut fields = vec![String::new(); 13];
        fields[1].clone_from(&account.name);
        fields[2].clone_from(&account.person);
        fields[3].clone_from(&account.group);
        fields[4].clone_from(&account.nickname);
        line(&fields);
    }
    Ok(text)
}

/// A part of a path: what no file system takes is left out.
fn part(text: &str) -> String {
    let kept: String = text.chars().filter(|letter| !letter.is_control() && !"/\\:*?\"<>|".contains(*letter)).collect();
    let kept = kept.trim_matches(['.', ' ']).to_owned();
    if kept.is_empty() { "-".to_owned() } else { kept }
}

/// Every source of a contest: `GROUP/NUMBER-NAME/vN.ENDING`.
pub async fn source_files(store: &Store, contest: &Contest) -> Result<Vec<ArchiveFile>, StoreError> {
    let accounts = all_accounts(store).await?;
    let (mut files, mut before) = (Vec::new(), None);
    loop {
        let wanted = Wanted { before, limit: PIECE, ..Wanted::default() };
        let rows = store.submissions(contest.number, &wanted).await?;
        let Some(last) = rows.last() else { break };
        before = Some(last.id);
        for row in rows {
            let Some(account) = accounts.iter().find(|account| account.id == row.account) else { continue };
            let ending = workshop::find(&row.language).ok().and_then(|recipe| recipe.endings.first().copied());
            let path = format!(
                "{}/{}-{}/v{}.{}",
                part(&account.group),
                part(&account.name),
                part(&account.person),
                row.version,
                ending.unwrap_or("txt")
            );
            files.push(ArchiveFile { path, bytes: store.source(row.id).await?.unwrap_or_default() });
        }
    }
    files.reverse();
    Ok(files)
}

/// Takes sources in that were exported: they are submitted again, each student's in the order of its versions. Gives the
/// number of submissions and the paths nobody's number is in. Nothing is taken when a path is not understood.
pub async fn import_sources(
    store: &Store,
    contest: &Contest,
    files: &[ArchiveFile],
) -> Result<Result<usize, Vec<String>>, StoreError> {
    let accounts = all_accounts(store).await?;
    let mut found: Vec<(i64, u32, &'static str, &ArchiveFile)> = Vec::new();
    let mut strange = Vec::new();
    for file in files {
        let mut parts = file.path.rsplit('/');
        let (name, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let number = folder.split_once('-').map_or(folder, |(number, _)| number);
        let account = accounts.iter().find(|account| {
            let exact = part(&account.name);
            folder == exact || folder.starts_with(&format!("{exact}-")) || number == exact
        });
        let version = name.strip_prefix('v').and_then(|rest| rest.split_once('.')).and_then(|(n, _)| n.parse().ok());
        let recipe = workshop::for_file(std::path::Path::new(name)).ok();
        match (account, version, recipe) {
            (Some(account), Some(version), Some(recipe)) if !file.bytes.is_empty() => {
                found.push((account.id, version, recipe.id, file));
            }
            _ => strange.push(file.path.clone()),
        }
    }
    if !strange.is_empty() {
        return Ok(Err(strange));
    }
    found.sort_by_key(|(account, version, ..)| (*version, *account));
    for (account, version, language, file) in &found {
        let ending = file.path.rsplit_once('.').map_or("txt", |(_, ending)| ending);
        let file_name = format!("v{version}.{ending}");
        let new = NewSubmission {
            contest: contest.number,
            account: *account,
            language,
            file_name: &file_name,
            source: &file.bytes,
        };
        let _ = store.submit(&new, 0).await?;
    }
    Ok(Ok(found.len()))
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

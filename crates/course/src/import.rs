//! What a teacher brings back: sources and records that were exported, all of a file or nothing of it.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;

use games::{Language, Side};
use records::Record;
use serde::Deserialize;
use workshop::ArchiveFile;

use crate::contest::Contest;
use crate::export::{INDEX, IndexLine, all_accounts, part};
use crate::store::{BUILT_IN, ImportedMatch, ImportedSource, NewGame, NewSubmission, Store, StoreError, Used};
use crate::words::Words;

/// The longest line of a file of records.
const LONGEST_LINE: u64 = 16 << 20;

/// Why a file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    System(#[from] std::io::Error),
    /// Paths that are nobody's.
    #[error("{} files are not GROUP/NUMBER-NAME/vN.ENDING of a student and a language", .0.len())]
    Strange(Vec<String>),
    /// A line that is wrong.
    #[error("line {line}: {}", .said.en)]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        said: Words,
    },
}

/// What came of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportedRecords {
    /// Matches that are new here.
    pub matches: usize,
    /// Matches that were here already.
    pub known: usize,
    /// Games of matches that were called off or not over: they are played anew.
    pub left_out: usize,
}

/// Takes sources in that were exported: each student's are submitted in the order of their versions. Gives how many.
pub async fn import_sources(store: &Store, contest: &Contest, files: &[ArchiveFile]) -> Result<usize, ImportError> {
    let accounts = all_accounts(store).await?;
    let mut index = read_index(files)?;
    let (mut found, mut strange) = (Vec::new(), Vec::new());
    for file in files.iter().filter(|file| file.path != INDEX) {
        let listed = index.remove(&file.path);
        let mut parts = file.path.rsplit('/');
        let (name, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let number = folder.split_once('-').map_or(folder, |(number, _)| number);
        let account = accounts.iter().find(|account| match &listed {
            Some(line) => account.name == line.id,
            None => {
                let exact = part(&account.name);
                folder == exact || folder.starts_with(&format!("{exact}-")) || number == exact
            }
        });
        let told = || name.strip_prefix('v').and_then(|rest| rest.split_once('.')).and_then(|(n, _)| n.parse().ok());
        let version: Option<i64> = listed.as_ref().map(|line| line.version).or_else(told);
        let language = match &listed {
            Some(line) => workshop::find(&line.language).ok(),
            None if workshop::is_archive(&file.bytes) => language_of(&file.bytes),
            None => workshop::for_file(Path::new(name)).ok(),
        };
        match (account, version, language) {
            (Some(account), Some(version), Some(language)) if version > 0 && !file.bytes.is_empty() => {
                found.push((account.id, version, language.id, name.to_owned(), listed, file));
            }
            _ => strange.push(file.path.clone()),
        }
    }
    strange.extend(index.into_keys());
    found.sort_by_key(|(account, version, ..)| (*version, *account));
    let twice = found.windows(2).filter(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1));
    strange.extend(twice.map(|two| two[1].5.path.clone()));
    if !strange.is_empty() {
        return Err(ImportError::Strange(strange));
    }
    let sources: Vec<ImportedSource<'_>> = found
        .iter()
        .map(|(account, version, language, name, listed, file)| ImportedSource {
            new: NewSubmission {
                contest: contest.number,
                account: *account,
                language,
                file_name: listed.as_ref().map_or(name, |line| &line.file_name),
                source: &file.bytes,
            },
            version: *version,
            submitted: listed.as_ref().map(|line| line.submitted),
        })
        .collect();
    store.import_submissions(&sources).await?;
    Ok(sources.len())
}

/// The language of an archive; where a Makefile may call anything, C.
fn language_of(bytes: &[u8]) -> Option<&'static workshop::Recipe> {
    let project = workshop::Project::read(bytes).ok()?;
    project.language().or_else(|| workshop::find("c").ok())
}

/// The list that goes with exported sources, by path; empty where there is none.
fn read_index(files: &[ArchiveFile]) -> Result<HashMap<String, IndexLine>, ImportError> {
    let Some(file) = files.iter().find(|file| file.path == INDEX) else { return Ok(HashMap::new()) };
    let bytes = file.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.bytes);
    let mut lines = HashMap::new();
    for (line, number) in csv::Reader::from_reader(bytes).into_deserialize().zip(2..) {
        let line: IndexLine = line.map_err(|error| bad_line(number, error))?;
        lines.insert(line.path.clone(), line);
    }
    Ok(lines)
}

/// What a library said of a line; quoted where we speak Chinese.
fn bad_line(line: usize, said: impl std::fmt::Display) -> ImportError {
    ImportError::Line { line, said: Words::new(said.to_string(), format!("无法解析（“{said}”）")) }
}

/// What the export adds to a record.
#[derive(Debug, Deserialize)]
struct Origin {
    #[serde(rename = "match")]
    match_id: i64,
    game: usize,
    kind: String,
    state: String,
    players: Players,
    one: i64,
    black: i64,
}

#[derive(Debug, Deserialize)]
struct Players {
    black: Version,
    white: Version,
}

#[derive(Debug, Deserialize)]
struct Version {
    id: String,
    version: i64,
}

/// A match as its games come in.
struct Pending {
    id: i64,
    line: usize,
    made: ImportedMatch,
}

/// Takes records in that were exported, once the sources are there: every game is played through the rules again, and
/// matches that are over count as if they had been played here.
pub async fn import_records(
    store: &Store,
    contest: &Contest,
    mut from: impl BufRead,
) -> Result<ImportedRecords, ImportError> {
    let versions = store.versions(contest.number).await?;
    let mut imported = ImportedRecords::default();
    let (mut done, mut pending): (Vec<ImportedMatch>, Option<Pending>) = (Vec::new(), None);
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        if std::io::Read::take(&mut from, LONGEST_LINE).read_until(b'\n', &mut text)? == 0 {
            break;
        }
        if text.trim_ascii().is_empty() {
            continue;
        }
        let (origin, game, at) = read_line(contest, &text).map_err(|said| ImportError::Line { line, said })?;
        if origin.state != "done" {
            imported.left_out += 1;
            continue;
        }
        let find = |version: &Version| {
            versions.get(&(version.id.clone(), version.version)).copied().ok_or_else(|| {
                let Version { id, version } = version;
                if let Some(builtin) = id.strip_prefix(BUILT_IN) {
                    let said = Words::new(
                        format!("{builtin} is no reference opponent of this contest: choose it first"),
                        format!("本比赛没有选用内置棋手 {builtin}：请先把它设为参照对手"),
                    );
                    return ImportError::Line { line, said };
                }
                let said = Words::new(
                    format!("version {version} of {id} is not here: import the sources first"),
                    format!("没有 {id} 的第 {version} 版：请先导入源代码"),
                );
                ImportError::Line { line, said }
            })
        };
        let (black, white) = (find(&origin.players.black)?, find(&origin.players.white)?);
        let players = if game.one_is_black { [black, white] } else { [white, black] };
        if pending.as_ref().is_none_or(|pending| pending.id != origin.match_id) {
            finish(contest, pending.take(), &mut done)?;
            let made = ImportedMatch { kind: origin.kind.clone(), versions: players, games: Vec::new() };
            pending = Some(Pending { id: origin.match_id, line, made });
        }
        let Some(pending) = pending.as_mut() else { continue };
        if pending.made.versions != players || pending.made.games.len() != origin.game {
            let said = Words::new("the games of a match are not in their order", "一场比赛的各局顺序不对");
            return Err(ImportError::Line { line, said });
        }
        pending.made.games.push((game, at));
    }
    finish(contest, pending, &mut done)?;
    imported.matches = store.import_matches(contest.number, &done).await?;
    imported.known = done.len() - imported.matches;
    Ok(imported)
}

/// A match is complete, or the file is not.
fn finish(contest: &Contest, pending: Option<Pending>, done: &mut Vec<ImportedMatch>) -> Result<(), ImportError> {
    let Some(Pending { line, made, .. }) = pending else { return Ok(()) };
    let (has, wants) = (made.games.len(), contest.rules.games_of_a_match() as usize);
    if has != wants {
        let said = Words::new(
            format!("the match that begins here has {has} games; one of this contest has {wants}"),
            format!("从这里开始的一场比赛有 {has} 局，而本比赛每场应有 {wants} 局"),
        );
        return Err(ImportError::Line { line, said });
    }
    done.push(made);
    Ok(())
}

/// A record and where it comes from.
fn read_line(contest: &Contest, text: &[u8]) -> Result<(Origin, NewGame, i64), Words> {
    let quoted = |said: String| Words::new(said.clone(), format!("无法解析（“{said}”）"));
    let mut record = Record::from_json(text).map_err(|error| Words::said(|language| error.say(language)))?;
    let origin = record.more.remove("course").unwrap_or_default();
    if origin.is_null() {
        return Err(Words::new("this record is of no course", "这不是课程导出的棋谱"));
    }
    let origin: Origin = serde_json::from_value(origin).map_err(|error| quoted(error.to_string()))?;
    if record.game != contest.game || record.variant != contest.variant {
        return Err(Words::new("this is a record of another game or variant", "这是其他棋种或规则的棋谱"));
    }
    if !["ladder", "challenge"].contains(&origin.kind.as_str()) {
        return Err(quoted(format!("kind {}", origin.kind)));
    }
    let table = record.replay().map_err(|error| Words::said(|language| error.say(language)))?;
    let Some(verdict) = record.verdict.as_ref().filter(|verdict| verdict.counts) else {
        return Err(Words::new("this game has no result", "这局没有结果"));
    };
    let at = record.date.as_deref().and_then(|date| date.parse::<jiff::Timestamp>().ok());
    let ms: u64 = record.plies.iter().filter_map(|ply| ply.ms).sum();
    let game = NewGame {
        one_is_black: origin.one == origin.black,
        winner: verdict.winner,
        reason: verdict.reason.clone(),
        plies: table.plies(),
        ms: ms as i64,
        machine_ms: 0,
        record: serde_json::to_string(&record).unwrap_or_default(),
        used: [Used::default(); 2],
        memory: Vec::new(),
        logs: Side::BOTH.map(|_| Vec::new()),
    };
    Ok((origin, game, at.map_or_else(crate::now, jiff::Timestamp::as_millisecond)))
}

impl ImportError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Store(error)) => format!("数据库出错（“{error}”）"),
            (Language::Zh, Self::System(error)) => format!("无法读取文件（“{error}”）"),
            (Language::Zh, Self::Strange(paths)) => {
                format!("有 {} 个文件不符合“班级/学号-姓名/vN.扩展名”的形式，或没有这个学生或语言", paths.len())
            }
            (Language::Zh, Self::Line { line, said }) => format!("第 {line} 行：{}", said.zh),
        }
    }
}

//! What has been played, on disk before it counts.
//!
//! One file, one line a game: its number in the schedule, who played, the whole record, and a checksum over this line
//! and the one before it. A line is either there in full or it is not: a torn last line, left by a power cut, is
//! dropped when the journal is opened, and that game is played again.
//!
//! Whoever reads a journal replays every record through the rules. The checksum finds what was changed, removed,
//! doubled or moved; it is no signature, and the rules stand behind it. Older journals have no checksums and are read
//! for ever.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use games::Language;
use records::{Record, ReplayError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// Its number in the schedule.
    pub number: u64,
    /// The entrant on the first seat.
    pub black: usize,
    /// The entrant on the second seat.
    pub white: usize,
    /// The game.
    pub record: Record,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.say(Language::En))]
pub enum JournalError {
    /// The system refused.
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Somebody else writes to it.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A line is not what was written there.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What can be wrong with a line.
#[derive(Debug)]
pub enum Problem {
    /// It is no finished game.
    Unreadable(serde_json::Error),
    /// Its checksum is of other lines.
    Checksum,
    /// It has no checksum, and lines before it have one.
    NoChecksum,
    /// It gives a game another end than a line before it.
    Twice {
        /// The game's number in the schedule.
        number: u64,
        /// That line.
        first: usize,
    },
    /// Its record is not true by the rules.
    Record(Box<ReplayError>),
}

impl JournalError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::System { path, error }, _) => format!("{}: {error}", path.display()),
            (Self::Busy { path }, Language::En) => format!("{}: another boyi is playing it", path.display()),
            (Self::Busy { path }, Language::Zh) => format!("{}：另一个 boyi 正在进行这场比赛", path.display()),
            (Self::Damaged { path, line, problem }, Language::En) => {
                format!("{}, line {line}: {}", path.display(), problem.say(language))
            }
            (Self::Damaged { path, line, problem }, Language::Zh) => {
                format!("{} 第 {line} 行：{}", path.display(), problem.say(language))
            }
        }
    }
}

impl Problem {
    fn say(&self, language: Language) -> String {
        match (self, language) {
            (Self::Unreadable(error), Language::En) => format!("not a finished game ({error})"),
            (Self::Unreadable(error), Language::Zh) => format!("不是一局对局的记录（{error}）"),
            (Self::Checksum, Language::En) => {
                "its checksum is wrong: this line was changed, or lines before it were changed, removed or moved"
                    .to_owned()
            }
            (Self::Checksum, Language::Zh) => "校验和不符：此行被改动，或之前的行被改动、删除或调换".to_owned(),
            (Self::NoChecksum, Language::En) => {
                "it has no checksum, but lines before it have one: it was changed, or added by an older boyi".to_owned()
            }
            (Self::NoChecksum, Language::Zh) => "没有校验和，而之前的行有：此行被改动，或由旧版 boyi 追加".to_owned(),
            (Self::Twice { number, first }, Language::En) => {
                format!("game {number} is in line {first} already, with another end")
            }
            (Self::Twice { number, first }, Language::Zh) => format!("第 {first} 行已有对局 {number}，结局不同"),
            (Self::Record(error), Language::En) => format!("the record is wrong: {}", error.say(language)),
            (Self::Record(error), Language::Zh) => format!("棋谱有误：{}", error.say(language)),
        }
    }
}

/// The journal of a tournament.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The bytes of whole lines, and the checksum of the last one.
    length: u64,
    chain: String,
    unchecked: usize,
    /// Held while the journal is: lines of two writers would not follow each other.
    _lock: File,
}

/// The journal's name in a tournament's folder.
const NAME: &str = "journal.jsonl";
/// What is locked while somebody writes. Not the journal itself: some systems would let nobody read it then.
const LOCK: &str = "journal.lock";
/// What stands before a line's checksum.
const CHECK: &str = ",\"check\":\"";
/// How many hexadecimal digits a checksum has.
const DIGITS: usize = 32;

/// The checksum of a line that follows the one with the checksum `before`.
fn checksum(before: &str, body: &[u8]) -> String {
    let digest = Sha256::new().chain_update(before).chain_update(body).finalize();
    let hex: String = digest.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect();
    hex
}

/// The line without its checksum, as an older boyi would have written it, and the checksum if it has one.
fn taken_apart(line: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let end = CHECK.len() + DIGITS + 2;
    let cut = line.len().checked_sub(end).map(|at| line.split_at(at));
    let found = cut.and_then(|(body, rest)| Some((body, rest.strip_prefix(CHECK.as_bytes())?.strip_suffix(b"\"}")?)));
    match found {
        Some((body, check)) => ([body, b"}"].concat(), Some(check)),
        None => (line.to_vec(), None),
    }
}

/// What a walk through a journal has seen.
#[derive(Default)]
struct Walk {
    /// The bytes of whole lines.
    length: u64,
    chain: String,
    unchecked: usize,
    checked: bool,
    /// The line of each game, and how it ended there.
    games: HashMap<u64, (usize, Outcome)>,
}

/// All of a line that counts.
type Outcome = (usize, usize, Option<(Option<games::Side>, bool)>);

impl Walk {
    /// Hands out the games of whole lines, one after the other, each once. The records are played through the rules
    /// unless that has been done.
    fn through(
        &mut self,
        path: &Path,
        file: impl Read,
        replay: bool,
        mut each: impl FnMut(Finished),
    ) -> Result<(), JournalError> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            let count = reader
                .read_until(b'\n', &mut line)
                .map_err(|error| JournalError::System { path: path.to_owned(), error })?;
            // Nothing more, or the torn beginning of a game that never counted.
            if line.pop() != Some(b'\n') {
                return Ok(());
            }
            number += 1;
            let finished = self.line(number, &line, replay).map_err(|problem| JournalError::Damaged {
                path: path.to_owned(),
                line: number,
                problem,
            })?;
            self.length += count as u64;
            if let Some(finished) = finished {
                each(finished);
            }
        }
    }

    /// The game of a line; nothing when a line before it has it already.
    fn line(&mut self, line: usize, bytes: &[u8], replay: bool) -> Result<Option<Finished>, Problem> {
        let finished: Finished = serde_json::from_slice(bytes).map_err(Problem::Unreadable)?;
        let (body, check) = taken_apart(bytes);
        self.chain = checksum(&self.chain, &body);
        match check {
            Some(check) if check != self.chain.as_bytes() => return Err(Problem::Checksum),
            None if self.checked => return Err(Problem::NoChecksum),
            Some(_) => self.checked = true,
            None => self.unchecked += 1,
        }
        if replay {
            finished.record.replay().map_err(|error| Problem::Record(Box::new(error)))?;
        }
        let verdict = finished.record.verdict.as_ref().map(|verdict| (verdict.winner, verdict.counts));
        let outcome = (finished.black, finished.white, verdict);
        let (first, known) = *self.games.entry(finished.number).or_insert((line, outcome));
        if known != outcome {
            return Err(Problem::Twice { number: finished.number, first });
        }
        Ok((first == line).then_some(finished))
    }
}

impl Journal {
    /// Opens or makes the journal of a folder and hands out the games already in it, one after the other.
    pub fn open(folder: &Path, each: impl FnMut(Finished)) -> Result<Self, JournalError> {
        let path = folder.join(NAME);
        let failed = |error| JournalError::System { path: path.clone(), error };
        let mut making = OpenOptions::new();
        making.read(true).write(true).create(true).truncate(false);
        let lock = making.open(folder.join(LOCK)).map_err(failed)?;
        // A file system without locks cannot tell.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(JournalError::Busy { path });
        }
        let mut file = making.open(&path).map_err(failed)?;
        let mut walk = Walk::default();
        walk.through(&path, &mut file, true, each)?;
        file.set_len(walk.length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        // The file's own name must be on disk before its first line counts.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        Ok(Self { file, path, length: walk.length, chain: walk.chain, unchecked: walk.unchecked, _lock: lock })
    }

    /// Reads the games of a folder without changing anything, and gives how many lines have no checksum.
    pub fn read(folder: &Path, each: impl FnMut(Finished)) -> Result<usize, JournalError> {
        Self::look(folder, true, each)
    }

    /// Reads once more what [`read`](Self::read) has just been through: the rules need not say it twice.
    pub(crate) fn read_again(folder: &Path, each: impl FnMut(Finished)) -> Result<(), JournalError> {
        Self::look(folder, false, each).map(drop)
    }

    fn look(folder: &Path, replay: bool, each: impl FnMut(Finished)) -> Result<usize, JournalError> {
        let path = folder.join(NAME);
        let file = File::open(&path).map_err(|error| JournalError::System { path: path.clone(), error })?;
        let mut walk = Walk::default();
        walk.through(&path, file, replay, each)?;
        Ok(walk.unchecked)
    }

    /// How many of the lines it was opened with have no checksum: they are of an older boyi.
    #[must_use]
    pub const fn unchecked(&self) -> usize {
        self.unchecked
    }

    /// Adds games; when this returns they are on disk. Several at once share the cost of reaching it.
    pub fn add(&mut self, games: &[Finished]) -> Result<(), JournalError> {
        let (mut bytes, mut chain) = (Vec::new(), self.chain.clone());
        for game in games {
            // A record is plain data: it always has a text.
            let Ok(mut line) = serde_json::to_vec(game) else { continue };
            chain = checksum(&chain, &line);
            line.pop();
            bytes.extend_from_slice(&line);
            bytes.extend_from_slice(format!("{CHECK}{chain}\"}}\n").as_bytes());
        }
        if let Err(error) = self.file.write_all(&bytes).and_then(|()| self.file.sync_data()) {
            // Whatever comes next must not follow half a line.
            let _ = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::End(0)).map(drop));
            return Err(JournalError::System { path: self.path.clone(), error });
        }
        self.length += bytes.len() as u64;
        self.chain = chain;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64) -> Finished {
        Finished { number, black: 0, white: 1, record: Record::new("nogo", serde_json::Value::Null) }
    }

    fn numbers(folder: &Path) -> Vec<u64> {
        let mut numbers = Vec::new();
        Journal::open(folder, |finished| numbers.push(finished.number)).unwrap();
        numbers
    }

    #[test]
    fn a_torn_line_is_dropped_wherever_it_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let mut journal = Journal::open(folder.path(), |_| {}).unwrap();
        journal.add(&[game(1), game(2)]).unwrap();
        journal.add(&[game(3)]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> =
            whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let kept = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(numbers(folder.path()).len(), kept, "cut at {cut}");
            // Opened once more, it is as if the torn line had never been.
            assert_eq!(numbers(folder.path()), (1..=kept as u64).collect::<Vec<_>>());
        }
    }

    #[test]
    fn damage_in_the_middle_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), "{\"number\":1\n{}\n").unwrap();
        let error = Journal::open(folder.path(), |_| {}).unwrap_err();
        assert!(error.to_string().contains("line 1"), "{error}");
    }

    #[test]
    fn an_older_journal_is_read_and_goes_on_with_checksums() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let old: String = (1..3).map(|number| serde_json::to_string(&game(number)).unwrap() + "\n").collect();
        std::fs::write(&path, &old).unwrap();
        let mut journal = Journal::open(folder.path(), |_| {}).unwrap();
        assert_eq!(journal.unchecked(), 2);
        journal.add(&[game(3)]).unwrap();
        drop(journal);
        assert_eq!(Journal::read(folder.path(), |_| {}).unwrap(), 2);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&old) && text.contains(CHECK), "{text}");
        // From here on the old lines are covered, too, and none without a checksum may follow.
        std::fs::write(&path, text.replacen("\"white\":1", "\"white\":2", 1)).unwrap();
        assert!(Journal::read(folder.path(), |_| {}).unwrap_err().to_string().contains("line 3: its checksum"));
        std::fs::write(&path, format!("{text}{}\n", serde_json::to_string(&game(4)).unwrap())).unwrap();
        assert!(Journal::open(folder.path(), |_| {}).unwrap_err().say(Language::Zh).contains("第 4 行：没有校验和"));
    }

    #[test]
    fn two_cannot_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let first = Journal::open(folder.path(), |_| {}).unwrap();
        assert!(matches!(Journal::open(folder.path(), |_| {}), Err(JournalError::Busy { .. })));
        assert!(Journal::read(folder.path(), |_| {}).is_ok(), "looking on is for everybody");
        drop(first);
        Journal::open(folder.path(), |_| {}).unwrap();
    }
}

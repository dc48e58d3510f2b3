//! What has been played, on disk before it counts.
//!
//! One file, one line a game: its number in the schedule, who played, and the whole record. A line is either there in full or
//! it is not: a torn last line, left by a power cut, is dropped when the journal is opened, and that game is played again.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use records::Record;
use serde::{Deserialize, Serialize};

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
pub enum JournalError {
    /// The system refused.
    #[error("{path}: {error}")]
    System {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A line that is not the last is not a finished game.
    #[error("{path}, line {line}: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// The journal of a tournament.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// The journal's name in a tournament's folder.
const NAME: &str = "journal.jsonl";

impl Journal {
    /// Opens or makes the journal of a folder and hands out the games already in it, one after the other.
    pub fn open(folder: &Path, mut each: impl FnMut(Finished)) -> Result<Self, JournalError> {
        let path = folder.join(NAME);
        let failed = |error| JournalError::System { path: path.clone(), error };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        let mut reader = BufReader::new(&mut file);
        let (mut line, mut number, mut good_until) = (Vec::new(), 0, 0_u64);
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line).map_err(failed)?;
            // Nothing more, or the torn beginning of a game that never counted.
            if count == 0 || !line.ends_with(b"\n") {
                break;
            }
            number += 1;
            match serde_json::from_slice(&line) {
                Ok(finished) => each(finished),
                Err(problem) => {
                    return Err(JournalError::Damaged { path, line: number, problem: problem.to_string() });
                }
            }
            good_until += count as u64;
        }
        file.set_len(good_until).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        // The file's own name must be on disk before its first line counts.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        Ok(Self { file, path })
    }

    /// Reads the games of a folder without changing anything.
    pub fn read(folder: &Path, mut each: impl FnMut(Finished)) -> Result<(), JournalError> {
        let path = folder.join(NAME);
        let file = File::open(&path).map_err(|error| JournalError::System { path: path.clone(), error })?;
        for line in BufReader::new(file).lines() {
            let line = line.map_err(|error| JournalError::System { path: path.clone(), error })?;
            // A torn last line has not counted.
            if let Ok(finished) = serde_json::from_str(&line) {
                each(finished);
            }
        }
        Ok(())
    }

    /// Adds games; when this returns they are on disk. Several at once share the cost of reaching it.
    pub fn add(&mut self, games: &[Finished]) -> Result<(), JournalError> {
        let mut bytes = Vec::new();
        for game in games {
            // A record is plain data: it always has a text.
            if serde_json::to_writer(&mut bytes, game).is_ok() {
                bytes.push(b'\n');
            }
        }
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.map_err(|error| JournalError::System { path: self.path.clone(), error })
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
}

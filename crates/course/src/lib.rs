//! The course judge: accounts, contests, submissions, the ladder, and the workers that compile and play.
//!
//! One SQLite file ([`Store`]) is the truth; the server and `boyi admin` use it at the same time. Every step is one
//! transaction: a result is written together with the end of its lease, so that a crash loses nothing and counts
//! nothing twice. [`ladder`] is pure, [`Board`] is what is kept of it in memory, [`judge`] are the workers.
//!
//! This crate depends on every room below the server: `workshop` builds what students send, `referee` plays it in the
//! `sandbox`, `checker` explains what is wrong with it, `tournament` brings the statistics. The pages' side is in
//! `arena`.
//!
//! Read [`ladder`] first, then `store/schema.rs`.

mod account;
mod backup;
mod board;
mod contest;
mod export;
mod import;
pub mod judge;
pub mod ladder;
mod roster;
mod secret;
mod start;
mod store;
mod words;

pub use account::{Account, Guard, Passwords, Role, Slow, clean, password_problem, read_groups};
pub use backup::{BackupError, backup, restore};
pub use board::{Against, Board, Boards, Cell, Rating, ScoreRow};
pub use contest::{
    Audience, Contest, Phase, Rules, Sight, StartingPosition, Visibility, check_references, check_rules, read_slug,
};
pub use export::{grades, source_files};
pub use import::{ImportError, ImportedRecords, import_records, import_sources};
pub use roster::{Roster, RosterEntry, RosterError, RosterProblem, read_roster};
pub use secret::{hash_token, looks_like_code, new_code, new_token, read_code};
pub use store::*;
pub use words::Words;
pub use workshop::{ArchiveBounds, ArchiveError, ArchiveFile, read_archive, write_zip};

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> i64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

//! Copies of everything a server keeps, made while it runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use crate::store::FILE;

/// The files of a data folder that cannot be made anew: rooms and course. Built programs are made from sources again.
const FILES: [&str; 2] = ["boyi.sqlite", FILE];

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database says no.
    #[error("{}: {said}", .file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// What it said.
        said: String,
    },
    /// The system says no.
    #[error("{}: {said}", .file.display())]
    System {
        /// The file.
        file: PathBuf,
        /// What it said.
        said: std::io::Error,
    },
    /// There is something already.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// There is nothing to copy.
    #[error("there is no boyi data in {}", .0.display())]
    Nothing(PathBuf),
    /// A server uses the folder.
    #[error("a server uses {}: stop it first", .0.display())]
    InUse(PathBuf),
}

/// Copies the data of a folder into a new folder, also while a server uses it. The copy is there whole or not at all.
pub async fn backup(folder: &Path, target: &Path) -> Result<Vec<PathBuf>, BackupError> {
    copy(folder, target).await
}

/// Puts a copy in place of a data folder that is empty or not there.
pub async fn restore(copy_folder: &Path, folder: &Path) -> Result<Vec<PathBuf>, BackupError> {
    if vault::is_used(folder) {
        return Err(BackupError::InUse(folder.to_owned()));
    }
    for name in FILES {
        if folder.join(name).exists() {
            return Err(BackupError::Exists(folder.join(name)));
        }
    }
    let made = copy(copy_folder, &folder.with_extension("restoring")).await?;
    let system = |file: &Path| {
        let file = file.to_owned();
        move |said| BackupError::System { file, said }
    };
    vault::close_folder(folder).map_err(system(folder))?;
    let mut placed = Vec::new();
    for file in made {
        let target = folder.join(file.file_name().unwrap_or_default());
        std::fs::rename(&file, &target).map_err(system(&target))?;
        placed.push(target);
    }
    let _ = std::fs::remove_dir(folder.with_extension("restoring"));
    Ok(placed)
}

async fn copy(from: &Path, to: &Path) -> Result<Vec<PathBuf>, BackupError> {
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let found: Vec<&str> = FILES.into_iter().filter(|name| from.join(name).is_file()).collect();
    if found.is_empty() {
        return Err(BackupError::Nothing(from.to_owned()));
    }
    let unfinished = to.with_extension("unfinished");
    let system = |file: &Path| {
        let file = file.to_owned();
        move |said| BackupError::System { file, said }
    };
    if unfinished.exists() {
        std::fs::remove_dir_all(&unfinished).map_err(system(&unfinished))?;
    }
    vault::close_folder(&unfinished).map_err(system(&unfinished))?;
    for name in &found {
        copy_database(&from.join(name), &unfinished.join(name)).await?;
    }
    std::fs::rename(&unfinished, to).map_err(system(to))?;
    Ok(found.into_iter().map(|name| to.join(name)).collect())
}

/// One moment of a database into a new file, which is then read through.
async fn copy_database(from: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |error: sqlx::Error| BackupError::Database { file, said: error.to_string() }
    };
    let open = |file: &Path| {
        SqliteConnectOptions::new().filename(file).busy_timeout(Duration::from_secs(30)).disable_statement_logging()
    };
    let mut connection = open(from).connect().await.map_err(failed(from))?;
    // SQLite takes an empty file for the copy and leaves its mode as it is.
    vault::close_file(to).map_err(|said| BackupError::System { file: to.to_owned(), said })?;
    let name = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO ?").bind(name).execute(&mut connection).await.map_err(failed(from))?;
    connection.close().await.map_err(failed(from))?;
    let mut copied = open(to).read_only(true).connect().await.map_err(failed(to))?;
    let checked: String =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut copied).await.map_err(failed(to))?;
    copied.close().await.map_err(failed(to))?;
    if checked != "ok" {
        return Err(BackupError::Database { file: to.to_owned(), said: checked });
    }
    std::fs::File::open(to)
        .and_then(|file| file.sync_all())
        .map_err(|said| BackupError::System { file: to.to_owned(), said })
}

//! `boyi admin export|import|backup|restore`

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use course::{ArchiveBounds, BackupError, Boards, ImportError, ImportedRecords, Store};
use games::{Language, Phrase};

use super::{contest, contest_argument};
use crate::context::Context;

fn file(name: &'static str, language: Language) -> Arg {
    let help = Phrase::new("the file or folder", "文件或目录");
    Arg::new("file").value_name(name).required(true).value_parser(value_parser!(PathBuf)).help(help.text(language))
}

pub(super) fn commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    vec![
        Command::new("backup")
            .about(say(
                "copy everything into a new folder, also while the server runs",
                "把全部数据复制到新目录（服务器运行时也可以）",
            ))
            .arg(file("DIR", language)),
        Command::new("restore")
            .about(say("put a backup into an empty data folder", "把备份恢复到空的数据目录"))
            .arg(file("DIR", language)),
    ]
}

pub(super) fn export_commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let one = |name: &'static str, about: &'static str| {
        Command::new(name).about(about).arg(contest_argument(language)).arg(file("FILE", language))
    };
    vec![
        one("grades", say("the grades as CSV", "成绩（CSV）")),
        one("records", say("every record, one a line", "全部棋谱（每行一局）")),
        one("sources", say("every source as zip", "全部源代码（zip）")),
    ]
}

pub(super) fn import_commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let one = |name: &'static str, about: &'static str| {
        Command::new(name).about(about).arg(contest_argument(language)).arg(file("FILE", language))
    };
    vec![
        one(
            "sources",
            say(
                "take exported sources in (zip or tar.gz), all or nothing",
                "导入导出的源代码（zip 或 tar.gz），要么全部要么都不",
            ),
        ),
        one(
            "records",
            say(
                "take exported records in, once the sources are there: finished matches count and are not played again",
                "导入导出的棋谱（先导入源代码）：已完成的比赛直接计分，不再重赛",
            ),
        ),
    ]
}

fn path(matches: &ArgMatches) -> anyhow::Result<&PathBuf> {
    matches.get_one::<PathBuf>("file").context("no file")
}

pub(super) async fn export(
    context: &Context,
    store: &Store,
    name: &str,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let said = |error: course::StoreError| anyhow!("{error}");
    let contest = contest(context, store, matches).await?;
    let path = path(matches)?;
    match name {
        "grades" => {
            let text = course::grades(store, &Arc::new(Boards::default()), &contest).await.map_err(said)?;
            records::write_atomically(path, text.as_bytes())?;
        }
        "records" => {
            let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
            let mut after = (0, -1);
            loop {
                let rows = store.records_after(contest.number, after, 500).await.map_err(said)?;
                let Some(last) = rows.last() else { break };
                after = (last.0, last.1);
                for (.., record) in &rows {
                    writeln!(out, "{record}")?;
                }
            }
            out.flush()?;
        }
        "sources" => {
            let files = course::source_files(store, &contest).await.map_err(said)?;
            let bytes = course::write_zip(files).map_err(|error| anyhow!(error.say(context.language)))?;
            records::write_atomically(path, &bytes)?;
        }
        _ => bail!("no such subcommand"),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn import(
    context: &Context,
    store: &Store,
    name: &str,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let contest = contest(context, store, matches).await?;
    let path = path(matches)?;
    let done = match name {
        "sources" => {
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            let files = course::read_archive(&bytes, ArchiveBounds::COURSE);
            let files = files.map_err(|error| anyhow!(error.say(context.language)))?;
            course::import_sources(store, &contest, &files).await.map(|count| count.to_string())
        }
        "records" => {
            let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
            let imported = course::import_records(store, &contest, std::io::BufReader::new(file)).await;
            imported.map(|ImportedRecords { matches, known, left_out }| match context.language {
                Language::En => format!("{matches} matches taken, {known} were here, {left_out} games left out"),
                Language::Zh => format!("导入 {matches} 场，已有 {known} 场，略过 {left_out} 局"),
            })
        }
        _ => bail!("no such subcommand"),
    };
    match done {
        Ok(told) => {
            writeln!(anstream::stdout().lock(), "{told}")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let mut err = anstream::stderr().lock();
            let told = context.text(Phrase::new("nothing was taken", "未导入"));
            writeln!(err, "{told}: {}", error.say(context.language))?;
            if let ImportError::Strange(paths) = &error {
                for path in paths.iter().take(50) {
                    writeln!(err, "  {path}")?;
                }
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// What went wrong with a backup, for a person.
fn say(context: &Context, error: &BackupError) -> anyhow::Error {
    match (context.language, error) {
        (Language::En, _) => anyhow!("{error}"),
        (Language::Zh, BackupError::Exists(path)) => anyhow!("{} 已存在", path.display()),
        (Language::Zh, BackupError::Nothing(path)) => anyhow!("{} 中没有 boyi 数据", path.display()),
        (Language::Zh, BackupError::InUse(path)) => anyhow!("服务器正在使用 {}：请先停止服务器", path.display()),
        (Language::Zh, BackupError::Database { file, said }) => anyhow!("{}：{said}", file.display()),
        (Language::Zh, BackupError::System { file, said }) => anyhow!("{}：{said}", file.display()),
    }
}

fn list(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    for file in files {
        writeln!(out, "{}", file.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn backup(context: &Context, matches: &ArgMatches, folder: &Path) -> anyhow::Result<ExitCode> {
    list(&course::backup(folder, path(matches)?).await.map_err(|error| say(context, &error))?)
}

pub(super) async fn restore(context: &Context, matches: &ArgMatches, folder: &Path) -> anyhow::Result<ExitCode> {
    list(&course::restore(path(matches)?, folder).await.map_err(|error| say(context, &error))?)
}

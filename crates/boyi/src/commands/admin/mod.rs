//! `boyi admin`: a course from the shell, also while its server runs.

mod contests;
mod data;
mod submissions;
mod users;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::{Arg, ArgMatches, Command, value_parser};
use course::{Contest, Store};
use games::{Language, Phrase};

use crate::context::Context;
use crate::{cli, data_folder};

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let data = Arg::new("data")
        .long("data")
        .global(true)
        .value_name("DIR")
        .default_value("boyi-data")
        .value_parser(value_parser!(PathBuf))
        .help(say("folder of the store", "数据目录"));
    let group = |name: &'static str, about: &'static str, commands: Vec<Command>| {
        let command = Command::new(name).about(about).subcommand_required(true).arg_required_else_help(true);
        cli::localised(command.subcommands(commands.into_iter().map(|one| cli::localised(one, language))), language)
    };
    Command::new("admin")
        .about(say("Run a course: accounts, contests, grades, backups", "管理课程：账号、比赛、成绩、备份"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(data)
        .subcommand(group("user", say("accounts", "账号"), users::commands(language)))
        .subcommand(group("contest", say("contests", "比赛"), contests::commands(language)))
        .subcommand(group("submission", say("submissions", "提交"), submissions::commands(language)))
        .subcommand(group("export", say("take data home", "导出数据"), data::export_commands(language)))
        .subcommand(group("import", say("bring data back", "导入数据"), data::import_commands(language)))
        .subcommands(data::commands(language).into_iter().map(|one| cli::localised(one, language)))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Some((group, inner)) = matches.subcommand() else { anyhow::bail!("no such subcommand") };
    let folder = matches.get_one::<PathBuf>("data").cloned().unwrap_or_else(|| PathBuf::from("boyi-data"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        match group {
            "backup" => return data::backup(context, inner, &folder).await,
            "restore" => return data::restore(context, inner, &folder).await,
            _ => {}
        }
        // Somebody who forgot `--data` would otherwise fill a second store and look for his students in the first.
        if !folder.exists() {
            let note = match context.language {
                Language::En => {
                    format!("{} was not there; a new store is made in it (--data DIR names another)", folder.display())
                }
                Language::Zh => format!("{} 原先不存在，将在其中新建数据（用 --data 指定其他目录）", folder.display()),
            };
            let _ = writeln!(anstream::stderr().lock(), "boyi: {note}");
        }
        data_folder::close(context, &folder)?;
        let opened = Store::open(&folder).await.map_err(|error| {
            let advice = data_folder::advice(error.cause(), &folder, context.language);
            anyhow!("{error}; {advice}")
        });
        let store = opened.with_context(|| {
            Phrase::new("the data folder cannot be used (--data)", "数据目录不可用（--data）").text(context.language)
        })?;
        let done = match (group, inner.subcommand()) {
            ("user", Some((name, inner))) => users::run(context, &store, name, inner).await,
            ("contest", Some((name, inner))) => contests::run(context, &store, name, inner).await,
            ("submission", Some((name, inner))) => submissions::run(context, &store, name, inner).await,
            ("export", Some((name, inner))) => data::export(context, &store, name, inner).await,
            ("import", Some((name, inner))) => data::import(context, &store, name, inner).await,
            _ => Err(anyhow!("no such subcommand")),
        };
        store.close().await;
        done
    })
}

/// A text argument.
fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// The contest that was named.
async fn contest(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<Contest> {
    let id = text(matches, "contest");
    let found = store.contest(id).await.map_err(|error| anyhow!("{error}"))?;
    let missing = Phrase::new("there is no contest", "没有比赛");
    found.ok_or_else(|| anyhow!("{} {id:?}", context.text(missing)))
}

/// An argument that names a contest.
fn contest_argument(language: Language) -> Arg {
    let help = Phrase::new("the contest's id", "比赛编号");
    Arg::new("contest").value_name("CONTEST").required(true).help(help.text(language))
}

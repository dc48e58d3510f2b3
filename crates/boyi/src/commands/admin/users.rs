//! `boyi admin user …`

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use course::{Account, AccountChange, IssuedCode, NewAccount, Role, Store, read_roster};
use games::{Language, Phrase};

use super::text;
use crate::context::Context;

pub(super) fn commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let name =
        || Arg::new("name").value_name("NAME").required(true).help(say("what is typed to sign in", "登录账号（学号）"));
    let role = |required: bool| {
        Arg::new("role")
            .value_name("student|assistant|admin")
            .value_parser(["student", "assistant", "admin"])
            .hide_possible_values(true)
            .required(required)
            .help(say("what he may do", "身份"))
    };
    vec![
        Command::new("add")
            .about(say("make an account and print its one-time code", "新建账号并打印一次性登录码"))
            .arg(name())
            .arg(Arg::new("person").long("person").value_name("TEXT").help(say("the person's own name", "姓名")))
            .arg(Arg::new("group").long("group").value_name("TEXT").help(say("class or group", "班级")))
            .arg(role(false).long("role").default_value("student")),
        Command::new("import")
            .about(say(
                "take a list of students in (CSV: id, name, group), all or nothing; codes go to stdout as CSV",
                "导入学生名单（CSV：学号、姓名、班级），要么全部导入要么都不导入；一次性登录码以 CSV 写到标准输出",
            ))
            .arg(
                Arg::new("file")
                    .value_name("FILE")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help(say("the list", "名单文件")),
            )
            .arg(Arg::new("dry").long("dry-run").action(ArgAction::SetTrue).help(say("only look", "只检查，不导入"))),
        Command::new("reset")
            .about(say("take a password away and print a new one-time code", "重置密码并打印新的一次性登录码"))
            .arg(name()),
        Command::new("role").about(say("give a role", "设置身份")).arg(name()).arg(role(true)),
        Command::new("group")
            .about(say("put an account into groups instead of those it was in", "更改账号所在的班级或小组"))
            .arg(name())
            .arg(
                Arg::new("group")
                    .value_name("GROUPS")
                    .required(true)
                    .help(say("parted by semicolons; \"\" for none", "用分号隔开；\"\" 表示没有")),
            ),
        Command::new("list").about(say("list accounts", "列出账号")).arg(
            Arg::new("search").long("search").value_name("TEXT").help(say("part of a name", "姓名或账号的一部分")),
        ),
    ]
}

/// The groups that were named, as they are kept.
fn groups(context: &Context, matches: &ArgMatches) -> anyhow::Result<String> {
    let told = Phrase::new(
        "groups are parted by semicolons and have 120 characters at most",
        "多个班级用分号隔开，总共不超过 120 个字符",
    );
    course::read_groups(text(matches, "group")).ok_or_else(|| anyhow!("{}", context.text(told)))
}

pub(super) async fn run(
    context: &Context,
    store: &Store,
    name: &str,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let said = |error: course::StoreError| anyhow!("{error}");
    match name {
        "add" => {
            let role = Role::find(text(matches, "role")).unwrap_or(Role::Student);
            let new = NewAccount {
                name: course::clean(text(matches, "name"), 40).filter(|name| !name.contains(' ')).context("NAME")?,
                person: text(matches, "person").to_owned(),
                group: groups(context, matches)?,
                role,
            };
            let (_, issued) = store.add_account(&new).await.map_err(said)?;
            print_codes(&[issued])?;
        }
        "import" => return import(context, store, matches).await,
        "reset" => {
            let account = account(context, store, matches).await?;
            print_codes(&[store.reset(account.id).await.map_err(said)?])?;
        }
        "role" => {
            let account = account(context, store, matches).await?;
            let role = Role::find(text(matches, "role")).context("role")?;
            store.change_account(account.id, &AccountChange::Role(role)).await.map_err(said)?;
        }
        "group" => {
            let account = account(context, store, matches).await?;
            store.change_account(account.id, &AccountChange::Groups(groups(context, matches)?)).await.map_err(said)?;
        }
        "list" => {
            let mut out = anstream::stdout().lock();
            let mut after = 0;
            loop {
                let piece = store.accounts(text(matches, "search"), None, None, after, 500).await.map_err(said)?;
                let Some(last) = piece.last() else { break };
                after = last.id;
                for account in piece {
                    let Account { name, person, group, nickname, role, first, active, .. } = account;
                    let state = match (active, first) {
                        (false, _) => "off",
                        (true, true) => "new",
                        (true, false) => "ok",
                    };
                    writeln!(out, "{name}\t{person}\t{group}\t{nickname}\t{}\t{state}", role.word())?;
                }
            }
        }
        _ => bail!("no such subcommand"),
    }
    Ok(ExitCode::SUCCESS)
}

async fn account(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<Account> {
    let name = text(matches, "name");
    let found = store.account_named(name).await.map_err(|error| anyhow!("{error}"))?;
    let missing = Phrase::new("there is no account", "没有账号");
    Ok(found.ok_or_else(|| anyhow!("{} {name:?}", context.text(missing)))?.0)
}

/// Codes are told once: a CSV that can be printed.
fn print_codes(codes: &[IssuedCode]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "id,name,group,code")?;
    for IssuedCode { name, person, group, code, .. } in codes {
        let quoted = [name, person, group].map(|text| match text.contains([',', '"']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        });
        writeln!(out, "{},{code}", quoted.join(","))?;
    }
    Ok(out.flush()?)
}

async fn import(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let file = matches.get_one::<PathBuf>("file").context("no file")?;
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    let mut err = anstream::stderr().lock();
    let roster = match read_roster(&bytes) {
        Ok(roster) => roster,
        Err(error) => {
            for problem in &error.problems {
                let line = problem.line;
                let said = problem.message.text(context.language);
                match context.language {
                    Language::En => writeln!(err, "line {line}: {said}")?,
                    Language::Zh => writeln!(err, "第 {line} 行：{said}")?,
                }
            }
            if error.more > 0 {
                writeln!(err, "… {}", error.more)?;
            }
            writeln!(err, "{}", context.text(Phrase::new("nothing was taken", "名单未导入")))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    let said = |error: course::StoreError| anyhow!("{error}");
    let imported = match matches.get_flag("dry") {
        true => store.compare(&roster.entries).await.map_err(said)?,
        false => store.import(&roster.entries).await.map_err(said)?,
    };
    let (added, updated, unchanged) = (imported.added, imported.updated, imported.unchanged);
    match context.language {
        Language::En => writeln!(err, "{added} new, {updated} changed, {unchanged} as they were")?,
        Language::Zh => writeln!(err, "新增 {added} 人，更新 {updated} 人，未变 {unchanged} 人")?,
    }
    if !matches.get_flag("dry") {
        print_codes(&imported.codes)?;
    }
    Ok(ExitCode::SUCCESS)
}

//! `boyi admin submission …`

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use course::{Store, SubmissionRow, Wanted};
use games::{Language, Phrase};

use super::{contest, contest_argument, text};
use crate::context::Context;

pub(super) fn commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let number = || {
        Arg::new("number")
            .value_name("N")
            .required(true)
            .value_parser(value_parser!(i64))
            .help(say("the submission's number, as in its address", "提交编号（见其网址）"))
    };
    vec![
        Command::new("list")
            .about(say("list the submissions of a contest, the newest first", "列出比赛的提交，最新的在前"))
            .arg(contest_argument(language))
            .arg(Arg::new("user").long("user").value_name("NAME").help(say("of this account only", "只列出该账号的"))),
        Command::new("disqualify")
            .about(say("take a submission out of the ladder", "取消提交的资格"))
            .arg(number())
            .arg(Arg::new("reason").value_name("REASON").required(true).help(say("why", "原因"))),
        Command::new("readmit")
            .about(say("let a disqualified submission in again", "恢复被取消资格的提交"))
            .arg(number()),
        Command::new("rejudge")
            .about(say("build a submission and play its matches again", "重新编译并重赛该提交"))
            .arg(number()),
    ]
}

async fn submission(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<SubmissionRow> {
    let number = matches.get_one::<i64>("number").copied().unwrap_or_default();
    let found = store.submission(number).await.map_err(|error| anyhow!("{error}"))?;
    let missing = Phrase::new("there is no submission", "没有提交");
    found.ok_or_else(|| anyhow!("{} {number}", context.text(missing)))
}

pub(super) async fn run(
    context: &Context,
    store: &Store,
    name: &str,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let said = |error: course::StoreError| anyhow!("{error}");
    match name {
        "list" => list(context, store, matches).await?,
        "disqualify" => {
            let row = submission(context, store, matches).await?;
            let Some(reason) = course::clean(text(matches, "reason"), 200) else {
                bail!("{}", context.text(Phrase::new("REASON: 1 to 200 characters", "REASON：1 到 200 个字符")));
            };
            store.disqualify(&row, Some(&reason)).await.map_err(said)?;
        }
        "readmit" => {
            let row = submission(context, store, matches).await?;
            if row.disqualified.is_none() {
                bail!("{}", context.text(Phrase::new("it is not disqualified", "该提交未被取消资格")));
            }
            store.disqualify(&row, None).await.map_err(said)?;
        }
        "rejudge" => {
            let row = submission(context, store, matches).await?;
            if !store.is_current(&row).await.map_err(said)? {
                let told = Phrase::new(
                    "only the version that counts, or the newest, is judged again",
                    "只有计分的版本或最新版本可以重新评测",
                );
                bail!("{}", context.text(told));
            }
            store.rejudge(&row).await.map_err(said)?;
        }
        _ => bail!("no such subcommand"),
    }
    Ok(ExitCode::SUCCESS)
}

/// One a line: number, nickname, version, language, state, whether it counts, and why it was taken out.
async fn list(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<()> {
    let said = |error: course::StoreError| anyhow!("{error}");
    let contest = contest(context, store, matches).await?;
    let account = match matches.get_one::<String>("user") {
        None => None,
        Some(name) => {
            let missing = || anyhow!("{} {name:?}", context.text(Phrase::new("there is no account", "没有账号")));
            Some(store.account_named(name).await.map_err(said)?.ok_or_else(missing)?.0.id)
        }
    };
    let mut out = anstream::stdout().lock();
    let mut before = None;
    loop {
        let wanted = Wanted { account, before, limit: 500, ..Wanted::default() };
        let rows = store.submissions(contest.number, &wanted).await.map_err(said)?;
        let Some(last) = rows.last() else { break };
        before = Some(last.id);
        for row in rows {
            let counts = if row.counts { "counts" } else { "-" };
            let (state, why) = (row.state.word(), row.disqualified.unwrap_or_default());
            writeln!(out, "{}\t{}\t{}\t{}\t{state}\t{counts}\t{why}", row.id, row.nickname, row.version, row.language)?;
        }
    }
    Ok(())
}

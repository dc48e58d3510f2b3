//! `boyi tournament report`: a tournament or match as one page.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context as _;
use clap::{Arg, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use tournament::report::{self, Choices, ReportError, Subject, USUAL_REPLAYS, Written};

use super::tournament as events;
use crate::context::Context;
use crate::{cli, contest, outcome};

/// The report's name in a contest's folder.
const NAME: &str = "report.html";

pub(super) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("report")
        .about(say(
            "The report of a tournament or match: one HTML file with tables and all games",
            "生成赛事或 match 的报告：单个 HTML 文件，含各表与全部对局",
        ))
        .arg(
            Arg::new("dir").value_name("DIR").required(true).help(say(
                "the folder of a tournament, or of `boyi match --dir`",
                "赛事目录，或 boyi match --dir 的目录",
            )),
        )
        .arg(Arg::new("output").short('o').long("output").value_name("FILE").help(say(
            "where to write it (`-`: stdout) [default: DIR/report.html]",
            "输出文件（- 为标准输出）[缺省：DIR/report.html]",
        )))
        .arg(
            Arg::new("replays")
                .long("replays")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help(say("how many games bring their boards [default: 2000]", "含棋盘回放的局数 [缺省：2000]")),
        )
        .arg(cli::json_argument(language))
}

/// `--no-report`, of the commands that write one when they have finished.
pub(super) fn no_report_argument(language: Language) -> Arg {
    let help = Phrase::new("write no report.html at the end", "结束时不生成 report.html");
    Arg::new("no-report").long("no-report").action(clap::ArgAction::SetTrue).help(help.text(language))
}

/// The report that was asked for.
pub(super) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<()> {
    let folder = Path::new(matches.get_one::<String>("dir").context("DIR")?);
    let replays = matches.get_one::<usize>("replays").copied().unwrap_or(USUAL_REPLAYS);
    match matches.get_one::<String>("output").map(String::as_str) {
        Some("-") => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let written = write(context, folder, replays, &mut out)?;
            out.flush()?;
            contest::say_unchecked(context, folder, written.unchecked);
        }
        output => {
            let path = output.map_or_else(|| folder.join(NAME), Into::into);
            let written = write_file(context, folder, replays, &path)?;
            let mut out = std::io::stdout().lock();
            if context.json {
                let path = path.display().to_string();
                let Written { games, replays, .. } = written;
                writeln!(
                    out,
                    "{}",
                    serde_json::json!({ "event": "report", "version": 1, "path": path, "games": games, "replays": replays })
                )?;
            } else {
                writeln!(out, "{}", path.display())?;
            }
            contest::say_unchecked(context, folder, written.unchecked);
        }
    }
    Ok(())
}

/// The report at the end of a contest. The games are safe already, so that a full disk here is told and no more.
pub(super) fn at_the_end(context: &Context, folder: &Path, matches: &ArgMatches) {
    let path = folder.join(NAME);
    if matches.get_flag("no-report") {
        return;
    }
    let mut told = anstream::stderr().lock();
    let _ = match (write_file(context, folder, USUAL_REPLAYS, &path), context.json) {
        (Ok(_), true) => Ok(()),
        (Ok(_), false) => writeln!(told, "{}{}", context.text(Phrase::new("report: ", "报告：")), path.display()),
        (Err(error), _) => writeln!(told, "boyi: {}: {error:#}", path.display()),
    };
}

/// Written beside and put in place when it is whole, so that nobody opens half a page.
fn write_file(context: &Context, folder: &Path, replays: usize, path: &Path) -> anyhow::Result<Written> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = Path::new(&beside);
    let written = File::create(beside).with_context(|| beside.display().to_string()).and_then(|file| {
        let mut out = BufWriter::new(file);
        let written = write(context, folder, replays, &mut out)?;
        out.flush()?;
        Ok(written)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(beside);
    }
    let written = written?;
    std::fs::rename(beside, path).with_context(|| path.display().to_string())?;
    Ok(written)
}

fn write(context: &Context, folder: &Path, replays: usize, out: &mut impl std::io::Write) -> anyhow::Result<Written> {
    let choices = Choices { language: context.language, replays, reasons: outcome::OF_PROTOCOLS };
    let subject = if events::has_plan(folder) {
        let (plan, entrants) = events::read_plan(context, folder)?;
        Subject::of_plan(&plan, entrants.into_iter().map(|entrant| entrant.name).collect())
    } else {
        Subject::of_match(folder)
    };
    let written = subject.and_then(|subject| report::write(folder, subject, choices, out));
    written.map_err(|error| match error {
        ReportError::NoGame => {
            let nothing = Phrase::new("no game has been played yet", "还没有下完的对局");
            anyhow::anyhow!("{}: {}", folder.display(), context.text(nothing))
        }
        ReportError::Journal(error) => contest::wrong_journal(context)(error),
        error => error.into(),
    })
}

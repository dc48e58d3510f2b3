//! `boyi tournament`: many engines, from a TOML file, flags, or both.

mod table;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use tournament::contest::Entrant;
use tournament::event::Event;
use tournament::journal::Journal;
use tournament::plan::Plan;
use tournament::pool::{Crew, Next, Offer};

use super::report;
use crate::context::Context;
use crate::progress::Progress;
use crate::{cli, contest, flags};

/// The copy of the plan in the tournament's folder.
const PLAN: &str = "tournament.toml";
/// How often a program that reads along is given the whole table.
const TABLE_EVERY: Duration = Duration::from_secs(5);

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let json = || cli::json_argument(language);
    let folder = || Arg::new("dir").value_name("DIR").required(true).help(say("the tournament's folder", "赛事目录"));
    let run = Command::new("run")
        .about(say(
            "Start the tournament of a file; flags override what it says",
            "按文件开始一项赛事；命令行选项优先于文件",
        ))
        .arg(Arg::new("file").value_name("FILE.toml").help(say(
            "the tournament file; without one: --game, --engine …, --dir",
            "赛事文件；不用文件时须给出 --game、--engine …、--dir",
        )))
        .arg(Arg::new("dir").long("dir").value_name("DIR").help(say(
            "where its games are kept [default: the file's name without .toml]",
            "对局保存目录 [缺省：文件名去掉 .toml]",
        )))
        .args(flags::tournament_arguments(language))
        .arg(cli::variant_argument(language))
        .args(cli::time_arguments(language))
        .args(cli::speech_arguments(language).map(may_be_switched_off))
        .args(flags::contest_arguments(language))
        .arg(report::no_report_argument(language))
        .arg(json());
    let resume = Command::new("resume")
        .about(say("Go on with a tournament that was cut short", "继续中断的赛事"))
        .arg(folder())
        .args(flags::contest_arguments(language).into_iter().filter(|flag| {
            // What changes no result may change on the way.
            ["concurrency", "logs", "quiet"].contains(&flag.get_id().as_str())
        }))
        .arg(report::no_report_argument(language))
        .arg(json());
    let standings = Command::new("standings")
        .about(say("The table of a tournament, while it runs or after", "显示赛事积分榜，进行中或结束后均可"))
        .arg(folder())
        .arg(json());
    Command::new("tournament")
        .about(say(
            "Round robin, gauntlet, Swiss or knockout from a TOML file",
            "按 TOML 文件举行循环赛、挑战赛、瑞士制或淘汰赛",
        ))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(
            [run, resume, standings, report::command(language)].map(|command| cli::localised(command, language)),
        )
}

/// `--ponder=false` where a file may have said true.
fn may_be_switched_off(flag: Arg) -> Arg {
    if flag.get_id() != "ponder" {
        return flag;
    }
    flag.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_name("true|false")
        .default_missing_value("true")
        .value_parser(value_parser!(bool))
        .hide_possible_values(true)
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Some((name, inner)) = matches.subcommand() else { return Ok(ExitCode::from(2)) };
    let json = inner.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    let context = &Context { json, ..*context };
    let given = |id: &str| inner.try_get_one::<String>(id).ok().flatten();
    match name {
        "run" => {
            let folder = match (given("dir"), given("file")) {
                (Some(dir), _) => PathBuf::from(dir),
                (None, Some(file)) => Path::new(file).with_extension(""),
                (None, None) => anyhow::bail!(context.text(Phrase::new(
                    "give a tournament file, or --dir with --game and --engine",
                    "请给出赛事文件，或用 --dir、--game 和 --engine 指定",
                ))),
            };
            begin(context, inner, given("file").map(String::as_str), &folder)?;
            play(context, &folder, inner)
        }
        "resume" => play(context, Path::new(given("dir").context("DIR")?), inner),
        "report" => report::run(context, inner).map(|()| ExitCode::SUCCESS),
        _ => {
            let folder = Path::new(given("dir").context("DIR")?);
            let (plan, entrants) = read_plan(context, folder)?;
            let mut event = event(&plan)?;
            let unchecked = Journal::read(folder, |finished| event.restore(&finished));
            contest::say_unchecked(context, folder, unchecked.map_err(contest::wrong_journal(context))?);
            event.catch_up();
            table::show(context, context.game(&plan.game)?, &entrants, &event)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Makes the tournament's folder with the plan as the file and the flags say it; an existing one is not begun anew.
fn begin(context: &Context, matches: &ArgMatches, file: Option<&str>, folder: &Path) -> anyhow::Result<()> {
    let copy = folder.join(PLAN);
    if copy.exists() {
        let there = Phrase::new(
            "has a tournament already; go on with `boyi tournament resume`",
            "已有赛事；请用 boyi tournament resume 继续",
        );
        anyhow::bail!("{}: {}", folder.display(), context.text(there));
    }
    let text = match file {
        Some(file) => std::fs::read_to_string(file).with_context(|| file.to_owned())?,
        None => String::new(),
    };
    let in_file = |error: tournament::plan::PlanError| {
        let said = error.say(context.language);
        anyhow::anyhow!(
            "{}",
            file.filter(|_| error.line.is_some()).map_or(said.clone(), |file| format!("{file}, {said}"))
        )
    };
    let game = matches.get_one::<String>("game");
    let mut plan = match (file, game) {
        (Some(_), _) => Plan::read(&text).map_err(in_file)?,
        (None, game) => Plan::of_game(game.map_or("", String::as_str)),
    };
    if plan.sprt.is_some() {
        anyhow::bail!(context.text(Phrase::new(
            "sprt: a sequential test is for two engines: `boyi match --sprt`",
            "sprt：序贯检验用于两个引擎：boyi match --sprt",
        )));
    }
    if let Some(game) = game {
        plan.game.clone_from(game);
    }
    for text in matches.get_many::<String>("engine").into_iter().flatten() {
        plan.engines.push(engine(context, text)?);
    }
    flags::apply(context, matches, &mut plan)?;
    let from = file.and_then(|file| Path::new(file).parent()).unwrap_or(Path::new(""));
    plan.check(&text, from).map_err(in_file)?;
    // Tried before anything is written.
    let mut entrants = contest::entrants(context, &plan)?;
    contest::conditions(context, &plan, &mut entrants, from, Some(folder))?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    contest::settle(&mut plan, from, folder)?;
    let text = plan.write().context(PLAN)?;
    records::write_atomically(&copy, text.as_bytes()).with_context(|| copy.display().to_string())
}

/// `NAME=P` or `P`. A name has no blanks and no slashes, so that a command with `=` in it is not taken apart.
fn engine(context: &Context, text: &str) -> anyhow::Result<tournament::plan::PlannedEngine> {
    let plain =
        |name: &&str| !name.is_empty() && !name.contains(|letter: char| letter.is_whitespace() || letter == '/');
    let (name, seat) = match text.split_once('=').filter(|(name, _)| plain(name)) {
        Some((name, seat)) => (Some(name.to_owned()), seat),
        None => (None, text),
    };
    let planned = contest::planned(seat).context(context.text(Phrase::new(
        "a tournament is for engines; people play with `boyi play`",
        "赛事用于引擎；人请用 boyi play",
    )))?;
    Ok(tournament::plan::PlannedEngine { name, ..planned })
}

/// Whether this folder is a tournament's.
pub(super) fn has_plan(folder: &Path) -> bool {
    folder.join(PLAN).exists()
}

/// The tournament of a folder, and who takes part.
pub(super) fn read_plan(context: &Context, folder: &Path) -> anyhow::Result<(Plan, Vec<Entrant>)> {
    let path = folder.join(PLAN);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let plan = Plan::read(&text)
        .and_then(|plan| plan.check(&text, folder).map(|()| plan))
        .map_err(|error| anyhow::anyhow!("{}, {}", path.display(), error.say(context.language)))?;
    let entrants = contest::entrants(context, &plan)?;
    Ok((plan, entrants))
}

fn event(plan: &Plan) -> anyhow::Result<Event> {
    Ok(Event::new(plan.format_for(plan.engines.len())?, plan.engines.len(), plan.games))
}

fn play(context: &Context, folder: &Path, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let (mut plan, mut entrants) = read_plan(context, folder)?;
    flags::apply_lasting(matches, &mut plan);
    let conditions = contest::conditions(context, &plan, &mut entrants, folder, Some(folder))?;
    let event = Mutex::new(event(&plan)?);
    let with_event = |act: &mut dyn FnMut(&mut Event)| {
        if let Ok(mut event) = event.lock() {
            act(&mut event);
        }
    };
    let (mut before, mut total) = (0, None);
    let journal = Journal::open(folder, |finished| {
        before += 1;
        with_event(&mut |event| event.restore(&finished));
    })
    .map_err(contest::wrong_journal(context))?;
    contest::say_unchecked(context, folder, journal.unchecked());
    with_event(&mut |event| {
        event.catch_up();
        total = event.total().map(|total| total as u64);
    });
    let crew = Crew::new(plan.concurrency, plan.ponder);
    let mut progress = Progress::new(context, total, before, matches.get_flag("quiet"));
    let mut out = std::io::stdout().lock();
    if context.json {
        writeln!(out, "{}", contest::start_event("tournament", &plan, &entrants, crew, progress.figures()))?;
    }
    let mut table_shown = Instant::now();
    let code = contest::play_all(
        context,
        (&conditions, &entrants, crew),
        Some(journal),
        || event.lock().map_or(Offer::Finished, |mut event| event.offer()),
        |finished| {
            let mut failed = false;
            for game in finished {
                with_event(&mut |event| event.count(game));
                progress.advance(1, || {
                    let mut words = String::new();
                    with_event(&mut |event| words = table::leaders(context, &entrants, event));
                    words
                });
                if context.json {
                    failed |= writeln!(out, "{}", table::game_event(&entrants, game, progress.figures())).is_err();
                }
            }
            if context.json && table_shown.elapsed() >= TABLE_EVERY {
                table_shown = Instant::now();
                with_event(&mut |event| {
                    failed |= writeln!(out, "{}", table::table_event(&entrants, event, false)).is_err();
                });
            }
            // Nobody reads any more.
            if failed { Next::Wind } else { Next::GoOn }
        },
    );
    progress.finish();
    drop(out);
    let code = code?;
    report::at_the_end(context, folder, matches);
    match event.into_inner() {
        Ok(event) => table::show(context, conditions.game, &entrants, &event)?,
        Err(_) => anyhow::bail!("a worker failed"),
    }
    Ok(code)
}

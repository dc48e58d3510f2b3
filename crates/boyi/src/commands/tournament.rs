//! `boyi tournament`: many engines, from a TOML file.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command};
use games::{Language, Phrase};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use tournament::contest::{Conditions, Entrant};
use tournament::event::{Event, Row};
use tournament::journal::{Finished, Journal};
use tournament::plan::{Plan, PlannedEngine};
use tournament::pool::{self, Next};
use unicode_width::UnicodeWidthStr as _;

use super::report;
use crate::cli;
use crate::context::Context;
use crate::seats::{self, Speech, Wanted};

/// The copy of the file in the tournament's folder.
const PLAN: &str = "tournament.toml";

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let json = || cli::json_argument(language);
    let quiet =
        || Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help(say("no progress", "不显示进度"));
    let folder = || Arg::new("dir").value_name("DIR").required(true).help(say("the tournament's folder", "赛事目录"));
    let commands = [
        Command::new("run")
            .about(say("Start the tournament of a file", "按文件开始一项赛事"))
            .arg(Arg::new("file").value_name("FILE.toml").required(true).help(say("the tournament file", "赛事文件")))
            .arg(Arg::new("dir").long("dir").value_name("DIR").help(say(
                "where its games are kept [default: the file's name without .toml]",
                "对局保存目录 [缺省：文件名去掉 .toml]",
            )))
            .arg(quiet())
            .arg(report::no_report_argument(language))
            .arg(json()),
        Command::new("resume")
            .about(say("Go on with a tournament that was cut short", "继续中断的赛事"))
            .arg(folder())
            .arg(quiet())
            .arg(report::no_report_argument(language))
            .arg(json()),
        Command::new("standings")
            .about(say("The table of a tournament, while it runs or after", "显示赛事积分榜，进行中或结束后均可"))
            .arg(folder())
            .arg(json()),
        report::command(language),
    ];
    Command::new("tournament")
        .about(say(
            "Round robin, gauntlet, Swiss or knockout from a TOML file",
            "按 TOML 文件举行循环赛、挑战赛、瑞士制或淘汰赛",
        ))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(commands.map(|command| cli::localised(command, language)))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Some((name, inner)) = matches.subcommand() else { return Ok(ExitCode::from(2)) };
    let json = inner.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    let context = &Context { json, ..*context };
    let given = |id: &str| inner.try_get_one::<String>(id).ok().flatten();
    match name {
        "run" => {
            let file = given("file").context("FILE.toml")?;
            let folder = given("dir").map_or_else(|| Path::new(file).with_extension(""), PathBuf::from);
            begin(context, file, &folder)?;
            play(context, &folder, inner)
        }
        "resume" => play(context, Path::new(given("dir").context("DIR")?), inner),
        "report" => report::run(context, inner).map(|()| ExitCode::SUCCESS),
        _ => {
            let folder = Path::new(given("dir").context("DIR")?);
            let (plan, entrants) = read_plan(context, folder)?;
            let mut event = event(&plan)?;
            Journal::read(folder, |finished| event.restore(&finished))?;
            event.count_known();
            show_table(context, &entrants, &event)
        }
    }
}

/// Makes the tournament's folder; an existing one is not begun anew.
fn begin(context: &Context, file: &str, folder: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.to_owned())?;
    read_text(context, file, &text)?;
    let copy = folder.join(PLAN);
    if copy.exists() {
        let there = Phrase::new(
            "has a tournament already; go on with `boyi tournament resume`",
            "已有赛事；请用 boyi tournament resume 继续",
        );
        anyhow::bail!("{}: {}", folder.display(), context.text(there));
    }
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    records::write_atomically(&copy, text.as_bytes()).with_context(|| copy.display().to_string())
}

fn read_text(context: &Context, file: &str, text: &str) -> anyhow::Result<(Plan, Vec<Entrant>)> {
    let plan = Plan::read(text).map_err(|error| anyhow::anyhow!("{file}, {error}"))?;
    let game = context.game(&plan.game)?;
    let entrants =
        plan.engines.iter().map(|engine| entrant(context, game, engine)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok((plan, entrants))
}

/// Whether this folder is a tournament's.
pub(super) fn has_plan(folder: &Path) -> bool {
    folder.join(PLAN).exists()
}

/// The tournament of a folder, and who takes part.
pub(super) fn read_plan(context: &Context, folder: &Path) -> anyhow::Result<(Plan, Vec<Entrant>)> {
    let path = folder.join(PLAN);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    read_text(context, &path.display().to_string(), &text)
}

fn entrant(context: &Context, game: &'static dyn games::Listing, engine: &PlannedEngine) -> anyhow::Result<Entrant> {
    let wanted = match (&engine.command, &engine.builtin) {
        (Some(command), _) => Wanted::Engine(command.clone()),
        (None, level) => Wanted::BuiltIn(level.clone().unwrap_or_default()),
    };
    let speech = Speech {
        protocol: engine.protocol.clone(),
        options: engine.options.clone(),
        memory: engine.memory_mib.map(|mib| mib << 20),
        seed: 0,
    };
    let name = engine.name.clone().unwrap_or_else(|| wanted.words());
    seats::entrant(context, game, &wanted, name, &speech)
}

fn event(plan: &Plan) -> anyhow::Result<Event> {
    Ok(Event::new(plan.format_for(plan.engines.len())?, plan.engines.len(), plan.games))
}

fn play(context: &Context, folder: &Path, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let quiet = matches.get_flag("quiet");
    let (plan, entrants) = read_plan(context, folder)?;
    let game = context.game(&plan.game)?;
    let conditions = Conditions {
        game,
        variant: plan.variant.clone(),
        time: plan.time,
        gap: Duration::from_millis(plan.gap_ms),
        ponder: plan.ponder,
        openings: plan.openings(game.facts().words_per_ply),
        seed: plan.seed,
        event: plan.event.clone(),
    };
    let event = Mutex::new(event(&plan)?);
    let with_event = |act: &mut dyn FnMut(&mut Event)| {
        if let Ok(mut event) = event.lock() {
            act(&mut event);
        }
    };
    let mut journal = Journal::open(folder, |finished| with_event(&mut |event| event.restore(&finished)))?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let workers = plan.concurrency.unwrap_or(cores);
    let shown = !quiet && !context.json && std::io::stderr().is_terminal();
    let bar = ProgressBar::with_draw_target(
        None,
        if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
    );
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} {per_sec} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let host = seats::host()?;
    let interrupted = seats::interrupts()?;
    let mut failure: Option<anyhow::Error> = None;
    let mut out = std::io::stdout().lock();
    let offer = || event.lock().map_or(pool::Offer::Finished, |mut event| event.offer());
    pool::run(
        workers,
        offer,
        |job| conditions.play(&host, &entrants, job, seats::now()),
        |batch| {
            let mut finished: Vec<Finished> = Vec::new();
            for (_, result) in batch {
                match result {
                    Ok(game) => finished.push(game),
                    Err(problem) => failure = Some(anyhow::anyhow!(problem)),
                }
            }
            // On disk first, counted after.
            if let Err(error) = journal.add(&finished) {
                failure = Some(error.into());
                return Next::Wind;
            }
            for game in &finished {
                with_event(&mut |event| event.count(game));
                bar.set_message(headline(&entrants, game));
                if context.json {
                    let _ = writeln!(out, "{}", game_event(&entrants, game));
                }
            }
            bar.inc(finished.len() as u64);
            if failure.is_some() || interrupted.load(Ordering::Relaxed) > 0 { Next::Wind } else { Next::GoOn }
        },
    );
    bar.finish_and_clear();
    drop(out);
    if let Some(failure) = failure {
        return Err(failure);
    }
    report::at_the_end(context, folder, matches);
    match event.into_inner() {
        Ok(event) => show_table(context, &entrants, &event),
        Err(_) => anyhow::bail!("a worker failed"),
    }
}

fn headline(entrants: &[Entrant], finished: &Finished) -> String {
    let name = |index: usize| entrants.get(index).map_or("?", |entrant| entrant.name.as_str());
    let reason = finished.record.verdict.as_ref().map_or("", |verdict| verdict.reason.as_str());
    format!("{} – {}: {reason}", name(finished.black), name(finished.white))
}

/// One game as a line of JSON.
fn game_event(entrants: &[Entrant], finished: &Finished) -> serde_json::Value {
    let verdict = finished.record.verdict.as_ref();
    json!({
        "event": "game",
        "version": 1,
        "number": finished.number,
        "black": entrants[finished.black].name,
        "white": entrants[finished.white].name,
        "winner": verdict.and_then(|verdict| verdict.winner),
        "reason": verdict.map(|verdict| verdict.reason.as_str()),
        "plies": finished.record.plies.len(),
    })
}

fn show_table(context: &Context, entrants: &[Entrant], event: &Event) -> anyhow::Result<ExitCode> {
    let table = event.table();
    let mut out = std::io::stdout().lock();
    if context.json {
        let rows: Vec<serde_json::Value> = table
            .iter()
            .map(|row| {
                let mut value = serde_json::to_value(row).unwrap_or_default();
                value["name"] = json!(entrants[row.standing.entrant.0].name);
                value
            })
            .collect();
        writeln!(out, "{}", json!({ "event": "standings", "version": 1, "games": event.played(), "table": rows }))?;
    } else {
        write!(out, "{}", table_text(context, entrants, &table))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn table_text(context: &Context, entrants: &[Entrant], table: &[Row]) -> String {
    let heads: [Phrase; 9] = [
        Phrase::same("#"),
        Phrase::new("engine", "引擎"),
        Phrase::new("points", "积分"),
        Phrase::new("won", "胜"),
        Phrase::new("drawn", "和"),
        Phrase::new("lost", "负"),
        Phrase::new("Buchholz", "对手分"),
        Phrase::new("Sonneborn-Berger", "索伯分"),
        Phrase::same("Elo"),
    ];
    let mut rows = vec![heads.map(|head| context.text(head).to_owned())];
    for row in table {
        let standing = &row.standing;
        let elo = row.elo.as_ref().filter(|elo| elo.value.is_finite() && elo.margin().is_finite());
        rows.push([
            standing.rank.to_string(),
            entrants[standing.entrant.0].name.clone(),
            standing.points.to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
            standing.buchholz.to_string(),
            format!("{:.2}", standing.sonneborn_berger),
            elo.map_or_else(|| "–".to_owned(), |elo| format!("{:+.0} ± {:.0}", elo.value, elo.margin())),
        ]);
    }
    let widths: [usize; 9] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let room = " ".repeat(width - cell.width());
            // Names to the left, figures to the right.
            text.push_str(&if column == 1 { format!("{cell}{room}  ") } else { format!("{room}{cell}  ") });
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

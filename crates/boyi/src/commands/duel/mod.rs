//! `boyi match`: A against B until the games are played or a sequential test has decided.

mod words;

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Arg, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use serde_json::json;
use tournament::duel::{self, Score};
use tournament::journal::Journal;
use tournament::plan::{Plan, PlannedEngine};
use tournament::pool::{self, Crew, Next};
use tournament::report::MATCH_PLAN;
use tournament::statistics::{Hypotheses, Model, Sprt};

use super::report as page;
use crate::context::Context;
use crate::progress::Progress;
use crate::seats;
use crate::{cli, contest, flags};

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let seat_help = say("a command line, or builtin[:level]", "引擎命令行，或 builtin[:级别]");
    Command::new("match")
        .about(say("A against B: Elo with its interval, and a sequential test", "A 对 B：等级分及其置信区间，序贯检验"))
        .arg(cli::game_argument(language))
        .arg(Arg::new("a").short('a').value_name("P").required(true).help(seat_help))
        .arg(Arg::new("b").short('b').value_name("P").required(true).help(seat_help))
        .arg(
            Arg::new("games")
                .long("games")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=1_000_000))
                .default_value("100")
                .help(say("how many games at most; even numbers make whole pairs", "最多对局数；偶数可成对换先")),
        )
        .arg(
            Arg::new("sprt")
                .long("sprt")
                .value_name("ELO0,ELO1")
                .value_parser(read_pair)
                .allow_hyphen_values(true)
                .help(say(
                    "stop when A is shown to be at most ELO0 or at least ELO1 stronger (5 % errors)",
                    "序贯检验：判明 A 至多强 ELO0 或至少强 ELO1 时停止（错误率 5%）",
                )),
        )
        .arg(
            Arg::new("model")
                .long("model")
                .value_name("normalized|logistic")
                .value_parser(["normalized", "logistic"])
                .hide_possible_values(true)
                .default_value("normalized")
                .help(say("which Elo the test speaks of", "检验所用的等级分模型")),
        )
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
        .args(cli::time_arguments(language))
        .args(cli::speech_arguments(language))
        .args(flags::contest_arguments(language))
        .arg(Arg::new("dir").long("dir").value_name("DIR").help(say(
            "keep every game in this folder's journal; a match that was cut short goes on",
            "将全部对局记入此目录；中断的比赛可继续",
        )))
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64).range(..=i64::MAX as u64))
                .help(say("everything random follows from it", "随机种子")),
        )
        .arg(page::no_report_argument(language))
        .arg(cli::json_argument(language))
}

fn read_pair(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    text.split_once(',').and_then(|(low, high)| number(low).zip(number(high))).ok_or_else(|| "0,5".to_owned())
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let home = matches.get_one::<String>("dir").map(Path::new);
    let mut plan = plan(context, matches)?;
    let test = test(context, matches)?;
    plan.sprt = test.as_ref().map(|sprt| *sprt.hypotheses());
    plan.check("", Path::new("")).map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    let mut entrants = contest::entrants(context, &plan)?;
    let mut openings = Path::new("");
    if let Some(home) = home {
        // Tried first, so that a folder is not begun for a match that cannot be played.
        contest::conditions(context, &plan, &mut entrants, openings, Some(home))?;
        begin(context, matches, &mut plan, home)?;
        openings = home;
    }
    let conditions = contest::conditions(context, &plan, &mut entrants, openings, home)?;
    let mut score = Score::tested(test);
    let mut played = HashSet::new();
    let mut decided_before = false;
    let journal = match home {
        Some(home) => {
            let opened = Journal::open(home, |finished| {
                played.insert(finished.number);
                decided_before |= score.count(&finished);
            });
            let journal = opened.map_err(contest::wrong_journal(context))?;
            contest::say_unchecked(context, home, journal.unchecked());
            Some(journal)
        }
        None => None,
    };
    let games = plan.games as u64;
    let crew = Crew::new(plan.concurrency, plan.ponder);
    let mut progress = Progress::new(context, Some(games), played.len() as u64, matches.get_flag("quiet"));
    let jobs = duel::jobs(games).filter(|job| !decided_before && !played.contains(&job.number));
    let mut out = std::io::stdout().lock();
    if context.json {
        writeln!(out, "{}", contest::start_event("match", &plan, &entrants, crew, progress.figures()))?;
    }
    let code = contest::play_all(context, (&conditions, &entrants, crew), journal, pool::in_order(jobs), |finished| {
        let mut decided = false;
        let mut failed = false;
        for game in finished {
            decided |= score.count(game);
            progress.advance(1, || words::summary(context, &score.standing()));
            if context.json {
                failed |= writeln!(out, "{}", words::event(game, &score.standing(), progress.figures())).is_err();
            }
        }
        // Nobody reads any more.
        if decided || failed { Next::Wind } else { Next::GoOn }
    });
    progress.finish();
    let code = code?;
    if let Some(home) = home {
        page::at_the_end(context, home, matches);
    }
    let standing = score.standing();
    if context.json {
        let conduct: Vec<_> = (0..entrants.len()).map(|entrant| score.conducts.of(entrant)).collect();
        writeln!(out, "{}", json!({ "event": "end", "version": 1, "standing": standing, "conduct": conduct }))?;
    } else {
        let words = words::report(context, conditions.game, &entrants, (&standing, &score.conducts));
        writeln!(out, "{words}")?;
    }
    out.flush()?;
    Ok(code)
}

/// The match as a plan of two engines.
fn plan(context: &Context, matches: &ArgMatches) -> anyhow::Result<Plan> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let mut plan = Plan::of_game(game.facts().id);
    plan.games = matches.get_one::<u32>("games").map_or(100, |&games| games as usize);
    plan.event = Some("boyi match".to_owned());
    for (name, letter) in [("a", "A"), ("b", "B")] {
        let text = matches.get_one::<String>(name).map_or("", String::as_str);
        let Some(engine) = contest::planned(text) else {
            let no_people =
                Phrase::new("a match is for engines; people play with `boyi play`", "match 用于引擎；人请用 boyi play");
            anyhow::bail!(context.text(no_people));
        };
        let words = seats::Wanted::read(text).words();
        plan.engines.push(PlannedEngine { name: Some(format!("{letter}: {words}")), ..engine });
    }
    // Nobody chose it: half of the range, because a file knows no larger numbers.
    plan.seed = seats::fresh_seed() >> 1;
    flags::apply(context, matches, &mut plan)?;
    Ok(plan)
}

/// Makes the match's folder, or sees that what is there is the same match. How many games are played, how many at once
/// and what is logged may change.
fn begin(context: &Context, matches: &ArgMatches, plan: &mut Plan, home: &Path) -> anyhow::Result<()> {
    let path = home.join(MATCH_PLAN);
    if !path.exists() {
        std::fs::create_dir_all(home).with_context(|| home.display().to_string())?;
        contest::settle(plan, Path::new(""), home)?;
        let text = plan.write().context("match.toml")?;
        return records::write_atomically(&path, text.as_bytes()).with_context(|| path.display().to_string());
    }
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let known =
        Plan::read(&text).map_err(|error| anyhow::anyhow!("{}: {}", path.display(), error.say(context.language)))?;
    if !matches.contains_id("seed") {
        plan.seed = known.seed;
    }
    let same_openings = match (&plan.openings.file, &known.openings.file) {
        (Some(given), Some(kept)) => std::fs::read(given).ok() == std::fs::read(home.join(kept)).ok(),
        (given, kept) => given.is_none() && kept.is_none(),
    };
    plan.openings.file.clone_from(&known.openings.file);
    let comparable =
        |plan: &Plan| Plan { games: 0, concurrency: None, logs: Default::default(), sprt: None, ..plan.clone() };
    if !same_openings || comparable(plan) != comparable(&known) {
        let other = Phrase::new(
            "holds a match with other engines or settings (match.toml); give another --dir",
            "已有引擎或设置不同的比赛（见 match.toml）；请另选 --dir",
        );
        anyhow::bail!("{}: {}", home.display(), context.text(other));
    }
    Ok(())
}

fn test(context: &Context, matches: &ArgMatches) -> anyhow::Result<Option<Sprt>> {
    let Some(&(elo0, elo1)) = matches.get_one::<(f64, f64)>("sprt") else { return Ok(None) };
    let logistic = matches.get_one::<String>("model").is_some_and(|model| model == "logistic");
    let model = if logistic { Model::Logistic } else { Model::Normalized };
    let sprt = Sprt::new(Hypotheses::new(model, elo0, elo1));
    sprt.map(Some).with_context(|| context.text(Phrase::new("--sprt", "--sprt 参数")).to_owned())
}

//! `boyi match`: A against B until the games are played or a sequential test has decided.

use std::collections::HashSet;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use tournament::contest::{Conditions, Entrant, Openings};
use tournament::duel::{self, Score, Standing};
use tournament::journal::{Finished, Journal};
use tournament::pool::{self, Next};
use tournament::statistics::{Estimate, Hypotheses, Model, Sprt, SprtState};
use tournament::terms::Terms;

use super::report as page;
use crate::cli;
use crate::context::Context;
use crate::seats::{self, Speech, Wanted};

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
                .value_parser(value_parser!(u64).range(1..=1_000_000))
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
        .arg(
            Arg::new("opening-plies")
                .long("opening-plies")
                .value_name("N")
                .value_parser(value_parser!(u32).range(0..=100))
                .default_value("0")
                .help(say(
                    "random plies before each pair (built-in players and protocols that can be told a position)",
                    "每对局前的随机步数（适用于内置引擎和可设置局面的协议）",
                )),
        )
        .arg(
            Arg::new("concurrency")
                .long("concurrency")
                .short('j')
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..=256))
                .help(say(
                    "games at once, one core each [default: all cores]",
                    "同时对局数，每局一核 [缺省：全部核心]",
                )),
        )
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
        .args(cli::time_arguments(language))
        .args(cli::speech_arguments(language))
        .arg(Arg::new("dir").long("dir").value_name("DIR").help(say(
            "keep every game in this folder's journal; a match that was cut short goes on",
            "将全部对局记入此目录；中断的比赛可继续",
        )))
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help(say("everything random follows from it", "随机种子")),
        )
        .arg(
            Arg::new("quiet")
                .long("quiet")
                .short('q')
                .action(ArgAction::SetTrue)
                .help(say("no progress", "不显示进度")),
        )
        .arg(page::no_report_argument(language))
        .arg(cli::json_argument(language))
}

fn read_pair(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    text.split_once(',').and_then(|(low, high)| number(low).zip(number(high))).ok_or_else(|| "0,5".to_owned())
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let table = context.open(game, matches)?;
    let speech = Speech::read(context, matches)?;
    let wanted = ["a", "b"].map(|name| Wanted::read(matches.get_one::<String>(name).map_or("", String::as_str)));
    if wanted.contains(&Wanted::Human) {
        let no_people =
            Phrase::new("a match is for engines; people play with `boyi play`", "match 用于引擎；人请用 boyi play");
        anyhow::bail!(context.text(no_people));
    }
    let entrants = wanted
        .iter()
        .zip(["A", "B"])
        .map(|(wanted, letter)| seats::entrant(context, game, wanted, format!("{letter}: {}", wanted.words()), &speech))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let conditions = Conditions {
        game,
        variant: table.variant(),
        time: seats::time_control(matches, false),
        gap: Duration::from_millis(matches.get_one::<u64>("gap-ms").copied().unwrap_or_default()),
        ponder: matches.get_flag("ponder"),
        openings: match (matches.get_one::<String>("position"), matches.get_one::<u32>("opening-plies").copied()) {
            (Some(position), _) => Openings::Positions(vec![position.clone()]),
            (None, Some(0) | None) => Openings::Usual,
            (None, Some(plies)) => Openings::Random(plies),
        },
        seed: speech.seed,
        event: Some("boyi match".to_owned()),
    };
    let games = matches.get_one::<u64>("games").copied().unwrap_or(100);
    let sprt = test(context, matches)?;
    if let Some(dir) = matches.get_one::<String>("dir") {
        std::fs::create_dir_all(dir).with_context(|| dir.clone())?;
        let terms = Terms {
            games,
            sprt: sprt.map(|sprt| *sprt.hypotheses()),
            openings: conditions.openings.clone(),
            seed: conditions.seed,
            ponder: conditions.ponder,
        };
        terms.keep(Path::new(dir)).with_context(|| dir.clone())?;
    }
    let mut score = Score::tested(sprt);
    let mut played = HashSet::new();
    let mut decided_before = false;
    let mut journal = match matches.get_one::<String>("dir") {
        Some(dir) => {
            let journal = Journal::open(Path::new(dir), |finished| {
                if played.insert(finished.number) {
                    decided_before |= score.count(&finished);
                }
            });
            Some(journal?)
        }
        None => None,
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let workers = matches.get_one::<u64>("concurrency").map_or(cores, |&count| count as usize);
    let bar = progress(context, games, matches.get_flag("quiet"));
    bar.set_position(played.len() as u64);
    let jobs = duel::jobs(games).filter(|job| !decided_before && !played.contains(&job.number));
    let host = seats::host()?;
    let interrupted = seats::interrupts()?;
    let mut failure = None;
    let mut out = std::io::stdout().lock();
    pool::run(
        workers,
        pool::in_order(jobs),
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
            if let Some(journal) = &mut journal
                && let Err(error) = journal.add(&finished)
            {
                failure = Some(error.into());
                return Next::Wind;
            }
            let mut decided = false;
            for game in &finished {
                decided |= score.count(game);
                if context.json {
                    let _ = writeln!(out, "{}", event(game, &score.standing()));
                }
            }
            bar.inc(finished.len() as u64);
            bar.set_message(summary(context, &score.standing()));
            let stop = decided || failure.is_some() || interrupted.load(Ordering::Relaxed) > 0;
            if stop { Next::Wind } else { Next::GoOn }
        },
    );
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(dir) = matches.get_one::<String>("dir") {
        page::at_the_end(context, Path::new(dir), matches);
    }
    let standing = score.standing();
    if context.json {
        writeln!(out, "{}", json!({ "event": "end", "version": 1, "standing": standing }))?;
    } else {
        writeln!(out, "{}", report(context, &entrants, &standing))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn test(context: &Context, matches: &ArgMatches) -> anyhow::Result<Option<Sprt>> {
    let Some(&(elo0, elo1)) = matches.get_one::<(f64, f64)>("sprt") else { return Ok(None) };
    let logistic = matches.get_one::<String>("model").is_some_and(|model| model == "logistic");
    let model = if logistic { Model::Logistic } else { Model::Normalized };
    let sprt = Sprt::new(Hypotheses::new(model, elo0, elo1));
    sprt.map(Some).with_context(|| context.text(Phrase::new("--sprt", "--sprt 参数")).to_owned())
}

fn progress(context: &Context, games: u64, quiet: bool) -> ProgressBar {
    let shown = !quiet && !context.json && std::io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(games), target);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {per_sec} {eta}\n{msg}") {
        bar.set_style(style);
    }
    bar
}

/// One game as a line of JSON.
fn event(finished: &Finished, standing: &Standing) -> serde_json::Value {
    let verdict = finished.record.verdict.as_ref();
    json!({
        "event": "game",
        "version": 1,
        "number": finished.number,
        "black": (["a", "b"][finished.black]),
        "white": (["a", "b"][finished.white]),
        "winner": verdict.and_then(|verdict| verdict.winner),
        "reason": verdict.map(|verdict| verdict.reason.as_str()),
        "counts": verdict.is_some_and(|verdict| verdict.counts),
        "plies": finished.record.plies.len(),
        "standing": standing,
    })
}

/// `+12.3 ± 4.5`; a side that lost nothing is infinitely stronger as far as anybody can tell.
fn with_margin(elo: &Estimate) -> String {
    match (elo.value.is_finite(), elo.value > 0.0) {
        (true, _) => format!("{:+.1} ± {:.1}", elo.value, elo.margin()),
        (false, true) => "+∞".to_owned(),
        (false, false) => "−∞".to_owned(),
    }
}

/// The score in one line.
fn summary(context: &Context, standing: &Standing) -> String {
    let [losses, draws, wins] = standing.results.0;
    let mut line = match context.language {
        Language::En => format!("A: {wins} won, {losses} lost, {draws} drawn"),
        Language::Zh => format!("A：{wins} 胜 {losses} 负 {draws} 和"),
    };
    if let Some(elo) = &standing.elo {
        line.push_str(&format!("  Elo {}", with_margin(elo)));
    }
    if let Some(chance) = standing.likelihood_of_superiority {
        line.push_str(&format!("  LOS {:.1} %", chance * 100.0));
    }
    if let Some((ratio, (low, high), _)) = standing.sprt {
        line.push_str(&format!("  LLR {ratio:.2} [{low:.2}, {high:.2}]"));
    }
    line
}

fn report(context: &Context, entrants: &[Entrant], standing: &Standing) -> String {
    let mut text: String = entrants.iter().map(|entrant| format!("{}\n", entrant.name)).collect();
    text.push_str(&summary(context, standing));
    if let Some(elo) = &standing.normalized_elo {
        text.push_str(&format!("  nElo {}", with_margin(elo)));
    }
    let pairs = context.text(Phrase::new("pairs LL LD WL+DD WD WW", "对局对 LL LD WL+DD WD WW"));
    text.push_str(&format!("\n{pairs}: {:?}", standing.pairs.0));
    if standing.void > 0 {
        let void = context.text(Phrase::new("games without a result", "无结果对局"));
        text.push_str(&format!("\n{void}: {}", standing.void));
    }
    let decided = match standing.sprt.map(|(_, _, state)| state) {
        Some(SprtState::AcceptH1) => Phrase::new("\nSPRT: H1 accepted", "\nSPRT：接受 H1"),
        Some(SprtState::AcceptH0) => Phrase::new("\nSPRT: H0 accepted", "\nSPRT：接受 H0"),
        Some(SprtState::Continue) => Phrase::new("\nSPRT: undecided", "\nSPRT：尚未判定"),
        None => Phrase::same(""),
    };
    text.push_str(context.text(decided));
    text
}

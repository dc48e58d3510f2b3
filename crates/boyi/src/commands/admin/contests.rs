//! `boyi admin contest …`

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use course::{Audience, Boards, Contest, Rules, Store, Visibility, check_rules, read_slug};
use games::{Language, Phrase};

use super::{contest, contest_argument, text};
use crate::cli;
use crate::context::Context;

/// The longest announcement.
const LONGEST_ANNOUNCEMENT: usize = 2000;

/// An option that may be given several times.
fn several(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
}

fn references(language: Language) -> Arg {
    let help = Phrase::new(
        "a built-in player as a reference opponent, repeatable: random, greedy, 1 to 6, max",
        "作为参照对手的内置棋手，可重复：random、greedy、1 到 6、max",
    );
    several("reference", "ID", help.text(language))
}

pub(super) fn commands(language: Language) -> Vec<Command> {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64)).help(help)
    };
    let word = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    vec![
        Command::new("create")
            .about(say(
                "make a contest; limits are the course's usual ones unless said",
                "新建比赛；未指定的限制取课程缺省值",
            ))
            .arg(contest_argument(language))
            .arg(cli::game_argument(language))
            .arg(cli::variant_argument(language))
            .arg(word("title", "TEXT", say("its title", "标题")))
            .arg(number("ply-ms", say("time for a ply [default 2000]", "每步限时（毫秒）[缺省 2000]")))
            .arg(number(
                "game-ms",
                say("time for a side's whole game [default 180000]", "每方每局限时（毫秒）[缺省 180000]"),
            ))
            .arg(number(
                "tolerance-ms",
                say(
                    "an overrun of up to so many milliseconds does not lose [default 0]",
                    "超时不超过此毫秒数不判负 [缺省 0]",
                ),
            ))
            .arg(number("memory-mb", say("memory of a program [default 350]", "内存上限（MB）[缺省 350]")))
            .arg(number(
                "rounds",
                say(
                    "games of a match: twice this for each starting position [default 1]",
                    "每个起始局面下双方各执黑的次数 [缺省 1]",
                ),
            ))
            .arg(number(
                "interval",
                say("least seconds between two submissions [default 60]", "两次提交的最短间隔（秒）[缺省 60]"),
            ))
            .arg(
                Arg::new("language")
                    .long("language")
                    .value_name("ID")
                    .action(ArgAction::Append)
                    .help(say("a language that is taken, repeatable [default all]", "允许的语言，可重复 [缺省全部]")),
            )
            .arg(
                Arg::new("archives")
                    .long("archives")
                    .action(ArgAction::SetTrue)
                    .help(say("take archives with a build file too", "也接受带构建文件的压缩包")),
            )
            .arg(references(language))
            .arg(several("group", "NAME", say("open to this group only, repeatable", "只对该班级或小组开放，可重复")))
            .arg(several("student", "NAME", say("open to this student only, repeatable", "只对该学生开放，可重复")))
            .arg(word(
                "opens",
                "TIME",
                say("when submissions begin: 2026-12-01T08:00", "开放提交的时间：2026-12-01T08:00"),
            ))
            .arg(word("closes", "TIME", say("when they end", "截止时间"))),
        Command::new("references")
            .about(say(
                "choose the built-in players that everybody meets and that take no rank; none named: none",
                "选定参照用的内置棋手：所有人都与之对局，不占名次；不写则一个也不用",
            ))
            .arg(contest_argument(language))
            .arg(references(language)),
        Command::new("audience")
            .about(say(
                "open a contest to groups and students only; none named: to everybody",
                "只对指定的班级和学生开放；不写则对所有人开放",
            ))
            .arg(contest_argument(language))
            .arg(several("group", "NAME", say("a group, repeatable", "班级或小组，可重复")))
            .arg(several("student", "NAME", say("a student's number, repeatable", "学号，可重复"))),
        Command::new("list").about(say("list contests", "列出比赛")),
        Command::new("lock")
            .about(say("lock submissions", "锁定提交"))
            .arg(contest_argument(language))
            .arg(Arg::new("reason").value_name("REASON").required(true).help(say("why", "原因"))),
        Command::new("unlock").about(say("take submissions again", "解除锁定")).arg(contest_argument(language)),
        Command::new("freeze")
            .about(say("make the scoreboard that students see stand still", "冻结学生看到的排行榜"))
            .arg(contest_argument(language)),
        Command::new("unfreeze").about(say("let the scoreboard go on", "恢复排行榜")).arg(contest_argument(language)),
        Command::new("announce")
            .about(say("tell everybody something; prints its number", "发布公告，并打印其编号"))
            .arg(contest_argument(language))
            .arg(Arg::new("text").value_name("TEXT").required(true).help(say("what", "内容"))),
        Command::new("unannounce")
            .about(say("take an announcement away", "撤下公告"))
            .arg(contest_argument(language))
            .arg(
                Arg::new("number")
                    .value_name("N")
                    .required(true)
                    .value_parser(value_parser!(i64))
                    .help(say("its number", "公告编号")),
            ),
        Command::new("rejudge").about(say("play every match again", "全部重新比赛")).arg(contest_argument(language)),
    ]
}

/// A moment as a person writes it, in the machine's own time zone.
fn moment(matches: &ArgMatches, name: &str) -> anyhow::Result<Option<i64>> {
    let Some(text) = matches.get_one::<String>(name) else { return Ok(None) };
    let civil: jiff::civil::DateTime = text.parse().with_context(|| format!("--{name}: 2026-12-01T08:00"))?;
    Ok(Some(civil.to_zoned(jiff::tz::TimeZone::system())?.timestamp().as_millisecond()))
}

async fn create(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<()> {
    let words = |words: &course::Words| anyhow!(words.text(context.language).to_owned());
    let id = read_slug(text(matches, "contest")).map_err(|said| words(&said))?;
    let game = context.game(text(matches, "game"))?;
    let pairs = matches.get_many::<String>("variant").into_iter().flatten().map(String::as_str);
    let variant = games::read_pairs(pairs).map_err(|error| anyhow!(error.say(context.language)))?;
    let variant = game.open(&variant, None).map_err(|error| anyhow!(error.say(context.language)))?.variant();
    let usual = Rules::of_game(game);
    let number = |name: &str, usual: u64| matches.get_one::<u64>(name).copied().unwrap_or(usual);
    let rules = Rules {
        ply_ms: number("ply-ms", usual.ply_ms),
        game_ms: number("game-ms", usual.game_ms),
        tolerance_ms: number("tolerance-ms", usual.tolerance_ms),
        memory_mb: number("memory-mb", usual.memory_mb),
        rounds: number("rounds", usual.rounds.into()) as u32,
        interval_s: number("interval", usual.interval_s),
        archives: matches.get_flag("archives"),
        languages: matches.get_many::<String>("language").into_iter().flatten().cloned().collect(),
        ..usual
    };
    check_rules(game, &variant, &rules).map_err(|(field, said)| words(&said).context(field))?;
    let title = matches.get_one::<String>("title").cloned().unwrap_or_else(|| id.clone());
    let contest = Contest {
        number: 0,
        id,
        title,
        about: String::new(),
        game: game.facts().id.to_owned(),
        variant,
        rules,
        visibility: Visibility::default(),
        opens: moment(matches, "opens")?,
        closes: moment(matches, "closes")?,
        scoreboard_minutes: 0,
        locked: None,
        frozen: false,
        audience: audience(context, store, matches).await?,
        created: 0,
    };
    let references = course::check_references(game, &given(matches, "reference")).map_err(|said| words(&said))?;
    let said = |error: course::StoreError| anyhow!("{error}");
    let contest = store.save_contest(&contest).await.map_err(said)?;
    store.set_references(contest.number, &references).await.map_err(said)
}

/// The values of an option that may be given several times.
fn given(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

/// Whom a contest is to be open to; everybody when nobody is named.
async fn audience(context: &Context, store: &Store, matches: &ArgMatches) -> anyhow::Result<Option<Audience>> {
    let audience = Audience { groups: given(matches, "group"), students: given(matches, "student") };
    let audience = Some(audience).filter(|named| *named != Audience::default());
    match store.audience_problem(audience.as_ref()).await.map_err(|error| anyhow!("{error}"))? {
        Some((_, said)) => bail!("{}", said.text(context.language)),
        None => Ok(audience),
    }
}

pub(super) async fn run(
    context: &Context,
    store: &Store,
    name: &str,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let said = |error: course::StoreError| anyhow!("{error}");
    match name {
        "create" => create(context, store, matches).await?,
        "references" => {
            let contest = contest(context, store, matches).await?;
            let wanted = course::check_references(context.game(&contest.game)?, &given(matches, "reference"))
                .map_err(|said| anyhow!(said.text(context.language).to_owned()))?;
            store.set_references(contest.number, &wanted).await.map_err(said)?;
        }
        "audience" => {
            let audience = audience(context, store, matches).await?;
            let contest = Contest { audience, ..contest(context, store, matches).await? };
            store.save_contest(&contest).await.map_err(said)?;
        }
        "list" => {
            let mut out = anstream::stdout().lock();
            for contest in store.contests().await.map_err(said)? {
                let counting = store.counting(contest.number).await.map_err(said)?;
                let players = counting.iter().filter(|row| row.standing.is_ranked()).count();
                let phase = serde_json::to_value(contest.phase(course::now())).unwrap_or_default();
                let phase = phase.as_str().unwrap_or_default();
                writeln!(out, "{}\t{}\t{}\t{phase}\t{players}", contest.id, contest.title, contest.game)?;
            }
        }
        "lock" | "unlock" => {
            let contest = contest(context, store, matches).await?;
            let reason = matches.try_get_one::<String>("reason").ok().flatten();
            store.lock(contest.number, reason.map(String::as_str)).await.map_err(said)?;
        }
        "freeze" | "unfreeze" => {
            let contest = contest(context, store, matches).await?;
            Boards::default().freeze(store, &contest, name == "freeze").await.map_err(said)?;
        }
        "announce" => {
            let contest = contest(context, store, matches).await?;
            let words = text(matches, "text").trim();
            if words.is_empty() || words.chars().count() > LONGEST_ANNOUNCEMENT {
                bail!("{}", context.text(Phrase::new("TEXT: 1 to 2000 characters", "TEXT：1 到 2000 个字符")));
            }
            let made = store.announce(contest.number, "boyi admin", words).await.map_err(said)?;
            writeln!(anstream::stdout().lock(), "{}", made.id)?;
        }
        "unannounce" => {
            let contest = contest(context, store, matches).await?;
            let number = matches.get_one::<i64>("number").copied().unwrap_or_default();
            if !store.unannounce(contest.number, number).await.map_err(said)? {
                bail!("{} {number}", context.text(Phrase::new("there is no announcement", "没有公告")));
            }
        }
        "rejudge" => {
            let contest = contest(context, store, matches).await?;
            let matches = store.rejudge_all(contest.number).await.map_err(said)?;
            writeln!(anstream::stdout().lock(), "{matches}")?;
        }
        _ => bail!("no such subcommand"),
    }
    Ok(ExitCode::SUCCESS)
}

//! `boyi engine`: a built-in player on stdin and stdout, for any platform to load.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use protocols::{Insight, Speaker, ThinkLimits};
use referee::lines::{LineSplitter, decode};

use crate::cli;
use crate::context::Context;
use crate::seats;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("engine")
        .about(say(
            "A built-in player on stdin/stdout, for any platform to load",
            "在标准输入输出上运行内置引擎，可供任何平台加载",
        ))
        .arg(cli::game_argument(language))
        .arg(cli::protocol_argument(language))
        .arg(Arg::new("level").long("level").value_name("NAME").help(say(
            "which player: random, greedy, 1 to 6, max, see `boyi games GAME` [default: the strongest of the game]",
            "引擎级别：random、greedy、1 至 6、max，见 boyi games 棋种 [缺省：该棋种最强者]",
        )))
        .arg(Arg::new("ply-time").long("ply-time").value_name("TIME").value_parser(seats::read_time).help(say(
            "the most for a ply, also where the platform allows more: 5, 500ms [default: what the platform tells, or BOYI_PLY_MS, else 1 s]",
            "每步用时上限，平台允许更长时亦然：5、500ms [缺省：平台或 BOYI_PLY_MS 给出的时限，均未给出时 1 秒]",
        )))
        .arg(
            Arg::new("memory")
                .long("memory")
                .value_name("SIZE")
                .value_parser(cli::read_size)
                .help(say("the most memory it may use: 64M, 1G [default 256M]", "可用内存上限：64M、1G [缺省 256M]")),
        )
        .arg(Arg::new("threads").long("threads").value_name("N").value_parser(value_parser!(u16).range(1..=256)).help(
            say(
                "cores it may use, where its search can share work [default 1]",
                "可用的核数（搜索支持并行时有效）[缺省 1]",
            ),
        ))
        .arg(Arg::new("analyse").long("analyse").action(ArgAction::SetTrue).help(say(
            "tell on stderr what it thought of each ply: score, depth, line, positions a second",
            "在标准错误上报告每步的思考：评分、深度、主要变化、每秒局面数",
        )))
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help(say("the same seed plays the same games", "随机种子；相同种子下法相同")),
        )
}

/// The limit that boyi tells engines beside the protocol.
fn told_by_the_referee() -> Option<Duration> {
    std::env::var(referee::PLY_LIMIT).ok()?.parse().ok().map(Duration::from_millis)
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let id = game.facts().id;
    let protocol = seats::protocol(context, id, matches.get_one::<String>("protocol").map(String::as_str))?;
    let strongest = || engines::styles(game).last().map_or("greedy", |(name, ..)| name);
    let style = seats::style(context, game, matches.get_one::<String>("level").map_or_else(strongest, String::as_str))?;
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(seats::fresh_seed);
    let mut settings = engines::Settings::with_seed(seed);
    if let Some(memory) = matches.get_one::<Option<u64>>("memory").copied().flatten() {
        settings.memory = usize::try_from(memory).unwrap_or(usize::MAX);
    }
    if let Some(&threads) = matches.get_one::<u16>("threads") {
        settings.threads = usize::from(threads);
    }
    let player = engines::player_with(game, style, &settings);
    let name = player.name();
    let turn = matches.get_one::<Option<Duration>>("ply-time").copied().flatten().or_else(told_by_the_referee);
    let most = ThinkLimits { turn, ..ThinkLimits::default() };
    let mut speaker = Speaker::new(protocol.engine_end(id, &name), player).with_most(most).watching(game);
    let (analyse, mut told) = (matches.get_flag("analyse"), None);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut splitter = LineSplitter::default();
    let mut chunk = [0; 4096];
    let (mut going, mut written) = (true, Ok(()));
    while going {
        let count = match input.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).context("stdin"),
        };
        let take = |line: &[u8], _: usize| {
            if going {
                going = speaker.line(&decode(line), |answer| {
                    // One write a line, so that a platform never sees half of one.
                    // A bare LF, whatever the manager sends itself: some wait for exactly "OK" and LF.
                    let whole = format!("{answer}\n");
                    let sent = output.write_all(whole.as_bytes()).and_then(|()| output.flush());
                    if written.is_ok() {
                        written = sent;
                    }
                });
            }
            if analyse && told != speaker.player().insight() {
                told = speaker.player().insight();
                tell(context, told.as_ref());
            }
        };
        if count == 0 {
            // A last line may lack its end.
            splitter.finish(take);
            break;
        }
        splitter.feed(&chunk[..count], take);
        if written.is_err() {
            break;
        }
    }
    written?;
    if let Some(wrong) = speaker.wrong() {
        let stops = context.text(Phrase::new("the game cannot go on, so this engine stops", "对局无法继续，引擎退出"));
        let colon = if context.language == Language::Zh { "；" } else { "; " };
        anyhow::bail!("{}{colon}{stops}", wrong.say(context.language));
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what a player thought.
fn tell(context: &Context, insight: Option<&Insight>) {
    let Some(Insight { score, depth, nodes, time, line }) = insight else { return };
    let a_second = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let (milliseconds, line) = (time.as_millis(), line.join(" | "));
    let text = match context.language {
        Language::En => {
            format!("score {score}, depth {depth}, {nodes} positions in {milliseconds} ms ({a_second}/s): {line}")
        }
        Language::Zh => {
            format!("评分 {score}，深度 {depth}，{nodes} 个局面，{milliseconds} 毫秒（每秒 {a_second}）：{line}")
        }
    };
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

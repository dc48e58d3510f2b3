//! `boyi engine`: a built-in player on stdin and stdout, for any platform to load.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Arg, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use protocols::Speaker;
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
        .arg(
            Arg::new("level")
                .long("level")
                .value_name("NAME")
                .default_value("greedy")
                .help(say("which player: random, greedy, 1 to 6, max", "引擎级别：random、greedy、1 至 6、max")),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help(say("the same seed plays the same games", "随机种子；相同种子下法相同")),
        )
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let id = game.facts().id;
    let protocol = seats::protocol(context, id, matches.get_one::<String>("protocol").map(String::as_str))?;
    let level = matches.get_one::<String>("level").map_or("", String::as_str);
    let style = seats::style(context, game, level)?;
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(seats::fresh_seed);
    let player = engines::player(game, style, seed);
    let name = player.name();
    let mut speaker = Speaker::new(protocol.engine_end(id, &name), player);
    let line_end = protocol.facts().line_end;
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut splitter = LineSplitter::default();
    let mut chunk = [0; 4096];
    let (mut going, mut written) = (true, Ok(()));
    while going {
        let count = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error).context("stdin"),
        };
        splitter.feed(&chunk[..count], |line, _| {
            if going {
                going = speaker.line(&decode(line), |answer| {
                    // One write a line, so that a platform never sees half of one.
                    let whole = format!("{answer}{line_end}");
                    let sent = output.write_all(whole.as_bytes()).and_then(|()| output.flush());
                    if written.is_ok() {
                        written = sent;
                    }
                });
            }
        });
        if written.is_err() {
            break;
        }
    }
    written?;
    Ok(ExitCode::SUCCESS)
}

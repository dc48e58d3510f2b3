//! The command line: what all subcommands share.

use clap::builder::{PossibleValuesParser, styling};
use clap::{Arg, ArgAction, ArgMatches, Command};
use games::{Eyes, Language, Phrase, Side};

use crate::{commands, seats};

/// The whole command line, its help in the given language.
pub(crate) fn command(language: Language) -> Command {
    let say = |phrase: Phrase| phrase.text(language);
    let styles = styling::Styles::styled()
        .header(styling::AnsiColor::Green.on_default().bold())
        .usage(styling::AnsiColor::Green.on_default().bold())
        .literal(styling::AnsiColor::Cyan.on_default().bold());
    let command = Command::new("boyi")
        .version(env!("CARGO_PKG_VERSION"))
        .about(say(Phrase::new("One arena for board-game engines", "博弈：棋类引擎的统一对战平台")))
        .styles(styles)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .arg(
            Arg::new("lang")
                .long("lang")
                .global(true)
                .value_name("en|zh")
                .value_parser(PossibleValuesParser::new(["en", "zh"]))
                .hide_possible_values(true)
                .help(say(Phrase::new(
                    "language of messages (otherwise BOYI_LANG, then the locale)",
                    "界面语言（缺省依次取 BOYI_LANG 和系统区域设置）",
                ))),
        );
    let command = commands::ALL
        .iter()
        .fold(command, |command, entry| command.subcommand(localised((entry.command)(language), language)));
    localised(command, language)
}

/// Help headings and templates in the run's language; clap itself speaks only English.
pub(crate) fn localised(command: Command, language: Language) -> Command {
    match language {
        Language::En => command,
        Language::Zh => {
            let has_commands = command.has_subcommands();
            let has_arguments = command.get_positionals().next().is_some();
            let mut template = String::from("{about-with-newline}\n用法：{usage}\n");
            if has_commands {
                template.push_str("\n命令：\n{subcommands}\n");
            }
            if has_arguments {
                template.push_str("\n参数：\n{positionals}\n");
            }
            template.push_str("\n选项：\n{options}\n{after-help}");
            command
                .help_template(template)
                .disable_help_flag(true)
                .disable_version_flag(true)
                .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help("显示帮助"))
                .arg(
                    Arg::new("version")
                        .short('V')
                        .long("version")
                        .action(ArgAction::Version)
                        .help("显示版本")
                        .hide(!has_commands),
                )
                .version(env!("CARGO_PKG_VERSION"))
        }
    }
}

/// The game's name, the first word after most subcommands.
pub(crate) fn game_argument(language: Language) -> Arg {
    let help = Phrase::new(
        "the game, by its English or Chinese name (see `boyi games`)",
        "棋种，中文名或英文名均可（见 boyi games）",
    );
    Arg::new("game").value_name("GAME").required(true).help(help.text(language))
}

/// `--variant key=value …`
pub(crate) fn variant_argument(language: Language) -> Arg {
    let help = Phrase::new(
        "an option of the game, repeatable (see `boyi games GAME`)",
        "棋种选项，可重复（见 boyi games GAME）",
    );
    Arg::new("variant").long("variant").value_name("key=value").action(ArgAction::Append).help(help.text(language))
}

/// `--position TEXT`
pub(crate) fn position_argument(language: Language) -> Arg {
    let help = Phrase::new("start from this position", "从此局面开始");
    Arg::new("position").long("position").value_name("TEXT").help(help.text(language))
}

/// `--json`
pub(crate) fn json_argument(language: Language) -> Arg {
    let help = Phrase::new("JSON for programs instead of text for people", "输出供程序读取的 JSON");
    Arg::new("json").long("json").action(ArgAction::SetTrue).help(help.text(language))
}

/// `--protocol NAME`
pub(crate) fn protocol_argument(language: Language) -> Arg {
    let help = Phrase::new(
        "sau, gomocup, junqi or tiaojia; the game's usual one when absent",
        "通信协议：sau、gomocup、junqi、tiaojia；缺省为该棋种的常用协议",
    );
    Arg::new("protocol").long("protocol").value_name("NAME").help(help.text(language))
}

/// The limits of a game.
pub(crate) fn time_arguments(language: Language) -> [Arg; 5] {
    let time = |name: &'static str, help: Phrase| {
        Arg::new(name).long(name).value_name("TIME").value_parser(seats::read_time).help(help.text(language))
    };
    [
        time(
            "ply-time",
            Phrase::new("for each ply: 2, 0.5, 500ms, none [default 5 s]", "每步时限：2、0.5、500ms、none [缺省 5 秒]"),
        ),
        time("game-time", Phrase::new("for a side's whole game", "每方全局时限")),
        time("increment", Phrase::new("added after each ply", "每步加时")),
        time("start-time", Phrase::new("until an engine must be ready [default 10 s]", "引擎启动时限 [缺省 10 秒]")),
        Arg::new("tolerance")
            .long("tolerance")
            .value_name("MS")
            .value_parser(clap::value_parser!(u64).range(0..=60_000))
            .help(
                Phrase::new(
                    "an overrun of up to so many milliseconds does not lose; engines are not told [default 0]",
                    "超时不超过此毫秒数不判负，不告知引擎 [缺省 0]",
                )
                .text(language),
            ),
    ]
}

/// How engines are spoken with.
pub(crate) fn speech_arguments(language: Language) -> [Arg; 5] {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    [
        protocol_argument(language),
        Arg::new("option")
            .long("option")
            .value_name("key=value")
            .action(ArgAction::Append)
            .help(say("an option of the protocol, repeatable", "协议选项，可重复")),
        Arg::new("gap-ms")
            .long("gap-ms")
            .value_name("MS")
            .value_parser(clap::value_parser!(u64).range(0..=10_000))
            .default_value("0")
            .hide_default_value(true)
            .help(say(
                "pause between two messages to an engine (20 helps engines that call fflush(stdin))",
                "向引擎连续发送消息的间隔（对调用 fflush(stdin) 的引擎可设为 20）",
            )),
        Arg::new("ponder")
            .long("ponder")
            .action(ArgAction::SetTrue)
            .help(say("let engines compute on their opponent's time", "允许引擎在对方时间思考")),
        crate::cage::argument(language),
    ]
}

/// `--seat` and `--svg`: whose picture, and where it goes.
pub(crate) fn picture_arguments(language: Language) -> [Arg; 2] {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    [
        Arg::new("seat")
            .long("seat")
            .value_name("black|white|all")
            .value_parser(PossibleValuesParser::new(["black", "white", "all"]))
            .hide_possible_values(true)
            .default_value("all")
            .hide_default_value(true)
            .help(say("whose eyes to look through", "以谁的视角观看")),
        Arg::new("svg")
            .long("svg")
            .value_name("FILE")
            .help(say("write the picture to this file (`-`: stdout)", "将图片写入此文件（- 为标准输出）")),
    ]
}

/// The eyes `--seat` names.
pub(crate) fn eyes(matches: &ArgMatches) -> Eyes {
    match matches.get_one::<String>("seat").map(String::as_str) {
        Some("black") => Eyes::Seat(Side::Black),
        Some("white") => Eyes::Seat(Side::White),
        _ => Eyes::All,
    }
}

/// A size as people write it: `350M`, `1.5G`, `64k`, `1000`; `none` means no limit.
pub(crate) fn read_size(text: &str) -> Result<Option<u64>, String> {
    let text = text.trim().to_lowercase();
    if text == "none" {
        return Ok(None);
    }
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text[digits.len()..].trim_end_matches('b').trim_end_matches('i') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1_048_576.0,
        "g" => 1_073_741_824.0,
        _ => return Err("350M, 1G, 65536, none".to_owned()),
    };
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.map(|number| Some((number * unit) as u64)).ok_or_else(|| "350M, 1G, 65536, none".to_owned())
}

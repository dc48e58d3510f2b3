//! `boyi check`: does this engine speak its protocol? Names each fault and how to mend it.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use checker::{Finding, Leash, Plan, Report, Severity};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use referee::CommandLine;

use crate::cli;
use crate::context::Context;
use crate::seats;

/// For each ply, when nothing else is asked for.
const USUAL_PLY: Duration = Duration::from_secs(2);
/// Until an engine must be ready.
const USUAL_START: Duration = Duration::from_secs(10);

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let time = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("TIME").value_parser(seats::read_time).help(help)
    };
    Command::new("check")
        .about(say(
            "Check that an engine speaks its protocol; name each fault and how to mend it",
            "检查引擎是否正确实现协议，指出每个问题及修改方法",
        ))
        .after_help(say(
            "Exit code: 0 no errors, 1 errors found, 2 the engine could not be run.",
            "退出码：0 没有错误，1 发现错误，2 引擎无法运行。",
        ))
        .arg(cli::game_argument(language))
        .arg(
            Arg::new("engine")
                .value_name("CMD")
                .required(true)
                .num_args(1..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true)
                .help(say(
                    "the engine and its arguments, before which boyi's options go; or a command line in quotes, which they may follow",
                    "引擎及其参数，boyi 的选项写在它前面；或用引号括起的命令行，选项也可写在其后",
                )),
        )
        .arg(cli::variant_argument(language))
        .arg(cli::protocol_argument(language))
        .arg(
            Arg::new("option")
                .long("option")
                .value_name("key=value")
                .action(ArgAction::Append)
                .help(say("an option of the protocol, repeatable", "协议选项，可重复")),
        )
        .arg(time("ply-time", say("for each ply [default 2 s]", "每步时限 [缺省 2 秒]")))
        .arg(time("start-time", say("until the engine must be ready [default 10 s]", "引擎启动时限 [缺省 10 秒]")))
        .arg(
            Arg::new("gap-ms")
                .long("gap-ms")
                .value_name("MS")
                .value_parser(value_parser!(u64).range(0..=10_000))
                .help(say(
                    "pause between two messages [default 0; 20 is tried when the engine hangs]",
                    "两条消息的间隔 [缺省 0；引擎卡住时会试用 20]",
                )),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("1")
                .help(say("seed of the opponent", "对手的随机种子")),
        )
        .arg(
            Arg::new("strict")
                .long("strict")
                .action(ArgAction::SetTrue)
                .help(say("warnings count as errors", "警告也算错误")),
        )
        .arg(cli::json_argument(language))
}

/// The arguments with boyi's own options before a command line that is one quoted word: what follows that cannot be the
/// engine's, whose arguments are in the quotes.
pub(crate) fn own_options_first(arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(start) = arguments.iter().take(4).position(|word| word == "check") else { return arguments };
    let command = command(Language::En);
    let takes_value = |word: &str| {
        let name = word.trim_start_matches('-');
        let known = command.get_arguments().find(|known| known.get_long() == Some(name));
        !word.contains('=') && (name == "lang" || known.is_some_and(|known| known.get_action().takes_values()))
    };
    let (mut index, mut positional) = (start + 1, 0);
    while let Some(word) = arguments.get(index).map(|word| word.to_string_lossy()) {
        if word == "--" {
            return arguments;
        }
        if word.starts_with('-') {
            index += usize::from(takes_value(&word));
        } else {
            positional += 1;
            if positional == 2 {
                let follows = arguments.get(index + 1).is_some_and(|next| next.to_string_lossy().starts_with("--"));
                if word.contains(char::is_whitespace) && follows {
                    break;
                }
                return arguments;
            }
        }
        index += 1;
    }
    if index >= arguments.len() {
        return arguments;
    }
    let mut ordered = arguments;
    let quoted = ordered.remove(index);
    ordered.push(quoted);
    ordered
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let words: Vec<String> = matches.get_many::<String>("engine").into_iter().flatten().cloned().collect();
    let command = match &words[..] {
        [line] => CommandLine::read(line)?,
        _ => CommandLine { words, ..CommandLine::default() },
    };
    let pairs = |name| {
        let pairs = matches.get_many::<String>(name).into_iter().flatten().map(String::as_str);
        games::read_pairs(pairs).map_err(|error| anyhow::anyhow!(error.say(context.language)))
    };
    let table = game.open(&pairs("variant")?, None).map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    let time = |name, usual| matches.get_one::<Option<Duration>>(name).copied().flatten().unwrap_or(usual);
    let plan = Plan {
        game,
        table,
        protocol: seats::protocol(context, game.facts().id, matches.get_one::<String>("protocol").map(String::as_str))?,
        options: pairs("option")?,
        command,
        ply_time: time("ply-time", USUAL_PLY),
        start_time: time("start-time", USUAL_START),
        gap: Duration::from_millis(matches.get_one::<u64>("gap-ms").copied().unwrap_or_default()),
        seed: matches.get_one::<u64>("seed").copied().unwrap_or(1),
        leash: Leash::default(),
    };
    let report = checker::check(&seats::host()?, plan)?;
    let mut out = anstream::stdout().lock();
    if context.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write_report(context, &report, &mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::from(match (report.ran, report.passed(matches.get_flag("strict"))) {
        (false, _) => 2,
        (true, false) => 1,
        (true, true) => 0,
    }))
}

fn write_report(context: &Context, report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    for finding in &report.findings {
        write_finding(context, finding, out)?;
        writeln!(out)?;
    }
    write_summary(context, report, out)
}

fn write_finding(context: &Context, finding: &Finding, out: &mut impl Write) -> std::io::Result<()> {
    let language = context.language;
    let severity = finding.severity.word().text(language);
    let times = match (finding.times, language) {
        (1, _) => String::new(),
        (times, Language::En) => format!(" ({times} times)"),
        (times, Language::Zh) => format!("（{times} 次）"),
    };
    writeln!(out, "{severity} [{}] {}{times}", finding.kind.code, finding.title.text(language))?;
    let mut row = |label: Phrase, text: &str| {
        let colon = if language == Language::Zh { "：" } else { ": " };
        writeln!(out, "    {}{colon}{text}", label.text(language))
    };
    row(Phrase::new("during", "阶段"), finding.stage.text(language))?;
    if let Some(asked) = &finding.asked {
        row(Phrase::new("it was sent", "发送"), asked)?;
    }
    if let Some(line) = &finding.line {
        row(Phrase::new("it wrote", "引擎输出"), line)?;
    }
    if let Some(detail) = &finding.detail {
        row(Phrase::new("because", "原因"), detail.text(language))?;
    }
    row(Phrase::new("expected", "应为"), finding.expected.text(language))?;
    row(Phrase::new("mend", "修改"), finding.mend.text(language))
}

fn write_summary(context: &Context, report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| report.count(severity));
    let name = report.name.clone().unwrap_or_else(|| report.command.join(" "));
    let protocol = report.protocol_name.text(context.language);
    let [errors, warnings, notes] = counts;
    let many = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    match context.language {
        Language::En => {
            let (errors, warnings, notes) = (many(errors, "error"), many(warnings, "warning"), many(notes, "note"));
            writeln!(out, "{name} ({}, {protocol}): {errors}, {warnings}, {notes}", report.game)
        }
        Language::Zh => {
            writeln!(out, "{name}（{}，{protocol}）：{errors} 个错误，{warnings} 个警告，{notes} 个提示", report.game)
        }
    }?;
    let seconds = |time: Option<Duration>| time.map_or(0.0, |time| time.as_secs_f64());
    let (ready, slowest) = (seconds(report.ready), seconds(report.slowest()));
    let games = report.games.iter().filter(|game| game.finished).count();
    let plies: u32 = report.games.iter().map(|game| game.own_plies).sum();
    if report.ready.is_some() {
        match context.language {
            Language::En => writeln!(
                out,
                "ready after {ready:.3} s; {games} whole games, {plies} plies of its own, the slowest {slowest:.3} s"
            ),
            Language::Zh => {
                writeln!(out, "{ready:.3} 秒就绪；下完 {games} 局，共 {plies} 手，最慢一手 {slowest:.3} 秒")
            }
        }?;
    }
    // An engine with errors was not tried with one.
    if let Some(openings) = report.openings.filter(|_| counts[0] == 0) {
        let words = match openings {
            true => Phrase::new("It can be told openings.", "可以接受开局。"),
            false => Phrase::new(
                "It does not say that it can be told openings; `boyi match --opening-plies` needs that (docs/openings.md).",
                "未声明可以接受开局；boyi match --opening-plies 需要它（见 docs/openings.zh-CN.md）。",
            ),
        };
        writeln!(out, "{}", context.text(words))?;
    }
    if counts == [0, 0, 0] {
        writeln!(out, "{}", context.text(Phrase::new("All is well.", "一切正常。")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_after_a_quoted_command_are_ours() {
        let ordered = |line: &[&str]| {
            let words = own_options_first(line.iter().map(OsString::from).collect());
            words.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>()
        };
        let moved = ordered(&["boyi", "check", "amazons", "./e --fast", "--lang", "en", "--strict"]);
        assert_eq!(moved, ["boyi", "check", "amazons", "--lang", "en", "--strict", "./e --fast"]);
        let moved = ordered(&["boyi", "--lang", "zh", "check", "--seed", "3", "nogo", "python3 x.py", "--json"]);
        assert_eq!(moved, ["boyi", "--lang", "zh", "check", "--seed", "3", "nogo", "--json", "python3 x.py"]);
        for kept in [
            &["boyi", "check", "amazons", "./e", "--fast"][..],
            &["boyi", "check", "amazons", "--", "./e x", "--fast"],
            &["boyi", "check", "amazons", "a b", "c"],
            &["boyi", "check", "amazons"],
            &["boyi", "play", "check", "a b", "--json"],
        ] {
            assert_eq!(ordered(kept), kept);
        }
    }
}

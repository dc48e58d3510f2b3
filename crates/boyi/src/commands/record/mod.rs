//! `boyi record`: looks at game records, converts them, and checks them against the rules.

mod show;
mod verify;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use records::{Choices, Format, Opened, ReadError, Rows};

use crate::cli;
use crate::context::Context;

const WRONG: Phrase = Phrase::new("this record is wrong", "棋谱有误");
/// A file larger than this is no record of a game.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let command = Command::new("record")
        .about(say("Game records: show, convert, verify", "棋谱：显示、转换、校验"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true);
    [show_command(language), convert_command(language), verify_command(language)]
        .into_iter()
        .fold(command, |command, inner| command.subcommand(cli::localised(inner, language)))
}

fn file_argument(language: Language) -> Arg {
    let help = Phrase::new(
        "the record: boyi's JSON, SGF, Piskvork's .psq or a championship text",
        "棋谱文件：本平台 JSON、SGF、Piskvork 的 .psq 或竞赛棋谱文本",
    );
    Arg::new("file").value_name("FILE").required(true).help(help.text(language))
}

fn number_argument(language: Language) -> Arg {
    let help = Phrase::new("which game of a collection [default: the first]", "合集中的第几局 [缺省：第一局]");
    let number = Arg::new("number").long("number").value_name("N").value_parser(value_parser!(usize));
    number.help(help.text(language))
}

/// What a file may leave open.
fn choices_arguments(language: Language) -> [Arg; 2] {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    [
        Arg::new("game")
            .long("game")
            .value_name("GAME")
            .help(say("the game, where the file does not name it", "棋种（文件未说明时）")),
        Arg::new("rows")
            .long("rows")
            .value_name("bottom|top")
            .value_parser(PossibleValuesParser::new(["bottom", "top"]))
            .hide_possible_values(true)
            .default_value("bottom")
            .hide_default_value(true)
            .help(say(
                "from where championship texts count rows (Amazons always from the bottom)",
                "竞赛棋谱的行号从下（bottom）还是从上（top）数起；亚马逊棋总是从下数起",
            )),
    ]
}

fn show_command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("show")
        .about(say("Show a game: players, plies, board", "显示对局：对局者、着法、棋盘"))
        .arg(file_argument(language))
        .arg(
            Arg::new("at")
                .long("at")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help(say("the board after N plies", "显示第 N 步之后的棋盘")),
        )
        .arg(number_argument(language))
        .args(cli::picture_arguments(language))
        .args(choices_arguments(language))
        .arg(cli::json_argument(language))
}

fn convert_command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("convert")
        .about(say("Convert a record; what is lost is said on stderr", "转换棋谱；丢失的内容在标准错误中说明"))
        .arg(file_argument(language))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("sgf|psq|ccgc|json")
                .required(true)
                .value_parser(PossibleValuesParser::new(Format::ALL.map(Format::name)))
                .hide_possible_values(true)
                .help(say("the format to write (ccgc: the championship's text)", "目标格式（ccgc 为竞赛棋谱文本）")),
        )
        .arg(Arg::new("output").short('o').long("output").value_name("OUT").help(say(
            "write to this file (`-`: stdout, the default; ccgc by default names its file as the championship does)",
            "写入此文件（- 为标准输出，即缺省；ccgc 缺省按竞赛规定的文件名写入当前目录）",
        )))
        .arg(number_argument(language))
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help(say("convert a record that breaks the rules, too", "棋谱不合规则时仍然转换")),
        )
        .args(choices_arguments(language))
}

fn verify_command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("verify")
        .about(say(
            "Replay every game of the files through the rules; exit code 1 if any is wrong",
            "按规则复盘校验各文件中的每一局；有错误时退出码为 1",
        ))
        .arg(file_argument(language).num_args(1..).action(ArgAction::Append))
        .args(choices_arguments(language))
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Some((name, inner)) = matches.subcommand() else { anyhow::bail!("no such subcommand") };
    // `--json` belongs to the inner command here.
    let json = inner.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    let context = Context { json, ..*context };
    match name {
        "show" => show::show(context, inner),
        "convert" => convert(context, inner),
        _ => verify::verify(context, inner),
    }
}

fn choices(context: Context, matches: &ArgMatches) -> anyhow::Result<Choices> {
    let game = matches.get_one::<String>("game").map(|name| context.game(name)).transpose()?;
    let rows = match matches.get_one::<String>("rows").map(String::as_str) {
        Some("top") => Rows::FromTop,
        _ => Rows::FromBottom,
    };
    Ok(Choices { game, rows })
}

/// The bytes of a file that is not larger than a record can be.
fn bytes_of(context: Context, file: &str, most: u64) -> anyhow::Result<Vec<u8>> {
    if std::fs::metadata(file)?.len() > most {
        anyhow::bail!(match context.language {
            Language::En => format!("too large for game records (more than {} MiB)", most >> 20),
            Language::Zh => format!("文件过大，不像棋谱（超过 {} MiB）", most >> 20),
        });
    }
    Ok(std::fs::read(file)?)
}

fn name_of(file: &str) -> String {
    Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The game of a file, or the one of a collection that was asked for.
fn load(context: Context, matches: &ArgMatches, choices: &Choices) -> anyhow::Result<Opened> {
    let file = file_of(matches);
    let bytes = bytes_of(context, file, MOST_BYTES).with_context(|| file.to_owned())?;
    let said = |error: ReadError| anyhow::anyhow!("{file}: {}", error.say(context.language));
    let Some(&wanted) = matches.get_one::<usize>("number") else {
        return records::read(&bytes, &name_of(file), choices).map_err(said);
    };
    let (mut games, mut found) = (0, None);
    records::read_each(&bytes, &name_of(file), choices, |opened| {
        games += 1;
        if games == wanted {
            found = Some(opened);
        }
    });
    let beyond = || match context.language {
        Language::En => anyhow::anyhow!("{file}: no game {wanted}; the file has {games}"),
        Language::Zh => anyhow::anyhow!("{file}：没有第 {wanted} 局；文件共 {games} 局"),
    };
    found.ok_or_else(beyond)?.map_err(said)
}

fn file_of(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("file").map_or("", String::as_str)
}

fn say_remarks(context: Context, remarks: &[records::Remark], label: Phrase) -> anyhow::Result<()> {
    for remark in remarks {
        writeln!(anstream::stderr(), "boyi: {}: {}", context.text(label), remark.text(context.language))?;
    }
    Ok(())
}

fn convert(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let choices = choices(context, matches)?;
    let opened = load(context, matches, &choices)?;
    if let Err(error) = opened.record.replay() {
        let (file, error) = (file_of(matches), error.say(context.language));
        if !matches.get_flag("force") {
            anyhow::bail!(match context.language {
                Language::En => format!("{file}: the record is wrong: {error}; --force converts it as it is"),
                Language::Zh => format!("{file}：棋谱有误：{error}；如仍要转换，请加 --force"),
            });
        }
        let label = context.text(WRONG);
        writeln!(anstream::stderr(), "boyi: {label}: {error}")?;
    }
    let format = matches.get_one::<String>("to").and_then(|name| Format::find(name)).unwrap_or(Format::Json);
    let converted = records::write(&opened.record, format, &choices)
        .map_err(|error| anyhow::anyhow!("{}: {}", file_of(matches), error.say(context.language)))?;
    let output = matches.get_one::<String>("output").cloned();
    let mut out = std::io::stdout().lock();
    match output.as_deref() {
        Some("-") => out.write_all(&converted.bytes)?,
        Some(file) => records::write_atomically(Path::new(file), &converted.bytes).with_context(|| file.to_owned())?,
        None if format == Format::Ccgc => {
            let name = records::file_name(&opened.record).unwrap_or_else(|| "record.txt".to_owned());
            // Two games of one minute would have one name.
            if Path::new(&name).exists() {
                let sentence = Phrase::new("is already there; choose a name with -o", "已经存在；请用 -o 指定文件名");
                anyhow::bail!("{name} {}", context.text(sentence));
            }
            records::write_atomically(Path::new(&name), &converted.bytes).with_context(|| name.clone())?;
            writeln!(out, "{name}")?;
        }
        None => out.write_all(&converted.bytes)?,
    }
    out.flush()?;
    say_remarks(context, &opened.remarks, Phrase::new("not read", "未读取"))?;
    say_remarks(context, &converted.lost, Phrase::new("lost", "丢失"))?;
    Ok(ExitCode::SUCCESS)
}

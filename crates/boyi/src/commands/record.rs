//! `boyi record`: looks at game records, converts them, and checks them against the rules.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::render::{svg, terminal};
use games::{Eyes, Language, Phrase, Side, Step, Table};
use records::{Choices, Format, Opened, PlyEnd, Record, Rows};
use serde_json::json;

use crate::cli;
use crate::context::Context;

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
        .args(choices_arguments(language))
}

fn verify_command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("verify")
        .about(say(
            "Replay records through the rules; exit code 1 if any is wrong",
            "按规则复盘校验棋谱；有错误时退出码为 1",
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
        "show" => show(context, inner),
        "convert" => convert(context, inner),
        _ => verify(context, inner),
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

fn load(context: Context, file: &str, choices: &Choices) -> anyhow::Result<Opened> {
    let size = std::fs::metadata(file).with_context(|| file.to_owned())?.len();
    if size > MOST_BYTES {
        let sentence =
            Phrase::new("too large for a game record (more than 64 MiB)", "文件过大，不像棋谱（超过 64 MiB）");
        anyhow::bail!("{file}: {}", context.text(sentence));
    }
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    records::read(&bytes, &name, choices).map_err(|error| anyhow::anyhow!("{file}: {}", error.say(context.language)))
}

fn file_of(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("file").map_or("", String::as_str)
}

fn show(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let opened = load(context, file_of(matches), &choices(context, matches)?)?;
    let record = &opened.record;
    let eyes = cli::eyes(matches);
    let played = record.plies.iter().filter(|ply| ply.end != PlyEnd::Refused).count();
    let wanted = matches.get_one::<usize>("at").copied().unwrap_or(played);
    if wanted > played {
        anyhow::bail!(match context.language {
            Language::En => format!("the game has {played} plies; --at {wanted} is beyond its end"),
            Language::Zh => format!("对局共 {played} 步；--at {wanted} 超出范围"),
        });
    }
    let whole = matches.get_one::<usize>("at").is_none();
    let (table, problem) =
        table_at(record, wanted, whole).map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let picture = matches.get_one::<String>("svg").map(String::as_str);
    if let Some(file) = picture {
        let drawn = svg::render(&table.view(eyes), context.language);
        if file == "-" {
            out.write_all(drawn.as_bytes())?;
        } else {
            records::write_atomically(Path::new(file), drawn.as_bytes()).with_context(|| file.to_owned())?;
        }
    }
    if context.json {
        writeln!(out, "{}", json_of(&opened, table.as_ref(), eyes, problem.as_ref()))?;
    } else if picture.is_none() {
        let colour = out.current_choice() != anstream::ColorChoice::Never;
        write!(out, "{}", head_of(context, record, table.as_ref()))?;
        write!(out, "{}", moves_of(context, record, table.as_ref(), eyes))?;
        write!(out, "\n{}", terminal::render(&table.view(eyes), context.language, colour))?;
    }
    out.flush()?;
    say_remarks(context, &opened.remarks, Phrase::new("note", "提示"))?;
    if let Some(problem) = problem {
        let label = context.text(Phrase::new("this record is wrong", "棋谱有误"));
        writeln!(anstream::stderr(), "boyi: {label}: {}", problem.say(context.language))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The table after this many plies, and what is wrong with the record on the way there.
fn table_at(
    record: &Record,
    wanted: usize,
    whole: bool,
) -> Result<(Box<dyn Table>, Option<records::ReplayError>), records::ReplayError> {
    let mut table = record.open()?;
    let mut played = 0;
    for (index, step) in record.plies.iter().enumerate() {
        if played == wanted && !whole {
            return Ok((table, None));
        }
        if let Err(problem) = record.replay_ply(table.as_mut(), index) {
            return Ok((table, Some(problem)));
        }
        played += usize::from(step.end != PlyEnd::Refused);
    }
    let problem = if whole { record.replay().err() } else { None };
    Ok((table, problem))
}

/// Game, players, occasion and result.
fn head_of(context: Context, record: &Record, table: &dyn Table) -> String {
    let language = context.language;
    let facts = table.facts();
    let mut occasion = vec![facts.name.text(language).to_owned()];
    occasion.extend([&record.event, &record.place, &record.date].into_iter().flatten().cloned());
    let mut out = clean(&occasion.join(" · ")) + "\n";
    for side in Side::BOTH {
        let player = record.seats.of(side);
        let name = if player.name.is_empty() { "?" } else { &player.name };
        let level = player.level.as_ref().map_or_else(String::new, |level| format!(" ({level})"));
        out.push_str(&clean(&format!("{}: {name}{level}", facts.sides[side.index()].text(language))));
        out.push('\n');
    }
    if let Some(verdict) = &record.verdict {
        let reason = reason_text(table, &verdict.reason, language);
        let result = match (verdict.winner, language) {
            (Some(side), Language::En) => format!("{} wins: {reason}", facts.sides[side.index()].en),
            (Some(side), Language::Zh) => format!("{}胜：{reason}", facts.sides[side.index()].zh),
            (None, Language::En) => format!("{}: {reason}", if verdict.counts { "Draw" } else { "No result" }),
            (None, Language::Zh) => format!("{}：{reason}", if verdict.counts { "和棋" } else { "无结果" }),
        };
        out.push_str(&clean(&result));
        out.push('\n');
    }
    out
}

/// A file's texts may not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

fn reason_text(table: &dyn Table, code: &str, language: Language) -> String {
    let mut known = games::reasons::SHARED
        .iter()
        .chain(table.facts().reasons)
        .chain(referee::decision::reasons::ALL)
        .copied()
        .chain([&records::REPORTED]);
    let reason = known.find(|reason| reason.code == code);
    reason.map_or_else(|| code.to_owned(), |reason| reason.text.text(language).to_owned())
}

/// The steps these eyes may know of, each with its index in the record. A seat may not even know how often its opponent
/// was refused.
fn known_steps(table: &dyn Table, eyes: Eyes) -> Vec<(usize, Step)> {
    let step = |index| Some((index, table.step(index, eyes)?));
    let known = |step: &Step| eyes.sees(step.mover) || PlyEnd::from(step.end) != PlyEnd::Refused;
    (0..table.steps()).filter_map(step).filter(|(_, step)| known(step)).collect()
}

/// The plies played so far, one line each.
fn moves_of(context: Context, record: &Record, table: &dyn Table, eyes: Eyes) -> String {
    let mut out = String::new();
    for (number, (index, step)) in known_steps(table, eyes).into_iter().enumerate() {
        let side = table.facts().sides[step.mover.index()].text(context.language);
        let ply = step.ply.as_deref().unwrap_or("?");
        let end = match PlyEnd::from(step.end) {
            PlyEnd::Played => String::new(),
            PlyEnd::Refused => format!("  {}", context.text(Phrase::new("refused", "被拒绝"))),
            PlyEnd::Lost => format!("  {}", context.text(Phrase::new("loses by it", "因此落败"))),
        };
        let time = record.plies.get(index).and_then(|ply| ply.ms).map_or_else(String::new, |ms| format!("  {ms} ms"));
        out.push_str(&format!("{:>4}. {side} {ply}{time}{end}\n", number + 1));
    }
    out
}

fn json_of(
    opened: &Opened,
    table: &dyn Table,
    eyes: Eyes,
    problem: Option<&records::ReplayError>,
) -> serde_json::Value {
    let record = &opened.record;
    let moves: Vec<_> = known_steps(table, eyes)
        .into_iter()
        .map(|(index, step)| {
            let ms = record.plies.get(index).and_then(|ply| ply.ms);
            json!({ "mover": step.mover, "ply": step.ply, "end": step.end.word(), "ms": ms })
        })
        .collect();
    let verdict = record.verdict.clone().map(|mut verdict| {
        // The evidence quotes the conversation, and so what is hidden.
        if eyes != Eyes::All {
            verdict.evidence = serde_json::Value::Null;
        }
        verdict
    });
    json!({
        "format": opened.format,
        "game": table.facts().id,
        "variant": table.variant(),
        "seats": record.seats,
        "event": record.event,
        "place": record.place,
        "date": record.date,
        "verdict": verdict,
        "moves": moves,
        "position": table.position(eyes),
        "problem": problem.map(ToString::to_string),
        "remarks": opened.remarks,
        "view": table.view(eyes),
    })
}

fn say_remarks(context: Context, remarks: &[records::Remark], label: Phrase) -> anyhow::Result<()> {
    for remark in remarks {
        writeln!(anstream::stderr(), "boyi: {}: {}", context.text(label), remark.text(context.language))?;
    }
    Ok(())
}

fn convert(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let choices = choices(context, matches)?;
    let opened = load(context, file_of(matches), &choices)?;
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

fn verify(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let choices = choices(context, matches)?;
    let mut out = anstream::stdout().lock();
    let mut all_good = true;
    for file in matches.get_many::<String>("file").into_iter().flatten() {
        let (format, plies, ply, problem) = match load(context, file, &choices) {
            Ok(opened) => {
                let wrong = opened.record.replay().err();
                let ply = wrong.as_ref().and_then(records::ReplayError::ply);
                (Some(opened.format), opened.record.plies.len(), ply, wrong.map(|wrong| wrong.say(context.language)))
            }
            Err(error) => {
                let sentence = format!("{error:#}");
                let sentence = sentence.strip_prefix(&format!("{file}: ")).unwrap_or(&sentence).to_owned();
                (None, 0, None, Some(sentence))
            }
        };
        all_good &= problem.is_none();
        if context.json {
            let format = format.map(Format::name);
            writeln!(
                out,
                "{}",
                json!({ "file": file, "ok": problem.is_none(), "format": format, "plies": plies, "ply": ply, "problem": problem })
            )?;
        } else {
            writeln!(out, "{file}: {}", problem.as_deref().unwrap_or("OK"))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!all_good)))
}

//! `boyi compile`: exactly what the judge does with a source, for whoever wrote it.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::sandbox::{Level, Report, Sandbox};
use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use serde_json::json;
use workshop::{Built, Failed, LANGUAGES, LARGEST_SOURCE, Made, Messages, Note, Options, Recipe, Workshop};

use super::sandbox;
use crate::cli;
use crate::context::Context;

/// What is kept of earlier builds.
const MOST_BYTES: u64 = 1 << 30;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("compile")
        .about(say("Compile an engine's source as the judge does", "按评测的方式编译引擎源代码"))
        .after_help(say(
            "Exit code: 0 if it compiles, 1 if it does not, 2 if it could not be tried.",
            "退出码：编译通过为 0，未通过为 1，无法编译为 2。",
        ))
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required_unless_present("list")
                .help(say("the source (`-`: stdin)", "源文件（- 为标准输入）")),
        )
        .arg(Arg::new("language").long("language").short('l').value_name("NAME").help(say(
            "its language [default: by the file's ending; see --list]",
            "语言 [缺省由扩展名判断，见 --list]",
        )))
        .arg(Arg::new("output").short('o').value_name("PROGRAM").value_parser(value_parser!(PathBuf)).help(say(
            "copy the program there (Java: a folder) [default: it stays in boyi's cache]",
            "把程序复制到此处（Java 为文件夹）[缺省留在 boyi 的缓存中]",
        )))
        .arg(Arg::new("sandbox").long("sandbox").value_name("auto|a|b|c|none").value_parser(sandbox::read_level).help(
            say(
                "how strong [default: the strongest this machine allows; see `boyi doctor`]",
                "沙箱级别 [缺省为本机最高级别，见 boyi doctor]",
            ),
        ))
        .arg(
            Arg::new("list")
                .long("list")
                .action(ArgAction::SetTrue)
                .help(say("list the languages and what is installed", "列出各语言及本机的安装情况")),
        )
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let sandbox = Arc::new(sandbox::open(context, matches.get_one::<Option<Level>>("sandbox").copied().flatten())?);
    if matches.get_flag("list") {
        return list(context, &sandbox);
    }
    let say = |error: workshop::Error| anyhow::anyhow!(error.say(context.language));
    let file = matches.get_one::<PathBuf>("file").context("no file")?;
    let source = read(file).with_context(|| file.display().to_string())?;
    let recipe = match matches.get_one::<String>("language") {
        Some(name) => workshop::find(name),
        // Its build file says how it is built.
        None if workshop::is_archive(&source) => workshop::find("c"),
        None => workshop::for_file(file),
    };
    let recipe = recipe.map_err(say)?;
    let workshop = Workshop::open(sandbox, &cache_folder(context)?, MOST_BYTES).map_err(say)?;
    let made = workshop.build(&source, recipe, &Options::default()).map_err(say)?;
    let mut out = anstream::stdout().lock();
    match made {
        Made::Built(built) => {
            let (program, run) = match matches.get_one::<PathBuf>("output") {
                Some(target) => {
                    let run = built.copy_to(target).map_err(say)?;
                    (target.canonicalize()?, run)
                }
                None => (built.program(), built.run.clone()),
            };
            if context.json {
                writeln!(out, "{}", built_json(&built, &program, &run))?;
            } else {
                write!(out, "{}", built_page(context, &built, &program, &run))?;
            }
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        Made::Failed(failed) => {
            if context.json {
                writeln!(out, "{}", failed_json(&failed))?;
            } else {
                write!(out, "{}", failed_page(context, &failed))?;
            }
            out.flush()?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The source, and one byte more than there may be.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = LARGEST_SOURCE as u64 + 1;
    if file.as_os_str() == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// `$XDG_CACHE_HOME/boyi/workshop`, or where that usually is.
fn cache_folder(context: &Context) -> anyhow::Result<PathBuf> {
    let named = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = named.or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    let missing = Phrase::new(
        "set HOME or XDG_CACHE_HOME: there is no place for what is built",
        "请设置 HOME 或 XDG_CACHE_HOME：没有存放编译结果的位置",
    );
    Ok(folder.with_context(|| context.text(missing))?.join("boyi").join("workshop"))
}

fn built_json(built: &Built, program: &Path, run: &[String]) -> serde_json::Value {
    json!({
        "built": true, "language": built.recipe.id, "compiler": built.toolchain.version, "encoding": built.encoding,
        "program": program, "run": run, "cached": built.cached, "messages": built.messages, "notes": built.notes,
        "report": built.report,
    })
}

fn failed_json(failed: &Failed) -> serde_json::Value {
    json!({
        "built": false, "language": failed.recipe.id, "compiler": failed.toolchain.version, "encoding": failed.encoding,
        "why": failed.why, "sentence": { "en": failed.say(Language::En), "zh": failed.say(Language::Zh) },
        "messages": failed.messages, "notes": failed.notes, "report": failed.report,
    })
}

fn built_page(context: &Context, built: &Built, program: &Path, run: &[String]) -> String {
    let zh = context.language == Language::Zh;
    let mut page = said(context, &built.messages, &built.notes);
    let what = work(context, built.recipe, &built.toolchain.version, &built.report);
    let cached = match (built.cached, zh) {
        (false, _) => "",
        (true, false) => "; compiled before, found again",
        (true, true) => "；此前已编译过，直接取用",
    };
    page.push_str(&if zh {
        format!("编译通过：{what}{cached}\n")
    } else {
        format!("it compiles: {what}{cached}\n")
    });
    let line = shell_words::join(run);
    let program = program.display();
    page.push_str(&if zh {
        format!("程序：{program}\n运行：{line}\n")
    } else {
        format!("program: {program}\nrun: {line}\n")
    });
    page
}

fn failed_page(context: &Context, failed: &Failed) -> String {
    let mut page = said(context, &failed.messages, &failed.notes);
    let what = work(context, failed.recipe, &failed.toolchain.version, &failed.report);
    let sentence = failed.say(context.language);
    let zh = context.language == Language::Zh;
    page.push_str(&if zh { format!("{sentence}（{what}）\n") } else { format!("{sentence} ({what})\n") });
    page
}

/// What the compiler said and what we say to it.
fn said(context: &Context, messages: &Messages, notes: &[Note]) -> String {
    let mut page = messages.text.clone();
    if !page.is_empty() && !page.ends_with('\n') {
        page.push('\n');
    }
    page.extend(messages.closing(context.language).map(|line| line + "\n"));
    let label = context.text(Phrase::new("hint: ", "提示："));
    page.extend(notes.iter().map(|note| format!("{label}{}\n", note.say(context.language))));
    page
}

/// Who did it, where, and what it cost.
fn work(context: &Context, recipe: &Recipe, version: &str, report: &Report) -> String {
    let (cpu, memory) = (report.usage.cpu.as_secs_f64(), report.usage.peak_memory as f64 / 1_048_576.0);
    let level = report.level.text(context.language);
    let name = context.text(recipe.name);
    match context.language {
        Language::En => {
            format!("{name}, {version}; {cpu:.1} s of processor time, {memory:.0} MiB; sandbox level {level}")
        }
        Language::Zh => format!("{name}，{version}；处理器 {cpu:.1} 秒，内存 {memory:.0} MiB；沙箱级别 {level}"),
    }
}

fn list(context: &Context, sandbox: &Sandbox) -> anyhow::Result<ExitCode> {
    let found = workshop::survey(sandbox);
    let of = |recipe: &Recipe| found.iter().find(|found| found.recipes.iter().any(|one| one.id == recipe.id));
    let mut out = anstream::stdout().lock();
    if context.json {
        let rows = LANGUAGES.iter().map(|recipe| {
            let toolchain = of(recipe).map(|found| &found.toolchain);
            let missing = toolchain.and_then(|toolchain| toolchain.as_ref().err());
            json!({
                "id": recipe.id, "name": recipe.name, "also": recipe.also, "endings": recipe.endings,
                "compile": recipe.compile.iter().map(|word| word.replace("{standard}", recipe.standard)).collect::<Vec<_>>(),
                "run": recipe.run, "toolchain": toolchain.and_then(|toolchain| toolchain.as_ref().ok()),
                "missing": missing.map(|missing| json!({ "en": missing.say(Language::En), "zh": missing.say(Language::Zh) })),
            })
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&rows.collect::<Vec<_>>())?)?;
    } else {
        for recipe in LANGUAGES {
            let (mark, said) = match of(recipe).map(|found| &found.toolchain) {
                Some(Ok(toolchain)) => ("✓", toolchain.version.clone()),
                Some(Err(missing)) => ("✗", missing.say(context.language)),
                None => ("✗", String::new()),
            };
            let endings: Vec<String> = recipe.endings.iter().map(|ending| format!(".{ending}")).collect();
            writeln!(out, "{mark} {:<11} {:<22} {said}", recipe.id, endings.join(" "))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

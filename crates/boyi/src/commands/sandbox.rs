//! `boyi sandbox run`: one program within limits, and a report of how it ended.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use ::sandbox::{Ended, Hold, Input, Level, Limits, Report, Sandbox, Stream, View};
use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};

use crate::context::Context;
use crate::{cli, seats};

/// The exit code when a limit ended the program, as of `timeout`.
const LIMIT: u8 = 124;
/// The exit code when the program did not start.
const NOT_STARTED: u8 = 125;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new("Run a program within limits", "在限制之内运行程序");
    Command::new("sandbox")
        .about(about.text(language))
        .subcommand_required(true)
        .subcommand(cli::localised(run_command(language), language))
}

fn run_command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let size =
        |name: &'static str, help| Arg::new(name).long(name).value_name("SIZE").value_parser(cli::read_size).help(help);
    let time = |name: &'static str, help| {
        Arg::new(name).long(name).value_name("TIME").value_parser(seats::read_time).help(help)
    };
    Command::new("run")
        .about(say(
            "Run a program within limits; its pipes are yours, the report goes to stderr",
            "在限制之内运行程序；标准输入输出直接相连，报告写到标准错误",
        ))
        .arg(Arg::new("level").long("level").value_name("auto|a|b|c|none").value_parser(read_level).help(say(
            "how strong [default: the strongest this machine allows; see `boyi doctor`]",
            "沙箱级别 [缺省为本机最高级别，见 boyi doctor]",
        )))
        .arg(size(
            "memory",
            say(
                "memory of all processes together: 350M, 1G, none [default 350M]",
                "全部进程合计内存：350M、1G、none [缺省 350M]",
            ),
        ))
        .arg(time("cpu", say("processor time: 10, 500ms", "处理器时间：10、500ms")))
        .arg(time("wall", say("time from start to end", "从启动到结束的时间")))
        .arg(
            Arg::new("processes")
                .long("processes")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..))
                .help(say("processes and threads [default 24]", "进程与线程总数 [缺省 24]")),
        )
        .arg(size("file-size", say("size of a file it writes [default 64M]", "单个文件大小 [缺省 64M]")))
        .arg(size("output", say("bytes on stdout and stderr together", "标准输出与标准错误的总字节数")))
        .arg(
            Arg::new("cores")
                .long("cores")
                .value_name("0,1")
                .value_delimiter(',')
                .value_parser(value_parser!(u32))
                .help(say("cores it must stay on", "限定使用的核心")),
        )
        .arg(Arg::new("folder").long("folder").value_name("DIR").value_parser(value_parser!(PathBuf)).help(say(
            "the folder it starts in and may read [default: the current one]",
            "程序所在的只读文件夹 [缺省为当前文件夹]",
        )))
        .arg(
            Arg::new("read")
                .long("read")
                .value_name("PATH")
                .value_parser(value_parser!(PathBuf))
                .action(ArgAction::Append)
                .help(say("one more file or folder it may read, repeatable", "另外可读的文件或文件夹，可重复")),
        )
        .arg(Arg::new("work").long("work").action(ArgAction::SetTrue).help(say(
            "let it write into its folder; plain files it made are kept",
            "允许写入其文件夹，结束后保留所生成的普通文件",
        )))
        .arg(cli::json_argument(language))
        .arg(
            Arg::new("command")
                .value_name("CMD")
                .required(true)
                .num_args(1..)
                .trailing_var_arg(true)
                .value_parser(value_parser!(OsString))
                .help(say("the program and its arguments", "程序及其参数")),
        )
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let Some(("run", matches)) = matches.subcommand() else { anyhow::bail!("no such subcommand") };
    let say = |error: ::sandbox::Error| anyhow::anyhow!(error.say(context.language));
    let sandbox = open(context, matches.get_one::<Option<Level>>("level").copied().flatten())?;
    let limits = limits(matches);
    let folder = match matches.get_one::<PathBuf>("folder") {
        Some(folder) => folder.clone(),
        None => std::env::current_dir()?,
    };
    let view = if matches.get_flag("work") { View::work(folder) } else { View::folder(folder) };
    let read = matches.get_many::<PathBuf>("read").into_iter().flatten();
    let view = read.fold(view, |view, path| view.and_then(|view| view.and(path))).map_err(say)?;
    let mut words: Vec<OsString> = matches.get_many::<OsString>("command").into_iter().flatten().cloned().collect();
    let (view, program) = view.program(words.first().map_or(Path::new(""), Path::new)).map_err(say)?;
    if let Some(first) = words.first_mut() {
        *first = program.into();
    }
    let counts_output = limits.output.is_some();
    let cell = sandbox.cell(limits, view).map_err(say)?;
    let mut command = cell.command(&words).map_err(say)?;
    let report = if counts_output {
        ::sandbox::run(cell, command, Input::Ours, pass_on).map_err(say)?
    } else {
        let status = command.stdin(Stdio::inherit()).status().context("the launcher does not start")?;
        cell.finish(status)
    };
    let mut err = anstream::stderr().lock();
    // The flag belongs to `run`, which the context does not see.
    if matches.get_flag("json") {
        writeln!(err, "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(err, "{}", page(context, &report))?;
    }
    Ok(ExitCode::from(exit_code(&report.ended)))
}

/// The sandbox of that level, or the strongest; what killed runs left there is swept.
pub(super) fn open(context: &Context, level: Option<Level>) -> anyhow::Result<Sandbox> {
    let own = std::env::current_exe().context("boyi cannot find itself")?;
    let sandbox = match level {
        Some(level) => Sandbox::new(level, own),
        None => Sandbox::strongest(own),
    };
    let sandbox = sandbox.map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    sandbox.sweep();
    Ok(sandbox)
}

/// What the program writes, on our own streams.
fn pass_on(stream: Stream, bytes: &[u8]) {
    let _ = match stream {
        Stream::Out => {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        }
        Stream::Error => std::io::stderr().lock().write_all(bytes),
    };
}

fn exit_code(ended: &Ended) -> u8 {
    match ended {
        Ended::Exited(code) => u8::try_from(*code).unwrap_or(u8::MAX),
        Ended::Signalled(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        Ended::Limit(_) => LIMIT,
        Ended::Stopped => 130,
        Ended::NotStarted(_) => NOT_STARTED,
    }
}

fn limits(matches: &ArgMatches) -> Limits {
    let usual = Limits::engine();
    let size = |name, usual| matches.get_one::<Option<u64>>(name).copied().unwrap_or(usual);
    let time = |name| matches.get_one::<Option<Duration>>(name).copied().flatten();
    Limits {
        memory: size("memory", usual.memory),
        cpu: time("cpu"),
        wall: time("wall"),
        processes: matches.get_one::<u32>("processes").copied().or(usual.processes),
        file_size: size("file-size", usual.file_size),
        output: size("output", None),
        cores: matches.get_many::<u32>("cores").into_iter().flatten().copied().collect(),
        ..usual
    }
}

/// `auto`, or a level.
pub(super) fn read_level(text: &str) -> Result<Option<Level>, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|()| "auto, a, b, c, none".to_owned())
}

fn page(context: &Context, report: &Report) -> String {
    let zh = context.language == Language::Zh;
    let usage = &report.usage;
    let (cpu, wall) = (usage.cpu.as_secs_f64(), usage.wall.as_secs_f64());
    let memory = usage.peak_memory as f64 / 1_048_576.0;
    let level = report.level.text(context.language);
    let ended = report.ended.say(context.language);
    let mut page = if zh {
        format!("boyi：{ended}；级别 {level}；处理器 {cpu:.3} 秒，历时 {wall:.3} 秒，内存峰值 {memory:.1} MiB")
    } else {
        format!("boyi: {ended}; level {level}; {cpu:.3} s processor, {wall:.3} s in all, {memory:.1} MiB at most")
    };
    if let Some(stall) = usage.stall {
        let stall = stall.as_secs_f64();
        page.push_str(&if zh { format!("，等待 {stall:.3} 秒") } else { format!(", {stall:.3} s stalled") });
    }
    page.push('\n');
    for limit in &report.reached {
        let line =
            if zh { format!("  达到：{}\n", limit.name().zh) } else { format!("  reached: {}\n", limit.name().en) };
        page.push_str(&line);
    }
    let loose = loosely_held(report);
    if !loose.is_empty() {
        let names: Vec<&str> = loose.iter().map(|name| context.text(*name)).collect();
        let line = if zh {
            format!("  内核未严格限制：{}\n", names.join("、"))
        } else {
            format!("  not held by the kernel: {}\n", names.join(", "))
        };
        page.push_str(&line);
    }
    for remark in &report.remarks {
        page.push_str(&format!("  {}\n", remark.say(context.language)));
    }
    page
}

/// The limits that were set and that nothing, or only a watching eye, holds.
fn loosely_held(report: &Report) -> Vec<Phrase> {
    let holds = &report.holds;
    let all = [
        (holds.memory, Phrase::new("memory (watched)", "内存（仅定时检查）"), Phrase::new("memory", "内存")),
        (
            holds.processes,
            Phrase::new("processes (watched)", "进程数（仅定时检查）"),
            Phrase::new("processes", "进程数"),
        ),
        (holds.disk, Phrase::new("disk (each file by itself)", "磁盘（仅限单个文件）"), Phrase::new("disk", "磁盘")),
        (holds.cores, Phrase::new("cores", "核心绑定"), Phrase::new("cores", "核心绑定")),
    ];
    let loose = all.into_iter().filter_map(|(hold, partly, nothing)| match hold {
        Hold::Watched | Hold::EachProcess => Some(partly),
        Hold::Nothing => Some(nothing),
        Hold::Kernel | Hold::NoLimit => None,
    });
    loose.collect()
}

//! `boyi doctor`: what this machine can enforce, why not more, and what to do about it.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{ArgMatches, Command};
use games::{Language, Phrase};
use sandbox::{Diagnosis, Level, Machine, Mark};

use crate::cli;
use crate::context::Context;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new(
        "What this machine can enforce on engines, and how to make it more",
        "检查本机的沙箱能力，并给出改进办法",
    );
    let after = Phrase::new(
        "Exit code: 0 if level A works, 1 if only B or C does, 2 if none.",
        "退出码：级别 A 可用为 0，仅 B 或 C 可用为 1，均不可用为 2。",
    );
    Command::new("doctor")
        .about(about.text(language))
        .after_help(after.text(language))
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, _matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let diagnosis = Machine::probe(&std::env::current_exe()?).diagnose();
    let mut out = anstream::stdout().lock();
    if context.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&diagnosis)?)?;
    } else {
        write!(out, "{}", page(context, &diagnosis))?;
    }
    out.flush()?;
    Ok(ExitCode::from(match diagnosis.strongest {
        Level::A => 0,
        Level::B | Level::C => 1,
        Level::D => 2,
    }))
}

fn page(context: &Context, diagnosis: &Diagnosis) -> String {
    let colon = if context.language == Language::Zh { "：" } else { ": " };
    let mut page = String::new();
    for line in &diagnosis.lines {
        let mark = match line.mark {
            Mark::Good => "✓",
            Mark::Weak => "!",
            Mark::Missing => "✗",
        };
        page.push_str(&format!("{mark} {}{colon}{}\n", context.text(line.title), line.found(context.language)));
        if let Some(remedy) = line.remedy {
            page.push_str(&format!("    → {}\n", context.text(remedy)));
        }
    }
    let strongest = diagnosis.strongest.text(context.language);
    let sum = Phrase::new("strongest level here", "本机最高级别");
    page.push_str(&format!("{}{colon}{strongest}\n", context.text(sum)));
    page
}

//! `boyi doctor`: what this machine can enforce, why not more, and what to do about it.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{ArgMatches, Command};
use games::{Language, Phrase};
use sandbox::{Diagnosis, Level, Line, Machine, Mark, Sandbox};
use workshop::Found;

use crate::cli;
use crate::context::Context;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new(
        "What this machine can enforce on engines, how to make it more, and which languages it compiles",
        "检查本机的沙箱能力与可用语言，并给出改进办法",
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
    let own = std::env::current_exe()?;
    let mut diagnosis = Machine::probe(&own).diagnose();
    diagnosis.lines.extend(languages(&own, diagnosis.strongest));
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

/// One line a language. A language that is missing weakens nothing: most machines need only some.
fn languages(own: &std::path::Path, level: Level) -> Vec<Line> {
    // What is not compiled in a sandbox is not compiled for others.
    let Some(sandbox) = (level != Level::D).then(|| Sandbox::new(level, own).ok()).flatten() else { return Vec::new() };
    let line = |found: Found| {
        let tool = found.recipes[0].tool;
        let title = Phrase::same(tool.serves);
        let (mark, found, remedy) = match found.toolchain {
            Ok(toolchain) => {
                let ids: Vec<&str> = found.recipes.iter().map(|recipe| recipe.id).collect();
                let version = toolchain.version;
                let found = [format!("{version} ({})", ids.join(", ")), format!("{version}（{}）", ids.join("、"))];
                (Mark::Good, found, None)
            }
            Err(missing) => (Mark::Weak, [missing.reason, missing.reason_zh], Some(missing.remedy)),
        };
        Line { subject: tool.name, mark, title, found, remedy }
    };
    workshop::survey(&sandbox).into_iter().map(line).collect()
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

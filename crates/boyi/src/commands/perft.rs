//! `boyi perft`: counts sequences of legal plies, the classic proof of a move generator.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::{Language, Phrase};
use serde_json::json;

use crate::cli;
use crate::context::Context;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("perft")
        .about(say("Count the sequences of DEPTH legal plies", "统计 DEPTH 步合法着法序列的数目"))
        .arg(cli::game_argument(language))
        .arg(
            Arg::new("depth")
                .value_name("DEPTH")
                .required(true)
                .value_parser(value_parser!(u32).range(0..=20))
                .help(say("how many plies deep", "深度（步数）")),
        )
        .arg(
            Arg::new("divide")
                .long("divide")
                .action(ArgAction::SetTrue)
                .help(say("split the count by the first ply", "按第一步着法分别统计")),
        )
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let depth = matches.get_one::<u32>("depth").copied().unwrap_or_default();
    let divided = matches.get_flag("divide") && depth > 0;
    let mut table = context.open(game, matches)?;
    // Junqi begins with 7·10^17 set-ups for each side: nobody counts beyond the first, so the example stands in.
    if matches.get_one::<String>("position").is_none()
        && table.count_legal() > u64::from(u32::MAX)
        && (depth > 1 || divided)
    {
        let note = Phrase::new(
            "the first ply cannot be listed in this game; counting from its example position instead:",
            "本棋种的第一步无法逐一列举，改从示例局面开始统计：",
        );
        writeln!(anstream::stderr(), "boyi: {} {}", context.text(note), game.facts().example)?;
        table = game.open(&table.variant(), Some(game.facts().example))?;
    }
    let start = Instant::now();
    let mut lines = if divided { table.divide(depth) } else { Vec::new() };
    lines.sort();
    let leaves = if divided { lines.iter().map(|line| line.1).sum() } else { table.perft(depth) };
    let seconds = start.elapsed().as_secs_f64();
    let mut out = anstream::stdout().lock();
    if context.json {
        let divided: serde_json::Map<String, serde_json::Value> =
            lines.into_iter().map(|(ply, count)| (ply, json!(count))).collect();
        let mut answer = json!({ "game": game.facts().id, "depth": depth, "leaves": leaves, "seconds": seconds });
        if let (true, Some(map)) = (!divided.is_empty(), answer.as_object_mut()) {
            map.insert("divide".into(), divided.into());
        }
        writeln!(out, "{answer}")?;
    } else {
        for (ply, count) in lines {
            writeln!(out, "{ply}: {count}")?;
        }
        writeln!(out, "{leaves}")?;
        let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
        let unit = context.text(Phrase::new("million leaves/s", "百万叶结点/秒"));
        writeln!(anstream::stderr(), "{} {depth}: {seconds:.3} s, {speed:.1} {unit}", game.facts().id)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

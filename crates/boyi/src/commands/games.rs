//! `boyi games`: which games there are, or everything about one.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use games::{GAMES, Language, Listing, Phrase};
use serde_json::json;

use crate::cli;
use crate::context::Context;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new("List the games, or tell everything about one", "列出全部棋种，或说明其中一种");
    let help = Phrase::new("tell everything about this game", "说明此棋种");
    Command::new("games")
        .about(about.text(language))
        .arg(Arg::new("game").value_name("GAME").help(help.text(language)))
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    match matches.get_one::<String>("game") {
        Some(name) => {
            let game = context.game(name)?;
            if context.json {
                writeln!(out, "{}", json_of(game))?;
            } else {
                write!(out, "{}", page_of(context, game))?;
            }
        }
        None if context.json => {
            let all: Vec<serde_json::Value> = GAMES.iter().map(|&game| json_of(game)).collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        }
        None => {
            for game in GAMES {
                let facts = game.facts();
                let hidden = match (facts.hidden, context.language) {
                    (false, _) => "",
                    (true, Language::En) => ", hidden",
                    (true, Language::Zh) => "，非完备信息",
                };
                writeln!(
                    out,
                    "{:<11} {:<16}\t{}{hidden}",
                    facts.id,
                    facts.name.text(context.language),
                    facts.board.text(context.language)
                )?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn json_of(game: &'static dyn Listing) -> serde_json::Value {
    let mut facts = serde_json::to_value(game.facts()).unwrap_or_default();
    if let Some(map) = facts.as_object_mut() {
        map.insert("defaults".into(), json!(game.defaults()));
        let players = engines::styles(game).map(|(id, _, text)| json!({ "id": id, "text": text }));
        map.insert("players".into(), players.collect());
        map.insert("ideas".into(), json!(engines::ideas(game)));
    }
    facts
}

fn page_of(context: &Context, game: &'static dyn Listing) -> String {
    let facts = game.facts();
    let defaults = game.defaults();
    let heading = |en, zh| context.text(Phrase::new(en, zh));
    let mut page = format!(
        "{} ({})  {}\n\n{}\n\n{}: {}\n{}: {}\n",
        facts.name.text(context.language),
        facts.id,
        facts.board.text(context.language),
        facts.summary.text(context.language),
        heading("A ply", "着法"),
        facts.notation.text(context.language),
        heading("A position", "局面"),
        facts.position.text(context.language),
    );
    if !facts.options.is_empty() {
        page.push_str(&format!("\n{}\n", heading("Options (--variant key=value):", "选项（--variant key=value）：")));
    }
    for option in facts.options {
        let default = defaults.get(option.key).map(ToString::to_string).unwrap_or_default();
        page.push_str(&format!(
            "  {}={default}  [{}]  {}: {}\n",
            option.key,
            option.values,
            option.name.text(context.language),
            option.text.text(context.language)
        ));
    }
    if !facts.presets.is_empty() {
        page.push_str(&format!("\n{}\n", heading("Usual variants:", "常用规则：")));
    }
    for preset in facts.presets {
        let pairs: Vec<String> = preset.pairs.iter().map(|pair| format!("--variant {pair}")).collect();
        let pairs =
            if pairs.is_empty() { heading("(the default)", "（缺省）").to_owned() } else { pairs.join(" ") };
        page.push_str(&format!("  {}  {pairs}\n", preset.name.text(context.language)));
    }
    page.push_str(&format!("\n{}\n", heading("Players (builtin:NAME):", "内置引擎（builtin:名称）：")));
    for (name, _, text) in engines::styles(game) {
        page.push_str(&format!("  {name:<8}{}\n", text.text(context.language)));
    }
    let ideas: Vec<String> = engines::ideas(game).iter().map(|idea| format!("max-{idea}")).collect();
    if !ideas.is_empty() {
        let text = heading("max without one of its ideas, for comparing", "最强引擎去掉其中一项技术，用于比较");
        page.push_str(&format!("  {}: {text}\n", ideas.join(", ")));
    }
    page
}

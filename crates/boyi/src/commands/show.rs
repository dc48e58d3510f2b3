//! `boyi show`: a position as a picture for people or as data for programs.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command};
use games::render::{svg, terminal};
use games::{Eyes, Language, Phrase, Table};
use serde_json::json;

use crate::cli;
use crate::context::Context;

/// More plies than this are not listed in `--json`.
const MOST_PLIES: usize = 100_000;

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    Command::new("show")
        .about(say("Show a position: board, verdict, legal plies", "显示局面：棋盘、胜负、合法着法"))
        .arg(cli::game_argument(language))
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
        .arg(
            Arg::new("moves")
                .long("moves")
                .value_name("PLIES")
                .num_args(1..)
                .action(ArgAction::Append)
                .help(say("play these plies first, separated by blanks or `;`", "先依次走这些着法，以空格或 ; 分隔")),
        )
        .args(cli::picture_arguments(language))
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let mut table = context.open(game, matches)?;
    let moves: Vec<&str> = matches.get_many::<String>("moves").into_iter().flatten().map(String::as_str).collect();
    play_all(context, table.as_mut(), &moves)?;
    let eyes = cli::eyes(matches);
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let file = matches.get_one::<String>("svg").map(String::as_str);
    if let Some(file) = file {
        let picture = svg::render(&table.view(eyes), context.language);
        if file == "-" {
            out.write_all(picture.as_bytes())?;
        } else {
            std::fs::write(file, picture).with_context(|| file.to_owned())?;
        }
    }
    if context.json {
        writeln!(out, "{}", json_of(table.as_ref(), eyes))?;
    } else if file.is_none() {
        let colour = out.current_choice() != anstream::ColorChoice::Never;
        write!(out, "{}", terminal::render(&table.view(eyes), context.language, colour))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Splits texts into plies: at `;` and line ends where there are any, else at blanks, as many words a ply as the game
/// says.
pub(crate) fn split_plies(texts: &[&str], words_per_ply: usize) -> Vec<String> {
    let joined = texts.join(" ");
    if joined.contains([';', '\n']) {
        return joined.split([';', '\n']).map(str::trim).filter(|ply| !ply.is_empty()).map(str::to_owned).collect();
    }
    let words: Vec<&str> = joined.split_whitespace().collect();
    words.chunks(words_per_ply.max(1)).map(|chunk| chunk.join(" ")).collect()
}

fn play_all(context: &Context, table: &mut dyn Table, moves: &[&str]) -> anyhow::Result<()> {
    for (index, ply) in split_plies(moves, table.facts().words_per_ply).iter().enumerate() {
        table.play(ply, Eyes::All).map_err(|fault| {
            let sentence = fault.say(context.language);
            match context.language {
                Language::En => anyhow::anyhow!("ply {} ({ply}): {sentence}", index + 1),
                Language::Zh => anyhow::anyhow!("第 {} 步（{ply}）：{sentence}", index + 1),
            }
        })?;
    }
    Ok(())
}

/// Everything about a position that these eyes may know.
fn json_of(table: &dyn Table, eyes: Eyes) -> serde_json::Value {
    let plies = table.list_plies(eyes, MOST_PLIES);
    let everything = eyes == Eyes::All;
    let moves: Vec<_> = (0..table.steps())
        .filter_map(|index| table.step(index, eyes))
        .map(|step| json!({ "mover": step.mover, "end": step.end.word(), "ply": step.ply }))
        .collect();
    let view = table.view(eyes);
    json!({
        "game": table.facts().id,
        "variant": table.variant(),
        "eyes": view.eyes,
        "position": table.position(eyes),
        "to_move": table.to_move(),
        "plies": table.plies(),
        // The hash and the losing plies are the referee's knowledge: both depend on what a seat may not know.
        "hash": everything.then(|| format!("{:016x}", table.hash())),
        "verdict": table.verdict(),
        "legal": plies.list,
        "legal_complete": plies.complete,
        "forbidden": if everything || !table.facts().hidden { json!(table.losing_plies()) } else { json!(null) },
        "moves": moves,
        "view": view,
    })
}

#[cfg(test)]
mod tests {
    use super::split_plies;

    #[test]
    fn plies_are_split_as_the_game_writes_them() {
        assert_eq!(split_plies(&["JJ@@ KKLL"], 1), ["JJ@@", "KKLL"]);
        assert_eq!(split_plies(&["JJ@@", "KKLL"], 1), ["JJ@@", "KKLL"]);
        assert_eq!(split_plies(&["4 0 1 2 0 0"], 3), ["4 0 1", "2 0 0"]);
        assert_eq!(split_plies(&["7, 7; 8 ,8;"], 1), ["7, 7", "8 ,8"]);
        assert!(split_plies(&["  "], 3).is_empty());
    }
}

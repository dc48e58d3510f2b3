//! `boyi record show`: a record as a person reads it.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::ArgMatches;
use games::render::{svg, terminal};
use games::{Eyes, Language, Phrase, Side, Step, Table};
use records::{Opened, PlyEnd, Record};
use serde_json::{Value, json};

use super::{WRONG, choices, load, say_remarks};
use crate::cli;
use crate::context::Context;
use crate::outcome::{self, clean};

pub(super) fn show(context: Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let opened = load(context, matches, &choices(context, matches)?)?;
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
        write!(out, "{}", head_of(context, record, table.as_ref(), eyes))?;
        write!(out, "{}", moves_of(context, record, table.as_ref(), eyes))?;
        write!(out, "\n{}", terminal::render(&table.view(eyes), context.language, colour))?;
    }
    out.flush()?;
    say_remarks(context, &opened.remarks, Phrase::new("note", "提示"))?;
    if let Some(problem) = problem {
        let label = context.text(WRONG);
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

/// Game, players, occasion and result, with what shows the result as far as these eyes may know it.
fn head_of(context: Context, record: &Record, table: &dyn Table, eyes: Eyes) -> String {
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
        let reason =
            outcome::reason(facts, &verdict.reason).map_or(verdict.reason.as_str(), |text| text.text(language));
        let names = Side::BOTH.map(|side| record.seats.of(side).name.as_str());
        let line = outcome::sentence(facts, names, (verdict.winner, verdict.counts), reason, language);
        out.push_str(&clean(&line));
        out.push('\n');
        for line in outcome::evidence(&evidence_for(table, &verdict.evidence, eyes), language) {
            out.push_str(&format!("  {line}\n"));
        }
    }
    out
}

/// What of the evidence these eyes may know. It quotes the conversation of the seat that lost and counts what stood on
/// the board, and so tells what is hidden: the other seat hears of limits only, the loser all but the counts.
fn evidence_for(table: &dyn Table, evidence: &Value, eyes: Eyes) -> Value {
    let (Eyes::Seat(seat), true) = (eyes, table.facts().hidden) else { return evidence.clone() };
    let own = evidence["seat"].as_str() == Some(seat.word());
    let fields = evidence.as_object().into_iter().flatten();
    let known = fields.filter(|(key, _)| match key.as_str() {
        "seat" | "limit_of" | "limit_ms" | "measured_ms" | "limit_bytes" | "measured_bytes" | "limit_plies" => true,
        "ply" | "detail" | "detail_zh" | "lines" => own,
        _ => false,
    });
    known.map(|(key, value)| (key.clone(), value.clone())).collect()
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

fn json_of(opened: &Opened, table: &dyn Table, eyes: Eyes, problem: Option<&records::ReplayError>) -> Value {
    let record = &opened.record;
    let moves: Vec<_> = known_steps(table, eyes)
        .into_iter()
        .map(|(index, step)| {
            let ms = record.plies.get(index).and_then(|ply| ply.ms);
            json!({ "mover": step.mover, "ply": step.ply, "end": step.end.word(), "ms": ms })
        })
        .collect();
    let verdict = record.verdict.clone().map(|mut verdict| {
        verdict.evidence = evidence_for(table, &verdict.evidence, eyes);
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

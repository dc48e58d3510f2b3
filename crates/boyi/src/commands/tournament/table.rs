//! The table of a tournament, for people and for programs.

use std::io::Write as _;

use games::{Listing, Phrase};
use serde_json::json;
use tournament::contest::Entrant;
use tournament::distinct::with_margin;
use tournament::event::{Event, Row};
use tournament::journal::Finished;
use unicode_width::UnicodeWidthStr as _;

use crate::commands::remarks;
use crate::context::Context;
use crate::progress::Figures;

/// One game as a line of JSON.
pub(super) fn game_event(entrants: &[Entrant], finished: &Finished, progress: Figures) -> serde_json::Value {
    let verdict = finished.record.verdict.as_ref();
    json!({
        "event": "game",
        "version": 1,
        "number": finished.number,
        "black": entrants[finished.black].name,
        "white": entrants[finished.white].name,
        "winner": verdict.and_then(|verdict| verdict.winner),
        "reason": verdict.map(|verdict| verdict.reason.as_str()),
        "counts": verdict.is_some_and(|verdict| verdict.counts),
        "plies": finished.record.plies.len(),
        "progress": progress,
    })
}

/// The table as a line of JSON.
pub(super) fn table_event(entrants: &[Entrant], event: &Event, is_final: bool) -> serde_json::Value {
    let rows: Vec<serde_json::Value> = event
        .table()
        .iter()
        .map(|row| {
            let mut value = serde_json::to_value(row).unwrap_or_default();
            let entrant = row.standing.entrant.0;
            value["name"] = json!(entrants[entrant].name);
            value["conduct"] = json!(event.conducts().of(entrant));
            value
        })
        .collect();
    json!({
        "event": "standings",
        "version": 1,
        "games": event.played(),
        "distinct_games": event.distinct_games(),
        "total": event.total(),
        "final": is_final,
        "table": rows,
    })
}

/// Shows the table as it is.
pub(super) fn show(
    context: &Context,
    game: &'static dyn Listing,
    entrants: &[Entrant],
    event: &Event,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if context.json {
        writeln!(out, "{}", table_event(entrants, event, true))?;
    } else {
        let table = event.table();
        write!(out, "{}", table_text(context, entrants, &table))?;
        for row in &table {
            if let Some(reason) = row.not_measured.filter(|_| event.played() > 0) {
                let name = &entrants[row.standing.entrant.0].name;
                writeln!(out, "{name}: Elo {}", remarks::not_measurable(context, reason))?;
            }
        }
        let games = (event.distinct_games() as u64, event.played() as u64);
        for line in remarks::lines(context, game, entrants, event.conducts(), games) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// The first places in a line or two, for whoever watches.
pub(super) fn leaders(context: &Context, entrants: &[Entrant], event: &Event) -> String {
    let table = event.table();
    let mut words = Vec::new();
    for row in table.iter().take(3) {
        let (name, standing) = (&entrants[row.standing.entrant.0].name, &row.standing);
        let mut line = format!("{}. {name} {}", standing.rank, standing.points);
        if let Some(elo) = &row.elo {
            line.push_str(&format!(" (Elo {})", with_margin(elo, 0)));
        }
        words.push(line);
    }
    let mut text = words.join("  ");
    if let [first, second, ..] = &table[..]
        && let Some(chance) = event.likelihood_of_superiority(first.standing.entrant, second.standing.entrant)
    {
        let los = Phrase::new("LOS of the first over the second", "第一名强于第二名的可能性");
        text.push_str(&format!("\n{} {:.1} %", context.text(los), chance * 100.0));
    }
    text
}

fn table_text(context: &Context, entrants: &[Entrant], table: &[Row]) -> String {
    let heads: [Phrase; 9] = [
        Phrase::same("#"),
        Phrase::new("engine", "引擎"),
        Phrase::new("points", "积分"),
        Phrase::new("won", "胜"),
        Phrase::new("drawn", "和"),
        Phrase::new("lost", "负"),
        Phrase::new("Buchholz", "对手分"),
        Phrase::new("Sonneborn-Berger", "索伯分"),
        Phrase::same("Elo"),
    ];
    let mut rows = vec![heads.map(|head| context.text(head).to_owned())];
    for row in table {
        let standing = &row.standing;
        rows.push([
            standing.rank.to_string(),
            entrants[standing.entrant.0].name.clone(),
            standing.points.to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
            standing.buchholz.to_string(),
            format!("{:.2}", standing.sonneborn_berger),
            row.elo.as_ref().map_or_else(|| "–".to_owned(), |elo| with_margin(elo, 0)),
        ]);
    }
    let widths: [usize; 9] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let room = " ".repeat(width - cell.width());
            // Names to the left, figures to the right.
            text.push_str(&if column == 1 { format!("{cell}{room}  ") } else { format!("{room}{cell}  ") });
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

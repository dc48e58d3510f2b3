//! Writing SGF.

use games::gomoku::Rule;
use games::{Side, Table};
use serde_json::Value;

use super::number_of;
use super::tree::escape;
use crate::error::WriteError;
use crate::format::{Format, Room, say_lost};
use crate::moves::{Moves, Point, Setup, board_of, changed_options, moves_of, starts_as_usual};
use crate::record::Record;
use crate::remark::Remark;
use crate::replay::is_rules_reason;

/// Nodes on a line of the file.
const NODES_A_LINE: usize = 10;

pub(crate) fn write(record: &Record, lost: &mut Vec<Remark>) -> Result<Vec<u8>, WriteError> {
    let table = record.replay_plies()?;
    let table = table.as_ref();
    let (Some((width, height)), Some(number)) = (board_of(table), number_of(table.facts().id)) else {
        return Err(WriteError::no_form(table.facts(), Format::Sgf));
    };
    let moves = moves_of(record, table, lost);
    let mut out = format!("(;FF[4]CA[UTF-8]AP[boyi:{}]GM[{number}]", env!("CARGO_PKG_VERSION"));
    let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let [black, white] = [moves.black, moves.black.other()].map(|seat| record.seats.of(seat).name.as_str());
    let by_rules = record.verdict.as_ref().is_none_or(|verdict| is_rules_reason(table, &verdict.reason));
    let komi = table.variant().get("komi").map(Value::to_string);
    let properties = [
        ("SZ", Some(size)),
        ("RU", Some(rules_of(table, lost))),
        ("KM", komi),
        ("PB", Some(black.to_owned())),
        ("PW", Some(white.to_owned())),
        ("DT", day_of(record, lost)),
        ("EV", record.event.clone()),
        ("PC", record.place.clone()),
        ("RE", result_of(record, &moves, by_rules)),
    ];
    for (name, value) in properties {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            out.push_str(&format!("{name}[{}]", escape(&value)));
        }
    }
    let start = record.open()?;
    if !starts_as_usual(record, start.as_ref()) {
        write_setup(start.as_ref(), &mut out, lost)?;
    }
    write_moves(&moves, &mut out);
    out.push_str("\n)\n");
    say_lost(record, by_rules, Room { occasion: true, some_reasons: true, ..Room::default() }, lost);
    Ok(out.into_bytes())
}

fn write_moves(moves: &Moves, out: &mut String) {
    let mut nodes = 0;
    let mut node = |colour: Side, value: &str| {
        if nodes % NODES_A_LINE == 0 {
            out.push('\n');
        }
        nodes += 1;
        out.push_str(&format!(";{}[{value}]", colour.letter().to_ascii_uppercase()));
    };
    for action in &moves.actions {
        let points: Vec<String> = action.points.iter().copied().map(letters).collect();
        match points.as_slice() {
            // Connect6's two stones are two nodes of one colour, which every viewer can show.
            [one, other] => {
                node(action.colour, one);
                node(action.colour, other);
            }
            points => node(action.colour, &points.concat()),
        }
    }
}

/// SGF counts columns and rows in small letters.
fn letters((x, y): Point) -> String {
    [x, y].map(|index| (b'a' + index as u8 % 26) as char).iter().collect()
}

/// The game or its rule, and the options that stand nowhere else.
fn rules_of(table: &dyn Table, lost: &mut Vec<Remark>) -> String {
    let mut elsewhere = vec!["size", "komi"];
    let mut words = vec![table.facts().name.en.to_owned()];
    if table.facts().id == "gomoku" {
        elsewhere.extend(["width", "height", "rule", "opening", "openings"]);
        let bits = table.variant().get("rule").and_then(Value::as_u64).unwrap_or_default();
        words = vec![rule_name(Rule::from_bits(bits as u8))];
    }
    for (key, value) in changed_options(table) {
        if elsewhere.contains(&key.as_str()) {
            continue;
        }
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if value.contains(char::is_whitespace) {
            lost.push(Remark::new(format!("option {key} of the game"), format!("棋种选项 {key}")));
        } else {
            words.push(format!("{key}={value}"));
        }
    }
    words.join(" ")
}

fn rule_name(rule: Rule) -> String {
    let named =
        [(Rule::EXACT, "exact"), (Rule::CONTINUOUS, "continuous"), (Rule::RENJU, "renju"), (Rule::CARO, "caro")];
    let words: Vec<&str> = named.iter().filter(|(bit, _)| rule.has(*bit)).map(|(_, word)| *word).collect();
    if words.is_empty() { "freestyle".to_owned() } else { words.join("+") }
}

/// SGF knows days only.
fn day_of(record: &Record, lost: &mut Vec<Remark>) -> Option<String> {
    let date = record.date.as_deref()?;
    let day: String = date.chars().take(10).collect();
    if day.len() < date.len() {
        lost.push(Remark::new("the time of day", "对局的时刻"));
    }
    Some(day)
}

fn result_of(record: &Record, moves: &Moves, by_rules: bool) -> Option<String> {
    let verdict = record.verdict.as_ref()?;
    if !verdict.counts {
        return Some("Void".to_owned());
    }
    let Some(winner) = verdict.winner else { return Some("Draw".to_owned()) };
    let how = match verdict.reason.as_str() {
        "time" => "T",
        "resigned" => "R",
        "reported" => "",
        _ if by_rules => "",
        _ => "F",
    };
    Some(format!("{}+{how}", moves.colour(winner).letter().to_ascii_uppercase()))
}

fn write_setup(start: &dyn Table, out: &mut String, lost: &mut Vec<Remark>) -> Result<(), WriteError> {
    let setup = Setup::of(start);
    let letter = start.to_move().letter().to_ascii_uppercase();
    for (name, points) in [("AB", &setup.black), ("AW", &setup.white), ("AA", &setup.arrows)] {
        if !points.is_empty() {
            out.push_str(name);
            out.extend(points.iter().map(|point| format!("[{}]", letters(*point))));
        }
    }
    out.push_str(&format!("PL[{letter}]"));
    // Stones and turn must be all there is to the start: counters are a loss, hidden state would be another game.
    let (width, height) = board_of(start).unwrap_or_default();
    let position = setup.position(width, height, start.to_move());
    let again = games::find(start.facts().id).ok().and_then(|game| game.open(&start.variant(), Some(&position)).ok());
    match again {
        Some(again) if again.hash() == start.hash() => {}
        _ => return Err(WriteError::Start { format: Format::Sgf }),
    }
    if start.plies() > 0 {
        lost.push(Remark::new("how many plies were played before the start", "起始局面之前的步数"));
    }
    Ok(())
}

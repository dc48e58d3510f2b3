//! The championship's Dots and Boxes: JSON, one line of the board after the other.
//!
//! `r(a1,h)` is the horizontal line from dot a1 to b1, `b(a1,v)` the vertical one from a1 to a2; red moves first.

use games::core::text::Fields;
use games::{Eyes, Phrase, Side, Table};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ccgc::column;
use crate::date::{read_time_and_place, write_time_and_place};
use crate::error::ReadError;
use crate::format::{Format, Rows};
use crate::record::{Player, PlyEnd, Record, RecordedPly, Seats};
use crate::remark::Remark;
use crate::replay::reported;
use crate::text::{Reader, given, shown};

/// Dots along an edge of the championship's board.
const DOTS: usize = 6;

/// As much of the file as is needed, under the spellings that are about.
#[derive(Debug, Deserialize)]
struct File {
    #[serde(rename = "R", alias = "r", default)]
    red: Value,
    #[serde(rename = "B", alias = "b", default)]
    blue: Value,
    #[serde(alias = "Winner", default)]
    winner: Value,
    #[serde(rename = "Date", alias = "date", default)]
    date: Value,
    #[serde(rename = "Event", alias = "event", default)]
    event: Value,
    #[serde(alias = "Game")]
    game: Vec<Piece>,
}

#[derive(Debug, Deserialize)]
struct Piece {
    piece: String,
}

/// Whether this is such a file.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
    crate::text::decode(bytes).is_ok_and(|text| serde_json::from_str::<File>(&text).is_ok())
}

/// The file, in CRLF lines.
pub(crate) fn write(record: &Record, table: &dyn Table, rows: Rows, lost: &mut Vec<Remark>) -> String {
    let [red, blue] = scores(table);
    let winner = match record.verdict.as_ref().and_then(|verdict| verdict.winner) {
        Some(Side::Black) => "R",
        Some(Side::White) => "B",
        None => "",
    };
    let mut pieces = Vec::new();
    for (index, step) in record.plies.iter().enumerate() {
        let colour = if step.mover == Side::Black { 'r' } else { 'b' };
        let text = table.step(index, Eyes::All).and_then(|step| step.ply).unwrap_or_default();
        for line in text.as_bytes().chunks_exact(3) {
            let piece = format!("{colour}({})", piece_of(line, rows));
            pieces.push(format!("    {}", json!({ "piece": piece })));
        }
    }
    let fields = [
        ("R", json!(record.seats.black.name)),
        ("B", json!(record.seats.white.name)),
        ("winner", json!(winner)),
        ("RScore", json!(red)),
        ("BScore", json!(blue)),
        ("Date", json!(write_time_and_place(record, lost))),
        ("Event", json!(record.event.as_deref().unwrap_or_default())),
    ];
    let fields: String = fields.iter().map(|(key, value)| format!("  \"{key}\": {value},\r\n")).collect();
    format!("{{\r\n{fields}  \"game\": [\r\n{}\r\n  ]\r\n}}\r\n", pieces.join(",\r\n"))
}

/// The boxes of each side.
fn scores(table: &dyn Table) -> [usize; 2] {
    let position = table.position(Eyes::All);
    let mut fields = Fields::new(&position);
    let boxes = (0..3).filter_map(|_| fields.optional()).last().map_or("", |field| field.text);
    ['b', 'w'].map(|letter| boxes.matches(letter).count())
}

/// `a1,h` of the three letters of a line.
fn piece_of(line: &[u8], rows: Rows) -> String {
    let index = |place: usize| usize::from(line.get(place).copied().unwrap_or(b'A').wrapping_sub(b'A')) % 26;
    let vertical = line.first() == Some(&b'B');
    let (x, y) = if vertical { (index(1), index(2)) } else { (index(2), index(1)) };
    // A vertical line starts at the dot with the lower number.
    let start = if vertical && rows == Rows::FromBottom { y + 1 } else { y };
    format!("{}{},{}", column(x, 'a'), rows.number(start, DOTS), if vertical { 'v' } else { 'h' })
}

/// The mover's letter and the three letters of a line; the inverse of [`piece_of`].
fn read_piece(text: &str, rows: Rows) -> Option<(char, String)> {
    let mut reader = Reader::new(text.trim());
    let colour = reader.next()?.to_ascii_lowercase();
    let inside = reader.rest().trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut inner = Reader::new(inside.trim());
    let x = inner.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase() as usize - 'a' as usize;
    let y = rows.row(inner.number()?, DOTS)?;
    inner.take_while(|letter| matches!(letter, ',' | '，' | ' '));
    let vertical = match inner.rest() {
        "v" | "V" => true,
        "h" | "H" => false,
        _ => return None,
    };
    let y = if vertical && rows == Rows::FromBottom { y.checked_sub(1)? } else { y };
    let (along, across) = if vertical { (y, x) } else { (x, y) };
    if along + 1 >= DOTS || across >= DOTS {
        return None;
    }
    Some((colour, format!("{}{}{}", if vertical { 'B' } else { 'A' }, column(across, 'A'), column(along, 'A'))))
}

pub(crate) fn read(content: &str, rows: Rows) -> Result<Record, ReadError> {
    let file: File = serde_json::from_str(content).map_err(|error| ReadError::Json { problem: error.to_string() })?;
    let text = |value: &Value| value.as_str().map_or_else(String::new, |text| text.trim().to_owned());
    let mut record = Record::new("dots", Value::Null);
    let mut first = None;
    for (index, piece) in file.game.iter().enumerate() {
        let wrong = || ReadError::Syntax {
            format: Format::Ccgc,
            line: line_of(content, index),
            expected: Phrase::new("a line such as r(a1,h)", "形如 r(a1,h) 的连线"),
            found: shown(&piece.piece),
        };
        let (colour, line) =
            read_piece(&piece.piece, rows).filter(|(colour, _)| matches!(colour, 'r' | 'b')).ok_or_else(wrong)?;
        // Whoever draws the first line is our Black; red, unless the file says otherwise.
        let mover = if *first.get_or_insert(colour) == colour { Side::Black } else { Side::White };
        match record.plies.last_mut() {
            Some(last) if last.mover == mover => last.ply.push_str(&line),
            _ => record.plies.push(RecordedPly { mover, ply: line, end: PlyEnd::Played, ms: None, stall_ms: None }),
        }
    }
    let red_first = first != Some('b');
    let (red, blue) = (Player::named(text(&file.red)), Player::named(text(&file.blue)));
    record.seats = if red_first { Seats { black: red, white: blue } } else { Seats { black: blue, white: red } };
    record.verdict = match text(&file.winner).to_lowercase().as_str() {
        "r" | "red" => Some(reported(Some(if red_first { Side::Black } else { Side::White }))),
        "b" | "blue" => Some(reported(Some(if red_first { Side::White } else { Side::Black }))),
        _ => None,
    };
    read_time_and_place(&text(&file.date), &mut record);
    record.event = given(&text(&file.event));
    Ok(record)
}

/// The line of the file that holds this piece.
fn line_of(content: &str, index: usize) -> usize {
    let at = content.match_indices("\"piece\"").nth(index).map_or(0, |(at, _)| at);
    1 + content[..at].matches('\n').count()
}

//! Reading SGF.

use std::ops::Range;

use games::{Listing, Phrase, Side};
use serde_json::{Map, Value, json};

use super::number_of;
use super::tree::{Node, games_of, main_line};
use crate::date::read_day;
use crate::error::ReadError;
use crate::format::{Choices, Format};
use crate::moves::{Action, Point, Setup, board_of, plies_of};
use crate::record::{Player, Record, RecordedVerdict, Seats};
use crate::remark::Remark;
use crate::replay::REPORTED;
use crate::text::{self, Reader, given};

/// The games SGF is read for.
const GAMES: [&str; 5] = ["gomoku", "connect6", "nogo", "phantom-go", "amazons"];

pub(crate) fn read(bytes: &[u8], choices: &Choices, remarks: &mut Vec<Remark>) -> Result<Record, ReadError> {
    let content = decode(bytes)?;
    let nodes = main_line(&content, remarks)?;
    let Some((root, _)) = nodes.split_first() else { return Err(ReadError::WhichGame { format: Format::Sgf }) };
    let (game, options) = find_game(root, &nodes, choices)?;
    let id = game.facts().id;
    let mut record = Record::new(id, Value::Object(variant_of(id, root, options, remarks)));
    let table = game.open(&record.variant, None).map_err(ReadError::Open)?;
    let board = board_of(table.as_ref()).unwrap_or_default();
    let mut actions = Vec::new();
    for node in &nodes {
        read_moves(node, id, board, &mut actions)?;
    }
    let setup = setup_of(&nodes, board)?;
    if !setup.is_empty() {
        let told = root.value("PL").and_then(|value| side_of(value.chars().next()?));
        let to_move = told.or_else(|| actions.first().map(|action| action.colour)).unwrap_or(Side::Black);
        record.position = Some(setup.position(board.0, board.1, to_move));
    }
    record.plies = plies_of(id, actions);
    let player = |name: &str, team: &str| {
        Player::named(text::one_line(root.value(name).or_else(|| root.value(team)).unwrap_or_default()))
    };
    record.seats = Seats { black: player("PB", "BT"), white: player("PW", "WT") };
    record.event = root.value("EV").map(text::one_line).and_then(|event| given(&event));
    record.place = root.value("PC").map(text::one_line).and_then(|place| given(&place));
    record.date = root.value("DT").and_then(|date| {
        let (year, month, day) = read_day(&mut Reader::new(date))?;
        Some(format!("{year:04}-{month:02}-{day:02}"))
    });
    record.verdict = root.value("RE").and_then(read_result);
    Ok(record)
}

/// A collection as text, and where each of its games is.
pub(crate) fn games(bytes: &[u8]) -> Result<(String, Vec<Range<usize>>), ReadError> {
    let content = decode(bytes)?;
    let games = games_of(&content);
    Ok((content, games))
}

/// SGF names its own character set; without one, what it is written in shows it.
fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    if std::str::from_utf8(bytes).is_err()
        && let Some(start) = bytes.windows(3).position(|window| window == b"CA[")
        && let Some(length) = bytes[start..].iter().position(|byte| *byte == b']')
        && let Some(encoding) = encoding_rs::Encoding::for_label(&bytes[start + 3..start + length])
        && encoding != encoding_rs::UTF_8
    {
        return Ok(encoding.decode(bytes).0.into_owned());
    }
    text::decode(bytes)
}

/// Which game this is, and the options that `RU` names after it.
fn find_game(
    root: &Node,
    nodes: &[Node],
    choices: &Choices,
) -> Result<(&'static dyn Listing, Map<String, Value>), ReadError> {
    let listed = |id: &str| games::find(id).map_err(ReadError::UnknownGame);
    let rules = root.value("RU").unwrap_or_default();
    let named = GAMES.iter().filter_map(|id| games::find(id).ok()).find_map(|game| {
        let name = game.facts().name.en;
        let head = rules.get(..name.len())?;
        head.eq_ignore_ascii_case(name).then(|| (game, &rules[name.len()..]))
    });
    if let Some(game) = choices.game {
        if number_of(game.facts().id).is_none() {
            return Err(ReadError::NoForm { game: game.facts().id, format: Format::Sgf });
        }
        let words = named.filter(|(other, _)| other.facts().id == game.facts().id).map_or("", |(_, words)| words);
        return Ok((game, options_in(words)));
    }
    if let Some((game, words)) = named {
        return Ok((game, options_in(words)));
    }
    match root.value("GM").unwrap_or("1") {
        "18" => return Ok((listed("amazons")?, Map::new())),
        "4" if !plays_pairs(nodes) => return Ok((listed("gomoku")?, Map::new())),
        "1" | "4" if plays_pairs(nodes) => return Ok((listed("connect6")?, Map::new())),
        _ => {}
    }
    // Whoever has no number writes the name somewhere.
    let words: String = ["GN", "RU", "EV", "GC", "C", "AP"].iter().filter_map(|name| root.value(name)).collect();
    let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
    let words = plain(&words);
    for id in GAMES {
        let game = listed(id)?;
        if [game.facts().name.en, game.facts().name.zh].iter().any(|name| words.contains(&plain(name))) {
            return Ok((game, Map::new()));
        }
    }
    Err(ReadError::WhichGame { format: Format::Sgf })
}

fn options_in(words: &str) -> Map<String, Value> {
    match games::read_pairs(words.split_whitespace().filter(|word| word.contains('='))) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// One stone, then two of the other colour, then two: only Connect6 goes on like that.
fn plays_pairs(nodes: &[Node]) -> bool {
    let mut colours = Vec::new();
    for (name, values) in nodes.iter().flat_map(|node| &node.properties) {
        if let Some(colour) = colour_of(name) {
            let stones: usize = values.iter().map(|value| value.trim().len() / 2).sum();
            colours.extend(std::iter::repeat_n(colour, stones.clamp(1, 4)));
        }
        if colours.len() >= 5 {
            break;
        }
    }
    let first = colours.first().copied();
    let due = [0, 1, 1, 0, 0];
    colours.len() >= 3 && colours.iter().zip(due).all(|(colour, due)| (Some(*colour) == first) == (due == 0))
}

/// The options: the board's size, gomoku's rule, komi, and what `RU` names.
fn variant_of(id: &str, root: &Node, mut options: Map<String, Value>, remarks: &mut Vec<Remark>) -> Map<String, Value> {
    let size = root.value("SZ").and_then(|size| {
        let (width, height) = size.split_once(':').unwrap_or((size, size));
        Some((width.trim().parse::<usize>().ok()?, height.trim().parse::<usize>().ok()?))
    });
    match (id, size) {
        ("gomoku", size) => {
            let rule = root.value("RU").map(|rule| rule.split_whitespace().next().unwrap_or_default().to_lowercase());
            if let Some(rule) = rule {
                let known = games::find("gomoku").is_ok_and(|game| game.open(&json!({ "rule": rule }), None).is_ok());
                if known {
                    options.insert("rule".to_owned(), Value::String(rule));
                } else {
                    let rule = text::shown(&rule);
                    remarks.push(Remark::new(
                        format!("the rule {rule:?} is not known; freestyle is assumed"),
                        format!("不认识规则“{rule}”；按自由规则（freestyle）处理"),
                    ));
                }
            }
            let renju = options.get("rule").is_some_and(|rule| rule == "renju" || rule == "4");
            let usual = if renju { 15 } else { 20 };
            match size {
                Some((width, height)) if width != height => {
                    options.insert("width".to_owned(), json!(width));
                    options.insert("height".to_owned(), json!(height));
                }
                // SGF's own default, where gomoku's would be another.
                size => {
                    let side = size.map_or(19, |(side, _)| side);
                    if side != usual {
                        options.insert("size".to_owned(), json!(side));
                    }
                }
            }
        }
        ("connect6" | "nogo", Some((side, _))) => {
            options.insert("size".to_owned(), json!(side));
        }
        ("phantom-go", _) => {
            if let Some(komi) = root.value("KM").and_then(|komi| komi.parse::<f64>().ok()) {
                options.insert("komi".to_owned(), json!(komi));
            }
        }
        _ => {}
    }
    options
}

const fn side_of(letter: char) -> Option<Side> {
    match letter {
        'B' | 'b' => Some(Side::Black),
        'W' | 'w' => Some(Side::White),
        _ => None,
    }
}

fn colour_of(property: &str) -> Option<Side> {
    match property {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

fn wrong(node: &Node, found: &str, expected: Phrase) -> ReadError {
    ReadError::Syntax { format: Format::Sgf, line: node.line, expected, found: text::shown(found) }
}

/// The moves of a node. Connect6's two stones may be two values or one of four letters.
fn read_moves(node: &Node, id: &str, board: (usize, usize), actions: &mut Vec<Action>) -> Result<(), ReadError> {
    for (name, values) in &node.properties {
        let Some(colour) = colour_of(name) else { continue };
        let mut points = Vec::new();
        for value in values {
            let value = value.trim();
            let pass = value.is_empty() || value == "tt" && board.0 < 20;
            if !pass {
                read_points(value, board, &mut points)
                    .ok_or_else(|| wrong(node, value, Phrase::new("points on the board", "棋盘上的点")))?;
            }
        }
        let due = match id {
            "amazons" => points.len() == 3,
            "connect6" => (1..=2).contains(&points.len()),
            "phantom-go" => points.len() <= 1,
            _ => points.len() == 1,
        };
        if !due {
            return Err(wrong(
                node,
                &format!("{name}[{}]", values.join("][")),
                Phrase::new("a move of this game", "本棋种的着法"),
            ));
        }
        actions.push(Action { colour, points, ms: None });
    }
    Ok(())
}

/// Points one after the other: two letters from the top left, or as renju players write a letter and a number from the
/// bottom.
fn read_points(value: &str, (width, height): (usize, usize), points: &mut Vec<Point>) -> Option<()> {
    let index = |letter: char| match letter {
        'a'..='z' => Some(letter as usize - 'a' as usize),
        'A'..='Z' => Some(letter as usize - 'A' as usize + 26),
        _ => None,
    };
    let mut reader = Reader::new(value);
    while let Some(letter) = reader.next() {
        let point = if reader.peek().is_some_and(|next| next.is_ascii_digit()) {
            let number = reader.number().filter(|number| (1..=height).contains(number))?;
            (index(letter.to_ascii_lowercase())?, height - number)
        } else {
            (index(letter)?, index(reader.next()?)?)
        };
        if point.0 >= width || point.1 >= height {
            return None;
        }
        points.push(point);
    }
    Some(())
}

/// What the root sets up; later set-ups would be edits of a game in play.
fn setup_of(nodes: &[Node], board: (usize, usize)) -> Result<Setup, ReadError> {
    let mut setup = Setup::default();
    let mut moved = false;
    for node in nodes {
        moved |= node.properties.iter().any(|(name, _)| colour_of(name).is_some());
        for (name, values) in &node.properties {
            let list = match name.as_str() {
                "AB" => &mut setup.black,
                "AW" => &mut setup.white,
                "AA" => &mut setup.arrows,
                _ => continue,
            };
            if moved {
                return Err(wrong(node, name, Phrase::new("no set-up after the first move", "第一着之后不再摆子")));
            }
            for value in values {
                read_area(value.trim(), board, list)
                    .ok_or_else(|| wrong(node, value, Phrase::new("points on the board", "棋盘上的点")))?;
            }
        }
    }
    Ok(setup)
}

/// A point, or the rectangle between two: `aa:cc`.
fn read_area(value: &str, board: (usize, usize), list: &mut Vec<Point>) -> Option<()> {
    let mut corners = Vec::new();
    for corner in value.split(':') {
        read_points(corner, board, &mut corners)?;
    }
    match corners.as_slice() {
        [point] => list.push(*point),
        [from, to] => {
            for y in from.1..=to.1 {
                list.extend((from.0..=to.0).map(|x| (x, y)));
            }
        }
        _ => return None,
    }
    // More than the board holds is no set-up, and would only cost time.
    (list.len() <= 4 * board.0 * board.1).then_some(())
}

fn read_result(value: &str) -> Option<RecordedVerdict> {
    let (who, how) = value.split_once('+').unwrap_or((value, ""));
    let (winner, counts) = match who.trim().to_lowercase().as_str() {
        "b" | "black" => (Some(Side::Black), true),
        "w" | "white" => (Some(Side::White), true),
        "0" | "draw" | "jigo" => (None, true),
        "void" => (None, false),
        _ => return None,
    };
    let reason = match how.trim().to_lowercase().as_str() {
        "t" | "time" => "time",
        "r" | "resign" => "resigned",
        _ if !counts => "stopped",
        _ => REPORTED.code,
    };
    Some(RecordedVerdict { winner, reason: reason.to_owned(), ply: 0, counts, evidence: Value::Null })
}

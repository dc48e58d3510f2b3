//! The championship's texts: one header for all games, then the moves in each game's own way.
//!
//! ```text
//! {[C6][first B][second W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)}
//! #[AM][first][second][后手胜][date place][event];     1 d1d7(g7) g10g4(d4)     a line for each pair
//! ([NG][A][B][result][time place][event];B:[A1];W:[B2])
//! ([PG][B][W][result][time place][event];B[A1];W[B2])
//! ```
//!
//! Entrants' programs differ in brackets, blanks and colons, so reading asks for no more than it needs. Dots and Boxes
//! is JSON and lives in its own file.

mod result;

use games::{Phrase, Side, Table};
use serde_json::Value;

use crate::date::{read_day, read_occasion, write_time_and_place};
use crate::dots;
use crate::error::{ReadError, WriteError};
use crate::format::{Choices, Format, Room, Rows, say_lost};
use crate::moves::{Action, Point, board_of, moves_of, plies_of, say_lost_options, starts_as_usual};
use crate::record::{Player, Record, Seats};
use crate::remark::Remark;
use crate::replay::is_rules_reason;
use crate::text::{self, Reader, one_line};

/// The championship's code of each game it has a text for.
const CODES: [(&str, &str); 5] =
    [("connect6", "C6"), ("amazons", "AM"), ("nogo", "NG"), ("phantom-go", "PG"), ("dots", "DB")];
/// The most characters of a name or an occasion in a file name; six such parts stay within what file systems allow.
const MOST_IN_FILE_NAME: usize = 12;

const EXPECTED_MOVE: Phrase = Phrase::new("a move of this game on the board", "本棋种在棋盘上的一步着法");

fn code_of(game: &str) -> Option<&'static str> {
    CODES.iter().find(|(id, _)| *id == game).map(|(_, code)| *code)
}

/// Whether the championship has a text for this game.
#[must_use]
pub fn has_form(game: &str) -> bool {
    code_of(game).is_some()
}

/// Whether a text begins like the championship's, of whatever game.
pub(crate) fn begins(text: &str) -> bool {
    read_code(&mut Reader::new(text)).is_some() || unread(text).is_some()
}

/// The championship's other codes: of games that have other texts here, or are not here at all.
const UNREAD: [(&str, Phrase); 12] = [
    ("C5", Phrase::new("Gomoku", "五子棋")),
    ("SU", SURAKARTA),
    ("AC2", JUNQI),
    ("HEX", Phrase::new("Hex", "海克斯棋")),
    ("WTN", Phrase::new("EinStein würfelt nicht", "爱恩斯坦棋")),
    ("GO", Phrase::new("Go", "围棋")),
    ("GO13", Phrase::new("Go on 13×13", "13 路围棋")),
    ("GO9", Phrase::new("Go on 9×9", "9 路围棋")),
    ("CC", Phrase::new("Xiangqi", "中国象棋")),
    ("DR10", Phrase::new("international draughts", "国际跳棋（100 格）")),
    ("DR8", Phrase::new("draughts on 64 squares", "国际跳棋（64 格）")),
    ("DB", Phrase::new("Dots and Boxes (its text should be JSON)", "点格棋（应为 JSON）")),
];
const SURAKARTA: Phrase = Phrase::new("Surakarta", "苏拉卡尔塔棋");
const JUNQI: Phrase = Phrase::new("Junqi", "军棋");

/// The game of a text of the championship that is not read here.
fn unread(text: &str) -> Option<Phrase> {
    let text = text.trim_start();
    // `#2017-11-30-20:55|place`, then `#先手方:A|后手方:B|…`; no SGF begins with `(;INFO[`.
    if text.starts_with('#') && (text.contains("先手方") || text.lines().next()?.contains('|')) {
        return Some(SURAKARTA);
    }
    let inside = text.strip_prefix('(').map(|rest| rest.trim_start_matches([';', ' ', '\t', '\r', '\n']));
    if inside.is_some_and(|rest| rest.starts_with("INFO[") || rest.starts_with("AA[") && rest.contains("AB[")) {
        return Some(JUNQI);
    }
    let mut reader = Reader::new(text);
    let opening = reader.take_while(|letter| "#{[( \t\r\n".contains(letter));
    let code = reader.take_while(|letter| letter.is_ascii_alphanumeric());
    let closed = reader.peek().is_some_and(|letter| matches!(letter, ']' | '}' | ')'));
    let (_, game) = UNREAD.iter().find(|(known, _)| known.eq_ignore_ascii_case(code))?;
    (closed && (opening.contains('[') || opening.starts_with("{{"))).then_some(*game)
}

/// Steps over the opening brackets and the game's code and gives the game.
fn read_code(reader: &mut Reader<'_>) -> Option<&'static str> {
    let opening = reader.take_while(|letter| "#{[( \t\r\n".contains(letter));
    if opening.trim().is_empty() {
        return None;
    }
    let code = reader.take_while(|letter| letter.is_ascii_alphanumeric());
    let (game, _) = CODES.iter().find(|(id, known)| *id != "dots" && known.eq_ignore_ascii_case(code))?;
    reader.skip_blanks();
    reader.next().filter(|letter| matches!(letter, ']' | '}' | ')'))?;
    Some(game)
}

pub(crate) fn write(record: &Record, rows: Rows, lost: &mut Vec<Remark>) -> Result<Vec<u8>, WriteError> {
    let table = record.replay_plies()?;
    let table = table.as_ref();
    let format = Format::Ccgc;
    let Some(code) = code_of(table.facts().id) else { return Err(WriteError::no_form(table.facts(), format)) };
    check_usual(record, table, lost)?;
    let content = match board_of(table) {
        Some((_, height)) => {
            let actions = moves_of(record, table, lost).actions;
            let header = header_of(record, code, lost);
            match code {
                "AM" => format!("#{header}\r\n{}", amazons_lines(&actions, height)),
                "C6" => format!("{{{header}{}}}", stones(&actions, height, rows, ("(", ",", ")"))),
                "NG" => format!("({header}{})", stones(&actions, height, rows, (":[", "", "]"))),
                _ => format!("({header}{})", stones(&actions, height, rows, ("[", "", "]"))),
            }
        }
        None => dots::write(record, table, rows, lost),
    };
    let by_rules = record.verdict.as_ref().is_none_or(|verdict| is_rules_reason(table, &verdict.reason));
    say_lost(record, by_rules, Room { occasion: true, ..Room::default() }, lost);
    Ok(text::encode(&content))
}

/// The texts say nothing of boards and starts, so only the usual ones can be written.
fn check_usual(record: &Record, table: &dyn Table, lost: &mut Vec<Remark>) -> Result<(), WriteError> {
    let format = Format::Ccgc;
    if !starts_as_usual(record, table) {
        return Err(WriteError::Start { format });
    }
    let board = ["size", "rows", "cols"];
    let changed = crate::moves::changed_options(table);
    if changed.iter().any(|(key, _)| board.contains(&key.as_str())) {
        return Err(WriteError::Board { format });
    }
    say_lost_options(table, &[], lost);
    Ok(())
}

fn header_of(record: &Record, code: &str, lost: &mut Vec<Remark>) -> String {
    let field = |text: &str| one_line(text).replace('[', "［").replace(']', "］");
    let [mut first, mut second] = [&record.seats.black, &record.seats.white].map(|player| field(&player.name));
    if code == "C6" {
        first.push_str(" B");
        second.push_str(" W");
    }
    let time_and_place = field(&write_time_and_place(record, lost));
    let event = field(record.event.as_deref().unwrap_or_default());
    format!("[{code}][{first}][{second}][{}][{time_and_place}][{event}];", result::text(record))
}

fn stones(actions: &[Action], height: usize, rows: Rows, brackets: (&str, &str, &str)) -> String {
    let (open, between, close) = brackets;
    let mut items = Vec::new();
    for action in actions {
        let colour = action.colour.letter().to_ascii_uppercase();
        if action.points.is_empty() {
            items.push(format!("{colour}{open}pass{close}"));
        }
        for (x, y) in &action.points {
            items.push(format!("{colour}{open}{}{between}{}{close}", column(*x, 'A'), rows.number(*y, height)));
        }
    }
    items.join(";")
}

pub(crate) fn column(x: usize, first: char) -> char {
    (first as u8 + x as u8 % 26) as char
}

fn amazons_lines(actions: &[Action], height: usize) -> String {
    let square = |(x, y): &Point| format!("{}{}", column(*x, 'a'), Rows::FromBottom.number(*y, height));
    let ply = |action: &Action| match action.points.as_slice() {
        [from, to, arrow] => format!(" {}{}({})", square(from), square(to), square(arrow)),
        _ => String::new(),
    };
    let line =
        |(index, pair): (usize, &[Action])| format!("{}{}\r\n", index + 1, pair.iter().map(ply).collect::<String>());
    actions.chunks(2).enumerate().map(line).collect()
}

/// The name the championship gives a record's file.
#[must_use]
pub fn file_name(record: &Record) -> Option<String> {
    let code = code_of(games::find(&record.game).ok()?.facts().id)?;
    let part = |text: &str| -> String {
        let safe = |letter: char| match letter {
            ':' => '.',
            '/' | '\\' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
            letter => letter,
        };
        one_line(text).chars().map(safe).take(MOST_IN_FILE_NAME).collect::<String>().trim().to_owned()
    };
    let time_and_place = write_time_and_place(record, &mut Vec::new());
    // Word by word, so that a long place does not push the time out.
    let occasion: Vec<String> = time_and_place.split(' ').take(4).map(part).collect();
    let occasion = occasion.join(" ");
    Some(format!(
        "{code}-{}B vs {}W-{}-{occasion}-{}.txt",
        part(&record.seats.black.name),
        part(&record.seats.white.name),
        result::text(record),
        part(record.event.as_deref().unwrap_or_default()),
    ))
}

fn wrong(reader: &Reader<'_>, expected: Phrase) -> ReadError {
    let found = reader.rest().lines().next().unwrap_or_default();
    ReadError::Syntax { format: Format::Ccgc, line: reader.line(), expected, found: text::shown(found) }
}

pub(crate) fn read(bytes: &[u8], choices: &Choices, remarks: &mut Vec<Remark>) -> Result<Record, ReadError> {
    let content = text::decode(bytes)?;
    let mut reader = Reader::new(content.trim());
    if !begins(content.trim()) {
        return dots::read(&content, choices.rows);
    }
    let Some(game) = read_code(&mut reader) else {
        if let Some(game) = unread(content.trim()) {
            return Err(ReadError::NotYet { game });
        }
        return Err(wrong(&reader, Phrase::new("the code of a game in brackets", "括号中的棋种代号")));
    };
    let mut record = Record::new(game, Value::Null);
    read_header(&mut reader, &mut record, remarks)?;
    let table = record.open().map_err(|_| ReadError::WhichGame { format: Format::Ccgc })?;
    let board = board_of(table.as_ref()).unwrap_or_default();
    let actions = if game == "amazons" {
        read_amazons(&mut reader, board, remarks)?
    } else {
        read_stones(&mut reader, game, board, choices.rows, remarks)?
    };
    record.plies = plies_of(game, actions);
    Ok(record)
}

/// The fields between the code and the first move, of which any may be missing at the end. Some write no `;` behind them,
/// some the date without brackets.
fn read_header(reader: &mut Reader<'_>, record: &mut Record, remarks: &mut Vec<Remark>) -> Result<(), ReadError> {
    let mut fields = Vec::new();
    loop {
        reader.skip_blanks();
        if reader.skip(';') || reader.skip('；') {
            break;
        }
        let close = match reader.peek() {
            Some('[') => ']',
            Some('{') => '}',
            Some('0'..='9') if read_day(&mut reader.clone()).is_some() => {
                fields.push(reader.take_while(|letter| !"[{;；\r\n".contains(letter)).trim_end());
                continue;
            }
            // The first move, or the end of a record without any.
            Some(letter) if letter.is_ascii_alphanumeric() || matches!(letter, '}' | ')') => break,
            None => break,
            _ => return Err(wrong(reader, Phrase::new("a field in brackets or \";\"", "括号中的字段或“;”"))),
        };
        let before = reader.clone();
        reader.next();
        fields.push(reader.take_while(|letter| letter != close && letter != '\n').trim_end_matches('\r'));
        if !reader.skip(close) {
            return Err(wrong(&before, Phrase::new("a field closed by its bracket", "括号配对的字段")));
        }
    }
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    let (first, second) = names(&record.game, field(0), field(1));
    record.seats = Seats { black: Player::named(first), white: Player::named(second) };
    record.verdict = result::read(field(2));
    if record.verdict.is_none() && !field(2).trim().is_empty() {
        let said = text::shown(field(2));
        remarks.push(Remark::new(
            format!("the result field ({said}) decides nothing"),
            format!("结果一栏（{said}）没有说明胜负"),
        ));
    }
    if read_occasion(fields.get(3..).unwrap_or_default(), record) {
        remarks.push(Remark::new("fields of the header beyond the usual six", "标题中多于六项的字段"));
    }
    Ok(())
}

/// Connect6 marks the names with the colours: `[team B][team W]`.
fn names(game: &str, first: &str, second: &str) -> (String, String) {
    let marked = match (first.strip_suffix('B'), second.strip_suffix('W')) {
        (Some(first), Some(second)) if game == "connect6" => Some((first, second)),
        _ => None,
    };
    let (first, second) = marked.unwrap_or((first, second));
    (first.trim().to_owned(), second.trim().to_owned())
}

/// `B(J,10)`, `B:[A1]`, `B[A1]`, in any of these brackets, up to the bracket that closes the record.
fn read_stones(
    reader: &mut Reader<'_>,
    game: &str,
    (width, height): (usize, usize),
    rows: Rows,
    remarks: &mut Vec<Remark>,
) -> Result<Vec<Action>, ReadError> {
    let mut actions = Vec::new();
    let mut marks = 0;
    loop {
        reader.take_while(|letter| letter.is_whitespace() || matches!(letter, ';' | '；'));
        if skip_mark(reader) {
            marks += 1;
            continue;
        }
        if matches!(reader.peek(), Some('}' | ')')) {
            reader.take_while(|letter| letter == '}' || letter == ')' || letter.is_whitespace());
            if reader.peek().is_none() {
                say_marks(marks, remarks);
                return Ok(actions);
            }
            return Err(wrong(reader, Phrase::new("nothing after the record", "棋谱之后没有其他内容")));
        }
        let before = reader.clone();
        let action = read_stone(reader, (width, height), rows)
            .filter(|action| !action.points.is_empty() || game == "phantom-go")
            .ok_or_else(|| wrong(&before, EXPECTED_MOVE))?;
        actions.push(action);
    }
}

/// Steps over `MARK[1]`, by which an operator says how good a move was.
fn skip_mark(reader: &mut Reader<'_>) -> bool {
    let mut ahead = reader.clone();
    let word = ahead.take_while(|letter| letter.is_ascii_alphabetic());
    if !word.eq_ignore_ascii_case("mark") || !ahead.skip('[') {
        return false;
    }
    ahead.take_while(|letter| letter != ']' && letter != '\n');
    let closed = ahead.skip(']');
    if closed {
        *reader = ahead;
    }
    closed
}

fn say_marks(marks: usize, remarks: &mut Vec<Remark>) {
    if marks > 0 {
        remarks.push(Remark::new(format!("{marks} marks on moves (MARK)"), format!("{marks} 处对着法的评价（MARK）")));
    }
}

fn read_stone(reader: &mut Reader<'_>, (width, height): (usize, usize), rows: Rows) -> Option<Action> {
    let colour = match reader.next()? {
        'B' | 'b' => Side::Black,
        'W' | 'w' => Side::White,
        _ => return None,
    };
    let _ = reader.skip(':') || reader.skip('：');
    let close = match reader.next()? {
        '[' => ']',
        '(' => ')',
        '（' => '）',
        _ => return None,
    };
    let inside = reader.take_while(|letter| letter != close);
    reader.skip(close).then_some(())?;
    let mut points = Vec::new();
    if !matches!(inside.trim().to_ascii_lowercase().as_str(), "" | "pass") {
        let mut inner = Reader::new(inside.trim());
        let x = inner.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase() as usize - 'A' as usize;
        inner.take_while(|letter| matches!(letter, ',' | '，' | ' '));
        let y = rows.row(inner.number()?, height)?;
        if x >= width || !inner.rest().is_empty() {
            return None;
        }
        points.push((x, y));
    }
    Some(Action { colour, points, ms: None })
}

/// `1 d1d7(g7) g10g4(d4)`: Black and White by turns, whatever the lines and numbers.
fn read_amazons(
    reader: &mut Reader<'_>,
    board: (usize, usize),
    remarks: &mut Vec<Remark>,
) -> Result<Vec<Action>, ReadError> {
    let mut actions: Vec<Action> = Vec::new();
    let mut marks = 0;
    loop {
        reader.skip_blanks();
        if reader.peek().is_none() {
            say_marks(marks, remarks);
            return Ok(actions);
        }
        if skip_mark(reader) {
            marks += 1;
            continue;
        }
        let before = reader.clone();
        let word = reader.take_while(|letter| !letter.is_whitespace() && !matches!(letter, 'M' | 'm'));
        let number = word.trim_end_matches(['.', ':', '、']);
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let points = read_squares(word, board).ok_or_else(|| wrong(&before, EXPECTED_MOVE))?;
        let colour = if actions.len().is_multiple_of(2) { Side::Black } else { Side::White };
        actions.push(Action { colour, points, ms: None });
    }
}

fn read_squares(word: &str, (width, height): (usize, usize)) -> Option<Vec<Point>> {
    let mut reader = Reader::new(word);
    let mut points = Vec::new();
    for index in 0..3 {
        let bracket = index == 2 && (reader.skip('(') || reader.skip('（'));
        let x = reader.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase() as usize - 'a' as usize;
        let y = Rows::FromBottom.row(reader.number()?, height)?;
        if x >= width || bracket && !reader.skip(')') && !reader.skip('）') {
            return None;
        }
        points.push((x, y));
    }
    reader.rest().trim_matches(';').is_empty().then_some(points)
}

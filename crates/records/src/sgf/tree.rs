//! SGF's grammar. Only the main line is kept, and nothing here recurses, so no depth of brackets can hurt.

use std::ops::Range;

use games::Phrase;

use crate::error::ReadError;
use crate::format::{Format, further_games};
use crate::remark::Remark;
use crate::text::{Reader, shown};

/// A property: its name and values, at least one.
pub(super) type Property = (String, Vec<String>);

/// The properties of a node and the line it stands on.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) properties: Vec<Property>,
    pub(super) line: usize,
}

impl Node {
    /// The values of a property; none where it is not there.
    pub(super) fn values(&self, name: &str) -> &[String] {
        self.properties.iter().find(|(known, _)| known == name).map_or(&[], |(_, values)| values)
    }

    /// The first value of a property.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(|value| value.trim()).filter(|value| !value.is_empty())
    }
}

pub(super) fn wrong(reader: &Reader<'_>, expected: Phrase) -> ReadError {
    let found = reader.rest().lines().next().unwrap_or_default();
    ReadError::Syntax { format: Format::Sgf, line: reader.line(), expected, found: shown(found) }
}

/// Where the games of a collection are. What stands before a game belongs to it, what stands after the last one, too.
pub(super) fn games_of(text: &str) -> Vec<Range<usize>> {
    let mut games: Vec<Range<usize>> = Vec::new();
    let (mut start, mut depth) = (0, 0_u64);
    let (mut in_value, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b'[' if depth > 0 => in_value = true,
            b']' => in_value = false,
            b'(' if !in_value => depth += 1,
            b')' if !in_value && depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    games.push(start..at + 1);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    match games.last_mut() {
        Some(last) if !text[start..].contains('(') => last.end = text.len(),
        _ => games.push(start..text.len()),
    }
    games
}

/// The nodes of the main line of the first game.
pub(super) fn main_line(text: &str, remarks: &mut Vec<Remark>) -> Result<Vec<Node>, ReadError> {
    let mut reader = Reader::new(text);
    // The standard lets anything stand before the first game.
    reader.take_while(|letter| letter != '(');
    let mut nodes: Vec<Node> = Vec::new();
    let mut depth = 0_u64;
    let mut lines = reader.line();
    let mut in_main_line = true;
    let mut variations = 0_u64;
    loop {
        let blanks = reader.take_while(char::is_whitespace);
        lines += blanks.bytes().filter(|byte| *byte == b'\n').count();
        let before = reader.clone();
        match reader.next() {
            Some('(') => {
                depth += 1;
                variations += u64::from(!in_main_line);
            }
            Some(')') if depth > 0 => {
                depth -= 1;
                in_main_line = false;
                if depth == 0 {
                    break;
                }
            }
            Some(';') if depth > 0 => {
                let node = read_node(&mut reader, &mut lines)?;
                if in_main_line {
                    nodes.push(node);
                }
            }
            _ if depth == 0 => {
                return Err(wrong(&before, Phrase::new("a game that begins with \"(;\"", "以“(;”开头的对局")));
            }
            _ => return Err(wrong(&before, Phrase::new("a node, a variation or \")\"", "结点、变化或“)”"))),
        }
    }
    if variations > 0 {
        remarks.push(Remark::new(
            format!("{variations} variations; only the main line is read"),
            format!("{variations} 个变化；只读取主线"),
        ));
    }
    reader.skip_blanks();
    match reader.peek() {
        None => {}
        Some('(') => remarks.push(further_games()),
        Some(_) => return Err(wrong(&reader, Phrase::new("nothing after the game", "对局之后没有其他内容"))),
    }
    if nodes.is_empty() {
        return Err(wrong(&Reader::new(text), Phrase::new("a game that begins with \"(;\"", "以“(;”开头的对局")));
    }
    Ok(nodes)
}

fn read_node(reader: &mut Reader<'_>, lines: &mut usize) -> Result<Node, ReadError> {
    let mut node = Node { properties: Vec::new(), line: *lines };
    loop {
        *lines += newlines(reader.take_while(char::is_whitespace));
        let name = reader.take_while(|letter| letter.is_ascii_alphabetic());
        if name.is_empty() {
            return Ok(node);
        }
        // Older files spell names out: `SiZe[19]`.
        let name: String = name.chars().filter(char::is_ascii_uppercase).collect();
        let mut values = Vec::new();
        loop {
            let mut ahead = reader.clone();
            let blanks = ahead.take_while(char::is_whitespace);
            if !ahead.skip('[') {
                break;
            }
            *lines += newlines(blanks);
            *reader = ahead;
            values.push(read_value(reader, lines)?);
        }
        if values.is_empty() {
            return Err(wrong(reader, Phrase::new("a value in \"[]\"", "“[]”中的值")));
        }
        node.properties.push((name, values));
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// A value up to its closing bracket, escapes undone.
fn read_value(reader: &mut Reader<'_>, lines: &mut usize) -> Result<String, ReadError> {
    let mut value = String::new();
    loop {
        let plain = reader.take_while(|letter| letter != ']' && letter != '\\');
        *lines += newlines(plain);
        value.push_str(plain);
        match reader.next() {
            Some(']') => return Ok(value),
            Some(_) => match reader.next() {
                // An escaped line end joins the lines.
                Some('\r') => {
                    *lines += usize::from(reader.skip('\n'));
                }
                Some('\n') => *lines += 1,
                Some(letter) => value.push(letter),
                None => {}
            },
            None => return Err(wrong(reader, Phrase::new("\"]\" at the end of a value", "值末尾的“]”"))),
        }
    }
}

/// A text as a value.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in crate::text::one_line(text).chars() {
        if matches!(letter, ']' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

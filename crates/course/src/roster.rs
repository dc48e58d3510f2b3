//! A teacher's list of students: CSV as spreadsheets write it.

use std::collections::HashMap;

use encoding_rs::{GB18030, UTF_16BE, UTF_16LE};
use serde::Serialize;

use crate::account::{LONGEST_GROUPS, clean, read_groups};
use crate::words::Words;

/// The most rows of a list.
const MOST_ROWS: usize = 100_000;
/// The most problems that are told; the rest is counted.
const MOST_PROBLEMS: usize = 100;
/// The longest student number.
const LONGEST_NAME: usize = 40;
/// The longest name of a person.
const LONGEST_TEXT: usize = 60;

/// A student of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RosterEntry {
    /// The student's number.
    pub name: String,
    /// His own name.
    pub person: String,
    /// His classes or groups.
    pub group: String,
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roster {
    /// The students, in the list's order.
    pub entries: Vec<RosterEntry>,
}

/// Something wrong in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RosterProblem {
    /// The line, from 1.
    pub line: u64,
    /// What.
    pub message: Words,
}

/// A list that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the list has {} problems", .problems.len() + .more)]
pub struct RosterError {
    /// The first of them.
    pub problems: Vec<RosterProblem>,
    /// How many more there are.
    pub more: usize,
}

/// What a column holds, by its heading.
fn column(heading: &str) -> Option<usize> {
    let heading = heading.trim().to_lowercase();
    match heading.as_str() {
        "id" | "number" | "student" | "student id" | "student number" | "学号" | "编号" | "账号" => Some(0),
        "name" | "person" | "full name" | "姓名" | "名字" => Some(1),
        "group" | "groups" | "class" | "team" | "班级" | "班" | "小组" | "组" | "分组" => Some(2),
        _ => None,
    }
}

fn decode(bytes: &[u8]) -> Result<String, RosterProblem> {
    let bad = |line: u64| RosterProblem {
        line,
        message: Words::new(
            "this is not text in UTF-8, UTF-16 or GB18030: export the table as CSV",
            "不是 UTF-8、UTF-16 或 GB18030 编码的文本：请把表格另存为 CSV",
        ),
    };
    let whole = |encoding: &'static encoding_rs::Encoding, bytes: &[u8]| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes).map(std::borrow::Cow::into_owned)
    };
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => std::str::from_utf8(rest).ok().map(str::to_owned),
        [0xff, 0xfe, rest @ ..] => whole(UTF_16LE, rest),
        [0xfe, 0xff, rest @ ..] => whole(UTF_16BE, rest),
        _ => std::str::from_utf8(bytes).ok().map(str::to_owned).or_else(|| whole(GB18030, bytes)),
    };
    let text = text.ok_or_else(|| bad(1))?;
    match text.find('\0') {
        Some(at) => Err(bad(text[..at].matches('\n').count() as u64 + 1)),
        None => Ok(text),
    }
}

/// Reads a list: all of it, or what is wrong with it, line by line.
pub fn read_roster(bytes: &[u8]) -> Result<Roster, RosterError> {
    let text = decode(bytes).map_err(|problem| RosterError { problems: vec![problem], more: 0 })?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let separator = [b',', b';', b'\t'].into_iter().max_by_key(|byte| {
        // The earlier of two that are level: a comma.
        (first.bytes().filter(|one| one == byte).count(), std::cmp::Reverse(*byte == b'\t'))
    });
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(separator.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let mut reading = Reading::default();
    for record in reader.records() {
        match record {
            Ok(record) => reading.row(&record),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                reading.problem(line, Words::new(format!("cannot be read: {error}"), format!("无法读取：{error}")));
            }
        }
        if reading.entries.len() > MOST_ROWS {
            let message = Words::new(format!("more than {MOST_ROWS} rows"), format!("超过 {MOST_ROWS} 行"));
            reading.problem(reading.line, message);
            break;
        }
    }
    if reading.entries.is_empty() && reading.problems.is_empty() {
        reading.problem(1, Words::new("there is nobody in the list", "名单是空的"));
    }
    match reading.problems.is_empty() {
        true => Ok(Roster { entries: reading.entries }),
        false => Err(RosterError { problems: reading.problems, more: reading.more }),
    }
}

#[derive(Default)]
struct Reading {
    columns: Option<[Option<usize>; 3]>,
    entries: Vec<RosterEntry>,
    seen: HashMap<String, u64>,
    problems: Vec<RosterProblem>,
    more: usize,
    line: u64,
}

impl Reading {
    fn problem(&mut self, line: u64, message: Words) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(RosterProblem { line, message });
        } else {
            self.more += 1;
        }
    }

    fn row(&mut self, record: &csv::StringRecord) {
        let line = record.position().map_or(0, csv::Position::line);
        self.line = line;
        if record.iter().all(str::is_empty) {
            return;
        }
        if self.columns.is_none() {
            let known: Vec<Option<usize>> = record.iter().map(column).collect();
            if known.contains(&Some(0)) {
                self.columns = Some([0, 1, 2].map(|wanted| known.iter().position(|column| *column == Some(wanted))));
                return;
            }
            self.columns = Some([Some(0), Some(1), Some(2)]);
        }
        let columns = self.columns.unwrap_or([Some(0), Some(1), Some(2)]);
        let [name, person, group] =
            columns.map(|column| column.and_then(|column| record.get(column)).unwrap_or_default());
        let Some(id) = clean(name, LONGEST_NAME).filter(|id| !id.contains(' ')) else {
            let message = Words::new(
                format!(
                    "the first column must be the student's number, 1 to {LONGEST_NAME} characters without spaces; it is {name:?}"
                ),
                format!("第一列应为学号（1 到 {LONGEST_NAME} 个字符，不含空格），这里是“{name}”"),
            );
            return self.problem(line, message);
        };
        let groups = read_groups(group);
        let unfit = [
            ("name", "姓名", LONGEST_TEXT, !person.is_empty() && clean(person, LONGEST_TEXT).is_none()),
            ("group", "班级", LONGEST_GROUPS, groups.is_none()),
        ];
        if let Some((en, zh, most, _)) = unfit.into_iter().find(|(.., unfit)| *unfit) {
            let message = Words::new(
                format!("the {en} is longer than {most} characters or holds control characters"),
                format!("{zh}超过 {most} 个字符或含有控制字符"),
            );
            return self.problem(line, message);
        }
        if let Some(before) = self.seen.insert(id.to_lowercase(), line) {
            let message = Words::new(
                format!("{id} is in the list twice: also in line {before}"),
                format!("学号 {id} 重复：第 {before} 行已有"),
            );
            return self.problem(line, message);
        }
        let person = clean(person, LONGEST_TEXT).unwrap_or_default();
        self.entries.push(RosterEntry { name: id, person, group: groups.unwrap_or_default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, person: &str, group: &str) -> RosterEntry {
        RosterEntry { name: name.into(), person: person.into(), group: group.into() }
    }

    #[test]
    fn lists_of_every_spreadsheet_are_read() {
        let expected = vec![entry("2351001", "张三", "一班"), entry("2351002", "李四, Jr.", "二班")];
        let plain = "学号,姓名,班级\r\n2351001,张三,一班\r\n2351002,\"李四, Jr.\",二班\r\n";
        let read = |bytes: &[u8]| read_roster(bytes).map(|roster| roster.entries);
        assert_eq!(read(plain.as_bytes()), Ok(expected.clone()));
        assert_eq!(read(format!("\u{feff}{plain}").as_bytes()), Ok(expected.clone()));
        assert_eq!(read(&GB18030.encode(plain).0), Ok(expected.clone()));
        let utf16: Vec<u8> = format!("\u{feff}{plain}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf16), Ok(expected.clone()));
        let headless = "2351001\t张三\t一班\n\n2351002\t李四, Jr.\t二班";
        assert_eq!(read(headless.as_bytes()), Ok(expected.clone()));
        let turned = "group;id;name\n一班;2351001;张三\n二班;2351002;李四, Jr.\n";
        assert_eq!(read(turned.as_bytes()), Ok(expected));
        assert_eq!(read(b"42\n"), Ok(vec![entry("42", "", "")]));
    }

    #[test]
    fn what_is_wrong_is_told_line_by_line() {
        let text = "id,name,group\n1,A,x\n,B,x\n2,C,x\n1,D,x\n3 4,E,x\n5,F\u{7},x\n";
        let error = read_roster(text.as_bytes()).unwrap_err();
        let lines: Vec<u64> = error.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [3, 5, 6, 7]);
        assert!(error.problems[1].message.zh.contains("第 2 行"), "{:?}", error.problems[1]);
        for bad in [&b""[..], b"\n\n", b"id,name\n", b"\xff\xfe\x00", b"a\0b", b"\x81"] {
            assert!(read_roster(bad).is_err(), "{bad:?}");
        }
        let many: String = (0..500).map(|_| "7,A,x\n").collect();
        let error = read_roster(many.as_bytes()).unwrap_err();
        assert_eq!((error.problems.len(), error.more), (100, 399));
    }

    #[test]
    fn a_hundred_thousand_are_read_and_one_more_is_not() {
        let mut text: String =
            (0..MOST_ROWS).map(|number| format!("{number},学生{number},班{}\n", number % 50)).collect();
        assert_eq!(read_roster(text.as_bytes()).unwrap().entries.len(), MOST_ROWS);
        text.push_str("x,y,z\n");
        assert!(read_roster(text.as_bytes()).is_err());
    }
}

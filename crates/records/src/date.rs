//! Dates as the formats write them.

use crate::record::Record;
use crate::remark::Remark;
use crate::text::{Reader, given, one_line};

/// What the championship's texts say of time and place: `2017.07.29 14:00 重庆`.
pub(crate) fn write_time_and_place(record: &Record, lost: &mut Vec<Remark>) -> String {
    let mut out = String::new();
    if let Some(date) = &record.date {
        let (written, complete) = local(date);
        out.push_str(&written);
        if !complete {
            lost.push(Remark::new("seconds and time zone of the date", "日期的秒数与时区"));
        }
    }
    if let Some(place) = &record.place {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&one_line(place));
    }
    out
}

/// `2017.07.29 14:00` of an RFC 3339 date, and whether that says it all: the championship is held in one time zone.
fn local(date: &str) -> (String, bool) {
    let mut reader = Reader::new(date);
    let Some((year, month, day)) = read_day(&mut reader) else { return (one_line(date), true) };
    let mut out = format!("{year:04}.{month:02}.{day:02}");
    if reader.rest().is_empty() {
        return (out, true);
    }
    reader.next();
    let Some((hour, minute, second)) = read_clock(&mut reader) else { return (out, false) };
    out.push_str(&format!(" {hour:02}:{minute:02}"));
    (out, second == 0 && reader.rest() == "+08:00")
}

/// Reads time and place; what does not begin with a date is all place.
pub(crate) fn read_time_and_place(text: &str, record: &mut Record) {
    let mut reader = Reader::new(text.trim());
    let mut rest = reader.clone();
    if let Some((year, month, day)) = read_day(&mut reader) {
        let mut date = format!("{year:04}-{month:02}-{day:02}");
        reader.take_while(|letter| letter == '日');
        rest = reader.clone();
        reader.skip_blanks();
        if let Some((hour, minute, second)) = read_clock(&mut reader) {
            date.push_str(&format!("T{hour:02}:{minute:02}:{second:02}+08:00"));
            rest = reader;
        }
        record.date = Some(date);
    }
    record.place = given(rest.rest());
}

/// Year, month and day, with any of `. - / 年 月` between them.
pub(crate) fn read_day(reader: &mut Reader<'_>) -> Option<(usize, usize, usize)> {
    let mut ahead = reader.clone();
    let between =
        |reader: &mut Reader<'_>| reader.next().filter(|letter| matches!(letter, '.' | '-' | '/' | '年' | '月'));
    let year = ahead.number().filter(|year| (1000..=9999).contains(year))?;
    between(&mut ahead)?;
    let month = ahead.number().filter(|month| (1..=12).contains(month))?;
    between(&mut ahead)?;
    let day = ahead.number().filter(|day| (1..=31).contains(day))?;
    *reader = ahead;
    Some((year, month, day))
}

/// Hours, minutes and, where they are given, seconds.
fn read_clock(reader: &mut Reader<'_>) -> Option<(usize, usize, usize)> {
    let mut ahead = reader.clone();
    let hour = ahead.number().filter(|hour| *hour < 24)?;
    if !ahead.skip(':') && !ahead.skip('：') {
        return None;
    }
    let minute = ahead.number().filter(|minute| *minute < 60)?;
    let mut second = 0;
    if ahead.skip(':') {
        second = ahead.number().filter(|second| *second <= 60)?;
    }
    *reader = ahead;
    Some((hour, minute, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<String>, Option<String>) {
        let mut record = Record::new("connect6", serde_json::Value::Null);
        read_time_and_place(text, &mut record);
        (record.date, record.place)
    }

    #[test]
    fn time_and_place_come_apart() {
        let both = |date: &str, place: &str| (given(date), given(place));
        assert_eq!(read("2017.07.29 14:00 重庆"), both("2017-07-29T14:00:00+08:00", "重庆"));
        assert_eq!(read("2017.7.29 重庆"), both("2017-07-29", "重庆"));
        assert_eq!(read("2017年7月29日 9:05"), both("2017-07-29T09:05:00+08:00", ""));
        assert_eq!(read("2017-07-29 3号楼"), both("2017-07-29", "3号楼"));
        assert_eq!(read("重庆 2017"), both("", "重庆 2017"));
        assert_eq!(read(""), both("", ""));
    }

    #[test]
    fn what_a_date_loses_is_said() {
        assert_eq!(local("2017-07-29T14:00:00+08:00"), ("2017.07.29 14:00".to_owned(), true));
        assert_eq!(local("2017-07-29"), ("2017.07.29".to_owned(), true));
        assert!(!local("2017-07-29T14:00:30+08:00").1 && !local("2017-07-29T14:00:00Z").1);
        assert_eq!(local("某日"), ("某日".to_owned(), true));
    }
}

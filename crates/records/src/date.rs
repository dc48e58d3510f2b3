//! Dates as the formats write them.

use jiff::tz::TimeZone;

use crate::record::Record;
use crate::remark::Remark;
use crate::text::{Reader, given, one_line};

/// Where the championship is held.
const CHINA: &str = "+08:00";

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
    if let Ok(moment) = date.parse::<jiff::Timestamp>() {
        let there = moment.to_zoned(TimeZone::fixed(jiff::tz::offset(8)));
        let complete = there.second() == 0 && there.subsec_nanosecond() == 0 && date.ends_with(CHINA);
        return (there.strftime("%Y.%m.%d %H:%M").to_string(), complete);
    }
    let mut reader = Reader::new(date);
    let Some((year, month, day)) = read_day(&mut reader) else { return (one_line(date), true) };
    let mut out = format!("{year:04}.{month:02}.{day:02}");
    if reader.rest().is_empty() {
        return (out, true);
    }
    reader.next();
    let Some((hour, minute, _)) = read_clock(&mut reader) else { return (out, false) };
    out.push_str(&format!(" {hour:02}:{minute:02}"));
    (out, false)
}

/// Reads time and place; what does not begin with a date is all place.
pub(crate) fn read_time_and_place(text: &str, record: &mut Record) {
    let mut reader = Reader::new(text.trim());
    let mut rest = reader.clone();
    if let Some((year, month, day)) = read_day(&mut reader) {
        let mut date = format!("{year:04}-{month:02}-{day:02}");
        reader.take_while(|letter| letter == '日' || letter == '号');
        rest = reader.clone();
        reader.take_while(|letter| letter.is_whitespace() || matches!(letter, 'T' | ',' | '，'));
        if let Some((hour, minute, second)) = read_clock(&mut reader) {
            let zone = read_zone(&mut reader).unwrap_or_else(|| CHINA.to_owned());
            date.push_str(&format!("T{hour:02}:{minute:02}:{second:02}{zone}"));
            rest = reader;
        }
        record.date = Some(date);
    }
    record.place =
        given(rest.rest().trim_start_matches(|letter: char| letter.is_whitespace() || ",，".contains(letter)));
}

/// Reads time, place and event from the fields behind the result: usually time and place in one, then the event; some
/// write the date in a field of its own, or behind the event. True when there are fields left.
pub(crate) fn read_occasion(fields: &[&str], record: &mut Record) -> bool {
    let mut fields: Vec<&str> = fields.to_vec();
    let begins = |text: &&str| read_day(&mut Reader::new(text.trim())).is_some();
    // Behind the first field only what is a date and nothing more.
    let only_date = |text: &&str| {
        begins(text) && !text.chars().any(|letter| letter.is_alphabetic() && !"年月日号".contains(letter))
    };
    let dated = fields.iter().position(only_date).filter(|at| *at > 0 && !begins(&fields[0])).unwrap_or_default();
    let mut when = if fields.is_empty() { String::new() } else { fields.remove(dated).trim().to_owned() };
    if dated < fields.len() && read_clock(&mut Reader::new(fields[dated].trim())).is_some() && begins(&when.as_str()) {
        when = format!("{when} {}", fields.remove(dated).trim());
    }
    read_time_and_place(&when, record);
    if record.place.is_none() && fields.len() > 1 {
        record.place = given(fields.remove(0));
    }
    record.event = if fields.is_empty() { None } else { given(fields.remove(0)) };
    !fields.is_empty()
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

/// Hours, minutes and, where they are given, seconds: `14:00`, `14：00：30`, `下午2时30分`.
fn read_clock(reader: &mut Reader<'_>) -> Option<(usize, usize, usize)> {
    let mut ahead = reader.clone();
    let half = ahead.take_while(|letter| "上下中午晚凌晨".contains(letter));
    let late = usize::from(half.contains('下') || half.contains("晚上")) * 12;
    let hour = ahead.number().filter(|hour| *hour < 24)?;
    let hour = if hour < 12 { hour + late } else { hour };
    ahead.next().filter(|letter| matches!(letter, ':' | '：' | '时' | '点'))?;
    let minute = ahead.number().filter(|minute| *minute < 60)?;
    let mut second = 0;
    let mut further = ahead.clone();
    if further.next().is_some_and(|letter| matches!(letter, ':' | '：' | '分' | '.')) {
        let before = further.clone();
        match further.number() {
            Some(found) => second = Some(found).filter(|second| *second <= 60)?,
            // `14时30分`.
            None => further = before,
        }
        further.skip('秒');
        ahead = further;
    }
    *reader = ahead;
    Some((hour, minute, second))
}

/// A time zone, where one is written: `Z`, `+08:00`, `UTC-5`. A bare `-` is the end of a time, not a zone.
fn read_zone(reader: &mut Reader<'_>) -> Option<String> {
    let mut ahead = reader.clone();
    ahead.take_while(|letter| letter == ' ' || letter == '(');
    let word = ahead.take_while(|letter| letter.is_ascii_alphabetic()).to_ascii_uppercase();
    let sign = match (word.as_str(), ahead.peek()) {
        ("" | "UTC" | "GMT", Some('+')) => '+',
        ("UTC" | "GMT", Some('-')) => '-',
        ("Z" | "UTC" | "GMT", _) => {
            ahead.skip(')');
            *reader = ahead;
            return Some("+00:00".to_owned());
        }
        _ => return None,
    };
    ahead.next();
    let digits = ahead.take_while(|letter| letter.is_ascii_digit());
    let (hours, minutes) = match digits.len() {
        1 | 2 if ahead.skip(':') => (digits, ahead.take_while(|letter| letter.is_ascii_digit())),
        1 | 2 => (digits, "0"),
        4 => digits.split_at(2),
        _ => return None,
    };
    let hours: usize = hours.parse().ok().filter(|hours| *hours <= 14)?;
    let minutes: usize = minutes.parse().ok().filter(|minutes| *minutes < 60)?;
    ahead.skip(')');
    *reader = ahead;
    Some(format!("{sign}{hours:02}:{minutes:02}"))
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
        for written in ["2017.07.29 14:00:30 重庆", "2017年7月29日14：00：30重庆", "2017-07-29T14:00:30+08:00, 重庆"]
        {
            assert_eq!(read(written), both("2017-07-29T14:00:30+08:00", "重庆"), "{written}");
        }
        assert_eq!(read("2017.7.29 下午2时30分 重庆"), both("2017-07-29T14:30:00+08:00", "重庆"));
        assert_eq!(read("2017.7.29 6:00Z"), both("2017-07-29T06:00:00+00:00", ""));
        assert_eq!(read("2017.7.29 6:00 (UTC+1) 波恩"), both("2017-07-29T06:00:00+01:00", "波恩"));
        assert_eq!(read("2017.7.29 9:00-11:00"), both("2017-07-29T09:00:00+08:00", "-11:00"));
        assert_eq!(read(""), both("", ""));
    }

    #[test]
    fn what_a_date_loses_is_said() {
        assert_eq!(local("2017-07-29T14:00:00+08:00"), ("2017.07.29 14:00".to_owned(), true));
        assert_eq!(local("2017-07-29"), ("2017.07.29".to_owned(), true));
        // The moment stays, told in China's time.
        assert_eq!(local("2017-07-29T18:00:00Z"), ("2017.07.30 02:00".to_owned(), false));
        assert_eq!(local("2017-07-29T14:00:30+08:00"), ("2017.07.29 14:00".to_owned(), false));
        assert_eq!(local("2017-07-29T14:00"), ("2017.07.29 14:00".to_owned(), false));
        assert_eq!(local("某日"), ("某日".to_owned(), true));
    }
}

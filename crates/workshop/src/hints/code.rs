//! C and C++ source without what only people read.
//!
//! Not a compiler: enough to tell code from comments, strings and parts that are for Windows only.

use std::collections::{HashMap, HashSet};

/// The code of a source.
#[derive(Debug)]
pub(super) struct Code {
    /// Comments, the insides of strings, and parts between `#ifdef _WIN32` and its end are blank; every place is where it was.
    pub(super) bare: String,
    /// The strings in the code, each with the place of its first quote.
    pub(super) strings: Vec<(usize, String)>,
    /// What it includes, each with its line.
    pub(super) includes: Vec<(usize, String)>,
}

/// Names that are defined only on Windows.
const ONLY_ON_WINDOWS: [&str; 6] = ["_WIN32", "WIN32", "_WIN64", "WIN64", "_MSC_VER", "__MINGW32__"];

/// An open `#if`.
struct Condition {
    /// Whether it asked for Windows; `Some(false)` if for anything but Windows.
    windows: Option<bool>,
    /// Whether this part of it is for Windows only.
    skips: bool,
}

impl Code {
    pub(super) fn of(text: &str) -> Self {
        let (bare, strings) = without_comments(text);
        let mut includes = Vec::new();
        let mut conditions: Vec<Condition> = Vec::new();
        let mut skipping = 0_usize;
        let mut blanked = Vec::new();
        let mut start = 0;
        for (index, line) in bare.split_inclusive('\n').enumerate() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
            if directive.starts_with("if") {
                let windows = asks_for_windows(directive);
                let condition = Condition { windows, skips: windows == Some(true) };
                skipping += usize::from(condition.skips);
                conditions.push(condition);
            } else if directive.starts_with("el") {
                if let Some(condition) = conditions.last_mut() {
                    skipping -= usize::from(condition.skips);
                    condition.skips = condition.windows == Some(false) && directive.starts_with("else");
                    skipping += usize::from(condition.skips);
                }
            } else if directive.starts_with("endif") {
                skipping -= conditions.pop().map_or(0, |condition| usize::from(condition.skips));
            } else if skipping > 0 {
                blanked.push(start..start + line.len());
            } else if directive.starts_with("include") {
                // From the source itself: a name in quotes was blanked.
                includes.extend(header(&text[start..start + line.len()]).map(|name| (index + 1, name)));
            }
            start += line.len();
        }
        let mut bytes = bare.into_bytes();
        for range in blanked {
            for byte in bytes[range].iter_mut().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
        }
        // Whole lines were blanked, so it is text as before.
        Self { bare: String::from_utf8_lossy(&bytes).into_owned(), strings, includes }
    }

    /// Where each of these names first stands in the code, found in one look.
    pub(super) fn first_places(&self, names: impl IntoIterator<Item = &'static str>) -> HashMap<&'static str, usize> {
        let wanted: HashSet<&'static str> = names.into_iter().collect();
        let mut places = HashMap::new();
        let mut start = 0;
        for word in self.bare.split(|letter| !is_word_letter(letter)) {
            if let Some(name) = wanted.get(word) {
                places.entry(*name).or_insert(start);
            }
            let after = self.bare[start + word.len()..].chars().next();
            start += word.len() + after.map_or(0, char::len_utf8);
        }
        places
    }

    /// The places at which this name stands in the code.
    pub(super) fn places_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.bare.match_indices(name).map(|(place, _)| place).filter(move |&place| {
            let before = self.bare[..place].chars().next_back();
            let after = self.bare[place + name.len()..].chars().next();
            !before.is_some_and(is_word_letter) && !after.is_some_and(is_word_letter)
        })
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, place: usize) -> usize {
        crate::source::line_at(&self.bare, place)
    }

    /// What follows this place, without the white space in between.
    pub(super) fn after(&self, place: usize) -> &str {
        self.bare.get(place..).unwrap_or_default().trim_start()
    }

    /// The string whose first quote stands at this place.
    pub(super) fn string_at(&self, place: usize) -> Option<&str> {
        let index = self.strings.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        self.strings.get(index).map(|(_, text)| text.as_str())
    }
}

/// Whether a letter can be in a name.
pub(super) fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a condition holds only on Windows; `Some(false)` if only elsewhere.
fn asks_for_windows(directive: &str) -> Option<bool> {
    let names = directive.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let named = names.into_iter().any(|name| ONLY_ON_WINDOWS.contains(&name));
    let negated = directive.starts_with("ifndef") || directive.contains('!');
    named.then_some(!negated)
}

/// The name in `#include <name>` or `#include "name"`.
fn header(line: &str) -> Option<String> {
    let rest = line.split_once("include")?.1.trim_start();
    let (close, rest) = match rest.chars().next()? {
        '<' => ('>', &rest[1..]),
        '"' => ('"', &rest[1..]),
        _ => return None,
    };
    rest.split_once(close).map(|(name, _)| name.trim().to_owned())
}

fn blank_of(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// The text with comments and the insides of strings blanked, and the strings.
fn without_comments(text: &str) -> (String, Vec<(usize, String)>) {
    let mut bare = String::with_capacity(text.len());
    let mut strings = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        } else if letter == '"' || (letter == '\'' && !bare.ends_with(|before: char| before.is_ascii_hexdigit())) {
            let (length, closed) = quoted(rest, letter);
            let inside = &rest[1..length - usize::from(closed)];
            if letter == '"' {
                strings.push((bare.len(), inside.to_owned()));
            }
            bare.push(letter);
            bare.push_str(&blank_of(inside));
            if closed {
                bare.push(letter);
            }
            rest = &rest[length..];
            continue;
        } else {
            bare.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        bare.push_str(&blank_of(&rest[..length]));
        rest = &rest[length..];
    }
    (bare, strings)
}

/// The length of a string or character with its quotes, and whether it has the second: the end of its line ends it too.
fn quoted(text: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return (place, false),
            _ if letter == quote => return (place + 1, true),
            _ => {}
        }
    }
    (text.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_not_code() {
        let code = Code::of("int a; // getch\n/* Sleep\n */ puts(\"getch \\\" 博弈\"); char c = '\"'; getch(); // x");
        assert_eq!(code.places_of("getch").map(|place| code.line(place)).collect::<Vec<_>>(), [3]);
        assert_eq!(code.places_of("Sleep").count(), 0);
        assert_eq!(code.strings, [(34, "getch \\\" 博弈".to_owned())]);
    }

    #[test]
    fn a_name_is_a_whole_word() {
        let code = Code::of("my_getch(); getchar(); _getch();");
        assert_eq!(code.places_of("getch").count(), 0);
        let places = code.first_places(["getch", "getchar", "_getch"]);
        assert_eq!(places, HashMap::from([("getchar", 12), ("_getch", 23)]));
    }

    #[test]
    fn parts_for_windows_are_left_out() {
        let text = "#ifdef _WIN32\n#include <windows.h>\nvoid f() { Sleep(1); /* 中 */ }\n#else\n#include \"unistd.h\"\n#endif\n\
                    #ifndef _WIN32\nint g;\n#else\nint 长 = Sleep;\n#endif\n#if !defined(_MSC_VER)\nint h;\n#endif\n# include <conio.h>\n";
        let code = Code::of(text);
        assert_eq!(code.includes, [(5, "unistd.h".to_owned()), (15, "conio.h".to_owned())]);
        let lines = ["Sleep", "g", "h"].map(|name| code.places_of(name).next().map(|place| code.line(place)));
        assert_eq!(lines, [None, Some(8), Some(13)]);
        assert_eq!(code.bare.len(), text.len());
    }

    proptest::proptest! {
        #[test]
        fn nothing_moves(text in "[a-z\"'/*\\\\#\n 中ifdef_WIN32]{0,60}") {
            proptest::prop_assert_eq!(Code::of(&text).bare.len(), text.len());
        }
    }
}

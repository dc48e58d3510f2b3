//! Bytes of unknown origin as text, and texts fit to be shown or written.

use crate::error::ReadError;

/// The most characters of a stranger's text that go into a message.
const MOST_SHOWN: usize = 40;

/// The bytes behind the mark that some editors put before UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The text of a file: UTF-8 where it is that, else GB18030, which the championship's programs write.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    let bytes = without_mark(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.to_owned());
    }
    let text = encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    text.map(std::borrow::Cow::into_owned).ok_or(ReadError::Encoding)
}

/// The bytes of a text as the championship's programs write it.
pub(crate) fn encode(text: &str) -> Vec<u8> {
    encoding_rs::GB18030.encode(text).0.into_owned()
}

/// The beginning of a text, fit to be shown in a message.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().take(MOST_SHOWN).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if text.chars().nth(MOST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect::<String>().trim().to_owned()
}

/// A text, or nothing where it is empty.
pub(crate) fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads a text from left to right and knows where it is.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Steps over this character if it is next.
    pub(crate) fn skip(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Steps over blanks and line ends.
    pub(crate) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The longest run of characters of a kind.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|letter| !wanted(letter)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A number of at most six digits.
    pub(crate) fn number(&mut self) -> Option<usize> {
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        if digits.len() > 6 { None } else { digits.parse().ok() }
    }

    /// The line the reader is on, counted from 1.
    pub(crate) fn line(&self) -> usize {
        1 + self.text[..self.at].bytes().filter(|byte| *byte == b'\n').count()
    }
}

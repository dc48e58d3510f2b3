//! Bytes to lines, whatever an engine writes.

use std::borrow::Cow;

/// The most bytes of a line that are kept; the rest of it is dropped and noted.
pub const LONGEST_LINE: usize = 64 << 10;

/// Splits a stream into lines that end at LF, CRLF or a lone CR.
#[derive(Debug, Default)]
pub struct LineSplitter {
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    /// How many bytes of it were dropped.
    dropped: usize,
    /// The last byte was a CR that ended a line: a LF right after it belongs to it.
    after_carriage_return: bool,
}

impl LineSplitter {
    /// Takes bytes and hands out each line that they complete, with the number of bytes dropped from it.
    pub fn feed(&mut self, mut bytes: &[u8], mut line: impl FnMut(&[u8], usize)) {
        if self.after_carriage_return && bytes.first() == Some(&b'\n') {
            bytes = &bytes[1..];
        }
        if !bytes.is_empty() {
            self.after_carriage_return = false;
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            if self.partial.is_empty() && end <= LONGEST_LINE {
                line(&bytes[..end], 0);
            } else {
                self.keep(&bytes[..end]);
                line(&self.partial, self.dropped);
                self.partial.clear();
                self.dropped = 0;
            }
            let carriage_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if carriage_return {
                match bytes.first() {
                    Some(b'\n') => bytes = &bytes[1..],
                    None => self.after_carriage_return = true,
                    Some(_) => {}
                }
            }
        }
        self.keep(bytes);
    }

    /// At the end of the stream: what was written without a line end.
    pub fn finish(&mut self, mut line: impl FnMut(&[u8], usize)) {
        if !self.partial.is_empty() {
            line(&self.partial, self.dropped);
            self.partial.clear();
            self.dropped = 0;
        }
    }

    /// Whether something was written without a line end.
    #[must_use]
    pub fn has_partial(&self) -> bool {
        !self.partial.is_empty()
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST_LINE - self.partial.len();
        let kept = bytes.len().min(room);
        self.partial.extend_from_slice(&bytes[..kept]);
        self.dropped += bytes.len() - kept;
    }
}

/// The text of a line: UTF-8, else GB18030. NUL bytes are left out: C programs like to send the end of their strings. So is
/// the mark that some runtimes of Windows put before their first line.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(_) => encoding_rs::GB18030.decode_without_bom_handling(bytes).0,
    };
    if memchr::memchr(0, bytes).is_some() { Cow::Owned(text.replace('\0', "")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(chunks: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut splitter = LineSplitter::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.feed(chunk, |line, _| lines.push(line.to_vec()));
        }
        splitter.finish(|line, _| lines.push(line.to_vec()));
        lines
    }

    #[test]
    fn all_three_line_ends_are_understood() {
        assert_eq!(split(&[b"a\nb\r\nc\rd"]), [b"a", b"b", b"c", b"d"]);
        assert_eq!(split(&[b"a\r", b"\nb\n"]), [b"a", b"b"]);
        assert_eq!(split(&[b"a\r", b"b\n"]), [b"a", b"b"]);
    }

    #[test]
    fn a_long_line_is_cut_and_its_end_still_found() {
        let mut splitter = LineSplitter::default();
        let mut seen = Vec::new();
        for _ in 0..100 {
            splitter.feed(&[b'x'; 4096], |_, _| {});
        }
        splitter.feed(b"y\nmove AA\n", |line, dropped| seen.push((line.len(), dropped)));
        assert_eq!(seen, [(LONGEST_LINE, 100 * 4096 + 1 - LONGEST_LINE), (7, 0)]);
        assert!(splitter.partial.capacity() <= 2 * LONGEST_LINE);
    }

    #[test]
    fn texts_are_utf_8_or_gb18030() {
        assert_eq!(decode("name 博弈".as_bytes()), "name 博弈");
        assert_eq!(decode(&[b'n', 0xb2, 0xa9, 0xde, 0xc4]), "n博弈");
        assert_eq!(decode(b"move AA\0"), "move AA");
        assert_eq!(decode("\u{feff}OK".as_bytes()), "OK");
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_arrive(bytes in proptest::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), any::<u8>()], 0..200), cut in 0_usize..200) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(split(&[&bytes]), split(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}

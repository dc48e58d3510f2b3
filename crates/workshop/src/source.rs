//! Source bytes to text.
//!
//! Every compiler is given UTF-8. `gcc -finput-charset=GB18030` would read a GB18030 source too, but only gcc, only where the C library's
//! converters are installed, and its messages would quote the source's bytes. So string literals become UTF-8 as well, whatever the editor saved: a name or
//! a DEBUG line is then shown right everywhere without guessing, and a source means the same program however it was saved.

use encoding_rs::GB18030;
use serde::{Deserialize, Serialize};

use crate::error::Unusable;

/// The longest source in bytes.
pub const LARGEST_SOURCE: usize = 1_000_000;

/// How a source was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// GB18030, GBK or GB2312.
    Gb18030,
    /// UTF-16 with a byte order mark.
    Utf16,
    /// Partly UTF-8 and partly GB18030, or neither: each line was read by itself.
    Mixed,
}

/// A source as the compiler gets it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
}

/// Reads a source, or says why it is none.
pub(crate) fn read(bytes: &[u8]) -> Result<Source, Unusable> {
    if bytes.len() > LARGEST_SOURCE {
        return Err(Unusable::TooLarge { bytes: bytes.len() });
    }
    let (text, encoding) = decode(bytes);
    if let Some(place) = text.find('\0') {
        return Err(Unusable::NotText { line: line_at(&text, place) });
    }
    if text.trim().is_empty() {
        return Err(Unusable::Empty);
    }
    Ok(Source { text, encoding })
}

/// A source of Python that was not UTF-8 said so in one of its first lines; what it says is no longer true.
pub(crate) fn correct_cookie(source: &mut Source) {
    if source.encoding == Encoding::Utf8 {
        return;
    }
    let lines = source.text.split_inclusive('\n').enumerate().map(|(index, line)| {
        let cookie =
            index < 2 && line.trim_start().starts_with('#') && (line.contains("coding:") || line.contains("coding="));
        if cookie { "# coding: utf-8\n" } else { line }
    });
    source.text = lines.collect();
}

fn decode(bytes: &[u8]) -> (String, Encoding) {
    let mark = encoding_rs::Encoding::for_bom(bytes);
    if let Some((encoding, length)) = mark.filter(|(encoding, _)| *encoding != encoding_rs::UTF_8) {
        return (encoding.decode_without_bom_handling(&bytes[length..]).0.into_owned(), Encoding::Utf16);
    }
    let bytes = &bytes[mark.map_or(0, |(_, length)| length)..];
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.to_owned(), Encoding::Utf8);
    }
    // The whole before its lines: a short line of GB18030 can look like UTF-8 (学 is D1 A7).
    if let Some(text) = GB18030.decode_without_bom_handling_and_without_replacement(bytes) {
        return (text.into_owned(), Encoding::Gb18030);
    }
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').map(|line| match std::str::from_utf8(line) {
        Ok(line) => line.into(),
        Err(_) => GB18030.decode_without_bom_handling(line).0,
    });
    (lines.collect(), Encoding::Mixed)
}

/// The number of the line that holds this place, from 1.
pub(crate) fn line_at(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(bytes: &[u8]) -> (String, Encoding) {
        let source = read(bytes).unwrap();
        (source.text, source.encoding)
    }

    #[test]
    fn each_way_to_save_a_source_gives_the_same_text() {
        let text = "// 博弈 学\r\nint main() {}\r\n";
        let utf_16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for (bytes, encoding) in [
            (text.as_bytes(), Encoding::Utf8),
            (&marked, Encoding::Utf8),
            (&GB18030.encode(text).0, Encoding::Gb18030),
            (&utf_16(u16::to_le_bytes), Encoding::Utf16),
            (&utf_16(u16::to_be_bytes), Encoding::Utf16),
        ] {
            assert_eq!(read_text(bytes), (text.to_owned(), encoding));
        }
    }

    #[test]
    fn a_line_that_looks_like_utf_8_is_read_as_the_rest_of_the_file() {
        let text = "// 学\n// 博弈\n";
        assert_eq!(read_text(&GB18030.encode(text).0), (text.to_owned(), Encoding::Gb18030));
    }

    #[test]
    fn a_file_of_two_encodings_is_read_line_by_line() {
        let bytes = ["// 黑方".as_bytes(), b"\n// ", &GB18030.encode("博弈").0, b"\n// \xff\xff\n"].concat();
        let (text, encoding) = read_text(&bytes);
        assert_eq!((text.lines().take(2).collect::<Vec<_>>(), encoding), (vec!["// 黑方", "// 博弈"], Encoding::Mixed));
    }

    #[test]
    fn what_is_no_source_is_refused() {
        assert!(matches!(read(b""), Err(Unusable::Empty)));
        assert!(matches!(read(b"\xef\xbb\xbf \r\n\t"), Err(Unusable::Empty)));
        assert!(matches!(read(b"\x7fELF\n\0"), Err(Unusable::NotText { line: 2 })));
        assert!(matches!(
            read(&"int".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
            Err(Unusable::NotText { line: 1 })
        ));
        assert!(read(&vec![b'x'; LARGEST_SOURCE]).is_ok());
        assert!(
            matches!(read(&vec![b'x'; LARGEST_SOURCE + 1]), Err(Unusable::TooLarge { bytes }) if bytes == LARGEST_SOURCE + 1)
        );
    }

    #[test]
    fn a_cookie_of_python_is_made_true() {
        let cookie = |bytes: &[u8]| {
            let mut source = read(bytes).unwrap();
            correct_cookie(&mut source);
            source.text
        };
        let text = "#!/usr/bin/python\n# -*- coding: gbk -*-\nprint('博弈') # coding: x\n";
        assert_eq!(cookie(text.as_bytes()), text);
        let corrected = "#!/usr/bin/python\n# coding: utf-8\nprint('博弈') # coding: x\n";
        assert_eq!(cookie(&GB18030.encode(text).0), corrected);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
            if let Ok(source) = read(&bytes) {
                proptest::prop_assert!(!source.text.contains('\0'));
            }
        }
    }
}

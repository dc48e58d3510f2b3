//! Reading and writing points, rows and position texts: the parts all games share.

use std::fmt::Write as _;

use super::fault::Fault;
use super::phrase::{Reason, reasons};
use super::side::Side;

/// Appends a point as two capital letters, column then row: `AD`.
#[inline]
pub fn write_letters(out: &mut String, x: usize, y: usize) {
    out.push((b'A' + x as u8) as char);
    out.push((b'A' + y as u8) as char);
}

/// A point as two capital letters.
#[must_use]
pub fn letters(x: usize, y: usize) -> String {
    let mut out = String::with_capacity(2);
    write_letters(&mut out, x, y);
    out
}

/// Reads points written as pairs of letters, at most `out.len()` of them, and says how many there were.
///
/// A letter beyond the board is [`OFF_BOARD`](reasons::OFF_BOARD), anything but letters
/// [`MALFORMED`](reasons::MALFORMED).
pub fn read_letters(text: &str, width: usize, height: usize, out: &mut [(usize, usize)]) -> Result<usize, Fault> {
    let text = text.trim();
    let bytes = text.as_bytes();
    if bytes.is_empty() || !bytes.len().is_multiple_of(2) || bytes.len() / 2 > out.len() {
        return Err(Fault::at(&reasons::MALFORMED, text));
    }
    if let Some(offset) = bytes.iter().position(|byte| !byte.is_ascii_alphabetic()) {
        return Err(Fault::at(&reasons::MALFORMED, text).after(text[..offset].chars().count()));
    }
    for (index, pair) in bytes.chunks_exact(2).enumerate() {
        let x = usize::from(pair[0].to_ascii_uppercase() - b'A');
        let y = usize::from(pair[1].to_ascii_uppercase() - b'A');
        if x >= width || y >= height {
            return Err(Fault::at(&reasons::OFF_BOARD, &text[index * 2..index * 2 + 2]).after(index * 2));
        }
        out[index] = (x, y);
    }
    Ok(bytes.len() / 2)
}

/// Appends a board row by row, `/` between rows, runs of empty points as numbers.
pub fn write_rows(out: &mut String, width: usize, height: usize, piece: impl Fn(usize, usize) -> Option<char>) {
    for y in 0..height {
        if y > 0 {
            out.push('/');
        }
        let mut empty = 0;
        for x in 0..width {
            match piece(x, y) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        let _ = write!(out, "{empty}");
                        empty = 0;
                    }
                    out.push(letter);
                }
            }
        }
        if empty > 0 {
            let _ = write!(out, "{empty}");
        }
    }
}

/// The fields of a position text, one after the other, each with its place in the text.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    text: &'a str,
    /// Byte offset of what is not read yet.
    next: usize,
}

/// One field and where it starts.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// The field's text; never empty.
    pub text: &'a str,
    /// How many characters of the position text stand before it.
    pub offset: usize,
}

impl<'a> Fields<'a> {
    /// The fields of this text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, next: 0 }
    }

    /// The next field, if there is one.
    pub fn optional(&mut self) -> Option<Field<'a>> {
        let rest = &self.text[self.next..];
        let trimmed = rest.trim_start();
        if trimmed.is_empty() {
            return None;
        }
        let start = self.next + (rest.len() - trimmed.len());
        let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        self.next = start + length;
        Some(Field { text: &trimmed[..length], offset: self.text[..start].chars().count() })
    }

    /// The next field, which must be there; `name` is what the message calls it.
    pub fn required(&mut self, name: &str) -> Result<Field<'a>, Fault> {
        self.optional()
            .ok_or_else(|| Fault::at(&reasons::MISSING_FIELD, name).after(self.text.trim_end().chars().count()))
    }

    /// The side to move: `b` or `w`.
    pub fn side(&mut self) -> Result<Side, Fault> {
        let field = self.required("b|w")?;
        let mut letters = field.text.chars();
        match (letters.next().and_then(Side::from_letter), letters.next()) {
            (Some(side), None) => Ok(side),
            _ => Err(field.fault(&reasons::BAD_POSITION)),
        }
    }

    /// A number, or `default` when the text ends here.
    pub fn number(&mut self, default: u32) -> Result<u32, Fault> {
        self.optional().map_or(Ok(default), Field::number)
    }

    /// Refuses anything that is left.
    pub fn finish(mut self) -> Result<(), Fault> {
        self.optional().map_or(Ok(()), |field| Err(field.fault(&reasons::BAD_POSITION)))
    }
}

impl Field<'_> {
    /// The fault that this field is wrong.
    #[must_use]
    pub fn fault(self, reason: &'static Reason) -> Fault {
        Fault::at(reason, self.text).after(self.offset)
    }

    /// The field as a number; at most seven digits, so that sums of such numbers cannot overflow.
    pub fn number(self) -> Result<u32, Fault> {
        let digits = self.text.bytes().all(|byte| byte.is_ascii_digit()) && self.text.len() <= 7;
        self.text.parse().ok().filter(|_| digits).ok_or_else(|| self.fault(&reasons::BAD_POSITION))
    }

    /// Reads rows as [`write_rows`] writes them; `put` gets each piece and says whether it knows the letter.
    pub fn rows(
        self,
        width: usize,
        height: usize,
        mut put: impl FnMut(usize, usize, char) -> bool,
    ) -> Result<(), Fault> {
        let row_fault = |y: usize, offset| Fault::at(&reasons::ROW_LENGTH, &(y + 1).to_string()).after(offset);
        let mut offset = self.offset;
        let mut rows = 0;
        for (y, row) in self.text.split('/').enumerate() {
            if y >= height {
                return Err(Fault::at(&reasons::ROW_COUNT, &height.to_string()).after(offset));
            }
            rows += 1;
            let mut x = 0;
            let mut run: Option<usize> = None;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = Some(run.unwrap_or(0) * 10 + digit as usize);
                    if run.is_some_and(|run| x + run > width) {
                        return Err(row_fault(y, offset));
                    }
                } else {
                    x += run.take().unwrap_or(0);
                    if x >= width {
                        return Err(row_fault(y, offset));
                    }
                    if !put(x, y, letter) {
                        return Err(Fault::at(&reasons::BAD_POSITION, letter.encode_utf8(&mut [0; 4])).after(offset));
                    }
                    x += 1;
                }
                offset += 1;
            }
            if x + run.unwrap_or(0) != width {
                return Err(row_fault(y, offset));
            }
            offset += 1;
        }
        if rows == height { Ok(()) } else { Err(Fault::at(&reasons::ROW_COUNT, &height.to_string()).after(offset - 1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_round_trip() {
        let board = ["b..w", "....", "..bb"];
        let mut text = String::new();
        write_rows(&mut text, 4, 3, |x, y| board[y].chars().nth(x).filter(|&letter| letter != '.'));
        assert_eq!(text, "b2w/4/2bb");
        let mut read = vec![vec!['.'; 4]; 3];
        let mut fields = Fields::new(&text);
        fields
            .required("board")
            .unwrap()
            .rows(4, 3, |x, y, letter| {
                read[y][x] = letter;
                true
            })
            .unwrap();
        let read: Vec<String> = read.into_iter().map(|row| row.into_iter().collect()).collect();
        assert_eq!(read, board);
    }

    #[test]
    fn a_bad_row_is_named_with_its_place() {
        let rows = |text| Fields::new(text).required("board")?.rows(4, 2, |_, _, letter| letter == 'b');
        assert_eq!(
            rows("  4/b4").unwrap_err().to_string(),
            "row 2 of the position has the wrong length (at character 6)"
        );
        assert_eq!(
            rows("4/bb1q").unwrap_err().to_string(),
            "\"q\" does not belong in a position of this game (at character 6)"
        );
        assert_eq!(rows("4").unwrap_err().reason.code, "row-count");
        assert_eq!(rows("4/4/4").unwrap_err().reason.code, "row-count");
        assert_eq!(rows("4/99999999999999999999999").unwrap_err().reason.code, "row-length");
        assert_eq!(rows("").unwrap_err().reason.code, "missing-field");
    }

    #[test]
    fn letters_are_read_in_either_case_and_checked() {
        let mut points = [(0, 0); 2];
        assert_eq!(read_letters(" adJa ", 10, 10, &mut points), Ok(2));
        assert_eq!(points, [(0, 3), (9, 0)]);
        assert_eq!(read_letters("AK", 10, 10, &mut points).unwrap_err().reason.code, "off-board");
        for bad in ["", "A", "ABCDEF", "A1", "六子", "é"] {
            assert_eq!(read_letters(bad, 10, 10, &mut points).unwrap_err().reason.code, "malformed", "{bad}");
        }
    }
}

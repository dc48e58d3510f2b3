//! The conversations of a game, each seat's by itself, within bounds.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use games::Side;

/// What is kept of what an engine wrote.
const MOST_FROM_ENGINE: usize = 256 << 10;
/// What is kept of what it was sent: more than any game has.
const MOST_TO_ENGINE: usize = 1 << 20;

#[derive(Debug, Default)]
struct Conversation {
    text: Vec<u8>,
    from_engine: usize,
    to_engine: usize,
    left_out: usize,
}

/// A sink for a transcript that parts it by seats: nobody reads what another's engine said.
#[derive(Debug, Clone, Default)]
pub(super) struct Logs {
    parts: Arc<Mutex<[Conversation; 2]>>,
    line: Vec<u8>,
}

impl Logs {
    /// Both conversations, the first seat's first.
    pub(super) fn take(&self) -> [Vec<u8>; 2] {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.each_mut().map(|part| {
            let mut text = std::mem::take(&mut part.text);
            if part.left_out > 0 {
                text.extend(format!("# {} more lines were left out\n", part.left_out).into_bytes());
            }
            text
        })
    }

    /// A whole line: `seconds seat sign text`.
    fn add(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let mut words = text.trim_start().splitn(4, ' ');
        let (Some(time), Some(seat), Some(sign)) = (words.next(), words.next(), words.next()) else { return };
        let said = words.next().unwrap_or_default();
        let Some(side) = Side::BOTH.into_iter().find(|side| side.to_string() == seat) else { return };
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = &mut parts[side.index()];
        let (used, most) = match sign {
            ">" => (&mut part.to_engine, MOST_TO_ENGINE),
            _ => (&mut part.from_engine, MOST_FROM_ENGINE),
        };
        *used += said.len() + 20;
        if *used > most {
            part.left_out += 1;
            return;
        }
        part.text.extend(format!("{time} {sign} {said}\n").into_bytes());
    }
}

impl Write for Logs {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            self.line.extend_from_slice(&rest[..end]);
            self.add();
            rest = &rest[end + 1..];
        }
        self.line.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seat_has_its_own_conversation() {
        let mut logs = Logs::default();
        for line in ["    0.000001 black > START 1\n", "    0.100000 black < OK\n", "    0.100000 white ! oops  two\n"]
        {
            for piece in line.as_bytes().chunks(3) {
                logs.write_all(piece).unwrap();
            }
        }
        let [black, white] = logs.take().map(|text| String::from_utf8(text).unwrap());
        assert_eq!(black, "0.000001 > START 1\n0.100000 < OK\n");
        assert_eq!(white, "0.100000 ! oops  two\n");
    }

    #[test]
    fn a_flood_is_bounded_and_what_was_sent_is_still_there() {
        let mut logs = Logs::default();
        for _ in 0..100_000 {
            logs.write_all(b"0.1 black < DEBUG flood flood flood\n").unwrap();
        }
        logs.write_all(b"0.2 black > TURN\n").unwrap();
        let [black, _] = logs.take();
        assert!(black.len() < MOST_FROM_ENGINE + 200);
        assert!(String::from_utf8(black).unwrap().contains("0.2 > TURN\n# "));
    }
}

//! Every line in and out, byte for byte, with its time.

use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;

use games::Side;

use crate::lines::decode;

/// Where a line came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the referee to the engine.
    ToEngine,
    /// From the engine's standard output.
    FromEngine,
    /// From its standard error.
    Error,
    /// The referee's own remark.
    Remark,
}

impl Direction {
    /// The sign that stands for it in a written transcript.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::ToEngine => '>',
            Self::FromEngine => '<',
            Self::Error => '!',
            Self::Remark => '#',
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Since the start of the game.
    pub time: Duration,
    /// Whose engine.
    pub seat: Side,
    /// Which way.
    pub direction: Direction,
    /// The bytes, without the line end.
    pub bytes: Vec<u8>,
}

/// How much of a game is kept in memory: enough for evidence; a sink gets everything.
const MOST_BYTES: usize = 256 << 10;

/// The lines of a game: the last ones in memory, all of them in the sink if there is one.
#[derive(Default)]
pub struct Transcript {
    entries: VecDeque<Entry>,
    bytes: usize,
    /// Older lines that are no longer in memory.
    dropped: u64,
    sink: Option<Box<dyn Write + Send>>,
}

fn write_line(
    out: &mut dyn Write,
    time: Duration,
    seat: Side,
    direction: Direction,
    bytes: &[u8],
) -> std::io::Result<()> {
    write!(out, "{:>12.6} {seat} {} ", time.as_secs_f64(), direction.sign())?;
    out.write_all(bytes)?;
    out.write_all(b"\n")
}

impl std::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transcript").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl Transcript {
    /// A transcript that is also written out, a line `seconds seat sign text` each; bytes that are no text are kept as
    /// they are.
    #[must_use]
    pub fn with_sink(sink: Box<dyn Write + Send>) -> Self {
        Self { sink: Some(sink), ..Self::default() }
    }

    pub(crate) fn add(&mut self, time: Duration, seat: Side, direction: Direction, bytes: &[u8]) {
        if let Some(sink) = &mut self.sink {
            // A full disk must not end a game: the sink is given up, the game goes on.
            if write_line(sink, time, seat, direction, bytes).is_err() {
                self.sink = None;
            }
        }
        let mut entry = match self.entries.len() >= 64 && self.bytes + bytes.len() > MOST_BYTES {
            true => self.entries.pop_front().inspect(|old| {
                self.bytes -= old.bytes.len();
                self.dropped += 1;
            }),
            false => None,
        }
        .unwrap_or_else(|| Entry { time, seat, direction, bytes: Vec::new() });
        entry.bytes.clear();
        entry.bytes.extend_from_slice(bytes);
        (entry.time, entry.seat, entry.direction) = (time, seat, direction);
        self.bytes += bytes.len();
        self.entries.push_back(entry);
        while self.bytes > MOST_BYTES && self.entries.len() > 1 {
            self.bytes -= self.entries.pop_front().map_or(0, |old| old.bytes.len());
            self.dropped += 1;
        }
    }

    /// The lines in memory, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    /// Writes the lines in memory, in the form of a sink; says so when there were more.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.dropped > 0 {
            writeln!(out, "# {} earlier lines were dropped", self.dropped)?;
        }
        self.entries.iter().try_for_each(|entry| write_line(out, entry.time, entry.seat, entry.direction, &entry.bytes))
    }

    /// The last lines of one seat's conversation, as text for evidence.
    #[must_use]
    pub fn last_lines(&self, seat: Side, count: usize) -> Vec<String> {
        let mut lines: Vec<String> = self
            .entries
            .iter()
            .rev()
            .filter(|entry| entry.seat == seat)
            .take(count)
            .map(|entry| {
                let text: String = decode(&entry.bytes).chars().take(200).collect();
                format!("{:.3} {} {text}", entry.time.as_secs_f64(), entry.direction.sign())
            })
            .collect();
        lines.reverse();
        lines
    }

    /// Writes out what is still buffered.
    pub fn finish(&mut self) {
        if let Some(sink) = &mut self.sink {
            let _ = sink.flush();
        }
    }
}

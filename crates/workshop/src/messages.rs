//! What a compiler said: the beginning of it, made safe to show.

use games::Language;
use serde::{Deserialize, Serialize};

/// The most bytes of messages that are kept.
pub const MOST_MESSAGES: usize = 100_000;

/// Where messages are cut the last line is dropped, unless it is longer than this.
const LONGEST_LINE: usize = 4096;

/// What a compiler said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages {
    /// The beginning.
    pub text: String,
    /// How many bytes came after it.
    pub left_out: u64,
}

impl Messages {
    /// The line that says how much is not shown, if anything.
    #[must_use]
    pub fn closing(&self, language: Language) -> Option<String> {
        let amount = match self.left_out {
            0 => return None,
            small @ ..10_000 => format!("{small} B"),
            middle @ ..10_000_000 => format!("{} kB", middle / 1000),
            large => format!("{} MB", large / 1_000_000),
        };
        Some(match language {
            Language::En => format!("[{amount} more of messages left out; mend the first errors first]"),
            Language::Zh => format!("[其余 {amount} 编译信息已省略，请先改正最前面的错误]"),
        })
    }
}

/// Takes what a compiler writes, as it comes.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    kept: Vec<u8>,
    left_out: u64,
}

impl Listener {
    /// Takes the next bytes.
    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        let room = (MOST_MESSAGES - self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        self.left_out += (bytes.len() - room) as u64;
    }

    /// The messages, without the names of our own folders.
    pub(crate) fn finish(mut self, folders: &[String]) -> Messages {
        if self.left_out > 0
            && let Some(end) = memchr::memrchr(b'\n', &self.kept)
            && self.kept.len() - end < LONGEST_LINE
        {
            self.left_out += (self.kept.len() - end - 1) as u64;
            self.kept.truncate(end + 1);
        }
        let mut text = String::from_utf8_lossy(&self.kept).into_owned();
        for folder in folders {
            text = text.replace(folder, "");
        }
        Messages { text: tame(&text), left_out: self.left_out }
    }
}

/// Compilers quote the source as it is, also what would command a terminal.
fn tame(text: &str) -> String {
    let tamed = text.chars().filter(|&letter| letter != '\r');
    tamed
        .map(|letter| if letter.is_control() && !matches!(letter, '\n' | '\t') { '\u{fffd}' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_kept_and_the_rest_counted() {
        let mut listener = Listener::default();
        for _ in 0..30_000 {
            listener.hear(b"main.c:1:1: error\n");
        }
        assert!(listener.kept.capacity() <= 2 * MOST_MESSAGES);
        let messages = listener.finish(&[]);
        assert_eq!(messages.text.len() as u64 + messages.left_out, 30_000 * 18);
        assert!(messages.text.len() <= MOST_MESSAGES && messages.text.ends_with("error\n"));
        assert_eq!(
            messages.closing(Language::En).unwrap(),
            "[440 kB more of messages left out; mend the first errors first]"
        );
        assert_eq!(messages.closing(Language::Zh).unwrap(), "[其余 440 kB 编译信息已省略，请先改正最前面的错误]");
    }

    #[test]
    fn of_one_endless_line_the_beginning_is_kept_too() {
        let mut listener = Listener::default();
        listener.hear(b"line 1\n");
        listener.hear(&vec![b'('; 2 * MOST_MESSAGES]);
        let messages = listener.finish(&[]);
        assert_eq!((messages.text.len(), messages.left_out), (MOST_MESSAGES, MOST_MESSAGES as u64 + 7));
    }

    #[test]
    fn few_messages_are_whole() {
        let mut listener = Listener::default();
        listener.hear(b"/here/main.c: no end of line");
        let messages = listener.finish(&["/here/".to_owned()]);
        assert_eq!((messages.text.as_str(), messages.closing(Language::En)), ("main.c: no end of line", None));
    }

    #[test]
    fn a_source_cannot_command_the_terminal_of_its_reader() {
        let mut listener = Listener::default();
        listener.hear("1 | \u{1b}]0;owned\u{7}\u{9b}2J 博弈\r\n".as_bytes());
        assert_eq!(listener.finish(&[]).text, "1 | \u{fffd}]0;owned\u{fffd}\u{fffd}2J 博弈\n");
    }
}

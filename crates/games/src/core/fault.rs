//! Why a ply or a position was not taken, and where.

use arrayvec::ArrayString;

use super::phrase::{Language, Reason};

/// The most bytes of a place that are kept; a longer one is cut at a character boundary.
const PLACE_BYTES: usize = 48;

/// A typed refusal: the reason, the place it speaks of, and for texts the character it was found at.
///
/// It is `Copy` and holds no heap memory, so refusing a ply costs as little as taking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: &'static Reason,
    /// The point, ply or piece of text it is about; may be empty.
    pub place: ArrayString<PLACE_BYTES>,
    /// For a text: how many characters stand before the fault.
    pub offset: Option<u32>,
}

impl Fault {
    /// A fault at a named place. Control characters are shown as `�` and long places are cut, because the place often
    /// comes from a stranger.
    #[must_use]
    pub fn at(reason: &'static Reason, place: &str) -> Self {
        let mut kept = ArrayString::new();
        for character in place.chars() {
            let shown = if character.is_control() { '\u{fffd}' } else { character };
            if kept.remaining_capacity() < shown.len_utf8().max('…'.len_utf8()) + '…'.len_utf8() {
                kept.push('…');
                break;
            }
            kept.push(shown);
        }
        Self { reason, place: kept, offset: None }
    }

    /// A fault that has no place.
    #[must_use]
    pub fn bare(reason: &'static Reason) -> Self {
        Self { reason, place: ArrayString::new(), offset: None }
    }

    /// The same fault, found `offset` characters into a text.
    #[must_use]
    pub const fn after(mut self, offset: usize) -> Self {
        self.offset = Some(offset as u32);
        self
    }

    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let sentence = self.reason.text.text(language).replace("{}", &self.place);
        match (self.offset, language) {
            (None, _) => sentence,
            (Some(offset), Language::En) => format!("{sentence} (at character {})", offset + 1),
            (Some(offset), Language::Zh) => format!("{sentence}（第 {} 个字符）", offset + 1),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.say(Language::En))
    }
}

impl std::error::Error for Fault {}

//! Gomoku's options.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::core::{Fault, Game as _, Reason, Variant, reasons};

use super::Gomoku;
use super::lines::MOST;

pub(super) static RULE_CLASH: Reason = Reason::new(
    "rule-clash",
    "rule {} is none there is: any sum of 1 exact, 2 continuous and 8 caro, or 4 renju alone",
    "规则 {} 不存在：可用 1（恰好五连）、2（连续对局）、8（Caro）任意相加，或单独的 4（连珠）",
);
pub(super) static OPENING_CLASH: Reason = Reason::new(
    "opening-clash",
    "{} begins on the empty board, so it does not go with a list of openings",
    "{} 从空棋盘开始，不能与开局列表同时使用",
);
pub(super) static FINISHED_START: Reason =
    Reason::new("finished-start", "opening {} is already decided", "开局 {} 已分胜负");

/// What makes a line: the protocol's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rule(u8);

impl Rule {
    /// Five or more in a row win.
    pub const FREESTYLE: Self = Self(0);
    /// Exactly five in a row win.
    pub const EXACT: Self = Self(1);
    /// Lines score and play goes on.
    pub const CONTINUOUS: Self = Self(2);
    /// Black's forbidden points.
    pub const RENJU: Self = Self(4);
    /// A five closed at both ends by enemy stones is nothing.
    pub const CARO: Self = Self(8);

    const WORDS: [(&'static str, Self); 6] = [
        ("freestyle", Self::FREESTYLE),
        ("exact", Self::EXACT),
        ("standard", Self::EXACT),
        ("continuous", Self::CONTINUOUS),
        ("renju", Self::RENJU),
        ("caro", Self::CARO),
    ];

    /// The rule of these bits.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all bits of the other are set here.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both rules together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the bits go together. Renju has line rules of its own for each colour, and its fouls end the game, so
    /// nothing can be added to it.
    const fn is_playable(self) -> bool {
        self.0 == Self::RENJU.0 || self.0 & !(Self::EXACT.0 | Self::CONTINUOUS.0 | Self::CARO.0) == 0
    }

    fn read(text: &str) -> Option<Self> {
        text.split('+').try_fold(Self::FREESTYLE, |rule, word| {
            let word = word.trim();
            let named = Self::WORDS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, rule)| rule);
            Some(rule.and(named.or_else(|| word.parse().ok().map(Self))?))
        })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Rule;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a sum of bits, or freestyle, exact, continuous, renju or caro joined with +")
            }

            fn visit_u64<E: Error>(self, bits: u64) -> Result<Rule, E> {
                u8::try_from(bits).map(Rule).map_err(|_| E::invalid_value(Unexpected::Unsigned(bits), &self))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Rule, E> {
                Rule::read(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// How a game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opening {
    /// With the first stone, or from the list of openings.
    #[default]
    None,
    /// The first seat places three stones, the second chooses.
    Swap2,
}

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GomokuVariant {
    /// The side of a square board; 0 is 20, or 15 in renju.
    pub size: u32,
    /// The width, when it is not the size.
    pub width: u32,
    /// The height, when it is not the size.
    pub height: u32,
    /// What makes a line.
    pub rule: Rule,
    /// How a game begins.
    pub opening: Opening,
    /// Openings, each the plies that lead to it or a position text; a match plays each from both sides.
    pub openings: Vec<String>,
}

impl GomokuVariant {
    /// The board's width and height; values that no board has are brought into range.
    #[must_use]
    pub fn board(&self) -> (usize, usize) {
        let usual = if self.rule.has(Rule::RENJU) { 15 } else { 20 };
        let or = |given: u32, otherwise: u32| if given == 0 { otherwise } else { given.clamp(5, MOST as u32) };
        let size = or(self.size, usual);
        (or(self.width, size) as usize, or(self.height, size) as usize)
    }
}

impl Variant for GomokuVariant {
    fn check(&self) -> Result<(), Fault> {
        for (side, message) in [(self.size, "size=5..22"), (self.width, "width=5..22"), (self.height, "height=5..22")] {
            if side != 0 && !(5..=MOST as u32).contains(&side) {
                return Err(Fault::at(&reasons::BAD_OPTION, message));
            }
        }
        if !self.rule.is_playable() {
            return Err(Fault::at(&RULE_CLASH, &self.rule.bits().to_string()));
        }
        if self.opening == Opening::Swap2 && !self.openings.is_empty() {
            return Err(Fault::at(&OPENING_CLASH, "swap2"));
        }
        for (index, opening) in self.openings.iter().enumerate() {
            if Gomoku::read_position(self, opening)?.verdict().is_some() {
                return Err(Fault::at(&FINISHED_START, &(index + 1).to_string()));
            }
        }
        Ok(())
    }

    fn starts(&self) -> &[String] {
        &self.openings
    }
}

//! What is true of a game before anybody plays it, as data.

use serde::Serialize;

use super::phrase::{Phrase, Reason};

/// One value of an option, as a person picks it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Choice {
    /// The value, as in `--variant key=value`.
    pub value: &'static str,
    /// Its name.
    pub name: Phrase,
}

/// What a person sets an option with.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Control {
    /// A number of a range.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// The distance of two neighbours.
        step: f64,
        /// Where 0 is outside the range or stands for something else: what it means.
        zero: Option<Phrase>,
    },
    /// One of a few values.
    Choice {
        /// All of them.
        values: &'static [Choice],
    },
    /// What only a program would write: a list of positions.
    Text,
}

impl Control {
    /// A whole number of a range.
    #[must_use]
    pub const fn whole(least: u32, most: u32) -> Self {
        Self::Number { least: least as f64, most: most as f64, step: 1.0, zero: None }
    }

    /// A whole number of a range, or 0 for something else.
    #[must_use]
    pub const fn whole_or(least: u32, most: u32, zero: Phrase) -> Self {
        Self::Number { least: least as f64, most: most as f64, step: 1.0, zero: Some(zero) }
    }
}

/// One option of a game's variant.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OptionFact {
    /// The field's name, as in `--variant key=value`.
    pub key: &'static str,
    /// What people call it.
    pub name: Phrase,
    /// What it is set with on a page.
    pub control: Control,
    /// The values it takes, for a person: `5..22`, `positional | simple`.
    pub values: &'static str,
    /// What it does.
    pub text: Phrase,
}

/// A variant people ask for by its name.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Preset {
    /// The name programs use.
    pub id: &'static str,
    /// The name people use.
    pub name: Phrase,
    /// The options it sets, each as `key=value`; the others are as usual.
    pub pairs: &'static [&'static str],
}

/// The facts of a game.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Facts {
    /// The name programs use: lower case, words joined by `-`.
    pub id: &'static str,
    /// The name people use.
    pub name: Phrase,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// The board, in two or three words.
    pub board: Phrase,
    /// The game in a sentence or two.
    pub summary: Phrase,
    /// What the players call the first and the second side.
    pub sides: [Phrase; 2],
    /// Whether a side does not see everything.
    pub hidden: bool,
    /// How a ply is written, with an example.
    pub notation: Phrase,
    /// What is asked of a person before each click of a ply; the last one again for all clicks that follow.
    pub prompts: &'static [Phrase],
    /// What a piece may turn out to be of which only the back is seen, the strongest first; none where no game has
    /// backs.
    pub ranks: &'static [Phrase],
    /// How many words separated by blanks make a ply (3 in Tiaojia's `4 0 0`).
    pub words_per_ply: usize,
    /// How a position is written, field by field, with an example.
    pub position: Phrase,
    /// The options of the variant; every field of the variant is here (a test sees to it).
    pub options: &'static [OptionFact],
    /// Variants with a name, the one people usually play first; a program that says nothing gets the defaults.
    pub presets: &'static [Preset],
    /// Variants beside the default that the law suite plays, each as `key=value` pairs.
    pub samples: &'static [&'static [&'static str]],
    /// A position from the middle of a game, for pictures and for counting where the first ply cannot be counted.
    pub example: &'static str,
    /// The reasons of this game's own, beside the shared ones.
    pub reasons: &'static [&'static Reason],
}

//! A text made at run time, in both languages.

use games::{Language, Phrase};
use serde::{Deserialize, Serialize};

/// A text made at run time, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Words {
    /// Both texts.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// From something that speaks both languages.
    pub fn said(say: impl Fn(Language) -> String) -> Self {
        Self::new(say(Language::En), say(Language::Zh))
    }

    /// The text in one language.
    #[must_use]
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Zh => &self.zh,
        }
    }
}

impl From<Phrase> for Words {
    fn from(phrase: Phrase) -> Self {
        Self::new(phrase.en, phrase.zh)
    }
}

//! What a conversion has to say to a person.

use games::Language;
use serde::Serialize;

/// A sentence in both languages, made while converting: what the other format cannot hold, or what had to be guessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Remark {
    /// A remark from its English and Chinese texts.
    #[must_use]
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
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

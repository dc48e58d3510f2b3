//! A thing that was found, and the list they are gathered in.

use games::{Fault, Language, Phrase};
use serde::{Serialize, Serializer};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Games are lost by it.
    Error,
    /// Some platform will stumble over it.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word for a person.
    #[must_use]
    pub const fn word(self) -> Phrase {
        match self {
            Self::Error => Phrase::new("error", "错误"),
            Self::Warning => Phrase::new("warning", "警告"),
            Self::Note => Phrase::new("note", "提示"),
        }
    }
}

/// A kind of finding.
#[derive(Debug)]
pub struct Kind {
    /// Stable, lower case, words joined by `-`.
    pub code: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// What is wrong.
    pub title: Phrase,
    /// What was expected instead.
    pub expected: Phrase,
    /// How to mend it.
    pub mend: Phrase,
}

/// A text made at run time, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Words {
    /// Both texts.
    pub(crate) fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
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

impl From<&Fault> for Words {
    fn from(fault: &Fault) -> Self {
        Self::new(fault.say(Language::En), fault.say(Language::Zh))
    }
}

impl From<Phrase> for Words {
    fn from(phrase: Phrase) -> Self {
        Self::new(phrase.en, phrase.zh)
    }
}

/// A thing that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// How bad it is here.
    pub severity: Severity,
    /// Its kind; programs see the code.
    #[serde(rename = "code", serialize_with = "code")]
    pub kind: &'static Kind,
    /// What is wrong.
    pub title: Phrase,
    /// What was being done when it was seen first.
    pub stage: Phrase,
    /// What the engine wrote.
    pub line: Option<String>,
    /// What was sent to it before.
    pub asked: Option<String>,
    /// What more there is to know.
    pub detail: Option<Words>,
    /// What was expected.
    pub expected: Phrase,
    /// How to mend it.
    pub mend: Phrase,
    /// How often it was seen.
    pub times: u32,
}

fn code<S: Serializer>(kind: &Kind, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(kind.code)
}

impl Finding {
    pub(crate) fn new(kind: &'static Kind, stage: Phrase) -> Self {
        Self {
            severity: kind.severity,
            kind,
            title: kind.title,
            stage,
            line: None,
            asked: None,
            detail: None,
            expected: kind.expected,
            mend: kind.mend,
            times: 1,
        }
    }

    pub(crate) fn line(mut self, line: Option<&str>) -> Self {
        self.line = line.map(shown);
        self
    }

    pub(crate) fn asked(mut self, asked: Option<&str>) -> Self {
        self.asked = asked.map(shown);
        self
    }

    pub(crate) fn detail(mut self, detail: impl Into<Words>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) const fn expected(mut self, expected: Phrase) -> Self {
        self.expected = expected;
        self
    }

    /// Whether the engine said that it does not understand.
    pub(crate) fn is_complaint(&self) -> bool {
        let line = self.line.as_deref().unwrap_or_default().to_ascii_uppercase();
        line.starts_with("UNKNOWN") || line.starts_with("ERROR")
    }

    pub(crate) const fn mend(mut self, mend: Phrase) -> Self {
        self.mend = mend;
        self
    }

    pub(crate) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// The most of a line that is shown.
const LONGEST_SHOWN: usize = 160;

/// A stranger's text that can be shown on any terminal: cut, and without control characters.
fn shown(text: &str) -> String {
    let mut kept: String =
        text.chars().take(LONGEST_SHOWN).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if text.chars().nth(LONGEST_SHOWN).is_some() {
        kept.push('…');
    }
    kept
}

/// Findings, each code once.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    /// Adds a finding; one that is there already is only counted, and is as bad as the worst of them.
    pub(crate) fn add(&mut self, finding: Finding) {
        match self.list.iter_mut().find(|known| known.kind.code == finding.kind.code) {
            Some(known) => {
                known.times += finding.times;
                known.severity = known.severity.min(finding.severity);
            }
            None => self.list.push(finding),
        }
    }

    pub(crate) fn has(&self, kind: &Kind) -> bool {
        self.list.iter().any(|known| known.kind.code == kind.code)
    }

    /// Takes a finding out again that has another cause.
    pub(crate) fn take(&mut self, kind: &Kind) -> Option<Finding> {
        let at = self.list.iter().position(|known| known.kind.code == kind.code)?;
        Some(self.list.remove(at))
    }

    /// Whether the engine was silent when a move was due: no answer came at all, not even late.
    pub(crate) fn tells_silence(&self) -> bool {
        self.list.iter().any(|known| known.kind.code == crate::kinds::TIME.code && known.line.is_none())
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.first_error().is_some()
    }

    /// The first finding that loses games.
    pub(crate) fn first_error(&self) -> Option<&Finding> {
        self.list.iter().find(|finding| finding.severity == Severity::Error)
    }

    /// Takes in the findings of another list.
    pub(crate) fn append(&mut self, others: Self) {
        for finding in others.list {
            self.add(finding);
        }
    }

    /// All of them, the worst first, otherwise in the order they were found.
    pub(crate) fn sorted(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| finding.severity);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds;

    #[test]
    fn a_finding_is_listed_once_and_as_bad_as_its_worst() {
        let mut findings = Findings::default();
        findings.add(Finding::new(&kinds::NOISE, Phrase::same("first")).line(Some("a\u{7}b")));
        findings.add(Finding::new(&kinds::TIME, Phrase::same("second")));
        findings.add(Finding::new(&kinds::NOISE, Phrase::same("third")).severity(Severity::Error));
        let list = findings.sorted();
        let seen: Vec<_> = list.iter().map(|found| (found.kind.code, found.times, found.severity)).collect();
        assert_eq!(seen, [("noise", 2, Severity::Error), ("time", 1, Severity::Error)]);
        assert_eq!(list[0].line.as_deref(), Some("a\u{fffd}b"));
    }

    #[test]
    fn long_lines_are_cut_where_they_are_shown() {
        let line = "博".repeat(LONGEST_SHOWN + 1);
        assert_eq!(shown(&line).chars().count(), LONGEST_SHOWN + 1);
        assert!(shown(&line).ends_with('…'));
    }
}

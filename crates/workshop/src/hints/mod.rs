//! What a newcomer should write instead: lines in two languages beside the compiler's own.
//!
//! A hint about something that would not compile is given only when the compiler complained of it, or could not get so far; a hint about
//! something that compiles and then plays badly is always given.

mod code;
mod family;
mod others;

use games::{Language, Phrase};
use serde::Serialize;

use crate::languages::Recipe;
use crate::source::{Encoding, Source};

/// Something a newcomer should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Stable, for programs.
    pub code: &'static str,
    /// The line of the source, from 1.
    pub line: Option<usize>,
    /// What to do.
    pub text: Phrase,
}

impl Note {
    /// The sentence for a person, with its line.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        let text = self.text.text(language);
        match (language, self.line) {
            (_, None) => text.to_owned(),
            (Language::En, Some(line)) => format!("line {line}: {text}"),
            (Language::Zh, Some(line)) => format!("第 {line} 行：{text}"),
        }
    }
}

/// A note that is made when something is found.
#[derive(Debug)]
struct Hint {
    code: &'static str,
    text: Phrase,
}

impl Hint {
    const fn new(code: &'static str, en: &'static str, zh: &'static str) -> Self {
        Self { code, text: Phrase::new(en, zh) }
    }

    fn at(&self, line: impl Into<Option<usize>>) -> Note {
        Note { code: self.code, line: line.into(), text: self.text }
    }
}

const MIXED: Hint = Hint::new(
    "mixed-encoding",
    "the file is partly UTF-8 and partly GB18030 (or damaged); each line was read by itself. Save it as UTF-8",
    "文件中混用了 UTF-8 与 GB18030（或有损坏），已逐行识别；请统一保存为 UTF-8",
);

/// All notes on a source, given what the compiler said of it and whether it was content.
pub(crate) fn explain(recipe: &Recipe, source: &Source, messages: &str, compiles: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    if source.encoding == Encoding::Mixed {
        notes.push(MIXED.at(None));
    }
    if recipe.is_c_family() {
        notes.extend(family::explain(source, messages, compiles, recipe.endings.contains(&"cpp")));
    } else {
        notes.extend(others::explain(recipe, &source.text, messages));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest sources, made of what is looked for again and again: a hint that looks twice at everything would take hours.
    #[test]
    fn no_source_keeps_us_busy() {
        let messages =
            "main.c:1:1: error: ‘getch’ undeclared\nmain.c:1:1: fatal error: x.h: No such file or directory\n"
                .repeat(1000);
        for part in [
            "getch ",
            "xgetch",
            "fflush (",
            "system(\"pausf\");",
            "system ",
            "main ",
            "void main",
            "#pragma comment",
            "#include <y.h>\n",
            "#else\n",
            "#ifdef _WIN32\n#else\n",
            "#if x\n",
            "\"%I64",
            "\"",
            "'",
            "/*",
            "/* */",
            "//\n",
            "\\",
            "；",
            "import msvcrt,",
            "package ",
            "class A { main(",
        ] {
            let text = part.repeat(crate::LARGEST_SOURCE / part.len());
            for recipe in
                crate::LANGUAGES.iter().filter(|recipe| ["c17", "c++17", "python", "java"].contains(&recipe.id))
            {
                let source = Source { text: text.clone(), encoding: Encoding::Gb18030 };
                explain(recipe, &source, &messages, false);
                crate::naming::name(recipe.file, &source.text);
            }
        }
    }
}

//! What a source file must be called, where the language cares.

use crate::languages::FileName;

/// The name of a source file, and the class to start where there are classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) file: String,
    pub(crate) class: String,
}

/// The longest class name we make a file name of.
const LONGEST_NAME: usize = 60;

/// Names a source.
pub(crate) fn name(rule: FileName, text: &str) -> Named {
    match rule {
        FileName::Fixed(file) => Named { file: file.to_owned(), class: String::new() },
        FileName::JavaScript => {
            let file = if has_module_statements(text) { "main.mjs" } else { "main.js" };
            Named { file: file.to_owned(), class: String::new() }
        }
        FileName::Java => java(text),
    }
}

/// `import … from`, `import "…"` or `export` at the beginning of a line; `import(` is an expression that any script may use.
fn has_module_statements(text: &str) -> bool {
    text.lines().any(|line| {
        let statement =
            |word: &str, after: &[char]| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(after));
        statement("import", &[' ', '"', '\'', '{', '*']) || statement("export", &[' ', '{', '*'])
    })
}

/// The file is called after the public class. Started is that class, or else the one that holds `main`.
fn java(text: &str) -> Named {
    let mut package = String::new();
    let (mut public, mut holds_main, mut first) = (None, None, None);
    let mut depth = 0_usize;
    let mut is_public = false;
    let tokens = tokens(text);
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map(String::as_str).unwrap_or_default();
        match (token.as_str(), depth) {
            ("{", _) => depth += 1,
            ("}", _) => {
                depth = depth.saturating_sub(1);
                is_public = false;
            }
            (";", 0) => is_public = false,
            ("public", 0) => is_public = true,
            ("package", 0) => {
                package = tokens[index + 1..]
                    .iter()
                    .take(LONGEST_NAME)
                    .take_while(|token| *token != ";")
                    .map(String::as_str)
                    .collect();
            }
            ("class" | "interface" | "enum" | "record", 0) if is_name(next) => {
                first = Some(next);
                if is_public {
                    public = public.or(Some(next));
                }
            }
            ("main", 1) if next == "(" => holds_main = holds_main.or(first),
            _ => {}
        }
    }
    let class = public.or(holds_main).or(first).unwrap_or("Main");
    let file = format!("{}.java", public.unwrap_or("Main"));
    let package = if package.split('.').all(is_name) { package } else { String::new() };
    Named { file, class: if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") } }
}

fn is_name(word: &str) -> bool {
    let starts = word.chars().next().is_some_and(|letter| letter.is_alphabetic() || letter == '_' || letter == '$');
    starts && word.len() <= LONGEST_NAME && word.chars().all(is_name_letter)
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// Words and signs of Java, without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("\"\"\"") {
            rest.get(3..).and_then(|inner| inner.find("\"\"\"")).map_or(rest.len(), |end| end + 6)
        } else if letter == '"' || letter == '\'' {
            quoted(rest, letter)
        } else if is_name_letter(letter) {
            let end = rest.find(|letter| !is_name_letter(letter)).unwrap_or(rest.len());
            tokens.push(rest[..end].to_owned());
            end
        } else {
            if !letter.is_whitespace() {
                tokens.push(letter.to_string());
            }
            letter.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a string or character with its quotes; a line ends it too.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return place,
            _ if letter == quote => return place + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java_of(text: &str) -> (String, String) {
        let Named { file, class } = name(FileName::Java, text);
        (file, class)
    }

    #[test]
    fn java_files_are_called_after_their_public_class() {
        let of = |file: &str, class: &str| (file.to_owned(), class.to_owned());
        assert_eq!(java_of("import x.*;\npublic class Engine { }"), of("Engine.java", "Engine"));
        assert_eq!(
            java_of("// public class A\n/* public class B */ class C { } public final class D {}"),
            of("D.java", "D")
        );
        assert_eq!(java_of("package a.b; public class E {}"), of("E.java", "a.b.E"));
        assert_eq!(
            java_of(
                "class Board { public int x; public class Inner {} } class Go { public static void main(String[] a) {} }"
            ),
            of("Main.java", "Go")
        );
        assert_eq!(java_of("String s = \"public class X {\"; class Y {}"), of("Main.java", "Y"));
        assert_eq!(java_of("public class 棋手 {}"), of("棋手.java", "棋手"));
        assert_eq!(java_of("public class ../../etc/x {}"), of("Main.java", "Main"));
        assert_eq!(java_of("package ../x; public class A {}"), of("A.java", "A"));
        assert_eq!(java_of(""), of("Main.java", "Main"));
    }

    #[test]
    fn modules_of_javascript_are_known_by_their_statements() {
        let file = |text| name(FileName::JavaScript, text).file;
        assert_eq!(file("import fs from 'fs';"), "main.mjs");
        assert_eq!(file("const x = 1;\nexport { x };"), "main.mjs");
        assert_eq!(file("const fs = require('fs');\nimport('fs');\nimportant = 1"), "main.js");
    }

    proptest::proptest! {
        #[test]
        fn no_name_leaves_its_folder(text in "\\PC{0,80}") {
            let named = name(FileName::Java, &format!("public class {text}"));
            proptest::prop_assert!(!named.file.contains('/') && named.file.len() < 80);
        }
    }
}

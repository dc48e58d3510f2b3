//! The page itself: what is the same in every report.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use games::{Language, Phrase};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::Subject;
use super::conditions::Words;

const STYLE: &str = concat!(include_str!("report.css"), include_str!("figures.css"), include_str!("replay.css"));
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("tools.js"),
    include_str!("board.js"),
    include_str!("charts.js"),
    include_str!("replay.js"),
    include_str!("games.js"),
    include_str!("report.js"),
    "})();\n"
);

/// A small board, so that no browser asks anybody for a picture.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23e9c98f'/%3E%3Ccircle cx='5.5' cy='8' r='3.5' fill='%23222'/%3E%3Ccircle cx='10.5' cy='8' r='3.5' fill='%23fff' stroke='%23888' stroke-width='.5'/%3E%3C/svg%3E";

static NO_SCRIPT: Phrase = Phrase::new(
    "This report shows its tables and games with a script that is part of this file. Please allow scripts for it.",
    "本报告的表格与对局由文件内自带的脚本显示，请允许运行脚本。",
);

/// What the report is called.
pub(super) fn title(subject: &Subject) -> Words {
    let game = subject.game.facts().name;
    match (&subject.title, subject.names.as_slice()) {
        (Some(title), _) => Words::same(title),
        (None, [one, other]) => Words::new(format!("{one} – {other}"), format!("{one} 对 {other}")),
        (None, _) => Words::new(format!("{} tournament", game.en), format!("{}赛事", game.zh)),
    }
}

/// Begins the page.
pub(super) fn open(out: &mut impl Write, title: &Words, language: Language) -> io::Result<()> {
    let (code, title) = match language {
        Language::En => ("en", &title.en),
        Language::Zh => ("zh-CN", &title.zh),
    };
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    );
    write!(
        out,
        "<!doctype html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"boyi {}\">\n\
         <link rel=\"icon\" href=\"{ICON}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript><p lang=\"zh-CN\">{}</p><p lang=\"en\">{}</p></noscript>\n<div id=\"page\"></div>\n",
        env!("CARGO_PKG_VERSION"),
        escape(title),
        NO_SCRIPT.zh,
        NO_SCRIPT.en,
    )
}

/// A game, as text that is read when somebody wants to see it.
pub(super) fn game(out: &mut impl Write, number: u64, game: &Value) -> io::Result<()> {
    data(out, &format!("game-{number}"), game)
}

/// Everything else, and the end of the page.
pub(super) fn close(out: &mut impl Write, facts: &Value) -> io::Result<()> {
    data(out, "facts", facts)?;
    write!(out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// A block of data. Nothing in it can end it: JSON may write `<` in another way.
fn data(out: &mut impl Write, id: &str, value: &Value) -> io::Result<()> {
    writeln!(
        out,
        "<script type=\"application/json\" id=\"{id}\">{}</script>",
        value.to_string().replace('<', "\\u003c")
    )
}

/// What a content security policy calls this text.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_cannot_end_themselves() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"), "a script must not contain an end tag");
        assert!(!STYLE.contains("</"));
    }

    #[test]
    fn nothing_is_fetched() {
        for text in [SCRIPT, STYLE] {
            let addresses = text.matches("http").count();
            // The name of SVG's elements is an address nobody asks.
            assert_eq!(addresses, text.matches("http://www.w3.org/2000/svg").count());
        }
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    }

    #[test]
    fn the_script_builds_no_markup_from_texts() {
        for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!SCRIPT.contains(way), "{way}");
        }
    }

    #[test]
    fn a_digest_is_what_browsers_compute() {
        // echo -n '' | openssl sha256 -binary | base64
        assert_eq!(digest(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}

//! The guides: Markdown in, safe HTML out, with boards drawn by our own renderer. The format is described in
//! `guides/README.md`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use games::render::svg;
use games::{Eyes, Language, Side};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};
use rust_embed::RustEmbed;

use super::error::ApiError;

/// The guides.
#[derive(RustEmbed)]
#[folder = "guides"]
struct Guides;

/// The starter kits they show.
#[derive(RustEmbed)]
#[folder = "../../sdk"]
#[allow_missing = true]
struct Kits;

type Shelf = HashMap<(String, LanguageWord), Arc<str>>;
/// `en` or `zh`.
type LanguageWord = &'static str;

/// The guide of a game in a language, if it has one.
pub(crate) fn html(game: &str, language: Language) -> Option<Arc<str>> {
    static MADE: Mutex<Option<Shelf>> = Mutex::new(None);
    let word = match language {
        Language::En => "en",
        Language::Zh => "zh",
    };
    let mut shelf = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let shelf = shelf.get_or_insert_default();
    if let Some(made) = shelf.get(&(game.to_owned(), word)) {
        return Some(Arc::clone(made));
    }
    let file = Guides::get(&format!("{game}.{word}.md"))?;
    let text = String::from_utf8_lossy(&file.data);
    let made: Arc<str> = render(&text, game, language).into();
    shelf.insert((game.to_owned(), word), Arc::clone(&made));
    Some(made)
}

/// Replaces `{{include sdk/…}}` lines by the file as a code block.
fn with_kits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let path = line.trim().strip_prefix("{{include ").and_then(|rest| rest.strip_suffix("}}")).map(str::trim);
        let file = path.and_then(|path| path.strip_prefix("sdk/")).and_then(Kits::get);
        match (path, file) {
            (None, _) => out.push_str(line),
            (Some(path), Some(file)) => {
                let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
                out.push_str(&format!("~~~~~~{kind}\n{}\n~~~~~~", String::from_utf8_lossy(&file.data).trim_end()));
            }
            (Some(path), None) => out.push_str(&format!("`{path}`")),
        }
        out.push('\n');
    }
    out
}

/// Where the pages offer a starter kit; where `sdk/` leads outside of them.
const SHELF: &str = "sdk/";

/// The starter engines of a game: what each is written in, and where it is.
pub(crate) fn starters(game: &str) -> Vec<(String, String)> {
    let found = Kits::iter().filter_map(|path| {
        let (language, file) = path.split_once('/')?;
        let named = file.rsplit_once('.').is_some_and(|(stem, _)| stem == game);
        named.then(|| (language.to_owned(), format!("/{SHELF}{path}")))
    });
    found.collect()
}

/// A starter engine as a file to keep.
pub(crate) async fn starter(Path((language, file)): Path<(String, String)>) -> Response {
    let Some(kit) = Kits::get(&format!("{language}/{file}")) else {
        return ApiError::new(StatusCode::NOT_FOUND, "no-such-path", "there is no such path", "没有这个地址")
            .into_response();
    };
    let kind = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_owned())];
    let kept = [(CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\""))];
    (kind, kept, kit.data.into_owned()).into_response()
}

/// The name of a starter kit in a sentence: a link to the file.
fn kit_link(text: &str) -> Option<String> {
    Kits::get(text.strip_prefix(SHELF)?)?;
    let text = escape(text);
    Some(format!("<a href=\"/{text}\" download><code>{text}</code></a>"))
}

/// Whether a link or picture may point there.
fn is_safe(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    match scheme {
        Some(scheme) if !scheme.contains(['/', '?', '#']) => {
            ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        _ => true,
    }
}

/// Renders a guide of a game.
pub(crate) fn render(text: &str, game: &str, language: Language) -> String {
    let text = with_kits(text);
    let mut board: Option<String> = None;
    let mut pictures = 0;
    let events = Parser::new_ext(&text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.trim() == "board" => {
            board = Some(String::new());
            None
        }
        Event::Text(text) if board.is_some() => {
            board.get_or_insert_default().push_str(&text);
            None
        }
        Event::End(TagEnd::CodeBlock) if board.is_some() => {
            pictures += 1;
            let block = board.take().unwrap_or_default();
            Some(Event::Html(figure(&block, game, language, pictures).into()))
        }
        Event::Code(text) => Some(kit_link(&text).map_or(Event::Code(text), |link| Event::InlineHtml(link.into()))),
        // HTML in a guide is shown, not obeyed.
        Event::Html(html) | Event::InlineHtml(html) => Some(Event::Text(html)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) if !is_safe(&dest_url) => {
            Some(Event::Start(Tag::Link { link_type, dest_url: CowStr::Borrowed("#"), title, id }))
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) if !is_safe(&dest_url) => {
            Some(Event::Start(Tag::Image { link_type, dest_url: CowStr::Borrowed("#"), title, id }))
        }
        event => Some(event),
    });
    let mut html = String::new();
    push_html(&mut html, events);
    html
}

/// What a block asks for.
#[derive(Default)]
struct Wanted<'a> {
    game: Option<&'a str>,
    variant: &'a str,
    position: Option<&'a str>,
    plies: &'a str,
    eyes: Option<&'a str>,
    caption: &'a str,
}

fn read(block: &str) -> Result<Wanted<'_>, String> {
    let mut wanted = Wanted::default();
    for line in block.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("{line}?"))?;
        let value = value.trim();
        match key.trim() {
            "game" => wanted.game = Some(value),
            "variant" => wanted.variant = value,
            "position" => wanted.position = Some(value),
            "plies" => wanted.plies = value,
            "eyes" => wanted.eyes = Some(value),
            "caption" => wanted.caption = value,
            key => return Err(format!("{key}?")),
        }
    }
    Ok(wanted)
}

fn draw(wanted: &Wanted<'_>, game: &str, language: Language) -> Result<String, String> {
    let listing = games::find(wanted.game.unwrap_or(game)).map_err(|error| error.say(language))?;
    let variant = games::read_pairs(wanted.variant.split_whitespace()).map_err(|error| error.say(language))?;
    let mut table = listing.open(&variant, wanted.position).map_err(|error| error.say(language))?;
    for ply in wanted.plies.split(';').map(str::trim).filter(|ply| !ply.is_empty()) {
        table.play(ply, Eyes::All).map_err(|fault| format!("{ply}: {}", fault.say(language)))?;
    }
    let eyes = match wanted.eyes {
        Some("black") => Eyes::Seat(Side::Black),
        Some("white") => Eyes::Seat(Side::White),
        _ => Eyes::All,
    };
    Ok(svg::render(&table.still(eyes), language))
}

fn figure(block: &str, game: &str, language: Language, number: usize) -> String {
    let made = read(block).and_then(|wanted| Ok((draw(&wanted, game, language)?, wanted.caption.to_owned())));
    match made {
        Ok((picture, caption)) => {
            // Several pictures share a page: each has names of its own for what it refers to.
            let picture = ["black", "white"].iter().fold(picture, |picture, name| {
                picture
                    .replace(&format!("id=\"{name}\""), &format!("id=\"board{number}-{name}\""))
                    .replace(&format!("url(#{name})"), &format!("url(#board{number}-{name})"))
            });
            let picture = picture.replacen("<svg ", "<svg role=\"img\" ", 1);
            format!("<figure class=\"board\">{picture}<figcaption>{}</figcaption></figure>\n", escape(&caption))
        }
        Err(problem) => format!("<p class=\"error\">{}</p>\n", escape(&problem)),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_and_html_is_text() {
        let text = "# A\n\n<script>alert(1)</script>\n\nx <b onclick=y>z</b> [l](javascript:alert(1)) [m](JavaScript:x) [n](/games)\n\n\
            ```board\nplies: 4 0 1\ncaption: a < b\n```\n\n```board\nplies: nonsense\n```\n\n```sh\nls\n```\n";
        let html = render(text, "tiaojia", Language::En);
        assert!(
            html.contains("<h1>A</h1>") && html.contains("<svg role=\"img\"") && html.contains("a &lt; b"),
            "{html}"
        );
        assert!(html.contains("class=\"error\"") && html.contains("<code class=\"language-sh\">ls"), "{html}");
        assert!(
            !html.contains("<script") && !html.contains("<b ") && !html.to_lowercase().contains("javascript:"),
            "{html}"
        );
        assert!(html.contains("href=\"/games\""), "{html}");
        // Nothing the pages' policy forbids.
        assert!(!html.contains("style="), "{html}");
        assert!(html.contains("id=\"board1-black\"") && html.contains("url(#board1-black)"), "{html}");
    }

    #[test]
    fn the_starter_engine_is_a_link_to_its_file() {
        let text = "It is `sdk/c/amazons.c`, not `sdk/c/chess.c` or `sdk/../Cargo.toml`.";
        let made = render(text, "amazons", Language::En);
        assert!(made.contains("<a href=\"/sdk/c/amazons.c\" download><code>sdk/c/amazons.c</code></a>"), "{made}");
        assert!(made.contains("<code>sdk/c/chess.c</code>") && made.matches("<a ").count() == 1, "{made}");
        for file in Guides::iter().filter(|file| file.ends_with(".en.md") || file.ends_with(".zh.md")) {
            let Some((game, _)) = file.split_once('.') else { continue };
            let starters = starters(game);
            assert!(!starters.is_empty(), "{game} has no starter");
            for language in [Language::En, Language::Zh] {
                let html = html(game, language).unwrap_or_default();
                let linked = |(_, path): &(String, String)| html.contains(&format!("<a href=\"{path}\" download>"));
                assert!(starters.iter().all(linked), "{file} names not all of {starters:?}");
            }
        }
    }

    #[test]
    fn every_guide_there_is_can_be_shown() {
        for file in Guides::iter().filter(|file| file.ends_with(".en.md") || file.ends_with(".zh.md")) {
            let Some((game, _)) = file.split_once('.') else { continue };
            for language in [Language::En, Language::Zh] {
                let html = html(game, language).unwrap_or_else(|| panic!("{file} has no twin"));
                assert!(!html.contains("class=\"error\""), "{file}");
                assert!(!html.contains("style="), "{file}");
            }
        }
    }
}

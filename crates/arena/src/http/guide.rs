//! The guides: Markdown in, safe HTML out, with boards drawn by our own renderer. The format is described in
//! `guides/README.md`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use games::render::svg;
use games::{Eyes, Language, Phrase, Side};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};
use rust_embed::RustEmbed;

use super::starters;

/// The guides.
#[derive(RustEmbed)]
#[folder = "guides"]
struct Guides;

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
        let file = path.and_then(|path| path.strip_prefix("sdk/")).and_then(starters::file);
        match (path, file) {
            (None, _) => out.push_str(line),
            (Some(path), Some(file)) => {
                let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
                out.push_str(&format!("~~~~~~{kind} {FILE}{path}\n{}\n~~~~~~", file.trim_end()));
            }
            (Some(path), None) => out.push_str(&format!("`{path}`")),
        }
        out.push('\n');
    }
    out
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

/// What stands before the path of a file in the first line of its code block.
const FILE: &str = "file=";

/// Renders a guide of a game.
pub(crate) fn render(text: &str, game: &str, language: Language) -> String {
    let text = with_kits(text);
    let mut board: Option<String> = None;
    let mut in_file = false;
    let mut talked = false;
    let (mut pictures, mut files) = (0, 0);
    let mut events: Vec<Event<'_>> = Vec::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        let event = match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.trim() == "board" => {
                board = Some(String::new());
                continue;
            }
            Event::Text(text) if board.is_some() => {
                board.get_or_insert_default().push_str(&text);
                continue;
            }
            Event::End(TagEnd::CodeBlock) if board.is_some() => {
                pictures += 1;
                let block = board.take().unwrap_or_default();
                Event::Html(figure(&block, game, language, pictures).into())
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.contains(FILE) => {
                let path = kind.split_once(FILE).map_or("", |(_, path)| path.trim());
                files += 1;
                let id = if files == 1 { " id=\"starter\"" } else { "" };
                events.push(Event::Html(file_head(path, id, language).into()));
                in_file = true;
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind)))
            }
            Event::End(TagEnd::CodeBlock) if in_file => {
                in_file = false;
                events.push(event);
                Event::Html("</div>\n".into())
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.starts_with("talk") => {
                if !talked {
                    events.push(Event::Html("<span id=\"conversation\"></span>\n".into()));
                }
                talked = true;
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind)))
            }
            // A file that is only named can be had as well.
            Event::Code(path) if path.strip_prefix("sdk/").and_then(starters::file).is_some() => {
                let path = escape(&path);
                let address = path.trim_start_matches("sdk/");
                Event::InlineHtml(
                    format!("<a href=\"/api/starters/{address}\" download><code>{path}</code></a>").into(),
                )
            }
            // HTML in a guide is shown, not obeyed.
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) if !is_safe(&dest_url) => {
                Event::Start(Tag::Link { link_type, dest_url: CowStr::Borrowed("#"), title, id })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) if !is_safe(&dest_url) => {
                Event::Start(Tag::Image { link_type, dest_url: CowStr::Borrowed("#"), title, id })
            }
            event => event,
        };
        events.push(event);
    }
    let contents = anchor(&mut events, language);
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    html.replacen("</h1>\n", &format!("</h1>\n{contents}"), 1) + &see_also(game, language)
}

/// What stands above a file: its path, and how to get it.
fn file_head(path: &str, id: &str, language: Language) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let address = path.strip_prefix("sdk/").unwrap_or(path);
    let (copy, save) = match language {
        Language::En => ("Copy", "Download"),
        Language::Zh => ("复制", "下载"),
    };
    let (name, address) = (escape(name), escape(address));
    format!(
        "<div class=\"file\"{id}><p class=\"file-head\"><code>{name}</code> \
         <button type=\"button\" class=\"plain\" data-copy>{copy}</button> \
         <a class=\"plain\" href=\"/api/starters/{address}\" download=\"{name}\">{save}</a></p>\n"
    )
}

/// A heading's name in an address.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Gives every heading below the first a name and a link to itself; gives the list of contents.
fn anchor(events: &mut Vec<Event<'_>>, language: Language) -> String {
    let mut contents = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut at = 0;
    while at < events.len() {
        let Event::Start(Tag::Heading { level, .. }) = &events[at] else {
            at += 1;
            continue;
        };
        let level = *level;
        let end = events[at..].iter().position(|event| matches!(event, Event::End(TagEnd::Heading(_))));
        let end = at + end.unwrap_or(0);
        let said = events[at..end].iter().filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        });
        let text: String = said.collect();
        at = end + 1;
        if level == HeadingLevel::H1 {
            continue;
        }
        let mut name = slug(&text);
        if names.contains(&name) {
            name = format!("{name}-{}", names.len());
        }
        if let Some(Event::Start(Tag::Heading { id, .. })) =
            events[..end].iter_mut().rfind(|event| matches!(event, Event::Start(Tag::Heading { .. })))
        {
            *id = Some(name.clone().into());
        }
        let label = match language {
            Language::En => format!("Link to {text}"),
            Language::Zh => format!("“{text}”的链接"),
        };
        let link = format!(" <a class=\"anchor\" href=\"#{name}\" aria-label=\"{}\">#</a>", escape(&label));
        events.insert(end, Event::InlineHtml(link.into()));
        at += 1;
        if level == HeadingLevel::H2 {
            contents.push_str(&format!("<li><a href=\"#{name}\">{}</a></li>\n", escape(&text)));
        }
        names.push(name);
    }
    let title = Phrase::new("Contents", "目录").text(language);
    format!("<nav class=\"contents\" aria-label=\"{title}\"><p>{title}</p><ul>\n{contents}</ul></nav>\n")
}

/// Where one goes on reading.
fn see_also(game: &str, language: Language) -> String {
    let text = |en, zh| Phrase::new(en, zh).text(language);
    let others = games::GAMES
        .iter()
        .map(|listing| listing.facts())
        .filter(|facts| facts.id != game)
        .map(|facts| format!("<a href=\"/games/{}\">{}</a>", facts.id, escape(facts.name.text(language))));
    let others = others.collect::<Vec<_>>().join(text(", ", "、"));
    format!(
        "<nav class=\"see-also\" aria-label=\"{}\"><p>{} <a href=\"/about#bring\">{}</a> · <a href=\"/api\">{}</a></p>\
         <p>{} {others}</p></nav>\n",
        text("Read on", "继续阅读"),
        text("For programs:", "写程序："),
        text("How your program comes to play here", "怎样让你的程序来这里对局"),
        text("The API", "接口说明"),
        text("The other games:", "其他棋种："),
    )
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
    fn every_guide_there_is_can_be_shown() {
        for file in Guides::iter().filter(|file| file.ends_with(".en.md") || file.ends_with(".zh.md")) {
            let Some((game, _)) = file.split_once('.') else { continue };
            for language in [Language::En, Language::Zh] {
                let html = html(game, language).unwrap_or_else(|| panic!("{file} has no twin"));
                assert!(!html.contains("class=\"error\""), "{file}");
                assert!(!html.contains("style="), "{file}");
                // What leads to a place of the page leads somewhere, and every section can be pointed at.
                let names: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
                let unique: std::collections::HashSet<&&str> = names.iter().collect();
                assert_eq!(unique.len(), names.len(), "{file}: a name twice");
                let links = html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
                let links: Vec<&str> = links.collect();
                assert!(links.iter().all(|link| names.contains(link)), "{file}: {links:?} {names:?}");
                let sections = html.matches("<h2").count() + html.matches("<h3").count();
                assert_eq!(html.matches("class=\"anchor\"").count(), sections, "{file}");
                assert_eq!(html.matches("<li><a href=\"#").count(), html.matches("<h2").count(), "{file}");
                for path in html.split("/api/starters/").skip(1).filter_map(|rest| rest.split('"').next()) {
                    assert!(starters::file(path).is_some(), "{file}: {path}");
                }
                assert!(names.contains(&"conversation") && names.contains(&"starter"), "{file}");
                assert!(html.contains("data-copy") && html.contains("/api/starters/"), "{file}");
            }
        }
    }
}

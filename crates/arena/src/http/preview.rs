//! What an app shows of a link to a page: a title, a sentence, a picture. Names, rules and boards are told as any
//! stranger would see them.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse as _, Response};
use games::render::svg;
use games::{Eyes, Language};
use referee::TimeControl;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg;

use super::body::{Path, Query};
use super::error::ApiError;
use super::guide::escape;
use super::records::PictureQuery;
use super::{App, games as of_games, room_of};
use crate::rooms::Words;
use crate::rooms::face::result_face;
use crate::settings::Settings;
use crate::store::{Phase, RoomRow, SeatKind, SeatRow};

/// The size apps ask for.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// Free space around the board.
const MARGIN: f32 = 24.0;

/// What is shown of a page.
struct Preview {
    title: Words,
    description: Words,
    /// Where its picture is, and whether that is as wide as a board's.
    picture: (String, bool),
}

/// The document with what apps read of it. Nothing is loaded or woken for it.
pub(super) async fn with_preview(app: &App, html: &str, uri: &Uri, headers: &HeaderMap) -> String {
    let words: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
    let ply = query(uri, "ply").and_then(|ply| ply.parse::<u32>().ok());
    let preview = match words.as_slice() {
        ["room", id] => room_row(app, id).await.map(|row| of_room(&row, ply)),
        ["games", id] => games::find(id).ok().map(|game| of_game(game.facts())),
        _ => None,
    };
    let preview = preview.unwrap_or_else(Preview::usual);
    let say = |words: &Words| escape(&spoken(words, language(uri, headers)));
    let (title, description) = (say(&preview.title), say(&preview.description));
    let base = base(&app.settings, headers);
    let (picture, wide) = (escape(&format!("{base}{}", preview.picture.0)), preview.picture.1);
    let mut tags = String::new();
    let address = escape(&format!("{base}{uri}"));
    for (property, content) in [
        ("og:site_name", "博弈 boyi"),
        ("og:type", "website"),
        ("og:url", address.as_str()),
        ("og:title", title.as_str()),
        ("og:description", description.as_str()),
        ("og:image", picture.as_str()),
    ] {
        let _ = write!(tags, "<meta property=\"{property}\" content=\"{content}\" />\n    ");
    }
    if wide {
        let (width, height) = (WIDTH, HEIGHT);
        let _ = write!(tags, "<meta property=\"og:image:width\" content=\"{width}\" />\n    ");
        let _ = write!(tags, "<meta property=\"og:image:height\" content=\"{height}\" />\n    ");
    }
    let card = if wide { "summary_large_image" } else { "summary" };
    let _ = write!(tags, "<meta name=\"twitter:card\" content=\"{card}\" />\n    ");
    let html = between(html, "<title>", "</title>", &title);
    let html = between(&html, "<meta name=\"description\" content=\"", "\"", &description);
    html.replacen("<title>", &format!("{tags}<title>"), 1)
}

/// The text with something else between two marks.
fn between(text: &str, from: &str, to: &str, new: &str) -> String {
    let Some((before, rest)) = text.split_once(from) else { return text.to_owned() };
    let Some((_, after)) = rest.split_once(to) else { return text.to_owned() };
    format!("{before}{from}{new}{to}{after}")
}

fn query<'a>(uri: &'a Uri, key: &str) -> Option<&'a str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}

/// The language that is asked for. Most apps do not ask; they are told both.
fn language(uri: &Uri, headers: &HeaderMap) -> Option<Language> {
    let asked = query(uri, "lang").or_else(|| headers.get(ACCEPT_LANGUAGE)?.to_str().ok())?;
    let first = asked.split([',', ';']).next()?.trim();
    match first.get(..2)?.to_ascii_lowercase().as_str() {
        "zh" => Some(Language::Zh),
        _ => Some(Language::En),
    }
}

fn spoken(words: &Words, language: Option<Language>) -> String {
    match language {
        Some(Language::Zh) => words.zh.clone(),
        Some(Language::En) => words.en.clone(),
        None if words.zh == words.en => words.en.clone(),
        None => format!("{} · {}", words.zh, words.en),
    }
}

/// The address people use.
fn base(settings: &Settings, headers: &HeaderMap) -> String {
    if let Some(url) = &settings.public_url {
        return url.trim_end_matches('/').to_owned();
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let told = headers.get("x-forwarded-proto").filter(|_| settings.behind_proxy);
    let scheme = if told.is_some_and(|scheme| scheme == "https") { "https" } else { "http" };
    format!("{scheme}://{host}")
}

/// What is known of a room without loading it.
async fn room_row(app: &App, id: &str) -> Option<RoomRow> {
    if id.len() > 40 {
        return None;
    }
    if let Some(room) = app.rooms.get(id) {
        return Some(room.state().row.clone());
    }
    app.rooms.store().room(id).await.ok().flatten()
}

impl Preview {
    /// Of any other page.
    fn usual() -> Self {
        Self {
            title: Words::new("boyi: play nine board games", "博弈 boyi：九种棋，随时对局"),
            description: Words::new(
                "Play nine board games against built-in players or a friend, and watch engines fight.",
                "九种棋，一处对局：和内置棋手过招，发个链接约朋友下，看引擎对弈。",
            ),
            picture: ("/icon-512.png".to_owned(), false),
        }
    }
}

fn of_game(facts: &games::Facts) -> Preview {
    Preview {
        title: Words::new(format!("{} · boyi", facts.name.en), format!("{} · 博弈", facts.name.zh)),
        description: facts.summary.into(),
        picture: (format!("/api/games/{}/picture.png", facts.id), true),
    }
}

fn of_room(row: &RoomRow, ply: Option<u32>) -> Preview {
    let Ok(game) = games::find(&row.game) else { return Preview::usual() };
    let facts = game.facts();
    let [one, two] = row.seats.each_ref().map(seat_words);
    let inviter = row.seats.iter().find(|seat| seat.kind != SeatKind::Open).map(seat_words);
    let (rules, time) = (rules(row, game), time_words(&row.time));
    let (title, description) = match (row.phase, inviter) {
        (Phase::Waiting, Some(inviter)) => (
            Words::new(
                format!("{}: {} invites you", facts.name.en, inviter.en),
                format!("{}：{}邀你对局", facts.name.zh, inviter.zh),
            ),
            Words::new(
                format!("{}; {}. Open the page and take the seat.", rules.en, time.en),
                format!("{}；{}。打开页面即可入座。", rules.zh, time.zh),
            ),
        ),
        _ => {
            let plies = row.plies;
            let ended = row.verdict.as_ref().map(|verdict| result_face(&row.game, verdict).text);
            let ended = ended.unwrap_or_else(|| Words::new("Being played", "正在进行"));
            (
                Words::new(
                    format!("{}: {} – {}", facts.name.en, one.en, two.en),
                    format!("{}：{} 对 {}", facts.name.zh, one.zh, two.zh),
                ),
                Words::new(
                    format!("{}. {plies} plies; {}; {}.", ended.en, rules.en, time.en),
                    format!("{}。共 {plies} 步；{}；{}。", ended.zh, rules.zh, time.zh),
                ),
            )
        }
    };
    // The number makes it another picture after every ply, for apps that keep what they have seen.
    let ply = ply.unwrap_or(row.plies).min(row.plies);
    Preview { title, description, picture: (format!("/api/rooms/{}/picture.png?ply={ply}", row.id), true) }
}

/// The variant by its name, where it has one.
fn rules(row: &RoomRow, game: &dyn games::Listing) -> Words {
    let facts = game.facts();
    let named =
        facts.presets.iter().find(|preset| of_games::preset_variant(game, preset).as_ref() == Some(&row.variant));
    named.map_or_else(|| facts.board.into(), |preset| preset.name.into())
}

fn seat_words(seat: &SeatRow) -> Words {
    let level = seat.level.as_deref().unwrap_or_default();
    match seat.kind {
        SeatKind::Open => Words::new("open seat", "虚位以待"),
        SeatKind::Builtin if level == "max" => Words::new("boyi max", "boyi 最强"),
        SeatKind::Builtin if level.parse::<u8>().is_ok() => {
            Words::new(format!("boyi level {level}"), format!("boyi {level} 级"))
        }
        SeatKind::Builtin => Words::new(format!("boyi {level}"), format!("boyi {level}")),
        _ if seat.name.is_empty() => Words::new("a guest", "访客"),
        _ => Words::new(seat.name.clone(), seat.name.clone()),
    }
}

fn time_words(time: &TimeControl) -> Words {
    let seconds = |time: std::time::Duration| time.as_secs_f64();
    let mut parts = Words::new("", "");
    let mut add = |en: String, zh: String| {
        if !parts.en.is_empty() {
            parts.en.push_str(", ");
            parts.zh.push('，');
        }
        parts.en.push_str(&en);
        parts.zh.push_str(&zh);
    };
    if let Some(game) = time.game {
        let minutes = seconds(game) / 60.0;
        add(format!("{minutes} min a side"), format!("每方 {minutes} 分钟"));
    }
    if let Some(more) = time.increment.filter(|more| !more.is_zero()) {
        add(format!("+{} s a ply", seconds(more)), format!("每步加 {} 秒", seconds(more)));
    }
    if let Some(ply) = time.ply {
        add(format!("{} s a ply", seconds(ply)), format!("每步 {} 秒", seconds(ply)));
    }
    if parts.en.is_empty() { Words::new("no clock", "不限时") } else { parts }
}

/// A picture of a room's board as any stranger may see it; the start of a game that hides things and goes on.
#[utoipa::path(get, path = "/api/rooms/{id}/picture.png", tag = "records",
    params(("id" = String, Path), ("ply" = Option<u32>, Query, description = "after so many plies"),
        ("lang" = Option<String>, Query, description = "zh or en")),
    responses((status = 200, description = "1200×630, for previews of links; without lettering",
        content_type = "image/png", body = String), (status = 404, description = "no such room")))]
pub(crate) async fn room(
    State(app): State<Arc<App>>,
    Path(id): Path,
    Query(query): Query<PictureQuery>,
) -> Result<Response, ApiError> {
    let room = room_of(&app, &id).await?;
    let (mut table, eyes) = {
        let state = room.state();
        match state.sight(None).eyes() {
            Some(eyes) => (state.board.table.fork(), eyes),
            None => (state.start_board()?.table, Eyes::All),
        }
    };
    let drawn = tokio::task::spawn_blocking(move || {
        query.back(table.as_mut());
        picture(&svg::render(&table.still(eyes), Language::En))
    });
    // What a link led to may be shown again for a minute without asking.
    answer(drawn.await?, "public, max-age=60")
}

/// A picture of a game in its middle.
#[utoipa::path(get, path = "/api/games/{game}/picture.png", tag = "games", params(("game" = String, Path)),
    responses((status = 200, description = "1200×630, for previews of links; without lettering",
        content_type = "image/png", body = String), (status = 404, description = "no such game")))]
pub(crate) async fn game(Path(name): Path) -> Result<Response, ApiError> {
    let game = of_games::game(&name)?;
    let drawn = tokio::task::spawn_blocking(move || {
        let example = Some(game.facts().example);
        let table = game.open(&serde_json::Value::Null, example).map_err(|error| ApiError::open(&error))?;
        Ok::<_, ApiError>(picture(&svg::render(&table.still(Eyes::All), Language::En)))
    });
    answer(drawn.await??, "public, max-age=86400")
}

fn answer(png: Option<Vec<u8>>, kept: &'static str) -> Result<Response, ApiError> {
    let mut response = png.ok_or_else(ApiError::broken)?.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/png"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(kept));
    Ok(response)
}

/// Our own drawing in the middle of a card.
fn picture(svg: &str) -> Option<Vec<u8>> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).ok()?;
    let mut card = Pixmap::new(WIDTH, HEIGHT)?;
    card.fill(Color::from_rgba8(0xf1, 0xe9, 0xd8, 0xff));
    let (wide, high) = (tree.size().width(), tree.size().height());
    let scale = ((WIDTH as f32 - 2.0 * MARGIN) / wide).min((HEIGHT as f32 - 2.0 * MARGIN) / high);
    let place = Transform::from_scale(scale, scale)
        .post_translate((WIDTH as f32 - wide * scale) / 2.0, (HEIGHT as f32 - high * scale) / 2.0);
    resvg::render(&tree, place, &mut card.as_mut());
    card.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_is_asked_for_or_both() {
        let of = |address: &str, accepted: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.extend(accepted.map(|text| (ACCEPT_LANGUAGE, HeaderValue::from_static(text))));
            spoken(&Words::new("one", "一"), language(&address.parse().expect("an address"), &headers))
        };
        assert_eq!(of("/", None), "一 · one");
        assert_eq!(of("/", Some("zh-CN,zh;q=0.9,en;q=0.8")), "一");
        assert_eq!(of("/", Some("en-US")), "one");
        assert_eq!(of("/room/x?ply=3&lang=zh", Some("en-US")), "一");
    }

    #[test]
    fn every_game_has_a_picture() {
        for game in games::GAMES {
            let table = game.open(&serde_json::Value::Null, Some(game.facts().example)).expect("its example");
            let png = picture(&svg::render(&table.still(Eyes::All), Language::En)).expect("a picture");
            let seen = Pixmap::decode_png(&png).expect("a PNG");
            assert_eq!((seen.width(), seen.height()), (WIDTH, HEIGHT));
            let colours: std::collections::HashSet<[u8; 4]> =
                seen.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]).collect();
            assert!(colours.len() > 20, "{} is an empty card", game.facts().id);
        }
    }
}

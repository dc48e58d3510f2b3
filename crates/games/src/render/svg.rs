//! A board as an SVG picture that stands on its own: no script, no style sheet, no font of its own.

use std::fmt::Write as _;

use super::{Bounds, footline, headline};
use crate::core::view::{BoardView, Figure, Ink, MarkKind, Piece, Shape, Spot, SpotKind};
use crate::core::{Language, Side};

/// Pixels a unit.
const UNIT: f32 = 44.0;
/// Pixels of the text lines.
const LINE_HEIGHT: f32 = 26.0;

const PAPER: &str = "#fbf8f1";
const WOOD: &str = "#e9c98f";
const LIGHT: &str = "#f0dcb4";
const DARK: &str = "#d9b27c";
const LINE: &str = "#6b4f2a";
const TEXT: &str = "#3a2f20";
const ACCENT: &str = "#d1495b";
const FONTS: &str = "Noto Sans CJK SC, Source Han Sans SC, Microsoft YaHei, WenQuanYi Zen Hei, DejaVu Sans, sans-serif";

/// The picture.
#[must_use]
pub fn render(view: &BoardView, language: Language) -> String {
    let bounds = Bounds::of(view, 0.62, 0.42);
    let buttons: Vec<&Spot> = view.scene.geometry.spots.iter().filter(|spot| spot.kind == SpotKind::Button).collect();
    let foot = footline(view, language);
    let button_height = if buttons.is_empty() { 0.0 } else { 1.1 * UNIT };
    let width = (bounds.width() * UNIT).max(text_width(&headline(view, language), 16.0) + 24.0);
    let width = width.max(text_width(&foot, 13.0) + 24.0);
    let board_height = bounds.height() * UNIT;
    let height = board_height + button_height + 2.0 * LINE_HEIGHT + 8.0;
    let shift_x = (width - bounds.width() * UNIT) / 2.0;
    let mut picture = Picture { out: String::new(), bounds, shift_x };
    let _ = write!(
        picture.out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"{FONTS}\">\n\
         <title>{}</title>\n\
         <defs>\
         <radialGradient id=\"black\" cx=\"35%\" cy=\"30%\"><stop offset=\"0\" stop-color=\"#6b6b6b\"/><stop offset=\"1\" stop-color=\"#111\"/></radialGradient>\
         <radialGradient id=\"white\" cx=\"35%\" cy=\"30%\"><stop offset=\"0\" stop-color=\"#fff\"/><stop offset=\"1\" stop-color=\"#d8d4ca\"/></radialGradient>\
         </defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n",
        escape(&headline(view, language)),
    );
    picture.board(view);
    for &spot in &view.last {
        if let Some(spot) = view.scene.geometry.spots.get(usize::from(spot)) {
            picture.last(spot);
        }
    }
    for piece in &view.scene.pieces {
        if let Some(spot) = view.scene.geometry.spots.get(usize::from(piece.spot)) {
            picture.piece(piece, spot, language);
        }
    }
    for mark in &view.scene.marks {
        if let Some(spot) = view.scene.geometry.spots.get(usize::from(mark.spot)) {
            picture.mark(mark.kind, spot);
        }
    }
    for label in &view.scene.geometry.labels {
        let (x, y) = picture.place(label.x, label.y);
        picture.text(&label.text, x, y, 14.0, TEXT);
    }
    for (index, button) in buttons.iter().enumerate() {
        let (x, y) =
            (width / 2.0 + (index as f32 - (buttons.len() - 1) as f32 / 2.0) * 100.0, board_height + UNIT * 0.5);
        let _ = writeln!(
            picture.out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"88\" height=\"32\" rx=\"8\" fill=\"{LIGHT}\" stroke=\"{LINE}\"/>",
            x - 44.0,
            y - 16.0
        );
        picture.text(button.label.map_or("", |label| label.text(language)), x, y, 15.0, TEXT);
    }
    let text_top = board_height + button_height;
    picture.text(&headline(view, language), width / 2.0, text_top + LINE_HEIGHT * 0.5, 16.0, TEXT);
    picture.text(&foot, width / 2.0, text_top + LINE_HEIGHT * 1.5, 13.0, TEXT);
    picture.out.push_str("</svg>\n");
    picture.out
}

struct Picture {
    out: String,
    bounds: Bounds,
    shift_x: f32,
}

impl Picture {
    /// Board units to pixels.
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        ((x - self.bounds.left) * UNIT + self.shift_x, (y - self.bounds.top) * UNIT)
    }

    fn text(&mut self, text: &str, x: f32, y: f32, size: f32, fill: &str) {
        let _ = writeln!(
            self.out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.0}\" text-anchor=\"middle\" dy=\".35em\" fill=\"{fill}\">{}</text>",
            escape(text)
        );
    }

    fn board(&mut self, view: &BoardView) {
        let geometry = &view.scene.geometry;
        let around = |kind| match kind {
            SpotKind::LightCell | SpotKind::DarkCell => Some(0.5),
            SpotKind::Button => None,
            _ => Some(0.58),
        };
        let mut wood: Option<Bounds> = None;
        for spot in &geometry.spots {
            let Some(around) = around(spot.kind) else { continue };
            wood.get_or_insert(Bounds { left: spot.x, right: spot.x, top: spot.y, bottom: spot.y })
                .include(spot.x, spot.y, around);
        }
        if let Some(wood) = wood {
            let (x, y) = self.place(wood.left, wood.top);
            let _ = writeln!(
                self.out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"{WOOD}\"/>",
                wood.width() * UNIT,
                wood.height() * UNIT
            );
        }
        for spot in &geometry.spots {
            self.ground(spot);
        }
        for stroke in &geometry.strokes {
            self.stroke(stroke.ink, stroke.shape);
        }
        for &(x, y) in &geometry.pips {
            let (x, y) = self.place(x, y);
            let _ = writeln!(self.out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{LINE}\"/>");
        }
        for spot in &geometry.spots {
            self.station(spot);
        }
    }

    /// Squares lie under the lines.
    fn ground(&mut self, spot: &Spot) {
        let fill = match spot.kind {
            SpotKind::LightCell => LIGHT,
            SpotKind::DarkCell => DARK,
            _ => return,
        };
        let (x, y) = self.place(spot.x - 0.5, spot.y - 0.5);
        let _ =
            writeln!(self.out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{UNIT}\" height=\"{UNIT}\" fill=\"{fill}\"/>");
    }

    /// Stations lie on the lines.
    fn station(&mut self, spot: &Spot) {
        let (x, y) = self.place(spot.x, spot.y);
        let _ = match spot.kind {
            SpotKind::Station => self.tile(x, y, 0.72, 0.44, 5.0, LIGHT, LINE),
            SpotKind::Headquarters => {
                let _ = self.tile(x, y, 0.80, 0.52, 12.0, DARK, LINE);
                self.tile(x, y, 0.70, 0.42, 9.0, LIGHT, LINE)
            }
            SpotKind::Camp => writeln!(
                self.out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#dfeccf\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>",
                0.40 * UNIT
            ),
            _ => return,
        };
    }

    #[expect(clippy::too_many_arguments, reason = "a rectangle has that many properties")]
    fn tile(
        &mut self,
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
        fill: &str,
        line: &str,
    ) -> std::fmt::Result {
        let (width, height) = (width * UNIT, height * UNIT);
        writeln!(
            self.out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\"/>",
            x - width / 2.0,
            y - height / 2.0
        )
    }

    fn stroke(&mut self, ink: Ink, shape: Shape) {
        let (colour, width) = match ink {
            Ink::Grid => (LINE, 1.2),
            Ink::Rail => ("#3c3c3c", 5.0),
            Ink::InnerCircuit => ("#1f7a8c", 3.0),
            Ink::OuterCircuit => ("#b5651d", 3.0),
        };
        let path = match shape {
            Shape::Line { x1, y1, x2, y2 } => {
                let ((x1, y1), (x2, y2)) = (self.place(x1, y1), self.place(x2, y2));
                format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}")
            }
            Shape::CornerLoop { x, y, radius, outward_x, outward_y } => {
                let (x1, y1) = self.place(x - outward_x * radius, y);
                let (x2, y2) = self.place(x, y - outward_y * radius);
                let sweep = u8::from(outward_x * outward_y < 0.0);
                format!("M{x1:.1} {y1:.1}A{r:.1} {r:.1} 0 1 {sweep} {x2:.1} {y2:.1}", r = radius * UNIT)
            }
        };
        let _ = writeln!(
            self.out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
        );
        if ink == Ink::Rail {
            // Sleepers: a light dashed line over the dark one.
            let _ = writeln!(
                self.out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{PAPER}\" stroke-width=\"2.4\" stroke-dasharray=\"7 6\"/>"
            );
        }
    }

    fn last(&mut self, spot: &Spot) {
        let (x, y) = self.place(spot.x, spot.y);
        let (width, height) = match spot.kind {
            SpotKind::HorizontalEdge => (1.0, 0.34),
            SpotKind::VerticalEdge => (0.34, 1.0),
            SpotKind::Button => return,
            _ => (0.98, 0.98),
        };
        let (width, height) = (width * UNIT, height * UNIT);
        let _ = writeln!(
            self.out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\" fill=\"{ACCENT}\" fill-opacity=\".38\"/>",
            x - width / 2.0,
            y - height / 2.0
        );
    }

    fn piece(&mut self, piece: &Piece, spot: &Spot, language: Language) {
        let (x, y) = self.place(spot.x, spot.y);
        let (fill, line) = match piece.side {
            Some(Side::Black) => ("url(#black)", "#000"),
            Some(Side::White) => ("url(#white)", "#7d776b"),
            None => ("#4a4a4a", "#222"),
        };
        match piece.figure {
            Figure::Stone => {
                let _ = writeln!(
                    self.out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\" stroke=\"{line}\"/>",
                    0.43 * UNIT
                );
            }
            Figure::Amazon => self.amazon(x, y, fill, line),
            Figure::Arrow => {
                let _ = self.tile(x, y, 0.82, 0.82, 4.0, "#5a6b7b", "#33414d");
                let d = 0.22 * UNIT;
                let _ = writeln!(
                    self.out,
                    "<path d=\"M{:.1} {:.1}l{e:.1} {e:.1}m0 -{e:.1}l-{e:.1} {e:.1}\" stroke=\"#e8edf2\" stroke-width=\"3\"/>",
                    x - d,
                    y - d,
                    e = 2.0 * d
                );
            }
            Figure::Line => {
                let half = 0.5 * UNIT;
                let (dx, dy) = if spot.kind == SpotKind::HorizontalEdge { (half, 0.0) } else { (0.0, half) };
                let colour = match piece.side {
                    Some(Side::Black) => "#1d3557",
                    Some(Side::White) => ACCENT,
                    None => "#33312d",
                };
                let _ = writeln!(
                    self.out,
                    "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"5\" stroke-linecap=\"round\"/>",
                    x - dx,
                    y - dy,
                    x + dx,
                    y + dy
                );
            }
            Figure::Owned => {
                let (ground, ink, letter) = match piece.side {
                    Some(Side::Black) => ("#2f3e55", "#fff", "B"),
                    _ => ("#fffdf5", "#2f3e55", "W"),
                };
                let _ = self.tile(x, y, 0.76, 0.76, 6.0, ground, LINE);
                self.text(letter, x, y, 18.0, ink);
            }
            Figure::Tile | Figure::Back => self.tile_piece(piece, x, y, language),
        }
    }

    /// A crown on a disc.
    fn amazon(&mut self, x: f32, y: f32, fill: &str, line: &str) {
        let s = UNIT / 44.0;
        let crown = [(-11.0, 8.0), (-13.0, -7.0), (-6.0, 0.0), (0.0, -11.0), (6.0, 0.0), (13.0, -7.0), (11.0, 8.0)];
        let points: Vec<String> = crown.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * s, y + dy * s)).collect();
        let ink = if fill.contains("black") { "#f3e3b3" } else { "#4a3a1a" };
        let _ = writeln!(
            self.out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\" stroke=\"{line}\"/><polygon points=\"{}\" fill=\"{ink}\"/>",
            0.43 * UNIT,
            points.join(" ")
        );
    }

    fn tile_piece(&mut self, piece: &Piece, x: f32, y: f32, language: Language) {
        let colour = if piece.side == Some(Side::Black) { "#b3261e" } else { "#22304a" };
        if piece.figure == Figure::Back {
            let _ = self.tile(x, y, 0.84, 0.56, 6.0, colour, "#111");
            let _ = self.tile(x, y, 0.66, 0.38, 4.0, "none", "#ffffff88");
            return;
        }
        let _ = self.tile(x, y, 0.84, 0.56, 6.0, "#fff6df", colour);
        let text = piece.label.map_or("", |label| label.text(language));
        // Five Latin letters fit as well as two Chinese characters, a little smaller.
        let size = if text_width(text, 15.0) > 32.0 { 12.0 } else { 15.0 };
        self.text(text, x, y, size, colour);
    }

    fn mark(&mut self, kind: MarkKind, spot: &Spot) {
        let (x, y) = self.place(spot.x, spot.y);
        let d = 0.2 * UNIT;
        let _ = match kind {
            MarkKind::Forbidden | MarkKind::Refused => {
                let colour = if kind == MarkKind::Forbidden { "#c1121f" } else { "#5f0f7a" };
                writeln!(
                    self.out,
                    "<path d=\"M{:.1} {:.1}l{e:.1} {e:.1}m0 -{e:.1}l-{e:.1} {e:.1}\" stroke=\"{colour}\" stroke-width=\"3\"/>",
                    x - d,
                    y - d,
                    e = 2.0 * d
                )
            }
            MarkKind::Remembered => writeln!(
                self.out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"#5f0f7a\" stroke-width=\"2\" \
                 stroke-dasharray=\"4 3\"/>",
                0.3 * UNIT
            ),
            MarkKind::Winning => writeln!(
                self.out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"{ACCENT}\" stroke-width=\"4\"/>",
                0.43 * UNIT
            ),
            MarkKind::FlagShown => {
                writeln!(
                    self.out,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\" fill=\"#ffd166\" stroke=\"{LINE}\"/>",
                    x + 0.40 * UNIT,
                    y - 0.30 * UNIT
                )
            }
        };
    }
}

/// Roughly how wide a text is: a Chinese character counts two Latin ones.
fn text_width(text: &str, size: f32) -> f32 {
    unicode_width::UnicodeWidthStr::width(text) as f32 * size * 0.56
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

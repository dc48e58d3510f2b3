//! A board as text for a terminal, coloured or plain.
//!
//! Lines of the board are collected as links between character cells and become box-drawing characters; pieces are
//! written over them.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{Bounds, footline, headline};
use crate::core::view::{BoardView, Figure, Ink, MarkKind, Piece, Shape, Spot, SpotKind};
use crate::core::{Language, Side};

const UP: u8 = 1;
const RIGHT: u8 = 2;
const DOWN: u8 = 4;
const LEFT: u8 = 8;

/// The box-drawing characters by the links of a cell.
const BOXES: [char; 16] = [' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// How a cell is coloured, as parameters of the terminal's SGR sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Paint {
    ink: Option<&'static str>,
    ground: Option<&'static str>,
}

const GRID_INK: &str = "38;5;240";
const RAIL_INK: &str = "1;38;5;179";
const INNER_INK: &str = "38;5;37";
const OUTER_INK: &str = "38;5;172";
const LABEL_INK: &str = "38;5;245";
const BLACK_INK: &str = "1;38;5;39";
const WHITE_INK: &str = "1;38;5;215";
const RED_INK: &str = "1;38;5;203";
const MARK_INK: &str = "1;38;5;198";
const LIGHT_GROUND: &str = "48;5;237";
const DARK_GROUND: &str = "48;5;235";
const LAST_GROUND: &str = "48;5;58";

/// The text of a view, with colours or plain.
#[must_use]
pub fn render(view: &BoardView, language: Language, colour: bool) -> String {
    let mut canvas = Canvas::for_view(view);
    canvas.board(view);
    canvas.last(view);
    for piece in &view.scene.pieces {
        if let Some(spot) = view.scene.geometry.spots.get(usize::from(piece.spot)) {
            canvas.piece(piece, spot, language);
        }
    }
    canvas.marks(view);
    for label in &view.scene.geometry.labels {
        let (column, row) = canvas.cell(label.x, label.y);
        let start = column.saturating_sub(label.text.width().saturating_sub(1) / 2);
        canvas.write(start, row, &label.text, LABEL_INK);
    }
    let mut out = canvas.into_text(colour);
    let buttons: Vec<String> = view
        .scene
        .geometry
        .spots
        .iter()
        .filter_map(|spot| spot.label.map(|label| format!("[{} {}]", spot.name, label.text(language))))
        .collect();
    for line in [buttons.join(" "), headline(view, language), footline(view, language)] {
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// A character cell; `None` is the second half of a wide character.
#[derive(Debug, Clone, Default)]
struct Cell {
    glyph: Option<char>,
    covered: bool,
    paint: Paint,
    links: u8,
    rounded: bool,
}

struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
    bounds: Bounds,
    /// Character columns and rows a board unit.
    pitch: (f32, f32),
}

impl Canvas {
    fn for_view(view: &BoardView) -> Self {
        let geometry = &view.scene.geometry;
        let has = |kind: SpotKind| geometry.spots.iter().any(|spot| spot.kind == kind);
        let loops = geometry.strokes.iter().any(|stroke| matches!(stroke.shape, Shape::CornerLoop { .. }));
        // Wide enough for what stands on a spot: two Chinese characters, a drawn line, a stone.
        let pitch = if has(SpotKind::Station) {
            (6.0, 2.0)
        } else if has(SpotKind::HorizontalEdge) || loops {
            (4.0, 2.0)
        } else if has(SpotKind::LightCell) || geometry.labels.iter().any(|label| label.text.len() > 1) {
            (3.0, 1.0)
        } else {
            (2.0, 1.0)
        };
        let bounds = Bounds::of(view, 0.5, 0.0);
        let columns = (bounds.width() * pitch.0).ceil() as usize + 3;
        let rows = (bounds.height() * pitch.1).ceil() as usize + 1;
        Self { columns, rows, cells: vec![Cell::default(); columns * rows], bounds, pitch }
    }

    /// The character cell of a place on the board.
    fn cell(&self, x: f32, y: f32) -> (usize, usize) {
        let column = ((x - self.bounds.left) * self.pitch.0).round() as usize;
        let row = ((y - self.bounds.top) * self.pitch.1).round() as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    fn at(&mut self, column: usize, row: usize) -> &mut Cell {
        let index = row.min(self.rows - 1) * self.columns + column.min(self.columns - 1);
        &mut self.cells[index]
    }

    fn write(&mut self, column: usize, row: usize, text: &str, ink: &'static str) {
        let mut column = column;
        for letter in text.chars() {
            let width = letter.to_string().width().max(1);
            if column + width > self.columns {
                return;
            }
            for offset in 0..width {
                let cell = self.at(column + offset, row);
                cell.glyph = (offset == 0).then_some(letter);
                cell.covered = offset > 0;
                cell.links = 0;
                cell.paint.ink = Some(ink);
            }
            column += width;
        }
    }

    /// Writes a text with its middle on a place.
    fn write_centred(&mut self, x: f32, y: f32, text: &str, ink: &'static str) {
        let (column, row) = self.cell(x, y);
        self.write(column.saturating_sub(text.width().saturating_sub(1) / 2), row, text, ink);
    }

    fn link(&mut self, from: (usize, usize), to: (usize, usize), ink: &'static str, rounded: bool) {
        let (mut column, mut row) = from;
        while (column, row) != to {
            let (there, back) = match (to.0.cmp(&column), to.1.cmp(&row)) {
                (std::cmp::Ordering::Greater, _) => (RIGHT, LEFT),
                (std::cmp::Ordering::Less, _) => (LEFT, RIGHT),
                (_, std::cmp::Ordering::Greater) => (DOWN, UP),
                _ => (UP, DOWN),
            };
            let paint = |cell: &mut Cell, link: u8| {
                cell.links |= link;
                cell.rounded |= rounded;
                // A railway crossing a road keeps the railway's colour.
                if cell.paint.ink.is_none_or(|old| old == GRID_INK) {
                    cell.paint.ink = Some(ink);
                }
            };
            paint(self.at(column, row), there);
            match there {
                RIGHT => column += 1,
                LEFT => column -= 1,
                DOWN => row += 1,
                _ => row -= 1,
            }
            paint(self.at(column, row), back);
        }
    }

    fn board(&mut self, view: &BoardView) {
        let geometry = &view.scene.geometry;
        for spot in &geometry.spots {
            let ground = match spot.kind {
                SpotKind::LightCell => LIGHT_GROUND,
                SpotKind::DarkCell => DARK_GROUND,
                _ => continue,
            };
            self.paint_ground(spot, ground);
        }
        for stroke in &geometry.strokes {
            let ink = match stroke.ink {
                Ink::Grid => GRID_INK,
                Ink::Rail => RAIL_INK,
                Ink::InnerCircuit => INNER_INK,
                Ink::OuterCircuit => OUTER_INK,
            };
            match stroke.shape {
                Shape::Line { x1, y1, x2, y2 } if x1 == x2 || y1 == y2 => {
                    let (from, to) = (self.cell(x1, y1), self.cell(x2, y2));
                    self.link(from, to, ink, false);
                }
                Shape::Line { x1, y1, x2, y2 } => {
                    let (column, row) = self.cell(f32::midpoint(x1, x2), f32::midpoint(y1, y2));
                    let glyph = if (x2 - x1) * (y2 - y1) > 0.0 { "╲" } else { "╱" };
                    if self.at(column, row).links == 0 {
                        self.write(column, row, glyph, ink);
                    }
                }
                Shape::CornerLoop { x, y, radius, outward_x, outward_y } => {
                    let corners = [
                        (x - outward_x * radius, y),
                        (x - outward_x * radius, y + outward_y * radius),
                        (x + outward_x * radius, y + outward_y * radius),
                        (x + outward_x * radius, y - outward_y * radius),
                        (x, y - outward_y * radius),
                    ]
                    .map(|(x, y)| self.cell(x, y));
                    for pair in corners.windows(2) {
                        self.link(pair[0], pair[1], ink, true);
                    }
                }
            }
        }
        for &(x, y) in &geometry.pips {
            self.write_centred(x, y, "•", LABEL_INK);
        }
        for spot in &geometry.spots {
            match spot.kind {
                SpotKind::LightCell | SpotKind::DarkCell => self.write_centred(spot.x, spot.y, "·", GRID_INK),
                SpotKind::Station => self.write_centred(spot.x, spot.y, "[  ]", LABEL_INK),
                SpotKind::Camp => self.write_centred(spot.x, spot.y, "(  )", INNER_INK),
                SpotKind::Headquarters => self.write_centred(spot.x, spot.y, "{  }", OUTER_INK),
                SpotKind::Point
                | SpotKind::HorizontalEdge
                | SpotKind::VerticalEdge
                | SpotKind::Box
                | SpotKind::Button => {}
            }
        }
    }

    fn paint_ground(&mut self, spot: &Spot, ground: &'static str) {
        let (column, row) = self.cell(spot.x, spot.y);
        let half = ((self.pitch.0 - 1.0) / 2.0) as usize;
        for column in column.saturating_sub(half)..=column + half {
            self.at(column, row).paint.ground = Some(ground);
        }
    }

    fn last(&mut self, view: &BoardView) {
        for &spot in &view.last {
            if let Some(spot) = view.scene.geometry.spots.get(usize::from(spot))
                && spot.kind != SpotKind::Button
            {
                self.paint_ground(spot, LAST_GROUND);
            }
        }
    }

    fn piece(&mut self, piece: &Piece, spot: &Spot, language: Language) {
        let side_ink = match piece.side {
            Some(Side::Black) => BLACK_INK,
            Some(Side::White) => WHITE_INK,
            None => LABEL_INK,
        };
        match piece.figure {
            Figure::Stone => {
                let glyph = if piece.side == Some(Side::Black) { "X" } else { "O" };
                self.write_centred(spot.x, spot.y, glyph, side_ink);
            }
            Figure::Amazon => {
                let glyph = if piece.side == Some(Side::Black) { "B" } else { "W" };
                self.write_centred(spot.x, spot.y, glyph, side_ink);
            }
            Figure::Arrow => self.write_centred(spot.x, spot.y, "#", LABEL_INK),
            Figure::Line => {
                let (dx, dy) = if spot.kind == SpotKind::HorizontalEdge { (0.5, 0.0) } else { (0.0, 0.5) };
                let (from, to) = (self.cell(spot.x - dx, spot.y - dy), self.cell(spot.x + dx, spot.y + dy));
                for row in from.1..=to.1 {
                    for column in from.0..=to.0 {
                        if (column, row) != from && (column, row) != to {
                            self.write(column, row, if dx > 0.0 { "─" } else { "│" }, side_ink);
                        }
                    }
                }
            }
            Figure::Owned => {
                let glyph = if piece.side == Some(Side::Black) { "B" } else { "W" };
                self.write_centred(spot.x, spot.y, glyph, side_ink);
            }
            Figure::Tile => {
                let text = piece.label.map_or("", |label| label.text(language));
                let room = " ".repeat(4_usize.saturating_sub(text.width()));
                let ink = if piece.side == Some(Side::Black) { RED_INK } else { BLACK_INK };
                self.write_centred(spot.x, spot.y, &format!("{text}{room}"), ink);
            }
            Figure::Back => {
                let ink = if piece.side == Some(Side::Black) { RED_INK } else { BLACK_INK };
                self.write_centred(spot.x, spot.y, "▒▒▒▒", ink);
            }
        }
    }

    fn marks(&mut self, view: &BoardView) {
        for mark in &view.scene.marks {
            let Some(spot) = view.scene.geometry.spots.get(usize::from(mark.spot)) else { continue };
            match mark.kind {
                MarkKind::Forbidden => self.write_centred(spot.x, spot.y, "!", MARK_INK),
                MarkKind::Remembered => self.write_centred(spot.x, spot.y, "x", MARK_INK),
                MarkKind::Refused => self.write_centred(spot.x, spot.y, "?", MARK_INK),
                MarkKind::Winning | MarkKind::FlagShown => self.paint_ground(spot, LAST_GROUND),
            }
        }
    }

    fn into_text(self, colour: bool) -> String {
        let mut out = String::new();
        for row in self.cells.chunks(self.columns) {
            let mut line = String::new();
            let mut painted = Paint::default();
            let used = row.iter().rposition(|cell| {
                cell.glyph.is_some_and(|glyph| glyph != ' ')
                    || cell.links != 0
                    || cell.covered
                    || cell.paint.ground.is_some()
            });
            for cell in &row[..used.map_or(0, |last| last + 1)] {
                if cell.covered {
                    continue;
                }
                if colour && cell.paint != painted {
                    painted = cell.paint;
                    let codes: Vec<&str> = [Some("0"), painted.ink, painted.ground].into_iter().flatten().collect();
                    let _ = write!(line, "\x1b[{}m", codes.join(";"));
                }
                line.push(cell.glyph.unwrap_or_else(|| cell.line()));
            }
            if colour && painted != Paint::default() {
                line.push_str("\x1b[0m");
            }
            let _ = writeln!(out, "{line}");
        }
        out
    }
}

impl Cell {
    fn line(&self) -> char {
        match self.links {
            links if self.rounded && links == DOWN | RIGHT => '╭',
            links if self.rounded && links == DOWN | LEFT => '╮',
            links if self.rounded && links == UP | RIGHT => '╰',
            links if self.rounded && links == UP | LEFT => '╯',
            links => BOXES[usize::from(links)],
        }
    }
}

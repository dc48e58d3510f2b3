//! Pictures of any [`BoardView`](crate::core::view::BoardView): one renderer for SVG, one for the terminal. Neither
//! knows a game.

pub mod svg;
pub mod terminal;

use crate::core::view::{BoardView, Shape, SpotKind};
use crate::core::{Language, Side};

/// The rectangle everything of a view fits in, in board units.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Bounds {
    /// Around everything of the board, with this much room around spots and labels.
    fn of(view: &BoardView, around_spot: f32, around_label: f32) -> Self {
        let mut bounds =
            Self { left: f32::INFINITY, top: f32::INFINITY, right: f32::NEG_INFINITY, bottom: f32::NEG_INFINITY };
        let geometry = &view.scene.geometry;
        for spot in geometry.spots.iter().filter(|spot| spot.kind != SpotKind::Button) {
            bounds.include(spot.x, spot.y, around_spot);
        }
        for &(x, y) in &geometry.pips {
            bounds.include(x, y, around_spot);
        }
        for label in &geometry.labels {
            bounds.include(label.x, label.y, around_label);
        }
        for stroke in &geometry.strokes {
            match stroke.shape {
                Shape::Line { x1, y1, x2, y2 } => {
                    bounds.include(x1, y1, around_label);
                    bounds.include(x2, y2, around_label);
                }
                Shape::CornerLoop { x, y, radius, .. } => bounds.include(x, y, radius + around_label),
            }
        }
        bounds
    }

    fn include(&mut self, x: f32, y: f32, around: f32) {
        self.left = self.left.min(x - around);
        self.right = self.right.max(x + around);
        self.top = self.top.min(y - around);
        self.bottom = self.bottom.max(y + around);
    }

    fn width(self) -> f32 {
        self.right - self.left
    }

    fn height(self) -> f32 {
        self.bottom - self.top
    }
}

/// What a player calls a side.
fn side_name(view: &BoardView, side: Side, language: Language) -> &'static str {
    view.sides[side.index()].text(language)
}

/// The line that says whose turn it is or how it ended.
#[must_use]
pub fn headline(view: &BoardView, language: Language) -> String {
    let plies = view.plies;
    match (view.verdict, language) {
        (None, Language::En) => {
            let unit = if plies == 1 { "ply" } else { "plies" };
            format!("{} to move · {plies} {unit} played", side_name(view, view.to_move, language))
        }
        (None, Language::Zh) => format!("轮到{}行棋 · 已行 {plies} 步", side_name(view, view.to_move, language)),
        (Some(verdict), _) => {
            let reason = verdict.reason.text.text(language);
            match (verdict.winner, language) {
                (Some(winner), Language::En) => format!("{} wins: {reason}", side_name(view, winner, language)),
                (Some(winner), Language::Zh) => format!("{}胜：{reason}", side_name(view, winner, language)),
                (None, Language::En) => format!("Draw: {reason}"),
                (None, Language::Zh) => format!("和棋：{reason}"),
            }
        }
    }
}

/// The notes in one line.
#[must_use]
pub fn footline(view: &BoardView, language: Language) -> String {
    let notes: Vec<String> =
        view.notes.iter().map(|note| format!("{} {}", note.label.text(language), note.value)).collect();
    notes.join(" · ")
}

//! What a person sees.

use crate::core::view::{Figure, Geometry, Mark, MarkKind, Piece, Scene};
use crate::core::{Game as _, Note, Phrase, Side};

use super::{Gomoku, Opening, Outcome, Phase, Rule};

/// Figures beside the board.
pub(super) fn notes(position: &Gomoku) -> Vec<Note> {
    let mut notes = vec![Note::new("empty", Phrase::new("Empty points", "空点"), &position.free)];
    if position.rule.has(Rule::CONTINUOUS) {
        notes.push(Note::new("black-lines", Phrase::new("Black's lines", "黑棋五连数"), &position.scores[0]));
        notes.push(Note::new("white-lines", Phrase::new("White's lines", "白棋五连数"), &position.scores[1]));
    }
    if position.opening == Opening::Swap2 {
        let seat = 1 + position.owner(Side::Black).index();
        notes.push(Note::new("black-stones", Phrase::new("Black stones: seat", "执黑席位"), &seat));
    }
    if position.watches_fouls() && !position.over() {
        let forbidden = u64::from(position.free) - position.count_legal();
        notes.push(Note::new("forbidden", Phrase::new("Forbidden points", "禁手点"), &forbidden));
    }
    notes
}

/// The board; stones are drawn in their colour, whoever owns them.
pub(super) fn draw(position: &Gomoku) -> Scene {
    let (width, height) = (position.width(), position.height());
    let number = |index: usize| index.to_string();
    let mut geometry =
        Geometry::points(width, height, |x, y| format!("{x},{y}")).labelled(width, height, number, number);
    geometry.pips = star_points(width, height);
    if matches!(position.phase, Phase::Choosing | Phase::ChoosingAgain) {
        geometry.button("swap", Phrase::new("Swap colours", "交换黑白"), (width - 1) as f32 / 2.0, height as f32 + 0.2);
    }
    let (mut pieces, mut marks) = (Vec::new(), Vec::new());
    for index in 0..width * height {
        let point = position.point_of(index as u64);
        let mut mark = |kind| marks.push(Mark { spot: index as u16, kind });
        if let Some(colour) = position.colour_at(point) {
            pieces.push(Piece::plain(index, Figure::Stone, Some(colour)));
            let won = position.outcome == Outcome::Line
                && position.stones[colour.index()].has(point)
                && (0..4).any(|direction| position.wins(colour, direction, point).is_some());
            if won || position.is_scored(colour, point) {
                mark(MarkKind::Winning);
            }
        } else if position.watches_fouls() && !position.over() && position.black_foul(point).is_some() {
            mark(MarkKind::Forbidden);
        }
    }
    Scene { geometry, pieces, marks }
}

/// The dots that help the eye: near the corners, the middle, and on large boards the middles of the sides.
fn star_points(width: usize, height: usize) -> Vec<(f32, f32)> {
    let along = |length: usize| {
        let edge = if length < 13 { 2 } else { 3 };
        let mut places = if length < 9 { Vec::new() } else { vec![edge, length - 1 - edge] };
        if length % 2 == 1 {
            places.push(length / 2);
        }
        places
    };
    let (across, down) = (along(width), along(height));
    let in_middle = |x: usize, y: usize| (2 * x + 1 == width, 2 * y + 1 == height);
    let mut pips = Vec::new();
    for &y in &down {
        for &x in &across {
            let shown = match in_middle(x, y) {
                (false, false) | (true, true) => true,
                _ => width.min(height) >= 19,
            };
            if shown {
                pips.push((x as f32, y as f32));
            }
        }
    }
    pips
}

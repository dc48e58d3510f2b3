//! The board as a picture.

use super::Junqi;
use super::board::{CAMPS, HEADQUARTERS, HEIGHT, RAILWAYS, STATIONS, WIDTH, is_plain_road, name, squares};
use super::pieces::Rank;
use super::text::seen_square;
use crate::core::view::{
    Figure, Geometry, Ink, LABEL_DISTANCE, Label, Mark, MarkKind, Piece, Scene, Spot, SpotKind, capital,
};
use crate::core::{Eyes, Side};

/// How much wider than other rows the two halves stand apart.
const FRONTIER: f32 = 0.6;
/// How far columns stand apart: tiles are wide, and the railways between them should be seen.
const SPREAD: f32 = 1.4;

/// Where a station of the view is drawn.
fn centre(seen: usize) -> (f32, f32) {
    let (row, column) = (seen / WIDTH, seen % WIDTH);
    (column as f32 * SPREAD, row as f32 + if row < HEIGHT / 2 { 0.0 } else { FRONTIER })
}

/// Spots keep the referee's order; White's names and places are turned, so that he sits at the bottom too.
fn geometry(eyes: Eyes) -> Geometry {
    let spots = (0..STATIONS)
        .map(|square| {
            let seen = seen_square(square, eyes);
            let (x, y) = centre(seen);
            let kind = if CAMPS >> square & 1 == 1 {
                SpotKind::Camp
            } else if HEADQUARTERS >> square & 1 == 1 {
                SpotKind::Headquarters
            } else {
                SpotKind::Station
            };
            Spot { name: name(seen), kind, x, y, label: None }
        })
        .collect();
    let below = if eyes == Eyes::Seat(Side::White) { Side::White } else { Side::Black };
    let mut geometry = Geometry { spots, below: Some(below), ..Geometry::default() };
    // Roads and railways look the same from both sides.
    for from in 0..STATIONS {
        for to in (from + 1..STATIONS).filter(|&to| is_plain_road(from, to)) {
            geometry.line(Ink::Grid, centre(from), centre(to));
        }
    }
    for (from, to) in RAILWAYS {
        geometry.line(Ink::Rail, centre(from), centre(to));
    }
    let columns = (0..WIDTH).map(|x| Label { text: x.to_string(), x: centre(x).0, y: -LABEL_DISTANCE });
    let rows = (0..HEIGHT).map(|y| Label { text: capital(y), x: -LABEL_DISTANCE, y: centre(y * WIDTH).1 });
    geometry.labels = columns.chain(rows).collect();
    geometry
}

/// The pieces on these stations as these eyes know them.
pub(super) fn pieces(position: &Junqi, stations: u64, eyes: Eyes) -> Vec<Piece> {
    let piece = |square| {
        let (side, rank) = position.piece_at(square)?;
        let known = position.knows(eyes, side, rank);
        let figure = if known { Figure::Tile } else { Figure::Back };
        Some(Piece { label: known.then(|| rank.label()), ..Piece::plain(square, figure, Some(side)) })
    };
    squares(stations).filter_map(piece).collect()
}

/// The board with what these eyes know of the pieces on it.
pub(super) fn draw(position: &Junqi, eyes: Eyes) -> Scene {
    let pieces = pieces(position, position.occupied(), eyes);
    let marks = Side::BOTH
        .into_iter()
        .filter(|&side| position.flag_shown(side))
        .flat_map(|side| squares(position.of_rank(side, Rank::Flag)))
        .map(|square| Mark { spot: square as u16, kind: MarkKind::FlagShown })
        .collect();
    Scene { geometry: geometry(eyes), pieces, marks }
}

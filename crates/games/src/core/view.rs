//! A picture of any game as data: where things are, what stands there, and what a person may click.

use serde::Serialize;

use super::game::Note;
use super::phrase::Phrase;
use super::side::Side;
use super::verdict::Verdict;

/// What a spot looks like and how it is hit by a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpotKind {
    /// A light square of a chequered board, one unit wide.
    LightCell,
    /// A dark square of a chequered board.
    DarkCell,
    /// A crossing of lines; pieces sit on it.
    Point,
    /// A horizontal line that can be drawn, one unit long.
    HorizontalEdge,
    /// A vertical line that can be drawn.
    VerticalEdge,
    /// A box between lines; it can be owned, not clicked.
    Box,
    /// A railway or road station.
    Station,
    /// A round camp where nobody can be attacked.
    Camp,
    /// Headquarters.
    Headquarters,
    /// A button beside the board: pass, swap.
    Button,
}

/// A place on the board. Units are the distance of neighbouring spots; x runs right, y down.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spot {
    /// Its name in the notation of the eyes that look.
    pub name: String,
    /// What it is.
    pub kind: SpotKind,
    /// Its centre.
    pub x: f32,
    /// Its centre.
    pub y: f32,
    /// The words on a button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Phrase>,
}

/// What a stroke of the board means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ink {
    /// A thin line of the grid, a road.
    Grid,
    /// A railway.
    Rail,
    /// Surakarta's inner circuit.
    InnerCircuit,
    /// Surakarta's outer circuit.
    OuterCircuit,
}

/// The shape of a stroke.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "shape")]
pub enum Shape {
    /// A straight line.
    Line {
        /// Start.
        x1: f32,
        /// Start.
        y1: f32,
        /// End.
        x2: f32,
        /// End.
        y2: f32,
    },
    /// Three quarters of a circle around a corner of the board, open towards the board.
    CornerLoop {
        /// The corner.
        x: f32,
        /// The corner.
        y: f32,
        /// The circle's radius.
        radius: f32,
        /// −1 when the board lies to the right of the corner, 1 when to the left.
        outward_x: f32,
        /// −1 when the board lies below the corner, 1 when above.
        outward_y: f32,
    },
}

/// A line of the board itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stroke {
    /// What it means.
    pub ink: Ink,
    /// Where it goes.
    #[serde(flatten)]
    pub shape: Shape,
}

/// A coordinate at the board's edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Label {
    /// The text.
    pub text: String,
    /// Its centre.
    pub x: f32,
    /// Its centre.
    pub y: f32,
}

/// The board without anything on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Geometry {
    /// Every place; others name a spot by its index here.
    pub spots: Vec<Spot>,
    /// The lines.
    pub strokes: Vec<Stroke>,
    /// Small dots: star points, the dots of Dots and Boxes.
    pub pips: Vec<(f32, f32)>,
    /// Coordinates.
    pub labels: Vec<Label>,
    /// Whose pieces begin at the lower edge; nobody's where the board looks the same to both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<Side>,
}

impl Geometry {
    /// A chequered board of squares; `name` gives each square its name, row by row from the top left.
    #[must_use]
    pub fn cells(width: usize, height: usize, name: impl Fn(usize, usize) -> String) -> Self {
        let kind =
            |x: usize, y: usize| if (x + y).is_multiple_of(2) { SpotKind::LightCell } else { SpotKind::DarkCell };
        Self { spots: spots(width, height, kind, name), ..Self::default() }
    }

    /// A board of crossing lines with pieces on the crossings.
    #[must_use]
    pub fn points(width: usize, height: usize, name: impl Fn(usize, usize) -> String) -> Self {
        let mut geometry = Self { spots: spots(width, height, |_, _| SpotKind::Point, name), ..Self::default() };
        let (right, bottom) = ((width - 1) as f32, (height - 1) as f32);
        for y in 0..height {
            geometry.line(Ink::Grid, (0.0, y as f32), (right, y as f32));
        }
        for x in 0..width {
            geometry.line(Ink::Grid, (x as f32, 0.0), (x as f32, bottom));
        }
        geometry
    }

    /// Adds a straight line.
    pub fn line(&mut self, ink: Ink, from: (f32, f32), to: (f32, f32)) {
        self.strokes.push(Stroke { ink, shape: Shape::Line { x1: from.0, y1: from.1, x2: to.0, y2: to.1 } });
    }

    /// Adds coordinates above the columns and left of the rows of a `width` × `height` board whose first spot is at
    /// (0, 0).
    #[must_use]
    pub fn labelled(
        mut self,
        width: usize,
        height: usize,
        column: impl Fn(usize) -> String,
        row: impl Fn(usize) -> String,
    ) -> Self {
        for x in 0..width {
            self.labels.push(Label { text: column(x), x: x as f32, y: -LABEL_DISTANCE });
        }
        for y in 0..height {
            self.labels.push(Label { text: row(y), x: -LABEL_DISTANCE, y: y as f32 });
        }
        self
    }

    /// Says whose pieces begin at the lower edge: a page turns the board for the other side.
    #[must_use]
    pub fn seen_from(mut self, side: Side) -> Self {
        self.below = Some(side);
        self
    }

    /// Adds a button below a board of this size and says which spot it is.
    pub fn button(&mut self, name: &str, label: Phrase, x: f32, y: f32) -> u16 {
        self.spots.push(Spot { name: name.to_owned(), kind: SpotKind::Button, x, y, label: Some(label) });
        (self.spots.len() - 1) as u16
    }
}

/// How far coordinates stand from the first row or column.
pub const LABEL_DISTANCE: f32 = 0.9;

/// `A`, `B`, … : the coordinate of a column or row in most games.
#[must_use]
pub fn capital(index: usize) -> String {
    ((b'A' + index as u8) as char).to_string()
}

fn spots(
    width: usize,
    height: usize,
    kind: impl Fn(usize, usize) -> SpotKind,
    name: impl Fn(usize, usize) -> String,
) -> Vec<Spot> {
    (0..width * height)
        .map(|index| {
            let (x, y) = (index % width, index / width);
            Spot { name: name(x, y), kind: kind(x, y), x: x as f32, y: y as f32, label: None }
        })
        .collect()
}

/// What a piece looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// A round stone.
    Stone,
    /// An amazon.
    Amazon,
    /// A square shot at.
    Arrow,
    /// A line that was drawn.
    Line,
    /// A box that is owned.
    Owned,
    /// A piece with its rank on it.
    Tile,
    /// The back of a piece.
    Back,
}

/// A thing on a spot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The spot.
    pub spot: u16,
    /// What it looks like.
    pub figure: Figure,
    /// Whose it is; nobody's for arrows.
    pub side: Option<Side>,
    /// The words on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Phrase>,
}

impl Piece {
    /// A piece without words on it.
    #[must_use]
    pub fn plain(spot: usize, figure: Figure, side: Option<Side>) -> Self {
        Self { spot: spot as u16, figure, side, label: None }
    }
}

/// What a mark says of its spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// The side to move would lose at once here.
    Forbidden,
    /// A try here was refused.
    Refused,
    /// A try here was refused in an earlier turn, and nothing has shown since that it would not be again.
    Remembered,
    /// Part of the line that won, or that scored.
    Winning,
    /// A flag that had to be shown.
    FlagShown,
}

/// A mark on a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The spot.
    pub spot: u16,
    /// What it says.
    pub kind: MarkKind,
}

/// What a game draws: the board, what stands on it, and marks.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Scene {
    /// The board.
    pub geometry: Geometry,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Marks.
    pub marks: Vec<Mark>,
}

/// One click of a ply, and what may follow it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Click {
    /// The spot to click.
    pub spot: u16,
    /// The ply that is complete with this click, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<String>,
    /// The clicks that may follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Click>,
}

/// The legal click paths as a tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Clicks {
    /// First clicks.
    pub tree: Vec<Click>,
    /// False when there are too many paths to list: then only first clicks are here, and the rest is asked for click
    /// by click.
    pub complete: bool,
}

/// Everything a renderer or a page needs to show a position to one pair of eyes and let a person play.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardView {
    /// The game's id.
    pub game: &'static str,
    /// What the players call the two sides.
    pub sides: [Phrase; 2],
    /// The eyes it is made for: `all`, `black` or `white`.
    pub eyes: &'static str,
    /// Whose turn it is.
    pub to_move: Side,
    /// How many plies were played.
    pub plies: u32,
    /// The end, once there is one.
    pub verdict: Option<Verdict>,
    /// The board, pieces and marks.
    #[serde(flatten)]
    pub scene: Scene,
    /// The spots of the last ply, where these eyes may know it.
    pub last: Vec<u16>,
    /// What may be clicked now by these eyes.
    pub clicks: Clicks,
    /// Figures beside the board.
    pub notes: Vec<Note>,
}

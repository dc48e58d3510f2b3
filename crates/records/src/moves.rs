//! Plies as points, which is how the formats of others see them.

use games::core::text::{Fields, letters, write_rows};
use games::gomoku::GomokuVariant;
use games::{Eyes, Side, Table};
use serde_json::Value;

use crate::record::{PlyEnd, Record, RecordedPly};
use crate::remark::Remark;

/// A point: column and row, from 0, from the top left.
pub(crate) type Point = (usize, usize);

/// What one colour did: points in the order of the ply, none for a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) colour: Side,
    pub(crate) points: Vec<Point>,
    pub(crate) ms: Option<u64>,
}

/// A game as coloured points.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) actions: Vec<Action>,
    /// Which seat has the black stones; another one than Black's only after gomoku's swaps.
    pub(crate) black: Side,
}

impl Moves {
    /// The colour of a seat.
    pub(crate) fn colour(&self, seat: Side) -> Side {
        if self.black == Side::Black { seat } else { seat.other() }
    }
}

/// The board of the games that are played on points; nothing for the others.
pub(crate) fn board_of(table: &dyn Table) -> Option<(usize, usize)> {
    let variant = table.variant();
    let size = || variant.get("size").and_then(Value::as_u64).map(|size| (size as usize, size as usize));
    match table.facts().id {
        "amazons" => Some((10, 10)),
        "phantom-go" => Some((9, 9)),
        "nogo" | "connect6" => size(),
        "gomoku" => serde_json::from_value::<GomokuVariant>(variant).ok().map(|variant| variant.board()),
        _ => None,
    }
}

/// The plies of a replayed record as coloured points. Says what that loses.
pub(crate) fn moves_of(record: &Record, table: &dyn Table, lost: &mut Vec<Remark>) -> Moves {
    let gomoku = table.facts().id == "gomoku";
    let mut moves = Moves { actions: Vec::new(), black: Side::Black };
    let mut refused = false;
    let mut swapping = false;
    let mut several = false;
    for (index, step) in record.plies.iter().enumerate() {
        if step.end == PlyEnd::Refused {
            refused = true;
            continue;
        }
        let Some(text) = table.step(index, Eyes::All).and_then(|step| step.ply) else { continue };
        if !gomoku {
            moves.actions.push(Action { colour: step.mover, points: lettered(&text), ms: step.ms });
            continue;
        }
        // Whatever the seats agree on in swap2, the stones go down by turns.
        let points = numbered(&text);
        several |= points.len() > 1;
        let first = match points.len() {
            1 => moves.colour(step.mover),
            2 => Side::White,
            _ => Side::Black,
        };
        for (place, point) in points.iter().enumerate() {
            let colour = if place % 2 == 0 { first } else { first.other() };
            let ms = if place == 0 { step.ms } else { step.ms.map(|_| 0) };
            moves.actions.push(Action { colour, points: vec![*point], ms });
        }
        if points.is_empty() || points.len() == 2 {
            swapping = true;
            moves.black = moves.black.other();
        }
    }
    if refused {
        lost.push(Remark::new("the tries the referee refused", "被裁判拒绝的着法"));
    }
    if swapping || several {
        lost.push(Remark::new("who placed and who chose in the swap2 opening", "swap2 开局中由谁摆子、由谁选色"));
    }
    moves
}

/// The points of a ply in letters; none for a pass.
fn lettered(text: &str) -> Vec<Point> {
    let index = |byte: u8| usize::from(byte.wrapping_sub(b'A'));
    let pairs = text.as_bytes().chunks_exact(2);
    pairs.filter(|pair| pair.iter().all(u8::is_ascii_uppercase)).map(|pair| (index(pair[0]), index(pair[1]))).collect()
}

/// The points of a ply in numbers; none for a swap.
fn numbered(text: &str) -> Vec<Point> {
    let point = |part: &str| {
        let (x, y) = part.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    text.split('+').filter_map(point).collect()
}

/// The plies of a game that others have written as coloured points, all of them on the board.
pub(crate) fn plies_of(game: &str, actions: Vec<Action>) -> Vec<RecordedPly> {
    let mut grouped: Vec<Action> = Vec::new();
    for action in actions {
        // Connect6 is often written stone by stone.
        let room = |last: &Action| last.points.len() + action.points.len() <= 2;
        match grouped.last_mut() {
            Some(last) if game == "connect6" && last.colour == action.colour && room(last) => {
                last.points.extend(action.points);
            }
            _ => grouped.push(action),
        }
    }
    let ply = |action: Action| RecordedPly {
        mover: action.colour,
        ply: ply_text(game, &action.points),
        end: PlyEnd::Played,
        ms: action.ms,
        stall_ms: None,
    };
    grouped.into_iter().map(ply).collect()
}

fn ply_text(game: &str, points: &[Point]) -> String {
    match (game, points) {
        ("gomoku", points) => points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join("+"),
        (_, []) => "pass".to_owned(),
        ("connect6", [(x, y)]) => letters(*x, *y) + "@@",
        (_, points) => points.iter().map(|(x, y)| letters(*x, *y)).collect(),
    }
}

/// What stands on the board where a game starts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Setup {
    pub(crate) black: Vec<Point>,
    pub(crate) white: Vec<Point>,
    pub(crate) arrows: Vec<Point>,
}

impl Setup {
    pub(crate) const fn is_empty(&self) -> bool {
        self.black.is_empty() && self.white.is_empty() && self.arrows.is_empty()
    }

    /// Of a table; the rows come first in every position text.
    pub(crate) fn of(table: &dyn Table) -> Self {
        let mut setup = Self::default();
        let position = table.position(Eyes::All);
        if let (Some((width, height)), Ok(board)) = (board_of(table), Fields::new(&position).required("board")) {
            let read = board.rows(width, height, |x, y, letter| {
                match letter.to_ascii_lowercase() {
                    'b' => setup.black.push((x, y)),
                    'w' => setup.white.push((x, y)),
                    _ => setup.arrows.push((x, y)),
                }
                true
            });
            debug_assert!(read.is_ok(), "a position text of this very table");
        }
        setup
    }

    /// The position text, with this side to move.
    pub(crate) fn position(&self, width: usize, height: usize, to_move: Side) -> String {
        let mut out = String::new();
        write_rows(&mut out, width, height, |x, y| {
            let has = |points: &[Point]| points.contains(&(x, y));
            match (has(&self.black), has(&self.white), has(&self.arrows)) {
                (true, ..) => Some('b'),
                (_, true, _) => Some('w'),
                (.., true) => Some('x'),
                _ => None,
            }
        });
        out.push(' ');
        out.push(to_move.letter());
        out
    }
}

/// Whether a record starts from the game's usual position.
pub(crate) fn starts_as_usual(record: &Record, table: &dyn Table) -> bool {
    record.position.is_none() && table.starts().is_empty()
}

/// Says which options other than the defaults are lost, but for those a format keeps.
pub(crate) fn say_lost_options(table: &dyn Table, kept: &[&str], lost: &mut Vec<Remark>) {
    let options = changed_options(table).into_iter().filter(|(key, _)| !kept.contains(&key.as_str()));
    let list: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
    if !list.is_empty() {
        let list = list.join(", ");
        lost.push(Remark::new(format!("options of the game: {list}"), format!("棋种选项：{list}")));
    }
}

/// The options that are not at their defaults.
pub(crate) fn changed_options(table: &dyn Table) -> Vec<(String, Value)> {
    let defaults = games::find(table.facts().id).map_or(Value::Null, games::Listing::defaults);
    match table.variant() {
        Value::Object(map) => map.into_iter().filter(|(key, value)| defaults.get(key) != Some(value)).collect(),
        _ => Vec::new(),
    }
}

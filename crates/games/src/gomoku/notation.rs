//! Plies and positions as texts.

use std::fmt::Write as _;

use crate::core::text::{Fields, write_rows};
use crate::core::{Fault, Game as _, Side, reasons};

use super::lines::MOST;
use super::{Foul, Gomoku, GomokuVariant, Opening, Outcome, Phase, Ply, Point, Rule};

/// Reads a ply; several stones of one ply are joined by `+` or, as in the protocol's answers, by blanks.
pub(super) fn read_ply(position: &Gomoku, text: &str) -> Result<Ply, Fault> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("swap") {
        return Ok(Ply::Swap);
    }
    let malformed = || Fault::at(&reasons::MALFORMED, text);
    let mut points = [Point { x: 0, y: 0 }; 3];
    let mut count = 0;
    let mut rest = text;
    while count == 0 || !rest.is_empty() {
        let (x, after) = read_number(rest).ok_or_else(malformed)?;
        let after = after.trim_start().strip_prefix(',').ok_or_else(malformed)?;
        let (y, after) = read_number(after.trim_start()).ok_or_else(malformed)?;
        let point = Point::new(x, y);
        if !position.on_board(point) {
            return Err(Fault::at(&reasons::OFF_BOARD, &format!("{x},{y}")));
        }
        *points.get_mut(count).ok_or_else(malformed)? = point;
        count += 1;
        let next = after.trim_start();
        rest = match next.strip_prefix('+') {
            Some(more) if !more.trim_start().is_empty() => more.trim_start(),
            None if next.is_empty() || next.len() < after.len() => next,
            _ => return Err(malformed()),
        };
    }
    let [first, second, third] = points;
    Ok(match count {
        1 => Ply::One(first),
        2 => Ply::Two([first, second]),
        _ => Ply::Three([first, second, third]),
    })
}

/// A number at the start of a text and what follows it. One too large for any board stays too large.
fn read_number(text: &str) -> Option<(usize, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    let value = digits
        .bytes()
        .fold(0, |value: usize, digit| value.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    (length > 0).then_some((value, rest))
}

/// Appends a ply's text.
pub(super) fn write_ply(ply: Ply, out: &mut String) {
    if ply == Ply::Swap {
        out.push_str("swap");
    }
    for (index, point) in ply.points().iter().enumerate() {
        let _ = write!(out, "{}{point}", if index > 0 { "+" } else { "" });
    }
}

/// Reads a position: its rows, or the plies that lead to it.
pub(super) fn read_position(variant: &GomokuVariant, text: &str) -> Result<Gomoku, Fault> {
    let mut fields = Fields::new(text);
    let board = fields.required("board")?;
    if board.text.contains(',') {
        return read_plies(variant, Fields::new(text));
    }
    let mut position = Gomoku::empty_board(variant);
    let continuous = variant.rule.has(Rule::CONTINUOUS);
    board.rows(position.width(), position.height(), |x, y, letter| {
        let Some(colour) = Side::from_letter(letter.to_ascii_lowercase()) else { return false };
        let scored = letter.is_ascii_uppercase();
        let point = Point::new(x, y);
        if scored && !continuous {
            return false;
        }
        position.place(colour, point);
        position.set_scored(colour, point, scored);
        true
    })?;
    position.to_move = fields.side()?;
    position.plies = fields.number(0)?;
    while let Some(field) = fields.optional() {
        let unknown = || field.fault(&reasons::BAD_POSITION);
        if field.text == "swapped" && variant.opening == Opening::Swap2 && !position.swapped {
            position.swapped = true;
        } else if continuous && position.scores == [0; 2] {
            let (black, white) = field.text.split_once('-').ok_or_else(unknown)?;
            let score = |digits: &str| match read_number(digits) {
                Some((score, "")) => Ok(score.min(MOST * MOST) as u16),
                _ => Err(unknown()),
            };
            position.scores = [score(black)?, score(white)?];
        } else if variant.rule.has(Rule::RENJU) && position.outcome == Outcome::Open {
            position.outcome = Outcome::Foul(Foul::from_code(field.text).ok_or_else(unknown)?);
        } else {
            return Err(unknown());
        }
    }
    position.phase = phase_of(&position)?;
    check_scores(&position)?;
    position.outcome = outcome_of(&mut position)?;
    if position.is_stuck() {
        position.outcome = Outcome::Stuck;
    }
    Ok(position)
}

fn impossible(place: &str) -> Fault {
    Fault::at(&reasons::IMPOSSIBLE, place)
}

/// Whether the stones in scored lines can be as many lines as the score says.
fn check_scores(position: &Gomoku) -> Result<(), Fault> {
    for colour in Side::BOTH {
        // A line has five stones or more, and lines made by one stone share only that stone.
        let score = u32::from(position.scores[colour.index()]);
        let stones: u32 = position.scored[colour.index()].iter().map(|row| row.count_ones()).sum();
        if stones < 4 * score + score.div_ceil(4) || stones > MOST as u32 * score {
            return Err(impossible(&format!("score {}-{}", position.scores[0], position.scores[1])));
        }
    }
    Ok(())
}

/// How a position that was read stands: a foul it names must be there, and so a line it does not name.
fn outcome_of(position: &mut Gomoku) -> Result<Outcome, Fault> {
    if position.rule.has(Rule::CONTINUOUS) {
        return Ok(Outcome::Open);
    }
    let mover = position.colour_to_move();
    if let Some(point) = position.line_of(mover) {
        return Err(impossible(&format!("line at {point}")));
    }
    if let Outcome::Foul(foul) = position.outcome {
        let stones: Vec<Point> = position.all_stones(Side::Black).collect();
        let committed = mover == Side::White
            && stones.into_iter().any(|point| {
                position.lift(Side::Black, point);
                let found = position.black_foul(point);
                position.place(Side::Black, point);
                found == Some(foul)
            });
        return if committed { Ok(position.outcome) } else { Err(impossible(foul.reason().code)) };
    }
    if position.line_of(mover.other()).is_some() {
        return Ok(Outcome::Line);
    }
    let overline = |point: &Point| {
        (0..4).any(|direction| position.stones[Side::Black.index()].run(direction, *point).length() > 5)
    };
    match position.all_stones(Side::Black).find(overline) {
        Some(point) if position.rule.has(Rule::RENJU) => Err(impossible(&format!("overline at {point}"))),
        _ => Ok(Outcome::Open),
    }
}

/// Reads plies from the empty board: the other form of a position text.
fn read_plies(variant: &GomokuVariant, mut fields: Fields<'_>) -> Result<Gomoku, Fault> {
    let mut position = Gomoku::empty_board(variant);
    while let Some(field) = fields.optional() {
        let read = position.read_ply(field.text).and_then(|ply| position.play(ply));
        read.map_err(|fault| fault.after(field.offset))?;
    }
    Ok(position)
}

/// The phase of a position that was read: in swap2 the numbers of plies and stones tell it.
fn phase_of(position: &Gomoku) -> Result<Phase, Fault> {
    if position.opening == Opening::None {
        return Ok(Phase::Playing);
    }
    let stones = Side::BOTH.map(|colour| position.all_stones(colour).count());
    let at = |to_move, swapped| position.to_move == to_move && position.swapped == swapped;
    match (position.plies, stones) {
        (0, [0, 0]) if at(Side::Black, false) => Ok(Phase::Placing),
        (1, [2, 1]) if at(Side::White, false) => Ok(Phase::Choosing),
        (2, [3, 2]) if at(Side::Black, true) => Ok(Phase::ChoosingAgain),
        (0, [0, 0]) | (1, [2, 1]) | (2, [3, 2]) => Err(impossible("turn in swap2")),
        _ => Ok(Phase::Playing),
    }
}

/// Appends a position's text.
pub(super) fn write_position(position: &Gomoku, out: &mut String) {
    write_rows(out, position.width(), position.height(), |x, y| {
        let point = Point::new(x, y);
        let colour = position.colour_at(point)?;
        let letter = colour.letter();
        Some(if position.is_scored(colour, point) { letter.to_ascii_uppercase() } else { letter })
    });
    let _ = write!(out, " {} {}", position.to_move.letter(), position.plies);
    if position.swapped {
        out.push_str(" swapped");
    }
    if position.scores != [0; 2] {
        let _ = write!(out, " {}-{}", position.scores[0], position.scores[1]);
    }
    if let Outcome::Foul(foul) = position.outcome {
        let _ = write!(out, " {}", foul.reason().code);
    }
}

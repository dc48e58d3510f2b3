//! Plies and positions as texts.

use std::fmt::Write as _;

use super::board::{HEIGHT, WIDTH, name, squares, write_name};
use super::facts::{MISPLACED, NO_FLAG, TOO_MANY};
use super::pieces::{BAD_SET_UP, PIECES, Rank, check_set_up, slot_square, slot_squares};
use super::{Junqi, JunqiVariant, Ply, turned_square};
use crate::core::text::{Fields, write_rows};
use crate::core::{Eyes, Fault, Game as _, Side, Verdict, reasons};

/// Reads 25 letters of a set-up or the four characters of a move.
pub(super) fn read_ply(text: &str) -> Result<Ply, Fault> {
    let text = text.trim();
    let malformed = || Fault::at(&reasons::MALFORMED, text);
    let bytes = text.as_bytes();
    if bytes.len() == PIECES {
        let mut set_up = [Rank::Flag; PIECES];
        for (rank, &byte) in set_up.iter_mut().zip(bytes) {
            *rank = Rank::from_letter(byte as char).ok_or_else(malformed)?;
        }
        return Ok(Ply::SetUp(set_up));
    }
    let &[from_row, from_column, to_row, to_column] = bytes else { return Err(malformed()) };
    let point = |row: u8, column: u8, offset: usize| {
        if !row.is_ascii_alphabetic() || !column.is_ascii_digit() {
            return Err(malformed());
        }
        let (y, x) = (usize::from(row.to_ascii_uppercase() - b'A'), usize::from(column - b'0'));
        if y < HEIGHT && x < WIDTH {
            Ok((y * WIDTH + x) as u8)
        } else {
            Err(Fault::at(&reasons::OFF_BOARD, &text[offset..offset + 2]).after(offset))
        }
    };
    // Both points are well formed before one of them can be off the board.
    match (point(from_row, from_column, 0), point(to_row, to_column, 2)) {
        (Ok(from), Ok(to)) => Ok(Ply::Move { from, to }),
        (_, Err(fault)) if fault.reason == &reasons::MALFORMED => Err(fault),
        (Err(fault), _) | (_, Err(fault)) => Err(fault),
    }
}

/// The same fault with its stations as the other player calls them.
pub(super) fn turned_fault(fault: Fault) -> Fault {
    let square = |pair: &[u8]| match *pair {
        [row @ b'A'..=b'L', column @ b'0'..=b'4'] => Some((row - b'A') * WIDTH as u8 + (column - b'0')),
        _ => None,
    };
    // A place is a station, or a ply of two.
    let squares: Option<Vec<u8>> = fault.place.as_bytes().chunks(2).map(square).collect();
    let Some(squares) = squares else { return fault };
    let turned: String = squares.into_iter().map(|square| name(usize::from(turned_square(square)))).collect();
    Fault { offset: fault.offset, ..Fault::at(fault.reason, &turned) }
}

/// Appends a ply.
pub(super) fn write_ply(ply: Ply, out: &mut String) {
    match ply {
        Ply::SetUp(set_up) => out.extend(set_up.map(Rank::letter)),
        Ply::Move { from, to } => {
            write_name(usize::from(from), out);
            write_name(usize::from(to), out);
        }
    }
}

/// The station in the view of these eyes: White sees the board turned.
pub(super) const fn seen_square(square: usize, eyes: Eyes) -> usize {
    match eyes {
        Eyes::Seat(Side::White) => turned_square(square as u8) as usize,
        Eyes::All | Eyes::Seat(Side::Black) => square,
    }
}

impl Junqi {
    /// Whether these eyes may know what stands on an occupied station.
    pub(super) fn knows(&self, eyes: Eyes, owner: Side, rank: Rank) -> bool {
        eyes.sees(owner) || (rank == Rank::Flag && self.flag_shown(owner))
    }
}

const fn piece_letter(side: Side, rank: Rank) -> char {
    match side {
        Side::Black => rank.letter().to_ascii_uppercase(),
        Side::White => rank.letter(),
    }
}

/// Appends the board (first player's pieces in capitals, `?` for what these eyes do not know), the side to move, the
/// plies without contact, the flags shown, the plies played.
pub(super) fn write_position(position: &Junqi, eyes: Eyes, out: &mut String) {
    write_rows(out, WIDTH, HEIGHT, |x, y| {
        let (side, rank) = position.piece_at(seen_square(y * WIDTH + x, eyes))?;
        Some(if position.knows(eyes, side, rank) { piece_letter(side, rank) } else { '?' })
    });
    let (to_move, shown) = (position.to_move().letter(), shown_text(position));
    let _ = write!(out, " {to_move} {} {shown} {}", position.quiet, position.plies);
}

fn shown_text(position: &Junqi) -> &'static str {
    match Side::BOTH.map(|side| position.flag_shown(side)) {
        [false, false] => "-",
        [true, false] => "b",
        [false, true] => "w",
        [true, true] => "bw",
    }
}

/// Reads what [`write_position`] writes for the referee.
pub(super) fn read_position(variant: &JunqiVariant, text: &str) -> Result<Junqi, Fault> {
    let mut fields = Fields::new(text);
    let mut position = Junqi::empty(variant);
    fields.required("board")?.rows(WIDTH, HEIGHT, |x, y, letter| {
        let side = if letter.is_ascii_uppercase() { Side::Black } else { Side::White };
        Rank::from_letter(letter).map(|rank| position.put(side, y * WIDTH + x, rank)).is_some()
    })?;
    let to_move = fields.side()?;
    let quiet_field = fields.required("quiet plies")?;
    let shown_field = fields.required("flags shown")?;
    let plies_field = fields.required("plies")?;
    fields.finish()?;
    position.quiet = quiet_field.number()?;
    position.plies = plies_field.number()?;
    check_pieces(&position)?;
    if position.to_move() != to_move || !is_set_up_as_far(&position) {
        return Err(plies_field.fault(&reasons::IMPOSSIBLE));
    }
    let longest = position.plies.saturating_sub(2).min(if variant.steps > 0 { variant.steps } else { u32::MAX });
    if position.quiet > longest {
        return Err(quiet_field.fault(&reasons::IMPOSSIBLE));
    }
    if shown_field.text != shown_text(&position) {
        return Err(shown_field.fault(&reasons::IMPOSSIBLE));
    }
    position.verdict = if position.plies > 2 {
        // Only the flag of the side to move can be gone: the ply before took it.
        let mover = to_move.other();
        if position.pieces(mover) & position.flags() == 0 {
            return Err(Fault::at(&NO_FLAG, piece_letter(mover, Rank::Flag).encode_utf8(&mut [0; 4])));
        }
        position.judged()
    } else {
        // A bad set-up leaves nothing on the board.
        let lost = |side: Side| position.plies as usize > side.index() && position.pieces(side) == 0;
        Side::BOTH
            .into_iter()
            .find(|&side| lost(side))
            .map(|side| Verdict::win(side.other(), &BAD_SET_UP, position.plies))
    };
    Ok(position)
}

/// No more pieces than a side has, and none where it can never be.
fn check_pieces(position: &Junqi) -> Result<(), Fault> {
    for side in Side::BOTH {
        for rank in Rank::ALL {
            let stations = position.of_rank(side, rank);
            let letter = piece_letter(side, rank);
            if stations.count_ones() as usize > rank.count() {
                return Err(Fault::at(&TOO_MANY, letter.encode_utf8(&mut [0; 4])));
            }
            if let Some(square) = squares(stations & !rank.places(side)).next() {
                return Err(Fault::at(&MISPLACED, &format!("{letter} {}", name(square))));
            }
        }
    }
    Ok(())
}

/// Whether the sides have set up exactly as far as the plies say; the last set-up may have been a bad one.
fn is_set_up_as_far(position: &Junqi) -> bool {
    let good = |side: Side| {
        position.pieces(side) == slot_squares(side)
            && check_set_up(&std::array::from_fn(|slot| position.rank_at(slot_square(slot, side)))).is_ok()
    };
    let none = |side: Side| position.pieces(side) == 0;
    match position.plies {
        0 => none(Side::Black) && none(Side::White),
        1 => (good(Side::Black) || none(Side::Black)) && none(Side::White),
        2 => good(Side::Black) && (good(Side::White) || none(Side::White)),
        _ => true,
    }
}

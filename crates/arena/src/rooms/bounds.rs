//! How many unfinished rooms there may be. What counts for an address cannot be had again with a fresh cookie.

use super::play::looks_ahead;
use super::{NewRoom, Room, RoomsError};
use crate::settings::Limits;
use crate::store::{Phase, SeatKind, SeatRow};

/// Games of an address in which only programs play and one of them looks ahead: people who play against such a program wait
/// for a core behind these.
pub(crate) const MOST_WATCHED: usize = 8;

/// An unfinished room beside the one that is asked for.
struct Other {
    /// Made by the same visitor.
    own: bool,
    /// Made from the same address. Whoever sits at the machine itself keeps nobody out but himself.
    here: bool,
    engine: bool,
    watched: bool,
}

/// Refuses a room beyond what the server, a visitor or an address may have at once.
pub(super) fn check<'a>(
    new: &NewRoom,
    rooms: impl Iterator<Item = &'a Room>,
    limits: &Limits,
) -> Result<(), RoomsError> {
    let others: Vec<Other> = rooms.filter_map(|room| other(new, room)).collect();
    let count = |wanted: fn(&Other) -> bool| others.iter().filter(|other| wanted(other)).count();
    if others.len() >= limits.live_rooms {
        return Err(RoomsError::Full);
    }
    if count(|other| other.own) >= limits.rooms_per_visitor {
        return Err(RoomsError::TooMany);
    }
    if count(|other| other.here) >= limits.rooms_per_address {
        return Err(RoomsError::TooManyHere);
    }
    if has_engine(&new.seats) {
        // Half of the places, so that others find one.
        if count(|other| other.engine && other.here) >= limits.engine_rooms.div_ceil(2) {
            return Err(RoomsError::EnginesHere);
        }
        if count(|other| other.engine) >= limits.engine_rooms {
            return Err(RoomsError::EnginesBusy);
        }
    }
    if is_watched(&new.seats) && count(|other| other.watched && other.here) >= MOST_WATCHED {
        return Err(RoomsError::WatchedHere);
    }
    Ok(())
}

fn other(new: &NewRoom, room: &Room) -> Option<Other> {
    let state = room.state();
    let row = &state.row;
    (row.phase != Phase::Finished).then(|| Other {
        own: row.creator == new.creator,
        here: room.address == Some(new.address) && !new.address.is_loopback(),
        engine: has_engine(&row.seats),
        watched: is_watched(&row.seats),
    })
}

fn has_engine(seats: &[SeatRow; 2]) -> bool {
    seats.iter().any(|seat| seat.kind == SeatKind::Engine)
}

/// Whether only programs play, one of which looks ahead.
fn is_watched(seats: &[SeatRow; 2]) -> bool {
    let people = seats.iter().any(|seat| matches!(seat.kind, SeatKind::Person | SeatKind::Open));
    !people && seats.iter().any(looks_ahead)
}

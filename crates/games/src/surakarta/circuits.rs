//! The two circuits and what a run along them meets.
//!
//! Each circuit is a ring of 24 stations, a straight of six after every corner loop; a point where a circuit crosses
//! itself is two stations of its ring. With the pieces of a ring in a word, the first piece that a run meets is the
//! nearest set bit to either side.

use super::SIZE;

const STATIONS: usize = 24;
const RING: u64 = (1 << STATIONS) - 1;
/// Where the runs of a point without circuits go: a bit that is no point of the board.
const NOWHERE: u8 = 63;

/// By circuit, inner (lines B and E) before outer (C and D): the points of its stations, twice over so that a run need
/// not wrap. The third ring is that of points which lie on one circuit or none.
static RINGS: [[u8; 64]; 4] = {
    let mut rings = [[NOWHERE; 64]; 4];
    let mut circuit = 0;
    while circuit < 2 {
        let (near, far) = (circuit + 1, SIZE - 2 - circuit);
        let mut station = 0;
        while station < STATIONS * 2 {
            let step = station % SIZE;
            let back = SIZE - 1 - step;
            // Right along the upper row, down the right column, left along the lower row, up the left column.
            let (x, y) = match station / SIZE % 4 {
                0 => (step, near),
                1 => (far, step),
                2 => (back, far),
                _ => (near, back),
            };
            rings[circuit][station] = (y * SIZE + x) as u8;
            station += 1;
        }
        circuit += 1;
    }
    rings
};

/// What a piece on a point takes of the rings, and the stations it can start from.
#[derive(Clone, Copy)]
struct Place {
    taken: u64,
    stops: [Stop; 2],
}

#[derive(Clone, Copy)]
struct Stop {
    circuit: u8,
    station: u8,
}

static PLACES: [Place; 64] = {
    let mut places = [Place { taken: 0, stops: [Stop { circuit: 2, station: 0 }; 2] }; 64];
    let mut circuit = 0;
    while circuit < 2 {
        let mut station = 0;
        while station < STATIONS {
            let place = &mut places[RINGS[circuit][station] as usize];
            // A point lies on one row and one column, so there are never more than two.
            let stop = (place.taken != 0) as usize;
            place.stops[stop] = Stop { circuit: circuit as u8, station: station as u8 };
            place.taken |= 1 << (circuit * STATIONS + station);
            station += 1;
        }
        circuit += 1;
    }
    places
};

/// The stations that are taken: the inner ring's in the lowest 24 bits, the outer ring's above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Circuits(u64);

impl Circuits {
    /// Takes the stations of an empty point, or frees those of a taken one.
    #[inline]
    pub(super) fn toggle(&mut self, point: usize) {
        self.0 ^= PLACES[point % 64].taken;
    }

    /// The points, as bits, of the pieces that runs from this point meet after at least one loop. The point itself and
    /// bits that are no points may be among them.
    #[inline]
    pub(super) fn met(self, from: usize) -> u64 {
        let place = &PLACES[from % 64];
        // The point left behind is empty, wherever the run comes past it again.
        let others = self.0 & !place.taken;
        let mut met = 0;
        for Stop { circuit, station } in place.stops {
            let ring = &RINGS[usize::from(circuit) % 4];
            let station = usize::from(station) % STATIONS;
            let step = station % SIZE;
            let once = others >> (usize::from(circuit) % 4 * STATIONS) & RING;
            let around = once | once << STATIONS;
            // Past the last bit and before the first stand guards, so that a run along an empty ring ends nowhere, or
            // where it began.
            let ahead = ((around | 1 << NOWHERE) >> (station + 1)).trailing_zeros() as usize + 1;
            let behind = (around << (64 - STATIONS - station) | 1).leading_zeros() as usize + 1;
            // A run that ends on the straight it began on has come through no loop.
            met |= u64::from(step + ahead >= SIZE) << (ring[(station + ahead) % 64] % 64);
            met |= u64::from(behind > step) << (ring[(station + STATIONS).wrapping_sub(behind) % 64] % 64);
        }
        met
    }
}

#[cfg(test)]
mod tests {
    use super::super::POINTS;
    use super::*;

    #[test]
    fn corners_lie_on_no_circuit_edges_on_one_line_and_the_rest_on_two() {
        for (point, place) in PLACES.iter().enumerate().take(POINTS) {
            let inside = |at: usize| u32::from((1..SIZE - 1).contains(&at));
            assert_eq!(place.taken.count_ones(), inside(point % SIZE) + inside(point / SIZE), "{point}");
        }
    }
}

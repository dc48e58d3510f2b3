//! What an empty point is worth by the eight points around it.
//!
//! Two bits a neighbour: empty, Black, White, off the board. Patterns that are turned or mirrored images of each other are one
//! class; the same pattern with the colours changed has the same worth to the other side.

use std::sync::LazyLock;

use super::WEIGHTS;

/// How many classes there are; number 0 is that of patterns that cannot be, or look the same to both sides.
pub(super) const CLASSES: usize = 538;

/// The neighbours of a point in the order of their bits, as steps across and down, clockwise from the upper left.
pub(super) const NEIGHBOURS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

/// The bits of a neighbour beyond the edge.
pub(super) const OFF: u16 = 3;

/// By pattern: its class, and for whom (1 as Black sees it, -1 as White does, 0 for nobody).
static CLASS: LazyLock<Vec<(u16, i8)>> = LazyLock::new(|| {
    let mut classes = vec![(0, 0); 1 << 16];
    let mut next = 1;
    for code in 0..=u16::MAX {
        if classes[usize::from(code)] != (0, 0) || !possible(code) {
            continue;
        }
        let images = images(code);
        if images.iter().any(|&image| images.contains(&swapped(image))) {
            continue;
        }
        for image in images {
            classes[usize::from(image)] = (next, 1);
            classes[usize::from(swapped(image))] = (next, -1);
        }
        next += 1;
    }
    classes
});

/// By pattern: what it is worth to Black, in thousandths of a logit.
pub(super) static WORTH: LazyLock<Vec<i32>> = LazyLock::new(|| worths(&WEIGHTS[WEIGHTS.len() - CLASSES..]));

/// The worths of all patterns from those of their classes.
pub(super) fn worths(classes: &[i32]) -> Vec<i32> {
    CLASS.iter().map(|&(class, sign)| classes[usize::from(class)] * i32::from(sign)).collect()
}

/// The class of a pattern and its sign to Black.
pub(super) fn class(code: u16) -> (u16, i8) {
    CLASS[usize::from(code)]
}

const fn neighbour(code: u16, at: usize) -> u16 {
    code >> (2 * (at % 8)) & 3
}

/// Whether the points off the board are those of an edge or a corner.
fn possible(code: u16) -> bool {
    let off: u8 = (0..8).filter(|&at| neighbour(code, at) == OFF).fold(0, |set, at| set | 1 << at);
    (0..4).any(|turn: u32| [0, 0b0000_0111, 0b0001_1111].into_iter().any(|set: u8| set.rotate_left(2 * turn) == off))
}

/// The eight images of a pattern, turned and mirrored.
fn images(code: u16) -> [u16; 8] {
    let mirrored = (0..8).fold(0, |image, at| image | neighbour(code, 10 - at) << (2 * at));
    std::array::from_fn(|at| if at < 4 { code } else { mirrored }.rotate_left(4 * (at as u32 % 4)))
}

/// The pattern with its colours changed.
fn swapped(code: u16) -> u16 {
    (0..8).fold(0, |image, at| {
        let bits = match neighbour(code, at) {
            1 => 2,
            2 => 1,
            other => other,
        };
        image | bits << (2 * at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_as_many_as_there_are_weights() {
        let highest = CLASS.iter().map(|&(class, _)| usize::from(class)).max();
        assert_eq!(highest, Some(CLASSES - 1));
    }

    #[test]
    fn images_share_a_worth_and_colours_turn_it() {
        let worths = worths(&(0..CLASSES as i32).collect::<Vec<_>>());
        for code in (0..=u16::MAX).step_by(7) {
            let worth = worths[usize::from(code)];
            assert!(images(code).iter().all(|&image| worths[usize::from(image)] == worth));
            assert_eq!(worths[usize::from(swapped(code))], -worth);
        }
    }
}

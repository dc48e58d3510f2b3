//! Go stones by the book: a map of points, groups as sets, nothing kept between plies. Written apart from the games, to
//! be compared with them.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Point = (usize, usize);
pub(crate) type Stones = BTreeMap<Point, char>;

pub(crate) const fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

fn neighbours((x, y): Point, size: usize) -> Vec<Point> {
    let mut list = Vec::new();
    if x > 0 {
        list.push((x - 1, y));
    }
    if y > 0 {
        list.push((x, y - 1));
    }
    if x + 1 < size {
        list.push((x + 1, y));
    }
    if y + 1 < size {
        list.push((x, y + 1));
    }
    list
}

fn group(stones: &Stones, start: Point, size: usize) -> BTreeSet<Point> {
    let mut found = BTreeSet::from([start]);
    let mut todo = vec![start];
    while let Some(point) = todo.pop() {
        for next in neighbours(point, size) {
            if stones.get(&next) == stones.get(&start) && found.insert(next) {
                todo.push(next);
            }
        }
    }
    found
}

fn has_liberty(stones: &Stones, group: &BTreeSet<Point>, size: usize) -> bool {
    group.iter().any(|&point| neighbours(point, size).iter().any(|next| !stones.contains_key(next)))
}

/// Puts a stone on an empty point, takes nothing off, and says what it captures and whether it has a liberty even so.
pub(crate) fn put(stones: &Stones, point: Point, side: char, size: usize) -> (Stones, BTreeSet<Point>, bool) {
    let mut after = stones.clone();
    after.insert(point, side);
    let mut captured = BTreeSet::new();
    for next in neighbours(point, size) {
        if after.get(&next) == Some(&other(side)) {
            let enemy = group(&after, next, size);
            if !has_liberty(&after, &enemy, size) {
                captured.extend(enemy);
            }
        }
    }
    let alive = has_liberty(&after, &group(&after, point, size), size);
    (after, captured, alive)
}

/// The name of a point.
pub(crate) fn name((x, y): Point) -> String {
    [x, y].map(|index| (b'A' + index as u8) as char).iter().collect()
}

/// All points of a board, row by row.
pub(crate) fn points(size: usize) -> impl Iterator<Item = Point> {
    (0..size * size).map(move |index| (index % size, index / size))
}

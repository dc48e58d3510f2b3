//! Connect6 as a table of every possible winning line: each stone is counted on the lines through it, and each point knows
//! what the lines through it are worth to either side.

use games::connect6::Connect6;
use games::random::mix;
use games::{Game as _, Side};

/// A point is `row * 32 + column`, as in the game.
pub(super) const POINTS: usize = 25 * 32;

/// How far from the next stone a stone is worth a look: fights are close, and a search that may go elsewhere goes there
/// to postpone what it does not like.
const REACH: usize = 2;
/// The directions of lines, so that of two points on a line the later one has the greater number.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
/// The longest line there may be.
const LONGEST: usize = 9;
/// A row of a board with a frame of [`REACH`] points around it.
const FRAMED: usize = 32 + 2 * REACH;

/// What a line is worth to a side that alone has stones on it, by the stones that are missing.
const WORTH: [i32; 10] = [0, 66, 60, 22, 8, 2, 1, 1, 1, 1];

/// By how much a fifth of one's own lines is more than the turn is worth, so that lines which end with one side's ply and with
/// the other's are worth about the same: the search looks less deep at late pairs and compares the two.
const TURN: i32 = 50;

/// Where the number of lines that lack three stones is kept in what lines are worth: one sum keeps both.
const READY: u32 = 20;
/// The rest of such a sum.
const WORTH_ONLY: i32 = (1 << READY) - 1;
/// What a line that lacks so many stones adds to the points on it.
const TOLD: [i32; 10] = {
    let mut told = WORTH;
    told[3] += 1 << READY;
    told
};

/// The lines of one direction through a point: they begin one step after the other.
#[derive(Clone, Copy)]
struct Bundle {
    /// Where they are in `through`.
    start: u16,
    lines: u16,
    /// The first point of the first line, and the way to the next point of a line and to the next line.
    low: u16,
    step: u16,
}

/// A board.
pub(super) struct Board {
    pub(super) size: usize,
    /// Stones in a winning line.
    length: usize,
    /// The points of each line, `length` at a time.
    points: Vec<u16>,
    /// The lines through each point, by direction.
    bundles: Vec<[Bundle; 4]>,
    through: Vec<u16>,
    /// Stones of each side on each line.
    counts: Vec<[u8; 2]>,
    /// What the lines through each point are worth to each side, and how many of them lack three stones.
    told: Vec<[i32; 2]>,
    owner: Vec<Option<Side>>,
    empty: Vec<u16>,
    /// Where each point is in `empty`.
    place: Vec<u16>,
    /// Lines where the other side has no stone, as bits: 64 lines at a time, by side and by the stones that are missing (1 to
    /// 4).
    lacking: Vec<[[u64; 4]; 2]>,
    /// How many lines lack one stone or two.
    threat_counts: [u32; 2],
    /// How many stones are near each point, on a board with a frame so that no edge must be looked for.
    near: Vec<u8>,
    /// Marks of points already listed.
    marks: Vec<u32>,
    mark: u32,
    sums: [i64; 2],
    keys: u64,
    pub(super) to_move: Side,
}

impl Board {
    /// The board of a position.
    pub(super) fn new(game: &Connect6) -> Self {
        let (size, length) = (game.size(), game.line_length());
        let mut points = Vec::new();
        for (dx, dy) in DIRECTIONS {
            for y in 0..size as isize {
                for x in 0..size as isize {
                    let last = length as isize - 1;
                    let (end_x, end_y) = (x + dx * last, y + dy * last);
                    if (0..size as isize).contains(&end_x) && end_y < size as isize {
                        points.extend((0..=last).map(|step| ((y + dy * step) * 32 + x + dx * step) as u16));
                    }
                }
            }
        }
        let lines = points.len() / length;
        let mut by_point = vec![[const { Vec::new() }; 4]; POINTS];
        for (line, points) in points.chunks_exact(length).enumerate() {
            let step = points[1] - points[0];
            for &point in points {
                let direction = DIRECTIONS.iter().position(|(dx, dy)| dy * 32 + dx == step as isize).unwrap_or(0);
                by_point[usize::from(point)][direction].push(line as u16);
            }
        }
        let (mut bundles, mut through) = (Vec::with_capacity(POINTS), Vec::new());
        for by_direction in by_point {
            bundles.push(std::array::from_fn(|direction| {
                let own: &[u16] = &by_direction[direction];
                let low = own.first().map_or(0, |&line| points[usize::from(line) * length]);
                let (dx, dy) = DIRECTIONS[direction];
                let bundle =
                    Bundle { start: through.len() as u16, lines: own.len() as u16, low, step: (dy * 32 + dx) as u16 };
                through.extend_from_slice(own);
                bundle
            }));
        }
        let mut board = Self {
            size,
            length,
            points,
            told: bundles
                .iter()
                .map(|all| [all.iter().map(|own| i32::from(own.lines)).sum::<i32>() * TOLD[length]; 2])
                .collect(),
            bundles,
            through,
            counts: vec![[0; 2]; lines],
            owner: vec![None; POINTS],
            empty: Vec::new(),
            place: vec![0; POINTS],
            lacking: vec![[[0; 4]; 2]; lines.div_ceil(64)],
            threat_counts: [0; 2],
            near: vec![0; FRAMED * (POINTS / 32 + 2 * REACH)],
            marks: vec![0; POINTS],
            mark: 0,
            sums: [lines as i64 * i64::from(TOLD[length]); 2],
            keys: 0,
            to_move: game.to_move(),
        };
        for y in 0..size {
            for x in 0..size {
                let point = (y * 32 + x) as u16;
                board.place[usize::from(point)] = board.empty.len() as u16;
                board.empty.push(point);
            }
        }
        if length <= 4 {
            for side in 0..2 {
                (0..lines).for_each(|line| board.lacking[line / 64][side][length - 1] |= 1 << (line % 64));
            }
        }
        for point in board.empty.clone() {
            if let Some(side) = game.side_at(point) {
                board.put(side, point);
            }
        }
        board
    }

    /// The empty points, in no order.
    pub(super) fn empty(&self) -> &[u16] {
        &self.empty
    }

    /// Whether a point is empty.
    pub(super) fn is_empty(&self, point: u16) -> bool {
        self.owner[usize::from(point)].is_none()
    }

    /// What the lines through a point are worth to a side.
    #[inline]
    pub(super) fn worth(&self, side: Side, point: u16) -> i32 {
        self.told[usize::from(point)][side.index()] & WORTH_ONLY
    }

    /// What all lines are worth to a side.
    const fn worth_of_all(&self, side: Side) -> i32 {
        self.sums[side.index()] as i32 & WORTH_ONLY
    }

    /// What the position is worth to the side to move.
    pub(super) fn value(&self) -> i32 {
        let [own, enemy] = [self.to_move, self.to_move.other()].map(|side| self.worth_of_all(side));
        own - enemy + own / 5 - TURN
    }

    /// How far a side is ahead.
    pub(super) const fn gain(&self, side: Side) -> i32 {
        self.worth_of_all(side) - self.worth_of_all(side.other())
    }

    /// The key of the position.
    pub(super) fn key(&self) -> u64 {
        self.keys ^ (self.to_move as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Whether a stone is at most [`REACH`] points away.
    #[inline]
    pub(super) fn is_near(&self, point: u16) -> bool {
        self.near[framed(point) + REACH * (FRAMED + 1)] > 0
    }

    /// Counts a stone for the points around it, or takes it out of the count.
    fn surround(&mut self, point: u16, change: u8) {
        for row in 0..=2 * REACH {
            let start = framed(point) + row * FRAMED;
            self.near[start..=start + 2 * REACH].iter_mut().for_each(|count| *count = count.wrapping_add(change));
        }
    }

    /// The key of the stones alone.
    pub(super) const fn stones_key(&self) -> u64 {
        self.keys
    }

    /// How many lines a side could complete with its next ply, if it were to move.
    #[inline]
    pub(super) const fn threat_count(&self, side: Side) -> u32 {
        self.threat_counts[side.index()]
    }

    /// How many there would be with a stone on an empty point.
    pub(super) fn threats_with(&self, side: Side, point: u16) -> u32 {
        let ready = self.told[usize::from(point)][side.index()] >> READY;
        self.threat_counts[side.index()] + ready as u32
    }

    /// Those lines.
    pub(super) fn threats(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let words = self.lacking.iter().map(move |lines| lines[side.index()][0] | lines[side.index()][1]);
        words.enumerate().flat_map(|(index, word)| bits(index, word))
    }

    /// The empty points of lines where a side lacks at most so many stones (four or fewer), each once.
    pub(super) fn on_lines_lacking(&mut self, side: Side, most: usize) -> Vec<u16> {
        self.mark += 1;
        let mut found = Vec::new();
        for (index, lines) in self.lacking.iter().enumerate() {
            let word = lines[side.index()][..most].iter().fold(0, |all, word| all | word);
            for line in bits(index, word) {
                for &point in &self.points[line * self.length..(line + 1) * self.length] {
                    let mark = &mut self.marks[usize::from(point)];
                    if *mark != self.mark && self.owner[usize::from(point)].is_none() {
                        *mark = self.mark;
                        found.push(point);
                    }
                }
            }
        }
        found
    }

    /// The points of a line that are empty.
    pub(super) fn missing(&self, line: usize) -> impl Iterator<Item = u16> + '_ {
        self.points[line * self.length..(line + 1) * self.length].iter().copied().filter(|&point| self.is_empty(point))
    }

    /// Puts a stone of a side on an empty point.
    pub(super) fn put(&mut self, side: Side, point: u16) {
        let index = usize::from(self.place[usize::from(point)]);
        self.empty.swap_remove(index);
        if let Some(&moved) = self.empty.get(index) {
            self.place[usize::from(moved)] = index as u16;
        }
        self.owner[usize::from(point)] = Some(side);
        self.keys ^= mix(&[u64::from(point) * 2 + side as u64 + 1]);
        self.surround(point, 1);
        self.count::<true>(side, point, true);
    }

    /// Takes the stone off a point; stones are taken off in the reverse order.
    pub(super) fn take(&mut self, point: u16) {
        let Some(side) = self.owner[usize::from(point)].take() else { return };
        // The point goes back to where it was, so that the order of the empty points does not depend on the search.
        let index = usize::from(self.place[usize::from(point)]);
        self.empty.push(point);
        let last = self.empty.len() - 1;
        self.empty.swap(index, last);
        let moved = self.empty[last];
        self.place[usize::from(moved)] = last as u16;
        self.place[usize::from(point)] = index as u16;
        self.keys ^= mix(&[u64::from(point) * 2 + side as u64 + 1]);
        self.surround(point, u8::MAX);
        self.count::<true>(side, point, false);
    }

    /// Puts a stone for a look at threats alone: what points and the position are worth stays as it was, and the list of
    /// empty points too.
    pub(super) fn try_put(&mut self, side: Side, point: u16) {
        self.owner[usize::from(point)] = Some(side);
        self.count::<false>(side, point, true);
    }

    /// Takes such a stone off again.
    pub(super) fn try_take(&mut self, side: Side, point: u16) {
        self.owner[usize::from(point)] = None;
        self.count::<false>(side, point, false);
    }

    /// Counts a stone on the lines through its point, or takes it out of the count.
    fn count<const TELL: bool>(&mut self, side: Side, point: u16, more: bool) {
        // The usual length is known where the loops are made.
        if self.length == 6 {
            self.count_by::<TELL>(side, point, more, 6);
        } else {
            self.count_by::<TELL>(side, point, more, self.length);
        }
    }

    #[inline]
    fn count_by<const TELL: bool>(&mut self, side: Side, point: u16, more: bool, length: usize) {
        let Self { bundles, through, counts, told, lacking, threat_counts, sums, .. } = self;
        let (own, enemy) = (side.index(), 1 - side.index());
        let mut relist = |side: usize, line: usize, missing: usize, more: u32| {
            if let Some(lines) = lacking[line / 64][side].get_mut(missing.wrapping_sub(1)) {
                *lines ^= 1 << (line % 64);
            }
            // A line that is complete counts, too: where a solver lets the enemy put more stones than he may, it must not be
            // overlooked that they make one.
            if missing <= 2 {
                threat_counts[side] = threat_counts[side].wrapping_add(more);
            }
        };
        for bundle in bundles[usize::from(point)] {
            let (start, lines) = (usize::from(bundle.start), usize::from(bundle.lines));
            // What changes for the side and for its enemy.
            let mut changes = [(0, 0); LONGEST];
            let mut any = 0;
            for (&line, change) in through[start..start + lines].iter().zip(&mut changes) {
                let line = usize::from(line);
                let [stones, enemies] = [counts[line][own], counts[line][enemy]].map(usize::from);
                let now = if more { stones + 1 } else { stones - 1 };
                counts[line][own] = now as u8;
                let (mut mine, mut theirs) = (0, 0);
                if enemies == 0 {
                    mine = TOLD[length - now] - TOLD[length - stones];
                    relist(own, line, length - stones, u32::MAX);
                    relist(own, line, length - now, 1);
                }
                // The first stone on a line takes it from the enemy.
                if stones.min(now) == 0 {
                    let missing = length - enemies;
                    theirs = if more { -TOLD[missing] } else { TOLD[missing] };
                    relist(enemy, line, missing, if more { u32::MAX } else { 1 });
                }
                any |= mine | theirs;
                *change = (mine, theirs);
            }
            if !TELL || any == 0 {
                continue;
            }
            // Each point is told once of all the lines that it is on: a sum over a window that moves along.
            let mut at = usize::from(bundle.low);
            let (mut mine, mut theirs) = (0, 0);
            for index in 0..lines + length - 1 {
                if index < lines {
                    let change = changes[index];
                    (mine, theirs) = (mine + change.0, theirs + change.1);
                    sums[own] += i64::from(change.0);
                    sums[enemy] += i64::from(change.1);
                }
                if index >= length {
                    let change = changes[index - length];
                    (mine, theirs) = (mine - change.0, theirs - change.1);
                }
                let told = &mut told[at];
                told[own] += mine;
                told[enemy] += theirs;
                at += usize::from(bundle.step);
            }
        }
    }
}

/// Where the part of the framed board around a point begins.
fn framed(point: u16) -> usize {
    usize::from(point / 32) * FRAMED + usize::from(point % 32)
}

/// The set bits of a word of a set.
fn bits(index: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            index * 64 + bit
        })
    })
}

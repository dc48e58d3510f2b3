//! The search's board: every empty point knows what a stone of either colour would make there, kept up to date ply by ply.

use std::sync::LazyLock;

use games::Side;
use games::gomoku::{FoulBoard, Gomoku, Point, Rule};
use games::random::mix;

use super::shapes::{ABOVE, BELOW, FIVE, FOUR, REACH, Shapes, with_enemy_end};
use super::values::{Fact, Facts, LEARNED, THREAT_KINDS, Values, WEIGHTS, kind, order_term, term, threat_term};

/// The longest side of a board, and the step from a point to the one below it.
pub(super) const STRIDE: usize = 22;
pub(super) const POINTS: usize = STRIDE * STRIDE;
/// Rows, columns and both kinds of diagonals.
const LINES: usize = 2 * STRIDE + 2 * (2 * STRIDE - 1);
const WORDS: usize = POINTS.div_ceil(64);

/// A set of points.
pub(super) type Points = [u64; WORDS];

/// The points of a set, lowest first.
pub(super) fn each(set: &Points) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

/// What a stone of one colour would make on an empty point.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The four shapes.
    code: u16,
    /// The same whatever their order.
    class: u16,
}

/// One change of a cell, to be taken back.
#[derive(Clone, Copy)]
struct Change {
    point: u16,
    colour: u8,
    cell: Cell,
}

/// A stone, with what was before it and is cheaper kept than found again.
#[derive(Clone, Copy)]
struct Placed {
    point: u16,
    colour: u8,
    changes: u32,
    sums: [[i32; 2]; 2],
    near: Points,
}

/// A board.
#[derive(Clone)]
pub(super) struct Board {
    pub(super) width: usize,
    pub(super) height: usize,
    shapes: [&'static Shapes; 2],
    classes: &'static [u16; 1 << 16],
    facts: [&'static Facts; 2],
    /// Stones of each colour along the lines of the four directions, and empty points; the first point is at bit `REACH`.
    stones: [[u32; LINES]; 2],
    empty: [u32; LINES],
    /// What each colour would make, kept of empty points.
    cells: [[Cell; POINTS]; 2],
    sets: [[Points; kind::COUNT]; 2],
    counts: [[u16; kind::COUNT]; 2],
    free: Points,
    /// The points near a stone, with stones on them or not.
    near: Points,
    /// The points near each point.
    around: &'static [Points; POINTS],
    sums: [[i32; 2]; 2],
    keys: u64,
    pub(super) to_move: Side,
    pub(super) free_count: usize,
    fouls: Option<FoulBoard>,
    log: Vec<Change>,
    placed: Vec<Placed>,
}

/// Which word holds a point's line in a direction, and which bit of it is the point.
#[inline]
const fn slot(direction: usize, x: usize, y: usize) -> (usize, usize) {
    match direction {
        0 => (y, x + REACH),
        1 => (STRIDE + x, y + REACH),
        2 => (2 * STRIDE + x + (STRIDE - 1) - y, x + REACH),
        _ => (4 * STRIDE - 1 + x + y, x + REACH),
    }
}

/// From a point to the next one in each direction.
const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];

/// The random word of a stone.
#[inline]
fn key(colour: usize, point: usize) -> u64 {
    mix(&[(point * 2 + colour) as u64 + 1])
}

/// The points that count as near each point: two steps away, three along its lines. Some are beyond a smaller board; none of
/// those is empty.
static AROUND: LazyLock<[Points; POINTS]> = LazyLock::new(|| std::array::from_fn(around));

fn around(point: usize) -> Points {
    let (x, y) = ((point % STRIDE) as isize, (point / STRIDE) as isize);
    let side = 0..STRIDE as isize;
    let mut set = [0; WORDS];
    for (dx, dy) in (-3_isize..=3).flat_map(|dy| (-3_isize..=3).map(move |dx| (dx, dy))) {
        let in_line = dx == 0 || dy == 0 || dx.abs() == dy.abs();
        let inside = side.contains(&(x + dx)) && side.contains(&(y + dy));
        if inside && (dx, dy) != (0, 0) && (in_line || dx.abs().max(dy.abs()) <= 2) {
            let near = ((y + dy) * STRIDE as isize + x + dx) as usize;
            set[near / 64] |= 1 << (near % 64);
        }
    }
    set
}

/// A point of the board as one of the game.
pub(super) const fn point_of(index: usize) -> Point {
    Point::new(index % STRIDE, index / STRIDE)
}

impl Board {
    /// The board of a position.
    pub(super) fn new(game: &Gomoku) -> Self {
        let (width, height, rule) = (game.width(), game.height(), game.rule());
        let mut board = Self {
            width,
            height,
            shapes: Side::BOTH.map(|colour| Shapes::of(rule, colour)),
            classes: &Values::get().classes,
            facts: Side::BOTH.map(|colour| Values::get().facts(rule.has(Rule::RENJU) && colour == Side::Black)),
            stones: [[0; LINES]; 2],
            empty: [0; LINES],
            cells: [[Cell::default(); POINTS]; 2],
            sets: [[[0; WORDS]; kind::COUNT]; 2],
            counts: [[0; kind::COUNT]; 2],
            free: [0; WORDS],
            near: [0; WORDS],
            around: &AROUND,
            sums: [[0; 2]; 2],
            keys: 0,
            to_move: game.colour_to_move(),
            free_count: width * height,
            fouls: rule.has(Rule::RENJU).then(|| FoulBoard::new(width, height)),
            log: Vec::with_capacity(1 << 14),
            placed: Vec::with_capacity(512),
        };
        for y in 0..height {
            for x in 0..width {
                let point = y * STRIDE + x;
                board.free[point / 64] |= 1 << (point % 64);
                for colour in 0..2 {
                    board.include(colour, kind::PLAIN, point);
                }
                board.set_empty(x, y, true);
            }
        }
        for y in 0..height {
            for x in 0..width {
                for direction in 0..4 {
                    for colour in 0..2 {
                        board.refresh(colour, y * STRIDE + x, direction, slot(direction, x, y));
                    }
                }
            }
        }
        for point in board.all_points() {
            if let Some(colour) = game.colour_at(point_of(point)) {
                if game.is_live(point_of(point)) {
                    board.place(colour, point);
                } else {
                    board.wall(point);
                }
            }
        }
        // What stands here is never taken back.
        board.log.clear();
        board.placed.clear();
        board
    }

    fn all_points(&self) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| y * STRIDE + x))
    }

    fn set_empty(&mut self, x: usize, y: usize, empty: bool) {
        for direction in 0..4 {
            let (line, bit) = slot(direction, x, y);
            if empty {
                self.empty[line] |= 1 << bit;
            } else {
                self.empty[line] &= !(1 << bit);
            }
        }
    }

    /// Whether points may be forbidden to a colour.
    #[inline]
    pub(super) fn has_fouls(&self, colour: Side) -> bool {
        self.fouls.is_some() && colour == Side::Black
    }

    /// Whether a four can be stopped elsewhere than on its fifth point.
    pub(super) fn minds_ends(&self) -> bool {
        self.shapes[0].minds_ends()
    }

    /// How many points of a colour are of one kind.
    #[inline]
    pub(super) fn count(&self, colour: Side, kind: u8) -> u16 {
        self.counts[colour.index()][usize::from(kind)]
    }

    /// The points of a colour of one kind.
    #[inline]
    pub(super) fn set(&self, colour: Side, kind: u8) -> &Points {
        &self.sets[colour.index()][usize::from(kind)]
    }

    /// The empty points.
    #[inline]
    pub(super) const fn free(&self) -> &Points {
        &self.free
    }

    /// The empty points near stones.
    #[inline]
    pub(super) fn near(&self) -> Points {
        std::array::from_fn(|word| self.free[word] & self.near[word])
    }

    /// Whether a point is on the board and empty.
    #[inline]
    pub(super) fn is_free(&self, point: usize) -> bool {
        self.free[point / 64] >> (point % 64) & 1 == 1
    }

    #[inline]
    fn fact(&self, colour: usize, point: usize) -> &'static Fact {
        self.facts[colour].of(self.cells[colour][point].class)
    }

    /// The four shapes a colour would make on an empty point.
    #[inline]
    pub(super) fn code(&self, colour: Side, point: usize) -> u16 {
        self.cells[colour.index()][point].code
    }

    /// What a stone would force; fouls are not asked for.
    #[inline]
    pub(super) fn kind(&self, colour: Side, point: usize) -> u8 {
        self.fact(colour.index(), point).kind
    }

    /// What a stone would force, `None` where it is a foul.
    #[inline]
    pub(super) fn legal_kind(&self, colour: Side, point: usize) -> Option<u8> {
        match self.kind(colour, point) {
            kind::SUSPECT if self.is_foul(point) => None,
            kind::SUSPECT => Some(Values::get().facts(false).of(self.cells[colour.index()][point].class).kind),
            other => Some(other),
        }
    }

    /// Whether a colour may play on an empty point.
    #[inline]
    pub(super) fn is_legal(&self, colour: Side, point: usize) -> bool {
        self.kind(colour, point) != kind::SUSPECT || !self.is_foul(point)
    }

    fn is_foul(&self, point: usize) -> bool {
        self.fouls.as_ref().is_some_and(|board| board.foul_at(point_of(point)).is_some())
    }

    /// How promising a point looks to a colour for itself alone.
    #[inline]
    pub(super) fn promise_for(&self, colour: Side, point: usize) -> i32 {
        i32::from(self.fact(colour.index(), point).promise)
    }

    /// How promising a point is to the side to move: what it makes there and what it takes.
    #[inline]
    pub(super) fn promise(&self, point: usize) -> i32 {
        let own = self.to_move.index();
        i32::from(self.fact(own, point).order[0]) + i32::from(self.fact(1 - own, point).order[1])
    }

    /// The points near stones that may be played, each with the weights its promise is made of.
    pub(super) fn order_terms(&self) -> Vec<(usize, [usize; 2])> {
        let own = self.to_move;
        let legal = each(&self.near()).filter(|&point| self.is_legal(own, point)).collect::<Vec<_>>();
        let terms = |point| [order_term(self.code(own, point), true), order_term(self.code(own.other(), point), false)];
        legal.into_iter().map(|point| (point, terms(point))).collect()
    }

    /// What the position is worth to the side to move.
    #[inline]
    pub(super) fn value(&self) -> i32 {
        let own = self.to_move.index();
        self.sums[own][0] - self.sums[1 - own][1] + LEARNED[self.threat_term()]
    }

    /// Which weight stands for what both sides threaten.
    #[inline]
    fn threat_term(&self) -> usize {
        let own = self.to_move.index();
        let mut threats = 0;
        for colour in [own, 1 - own] {
            for (kind, enough) in THREAT_KINDS {
                threats = threats << 1 | usize::from(self.counts[colour][usize::from(kind)] >= enough);
            }
        }
        threat_term(threats)
    }

    /// How often each weight counts in the value of the position to the side to move, less how often for the other.
    pub(super) fn terms(&self) -> Vec<(usize, f32)> {
        let mut amounts = [0_i32; WEIGHTS];
        for colour in Side::BOTH {
            let own = colour == self.to_move;
            for point in each(&self.free) {
                amounts[term(self.code(colour, point), own)] += if own { 1 } else { -1 };
            }
        }
        amounts[self.threat_term()] += 1;
        let counted = amounts.into_iter().enumerate().filter(|(_, amount)| *amount != 0);
        counted.map(|(at, amount)| (at, amount as f32)).collect()
    }

    /// The key of the position.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.keys ^ (self.to_move as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The key of the stones alone.
    #[inline]
    pub(super) const fn stones_key(&self) -> u64 {
        self.keys
    }

    /// Plays a stone of the side to move.
    #[inline]
    pub(super) fn play(&mut self, point: usize) {
        self.place(self.to_move, point);
        self.to_move = self.to_move.other();
    }

    /// Takes the last stone back and gives its colour the move.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.to_move = self.to_move.other();
        self.lift();
    }

    /// Puts a stone on an empty point, whoever is to move.
    pub(super) fn place(&mut self, colour: Side, point: usize) {
        let (sums, near, changes) = (self.sums, self.near, self.log.len() as u32);
        self.placed.push(Placed { point: point as u16, colour: colour as u8, changes, sums, near });
        self.occupy(point);
        let (x, y) = (point % STRIDE, point / STRIDE);
        self.keys ^= key(colour.index(), point);
        for direction in 0..4 {
            let (line, bit) = slot(direction, x, y);
            self.stones[colour.index()][line] |= 1 << bit;
        }
        if let Some(fouls) = &mut self.fouls {
            fouls.place(colour == Side::Black, point_of(point));
        }
        self.near.iter_mut().zip(&self.around[point]).for_each(|(near, more)| *near |= more);
        self.refresh_around(colour.index(), point);
    }

    /// Takes the last stone off again.
    pub(super) fn lift(&mut self) {
        let Some(Placed { point, colour, changes, sums, near }) = self.placed.pop() else { return };
        let (point, colour) = (usize::from(point), usize::from(colour));
        while self.log.len() > changes as usize {
            let Some(Change { point, colour, cell }) = self.log.pop() else { break };
            let (point, colour) = (usize::from(point), usize::from(colour));
            let after = std::mem::replace(&mut self.cells[colour][point], cell);
            let facts = self.facts[colour];
            self.move_between(colour, point, facts.of(after.class).kind, facts.of(cell.class).kind);
        }
        let (x, y) = (point % STRIDE, point / STRIDE);
        self.keys ^= key(colour, point);
        for direction in 0..4 {
            let (line, bit) = slot(direction, x, y);
            self.stones[colour][line] &= !(1 << bit);
            self.empty[line] |= 1 << bit;
        }
        if let Some(fouls) = &mut self.fouls {
            fouls.lift(point_of(point));
        }
        (self.near, self.sums) = (near, sums);
        self.free[point / 64] |= 1 << (point % 64);
        for colour in 0..2 {
            self.include(colour, self.fact(colour, point).kind, point);
        }
        self.free_count += 1;
    }

    /// Takes a point out of everything that is kept of empty points.
    fn occupy(&mut self, point: usize) {
        self.free_count -= 1;
        self.free[point / 64] &= !(1 << (point % 64));
        for colour in 0..2 {
            let Fact { kind, worth, .. } = *self.fact(colour, point);
            self.exclude(colour, kind, point);
            self.sums[colour][0] -= i32::from(worth[0]);
            self.sums[colour][1] -= i32::from(worth[1]);
        }
        self.set_empty(point % STRIDE, point / STRIDE, false);
    }

    #[inline]
    fn include(&mut self, colour: usize, kind: u8, point: usize) {
        self.sets[colour][usize::from(kind)][point / 64] |= 1 << (point % 64);
        self.counts[colour][usize::from(kind)] += 1;
    }

    #[inline]
    fn exclude(&mut self, colour: usize, kind: u8, point: usize) {
        self.sets[colour][usize::from(kind)][point / 64] &= !(1 << (point % 64));
        self.counts[colour][usize::from(kind)] -= 1;
    }

    #[inline]
    fn move_between(&mut self, colour: usize, point: usize, before: u8, after: u8) {
        if before != after {
            self.exclude(colour, before, point);
            self.include(colour, after, point);
        }
    }

    /// Puts a stone of a scored line on an empty point, for good.
    fn wall(&mut self, point: usize) {
        self.occupy(point);
        self.refresh_around(0, point);
    }

    /// Looks again at the points whose lines a new stone of this colour changes.
    fn refresh_around(&mut self, colour: usize, point: usize) {
        let (x, y) = (point % STRIDE, point / STRIDE);
        let reach = self.shapes[0].reach().max(self.shapes[1].reach());
        for (direction, along) in STEPS.into_iter().enumerate() {
            let (line, bit) = slot(direction, x, y);
            let (own, enemy, empty) = (self.stones[colour][line], self.stones[1 - colour][line], self.empty[line]);
            for upwards in [true, false] {
                // A line goes on over empty points and stones of its own colour.
                let (mut in_own, mut in_enemy) = (true, true);
                for step in 1..=reach {
                    let bit = if upwards { bit + step } else { bit - step };
                    if empty >> bit & 1 == 1 {
                        let offset = if upwards { step as isize } else { -(step as isize) };
                        let other = (point as isize + offset * along) as usize;
                        if in_own {
                            self.refresh(colour, other, direction, (line, bit));
                        }
                        if in_enemy {
                            self.refresh(1 - colour, other, direction, (line, bit));
                        }
                    } else if own >> bit & 1 == 1 {
                        in_enemy = false;
                    } else if enemy >> bit & 1 == 1 {
                        in_own = false;
                    } else {
                        break;
                    }
                    if !in_own && !in_enemy {
                        break;
                    }
                }
            }
        }
    }

    /// Looks again at what a stone of a colour would make on an empty point in a direction.
    #[inline]
    fn refresh(&mut self, colour: usize, point: usize, direction: usize, (line, bit): (usize, usize)) {
        let shape = self.shape_at(colour, line, bit);
        let old = self.cells[colour][point];
        let shift = 4 * direction;
        let code = old.code & !(15 << shift) | u16::from(shape) << shift;
        if code != old.code {
            let class = self.classes[usize::from(code)];
            let (before, fact) = (self.facts[colour].of(old.class), self.facts[colour].of(class));
            self.log.push(Change { point: point as u16, colour: colour as u8, cell: old });
            self.cells[colour][point] = Cell { code, class };
            for index in 0..2 {
                self.sums[colour][index] += i32::from(fact.worth[index]) - i32::from(before.worth[index]);
            }
            self.move_between(colour, point, before.kind, fact.kind);
        }
    }

    #[inline]
    fn shape_at(&self, colour: usize, line: usize, bit: usize) -> u8 {
        let window = |word: u32| word >> (bit - REACH);
        let own = window(self.stones[colour][line]);
        let ends = !(own | window(self.empty[line]));
        const SIDE: u32 = 31;
        let below = (own & SIDE | (ends & SIDE) << 5) as usize;
        let above = (own >> 6 & SIDE | (ends >> 6 & SIDE) << 5) as usize;
        let (below, above) = (BELOW[below], ABOVE[above]);
        let shapes = self.shapes[colour];
        if shapes.minds_ends() {
            let enemy = window(self.stones[1 - colour][line]);
            let nearest_first = (enemy & SIDE).reverse_bits() >> 27;
            return shapes.at(with_enemy_end(below, nearest_first), with_enemy_end(above, enemy >> 6 & SIDE));
        }
        shapes.at(usize::from(below), usize::from(above))
    }

    /// An empty point, and those along the lines in which a stone of this colour there would make a four or five, near enough to
    /// close it.
    pub(super) fn along_fours(&self, colour: Side, point: usize) -> Vec<usize> {
        let (x, y) = ((point % STRIDE) as isize, (point / STRIDE) as isize);
        let code = self.code(colour, point);
        let mut found = vec![point];
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
            if code >> (4 * direction) & 15 < u16::from(FOUR) {
                continue;
            }
            for step in -(REACH as isize)..=REACH as isize {
                let (x, y) = (x + dx * step, y + dy * step);
                let inside = (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
                let other = y * STRIDE as isize + x;
                if inside && step != 0 && self.is_free(other as usize) {
                    found.push(other as usize);
                }
            }
        }
        found
    }

    /// Where ends count: the empty points beyond the five that this colour would make here, from which a stone would close it.
    pub(super) fn ends_of_five(&self, colour: Side, five: usize) -> impl Iterator<Item = usize> + use<> {
        let code = self.code(colour, five);
        let mut found = [None; 4];
        for (direction, (step, found)) in STEPS.into_iter().zip(&mut found).enumerate() {
            if code >> (4 * direction) & 15 != u16::from(FIVE) {
                continue;
            }
            let (line, bit) = slot(direction, five % STRIDE, five / STRIDE);
            let own = self.stones[colour.index()][line];
            let (above, below) = ((own >> (bit + 1)).trailing_ones(), (own << (32 - bit)).leading_ones());
            if above + below != 4 {
                continue;
            }
            // One end must be an enemy's stone already: the edge does not close.
            let has = |word: u32, steps: isize| word >> (bit as isize + steps) & 1 == 1;
            let (empty, enemy) = (self.empty[line], self.stones[1 - colour.index()][line]);
            let ends = [above as isize + 1, -(below as isize) - 1];
            let closing = ends.into_iter().zip(ends.into_iter().rev());
            let mut closing = closing.filter(|&(end, other)| has(empty, end) && has(enemy, other));
            *found = closing.next().map(|(end, _)| five.wrapping_add_signed(step * end));
        }
        found.into_iter().flatten()
    }

    /// How many lines a stone of this colour completes here.
    pub(super) fn fives_at(&self, colour: Side, point: usize) -> i32 {
        let code = self.code(colour, point);
        (0..4).filter(|direction| code >> (4 * direction) & 15 == u16::from(FIVE)).count() as i32
    }
}

//! Tiaojia (挑夹棋): step next to the enemy and turn his stones by flanking them or by stepping between two.
//!
//! Bit `row * 8 + column` of a word is a square. Everything else, the verdict included, is derived from the two words
//! and the ply number, so a position is 24 bytes and undoing is copying it back.

use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::core::random::{below, mix, nth_bit};
use crate::core::text::{Fields, write_rows};
use crate::core::view::{Figure, Geometry, Piece, Scene};
use crate::core::{
    Control, End, Eyes, Facts, Fault, Game, Note, OptionFact, Phrase, Preset, Reason, Side, Symmetry, Variant, Verdict,
    reasons,
};

const SIZE: usize = 8;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// Steps as (across, down), in the protocol's order: up, down, left, right, up-left, up-right, down-left, down-right.
const DIRECTIONS: [(i8, i8); 8] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];

static BAD_DIRECTION: Reason =
    Reason::new("bad-direction", "{} is not a direction; directions are 0 to 7", "{} 不是方向，方向为 0 到 7");
static NO_START: Reason =
    Reason::new("finished-start", "starting position {} is already decided", "初始局面 {} 已分胜负");

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TiaojiaVariant {
    /// After this many plies the stones are counted.
    pub max_plies: u32,
    /// Starting positions; a match plays each from both sides.
    pub starts: Vec<String>,
}

impl Default for TiaojiaVariant {
    fn default() -> Self {
        Self { max_plies: 120, starts: Vec::new() }
    }
}

impl Variant for TiaojiaVariant {
    fn check(&self) -> Result<(), Fault> {
        if !(1..=10_000).contains(&self.max_plies) {
            return Err(Fault::at(&reasons::BAD_OPTION, "max_plies=1..10000"));
        }
        for (index, start) in self.starts.iter().enumerate() {
            if Tiaojia::read_position(self, start)?.verdict().is_some() {
                return Err(Fault::at(&NO_START, &(index + 1).to_string()));
            }
        }
        Ok(())
    }

    fn starts(&self) -> &[String] {
        &self.starts
    }
}

/// One step: a stone and a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The square it leaves.
    pub from: u8,
    /// 0 to 7: up, down, left, right, up-left, up-right, down-left, down-right.
    pub direction: u8,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiaojia {
    stones: [u64; 2],
    to_move: Side,
    plies: u16,
    max_plies: u16,
}

/// The squares reached by one step in a direction from any of these.
#[inline]
const fn shifted(bits: u64, direction: usize) -> u64 {
    match direction {
        0 => bits >> 8,
        1 => bits << 8,
        2 => (bits & !FIRST_COLUMN) >> 1,
        3 => (bits & !LAST_COLUMN) << 1,
        4 => (bits & !FIRST_COLUMN) >> 9,
        5 => (bits & !LAST_COLUMN) >> 7,
        6 => (bits & !FIRST_COLUMN) << 7,
        _ => (bits & !LAST_COLUMN) << 9,
    }
}

/// Straight directions come in pairs; the diagonals are 4 against 7 and 5 against 6.
#[inline]
const fn opposite(direction: usize) -> usize {
    if direction < 4 { direction ^ 1 } else { 11 - direction }
}

/// The squares around each square.
const AROUND: [u64; SIZE * SIZE] = {
    let mut around = [0; SIZE * SIZE];
    let mut square = 0;
    while square < SIZE * SIZE {
        let mut direction = 0;
        while direction < 8 {
            around[square] |= shifted(1 << square, direction);
            direction += 1;
        }
        square += 1;
    }
    around
};

/// The square a step from `from` reaches, without looking at the edges.
#[inline]
const fn step_target(from: u32, direction: usize) -> u32 {
    const OFFSETS: [i32; 8] = [-8, 8, -1, 1, -9, -7, 7, 9];
    (from as i32 + OFFSETS[direction]) as u32 & 63
}

/// The enemy stones that turn when a stone has just stepped onto `to`; `own` already has it there.
#[inline]
const fn turned_stones(to: u64, own: u64, enemy: u64) -> u64 {
    let (left, right) = ((to & !FIRST_COLUMN) >> 1, (to & !LAST_COLUMN) << 1);
    let (up, down) = (to >> 8, to << 8);
    // Flanked (夹): an enemy neighbour with an own stone right behind it.
    let flanked = (left & ((own & !LAST_COLUMN) << 1))
        | (right & ((own & !FIRST_COLUMN) >> 1))
        | (up & (own << 8))
        | (down & (own >> 8));
    // Between two (挑): both neighbours in a line are enemies.
    let between_across = left != 0 && right != 0 && (left | right) & !enemy == 0;
    let between_down = up != 0 && down != 0 && (up | down) & !enemy == 0;
    let across = if between_across { left | right } else { 0 };
    let along = if between_down { up | down } else { 0 };
    (flanked | across | along) & enemy
}

impl Tiaojia {
    /// The stones of a side, bit `row * 8 + column`.
    #[must_use]
    pub const fn stones(&self, side: Side) -> u64 {
        self.stones[side.index()]
    }

    /// How many plies may still be played before the stones are counted.
    #[must_use]
    pub const fn plies_left(&self) -> u32 {
        (self.max_plies as u32).saturating_sub(self.plies as u32)
    }

    /// The free squares where a stone of the side to move can turn others by stepping there; no step to another turns
    /// any.
    #[inline]
    #[must_use]
    pub const fn turning_squares(&self) -> u64 {
        let (own, enemy) = (self.stones[self.to_move.index()], self.stones[self.to_move.other().index()]);
        // Beside an enemy with an own stone right behind it.
        let flanking = shifted(shifted(own, 0) & enemy, 0)
            | shifted(shifted(own, 1) & enemy, 1)
            | shifted(shifted(own, 2) & enemy, 2)
            | shifted(shifted(own, 3) & enemy, 3);
        let between = shifted(enemy, 0) & shifted(enemy, 1) | shifted(enemy, 2) & shifted(enemy, 3);
        (flanking | between) & self.empty()
    }

    /// The legal steps onto these squares, in the order of [`Game::visit_legal`].
    #[inline]
    pub fn visit_onto<F: FnMut(Step) -> ControlFlow<()>>(&self, squares: u64, mut visit: F) -> ControlFlow<()> {
        if self.counted() {
            return ControlFlow::Continue(());
        }
        let (own, squares) = (self.stones[self.to_move.index()], self.empty() & squares);
        for direction in 0..8 {
            let mut movable = shifted(squares, opposite(direction)) & own;
            while movable != 0 {
                let from = movable.trailing_zeros() as u8;
                movable &= movable - 1;
                visit(Step { from, direction: direction as u8 })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Where a step leads to.
    #[inline]
    #[must_use]
    pub const fn target(ply: Step) -> u64 {
        1 << step_target(ply.from as u32, ply.direction as usize)
    }

    /// How many enemy stones a legal step turns.
    #[inline]
    #[must_use]
    pub const fn turned_by(&self, ply: Step) -> u32 {
        let to = Self::target(ply);
        let own = self.stones[self.to_move.index()] ^ (1 << ply.from) ^ to;
        turned_stones(to, own, self.stones[self.to_move.other().index()]).count_ones()
    }

    /// The same stones with the other side to move: no ply of the game, but searches ask what doing nothing would be
    /// worth.
    #[must_use]
    pub const fn with_turn_passed(&self) -> Self {
        Self { to_move: self.to_move.other(), plies: self.plies + 1, ..*self }
    }

    #[inline]
    const fn empty(&self) -> u64 {
        !(self.stones[0] | self.stones[1])
    }

    /// Whether the side to move has a stone with room next to it.
    #[inline]
    const fn can_move(&self) -> bool {
        let own = self.stones[self.to_move.index()];
        let row = own | shifted(own, 2) | shifted(own, 3);
        (row | row >> 8 | row << 8) & self.empty() != 0
    }

    #[inline]
    const fn counted(&self) -> bool {
        self.plies >= self.max_plies
    }
}

impl Game for Tiaojia {
    type Ply = Step;
    type Memo = Self;
    type Variant = TiaojiaVariant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &TiaojiaVariant) -> Self {
        let start = variant.starts.first().map_or(START, String::as_str);
        let empty = Self { stones: [0; 2], to_move: Side::Black, plies: 0, max_plies: variant.max_plies as u16 };
        Self::read_position(variant, start).unwrap_or(empty)
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn plies(&self) -> u32 {
        u32::from(self.plies)
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        let own = self.stones[self.to_move.index()];
        let plies = self.plies();
        if own == 0 {
            Some(Verdict::win(self.to_move.other(), &reasons::NO_PIECES, plies))
        } else if self.counted() {
            let [black, white] = self.stones.map(u64::count_ones);
            Some(Verdict::by_count(black, white, &reasons::PLY_LIMIT, plies))
        } else if !self.can_move() {
            Some(Verdict::win(self.to_move.other(), &reasons::NO_PLY, plies))
        } else {
            None
        }
    }

    fn hash(&self) -> u64 {
        mix(&[self.stones[0], self.stones[1], self.to_move as u64])
    }

    #[inline]
    fn visit_legal<F: FnMut(Step) -> ControlFlow<()>>(&self, visit: F) -> ControlFlow<()> {
        self.visit_onto(u64::MAX, visit)
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        if self.counted() {
            return 0;
        }
        let (own, empty) = (self.stones[self.to_move.index()], self.empty());
        // Written out, so that every shift has a constant distance: this is the inner loop of perft.
        let count = |direction| (shifted(own, direction) & empty).count_ones();
        let straight = count(0) + count(1) + count(2) + count(3);
        u64::from(straight + count(4) + count(5) + count(6) + count(7))
    }

    fn count_replies(&self) -> u64 {
        if self.plies + 1 >= self.max_plies {
            return 0;
        }
        let (own, other) = (self.stones[self.to_move.index()], self.stones[self.to_move.other().index()]);
        let replies_now = Self { to_move: self.to_move.other(), ..*self }.count_legal();
        let mut replies = 0;
        let _ = self.visit_legal(|ply| {
            let from = usize::from(ply.from);
            let to = step_target(u32::from(ply.from), usize::from(ply.direction)) as usize;
            let target = 1_u64 << to;
            if turned_stones(target, own ^ (1 << from) ^ target, other) == 0 {
                // Nothing turned: the other side gains its steps onto the square left and loses those onto the square
                // taken.
                let gained = (AROUND[from] & other).count_ones();
                let lost = (AROUND[to] & other).count_ones();
                replies += replies_now + u64::from(gained) - u64::from(lost);
            } else {
                let mut child = *self;
                child.apply(ply, End::Played);
                replies += child.count_legal();
            }
            ControlFlow::Continue(())
        });
        replies
    }

    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Step> {
        let (own, empty) = (self.stones[self.to_move.index()], self.empty());
        let targets: [u64; 8] = std::array::from_fn(|direction| shifted(own, direction) & empty);
        let count: u32 = targets.iter().map(|bits| bits.count_ones()).sum();
        if count == 0 || self.counted() {
            return None;
        }
        let mut skip = below(rng, count);
        for (direction, bits) in targets.into_iter().enumerate() {
            let here = bits.count_ones();
            if skip < here {
                let from = step_target(nth_bit(bits, skip), opposite(direction)) as u8;
                return Some(Step { from, direction: direction as u8 });
            }
            skip -= here;
        }
        None
    }

    fn judge(&self, ply: Step) -> Result<End, Fault> {
        let place = |square: usize| format!("{},{}", square / SIZE, square % SIZE);
        let from = usize::from(ply.from);
        if self.verdict().is_some() {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        if from >= SIZE * SIZE {
            return Err(Fault::at(&reasons::OFF_BOARD, &place(from)));
        }
        if self.stones[self.to_move.index()] & 1 << from == 0 {
            return Err(Fault::at(&reasons::NOT_YOURS, &place(from)));
        }
        let Some(&(dx, dy)) = DIRECTIONS.get(usize::from(ply.direction)) else {
            return Err(Fault::at(&BAD_DIRECTION, &ply.direction.to_string()));
        };
        let target = shifted(1 << from, usize::from(ply.direction));
        if target == 0 {
            let (row, column) = ((from / SIZE) as i8 + dy, (from % SIZE) as i8 + dx);
            return Err(Fault::at(&reasons::OFF_BOARD, &format!("{row},{column}")));
        }
        if target & self.empty() == 0 {
            return Err(Fault::at(&reasons::OCCUPIED, &place(target.trailing_zeros() as usize)));
        }
        Ok(End::Played)
    }

    #[inline]
    fn apply(&mut self, ply: Step, _end: End) -> Self {
        let before = *self;
        let (mover, other) = (self.to_move.index(), self.to_move.other().index());
        let to = Self::target(ply);
        let own = self.stones[mover] ^ (1 << ply.from) ^ to;
        let turned = turned_stones(to, own, self.stones[other]);
        self.stones[mover] = own | turned;
        self.stones[other] ^= turned;
        self.to_move = self.to_move.other();
        self.plies += 1;
        before
    }

    #[inline]
    fn undo(&mut self, memo: Self) {
        *self = memo;
    }

    fn space(&self) -> u64 {
        (SIZE * SIZE * DIRECTIONS.len()) as u64
    }

    fn ply_at(&self, number: u64) -> Step {
        Step { from: (number / 8) as u8, direction: (number % 8) as u8 }
    }

    fn read_ply(&self, text: &str) -> Result<Step, Fault> {
        let malformed = || Fault::at(&reasons::MALFORMED, text.trim());
        let mut numbers = [0_usize; 3];
        let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        for number in &mut numbers {
            let word = words.next().ok_or_else(malformed)?;
            *number = word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit())).ok_or_else(malformed)?;
        }
        if words.next().is_some() {
            return Err(malformed());
        }
        let [row, column, direction] = numbers;
        if row >= SIZE || column >= SIZE {
            return Err(Fault::at(&reasons::OFF_BOARD, &format!("{row},{column}")));
        }
        if direction >= DIRECTIONS.len() {
            return Err(Fault::at(&BAD_DIRECTION, &direction.to_string()));
        }
        Ok(Step { from: (row * SIZE + column) as u8, direction: direction as u8 })
    }

    fn write_ply(&self, ply: Step, out: &mut String) {
        for (index, number) in [ply.from / SIZE as u8, ply.from % SIZE as u8, ply.direction].into_iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push((b'0' + number) as char);
        }
    }

    fn read_position(variant: &TiaojiaVariant, text: &str) -> Result<Self, Fault> {
        let mut fields = Fields::new(text);
        let mut stones = [0_u64; 2];
        fields.required("board")?.rows(SIZE, SIZE, |x, y, letter| {
            Side::from_letter(letter).map(|side| stones[side.index()] |= 1 << (y * SIZE + x)).is_some()
        })?;
        let to_move = fields.side()?;
        let plies = fields.number(0)?.min(u32::from(u16::MAX) - 1) as u16;
        fields.finish()?;
        Ok(Self { stones, to_move, plies, max_plies: variant.max_plies as u16 })
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        write_rows(out, SIZE, SIZE, |x, y| self.side_at(y * SIZE + x).map(Side::letter));
        out.push_str(&format!(" {} {}", self.to_move.letter(), self.plies));
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        vec![
            Note::new("black", Phrase::new("Black's stones", "黑子"), &self.stones[0].count_ones()),
            Note::new("white", Phrase::new("White's stones", "白子"), &self.stones[1].count_ones()),
            Note::new(
                "plies-left",
                Phrase::new("Plies left", "剩余步数"),
                &u32::from(self.max_plies).saturating_sub(self.plies()),
            ),
        ]
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        let geometry = Geometry::cells(SIZE, SIZE, |x, y| format!("{y},{x}")).labelled(
            SIZE,
            SIZE,
            |x| x.to_string(),
            |y| y.to_string(),
        );
        let geometry = geometry.seen_from(Side::Black);
        let pieces = (0..SIZE * SIZE)
            .filter_map(|square| Some(Piece::plain(square, Figure::Stone, Some(self.side_at(square)?))))
            .collect();
        Scene { geometry, pieces, marks: Vec::new() }
    }

    fn path(&self, ply: Step, out: &mut Vec<u16>) {
        out.extend([u16::from(ply.from), step_target(u32::from(ply.from), usize::from(ply.direction)) as u16]);
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        Self { stones: self.stones.map(|bits| symmetry.map_bits(bits)), ..*self }
    }

    fn transformed_ply(&self, ply: Step, symmetry: Symmetry) -> Step {
        let from = usize::from(ply.from);
        let (x, y) = symmetry.map(from % SIZE, from / SIZE, SIZE, SIZE);
        let (dx, dy) = DIRECTIONS[usize::from(ply.direction)];
        let step = symmetry.map_step(dx, dy);
        let direction = DIRECTIONS.iter().position(|&other| other == step).unwrap_or_default();
        Step { from: (y * SIZE + x) as u8, direction: direction as u8 }
    }
}

impl Tiaojia {
    fn side_at(&self, square: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> square & 1 == 1)
    }
}

const START: &str = "8/8/wwww4/4wwww/bbbb4/4bbbb/8/8 b 0";

static FACTS: Facts = Facts {
    id: "tiaojia",
    name: Phrase::new("Tiaojia", "挑夹棋"),
    aliases: &["挑夹"],
    board: Phrase::same("8×8"),
    summary: Phrase::new(
        "Move a stone one step in any direction. An enemy between the moved stone and another of yours turns, and so do \
         two enemies the moved stone steps between, along rows and columns. Whoever has no stone or no move loses; \
         at the ply limit more stones win.",
        "每步将己方一子向八个方向之一移动一格。横纵线上被移动的子与另一己子夹住的一枚敌子（夹），\
         或移动的子正处于两枚敌子中间时的这两枚敌子（挑），变为己方棋子。无子或无法行棋者负；到步数上限时子多者胜。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "row, column, direction (0 up, 1 down, 2 left, 3 right, 4 up-left, 5 up-right, 6 down-left, 7 down-right): 4 0 0",
        "行 列 方向（0 上、1 下、2 左、3 右、4 左上、5 右上、6 左下、7 右下）：4 0 0",
    ),
    prompts: &[Phrase::new("Choose a stone", "请选一枚棋子"), Phrase::new("Where should it go?", "走到哪里？")],
    ranks: &[],
    words_per_ply: 3,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty squares), side to move, plies played: 8/8/wwww4/4wwww/bbbb4/4bbbb/8/8 b 0",
        "自上而下各行（b 黑、w 白、数字为连续空格数）、行棋方、已行步数：8/8/wwww4/4wwww/bbbb4/4bbbb/8/8 b 0",
    ),
    options: &[
        OptionFact {
            key: "max_plies",
            name: Phrase::new("Most plies", "步数上限"),
            control: Control::whole(1, 10_000),
            values: "1..10000",
            text: Phrase::new("after this many plies the stones are counted", "到此步数时按子数判定胜负"),
        },
        OptionFact {
            key: "starts",
            name: Phrase::new("Starting positions", "初始局面"),
            control: Control::Text,
            values: "[\"position\", …]",
            text: Phrase::new(
                "starting positions; a match plays each from both sides",
                "初始局面列表；一场比赛对每个局面各执先后手一局",
            ),
        },
    ],
    presets: &[
        Preset {
            id: "usual",
            name: Phrase::new("120 plies, as in the judge’s document", "120 步，与裁判文档一致"),
            pairs: &[],
        },
        Preset {
            id: "long",
            name: Phrase::new("400 plies, fought out", "400 步，充分较量"),
            pairs: &["max_plies=400"],
        },
    ],
    samples: &[&["max_plies=30"], &[r#"starts=["8/8/2wwww2/8/8/2bbbb2/8/8 b 0"]"#]],
    example: "8/2w5/w1ww4/2b1wwww/b1bb4/4bb1b/6b1/8 b 6",
    reasons: &[&BAD_DIRECTION, &NO_START],
};

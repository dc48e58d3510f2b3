//! NoGo (不围棋): whoever captures, or leaves his own chain without liberties, has lost.
//!
//! Nothing leaves the board while the game goes on, so chains only grow. Beside the stones a position keeps, for each
//! side, which of its chains have room (two liberties or more) and the last liberties of those that have not. A stone
//! touches only the chains next to it, and the points that do not lose follow from these sets in a few operations.

use std::ops::ControlFlow;

use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::core::random::{below, mix, nth_bit_wide};
use crate::core::text::{Fields, read_letters};
use crate::core::view::{Mark, MarkKind, Scene};
use crate::core::{
    Control, End, Eyes, Facts, Fault, Game, Note, OptionFact, Phrase, Preset, Reason, Side, Symmetry, Variant, Verdict,
    reasons,
};
use crate::goban::{self, SUICIDE, around, bit, first, flood, grow, several};

static CAPTURE: Reason = Reason::new("capture", "the loser's stone captures", "负方落子提子");
static ONLY_LOSING: Reason =
    Reason::new("only-losing-points", "the side to move has only losing points left", "轮到行棋的一方只剩落子即负的点");

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoGoVariant {
    /// Points along an edge of the board.
    pub size: u8,
}

impl Default for NoGoVariant {
    fn default() -> Self {
        Self { size: goban::MOST as u8 }
    }
}

impl Variant for NoGoVariant {
    fn check(&self) -> Result<(), Fault> {
        if (2..=goban::MOST).contains(&usize::from(self.size)) {
            Ok(())
        } else {
            Err(Fault::at(&reasons::BAD_OPTION, "size=2..9"))
        }
    }
}

/// A stone on this point of the [`goban`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stone(pub u8);

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoGo {
    stones: [u128; 2],
    /// Those in chains with two liberties or more.
    roomy: [u128; 2],
    /// The last liberties of the other chains.
    last: [u128; 2],
    board: u128,
    size: u8,
    to_move: Side,
    /// Why the side that has just moved has lost by its stone.
    lost: Option<&'static Reason>,
}

impl NoGo {
    /// The stones of a side, as a set of the [`goban`].
    #[must_use]
    pub const fn stones(&self, side: Side) -> u128 {
        self.stones[side.index()]
    }

    /// Those of them in chains with two liberties or more.
    #[must_use]
    pub const fn roomy(&self, side: Side) -> u128 {
        self.roomy[side.index()]
    }

    /// The empty points.
    #[inline]
    #[must_use]
    pub const fn empty(&self) -> u128 {
        self.board & !(self.stones[0] | self.stones[1])
    }

    /// The points where a stone of this side would not lose, whoever is to move; none once a stone has lost.
    #[inline]
    #[must_use]
    pub const fn safe(&self, side: Side) -> u128 {
        if self.lost.is_some() {
            return 0;
        }
        // The stone keeps a liberty beside itself or through a neighbour chain with room, and takes nobody's last.
        let empty = self.empty();
        empty & around(empty | self.roomy[side.index()]) & !self.last[side.other().index()]
    }

    /// The empty points that are not safe for the side to move; none once the game is over.
    fn losing(&self) -> u128 {
        let safe = self.safe(self.to_move);
        if safe == 0 { 0 } else { self.empty() & !safe }
    }

    /// Finds chains and their liberties anew; every chain has one.
    fn survey(&mut self) {
        let empty = self.empty();
        for side in 0..2 {
            let mut rest = self.stones[side];
            while rest != 0 {
                let (chain, liberties) = grow(first(rest), self.stones[side], empty, |_| false);
                if several(liberties) {
                    self.roomy[side] |= chain;
                } else {
                    self.last[side] |= liberties;
                }
                rest &= !chain;
            }
        }
    }

    const fn size(&self) -> usize {
        self.size as usize
    }
}

impl Game for NoGo {
    type Ply = Stone;
    type Memo = Self;
    type Variant = NoGoVariant;
    const FACTS: &'static Facts = &FACTS;

    fn new(variant: &NoGoVariant) -> Self {
        Self {
            stones: [0; 2],
            roomy: [0; 2],
            last: [0; 2],
            board: goban::board(usize::from(variant.size)),
            size: variant.size,
            to_move: Side::Black,
            lost: None,
        }
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn plies(&self) -> u32 {
        (self.stones[0] | self.stones[1]).count_ones()
    }

    #[inline]
    fn verdict(&self) -> Option<Verdict> {
        if let Some(reason) = self.lost {
            Some(Verdict::win(self.to_move, reason, self.plies()))
        } else if self.safe(self.to_move) == 0 {
            Some(Verdict::win(self.to_move.other(), &ONLY_LOSING, self.plies()))
        } else {
            None
        }
    }

    fn hash(&self) -> u64 {
        let [black, white] = self.stones;
        mix(&[black as u64, (black >> 64) as u64, white as u64, (white >> 64) as u64, self.to_move as u64])
    }

    #[inline]
    fn visit_legal<F: FnMut(Stone) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        goban::points(self.safe(self.to_move)).try_for_each(|point| visit(Stone(point)))
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        u64::from(self.safe(self.to_move).count_ones())
    }

    fn visit_losing<F: FnMut(Stone) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        goban::points(self.losing()).try_for_each(|point| visit(Stone(point)))
    }

    #[inline]
    fn random_ply<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Stone> {
        let safe = self.safe(self.to_move);
        (safe != 0).then(|| Stone(nth_bit_wide(safe, below(rng, safe.count_ones())) as u8))
    }

    fn judge(&self, ply: Stone) -> Result<End, Fault> {
        let Stone(point) = ply;
        let stone = bit(point);
        let safe = self.safe(self.to_move);
        if safe == 0 {
            return Err(Fault::bare(&reasons::GAME_OVER));
        }
        if stone & self.board == 0 {
            return Err(Fault::at(&reasons::OFF_BOARD, &goban::name(point)));
        }
        if stone & self.empty() == 0 {
            return Err(Fault::at(&reasons::OCCUPIED, &goban::name(point)));
        }
        Ok(if stone & safe != 0 {
            End::Played
        } else if stone & self.last[self.to_move.other().index()] != 0 {
            End::Lost(&CAPTURE)
        } else {
            End::Lost(&SUICIDE)
        })
    }

    #[inline]
    fn apply(&mut self, ply: Stone, end: End) -> Self {
        let before = *self;
        let (own, enemy) = (self.to_move.index(), self.to_move.other().index());
        let stone = bit(ply.0);
        self.stones[own] |= stone;
        self.to_move = self.to_move.other();
        if let End::Lost(reason) = end {
            self.lost = Some(reason);
            return before;
        }
        let empty = self.empty();
        self.last[own] &= !stone;
        let (chain, liberties) = grow(stone, self.stones[own], empty, several);
        if several(liberties) {
            // Chains that had this point as their last liberty have room now.
            self.roomy[own] |= flood(stone, self.stones[own] & !self.roomy[own]);
        } else {
            self.roomy[own] &= !chain;
            self.last[own] |= liberties;
        }
        let mut near = around(stone) & self.roomy[enemy];
        while near != 0 {
            let (chain, liberties) = grow(first(near), self.stones[enemy], empty, several);
            if !several(liberties) {
                self.roomy[enemy] &= !chain;
                self.last[enemy] |= liberties;
            }
            near &= !chain;
        }
        before
    }

    #[inline]
    fn undo(&mut self, memo: Self) {
        *self = memo;
    }

    fn space(&self) -> u64 {
        (self.size() * self.size()) as u64
    }

    fn ply_at(&self, number: u64) -> Stone {
        Stone(goban::point_at(number as usize, self.size()))
    }

    fn read_ply(&self, text: &str) -> Result<Stone, Fault> {
        let mut points = [(0, 0)];
        read_letters(text, self.size(), self.size(), &mut points)?;
        let [(x, y)] = points;
        Ok(Stone(goban::point(x, y)))
    }

    fn write_ply(&self, ply: Stone, out: &mut String) {
        goban::write_point(ply.0, out);
    }

    fn read_position(variant: &NoGoVariant, text: &str) -> Result<Self, Fault> {
        let mut position = Self::new(variant);
        let mut fields = Fields::new(text);
        let stones = goban::read_stones(&mut fields, position.size())?;
        let to_move = fields.side()?;
        fields.finish()?;
        let dead = |stones: [u128; 2]| {
            let empty = position.board & !(stones[0] | stones[1]);
            goban::lifeless(stones[0], empty) | goban::lifeless(stones[1], empty)
        };
        let dead_now = dead(stones);
        if dead_now == 0 {
            (position.stones, position.to_move) = (stones, to_move);
            position.survey();
            return Ok(position);
        }
        // A chain without liberties stands only where the last stone has just lost the game.
        let mover = to_move.other();
        for point in goban::points(stones[mover.index()]) {
            let mut before = stones;
            before[mover.index()] &= !bit(point);
            if dead(before) == 0 {
                let mut played = Self { stones: before, to_move: mover, ..position };
                played.survey();
                if let Ok(end @ End::Lost(_)) = played.judge(Stone(point)) {
                    played.apply(Stone(point), end);
                    return Ok(played);
                }
            }
        }
        Err(Fault::at(&reasons::IMPOSSIBLE, &goban::name(dead_now.trailing_zeros() as u8)))
    }

    fn write_position(&self, _eyes: Eyes, out: &mut String) {
        goban::write_stones(self.stones, self.size(), out);
        out.push(' ');
        out.push(self.to_move.letter());
    }

    fn notes(&self, _eyes: Eyes) -> Vec<Note> {
        let safe = |side| self.safe(side).count_ones();
        vec![
            Note::new("black-safe", Phrase::new("Safe points for Black", "黑方可落点"), &safe(Side::Black)),
            Note::new("white-safe", Phrase::new("Safe points for White", "白方可落点"), &safe(Side::White)),
        ]
    }

    fn draw(&self, _eyes: Eyes) -> Scene {
        // Also after the end for want of a safe point: these marks are why.
        let forbidden = if self.lost.is_some() { 0 } else { self.empty() & !self.safe(self.to_move) };
        let mark = |point| Mark { spot: goban::spot(point, self.size()) as u16, kind: MarkKind::Forbidden };
        Scene {
            geometry: goban::geometry(self.size()),
            pieces: goban::pieces(self.stones, self.size()),
            marks: goban::points(forbidden).map(mark).collect(),
        }
    }

    fn path(&self, ply: Stone, out: &mut Vec<u16>) {
        out.push(goban::spot(ply.0, self.size()) as u16);
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        Symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let map = |sets: [u128; 2]| sets.map(|set| goban::map_set(set, symmetry, self.size()));
        Self { stones: map(self.stones), roomy: map(self.roomy), last: map(self.last), ..*self }
    }

    fn transformed_ply(&self, ply: Stone, symmetry: Symmetry) -> Stone {
        Stone(goban::map_point(ply.0, symmetry, self.size()))
    }
}

static FACTS: Facts = Facts {
    id: "nogo",
    name: Phrase::new("NoGo", "不围棋"),
    aliases: &["不围"],
    board: Phrase::same("9×9"),
    summary: Phrase::new(
        "Place a stone on an empty point. Whoever captures, or leaves his own chain without liberties, loses at once, \
         and so does the side to move that has only such points left. No passing, no draws.",
        "双方轮流在空点落一子。落子后提掉对方棋子，或使己方棋块无气（自杀），落子方立即判负；\
         轮到行棋而只剩此类点的一方也判负。不得停着，没有和棋。",
    ),
    sides: [Phrase::new("Black", "黑方"), Phrase::new("White", "白方")],
    hidden: false,
    notation: Phrase::new(
        "column and row of the stone, letters from the top left: EE",
        "落点的列与行，均自左上角起以字母表示：EE",
    ),
    prompts: &[Phrase::new("Place a stone", "请落子")],
    ranks: &[],
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top (b, w, numbers for empty points), side to move; every stone counts as one ply: 9/9/9/9/4b4/9/9/9/9 w",
        "自上而下各行（b 黑、w 白、数字为连续空点数）、行棋方；盘上每子计一步：9/9/9/9/4b4/9/9/9/9 w",
    ),
    options: &[OptionFact {
        key: "size",
        name: Phrase::new("Board", "棋盘"),
        control: Control::whole(2, 9),
        values: "2..9",
        text: Phrase::new("points along an edge of the board", "棋盘每边的点数"),
    }],
    presets: &[
        Preset { id: "usual", name: Phrase::new("9×9, as in the championship", "9×9，锦标赛规则"), pairs: &[] },
        Preset { id: "7x7", name: Phrase::new("7×7", "7×7"), pairs: &["size=7"] },
        Preset { id: "5x5", name: Phrase::new("5×5, short", "5×5，快棋"), pairs: &["size=5"] },
    ],
    samples: &[&["size=5"], &["size=2"]],
    example: "2bbwbwbb/1b1w1bwb1/ww3bwb1/2w2b3/ww1b1b1w1/2b3wbb/1b2wwbw1/bb1ww4/www6 b",
    reasons: &[&CAPTURE, &SUICIDE, &ONLY_LOSING],
};

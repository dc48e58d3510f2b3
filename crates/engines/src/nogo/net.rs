//! A small convolutional net: where to play, and who wins.
//!
//! Every point has a row of [`WIDTH`] numbers. The first layer sums rows of a table by what stands on a point and around it;
//! blocks of two convolutions with a sum over the whole board between them follow; a last row per point orders the plies, and the
//! mean of all rows tells the chance. `examples/train_nogo.rs` trains it.

use bytemuck::{Pod, Zeroable};
use games::nogo::NoGo;
use games::{Game as _, goban};
use pulp::{Scalar, Simd, WithSimd};

/// Numbers of a point.
pub const WIDTH: usize = 32;
/// Points of the widest board with a rim around it.
pub const PLACES: usize = ACROSS * ACROSS;
/// Points from one row of the board to the next.
pub const ACROSS: usize = goban::MOST + 2;
/// What can stand on a point; see [`Sight::of`].
pub const KINDS: usize = 8;
/// Kind of a place beside the board.
pub const NOWHERE: u8 = KINDS as u8;
/// Blocks of two convolutions.
pub const BLOCKS: usize = 2;
/// Figures of the whole position that are told beside the points; some are free.
pub const FIGURES: usize = 8;

/// The numbers of a point, or the weights that lead to those.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Row(pub [f32; WIDTH]);

/// A row of nothing.
pub const NOTHING: Row = Row([0.0; WIDTH]);

/// All numbers of one layer.
pub type Plane = [Row; PLACES];

/// Where the weights of each part begin, in rows.
pub mod layout {
    use super::{BLOCKS, FIGURES, KINDS, WIDTH};

    /// Neighbours (and the point itself) by kind, then the bias.
    pub const FIRST: usize = 0;
    /// The first block.
    pub const BLOCK: usize = FIRST + 9 * KINDS + 1;
    /// Within a block: nine squares of weights and a bias, the square for the mean of all points, nine squares and a bias.
    pub const CONVOLUTION: usize = 9 * WIDTH + 1;
    /// The mean's square within a block.
    pub const MEAN: usize = CONVOLUTION;
    /// The second convolution within a block.
    pub const SECOND: usize = MEAN + WIDTH;
    /// Rows of a block.
    pub const BLOCK_ROWS: usize = SECOND + CONVOLUTION;
    /// The row that orders plies.
    pub const ORDER: usize = BLOCK + BLOCKS * BLOCK_ROWS;
    /// From the mean and the figures to the hidden layer, its bias, its weights, and the last bias alone in a row.
    pub const CHANCE: usize = ORDER + 1;
    /// Bias of the hidden layer.
    pub const HIDDEN: usize = CHANCE + WIDTH + FIGURES;
    /// All rows.
    pub const ROWS: usize = HIDDEN + 3;
}

/// A position as the net sees it.
#[derive(Debug, Clone)]
pub struct Sight {
    /// By place.
    pub kinds: [u8; PLACES],
    /// Of the whole position.
    pub figures: [f32; FIGURES],
    /// Points of the board.
    pub points: f32,
}

/// The place of a point.
#[must_use]
pub const fn place(point: u8) -> usize {
    let (x, y) = goban::place(point);
    (y + 1) * ACROSS + x + 1
}

impl Sight {
    /// What a position shows the side to move.
    #[must_use]
    pub fn of(game: &NoGo) -> Self {
        let sides = [game.to_move(), game.to_move().other()];
        let [own, enemy] = sides.map(|side| game.stones(side));
        let [own_roomy, enemy_roomy] = sides.map(|side| game.roomy(side));
        let [safe, enemy_safe] = sides.map(|side| game.safe(side));
        let mut kinds = [NOWHERE; PLACES];
        let has = |set: u128, point: u8| u8::from(set & goban::bit(point) != 0);
        for point in goban::points(game.empty()) {
            kinds[place(point)] = has(safe, point) + 2 * has(enemy_safe, point);
        }
        for point in goban::points(own) {
            kinds[place(point)] = 4 + has(own_roomy, point);
        }
        for point in goban::points(enemy) {
            kinds[place(point)] = 6 + has(enemy_roomy, point);
        }
        let count = |set: u128| set.count_ones() as f32;
        let both = safe & enemy_safe;
        let parity = if both.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        let (own_only, enemy_only) = (count(safe & !both), count(enemy_safe & !both));
        let lead = (own_only - enemy_only) / 4.0;
        let near = 1.0 / (1.0 + count(both) / 8.0);
        let figures =
            [own_only / 8.0, enemy_only / 8.0, count(both) / 32.0, parity * near, lead, lead * near, near, 0.0];
        Self { kinds, figures, points: count(game.empty() | own | enemy) }
    }
}

/// What the net thinks of a position, and how it came to it.
pub struct Thinking {
    /// The first layer, then both layers of each block.
    pub layers: Box<[Plane; 1 + 2 * BLOCKS]>,
    /// The mean of each block's first layer.
    pub means: [Row; BLOCKS],
    /// Of the last layer.
    pub mean: Row,
    /// The hidden layer before the chance.
    pub hidden: Row,
    /// How good a stone looks, by place; only differences count.
    pub order: [f32; PLACES],
    /// The logit of the mover's chance.
    pub logit: f32,
}

impl Default for Thinking {
    fn default() -> Self {
        Self {
            layers: Box::new([[NOTHING; PLACES]; 1 + 2 * BLOCKS]),
            means: [NOTHING; BLOCKS],
            mean: NOTHING,
            hidden: NOTHING,
            order: [0.0; PLACES],
            logit: 0.0,
        }
    }
}

/// The net.
#[derive(Clone)]
pub struct Net {
    /// As [`layout`] tells.
    pub rows: Vec<Row>,
}

impl Net {
    /// The net of these bytes.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let mut rows = vec![NOTHING; layout::ROWS];
        let numbers: &mut [f32] = bytemuck::cast_slice_mut(&mut rows);
        assert_eq!(bytes.len(), 4 * numbers.len(), "a net of other size");
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
            *number = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Self { rows }
    }

    /// Looks at a position.
    pub fn look(&self, sight: &Sight, thinking: &mut Thinking) {
        widely(Look { net: self, sight, thinking });
    }
}

/// Work on rows, compiled for several kinds of processors.
pub trait Wide {
    /// Does it with words of which `WORDS` make a row; the sums of `TILE` rows fit into the registers.
    fn run<S: Simd, const WORDS: usize, const TILE: usize>(self, simd: S);
}

struct Sized<W, const WORDS: usize, const TILE: usize>(W);

impl<W: Wide, const WORDS: usize, const TILE: usize> WithSimd for Sized<W, WORDS, TILE> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run::<S, WORDS, TILE>(simd);
    }
}

/// Does it with the widest words this processor has.
pub fn widely(work: impl Wide) {
    #[cfg(target_arch = "x86_64")]
    match pulp::Arch::new() {
        pulp::Arch::V4(simd) => return Simd::vectorize(simd, Sized::<_, { WIDTH / 16 }, 9>(work)),
        pulp::Arch::V3(simd) => return Simd::vectorize(simd, Sized::<_, { WIDTH / 8 }, 3>(work)),
        _ => {}
    }
    work.run::<_, WIDTH, 1>(Scalar);
}

struct Look<'a> {
    net: &'a Net,
    sight: &'a Sight,
    thinking: &'a mut Thinking,
}

impl Wide for Look<'_> {
    #[inline(always)]
    fn run<S: Simd, const WORDS: usize, const TILE: usize>(self, simd: S) {
        let Self { net: Net { rows }, sight, thinking } = self;
        first(simd, rows, sight, &mut thinking.layers[0]);
        for block in 0..BLOCKS {
            let rows = &rows[layout::BLOCK + block * layout::BLOCK_ROWS..][..layout::BLOCK_ROWS];
            let (before, after) = thinking.layers.split_at_mut(1 + 2 * block);
            let (input, [middle, output]) = (&before[2 * block], &mut after[..2]) else { unreachable!() };
            convolve::<S, WORDS, TILE>(simd, input, &rows[..9 * WIDTH], &rows[9 * WIDTH], middle);
            rectify(simd, middle, None, sight);
            thinking.means[block] = mean(simd, middle, sight);
            let rows = &rows[layout::MEAN..];
            let bias = through(simd, &thinking.means[block].0, rows, &rows[WIDTH + 9 * WIDTH]);
            convolve::<S, WORDS, TILE>(simd, middle, &rows[WIDTH..WIDTH + 9 * WIDTH], &bias, output);
            rectify(simd, output, Some(input), sight);
        }
        let last = &thinking.layers[2 * BLOCKS];
        for (order, row) in thinking.order.iter_mut().zip(last) {
            *order = product(simd, row, &rows[layout::ORDER]);
        }
        thinking.mean = mean(simd, last, sight);
        let rows = &rows[layout::CHANCE..];
        let hidden = through(simd, &thinking.mean.0, rows, &rows[WIDTH + FIGURES]);
        let mut hidden = through(simd, &sight.figures, &rows[WIDTH..], &hidden);
        positive(simd, &mut hidden);
        thinking.hidden = hidden;
        thinking.logit = product(simd, &hidden, &rows[WIDTH + FIGURES + 1]) + rows[WIDTH + FIGURES + 2].0[0];
    }
}

/// The words of a row.
#[inline(always)]
pub fn words<S: Simd>(row: &Row) -> &[S::f32s] {
    S::as_simd_f32s(&row.0).0
}

/// The words of a row, to be changed.
#[inline(always)]
pub fn words_mut<S: Simd>(row: &mut Row) -> &mut [S::f32s] {
    S::as_mut_simd_f32s(&mut row.0).0
}

/// `a * b + c`; where that is no single operation it must not be asked for as one.
#[inline(always)]
pub fn multiply_add<S: Simd>(simd: S, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
    if S::IS_SCALAR { simd.add_f32s(simd.mul_f32s(a, b), c) } else { simd.mul_add_f32s(a, b, c) }
}

/// Adds a multiple of a row to another.
#[inline(always)]
pub fn add<S: Simd>(simd: S, amount: f32, row: &Row, sums: &mut Row) {
    let amount = simd.splat_f32s(amount);
    for (sum, word) in words_mut::<S>(sums).iter_mut().zip(words::<S>(row)) {
        *sum = multiply_add(simd, amount, *word, *sum);
    }
}

/// The sum of the products of two rows.
#[inline(always)]
pub fn product<S: Simd>(simd: S, a: &Row, b: &Row) -> f32 {
    let mut sum = simd.splat_f32s(0.0);
    for (a, b) in words::<S>(a).iter().zip(words::<S>(b)) {
        sum = multiply_add(simd, *a, *b, sum);
    }
    simd.reduce_sum_f32s(sum)
}

/// The offset of a neighbour from a place, `ACROSS + 1` too high.
const fn neighbour(number: usize) -> usize {
    number / 3 * ACROSS + number % 3
}

/// The places of the board, `TILE` at a time.
fn tiles<const TILE: usize>() -> impl Iterator<Item = usize> {
    (1..=goban::MOST).flat_map(|y| (1..=goban::MOST).step_by(TILE).map(move |x| y * ACROSS + x))
}

#[inline(always)]
fn first<S: Simd>(simd: S, rows: &[Row], sight: &Sight, out: &mut Plane) {
    for at in tiles::<1>() {
        out[at] = NOTHING;
        if sight.kinds[at] == NOWHERE {
            continue;
        }
        let mut sums = rows[layout::FIRST + 9 * KINDS];
        for number in 0..9 {
            let kind = sight.kinds[at + neighbour(number) - ACROSS - 1];
            if kind != NOWHERE {
                add(simd, 1.0, &rows[layout::FIRST + number * KINDS + usize::from(kind)], &mut sums);
            }
        }
        positive(simd, &mut sums);
        out[at] = sums;
    }
}

/// What the rows around each point come to. `weights`: nine squares, by neighbour and its number.
#[inline(always)]
pub fn convolve<S: Simd, const WORDS: usize, const TILE: usize>(
    simd: S,
    input: &Plane,
    weights: &[Row],
    bias: &Row,
    out: &mut Plane,
) {
    let bias: [S::f32s; WORDS] = std::array::from_fn(|word| words::<S>(bias)[word]);
    for at in tiles::<TILE>() {
        let mut sums = [bias; TILE];
        for number in 0..9 {
            let rows = &input[at + neighbour(number) - ACROSS - 1..][..TILE];
            let weights = &weights[number * WIDTH..][..WIDTH];
            for from in 0..WIDTH {
                let weights = words::<S>(&weights[from]);
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let amount = simd.splat_f32s(row.0[from]);
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = multiply_add(simd, amount, *weight, *sum);
                    }
                }
            }
        }
        for (out, sums) in out[at..at + TILE].iter_mut().zip(sums) {
            words_mut::<S>(out).copy_from_slice(&sums);
        }
    }
}

/// The positive part of a row.
#[inline(always)]
fn positive<S: Simd>(simd: S, row: &mut Row) {
    for word in words_mut::<S>(row) {
        *word = simd.max_f32s(*word, simd.splat_f32s(0.0));
    }
}

/// The positive part of a plane, of the sum with another if there is one; nothing beside the board.
#[inline(always)]
fn rectify<S: Simd>(simd: S, plane: &mut Plane, more: Option<&Plane>, sight: &Sight) {
    for at in tiles::<1>() {
        if sight.kinds[at] == NOWHERE {
            plane[at] = NOTHING;
            continue;
        }
        if let Some(more) = more {
            add(simd, 1.0, &more[at], &mut plane[at]);
        }
        positive(simd, &mut plane[at]);
    }
}

/// The mean over the board.
#[inline(always)]
fn mean<S: Simd>(simd: S, plane: &Plane, sight: &Sight) -> Row {
    let (part, mut sums) = (1.0 / sight.points, NOTHING);
    for at in tiles::<1>() {
        add(simd, part, &plane[at], &mut sums);
    }
    sums
}

/// Numbers through a layer of weights, a row for each of them.
#[inline(always)]
fn through<S: Simd>(simd: S, numbers: &[f32], weights: &[Row], bias: &Row) -> Row {
    let mut sums = *bias;
    for (&number, weights) in numbers.iter().zip(weights) {
        add(simd, number, weights, &mut sums);
    }
    sums
}

#[cfg(test)]
mod tests {
    use games::End;
    use games::nogo::NoGoVariant;
    use games::random::below;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn positions(size: u8) -> impl Iterator<Item = NoGo> {
        (0..20).map(move |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = NoGo::new(&NoGoVariant { size });
            for _ in 0..below(&mut rng, 60) {
                if let Some(ply) = game.random_ply(&mut rng) {
                    game.apply(ply, End::Played);
                }
            }
            game
        })
    }

    fn some_net() -> Net {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut number = || (below(&mut rng, 2001) as f32 - 1000.0) / 6000.0;
        Net { rows: (0..layout::ROWS).map(|_| Row(std::array::from_fn(|_| number()))).collect() }
    }

    #[test]
    fn wide_words_and_plain_numbers_think_the_same() {
        let net = some_net();
        for game in positions(9).chain(positions(5)) {
            let sight = Sight::of(&game);
            let (mut wide, mut plain) = (Thinking::default(), Thinking::default());
            net.look(&sight, &mut wide);
            Look { net: &net, sight: &sight, thinking: &mut plain }.run::<_, WIDTH, 1>(Scalar);
            let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 * (1.0 + a.abs());
            assert!(near(wide.logit, plain.logit), "{} {}", wide.logit, plain.logit);
            assert!(wide.order.iter().zip(&plain.order).all(|(a, b)| near(*a, *b)));
        }
    }

    #[test]
    fn nothing_is_thought_of_places_beside_the_board() {
        let net = some_net();
        let mut thinking = Thinking::default();
        for game in positions(9).chain(positions(6)).chain(positions(2)) {
            let sight = Sight::of(&game);
            net.look(&sight, &mut thinking);
            for (at, kind) in sight.kinds.iter().enumerate() {
                let some = thinking.layers.iter().any(|layer| layer[at].0.iter().any(|number| *number != 0.0));
                assert!(*kind != NOWHERE || !some, "{at}");
            }
        }
    }

    #[test]
    fn the_side_to_move_sees_itself_as_its_own() {
        // Black's stone in the corner has one liberty less than White's beside it; the point behind is Black's alone to lose.
        let game = NoGo::read_position(&NoGoVariant::default(), "bw7/9/9/9/9/9/9/9/9 b").expect("a position");
        let sight = Sight::of(&game);
        assert_eq!(sight.kinds[place(goban::point(0, 0))], 4, "own, one liberty");
        assert_eq!(sight.kinds[place(goban::point(1, 0))], 7, "the enemy's, with room");
        assert_eq!(sight.kinds[place(goban::point(0, 1))], 1, "the enemy would capture there");
        assert_eq!(sight.kinds[place(goban::point(5, 5))], 3, "open to both");
        assert_eq!(sight.kinds[0], NOWHERE);
    }
}

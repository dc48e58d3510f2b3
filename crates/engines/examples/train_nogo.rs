//! Trains NoGo's net: games against itself, then a fit to them.
//!
//! - `cargo run --profile quick -p engines --example train_nogo -- play SEED GAMES LOOKS OUT [NET]` plays games of so many looks a ply and
//!   writes down every position with what the search visited, what it thought and who won.
//! - `… -- fit OUT NET|- EPOCHS RATE GAMES…` fits a net to such files, beginning with NET or with a newborn one.
//! - `… -- train OUT SEED GAMES LOOKS EPOCHS RATE [NET]` does both, beginning with the net in use.
//! - `… -- match LOOKS PAIRS NET [AGAINST]` plays one net against another, or against the one in use.

#![expect(clippy::print_stdout, reason = "a tool prints what it found")]

#[path = "learning/adam.rs"]
mod adam;

use std::io::Write as _;
use std::sync::Arc;

use adam::Adam;
use engines::Settings;
use engines::kit::alpha_beta::WIN_FLOOR;
use engines::kit::{Budget, Mind as _};
use engines::nogo::NoGoMind;
use engines::nogo::net::{
    ACROSS, BLOCKS, FIGURES, KINDS, NOTHING, NOWHERE, Net, PLACES, Plane, Row, Sight, Thinking, WIDTH, Wide, add,
    convolve, layout, multiply_add, place, product, widely, words, words_mut,
};
use games::nogo::{NoGo, NoGoVariant, Stone};
use games::random::below;
use games::{End, Game as _, Side, Symmetry, goban};
use pulp::Simd;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A position that was met, to be learned.
struct Lesson {
    sight: Sight,
    /// By place: the share of visits.
    visits: [u16; PLACES],
    chance: f32,
}

const RECORD: usize = 16 + 16 + 4 + 4 + 2 * 96;

fn read(path: &str) -> Vec<Lesson> {
    let bytes = std::fs::read(path).expect("a file of games");
    let mut lessons = Vec::new();
    for record in bytes.chunks_exact(RECORD) {
        let set = |at: usize| u128::from_le_bytes(record[at..at + 16].try_into().expect("16 bytes"));
        let number = |at: usize| f32::from_le_bytes(record[at..at + 4].try_into().expect("4 bytes"));
        let mut text = String::new();
        goban::write_stones([set(0), set(16)], 9, &mut text);
        let game = NoGo::read_position(&NoGoVariant::default(), &(text + " b")).expect("a position");
        let mut visits = [0; PLACES];
        for point in 0..96_u8 {
            let at = 40 + 2 * usize::from(point);
            let share = u16::from_le_bytes([record[at], record[at + 1]]);
            if share > 0 {
                visits[place(point)] = share;
            }
        }
        lessons.push(Lesson { sight: Sight::of(&game), visits, chance: f32::midpoint(number(32), number(36)) });
    }
    lessons
}

/// Where each place comes from, by symmetry.
fn turns() -> Vec<[usize; PLACES]> {
    let turn = |symmetry: &Symmetry| {
        let mut from = [0; PLACES];
        for number in 0..81 {
            let point = goban::point_at(number, 9);
            from[place(point)] = place(goban::map_point(point, *symmetry, 9));
        }
        from
    };
    Symmetry::SQUARE.iter().map(turn).collect()
}

fn turned(lesson: &Lesson, from: &[usize; PLACES]) -> Lesson {
    let mut kinds = lesson.sight.kinds;
    let mut visits = lesson.visits;
    for at in 0..PLACES {
        if from[at] != 0 {
            kinds[at] = lesson.sight.kinds[from[at]];
            visits[at] = lesson.visits[from[at]];
        }
    }
    Lesson { sight: Sight { kinds, ..lesson.sight }, visits, chance: lesson.chance }
}

/// Slopes of everything that is learned, and room to find them.
struct Slopes {
    rows: Vec<Row>,
    thinking: Thinking,
    planes: Box<[Plane; 3]>,
    /// The convolutions' weights the other way round.
    reversed: Vec<Row>,
    loss: [f64; 2],
}

impl Slopes {
    fn new() -> Self {
        Self {
            rows: vec![NOTHING; layout::ROWS],
            thinking: Thinking::default(),
            planes: Box::new([[NOTHING; PLACES]; 3]),
            reversed: vec![NOTHING; BLOCKS * 2 * 9 * WIDTH],
            loss: [0.0; 2],
        }
    }

    fn begin(&mut self, net: &Net) {
        self.rows.fill(NOTHING);
        for convolution in 0..2 * BLOCKS {
            let base = layout::BLOCK + convolution / 2 * layout::BLOCK_ROWS + convolution % 2 * layout::SECOND;
            for number in 0..9 {
                for from in 0..WIDTH {
                    for to in 0..WIDTH {
                        self.reversed[(convolution * 9 + 8 - number) * WIDTH + to].0[from] =
                            net.rows[base + number * WIDTH + from].0[to];
                    }
                }
            }
        }
    }

    fn learn(&mut self, net: &Net, lesson: &Lesson) {
        net.look(&lesson.sight, &mut self.thinking);
        widely(Back { net, lesson, slopes: self });
    }
}

struct Back<'a> {
    net: &'a Net,
    lesson: &'a Lesson,
    slopes: &'a mut Slopes,
}

/// Slopes of a convolution's weights.
#[inline(always)]
fn weigh<S: Simd, const WORDS: usize>(simd: S, input: &Plane, slope: &Plane, rows: &mut [Row]) {
    const TILE: usize = 8;
    for number in 0..9 {
        let offset = number / 3 * ACROSS + number % 3;
        for tile in 0..WIDTH / TILE {
            let mut sums = [[simd.splat_f32s(0.0); WORDS]; TILE];
            for y in 1..10 {
                for at in y * ACROSS + 1..y * ACROSS + 10 {
                    let amounts = &input[at + offset - ACROSS - 1].0[tile * TILE..][..TILE];
                    let slopes = words::<S>(&slope[at]);
                    for (sums, amount) in sums.iter_mut().zip(amounts) {
                        let amount = simd.splat_f32s(*amount);
                        for (sum, slope) in sums.iter_mut().zip(slopes) {
                            *sum = multiply_add(simd, amount, *slope, *sum);
                        }
                    }
                }
            }
            for (row, sums) in rows[number * WIDTH + tile * TILE..].iter_mut().zip(sums) {
                for (word, sum) in words_mut::<S>(row).iter_mut().zip(sums) {
                    *word = simd.add_f32s(*word, sum);
                }
            }
        }
    }
    for slope in slope {
        add(simd, 1.0, slope, &mut rows[9 * WIDTH]);
    }
}

/// Where the layer was not positive there is no slope; none beside the board.
#[inline(always)]
fn gate<S: Simd>(simd: S, slope: &mut Plane, layer: &Plane) {
    let nothing = simd.splat_f32s(0.0);
    for (slope, layer) in slope.iter_mut().zip(layer) {
        for (slope, layer) in words_mut::<S>(slope).iter_mut().zip(words::<S>(layer)) {
            *slope = simd.select_f32s(simd.less_than_f32s(nothing, *layer), *slope, nothing);
        }
    }
}

impl Wide for Back<'_> {
    #[inline(always)]
    fn run<S: Simd, const WORDS: usize, const TILE: usize>(self, simd: S) {
        let Self { net, lesson, slopes } = self;
        let Slopes { rows, thinking, planes, reversed, loss } = slopes;
        let [slope, middle, spare] = &mut **planes;
        let kinds = &lesson.sight.kinds;
        // The chance.
        let chance = 1.0 / (1.0 + (-thinking.logit).exp());
        let target = lesson.chance;
        loss[0] -= f64::from(target * chance.max(1e-9).ln() + (1.0 - target) * (1.0 - chance).max(1e-9).ln());
        let wrong = chance - target;
        rows[layout::HIDDEN + 2].0[0] += wrong;
        let worth = &net.rows[layout::HIDDEN + 1].0;
        add(simd, wrong, &thinking.hidden, &mut rows[layout::HIDDEN + 1]);
        let mut hidden = NOTHING;
        for ((slope, value), worth) in hidden.0.iter_mut().zip(&thinking.hidden.0).zip(worth) {
            *slope = if *value > 0.0 { wrong * worth } else { 0.0 };
        }
        add(simd, 1.0, &hidden, &mut rows[layout::HIDDEN]);
        for figure in 0..FIGURES {
            add(simd, lesson.sight.figures[figure], &hidden, &mut rows[layout::CHANCE + WIDTH + figure]);
        }
        let mut mean = NOTHING;
        for from in 0..WIDTH {
            add(simd, thinking.mean.0[from], &hidden, &mut rows[layout::CHANCE + from]);
            mean.0[from] = product(simd, &net.rows[layout::CHANCE + from], &hidden) / lesson.sight.points;
        }
        // The order, among points that do not lose.
        let legal = |at: usize| matches!(kinds[at], 1 | 3);
        let highest =
            (0..PLACES).filter(|&at| legal(at)).map(|at| thinking.order[at]).fold(f32::NEG_INFINITY, f32::max);
        let mut shares = [0.0; PLACES];
        for at in (0..PLACES).filter(|&at| legal(at)) {
            shares[at] = (thinking.order[at] - highest).exp();
        }
        let sum: f32 = shares.iter().sum();
        let visits: f32 = lesson.visits.iter().map(|&visits| f32::from(visits)).sum();
        let last = &thinking.layers[2 * BLOCKS];
        for at in 0..PLACES {
            slope[at] = NOTHING;
            if kinds[at] == NOWHERE {
                continue;
            }
            slope[at] = mean;
            if legal(at) {
                let (share, wanted) = (shares[at] / sum, f32::from(lesson.visits[at]) / visits);
                loss[1] -= f64::from(wanted * share.max(1e-9).ln());
                let wrong = share - wanted;
                add(simd, wrong, &net.rows[layout::ORDER], &mut slope[at]);
                add(simd, wrong, &last[at], &mut rows[layout::ORDER]);
            }
        }
        for block in (0..BLOCKS).rev() {
            let base = layout::BLOCK + block * layout::BLOCK_ROWS;
            let [input, first, output] = &thinking.layers[2 * block..2 * block + 3] else { unreachable!() };
            gate(simd, slope, output);
            weigh::<S, WORDS>(simd, first, slope, &mut rows[base + layout::SECOND..]);
            let reverse = |second: usize| &reversed[(2 * block + second) * 9 * WIDTH..][..9 * WIDTH];
            convolve::<S, WORDS, TILE>(simd, slope, reverse(1), &NOTHING, middle);
            // Through the mean.
            let mut bias = NOTHING;
            for slope in slope.iter() {
                add(simd, 1.0, slope, &mut bias);
            }
            let mut mean = NOTHING;
            for from in 0..WIDTH {
                add(simd, thinking.means[block].0[from], &bias, &mut rows[base + layout::MEAN + from]);
                mean.0[from] = product(simd, &net.rows[base + layout::MEAN + from], &bias) / lesson.sight.points;
            }
            for slope in middle.iter_mut() {
                add(simd, 1.0, &mean, slope);
            }
            gate(simd, middle, first);
            weigh::<S, WORDS>(simd, input, middle, &mut rows[base..]);
            convolve::<S, WORDS, TILE>(simd, middle, reverse(0), &NOTHING, spare);
            for (slope, more) in slope.iter_mut().zip(&*spare) {
                add(simd, 1.0, more, slope);
            }
        }
        gate(simd, slope, &thinking.layers[0]);
        for y in 1..10 {
            for at in y * ACROSS + 1..y * ACROSS + 10 {
                for number in 0..9 {
                    let kind = kinds[at + number / 3 * ACROSS + number % 3 - ACROSS - 1];
                    if kind != NOWHERE {
                        add(simd, 1.0, &slope[at], &mut rows[layout::FIRST + number * KINDS + usize::from(kind)]);
                    }
                }
                add(simd, 1.0, &slope[at], &mut rows[layout::FIRST + 9 * KINDS]);
            }
        }
    }
}

/// A net that knows nothing.
fn newborn(seed: u64) -> Net {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut rows = vec![NOTHING; layout::ROWS];
    let mut noise = |rows: &mut [Row], size: f32| {
        for number in rows.iter_mut().flat_map(|row| &mut row.0) {
            // Four dice are normal enough.
            let dice: f32 = (0..4).map(|_| below(&mut rng, 1 << 16) as f32 / 65536.0 - 0.5).sum();
            *number = dice * 1.73 * size;
        }
    };
    noise(&mut rows[..9 * KINDS], (2.0 / 9.0_f32).sqrt());
    let size = (2.0 / (9.0 * WIDTH as f32)).sqrt();
    for block in 0..BLOCKS {
        let base = layout::BLOCK + block * layout::BLOCK_ROWS;
        noise(&mut rows[base..base + 9 * WIDTH], size);
        noise(&mut rows[base + layout::MEAN..base + layout::SECOND], 0.1);
        // A block begins as nearly nothing beside what goes past it.
        noise(&mut rows[base + layout::SECOND..base + layout::SECOND + 9 * WIDTH], size * 0.3);
    }
    noise(&mut rows[layout::ORDER..=layout::ORDER], 0.1);
    noise(&mut rows[layout::CHANCE..layout::HIDDEN], 0.2);
    noise(&mut rows[layout::HIDDEN + 1..layout::HIDDEN + 2], 0.2);
    Net { rows }
}

fn write(net: &Net, path: &str) {
    let numbers: &[f32] = bytemuck::cast_slice(&net.rows);
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(path, bytes).expect("a file that can be written");
}

fn load(path: &str) -> Net {
    Net::read(&std::fs::read(path).expect("a net"))
}

const BATCH: usize = 256;

fn fit(out: &str, mut net: Net, epochs: usize, rate: f32, files: &[String]) {
    let mut lessons: Vec<Lesson> = files.iter().flat_map(|file| read(file)).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    // Whole games are kept aside: the last part of each file's order.
    let aside = lessons.split_off(lessons.len() - lessons.len() / 25);
    println!("{} positions, {} kept aside", lessons.len(), aside.len());
    let turns = turns();
    let mut adam = Adam::new(layout::ROWS * WIDTH);
    let mut slopes = Slopes::new();
    let steps = epochs * lessons.len() / BATCH;
    let mut order: Vec<u32> = (0..lessons.len() as u32).collect();
    let mut step = 0;
    for epoch in 0..epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, below(&mut rng, at as u32 + 1) as usize);
        }
        slopes.loss = [0.0; 2];
        for batch in order.chunks_exact(BATCH) {
            slopes.begin(&net);
            for &number in batch {
                let lesson = turned(&lessons[number as usize], &turns[below(&mut rng, 8) as usize]);
                slopes.learn(&net, &lesson);
            }
            let done = step as f32 / steps as f32;
            let now = rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos()) + rate * 0.02;
            for number in slopes.rows.iter_mut().flat_map(|row| &mut row.0) {
                *number /= BATCH as f32;
            }
            let weights: &mut [f32] = bytemuck::cast_slice_mut(&mut net.rows);
            adam.step(weights, bytemuck::cast_slice(&slopes.rows), now);
            for weight in weights {
                *weight *= 1.0 - now * 0.01;
            }
            step += 1;
        }
        let seen = (order.len() / BATCH * BATCH) as f64;
        let [chance, choice] = slopes.loss.map(|loss| loss / seen);
        slopes.loss = [0.0; 2];
        slopes.begin(&net);
        for lesson in &aside {
            slopes.learn(&net, lesson);
        }
        let [aside_chance, aside_choice] = slopes.loss.map(|loss| loss / aside.len() as f64);
        println!("epoch {epoch}: chance {chance:.4} choice {choice:.4}, aside {aside_chance:.4} {aside_choice:.4}");
        std::io::stdout().flush().expect("flush");
        write(&net, out);
    }
}

fn mind(net: &Arc<Net>, seed: u64) -> NoGoMind {
    NoGoMind::with(&Settings { memory: 64 << 20, ..Settings::with_seed(seed) }, Arc::clone(net))
}

/// A game after some random plies.
fn opened(rng: &mut Xoshiro256PlusPlus, plies: u32) -> NoGo {
    let mut game = NoGo::new(&NoGoVariant::default());
    for _ in 0..plies {
        if let Some(ply) = game.random_ply(rng) {
            game.apply(ply, End::Played);
        }
    }
    game
}

/// Plies of a game that are drawn by visits, so that games differ.
const VARIED: usize = 14;

fn self_play(seed: u64, games: u64, nodes: u64, out: &str, net: &Arc<Net>) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(out).expect("a file that can be written"));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut positions, mut blacks) = (0, 0);
    for number in 0..games {
        let mut mind = mind(net, seed);
        let opening = if below(&mut rng, 3) == 0 { below(&mut rng, 9) } else { below(&mut rng, 3) };
        let mut game = opened(&mut rng, opening);
        let mut met = Vec::new();
        let winner = loop {
            if let Some(verdict) = game.verdict() {
                break verdict.winner;
            }
            let thought = mind.choose(&game, &Budget::of_nodes(nodes)).expect("there is a ply");
            if thought.score.abs() > WIN_FLOOR {
                break Some(if thought.score > 0 { game.to_move() } else { game.to_move().other() });
            }
            let visits = mind.visits();
            let all: f32 = visits.iter().map(|(_, visits)| visits).sum();
            let ply = if met.len() < VARIED {
                let mut drawn = below(&mut rng, 1 << 20) as f32 / (1 << 20) as f32 * all;
                let at = visits.iter().position(|(_, visits)| {
                    drawn -= visits;
                    drawn < 0.0
                });
                at.map_or(thought.ply, |at| Stone(visits[at].0))
            } else {
                thought.ply
            };
            met.push((game, visits, 1.0 / (1.0 + (-thought.score as f32 / 100.0).exp())));
            game.apply(ply, End::Played);
        };
        blacks += u32::from(winner == Some(Side::Black));
        for (game, visits, chance) in met {
            let mover = game.to_move();
            let mut record = Vec::with_capacity(RECORD);
            record.extend(game.stones(mover).to_le_bytes());
            record.extend(game.stones(mover.other()).to_le_bytes());
            record.extend(chance.to_le_bytes());
            record.extend(f32::from(u8::from(winner == Some(mover))).to_le_bytes());
            let all: f32 = visits.iter().map(|(_, visits)| visits).sum();
            let mut shares = [0_u16; 96];
            for (point, visits) in visits {
                shares[usize::from(point)] = (visits / all * 65535.0) as u16;
            }
            record.extend(shares.iter().flat_map(|share| share.to_le_bytes()));
            out.write_all(&record).expect("a disk with room");
            positions += 1;
        }
        if number % 100 == 99 {
            out.flush().expect("a disk with room");
            println!("{} games, {positions} positions, Black won {blacks}", number + 1);
        }
    }
}

fn compare(nodes: u64, pairs: u64, nets: [&Arc<Net>; 2]) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(99);
    let mut won = 0;
    for pair in 0..pairs {
        let opening = opened(&mut rng, 2 + (pair % 2) as u32);
        for colour in 0..2 {
            let mut minds = [mind(nets[colour], pair), mind(nets[1 - colour], pair)];
            let mut game = opening;
            while game.verdict().is_none() {
                let thought = minds[game.to_move().index()].choose(&game, &Budget::of_nodes(nodes));
                game.apply(thought.expect("there is a ply").ply, End::Played);
            }
            let winner = game.verdict().and_then(|verdict| verdict.winner);
            won += u64::from(winner.is_some_and(|winner| winner.index() == colour));
        }
    }
    println!("{won} won, {} lost", pairs * 2 - won);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map(String::as_str).expect("more words, as the head of this file tells");
    let number = |at: usize| word(at).parse::<u64>().expect("a number");
    let net = |at: usize| words.get(at).map_or_else(NoGoMind::usual_net, |path| Arc::new(load(path)));
    let rate = |at: usize| word(at).parse::<f32>().expect("a number");
    match words.first().map(String::as_str) {
        Some("train") => {
            let games = std::env::temp_dir().join("boyi-nogo.games").display().to_string();
            self_play(number(2), number(3), number(4), &games, &net(7));
            fit(word(1), (*net(7)).clone(), number(5) as usize, rate(6), &[games]);
        }
        Some("play") => self_play(number(1), number(2), number(3), word(4), &net(5)),
        Some("fit") => {
            let start = if word(2) == "-" { newborn(1) } else { load(word(2)) };
            fit(word(1), start, number(3) as usize, rate(4), &words[5..]);
        }
        Some("match") => compare(number(1), number(2), [&net(3), &net(4)]),
        _ => println!("train, play, fit or match?"),
    }
}

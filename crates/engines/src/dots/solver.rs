//! What the rest of a game is worth, exactly.
//!
//! Asked is always one thing: does the side to move end at least so many boxes ahead? Captures are no choice (see
//! [`Net::harvest`]); only lines that complete nothing are, and what is at stake when boxes are offered needs one position to be
//! looked at, not two: whoever takes them all is to move in the rest, and so is the other one if he is left with them.

use arrayvec::ArrayVec;

use super::net::{Frame, Harvest, Net, Shape, Strand};
use crate::kit::Budget;

/// The clock is looked at once in so many positions.
const CLOCK_EVERY: u64 = 128;
/// More choices than a board has lines.
const MOST_CHOICES: usize = 112;
/// Names of openings of chains and of loops that stand alone, by their length, behind the lines.
const CHAINS: u8 = 128;
const LOOPS: u8 = 192;

/// What is known of a position in one word: the lower bytes of its key (the upper ones are in the place), the choice that
/// was good last time, the upper bound of the value and the lower bound. Half as much memory is half as many places out of
/// the cache, where most of the time goes. A new table costs nothing until it is used.
type Slot = u64;

/// The part of a slot that is not the key.
const KEY_SHIFT: u32 = 24;

fn slot(key: u64, low: i32, high: i32, best: u8) -> Slot {
    key << KEY_SHIFT | u64::from(best) << 16 | u64::from(high as i8 as u8) << 8 | u64::from(low as i8 as u8)
}

/// A line to draw where nothing can be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// What tells it from the others: the line, or the length of a strand that stands alone.
    name: u8,
    pub(super) line: u8,
    /// The boxes of a strand that stands alone; its opening needs no harvest.
    alone: u64,
    harvest: Harvest,
    order: u32,
}

/// The solver, with what it remembers.
pub(super) struct Solver {
    table: Vec<Slot>,
    frame: Frame,
    history: [u32; 256],
    /// Positions looked at since the last question from outside.
    pub(super) nodes: u64,
    /// Whether the budget ended before the last question was answered.
    pub(super) stopped: bool,
}

impl Solver {
    /// A solver with a table of at most this many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Slot>()).max(1024);
        Self { table: vec![0; count], frame: Frame::default(), history: [0; 256], nodes: 0, stopped: false }
    }

    /// Searches from this position of a board with these boxes are to come. What is known of other boards stays: their keys
    /// are others.
    pub(super) fn begin(&mut self, boxes: u64, net: &Net) {
        self.frame = Frame::of(boxes).around(net);
        self.history = [0; 256];
    }

    /// Another question may be asked.
    pub(super) fn restart(&mut self) {
        (self.nodes, self.stopped) = (0, false);
    }

    /// Bounds of the value for the side to move where nothing can be taken: boxes of its own less the other's, of those
    /// left. They are equal unless the budget was over first. `first` is what is most interesting to know: whether it is at
    /// least this.
    pub(super) fn bounds(&mut self, net: &Net, first: i32, budget: &Budget) -> (i32, i32) {
        let count = net.boxes.count_ones() as i32;
        let (mut low, mut high) = (-count, count);
        let mut asked = first;
        while low < high {
            let odd = (asked - count).rem_euclid(2);
            let bound = (asked + odd).clamp(low + 2, high);
            let answer = self.at_least(net, bound, budget);
            if self.stopped {
                break;
            }
            if answer {
                low = bound;
                asked = bound + 2;
            } else {
                high = bound - 2;
                asked = high;
            }
        }
        (low, high)
    }

    /// Bounds of the value that are known without searching, where nothing can be taken.
    pub(super) fn known_bounds(&self, net: &Net) -> (i32, i32) {
        let alone = Alone::of(net, net.degrees().two);
        let key = net.key(&self.frame, alone.boxes, alone.lengths);
        let (low, high, _) = self.known(key, net.boxes.count_ones() as i32);
        (low, high)
    }

    /// What is known without searching.
    fn known(&self, key: u64, count: i32) -> (i32, i32, u8) {
        let known = self.table[self.place(key)];
        if known >> KEY_SHIFT != key & (u64::MAX >> KEY_SHIFT) {
            return (-count, count, u8::MAX);
        }
        (i32::from(known as u8 as i8), i32::from((known >> 8) as u8 as i8), (known >> 16) as u8)
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    /// Whether the side to move ends at least `bound` boxes ahead in what is left, where nothing can be taken.
    pub(super) fn at_least(&mut self, net: &Net, bound: i32, budget: &Budget) -> bool {
        let count = net.boxes.count_ones() as i32;
        // The value is odd when the number of boxes is.
        let bound = bound + (bound - count).rem_euclid(2);
        if bound <= -count || bound > count {
            return bound <= -count;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) || self.nodes >= budget.nodes() {
            self.stopped |= budget.is_over(self.nodes);
        }
        if self.stopped {
            return false;
        }
        let two = net.degrees().two;
        let alone = Alone::of(net, two);
        let key = net.key(&self.frame, alone.boxes, alone.lengths);
        let (low, high, best) = self.known(key, count);
        if bound <= low || bound > high {
            return bound <= low;
        }
        let mut choices = Choices::of(net, two, &alone, &self.frame);
        choices.put_in_order(best, &self.history);
        let mut good = None;
        while let Some(choice) = choices.next()
            && !self.stopped
        {
            if self.good(net, &choice, bound, budget) {
                good = Some(choice.name);
                break;
            }
        }
        if self.stopped {
            return false;
        }
        let found = match good {
            Some(best) => {
                let history = &mut self.history[usize::from(best)];
                *history = history.saturating_add(1 + net.count_lines());
                slot(key, bound, high, best)
            }
            None => slot(key, low, bound - 2, best),
        };
        let place = self.place(key);
        self.table[place] = found;
        good.is_some()
    }

    /// Whether this choice leads to at least `bound`.
    pub(super) fn good(&mut self, net: &Net, choice: &Choice, bound: i32, budget: &Budget) -> bool {
        let (rest, harvest) = choice.made(net);
        let (taken, offered) = (i32::from(harvest.taken), i32::from(harvest.offered));
        // The other side takes so many, and then the rest is worth its value to it, or what an offer makes of it.
        let most = -bound - taken;
        if offered == 0 {
            return !self.at_least(&rest, most + 1, budget);
        }
        most >= 0
            && self.at_least(&rest, -most - offered, budget)
            && !self.stopped
            && !self.at_least(&rest, most - offered + 1, budget)
    }

    /// The choices where nothing can be taken, likely ones first.
    pub(super) fn choices(&self, net: &Net) -> Vec<Choice> {
        let two = net.degrees().two;
        let alone = Alone::of(net, two);
        let key = net.key(&self.frame, alone.boxes, alone.lengths);
        let (.., best) = self.known(key, 0);
        let mut choices = Choices::of(net, two, &alone, &self.frame);
        choices.put_in_order(best, &self.history);
        std::iter::from_fn(|| choices.next()).collect()
    }
}

impl Choice {
    /// What is left after the choice and everything the other side takes of it, and what that is.
    pub(super) fn made(&self, net: &Net) -> (Net, Harvest) {
        if self.alone != 0 {
            return (net.without(self.alone), self.harvest);
        }
        let mut rest = *net;
        rest.draw(self.line);
        let harvest = if self.gives() { rest.harvest(|_| {}) } else { Harvest::default() };
        (rest, harvest)
    }

    /// Whether it gives boxes away.
    pub(super) const fn gives(&self) -> bool {
        self.order & LOONY != 0
    }
}

/// The mark of a choice that gives boxes away: such choices come last, cheap ones first.
const LOONY: u32 = 1 << 31;

/// The strands that stand alone.
struct Alone {
    boxes: u64,
    /// Tells their lengths.
    lengths: u64,
    /// The shortest chain of one or two boxes, chain of more, and loop.
    shortest: [Option<Choice>; 3],
}

impl Alone {
    #[inline]
    fn of(net: &Net, two: u64) -> Self {
        let mut alone = Self { boxes: net.alone(two), lengths: 0, shortest: [None; 3] };
        net.strands(alone.boxes, |Strand { boxes, length, line, shape }| {
            let (kind, name, offered) = match (shape, length) {
                (Shape::Loop, _) => (2, LOOPS + length, 4),
                (_, 3..) => (1, CHAINS + length, 2),
                _ => (0, CHAINS + length, 0),
            };
            alone.lengths = alone.lengths.wrapping_add(games::random::mix(&[u64::from(name)]));
            let shortest = &mut alone.shortest[kind];
            if shortest.is_none_or(|known| name < known.name) {
                let harvest = Harvest { taken: (length - offered) as i8, offered: offered as i8 };
                *shortest = Some(Choice { name, line, alone: boxes, harvest, order: LOONY | u32::from(length) });
            }
        });
        alone
    }
}

/// The choices of a position, handed out one by one: most often the first is enough.
struct Choices {
    list: ArrayVec<Choice, MOST_CHOICES>,
    /// The one that was good last time.
    first: Option<usize>,
}

impl Choices {
    /// Of strands of a kind that stand alone only the shortest is a choice. The longer one is worth at most as many boxes more
    /// to anybody as it has more, for whoever can gain by the one can do the same with the other; so who opens the longer
    /// one and keeps the shorter one does not do better.
    #[inline]
    fn of(net: &Net, two: u64, alone: &Alone, frame: &Frame) -> Self {
        let mut list: ArrayVec<_, MOST_CHOICES> = alone.shortest.into_iter().flatten().collect();
        let line_choice = |line, order| Choice { name: line, line, alone: 0, harvest: Harvest::default(), order };
        net.strands(two & !alone.boxes, |strand| list.push(line_choice(strand.line, LOONY | u32::from(strand.length))));
        let mut safe = net.distinct(net.safe(two), frame);
        while safe != 0 {
            list.push(line_choice(safe.trailing_zeros() as u8, 0));
            safe &= safe - 1;
        }
        Self { list, first: None }
    }

    fn put_in_order(&mut self, best: u8, history: &[u32; 256]) {
        self.first = self.list.iter().position(|choice| choice.name == best);
        for choice in self.list.iter_mut().filter(|choice| !choice.gives()) {
            choice.order = LOONY - 1 - history[usize::from(choice.name)].min(LOONY - 1);
        }
    }

    /// The most promising choice that is left.
    fn next(&mut self) -> Option<Choice> {
        let least = || self.list.iter().enumerate().min_by_key(|(_, choice)| choice.order).map(|(index, _)| index);
        let index = self.first.take().or_else(least)?;
        Some(self.list.swap_remove(index))
    }
}

//! What is left of a board: free lines as strings, boxes without an owner as the coins they hold.
//!
//! What the rest of a game is worth depends on this alone, not on who owns the other boxes. Lines and boxes are numbered
//! as in [`games::dots`]: a horizontal line is the top of the box with its number, a vertical one (64 more) its left side.

use games::dots::Dots;

/// The number where vertical lines start.
const VERTICAL: u8 = 64;

/// What leads from a box to the one above, below, to the left and to the right; the way back is the other one of a pair.
const STEPS: [u8; 4] = [0_u8.wrapping_sub(8), 8, 0_u8.wrapping_sub(1), 1];

/// The side of a box where this way leads out of it.
const fn line_of(place: u8, way: usize) -> u8 {
    place + [0, 8, VERTICAL, VERTICAL + 1][way]
}

/// Free lines, and the boxes that have any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Net {
    across: u64,
    down: u64,
    pub(super) boxes: u64,
}

/// Boxes by how many free sides they have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Degrees {
    pub(super) one: u64,
    pub(super) two: u64,
}

/// What the side to move takes before it has a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Harvest {
    /// Boxes taken without a choice.
    pub(super) taken: i8,
    /// Boxes at the end that may be taken too, or left to the other side so that it must move: 0, 2 or 4.
    pub(super) offered: i8,
}

/// A run of boxes with two free sides each, which are all taken once one of its lines is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strand {
    pub(super) boxes: u64,
    pub(super) length: u8,
    /// The line with which it is best opened.
    pub(super) line: u8,
    pub(super) shape: Shape,
}

/// How a strand ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// At boxes with more free sides, on one end at least.
    Tied,
    /// At the edge of what is left, on both ends: nothing but its length matters.
    Chain,
    /// In itself.
    Loop,
}

impl Net {
    /// What is left of a game.
    pub(super) fn of(game: &Dots) -> Self {
        let free = game.free_lines();
        Self { across: free as u64, down: (free >> 64) as u64, boxes: game.unowned() }
    }

    pub(super) const fn count_lines(&self) -> u32 {
        self.across.count_ones() + self.down.count_ones()
    }

    /// Draws a line; gives the number of boxes it completes.
    #[inline]
    pub(super) fn draw(&mut self, line: u8) -> u32 {
        if line < VERTICAL {
            self.across &= !(1 << line);
        } else {
            self.down &= !(1 << (line - VERTICAL));
        }
        let open = self.across | self.across >> 8 | self.down | self.down >> 1;
        let closed = self.boxes & !open;
        self.boxes &= open;
        closed.count_ones()
    }

    /// The same without the sides of these boxes.
    pub(super) fn without(&self, boxes: u64) -> Self {
        Self {
            across: self.across & !(boxes | boxes << 8),
            down: self.down & !(boxes | boxes << 1),
            boxes: self.boxes & !boxes,
        }
    }

    #[inline]
    pub(super) const fn degrees(&self) -> Degrees {
        let (top, bottom, left, right) = (self.across, self.across >> 8, self.down, self.down >> 1);
        let (odd_across, odd_down) = (top ^ bottom, left ^ right);
        let odd = odd_across ^ odd_down;
        let pairs = (top & bottom) ^ (left & right) ^ (odd_across & odd_down);
        Degrees { one: odd & !pairs & self.boxes, two: !odd & pairs & self.boxes }
    }

    /// Lines that leave every box two free sides at least, where no box has fewer than two.
    #[inline]
    pub(super) const fn safe(&self, two: u64) -> u128 {
        let across = self.across & !(two | two << 8);
        let down = self.down & !(two | two << 1);
        (down as u128) << 64 | across as u128
    }

    /// A free side of a box other than `line`.
    #[inline]
    fn side(&self, place: u8, line: u8) -> u8 {
        let candidates = [place, place + 8, place + VERTICAL, place + VERTICAL + 1];
        let free = [
            self.across >> place & 1,
            self.across >> (place + 8) & 1,
            self.down >> place & 1,
            self.down >> (place + 1) & 1,
        ];
        let found = (0..4).find(|&index| free[index] == 1 && candidates[index] != line);
        found.map_or(line, |index| candidates[index])
    }

    /// The box beyond a side of a box; `None` at the edge.
    #[inline]
    const fn beyond(&self, place: u8, line: u8) -> Option<u8> {
        let (first, step) = if line < VERTICAL { (line, 8) } else { (line - VERTICAL, 1) };
        let other = if place == first { first.wrapping_sub(step) } else { first };
        if other < 64 && self.boxes >> other & 1 == 1 { Some(other) } else { None }
    }

    /// Takes every box that it is never wrong to take, and tells each line; the boxes that might be left to the other
    /// side are gone too, `offer` is told the two lines of the choice: all boxes go to whoever draws the first one (and
    /// what follows), drawing the second one leaves them.
    ///
    /// It is never wrong to take a box unless it is one of the last two of a chain or of the last four of a loop; and one
    /// such offer is enough, of two boxes rather than of four.
    pub(super) fn harvest(&mut self, mut draws: impl FnMut(Cut)) -> Harvest {
        let mut harvest = Harvest::default();
        'again: loop {
            let Degrees { one, two } = self.degrees();
            let mut rest = one;
            // The line that takes, the line that leaves, the boxes at stake.
            let mut offers: [Option<(u8, u8)>; 2] = [None; 2];
            while rest != 0 {
                let place = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                let line = self.side(place, u8::MAX);
                let is = |set: u64, place: u8| set >> place & 1 == 1;
                let offer = match self.beyond(place, line) {
                    Some(second) if is(two, second) => {
                        let onward = self.side(second, line);
                        match self.beyond(second, onward) {
                            Some(third) if is(two, third) => {
                                let last = self.side(third, onward);
                                let closed = self.beyond(third, last).is_some_and(|fourth| is(one, fourth));
                                closed.then_some((1, onward))
                            }
                            Some(third) if is(one, third) => None,
                            _ => Some((0, onward)),
                        }
                    }
                    _ => None,
                };
                let taking = match offer {
                    None => line,
                    Some((kind, leaving)) => match offers[kind] {
                        // A loop is met from both its ends.
                        Some((_, known)) if known == leaving => continue,
                        Some(_) => line,
                        None => {
                            offers[kind] = Some((line, leaving));
                            continue;
                        }
                    },
                };
                harvest.taken += self.draw(taking) as i8;
                draws(Cut::Take(taking));
                continue 'again;
            }
            match offers {
                [Some(_), Some((taking, _))] => {
                    harvest.taken += self.draw(taking) as i8;
                    draws(Cut::Take(taking));
                }
                [Some((taking, leaving)), None] => {
                    harvest.offered = 2;
                    draws(Cut::Offer { leaving });
                    for line in [taking, leaving] {
                        self.draw(line);
                        draws(Cut::Offered(line));
                    }
                    return harvest;
                }
                [None, Some((taking, leaving))] => {
                    harvest.offered = 4;
                    draws(Cut::Offer { leaving });
                    self.draw(taking);
                    draws(Cut::Offered(taking));
                    self.draw(leaving);
                    draws(Cut::Offered(leaving));
                    // The fourth box and the third share the last line.
                    let Degrees { one, .. } = self.degrees();
                    let last = self.side(one.trailing_zeros() as u8, u8::MAX);
                    self.draw(last);
                    draws(Cut::Offered(last));
                    return harvest;
                }
                [None, None] => return harvest,
            }
        }
    }

    /// The free sides of a box: a bit for each of the four ways out of it.
    #[inline]
    const fn ways(&self, place: u8) -> u8 {
        (self.across >> place & 1
            | (self.across >> (place + 8) & 1) << 1
            | (self.down >> place & 1) << 2
            | (self.down >> (place + 1) & 1) << 3) as u8
    }

    /// The boxes of strands that stand alone, where no box has fewer than two free sides: those from which no way leads to
    /// a box with more than two.
    #[inline]
    pub(super) const fn alone(&self, two: u64) -> u64 {
        let mut tied = self.boxes & !two;
        loop {
            let grown = tied
                | (tied & self.across) >> 8
                | tied << 8 & self.across
                | (tied & self.down) >> 1
                | tied << 1 & self.down;
            let grown = grown & self.boxes;
            if grown == tied {
                return self.boxes & !tied;
            }
            tied = grown;
        }
    }

    /// Every strand through these boxes, all of which have two free sides, where no box has fewer. Boxes of a strand come
    /// together.
    #[inline]
    pub(super) fn strands(&self, boxes: u64, mut visit: impl FnMut(Strand)) {
        let mut rest = boxes;
        while rest != 0 {
            let start = rest.trailing_zeros() as u8;
            let both = self.ways(start);
            let first = both.trailing_zeros() as usize;
            let second = (both & (both - 1)).trailing_zeros() as usize;
            let mut strand = Strand { boxes: 1 << start, length: 1, line: line_of(start, first), shape: Shape::Chain };
            for way in [first, second] {
                let (mut place, mut way) = (start, way);
                loop {
                    let next = place.wrapping_add(STEPS[way]);
                    if next >= 64 || self.boxes >> next & 1 == 0 {
                        break;
                    }
                    if boxes >> next & 1 == 0 {
                        strand.shape = Shape::Tied;
                        break;
                    }
                    if next == start {
                        strand.shape = Shape::Loop;
                        break;
                    }
                    strand.boxes |= 1 << next;
                    strand.length += 1;
                    // Two boxes are best opened between them, so that the other side has no choice but to take both.
                    if strand.length == 2 {
                        strand.line = line_of(place, way);
                    }
                    place = next;
                    way = (self.ways(next) & !(1 << (way ^ 1))).trailing_zeros() as usize;
                }
                if strand.shape == Shape::Loop {
                    break;
                }
            }
            rest &= !strand.boxes;
            visit(strand);
        }
    }

    /// A key that is the same for positions worth the same: chains and loops that stand alone are told by their lengths,
    /// of the two outer sides of a corner it does not matter which is drawn, and turned boards are the same board.
    #[inline]
    pub(super) fn key(&self, frame: &Frame, alone: u64, lengths: u64) -> u64 {
        let rest = self.without(alone);
        let mut least = rest.in_corners(frame);
        let mut turns = frame.turns;
        while turns != 0 {
            least = least.min(rest.turned(frame, turns.trailing_zeros()).in_corners(frame));
            turns &= turns - 1;
        }
        // Odd, so that no position has the key of an empty place in a table.
        games::random::mix(&[least.0, least.1, lengths, u64::from(frame.height << 4 | frame.width)]) | 1
    }

    /// The lines, with the outer sides of corners in one order.
    #[inline]
    fn in_corners(&self, frame: &Frame) -> (u64, u64) {
        let Self { mut across, mut down, .. } = *self;
        for corner in &frame.corners {
            if across & corner.across == 0 && down & corner.down != 0 {
                across |= corner.across;
                down &= !corner.down;
            }
        }
        (across, down)
    }

    /// The lines on the board turned: bit 0 of `turn` puts the top row last, bit 1 the left column, bit 2 exchanges rows and
    /// columns. The boxes are left as they are.
    fn turned(&self, frame: &Frame, turn: u32) -> Self {
        let Self { mut across, mut down, boxes } = *self;
        if turn & 1 != 0 {
            across = across.swap_bytes() >> (8 * (7 - frame.height));
            down = down.swap_bytes() >> (8 * (8 - frame.height));
        }
        if turn & 2 != 0 {
            across = across.reverse_bits().swap_bytes() >> (8 - frame.width);
            down = down.reverse_bits().swap_bytes() >> (7 - frame.width);
        }
        if turn & 4 != 0 {
            (across, down) = (transposed(down), transposed(across));
        }
        Self { across, down, boxes }
    }

    /// One line of every pair that is the same: the outer sides of a corner.
    pub(super) fn distinct(&self, lines: u128, frame: &Frame) -> u128 {
        frame.corners.iter().fold(lines, |lines, corner| {
            let both = lines as u64 & corner.across != 0 && (lines >> 64) as u64 & corner.down != 0;
            if both { lines & !(u128::from(corner.down) << 64) } else { lines }
        })
    }
}

/// The two outer sides of a corner of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Corner {
    across: u64,
    down: u64,
}

/// The board around a net.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Frame {
    corners: [Corner; 4],
    /// In boxes.
    height: u32,
    width: u32,
    /// The turns of the board that are looked at for the key, bit by bit: those that turn the first position into itself.
    turns: u8,
}

impl Frame {
    /// The frame of a board with these boxes.
    pub(super) fn of(boxes: u64) -> Self {
        let height = 8 - boxes.leading_zeros() / 8;
        let width = u64::BITS - (0..8).fold(0, |row, index| row | boxes >> (8 * index) & 0xff).leading_zeros();
        let corner = |right: u32, below: u32| Corner {
            across: 1 << (height * 8 * below + width.saturating_sub(1) * right),
            down: 1 << (8 * height.saturating_sub(1) * below + width * right),
        };
        Self { corners: [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)], height, width, turns: 0 }
    }

    /// The same frame for a search that begins here.
    pub(super) fn around(self, net: &Net) -> Self {
        let last = if self.height == self.width { 8 } else { 4 };
        let same = net.in_corners(&self);
        let fixed = (1..last).filter(|&turn| net.turned(&self, turn).in_corners(&self) == same);
        Self { turns: fixed.fold(0, |turns, turn| turns | 1 << turn), ..self }
    }
}

/// Rows and columns of bits exchanged.
const fn transposed(mut word: u64) -> u64 {
    let mut swap = (word ^ word >> 7) & 0x00aa_00aa_00aa_00aa;
    word ^= swap ^ swap << 7;
    swap = (word ^ word >> 14) & 0x0000_cccc_0000_cccc;
    word ^= swap ^ swap << 14;
    swap = (word ^ word >> 28) & 0x0000_0000_f0f0_f0f0;
    word ^ swap ^ swap << 28
}

/// What a harvest does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// A box is taken without a choice.
    Take(u8),
    /// The choice: this line instead of what follows leaves the boxes to the other side.
    Offer {
        /// The line.
        leaving: u8,
    },
    /// A line that is drawn after that choice, whoever takes the boxes.
    Offered(u8),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_there_and_back_changes_nothing() {
        for (height, width) in [(5, 5), (1, 1), (7, 7), (2, 5), (7, 3), (1, 6)] {
            let boxes = (0..height).fold(0, |set, row| set | ((1_u64 << width) - 1) << (8 * row));
            let frame = Frame::of(boxes);
            assert_eq!((frame.height, frame.width), (height as u32, width as u32));
            let across = (0..=height).fold(0, |set, row| set | ((1_u64 << width) - 1) << (8 * row));
            let down = (0..height).fold(0, |set, row| set | ((1_u64 << (width + 1)) - 1) << (8 * row));
            let all = Net { across, down, boxes };
            let some = Net { across: across & 0x1234_5678_9abc_def1, down: down & 0x0fed_cba9_8765_4321, boxes };
            for turn in 1..if height == width { 8 } else { 4 } {
                assert_eq!(all.turned(&frame, turn), all, "the whole board");
                let turned = some.turned(&frame, turn);
                assert_eq!(turned.count_lines(), some.count_lines());
                // A quarter turn needs three more of its kind, the others one.
                let back = (0..3).fold(turned, |net, _| net.turned(&frame, turn));
                assert!(back == some || turned.turned(&frame, turn) == some, "turn {turn}");
            }
            assert_eq!(frame.around(&all).turns.count_ones(), if height == width { 7 } else { 3 });
        }
    }
}

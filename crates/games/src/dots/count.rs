//! How many plies there are, without walking through them.

use std::collections::HashMap;

use super::Dots;
use super::lines::{boxes_at, each, last_sides, sides_of};

/// More states of one group at a time than this are not gone through. The worst we know with 25 boxes, ten chains of
/// two that meet in a row of five, has 3^10 before the row in all its layers together.
const MOST_STATES: usize = 1 << 17;

impl Dots {
    /// How many plies there are, or `None` where they are beyond `u64` or beyond counting.
    ///
    /// A ply is a word of completing lines and then one line that completes nothing (or ends the game). In a state
    /// with `f` free lines, a word of `k` letters can be followed by `f - k` lines, and those of them that complete a
    /// box give exactly the words of `k + 1` letters: so it is enough to count words by length. A line that completes
    /// a box does so until it is drawn, so the letters fall into groups that share no box, each group has its own
    /// words, and a word of the whole is a shuffle of one word from each.
    pub(super) fn count_plies(&self) -> Option<u64> {
        let mut letters = 0;
        loop {
            let completing = last_sides(self.free & !letters, self.unowned);
            if completing == 0 {
                break;
            }
            letters |= completing;
        }
        let mut words = vec![1];
        let mut rest = letters;
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
            loop {
                let grown = sides_of(boxes_at(group) & self.unowned) & letters;
                if grown == group {
                    break;
                }
                group = grown;
            }
            rest &= !group;
            words = shuffled(&words, &self.words_of(group)?)?;
        }
        let free = u128::from(self.free.count_ones());
        let mut count = 0_u128;
        for (length, &ways) in (0..).zip(&words) {
            count = count.checked_add(ways.checked_mul(free - length)?)?;
        }
        // Going on is no ply of its own, except when nothing is left to go on with.
        let goes_on = words[1..].iter().try_fold(0_u128, |sum, &ways| sum.checked_add(ways))?;
        let ends = if letters == self.free { words[words.len() - 1] } else { 0 };
        u64::try_from(count - goes_on + ends).ok()
    }

    /// How many words of each length the lines of one group form.
    fn words_of(&self, group: u128) -> Option<Vec<u128>> {
        let mut words = Vec::new();
        let mut layer = HashMap::from([(0_u128, 1_u128)]);
        while !layer.is_empty() {
            let ways: u128 = layer.values().sum();
            // Every word begins a ply of its own: so many words are as many plies at least.
            if ways > u128::from(u64::MAX) || layer.len() > MOST_STATES {
                return None;
            }
            words.push(ways);
            let mut next = HashMap::new();
            for (drawn, ways) in layer {
                for line in each(last_sides(self.free & !drawn, self.unowned) & group) {
                    *next.entry(drawn | line.mask()).or_default() += ways;
                }
            }
            layer = next;
        }
        Some(words)
    }
}

/// How many words of each length come from shuffling a word of one kind with a word of another.
fn shuffled(one: &[u128], other: &[u128]) -> Option<Vec<u128>> {
    let mut words = vec![0_u128; one.len() + other.len() - 1];
    for (i, &first) in one.iter().enumerate() {
        // The ways to choose the places of `i` letters among `i + j`.
        let mut choices = 1_u128;
        for (j, &second) in other.iter().enumerate() {
            if j > 0 {
                choices = choices.checked_mul((i + j) as u128)? / j as u128;
            }
            let ways = choices.checked_mul(first)?.checked_mul(second)?;
            words[i + j] = words[i + j].checked_add(ways)?;
        }
    }
    Some(words)
}

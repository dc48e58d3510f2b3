//! Proof-number search: does the side to move win for certain?
//!
//! Always goes on where the least is missing to a proof, depth first, with a table of fixed size (df-pn). For games without
//! draws in which no position comes back. What a side has to show is counted weakly, the hardest reply and one for each other
//! one: orders of the same plies lead to the same positions, and a sum would count those again and again.

use bytemuck::Zeroable;

use super::budget::Budget;

/// A position in which somebody may win for certain, and the way there.
pub trait Quest {
    /// A ply worth looking at.
    type Step: Copy;
    /// Lists what the side to move may try; none when it has lost.
    fn list(&mut self, steps: &mut Vec<Self::Step>);
    /// Makes a step; then the other side is to move.
    fn go(&mut self, step: Self::Step);
    /// Takes the last step back.
    fn back(&mut self);
    /// Different for different positions.
    fn key(&self) -> u64;
    /// How much seems to be missing to a proof that the side to move wins, and that it loses; [`Missing::WON`] or
    /// [`Missing::LOST`] where that is seen at once.
    fn missing(&mut self) -> Missing;
}

/// How many positions must still be decided before it is shown that the side to move wins, and before it is shown that it loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Zeroable)]
pub struct Missing {
    /// To a win.
    pub to_win: u32,
    /// To a loss.
    pub to_loss: u32,
}

impl Missing {
    /// The side to move wins.
    pub const WON: Self = Self { to_win: 0, to_loss: NEVER };
    /// The side to move loses.
    pub const LOST: Self = Self { to_win: NEVER, to_loss: 0 };

    /// The same to the side that is not to move.
    const fn turned(self) -> Self {
        Self { to_win: self.to_loss, to_loss: self.to_win }
    }

    const fn is_decided(self) -> bool {
        self.to_win == 0 || self.to_loss == 0
    }

    const fn reaches(self, limits: Self) -> bool {
        self.to_win >= limits.to_win || self.to_loss >= limits.to_loss
    }
}

/// More than any search can show.
const NEVER: u32 = 1 << 30;
/// How often the clock is looked at.
const CLOCK_EVERY: u64 = 16;

/// What is known of a position.
#[derive(Debug, Clone, Copy, Zeroable)]
struct Slot {
    key: u64,
    missing: Missing,
}

/// Slots of one place, a cache line of them.
#[derive(Debug, Clone, Copy, Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A step, with what is missing seen by the side that makes it.
#[derive(Debug, Clone, Copy)]
struct Choice<S> {
    step: S,
    key: u64,
    missing: Missing,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof<S> {
    /// The side to move wins with this step.
    Won(S),
    /// The side to move loses, whatever it does.
    Lost,
    /// The budget was over before anything was shown.
    Open,
}

/// The search, with what it remembers from ply to ply.
#[derive(Debug)]
pub struct Proofs<S> {
    table: Vec<Bucket>,
    /// One list for each depth, kept so that nothing is allocated while searching.
    lists: Vec<Vec<Choice<S>>>,
    steps: Vec<S>,
    /// Positions looked at by the last search.
    pub nodes: u64,
    stopped: bool,
}

impl<S: Copy> Proofs<S> {
    /// A search with a table of at most this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        // Memory that is zero already is not touched before it is used.
        let table = bytemuck::zeroed_vec(count);
        Self { table, lists: Vec::new(), steps: Vec::new(), nodes: 0, stopped: false }
    }

    /// Tries to show who wins.
    pub fn search(&mut self, quest: &mut impl Quest<Step = S>, budget: &Budget) -> Proof<S> {
        (self.nodes, self.stopped) = (0, false);
        let missing = self.look(quest, 0, Missing { to_win: NEVER, to_loss: NEVER }, budget);
        let won = self.lists.first().and_then(|choices| choices.iter().find(|choice| choice.missing.to_win == 0));
        match won {
            Some(choice) => Proof::Won(choice.step),
            None if missing.to_loss == 0 => Proof::Lost,
            None => Proof::Open,
        }
    }

    /// Looks into a position until one of the limits is reached.
    fn look(&mut self, quest: &mut impl Quest<Step = S>, depth: usize, limits: Missing, budget: &Budget) -> Missing {
        if self.lists.len() <= depth {
            self.lists.push(Vec::new());
        }
        let mut choices = std::mem::take(&mut self.lists[depth]);
        self.list(quest, &mut choices);
        let missing = loop {
            let (missing, open) = together(&choices);
            if missing.reaches(limits) || missing.is_decided() || self.stopped {
                break missing;
            }
            if self.nodes >= budget.nodes() || self.nodes.is_multiple_of(CLOCK_EVERY) && budget.is_over(self.nodes) {
                self.stopped = true;
                break missing;
            }
            let (best, second) = best_two(&choices);
            let choice = choices[best];
            // Another way may have led there meanwhile.
            if let Some(known) = self.known(choice.key).map(Missing::turned)
                && known != choice.missing
            {
                choices[best].missing = known;
                continue;
            }
            let within = Missing {
                // A little more than the second best, so that the two are not changed at every step.
                to_win: limits.to_win.min(second.saturating_add(second / 4 + 1)),
                to_loss: limits.to_loss.saturating_sub(open - 1).max(choice.missing.to_loss + 1),
            };
            quest.go(choice.step);
            let found = self.look(quest, depth + 1, within.turned(), budget);
            quest.back();
            self.keep(choice.key, found);
            choices[best].missing = found.turned();
        };
        self.lists[depth] = choices;
        missing
    }

    /// Lists the steps with what is known or thought of them; a won one ends the list.
    fn list(&mut self, quest: &mut impl Quest<Step = S>, choices: &mut Vec<Choice<S>>) {
        choices.clear();
        self.nodes += 1;
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        quest.list(&mut steps);
        for &step in &steps {
            quest.go(step);
            let key = quest.key();
            let missing = self.known(key).unwrap_or_else(|| quest.missing()).turned();
            quest.back();
            choices.push(Choice { step, key, missing });
            if missing.to_win == 0 {
                break;
            }
        }
        self.steps = steps;
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    fn known(&self, key: u64) -> Option<Missing> {
        self.table[self.place(key)].0.iter().find(|slot| slot.key == key).map(|slot| slot.missing)
    }

    /// Keeps what was found, over what took the least work.
    fn keep(&mut self, key: u64, missing: Missing) {
        let place = self.place(key);
        let slots = &mut self.table[place].0;
        let worth = |slot: &Slot| {
            if slot.key == key { 0 } else { slot.missing.to_win.max(slot.missing.to_loss) }
        };
        let least = (0..slots.len()).min_by_key(|&at| worth(&slots[at])).unwrap_or(0);
        slots[least] = Slot { key, missing };
    }
}

/// What is missing when the side to move chooses among these, and how many of them it has not lost yet.
fn together<S>(choices: &[Choice<S>]) -> (Missing, u32) {
    let (mut to_win, mut hardest, mut open) = (NEVER, 0, 0);
    for choice in choices {
        to_win = to_win.min(choice.missing.to_win);
        hardest = hardest.max(choice.missing.to_loss);
        open += u32::from(choice.missing.to_loss > 0);
    }
    (Missing { to_win, to_loss: (hardest + open.saturating_sub(1)).min(NEVER) }, open)
}

/// The choice nearest to a win, and how near the next one is.
fn best_two<S>(choices: &[Choice<S>]) -> (usize, u32) {
    let (mut best, mut first, mut second) = (0, u32::MAX, u32::MAX);
    for (at, choice) in choices.iter().enumerate() {
        let to_win = choice.missing.to_win;
        if to_win < first {
            (best, first, second) = (at, to_win, first);
        } else {
            second = second.min(to_win);
        }
    }
    (best, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heaps from which either side takes one to three; who takes the last has won.
    struct Heaps {
        heaps: [u8; 4],
        taken: Vec<(u8, u8)>,
    }

    impl Quest for Heaps {
        type Step = (u8, u8);

        fn list(&mut self, steps: &mut Vec<(u8, u8)>) {
            for (at, &heap) in self.heaps.iter().enumerate() {
                steps.extend((1..=heap.min(3)).map(|taken| (at as u8, taken)));
            }
        }

        fn go(&mut self, (at, taken): (u8, u8)) {
            self.heaps[usize::from(at)] -= taken;
            self.taken.push((at, taken));
        }

        fn back(&mut self) {
            let (at, taken) = self.taken.pop().unwrap();
            self.heaps[usize::from(at)] += taken;
        }

        fn key(&self) -> u64 {
            games::random::mix(&[u64::from(u32::from_le_bytes(self.heaps))])
        }

        fn missing(&mut self) -> Missing {
            if self.heaps == [0; 4] { Missing::LOST } else { Missing { to_win: 1, to_loss: 1 } }
        }
    }

    /// Theory knows who wins: whoever leaves heaps whose rests by four cancel out. A table of one bucket forgets nearly all.
    #[test]
    fn who_wins_is_what_theory_says_however_much_is_forgotten() {
        for bytes in [1 << 20, size_of::<Bucket>()] {
            let mut proofs = Proofs::new(bytes);
            for number in 0..400_u32 {
                let heaps = [number % 5, number / 5 % 4, number / 20 % 5, number / 100 % 4].map(|heap| heap as u8);
                let wins = |heaps: [u8; 4]| heaps.iter().fold(0, |sum, heap| sum ^ (heap % 4)) != 0;
                let mut quest = Heaps { heaps, taken: Vec::new() };
                match proofs.search(&mut quest, &Budget::of_nodes(10_000_000)) {
                    Proof::Won((at, taken)) => {
                        quest.go((at, taken));
                        assert!(wins(heaps) && !wins(quest.heaps), "{heaps:?}: {taken} from {at}");
                    }
                    Proof::Lost => assert!(!wins(heaps), "{heaps:?}"),
                    Proof::Open => panic!("{heaps:?} is not decided"),
                }
            }
        }
    }

    #[test]
    fn nothing_is_shown_without_effort() {
        let mut quest = Heaps { heaps: [7, 9, 11, 13], taken: Vec::new() };
        let mut proofs = Proofs::new(1 << 16);
        assert_eq!(proofs.search(&mut quest, &Budget::of_nodes(3)), Proof::Open);
        assert!(proofs.nodes <= 4);
        assert_eq!(quest.heaps, [7, 9, 11, 13]);
    }
}

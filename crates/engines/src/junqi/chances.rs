//! How contacts come out when only the chances of the enemy's ranks are known.

use games::Contact;
use games::junqi::{PIECES, Rank, contact};

use super::value::WORTH;

/// How many ranks there are.
pub(super) const RANKS: usize = Rank::ALL.len();
/// Ranks that never move.
const FIXED: u16 = 1 << Rank::Mine as u8 | 1 << Rank::Flag as u8;
/// Every rank.
pub(super) const ANY: u16 = (1 << RANKS) - 1;

/// The chance of each rank for each enemy piece, by the slot it was set up on.
pub(super) type Chances = [[f32; RANKS]; PIECES];

/// How an attack of one's own on an enemy piece may come out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Odds {
    /// The enemy's is gone, but it was not the flag.
    pub(super) won: f32,
    pub(super) both: f32,
    pub(super) lost: f32,
    /// It was the flag.
    pub(super) flag: f32,
    /// What the enemy loses on average in the first case, and in the second.
    pub(super) worth_won: f32,
    pub(super) worth_both: f32,
}

/// How likely an enemy piece is one that gains by attacking a piece of one's own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Threat {
    /// It stays.
    pub(super) won: f32,
    /// Both go, and the enemy loses no more than he gains.
    pub(super) both: f32,
    /// What he loses on average then.
    pub(super) worth_both: f32,
}

impl Odds {
    /// A piece of this rank attacks one that is of one of the ranks in `mask`.
    pub(super) fn new(chances: &[f32; RANKS], mask: u16, rank: Rank) -> Self {
        let mut odds = Self::default();
        let mut total = 0.0;
        for (other, chance) in within(chances, mask) {
            total += chance;
            let worth = chance * WORTH[other as usize];
            match contact(rank, other) {
                _ if other == Rank::Flag => odds.flag += chance,
                Contact::Won => (odds.won, odds.worth_won) = (odds.won + chance, odds.worth_won + worth),
                Contact::Both => (odds.both, odds.worth_both) = (odds.both + chance, odds.worth_both + worth),
                Contact::Lost | Contact::Nobody => odds.lost += chance,
            }
        }
        if total <= 0.0 {
            // Nothing it could be was ever drawn: nothing good is to be expected.
            return Self { lost: 1.0, ..Self::default() };
        }
        Self {
            won: odds.won / total,
            both: odds.both / total,
            lost: odds.lost / total,
            flag: odds.flag / total,
            worth_won: odds.worth_won / odds.won.max(f32::MIN_POSITIVE),
            worth_both: odds.worth_both / odds.both.max(f32::MIN_POSITIVE),
        }
    }

    /// What the attack gains on average at once, for a piece that is worth `own` where taking the flag is worth `win`.
    pub(super) fn gain(&self, own: f32, win: f32) -> f32 {
        self.flag * win + self.won * self.worth_won + self.both * (self.worth_both - own) - self.lost * own
    }
}

impl Threat {
    /// A piece that is of one of the ranks in `mask` attacks one of this rank.
    pub(super) fn new(chances: &[f32; RANKS], mask: u16, rank: Rank) -> Self {
        let mut threat = Self::default();
        let mut total = 0.0;
        for (attacker, chance) in within(chances, mask) {
            total += chance;
            let worth = WORTH[attacker as usize];
            match contact(attacker, rank) {
                _ if FIXED >> attacker as u8 & 1 == 1 => {}
                Contact::Won => threat.won += chance,
                Contact::Both if worth <= WORTH[rank as usize] => {
                    threat.both += chance;
                    threat.worth_both += chance * worth;
                }
                _ => {}
            }
        }
        if total <= 0.0 {
            return Self::default();
        }
        Self {
            won: threat.won / total,
            both: threat.both / total,
            worth_both: threat.worth_both / threat.both.max(f32::MIN_POSITIVE),
        }
    }
}

fn within(chances: &[f32; RANKS], mask: u16) -> impl Iterator<Item = (Rank, f32)> {
    Rank::ALL.into_iter().zip(*chances).filter(move |&(rank, _)| mask >> rank as u8 & 1 == 1)
}

/// Ranks that an attacker of each rank loses to.
pub(super) const LOST_TO: [u16; RANKS] = masks(false);
/// Ranks that win when they attack a piece of each rank.
pub(super) const TAKEN_BY: [u16; RANKS] = masks(true);

const fn masks(defending: bool) -> [u16; RANKS] {
    let mut table = [0; RANKS];
    let mut own = 0;
    while own < RANKS {
        let mut other = 0;
        while other < RANKS {
            let (first, second) = (Rank::ALL[own], Rank::ALL[other]);
            let holds = if defending {
                FIXED >> other & 1 == 0 && matches!(contact(second, first), Contact::Won)
            } else {
                matches!(contact(first, second), Contact::Lost)
            };
            if holds {
                table[own] |= 1 << other;
            }
            other += 1;
        }
        own += 1;
    }
    table
}

/// Attacks that may be open to the enemy, who alone knows his ranks.
#[derive(Debug, Default)]
pub(super) struct Options {
    count: usize,
    /// How likely each is open, and what is left then.
    list: [(f32, f32); 12],
}

impl Options {
    pub(super) fn add(&mut self, chance: f32, value: f32) {
        if self.count < self.list.len() {
            self.list[self.count] = (chance, value);
            self.count += 1;
        } else if let Some(least) = self.list.iter_mut().max_by(|one, other| one.1.total_cmp(&other.1))
            && least.1 > value
        {
            // The one that hurts least gives way.
            *least = (chance, value);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What is left on average when the enemy does the best that is open to him, `rest` being open always.
    pub(super) fn value(&self, rest: f32) -> f32 {
        let mut list = self.list;
        let list = &mut list[..self.count];
        list.sort_unstable_by(|one, other| one.1.total_cmp(&other.1));
        let (mut closed, mut value) = (1.0, 0.0);
        for &mut (chance, worth) in list {
            if worth >= rest {
                break;
            }
            let chance = chance.clamp(0.0, 1.0);
            value += closed * chance * worth;
            closed *= 1.0 - chance;
        }
        value + closed * rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_comes_out_by_the_chances() {
        let mut chances = [0.0; RANKS];
        for (rank, chance) in [(Rank::Commander, 0.25), (Rank::Major, 0.5), (Rank::Bomb, 0.125), (Rank::Mine, 0.125)] {
            chances[rank as usize] = chance;
        }
        let odds = Odds::new(&chances, ANY, Rank::General);
        assert_eq!((odds.won, odds.both, odds.lost, odds.flag), (0.5, 0.125, 0.375, 0.0));
        assert_eq!(odds.worth_won, WORTH[Rank::Major as usize]);
        // What beat a general and is no mine is the commander.
        let odds = Odds::new(&chances, LOST_TO[Rank::General as usize] & !FIXED, Rank::Bomb);
        assert_eq!((odds.both, odds.worth_both), (1.0, WORTH[Rank::Commander as usize]));
        let threat = Threat::new(&chances, ANY, Rank::General);
        assert_eq!((threat.won, threat.both), (0.25, 0.125));
        // A mine never attacks, and a bomb is not spent on an engineer.
        assert_eq!(Threat::new(&chances, ANY, Rank::Engineer).both, 0.0);
    }

    #[test]
    fn the_enemy_does_the_best_that_is_open_to_him() {
        let mut options = Options::default();
        assert_eq!(options.value(10.0), 10.0);
        options.add(0.5, -100.0);
        options.add(0.5, 20.0);
        assert_eq!(options.value(10.0), -45.0, "what is better for us than the rest is left alone");
        options.add(1.0, 0.0);
        assert_eq!(options.value(10.0), -50.0);
    }
}

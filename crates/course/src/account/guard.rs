//! What slows a guesser, and keeps nobody else out.
//!
//! After five wrong passwords a name waits at the address they came from, longer each time. That alone would be nothing to
//! who has many names or many addresses, so each name and each address has a number of wrong tries a minute too: more than
//! one guesser elsewhere, or a class with its typos behind one address, can use up.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::now;

/// So many wrong tries of a name at an address are free.
const FREE: u32 = 5;
/// The first wait; each further wrong try doubles it.
const FIRST_WAIT: i64 = 2000;
/// The longest: somebody behind the same address must not be kept out for ever.
const LONGEST_WAIT: i64 = 60_000;
/// 30 wrong tries a minute for a name, wherever they come from: three times what one address gets through.
const OF_A_NAME: Rate = Rate { most: 30, each: 2000 };
/// 120 a minute for an address, whatever the names: a class that signs in for the first time.
const OF_AN_ADDRESS: Rate = Rate { most: 120, each: 500 };
/// After so long without a wrong try all is forgotten.
pub(crate) const MEMORY: i64 = 15 * 60_000;
/// More names and addresses than this are not remembered; the quietest go first.
const MOST: usize = 20_000;

/// Wrong tries that may be made at once, and the milliseconds after which one of them is forgotten.
#[derive(Debug, Clone, Copy)]
struct Rate {
    most: u32,
    each: i64,
}

/// Whose tries are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A name at an address.
    Both(String, String),
    Name(String),
    Address(String),
}

impl Key {
    /// What is held to a rate; a name at an address waits longer each time instead.
    fn rate(&self) -> Option<Rate> {
        match self {
            Self::Both(..) => None,
            Self::Name(_) => Some(OF_A_NAME),
            Self::Address(_) => Some(OF_AN_ADDRESS),
        }
    }
}

/// Tries that were wrong, and when the last was: the wall clock's time, since they outlive the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tries {
    pub(crate) wrong: u32,
    pub(crate) last: i64,
}

impl Tries {
    fn wait(&self, rate: Option<Rate>, now: i64) -> i64 {
        let wait = match rate {
            Some(rate) if self.wrong >= rate.most => rate.each,
            None if self.wrong >= FREE => FIRST_WAIT.saturating_mul(1 << (self.wrong - FREE).min(16)).min(LONGEST_WAIT),
            _ => 0,
        };
        // A clock that was set back makes nobody wait longer.
        (wait - (now - self.last).max(0)).max(0)
    }

    fn charge(&mut self, rate: Option<Rate>, now: i64) {
        self.wrong = self.wrong.saturating_add(1);
        let Some(rate) = rate else {
            self.last = now;
            return;
        };
        // Those of the past are forgotten one by one; what is left of the time until the next one is stays.
        let forgotten = (now - self.last).max(0) / rate.each;
        let kept = i64::from(self.wrong - 1) - forgotten;
        self.last = if kept > 0 { self.last + forgotten * rate.each } else { now };
        // More would make everybody wait for tries that were under way together.
        self.wrong = (kept.max(0) as u32 + 1).min(rate.most);
    }
}

/// Somebody must wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slow(pub Duration);

/// Wrong tries of names and addresses. Names that nobody has are counted like the others, so that waiting tells nothing.
#[derive(Debug, Default)]
pub struct Guard {
    tries: Mutex<HashMap<Key, Tries>>,
}

impl Guard {
    /// One that remembers what an earlier run of the program saw.
    pub(crate) fn remembering(tries: impl IntoIterator<Item = (Key, Tries)>) -> Self {
        Self { tries: Mutex::new(tries.into_iter().take(MOST).collect()) }
    }

    /// Asks for leave to try. The name is charged before the try is made, since a flood of tries at once must not all be free;
    /// the address only when it was wrong, since a whole class may sit behind one.
    pub fn begin(&self, name: &str, address: &str) -> Result<(), Slow> {
        self.begin_at(name, address, now())
    }

    fn begin_at(&self, name: &str, address: &str, now: i64) -> Result<(), Slow> {
        let keys = keys(name, address);
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.retain(|_, tries| {
            // The clock was set back.
            tries.last = tries.last.min(now);
            now - tries.last < MEMORY
        });
        let waits = keys.iter().filter_map(|key| Some(tries.get(key)?.wait(key.rate(), now)));
        if let Some(wait) = waits.max().filter(|wait| *wait > 0) {
            return Err(Slow(Duration::from_millis(wait as u64)));
        }
        let [both, name, _] = keys;
        charge(&mut tries, both, now);
        charge(&mut tries, name, now);
        Ok(())
    }

    /// The try was wrong. Gives what is to be remembered of all.
    pub(crate) fn wrong(&self, name: &str, address: &str) -> Vec<(Key, Tries)> {
        self.wrong_at(name, address, now())
    }

    fn wrong_at(&self, name: &str, address: &str, now: i64) -> Vec<(Key, Tries)> {
        let keys = keys(name, address);
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        charge(&mut tries, keys[2].clone(), now);
        keys.into_iter().filter_map(|key| tries.get(&key).copied().map(|tries| (key, tries))).collect()
    }

    /// The try was right: the name's wrong tries are forgotten, here and over all addresses. Gives what there was of them;
    /// what was tried wrongly at other addresses makes those wait as before.
    pub(crate) fn right(&self, name: &str, address: &str) -> Vec<Key> {
        let [both, name, _] = keys(name, address);
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        // The try itself was charged.
        let mut there = |key: &Key| tries.remove(key).is_some_and(|tries| tries.wrong > 1);
        [both, name].into_iter().filter(|key| there(key)).collect()
    }
}

/// Counts a try; where too many are remembered the quietest is forgotten.
fn charge(tries: &mut HashMap<Key, Tries>, key: Key, now: i64) {
    if tries.len() >= MOST && !tries.contains_key(&key) {
        let quietest = tries.iter().min_by_key(|(_, tries)| (tries.wrong, tries.last)).map(|(key, _)| key.clone());
        quietest.and_then(|quietest| tries.remove(&quietest));
    }
    let rate = key.rate();
    tries.entry(key).or_insert(Tries { wrong: 0, last: now }).charge(rate, now);
}

fn keys(name: &str, address: &str) -> [Key; 3] {
    let name = name.chars().take(100).collect::<String>().to_lowercase();
    let address = address.to_owned();
    [Key::Both(name.clone(), address.clone()), Key::Name(name), Key::Address(address)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(ms: i64) -> Result<(), Slow> {
        Err(Slow(Duration::from_millis(ms as u64)))
    }

    /// A try with a wrong password; whether it was let through.
    fn wrong(guard: &Guard, name: &str, address: &str, now: i64) -> bool {
        let begun = guard.begin_at(name, address, now).is_ok();
        if begun {
            guard.wrong_at(name, address, now);
        }
        begun
    }

    #[test]
    fn five_wrong_tries_slow_the_name_at_its_address() {
        let guard = Guard::default();
        let start = now();
        for _ in 0..5 {
            assert!(wrong(&guard, "2023001", "10.0.0.1", start));
        }
        assert_eq!(guard.begin_at("2023001", "10.0.0.1", start), slow(FIRST_WAIT));
        // Waiting is enough; the next wrong one doubles the wait, up to a minute.
        let mut now = start + FIRST_WAIT;
        assert!(wrong(&guard, "2023001", "10.0.0.1", now));
        assert_eq!(guard.begin_at("2023001", "10.0.0.1", now), slow(FIRST_WAIT * 2));
        for _ in 0..20 {
            now += LONGEST_WAIT;
            assert!(wrong(&guard, "2023001", "10.0.0.1", now));
        }
        assert_eq!(guard.begin_at("2023001", "10.0.0.1", now), slow(LONGEST_WAIT));
        assert!(guard.begin_at("2023001", "10.0.0.2", now).is_ok(), "the name, from elsewhere");
        assert!(guard.begin_at("2023002", "10.0.0.1", now).is_ok(), "the address, with another name");
        now += LONGEST_WAIT;
        assert!(guard.begin_at("2023001", "10.0.0.1", now).is_ok());
        assert!(guard.right("2023001", "10.0.0.1").iter().any(|key| matches!(key, Key::Both(..))));
        for _ in 0..5 {
            assert!(wrong(&guard, "2023001", "10.0.0.1", now), "all is forgotten");
        }
    }

    #[test]
    fn somebody_who_polls_a_name_keeps_its_owner_out_nowhere_else() {
        for seconds in [5, 60, 600] {
            let (guard, start) = (Guard::default(), now());
            let polls = (0..seconds * 10).filter(|poll| wrong(&guard, "admin", "203.0.113.9", start + poll * 100));
            let let_through = polls.count();
            assert!((5..25).contains(&let_through), "{let_through} guesses in {seconds} s");
            assert_eq!(guard.begin_at("admin", "10.0.0.1", start + seconds * 1000), Ok(()), "after {seconds} s");
        }
    }

    #[test]
    fn guesses_at_a_name_from_everywhere_are_slow() {
        let guard = Guard::default();
        let start = now();
        let guesses = (0..600_i64).flat_map(|second| (0..10).map(move |number| (second, number)));
        let let_through = guesses
            .filter(|(second, number)| {
                let address = format!("10.{second}.{number}.1");
                wrong(&guard, "admin", &address, start + second * 1000)
            })
            .count();
        // At once, and then thirty a minute.
        assert!((320..=340).contains(&let_through), "{let_through}");
    }

    #[test]
    fn a_class_with_typos_behind_one_address_signs_in() {
        let guard = Guard::default();
        let start = now();
        // Two hundred in three minutes, every one of them wrong at first and every second one wrong twice.
        for number in 0..200_i64 {
            let (name, now) = (number.to_string(), start + number * 900);
            for _ in 0..1 + number % 2 {
                assert!(wrong(&guard, &name, "10.0.0.1", now), "{name} is kept out");
            }
            assert_eq!(guard.begin_at(&name, "10.0.0.1", now), Ok(()), "{name} is kept out");
            guard.right(&name, "10.0.0.1");
        }
        // Somebody who tries every name of the school from there waits, but never long.
        let now = start + 200 * 900;
        let let_through = (0..1000).filter(|name| wrong(&guard, &format!("s{name}"), "10.0.0.1", now)).count();
        assert!(let_through <= OF_AN_ADDRESS.most as usize, "{let_through}");
        assert!(guard.begin_at("1", "10.0.0.1", now).is_err());
        assert_eq!(guard.begin_at("1", "10.0.0.1", now + OF_AN_ADDRESS.each), Ok(()));
    }

    #[test]
    fn a_flood_at_one_name_is_charged_before_it_is_answered() {
        let guard = Guard::default();
        let now = now();
        for _ in 0..5 {
            assert_eq!(guard.begin_at("victim", "10.0.0.1", now), Ok(()));
        }
        assert!(guard.begin_at("victim", "10.0.0.1", now).is_err());
    }

    #[test]
    fn a_flood_of_names_is_bounded_and_what_is_old_is_forgotten() {
        let guard = Guard::default();
        let start = now();
        for number in 0..MOST + 10 {
            charge(&mut guard.tries.lock().unwrap(), Key::Name(number.to_string()), start);
            if number == 100 {
                // One that was tried more often outlives the others.
                charge(&mut guard.tries.lock().unwrap(), Key::Name("100".into()), start);
            }
        }
        assert_eq!(guard.tries.lock().unwrap().len(), MOST);
        assert!(guard.tries.lock().unwrap().contains_key(&Key::Name("100".into())));
        let _ = guard.begin_at("somebody", "10.1.1.1", start + MEMORY);
        assert_eq!(guard.tries.lock().unwrap().len(), 2);
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_out() {
        let start = now();
        let both = Key::Both("somebody".into(), "10.0.0.1".into());
        let address = Key::Address("10.0.0.1".into());
        let kept = |key: &Key, wrong: u32| Guard::remembering([(key.clone(), Tries { wrong, last: start })]);
        let back = start - 3_600_000;
        for (key, wrong, wait) in [(both, 10, LONGEST_WAIT), (address, OF_AN_ADDRESS.most, OF_AN_ADDRESS.each)] {
            let guard = kept(&key, wrong);
            assert_eq!(guard.begin_at("somebody", "10.0.0.1", back), slow(wait));
            assert_eq!(guard.begin_at("somebody", "10.0.0.1", back + wait), Ok(()));
        }
    }
}

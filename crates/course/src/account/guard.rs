//! What slows a guesser: after five wrong passwords a name and an address wait, longer each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::now;

/// So many wrong tries are free.
const FREE: u32 = 5;
/// The first wait; each further wrong try doubles it.
const FIRST_WAIT: i64 = 2000;
/// The longest: whoever owns the name must not be kept out by others.
const LONGEST_WAIT: i64 = 60_000;
/// After so long without a wrong try all is forgotten.
pub(crate) const MEMORY: i64 = 15 * 60_000;
/// More names and addresses than this are not remembered; the quietest go first.
const MOST: usize = 20_000;

/// Whose tries are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Name(String),
    Address(String),
}

/// Tries that were wrong, and when the last was: the wall clock's time, since they outlive the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tries {
    pub(crate) wrong: u32,
    pub(crate) last: i64,
}

impl Tries {
    fn wait(&self, now: i64) -> i64 {
        let beyond = self.wrong.saturating_sub(FREE);
        if self.wrong < FREE {
            return 0;
        }
        let wait = FIRST_WAIT.saturating_mul(1 << beyond.min(16)).min(LONGEST_WAIT);
        // A clock that was set back makes nobody wait longer.
        (wait - (now - self.last).max(0)).max(0)
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
        let at = now();
        let tries = tries.into_iter().map(|(key, tries)| (key, Tries { last: tries.last.min(at), ..tries }));
        Self { tries: Mutex::new(tries.take(MOST).collect()) }
    }

    /// Asks for leave to try. The name is charged before the try is made, since a flood of tries at once must not all be free;
    /// the address only when it was wrong, since a whole class may sit behind one.
    pub fn begin(&self, name: &str, address: &str) -> Result<(), Slow> {
        self.begin_at(name, address, now())
    }

    fn begin_at(&self, name: &str, address: &str, now: i64) -> Result<(), Slow> {
        let keys = keys(name, address);
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.retain(|_, tries| now - tries.last < MEMORY);
        let waits = keys.iter().filter_map(|key| tries.get(key)).map(|tries| tries.wait(now));
        if let Some(wait) = waits.max().filter(|wait| *wait > 0) {
            return Err(Slow(Duration::from_millis(wait as u64)));
        }
        let [name, _] = keys;
        charge(&mut tries, name, now);
        Ok(())
    }

    /// The try was wrong. Gives what is to be remembered of both.
    pub(crate) fn wrong(&self, name: &str, address: &str) -> Vec<(Key, Tries)> {
        self.wrong_at(name, address, now())
    }

    fn wrong_at(&self, name: &str, address: &str, now: i64) -> Vec<(Key, Tries)> {
        let keys = keys(name, address);
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        charge(&mut tries, keys[1].clone(), now);
        keys.into_iter().filter_map(|key| tries.get(&key).copied().map(|tries| (key, tries))).collect()
    }

    /// The try was right: the name's wrong tries are forgotten. Gives the name where there were any.
    pub(crate) fn right(&self, name: &str) -> Option<Key> {
        let [name, _] = keys(name, "");
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        // The try itself was charged.
        tries.remove(&name).filter(|tries| tries.wrong > 1).map(|_| name)
    }
}

/// Counts a try; where too many are remembered the quietest is forgotten.
fn charge(tries: &mut HashMap<Key, Tries>, key: Key, now: i64) {
    if tries.len() >= MOST && !tries.contains_key(&key) {
        let quietest = tries.iter().min_by_key(|(_, tries)| (tries.wrong, tries.last)).map(|(key, _)| key.clone());
        quietest.and_then(|quietest| tries.remove(&quietest));
    }
    let entry = tries.entry(key).or_insert(Tries { wrong: 0, last: now });
    entry.wrong = entry.wrong.saturating_add(1);
    entry.last = now;
}

fn keys(name: &str, address: &str) -> [Key; 2] {
    let name = name.chars().take(100).collect::<String>().to_lowercase();
    [Key::Name(name), Key::Address(address.to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(ms: i64) -> Result<(), Slow> {
        Err(Slow(Duration::from_millis(ms as u64)))
    }

    #[test]
    fn five_wrong_tries_slow_the_name_and_the_address() {
        let guard = Guard::default();
        let start = now();
        for _ in 0..5 {
            assert_eq!(guard.begin_at("2023001", "10.0.0.1", start), Ok(()));
            guard.wrong_at("2023001", "10.0.0.1", start);
        }
        assert_eq!(guard.begin_at("2023001", "10.0.0.1", start), slow(FIRST_WAIT));
        assert!(guard.begin_at("2023001", "10.0.0.2", start).is_err(), "the name, from elsewhere");
        assert!(guard.begin_at("2023002", "10.0.0.1", start).is_err(), "the address, with another name");
        assert!(guard.begin_at("2023002", "10.0.0.2", start).is_ok());
        // Waiting is enough; the next wrong one doubles the wait, up to a minute.
        let mut now = start + FIRST_WAIT;
        assert!(guard.begin_at("2023001", "10.0.0.3", now).is_ok());
        assert_eq!(guard.begin_at("2023001", "10.0.0.3", now), slow(FIRST_WAIT * 2));
        for _ in 0..20 {
            now += LONGEST_WAIT;
            assert!(guard.begin_at("2023001", "10.0.0.3", now).is_ok());
        }
        assert_eq!(guard.begin_at("2023001", "10.0.0.9", now), slow(LONGEST_WAIT));
        guard.right("2023001");
        assert!(guard.begin_at("2023001", "10.0.0.8", now).is_ok());
    }

    #[test]
    fn a_class_behind_one_address_signs_in_at_once() {
        let guard = Guard::default();
        let now = now();
        for number in 0..200 {
            assert_eq!(guard.begin_at(&number.to_string(), "10.0.0.1", now), Ok(()));
        }
        // But a flood at one name is charged before it is answered.
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
        assert_eq!(guard.tries.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_out() {
        let guard = Guard::default();
        let start = now();
        for _ in 0..10 {
            charge(&mut guard.tries.lock().unwrap(), Key::Name("somebody".into()), start);
        }
        assert_eq!(guard.begin_at("somebody", "10.0.0.1", start - 3_600_000), slow(LONGEST_WAIT));
        let kept = [(Key::Name("somebody".into()), Tries { wrong: 10, last: start + 3_600_000 })];
        assert!(Guard::remembering(kept).begin_at("somebody", "10.0.0.1", now() + LONGEST_WAIT).is_ok());
    }
}

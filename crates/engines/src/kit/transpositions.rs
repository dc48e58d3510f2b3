//! A table of positions already searched, of a size fixed in bytes, shared by the threads of a search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// What a stored value says of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// It is at least this.
    AtLeast,
    /// It is at most this.
    AtMost,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value, for the side to move.
    pub value: i32,
    /// How deep it was searched.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
    /// The best ply, packed; 0 when there is none.
    pub ply: u32,
}

/// What a slot holds, unpacked.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// The part of the key that the place does not tell.
    check: u32,
    /// 0 in a slot that was never written, then one more than the bound's number.
    bound: u8,
    depth: u8,
    age: u8,
    /// The game it was written in.
    game: u8,
    value: i32,
    ply: u32,
}

/// Two words that several threads may write at once: the second is mixed with the first, so that halves of two different
/// writings look like a position nobody asks for.
#[derive(Debug, Zeroable)]
struct Slot {
    finding: AtomicU64,
    mixed: AtomicU64,
}

impl Slot {
    fn read(&self) -> Kept {
        let finding = self.finding.load(Relaxed);
        let about = self.mixed.load(Relaxed) ^ stirred(finding);
        Kept {
            check: about as u32,
            bound: (about >> 32) as u8,
            depth: (about >> 40) as u8,
            age: (about >> 48) as u8,
            game: (about >> 56) as u8,
            value: finding as u32 as i32,
            ply: (finding >> 32) as u32,
        }
    }

    fn write(&self, kept: Kept) {
        let finding = u64::from(kept.value as u32) | u64::from(kept.ply) << 32;
        let about = u64::from(kept.check)
            | u64::from(kept.bound) << 32
            | u64::from(kept.depth) << 40
            | u64::from(kept.age) << 48
            | u64::from(kept.game) << 56;
        self.finding.store(finding, Relaxed);
        self.mixed.store(about ^ stirred(finding), Relaxed);
    }
}

/// Every bit of the finding in the half that is checked.
const fn stirred(finding: u64) -> u64 {
    let product = finding.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

/// Slots of one place, a cache line of them, so that a deep result survives many shallow ones.
#[derive(Debug, Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The table. All threads of a search share it.
#[derive(Debug)]
pub struct Transpositions {
    buckets: Vec<Bucket>,
    age: AtomicU8,
    /// What another game left is as good as empty; to erase it would take longer than many a game.
    game: u8,
}

impl Transpositions {
    /// A table of at most this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        // Memory that is zero already is not touched before it is used.
        Self { buckets: bytemuck::zeroed_vec(count), age: AtomicU8::new(0), game: 0 }
    }

    /// A new search begins: what older ones stored may be written over.
    pub fn next_search(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.buckets.fill_with(Bucket::zeroed);
        }
    }

    /// What a slot holds of this game.
    fn read(&self, slot: &Slot) -> Option<Kept> {
        Some(slot.read()).filter(|kept| kept.bound != 0 && kept.game == self.game)
    }

    fn bucket(&self, key: u64) -> &[Slot; 4] {
        // The high half chooses the place, the low half is kept for checking.
        let place = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        &self.buckets[place].0
    }

    /// What is known of a position.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let mut kept = self.bucket(key).iter().filter_map(|slot| self.read(slot));
        let kept = kept.find(|kept| kept.check == key as u32)?;
        let bound = match kept.bound {
            1 => Bound::AtLeast,
            2 => Bound::AtMost,
            _ => Bound::Exact,
        };
        Some(Entry { value: kept.value, depth: kept.depth, bound, ply: kept.ply })
    }

    /// Keeps what was found, over what is worth least in its place.
    pub fn put(&self, key: u64, entry: Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        // The same position, or else what is worth least.
        let (mut index, mut least, mut known) = (0, i32::MAX, None);
        for (at, slot) in bucket.iter().enumerate() {
            let kept = self.read(slot);
            if kept.is_some_and(|kept| kept.check == key as u32) {
                (index, known) = (at, kept);
                break;
            }
            let worth = kept
                .map_or(i32::MIN, |kept| i32::from(kept.depth) - 4 * i32::from(age.wrapping_sub(kept.age).min(100)));
            if worth < least {
                (index, least) = (at, worth);
            }
        }
        let bound = match entry.bound {
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
            Bound::Exact => 3,
        };
        // A bound found without a best ply does not erase the one known.
        let ply = if entry.ply == 0 { known.map_or(0, |known| known.ply) } else { entry.ply };
        bucket[index].write(Kept {
            check: key as u32,
            bound,
            depth: entry.depth,
            age,
            game: self.game,
            value: entry.value,
            ply,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u8) -> Entry {
        Entry { value, depth, bound: Bound::Exact, ply: 7 }
    }

    #[test]
    fn what_is_put_is_found_and_deep_results_outlive_shallow_ones() {
        let table = Transpositions::new(size_of::<Bucket>());
        table.put(1, entry(10, 20));
        for key in 2..50 {
            table.put(key, entry(0, 1));
        }
        assert_eq!(table.get(1), Some(entry(10, 20)));
        assert_eq!(table.get(1000), None);
        // Until it is of an old search.
        for _ in 0..10 {
            table.next_search();
        }
        for key in 2..50 {
            table.put(key, entry(0, 1));
        }
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn another_game_finds_nothing_however_many_there_were() {
        let mut table = Transpositions::new(1 << 10);
        for game in 0..600 {
            assert_eq!(table.get(5), None, "game {game}");
            table.put(5, entry(game, 3));
            assert_eq!(table.get(5), Some(entry(game, 3)));
            table.clear();
        }
    }

    /// Two threads write the same place: whatever is found was written by one of them, never half by each.
    #[test]
    fn threads_never_find_what_nobody_put() {
        let table = Transpositions::new(size_of::<Bucket>());
        let put = |seed: i32| {
            for turn in 0..100_000 {
                let value = turn * 2 + seed;
                table.put(7, Entry { value, depth: value as u8, bound: Bound::Exact, ply: value as u32 + 1 });
                if let Some(found) = table.get(7) {
                    assert_eq!((found.depth, found.ply), (found.value as u8, found.value as u32 + 1));
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| put(0));
            put(1);
        });
    }

    #[test]
    fn a_table_never_takes_more_than_its_bytes() {
        let table = Transpositions::new(1 << 20);
        assert!(table.buckets.len() * size_of::<Bucket>() <= 1 << 20);
    }
}

//! A table of positions already searched, of a size fixed in bytes.

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

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The part of the key that the place does not tell.
    check: u32,
    value: i32,
    ply: u32,
    depth: u8,
    /// 0 in a slot that was never written, then one more than the bound's number.
    bound: u8,
    age: u8,
}

/// Slots of one place: two of them, so that a deep result survives many shallow ones.
type Bucket = [Slot; 4];

/// The table.
#[derive(Debug)]
pub struct Transpositions {
    buckets: Vec<Bucket>,
    age: u8,
}

impl Transpositions {
    /// A table of at most this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        Self { buckets: vec![Bucket::default(); count], age: 0 }
    }

    /// A new search begins: what older ones stored may be written over.
    pub fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    fn place(&self, key: u64) -> usize {
        // The high half chooses the place, the low half is kept for checking.
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of a position.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let slot = self.buckets[self.place(key)].iter().find(|slot| slot.check == key as u32 && slot.bound != 0)?;
        let bound = match slot.bound {
            1 => Bound::AtLeast,
            2 => Bound::AtMost,
            _ => Bound::Exact,
        };
        Some(Entry { value: slot.value, depth: slot.depth, bound, ply: slot.ply })
    }

    /// Keeps what was found, over what is worth least in its place.
    pub fn put(&mut self, key: u64, entry: Entry) {
        let (age, place) = (self.age, self.place(key));
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| slot.check == key as u32 && slot.bound != 0);
        let worth = |slot: &Slot| {
            let older = i32::from(age.wrapping_sub(slot.age).min(100));
            if slot.bound == 0 { i32::MIN } else { i32::from(slot.depth) - 4 * older }
        };
        let index = same.unwrap_or_else(|| (0..bucket.len()).min_by_key(|&index| worth(&bucket[index])).unwrap_or(0));
        // A bound found without a best ply does not erase the one known.
        let ply = if entry.ply == 0 && same.is_some() { bucket[index].ply } else { entry.ply };
        let bound = match entry.bound {
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
            Bound::Exact => 3,
        };
        bucket[index] = Slot { check: key as u32, value: entry.value, ply, depth: entry.depth, bound, age };
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
        let mut table = Transpositions::new(size_of::<Bucket>());
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
    fn a_table_never_takes_more_than_its_bytes() {
        let table = Transpositions::new(1 << 20);
        assert!(table.buckets.len() * size_of::<Bucket>() <= 1 << 20);
    }
}

//! Positions that were looked at before, in one search.

/// Between which bounds a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    /// Nothing is known.
    #[default]
    None,
    /// It is this.
    Exact,
    /// It is at least this.
    Least,
    /// It is at most this.
    Most,
}

/// What was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    key: u64,
    value: f32,
    depth: i8,
    bound: Bound,
    /// The move that was best, or refuted what went before.
    pub(super) best: (u8, u8),
}

impl Entry {
    /// The value, where it was looked up deep enough and settles what lies between these bounds.
    pub(super) fn settles(&self, depth: i32, alpha: f32, beta: f32) -> Option<f32> {
        let settled = i32::from(self.depth) >= depth
            && match self.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Least => self.value >= beta,
                Bound::Most => self.value <= alpha,
            };
        settled.then_some(self.value)
    }
}

/// The table. What was found in an earlier search is worth nothing, because the chances were others.
pub(super) struct Table {
    entries: Vec<Entry>,
    salt: u64,
}

impl Table {
    /// A table that takes no more than so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let places = (bytes / size_of::<Entry>()).max(2);
        Self { entries: vec![Entry::default(); 1 << places.ilog2()], salt: 0 }
    }

    /// Another search begins.
    pub(super) const fn renew(&mut self) {
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    const fn place(&self, key: u64) -> (usize, u64) {
        let key = key ^ self.salt;
        (key as usize & (self.entries.len() - 1), key)
    }

    /// What is known of a position.
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let (place, key) = self.place(key);
        Some(self.entries[place]).filter(|entry| entry.key == key && entry.bound != Bound::None)
    }

    /// Keeps what was found.
    pub(super) fn put(&mut self, key: u64, depth: i32, value: f32, bound: Bound, best: (u8, u8)) {
        let (place, key) = self.place(key);
        self.entries[place] = Entry { key, value, depth: depth as i8, bound, best };
    }
}

/// A number that looks like chance.
pub(super) const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

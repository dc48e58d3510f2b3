//! What a solver of forced wins remembers of positions where it found none.

/// A position where nothing was found with this effort.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    check: u32,
    effort: u32,
}

/// A table of failures, of a size fixed in bytes.
#[derive(Debug)]
pub struct Failures {
    slots: Vec<Slot>,
}

impl Failures {
    /// The effort of a search that left nothing out: it need not be tried again with any other.
    pub const WHOLE: u32 = u32::MAX;

    /// A table of about so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Slot>()).clamp(1 << 8, 1 << 20);
        Self { slots: vec![Slot::default(); count] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    fn place(&self, key: u64) -> usize {
        // The high half chooses the place, the low half is kept for checking.
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// Whether so much effort was already in vain here.
    #[must_use]
    pub fn knows(&self, key: u64, effort: u32) -> bool {
        let slot = self.slots[self.place(key)];
        slot.check == key as u32 && slot.effort >= effort
    }

    /// So much effort was in vain here.
    pub fn note(&mut self, key: u64, effort: u32) {
        let place = self.place(key);
        self.slots[place] = Slot { check: key as u32, effort };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_counts_for_less_effort_and_not_for_more() {
        let mut failures = Failures::new(1 << 12);
        assert!(!failures.knows(77, 1));
        failures.note(77, 100);
        assert!(failures.knows(77, 100) && failures.knows(77, 5) && !failures.knows(77, 101));
        assert!(!failures.knows(78, 1));
        failures.note(77, Failures::WHOLE);
        assert!(failures.knows(77, 1 << 30));
        failures.clear();
        assert!(!failures.knows(77, 1));
    }
}

//! A gate before the processor: so many players think at once, and the others wait for their turn.

use std::sync::{Condvar, Mutex, PoisonError};

/// Where players who look ahead wait until there is a core for them.
pub(crate) struct Gate {
    free: Mutex<usize>,
    changed: Condvar,
}

/// The right to think, until dropped.
pub(crate) struct Permit<'a>(&'a Gate);

impl Gate {
    /// A gate that lets so many think at once.
    pub(crate) fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), changed: Condvar::new() }
    }

    /// Waits for a place.
    pub(crate) fn enter(&self) -> Permit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn never_more_than_there_are_places() {
        let (gate, inside, most) = (Gate::new(2), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _permit = gate.enter();
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
    }
}

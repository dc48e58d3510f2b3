//! Every fault against the real referee: the exact decision, its evidence, and nothing left behind.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod clock;
mod decisions;
mod details;
mod inside;
mod kept;
mod leftovers;
mod pauses;
mod pondering;

use std::path::Path;
use std::time::{Duration, Instant};

use rogues::{Arena, left_behind};

const ROGUE: &str = env!("CARGO_BIN_EXE_rogue");

fn arena() -> Arena {
    Arena::open(Path::new(ROGUE)).unwrap()
}

/// Nothing that carries the run's mark is there, at the latest after two seconds.
fn assert_clean(run: &str, what: &str) {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        let left = left_behind(run);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{what} left behind: {left:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

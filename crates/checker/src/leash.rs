//! What ends a check before it is done.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// What ends a check before it is done; nothing by default. What was found until then is told, and that it was cut short.
#[derive(Clone, Default)]
pub struct Leash {
    /// The moment at which it ends.
    pub until: Option<Instant>,
    /// Asked several times a second: true ends it.
    pub wants_stop: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl Leash {
    /// Whether the check is to end now.
    pub(crate) fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
            || self.wants_stop.as_ref().is_some_and(|wants_stop| wants_stop())
    }
}

impl fmt::Debug for Leash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Leash").field("until", &self.until).finish_non_exhaustive()
    }
}

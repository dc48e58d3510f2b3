//! Programs at hand: a game needs both at once, and the next one often one of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use workshop::{Built, Made, Options};

use super::Shared;
use crate::store::StoreError;

/// So many are held; the rest is found again in the workshop's own cache.
const MOST: usize = 128;

/// Why a program that was built before is not there.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workshop failed.
    #[error("workshop: {0}")]
    Workshop(#[from] workshop::Error),
    /// It compiled once and does not now: the machine has changed.
    #[error("a program that compiled before does not compile any more: {0}")]
    Changed(String),
}

/// Programs by their submission, the last used at the end.
#[derive(Debug, Default)]
pub(super) struct Programs(Mutex<VecDeque<(i64, Arc<Built>)>>);

impl Programs {
    pub(super) fn keep(&self, submission: i64, built: Arc<Built>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(known, _)| *known != submission);
        if held.len() >= MOST {
            held.pop_front();
        }
        held.push_back((submission, built));
    }

    fn find(&self, submission: i64) -> Option<Arc<Built>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = held.iter().position(|(known, _)| *known == submission)?;
        let found = held.remove(at)?;
        let built = Arc::clone(&found.1);
        held.push_back(found);
        Some(built)
    }
}

impl Shared {
    /// The program of a submission that was accepted.
    pub(super) fn program(&self, submission: i64) -> Result<Arc<Built>, Lost> {
        if let Some(built) = self.programs.find(submission) {
            return Ok(built);
        }
        let row = self.runtime.block_on(self.store.submission(submission))?.ok_or(StoreError::Missing("submission"))?;
        let source = self.runtime.block_on(self.store.source(submission))?.ok_or(StoreError::Missing("source"))?;
        let recipe = workshop::find(&row.language)?;
        match self.workshop.build(&source, recipe, &Options::default())? {
            Made::Built(built) => {
                let built = Arc::new(*built);
                self.programs.keep(submission, Arc::clone(&built));
                Ok(built)
            }
            Made::Failed(failed) => Err(Lost::Changed(failed.say(games::Language::En))),
        }
    }
}

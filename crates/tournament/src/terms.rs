//! What a match was played under, kept beside its journal: the journal holds games, not what they were to decide.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contest::Openings;
use crate::statistics::Hypotheses;

/// The file's name in a match's folder.
const NAME: &str = "match.json";

/// The terms of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// How many games at most.
    pub games: u64,
    /// What its sequential test tells apart, where there is one.
    pub sprt: Option<Hypotheses>,
    /// Where games begin.
    pub openings: Openings,
    /// Everything random follows from this.
    pub seed: u64,
    /// Whether engines compute on their opponent's time.
    pub ponder: bool,
}

impl Terms {
    /// The terms of this folder, where they were kept.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(NAME)).ok()?).ok()
    }

    /// Keeps the terms in this folder.
    pub fn keep(&self, folder: &Path) -> std::io::Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        records::write_atomically(&folder.join(NAME), &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Model;

    #[test]
    fn terms_are_kept_and_a_folder_without_them_has_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Terms::read(folder.path()), None);
        let sprt = Some(Hypotheses::new(Model::Logistic, -2.0, 3.0));
        let terms = Terms { games: 40, sprt, openings: Openings::Random(3), seed: 7, ponder: true };
        terms.keep(folder.path()).unwrap();
        assert_eq!(Terms::read(folder.path()), Some(terms));
    }
}

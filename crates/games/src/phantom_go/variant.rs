//! The options, as they are written and as the rules use them.

use serde::{Deserialize, Serialize};

use crate::core::{Fault, Variant, reasons};

/// Which repetitions are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ko {
    /// Any board that was there before, whoever made it.
    Positional,
    /// Only taking back a single stone at once.
    Simple,
}

/// Who wins when the areas are equal after komi.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tie {
    /// White.
    White,
    /// Black.
    Black,
    /// Nobody.
    Draw,
}

/// The options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PhantomGoVariant {
    /// Which repetitions are refused.
    pub ko: Ko,
    /// Points added to White's area.
    pub komi: f64,
    /// Who wins when the areas are equal after komi.
    pub tie: Tie,
    /// After this many plies the area is counted.
    pub max_plies: u32,
}

impl Default for PhantomGoVariant {
    fn default() -> Self {
        Self { ko: Ko::Positional, komi: 0.0, tie: Tie::White, max_plies: 1000 }
    }
}

impl Variant for PhantomGoVariant {
    fn check(&self) -> Result<(), Fault> {
        if !(-100.0..=100.0).contains(&self.komi) || (self.komi * 2.0).fract() != 0.0 {
            return Err(Fault::at(&reasons::BAD_OPTION, "komi=-100,-99.5..100"));
        }
        if !(1..=10_000).contains(&self.max_plies) {
            return Err(Fault::at(&reasons::BAD_OPTION, "max_plies=1..10000"));
        }
        Ok(())
    }
}

/// The rules of this game, from its variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) ko: Ko,
    /// In half points.
    pub(super) komi: i32,
    pub(super) tie: Tie,
    pub(super) max_plies: u32,
}

impl Settings {
    pub(super) const fn new(variant: &PhantomGoVariant) -> Self {
        let komi = (variant.komi * 2.0) as i32;
        Self { ko: variant.ko, komi, tie: variant.tie, max_plies: variant.max_plies }
    }
}

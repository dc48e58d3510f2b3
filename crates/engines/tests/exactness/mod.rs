//! What the players of line games must never get wrong, checked by code that knows the rules alone.
//!
//! The tests run these over few positions; `--example line_proofs` over many.

pub(crate) mod connect6;
pub(crate) mod gomoku;

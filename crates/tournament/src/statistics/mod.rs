//! Ratings, intervals and sequential tests from counts of results.
//!
//! Every rating here is an Elo difference, but there are three of them, on purpose:
//! the *logistic* Elo of a match ([`elo`]), the *normalized* Elo that measures how many games it takes to see a
//! difference ([`normalized_elo`]), and the Bradley–Terry rating of many engines ([`rate`]).

mod bradley_terry;
mod counts;
mod elo;
mod likelihood;
mod linear;
mod normal;
mod sprt;

pub use bradley_terry::{CrossTable, Ratings, rate};
pub use counts::{Outcome, Pentanomial, Tally, Trinomial};
pub use elo::{Estimate, elo, expected_score, likelihood_of_superiority, normalized_elo, score};
pub use sprt::{Hypotheses, Model, Sprt, SprtError, SprtState, log_likelihood_ratio};

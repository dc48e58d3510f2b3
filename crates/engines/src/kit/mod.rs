//! What several players share: a clock, a table of positions, alpha-beta, best-first tree search, proof-number search,
//! and a seat that lives on events.

pub mod alpha_beta;
pub mod budget;
pub mod failures;
pub mod proofs;
pub mod seat;
pub mod transpositions;
pub mod tree;
pub mod weights;

pub use alpha_beta::{AlphaBeta, Sight};
pub use budget::{Budget, Strength};
pub use failures::Failures;
pub use seat::{Mind, SeatPlayer, Thought};
pub use transpositions::{Bound, Entry, Transpositions};

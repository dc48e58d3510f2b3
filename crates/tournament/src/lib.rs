//! Who is stronger, and how sure are we: many games, their journal, and what follows from them.
//!
//! This crate depends on `games`, `records` and `referee`. [`statistics`] is pure; [`contest`] plays one game of a schedule,
//! [`pool`] many at once, and [`journal`] keeps them so that nothing is lost and nothing counts twice.
//!
//! Read [`duel`] first: a match of two is the smallest contest.

pub mod contest;
pub mod duel;
pub mod journal;
pub mod pool;
pub mod statistics;

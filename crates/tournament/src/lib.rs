//! Tournaments: who meets whom, who is stronger, and how sure we are.
//!
//! `statistics` turns counts of results into ratings with honest intervals and into sequential decisions; `pairing`
//! turns results so far into the next games of a format. Both are pure: no clock, no file, no thread, and nothing of
//! the rest of the workspace.
//!
//! Read [`Format`](pairing::Format) first.

pub mod pairing;
pub mod statistics;

//! Tournaments: who meets whom, who is stronger, and how sure we are.
//!
//! This crate depends on `games`, `records` and `referee`. [`statistics`] turns counts of results into ratings with
//! honest intervals, [`pairing`] turns results so far into the next games of a format; both are pure. [`contest`] plays
//! one game of a schedule, [`pool`] many at once, and [`journal`] keeps them so that nothing is lost and nothing counts
//! twice.
//!
//! [`distinct`] tells which games are new, [`conduct`] who lost otherwise than on the board; [`report`] shows a contest
//! as a page.
//!
//! Read [`duel`] first: a match of two is the smallest contest; then [`Format`](pairing::Format).

pub mod conduct;
pub mod contest;
pub mod distinct;
pub mod duel;
pub mod event;
pub mod journal;
pub mod openings;
pub mod pairing;
pub mod plan;
pub mod pool;
pub mod report;
pub mod statistics;

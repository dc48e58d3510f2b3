//! A course from an empty folder to a ranked table, through the real program, web API and sandbox.
//!
//! `cargo xtask course` runs the same simulation with 40 students or more.

mod brains;
mod client;
mod simulation;
mod story;

//! The launcher: this program started again, with one thread, to build a cage, put a program into it and watch it.
//!
//! ```text
//! boyi ── launcher (warden: watches clocks and memory, ends the cell, mirrors the program's exit)
//!           ├── init     first process of the namespace: built the file system, reaps orphans, takes everything along when it dies
//!           └── program  a child of the launcher inside the namespace, so its exit is seen as it was
//! ```
//!
//! The launcher lives as long as the program. When the cell's pipe closes, because boyi dropped the cell or was killed, it ends the program and removes
//! the control groups.

mod collect;
mod identity;
mod init;
mod landlock;
mod owners;
mod program;
mod root;
mod sample;
mod start;
mod warden;

use std::ffi::OsString;

use crate::error::Failure;
use crate::mailbox::Post;
use crate::orders::Outcome;
use crate::sys::SingleThread;

/// The first word of the launcher's command line.
pub const LAUNCH: &str = "sandbox-launch";

/// The launcher's exit code when there was nothing to mirror.
const NOT_STARTED: i32 = 125;

/// Becomes the launcher if the command line says so. A program that makes cells calls this first thing in `main`, before it has threads.
pub fn launch_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != LAUNCH) {
        return;
    }
    let words: Vec<OsString> = words.collect();
    crate::sys::leave(launch(&words));
}

fn launch(words: &[OsString]) -> i32 {
    crate::sys::ignore_interruptions();
    let [file, ears, program @ ..] = words else { return NOT_STARTED };
    let (Some(file), Some(ears)) = (file.to_str(), ears.to_str()) else { return NOT_STARTED };
    let Ok((post, orders)) = Post::open([file, ears]) else { return NOT_STARTED };
    let Some(proof) = SingleThread::prove() else { return NOT_STARTED };
    let outcome = match start::start(&post, &orders, program, proof) {
        Ok(family) => warden::watch(&post, &orders, &family),
        Err(failure) => failed(failure),
    };
    post.finish(&outcome);
    match outcome {
        Outcome { signal: Some(signal), .. } => crate::sys::die_of(signal),
        Outcome { code, .. } => code.unwrap_or(NOT_STARTED),
    }
}

fn failed(failure: Failure) -> Outcome {
    Outcome { failure: Some(failure), ..Outcome::default() }
}

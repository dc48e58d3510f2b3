//! Programs that try to do harm, one a word: what the sandbox must survive.
//!
//! A behaviour that got what it wanted writes a line that begins with `harm`; one that was refused writes `refused` and why. Those whose harm shows outside
//! (a daemon that lives on, a parent that was killed) are looked for by the test.
#![expect(unsafe_code, reason = "doing harm takes system calls that nobody wraps")]

mod files;
mod kernel;
mod memory;
mod processes;
mod talk;

use std::io::Write as _;

/// A behaviour: its name, and what it does with the words that follow.
type Behaviour = (&'static str, fn(&[String]));

/// Everything this program can do.
const BEHAVIOURS: &[&[Behaviour]] =
    &[memory::BEHAVIOURS, processes::BEHAVIOURS, files::BEHAVIOURS, kernel::BEHAVIOURS, talk::BEHAVIOURS];

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    match BEHAVIOURS.iter().flat_map(|group| group.iter()).find(|(known, _)| *known == name) {
        Some((_, behave)) => behave(&words),
        None => {
            say(&format!("no behaviour {name:?}"));
            std::process::exit(99);
        }
    }
}

/// Writes a line at once.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// What came of a try: harm, or the reason of the refusal.
fn tell<T>(what: &str, result: std::io::Result<T>) {
    match result {
        Ok(_) => say(&format!("harm {what}")),
        Err(error) => say(&format!("refused {what}: {error}")),
    }
}

/// The result of a system call.
fn check(result: libc::c_long) -> std::io::Result<libc::c_long> {
    if result < 0 { Err(std::io::Error::last_os_error()) } else { Ok(result) }
}

/// A number among the words.
fn number(words: &[String], index: usize) -> usize {
    words.get(index).and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// A word among the words.
fn word(words: &[String], index: usize) -> &str {
    words.get(index).map_or("", String::as_str)
}

/// Sleeps until somebody ends us.
fn linger() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(60));
    }
}

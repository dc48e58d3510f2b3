//! A flood does not make the referee grow. A test binary of its own: peak memory is the whole process's.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::path::Path;

use rogues::{Arena, Contest};

const MOST_KIB: u64 = 32 << 10;

/// The most memory this process ever had resident.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn floods_are_read_in_little_memory() {
    let arena = Arena::open(Path::new(env!("CARGO_BIN_EXE_rogue"))).unwrap();
    for game in ["nogo", "gomoku", "tiaojia"] {
        for script in ["flood 100", "flood-stderr 100", "flood-lines"] {
            let decision = arena.play(&Contest::new(game, script, "correct")).unwrap().decision;
            let wanted = match (game, script) {
                (_, "flood-stderr 100") => None,
                ("tiaojia", "flood-lines") => Some("malformed-answer"),
                _ => Some("output-limit"),
            };
            let reason = decision.evidence.seat.map(|_| decision.reason.code);
            assert_eq!(reason, wanted, "{game}: {script}");
            assert!(peak_kib() < MOST_KIB, "{game}: {script}: {} KiB", peak_kib());
        }
    }
}

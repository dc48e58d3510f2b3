//! A check that is ended before it is done: by its limit, or because whoever runs it wants to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use checker::{Leash, Plan, Report};
use referee::{CommandLine, Host};

/// An engine of NoGo's that says something it should not, is ready, and then thinks for ever.
const THINKS_FOR_EVER: &str = "read hello; echo something else; echo name slow; while read line; do :; done";
/// One that is never ready.
const NEVER_READY: &str = "while read line; do :; done";

fn check(engine: &str, leash: Leash) -> Report {
    let host = Arc::new(Host::start(std::process::Command::new("true")).expect("set up"));
    let game = games::find("nogo").expect("set up");
    let words = ["sh", "-c", engine].map(str::to_owned).to_vec();
    let plan = Plan {
        game,
        table: game.open(&serde_json::Value::Null, None).expect("set up"),
        protocol: protocols::find("nogo", None).expect("set up"),
        options: serde_json::Value::Null,
        command: CommandLine { words, ..CommandLine::default() },
        ply_time: Duration::from_secs(300),
        start_time: Duration::from_secs(300),
        gap: Duration::ZERO,
        seed: 1,
        leash,
    };
    checker::check(&host, plan).expect("set up")
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.kind.code).collect()
}

#[test]
fn a_limit_ends_the_check_and_what_was_found_is_told() {
    for (engine, found) in [(THINKS_FOR_EVER, &["noise", "cut-short"][..]), (NEVER_READY, &["cut-short"])] {
        let began = Instant::now();
        let report = check(engine, Leash { until: Some(began + Duration::from_secs(1)), wants_stop: None });
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
        assert_eq!(codes(&report), found);
        assert!(report.findings.iter().all(|finding| finding.times == 1));
        assert!(report.passed(false), "to be slow here is no error");
    }
}

#[test]
fn whoever_wants_to_stop_is_heard_while_the_engine_thinks() {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let leash = Leash { until: None, wants_stop: Some(Arc::new(move || asked.load(Ordering::Acquire))) };
    let began = Instant::now();
    let checking = std::thread::spawn(move || check(THINKS_FOR_EVER, leash));
    std::thread::sleep(Duration::from_millis(1000));
    assert!(!checking.is_finished());
    stop.store(true, Ordering::Release);
    assert_eq!(codes(&checking.join().unwrap()), ["noise", "cut-short"]);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

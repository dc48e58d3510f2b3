//! How exactly time is charged: an engine that answers after T milliseconds, on a machine where every core is busy.
//! `cargo xtask clock`.

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use referee::{CommandLine, Direction, EngineSpec, GameSpec, Host, Seat, TimeControl, play};
use serde_json::{Value, json};

const ENGINE: &str = env!("CARGO_BIN_EXE_instant-engine");
/// Milliseconds the engines take, and how many plies are measured for each.
const WAITS: [(u64, u32); 4] = [(1, 400), (10, 400), (50, 120), (200, 40)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stop = Arc::new(AtomicBool::new(false));
    let busy: Vec<_> = (0..std::thread::available_parallelism()?.get())
        .map(|_| {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        })
        .collect();
    let mut keeper = Command::new(ENGINE);
    keeper.arg("keeper");
    let host = Arc::new(Host::start(keeper)?);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "charged time less what the engine should take (T), and less what it took by its own clock (own), in ms\n"
    )?;
    writeln!(
        out,
        "| T | plies | T: median | T: p1 | T: p99 | own: median | own: p1 | own: p99 | ±2 median, ±10 p99 |"
    )?;
    writeln!(out, "|---:|---:|---:|---:|---:|---:|---:|---:|---|")?;
    for (wait, plies) in WAITS {
        let (charged, own) = measure(&host, wait, plies)?;
        let mut against_t: Vec<f64> = charged.iter().map(|charged| charged - wait as f64).collect();
        let mut against_own: Vec<f64> = charged.iter().zip(&own).map(|(charged, own)| charged - own).collect();
        let (t, o) = (spread(&mut against_t), spread(&mut against_own));
        let met = t.1.abs() <= 2.0 && t.0.abs() <= 10.0 && t.2.abs() <= 10.0;
        writeln!(
            out,
            "| {wait} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {} |",
            charged.len(),
            t.1,
            t.0,
            t.2,
            o.1,
            o.0,
            o.2,
            if met { "met" } else { "NOT met" }
        )?;
    }
    stop.store(true, Ordering::Relaxed);
    for thread in busy {
        let _ = thread.join();
    }
    Ok(())
}

/// The first percentile, the median and the 99th percentile.
fn spread(values: &mut [f64]) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at(0.01), at(0.5), at(0.99))
}

/// One game: what each ply was charged, and what the engine says it took, both in milliseconds.
fn measure(host: &Arc<Host>, wait: u64, plies: u32) -> Result<(Vec<f64>, Vec<f64>), Box<dyn std::error::Error>> {
    let table = games::find("tiaojia")?.open(&json!({ "max_plies": plies }), None)?;
    let protocol = protocols::find("tiaojia", None).ok_or("no protocol")?;
    let spec = || EngineSpec {
        command: CommandLine {
            words: vec![ENGINE.to_owned(), "after".to_owned(), wait.to_string()],
            ..CommandLine::default()
        },
        protocol,
        options: Value::Null,
        memory: None,
    };
    let mut seats = [Seat::engine(spec()), Seat::engine(spec())];
    let time = TimeControl { ply: Some(Duration::from_secs(10)), ..TimeControl::default() };
    let report = play(host, GameSpec { time, ..GameSpec::new(table) }, &mut seats, &mut ())?;
    let own: Vec<f64> = report
        .transcript
        .entries()
        .filter(|entry| entry.direction == Direction::FromEngine)
        .filter_map(|entry| std::str::from_utf8(&entry.bytes).ok()?.strip_prefix("DEBUG ")?.parse::<f64>().ok())
        .map(|microseconds| microseconds / 1000.0)
        .collect();
    let charged: Vec<f64> = report.plies.iter().map(|step| step.time.as_secs_f64() * 1000.0).collect();
    if own.len() != charged.len() {
        return Err(format!("{} plies but {} reports: {:?}", charged.len(), own.len(), report.decision).into());
    }
    Ok((charged, own))
}

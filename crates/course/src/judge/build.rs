//! Compiling submissions, and the trial games before they enter the ladder.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engines::Style;
use games::Side;
use referee::{Adjudication, GameReport, GameSpec, PlayerSeat, Seat, Transcript};
use sandbox::Ended;
use serde_json::{Value, json};
use workshop::{Built, Failed, Made, Options, Why};

use super::log::Logs;
use super::play::time;
use super::{Shared, Stopper, delay, machine_fault, today};
use crate::contest::Contest;
use crate::start::Start;
use crate::store::{BuildLease, StoreError};
use crate::words::Words;

/// A trial game is over after so many plies: it is about speaking and moving, not about winning.
const TRIAL_PLIES: u32 = 16;
/// The whole check of the protocol plays some hundred plies; engines slower than this are spared it.
const QUICK_PLY: Duration = Duration::from_millis(50);
/// The check is over after so long, beside what one start and one ply may take: others wait for the builder.
const CHECK_TIME: Duration = Duration::from_secs(20);

/// A build that the machine spoils is tried so often, over some four minutes; then staff must look after the machine.
const MOST_TRIES: i64 = 10;

/// Builds until the server is stopped.
pub(super) fn work(shared: &Arc<Shared>, worker: &str) {
    while !shared.is_stopping() {
        if !shared.runtime.block_on(shared.store.waits()).is_ok_and(|(_, builds)| builds) {
            shared.nap();
            continue;
        }
        match shared.runtime.block_on(shared.store.lease_build(worker)) {
            Ok(Some(build)) => {
                let _busy = shared.crew.builders.take();
                settle(shared, &build);
            }
            Ok(None) => shared.nap(),
            Err(error) => {
                tracing::error!(%error, "no submission could be taken from the queue");
                shared.nap();
            }
        }
    }
}

/// What came of a build.
enum Outcome {
    Accepted {
        trial: Value,
        ms: i64,
    },
    Failed {
        code: &'static str,
        text: Words,
        compile: Option<Value>,
        trial: Option<Value>,
        ms: i64,
    },
    /// A fault of the machine's: it is tried again.
    Spoiled(String),
}

fn settle(shared: &Arc<Shared>, build: &BuildLease) {
    let outcome = catch_unwind(AssertUnwindSafe(|| judge(shared, build)));
    let outcome = outcome.unwrap_or_else(|_| Ok(Outcome::Spoiled("the judge itself failed".to_owned())));
    let store = &shared.store;
    let written = match outcome.unwrap_or_else(|error| Outcome::Spoiled(error.to_string())) {
        Outcome::Accepted { trial, ms } => {
            let queued = shared.written(|| store.accept(build, &trial, (today(), ms)));
            if let Ok(0) = queued {
                alone(shared, build);
            }
            queued.map(drop)
        }
        Outcome::Failed { code, text, compile, trial, ms } => {
            let failure = json!({ "code": code, "text": text });
            let day = (today(), ms);
            shared.written(|| store.fail(build, &failure, compile.as_ref(), trial.as_ref(), day))
        }
        Outcome::Spoiled(trouble) => {
            let wait = if shared.is_stopping() { Some(0) } else { next_try(build.attempts) };
            let submission = build.submission.id;
            match wait {
                Some(wait) => {
                    tracing::warn!(submission, %trouble, "a submission will be built again");
                    shared.written(|| store.retry_build(build, wait))
                }
                None => {
                    tracing::error!(submission, %trouble, "a submission cannot be built on this machine");
                    let text = Words::new(
                        "the judge's machine could not build or try it, which is no fault of yours; ask staff to judge it again",
                        "评测机无法编译或试运行，这不是你的程序的问题；请联系教师或助教重新评测",
                    );
                    let failure = json!({ "code": "machine", "text": text });
                    shared.written(|| store.fail(build, &failure, None, None, (today(), 0)))
                }
            }
        }
    };
    if let Err(error) = written {
        tracing::error!(%error, "a build could not be written");
    }
    shared.ring();
}

/// How long to wait after a fault of the machine's, unless it was the last of too many.
fn next_try(attempts: i64) -> Option<i64> {
    (attempts + 1 < MOST_TRIES).then(|| delay(attempts))
}

/// Somebody without opponents is first of one.
fn alone(shared: &Shared, build: &BuildLease) {
    let row = &build.submission;
    let kept = shared.runtime.block_on(async {
        let counting = shared.store.counting(row.contest).await?;
        let mut ranked = counting.iter().filter(|one| one.standing.is_ranked());
        if ranked.next().is_some_and(|first| first.id == row.id) && ranked.next().is_none() {
            shared.store.add_history(row.contest, row.account, row.id, 1, 1, 0).await?;
        }
        Ok::<_, StoreError>(())
    });
    if let Err(error) = kept {
        tracing::error!(%error, "a standing could not be kept");
    }
}

fn judge(shared: &Arc<Shared>, build: &BuildLease) -> Result<Outcome, StoreError> {
    let contest = shared.runtime.block_on(shared.store.contest_numbered(build.submission.contest))?;
    if build.submission.builtin.is_some() {
        return Ok(Outcome::Accepted { trial: Value::Null, ms: 0 });
    }
    let unusable = |code, text| Outcome::Failed { code, text, compile: None, trial: None, ms: 0 };
    let recipe = match workshop::find(&build.submission.language) {
        Ok(recipe) => recipe,
        Err(error) => return Ok(unusable("unusable", Words::said(|language| error.say(language)))),
    };
    let made = match shared.workshop.build(&build.source, recipe, &Options::default()) {
        Ok(made) => made,
        Err(
            error @ (workshop::Error::Unusable(_) | workshop::Error::Project(_) | workshop::Error::MustFork { .. }),
        ) => {
            return Ok(unusable("unusable", Words::said(|language| error.say(language))));
        }
        Err(error @ workshop::Error::Missing(_)) => {
            return Ok(unusable("language-missing", Words::said(|language| error.say(language))));
        }
        Err(error) => return Ok(Outcome::Spoiled(error.to_string())),
    };
    let built = match made {
        Made::Built(built) => Arc::new(*built),
        Made::Failed(failed) => return Ok(compile_failed(&failed, build.attempts)),
    };
    let compile = compile_face(&built);
    shared.written(|| shared.store.begin_trial(build, &compile))?;
    let ms = if built.cached { 0 } else { built.report.usage.cpu.as_millis() as i64 };
    shared.programs.keep(build.submission.id, Arc::clone(&built));
    Ok(trial(shared, &contest, &built, ms))
}

fn compile_failed(failed: &Failed, attempts: i64) -> Outcome {
    // A machine that was too busy to compile in time is asked again before the student is told so.
    let stall = failed.report.usage.stall.unwrap_or_default();
    if failed.why == Why::Limit(sandbox::Limit::Wall) && stall * 4 > failed.report.usage.wall && attempts < 3 {
        return Outcome::Spoiled("the machine was too busy to compile".to_owned());
    }
    let sentence = match failed.why {
        // The messages stand beside it.
        Why::Errors => Words::new(
            "the program does not compile; the compiler says where",
            "程序没有通过编译，错误位置见编译器的提示",
        ),
        _ => Words::said(|language| failed.say(language)),
    };
    let compile = json!({
        "messages": failed.messages.text,
        "truncated": failed.messages.left_out > 0,
        "notes": failed.notes.iter().map(|note| Words::said(|language| note.say(language))).collect::<Vec<_>>(),
        "compiler": failed.toolchain.version,
        "ms": failed.report.usage.cpu.as_millis() as u64,
        "sentence": sentence,
    });
    let ms = failed.report.usage.cpu.as_millis() as i64;
    Outcome::Failed { code: "compile", text: sentence, compile: Some(compile), trial: None, ms }
}

fn compile_face(built: &Built) -> Value {
    json!({
        "messages": built.messages.text,
        "truncated": built.messages.left_out > 0,
        "notes": built.notes.iter().map(|note| Words::said(|language| note.say(language))).collect::<Vec<_>>(),
        "compiler": built.toolchain.version,
        "ms": built.report.usage.cpu.as_millis() as u64,
        "sentence": Value::Null,
    })
}

/// A short game with each colour against the random player, then what the checker finds.
fn trial(shared: &Arc<Shared>, contest: &Contest, built: &Arc<Built>, mut ms: i64) -> Outcome {
    let mut log = String::new();
    let (mut slowest, mut failed) = (Duration::ZERO, None);
    for side in Side::BOTH {
        let (report, talk) = match trial_game(shared, contest, built, side) {
            Ok(played) => played,
            Err(fault) => return Outcome::Spoiled(fault),
        };
        if let Some(text) = unrunnable(&report, side) {
            let trial = json!({ "result": "failed", "text": text, "findings": [], "log": "" });
            return Outcome::Failed { code: "trial", text, compile: None, trial: Some(trial), ms };
        }
        log.push_str(&format!("# trial game as {side}\n{talk}"));
        ms += report.used[side.index()].as_millis() as i64;
        let own = report.plies.iter().filter(|step| step.mover == side).map(|step| step.time);
        slowest = own.fold(slowest, Duration::max);
        // Losing on the board is no fault; only what the referee says of the engine itself is.
        if report.decision.evidence.seat == Some(side) {
            failed = Some(sentence(&report));
            break;
        }
    }
    let mut findings = Value::Array(Vec::new());
    if failed.is_some() || slowest <= QUICK_PLY {
        let began = Instant::now();
        findings = check(shared, contest, built);
        ms += began.elapsed().as_millis() as i64;
        if shared.is_stopping() {
            // Cut short by us; what it would have found belongs to the student.
            return Outcome::Spoiled("the server is being stopped".to_owned());
        }
    }
    let face = |result: &str, text: &Words| json!({ "result": result, "text": text, "findings": findings, "log": log });
    match failed {
        Some(text) => {
            let trial = Some(face("failed", &text));
            let text = Words::new(
                format!("it lost its trial game by a fault of its own: {}", text.en),
                format!("试赛中因程序自身的错误判负：{}", text.zh),
            );
            Outcome::Failed { code: "trial", text, compile: None, trial, ms }
        }
        None => {
            let text = Words::new("it speaks the protocol and makes legal plies", "能正确通信并走出合法着法");
            Outcome::Accepted { trial: face("passed", &text), ms }
        }
    }
}

/// Why what was built cannot be run, where that is the student's to mend and not the machine's.
fn unrunnable(report: &GameReport, side: Side) -> Option<Words> {
    let Ended::NotStarted(failure) = &report.cages[side.index()].as_ref()?.ended else { return None };
    let said = &failure.said;
    failure.program.then(|| {
        Words::new(
            format!(
                "what was built cannot be run ({said}): it must be a program compiled for this machine, or a script whose \
                 first line names an interpreter that is installed, for example #!/usr/bin/python3"
            ),
            format!(
                "构建得到的程序无法运行（“{said}”）：它应当是为本机编译的程序，或首行写明已安装解释器的脚本，例如 #!/usr/bin/python3"
            ),
        )
    })
}

/// Why the engine lost, with what was measured.
fn sentence(report: &GameReport) -> Words {
    let decision = &report.decision;
    let evidence = &decision.evidence;
    let mut words = Words::from(decision.reason.text);
    let mut add = |en: String, zh: String| {
        words.en.push_str(&en);
        words.zh.push_str(&zh);
    };
    if let Some((limit, measured)) = evidence.limit_ms.zip(evidence.measured_ms) {
        add(
            format!(" (limit {limit:.0} ms, took {measured:.0} ms)"),
            format!("（限时 {limit:.0} 毫秒，用时 {measured:.0} 毫秒）"),
        );
    }
    if let Some(ply) = &evidence.ply {
        add(format!(": {ply}"), format!("：{ply}"));
    }
    if let Some(detail) = &evidence.detail {
        // Where there is no Chinese it is the system's own text, and quoted.
        let zh = evidence.detail_zh.clone().unwrap_or_else(|| format!("“{detail}”"));
        add(format!(" ({detail})"), format!("（{zh}）"));
    }
    words
}

fn trial_game(
    shared: &Arc<Shared>,
    contest: &Contest,
    built: &Built,
    side: Side,
) -> Result<(GameReport, String), String> {
    let listing = contest.listing().map_err(|error| error.to_string())?;
    let Start { table, position, history } = contest.start(0)?;
    let engine = shared.seat(contest, built, None).ok_or("the contest's protocol is not known")?;
    let random = Seat::Local(Box::new(PlayerSeat::new(engines::player(listing, Style::Random, 1))));
    let mut seats = match side {
        Side::Black => [engine, random],
        Side::White => [random, engine],
    };
    let logs = Logs::default();
    let most = TRIAL_PLIES + history.len() as u32;
    let spec = GameSpec {
        position,
        history,
        time: time(&contest.rules),
        // What the contest says, not what the protocol would.
        start_limit: time(&contest.rules).start,
        adjudication: Adjudication { max_plies: Some(most), ..Adjudication::default() },
        transcript: Transcript::with_sink(Box::new(logs.clone())),
        ..GameSpec::new(table)
    };
    let report =
        referee::play(&shared.host, spec, &mut seats, &mut Stopper(shared)).map_err(|error| error.to_string())?;
    match machine_fault(&report) {
        Some(fault) if unrunnable(&report, side).is_none() => Err(fault),
        _ => {
            let talk = logs.take()[side.index()].clone();
            Ok((report, String::from_utf8_lossy(&talk).into_owned()))
        }
    }
}

/// What `boyi check` finds, as JSON.
fn check(shared: &Arc<Shared>, contest: &Contest, built: &Built) -> Value {
    let table = contest.listing().ok().and_then(|listing| Some((listing, contest.start(0).ok()?.table)));
    let Some((game, table)) = table else { return Value::Array(Vec::new()) };
    let Some(protocol) = protocols::find(&contest.game, contest.rules.protocol.as_deref()) else {
        return Value::Array(Vec::new());
    };
    let (start_time, ply_time) =
        (Duration::from_millis(contest.rules.start_ms), Duration::from_millis(contest.rules.ply_ms));
    let judge = Arc::clone(shared);
    let leash = checker::Leash {
        until: Some(Instant::now() + CHECK_TIME + start_time + ply_time),
        wants_stop: Some(Arc::new(move || judge.is_stopping())),
    };
    let plan = checker::Plan {
        game,
        table,
        protocol,
        options: Value::Null,
        command: shared.command(contest, built, None),
        ply_time,
        start_time,
        gap: Duration::ZERO,
        seed: 1,
        leash,
    };
    let report = checker::check(&shared.host, plan);
    report.map_or(Value::Array(Vec::new()), |report| serde_json::to_value(&report.findings).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_goes_on_failing_is_not_asked_for_ever() {
        let waits: Vec<i64> = (0..).map_while(next_try).collect();
        assert_eq!(waits.len() as i64, MOST_TRIES - 1);
        assert!(waits.is_sorted());
        let minutes = waits.iter().sum::<i64>() / 60_000;
        assert!((2..=15).contains(&minutes), "{minutes} min");
    }
}

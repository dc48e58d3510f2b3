//! How a seat loses off the board, and what shows it.

use std::time::{Duration, Instant};

use games::{Fault, Language, Reason, Side};
use sandbox::Ended;

use crate::decision::{Decision, Evidence, LimitOf, milliseconds, reasons};
use crate::game::{Game, STALL_THAT_COUNTS};
use crate::stolen::Waited;

/// A stalled engine may take so many times its limit by the wall clock.
const MOST_STRETCH: u32 = 3;
/// The same where nothing is excused any more: a game that must have a result waits for one.
const LAST_STRETCH: u32 = 20;
/// Lines of the conversation that go into the evidence.
const EVIDENCE_LINES: usize = 8;
/// The most of a line that goes into it.
const LONGEST_SHOWN: usize = 200;

impl Game<'_> {
    pub(crate) fn illegal(&mut self, seat: Side, ply: &str, fault: &Fault) -> Decision {
        let evidence = Evidence { ply: Some(ply.chars().take(LONGEST_SHOWN).collect()), ..self.evidence(seat) };
        let evidence = evidence.with_detail(format!("{}: {fault}", fault.reason.code), fault.say(Language::Zh));
        Decision::against(seat, &reasons::ILLEGAL, self.table.plies(), evidence)
    }

    /// Out of time, and not charged yet; after an illegal ply that was not mended the loss is for that ply.
    pub(crate) fn timed_out(
        &mut self,
        seat: Side,
        limit: Option<Duration>,
        measured: Duration,
        illegal: Option<(String, Fault)>,
    ) -> Decision {
        if let Some((ply, fault)) = illegal {
            return self.illegal(seat, &ply, &fault);
        }
        self.stolen.settle();
        let (limit, stall) = (limit.unwrap_or_default(), self.stalled(seat));
        let kept = stall + self.pump.kept(seat, measured).wait;
        let limit_of = self.clocks[seat.index()].limit_of();
        let evidence = self.time_evidence(seat, limit_of, limit, measured);
        // Not even the longest wait was enough for it to have all its time.
        let stretch = if self.excuse_stalls { MOST_STRETCH } else { LAST_STRETCH };
        let allowed = self.clocks[seat.index()].allowed().unwrap_or_default();
        let starved = measured >= allowed * stretch && measured.saturating_sub(kept) < allowed;
        let evidence = match kept > limit / STALL_THAT_COUNTS {
            false => evidence,
            true => {
                let waited = kept.as_millis();
                evidence.with_detail(
                    format!("the machine kept it waiting for {waited} ms of them"),
                    format!("其中有 {waited} 毫秒是机器让它等待"),
                )
            }
        };
        // A part of the machine's that nobody can measure exactly: such a game is played again, unless it was already.
        if starved || (self.excuse_stalls && stall > limit / STALL_THAT_COUNTS) {
            return Decision::none(&reasons::STALLED, self.table.plies(), evidence);
        }
        Decision::against(seat, &reasons::TIME, self.table.plies(), evidence)
    }

    pub(crate) fn evidence(&self, seat: Side) -> Evidence {
        Evidence {
            seat: Some(seat),
            lines: self.pump.transcript.last_lines(seat, EVIDENCE_LINES),
            ..Evidence::default()
        }
    }

    /// What shows a flood.
    pub(crate) fn flood_evidence(&mut self, seat: Side) -> Evidence {
        let limit = self.pump.output_limit;
        let wrote = self.pump.seats[seat.index()].as_engine().map_or(0, |engine| engine.output_bytes);
        let evidence = Evidence { limit_bytes: Some(limit), measured_bytes: Some(wrote), ..self.evidence(seat) };
        evidence.with_detail(
            format!("it wrote {wrote} bytes, and {limit} are allowed"),
            format!("它输出了 {wrote} 字节，上限为 {limit} 字节"),
        )
    }

    /// What shows that a pause was undone.
    pub(crate) fn pause_evidence(&self, seat: Side, allowed: Duration, undone: Duration) -> Evidence {
        let evidence = Evidence {
            limit_ms: Some(milliseconds(allowed)),
            measured_ms: Some(milliseconds(undone)),
            ..self.evidence(seat)
        };
        let (allowed, undone) = (allowed.as_millis(), undone.as_millis());
        evidence.with_detail(
            format!(
                "it used {undone} ms of processor time while it was suspended, and {allowed} are allowed \
                 for mistakes of measuring"
            ),
            format!("它在被暂停期间占用处理器 {undone} 毫秒，测量误差上限为 {allowed} 毫秒"),
        )
    }

    pub(crate) fn time_evidence(
        &mut self,
        seat: Side,
        limit_of: LimitOf,
        limit: Duration,
        measured: Duration,
    ) -> Evidence {
        // The most common cause of silence: the answer is there, but its newline is not.
        let partial = self.pump.seats[seat.index()].as_engine().is_some_and(|engine| engine.splitter.has_partial());
        let evidence = Evidence {
            limit_of: Some(limit_of),
            limit_ms: Some(milliseconds(limit)),
            measured_ms: Some(milliseconds(measured)),
            ..self.evidence(seat)
        };
        let name = limit_of.name();
        let mut evidence = evidence.with_detail(name.en, name.zh);
        let tolerance = self.clocks[seat.index()].tolerance();
        if limit_of != LimitOf::Start && !tolerance.is_zero() {
            let ms = tolerance.as_millis();
            evidence.tolerance_ms = Some(milliseconds(tolerance));
            evidence = evidence.with_detail(format!("with {ms} ms of tolerance"), format!("含容差 {ms} 毫秒"));
        }
        if partial {
            evidence = evidence.with_detail("output without a newline", "输出缺少换行");
        }
        let unreadable = self.pump.seats[seat.index()].as_engine().and_then(|engine| engine.unreadable.clone());
        if let Some(line) = unreadable {
            let line: String = line.chars().take(LONGEST_SHOWN).collect();
            // The line itself is not in the detail, which is shown to more people than what an engine says.
            evidence = evidence.with_detail("a line that is no move was skipped", "有一行不是着法，已跳过");
            evidence.unreadable = Some(line);
        }
        evidence
    }

    /// Why an engine left, and what shows it.
    pub(crate) fn exit(&mut self, seat: Side) -> (&'static Reason, Evidence) {
        let process = self.pump.seats[seat.index()].as_engine().and_then(|engine| engine.process.as_mut());
        let mut reason = &reasons::EXITED;
        let mut detail = ["its output is closed".to_owned(), "它的输出已关闭".to_owned()];
        if let Some(process) = process
            && let Some(status) = process.exit_status_soon()
        {
            let report = process.report();
            let ended = report.map_or_else(|| Ended::of(status), |report| report.ended.clone());
            detail = [Language::En, Language::Zh].map(|language| ended.say(language));
            if let (Some(report), Ended::Limit(_)) = (report, &ended) {
                reason = &reasons::RESOURCES;
                let peak = report.usage.peak_memory >> 20;
                detail[0].push_str(&format!(": its peak was {peak} MiB"));
                detail[1].push_str(&format!("：内存峰值 {peak} MiB"));
            }
        }
        let [en, zh] = detail;
        (reason, self.evidence(seat).with_detail(en, zh))
    }

    /// The most memory a caged engine has had so far.
    pub(crate) fn peak_memory(&mut self, seat: Side) -> Option<u64> {
        self.pump.seats[seat.index()].as_engine()?.process.as_ref()?.peak_memory()
    }

    /// How long the machine has kept a seat waiting since its turn began.
    pub(crate) fn stalled(&mut self, seat: Side) -> Duration {
        self.waited(seat).since(self.waited_before)
    }

    /// The same since it was started: by this machine, and by its host.
    pub(crate) fn waited(&mut self, seat: Side) -> Waited {
        let (here, self_made) = self.pump.waited(seat);
        Waited { here, self_made, stolen: self.stolen.recent() }
    }

    /// Until when a seat whose time is over by the wall clock may still answer, because the machine kept it waiting,
    /// but not for ever.
    pub(crate) fn stalled_until(&mut self, seat: Side, began: Instant, limit: Option<Duration>) -> Option<Instant> {
        let limit = limit?;
        self.stolen.now();
        let stretch = if self.excuse_stalls { MOST_STRETCH } else { LAST_STRETCH };
        let kept = self.stalled(seat) + self.pump.kept(seat, began.elapsed()).wait;
        let allowed = (limit + kept).min(limit * stretch);
        (began.elapsed() < allowed).then(|| began + allowed)
    }
}

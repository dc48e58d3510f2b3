//! What an engine is led through, in this order.

use std::os::unix::process::ExitStatusExt as _;
use std::sync::Arc;
use std::time::Duration;

use games::{Language, Phrase, Side};
use protocols::BadOption;
use referee::{Host, StartError};
use serde_json::{Value, json};

use crate::commands;
use crate::diagnosis::{self, Due, exit_words};
use crate::finding::{Finding, Findings, Kind, Severity, Words};
use crate::game::{self, GameSummary, Length};
use crate::kinds;
use crate::plan::{Plan, Report};
use crate::programs;
use crate::talk::{Delivery, Stop, Talk};

static START: Phrase = Phrase::new("start-up", "启动");
static AS_BLACK: Phrase = Phrase::new("game as Black", "执黑对局");
static AS_WHITE: Phrase = Phrase::new("game as White", "执白对局");
static SECOND_GAME: Phrase = Phrase::new("second game in the same process", "同一进程的第二局");
static FAREWELL: Phrase = Phrase::new("farewell", "退出");
static IN_PARTS: Phrase = Phrase::new("messages in two parts", "消息分两次到达");
static TOGETHER: Phrase = Phrase::new("messages in one write", "多条消息同时到达");
static AFTER_OPENING: Phrase = Phrase::new("game after an opening", "开局之后的对局");
static END_OF_INPUT: Phrase = Phrase::new("end of input", "输入结束");

/// An engine that needs longer than this to start is slow.
const SLOW_START: Duration = Duration::from_secs(2);
/// How long an engine has to leave.
const LEAVING: Duration = Duration::from_secs(1);
/// How long to listen to an engine that should be silent.
const QUIET: Duration = Duration::from_millis(100);
/// Plies of the opening an engine is told: both set-ups of Junqi, and some of its own and its opponent's.
const OPENING_PLIES: usize = 7;
/// Plies in the games that are about timing or openings.
const A_FEW_PLIES: u32 = 3;
/// The pause that engines need which throw away what they have not read yet.
const PAUSE_THAT_HELPS: Duration = Duration::from_millis(20);
/// More output than this after the end of input is a flood.
const FLOOD: u64 = 64 << 10;

/// A check in progress.
pub(crate) struct Check<'a> {
    pub(crate) host: &'a Arc<Host>,
    pub(crate) plan: &'a Plan,
    pub(crate) findings: Findings,
    report: Report,
    /// The least time between two messages: what was asked for, or what the engine turned out to need.
    gap: Duration,
}

/// Leads an engine through everything and tells what was found. Fails only when the protocol has no such options.
pub fn check(host: &Arc<Host>, mut plan: Plan) -> Result<Report, BadOption> {
    let facts = plan.protocol.facts();
    if facts.id == "gomocup" {
        // Asked for on its own: a brain that does not answer it is not slow to start.
        plan.options = without_about(plan.options);
    }
    plan.protocol.referee_end(plan.setup(Side::Black))?;
    let report = Report {
        game: plan.game.facts().id,
        protocol: facts.id,
        protocol_name: facts.name,
        command: plan.command.words.clone(),
        name: None,
        ran: true,
        ready: None,
        openings: None,
        games: Vec::new(),
        findings: Vec::new(),
    };
    let mut check = Check { host, plan: &plan, findings: Findings::default(), report, gap: plan.gap };
    if let Err(error) = check.run() {
        check.report.ran = false;
        let advice = programs::advice(&plan.command);
        let (words, mend) = advice.unwrap_or_else(|| (start_words(&error), kinds::NOT_FOUND.mend));
        check.findings.add(Finding::new(&kinds::NOT_FOUND, START).detail(words).mend(mend));
    }
    let Check { findings, report, .. } = check;
    Ok(Report { findings: findings.sorted(), ..report })
}

fn without_about(options: Value) -> Value {
    let mut options = if options.is_null() { json!({}) } else { options };
    if let Some(map) = options.as_object_mut() {
        map.insert("about".to_owned(), Value::Bool(false));
    }
    options
}

/// Why an engine could not be started, for people.
fn start_words(error: &StartError) -> Words {
    let zh = error.say(Language::Zh);
    Words::new(error.to_string(), zh)
}

impl Check<'_> {
    fn run(&mut self) -> Result<(), StartError> {
        let Some(talk) = self.first_talk()? else { return Ok(()) };
        let first = self.play_or_pause(talk, AS_BLACK, Side::Black)?;
        if let Some(talk) = first.and_then(|mut talk| self.second_game(&mut talk).then_some(talk)) {
            self.farewell(talk);
        } else if self.goes_on(AS_WHITE)
            && let Some(talk) = self.ready_talk(Side::White, Delivery::Plain, AS_WHITE)?
            && let Some(talk) = self.play_or_pause(talk, AS_WHITE, Side::White)?
        {
            self.farewell(talk);
        }
        if self.goes_on(commands::STAGE) {
            commands::check(self)?;
        }
        if !self.findings.has_errors() && self.goes_on(IN_PARTS) {
            self.timing(Delivery::Split, IN_PARTS, &kinds::SPLIT_MESSAGE)?;
            // A ply out of turn would be taken for the answer to what arrives together with it.
            if !self.findings.has(&kinds::OUT_OF_TURN) && self.goes_on(TOGETHER) {
                self.timing(Delivery::Together, TOGETHER, &kinds::JOINED_MESSAGES)?;
            }
        }
        // The messages of an opening come together: who loses such ones is told that already.
        let loses_messages = self.findings.has(&kinds::SPLIT_MESSAGE) || self.findings.has(&kinds::JOINED_MESSAGES);
        if self.report.openings == Some(true)
            && !self.findings.has_errors()
            && !loses_messages
            && self.goes_on(AFTER_OPENING)
        {
            self.opening()?;
        }
        if self.goes_on(END_OF_INPUT) {
            self.end_of_input()?;
        }
        Ok(())
    }

    /// A whole game; nothing when it broke off. An engine that is silent is tried once more with a pause between
    /// messages: if it plays then, it is known what it does, and the rest of the check goes on like that.
    fn play_or_pause(&mut self, mut talk: Talk, stage: Phrase, seat: Side) -> Result<Option<Talk>, StartError> {
        if self.play(&mut talk, stage, seat, false) {
            return Ok(Some(talk));
        }
        if !self.gap.is_zero() || !self.findings.tells_silence() || !self.goes_on(stage) {
            return Ok(None);
        }
        drop(talk);
        let mut talk = Talk::open(self.host, self.plan, PAUSE_THAT_HELPS, seat, Delivery::Plain)?;
        if talk.await_ready(self.plan.start_time).is_err() {
            return Ok(None);
        }
        let mut found = Findings::default();
        let (summary, went_well) = game::play(self.plan, &mut talk, &mut found, stage, seat, Length::WHOLE);
        if !went_well {
            return Ok(None);
        }
        if let Some(silence) = self.findings.take(&kinds::TIME) {
            self.findings.add(Finding::new(&kinds::NEEDS_GAP, stage).asked(silence.asked.as_deref()));
        }
        self.gap = PAUSE_THAT_HELPS;
        self.findings.append(found);
        self.keep(summary, false);
        Ok(Some(talk))
    }

    /// Whether there is time for this stage; that there is none is told once.
    fn goes_on(&mut self, stage: Phrase) -> bool {
        let over = self.plan.leash.is_over();
        if over && !self.findings.has(&kinds::CUT_SHORT) {
            self.findings.add(Finding::new(&kinds::CUT_SHORT, stage));
        }
        !over
    }

    /// Starts the engine for the first time; without an answer to the first message there is nothing more to check.
    fn first_talk(&mut self) -> Result<Option<Talk>, StartError> {
        let mut talk = Talk::open(self.host, self.plan, self.gap, Side::Black, Delivery::Plain)?;
        let ready = talk.await_ready(self.plan.start_time);
        self.report.name.clone_from(&talk.name);
        match ready {
            Ok(time) => {
                self.report.ready = Some(time);
                // Gomocup's brains are told by BOARD, which is tried with its other commands.
                let says = !self.plan.protocol.facts().can_restore;
                self.report.openings = says.then(|| talk.end.can_be_led());
                if time > SLOW_START {
                    let seconds = time.as_secs_f64();
                    let detail = Words::new(format!("ready after {seconds:.1} s"), format!("{seconds:.1} 秒后就绪"));
                    self.findings.add(Finding::new(&kinds::SLOW_START, START).detail(detail));
                }
                talk.listen(QUIET);
                diagnosis::said(&mut talk, &mut self.findings, START);
                Ok(Some(talk))
            }
            Err(stop) => {
                let protocol = self.plan.protocol.facts().id;
                self.findings.add(diagnosis::broke_off(&mut talk, stop, Due::Ready, protocol, START));
                diagnosis::said(&mut talk, &mut self.findings, START);
                Ok(None)
            }
        }
    }

    /// A fresh process that is ready; what it says on the way was heard the first time.
    pub(crate) fn ready_talk(
        &mut self,
        seat: Side,
        delivery: Delivery,
        stage: Phrase,
    ) -> Result<Option<Talk>, StartError> {
        let mut talk = Talk::open(self.host, self.plan, self.gap, seat, delivery)?;
        match talk.await_ready(self.plan.start_time) {
            Ok(_) => Ok(Some(talk)),
            Err(stop) => {
                let protocol = self.plan.protocol.facts().id;
                self.findings.add(diagnosis::broke_off(&mut talk, stop, Due::Ready, protocol, stage));
                Ok(None)
            }
        }
    }

    pub(crate) fn named(&mut self, name: String) {
        self.report.name = Some(name);
    }

    fn keep(&mut self, mut summary: GameSummary, same_process: bool) {
        summary.same_process = same_process;
        if summary.plies > 0 {
            self.report.games.push(summary);
        }
    }

    /// A whole game; false when it broke off.
    fn play(&mut self, talk: &mut Talk, stage: Phrase, seat: Side, same_process: bool) -> bool {
        let (summary, went_well) = game::play(self.plan, talk, &mut self.findings, stage, seat, Length::WHOLE);
        self.keep(summary, same_process);
        went_well
    }

    /// A second game in the same process; false when it must be played in a fresh one.
    fn second_game(&mut self, talk: &mut Talk) -> bool {
        talk.listen(QUIET);
        diagnosis::said(talk, &mut self.findings, SECOND_GAME);
        talk.again(Side::White);
        let protocol = self.plan.protocol.facts().id;
        // A brain that does not know RESTART often says nothing; to know it costs less than a start.
        let limit = if protocol == "gomocup" { self.plan.start_time.min(SLOW_START) } else { self.plan.start_time };
        match talk.await_ready(limit).err() {
            None => {}
            // Tiaojia wants a fresh process for each game.
            Some(Stop::Reload) if protocol == "tiaojia" => return false,
            Some(Stop::Reload | Stop::Silent) if protocol == "gomocup" => {
                self.restart_unknown(talk);
                return false;
            }
            Some(stop) => {
                self.second_game_fails(talk, stop);
                return false;
            }
        }
        let mut found = Findings::default();
        let (summary, went_well) = game::play(self.plan, talk, &mut found, SECOND_GAME, Side::White, Length::WHOLE);
        // What went wrong in the first game too is no matter of the second.
        if let Some(error) = found.first_error().filter(|error| !self.findings.has(error.kind)) {
            let died_at_once = summary.own_plies == 0 && error.kind.code == kinds::EXITS_IN_GAME.code;
            let finding = if died_at_once {
                exits_on_end(protocol)
            } else {
                let title = error.kind.title;
                let detail = Words::new(format!("{}: {}", error.kind.code, title.en), title.zh);
                Finding::new(&kinds::SECOND_GAME_FAILS, SECOND_GAME)
                    .line(error.line.as_deref())
                    .asked(error.asked.as_deref())
                    .detail(detail)
            };
            self.findings.add(finding);
            return false;
        }
        self.findings.append(found);
        self.keep(summary, true);
        went_well
    }

    fn restart_unknown(&mut self, talk: &Talk) {
        let line = talk.last_line.as_deref().filter(|line| line.to_ascii_uppercase().starts_with("UNKNOWN"));
        self.findings.add(Finding::new(&kinds::RESTART_UNKNOWN, SECOND_GAME).line(line).asked(Some("RESTART")));
    }

    /// The engine was not ready for a second game: it left at the end of the first, or is silent.
    fn second_game_fails(&mut self, talk: &mut Talk, stop: Stop) {
        let protocol = self.plan.protocol.facts().id;
        let found = diagnosis::broke_off(talk, stop, Due::Ready, protocol, SECOND_GAME);
        self.findings.add(if found.kind.code == kinds::EXITS_AT_START.code {
            exits_on_end(protocol)
        } else if [kinds::CRASHES.code, kinds::CUT_SHORT.code].contains(&found.kind.code) {
            found
        } else {
            let detail = Words::from(found.kind.title);
            Finding::new(&kinds::SECOND_GAME_FAILS, SECOND_GAME).asked(found.asked.as_deref()).detail(detail)
        });
    }

    /// The protocol's farewell, where it has one: the engine must leave, and well.
    fn farewell(&mut self, mut talk: Talk) {
        let told = talk.act(|end, out| end.close(out));
        let asked = talk.asked.clone();
        let status = talk.probe.exit(if told { LEAVING } else { Duration::ZERO });
        let finding = match status {
            None if told => Finding::new(&kinds::IGNORES_QUIT, FAREWELL),
            Some(status) if status.signal().is_some() => {
                Finding::new(&kinds::CRASHES, FAREWELL).detail(exit_words(status))
            }
            Some(status) if told && !status.success() => {
                Finding::new(&kinds::EXIT_CODE, FAREWELL).detail(exit_words(status))
            }
            _ => return,
        };
        self.findings.add(finding.asked(asked.as_deref()));
    }

    /// A few plies after an opening, on both seats; games from the start went well before.
    fn opening(&mut self) -> Result<(), StartError> {
        for seat in Side::BOTH {
            let Some(mut talk) = self.ready_talk(seat, Delivery::Plain, AFTER_OPENING)? else { return Ok(()) };
            let (mut found, length) = (Findings::default(), Length { opening: OPENING_PLIES, most: A_FEW_PLIES });
            game::play(self.plan, &mut talk, &mut found, AFTER_OPENING, seat, length);
            // What it does in every game was found before.
            let wrong = |seen: &Finding| seen.severity == Severity::Error || seen.kind.code == kinds::OUT_OF_TURN.code;
            let new = |seen: &Finding| wrong(seen) && !self.findings.has(seen.kind);
            if let Some(seen) = found.sorted().into_iter().find(new) {
                let finding = Finding::new(&kinds::MISHEARS_OPENINGS, AFTER_OPENING).line(seen.line.as_deref());
                self.findings.add(finding.asked(seen.asked.as_deref()).detail(Words::from(seen.kind.title)));
                return Ok(());
            }
        }
        Ok(())
    }

    /// A few plies with messages that arrive in another way; games with ordinary messages went well before.
    fn timing(&mut self, delivery: Delivery, stage: Phrase, kind: &'static Kind) -> Result<(), StartError> {
        let mut found = Findings::default();
        let mut talk = Talk::open(self.host, self.plan, self.gap, Side::White, delivery)?;
        match talk.await_ready(self.plan.start_time) {
            Ok(_) => {
                game::play(
                    self.plan,
                    &mut talk,
                    &mut found,
                    stage,
                    Side::White,
                    Length { opening: 0, most: A_FEW_PLIES },
                );
            }
            Err(stop) => {
                let protocol = self.plan.protocol.facts().id;
                found.add(diagnosis::broke_off(&mut talk, stop, Due::Ready, protocol, stage));
            }
        }
        if let Some(error) = found.first_error() {
            // Late is not misread: the answer came.
            if error.kind.code == kinds::TIME.code && error.line.is_some() && !error.is_complaint() {
                self.findings.append(found);
                return Ok(());
            }
            let detail = Words::from(error.kind.title);
            let finding = Finding::new(kind, stage).line(error.line.as_deref()).asked(error.asked.as_deref());
            self.findings.add(finding.detail(detail));
        }
        Ok(())
    }

    /// The engine's input ends in the middle of a game, while it waits.
    fn end_of_input(&mut self) -> Result<(), StartError> {
        let Some(mut talk) = self.ready_talk(Side::White, Delivery::Plain, END_OF_INPUT)? else { return Ok(()) };
        talk.act(|end, out| end.begin(out));
        talk.listen(QUIET);
        let before = talk.probe.bytes;
        talk.probe.close_input();
        let status = talk.probe.exit(LEAVING);
        let written = talk.probe.bytes - before;
        let finding = if written > FLOOD {
            let kilobytes = written >> 10;
            let detail = Words::new(format!("{kilobytes} KiB in a second"), format!("1 秒内输出 {kilobytes} KiB"));
            Finding::new(&kinds::FLOODS_ON_EOF, END_OF_INPUT).detail(detail)
        } else if status.is_none() {
            Finding::new(&kinds::IGNORES_EOF, END_OF_INPUT)
        } else if let Some(status) = status.filter(|status| status.signal().is_some()) {
            Finding::new(&kinds::CRASHES, END_OF_INPUT).detail(exit_words(status))
        } else {
            return Ok(());
        };
        self.findings.add(finding);
        Ok(())
    }
}

/// An engine may leave after a game of Junqi, whose protocol has no other farewell.
fn exits_on_end(protocol: &str) -> Finding {
    let finding = Finding::new(&kinds::EXITS_ON_END, SECOND_GAME);
    if protocol == "junqi" { finding.severity(Severity::Note).asked(Some("END")) } else { finding.asked(Some("end")) }
}

//! What `match` and `tournament` have in common: a plan made from flags, the games it asks for, and playing them.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use engines::Style;
use games::{Language, Phrase};
use protocols::CAN_BE_LED;
use referee::{Decision, GameSpec, PlayerSeat, Seat};
use serde_json::json;
use tournament::contest::{Conditions, Entrant, Job, Kept, Logs};
use tournament::journal::{Finished, Journal, JournalError};
use tournament::openings::Takes;
use tournament::plan::{Plan, PlannedEngine};
use tournament::pool::{self, Crew, Next, Offer};

use crate::cage;
use crate::context::Context;
use crate::progress::Figures;
use crate::seats::{self, Speech, Wanted};

/// The copy of the openings in a contest's folder.
const OPENINGS: &str = "openings.txt";
/// The folder of the conversations in it.
const LOGS: &str = "logs";

/// Who takes part.
pub(crate) fn entrants(context: &Context, plan: &Plan) -> anyhow::Result<Vec<Entrant>> {
    let game = context.game(&plan.game)?;
    let names = plan.names();
    let sandbox = match plan.engines.iter().any(|engine| engine.command.is_some()) {
        true => cage::open(context, plan.sandbox.as_deref())?,
        false => None,
    };
    plan.engines
        .iter()
        .zip(names)
        .map(|(engine, name)| {
            let wanted = match (&engine.command, &engine.builtin) {
                (Some(command), _) => Wanted::Engine(command.clone()),
                (None, level) => Wanted::BuiltIn(level.clone().unwrap_or_default()),
            };
            let memory = engine.memory_mib.or(plan.memory_mib).map(|mib| mib << 20);
            let speech = Speech {
                protocol: engine.protocol.clone(),
                options: engine.options.clone(),
                memory,
                seed: 0,
                cage: cage::of(sandbox.as_ref(), memory),
            };
            seats::entrant(context, game, &wanted, name, &speech)
        })
        .collect()
}

/// An engine of a plan from what a person writes for a seat; `None` for a person.
pub(crate) fn planned(text: &str) -> Option<PlannedEngine> {
    match Wanted::read(text) {
        Wanted::Human => None,
        Wanted::BuiltIn(level) => Some(PlannedEngine { builtin: Some(level), ..PlannedEngine::default() }),
        Wanted::Engine(command) => Some(PlannedEngine { command: Some(command), ..PlannedEngine::default() }),
    }
}

/// What holds for every game of a plan. The file of openings is seen from `folder`; conversations go into the contest's
/// own folder, where there is one.
pub(crate) fn conditions(
    context: &Context,
    plan: &Plan,
    entrants: &mut [Entrant],
    folder: &Path,
    home: Option<&Path>,
) -> anyhow::Result<Conditions> {
    let game = context.game(&plan.game)?;
    let say = |phrase: Phrase| anyhow::anyhow!(context.text(phrase));
    let openings = plan.openings(game, folder).map_err(|problem| anyhow::anyhow!(problem.say(context.language)))?;
    if openings.need() > Takes::Start {
        ask_what_they_take(context, plan, entrants)?;
    }
    if let Some(unable) = entrants.iter().find(|entrant| entrant.takes < openings.need()) {
        return Err(anyhow::anyhow!(cannot_be_told(context, unable, openings.need())));
    }
    // One engine's word decides nothing: a rule by scores looks at plies of both.
    if plan.adjudication.by_score() && entrants.iter().filter(|entrant| entrant.tells_score).count() < 2 {
        return Err(say(Phrase::new(
            "no two engines here tell scores, so no game can be decided by them: only the protocols gomocup and tiaojia carry them",
            "报告评分的引擎不足两个，无法据此裁定：只有 gomocup 和 tiaojia 协议可报告评分",
        )));
    }
    let logs = match (plan.logs, home) {
        (Logs::None, _) => (Logs::None, std::path::PathBuf::new()),
        (wanted, Some(home)) => (wanted, home.join(LOGS)),
        (_, None) => {
            return Err(say(Phrase::new("--logs needs --dir, where they are kept", "--logs 需要 --dir 指定保存目录")));
        }
    };
    let judge = move |seed| Ok(Seat::Local(Box::new(PlayerSeat::new(engines::player(game, Style::Greedy, seed)))));
    Ok(Conditions {
        game,
        variant: game
            .open(&plan.variant, None)
            .map_err(|error| anyhow::anyhow!(error.say(context.language)))?
            .variant(),
        time: plan.time.control(),
        gap: Duration::from_millis(plan.gap_ms),
        ponder: plan.ponder,
        restart: plan.restart,
        adjudication: plan.adjudication,
        openings,
        judge: Box::new(judge),
        logs,
        seed: plan.seed,
        event: plan.event.clone(),
    })
}

/// Starts each engine whose protocol alone tells it no plies, and looks whether it says that it can be told them.
fn ask_what_they_take(context: &Context, plan: &Plan, entrants: &mut [Entrant]) -> anyhow::Result<()> {
    let game = context.game(&plan.game)?;
    let mut host = None;
    for entrant in entrants.iter_mut().filter(|entrant| entrant.takes == Takes::Start) {
        let host = match &mut host {
            Some(host) => host,
            none => none.insert(seats::host()?),
        };
        let table = game.open(&plan.variant, None).map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
        let gap = Duration::from_millis(plan.gap_ms);
        let spec = GameSpec { time: plan.time.control(), gap, ..GameSpec::new(table) };
        let seat = (entrant.seat)(0).map_err(|problem| anyhow::anyhow!(problem))?;
        match referee::can_be_led(host, spec, seat)? {
            Ok(true) => entrant.takes = Takes::Plies,
            Ok(false) => {}
            Err(decision) => return Err(anyhow::anyhow!(was_not_ready(context, plan, entrant, &decision))),
        }
    }
    Ok(())
}

fn was_not_ready(context: &Context, plan: &Plan, entrant: &Entrant, decision: &Decision) -> String {
    let (name, reason) = (&entrant.name, context.text(decision.reason.text));
    let command = entrant.player.command.as_deref().unwrap_or_default();
    let check = format!("boyi check {} {command}", plan.game);
    match context.language {
        Language::En => format!(
            "{name} was started to ask whether it can be told openings, and did not become ready ({reason}); \
             `{check}` tells what is wrong"
        ),
        Language::Zh => {
            format!("已启动 {name} 以询问能否告知开局，但它没有就绪（{reason}）；请用 {check} 查明原因")
        }
    }
}

fn cannot_be_told(context: &Context, entrant: &Entrant, need: Takes) -> String {
    let name = &entrant.name;
    match (context.language, need) {
        (Language::En, Takes::Position) => {
            format!("{name} cannot be told a position: only built-in players can; give openings as plies")
        }
        (Language::Zh, Takes::Position) => format!("{name} 无法设置局面：只有内置引擎可以；请改用着法序列作开局"),
        (Language::En, _) => format!(
            "{name} cannot begin after an opening: it does not say that it can be told one. Teach it a few lines \
             (docs/openings.md: its name ends in {CAN_BE_LED}; in Tiaojia it says DEBUG {CAN_BE_LED} before OK), \
             or play without openings: then nothing but colours changes from game to game"
        ),
        (Language::Zh, _) => format!(
            "{name} 无法从开局之后开始：它没有声明可以接受开局。请为它加上几行代码（见 docs/openings.zh-CN.md：\
             引擎名以 {CAN_BE_LED} 结尾；挑夹棋则在 OK 之前输出 DEBUG {CAN_BE_LED}），或不用开局：那样各局之间只有先后手不同"
        ),
    }
}

/// Copies what a plan points to into the contest's folder and lets the plan point there, so that it can be resumed
/// whatever becomes of the originals.
pub(crate) fn settle(plan: &mut Plan, from: &Path, folder: &Path) -> anyhow::Result<()> {
    if let Some(name) = &plan.openings.file {
        let original = from.join(name);
        let text = std::fs::read(&original).with_context(|| original.display().to_string())?;
        let copy = folder.join(OPENINGS);
        records::write_atomically(&copy, &text).with_context(|| copy.display().to_string())?;
        plan.openings.file = Some(OPENINGS.to_owned());
    }
    Ok(())
}

/// Says why a journal cannot be used.
pub(crate) fn wrong_journal(context: &Context) -> impl Fn(JournalError) -> anyhow::Error {
    |error| anyhow::anyhow!(error.say(context.language))
}

/// Says that some lines of a folder's journal could be held against the rules and nothing else.
pub(crate) fn say_unchecked(context: &Context, folder: &Path, lines: usize) {
    let folder = folder.display();
    let said = match context.language {
        _ if lines == 0 => return,
        Language::En => format!(
            "{folder}: {lines} games of the journal are of an older boyi, without checksums; all were replayed by the rules"
        ),
        Language::Zh => format!("{folder}：日志中有 {lines} 局由旧版 boyi 写入，没有校验和；均已按规则复盘"),
    };
    let _ = writeln!(anstream::stderr().lock(), "boyi: {said}");
}

/// Plays what `offer` gives until it is finished, `counted` has enough, or Ctrl-C. A game is in the journal, on disk,
/// before `counted` hears of it.
pub(crate) fn play_all(
    context: &Context,
    (conditions, entrants, crew): (&Conditions, &[Entrant], Crew),
    mut journal: Option<Journal>,
    mut offer: impl FnMut() -> Offer<Job> + Send,
    mut counted: impl FnMut(&[Finished]) -> Next,
) -> anyhow::Result<ExitCode> {
    let host = seats::host()?;
    let interrupted = seats::interrupts(*context)?;
    let is_interrupted = || interrupted.load(Ordering::Relaxed) > 0;
    let mut failure: Option<anyhow::Error> = None;
    pool::run(
        crew,
        || if is_interrupted() { Offer::Finished } else { offer() },
        |kept: &mut Kept, job| conditions.play(&host, entrants, kept, job, seats::now()),
        |batch| {
            let mut finished: Vec<Finished> = Vec::with_capacity(batch.len());
            for (_, result) in batch {
                match result {
                    Ok(game) => finished.push(game),
                    Err(problem) => failure = Some(anyhow::anyhow!(problem)),
                }
            }
            if let Some(journal) = &mut journal
                && let Err(error) = journal.add(&finished)
            {
                failure = Some(wrong_journal(context)(error));
                return Next::Wind;
            }
            let next = counted(&finished);
            if failure.is_some() { Next::Wind } else { next }
        },
    );
    match failure {
        Some(failure) => Err(failure),
        None if is_interrupted() => Ok(ExitCode::from(130)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The first line of a contest's JSON.
pub(crate) fn start_event(
    kind: &str,
    plan: &Plan,
    entrants: &[Entrant],
    crew: Crew,
    progress: Figures,
) -> serde_json::Value {
    let engines: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    json!({
        "event": "start",
        "version": 1,
        "kind": kind,
        "game": plan.game,
        "engines": engines,
        "seed": plan.seed,
        "workers": crew.workers,
        "cores_each": crew.cores_each,
        "progress": progress,
    })
}

//! `boyi play`: one game in the terminal.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use games::render::terminal;
use games::{End, Eyes, Language, Listing, Phrase, Side, Table, reasons};
use protocols::Clock;
use records::Record;
use referee::{Circumstances, GameReport, GameSpec, PlayedPly, Transcript, Watcher};
use serde_json::json;

use crate::context::Context;
use crate::seats::{self, Speech, Wanted};
use crate::{cage, cli, outcome};

pub(crate) fn command(language: Language) -> Command {
    let say = |en, zh| Phrase::new(en, zh).text(language);
    let seat_help = Phrase::new("a command line, builtin[:level], or human", "引擎命令行、builtin[:级别] 或 human");
    Command::new("play")
        .about(say(
            "Play one game: engines, built-in players, people, in any pairing",
            "下一局棋：引擎、内置引擎、人任意配对",
        ))
        .arg(cli::game_argument(language))
        .arg(
            Arg::new("black")
                .long("black")
                .value_name("P")
                .required_unless_present("resume")
                .help(seat_help.text(language)),
        )
        .arg(
            Arg::new("white")
                .long("white")
                .value_name("P")
                .required_unless_present("resume")
                .help(seat_help.text(language)),
        )
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
        .args(cli::time_arguments(language))
        .args(cli::speech_arguments(language))
        .arg(
            Arg::new("log")
                .long("log")
                .value_name("FILE")
                .help(say("write every line in and out to this file", "将全部通信写入此文件")),
        )
        .arg(
            Arg::new("save")
                .long("save")
                .value_name("FILE")
                .help(say("write the game's record to this file", "将棋谱写入此文件")),
        )
        .arg(
            Arg::new("resume")
                .long("resume")
                .value_name("FILE")
                .conflicts_with_all(["variant", "position"])
                .help(say("go on with the game of this record", "继续此棋谱中的对局")),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help(say("seed of built-in players", "内置引擎的随机种子")),
        )
        .arg(
            Arg::new("quiet")
                .long("quiet")
                .short('q')
                .action(ArgAction::SetTrue)
                .help(say("only the result", "只显示结果")),
        )
        .arg(cli::json_argument(language))
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let resumed = matches.get_one::<String>("resume").map(|file| resume(context, game.facts().id, file)).transpose()?;
    let table = match &resumed {
        Some(record) => record.open().map_err(|error| anyhow::anyhow!(error.say(context.language)))?,
        None => context.open(game, matches)?,
    };
    let wanted = Side::BOTH.map(|side| match (matches.get_one::<String>(side.word()), &resumed) {
        (Some(text), _) => Wanted::read(text),
        (None, Some(record)) => Wanted::of_record(record.seats.of(side)),
        (None, None) => Wanted::Human,
    });
    let mut speech = Speech::read(context, matches)?;
    if wanted.iter().any(|seat| matches!(seat, Wanted::Engine(_))) {
        let sandbox = cage::open(context, matches.get_one::<String>("sandbox").map(String::as_str))?;
        speech.cage = cage::of(sandbox.as_ref(), None);
    }
    let white_speech = Speech { seed: speech.seed.wrapping_add(1), ..speech.clone() };
    let mut seats =
        [seats::seat(context, game, &wanted[0], &speech)?, seats::seat(context, game, &wanted[1], &white_speech)?];
    let transcript = match matches.get_one::<String>("log") {
        Some(file) => {
            let sink = std::fs::File::create(file).with_context(|| file.clone())?;
            // Line by line: a game that is killed leaves what was said.
            Transcript::with_sink(Box::new(std::io::LineWriter::new(sink)))
        }
        None => Transcript::default(),
    };
    let people = wanted.iter().filter(|seat| **seat == Wanted::Human).count();
    let beginning = match &resumed {
        Some(record) => Beginning { table, position: record.position.clone(), history: history(record) },
        None => {
            let position = matches.get_one::<String>("position").cloned();
            let engine = wanted.iter().any(|seat| matches!(seat, Wanted::Engine(_)));
            let beginning = Beginning { table, position, history: Vec::new() };
            if engine { told_to_engines(context, game, beginning, &speech)? } else { beginning }
        }
    };
    let Beginning { table, position, history } = beginning;
    let spec = GameSpec {
        position,
        history,
        time: seats::time_control(matches, people > 0),
        gap: Duration::from_millis(matches.get_one::<u64>("gap-ms").copied().unwrap_or_default()),
        ponder: matches.get_flag("ponder"),
        transcript,
        ..GameSpec::new(table)
    };
    let mut screen = Screen {
        context: *context,
        eyes: match (people, &wanted) {
            (1, [Wanted::Human, _]) => Eyes::Seat(Side::Black),
            (1, _) => Eyes::Seat(Side::White),
            _ => Eyes::All,
        },
        people,
        silent: context.json || matches.get_flag("quiet"),
        live: std::io::stdout().is_terminal(),
    };
    let (position, time) = (spec.position.clone(), spec.time);
    let host = seats::host()?;
    let began = seats::now();
    let report = referee::play(&host, spec, &mut seats, &mut screen)
        .map_err(|error| anyhow::anyhow!(error.say(context.language)))?;
    show_end(context, &wanted, &report, &screen)?;
    if let Some(file) = matches.get_one::<String>("save") {
        let record = report.record(Circumstances {
            position,
            time,
            players: wanted.each_ref().map(Wanted::player),
            date: Some(began),
            event: None,
        });
        records::write_atomically(file.as_ref(), &record.to_json()).with_context(|| file.clone())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The record of a game that can go on.
fn resume(context: &Context, game: &str, file: &str) -> anyhow::Result<Record> {
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let opened = records::read(&bytes, file, &records::Choices::default())
        .map_err(|error| anyhow::anyhow!("{file}: {}", error.say(context.language)))?;
    let record = opened.record;
    let table = record.replay_plies().map_err(|error| anyhow::anyhow!("{file}: {}", error.say(context.language)))?;
    match context.language {
        _ if record.game == game && table.verdict().is_none() => Ok(record),
        Language::En if record.game != game => anyhow::bail!("{file} is a game of {}, not of {game}", record.game),
        Language::Zh if record.game != game => anyhow::bail!("{file} 是 {} 的棋谱，不是 {game}", record.game),
        Language::En => anyhow::bail!("the game of {file} is over"),
        Language::Zh => anyhow::bail!("{file} 中的对局已经结束"),
    }
}

/// Where a game begins.
struct Beginning {
    table: Box<dyn Table>,
    /// The position of the table, when it is not the usual start.
    position: Option<String>,
    history: Vec<PlayedPly>,
}

/// A beginning as engines can be told it: as plies, where their protocol has a word for those. Others are not told,
/// which is said: only somebody who knows that his program begins there can want that.
fn told_to_engines(
    context: &Context,
    game: &'static dyn Listing,
    beginning: Beginning,
    speech: &Speech,
) -> anyhow::Result<Beginning> {
    if beginning.position.is_none() && beginning.table.starts().is_empty() {
        return Ok(beginning);
    }
    let protocol = seats::protocol(context, game.facts().id, speech.protocol.as_deref())?;
    let usual = game.open(&beginning.table.variant(), None).ok().filter(|usual| usual.starts().is_empty());
    if let Some(usual) = usual.filter(|_| protocol.facts().can_restore)
        && let Some(plies) = games::plies_to(usual.as_ref(), beginning.table.as_ref())
    {
        let mut table = usual.fork();
        let mut history = Vec::new();
        for ply in plies {
            let mover = table.to_move();
            if table.play(&ply, Eyes::All).is_ok() {
                let (time, stall) = (Duration::ZERO, Duration::ZERO);
                history.push(PlayedPly { mover, ply, end: End::Played, time, stall });
            }
        }
        return Ok(Beginning { table: usual, position: None, history });
    }
    let note = Phrase::new(
        "the engine's protocol cannot tell it this start: it plays on as if the game began as usual, unless it knows",
        "该引擎的协议无法告知这一起始局面：除非引擎自己知道，否则它会按通常的开局来下",
    );
    let _ = writeln!(anstream::stderr().lock(), "boyi: {}", context.text(note));
    Ok(beginning)
}

/// The plies of a record as the referee takes them.
fn history(record: &Record) -> Vec<PlayedPly> {
    let step = |ply: &records::RecordedPly| PlayedPly {
        mover: ply.mover,
        ply: ply.ply.clone(),
        end: if ply.end == records::PlyEnd::Refused { End::Refused(&reasons::REFUSED) } else { End::Played },
        time: Duration::from_millis(ply.ms.unwrap_or_default()),
        stall: Duration::from_millis(ply.stall_ms.unwrap_or_default()),
    };
    record.plies.iter().map(step).collect()
}

/// Shows the game while it is played.
struct Screen {
    context: Context,
    eyes: Eyes,
    people: usize,
    silent: bool,
    live: bool,
}

impl Screen {
    fn board(&self, table: &dyn Table) -> String {
        terminal::render(&table.view(self.eyes), self.context.language, self.live)
    }
}

impl Watcher for Screen {
    fn started(&mut self, names: [&str; 2], table: &dyn Table) {
        if !self.silent {
            let sides = table.facts().sides.map(|side| side.text(self.context.language));
            let _ = writeln!(anstream::stderr(), "{}: {}   {}: {}", sides[0], names[0], sides[1], names[1]);
        }
    }

    fn stepped(&mut self, table: &dyn Table, last: Option<&PlayedPly>, clocks: [Clock; 2]) {
        let seen = table.steps().checked_sub(1).and_then(|index| table.step(index, self.eyes));
        let refused = last.is_some_and(|step| matches!(step.end, End::Refused(_)));
        // A refused try is its player's secret: his own screen shows it to him, nobody else hears of it.
        if self.silent || refused && (seen.is_none() || self.people == 2) {
            return;
        }
        let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
        // A person's own board is shown when it is his turn; two people share the screen, so nothing hidden is shown.
        if self.live && self.people == 0 {
            let left =
                clocks.map(|clock| clock.left.map_or(String::new(), |left| format!("{:.1} s", left.as_secs_f64())));
            let _ = writeln!(out, "\x1b[H\x1b[2J{}{}   {}", self.board(table), left[0], left[1]);
        } else if let Some(step) = last {
            let shown = match self.people {
                2 if table.facts().hidden => None,
                _ => seen.and_then(|step| step.ply),
            };
            let ply = shown.as_deref().unwrap_or("?");
            let _ = writeln!(out, "{:>4} {} {ply} ({:.3} s)", table.plies(), step.mover, step.time.as_secs_f64());
        }
        let _ = out.flush();
    }
}

fn show_end(context: &Context, wanted: &[Wanted; 2], report: &GameReport, screen: &Screen) -> anyhow::Result<()> {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let decision = &report.decision;
    if context.json {
        let plies: Vec<_> = report
            .plies
            .iter()
            .map(|step| {
                json!({ "mover": step.mover, "ply": step.ply, "end": step.end.word(), "ms": step.time.as_secs_f64() * 1000.0 })
            })
            .collect();
        let answer = json!({
            "game": report.table.facts().id,
            "variant": report.table.variant(),
            "names": report.names,
            "kinds": wanted.each_ref().map(Wanted::kind),
            "decision": decision,
            "used_ms": report.used.map(|used| used.as_secs_f64() * 1000.0),
            "position": report.table.position(Eyes::All),
            "plies": plies,
        });
        writeln!(out, "{answer}")?;
        return Ok(out.flush()?);
    }
    if !screen.silent {
        write!(out, "{}", terminal::render(&report.table.view(Eyes::All), context.language, screen.live))?;
    }
    let names = [report.names[0].as_str(), report.names[1].as_str()];
    let ended = (decision.winner, decision.counts);
    let reason = decision.reason.text.text(context.language);
    writeln!(out, "{}", outcome::sentence(report.table.facts(), names, ended, reason, context.language))?;
    out.flush()?;
    let mut err = anstream::stderr().lock();
    let mut evidence = serde_json::to_value(&decision.evidence)?;
    if screen.silent {
        // Who wants the result only can count for himself.
        evidence["facts"].take();
    }
    for line in outcome::evidence(&evidence, context.language) {
        writeln!(err, "  {line}")?;
    }
    Ok(())
}

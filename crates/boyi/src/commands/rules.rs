//! `boyi rules`: a rules service for other programs. One JSON command a line in, one JSON answer a line out; the
//! commands are described in docs/rules-service.md.

use std::io::{BufRead, BufReader, BufWriter, Read as _, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::{ArgMatches, Command};
use games::{End, Eyes, Language, Listing, Phrase, Side, Table};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli;
use crate::context::Context;

/// A longer line is answered with an error and skipped.
const LONGEST_LINE: u64 = 1 << 20;
/// More plies than this are listed only when `limit` asks for them.
const DEFAULT_LIMIT: usize = 100_000;

pub(crate) fn command(language: Language) -> Command {
    let about = Phrase::new(
        "A rules service for other programs: JSON commands on stdin, answers on stdout",
        "供其他程序使用的规则服务：标准输入每行一条 JSON 命令，标准输出每行一条应答",
    );
    let after = Phrase::new(
        "Commands: new, legal, play, undo, observe, view, clicks, position, history. Example:\n  \
         {\"cmd\":\"play\",\"ply\":\"4 0 1\"}\nAll of them: docs/rules-service.md",
        "命令：new、legal、play、undo、observe、view、clicks、position、history。例如：\n  \
         {\"cmd\":\"play\",\"ply\":\"4 0 1\"}\n完整说明见 docs/rules-service.zh-CN.md",
    );
    Command::new("rules")
        .about(about.text(language))
        .after_help(after.text(language))
        .arg(cli::game_argument(language))
        .arg(cli::variant_argument(language))
        .arg(cli::position_argument(language))
}

/// One command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    cmd: String,
    /// Given back with the answer.
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    variant: Value,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    ply: Option<String>,
    #[serde(default)]
    plies: Vec<String>,
    #[serde(default)]
    seat: Option<Side>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    count_only: bool,
    #[serde(default)]
    events: bool,
    #[serde(default)]
    path: Vec<u16>,
}

/// A command that was not carried out.
struct Refusal {
    code: &'static str,
    message: String,
    /// For `plies`: how many were played before the bad one.
    played: Option<usize>,
    offset: Option<u32>,
}

impl Refusal {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), played: None, offset: None }
    }

    fn fault(fault: &games::Fault, language: Language) -> Self {
        Self { code: fault.reason.code, message: fault.say(language), played: None, offset: fault.offset }
    }
}

pub(crate) fn run(context: &Context, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let game = context.game(matches.get_one::<String>("game").map_or("", String::as_str))?;
    let table = context.open(game, matches)?;
    let mut service = Service { game, table, language: context.language };
    let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            output.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let text = Phrase::new("the line is longer than 1 MiB", "该行超过 1 MiB");
            service.refuse(&mut output, None, &Refusal::new("line-too-long", text.text(service.language)))?;
        } else if !line.trim_ascii().is_empty() {
            service.answer(&line, &mut output)?;
        }
        // Whoever waits for an answer has sent nothing more; whoever pours commands in gets answers in large blocks.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

struct Service {
    game: &'static dyn Listing,
    table: Box<dyn Table>,
    language: Language,
}

impl Service {
    fn answer(&mut self, line: &[u8], out: &mut impl Write) -> std::io::Result<()> {
        let request: Request = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => {
                // The id is still given back when the line is JSON but not a command.
                let id = serde_json::from_slice::<Value>(line).ok().and_then(|value| value.get("id").cloned());
                return self.refuse(out, id, &Refusal::new("bad-command", error.to_string()));
            }
        };
        let id = request.id.clone();
        if request.cmd == "legal" {
            return self.legal(&request, out);
        }
        match self.carry_out(&request) {
            Ok(mut answer) => {
                if let (Some(id), Some(map)) = (id, answer.as_object_mut()) {
                    map.insert("id".into(), id);
                }
                serde_json::to_writer(&mut *out, &answer)?;
                out.write_all(b"\n")
            }
            Err(refusal) => self.refuse(out, id, &refusal),
        }
    }

    fn refuse(&self, out: &mut impl Write, id: Option<Value>, refusal: &Refusal) -> std::io::Result<()> {
        let mut answer = json!({ "ok": false, "error": { "code": refusal.code, "message": refusal.message } });
        if let Some(offset) = refusal.offset {
            answer["error"]["offset"] = json!(offset);
        }
        if let Some(played) = refusal.played {
            answer["error"]["played"] = json!(played);
        }
        if let Some(id) = id {
            answer["id"] = id;
        }
        serde_json::to_writer(&mut *out, &answer)?;
        out.write_all(b"\n")
    }

    fn carry_out(&mut self, request: &Request) -> Result<Value, Refusal> {
        let eyes = request.seat.map_or(Eyes::All, Eyes::Seat);
        match request.cmd.as_str() {
            "new" => {
                self.table =
                    self.game.open(&request.variant, request.position.as_deref()).map_err(|error| match error {
                        games::OpenError::Position(fault) => Refusal::fault(&fault, self.language),
                        games::OpenError::Variant(error) => Refusal::new("bad-variant", error.say(self.language)),
                    })?;
                Ok(self.state())
            }
            "play" => self.play(request, eyes),
            "undo" => {
                if !self.table.undo() {
                    let text = Phrase::new("there is nothing to take back", "没有可以撤销的着法");
                    return Err(Refusal::new("nothing-to-undo", text.text(self.language)));
                }
                Ok(self.state())
            }
            "observe" => {
                let Some(seat) = request.seat else {
                    let text = Phrase::new(
                        "observe needs \"seat\": \"black\" or \"white\"",
                        "observe 需要 seat：black 或 white",
                    );
                    return Err(Refusal::new("bad-command", text.text(self.language)));
                };
                Ok(json!({ "ok": true, "observation": self.table.observe(seat) }))
            }
            "view" => Ok(json!({ "ok": true, "view": self.table.view(eyes) })),
            "clicks" => Ok(json!({ "ok": true, "clicks": self.table.clicks(eyes, &request.path) })),
            "position" => {
                let mut answer = self.state();
                answer["position"] = json!(self.table.position(eyes));
                answer["variant"] = self.table.variant();
                Ok(answer)
            }
            "history" => {
                let steps: Vec<Value> = (0..self.table.steps())
                    .filter_map(|index| self.table.step(index, eyes))
                    .map(|step| json!({ "mover": step.mover, "end": step.end.word(), "ply": step.ply }))
                    .collect();
                Ok(json!({ "ok": true, "steps": steps }))
            }
            other => {
                let known = "new, legal, play, undo, observe, view, clicks, position, history";
                let other: String = other.chars().take(40).collect();
                let message = match self.language {
                    Language::En => format!("no command {other:?}; there are {known}"),
                    Language::Zh => format!("没有命令“{other}”；可用命令：{known}"),
                };
                Err(Refusal::new("bad-command", message))
            }
        }
    }

    fn play(&mut self, request: &Request, eyes: Eyes) -> Result<Value, Refusal> {
        if request.ply.is_none() && request.plies.is_empty() {
            let text = Phrase::new("play needs \"ply\" or \"plies\"", "play 需要 ply 或 plies");
            return Err(Refusal::new("bad-command", text.text(self.language)));
        }
        let mut last = None;
        for (index, ply) in request.ply.iter().chain(&request.plies).enumerate() {
            match self.table.play(ply, eyes) {
                Ok(played) => last = Some(played),
                Err(fault) => {
                    let played = (!request.plies.is_empty()).then_some(index);
                    return Err(Refusal { played, ..Refusal::fault(&fault, self.language) });
                }
            }
        }
        let mut answer = self.state();
        if let Some(played) = last {
            answer["mover"] = json!(played.mover);
            answer["end"] = json!(played.end.word());
            if let End::Refused(reason) | End::Lost(reason) = played.end {
                answer["reason"] = json!(reason.code);
            }
        }
        if request.events {
            answer["events"] =
                json!({ "black": self.table.learned(Side::Black), "white": self.table.learned(Side::White) });
        }
        Ok(answer)
    }

    /// What every change is answered with.
    fn state(&self) -> Value {
        let verdict = self.table.verdict().map(|verdict| {
            json!({
                "winner": verdict.winner,
                "reason": verdict.reason.code,
                "text": verdict.reason.text.text(self.language),
                "ply": verdict.ply,
            })
        });
        json!({
            "ok": true,
            "to_move": self.table.to_move(),
            "plies": self.table.plies(),
            "hash": format!("{:016x}", self.table.hash()),
            "verdict": verdict,
        })
    }

    /// Written straight to the output: Amazons has two thousand plies.
    fn legal(&self, request: &Request, out: &mut impl Write) -> std::io::Result<()> {
        let eyes = request.seat.map_or(Eyes::All, Eyes::Seat);
        out.write_all(b"{\"ok\":true")?;
        if request.count_only {
            write!(out, ",\"count\":{}", self.table.count_legal())?;
        } else {
            let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
            let (mut count, mut complete, mut failure) = (0, true, Ok(()));
            out.write_all(b",\"plies\":[")?;
            self.table.visit_plies(eyes, &mut |ply| {
                if count == limit {
                    complete = false;
                    return ControlFlow::Break(());
                }
                count += 1;
                // A ply's text is plain ASCII without quotes: it needs no escaping.
                failure = write!(out, "{}\"{ply}\"", if count > 1 { "," } else { "" });
                if failure.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            failure?;
            write!(out, "],\"count\":{count},\"complete\":{complete}")?;
            if eyes == Eyes::All {
                out.write_all(b",\"forbidden\":")?;
                serde_json::to_writer(&mut *out, &self.table.losing_plies())?;
            }
        }
        if let Some(id) = &request.id {
            out.write_all(b",\"id\":")?;
            serde_json::to_writer(&mut *out, id)?;
        }
        out.write_all(b"}\n")
    }
}

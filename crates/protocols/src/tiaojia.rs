//! The protocol of the Tiaojia course (seed 004): `START 1|2` → `OK`, `PLACE row col dir`, `TURN` → `row col dir`, `END
//! 0|1|2`.
//!
//! It is the strict one: speaking out of turn loses, and so does an answer that is not three numbers. `DEBUG text` may
//! come at any time.
//!
//! The extension: an engine that says `DEBUG +openings` before `OK` may be told an opening: `PLACE` for its opponent's
//! steps as ever, and `OPENING row col dir` for a step that was played for it, which is not answered.

use std::time::Duration;

use games::{Event, Phrase, Reason, Side};
use serde::Deserialize;
use serde_json::Value;

use crate::ends::{
    Act, Awaits, BadOption, Clock, EngineEnd, Order, Outcome, Protocol, ProtocolFacts, RefereeEnd, Remark, Setup,
    clipped, clipped_to, read_options,
};
use crate::opening::CAN_BE_LED;
use crate::player::ThinkLimits;
use crate::score::score_in;

static FACTS: ProtocolFacts = ProtocolFacts {
    id: "tiaojia",
    aliases: &["tongji"],
    name: Phrase::new("Tiaojia course judge", "挑夹棋课程评测协议"),
    games: &["tiaojia"],
    line_end: "\n",
    can_restore: false,
    carries_score: true,
    options: &[("start_limit", Phrase::new("seconds until `OK` must have come", "回复 OK 的时限（秒）"))],
};

/// The engine said something other than DEBUG when nothing was due.
pub static OUT_OF_TURN: Reason =
    Reason::new("out-of-turn", "the engine spoke when no answer was due", "引擎在不应响应时输出了内容");
/// The answer to START was not OK, or the answer to TURN not three numbers.
pub static MALFORMED_ANSWER: Reason =
    Reason::new("malformed-answer", "the engine's answer has the wrong form", "引擎的响应格式不正确");

/// The longest DEBUG message that is kept, and the most of a game's.
const LONGEST_DEBUG: usize = 16 << 10;
const MOST_DEBUG: usize = 32 << 10;

/// The protocol.
#[derive(Debug)]
pub struct TiaojiaProtocol;

/// What the course's rules say for `OK`.
const USUAL_START: Duration = Duration::from_secs(52);

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    start_limit: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { start_limit: USUAL_START.as_secs() as u32 }
    }
}

impl Protocol for TiaojiaProtocol {
    fn facts(&self) -> &'static ProtocolFacts {
        &FACTS
    }

    fn referee_end(&self, setup: Setup) -> Result<Box<dyn RefereeEnd>, BadOption> {
        let options: Options = read_options(&setup.options)?;
        let start_limit = Duration::from_secs(options.start_limit.into());
        let (seat, awaits) = (setup.seat, Awaits::Nothing);
        Ok(Box::new(TiaojiaReferee { seat, start_limit, awaits, debug_bytes: 0, can_be_led: false }))
    }

    fn engine_end(&self, _game: &'static str, name: &str) -> Box<dyn EngineEnd> {
        Box::new(TiaojiaEngine { name: name.to_owned() })
    }

    fn start_limit(&self) -> Option<Duration> {
        Some(USUAL_START)
    }
}

/// The referee's end.
#[derive(Debug)]
struct TiaojiaReferee {
    seat: Side,
    start_limit: Duration,
    awaits: Awaits,
    debug_bytes: usize,
    /// Whether the engine has said that it can be told an opening.
    can_be_led: bool,
}

impl RefereeEnd for TiaojiaReferee {
    fn open(&mut self, out: &mut Vec<Act>) {
        self.awaits = Awaits::Ready;
        out.push(Act::Send(format!("START {}", self.seat.index() + 1)));
    }

    fn can_be_led(&self) -> bool {
        self.can_be_led
    }

    fn lead(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        for event in events {
            if let Event::Ply { ply } = event {
                out.push(Act::Send(format!("{} {ply}", if own { "OPENING" } else { "PLACE" })));
            }
        }
    }

    fn turn(&mut self, _clock: Clock, out: &mut Vec<Act>) {
        self.awaits = Awaits::Ply;
        out.push(Act::Send("TURN".to_owned()));
    }

    fn line(&mut self, line: &str, out: &mut Vec<Act>) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        if line == "DEBUG" || line.starts_with("DEBUG ") {
            let message = clipped_to(line.get(6..).unwrap_or_default(), LONGEST_DEBUG);
            out.extend(score_in(&message).map(Act::Score));
            self.can_be_led |= self.awaits == Awaits::Ready && message.trim() == CAN_BE_LED;
            if self.debug_bytes + message.len() <= MOST_DEBUG {
                self.debug_bytes += message.len();
                out.push(Act::Remark(Remark::Debug(message)));
            }
            return;
        }
        match std::mem::replace(&mut self.awaits, Awaits::Nothing) {
            Awaits::Ready if line.eq_ignore_ascii_case("OK") => out.push(Act::Ready),
            Awaits::Ply if is_three_numbers(line) => out.push(Act::Ply(clipped(line))),
            Awaits::Nothing | Awaits::Calm => {
                out.push(Act::Remark(Remark::OutOfTurn(clipped(line))));
                out.push(Act::Foul(&OUT_OF_TURN));
            }
            Awaits::Ready | Awaits::Ply => {
                out.push(Act::Remark(Remark::Noise(clipped(line))));
                out.push(Act::Foul(&MALFORMED_ANSWER));
            }
        }
    }

    fn learned(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        for event in events {
            if let (false, Event::Ply { ply }) = (own, event) {
                out.push(Act::Send(format!("PLACE {ply}")));
            }
        }
    }

    fn over(&mut self, outcome: Outcome, out: &mut Vec<Act>) {
        self.awaits = Awaits::Nothing;
        let code = match outcome {
            Outcome::Drawn | Outcome::Aborted => 0,
            Outcome::Won => 1,
            Outcome::Lost => 2,
        };
        out.push(Act::Send(format!("END {code}")));
    }

    /// An engine may leave at END, so another game gets another process.
    fn again(&mut self, seat: Side, out: &mut Vec<Act>) {
        self.seat = seat;
        out.push(Act::Reload);
    }

    fn close(&mut self, _out: &mut Vec<Act>) {
        self.awaits = Awaits::Nothing;
    }

    fn awaits(&self) -> Awaits {
        self.awaits
    }

    fn start_limit(&self) -> Option<Duration> {
        Some(self.start_limit)
    }
}

/// Three whole numbers; whether they name a stone and a direction is the rules' matter.
fn is_three_numbers(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.len() == 3 && words.iter().all(|word| word.parse::<i64>().is_ok())
}

/// The engine's end.
#[derive(Debug)]
struct TiaojiaEngine {
    name: String,
}

impl EngineEnd for TiaojiaEngine {
    fn line(&mut self, line: &str, out: &mut Vec<Order>) {
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "START" => {
                let seat = if rest.trim() == "2" { Side::White } else { Side::Black };
                out.push(Order::New { variant: Value::Null, seat, position: None });
                out.push(Order::Say(format!("DEBUG {}", self.name)));
                out.push(Order::Say(format!("DEBUG {CAN_BE_LED}")));
                out.push(Order::Say("OK".to_owned()));
            }
            "PLACE" | "OPENING" if is_three_numbers(rest) => {
                out.push(Order::Learn(Event::Ply { ply: rest.to_owned() }));
            }
            "PLACE" | "OPENING" => out.push(Order::Lost),
            "TURN" => out.push(Order::Think(ThinkLimits {
                turn: Some(Duration::from_secs(2)),
                left: None,
                memory: Some(350 << 20),
            })),
            "END" => out.push(Order::Quit),
            _ => {}
        }
    }

    fn chosen(&mut self, ply: &str, out: &mut Vec<Order>) {
        out.push(Order::Say(ply.to_owned()));
        out.push(Order::Learn(Event::Ply { ply: ply.to_owned() }));
    }
}

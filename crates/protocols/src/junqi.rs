//! The Junqi protocol 1.0 (2012): `INFO` → `NAME`, `START first time steps` → `ARRAY …`, `GO move result flag` →
//! `BESTMOVE`, `RESULT result flag`, `END`. Every point is in the receiver's own view of the board.
//!
//! The extension: an engine whose name ends in `+openings` may be told an opening, in messages that begin with
//! `OPENING` and are not answered: `OPENING START …`; `OPENING ARRAY …` and `OPENING BESTMOVE …` for what was played
//! for it, the latter followed by `RESULT` as ever; `OPENING GO …` for its opponent's moves. `GO 0000 0 flag` asks it
//! for its first move, if it is its turn then.

use std::time::Duration;

use games::{Contact, Event, Phrase, Side};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ends::{
    Act, Awaits, BadOption, Clock, EngineEnd, Order, Outcome, Protocol, ProtocolFacts, RefereeEnd, Remark, Setup,
    clipped, clipped_to, read_options,
};
use crate::opening::{read_name, written_name};
use crate::player::ThinkLimits;

static FACTS: ProtocolFacts = ProtocolFacts {
    id: "junqi",
    aliases: &["junqi-1.0"],
    name: Phrase::new("Junqi protocol 1.0", "军棋博弈协议 1.0"),
    games: &["junqi"],
    line_end: "\n",
    can_restore: false,
    carries_score: false,
    options: &[("information", Phrase::new("say INFORMATION instead of INFO", "用 INFORMATION 代替 INFO"))],
};

/// The seconds `START` names when the game has no clock: the rules' half hour.
const DEFAULT_SECONDS: u64 = 1800;
/// The longest name that is kept.
const LONGEST_NAME: usize = 128;

/// The protocol.
#[derive(Debug)]
pub struct JunqiProtocol;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    information: bool,
}

impl Protocol for JunqiProtocol {
    fn facts(&self) -> &'static ProtocolFacts {
        &FACTS
    }

    fn referee_end(&self, setup: Setup) -> Result<Box<dyn RefereeEnd>, BadOption> {
        let options = read_options(&setup.options)?;
        let seconds = setup.clock.left.map_or(DEFAULT_SECONDS, |left| left.as_secs());
        let steps = setup.variant.get("steps").and_then(Value::as_u64).unwrap_or(31);
        Ok(Box::new(JunqiReferee {
            seat: setup.seat,
            options,
            seconds,
            steps,
            due: Due::Nothing,
            set_up: false,
            asked: false,
            can_be_led: false,
            flag: NO_FLAG.to_owned(),
        }))
    }

    fn engine_end(&self, _game: &'static str, name: &str) -> Box<dyn EngineEnd> {
        Box::new(JunqiEngine {
            name: name.to_owned(),
            seconds: DEFAULT_SECONDS,
            last: String::new(),
            set_up: false,
            knows_his: false,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    Nothing,
    Name,
    Array,
    Move,
}

/// The referee's end.
#[derive(Debug)]
struct JunqiReferee {
    seat: Side,
    options: Options,
    seconds: u64,
    steps: u64,
    due: Due,
    /// Whether the pieces are set up.
    set_up: bool,
    /// Whether the GO that asks for the next move was sent already.
    asked: bool,
    /// Whether the engine has said that it can be told an opening.
    can_be_led: bool,
    /// Where the opponent's flag is, as far as the seat was told.
    flag: String,
}

/// The flag's place while it is unknown.
const NO_FLAG: &str = "00";

/// The number the protocol has for a contact.
const fn result_code(contact: Contact) -> u8 {
    match contact {
        Contact::Lost => 0,
        Contact::Won => 1,
        Contact::Both => 2,
        Contact::Nobody => 3,
    }
}

impl JunqiReferee {
    fn start(&self) -> String {
        format!("START {} {} {}", self.seat.index(), self.seconds, self.steps)
    }

    /// The move and what came of it, where the step was a move: a set-up has no result.
    fn step<'a>(&mut self, events: &'a [Event]) -> Option<(&'a str, u8)> {
        let (mut ply, mut result) = (None, None);
        for event in events {
            match event {
                Event::Ply { ply: played } => ply = Some(played.as_str()),
                Event::Contact { result: contact } => result = Some(result_code(*contact)),
                Event::FlagShown { point } => self.flag.clone_from(point),
                _ => {}
            }
        }
        ply.zip(result)
    }
}

impl RefereeEnd for JunqiReferee {
    fn open(&mut self, out: &mut Vec<Act>) {
        self.due = Due::Name;
        out.push(Act::Send(if self.options.information { "INFORMATION 1.0" } else { "INFO 1.0" }.to_owned()));
    }

    fn can_be_led(&self) -> bool {
        self.can_be_led
    }

    fn lead(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        match (self.step(events), events) {
            (Some((ply, result)), _) if own => {
                out.push(Act::Send(format!("OPENING BESTMOVE {ply}")));
                out.push(Act::Send(format!("RESULT {result} {}", self.flag)));
            }
            (Some((ply, result)), _) => out.push(Act::Send(format!("OPENING GO {ply} {result} {}", self.flag))),
            // Its own set-up. His is not told.
            (None, [Event::Ply { ply }, ..]) if own => {
                self.set_up = true;
                out.push(Act::Send(format!("OPENING {}", self.start())));
                out.push(Act::Send(format!("OPENING ARRAY {ply}")));
            }
            _ => {}
        }
    }

    fn turn(&mut self, _clock: Clock, out: &mut Vec<Act>) {
        if !self.set_up {
            self.due = Due::Array;
            out.push(Act::Send(self.start()));
            return;
        }
        self.due = Due::Move;
        if !std::mem::take(&mut self.asked) {
            out.push(Act::Send(format!("GO 0000 0 {}", self.flag)));
        }
    }

    fn line(&mut self, line: &str, out: &mut Vec<Act>) {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match self.due {
            _ if line.is_empty() => {}
            // An answer to a game that is over is not a name.
            Due::Nothing | Due::Name if word.eq_ignore_ascii_case("BESTMOVE") || word.eq_ignore_ascii_case("ARRAY") => {
                out.push(Act::Remark(Remark::OutOfTurn(clipped(line))));
            }
            Due::Name => {
                // A bare line while the name is due is the name.
                let name = if word.eq_ignore_ascii_case("NAME") { rest } else { line };
                let (name, can_be_led) = read_name(name);
                (self.due, self.can_be_led) = (Due::Nothing, can_be_led);
                out.push(Act::Named(clipped_to(name, LONGEST_NAME)));
                out.push(Act::Ready);
            }
            Due::Array if word.eq_ignore_ascii_case("ARRAY") => {
                self.due = Due::Nothing;
                self.set_up = true;
                out.push(Act::Ply(clipped(rest)));
            }
            Due::Array if line.len() == 25 && line.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                self.due = Due::Nothing;
                self.set_up = true;
                out.push(Act::Ply(line.to_owned()));
            }
            Due::Move if word.eq_ignore_ascii_case("BESTMOVE") => {
                self.due = Due::Nothing;
                out.push(Act::Ply(read_move(rest)));
            }
            Due::Move if is_move(line) => {
                self.due = Due::Nothing;
                out.push(Act::Ply(read_move(line)));
            }
            _ => out.push(Act::Remark(Remark::Noise(clipped(line)))),
        }
    }

    fn learned(&mut self, own: bool, events: &[Event], out: &mut Vec<Act>) {
        // A set-up is not told to anybody.
        let Some((ply, result)) = self.step(events) else { return };
        let flag = &self.flag;
        if own {
            out.push(Act::Send(format!("RESULT {result} {flag}")));
        } else {
            out.push(Act::Send(format!("GO {ply} {result} {flag}")));
            self.asked = true;
        }
    }

    fn over(&mut self, outcome: Outcome, out: &mut Vec<Act>) {
        self.due = Due::Nothing;
        let code = match outcome {
            Outcome::Lost => 0,
            Outcome::Won => 1,
            Outcome::Drawn | Outcome::Aborted => 2,
        };
        out.push(Act::Send(format!("END {code}")));
    }

    fn again(&mut self, seat: Side, out: &mut Vec<Act>) {
        (self.seat, self.set_up, self.asked) = (seat, false, false);
        NO_FLAG.clone_into(&mut self.flag);
        self.open(out);
    }

    fn close(&mut self, _out: &mut Vec<Act>) {
        self.due = Due::Nothing;
    }

    fn awaits(&self) -> Awaits {
        match self.due {
            Due::Nothing => Awaits::Nothing,
            Due::Name => Awaits::Ready,
            Due::Array | Due::Move => Awaits::Ply,
        }
    }
}

/// Whether a bare line looks like a move: letter, digit, letter, digit (the letter O is often written for 0).
fn is_move(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || byte.eq_ignore_ascii_case(&b'O');
    matches!(text.as_bytes(), [a, b, c, d] if a.is_ascii_alphabetic() && digit(*b) && c.is_ascii_alphabetic() && digit(*d))
}

/// A move with the letter O read as 0 where a column is due.
fn read_move(text: &str) -> String {
    let text = text.split_whitespace().next().unwrap_or_default();
    if !is_move(text) {
        return clipped(text);
    }
    text.chars()
        .enumerate()
        .map(|(index, letter)| if index % 2 == 1 && letter.eq_ignore_ascii_case(&'O') { '0' } else { letter })
        .collect()
}

/// The engine's end.
#[derive(Debug)]
struct JunqiEngine {
    name: String,
    seconds: u64,
    /// The ply it answered last: RESULT speaks of it.
    last: String,
    set_up: bool,
    /// Whether the player was told that the opponent is set up.
    knows_his: bool,
}

impl JunqiEngine {
    fn think(&self, out: &mut Vec<Order>) {
        out.push(Order::Think(ThinkLimits { turn: None, left: Some(Duration::from_secs(self.seconds)), memory: None }));
    }

    fn new_game(&mut self, words: &[&str], out: &mut Vec<Order>) {
        let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
        let seat = if number(1) == Some(1) { Side::White } else { Side::Black };
        self.seconds = number(2).unwrap_or(DEFAULT_SECONDS);
        (self.set_up, self.knows_his) = (false, false);
        let variant = json!({ "steps": number(3).unwrap_or(31) });
        out.push(Order::New { variant, seat, position: None });
        if seat == Side::White {
            self.learn_his_set_up(out);
        }
    }

    /// The opponent is set up, and how is his secret.
    fn learn_his_set_up(&mut self, out: &mut Vec<Order>) {
        if !std::mem::replace(&mut self.knows_his, true) {
            out.push(Order::Learn(Event::HiddenPly));
        }
    }

    fn set_up(&mut self, ply: &str, out: &mut Vec<Order>) {
        self.set_up = true;
        out.push(Order::Learn(Event::Ply { ply: ply.to_owned() }));
    }

    /// The opponent's move, where there is one to tell.
    fn learn_move(&mut self, words: &[&str], out: &mut Vec<Order>) {
        match words.get(1).copied() {
            None | Some("0000") => self.learn_his_set_up(out),
            Some(ply) if is_move(ply) => {
                out.push(Order::Learn(Event::Ply { ply: ply.to_owned() }));
                Self::result(&words[2..], out);
            }
            Some(_) => out.push(Order::Lost),
        }
    }

    /// A message after `OPENING`: what it says is learned and not answered.
    fn opening(&mut self, words: &[&str], out: &mut Vec<Order>) {
        match words {
            ["START", ..] => self.new_game(words, out),
            ["ARRAY", list, ..] => self.set_up(list, out),
            ["BESTMOVE", ply, ..] => {
                self.learn_his_set_up(out);
                (*ply).clone_into(&mut self.last);
            }
            ["GO", ..] => self.learn_move(words, out),
            _ => {}
        }
    }

    fn result(words: &[&str], out: &mut Vec<Order>) {
        let result = match words.first().copied() {
            Some("0") => Contact::Lost,
            Some("1") => Contact::Won,
            Some("2") => Contact::Both,
            _ => Contact::Nobody,
        };
        out.push(Order::Learn(Event::Contact { result }));
        if let Some(point) = words.get(1).filter(|point| **point != "00") {
            out.push(Order::Learn(Event::FlagShown { point: (*point).to_owned() }));
        }
    }
}

impl EngineEnd for JunqiEngine {
    fn line(&mut self, line: &str, out: &mut Vec<Order>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("INFO" | "INFORMATION") => out.push(Order::Say(format!("NAME {}", written_name(&self.name)))),
            Some("OPENING") => self.opening(&words[1..], out),
            Some("START") => {
                self.new_game(&words, out);
                self.think(out);
            }
            Some("GO") => {
                self.learn_move(&words, out);
                self.think(out);
            }
            Some("RESULT") => {
                out.push(Order::Learn(Event::Ply { ply: std::mem::take(&mut self.last) }));
                Self::result(&words[1..], out);
            }
            Some("END") => out.push(Order::Quit),
            _ => {}
        }
    }

    fn chosen(&mut self, ply: &str, out: &mut Vec<Order>) {
        if self.set_up {
            self.last = ply.to_owned();
            out.push(Order::Say(format!("BESTMOVE {ply}")));
            return;
        }
        out.push(Order::Say(format!("ARRAY {ply}")));
        self.set_up(ply, out);
    }
}
